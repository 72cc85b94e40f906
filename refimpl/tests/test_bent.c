/* SPDX-License-Identifier: BSD-2-Clause */
/* The bent FEP breaks rules, but never itself; its ids are requirements. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>

#include "refimpl/tests/shared/damage.h"
#include "refimpl/violate.h"

static struct peer t;

static void test_ids(void **state)
{
    size_t n = 0;
    (void)state;
    peer_init(&t, NULL);
    for (const char *id; (id = uet_fep_violation(n)); n++) {
        if (!uet_requirement_find(id))
            fail_msg("%s is no requirement", id);
        assert_int_equal(uet_fep_violate(t.fep, uet_fep_violation_name(n)), 0);
        assert_int_equal(uet_fep_violation_find(uet_fep_violation_name(n)), n);
    }
    assert_true(n >= 100);
    assert_int_equal(uet_fep_violate(t.fep, "PDS-999"), -ENOENT);
    assert_int_equal(uet_fep_violate(t.fep, NULL), 0);
    open_pdc(&t, 1000); /* mended */
    peer_free(&t);
}

/* An id stands for what is called so, wherever it stands in the list, or for the only one. */
static void test_one_of_an_id(void **state)
{
    (void)state;
    int found = uet_fep_violation_find("PDS-058"), only = uet_fep_violation_find("PDS-180");
    assert_string_equal(uet_fep_violation_name((size_t)found), "PDS_058");
    assert_string_equal(uet_fep_violation_name((size_t)only), "PDS_180_ATOMIC");
    assert_int_equal(uet_fep_violation_find("ROB-036"), -ENOTUNIQ);
    assert_int_equal(uet_fep_violation_find("PDS"), -ENOENT);
    assert_int_equal(uet_fep_violation_find("PDS-0580"), -ENOENT);
}

static void test_survives(void **state)
{
    (void)state;
    for (size_t i = 0; uet_fep_violation(i); i++) {
        for (uint64_t seed = 0; seed < 3; seed++) {
            damage(&t, seed, 800, uet_fep_violation_name(i));
            peer_free(&t);
        }
    }
}

/* A broken parameter: the application sees and sets its own, what is in force is another. */
static void test_parameter(void **state)
{
    (void)state;
    peer_init(&t, NULL);
    assert_int_equal(uet_fep_violate(t.fep, "PDS-156"), 0); /* the RTO is a tenth */
    assert_int_equal(uet_fep_params(t.fep)->RTO_Init_Time, 5 * MS);
    uet_fep_params(t.fep)->RTO_Init_Time = 10 * MS;
    fep_writes(&t, 4);
    first(&t);
    advance(&t, 1 * MS - 1);
    take_nothing(&t);
    advance(&t, 1);
    take(&t);
    assert_int_equal(uet_fep_params(t.fep)->RTO_Init_Time, 10 * MS);
    uet_fep_reset(t.fep, t.now); /* breaks it still, but what was set is forgotten */
    assert_int_equal(uet_fep_params(t.fep)->RTO_Init_Time, 5 * MS);
    peer_free(&t);
}

static void with_little_endian_crc(struct uet_fep_config *config)
{
    config->protect = UET_PROTECT_CRC;
    config->crc_order = UET_CRC_LITTLE_ENDIAN;
}

/* A frame that a fault has changed has a good CRC, in the order of its FEP. */
static void test_changed_frame(void **state)
{
    const struct uet_parse_options o = {.protect = UET_PROTECT_CRC,
                                        .crc_order = UET_CRC_LITTLE_ENDIAN};
    (void)state;
    peer_init(&t, with_little_endian_crc);
    assert_int_equal(uet_fep_violate(t.fep, "SES-043"), 0); /* eom is never set */
    fep_writes(&t, 4);
    size_t n = uet_fep_transmit(t.fep, t.bytes, sizeof t.bytes, t.now);
    assert_int_equal(uet_parse(&t.p, t.bytes, n, &o), UET_PARSE_OK);
    assert_false(uet_ses_req_eom(uet_ses(&t.p)));
    peer_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ids),           cmocka_unit_test(test_one_of_an_id),
        cmocka_unit_test(test_survives),      cmocka_unit_test(test_parameter),
        cmocka_unit_test(test_changed_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
