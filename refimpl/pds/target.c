/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Requests on their way in: which PDC they belong to, establishment (3.5.8.2), the window,
 * duplicates (3.5.12.5), and the target's side of closing (3.5.8.3). NACKs follow Table 3-58.
 */
#include "refimpl/pds/pds.h"
#include "refimpl/ses/ses.h"

/* ---- finding the PDC ---- */

/* Does the packet say its mode? isrod means something in NOOP and Negotiation only (PDS-188). */
static bool says_mode(const struct uet_packet *p)
{
    uint8_t ctl = uet_is_cp(p) ? uet_cp_ctl_type(uet_pds(p)) : UET_CTL_NOOP;
    return ctl == UET_CTL_NOOP || ctl == UET_CTL_NEGOTIATION;
}

static bool is_rod(const struct uet_packet *p)
{
    const uint8_t *h = uet_pds(p);
    return uet_is_cp(p) ? uet_cp_isrod(h) : uet_rud_rod_req_type(h) == UET_PDS_ROD_REQ;
}

/* RUD and ROD never share a PDC (PDS-007). */
static bool wrong_mode(struct uet_fep *fep, const struct pdc *pdc, const struct uet_packet *p)
{
    if (!says_mode(p) || is_rod(p) == pdc->rod || UET_VIOLATES(fep, PDS_007))
        return false;
    nack_send(fep, p, UET_NACK_PDC_MODE_MISMATCH, pdc->id);
    return true;
}

static bool same_peer(struct uet_fep *fep, const struct pdc *pdc, const struct uet_packet *p)
{
    struct uet_ip from = uet_src_ip(p);
    if (UET_VIOLATES(fep, PDS_040))
        return true;
    return uet_ip_equal(&pdc->peer, &from) && pdc->peer_id == uet_spdcid(p);
}

struct pdc *target_lookup(struct uet_fep *fep, const struct uet_packet *p)
{
    struct pdc *pdc = pdc_by_id(fep, uet_dpdcid(p));
    if (!pdc) { /* 3.5.8.2 step 4a */
        bool silent = uet_is_cp(p) ? UET_VIOLATES(fep, PDS_185) : UET_VIOLATES(fep, PDS_038);
        if (!silent)
            nack_send(fep, p, UET_NACK_INV_DPDCID, 0);
        return NULL;
    }
    if (pdc->initiator && !pdc->peer_id) {
        /* The first ACK of a PDC of ours was overtaken; the peer's timer brings this again. */
        COUNT(fep, drop_before_established);
        return NULL;
    }
    if (!same_peer(fep, pdc, p)) { /* step 4b; a stranger does not learn the TPDCID */
        nack_send(fep, p, UET_NACK_PDC_HDR_MISMATCH, 0);
        return NULL;
    }
    return wrong_mode(fep, pdc, p) ? NULL : pdc;
}

/* May this SYN open a PDC? Answers it when not. */
static bool may_open(struct uet_fep *fep, const struct uet_packet *p)
{
    uint32_t offset = uet_packet_psn(p) - uet_start_psn(p);
    if (offset && is_rod(p)) { /* step 3e: nothing is kept (T3) */
        nack_send_payload(fep, p, UET_NACK_ROD_OOO, 0, uet_start_psn(p));
        return false;
    }
    if (offset >= sink_mp_range(fep)) { /* outside the window that the new PDC would have */
        nack_send(fep, p, UET_NACK_INVALID_SYN, 0);
        return false;
    }
    return !(offset && UET_VIOLATES(fep, PDS_029));
}

static struct pdc *open_target(struct uet_fep *fep, const struct uet_packet *p)
{
    struct uet_ip from = uet_src_ip(p);
    uint32_t start_psn = uet_start_psn(p);
    if (!may_open(fep, p))
        return NULL;
    struct pdc *pdc = pdc_open(fep, false, &from, &start_psn);
    if (!pdc) {
        if (!UET_VIOLATES(fep, PDS_041))
            nack_send(fep, p, UET_NACK_NO_PDC_AVAIL, 0);
        initiator_make_room(fep);
        return NULL;
    }
    pdc->peer_id = uet_spdcid(p);
    pdc->rod = is_rod(p);
    pdc_map(fep, pdc);
    return pdc;
}

struct pdc *target_lookup_syn(struct uet_fep *fep, const struct uet_packet *p)
{
    struct uet_ip from = uet_src_ip(p);
    if (!uet_spdcid(p)) {
        COUNT(fep, drop_syn_spdcid_zero);
        return NULL;
    }
    struct pdc *pdc = pdc_by_syn(fep, &from, uet_spdcid(p));
    if (!pdc)
        return open_target(fep, p);
    if (wrong_mode(fep, pdc, p))
        return NULL;
    /* Another Start_PSN is another PDC of a peer that has forgotten this one. */
    if (uet_start_psn(p) != pdc->start_psn) {
        nack_send(fep, p, UET_NACK_INVALID_SYN, pdc->id);
        return NULL;
    }
    return pdc;
}

/* ---- the window ---- */

/* ROD takes the expected PSN and nothing else (PDS-165, PDS-166). */
static bool refuse_order(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p)
{
    if (!pdc->rod || uet_packet_psn(p) == pdc->rx.expected_psn)
        return false;
    COUNT(fep, rod_out_of_order);
    nack_send_payload(fep, p, UET_NACK_ROD_OOO, pdc->id, pdc->rx.expected_psn);
    return true;
}

bool target_refuse_psn(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p,
                       enum psn_place place)
{
    bool syn = uet_has_syn(p);
    if (pdc->rx.closing && psn_after(uet_packet_psn(p), pdc->rx.close_psn)) {
        nack_send(fep, p, UET_NACK_CLOSING, pdc->id);
        return true;
    }
    if (place == PSN_NEW && refuse_order(fep, pdc, p))
        return true;
    if (place != PSN_AHEAD && place != PSN_BEHIND)
        return false;
    if (syn) {
        if (!UET_VIOLATES(fep, PDS_037))
            nack_send(fep, p, UET_NACK_INVALID_SYN, pdc->id);
    } else if (place == PSN_BEHIND) {
        COUNT(fep, drop_behind_window); /* contested (PDS-068): silence, not 0x0B */
    } else if (!UET_VIOLATES(fep, PDS_067)) {
        nack_send(fep, p, UET_NACK_PSN_OOR_WINDOW, pdc->id);
    }
    return true;
}

/* ---- requests ---- */

static void take_clear(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p)
{
    if (uet_rud_rod_req_clear_psn_offset(uet_pds(p)) > 0) { /* never positive (PDS-072) */
        COUNT(fep, drop_clear_bad);
        return;
    }
    sink_clear(fep, pdc, uet_clear_psn(p));
}

/* Section 9 of the facts: a PSN that was received before. */
static void duplicate(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p)
{
    struct ack_about about = ack_about(p);
    uint8_t response[UET_SES_RSP_BYTES];
    if (!about.retx) { /* dropped and counted (PDS-128) */
        COUNT(fep, rx_dup_dropped);
        return;
    }
    COUNT(fep, rx_dup_retx);
    const struct stored *s = sink_stored(fep, pdc, about.psn);
    bool below = !psn_after(about.psn, pdc->rx.cack_psn);
    if (UET_VIOLATES(fep, PDS_129) || (UET_VIOLATES(fep, PDS_130) && below) ||
        (UET_VIOLATES(fep, PDS_087) && s) || (UET_VIOLATES(fep, PDS_088) && !s))
        return;
    if (p->ses) {
        ses_default_response(response, p);
        about.response = s ? s->response : response;
    }
    ack_send(fep, pdc, &about);
}

/* A bent FEP delivers again what it had before (PDS-001, PDS-132, PDS-128). */
static bool deliver_again(struct uet_fep *fep, const struct uet_packet *p)
{
    bool retx = uet_rud_rod_req_retx(uet_pds(p));
    (void)retx;
    return UET_VIOLATES(fep, PDS_001) || UET_VIOLATES(fep, PDS_132) ||
           (UET_VIOLATES(fep, PDS_128) && !retx);
}

/* The slot for a guaranteed response is part of accepting the packet (PDS-091). */
static bool store_response(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p,
                           const struct ses_plan *plan)
{
    uint32_t psn = uet_packet_psn(p);
    if (!plan->guaranteed || UET_VIOLATES(fep, SES_117) ||
        sink_store(fep, pdc, psn, plan->response))
        return true;
    if (UET_VIOLATES(fep, PDS_091))
        return false;
    nack_send(fep, p, UET_NACK_NO_GTD_DEL_AVAIL, pdc->id);
    cp_ask_for_clears(fep, pdc);
    return false;
}

/* again: a bent FEP takes a duplicate, whose PSN it has received already. */
static void accept(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p, bool again)
{
    struct ack_about about = ack_about(p);
    struct ses_plan plan;
    ses_check(fep, pdc, p, &plan);
    if (plan.nack) { /* state is lacking: the PSN stays unreceived (PDS-149) */
        nack_send(fep, p, plan.nack, pdc->id);
        if (UET_VIOLATES(fep, PDS_149))
            sink_receive(fep, pdc, about.psn);
        return;
    }
    if (!store_response(fep, pdc, p, &plan)) {
        if (UET_VIOLATES(fep, PDS_149))
            sink_receive(fep, pdc, about.psn);
        return;
    }
    if (!again)
        sink_receive(fep, pdc, about.psn);
    ses_commit(fep, pdc, p, &plan);
    COUNT(fep, rx_request_new);
    if (about.m)
        COUNT(fep, rx_ce);
    if (plan.has_response)
        about.response = plan.response;
    bool syn = uet_has_syn(p) && !UET_VIOLATES(fep, PDS_033);
    ack_decide(fep, pdc, p, &about, syn || plan.guaranteed);
}

void target_request(struct uet_fep *fep, const struct uet_packet *p)
{
    struct pdc *pdc = uet_has_syn(p) ? target_lookup_syn(fep, p) : target_lookup(fep, p);
    if (!pdc)
        return;
    if (pdc->initiator) { /* return data belongs to reads, which this FEP does not start yet */
        COUNT(fep, drop_return_request);
        return;
    }
    COUNT(fep, rx_request);
    pdc->idle_since = fep->now;
    enum psn_place place = sink_place(fep, pdc, uet_packet_psn(p));
    if (!target_refuse_psn(fep, pdc, p, place)) {
        take_clear(fep, pdc, p);
        bool gap = uet_packet_psn(p) != pdc->rx.expected_psn;
        bool again = place == PSN_DUPLICATE;
        if (again && !deliver_again(fep, p))
            duplicate(fep, pdc, p);
        else if (!(gap && UET_VIOLATES(fep, PDS_002)))
            accept(fep, pdc, p, again);
        target_drain(fep, pdc);
    }
    if (pdc->state != PDC_CLOSED)
        pdc_schedule(fep, pdc);
}

/* ---- closing ---- */

/* A Close Request needs no answer once the Close Command is here. */
static void forget_close_request(struct uet_fep *fep, struct pdc *pdc)
{
    pdc->wants &= (uint16_t)~WANT(UET_CTL_CLOSE_REQUEST);
    for (uint32_t id = pdc->tx.head; id;) {
        struct tx_packet *packet = packet_at(fep, id);
        id = packet->next;
        if (!packet->op && packet->ctl_type == UET_CTL_CLOSE_REQUEST)
            source_retire(fep, pdc, packet);
    }
}

void target_drain(struct uet_fep *fep, struct pdc *pdc)
{
    if (pdc->initiator || !pdc->rx.closing)
        return;
    forget_close_request(fep, pdc);
    /* Everything before the Close Command has come, and nothing of ours is outstanding. */
    if (psn_after(pdc->rx.close_psn, pdc->rx.expected_psn - 1) || pdc->tx.n_packets)
        return;
    if (UET_VIOLATES(fep, PDS_204) && pdc->rx.stored)
        return;
    sink_clear(fep, pdc, pdc->rx.close_psn); /* all forward PSNs count as cleared (PDS-204) */
    const struct ack_about about = {.psn = pdc->rx.close_psn,
                                    .entropy = pdc->rx.close_entropy,
                                    .m = pdc->rx.close_m,
                                    .retx = pdc->rx.close_retx,
                                    .close = true};
    ack_send(fep, pdc, &about);
    COUNT(fep, pdc_closed);
    if (!UET_VIOLATES(fep, PDS_203))
        pdc_free(fep, pdc, true);
}

void target_close_request(struct uet_fep *fep, struct pdc *pdc)
{
    if (pdc->initiator || pdc->req_closing || pdc->rx.closing)
        return;
    pdc->req_closing = true;
    bool bent = UET_VIOLATES(fep, PDS_200);
    pdc->wants |= (uint16_t)WANT(bent ? UET_CTL_CLOSE_COMMAND : UET_CTL_CLOSE_REQUEST);
    if (!UET_VIOLATES(fep, PDS_210))
        pdc->close_deadline = time_after(fep->now, fep->params.Close_REQ_Time);
    pdc_ready(fep, pdc);
    pdc_schedule(fep, pdc);
}
