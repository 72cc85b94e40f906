/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Workloads: flows of writes, some of which wait for others, and what comes of them beside an ideal
 * that is computed from the speed of the lines and the bytes.
 */
#ifndef UET_SIM_FABRIC_LOAD_H
#define UET_SIM_FABRIC_LOAD_H

#include "sim/fabric/scenario.h"

/*
 * Triggers are numbered from 1; 0: none. A trigger fires when every flow that has it in `fires` has
 * ended at its source, with the last ACK; the flows that have it in `after` begin then, the others
 * at once. A flow stands behind those that it waits for.
 */
struct load_flow {
    uint16_t from, to;
    uint32_t message, count; /* bytes of each write; writes */
    uint32_t after, fires;
};

struct load {
    struct load_flow *flows;
    uint32_t n, room, n_triggers;
};

/* Room for so many flows: 0 or -ENOMEM. load_free in both cases. */
int load_make(struct load *load, uint32_t room);
void load_free(struct load *load);
void load_add(struct load *load, const struct load_flow *flow);

/* Runs it on a net of this wish and tells what came of it; completion may take so many times the
 * ideal. 0, or what net_new says. */
int load_run(const struct load *load, const struct fabric_wish *wish, double most,
             struct fabric_result *result);

/* ---- matrix.c ---- */

/* As a connection matrix. 0 or -ENOMEM; whether all was written the file knows. */
int load_matrix(const struct load *load, uint16_t hosts, FILE *f);

/* ---- load_ideal.c ---- */

/*
 * When all could have ended, in ns, in packets of mtu bytes: no host's line, out or in, carries two
 * flows at a time or stands still while the next in the list could go; no packet waits elsewhere;
 * then the way of the last packet, and its ACK's. UINT64_MAX: no memory.
 */
uint64_t load_ideal(const struct load *load, const struct tree *tree, uint32_t mtu);

#endif
