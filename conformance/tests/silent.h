/* SPDX-License-Identifier: BSD-2-Clause */
/* A peer that falls silent: an operation of the FEP's ends some time all the same (ROB-058). */
#ifndef UET_CONFORMANCE_TESTS_SILENT_H
#define UET_CONFORMANCE_TESTS_SILENT_H

#include "conformance/harness/steps/steps.h"

enum {
    PATIENCE = 16, /* times what the told timers come to: a message may be tried anew */
    FEW_RETRIES = 10
};

/* The FEP gives up as soon as it can be made to. */
static inline void gives_up_early(struct uet_tc *tc)
{
    uet_try_param(tc, "RTO_Init_Time", 20 * UET_MS);
    uet_try_param(tc, "Max_RTO_Retx_Cnt", 2);
    uint64_t retries = uet_tc_param(tc, "Max_RTO_Retx_Cnt");
    if (retries > FEW_RETRIES)
        uet_skip_for(tc, UET_SKIP_PARAMETER, "Max_RTO_Retx_Cnt is %llu: it hardly ever gives up",
                     (unsigned long long)retries);
}

/* From now on the tester says nothing: the operation ends, in whatever way. So long is a wait. */
static inline void ends_in_time(struct uet_tc *tc, struct uet_pdc *pdc, uint64_t handle,
                                uint64_t wait_ns)
{
    const uint64_t begin = uet_tc_now(tc);
    struct uet_ut_completion c;
    bool ended = false;

    pdc->auto_close = false;
    for (int i = 0; i < PATIENCE && !ended; i++)
        ended = uet_completion(tc, handle, wait_ns, &c);
    uet_check(tc, "ROB-058", ended, "the operation goes on %.1f s after the peer's last packet",
              (double)(uet_tc_now(tc) - begin) / 1e9);
}

static inline void ends_some_time(struct uet_tc *tc, struct uet_pdc *pdc, uint64_t handle)
{
    ends_in_time(tc, pdc, handle, uet_linger(tc));
}

#endif
