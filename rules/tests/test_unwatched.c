/* SPDX-License-Identifier: BSD-2-Clause */
/* Every requirement that shows on the wire has a rule, or stands in unwatched.csv with the reason.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "rules/rules.h"
#include "uet_spec.h"

#define LINE_CAP 512

static bool has_rule(const char *id)
{
    for (size_t i = 0; i < uet_n_rules(); i++)
        if (strcmp(uet_rule(i)->requirement, id) == 0)
            return true;
    return false;
}

/* The `why` of a requirement in the file; false: it has no row. */
static bool row_of(FILE *f, const char *id, char *why)
{
    char line[LINE_CAP];
    size_t n = strlen(id);
    rewind(f);
    while (fgets(line, sizeof line, f))
        if (strncmp(line, id, n) == 0 && line[n] == ',') {
            snprintf(why, 32, "%.*s", (int)strcspn(line + n + 1, ","), line + n + 1);
            return true;
        }
    return false;
}

static bool is_reason(const char *why)
{
    static const char *const reasons[] = {"silence", "ignored", "inside", "setting",  "permission",
                                          "vector",  "other",   "switch", "contested"};
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (strcmp(why, reasons[i]) == 0)
            return true;
    return false;
}

/* Does it show on the wire, in an area that rules watch? */
static bool shows(const struct uet_requirement *r)
{
    bool area = strncmp(r->id, "PDS-", 4) == 0 || strncmp(r->id, "SES-", 4) == 0 ||
                strncmp(r->id, "NET-", 4) == 0 || strncmp(r->id, "TSS-", 4) == 0;
    return area && strcmp(r->observable, "no") != 0 && uet_requirement_canonical(r) == r;
}

static void watched_or_named(void **state)
{
    (void)state;
    FILE *f = fopen(UETKIT_SOURCE_DIR "/rules/unwatched.csv", "r");
    unsigned wrong = 0, watched = 0, named = 0;
    assert_non_null(f);
    for (size_t i = 0; i < uet_n_requirements; i++) {
        const struct uet_requirement *r = &uet_requirements[i];
        char why[32] = "";
        bool row = row_of(f, r->id, why), rule = has_rule(r->id);
        watched += rule;
        named += row;
        if (row && !is_reason(why))
            print_error("%s: '%s' is no reason\n", r->id, why);
        else if (row && (rule || !shows(r)))
            print_error("%s has a row, and a rule or nothing to watch\n", r->id);
        else if (!row && !rule && shows(r))
            print_error("%s has neither a rule nor a row\n", r->id);
        else
            continue;
        wrong++;
    }
    fclose(f);
    assert_int_equal(wrong, 0);
    assert_true(watched && named);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(watched_or_named)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
