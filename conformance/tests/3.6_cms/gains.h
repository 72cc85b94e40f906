/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A network and gains of NSCC (Table 3-82) that a test sets, so that what a window comes to follows
 * from them.
 */
#ifndef UET_CONFORMANCE_TESTS_GAINS_H
#define UET_CONFORMANCE_TESTS_GAINS_H

#include "conformance/tests/3.6_cms/shrunk.h"

#define RTT         (200 * UET_US)
#define FULL_WINDOW 64u /* packets */
#define GAMMA       80u /* per cent, and ... */
#define JUMP        50u /* ... max_md_jump: those of Table 3-82 */

/* 0: so little that it does not show. */
struct gains {
    uint64_t alpha, fi, fi_scale, eta;
};

static inline void set_or_least(struct uet_tc *tc, const char *name, uint64_t value)
{
    uet_set_param(tc, name, value ? value : 1);
}

/*
 * A base RTT, which is target_qdelay, too, that is long beside the way to the tester; a window of
 * 64 packets; and each ACK of a packet applies what it brings.
 */
static inline void set_gains(struct uet_tc *tc, const struct gains *g)
{
    const uint64_t mtu = uet_tc_dut(tc)->payload_mtu;

    need_exact_delays(tc);
    uet_try_param(tc, "disable_quick_adapt", 1);
    uet_set_param(tc, "fast_increase_tolerance", RTT / 64);
    uet_set_param(tc, "config_base_rtt", RTT);
    uet_set_param(tc, "target_qdelay", RTT);
    uet_set_param(tc, "MaxWnd", FULL_WINDOW * mtu);
    uet_set_param(tc, "adjust_period_threshold", RTT);
    uet_set_param(tc, "adjust_bytes_threshold", mtu);
    uet_set_param(tc, "gamma", GAMMA);
    uet_set_param(tc, "max_md_jump", JUMP);
    set_or_least(tc, "alpha", g->alpha);
    set_or_least(tc, "fi", g->fi);
    set_or_least(tc, "fi_scale", g->fi_scale);
    set_or_least(tc, "eta", g->eta);
    need_between(tc, 2 * RTT);
}

#endif
