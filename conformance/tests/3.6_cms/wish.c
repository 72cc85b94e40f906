/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.6.13.2: a source hears what its destination asks for by rcv_cwnd_pend and rc. */
#include "conformance/tests/congested.h"

#define STRONGEST 127u /* rcv_cwnd_pend: about one packet in a round trip */
#define HALF      64u
#define ASKED     4u /* flights */
#define WINDOWS   (ASKED + 4)
#define PERIODS   4u /* twice those of a flight: half a packet at most is added in each */

#define NEEDS                                                                                      \
    .role = UET_ROLE_INITIATOR, .needs = "nscc", .params = "config_base_rtt sender_link_rate"

/* Some flights are answered with the strongest wish. */
static void wish_for_little(struct congested *c, bool rc)
{
    for (unsigned i = 0; i < ASKED; i++) {
        answer_flight(c, .pend = STRONGEST, .rc = rc, .served = true);
        next_flight(c);
    }
}

UET_TEST(strongest_wish, .id = "cms.3.6.13.2.strongest-wish", .requirements = "CMS-062 CMS-040",
         NEEDS, .purpose = "rcv_cwnd_pend 127 brings a source to about one packet, and to no less.",
         .preamble = "The FEP writes without an end in sight; NSCC is on.",
         .stimulus = "The ACKs of four flights with rcv_cwnd_pend 127.",
         .expected = "One packet in flight, or two.")
{
    static struct congested c;
    fep_fills_again(&c, tc, WINDOWS);
    wish_for_little(&c, false);
    uet_check(tc, "CMS-062", c.n <= 2, "%u packets in flight after %u flights", c.n, ASKED);
    uet_check(tc, "CMS-040", c.n > 0, "nothing in flight: the window is below one packet");
    drain(&c);
}

UET_TEST(wish_for_half, .id = "cms.3.6.13.2.wish-for-half", .requirements = "CMS-063", NEEDS,
         .contested = true,
         .purpose = "rcv_cwnd_pend 64 in all ACKs of a round trip halves the window at least.",
         .preamble = "The FEP writes without an end in sight; NSCC is on.",
         .stimulus = "The ACKs of one flight with rcv_cwnd_pend 64.",
         .expected = "From one packet, which the pseudocode by its letter comes to, up to half and "
                     "a packet in flight.")
{
    static struct congested c;
    need_no_eta(tc, PERIODS);
    uint32_t before = fep_fills_again(&c, tc, WINDOWS), packet = nominal_size(c.in[0]);
    answer_flight(&c, .pend = HALF);
    next_flight(&c);
    uet_check(tc, "CMS-063", c.n > 0 && c.bytes <= before / 2 + packet,
              "%u bytes in flight before the wish, %u after it", before, c.bytes);
    drain(&c);
}

#define LITTLE       16u /* rcv_cwnd_pend: an eighth of what arrives */
#define LITTLE_TIMES 8u  /* flights */

/* After so many flights with this wish, of which each leaves at most so many 128ths and a packet.
 */
static void wishes_add_up(struct uet_tc *tc, uint8_t pend, unsigned flights)
{
    static struct congested c;
    need_exact_delays(tc); /* a delay alone would cut, or let grow */
    need_no_eta(tc, PERIODS);
    uint64_t most = fep_fills_again(&c, tc, flights + 4);
    uint32_t packet = nominal_size(c.in[0]);
    for (unsigned i = 0; i < flights; i++) {
        answer_flight(&c, .pend = pend, .served = true);
        next_flight(&c);
        most = most * (128u - pend) / 128 + packet;
    }
    uet_check(tc, "CMS-063", c.n > 0 && c.bytes <= most,
              "%u bytes in flight after %u flights with rcv_cwnd_pend %u, which leave %llu",
              c.bytes, flights, pend, (unsigned long long)most);
    drain(&c);
}

UET_TEST(wish_for_half_on, .id = "cms.3.6.13.2.wish-for-half-goes-on", .requirements = "CMS-063",
         NEEDS, .contested = true,
         .purpose = "rcv_cwnd_pend 64 halves the window in each round trip in which it is told.",
         .preamble = "The FEP writes without an end in sight; NSCC is on; virtual time.",
         .stimulus = "The ACKs of three flights with rcv_cwnd_pend 64.",
         .expected = "From one packet up to an eighth and two packets in flight.")
{
    wishes_add_up(tc, HALF, 3);
}

UET_TEST(little_wishes, .id = "cms.3.6.13.2.little-wishes-add-up", .requirements = "CMS-063", NEEDS,
         .contested = true, .not_over = "all", /* long */
         .purpose = "A small rcv_cwnd_pend takes its part of the window in each round trip.",
         .preamble = "The FEP writes without an end in sight; NSCC is on; virtual time.",
         .stimulus = "The ACKs of eight flights with rcv_cwnd_pend 16.",
         .expected = "From one packet up to 7/8 of what was there, and a packet, eight times over.")
{
    wishes_add_up(tc, LITTLE, LITTLE_TIMES);
}

UET_TEST(wish_is_over, .id = "cms.3.6.13.6.wish-is-over", .requirements = "CMS-066", NEEDS,
         .purpose = "rcv_cwnd_pend 0 with rc=1 brings back the window from before the wish.",
         .preamble = "The FEP writes without an end in sight; NSCC is on; virtual time, as a delay "
                     "would cut the window anew.",
         .stimulus = "Four flights with rcv_cwnd_pend 127, and one with rcv_cwnd_pend 0 and rc=1; "
                     "service_time is all of the time beyond config_base_rtt.",
         .expected = "As much in flight as before the wish, but for a packet.")
{
    static struct congested c;

    need_exact_delays(tc);
    uint32_t before = fep_fills_again(&c, tc, WINDOWS), packet = nominal_size(c.in[0]);
    wish_for_little(&c, false);
    answer_flight(&c, .rc = true, .served = true);
    next_flight(&c);
    uet_check(tc, "CMS-066", c.bytes + packet >= before,
              "%u bytes in flight before the wish, %u after its end", before, c.bytes);
    drain(&c);
}

static void ends_without_jump(struct uet_tc *tc, bool rc)
{
    static struct congested c;
    need_little_growth(tc);
    uint32_t before = fep_fills_again(&c, tc, WINDOWS);
    wish_for_little(&c, rc);
    answer_flight(&c, .rc = false);
    next_flight(&c);
    if (rc && c.bytes > before / 2)
        uet_other_reading(tc, "CMS-067",
                          "%u bytes in flight before the wish, %u at once after it: the rc=1 "
                          "beside the wish counts",
                          before, c.bytes);
    else
        uet_check(tc, "CMS-067", c.bytes <= before / 2,
                  "%u bytes in flight before the wish, %u at once after it", before, c.bytes);
    drain(&c);
}

UET_TEST(wish_ends_without_jump, .id = "cms.3.6.13.6.wish-ends-without-jump",
         .requirements = "CMS-067", NEEDS,
         .purpose = "rcv_cwnd_pend 0 with rc=0 keeps the window, which grows by the usual rules.",
         .preamble = "The FEP writes without an end in sight; NSCC is on.",
         .stimulus = "Four flights with rcv_cwnd_pend 127, and one with rcv_cwnd_pend 0 and rc=0, "
                     "far later than config_base_rtt.",
         .expected = "Not more than half as much in flight as before the wish.")
{
    ends_without_jump(tc, false);
}

UET_TEST(rc_beside_a_wish, .id = "cms.3.6.13.6.rc-beside-a-wish", .requirements = "CMS-067", NEEDS,
         .contested = true, /* no source tells what rc says beside a wish */
         .purpose = "It is the rc of the ACK with rcv_cwnd_pend 0 that counts, no earlier one.",
         .preamble = "The FEP writes without an end in sight; NSCC is on.",
         .stimulus = "As in wish-ends-without-jump, with rc=1 beside rcv_cwnd_pend 127.",
         .expected = "As there; a jump is a finding.")
{
    ends_without_jump(tc, true);
}
