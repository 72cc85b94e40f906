/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reports of a run while it runs. Several reporters hang on one chain; the chain keeps the run,
 * so that each of them sees the same clean text and the same sums.
 *
 *   struct uet_reports *reports = uet_reports_new();
 *   uet_reports_add(reports, uet_terminal_reporter(stdout, 0));
 *   uet_reports_add(reports, uet_json_reporter("out/report.json"));
 *   uet_reports_begin(reports, &info, n_tests);      (opens every file: what cannot be written
 *   for each test:                                    is told before the first packet)
 *       uet_reports_test_begin(reports, id);
 *       uet_reports_test_done(reports, &result);
 *   uet_reports_not_run(reports, id, reason);       (what was planned and gets no verdict)
 *   uet_reports_end(reports, NULL);
 *   uet_reports_free(reports);
 *
 * All return 0 or a negative errno, with one line in uet_reports_error(): a set-up error, exit
 * status 2. After an error of one reporter the others still get every call.
 */
#ifndef UET_REPORT_REPORTER_H
#define UET_REPORT_REPORTER_H

#include <stdio.h>

#include "conformance/report/run.h"

#define UET_REPORT_ERROR_MAX 768

/* One form of report. Every function may be NULL; those that fail put a line in error. */
struct uet_reporter {
    int (*begin)(struct uet_reporter *self, const struct uet_run *run, size_t n_tests);
    int (*test_begin)(struct uet_reporter *self, const struct uet_run *run, const char *id);
    int (*test_done)(struct uet_reporter *self, const struct uet_run *run,
                     const struct uet_result *result);
    int (*not_run)(struct uet_reporter *self, const struct uet_run *run,
                   const struct uet_not_run *not_run);
    int (*end)(struct uet_reporter *self, const struct uet_run *run);
    void (*free)(struct uet_reporter *self);
    const char *path;   /* of its file, or NULL */
    const char *beside; /* of the journal that it keeps while the run lasts, or NULL */
    char error[UET_REPORT_ERROR_MAX];
};

/*
 * The forms; path "-" is standard output. Each gives NULL when memory is out (uet_reports_add
 * takes that and fails at begin).
 */

/* The JSON file, and beside it the journal while the run lasts (journal.h). */
struct uet_reporter *uet_json_reporter(const char *path);
struct uet_reporter *uet_junit_reporter(const char *path);
struct uet_reporter *uet_html_reporter(const char *path);

enum {
    UET_TERMINAL_PLAIN = 1,    /* no colour, whatever the terminal */
    UET_TERMINAL_COLOUR = 2,   /* colour, whatever out is */
    UET_TERMINAL_QUIET = 4,    /* no progress line */
    UET_TERMINAL_SHORT = 8,    /* totals and what did not pass, without the table by section */
    UET_TERMINAL_VERBOSE = 16, /* every test that was skipped, not only how many */
};

/*
 * The summary for a person. Colour and the progress line come only when out is a terminal and
 * NO_COLOR (for the colour) is not set.
 */
struct uet_reporter *uet_terminal_reporter(FILE *out, unsigned flags);

struct uet_reports;

/* A chain without reporters; NULL: no memory. */
struct uet_reports *uet_reports_new(void);

/* Takes the reporter over. */
void uet_reports_add(struct uet_reports *reports, struct uet_reporter *reporter);

/* info is copied. n_tests: how many tests are planned; 0 when not known. */
int uet_reports_begin(struct uet_reports *reports, const struct uet_run_info *info, size_t n_tests);

/*
 * A test begins: for the progress line, and for the journal, which now takes the place of the one
 * that an earlier run left. Results of that run are told before.
 */
int uet_reports_test_begin(struct uet_reports *reports, const char *id);

/*
 * A test is done; result is copied. One that was cut (result.h) goes the way of
 * uet_reports_not_run().
 */
int uet_reports_test_done(struct uet_reports *reports, const struct uet_result *result);

/* A planned test that gets no verdict, and why: "the FEP answers nothing any more". */
int uet_reports_not_run(struct uet_reports *reports, const char *id, const char *reason);

/*
 * The run is over: writes what is written at the end. cut_short: why it ended before its time
 * ("SIGTERM"), or NULL. An `ended` that was NULL in the head becomes the time of now.
 */
int uet_reports_end(struct uet_reports *reports, const char *cut_short);

/* The first error, or "". */
const char *uet_reports_error(const struct uet_reports *reports);

/* What was kept: head, results, sums. Valid until uet_reports_free. */
const struct uet_run *uet_reports_run(const struct uet_reports *reports);

/* Frees the chain and its reporters; files that were not finished are left out. */
void uet_reports_free(struct uet_reports *reports);

#endif
