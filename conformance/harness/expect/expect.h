/* SPDX-License-Identifier: BSD-2-Clause */
/* Expectations, for the harness itself: what matches, and what nobody expected. */
#ifndef UET_HARNESS_EXPECT_H
#define UET_HARNESS_EXPECT_H

#include "conformance/harness/peer/peer.h"

/* ---- matching (match.c) ---- */

/* Is this packet one that is waited for? Its time is the caller's to ask. */
bool uet_want_matches(const struct uet_want *w, const struct uet_in *in);

/* "ACK of PSN 0x12345678": what a test waits for, in words; in out, or the test's own. */
const char *uet_want_name(const struct uet_want *w, char *out, size_t n);

/* Does it tell that the FEP, which took one packet of a PDC, has no room for more (Table 3-58)? */
bool uet_tells_no_room(const struct uet_in *in);

/* ---- what nobody expected (unexpected.c) ---- */

/* Is this packet one that a conforming FEP may send unasked? */
bool uet_tc_tolerates(const struct uet_tc *tc, const struct uet_in *in);
void uet_tc_judge_unexpected(struct uet_tc *tc);

#endif
