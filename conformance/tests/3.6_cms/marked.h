/* SPDX-License-Identifier: BSD-2-Clause */
/* Packets that come marked, all of them: whoever takes the entropy value of what arrived well once
 * more (REPS, 3.6.16) has none of that, and chooses anew for each. */
#ifndef UET_CONFORMANCE_TESTS_MARKED_H
#define UET_CONFORMANCE_TESTS_MARKED_H

#include "conformance/tests/pds.h"

/* Its ACK says so. */
static inline void ack_marked(struct uet_tc *tc, const struct uet_in *in)
{
    struct uet_out ack = uet_ack(in->pdc, in);

    uet_ack_m_set(ack.pds, true);
    say(tc, &ack);
}

/* The FEP writes n MTUs: their entropy values. */
static inline void evs_of_marked(struct uet_tc *tc, const char *requirement, uint16_t *evs,
                                 uint32_t n)
{
    struct uet_pdc *p;
    uint64_t handle;

    uet_auto_ack(tc, false);
    const struct uet_in *in = fep_writes(tc, n * uet_tc_dut(tc)->payload_mtu, &p, &handle);
    for (uint32_t i = 0; i < n; i++) {
        in = i ? hear(tc, requirement, REQUEST_ON(p)) : in;
        evs[i] = uet_entropy(&in->packet);
        ack_marked(tc, in);
    }
    uet_auto_ack(tc, true);
    completion_of(tc, requirement, handle);
}

/* How many of them there are. */
static inline uint32_t how_many_values(const uint16_t *evs, uint32_t n)
{
    uint32_t values = 0;

    for (uint32_t at = 0, i; at < n; at++) {
        for (i = 0; evs[i] != evs[at]; i++)
            ;
        values += i == at;
    }
    return values;
}

#endif
