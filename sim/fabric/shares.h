/* SPDX-License-Identifier: BSD-2-Clause */
/* What flows get of a line over time, and what they should. */
#ifndef UET_SIM_FABRIC_SHARES_H
#define UET_SIM_FABRIC_SHARES_H

#include "sim/fabric/scenario.h"

enum { SHARES_FLOWS = 16, SHARES_STEPS = 200 };
#define SHARES_STEP_NS 100000u

struct share_flow {
    const char *name;
    uint16_t from, to;
    double wanted[NET_CCS]; /* per cent of a line */
};

struct shares {
    const struct share_flow *flows;
    uint32_t n_flows, n_ordered; /* the first so many are ROD */
    const char *text;
    double within;                               /* per cent of a line, from what is wanted */
    void (*tune)(struct uet_fep_params *params); /* as in struct net_wish */
    uint8_t cc;                                  /* enum net_cc */
    double *percent;                             /* of each sample all flows */
    uint32_t step_ns;
    size_t n_samples;
    uint64_t trimmed;
    uint32_t failed; /* writes */
};

double shares_mean(const struct shares *shares, uint32_t flow, size_t from, size_t to);

/* ---- shares_plot.c ---- */

void shares_plot(const struct shares *shares, FILE *file);

#endif
