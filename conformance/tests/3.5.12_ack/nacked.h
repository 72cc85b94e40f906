/* SPDX-License-Identifier: BSD-2-Clause */
/* A write of the FEP that gets a NACK: where tests of what the source then does begin. */
#ifndef UET_CONFORMANCE_TESTS_NACKED_H
#define UET_CONFORMANCE_TESTS_NACKED_H

#include "conformance/harness/steps/acks.h"
#include "conformance/tests/pds.h"

/* A write of the FEP that got a NACK. */
struct nacked {
    struct uet_pdc *pdc;     /* where it came */
    const struct uet_in *in; /* its packet */
    uint64_t handle;
};

/* The FEP, which has `pdc` open, writes one packet, there or on another PDC. It gets that NACK, and
 * from now on nothing is acknowledged by itself. */
static inline struct nacked nack_a_write(struct uet_tc *tc, struct uet_pdc *pdc, uint8_t code)
{
    struct nacked w = {.pdc = pdc};

    w.in = copy_to_refuse(tc, fep_writes_unanswered(tc, &w.pdc, &w.handle));
    say_nack(tc, w.in, code);
    return w;
}

#endif
