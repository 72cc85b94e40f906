/* SPDX-License-Identifier: BSD-2-Clause */
/* Going on after a run that was cut short: whose results may be kept, and which are. */
#ifndef UET_CONFORMANCE_CLI_RESUME_H
#define UET_CONFORMANCE_CLI_RESUME_H

#include "conformance/harness/run/runner.h"
#include "conformance/report/run.h"

/*
 * May the results of `done` stand in the report of a run with this head and these tests? Only when
 * the FEP (what it says of itself, its fep.yaml), the specification, profile, seed, strictness,
 * tolerance (--slow), time scale and the suite are the same, and every test of that run is among
 * these. False, with the difference in one line in why.
 */
bool uet_resume_fits(const struct uet_run *done, const struct uet_run_info *info,
                     const struct uet_test *const *tests, size_t n, char *why, size_t size);

/*
 * Takes the tests that have a result out of `tests`, notes for the session which sanity tests did
 * not pass, and gives those results to events->done. What was an error or was cut runs again; so
 * does what was inconclusive when a sanity test does. 0, or what done returned.
 */
int uet_resume(const struct uet_run *done, struct uet_session *session,
               const struct uet_test **tests, size_t *n, const struct uet_run_events *events);

#endif
