/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * 3.6.14: what a destination with RCCC grants the tester, which sends CC Requests and tells its
 * wants. Contested (CMS-087): credit and credit_target count from 0 when a CCC begins.
 */
#include "conformance/harness/steps/sealed.h"
#include "conformance/harness/steps/trims.h"
#include "conformance/tests/3.6_cms/credited.h"
#include "conformance/tests/pds_target.h"

#define NEEDS   .role = UET_ROLE_TARGET, .needs = "rud write rccc"
#define GRANTS  256u /* the most that is looked at */
#define SOURCES 2u

/* A CCC of the tester's, on a PDC of its own. */
struct wanting {
    struct uet_pdc *pdc;
    uint8_t ccc_id;
    bool heard;               /* a Credit: from there on it must not fall */
    uint32_t target, granted; /* in units */
};

/* What came of credit, in the order in which it came. */
struct credits {
    struct uet_tc *tc;
    struct wanting source[SOURCES];
    uint32_t n;     /* grants so far */
    uint32_t step;  /* the largest */
    uint32_t apart; /* how far two sources were apart at most, since both had asked */
    int32_t ahead;  /* the first of them was then by so much */
    uint64_t both_ns;
    uint64_t first_ns, last_ns;
    uint32_t after_first; /* units granted after the first grant */
};

static void need_rccc(struct uet_tc *tc, bool nscc)
{
    uint64_t is_on;

    if (!uet_try_param(tc, "RCCC", 1) && (!uet_tc_told(tc, "RCCC", &is_on) || !is_on))
        uet_skip_for(tc, UET_SKIP_VERB, "RCCC may be off, and this FEP cannot turn it on");
    uet_try_param(tc, "NSCC", nscc);
}

/* With NSCC on ACK_CC has NSCC's state (CMS-112). */
static void need_nscc_off(struct uet_tc *tc)
{
    uint64_t is_on;

    if (!uet_try_param(tc, "NSCC", 0) && (!uet_tc_told(tc, "NSCC", &is_on) || is_on))
        uet_skip_for(tc, UET_SKIP_VERB, "NSCC may be on, and this FEP cannot turn it off");
}

/* A Request that tells of the wants of its CCC. */
static struct uet_out on_credit(struct uet_out o, const struct wanting *w)
{
    uet_rud_rod_req_type_set(o.pds, w->pdc->rod ? UET_PDS_ROD_CC_REQ : UET_PDS_RUD_CC_REQ);
    o.pds_len = UET_RUD_ROD_CC_REQ_BYTES;
    uet_rud_rod_cc_req_ccc_id_set(o.pds, w->ccc_id);
    uet_rud_rod_cc_req_credit_target_set(o.pds, w->target);
    return o;
}

/* The window of a source that wants all that it may: MaxWnd, or 1.5 BDPs. */
static uint32_t window_units(struct uet_tc *tc)
{
    return (uint32_t)(max_wnd(tc) / CREDIT_UNIT);
}

static void begin(struct credits *c, struct uet_tc *tc, uint32_t sources, uint32_t units)
{
    need_pdcs(tc, sources);
    struct uet_memory m = uet_need_memory(tc, 64);
    need_rccc(tc, false);
    *c = (struct credits){.tc = tc};
    for (uint32_t i = 0; i < sources; i++) {
        c->source[i] =
            (struct wanting){.pdc = uet_pdc_new(tc), .ccc_id = (uint8_t)(17 + i), .target = units};
        struct uet_out o =
            on_credit(uet_write(c->source[i].pdc, &m, 0, uet_tc_bytes(tc, 16), 16), &c->source[i]);
        c->both_ns = ask(tc, "CMS-087", &o)->time_ns;
    }
}

static void note(struct credits *c, struct wanting *w, uint32_t units, uint64_t now)
{
    int32_t more = units_ahead(units, w->granted);

    uet_check(c->tc, "CMS-087", !w->heard || more >= 0, "credit %u, after %u", units, w->granted);
    w->heard = true;
    c->step = (uint32_t)more > c->step ? (uint32_t)more : c->step;
    c->first_ns = c->n ? c->first_ns : now;
    c->after_first += c->n ? (uint32_t)more : 0;
    c->last_ns = now;
    c->n++;
    w->granted = units;
}

/* Two sources, while both want more. */
static void compare(struct credits *c, uint64_t now)
{
    const struct wanting *a = &c->source[0], *b = &c->source[1];
    int32_t ahead = (int32_t)(a->granted - b->granted);
    bool both = units_ahead(a->target, a->granted) > 0 && units_ahead(b->target, b->granted) > 0;

    if (now <= c->both_ns) {
        c->ahead = ahead;
        return;
    }
    uint32_t apart = (uint32_t)(ahead > c->ahead ? ahead - c->ahead : c->ahead - ahead);
    if (both && apart > c->apart)
        c->apart = apart;
}

/* By Credit CPs (CMS-083); false: no more come. */
static bool take_credit(struct credits *c)
{
    const struct uet_in *cp =
        maybe(c->tc, CP_ON(NULL, UET_CTL_CREDIT), .within = uet_tc_latest(c->tc, UET_MS));

    if (!cp)
        return false;
    field(c->tc, "CMS-083", cp, UET_F_PDS_PSN, 0);
    field(c->tc, "CMS-083", cp, UET_F_PDS_AR, 0);
    for (uint32_t i = 0; i < SOURCES; i++)
        if (c->source[i].pdc == cp->pdc)
            note(c, &c->source[i], uet_cp_payload_credit_credit(uet_cp_payload_of(&cp->packet)),
                 cp->time_ns);
    compare(c, cp->time_ns);
    return true;
}

static void take_all(struct credits *c)
{
    while (c->n < GRANTS && take_credit(c))
        ;
}

UET_TEST(grants_what_is_wanted, .id = "cms.3.6.14.grants-what-is-wanted",
         .requirements = "CMS-083 CMS-087", NEEDS, .params = "config_base_rtt sender_link_rate",
         .contested = true,
         .purpose = "A destination grants what a source wants, soon, and not much more.",
         .preamble = "RCCC is on, NSCC is not.",
         .stimulus = "A CC Request with a credit_target of half of MaxWnd.",
         .expected = "Credits, never less than the one before, psn and ar 0; at least the "
                     "credit_target, at most MaxWnd beyond it.")
{
    static struct credits c;
    uint32_t window = window_units(tc);
    begin(&c, tc, 1, window / 2);
    take_all(&c);
    uint32_t granted = c.source[0].granted;
    uet_check(tc, "CMS-087", granted >= window / 2, "%u units granted of %u", granted, window / 2);
    uet_check(tc, "CMS-087", granted <= window / 2 + window + 1,
              "%u units granted, where %u were wanted and MaxWnd has %u", granted, window / 2,
              window);
}

UET_TEST(shares_credit_fairly, .id = "cms.3.6.14.shares-credit-fairly", .requirements = "CMS-086",
         NEEDS, .params = "config_base_rtt sender_link_rate", .contested = true,
         .purpose = "Two sources that want as much get equal shares at any time.",
         .preamble = "RCCC is on, NSCC is not.",
         .stimulus = "CC Requests of two CCCs, each on a PDC of its own and with a credit_target "
                     "of MaxWnd.",
         .expected = "Both get it; while both want more, their credit is not further apart than "
                     "two of the largest grants.")
{
    static struct credits c;
    begin(&c, tc, 2, window_units(tc));
    take_all(&c);
    if ((uint32_t)c.ahead >= c.source[0].target)
        uet_skip(tc, "the first source had all it wanted before the other one had asked");
    for (uint32_t i = 0; i < 2; i++)
        uet_check(tc, "CMS-086", units_ahead(c.source[i].granted, c.source[i].target) >= 0,
                  "source %u has %u units of %u", i, c.source[i].granted, c.source[i].target);
    uet_check(tc, "CMS-086", c.apart <= 2 * c.step, "%u units apart, where a grant has %u", c.apart,
              c.step);
}

UET_TEST(grants_at_line_rate, .id = "cms.3.6.14.grants-at-line-rate", .requirements = "CMS-085",
         NEEDS, .params = "config_base_rtt sender_link_rate",
         .purpose = "A destination grants no more in a time than its line can bring.",
         .preamble = "RCCC is on, NSCC is not; virtual time, as it is about microseconds.",
         .stimulus = "CC Requests of two CCCs, each with a credit_target of MaxWnd.",
         .expected = "The bytes granted after the first Credit take at least as long on the line "
                     "as they took to be granted.")
{
    static struct credits c;
    if (!uet_tc_virtual_time(tc))
        uet_skip(tc, "on a real link the tester cannot tell times this short");
    uint64_t mbits = uet_tc_param(tc, "sender_link_rate");
    begin(&c, tc, 2, window_units(tc));
    take_all(&c);
    uint64_t bits = (uint64_t)c.after_first * CREDIT_UNIT * 8, ns = c.last_ns - c.first_ns;
    uet_check(tc, "CMS-085", c.n > 2 && bits * 1000 <= ns * mbits,
              "%llu bits granted in %llu ns, at a line of %llu Mbit/s", (unsigned long long)bits,
              (unsigned long long)ns, (unsigned long long)mbits);
}

UET_TEST(trimmed_one_gets_credit, .id = "cms.3.6.14.trimmed-one-gets-credit",
         .requirements = "CMS-088", .role = UET_ROLE_TARGET, .needs = "rud write rccc trimming",
         .params = "config_base_rtt sender_link_rate dscp-trimmed",
         .purpose = "A packet that was trimmed tells of its source's wants all the same.",
         .preamble = "RCCC is on, NSCC is not; a PDC whose source has all the credit it wants.",
         .stimulus = "A CC Request that a switch has trimmed, with a higher credit_target.",
         .expected = "A loss NACK; Credit of at least that credit_target.")
{
    static struct credits c;
    struct uet_memory m = uet_need_memory(tc, 1024);
    uint32_t window = window_units(tc);
    begin(&c, tc, 1, 1);
    struct wanting *w = &c.source[0];
    take_all(&c);
    w->target = w->granted + window / 2;
    struct uet_out whole = on_credit(some_write(tc, w->pdc, &m), w);
    if (sealing_adds(&whole))
        uet_skip(tc, "what is left of a sealed packet is not authentic: it may ask for nothing");
    struct uet_out cut = trimmed(tc, &whole, "dscp-trimmed");
    say(tc, &cut);
    hear(tc, "CMS-088", NACK_OF(&whole, UET_NACK_TRIMMED));
    c.n = 0;
    take_all(&c);
    uet_check(tc, "CMS-088", units_ahead(w->granted, w->target) >= 0,
              "credit %u after a trimmed packet wanted %u", w->granted, w->target);
}

static const struct uet_in *ack_of_wanting(struct uet_tc *tc, bool nscc, struct credits *c)
{
    struct uet_memory m = uet_need_memory(tc, 64);

    begin(c, tc, 1, 64);
    need_rccc(tc, nscc);
    take_all(c);
    struct uet_out o =
        on_credit(uet_write(c->source[0].pdc, &m, 0, uet_tc_bytes(tc, 16), 16), &c->source[0]);
    const struct uet_in *ack = ask(tc, "CMS-112", &o);
    if (!uet_is_ack_cc(&ack->packet))
        uet_skip(tc, "the ACKs of this FEP have no CC state");
    return ack;
}

UET_TEST(ack_has_credit, .id = "cms.3.6.9.3.ack-has-credit", .requirements = "CMS-033 CMS-034",
         .role = UET_ROLE_TARGET, .needs = "rud write rccc ack-cc",
         .params = "config_base_rtt sender_link_rate",
         .purpose = "With RCCC alone ACK_CC has the credit.",
         .preamble = "RCCC is on, NSCC is not; all credit that is wanted has come.",
         .stimulus = "A CC Request.",
         .expected =
             "cc_type CC_CREDIT, the reserved bits of its state 0; at least the credit of the "
             "last Credit.")
{
    static struct credits c;
    need_nscc_off(tc);
    const struct uet_in *ack = ack_of_wanting(tc, false, &c);
    field(tc, "CMS-033", ack, UET_F_PDS_CC_TYPE, UET_CC_CREDIT);
    const uint8_t *state = uet_cc_state_of(&ack->packet);
    uet_check(tc, "CMS-034", uet_ack_cc_state_credit_rsvd(state) == 0, "reserved bits are set");
    uint32_t credit = uet_ack_cc_state_credit_credit(state);
    uet_check(tc, "CMS-033", units_ahead(credit, c.source[0].granted) >= 0,
              "credit %u, where a Credit said %u", credit, c.source[0].granted);
}

UET_TEST(ack_stays_nscc, .id = "cms.3.6.9.3.ack-stays-nscc", .requirements = "CMS-112",
         .role = UET_ROLE_TARGET, .needs = "rud write rccc nscc ack-cc",
         .params = "config_base_rtt sender_link_rate",
         .purpose = "With NSCC and RCCC ACK_CC is NSCC's, and credit comes by Credit.",
         .preamble = "NSCC and RCCC are on; all credit that is wanted has come.",
         .stimulus = "A CC Request.", .expected = "cc_type CC_NSCC; Credits had come.")
{
    static struct credits c;
    const struct uet_in *ack = ack_of_wanting(tc, true, &c);
    field(tc, "CMS-112", ack, UET_F_PDS_CC_TYPE, UET_CC_NSCC);
    uet_check(tc, "CMS-112", c.source[0].granted >= c.source[0].target,
              "%u units by Credits, where %u were wanted", c.source[0].granted, c.source[0].target);
}
