/* SPDX-License-Identifier: BSD-2-Clause */
/* What uetsim tells: progress, findings, the sum, JSON. */
#ifndef UET_SIM_REPORT_H
#define UET_SIM_REPORT_H

#include <jansson.h>

#include "sim/options.h"
#include "sim/tally.h"

struct sum {
    uint64_t scenarios, findings, virtual_ns, frames, ops, ok, ses_error, pds_error, abandoned;
    uint64_t ignored, ghosts, refused_syns, untracked;
    uint64_t secured, sealed, rotations, forged; /* scenarios; what of security was in them */
    uint64_t lost, duplicated, corrupted, delayed, down, marked, trimmed, dropped;
    double seconds; /* of real time */
    bool stopped;   /* by a signal */
    struct sim_tally tally;
    json_t *list; /* of findings */
};

/* A finding, small already: scenario, breach, and the command that repeats it. */
struct finding {
    const struct sim_plan *plan;
    const struct sim_choice *choice;
    const struct sim_result *result;
    unsigned runs; /* that shrinking took */
};

void sum_add(struct sum *sum, const struct sim_result *result);
void report_progress(const struct options *o, const struct sum *sum, const char *what);
void report_progress_end(const struct options *o);
/* Prints it and keeps it for the JSON. 0 or -ENOMEM. */
int report_finding(const struct options *o, struct sum *sum, const struct finding *finding);
void report_sum(const struct options *o, const struct sum *sum);
/* 0, or -1 after a line on stderr. */
int report_json(const struct options *o, const struct sum *sum);

#endif
