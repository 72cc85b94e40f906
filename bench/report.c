/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"

/* ---- figures that other programs measured ---- */

size_t bench_figures_read(const char *path, struct figure **figures)
{
    FILE *f = fopen(path, "r");
    char line[160], rest[2];
    size_t n = 0;
    *figures = NULL;
    if (!f) {
        fprintf(stderr, "uet-bench: %s: %s\n", path, strerror(errno));
        exit(2);
    }
    while (fgets(line, sizeof line, f)) {
        struct figure one, *more = realloc(*figures, (n + 1) * sizeof *more);
        if (!more)
            bench_die("out of memory");
        *figures = more;
        if (sscanf(line, "%31s %31s %lf %1s", one.name, one.field, &one.value, rest) != 3) {
            fprintf(stderr, "uet-bench: %s:%zu: not NAME FIELD NUMBER\n", path, n + 1);
            exit(2);
        }
        (*figures)[n++] = one;
    }
    fclose(f);
    return n;
}

/* ---- the baseline: instructions that a bench took when somebody last looked ---- */

struct json_t *bench_baseline_read(const char *path)
{
    json_error_t e;
    json_t *all = json_load_file(path, 0, &e);
    if (!json_is_object(json_object_get(all, "instructions"))) {
        fprintf(stderr, "uet-bench: %s:%d: %s\n", path, e.line,
                all ? "no object \"instructions\"" : e.text);
        exit(2);
    }
    return all;
}

/* 0 when there is none. */
static double number_of(const json_t *all, const char *table, const char *name)
{
    return json_number_value(json_object_get(json_object_get(all, table), name));
}

static bool is_more(double instructions, double baseline)
{
    return baseline > 0 && instructions > baseline * 1.1;
}

/* ---- goals ---- */

static const char *goal_verdict(const struct bench *b, const struct result *r)
{
    double v = b->goal.value;
    bool met = false;
    if (b->goal.applies && !b->goal.applies())
        return "not on this CPU";
    switch (b->goal.of) {
    case GOAL_NS_MAX:
        met = r->ns <= v;
        break;
    case GOAL_RATIO_MAX:
        met = r->ratio <= v;
        break;
    case GOAL_PER_SECOND_MIN:
        met = 1e9 / r->ns >= v;
        break;
    case GOAL_GB_MIN:
        met = b->bytes / r->ns >= v;
        break;
    case GOAL_NONE:
        return NULL;
    }
    return met ? "met" : "MISSED";
}

static void goal_text(const struct bench *b, char *out, size_t n)
{
    static const char *const form[] = {[GOAL_NS_MAX] = "<= %g ns",
                                       [GOAL_RATIO_MAX] = "<= %g x",
                                       [GOAL_PER_SECOND_MIN] = ">= %.0f/s",
                                       [GOAL_GB_MIN] = ">= %g GB/s"};
    *out = '\0';
    if (b->goal.of != GOAL_NONE)
        snprintf(out, n, form[b->goal.of], b->goal.value);
}

/* Messages, when they are what is counted. */
static double rounds_a_second(const struct bench *b, const struct result *r)
{
    return 1e9 / r->ns / (b->a_message ? b->a_message : 1);
}

/* ---- text ---- */

static void text_row(const struct bench *b, const struct result *r)
{
    char goal[40], against[40] = "", rate[40] = "";
    if (b->baseline)
        snprintf(against, sizeof against, "%.2f x %s%s%s", r->ratio, b->baseline,
                 b->less ? ", less " : "", b->less ? b->less : "");
    if (b->a_message)
        snprintf(rate, sizeof rate, "%.0f messages/s %6.3f GB/s", rounds_a_second(b, r),
                 b->bytes / r->ns);
    else if (b->bytes)
        snprintf(rate, sizeof rate, "%.2f M/s %6.2f GB/s", 1e3 / r->ns, b->bytes / r->ns);
    printf("%-13s %8.1f ns  %-21s %30s  %s", b->name, r->ns, against, rate, b->what);
    goal_text(b, goal, sizeof goal);
    if (*goal)
        printf("  [goal %s: %s]", goal, goal_verdict(b, r));
    putchar('\n');
}

/* The goals of figures that others measured stand beside the baseline. */
static const char *figure_verdict(const struct figure *f, double goal)
{
    bool bound = strcmp(f->field, "instructions") == 0 || strcmp(f->field, "ratio") == 0;
    return !bound || goal <= 0 ? NULL : f->value <= goal ? "met" : "MISSED";
}

static void text_verdict(const struct figure *f, const json_t *baseline)
{
    double goal = number_of(baseline, "goals", f->name);
    const char *verdict = figure_verdict(f, goal);
    if (verdict)
        printf("  [goal <= %g: %s]", goal, verdict);
}

static bool text_counts(const struct report *r, const json_t *baseline)
{
    bool good = true, title = false;
    for (size_t i = 0; i < r->n_figures; i++) {
        const struct figure *f = &r->figures[i];
        double base = number_of(baseline, "instructions", f->name);
        if (strcmp(f->field, "instructions") != 0)
            continue;
        if (!title)
            puts("instructions a round (callgrind)");
        title = true;
        printf("%-13s %8.0f  baseline %8.0f", f->name, f->value, base);
        text_verdict(f, baseline);
        if (is_more(f->value, base)) {
            printf("  MORE than a tenth above the baseline");
            good = false;
        }
        putchar('\n');
    }
    return good;
}

bool bench_report_text(const struct report *r)
{
    printf("median of %d interleaved runs, CPU time\n", BENCH_RUNS);
    for (size_t i = 0; i < n_benches; i++)
        text_row(&benches[i], &r->results[i]);
    bool good = text_counts(r, r->baseline);
    for (size_t i = 0; i < r->n_figures; i++) {
        const struct figure *f = &r->figures[i];
        if (strcmp(f->field, "instructions") == 0)
            continue;
        printf("%-13s %-18s %g", f->name, f->field, f->value);
        text_verdict(f, r->baseline);
        putchar('\n');
    }
    return good;
}

/* ---- JSON ---- */

static void put(json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value) != 0)
        bench_die("out of memory");
}

static json_t *json_row(const struct bench *b, const struct result *r)
{
    json_t *j = json_object();
    char goal[40];
    put(j, "ns", json_real(r->ns));
    if (b->baseline) {
        put(j, "ratio", json_real(r->ratio));
        put(j, "to", json_string(b->baseline));
        if (b->less)
            put(j, "less", json_string(b->less));
    }
    if (b->bytes) {
        put(j, "per_second", json_real(rounds_a_second(b, r)));
        put(j, "gb_per_second", json_real(b->bytes / r->ns));
    }
    goal_text(b, goal, sizeof goal);
    if (*goal) {
        put(j, "goal", json_string(goal));
        put(j, "goal_is", json_string(goal_verdict(b, r)));
    }
    return j;
}

bool bench_report_json(const struct report *r)
{
    json_t *all = json_object();
    bool good = true;
    for (size_t i = 0; i < n_benches; i++)
        put(all, benches[i].name, json_row(&benches[i], &r->results[i]));
    for (size_t i = 0; i < r->n_figures; i++) {
        const struct figure *f = &r->figures[i];
        double base = number_of(r->baseline, "instructions", f->name);
        if (!json_object_get(all, f->name))
            put(all, f->name, json_object());
        json_t *row = json_object_get(all, f->name);
        bool counts = strcmp(f->field, "instructions") == 0;
        put(row, f->field, counts ? json_integer((json_int_t)f->value) : json_real(f->value));
        double goal = number_of(r->baseline, "goals", f->name);
        const char *verdict = figure_verdict(f, goal);
        char key[48];
        if (verdict) {
            snprintf(key, sizeof key, "%s_goal", f->field);
            put(row, key, json_real(goal));
            snprintf(key, sizeof key, "%s_goal_is", f->field);
            put(row, key, json_string(verdict));
        }
        if (counts && base > 0)
            put(row, "instructions_baseline", json_integer((json_int_t)base));
        good = good && !(counts && is_more(f->value, base));
    }
    if (json_dumpf(all, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(6)) != 0)
        bench_die("standard output cannot be written");
    putchar('\n');
    json_decref(all);
    return good;
}
