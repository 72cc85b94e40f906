/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.4.8: when an operation is complete. */
#include "conformance/tests/ses.h"

UET_TEST(delivery_complete, .id = "ses.3.4.8.3.delivery-complete", .requirements = "SES-109",
         .role = UET_ROLE_TARGET, .needs = "write upper-tester",
         .purpose = "With dc=1 the response comes only when the data is visible.",
         .preamble = "A region; PDC open.", .stimulus = "WRITE with dc=1.",
         .expected = "When the success arrives the region holds the data; or a refusal that dc is "
                     "not supported.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *pdc = uet_pdc_open(tc);
    struct uet_out o = uet_write(pdc, &m, 0, "delivered", 9);
    uet_ses_req_dc_set(o.ses, true);
    const struct uet_in *in = answer(tc, &o);
    uet_check(tc, "SES-109", uet_is_ses_response(&in->packet), "the ACK carries no SES response");
    const uint8_t *ses = uet_ses(&in->packet);
    if (uet_ses_rsp_return_code(ses) <= UET_RC_OK && uet_ses_rsp_opcode(ses) != UET_RSP_NO_RESPONSE)
        memory_holds_within(tc, "SES-109", &m, 0, "delivered", 9, 0);
}

UET_TEST(no_completion_without_response, .id = "ses.3.4.8.3.no-completion-without-response",
         .requirements = "SES-110 SES-121", .role = UET_ROLE_INITIATOR,
         .purpose = "UET_NO_RESPONSE tells arrival only: the operation is not complete.",
         .preamble = "The FEP sends a one-packet WRITE to the tester.",
         .stimulus = "ACK its PSN with UET_NO_RESPONSE; later with UET_RESPONSE RC_OK.",
         .expected = "No completion after the first, a good one after the second.")
{
    uet_auto_ack(tc, false);
    struct uet_ut_operation op = uet_op(tc, 32);
    uint64_t handle = uet_do_write(tc, &op);
    const struct uet_in *first;
    struct uet_pdc *pdc = uet_accept(tc, &first);
    struct uet_out hold =
        uet_ack_with(pdc, first, UET_RSP_NO_RESPONSE, UET_LIST_EXPECTED, UET_RC_NULL);
    /* Its PSN is named but not covered: CACK would count as success (PDS-110). */
    uet_ack_cack_psn_set(hold.pds, uet_packet_psn(&first->packet) - 1);
    uet_ack_ack_psn_offset_set(hold.pds, 1);
    uet_send(tc, &hold);
    struct uet_ut_completion c;
    uet_check(tc, "SES-110", !uet_completion(tc, handle, uet_tc_quiet(tc), &c),
              "the FEP reported completion after UET_NO_RESPONSE only");
    struct uet_out done = uet_ack_with(pdc, first, UET_RSP_RESPONSE, UET_LIST_EXPECTED, UET_RC_OK);
    uet_send(tc, &done);
    c = uet_expect_completion(tc, handle);
    uet_check_eq(tc, "SES-110", "completion status", c.status, UET_UT_OK);
}
