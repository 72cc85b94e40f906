/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The suite against the reference FEP in processes of their own: a FEP that loops for ever or dies
 * takes one test along, not the run. Several at once run several FEPs: never two tests against one.
 */
#ifndef UET_CONFORMANCE_CLI_JOBS_H
#define UET_CONFORMANCE_CLI_JOBS_H

#include "conformance/fep_ref.h"
#include "conformance/harness/run/runner.h"

/* What the processes work with. */
struct uet_jobs {
    struct uet_session *session; /* of the reference FEP; nothing was sent to it yet */
    const struct uet_selection *selection;
    struct uet_fep_ref *ref;                        /* behind the session's port */
    unsigned jobs;                                  /* 1 to 64 processes at a time */
    struct uet_fep_ref *others[UET_MAX_PLACES + 2]; /* behind its other set-ups */
    size_t n_others;
};

/*
 * As uet_run_tests. Every process begins with the FEP as it is now, so the results do not hang on
 * the number of processes; they are given in the order of the tests. Sanity tests run first, in one
 * process; when one fails, all the others run there too.
 *
 * A test that is not over a little after session->ceiling_s is ended with its process: a fail when
 * the FEP did not come back from a call, else an error. A process that dies in a test is told on
 * standard error and the test runs once more; when that dies too, the same verdicts.
 */
int uet_run_jobs(const struct uet_jobs *jobs, const struct uet_test *const *tests, size_t n,
                 const struct uet_run_events *events, struct uet_summary *summary);

#endif
