/* SPDX-License-Identifier: BSD-2-Clause */
/* Making a scenario that breaks an invariant smaller, so that a person can follow it. */
#ifndef UET_SIM_SHRINK_H
#define UET_SIM_SHRINK_H

#include "sim/scenario/scenario.h"

struct sim_shrink {
    unsigned max_runs;       /* scenarios to try at most */
    bool (*stop)(void *ctx); /* asked before each try; may be NULL */
    void (*tried)(void *ctx, unsigned runs, const struct sim_choice *best); /* may be NULL */
    void *ctx;
};

/*
 * choice and result are those of a run that breached an invariant. Takes operations, FEPs, faults
 * and restarts away and cuts lengths as long as the same invariant (and rule) is breached. choice
 * and result become those of the smallest scenario found. Returns the scenarios tried, or -ENOMEM.
 */
int sim_shrink(const struct sim_run *run, struct sim_choice *choice, struct sim_result *result,
               const struct sim_shrink *how);

#endif
