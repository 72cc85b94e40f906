/* SPDX-License-Identifier: BSD-2-Clause */
/* A test at all its points (harness/point.h). */
#ifndef UET_CONFORMANCE_POINTS_H
#define UET_CONFORMANCE_POINTS_H

#include "conformance/harness/run/attempt.h"
#include "conformance/harness/run/runner.h"

/*
 * Runs the test at its ordinary point and, when it passes there, at those that session->depth has
 * of the dimensions that it reached; or at those alone that the selection names. The result is the
 * worst of all and names the point of it. A point at which the FEP need not go along (skip) is
 * none. events->begin is called before each point.
 */
enum uet_attempt uet_run_points(struct uet_session *session, const struct uet_selection *selection,
                                const struct uet_test *test, const struct uet_run_events *events,
                                struct uet_result *result);

#endif
