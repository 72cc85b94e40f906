/* SPDX-License-Identifier: BSD-2-Clause */
/* Which tests run, and in what order. */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/harness/run/runner.h"
#include "uet_spec.h"

bool uet_section_in(const char *section, const char *area)
{
    size_t n = strlen(area);

    return strncmp(section, area, n) == 0 && (section[n] == '\0' || section[n] == '.');
}

/* Is `profile` among "AI-Full;HPC"? */
static bool names_profile(const char *list, const char *profile)
{
    size_t n = strlen(profile);

    for (const char *p = list; p && *p; p = strchr(p, ';') ? strchr(p, ';') + 1 : NULL)
        if (strncmp(p, profile, n) == 0 && (p[n] == '\0' || p[n] == ';'))
            return true;
    return false;
}

/* The first requirement decides the profile: the others are by-products. */
static bool in_profile(const struct uet_test *test, const char *profile)
{
    const char *at = test->requirements, *word;
    char id[16];
    size_t n = uet_next_word(&at, &word);

    snprintf(id, sizeof(id), "%.*s", (int)n, word);
    const struct uet_requirement *r = uet_requirement_find(id);
    return !r || strcmp(r->profile, "all") == 0 || strcmp(r->profile, "optional") == 0 ||
           names_profile(r->profile, profile);
}

/* Does one of the words match? No words at all match everything. */
static bool any_word(const char *words, bool (*matches)(const void *what, const char *word),
                     const void *what)
{
    const char *at = words, *word;
    char copy[UET_SELECTION_WORD];
    size_t n;

    while ((n = uet_next_word(&at, &word)) > 0) {
        snprintf(copy, sizeof(copy), "%.*s", (int)n, word);
        if (matches(what, copy))
            return true;
    }
    return !words;
}

static bool stands_in(const void *test, const char *section)
{
    char own[UET_SECTION_MAX];

    return uet_section_in(uet_test_section(test, own), section);
}

/* The point behind a glob does not matter here. */
static bool is_called(const void *id, const char *glob)
{
    char own[UET_SELECTION_WORD];

    snprintf(own, sizeof(own), "%.*s", (int)strcspn(glob, "@"), glob);
    return fnmatch(own, id, 0) == 0;
}

/* The point that a glob names: true when there is one of that name. */
static bool names_point(const char *glob, struct uet_point *point)
{
    const char *at = strchr(glob, '@'), *wrong;
    size_t n;

    return at && uet_point_find(at + 1, point, &wrong, &n);
}

size_t uet_selection_points(const struct uet_selection *selection, const struct uet_test *test,
                            struct uet_point *points, size_t max)
{
    const char *at = selection->glob, *word;
    char glob[UET_SELECTION_WORD];
    struct uet_point point;
    size_t n = 0, len;

    while ((len = uet_next_word(&at, &word)) > 0) {
        snprintf(glob, sizeof(glob), "%.*s", (int)len, word);
        if (!is_called(test->id, glob))
            continue;
        if (!strchr(glob, '@'))
            return 0;
        if (n < max && names_point(glob, &point) && uet_test_goes_to(test, &point))
            points[n++] = point;
    }
    return n;
}

bool uet_selection_calls(const struct uet_selection *selection, const char *id)
{
    return any_word(selection->glob, is_called, id);
}

/* By its id, or by that of an entry (uet_each_entry). */
static bool test_is_called(const void *test, const char *glob)
{
    const struct uet_test *t = test;
    bool called = is_called(t->id, glob);
    char id[UET_TEST_ID];
    struct uet_point point;

    if (strchr(glob, '@'))
        return called && names_point(glob, &point) && uet_test_goes_to(t, &point);

    for (int k = 1; t->by_entry && !called && k <= UET_DUT_MAX_MEMORY; k++) {
        snprintf(id, sizeof(id), "%s.%d", t->id, k);
        called = is_called(id, glob);
    }
    return called;
}

static bool claims(const void *test, const char *requirement)
{
    return uet_test_claims(test, requirement);
}

static bool selected(const struct uet_selection *s, const struct uet_test *test)
{
    return any_word(s->section, stands_in, test) && any_word(s->glob, test_is_called, test) &&
           any_word(s->requirement, claims, test) &&
           (!s->profile || strcmp(s->profile, "all") == 0 || in_profile(test, s->profile));
}

static bool of_section(const void *requirement, const char *section)
{
    return uet_section_in(((const struct uet_requirement *)requirement)->section, section);
}

static bool says(const void *requirement, const char *id)
{
    const struct uet_requirement *other = uet_requirement_find(id);

    return other && uet_requirement_canonical(other) == uet_requirement_canonical(requirement);
}

static bool claimed_by(const void *requirement, const char *glob)
{
    const struct uet_selection s = {
        .requirement = ((const struct uet_requirement *)requirement)->id, .glob = glob};
    size_t n;

    free(uet_select(&s, &n));
    return n > 0;
}

bool uet_selects_requirement(const struct uet_selection *s, const struct uet_requirement *r)
{
    return any_word(s->section, of_section, r) && any_word(s->requirement, says, r) &&
           any_word(s->glob, claimed_by, r);
}

/* Sanity tests run before the others, and behind them those whose doings outlast a reset. */
enum { TURNS = 3 };

static uint8_t turn_of(const struct uet_test *test)
{
    return test->sanity ? 0 : test->last ? 2 : 1;
}

const struct uet_test **uet_select(const struct uet_selection *selection, size_t *n)
{
    size_t all, count = 0;
    const struct uet_test **tests = uet_tests_sorted(&all), **out = NULL;

    if (tests)
        out = malloc(all * sizeof(out[0]));
    for (uint8_t turn = 0; out && turn < TURNS; turn++)
        for (size_t i = 0; i < all; i++)
            if (turn_of(tests[i]) == turn && selected(selection, tests[i]))
                out[count++] = tests[i];
    free(tests);
    if (count == 0) {
        free(out);
        out = NULL;
    }
    *n = count;
    return out;
}

/* ---- a test for each entry of fep.yaml ---- */

static size_t entries_of(const struct uet_test *test, const struct uet_session *session)
{
    if (session->ut)
        return 0; /* they are not used */
    return test->by_entry == UET_ENTRY_MEMORY     ? session->dut->n_memory
           : test->by_entry == UET_ENTRY_RECEIVES ? session->dut->n_receives
                                                  : 0;
}

/* The copies stand behind the pointers, their names behind them: one block, one free. */
const struct uet_test **uet_each_entry(const struct uet_test **tests, size_t *n,
                                       const struct uet_session *session,
                                       const struct uet_selection *selection)
{
    size_t copies = 0, count = 0;
    struct one {
        struct uet_test test;
        char id[UET_TEST_ID];
    } * copy;

    for (size_t i = 0; i < *n; i++)
        copies += entries_of(tests[i], session);
    if (copies == 0)
        return tests;
    const struct uet_test **all = malloc((*n + copies) * sizeof(*all) + copies * sizeof(*copy));
    copy = (struct one *)(void *)(all + (all ? *n + copies : 0));
    for (size_t i = 0; all && i < *n; i++) {
        size_t entries = entries_of(tests[i], session);

        if (entries == 0)
            all[count++] = tests[i];
        for (size_t k = 0; k < entries; k++) {
            snprintf(copy->id, sizeof(copy->id), "%s.%zu", tests[i]->id, k + 1);
            if (!uet_selection_calls(selection, tests[i]->id) &&
                !uet_selection_calls(selection, copy->id))
                continue;
            copy->test = *tests[i];
            copy->test.id = copy->id;
            copy->test.entry = (uint8_t)k;
            all[count++] = &copy++->test;
        }
    }
    free(tests);
    *n = count;
    return all;
}
