/* SPDX-License-Identifier: BSD-2-Clause */
/* Frames that nobody meant: never a crash, a hang or an over-read, and the pools add up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "refimpl/tests/shared/damage.h"

static struct peer t;

static void test_damaged_frames(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        struct uet_completion c;
        damage(&t, seed, 1500, NULL);
        /* A peer gone silent: every operation ends, every PDC of this side goes. */
        for (int i = 0; i < 200; i++) {
            forget(&t);
            advance(&t, 1000 * MS);
            while (uet_fep_completion(t.fep, &c))
                ;
        }
        uet_fep_close(t.fep, NULL, t.now);
        uet_fep_close_request(t.fep, NULL, t.now);
        for (int i = 0; i < 200; i++) {
            forget(&t);
            advance(&t, 1000 * MS);
        }
        assert_int_equal(uet_fep_pdcs(t.fep, true), 0);
        assert_int_equal(uet_fep_pdcs(t.fep, false), 0);
        assert_true(uet_fep_deadline(t.fep) == UET_FEP_NEVER);
        peer_free(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_damaged_frames)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
