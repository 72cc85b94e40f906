/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The mutant sweep: violators that nobody wrote. Every field of every header that the reference FEP
 * sends is altered, every kind of packet dropped, duplicated, delayed, one at a time; the whole
 * suite must notice. What it does not notice is listed.
 */
#ifndef UET_CONFORMANCE_CLI_SWEEP_H
#define UET_CONFORMANCE_CLI_SWEEP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct uet_sweep_how {
    uint64_t seed;
    uint64_t every;   /* each so many of the mutants, begun where the seed says; 1: all */
    double ceiling_s; /* of wall-clock time for a test: a FEP that does not come back is noticed */
    const char *json, *doc; /* what is written; NULL: nothing, "-": standard output */
    bool verbose;           /* all mutants are told */
};

/*
 * Runs it and prints the survivors; writes {mutants, killed, not_sent, survivors: [...]} to json
 * and the page of docs/, which is of all mutants, to doc. Returns the exit status: 1 when one
 * survives that permitted.def does not excuse.
 */
int uet_sweep(const struct uet_sweep_how *how);

/* A line that says that only each so many of n were tried; none where all were (every 1). */
void uet_sweep_tell_part(FILE *say, uint64_t every, uint64_t n, const char *of);

#endif
