/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.4.4.2: READ as the initiator asks for it. */
#include "conformance/harness/steps/fep_reads.h"
#include "conformance/tests/pds.h"
#include "conformance/tests/pds_target.h"

/* Each packet is served by itself (SES-073): it must say where its bytes are. */
static void check_address(struct uet_tc *tc, const uint8_t *ses, const struct uet_ut_operation *op)
{
    uet_check_eq(tc, "SES-072", "ses.rel", uet_ses_req_rel(ses), op->relative);
    uet_check_eq(tc, "SES-072", "ses.job_id", uet_ses_req_job_id(ses), op->job_id);
    uet_check_eq(tc, "SES-072", "ses.pid_on_fep", uet_ses_req_pid_on_fep(ses), op->pid_on_fep);
    uet_check_eq(tc, "SES-072", "ses.resource_index", uet_ses_req_resource_index(ses),
                 op->resource_index);
    uet_check_eq(tc, "SES-104", "ses.ri_generation", uet_ses_req_ri_generation(ses), 0);
    uet_check_eq(tc, "SES-072", "ses.buffer_offset", uet_ses_req_buffer_offset(ses), op->offset);
    uet_check_eq(tc, "SES-072", "memory key", uet_ses_req_match_bits_or_memory_key(ses), op->key);
}

UET_TEST(read_requests, .id = "ses.3.4.4.2.read-requests",
         .requirements = "SES-071 SES-072 SES-104", .role = UET_ROLE_INITIATOR, .over = "order",
         .purpose = "A READ is cut into Requests of a payload MTU each, which carry no payload.",
         .preamble = "None.", .stimulus = "The FEP reads two and a half payload MTUs.",
         .expected = "Three UET_READ Requests of one message_id without payload: som, none, eom; "
                     "request_length the whole; the second and third ask for a MTU at offset MTU "
                     "and half of one at 2 MTU; the whole address in each. With its data the read "
                     "completes.")
{
    uint32_t mtu = uet_tc_dut(tc)->payload_mtu, n = 2 * mtu + mtu / 2;
    struct uet_ut_operation op = uet_op(tc, n);
    op.offset = 0x2000;
    struct fep_read r = fep_reads_op(tc, &op);
    uint16_t id = uet_ses_message_id(&r.in[0]->packet);
    for (size_t i = 0; i < 3; i++) {
        const struct uet_packet *p = &r.in[i]->packet;
        const uint8_t *ses = uet_ses(p);
        uet_look_at(tc, r.in[i]);
        uet_check_eq(tc, "SES-072", "bytes of payload", p->payload_len, 0);
        uet_check_eq(tc, "SES-072", "ses.som", uet_ses_req_som(ses), i == 0);
        uet_check_eq(tc, "SES-072", "ses.eom", uet_ses_req_eom(ses), i == 2);
        uet_check_eq(tc, "SES-072", "ses.message_id", uet_ses_message_id(p), id);
        uet_check_eq(tc, "SES-071", "ses.request_length", uet_ses_request_length(p), n);
        uet_check_eq(tc, "SES-071", "ses.message_offset", uet_ses_message_offset(p), i * mtu);
        check_address(tc, ses, &op);
        uet_check_eq(tc, "SES-071", "bytes asked for", uet_read_asked(tc, r.in[i]),
                     i == 2 ? mtu / 2 : mtu);
    }
    serve(tc, "SES-072", &r);
    check_read(tc, "SES-072", &r);
}

/* A READ of one packet with an optimized header, answered in the return direction. */
static void short_read(struct uet_tc *tc, uint8_t header, uint8_t next_hdr)
{
    struct uet_ut_operation op = uet_op(tc, 200);

    op.header = header;
    if (header == UET_UT_HEADER_SMALL)
        op.key = 1ull << 62 | op.resource_index; /* optimized (Table 2-13) */
    struct fep_read r = fep_reads_op(tc, &op);
    uet_look_at(tc, r.in[0]);
    if (uet_is_ses_std(&r.in[0]->packet))
        uet_skip(tc, "the FEP chose the standard header, as it may");
    uet_check_enum(tc, "SES-072", "next_hdr", UET_ENUM_PDS_NEXT_HDR,
                   uet_rud_rod_req_next_hdr(uet_pds(&r.in[0]->packet)), next_hdr);
    uet_check_eq(tc, "SES-072", "ses.request_length", uet_ses_request_length(&r.in[0]->packet),
                 200);
    uet_check_eq(tc, "SES-072", "bytes of payload", r.in[0]->packet.payload_len, 0);
    serve(tc, "SES-081", &r);
    check_read(tc, "SES-081", &r);
}

UET_TEST(medium_read_initiator, .id = "ses.3.4.2.2.medium-read", .requirements = "SES-072 SES-081",
         .role = UET_ROLE_INITIATOR, .needs = "medium-header", .contested = true,
         .purpose = "A READ with the medium header takes data that names its PSN.",
         .preamble = "None.", .stimulus = "The FEP reads 200 bytes with the medium header.",
         .expected = "One Request without payload; with RESPONSE_DATA_SMALL that names its PSN the "
                     "read completes.")
{
    short_read(tc, UET_UT_HEADER_MEDIUM, UET_NH_REQUEST_MEDIUM);
}

UET_TEST(small_read_initiator, .id = "ses.3.4.2.2.small-header-read",
         .requirements = "SES-072 SES-081", .role = UET_ROLE_INITIATOR, .needs = "small-header",
         .contested = true,
         .purpose = "A READ with the small header takes data that names its PSN.",
         .preamble = "None.", .stimulus = "The FEP reads 200 bytes with the small header.",
         .expected = "One Request without payload; with RESPONSE_DATA_SMALL that names its PSN the "
                     "read completes.")
{
    short_read(tc, UET_UT_HEADER_SMALL, UET_NH_REQUEST_SMALL);
}

UET_TEST(read_refused, .id = "ses.3.4.8.3.read-refused", .requirements = "SES-110 SES-121",
         .role = UET_ROLE_INITIATOR,
         .purpose = "A READ ends with the target's answer: not when it has arrived, but when it is "
                    "refused.",
         .preamble = "A PDC that the FEP opened; RTO long.",
         .stimulus = "The FEP reads 100 bytes; an ACK with UET_NO_RESPONSE; then one with "
                     "UET_RESPONSE RC_BAD_MKEY, which asks for a clear.",
         .expected = "No completion at first, then one with RC_BAD_MKEY.")
{
    hold_rto(tc);
    fep_opens(tc);
    uet_auto_ack(tc, false);
    struct fep_read r = fep_reads(tc, 100);
    struct uet_out arrived =
        uet_ack_with(r.pdc, r.in[0], UET_RSP_NO_RESPONSE, UET_LIST_EXPECTED, UET_RC_NULL);
    struct uet_out refused =
        uet_ack_with(r.pdc, r.in[0], UET_RSP_RESPONSE, UET_LIST_EXPECTED, UET_RC_BAD_MKEY);
    uet_ack_cack_psn_set(arrived.pds, uet_packet_psn(&r.in[0]->packet) - 1);
    uet_ack_ack_psn_offset_set(arrived.pds, 1);
    uet_send(tc, &arrived);
    check_open(tc, "SES-110", &r);
    uet_ack_req_set(refused.pds, UET_ACK_REQ_CLEAR);
    uet_ack_cack_psn_set(refused.pds, uet_packet_psn(&r.in[0]->packet) - 1);
    uet_ack_ack_psn_offset_set(refused.pds, 1);
    uet_send(tc, &refused);
    uet_auto_ack(tc, true);
    uet_for(tc, "SES-110");
    struct uet_ut_completion c = uet_expect_completion(tc, r.handle);
    uet_check_eq(tc, "SES-110", "completion status", c.status, UET_UT_SES_ERROR);
    if (uet_tc_dut(tc)->claims[UET_PICS_RETURN_CODES])
        uet_check_enum(tc, "SES-110", "return code", UET_ENUM_SES_RETURN_CODE, c.return_code,
                       UET_RC_BAD_MKEY);
}

UET_TEST(id_of_the_target, .id = "ses.3.4.2.5.response-message-id-is-the-targets",
         .requirements = "SES-080", .role = UET_ROLE_INITIATOR,
         .purpose = "Data belongs to the READ that read_request_message_id names, for the other ID "
                    "is the target's own.",
         .preamble = "None.",
         .stimulus = "The FEP reads 200 bytes; the data comes with response_message_id 0.",
         .expected = "The read completes with its data; that it does not is a finding, for a known "
                     "reader looks at response_message_id.")
{
    struct fep_read r = fep_reads(tc, 200);
    struct uet_out o = part_of(&r, 0);
    struct uet_ut_completion c = {0};

    uet_ses_rsp_data_response_message_id_set(o.ses, 0);
    uet_send(tc, &o);
    if (!uet_completion(tc, r.handle, 0, &c) || c.status != UET_UT_OK)
        uet_other_reading(tc, "SES-080", "the data was not taken with response_message_id 0");
}
