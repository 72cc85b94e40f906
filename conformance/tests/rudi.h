/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tests on RUDI share. */
#ifndef UET_CONFORMANCE_TESTS_RUDI_H
#define UET_CONFORMANCE_TESTS_RUDI_H

#include "conformance/tests/pds.h"

/* ---- the FEP is the initiator ---- */

/* The FEP writes over RUDI to a region that may be written twice. */
static inline uint64_t rudi_writes(struct uet_tc *tc, uint32_t n)
{
    struct uet_ut_operation op = uet_op(tc, n);

    op.mode = UET_UT_MODE_RUDI;
    op.key |= 1ull << 63; /* idempotent_safe (Table 2-13) */
    return uet_do_write(tc, &op);
}

/* Its next RUDI Request, in the name of what the test is about. */
static inline const struct uet_in *rudi_request(struct uet_tc *tc)
{
    return uet_expect(tc, &(const struct uet_want){NEW_RUDI_REQUEST}, 0);
}

/* It is done. */
static inline void answer_rudi(struct uet_tc *tc, const struct uet_in *in)
{
    struct uet_out o = uet_rudi_answer(tc, in, UET_RC_OK);

    say(tc, &o);
}

/* ---- the FEP is the target ---- */

/* Says a RUDI Request and hears its Response. */
static inline const struct uet_in *ask_rudi(struct uet_tc *tc, const char *requirement,
                                            const struct uet_out *o)
{
    say(tc, o);
    return hear(tc, requirement, RUDI_RESPONSE_TO(o));
}

#endif
