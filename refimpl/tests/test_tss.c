/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two FEPs of a secure domain (3.7): what they exchange is sealed, packet by packet, and read here
 * with the key, by the functions of wire/ alone.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "refimpl/tests/tss_pair.h"

/* ---- operations ---- */

static void write_read_send(struct pair *t)
{
    for (uint32_t i = 0; i < PAIR_BYTES; i++)
        t->source[i] = (uint8_t)(i * 7 + 3);
    pair_write(t, PAIR_BYTES);
    pair_run(t);
    assert_int_equal(pair_status(t, 0), UET_STATUS_OK);
    assert_memory_equal(t->region, t->source, PAIR_BYTES);
    pair_read(t, PAIR_BYTES);
    pair_run(t);
    assert_int_equal(pair_status(t, 0), UET_STATUS_OK);
    assert_memory_equal(t->into, t->region, PAIR_BYTES);
    pair_send(t, 100);
    pair_run(t);
    assert_int_equal(pair_status(t, 0), UET_STATUS_OK);
    assert_int_equal(pair_status(t, 1), UET_STATUS_OK);
    assert_memory_equal(t->buffer, t->source, 100);
}

/* Every way of encapsulation, of the key and of the start (TSS-001 to 007, 051, 057, 059). */
static void test_sealed_exchange(void **state)
{
    (void)state;
    for (unsigned way = 0; way < 32; way++) {
        struct pair t;
        const struct pair_kind kind = {.ipv6 = way & 1,
                                       .native = way & 2,
                                       .start = way & 4 ? UET_RANDOM_1RTT_START
                                                        : UET_EXPECTED_0RTT_START,
                                       .ssi = way & 8,
                                       .rekey = way & 16};
        pair_init(&t, &kind);
        write_read_send(&t);
        assert_true(t.n_sealed[0] >= 5 && t.n_sealed[1] >= 3);
        assert_int_equal(t.n_clear, 0);
        assert_int_equal(counter(t.fep[0], "out_auth_pkts"), t.n_sealed[0]);
        assert_int_equal(counter(t.fep[1], "in_auth_pkts"), t.n_sealed[0]);
        assert_int_equal(counter(t.fep[1], "pdc_opened_target"), 1);
        assert_int_equal(counter(t.fep[1], "tx_nack_new_start_psn") > 0, kind.start);
        pair_free(&t);
    }
}

#define FIRST_TSS_BYTE (UET_ETH_BYTES + UET_IPV4_BYTES + UET_UDP_BYTES)

/* One bit of each byte behind UDP: silence, a counter, no state (TSS-013, TSS-042). */
static void test_flipped_bit(void **state)
{
    struct pair t;
    (void)state;
    pair_init(&t, &(struct pair_kind){0});
    pair_write(&t, 40);
    assert_non_null(pair_take(&t, 0));
    const struct pair_frame sent = t.taken;
    for (size_t at = FIRST_TSS_BYTE; at < sent.len; at++) {
        struct pair_frame bad = sent;
        bad.bytes[at] ^= 1;
        pair_give(&t, 1, &bad);
        assert_null(pair_take(&t, 1));
    }
    assert_int_equal(uet_fep_pdcs(t.fep[1], false), 0);
    assert_int_equal(counter(t.fep[1], "in_auth_pkts"), 0);
    assert_int_equal(counter(t.fep[1], "in_invalid_sa"), 1);   /* the AN, in the first byte */
    assert_int_equal(counter(t.fep[1], "in_errored_pkts"), 3); /* the SDI */
    assert_int_equal(counter(t.fep[1], "in_auth_fail_pkts"), sent.len - FIRST_TSS_BYTE - 4);
    pair_give(&t, 1, &sent);
    pair_run(&t);
    assert_int_equal(pair_status(&t, 0), UET_STATUS_OK);
    pair_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sealed_exchange),
        cmocka_unit_test(test_flipped_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
