/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * RCCC in both roles, against numbers worked out by hand: 100 Gbit/s, 12 us, MTU 4096, so MaxWnd
 * 225000 bytes or 878 units; a grant of four packets has 64 units, and takes 16384 bytes x 8 / 99
 * Gbit/s = 1323 ns.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "refimpl/pds/pds.h"
#include "refimpl/tests/shared/peer.h"

#define START 1000000000ull
#define WHOLE 878u /* MaxWnd, in whole units */

struct source_of {
    struct peer t;
    struct ccc *ccc;
    struct uet_rccc *r;
};

static void rccc_on(struct uet_fep_config *c)
{
    c->params.RCCC = true;
}

static void both_on(struct uet_fep_config *c)
{
    c->params.RCCC = c->params.NSCC = true;
}

static void ccc_begin(struct source_of *s, void (*change)(struct uet_fep_config *))
{
    peer_init(&s->t, change);
    s->t.fep->now = START;
    s->ccc = uet_ccc_at(s->t.fep, uet_ccc_join(s->t.fep, &s->t.ip, 0, false));
    s->r = &s->ccc->rccc;
}

static bool may_send(const struct source_of *s)
{
    return uet_cc_of(s->ccc)->may_send(s->t.fep, s->ccc);
}

static bool credit(struct source_of *s, uint32_t units)
{
    return uet_cc_of(s->ccc)->credit(s->t.fep, s->ccc, units);
}

static void acked(struct source_of *s)
{
    const struct uet_cc_ack a = {0};
    uet_cc_of(s->ccc)->acked(s->t.fep, s->ccc, &a);
}

/* All that was heard is in hand, spent or discarded. */
static void nothing_strays(const struct source_of *s)
{
    assert_int_equal((int64_t)(s->r->heard - s->r->spent - s->r->discarded), s->r->credit);
}

static void test_speculation(void **state)
{
    struct source_of s;
    (void)state;
    ccc_begin(&s, rccc_on);
    assert_int_equal(s.r->credit, 225000);
    for (unsigned i = 0; i < 57; i++) {
        assert_true(may_send(&s));
        uet_rccc_sent(s.ccc, 4000);
    }
    assert_false(may_send(&s)); /* 228000 bytes: within a packet */
    acked(&s);
    assert_int_equal(s.r->credit, -3000);
    assert_true(credit(&s, 20));
    assert_int_equal(s.r->credit, 2120);
    nothing_strays(&s);
    peer_free(&s.t);
}

static void test_speculation_ends(void **state)
{
    struct source_of s;
    (void)state;
    ccc_begin(&s, rccc_on);
    uet_rccc_sent(s.ccc, 4000);
    acked(&s);
    assert_int_equal(s.r->credit, 0);
    assert_false(may_send(&s));
    nothing_strays(&s);
    peer_free(&s.t);
}

static void test_credit_is_a_count(void **state)
{
    struct source_of s;
    (void)state;
    ccc_begin(&s, rccc_on);
    assert_true(credit(&s, 100));
    assert_false(credit(&s, 90));
    assert_false(credit(&s, 100));
    assert_int_equal(s.r->credit, 25600);
    assert_true(credit(&s, 100 + 0x7fffff)); /* no more than MaxWnd in hand */
    assert_int_equal(s.r->credit, 225000);
    nothing_strays(&s);
    uet_rccc_sent(s.ccc, 225000);
    assert_true(credit(&s, 0xfffffe));
    uet_rccc_sent(s.ccc, 225000);
    assert_true(credit(&s, 1)); /* three units on */
    assert_int_equal(s.r->credit, 768);
    nothing_strays(&s);
    peer_free(&s.t);
}

static void test_target(void **state)
{
    struct source_of s;
    (void)state;
    ccc_begin(&s, rccc_on);
    assert_int_equal(uet_rccc_target(s.t.fep, s.ccc, 100, 0), 16); /* an MTU, while it speculates */
    assert_int_equal(uet_rccc_target(s.t.fep, s.ccc, 0, 4000), 0);
    credit(&s, 100);
    uet_rccc_sent(s.ccc, 25600 - 2120);
    assert_int_equal(uet_rccc_target(s.t.fep, s.ccc, 10000, 0), 131); /* 7880 bytes */
    assert_int_equal(uet_rccc_target(s.t.fep, s.ccc, 6000, 4000), 131);
    assert_int_equal(uet_rccc_target(s.t.fep, s.ccc, 1000, 0), 100);
    assert_int_equal(uet_rccc_target(s.t.fep, s.ccc, 1000000, 0), 100 + 871); /* 222880 */
    peer_free(&s.t);
}

static void asks_for_all(struct uet_fep_config *c)
{
    rccc_on(c);
    c->params.target_of_backlog = true;
}

/* 2120 bytes in hand count for nothing; a debt does. */
static void test_target_of_backlog(void **state)
{
    struct source_of s;
    (void)state;
    ccc_begin(&s, asks_for_all);
    credit(&s, 100);
    uet_rccc_sent(s.ccc, 25600 - 2120);
    assert_int_equal(uet_rccc_target(s.t.fep, s.ccc, 0, 0), 100);
    assert_int_equal(uet_rccc_target(s.t.fep, s.ccc, 1000, 0), 100 + 4);
    assert_int_equal(uet_rccc_target(s.t.fep, s.ccc, 10000, 0), 100 + 40);
    assert_int_equal(uet_rccc_target(s.t.fep, s.ccc, 6000, 4000), 100 + 31);  /* 6000 + 1880 */
    assert_int_equal(uet_rccc_target(s.t.fep, s.ccc, 1000000, 0), 100 + 879); /* 225000 */
    peer_free(&s.t);
}

static void test_both(void **state)
{
    const struct uet_cc_nack last = {.bytes = 4000, .trimmed = true, .last_hop = true};
    struct source_of s;
    (void)state;
    ccc_begin(&s, both_on);
    s.ccc->nscc.cwnd = 8192;
    credit(&s, 10);
    assert_true(may_send(&s));
    assert_int_equal(uet_rccc_target(s.t.fep, s.ccc, 100000, 0), 10 + 38); /* 12288 - 2560 */
    uet_cc_of(s.ccc)->nacked(s.t.fep, s.ccc, &last);
    assert_int_equal(s.ccc->nscc.cwnd, 8192);
    s.ccc->inflight = 8192;
    assert_false(may_send(&s));
    s.ccc->inflight = 0;
    uet_rccc_sent(s.ccc, 2560);
    assert_false(may_send(&s));
    peer_free(&s.t);
}

/* ---- the destination ---- */

static void next_is(struct peer *t, uint64_t after, uint16_t pdc, uint32_t units)
{
    struct uet_grant grant;
    if (after) {
        t->fep->now = START + after - 1;
        assert_false(uet_grants_next(t->fep, &grant));
    }
    assert_int_equal(uet_grants_deadline(t->fep), START + after);
    t->fep->now = START + after;
    assert_true(uet_grants_next(t->fep, &grant));
    assert_int_equal(grant.pdc, pdc);
    assert_int_equal(grant.credit, units);
}

static void two_want(struct peer *t, uint32_t units)
{
    t->fep->now = START;
    t->fep->next_grant_at = START;
    uet_grants_want(t->fep, uet_grants_join(t->fep, &t->ip, 1), 11, units, false);
    uet_grants_want(t->fep, uet_grants_join(t->fep, &t->ip, 2), 12, units, false);
}

static void no_idle_credit(struct uet_fep_config *c)
{
    rccc_on(c);
    c->params.idle_credit = false;
}

static void test_grants_in_turn(void **state)
{
    struct peer t;
    struct uet_grant grant;
    (void)state;
    peer_init(&t, no_idle_credit);
    two_want(&t, 72);
    next_is(&t, 0, 11, 64);
    next_is(&t, 1323, 12, 64);
    next_is(&t, 2646, 11, 72); /* 8 units: 165 ns */
    next_is(&t, 2811, 12, 72);
    assert_int_equal(uet_grants_deadline(t.fep), UET_FEP_NEVER);
    assert_false(uet_grants_next(t.fep, &grant));
    /* It is told again, on the PDC that asks. */
    uet_grants_want(t.fep, uet_grants_join(t.fep, &t.ip, 1), 13, 72, true);
    next_is(&t, 2976, 13, 72);
    peer_free(&t);
}

/* A window and a grant, 878 + 64, are all that can be wanted at once, however much is said. */
static void test_wants_too_much(void **state)
{
    struct peer t;
    struct uet_grant grant = {0};
    (void)state;
    peer_init(&t, no_idle_credit);
    t.fep->now = t.fep->next_grant_at = START;
    const uint32_t id = uet_grants_join(t.fep, &t.ip, 1);
    uet_grants_want(t.fep, id, 11, 10, false);
    uet_grants_want(t.fep, id, 11, 0x7fffff, false);
    unsigned n = 0;
    for (; uet_grants_deadline(t.fep) != UET_FEP_NEVER; n++) {
        t.fep->now = uet_grants_deadline(t.fep);
        assert_true(uet_grants_next(t.fep, &grant));
    }
    assert_int_equal(grant.credit, WHOLE + 64);
    assert_int_equal(n, 15); /* 942 = 14 x 64 + 46 */
    peer_free(&t);
}

/* A source that was forgotten here goes on where it is: 0x100000 - (878 + 64), then a grant of 64.
 */
static void test_source_lived_on(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, no_idle_credit);
    t.fep->now = t.fep->next_grant_at = START;
    uet_grants_want(t.fep, uet_grants_join(t.fep, &t.ip, 1), 11, 0x100000, false);
    next_is(&t, 0, 11, 0x100000 - 878);
    peer_free(&t);
}

static void test_idle_credit(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, rccc_on);
    two_want(&t, 64);
    struct uet_grant grant = {0};
    unsigned n = 0;
    for (; uet_grants_deadline(t.fep) != UET_FEP_NEVER; n++) {
        t.fep->now = uet_grants_deadline(t.fep);
        assert_true(uet_grants_next(t.fep, &grant));
        assert_true(grant.credit <= 64 + WHOLE);
    }
    assert_int_equal(grant.credit, 64 + WHOLE);
    assert_int_equal(n, 2 * (1 + 14)); /* 878 = 13 x 64 + 46 */
    peer_free(&t);
}

static void pressed(struct uet_fep_config *c)
{
    rccc_on(c);
    c->params.host_pressure = 64;
}

static void test_pressed(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, pressed);
    two_want(&t, 200);
    next_is(&t, 0, 11, 64);
    next_is(&t, 2647, 12, 64); /* 131072 bits at 49.5 Gbit/s */
    peer_free(&t);
}

static void wants(struct peer *t, uint16_t pdc, uint8_t ccc_id, uint32_t units)
{
    pdc_at(t->fep, pdc)->id = pdc;
    pdc_at(t->fep, pdc)->peer = t->ip;
    uet_credit_wanted(t->fep, pdc_at(t->fep, pdc), ccc_id, units, false);
}

/* What a source wants goes by another PDC of its CCC when the one that told of it ends. */
static void test_pdcs_of_a_source(void **state)
{
    struct peer t;
    struct uet_grant grant;
    (void)state;
    peer_init(&t, no_idle_credit);
    t.fep->now = t.fep->next_grant_at = START;
    wants(&t, 1, 9, 64);
    for (uint16_t pdc = 2; pdc <= 4; pdc++)
        wants(&t, pdc, 7, 200);
    uet_credit_end(t.fep, pdc_at(t.fep, 4)); /* the last to tell */
    uet_credit_end(t.fep, pdc_at(t.fep, 2));
    next_is(&t, 0, 1, 64);
    next_is(&t, 1323, 3, 64);
    wants(&t, 3, 9, 64); /* of the other CCC from now on: nobody is left who wanted 200 */
    assert_false(uet_grants_wait(t.fep));
    uet_credit_end(t.fep, pdc_at(t.fep, 3));
    wants(&t, 1, 9, 72);
    next_is(&t, 2646, 1, 72);
    uet_credit_end(t.fep, pdc_at(t.fep, 1));
    assert_false(uet_grants_next(t.fep, &grant));
    assert_int_equal(t.fep->grantees.used, 0);
    peer_free(&t);
}

static void asks(struct source_of *s, struct pdc *pdc)
{
    uint32_t payload;
    pdc->wants |= 1u << UET_CTL_CREDIT_REQUEST;
    assert_true(uet_credit_ask(s->t.fep, pdc, &payload));
    assert_int_equal(payload >> 24, s->r->id);
}

/* Of the CCC, known to its peer, and without credit. */
static struct pdc *held(struct source_of *s, uint32_t id)
{
    struct pdc *pdc = pdc_at(s->t.fep, id);
    pdc->ccc = 1;
    pdc->line = LINE_HELD;
    pdc->peer_id = 7;
    return pdc;
}

/* A destination that grants by another PDC of the CCC, which spends it, has not gone. */
static void test_not_alone(void **state)
{
    struct source_of s;
    (void)state;
    ccc_begin(&s, rccc_on);
    struct pdc *one = held(&s, 1), *other = held(&s, 2);
    for (unsigned i = 0; i < s.t.fep->params.Max_RTO_Retx_Cnt; i++) {
        assert_false(uet_credit_alone(s.t.fep, one));
        asks(&s, one);
    }
    assert_true(uet_credit_alone(s.t.fep, one));
    assert_true(uet_credit_take(s.t.fep, other, 64));
    assert_false(uet_credit_alone(s.t.fep, one));
    asks(&s, one);
    assert_int_equal(one->tx.n_credit_asks, 1);
    peer_free(&s.t);
}

/* The peer has no such PDC: two questions were answered so, one of which may be another PDC's. */
static void test_asked_in_vain(void **state)
{
    struct source_of s;
    (void)state;
    ccc_begin(&s, rccc_on);
    struct pdc *pdc = held(&s, 1);
    asks(&s, pdc);
    assert_false(uet_credit_asked_in_vain(pdc, 0));
    asks(&s, pdc);
    assert_true(uet_credit_asked_in_vain(pdc, 0));
    assert_false(uet_credit_asked_in_vain(pdc, 1));
    assert_true(uet_credit_take(s.t.fep, pdc, 64));
    assert_false(uet_credit_asked_in_vain(pdc, 0));
    peer_free(&s.t);
}

/* The question that was due is asked once: the next one a base RTT later or more (CMS-084). */
static void test_asked_once(void **state)
{
    struct source_of s;
    (void)state;
    ccc_begin(&s, rccc_on);
    struct pdc *pdc = held(&s, 1);
    acked(&s);
    uet_credit_await(s.t.fep, pdc, 500000);
    assert_int_equal(pdc->timers[TIMER_CREDIT], START);
    asks(&s, pdc);
    uet_credit_await(s.t.fep, pdc, 500000);
    assert_true(pdc->timers[TIMER_CREDIT] >= START + 12000);
    peer_free(&s.t);
}

/* Where a ccc_id begins follows from the seed, and no two CCCs to one peer have the same. */
static void test_ccc_id(void **state)
{
    uint8_t first[4];
    bool others = false;
    (void)state;
    for (uint64_t seed = 0; seed < 4; seed++) {
        struct source_of s;
        ccc_begin(&s, rccc_on);
        struct uet_fep_config config = s.t.fep->config;
        config.seed = seed;
        void *memory = calloc(1, uet_fep_size(&config));
        struct uet_fep *fep = uet_fep_init(memory, uet_fep_size(&config), &config, 0);
        first[seed] = uet_ccc_at(fep, uet_ccc_join(fep, &s.t.ip, 0, false))->rccc.id;
        uint8_t next = uet_ccc_at(fep, uet_ccc_join(fep, &s.t.ip, 1, false))->rccc.id;
        assert_int_equal(next, (uint8_t)(first[seed] + 1));
        others |= first[seed] != first[0];
        free(memory);
        peer_free(&s.t);
    }
    assert_true(others);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_speculation),       cmocka_unit_test(test_speculation_ends),
        cmocka_unit_test(test_credit_is_a_count), cmocka_unit_test(test_target),
        cmocka_unit_test(test_target_of_backlog), cmocka_unit_test(test_both),
        cmocka_unit_test(test_grants_in_turn),    cmocka_unit_test(test_wants_too_much),
        cmocka_unit_test(test_source_lived_on),   cmocka_unit_test(test_idle_credit),
        cmocka_unit_test(test_pressed),           cmocka_unit_test(test_pdcs_of_a_source),
        cmocka_unit_test(test_not_alone),         cmocka_unit_test(test_asked_in_vain),
        cmocka_unit_test(test_asked_once),        cmocka_unit_test(test_ccc_id),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
