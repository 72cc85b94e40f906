/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The source's side of a PDC: finding or opening one for an operation, ACKs and NACKs on their way
 * in (3.5.12), and closing (3.5.8.3). A target's Control Packets use the same ACK and NACK rules.
 */
#include "refimpl/pds/pds.h"

#define NACK_RETX_WITHOUT_END 31u

/* ---- opening ---- */

void uet_initiator_make_room(struct uet_fep *fep, bool reserved)
{
    struct pdc *theirs = NULL, *holder = NULL;
    bool any_pool = uet_pdc_lack(fep, reserved) == UET_NACK_NO_BITMAP; /* the pools share those */
    for (uint32_t i = 0; i < fep->config.max_pdcs; i++) {
        fep->idle_hand = fep->idle_hand % fep->config.max_pdcs + 1;
        struct pdc *pdc = pdc_at(fep, fep->idle_hand);
        bool fits =
            any_pool || uet_pdc_in_reserve(fep, pdc->reserved) == uet_pdc_in_reserve(fep, reserved);
        if (!uet_pdc_idle(fep, pdc) || !fits)
            continue;
        if (pdc->initiator) {
            uet_pdc_close(fep, pdc);
            return;
        }
        if (!theirs && !uet_ses_holds(fep, pdc->id))
            theirs = pdc;
        if (uet_ses_holds(fep, pdc->id) && (!holder || pdc->idle_since < holder->idle_since))
            holder = pdc;
    }
    /* Only peers hold what is idle: one of them is asked, or this FEP would wait for ever (I14). */
    if (theirs)
        uet_pdc_close(fep, theirs);
    else if (holder)
        uet_target_ask_holder(fep, holder);
}

/*
 * May the tuple have one more PDC, when even the one with the least to do is busy? Not on ROD: no
 * order holds from one PDC to another (3.5.6).
 */
static bool wants_another(const struct uet_fep *fep, const struct pdc *least, uint32_t n)
{
    return least && !least->rod && n < fep->params.PDCs_Per_Tuple && uet_ses_load(fep, least->id);
}

struct pdc *uet_initiator_open(struct uet_fep *fep, const struct uet_operation *call)
{
    uint32_t n;
    struct pdc *pdc = uet_pdc_by_tuple(fep, call, &n);
    struct pdc *least = pdc;
    if (wants_another(fep, pdc, n))
        pdc = NULL;
    if (pdc) /* a ROD PDC that closes: messages wait for its end, to stay in order */
        return pdc->state > PDC_ESTABLISHED && !UET_VIOLATES(fep, PDS_202) ? NULL : pdc;
    pdc = uet_pdc_begin(fep, true, &call->to, NULL, call->reserved);
    if (!pdc && least)
        return least;
    if (!pdc) {
        uet_initiator_make_room(fep, call->reserved);
        return NULL;
    }
    if (fep->config.choices.knocks)
        pdc->wants |= (uint16_t)WANT(UET_CTL_NOOP);
    pdc->rod = call->mode == UET_MODE_ROD;
    pdc->job_id = call->job_id;
    pdc->traffic_class = call->traffic_class;
    uet_pdc_map(fep, pdc);
    return pdc;
}

/* ---- ACK ---- */

static struct pdc *ack_pdc(struct uet_fep *fep, const struct uet_packet *p)
{
    struct pdc *pdc = uet_pdc_by_id(fep, uet_dpdcid(p));
    struct uet_ip from = uet_src_ip(p);
    if (!pdc) {
        COUNT(fep, drop_ack_unknown_pdc);
        if (UET_VIOLATES(fep, PDS_124))
            uet_nack_send(fep, p, UET_NACK_INV_DPDCID, 0);
        return NULL;
    }
    if (!uet_ip_equal(&pdc->peer, &from)) {
        COUNT(fep, drop_ack_source);
        return NULL;
    }
    uint16_t spdcid = uet_spdcid(p);
    bool good = pdc->peer_id ? spdcid == pdc->peer_id : spdcid != 0;
    if (!good && !UET_VIOLATES(fep, PDS_123)) {
        COUNT(fep, drop_ack_spdcid);
        return NULL;
    }
    return pdc;
}

/*
 * An ACK speaks only of what was sent (PDS-122). Before the TPDCID is known nothing else ties it to
 * this PDC: one from an earlier life of the PDCID speaks of PSNs elsewhere, 2^16 away or more.
 */
static bool ack_beyond(struct uet_fep *fep, const struct pdc *pdc, const struct uet_packet *p)
{
    uint32_t last = pdc->tx.next_psn - 1;
    bool probe = uet_ack_p(uet_pds(p));
    if (UET_VIOLATES(fep, PDS_122))
        return false;
    uint32_t cack = uet_ack_cack_psn(uet_pds(p));
    if (!pdc->peer_id && psn_after(pdc->start_psn - 1, cack))
        return true;
    return psn_after(cack, last) || (!probe && psn_after(uet_packet_psn(p), last));
}

static void learn_tpdcid(struct uet_fep *fep, struct pdc *pdc, uint16_t spdcid)
{
    if (pdc->peer_id)
        return;
    pdc->peer_id = spdcid;
    if (fep->config.choices.greets && pdc->initiator)
        pdc->wants |= WANT(UET_CTL_NOOP) | WANT(UET_CTL_PROBE) |
                      (fep->config.spec == UET_SPEC_1_0_3 ? WANT(UET_CTL_NEGOTIATION) : 0);
    uet_source_resend_refused(fep, pdc);
    (void)uet_pdc_event(fep, pdc, PDC_EV_PEER_KNOWN);
    if (UET_VIOLATES(fep, PDS_048) && uet_ses_load(fep, pdc->id) > 1) {
        uet_ses_pdc_gone(fep, pdc->id, false);
        uet_source_free(fep, pdc);
    }
}

static void retire(struct uet_fep *fep, struct pdc *pdc, struct tx_packet *packet,
                   const uint8_t *response)
{
    uint32_t op = packet->seg.op, order = packet->order;
    uint16_t slot = packet->slot;
    if (UET_VIOLATES(fep, PDS_162) && op && packet->rto_count < 2) {
        return; /* bent: the packet stays, and its RTO runs on */
    }
    if (UET_VIOLATES(fep, PDS_205) && packet->ctl_type == UET_CTL_CLOSE_COMMAND && !op)
        return;
    uet_source_retire(fep, pdc, packet);
    uet_infer_received(fep, pdc, order, slot);
    if (op)
        uet_ses_response(fep, op, response);
}

static const uint8_t *response_of(const struct uet_packet *p)
{
    return uet_is_ses_response(p) ? uet_ses(p) : NULL;
}

static void take_ack_psn(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p)
{
    const uint8_t *response = response_of(p);
    uint32_t psn = uet_packet_psn(p);
    if (UET_VIOLATES(fep, PDS_107))
        psn = uet_psn_add(uet_ack_cack_psn(uet_pds(p)), -uet_ack_ack_psn_offset(uet_pds(p)));
    struct tx_packet *packet = uet_source_find(fep, pdc, psn);
    if (packet &&
        !uet_ses_answers_read(fep, &packet->seg, p)) /* data that nobody asked for: no answer */
        return;
    if (packet) {
        if (uet_is_ses_response_data(p))
            uet_ses_read_take(fep, packet->seg.op, p);
        retire(fep, pdc, packet, response);
        return;
    }
    COUNT(fep, ack_psn_not_outstanding);
    if (response)
        uet_ses_late_response(fep, pdc->id, response);
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
        retire(fep, pdc, packet, NULL); /* covered by CACK only: success (PDS-110) */
    }
}

static void take_sack_bit(struct uet_fep *fep, struct pdc *pdc, uint32_t psn)
{
    struct tx_packet *packet = uet_source_find(fep, pdc, psn);
    if (packet && UET_VIOLATES(fep, PDS_117)) {
        retire(fep, pdc, packet, NULL);
        return;
    }
    if (!packet || packet->sacked)
        return;
    COUNT(fep, ack_sack);
    packet->sacked = true;
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

/* Bent: a cleared bit, which says nothing, is taken for a loss (PDS-115). */
static void resend_cleared(struct uet_fep *fep, struct pdc *pdc, uint32_t base, uint64_t bitmap)
{
    for (uint32_t i = 0; i < 64; i++) {
        struct tx_packet *packet = bitmap >> i & 1 ? NULL : uet_source_find(fep, pdc, base + i);
        if (packet)
            uet_source_resend(pdc, packet);
    }
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
    if (UET_VIOLATES(fep, PDS_115))
        resend_cleared(fep, pdc, base, bitmap);
    return highest;
}

/*
 * pds.mpr (PDS-063): units of 128 PSNs. 0 meant "no limit" before 1.0.3; since, it stands for
 * Override_MPR_Zero_Value PSNs, and counts as 1 when that is not set.
 */
static void take_mpr(struct uet_fep *fep, struct pdc *pdc, const uint8_t *h)
{
    struct source *tx = &pdc->tx;
    uint32_t cack = uet_ack_cack_psn(h);
    uint8_t mpr = uet_ack_cc_mpr(h);
    if (tx->mpr_known && !psn_after(cack, tx->mpr_cack_psn) && !UET_VIOLATES(fep, PDS_066)) {
        COUNT(fep, ack_mpr_stale);
        return;
    }
    tx->mp_range = (uint16_t)(mpr * MPR_UNIT);
    if (!mpr && fep->config.spec == UET_SPEC_1_0_3) { /* contested (PDS-065) */
        uint8_t override = fep->params.Override_MPR_Zero_Value;
        tx->mp_range = override && !UET_VIOLATES(fep, PDS_065) ? override : MPR_UNIT;
    }
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
            pdc->tx.clear_at = UET_VIOLATES(fep, PDS_231)
                                   ? UET_FEP_NEVER
                                   : time_after(fep->now, fep->params.PDS_Clear_Time);
        pdc->tx.clear_wanted = true;
    } else if (req == UET_ACK_REQ_CLOSE) {
        COUNT(fep, ack_req_close);
        if (!UET_VIOLATES(fep, PDS_209))
            uet_pdc_close(fep, pdc);
    }
}

/* What may follow once packets have been retired. May free the PDC. */
static void after_progress(struct uet_fep *fep, struct pdc *pdc)
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
    struct pdc *pdc = ack_pdc(fep, p);
    if (!pdc)
        return;
    if (ack_beyond(fep, pdc, p)) {
        COUNT(fep, drop_ack_beyond);
        return;
    }
    learn_tpdcid(fep, pdc, uet_spdcid(p));
    pdc->tx.n_window_asks = 0;
    if (uet_ack_p(uet_pds(p))) {
        /* Contested whether cack_psn counts here: nothing is read from a probe answer. */
        COUNT(fep, drop_ack_probe);
        after_progress(fep, pdc);
        return;
    }
    COUNT(fep, rx_ack);
    take_ack_psn(fep, pdc, p);
    take_cack(fep, pdc, uet_ack_cack_psn(h));
    if (uet_is_ack_cc(p)) {
        uint32_t highest = take_sack(fep, pdc, h);
        if (psn_after(uet_packet_psn(p), highest))
            highest = uet_packet_psn(p);
        if (p->cc_state == UET_H_ACK_CC_STATE_NSCC)
            uet_infer_ooo(fep, pdc, uet_ack_cc_state_nscc_ooo_count(uet_cc_state_of(p)), highest);
        take_mpr(fep, pdc, h);
    }
    uet_infer_progress(fep, pdc);
    take_req(fep, pdc, uet_ack_req(h));
    if (pdc->state != PDC_CLOSED)
        after_progress(fep, pdc);
}

/* ---- NACK ---- */

static struct pdc *nack_pdc(struct uet_fep *fep, const struct uet_packet *p)
{
    struct pdc *pdc = uet_pdc_by_id(fep, uet_dpdcid(p));
    struct uet_ip from = uet_src_ip(p);
    uint16_t spdcid = uet_spdcid(p);
    if (uet_nack_nt(uet_pds(p)) != UET_NACK_TYPE_RUD_ROD) {
        COUNT(fep, drop_nack_rudi);
        return NULL;
    }
    if (!pdc) {
        COUNT(fep, drop_nack_unknown_pdc);
        if (UET_VIOLATES(fep, PDS_155))
            uet_nack_send(fep, p, UET_NACK_INV_DPDCID, 0);
        return NULL;
    }
    /* spdcid 0 is the way of those NACKs for which the peer has no PDC. */
    if (!uet_ip_equal(&pdc->peer, &from) || (spdcid && pdc->peer_id && spdcid != pdc->peer_id)) {
        COUNT(fep, drop_nack_source);
        return NULL;
    }
    return pdc;
}

/* Resend on the same PDC after NACK_Retx_Time, counted by itself (PDS-135, PDS-136). On a ROD PDC
 * all that follows goes with it: the target has dropped it (3.5.21). */
static void nack_retx(struct uet_fep *fep, struct pdc *pdc, struct tx_packet *packet)
{
    uint8_t limit = fep->params.Max_NACK_Retx_Cnt;
    if (UET_VIOLATES(fep, PDS_135) || packet->resend || packet->nack_wait || packet->refused)
        return;
    if (limit != NACK_RETX_WITHOUT_END && packet->nack_count >= limit &&
        !UET_VIOLATES(fep, PDS_136)) {
        COUNT(fep, nack_exhausted);
        uet_pdc_fail(fep, pdc);
        return;
    }
    COUNT(fep, nack_retx);
    if (packet->nack_count < UINT8_MAX)
        packet->nack_count++;
    packet->sacked = false; /* the peer says it needs the packet itself */
    packet->nack_wait = true;
    packet->deadline = time_after(fep->now, fep->params.NACK_Retx_Time);
    if (packet->deadline < pdc->tx.deadline)
        pdc->tx.deadline = packet->deadline;
}

/*
 * The first missing PSN and all after it once more (PDS-167). NACKs for copies that went out before
 * the go-back of this gap speak of the same gap: one is enough (PDS-168).
 * newest: the NACK answers the newest copy of its packet.
 */
static void nack_go_back(struct uet_fep *fep, struct pdc *pdc, const uint8_t *h, bool newest)
{
    uint32_t expected = uet_nack_payload(h), psn = uet_nack_nack_psn(h);
    struct tx_packet *packet = uet_source_find(fep, pdc, expected);
    bool before = psn_after(pdc->tx.back_end, psn) && !(uet_nack_retx(h) && newest);
    bool same_gap = pdc->tx.back_psn == expected && before;
    if (!pdc->rod || !packet || psn_after(expected, psn)) {
        COUNT(fep, drop_nack_action);
        return;
    }
    if (same_gap) {
        COUNT(fep, nack_same_gap);
        return;
    }
    nack_retx(fep, pdc, packet);
}

/* Does the code say that the peer has no PDC that a Close Command could close? */
static bool peer_is_gone(uint8_t code)
{
    return code == UET_NACK_INV_DPDCID || code == UET_NACK_PDC_HDR_MISMATCH ||
           code == UET_NACK_CLOSING || code == UET_NACK_CLOSING_IN_ERR ||
           code == UET_NACK_INVALID_SYN;
}

/* PDC_FATAL: the PDC is closed; its packets are retried elsewhere or reported (PDS-138). */
static void nack_fatal(struct uet_fep *fep, struct pdc *pdc, uint8_t code, bool retry)
{
    bool close_sent = pdc->state == PDC_CLOSE_ACK_WAIT;
    if (UET_VIOLATES(fep, PDS_138))
        return;
    if (close_sent && code == UET_NACK_INV_DPDCID && UET_VIOLATES(fep, PDS_206))
        return;
    if (!close_sent)
        COUNT(fep, nack_fatal);
    if (code == UET_NACK_CLOSING && UET_VIOLATES(fep, PDS_139))
        retry = false;
    if (code == UET_NACK_CLOSING_IN_ERR && UET_VIOLATES(fep, PDS_140))
        retry = true;
    if (code == UET_NACK_GTD_RESP_UNAVAIL && UET_VIOLATES(fep, PDS_141))
        retry = true;
    /* After the Close Command only INV_DPDCID means that all is well (PDS-206). */
    if (close_sent ? code == UET_NACK_INV_DPDCID : peer_is_gone(code))
        uet_pdc_no_peer(fep, pdc, retry);
    else if (retry)
        uet_pdc_retry(fep, pdc);
    else
        uet_pdc_fail(fep, pdc);
}

/*
 * The target of a secure PDC wants another Start_PSN (I6): all again from there, still with syn=1.
 * Counted like a resend, or a target that is never content would keep this PDC for ever.
 */
static void nack_renumber(struct uet_fep *fep, struct pdc *pdc, uint32_t start_psn)
{
    struct tx_packet *first = packet_at(fep, pdc->tx.head);
    uint8_t limit = fep->params.Max_NACK_Retx_Cnt;
    if (pdc->state != PDC_CREATING) {
        COUNT(fep, drop_nack_action);
        return;
    }
    if (limit != NACK_RETX_WITHOUT_END && first->nack_count >= limit) {
        COUNT(fep, nack_exhausted);
        uet_pdc_fail(fep, pdc);
        return;
    }
    COUNT(fep, nack_new_start_psn);
    if (first->nack_count < UINT8_MAX)
        first->nack_count++;
    uet_source_restart(fep, pdc, start_psn);
    uet_pdc_ready(fep, pdc);
}

/*
 * Class NORMAL with RETRY: there was no PDC at the peer when this packet came (PDS-137). Another
 * SYN packet under way may still open it, and what that one carries would be done twice if all
 * were retried now (PDS-001): only when every packet has been refused is there no PDC, and every
 * copy of it that may still be on its way.
 */
static void nack_no_pdc(struct uet_fep *fep, struct pdc *pdc, struct tx_packet *packet, bool newest)
{
    if (pdc->peer_id || UET_VIOLATES(fep, PDS_137)) {
        nack_retx(fep, pdc, packet);
        return;
    }
    if (!newest) {
        COUNT(fep, nack_of_older_copy);
        return;
    }
    uet_source_refused(pdc, packet);
    /* A ROD target takes nothing before the first packet, so that one speaks for all. */
    bool all = pdc->tx.n_refused == pdc->tx.n_packets || (pdc->rod && !packet->prev);
    if (all)
        uet_pdc_retry(fep, pdc);
}

/*
 * Who closes in error has given up packets, and they never come: a Close Command that is refused as
 * it lies behind them, or beyond the window that they hold back, is refused for ever (I21).
 */
static bool close_refused(const struct pdc *pdc, uint8_t code)
{
    return pdc->close_error && pdc->state == PDC_CLOSE_ACK_WAIT &&
           (code == UET_NACK_ROD_OOO || code == UET_NACK_PSN_OOR_WINDOW);
}

/*
 * The CLEAR_PSN that a packet beyond the window carries is lost with it, and may be what would have
 * moved the window: it goes by itself (PDS-080).
 */
static void nack_oor(struct uet_fep *fep, struct pdc *pdc, struct tx_packet *packet)
{
    pdc->tx.clear_wanted = true;
    pdc->tx.clear_at = fep->now;
    nack_retx(fep, pdc, packet);
}

static bool trimmed(uint8_t code)
{
    return code == UET_NACK_TRIMMED || code == UET_NACK_TRIMMED_LASTHOP;
}

static void nack_act(struct uet_fep *fep, struct pdc *pdc, struct tx_packet *packet,
                     const uint8_t *h)
{
    uint8_t code = uet_nack_nack_code(h);
    uint16_t spdcid = uet_nack_spdcid(h);
    const struct uet_nack_info *info = &uet_nack_table[code];
    /* Does it answer the newest copy? As far as they are answered in order; retx is echoed. */
    bool newest = packet->n_underway <= 1 && (uet_nack_retx(h) || !packet->resent);
    if (packet->n_underway)
        packet->n_underway--;
    if (code == UET_NACK_RCVD_SES_PROCG && fep->config.choices.progress_ignored)
        return;
    if (code == UET_NACK_RCVR_INFER_LOSS && UET_VIOLATES(fep, PDS_229))
        return;
    if (code == UET_NACK_RCVD_SES_PROCG && UET_VIOLATES(fep, PDS_144)) {
        uet_pdc_fail(fep, pdc);
        return;
    }
    if (code == UET_NACK_RCVD_SES_PROCG && UET_VIOLATES(fep, PDS_144_STOP)) {
        packet->deadline = UET_FEP_NEVER;
        return;
    }
    if (code == UET_NACK_GTD_RESP_UNAVAIL && UET_VIOLATES(fep, PDS_141_PDC)) {
        uint32_t op = packet->seg.op;
        uet_source_retire(fep, pdc, packet);
        uet_ses_fail(fep, op);
        return;
    }
    if (close_refused(pdc, code)) {
        COUNT(fep, nack_close_refused);
        uet_pdc_fail(fep, pdc);
        return;
    }
    if (info->nack_class == UET_CLASS_PDC_FATAL) {
        nack_fatal(fep, pdc, code, info->action == UET_ACTION_RETRY);
        return;
    }
    if (info->nack_class == UET_CLASS_PDC_ERR)
        COUNT(fep, nack_error);
    switch (info->action) {
    case UET_ACTION_RETRY:
        nack_no_pdc(fep, pdc, packet, newest);
        return;
    case UET_ACTION_RETX:
        if (pdc->rod && packet->resent && !newest && trimmed(code)) {
            COUNT(fep, nack_same_gap); /* a go-back has taken the packet along since (PDS-167) */
            return;
        }
        /* NO_RESOURCE without a PDC is the same as NO_PDC_AVAIL (I5). */
        if (code == UET_NACK_NO_RESOURCE && !spdcid)
            nack_no_pdc(fep, pdc, packet, newest);
        else if (code == UET_NACK_PSN_OOR_WINDOW)
            nack_oor(fep, pdc, packet);
        else
            nack_retx(fep, pdc, packet);
        return;
    case UET_ACTION_GO_BACK_N:
        nack_go_back(fep, pdc, h, newest && !packet->resend);
        return;
    case UET_ACTION_RENUMBER:
        nack_renumber(fep, pdc, uet_nack_payload(h));
        return;
    default:
        COUNT(fep, drop_nack_action);
    }
}

/*
 * UET_TRIMMED_ACK names the PSN of an ACK of ours, not one of our Requests: the initiator that says
 * it sends its own Request again, and nothing is to be done here (PDS-223).
 */
static bool about_an_ack(const struct pdc *pdc, uint8_t code)
{
    return code == UET_NACK_TRIMMED_ACK && !pdc->initiator;
}

static bool reserved(const struct uet_fep *fep, uint8_t code)
{
    return uet_nack_table[code].nack_class == UET_CLASS_NONE ||
           (code == UET_NACK_TRIMMED_ACK && fep->config.spec == UET_SPEC_1_0_3);
}

/*
 * Received, but above a CACK_PSN that does not move: an ACK Request asks for it, and what that is
 * answered says whether the peer still has the PDC.
 */
static bool asked_about(const struct pdc *pdc, uint32_t psn)
{
    return pdc->peer_id && psn_after(psn, pdc->tx.cack_psn) && psn_after(pdc->tx.next_psn, psn);
}

/* As the answer to a SYN these name a PDC that is not this one. */
static bool of_another_pdc(uint8_t code)
{
    return code == UET_NACK_INVALID_SYN || code == UET_NACK_NEW_START_PSN ||
           code == UET_NACK_PDC_MODE_MISMATCH;
}

void uet_initiator_nack(struct uet_fep *fep, const struct uet_packet *p)
{
    const uint8_t *h = uet_pds(p);
    uint8_t code = uet_nack_nack_code(h);
    uint16_t spdcid = uet_spdcid(p);
    struct pdc *pdc = nack_pdc(fep, p);
    if (!pdc)
        return;
    pdc->tx.n_window_asks = 0;
    struct tx_packet *packet =
        about_an_ack(pdc, code) ? NULL : uet_source_find(fep, pdc, uet_nack_nack_psn(h));
    if (!packet && UET_VIOLATES(fep, PDS_134) && pdc->tx.head)
        packet = packet_at(fep, pdc->tx.head);
    if (!packet && UET_VIOLATES(fep, PDS_134) &&
        uet_nack_table[code].nack_class == UET_CLASS_PDC_FATAL) {
        uet_pdc_retry(fep, pdc);
        return;
    }
    if (!packet && UET_VIOLATES(fep, PDS_151) && code == UET_NACK_PSN_OOR_WINDOW)
        uet_source_resend_acked(fep, pdc, uet_nack_nack_psn(h));
    if (!packet && code == UET_NACK_INV_DPDCID && asked_about(pdc, uet_nack_nack_psn(h))) {
        uet_pdc_no_peer(fep, pdc, true);
        return;
    }
    if (!packet) { /* changes nothing (PDS-134) */
        COUNT(fep, drop_nack_psn);
        return;
    }
    if (reserved(fep, code)) { /* contested: ignored (PDS-154) */
        COUNT(fep, drop_nack_code);
        if (UET_VIOLATES(fep, PDS_154))
            uet_pdc_retry(fep, pdc);
        return;
    }
    COUNT(fep, rx_nack);
    if (spdcid && !of_another_pdc(code))
        learn_tpdcid(fep, pdc, spdcid); /* PDS-035 */
    nack_act(fep, pdc, packet, h);
    if (pdc->state != PDC_CLOSED)
        after_progress(fep, pdc);
}
