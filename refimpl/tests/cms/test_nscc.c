/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * NSCC as source, against numbers worked out by hand from Table 3-82 and 3.6.13.5/.6. Unless a test
 * says otherwise: 100 Gbit/s, 12 us, switches that trim, MTU 4096, so BDP 150000 bytes, MaxWnd
 * 225000, target_qdelay 9 us, alpha 1.365333 bytes/ns, fi 20480, fi_scale 0.25, eta 614 bytes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "refimpl/pds/pds.h"
#include "refimpl/tests/shared/peer.h"

#define MTU   4096u
#define START 1000000000ull /* when the CCC begins */
#define RTT   12000u

/* A CCC of a FEP that sends nothing, at START. */
struct source_of {
    struct peer t;
    struct ccc *ccc;
    struct uet_nscc *n;
};

static void nscc_on(struct uet_fep_config *c)
{
    c->params.NSCC = true;
}

static void ccc_begin(struct source_of *s, void (*change)(struct uet_fep_config *))
{
    peer_init(&s->t, change);
    s->t.fep->now = START;
    s->ccc = uet_ccc_at(s->t.fep, uet_ccc_join(s->t.fep, &s->t.ip, 0, false));
    s->n = &s->ccc->nscc;
}

static void ccc_end(struct source_of *s)
{
    peer_free(&s->t);
}

/* An ACK `after` ns after START, of `newly` bytes, whose packet met this queueing delay. */
static void acked(struct source_of *s, uint64_t after, uint32_t newly, bool m, uint32_t delay)
{
    const struct uet_cc_ack a = {.rtt_ns = s->n->base_rtt + delay, .newly_rcvd = newly, .m = m};
    s->t.fep->now = START + after;
    uet_cc_of(s->ccc)->acked(s->t.fep, s->ccc, &a);
}

static void trimmed(struct source_of *s, uint64_t after, uint32_t bytes)
{
    const struct uet_cc_nack n = {.bytes = bytes, .trimmed = true};
    s->t.fep->now = START + after;
    uet_cc_of(s->ccc)->nacked(s->t.fep, s->ccc, &n);
}

/* ---- Table 3-82 ---- */

struct network {
    uint32_t mbits;
    uint64_t rtt;
    bool trims;
    uint32_t target, max_wnd, fi_q8, fi_scale_q16, eta;
    uint64_t alpha; /* bytes/ms, as far as they are whole */
};

/* Rows of cms-behaviour 5.7: fi x 256 and fi_scale x 65536, cut to whole numbers. */
static void test_formulas(void **state)
{
    static const struct network rows[] = {
        {100000, 12000, true, 9000, 225000, 5242880, 16384, 614, 1365333},
        {400000, 12000, true, 9000, 900000, 20971520, 65536, 2457, 5461333},
        {400000, 8000, false, 8000, 600000, 13981013, 43690, 1638, 3640888},
        {800000, 10000, true, 7500, 1500000, 34952533, 109226, 4096, 9102222},
        {25000, 20000, false, 20000, 93750, 2184533, 6826, 256, 568888},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct network *r = &rows[i];
        struct uet_fep_config c;
        uet_fep_config_default(&c);
        c.params.sender_link_rate = r->mbits;
        c.params.config_base_rtt = r->rtt;
        c.params.trimming = r->trims;
        const struct uet_nscc_gains g = uet_nscc_gains(&c, &c.params);
        assert_int_equal(g.target_qdelay, r->target);
        assert_int_equal(g.max_wnd, r->max_wnd);
        assert_int_equal(g.fi_q8, r->fi_q8);
        assert_int_equal(g.fi_scale_q16, r->fi_scale_q16);
        assert_int_equal(g.eta, r->eta);
        assert_int_equal(g.alpha_q32 * 1000000u >> 32, r->alpha);
        assert_int_equal(g.adjust_bytes, 8 * MTU);
        assert_int_equal(g.adjust_period, r->rtt);
    }
}

/* The slower end counts for the BDP; what is told wins over its formula. */
static void test_told(void **state)
{
    struct uet_fep_config c;
    (void)state;
    uet_fep_config_default(&c);
    c.params.receiver_link_rate = 50000;
    assert_int_equal(uet_nscc_gains(&c, &c.params).max_wnd, 112500);
    c.params.MaxWnd = 1000; /* less than a packet is none */
    c.params.alpha = 2000000000;
    c.params.fi = 7;
    c.params.fi_scale = 1500;
    c.params.eta = 9;
    c.params.target_qdelay = 5000;
    c.params.adjust_bytes_threshold = 11;
    c.params.adjust_period_threshold = 13;
    const struct uet_nscc_gains g = uet_nscc_gains(&c, &c.params);
    assert_int_equal(g.max_wnd, MTU);
    assert_int_equal(g.alpha_q32, 2ull << 32); /* 2 bytes/ns */
    assert_int_equal(g.fi_q8, 7 * 256);
    assert_int_equal(g.fi_scale_q16, 98304);
    assert_int_equal(g.eta, 9);
    assert_int_equal(g.target_qdelay, 5000);
    assert_int_equal(g.adjust_bytes, 11);
    assert_int_equal(g.adjust_period, 13);
}

/* ---- the four cases ---- */

static void test_start(void **state)
{
    struct source_of s;
    (void)state;
    ccc_begin(&s, nscc_on);
    assert_int_equal(s.ccc->cc, CC_NSCC);
    assert_int_equal(s.n->cwnd, 225000);
    assert_int_equal(s.n->base_rtt, RTT);
    s.ccc->inflight = 225000 - 4096;
    assert_true(uet_nscc_may_send(s.t.fep, s.ccc));
    s.ccc->inflight++;
    assert_false(uet_nscc_may_send(s.t.fep, s.ccc));
    ccc_end(&s);
}

/* Nine ACKs of 4096 bytes: the ninth is more than 8 MTUs, and they are applied. */
static void nine(struct source_of *s, uint64_t first, bool m, uint32_t delay)
{
    for (uint64_t i = 0; i < 9; i++)
        acked(s, first + i * 100, MTU, m, delay);
}

/* m = 0, delay 10 us, above the target: 20480 x 36864 / 150000 = 5033.1. */
static void test_fair_increase(void **state)
{
    struct source_of s;
    (void)state;
    ccc_begin(&s, nscc_on);
    s.n->cwnd = 150000;
    for (uint64_t i = 0; i < 8; i++)
        acked(&s, 1000 + i * 100, MTU, false, 10000);
    assert_int_equal(s.n->cwnd, 150000); /* 8 MTUs are not more than 8 MTUs */
    assert_int_equal(s.n->inc_bytes, 20480u * 32768u);
    acked(&s, 1800, MTU, false, 10000);
    assert_int_equal(s.n->cwnd, 155033);
    assert_int_equal(s.n->inc_bytes, 0);
    assert_int_equal(s.n->received_bytes, 0);
    ccc_end(&s);
}

/* ... and when adjust_period_threshold, 12 us, is over, eta, 614, comes on top, whatever came. */
static void test_eta(void **state)
{
    struct source_of s;
    (void)state;
    ccc_begin(&s, nscc_on);
    s.n->cwnd = 150000;
    acked(&s, 11999, MTU, false, 10000);
    assert_int_equal(s.n->cwnd, 150000);
    acked(&s, 12000, MTU, false, 10000); /* 20480 x 8192 / 150000 = 1118.4 */
    assert_int_equal(s.n->cwnd, 150000 + 1118 + 614);
    assert_int_equal(s.n->last_adjust_time, START + 12000);
    ccc_end(&s);
}

/* m = 0, delay 3 us: 1.365333 x 36864 x 6000 = 301989888; / 150000 = 2013.2. */
static void test_proportional_increase(void **state)
{
    struct source_of s;
    (void)state;
    ccc_begin(&s, nscc_on);
    s.n->cwnd = 150000;
    acked(&s, 1000, MTU, false, 3000);
    assert_int_equal(s.n->inc_bytes, 33554432); /* 4096 x 6000 x 4096 / 3000 */
    for (uint64_t i = 1; i < 9; i++)
        acked(&s, 1000 + i * 100, MTU, false, 3000);
    assert_int_equal(s.n->cwnd, 152013);
    ccc_end(&s);
}

/* At about no delay: more than a window of it, then a quarter of each byte, up to max_wnd. */
static void test_fast_increase(void **state)
{
    struct source_of s;
    (void)state;
    ccc_begin(&s, nscc_on);
    s.n->cwnd = 8192;
    s.n->last_adjust_time = START + 100000;
    acked(&s, 100000, 8192, false, 999);
    assert_false(s.n->increase);
    assert_int_equal(s.n->cwnd, 8192);
    assert_int_equal(s.n->fi_count, 8192);
    acked(&s, 100001, MTU, false, 999);
    assert_true(s.n->increase);
    assert_int_equal(s.n->cwnd, 8192 + 1024);
    acked(&s, 100002, 1000, false, 0);
    assert_int_equal(s.n->cwnd, 8192 + 1024 + 250);
    acked(&s, 100003, 100, false, 1000); /* that is some delay */
    assert_false(s.n->increase);
    assert_int_equal(s.n->fi_count, 0);
    s.n->increase = true;
    s.n->cwnd = 224900;
    acked(&s, 100004, MTU, false, 0);
    assert_int_equal(s.n->cwnd, 225000);
    ccc_end(&s);
}

/* m = 1 below the target: nothing; load balancing alone reacts. */
static void test_mark_alone(void **state)
{
    struct source_of s;
    (void)state;
    ccc_begin(&s, nscc_on);
    s.n->cwnd = 150000;
    nine(&s, 1000, true, 8999);
    assert_int_equal(s.n->cwnd, 150000);
    assert_int_equal(s.n->inc_bytes, 0);
    ccc_end(&s);
}

/* An ACK with m = 1 whose sample leaves the average as it is. */
static void marked(struct source_of *s, uint64_t after, uint32_t avg)
{
    s->n->avg_delay = avg;
    s->n->last_sample_time = START + after;
    s->n->received_bytes = 0;
    s->n->last_adjust_time = START + after;
    acked(s, after, 0, true, 20000);
}

/* 1 - 0.8 x (18 - 9) / 18 = 0.6, once in a base_rtt; 90 us would be 0.28, and half is the least. */
static void test_multiplicative_decrease(void **state)
{
    struct source_of s;
    (void)state;
    ccc_begin(&s, nscc_on);
    s.n->cwnd = 150000;
    s.n->increase = true;
    s.n->fi_count = 5;
    marked(&s, 12000, 18000); /* not more than a base_rtt since the start */
    assert_int_equal(s.n->cwnd, 150000);
    assert_false(s.n->increase);
    assert_int_equal(s.n->fi_count, 0);
    marked(&s, 12001, 9000); /* the average is not above the target */
    assert_int_equal(s.n->cwnd, 150000);
    marked(&s, 12002, 18000);
    assert_int_equal(s.n->cwnd, 90000);
    marked(&s, 24002, 18000);
    assert_int_equal(s.n->cwnd, 90000);
    s.n->cwnd = 150000;
    marked(&s, 24003, 90000);
    assert_int_equal(s.n->cwnd, 75000);
    s.n->cwnd = 5000;
    marked(&s, 40000, 90000);
    assert_int_equal(s.n->cwnd, MTU);
    ccc_end(&s);
}

/* ---- quick adapt ---- */

/* The first event begins a period of 12 + 9 us; then what came in it, if less than 225000 / 8. */
static void test_quick_adapt(void **state)
{
    struct source_of s;
    (void)state;
    ccc_begin(&s, nscc_on);
    acked(&s, 100, 1000, false, 3000);
    assert_int_equal(s.n->qa_endtime, START + 100 + 21000);
    assert_int_equal(s.n->achieved_bytes, 0);
    s.n->achieved_bytes = 20000;
    s.n->cwnd = 150000;
    trimmed(&s, 21099, 4200); /* too early: the packet's size */
    assert_int_equal(s.n->cwnd, 145800);
    assert_true(s.n->trigger_qa);
    s.ccc->inflight = 50000;
    trimmed(&s, 21100, 4200);
    assert_int_equal(s.n->cwnd, 20000);
    assert_false(s.n->trigger_qa);
    assert_int_equal(s.n->bytes_to_ignore, 50000);
    assert_int_equal(s.n->bytes_ignored, 0);
    assert_int_equal(s.n->qa_endtime, START + 42100);
    ccc_end(&s);
}

/* What is left of the flight before does no more harm, as long as it is marked. */
static void test_ignores(void **state)
{
    struct source_of s;
    (void)state;
    ccc_begin(&s, nscc_on);
    s.n->cwnd = 20000;
    s.n->bytes_to_ignore = 8192;
    s.n->inc_bytes = 99;
    s.n->avg_delay = 90000;
    acked(&s, 30000, 4096, true, 90000);
    assert_int_equal(s.n->cwnd, 20000);
    assert_int_equal(s.n->inc_bytes, 0);
    trimmed(&s, 30001, 1000);
    assert_int_equal(s.n->cwnd, 20000);
    assert_int_equal(s.n->bytes_ignored, 5096);
    acked(&s, 30002, 4096, true, 90000); /* 9192: over, halved; and eta, as 12 us are over */
    assert_int_equal(s.n->cwnd, 10000 + 614);
    ccc_end(&s);
}

/* 40000 is not less than 28125: the packet's size alone. Nor is there any with it turned off. */
static void test_no_quick_adapt(void **state)
{
    struct source_of s;
    (void)state;
    ccc_begin(&s, nscc_on);
    s.n->qa_endtime = START;
    s.n->achieved_bytes = 40000;
    trimmed(&s, 10, 4200);
    assert_int_equal(s.n->cwnd, 220800);
    assert_int_equal(s.n->achieved_bytes, 0);
    s.t.fep->nscc.quick_adapt = false;
    s.n->qa_endtime = START;
    trimmed(&s, 20, 4200);
    assert_int_equal(s.n->cwnd, 216600);
    ccc_end(&s);
}

static void no_trims(struct uet_fep_config *c)
{
    c->params.NSCC = true;
    c->params.trimming = false;
}

/* Without trims a delay of more than 4 x 12 us is the sign (3.6.13.3). */
static void test_qa_threshold(void **state)
{
    struct source_of s;
    (void)state;
    ccc_begin(&s, no_trims);
    s.n->qa_endtime = START;
    acked(&s, 1, 5000, false, 48000);
    assert_int_equal(s.n->cwnd, 225000);
    s.n->qa_endtime = START;
    acked(&s, 2, 5000, false, 48001);
    assert_int_equal(s.n->cwnd, 5000);
    ccc_end(&s);
}

/* ---- losses, samples, the destination's wish ---- */

static void test_losses(void **state)
{
    const struct uet_cc_nack other = {.bytes = 4200, .rtt_ns = 20000};
    struct source_of s;
    (void)state;
    ccc_begin(&s, nscc_on);
    uet_nscc_nacked(s.t.fep, s.ccc, &other); /* the window is not to blame (CMS-056) */
    assert_int_equal(s.n->cwnd, 225000);
    uet_nscc_inferred(s.t.fep, s.ccc, 4200);
    assert_int_equal(s.n->cwnd, 220800);
    assert_int_equal(s.n->bytes_ignored, 4200);
    assert_false(s.n->trigger_qa);
    s.n->cwnd = 5000;
    uet_nscc_inferred(s.t.fep, s.ccc, 4200);
    assert_int_equal(s.n->cwnd, MTU);
    ccc_end(&s);
}

/* base_rtt only falls: 10 us are 1.5 x 100 Gbit/s x 10 us = 187500 bytes. */
static void test_base_rtt(void **state)
{
    struct source_of s;
    const struct uet_cc_ack shorter = {.rtt_ns = 10000}, longer = {.rtt_ns = 11000};
    const struct uet_cc_nack nack = {.bytes = 4200, .rtt_ns = 9000};
    (void)state;
    ccc_begin(&s, nscc_on);
    uet_nscc_acked(s.t.fep, s.ccc, &shorter);
    assert_int_equal(s.n->base_rtt, 10000);
    assert_int_equal(s.n->max_wnd, 187500);
    assert_int_equal(s.n->cwnd, 187500);
    uet_nscc_acked(s.t.fep, s.ccc, &longer);
    assert_int_equal(s.n->base_rtt, 10000);
    uet_nscc_nacked(s.t.fep, s.ccc, &nack); /* of a NACK, too */
    assert_int_equal(s.n->max_wnd, 168750);
    ccc_end(&s);
}

/* CMS-113: bytes count, and the destination's wish; no case, no quick adapt, no fulfilment. */
static void test_no_sample(void **state)
{
    const struct uet_cc_ack a = {.newly_rcvd = 40000, .m = true};
    struct source_of s;
    (void)state;
    ccc_begin(&s, nscc_on);
    s.t.fep->now = START + 100000;
    s.n->avg_delay = 90000;
    uet_nscc_acked(s.t.fep, s.ccc, &a);
    assert_int_equal(s.n->cwnd, 225000);
    assert_int_equal(s.n->achieved_bytes, 40000);
    assert_int_equal(s.n->received_bytes, 40000);
    assert_int_equal(s.n->qa_endtime, 0);
    ccc_end(&s);
}

/* 145904 in flight, 4096 came: 145904 - 64 x 4096 / 128 = 143856, or - 4064 = 141840. */
static void test_penalty(void **state)
{
    const struct uet_cc_ack half = {.newly_rcvd = MTU, .pend = 64, .rtt_ns = RTT},
                            most = {.newly_rcvd = MTU, .pend = 127},
                            keep = {.newly_rcvd = 0, .restore = false},
                            back = {.newly_rcvd = 0, .restore = true};
    struct source_of s;
    (void)state;
    ccc_begin(&s, nscc_on);
    s.ccc->inflight = 145904;
    uet_nscc_acked(s.t.fep, s.ccc, &half);
    assert_int_equal(s.n->cwnd, 143856);
    assert_int_equal(s.n->inc_bytes, 0); /* no increase */
    s.n->cwnd = 225000;
    uet_nscc_acked(s.t.fep, s.ccc, &most);
    assert_int_equal(s.n->cwnd, 141840);
    uet_nscc_acked(s.t.fep, s.ccc, &keep);
    assert_int_equal(s.n->cwnd, 141840);
    uet_nscc_acked(s.t.fep, s.ccc, &back); /* to what it was at first */
    assert_int_equal(s.n->cwnd, 225000);
    assert_int_equal(s.n->saved_cwnd, 0);
    s.ccc->inflight = -200; /* rounded up too far */
    uet_nscc_acked(s.t.fep, s.ccc, &most);
    assert_int_equal(s.n->cwnd, MTU);
    ccc_end(&s);
}

/* A sample weighs as the time since the last, a whole base_rtt at most. */
static void test_average(void **state)
{
    struct source_of s;
    (void)state;
    ccc_begin(&s, nscc_on);
    acked(&s, 3000, 0, true, 8000);
    assert_int_equal(s.n->avg_delay, 2000); /* 0 + 8000 x 3 / 12 */
    acked(&s, 9000, 0, true, 0);
    assert_int_equal(s.n->avg_delay, 1000); /* 2000 - 2000 x 6 / 12 */
    acked(&s, 99000, 0, true, 7000);
    assert_int_equal(s.n->avg_delay, 7000);
    ccc_end(&s);
}

/* ---- on the wire: two packets of 4200 nominal bytes fit, PSNs start_psn and start_psn + 1 ---- */

#define NOMINAL ((int)(8u + 12u + 44u + MTU + 40u)) /* UDP, PDS, SES, payload, and the 40 bytes */

static void two_fit(struct uet_fep_config *c)
{
    c->params.NSCC = true;
    c->params.MaxWnd = 10000;
}

static uint8_t bytes[5 * MTU];

static struct ccc *two_leave_of(struct peer *t, void (*change)(struct uet_fep_config *))
{
    peer_init(t, change);
    const struct uet_operation op = {.to = t->ip,
                                     .opcode = UET_OP_WRITE,
                                     .relative = true,
                                     .job_id = JOB,
                                     .pid_on_fep = PID,
                                     .resource_index = RI,
                                     .key = KEY,
                                     .data = bytes,
                                     .length = sizeof bytes};
    assert_int_equal(uet_fep_submit(t->fep, &op, t->now), 0);
    const uint8_t *h = take(t);
    t->start_psn = uet_rud_rod_req_psn(h);
    t->dpdcid = uet_rud_rod_req_spdcid(h);
    t->spdcid = 0x4001;
    assert_int_equal(uet_rud_rod_req_ar(take(t)), change == two_fit); /* CMS-057 */
    return uet_ccc_at(t->fep, 1);
}

/* They fill the window. */
static const struct ccc *two_leave(struct peer *t)
{
    const struct ccc *ccc = two_leave_of(t, two_fit);
    take_nothing(t);
    return ccc;
}

/* Far from the end of its window it asks once in each base_rtt, and not for each packet. */
static void test_asks_each_rtt(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, nscc_on);
    t.now += START;
    const struct uet_operation op = {.to = t.ip,
                                     .opcode = UET_OP_WRITE,
                                     .relative = true,
                                     .job_id = JOB,
                                     .pid_on_fep = PID,
                                     .resource_index = RI,
                                     .key = KEY,
                                     .data = bytes,
                                     .length = sizeof bytes};
    assert_int_equal(uet_fep_submit(t.fep, &op, t.now), 0);
    assert_true(uet_rud_rod_req_ar(take(&t)));
    assert_false(uet_rud_rod_req_ar(take(&t)));
    t.now += RTT - 1;
    assert_false(uet_rud_rod_req_ar(take(&t)));
    t.now += 1;
    assert_true(uet_rud_rod_req_ar(take(&t)));
    assert_int_equal(uet_fep_submit(t.fep, &op, t.now), 0);
    assert_true(uet_rud_rod_req_ar(take(&t))); /* the last of its message */
    t.now += RTT - 1;
    assert_false(uet_rud_rod_req_ar(take(&t)));
    peer_free(&t);
}

/* CACK_PSN stays before both: ACKs name one of them. */
#define NAMING(n, ...)                                                                             \
    ack(&t, &(struct ack_spec){.cack = t.start_psn - 1,                                            \
                               .psn = t.start_psn + (n),                                           \
                               .none = true,                                                       \
                               .cc = true,                                                         \
                               .ooo = 0xffff,                                                      \
                               .sack_base = t.start_psn,                                           \
                               __VA_ARGS__})

/* What rcvd_bytes tells counts, rounded up as it is; a late ACK tells nothing new (CMS-027). */
static void test_rcvd_bytes(void **state)
{
    struct peer t;
    const struct ccc *ccc = two_leave(&t);
    (void)state;
    assert_int_equal(ccc->inflight, 2 * NOMINAL);
    NAMING(0, .rcvd = 33); /* both have come: 8448 */
    assert_int_equal(ccc->inflight, 2 * NOMINAL - 33 * 256);
    NAMING(0, .rcvd = 17);
    assert_int_equal(ccc->inflight, 2 * NOMINAL - 33 * 256);
    NAMING(1, .rcvd = 33);
    assert_int_equal(ccc->inflight, 2 * NOMINAL - 33 * 256);
    peer_free(&t);
}

/* More than was sent is not believed, and who tells nothing stops nobody. */
static void test_rcvd_bytes_wrong(void **state)
{
    struct peer t;
    const struct ccc *ccc = two_leave(&t);
    (void)state;
    NAMING(0, .rcvd = 34);
    assert_int_equal(ccc->inflight, NOMINAL);
    NAMING(1, .rcvd = 0);
    assert_int_equal(ccc->inflight, 0);
    peer_free(&t);
}

/* The count goes round at 4 GiB, as that of rcvd_bytes does (CMS-026). */
static void test_rcvd_bytes_wrap(void **state)
{
    struct peer t;
    const struct ccc *ccc = two_leave(&t);
    struct source *tx = &pdc_at(t.fep, 1)->tx;
    const uint32_t before = (uint32_t)-NOMINAL;
    (void)state;
    tx->sent_bytes += before;
    tx->acked_bytes = tx->arrived_bytes = before;
    NAMING(0, .rcvd = 17); /* both have come: 4352, modulo 2^32 */
    assert_int_equal(ccc->inflight, 2 * NOMINAL - (NOMINAL + 17 * 256));
    peer_free(&t);
}

/* Taken for lost and not sent again when its ACK comes: it leaves once (CMS-111). */
static void test_spurious_loss(void **state)
{
    struct peer t;
    const struct ccc *ccc = two_leave(&t);
    (void)state;
    t.now += 6 * MS;
    uet_fep_advance(t.fep, t.now);
    assert_int_equal(ccc->inflight, 0);
    assert_int_equal(ccc->nscc.cwnd, MTU); /* 10000 - 2 x 4200, and no less than a packet */
    NAMING(0, .rcvd = 17);
    assert_int_equal(ccc->inflight, (int)NOMINAL - 17 * 256);
    NAMING(1, .rcvd = 33);
    assert_int_equal(ccc->inflight, 2 * (int)NOMINAL - 33 * 256);
    peer_free(&t);
}

/* 15 us less 39 x 128 ns; the packet itself is sent once only when retx says so (3.6.13.1). */
static void test_rtt(void **state)
{
    struct peer t;
    const struct ccc *ccc = two_leave(&t);
    (void)state;
    t.now += 15 * US;
    NAMING(0, .rcvd = 17, .service = 39);
    assert_int_equal(ccc->nscc.base_rtt, 15000 - 4992);
    NAMING(1, .rcvd = 33, .service = 50, .retx = true); /* no copy of it was sent */
    assert_int_equal(ccc->nscc.base_rtt, 15000 - 4992);
    peer_free(&t);
}

/* The packet was sent again: what is not of the resend may be of either (CMS-046). */
static void test_rtt_of_resend(void **state)
{
    struct peer t;
    const struct ccc *ccc = two_leave(&t);
    (void)state;
    advance(&t, 6 * MS);
    forget(&t);
    t.now += 5 * US;
    NAMING(0, .rcvd = 17);
    assert_int_equal(ccc->nscc.base_rtt, RTT);
    peer_free(&t);
    ccc = two_leave(&t);
    advance(&t, 6 * MS);
    forget(&t);
    t.now += 5 * US;
    NAMING(0, .rcvd = 17, .retx = true);
    assert_int_equal(ccc->nscc.base_rtt, 5000);
    peer_free(&t);
}

/* After the first ACK, and once (CMS-058): the RTT of a Probe is one without queues. */
static void test_probe(void **state)
{
    struct peer t;
    const struct ccc *ccc = two_leave(&t);
    uint16_t opaque = 0;
    unsigned n = 0;
    (void)state;
    t.now += 50 * US;
    NAMING(0, .rcvd = 17);
    NAMING(1, .rcvd = 33);
    for (size_t len; (len = uet_fep_transmit(t.fep, t.bytes, sizeof t.bytes, t.now)) > 0;) {
        assert_int_equal(uet_parse(&t.p, t.bytes, len, NULL), UET_PARSE_OK);
        if (!uet_is_cp(&t.p) || uet_cp_ctl_type(uet_pds(&t.p)) != UET_CTL_PROBE)
            continue;
        opaque = uet_cp_probe_opaque(uet_pds(&t.p));
        n++;
    }
    assert_int_equal(n, 1);
    t.now += 4 * US;
    NAMING(0, .probe = true, .opaque = (uint16_t)(opaque + 1)); /* of another one */
    assert_int_equal(ccc->nscc.base_rtt, RTT);
    NAMING(0, .probe = true, .opaque = opaque, .service = 4); /* 512 ns */
    assert_int_equal(ccc->nscc.base_rtt, 3488);
    t.now -= 2 * US;
    NAMING(0, .probe = true, .opaque = opaque); /* again: it counts no more */
    assert_int_equal(ccc->nscc.base_rtt, 3488);
    peer_free(&t);
}

/* So many CPs of this type go now; the PSN of the last of them. */
static unsigned cps(struct peer *t, uint8_t type, uint32_t *psn)
{
    unsigned n = 0;
    for (size_t len; (len = uet_fep_transmit(t->fep, t->bytes, sizeof t->bytes, t->now)) > 0;) {
        assert_int_equal(uet_parse(&t->p, t->bytes, len, NULL), UET_PARSE_OK);
        assert_true(uet_is_cp(&t->p));
        if (uet_cp_ctl_type(uet_pds(&t->p)) != type)
            continue;
        *psn = uet_cp_psn(uet_pds(&t->p));
        n++;
    }
    return n;
}

/* The window has become smaller than what is in flight, of which the last has asked nothing: an ACK
 * is asked for, once. */
static void test_asks_when_cut(void **state)
{
    struct peer t;
    uint32_t psn = 0;
    (void)state;
    struct ccc *ccc = two_leave_of(&t, nscc_on);
    assert_false(uet_rud_rod_req_ar(take(&t)));
    t.now += 5 * US;
    NAMING(0, .rcvd = 17);
    ccc->nscc.cwnd = MTU;
    assert_int_equal(cps(&t, UET_CTL_ACK_REQUEST, &psn), 1);
    assert_int_equal(psn, t.start_psn + 2);
    uet_pdc_ready(t.fep, pdc_at(t.fep, 1));
    assert_int_equal(cps(&t, UET_CTL_ACK_REQUEST, &psn), 0);
    peer_free(&t);
    ccc = two_leave_of(&t, two_fit); /* the second has asked */
    t.now += 5 * US;
    NAMING(0, .rcvd = 17);
    ccc->nscc.cwnd = MTU;
    assert_int_equal(cps(&t, UET_CTL_ACK_REQUEST, &psn), 0);
    peer_free(&t);
}

/* A PDC that ends takes along what it had in flight; the window stays. */
static void test_pdc_ends(void **state)
{
    struct peer t;
    struct ccc *ccc = (struct ccc *)two_leave(&t);
    (void)state;
    ccc->n_pdcs++; /* another one goes on */
    NAMING(0, .rcvd = 20);
    uet_pdc_fail(t.fep, pdc_at(t.fep, t.dpdcid));
    forget(&t);
    assert_int_equal(ccc->inflight, 0);
    peer_free(&t);
}

/* What is told is cut and bounded as 3.6.9.2 has it: 24 bits of 256 bytes, 16 bits of 128 ns. */
static void test_ends_of_what_is_told(void **state)
{
    uint8_t cc[UET_ACK_CC_STATE_NSCC_BYTES] = {0};
    struct uet_cc_state is = {.rcvd_bytes = (1ull << 32) - 1};
    (void)state;
    uet_nscc_write(cc, &is);
    assert_int_equal(uet_ack_cc_state_nscc_rcvd_bytes(cc), 0); /* CMS-025: 2^24 units */
    is.rcvd_bytes = (1ull << 32) + 257;
    uet_nscc_write(cc, &is);
    assert_int_equal(uet_ack_cc_state_nscc_rcvd_bytes(cc), 2);
    uet_nscc_delay(cc, 1000000); /* 1 ms is 7812.5 units */
    assert_in_range(uet_ack_cc_state_nscc_service_time(cc), 7812, 7813);
    uet_nscc_delay(cc, 8388480); /* CMS-030 */
    assert_int_equal(uet_ack_cc_state_nscc_service_time(cc), 0xffff);
    uet_nscc_delay(cc, 50000000);
    assert_int_equal(uet_ack_cc_state_nscc_service_time(cc), 0xffff);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formulas),
        cmocka_unit_test(test_told),
        cmocka_unit_test(test_start),
        cmocka_unit_test(test_fair_increase),
        cmocka_unit_test(test_eta),
        cmocka_unit_test(test_proportional_increase),
        cmocka_unit_test(test_fast_increase),
        cmocka_unit_test(test_mark_alone),
        cmocka_unit_test(test_multiplicative_decrease),
        cmocka_unit_test(test_quick_adapt),
        cmocka_unit_test(test_ignores),
        cmocka_unit_test(test_no_quick_adapt),
        cmocka_unit_test(test_qa_threshold),
        cmocka_unit_test(test_losses),
        cmocka_unit_test(test_base_rtt),
        cmocka_unit_test(test_no_sample),
        cmocka_unit_test(test_penalty),
        cmocka_unit_test(test_average),
        cmocka_unit_test(test_asks_each_rtt),
        cmocka_unit_test(test_asks_when_cut),
        cmocka_unit_test(test_rcvd_bytes),
        cmocka_unit_test(test_rcvd_bytes_wrong),
        cmocka_unit_test(test_rcvd_bytes_wrap),
        cmocka_unit_test(test_spurious_loss),
        cmocka_unit_test(test_rtt),
        cmocka_unit_test(test_rtt_of_resend),
        cmocka_unit_test(test_probe),
        cmocka_unit_test(test_pdc_ends),
        cmocka_unit_test(test_ends_of_what_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
