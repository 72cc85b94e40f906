/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef UET_SIM_OPTIONS_H
#define UET_SIM_OPTIONS_H

#include "sim/world.h"

enum { UETSIM_NONE, UETSIM_FOUND, UETSIM_USAGE }; /* exit status */
enum { UETSIM_IGNORES = 32 };

struct options {
    uint64_t seed;
    double hours;
    bool one_world; /* only `world` */
    uint64_t world;
    uint64_t max_findings; /* go on after a finding until there are so many */
    struct sim_limits limits;
    const char *ops, *faults, *restarts; /* NULL: all */
    uint32_t max_length;
    const char *pcap, *json, *violate;
    uint8_t mutation;
    const char *ignore[UETSIM_IGNORES];
    size_t n_ignore;
    unsigned shrink_runs;
    bool plan, quiet, port;
};

/* 0; UETSIM_USAGE after a line on stderr; -1 when help or version was asked for and printed. */
int options_parse(struct options *options, int argc, char **argv);

#endif
