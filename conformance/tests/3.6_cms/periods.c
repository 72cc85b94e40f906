/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * 3.6.13.6: when quick adapt acts, and to what, in periods whose length the test has set: a base
 * RTT and target_qdelay, two of RTT.
 */
#include "conformance/tests/3.6_cms/gains.h"

#define WINDOWS 6u
#define PERIOD  (2 * RTT)
#define OVER    (PERIOD * 11 / 10)
#define GATE    3u  /* qa_gate: eight packets of the 64 */
#define FEW     5u  /* packets that arrive in a period: less than the gate */
#define MANY    12u /* more than it */
#define TRIMMED 4u

#define NEEDS                                                                                      \
    .role = UET_ROLE_INITIATOR, .needs = "nscc", .params = "config_base_rtt sender_link_rate",     \
    .not_over = "all" /* some places tell the FEP of a shorter base RTT */
#define ON                                                                                         \
    "The FEP writes without an end in sight; NSCC is on; virtual time. config_base_rtt and "       \
    "target_qdelay are 200 us, so a period has 400; MaxWnd is 64 packets, qa_gate 3, and the "     \
    "gains of growth are as small as can be."

/* A flight of which packets up to `next` have their answer. */
struct flight {
    struct congested c;
    uint32_t next, before; /* before: what is in flight when nothing is answered */
};

static const struct echo served = {.served = true};

static void adapts_at(struct uet_tc *tc, uint64_t gate)
{
    need_rccc_off(tc);
    set_gains(tc, &(struct gains){0});
    uet_set_param(tc, "disable_quick_adapt", 0);
    uet_set_param(tc, "qa_gate", gate);
}

static void fills(struct flight *f, struct uet_tc *tc, uint64_t gate)
{
    adapts_at(tc, gate);
    f->before = fep_fills_again(&f->c, tc, WINDOWS);
    f->next = 0;
}

static void arrive(struct flight *f, uint32_t n, const struct echo *e)
{
    for (; n-- && f->next < f->c.n; f->next++)
        answer(&f->c, f->c.in[f->next], e);
}

static void trim(struct flight *f, uint32_t n, uint8_t code)
{
    if (!f->c.gap && n)
        f->c.gap = f->c.in[f->next];
    for (; n-- && f->next < f->c.n; f->next++)
        say_nack(f->c.tc, f->c.in[f->next], code);
}

/* The first ACK begins a period, in which so many arrive and are trimmed; when it is over comes one
 * more. */
static void period(struct flight *f, uint32_t n, uint32_t trims)
{
    arrive(f, 1, &served);
    arrive(f, n - 1, &served);
    trim(f, trims, UET_NACK_TRIMMED);
    uet_wait(f->c.tc, OVER);
    arrive(f, 1, &served);
}

/* All the rest is there, without a word of congestion; what is in flight then. */
static uint32_t rest(struct flight *f)
{
    struct congested *c = &f->c;
    const uint64_t now = uet_tc_now(c->tc);
    const struct echo e = {.served = true, .m = true};
    uint32_t n, bytes = 0;

    arrive(f, c->n, &e);
    uet_wait(c->tc, nack_delay(c->tc));
    next_flight(c); /* with what had been let go before the window was cut */
    for (n = 0; n < c->n && c->in[n]->time_ns < now; n++)
        answer(c, c->in[n], &e);
    for (; n < c->n; n++)
        bytes += nominal_size(c->in[n]);
    const struct uet_in *last = c->n ? c->in[c->n - 1] : NULL;
    next_flight(c);
    bytes += c->bytes;
    if (!c->n && last)
        c->in[c->n++] = last; /* what drain() begins with */
    return bytes;
}

static void not_cut(struct flight *f, const char *requirement, uint32_t trims, const char *why)
{
    const uint32_t packet = nominal_size(f->c.in[0]), now = rest(f);

    uet_check(f->c.tc, requirement, now + (trims + 2) * packet >= f->before,
              "%u bytes in flight at first, of which %u packets were trimmed; then %u, though %s",
              f->before, trims, now, why);
    drain(&f->c);
}

static void cut_to(struct flight *f, const char *requirement, uint32_t arrived)
{
    const uint32_t packet = nominal_size(f->c.in[0]), now = rest(f);

    uet_check(f->c.tc, requirement, now <= (arrived + 2) * packet,
              "%u bytes in flight, where %u packets had arrived in the period", now, arrived);
    uet_check(f->c.tc, requirement, now + 2 * packet >= arrived * packet,
              "%u bytes in flight, where %u packets had arrived in the period", now, arrived);
    drain(&f->c);
}

UET_TEST(adapts_after_a_period, .id = "cms.3.6.13.6.adapts-after-a-period",
         .requirements = "CMS-050", NEEDS,
         .purpose = "Quick adapt acts when base_rtt + target_qdelay are over, not later.",
         .preamble = ON,
         .stimulus = "Five packets of a flight are acknowledged, four get NACK UET_TRIMMED; 440 us "
                     "later one more ACK; then the rest, marked and without delay.",
         .expected = "In flight then: the five packets, within two.")
{
    static struct flight f;
    fills(&f, tc, GATE);
    period(&f, FEW, TRIMMED);
    cut_to(&f, "CMS-050", FEW);
}

UET_TEST(adapts_not_sooner, .id = "cms.3.6.13.adapts-not-within-a-period",
         .requirements = "CMS-051", NEEDS,
         .purpose = "Before base_rtt and target_qdelay are over trims cut by their size alone.",
         .preamble = ON,
         .stimulus = "Five packets of a flight are acknowledged; 300 us later four get NACK "
                     "UET_TRIMMED, and at once all others are acknowledged.",
         .expected = "As much in flight as before, but for the four and two packets.")
{
    static struct flight f;
    fills(&f, tc, GATE);
    arrive(&f, FEW, &served);
    uet_wait(tc, RTT * 3 / 2);
    trim(&f, TRIMMED, UET_NACK_TRIMMED);
    not_cut(&f, "CMS-051", TRIMMED, "the period was not over");
}

UET_TEST(adapts_for_trims_alone, .id = "cms.3.6.13.6.adapts-for-new-trims-alone",
         .requirements = "CMS-050", NEEDS,
         .purpose = "Trims that quick adapt has heeded bring it no second time.", .preamble = ON,
         .stimulus = "As in adapts-after-a-period; then a period in which two more packets are "
                     "acknowledged, and none is trimmed, and one more ACK when it is over.",
         .expected = "As there: the second period's would be two packets.")
{
    static struct flight f;
    fills(&f, tc, GATE);
    period(&f, FEW, TRIMMED);
    arrive(&f, 2, &served);
    uet_wait(tc, OVER);
    arrive(&f, 1, &served);
    cut_to(&f, "CMS-050", FEW);
}

UET_TEST(gate_keeps_it_shut, .id = "cms.3.6.13.6.much-arrives-nothing-adapts",
         .requirements = "CMS-049", NEEDS,
         .purpose = "Where MaxWnd >> qa_gate has arrived trims cut by their size alone.",
         .preamble = ON,
         .stimulus = "Twelve packets of a flight are acknowledged, four get NACK UET_TRIMMED; 440 "
                     "us later one more ACK; then the rest.",
         .expected = "As much in flight as before, but for the four and two packets.")
{
    static struct flight f;
    fills(&f, tc, GATE);
    period(&f, MANY, TRIMMED);
    not_cut(&f, "CMS-049", TRIMMED, "twelve arrived, and the gate is eight");
}

UET_TEST(gate_of_max_wnd, .id = "cms.3.6.13.6.gate-is-of-max-wnd", .requirements = "CMS-050", NEEDS,
         .purpose = "The gate of quick adapt is a part of MaxWnd, not of a window that is smaller.",
         .preamble = ON " But qa_gate is 1; a flight of marks has halved the window.",
         .stimulus = "Twenty packets of a flight are acknowledged, four get NACK UET_TRIMMED; 440 "
                     "us later one more ACK; then the rest.",
         .expected = "In flight then: the twenty packets, within two. A FEP whose window is less "
                     "than 26 packets, or all of MaxWnd, is skipped.")
{
    static struct flight f;
    fills(&f, tc, 1);
    answer_flight(&f.c, .m = true);
    next_flight(&f.c);
    if (f.c.n < 26 || f.c.n > 48) {
        drain(&f.c);
        uet_skip(tc, "%u packets in flight after a flight of marks", f.c.n);
    }
    period(&f, 20, TRIMMED);
    cut_to(&f, "CMS-050", 20);
}

UET_TEST(first_period_is_none, .id = "cms.3.6.13.6.first-trims-adapt-nothing",
         .requirements = "CMS-049", NEEDS,
         .purpose = "The first trims of a CCC, before a period has begun, cut by their size alone.",
         .preamble = ON,
         .stimulus = "The first four packets of the first flight get NACK UET_TRIMMED, all others "
                     "an ACK.",
         .expected = "As much in flight as before, but for the four and two packets.")
{
    static struct flight f;
    adapts_at(tc, GATE);
    fep_fills(&f.c, tc, WINDOWS);
    f.before = f.c.bytes;
    f.next = 0;
    if (f.before + 2 * nominal_size(f.c.in[0]) < max_wnd(tc)) {
        drain(&f.c);
        uet_skip(tc, "%u bytes in flight are not all that MaxWnd allows", f.before);
    }
    trim(&f, TRIMMED, UET_NACK_TRIMMED);
    not_cut(&f, "CMS-049", TRIMMED, "no period had begun");
}

UET_TEST(disabled, .id = "cms.3.6.13.6.disabled-adapts-nothing", .requirements = "CMS-049", NEEDS,
         .purpose = "With disable_quick_adapt trims cut by their size alone.",
         .preamble = ON " But disable_quick_adapt is on.",
         .stimulus = "As in adapts-after-a-period.",
         .expected = "As much in flight as before, but for the four and two packets.")
{
    static struct flight f;
    adapts_at(tc, GATE);
    uet_set_param(tc, "disable_quick_adapt", 1);
    f.before = fep_fills_again(&f.c, tc, WINDOWS);
    f.next = 0;
    period(&f, FEW, TRIMMED);
    not_cut(&f, "CMS-049", TRIMMED, "quick adapt is off");
}

/* Nothing trims: a delay above three targets brings quick adapt. Then this delay in a period in
 * which little arrives. */
static void delayed(struct flight *f, struct uet_tc *tc, uint64_t delay)
{
    uet_set_param(tc, "trimming", 0);
    uet_set_param(tc, "qa_threshold", 3 * RTT);
    fills(f, tc, GATE);
    arrive(f, FEW, &served);
    uet_wait(tc, OVER);
    arrive(f, 1, &(struct echo){.rtt_ns = RTT + delay});
}

#define NO_TRIMS ON " Nothing trims; qa_threshold is 600 us."

UET_TEST(adapts_to_delay, .id = "cms.3.6.13.6.adapts-to-delay", .requirements = "CMS-050", NEEDS,
         .purpose = "Where nothing trims a delay above qa_threshold brings quick adapt.",
         .preamble = NO_TRIMS,
         .stimulus = "Five packets of a flight are acknowledged; when the period is over, one more "
                     "with a delay of 700 us, unmarked; then the rest.",
         .expected = "In flight then: the five packets, within two.")
{
    static struct flight f;
    delayed(&f, tc, RTT * 7 / 2);
    cut_to(&f, "CMS-050", FEW);
}

UET_TEST(bears_some_delay, .id = "cms.3.6.13.6.bears-delay-below-the-threshold",
         .requirements = "CMS-042", NEEDS,
         .purpose = "A delay below qa_threshold brings no quick adapt.", .preamble = NO_TRIMS,
         .stimulus = "As in adapts-to-delay, with a delay of 500 us.",
         .expected = "As much in flight as before, but for two packets.")
{
    static struct flight f;
    delayed(&f, tc, RTT * 5 / 2);
    not_cut(&f, "CMS-042", 0, "the delay is below qa_threshold");
}

/*
 * The marks of the first flight are still ignored; but with the first of the second one more than
 * the gate has arrived since: trims of before bring no quick adapt.
 */
UET_TEST(old_flight_ends, .id = "cms.3.6.13.6.old-flight-ends-with-its-trims",
         .requirements = "CMS-044 CMS-052", NEEDS,
         .purpose = "What is trimmed of the flight before quick adapt is over with it: marks of "
                    "what comes behind it cut the window.",
         .preamble = ON,
         .stimulus = "Seven packets of a flight are acknowledged, four get NACK UET_TRIMMED; 440 "
                     "us later one more ACK, and NACK UET_TRIMMED for each of the rest. Then two "
                     "flights of marks with twice the target.",
         .expected = "Two packets less in flight after these than before, at least.")
{
    static struct flight f;
    struct congested *c = &f.c;
    need_refusals(tc, 2);
    fills(&f, tc, GATE);
    period(&f, 7, TRIMMED);
    trim(&f, c->n, UET_NACK_TRIMMED);
    next_flight(c);
    const uint32_t before = c->n;
    for (unsigned i = 0; i < 2 && c->n; i++) {
        answer_flight(c, .m = true, .rtt_ns = 3 * RTT);
        next_flight(c);
    }
    uet_check(tc, "CMS-044", c->n && c->n + 2 <= before,
              "%u packets in flight before two flights of marks, %u after", before, c->n);
    drain(c);
}
