/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of packets that a switch has trimmed (pds/in/trim.c). */
#include "refimpl/edge.h"
#include "refimpl/faults/pds/about.h"

/* The PDC of a Request, which may be cut. */
static struct pdc *of_request(struct uet_fep *fep, const struct uet_packet *p)
{
    if (!uet_is_request(p))
        return NULL;
    return uet_has_syn(p) ? uet_pdc_by_syn(fep, p) : uet_pdc_by_id(fep, uet_dpdcid(p));
}

static struct pdc *of_trimmed_request(struct uet_fep *fep, const struct uet_packet *p)
{
    return uet_edge_trimmed(p) ? of_request(fep, p) : NULL;
}

/* ---- Requests ---- */

static bool trimmed_rod_opens(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (uet_edge_trimmed(&f->p) && uet_is_request(&f->p) && uet_is_rod_request(&f->p) &&
        uet_has_syn(&f->p))
        (void)uet_target_lookup_syn(fep, &f->p);
    return true;
}

static bool trimmed_syn_of_any_life(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = uet_has_syn(&f->p) ? of_trimmed_request(fep, &f->p) : NULL;
    if (!pdc || pdc->start_psn == uet_start_psn(&f->p))
        return true;
    uet_nack_send(fep, &f->p, UET_NACK_TRIMMED, pdc->id);
    return false;
}

static bool trimmed_counts(struct uet_fep *fep, struct uet_fault_frame *f, bool rod)
{
    const struct uet_packet *p = &f->p;
    const struct pdc *pdc = of_trimmed_request(fep, p);
    if (pdc && uet_is_rod_request(p) == rod && place_of(fep, pdc, p) == PSN_NEW)
        *f->memo = note_of(pdc, p);
    return true;
}

static bool trimmed_rud_counts(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return trimmed_counts(fep, f, false);
}

static bool trimmed_rod_counts(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return trimmed_counts(fep, f, true);
}

static bool trimmed_duplicate_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = of_trimmed_request(fep, &f->p);
    return !(pdc && place_of(fep, pdc, &f->p) == PSN_DUPLICATE);
}

static bool trimmed_below_highest_counts(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *pdc = of_trimmed_request(fep, &f->p);
    uint32_t psn = uet_packet_psn(&f->p);
    if (pdc && uet_sink_place(fep, pdc, psn) == PSN_NEW && !psn_after(psn, pdc->rx.highest_psn))
        uet_sink_receive(fep, pdc, psn);
    return true;
}

/* memo: 1 + the PSN of which a trimmed copy has come. */
static bool trimmed_copy_renews(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = of_request(fep, &f->p);
    uint64_t psn = pdc ? 1 + (uint64_t)uet_packet_psn(&f->p) : 0;
    if (!pdc || pdc->initiator || !(of_trimmed_request(fep, &f->p) || *f->memo == psn))
        return true;
    if (!uet_edge_trimmed(&f->p) && f->p.error == UET_PARSE_OK) {
        struct ses_plan plan;
        *f->memo = 0;
        uet_ses_check(fep, pdc->id, &f->p, false, &plan);
        if (!plan.nack)
            uet_ses_commit(fep, pdc->id, &f->p, &plan);
    } else if (place_of(fep, pdc, &f->p) == PSN_DUPLICATE) {
        *f->memo = psn;
    }
    return true;
}

static bool trimmed_copy_is_good(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *pdc = of_trimmed_request(fep, &f->p);
    if (!pdc || place_of(fep, pdc, &f->p) != PSN_DUPLICATE)
        return true;
    struct ack_about about = uet_ack_about(&f->p);
    uint8_t response[UET_SES_RSP_BYTES];
    uet_ses_default_response(response, &f->p);
    about.response = response;
    uet_ack_send(fep, pdc, &about);
    return false;
}

/* What is stored for it, but for the read data. */
static bool trimmed_copy_without_data(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *pdc = of_trimmed_request(fep, &f->p);
    const struct stored *s = pdc ? uet_sink_stored(fep, pdc, uet_packet_psn(&f->p)) : NULL;
    if (!s || !s->part)
        return true;
    struct ack_about about = uet_ack_about(&f->p);
    about.response = s->response;
    uet_ack_send(fep, pdc, &about);
    return false;
}

static bool trimmed_again_ignored(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return !(uet_edge_trimmed(&f->p) && uet_is_request(&f->p) &&
             uet_rud_rod_req_retx(uet_pds(&f->p)));
}

/* A gap that was told, until something is acknowledged. */
static bool gap_is_told(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_nack(&f->p))
        *f->memo |= uet_nack_nack_code(uet_pds(&f->p)) == UET_NACK_ROD_OOO;
    else if (uet_is_ack(&f->p))
        *f->memo = 0;
    return true;
}

static bool gap_silences_trimmed(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return !(*f->memo && uet_edge_trimmed(&f->p) && uet_is_request(&f->p));
}

/* ---- the NACK ---- */

static bool trimmed_named_lowest(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const uint8_t *h = uet_pds(&f->p);
    const struct pdc *pdc = uet_is_nack(&f->p) && uet_nack_nack_code(h) == UET_NACK_TRIMMED
                                ? uet_pdc_by_id(fep, uet_nack_spdcid(h))
                                : NULL;
    if (pdc)
        uet_nack_nack_psn_set(uet_fault_pds(f), pdc->rx.cack_psn + 1);
    return true;
}

/* The byte of the class is looked up whole: it was written down with ECT(0). */
static bool last_hop_needs_ect0(struct uet_fep *fep, struct uet_fault_frame *f)
{
    uint8_t elsewhere = 0;
    if (f->p.trim != UET_TRIM_LASTHOP || uet_ecn(&f->p) == UET_ECN_ECT0)
        return true;
    while (elsewhere < 63 && !(fep->config.dscp_trimmed >> elsewhere & 1))
        elsewhere++;
    uet_fault_dscp(f, elsewhere);
    return true;
}

static bool trimmed_rod_noted(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    *f->memo = uet_is_request(&f->p) && uet_is_rod_request(&f->p);
    return true;
}

static bool lasthop_overlooked(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (is_nack_of(&f->p, UET_NACK_TRIMMED_LASTHOP) && *f->memo)
        uet_nack_nack_code_set(uet_fault_pds(f), UET_NACK_TRIMMED);
    return true;
}

static bool lasthop_of_data_overlooked(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const bool is = is_nack_of(&f->p, UET_NACK_TRIMMED_LASTHOP);
    const struct pdc *pdc = is ? uet_pdc_by_id(fep, uet_spdcid(&f->p)) : NULL;
    if (pdc && pdc->initiator)
        uet_nack_nack_code_set(uet_fault_pds(f), UET_NACK_TRIMMED);
    return true;
}

/* ---- ACKs, NACKs, Control Packets ---- */

static void nack_trimmed_ack(struct uet_fep *fep, const struct uet_packet *p, uint8_t code)
{
    uint8_t id = p->pds ? p->pds : p->partial; /* its last bytes may be gone */
    uint16_t at = p->pds ? p->pds_offset : p->partial_offset;
    if (!uet_edge_trimmed(p) || !uet_in_ack(id) || p->ip_end < at + UET_ACK_BYTES)
        return;
    const uint8_t *h = p->frame + at;
    struct pdc *pdc = uet_pdc_by_id(fep, uet_ack_dpdcid(h));
    if (pdc)
        uet_nack_send_about(fep, pdc, code, uet_ack_cack_psn(h));
}

static bool trimmed_ack_nacked(struct uet_fep *fep, struct uet_fault_frame *f)
{
    nack_trimmed_ack(fep, &f->p, UET_NACK_TRIMMED);
    return true;
}

static bool trimmed_ack_nacked_so(struct uet_fep *fep, struct uet_fault_frame *f)
{
    nack_trimmed_ack(fep, &f->p, UET_NACK_TRIMMED_ACK);
    return true;
}

static bool lasthop_ack_nacked(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (f->p.trim == UET_TRIM_LASTHOP)
        nack_trimmed_ack(fep, &f->p, UET_NACK_TRIMMED_ACK);
    return true;
}

static bool trimmed_ack_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return !(uet_edge_trimmed(&f->p) && uet_in_ack(f->p.pds ? f->p.pds : f->p.partial));
}

static bool trimmed_ack_lost_at_last_hop(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return f->p.trim != UET_TRIM_LASTHOP || trimmed_ack_lost(fep, f);
}

static bool trimmed_ack_told_once(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return trimmed_ack_lost(fep, f) || !(*f->memo)++;
}

static bool trimmed_cp_executed(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (uet_edge_trimmed(&f->p) && uet_is_cp(&f->p))
        uet_cp_receive(fep, &f->p);
    return true;
}

static bool trimmed_nack_taken(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (uet_edge_trimmed(&f->p) && uet_is_nack(&f->p))
        uet_initiator_nack(fep, &f->p);
    return true;
}

static bool lasthop_cp_executed(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return f->p.trim != UET_TRIM_LASTHOP || trimmed_cp_executed(fep, f);
}

static bool trimmed_close_executed(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return !is_cp_of(&f->p, UET_CTL_CLOSE_COMMAND) || trimmed_cp_executed(fep, f);
}

static bool trimmed_wish_executed(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return !is_cp_of(&f->p, UET_CTL_CLOSE_REQUEST) || trimmed_cp_executed(fep, f);
}

static bool trimmed_unasked_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return !of_trimmed_request(fep, &f->p) || uet_rud_rod_req_ar(uet_pds(&f->p));
}

/* What it does not have any more, the oldest PDC of its sender's is said to miss. */
static bool stump_nacked(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct uet_ip from = uet_src_ip(&f->p);
    if (!uet_edge_trimmed(&f->p) || f->p.pds || f->p.partial != UET_H_RUD_ROD_REQ)
        return true;
    FOR_EACH_PDC(fep, pdc)
    {
        if (pdc->initiator || !uet_ip_equal(&pdc->peer, &from))
            continue;
        uet_nack_send_about(fep, pdc, UET_NACK_TRIMMED, pdc->rx.expected_psn);
        break;
    }
    return true;
}

static const struct uet_fault_way ways[] = {
    {VIOLATION_NET_010, .in = stump_nacked},
    {VIOLATION_PDS_216_AR, .in = trimmed_unasked_lost},
    {VIOLATION_PDS_224_LASTHOP, .in = lasthop_cp_executed},
    {VIOLATION_PDS_224_CLOSE, .in = trimmed_close_executed},
    {VIOLATION_PDS_224_REQUEST, .in = trimmed_wish_executed},
    {VIOLATION_PDS_044_LIFE, .in = trimmed_syn_of_any_life},
    {VIOLATION_PDS_044_ROD, .in = trimmed_rod_opens},
    {VIOLATION_PDS_146, .in = trimmed_ack_nacked_so},
    {VIOLATION_PDS_146_LASTHOP, .in = lasthop_ack_nacked},
    {VIOLATION_PDS_087_TRIMMED, .in = trimmed_copy_without_data},
    {VIOLATION_PDS_216_TWICE, .in = trimmed_again_ignored},
    {VIOLATION_PDS_216_LOWEST, .out = trimmed_named_lowest},
    {VIOLATION_PDS_217_GAP, .in = gap_silences_trimmed, .out = gap_is_told},
    {VIOLATION_PDS_218, .in = last_hop_needs_ect0},
    {VIOLATION_PDS_218_ROD, .in = trimmed_rod_noted, .out = lasthop_overlooked},
    {VIOLATION_PDS_218_RETURN, .out = lasthop_of_data_overlooked},
    {VIOLATION_PDS_219_RUD, .in = trimmed_rud_counts, .after = noted_received},
    {VIOLATION_PDS_219_ROD, .in = trimmed_rod_counts, .after = noted_received},
    {VIOLATION_PDS_220, .in = trimmed_duplicate_lost},
    {VIOLATION_PDS_220_HIGHEST, .in = trimmed_below_highest_counts},
    {VIOLATION_PDS_220_RENEWS, .in = trimmed_copy_renews},
    {VIOLATION_PDS_220_ERROR, .in = trimmed_copy_is_good},
    {VIOLATION_PDS_222, .in = trimmed_ack_nacked},
    {VIOLATION_PDS_223, .in = trimmed_ack_lost},
    {VIOLATION_PDS_223_HOP, .in = trimmed_ack_lost_at_last_hop},
    {VIOLATION_PDS_223_ONCE, .in = trimmed_ack_told_once},
    {VIOLATION_PDS_224, .in = trimmed_cp_executed},
    {VIOLATION_PDS_224_NACK, .in = trimmed_nack_taken},
};

UET_FAULT_WAYS(uet_faults_of_trimmed, ways);
