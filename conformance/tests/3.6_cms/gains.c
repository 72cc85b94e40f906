/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * 3.6.13.6: by how much a window moves, flight after flight, where the test has set the gains of
 * Table 3-82. What it should come to follows from them, within a quarter and a packet.
 */
#include "conformance/tests/3.6_cms/gains.h"

#define FLIGHTS 6u    /* of each kind */
#define LEVEL   8u    /* flights in which any mean comes to what all of them tell */
#define WINDOWS 28u   /* a little more than all flights of a test */
#define DOUBLES 1000u /* fi_scale, in thousandths */

#define NEEDS                                                                                      \
    .role = UET_ROLE_INITIATOR, .needs = "nscc", .params = "config_base_rtt sender_link_rate",     \
    .not_over = "all" /* long; and some places tell the FEP of a shorter base RTT */

/* What flights should have added: between these. */
struct span {
    uint64_t least, most;
};

/* Four flights of marks, each of which leaves 0.6 at most, and little growth beside them. */
static uint32_t small(struct congested *c, struct uet_tc *tc, const char *requirement)
{
    uint32_t bytes = shrunk_of(c, tc, WINDOWS);

    uet_check(tc, requirement, bytes <= max_wnd(tc) / 2,
              "%u bytes in flight after %u flights with marks and a long delay", bytes, MARKED);
    return bytes;
}

static void flight(struct congested *c, const struct echo *e)
{
    uet_answer_flight(c, e);
    next_flight(c);
}

/*
 * Some flights; one that fills the window adds `a_window` to it, and any one `a_flight`. What is in
 * flight is less than the window by less than a packet, or more by headers.
 */
static void flights_add(struct congested *c, const struct echo *e, uint64_t a_window,
                        uint64_t a_flight, struct span *s)
{
    for (unsigned i = 0; i < FLIGHTS && c->n; i++) {
        uint64_t window = c->bytes;
        s->least += a_window * window / (window + nominal_size(c->in[0])) + a_flight;
        s->most += a_window * window / (window - headers_of(c->in[0])) + a_flight;
        flight(c, e);
    }
}

static void has_grown_by(struct congested *c, const char *requirement, uint32_t before,
                         const struct span *s)
{
    uint32_t mtu = uet_tc_dut(c->tc)->payload_mtu;
    uint32_t packet = c->n ? nominal_size(c->in[0]) : mtu, slack = 2 * packet - mtu;
    uint64_t least = before + s->least * 3 / 4, most = before + s->most * 5 / 4;

    uet_check(c->tc, requirement,
              c->bytes + slack >= least || c->bytes + 2 * packet >= max_wnd(c->tc),
              "%u bytes in flight before, %u after; the gains add %llu", before, c->bytes,
              (unsigned long long)s->least);
    uet_check(c->tc, requirement, c->bytes <= most + slack,
              "%u bytes in flight before, %u after; the gains add %llu", before, c->bytes,
              (unsigned long long)s->most);
}

#define ON                                                                                         \
    "The FEP writes without an end in sight; NSCC is on; four flights of marks have made its "     \
    "window small; virtual time. target_qdelay is config_base_rtt; gains that are not named are "  \
    "as small as can be."

UET_TEST(alpha_by_delay, .id = "cms.3.6.13.6.alpha-by-each-delay", .requirements = "CMS-041", NEEDS,
         .purpose = "Below the target a window grows by alpha and by what each packet's delay "
                    "lacks to the target.",
         .preamble = ON " alpha adds four packets to a window at no delay.",
         .stimulus =
             "Six flights with a delay of a quarter of the target, but for the first ACK of "
             "each, whose delay is three quarters; then six with three quarters.",
         .expected = "The first six add three packets each, the others one: within a quarter, and "
                     "a packet.")
{
    static struct congested c;
    const uint64_t mtu = uet_tc_dut(tc)->payload_mtu;
    const struct echo early = {.rtt_ns = RTT + RTT / 4}, late = {.rtt_ns = RTT + RTT * 3 / 4};
    set_gains(tc, &(struct gains){.alpha = 4 * mtu * 1000000000 / RTT});
    uint32_t before = small(&c, tc, "CMS-041");
    struct span s = {0, 0};
    for (unsigned i = 0; i < FLIGHTS && c.n; i++) {
        s.least += 3 * mtu * (c.bytes - nominal_size(c.in[0])) / (c.bytes + nominal_size(c.in[0]));
        s.most += 3 * mtu * c.bytes / (c.bytes - headers_of(c.in[0]));
        for (uint32_t k = 0; k < c.n; k++)
            answer(&c, c.in[k], k ? &early : &late);
        next_flight(&c);
    }
    has_grown_by(&c, "CMS-041", before, &s);
    before = c.bytes;
    s = (struct span){0, 0};
    flights_add(&c, &late, mtu, 0, &s);
    has_grown_by(&c, "CMS-041", before, &s);
    drain(&c);
}

UET_TEST(fi_a_window, .id = "cms.3.6.13.6.fi-for-each-window", .requirements = "CMS-042", NEEDS,
         .purpose = "Without marks, but above the target, a window grows by fi, whatever its size.",
         .preamble = ON " fi is two packets.",
         .stimulus =
             "Six flights with m=0 and a delay of 1.25 times the target, and six with twice the "
             "target.",
         .expected = "Each six add two packets each, within a quarter, and a packet.")
{
    static struct congested c;
    const uint64_t fi = 2ull * uet_tc_dut(tc)->payload_mtu;
    set_gains(tc, &(struct gains){.fi = fi});
    uint32_t before = small(&c, tc, "CMS-042");
    for (unsigned i = 0; i < 2; i++) {
        struct span s = {0, 0};
        flights_add(&c, &(struct echo){.rtt_ns = i ? 3 * RTT : RTT * 9 / 4}, fi, 0, &s);
        has_grown_by(&c, "CMS-042", before, &s);
        before = c.bytes;
    }
    drain(&c);
}

UET_TEST(eta_a_period, .id = "cms.3.6.13.6.eta-once-a-period", .requirements = "CMS-041", NEEDS,
         .purpose = "Once in adjust_period_threshold a window grows by eta.",
         .preamble = ON " eta is two packets; adjust_period_threshold is config_base_rtt.",
         .stimulus = "Six flights, each later than a period behind the one before, with m=0 and a "
                     "delay of half the target.",
         .expected = "They add two packets each, within a quarter, and a packet.")
{
    static struct congested c;
    const uint64_t eta = 2ull * uet_tc_dut(tc)->payload_mtu;
    set_gains(tc, &(struct gains){.eta = eta});
    uint32_t before = small(&c, tc, "CMS-041");
    struct span s = {0, 0};
    flights_add(&c, &(struct echo){.rtt_ns = RTT + RTT / 2}, 0, eta, &s);
    has_grown_by(&c, "CMS-041", before, &s);
    drain(&c);
}

/* It is as long as before, but for a packet. */
static void stays(struct congested *c, uint32_t before, const char *after)
{
    uint32_t slack = nominal_size(c->in[0]) + 2 * headers_of(c->in[0]);

    uet_check(c->tc, "CMS-041", c->bytes <= before + slack, "%u bytes in flight before, %u %s",
              before, c->bytes, after);
}

UET_TEST(fast_after_a_window, .id = "cms.3.6.13.6.fast-after-a-window", .requirements = "CMS-041",
         NEEDS,
         .purpose = "When a window has come without delay the next ones grow by fi_scale; a delay, "
                    "or a mark with one, ends that, and a window without is counted anew.",
         .preamble = ON " fi_scale doubles a window.",
         .stimulus = "A flight without delay; three more; one with a delay of half the target; one "
                     "without; another one; one with marks and twice the target; one without.",
         .expected = "The first one without delay, and the first ones behind a delay and behind "
                     "marks, add nothing, within a packet. The three: eight times as much, "
                     "within a half and two packets, or all that MaxWnd holds.")
{
    static struct congested c;
    const struct echo none = {.served = true}, some = {.rtt_ns = RTT + RTT / 2},
                      marked = {.rtt_ns = 3 * RTT, .m = true};
    set_gains(tc, &(struct gains){.fi_scale = DOUBLES});
    uint32_t before = small(&c, tc, "CMS-041"), packet = nominal_size(c.in[0]);
    flight(&c, &none);
    stays(&c, before, "after one flight without delay");
    for (unsigned i = 0; i < 3; i++)
        flight(&c, &none);
    uet_check(tc, "CMS-041", c.bytes >= before * 4 || c.bytes + 2 * packet >= max_wnd(tc),
              "%u bytes in flight before, %u after three fast flights", before, c.bytes);
    uet_check(tc, "CMS-041", c.bytes <= before * 12 + 2 * packet,
              "%u bytes in flight before, %u after three fast flights", before, c.bytes);
    flight(&c, &some);
    before = c.bytes;
    flight(&c, &none);
    stays(&c, before, "after one flight without delay behind one with some");
    flight(&c, &none);
    flight(&c, &marked);
    before = c.bytes;
    flight(&c, &none);
    stays(&c, before, "after one flight without delay behind one with marks");
    drain(&c);
}

/* Unmarked flights with this delay: whatever the mean is made of, it comes to that. */
static void level(struct congested *c, uint64_t delay)
{
    for (unsigned i = 0; i < LEVEL; i++)
        flight(c, &(struct echo){.rtt_ns = c->base_rtt + delay});
}

#define FULL                                                                                       \
    "The FEP writes without an end in sight; NSCC is on; virtual time. target_qdelay is "          \
    "config_base_rtt, gamma 80 %, max_md_jump 50 %, the gains of growth as small as can be."

/* ACKs of so many packets, marked; what else there is of the flight waits. */
static void batch(struct congested *c, uint32_t *next, uint32_t n, const struct echo *e)
{
    for (; n-- && *next < c->n; ++*next)
        answer(c, c->in[*next], e);
}

UET_TEST(cuts_by_the_clock, .id = "cms.3.6.13.6.marks-cut-by-gamma-each-round-trip",
         .requirements = "CMS-044", NEEDS,
         .purpose = "Marks with delay cut a window by gamma, once in each base RTT.",
         .preamble = FULL,
         .stimulus = "Eight unmarked flights with a delay of twice the target, which are the mean "
                     "then; another one of which a ninth is acknowledged with marks, a ninth 0.6, "
                     "one 1.25 and the rest 2.5 base RTTs later.",
         .expected = "Three cuts to 0.6, each within a tenth: between 0.16 and 0.3 of what was in "
                     "flight, and a packet.")
{
    static struct congested c;
    set_gains(tc, &(struct gains){0});
    fep_fills_again(&c, tc, WINDOWS);
    level(&c, 2 * RTT);
    const uint32_t before = c.bytes, packet = nominal_size(c.in[0]), ninth = c.n / 9;
    const struct echo e = {.m = true, .rtt_ns = 3 * RTT};
    uint32_t next = 0;
    batch(&c, &next, ninth, &e);
    uet_wait(tc, RTT * 6 / 10);
    batch(&c, &next, ninth, &e);
    uet_wait(tc, RTT * 65 / 100);
    batch(&c, &next, ninth, &e);
    uet_wait(tc, RTT * 125 / 100);
    batch(&c, &next, c.n, &e);
    next_flight(&c);
    uet_check(tc, "CMS-044", c.bytes + packet >= before / 100 * 16,
              "%u bytes in flight, then %u: that is more than three cuts to 0.6", before, c.bytes);
    uet_check(tc, "CMS-044", c.bytes <= before / 100 * 30 + packet,
              "%u bytes in flight, then %u: that is less than three cuts to 0.6", before, c.bytes);
    drain(&c);
}

UET_TEST(mean_falls, .id = "cms.3.6.13.6.mean-delay-falls", .requirements = "CMS-044", NEEDS,
         .purpose = "The mean by which marks cut a window falls again when delays do.",
         .preamble = FULL,
         .stimulus = "Eight unmarked flights with a delay of twice the target, and eight with half "
                     "of it; then one with marks and 1.25 times the target.",
         .expected = "At least 3/4 of what was in flight, but for a packet: the mean is at most "
                     "1.25 times the target, which cuts to 0.84.")
{
    static struct congested c;
    set_gains(tc, &(struct gains){0});
    fep_fills_again(&c, tc, WINDOWS);
    level(&c, 2 * RTT);
    level(&c, RTT / 2);
    const uint32_t before = c.bytes, packet = nominal_size(c.in[0]);
    flight(&c, &(struct echo){.m = true, .rtt_ns = RTT + RTT * 5 / 4});
    uet_check(tc, "CMS-044", c.bytes + packet >= before / 4 * 3,
              "%u bytes in flight, %u after marks with 1.25 times the target", before, c.bytes);
    drain(&c);
}

UET_TEST(
    marks_above_target, .id = "cms.3.6.13.5.marks-cut-above-the-target", .requirements = "CMS-044",
    NEEDS,
    .purpose = "Marks cut a window as soon as delays are above the target, not far above it.",
    .preamble = FULL,
    .stimulus = "Eight unmarked flights with a delay of 1.5 times the target, then two with "
                "marks and the same delay.",
    .expected = "At most 2/3 of what was in flight, and a packet: two cuts to 0.73 leave 0.54.")
{
    static struct congested c;
    set_gains(tc, &(struct gains){0});
    fep_fills_again(&c, tc, WINDOWS);
    level(&c, RTT * 3 / 2);
    const uint32_t before = c.bytes, packet = nominal_size(c.in[0]);
    for (unsigned i = 0; i < 2; i++)
        flight(&c, &(struct echo){.m = true, .rtt_ns = RTT * 5 / 2});
    uet_check(tc, "CMS-044", c.bytes <= before / 3 * 2 + packet,
              "%u bytes in flight, %u after two flights of marks with 1.5 times the target", before,
              c.bytes);
    drain(&c);
}

UET_TEST(delays_above_new_base, .id = "cms.3.6.13.6.delays-above-a-new-base-rtt",
         .requirements = "CMS-048 CMS-044", NEEDS,
         .purpose = "When an RTT was shorter than all before, delays are what RTTs are above that.",
         .preamble = FULL,
         .stimulus =
             "A flight whose RTT is half of config_base_rtt; eight unmarked ones with 1.9 of "
             "it, which is 1.4 times the target above that, and 0.9 above "
             "config_base_rtt; then two with marks and the same.",
         .expected = "At most 3/4 of what was in flight, and a packet: two cuts to 0.77 leave 0.6.")
{
    static struct congested c;
    set_gains(tc, &(struct gains){0});
    fep_fills_again(&c, tc, WINDOWS);
    flight(&c, &(struct echo){.rtt_ns = RTT / 2});
    level(&c, RTT * 9 / 10);
    const uint32_t before = c.bytes, packet = nominal_size(c.in[0]);
    for (unsigned i = 0; i < 2; i++)
        flight(&c, &(struct echo){.m = true, .rtt_ns = RTT * 19 / 10});
    uet_check(tc, "CMS-048", c.bytes <= before / 4 * 3 + packet,
              "%u bytes in flight, %u after two flights of marks with 1.4 times the target", before,
              c.bytes);
    drain(&c);
}
