/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two FEPs over a bad wire: every message arrives exactly once and whole, and everything comes to
 * rest (PDS-001, PDS-002, PDS-161, SES-044).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <string.h>

#include "refimpl/tests/shared/fixture.h"

#define JOB 0x56789au
#define PID 7u
#define RI  5u
#define KEY 0x1234u

#define N_WRITES     40
#define N_SENDS      40
#define REGION_BYTES (N_WRITES * 20000u)
#define S            1000000000ull

static uint8_t region[REGION_BYTES], source[REGION_BYTES], buffers[N_SENDS][20000];

static void serve(struct uet_fep *fep)
{
    struct uet_service rma = {.job_id = JOB, .pid_on_fep = PID, .resource_index = RI};
    struct uet_service send = rma;
    const struct uet_region g = {.job_id = JOB,
                                 .pid_on_fep = PID,
                                 .resource_index = RI,
                                 .key = KEY,
                                 .rights = UET_RIGHT_WRITE,
                                 .base = region,
                                 .length = sizeof region};
    rma.ri_class = UET_RI_RMA;
    send.ri_class = UET_RI_SEND;
    assert_int_equal(uet_fep_service_add(fep, &rma), 0);
    assert_int_equal(uet_fep_service_add(fep, &send), 0);
    assert_int_equal(uet_fep_region_add(fep, &g), 0);
    for (unsigned i = 0; i < N_SENDS; i++) {
        const struct uet_receive r = {.job_id = JOB,
                                      .pid_on_fep = PID,
                                      .resource_index = RI,
                                      .base = buffers[i],
                                      .length = sizeof buffers[i],
                                      .token = i};
        assert_int_equal(uet_fep_post_receive(fep, &r), 0);
    }
}

static struct uet_operation operation(const struct fixture *w, uint8_t opcode, uint32_t length)
{
    return (struct uet_operation){.to = w->ip[1],
                                  .opcode = opcode,
                                  .relative = true,
                                  .job_id = JOB,
                                  .pid_on_fep = PID,
                                  .resource_index = RI,
                                  .initiator = 0xabcd,
                                  .key = KEY,
                                  .data = source,
                                  .length = length};
}

/* Lengths of zero, one packet, and up to five packets. */
static uint32_t length_of(unsigned i)
{
    return (i * 2531u) % 20000u;
}

static void submit_all(struct fixture *w)
{
    for (unsigned i = 0; i < N_WRITES; i++) {
        struct uet_operation op = operation(w, UET_OP_WRITE, length_of(i));
        op.buffer_offset = i * 20000u;
        op.data = source + i * 20000u;
        op.has_header_data = true;
        op.header_data = 1000 + i;
        op.token = i;
        assert_int_equal(uet_fep_submit(w->fep[0], &op, w->now), 0);
        op = operation(w, UET_OP_SEND, length_of(i));
        op.data = source + i;
        op.has_header_data = true;
        op.header_data = i;
        op.token = 100 + i;
        assert_int_equal(uet_fep_submit(w->fep[0], &op, w->now), 0);
    }
}

static void check_initiator(struct fixture *w)
{
    unsigned seen[200] = {0}, n = 0;
    struct uet_completion c;
    while (uet_fep_completion(w->fep[0], &c)) {
        assert_int_equal(c.kind, UET_COMPLETION_OPERATION);
        assert_int_equal(c.status, UET_STATUS_OK);
        assert_int_equal(seen[c.token]++, 0);
        assert_int_equal(c.length, length_of((unsigned)c.token % 100));
        n++;
    }
    assert_int_equal(n, N_WRITES + N_SENDS);
}

static void check_target(struct fixture *w)
{
    unsigned writes[N_WRITES] = {0}, sends[N_SENDS] = {0}, n = 0;
    struct uet_completion c;
    while (uet_fep_completion(w->fep[1], &c)) {
        assert_int_equal(c.status, UET_STATUS_OK);
        assert_int_equal(c.job_id, JOB);
        assert_int_equal(c.initiator, 0xabcd);
        assert_true(c.has_header_data);
        if (c.kind == UET_COMPLETION_WRITE) {
            unsigned i = (unsigned)c.header_data - 1000;
            assert_int_equal(writes[i]++, 0);
            assert_memory_equal(region + i * 20000u, source + i * 20000u, length_of(i));
        } else {
            unsigned i = (unsigned)c.header_data;
            assert_int_equal(c.kind, UET_COMPLETION_RECEIVE);
            assert_int_equal(sends[i]++, 0);
            assert_int_equal(c.length, length_of(i));
            assert_memory_equal(buffers[c.token], source + i, length_of(i));
        }
        n++;
    }
    assert_int_equal(n, N_WRITES + N_SENDS);
}

static void lossy(struct uet_fep_config *c)
{
    c->params.Max_RTO_Retx_Cnt = 15;
}

static void plain_ack_crc(struct uet_fep_config *c)
{
    c->params.Max_RTO_Retx_Cnt = 15;
    c->params.ACK_CC = false;
    c->params.Default_MPR = 1;
    c->protect = UET_PROTECT_CRC;
    c->payload_mtu = 1024;
    c->max_packets = 24;
}

/* Returns the sum of a counter of both FEPs. */
static uint64_t exchange_counting(uint64_t seed, int ip, void (*change)(struct uet_fep_config *),
                                  unsigned loss, unsigned dup, uint64_t jitter, const char *name,
                                  bool warm)
{
    struct fixture w;
    uint64_t sum;
    memset(region, 0, sizeof region);
    for (size_t i = 0; i < sizeof source; i++)
        source[i] = (uint8_t)(i * 31 + (i >> 8) * 7 + seed);
    fixture_init(&w, seed, ip, change);
    fixture_wire(&w, loss, dup, jitter);
    serve(w.fep[1]);
    if (warm) { /* on an open PDC: packets with syn = 1 are all acknowledged at once */
        struct uet_completion c;
        struct uet_operation op = operation(&w, UET_OP_NO_OP, 0);
        op.data = NULL;
        assert_int_equal(uet_fep_submit(w.fep[0], &op, w.now), 0);
        assert_true(fixture_run(&w, w.now + 3600 * S));
        assert_true(uet_fep_completion(w.fep[0], &c));
    }
    submit_all(&w);
    assert_true(fixture_run(&w, w.now + 3600 * S));
    check_initiator(&w);
    check_target(&w);
    uet_fep_close(w.fep[0], NULL, w.now);
    assert_true(fixture_run(&w, w.now + 3600 * S));
    assert_int_equal(uet_fep_pdcs(w.fep[0], true), 0);
    assert_int_equal(uet_fep_pdcs(w.fep[1], false), 0);
    assert_int_equal(counter(w.fep[0], "pdc_closed_in_error"), 0);
    sum = counter(w.fep[0], name) + counter(w.fep[1], name);
    fixture_free(&w);
    return sum;
}

static void exchange(uint64_t seed, int ip, void (*change)(struct uet_fep_config *), unsigned loss,
                     unsigned dup, uint64_t jitter)
{
    (void)exchange_counting(seed, ip, change, loss, dup, jitter, "frames_in", false);
}

static void test_good_wire(void **state)
{
    (void)state;
    exchange(1, 4, NULL, 0, 0, 0);
    exchange(2, 6, NULL, 0, 0, 0);
    exchange(3, 4, plain_ack_crc, 0, 0, 0);
}

static void test_reordering(void **state)
{
    (void)state;
    for (uint64_t seed = 10; seed < 20; seed++)
        exchange(seed, 4, NULL, 0, 100, 200000);
}

static void test_loss(void **state)
{
    (void)state;
    for (uint64_t seed = 20; seed < 40; seed++)
        exchange(seed, 4, lossy, 100, 50, 50000);
    for (uint64_t seed = 40; seed < 50; seed++)
        exchange(seed, 6, plain_ack_crc, 200, 50, 50000);
}

/* Every variant does the same work, whatever it chooses, and what it chooses can be seen. */
static const char *variant;

static void varied(struct uet_fep_config *c)
{
    assert_int_equal(uet_fep_config_variant(c, variant), 0);
    c->params.Max_RTO_Retx_Cnt = 15;
    c->params.Max_NACK_Retx_Cnt = 31;
}

static uint64_t count_of(const char *name, const char *counted)
{
    variant = name;
    return exchange_counting(60, 4, varied, 0, 0, 0, counted, true);
}

static void test_variants(void **state)
{
    const char *text = NULL;
    (void)state;
    for (size_t i = 0; (variant = uet_fep_variant(i, &text)); i++) {
        assert_true(text && *text);
        exchange(60 + i, 4, varied, 0, 0, 0);
        exchange(70 + i, 6, varied, 80, 50, 50000);
    }
    struct uet_fep_config c;
    uet_fep_config_default(&c);
    assert_int_equal(uet_fep_config_variant(&c, "Eager"), -ENOENT);
    assert_true(count_of("eager", "tx_ack") > count_of("usual", "tx_ack"));
    assert_true(count_of("quiet", "tx_ack") < count_of("usual", "tx_ack"));
    assert_int_equal(count_of("usual", "tx_noop"), 0);
    assert_true(count_of("chatty", "tx_noop") > 0);
    assert_true(count_of("chatty", "tx_probe") > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good_wire),
        cmocka_unit_test(test_reordering),
        cmocka_unit_test(test_loss),
        cmocka_unit_test(test_variants),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
