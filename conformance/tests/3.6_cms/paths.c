/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.6.16: which entropy values (EVs) a source gives its packets, and what news of them changes. */
#include "conformance/harness/steps/reads.h"
#include "conformance/harness/steps/target.h"
#include "conformance/tests/3.6_cms/aware.h"
#include "conformance/tests/3.6_cms/marked.h"

#define SPRAYED        24u   /* packets in which more than one EV is to be seen */
#define SET_MOST       1024u /* EVs of a set that a test looks through */
#define OBLIVIOUS      1u    /* LB of the reference FEP */
#define FEW            3u    /* packets of a message, of which a pass takes many */
#define TRIMS          6u    /* of one packet */
#define REROUTE        10u   /* round trips: the least (3.6.16.2) */
#define LAST_HOP_TRIMS 3u    /* of one PDC */
#define AT_ONCE        8u    /* packets of a flight, of which a pass takes some */

/* A FEP that is set to one EV, as it may be, is skipped. */
static void skip_with_one(struct uet_tc *tc)
{
    uint64_t n;

    if ((uet_tc_told(tc, "EV_Slots", &n) || uet_tc_told(tc, "ev_set_size", &n)) && n == 1)
        uet_skip(tc, "the FEP is set to one entropy value");
}

UET_TEST(sprayed, .id = "cms.3.6.16.sprayed", .requirements = "CMS-096", .role = UET_ROLE_INITIATOR,
         .not_over = "own acks", .purpose = "RUD goes over more than one path.",
         .preamble = "None.", .stimulus = "The FEP writes 24 MTUs; all ACKs have m=1.",
         .expected =
             "More than one entropy value in its Requests. Who draws from two values has one "
             "in all 24 packets with a probability of 1.2e-7 (false fail), who draws from more "
             "less often.")
{
    uint16_t evs[SPRAYED];
    skip_with_one(tc);
    evs_of_marked(tc, "CMS-096", evs, SPRAYED);
    uet_check(tc, "CMS-096", how_many_values(evs, SPRAYED) > 1, "%u packets have one entropy value",
              SPRAYED);
}

UET_TEST(read_data_sprayed, .id = "cms.3.6.16.read-data-sprayed", .requirements = "CMS-096",
         .role = UET_ROLE_TARGET, .needs = "rud read any-request", .not_over = "rod",
         .purpose = "Read data goes over more than one path, too.", .preamble = "Memory; PDC open.",
         .stimulus = "READs, of 24 MTUs and then of what has not come, until 24 packets have come; "
                     "all ACKs of data have m=1.",
         .expected = "More than one entropy value in the Requests of the return direction.")
{
    const uint32_t mtu = uet_tc_dut(tc)->payload_mtu;
    struct uet_out o[SPRAYED];
    uint16_t evs[SPRAYED];
    skip_with_one(tc);
    ack_data_below(tc, mtu);
    struct source s = need_source(tc, SPRAYED * mtu);
    struct uet_pdc *p = uet_pdc_open(tc);
    p->auto_ack = false;
    tolerate(tc, REFUSAL_ON(p)); /* no room for more READs */
    for (uint32_t n = 0, before; n < SPRAYED;) {
        before = n;
        size_t packets =
            uet_message(p, UET_OP_READ, &s.m, 0, NULL, (SPRAYED - n) * mtu, o, SPRAYED);
        for (size_t i = 0; i < packets; i++)
            say(tc, &o[i]);
        for (const struct uet_in *in; n < SPRAYED && (in = maybe(tc, DATA_ON(p))); n++) {
            evs[n] = uet_entropy(&in->packet);
            ack_marked(tc, in);
        }
        if (n == before)
            uet_skip(tc, "of the read data %u packets come in Requests", n);
    }
    p->auto_ack = true;
    uet_check(tc, "CMS-096", how_many_values(evs, SPRAYED) > 1,
              "%u packets of read data have one entropy value", SPRAYED);
}

/* How many packets from `from` on have EVs of which none was there before. */
static uint32_t differ_from(const uint16_t *evs, uint32_t n, uint32_t from)
{
    uint32_t end = from;

    for (; end < n; end++)
        for (uint32_t i = from; i < end; i++)
            if (evs[i] == evs[end])
                return end - from;
    return end - from;
}

static bool found_before(const uint16_t *evs, uint32_t at)
{
    for (uint32_t i = 0; i < at; i++)
        if (evs[i] == evs[at])
            return true;
    return false;
}

/* The EVs of at least n packets of one PDC, in messages of so many; how many. */
static uint32_t evs_of(struct uet_tc *tc, uint16_t *evs, uint32_t n, uint32_t each)
{
    struct uet_pdc *first = NULL, *p;
    const struct uet_in *in = NULL;
    uint32_t sent = 0, mtu = uet_tc_dut(tc)->payload_mtu;
    uint64_t handle;

    while (sent < n) {
        in = first ? fep_writes_on(tc, &p, each * mtu, &handle)
                   : fep_writes(tc, each * mtu, &p, &handle);
        if (first && p != first)
            uet_skip(tc, "the FEP opens another PDC for the next message, as it may");
        first = p;
        for (uint32_t i = 0; i < each; i++) {
            in = i ? hear(tc, "CMS-097", REQUEST_ON(p)) : in;
            evs[sent++] = uet_entropy(&in->packet);
        }
        completion_of(tc, "CMS-097", handle);
    }
    return sent;
}

/* No more values than the set has; somewhere among them as many in a row, no two alike. */
static void check_passes(struct uet_tc *tc, const uint16_t *evs, uint32_t n, uint32_t set)
{
    uint32_t best = 0, values = 0;
    for (uint32_t i = 0; i < n; i++)
        values += !found_before(evs, i);
    uet_check(tc, "CMS-097", values <= set, "%u values of a set of %u", values, set);
    for (uint32_t from = 0; from < set; from++) {
        uint32_t row = differ_from(evs, n, from);
        best = row > best ? row : best;
    }
    uet_check(tc, "CMS-097", best >= set, "at most %u in a row differ, of a set of %u", best, set);
}

/* In messages of so many packets; 0: in one. */
static void each_once(struct uet_tc *tc, uint32_t each)
{
    static uint16_t evs[2 * SET_MOST + 1 + FEW];
    uint64_t set = uet_tc_param(tc, "ev_set_size");
    if (set < 2 || set > SET_MOST)
        uet_skip(tc, "a set of %llu values", (unsigned long long)set);
    uet_try_param(tc, "LB", OBLIVIOUS);
    uint32_t least = (uint32_t)(2 * set + 1), n = evs_of(tc, evs, least, each ? each : least);
    check_passes(tc, evs, n, (uint32_t)set);
}

#define ONCE                                                                                       \
    .requirements = "CMS-097", .role = UET_ROLE_INITIATOR, .needs = "oblivious",                   \
    .params = "ev_set_size", .preamble = "LB oblivious, where it can be set.",                     \
    .expected = "No more values than the set has; somewhere among them as many in a row, no two "  \
                "alike. Drawn at random, 32 values of 32 would be so in 1 run of 10^11."

UET_TEST(oblivious_pass, .id = "cms.3.6.16.3.each-once-in-a-pass", ONCE,
         .purpose = "Oblivious spraying uses each entropy value of its set once before any again.",
         .stimulus = "The FEP writes twice as many packets as its set has values, and one.")
{
    each_once(tc, 0);
}

UET_TEST(pass_goes_on, .id = "cms.3.6.16.3.pass-goes-on", ONCE, .not_over = "all", /* long */
         .purpose = "A pass goes on from message to message.",
         .stimulus = "The FEP writes as many packets or a few more, three at a time, each time "
                     "when the ones before are done.")
{
    each_once(tc, FEW);
}

/* The first new packet of the flight is refused, all others have arrived. */
static void refuse_one(struct congested *c)
{
    uint32_t bad = 0;
    while (bad < c->n && c->in[bad]->retransmission)
        bad++;
    if (bad == c->n)
        bad = 0;
    c->gap = c->in[bad];
    say_nack(c->tc, c->in[bad], UET_NACK_NO_PKT_BUFFER);
    for (uint32_t i = 0; i < c->n; i++)
        if (i != bad)
            answer(c, c->in[i], &(const struct echo){.served = true});
    c->gap = NULL;
}

/* All that leaves, in short flights, of which one packet is refused or all are marked. */
static void each_once_amid(struct uet_tc *tc, bool marks)
{
    static struct congested c;
    static uint16_t evs[2 * SET_MOST + 1 + FLIGHT_MOST];
    const uint32_t mtu = uet_tc_dut(tc)->payload_mtu;
    uint32_t n = 0;
    uet_try_param(tc, "LB", OBLIVIOUS);
    uet_try_param(tc, "NACK_Retx_Time", 0);
    uet_try_param(tc, "MaxWnd", (uint64_t)AT_ONCE * mtu);
    uint64_t set = uet_try_param(tc, "ev_set_size", SET) ? SET : uet_tc_param(tc, "ev_set_size");
    if (set < 2 || set > SET_MOST)
        uet_skip(tc, "a set of %llu values", (unsigned long long)set);
    fep_sends(&c, tc, (2 * set + 1) * mtu, true);
    if (c.n < 2 || c.n > set / 2) {
        drain(&c);
        uet_skip(tc, "the FEP has %u packets in flight, and %llu entropy values", c.n,
                 (unsigned long long)set);
    }
    while (c.n && n <= 2 * set) {
        for (uint32_t i = 0; i < c.n; i++)
            evs[n++] = uet_entropy(&c.in[i]->packet);
        if (marks)
            answer_flight(&c, .m = true, .served = true);
        else
            refuse_one(&c);
        next_flight(&c);
    }
    drain(&c);
    check_passes(tc, evs, n, (uint32_t)set);
}

#define AMID                                                                                       \
    .requirements = "CMS-097", .role = UET_ROLE_INITIATOR, .needs = "nscc oblivious",              \
    .params = "config_base_rtt sender_link_rate ev_set_size",                                      \
    .preamble = "LB oblivious, a set of 32 values and MaxWnd of eight payload MTUs, where they "   \
                "can be set; NSCC is on."

UET_TEST(pass_has_resends, .id = "cms.3.6.16.3.resends-go-on-in-the-pass", AMID,
         .purpose = "What is sent again takes its turn in the pass, too.",
         .stimulus = "The FEP writes twice as many packets as its set has values, and one; of each "
                     "flight a packet gets NACK UET_NO_PKT_BUFFER.",
         .expected = "As in each-once-in-a-pass, resends counted in the order in which they come.")
{
    each_once_amid(tc, false);
}

UET_TEST(pass_heeds_no_mark, .id = "cms.3.6.16.3.marks-break-no-pass", AMID,
         .purpose = "A pass goes on to its end whatever ACKs tell of paths.",
         .stimulus = "The FEP writes twice as many packets as its set has values, and one; all "
                     "ACKs have m=1, and service_time for all of the delay.",
         .expected = "As in each-once-in-a-pass.")
{
    each_once_amid(tc, true);
}

/* ---- path aware ---- */

UET_TEST(
    marked_rest, .id = "cms.3.6.16.4.marked-rest", .requirements = "CMS-098", PATH_AWARE,
    .purpose = "A path that a mark has told of rests for a round trip.",
    .preamble = "The FEP writes without an end in sight; path aware where it can be set; "
                "virtual time, as the next flight must come within a round trip.",
    .stimulus = "Of a flight each eighth ACK has m=1; all of them come at once.",
    .expected =
        "In the flight that comes at once at most one in 16, and one, on these entropy values; "
        "who does not heed marks has one in 8.")
{
    static struct congested c;
    need_exact_delays(tc);
    need_saturation(tc, 2 * 100 / SHARE, false);
    aware_fills(&c, tc, 3);
    uint32_t on = on_marked(&c, false);
    uet_check(tc, "CMS-098", few(on, c.n), "%u of %u packets on paths that were marked", on, c.n);
    drain(&c);
}

UET_TEST(all_marked_go_on, .id = "cms.3.6.16.4.all-marked-go-on", .requirements = "CMS-099",
         PATH_AWARE, .purpose = "When most paths are marked, none is passed over.",
         .preamble = "The FEP writes without an end in sight; path aware where it can be set.",
         .stimulus = "All ACKs of two flights with m=1 and no delay.",
         .expected = "The flight after them still has a quarter as many entropy values as packets.")
{
    static struct congested c;
    uint32_t values = 0;
    need_exact_delays(tc);
    need_saturation(tc, 100, true);
    aware_fills(&c, tc, 4);
    for (int i = 0; i < 2; i++) {
        answer_flight(&c, .m = true, .served = true);
        flight_at_once(&c);
    }
    for (uint32_t i = 0; i < c.n; i++) {
        const struct uet_in *one[] = {c.in[i]};
        struct congested before = c;
        before.n = i;
        values += !on_these(&before, one, 1);
    }
    uet_check(tc, "CMS-099", c.n > 0 && values * 4 >= c.n, "%u packets on %u entropy values", c.n,
              values);
    drain(&c);
}

/*
 * Of the flight each eighth packet is refused by that code; after these the others are
 * acknowledged, so that the news is there before their turn comes.
 */
static uint32_t refuse_some(struct congested *c, uint8_t code, const struct uet_in **refused)
{
    uint32_t n = 0;

    for (uint32_t i = 1; i < c->n; i += SHARE) {
        say_nack(c->tc, c->in[i], code);
        refused[n++] = c->in[i];
    }
    c->gap = c->in[1];
    for (uint32_t i = 0; i < c->n; i++)
        if (i % SHARE != 1)
            answer(c, c->in[i], &(const struct echo){.served = true});
    c->gap = NULL;
    return n;
}

UET_TEST(
    trimmed_rest, .id = "cms.3.6.12.3.trimmed-rest", .requirements = "CMS-100", PATH_AWARE,
    .purpose = "A path on which a packet was trimmed rests, unless it was at the last hop.",
    .preamble = "The FEP writes without an end in sight; path aware where it can be set; "
                "virtual time.",
    .stimulus = "Of a flight each eighth packet gets NACK UET_TRIMMED.",
    .expected =
        "In the flight that comes at once at most one in 16, and one, on their entropy values.")
{
    static struct congested c;
    static const struct uet_in *bad[FLIGHT_MOST];
    need_exact_delays(tc);
    need_saturation(tc, 2 * 100 / SHARE, false);
    uet_try_param(tc, "NACK_Retx_Time", 0);
    aware_fills(&c, tc, 3);
    uint32_t n = refuse_some(&c, UET_NACK_TRIMMED, bad);
    flight_at_once(&c);
    uint32_t on = on_these(&c, bad, n);
    uet_check(tc, "CMS-100", few(on, c.n), "%u of %u packets on paths that trimmed", on, c.n);
    drain(&c);
}

UET_TEST(last_hop_goes_on, .id = "cms.3.6.12.3.last-hop-goes-on", .requirements = "CMS-100",
         PATH_AWARE, .purpose = "The last hop is the same on all paths: a trim there blames none.",
         .preamble = "As in trimmed-rest.",
         .stimulus = "Of a flight each eighth packet gets NACK UET_TRIMMED_LASTHOP, m=0.",
         .expected =
             "Among as many packets as the window is now, half as many on their entropy values "
             "as were refused; a set is no longer than two flights.")
{
    static struct congested c;
    static const struct uet_in *last_hop[FLIGHT_MOST];
    uint32_t on = 0, sent = 0;
    need_exact_delays(tc);
    uet_try_param(tc, "NACK_Retx_Time", 0);
    aware_fills(&c, tc, 4);
    uint32_t first = c.n, n = refuse_some(&c, UET_NACK_TRIMMED_LASTHOP, last_hop);
    const uint32_t most = first - 2 * n; /* the window is cut by n, and a packet is in flight */
    for (;;) {
        flight_at_once(&c);
        on += on_these(&c, last_hop, n);
        sent += c.n;
        if (sent >= most || !c.n)
            break;
        answer_flight(&c, .served = true);
    }
    if (sent < most)
        uet_skip(tc, "only %u packets came", sent);
    uet_check(tc, "CMS-100", on >= n / 2,
              "%u of %u packets on the %u paths trimmed at the last hop", on, sent, n);
    drain(&c);
}

/* ---- one path ---- */

/* The FEP writes n MTUs over ROD, none of which is acknowledged by itself; the first. */
static const struct uet_in *rod_fills(struct uet_tc *tc, uint32_t n, bool nscc, uint64_t *handle)
{
    struct uet_ut_operation op = uet_op(tc, n * uet_tc_dut(tc)->payload_mtu);

    op.mode = UET_UT_MODE_ROD;
    uet_try_param(tc, "t_reroute", REROUTE); /* where 0 it never moves */
    uet_try_param(tc, "RCCC", 0);            /* what comes again is to need no credit */
    uet_try_param(tc, "NSCC", nscc);         /* with it not all leaves at once */
    uet_try_param(tc, "MaxWnd", 4ull * uet_tc_dut(tc)->payload_mtu);
    hold_rto(tc);
    skip_with_tail_loss_timer(tc);
    uet_auto_ack(tc, false);
    *handle = uet_do_write(tc, &op);
    return hear(tc, "CMS-094", REQUEST_ON(NULL));
}

UET_TEST(rod_rarely_moves, .id = "cms.3.6.16.2.rod-rarely-moves", .requirements = "CMS-094",
         .role = UET_ROLE_INITIATOR, .not_over = "acks", .needs = "rod",
         .params = "config_base_rtt",
         .purpose =
             "A ROD PDC that is never idle changes its path at most once in t_reroute round trips.",
         .preamble = "RTO long; t_reroute is 10, where it can be set.",
         .stimulus = "The FEP writes 64 MTUs over ROD; each is acknowledged with m=1 when the next "
                     "has come, or none does.",
         .expected = "From one change of the entropy value to the next t_reroute (told, or the "
                     "least that it may be) times config_base_rtt, but for changes when nothing "
                     "was in flight: an idle PDC may take any path.")
{
    uint64_t handle, changed = 0;
    uint64_t least = uet_tc_told_or_least(tc, "t_reroute") * uet_tc_param(tc, "config_base_rtt");
    const struct uet_in *in = rod_fills(tc, 64, true, &handle);
    for (const struct uet_in *next; in; in = next) {
        next = maybe(tc, REQUEST_ON(in->pdc), .within = uet_tc_latest(tc, UET_US));
        struct uet_out ack = ack_at(in, psn_of(in), psn_of(in));
        uet_ack_m_set(ack.pds, true);
        say(tc, &ack);
        const bool idle = !next;
        next = next ? next : maybe(tc, REQUEST_ON(in->pdc), .within = uet_tc_latest(tc, UET_MS));
        if (!next || uet_entropy(&next->packet) == uet_entropy(&in->packet))
            continue;
        uint64_t gap = next->time_ns - changed;
        uet_check(tc, "CMS-094", idle || !changed || gap + uet_tc_tolerance(tc, least) >= least,
                  "another path after %.3f us", (double)gap / 1e3);
        changed = idle ? 0 : next->time_ns;
    }
    completion_of(tc, "CMS-094", handle);
}

/* All of them are in flight: the last. */
static const struct uet_in *last_in_flight(struct uet_tc *tc, const struct uet_in *first)
{
    const struct uet_in *in =
                            maybe(tc, REQUEST_ON(first->pdc), .within = uet_tc_latest(tc, UET_MS)),
                        *last = in;

    if (!in) {
        resume_acks(tc, first);
        uet_skip(tc, "the FEP has one packet in flight");
    }
    while ((in = maybe(tc, REQUEST_ON(first->pdc), .within = 1)))
        last = in;
    return last;
}

/* It, or its copy that came last, was trimmed: the next copy. */
static const struct uet_in *trimmed_again(struct uet_tc *tc, const struct uet_in *in, bool copy)
{
    struct uet_out nack = uet_nack(in->pdc, psn_of(in), UET_NACK_TRIMMED);

    uet_nack_retx_set(nack.pds, copy);
    say(tc, &nack);
    const struct uet_in *next = maybe(tc, RESEND_OF(in), .within = patience(tc, nack_delay(tc)));
    if (!next) {
        resume_acks(tc, in);
        uet_skip(tc, "what was refused does not come again, be it held back by a window");
    }
    return next;
}

UET_TEST(
    rod_rarely_moves_for_trims, .id = "cms.3.6.16.2.rod-rarely-moves-for-trims",
    .requirements = "CMS-094", .role = UET_ROLE_INITIATOR, .not_over = "acks", .needs = "rod",
    .params = "config_base_rtt NACK_Retx_Time",
    .purpose = "Trims do not make a ROD PDC change its path more than once in t_reroute "
               "round trips.",
    .preamble = "RTO long; t_reroute is 10, NACK_Retx_Time 0, and no NSCC, where they can be set.",
    .stimulus = "The FEP writes three MTUs over ROD, of which none is acknowledged: the last "
                "one gets NACK UET_TRIMMED, six times, whenever it has come again.",
    .expected = "From one change of its entropy value to the next t_reroute (told, or the "
                "least that it may be) times config_base_rtt.")
{
    uint64_t handle, changed = 0;
    uint64_t least = uet_tc_told_or_least(tc, "t_reroute") * uet_tc_param(tc, "config_base_rtt");
    need_refusals(tc, TRIMS);
    uet_try_param(tc, "NACK_Retx_Time", 0);
    /* Those before the last stay in flight: the PDC is not idle. */
    const struct uet_in *in = last_in_flight(tc, rod_fills(tc, 3, false, &handle));
    for (unsigned i = 0; i < TRIMS; i++) {
        const struct uet_in *before = in;
        in = trimmed_again(tc, in, i > 0);
        if (uet_entropy(&in->packet) == uet_entropy(&before->packet))
            continue;
        uint64_t gap = in->time_ns - changed;
        uet_check(tc, "CMS-094", !changed || gap + uet_tc_tolerance(tc, least) >= least,
                  "another path after %.3f us", (double)gap / 1e3);
        changed = in->time_ns;
    }
    resume_acks(tc, in);
    completion_of(tc, "CMS-094", handle);
}

UET_TEST(
    rod_stays_at_last_hop, .id = "cms.3.6.16.2.rod-stays-at-last-hop", .requirements = "CMS-095",
    .role = UET_ROLE_INITIATOR, .not_over = "acks", .needs = "rod", .params = "NACK_Retx_Time",
    .purpose = "A trim at the last hop, which all paths share, moves no ROD PDC; nor do more.",
    .preamble = "RTO long; t_reroute is 10, where it can be set.",
    .stimulus = "The FEP writes one MTU over ROD: NACK UET_TRIMMED_LASTHOP. It is acknowledged "
                "when it has come again. All of it three times.",
    .expected = "What comes again has the same entropy value.")
{
    for (unsigned i = 0; i < LAST_HOP_TRIMS; i++) {
        uint64_t handle;
        const struct uet_in *in = rod_fills(tc, 1, true, &handle);
        say_nack(tc, in, UET_NACK_TRIMMED_LASTHOP);
        const uint64_t within = patience(tc, nack_delay(tc));
        const struct uet_in *copy = hear(tc, "PDS-226", RESEND_OF(in), .within = within);
        uet_check_eq(tc, "CMS-095", "entropy value", uet_entropy(&copy->packet),
                     uet_entropy(&in->packet));
        resume_acks(tc, copy);
        completion_of(tc, "CMS-095", handle);
    }
}
