/* SPDX-License-Identifier: BSD-2-Clause */
/* What a test says and hears when the FEP is the reference FEP. */
#ifndef UET_CLI_SPOKEN_H
#define UET_CLI_SPOKEN_H

#include <stdbool.h>
#include <stddef.h>

#include "conformance/harness/test.h"

#define UET_SPOKEN 3000 /* bytes of a conversation, its end included */

/*
 * Runs the test once at its ordinary point, with seed 1, and writes its conversation to out
 * (UET_SPOKEN bytes), a line a step; "" when it does not run there. Returns out.
 */
const char *uet_spoken(const struct uet_test *test, char *out);

/*
 * The places (harness/point.h) beside the ordinary one to which the test goes when the FEP is the
 * reference FEP, which has all that places need. False: it does not run there.
 */
bool uet_spoken_places(const struct uet_test *test, struct uet_space *space);

#endif
