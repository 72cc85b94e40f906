/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.4.3.6.2.2: sends that come before their receive, and are kept whole. */
#include "conformance/harness/steps/unexpected.h"
#include "conformance/harness/steps/memory.h"
#include "conformance/harness/steps/tagged.h"

#define NEEDS "keeps-unexpected send upper-tester"

UET_TEST(unexpected_kept, .id = "ses.3.4.3.6.2.2.kept", .requirements = "SES-098 SES-124",
         .role = UET_ROLE_TARGET, .needs = NEEDS,
         .purpose = "A send that came before its receive fills it, and is answered then.",
         .preamble = "A resource without receives, which keeps what is unexpected; PDC open.",
         .stimulus = "SEND of 64 bytes; then a receive is posted.",
         .expected = "UET_NO_RESPONSE, or the answer at once. With the receive: UET_RESPONSE with "
                     "RC_OK, list UET_OVERFLOW and modified_length 64, which asks for a clear; the "
                     "receive has the bytes. A FEP without room for it is skipped.")
{
    struct uet_memory m = uet_need_keeping(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o = uet_send_message(p, &m, uet_tc_bytes(tc, 64), 64);
    const struct uet_in *early = kept_as_unexpected(tc, "SES-098", &o);
    kept_is_received(tc, &o, early, untagged_receive(tc, &m));
}
