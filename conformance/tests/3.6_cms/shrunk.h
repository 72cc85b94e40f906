/* SPDX-License-Identifier: BSD-2-Clause */
/* A window of the FEP's that marks have made small, so that it has room to grow (3.6.13.6). */
#ifndef UET_CONFORMANCE_TESTS_SHRUNK_H
#define UET_CONFORMANCE_TESTS_SHRUNK_H

#include "conformance/tests/congested.h"

#define MARKED   4u    /* flights that make the window small */
#define NO_DELAY 1000u /* ns: below it there is about none, with all that are known */

/* Marks have made the window small; what is in flight then. The write is of so many windows. */
static inline uint32_t shrunk_of(struct congested *c, struct uet_tc *tc, uint32_t windows)
{
    need_exact_delays(tc);
    fep_fills_again(c, tc, windows);
    for (unsigned i = 0; i < MARKED; i++) {
        answer_flight(c, .m = true);
        next_flight(c);
    }
    return c->bytes;
}

/* The delay is one in which the window grows evenly; 0: the formulas of 3.6.13.3, which allow it.
 */
static inline void need_between(struct uet_tc *tc, uint64_t delay)
{
    uint64_t target = 0, quick_adapt = 0;

    if (!uet_tc_told(tc, "target_qdelay", &target) ||
        !uet_tc_told(tc, "qa_threshold", &quick_adapt))
        uet_skip_for(tc, UET_SKIP_PARAMETER, "target_qdelay and qa_threshold are not told");
    if (target >= delay || (quick_adapt && quick_adapt <= delay))
        uet_skip(tc, "a delay of %llu ns is not between target_qdelay and qa_threshold",
                 (unsigned long long)delay);
}

#endif
