/* SPDX-License-Identifier: BSD-2-Clause */
/* A whole run in memory: its head and its results, in the order they came. */
#ifndef UET_REPORT_RUN_H
#define UET_REPORT_RUN_H

#include "conformance/result.h"

/* A test that was to run and has no verdict. */
struct uet_not_run {
    char *id, *reason;
};

struct uet_run {
    struct uet_run_info info;
    struct uet_result *results;
    size_t n, room;
    struct uet_summary summary;
    size_t planned;  /* how many tests were to run; 0: not known */
    bool complete;   /* all of them came to a verdict, skip included */
    char *cut_short; /* why it ended early, or NULL */
    /* From its beginning to its end: of a run read from a file whole seconds; below 0: not known.
     */
    double wall_seconds;
    struct uet_not_run *not_run;
    size_t n_not_run, room_not_run;
};

/* Begins a run; all text is copied and cleaned (text.h). 0 or -ENOMEM. */
int uet_run_init(struct uet_run *run, const struct uet_run_info *info);

/*
 * Adds a copy of a result and counts it; one that was cut counts for nothing and stands among
 * those that did not run. 0 or -ENOMEM.
 */
int uet_run_add(struct uet_run *run, const struct uet_result *result);

/* Adds a test that did not run, and why; once is enough. 0 or -ENOMEM. */
int uet_run_add_not_run(struct uet_run *run, const char *id, const char *reason);

/*
 * The run is over. cut_short: why before its time, or NULL; then it is complete, unless a test
 * did not run. 0 or -ENOMEM.
 */
int uet_run_end(struct uet_run *run, const char *cut_short);

/* How many tests came to a verdict, skip included; rule entries are no tests. */
size_t uet_run_verdicts(const struct uet_run *run);

/* How many of these ran: were not skipped. */
size_t uet_run_ran(const struct uet_run *run);

/* At how many points the tests ran in all (harness/point.h); 0: no result tells its own. */
size_t uet_run_count_points(const struct uet_run *run);
/* At how many more they would have run, had they not taken too long (harness/run/points.c). */
size_t uet_run_points_out_of_time(const struct uet_run *run);

/*
 * "interrupted: 81 of 352 run (SIGTERM)" for a run that is not complete, else "". Returns out
 * (size bytes).
 */
const char *uet_run_cut_words(char *out, size_t size, const struct uet_run *run);

/* Frees everything; a zeroed run may be freed too. */
void uet_run_free(struct uet_run *run);

/* The result of a test by its id, or NULL. */
const struct uet_result *uet_run_find(const struct uet_run *run, const char *id);

/*
 * Reads the JSON file of `uetconform run --json`, or the journal of a run that was cut short
 * (journal.h; a last line that is not whole is left out). 0, or a negative errno with one line in
 * error: file, place, what is wrong, how to mend it.
 */
int uet_run_read(struct uet_run *run, const char *path, char *error, size_t size);

/*
 * Reads what there is of the run that writes the JSON file `path`: its journal when it was cut
 * short, else the file itself. As uet_run_read.
 */
int uet_run_read_last(struct uet_run *run, const char *path, char *error, size_t size);

/*
 * Does a journal stand beside the JSON file `path`: is a later run under way, or was it cut short?
 * Its path goes to out (size bytes).
 */
bool uet_run_has_journal(const char *path, char *out, size_t size);

/*
 * How a result counts: "pass", "fail", "inconc", "error", "skip", and for what fep.yaml lists as
 * a known deviation "known-fail" or "unexpected-pass".
 */
const char *uet_result_label(const struct uet_result *result);

/* Does it keep the run from passing: fail, error, inconc, unexpected-pass? */
bool uet_result_is_bad(const struct uet_result *result);

/*
 * The command that repeats one test as it ran, with all that bears on it; for the entry of a rule
 * one of its tests, "" when none is known. Returns out.
 */
const char *uet_repeat_command(char *out, size_t size, const struct uet_run_info *info,
                               const struct uet_result *result);

/*
 * Where reports show a result: its section, UET_RULES for the entry of a rule, or UET_ROBUSTNESS
 * for a test of the area ROB, which stands in no section of the standard.
 */
#define UET_RULES      "rules"
#define UET_ROBUSTNESS "robustness"
const char *uet_result_place(const struct uet_result *result);

/* Sums over the results of one place. */
struct uet_tally {
    const char *section; /* points into the run, or is UET_RULES, the last one */
    struct uet_summary summary;
};

/*
 * Tallies by section, in the order of section numbers, in an array of *n that the caller frees;
 * NULL when there are none or memory is out.
 */
struct uet_tally *uet_run_tally(const struct uet_run *run, size_t *n);

/* Orders section numbers part by part as numbers: 3.5.9 before 3.5.10. Like strcmp. */
int uet_section_compare(const char *a, const char *b);

/*
 * The title of a section, or of the closest one above it that has one; remarks such as
 * "(title not seen)" are left out. UET_RULES has one, too. Returns out (size bytes), "" when there
 * is none.
 */
const char *uet_section_title(char *out, size_t size, const char *section);

#endif
