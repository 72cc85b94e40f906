/* SPDX-License-Identifier: BSD-2-Clause */
/* uetconform list: the tests as a plan for review, and as JSON. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "conformance/cli/list/list_plan.h"
#include "conformance/cli/list/spoken.h"
#include "conformance/harness/session.h"
#include "conformance/report/run_json.h"
#include "spec-map/spec.h"

/* Text in a cell of a Markdown table: one line, nothing that ends the cell or opens a tag. */
static void cell(const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '|':
            fputs("\\|", stdout);
            break;
        case '<':
            fputs("&lt;", stdout);
            break;
        case '\n':
            putchar(' ');
            break;
        default:
            putchar(*text);
        }
}

static void plan_row(const char *name, const char *text)
{
    if (!text || !*text)
        return;
    printf("| %s | ", name);
    cell(text);
    fputs(" |\n", stdout);
}

static const struct uet_requirement *requirement_of(const char *word, size_t n)
{
    char id[16];

    snprintf(id, sizeof(id), "%.*s", (int)(n < sizeof(id) ? n : sizeof(id) - 1), word);
    return uet_requirement_find(id);
}

static void plan_requirements(const struct uet_test *t)
{
    const char *at = t->requirements, *word;
    size_t n;

    while ((n = uet_next_word(&at, &word)) > 0) {
        const struct uet_requirement *r = requirement_of(word, n);
        if (!r)
            continue;
        printf("| %s | %s (%s): ", r->id, uet_level_name((enum uet_level)r->level), r->section);
        cell(r->text);
        if (r->confidence == UET_CONFIDENCE_C) {
            fputs("<br>Contested. As read here: ", stdout);
            cell(r->reading);
            fputs(". The other reading: ", stdout);
            cell(r->other_reading);
            putchar('.');
        }
        fputs(" |\n", stdout);
    }
}

static void plan_port(const struct uet_test *t)
{
    bool first = true;

    if (!t->port_caps)
        return;
    fputs("| Port | ", stdout);
    for (size_t i = 0; i < UET_N_PORT_CAPS; i++)
        if (t->port_caps & uet_port_cap_names[i].cap) {
            printf("%s%s", first ? "" : ", ", uet_port_cap_names[i].name);
            first = false;
        }
    fputs(" |\n", stdout);
}

static void plan_test(const struct uet_test *t)
{
    char spoken[UET_SPOKEN];

    printf("\n### `%s`\n\n", t->id);
    cell(t->purpose);
    fputs("\n\n| | |\n|---|---|\n", stdout);
    plan_row("Role of the FEP", uet_role_name(t->role));
    plan_row("Preamble", t->preamble ? t->preamble : "none: the stimulus opens a fresh PDC");
    plan_row("Stimulus", t->stimulus);
    plan_row("Expected", t->expected);
    plan_requirements(t);
    plan_row("Must be claimed (PICS)", t->needs);
    plan_row("Must be known (PIXIT, timers)", t->params);
    plan_port(t);
    plan_row("Builds on", t->builds_on);
    if (*uet_spoken(t, spoken))
        printf("\nConversation (with the reference FEP, seed 1):\n\n```text\n%s```\n", spoken);
}

void uet_plan_markdown(const struct uet_test *const *tests, size_t n)
{
    char last[UET_SECTION_MAX] = "", section[UET_SECTION_MAX], title[128];

    printf("# Test plan\n\n%zu tests. The specification is UE 1.0.3; each requirement is in our "
           "own words, with the section that owns it. Every test begins with a reset of the FEP "
           "where it has an upper tester, and with PDCs that no other test used; it ends by "
           "closing them. What a FEP may do meanwhile (other ACKs, legal retransmissions, Probe, "
           "Clear, Close Request) is tolerated and judged by the rules. Where a test needs "
           "any-request, its NO_OPs stand for the least request that the FEP claims: a NO_OP, "
           "else a WRITE or a SEND of no bytes.\n",
           n);
    for (size_t i = 0; i < n; i++) {
        uet_test_section(tests[i], section);
        if (strcmp(section, last) != 0)
            printf("\n## %s %s\n", section, uet_section_title(title, sizeof(title), section));
        memcpy(last, section, sizeof(last));
        plan_test(tests[i]);
    }
}

void uet_plan_json(const struct uet_test *const *tests, size_t n)
{
    json_t *list = json_array();

    for (size_t i = 0; i < n; i++) {
        const struct uet_test *t = tests[i];
        char section[UET_SECTION_MAX];
        json_array_append_new(
            list,
            json_pack("{s:s, s:o, s:s, s:s, s:s, s:s, s:s, s:s, s:o, s:o, s:b, s:b}", "id", t->id,
                      "requirements", uet_json_words(t->requirements), "section",
                      uet_test_section(t, section), "role", uet_role_name(t->role), "purpose",
                      t->purpose, "preamble", t->preamble ? t->preamble : "", "stimulus",
                      t->stimulus ? t->stimulus : "", "expected", t->expected ? t->expected : "",
                      "needs", uet_json_words(t->needs), "parameters", uet_json_words(t->params),
                      "sanity", (int)t->sanity, "contested", (int)t->contested));
    }
    json_dumpf(list, stdout, JSON_INDENT(1));
    putchar('\n');
    json_decref(list);
}
