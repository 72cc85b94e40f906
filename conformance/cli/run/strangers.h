/* SPDX-License-Identifier: BSD-2-Clause */
/* Before tests speak from the address of a stranger (harness/point.h: amid): has anybody it? */
#ifndef UET_CONFORMANCE_CLI_STRANGERS_H
#define UET_CONFORMANCE_CLI_STRANGERS_H

#include "conformance/cli/target/setups.h"

/*
 * Asks by ARP or neighbour discovery, 0.3 s each, for the stranger of the run's FEP (with those
 * alike, of whom the session speaks, too) and of each other set-up, where time is real. Where
 * somebody has it, one of the tester's ports among them, the session goes to no stranger's point
 * (stranger_taken). Else the port answers for it from now on, and hears what comes for it.
 */
void uet_ask_for_strangers(struct uet_session *session, const struct uet_target *base,
                           struct uet_setups *setups);

#endif
