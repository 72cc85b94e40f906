/* SPDX-License-Identifier: BSD-2-Clause */
/* uetconform coverage: which requirements have a test, and a test that has caught a violator. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "conformance/cli/args.h"
#include "conformance/cli/choice.h"
#include "conformance/cli/commands.h"
#include "conformance/harness/run/runner.h"
#include "conformance/report/coverage.h"
#include "conformance/report/run.h"
#include "spec-map/spec.h"
#include "tools/idle_option.h"

#define DEFAULT_SELFTEST "out/selftest.json"

static const char help[] =
    "usage: uetconform coverage [--area AREA] [--section S] [--requirement R] [--test GLOB] "
    "[--list] [--selftest FILE] [--json]\n"
    "Counts requirements by area and by section. Those that say the same count once.\n\n"
    "  observable   can be seen on the wire, fully or partly\n"
    "  tested       a test claims it\n"
    "  killed       and that test has caught a FEP that breaks it (`uetconform selftest`)\n"
    "  contested    public sources disagree on it\n"
    "  deferred     observable, without a test so far, and the reason is known\n"
    "  untested     observable, without a test and without a reason\n"
    "  elsewhere    covered by a unit or simulation test, which sees what the wire does not "
    "show\n"
    "  free         a permission that no FEP can break: tests leave room for it\n\n"
    "  --area AREA      PDS, SES, TSS, CMS, NET, LL or ROB\n"
    "  --section S      that section and those inside it\n"
    "  --requirement R  that one\n"
    "  --test GLOB      those that such tests claim; all three may be given several times, as for\n"
    "                   `uetconform run`\n"
    "  --list           each requirement on a line, with what it counts as and why\n"
    "  --selftest FILE  the file of `uetconform selftest --json` (" DEFAULT_SELFTEST ")\n"
    "  --json           as JSON\n"
    "  --help           this text\n\n"
    "Exit status: 0, or 2 for usage and set-up.\n\n"
    "  uetconform coverage --area PDS\n"
    "  uetconform coverage --section 3.5.8 --list\n";

struct request {
    const char *selftest;
    struct uet_selection selection;
    struct uet_choice choice;
    char area[8];
    bool list, json, has_selftest;
    const struct uet_test **tests;
    size_t n_tests;
    struct uet_kills kills;
};

static void row(const char *name, const char *title, const struct uet_cover *c)
{
    printf("%-11s %-40.40s %12u %10u %6u %6u %9u %8u %8u %9u %4u\n", name, title, c->requirements,
           c->observable, c->tested, c->killed, c->contested, c->deferred, c->untested,
           c->elsewhere, c->free);
}

static void header(const char *name, const char *title)
{
    printf("%-11s %-40s %12s %10s %6s %6s %9s %8s %8s %9s %4s\n", name, title, "requirements",
           "observable", "tested", "killed", "contested", "deferred", "untested", "elsewhere",
           "free");
}

static void print_tables(const struct request *q, const struct uet_coverage *c)
{
    header("section", "");
    for (size_t i = 0; i < c->n_sections; i++) {
        char title[128];
        row(c->sections[i].section, uet_section_title(title, sizeof(title), c->sections[i].section),
            &c->sections[i].cover);
    }
    putchar('\n');
    header("area", "");
    for (size_t i = 0; i < c->n_areas; i++)
        row(c->areas[i].area,
            strcmp(c->areas[i].area, "ROB") == 0 ? "not the standard's text: apart from all" : "",
            &c->areas[i].cover);
    row("all", "", &c->all);
    if (!q->has_selftest)
        printf("\nkilled is not known: `uetconform selftest --json " DEFAULT_SELFTEST
               "` finds out\n");
}

static const char *counted_as(const struct uet_requirement_state *s)
{
    return s->killed      ? "killed"
           : s->free      ? "free"
           : s->tested    ? "tested"
           : s->deferred  ? "deferred"
           : s->elsewhere ? "elsewhere"
           : s->untested  ? "untested"
                          : "not observable";
}

/* Why there is no test on the wire, on a line of its own. */
static void print_reason(const struct uet_requirement *r, const struct uet_requirement_state *s)
{
    if (s->deferred || (!s->observable && *r->deferred))
        printf("%37s: %s\n", "deferred", r->deferred);
    if (s->elsewhere)
        printf("%37s: %s\n", "covered by", r->elsewhere);
    if (s->free)
        printf("%37s: %s\n", "free", r->freedom);
    if (s->stale)
        printf("%37s: %s, says covered.csv, although %s\n", *r->freedom ? "free" : "deferred",
               *r->freedom ? r->freedom : r->deferred,
               *r->freedom ? "a violator of it is caught" : "a test claims it");
}

static void print_list(const struct request *q)
{
    for (size_t i = 0; i < uet_n_requirements; i++) {
        const struct uet_requirement *r = &uet_requirements[i];
        if (uet_requirement_canonical(r) != r || (*q->area && strcmp(r->area, q->area) != 0) ||
            !uet_selects_requirement(&q->selection, r))
            continue;
        struct uet_requirement_state s = uet_requirement_state(r, q->tests, q->n_tests, &q->kills);
        printf("%-8s %-10s %-10s %-14s%s  %.90s\n", r->id, uet_level_name((enum uet_level)r->level),
               r->section, counted_as(&s), s.contested ? "  contested" : "", r->text);
        print_reason(r, &s);
    }
}

static json_t *cover_json(const struct uet_cover *c)
{
    return json_pack("{s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i}", "requirements",
                     (int)c->requirements, "observable", (int)c->observable, "tested",
                     (int)c->tested, "killed", (int)c->killed, "contested", (int)c->contested,
                     "deferred", (int)c->deferred, "untested", (int)c->untested, "elsewhere",
                     (int)c->elsewhere, "free", (int)c->free);
}

static void print_json(const struct uet_coverage *c)
{
    json_t *top = json_object(), *areas = json_object(), *sections = json_object();

    for (size_t i = 0; i < c->n_areas; i++)
        json_object_set_new(areas, c->areas[i].area, cover_json(&c->areas[i].cover));
    for (size_t i = 0; i < c->n_sections; i++)
        json_object_set_new(sections, c->sections[i].section, cover_json(&c->sections[i].cover));
    json_object_set_new(top, "areas", areas);
    json_object_set_new(top, "sections", sections);
    json_dumpf(top, stdout, JSON_INDENT(1));
    putchar('\n');
    json_decref(top);
}

/* The self-test file that was named must be readable; the usual one may be missing. */
static int read_selftest(struct request *q)
{
    char error[1024];

    if (uet_kills_init(&q->kills) < 0)
        return uet_setup_error("coverage", "not enough memory");
    if (!q->selftest && access(DEFAULT_SELFTEST, F_OK) != 0)
        return 0;
    if (uet_kills_read(&q->kills, q->selftest ? q->selftest : DEFAULT_SELFTEST, error,
                       sizeof(error)) < 0)
        return uet_setup_error("coverage", "%s", error);
    q->has_selftest = true;
    return 0;
}

static int show(struct request *q)
{
    struct uet_coverage coverage;
    int status = read_selftest(q);

    if (status)
        return status;
    if (uet_coverage_count(&coverage, q->tests, q->n_tests, &q->kills, *q->area ? q->area : NULL,
                           &q->selection) < 0)
        return uet_setup_error("coverage", "not enough memory");
    if (coverage.n_areas == 0)
        status = uet_usage("coverage", "no requirement is all that is chosen");
    else if (q->json)
        print_json(&coverage);
    else if (q->list)
        print_list(q);
    else
        print_tables(q, &coverage);
    uet_coverage_free(&coverage);
    return status;
}

/* "pds" as "PDS", when there are requirements of that area. */
static int set_area(struct request *q, const char *word)
{
    snprintf(q->area, sizeof(q->area), "%s", word);
    for (char *p = q->area; *p; p++)
        *p = (char)toupper((unsigned char)*p);
    for (size_t i = 0; i < uet_n_requirements; i++)
        if (strcmp(uet_requirements[i].area, q->area) == 0)
            return 0;
    return uet_usage("coverage", "unknown area %s: PDS, SES, TSS, CMS, NET, LL or ROB", word);
}

int uet_cmd_coverage(int argc, char **argv)
{
    static const struct option options[] = {{"area", required_argument, NULL, 'a'},
                                            UET_CHOICE_OPTIONS,
                                            {"selftest", required_argument, NULL, 'k'},
                                            {"list", no_argument, NULL, 'l'},
                                            {"json", no_argument, NULL, 'j'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    static const struct uet_idle_option idle[] = {{"list", "json", NULL}, {NULL, NULL, NULL}};
    struct request q = {.choice.command = "coverage"};
    int c;

    if (!uet_args_used("coverage", argc, argv, options, idle))
        return 2;
    while ((c = uet_args_next("coverage", argc, argv, options)) != -1)
        switch (c) {
        case 'a':
            if (set_area(&q, optarg))
                return 2;
            break;
        case 's':
        case 't':
        case 'r':
            if (!uet_choice_take(&q.choice, c, optarg, &q.selection))
                return 2;
            break;
        case 'k':
            if (!uet_args_once("coverage", "selftest", optarg, &q.selftest))
                return 2;
            break;
        case 'l':
            q.list = true;
            break;
        case 'j':
            q.json = true;
            break;
        case 'h':
            fputs(help, stdout);
            return 0;
        default:
            return 2;
        }
    if (!uet_args_no_more("coverage", argc, argv))
        return 2;
    q.tests = uet_tests_sorted(&q.n_tests);
    int status = show(&q);
    free(q.tests);
    uet_kills_free(&q.kills);
    return status;
}
