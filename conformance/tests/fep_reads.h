/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tests on reads share whose FEP is the initiator: the tester has what it reads. */
#ifndef UET_CONFORMANCE_TESTS_FEP_READS_H
#define UET_CONFORMANCE_TESTS_FEP_READS_H

#include <string.h>

#include "conformance/tests/pds.h"
#include "conformance/tests/pds_target.h"

#define READ_MOST 40

/* A read that the FEP has started: its Requests, and the bytes that the tester has for it. */
struct fep_read {
    uint64_t handle;
    uint32_t n;
    const uint8_t *bytes;
    struct uet_pdc *pdc;
    const struct uet_in *in[READ_MOST];
    size_t count;
};

static inline bool is_read(const struct uet_in *in, const void *ctx)
{
    (void)ctx;
    return uet_is_ses_request(&in->packet) && !in->retransmission &&
           uet_ses_req_opcode(uet_ses(&in->packet)) == UET_OP_READ;
}

/* Starts it and takes its Requests: one a payload MTU (SES-071). */
static inline struct fep_read fep_reads_op(struct uet_tc *tc, const struct uet_ut_operation *op)
{
    uint32_t mtu = uet_tc_dut(tc)->payload_mtu;
    const struct uet_want read = {
        .kind = UET_WANT_REQUEST, .also = is_read, .named = "Request of the FEP's READ"};
    struct fep_read r = {.n = op->length,
                         .bytes = uet_tc_bytes(tc, op->length),
                         .count = (op->length + mtu - 1) / mtu};

    r.handle = uet_do_read(tc, op);
    r.in[0] = uet_expect(tc, &read, 0); /* a READ of nothing is one packet, too */
    for (size_t i = 1; i < r.count; i++) {
        r.in[i] = uet_maybe(tc, &read, 0);
        if (!r.in[i])
            uet_skip(tc, "the FEP lets no more than %zu packets of a READ be outstanding", i);
    }
    r.pdc = r.in[0]->pdc;
    return r;
}

static inline struct fep_read fep_reads(struct uet_tc *tc, uint32_t n)
{
    struct uet_ut_operation op = uet_op(tc, n);

    return fep_reads_op(tc, &op);
}

/* The i-th part of the data as a Request of the return direction; made in the order of their PSNs.
 */
static inline struct uet_out part_of(const struct fep_read *r, size_t i)
{
    return uet_return_data(r->pdc, r->in[i], r->bytes);
}

/* The read is done: it has completed with all bytes, and they are the tester's. */
static inline void check_read(struct uet_tc *tc, const char *requirement, const struct fep_read *r)
{
    uint8_t got[4096];
    const struct uet_memory m = {.handle = r->handle};

    uet_for(tc, requirement);
    struct uet_ut_completion c = uet_expect_completion(tc, r->handle);
    uet_check_eq(tc, requirement, "completion status", c.status, UET_UT_OK);
    uet_check_eq(tc, requirement, "bytes read", c.length, r->n);
    for (uint32_t at = 0; at < r->n; at += sizeof(got)) {
        uint32_t part = r->n - at < sizeof(got) ? r->n - at : (uint32_t)sizeof(got);
        uet_read_back(tc, &m, at, got, part);
        uet_check(tc, requirement, memcmp(got, r->bytes + at, part) == 0,
                  "the bytes that the FEP has read from offset %u on are not those sent", at);
    }
}

/* It has not completed. */
static inline void check_open(struct uet_tc *tc, const char *requirement, const struct fep_read *r)
{
    struct uet_ut_completion c;

    uet_check(tc, requirement, !uet_completion(tc, r->handle, UET_MS, &c),
              "the read completed before all of its data had come");
}

/* All parts are sent; each is acknowledged by name or covered. */
static inline void serve(struct uet_tc *tc, const char *requirement, const struct fep_read *r)
{
    uint32_t last = 0;

    for (size_t i = 0; i < r->count; i++) {
        struct uet_out data = part_of(r, i);
        uet_send(tc, &data);
        last = data.psn;
    }
    uet_for(tc, requirement);
    uet_expect_covered(tc, r->pdc, last);
}

#endif
