/* SPDX-License-Identifier: BSD-2-Clause */
/* Packets as a switch leaves them that trims (4.1). */
#ifndef UET_CONFORMANCE_TESTS_TRIMS_H
#define UET_CONFORMANCE_TESTS_TRIMS_H

#include "conformance/harness/steps/steps.h"

#define DATA 512u

/* Bytes that a switch leaves behind the IP header: UDP or entropy header, 16 more (Table 4-1). */
static inline uint16_t min_trim(struct uet_tc *tc)
{
    return uet_tc_dut(tc)->native ? UET_MIN_TRIM_SIZE_NATIVE : UET_MIN_TRIM_SIZE_UDP;
}

/* The packet as a switch leaves it whose queue was full: cut, with the DSCP of that role. */
static inline struct uet_out trimmed(struct uet_tc *tc, const struct uet_out *o, const char *role)
{
    struct uet_out cut = *o;

    cut.route.dscp = (uint8_t)uet_tc_param(tc, role);
    cut.trim_to = min_trim(tc);
    cut.meant = "trimmed on its way";
    return cut;
}

/* The same of a packet that is no longer than what a trim leaves: only its DSCP tells. */
static inline struct uet_out marked(struct uet_tc *tc, const struct uet_out *o)
{
    struct uet_out m = *o;

    m.route.dscp = (uint8_t)uet_tc_param(tc, "dscp-trimmed");
    m.protect = UET_PROTECT_NONE;
    m.meant = "with the DSCP of a trimmed packet";
    return m;
}

static inline struct uet_out some_write(struct uet_tc *tc, struct uet_pdc *p,
                                        const struct uet_memory *m)
{
    return uet_write(p, m, 0, uet_tc_bytes(tc, DATA), DATA);
}

#endif
