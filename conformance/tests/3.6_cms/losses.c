/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.6.13.5: what each way to lose a packet does to the window. */
#include "conformance/tests/3.6_cms/congested.h"

#define WINDOWS 4u
#define NEEDS                                                                                      \
    .role = UET_ROLE_INITIATOR, .needs = "nscc", .params = "config_base_rtt sender_link_rate"

/* Of the flight each second packet is refused by this NACK, the others are acknowledged, unmarked;
 * then what comes again, and what is new. */
static void refuse_half(struct congested *c, uint8_t code, bool served)
{
    static struct congested half;

    half = *c;
    half.n = 0;
    half.gap = c->in[1];
    for (uint32_t i = 0; i < c->n; i++) {
        if (i % 2)
            say_nack(c->tc, c->in[i], code);
        else
            half.in[half.n++] = c->in[i];
    }
    answer_flight(&half, .served = served);
    c->rcvd = half.rcvd;
    uet_wait(c->tc, nack_delay(c->tc));
    next_flight(c);
}

static void trims_cut(struct uet_tc *tc, const char *requirement, uint8_t code)
{
    static struct congested c;
    need_little_growth(tc);
    uet_try_param(tc, "RCCC", 0);
    uint32_t before = fep_fills_again(&c, tc, WINDOWS);
    uint32_t refused = c.n / 2 * nominal_size(c.in[0]);
    refuse_half(&c, code, false);
    uet_check(tc, requirement, c.bytes <= before - refused / 2,
              "%u bytes in flight, of which %u were refused as trimmed; then %u", before, refused,
              c.bytes);
    drain(&c);
}

UET_TEST(trims_cut_the_window, .id = "cms.3.6.13.5.trims-cut-the-window", .requirements = "CMS-049",
         NEEDS, .purpose = "A trim cuts the window by the size of the packet, or to what arrives.",
         .preamble = "The FEP writes without an end in sight; NSCC is on.",
         .stimulus = "Of a flight half the packets get NACK UET_TRIMMED, the others an ACK.",
         .expected = "In flight, resends with it: less than before by half of what was refused; by "
                     "the rule it is all of that, or quick adapt leaves even less.")
{
    trims_cut(tc, "CMS-049", UET_NACK_TRIMMED);
}

UET_TEST(last_hop_trims_cut, .id = "cms.3.6.13.5.last-hop-trims-cut", .requirements = "CMS-054",
         NEEDS, .purpose = "Without RCCC a trim at the last hop cuts the window as any other does.",
         .preamble = "The FEP writes without an end in sight; NSCC is on, RCCC is not.",
         .stimulus = "Of a flight half the packets get NACK UET_TRIMMED_LASTHOP, the others an "
                     "ACK.",
         .expected = "As in trims-cut-the-window.")
{
    trims_cut(tc, "CMS-054", UET_NACK_TRIMMED_LASTHOP);
}

UET_TEST(other_nacks_do_not_cut, .id = "cms.3.6.13.5.other-nacks-do-not-cut",
         .requirements = "CMS-056", NEEDS,
         .purpose = "A NACK that tells of no trim leaves the window alone.",
         .preamble = "The FEP writes without an end in sight; NSCC is on; virtual time, as a delay "
                     "might cut the window (quick adapt).",
         .stimulus = "Of a flight half the packets get NACK UET_NO_PKT_BUFFER, the others an "
                     "unmarked ACK, with service_time for all of the delay.",
         .expected = "In flight, resends with it, as much as before but for a packet.")
{
    static struct congested c;
    need_exact_delays(tc);
    uint32_t before = fep_fills_again(&c, tc, WINDOWS), packet = nominal_size(c.in[0]);
    refuse_half(&c, UET_NACK_NO_PKT_BUFFER, true);
    uet_check(tc, "CMS-056", c.bytes + packet >= before, "%u bytes in flight before, then %u",
              before, c.bytes);
    drain(&c);
}
