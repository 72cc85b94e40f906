/* SPDX-License-Identifier: BSD-2-Clause */
/* The summary for a person at a terminal: sums by section, then what did not pass and why. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conformance/harness/test.h"
#include "conformance/report/reporter.h"
#include "conformance/report/summary.h"
#include "spec-map/spec.h"

struct terminal {
    struct uet_reporter base;
    FILE *out;
    bool colour, progress, brief, verbose;
    size_t n_tests, bad;
};

/* So many tests of one reason are named unasked. */
enum { FEW = 3 };

enum paint { PLAIN, BOLD, DIM, GREEN, RED, YELLOW, MAGENTA };

static const char *const paints[] = {"",         "\033[1m",  "\033[2m", "\033[32m",
                                     "\033[31m", "\033[33m", "\033[35m"};

static void paint(const struct terminal *t, enum paint p)
{
    if (t->colour)
        fputs(p == PLAIN ? "\033[0m" : paints[p], t->out);
}

static enum paint verdict_paint(const struct uet_result *r)
{
    if (r->verdict == UET_SKIP)
        return DIM;
    if (r->known || r->unexpected_pass || r->verdict == UET_INCONC)
        return YELLOW;
    return r->verdict == UET_PASS ? GREEN : r->verdict == UET_FAIL ? RED : MAGENTA;
}

static void clear_line(const struct terminal *t)
{
    if (t->progress)
        fputs("\r\033[K", t->out);
}

static int terminal_begin(struct uet_reporter *self, const struct uet_run *run, size_t n_tests)
{
    struct terminal *t = (struct terminal *)self;

    (void)run;
    t->n_tests = n_tests;
    return 0;
}

static int terminal_test_begin(struct uet_reporter *self, const struct uet_run *run, const char *id)
{
    struct terminal *t = (struct terminal *)self;

    if (!t->progress)
        return 0;
    clear_line(t);
    if (t->n_tests)
        fprintf(t->out, "[%zu/%zu] ", run->n + 1, t->n_tests);
    if (t->bad)
        fprintf(t->out, "%zu not passed  ", t->bad);
    fprintf(t->out, "%.50s", id);
    fflush(t->out);
    return 0;
}

static int terminal_test_done(struct uet_reporter *self, const struct uet_run *run,
                              const struct uet_result *result)
{
    struct terminal *t = (struct terminal *)self;

    (void)run;
    t->bad += uet_result_is_bad(result);
    return 0;
}

/* The columns of the table; the last two only when they hold something. */
static const struct column {
    const char *title;
    size_t offset;
    enum paint paint;
    bool always;
} columns[] = {
    {"pass", offsetof(struct uet_summary, pass), PLAIN, true},
    {"fail", offsetof(struct uet_summary, fail), RED, true},
    {"inconc", offsetof(struct uet_summary, inconc), YELLOW, true},
    {"error", offsetof(struct uet_summary, error), MAGENTA, true},
    {"skip", offsetof(struct uet_summary, skip), DIM, true},
    {"known-fail", offsetof(struct uet_summary, known_fail), YELLOW, false},
    {"unexpected-pass", offsetof(struct uet_summary, unexpected_pass), YELLOW, false},
};
#define N_COLUMNS (sizeof(columns) / sizeof(*columns))

static unsigned count_of(const struct uet_summary *s, const struct column *c)
{
    unsigned n;

    memcpy(&n, (const char *)s + c->offset, sizeof(n));
    return n;
}

static bool shown(const struct uet_summary *total, const struct column *c)
{
    return c->always || count_of(total, c) > 0;
}

static void table_row(const struct terminal *t, const struct uet_summary *total,
                      const char *section, const char *title, const struct uet_summary *s)
{
    fprintf(t->out, "%-12s %-34.34s", section, title);
    for (size_t i = 0; i < N_COLUMNS; i++) {
        unsigned n = count_of(s, &columns[i]);
        int width = (int)strlen(columns[i].title) + 2;

        if (!shown(total, &columns[i]))
            continue;
        if (n && columns[i].paint != PLAIN)
            paint(t, columns[i].paint);
        if (n)
            fprintf(t->out, "%*u", width, n);
        else
            fprintf(t->out, "%*s", width, "."); /* zeros would hide what matters */
        if (n && columns[i].paint != PLAIN)
            paint(t, PLAIN);
    }
    fputc('\n', t->out);
}

static void table(const struct terminal *t, const struct uet_run *run)
{
    size_t n;
    struct uet_tally *tallies = uet_run_tally(run, &n);

    paint(t, BOLD);
    fprintf(t->out, "%-12s %-34s", "section", "title");
    for (size_t i = 0; i < N_COLUMNS; i++)
        if (shown(&run->summary, &columns[i]))
            fprintf(t->out, "  %s", columns[i].title);
    paint(t, PLAIN);
    fputc('\n', t->out);
    for (size_t i = 0; i < n; i++) {
        char title[128];
        table_row(t, &run->summary, tallies[i].section,
                  uet_section_title(title, sizeof(title), tallies[i].section), &tallies[i].summary);
    }
    table_row(t, &run->summary, "all", "", &run->summary);
    free(tallies);
}

/* A message of several lines, each one set in. */
static void indented(const struct terminal *t, const char *text)
{
    while (*text) {
        size_t n = strcspn(text, "\n");
        fprintf(t->out, "      %.*s\n", (int)n, text);
        text += n + (text[n] == '\n');
    }
}

#define LAST_STEPS 8

/* The end of the conversation: where it went wrong. */
static void last_steps(const struct terminal *t, const struct uet_result *r)
{
    const char *at = r->conversation + strlen(r->conversation);

    for (int n = 0; at > r->conversation && n <= LAST_STEPS; n += *at == '\n')
        at--;
    at += at > r->conversation; /* behind the end of the line before */
    if (*at)
        fprintf(t->out, "      conversation%s:\n", at > r->conversation ? ", its end" : "");
    indented(t, at);
}

/* The requirement that was broken, else the one that the test is about. */
static const struct uet_requirement *requirement_of(const struct uet_result *r)
{
    const char *at = r->requirements, *word;
    size_t n = uet_next_word(&at, &word);
    char id[16];

    snprintf(id, sizeof(id), "%.*s", (int)(n < sizeof(id) ? n : sizeof(id) - 1), n ? word : "");
    return uet_requirement_find(r->broken[0] ? r->broken : id);
}

static void requirement_line(const struct terminal *t, const struct uet_result *r)
{
    const struct uet_requirement *q = requirement_of(r);

    if (q && !strstr(r->message, "\nrequired:"))
        fprintf(t->out, "      %s %s (%s%s): %s\n", q->id, uet_level_name((enum uet_level)q->level),
                uet_requirement_is_own(q) ? uet_requirement_standing(q) : "", q->section, q->text);
    if (q && r->contested && *q->reading)
        fprintf(t->out, "      contested, as read here: %s\n      the other reading: %s\n",
                q->reading, q->other_reading);
}

static void finding_lines(const struct terminal *t, const struct uet_result *r)
{
    for (size_t i = 0; i < r->n_findings; i++) {
        const struct uet_finding *f = &r->findings[i];

        fprintf(t->out, "      %s%s", uet_finding_words(f), f->requirement);
        if (f->frame)
            fprintf(t->out, ", packet %u", f->frame);
        if (f->point[0])
            fprintf(t->out, " at %s", f->point);
        fprintf(t->out, ": %s\n", f->text);
    }
}

/* The entry of a rule has its point in `as_in`'s place. */
static const char *point_of(const struct uet_result *r)
{
    return r->failed_point[0] && !uet_result_is_rule(r) ? r->failed_point : NULL;
}

/* first: the failure that tells the cause of this one, which may be of another requirement. */
static void headline(const struct terminal *t, const struct uet_result *r,
                     const struct uet_result *first)
{
    paint(t, verdict_paint(r));
    fprintf(t->out, "%s", uet_result_label(r));
    paint(t, PLAIN);
    fprintf(t->out, "  %s%s%s%s", r->id, point_of(r) ? "@" : "", point_of(r) ? point_of(r) : "",
            r->contested ? "  (contested)" : "");
    if (r->set_up[0])
        fprintf(t->out, "  at set-up %s", r->set_up);
    if (uet_result_repeats(r))
        fprintf(t->out, "  as in %s", r->as_in);
    if (first && strcmp(r->broken, first->broken) != 0)
        fprintf(t->out, ", for %s", r->broken);
    fputc('\n', t->out);
}

/* Failures of the same cause follow the first one, a line each. */
static void others_of_this_cause(const struct terminal *t, const struct uet_run *run,
                                 const struct uet_result *first)
{
    for (size_t i = 0; i < run->n; i++)
        if (uet_result_is_as_in(&run->results[i], first))
            headline(t, &run->results[i], first);
}

static void explain_result(const struct terminal *t, const struct uet_run *run,
                           const struct uet_result *r)
{
    char command[1024];

    fputc('\n', t->out);
    headline(t, r, NULL);
    requirement_line(t, r);
    indented(t, r->message);
    last_steps(t, r);
    finding_lines(t, r);
    if (r->pcap[0] && r->frame)
        fprintf(t->out, "      capture: %s, packet %u\n", r->pcap, r->frame);
    else if (r->pcap[0])
        fprintf(t->out, "      capture: %s\n", r->pcap);
    if (*uet_repeat_command(command, sizeof(command), &run->info, r))
        fprintf(t->out, "      repeat:  %s\n", command);
    others_of_this_cause(t, run, r);
}

/* What did not pass, at length: rules that were broken outside a test's subject come last. */
static void not_passed(const struct terminal *t, const struct uet_run *run, bool rules)
{
    for (size_t i = 0; i < run->n; i++) {
        const struct uet_result *r = &run->results[i];

        if (uet_result_is_rule(r) == rules && !uet_result_repeats(r) && r->verdict != UET_SKIP &&
            (r->verdict != UET_PASS || r->unexpected_pass))
            explain_result(t, run, r);
    }
}

/* Has it a finding of its own? Of a rule that was broken beside its subject, the entry tells. */
static bool has_own_finding(const struct uet_result *r)
{
    size_t i = 0;

    while (i < r->n_findings && r->findings[i].outside)
        i++;
    return i < r->n_findings;
}

/* Findings of what passed, in short. */
static void findings(const struct terminal *t, const struct uet_run *run)
{
    for (size_t i = 0; i < run->n; i++) {
        const struct uet_result *r = &run->results[i];
        if (r->verdict != UET_PASS || r->unexpected_pass || !r->n_findings ||
            !(t->verbose || has_own_finding(r)))
            continue;
        fputc('\n', t->out);
        headline(t, r, NULL);
        finding_lines(t, r);
    }
}

static void first_line(const struct terminal *t, const char *id, const char *message)
{
    fprintf(t->out, "      %s: %.*s\n", id, (int)strcspn(message, "\n"), message);
}

/* A line for each reason; the tests below it when they are few, or wanted. */
static void skips(const struct terminal *t, const struct uet_run *run)
{
    struct uet_group groups[UET_N_SKIP_REASONS];
    size_t n = uet_run_skips(run, groups);

    for (size_t g = 0; g < n; g++) {
        bool all = t->verbose || groups[g].n <= FEW;

        fprintf(t->out, "%s", g == 0 ? "\n" : "");
        paint(t, DIM);
        fprintf(t->out, "skip");
        paint(t, PLAIN);
        fprintf(t->out, "  %zu: %s%s\n", groups[g].n, groups[g].words,
                all ? "" : " (--verbose names them)");
        for (size_t i = 0; all && i < run->n; i++)
            if (uet_result_skips_for(&run->results[i], groups[g].words))
                first_line(t, run->results[i].id, run->results[i].message);
    }
}

/* Tests without a verdict: neighbours with one reason are told together. */
static void not_run(const struct terminal *t, const struct uet_run *run)
{
    for (size_t i = 0, n; i < run->n_not_run; i += n) {
        const char *reason = run->not_run[i].reason;

        for (n = 1; i + n < run->n_not_run && strcmp(run->not_run[i + n].reason, reason) == 0;)
            n++;
        fprintf(t->out, "%s", i == 0 ? "\n" : "");
        paint(t, YELLOW);
        fprintf(t->out, "not run");
        paint(t, PLAIN);
        bool all = t->verbose || n <= FEW;
        fprintf(t->out, "  %zu: %s%s\n", n, reason, all ? "" : " (--verbose names them)");
        for (size_t k = i; all && k < i + n; k++)
            fprintf(t->out, "      %s\n", run->not_run[k].id);
    }
}

static void details(const struct terminal *t, const struct uet_run *run)
{
    not_passed(t, run, false);
    not_passed(t, run, true);
    findings(t, run);
    skips(t, run);
    not_run(t, run);
}

/* The points to which no test went. */
static void left_out(const struct terminal *t, const struct uet_run_info *info)
{
    for (size_t i = 0; i < info->n_conditions; i++)
        if (strcmp(info->conditions[i].group, "points left out") == 0)
            fprintf(t->out, "\n%-9s points with %s: %s", "left out", info->conditions[i].name,
                    info->conditions[i].value);
}

/* What the run rests on, in short: the reports have all of it. */
static void conditions(const struct terminal *t, const struct uet_run_info *info)
{
    static const char *const groups[] = {"FEP", "profile", "set-ups", "fep.yaml", "tester"};

    for (size_t g = 0; g < sizeof(groups) / sizeof(*groups) && info->n_conditions; g++) {
        bool any = false;

        for (size_t i = 0; i < info->n_conditions; i++) {
            const struct uet_condition *c = &info->conditions[i];
            if (strcmp(c->group, groups[g]) != 0 || !uet_condition_is_short(c) ||
                strcmp(c->name, "kernel") == 0)
                continue;
            if (any)
                fprintf(t->out, ", %s %s", c->name, c->value);
            else
                fprintf(t->out, "\n%-9s %s %s", groups[g], c->name, c->value);
            any = true;
        }
    }
    left_out(t, info);
    if (info->n_conditions)
        fputc('\n', t->out);
}

/* Its parts each on a line: one line would not fit. */
static void put_headline(const struct terminal *t, const struct uet_run *run)
{
    char line[1024];

    for (const char *at = uet_run_headline(line, sizeof(line), run); *at;) {
        const char *end = strstr(at, "; ");

        fprintf(t->out, "%.*s", end ? (int)(end - at) : (int)strlen(at), at);
        if (end)
            fputc('\n', t->out);
        at = end ? end + 2 : at + strlen(at);
    }
}

/*
 * How long it took. When its tests took longer, they, too: several ran at a time, or some are of
 * the run that this one resumes. The clock of whole seconds may be one behind.
 */
static void put_seconds(const struct terminal *t, const struct uet_run *run)
{
    const double wall = run->wall_seconds;
    const bool whole = wall == floor(wall);
    double tests = 0;

    for (size_t i = 0; i < run->n; i++)
        tests += run->results[i].wall_seconds;
    if (wall >= 0)
        fprintf(t->out, "%.*f s", whole ? 0 : 2, wall);
    if (wall < 0 || tests > wall + (whole ? 1 : 0))
        fprintf(t->out, "%stests %.2f s", wall >= 0 ? ", " : "", tests);
}

static void totals(const struct terminal *t, const struct uet_run *run)
{
    static const enum paint tones[] = {
        [UET_TONE_GOOD] = GREEN, [UET_TONE_SO] = YELLOW, [UET_TONE_BAD] = RED};
    char extent[96];

    fputc('\n', t->out);
    paint(t, tones[uet_run_tone(run)]);
    put_headline(t, run);
    paint(t, PLAIN);
    fprintf(t->out, "\n%s:", uet_run_extent(extent, sizeof(extent), run));
    for (size_t i = 0; i < N_COLUMNS; i++)
        if (i == 0 || count_of(&run->summary, &columns[i]) > 0)
            fprintf(t->out, "%s %u %s", i ? "," : "", count_of(&run->summary, &columns[i]),
                    columns[i].title);
    fputs("  (", t->out);
    put_seconds(t, run);
    fprintf(t->out, "; FEP %s%s%s, UE %s, profile %s%s, seed %llu)\n", run->info.fep,
            *run->info.secure ? " sealed: " : "", run->info.secure, run->info.spec,
            run->info.profile, run->info.strict ? ", strict" : "",
            (unsigned long long)run->info.seed);
}

static int terminal_end(struct uet_reporter *self, const struct uet_run *run)
{
    struct terminal *t = (struct terminal *)self;

    clear_line(t);
    if (!t->brief)
        table(t, run);
    details(t, run);
    if (!t->brief)
        conditions(t, &run->info);
    totals(t, run);
    fflush(t->out);
    return 0;
}

static void terminal_free(struct uet_reporter *self)
{
    free(self);
}

struct uet_reporter *uet_terminal_reporter(FILE *out, unsigned flags)
{
    struct terminal *t = calloc(1, sizeof(*t));
    const char *no_colour = getenv("NO_COLOR"), *term = getenv("TERM");

    if (!t)
        return NULL;
    bool tty = isatty(fileno(out)) && term && strcmp(term, "dumb") != 0;
    t->base = (struct uet_reporter){.begin = terminal_begin,
                                    .test_begin = terminal_test_begin,
                                    .test_done = terminal_test_done,
                                    .end = terminal_end,
                                    .free = terminal_free};
    t->out = out;
    t->progress = tty && !(flags & UET_TERMINAL_QUIET);
    t->colour = (flags & UET_TERMINAL_COLOUR) ||
                (tty && !(flags & UET_TERMINAL_PLAIN) && !(no_colour && *no_colour));
    t->brief = flags & UET_TERMINAL_SHORT;
    t->verbose = flags & UET_TERMINAL_VERBOSE;
    return &t->base;
}
