/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.4.2: request and response headers, as a target reads and writes them. */
#include "conformance/tests/ses.h"

UET_TEST(zero_length_write, .id = "ses.3.4.2.1.zero-length-write", .requirements = "SES-011",
         .role = UET_ROLE_TARGET, .needs = "write", .purpose = "A request_length of 0 is legal.",
         .preamble = "A region; PDC open.",
         .stimulus = "WRITE with request_length 0, SOM=EOM=1, no payload.",
         .expected = "Success; memory unchanged.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *pdc = uet_pdc_open(tc);
    uint8_t before[64];
    memory_now(tc, &m, 0, before, sizeof before);
    struct uet_out o = uet_write(pdc, &m, 0, "", 0);
    accepted(tc, "SES-011", &o);
    memory_unchanged(tc, "SES-011", &m, 0, before, sizeof before);
}

UET_TEST(standard_header_is_44_bytes, .id = "ses.3.4.2.1.standard-header-is-44-bytes",
         .requirements = "SES-008", .role = UET_ROLE_TARGET, .needs = "write", .over = "order",
         .purpose = "Payload starts 44 bytes after the start of a standard request header.",
         .preamble = "A region; PDC open.",
         .stimulus = "WRITEs of one packet and of two packets (SOM=1 and SOM=0).",
         .expected = "The region holds exactly the payload.")
{
    uint32_t n = uet_tc_dut(tc)->payload_mtu + 77u;
    struct uet_memory m = uet_need_memory(tc, n);
    struct uet_pdc *pdc = uet_pdc_open(tc);
    const uint8_t *data = uet_tc_bytes(tc, n);
    struct uet_out o[2];
    uet_message(pdc, UET_OP_WRITE, &m, 0, data, n, o, 2);
    uet_send(tc, &o[0]);
    uet_send(tc, &o[1]);
    uet_check_success(tc, "SES-008", uet_expect_ack(tc, pdc, o[1].psn));
    uet_expect_covered(tc, pdc, o[0].psn);
    memory_holds(tc, "SES-008", &m, 0, data, n);
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
    struct uet_pdc *pdc = uet_pdc_open(tc);
    struct uet_out o = uet_write(pdc, &m, 0, "reserved", 8);
    uet_ses_req_reserved1_set(o.ses, 3);
    uet_ses_req_reserved3_set(o.ses, 15);
    uet_ses_req_reserved4_set(o.ses, 15);
    const struct uet_want any = {.pdc = pdc,
                                 .with_psn = true,
                                 .psn = o.psn,
                                 .named = "an answer, or none (the other reading)"};
    uet_tolerate(tc, &any);
    uet_send(tc, &o);
    const struct uet_in *in = uet_maybe(tc, &any, 0);
    if (in && uet_is_ack(&in->packet) && uet_is_ses_response(&in->packet) &&
        uet_ses_rsp_return_code(uet_ses(&in->packet)) <= UET_RC_OK)
        memory_holds(tc, "SES-003", &m, 0, "reserved", 8);
    else
        uet_other_reading(tc, "SES-003", "a request with reserved bits set was not executed");
}

UET_TEST(unknown_version, .id = "ses.3.4.2.unknown-version", .requirements = "SES-004",
         .role = UET_ROLE_TARGET, .needs = "write", .contested = true,
         .purpose = "A SES version other than 0 is not executed.",
         .preamble = "A region; PDC open.", .stimulus = "WRITE with version=1.",
         .expected = "No success; memory unchanged.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *pdc = uet_pdc_open(tc);
    uint8_t before[64];
    memory_now(tc, &m, 0, before, sizeof before);
    struct uet_out o = uet_write(pdc, &m, 0, "version", 7);
    uet_ses_req_version_set(o.ses, 1);
    not_executed(tc, "SES-004", &o);
    memory_unchanged(tc, "SES-004", &m, 0, before, sizeof before);
}

UET_TEST(response_format_in_request, .id = "ses.3.4.2.6.response-format-in-request",
         .requirements = "SES-006", .role = UET_ROLE_TARGET,
         .purpose = "A PDS request that claims to carry a SES response is not executed.",
         .preamble = "PDC open.", .stimulus = "RUD_REQ with next_hdr=4 and a SES response.",
         .expected = "No success: a drop or a NACK.")
{
    struct uet_pdc *pdc = uet_pdc_open(tc);
    struct uet_out o = uet_any_request(pdc);
    uet_rud_rod_req_next_hdr_set(o.pds, UET_NH_RESPONSE);
    memset(o.ses, 0, sizeof o.ses);
    uet_ses_rsp_opcode_set(o.ses, UET_RSP_RESPONSE);
    uet_ses_rsp_return_code_set(o.ses, UET_RC_OK);
    o.ses_len = UET_SES_RSP_BYTES;
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
    uint8_t before[64];
    memory_now(tc, &m, 0, before, sizeof before);
    struct uet_out o = uet_write(pdc, &m, 0, "", 0);
    o.ses_len = 20;
    not_executed(tc, "SES-159", &o);
    memory_unchanged(tc, "SES-159", &m, 0, before, sizeof before);
}

UET_TEST(small_write, .id = "ses.3.4.2.2.small-must-be-single", .requirements = "SES-015",
         .role = UET_ROLE_TARGET, .needs = "small-header send", .contested = true,
         .purpose = "A small request without EOM is an error.",
         .preamble = "A receive posted; PDC open.", .stimulus = "Small SEND with EOM=0.",
         .expected = "Not executed.")
{
    struct uet_memory m = uet_need_receive(tc, 64, 1);
    struct uet_pdc *pdc = uet_pdc_open(tc);
    struct uet_out o = uet_small(pdc, UET_OP_SEND, &m, 0, "small", 5);
    uet_ses_req_eom_set(o.ses, false);
    not_executed(tc, "SES-015", &o);
}

UET_TEST(response_copies_ids, .id = "ses.3.4.2.5.response-copies-ids",
         .requirements = "SES-122 SES-123", .role = UET_ROLE_TARGET, .needs = "write",
         .purpose = "An error response copies message_id and JobID and changes no bytes.",
         .preamble = "A region; PDC open.",
         .stimulus = "WRITE with message_id 0x1234 and a key that was never given out.",
         .expected = "message_id 0x1234, the request's JobID, modified_length 0.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *pdc = uet_pdc_open(tc);
    m.key ^= 0x777;
    struct uet_out o = uet_write(pdc, &m, 0, "ids", 3);
    uet_ses_req_std_message_id_set(o.ses, 0x1234);
    const struct uet_in *in = refused(tc, "SES-122", &o, UET_RC_BAD_MKEY);
    const uint8_t *ses = uet_ses(&in->packet);
    uet_check_eq(tc, "SES-122", "ses.message_id", uet_ses_rsp_message_id(ses), 0x1234);
    uet_check_eq(tc, "SES-122", "ses.job_id", uet_ses_rsp_job_id(ses), m.job_id);
    uet_check_eq(tc, "SES-123", "ses.modified_length", uet_ses_rsp_modified_length(ses), 0);
}

UET_TEST(whole_length_in_each, .id = "ses.3.4.2.5.whole-length-in-each-answer",
         .requirements = "SES-173", .role = UET_ROLE_TARGET, .needs = "write",
         .purpose = "modified_length of a success speaks of the message, not of the packet.",
         .preamble = "A region; PDC open.",
         .stimulus = "A WRITE of three packets, ar=1 in each, one after the other.",
         .expected = "Each answer that says RC_OK has modified_length = request_length (or 0 in a "
                     "default response).")
{
    uint32_t n = 2u * uet_tc_dut(tc)->payload_mtu + 100;
    struct uet_memory m = uet_need_memory(tc, n);
    struct uet_pdc *pdc = uet_pdc_open(tc);
    struct uet_out o[3];
    uet_message(pdc, UET_OP_WRITE, &m, 0, uet_tc_bytes(tc, n), n, o, 3);
    uet_for(tc, "SES-173");
    for (int i = 0; i < 3; i++) {
        uet_rud_rod_req_ar_set(o[i].pds, true);
        uet_send(tc, &o[i]);
        const struct uet_in *in = uet_expect_covered(tc, pdc, o[i].psn);
        const uint8_t *ses = uet_is_ses_response(&in->packet) ? uet_ses(&in->packet) : NULL;
        if (!ses || uet_ses_rsp_return_code(ses) != UET_RC_OK ||
            uet_ses_rsp_opcode(ses) == UET_RSP_NO_RESPONSE)
            continue;
        uint32_t modified = uet_ses_rsp_modified_length(ses);
        if (modified || uet_ses_rsp_opcode(ses) != UET_RSP_DEFAULT_RESPONSE)
            uet_check_eq(tc, "SES-173", "ses.modified_length", modified, n);
    }
}

UET_TEST(response_opcode_fits_next_hdr, .id = "ses.3.4.2.6.response-opcode-fits-next-hdr",
         .requirements = "SES-007 SES-005", .role = UET_ROLE_TARGET, .needs = "write",
         .purpose = "The answer to a WRITE is a SES response without data, next_hdr 4.",
         .preamble = "A region; PDC open.", .stimulus = "A good WRITE and one with a bad key.",
         .expected = "Both ACKs have next_hdr 4 and opcode UET_DEFAULT_RESPONSE or UET_RESPONSE, "
                     "and end 12 bytes later.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *pdc = uet_pdc_open(tc);
    for (int bad = 0; bad < 2; bad++) {
        struct uet_out o = uet_write(pdc, &m, 0, "format", 6);
        if (bad)
            uet_ses_req_match_bits_or_memory_key_set(o.ses, m.key ^ 0x777);
        const struct uet_in *in = answer(tc, &o);
        const uint8_t *pds = uet_pds(&in->packet), *ses = uet_ses(&in->packet);
        uet_check_eq(tc, "SES-007", "pds.next_hdr", uet_ack_next_hdr(pds), UET_NH_RESPONSE);
        uet_check(tc, "SES-007", ses && uet_ses_rsp_opcode(ses) != UET_RSP_RESPONSE_W_DATA,
                  "a response with data came under next_hdr 4");
        uet_check_eq(tc, "SES-005", "bytes after the SES response", in->packet.payload_len, 0);
    }
}
