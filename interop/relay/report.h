/* SPDX-License-Identifier: BSD-2-Clause */
/* What the relay did, told at its end. */
#ifndef UET_INTEROP_RELAY_REPORT_H
#define UET_INTEROP_RELAY_REPORT_H

#include "interop/relay/end.h"

/* How many frames the relay, its kernel or an interface lost that the plan did not mean. */
uint64_t relay_own_losses(const struct relay *relay, const struct relay_drops drops[RELAY_SIDES]);

/* Two lines on standard output, a side each. */
void relay_report_print(const struct relay *relay, const struct relay_drops drops[RELAY_SIDES]);

/* The counters as JSON to a file. 0 or -errno. */
int relay_report_write(const struct relay *relay, const struct relay_drops drops[RELAY_SIDES],
                       double seconds, const char *path);

#endif
