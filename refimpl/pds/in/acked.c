/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ACKs on their way in (3.5.12): what they retire, the window they tell, what they ask for. Of a
 * target, too: its read data and Control Packets are acknowledged in the same way.
 */
#include "refimpl/pds/pds.h"
#include "refimpl/tss/tss.h"

static struct pdc *ack_pdc(struct uet_fep *fep, const struct uet_packet *p)
{
    struct pdc *pdc = uet_pdc_by_id(fep, uet_dpdcid(p));
    struct uet_ip from = uet_src_ip(p);
    if (!pdc) {
        COUNT(fep, drop_ack_unknown_pdc);
        return NULL;
    }
    if (!uet_ip_equal(&pdc->peer, &from)) {
        COUNT(fep, drop_ack_source);
        return NULL;
    }
    uint16_t spdcid = uet_spdcid(p);
    bool good = pdc->peer_id ? spdcid == pdc->peer_id : spdcid != 0;
    if (!good) {
        pdc->tx.opened_another = true;
        COUNT(fep, drop_ack_spdcid);
        return NULL;
    }
    return pdc;
}

/*
 * An ACK speaks only of what was sent (PDS-122). Before the TPDCID is known nothing else ties it to
 * this PDC: one from an earlier incarnation of the PDCID speaks of PSNs elsewhere, 2^16 away or
 * more; in a secure domain maybe of those right below (TSS-068).
 */
static bool ack_beyond(const struct pdc *pdc, const struct uet_packet *p)
{
    uint32_t last = pdc->tx.next_psn - 1;
    bool probe = uet_ack_p(uet_pds(p));
    uint32_t cack = uet_ack_cack_psn(uet_pds(p));
    bool early = psn_after(pdc->start_psn - 1, cack) ||
                 (!probe && psn_after(pdc->start_psn, uet_packet_psn(p)));
    if (!pdc->peer_id && early)
        return true;
    return psn_after(cack, last) || (!probe && psn_after(uet_packet_psn(p), last));
}

void uet_initiator_learn_tpdcid(struct uet_fep *fep, struct pdc *pdc, uint16_t spdcid)
{
    if (pdc->peer_id)
        return;
    pdc->peer_id = spdcid;
    if (pdc->initiator)
        pdc->wants |= fep->law.pds.cps_at[UET_MOMENT_ESTABLISHED];
    uet_source_resend_refused(fep, pdc);
    (void)uet_pdc_event(fep, pdc, PDC_EV_PEER_KNOWN);
}

/* A packet that has arrived: when it was sent, and on which path, says something of others. */
struct arrived {
    bool has;
    uint16_t slot;
    uint32_t order;
};

static struct arrived retire(struct uet_fep *fep, struct pdc *pdc, struct tx_packet *packet,
                             const uint8_t *response)
{
    const struct arrived was = {true, packet->slot, packet->order};
    uint32_t op = packet->seg.op;
    uet_source_retire(fep, pdc, packet);
    if (op)
        uet_ses_response(fep, op, response);
    return was;
}

static void heard_of(struct uet_fep *fep, struct pdc *pdc, struct arrived a)
{
    if (a.has)
        uet_infer_received(fep, pdc, a.order, a.slot);
}

#define TOLD_MOST 6u /* the time until it is asked again doubles so often */

/*
 * It has arrived, its answer comes later (UET_NO_RESPONSE), and so CACK stays below: nothing is
 * cleared beyond it, and the answer is asked for from time to time, as its ACK may get lost.
 */
static void promised(struct uet_fep *fep, struct pdc *pdc, struct tx_packet *packet)
{
    if (!packet->sacked) {
        uet_flight_arrived(fep, pdc, packet);
        uet_infer_received(fep, pdc, packet->order, packet->slot);
    }
    if (!packet->promised) {
        pdc->tx.n_promised++;
        uet_ses_promised(fep, packet->seg.op);
    }
    packet->sacked = packet->promised = true;
    packet->rto_count = 0; /* the peer lives */
    if (packet->n_told < TOLD_MOST)
        packet->n_told++;
    uet_source_sent(fep, pdc, packet);
}

static bool is_promise(const struct uet_packet *p, const uint8_t *response)
{
    return response && uet_ses_rsp_opcode(response) == UET_RSP_NO_RESPONSE &&
           psn_after(uet_packet_psn(p), uet_ack_cack_psn(uet_pds(p)));
}

static const uint8_t *response_of(const struct uet_packet *p)
{
    return uet_is_ses_response(p) ? uet_ses(p) : NULL;
}

/*
 * packet: the one that the ACK names, or NULL. What its arrival says of others is heard after what
 * the ACK itself says of them: what it covers is not lost.
 */
static struct arrived take_ack_psn(struct uet_fep *fep, struct pdc *pdc, struct tx_packet *packet,
                                   const struct uet_packet *p)
{
    const uint8_t *response = response_of(p);
    if (packet &&
        !uet_ses_answers_fetch(fep, &packet->seg, p)) /* data that nobody asked for: no answer */
        return (struct arrived){0};
    if (packet && packet->seg.op && is_promise(p, response)) {
        promised(fep, pdc, packet);
        return (struct arrived){0};
    }
    if (packet) {
        if (uet_is_ses_response_data(p))
            uet_ses_fetch_take(fep, packet->seg.op, p);
        return retire(fep, pdc, packet, response);
    }
    COUNT(fep, ack_psn_not_outstanding);
    if (response)
        uet_ses_late_response(fep, pdc->id, response);
    return (struct arrived){0};
}

static void take_cack(struct uet_fep *fep, struct pdc *pdc, uint32_t cack_psn)
{
    if (!psn_after(cack_psn, pdc->tx.cack_psn))
        return;
    pdc->tx.cack_psn = cack_psn;
    for (uint32_t id = pdc->tx.head; id;) {
        struct tx_packet *packet = packet_at(fep, id);
        id = packet->next;
        if (psn_after(packet->psn, cack_psn))
            return;
        /* covered by CACK only: success (PDS-110) */
        heard_of(fep, pdc, retire(fep, pdc, packet, NULL));
    }
}

static void take_sack_bit(struct uet_fep *fep, struct pdc *pdc, uint32_t psn)
{
    struct tx_packet *packet = uet_source_find(fep, pdc, psn);
    if (!packet || packet->sacked || packet->wanted)
        return;
    COUNT(fep, ack_sack);
    packet->sacked = true;
    uet_flight_arrived(fep, pdc, packet);
    uet_infer_received(fep, pdc, packet->order, packet->slot);
    if (packet->resend) /* not as data any more (PDS-116): its RTO runs on instead */
        uet_source_sent(fep, pdc, packet);
}

/*
 * Of a bitmap, what follows CACK without a gap; first: the bit of CACK + 1. A bitmap that begins
 * beyond shows no gap.
 */
static uint64_t before_gap(uint64_t bitmap, uint32_t first)
{
    if (first >= 64)
        return bitmap;
    uint64_t run = bitmap >> first;
    return (run & ~(run + 1)) << first;
}

/* Returns the highest PSN that it says has arrived. A cleared bit says nothing (PDS-115). */
static uint32_t take_sack(struct uet_fep *fep, struct pdc *pdc, const uint8_t *h)
{
    uint32_t base = uet_psn_add(uet_ack_cack_psn(h), uet_ack_cc_sack_psn_offset(h));
    uint64_t bitmap = uet_ack_cc_sack_bitmap(h);
    uint32_t cack = uet_ack_cack_psn(h), highest = cack;
    if (pdc->rod) /* what lies beyond a gap is resent all the same (PDS-167) */
        bitmap = before_gap(bitmap, cack + 1 - base);
    for (uint64_t rest = bitmap; rest; rest &= rest - 1) {
        uint32_t psn = base + (uint32_t)__builtin_ctzll(rest);
        take_sack_bit(fep, pdc, psn);
        if (psn_after(psn, highest))
            highest = psn;
    }
    return highest;
}

uint16_t uet_mpr_zero_override(const struct uet_fep *fep)
{
    uint8_t override = fep->params.Override_MPR_Zero_Value;
    return override ? override : UET_MPR_UNIT;
}

uint16_t uet_mpr_zero_unlimited(const struct uet_fep *fep)
{
    (void)fep;
    return 0;
}

/* pds.mpr (PDS-063): units of 128 PSNs; what 0 means depends on the version (PDS-065). */
static void take_mpr(struct uet_fep *fep, struct pdc *pdc, const uint8_t *h)
{
    struct source *tx = &pdc->tx;
    uint32_t cack = uet_ack_cack_psn(h);
    uint8_t mpr = uet_ack_cc_mpr(h);
    if (tx->mpr_known && !psn_after(cack, tx->mpr_cack_psn)) {
        COUNT(fep, ack_mpr_stale);
        return;
    }
    tx->mp_range = mpr ? (uint16_t)(mpr * UET_MPR_UNIT) : fep->law.pds.mpr_zero(fep);
    tx->mpr_known = true;
    tx->mpr_cack_psn = cack;
}

static void take_req(struct uet_fep *fep, struct pdc *pdc, uint8_t req)
{
    if (!pdc->initiator)
        return; /* an initiator asks for nothing (Table 3-44) */
    if (req == UET_ACK_REQ_CLEAR) {
        COUNT(fep, ack_req_clear);
        if (!pdc->tx.clear_wanted)
            uet_timer_start(fep, pdc, TIMER_CLEAR, fep->params.PDS_Clear_Time);
        pdc->tx.clear_wanted = true;
    } else if (req == UET_ACK_REQ_CLOSE) {
        COUNT(fep, ack_req_close);
        uet_pdc_close(fep, pdc);
    }
}

void uet_initiator_progress(struct uet_fep *fep, struct pdc *pdc)
{
    uet_pdc_drain(fep, pdc);
    if (pdc->state == PDC_CLOSED)
        return;
    if (uet_ses_waits(fep) && uet_pdc_idle(fep, pdc)) /* it could make room */
        uet_ses_look_again(fep);
    uet_pdc_ready(fep, pdc);
    uet_pdc_schedule(fep, pdc);
}

void uet_initiator_ack(struct uet_fep *fep, const struct uet_packet *p)
{
    const uint8_t *h = uet_pds(p);
    struct uet_cc_state told;
    struct pdc *pdc = ack_pdc(fep, p);
    if (!pdc)
        return;
    if (ack_beyond(pdc, p)) {
        COUNT(fep, drop_ack_beyond);
        return;
    }
    uet_initiator_learn_tpdcid(fep, pdc, uet_spdcid(p));
    pdc->tx.n_window_asks = pdc->tx.n_credit_asks = 0;
    if (uet_ack_p(uet_pds(p))) {
        /* Contested whether cack_psn counts here: nothing but the time is read from it. */
        uet_flight_probed(fep, pdc, p);
        COUNT(fep, drop_ack_probe);
        uet_initiator_progress(fep, pdc);
        return;
    }
    COUNT(fep, rx_ack);
    if (p->pds == UET_H_ACK_EPSN_REFPROV && pdc->state == PDC_CLOSE_ACK_WAIT)
        fep->law.tss.floor_told(fep, &pdc->tss, uet_ack_epsn_expected_psn(h));
    const struct uet_cc_state *cc = uet_is_ack_cc(p) && uet_cc_read(p, &told) ? &told : NULL;
    struct tx_packet *packet = uet_source_find(fep, pdc, uet_packet_psn(p));
    uint64_t rtt = uet_flight_rtt(fep, pdc, packet, p, cc);
    const struct arrived named = take_ack_psn(fep, pdc, packet, p);
    take_cack(fep, pdc, uet_ack_cack_psn(h));
    uint32_t highest = uet_is_ack_cc(p) ? take_sack(fep, pdc, h) : 0;
    heard_of(fep, pdc, named);
    if (uet_is_ack_cc(p)) {
        if (psn_after(uet_packet_psn(p), highest))
            highest = uet_packet_psn(p);
        if (cc)
            uet_infer_ooo(fep, pdc, cc->ooo_count, highest);
        take_mpr(fep, pdc, h);
    }
    uet_flight_acked(fep, pdc, p, cc, rtt);
    uet_infer_progress(fep, pdc);
    take_req(fep, pdc, uet_ack_req(h));
    if (pdc->state != PDC_CLOSED)
        uet_initiator_progress(fep, pdc);
}
