/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.4.1.5 to 3.4.1.11: messages of several packets, and immediate data. */
#include "conformance/harness/steps/messages.h"
#include "conformance/harness/steps/memory.h"
#include "conformance/harness/steps/requests.h"
#include "conformance/harness/steps/tagged.h"

#define VALUE 0x1122334455667788ull

UET_TEST(any_order_on_rud, .id = "ses.3.4.1.7.any-order-on-rud", .requirements = "SES-044 SES-013",
         .role = UET_ROLE_TARGET, .needs = "write",
         .purpose = "The packets of a WRITE may arrive in any order; each is placed by its offset.",
         .preamble = "A region; PDC open.",
         .stimulus = "A WRITE of three packets at buffer_offset 100, sent as 3, 1, 2, all ar=1.",
         .expected = "All acknowledged without error; the region holds the message at offset 100.")
{
    static const size_t order[] = {2, 0, 1};
    struct message w = message(tc, .packets = 3, .last = 100, .at = 100, .room = 100);
    for (size_t i = 0; i < 3; i++) {
        const struct uet_in *in = delivered(tc, "SES-044", &w.o[order[i]]);
        uet_check(tc, "SES-044", !is_error_response(in),
                  "an out-of-order packet of a WRITE was refused");
    }
    memory_holds(tc, "SES-013", &w.m, 100, w.bytes, w.n);
}

UET_TEST(mtu_4096, .id = "ses.3.4.1.11.payload-mtu-4096", .requirements = "SES-172",
         .role = UET_ROLE_TARGET, .needs = "write",
         .purpose = "A FEP works at a Payload MTU of 4096.",
         .preamble = "The FEP is set to 4096 (fep.yaml: payload_mtu); a region; PDC open.",
         .stimulus = "A WRITE of two packets, the first with 4096 bytes.",
         .expected = "Both are acknowledged without error, and memory holds them.")
{
    if (uet_tc_dut(tc)->payload_mtu != 4096)
        uet_skip(tc, "the FEP is set to a Payload MTU of %u, this test needs 4096",
                 uet_tc_dut(tc)->payload_mtu);
    struct message w = message(tc, .packets = 2, .last = 100);
    accepted(tc, "SES-172", &w.o[0]);
    accepted(tc, "SES-172", &w.o[1]);
    memory_holds(tc, "SES-172", &w.m, 0, w.bytes, w.n);
}

UET_TEST(first_packet_of_odd_size, .id = "ses.3.4.1.7.first-packet-of-odd-size",
         .requirements = "SES-045", .role = UET_ROLE_TARGET, .needs = "write",
         .purpose = "A first packet must carry the whole message or one Payload MTU.",
         .preamble = "A region; PDC open.",
         .stimulus = "WRITE with SOM=1, EOM=0, request_length of two MTUs, MTU-1 bytes of payload.",
         .expected = "An error response.")
{
    uint32_t mtu = uet_tc_dut(tc)->payload_mtu;
    struct uet_memory m = uet_need_memory(tc, 2 * mtu);
    struct uet_pdc *pdc = uet_pdc_open(tc);
    struct uet_out o = uet_write(pdc, &m, 0, uet_tc_bytes(tc, mtu - 1), mtu - 1);
    uet_ses_req_eom_set(o.ses, false);
    uet_ses_req_std_request_length_set(o.ses, 2 * mtu);
    must_fail(tc, "SES-045", &o);
}

UET_TEST(odd_first_packet_comes_last, .id = "ses.3.4.1.7.odd-first-packet-comes-last",
         .requirements = "SES-045", .role = UET_ROLE_TARGET, .needs = "write", .not_over = "rod",
         .purpose = "A first packet that comes behind a later one must carry one Payload MTU, too.",
         .preamble = "A region; PDC open.",
         .stimulus = "The second packet of a WRITE of two; then the first, with MTU-1 bytes of "
                     "payload.",
         .expected = "An error response to the first packet.",
         .once = "a message with an error may stay open")
{
    struct message w = message(tc, .packets = 2, .last = 100);
    delivered(tc, "SES-044", &w.o[1]);
    w.o[0].payload_len--;
    must_fail(tc, "SES-045", &w.o[0]);
}

/* The second packet of a WRITE says 512 bytes of payload and has fewer. */
static void has_fewer_bytes(struct uet_tc *tc, uint32_t bytes)
{
    struct message w = message_begun(tc, .packets = 2, .last = 512);
    struct kept before = keep(tc, &w.m, w.mtu + bytes, 512 - bytes);

    w.o[1].payload_len = bytes;
    not_executed(tc, "SES-046", &w.o[1]); /* silence will do */
    unchanged(tc, "SES-046", &before);
}

UET_TEST(
    payload_length_lies, .id = "ses.3.4.1.7.payload-length-lies", .requirements = "SES-046",
    .role = UET_ROLE_TARGET, .needs = "write",
    .purpose = "payload_length above the bytes in the packet is an error.",
    .preamble = "A region; PDC open; the first packet of a two-packet WRITE accepted.",
    .stimulus = "The second packet with payload_length 512 but 256 bytes of payload.",
    .expected = "Not executed: an error response or a drop; nothing past the real bytes changes.")
{
    has_fewer_bytes(tc, 256);
}

UET_TEST(payload_length_lies_in_a_send, .id = "ses.3.4.1.7.payload-length-lies-in-a-send",
         .requirements = "SES-046", .role = UET_ROLE_TARGET, .needs = "send upper-tester",
         .purpose = "payload_length above the bytes in the packet is an error of a send, too.",
         .preamble = "A receive posted; PDC open; the first packet of a two-packet SEND accepted.",
         .stimulus = "The second packet with payload_length 512 but 256 bytes of payload.",
         .expected = "Not executed: an error response or a drop; the receive is no success.")
{
    struct message w = message_begun(tc, .opcode = UET_OP_SEND, .packets = 2, .last = 512);

    w.o[1].payload_len = 256;
    not_executed(tc, "SES-046", &w.o[1]);
    must_not_succeed(tc, "SES-046", w.m.handle);
}

UET_TEST(
    payload_length_with_crc, .id = "ses.3.4.1.7.payload-length-with-crc", .requirements = "SES-046",
    .role = UET_ROLE_TARGET, .needs = "write crc",
    .purpose = "The CRC trailer is none of the bytes that payload_length counts.",
    .preamble = "A region; PDC open; the first packet of a two-packet WRITE accepted.",
    .stimulus = "The second packet with payload_length 512, 508 bytes of payload, and its CRC.",
    .expected = "Not executed: an error response or a drop; nothing past the real bytes "
                "changes.")
{
    has_fewer_bytes(tc, 512 - 4);
}

UET_TEST(payload_beyond_message, .id = "ses.3.4.1.7.payload-beyond-message",
         .requirements = "SES-047", .role = UET_ROLE_TARGET, .needs = "write",
         .purpose = "Payload beyond request_length is an error.",
         .preamble = "A region; PDC open; the first packet of a two-packet WRITE accepted.",
         .stimulus = "The second packet with message_offset + payload_length > request_length.",
         .expected = "Not executed; memory behind the message unchanged.")
{
    struct message w = message_begun(tc, .packets = 2, .last = 256, .room = 300);
    struct kept before = keep(tc, &w.m, w.mtu + 300, 256);
    uet_ses_req_std_message_offset_set(w.o[1].ses, w.mtu + 100);
    must_fail(tc, "SES-047", &w.o[1]);
    unchanged(tc, "SES-047", &before);
}

UET_TEST(offset_wraps, .id = "ses.3.4.1.7.offset-wraps", .requirements = "SES-047",
         .role = UET_ROLE_TARGET, .needs = "write",
         .purpose = "message_offset + payload_length is not cut to 32 bits.",
         .preamble = "A region; PDC open; the first packet of a two-packet WRITE at buffer_offset "
                     "1024 accepted.",
         .stimulus = "The second packet, of 512 bytes, with message_offset 0xFFFFFE40, and without "
                     "EOM.",
         .expected = "Not executed; memory before the message unchanged.")
{
    struct message w = message_begun(tc, .packets = 2, .last = 512, .at = 1024);
    struct kept before = keep(tc, &w.m, 0, 1024);
    uet_ses_req_std_message_offset_set(w.o[1].ses, 0xfffffe40);
    uet_ses_req_eom_set(w.o[1].ses, false);
    must_fail(tc, "SES-047", &w.o[1]);
    unchanged(tc, "SES-047", &before);
}

UET_TEST(bytes_behind_payload, .id = "ses.3.4.1.7.bytes-behind-payload", .requirements = "SES-047",
         .role = UET_ROLE_TARGET, .needs = "write upper-tester",
         .purpose = "Bytes behind those that payload_length tells are not written.",
         .preamble = "A region; PDC open; the first packet of a two-packet WRITE accepted.",
         .stimulus = "The second packet with payload_length 256, the end of the message, but 512 "
                     "bytes in the frame.",
         .expected = "It is taken or refused; memory behind the message unchanged.")
{
    struct message w = message(tc, .packets = 2, .last = 512);
    struct kept before = keep(tc, &w.m, w.mtu + 256, 256);
    for (int i = 0; i < 2; i++)
        uet_ses_req_std_request_length_set(w.o[i].ses, w.mtu + 256);
    uet_ses_req_std_payload_length_set(w.o[1].ses, 256);
    delivered(tc, "SES-047", &w.o[0]);
    ask(tc, "SES-047", &w.o[1]);
    unchanged(tc, "SES-047", &before);
}

UET_TEST(single_beyond_message, .id = "ses.3.4.1.7.single-beyond-message",
         .requirements = "SES-047", .role = UET_ROLE_TARGET, .needs = "write",
         .purpose = "A single packet with more payload than request_length writes no more.",
         .preamble = "A region; PDC open.",
         .stimulus = "A WRITE of one packet, request_length 256, with 512 bytes of payload.",
         .expected = "An error, or a drop; cut to request_length and accepted is a finding. Memory "
                     "behind the message unchanged.")
{
    struct uet_memory m = uet_need_memory(tc, 512);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o = uet_write(p, &m, 0, uet_tc_bytes(tc, 512), 512);
    struct kept before = keep(tc, &m, 256, 256);
    uet_ses_req_std_request_length_set(o.ses, 256);
    if (tells_success(whatever_comes_of(tc, &o)))
        uet_other_reading(tc, "SES-047", "the payload was cut to request_length and accepted");
    unchanged(tc, "SES-047", &before);
}

/* Of a WRITE of two packets one is accepted; the other has the key of another region. */
static void key_changes(struct uet_tc *tc, int in_packet)
{
    uint32_t n = 2u * uet_tc_dut(tc)->payload_mtu;
    struct uet_memory m = region(tc, .job_id = 0xa30, .pid_on_fep = 3, .resource_index = 40,
                                 .key = 0x3001, .length = n);
    struct uet_memory other = region(tc, .job_id = 0xa30, .pid_on_fep = 3, .resource_index = 40,
                                     .key = 0x3002, .length = n);
    struct message w = message(tc, .packets = 2, .last = 64, .m = m);
    struct kept before = keep(tc, &other, in_packet ? w.mtu : 0, 64);
    delivered(tc, "SES-048", &w.o[!in_packet]);
    uet_ses_req_match_bits_or_memory_key_set(w.o[in_packet].ses, other.key);
    must_fail(tc, "SES-048", &w.o[in_packet]);
    unchanged(tc, "SES-048", &before);
}

UET_TEST(key_changes_inside, .id = "ses.3.4.1.7.key-changes-inside", .requirements = "SES-048",
         .role = UET_ROLE_TARGET, .needs = "write",
         .purpose = "All packets of a message keep its memory key.",
         .preamble = "Two regions of one job; PDC open; the first packet of a two-packet WRITE to "
                     "one of them accepted.",
         .stimulus = "The second packet with the other region's key.",
         .expected = "An error response; the other region unchanged.")
{
    key_changes(tc, 1);
}

UET_TEST(key_changes_backwards, .id = "ses.3.4.1.7.key-changes-backwards",
         .requirements = "SES-048", .role = UET_ROLE_TARGET, .needs = "write",
         .purpose = "All packets of a message have one memory key, also when the last packet "
                    "comes first.",
         .preamble = "Two regions of one job; PDC open; the second packet of a two-packet WRITE to "
                     "one of them accepted.",
         .stimulus = "The first packet with the other region's key.",
         .expected = "An error response; the other region unchanged.")
{
    key_changes(tc, 0);
}

#define NO_ROOM                                                                                    \
    UET_NACK_NO_PKT_BUFFER, UET_NACK_NO_GTD_DEL_AVAIL, UET_NACK_NO_SES_MSG_AVAIL,                  \
        UET_NACK_NO_RESOURCE

UET_TEST(middle_packet_first, .id = "ses.3.4.1.7.middle-packet-first", .requirements = "SES-049",
         .role = UET_ROLE_TARGET, .needs = "write",
         .purpose = "A packet without SOM of a message not yet seen is no error on RUD.",
         .preamble = "A region; PDC open.",
         .stimulus = "The last packet of a two-packet WRITE, before the first.",
         .expected = "An ACK without a SES error (a NACK for want of resources is allowed).")
{
    struct message w = message(tc, .packets = 2, .last = 64);
    tolerate(tc, NACK_OF(&w.o[1], NO_ROOM));
    say(tc, &w.o[1]);
    const struct uet_in *in =
        hear(tc, "SES-049", ANYTHING_OF(&w.o[1]), .named = "an ACK, or a NACK 0x07 to 0x0A");
    uet_check(tc, "SES-049", !is_error_response(in), "an early packet of a WRITE was refused");
    delivered(tc, "SES-049", &w.o[0]);
}

UET_TEST(write_with_immediate, .id = "ses.3.4.1.9.write-with-immediate", .requirements = "SES-068",
         .role = UET_ROLE_TARGET, .needs = "write-immediate",
         .purpose = "A WRITE with hd=1 gives the target's application header_data, once.",
         .preamble = "A region; PDC open.",
         .stimulus = "WRITE with hd=1 and header_data 0x1122334455667788.",
         .expected = "One completion at the target with that value.")
{
    need_upper_tester(tc, "only an upper tester sees completions");
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_out o = uet_write(uet_pdc_open(tc), &m, 0, "immediate", 9);
    uet_ses_req_hd_set(o.ses, true);
    uet_ses_req_std_header_data_set(o.ses, VALUE);
    accepted(tc, "SES-068", &o);
    struct uet_ut_completion c = completion_of(tc, "SES-068", m.handle);
    uet_check_eq(tc, "SES-068", "completion kind", c.kind, UET_UT_KIND_IMM);
    uet_check_eq(tc, "SES-068", "header_data", c.header_data, VALUE);
    stays_open(tc, "SES-068", m.handle, 0); /* once */
}

UET_TEST(immediate_of_no_bytes, .id = "ses.3.4.1.9.immediate-of-no-bytes",
         .requirements = "SES-068", .role = UET_ROLE_TARGET,
         .needs = "write-immediate upper-tester",
         .purpose = "A WRITE of no bytes with hd=1 gives the application header_data, once.",
         .preamble = "A region; PDC open.",
         .stimulus = "WRITE of no bytes with hd=1 and header_data 0x1122334455667788.",
         .expected = "One completion at the target with that value.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_out o = uet_write(uet_pdc_open(tc), &m, 0, "", 0);
    uet_ses_req_hd_set(o.ses, true);
    uet_ses_req_std_header_data_set(o.ses, VALUE);
    accepted(tc, "SES-068", &o);
    struct uet_ut_completion c = completion_of(tc, "SES-068", m.handle);
    uet_check_eq(tc, "SES-068", "header_data", c.header_data, VALUE);
    stays_open(tc, "SES-068", m.handle, 0); /* once */
}

/* A WRITE of three packets with hd=1 in this order: one completion, when all of it is there. */
static void immediate_in_order(struct uet_tc *tc, struct message *w, const size_t *order)
{
    uet_ses_req_hd_set(w->o[0].ses, true);
    uet_ses_req_std_header_data_set(w->o[0].ses, VALUE);
    for (size_t i = 0; i < 3; i++) {
        delivered(tc, "SES-068", &w->o[order[i]]);
        if (i < 2) /* header_data waits until all data has come */
            stays_open(tc, "SES-068", w->m.handle, UET_MS);
    }
    struct uet_ut_completion c = completion_of(tc, "SES-068", w->m.handle);
    uet_check_eq(tc, "SES-068", "header_data", c.header_data, VALUE);
    stays_open(tc, "SES-068", w->m.handle, 0); /* once */
}

UET_TEST(immediate_of_several, .id = "ses.3.4.1.9.immediate-of-several-packets",
         .requirements = "SES-068 SES-044", .role = UET_ROLE_TARGET,
         .needs = "write-immediate upper-tester",
         .purpose = "header_data of a WRITE of several packets is told once, after all data.",
         .preamble = "A region; PDC open.",
         .stimulus = "Two WRITEs of three packets with hd=1 and header_data 0x1122334455667788; "
                     "the first sent as 1, 3, 2, the second as 3, 2, 1.",
         .expected = "Each makes one completion with that value, after its third packet.")
{
    struct message w = message(tc, .packets = 3, .last = 100);
    immediate_in_order(tc, &w, (const size_t[]){0, 2, 1});
    struct message next = message(tc, .packets = 3, .last = 100, .m = w.m, .p = w.p);
    immediate_in_order(tc, &next, (const size_t[]){2, 1, 0});
}

UET_TEST(send_with_header_data, .id = "ses.3.4.1.9.send-with-header-data",
         .requirements = "SES-174", .role = UET_ROLE_TARGET, .needs = "send upper-tester",
         .purpose = "A SEND with hd=1 gives header_data to the receive that it fills.",
         .preamble = "A receive posted; PDC open.",
         .stimulus = "SEND with hd=1 and header_data 0x1122334455667788.",
         .expected = "One completion with the data and that value; a FEP whose completions "
                     "have no room for it refuses it, fills no receive, and is skipped when a "
                     "SEND without succeeds.")
{
    struct uet_memory m = uet_need_receive(tc, 64, 1);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o = uet_send_message(p, &m, "header data", 11);
    uet_ses_req_hd_set(o.ses, true);
    uet_ses_req_std_header_data_set(o.ses, VALUE);
    takes_header_data(tc, ask(tc, "SES-174", &o), p, &m);
    struct uet_ut_completion c = fills(tc, "SES-174", m.handle, 11);
    brings_header_data(tc, "SES-174", &c, VALUE);
    uet_check(tc, "SES-174", !uet_any_completion(tc, uet_tc_quiet(tc), &c),
              "the SEND brought a second completion, of handle %llu", (unsigned long long)c.handle);
}

UET_TEST(header_data_without_hd, .id = "ses.3.4.1.11.header-data-without-hd",
         .requirements = "SES-070", .role = UET_ROLE_TARGET, .needs = "write-immediate",
         .purpose = "header_data is ignored when hd=0.", .preamble = "A region; PDC open.",
         .stimulus = "WRITE with hd=0 and a header_data other than 0.",
         .expected = "Success, and no completion at the target.")
{
    need_upper_tester(tc, "only an upper tester sees completions");
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_out o = uet_write(uet_pdc_open(tc), &m, 0, "no immediate", 12);
    uet_ses_req_std_header_data_set(o.ses, 0x99aabbccddeeff00);
    accepted(tc, "SES-070", &o);
    stays_open(tc, "SES-070", m.handle, 0);
}

UET_TEST(send_without_hd, .id = "ses.3.4.1.11.send-without-hd", .requirements = "SES-070",
         .role = UET_ROLE_TARGET, .needs = "send upper-tester",
         .purpose = "header_data of a SEND is ignored when hd=0.",
         .preamble = "A receive posted; PDC open.",
         .stimulus = "SEND with hd=0 and a header_data other than 0.",
         .expected = "The receive completes without header data.")
{
    struct uet_memory m = uet_need_receive(tc, 64, 1);
    struct uet_out o = uet_send_message(uet_pdc_open(tc), &m, "header data", 11);
    uet_ses_req_std_header_data_set(o.ses, VALUE);
    accepted(tc, "SES-070", &o);
    struct uet_ut_completion c = fills(tc, "SES-070", m.handle, 11);
    uet_check(tc, "SES-070", !c.has_header_data, "the receive tells header data 0x%llx",
              (unsigned long long)c.header_data);
}

UET_TEST(hd_of_the_message_before, .id = "ses.3.4.1.11.hd-of-the-message-before",
         .requirements = "SES-070", .role = UET_ROLE_TARGET,
         .needs = "write-immediate upper-tester",
         .purpose = "That the message before had hd=1 says nothing of the next.",
         .preamble = "A region; PDC open; a WRITE of two packets with hd=1 is complete.",
         .stimulus = "Four WRITEs of two packets with hd=0 and a header_data other than 0.",
         .expected = "Success, and no completion.")
{
    struct uet_ut_completion c;
    struct message w = message(tc, .packets = 2, .last = 100);
    uet_ses_req_hd_set(w.o[0].ses, true);
    uet_ses_req_std_header_data_set(w.o[0].ses, VALUE);
    accepted(tc, "SES-068", &w.o[0]);
    accepted(tc, "SES-068", &w.o[1]);
    completion_of(tc, "SES-068", w.m.handle);
    for (int i = 0; i < 4; i++) {
        struct message next = message(tc, .packets = 2, .last = 100, .m = w.m, .p = w.p);
        uet_ses_req_std_header_data_set(next.o[0].ses, VALUE + 1);
        accepted(tc, "SES-070", &next.o[0]);
        accepted(tc, "SES-070", &next.o[1]);
    }
    if (uet_completion(tc, w.m.handle, uet_tc_quiet(tc), &c))
        uet_fail(tc, "SES-070", "a WRITE with hd=0 made a completion");
}
