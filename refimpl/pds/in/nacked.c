/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * NACKs on their way in (3.5.12.7, Table 3-58): what each code does to the packet it names, and to
 * its PDC. The codes are rows of the law (law.h); here is what their rows may do.
 */
#include "refimpl/pds/pds.h"

#define NACK_RETX_WITHOUT_END 31u

static bool resends_left(const struct uet_fep *fep, const struct tx_packet *packet)
{
    uint8_t limit = fep->params.Max_NACK_Retx_Cnt;
    return limit == NACK_RETX_WITHOUT_END || packet->nack_count < limit;
}

static void count_nack(struct tx_packet *packet)
{
    if (packet->nack_count < UINT8_MAX)
        packet->nack_count++;
}

static void exhausted(struct uet_fep *fep, struct pdc *pdc)
{
    COUNT(fep, nack_exhausted);
    uet_pdc_fail(fep, pdc);
}

/*
 * Who closes in error has given up packets, and they never come: a Close Command that is refused as
 * it lies behind them, or beyond the window that they hold back, is refused for ever (I21).
 */
static bool close_refused(struct uet_fep *fep, struct pdc *pdc)
{
    if (!pdc->close_error || pdc->state != PDC_CLOSE_ACK_WAIT)
        return false;
    COUNT(fep, nack_close_refused);
    uet_pdc_fail(fep, pdc);
    return true;
}

/* ---- what a row may do ---- */

static void resend(struct uet_fep *fep, struct pdc *pdc, struct tx_packet *packet,
                   const uint8_t *nack)
{
    if (packet->resend || packet->nack_wait || packet->refused)
        return;
    if (!resends_left(fep, packet)) {
        exhausted(fep, pdc);
        return;
    }
    COUNT(fep, nack_retx);
    count_nack(packet);
    uet_flight_nacked(fep, pdc, packet, nack);
    packet->sacked = false; /* the peer says it needs the packet itself */
    packet->nack_wait = true;
    packet->deadline = time_after(fep->now, fep->params.NACK_Retx_Time);
    if (packet->deadline < pdc->timers[TIMER_RETX])
        pdc->timers[TIMER_RETX] = packet->deadline;
}

void uet_nacked_resend(struct uet_fep *fep, struct pdc *pdc, const struct uet_nacked *n)
{
    resend(fep, pdc, n->packet, n->h);
}

/* Its ACK has data, and comes again for the packet alone: whatever SACK still says of it. */
static void with_data(struct uet_fep *fep, struct pdc *pdc, const struct uet_nacked *n)
{
    n->packet->wanted = true;
    n->packet->sacked = false;
    resend(fep, pdc, n->packet, n->h);
}

void uet_nacked_trimmed(struct uet_fep *fep, struct pdc *pdc, const struct uet_nacked *n)
{
    if (pdc->rod && n->packet->resent && !n->newest)
        COUNT(fep, nack_same_gap); /* a go-back has taken the packet along since (PDS-167) */
    else
        resend(fep, pdc, n->packet, n->h);
}

void uet_nacked_beyond(struct uet_fep *fep, struct pdc *pdc, const struct uet_nacked *n)
{
    if (close_refused(fep, pdc))
        return;
    pdc->tx.clear_wanted = true;
    pdc->timers[TIMER_CLEAR] = UET_FEP_NEVER; /* at once */
    resend(fep, pdc, n->packet, n->h);
}

void uet_nacked_go_back(struct uet_fep *fep, struct pdc *pdc, const struct uet_nacked *n)
{
    uint32_t expected = uet_nack_payload(n->h), psn = uet_nack_nack_psn(n->h);
    struct tx_packet *packet = uet_source_find(fep, pdc, expected);
    bool newest = n->newest && !n->packet->resend;
    bool before = psn_after(pdc->tx.back_end, psn) && !(uet_nack_retx(n->h) && newest);
    /* What the last go-back took along was told as another gap: it has been sent again, or will be.
     */
    bool same_gap = !psn_after(pdc->tx.back_psn, expected) && before;
    if (close_refused(fep, pdc))
        return;
    if (!pdc->rod || !packet || psn_after(expected, psn)) {
        COUNT(fep, drop_nack_action);
        return;
    }
    if (same_gap)
        COUNT(fep, nack_same_gap);
    else
        resend(fep, pdc, packet, n->h);
}

void uet_nacked_no_pdc(struct uet_fep *fep, struct pdc *pdc, const struct uet_nacked *n)
{
    struct tx_packet *packet = n->packet;
    if (pdc->peer_id) {
        resend(fep, pdc, packet, n->h);
        return;
    }
    if (!n->newest) {
        COUNT(fep, nack_of_older_copy);
        return;
    }
    uet_source_refused(fep, pdc, packet);
    /* A ROD target takes nothing before the first packet, so that one speaks for all. */
    bool all = pdc->tx.n_refused == pdc->tx.n_packets || (pdc->rod && !packet->prev);
    if (all)
        uet_pdc_retry(fep, pdc);
}

void uet_nacked_no_resource(struct uet_fep *fep, struct pdc *pdc, const struct uet_nacked *n)
{
    if (uet_nack_spdcid(n->h))
        resend(fep, pdc, n->packet, n->h);
    else
        uet_nacked_no_pdc(fep, pdc, n);
}

void uet_nacked_renumber(struct uet_fep *fep, struct pdc *pdc, const struct uet_nacked *n)
{
    struct tx_packet *first = packet_at(fep, pdc->tx.head);
    /* Established (TSS-065); does the peer still know it? Closing alone changes nothing. */
    if (pdc->peer_id || !first) {
        pdc->tx.opened_another = true;
        COUNT(fep, drop_nack_action);
        return;
    }
    if (uet_nack_payload(n->h) == pdc->start_psn) { /* each packet of the first flight has one */
        COUNT(fep, nack_of_older_copy);
        return;
    }
    if (!resends_left(fep, first)) {
        exhausted(fep, pdc);
        return;
    }
    COUNT(fep, nack_new_start_psn);
    count_nack(first);
    uet_source_restart(fep, pdc, uet_nack_payload(n->h));
    uet_pdc_ready(fep, pdc);
}

void uet_nacked_close(struct uet_fep *fep, struct pdc *pdc, const struct uet_nacked *n)
{
    const struct uet_nack_row *row = &fep->law.pds.nacks[uet_nack_nack_code(n->h)];
    bool close_sent = pdc->state == PDC_CLOSE_ACK_WAIT;
    if (!close_sent)
        COUNT(fep, nack_fatal);
    if (n->packet->n_copies == 1) /* the only one there was */
        uet_source_refused(fep, pdc, n->packet);
    if (close_sent ? row->ends_close : row->peer_gone)
        uet_pdc_no_peer(fep, pdc, row->retry);
    else if (row->retry)
        uet_pdc_retry(fep, pdc);
    else
        uet_pdc_fail(fep, pdc);
}

void uet_nacked_nothing(struct uet_fep *fep, struct pdc *pdc, const struct uet_nacked *n)
{
    (void)pdc, (void)n;
    COUNT(fep, drop_nack_action);
}

/* ---- the rule ---- */

/* What Table 3-58 gives to a code by its class and action. */
static struct uet_nack_row row_of(const struct uet_nack_info *info)
{
    static void (*const acts[])(struct uet_fep *, struct pdc *, const struct uet_nacked *) = {
        [UET_ACTION_RETRY] = uet_nacked_no_pdc,
        [UET_ACTION_RETX] = uet_nacked_resend,
        [UET_ACTION_GO_BACK_N] = uet_nacked_go_back,
        [UET_ACTION_RENUMBER] = uet_nacked_renumber,
    };
    bool known = info->action < sizeof acts / sizeof *acts && acts[info->action];
    bool fatal = info->nack_class == UET_CLASS_PDC_FATAL;
    return (struct uet_nack_row){
        .act = fatal   ? uet_nacked_close
               : known ? acts[info->action]
                       : uet_nacked_nothing,
        .nack_class = info->nack_class,
        .action = info->action,
        .reserved = info->nack_class == UET_CLASS_NONE,
        .retry = info->action == UET_ACTION_RETRY,
        .names_no_pdc = info->spdcid == UET_SPDCID_ZERO || info->spdcid == UET_SPDCID_ANY,
    };
}

void uet_nacked_law(struct uet_nack_row rows[UET_NACK_CODES])
{
    /* The peer has no PDC (any more) that a Close Command could close. */
    static const uint8_t gone[] = {UET_NACK_INV_DPDCID, UET_NACK_PDC_HDR_MISMATCH, UET_NACK_CLOSING,
                                   UET_NACK_CLOSING_IN_ERR, UET_NACK_INVALID_SYN};
    /* As the answer to a SYN these name a PDC that is not this one. */
    static const uint8_t others[] = {UET_NACK_INVALID_SYN, UET_NACK_NEW_START_PSN,
                                     UET_NACK_PDC_MODE_MISMATCH};
    for (size_t i = 0; i < UET_NACK_CODES; i++)
        rows[i] = row_of(&uet_nack_table[i]);
    for (size_t i = 0; i < sizeof gone; i++)
        rows[gone[i]].peer_gone = true;
    for (size_t i = 0; i < sizeof others; i++)
        rows[others[i]].of_another_pdc = true;
    rows[UET_NACK_INV_DPDCID].ends_close = true;
    rows[UET_NACK_INV_DPDCID].unknown = rows[UET_NACK_PDC_HDR_MISMATCH].unknown = true;
    rows[UET_NACK_TRIMMED].act = rows[UET_NACK_TRIMMED_LASTHOP].act = uet_nacked_trimmed;
    rows[UET_NACK_PSN_OOR_WINDOW].act = uet_nacked_beyond;
    rows[UET_NACK_NO_RESOURCE].act = uet_nacked_no_resource;
    rows[UET_NACK_ACK_WITH_DATA].act = with_data;
}

/* ---- a NACK comes ---- */

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
        return NULL;
    }
    /* spdcid 0 is the way of those NACKs for which the peer has no PDC. */
    if (!uet_ip_equal(&pdc->peer, &from) || (spdcid && pdc->peer_id && spdcid != pdc->peer_id)) {
        COUNT(fep, drop_nack_source);
        return NULL;
    }
    return pdc;
}

/*
 * UET_TRIMMED_ACK names the PSN of an ACK of ours, not one of our Requests: the initiator that says
 * it sends its own Request again, and nothing is to be done here (PDS-223).
 */
static bool about_an_ack(const struct pdc *pdc, uint8_t code)
{
    return code == UET_NACK_TRIMMED_ACK && !pdc->initiator;
}

/*
 * Received, but above a CACK_PSN that does not move: an ACK Request asks for it, and what that is
 * answered says whether the peer still has the PDC.
 */
static bool asked_about(const struct pdc *pdc, uint32_t psn)
{
    return pdc->peer_id && psn_after(psn, pdc->tx.cack_psn) && psn_after(pdc->tx.next_psn, psn);
}

/* The PSN of the newest ACK Request for the window: whoever answers it speaks of this PDC (I10). */
static bool asked_for_window(const struct pdc *pdc, uint32_t psn)
{
    return pdc->tx.ask_at && psn == pdc->tx.ask_psn;
}

/*
 * An ACK Request for the window is answered so while the target keeps the data of a PSN that is
 * retired here: the Clear Command for it was lost, and nothing else would open the window (I10).
 */
static void clear_again(struct uet_fep *fep, struct pdc *pdc, uint8_t code, uint32_t psn)
{
    bool kept = code == UET_NACK_ACK_WITH_DATA && asked_for_window(pdc, psn);
    if (!kept || !pdc->initiator || !psn_after(psn, pdc->tx.cack_psn))
        return;
    pdc->tx.clear_wanted = true;
    uet_pdc_ready(fep, pdc);
}

static void act(struct uet_fep *fep, struct pdc *pdc, const struct uet_nack_row *row,
                struct tx_packet *packet, const uint8_t *h)
{
    /* Does it answer the newest copy? As far as they are answered in order; retx is echoed. */
    const struct uet_nacked n = {
        .packet = packet,
        .h = h,
        .newest = packet->n_underway <= 1 && (uet_nack_retx(h) || !packet->resent),
    };
    if (packet->n_underway)
        packet->n_underway--;
    if (row->nack_class == UET_CLASS_PDC_ERR)
        COUNT(fep, nack_error);
    row->act(fep, pdc, &n);
}

void uet_initiator_nack(struct uet_fep *fep, const struct uet_packet *p)
{
    const uint8_t *h = uet_pds(p);
    uint8_t code = uet_nack_nack_code(h);
    const struct uet_nack_row *row = &fep->law.pds.nacks[code];
    uint16_t spdcid = uet_spdcid(p);
    struct pdc *pdc = nack_pdc(fep, p);
    if (!pdc)
        return;
    pdc->tx.n_window_asks = 0;
    struct tx_packet *packet =
        about_an_ack(pdc, code) ? NULL : uet_source_find(fep, pdc, uet_nack_nack_psn(h));
    bool asked = asked_about(pdc, uet_nack_nack_psn(h)) ||
                 asked_for_window(pdc, uet_nack_nack_psn(h)) ||
                 uet_credit_asked_in_vain(pdc, uet_nack_nack_psn(h));
    if (!packet && asked && row->unknown) {
        uet_pdc_no_peer(fep, pdc, row->retry);
        return;
    }
    if (!packet) { /* changes nothing (PDS-134) */
        COUNT(fep, drop_nack_psn);
        clear_again(fep, pdc, code, uet_nack_nack_psn(h));
        return;
    }
    if (row->reserved) { /* contested: ignored (PDS-154) */
        COUNT(fep, drop_nack_code);
        return;
    }
    COUNT(fep, rx_nack);
    if (spdcid && !row->of_another_pdc)
        uet_initiator_learn_tpdcid(fep, pdc, spdcid); /* PDS-035 */
    act(fep, pdc, row, packet, h);
    if (pdc->state != PDC_CLOSED)
        uet_initiator_progress(fep, pdc);
}
