/* SPDX-License-Identifier: BSD-2-Clause */
/* A PDC that stands open before the point of a test. */
#include "conformance/harness/preamble/preamble.h"

#define OPEN_AGAIN 2 /* a network may lose a preamble's packet; a test's own it may not */

struct uet_pdc *uet_pdc_open(struct uet_tc *tc)
{
    uet_preamble_begin(tc);
    struct uet_pdc *pdc = uet_pdc_new(tc);
    uet_past_before(tc, pdc);
    struct uet_out syn = uet_any_request(pdc);
    const struct uet_want ack = {
        .kind = UET_WANT_ACK, .pdc = pdc, .with_psn = true, .covering = true, .psn = syn.psn};
    uet_send(tc, &syn);
    syn.meant = "the opening packet again: no answer came";
    for (int i = 0; i < OPEN_AGAIN && !uet_maybe(tc, &ack, 0); i++)
        uet_resend(tc, &syn);
    uet_expect_covered(tc, pdc, syn.psn);
    uet_past(tc, pdc);
    uet_preamble_end(tc);
    return pdc;
}
