/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One test, tried until its verdict can be believed: a failure on a real link is repeated, and when
 * the FEP, its upper tester or the link was lost meanwhile, no later test is judged as if they were
 * there.
 */
#ifndef UET_CONFORMANCE_ATTEMPT_H
#define UET_CONFORMANCE_ATTEMPT_H

#include "conformance/harness/session.h"

enum uet_attempt {
    UET_ATTEMPT_DONE,    /* the result stands, the run goes on */
    UET_ATTEMPT_LAST,    /* the result stands; no other test can run: session->ended says why */
    UET_ATTEMPT_NOT_RUN, /* nor could this one: the result means nothing */
};

/* Runs a test beside its result: no capture, fresh identifiers. Its section is left out. */
struct uet_result uet_run_aside(struct uet_session *session, const struct uet_test *test);

/*
 * Runs the test. look: also find out whether the FEP is still there after a test in which it was
 * not heard, or that did not pass and in which it had not the last word: by a sanity exchange.
 */
enum uet_attempt uet_attempt(struct uet_session *session, const struct uet_test *test, bool look,
                             struct uet_result *result);

#endif
