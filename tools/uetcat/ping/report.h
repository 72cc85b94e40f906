/* SPDX-License-Identifier: BSD-2-Clause */
/* What `uetcat ping` prints: a line for each event, statistics at the end; as text or JSON lines.
 */
#ifndef UETCAT_PING_REPORT_H
#define UETCAT_PING_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/uetcat/link.h"
#include "tools/uetcat/ping/paths.h"
#include "tools/uetcat/ping/watch.h"
#include "tools/uetcat/times.h"

struct ping_report {
    struct uet_ip target;
    bool json, quiet;
    bool verbose;  /* all paths, however many */
    bool flood;    /* no line for each event: dots, where somebody sees them */
    bool terminal; /* standard output is one */
    uint32_t size; /* of the payload; 0: NO_OP */
    uint64_t sent, answered, errors, nacks;
    uint64_t late;  /* answers to copies, and requests that are known to have arrived */
    bool explained; /* a note has said why nothing was answered */
    bool sealed;    /* --keys */
    uint64_t started_ns;
    struct uetcat_times times;
    struct ping_paths paths; /* n 0: the FEP chooses the entropy values */
};

/* "UET PING 192.0.2.2 from 192.0.2.1 on eth1: NO_OP, standard header, CRC off" */
void ping_report_start(struct ping_report *r, const struct uetcat_link *l, uint64_t now_ns);

/* A request was sent for the first time, on this entropy value. */
void ping_report_sent(struct ping_report *r, uint16_t entropy);

/* An event of the watch. */
void ping_report_event(struct ping_report *r, const struct ping_event *e);

/* A sentence on something else: no ARP answer, a PDC opened again. */
void ping_report_note(struct ping_report *r, const char *note);

/* The statistics; judges the paths. */
void ping_report_end(struct ping_report *r, uint64_t now_ns);

#endif
