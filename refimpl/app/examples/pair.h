/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two FEPs in one process and a cable between them, in virtual time: what drives the examples, in
 * the place of a NIC, an event loop and a clock.
 */
#ifndef UET_REFIMPL_APP_EXAMPLES_PAIR_H
#define UET_REFIMPL_APP_EXAMPLES_PAIR_H

#include "refimpl/app/app.h"

#define PAIR_FEP_BYTES  (640u << 10)
#define PAIR_LATENCY_NS 1000u
#define PAIR_START_NS   1000000000u

struct pair {
    struct uet_domain domains[2]; /* of 192.0.2.1 and 192.0.2.2 */
    uint64_t now_ns;
    uint64_t frames; /* that went over the cable */
    bool cut;        /* the cable: nothing arrives */
    _Alignas(16) uint8_t memory[2][PAIR_FEP_BYTES];
};

void pair_open(struct pair *pair);

/* Until no frame is under way and no timer runs. */
void pair_run(struct pair *pair);

/* Ends the process with status 1, saying what was not so. */
void need(bool so, const char *what);

#endif
