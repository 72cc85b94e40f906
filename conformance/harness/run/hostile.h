/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Points at which strangers come between, or damaged packets (point.h: amid). No requirement of the
 * standard says what a FEP makes of those, so what they do to a test is told of a row of our own.
 */
#ifndef UET_CONFORMANCE_HOSTILE_H
#define UET_CONFORMANCE_HOSTILE_H

#include "conformance/harness/session.h"

bool uet_point_is_hostile(const struct uet_point *point);

/*
 * Tells what came of a test at such a point, which it passes without them, and what rules saw
 * there, as ROB-057: findings, and a pass. With strict what failed stays a failure and the rules
 * stay outside the test's subject, of that row.
 */
void uet_tell_harm(struct uet_result *r, bool strict);

#endif
