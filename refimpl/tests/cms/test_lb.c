/* SPDX-License-Identifier: BSD-2-Clause */
/* Load balancing (3.6.16): which entropy values a destination gets, and what news of them does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>

#include "refimpl/pds/pds.h"
#include "refimpl/tests/shared/peer.h"

struct balanced {
    struct peer t;
    struct ccc *ccc;
};

static void begin(struct balanced *b, uint8_t row, uint16_t set)
{
    peer_init(&b->t, NULL);
    assert_int_equal(uet_fep_param_set(&b->t.fep->params, "LB", row), 0);
    assert_int_equal(uet_fep_param_set(&b->t.fep->params, "ev_set_size", set), 0);
    b->ccc = uet_ccc_at(b->t.fep, uet_ccc_join(b->t.fep, &b->t.ip, 0, false));
}

static uint16_t pick(struct balanced *b)
{
    return uet_lb_pick(b->t.fep, b->ccc);
}

static void told(struct balanced *b, uint16_t ev, enum uet_lb_news news)
{
    uet_lb_told(b->t.fep, b->ccc, ev, news);
}

/* A set whose size is no power of two has no XOR order. */
static void test_set_size(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    assert_int_equal(uet_fep_param_set(&t.fep->params, "ev_set_size", 48), -ERANGE);
    peer_free(&t);
}

/* One pass: each value once; how many of them stand where they stood in `before`. */
static unsigned pass(struct balanced *b, uint16_t *evs, unsigned n, const uint16_t *before)
{
    unsigned same = 0;
    for (unsigned i = 0; i < n; i++) {
        evs[i] = pick(b);
        assert_true(evs[i] >= 0xc000);
        for (unsigned j = 0; j < i; j++)
            assert_int_not_equal(evs[i], evs[j]);
        same += before && before[i] == evs[i];
    }
    return same;
}

/* CMS-097: the same values in each pass, in another order. */
static void test_oblivious(void **state)
{
    struct balanced b;
    uint16_t first[64], next[64];
    (void)state;
    begin(&b, LB_OBLIVIOUS, 64);
    pass(&b, first, 64, NULL);
    told(&b, first[0], LB_LOST); /* nobody listens */
    assert_true(pass(&b, next, 64, first) < 64);
    for (unsigned i = 0; i < 64; i++) {
        unsigned there = 0;
        for (unsigned j = 0; j < 64; j++)
            there += next[j] == first[i];
        assert_int_equal(there, 1);
    }
    peer_free(&b.t);
}

static bool has(const uint16_t *evs, unsigned n, uint16_t ev)
{
    for (unsigned i = 0; i < n; i++)
        if (evs[i] == ev)
            return true;
    return false;
}

/* Bad news passes an EV over once, however often it is told; then it has its turn again. */
static void test_bitmap(void **state)
{
    struct balanced b;
    uint16_t evs[16], seen[15];
    (void)state;
    begin(&b, LB_BITMAP, 16);
    pass(&b, evs, 16, NULL);
    told(&b, evs[3], LB_TRIMMED);
    told(&b, evs[3], LB_MARKED);
    told(&b, evs[5], LB_GOOD);
    assert_int_equal(b.ccc->lb.bitmap.n_bad, 1);
    pass(&b, seen, 15, NULL);
    assert_false(has(seen, 15, evs[3]));
    assert_true(has(seen, 15, evs[5]));
    assert_int_equal(b.ccc->lb.bitmap.n_bad, 0);
    pass(&b, evs, 16, NULL);   /* all again */
    told(&b, 0x1234, LB_LOST); /* of no EV of the set */
    assert_int_equal(b.ccc->lb.bitmap.n_bad, 0);
    peer_free(&b.t);
}

/* CMS-099: more than half of them bad, and none is passed over. */
static void test_saturated(void **state)
{
    struct balanced b;
    uint16_t evs[16], next[16];
    (void)state;
    begin(&b, LB_BITMAP, 16);
    pass(&b, evs, 16, NULL);
    for (unsigned i = 0; i < 16; i++)
        told(&b, evs[i], LB_MARKED);
    pass(&b, next, 7, NULL); /* 16 to 10 bad: still saturated, each is used and forgiven */
    assert_int_equal(b.ccc->lb.bitmap.n_bad, 9);
    pick(&b); /* of 9, too; 8 of 16 are not more than half: these are passed over at once */
    assert_int_equal(b.ccc->lb.bitmap.n_bad, 8);
    pick(&b);
    assert_int_equal(b.ccc->lb.bitmap.n_bad, 0);
    peer_free(&b.t);
}

/* The EVs of good answers once each, the oldest first; bad ones are not used again. */
static void test_reps(void **state)
{
    struct balanced b;
    (void)state;
    begin(&b, LB_REPS, 256);
    uint16_t a = pick(&b), c = pick(&b), d = pick(&b);
    told(&b, a, LB_GOOD);
    told(&b, c, LB_MARKED);
    told(&b, d, LB_GOOD);
    assert_int_equal(b.ccc->lb.reps.fresh, 2);
    assert_int_equal(pick(&b), a);
    assert_int_equal(pick(&b), d);
    assert_int_equal(b.ccc->lb.reps.fresh, 0);
    for (uint16_t i = 0; i < 10; i++) /* eight are kept: the first two are gone */
        told(&b, (uint16_t)(0xc100 + i), LB_GOOD);
    for (uint16_t i = 2; i < 10; i++)
        assert_int_equal(pick(&b), 0xc100 + i);
    assert_int_equal(b.ccc->lb.reps.fresh, 0);
    peer_free(&b.t);
}

/* A loss nobody told: the ring goes round for 10 ms; then 16 new ones before it may freeze again.
 */
static void test_reps_freezes(void **state)
{
    struct balanced b;
    (void)state;
    begin(&b, LB_REPS, 256);
    b.t.fep->now = 50 * MS;
    pick(&b);
    told(&b, 0xc001, LB_GOOD);
    told(&b, 0xc002, LB_GOOD);
    assert_int_equal(pick(&b), 0xc001);
    told(&b, 0xc003, LB_LOST);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(pick(&b), 0xc001);
        assert_int_equal(pick(&b), 0xc002);
    }
    b.t.fep->now = 60 * MS - 1;
    told(&b, 0xc004, LB_GOOD);
    assert_true(b.ccc->lb.reps.frozen);
    b.t.fep->now = 60 * MS;
    told(&b, 0xc005, LB_MARKED);
    assert_false(b.ccc->lb.reps.frozen);
    assert_int_equal(b.ccc->lb.reps.n, 0);
    for (unsigned i = 0; i < 16; i++) {
        told(&b, 0xc006, LB_LOST);
        assert_false(b.ccc->lb.reps.frozen);
        pick(&b);
    }
    told(&b, 0xc006, LB_LOST);
    assert_true(b.ccc->lb.reps.frozen);
    peer_free(&b.t);
}

/* LB may change at any time; what was known under the old row is forgotten. */
static void test_switched(void **state)
{
    struct balanced b;
    uint16_t evs[16];
    (void)state;
    begin(&b, LB_BITMAP, 16);
    told(&b, pick(&b), LB_MARKED);
    assert_int_equal(uet_fep_param_set(&b.t.fep->params, "LB", LB_OBLIVIOUS), 0);
    told(&b, 0xc000, LB_MARKED); /* no row has begun */
    pass(&b, evs, 16, NULL);
    assert_int_equal(b.ccc->lb.row, LB_OBLIVIOUS);
    peer_free(&b.t);
}

static uint8_t bytes[8 * 4096];

static void reps(struct uet_fep_config *c)
{
    c->params.LB = LB_REPS;
}

/* On the wire: the EV that an unmarked ACK echoes is that of the next packet; ROD has one. */
static void test_on_the_wire(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, reps);
    for (unsigned rod = 0; rod < 2; rod++) {
        const struct uet_operation op = {.to = t.ip,
                                         .opcode = UET_OP_WRITE,
                                         .mode = rod ? UET_MODE_ROD : UET_MODE_RUD,
                                         .relative = true,
                                         .job_id = JOB,
                                         .pid_on_fep = PID,
                                         .resource_index = RI,
                                         .key = KEY,
                                         .data = bytes,
                                         .length = sizeof bytes};
        assert_int_equal(uet_fep_submit(t.fep, &op, t.now), 0);
    }
    uint16_t of_rod = 0, last = 0;
    unsigned n_rod = 0, changes = 0;
    for (size_t len; (len = uet_fep_transmit(t.fep, t.bytes, sizeof t.bytes, t.now)) > 0;) {
        assert_int_equal(uet_parse(&t.p, t.bytes, len, NULL), UET_PARSE_OK);
        if (uet_rud_rod_req_type(uet_pds(&t.p)) == UET_PDS_ROD_REQ) {
            assert_true(!n_rod++ || uet_entropy(&t.p) == of_rod);
            of_rod = uet_entropy(&t.p);
        } else {
            changes += last && uet_entropy(&t.p) != last;
            last = uet_entropy(&t.p);
        }
    }
    assert_int_equal(n_rod, 8);
    assert_true(changes > 3);
    peer_free(&t);
}

static void rerouting(struct uet_fep_config *c)
{
    c->params.t_reroute = 10;
    c->params.config_base_rtt = 12 * US;
    c->params.CC_Window = 2 * 4200; /* one of two is in flight when the other is answered */
}

/* An answer of the ROD path ev to the packet n, with bad news; the next packet's entropy value. */
static uint16_t marked(struct peer *t, uint32_t n, uint16_t ev)
{
    ack(t, &(struct ack_spec){.cack = t->start_psn + n,
                              .psn = t->start_psn + n,
                              .m = true,
                              .entropy = ev,
                              .opcode = UET_RSP_DEFAULT_RESPONSE,
                              .code = UET_RC_OK});
    expect_request(t, t->start_psn + n + 2, false);
    return uet_entropy(&t->p);
}

/* 3.6.16.2: bad news moves a ROD PDC, but ten round trips of 12 us from move to move. */
static void test_rod_moves(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, rerouting);
    t.rod = true;
    fep_writes(&t, 8 * 4096);
    first(&t);
    const uint16_t old = uet_entropy(&t.p);
    expect_request(&t, t.start_psn + 1, false);
    const uint16_t new = marked(&t, 0, old);
    assert_int_not_equal(new, old);
    assert_int_equal(marked(&t, 1, old), new); /* that is no news of the new path */
    advance(&t, 120 * US - 1);
    assert_int_equal(marked(&t, 2, new), new);
    advance(&t, 1);
    assert_int_not_equal(marked(&t, 3, new), new);
    assert_int_equal(t.fep->counters[CNT_rod_rerouted], 2);
    peer_free(&t);
}

/* An idle one takes another at once; one that is not to move (0, the default) never does. */
static void test_rod_idle(void **state)
{
    (void)state;
    for (uint32_t rtts = 0; rtts <= 10; rtts += 10) {
        struct peer t;
        peer_init(&t, NULL);
        t.fep->params.t_reroute = rtts;
        t.rod = true;
        fep_writes(&t, 16);
        uint16_t ev[3];
        for (uint32_t i = 0; i < 3; i++) {
            if (i)
                expect_request(&t, t.start_psn + i, false);
            else
                first(&t);
            ev[i] = uet_entropy(&t.p);
            ack(&t, &(struct ack_spec){.cack = t.start_psn + i,
                                       .psn = t.start_psn + i,
                                       .m = true,
                                       .entropy = ev[i],
                                       .message_id = uet_ses_req_std_message_id(uet_ses(&t.p)),
                                       .opcode = UET_RSP_DEFAULT_RESPONSE,
                                       .code = UET_RC_OK});
            fep_writes(&t, 16);
        }
        assert_int_equal(ev[0] == ev[1], !rtts);
        assert_int_equal(ev[1] == ev[2], !rtts);
        peer_free(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_set_size),  cmocka_unit_test(test_oblivious),
        cmocka_unit_test(test_bitmap),    cmocka_unit_test(test_saturated),
        cmocka_unit_test(test_reps),      cmocka_unit_test(test_reps_freezes),
        cmocka_unit_test(test_switched),  cmocka_unit_test(test_on_the_wire),
        cmocka_unit_test(test_rod_moves), cmocka_unit_test(test_rod_idle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
