/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rules that the FEP broke outside the subject of the tests in which it did: each becomes an entry
 * of its own among the results of the run ("rule.PDS-105"), and the tests keep their verdicts.
 */
#ifndef UET_CONFORMANCE_OUTSIDE_H
#define UET_CONFORMANCE_OUTSIDE_H

#include "conformance/harness/run/runner.h"

#define UET_OUTSIDE_SHOWN 4 /* tests that an entry names */

/* One rule, and where it was broken. */
struct uet_outside_rule {
    const struct uet_requirement *requirement;
    char id[24]; /* of its entry */
    uint32_t packets, n_tests;
    struct {
        const char *id; /* the result's */
        uint32_t frame; /* the first one there, in that test's capture */
        uint32_t packets;
        char point[UET_POINT_NAME]; /* of that test; "": the ordinary one */
    } first[UET_OUTSIDE_SHOWN];
    char text[200], pcap[256]; /* of the very first */
};

/* Begins as zeroes; uet_outside_free() ends it. */
struct uet_outside {
    struct uet_outside_rule *rules;
    size_t n;
};

/*
 * Takes in what a test saw, in the order of the tests; the strings of the result must stay until
 * the end. A test that was cut counts for nothing. 0 or -ENOMEM.
 */
int uet_outside_add(struct uet_outside *outside, const struct uet_result *result);

/*
 * Ends the run: gives each entry to events->done and counts it. A MUST is a fail; a SHOULD passes
 * with a finding, unless the session is strict. On a real link, a rule that one test alone saw
 * broken is looked for once more in that test, and is inconc when it is not seen again. 0, or what
 * done returned.
 */
int uet_outside_report(const struct uet_outside *outside, struct uet_session *session,
                       const struct uet_run_events *events, struct uet_summary *summary);

/* Did one of the rules broken outside its subject fail the FEP, if not the test? */
bool uet_outside_fails(const struct uet_result *result, bool strict);

/* Gives back what was taken in; the struct may begin again. */
void uet_outside_free(struct uet_outside *outside);

#endif
