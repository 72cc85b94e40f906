/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.4.1.7, 3.4.1.9: what a first packet says, said (or said otherwise) by a later one. */
#include "conformance/harness/steps/memory.h"
#include "conformance/harness/steps/messages.h"
#include "conformance/harness/steps/requests.h"
#include "conformance/harness/steps/tagged.h"

#define VALUE 0x1122334455667788ull

/* A message of three packets, the last of 100 bytes; in a region with room before and behind it. */
static struct message three_packets(struct uet_tc *tc, uint8_t opcode)
{
    return message(tc, .opcode = opcode, .packets = 3, .last = 100,
                   .at = opcode == UET_OP_SEND ? 0 : 1024, .room = 1024);
}

/* The packet with ie=1 comes alone, or behind the first: the bytes that it has stay away. */
static void later_initiator_error(struct uet_tc *tc, uint8_t opcode, bool first_came)
{
    struct message s = three_packets(tc, opcode);
    struct kept before = keep(tc, &s.m, s.at + 2 * s.mtu, 100);

    if (first_came)
        delivered(tc, "SES-111", &s.o[0]);
    uet_ses_req_ie_set(s.o[2].ses, true);
    not_executed(tc, "SES-111", &s.o[2]);
    unchanged(tc, "SES-111", &before);
    delivered(tc, "SES-111", &s.o[1]);
    if (!first_came)
        delivered(tc, "SES-111", &s.o[0]);
    if (opcode == UET_OP_SEND)
        must_not_succeed(tc, "SES-111", 0);
}

UET_TEST(ie_in_a_later_packet, .id = "ses.3.4.5.4.1.initiator-error-in-a-later-packet",
         .requirements = "SES-111", .role = UET_ROLE_TARGET, .needs = "write upper-tester",
         .purpose = "A packet with ie=1 touches no memory, wherever in its message it stands.",
         .preamble = "A region; PDC open.",
         .stimulus = "Two WRITEs of three packets with ie=1 in the last alone: it comes behind the "
                     "first, then before it.",
         .expected = "No success for that packet; the bytes where its data would go are as before.",
         .once = "a message with an error may stay open")
{
    later_initiator_error(tc, UET_OP_WRITE, true);
    later_initiator_error(tc, UET_OP_WRITE, false);
}

UET_TEST(ie_in_a_later_send, .id = "ses.3.4.5.4.1.initiator-error-in-a-later-packet-of-a-send",
         .requirements = "SES-111", .role = UET_ROLE_TARGET, .needs = "send upper-tester",
         .purpose = "A packet of a SEND with ie=1 touches no receive.",
         .preamble = "A receive posted; PDC open.",
         .stimulus = "A SEND of three packets with ie=1 in the last, which comes behind the first.",
         .expected = "No success for that packet, nor for the receive; the bytes where its data "
                     "would go are as before.",
         .once = "a message with an error may stay open")
{
    later_initiator_error(tc, UET_OP_SEND, true);
}

UET_TEST(ie_in_a_send, .id = "ses.3.4.5.4.1.initiator-error-of-a-send",
         .requirements = "SES-112 SES-111", .role = UET_ROLE_TARGET, .needs = "send upper-tester",
         .purpose = "A SEND with ie=1 touches no receive and ends in RC_INITIATOR_ERROR.",
         .preamble = "A receive posted; PDC open.", .stimulus = "SEND of one packet with ie=1.",
         .expected = "UET_RESPONSE with RC_INITIATOR_ERROR; the receive's bytes as before, and no "
                     "completion of it as a success.")
{
    struct uet_memory m = uet_need_receive(tc, 64, 1);
    struct uet_pdc *p = uet_pdc_open(tc);

    struct kept before = keep(tc, &m, 0, 64);
    struct uet_out o = uet_send_message(p, &m, "initiator error", 15);
    uet_ses_req_ie_set(o.ses, true);
    refused(tc, "SES-112", &o, UET_RC_INITIATOR_ERROR);
    unchanged(tc, "SES-111", &before);
    must_not_succeed(tc, "SES-111", 0);
}

/* The second packet of a message says another operation. */
static void opcode_changes(struct uet_tc *tc, uint8_t opcode, uint8_t other)
{
    struct message s = three_packets(tc, opcode);

    delivered(tc, "SES-048", &s.o[0]);
    uet_ses_req_opcode_set(s.o[1].ses, other);
    must_fail(tc, "SES-048", &s.o[1]);
    delivered(tc, "SES-048", &s.o[2]);
    if (opcode == UET_OP_SEND)
        must_not_succeed(tc, "SES-048", 0);
}

UET_TEST(send_inside_write, .id = "ses.3.4.1.7.send-inside-write", .requirements = "SES-048",
         .role = UET_ROLE_TARGET, .needs = "write",
         .purpose = "All packets of a message keep its opcode.",
         .preamble = "A region; PDC open; the first packet of a WRITE of three accepted.",
         .stimulus = "The second packet with the opcode SEND.", .expected = "An error response.",
         .once = "a message with an error may stay open")
{
    opcode_changes(tc, UET_OP_WRITE, UET_OP_SEND);
}

UET_TEST(write_inside_send, .id = "ses.3.4.1.7.write-inside-send", .requirements = "SES-048",
         .role = UET_ROLE_TARGET, .needs = "send",
         .purpose = "All packets of a message keep its opcode.",
         .preamble = "A receive posted; PDC open; the first packet of a SEND of three accepted.",
         .stimulus = "The second packet with the opcode WRITE.",
         .expected = "An error response; the receive does not complete as a success.",
         .once = "a message with an error may stay open")
{
    opcode_changes(tc, UET_OP_SEND, UET_OP_WRITE);
}

/* A part that ends behind the message, while another part has not come. */
static void ends_behind(struct uet_tc *tc, uint32_t message_offset, bool eom)
{
    struct message s = three_packets(tc, UET_OP_WRITE);
    struct kept front = keep(tc, &s.m, s.at - 100, 100), behind = keep(tc, &s.m, s.at + s.n, 100);

    delivered(tc, "SES-047", &s.o[0]);
    uet_ses_req_std_message_offset_set(s.o[2].ses, message_offset);
    uet_ses_req_eom_set(s.o[2].ses, eom);
    must_fail(tc, "SES-047", &s.o[2]);
    unchanged(tc, "SES-047", &front);
    unchanged(tc, "SES-047", &behind);
}

UET_TEST(beyond_while_missing, .id = "ses.3.4.1.7.beyond-while-a-part-is-missing",
         .requirements = "SES-047", .role = UET_ROLE_TARGET, .needs = "write",
         .purpose = "Payload beyond request_length is an error while a part is missing, too.",
         .preamble = "A region; PDC open; the first packet of a WRITE of three accepted.",
         .stimulus = "The third, of 100 bytes, 50 bytes further on than it belongs: with EOM, and "
                     "in another message without.",
         .expected = "Not executed; memory behind the message unchanged.",
         .once = "a message with an error may stay open")
{
    uint32_t mtu = uet_tc_dut(tc)->payload_mtu;

    ends_behind(tc, 2 * mtu + 50, true);
    ends_behind(tc, 2 * mtu + 50, false);
}

UET_TEST(wraps_while_missing, .id = "ses.3.4.1.7.wraps-while-a-part-is-missing",
         .requirements = "SES-047", .role = UET_ROLE_TARGET, .needs = "write",
         .purpose = "message_offset + payload_length is not cut to 32 bits while a part is "
                    "missing, either.",
         .preamble = "A region; PDC open; the first packet of a WRITE of three accepted.",
         .stimulus = "The third, of 100 bytes, with message_offset 2^32 - 50 and without EOM.",
         .expected = "Not executed; memory before and behind the message unchanged.",
         .once = "a message with an error may stay open")
{
    ends_behind(tc, 0xffffffffu - 49, false);
}

UET_TEST(single_with_too_little, .id = "ses.3.4.1.7.single-with-too-little",
         .requirements = "SES-045", .role = UET_ROLE_TARGET, .needs = "write",
         .purpose = "The only packet of a message must carry the whole message.",
         .preamble = "A region; PDC open.",
         .stimulus = "WRITE with SOM=1, EOM=1, request_length 256 and 128 bytes of payload.",
         .expected = "An error response.", .once = "a message with an error may stay open")
{
    struct uet_memory m = uet_need_memory(tc, 256);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o = uet_write(p, &m, 0, uet_tc_bytes(tc, 128), 128);

    uet_ses_req_std_request_length_set(o.ses, 256);
    must_fail(tc, "SES-045", &o);
}

UET_TEST(
    hd_in_a_later_packet, .id = "ses.3.4.1.11.hd-in-a-later-packet", .requirements = "SES-070",
    .role = UET_ROLE_TARGET, .needs = "write-immediate upper-tester",
    .purpose = "header_data of a first packet with hd=0 is ignored, whatever a later one says.",
    .preamble = "A region; PDC open.",
    .stimulus = "A WRITE of three packets: header_data other than 0 and hd=0 in the first, "
                "hd=1 in the others, which have no header_data.",
    .expected = "No completion; one is a finding, for no initiator sets hd so.",
    .once = "a message with an error may stay open")
{
    struct message s = three_packets(tc, UET_OP_WRITE);
    struct uet_ut_completion c;
    uet_ses_req_std_header_data_set(s.o[0].ses, VALUE);
    uet_ses_req_hd_set(s.o[1].ses, true);
    uet_ses_req_hd_set(s.o[2].ses, true);
    for (size_t i = 0; i < 3; i++)
        delivered(tc, "SES-070", &s.o[i]);
    if (uet_completion(tc, s.m.handle, uet_tc_quiet(tc), &c))
        uet_other_reading(tc, "SES-070", "hd of a later packet made a completion");
}

/* A SEND of three packets with header data comes in this order. */
static void send_in_order(struct uet_tc *tc, const size_t *order)
{
    struct message s = three_packets(tc, UET_OP_SEND);
    const struct uet_in *refusal = NULL;

    uet_ses_req_hd_set(s.o[0].ses, true);
    uet_ses_req_std_header_data_set(s.o[0].ses, VALUE);
    for (size_t i = 0; i < 3; i++) {
        const struct uet_in *in = delivered(tc, "SES-174", &s.o[order[i]]);
        if (is_error_response(in))
            refusal = in;
    }
    takes_header_data(tc, refusal, s.p, &s.m);
    struct uet_ut_completion c = fills(tc, "SES-174", s.m.handle, s.n);
    brings_header_data(tc, "SES-174", &c, VALUE);
}

UET_TEST(header_data_of_a_long_send, .id = "ses.3.4.1.9.header-data-of-a-long-send",
         .requirements = "SES-174", .role = UET_ROLE_TARGET,
         .needs = "send multi-packet-send upper-tester",
         .purpose = "header_data of a SEND of several packets is that of its first.",
         .preamble = "A receive posted; PDC open.",
         .stimulus = "Two SENDs of three packets with hd=1 and header_data 0x1122334455667788; the "
                     "second with its first packet last.",
         .expected = "Each completes its receive with that value; a FEP whose completions "
                     "have no room for it refuses it, fills no receive, and is skipped when a "
                     "SEND without succeeds.")
{
    static const size_t orders[2][3] = {{0, 1, 2}, {2, 1, 0}};

    for (size_t i = 0; i < 2; i++)
        send_in_order(tc, orders[i]);
}
