/* SPDX-License-Identifier: BSD-2-Clause */
/* Congestion control contexts (3.6.6): who shares one, what a window holds back, what ACKs tell. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "refimpl/pds/pds.h"
#include "refimpl/tests/shared/peer.h"

#define MTU 4096u

static uint8_t source[8 * MTU];

/* Two packets of 4096 bytes and their headers are less than this, three are more. */
static void small_window(struct uet_fep_config *c)
{
    c->params.CC_Window = 10000;
}

static void writes(struct peer *t, uint32_t job_id, uint8_t traffic_class, uint32_t packets)
{
    const struct uet_operation op = {.to = t->ip,
                                     .opcode = UET_OP_WRITE,
                                     .relative = true,
                                     .job_id = job_id,
                                     .traffic_class = traffic_class,
                                     .pid_on_fep = PID,
                                     .resource_index = RI,
                                     .key = KEY,
                                     .data = source,
                                     .length = packets * MTU};
    assert_int_equal(uet_fep_submit(t->fep, &op, t->now), 0);
}

/* Takes all Requests that leave now; how many. `newest` is the FEP's PDCID of the last. */
static unsigned requests(struct peer *t, uint16_t *newest)
{
    uint8_t frame[UET_FRAME_MAX];
    struct uet_packet p;
    unsigned n = 0;
    size_t len;
    for (; (len = uet_fep_transmit(t->fep, frame, sizeof frame, t->now)) > 0; n++) {
        assert_int_equal(uet_parse(&p, frame, len, NULL), UET_PARSE_OK);
        assert_true(uet_is_request(&p));
        *newest = uet_spdcid(&p);
    }
    return n;
}

static void acknowledge(struct peer *t, uint16_t pdcid, uint32_t n)
{
    uint32_t psn = pdc_at(t->fep, pdcid)->start_psn + n - 1;
    t->dpdcid = pdcid;
    t->spdcid = (uint16_t)(0x4000u + pdcid);
    ack(t, &(struct ack_spec){
               .cack = psn, .psn = psn, .opcode = UET_RSP_DEFAULT_RESPONSE, .code = UET_RC_OK});
}

/* One window for all PDCs to a destination in a traffic class, another one for the next class. */
static void test_shared(void **state)
{
    struct peer t;
    uint16_t pdcid = 0;
    (void)state;
    peer_init(&t, small_window);
    writes(&t, JOB, 0, 5);
    assert_int_equal(requests(&t, &pdcid), 3);
    writes(&t, JOB + 1, 0, 5); /* a PDC of its own (PDS-011) */
    assert_int_equal(requests(&t, &pdcid), 0);
    assert_int_equal(t.fep->cccs.used, 1);
    writes(&t, JOB, 1, 5);
    assert_int_equal(requests(&t, &pdcid), 3);
    assert_int_equal(pdcid, 3);
    assert_int_equal(t.fep->cccs.used, 2);
    acknowledge(&t, 3, 1); /* the other class: of no use to PDCs 1 and 2 */
    assert_int_equal(requests(&t, &pdcid), 1);
    assert_int_equal(pdcid, 3);
    acknowledge(&t, 1, 2); /* two have left: one each of the PDCs that wait */
    assert_int_equal(requests(&t, &pdcid), 2);
    assert_int_equal(pdc_at(t.fep, 1)->tx.n_packets, 2);
    assert_int_equal(pdc_at(t.fep, 2)->tx.n_packets, 1);
    peer_free(&t);
}

/* What is lost is not in flight; what is sent again is. */
static void test_lost(void **state)
{
    struct peer t;
    uint16_t pdcid = 0;
    (void)state;
    peer_init(&t, small_window);
    writes(&t, JOB, 0, 5);
    assert_int_equal(requests(&t, &pdcid), 3);
    advance(&t, 6 * MS); /* RTO_Init_Time is 5 ms */
    assert_int_equal(requests(&t, &pdcid), 3);
    assert_int_equal(counter(t.fep, "tx_retx"), 3);
    peer_free(&t);
}

/* The last packet before the window is full asks for an ACK: only that goes on. */
static void test_asks(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, small_window);
    writes(&t, JOB, 0, 5);
    assert_false(uet_rud_rod_req_ar(take(&t)));
    take(&t);
    assert_true(uet_rud_rod_req_ar(take(&t)));
    take_nothing(&t);
    peer_free(&t);
}

/* The last PDC of a context frees it, with all that was in flight. */
static void test_freed(void **state)
{
    struct peer t;
    uint16_t pdcid = 0;
    (void)state;
    peer_init(&t, small_window);
    writes(&t, JOB, 0, 2);
    writes(&t, JOB + 1, 0, 2);
    assert_int_equal(requests(&t, &pdcid), 3);
    assert_int_equal(t.fep->cccs.used, 1);
    uet_pdc_fail(t.fep, pdc_at(t.fep, 1));
    assert_int_equal(t.fep->cccs.used, 1);
    uet_pdc_fail(t.fep, pdc_at(t.fep, 2));
    assert_int_equal(t.fep->cccs.used, 0);
    peer_free(&t);
}

/* One packet fills it. */
static void window_of_one(struct uet_fep_config *c)
{
    c->params.CC_Window = MTU;
}

/* PDCs 2 and 3 wait for what PDC 1 has in flight; the first of them ends before its turn. */
static void test_ends_when_woken(void **state)
{
    struct peer t;
    uint16_t pdcid = 0;
    (void)state;
    peer_init(&t, window_of_one);
    for (uint32_t i = 0; i < 3; i++)
        writes(&t, JOB + i, 0, 1);
    assert_int_equal(requests(&t, &pdcid), 1);
    acknowledge(&t, 1, 1);
    uet_pdc_fail(t.fep, pdc_at(t.fep, 2));
    assert_int_equal(requests(&t, &pdcid), 1);
    assert_int_equal(pdcid, 3);
    peer_free(&t);
}

/* ... and here it may send nothing, since its peer has refused the packet that would open it. */
static void test_closed_when_woken(void **state)
{
    struct peer t;
    uint16_t pdcid = 0;
    (void)state;
    peer_init(&t, window_of_one);
    for (uint32_t i = 0; i < 3; i++)
        writes(&t, JOB + i, 0, 1);
    assert_int_equal(requests(&t, &pdcid), 1);
    pdc_at(t.fep, 2)->tx.n_refused = 1;
    acknowledge(&t, 1, 1);
    assert_int_equal(requests(&t, &pdcid), 1);
    assert_int_equal(pdcid, 3);
    peer_free(&t);
}

/* 3.6.9.2: rcvd_bytes in units of 256 rounded up, service_time in units of 128 ns. */
static void test_nscc(void **state)
{
    uint8_t s[8] = {0};
    struct uet_cc_state is = {.rcvd_bytes = (1ull << 32) + 257, .ooo_count = 7}, told = {0};
    (void)state;
    uet_nscc_write(s, &is);
    assert_memory_equal(s, ((uint8_t[]){0, 0, 0, 0, 0, 2, 0, 7}), 8);
    uet_nscc_delay(s, 192);
    assert_memory_equal(s, ((uint8_t[]){0, 2, 0, 0, 0, 2, 0, 7}), 8);
    uet_nscc_delay(s, 9 * MS);
    assert_memory_equal(s, ((uint8_t[]){0xff, 0xff, 0, 0, 0, 2, 0, 7}), 8);
    uet_nscc_read(s, &told);
    assert_int_equal(told.ooo_count, 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shared),
        cmocka_unit_test(test_lost),
        cmocka_unit_test(test_asks),
        cmocka_unit_test(test_freed),
        cmocka_unit_test(test_ends_when_woken),
        cmocka_unit_test(test_closed_when_woken),
        cmocka_unit_test(test_nscc),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
