/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.4.2, 3.4.2.6: SES headers that are cut short, and formats where they do not belong. */
#include "conformance/harness/steps/acks.h"
#include "conformance/harness/steps/memory.h"
#include "conformance/harness/steps/requests.h"
#include "conformance/tests/rudi.h"

/* ---- the FEP is the target ---- */

/* A good WRITE of no bytes, but for the SES bytes that it lacks. */
static void cut_to(struct uet_tc *tc, struct uet_pdc *p, const struct uet_memory *m, uint8_t header,
                   uint16_t bytes)
{
    struct uet_out o = header == UET_UT_HEADER_MEDIUM  ? uet_medium(p, UET_OP_WRITE, m, 0, "", 0)
                       : header == UET_UT_HEADER_SMALL ? uet_small(p, UET_OP_WRITE, m, 0, "", 0)
                                                       : uet_write(p, m, 0, "", 0);

    o.ses_len = bytes;
    not_executed(tc, "SES-159", &o);
}

UET_TEST(cut_at_each_edge, .id = "ses.3.4.2.header-cut-at-each-edge", .requirements = "SES-159",
         .role = UET_ROLE_TARGET, .needs = "write",
         .purpose = "A packet too short for its SES header is not executed, however little lacks.",
         .preamble = "A region; PDC open.",
         .stimulus = "WRITEs of no bytes whose standard header is cut to 1, 24, 32, 40 and 43 "
                     "bytes.",
         .expected = "No success: a drop or an error.")
{
    static const uint16_t bytes[] = {1, 24, 32, 40, 43};
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = uet_pdc_open(tc);

    for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++)
        cut_to(tc, p, &m, UET_UT_HEADER_STD, bytes[i]);
}

UET_TEST(crc_is_no_header, .id = "ses.3.4.2.header-cut-before-crc", .requirements = "SES-159",
         .role = UET_ROLE_TARGET, .needs = "write crc",
         .purpose = "The CRC trailer is no part of the SES header.",
         .preamble = "A region; PDC open.",
         .stimulus = "A WRITE of no bytes whose standard header is cut to 40 bytes, and its CRC.",
         .expected = "No success: a drop or an error.")
{
    struct uet_memory m = uet_need_memory(tc, 64);

    cut_to(tc, uet_pdc_open(tc), &m, UET_UT_HEADER_STD, 40);
}

/* What lacks at the end of the medium header: all that the small one has not (3.4.2.2), and less.
 */
static const uint16_t medium_stumps[] = {UET_SES_REQ_SMALL_BYTES, 21, 24, 28,
                                         UET_SES_REQ_MEDIUM_RMA_BYTES - 1};

UET_TEST(medium_cut_short, .id = "ses.3.4.2.2.medium-header-cut-short", .requirements = "SES-159",
         .role = UET_ROLE_TARGET, .needs = "medium-header write",
         .purpose = "A packet too short for the medium header is not executed.",
         .preamble = "A region; PDC open.",
         .stimulus = "Medium WRITEs of no bytes cut to 20, 21, 24, 28 and 31 SES bytes.",
         .expected = "No success: a drop or an error.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = uet_pdc_open(tc);

    for (size_t i = 0; i < sizeof medium_stumps / sizeof *medium_stumps; i++)
        cut_to(tc, p, &m, UET_UT_HEADER_MEDIUM, medium_stumps[i]);
}

/* SENDs of no bytes: no key and no offset that lack give them away. */
static void sends_cut(struct uet_tc *tc, bool medium, const uint16_t *bytes, size_t n)
{
    struct uet_memory m = uet_need_receive(tc, 64, 1);
    struct uet_pdc *p = uet_pdc_open(tc);

    for (size_t i = 0; i < n; i++) {
        struct uet_out o =
            medium ? uet_medium(p, UET_OP_SEND, &m, 0, "", 0) : uet_send_message(p, &m, "", 0);
        o.ses_len = bytes[i];
        not_executed(tc, "SES-159", &o);
    }
    must_not_succeed(tc, "SES-159", m.handle);
}

UET_TEST(medium_send_cut, .id = "ses.3.4.2.2.medium-send-cut-short", .requirements = "SES-159",
         .role = UET_ROLE_TARGET, .needs = "medium-header send",
         .purpose = "A send too short for the medium header is not executed, though it needs none "
                    "of what lacks.",
         .preamble = "A receive posted; PDC open.",
         .stimulus = "Medium SENDs of no bytes cut to 20, 21, 24, 28 and 31 SES bytes.",
         .expected = "No success: a drop or an error; the receive does not end as a success.")
{
    sends_cut(tc, true, medium_stumps, sizeof medium_stumps / sizeof *medium_stumps);
}

UET_TEST(send_cut, .id = "ses.3.4.2.send-cut-short", .requirements = "SES-159",
         .role = UET_ROLE_TARGET, .needs = "send",
         .purpose = "A send too short for the standard header is not executed, though no byte that "
                    "lacks need be another than 0.",
         .preamble = "A receive posted; PDC open.",
         .stimulus = "SENDs of no bytes whose standard header is cut to 20, 32, 40 and 43 bytes.",
         .expected = "No success: a drop or an error; the receive does not end as a success.")
{
    static const uint16_t bytes[] = {UET_SES_REQ_SMALL_BYTES, UET_SES_REQ_MEDIUM_RMA_BYTES, 40, 43};

    sends_cut(tc, false, bytes, sizeof bytes / sizeof *bytes);
}

UET_TEST(small_cut_short, .id = "ses.3.4.2.2.small-header-cut-short", .requirements = "SES-159",
         .role = UET_ROLE_TARGET, .needs = "small-header write upper-tester",
         .purpose = "A packet too short for the small header is not executed.",
         .preamble = "A region with an optimized key; PDC open.",
         .stimulus = "A small WRITE of no bytes cut to 19 SES bytes.",
         .expected = "No success: a drop or an error.")
{
    struct uet_memory m =
        region(tc, .job_id = UET_TC_JOB, .pid_on_fep = UET_TC_PID, .resource_index = 9,
               .key = 1ull << 62 | 9, /* optimized (Table 2-13) */
               .length = 64);
    cut_to(tc, uet_pdc_open(tc), &m, UET_UT_HEADER_SMALL, UET_SES_REQ_SMALL_BYTES - 1);
}

UET_TEST(response_in_rudi_request, .id = "ses.3.4.2.6.response-format-in-rudi-request",
         .requirements = "SES-006", .role = UET_ROLE_TARGET, .needs = "rudi upper-tester",
         .purpose = "A RUDI Request that claims to carry a SES response is not executed.",
         .preamble = "None.", .stimulus = "RUDI_REQ with next_hdr=4 and a SES response.",
         .expected = "A drop or a NACK; a RUDI Response is no answer to it, unless with an error.")
{
    struct uet_memory m = uet_need_idempotent(tc, 64);
    struct uet_out o = uet_rudi_write(tc, &m, 0, "", 0);
    uet_rudi_next_hdr_set(o.pds, UET_NH_RESPONSE);
    memset(o.ses, 0, sizeof o.ses);
    uet_ses_rsp_opcode_set(o.ses, UET_RSP_RESPONSE);
    uet_ses_rsp_return_code_set(o.ses, UET_RC_OK);
    o.ses_len = UET_SES_RSP_BYTES;
    tolerate(tc, ANYTHING_OF(&o));
    say(tc, &o);
    uet_check(tc, "SES-006", !tells_success(maybe(tc, ANYTHING_OF(&o), .within = uet_tc_quiet(tc))),
              "the broken request was answered with success");
}

/* ---- the FEP is the initiator ---- */

/* A FEP's WRITE of one packet, and an ACK that names its PSN but does not cover it. */
struct waiting {
    struct uet_pdc *p;
    uint64_t handle;
    const struct uet_in *first;
    struct uet_out ack;
};

static struct waiting write_waits(struct uet_tc *tc)
{
    struct uet_ut_operation op = uet_op(tc, 32);
    struct waiting w;

    uet_auto_ack(tc, false);
    w.handle = uet_do_write(tc, &op);
    w.first = hear(tc, "SES-110", REQUEST_ON(NULL));
    w.p = w.first->pdc;
    w.ack = naming_ack(w.first, UET_RSP_RESPONSE, UET_RC_OK);
    return w;
}

/* The broken ACK completes nothing; a good one does. */
static void broken_ack(struct uet_tc *tc, const char *requirement, const struct waiting *w)
{
    struct uet_out good =
        uet_ack_with(w->p, w->first, UET_RSP_RESPONSE, UET_LIST_EXPECTED, UET_RC_OK);

    say(tc, &w->ack);
    stays_open(tc, requirement, w->handle, 10 * UET_MS);
    say(tc, &good);
    completes(tc, requirement, w->handle, UET_UT_OK);
}

UET_TEST(response_cut_short, .id = "ses.3.4.2.5.response-cut-short", .requirements = "SES-159",
         .role = UET_ROLE_INITIATOR,
         .purpose = "An ACK too short for its SES response tells nothing of the operation.",
         .preamble = "The FEP writes 32 bytes to the tester, three times.",
         .stimulus =
             "ACK with next_hdr 4, RC_OK, and 2, 4 or 11 SES bytes, whose CACK_PSN does not "
             "cover the WRITE; then a whole one.",
         .expected = "No completion by the first, a good one by the second.")
{
    static const uint16_t bytes[] = {2, 4, 11};

    for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++) {
        struct waiting w = write_waits(tc);
        w.ack.ses_len = bytes[i];
        broken_ack(tc, "SES-159", &w);
    }
}

UET_TEST(request_in_ack, .id = "ses.3.4.2.6.request-format-in-ack", .requirements = "SES-006",
         .role = UET_ROLE_INITIATOR, .needs = "write",
         .purpose = "A SES request in an ACK is not executed.",
         .preamble = "A region of the FEP's; the FEP writes 32 bytes to the tester.",
         .stimulus = "ACK with next_hdr 3 and a WRITE to the region, whose CACK_PSN does not cover "
                     "the FEP's WRITE; then a good ACK.",
         .expected = "The region is as before; no completion by the first, a good one by the "
                     "second.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct waiting w = write_waits(tc);
    struct uet_out write = uet_write(w.p, &m, 0, "in an ACK", 9);
    struct kept before = keep(tc, &m, 0, 64);
    w.p->next_psn = write.psn; /* it takes no PSN */
    uet_ack_next_hdr_set(w.ack.pds, UET_NH_REQUEST_STD);
    memcpy(w.ack.ses, write.ses, sizeof write.ses);
    w.ack.ses_len = write.ses_len;
    w.ack.payload = write.payload;
    w.ack.payload_len = write.payload_len;
    broken_ack(tc, "SES-006", &w);
    unchanged(tc, "SES-006", &before);
}

UET_TEST(arrival_with_ok, .id = "ses.3.4.8.3.no-completion-by-arrival-with-ok",
         .requirements = "SES-121", .role = UET_ROLE_INITIATOR,
         .purpose = "UET_NO_RESPONSE tells arrival only, with RC_OK as with RC_NULL.",
         .preamble = "The FEP writes 32 bytes to the tester.",
         .stimulus = "ACK its PSN with UET_NO_RESPONSE and RC_OK; later with UET_RESPONSE RC_OK.",
         .expected = "No completion after the first, a good one after the second.")
{
    struct waiting w = write_waits(tc);

    uet_ses_rsp_opcode_set(w.ack.ses, UET_RSP_NO_RESPONSE);
    broken_ack(tc, "SES-121", &w);
}

UET_TEST(request_in_rudi_response, .id = "ses.3.4.2.6.request-format-in-rudi-response",
         .requirements = "SES-006", .role = UET_ROLE_INITIATOR, .needs = "rudi",
         .purpose = "A RUDI Response that claims to carry a SES request is no answer.",
         .preamble = "The FEP writes 32 bytes over RUDI to the tester.",
         .stimulus = "A RUDI Response with next_hdr 3 and the WRITE's own SES header; then a good "
                     "one.",
         .expected = "No completion by the first, a good one by the second.")
{
    uint64_t handle = rudi_writes(tc, 32);
    const struct uet_in *in = rudi_request(tc);
    struct uet_out good = uet_rudi_answer(tc, in, UET_RC_OK), wrong = good;
    tolerate(tc, RUDI_REQUEST);
    uet_rudi_next_hdr_set(wrong.pds, UET_NH_REQUEST_STD);
    memset(wrong.ses, 0, sizeof wrong.ses);
    memcpy(wrong.ses, uet_ses(&in->packet), UET_SES_REQ_SMALL_BYTES);
    wrong.ses_len = UET_SES_REQ_STD_SOM1_BYTES;
    say(tc, &wrong);
    stays_open(tc, "SES-006", handle, UET_MS);
    say(tc, &good);
    completes(tc, "SES-006", handle, UET_UT_OK);
}

UET_TEST(response_in_datagram, .id = "ses.3.4.2.6.response-format-in-datagram",
         .requirements = "SES-006", .role = UET_ROLE_INITIATOR, .needs = "uud",
         .purpose = "A datagram that claims to carry a SES response answers nothing.",
         .preamble = "A PDC that the FEP opened; a WRITE of it is not answered.",
         .stimulus = "UUD Requests with next_hdr 4 and the response that the WRITE waits for: "
                     "RC_BAD_MKEY, RC_OK; then its ACK.",
         .expected = "No completion by the datagrams, a good one by the ACK.")
{
    struct uet_pdc *pdc = fep_opens(tc);
    uint64_t handle;
    hold_rto(tc);
    const struct uet_in *in = fep_writes_unanswered(tc, &pdc, &handle);
    const struct uet_memory none = {0};
    for (int ok = 0; ok < 2; ok++) {
        struct uet_out o = uet_datagram(tc, &none, NULL, 0);
        struct uet_out ack =
            uet_ack_with(pdc, in, UET_RSP_RESPONSE, 0, ok ? UET_RC_OK : UET_RC_BAD_MKEY);
        uet_uud_req_next_hdr_set(o.pds, UET_NH_RESPONSE);
        memcpy(o.ses, ack.ses, sizeof o.ses);
        o.ses_len = ack.ses_len;
        say(tc, &o);
    }
    stays_open(tc, "SES-006", handle, UET_MS);
    resume_acks(tc, in);
    completes(tc, "SES-006", handle, UET_UT_OK);
}
