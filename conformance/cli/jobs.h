/* SPDX-License-Identifier: BSD-2-Clause */
/* Several reference FEPs at once: never two tests against one FEP. */
#ifndef UET_CONFORMANCE_CLI_JOBS_H
#define UET_CONFORMANCE_CLI_JOBS_H

#include "conformance/harness/runner.h"

/*
 * As uet_run_tests, in `jobs` processes that each have a copy of the session's in-process FEP and
 * of its memory port (so nothing else will do). Sanity tests run here, first; when one fails, all
 * the others run here too. Results are given in the order of the tests, whoever ran them.
 */
int uet_run_jobs(struct uet_session *session, const struct uet_selection *selection,
                 const struct uet_test *const *tests, size_t n, unsigned jobs,
                 const struct uet_run_events *events, struct uet_summary *summary);

#endif
