/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * `uetconform selftest` with violators of its own: a FEP that loops for ever or dies is caught by
 * the test in which it does, and the violators after it are tried all the same.
 */
#include <jansson.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "conformance/cli/commands.h"
#include "conformance/violate/mutate.h"

/* ---- the violators, in the place of violate/ ---- */

static const struct uet_violator violators[] = {
    {.requirement = "PDS-038", .what = "loops for ever"},
    {.requirement = "PDS-038", .what = "dies"},
    {.requirement = "PDS-038", .what = "does no harm"},
};

const struct uet_violator *uet_violator(size_t i)
{
    return i < sizeof(violators) / sizeof(*violators) ? &violators[i] : NULL;
}

int uet_impair(const struct uet_impairment *rule, const struct uet_parse_options *how,
               uint32_t *seen, uint8_t *frame, uint32_t *len, struct uet_fate *fate)
{
    (void)how;
    (void)seen;
    (void)frame;
    (void)len;
    (void)fate;
    for (volatile bool on = rule == &violators[0].impair; on;)
        ;
    if (rule == &violators[1].impair)
        raise(SIGKILL);
    return 1;
}

/* Of the sweep, which is not tried here. */
const char *uet_permitted(const char *header, const char *what)
{
    (void)header;
    (void)what;
    return NULL;
}

/* ---- what is told of them ---- */

/* The value under `key` of the entry of that violator, or NULL. */
static const char *told(json_t *list, const char *what, const char *key)
{
    size_t i;
    json_t *one;

    json_array_foreach(list, i, one)
    {
        if (strcmp(json_string_value(json_object_get(one, "violator")), what) == 0)
            return json_string_value(json_object_get(one, key));
    }
    return NULL;
}

static void a_fep_that_is_lost_is_caught(void **state)
{
    char file[] = "/tmp/uet-selftest-XXXXXX";
    char *argv[] = {(char *)"selftest",
                    (char *)"--requirement",
                    (char *)"PDS-038",
                    (char *)"--ceiling",
                    (char *)"0.5",
                    (char *)"--json",
                    file,
                    NULL};
    int fd = mkstemp(file);

    (void)state;
    assert_true(fd >= 0);
    close(fd);
    assert_int_equal(uet_cmd_selftest(7, argv), 1); /* one survives */
    json_t *doc = json_load_file(file, 0, NULL), *kills = json_object_get(doc, "kills");
    unlink(file);
    assert_non_null(doc);
    assert_string_equal(told(kills, "loops for ever", "test"), "pds.3.5.8.2.unknown-dpdcid");
    assert_string_equal(told(kills, "dies", "test"), "pds.3.5.8.2.unknown-dpdcid");
    assert_string_equal(told(json_object_get(doc, "survivors"), "does no harm", "reason"),
                        "its tests passed");
    json_decref(doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fep_that_is_lost_is_caught),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
