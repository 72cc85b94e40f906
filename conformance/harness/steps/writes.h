/* SPDX-License-Identifier: BSD-2-Clause */
/* WRITEs of the FEP's: what of them came. */
#ifndef UET_HARNESS_STEPS_WRITES_H
#define UET_HARNESS_STEPS_WRITES_H

#include "conformance/harness/steps/steps.h"

/*
 * All bytes of that WRITE came, in packets that no storm has lost, and each packet carries those
 * that belong at its place. The key of a WRITE tells its packets from others.
 */
void bytes_came(struct uet_tc *tc, const char *requirement, const struct uet_ut_operation *op);

#endif
