/* SPDX-License-Identifier: BSD-2-Clause */
/* Pools: what is handed out is zero, whatever was there before; the lowest number first. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "refimpl/pool.h"

#define N 3u

struct item {
    uint32_t link, a, b;
};

static struct item items[N + 1];

static struct pool begun(uint32_t n)
{
    memset(items, 0, sizeof items);
    struct pool p = {.items = (uint8_t *)items, .size = sizeof *items, .n = n};
    pool_reset(&p);
    return p;
}

/* Takes one; it is zero, and is made something else. */
static uint32_t take(struct pool *p)
{
    const struct item zero = {0};
    uint32_t id = pool_get(p);
    if (!id)
        return 0;
    assert_memory_equal(pool_item(p, id), &zero, sizeof zero);
    memset(pool_item(p, id), 0xff, sizeof zero);
    return id;
}

static void test_in_order(void **state)
{
    (void)state;
    struct pool p = begun(N);
    for (uint32_t id = 1; id <= N; id++) {
        assert_int_equal(p.free, id);
        assert_int_equal(take(&p), id);
    }
    assert_int_equal(p.free, 0);
    assert_int_equal(take(&p), 0);
    assert_int_equal(p.used, N);
}

/* What came back is taken first, the last first; then what was never out. */
static void test_returned(void **state)
{
    (void)state;
    struct pool p = begun(N);
    take(&p);
    take(&p);
    pool_put(&p, 1);
    pool_put(&p, 2);
    assert_int_equal(take(&p), 2);
    assert_int_equal(take(&p), 1);
    assert_int_equal(take(&p), 3);
    assert_int_equal(take(&p), 0);
    pool_put(&p, 2);
    assert_int_equal(take(&p), 2);
    assert_int_equal(take(&p), 0);
}

static void test_reset(void **state)
{
    (void)state;
    struct pool p = begun(N);
    take(&p);
    take(&p);
    pool_put(&p, 1);
    pool_reset(&p);
    assert_int_equal(p.used, 0);
    for (uint32_t id = 1; id <= N; id++)
        assert_int_equal(take(&p), id);
    assert_int_equal(take(&p), 0);
}

static void test_left(void **state)
{
    (void)state;
    struct pool none = begun(0), p = begun(2);
    assert_int_equal(take(&none), 0);
    assert_false(pool_has(&none, false));
    assert_true(pool_has(&p, true));
    take(&p);
    assert_true(pool_has(&p, false));
    assert_false(pool_has(&p, true)); /* the last is for what closes the gap */
    take(&p);
    assert_false(pool_has(&p, false));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_in_order),
        cmocka_unit_test(test_returned),
        cmocka_unit_test(test_reset),
        cmocka_unit_test(test_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
