/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of ACKs and NACKs on their way out (pds/ack.c, nack.c). */
#include <string.h>

#include "refimpl/faults/pds/about.h"

/* ---- when an ACK goes ---- */

static void no_ack_on_ecn(struct uet_fep_params *params)
{
    params->ACK_On_ECN = false;
}

static void no_trigger(struct uet_fep_params *params)
{
    params->ACK_Gen_Trigger = UINT32_MAX;
}

static void no_least_add(struct uet_fep_params *params)
{
    params->ACK_Gen_Min_Pkt_Add = 0;
}

/* memo: all that was ever added, of which the FEP forgets what it has acknowledged. */
static bool count_not_reset(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *pdc = asked(fep, &f->p);
    uint32_t least = fep->params.ACK_Gen_Min_Pkt_Add;
    if (!lies_at(fep, pdc, &f->p, PSN_NEW))
        return true;
    pdc->rx.ack_gen_count = (uint32_t)*f->memo;
    *f->memo += f->p.payload_len > least ? f->p.payload_len : least;
    return true;
}

/* memo: what the packets have added since the last ACK, and the rest that it left. */
static bool rest_counts(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *pdc = asked(fep, &f->p);
    const uint32_t least = fep->params.ACK_Gen_Min_Pkt_Add, trigger = fep->params.ACK_Gen_Trigger;
    if (!lies_at(fep, pdc, &f->p, PSN_NEW))
        return true;
    pdc->rx.ack_gen_count = (uint32_t)*f->memo;
    *f->memo += f->p.payload_len > least ? f->p.payload_len : least;
    if (*f->memo >= trigger)
        *f->memo -= trigger;
    return true;
}

static bool gap_forgotten(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *pdc = asked(fep, &f->p);
    if (pdc)
        pdc->rx.gap_open = false;
    return true;
}

/* memo: the PDC of the NOOP that has just come. */
static bool noop_noted(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = is_cp_of(&f->p, UET_CTL_NOOP) ? pdc_of(fep, &f->p) : NULL;
    *f->memo = pdc ? pdc->id : 0;
    return true;
}

static void its_gap_forgotten(struct uet_fep *fep, uint64_t *memo)
{
    if (*memo)
        pdc_at(fep, (uint32_t)*memo)->rx.gap_open = false;
    *memo = 0;
}

static bool ar_overlooked(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_request(&f->p))
        uet_rud_rod_req_ar_set(uet_fault_pds(f), false);
    else if (uet_is_cp(&f->p))
        uet_cp_ar_set(uet_fault_pds(f), false);
    return true;
}

static bool retx_overlooked(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (lies_at(fep, asked(fep, &f->p), &f->p, PSN_NEW))
        uet_rud_rod_req_retx_set(uet_fault_pds(f), false);
    return true;
}

static bool retx_ahead_overlooked(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = asked(fep, &f->p);
    if (lies_at(fep, pdc, &f->p, PSN_NEW) && uet_packet_psn(&f->p) != pdc->rx.expected_psn)
        uet_rud_rod_req_retx_set(uet_fault_pds(f), false);
    return true;
}

/* memo: 1 + the PSN of the packet that opened a PDC and asked for no ACK. */
static bool opening_noted(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct uet_packet *p = &f->p;
    if (uet_is_request(p) && uet_has_syn(p) && !asked(fep, p) && !uet_rud_rod_req_ar(uet_pds(p)))
        *f->memo = uet_packet_psn(p) + 1ull;
    return true;
}

static bool opening_not_acked(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return !(uet_is_ack(&f->p) && uet_packet_psn(&f->p) + 1ull == *f->memo);
}

/* Only who asks gets an ACK, when it does not come in order. */
static bool notes_asking(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_request(&f->p))
        *f->memo = !uet_rud_rod_req_ar(uet_pds(&f->p));
    return true;
}

static bool lost_behind_gap(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return !(*f->memo && uet_is_ack(&f->p) && !uet_ack_p(uet_pds(&f->p)) &&
             uet_ack_ack_psn_offset(uet_pds(&f->p)) > 0);
}

/* The memo: 1 and the PSN of the last Request, if it asks for no ACK. */
static bool notes_unasking(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (!uet_is_request(&f->p))
        return true;
    bool asks = uet_rud_rod_req_ar(uet_pds(&f->p)) || uet_rud_rod_req_retx(uet_pds(&f->p)) ||
                uet_has_syn(&f->p);
    *f->memo = asks ? 0 : 1ull + uet_packet_psn(&f->p);
    return true;
}

static bool error_waits(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return !(uet_is_ack(&f->p) && uet_is_ses_response(&f->p) &&
             1ull + uet_packet_psn(&f->p) == *f->memo &&
             uet_ses_rsp_return_code(uet_ses(&f->p)) > UET_RC_OK);
}

/* memo: what was seen of the first gap of all. */
enum { GAP = 1, FIRST_CLOSED = 2 };

static bool later_gaps_forgotten(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *pdc = requested(fep, &f->p);
    if (!pdc || pdc->initiator)
        return true;
    if (pdc->rx.gap_open && !(*f->memo & FIRST_CLOSED))
        *f->memo |= GAP;
    else if (*f->memo & GAP)
        *f->memo |= FIRST_CLOSED;
    if (*f->memo & FIRST_CLOSED)
        pdc->rx.gap_open = false;
    return true;
}

/* The memo: 1 and the PSN of who asked first behind the gap that is open; 0: none is. */
static void first_that_asks(struct uet_fep *fep, uint64_t *memo)
{
    FOR_EACH_PDC(fep, pdc)
    {
        if (pdc->initiator)
            continue;
        if (!pdc->rx.gap_open)
            *memo = 0;
        else if (!*memo)
            *memo = 1ull + pdc->rx.gap_psn;
        else
            pdc->rx.gap_psn = (uint32_t)(*memo - 1);
        return; /* one PDC will do */
    }
}

/* One counter for all PDCs. */
static bool count_is_shared(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *to = requested(fep, &f->p);
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

static bool rod_never_counted(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *pdc = uet_is_request(&f->p) ? rod_of(fep, &f->p) : NULL;
    if (pdc)
        pdc->rx.ack_gen_count = 0;
    return true;
}

static bool clear_is_counted(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *pdc = uet_pdc_by_id(fep, uet_dpdcid(&f->p));
    if (uet_is_cp(&f->p) && uet_cp_ctl_type(uet_pds(&f->p)) == UET_CTL_CLEAR_COMMAND && pdc)
        pdc->rx.ack_gen_count = 0;
    return true;
}

static bool rod_retx_overlooked(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = uet_is_request(&f->p) ? rod_of(fep, &f->p) : NULL;
    if (pdc && place_of(fep, pdc, &f->p) == PSN_NEW)
        uet_rud_rod_req_retx_set(uet_fault_pds(f), false);
    return true;
}

/* ---- what an ACK says ---- */

static bool offset_zero(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_ack(&f->p) && !uet_ack_p(uet_pds(&f->p)))
        uet_ack_ack_psn_offset_set(uet_fault_pds(f), 0);
    return true;
}

static bool cack_is_highest(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = uet_is_ack(&f->p) ? uet_pdc_by_id(fep, uet_spdcid(&f->p)) : NULL;
    uint8_t *h = uet_fault_pds(f);
    if (!pdc)
        return true;
    uint32_t highest = pdc->rx.highest_psn, psn = uet_packet_psn(&f->p);
    uet_ack_cack_psn_set(h, highest);
    if (!uet_ack_p(h))
        uet_ack_ack_psn_offset_set(h, (int16_t)uet_psn_diff(psn, highest));
    return true;
}

static bool clear_not_wanted(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_ack(&f->p) && uet_ack_req(uet_pds(&f->p)) == UET_ACK_REQ_CLEAR)
        uet_ack_req_set(uet_fault_pds(f), UET_ACK_NO_REQUEST);
    return true;
}

/* memo: ri_generation of the last error. */
static bool generation_stays(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (!uet_is_ack(&f->p) || !uet_is_ses_response(&f->p))
        return true;
    uint8_t *ses = uet_fault_ses(f), opcode = uet_ses_rsp_opcode(ses);
    if (opcode == UET_RSP_RESPONSE && uet_ses_rsp_return_code(ses) > UET_RC_OK)
        *f->memo = uet_ses_rsp_ri_generation(ses);
    else if (opcode == UET_RSP_DEFAULT_RESPONSE && *f->memo)
        uet_ses_rsp_ri_generation_set(ses, (uint8_t)*f->memo);
    return true;
}

static bool in_place_of_another(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const bool told = uet_is_ack(&f->p) && uet_is_ses_response(&f->p);
    const struct pdc *pdc = told ? uet_pdc_by_id(fep, uet_spdcid(&f->p)) : NULL;
    const struct stored *s = pdc ? uet_sink_stored(fep, pdc, uet_packet_psn(&f->p) + 64) : NULL;
    if (s && !s->promised)
        memcpy(uet_fault_ses(f), s->response, sizeof s->response);
    return true;
}

/* memo: asking has ended, till the next error. */
static bool clear_ends_asking(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (is_cp_of(&f->p, UET_CTL_CLEAR_COMMAND))
        *f->memo = 1;
    return true;
}

static bool clears_are_counted(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = uet_is_request(&f->p) ? asked(fep, &f->p) : NULL;
    if (pdc && uet_psn_diff(uet_clear_psn(&f->p), pdc->rx.cack_psn) >= pdc->rx.n_stored)
        *f->memo = 1;
    return true;
}

static bool asking_ended(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct uet_packet *p = &f->p;
    if (uet_is_cp(p) && uet_cp_ctl_type(uet_pds(p)) == UET_CTL_CLEAR_REQUEST)
        return !*f->memo;
    if (!uet_is_ack(p))
        return true;
    if (uet_is_ses_response(p) && uet_ses_rsp_return_code(uet_ses(p)) > UET_RC_OK)
        *f->memo = 0;
    return !*f->memo || clear_not_wanted(fep, f);
}

/* Neither is news that could bring a clear. */
static bool cp_asks_nothing(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return !uet_is_ack(&f->p) || f->p.ses || clear_not_wanted(fep, f);
}

static bool copy_asks_nothing(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const bool plain = uet_is_ack(&f->p) && uet_ack_retx(uet_pds(&f->p)) &&
                       uet_is_ses_response(&f->p) &&
                       uet_ses_rsp_opcode(uet_ses(&f->p)) == UET_RSP_DEFAULT_RESPONSE;
    return !plain || clear_not_wanted(fep, f);
}

/* Told again, a response is what went out first: but for the bit that says so. */
static bool first_entropy(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (!uet_is_ack(&f->p) || f->p.ses != UET_H_SES_RSP)
        return true;
    if (!uet_ack_retx(uet_pds(&f->p)))
        *f->memo = uet_entropy(&f->p);
    else if (f->p.udp_offset)
        uet_udp_src_port_set(f->bytes + f->p.udp_offset, (uint16_t)*f->memo);
    else
        uet_entropy_value_set(f->bytes + f->p.entropy_offset, (uint16_t)*f->memo);
    return true;
}

/* An error is told again in the ACK of the first time. */
static bool stored_flags(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_ack(&f->p) && uet_is_ses_response(&f->p) &&
        uet_ses_rsp_return_code(uet_fault_ses(f)) != UET_RC_OK)
        uet_ack_retx_set(uet_fault_pds(f), false);
    return true;
}

static bool stored_asks_once(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = acks_as(fep, &f->p, false);
    if (pdc && uet_ack_retx(uet_pds(&f->p)) && uet_is_ses_response(&f->p) &&
        uet_ses_rsp_return_code(uet_fault_ses(f)) > UET_RC_OK)
        uet_ack_req_set(uet_fault_pds(f), UET_ACK_NO_REQUEST);
    return true;
}

static bool rod_ahead_noted(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = requested(fep, &f->p);
    if (pdc && pdc->rod && place_of(fep, pdc, &f->p) == PSN_NEW &&
        uet_packet_psn(&f->p) != pdc->rx.expected_psn)
        *f->memo = note_of(pdc, &f->p);
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

/* ---- NACKs ---- */

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

/* The memo: the packet that came last is a Control Packet. */
static bool notes_cp(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    *f->memo = uet_is_cp(&f->p);
    return true;
}

static bool nack_of_cp_without_ce(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_nack(&f->p) && *f->memo)
        uet_nack_m_set(uet_fault_pds(f), false);
    return true;
}

static bool nack_of_cp_without_retx(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_nack(&f->p) && *f->memo)
        uet_nack_retx_set(uet_fault_pds(f), false);
    return true;
}

static bool probe_without_ce(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_ack(&f->p) && uet_ack_p(uet_pds(&f->p)))
        uet_ack_m_set(uet_fault_pds(f), false);
    return true;
}

static bool copy_without_ce(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_ack(&f->p) && uet_ack_retx(uet_pds(&f->p)))
        uet_ack_m_set(uet_fault_pds(f), false);
    return true;
}

/* memo: m of the ACK that was no answer to a copy. */
static bool copy_with_first_ce(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (!uet_is_ack(&f->p))
        return true;
    if (uet_ack_retx(uet_pds(&f->p)))
        uet_ack_m_set(uet_fault_pds(f), *f->memo);
    else
        *f->memo = uet_ack_m(uet_pds(&f->p));
    return true;
}

static bool probe_answer_strays(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_ack(&f->p) && uet_ack_p(uet_pds(&f->p)) && f->p.udp_offset)
        uet_udp_src_port_set(f->bytes + f->p.udp_offset, (uint16_t)(uet_entropy(&f->p) ^ 1));
    return true;
}

/* What CACK_PSN waits for is taken for what is expected. */
static bool expects_behind_cack(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc =
        is_nack_of(&f->p, UET_NACK_ROD_OOO) ? uet_pdc_by_id(fep, uet_spdcid(&f->p)) : NULL;
    if (pdc)
        uet_nack_payload_set(uet_fault_pds(f), pdc->rx.cack_psn + 1);
    return true;
}

/* Who has no PDC expects no PSN. */
static bool opening_expects_nothing(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_nack(&f->p) && uet_nack_nack_code(uet_pds(&f->p)) == UET_NACK_ROD_OOO &&
        !uet_spdcid(&f->p))
        uet_nack_payload_set(uet_fault_pds(f), 0);
    return true;
}

static bool gap_of_no_pdc(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_nack(&f->p) && uet_nack_nack_code(uet_pds(&f->p)) == UET_NACK_ROD_OOO)
        uet_nack_spdcid_set(uet_fault_pds(f), 0);
    return true;
}

/* memo: a SYN came last. */
static bool notes_syn(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (asks(&f->p))
        *f->memo = uet_has_syn(&f->p);
    return true;
}

static bool syn_expects_nothing(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (*f->memo && uet_is_nack(&f->p) && uet_nack_nack_code(uet_pds(&f->p)) == UET_NACK_ROD_OOO &&
        uet_spdcid(&f->p))
        uet_nack_payload_set(uet_fault_pds(f), 0);
    return true;
}

/* What lies further ahead than one word of a bitmap is lost. */
static bool rod_far_ahead_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = asked(fep, &f->p);
    return !(pdc && uet_is_rod_request(&f->p) &&
             uet_psn_diff(uet_packet_psn(&f->p), pdc->rx.expected_psn) > 64);
}

static bool is_trim_nack(const struct uet_packet *p)
{
    return is_nack_of(p, UET_NACK_TRIMMED) || is_nack_of(p, UET_NACK_TRIMMED_LASTHOP);
}

static bool trimmed_without_retx(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (is_trim_nack(&f->p))
        uet_nack_retx_set(uet_fault_pds(f), false);
    return true;
}

static bool trimmed_rod_without_ce(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = is_trim_nack(&f->p) ? uet_pdc_by_id(fep, uet_spdcid(&f->p)) : NULL;
    if (pdc && pdc->rod)
        uet_nack_m_set(uet_fault_pds(f), false);
    return true;
}

/* memo: ACK_CC is off as long as the copy is looked at. */
static bool copy_comes(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = requested(fep, &f->p);
    if (!lies_at(fep, pdc, &f->p, PSN_DUPLICATE) || !fep->params.ACK_CC)
        return true;
    fep->params.ACK_CC = 0;
    *f->memo = 1;
    return true;
}

static void copy_was_answered(struct uet_fep *fep, uint64_t *memo)
{
    if (*memo)
        fep->params.ACK_CC = 1;
    *memo = 0;
}

static void trimmable_above(struct uet_fep_params *params)
{
    params->Trimmable_ACK_Size += 15;
}

static const struct uet_fault_way ways[] = {
    {VIOLATION_PDS_105_TRIMMED, .out = trimmed_without_retx},
    {VIOLATION_PDS_113_COPY, .in = copy_comes, .after = copy_was_answered},
    {VIOLATION_PDS_127_ABOVE, .params = trimmable_above},
    {VIOLATION_PDS_221_ROD, .out = trimmed_rod_without_ce},
    {VIOLATION_PDS_033, .in = opening_noted, .out = opening_not_acked},
    {VIOLATION_PDS_075, .out = clear_not_wanted},
    {VIOLATION_PDS_075_AGAIN, .out = stored_asks_once},
    {VIOLATION_PDS_086_PART, .in = clear_ends_asking, .out = asking_ended},
    {VIOLATION_PDS_086_COUNT, .in = clears_are_counted, .out = asking_ended},
    {VIOLATION_PDS_086_CP, .out = cp_asks_nothing},
    {VIOLATION_PDS_086_COPY, .out = copy_asks_nothing},
    {VIOLATION_PDS_087_SLOT, .out = in_place_of_another},
    {VIOLATION_PDS_089, .out = generation_stays},
    {VIOLATION_PDS_094_UNASKED, .in = notes_unasking, .out = error_waits},
    {VIOLATION_PDS_097, .in = ar_overlooked},
    {VIOLATION_PDS_098, .in = retx_overlooked},
    {VIOLATION_PDS_098_GAP, .in = retx_ahead_overlooked},
    {VIOLATION_PDS_098_ROD, .in = rod_retx_overlooked},
    {VIOLATION_PDS_100, .params = no_trigger},
    {VIOLATION_PDS_100_GAP, .in = notes_asking, .out = lost_behind_gap},
    {VIOLATION_PDS_100_SHARED, .in = count_is_shared},
    {VIOLATION_PDS_100_ROD, .in = rod_never_counted},
    {VIOLATION_PDS_100_CLEAR, .in = clear_is_counted},
    {VIOLATION_PDS_101, .params = no_least_add},
    {VIOLATION_PDS_102, .in = count_not_reset},
    {VIOLATION_PDS_102_REST, .in = rest_counts},
    {VIOLATION_PDS_103, .params = no_ack_on_ecn},
    {VIOLATION_PDS_105_STORED, .out = stored_flags},
    {VIOLATION_PDS_106, .out = offset_zero},
    {VIOLATION_PDS_108, .out = cack_is_highest},
    {VIOLATION_PDS_112_STORED, .out = first_entropy},
    {VIOLATION_PDS_125, .in = gap_forgotten},
    {VIOLATION_PDS_125_NOOP, .in = noop_noted, .after = its_gap_forgotten},
    {VIOLATION_PDS_125_FIRST, .after = first_that_asks},
    {VIOLATION_PDS_125_LATER, .in = later_gaps_forgotten},
    {VIOLATION_PDS_165_ONCE, .out = gap_told_once},
    {VIOLATION_PDS_166_SACK, .in = rod_ahead_noted, .out = noted_is_sacked},
    {VIOLATION_PDS_104_COPY, .out = copy_without_ce},
    {VIOLATION_PDS_104_STORED, .out = copy_with_first_ce},
    {VIOLATION_PDS_104_CP, .in = notes_cp, .out = nack_of_cp_without_ce},
    {VIOLATION_PDS_104_PROBE, .out = probe_without_ce},
    {VIOLATION_PDS_112_PROBE, .out = probe_answer_strays},
    {VIOLATION_PDS_105_CP, .in = notes_cp, .out = nack_of_cp_without_retx},
    {VIOLATION_PDS_165_STORED, .out = expects_behind_cack},
    {VIOLATION_PDS_020_GAP, .out = gap_of_no_pdc},
    {VIOLATION_PDS_165_OPENING, .out = opening_expects_nothing},
    {VIOLATION_PDS_165_SYN, .in = notes_syn, .out = syn_expects_nothing},
    {VIOLATION_PDS_165_FAR, .in = rod_far_ahead_lost},
};

UET_FAULT_WAYS(uet_faults_of_answers, ways);
