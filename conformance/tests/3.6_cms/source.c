/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.6.13: what a source with NSCC has in flight, while the tester is its congested target. */
#include "conformance/tests/congested.h"

#define MARKED  4u /* flights that are marked */
#define WINDOWS (MARKED + 3)

#define TRIGGER_MOST 32768u /* ACK_Gen_Trigger (Table 3-28) */

#define LONG_SERVICE (5 * UET_MS) /* above 2^15 units */

/*
 * In less than a base RTT the first packets are acknowledged late, with m=1; then all others
 * without delay, whose marks move nothing (CMS-043). What the FEP sends then.
 */
static void marks_of_a_moment(struct congested *c)
{
    const uint64_t begin = uet_tc_now(c->tc);
    uint32_t i = 0;

    while (i < c->n && uet_tc_now(c->tc) - begin < c->base_rtt / 2)
        answer(c, c->in[i++], &(struct echo){.m = true});
    for (; i < c->n; i++)
        answer(c, c->in[i], &(struct echo){.m = true, .served = true});
    next_flight(c);
}

UET_TEST(marks_cut_once, .id = "cms.3.6.13.6.marks-cut-once", .requirements = "CMS-044",
         .role = UET_ROLE_INITIATOR, .needs = "nscc", .params = "config_base_rtt sender_link_rate",
         .not_over = "all", /* some places tell the FEP of a shorter base RTT */
         .purpose = "All the marks of one moment cut the window once, and not below max_md_jump.",
         .preamble = "The FEP writes without an end in sight; NSCC is on; virtual time.",
         .stimulus =
             "For half a base RTT the packets of the first flight are acknowledged one by one, "
             "a millisecond late, with m=1; then all others with m=1 and a service_time "
             "of all of their time beyond config_base_rtt.",
         .expected = "In flight then: max_md_jump of what it was, a half where that is not told, "
                     "less a packet and its headers, at least. A FEP whose first flight is not "
                     "all that MaxWnd allows is skipped.")
{
    static struct congested c;
    uint64_t jump = 50;
    need_exact_delays(tc);
    (void)uet_tc_told(tc, "max_md_jump", &jump);
    fep_fills(&c, tc, 4);
    uint32_t before = c.bytes, packet = nominal_size(c.in[0]);
    if (c.n < FEWEST || before + 2 * packet < max_wnd(tc)) {
        drain(&c);
        uet_skip(tc, "%u packets in flight, %u bytes, are too few or not all that MaxWnd allows",
                 c.n, before);
    }
    marks_of_a_moment(&c);
    uet_check(tc, "CMS-044", c.bytes + 2ull * packet >= before * jump / 100,
              "%u bytes in flight, then %u: more than one cut, or one too deep", before, c.bytes);
    drain(&c);
}

UET_TEST(marks_shrink_the_window, .id = "cms.3.6.13.5.marks-shrink-the-window",
         .requirements = "CMS-044 CMS-031", .role = UET_ROLE_INITIATOR, .needs = "nscc",
         .params = "config_base_rtt sender_link_rate",
         .purpose = "A source whose packets are marked, and come back late, has fewer in flight.",
         .preamble = "The FEP writes without an end in sight; NSCC is on.",
         .stimulus = "ACK_CCs far later than config_base_rtt, of each packet, with service_time 0: "
                     "of one flight with m=0, then of four with m=1. In virtual time a flight is "
                     "between them whose service_time is all of the time beyond config_base_rtt.",
         .expected = "After the four, at least a quarter less in flight than before them. A window "
                     "that is halved once a base RTT, or cut by 1 - gamma x (delay - target) / "
                     "delay, is then far smaller; a FEP whose gamma is told to be below 0.11, or "
                     "max_md_jump above 0.93, is skipped.")
{
    static struct congested c;
    need_cuts(tc);
    uint32_t before = fep_fills_again(&c, tc, WINDOWS);
    if (uet_tc_virtual_time(tc)) { /* what it told is not to be used once it is 0 (CMS-031) */
        answer_flight(&c, .m = true, .served = true);
        next_flight(&c);
    }
    for (unsigned i = 0; i < MARKED; i++) {
        answer_flight(&c, .m = true);
        next_flight(&c);
    }
    uet_check(tc, "CMS-044", c.bytes <= before / 4 * 3,
              "%u bytes in flight before the marks, %u after %u flights of them", before, c.bytes,
              MARKED);
    drain(&c);
}

UET_TEST(service_time_is_no_delay, .id = "cms.3.6.13.1.service-time-is-no-delay",
         .requirements = "CMS-045 CMS-043", .role = UET_ROLE_INITIATOR, .needs = "nscc",
         .params = "config_base_rtt sender_link_rate",
         .not_over = "used after-read aged", /* these tell the FEP of a shorter base RTT */
         .purpose = "What a packet has waited in the target is no queueing delay, and a mark "
                    "without delay leaves the window alone.",
         .preamble = "The FEP writes without an end in sight; NSCC is on; virtual time, as the "
                     "network's share must be known to the microsecond.",
         .stimulus = "ACK_CCs as late as in marks-shrink-the-window, of four flights with m=1, of "
                     "the last one five milliseconds later if the RTO allows; but service_time is "
                     "all of the time beyond config_base_rtt.",
         .expected = "No less in flight than before, but for a packet.")
{
    static struct congested c;
    need_exact_delays(tc);
    uint32_t before = fep_fills_again(&c, tc, WINDOWS);
    for (unsigned i = 0; i < MARKED; i++) {
        if (i == MARKED - 1 && before_rto(tc) > 2 * LONG_SERVICE)
            uet_wait(tc, LONG_SERVICE);
        answer_flight(&c, .m = true, .served = true);
        next_flight(&c);
    }
    uet_check(tc, "CMS-045", c.bytes + nominal_size(c.in[0]) >= before,
              "%u bytes in flight before, %u after marks that came without delay", before, c.bytes);
    drain(&c);
}

/* No window is as large as what makes a destination answer by itself; and none so small, where it
 * can be chosen, that each packet nearly fills it and asks for that reason. */
static void need_small_window(struct uet_tc *tc)
{
    const uint64_t mtu = uet_tc_dut(tc)->payload_mtu;
    uint64_t trigger = TRIGGER_MOST;

    if (!uet_try_param(tc, "ACK_Gen_Trigger", trigger) &&
        !uet_tc_told(tc, "ACK_Gen_Trigger", &trigger))
        uet_skip(tc, "ACK_Gen_Trigger is not told");
    uint64_t most = trigger ? (trigger - 1) / mtu * mtu : 0;
    if (most < 3 * mtu)
        uet_skip(tc, "ACK_Gen_Trigger is %llu: a window below it is of less than three MTUs",
                 (unsigned long long)trigger);
    if (!uet_try_param(tc, "MaxWnd", most))
        most = max_wnd(tc);
    if (most >= trigger)
        uet_skip(tc, "the window may be %llu bytes, and ACK_Gen_Trigger is %llu",
                 (unsigned long long)most, (unsigned long long)trigger);
}

UET_TEST(
    small_window_asks, .id = "cms.3.6.13.5.small-window-asks", .requirements = "CMS-057",
    .role = UET_ROLE_INITIATOR, .needs = "nscc", .params = "config_base_rtt sender_link_rate",
    .purpose = "With a window below ACK_Gen_Trigger each packet asks for an ACK, for nobody else "
               "would bring one.",
    .preamble = "NSCC is on; ACK_Gen_Trigger is 32,768 bytes, and MaxWnd the most payload MTUs "
                "below it, where they can be set. A FEP whose window may be larger than the "
                "trigger, or is below three MTUs, is skipped.",
    .stimulus = "The FEP writes more than two windows; an ACK_CC for each packet.",
    .expected = "ar=1 in each packet of the first two flights.")
{
    static struct congested c;
    need_small_window(tc);
    fep_fills(&c, tc, 2);
    for (uint32_t i = 0; i < c.n; i++)
        field(tc, "CMS-057", c.in[i], UET_F_PDS_AR, 1);
    answer_flight(&c, .served = true);
    next_flight(&c);
    for (uint32_t i = 0; i < c.n; i++)
        field(tc, "CMS-057", c.in[i], UET_F_PDS_AR, 1);
    drain(&c);
}

UET_TEST(first_window, .id = "cms.3.6.13.4.first-window", .requirements = "CMS-037 CMS-039 CMS-057",
         .role = UET_ROLE_INITIATOR, .needs = "nscc", .params = "config_base_rtt sender_link_rate",
         .purpose = "Before the first ACK no more than MaxWnd is in flight, the last packet asks "
                    "for an ACK, and time opens nothing.",
         .preamble = "NSCC is on.",
         .stimulus = "The FEP writes more than MaxWnd; the tester stays silent.",
         .expected = "At most MaxWnd (told, or 1.5 BDP) in nominal bytes, and the headers of one "
                     "packet; ar=1 in the last; no new packet while nothing is answered.")
{
    static struct congested c;
    fep_fills(&c, tc, 2);
    uint64_t most = max_wnd(tc), headers = headers_of(c.in[0]);
    uet_check(tc, "CMS-037", c.bytes <= most + headers,
              "%u bytes in flight, where the first window is %llu", c.bytes,
              (unsigned long long)most);
    field(tc, "CMS-057", c.in[c.n - 1], UET_F_PDS_AR, 1);
    silence(tc, "CMS-039", REQUEST_ON(c.pdc), .within = before_rto(tc));
    drain(&c);
}
