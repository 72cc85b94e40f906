/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * NACKs on their way in (3.5.12.7, Table 3-58): what each code does to the packet it names, and to
 * its PDC.
 */
#include "refimpl/pds/pds.h"

#define NACK_RETX_WITHOUT_END 31u

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
    if (packet->deadline < pdc->timers[TIMER_RETX])
        pdc->timers[TIMER_RETX] = packet->deadline;
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
    pdc->timers[TIMER_CLEAR] = UET_FEP_NEVER; /* at once */
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
        uet_initiator_learn_tpdcid(fep, pdc, spdcid); /* PDS-035 */
    nack_act(fep, pdc, packet, h);
    if (pdc->state != PDC_CLOSED)
        uet_initiator_progress(fep, pdc);
}
