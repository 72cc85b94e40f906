/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Requests on their way in: which PDC they belong to, establishment (3.5.8.2), the window,
 * duplicates (3.5.12.5), and the target's side of closing (3.5.8.3). NACKs follow Table 3-58.
 */
#include "refimpl/pds/pds.h"

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

static bool is_retx(const struct uet_packet *p)
{
    return uet_is_cp(p) ? uet_cp_retx(uet_pds(p)) : uet_rud_rod_req_retx(uet_pds(p));
}

/* RUD and ROD never share a PDC (PDS-007). */
static bool wrong_mode(struct uet_fep *fep, const struct pdc *pdc, const struct uet_packet *p)
{
    if (!says_mode(p) || is_rod(p) == pdc->rod || UET_VIOLATES(fep, PDS_007))
        return false;
    uet_nack_send(fep, p, UET_NACK_PDC_MODE_MISMATCH, pdc->id);
    return true;
}

static bool same_peer(struct uet_fep *fep, const struct pdc *pdc, const struct uet_packet *p)
{
    struct uet_ip from = uet_src_ip(p);
    if (UET_VIOLATES(fep, PDS_040))
        return true;
    return uet_ip_equal(&pdc->peer, &from) && pdc->peer_id == uet_spdcid(p);
}

struct pdc *uet_target_lookup(struct uet_fep *fep, const struct uet_packet *p)
{
    struct pdc *pdc = uet_pdc_by_id(fep, uet_dpdcid(p));
    if (!pdc || pdc->state == PDC_PENDING) { /* 3.5.8.2 step 4a; nobody knows a PENDING one */
        bool silent = uet_is_cp(p) ? UET_VIOLATES(fep, PDS_185) : UET_VIOLATES(fep, PDS_038);
        if (!silent)
            uet_nack_send(fep, p, UET_NACK_INV_DPDCID, 0);
        return NULL;
    }
    if (pdc->initiator && !pdc->peer_id) {
        /* The first ACK of a PDC of ours was overtaken; the peer's timer brings this again. */
        COUNT(fep, drop_before_established);
        return NULL;
    }
    if (!same_peer(fep, pdc, p)) {
        if (UET_VIOLATES(fep, PDS_186_EFFECT) && uet_is_cp(p) &&
            uet_sink_place(fep, pdc, uet_packet_psn(p)) == PSN_NEW)
            uet_sink_receive(fep, pdc, uet_packet_psn(p));
        /* step 4b; a stranger does not learn the TPDCID */
        uet_nack_send(fep, p, UET_NACK_PDC_HDR_MISMATCH,
                      fep->config.choices.mismatch_says_tpdcid ? pdc->id : 0);
        return NULL;
    }
    return wrong_mode(fep, pdc, p) ? NULL : pdc;
}

/* May this SYN open a PDC? Answers it when not. */
static bool may_open(struct uet_fep *fep, const struct uet_packet *p)
{
    uint32_t offset = uet_packet_psn(p) - uet_start_psn(p);
    if (offset && is_rod(p)) { /* step 3e: nothing is kept (T3) */
        uet_nack_send_payload(fep, p, UET_NACK_ROD_OOO, 0, uet_start_psn(p));
        return false;
    }
    /* No PDC for a packet that could not be taken (PDS-150). */
    if (uet_ses_lacks_resource(fep, p, pool_has(&fep->parts, false))) {
        uet_nack_send(fep, p, UET_NACK_NO_RESOURCE, UET_VIOLATES(fep, PDS_150) ? UINT16_MAX : 0);
        return false;
    }
    if (offset >= uet_sink_mp_range(fep)) { /* outside the window that the new PDC would have */
        uet_nack_send(fep, p, UET_NACK_INVALID_SYN, 0);
        return false;
    }
    return !(offset && UET_VIOLATES(fep, PDS_029));
}

/* T5 and T6: may the PDC begin where the peer began? Without TSS it always may. */
static bool start_psn_ok(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p)
{
    uint32_t start_psn = uet_start_psn(p), wanted = start_psn;
    if (pdc->state == PDC_PENDING) {
        wanted = pdc->start_psn;
    } else if (fep->start_psn_ok && !fep->start_psn_ok(fep, &pdc->peer, start_psn, &wanted)) {
        pdc->state = PDC_PENDING;
        pdc->start_psn = wanted;
        uet_source_init(fep, pdc);
        uet_sink_restart(fep, pdc);
        pdc->close_deadline = time_after(fep->now, fep->params.New_PDC_Time);
        uet_pdc_schedule(fep, pdc);
    }
    if (wanted != start_psn) {
        uet_nack_send_payload(fep, p, UET_NACK_NEW_START_PSN, 0, wanted);
        return false;
    }
    (void)uet_pdc_event(fep, pdc, PDC_EV_START_PSN_OK);
    return true;
}

/* T2: it is told what is lacking, and room is made for its next attempt. */
static void refuse_open(struct uet_fep *fep, const struct uet_packet *p, uint8_t lack,
                        bool reserved)
{
    bool named = lack == UET_NACK_NO_BITMAP && UET_VIOLATES(fep, PDS_043);
    if (!UET_VIOLATES(fep, PDS_041))
        uet_nack_send(fep, p, lack, named ? UINT16_MAX : 0);
    uet_initiator_make_room(fep, reserved);
}

/* Bent: does any peer have a PDC of this PDCID here? To each peer its PDCIDs are its own. */
static bool pdcid_taken(struct uet_fep *fep, uint16_t spdcid)
{
    for (uint32_t i = 1; i <= fep->config.max_pdcs; i++) {
        const struct pdc *pdc = pdc_at(fep, i);
        if (pdc->state != PDC_CLOSED && !pdc->initiator && pdc->peer_id == spdcid)
            return true;
    }
    return false;
}

static struct pdc *open_target(struct uet_fep *fep, const struct uet_packet *p)
{
    struct uet_ip from = uet_src_ip(p);
    uint32_t start_psn = uet_start_psn(p);
    if (!may_open(fep, p))
        return NULL;
    if (UET_VIOLATES(fep, PDS_019) && pdcid_taken(fep, uet_spdcid(p))) {
        uet_nack_send(fep, p, UET_NACK_NO_RESOURCE, 0);
        return NULL;
    }
    const uint8_t *h = uet_pds(p);
    bool reserved = uet_is_cp(p) ? uet_cp_use_rsv_pdc(h) : uet_rud_rod_req_use_rsv_pdc(h);
    struct pdc *pdc = uet_pdc_begin(fep, false, &from, &start_psn, reserved);
    if (!pdc) {
        refuse_open(fep, p, uet_pdc_lack(fep, reserved), reserved);
        return NULL;
    }
    pdc->peer_id = uet_spdcid(p);
    pdc->rod = is_rod(p);
    pdc->syn_resent = is_retx(p);
    uet_pdc_map(fep, pdc);
    if (!start_psn_ok(fep, pdc, p))
        return NULL;
    if (fep->config.choices.greets_back) {
        pdc->wants |= (uint16_t)WANT(UET_CTL_NOOP);
        uet_pdc_ready(fep, pdc);
    }
    return pdc;
}

/* Does its initiator still know this PDC? Only who does not answers UET_INV_DPDCID to a NOOP. */
static void ask_initiator(struct uet_fep *fep, struct pdc *pdc)
{
    if (pdc->state != PDC_ESTABLISHED || pdc->tx.n_packets)
        return;
    pdc->wants |= (uint16_t)WANT(UET_CTL_NOOP);
    uet_pdc_ready(fep, pdc);
}

void uet_target_ask_holder(struct uet_fep *fep, struct pdc *pdc)
{
    bool quiet = time_after(pdc->idle_since, fep->params.RTO_Init_Time) < fep->now;
    if (!pdc->initiator && (pdc->rx.stored || uet_ses_holds(fep, pdc->id)) && quiet)
        ask_initiator(fep, pdc);
}

/*
 * A SYN of another life than the PDC that {source, spdcid} names. A copy that is late, or the peer
 * has forgotten this PDC: that is asked. The peer takes the first refusal for all that it has sent
 * of its new PDC and tries again on another; so the other SYNs are refused too, even if this PDC
 * has ended meanwhile, or they would be done twice (PDS-001).
 */
static void other_life(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p)
{
    uet_nack_send(fep, p, UET_NACK_INVALID_SYN, pdc->id);
    pdc->other_start = uet_start_psn(p);
    pdc->other_until = time_after(fep->now, fep->params.Syn_Retx_Safety_Time);
    ask_initiator(fep, pdc);
}

/* The life that is guarded is over; only a SYN of another one than those refused may pass. */
static struct pdc *past_guard(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p)
{
    if (uet_start_psn(p) == pdc->start_psn) {
        COUNT(fep, drop_syn_stale);
        return NULL;
    }
    if (pdc->other_until > fep->now && uet_start_psn(p) == pdc->other_start) {
        uet_nack_send(fep, p, UET_NACK_INVALID_SYN, 0);
        return NULL;
    }
    uet_pdc_release(fep, pdc);
    return open_target(fep, p);
}

struct pdc *uet_target_lookup_syn(struct uet_fep *fep, const struct uet_packet *p)
{
    struct uet_ip from = uet_src_ip(p);
    if (!uet_spdcid(p) && !UET_VIOLATES(fep, PDS_017)) {
        if (UET_VIOLATES(fep, PDS_017_NACK)) {
            const struct pdc *left = open_target(fep, p);
            uet_nack_send(fep, p, UET_NACK_INVALID_SYN, left ? left->id : 0);
        }
        COUNT(fep, drop_syn_spdcid_zero);
        return NULL;
    }
    struct pdc *pdc = uet_pdc_by_syn(fep, &from, uet_spdcid(p));
    if (!pdc)
        return open_target(fep, p);
    if (pdc->state == PDC_CLOSED)
        return past_guard(fep, pdc, p);
    if (wrong_mode(fep, pdc, p))
        return NULL;
    if (pdc->state == PDC_PENDING)
        return start_psn_ok(fep, pdc, p) ? pdc : NULL;
    if (uet_start_psn(p) != pdc->start_psn) {
        other_life(fep, pdc, p);
        return NULL;
    }
    pdc->syn_resent |= is_retx(p);
    return pdc;
}

/* ---- the window ---- */

/* ROD takes the expected PSN and nothing else (PDS-165, PDS-166). */
static bool refuse_order(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p)
{
    if (!pdc->rod || uet_packet_psn(p) == pdc->rx.expected_psn)
        return false;
    COUNT(fep, rod_out_of_order);
    uet_nack_send_payload(fep, p, UET_NACK_ROD_OOO, pdc->id, pdc->rx.expected_psn);
    return true;
}

bool uet_target_refuse_psn(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p,
                           enum psn_place place)
{
    bool syn = uet_has_syn(p);
    if (pdc->rx.closing &&
        (psn_after(uet_packet_psn(p), pdc->rx.close_psn) ||
         (uet_packet_psn(p) == pdc->rx.close_psn && UET_VIOLATES(fep, PDS_212_CLOSE)))) {
        uet_nack_send(fep, p, UET_NACK_CLOSING, pdc->id);
        return true;
    }
    if (place == PSN_NEW && refuse_order(fep, pdc, p))
        return true;
    if (place != PSN_AHEAD && place != PSN_BEHIND)
        return false;
    if (syn) {
        if (!UET_VIOLATES(fep, PDS_037))
            uet_nack_send(fep, p, UET_NACK_INVALID_SYN, pdc->id);
    } else if (place == PSN_BEHIND && !fep->config.choices.behind_nacked) {
        COUNT(fep, drop_behind_window); /* contested (PDS-068): silence, not 0x0B */
    } else if (!UET_VIOLATES(fep, PDS_067)) {
        uet_nack_send(fep, p, UET_NACK_PSN_OOR_WINDOW, pdc->id);
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
    uet_sink_clear(fep, pdc, uet_clear_psn(p));
}

/* Section 9 of the facts: a PSN that was received before. */
static void duplicate(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p)
{
    struct ack_about about = uet_ack_about(p);
    uint8_t response[UET_SES_RSP_BYTES];
    if (fep->config.choices.progress_nacked && uet_reply_waits(fep, pdc, about.psn)) {
        uet_nack_send(fep, p, UET_NACK_RCVD_SES_PROCG, pdc->id);
        return;
    }
    if (!about.retx && !fep->config.choices.ack_old) { /* dropped and counted (PDS-128) */
        COUNT(fep, rx_dup_dropped);
        return;
    }
    COUNT(fep, rx_dup_retx);
    if (UET_VIOLATES(fep, PDS_131))
        uet_nack_send(fep, p, UET_NACK_UNEXP_EVENT, pdc->id);
    const struct stored *s = uet_sink_stored(fep, pdc, about.psn);
    bool below = !psn_after(about.psn, pdc->rx.cack_psn);
    if (UET_VIOLATES(fep, PDS_129) || (UET_VIOLATES(fep, PDS_130) && below) ||
        (UET_VIOLATES(fep, PDS_087) && s) || (UET_VIOLATES(fep, PDS_088) && !s))
        return;
    if (s && s->part) {
        about.part = part_at(fep, s->part); /* made again: the memory is read again */
    } else if (p->ses) {
        uet_ses_default_response(response, p);
        about.response = s ? s->response : response;
    }
    uet_ack_send(fep, pdc, &about);
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
    if (!plan->guaranteed || UET_VIOLATES(fep, SES_117))
        return true;
    uint32_t part = plan->in_ack ? uet_part_new(fep, pdc, &plan->part) : 0;
    if (uet_sink_store(fep, pdc, psn, plan->response, part))
        return true;
    uet_part_free(fep, pdc, part);
    if (UET_VIOLATES(fep, PDS_091))
        return false;
    uet_nack_send(fep, p, UET_NACK_NO_GTD_DEL_AVAIL, pdc->id);
    uet_cp_ask_for_clears(fep, pdc);
    return false;
}

/* PDS-229: so much has come above the gap that what is missing will not come by itself. */
static void infer_loss(struct uet_fep *fep, struct pdc *pdc)
{
    struct sink *rx = &pdc->rx;
    uint32_t limit = fep->params.Infer_Loss_Count;
    if (!limit || rx->n_above < limit || rx->inferred_psn == rx->expected_psn)
        return;
    rx->inferred_psn = rx->expected_psn;
    uet_nack_send_about(fep, pdc, UET_NACK_RCVR_INFER_LOSS, rx->expected_psn);
}

/*
 * Message state has run short: does the initiator of a PDC that holds some still know it? After a
 * restart of its it would be held for ever. Asked by NOOP, one holder at a time, in turn.
 */
static void ask_message_holder(struct uet_fep *fep)
{
    uet_target_ask_holder(fep, pdc_at(fep, uet_ses_next_holder(fep)));
}

/* again: a bent FEP takes a duplicate, whose PSN it has received already. */
static void accept(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p, bool again)
{
    struct ack_about about = uet_ack_about(p);
    struct ses_plan plan;
    if (uet_reply_scarce(fep)) { /* nobody takes our answers: this one would be lost */
        uet_nack_send(fep, p, UET_NACK_NO_PKT_BUFFER, pdc->id);
        return;
    }
    bool ahead = about.psn != pdc->rx.expected_psn;
    uet_ses_check(fep, pdc->id, p, ahead, &plan);
    if (plan.part.length && !uet_part_room(fep, pdc, plan.in_ack, ahead))
        plan.nack = UET_NACK_NO_RESOURCE;
    if (plan.nack) { /* state is lacking: the PSN stays unreceived (PDS-149) */
        uet_nack_send(fep, p, plan.nack, pdc->id);
        if (plan.nack == UET_NACK_NO_SES_MSG_AVAIL)
            ask_message_holder(fep);
        else if (!uet_part_room(fep, pdc, true, false)) /* stored responses hold those */
            uet_cp_ask_for_clears(fep, pdc);
        if (UET_VIOLATES(fep, PDS_149))
            uet_sink_receive(fep, pdc, about.psn);
        return;
    }
    if (!store_response(fep, pdc, p, &plan)) {
        if (UET_VIOLATES(fep, PDS_149))
            uet_sink_receive(fep, pdc, about.psn);
        return;
    }
    if (!again)
        uet_sink_receive(fep, pdc, about.psn);
    if (plan.part.length && !plan.in_ack)
        uet_part_queue(fep, pdc, &plan.part);
    uet_ses_commit(fep, pdc->id, p, &plan);
    COUNT(fep, rx_request_new);
    if (about.m)
        COUNT(fep, rx_ce);
    if (plan.has_response)
        about.response = plan.response;
    if (plan.in_ack)
        about.part = &plan.part;
    bool syn = uet_has_syn(p) && !UET_VIOLATES(fep, PDS_033);
    uet_ack_decide(fep, pdc, p, &about, syn || plan.guaranteed);
}

void uet_target_request(struct uet_fep *fep, const struct uet_packet *p)
{
    bool data = uet_is_ses_response_data(p);
    if (data && uet_has_syn(p)) { /* it opens nothing (3.5.12.1) */
        COUNT(fep, drop_return_request);
        return;
    }
    struct pdc *pdc = uet_has_syn(p) ? uet_target_lookup_syn(fep, p) : uet_target_lookup(fep, p);
    if (!pdc)
        return;
    if (pdc->initiator != data) { /* read data comes from the target, all else from the initiator */
        COUNT(fep, drop_return_request);
        return;
    }
    COUNT(fep, rx_request);
    pdc->idle_since = fep->now;
    enum psn_place place = uet_sink_place(fep, pdc, uet_packet_psn(p));
    if (!uet_target_refuse_psn(fep, pdc, p, place)) {
        take_clear(fep, pdc, p);
        bool gap = uet_packet_psn(p) != pdc->rx.expected_psn;
        bool again = place == PSN_DUPLICATE;
        if (again && !deliver_again(fep, p))
            duplicate(fep, pdc, p);
        else if (data)
            uet_returned_accept(fep, pdc, p);
        else if (!(gap && UET_VIOLATES(fep, PDS_002)))
            accept(fep, pdc, p, again);
        infer_loss(fep, pdc);
        uet_pdc_drain(fep, pdc);
        if (pdc->state != PDC_CLOSED && data)
            uet_pdc_ready(fep, pdc);
    }
    if (pdc->state != PDC_CLOSED)
        uet_pdc_schedule(fep, pdc);
}
