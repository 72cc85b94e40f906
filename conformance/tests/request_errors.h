/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Requests that fail at one of the checks of spec-map/checks.csv, or at two of them at once, in
 * each form in which a request can come. Which code must come follows from the order of the checks.
 * Where that order is not sure, or a known implementation gives another code, the other code is a
 * finding.
 */
#ifndef UET_CONFORMANCE_TESTS_REQUEST_ERRORS_H
#define UET_CONFORMANCE_TESTS_REQUEST_ERRORS_H

#include "conformance/harness/tc.h"

/* The forms of a request (carriers.c). */
enum carrier_id {
    CARRIER_WRITE,
    CARRIER_SEND,
    CARRIER_READ,
    CARRIER_MEDIUM_WRITE,
    CARRIER_MEDIUM_READ,
    CARRIER_MEDIUM_SEND,
    CARRIER_SMALL_WRITE,
    CARRIER_SMALL_READ,
    CARRIER_ROD_WRITE,
    CARRIER_ROD_SEND,
    CARRIER_RUDI_WRITE,
    CARRIER_RUDI_READ,
    CARRIER_TAGGED_SEND,
    CARRIER_SMALL_SEND,
    CARRIER_MEDIUM_TAGGED_SEND,
    CARRIER_ROD_READ,
    CARRIER_ROD_TAGGED_SEND,
    CARRIER_ATOMIC,
    CARRIER_FETCHING_ATOMIC,
    CARRIER_DEFERRABLE_SEND,
    CARRIER_RENDEZVOUS_SEND,
    CARRIER_RUDI_MEDIUM_WRITE,
    CARRIER_RUDI_SMALL_READ,
    N_CARRIERS,
};

struct carrier;

/* A request under way to have its errors: where it goes, and what it asks. */
struct wrong_request {
    enum carrier_id carrier;
    struct uet_pdc *pdc; /* RUDI: NULL */
    struct uet_memory memory;
    uint64_t offset;
};

/*
 * Sends requests that fail at `first` and at one later check each: the code of `first` must come
 * each time. Pairs that no request can have are left out, and so are those that want an upper
 * tester or a claim that is not there: a note says so. Without any the test is a skip.
 */
void first_wins(struct uet_tc *tc, enum uet_check_id first, enum carrier_id carrier);

/*
 * Sends a request that fails at this check alone in each form that it can have. Forms that the FEP
 * does not take are left out, and a note says so.
 */
void seen_in_each(struct uet_tc *tc, enum uet_check_id check);

/*
 * Sends a request that is right but for what `alter` does to it in each form that the FEP takes, of
 * those that `of` chooses (NULL: all): no success must come of it, nor a byte be written, nor a
 * receive end well.
 */
void executed_in_none(struct uet_tc *tc, const char *requirement,
                      bool (*of)(const struct carrier *), void (*alter)(struct uet_out *o));

/*
 * Sends a request with rel=0, of a JobID that the FEP does not know, in each form that the FEP
 * takes, to what any job may use: each must succeed.
 */
void found_in_each(struct uet_tc *tc, const char *requirement);

/*
 * Sends a right request in each form that the FEP takes and that fetches nothing: what tells RC_OK
 * must count the bytes of its message (SES-124), or 0 in a default response.
 */
void counted_in_each(struct uet_tc *tc, const char *requirement);

/* Sends a request that fails at this check alone: its code must come, or one that is a finding. */
void refused_at(struct uet_tc *tc, enum uet_check_id check, enum carrier_id carrier,
                const struct uet_out *o);

/* ---- one form (carriers.c) ---- */

/* What each request writes, or how many bytes it reads. */
#define REQUEST_TEXT  "an error "
#define REQUEST_BYTES ((uint32_t)sizeof REQUEST_TEXT - 1)
#define REQUEST_TAG   0x7a6 /* of a tagged send, and of the receive that it would find */

struct carrier {
    const char *name;
    uint8_t opcode; /* what stands in the request */
    uint8_t claims[3];
    size_t n_claims;
    uint8_t header; /* enum uet_ut_header */
    bool rod, rudi;
};

extern const struct carrier carriers[N_CARRIERS];

/* Does it find a receive, by its place in the queue or by its tag? Else it names a region. */
bool is_send(const struct carrier *c);
/* ... by its tag? */
bool is_by_tag(const struct carrier *c);
/* Does an extension stand behind its header (3.4.2.4)? */
bool is_extended(const struct carrier *c);

/* Does the FEP claim what takes such a request, and has it memory for it? */
bool takes_carrier(struct uet_tc *tc, enum carrier_id carrier);

/* What the request is sent on, opened if need be: *p, *rod; NULL for RUDI. */
struct uet_pdc *pdc_for(struct uet_tc *tc, enum carrier_id carrier, struct uet_pdc **p,
                        struct uet_pdc **rod);

/* The request as it is aimed. */
struct uet_out make_request(struct uet_tc *tc, const struct wrong_request *r);

/* ---- one error (errors.c) ---- */

struct request_error {
    bool rma, send;    /* such a request can have it */
    bool upper_tester; /* it takes an upper tester to make it possible */
    bool generations;  /* and resource indices with generations */
    bool rod;          /* it is a ROD Request: a FEP without ROD may drop it (PDS-233) */
    uint32_t alone;    /* 1u << enum uet_check_id: later errors that cannot stand beside it */
    void (*aim)(struct uet_tc *tc, struct wrong_request *r);   /* before the packet is made */
    void (*alter)(const struct uet_tc *tc, struct uet_out *o); /* and after; either may be NULL */
};

extern const struct request_error request_errors[UET_N_CHECKS];

/* Can a request of this form have it? The small header names a region by its RI alone. */
bool can_have(enum uet_check_id check, enum carrier_id carrier);

/* Why it cannot be tried at this FEP; NULL: it can. */
const char *lacks_for(struct uet_tc *tc, enum uet_check_id check);

/* What a request with these errors (a set of 1u << enum uet_check_id) is aimed at before any. */
struct uet_memory buffer_for(struct uet_tc *tc, uint32_t errors, enum carrier_id carrier);
/* For a request to memory without error: of more than 1 MiB, where the FEP has one. */
struct uet_memory long_buffer_for(struct uet_tc *tc, enum carrier_id carrier);
/* What a request of any JobID finds by an absolute address (3.4.1.3). */
struct uet_memory buffer_of_anybody(struct uet_tc *tc, enum carrier_id carrier);

#endif
