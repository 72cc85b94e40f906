/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Known deviations of fep.yaml against what a run finds. A test that is named fails as known, or
 * passes unexpectedly. An entry that names a pattern of tests or a requirement stands for several:
 * what fails by it is known; that nothing failed is told at the end, by a result of its own, and
 * only when all of its tests were there to fail.
 */
#ifndef UET_CONFORMANCE_KNOWN_H
#define UET_CONFORMANCE_KNOWN_H

#include "conformance/harness/run/runner.h"

/* Marks a result as known-fail or unexpected pass, and says so in its message. */
void uet_known_compare(const struct uet_dut *dut, struct uet_result *result);

/* What became of each entry's tests; begins as zeroes. */
struct uet_known_tally {
    struct {
        uint32_t ran, passed, bad;
        char id[104]; /* of its own result */
    } of[UET_DUT_MAX_KNOWN];
};

/* Counts a result, after uet_known_compare, for each entry that concerns it; one that was cut for
 * none. */
void uet_known_add(struct uet_known_tally *tally, const struct uet_dut *dut,
                   const struct uet_result *result);

/*
 * Ends a run that was not cut short: gives a result (id "rule.PDS-105", or with the pattern) to
 * events->done for each entry of several tests by which nothing failed; the id lives as long as the
 * tally. 0, or what done returned.
 */
int uet_known_report(struct uet_known_tally *tally, const struct uet_dut *dut,
                     const struct uet_run_events *events, struct uet_summary *summary);

#endif
