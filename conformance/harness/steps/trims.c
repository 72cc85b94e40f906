/* SPDX-License-Identifier: BSD-2-Clause */
/* Packets as a switch leaves them that trims (4.1). */
#include "conformance/harness/steps/trims.h"

uint16_t min_trim(struct uet_tc *tc)
{
    return uet_tc_dut(tc)->native ? UET_MIN_TRIM_SIZE_NATIVE : UET_MIN_TRIM_SIZE_UDP;
}

struct uet_out trimmed(struct uet_tc *tc, const struct uet_out *o, const char *role)
{
    struct uet_out cut = *o;

    cut.route.dscp = (uint8_t)uet_tc_param(tc, role);
    cut.trim_to = min_trim(tc);
    cut.meant = "trimmed on its way";
    return cut;
}

struct uet_out marked(struct uet_tc *tc, const struct uet_out *o)
{
    return marked_as(tc, o, "dscp-trimmed");
}

struct uet_out marked_as(struct uet_tc *tc, const struct uet_out *o, const char *role)
{
    struct uet_out m = *o;

    m.route.dscp = (uint8_t)uet_tc_param(tc, role);
    if (m.protect == UET_PROTECT_CRC)
        m.protect = UET_PROTECT_NONE;
    m.meant = "with the DSCP of a trimmed packet";
    return m;
}

struct uet_out some_write(struct uet_tc *tc, struct uet_pdc *p, const struct uet_memory *m)
{
    return uet_write(p, m, 0, uet_tc_bytes(tc, DATA), DATA);
}
