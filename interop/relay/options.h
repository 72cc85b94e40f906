/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef UET_INTEROP_RELAY_OPTIONS_H
#define UET_INTEROP_RELAY_OPTIONS_H

#include "interop/relay/plan.h"

struct relay_options {
    const char *ifnames[RELAY_SIDES];
    const char *captures[RELAY_SIDES];    /* NULL: none */
    const char *counters, *ready;         /* files, or NULL */
    uint64_t seed, udp_port, ip_protocol; /* 0: the usual ones */
    struct relay_plan plan;
};

/* Reads the command line. -1: go on; else the exit status, and all is said. */
int relay_options_read(struct relay_options *options, int argc, char **argv);

#endif
