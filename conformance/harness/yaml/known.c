/* SPDX-License-Identifier: BSD-2-Clause */
/* `known_deviations` of fep.yaml: each names tests or a requirement that exist. */
#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "conformance/harness/test.h"
#include "conformance/harness/yaml/fep.h"
#include "uet_spec.h"
#include "ut/nearest.h"

/* A program without tests (a unit test) cannot know them: then every name will do. */
static void check_test(struct uet_yaml *y, const yaml_node_t *node, const char *pattern)
{
    size_t n, found = 0;
    const struct uet_test **tests = uet_tests_sorted(&n);
    char guess[320];

    if (strncmp(pattern, "rule.", 5) == 0) {
        uet_yaml_bad(y, node, "'%s' is no test but a rule: write requirement: %s", pattern,
                     pattern + 5);
        free(tests);
        return;
    }
    for (size_t i = 0; i < n; i++)
        found += fnmatch(pattern, tests[i]->id, 0) == 0;
    if (n > 0 && found == 0) {
        const char **names = malloc(n * sizeof(*names));

        for (size_t i = 0; names && i < n; i++)
            names[i] = tests[i]->id;
        uet_yaml_bad(y, node, "no test matches '%s'%s (`uetconform list` shows them)", pattern,
                     names ? uet_nearest_in(guess, sizeof(guess), pattern, names, sizeof(*names), n)
                           : "");
        free(names);
    }
    free(tests);
}

/* An id is taken in either case, and written as the standard's tables do. */
static void check_requirement(struct uet_yaml *y, const yaml_node_t *node, char *id)
{
    char guess[320];

    for (char *p = id; *p; p++)
        *p = (char)toupper((unsigned char)*p);
    if (!uet_requirement_find(id))
        uet_yaml_bad(y, node,
                     "unknown requirement '%s'%s (`uetconform coverage --list` shows them)", id,
                     uet_nearest_in(guess, sizeof(guess), id, &uet_requirements->id,
                                    sizeof(*uet_requirements), uet_n_requirements));
}

/* YYYY-MM-DD, and a day that there is: mktime makes another of 30 February. */
static void check_date(struct uet_yaml *y, const yaml_node_t *node, const char *text)
{
    struct tm day = {.tm_hour = 12};
    int end = 0, n = sscanf(text, "%4d-%2d-%2d%n", &day.tm_year, &day.tm_mon, &day.tm_mday, &end);
    int month = day.tm_mon -= 1;

    day.tm_year -= 1900;
    if (n != 3 || end != 10 || text[end] || mktime(&day) == -1 || day.tm_mon != month)
        uet_yaml_bad(y, node, "'date' must be a day such as 2026-05-04, not '%s'", text);
}

/* Whatever the words: two entries for one thing, and only the first would count. */
static void check_twice(struct uet_yaml *y, const yaml_node_t *item,
                        const struct uet_dut_known *known)
{
    char what[160];

    snprintf(what, sizeof(what), "'%s' stands in 'known_deviations'",
             known->test[0] ? known->test : known->requirement);
    for (const struct uet_dut_known *k = y->dut->known; k < known; k++)
        if (strcmp(k->test, known->test) == 0 && strcmp(k->requirement, known->requirement) == 0) {
            uet_yaml_twice(y, item, what, k->line);
            return;
        }
}

static void each_known(struct uet_yaml *y, yaml_node_t *item, size_t i)
{
    static const struct uet_yaml_key keys[] = {
        {"test", UET_YAML_TEXT, UET_YAML_AT(uet_dut_known, test)},
        {"requirement", UET_YAML_TEXT, UET_YAML_AT(uet_dut_known, requirement)},
        {"reason", UET_YAML_TEXT, UET_YAML_AT(uet_dut_known, reason)},
        {"date", UET_YAML_TEXT, UET_YAML_AT(uet_dut_known, date)},
    };
    struct uet_dut_known *known = &y->dut->known[i];
    unsigned before = y->errors;

    y->dut->n_known = i + 1;
    known->line = uet_yaml_line(item);
    uet_yaml_mapping(y, item, "an entry of 'known_deviations'", keys, UET_YAML_COUNT(keys), known);
    if (y->errors > before)
        return;
    if (!known->test[0] == !known->requirement[0])
        uet_yaml_bad(y, item, "a known deviation names a test or a requirement: one of them");
    else if (!known->reason[0] || !known->date[0])
        uet_yaml_bad(y, item, "a known deviation needs a reason and a date");
    else
        check_date(y, uet_yaml_find(y, item, "date"), known->date);
    if (y->errors > before)
        return;
    if (known->test[0])
        check_test(y, uet_yaml_find(y, item, "test"), known->test);
    else
        check_requirement(y, uet_yaml_find(y, item, "requirement"), known->requirement);
    check_twice(y, item, known);
}

void uet_yaml_known(struct uet_yaml *y, yaml_node_t *node)
{
    uet_yaml_list(y, node, "known_deviations", UET_DUT_MAX_KNOWN, each_known);
}
