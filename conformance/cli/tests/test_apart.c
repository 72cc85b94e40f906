/* SPDX-License-Identifier: BSD-2-Clause */
/* Work in a process of its own that comes back, loops, dies, or lets a test take too long. */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "conformance/cli/selftest/apart.h"

/* Only what loops may come near it: a busy host lets a good one wait for its turn. */
#define LIMIT_S 0.5

static struct uet_apart *apart;

static int comes_back(void *ctx)
{
    uet_apart_begin(apart, "zz.1.first");
    *(int *)ctx = 7; /* of its own: who started it does not see that */
    return 3;
}

static int loops(void *ctx)
{
    (void)ctx;
    uet_apart_begin(apart, "zz.1.loops");
    apart->inside = true;
    for (volatile bool on = true; on;)
        ;
    return 0;
}

static int dies(void *ctx)
{
    (void)ctx;
    uet_apart_begin(apart, "zz.1.dies");
    raise(SIGKILL);
    return 0;
}

/* Each of its tests is short, all of them together are not. */
static int many(void *ctx)
{
    (void)ctx;
    for (int i = 0; i < 8; i++) {
        uet_apart_begin(apart, "zz.1.one-of-many");
        usleep(100000);
    }
    return 0;
}

static void what_becomes_of_it_is_told(void **state)
{
    int mine = 1;

    (void)state;
    assert_int_equal(uet_apart_run(apart, comes_back, &mine, LIMIT_S), 3);
    assert_int_equal(mine, 1);
    assert_string_equal(apart->test, "zz.1.first");

    assert_int_equal(uet_apart_run(apart, loops, NULL, LIMIT_S), -ETIME);
    assert_string_equal(apart->test, "zz.1.loops");
    assert_true(apart->inside);

    assert_int_equal(uet_apart_run(apart, dies, NULL, LIMIT_S), -ECHILD);
    assert_string_equal(apart->test, "zz.1.dies");
    assert_false(apart->inside); /* what the last one left does not count */

    assert_int_equal(uet_apart_run(apart, many, NULL, LIMIT_S), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_becomes_of_it_is_told),
    };

    apart = uet_apart_memory(sizeof(*apart));
    if (!apart)
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
