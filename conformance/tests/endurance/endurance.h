/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What ends, in each way in which it can, more often than the FEP has room for it: then the FEP
 * must serve as on its first day.
 */
#ifndef UET_CONFORMANCE_TESTS_ENDURANCE_H
#define UET_CONFORMANCE_TESTS_ENDURANCE_H

#include <stdio.h>

#include "conformance/tests/pds.h"
#include "conformance/tests/pds_target.h"

/* Of every declaration: the rounds take long enough at one point. */
#define AT_ONE_POINT .not_over = "all"

enum {
    ROUNDS_UNTOLD = 20, /* where nothing is told of the FEP's pools */
    ROUNDS_MOST = 300,
};

#define LONG_ENOUGH_NS (3000 * UET_MS) /* for all rounds of a test */

/* More often than the largest pool that is told of the FEP has room. */
static inline unsigned rounds(const struct uet_tc *tc)
{
    const char *name;
    uint64_t told = uet_dut_largest_pool(uet_tc_dut(tc), &name);

    if (!told)
        return ROUNDS_UNTOLD;
    return told + 2 < ROUNDS_MOST ? (unsigned)told + 2 : ROUNDS_MOST;
}

/* How much of a pool one batch may use up, where a round would only wait: half of what is told. */
static inline unsigned batch(const struct uet_tc *tc, const char *pool)
{
    uint64_t told;

    if (!uet_dut_param(uet_tc_dut(tc), pool, &told))
        return 1;
    return told < 2 ? 1 : told < 64 ? (unsigned)told / 2 : 32;
}

/* A test of endurance on its way. */
struct endure {
    struct uet_tc *tc;
    const char *requirement;
    const struct uet_memory *m; /* a region of the test's, or NULL */
    struct uet_pdc *pdc;        /* of all rounds, or NULL */
    const uint8_t *bytes;       /* of each message */
    uint32_t n;                 /* of them */
    unsigned each;              /* how often a round does it; 0 as 1 */
    uint32_t first;             /* how much of it the first round found room for */
    bool waits;                 /* a round takes its time, for a timer of the FEP's */
    bool firm;                  /* what goes wrong is a finding in the first round, too */
    unsigned round;
};

/* One round; false: the FEP no longer does what it did at first, and that has been said. */
typedef bool endure_round(struct endure *e);

static inline bool endure_rounds(struct endure *e, endure_round *one)
{
    const unsigned n = rounds(e->tc), each = e->each ? e->each : 1;
    const uint64_t begin = uet_tc_now(e->tc);
    const bool unhurried = e->waits && uet_tc_virtual_time(e->tc);

    uet_for(e->tc, e->requirement);
    for (e->round = 1; (e->round - 1) * each < n; e->round++) {
        if (!one(e))
            return false;
        uet_forget(e->tc);
        bool late = uet_tc_now(e->tc) - begin > LONG_ENOUGH_NS && !unhurried;
        if (late && e->round * each >= ROUNDS_UNTOLD)
            break; /* a FEP that answers late has less of it */
    }
    return true;
}

/* The rounds, and then what the FEP must still do. */
static inline void endure(struct endure *e, endure_round *one)
{
    if (!endure_rounds(e, one))
        return;
    if (e->pdc && !e->pdc->closed) {
        struct uet_out last = uet_any_request(e->pdc); /* with the CLEAR of all before */
        uet_answered(e->tc, &last);
    }
    uet_serves(e->tc, e->requirement, UET_PASS, e->m);
}

/* False, and a finding: that of this round is not as that of the first. */
static inline bool went(struct endure *e, bool well, const char *what, const char *how)
{
    if (!well && e->round == 1 && !e->firm) /* why is the subject of another test */
        uet_skip(e->tc, "%s %s the first time, too", what, how);
    return uet_check(e->tc, e->requirement, well, "%s of round %u %s", what, e->round, how);
}

/* It is acknowledged, as the first one was. */
static inline bool goes_well(struct endure *e, const struct uet_out *o, const char *what)
{
    const struct uet_in *in = uet_answered(e->tc, o);
    char how[80] = "is not answered";

    if (in && uet_is_nack(&in->packet))
        snprintf(how, sizeof(how), "is refused with %s",
                 uet_enum_name(UET_ENUM_PDS_NACK_CODE, uet_nack_nack_code(uet_pds(&in->packet))));
    uet_look_at(e->tc, in);
    return went(e, in && uet_is_ack(&in->packet), what, how);
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

/* The same where the FEP may have ended the PDC before: then it says so. */
static inline bool is_gone(struct endure *e, struct uet_pdc *p)
{
    struct uet_out close = uet_cp(p, UET_CTL_CLOSE_COMMAND);
    const struct uet_in *in = uet_answered(e->tc, &close);

    return went(e, in && !uet_short_of_room(in), "the Close Command", "is not answered");
}

enum { PARTS = 3 };

/* A message of three packets; each asks for its ACK. */
static inline void three_packets(struct endure *e, struct uet_pdc *p, uint8_t opcode,
                                 struct uet_out *o)
{
    uet_message(p, opcode, e->m, 0, opcode == UET_OP_READ ? NULL : e->bytes, e->n, o, PARTS);
    for (int i = 0; i < PARTS; i++)
        uet_rud_rod_req_ar_set(o[i].pds, true);
}

static inline uint32_t length_of_three(const struct uet_tc *tc)
{
    return 2u * uet_tc_dut(tc)->payload_mtu + 64;
}

#endif
