/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of the later clauses of PDS requirements: the other role, code, kind of packet, time. */
#include "refimpl/edge.h"
#include "refimpl/faults/ways.h"
#include "refimpl/pds/pds.h"

/* A Request or a Control Packet, whole. */
static bool asks(const struct uet_packet *p)
{
    return (uet_is_request(p) || uet_is_cp(p)) && p->error == UET_PARSE_OK;
}

static struct pdc *pdc_of(struct uet_fep *fep, const struct uet_packet *p)
{
    if (!asks(p))
        return NULL;
    return uet_has_syn(p) ? uet_pdc_by_syn(fep, p) : uet_pdc_by_id(fep, uet_dpdcid(p));
}

static enum psn_place place_of(struct uet_fep *fep, const struct pdc *pdc,
                               const struct uet_packet *p)
{
    return uet_sink_place(fep, pdc, uet_packet_psn(p));
}

static bool is_cp_of(const struct uet_packet *p, uint8_t ctl_type)
{
    return uet_is_cp(p) && uet_cp_ctl_type(uet_pds(p)) == ctl_type;
}

static bool is_nack_of(const struct uet_packet *p, uint8_t code)
{
    return uet_is_nack(p) && !uet_is_nack_rudi(p) && uet_nack_nack_code(uet_pds(p)) == code;
}

/* An ACK that this FEP sends, of that role of it; NULL: another packet. */
static struct pdc *acks_as(struct uet_fep *fep, const struct uet_packet *p, bool initiator)
{
    struct pdc *pdc =
        uet_is_ack(p) && !uet_ack_p(uet_pds(p)) ? uet_pdc_by_id(fep, uet_spdcid(p)) : NULL;
    return pdc && pdc->initiator == initiator ? pdc : NULL;
}

/* ---- PDCs ---- */

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

static bool refusal_takes_pdc(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (!is_nack_of(&f->p, UET_NACK_NO_CCC_AVAIL) || !fep->free_head)
        return true;
    fep->free_head = pdc_at(fep, fep->free_head)->next;
    fep->free_tail = fep->free_head ? fep->free_tail : 0;
    fep->n_target++;
    return true;
}

static bool syn_mode_overlooked(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = uet_is_request(&f->p) && uet_has_syn(&f->p) ? pdc_of(fep, &f->p) : NULL;
    if (pdc)
        uet_rud_rod_req_type_set(uet_fault_pds(f), pdc->rod ? UET_PDS_ROD_REQ : UET_PDS_RUD_REQ);
    return true;
}

static bool syn_copy_refused(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = asks(&f->p) && uet_has_syn(&f->p) ? pdc_of(fep, &f->p) : NULL;
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

static bool unknown_rod_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return !(f->p.error == UET_PARSE_OK && uet_is_rod_request(&f->p) && !uet_has_syn(&f->p) &&
             !pdc_of(fep, &f->p));
}

static bool trimmed_rod_opens(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (uet_edge_trimmed(&f->p) && uet_is_request(&f->p) && uet_is_rod_request(&f->p) &&
        uet_has_syn(&f->p))
        (void)uet_target_lookup_syn(fep, &f->p);
    return true;
}

static bool trimmed_counts(struct uet_fep *fep, struct uet_fault_frame *f, bool rod)
{
    const struct uet_packet *p = &f->p;
    if (!uet_edge_trimmed(p) || !uet_is_request(p) || uet_is_rod_request(p) != rod)
        return true;
    struct pdc *pdc = uet_has_syn(p) ? uet_pdc_by_syn(fep, p) : uet_pdc_by_id(fep, uet_dpdcid(p));
    if (pdc && place_of(fep, pdc, p) == PSN_NEW)
        *f->memo = (uint64_t)pdc->id << 32 | uet_packet_psn(p);
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

/* memo: a PDC and a PSN, which counts as received. */
static void noted_received(struct uet_fep *fep, uint64_t *memo)
{
    struct pdc *pdc = *memo ? uet_pdc_by_id(fep, (uint16_t)(*memo >> 32)) : NULL;
    uint32_t psn = (uint32_t)*memo;
    if (!pdc || uet_sink_place(fep, pdc, psn) == PSN_AHEAD)
        return;
    *memo = 0;
    if (uet_sink_place(fep, pdc, psn) == PSN_NEW)
        uet_sink_receive(fep, pdc, psn);
}

static bool refused_is_kept(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = uet_is_request(&f->p) ? pdc_of(fep, &f->p) : NULL;
    if (pdc && place_of(fep, pdc, &f->p) == PSN_AHEAD)
        *f->memo = (uint64_t)pdc->id << 32 | uet_packet_psn(&f->p);
    return true;
}

static bool asked_about_noted(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = is_cp_of(&f->p, UET_CTL_ACK_REQUEST) ? pdc_of(fep, &f->p) : NULL;
    if (pdc && place_of(fep, pdc, &f->p) == PSN_NEW)
        *f->memo = (uint64_t)pdc->id << 32 | uet_packet_psn(&f->p);
    return true;
}

/* ---- answers ---- */

static bool stored_asks_once(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = acks_as(fep, &f->p, false);
    if (pdc && uet_ack_retx(uet_pds(&f->p)) && uet_is_ses_response(&f->p) &&
        uet_ses_rsp_return_code(uet_fault_ses(f)) > UET_RC_OK)
        uet_ack_req_set(uet_fault_pds(f), UET_ACK_NO_REQUEST);
    return true;
}

static void asked_without_stored(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p)
{
    struct ack_about about = uet_ack_about(p);
    const struct stored *s = uet_sink_stored(fep, pdc, about.psn);
    uint8_t response[UET_SES_RSP_BYTES];
    if (!s || s->part || place_of(fep, pdc, p) != PSN_DUPLICATE) {
        uet_cp_ack_request(fep, pdc, p);
        return;
    }
    memcpy(response, s->response, sizeof response);
    uet_ses_rsp_return_code_set(response, UET_RC_NULL);
    uet_ses_rsp_opcode_set(response, UET_RSP_DEFAULT_RESPONSE);
    about.response = response;
    uet_ack_send(fep, pdc, &about);
}

static void stored_not_told(struct uet_law *law)
{
    law->pds.cps[UET_CTL_ACK_REQUEST] = asked_without_stored;
}

enum { GAP = 1, FIRST_CLOSED = 2 };

static bool one_gap(struct uet_fep *fep, struct uet_fault_frame *f, bool initiator)
{
    struct pdc *pdc = uet_is_request(&f->p) ? pdc_of(fep, &f->p) : NULL;
    if (!pdc || pdc->initiator != initiator)
        return true;
    if (pdc->rx.gap_open && !(*f->memo & FIRST_CLOSED))
        *f->memo |= GAP;
    else if (*f->memo & GAP)
        *f->memo |= FIRST_CLOSED;
    if (*f->memo & FIRST_CLOSED)
        pdc->rx.gap_open = false;
    return true;
}

static bool later_gaps_forgotten(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return one_gap(fep, f, false);
}

/* What a Request or a Clear Command clears is all that is stored. */
static bool clears_all(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *pdc = pdc_of(fep, &f->p);
    bool cp = is_cp_of(&f->p, UET_CTL_CLEAR_COMMAND);
    if (!pdc || pdc->initiator || (!cp && !uet_is_request(&f->p)))
        return true;
    uint32_t clear = cp ? uet_cp_payload_value(uet_pds(&f->p)) : uet_clear_psn(&f->p);
    if (pdc->rx.stored && psn_after(clear, pdc->rx.cack_psn))
        uet_sink_clear(fep, pdc, pdc->rx.highest_psn);
    return true;
}

/* One counter for all PDCs. */
static bool count_is_shared(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *to = uet_is_request(&f->p) ? pdc_of(fep, &f->p) : NULL;
    if (!to)
        return true;
    FOR_EACH_PDC(fep, pdc)
    {
        if (pdc == to)
            continue;
        to->rx.ack_gen_count += pdc->rx.ack_gen_count;
        pdc->rx.ack_gen_count = 0;
    }
    return true;
}

static bool old_copies_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = uet_is_request(&f->p) ? pdc_of(fep, &f->p) : NULL;
    return !pdc || pdc->initiator || place_of(fep, pdc, &f->p) != PSN_DUPLICATE ||
           psn_after(uet_packet_psn(&f->p) + 64, pdc->rx.cack_psn);
}

static bool noop_ahead_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = is_cp_of(&f->p, UET_CTL_NOOP) ? pdc_of(fep, &f->p) : NULL;
    return !pdc || place_of(fep, pdc, &f->p) != PSN_NEW ||
           uet_packet_psn(&f->p) == pdc->rx.expected_psn;
}

static bool noop_copy_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = is_cp_of(&f->p, UET_CTL_NOOP) ? pdc_of(fep, &f->p) : NULL;
    return !pdc || place_of(fep, pdc, &f->p) != PSN_DUPLICATE;
}

static bool rod_probe_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = is_cp_of(&f->p, UET_CTL_PROBE) ? pdc_of(fep, &f->p) : NULL;
    return !pdc || !pdc->rod;
}

static bool unknown_others_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return !(uet_is_cp(&f->p) && asks(&f->p) && !uet_has_syn(&f->p) && !pdc_of(fep, &f->p) &&
             uet_cp_ctl_type(uet_pds(&f->p)) != UET_CTL_CLOSE_COMMAND &&
             uet_cp_ctl_type(uet_pds(&f->p)) != UET_CTL_NOOP);
}

/* memo: the PSN after the one expected when a gap was told. */
static bool gap_told_once(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (!is_nack_of(&f->p, UET_NACK_ROD_OOO))
        return true;
    uint64_t told = uet_nack_payload(uet_pds(&f->p)) + 1ull;
    bool again = *f->memo == told;
    *f->memo = told;
    return !again;
}

static bool rod_ahead_noted(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = uet_is_request(&f->p) ? pdc_of(fep, &f->p) : NULL;
    if (pdc && pdc->rod && place_of(fep, pdc, &f->p) == PSN_NEW &&
        uet_packet_psn(&f->p) != pdc->rx.expected_psn)
        *f->memo = (uint64_t)pdc->id << 32 | uet_packet_psn(&f->p);
    return true;
}

static bool noted_is_sacked(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = acks_as(fep, &f->p, false);
    uint8_t *h = uet_fault_pds(f);
    if (!pdc || !uet_is_ack_cc(&f->p) || (*f->memo >> 32) != pdc->id ||
        !psn_after((uint32_t)*f->memo, uet_ack_cack_psn(h)))
        return true;
    int32_t ahead = uet_psn_diff((uint32_t)*f->memo, uet_ack_cack_psn(h));
    uet_ack_cc_sack_psn_offset_set(h, (int16_t)ahead);
    uet_ack_cc_sack_bitmap_set(h, 1);
    return true;
}

static bool lasthop_overlooked(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (is_nack_of(&f->p, UET_NACK_TRIMMED_LASTHOP) && *f->memo)
        uet_nack_nack_code_set(uet_fault_pds(f), UET_NACK_TRIMMED);
    return true;
}

static bool trimmed_rod_noted(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    *f->memo = uet_is_request(&f->p) && uet_is_rod_request(&f->p);
    return true;
}

static bool trimmed_nack_taken(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (uet_edge_trimmed(&f->p) && uet_is_nack(&f->p))
        uet_initiator_nack(fep, &f->p);
    return true;
}

/* ---- return direction ---- */

static bool returned_copy_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = uet_is_request(&f->p) ? pdc_of(fep, &f->p) : NULL;
    return !pdc || !pdc->initiator || place_of(fep, pdc, &f->p) != PSN_DUPLICATE;
}

static bool returned_ar_overlooked(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = uet_is_request(&f->p) ? pdc_of(fep, &f->p) : NULL;
    if (pdc && pdc->initiator)
        uet_rud_rod_req_ar_set(uet_fault_pds(f), false);
    return true;
}

static bool returned_gap_forgotten(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *pdc = uet_is_request(&f->p) ? pdc_of(fep, &f->p) : NULL;
    if (pdc && pdc->initiator)
        pdc->rx.gap_open = false;
    return true;
}

static bool returned_never_counted(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *pdc = uet_is_request(&f->p) ? pdc_of(fep, &f->p) : NULL;
    if (pdc && pdc->initiator)
        pdc->rx.ack_gen_count = 0;
    return true;
}

static bool returned_ack_path(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (acks_as(fep, &f->p, true) && f->p.udp_offset)
        uet_udp_src_port_set(f->bytes + f->p.udp_offset, 49999);
    return true;
}

static bool returned_ack_clears(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (acks_as(fep, &f->p, true) && uet_is_ses_response(&f->p))
        uet_ack_req_set(uet_fault_pds(f), UET_ACK_REQ_CLEAR);
    return true;
}

static bool returned_stale_mpr(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *pdc = uet_is_ack_cc(&f->p) && f->p.error == UET_PARSE_OK
                          ? uet_pdc_by_id(fep, uet_dpdcid(&f->p))
                          : NULL;
    if (pdc && !pdc->initiator)
        pdc->tx.mpr_known = false;
    return true;
}

/* ---- the source ---- */

static bool override_stays(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = uet_is_ack_cc(&f->p) && f->p.error == UET_PARSE_OK
                                ? uet_pdc_by_id(fep, uet_dpdcid(&f->p))
                                : NULL;
    uint8_t zero = fep->params.Override_MPR_Zero_Value;
    if (pdc && zero && pdc->tx.mpr_known && pdc->tx.mp_range == zero)
        uet_ack_cc_mpr_set(uet_fault_pds(f), 0);
    return true;
}

static bool sack_clears(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = uet_is_request(&f->p) ? uet_pdc_by_id(fep, uet_spdcid(&f->p)) : NULL;
    if (!pdc)
        return true;
    uint32_t id = pdc->tx.head, psn = uet_packet_psn(&f->p), was = uet_clear_psn(&f->p);
    while (id && packet_at(fep, id)->sacked && psn_after(psn, packet_at(fep, id)->psn))
        id = packet_at(fep, id)->next;
    uint32_t clear = (id ? packet_at(fep, id)->psn : psn) - 1;
    if (psn_after(clear, was) && psn_after(psn, clear))
        uet_rud_rod_req_clear_psn_offset_set(uet_fault_pds(f), (int16_t)uet_psn_diff(clear, psn));
    return true;
}

static void ignore(struct uet_fep *fep, struct pdc *pdc, const struct uet_nacked *n)
{
    (void)fep, (void)pdc, (void)n;
}

static void fail(struct uet_fep *fep, struct pdc *pdc, const struct uet_nacked *n)
{
    (void)n;
    uet_pdc_fail(fep, pdc);
}

#define CODE_DOES(name, code, what)                                                                \
    static void name(struct uet_law *law)                                                          \
    {                                                                                              \
        law->pds.nacks[code].act = what;                                                           \
    }
CODE_DOES(code_02, UET_NACK_TRIMMED_LASTHOP, ignore)
CODE_DOES(code_05, UET_NACK_NO_CCC_AVAIL, fail)
CODE_DOES(code_06, UET_NACK_NO_BITMAP, fail)
CODE_DOES(code_08, UET_NACK_NO_GTD_DEL_AVAIL, ignore)
CODE_DOES(code_09, UET_NACK_NO_SES_MSG_AVAIL, ignore)
CODE_DOES(code_0a, UET_NACK_NO_RESOURCE, ignore)
CODE_DOES(code_0b, UET_NACK_PSN_OOR_WINDOW, ignore)
CODE_DOES(code_0e, UET_NACK_INV_DPDCID, ignore)
CODE_DOES(code_0f, UET_NACK_PDC_HDR_MISMATCH, ignore)
CODE_DOES(code_15, UET_NACK_INVALID_SYN, ignore)
CODE_DOES(code_16, UET_NACK_PDC_MODE_MISMATCH, ignore)
CODE_DOES(code_19, UET_NACK_UNEXP_EVENT, ignore)

static void nack_at_once(struct uet_fep_params *params)
{
    params->NACK_Retx_Time = 1; /* ns: later than now */
}

typedef void each_packet(struct uet_fep *fep, struct pdc *pdc, struct tx_packet *q);

static void for_each_packet(struct uet_fep *fep, each_packet *act)
{
    FOR_EACH_PDC(fep, pdc)
    {
        for (uint32_t id = pdc->tx.head; id; id = packet_at(fep, id)->next)
            act(fep, pdc, packet_at(fep, id));
    }
}

static bool waits(const struct tx_packet *q)
{
    return q->again && !q->nack_wait && q->deadline != UET_FEP_NEVER;
}

static void due_at(struct uet_fep *fep, struct pdc *pdc, struct tx_packet *q, uint64_t at)
{
    at = at > fep->now ? at : fep->now + 1;
    q->deadline = at;
    if (pdc->timers[TIMER_RETX] > at) {
        pdc->timers[TIMER_RETX] = at;
        uet_pdc_schedule(fep, pdc);
    }
}

static void part_constant(struct uet_fep *fep, struct pdc *pdc, struct tx_packet *q)
{
    if (q->part && waits(q) && q->rto_count)
        due_at(fep, pdc, q, time_after(q->sent_at, uet_source_rto(fep, 0)));
}

static void parts_no_backoff(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    for_each_packet(fep, part_constant);
}

static bool is_cp_packet(const struct tx_packet *q)
{
    return !q->seg.op && !q->part;
}

static void cp_constant(struct uet_fep *fep, struct pdc *pdc, struct tx_packet *q)
{
    if (is_cp_packet(q) && waits(q) && q->rto_count)
        due_at(fep, pdc, q, time_after(q->sent_at, uet_source_rto(fep, 0)));
}

static void cps_no_backoff(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    for_each_packet(fep, cp_constant);
}

static void cp_endless(struct uet_fep *fep, struct pdc *pdc, struct tx_packet *q)
{
    (void)fep, (void)pdc;
    if (is_cp_packet(q) && q->rto_count > 1)
        q->rto_count = 1;
}

static void cps_without_end(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    for_each_packet(fep, cp_endless);
}

#define LONGEST UINT64_C(8000000000) /* ns */

static void longer(struct uet_fep *fep, struct pdc *pdc, struct tx_packet *q)
{
    (void)pdc;
    if (waits(q) && q->rto_count && uet_source_rto(fep, q->rto_count) == LONGEST)
        q->deadline = time_after(q->sent_at, 2 * LONGEST);
}

static void no_longest(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    for_each_packet(fep, longer);
}

static void close_request_once(struct uet_fep *fep, struct pdc *pdc, struct tx_packet *q)
{
    (void)fep, (void)pdc;
    if (is_cp_packet(q) && q->ctl_type == UET_CTL_CLOSE_REQUEST && waits(q))
        q->deadline = UET_FEP_NEVER;
}

static void close_requests_once(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    for_each_packet(fep, close_request_once);
}

static bool old_nack_used(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc =
        uet_is_nack(&f->p) && !uet_is_nack_rudi(&f->p) && f->p.error == UET_PARSE_OK
            ? uet_pdc_by_id(fep, uet_dpdcid(&f->p))
            : NULL;
    uint32_t psn = pdc ? uet_nack_nack_psn(uet_pds(&f->p)) : 0;
    if (pdc && pdc->tx.head && !uet_source_find(fep, pdc, psn) && psn_after(pdc->tx.next_psn, psn))
        uet_nack_nack_psn_set(uet_fault_pds(f), packet_at(fep, pdc->tx.head)->psn);
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

static uint32_t follow_half(struct uet_fep *fep, const struct pdc *pdc)
{
    return pdc->had_psn ? pdc->last_psn + 0x8000 : uet_start_psn_anywhere(fep, pdc);
}

static void start_psn_near(struct uet_law *law)
{
    law->pds.start_psn = follow_half;
}

/* ---- ROD, retries, strangers, RUDI ---- */

static struct pdc *rod_of(struct uet_fep *fep, const struct uet_packet *p)
{
    struct pdc *pdc = pdc_of(fep, p);
    return pdc && pdc->rod ? pdc : NULL;
}

static bool rod_copy_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = uet_is_request(&f->p) ? rod_of(fep, &f->p) : NULL;
    return !pdc || place_of(fep, pdc, &f->p) != PSN_DUPLICATE;
}

static bool rod_stored_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = uet_is_request(&f->p) ? rod_of(fep, &f->p) : NULL;
    return !pdc || place_of(fep, pdc, &f->p) != PSN_DUPLICATE ||
           !uet_sink_stored(fep, pdc, uet_packet_psn(&f->p));
}

static bool rod_retx_overlooked(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = uet_is_request(&f->p) ? rod_of(fep, &f->p) : NULL;
    if (pdc && place_of(fep, pdc, &f->p) == PSN_NEW)
        uet_rud_rod_req_retx_set(uet_fault_pds(f), false);
    return true;
}

static bool rod_never_counted(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *pdc = uet_is_request(&f->p) ? rod_of(fep, &f->p) : NULL;
    if (pdc)
        pdc->rx.ack_gen_count = 0;
    return true;
}

static bool rod_noop_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return !(is_cp_of(&f->p, UET_CTL_NOOP) && rod_of(fep, &f->p));
}

static bool rod_asks_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return !(is_cp_of(&f->p, UET_CTL_ACK_REQUEST) && rod_of(fep, &f->p));
}

static struct pdc *sends(struct uet_fep *fep, const struct uet_packet *p)
{
    return uet_is_request(p) || uet_is_cp(p) ? uet_pdc_by_id(fep, uet_spdcid(p)) : NULL;
}

static bool rod_clear_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = sends(fep, &f->p);
    return !(pdc && pdc->rod && is_cp_of(&f->p, UET_CTL_CLEAR_COMMAND));
}

static bool rod_in_all_cps(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = sends(fep, &f->p);
    if (pdc && pdc->rod && uet_is_cp(&f->p))
        uet_cp_isrod_set(uet_fault_pds(f), true);
    return true;
}

static void rod_never(struct uet_fep *fep, struct pdc *pdc, struct tx_packet *q)
{
    (void)fep;
    if (pdc->rod && waits(q))
        q->deadline = UET_FEP_NEVER;
}

static void rod_no_rto(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    for_each_packet(fep, rod_never);
}

static void resend_but_rod(struct uet_fep *fep, struct pdc *pdc, const struct uet_nacked *n)
{
    if (!pdc->rod)
        uet_nacked_resend(fep, pdc, n);
}
CODE_DOES(code_07_rod, UET_NACK_NO_PKT_BUFFER, resend_but_rod)

static void go_back_as_initiator(struct uet_fep *fep, struct pdc *pdc, const struct uet_nacked *n)
{
    if (pdc->initiator)
        uet_nacked_go_back(fep, pdc, n);
}
CODE_DOES(code_0d_return, UET_NACK_ROD_OOO, go_back_as_initiator)

#define RETRY_NOT(name, code)                                                                      \
    static void name(struct uet_law *law)                                                          \
    {                                                                                              \
        law->pds.nacks[code].retry = false;                                                        \
    }
RETRY_NOT(no_retry_0e, UET_NACK_INV_DPDCID)
RETRY_NOT(no_retry_0f, UET_NACK_PDC_HDR_MISMATCH)
RETRY_NOT(no_retry_15, UET_NACK_INVALID_SYN)
RETRY_NOT(no_retry_16, UET_NACK_PDC_MODE_MISMATCH)
RETRY_NOT(no_retry_19, UET_NACK_UNEXP_EVENT)

/* RTO resends beyond the window. */
static void rto_beyond(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    FOR_EACH_PDC(fep, pdc)
    {
        bool rto = false;
        for (uint32_t id = pdc->tx.head; id; id = packet_at(fep, id)->next)
            rto |= packet_at(fep, id)->rto_count > 0;
        if (rto)
            pdc->tx.mp_range = 0;
    }
}

static bool cp_ack_passes(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *pdc = acks_as(fep, &f->p, false);
    if (!pdc || uet_is_ses_response(&f->p) || !pdc->rx.stored)
        return true;
    uint8_t *h = uet_fault_pds(f);
    uint32_t psn = uet_packet_psn(&f->p), cack = pdc->rx.expected_psn - 1;
    uet_ack_cack_psn_set(h, cack);
    uet_ack_ack_psn_offset_set(h, (int16_t)uet_psn_diff(psn, cack));
    return true;
}

static bool clear_request_of_highest(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = sends(fep, &f->p);
    if (pdc && is_cp_of(&f->p, UET_CTL_CLEAR_REQUEST))
        uet_cp_payload_value_set(uet_fault_pds(f), pdc->rx.highest_psn + 1);
    return true;
}

static bool target_asks_nothing(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = sends(fep, &f->p);
    return !(pdc && !pdc->initiator && is_cp_of(&f->p, UET_CTL_ACK_REQUEST));
}

static bool returned_trimmed_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = uet_edge_trimmed(&f->p) && uet_is_request(&f->p)
                                ? uet_pdc_by_id(fep, uet_dpdcid(&f->p))
                                : NULL;
    return !pdc || !pdc->initiator;
}

static bool returned_stray_used(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc =
        uet_is_nack(&f->p) && !uet_is_nack_rudi(&f->p) && f->p.error == UET_PARSE_OK
            ? uet_pdc_by_id(fep, uet_dpdcid(&f->p))
            : NULL;
    uint32_t psn = pdc ? uet_nack_nack_psn(uet_pds(&f->p)) : 0;
    if (pdc && !pdc->initiator && pdc->tx.head && !uet_source_find(fep, pdc, psn))
        uet_nack_nack_psn_set(uet_fault_pds(f), packet_at(fep, pdc->tx.head)->psn);
    return true;
}

static bool strangers_clear(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *pdc = is_cp_of(&f->p, UET_CTL_CLEAR_COMMAND) ? pdc_of(fep, &f->p) : NULL;
    struct uet_ip from = uet_src_ip(&f->p);
    if (pdc && !pdc->initiator &&
        (!uet_ip_equal(&pdc->peer, &from) || pdc->peer_id != uet_spdcid(&f->p)))
        uet_sink_clear(fep, pdc, uet_cp_payload_value(uet_pds(&f->p)));
    return true;
}

static bool rod_lower_loses(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *pdc = uet_is_request(&f->p) ? rod_of(fep, &f->p) : NULL;
    if (pdc && place_of(fep, pdc, &f->p) == PSN_DUPLICATE && !uet_rud_rod_req_retx(uet_pds(&f->p)))
        uet_rud_rod_req_retx_set(uet_fault_pds(f), true);
    return true;
}

static void rudi_endless(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    for (uint32_t slot = fep->rudi.head; slot;) {
        struct tx_packet *q = pool_item(&fep->rudi.packets, slot);
        if (q->rto_count > 1)
            q->rto_count = 1;
        slot = q->next;
    }
}

static void rudi_silent_end(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    for (uint32_t slot = fep->rudi.head; slot;) {
        struct tx_packet *q = pool_item(&fep->rudi.packets, slot);
        if (q->rto_count >= fep->params.Max_RTO_Retx_Cnt && !q->resend)
            q->deadline = UET_FEP_NEVER;
        slot = q->next;
    }
}

static bool unknown_zero_cp_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return !(uet_is_cp(&f->p) && asks(&f->p) && !uet_has_syn(&f->p) && !uet_dpdcid(&f->p));
}

static bool nack_keeps_tpdcid(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_nack(&f->p) && !uet_is_nack_rudi(&f->p) &&
        uet_nack_nack_code(uet_pds(&f->p)) == UET_NACK_TRIMMED)
        uet_nack_spdcid_set(uet_fault_pds(f), 0);
    return true;
}

static void fail_only(struct uet_fep *fep, struct pdc *pdc, const struct uet_nacked *n)
{
    (void)pdc;
    uint32_t op = n->packet->seg.op;
    uet_source_retire(fep, pdc, n->packet);
    uet_ses_fail(fep, op);
}
CODE_DOES(code_11_message, UET_NACK_CLOSING_IN_ERR, fail_only)

/* What came before the last packet counts as acknowledged with it. */
static bool last_is_all(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = uet_is_ack(&f->p) && f->p.error == UET_PARSE_OK
                                ? uet_pdc_by_id(fep, uet_dpdcid(&f->p))
                                : NULL;
    uint8_t *h = uet_fault_pds(f);
    uint32_t psn = uet_packet_psn(&f->p);
    const struct tx_packet *q = pdc && !uet_ack_p(h) ? uet_source_find(fep, pdc, psn) : NULL;
    if (q && q->seg.eom) {
        uet_ack_cack_psn_set(h, psn);
        uet_ack_ack_psn_offset_set(h, 0);
    }
    return true;
}

static const struct uet_fault_way ways[] = {
    {VIOLATION_PDS_019_END, .in = end_takes_namesakes},
    {VIOLATION_PDS_042_LEAK, .out = refusal_takes_pdc},
    {VIOLATION_PDS_065_STAYS, .in = override_stays},
    {VIOLATION_PDS_117_CLEAR, .out = sack_clears},
    {VIOLATION_PDS_007_SYN, .in = syn_mode_overlooked},
    {VIOLATION_PDS_036_COPY, .in = syn_copy_refused},
    {VIOLATION_PDS_037_ENDS, .out = invalid_syn_noted, .after = noted_ends},
    {VIOLATION_PDS_038_ROD, .in = unknown_rod_lost},
    {VIOLATION_PDS_044_ROD, .in = trimmed_rod_opens},
    {VIOLATION_PDS_219_RUD, .in = trimmed_rud_counts, .after = noted_received},
    {VIOLATION_PDS_219_ROD, .in = trimmed_rod_counts, .after = noted_received},
    {VIOLATION_PDS_067_KEPT, .in = refused_is_kept, .after = noted_received},
    {VIOLATION_PDS_191_COUNTS, .in = asked_about_noted, .after = noted_received},
    {VIOLATION_PDS_075_AGAIN, .out = stored_asks_once},
    {VIOLATION_PDS_190_STORED, .rows = stored_not_told},
    {VIOLATION_PDS_125_LATER, .in = later_gaps_forgotten},
    {VIOLATION_PDS_074_ALL, .in = clears_all},
    {VIOLATION_PDS_100_SHARED, .in = count_is_shared},
    {VIOLATION_PDS_130_FAR, .in = old_copies_lost},
    {VIOLATION_PDS_187_AHEAD, .in = noop_ahead_lost},
    {VIOLATION_PDS_187_COPY, .in = noop_copy_lost},
    {VIOLATION_PDS_193_ROD, .in = rod_probe_lost},
    {VIOLATION_PDS_185_OTHERS, .in = unknown_others_lost},
    {VIOLATION_PDS_165_ONCE, .out = gap_told_once},
    {VIOLATION_PDS_166_SACK, .in = rod_ahead_noted, .out = noted_is_sacked},
    {VIOLATION_PDS_218_ROD, .in = trimmed_rod_noted, .out = lasthop_overlooked},
    {VIOLATION_PDS_224_NACK, .in = trimmed_nack_taken},
    {VIOLATION_PDS_121_COPY, .in = returned_copy_lost},
    {VIOLATION_PDS_121_AR, .in = returned_ar_overlooked},
    {VIOLATION_PDS_121_GAP, .in = returned_gap_forgotten},
    {VIOLATION_PDS_121_COUNT, .in = returned_never_counted},
    {VIOLATION_PDS_121_PATH, .out = returned_ack_path},
    {VIOLATION_PDS_092_DATA, .out = returned_ack_clears},
    {VIOLATION_PDS_066_RETURN, .in = returned_stale_mpr},
    {VIOLATION_PDS_226_LASTHOP, .rows = code_02},
    {VIOLATION_PDS_137_CCC, .rows = code_05},
    {VIOLATION_PDS_137_BITMAP, .rows = code_06},
    {VIOLATION_PDS_135_GTD, .rows = code_08},
    {VIOLATION_PDS_135_MSG, .rows = code_09},
    {VIOLATION_PDS_135_RESOURCE, .rows = code_0a},
    {VIOLATION_PDS_151_NEVER, .rows = code_0b},
    {VIOLATION_PDS_138_0E, .rows = code_0e},
    {VIOLATION_PDS_138_0F, .rows = code_0f},
    {VIOLATION_PDS_138_15, .rows = code_15},
    {VIOLATION_PDS_138_16, .rows = code_16},
    {VIOLATION_PDS_138_19, .rows = code_19},
    {VIOLATION_PDS_135_EARLY, .params = nack_at_once},
    {VIOLATION_PDS_157_RETURN, .after = parts_no_backoff},
    {VIOLATION_PDS_157_CP, .after = cps_no_backoff},
    {VIOLATION_PDS_158_CP, .after = cps_without_end},
    {VIOLATION_PDS_157_LONGEST, .after = no_longest},
    {VIOLATION_PDS_197_REQUEST, .after = close_requests_once},
    {VIOLATION_PDS_134_OLD, .in = old_nack_used},
    {VIOLATION_PDS_162_NAMED, .in = named_not_acked},
    {VIOLATION_PDS_027_NEAR, .rows = start_psn_near},
    {VIOLATION_PDS_129_ROD, .in = rod_copy_lost},
    {VIOLATION_PDS_087_ROD, .in = rod_stored_lost},
    {VIOLATION_PDS_098_ROD, .in = rod_retx_overlooked},
    {VIOLATION_PDS_100_ROD, .in = rod_never_counted},
    {VIOLATION_PDS_187_ROD, .in = rod_noop_lost},
    {VIOLATION_PDS_191_ROD, .in = rod_asks_lost},
    {VIOLATION_PDS_080_ROD, .out = rod_clear_lost},
    {VIOLATION_PDS_188_ROD, .out = rod_in_all_cps},
    {VIOLATION_PDS_156_ROD, .after = rod_no_rto},
    {VIOLATION_PDS_135_ROD, .rows = code_07_rod},
    {VIOLATION_PDS_167_RETURN, .rows = code_0d_return},
    {VIOLATION_PDS_138_0E_RETRY, .rows = no_retry_0e},
    {VIOLATION_PDS_138_0F_RETRY, .rows = no_retry_0f},
    {VIOLATION_PDS_138_15_RETRY, .rows = no_retry_15},
    {VIOLATION_PDS_138_16_RETRY, .rows = no_retry_16},
    {VIOLATION_PDS_138_19_RETRY, .rows = no_retry_19},
    {VIOLATION_PDS_061_RTO, .after = rto_beyond},
    {VIOLATION_PDS_077_CP, .out = cp_ack_passes},
    {VIOLATION_PDS_084_PSN, .out = clear_request_of_highest},
    {VIOLATION_PDS_116_RETURN, .out = target_asks_nothing},
    {VIOLATION_PDS_216_RETURN, .in = returned_trimmed_lost},
    {VIOLATION_PDS_134_RETURN, .in = returned_stray_used},
    {VIOLATION_PDS_186_CLEAR, .in = strangers_clear},
    {VIOLATION_PDS_128_ROD, .in = rod_lower_loses},
    {VIOLATION_PDS_175_ENDLESS, .after = rudi_endless},
    {VIOLATION_PDS_175_SILENT, .after = rudi_silent_end},
    {VIOLATION_PDS_039_CP, .in = unknown_zero_cp_lost},
    {VIOLATION_PDS_035_TRIMMED, .in = nack_keeps_tpdcid},
    {VIOLATION_PDS_140_MESSAGE, .rows = code_11_message},
    {VIOLATION_PDS_160_LAST, .in = last_is_all},
};

UET_FAULT_WAYS(uet_faults_of_clauses, ways);
