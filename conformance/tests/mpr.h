/* SPDX-License-Identifier: BSD-2-Clause */
/* The tester as a target that bounds the FEP's window by mpr (3.5.11.4), and what runs into it. */
#ifndef UET_CONFORMANCE_TESTS_MPR_H
#define UET_CONFORMANCE_TESTS_MPR_H

#include "conformance/harness/steps/acks.h"
#include "conformance/tests/pds.h"

/* An ACK_CC, taken out of this packet, of all up to this PSN. */
static inline void say_ack_cc(struct uet_tc *tc, const struct uet_in *in, uint32_t psn, uint8_t mpr)
{
    in->pdc->ack_cc = true;
    struct uet_out ack = ack_at(in, psn, psn);
    uet_ack_cc_mpr_set(ack.pds, mpr);
    say(tc, &ack);
}

/* An ACK_CC of this packet that covers all up to it, with this mpr. */
static inline void ack_with_mpr(struct uet_tc *tc, const struct uet_in *in, uint8_t mpr)
{
    say_ack_cc(tc, in, psn_of(in), mpr);
}

/* How far beyond psn new Requests come, while nothing is acknowledged; the last of them in *last.
 */
static inline uint32_t runs_to(struct uet_tc *tc, const struct uet_pdc *pdc, uint32_t psn,
                               uint32_t at_most, const struct uet_in **last)
{
    uint32_t most = 0;

    for (uint32_t n = 0; n < at_most; n++) {
        const struct uet_in *in = uet_next_request(tc, pdc);
        if (!in)
            break;
        int32_t ahead = uet_psn_diff(uet_packet_psn(&in->packet), psn);
        if (ahead > (int32_t)most) {
            most = (uint32_t)ahead;
            *last = in;
        }
    }
    return most;
}

/* Of a message of 200 packets that begins so, what comes before mpr=1 stops the FEP: the last. */
static inline const struct uet_in *fills_window(struct uet_tc *tc, const struct uet_in *first)
{
    const struct uet_in *last = first;

    if (runs_to(tc, first->pdc, psn_of(first), 200, &last) >= 199)
        uet_skip(tc, "nothing stops the FEP"); /* as mpr=1 should have (PDS-060) */
    return last;
}

/*
 * The FEP knows this mpr, from the ACK of a packet on its PDC, and writes so many packets there, of
 * which the tester acknowledges none: the first.
 */
static inline const struct uet_in *writes_against(struct uet_tc *tc, uint8_t mpr, uint32_t packets,
                                                  uint64_t *of)
{
    struct uet_pdc *on = fep_opens(tc);
    uint64_t handle;

    const struct uet_in *one = fep_writes_unanswered(tc, &on, &handle);
    ack_with_mpr(tc, one, mpr);
    uet_expect_completion(tc, handle);
    const struct uet_in *in = fep_writes_on(tc, &on, packets * uet_tc_dut(tc)->payload_mtu, of);
    same_pdc(tc, one->pdc, in);
    return in;
}

/* The same as writes_against, by ROD. */
static inline const struct uet_in *writes_in_order_against(struct uet_tc *tc, uint8_t mpr,
                                                           uint32_t packets, uint64_t *of)
{
    struct uet_ut_operation op = uet_op(tc, 16);

    op.mode = UET_UT_MODE_ROD;
    uet_auto_ack(tc, false);
    uint64_t handle = uet_do_write(tc, &op);
    const struct uet_in *one = uet_expect_any_request(tc, NULL);
    ack_with_mpr(tc, one, mpr);
    uet_expect_completion(tc, handle);
    op.length = packets * uet_tc_dut(tc)->payload_mtu;
    *of = uet_do_write(tc, &op);
    const struct uet_in *in = uet_expect_any_request(tc, NULL);
    same_pdc(tc, one->pdc, in);
    return in;
}

/* Each packet that comes is acknowledged by name, and CACK_PSN stays: the last one. */
static inline const struct uet_in *acked_by_name(struct uet_tc *tc, const struct uet_in *first,
                                                 uint32_t at_most)
{
    const struct uet_in *last = first;
    uint32_t cack = psn_of(first) - 1;

    for (const struct uet_in *in = first; in && at_most-- > 0;
         in = uet_next_request(tc, first->pdc)) {
        struct uet_out ack = ack_at(in, cack, psn_of(in));
        uet_ack_cc_mpr_set(ack.pds, 1);
        say(tc, &ack);
        last = in;
    }
    return last;
}

#endif
