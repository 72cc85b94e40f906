/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/harness/run/known.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_pattern(const struct uet_dut_known *k)
{
    return strpbrk(k->test, "*?[") != NULL;
}

static bool same_requirement(const char *a, const char *b)
{
    const struct uet_requirement *ra = uet_requirement_find(a), *rb = uet_requirement_find(b);

    return ra && rb && uet_requirement_canonical(ra) == uet_requirement_canonical(rb);
}

/* The first requirement is what a test is about. */
static bool is_about(const char *requirements, const char *requirement)
{
    const char *at = requirements, *word;
    size_t n = uet_next_word(&at, &word);
    char first[16];

    snprintf(first, sizeof(first), "%.*s", (int)n, n ? word : "");
    return same_requirement(first, requirement);
}

/* Is a test of that id and these requirements one by which the entry may fail? */
static bool concerns(const struct uet_dut_known *k, const char *id, const char *requirements)
{
    return k->test[0] ? fnmatch(k->test, id, 0) == 0 : is_about(requirements, k->requirement);
}

/* ---- one result ---- */

static const struct uet_dut_known *entry_of(const struct uet_dut *dut, const struct uet_result *r)
{
    const struct uet_dut_known *by_test = uet_dut_known(dut, r->id);

    if (by_test)
        return by_test;
    for (size_t i = 0; i < dut->n_known && r->broken[0]; i++)
        if (same_requirement(dut->known[i].requirement, r->broken))
            return &dut->known[i];
    return NULL;
}

void uet_known_compare(const struct uet_dut *dut, struct uet_result *r)
{
    const struct uet_dut_known *k = entry_of(dut, r);

    if (!k)
        return;
    r->known = r->verdict == UET_FAIL;
    r->unexpected_pass = r->verdict == UET_PASS && k->test[0] && !is_pattern(k);
    if (r->known) {
        size_t at = strlen(r->message);
        snprintf(r->message + at, sizeof(r->message) - at, "\nknown:    %s (%s)", k->reason,
                 k->date);
    } else if (r->unexpected_pass) {
        snprintf(r->message, sizeof(r->message),
                 "passes, though fep.yaml lists it as a known deviation (%s)", k->reason);
    }
}

/* ---- entries of several tests ---- */

void uet_known_add(struct uet_known_tally *tally, const struct uet_dut *dut,
                   const struct uet_result *r)
{
    for (size_t i = 0; i < dut->n_known && !r->cut; i++) {
        const struct uet_dut_known *k = &dut->known[i];
        bool about = concerns(k, r->id, r->requirements);
        bool broke =
            r->verdict == UET_FAIL && !k->test[0] && same_requirement(k->requirement, r->broken);

        if (about && !uet_result_is_rule(r))
            tally->of[i].ran++;
        tally->of[i].passed += about && r->verdict == UET_PASS;
        tally->of[i].bad += broke || (about && r->verdict != UET_PASS && r->verdict != UET_SKIP);
    }
}

/* How many tests there are by which the entry may fail; *first is one of them. */
static uint32_t count_tests(const struct uet_dut_known *k, const struct uet_test **first)
{
    size_t n;
    uint32_t found = 0;
    const struct uet_test **tests = uet_tests_sorted(&n);

    *first = NULL;
    for (size_t i = 0; i < n; i++)
        if (concerns(k, tests[i]->id, tests[i]->requirements)) {
            *first = *first ? *first : tests[i];
            found++;
        }
    free(tests);
    return found;
}

static int report_one(const char *id, const struct uet_dut *dut, const struct uet_dut_known *k,
                      const struct uet_test *test, const struct uet_run_events *events,
                      struct uet_summary *summary)
{
    char section[UET_SECTION_MAX];
    struct uet_result r = {.id = id,
                           .requirements = k->test[0] ? test->requirements : k->requirement,
                           .section = uet_test_section(test, section),
                           .role = uet_role_name(UET_ROLE_PASSIVE),
                           .verdict = UET_PASS,
                           .unexpected_pass = true};

    snprintf(r.message, sizeof(r.message),
             "nothing failed by it, though %s:%u lists it as a known deviation (%s)", dut->path,
             k->line, k->reason);
    uet_summary_add(summary, &r);
    return events->done ? events->done(events->ctx, &r) : 0;
}

int uet_known_report(struct uet_known_tally *tally, const struct uet_dut *dut,
                     const struct uet_run_events *events, struct uet_summary *summary)
{
    const struct uet_test *first;
    int rc = 0;

    for (size_t i = 0; i < dut->n_known && !rc; i++) {
        const struct uet_dut_known *k = &dut->known[i];

        if ((k->test[0] && !is_pattern(k)) || tally->of[i].bad || !tally->of[i].passed)
            continue;
        if (count_tests(k, &first) != tally->of[i].ran || !first)
            continue;
        snprintf(tally->of[i].id, sizeof(tally->of[i].id), "rule.%s",
                 k->test[0] ? k->test : k->requirement);
        rc = report_one(tally->of[i].id, dut, k, first, events, summary);
    }
    return rc;
}
