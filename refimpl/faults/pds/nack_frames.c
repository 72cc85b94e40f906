/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of NACKs that come: frames that are read otherwise, codes that are reserved. */
#include "refimpl/faults/pds/about.h"

/* ---- frames ---- */

static bool stray_teaches(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *pdc = of_stray(fep, &f->p);
    if (pdc && !pdc->peer_id && uet_nack_spdcid(uet_pds(&f->p)))
        uet_initiator_learn_tpdcid(fep, pdc, uet_nack_spdcid(uet_pds(&f->p)));
    return true;
}

static bool stray_experimental_used(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *pdc = of_stray(fep, &f->p);
    if (pdc && uet_nack_nack_code(uet_pds(&f->p)) == UET_NACK_EXP_NACK_FATAL)
        uet_pdc_retry(fep, pdc);
    return true;
}

static bool stray_used(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *pdc = of_stray(fep, &f->p);
    if (!pdc)
        return true;
    uint8_t code = uet_nack_nack_code(uet_pds(&f->p));
    if (pdc->tx.head)
        uet_nack_nack_psn_set(uet_fault_pds(f), packet_at(fep, pdc->tx.head)->psn);
    else if (fep->law.pds.nacks[code].nack_class == UET_CLASS_PDC_FATAL)
        uet_pdc_retry(fep, pdc);
    return true;
}

/* What it once was is forgotten: a NOOP has its PSN. */
static void resend_acked(struct uet_fep *fep, struct pdc *pdc, uint32_t psn)
{
    struct tx_packet *packet = uet_source_new(fep, pdc);
    if (!packet)
        return;
    pdc->tx.next_psn--;
    uet_source_renumber(fep, packet, psn);
    packet->ctl_type = UET_CTL_NOOP;
    packet->again = true;
    uet_source_resend(fep, pdc, packet);
    uet_pdc_ready(fep, pdc);
}

static bool beyond_resent(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *pdc = of_stray(fep, &f->p);
    if (pdc && uet_nack_nack_code(uet_pds(&f->p)) == UET_NACK_PSN_OOR_WINDOW)
        resend_acked(fep, pdc, uet_nack_nack_psn(uet_pds(&f->p)));
    return true;
}

static bool oldest_beyond(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = of_stray(fep, &f->p);
    if (pdc && pdc->tx.head && uet_nack_nack_code(uet_pds(&f->p)) == UET_NACK_PSN_OOR_WINDOW &&
        !psn_after(uet_nack_nack_psn(uet_pds(&f->p)), pdc->tx.cack_psn))
        uet_nack_nack_psn_set(uet_fault_pds(f), packet_at(fep, pdc->tx.head)->psn);
    return true;
}

static bool nack_answered(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct uet_packet *p = &f->p;
    if (uet_is_nack(p) && !uet_is_nack_rudi(p) && p->error == UET_PARSE_OK &&
        !uet_pdc_by_id(fep, uet_dpdcid(p)))
        uet_nack_send(fep, p, UET_NACK_INV_DPDCID, 0);
    return true;
}

static bool far_nack_answered(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct uet_packet *p = &f->p;
    struct pdc *pdc = nacked(fep, p);
    if (!pdc)
        return true;
    const uint32_t psn = uet_nack_nack_psn(uet_pds(p));
    const enum psn_place place = uet_sink_place(fep, pdc, psn);
    if (place == PSN_AHEAD || place == PSN_BEHIND)
        uet_nack_send_about(fep, pdc, UET_NACK_PSN_OOR_WINDOW, psn);
    return true;
}

static bool nack_is_retry(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct uet_packet *p = &f->p;
    struct pdc *pdc = nacked(fep, p);
    struct tx_packet *q = pdc ? uet_source_find(fep, pdc, uet_nack_nack_psn(uet_pds(p))) : NULL;
    if (q && q->rto_count < 3)
        q->rto_count++;
    return true;
}

#define MOVES (UINT64_C(1) << 32) /* in the memo, beside the CACK_PSN of the last ACK */

/* A fatal NACK right behind what is acknowledged moves the message in the midst of it. */
static bool moves_in_midst(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct uet_packet *p = &f->p;
    (void)fep;
    if (p->error != UET_PARSE_OK)
        return true;
    if (uet_is_ack(p))
        *f->memo = uet_ack_cack_psn(uet_pds(p));
    else if (uet_is_nack(p) && uet_nack_nack_psn(uet_pds(p)) == (uint32_t)*f->memo + 1 &&
             uet_nack_table[uet_nack_nack_code(uet_pds(p))].nack_class == UET_CLASS_PDC_FATAL)
        *f->memo |= MOVES;
    return true;
}

static bool first_stays_away(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return !(*f->memo & MOVES) || !uet_is_ses_request(&f->p) || !uet_has_syn(&f->p) ||
           !uet_ses_req_som(uet_ses(&f->p)) || uet_ses_req_eom(uet_ses(&f->p));
}

static bool coded_gap_ignored(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return !(uet_is_nack(&f->p) && uet_nack_nack_code(uet_pds(&f->p)) == UET_NACK_ROD_OOO &&
             uet_nack_vendor_code(uet_pds(&f->p)));
}

static bool old_nack_used(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = of_stray(fep, &f->p);
    if (pdc && pdc->tx.head && psn_after(pdc->tx.next_psn, uet_nack_nack_psn(uet_pds(&f->p))))
        uet_nack_nack_psn_set(uet_fault_pds(f), packet_at(fep, pdc->tx.head)->psn);
    return true;
}

static bool next_nack_used(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = of_stray(fep, &f->p);
    if (pdc && pdc->tx.head && uet_nack_nack_psn(uet_pds(&f->p)) == pdc->tx.next_psn)
        uet_nack_nack_psn_set(uet_fault_pds(f), packet_at(fep, pdc->tx.head)->psn);
    return true;
}

static bool nack_keeps_tpdcid(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_nack(&f->p) && !uet_is_nack_rudi(&f->p) &&
        uet_nack_nack_code(uet_pds(&f->p)) == UET_NACK_TRIMMED)
        uet_nack_spdcid_set(uet_fault_pds(f), 0);
    return true;
}

/* Of the FEP's own ROD PDC. */
static struct pdc *nacked_rod(struct uet_fep *fep, const struct uet_fault_frame *f)
{
    struct pdc *pdc = nacked(fep, &f->p);
    return pdc && pdc->initiator && pdc->rod ? pdc : NULL;
}

static bool is_fatal(const struct uet_fault_frame *f)
{
    return uet_nack_table[uet_nack_nack_code(uet_pds(&f->p))].nack_class == UET_CLASS_PDC_FATAL;
}

static bool rod_nack_keeps_tpdcid(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (nacked_rod(fep, f))
        uet_nack_spdcid_set(uet_fault_pds(f), 0);
    return true;
}

static bool rod_fatal_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return !nacked_rod(fep, f) || !is_fatal(f);
}

static bool returned_fatal_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = nacked(fep, &f->p);
    return !pdc || pdc->initiator || !is_fatal(f);
}

static bool closing_stray_used(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = of_stray(fep, &f->p);
    if (pdc && pdc->state == PDC_CLOSE_ACK_WAIT && pdc->tx.head)
        uet_nack_nack_psn_set(uet_fault_pds(f), packet_at(fep, pdc->tx.head)->psn);
    return true;
}

static void waits_once(struct uet_fep *fep, struct pdc *pdc, const struct uet_nacked *n)
{
    uet_nacked_resend(fep, pdc, n);
    if (!n->packet->nack_wait || n->packet->nack_count < 2)
        return;
    n->packet->deadline = pdc->timers[TIMER_RETX] = time_after(fep->now, 1000);
}

static void first_nack_waits(struct uet_law *law)
{
    law->pds.nacks[UET_NACK_NO_PKT_BUFFER].act = waits_once;
}

/* ---- reserved codes ---- */

static bool is_reserved(const struct uet_fault_frame *f)
{
    return uet_is_nack(&f->p) && uet_nack_nack_code(uet_pds(&f->p)) == 0x40;
}

static bool reserved_is_resent(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (is_reserved(f))
        uet_nack_nack_code_set(uet_fault_pds(f), UET_NACK_NO_PKT_BUFFER);
    return true;
}

static bool reserved_refuses_pdc(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (is_reserved(f) && !uet_nack_spdcid(uet_pds(&f->p)))
        uet_nack_nack_code_set(uet_fault_pds(f), UET_NACK_NO_PDC_AVAIL);
    return true;
}

#define REFUSED (UINT64_C(1) << 32) /* in the memo, beside the PSN refused last */

static bool notes_refused(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct uet_packet *p = &f->p;
    (void)fep;
    if (p->error == UET_PARSE_OK && uet_is_nack(p) &&
        uet_nack_nack_code(uet_pds(p)) == UET_NACK_NO_PDC_AVAIL)
        *f->memo = REFUSED | uet_nack_nack_psn(uet_pds(p));
    return true;
}

static bool last_stays_away(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return !uet_is_request(&f->p) || *f->memo != (REFUSED | uet_packet_psn(&f->p));
}

static const struct uet_fault_way ways[] = {
    {VIOLATION_PDS_035_TRIMMED, .in = nack_keeps_tpdcid},
    {VIOLATION_PDS_035_ROD, .in = rod_nack_keeps_tpdcid},
    {VIOLATION_PDS_134, .in = stray_used},
    {VIOLATION_PDS_134_CLOSING, .in = closing_stray_used},
    {VIOLATION_PDS_134_TPDCID, .in = stray_teaches},
    {VIOLATION_PDS_134_EXPERIMENTAL, .in = stray_experimental_used},
    {VIOLATION_PDS_134_OLD, .in = old_nack_used},
    {VIOLATION_PDS_134_NEXT, .in = next_nack_used},
    {VIOLATION_PDS_135_ONCE, .rows = first_nack_waits},
    {VIOLATION_PDS_137_REST, .in = notes_refused, .out = last_stays_away},
    {VIOLATION_PDS_138_REST, .in = moves_in_midst, .out = first_stays_away},
    {VIOLATION_PDS_138_ROD, .in = rod_fatal_lost},
    {VIOLATION_PDS_138_RETURN, .in = returned_fatal_lost},
    {VIOLATION_PDS_148_ROD, .in = coded_gap_ignored},
    {VIOLATION_PDS_151, .in = beyond_resent},
    {VIOLATION_PDS_151_OLDEST, .in = oldest_beyond},
    {VIOLATION_PDS_154_RETX, .in = reserved_is_resent},
    {VIOLATION_PDS_154_SYN, .in = reserved_refuses_pdc},
    {VIOLATION_PDS_155, .in = nack_answered},
    {VIOLATION_PDS_155_FAR, .in = far_nack_answered},
    {VIOLATION_PDS_157_NACKED, .in = nack_is_retry},
};

UET_FAULT_WAYS(uet_faults_of_nack_frames, ways);
