/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of finding, and opening, the PDC of a packet (pds/in/lookup.c). */
#include "refimpl/faults/pds/about.h"

static bool is_syn(const struct uet_packet *p)
{
    return asks(p) && uet_has_syn(p);
}

/* ---- the PDC that there is ---- */

static bool mode_overlooked(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = pdc_of(fep, &f->p);
    uint8_t *h = uet_fault_pds(f);
    if (pdc && uet_is_cp(&f->p))
        uet_cp_isrod_set(h, pdc->rod);
    else if (pdc)
        uet_rud_rod_req_type_set(h, pdc->rod ? UET_PDS_ROD_REQ : UET_PDS_RUD_REQ);
    return true;
}

/* The packet comes from the peer of its PDC, whoever sent it. */
static bool stranger_taken(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = pdc_of(fep, &f->p);
    if (!pdc || !pdc->peer_id || uet_has_syn(&f->p))
        return true;
    uet_rud_rod_req_spdcid_set(uet_fault_pds(f), pdc->peer_id);
    uet_fault_from(f, &pdc->peer);
    return true;
}

static bool strangers_psn_counts(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct uet_packet *p = &f->p;
    struct uet_ip from = uet_src_ip(p);
    struct pdc *pdc = uet_is_cp(p) ? pdc_of(fep, p) : NULL;
    if (pdc && !uet_has_syn(p) &&
        !(uet_ip_equal(&pdc->peer, &from) && pdc->peer_id == uet_spdcid(p)) &&
        place_of(fep, pdc, p) == PSN_NEW)
        uet_sink_receive(fep, pdc, uet_packet_psn(p));
    return true;
}

static bool names_no_pdc(struct uet_fep *fep, const struct uet_packet *p)
{
    return asks(p) && !uet_has_syn(p) && !uet_pdc_by_id(fep, uet_dpdcid(p));
}

static bool unknown_request_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return !(uet_is_request(&f->p) && names_no_pdc(fep, &f->p));
}

static bool unknown_cp_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return !(uet_is_cp(&f->p) && names_no_pdc(fep, &f->p));
}

static void closing_takes_messages(struct uet_law *law)
{
    for (size_t i = PDC_CREATING; i < UET_PDC_STATES; i++)
        law->pds.takes[i] = true;
}

static bool syn_mode_overlooked(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = uet_is_request(&f->p) && uet_has_syn(&f->p) ? pdc_of(fep, &f->p) : NULL;
    if (pdc)
        uet_rud_rod_req_type_set(uet_fault_pds(f), pdc->rod ? UET_PDS_ROD_REQ : UET_PDS_RUD_REQ);
    return true;
}

static bool end_takes_namesakes(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *of = is_cp_of(&f->p, UET_CTL_CLOSE_COMMAND) ? pdc_of(fep, &f->p) : NULL;
    if (!of || of->initiator)
        return true;
    FOR_EACH_PDC(fep, pdc)
    {
        if (pdc != of && !pdc->initiator && pdc->peer_id == of->peer_id)
            uet_pdc_free(fep, pdc, false);
    }
    return true;
}

static bool unknown_rod_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return !(f->p.error == UET_PARSE_OK && uet_is_rod_request(&f->p) && !uet_has_syn(&f->p) &&
             !pdc_of(fep, &f->p));
}

static bool unknown_without_ar_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return !(uet_is_request(&f->p) && names_no_pdc(fep, &f->p) &&
             !uet_rud_rod_req_ar(uet_pds(&f->p)));
}

static bool unknown_others_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return !(uet_is_cp(&f->p) && asks(&f->p) && !uet_has_syn(&f->p) && !pdc_of(fep, &f->p) &&
             uet_cp_ctl_type(uet_pds(&f->p)) != UET_CTL_CLOSE_COMMAND &&
             uet_cp_ctl_type(uet_pds(&f->p)) != UET_CTL_NOOP);
}

static bool unknown_zero_cp_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return !(uet_is_cp(&f->p) && asks(&f->p) && !uet_has_syn(&f->p) && !uet_dpdcid(&f->p));
}

/* 0 stands for the PDC of the peer that has sent it. */
static void zero_resolved(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = NULL;
    if (f->p.error == UET_PARSE_OK && !uet_has_syn(&f->p) && !uet_dpdcid(&f->p))
        pdc = uet_pdc_by_syn(fep, &f->p);
    if (pdc)
        uet_rud_rod_req_dpdcid_set(uet_fault_pds(f), pdc->id);
}

static bool zero_taken(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (uet_is_request(&f->p))
        zero_resolved(fep, f);
    return true;
}

static bool zero_cp_taken(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (uet_is_cp(&f->p))
        zero_resolved(fep, f);
    return true;
}

/* ---- SYNs ---- */

/* A PDCID for the peer that gave none: as if it had, and on the wire 0 again. */
#define FOR_ZERO 0xfffeu

static bool syn_zero_opens(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (is_syn(&f->p) && !uet_spdcid(&f->p))
        uet_rud_rod_req_spdcid_set(uet_fault_pds(f), FOR_ZERO);
    return true;
}

static bool answer_to_zero(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_ack(&f->p) && uet_dpdcid(&f->p) == FOR_ZERO)
        uet_ack_dpdcid_set(uet_fault_pds(f), 0);
    return true;
}

static bool syn_zero_leaves_pdc(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (!is_syn(&f->p) || uet_spdcid(&f->p))
        return true;
    uet_rud_rod_req_spdcid_set(uet_fault_pds(f), FOR_ZERO);
    struct pdc *left = uet_target_lookup_syn(fep, &f->p);
    uet_rud_rod_req_spdcid_set(uet_fault_pds(f), 0);
    if (left) { /* whose peer is 0 from now on */
        uet_pdc_unmap(fep, left);
        left->peer_id = 0;
        uet_pdc_map(fep, left);
    }
    uet_nack_send(fep, &f->p, UET_NACK_INVALID_SYN, left ? left->id : 0);
    return false;
}

/* To each peer its PDCIDs are its own. */
static bool pdcid_of_another_refused(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (!is_syn(&f->p) || pdc_of(fep, &f->p))
        return true;
    for (uint32_t i = 1; i <= fep->config.max_pdcs; i++) {
        const struct pdc *pdc = pdc_at(fep, i);
        if (pdc->state == PDC_CLOSED || pdc->initiator || pdc->peer_id != uet_spdcid(&f->p))
            continue;
        uet_nack_send(fep, &f->p, UET_NACK_NO_RESOURCE, 0);
        return false;
    }
    return true;
}

static bool later_syn_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct uet_packet *p = &f->p;
    return !(is_syn(p) && uet_packet_psn(p) != uet_start_psn(p) && !pdc_of(fep, p));
}

static bool syn_copy_refused(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = is_syn(&f->p) ? pdc_of(fep, &f->p) : NULL;
    if (!pdc || place_of(fep, pdc, &f->p) != PSN_DUPLICATE)
        return true;
    uet_nack_send(fep, &f->p, UET_NACK_INVALID_SYN, pdc->id);
    return false;
}

static bool invalid_syn_noted(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (is_nack_of(&f->p, UET_NACK_INVALID_SYN))
        *f->memo = uet_spdcid(&f->p);
    return true;
}

static void noted_ends(struct uet_fep *fep, uint64_t *memo)
{
    struct pdc *pdc = *memo ? uet_pdc_by_id(fep, (uint16_t)*memo) : NULL;
    *memo = 0;
    if (pdc)
        uet_pdc_free(fep, pdc, false);
}

/* A packet with syn=1 of no PDC so far, which is not the first of the one that it would open. */
static bool is_later_of_none(struct uet_fep *fep, const struct uet_packet *p)
{
    return asks(p) && uet_has_syn(p) && uet_packet_psn(p) != uet_start_psn(p) && !pdc_of(fep, p);
}

static bool later_noop_opens(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (is_cp_of(&f->p, UET_CTL_NOOP) && is_later_of_none(fep, &f->p))
        uet_cp_isrod_set(uet_fault_pds(f), false); /* which RUD may */
    return true;
}

/* Of the other mode it opens a PDC, which is then ROD after all. */
static bool later_rod_kept(struct uet_fep *fep, struct uet_fault_frame *f)
{
    uint8_t *h = uet_fault_pds(f);
    if (!is_syn(&f->p) || !uet_is_rod_request(&f->p) || !is_later_of_none(fep, &f->p))
        return true;
    uet_rud_rod_req_type_set(h, UET_PDS_RUD_REQ);
    struct pdc *left = uet_target_lookup_syn(fep, &f->p);
    uet_rud_rod_req_type_set(h, UET_PDS_ROD_REQ);
    if (left)
        left->rod = true;
    uet_nack_send_payload(fep, &f->p, UET_NACK_ROD_OOO, 0, uet_start_psn(&f->p));
    return false;
}

/* Is it at the first PSN that the window has no room for? */
static bool syn_at_edge_taken(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = is_syn(&f->p) ? pdc_of(fep, &f->p) : NULL;
    uint32_t psn = uet_packet_psn(&f->p);
    uint8_t *h = uet_fault_pds(f);
    if (!lies_at(fep, pdc, &f->p, PSN_AHEAD) || uet_sink_place(fep, pdc, psn - 1) == PSN_AHEAD)
        return true;
    uet_rud_rod_req_psn_set(h, psn - 1);
    uet_rud_rod_req_psn_offset_set(h, (uint16_t)(psn - 1 - uet_start_psn(&f->p)));
    return true;
}

static bool syn_clears_nothing(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = is_syn(&f->p) && uet_is_request(&f->p) ? pdc_of(fep, &f->p) : NULL;
    if (lies_at(fep, pdc, &f->p, PSN_NEW))
        uet_rud_rod_req_clear_psn_offset_set(
            uet_fault_pds(f), (int16_t)uet_psn_diff(pdc->rx.cack_psn, uet_packet_psn(&f->p)));
    return true;
}

/* ---- refusals on their way out ---- */

static bool no_pdc_silent(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return !is_nack_of(&f->p, UET_NACK_NO_PDC_AVAIL) && !is_nack_of(&f->p, UET_NACK_NO_BITMAP);
}

static void name_a_pdc(struct uet_fault_frame *f, uint8_t code)
{
    if (is_nack_of(&f->p, code) && !uet_spdcid(&f->p))
        uet_nack_spdcid_set(uet_fault_pds(f), UINT16_MAX);
}

static bool no_bitmap_names_pdc(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    name_a_pdc(f, UET_NACK_NO_BITMAP);
    return true;
}

static bool no_resource_names_pdc(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    name_a_pdc(f, UET_NACK_NO_RESOURCE);
    return true;
}

/* memo: what the newest SYN has in the place of dpdcid. */
static bool offset_noted(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (is_syn(&f->p))
        *f->memo = uet_rud_rod_req_dpdcid(uet_pds(&f->p));
    return true;
}

static bool offset_names_pdc(struct uet_fep *fep, struct uet_fault_frame *f)
{
    uint8_t *h = uet_fault_pds(f);
    (void)fep;
    if (uet_is_nack(&f->p) && uet_nack_nack_code(h) == UET_NACK_NO_RESOURCE && !uet_nack_spdcid(h))
        uet_nack_spdcid_set(h, (uint16_t)*f->memo);
    return true;
}

/* Only the first packet of a PDC is one that lacks it. */
static bool ahead_is_unknown(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (is_nack_of(&f->p, UET_NACK_NO_PDC_AVAIL) && *f->memo)
        uet_nack_nack_code_set(uet_fault_pds(f), UET_NACK_INV_DPDCID);
    return true;
}

static bool ahead_is_silent(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return !is_nack_of(&f->p, UET_NACK_NO_PDC_AVAIL) || !*f->memo;
}

/* A SYN of job 0 leaves as a Request of a PDC that its target has opened here, where there is one.
 */
static bool job_zero_on_theirs(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct uet_ip to = uet_dst_ip(&f->p);
    if (!uet_is_request(&f->p) || !uet_has_syn(&f->p) || !uet_is_ses_request(&f->p) ||
        uet_ses_req_job_id(uet_ses(&f->p)) || uet_ses_req_opcode(uet_ses(&f->p)) == UET_OP_NO_OP)
        return true;
    FOR_EACH_PDC(fep, pdc)
    {
        if (pdc->initiator || !uet_ip_equal(&pdc->peer, &to))
            continue;
        uet_rud_rod_req_syn_set(uet_fault_pds(f), false);
        uet_rud_rod_req_spdcid_set(uet_fault_pds(f), pdc->id);
        uet_rud_rod_req_dpdcid_set(uet_fault_pds(f), pdc->peer_id);
        break;
    }
    return true;
}

/* A ROD SYN leaves as a Request of the RUD PDC that is being created to that peer, if there is one.
 */
static bool pending_takes_other_mode(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct uet_ip to = uet_dst_ip(&f->p);
    if (!uet_is_request(&f->p) || !uet_has_syn(&f->p) || !uet_is_rod_request(&f->p))
        return true;
    FOR_EACH_PDC(fep, pdc)
    {
        if (!pdc->initiator || pdc->peer_id || pdc->rod || !uet_ip_equal(&pdc->peer, &to))
            continue;
        uint32_t psn = pdc->tx.next_psn;
        uet_rud_rod_req_type_set(uet_fault_pds(f), UET_PDS_RUD_REQ);
        uet_rud_rod_req_spdcid_set(uet_fault_pds(f), pdc->id);
        uet_rud_rod_req_psn_set(uet_fault_pds(f), psn);
        uet_rud_rod_req_psn_offset_set(uet_fault_pds(f), (uint16_t)(psn - pdc->start_psn));
        break;
    }
    return true;
}

static bool takes_pdc(struct uet_fep *fep, const struct uet_fault_frame *f, uint8_t code)
{
    if (!is_nack_of(&f->p, code) || !fep->free_head)
        return true;
    fep->free_head = pdc_at(fep, fep->free_head)->next;
    fep->free_tail = fep->free_head ? fep->free_tail : 0;
    fep->n_target++;
    return true;
}

static bool refusal_takes_pdc(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return takes_pdc(fep, f, UET_NACK_NO_CCC_AVAIL);
}

static bool lack_of_bitmap_takes_pdc(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return takes_pdc(fep, f, UET_NACK_NO_BITMAP);
}

static bool short_offset_opens(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (is_later_of_none(fep, &f->p))
        uet_rud_rod_req_psn_offset_set(uet_fault_pds(f),
                                       (uet_packet_psn(&f->p) - uet_start_psn(&f->p)) & UINT8_MAX);
    return true;
}

static bool asked_of_nobody_denied(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (!is_cp_of(&f->p, UET_CTL_ACK_REQUEST) || !names_no_pdc(fep, &f->p))
        return true;
    uet_nack_send(fep, &f->p, UET_NACK_PKT_NOT_RCVD, 0);
    return false;
}

/* A SYN goes where that of the oldest PDC went that is being created. */
static bool pending_draws(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (!uet_is_request(&f->p) || !uet_has_syn(&f->p))
        return true;
    FOR_EACH_PDC(fep, pdc)
    {
        if (!pdc->initiator || pdc->peer_id || pdc->rod)
            continue;
        uet_fault_to(f, &pdc->peer);
        break;
    }
    return true;
}

static bool later_rod_unasked_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return !(uet_is_rod_request(&f->p) && is_later_of_none(fep, &f->p) &&
             !uet_rud_rod_req_ar(uet_pds(&f->p)));
}

static bool stranger_on_rod_taken(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return !rod_of(fep, &f->p) || stranger_taken(fep, f);
}

static const struct uet_fault_way ways[] = {
    {VIOLATION_PDS_011_TO, .out = pending_draws},
    {VIOLATION_PDS_030_AR, .in = later_rod_unasked_lost},
    {VIOLATION_PDS_040_ROD, .in = stranger_on_rod_taken},
    {VIOLATION_PDS_029_OFFSET, .in = short_offset_opens},
    {VIOLATION_PDS_185_ASKED, .in = asked_of_nobody_denied},
    {VIOLATION_PDS_007, .in = mode_overlooked},
    {VIOLATION_PDS_007_SYN, .in = syn_mode_overlooked},
    {VIOLATION_PDS_011_JOB, .out = job_zero_on_theirs},
    {VIOLATION_PDS_011_PENDING, .out = pending_takes_other_mode},
    {VIOLATION_PDS_017, .in = syn_zero_opens, .out = answer_to_zero},
    {VIOLATION_PDS_017_NACK, .in = syn_zero_leaves_pdc},
    {VIOLATION_PDS_019, .in = pdcid_of_another_refused},
    {VIOLATION_PDS_019_END, .in = end_takes_namesakes},
    {VIOLATION_PDS_029, .in = later_syn_lost},
    {VIOLATION_PDS_030_NOOP, .in = later_noop_opens},
    {VIOLATION_PDS_030_KEPT, .in = later_rod_kept},
    {VIOLATION_PDS_036_CLEAR, .in = syn_clears_nothing},
    {VIOLATION_PDS_036_COPY, .in = syn_copy_refused},
    {VIOLATION_PDS_037_EDGE, .in = syn_at_edge_taken},
    {VIOLATION_PDS_037_ENDS, .out = invalid_syn_noted, .after = noted_ends},
    {VIOLATION_PDS_038, .in = unknown_request_lost},
    {VIOLATION_PDS_038_AR, .in = unknown_without_ar_lost},
    {VIOLATION_PDS_038_ROD, .in = unknown_rod_lost},
    {VIOLATION_PDS_039, .in = zero_taken},
    {VIOLATION_PDS_039_CP, .in = unknown_zero_cp_lost},
    {VIOLATION_PDS_039_CPS, .in = zero_cp_taken},
    {VIOLATION_PDS_040, .in = stranger_taken},
    {VIOLATION_PDS_041, .out = no_pdc_silent},
    {VIOLATION_PDS_041_AHEAD, .in = offset_noted, .out = ahead_is_unknown},
    {VIOLATION_PDS_042_LEAK, .out = refusal_takes_pdc},
    {VIOLATION_PDS_043, .out = no_bitmap_names_pdc},
    {VIOLATION_PDS_043_LEAK, .out = lack_of_bitmap_takes_pdc},
    {VIOLATION_PDS_150, .out = no_resource_names_pdc},
    {VIOLATION_PDS_150_OFFSET, .in = offset_noted, .out = offset_names_pdc},
    {VIOLATION_PDS_185, .in = unknown_cp_lost},
    {VIOLATION_PDS_185_OTHERS, .in = unknown_others_lost},
    {VIOLATION_PDS_186_EFFECT, .in = strangers_psn_counts},
    {VIOLATION_PDS_202, .rows = closing_takes_messages},
    {VIOLATION_PDS_232_AHEAD, .in = offset_noted, .out = ahead_is_silent},
};

UET_FAULT_WAYS(uet_faults_of_lookup, ways);
