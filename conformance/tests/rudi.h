/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tests on RUDI share whose FEP is the initiator. */
#ifndef UET_CONFORMANCE_TESTS_RUDI_H
#define UET_CONFORMANCE_TESTS_RUDI_H

#include "conformance/tests/pds.h"

/* The FEP writes over RUDI to a region that may be written twice. */
static inline uint64_t rudi_writes(struct uet_tc *tc, uint32_t n)
{
    struct uet_ut_operation op = uet_op(tc, n);

    op.mode = UET_UT_MODE_RUDI;
    op.key |= 1ull << 63; /* idempotent_safe (Table 2-13) */
    return uet_do_write(tc, &op);
}

static inline bool first_copy(const struct uet_in *in, const void *ctx)
{
    (void)ctx;
    return !uet_rudi_retx(uet_pds(&in->packet));
}

static inline const struct uet_in *rudi_request(struct uet_tc *tc)
{
    static const struct uet_want want = {.kind = UET_WANT_RUDI_REQUEST, .also = first_copy};

    return uet_expect(tc, &want, 0);
}

#endif
