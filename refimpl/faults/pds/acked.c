/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of ACKs on their way in (pds/in/acked.c). */
#include "refimpl/faults/pds/about.h"

static bool is_ack(const struct uet_packet *p)
{
    return uet_is_ack(p) && p->error == UET_PARSE_OK;
}

/* A SES response of a packet that CACK_PSN has covered is not heard. */
static bool covered_is_answered(struct uet_fep *fep, struct uet_fault_frame *f)
{
    bool covered = is_ack(&f->p) && (int16_t)uet_ack_ack_psn_offset(uet_pds(&f->p)) < 0;
    (void)fep;
    return !covered || !uet_is_ses_response(&f->p) ||
           uet_ses_rsp_opcode(uet_ses(&f->p)) != UET_RSP_RESPONSE;
}

/* 0 stands for the only PDC of ours to the peer that has sent it, by its PDCID. */
static bool zero_counts(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (!uet_is_ack(&f->p) || f->p.error != UET_PARSE_OK || uet_dpdcid(&f->p))
        return true;
    FOR_EACH_PDC(fep, pdc)
    {
        struct uet_ip from = uet_src_ip(&f->p);
        if (pdc->initiator && pdc->peer_id == uet_spdcid(&f->p) && uet_ip_equal(&pdc->peer, &from))
            uet_ack_dpdcid_set(uet_fault_pds(f), pdc->id);
    }
    return true;
}

static bool unknown_answered(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (is_ack(&f->p) && !uet_pdc_by_id(fep, uet_dpdcid(&f->p)))
        uet_nack_send(fep, &f->p, UET_NACK_INV_DPDCID, 0);
    return true;
}

static bool any_spdcid_taken(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = acked(fep, &f->p);
    if (pdc && pdc->peer_id)
        uet_ack_spdcid_set(uet_fault_pds(f), pdc->peer_id);
    return true;
}

/* memo: the PDC of an ACK_CC without a SACK bit, on ROD. */
static bool zero_bitmap_noted(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = acked(fep, &f->p);
    if (pdc && pdc->rod && f->p.pds == UET_H_ACK_CC && !uet_ack_cc_sack_bitmap(uet_pds(&f->p)))
        *f->memo = pdc->id;
    return true;
}

static void zero_bitmap_is_loss(struct uet_fep *fep, uint64_t *memo)
{
    struct pdc *pdc = *memo ? pdc_at(fep, (uint16_t)*memo) : NULL;
    *memo = 0;
    if (!pdc || pdc->state == PDC_CLOSED || !pdc->tx.head)
        return;
    uet_source_lost(fep, pdc, packet_at(fep, pdc->tx.head));
    uet_pdc_ready(fep, pdc);
}

/* What is said of packets that were never sent is said of the last one. */
static bool next_used(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = acked(fep, &f->p);
    uint8_t *h = uet_fault_pds(f);
    uint32_t psn = uet_packet_psn(&f->p);
    if (!pdc || uet_ack_cack_psn(h) != pdc->tx.next_psn)
        return true;
    uet_ack_cack_psn_set(h, pdc->tx.next_psn - 1);
    uet_ack_ack_psn_offset_set(h, (int16_t)uet_psn_diff(psn, pdc->tx.next_psn - 1));
    return true;
}

static bool beyond_used(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = acked(fep, &f->p);
    uint8_t *h = uet_fault_pds(f);
    if (!pdc)
        return true;
    uint32_t last = pdc->tx.next_psn - 1, cack = uet_ack_cack_psn(h), psn = uet_packet_psn(&f->p);
    cack = psn_after(cack, last) ? last : cack;
    psn = psn_after(psn, last) ? last : psn;
    uet_ack_cack_psn_set(h, cack);
    uet_ack_ack_psn_offset_set(h, (int16_t)uet_psn_diff(psn, cack));
    return true;
}

/* What is beyond the last PSN counts for nothing, but for its spdcid. */
static bool beyond_opens(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *pdc = acked(fep, &f->p);
    if (!pdc || pdc->peer_id || !psn_after(uet_ack_cack_psn(uet_pds(&f->p)), pdc->tx.next_psn - 1))
        return true;
    uet_initiator_learn_tpdcid(fep, pdc, uet_spdcid(&f->p));
    return false;
}

/* What is before the first PSN, too. */
static bool early_opens(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *pdc = acked(fep, &f->p);
    if (pdc && !pdc->peer_id && psn_after(pdc->start_psn - 1, uet_ack_cack_psn(uet_pds(&f->p))))
        uet_initiator_learn_tpdcid(fep, pdc, uet_spdcid(&f->p));
    return true;
}

/* CACK_PSN alone is looked at: right before the first PSN it is right, whatever is acknowledged. */
static bool named_early_opens(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *pdc = acked(fep, &f->p);
    const uint8_t *h = uet_pds(&f->p);
    if (pdc && !pdc->peer_id && !uet_ack_p(h) && uet_ack_cack_psn(h) == pdc->start_psn - 1 &&
        psn_after(pdc->start_psn, uet_packet_psn(&f->p)))
        uet_initiator_learn_tpdcid(fep, pdc, uet_spdcid(&f->p));
    return true;
}

static bool queued_fail(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *pdc = acked(fep, &f->p);
    if (pdc && !pdc->peer_id && uet_ses_load(fep, pdc->id) > 1) {
        uet_ses_pdc_gone(fep, pdc->id, false);
        uet_source_free(fep, pdc);
    }
    return true;
}

/* Lost but for the TPDCID: what it acknowledges is sent again. */
static bool forget(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p)
{
    uet_initiator_learn_tpdcid(fep, pdc, uet_spdcid(p));
    return false;
}

static bool acked_resent(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *pdc = acked(fep, &f->p);
    uint32_t cack = pdc ? uet_ack_cack_psn(uet_pds(&f->p)) : 0;
    for (uint32_t id = pdc ? pdc->tx.head : 0; id; id = packet_at(fep, id)->next) {
        const struct tx_packet *q = packet_at(fep, id);
        bool named = q->psn == uet_packet_psn(&f->p) || !psn_after(q->psn, cack);
        if (named && q->seg.op && q->rto_count < 2)
            return forget(fep, pdc, &f->p);
    }
    return true;
}

static bool close_unfinished(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *pdc = acked(fep, &f->p);
    const struct tx_packet *q = pdc ? uet_source_find(fep, pdc, uet_packet_psn(&f->p)) : NULL;
    if (q && !q->seg.op && q->ctl_type == UET_CTL_CLOSE_COMMAND)
        return forget(fep, pdc, &f->p);
    return true;
}

/* The Close Command itself must be named. */
static bool close_by_name(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = acked(fep, &f->p);
    const uint32_t last = pdc ? pdc->tx.next_psn - 1 : 0;
    const struct tx_packet *q = pdc ? uet_source_find(fep, pdc, last) : NULL;
    bool close = q && !q->seg.op && q->ctl_type == UET_CTL_CLOSE_COMMAND;
    return !close || uet_ack_cack_psn(uet_pds(&f->p)) != last || uet_packet_psn(&f->p) == last;
}

static bool offset_subtracted(struct uet_fep *fep, struct uet_fault_frame *f)
{
    uint8_t *h = uet_fault_pds(f);
    if (acked(fep, &f->p))
        uet_ack_ack_psn_offset_set(h, (int16_t)-uet_ack_ack_psn_offset(h));
    return true;
}

/* The packet that waits for its ACK behind the i-th bit of the SACK bitmap, if it says `set`. */
static struct tx_packet *behind_bit(struct uet_fep *fep, const struct pdc *pdc,
                                    const struct uet_packet *p, uint32_t i, bool set)
{
    const uint8_t *h = uet_pds(p);
    uint32_t psn = uet_psn_add(uet_ack_cack_psn(h), uet_ack_cc_sack_psn_offset(h)) + i;
    if ((uet_ack_cc_sack_bitmap(h) >> i & 1) != set || psn == uet_packet_psn(p))
        return NULL;
    return uet_source_find(fep, pdc, psn);
}

static bool cleared_bit_resends(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *pdc = uet_is_ack_cc(&f->p) ? acked(fep, &f->p) : NULL;
    for (uint32_t i = 0; pdc && i < 64; i++) {
        struct tx_packet *q = behind_bit(fep, pdc, &f->p, i, false);
        if (q)
            uet_source_resend(fep, pdc, q);
    }
    return true;
}

static bool sack_completes(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *pdc = uet_is_ack_cc(&f->p) ? acked(fep, &f->p) : NULL;
    for (uint32_t i = 0; pdc && i < 64; i++) {
        struct tx_packet *q = behind_bit(fep, pdc, &f->p, i, true);
        uint32_t op = q ? q->seg.op : 0;
        if (q)
            uet_source_retire(fep, pdc, q);
        if (op)
            uet_ses_response(fep, op, NULL);
    }
    return true;
}

/* What SACK has named counts as acknowledged when the last resend of what is before is due. */
static void sacked_is_done(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    FOR_EACH_PDC(fep, pdc)
    {
        const bool last = pdc->initiator && pdc->tx.head &&
                          packet_at(fep, pdc->tx.head)->rto_count >= fep->params.Max_RTO_Retx_Cnt;
        for (uint32_t id = last ? pdc->tx.head : 0; id;) {
            struct tx_packet *packet = packet_at(fep, id);
            uint32_t op = packet->seg.op;
            id = packet->next;
            if (!packet->sacked || packet->promised || !op)
                continue;
            uet_source_retire(fep, pdc, packet);
            uet_ses_response(fep, op, NULL);
        }
    }
}

static bool rto_restarts(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *pdc = acked(fep, &f->p);
    for (uint32_t id = pdc ? pdc->tx.head : 0; id; id = packet_at(fep, id)->next) {
        struct tx_packet *q = packet_at(fep, id);
        if (!q->nack_wait && q->deadline != UET_FEP_NEVER)
            q->deadline = time_after(fep->now, uet_source_rto(fep, q->rto_count));
    }
    return true;
}

static bool stale_mpr_taken(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *pdc = uet_is_ack_cc(&f->p) ? acked(fep, &f->p) : NULL;
    if (pdc)
        pdc->tx.mpr_known = false;
    return true;
}

/* As if no ACK had told one yet: this one counts. */
static void mpr_counts(struct pdc *pdc, bool counts)
{
    if (counts)
        pdc->tx.mpr_known = false;
}

static bool mpr_of_same_cack(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *pdc = uet_is_ack_cc(&f->p) ? acked(fep, &f->p) : NULL;
    if (pdc)
        mpr_counts(pdc, uet_ack_cack_psn(uet_pds(&f->p)) == pdc->tx.mpr_cack_psn);
    return true;
}

static bool mpr_by_ack_psn(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *pdc = uet_is_ack_cc(&f->p) ? acked(fep, &f->p) : NULL;
    if (pdc)
        mpr_counts(pdc, psn_after(uet_packet_psn(&f->p), pdc->tx.mpr_cack_psn));
    return true;
}

static bool clear_wish_of_draining_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = acked(fep, &f->p);
    uint8_t *h = uet_fault_pds(f);
    if (pdc && pdc->state >= PDC_QUIESCE && uet_ack_req(h) == UET_ACK_REQ_CLEAR)
        uet_ack_req_set(h, UET_ACK_NO_REQUEST);
    return true;
}

static bool close_wish_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    uint8_t *h = uet_fault_pds(f);
    if (acked(fep, &f->p) && uet_ack_req(h) == UET_ACK_REQ_CLOSE)
        uet_ack_req_set(h, UET_ACK_NO_REQUEST);
    return true;
}

/* REQ_CLOSE counts only when nothing is outstanding any more. */
static bool close_wish_of_the_last(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = acked(fep, &f->p);
    uint8_t *h = uet_fault_pds(f);
    if (pdc && uet_ack_req(h) == UET_ACK_REQ_CLOSE &&
        psn_after(pdc->tx.next_psn - 1, uet_ack_cack_psn(h)))
        uet_ack_req_set(h, UET_ACK_NO_REQUEST);
    return true;
}

static bool override_stays(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = uet_is_ack_cc(&f->p) ? acked(fep, &f->p) : NULL;
    uint8_t zero = fep->params.Override_MPR_Zero_Value;
    if (pdc && zero && pdc->tx.mpr_known && pdc->tx.mp_range == zero)
        uet_ack_cc_mpr_set(uet_fault_pds(f), 0);
    return true;
}

static bool named_not_acked(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_ack(&f->p) && f->p.error == UET_PARSE_OK && !uet_ack_p(uet_pds(&f->p)) &&
        (int16_t)uet_ack_ack_psn_offset(uet_pds(&f->p)) > 0)
        uet_ack_ack_psn_offset_set(uet_fault_pds(f), 0);
    return true;
}

/* What came before the last packet counts as acknowledged with it. */
static bool last_is_all(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = acked(fep, &f->p);
    uint8_t *h = uet_fault_pds(f);
    uint32_t psn = uet_packet_psn(&f->p);
    const struct tx_packet *q = pdc && !uet_ack_p(h) ? uet_source_find(fep, pdc, psn) : NULL;
    if (q && q->seg.eom) {
        uet_ack_cack_psn_set(h, psn);
        uet_ack_ack_psn_offset_set(h, 0);
    }
    return true;
}

/* ---- round trips (3.6.13.1) ---- */

static struct tx_packet *named(struct uet_fep *fep, const struct uet_packet *p)
{
    const struct pdc *pdc = acked(fep, p);
    return pdc ? uet_source_find(fep, pdc, uet_packet_psn(p)) : NULL;
}

/* It is taken for the ACK of the newest copy, whichever it is. */
static bool any_sample(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct tx_packet *packet = named(fep, &f->p);
    if (packet)
        uet_ack_retx_set(uet_fault_pds(f), packet->n_copies == 2);
    return true;
}

/* The wish of an ACK that tells no RTT is not heard. */
static bool wish_needs_sample(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct tx_packet *packet = named(fep, &f->p);
    if (packet && packet->n_copies > 1 && !uet_ack_retx(uet_fault_pds(f)) &&
        f->p.cc_state == UET_H_ACK_CC_STATE_NSCC)
        uet_ack_cc_state_nscc_rcv_cwnd_pend_set(f->bytes + f->p.cc_state_offset, 0);
    return true;
}

static bool late_sample(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct tx_packet *packet = named(fep, &f->p);
    if (packet && packet->n_copies > 2 && uet_ack_retx(uet_fault_pds(f)))
        packet->n_copies = 2;
    return true;
}

/* The memo: when the newest first copy left. */
static bool first_copy_leaves(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (uet_is_request(&f->p) && f->p.error == UET_PARSE_OK &&
        !uet_rud_rod_req_retx(uet_pds(&f->p)))
        *f->memo = fep->now;
    return true;
}

static bool since_first_copy(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct tx_packet *packet = named(fep, &f->p);
    if (packet && packet->n_copies == 2)
        packet->sent_at = *f->memo;
    return true;
}

/* The memo: a PSN, and above it how often it was sent again. All are sent as often as that one. */
static bool resend_counted(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (!uet_is_request(&f->p) || f->p.error != UET_PARSE_OK ||
        !uet_rud_rod_req_retx(uet_pds(&f->p)))
        return true;
    uint64_t psn = uet_packet_psn(&f->p);
    if (*f->memo && (uint32_t)*f->memo == psn)
        *f->memo += 1ull << 32;
    else if (!*f->memo)
        *f->memo = psn | 1ull << 32;
    return true;
}

static bool four_are_none(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct tx_packet *packet = named(fep, &f->p);
    if (packet && packet->n_copies > 2 && (*f->memo >> 32) % 4 == 0)
        packet->n_copies = 1;
    return true;
}

static void no_override(struct uet_fep_params *params)
{
    params->Override_MPR_Zero_Value = 0;
}

static void never_clears(struct uet_fep_params *params)
{
    params->PDS_Clear_Time = UET_FEP_NEVER;
}

static bool any_ack_closes(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = uet_is_ack(&f->p) ? uet_pdc_by_id(fep, uet_dpdcid(&f->p)) : NULL;
    if (pdc && pdc->state == PDC_CLOSE_ACK_WAIT) {
        uet_ack_cack_psn_set(uet_fault_pds(f), pdc->tx.next_psn - 1);
        uet_ack_ack_psn_offset_set(uet_fault_pds(f), 0);
    }
    return true;
}

static bool clear_wish_of_cc_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_ack_cc(&f->p) && uet_ack_req(uet_pds(&f->p)) == UET_ACK_REQ_CLEAR)
        uet_ack_req_set(uet_fault_pds(f), UET_ACK_NO_REQUEST);
    return true;
}

static void clear_wish_not_kept(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    FOR_EACH_PDC(fep, pdc)
    {
        if (pdc->tx.clear_wanted && !psn_after(uet_source_clear_psn(fep, pdc), pdc->tx.cack_psn))
            pdc->tx.clear_wanted = false;
    }
}

static bool ack_ends_waits(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *pdc = acked(fep, &f->p);
    for (uint32_t id = pdc ? pdc->tx.head : 0; id; id = packet_at(fep, id)->next) {
        struct tx_packet *q = packet_at(fep, id);
        if (!q->nack_wait || !psn_after(uet_packet_psn(&f->p), q->psn))
            continue;
        q->deadline = pdc->timers[TIMER_RETX] = fep->now + 1;
        uet_pdc_schedule(fep, pdc);
    }
    return true;
}

/* memo: a Clear Command has left. */
static bool clear_noted(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    *f->memo |= uet_is_cp(&f->p) && uet_cp_ctl_type(uet_pds(&f->p)) == UET_CTL_CLEAR_COMMAND;
    return true;
}

static bool later_clear_wish_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (*f->memo && uet_is_ack(&f->p) && uet_ack_req(uet_pds(&f->p)) == UET_ACK_REQ_CLEAR)
        uet_ack_req_set(uet_fault_pds(f), UET_ACK_NO_REQUEST);
    return true;
}

static bool rod_close_wish_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = acked(fep, &f->p);
    if (pdc && pdc->rod && uet_ack_req(uet_pds(&f->p)) == UET_ACK_REQ_CLOSE)
        uet_ack_req_set(uet_fault_pds(f), UET_ACK_NO_REQUEST);
    return true;
}

/* It tells what is known already. */
static bool mpr_stale_at_wrap(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = uet_is_ack_cc(&f->p) ? acked(fep, &f->p) : NULL;
    if (pdc && pdc->tx.mpr_known && uet_ack_cack_psn(uet_pds(&f->p)) <= pdc->tx.mpr_cack_psn)
        uet_ack_cc_mpr_set(uet_fault_pds(f), (uint8_t)(pdc->tx.mp_range / UET_MPR_UNIT));
    return true;
}

/* The PDC of an ACK that names a packet which waits for it. */
static struct pdc *progresses(struct uet_fep *fep, const struct uet_packet *p)
{
    struct pdc *pdc = acked(fep, p);
    return pdc && uet_source_find(fep, pdc, uet_packet_psn(p)) ? pdc : NULL;
}

static bool progress_begins_rto(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = progresses(fep, &f->p);
    for (uint32_t id = pdc ? pdc->tx.head : 0; id; id = packet_at(fep, id)->next) {
        struct tx_packet *q = packet_at(fep, id);
        if (q->deadline != UET_FEP_NEVER && !q->nack_wait)
            q->deadline = time_after(fep->now, uet_source_rto(fep, q->rto_count));
    }
    return true;
}

static bool progress_lessens_rto(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = progresses(fep, &f->p);
    for (uint32_t id = pdc ? pdc->tx.head : 0; id; id = packet_at(fep, id)->next)
        packet_at(fep, id)->rto_count = 0;
    return true;
}

static bool ack_renews_nacks(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = progresses(fep, &f->p);
    for (uint32_t id = pdc ? pdc->tx.head : 0; id; id = packet_at(fep, id)->next)
        packet_at(fep, id)->nack_count = 0;
    return true;
}

/* memo: the PDC and the CACK_PSN of the mpr that was halved last. */
static void mpr_counts_half(struct uet_fep *fep, uint64_t *memo)
{
    FOR_EACH_PDC(fep, pdc)
    {
        const uint64_t which = (uint64_t)pdc->id << 32 | pdc->tx.mpr_cack_psn;
        if (!pdc->initiator || !pdc->tx.mpr_known || *memo == which)
            continue;
        pdc->tx.mp_range /= 2;
        *memo = which;
    }
}

static const struct uet_fault_way ways[] = {
    {VIOLATION_PDS_063_HALF, .after = mpr_counts_half},
    {VIOLATION_PDS_171, .in = zero_bitmap_noted, .after = zero_bitmap_is_loss},
    {VIOLATION_PDS_059_MPR, .in = mpr_stale_at_wrap},
    {VIOLATION_PDS_209_ROD, .in = rod_close_wish_lost},
    {VIOLATION_PDS_048, .in = queued_fail},
    {VIOLATION_PDS_065, .params = no_override},
    {VIOLATION_PDS_065_STAYS, .in = override_stays},
    {VIOLATION_PDS_066, .in = stale_mpr_taken},
    {VIOLATION_PDS_066_SAME, .in = mpr_of_same_cack},
    {VIOLATION_PDS_066_NAMED, .in = mpr_by_ack_psn},
    {VIOLATION_PDS_107, .in = offset_subtracted},
    {VIOLATION_PDS_115, .in = cleared_bit_resends},
    {VIOLATION_PDS_117, .in = sack_completes},
    {VIOLATION_ROB_049_NAMED, .in = named_early_opens},
    {VIOLATION_ROB_049, .in = early_opens},
    {VIOLATION_PDS_122_OPENS, .in = beyond_opens},
    {VIOLATION_PDS_122, .in = beyond_used},
    {VIOLATION_PDS_122_NEXT, .in = next_used},
    {VIOLATION_PDS_123, .in = any_spdcid_taken},
    {VIOLATION_PDS_124, .in = unknown_answered},
    {VIOLATION_PDS_124_ZERO, .in = zero_counts},
    {VIOLATION_PDS_135_ACKS, .in = ack_ends_waits},
    {VIOLATION_PDS_136_ACK, .in = ack_renews_nacks},
    {VIOLATION_PDS_152, .in = rto_restarts},
    {VIOLATION_PDS_157_PROGRESS, .in = progress_begins_rto},
    {VIOLATION_PDS_157_LESS, .in = progress_lessens_rto},
    {VIOLATION_PDS_160_LAST, .in = last_is_all},
    {VIOLATION_PDS_160_SACKED, .after = sacked_is_done},
    {VIOLATION_PDS_162, .in = acked_resent},
    {VIOLATION_PDS_162_NAMED, .in = named_not_acked},
    {VIOLATION_PDS_205_ANY, .in = any_ack_closes},
    {VIOLATION_PDS_080_DRAINING, .in = clear_wish_of_draining_lost},
    {VIOLATION_PDS_080_ONCE, .in = later_clear_wish_lost, .out = clear_noted},
    {VIOLATION_PDS_080_GAP, .after = clear_wish_not_kept},
    {VIOLATION_PDS_080_CC, .in = clear_wish_of_cc_lost},
    {VIOLATION_PDS_205, .in = close_unfinished},
    {VIOLATION_PDS_205_COVERED, .in = close_by_name},
    {VIOLATION_PDS_209_LAST, .in = close_wish_of_the_last},
    {VIOLATION_PDS_209, .in = close_wish_lost},
    {VIOLATION_PDS_231, .params = never_clears},
    {VIOLATION_CMS_046, .in = any_sample},
    {VIOLATION_CMS_047, .in = late_sample},
    {VIOLATION_CMS_047_FIRST, .in = since_first_copy, .out = first_copy_leaves},
    {VIOLATION_CMS_047_WRAP, .in = four_are_none, .out = resend_counted},
    {VIOLATION_CMS_062_SAMPLE, .in = wish_needs_sample},
    {VIOLATION_CMS_113, .in = any_sample},
    {VIOLATION_SES_110_COVERED, .in = covered_is_answered},
};

UET_FAULT_WAYS(uet_faults_of_acked, ways);
