/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of Requests on their way in (pds/in/target.c), and of what a target lacks for them. */
#include <string.h>

#include "refimpl/faults/pds/about.h"

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

static bool refused_is_kept(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = requested(fep, &f->p);
    if (pdc && place_of(fep, pdc, &f->p) == PSN_AHEAD)
        *f->memo = note_of(pdc, &f->p);
    return true;
}

/* An old PSN is looked for in what says that it is a copy. */
static bool first_copy_is_new(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (uet_is_request(&f->p) && f->p.error == UET_PARSE_OK)
        fep->law.pds.places[PSN_BEHIND][false].refused = uet_rud_rod_req_retx(uet_pds(&f->p));
    return true;
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

static bool ahead_delivered_again(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *pdc = f->p.tss ? of_duplicate(fep, &f->p) : NULL;
    if (pdc && !pdc->initiator && psn_after(uet_packet_psn(&f->p), pdc->rx.cack_psn))
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

static bool old_copies_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = requested(fep, &f->p);
    return !pdc || pdc->initiator || place_of(fep, pdc, &f->p) != PSN_DUPLICATE ||
           psn_after(uet_packet_psn(&f->p) + 64, pdc->rx.cack_psn);
}

static bool copies_past_a_unit_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = of_resend(fep, &f->p);
    return !pdc || uet_psn_diff(pdc->rx.cack_psn, uet_packet_psn(&f->p)) < (int32_t)UET_MPR_UNIT;
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

static bool rod_lower_loses(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *pdc = uet_is_request(&f->p) ? rod_of(fep, &f->p) : NULL;
    if (pdc && place_of(fep, pdc, &f->p) == PSN_DUPLICATE && !uet_rud_rod_req_retx(uet_pds(&f->p)))
        uet_rud_rod_req_retx_set(uet_fault_pds(f), true);
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

static bool nacked_rod_received(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = uet_is_nack(&f->p) ? uet_pdc_by_id(fep, uet_spdcid(&f->p)) : NULL;
    return !pdc || !pdc->rod || nacked_received(fep, f);
}

static bool copy_ahead_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = requested(fep, &f->p);
    return !lies_at(fep, pdc, &f->p, PSN_AHEAD) || !uet_rud_rod_req_retx(uet_pds(&f->p));
}

static bool rod_ahead_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return !lies_at(fep, rod_of(fep, &f->p), &f->p, PSN_AHEAD);
}

static bool rod_syn_ahead_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return !uet_has_syn(&f->p) || rod_ahead_lost(fep, f);
}

static bool unasked_ahead_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = requested(fep, &f->p);
    return !lies_at(fep, pdc, &f->p, PSN_AHEAD) || uet_rud_rod_req_ar(uet_pds(&f->p));
}

/* memo: the newest Request asks for no ACK. */
static bool notes_unasked(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_request(&f->p))
        *f->memo = !uet_rud_rod_req_ar(uet_pds(&f->p));
    return true;
}

static bool no_slot_unasked(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return !*f->memo || no_slot_silent(fep, f);
}

static bool unasked_received(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = uet_is_nack(&f->p) ? uet_pdc_by_id(fep, uet_spdcid(&f->p)) : NULL;
    return !*f->memo || !pdc || pdc->rod || nacked_received(fep, f);
}

/* As by a FEP that goes without these headers; its first packet opens the PDC. */
static bool short_is_received(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *pdc = asked(fep, &f->p);
    if (!pdc || !uet_is_ses_request(&f->p) || uet_is_ses_std(&f->p) ||
        !lies_at(fep, pdc, &f->p, PSN_NEW))
        return true;
    uet_sink_receive(fep, pdc, uet_packet_psn(&f->p));
    return false;
}

static bool half_old_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = asked(fep, &f->p);
    int32_t behind = pdc ? uet_psn_diff(pdc->rx.cack_psn, uet_packet_psn(&f->p)) : 0;
    return behind <= (int32_t)(uet_sink_mp_range(fep) / 2);
}

static bool ahead_of_stored_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = asked(fep, &f->p);
    return !pdc || !pdc->rx.n_stored || !lies_at(fep, pdc, &f->p, PSN_AHEAD);
}

/* The one PSN that the window lacks is never found. */
static bool gap_of_full_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = requested(fep, &f->p);
    return !lies_at(fep, pdc, &f->p, PSN_NEW) || pdc->rx.n_above + 1u < uet_sink_mp_range(fep);
}

static bool last_behind_stored_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = requested(fep, &f->p);
    return !lies_at(fep, pdc, &f->p, PSN_NEW) || !pdc->rx.n_stored ||
           uet_packet_psn(&f->p) - pdc->rx.cack_psn < uet_sink_mp_range(fep);
}

/* Who holds responses is never asked whether it lives. */
static void holders_left_alone(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    FOR_EACH_PDC(fep, pdc)
    {
        if (!pdc->initiator && pdc->rx.n_stored)
            pdc->wants &= (uint16_t)~WANT(UET_CTL_NOOP);
    }
}

static const struct uet_fault_way ways[] = {
    {VIOLATION_PDS_239, .in = short_is_received},
    {VIOLATION_PDS_149_AR, .in = notes_unasked, .out = unasked_received},
    {VIOLATION_PDS_037_ROD, .in = rod_syn_ahead_lost},
    {VIOLATION_PDS_067_AR, .in = unasked_ahead_lost},
    {VIOLATION_PDS_091_AR, .in = notes_unasked, .out = no_slot_unasked},
    {VIOLATION_PDS_067_COPY, .in = copy_ahead_lost},
    {VIOLATION_PDS_067_ROD, .in = rod_ahead_lost},
    {VIOLATION_PDS_001, .in = delivered_again},
    {VIOLATION_PDS_002, .in = ahead_of_gap_lost},
    {VIOLATION_PDS_037, .rows = syn_outside_silent},
    {VIOLATION_PDS_067, .rows = ahead_silent},
    {VIOLATION_PDS_063_FULL, .in = gap_of_full_lost},
    {VIOLATION_PDS_063_STORED, .in = last_behind_stored_lost},
    {VIOLATION_PDS_068_FIRST, .in = first_copy_is_new},
    {VIOLATION_PDS_067_KEPT, .in = refused_is_kept, .after = noted_received},
    {VIOLATION_PDS_086_GONE, .after = holders_left_alone},
    {VIOLATION_PDS_087, .in = resend_with_response_lost},
    {VIOLATION_PDS_087_ROD, .in = rod_stored_lost},
    {VIOLATION_PDS_088, .in = resend_without_response_lost},
    {VIOLATION_PDS_091, .out = no_slot_silent},
    {VIOLATION_PDS_128, .in = fresh_delivered_again},
    {VIOLATION_PDS_128_ROD, .in = rod_lower_loses},
    {VIOLATION_PDS_129, .in = resend_lost},
    {VIOLATION_PDS_129_ROD, .in = rod_copy_lost},
    {VIOLATION_PDS_067_STORED, .in = ahead_of_stored_lost},
    {VIOLATION_PDS_130, .in = resend_below_cack_lost},
    {VIOLATION_PDS_130_HALF, .in = half_old_lost},
    {VIOLATION_PDS_130_FAR, .in = old_copies_lost},
    {VIOLATION_PDS_130_UNIT, .in = copies_past_a_unit_lost},
    {VIOLATION_PDS_131, .in = resend_refused},
    {VIOLATION_PDS_132, .in = delivered_again},
    {VIOLATION_PDS_149, .out = nacked_received},
    {VIOLATION_PDS_149_BYTES, .in = refused_and_placed},
    {VIOLATION_PDS_149_ROD, .out = nacked_rod_received},
    {VIOLATION_PDS_149_SUM, .in = refused_and_added},
    {VIOLATION_SES_117, .after = nothing_stored},
    {VIOLATION_TSS_075, .in = delivered_again},
    {VIOLATION_TSS_075_AHEAD, .in = ahead_delivered_again},
};

UET_FAULT_WAYS(uet_faults_of_requests, ways);
