/* SPDX-License-Identifier: BSD-2-Clause */
/* uetconform explain: what a requirement says, where it stands, and how it is tested. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/cli/args.h"
#include "conformance/cli/commands.h"
#include "conformance/cli/explainable.h"
#include "conformance/cli/list/explain.h"
#include "conformance/cli/list/places.h"
#include "conformance/cli/list/spoken.h"
#include "conformance/harness/run/runner.h"
#include "conformance/report/run.h"
#include "spec-map/spec.h"
#include "ut/nearest.h"

static const char help[] =
    "usage: uetconform explain [--json] ID...\n"
    "Prints what a requirement (PDS-038) says: its text, level, role and profile, its section in\n"
    "each version, the tests that claim it, and how sure the source is. Where public sources\n"
    "disagree it names the reading taken here and the other one. ID may also be a test\n"
    "(pds.3.5.8.2.later-syn-opens): its plan, the places where it runs, and its conversation with "
    "the\n"
    "reference FEP; or a section (3.5.8.2), which lists its requirements.\n\n"
    "  --json   as a JSON list, one object an ID\n"
    "  --help   this text\n\n"
    "Exit status: 0, or 2 when an ID is not known.\n\n"
    "  uetconform explain PDS-038\n"
    "  uetconform explain --json PDS-038 SES-053\n"
    "  uetconform explain 3.5.12.7\n";

#define LABEL 14
#define WIDTH 96

/* Text in lines of WIDTH, behind a label. */
static void labelled(const char *label, const char *text)
{
    size_t column = LABEL;

    printf("  %-*s", LABEL - 2, label); /* no label is as long as that */
    while (*text) {
        size_t n = strcspn(text, " \n");
        if (column > LABEL && column + 1 + n > WIDTH) {
            printf("\n%*s", LABEL, "");
            column = LABEL;
        }
        if (column > LABEL) {
            putchar(' ');
            column++;
        }
        printf("%.*s", (int)n, text);
        column += n;
        text += n + (text[n] != '\0');
    }
    putchar('\n');
}

/* "3.5.8.2" in each version: the numbers of sections are the same in 1.0.x as far as is known. */
static void print_section(const struct uet_requirement *r)
{
    static const char *const versions[] = {"1.0.1", "1.0.2", "1.0.3"};
    char title[128], text[256];
    size_t at = 0;

    uet_section_title(title, sizeof(title), r->section);
    snprintf(text, sizeof(text), "%s %s", r->section, title);
    labelled("section", text);
    for (size_t i = 0; i < 3; i++)
        at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%s: %s", i ? ", " : "in ",
                               versions[i],
                               uet_requirement_in(r, versions[i]) ? r->section : "not required");
    labelled("", text);
}

static const char *known(const char *number)
{
    return *number ? number : "number not known";
}

static void print_tables(const struct uet_requirement *r)
{
    const struct uet_table_number *tables[8];
    size_t n = uet_requirement_tables(r, tables, 8);

    for (size_t i = 0; i < n; i++) {
        const struct uet_table_number *t = tables[i];
        char text[256];
        snprintf(text, sizeof(text), "%s: in 1.0.1: %s, 1.0.2: %s, 1.0.3: %s", t->topic,
                 known(t->v1_0_1), known(t->v1_0_2), known(t->v1_0_3));
        labelled(i ? "" : "table", text);
    }
}

/* The ids, besides its own, under which the requirement stands. */
static void print_aliases(const struct uet_requirement *r)
{
    const struct uet_requirement *canonical = uet_requirement_canonical(r);
    char text[256];
    size_t at = 0;

    for (size_t i = 0; i < uet_n_requirements && at + 16 < sizeof(text); i++) {
        const struct uet_requirement *o = &uet_requirements[i];
        if (o != r && uet_requirement_canonical(o) == canonical)
            at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%s", at ? ", " : "", o->id);
    }
    if (at)
        labelled("same as", text);
}

static void print_tests(const struct uet_requirement *r)
{
    size_t n, found = 0;
    const struct uet_test **tests = uet_tests_sorted(&n);

    for (size_t i = 0; i < n; i++) {
        if (!uet_test_claims(tests[i], r->id))
            continue;
        labelled(found++ ? "" : "tested by", tests[i]->id);
        printf("%*s  %s\n", LABEL, "", tests[i]->purpose);
    }
    if (!found)
        labelled("tested by", strcmp(r->observable, "no") == 0
                                  ? "no test: it cannot be seen on the wire"
                                  : "no test yet");
    free(tests);
    if (*r->elsewhere)
        labelled("covered by", r->elsewhere);
    if (*r->deferred)
        labelled("deferred", r->deferred);
    if (*r->freedom)
        labelled("free", r->freedom);
}

static void print_requirement(const struct uet_requirement *r)
{
    char text[512];

    printf("%s\n", r->id);
    labelled(uet_level_name((enum uet_level)r->level), r->text);
    labelled("role", r->role);
    print_section(r);
    print_tables(r);
    labelled("rests on", *r->spec ? r->spec : "(no section named)");
    labelled("profile", r->profile);
    labelled("on the wire", r->observable);
    if (*r->stimulus && strcmp(r->stimulus, "-") != 0)
        labelled("stimulus", r->stimulus);
    if (*r->expected && strcmp(r->expected, "-") != 0)
        labelled("expected", r->expected);
    print_tests(r);
    print_aliases(r);
    snprintf(text, sizeof(text), "%c: %s", r->confidence, uet_confidence_words(r->confidence));
    labelled("confidence", text);
    labelled("sources", r->sources);
    if (*r->reading) {
        snprintf(text, sizeof(text), "as read here: %s", r->reading);
        labelled(r->confidence == UET_CONFIDENCE_C ? "contested" : "note", text);
        snprintf(text, sizeof(text), "the other reading: %s", r->other_reading);
        labelled("", text);
    }
}

static void print_spoken(const struct uet_test *t)
{
    char spoken[UET_SPOKEN];
    const char *at = uet_spoken(t, spoken);

    if (*at)
        printf("  conversation (with the reference FEP, seed 1)\n");
    while (*at) {
        size_t n = strcspn(at, "\n");
        printf("    %.*s\n", (int)n, at);
        at += n + (at[n] == '\n');
    }
}

/* Where else it runs than as it is written. */
static void print_places(const struct uet_test *t)
{
    static const struct uet_space none;
    struct uet_space space;

    if (!uet_spoken_places(t, &space)) {
        labelled("places", "not known: the test does not run with the reference FEP");
    } else if (memcmp(&space, &none, sizeof(space)) == 0) {
        labelled("places", "only as it is written");
    } else {
        labelled("places", "as it is written, and (run --depth, --test ID@PLACE,PLACE):");
        uet_places_print(&space, 4);
    }
}

static void print_test(const struct uet_test *t)
{
    const char *at = t->requirements, *word;
    size_t n;

    printf("%s\n", t->id);
    labelled("purpose", t->purpose);
    labelled("role", uet_role_name(t->role));
    if (t->preamble)
        labelled("preamble", t->preamble);
    labelled("stimulus", t->stimulus);
    labelled("expected", t->expected);
    if (t->needs)
        labelled("claims", t->needs);
    if (t->params)
        labelled("parameters", t->params);
    if (t->contested)
        labelled("contested", "the verdict rests on a reading; explain its requirement");
    while ((n = uet_next_word(&at, &word)) > 0) {
        char id[16], text[640];
        snprintf(id, sizeof(id), "%.*s", (int)(n < sizeof(id) ? n : sizeof(id) - 1), word);
        const struct uet_requirement *r = uet_requirement_find(id);
        snprintf(text, sizeof(text), "%s %s: %s", id,
                 r ? uet_level_name((enum uet_level)r->level) : "", r ? r->text : "");
        labelled(word == t->requirements ? "tests" : "", text);
    }
    print_places(t);
    print_spoken(t);
}

static void print_section_list(const char *section)
{
    char title[128];

    printf("%s %s\n", section, uet_section_title(title, sizeof(title), section));
    for (size_t i = 0; i < uet_n_requirements; i++) {
        const struct uet_requirement *r = &uet_requirements[i];
        if (uet_section_in(r->section, section))
            labelled(r->id, r->text);
    }
}

static int unknown(const char *word)
{
    char guess[400] = "";
    struct uet_nearest near;
    size_t n;
    const struct uet_test **tests = uet_tests_sorted(&n);

    uet_nearest_begin(&near, word);
    for (size_t i = 0; i < uet_n_requirements; i++)
        uet_nearest_offer(&near, uet_requirements[i].id);
    for (size_t i = 0; i < n; i++)
        uet_nearest_offer(&near, tests[i]->id);
    free(tests);
    uet_nearest_append(&near, guess, sizeof(guess));
    return uet_usage("explain", "nothing is known as '%s'%s", word, guess);
}

int uet_cmd_explain(int argc, char **argv)
{
    static const struct option options[] = {
        {"json", no_argument, NULL, 'j'}, {"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
    struct uet_explainable e;
    bool json = false;
    int c;

    while ((c = uet_args_next("explain", argc, argv, options)) != -1)
        switch (c) {
        case 'j':
            json = true;
            break;
        case 'h':
            fputs(help, stdout);
            return 0;
        default:
            return 2;
        }
    if (optind == argc)
        return uet_usage("explain", "needs the id of a requirement, a test or a section");
    for (int i = optind; i < argc; i++)
        if (!uet_explainable_find(&e, argv[i]))
            return unknown(argv[i]);
    if (json)
        return uet_explain_json(argc - optind, argv + optind);
    for (int i = optind; i < argc; i++) {
        uet_explainable_find(&e, argv[i]);
        if (i > optind)
            putchar('\n');
        if (e.requirement)
            print_requirement(e.requirement);
        else if (e.test)
            print_test(e.test);
        else
            print_section_list(e.section);
    }
    return 0;
}
