/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The aggregate rate control of a destination, against numbers worked out by hand, in 65536ths of
 * its line: 0.3 is 19660, a step of 0.01 is 655. With config_base_rtt 12 us a round lasts 13.5 to
 * 22.5 us.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "refimpl/pds/pds.h"
#include "refimpl/tests/shared/peer.h"
#include "uet_spec.h"

#define START 1000000000ull
#define ROUND 22500u /* ns: the longest */

static void arc_on(struct uet_fep_config *c)
{
    c->params.RCCC = c->params.ARC = true;
    c->params.idle_credit = false;
}

static void oversubscribed(struct uet_fep_config *c)
{
    arc_on(c);
    c->params.oversubscription = 4;
}

static void begin(struct peer *t, void (*change)(struct uet_fep_config *))
{
    peer_init(t, change);
    t->fep->now = START;
}

static void hear(struct peer *t, unsigned n, uint8_t trim, bool marked)
{
    const struct uet_packet p = {.traffic_class = marked ? UET_ECN_CE : 0, .trim = trim};
    while (n--)
        uet_arc_heard(t->fep, &p, trim != UET_TRIM_NO);
}

/* The round ends with one more packet, that nothing happened to; the next one begins. */
static uint32_t round_ends(struct peer *t)
{
    t->fep->now += ROUND;
    hear(t, 1, UET_TRIM_NO, false);
    return uet_arc_rate(t->fep);
}

static void test_marks(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, arc_on);
    hear(&t, 10, UET_TRIM_NO, true);
    /* 10 of 11 marked: 59578, the mean with nothing 29789, 10129 above 0.3: half of that */
    assert_int_equal(round_ends(&t), 65536 - 5064);
    /* none marked: the mean is 14894; 0.01 more, then twice, then four times that */
    assert_int_equal(round_ends(&t), 60472 + 655);
    assert_int_equal(round_ends(&t), 60472 + 655 + 1310);
    assert_int_equal(round_ends(&t), 60472 + 655 + 1310 + 2620);
    assert_int_equal(round_ends(&t), 65536); /* no more than the line */
    peer_free(&t);
}

static void test_few_marks(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, arc_on);
    hear(&t, 1, UET_TRIM_TRIMMED, false);
    hear(&t, 2, UET_TRIM_NO, false);
    assert_int_equal(round_ends(&t), 65536 - 16384); /* one of four was lost */
    for (unsigned i = 1; i <= 3; i++) { /* a mark of ten slows down nothing, and the rise */
        hear(&t, 1, UET_TRIM_NO, true);
        hear(&t, 8, UET_TRIM_NO, false);
        assert_int_equal(round_ends(&t), 49152 + i * 655);
    }
    peer_free(&t);
}

static void test_last_hop(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, arc_on);
    hear(&t, 50, UET_TRIM_LASTHOP, true);
    assert_int_equal(round_ends(&t), 65536);
    peer_free(&t);
}

static void test_least(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, arc_on);
    hear(&t, 1000, UET_TRIM_TRIMMED, false);
    assert_int_equal(round_ends(&t), 655);
    peer_free(&t);
    begin(&t, oversubscribed);
    hear(&t, 1000, UET_TRIM_TRIMMED, false);
    assert_int_equal(round_ends(&t), 14745); /* 0.9 / 4 */
    peer_free(&t);
}

static void test_before_a_round_ends(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, arc_on);
    hear(&t, 100, UET_TRIM_TRIMMED, true);
    t.fep->now += 13499;
    hear(&t, 100, UET_TRIM_TRIMMED, true);
    assert_int_equal(uet_arc_rate(t.fep), 65536);
    peer_free(&t);
}

/* 64 units take 131072 bits: 1323 ns at 99 Gbit/s, 2647 at half of that. */
static void test_grants_slow_down(void **state)
{
    struct peer t;
    struct uet_grant grant;
    (void)state;
    begin(&t, arc_on);
    t.fep->next_grant_at = START;
    t.fep->arc.rate = 32768;
    uet_grants_want(t.fep, uet_grants_join(t.fep, &t.ip, 1), 11, 200, false);
    assert_true(uet_grants_next(t.fep, &grant));
    assert_int_equal(uet_grants_deadline(t.fep), START + 2647);
    t.fep->params.ARC = false; /* off: the whole line again */
    t.fep->now = START + 2647;
    assert_true(uet_grants_next(t.fep, &grant));
    assert_int_equal(uet_grants_deadline(t.fep), START + 2647 + 1323);
    hear(&t, 1000, UET_TRIM_TRIMMED, true);
    assert_int_equal(t.fep->arc.packets, 0);
    peer_free(&t);
}

/* What is contested is one choice, and the map has the same. */
static void test_first_step(void **state)
{
    struct peer t;
    const struct uet_term *term = uet_term_find("ARC", "BEFORE_FIRST_STEP");
    (void)state;
    assert_non_null(term);
    begin(&t, arc_on);
    hear(&t, 3, UET_TRIM_TRIMMED, false);
    assert_int_equal(round_ends(&t), 65536 - 49152); /* three of four were lost */
    assert_int_equal(round_ends(&t), 16384 + (655 << strtoul(term->value, NULL, 10)));
    peer_free(&t);
}

/* ARC is switched off, or RCCC, on top of which it is; nothing more happens until it is on again.
 */
static void test_begins_anew(void **state)
{
    static const char *const switches[] = {"ARC", "RCCC"};
    (void)state;
    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++) {
        struct peer t;
        begin(&t, arc_on);
        hear(&t, 1000, UET_TRIM_TRIMMED, true);
        assert_int_equal(round_ends(&t), 655);
        assert_int_equal(uet_fep_param_set(&t.fep->params, switches[i], 0), 0);
        assert_int_equal(uet_arc_rate(t.fep), 65536);
        uet_fep_advance(t.fep, t.fep->now); /* as after each verb (refimpl/host) */
        assert_int_equal(uet_fep_param_set(&t.fep->params, switches[i], 1), 0);
        assert_int_equal(uet_arc_rate(t.fep), 65536);
        hear(&t, 10, UET_TRIM_NO, true); /* as at the very first: nothing of the marks before */
        assert_int_equal(round_ends(&t), 65536 - 5064);
        peer_free(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_marks),
        cmocka_unit_test(test_few_marks),
        cmocka_unit_test(test_last_hop),
        cmocka_unit_test(test_least),
        cmocka_unit_test(test_before_a_round_ends),
        cmocka_unit_test(test_grants_slow_down),
        cmocka_unit_test(test_first_step),
        cmocka_unit_test(test_begins_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
