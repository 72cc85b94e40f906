/* SPDX-License-Identifier: BSD-2-Clause */
/* What a mistyped name was probably meant to be. */
#include <getopt.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "ut/nearest.h"

static void test_edit_distance(void **state)
{
    (void)state;
    assert_int_equal(uet_edit_distance("", ""), 0);
    assert_int_equal(uet_edit_distance("", "abc"), 3);
    assert_int_equal(uet_edit_distance("psn", "PSN"), 0);
    assert_int_equal(uet_edit_distance("pns", "psn"), 1);
    assert_int_equal(uet_edit_distance("kitten", "sitting"), 3);
    assert_int_equal(uet_edit_distance("flaw", "lawn"), 2);
}

static const struct entry {
    int other;
    const char *name;
} fruit[] = {{1, "apple"}, {2, "apples"}, {3, "banana"}, {4, "a pineapple far away"}, {5, "grape"}};
enum { N = sizeof fruit / sizeof *fruit };

static void test_in_a_table(void **state)
{
    static const struct {
        const char *wrong, *said;
    } cases[] = {
        {"banna", " (did you mean banana?)"},
        {"BANANA", " (did you mean banana?)"},
        {"aple", " (did you mean apple or apples?)"}, /* one letter further is told, too */
        {"xylophone", ""},
        {"neapple fa", ""}, /* in the middle of a name that is much longer */
        {"far away", " (did you mean a pineapple far away?)"}, /* at its end */
        {"a pin", " (did you mean a pineapple far away?)"},    /* at its beginning */
        {"gra", " (did you mean grape?)"},
        {"", ""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[100] = "old";
        assert_ptr_equal(
            uet_nearest_in(text, sizeof text, cases[i].wrong, &fruit[0].name, sizeof *fruit, N),
            text);
        assert_string_equal(text, cases[i].said);
    }
}

/* The best three, the best first, each once; a text that is full is cut. */
static void test_best_three(void **state)
{
    struct uet_nearest near;
    char text[100] = "no", small[12] = "no";
    (void)state;
    uet_nearest_begin(&near, "abcdef");
    uet_nearest_offer(&near, "abcdxy");
    uet_nearest_offer(&near, "abcdex");
    uet_nearest_offer(&near, "abcdex");
    uet_nearest_offer(&near, "xabcdef");
    uet_nearest_offer(&near, "abcde");
    uet_nearest_append(&near, text, sizeof text);
    assert_string_equal(text, "no (did you mean abcdex, xabcdef or abcde?)");
    uet_nearest_append(&near, small, sizeof small);
    assert_string_equal(small, "no (did you");
}

static void test_options(void **state)
{
    static const struct option options[] = {
        {"test", required_argument, NULL, 't'}, {"json", no_argument, NULL, 'j'}, {0}};
    struct uet_nearest near;
    char text[100] = "--tets", none[100] = "";
    (void)state;
    uet_nearest_begin(&near, "--tets");
    uet_nearest_offer_options(&near, options);
    uet_nearest_append(&near, text, sizeof text);
    assert_string_equal(text, "--tets (did you mean --test?)");
    uet_nearest_begin(&near, "--seed"); /* dashes do not make words alike */
    uet_nearest_offer_options(&near, options);
    uet_nearest_append(&near, none, sizeof none);
    assert_string_equal(none, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_edit_distance),
        cmocka_unit_test(test_in_a_table),
        cmocka_unit_test(test_best_three),
        cmocka_unit_test(test_options),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
