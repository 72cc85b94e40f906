/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A peer that sends whatever a seed says -- requests, ACKs, NACKs and Control Packets that nearly
 * fit, the FEP's own frames turned round and damaged -- while the FEP has operations of its own.
 */
#ifndef UET_REFIMPL_TESTS_DAMAGE_H
#define UET_REFIMPL_TESTS_DAMAGE_H

#include "refimpl/tests/shared/peer.h"

/* Some thousand steps; violation may be NULL. Ends with a FEP at rest, or fails the test. */
void damage(struct peer *t, uint64_t seed, unsigned steps, const char *violation);

#endif
