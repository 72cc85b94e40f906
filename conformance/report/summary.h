/* SPDX-License-Identifier: BSD-2-Clause */
/* What a run came to, in the words that every report uses. */
#ifndef UET_REPORT_SUMMARY_H
#define UET_REPORT_SUMMARY_H

#include "conformance/report/run.h"

/* How good the news is; a report colours by it. */
enum uet_tone {
    UET_TONE_GOOD, /* all that ran passed, and the run came to its end */
    UET_TONE_SO,   /* nothing failed anew, but known deviations, nothing that ran, or cut short */
    UET_TONE_BAD,  /* something keeps the run from passing */
};

/* BAD where the exit status is not 0. */
enum uet_tone uet_run_tone(const struct uet_run *run);

/*
 * "97 of 107 that ran passed: 8 failed, 2 known deviations; 245 skipped: 154 no upper tester, 91
 * not claimed; 1 rule broken outside a test's subject". A run that was cut says so first. Returns
 * out (size bytes).
 */
const char *uet_run_headline(char *out, size_t size, const struct uet_run *run);

/*
 * How much it was: "738 tests, 2134 points, 1 rule", without what there is none of. Returns out
 * (size bytes).
 */
const char *uet_run_extent(char *out, size_t size, const struct uet_run *run);

/* Results or tests without a verdict that have one reason in common, the most frequent first. */
struct uet_group {
    const char *words; /* points into the run, or to a constant */
    size_t n;
};

/* Skips by reason; groups has room for UET_N_SKIP_REASONS. Returns how many groups there are. */
size_t uet_run_skips(const struct uet_run *run, struct uet_group *groups);

/* Is it a skip of the group with those words? */
bool uet_result_skips_for(const struct uet_result *result, const char *words);

/*
 * Marks failures of one cause: as_in becomes the id of the one that tells it. Two have one cause
 * when their verdict and the first line of the message are the same, numbers aside, and also the
 * requirement that was broken, unless something did not come, whatever the FEP sent in its place:
 * one silence fails many tests, each by the name of what it asked for. A test about the requirement
 * that most of them name tells it; where what came in its place breaks a rule, the rule's entry
 * does. The entry of a rule is left alone: its as_in is a test in which the rule was broken.
 */
void uet_run_find_causes(struct uet_run *run);

/* Does the finding rest on a reading (confidence C, or a row of readings.csv)? */
bool uet_finding_is_contested(const struct uet_finding *finding);

/* Is the condition the text of fep.yaml: lines to be shown as they are? */
bool uet_condition_is_file(const struct uet_condition *condition);

/* How many there are, notes left out. */
size_t uet_result_findings(const struct uet_result *result);

/* What stands before its requirement: "finding, ", "finding (contested), ", "note, ", "see rule.".
 */
const char *uet_finding_words(const struct uet_finding *finding);

/* Is the condition one of those that every report tells, and not only JSON and HTML? */
bool uet_condition_is_short(const struct uet_condition *condition);

/* Is it a failure whose cause another test has told? And is that one `first`? */
bool uet_result_repeats(const struct uet_result *result);
bool uet_result_is_as_in(const struct uet_result *result, const struct uet_result *first);

/* How many results say "as in" this one. */
size_t uet_run_as_in(const struct uet_run *run, const struct uet_result *first);

#endif
