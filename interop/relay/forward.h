/* SPDX-License-Identifier: BSD-2-Clause */
/* The loop: frames from one interface to the other, through the relay. */
#ifndef UET_INTEROP_RELAY_FORWARD_H
#define UET_INTEROP_RELAY_FORWARD_H

#include <signal.h>

#include "interop/relay/end.h"

/*
 * Forwards until *stop, which a signal handler sets; `open` is the mask of signals while it waits,
 * and these signals are blocked otherwise. 0; or a negative errno when the interface *broken fails.
 */
int relay_forward(struct relay *relay, struct relay_end ends[RELAY_SIDES],
                  const volatile sig_atomic_t *stop, const sigset_t *open, enum relay_side *broken);

#endif
