/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads of the FEP's: what it asks for, and what it makes of the data. */
#include <string.h>

#include "conformance/harness/steps/fep_reads.h"

static bool is_read(const struct uet_in *in, const void *none)
{
    (void)none;
    return uet_is_ses_request(&in->packet) && !in->retransmission &&
           uet_ses_req_opcode(uet_ses(&in->packet)) == UET_OP_READ;
}

#define NEW_READ .kind = UET_WANT_REQUEST, .also = is_read, .named = "Request of the FEP's READ"

/* A READ of nothing is a packet, too. */
static struct fep_read begun(struct uet_tc *tc, const struct uet_in *first, const uint8_t *bytes,
                             uint32_t n)
{
    uint32_t mtu = uet_tc_dut(tc)->payload_mtu;
    struct fep_read r = {.n = n, .bytes = bytes, .count = (n + mtu - 1) / mtu};

    r.in[0] = first;
    for (size_t i = 1; i < r.count; i++) {
        r.in[i] = maybe(tc, NEW_READ);
        if (r.in[i])
            continue;
        field(tc, "SES-010", first, UET_F_SES_REQUEST_LENGTH, n); /* or it asks for no more */
        uet_skip(tc, "the FEP lets no more than %zu packets of a READ be outstanding", i);
    }
    r.pdc = first->pdc;
    return r;
}

struct fep_read fep_is_reading(struct uet_tc *tc, const uint8_t *bytes, uint32_t n)
{
    return begun(tc, uet_expect(tc, &(struct uet_want){NEW_READ}, 0), bytes, n);
}

struct fep_read fep_may_be_reading(struct uet_tc *tc, const uint8_t *bytes, uint32_t n)
{
    const struct uet_in *first = maybe(tc, NEW_READ);

    return first ? begun(tc, first, bytes, n) : (struct fep_read){.n = n};
}

struct fep_read fep_reads_op(struct uet_tc *tc, const struct uet_ut_operation *op)
{
    const uint8_t *bytes = uet_tc_bytes(tc, op->length);
    uint64_t handle = uet_do_read(tc, op);
    struct fep_read r = fep_is_reading(tc, bytes, op->length);

    r.handle = handle;
    return r;
}

struct fep_read fep_reads(struct uet_tc *tc, uint32_t n)
{
    struct uet_ut_operation op = uet_op(tc, n);

    return fep_reads_op(tc, &op);
}

struct uet_out part_of(const struct fep_read *r, size_t i)
{
    return uet_return_data(r->pdc, r->in[i], r->bytes);
}

struct uet_out unasked_part_of(const struct fep_read *r, size_t i)
{
    struct uet_out o = part_of(r, i);

    uet_rud_rod_req_ar_set(o.pds, false);
    return o;
}

void serve(struct uet_tc *tc, const char *requirement, const struct fep_read *r)
{
    struct uet_out data = {0};

    for (size_t i = 0; i < r->count; i++) {
        data = part_of(r, i);
        say(tc, &data);
    }
    hear(tc, requirement, COVERED(&data));
}

void serve_rest(struct uet_tc *tc, struct fep_read *r, size_t i)
{
    struct uet_ut_completion c;

    r->pdc->auto_close = false;
    tolerate(tc, REFUSAL_ON(NULL));
    for (; i < r->count; i++) {
        struct uet_out data = part_of(r, i);
        say(tc, &data);
    }
    (void)uet_completion(tc, r->handle, uet_tc_latest(tc, UET_MS), &c);
}

void check_read(struct uet_tc *tc, const char *requirement, const struct fep_read *r)
{
    uint8_t got[4096];
    const struct uet_memory m = {.handle = r->handle};
    struct uet_ut_completion c = completes(tc, requirement, r->handle, UET_UT_OK);

    tells_length(tc, requirement, "bytes read", &c, r->n);
    for (uint32_t at = 0; at < r->n; at += sizeof(got)) {
        uint32_t part = r->n - at < sizeof(got) ? r->n - at : (uint32_t)sizeof(got);
        uet_read_back(tc, &m, at, got, part);
        uet_check(tc, requirement, memcmp(got, r->bytes + at, part) == 0,
                  "the bytes that the FEP has read from offset %u on are not those sent", at);
    }
}

void check_open(struct uet_tc *tc, const char *requirement, const struct fep_read *r)
{
    stays_open(tc, requirement, r->handle, UET_MS);
}
