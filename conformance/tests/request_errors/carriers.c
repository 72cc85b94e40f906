/* SPDX-License-Identifier: BSD-2-Clause */
/* The forms in which a request can come (3.4.2, 3.5.7). */
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
};

bool is_send(const struct carrier *c)
{
    return c->opcode == UET_OP_SEND || c->opcode == UET_OP_TAGGED_SEND;
}

bool takes_carrier(struct uet_tc *tc, enum carrier_id carrier)
{
    const struct carrier *c = &carriers[carrier];

    for (size_t i = 0; i < c->n_claims; i++) {
        if (!uet_tc_dut(tc)->claims[c->claims[i]])
            return false;
    }
    /* Regions with keys of a kind of their own (Table 2-13), and receives with a tag. */
    return uet_tc_ut(tc) || !(c->rudi || (c->header == UET_UT_HEADER_SMALL && !is_send(c)) ||
                              c->opcode == UET_OP_TAGGED_SEND);
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

struct uet_out make_request(struct uet_tc *tc, const struct wrong_request *r)
{
    const struct carrier *c = &carriers[r->carrier];
    const struct uet_memory *m = &r->memory;

    if (c->rudi)
        return c->opcode == UET_OP_READ ? uet_rudi_read(tc, m, r->offset, N)
                                        : uet_rudi_write(tc, m, r->offset, TEXT, N);
    if (c->header == UET_UT_HEADER_MEDIUM)
        return uet_medium(r->pdc, c->opcode, m, r->offset, TEXT, N);
    if (c->header == UET_UT_HEADER_SMALL)
        return uet_small(r->pdc, c->opcode, m, r->offset, TEXT, N);
    switch (c->opcode) {
    case UET_OP_SEND:
        return uet_send_message(r->pdc, m, TEXT, N);
    case UET_OP_TAGGED_SEND:
        return tagged_send(r->pdc, m, REQUEST_TAG);
    case UET_OP_READ:
        return uet_read(r->pdc, m, r->offset, N);
    default:
        return uet_write(r->pdc, m, r->offset, TEXT, N);
    }
}
