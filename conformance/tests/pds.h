/* SPDX-License-Identifier: BSD-2-Clause */
/* What the PDS tests of the initiator role share. */
#ifndef UET_CONFORMANCE_TESTS_PDS_H
#define UET_CONFORMANCE_TESTS_PDS_H

#include "conformance/harness/steps/acks.h"

/* For a message that is tried again: the consortium's provider waits 50 to 100 ms at first. */
#define AGAIN_WITHIN (1000 * UET_MS)

/* The FEP starts a WRITE of n bytes to the tester; its first packet, and the PDC it came on. */
static inline const struct uet_in *fep_writes(struct uet_tc *tc, uint32_t n, struct uet_pdc **pdc,
                                              uint64_t *handle)
{
    const struct uet_in *in;
    struct uet_ut_operation op = uet_op(tc, n);
    uint64_t h = uet_do_write(tc, &op);
    *pdc = uet_accept(tc, &in);
    if (handle)
        *handle = h;
    uet_look_at(tc, in);
    return in;
}

/* The Request is of that mode, on credit or not. */
static inline void on_mode(struct uet_tc *tc, const char *requirement, const struct uet_in *in,
                           bool rod)
{
    uet_check(tc, requirement, uet_is_rod_request(&in->packet) == rod, "a Request on %s",
              rod ? "RUD" : "ROD");
}

/* A Control Packet of a PDC of the FEP's. */
struct cp_from {
    const struct uet_pdc *pdc;
    uint8_t ctl_type;
};

/* For .also. */
static inline bool is_cp_from(const struct uet_in *in, const void *ctx)
{
    const struct cp_from *want = ctx;
    const struct uet_packet *p = &in->packet;

    return uet_is_of(UET_WANT_CP, p) && uet_cp_ctl_type(uet_pds(p)) == want->ctl_type &&
           uet_spdcid(p) == want->pdc->fep_pdcid;
}

/*
 * For PDCs of which no ACK has told the FEP the PDCID of the tester: what has dpdcid 0 is on no PDC
 * of the tester, and CP_ON does not know it.
 */
#define CP_FROM(p, type)                                                                           \
    .kind = UET_WANT_ANY, .also = is_cp_from, .ctx = &(const struct cp_from)                       \
    {                                                                                              \
        (p), (type)                                                                                \
    }

/*
 * Preamble: the FEP has an established PDC to the tester and nothing outstanding on it. What it
 * retransmitted because the tester was late is forgotten.
 */
static inline struct uet_pdc *fep_opens(struct uet_tc *tc)
{
    struct uet_pdc *pdc;
    uint64_t handle;
    uet_preamble_begin(tc);
    fep_writes(tc, 16, &pdc, &handle);
    uet_expect_completion(tc, handle);
    uet_forget_settled(tc);
    uet_preamble_end(tc);
    if (pdc->closed)
        uet_skip(tc, "the FEP closes a PDC as soon as it is idle, as it may (PDS-214)");
    return pdc;
}

/*
 * For tests that may wait in vain for an answer, and go on then: a FEP closes what is idle
 * meanwhile (PDS-214), unless that can be set to take longer.
 */
static inline void hold_idle(struct uet_tc *tc)
{
    uet_try_param(tc, "Idle_Time", 8 * uet_tc_dut(tc)->response_time_ns);
}

#define HELD_RTO (2000 * UET_MS)

/*
 * For tests in which no RTO may expire: it is made to take so long, and longer than a test listens.
 * Where it cannot be set, one that is longer than any answer will do.
 */
static inline void hold_rto_for(struct uet_tc *tc, uint64_t least)
{
    uint64_t rto = 8 * uet_tc_quiet(tc), told;

    if (uet_try_param(tc, "RTO_Init_Time", rto > least ? rto : least))
        return;
    if (!uet_tc_told(tc, "RTO_Init_Time", &told) || told < uet_tc_dut(tc)->response_time_ns)
        uet_skip_for(tc, UET_SKIP_VERB,
                     "no RTO may expire meanwhile, and RTO_Init_Time of this FEP cannot be set");
}

static inline void hold_rto(struct uet_tc *tc)
{
    hold_rto_for(tc, HELD_RTO);
}

/*
 * The same for a test that waits for what ends after such an RTO, too: in real time it is not much
 * longer than the tester waits for any one packet.
 */
static inline void hold_rto_shortly(struct uet_tc *tc)
{
    const uint64_t patience = uet_tc_patience(tc), least = patience + patience / 8;

    hold_rto_for(tc, uet_tc_virtual_time(tc) || least > HELD_RTO ? HELD_RTO : least);
}

/* The same where a FEP that cannot be set would retransmit into a silence of quiet_ns. */
static inline void need_long_rto(struct uet_tc *tc, uint64_t quiet_ns)
{
    hold_rto(tc);
    uint64_t rto = uet_tc_param(tc, "RTO_Init_Time");
    if (rto <= quiet_ns)
        uet_skip_for(tc, UET_SKIP_VERB, "RTO_Init_Time is %.3f ms and cannot be set",
                     (double)rto / 1e6);
}

/*
 * An RTO with which 17 resends, each after twice the time, come soon: after 3.3 s; in real time
 * after 0.7 s, where the FEP takes one so short.
 */
static inline uint64_t retries_soon(struct uet_tc *tc)
{
    if (!uet_tc_virtual_time(tc) && uet_try_param(tc, "RTO_Init_Time", 10 * UET_US))
        return 10 * UET_US;
    uet_set_param(tc, "RTO_Init_Time", 50 * UET_US);
    return 50 * UET_US;
}

/*
 * Another WRITE; its first packet. It may come on the PDC that is open or on another one, as the
 * FEP likes (3.5.8.1): *pdc is the one.
 */
static inline const struct uet_in *fep_writes_on(struct uet_tc *tc, struct uet_pdc **pdc,
                                                 uint32_t n, uint64_t *handle)
{
    struct uet_ut_operation op = uet_op(tc, n);
    uint64_t h = uet_do_write(tc, &op);
    if (handle)
        *handle = h;
    const struct uet_in *in = uet_expect_any_request(tc, NULL);
    *pdc = in->pdc;
    return in;
}

/* The same of one packet; from now on the tester acknowledges nothing by itself. */
static inline const struct uet_in *fep_writes_unanswered(struct uet_tc *tc, struct uet_pdc **pdc,
                                                         uint64_t *handle)
{
    uet_auto_ack(tc, false);
    const struct uet_in *in = fep_writes_on(tc, pdc, 16, handle);
    ask_to_drain(tc, in);
    return in;
}

/*
 * A WRITE of two packets: the first is acknowledged, so that the FEP knows the TPDCID; the second,
 * which is returned, is not.
 */
static inline const struct uet_in *fep_holds(struct uet_tc *tc, struct uet_pdc **pdc,
                                             uint64_t *handle)
{
    uet_auto_ack(tc, false);
    const struct uet_in *in = fep_writes_on(tc, pdc, 2u * uet_tc_dut(tc)->payload_mtu, handle);
    struct uet_out ack = uet_ack(*pdc, in);
    uet_ack_cack_psn_set(ack.pds, uet_packet_psn(&in->packet));
    uet_ack_ack_psn_offset_set(ack.pds, 0);
    uet_send(tc, &ack);
    in = uet_expect_any_request(tc, *pdc);
    ask_to_drain(tc, in);
    return in;
}

/* For tests that need two messages on one PDC, which no FEP must put there. */
static inline void same_pdc(struct uet_tc *tc, const struct uet_pdc *pdc, const struct uet_in *in)
{
    if (in->pdc != pdc)
        uet_skip(tc, "the FEP opens another PDC for the next message, as it may");
}

/* Another WRITE behind one that is not acknowledged yet; its packet. */
static inline const struct uet_in *fep_writes_behind(struct uet_tc *tc, const struct uet_pdc *pdc,
                                                     uint64_t *handle)
{
    struct uet_ut_operation op = uet_op(tc, 16);

    *handle = uet_do_write(tc, &op);
    const struct uet_in *in = uet_next_request(tc, pdc);
    if (!in)
        uet_skip(tc, "the FEP has one message outstanding on a PDC, as it may");
    return in;
}

/* For tests in which no window of congestion control may hold a resend back: it is turned off. */
static inline void without_windows(struct uet_tc *tc)
{
    static const struct {
        const char *name;
        uint8_t claim;
    } of[] = {{"NSCC", UET_PICS_NSCC}, {"RCCC", UET_PICS_RCCC}};

    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        uint64_t on = 1;
        if (!uet_tc_dut(tc)->claims[of[i].claim] || (uet_tc_told(tc, of[i].name, &on) && !on) ||
            uet_try_param(tc, of[i].name, 0))
            continue;
        uet_skip(tc, "congestion control (%s) may hold resends back", of[i].name);
    }
}

/* n writes of 16 bytes, none of them acknowledged: their packets, and the handle of the last. */
static inline uint64_t small_writes(struct uet_tc *tc, struct uet_pdc **pdc,
                                    const struct uet_in **in, uint32_t n)
{
    uint64_t handle;

    in[0] = fep_writes_unanswered(tc, pdc, &handle);
    for (uint32_t i = 1; i < n; i++)
        in[i] = fep_writes_behind(tc, *pdc, &handle);
    return handle;
}

/* That PDC is no more: the next message comes on another one, or with syn=1. */
static inline void next_elsewhere(struct uet_tc *tc, const char *requirement,
                                  const struct uet_pdc *pdc)
{
    struct uet_pdc *next;

    uet_auto_ack(tc, true);
    uet_for(tc, requirement);
    const struct uet_in *in = fep_writes_on(tc, &next, 16, NULL);
    uet_check(tc, requirement, next != pdc || uet_has_syn(&in->packet),
              "the next message came on the PDC that is no more");
}

/*
 * A WRITE of n packets of which none is acknowledged: they all, in order. A FEP that keeps fewer
 * outstanding, which is its congestion control's affair, is skipped.
 */
static inline void fep_writes_unacked(struct uet_tc *tc, struct uet_pdc **pdc,
                                      const struct uet_in **in, uint32_t n, uint64_t *handle)
{
    bool ack_cc = (*pdc)->ack_cc;

    uet_auto_ack(tc, false);
    in[0] = fep_writes_on(tc, pdc, n * uet_tc_dut(tc)->payload_mtu, handle);
    (*pdc)->ack_cc = ack_cc;
    for (uint32_t i = 1; i < n; i++) {
        in[i] = uet_next_request(tc, *pdc);
        if (!in[i])
            uet_skip(tc, "the FEP keeps fewer than %u packets outstanding", n);
    }
    ask_to_drain(tc, in[n - 1]);
}

/* When a resend that a NACK brings has come at the latest. */
static inline uint64_t nack_delay(struct uet_tc *tc)
{
    return uet_tc_latest(tc, uet_tc_param(tc, "NACK_Retx_Time"));
}

/* How long the FEP's first timeout is, with room for a late one. */
static inline uint64_t one_rto(struct uet_tc *tc)
{
    return uet_tc_latest(tc, uet_tc_param(tc, "RTO_Init_Time"));
}

/* How long to listen for what must not come at once, and comes by right when the RTO is over. */
static inline uint64_t before_rto(struct uet_tc *tc)
{
    uint64_t half = uet_tc_param(tc, "RTO_Init_Time") / 2, quiet = uet_tc_quiet(tc);

    return half < quiet ? half : quiet;
}

/*
 * How long to wait for a resend whose time is told elsewhere: one_rto, and then as long as a FEP
 * may take for anything.
 */
static inline uint64_t patience(struct uet_tc *tc, uint64_t due)
{
    return due + uet_tc_dut(tc)->response_time_ns / 2;
}

/* A FEP with a tail-loss timer resends earlier than its RTO (PDS-230): it is turned off, if it can.
 */
static inline void skip_with_tail_loss_timer(struct uet_tc *tc)
{
    uint64_t t;

    uet_try_param(tc, "Tail_Loss_Time", 0);
    if ((uet_dut_param(uet_tc_dut(tc), "Tail_Loss_Time", &t) ||
         uet_ut_param(uet_tc_ut(tc), "Tail_Loss_Time", &t) == 0) &&
        t > 0)
        uet_skip(tc, "the FEP has a tail-loss timer (Tail_Loss_Time), which comes first");
}

/* For tests that refuse one packet so many times: a FEP gives up after Max_NACK_Retx_Cnt. */
static inline void need_nack_resends(struct uet_tc *tc, uint64_t times)
{
    uint64_t most;

    if (!uet_try_param(tc, "Max_NACK_Retx_Cnt", 31) &&
        uet_tc_told(tc, "Max_NACK_Retx_Cnt", &most) && most < times)
        uet_skip(tc, "Max_NACK_Retx_Cnt is %llu: too few for this test", (unsigned long long)most);
}

/* Silence over n packets of the FEP is broken with one ACK of the newest that came. */
static inline void acknowledge(struct uet_tc *tc, struct uet_pdc *pdc, const struct uet_in *in)
{
    struct uet_out ack = uet_ack(pdc, in);
    uet_send(tc, &ack);
}

/*
 * The FEP writes three packets on its PDC: the first two are acknowledged, the third is in SACK
 * only. What it asks for on its timeout is an ACK Request for that one (3.5.16.2): it, or NULL.
 */
static inline const struct uet_in *fep_asks(struct uet_tc *tc, struct uet_pdc **pdc,
                                            const struct uet_in **in, uint64_t *handle)
{
    (*pdc)->ack_cc = true;
    uet_auto_ack(tc, false);
    fep_writes_unacked(tc, pdc, in, 3, handle);
    uint32_t second = uet_packet_psn(&in[1]->packet), third = uet_packet_psn(&in[2]->packet);
    struct uet_out ack = uet_ack(*pdc, in[1]);
    uet_ack_cack_psn_set(ack.pds, second);
    uet_ack_ack_psn_offset_set(ack.pds, 0);
    uet_ack_cc_sack_psn_offset_set(ack.pds, (int16_t)uet_psn_diff(third, second));
    uet_ack_cc_sack_bitmap_set(ack.pds, 1);
    uet_send(tc, &ack);
    return maybe(tc, CP_ON(*pdc, UET_CTL_ACK_REQUEST), .named = "an ACK Request",
                 .within = 2 * one_rto(tc));
}

#endif
