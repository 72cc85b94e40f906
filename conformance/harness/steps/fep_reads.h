/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads of a FEP that is the initiator: the tester has what it reads. */
#ifndef UET_HARNESS_STEPS_FEP_READS_H
#define UET_HARNESS_STEPS_FEP_READS_H

#include "conformance/harness/steps/steps.h"

#define READ_MOST 40

/* A read that the FEP has started: its Requests, and the bytes that the tester has for it. */
struct fep_read {
    uint64_t handle;
    uint32_t n;
    const uint8_t *bytes;
    struct uet_pdc *pdc; /* of its first Request */
    const struct uet_in *in[READ_MOST];
    size_t count;
};

/*
 * Starts it and takes its Requests: one a payload MTU (SES-071), at most READ_MOST. A FEP that lets
 * fewer be outstanding is skipped.
 */
struct fep_read fep_reads(struct uet_tc *tc, uint32_t n);
struct fep_read fep_reads_op(struct uet_tc *tc, const struct uet_ut_operation *op);

/* Takes the Requests of a READ that it starts by itself: n of these bytes; it has no handle. */
struct fep_read fep_is_reading(struct uet_tc *tc, const uint8_t *bytes, uint32_t n);
/* The same of one that may not start yet: then its count is 0. */
struct fep_read fep_may_be_reading(struct uet_tc *tc, const uint8_t *bytes, uint32_t n);

/* The i-th part of the data as a Request of the return direction; made in the order of their PSNs.
 */
struct uet_out part_of(const struct fep_read *r, size_t i);
/* The same with ar=0. */
struct uet_out unasked_part_of(const struct fep_read *r, size_t i);

/* All parts are said; each is acknowledged by name or covered. */
void serve(struct uet_tc *tc, const char *requirement, const struct fep_read *r);

/*
 * For the end of a test whose read the FEP may leave open: the parts from the i-th on, so that it
 * need not wait for ever (ROB-040). What comes of them is not looked at, and the PDC is not closed
 * but where no reset would end it.
 */
void serve_rest(struct uet_tc *tc, struct fep_read *r, size_t i);

/* The read is done: it completes with all bytes, and they are the tester's. */
void check_read(struct uet_tc *tc, const char *requirement, const struct fep_read *r);
/* It has not completed. */
void check_open(struct uet_tc *tc, const char *requirement, const struct fep_read *r);

#endif
