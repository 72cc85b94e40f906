/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.4.2: request and response headers, as a target reads and writes them. */
#include "conformance/harness/steps/memory.h"
#include "conformance/harness/steps/messages.h"
#include "conformance/harness/steps/reads.h"
#include "conformance/harness/steps/requests.h"
#include "conformance/harness/steps/target.h"

UET_TEST(zero_length_write, .id = "ses.3.4.2.1.zero-length-write", .requirements = "SES-011",
         .role = UET_ROLE_TARGET, .needs = "write", .purpose = "A request_length of 0 is legal.",
         .preamble = "A region; PDC open.",
         .stimulus = "WRITE with request_length 0, SOM=EOM=1, no payload.",
         .expected = "Success; memory unchanged.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *pdc = uet_pdc_open(tc);
    struct kept before = keep(tc, &m, 0, 64);
    struct uet_out o = uet_write(pdc, &m, 0, "", 0);
    accepted(tc, "SES-011", &o);
    unchanged(tc, "SES-011", &before);
}

UET_TEST(zero_length_write_with_payload, .id = "ses.3.4.2.1.zero-length-write-with-payload",
         .requirements = "SES-011", .role = UET_ROLE_TARGET, .needs = "write",
         .purpose = "A request_length of 0 is no unknown length: nothing is written.",
         .preamble = "A region; PDC open.",
         .stimulus = "WRITE with request_length 0, SOM=EOM=1, and 64 bytes behind the header.",
         .expected = "Memory unchanged, whatever the answer.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *pdc = uet_pdc_open(tc);
    struct kept before = keep(tc, &m, 0, 64);
    struct uet_out o = uet_write(pdc, &m, 0, uet_tc_bytes(tc, 64), 64);
    uet_ses_req_std_request_length_set(o.ses, 0);
    whatever_comes_of(tc, &o);
    unchanged(tc, "SES-011", &before);
}

UET_TEST(zero_length_write_at_the_end, .id = "ses.3.4.2.1.zero-length-write-at-the-end",
         .requirements = "SES-011", .role = UET_ROLE_TARGET, .needs = "write", .contested = true,
         .purpose = "A WRITE of no bytes passes the end of no region.",
         .preamble = "A region; PDC open.",
         .stimulus = "WRITEs with request_length 0 at the last byte of the region, and at its end.",
         .expected = "Success both times; memory unchanged. RC_BAD_ADDR at the end, where no byte "
                     "of the region stands, is a finding.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *pdc = uet_pdc_open(tc);
    struct kept before = keep(tc, &m, 0, 64);
    struct uet_out last = uet_write(pdc, &m, m.length - 1, "", 0),
                   end = uet_write(pdc, &m, m.length, "", 0);
    accepted(tc, "SES-011", &last);
    const struct uet_in *in = ask(tc, "SES-011", &end);
    if (code_told(in) == UET_RC_BAD_ADDR)
        uet_other_reading(tc, "SES-011", "a WRITE of 0 bytes at the end of its region is refused");
    else
        uet_check_success(tc, "SES-011", in);
    unchanged(tc, "SES-011", &before);
}

UET_TEST(standard_header_is_44_bytes, .id = "ses.3.4.2.1.standard-header-is-44-bytes",
         .requirements = "SES-008", .role = UET_ROLE_TARGET, .needs = "write", .over = "order",
         .purpose = "Payload starts 44 bytes after the start of a standard request header.",
         .preamble = "A region; PDC open.",
         .stimulus = "WRITEs of one packet and of two packets (SOM=1 and SOM=0).",
         .expected = "The region holds exactly the payload.")
{
    struct message w = message(tc, .packets = 2, .last = 77, .one_ar = true);
    say(tc, &w.o[0]);
    say(tc, &w.o[1]);
    uet_check_success(tc, "SES-008", hear(tc, "SES-008", ACK_OF(&w.o[1])));
    (void)maybe(tc, COVERED(&w.o[0])); /* that an ACK fills a gap is a SHOULD (PDS-125) */
    memory_holds(tc, "SES-008", &w.m, 0, w.bytes, w.n);
}

UET_TEST(reserved_bits_ignored, .id = "ses.3.4.2.1.reserved-bits-ignored",
         .requirements = "SES-003", .role = UET_ROLE_TARGET, .needs = "write", .contested = true,
         .purpose = "Reserved bits of a SES request do not change how it is handled.",
         .preamble = "A region; PDC open.",
         .stimulus = "WRITE with reserved1, reserved3 and reserved4 all ones.",
         .expected = "Handled as with 0, or refused as a whole (the other reading): never executed "
                     "differently.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_out o = uet_write(uet_pdc_open(tc), &m, 0, "reserved", 8);
    uet_ses_req_reserved1_set(o.ses, 3);
    uet_ses_req_reserved3_set(o.ses, 15);
    uet_ses_req_reserved4_set(o.ses, 15);
    if (tells_success(whatever_comes_of(tc, &o)))
        memory_holds(tc, "SES-003", &m, 0, "reserved", 8);
    else
        uet_other_reading(tc, "SES-003", "a request with reserved bits set was not executed");
}

UET_TEST(reserved_bits_of_each, .id = "ses.3.4.2.1.reserved-bits-of-each-packet",
         .requirements = "SES-003", .role = UET_ROLE_TARGET, .needs = "write", .contested = true,
         .purpose = "Reserved bits of the other packets of a message do not change how it is "
                    "handled either.",
         .preamble = "A region; PDC open.",
         .stimulus = "A WRITE of two packets with all reserved bits of both ones.",
         .expected = "Handled as with 0, or refused (the other reading): never executed "
                     "differently.")
{
    struct message w = message(tc, .packets = 2, .last = 64);
    bool done = true;
    for (int i = 0; i < 2; i++) {
        uet_ses_req_reserved1_set(w.o[i].ses, 3);
        uet_ses_req_reserved3_set(w.o[i].ses, 15);
        uet_ses_req_reserved4_set(w.o[i].ses, 15);
        if (i > 0)
            uet_ses_req_reserved5_set(w.o[i].ses, 0x3ffff);
        done = tells_success(whatever_comes_of(tc, &w.o[i])) && done;
    }
    if (done)
        memory_holds(tc, "SES-003", &w.m, 0, w.bytes, w.n);
    else
        uet_other_reading(tc, "SES-003", "a request with reserved bits set was not executed");
}

UET_TEST(unknown_version, .id = "ses.3.4.2.unknown-version", .requirements = "SES-004",
         .role = UET_ROLE_TARGET, .needs = "write", .contested = true,
         .purpose = "A SES version other than 0 is not executed.",
         .preamble = "A region; PDC open.", .stimulus = "WRITEs with version 1, 2 and 3.",
         .expected = "No success; memory unchanged.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *pdc = uet_pdc_open(tc);
    struct kept before = keep(tc, &m, 0, 64);
    for (uint8_t version = 1; version <= 3; version++) {
        struct uet_out o = uet_write(pdc, &m, 0, "version", 7);
        uet_ses_req_version_set(o.ses, version);
        not_executed(tc, "SES-004", &o);
        unchanged(tc, "SES-004", &before);
    }
}

/* A message of two packets, whose second has another version; that one comes last, or first. */
static void later_version(struct uet_pdc *p, uint8_t opcode, bool second_first)
{
    struct uet_tc *tc = p->tc;
    struct message w = message(tc, .opcode = opcode, .packets = 2, .last = 64, .p = p);
    struct kept before = keep(tc, &w.m, w.mtu, 64);

    uet_ses_req_version_set(w.o[1].ses, 1);
    if (!second_first)
        delivered(tc, "SES-049", &w.o[0]);
    not_executed(tc, "SES-004", &w.o[1]);
    if (second_first)
        whatever_comes_of(tc, &w.o[0]);
    unchanged(tc, "SES-004", &before);
}

UET_TEST(unknown_version_later, .id = "ses.3.4.2.unknown-version-in-a-later-packet",
         .requirements = "SES-004", .role = UET_ROLE_TARGET, .needs = "rud write",
         .not_over = "rod", /* out of order */
         .contested = true, .purpose = "The version of each packet is looked at.",
         .preamble = "Regions, and posted receives where SEND is claimed; PDC open.",
         .stimulus = "WRITEs, and SENDs, of two packets, the second with version 1: in order, and "
                     "the second packet first.",
         .expected = "No success for the second packet, whose bytes are not written; no receive "
                     "ends well.",
         .once = "a message with an error may stay open")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    for (int second_first = 0; second_first < 2; second_first++) {
        later_version(p, UET_OP_WRITE, second_first);
        if (uet_tc_dut(tc)->claims[UET_PICS_SEND] &&
            uet_tc_dut(tc)->claims[UET_PICS_MULTI_PACKET_SEND])
            later_version(p, UET_OP_SEND, second_first);
    }
    if (uet_tc_ut(tc))
        must_not_succeed(tc, "SES-004", 0);
}

UET_TEST(unknown_version_of_a_no_op, .id = "ses.3.4.2.unknown-version-of-a-no-op",
         .requirements = "SES-004", .role = UET_ROLE_TARGET, .needs = "no-op", .contested = true,
         .purpose = "The version of a NO_OP is looked at, too.", .preamble = "PDC open.",
         .stimulus = "NO_OPs with version 1, 2 and 3.", .expected = "No success.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    for (uint8_t version = 1; version <= 3; version++) {
        struct uet_out o = uet_no_op(p);
        uet_ses_req_version_set(o.ses, version);
        not_executed(tc, "SES-004", &o);
    }
}

UET_TEST(unknown_version_in_a_read, .id = "ses.3.4.2.unknown-version-in-a-later-packet-of-a-read",
         .requirements = "SES-004", .role = UET_ROLE_TARGET, .needs = "rud read",
         .not_over = "rod", /* who drops it leaves a gap */
         .contested = true, .purpose = "The version of each packet of a READ is looked at.",
         .preamble = "Memory; PDC open.",
         .stimulus = "A READ of two packets, the second with version 1.",
         .expected = "The data of the first; no success, and no data, for the second.",
         .once = "a message with an error may stay open")
{
    const uint32_t n = uet_tc_dut(tc)->payload_mtu + 64u;
    struct source s = need_source(tc, n);
    struct uet_out o[2];
    uet_message(uet_pdc_open(tc), UET_OP_READ, &s.m, 0, NULL, n, o, 2);
    uet_ses_req_version_set(o[1].ses, 1);
    say(tc, &o[0]);
    check_data(tc, "PDS-119", hear(tc, "PDS-119", DATA_OF(&o[0])), &s, 0, n - 64);
    not_executed(tc, "SES-004", &o[1]);
    silence(tc, "SES-004", DATA_OF(&o[1]), .within = uet_tc_latest(tc, UET_MS));
}

/* A SES response stands where the request would. */
static void say_response(struct uet_out *o)
{
    memset(o->ses, 0, sizeof o->ses);
    uet_ses_rsp_opcode_set(o->ses, UET_RSP_RESPONSE);
    uet_ses_rsp_return_code_set(o->ses, UET_RC_OK);
    o->ses_len = UET_SES_RSP_BYTES;
}

UET_TEST(response_format_in_request, .id = "ses.3.4.2.6.response-format-in-request",
         .requirements = "SES-006", .role = UET_ROLE_TARGET,
         .purpose = "A PDS request that claims to carry a SES response is not executed.",
         .preamble = "PDC open.", .stimulus = "RUD_REQ with next_hdr=4 and a SES response.",
         .expected = "No success: a drop or a NACK.")
{
    struct uet_out o = uet_any_request(uet_pdc_open(tc));
    uet_rud_rod_req_next_hdr_set(o.pds, UET_NH_RESPONSE);
    say_response(&o);
    not_executed(tc, "SES-006", &o);
}

UET_TEST(header_cut_short, .id = "ses.3.4.2.header-cut-short", .requirements = "SES-159",
         .role = UET_ROLE_TARGET, .needs = "write",
         .purpose = "A packet too short for its SES header is not executed.",
         .preamble = "PDC open.", .stimulus = "RUD_REQ with next_hdr=3 and 20 SES bytes.",
         .expected = "No success: a drop or an error.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *pdc = uet_pdc_open(tc);
    struct kept before = keep(tc, &m, 0, 64);
    struct uet_out o = uet_write(pdc, &m, 0, "", 0);
    o.ses_len = 20;
    not_executed(tc, "SES-159", &o);
    unchanged(tc, "SES-159", &before);
}

/* A request without SOM, without EOM, without both: no message of one packet is executed. */
static void must_be_single(struct uet_tc *tc,
                           struct uet_out (*of)(struct uet_pdc *, uint8_t,
                                                const struct uet_memory *, uint64_t, const void *,
                                                uint32_t))
{
    need_pdcs(tc, 4);
    struct uet_memory m = uet_need_receive(tc, 64, 4);
    for (unsigned i = 0; i < 3; i++) { /* a PDC each: what is not executed takes its time */
        struct uet_out o = of(uet_pdc_open(tc), UET_OP_SEND, &m, 0, "short", 5);
        uet_ses_req_som_set(o.ses, i == 0);
        uet_ses_req_eom_set(o.ses, i == 1);
        not_executed(tc, "SES-015", &o);
    }
    struct uet_out o = of(uet_pdc_open(tc), UET_OP_SEND, &m, 0, "whole", 5);
    accepted(tc, "SES-015", &o);
}

UET_TEST(small_write, .id = "ses.3.4.2.2.small-must-be-single", .requirements = "SES-015",
         .role = UET_ROLE_TARGET, .needs = "small-header send", .contested = true,
         .purpose = "A small request without SOM or EOM is an error.",
         .preamble = "Receives posted; PDC open.",
         .stimulus = "Small SENDs with EOM=0, with SOM=0, with both 0; then one with both 1.",
         .expected = "The last one alone is executed.")
{
    must_be_single(tc, uet_small);
}

UET_TEST(medium_write, .id = "ses.3.4.2.2.medium-must-be-single", .requirements = "SES-015",
         .role = UET_ROLE_TARGET, .needs = "medium-header send", .contested = true,
         .purpose = "A medium request without SOM or EOM is an error.",
         .preamble = "Receives posted; PDC open.",
         .stimulus = "Medium SENDs with EOM=0, with SOM=0, with both 0; then one with both 1.",
         .expected = "The last one alone is executed.")
{
    must_be_single(tc, uet_medium);
}

UET_TEST(response_copies_ids, .id = "ses.3.4.2.5.response-copies-ids",
         .requirements = "SES-122 SES-123", .role = UET_ROLE_TARGET, .needs = "write",
         .purpose = "An error response copies message_id and JobID and changes no bytes.",
         .preamble = "A region; PDC open.",
         .stimulus = "WRITE with message_id 0x1234 and a key that was never given out.",
         .expected = "message_id 0x1234, the request's JobID, modified_length 0.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = uet_pdc_open(tc);
    m.key ^= 0x777;
    struct uet_out o = uet_write(p, &m, 0, "ids", 3);
    uet_ses_req_std_message_id_set(o.ses, 0x1234);
    const struct uet_in *in = refused(tc, "SES-122", &o, UET_RC_BAD_MKEY);
    field(tc, "SES-122", in, UET_F_SES_MESSAGE_ID, 0x1234);
    field(tc, "SES-122", in, UET_F_SES_JOB_ID, m.job_id);
    field(tc, "SES-123", in, UET_F_SES_MODIFIED_LENGTH, 0);
}

/* An answer that says RC_OK speaks of n bytes; a default response may leave that out. */
static void speaks_of(struct uet_tc *tc, const struct uet_in *in, uint32_t n)
{
    if (code_told(in) != UET_RC_OK || tells_arrival(in))
        return;
    if (value_of(tc, in, UET_F_SES_RSP_OPCODE) != UET_RSP_DEFAULT_RESPONSE ||
        value_of(tc, in, UET_F_SES_MODIFIED_LENGTH) != 0)
        field(tc, "SES-173", in, UET_F_SES_MODIFIED_LENGTH, n);
}

UET_TEST(whole_length_in_each, .id = "ses.3.4.2.5.whole-length-in-each-answer",
         .requirements = "SES-173", .role = UET_ROLE_TARGET, .needs = "write",
         .purpose = "modified_length of a success speaks of the message, not of the packet.",
         .preamble = "A region; PDC open.",
         .stimulus = "A WRITE of three packets, ar=1 in each, one after the other.",
         .expected = "Each answer that says RC_OK has modified_length = request_length (or 0 in a "
                     "default response).")
{
    struct message w = message(tc, .packets = 3, .last = 100);
    for (int i = 0; i < 3; i++)
        speaks_of(tc, delivered(tc, "SES-173", &w.o[i]), w.n);
}

UET_TEST(whole_length_of_a_read, .id = "ses.3.4.2.5.whole-length-of-a-read",
         .requirements = "SES-173", .role = UET_ROLE_TARGET, .needs = "rud read any-request",
         .purpose = "modified_length speaks of the message, not of the packet, also in the ACKs "
                    "of a READ whose data comes on the return direction.",
         .preamble = "Memory; PDC open.",
         .stimulus = "A READ of three packets, ar=1 in each, one after the other.",
         .expected = "Each ACK and each data response that says RC_OK has modified_length = "
                     "request_length (or 0 in a default response).")
{
    const uint32_t mtu = uet_tc_dut(tc)->payload_mtu, n = 2 * mtu + more_than_ack_data(tc);
    struct source s = need_source(tc, n);
    struct uet_out o[3];
    uet_message(uet_pdc_open(tc), UET_OP_READ, &s.m, 0, NULL, n, o, 3);
    for (int i = 0; i < 3; i++) {
        uet_rud_rod_req_ar_set(o[i].pds, true);
        say(tc, &o[i]);
        speaks_of(tc, hear(tc, "SES-173", ACK_OF(&o[i])), n);
        const struct uet_in *data = hear_return_data(tc, "PDS-119", &o[i]);
        if (data->packet.ses == UET_H_SES_RSP_DATA)
            uet_check_eq(tc, "SES-173", "modified_length",
                         uet_ses_rsp_data_modified_length(uet_ses(&data->packet)), n);
    }
}

UET_TEST(response_opcode_fits_next_hdr, .id = "ses.3.4.2.6.response-opcode-fits-next-hdr",
         .requirements = "SES-007 SES-005", .role = UET_ROLE_TARGET, .needs = "write",
         .purpose = "The answer to a WRITE is a SES response without data, next_hdr 4.",
         .preamble = "A region; PDC open.", .stimulus = "A good WRITE and one with a bad key.",
         .expected = "Both ACKs have next_hdr 4 and opcode UET_DEFAULT_RESPONSE or UET_RESPONSE, "
                     "and end 12 bytes later.")
{
    struct uet_memory good = uet_need_memory(tc, 64), bad = good;
    struct uet_pdc *p = uet_pdc_open(tc);
    bad.key ^= 0x777;
    for (int i = 0; i < 2; i++) {
        struct uet_out o = uet_write(p, i ? &bad : &good, 0, "format", 6);
        const struct uet_in *in = ask(tc, "SES-007", &o);
        field(tc, "SES-007", in, UET_F_PDS_NEXT_HDR, UET_NH_RESPONSE);
        field_among(tc, "SES-007", in, UET_F_SES_RSP_OPCODE, UET_RSP_DEFAULT_RESPONSE,
                    UET_RSP_RESPONSE, UET_RSP_NO_RESPONSE);
        payload_bytes(tc, "SES-005", in, 0);
    }
}
