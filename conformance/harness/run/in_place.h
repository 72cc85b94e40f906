/* SPDX-License-Identifier: BSD-2-Clause */
/* A test's body, many times in a row at a FEP that is reset before the first of them only. */
#ifndef UET_HARNESS_IN_PLACE_H
#define UET_HARNESS_IN_PLACE_H

#include "conformance/harness/session.h"

/* One body, after a reset of the FEP unless session->goes_on (tc.c). */
void uet_run_once(struct uet_session *session, const struct uet_test *test,
                  struct uet_result *result);

#endif
