/* SPDX-License-Identifier: BSD-2-Clause */
/* What a PDC sends next, and how its packets look (3.5.10.5, 3.5.10.8, 3.5.14). */
#include "refimpl/edge.h"
#include "refimpl/pds/pds.h"

/* Where a packet of the PDC goes. */
static struct uet_edge_route route_of(const struct pdc *pdc, uint16_t entropy,
                                      enum uet_edge_class what)
{
    return (struct uet_edge_route){
        .to = pdc->peer, .tss = pdc->tss, .entropy = entropy, .what = (uint8_t)what};
}

/* syn=1 until the TPDCID is known; a resend after that goes with syn=0 (contested, free). */
static bool use_syn(const struct pdc *pdc)
{
    return !pdc->peer_id;
}

/*
 * Free (3.5.8.2 step 5): a resend of what went out with syn = 1 may keep it. Not when the peer has
 * opened another PDC for one: that PDC's ACKs mean nothing here, and would be all that comes.
 */
static bool keeps_syn(struct uet_fep *fep, const struct pdc *pdc, const struct tx_packet *packet)
{
    return packet->syn && fep->law.pds.keeps_syn && !pdc->tx.opened_another;
}

static void set_pdcids(const struct pdc *pdc, uint8_t *h, uint32_t psn, bool syn)
{
    uet_rud_rod_req_spdcid_set(h, pdc->id);
    if (syn) {
        uet_rud_rod_req_psn_offset_set(h, (uint16_t)((psn - pdc->start_psn) & 0xfffu));
        uet_rud_rod_req_use_rsv_pdc_set(h, pdc->reserved);
    } else {
        uet_rud_rod_req_dpdcid_set(h, pdc->peer_id);
    }
}

/*
 * Does the packet ask for an ACK? A resend, the last of its message (PDS-126), and the last before
 * this PDC must stop: the target may wait for more before it acknowledges (3.5.12.2), and with
 * both sides waiting only the RTO would go on.
 */
static bool wants_ack(struct uet_fep *fep, struct pdc *pdc, const struct tx_packet *packet)
{
    bool asks = packet->again || packet->seg.eom || fep->params.Enb_ACK_Per_Pkt ||
                uet_source_stopped(fep, pdc) || uet_flight_is_last(fep, pdc);
    if (asks)
        uet_flight_asks(fep, pdc);
    return asks;
}

static uint32_t carry_clear(struct uet_fep *fep, struct pdc *pdc, uint32_t psn)
{
    uint32_t clear = uet_source_clear_psn(fep, pdc);
    if (psn_after(clear, psn)) /* never ahead of its packet (PDS-072) */
        clear = psn;
    if (psn_after(clear, pdc->tx.clear_sent_psn))
        pdc->tx.clear_sent_psn = clear;
    if (psn_after(clear, pdc->tx.cack_psn))
        pdc->tx.clear_wanted = false; /* it rides here (PDS-081) */
    return clear;
}

static size_t write_request(struct uet_fep *fep, struct pdc *pdc, const struct tx_packet *packet,
                            uint8_t *buffer, size_t cap)
{
    static const uint8_t types[2][2] = {{UET_PDS_RUD_REQ, UET_PDS_ROD_REQ},
                                        {UET_PDS_RUD_CC_REQ, UET_PDS_ROD_CC_REQ}};
    static const enum uet_header_id forms[2][2] = {
        {UET_H_RUD_ROD_REQ, UET_H_RUD_ROD_REQ_SYN},
        {UET_H_RUD_ROD_CC_REQ, UET_H_RUD_ROD_CC_REQ_SYN}};
    struct uet_build b;
    const struct part *part = packet->part ? part_at(fep, packet->part) : NULL;
    bool syn = use_syn(pdc) || keeps_syn(fep, pdc, packet);
    const struct uet_edge_route route =
        route_of(pdc, packet->entropy, packet->again ? UET_EDGE_RESEND : UET_EDGE_REQUEST);
    uet_edge_begin(fep, &b, buffer, cap, &route);
    bool cc = uet_credit_rules(fep, pdc);
    uint8_t *h = uet_build_pds(&b, forms[cc][syn]);
    uet_rud_rod_req_type_set(h, types[cc][pdc->rod]);
    if (cc) {
        uet_flight_count(fep, pdc);
        uet_credit_write(fep, pdc, packet, h);
    }
    uet_rud_rod_req_retx_set(h, packet->again);
    bool ar = wants_ack(fep, pdc, packet);
    if (ar)
        uet_source_asked(pdc, packet->psn);
    uet_rud_rod_req_ar_set(h, ar);
    uet_rud_rod_req_syn_set(h, syn);
    uet_rud_rod_req_psn_set(h, packet->psn);
    uint32_t clear = carry_clear(fep, pdc, packet->psn);
    uet_rud_rod_req_clear_psn_offset_set(h, (int16_t)uet_psn_diff(clear, packet->psn));
    set_pdcids(pdc, h, packet->psn, syn);
    uint8_t next_hdr = part ? uet_ses_part_write(part, &b) : uet_ses_write(fep, &packet->seg, &b);
    uet_rud_rod_req_next_hdr_set(h, next_hdr);
    if (part)
        uet_build_payload(&b, part->from, part->length);
    return uet_edge_finish(fep, &b);
}

struct cp {
    uint8_t ctl_type;
    bool retx, ar;
    uint16_t probe_opaque;
    uint32_t psn, payload;
};

static size_t write_cp(struct uet_fep *fep, struct pdc *pdc, const struct cp *cp, uint8_t *buffer,
                       size_t cap)
{
    struct uet_build b;
    bool syn =
        use_syn(pdc) && (cp->ctl_type == UET_CTL_NOOP || cp->ctl_type == UET_CTL_NEGOTIATION);
    const struct uet_edge_route route = route_of(pdc, uet_pdc_entropy(fep, pdc), UET_EDGE_CONTROL);
    uet_edge_begin(fep, &b, buffer, cap, &route);
    uint8_t *h = uet_build_pds(&b, syn ? UET_H_CP_SYN : UET_H_CP);
    uet_cp_type_set(h, UET_PDS_CP);
    uet_cp_ctl_type_set(h, cp->ctl_type);
    uet_cp_retx_set(h, cp->retx);
    uet_cp_ar_set(h, cp->ar);
    uet_cp_syn_set(h, syn);
    if (cp->ctl_type == UET_CTL_NOOP || cp->ctl_type == UET_CTL_NEGOTIATION)
        uet_cp_isrod_set(h, pdc->rod); /* in no other (PDS-188) */
    uet_cp_probe_opaque_set(h, cp->probe_opaque);
    uet_cp_psn_set(h, cp->psn);
    uet_cp_payload_value_set(h, cp->payload);
    set_pdcids(pdc, h, cp->psn, syn);
    if (cp->ctl_type == UET_CTL_NEGOTIATION) { /* eight bytes: nothing is asked for (3.5.16.7.1) */
        uint8_t *n = h + UET_CP_BYTES - UET_CP_PAYLOAD_NOOP_BYTES;
        uet_build_header(&b, UET_CP_PAYLOAD_NEGOTIATION_ON_OFF_BYTES - UET_CP_PAYLOAD_NOOP_BYTES);
        uet_cp_payload_negotiation_on_off_neg_type_set(n, UET_NEG_PDS_NEG_ON_OFF);
        uet_cp_payload_negotiation_on_off_neg_length_set(n, 2);
    }
    return uet_edge_finish(fep, &b);
}

/*
 * A copy of a SYN that comes after the close would open a PDC of its own, and be delivered again:
 * since 1.0.3 the Close Command waits for Syn_Retx_Safety_Time (contested who waits, PDS-054).
 */
static void note_syn_again(struct uet_fep *fep, struct pdc *pdc)
{
    pdc->syn_resent = true;
    if (fep->law.pds.guards_syn)
        uet_timer_start(fep, pdc, TIMER_SYN_SAFE, fep->params.Syn_Retx_Safety_Time);
}

static size_t send_tracked(struct uet_fep *fep, struct pdc *pdc, struct tx_packet *packet,
                           uint8_t *buffer, size_t cap)
{
    size_t n;
    if (fep->params.EV_Slots)
        pdc->slot = packet->slot = (uint16_t)((pdc->slot + 1u) % fep->params.EV_Slots);
    if (packet->again) {
        COUNT(fep, tx_retx);
        if (use_syn(pdc) || keeps_syn(fep, pdc, packet))
            note_syn_again(fep, pdc);
    } else {
        packet->syn = !pdc->peer_id;
    }
    if (packet->seg.op || packet->part) {
        packet->entropy = uet_flight_entropy(fep, pdc);
        n = write_request(fep, pdc, packet, buffer, cap);
        uet_flight_sent(fep, pdc, packet, n);
    } else {
        struct cp cp = {.ctl_type = packet->ctl_type, .retx = packet->again, .ar = true};
        cp.psn = packet->psn;
        uet_source_asked(pdc, packet->psn);
        n = write_cp(fep, pdc, &cp, buffer, cap);
    }
    uet_source_sent(fep, pdc, packet);
    if (uet_credit_rules(fep, pdc)) {
        uet_flight_count(fep, pdc);
        uet_credit_sent(pdc);
    }
    if (uet_source_used_up(fep, pdc)) {
        COUNT(fep, psn_range_close_cnt);
        uet_pdc_close(fep, pdc); /* what has begun goes on: the PDC is not freed here */
    }
    return n;
}

/* The PSN is known to have arrived: only its response is asked for (PDS-116, PDS-189). */
static size_t send_ack_request(struct uet_fep *fep, struct pdc *pdc, uint32_t psn,
                               uint16_t message_id, uint8_t *buffer, size_t cap)
{
    struct cp cp = {.ctl_type = UET_CTL_ACK_REQUEST, .ar = true, .psn = psn};
    cp.payload = fep->law.pds.asks_by_psn ? 0 : message_id;
    COUNT(fep, tx_ack_request);
    return write_cp(fep, pdc, &cp, buffer, cap);
}

static size_t send_resend(struct uet_fep *fep, struct pdc *pdc, uint8_t *buffer, size_t cap)
{
    struct tx_packet *packet = uet_source_next_resend(fep, pdc);
    if (!packet)
        return 0;
    bool data = packet->seg.op || packet->part;
    if (packet->sacked && data && pdc->peer_id) {
        uet_source_sent(fep, pdc, packet);
        uint16_t message_id = packet->seg.op ? uet_ses_id_of(fep, packet->seg.op) : 0;
        return send_ack_request(fep, pdc, packet->psn, message_id, buffer, cap);
    }
    if (data && !uet_flight_may_send(fep, pdc))
        return 0;
    return send_tracked(fep, pdc, packet, buffer, cap);
}

/* A Control Packet with a PSN of its own, when one is wanted and may go now. */
static size_t send_wanted(struct uet_fep *fep, struct pdc *pdc, uint8_t ctl, uint8_t *buffer,
                          size_t cap)
{
    if (!(pdc->wants & WANT(ctl)) || !uet_source_window_open(fep, pdc))
        return 0;
    if (ctl == UET_CTL_CLOSE_COMMAND && uet_timer_runs(fep, pdc, TIMER_SYN_SAFE))
        return 0;
    /* A NOOP that was wanted, too, has just gone out: its ACK comes first (PDS-201). */
    if (ctl == UET_CTL_CLOSE_COMMAND && pdc->tx.n_packets && fep->law.pds.close_waits)
        return 0;
    if (ctl == UET_CTL_CLOSE_REQUEST && uet_source_busy(pdc)) /* own packets first (T11) */
        return 0;
    struct tx_packet *packet = uet_source_new(fep, pdc);
    if (!packet) {
        uet_pdc_starve(fep, pdc);
        return 0;
    }
    pdc->wants &= (uint16_t)~WANT(ctl);
    packet->ctl_type = ctl;
    if (ctl == UET_CTL_CLOSE_COMMAND) {
        (void)uet_pdc_event(fep, pdc, PDC_EV_CLOSE_SENT);
        COUNT(fep, tx_close_command);
    } else if (ctl == UET_CTL_CLOSE_REQUEST) {
        uet_pdc_limit_close(fep, pdc);
        COUNT(fep, tx_close_request);
    } else if (ctl == UET_CTL_NOOP) {
        COUNT(fep, tx_noop);
    } else {
        COUNT(fep, tx_negotiation);
    }
    return send_tracked(fep, pdc, packet, buffer, cap);
}

static size_t send_data(struct uet_fep *fep, struct pdc *pdc, uint8_t *buffer, size_t cap)
{
    uint32_t op = uet_ses_next_op(fep, pdc->id);
    if ((!op && !pdc->parts_head) || !uet_source_window_open(fep, pdc) ||
        !uet_flight_may_send(fep, pdc))
        return 0;
    struct tx_packet *packet = uet_source_new(fep, pdc);
    if (!packet) {
        uet_pdc_starve(fep, pdc);
        return 0;
    }
    if (op) {
        uet_ses_segment(fep, op, packet->psn, &packet->seg);
        COUNT(fep, tx_request);
    } else {
        packet->part = uet_part_take(fep, pdc);
        packet->seg.eom = part_at(fep, packet->part)->last;
        COUNT(fep, tx_return_request);
    }
    return send_tracked(fep, pdc, packet, buffer, cap);
}

/* CLEAR_PSN by itself, when no request will carry it (PDS-080..082). */
static size_t send_clear(struct uet_fep *fep, struct pdc *pdc, uint8_t *buffer, size_t cap)
{
    struct source *tx = &pdc->tx;
    uint32_t clear = uet_source_clear_psn(fep, pdc);
    if (pdc->close_error) /* what was given up is not cleared, but unknown */
        return 0;
    if (pdc->line == LINE_HELD) /* a Request will carry it, when it may go (PDS-081) */
        return 0;
    if (!tx->clear_wanted || !pdc->peer_id || uet_timer_runs(fep, pdc, TIMER_CLEAR) ||
        !psn_after(clear, tx->cack_psn))
        return 0;
    tx->clear_wanted = false;
    tx->clear_sent_psn = clear;
    struct cp cp = {.ctl_type = UET_CTL_CLEAR_COMMAND, .payload = clear};
    COUNT(fep, tx_clear_command);
    return write_cp(fep, pdc, &cp, buffer, cap);
}

/*
 * It stopped after its last packet had left without ar: other PDCs have taken what it shared with
 * them, or a window, of PSNs or NSCC's, has become smaller. The ACK is asked for, once (I10).
 */
static size_t send_stop_question(struct uet_fep *fep, struct pdc *pdc, uint8_t *buffer, size_t cap)
{
    struct source *tx = &pdc->tx;
    uint32_t last = tx->tail ? packet_at(fep, tx->tail)->psn : tx->asked_psn;
    bool more = uet_ses_next_op(fep, pdc->id) || pdc->parts_head || tx->n_resend;
    if (!psn_after(last, tx->asked_psn) || !more || !pdc->peer_id || !uet_source_stopped(fep, pdc))
        return 0;
    uet_source_asked(pdc, last);
    return send_ack_request(fep, pdc, last, 0, buffer, cap);
}

/*
 * Packets are retired one by one, but CACK, held back by responses now cleared, leaves no window: a
 * Clear Command brings no ACK, so ask for one (I10). Again after a while, or for other packets.
 */
static size_t send_window_question(struct uet_fep *fep, struct pdc *pdc, uint8_t *buffer,
                                   size_t cap)
{
    struct source *tx = &pdc->tx;
    bool more = uet_ses_next_op(fep, pdc->id) || pdc->wants || pdc->parts_head || tx->n_packets;
    uint32_t arrived = uet_source_clear_psn(fep, pdc);
    if (!more || !pdc->peer_id || !uet_source_held_back(fep, pdc))
        return 0;
    if (arrived != tx->ask_psn || fep->now >= tx->ask_at) {
        tx->ask_psn = arrived;
        tx->ask_at = pdc->timers[TIMER_RETX] =
            time_after(fep->now, uet_source_rto(fep, tx->n_window_asks) + 1000);
        if (tx->n_window_asks < UINT8_MAX)
            tx->n_window_asks++;
        return send_ack_request(fep, pdc, arrived, 0, buffer, cap);
    }
    pdc->timers[TIMER_RETX] = tx->ask_at;
    return 0;
}

static size_t send_probe(struct uet_fep *fep, struct pdc *pdc, uint8_t *buffer, size_t cap)
{
    if (!(pdc->wants & WANT(UET_CTL_PROBE)) || !pdc->peer_id) /* not before an ACK (PDS-046) */
        return 0;
    pdc->wants &= (uint16_t)~WANT(UET_CTL_PROBE);
    struct cp cp = {.ctl_type = UET_CTL_PROBE, .payload = pdc->tx.cack_psn + 1};
    cp.probe_opaque = (uint16_t)fep_random(fep);
    uet_flight_probes(fep, pdc, cp.probe_opaque);
    COUNT(fep, tx_probe);
    return write_cp(fep, pdc, &cp, buffer, cap);
}

static size_t send_credit_request(struct uet_fep *fep, struct pdc *pdc, uint8_t *buffer, size_t cap)
{
    struct cp cp = {.ctl_type = UET_CTL_CREDIT_REQUEST};
    if (!uet_credit_ask(fep, pdc, &cp.payload))
        return 0;
    uet_credit_await(fep, pdc, uet_source_rto(fep, pdc->tx.n_credit_asks));
    COUNT(fep, tx_credit_request);
    return write_cp(fep, pdc, &cp, buffer, cap);
}

size_t uet_pdc_transmit(struct uet_fep *fep, struct pdc *pdc, uint8_t *buffer, size_t cap)
{
    static const uint8_t wanted[] = {UET_CTL_NOOP, UET_CTL_NEGOTIATION, UET_CTL_CLOSE_REQUEST,
                                     UET_CTL_CLOSE_COMMAND};
    size_t n = send_resend(fep, pdc, buffer, cap);
    if (!n && fep->law.pds.cps_at[UET_MOMENT_OPENING] && pdc->initiator &&
        pdc->tx.next_psn == pdc->start_psn)
        n = send_wanted(fep, pdc, UET_CTL_NOOP, buffer, cap);
    if (!n)
        n = send_data(fep, pdc, buffer, cap);
    for (size_t i = 0; !n && i < sizeof wanted; i++)
        n = send_wanted(fep, pdc, wanted[i], buffer, cap);
    if (!n)
        n = send_clear(fep, pdc, buffer, cap);
    if (!n)
        n = send_probe(fep, pdc, buffer, cap);
    if (!n)
        n = send_credit_request(fep, pdc, buffer, cap);
    if (!n)
        n = send_stop_question(fep, pdc, buffer, cap);
    if (!n)
        n = send_window_question(fep, pdc, buffer, cap);
    if (!n)
        uet_flight_passed(fep, pdc);
    return n;
}
