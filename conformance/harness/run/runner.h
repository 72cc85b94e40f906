/* SPDX-License-Identifier: BSD-2-Clause */
/* Running many tests: which, in what order, and what a failed sanity test does to the others. */
#ifndef UET_CONFORMANCE_RUNNER_H
#define UET_CONFORMANCE_RUNNER_H

#include "conformance/harness/session.h"
#include "uet_spec.h"

#define UET_SELECTION_WORD 256 /* bytes of one word below, its end included */

/*
 * Which tests; NULL members select everything. Of the words (separated by a space) of one member
 * one must match; all members that are given must.
 */
struct uet_selection {
    const char *section;     /* "3.5.8 3.5.12": these sections and those below them */
    const char *glob;        /* of ids, as a shell matches file names; "GLOB@POINT": at that point
                                (point.h) of tests that go there */
    const char *profile;     /* tests of requirements of that profile; "all" selects everything */
    const char *requirement; /* tests that claim one of these */
    bool no_gate;            /* run also what builds on a failed sanity test: for selftest, whose
                                faults break those, too */
};

struct uet_run_events {
    void *ctx;
    /* Both may be NULL. A value other than 0 from done ends the run and is returned. */
    void (*begin)(void *ctx, const struct uet_test *test);
    int (*done)(void *ctx, const struct uet_result *result);
    /* A selected test that gets no verdict, and why; may be NULL. As done. */
    int (*not_run)(void *ctx, const struct uet_test *test, const char *reason);
};

/* Why a test did not run when the session was stopped. */
#define UET_INTERRUPTED "interrupted"

/*
 * Is this requirement meant: by its section, by itself (or one that says the same), and by a test
 * that claims it? The profile says nothing here.
 */
bool uet_selects_requirement(const struct uet_selection *selection,
                             const struct uet_requirement *requirement);

/*
 * The selected tests in the order in which they run (sanity tests first, then by section), in an
 * array of *n that the caller frees; NULL when none is selected or memory is out.
 */
const struct uet_test **uet_select(const struct uet_selection *selection, size_t *n);

/*
 * Puts in the place of each test that tries entries of fep.yaml (by_entry) one for each entry, of
 * the name ID.1, ID.2, ...; where there are no entries it stays and says so. Of the entries' tests
 * those stay that the selection calls by its own or the common name. tests is freed or returned,
 * *n changed; the caller frees the result, in which all copies stand. NULL: no memory.
 */
const struct uet_test **uet_each_entry(const struct uet_test **tests, size_t *n,
                                       const struct uet_session *session,
                                       const struct uet_selection *selection);

/*
 * The points at which the selection wants the test: those that its globs name ("ID@wrap"), at most
 * max. 0: all that there are, as one glob names none. Names that are none count for nothing.
 */
size_t uet_selection_points(const struct uet_selection *selection, const struct uet_test *test,
                            struct uet_point *points, size_t max);

/* Does its glob, if it has one, match that id? */
bool uet_selection_calls(const struct uet_selection *selection, const char *id);

/*
 * Runs them. Sums are added to *summary. Returns 0, or what done returned; -EINTR when the session
 * was stopped (a test that was under way has `cut` in its result); -ECONNABORTED when it could not
 * go on, with the reason in session->ended. Each test that did not run goes to not_run.
 */
int uet_run_tests(struct uet_session *session, const struct uet_selection *selection,
                  const struct uet_test *const *tests, size_t n,
                  const struct uet_run_events *events, struct uet_summary *summary);

/* Tells of each of them that it did not run. 0, or what not_run returned. */
int uet_not_run(const struct uet_run_events *events, const struct uet_test *const *tests, size_t n,
                const char *reason);

/*
 * A sanity test that did not pass: what builds on it says nothing in this session from now on.
 * For results that come from elsewhere: another process, a report.
 */
void uet_note_ground(struct uet_session *session, const struct uet_test *test,
                     const struct uet_result *result);

/* Does a note tell that the test was not repeated in place as often as asked for? */
bool uet_was_not_repeated(const struct uet_result *result);

/* Does section lie in area: "3.5.8.2" in "3.5.8", but "3.5.80" not? */
bool uet_section_in(const char *section, const char *area);

#endif
