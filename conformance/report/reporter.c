/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/report/reporter.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "conformance/report/outfile.h"
#include "conformance/report/summary.h"

#define MAX_REPORTERS 8

struct uet_reports {
    struct uet_reporter *list[MAX_REPORTERS];
    size_t n;
    bool incomplete; /* a reporter that could not be made, or one too many */
    bool live;       /* the run ends when its reports do */
    struct timespec begun;
    struct uet_run run;
    char error[UET_REPORT_ERROR_MAX];
};

struct uet_reports *uet_reports_new(void)
{
    return calloc(1, sizeof(struct uet_reports));
}

void uet_reports_add(struct uet_reports *reports, struct uet_reporter *reporter)
{
    if (reporter && reports->n < MAX_REPORTERS) {
        reports->list[reports->n++] = reporter;
        return;
    }
    reports->incomplete = true;
    if (reporter && reporter->free)
        reporter->free(reporter);
}

/* Keeps the first error of all. */
static int note(struct uet_reports *reports, int status, const char *error)
{
    if (status < 0 && !reports->error[0])
        snprintf(reports->error, sizeof(reports->error), "%s",
                 *error ? error : "not enough memory for the reports");
    return status;
}

static int first(int status, int next)
{
    return status < 0 ? status : next;
}

/* Neither may a report take the place of the journal that another keeps. */
static int refuse_journal(struct uet_reports *reports)
{
    for (size_t i = 0; i < reports->n; i++)
        for (size_t k = 0; k < reports->n; k++) {
            const struct uet_reporter *json = reports->list[i], *other = reports->list[k];
            if (k == i || !json->beside || !other->path ||
                !uet_outfile_same(json->beside, other->path))
                continue;
            snprintf(reports->error, sizeof(reports->error),
                     "%s keeps its journal in %s: give the other report another name", json->path,
                     json->beside);
            return -EINVAL;
        }
    return 0;
}

/* Two reports in one file would be none. */
static int refuse_one_file_twice(struct uet_reports *reports)
{
    for (size_t i = 0; i < reports->n; i++)
        for (size_t k = 0; k < i; k++) {
            const char *a = reports->list[k]->path, *b = reports->list[i]->path;
            if (!a || !b || !uet_outfile_same(a, b))
                continue;
            snprintf(reports->error, sizeof(reports->error),
                     "%s and %s are one file: give each report its own",
                     strcmp(a, "-") == 0 ? "standard output (-)" : a,
                     strcmp(b, "-") == 0 ? "standard output (-)" : b);
            return -EINVAL;
        }
    return 0;
}

int uet_reports_begin(struct uet_reports *reports, const struct uet_run_info *info, size_t n_tests)
{
    int status = reports->incomplete ? -ENOMEM : refuse_one_file_twice(reports);

    if (status == 0)
        status = refuse_journal(reports);
    if (status == 0)
        status = uet_run_init(&reports->run, info);
    if (status < 0)
        return note(reports, status, "");
    reports->run.planned = n_tests;
    reports->live = !info->ended;
    clock_gettime(CLOCK_MONOTONIC, &reports->begun);
    for (size_t i = 0; i < reports->n; i++) {
        struct uet_reporter *r = reports->list[i];
        if (r->begin)
            status = first(status, note(reports, r->begin(r, &reports->run, n_tests), r->error));
    }
    return status;
}

int uet_reports_test_begin(struct uet_reports *reports, const char *id)
{
    int status = 0;

    for (size_t i = 0; i < reports->n; i++) {
        struct uet_reporter *r = reports->list[i];
        if (r->test_begin)
            status = first(status, note(reports, r->test_begin(r, &reports->run, id), r->error));
    }
    return status;
}

/* The last of those that did not run. */
static int tell_not_run(struct uet_reports *reports)
{
    const struct uet_not_run *last = &reports->run.not_run[reports->run.n_not_run - 1];
    int status = 0;

    for (size_t i = 0; i < reports->n; i++) {
        struct uet_reporter *r = reports->list[i];
        if (r->not_run)
            status = first(status, note(reports, r->not_run(r, &reports->run, last), r->error));
    }
    return status;
}

int uet_reports_not_run(struct uet_reports *reports, const char *id, const char *reason)
{
    size_t before = reports->run.n_not_run;
    int status = note(reports, uet_run_add_not_run(&reports->run, id, reason), "");

    return status < 0 || reports->run.n_not_run == before ? status : tell_not_run(reports);
}

int uet_reports_test_done(struct uet_reports *reports, const struct uet_result *result)
{
    size_t before = reports->run.n_not_run;
    int status = note(reports, uet_run_add(&reports->run, result), "");

    if (status < 0)
        return status;
    if (result->cut)
        return reports->run.n_not_run == before ? 0 : tell_not_run(reports);
    const struct uet_result *kept = &reports->run.results[reports->run.n - 1];
    for (size_t i = 0; i < reports->n; i++) {
        struct uet_reporter *r = reports->list[i];
        if (r->test_done)
            status = first(status, note(reports, r->test_done(r, &reports->run, kept), r->error));
    }
    return status;
}

static int stamp_end(struct uet_run_info *info)
{
    char now[32];
    time_t clock = time(NULL);
    struct tm utc;

    gmtime_r(&clock, &utc);
    strftime(now, sizeof(now), "%Y-%m-%dT%H:%M:%SZ", &utc);
    char *ended = strdup(now);
    if (!ended)
        return -ENOMEM;
    free((void *)info->ended);
    info->ended = ended;
    return 0;
}

/* A time as stamp_end writes it; false: it is not known. */
static bool read_time(const char *text, time_t *time)
{
    struct tm t = {0};

    if (sscanf(text, "%4d-%2d-%2dT%2d:%2d:%2dZ", &t.tm_year, &t.tm_mon, &t.tm_mday, &t.tm_hour,
               &t.tm_min, &t.tm_sec) != 6)
        return false;
    t.tm_year -= 1900;
    t.tm_mon -= 1;
    *time = timegm(&t);
    return true;
}

static double seconds_between(const struct uet_run_info *info)
{
    time_t from, to;

    return read_time(info->started, &from) && read_time(info->ended, &to) ? difftime(to, from) : -1;
}

static double seconds_since(const struct timespec *begun)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - begun->tv_sec) + (double)(now.tv_nsec - begun->tv_nsec) / 1e9;
}

int uet_reports_end(struct uet_reports *reports, const char *cut_short)
{
    int status = note(reports, uet_run_end(&reports->run, cut_short), "");

    uet_run_find_causes(&reports->run);
    if (reports->live)
        status = first(status, note(reports, stamp_end(&reports->run.info), ""));
    reports->run.wall_seconds =
        reports->live ? seconds_since(&reports->begun) : seconds_between(&reports->run.info);

    for (size_t i = 0; i < reports->n; i++) {
        struct uet_reporter *r = reports->list[i];
        if (r->end)
            status = first(status, note(reports, r->end(r, &reports->run), r->error));
    }
    return status;
}

const char *uet_reports_error(const struct uet_reports *reports)
{
    return reports->error;
}

const struct uet_run *uet_reports_run(const struct uet_reports *reports)
{
    return &reports->run;
}

void uet_reports_free(struct uet_reports *reports)
{
    if (!reports)
        return;
    for (size_t i = 0; i < reports->n; i++)
        if (reports->list[i]->free)
            reports->list[i]->free(reports->list[i]);
    uet_run_free(&reports->run);
    free(reports);
}
