/* SPDX-License-Identifier: BSD-2-Clause */
/* A test's body, many times in a row at a FEP that is reset before the first of them only. */
#ifndef UET_HARNESS_IN_PLACE_H
#define UET_HARNESS_IN_PLACE_H

#include "conformance/harness/session.h"

/* One body, after a reset of the FEP unless session->goes_on (tc.c). */
void uet_run_once(struct uet_session *session, const struct uet_test *test,
                  struct uet_result *result);

/*
 * session->in_place bodies, then the check that the FEP serves as before (uet_serves). The first
 * body that fails ends it. One that can no longer judge, as the upper tester has no more to give or
 * the FEP is still at what the body before began, ends the repetitions only: a leak shows in the
 * check. The result is that of the last body that passed, with a note when they were fewer than
 * asked for.
 */
void uet_run_in_place(struct uet_session *session, const struct uet_test *test,
                      struct uet_result *result);

/* Does a note tell that the test was not repeated as often as asked for? */
bool uet_was_not_repeated(const struct uet_result *result);

#endif
