/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.6.13.6: when a window grows, how fast, and up to where. */
#include "conformance/tests/3.6_cms/shrunk.h"

#define GROWING 8u /* flights in which it may grow */
#define WINDOWS (MARKED + GROWING + 2)
#define SEEN    4u /* packets: so many more are no accident */
#define FLAT    4u /* flights that change nothing */

#define FI_SCALE_LEAST 200u /* thousandths: eight flights of two packets come to six */

#define FASTER 64000u /* fi_scale, in thousandths: a packet that arrives adds 64 */

#define STRONGEST 127u /* rcv_cwnd_pend: about one packet in a round trip */
#define HALF      64u

#define NEEDS                                                                                      \
    .role = UET_ROLE_INITIATOR, .needs = "nscc", .params = "config_base_rtt sender_link_rate",     \
    .not_over = "all" /* long; and some places tell the FEP of a shorter base RTT */

static uint32_t shrunk(struct congested *c, struct uet_tc *tc)
{
    return shrunk_of(c, tc, WINDOWS);
}

/* The last of so many flights that are all answered so; none of them is above `most`. */
static uint32_t after(struct congested *c, unsigned flights, const struct echo *e,
                      const char *requirement, uint64_t most)
{
    for (unsigned i = 0; i < flights; i++) {
        uet_answer_flight(c, e);
        next_flight(c);
        uet_check(c->tc, requirement, c->bytes <= most,
                  "%u bytes in flight, where the window is %llu at most", c->bytes,
                  (unsigned long long)most);
    }
    return c->bytes;
}

/*
 * What so many flights add, each at least once in adjust_period_threshold, is more than twice what
 * is asked for. 0: the test sees to that itself.
 */
static void need_growth(struct uet_tc *tc, uint64_t a_flight, uint64_t asked)
{
    uint64_t rtt = uet_tc_param(tc, "config_base_rtt");

    if (asked && a_flight * GROWING < 2 * asked)
        uet_skip(tc, "a flight adds %llu bytes to a window of this FEP",
                 (unsigned long long)a_flight);
    if (told_or(tc, "adjust_period_threshold", rtt) > 4 * rtt)
        uet_skip(tc, "adjust_period_threshold is longer than a flight");
}

/* alpha x target_qdelay, for the bytes of a window: by the formula 4 MTUs, scaled by a and b. */
static uint64_t proportional(struct uet_tc *tc)
{
    const uint64_t least = uet_tc_param(tc, "config_base_rtt") * 3 / 4,
                   target = told_or(tc, "target_qdelay", least), alpha = told_or(tc, "alpha", 0);

    return alpha ? alpha * (target / 1000) / 1000000
                 : scaled(tc, 4ull * uet_tc_dut(tc)->payload_mtu) * target / (12 * UET_US);
}

/*
 * When all is well, and for as long as it is (fast increase, which goes by fi_scale alone), a small
 * window comes to four packets more.
 */
static void need_fast_growth(struct uet_tc *tc)
{
    const uint64_t fi_scale = told_or(tc, "fi_scale", scaled(tc, 250)); /* thousandths */

    need_growth(tc, proportional(tc), (uint64_t)SEEN * uet_tc_dut(tc)->payload_mtu);
    if (fi_scale < FI_SCALE_LEAST)
        uet_skip(tc, "fi_scale of this FEP is %llu thousandths: a small window grows slowly",
                 (unsigned long long)fi_scale);
}

UET_TEST(
    grows_when_all_is_well, .id = "cms.3.6.13.5.grows-when-all-is-well", .requirements = "CMS-041",
    NEEDS, .purpose = "Without marks and without delay a small window grows, up to MaxWnd.",
    .preamble = "The FEP writes without an end in sight; NSCC is on; four flights of marks have "
                "made its window small; virtual time.",
    .stimulus = "Eight flights with m=0, and service_time is all of the time beyond "
                "config_base_rtt.",
    .expected = "At least four packets more in flight, or all that MaxWnd holds; the formulas "
                "of Table 3-82 give more in two flights. Never more than MaxWnd and the headers "
                "of a packet.")
{
    static struct congested c;
    need_fast_growth(tc);
    uint32_t before = shrunk(&c, tc), packet = nominal_size(c.in[0]);
    uint64_t most = max_wnd(tc) + headers_of(c.in[0]);
    uint32_t now = after(&c, GROWING, &(struct echo){.served = true}, "CMS-041", most);
    uet_check(tc, "CMS-041", now >= before + SEEN * packet || now + 2 * packet >= most,
              "%u bytes in flight before, %u after %u flights without marks and delay", before, now,
              GROWING);
    drain(&c);
}

/*
 * The delay is half of the target, so growth is proportional (3.6.13.6), by two packets in a flight
 * that fills the window: alpha x (target_qdelay - delay).
 */
static uint64_t set_two_packets(struct uet_tc *tc)
{
    uint64_t target = 0, quick_adapt = 0, rtt = uet_tc_param(tc, "config_base_rtt");

    uet_try_param(tc, "target_qdelay", rtt);
    if (!uet_tc_told(tc, "target_qdelay", &target) || !target)
        uet_skip_for(tc, UET_SKIP_PARAMETER, "target_qdelay is not told");
    uint64_t delay = target / 2;
    uet_try_param(tc, "fast_increase_tolerance", NO_DELAY);
    if (delay < 2 * NO_DELAY)
        uet_skip(tc, "half of target_qdelay is %llu ns, which may be no delay",
                 (unsigned long long)delay);
    if (uet_tc_told(tc, "qa_threshold", &quick_adapt) && quick_adapt && quick_adapt <= delay)
        uet_skip(tc, "a delay of %llu ns is not below qa_threshold", (unsigned long long)delay);
    uet_set_param(tc, "alpha", 2ull * uet_tc_dut(tc)->payload_mtu * 1000000000 / (target - delay));
    uet_try_param(tc, "eta", 1);
    return delay;
}

UET_TEST(grows_by_alpha, .id = "cms.3.6.13.6.grows-by-alpha", .requirements = "CMS-041", NEEDS,
         .purpose = "Below the target, but with some delay, a window grows by alpha.",
         .preamble =
             "As in grows-when-all-is-well; alpha is set so that half of target_qdelay adds "
             "two packets for each window that arrives, and eta to a byte, where it can "
             "be set.",
         .stimulus = "Sixteen flights with m=0; service_time is all of the time beyond "
                     "config_base_rtt and half of target_qdelay. The first eight make room: of a "
                     "window of a packet or two half may stay empty.",
         .expected = "More in flight after the last eight, by half of what alpha says at "
                     "least, for what a flight adds may be counted in the next one; or all that "
                     "MaxWnd holds. Never more than that and the headers of a packet.")
{
    static struct congested c;
    const uint64_t delay = set_two_packets(tc);
    need_growth(tc, 0, 0);
    (void)shrunk(&c, tc);
    uint32_t packet = nominal_size(c.in[0]);
    uint32_t least = GROWING * 2 * uet_tc_dut(tc)->payload_mtu / 2;
    const struct echo some = {.rtt_ns = c.base_rtt + delay};
    uint64_t most = max_wnd(tc) + headers_of(c.in[0]);
    uint32_t before = after(&c, GROWING, &some, "CMS-041", most);
    uint32_t now = after(&c, GROWING, &some, "CMS-041", most);
    uet_check(tc, "CMS-041", now >= before + least || now + 2 * packet >= most,
              "%u bytes in flight before, %u after; alpha adds two packets in each of %u flights",
              before, now, GROWING);
    drain(&c);
}

/* So many more packets are in flight, or all that MaxWnd holds. */
static bool has_grown(const struct congested *c, uint32_t before, uint32_t packet, uint64_t most)
{
    return c->bytes >= before + SEEN * packet || c->bytes + 2 * packet >= most;
}

#define PERIOD (4 * UET_MS)   /* adjust_period_threshold, of which ... */
#define PAUSE  (PERIOD / 64u) /* ... a flight takes this, and its packets come closer together */

static void flight_in_period(struct congested *c, const struct echo *e)
{
    uet_answer_flight(c, e);
    (void)take_some_within(
        c, maybe(c->tc, .kind = UET_WANT_REQUEST, .pdc = c->pdc, .within = PAUSE), PAUSE);
}

/* What some flights of this window are is more than twice what is applied at once. */
static void need_applied_bytes(struct congested *c)
{
    const uint64_t formula = 8ull * uet_tc_dut(c->tc)->payload_mtu;
    const uint64_t threshold = told_or(c->tc, "adjust_bytes_threshold", formula);

    if (c->bytes * (uint64_t)GROWING >= 2 * threshold)
        return;
    drain(c);
    uet_skip(c->tc, "adjust_bytes_threshold is %llu, and %u bytes are in flight",
             (unsigned long long)threshold, c->bytes);
}

UET_TEST(grows_by_bytes, .id = "cms.3.6.13.5.grows-before-the-period-ends",
         .requirements = "CMS-041", NEEDS,
         .purpose = "What a window is to grow by is applied after adjust_bytes_threshold, though "
                    "adjust_period_threshold is not over.",
         .preamble = "As in grows-by-alpha; adjust_period_threshold is 4 ms, and "
                     "adjust_bytes_threshold a packet, where it can be set.",
         .stimulus = "When a period has ended, eight flights, one at once behind the other, as "
                     "in grows-by-alpha.",
         .expected = "At least four packets more in flight, or all that MaxWnd holds; alpha says "
                     "sixteen.")
{
    static struct congested c;
    const uint64_t delay = set_two_packets(tc);
    uet_set_param(tc, "adjust_period_threshold", PERIOD);
    uet_try_param(tc, "adjust_bytes_threshold", uet_tc_dut(tc)->payload_mtu);
    (void)shrunk(&c, tc);
    const struct echo some = {.rtt_ns = c.base_rtt + delay};
    uint64_t most = max_wnd(tc) + headers_of(c.in[0]);
    uint32_t packet = nominal_size(c.in[0]);
    uet_wait(tc, PERIOD);
    flight_in_period(&c, &some); /* its first ACK ends the period */
    uint32_t before = c.bytes;
    uint64_t begun = uet_tc_now(tc);
    need_applied_bytes(&c);
    for (unsigned i = 0; i < GROWING; i++)
        flight_in_period(&c, &some);
    bool in_time = uet_tc_now(tc) - begun < PERIOD / 2;
    if (in_time)
        uet_check(tc, "CMS-041", has_grown(&c, before, packet, most),
                  "%u bytes in flight before, %u after %u flights in one period", before, c.bytes,
                  GROWING);
    drain(&c);
    if (!in_time)
        uet_skip(tc, "these flights take more than half of a period");
}

UET_TEST(grows_evenly_in_a_queue, .id = "cms.3.6.13.6.grows-evenly-in-a-queue",
         .requirements = "CMS-042", NEEDS,
         .purpose = "Without marks, but with a delay above the target, a window grows by a fixed "
                    "amount.",
         .preamble = "As in grows-when-all-is-well; fi set to two packets, where it can be set.",
         .stimulus = "Eight flights with m=0; service_time is all of the time beyond three "
                     "config_base_rtt, so the delay is above target_qdelay and below qa_threshold.",
         .expected =
             "More in flight after the eight, by four times fi at least where that was set, or all "
             "that MaxWnd holds; and in the second four it grew no more than in "
             "the first four and half of that, but for two packets.")
{
    static struct congested c;
    need_between(tc, 2 * uet_tc_param(tc, "config_base_rtt"));
    const uint32_t mtu = uet_tc_dut(tc)->payload_mtu, fi = 2 * mtu;
    bool fixed = uet_try_param(tc, "fi", fi);
    need_growth(tc, fixed ? fi : told_or(tc, "fi", scaled(tc, 5ull * mtu)), mtu);
    uint32_t before = shrunk(&c, tc), packet = nominal_size(c.in[0]);
    uint32_t least = fixed ? GROWING / 2 * fi : packet;
    const struct echo queue = {.rtt_ns = 3 * c.base_rtt};
    uint64_t most = max_wnd(tc) + headers_of(c.in[0]);
    uint32_t half = after(&c, GROWING / 2, &queue, "CMS-042", most);
    uint32_t now = after(&c, GROWING / 2, &queue, "CMS-042", most);
    uet_check(tc, "CMS-042", now >= before + least || now + 2 * packet >= most,
              "%u bytes in flight before, %u after", before, now);
    uet_check(tc, "CMS-042", now - half <= (half - before) * 3 / 2 + 2 * packet || now < half,
              "%u bytes in flight, then %u, then %u: that is no even growth", before, half, now);
    drain(&c);
}

/*
 * A flight of half of the RTT lowers the ceiling to no less than that gives: base_rtt is exact to a
 * unit (3.6.13.3), and longer than this by the way to the tester.
 */
static void has_ceiling_of_half(struct congested *c, uint64_t full)
{
    struct uet_tc *tc = c->tc;
    uint64_t least =
        uet_tc_param(tc, "sender_link_rate") * (c->base_rtt / 2 - UET_SERVICE_UNIT) * 3;

    least = least / 16000 < full ? least / 16000 : full;
    after(c, 1, &(struct echo){.rtt_ns = c->base_rtt / 2}, "CMS-048",
          max_wnd(tc) + headers_of(c->in[0]));
    uet_check(tc, "CMS-048", c->bytes + nominal_size(c->in[0]) >= least,
              "%u bytes in flight, where 1.5 BDP of half the RTT are %llu", c->bytes,
              (unsigned long long)least);
}

/* 1.5 x sender_link_rate x half of config_base_rtt, or a packet, and the headers of one. */
static uint64_t most_of_half(const struct congested *c)
{
    uint64_t half = uet_tc_param(c->tc, "sender_link_rate") * c->base_rtt * 3 / 32000;
    uint64_t mtu = uet_tc_dut(c->tc)->payload_mtu;

    return (half > mtu ? half : mtu) + headers_of(c->in[0]);
}

UET_TEST(
    ceiling_follows_base_rtt, .id = "cms.3.6.13.6.ceiling-follows-base-rtt",
    .requirements = "CMS-048", NEEDS,
    .purpose = "A shorter RTT lowers the ceiling of the window, and a longer one does not raise "
               "it again.",
    .preamble = "The FEP writes without an end in sight; NSCC is on; virtual time.",
    .stimulus = "A flight whose service_time leaves half of config_base_rtt; one that leaves a "
                "quarter; then four with m=0 and all of it.",
    .expected = "After the first one no less in flight than 1.5 x sender_link_rate x half of "
                "config_base_rtt (less 128 ns, its resolution), or than before, but for a packet; "
                "after the others not more than that and the headers of a packet.")
{
    static struct congested c;
    need_exact_delays(tc);
    uint64_t full = fep_fills_again(&c, tc, WINDOWS), most = most_of_half(&c);
    has_ceiling_of_half(&c, full);
    after(&c, 1, &(struct echo){.rtt_ns = c.base_rtt / 4}, "CMS-048", most);
    after(&c, FLAT, &(struct echo){.served = true}, "CMS-048", most);
    drain(&c);
}

/* The flight, as soon as nothing more has come for an eighth of a base RTT; what came last. */
static const struct uet_in *flight_at_once(struct congested *c)
{
    const struct uet_in *first = maybe(c->tc, .kind = UET_WANT_REQUEST, .pdc = c->pdc);

    if (!take_some_within(c, first, c->base_rtt / 8) || !c->n)
        uet_skip(c->tc, "the FEP has no more in flight, or more than %u packets", FLIGHT_MOST);
    return c->in[c->n - 1];
}

UET_TEST(rtt_without_service_time, .id = "cms.3.6.9.2.rtt-without-service-time",
         .requirements = "CMS-031 CMS-048", NEEDS,
         .purpose =
             "An ACK whose service_time is 0 tells an RTT as any other: one that is shorter than "
             "all before is the base RTT, and lowers the ceiling of the window.",
         .preamble = "The FEP writes without an end in sight; NSCC is on; virtual time.",
         .stimulus =
             "One ACK_CC for a whole flight, an eighth of config_base_rtt after its last packet, "
             "which it names, and with service_time 0; then four flights as in "
             "ceiling-follows-base-rtt.",
         .expected = "After that ACK not more in flight than 1.5 x sender_link_rate x half of "
                     "config_base_rtt and the headers of a packet.")
{
    static struct congested c;
    need_exact_delays(tc);
    (void)fep_fills_again(&c, tc, WINDOWS);
    uint64_t most = most_of_half(&c);
    answer_flight(&c, .served = true);
    const struct uet_in *last = flight_at_once(&c);
    c.rcvd += c.bytes - nominal_size(last);
    if (uet_tc_now(tc) - last->time_ns >= c.base_rtt / 4)
        uet_skip(tc, "the base RTT is too short for this test");
    answer_with(&c, last, psn_of(last), &(struct echo){.m = false});
    next_flight(&c);
    uet_check(tc, "CMS-031", c.bytes <= most,
              "%u bytes in flight, where the window is %llu at most", c.bytes,
              (unsigned long long)most);
    after(&c, FLAT, &(struct echo){.served = true}, "CMS-031", most);
    drain(&c);
}

UET_TEST(
    nack_tells_rtt, .id = "cms.3.6.13.1.nack-tells-the-base-rtt", .requirements = "CMS-048", NEEDS,
    .purpose = "A NACK tells an RTT, too: one that is shorter than all before is the base RTT, "
               "and lowers the ceiling of the window.",
    .preamble = "The FEP writes without an end in sight; NSCC is on, RCCC is not; virtual "
                "time.",
    .stimulus = "NACK UET_NO_PKT_BUFFER for the last packet of a flight, an eighth of "
                "config_base_rtt after it; for the others, and in four flights behind them, "
                "service_time is all of the time but config_base_rtt.",
    .expected = "As in rtt-without-service-time.")
{
    static struct congested c;
    need_exact_delays(tc);
    need_rccc_off(tc);
    (void)fep_fills_again(&c, tc, WINDOWS);
    uint64_t most = most_of_half(&c);
    answer_flight(&c, .served = true);
    const struct uet_in *last = flight_at_once(&c);
    if (uet_tc_now(tc) - last->time_ns >= c.base_rtt / 4)
        uet_skip(tc, "the base RTT is too short for this test");
    say_nack(tc, last, UET_NACK_NO_PKT_BUFFER);
    c.n--;
    answer_flight(&c, .served = true);
    uet_wait(tc, nack_delay(tc));
    next_flight(&c);
    after(&c, FLAT, &(struct echo){.served = true}, "CMS-048", most);
    drain(&c);
}

/*
 * A wish also cuts a window to what is in flight (3.6.13.6), and so each ACK takes back what growth
 * by the formulas would have added with the one before: of faster growth the last one leaves much.
 * The delay is none whatever the way to the tester takes: base_rtt becomes what the first ACK
 * tells.
 */
UET_TEST(wish_stops_growth, .id = "cms.3.6.13.5.wish-stops-growth", .requirements = "CMS-065",
         NEEDS, .purpose = "An ACK with a rcv_cwnd_pend, be it small, brings no growth.",
         .preamble = "As in grows-when-all-is-well; fi_scale is 64 and eta a byte, where they can "
                     "be set: fast increase would show, and what time alone adds does not.",
         .stimulus = "Eight flights with m=0 and rcv_cwnd_pend 1; service_time leaves half of "
                     "config_base_rtt, which is the base RTT from then on: no delay.",
         .expected = "Not more in flight than before, but for a packet.")
{
    static struct congested c;
    uet_try_param(tc, "fi_scale", FASTER);
    need_no_eta(tc, GROWING);
    uint32_t before = shrunk(&c, tc), packet = nominal_size(c.in[0]);
    const struct echo none = {.rtt_ns = c.base_rtt / 2, .pend = 1};
    after(&c, GROWING, &none, "CMS-065", before + packet);
    drain(&c);
}

UET_TEST(wish_stops_even_growth, .id = "cms.3.6.13.5.wish-stops-even-growth",
         .requirements = "CMS-065", NEEDS,
         .purpose = "An ACK with a rcv_cwnd_pend brings no growth where the delay is above the "
                    "target, either.",
         .preamble =
             "As in grows-evenly-in-a-queue; fi is MaxWnd and eta a byte, where they can be set.",
         .stimulus = "As there, with rcv_cwnd_pend 1.",
         .expected = "Not more in flight than before, but for a packet.")
{
    static struct congested c;
    need_between(tc, 2 * uet_tc_param(tc, "config_base_rtt"));
    uet_try_param(tc, "fi", max_wnd(tc));
    need_no_eta(tc, GROWING);
    uint32_t before = shrunk(&c, tc), packet = nominal_size(c.in[0]);
    const struct echo queue = {.rtt_ns = 3 * c.base_rtt, .pend = 1};
    after(&c, GROWING, &queue, "CMS-065", before + packet);
    drain(&c);
}

UET_TEST(no_wish_changes_nothing, .id = "cms.3.6.13.2.no-wish-changes-nothing",
         .requirements = "CMS-064", NEEDS,
         .purpose = "rcv_cwnd_pend 0 asks for nothing, with rc or without.",
         .preamble = "The FEP writes without an end in sight; NSCC is on; virtual time.",
         .stimulus =
             "Four flights with rcv_cwnd_pend 0 and rc=1, m=1, without delay: the window is "
             "to stay as it is.",
         .expected = "As much in flight as before, but for a packet.")
{
    static struct congested c;
    need_exact_delays(tc);
    uint32_t before = fep_fills_again(&c, tc, WINDOWS), packet = nominal_size(c.in[0]);
    for (unsigned i = 0; i < FLAT; i++) {
        answer_flight(&c, .m = true, .served = true, .rc = true);
        next_flight(&c);
    }
    uet_check(tc, "CMS-064", c.bytes + packet >= before && c.bytes <= before + packet,
              "%u bytes in flight before, %u after ACKs that ask for nothing", before, c.bytes);
    drain(&c);
}

UET_TEST(restored_below_ceiling, .id = "cms.3.6.13.6.restored-below-the-ceiling",
         .requirements = "CMS-066 CMS-048", NEEDS,
         .purpose = "The window that rc=1 gives back is no larger than the ceiling of then.",
         .preamble = "The FEP writes without an end in sight; NSCC is on; virtual time.",
         .stimulus =
             "A flight with rcv_cwnd_pend 1; one more whose service_time leaves a quarter of "
             "config_base_rtt; then two with rcv_cwnd_pend 0 and rc=1.",
         .expected = "After them not more in flight than 1.5 x sender_link_rate x half of "
                     "config_base_rtt and the headers of a packet.")
{
    static struct congested c;
    need_exact_delays(tc);
    (void)fep_fills_again(&c, tc, WINDOWS);
    const uint64_t most = most_of_half(&c);
    answer_flight(&c, .pend = 1, .served = true);
    next_flight(&c);
    answer_flight(&c, .pend = 1, .rtt_ns = c.base_rtt / 4);
    next_flight(&c);
    after(&c, 2, &(struct echo){.rc = true, .served = true}, "CMS-066", most);
    drain(&c);
}

UET_TEST(wish_leaves_nothing, .id = "cms.3.6.13.2.wish-leaves-nothing",
         .requirements = "CMS-064 CMS-063", NEEDS, .contested = true,
         .purpose = "A wish that ended with rc=0 is over, and another one is heard.",
         .preamble = "The FEP writes without an end in sight; NSCC is on; virtual time.",
         .stimulus = "A flight with rcv_cwnd_pend 127; eight with 0 and rc=0, without marks and "
                     "delay; one with rcv_cwnd_pend 64.",
         .expected = "After the eight at least four packets more in flight, or all that MaxWnd "
                     "holds; after the last one at most half of that, and a packet.")
{
    static struct congested c;
    need_exact_delays(tc);
    need_fast_growth(tc);
    fep_fills_again(&c, tc, GROWING + 4);
    uint64_t most = max_wnd(tc) + headers_of(c.in[0]);
    uint32_t packet = nominal_size(c.in[0]);
    answer_flight(&c, .pend = STRONGEST, .served = true);
    next_flight(&c);
    uint32_t before = c.bytes;
    uint32_t now = after(&c, GROWING, &(struct echo){.served = true}, "CMS-041", most);
    uet_check(
        tc, "CMS-064", has_grown(&c, before, packet, most),
        "%u bytes in flight at the end of a wish, %u after %u flights without marks and delay",
        before, now, GROWING);
    answer_flight(&c, .pend = HALF, .served = true);
    next_flight(&c);
    uet_check(tc, "CMS-063", c.bytes <= now / 2 + packet,
              "%u bytes in flight before the second wish, %u after it", now, c.bytes);
    drain(&c);
}

UET_TEST(wish_gives_back_its_own, .id = "cms.3.6.13.6.wish-gives-back-its-own",
         .requirements = "CMS-066", NEEDS,
         .purpose = "rc=1 brings back the window from before this wish, not an earlier one.",
         .preamble = "The FEP writes without an end in sight; NSCC is on; virtual time.",
         .stimulus = "A flight with rcv_cwnd_pend 64, and one with 0 and rc=1; four flights of "
                     "marks, which make the window small; then the same two again. Without delay, "
                     "but for the marks; those with rc=1 have m=1, so nothing else grows.",
         .expected = "In the end no more in flight than before the second wish, but for a packet.")
{
    static struct congested c;
    uint32_t before = 0, packet = 0, full = 0;
    need_exact_delays(tc);
    for (unsigned i = 0; i < 2; i++) {
        if (i == 0)
            full = fep_fills_again(&c, tc, WINDOWS);
        for (unsigned k = 0; i == 1 && k < MARKED; k++) {
            answer_flight(&c, .m = true);
            next_flight(&c);
        }
        before = c.bytes;
        packet = nominal_size(c.in[0]);
        answer_flight(&c, .pend = HALF, .served = true);
        next_flight(&c);
        answer_flight(&c, .rc = true, .m = true, .served = true);
        next_flight(&c);
    }
    bool small = before + 2 * packet < full;
    if (small)
        uet_check(tc, "CMS-066", c.bytes <= before + packet,
                  "%u bytes in flight before the second wish, %u after its end", before, c.bytes);
    drain(&c);
    if (!small)
        uet_skip(tc, "%u bytes in flight before marks, %u after: they make no window small here",
                 full, before);
}

UET_TEST(mark_alone_moves_nothing, .id = "cms.3.6.13.5.mark-alone-moves-nothing",
         .requirements = "CMS-043", NEEDS,
         .purpose = "A mark without delay leaves a small window as it is.",
         .preamble = "As in grows-when-all-is-well.",
         .stimulus = "Eight flights with m=1, and service_time is all of the time beyond "
                     "config_base_rtt.",
         .expected = "As much in flight as before, but for a packet.")
{
    static struct congested c;
    uint32_t before = shrunk(&c, tc), packet = nominal_size(c.in[0]);
    const struct echo marked = {.served = true, .m = true};
    after(&c, GROWING, &marked, "CMS-043", before + packet);
    uet_check(tc, "CMS-043", c.bytes + packet >= before, "%u bytes in flight before, %u after",
              before, c.bytes);
    drain(&c);
}

UET_TEST(
    each_delay_by_itself, .id = "cms.3.6.13.5.each-delay-by-itself", .requirements = "CMS-043",
    NEEDS, .purpose = "A mark without delay moves no window, though packets before it were late.",
    .preamble = "The FEP writes without an end in sight; NSCC is on; virtual time.",
    .stimulus = "A flight: the first half of its ACKs with m=0 and a delay above target_qdelay "
                "and below qa_threshold, the second half with m=1 and none.",
    .expected = "As much in flight as before, but for a packet.")
{
    static struct congested c;
    need_exact_delays(tc);
    need_between(tc, 2 * uet_tc_param(tc, "config_base_rtt"));
    uint32_t before = fep_fills_again(&c, tc, WINDOWS), packet = nominal_size(c.in[0]);
    const struct echo late = {.rtt_ns = 3 * c.base_rtt}, marked = {.m = true, .served = true};
    for (uint32_t i = 0; i < c.n; i++)
        answer(&c, c.in[i], i < c.n / 2 ? &late : &marked);
    next_flight(&c);
    uet_check(tc, "CMS-043", c.bytes + packet >= before,
              "%u bytes in flight before, %u after marks without delay", before, c.bytes);
    drain(&c);
}

UET_TEST(idle_then_again, .id = "cms.3.6.6.idle-then-again", .requirements = "CMS-110", NEEDS,
         .purpose = "When all is acknowledged, what comes later starts again.",
         .preamble = "The FEP has written more than a window, and all of it is acknowledged.",
         .stimulus = "Ten config_base_rtt later it writes once more.",
         .expected = "The write comes, and completes.")
{
    static struct congested c;
    fep_fills(&c, tc, 2);
    drain(&c);
    uet_wait(tc, 10 * c.base_rtt);
    uint64_t handle;
    uet_for(tc, "CMS-110");
    fep_writes_on(tc, &c.pdc, 4u * uet_tc_dut(tc)->payload_mtu, &handle);
    completes(tc, "CMS-110", handle, UET_UT_OK);
}
