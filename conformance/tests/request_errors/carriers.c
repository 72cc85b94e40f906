/* SPDX-License-Identifier: BSD-2-Clause */
/* The forms in which a request can come (3.4.2, 3.5.7). */
#include <string.h>

#include "conformance/harness/steps/atomics.h"
#include "conformance/harness/steps/rendezvous.h"
#include "conformance/harness/steps/tagged.h"
#include "conformance/tests/request_errors.h"

#define TEXT REQUEST_TEXT
#define N    REQUEST_BYTES

#define CLAIMS(...) .claims = {__VA_ARGS__}, .n_claims = sizeof((const uint8_t[]){__VA_ARGS__})

const struct carrier carriers[N_CARRIERS] = {
    [CARRIER_WRITE] = {.name = "WRITE", .opcode = UET_OP_WRITE, CLAIMS(UET_PICS_WRITE)},
    [CARRIER_SEND] = {.name = "SEND", .opcode = UET_OP_SEND, CLAIMS(UET_PICS_SEND)},
    [CARRIER_READ] = {.name = "READ", .opcode = UET_OP_READ, CLAIMS(UET_PICS_READ)},
    [CARRIER_MEDIUM_WRITE] = {.name = "WRITE with the medium header",
                              .opcode = UET_OP_WRITE,
                              CLAIMS(UET_PICS_WRITE, UET_PICS_MEDIUM_HEADER),
                              .header = UET_UT_HEADER_MEDIUM},
    [CARRIER_MEDIUM_READ] = {.name = "READ with the medium header",
                             .opcode = UET_OP_READ,
                             CLAIMS(UET_PICS_READ, UET_PICS_MEDIUM_HEADER),
                             .header = UET_UT_HEADER_MEDIUM},
    [CARRIER_MEDIUM_SEND] = {.name = "SEND with the medium header",
                             .opcode = UET_OP_SEND,
                             CLAIMS(UET_PICS_SEND, UET_PICS_MEDIUM_HEADER),
                             .header = UET_UT_HEADER_MEDIUM},
    [CARRIER_SMALL_WRITE] = {.name = "WRITE with the small header",
                             .opcode = UET_OP_WRITE,
                             CLAIMS(UET_PICS_WRITE, UET_PICS_SMALL_HEADER),
                             .header = UET_UT_HEADER_SMALL},
    [CARRIER_SMALL_READ] = {.name = "READ with the small header",
                            .opcode = UET_OP_READ,
                            CLAIMS(UET_PICS_READ, UET_PICS_SMALL_HEADER),
                            .header = UET_UT_HEADER_SMALL},
    [CARRIER_ROD_WRITE] = {.name = "WRITE on ROD",
                           .opcode = UET_OP_WRITE,
                           CLAIMS(UET_PICS_WRITE, UET_PICS_ROD),
                           .rod = true},
    [CARRIER_ROD_SEND] = {.name = "SEND on ROD",
                          .opcode = UET_OP_SEND,
                          CLAIMS(UET_PICS_SEND, UET_PICS_ROD),
                          .rod = true},
    [CARRIER_RUDI_WRITE] = {.name = "WRITE over RUDI",
                            .opcode = UET_OP_WRITE,
                            CLAIMS(UET_PICS_WRITE, UET_PICS_RUDI),
                            .rudi = true},
    [CARRIER_RUDI_READ] = {.name = "READ over RUDI",
                           .opcode = UET_OP_READ,
                           CLAIMS(UET_PICS_READ, UET_PICS_RUDI),
                           .rudi = true},
    [CARRIER_TAGGED_SEND] = {.name = "tagged SEND",
                             .opcode = UET_OP_TAGGED_SEND,
                             CLAIMS(UET_PICS_TAGGED)},
    [CARRIER_SMALL_SEND] = {.name = "SEND with the small header",
                            .opcode = UET_OP_SEND,
                            CLAIMS(UET_PICS_SEND, UET_PICS_SMALL_HEADER),
                            .header = UET_UT_HEADER_SMALL},
    [CARRIER_MEDIUM_TAGGED_SEND] = {.name = "tagged SEND with the medium header",
                                    .opcode = UET_OP_TAGGED_SEND,
                                    CLAIMS(UET_PICS_TAGGED, UET_PICS_MEDIUM_HEADER),
                                    .header = UET_UT_HEADER_MEDIUM},
    [CARRIER_ROD_READ] = {.name = "READ on ROD",
                          .opcode = UET_OP_READ,
                          CLAIMS(UET_PICS_READ, UET_PICS_ROD),
                          .rod = true},
    [CARRIER_ROD_TAGGED_SEND] = {.name = "tagged SEND on ROD",
                                 .opcode = UET_OP_TAGGED_SEND,
                                 CLAIMS(UET_PICS_TAGGED, UET_PICS_ROD),
                                 .rod = true},
    /* Of these `atomics` of fep.yaml tells: SUMs of UINT64. */
    [CARRIER_ATOMIC] = {.name = "atomic", .opcode = UET_OP_ATOMIC},
    [CARRIER_FETCHING_ATOMIC] = {.name = "fetching atomic", .opcode = UET_OP_FETCHING_ATOMIC},
    [CARRIER_DEFERRABLE_SEND] = {.name = "deferrable SEND",
                                 .opcode = UET_OP_DEFERRABLE_SEND,
                                 CLAIMS(UET_PICS_DEFERRAL)},
    [CARRIER_RENDEZVOUS_SEND] = {.name = "rendezvous SEND",
                                 .opcode = UET_OP_RENDEZVOUS_SEND,
                                 CLAIMS(UET_PICS_RENDEZVOUS)},
    [CARRIER_RUDI_MEDIUM_WRITE] = {.name = "WRITE over RUDI with the medium header",
                                   .opcode = UET_OP_WRITE,
                                   CLAIMS(UET_PICS_WRITE, UET_PICS_RUDI, UET_PICS_MEDIUM_HEADER),
                                   .header = UET_UT_HEADER_MEDIUM,
                                   .rudi = true},
    [CARRIER_RUDI_SMALL_READ] = {.name = "READ over RUDI with the small header",
                                 .opcode = UET_OP_READ,
                                 CLAIMS(UET_PICS_READ, UET_PICS_RUDI, UET_PICS_SMALL_HEADER),
                                 .header = UET_UT_HEADER_SMALL,
                                 .rudi = true},
};

static bool is_atomic(const struct carrier *c)
{
    return c->opcode == UET_OP_ATOMIC || c->opcode == UET_OP_FETCHING_ATOMIC;
}

bool is_send(const struct carrier *c)
{
    return c->opcode != UET_OP_WRITE && c->opcode != UET_OP_READ && !is_atomic(c);
}

bool is_by_tag(const struct carrier *c)
{
    return c->opcode == UET_OP_TAGGED_SEND;
}

bool is_extended(const struct carrier *c)
{
    return is_atomic(c) || c->opcode == UET_OP_RENDEZVOUS_SEND;
}

bool takes_carrier(struct uet_tc *tc, enum carrier_id carrier)
{
    const struct carrier *c = &carriers[carrier];

    for (size_t i = 0; i < c->n_claims; i++) {
        if (!uet_tc_dut(tc)->claims[c->claims[i]])
            return false;
    }
    if (is_atomic(c) &&
        !claims_atomic(tc, c->opcode == UET_OP_ATOMIC, UET_AMO_SUM, UET_TYPE_UINT64))
        return false;
    /* Regions with keys of a kind of their own (Table 2-13), and receives with a tag. */
    return uet_tc_ut(tc) ||
           !(c->rudi || (c->header == UET_UT_HEADER_SMALL && !is_send(c)) || is_by_tag(c) ||
             is_extended(c) || c->opcode == UET_OP_DEFERRABLE_SEND);
}

struct uet_pdc *pdc_for(struct uet_tc *tc, enum carrier_id carrier, struct uet_pdc **p,
                        struct uet_pdc **rod)
{
    if (carriers[carrier].rudi)
        return NULL;
    if (!carriers[carrier].rod)
        return *p ? *p : (*p = uet_pdc_open(tc));
    if (!*rod) {
        *rod = uet_pdc_new(tc);
        (*rod)->rod = true;
    }
    return *rod;
}

static struct uet_out sum(struct uet_tc *tc, const struct wrong_request *r)
{
    const struct uet_atomic a = {.amo = UET_AMO_SUM,
                                 .datatype = UET_TYPE_UINT64,
                                 .operand = on_the_wire(tc, 0x0102030405060708),
                                 .n = 8,
                                 .plain = carriers[r->carrier].opcode == UET_OP_ATOMIC};

    return uet_atomic(r->pdc, &r->memory, r->offset, &a);
}

static struct uet_out deferrable_send(const struct wrong_request *r)
{
    struct uet_out o = uet_send_message(r->pdc, &r->memory, TEXT, N);

    uet_ses_req_opcode_set(o.ses, UET_OP_DEFERRABLE_SEND);
    uet_ses_req_defer_irt_set(o.ses, 0x1000);
    uet_ses_req_defer_trt_set(o.ses, 0);
    return o;
}

/* It brings all itself: who takes it reads nothing. */
static struct uet_out rendezvous_send(struct uet_tc *tc, const struct wrong_request *r)
{
    return rendezvous(tc, .m = r->memory, .p = r->pdc, .n = N, .eager = N).o[0];
}

static struct uet_out medium(const struct wrong_request *r)
{
    const struct carrier *c = &carriers[r->carrier];
    struct uet_out o = uet_medium(r->pdc, c->opcode, &r->memory, r->offset, TEXT, N);

    if (is_by_tag(c)) {
        uet_ses_req_match_bits_or_memory_key_set(o.ses, REQUEST_TAG);
        uet_ses_req_initiator_set(o.ses, UET_TC_SENDER);
    }
    return o;
}

/* RUDI with one of the optimized headers: as on a PDC that nothing is sent on. */
static void shorten(struct uet_tc *tc, const struct wrong_request *r, struct uet_out *o)
{
    const bool is_medium = carriers[r->carrier].header == UET_UT_HEADER_MEDIUM;
    struct wrong_request on_pdc = *r;

    on_pdc.pdc = uet_pdc_new(tc);
    on_pdc.pdc->auto_close = false;
    const struct uet_out like = is_medium ? medium(&on_pdc)
                                          : uet_small(on_pdc.pdc, carriers[r->carrier].opcode,
                                                      &r->memory, r->offset, TEXT, N);
    memcpy(o->ses, like.ses, sizeof o->ses);
    o->ses_len = like.ses_len;
    uet_rudi_next_hdr_set(o->pds, is_medium ? UET_NH_REQUEST_MEDIUM : UET_NH_REQUEST_SMALL);
}

static struct uet_out rudi(struct uet_tc *tc, const struct wrong_request *r)
{
    const struct carrier *c = &carriers[r->carrier];
    struct uet_out o = c->opcode == UET_OP_READ
                           ? uet_rudi_read(tc, &r->memory, r->offset, N)
                           : uet_rudi_write(tc, &r->memory, r->offset, TEXT, N);

    if (c->header != UET_UT_HEADER_STD)
        shorten(tc, r, &o);
    return o;
}

struct uet_out make_request(struct uet_tc *tc, const struct wrong_request *r)
{
    const struct carrier *c = &carriers[r->carrier];
    const struct uet_memory *m = &r->memory;

    if (c->rudi)
        return rudi(tc, r);
    if (c->header == UET_UT_HEADER_MEDIUM)
        return medium(r);
    if (c->header == UET_UT_HEADER_SMALL)
        return uet_small(r->pdc, c->opcode, m, r->offset, TEXT, N);
    switch (c->opcode) {
    case UET_OP_SEND:
        return uet_send_message(r->pdc, m, TEXT, N);
    case UET_OP_TAGGED_SEND:
        return tagged_send(r->pdc, m, REQUEST_TAG);
    case UET_OP_READ:
        return uet_read(r->pdc, m, r->offset, N);
    case UET_OP_ATOMIC:
    case UET_OP_FETCHING_ATOMIC:
        return sum(tc, r);
    case UET_OP_DEFERRABLE_SEND:
        return deferrable_send(r);
    case UET_OP_RENDEZVOUS_SEND:
        return rendezvous_send(tc, r);
    default:
        return uet_write(r->pdc, m, r->offset, TEXT, N);
    }
}
