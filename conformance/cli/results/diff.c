/* SPDX-License-Identifier: BSD-2-Clause */
/* uetconform diff: what changed since an earlier run. */
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "conformance/cli/args.h"
#include "conformance/cli/commands.h"
#include "conformance/report/compare.h"
#include "conformance/report/summary.h"
#include "conformance/report/text.h"

static const char help[] =
    "usage: uetconform diff [--json] OLD.json NEW.json\n"
    "Compares two runs of `uetconform run --json`.\n\n"
    "  --json   the lists as JSON\n"
    "  --help   this text\n\n"
    "A regression is a test that does not pass now, and did pass or was skipped before. A test\n"
    "that is new counts as added, whatever its verdict. Instead of a report you may give the\n"
    "journal (.jsonl) of a run that was cut short. Its missing tests are listed as not run; they\n"
    "are neither regressions nor fixed.\n\n"
    "Exit status: 0 no regression, 1 a regression, 2 usage or set-up.\n\n"
    "  uetconform diff last-week/report.json out/report.json\n";

/* In the order in which they are told. */
static const struct {
    enum uet_change change;
    const char *key, *title;
} groups[] = {
    {UET_REGRESSION, "regressions", "regressions"},
    {UET_FIXED, "fixed", "fixed"},
    {UET_OTHER, "changed", "changed otherwise"},
    {UET_STILL_BAD, "still_bad", "still not passing"},
    {UET_ADDED, "added", "added"},
    {UET_REMOVED, "removed", "removed"},
    {UET_NOT_RUN, "not_run", "not run in the new run"},
    {UET_NOT_RUN_BEFORE, "not_run_before", "not run in the old run"},
};
#define N_GROUPS (sizeof(groups) / sizeof(*groups))

typedef void (*visit)(void *ctx, const struct uet_result *old, const struct uet_result *now);

/* Every test of one kind of change, in the order of the new run; those it lacks in the old. */
static size_t each(const struct uet_run *old, const struct uet_run *now, enum uet_change change,
                   visit f, void *ctx)
{
    bool lost = change == UET_REMOVED || change == UET_NOT_RUN || change == UET_FIXED;
    const struct uet_run *run = lost ? old : now;
    size_t n = 0;

    for (size_t i = 0; i < run->n; i++) {
        const struct uet_result *a = uet_run_find(old, run->results[i].id);
        const struct uet_result *b = uet_run_find(now, run->results[i].id);
        if (uet_compare_in(old, now, run->results[i].id) != change)
            continue;
        n++;
        if (f)
            f(ctx, a, b);
    }
    return n;
}

static void print_test(void *ctx, const struct uet_result *old, const struct uet_result *now)
{
    (void)ctx;
    if (old && now)
        printf("  %s: %s, was %s\n", now->id, uet_result_label(now), uet_result_label(old));
    else if (now)
        printf("  %s: %s\n", now->id, uet_result_label(now));
    else if (old)
        printf("  %s: %s\n", old->id, uet_result_label(old));
    if (now && uet_result_is_bad(now) && now->message[0])
        printf("      %.*s\n", (int)strcspn(now->message, "\n"), now->message);
}

static void head_line(const char *which, const struct uet_run *run)
{
    char cut[256];

    printf("%s  FEP %s%s%s, UE %s, profile %s, seed %llu, %zu tests%s%s\n", which, run->info.fep,
           *run->info.fep_name ? " " : "", run->info.fep_name, run->info.spec, run->info.profile,
           (unsigned long long)run->info.seed, uet_run_verdicts(run),
           *run->info.started ? ", " : "", run->info.started);
    if (*uet_run_cut_words(cut, sizeof(cut), run))
        printf("     %s\n", cut);
}

static const char *condition(const struct uet_run *run, const struct uet_condition *like)
{
    for (size_t i = 0; i < run->info.n_conditions; i++) {
        const struct uet_condition *c = &run->info.conditions[i];
        if (strcmp(c->group, like->group) == 0 && strcmp(c->name, like->name) == 0)
            return c->value;
    }
    return "untold";
}

/* What both runs rest on and is not the same; the tester's own lines differ with each run. */
static void conditions(const struct uet_run *old, const struct uet_run *now)
{
    for (size_t i = 0; i < now->info.n_conditions && old->info.n_conditions; i++) {
        const struct uet_condition *c = &now->info.conditions[i];
        const char *before = condition(old, c);
        bool uetkit = strcmp(c->name, "uetkit") == 0 || strcmp(c->name, "commit") == 0;

        if ((uetkit || strcmp(c->group, "tester") != 0) && !uet_condition_is_file(c) &&
            strcmp(before, c->value) != 0)
            printf("note: %s, %s: %s, was %s\n", c->group, c->name, c->value, before);
    }
}

static void print_all(const struct uet_run *old, const struct uet_run *now)
{
    size_t same = each(old, now, UET_SAME, NULL, NULL);

    head_line("old", old);
    head_line("new", now);
    if (strcmp(old->info.spec, now->info.spec) != 0 ||
        strcmp(old->info.profile, now->info.profile) != 0)
        printf("note: the runs differ in specification or profile\n");
    conditions(old, now);
    for (size_t i = 0; i < N_GROUPS; i++) {
        size_t n = each(old, now, groups[i].change, NULL, NULL);
        if (!n)
            continue;
        printf("\n%s: %zu\n", groups[i].title, n);
        each(old, now, groups[i].change, print_test, NULL);
    }
    printf("\n%zu unchanged, %zu regressions", same, each(old, now, UET_REGRESSION, NULL, NULL));
    size_t not_run = each(old, now, UET_NOT_RUN, NULL, NULL);
    if (not_run)
        printf(", %zu not run in the new run", not_run);
    putchar('\n');
}

static void append_test(void *ctx, const struct uet_result *old, const struct uet_result *now)
{
    json_t *list = ctx, *o = json_object();

    if (old) {
        json_object_set_new(o, "id", json_string(old->id));
        json_object_set_new(o, "old", json_string(uet_result_label(old)));
    }
    if (now) {
        json_object_set_new(o, "id", json_string(now->id));
        json_object_set_new(o, "new", json_string(uet_result_label(now)));
    }
    if (now && uet_result_is_bad(now))
        json_object_set_new(o, "message", json_string(now->message));
    json_array_append_new(list, o);
}

static void print_json(const struct uet_run *old, const struct uet_run *now)
{
    json_t *top = json_object();

    for (size_t i = 0; i < N_GROUPS; i++) {
        json_t *list = json_array();
        each(old, now, groups[i].change, append_test, list);
        json_object_set_new(top, groups[i].key, list);
    }
    json_object_set_new(top, "unchanged",
                        json_integer((json_int_t)each(old, now, UET_SAME, NULL, NULL)));
    json_dumpf(top, stdout, JSON_INDENT(1));
    putchar('\n');
    json_decref(top);
}

int uet_cmd_diff(int argc, char **argv)
{
    static const struct option options[] = {
        {"json", no_argument, NULL, 'j'}, {"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
    struct uet_run old, now;
    char error[1024];
    bool json = false;
    int c;

    while ((c = uet_args_next("diff", argc, argv, options)) != -1)
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
    if (argc - optind != 2)
        return uet_usage("diff", "needs two files, the old run and the new one");
    if (uet_run_read(&old, argv[optind], error, sizeof(error)) < 0)
        return uet_setup_error("diff", "%s", error);
    if (uet_run_read(&now, argv[optind + 1], error, sizeof(error)) < 0) {
        uet_run_free(&old);
        return uet_setup_error("diff", "%s", error);
    }
    for (int i = optind; i < argc; i++)
        if (uet_run_has_journal(argv[i], error, sizeof(error)))
            fprintf(stderr,
                    "uetconform diff: %s is of a later run that was cut short or is under way; "
                    "compared is %s\n",
                    error, argv[i]);
    (json ? print_json : print_all)(&old, &now);
    size_t regressions = each(&old, &now, UET_REGRESSION, NULL, NULL);
    uet_run_free(&old);
    uet_run_free(&now);
    return regressions ? 1 : 0;
}
