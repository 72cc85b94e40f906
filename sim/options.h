/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef UET_SIM_OPTIONS_H
#define UET_SIM_OPTIONS_H

#include "sim/scenario/scenario.h"

/* Exit status; the last one: a signal ended the run, and nothing was found till then. */
enum { UETSIM_NONE, UETSIM_FOUND, UETSIM_USAGE, UETSIM_INTERRUPTED = 130 };
enum { UETSIM_IGNORES = 32 };

struct options {
    uint64_t seed;
    double hours;
    uint64_t max_packets; /* 0: as many as there are */
    bool one_scenario;    /* only `scenario` */
    uint64_t scenario;
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
