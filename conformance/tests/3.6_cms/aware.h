/* SPDX-License-Identifier: BSD-2-Clause */
/* A source that heeds what it hears of its paths (3.6.16.4), and the tester as its destination. */
#ifndef UET_CONFORMANCE_TESTS_AWARE_H
#define UET_CONFORMANCE_TESTS_AWARE_H

#include "conformance/tests/congested.h"

#define BITMAP    3u  /* LB of the reference FEP */
#define SET       32u /* EVs where the set can be chosen, and packets of a flight */
#define SHARE     8u  /* of a flight, each how-many-eth packet brings bad news */
#define CHANCE    16u /* one in so many, and one, may fall on a resting EV: some draw at random */
#define SATURATED 50u /* per cent: ev_saturation_fraction, where it is not told */

#define PATH_AWARE                                                                                 \
    .role = UET_ROLE_INITIATOR, .needs = "nscc path-aware",                                        \
    .params = "config_base_rtt sender_link_rate ev_set_size"

/*
 * The first flight of a source that heeds news, as long as a pass over its set, or half: then most
 * of these EVs have their turn in the next flight, and none twice.
 */
static inline void aware_fills(struct congested *c, struct uet_tc *tc, uint32_t windows)
{
    uet_try_param(tc, "LB", BITMAP);
    uet_try_param(tc, "MaxWnd", (uint64_t)SET * uet_tc_dut(tc)->payload_mtu);
    uint64_t set = uet_try_param(tc, "ev_set_size", SET) ? SET : uet_tc_param(tc, "ev_set_size");
    fep_fills(c, tc, windows);
    if (c->n < FEWEST || c->n > set || c->n < set / 2) {
        drain(c);
        uet_skip(tc, "the FEP has %u packets in flight, and %llu entropy values", c->n,
                 (unsigned long long)set);
    }
}

/* So many per cent of the EVs with bad news are, or are not, too many to pass over. */
static inline void need_saturation(struct uet_tc *tc, uint32_t percent, bool too_many)
{
    uint64_t told = SATURATED;

    (void)uet_tc_told(tc, "ev_saturation_fraction", &told);
    if (too_many ? told >= percent : told <= percent)
        uet_skip(tc, "ev_saturation_fraction is %llu %% on this FEP", (unsigned long long)told);
}

/* How many of the flight have the EV of one of these. */
static inline uint32_t on_these(const struct congested *c, const struct uet_in *const *these,
                                uint32_t n)
{
    uint32_t found = 0;

    for (uint32_t i = 0; i < c->n; i++)
        for (uint32_t j = 0; j < n; j++)
            if (uet_entropy(&c->in[i]->packet) == uet_entropy(&these[j]->packet)) {
                found++;
                break;
            }
    return found;
}

/* One more than one in so many of the flight, or fewer. */
static inline bool few(uint32_t on, uint32_t n)
{
    return on <= 1 + n / CHANCE;
}

/* The flight that comes at once, long before a round trip is over. */
static inline void flight_at_once(struct congested *c)
{
    take_flight(c, maybe(c->tc, .kind = UET_WANT_REQUEST, .pdc = c->pdc,
                         .within = uet_tc_latest(c->tc, UET_MS)));
}

/* Of the flight each eighth ACK has m=1; how many of these EVs the flight has that comes at once.
 */
static inline uint32_t on_marked(struct congested *c, bool served)
{
    static const struct uet_in *bad[FLIGHT_MOST];
    uint32_t n = 0;

    for (uint32_t i = 0; i < c->n; i++) {
        answer(c, c->in[i], &(const struct echo){.m = i % SHARE == 0, .served = served});
        if (i % SHARE == 0)
            bad[n++] = c->in[i];
    }
    flight_at_once(c);
    return on_these(c, bad, n);
}

#endif
