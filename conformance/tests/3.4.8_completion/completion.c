/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.4.8: when an operation is complete. */
#include "conformance/harness/steps/acks.h"
#include "conformance/harness/steps/memory.h"
#include "conformance/harness/steps/requests.h"

UET_TEST(delivery_complete, .id = "ses.3.4.8.3.delivery-complete", .requirements = "SES-109",
         .role = UET_ROLE_TARGET, .needs = "write upper-tester",
         .purpose = "With dc=1 the response comes only when the data is visible.",
         .preamble = "A region; PDC open.", .stimulus = "WRITE with dc=1.",
         .expected = "When the success arrives the region holds the data; or a refusal that dc is "
                     "not supported.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_out o = uet_write(uet_pdc_open(tc), &m, 0, "delivered", 9);
    uet_ses_req_dc_set(o.ses, true);
    const struct uet_in *in = ask(tc, "SES-109", &o);
    has_response(tc, "SES-109", in);
    if (tells_success(in) && !tells_arrival(in))
        memory_holds_within(tc, "SES-109", &m, 0, "delivered", 9, 0);
}

UET_TEST(no_completion_without_response, .id = "ses.3.4.8.3.no-completion-without-response",
         .requirements = "SES-110 SES-121", .role = UET_ROLE_INITIATOR,
         .purpose = "UET_NO_RESPONSE tells arrival only: the operation is not complete.",
         .preamble = "The FEP sends a one-packet WRITE to the tester.",
         .stimulus = "ACK its PSN with UET_NO_RESPONSE; later with UET_RESPONSE RC_OK.",
         .expected = "No completion after the first, a good one after the second.")
{
    const struct uet_in *in;
    struct uet_ut_operation op = uet_op(tc, 32);
    uet_auto_ack(tc, false);
    uint64_t handle = uet_do_write(tc, &op);
    struct uet_pdc *p = uet_accept(tc, &in);
    struct uet_out arrived = naming_ack(in, UET_RSP_NO_RESPONSE, UET_RC_NULL);
    struct uet_out done = uet_ack_with(p, in, UET_RSP_RESPONSE, UET_LIST_EXPECTED, UET_RC_OK);
    say(tc, &arrived);
    stays_open(tc, "SES-110", handle, 0);
    say(tc, &done);
    completes(tc, "SES-110", handle, UET_UT_OK);
}
