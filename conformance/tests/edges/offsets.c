/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.4.2.1, 3.4.3: buffer_offset at each of its edges, in each form of a request to memory. */
#include "conformance/harness/edges.h"
#include "conformance/harness/steps/memory.h"
#include "conformance/harness/steps/reads.h"
#include "conformance/harness/steps/requests.h"
#include "conformance/tests/request_errors.h"

/* Where a request ends at the end of the region, at 2^32, at 2^64; and one byte to each side. */
static struct uet_edges offsets_for(const struct wrong_request *r)
{
    struct uet_edges e = uet_edges_of(UET_H_SES_REQ_STD_SOM1, UET_F_SES_BUFFER_OFFSET);

    uet_edges_add_limit(&e, UINT64_C(1) << 18);
    uet_edges_add_limit(&e, r->memory.length - REQUEST_BYTES);
    uet_edges_add_limit(&e, r->memory.length);
    uet_edges_add_limit(&e, (UINT64_C(1) << 32) - REQUEST_BYTES);
    uet_edges_add_limit(&e, UINT64_MAX - REQUEST_BYTES + 1);
    return e;
}

static bool lies_inside(const struct wrong_request *r)
{
    return r->offset <= r->memory.length - REQUEST_BYTES;
}

/* The bytes that came are those of the memory; without an upper tester: as many. */
static void reads_memory(struct uet_tc *tc, const struct wrong_request *r, const struct uet_out *o)
{
    uint8_t there[REQUEST_BYTES];
    const struct source s = {.m = r->memory, .bytes = there};
    const struct uet_in *in = hear(tc, "SES-013", .pdc = o->pdc, .also = is_data,
                                   .named = "packet with the data of that READ");

    payload_bytes(tc, "SES-013", in, REQUEST_BYTES);
    if (!uet_tc_ut(tc))
        return;
    uet_read_back(tc, &r->memory, r->offset, there, sizeof there);
    check_data(tc, "SES-013", in, &s, 0, sizeof there);
}

static void succeeds(struct uet_tc *tc, const struct wrong_request *r)
{
    const struct uet_out o = make_request(tc, r);

    if (carriers[r->carrier].opcode == UET_OP_READ) {
        say(tc, &o);
        reads_memory(tc, r, &o);
        return;
    }
    if (o.pdc) {
        accepted(tc, "SES-013", &o);
    } else {
        say(tc, &o);
        uet_check_success(tc, "SES-013", hear(tc, "SES-013", RUDI_RESPONSE_TO(&o)));
    }
    memory_holds(tc, "SES-013", &r->memory, r->offset, REQUEST_TEXT, REQUEST_BYTES);
}

/* It has its answer: the FEP need not keep it longer (3.5.11.4.4). */
static void done_with(const struct uet_out *o)
{
    if (o->pdc)
        o->pdc->clear_psn = o->psn;
}

static void at_each_offset(struct uet_tc *tc, enum carrier_id form)
{
    struct uet_pdc *p = NULL, *rod = NULL;
    struct wrong_request r = {.carrier = form, .memory = long_buffer_for(tc, form)};
    const struct uet_edges e = offsets_for(&r);

    r.pdc = pdc_for(tc, form, &p, &rod);
    for (size_t i = 0; i < e.n; i++) {
        r.offset = e.value[i];
        if (lies_inside(&r))
            succeeds(tc, &r);
    }
    struct kept before =
        keep(tc, &r.memory, 0, r.memory.length < KEPT_MOST ? r.memory.length : KEPT_MOST);
    for (size_t i = 0; i < e.n; i++) {
        r.offset = e.value[i];
        if (lies_inside(&r))
            continue;
        const struct uet_out o = make_request(tc, &r);
        refused_at(tc, UET_CHECK_RANGE, form, &o);
        done_with(&o);
    }
    unchanged(tc, "SES-065", &before);
}

#define OFFSET_EDGES(name, test_id, claims, words, form)                                           \
    UET_TEST(name, .id = "ses.3.4.6.3." test_id, .requirements = "SES-065 SES-013",                \
             .role = UET_ROLE_TARGET, .needs = (claims), .contested = true,                        \
             .purpose = "buffer_offset counts in all 64 bits, and a region ends where it ends.",   \
             .preamble =                                                                           \
                 "A region of more than 1 MiB, or as long as the FEP has one; PDC open, but for "  \
                 "RUDI.",                                                                          \
             .stimulus =                                                                           \
                 words " of 9 bytes at each edge of buffer_offset: 0, 1; on both sides "           \
                       "of 2^8, 2^16, 2^18, 2^31, 2^32 and 2^63; 2^64 - 1; and so that they "      \
                       "end, or begin, one byte before, at and behind the end of the "             \
                       "region, or end so at 2^32 and 2^64.",                                      \
             .expected = "What lies in the region succeeds, with the right bytes. The others "     \
                         "bring RC_BAD_ADDR (RC_UNSUPPORTED_SIZE and RC_AT_OUT_OF_RANGE are "      \
                         "findings); memory unchanged.")                                           \
    {                                                                                              \
        at_each_offset(tc, form);                                                                  \
    }

OFFSET_EDGES(write_offsets, "offset-edges-of-write", "write", "WRITEs", CARRIER_WRITE)

OFFSET_EDGES(read_offsets, "offset-edges-of-read", "read", "READs", CARRIER_READ)

OFFSET_EDGES(medium_write_offsets, "offset-edges-of-medium-write", "write medium-header",
             "WRITEs with the medium header", CARRIER_MEDIUM_WRITE)

OFFSET_EDGES(medium_read_offsets, "offset-edges-of-medium-read", "read medium-header",
             "READs with the medium header", CARRIER_MEDIUM_READ)

OFFSET_EDGES(small_write_offsets, "offset-edges-of-small-write", "write small-header upper-tester",
             "WRITEs with the small header", CARRIER_SMALL_WRITE)

OFFSET_EDGES(small_read_offsets, "offset-edges-of-small-read", "read small-header upper-tester",
             "READs with the small header", CARRIER_SMALL_READ)

OFFSET_EDGES(rudi_write_offsets, "offset-edges-of-rudi-write", "write rudi upper-tester",
             "RUDI WRITEs", CARRIER_RUDI_WRITE)

OFFSET_EDGES(rudi_read_offsets, "offset-edges-of-rudi-read", "read rudi upper-tester", "RUDI READs",
             CARRIER_RUDI_READ)
