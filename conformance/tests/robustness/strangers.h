/* SPDX-License-Identifier: BSD-2-Clause */
/* What comes from an address that has no part in the conversation. */
#ifndef UET_CONFORMANCE_TESTS_STRANGERS_H
#define UET_CONFORMANCE_TESTS_STRANGERS_H

#include "conformance/tests/pds.h"

/* The packet as the tester's second address would forge it: PDCIDs and PSN are those of its PDC. */
static inline void forge(struct uet_tc *tc, struct uet_out *o)
{
    o->route.src = uet_tc_second_address(tc);
    o->meant = "forged by a stranger";
    say(tc, o);
}

/* The FEP's answer to what was forged, wherever it goes, is no part of these tests. */
static inline void tolerate_answers(struct uet_tc *tc)
{
    tolerate(tc, REFUSAL_ON(NULL), .named = "NACK for the stranger");
}

/* The operation is still open; the right answer of its peer then completes it. */
static inline void completes_with(struct uet_tc *tc, const char *requirement, uint64_t handle,
                                  const struct uet_out *right)
{
    stays_open(tc, requirement, handle, uet_tc_latest(tc, UET_MS));
    say(tc, right);
    uet_auto_ack(tc, true);
    completes(tc, requirement, handle, UET_UT_OK);
}

/* Nothing that names its PSN comes back, to whatever address. */
static inline void unanswered(struct uet_tc *tc, const char *requirement, const struct uet_out *o)
{
    o->pdc->auto_close = false;
    say(tc, o);
    silence(tc, requirement, .kind = UET_WANT_ANSWER, .with_psn = true, .psn = o->psn,
            .named = "an answer", .within = uet_tc_latest(tc, UET_MS));
}

#endif
