/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.6.13.6: quick adapt. */
#include "conformance/harness/steps/target.h"
#include "conformance/tests/congested.h"

#define WINDOWS  4u
#define TRIMMED  4u /* packets: what they cut by themselves leaves most of the window */
#define FEW_MOST 6u /* packets: their ACKs take less than a period */
#define BATCHES  4u
#define NEEDS                                                                                      \
    .role = UET_ROLE_INITIATOR, .needs = "nscc", .params = "config_base_rtt sender_link_rate",     \
    .not_over = "used after-read aged" /* these tell the FEP of a shorter base RTT */
#define ON "The FEP writes without an end in sight; NSCC is on; virtual time."

/* A flight of which little arrives: packets up to `next` have their answer. */
struct period {
    struct congested c;
    uint32_t arrived, next;
    uint64_t end_ns;   /* when quick adapt acts */
    uint32_t n, bytes; /* in flight that was sent since, when all before has its answer */
};

/* So many packets arrive in the period: less than MaxWnd >> qa_gate. */
static uint32_t few(const struct congested *c)
{
    uint64_t n = quick_adapt_gate(c->tc) / nominal_size(c->in[0]);
    return n > FEW_MOST ? FEW_MOST : n > 1 ? (uint32_t)n - 1 : 1;
}

/* Quick adapt is on, unless the FEP tells otherwise, and a packet or two are not too much for it.
 */
static void need_quick_adapt(struct uet_tc *tc)
{
    skip_when(tc, "disable_quick_adapt", 1);
    if (quick_adapt_gate(tc) < 3ull * uet_tc_dut(tc)->payload_mtu)
        uet_skip(tc, "MaxWnd >> qa_gate is %llu: less than three packets",
                 (unsigned long long)quick_adapt_gate(tc));
}

/* Few packets arrive, some are trimmed; a period later comes one more ACK: quick adapt acts. */
static void little_arrives(struct period *p, struct uet_tc *tc, uint8_t code)
{
    struct congested *c = &p->c;
    need_quick_adapt(tc);
    need_exact_delays(tc);
    fep_fills_again(c, tc, WINDOWS);
    p->arrived = few(c);
    if (p->arrived + 2 * TRIMMED > c->n)
        uet_skip(tc, "the FEP has %u packets in flight: too few to lose some", c->n);
    uint32_t *i = &p->next;
    for (*i = 0; *i < p->arrived; ++*i) /* the first begins the period, and is not counted in it */
        answer(c, c->in[*i], &(struct echo){.m = false});
    c->gap = c->in[*i];
    for (; *i < p->arrived + TRIMMED; ++*i)
        say_nack(tc, c->in[*i], code);
    uet_wait(tc, c->apart);
    p->end_ns = uet_tc_now(tc);
    answer(c, c->in[(*i)++], &(struct echo){.m = false});
}

static void count(struct period *p, const struct uet_in *in)
{
    p->n++;
    p->bytes += nominal_size(in);
}

/* All that was sent before comes marked, in batches more than a base RTT apart. */
static void rest_comes_marked(struct period *p, bool late)
{
    struct congested *c = &p->c;
    const struct echo e = {.m = true, .served = !late};
    uint32_t batch = (c->n - p->next + BATCHES - 1) / BATCHES;
    for (uint32_t k = 0; p->next < c->n; p->next++) {
        answer(c, c->in[p->next], &e);
        if (++k % batch == 0)
            uet_wait(c->tc, 2 * c->base_rtt);
    }
    next_flight(c); /* with what the first ACKs had let go */
    for (uint32_t i = 0; i < c->n; i++) {
        if (c->in[i]->time_ns < p->end_ns)
            answer(c, c->in[i], &e);
        else
            count(p, c->in[i]);
    }
    next_flight(c);
    for (uint32_t i = 0; i < c->n; i++)
        count(p, c->in[i]);
}

static void adapts(struct uet_tc *tc, const char *requirement, uint8_t code)
{
    static struct period p;
    p.n = p.bytes = 0;
    little_arrives(&p, tc, code);
    uint32_t packet = nominal_size(p.c.in[0]);
    rest_comes_marked(&p, false);
    uet_check(tc, requirement, p.bytes <= quick_adapt_gate(tc) + packet && p.n,
              "%u bytes in flight after a period in which less than %llu arrived", p.bytes,
              (unsigned long long)quick_adapt_gate(tc));
    drain(&p.c);
}

UET_TEST(
    adapts_to_what_arrives, .id = "cms.3.6.13.6.adapts-to-what-arrives", .requirements = "CMS-050",
    NEEDS, .purpose = "Trims with little goodput make the window what has arrived in the period.",
    .preamble = ON,
    .stimulus =
        "Of a flight less than MaxWnd >> qa_gate (3) is acknowledged, and four packets get NACK "
        "UET_TRIMMED; four config_base_rtt later one more ACK, and then ACKs for all the "
        "rest, marked, and with service_time for all of the time: they would move no "
        "window.",
    .expected = "In flight then: at most MaxWnd >> qa_gate and a packet. The four alone would have "
                "left far more.")
{
    adapts(tc, "CMS-050", UET_NACK_TRIMMED);
}

UET_TEST(adapts_to_last_hop, .id = "cms.3.6.13.6.adapts-to-last-hop", .requirements = "CMS-054",
         NEEDS, .purpose = "Without RCCC trims at the last hop bring quick adapt as others do.",
         .preamble = "The FEP writes without an end in sight; NSCC is on, RCCC is not; virtual "
                     "time.",
         .stimulus = "As in adapts-to-what-arrives, with NACK UET_TRIMMED_LASTHOP.",
         .expected = "As there.")
{
    need_rccc_off(tc);
    adapts(tc, "CMS-054", UET_NACK_TRIMMED_LASTHOP);
}

static void not_cut_again(struct period *p, const char *requirement)
{
    uet_check(p->c.tc, requirement, p->n + 2 >= p->arrived,
              "%u packets arrived in the period, %u are in flight after it", p->arrived, p->n);
    drain(&p->c);
}

UET_TEST(old_flight_cuts_no_more, .id = "cms.3.6.13.6.old-flight-cuts-no-more",
         .requirements = "CMS-052", NEEDS,
         .purpose = "What comes back marked of the flight before quick adapt cuts nothing.",
         .preamble = ON,
         .stimulus =
             "As in adapts-to-what-arrives; but the marked ACKs come late, with service_time "
             "0, and in four batches, each more than a base RTT after the one before.",
         .expected = "As many packets in flight as arrived in the period, but for two: four cuts "
                     "would have left one.")
{
    static struct period p;
    p.n = p.bytes = 0;
    little_arrives(&p, tc, UET_NACK_TRIMMED);
    rest_comes_marked(&p, true);
    not_cut_again(&p, "CMS-052");
}

/*
 * The same; but in each of the first periods one packet is trimmed and one arrives, and the last
 * one of the flight does not: so the source does not take what comes for another flight.
 */
static void rest_comes_slowly(struct period *p)
{
    struct congested *c = &p->c;
    const struct uet_in *last = c->in[c->n - 1];
    const struct echo e = {.m = true};
    for (unsigned i = 0; i < BATCHES && p->next + 2 < c->n; i++) {
        uet_wait(c->tc, c->apart);
        say_nack(c->tc, c->in[p->next++], UET_NACK_TRIMMED);
        answer(c, c->in[p->next++], &e);
    }
    for (; p->next + 1 < c->n; p->next++)
        answer(c, c->in[p->next], &e);
    next_flight(c); /* with what the first ACKs had let go */
    for (uint32_t i = 0; i < c->n; i++) {
        if (c->in[i]->time_ns < p->end_ns)
            answer(c, c->in[i], &e);
        else
            count(p, c->in[i]);
    }
    next_flight(c);
    for (uint32_t i = 0; i < c->n; i++)
        count(p, c->in[i]);
    count(p, last);
}

UET_TEST(clean_one_ends_nothing, .id = "cms.3.6.13.6.unmarked-one-ends-nothing",
         .requirements = "CMS-052", NEEDS,
         .purpose = "An unmarked ACK amid the flight before quick adapt lets the rest cut nothing.",
         .preamble = ON,
         .stimulus = "As in old-flight-cuts-no-more; at once after quick adapt, and so within its "
                     "period, an unmarked ACK comes first.",
         .expected = "As there.")
{
    static struct period p;
    p.n = p.bytes = 0;
    little_arrives(&p, tc, UET_NACK_TRIMMED);
    answer(&p.c, p.c.in[p.next++], &(const struct echo){.m = false});
    rest_comes_marked(&p, true);
    not_cut_again(&p, "CMS-052");
}

UET_TEST(old_flight_may_be_slow, .id = "cms.3.6.13.6.old-flight-may-be-slow",
         .requirements = "CMS-052", NEEDS,
         .purpose =
             "The flight before quick adapt cuts nothing when it takes many periods to come back.",
         .preamble = ON,
         .stimulus = "As in old-flight-cuts-no-more; but first, four times, more than a period "
                     "later a NACK UET_TRIMMED and a marked ACK, then the rest, but for the last "
                     "packet, which has no answer.",
         .expected = "As there: adapting to a period in which one arrived would leave that.")
{
    static struct period p;
    p.n = p.bytes = 0;
    little_arrives(&p, tc, UET_NACK_TRIMMED);
    rest_comes_slowly(&p);
    not_cut_again(&p, "CMS-052");
}

UET_TEST(adapts_once_a_period, .id = "cms.3.6.13.adapts-once-a-period", .requirements = "CMS-051",
         NEEDS, .purpose = "Quick adapt acts once in base_rtt + target_qdelay.", .preamble = ON,
         .stimulus =
             "As in old-flight-cuts-no-more; at once after quick adapt four more packets of "
             "that flight get NACK UET_TRIMMED.",
         .expected = "As many packets in flight as arrived in the period, but for two: adapting "
                     "again, to a period in which nothing arrived, would leave one.")
{
    static struct period p;
    p.n = p.bytes = 0;
    little_arrives(&p, tc, UET_NACK_TRIMMED);
    for (uint32_t last = p.next + 4; p.next < last; p.next++)
        say_nack(tc, p.c.in[p.next], UET_NACK_TRIMMED);
    rest_comes_marked(&p, true);
    not_cut_again(&p, "CMS-051");
}
