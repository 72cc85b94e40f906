/* SPDX-License-Identifier: BSD-2-Clause */
/* Where the PDCs of a secure domain begin (3.5.8.2), and how far their PSNs go. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "refimpl/pds/state.h"
#include "refimpl/tests/tss/tss_pair.h"

#define START 5000u
#define FLOOR (START + 1)
#define FAR   65536u /* PDS-027 */

/* The floor of the target is just above where the initiator begins. */
static void one_too_low(struct uet_fep_domain *domain, int i)
{
    domain->start_psn = i == 0 ? START : 0;
    domain->expected_psn = i == 1 ? FLOOR : 0;
}

static void told_start(struct uet_fep_domain *domain, int i)
{
    domain->start_psn = i == 0 ? START : 0;
    domain->expected_psn = i == 1 ? START : 0;
}

static uint32_t next_start(struct pair *t)
{
    pair_write(t, 40);
    assert_non_null(pair_take(t, 0));
    assert_true(uet_has_syn(&t->p));
    return uet_start_psn(&t->p);
}

/*
 * Each packet of the first flight is refused. The first refusal moves them all; the others name
 * PSNs that are others' now, and the place where the PDC begins already: nothing is sent again for
 * them, least of all as if it were new (PDS-058).
 */
static void test_refused_flight(void **state)
{
    struct pair_frame first[3], refusals[3];
    struct pair t;
    (void)state;
    pair_init(&t, &(struct pair_kind){.change = one_too_low});
    pair_write(&t, PAIR_BYTES); /* three packets */
    for (uint32_t i = 0; i < 3; i++) {
        assert_non_null(pair_take(&t, 0));
        assert_int_equal(uet_packet_psn(&t.p), START + i);
        first[i] = t.taken;
    }
    for (uint32_t i = 0; i < 3; i++) {
        pair_give(&t, 1, &first[i]);
        assert_non_null(pair_take(&t, 1));
        assert_int_equal(uet_nack_nack_code(uet_pds(&t.p)), UET_NACK_NEW_START_PSN);
        assert_int_equal(uet_nack_payload(uet_pds(&t.p)), FLOOR);
        refusals[i] = t.taken;
    }
    pair_give(&t, 0, &refusals[0]);
    for (uint32_t i = 0; i < 3; i++) {
        assert_non_null(pair_take(&t, 0));
        assert_int_equal(uet_packet_psn(&t.p), FLOOR + i);
    }
    pair_give(&t, 0, &refusals[1]);
    pair_give(&t, 0, &refusals[2]);
    assert_null(pair_take(&t, 0));
    assert_int_equal(counter(t.fep[0], "nack_new_start_psn"), 1);
    assert_int_equal(counter(t.fep[0], "nack_of_older_copy"), 2);
    pair_run(&t); /* they were lost, and come again */
    assert_int_equal(pair_status(&t, 0), UET_STATUS_OK);
    pair_free(&t);
}

/* After a PDC that failed the next one begins so far behind what that used that no late packet is
 * taken for one of it. */
static void test_after_failure(void **state)
{
    struct uet_completion c;
    struct pair t;
    (void)state;
    pair_init(&t, &(struct pair_kind){.change = told_start});
    uet_fep_params(t.fep[0])->SES_Retry_Cnt = 0;
    assert_int_equal(next_start(&t), START);
    while (!uet_fep_completion(t.fep[0], &c)) {
        t.now = uet_fep_deadline(t.fep[0]);
        assert_true(t.now < UET_FEP_NEVER);
        uet_fep_advance(t.fep[0], t.now);
        while (pair_take(&t, 0)) { /* lost */
        }
    }
    assert_int_not_equal(c.status, UET_STATUS_OK);
    assert_true(next_start(&t) >= START + FAR);
    pair_give(&t, 1, &t.taken);
    pair_run(&t);
    assert_int_equal(pair_status(&t, 0), UET_STATUS_OK);
    pair_free(&t);
}

static uint32_t behind_start(uint32_t start_psn, uint32_t last_psn)
{
    (void)last_psn;
    return start_psn + 1;
}

/* A peer that tells no more than Start_PSN + 1 when it closes (TSS-067): the next PDC begins behind
 * the last PSN all the same. */
static void test_low_floor(void **state)
{
    struct pair t;
    (void)state;
    pair_init(&t, &(struct pair_kind){.change = told_start});
    t.fep[1]->law.tss.floor = behind_start;
    pair_write(&t, PAIR_BYTES);
    pair_run(&t);
    assert_int_equal(pair_status(&t, 0), UET_STATUS_OK);
    uet_fep_close(t.fep[0], NULL, t.now);
    pair_run(&t);
    assert_int_equal(uet_fep_pdcs(t.fep[0], true), 0);
    assert_int_equal(next_start(&t), START + 4); /* three packets and the Close Command */
    pair_free(&t);
}

/* The floor rises with the close, is told, and a replayed SYN finds it (TSS-056, 058, 066 to 068).
 */
static void test_floor(void **state)
{
    struct pair t;
    (void)state;
    pair_init(&t, &(struct pair_kind){0});
    pair_write(&t, 40);
    assert_non_null(pair_take(&t, 0));
    const struct pair_frame syn = t.taken;
    uint32_t start = uet_start_psn(&t.p);
    assert_true(start >= 65536 && start < INT32_MAX); /* while nobody has told one */
    pair_give(&t, 1, &syn);
    pair_finished(&t);
    pair_close(&t);
    uint32_t floor = pair_state(&t, 1).expected_psn;
    assert_int_equal(floor, start + 2); /* the WRITE and the Close Command */
    assert_int_equal(pair_state(&t, 0).start_psn, floor);
    t.region[0] = 99;
    pair_give(&t, 1, &syn);
    assert_non_null(pair_take(&t, 1));
    assert_true(uet_is_nack(&t.p));
    assert_int_equal(uet_nack_nack_code(uet_pds(&t.p)), UET_NACK_NEW_START_PSN);
    assert_int_equal(uet_nack_payload(uet_pds(&t.p)), floor);
    assert_int_equal(t.region[0], 99);
    pair_run(&t); /* New_PDC_Time */
    assert_int_equal(counter(t.fep[1], "pdc_pending_timeout"), 1);
    pair_write(&t, 40);
    assert_non_null(pair_take(&t, 0));
    assert_int_equal(uet_start_psn(&t.p), floor);
    pair_give(&t, 1, &t.taken);
    pair_finished(&t);
    assert_int_equal(counter(t.fep[1], "tx_nack_new_start_psn"), 1);
    pair_free(&t);
}

/* A PDC that ends otherwise raises it, too; a reset forgets neither floor nor counter. */
static void test_reset(void **state)
{
    struct pair t;
    (void)state;
    pair_init(&t, &(struct pair_kind){0});
    pair_write(&t, 40);
    assert_non_null(pair_take(&t, 0));
    const struct pair_frame syn = t.taken;
    uint32_t psn = uet_packet_psn(&t.p);
    pair_give(&t, 1, &syn);
    pair_finished(&t);
    uint64_t next = pair_state(&t, 1).next_counter;
    uet_fep_reset(t.fep[1], t.now);
    assert_int_equal(pair_state(&t, 1).expected_psn, psn + 1);
    assert_int_equal(pair_state(&t, 1).next_counter, next);
    pair_give(&t, 1, &syn);
    assert_int_equal(uet_fep_pdcs(t.fep[1], false), 1); /* PENDING */
    assert_int_equal(counter(t.fep[1], "rx_request_new"), 0);
    pair_free(&t);
}

/* A Control Packet asks where to begin (TSS-060); the answer is not the same twice (TSS-059), and
 * only what begins there is taken (TSS-061), as long as the target remembers (TSS-062). */
static void test_asked(void **state)
{
    struct pair t;
    uint32_t told[2] = {0};
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        pair_init(&t, &(struct pair_kind){.start = UET_RANDOM_1RTT_START, .seed = i});
        assert_int_equal(uet_fep_control(t.fep[0], &t.ip[1], UET_CTL_NOOP, t.now), 0);
        assert_non_null(pair_take(&t, 0));
        const struct pair_frame question = t.taken;
        for (int again = 0; again < 2; again++) { /* the same place each time it is asked */
            pair_give(&t, 1, &question);
            assert_non_null(pair_take(&t, 1));
            assert_true(uet_is_nack(&t.p));
            assert_int_equal(uet_nack_nack_code(uet_pds(&t.p)), UET_NACK_NEW_START_PSN);
            assert_true(!again || told[i] == uet_nack_payload(uet_pds(&t.p)));
            told[i] = uet_nack_payload(uet_pds(&t.p));
        }
        assert_int_equal(counter(t.fep[1], "rx_cp"), 0);
        if (i) {
            pair_give(&t, 0, &t.taken);
            assert_non_null(pair_take(&t, 0));
            assert_int_equal(uet_start_psn(&t.p), told[i]);
            pair_give(&t, 1, &t.taken);
            assert_int_equal(counter(t.fep[1], "rx_cp"), 1);
        } else {
            t.now += 6000000; /* New_PDC_Time is 5 ms */
            uet_fep_advance(t.fep[1], t.now);
            assert_int_equal(uet_fep_pdcs(t.fep[1], false), 0);
        }
        pair_free(&t);
    }
    assert_int_not_equal(told[0], told[1]);
}

/* Where the target of a FEP with this seed and secret says that a PDC begins. */
static uint32_t start_told(uint64_t seed, uint64_t secret)
{
    struct pair t;
    pair_init(&t,
              &(struct pair_kind){.start = UET_RANDOM_1RTT_START, .seed = seed, .secret = secret});
    pair_write(&t, 40);
    assert_non_null(pair_take(&t, 0));
    pair_give(&t, 1, &t.taken);
    assert_non_null(pair_take(&t, 1));
    assert_int_equal(uet_nack_nack_code(uet_pds(&t.p)), UET_NACK_NEW_START_PSN);
    uint32_t told = uet_nack_payload(uet_pds(&t.p));
    pair_free(&t);
    return told;
}

/* With a secret the seed, which entropy values may betray, says nothing of Start_PSNs. */
static void test_secret(void **state)
{
    (void)state;
    assert_int_equal(start_told(1, 7), start_told(2, 7));
    assert_int_not_equal(start_told(1, 7), start_told(1, 8));
    assert_int_not_equal(start_told(1, 0), start_told(2, 0));
}

/* The PDC that FEP 0 has opened. */
static struct pdc *pdc_of(struct pair *t)
{
    const struct uet_fep *fep = t->fep[0];
    for (uint32_t id = 1; id <= fep->config.max_pdcs; id++)
        if (fep->pdcs[id].state == PDC_ESTABLISHED && fep->pdcs[id].initiator)
            return &fep->pdcs[id];
    fail_msg("no PDC is open");
    abort();
}

/* Its PSNs do not go round, whatever Limit_PSN_Range says (TSS-055). */
static void test_psn_range(void **state)
{
    struct pair t;
    (void)state;
    pair_init(&t, &(struct pair_kind){0});
    uet_fep_params(t.fep[0])->Limit_PSN_Range = 0;
    pair_write(&t, 40);
    pair_finished(&t);
    struct pdc *pdc = pdc_of(&t);
    pdc->start_psn = pdc->tx.next_psn - (1u << 31) + (1u << 23) + 1; /* one more is too many */
    for (int last = 1; last >= 0; last--) {
        pair_write(&t, 40);
        const struct pair_frame *f = pair_take(&t, 0);
        assert_non_null(f);
        assert_int_equal(t.p.pds, last ? UET_H_RUD_ROD_REQ : UET_H_RUD_ROD_REQ_SYN);
        pair_give(&t, 1, f);
        pair_finished(&t);
    }
    pair_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused_flight), cmocka_unit_test(test_after_failure),
        cmocka_unit_test(test_low_floor),      cmocka_unit_test(test_floor),
        cmocka_unit_test(test_reset),          cmocka_unit_test(test_asked),
        cmocka_unit_test(test_secret),         cmocka_unit_test(test_psn_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
