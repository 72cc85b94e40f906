/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two FEPs that read from each other over a bad wire: every read ends, with the bytes that were
 * there, and nothing else is written; everything comes to rest and closes (PDS-001, SES-073).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "refimpl/tests/shared/fixture.h"
#include "refimpl/usage.h"

#define JOB    0x56789au
#define PID    7u
#define RI     5u
#define KEY    0x8000000000001234u /* idempotent_safe: RUDI may use it */
#define N_OPS  48u
#define ROOM   24000u
#define S      1000000000ull
#define UNUSED 0xa5

static uint8_t region[2][ROOM + N_OPS], into[2][N_OPS][ROOM], unused[ROOM];
static uint8_t modes[3] = {UET_MODE_RUD, UET_MODE_RUD, UET_MODE_RUD};

static void serve(struct uet_fep *fep, uint8_t *base)
{
    const struct uet_service rma = {
        .job_id = JOB, .pid_on_fep = PID, .resource_index = RI, .ri_class = UET_RI_RMA};
    const struct uet_region g = {.job_id = JOB,
                                 .pid_on_fep = PID,
                                 .resource_index = RI,
                                 .key = KEY,
                                 .rights = UET_RIGHT_READ,
                                 .base = base,
                                 .length = ROOM + N_OPS};
    assert_int_equal(uet_fep_service_add(fep, &rma), 0);
    assert_int_equal(uet_fep_region_add(fep, &g), 0);
}

/* None, data for an ACK, one packet, and up to six: the last read is of 23,500 bytes. */
static uint32_t length_of(unsigned i)
{
    return i % 4 == 1 ? i % 17 : i * 500;
}

static void submit(struct fixture *w, unsigned from, unsigned i)
{
    const uint8_t header =
        i % 5 == 2 && length_of(i) <= 1024 ? UET_OP_HEADER_MEDIUM : UET_OP_HEADER_STD;
    const struct uet_operation op = {.to = w->ip[1 - from],
                                     .opcode = UET_OP_READ,
                                     .mode = modes[i % 3],
                                     .header = header,
                                     .relative = true,
                                     .job_id = JOB,
                                     .pid_on_fep = PID,
                                     .resource_index = RI,
                                     .key = KEY,
                                     .buffer_offset = i,
                                     .into = into[from][i],
                                     .length = length_of(i),
                                     .token = i};
    assert_int_equal(uet_fep_submit(w->fep[from], &op, w->now), 0);
}

static void check(struct fixture *w, unsigned who)
{
    unsigned seen[N_OPS] = {0};
    struct uet_completion c;
    while (uet_fep_completion(w->fep[who], &c)) {
        unsigned i = (unsigned)c.token;
        assert_int_equal(c.status, UET_STATUS_OK);
        assert_int_equal(c.length, length_of(i));
        assert_int_equal(seen[i]++, 0);
        assert_memory_equal(into[who][i], region[1 - who] + i, length_of(i));
        assert_memory_equal(into[who][i] + length_of(i), unused, ROOM - length_of(i));
    }
    for (unsigned i = 0; i < N_OPS; i++)
        assert_int_equal(seen[i], 1);
}

static void nothing_kept(struct uet_fep *fep)
{
    struct uet_fep_usage u;
    uet_fep_usage(fep, &u);
    assert_int_equal(u.initiator_pdcs + u.target_pdcs, 0);
    assert_int_equal(u.packets + u.rudi_packets, 0);
    assert_int_equal(u.stored_responses + u.read_parts + u.kept, 0);
    assert_int_equal(u.bitmaps + u.cccs, 0);
    assert_int_equal(u.operations + u.completions, 0);
}

/* Returns the sum of a counter of both FEPs. */
static uint64_t exchange(uint64_t seed, void (*change)(struct uet_fep_config *), unsigned loss,
                         unsigned dup, uint64_t jitter, const char *name)
{
    struct fixture w;
    memset(into, UNUSED, sizeof into);
    memset(unused, UNUSED, sizeof unused);
    for (size_t i = 0; i < sizeof region[0]; i++) {
        region[0][i] = (uint8_t)(i * 31 + (i >> 8) * 7 + seed);
        region[1][i] = (uint8_t)(i * 17 + (i >> 8) * 5 + seed);
    }
    fixture_init(&w, seed, seed % 2 ? 4 : 6, change);
    fixture_wire(&w, loss, dup, jitter);
    for (unsigned who = 0; who < 2; who++)
        serve(w.fep[who], region[who]);
    for (unsigned i = 0; i < N_OPS; i++) {
        submit(&w, 0, i);
        submit(&w, 1, i);
    }
    assert_true(fixture_run(&w, w.now + 3600 * S));
    check(&w, 0);
    check(&w, 1);
    uet_fep_close(w.fep[0], NULL, w.now);
    uet_fep_close(w.fep[1], NULL, w.now);
    assert_true(fixture_run(&w, w.now + 3600 * S));
    for (unsigned who = 0; who < 2; who++) {
        nothing_kept(w.fep[who]);
        assert_int_equal(counter(w.fep[who], "pdc_closed_in_error"), 0);
    }
    uint64_t sum = counter(w.fep[0], name) + counter(w.fep[1], name);
    fixture_free(&w);
    return sum;
}

static void patient(struct uet_fep_config *c)
{
    c->params.Max_RTO_Retx_Cnt = 15;
    c->params.Max_NACK_Retx_Cnt = 31;
}

static void small_crc(struct uet_fep_config *c)
{
    patient(c);
    c->params.ACK_CC = false;
    c->params.Default_MPR = 1;
    c->protect = UET_PROTECT_CRC;
    c->payload_mtu = 1024;
    c->max_packets = 24;
    c->max_read_parts = 8;
    c->max_stored_responses = 2;
}

static void in_return_only(struct uet_fep_config *c)
{
    patient(c);
    c->params.Max_ACK_Data_Size = 0;
}

static void in_acks(struct uet_fep_config *c)
{
    patient(c);
    c->params.Max_ACK_Data_Size = 8192;
    c->payload_mtu = 1024;
}

static void (*const changes[])(struct uet_fep_config *) = {patient, small_crc, in_return_only,
                                                           in_acks};
#define CHANGES (sizeof changes / sizeof *changes)

static void set_modes(uint8_t a, uint8_t b, uint8_t c)
{
    modes[0] = a;
    modes[1] = b;
    modes[2] = c;
}

static void test_good_wire(void **state)
{
    (void)state;
    for (unsigned mode = UET_MODE_RUD; mode <= UET_MODE_RUDI; mode++) {
        set_modes((uint8_t)mode, (uint8_t)mode, (uint8_t)mode);
        for (size_t i = 0; i < CHANGES; i++) {
            uint64_t data = exchange(i + 1, changes[i], 0, 0, 0, "tx_ack_data");
            assert_int_equal(data > 0, mode != UET_MODE_RUDI && changes[i] != in_return_only);
        }
    }
}

static void test_bad_wire(void **state)
{
    uint64_t resent = 0;
    (void)state;
    for (unsigned mode = UET_MODE_RUD; mode <= UET_MODE_RUDI; mode++) {
        set_modes((uint8_t)mode, (uint8_t)mode, (uint8_t)mode);
        for (uint64_t seed = 10; seed < 20; seed++)
            resent += exchange(seed, changes[seed % CHANGES], 80, 50, 50000, "tx_retx");
    }
    set_modes(UET_MODE_RUD, UET_MODE_ROD, UET_MODE_RUDI);
    for (uint64_t seed = 30; seed < 46; seed++)
        resent += exchange(seed, changes[seed % CHANGES], 150, 80, 100000, "tx_retx");
    assert_true(resent > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good_wire),
        cmocka_unit_test(test_bad_wire),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
