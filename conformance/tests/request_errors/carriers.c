/* SPDX-License-Identifier: BSD-2-Clause */
/* The forms in which a request can come (3.4.2, 3.5.7). */
#include "conformance/tests/request_errors/request_errors.h"

#define TEXT "an error "
#define N    ((uint32_t)sizeof TEXT - 1)

const struct carrier carriers[N_CARRIERS] = {
    [CARRIER_WRITE] = {"WRITE", UET_OP_WRITE, {UET_PICS_WRITE}, 1},
    [CARRIER_SEND] = {"SEND", UET_OP_SEND, {UET_PICS_SEND}, 1},
    [CARRIER_READ] = {"READ", UET_OP_READ, {UET_PICS_READ}, 1},
    [CARRIER_MEDIUM_WRITE] = {"WRITE with the medium header",
                              UET_OP_WRITE,
                              {UET_PICS_WRITE, UET_PICS_MEDIUM_HEADER},
                              2,
                              UET_UT_HEADER_MEDIUM},
    [CARRIER_MEDIUM_READ] = {"READ with the medium header",
                             UET_OP_READ,
                             {UET_PICS_READ, UET_PICS_MEDIUM_HEADER},
                             2,
                             UET_UT_HEADER_MEDIUM},
    [CARRIER_MEDIUM_SEND] = {"SEND with the medium header",
                             UET_OP_SEND,
                             {UET_PICS_SEND, UET_PICS_MEDIUM_HEADER},
                             2,
                             UET_UT_HEADER_MEDIUM},
    [CARRIER_SMALL_WRITE] = {"WRITE with the small header",
                             UET_OP_WRITE,
                             {UET_PICS_WRITE, UET_PICS_SMALL_HEADER},
                             2,
                             UET_UT_HEADER_SMALL},
    [CARRIER_SMALL_READ] = {"READ with the small header",
                            UET_OP_READ,
                            {UET_PICS_READ, UET_PICS_SMALL_HEADER},
                            2,
                            UET_UT_HEADER_SMALL},
    [CARRIER_ROD_WRITE] =
        {"WRITE on ROD", UET_OP_WRITE, {UET_PICS_WRITE, UET_PICS_ROD}, 2, .rod = true},
    [CARRIER_ROD_SEND] =
        {"SEND on ROD", UET_OP_SEND, {UET_PICS_SEND, UET_PICS_ROD}, 2, .rod = true},
    [CARRIER_RUDI_WRITE] =
        {"WRITE over RUDI", UET_OP_WRITE, {UET_PICS_WRITE, UET_PICS_RUDI}, 2, .rudi = true},
    [CARRIER_RUDI_READ] =
        {"READ over RUDI", UET_OP_READ, {UET_PICS_READ, UET_PICS_RUDI}, 2, .rudi = true},
};

bool takes_carrier(struct uet_tc *tc, enum carrier_id carrier)
{
    const struct carrier *c = &carriers[carrier];

    for (size_t i = 0; i < c->n_claims; i++) {
        if (!uet_tc_dut(tc)->claims[c->claims[i]])
            return false;
    }
    /* The regions that they want have keys of a kind of their own (Table 2-13). */
    return uet_tc_ut(tc) ||
           !(c->rudi || (c->header == UET_UT_HEADER_SMALL && c->opcode != UET_OP_SEND));
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
    case UET_OP_READ:
        return uet_read(r->pdc, m, r->offset, N);
    default:
        return uet_write(r->pdc, m, r->offset, TEXT, N);
    }
}
