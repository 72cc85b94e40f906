/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What ends, in each way in which it can, more often than the FEP has room for it: then the FEP
 * must serve as on its first day.
 */
#ifndef UET_CONFORMANCE_TESTS_ENDURANCE_H
#define UET_CONFORMANCE_TESTS_ENDURANCE_H

#include "conformance/tests/pds.h"
#include "conformance/tests/pds_target.h"

/* Of every declaration: the rounds take long enough at one point. */
#define AT_ONE_POINT .not_over = "all"

enum {
    ROUNDS_UNTOLD = 20, /* where nothing is told of the FEP's pools */
    ROUNDS_MOST = 300,
};

/* More often than the largest pool that is told of the FEP has room. */
static inline unsigned rounds(const struct uet_tc *tc)
{
    const char *name;
    uint64_t told = uet_dut_largest_pool(uet_tc_dut(tc), &name);

    if (!told)
        return ROUNDS_UNTOLD;
    return told + 2 < ROUNDS_MOST ? (unsigned)told + 2 : ROUNDS_MOST;
}

/* A test of endurance on its way. */
struct endure {
    struct uet_tc *tc;
    const char *requirement;
    const struct uet_memory *m; /* a region of the test's, or NULL */
    struct uet_pdc *pdc;        /* of all rounds, or NULL */
    unsigned round;
};

/* One round; false: the FEP no longer does what it did at first, and that has been said. */
typedef bool endure_round(struct endure *e);

/* The rounds, and then what the FEP must still do. */
static inline void endure(struct endure *e, endure_round *one)
{
    const unsigned n = rounds(e->tc);

    uet_for(e->tc, e->requirement);
    for (e->round = 1; e->round <= n; e->round++) {
        if (!one(e))
            return;
        uet_forget(e->tc);
    }
    uet_serves(e->tc, e->requirement, UET_PASS, e->m);
}

/* It is acknowledged, as the first one was. */
static inline bool goes_well(struct endure *e, const struct uet_out *o, const char *what)
{
    const struct uet_in *in = uet_answered(e->tc, o);

    uet_look_at(e->tc, in);
    return uet_check(
        e->tc, e->requirement, in && uet_is_ack(&in->packet), "%s of round %u is %s%s", what,
        e->round, in ? "refused with " : "not answered",
        in && uet_is_nack(&in->packet)
            ? uet_enum_name(UET_ENUM_PDS_NACK_CODE, uet_nack_nack_code(uet_pds(&in->packet)))
            : "");
}

/* A PDC opened with one Request, or NULL. */
static inline struct uet_pdc *opens_pdc(struct endure *e)
{
    struct uet_pdc *p = uet_pdc_new(e->tc);
    struct uet_out syn = uet_any_request(p);

    return goes_well(e, &syn, "the SYN") ? p : NULL;
}

static inline bool closes_pdc(struct endure *e, struct uet_pdc *p)
{
    struct uet_out close = uet_cp(p, UET_CTL_CLOSE_COMMAND);

    return goes_well(e, &close, "the Close Command");
}

#endif
