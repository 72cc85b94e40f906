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

/*
 * Runs it and prints the survivors, all mutants when verbose; writes {mutants, killed, not_sent,
 * survivors: [...]} to json and the page of docs/ to doc, each unless NULL ("-": standard output).
 * A test may take ceiling_s of wall-clock time: a FEP that does not come back is noticed.
 * Returns the exit status: 1 when one survives that permitted.def does not excuse.
 */
int uet_sweep(uint64_t seed, double ceiling_s, const char *json, const char *doc, bool verbose);

#endif
