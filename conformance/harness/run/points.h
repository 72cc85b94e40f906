/* SPDX-License-Identifier: BSD-2-Clause */
/* A test at all its points (harness/point.h). */
#ifndef UET_CONFORMANCE_POINTS_H
#define UET_CONFORMANCE_POINTS_H

#include "conformance/harness/run/attempt.h"
#include "conformance/harness/run/runner.h"

/*
 * The places to which a test goes at this FEP, which has just run it at its ordinary point (the
 * last test of the session): those of the dimensions that it reached there, as far as the FEP has
 * them.
 */
struct uet_space uet_points_space(const struct uet_session *session, const struct uet_test *test);

/*
 * Does no test of the session go to that place of `amid`, whatever it reaches? Why not, into why.
 */
bool uet_amid_left_out(const struct uet_session *session, size_t place, char *why, size_t n);

/*
 * Runs the test at its ordinary point and, when it passes there, at those that session->depth has
 * of the dimensions that it reached; or at those alone that the selection names. The result is the
 * worst of all and names the point of it. A point at which the FEP need not go along (skip) is
 * none. events->begin is called before each point.
 */
enum uet_attempt uet_run_points(struct uet_session *session, const struct uet_selection *selection,
                                const struct uet_test *test, const struct uet_run_events *events,
                                struct uet_result *result);

/*
 * What is known of the FEP goes with it into another set-up and back: entries of no use, PDCIDs and
 * services that were used up, what it has done and said at all, why the run cannot go on.
 */
void uet_carry_over(struct uet_session *to, const struct uet_session *from);

#endif
