/* SPDX-License-Identifier: BSD-2-Clause */
/* Counting what the tests reach, and what changed between runs. Expected values by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "conformance/report/compare.h"
#include "conformance/report/coverage.h"
#include "spec-map/spec.h"

static struct uet_test a_test(const char *id, const char *requirements)
{
    return (struct uet_test){.id = id, .requirements = requirements};
}

static struct uet_cover count(const struct uet_test *const *tests, size_t n,
                              const struct uet_kills *kills, const char *area, const char *section)
{
    struct uet_coverage c;

    assert_int_equal(
        uet_coverage_count(&c, tests, n, kills, area, &(struct uet_selection){.section = section}),
        0);
    struct uet_cover all = c.all;
    uet_coverage_free(&c);
    return all;
}

/* 3.5.16.7 has one row, PDS-055 (B, observable); 3.5.11 has PDS-063, PDS-064 (C), PDS-066, all
 * observable or partly. */
static void a_section_is_counted(void **state)
{
    const struct uet_test t = a_test("pds.3.5.11.mpr", "PDS-063 PDS-064");
    const struct uet_test *const tests[] = {&t};
    struct uet_kills kills;

    (void)state;
    assert_int_equal(uet_kills_init(&kills), 0);
    struct uet_cover c = count(tests, 1, &kills, NULL, "3.5.16.7");
    assert_int_equal(c.requirements, 1);
    assert_int_equal(c.tested, 0);
    assert_int_equal(c.deferred, 0);
    assert_int_equal(c.untested, 1); /* nothing says why: covered.csv has no row of it */
    assert_int_equal(c.contested, 0);
    c = count(tests, 1, &kills, "PDS", "3.5.11");
    unsigned all = c.requirements;
    assert_true(all >= 3); /* the sections inside 3.5.11 count too */
    assert_int_equal(c.tested, 2);
    assert_int_equal(c.killed, 0);
    uet_kills_free(&kills);
}

/* PDS-012, TSS-045 and TSS-046 say the same: one requirement, counted with TSS-045 in 3.7. */
static void aliases_count_once(void **state)
{
    const struct uet_test t = a_test("pds.3.5.4.one-sdi", "PDS-012");
    const struct uet_test *const tests[] = {&t};
    struct uet_kills kills;

    (void)state;
    assert_int_equal(uet_kills_init(&kills), 0);
    struct uet_requirement_state s =
        uet_requirement_state(uet_requirement_find("TSS-045"), tests, 1, &kills);
    assert_true(s.tested);
    assert_false(s.deferred);
    struct uet_cover pds = count(tests, 1, &kills, "PDS", NULL);
    struct uet_cover tss = count(tests, 1, &kills, "TSS", NULL);
    assert_int_equal(pds.tested, 0);
    assert_int_equal(tss.tested, 1);
    /* Of 239 PDS rows ten are the same as another row: 012, 049, 050, 051, 052, 053, 069, 163,
     * 183, 235. */
    assert_int_equal(pds.requirements, 229);
    /* Of 77 TSS rows two: 046, 070. */
    assert_int_equal(tss.requirements, 75);
    uet_kills_free(&kills);
}

static void sections_come_in_order_and_add_up(void **state)
{
    struct uet_coverage c;
    struct uet_kills kills;
    unsigned sum = 0;

    (void)state;
    assert_int_equal(uet_kills_init(&kills), 0);
    assert_int_equal(uet_coverage_count(&c, NULL, 0, &kills, NULL, &(struct uet_selection){0}), 0);
    for (size_t i = 0; i < c.n_sections; i++)
        sum += c.sections[i].cover.requirements;
    assert_int_equal(sum, c.all.requirements);
    assert_int_equal(c.n_areas, 7); /* ROB is one, and stands in no section and no sum */
    sum = 0;
    for (size_t i = 0; i < c.n_areas; i++)
        sum += strcmp(c.areas[i].area, "ROB") == 0 ? 0 : c.areas[i].cover.requirements;
    assert_int_equal(sum, c.all.requirements);
    assert_int_equal(c.all.contested, 52); /* none of the 52 C rows is an alias */
    assert_int_equal(c.all.tested, 0);
    assert_true(c.all.deferred > 0);
    /* Without tests, each that can be seen is exactly one of four. */
    for (size_t i = 0; i < uet_n_requirements; i++) {
        struct uet_requirement_state s =
            uet_requirement_state(&uet_requirements[i], NULL, 0, &kills);
        if (s.observable)
            assert_int_equal(s.deferred + s.untested + s.elsewhere + s.free, 1);
    }
    uet_coverage_free(&c);
    uet_kills_free(&kills);
}

static void read_text(struct uet_kills *kills, const char *text, int want, const char *told)
{
    char path[] = "/tmp/uet-selftest-XXXXXX", error[512] = "";
    int fd = mkstemp(path);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
    int status = uet_kills_read(kills, path, error, sizeof(error));
    unlink(path);
    assert_int_equal(status < 0, want < 0);
    if (told && !strstr(error, told))
        fail_msg("wanted \"%s\", got \"%s\"", told, error);
    assert_null(strchr(error, '\n'));
}

static void kills_come_from_the_selftest(void **state)
{
    struct uet_kills kills;

    (void)state;
    assert_int_equal(uet_kills_init(&kills), 0);
    read_text(&kills,
              "{\"violators\":3,\"killed\":2,\"survivors\":[],\"kills\":["
              "{\"requirement\":\"PDS-063\",\"violator\":\"x\",\"test\":\"y\"},"
              "{\"requirement\":\"PDS-063\",\"violator\":\"z\",\"test\":\"y\"},"
              "{\"requirement\":\"PDS-012\",\"violator\":\"x\",\"test\":\"y\"}]}",
              0, NULL);
    assert_int_equal(count(NULL, 0, &kills, "PDS", NULL).killed, 1);
    assert_int_equal(count(NULL, 0, &kills, "TSS", NULL).killed, 1); /* PDS-012 is TSS-045 */
    read_text(&kills, "{\"kills\":3}", -1, ": kills: must be a list");
    read_text(&kills, "{\"kills\":[{\"requirement\":\"PDS-999\"}]}", -1,
              ": kills[0].requirement: must be the id of a requirement");
    read_text(&kills, "{\"kills\":[7]}", -1, ": kills[0].requirement: must be the id");
    read_text(&kills, "[1", -1, ":1: no JSON");
    uet_kills_free(&kills);
}

/* What fep.yaml says of a test, beside its verdict. */
enum listed { NOT_LISTED, KNOWN, UNEXPECTED };

static struct uet_result result(enum uet_verdict verdict, enum listed listed)
{
    return (struct uet_result){.verdict = (uint8_t)verdict,
                               .known = listed == KNOWN,
                               .unexpected_pass = listed == UNEXPECTED};
}

static void changes_are_named(void **state)
{
    const struct uet_result pass = result(UET_PASS, NOT_LISTED),
                            fail = result(UET_FAIL, NOT_LISTED),
                            inconc = result(UET_INCONC, NOT_LISTED),
                            error = result(UET_ERROR, NOT_LISTED),
                            skip = result(UET_SKIP, NOT_LISTED), known = result(UET_FAIL, KNOWN),
                            unexpected = result(UET_PASS, UNEXPECTED);
    const struct {
        const struct uet_result *old, *now;
        enum uet_change change;
    } rows[] = {
        {&pass, &pass, UET_SAME},         {&pass, &fail, UET_REGRESSION},
        {&pass, &inconc, UET_REGRESSION}, {&pass, &error, UET_REGRESSION},
        {&skip, &fail, UET_REGRESSION},   {&known, &inconc, UET_REGRESSION},
        {&fail, &pass, UET_FIXED},        {&inconc, &pass, UET_FIXED},
        {&known, &unexpected, UET_FIXED}, {&known, &pass, UET_FIXED},
        {&fail, &fail, UET_STILL_BAD},    {&fail, &inconc, UET_STILL_BAD},
        {&pass, &skip, UET_OTHER},        {&fail, &known, UET_OTHER},
        {&skip, &pass, UET_OTHER},        {&known, &known, UET_SAME},
        {&skip, &skip, UET_SAME},         {NULL, &fail, UET_ADDED},
        {&pass, NULL, UET_REMOVED},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        if (uet_compare(rows[i].old, rows[i].now) != rows[i].change)
            fail_msg("row %zu: got %d", i, uet_compare(rows[i].old, rows[i].now));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_section_is_counted),
        cmocka_unit_test(aliases_count_once),
        cmocka_unit_test(sections_come_in_order_and_add_up),
        cmocka_unit_test(kills_come_from_the_selftest),
        cmocka_unit_test(changes_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
