/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * 3.6.14: what a destination with RCCC goes on to grant when PDCs of a CCC have ended, and when
 * wants come otherwise or in another order. Contested as credit_target.c is.
 */
#include "conformance/tests/3.6_cms/granted.h"

#define NEEDS                                                                                      \
    .role = UET_ROLE_TARGET, .needs = "rud write rccc",                                            \
    .params = "config_base_rtt sender_link_rate", .contested = true
#define ON "RCCC is on, NSCC is not; a CCC of the tester's has heard a Credit."

/* Half of MaxWnd more than it has comes, whoever asks so. */
static void gets(struct credits *c, void (*ask_for)(struct credits *, const struct wanting *))
{
    struct wanting *w = &c->source[0];

    c->n = 0;
    w->target = (w->granted + window_units(c->tc) / 2) & CREDIT_MASK;
    ask_for(c, w);
    take_all(c);
    uet_check(c->tc, "CMS-087", units_ahead(w->granted, w->target) >= 0,
              "credit %u, where %u was wanted", w->granted, w->target);
    uet_check(c->tc, "CMS-087",
              units_ahead(w->granted, w->target) <= (int32_t)window_units(c->tc) + 1,
              "credit %u, where %u was wanted and MaxWnd has %u units", w->granted, w->target,
              window_units(c->tc));
}

/* The Credit may take as long as any answer. */
static void by_cp(struct credits *c, const struct wanting *w)
{
    ask_for_credit(c, w);
    const struct uet_in *cp = maybe(c->tc, CP_ON(w->pdc, UET_CTL_CREDIT));
    if (cp)
        note_credit(c, &c->source[0], uet_cp_payload_credit_credit(uet_cp_payload_of(&cp->packet)),
                    cp->time_ns);
}

static void by_data(struct credits *c, const struct wanting *w)
{
    struct wanting copy = *w;
    struct uet_out o = small_write(c, &copy);

    ask(c->tc, "CMS-087", &o);
}

UET_TEST(asked_by_cp, .id = "cms.3.6.14.credit-request-is-heard", .requirements = "CMS-087", NEEDS,
         .purpose = "A Credit Request brings credit as a CC Request does.", .preamble = ON,
         .stimulus = "Twice a Credit Request with a credit_target of half of MaxWnd beyond what it "
                     "has; then a CC Request that wants as much more.",
         .expected = "Each time Credit of at least the credit_target, at most MaxWnd beyond it.")
{
    static struct credits c;
    begin(&c, tc, 1);
    gets(&c, by_cp);
    gets(&c, by_cp);
    gets(&c, by_data);
}

/* First all that is wanted, right behind it the packet that it has overtaken, which wanted less. */
static void highest_first(struct credits *c, const struct wanting *w)
{
    struct wanting all = *w, less = *w;
    less.target = (w->granted + 1) & CREDIT_MASK;
    struct uet_out early = small_write(c, &less), late = small_write(c, &all);

    say(c->tc, &late);
    say(c->tc, &early);
    hear(c->tc, "CMS-087", COVERED(&late));
    hear(c->tc, "CMS-087", COVERED(&early));
}

UET_TEST(highest_counts, .id = "cms.3.6.14.overtaken-one-lowers-nothing", .requirements = "CMS-087",
         NEEDS, .not_over = "rod",
         .purpose = "A packet that was overtaken takes back nothing of what is wanted.",
         .preamble = ON " idle_credit is off, where it can be turned off.",
         .stimulus = "A CC Request with a credit_target of half of MaxWnd beyond what it has, and "
                     "right behind it the one before it, with a unit beyond that.",
         .expected = "Credit of at least the higher credit_target.")
{
    static struct credits c;
    uet_try_param(tc, "idle_credit", 0); /* which would come whatever is wanted */
    begin(&c, tc, 1);
    gets(&c, highest_first);
}

UET_TEST(
    by_the_other_pdc, .id = "cms.3.6.14.credit-by-another-pdc", .requirements = "CMS-087", NEEDS,
    .purpose = "Where a CCC has two PDCs and one of them ends, credit comes by the other.",
    .preamble = ON " Another PDC has the same ccc_id.",
    .stimulus = "The first PDC is closed; a CC Request on the other wants half of MaxWnd more; "
                "the same with a third PDC, which is opened first, and the second closed.",
    .expected = "Credit of at least the credit_target, at most MaxWnd beyond it, by the PDC "
                "that is left.")
{
    static struct credits c;
    need_pdcs(tc, 2);
    begin(&c, tc, 1);
    struct wanting *w = &c.source[0];
    for (unsigned i = 0; i < 2; i++) {
        struct uet_pdc *before = w->pdc;
        w->pdc = uet_pdc_new(tc);
        by_data(&c, w);
        take_all(&c);
        close_now(tc, before);
        gets(&c, by_data);
    }
}

UET_TEST(
    after_the_last, .id = "cms.3.6.14.credit-after-the-last-pdc", .requirements = "CMS-087", NEEDS,
    .purpose = "When all PDCs of a CCC had ended, a new one gets credit again.", .preamble = ON,
    .stimulus = "A CC Request that wants MaxWnd more, and at once the PDC is closed; a new PDC "
                "with the same ccc_id, which begins as the first did; then a CC Request that "
                "wants half of MaxWnd more.",
    .expected = "Credit of at least the credit_target, at most MaxWnd beyond it.")
{
    static struct credits c;
    for (unsigned i = 0; i < 3; i++) {
        begin(&c, tc, 1);
        gets(&c, by_data);
        struct wanting *w = &c.source[0];
        w->target = (w->granted + window_units(tc)) & CREDIT_MASK;
        by_data(&c, w);
        close_now(tc, w->pdc);
    }
    begin(&c, tc, 1);
    gets(&c, by_data);
}
