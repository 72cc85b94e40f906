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
#include <string.h>

#include "refimpl/pds/state.h"
#include "refimpl/tests/tss/tss_pair.h"
#include "wire/build.h"

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
        pair_write_read_send(&t);
        assert_true(t.n_sealed[0] >= 5 && t.n_sealed[1] >= 3);
        assert_int_equal(t.n_clear, 0);
        assert_int_equal(counter(t.fep[0], "out_auth_pkts"), t.n_sealed[0]);
        assert_int_equal(counter(t.fep[1], "in_auth_pkts"), t.n_sealed[0]);
        assert_int_equal(counter(t.fep[1], "pdc_opened_target"), 1);
        assert_int_equal(counter(t.fep[1], "tx_nack_new_start_psn") > 0, kind.start);
        pair_free(&t);
    }
}

/* One bit of each byte behind UDP: silence, a counter, no state (TSS-013, TSS-042). */
static void test_flipped_bit(void **state)
{
    struct pair t;
    (void)state;
    pair_init(&t, &(struct pair_kind){0});
    pair_write(&t, 40);
    assert_non_null(pair_take(&t, 0));
    const struct pair_frame sent = t.taken;
    for (size_t at = PAIR_TSS_AT; at < sent.len; at++) {
        struct pair_frame bad = sent;
        bad.bytes[at] ^= 1;
        pair_give(&t, 1, &bad);
        assert_null(pair_take(&t, 1));
    }
    assert_int_equal(uet_fep_pdcs(t.fep[1], false), 0);
    assert_int_equal(counter(t.fep[1], "in_auth_pkts"), 0);
    assert_int_equal(counter(t.fep[1], "in_invalid_sa"), 1);   /* the AN, in the first byte */
    assert_int_equal(counter(t.fep[1], "in_errored_pkts"), 3); /* the SDI */
    assert_int_equal(counter(t.fep[1], "in_auth_fail_pkts"), sent.len - PAIR_TSS_AT - 4);
    pair_give(&t, 1, &sent);
    pair_run(&t);
    assert_int_equal(pair_status(&t, 0), UET_STATUS_OK);
    pair_free(&t);
}

/* A lost packet comes again with another counter (TSS-020), and so does its ACK (TSS-021). */
static void test_again(void **state)
{
    struct pair t;
    (void)state;
    pair_init(&t, &(struct pair_kind){0});
    pair_write(&t, 40);
    assert_non_null(pair_take(&t, 0));
    const struct pair_frame lost = t.taken;
    uint32_t psn = uet_packet_psn(&t.p);
    t.now = uet_fep_deadline(t.fep[0]);
    uet_fep_advance(t.fep[0], t.now);
    assert_non_null(pair_take(&t, 0)); /* of which the counter is higher: pair_take asks for it */
    assert_int_equal(uet_packet_psn(&t.p), psn);
    assert_true(uet_rud_rod_req_retx(uet_pds(&t.p)));
    const struct pair_frame again = t.taken;
    pair_give(&t, 1, &again);
    assert_non_null(pair_take(&t, 1));
    pair_give(&t, 1, &again); /* a repeated packet is a duplicate (TSS-075) */
    assert_non_null(pair_take(&t, 1));
    pair_give(&t, 1, &lost);
    assert_int_equal(counter(t.fep[1], "rx_request_new"), 1);
    pair_give(&t, 0, &t.taken);
    pair_finished(&t);
    pair_free(&t);
}

/* On a known PDC a loss NACK, and the whole packet comes later (TSS-072). */
static void test_trimmed(void **state)
{
    struct pair t;
    (void)state;
    pair_init(&t, &(struct pair_kind){0});
    pair_write(&t, 40);
    pair_finished(&t);
    pair_write(&t, 40);
    assert_non_null(pair_take(&t, 0));
    struct pair_frame cut = t.taken;
    uint32_t psn = uet_packet_psn(&t.p);
    cut.len = (size_t)uet_trim(cut.bytes, cut.len, 60, PAIR_TRIMMED);
    pair_give(&t, 1, &cut);
    assert_non_null(pair_take(&t, 1));
    assert_true(uet_is_nack(&t.p));
    assert_int_equal(uet_nack_nack_code(uet_pds(&t.p)), UET_NACK_TRIMMED);
    assert_int_equal(uet_nack_nack_psn(uet_pds(&t.p)), psn);
    pair_give(&t, 0, &t.taken);
    pair_finished(&t);
    pair_free(&t);
}

/* Direct mode, with a stored IV mask (TSS-031). */
static void with_mask(struct uet_fep_domain *d, int i)
{
    (void)i;
    d->keys.encrypt_from = 12 + UET_RUD_ROD_REQ_BYTES; /* the PDS header is readable (TSS-014) */
}

static void test_direct(void **state)
{
    struct pair t;
    (void)state;
    pair_init(&t, &(struct pair_kind){.mode = UET_TSS_MODE_DIRECT});
    pair_write_read_send(&t);
    pair_free(&t);
    pair_init(&t, &(struct pair_kind){.change = with_mask});
    for (int an = 0; an < 2; an++)
        t.onlooker[an].encrypt_from = 12 + UET_RUD_ROD_REQ_BYTES;
    pair_write(&t, 40);
    assert_non_null(pair_take(&t, 0));
    struct pair_frame bad = t.taken;
    const size_t at = PAIR_TSS_AT + 12;
    assert_memory_equal(bad.bytes + at, uet_pds(&t.p), UET_RUD_ROD_REQ_BYTES);
    const struct pair_frame good = bad;
    bad.bytes[at + 3] ^= 1;
    pair_give(&t, 1, &bad);
    assert_int_equal(counter(t.fep[1], "in_auth_fail_pkts"), 1);
    pair_give(&t, 1, &good);
    pair_finished(&t);
    pair_free(&t);
}

/* RUDI and UUD are sealed, too (TSS-052, TSS-053). */
static void test_single(void **state)
{
    struct pair t;
    (void)state;
    pair_init(&t, &(struct pair_kind){0});
    struct uet_operation op = pair_operation(&t, UET_OP_WRITE, 500);
    op.mode = UET_MODE_RUDI;
    op.key = PAIR_SAFE_KEY;
    memset(t.source, 7, 500);
    assert_int_equal(uet_fep_submit(t.fep[0], &op, t.now), 0);
    pair_finished(&t);
    assert_memory_equal(t.region, t.source, 500);
    op.opcode = UET_OP_READ;
    assert_int_equal(uet_fep_submit(t.fep[0], &op, t.now), 0);
    pair_finished(&t);
    assert_memory_equal(t.into, t.region, 500);
    op = pair_operation(&t, UET_OP_DATAGRAM_SEND, 100);
    op.mode = UET_MODE_UUD;
    assert_int_equal(uet_fep_submit(t.fep[0], &op, t.now), 0);
    pair_finished(&t);
    assert_int_equal(pair_status(&t, 1), UET_STATUS_OK);
    assert_memory_equal(t.buffer, t.source, 100);
    assert_int_equal(t.n_clear, 0);
    pair_free(&t);
}

/* ECN is not authenticated (TSS-009), the reserved bit is (TSS-010). */
static void test_not_authenticated(void **state)
{
    struct pair t;
    (void)state;
    pair_init(&t, &(struct pair_kind){.ipv6 = true});
    pair_write(&t, 40);
    assert_non_null(pair_take(&t, 0));
    struct pair_frame f = t.taken;
    f.bytes[PAIR_TSS_AT + UET_IPV6_BYTES - UET_IPV4_BYTES] ^= 2;
    pair_give(&t, 1, &f);
    assert_int_equal(counter(t.fep[1], "in_auth_fail_pkts"), 1);
    f = t.taken;
    uet_ipv6_ecn_set(f.bytes + UET_ETH_BYTES, UET_ECN_CE);
    pair_give(&t, 1, &f);
    assert_non_null(pair_take(&t, 1));
    assert_true(uet_is_ack(&t.p));
    assert_true(uet_ack_m(uet_pds(&t.p)));
    pair_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sealed_exchange),
        cmocka_unit_test(test_flipped_bit),
        cmocka_unit_test(test_again),
        cmocka_unit_test(test_trimmed),
        cmocka_unit_test(test_direct),
        cmocka_unit_test(test_single),
        cmocka_unit_test(test_not_authenticated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
