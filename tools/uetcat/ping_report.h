/* SPDX-License-Identifier: BSD-2-Clause */
/* What `uetcat ping` prints: a line for each event, statistics at the end; as text or JSON lines.
 */
#ifndef UETCAT_PING_REPORT_H
#define UETCAT_PING_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/uetcat/link.h"
#include "tools/uetcat/ping_watch.h"

struct ping_report {
    struct uet_ip target;
    bool json, quiet;
    uint64_t sent, answered, errors, nacks;
    uint64_t started_ns;
    double min_ms, max_ms, sum_ms, sum_sq_ms;
};

/* "UET PING 192.0.2.2 from 192.0.2.1 on eth1: NO_OP requests of 98 bytes" */
void ping_report_start(struct ping_report *r, const struct uetcat_link *l, uint64_t now_ns);

/* An event of the watch. */
void ping_report_event(struct ping_report *r, const struct ping_event *e);

/* A sentence on something else: no ARP answer, a PDC opened again. */
void ping_report_note(struct ping_report *r, const char *note);

/* The statistics. */
void ping_report_end(struct ping_report *r, uint64_t now_ns);

#endif
