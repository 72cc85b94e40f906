/* SPDX-License-Identifier: BSD-2-Clause */
/* The bent FEP breaks rules, but never itself; its ids are requirements. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>

#include "refimpl/tests/damage.h"
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
        assert_int_equal(uet_fep_violate(t.fep, id), 0);
        assert_int_equal(uet_fep_violate(t.fep, uet_fep_violation_name(n)), 0);
    }
    assert_true(n >= 100);
    assert_int_equal(uet_fep_violate(t.fep, "PDS-999"), -ENOENT);
    assert_int_equal(uet_fep_violate(t.fep, NULL), 0);
    open_pdc(&t, 1000); /* mended */
    peer_free(&t);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ids),
        cmocka_unit_test(test_survives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
