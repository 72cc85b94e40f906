/* SPDX-License-Identifier: BSD-2-Clause */
/* Times, lists of entropy values, and which of these are bad: against numbers made by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tools/uetcat/ping/paths.h"
#include "tools/uetcat/times.h"

enum { US = 1000, MS = 1000000 };

/* ---- times ---- */

static void times_of_none(void **state)
{
    static struct uetcat_times t;
    (void)state;
    assert_true(uetcat_times_at(&t, 500) == 0 && uetcat_times_mean(&t) == 0);
    assert_true(uetcat_times_deviation(&t) == 0);
}

/* 1 to 1000 us: the share of `permille` ends at that number of microseconds. */
static void times_of_a_thousand(void **state)
{
    static struct uetcat_times t;
    (void)state;
    for (uint64_t i = 1000; i > 0; i--)
        uetcat_times_note(&t, i * US);
    assert_true(uetcat_times_at(&t, 0) == 1 * US);
    assert_true(uetcat_times_at(&t, 1000) == 1000 * US);
    static const unsigned some[] = {10, 100, 500, 900, 990, 999};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        double want = some[i] * US, got = uetcat_times_at(&t, some[i]);
        assert_true(got > want * 0.995 && got < want * 1.005);
    }
    assert_true(uetcat_times_mean(&t) == 500500);
    /* of 1..n: sqrt((n * n - 1) / 12) */
    assert_true(uetcat_times_deviation(&t) > 288674 && uetcat_times_deviation(&t) < 288676);
}

static void times_of_any_size(void **state)
{
    static struct uetcat_times t;
    (void)state;
    uetcat_times_note(&t, 0);
    uetcat_times_note(&t, 127);
    uetcat_times_note(&t, 128);
    assert_true(uetcat_times_at(&t, 500) == 127);
    uetcat_times_note(&t, UINT64_MAX);
    assert_true(uetcat_times_at(&t, 1000) == (double)UINT64_MAX);
    assert_int_equal(t.n, 4);
}

/* ---- lists ---- */

static struct uetcat_entropy list;

static void a_list_is_read(void **state)
{
    static const uint16_t want[] = {5, 0xfffe, 0xffff, 7};
    (void)state;
    assert_true(uetcat_entropy_read("ping", "5,0xfffe-65535,7,5", &list));
    assert_int_equal(list.n, 4);
    assert_memory_equal(list.value, want, sizeof want);
    for (size_t i = 0; i < 9; i++)
        assert_int_equal(uetcat_entropy_take(&list), want[i % 4]);
}

static void all_are_spread(void **state)
{
    static const uint16_t want[] = {0, 16384, 32768, 49152, 1};
    (void)state;
    assert_true(uetcat_entropy_read("ping", "all:4,1,32768", &list));
    assert_int_equal(list.n, 5);
    assert_memory_equal(list.value, want, sizeof want);
    assert_true(uetcat_entropy_read("ping", "all:65536", &list));
    assert_int_equal(list.n, 65536);
    assert_int_equal(list.value[65535], 65535);
}

static uint64_t nought(void)
{
    return 0;
}

static void shuffled_it_is_the_same_list(void **state)
{
    static const uint16_t want[] = {2, 3, 4, 1};
    (void)state;
    assert_true(uetcat_entropy_read("ping", "1-4", &list));
    uetcat_entropy_shuffle(&list, nought); /* the last goes to the front, again and again */
    assert_memory_equal(list.value, want, sizeof want);
}

static void what_is_no_list(void **state)
{
    static const char *const wrong[] = {
        "",      "x",   "-1",        "65536", "1-65536", "2-1", "1-", "all:0",
        "all:x", "all", "all:65537", "1,",    ",1",      "1 2", "0x", "99999999999999999999"};
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(uetcat_entropy_read("ping", wrong[i], &list));
}

/* ---- paths ---- */

static struct ping_paths paths;

/* n paths, 1000 up, with ten answers of `us` microseconds each. */
static void open_paths(uint32_t n, uint64_t us)
{
    list.n = n;
    for (uint32_t i = 0; i < n; i++)
        list.value[i] = (uint16_t)(1000 + i);
    assert_true(ping_paths_open(&paths, &list));
    for (uint32_t i = 0; us && i < 10 * n; i++) {
        ping_paths_sent(&paths, (uint16_t)(1000 + i % n));
        ping_paths_answered(&paths, (uint16_t)(1000 + i % n), us * US, false);
    }
}

static int tear_down(void **state)
{
    (void)state;
    ping_paths_close(&paths);
    return 0;
}

static void verdicts_are(const char *want)
{
    static const char letters[] = {'.', 'l', 'd', 's'};
    uint32_t bad = 0;
    ping_paths_judge(&paths);
    for (uint32_t i = 0; i < paths.n; i++) {
        assert_int_equal(letters[paths.path[i].verdict], want[i]);
        bad += want[i] != '.';
    }
    assert_int_equal(paths.bad, bad);
}

static void lose(uint16_t entropy, unsigned n, bool arrived)
{
    while (n--) {
        ping_paths_sent(&paths, entropy);
        ping_paths_lost(&paths, entropy, arrived);
    }
}

static void equal_paths_are_good(void **state)
{
    (void)state;
    open_paths(4, 50);
    ping_paths_answered(&paths, 1001, 90 * MS, true); /* one that was late */
    lose(1002, 1, false);                             /* one that was lost */
    ping_paths_sent(&paths, 9);                       /* no value of the list */
    verdicts_are("....");
    assert_int_equal(paths.path[1].marked, 1);
    assert_true(paths.path[1].max_ms == 90 && paths.path[1].min_ms == 0.05);
    assert_true(paths.median_ms > 0.0499 && paths.median_ms < 0.0501);
}

static void a_dead_path_is_found(void **state)
{
    (void)state;
    open_paths(3, 0);
    for (unsigned i = 0; i < 10; i++) {
        ping_paths_answered(&paths, 1000, 50 * US, false);
        ping_paths_answered(&paths, 1002, 50 * US, false);
    }
    lose(1001, 10, true);
    verdicts_are(".d.");
    assert_int_equal(paths.path[1].answers_lost, 10);
}

static void a_path_that_loses_is_found(void **state)
{
    (void)state;
    open_paths(5, 50);
    lose(1003, 2, false); /* 2 of 12 */
    verdicts_are("...l.");
}

static void loss_everywhere_is_of_no_path(void **state)
{
    (void)state;
    open_paths(3, 50);
    for (uint16_t e = 1000; e < 1003; e++)
        lose(e, 4, false);
    verdicts_are("...");
    lose(1000, 6, false); /* 10 of 20, against 4 of 14 */
    verdicts_are("l..");
}

static void nobody_answers(void **state)
{
    (void)state;
    open_paths(3, 0);
    for (uint16_t e = 1000; e < 1003; e++)
        lose(e, 10, false);
    verdicts_are("...");
}

static void a_slow_path_is_found(void **state)
{
    (void)state;
    open_paths(4, 50);
    for (unsigned i = 0; i < 20; i++)
        ping_paths_answered(&paths, 1002, 300 * US, false);
    verdicts_are("...."); /* ten were fast: a busy host, not a slow path */
    for (unsigned i = 0; i < PING_PATH_TIMES; i++)
        ping_paths_answered(&paths, 1002, 300 * US, false);
    verdicts_are("..s."); /* by now they are forgotten */
    ping_paths_close(&paths);
    open_paths(4, 0);
    for (unsigned i = 0; i < 40; i++) {
        if (i == 36)
            verdicts_are("...."); /* nine answers each: that may be chance */
        ping_paths_answered(&paths, (uint16_t)(1000 + i % 4), (i % 4 == 2 ? 300 : 50) * US, false);
    }
    verdicts_are("..s.");
}

static void a_little_slower_is_good(void **state)
{
    (void)state;
    open_paths(3, 0);
    for (unsigned i = 0; i < 30; i++) /* four times as long, but by 90 us only */
        ping_paths_answered(&paths, (uint16_t)(1000 + i % 3), (i % 3 == 1 ? 120 : 30) * US, false);
    verdicts_are("...");
}

static void one_alone_is_never_bad(void **state)
{
    (void)state;
    open_paths(1, 50);
    lose(1000, 50, false);
    verdicts_are(".");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_of_none),
        cmocka_unit_test(times_of_a_thousand),
        cmocka_unit_test(times_of_any_size),
        cmocka_unit_test(a_list_is_read),
        cmocka_unit_test(all_are_spread),
        cmocka_unit_test(shuffled_it_is_the_same_list),
        cmocka_unit_test(what_is_no_list),
        cmocka_unit_test_teardown(equal_paths_are_good, tear_down),
        cmocka_unit_test_teardown(a_dead_path_is_found, tear_down),
        cmocka_unit_test_teardown(a_path_that_loses_is_found, tear_down),
        cmocka_unit_test_teardown(loss_everywhere_is_of_no_path, tear_down),
        cmocka_unit_test_teardown(nobody_answers, tear_down),
        cmocka_unit_test_teardown(a_slow_path_is_found, tear_down),
        cmocka_unit_test_teardown(a_little_slower_is_good, tear_down),
        cmocka_unit_test_teardown(one_alone_is_never_bad, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
