/* SPDX-License-Identifier: BSD-2-Clause */
/* One scenario from many seeds, side by side, as one task of several or alone. */
#ifndef UET_SIM_FABRIC_RUNS_H
#define UET_SIM_FABRIC_RUNS_H

#include <jansson.h>

#include "sim/fabric/scenario.h"

struct fabric_runs {
    uint32_t n;           /* seeds, from that of the wish on */
    uint32_t jobs;        /* processes */
    uint32_t task, tasks; /* of the seeds those whose number is `task` modulo `tasks` */
};

/*
 * A line for each run, in the order of their seeds, and a table of all; the same whatever jobs is.
 * Returns an exit status; *json (a new array, or NULL) has the results, *measures (likewise) what
 * the table has: of each measure by how many runs it was told, and least, mean and most of these.
 */
int fabric_runs(const struct fabric_scenario *scenario, const struct fabric_wish *wish,
                const struct fabric_runs *runs, FILE *f, json_t **json, json_t **measures);

/* ---- json.c ---- */

/* What a run came to; NULL: no memory. */
json_t *fabric_json(uint64_t seed, const struct fabric_result *result);

#endif
