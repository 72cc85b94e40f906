/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The tester as the destination of a FEP that writes on credit (3.6.14). Where the count of credit
 * begins is not public: tests go on from a credit_target that the FEP has told itself.
 */
#ifndef UET_CONFORMANCE_TESTS_CREDITED_H
#define UET_CONFORMANCE_TESTS_CREDITED_H

#include "conformance/harness/steps/target.h"
#include "conformance/tests/congested.h"

#define CREDIT_MASK 0xffffffu

/* RCCC is on, or can be turned on. */
static inline bool turn_on_rccc(struct uet_tc *tc)
{
    return uet_try_param(tc, "RCCC", 1);
}

static inline void need_rccc(struct uet_tc *tc, bool nscc)
{
    uint64_t is_on;

    if (!uet_try_param(tc, "RCCC", 1) && (!uet_tc_told(tc, "RCCC", &is_on) || !is_on))
        uet_skip_for(tc, UET_SKIP_VERB, "RCCC may be off, and this FEP cannot turn it on");
    uet_try_param(tc, "NSCC", nscc);
}

/* credit_target of a Request. */
static inline uint32_t target_of(const struct uet_in *in)
{
    return uet_rud_rod_cc_req_credit_target(uet_pds(&in->packet));
}

/* How far `a` is ahead of `b`, modulo 2^24; below 0: behind. */
static inline int32_t units_ahead(uint32_t a, uint32_t b)
{
    uint32_t by = (a - b) & CREDIT_MASK;

    return by < 0x800000u ? (int32_t)by : (int32_t)by - 0x1000000;
}

/* So many units in all. */
static inline void grant(struct congested *c, uint32_t units)
{
    struct uet_out cp = cp_at(c->pdc, UET_CTL_CREDIT, 0);

    uet_cp_payload_credit_credit_set(cp.pds + UET_CP_BYTES - UET_CP_PAYLOAD_CREDIT_BYTES,
                                     units & CREDIT_MASK);
    say(c->tc, &cp);
}

/*
 * The FEP writes so many bytes; what it sends before it hears anything. All of it is CC Requests
 * (CMS-076). With NSCC or, where it can go without, without it.
 */
static inline void fep_speculates_bytes(struct congested *c, struct uet_tc *tc, uint64_t bytes,
                                        bool nscc)
{
    bool set = turn_on_rccc(tc);

    uet_auto_credit(tc, false);
    fep_sends(c, tc, bytes, nscc);
    for (uint32_t i = 0; i < c->n; i++) {
        bool cc = uet_is_cc_request(&c->in[i]->packet);
        if (!cc && !set)
            uet_skip_for(tc, UET_SKIP_VERB, "RCCC is off, and this FEP cannot turn it on");
        uet_check(tc, "CMS-076", cc, "a Request without req_cc_state, while RCCC is on");
    }
}

/* The same of more than so many of its windows. */
static inline void fep_speculates_by(struct congested *c, struct uet_tc *tc, uint32_t windows,
                                     bool nscc)
{
    fep_speculates_bytes(c, tc, bytes_of_windows(tc, windows), nscc);
}

static inline void fep_speculates(struct congested *c, struct uet_tc *tc, uint32_t windows)
{
    fep_speculates_by(c, tc, windows, true);
}

/* ACKs for all of the flight; none brings credit. */
static inline void take_it(struct congested *c)
{
    answer_flight(c, .m = false);
    c->n = 0;
}

/* What it sends on the credit of now; its packets are acknowledged. In nominal bytes. */
static inline uint32_t sent_on_credit(struct congested *c)
{
    uet_wait(c->tc, 4 * c->base_rtt);
    take_flight(c, maybe(c->tc, .kind = UET_WANT_REQUEST, .pdc = c->pdc,
                         .within = uet_tc_latest(c->tc, UET_MS)));
    uint32_t bytes = c->bytes;
    take_it(c);
    return bytes;
}

/* The same, where some must come: a FEP may take longer than a flight lasts. */
static inline uint32_t credit_brings(struct congested *c, const char *requirement)
{
    uet_wait(c->tc, 4 * c->base_rtt);
    take_flight(c, hear(c->tc, requirement, REQUEST_ON(c->pdc)));
    uint32_t bytes = c->bytes;
    take_it(c);
    return bytes;
}

/* Its timeout is not public: that of a resend at most, which fep_fills has made long. */
static inline const struct uet_in *maybe_credit_request(struct congested *c)
{
    /* The timeout is the FEP's own; another packet that was resent may have begun it anew. */
    uint64_t within =
        3 * uet_tc_param(c->tc, "RTO_Init_Time") + uet_tc_dut(c->tc)->response_time_ns;

    uet_auto_ack(c->tc, true); /* other Control Packets of the FEP may wait for it */
    const struct uet_in *in = maybe(c->tc, CP_ON(c->pdc, UET_CTL_CREDIT_REQUEST), .within = within);
    uet_auto_ack(c->tc, false);
    return in;
}

static inline const struct uet_in *credit_request(struct congested *c, const char *requirement)
{
    const struct uet_in *in = maybe_credit_request(c);

    return in ? in
              : hear(c->tc, requirement, CP_ON(c->pdc, UET_CTL_CREDIT_REQUEST), .within = UET_US);
}

static inline uint32_t asked_target(const struct uet_in *cp)
{
    return uet_cp_payload_credit_request_credit_target(uet_cp_payload_of(&cp->packet));
}

/* Credit until it has written to its end. */
static inline void drain_on_credit(struct congested *c)
{
    uet_auto_credit(c->tc, true);
    drain(c);
}

#endif
