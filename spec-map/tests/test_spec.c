/* SPDX-License-Identifier: BSD-2-Clause */
/* The compiled specification: that it is whole, and that looking things up finds the right row. */
#include "spec-map/spec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Rows of each area as the published facts have them: ids are stable and never dropped. */
static const struct {
    const char *area;
    size_t n;
} areas[] = {{"PDS", 235}, {"SES", 164}, {"TSS", 77}, {"CMS", 110}, {"NET", 35}, {"LL", 51}};

static void every_requirement_is_there(void **state)
{
    (void)state;
    assert_int_equal(uet_n_requirements, 672);
    for (size_t i = 0; i < sizeof areas / sizeof *areas; i++)
        for (unsigned n = 1; n <= areas[i].n + 1; n++) {
            char id[16];
            snprintf(id, sizeof id, "%s-%03u", areas[i].area, n);
            const struct uet_requirement *r = uet_requirement_find(id);
            if (n > areas[i].n) {
                assert_null(r);
                continue;
            }
            assert_non_null(r);
            assert_string_equal(r->area, areas[i].area);
        }
}

static void every_requirement_is_complete(void **state)
{
    (void)state;
    for (size_t i = 0; i < uet_n_requirements; i++) {
        const struct uet_requirement *r = &uet_requirements[i];
        assert_non_null(uet_section_find(r->section));
        assert_true(*r->text && *r->role && *r->profile && *r->sources);
        assert_true(strcmp(r->observable, "yes") == 0 || strcmp(r->observable, "partly") == 0 ||
                    strcmp(r->observable, "no") == 0);
        assert_true(!*r->reading == !*r->other_reading);
        if (r->confidence == UET_CONFIDENCE_C)
            assert_true(*r->reading);
    }
}

static void a_contested_one_names_both_readings(void **state)
{
    (void)state;
    const struct uet_requirement *r = uet_requirement_find("PDS-064");
    assert_int_equal(r->confidence, 'C');
    assert_string_equal(r->reading, "up to 1.0.2 pds.mpr = 0 lifts the MP_Range limit");
    assert_string_equal(r->other_reading,
                        "pds.mpr = 0 is not valid and is treated as 1, that is 128 PSNs");
    assert_string_equal(r->until, "1.0.2");
    assert_string_equal(uet_requirement_find("PDS-001")->reading, "");
}

static void versions_bound_what_changed_in_1_0_3(void **state)
{
    (void)state;
    static const char *const since[] = {"PDS-054", "PDS-055", "PDS-065", "PDS-146", "PDS-183",
                                        "PDS-222", "SES-035", "SES-036", "SES-037", "CMS-015",
                                        "NET-004", "NET-005", "LL-030"};
    for (size_t i = 0; i < sizeof since / sizeof *since; i++)
        assert_string_equal(uet_requirement_find(since[i])->since, "1.0.3");
    assert_string_equal(uet_requirement_find("PDS-223")->until, "1.0.2");
}

static const char *canonical(const char *id)
{
    return uet_requirement_canonical(uet_requirement_find(id))->id;
}

static void aliases_end_at_one_row(void **state)
{
    (void)state;
    assert_string_equal(canonical("PDS-038"), "PDS-038");
    assert_string_equal(canonical("NET-006"), "PDS-044");
    /* Two steps: TSS-046 is the same as TSS-045; PDS-012 as well. */
    assert_string_equal(canonical("TSS-046"), "TSS-045");
    assert_string_equal(canonical("PDS-012"), "TSS-045");
    assert_string_equal(canonical("CMS-002"), "PDS-104"); /* the first of two */
    for (size_t i = 0; i < uet_n_requirements; i++)
        assert_string_equal(uet_requirement_canonical(&uet_requirements[i])->same_as, "");
}

static void sections_belong_to_what_they_say(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"PDS-038", "3.5.8.2"},  {"PDS-041", "3.5.12.7"}, {"PDS-216", "3.5.15"},
        {"SES-064", "3.4.6.3"},  {"SES-077", "3.4.2.5"},  {"TSS-006", "3.7"},
        {"TSS-046", "3.5.4"},    {"CMS-044", "3.6.13.5"}, {"NET-006", "4.1"},
        {"LL-010", "5.1.3.1.1"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(uet_requirement_find(rows[i][0])->section, rows[i][1]);
}

static void a_table_has_a_number_in_each_version(void **state)
{
    (void)state;
    const struct uet_table_number *t = uet_table_number_find("3-58");
    assert_string_equal(t->section, "3.5.12.7");
    assert_string_equal(t->v1_0_1, "3-59");
    assert_string_equal(t->v1_0_2, "3-58");
    assert_string_equal(t->v1_0_3, "3-58");
    /* 3-69 is the Negotiation payload in 1.0.3, the DSCP table before: the newer one is meant. */
    assert_string_equal(uet_table_number_find("3-69")->section, "3.5.16.7.1");
    assert_string_equal(uet_table_number_find("3-90")->section, "3.7.11");
    assert_null(uet_table_number_find("9-99"));
    assert_null(uet_table_number_find(""));
}

static void levels_have_their_words(void **state)
{
    (void)state;
    assert_string_equal(uet_level_name(UET_MUST_NOT), "MUST NOT");
    assert_string_equal(uet_level_name(UET_MAY), "MAY");
    assert_string_equal(uet_level_name((enum uet_level)99), "?");
    assert_int_equal(uet_requirement_find("PDS-017")->level, UET_MUST_NOT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_requirement_is_there),
        cmocka_unit_test(every_requirement_is_complete),
        cmocka_unit_test(a_contested_one_names_both_readings),
        cmocka_unit_test(versions_bound_what_changed_in_1_0_3),
        cmocka_unit_test(aliases_end_at_one_row),
        cmocka_unit_test(sections_belong_to_what_they_say),
        cmocka_unit_test(a_table_has_a_number_in_each_version),
        cmocka_unit_test(levels_have_their_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
