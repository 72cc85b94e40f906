/* SPDX-License-Identifier: BSD-2-Clause */
/* The keys of a domain (3.7.8): rotation, epochs, latches, counters, and what has no key (any
 * more). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <string.h>

#include "refimpl/pds/state.h"
#include "refimpl/tests/tss/tss_pair.h"

/* Packets of both ANs are taken during a rotation; the new key begins at 0 (TSS-033 to 036). */
static void test_rotation(void **state)
{
    struct pair t;
    (void)state;
    pair_init(&t, &(struct pair_kind){0});
    pair_write(&t, 40);
    pair_finished(&t);
    struct uet_tss_params next = t.keys;
    next.an = 1;
    next.key[0] ^= 1;
    assert_int_equal(uet_fep_domain_rotate(t.fep[0], PAIR_SDI, 1), -ENOENT);
    for (int i = 0; i < 2; i++)
        assert_int_equal(uet_fep_domain_load(t.fep[i], &next), 0);
    pair_write(&t, PAIR_BYTES);
    assert_non_null(pair_take(&t, 0));
    const struct pair_frame old = t.taken;
    assert_int_equal(uet_fep_domain_rotate(t.fep[0], PAIR_SDI, 1), 0);
    assert_non_null(pair_take(&t, 0));
    assert_int_equal(t.h.an, 1);
    assert_int_equal(t.h.epoch, 0);
    assert_int_equal(t.h.counter, 0);
    pair_give(&t, 1, &t.taken);
    pair_give(&t, 1, &old);
    pair_finished(&t);
    assert_int_equal(counter(t.fep[0], "tx_retx"), 0);
    assert_int_equal(uet_fep_domain_load(t.fep[1], &t.keys), -EBUSY);
    assert_int_equal(uet_fep_domain_rotate(t.fep[1], PAIR_SDI, 1), 0);
    next.an = 0;
    next.key[1] ^= 7;
    assert_int_equal(uet_fep_domain_load(t.fep[1], &next), 0); /* the first key is no more */
    uint64_t failed = counter(t.fep[1], "in_auth_fail_pkts");
    pair_give(&t, 1, &old);
    assert_int_equal(counter(t.fep[1], "in_auth_fail_pkts"), failed + 1);
    next.rekey = true;
    next.rekey_mask = 0xff00;
    assert_int_equal(uet_fep_domain_load(t.fep[0], &next), -EINVAL);
    pair_free(&t);
}

/* Late epochs, with a lifetime of 16 (TSS-037). */
static void test_epochs(void **state)
{
    static const struct {
        uint16_t epoch;
        bool taken;
    } packets[] = {{65531, true}, {65530, false}, {11, true}, {12, true}, {5000, true}};
    struct pair t;
    (void)state;
    pair_init(&t, &(struct pair_kind){0});
    assert_int_equal(uet_fep_domain_advance(t.fep[1], PAIR_SDI, 11, 0), 0);
    pair_write(&t, 40);
    assert_non_null(pair_take(&t, 0));
    for (size_t i = 0; i < sizeof packets / sizeof *packets; i++) {
        uint64_t late = counter(t.fep[1], "in_late_pkts"), good = counter(t.fep[1], "in_auth_pkts");
        const struct pair_frame f = pair_sealed(
            &t, &t.onlooker[0], (struct uet_tss_stamp){.epoch = packets[i].epoch, .counter = i});
        pair_give(&t, 1, &f);
        assert_int_equal(counter(t.fep[1], "in_late_pkts"), late + !packets[i].taken);
        assert_int_equal(counter(t.fep[1], "in_auth_pkts"), good + packets[i].taken);
    }
    assert_int_equal(uet_fep_domain_advance(t.fep[1], PAIR_SDI, 10, 0), -EINVAL);
    assert_int_equal(uet_fep_domain_advance(t.fep[1], PAIR_SDI, 11, 0), 0);
    pair_free(&t);
}

static void few_failures(struct uet_fep_domain *d, int i)
{
    d->auth_fail_threshold = 3;
    d->counter_limit = i ? 0 : 4;
}

/* Four wrong ICVs latch the domain until it is enabled, or the FEP reset (TSS-043); trimmed packets
 * do not (TSS-073). */
static void test_latch(void **state)
{
    struct pair t;
    (void)state;
    pair_init(&t, &(struct pair_kind){.change = few_failures});
    pair_write(&t, 40);
    assert_non_null(pair_take(&t, 0));
    const struct pair_frame good = t.taken;
    struct pair_frame bad = good, cut = good;
    cut.len = (size_t)uet_trim(cut.bytes, cut.len, 60, PAIR_TRIMMED);
    for (int i = 0; i < 10; i++)
        pair_give(&t, 1, &cut);
    assert_int_equal(counter(t.fep[1], "in_trimmed_pkts"), 10);
    assert_int_equal(uet_fep_pdcs(t.fep[1], false), 0); /* TSS-071 */
    assert_null(pair_take(&t, 1));
    bad.bytes[bad.len - 1] ^= 1;
    for (int i = 0; i < 4; i++) {
        assert_false(pair_state(&t, 1).latched);
        pair_give(&t, 1, &bad);
    }
    assert_true(pair_state(&t, 1).latched);
    pair_give(&t, 1, &good);
    assert_int_equal(counter(t.fep[1], "in_invalid"), 1);
    assert_int_equal(counter(t.fep[1], "in_auth_pkts"), 0);
    assert_int_equal(uet_fep_domain_enable(t.fep[1], PAIR_SDI, true), 0);
    pair_give(&t, 1, &good);
    pair_finished(&t);
    for (int i = 0; i < 4; i++)
        pair_give(&t, 1, &bad);
    assert_true(pair_state(&t, 1).latched);
    uet_fep_reset(t.fep[1], t.now);
    assert_false(pair_state(&t, 1).latched);
    assert_int_equal(pair_state(&t, 1).in_auth_fail_pkts, 0);
    pair_free(&t);
}

/* At its limit the counter stops, and with it all that would be sent (TSS-022). */
static void test_counter_limit(void **state)
{
    struct pair t;
    (void)state;
    pair_init(&t, &(struct pair_kind){.change = few_failures});
    for (int i = 0; i < 2; i++) {
        pair_write(&t, PAIR_BYTES);
        pair_run(&t);
    }
    assert_int_equal(t.n_sealed[0], 4);
    assert_int_equal(t.newest[0], 3);
    assert_true(counter(t.fep[0], "out_invoke_fail") > 0);
    pair_free(&t);
}

/* A new key in the other slot takes over where the first is used up; one that was left does not. */
static void test_roll_over(void **state)
{
    struct pair t;
    (void)state;
    pair_init(&t, &(struct pair_kind){.change = few_failures});
    struct uet_tss_params next = t.keys;
    next.an = 1;
    next.key[0] ^= 1;
    for (int i = 0; i < 2; i++)
        assert_int_equal(uet_fep_domain_load(t.fep[i], &next), 0);
    for (int i = 0; i < 2; i++) {
        pair_write(&t, 40);
        pair_finished(&t);
    }
    assert_int_equal(counter(t.fep[0], "out_invoke_fail"), 0);
    for (int i = 0; i < 3; i++) {
        pair_write(&t, PAIR_BYTES);
        pair_run(&t);
    }
    assert_int_equal(t.n_sealed[0], 2 * 4); /* all counters of both keys, and no more */
    assert_int_equal(counter(t.fep[1], "in_auth_pkts"), 2 * 4);
    assert_true(counter(t.fep[0], "out_invoke_fail") > 0);
    pair_free(&t);
}

/* Unknown, disabled, without key: silence, and each has its counter (TSS-038, 039). */
static void test_not_installed(void **state)
{
    struct pair t;
    (void)state;
    pair_init(&t, &(struct pair_kind){0});
    pair_write(&t, 40);
    assert_non_null(pair_take(&t, 0));
    const struct pair_frame good = t.taken;
    assert_int_equal(uet_fep_domain_enable(t.fep[1], PAIR_SDI, false), 0);
    pair_give(&t, 1, &good);
    assert_int_equal(counter(t.fep[1], "in_invalid_sa"), 1);
    assert_int_equal(uet_fep_domain_remove(t.fep[1], PAIR_SDI), 0);
    pair_give(&t, 1, &good);
    assert_int_equal(counter(t.fep[1], "in_errored_pkts"), 1);
    assert_null(pair_take(&t, 1));
    const struct uet_operation op = {.to = t.ip[0], .opcode = UET_OP_NO_OP};
    assert_int_equal(uet_fep_submit(t.fep[1], &op, t.now), -EACCES);
    assert_int_equal(uet_fep_control(t.fep[1], &t.ip[0], UET_CTL_NOOP, t.now), -EACCES);
    pair_free(&t);
}

/* What would leave while the domain is disabled does not, and is sent again once it is in use. */
static void test_disabled_sender(void **state)
{
    struct pair t;
    (void)state;
    pair_init(&t, &(struct pair_kind){0});
    pair_write(&t, 40);
    assert_int_equal(uet_fep_domain_enable(t.fep[0], PAIR_SDI, false), 0);
    assert_null(pair_take(&t, 0));
    assert_int_equal(counter(t.fep[0], "out_errored_pkts"), 1);
    assert_int_equal(uet_fep_domain_enable(t.fep[0], PAIR_SDI, true), 0);
    pair_run(&t);
    assert_int_equal(pair_status(&t, 0), UET_STATUS_OK);
    assert_int_equal(t.n_clear, 0);
    pair_free(&t);
}

/* A key that was taken out of its slot opens nothing any more. */
static void test_unloaded(void **state)
{
    struct pair t;
    (void)state;
    pair_init(&t, &(struct pair_kind){0});
    struct uet_tss_params second = t.keys;
    second.an = 1;
    second.key[0] ^= 1;
    for (int i = 0; i < 2; i++)
        assert_int_equal(uet_fep_domain_load(t.fep[i], &second), 0);
    assert_int_equal(uet_fep_domain_rotate(t.fep[0], PAIR_SDI, 1), 0);
    pair_write(&t, 40);
    assert_non_null(pair_take(&t, 0));
    const struct pair_frame good = t.taken;
    assert_int_equal(uet_fep_domain_unload(t.fep[1], PAIR_SDI, 1), 0);
    pair_give(&t, 1, &good);
    assert_int_equal(counter(t.fep[1], "in_invalid_sa"), 1);
    assert_false(pair_state(&t, 1).has_key[1]);
    pair_free(&t);
}

/* What fep[0] sends next comes to the other one without TSS header and ICV. */
static void give_in_clear(struct pair *t)
{
    struct pair_frame clear;
    assert_non_null(pair_take(t, 0));
    memcpy(clear.bytes, t->clear, t->clear_len);
    clear.len = t->clear_len;
    pair_give(t, 1, &clear);
}

/*
 * Where a domain serves all jobs nothing in clear has a place, not even a Control Packet without
 * JobID (TSS-048); once it is removed, all has one again (TSS-050).
 */
static void test_removed(void **state)
{
    struct pair t;
    (void)state;
    pair_init(&t, &(struct pair_kind){.beside = true});
    assert_int_equal(uet_fep_control(t.fep[0], &t.ip[1], UET_CTL_NOOP, t.now), 0);
    give_in_clear(&t);
    assert_int_equal(counter(t.fep[1], "drop_clear_bound"), 1);
    assert_int_equal(uet_fep_pdcs(t.fep[1], false), 0);
    assert_int_equal(uet_fep_domain_remove(t.fep[1], PAIR_SDI), 0);
    pair_write(&t, 40);
    give_in_clear(&t);
    assert_int_equal(counter(t.fep[1], "drop_clear_bound"), 1);
    assert_int_equal(counter(t.fep[1], "rx_request_new"), 1);
    pair_free(&t);
}

#define RETX_WITHOUT_END 15u

/* FEP 0 begins it in its domain, loses its packets, and forgets the domain. */
struct left {
    uint8_t opcode, mode;
    bool sent;    /* a packet of it has left before */
    bool another; /* another domain serves its job afterwards */
};

static void add_another(struct pair *t)
{
    struct uet_fep_domain d = pair_domain(t, 0);
    d.keys.sdi = PAIR_SDI + 1;
    assert_int_equal(uet_fep_domain_install(t->fep[0], &d), 0);
}

static void forget_domain(const struct left *left)
{
    struct pair t;
    pair_init(&t, &(struct pair_kind){.beside = true});
    uet_fep_params(t.fep[0])->Max_RTO_Retx_Cnt = RETX_WITHOUT_END;
    struct uet_operation op = pair_operation(&t, left->opcode, 40);
    op.mode = left->mode;
    if (op.mode == UET_MODE_RUDI)
        op.key = PAIR_SAFE_KEY;
    assert_int_equal(uet_fep_submit(t.fep[0], &op, t.now), 0);
    while (left->sent && pair_take(&t, 0)) {
    }
    assert_int_equal(t.n_sealed[0], left->sent);
    assert_int_equal(uet_fep_domain_remove(t.fep[0], PAIR_SDI), 0);
    if (left->another)
        add_another(&t);
    uet_fep_advance(t.fep[0], t.now);
    assert_int_equal(pair_status(&t, 0), UET_STATUS_PDS_ERROR);
    assert_int_equal(uet_fep_pdcs(t.fep[0], true), 0);
    pair_run(&t);
    assert_int_equal(t.n_sealed[0], left->sent);
    assert_int_equal(t.n_clear, 0);
    assert_int_equal(counter(t.fep[0], "op_domain_gone"), 1);
    assert_int_equal(counter(t.fep[0], "op_pds_error"), 1);
    pair_free(&t);
}

/*
 * What was begun in a domain that was removed never goes, neither in clear nor in another one: it
 * ends with the domain, however often it may be sent again.
 */
static void test_begun_in_removed(void **state)
{
    static const struct left lefts[] = {
        {UET_OP_WRITE, UET_MODE_RUDI, .sent = false},
        {UET_OP_WRITE, UET_MODE_RUDI, .sent = true},
        {UET_OP_DATAGRAM_SEND, UET_MODE_UUD, .sent = false},
        {UET_OP_WRITE, UET_MODE_RUD, .sent = false},
        {UET_OP_WRITE, UET_MODE_RUD, .sent = true},
    };
    (void)state;
    for (size_t i = 0; i < 2 * (sizeof lefts / sizeof *lefts); i++) {
        struct left left = lefts[i / 2];
        left.another = i % 2;
        forget_domain(&left);
    }
}

/* So does the PDC of a target, and what it was about to send: nothing opens it any more. */
static void test_target_removed(void **state)
{
    struct pair t;
    (void)state;
    pair_init(&t, &(struct pair_kind){.beside = true});
    uet_fep_params(t.fep[1])->Max_RTO_Retx_Cnt = RETX_WITHOUT_END;
    pair_read(&t, 40);
    assert_non_null(pair_take(&t, 0));
    pair_give(&t, 1, &t.taken);
    assert_int_equal(uet_fep_pdcs(t.fep[1], false), 1);
    assert_int_equal(uet_fep_domain_remove(t.fep[1], PAIR_SDI), 0);
    assert_null(pair_take(&t, 1));
    assert_int_equal(uet_fep_pdcs(t.fep[1], false), 0);
    pair_free(&t);
}

/* So does one that its peer has not begun yet: nobody waits for New_PDC_Time. */
static void test_pending_removed(void **state)
{
    struct pair t;
    (void)state;
    pair_init(&t, &(struct pair_kind){.beside = true, .start = UET_RANDOM_1RTT_START});
    pair_write(&t, 40);
    assert_non_null(pair_take(&t, 0));
    pair_give(&t, 1, &t.taken);
    assert_int_equal(uet_fep_pdcs(t.fep[1], false), 1);
    assert_int_equal(counter(t.fep[1], "rx_request_new"), 0); /* PENDING */
    assert_int_equal(uet_fep_domain_remove(t.fep[1], PAIR_SDI), 0);
    uet_fep_advance(t.fep[1], t.now);
    assert_int_equal(uet_fep_pdcs(t.fep[1], false), 0);
    assert_int_equal(counter(t.fep[1], "pdc_closed_in_error"), 1);
    assert_int_equal(counter(t.fep[1], "pdc_pending_timeout"), 0);
    pair_free(&t);
}

/* One of the same SDI that comes behind it is another: what was begun does not go on in it. */
static void test_installed_behind(void **state)
{
    struct pair t;
    (void)state;
    pair_init(&t, &(struct pair_kind){.beside = true});
    pair_write(&t, 40);
    assert_non_null(pair_take(&t, 0));
    struct uet_fep_domain d = pair_domain(&t, 0);
    d.next_counter = pair_state(&t, 0).next_counter;
    assert_int_equal(uet_fep_domain_remove(t.fep[0], PAIR_SDI), 0);
    assert_int_equal(uet_fep_domain_install(t.fep[0], &d), 0);
    assert_int_equal(pair_status(&t, 0), UET_STATUS_PDS_ERROR);
    assert_int_equal(uet_fep_pdcs(t.fep[0], true), 0);
    pair_run(&t);
    assert_int_equal(t.n_sealed[0], 1);
    pair_write(&t, 40);
    pair_finished(&t);
    pair_free(&t);
}

/* In one that takes its place it does; what is refused takes no place. */
static void test_replaced(void **state)
{
    struct pair t;
    (void)state;
    pair_init(&t, &(struct pair_kind){.beside = true});
    struct uet_fep_domain d = pair_domain(&t, 0);
    d.next_counter = 1000;
    pair_write(&t, 40);
    assert_non_null(pair_take(&t, 0));
    assert_int_equal(uet_fep_domain_replace(t.fep[0], &d), 0);
    d.start = UINT8_MAX;
    assert_int_equal(uet_fep_domain_replace(t.fep[0], &d), -EINVAL);
    assert_int_equal(uet_fep_pdcs(t.fep[0], true), 1);
    pair_finished(&t);
    assert_true(pair_state(&t, 0).next_counter > 1000);
    d.keys.sdi = PAIR_SDI + 1;
    assert_int_equal(uet_fep_domain_replace(t.fep[0], &d), -ENOENT);
    pair_free(&t);
}

/* It waits for its turn when its domain is removed: it ends at once. */
static void test_waits_for_removed(void **state)
{
    struct pair t;
    (void)state;
    pair_init(&t, &(struct pair_kind){.beside = true});
    pair_send(&t, 40);
    pair_finished(&t);
    pair_send(&t, 40); /* there is no receive: it will come once more, after a pause */
    while (!counter(t.fep[0], "op_ses_retried")) {
        for (int from = 0; from < 2; from++) {
            assert_non_null(pair_take(&t, from));
            pair_give(&t, !from, &t.taken);
        }
    }
    const uint32_t sealed = t.n_sealed[0];
    assert_int_equal(uet_fep_domain_remove(t.fep[0], PAIR_SDI), 0);
    uet_fep_advance(t.fep[0], t.now);
    assert_int_equal(pair_status(&t, 0), UET_STATUS_PDS_ERROR);
    assert_int_equal(counter(t.fep[0], "op_domain_gone"), 1);
    pair_run(&t);
    assert_int_equal(t.n_sealed[0], sealed);
    assert_int_equal(t.n_clear, 0);
    pair_free(&t);
}

/* After a restart the counter begins where the host says (TSS-018). */
static void begins_later(struct uet_fep_domain *d, int i)
{
    d->next_counter = i ? 0 : 1000;
    d->epoch = i ? 0 : 2;
}

static void test_restart(void **state)
{
    struct pair t;
    (void)state;
    pair_init(&t, &(struct pair_kind){.change = begins_later});
    pair_write(&t, 40);
    assert_non_null(pair_take(&t, 0));
    assert_int_equal(t.h.counter, 1000);
    assert_int_equal(t.h.epoch, 2);
    pair_give(&t, 1, &t.taken);
    pair_finished(&t);
    pair_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rotation),
        cmocka_unit_test(test_epochs),
        cmocka_unit_test(test_latch),
        cmocka_unit_test(test_counter_limit),
        cmocka_unit_test(test_roll_over),
        cmocka_unit_test(test_not_installed),
        cmocka_unit_test(test_disabled_sender),
        cmocka_unit_test(test_unloaded),
        cmocka_unit_test(test_removed),
        cmocka_unit_test(test_restart),
        cmocka_unit_test(test_begun_in_removed),
        cmocka_unit_test(test_target_removed),
        cmocka_unit_test(test_pending_removed),
        cmocka_unit_test(test_installed_behind),
        cmocka_unit_test(test_replaced),
        cmocka_unit_test(test_waits_for_removed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
