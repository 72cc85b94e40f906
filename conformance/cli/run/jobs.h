/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The suite in processes of their own, which share the tests out: never two against one FEP. Each
 * has a reference FEP inside, and one that loops for ever or dies takes one test along, not the
 * run; or each has one of several FEPs that are set up alike.
 */
#ifndef UET_CONFORMANCE_CLI_JOBS_H
#define UET_CONFORMANCE_CLI_JOBS_H

#include "conformance/cli/target/alike.h"
#include "conformance/fep_ref.h"
#include "conformance/harness/run/runner.h"

/* What the processes work with. */
struct uet_jobs {
    struct uet_session *session; /* of the first FEP; to a reference FEP nothing was sent yet */
    const struct uet_selection *selection;
    struct uet_fep_ref *ref; /* behind the session's port; NULL: no such FEP */
    unsigned jobs;           /* 1 to 64 processes at a time; without ref up to 1 + alike->n */
    struct uet_fep_ref *others[2 * UET_MAX_PLACES + 2]; /* behind its other set-ups */
    size_t n_others;
    struct uet_target *target;     /* without ref: the first FEP */
    const struct uet_alike *alike; /* without ref: FEPs of the second process and those behind it */
};

/*
 * As uet_run_tests. Every process begins with the FEP as it is now, so the results do not hang on
 * the number of processes; they are given in the order of the tests. Sanity tests run first, in one
 * process; when one fails, all the others run there too. Without ref that is this process.
 *
 * With ref a test that is not over a little after session->ceiling_s is ended with its process: a
 * fail when the FEP did not come back from a call, else an error. A process that dies in a test is
 * told on standard error and the test runs once more; when that dies too, the same verdicts.
 */
int uet_run_jobs(const struct uet_jobs *jobs, const struct uet_test *const *tests, size_t n,
                 const struct uet_run_events *events, struct uet_summary *summary);

#endif
