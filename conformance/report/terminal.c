/* SPDX-License-Identifier: BSD-2-Clause */
/* The summary for a person at a terminal: sums by section, then what did not pass and why. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conformance/harness/test.h"
#include "conformance/report/reporter.h"
#include "spec-map/spec.h"

struct terminal {
    struct uet_reporter base;
    FILE *out;
    bool colour, progress, brief;
    size_t n_tests, bad;
};

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
    if (r->known || r->verdict == UET_SKIP)
        return DIM;
    if (r->unexpected_pass || r->verdict == UET_INCONC)
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
    {"known-fail", offsetof(struct uet_summary, known_fail), DIM, false},
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
    fprintf(t->out, "%-12s %-44.44s", section, title);
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
    fprintf(t->out, "%-12s %-44s", "section", "title");
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

static void requirement_line(const struct terminal *t, const struct uet_result *r)
{
    const char *at = r->requirements, *word;
    size_t n = uet_next_word(&at, &word);
    char id[16];

    snprintf(id, sizeof(id), "%.*s", (int)(n < sizeof(id) ? n : sizeof(id) - 1), n ? word : "");
    const struct uet_requirement *q = uet_requirement_find(id);
    if (q && !strstr(r->message, "\nrequired:"))
        fprintf(t->out, "      %s %s (%s): %s\n", q->id, uet_level_name((enum uet_level)q->level),
                q->section, q->text);
    if (q && r->contested && *q->reading)
        fprintf(t->out, "      contested, as read here: %s\n      the other reading: %s\n",
                q->reading, q->other_reading);
}

static void finding_lines(const struct terminal *t, const struct uet_result *r)
{
    for (size_t i = 0; i < r->n_findings; i++) {
        const struct uet_finding *f = &r->findings[i];

        fprintf(t->out, "      %s%s", f->outside ? "see rule." : "finding, ", f->requirement);
        if (f->frame)
            fprintf(t->out, ", packet %u", f->frame);
        fprintf(t->out, ": %s\n", f->text);
    }
}

static void headline(const struct terminal *t, const struct uet_result *r)
{
    paint(t, verdict_paint(r));
    fprintf(t->out, "%s", uet_result_label(r));
    paint(t, PLAIN);
    fprintf(t->out, "  %s%s\n", r->id, r->contested ? "  (contested)" : "");
}

static void explain_result(const struct terminal *t, const struct uet_run *run,
                           const struct uet_result *r)
{
    char command[1024];

    fputc('\n', t->out);
    headline(t, r);
    requirement_line(t, r);
    indented(t, r->message);
    finding_lines(t, r);
    if (r->pcap[0] && r->frame)
        fprintf(t->out, "      capture: %s, packet %u\n", r->pcap, r->frame);
    else if (r->pcap[0])
        fprintf(t->out, "      capture: %s\n", r->pcap);
    fprintf(t->out, "      repeat:  %s\n",
            uet_repeat_command(command, sizeof(command), &run->info, r));
}

/* What did not pass at length; findings of what did, and why tests were skipped, in short. */
static void details(const struct terminal *t, const struct uet_run *run)
{
    for (size_t i = 0; i < run->n; i++)
        if (run->results[i].verdict != UET_SKIP &&
            (run->results[i].verdict != UET_PASS || run->results[i].unexpected_pass))
            explain_result(t, run, &run->results[i]);
    for (size_t i = 0; i < run->n; i++) {
        const struct uet_result *r = &run->results[i];
        if (r->verdict == UET_PASS && !r->unexpected_pass && r->n_findings) {
            fputc('\n', t->out);
            headline(t, r);
            finding_lines(t, r);
        }
    }
    for (size_t i = 0; i < run->n; i++) {
        const struct uet_result *r = &run->results[i];
        if (r->verdict != UET_SKIP)
            continue;
        fprintf(t->out, "%sskip  %s: %.*s\n",
                i == 0 || run->results[i - 1].verdict != UET_SKIP ? "\n" : "", r->id,
                (int)strcspn(r->message, "\n"), r->message);
    }
}

static void totals(const struct terminal *t, const struct uet_run *run)
{
    double wall = 0;
    bool bad = uet_summary_exit_status(&run->summary) != 0;

    for (size_t i = 0; i < run->n; i++)
        wall += run->results[i].wall_seconds;
    fputc('\n', t->out);
    paint(t, bad ? RED : GREEN);
    fprintf(t->out, "%zu test%s:", run->n, run->n == 1 ? "" : "s");
    for (size_t i = 0; i < N_COLUMNS; i++)
        if (i == 0 || count_of(&run->summary, &columns[i]) > 0)
            fprintf(t->out, "%s %u %s", i ? "," : "", count_of(&run->summary, &columns[i]),
                    columns[i].title);
    paint(t, PLAIN);
    fprintf(t->out, "  (%.2f s; FEP %s, UE %s, profile %s%s, seed %llu)\n", wall, run->info.fep,
            run->info.spec, run->info.profile, run->info.strict ? ", strict" : "",
            (unsigned long long)run->info.seed);
}

static int terminal_end(struct uet_reporter *self, const struct uet_run *run)
{
    struct terminal *t = (struct terminal *)self;

    clear_line(t);
    if (!t->brief)
        table(t, run);
    details(t, run);
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
    return &t->base;
}
