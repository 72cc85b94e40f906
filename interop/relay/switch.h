/* SPDX-License-Identifier: BSD-2-Clause */
/* What a congested switch may do to a packet (3.6.4, 4.1). Each writes to the packet's fate. */
#ifndef UET_INTEROP_RELAY_SWITCH_H
#define UET_INTEROP_RELAY_SWITCH_H

#include "interop/relay/decide.h"

/*
 * A packet reaches the queue of a rule: it waits (delay_ns), is marked or trimmed, or the queue is
 * full and it is lost (RELAY_QUEUE). What is trimmed passes the others: its class has a queue of
 * its own (4.1). *empty_ns is that of the rule.
 */
void relay_queue(const struct relay_rule *rule, uint64_t now_ns, const struct uet_packet *p,
                 uint64_t *empty_ns, struct relay_fate *fate);

/* What a switch may do to a packet; false where it may not. */
bool relay_trim(const struct relay_rule *rule, const struct uet_packet *p, struct relay_fate *fate);
bool relay_mark(const struct uet_packet *p, struct relay_fate *fate);

#endif
