/* SPDX-License-Identifier: BSD-2-Clause */
/* Where the PDCs of a secure domain begin (3.5.8.2), as their initiator sees it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused_flight),
        cmocka_unit_test(test_after_failure),
        cmocka_unit_test(test_low_floor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
