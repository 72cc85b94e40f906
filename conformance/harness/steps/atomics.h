/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Atomics (3.4.4). Most tests use the fetching SUM of two UINT64, which each FEP with atomics is
 * like to have; what becomes of an element is asked of every pair that the FEP claims.
 */
#ifndef UET_HARNESS_STEPS_ATOMICS_H
#define UET_HARNESS_STEPS_ATOMICS_H

#include "conformance/harness/elements.h"
#include "conformance/harness/steps/reads.h"

/* Does the FEP claim it? plain: without the old value; else fetching. */
bool claims_atomic(struct uet_tc *tc, bool plain, uint8_t amo, uint8_t datatype);
/* The FEP claims it, or the test ends as skip. */
void need_atomic(struct uet_tc *tc, bool plain, uint8_t amo, uint8_t datatype);
void need_fetching_sum(struct uet_tc *tc);

/* ---- every claimed pair of an operation (Tables 3-21, 3-22) ---- */

/*
 * T <amo> I makes R, as numbers (uet_element_wire), on the datatypes of a kind that have at least
 * so many bytes. C: what is compared, or the mask; NULL: there is none.
 */
struct amo_row {
    uint8_t on;    /* enum uet_element_kind */
    uint8_t least; /* bytes of a number; 0: any */
    const char *t, *i, *c, *r;
};

/*
 * The FEP does the operation, with the old value and without, as its claims are, on each datatype
 * for which there is a row: the old value comes back, the new one stands in memory, its neighbours
 * are as before. Skip: nothing is claimed of it.
 */
void atomic_makes(struct uet_tc *tc, uint8_t amo, const struct amo_row *rows, size_t n);

/* As the FEP's host has them in memory: the elements that stand so on the wire, n bytes of them. */
const uint8_t *in_memory(struct uet_tc *tc, uint8_t datatype, const uint8_t *wire, uint32_t n);

/* ---- a FEP that is the target ---- */

/* That much is added to the element at this offset. */
struct uet_out fetching_sum(struct uet_pdc *p, const struct uet_memory *m, uint64_t offset,
                            uint64_t operand);
/* The old value that it must bring, by whatever way. */
uint64_t old_value(struct uet_tc *tc, const char *requirement, const struct uet_out *o);
/* Says it, and takes the old value. */
uint64_t fetched(struct uet_tc *tc, const char *requirement, const struct uet_out *o);
/* What stands there: fetched by adding nothing. */
uint64_t value_at(struct uet_tc *tc, const char *requirement, struct uet_pdc *p,
                  const struct uet_memory *m, uint64_t offset);

/* ---- a FEP that is the initiator ---- */

/* One that it has started: what was asked for, in the byte order of the network, and its Request.
 */
struct fep_atomic {
    uint64_t handle;
    struct uet_atomic what;
    const struct uet_in *in;
};

/* It does that to elements of the tester's. The test must acknowledge. */
struct fep_atomic fep_does(struct uet_tc *tc, const struct uet_atomic *atomic);
/* A fetching SUM of two UINT64. */
struct fep_atomic fep_adds(struct uet_tc *tc, uint64_t operand);

/* The same by an operation that the test has made: its tag, its place. */
struct fep_atomic fep_does_to(struct uet_tc *tc, const struct uet_atomic *atomic,
                              struct uet_ut_operation op);

/* Each pair that it claims, one after the other, with one element and with -5 (and 6); plain and
 * tagged as in `like`. */
typedef void fep_atomic_check(struct uet_tc *tc, struct fep_atomic f);
void fep_does_every_pair(struct uet_tc *tc, const struct uet_atomic *like, fep_atomic_check *check);

/* One packet, its extension, its operands, its request_length. */
void asked_rightly(struct uet_tc *tc, const struct fep_atomic *f);
/* The old value as bytes that answer it (uet_ack_data, uet_return_data): uet_element_wire. */
const uint8_t *element(struct uet_tc *tc, uint8_t datatype, const char *text);
const uint8_t *on_the_wire(struct uet_tc *tc, uint64_t value);
/* It completes, once, and has brought this old value to the application. */
void brought(struct uet_tc *tc, const char *requirement, const struct fep_atomic *f,
             uint64_t value);
void brought_element(struct uet_tc *tc, const char *requirement, const struct fep_atomic *f,
                     const uint8_t *wire);

#endif
