/* SPDX-License-Identifier: BSD-2-Clause */
/* ROD PDCs that the tester opens. */
#ifndef UET_CONFORMANCE_TESTS_ROD_H
#define UET_CONFORMANCE_TESTS_ROD_H

#include "conformance/tests/pds_target.h"

/* A ROD PDC about to be opened. */
static inline struct uet_pdc *rod_new(struct uet_tc *tc)
{
    struct uet_pdc *p = uet_pdc_new(tc);

    p->rod = true;
    return p;
}

/* Preamble: one that is open. */
static inline struct uet_pdc *rod_open(struct uet_tc *tc)
{
    uet_preamble_begin(tc);
    struct uet_pdc *p = rod_new(tc);
    struct uet_out syn = uet_any_request(p);
    exchange(tc, &syn);
    uet_preamble_end(tc);
    return p;
}

/* The NACK of a packet ahead of the one that is expected, which it names (3.5.21). */
static inline const struct uet_in *hear_ooo(struct uet_tc *tc, const char *requirement,
                                            const struct uet_out *o, uint32_t expected)
{
    const struct uet_in *nack = hear(tc, requirement, NACK_OF(o, UET_NACK_ROD_OOO));

    field(tc, requirement, nack, UET_F_PDS_PAYLOAD, expected);
    return nack;
}

/* Such a NACK of the tester's. */
static inline struct uet_out ooo(struct uet_pdc *pdc, uint32_t arrived, uint32_t expected)
{
    struct uet_out nack = uet_nack(pdc, arrived, UET_NACK_ROD_OOO);

    uet_nack_payload_set(nack.pds, expected);
    return nack;
}

#endif
