/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Requests with two errors at once. Which code must come follows from the order of the checks
 * (spec-map/checks.csv). Where that order is not sure, or a known implementation gives another
 * code, the other code is a finding.
 */
#ifndef UET_CONFORMANCE_TESTS_TWO_ERRORS_H
#define UET_CONFORMANCE_TESTS_TWO_ERRORS_H

#include "conformance/harness/tc.h"

/* A request under way to have its errors: where it goes, and what it asks. */
struct wrong_request {
    struct uet_pdc *pdc;
    struct uet_memory memory;
    uint64_t offset;
    bool send; /* a SEND; else a WRITE */
};

/*
 * Sends requests that fail at `first` and at one later check each, WRITEs or SENDs: the code of
 * `first` must come each time. Pairs that no request can have, or that need an upper tester where
 * there is none, are left out; without any the test is a skip.
 */
void first_wins(struct uet_tc *tc, enum uet_check_id first, bool send);

/* ---- one error (errors.c) ---- */

struct request_error {
    bool write, send;  /* such a request can have it */
    bool upper_tester; /* it takes an upper tester to make it possible */
    uint32_t alone;    /* 1u << enum uet_check_id: later errors that cannot stand beside it */
    void (*aim)(struct uet_tc *tc, struct wrong_request *r);   /* before the packet is made */
    void (*alter)(const struct uet_tc *tc, struct uet_out *o); /* and after; either may be NULL */
};

extern const struct request_error request_errors[UET_N_CHECKS];

/*
 * What a request with these two errors is aimed at, before any of them: a region or a receive.
 */
struct uet_memory buffer_for(struct uet_tc *tc, enum uet_check_id first, enum uet_check_id second,
                             bool send);

#endif
