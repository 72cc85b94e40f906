/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of Requests on their way in, and of ACKs and NACKs on their way out (pds/in/target.c,
 * ack.c, nack.c, returned.c). */
#include "refimpl/faults/ways.h"
#include "refimpl/pds/pds.h"

/* The PDC of a Request that has come, when there is one and it may be its peer's; else NULL. */
static struct pdc *asked(struct uet_fep *fep, const struct uet_packet *p)
{
    struct uet_ip from = uet_src_ip(p);
    if (!uet_is_request(p) || p->error != UET_PARSE_OK)
        return NULL;
    struct pdc *pdc = uet_has_syn(p) ? uet_pdc_by_syn(fep, p) : uet_pdc_by_id(fep, uet_dpdcid(p));
    return pdc && pdc->state != PDC_CLOSED && uet_ip_equal(&pdc->peer, &from) ? pdc : NULL;
}

static bool lies_at(const struct uet_fep *fep, const struct pdc *pdc, const struct uet_packet *p,
                    enum psn_place place)
{
    return pdc && uet_sink_place(fep, pdc, uet_packet_psn(p)) == place;
}

/* ---- the window ---- */

static void syn_outside_silent(struct uet_law *law)
{
    const struct uet_place_row silent = {true, 0, CNT_drop_behind_window};
    law->pds.places[PSN_AHEAD][true] = law->pds.places[PSN_BEHIND][true] = silent;
}

static void ahead_silent(struct uet_law *law)
{
    law->pds.places[PSN_AHEAD][false] = (struct uet_place_row){true, 0, CNT_drop_behind_window};
}

static bool ahead_of_gap_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = asked(fep, &f->p);
    return !(lies_at(fep, pdc, &f->p, PSN_NEW) && uet_packet_psn(&f->p) != pdc->rx.expected_psn);
}

/* ---- duplicates ---- */

static struct pdc *of_duplicate(struct uet_fep *fep, const struct uet_packet *p)
{
    struct pdc *pdc = asked(fep, p);
    return lies_at(fep, pdc, p, PSN_DUPLICATE) ? pdc : NULL;
}

/* SES has it before the PDS sees that it is a duplicate. */
static void deliver(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p)
{
    struct ses_plan plan;
    uet_ses_check(fep, pdc->id, p, false, &plan);
    if (!plan.nack)
        uet_ses_commit(fep, pdc->id, p, &plan);
}

/* Done before it is known whether there is room; `sum` is for what waits for a slot. */
static bool done_at_once(struct uet_fep *fep, struct uet_fault_frame *f, bool sum)
{
    struct pdc *pdc = asked(fep, &f->p);
    struct ses_plan plan;
    if (!lies_at(fep, pdc, &f->p, PSN_NEW))
        return true;
    uet_ses_check(fep, pdc->id, &f->p, false, &plan);
    if (!plan.has_response || plan.return_code != UET_RC_OK || plan.kept || plan.held)
        return true;
    if (sum && plan.guaranteed && !plan.slot && !pool_has(&fep->stored, false))
        uet_ses_commit(fep, pdc->id, &f->p, &plan);
    else if (!sum && plan.nack && plan.length)
        memcpy(plan.to, f->p.frame + f->p.payload_offset, plan.length);
    return true;
}

static bool refused_and_placed(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return done_at_once(fep, f, false);
}

static bool refused_and_added(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return done_at_once(fep, f, true);
}

static bool delivered_again(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *pdc = of_duplicate(fep, &f->p);
    if (pdc && !pdc->initiator)
        deliver(fep, pdc, &f->p);
    return true;
}

static bool fresh_delivered_again(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *pdc = of_duplicate(fep, &f->p);
    if (pdc && !pdc->initiator && !uet_rud_rod_req_retx(uet_pds(&f->p)))
        deliver(fep, pdc, &f->p);
    return true;
}

/* The PDC of a duplicate that wants its ACK again. */
static struct pdc *of_resend(struct uet_fep *fep, const struct uet_packet *p)
{
    struct pdc *pdc = of_duplicate(fep, p);
    return pdc && uet_rud_rod_req_retx(uet_pds(p)) ? pdc : NULL;
}

static bool resend_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return !of_resend(fep, &f->p);
}

static bool resend_below_cack_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = of_resend(fep, &f->p);
    return !pdc || psn_after(uet_packet_psn(&f->p), pdc->rx.cack_psn);
}

static bool resend_with_response_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = of_resend(fep, &f->p);
    return !pdc || !uet_sink_stored(fep, pdc, uet_packet_psn(&f->p));
}

static bool resend_without_response_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = of_resend(fep, &f->p);
    return !pdc || uet_sink_stored(fep, pdc, uet_packet_psn(&f->p));
}

static bool resend_refused(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = of_resend(fep, &f->p);
    if (pdc)
        uet_nack_send(fep, &f->p, UET_NACK_UNEXP_EVENT, pdc->id);
    return true;
}

/* ---- state that is lacking ---- */

static void nothing_stored(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    for (uint32_t i = 1; i <= fep->config.max_pdcs; i++) {
        struct pdc *pdc = pdc_at(fep, i);
        if (pdc->state != PDC_CLOSED && pdc->rx.stored)
            uet_sink_clear(fep, pdc, pdc->rx.highest_psn);
    }
}

static bool is_nack_of(const struct uet_packet *p, uint8_t code)
{
    return uet_is_nack(p) && !uet_is_nack_rudi(p) && uet_nack_nack_code(uet_pds(p)) == code;
}

static bool no_slot_silent(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return !is_nack_of(&f->p, UET_NACK_NO_GTD_DEL_AVAIL);
}

static bool nacked_received(struct uet_fep *fep, struct uet_fault_frame *f)
{
    bool lacks = is_nack_of(&f->p, UET_NACK_NO_GTD_DEL_AVAIL) ||
                 is_nack_of(&f->p, UET_NACK_NO_SES_MSG_AVAIL) ||
                 is_nack_of(&f->p, UET_NACK_NO_RESOURCE);
    struct pdc *pdc = lacks ? uet_pdc_by_id(fep, uet_spdcid(&f->p)) : NULL;
    uint32_t psn = uet_nack_nack_psn(uet_pds(&f->p));
    if (pdc && uet_sink_place(fep, pdc, psn) == PSN_NEW)
        uet_sink_receive(fep, pdc, psn);
    return true;
}

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

static bool read_data_not_acked(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = uet_is_ack(&f->p) ? uet_pdc_by_id(fep, uet_spdcid(&f->p)) : NULL;
    return !(pdc && pdc->initiator && uet_is_ses_response(&f->p));
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
    if (uet_is_cp(&f->p) && uet_cp_ctl_type(uet_pds(&f->p)) == UET_CTL_CLEAR_COMMAND)
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

static const struct uet_fault_way ways[] = {
    {VIOLATION_PDS_105_STORED, .out = stored_flags},
    {VIOLATION_PDS_112_STORED, .out = first_entropy},
    {VIOLATION_PDS_001, .in = delivered_again},
    {VIOLATION_PDS_002, .in = ahead_of_gap_lost},
    {VIOLATION_PDS_033, .in = opening_noted, .out = opening_not_acked},
    {VIOLATION_PDS_037, .rows = syn_outside_silent},
    {VIOLATION_PDS_067, .rows = ahead_silent},
    {VIOLATION_PDS_075, .out = clear_not_wanted},
    {VIOLATION_PDS_087, .in = resend_with_response_lost},
    {VIOLATION_PDS_087_SLOT, .out = in_place_of_another},
    {VIOLATION_PDS_086_PART, .in = clear_ends_asking, .out = asking_ended},
    {VIOLATION_PDS_086_COUNT, .in = clears_are_counted, .out = asking_ended},
    {VIOLATION_PDS_088, .in = resend_without_response_lost},
    {VIOLATION_PDS_089, .out = generation_stays},
    {VIOLATION_PDS_091, .out = no_slot_silent},
    {VIOLATION_PDS_097, .in = ar_overlooked},
    {VIOLATION_PDS_098, .in = retx_overlooked},
    {VIOLATION_PDS_098_GAP, .in = retx_ahead_overlooked},
    {VIOLATION_PDS_100, .params = no_trigger},
    {VIOLATION_PDS_101, .params = no_least_add},
    {VIOLATION_PDS_102, .in = count_not_reset},
    {VIOLATION_PDS_102_REST, .in = rest_counts},
    {VIOLATION_PDS_103, .params = no_ack_on_ecn},
    {VIOLATION_PDS_106, .out = offset_zero},
    {VIOLATION_PDS_108, .out = cack_is_highest},
    {VIOLATION_PDS_121, .out = read_data_not_acked},
    {VIOLATION_PDS_125, .in = gap_forgotten},
    {VIOLATION_PDS_128, .in = fresh_delivered_again},
    {VIOLATION_PDS_129, .in = resend_lost},
    {VIOLATION_PDS_130, .in = resend_below_cack_lost},
    {VIOLATION_PDS_131, .in = resend_refused},
    {VIOLATION_PDS_132, .in = delivered_again},
    {VIOLATION_TSS_075, .in = delivered_again},
    {VIOLATION_PDS_149, .out = nacked_received},
    {VIOLATION_PDS_149_BYTES, .in = refused_and_placed},
    {VIOLATION_PDS_149_SUM, .in = refused_and_added},
    {VIOLATION_SES_117, .after = nothing_stored},
};

UET_FAULT_WAYS(uet_faults_of_answers, ways);
