/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Requests on their way in: the window, duplicates (3.5.12.5), what SES makes of new ones, and
 * their answers. NACKs follow Table 3-58.
 */
#include "refimpl/pds/pds.h"

/* ---- the window ---- */

/* ROD takes the expected PSN and nothing else (PDS-165, PDS-166). */
static bool refuse_order(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p)
{
    if (!pdc->rod || uet_packet_psn(p) == pdc->rx.expected_psn)
        return false;
    COUNT(fep, rod_out_of_order);
    uet_nack_send_payload(fep, p, UET_NACK_ROD_OOO, pdc->id, pdc->rx.expected_psn);
    return true;
}

void uet_target_law(struct uet_place_row places[UET_PSN_PLACES][2])
{
    /* Contested (PDS-068): below the duplicate window silence, not 0x0B. */
    places[PSN_AHEAD][false] = (struct uet_place_row){true, UET_NACK_PSN_OOR_WINDOW, 0};
    places[PSN_BEHIND][false] = (struct uet_place_row){true, 0, CNT_drop_behind_window};
    places[PSN_AHEAD][true] = (struct uet_place_row){true, UET_NACK_INVALID_SYN, 0};
    places[PSN_BEHIND][true] = (struct uet_place_row){true, UET_NACK_INVALID_SYN, 0};
}

bool uet_target_refuse_psn(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p,
                           enum psn_place place)
{
    const struct uet_place_row *row = &fep->law.pds.places[place][uet_has_syn(p)];
    if (pdc->rx.closing && psn_after(uet_packet_psn(p), pdc->rx.close_psn)) {
        uet_nack_send(fep, p, UET_NACK_CLOSING, pdc->id);
        return true;
    }
    if (place == PSN_NEW && refuse_order(fep, pdc, p))
        return true;
    if (row->nack)
        uet_nack_send(fep, p, row->nack, pdc->id);
    else if (row->refused)
        fep->counters[row->counter]++;
    return row->refused;
}

/* ---- requests ---- */

static void take_clear(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p)
{
    if (uet_rud_rod_req_clear_psn_offset(uet_pds(p)) > 0) { /* never positive (PDS-072) */
        COUNT(fep, drop_clear_bad);
        return;
    }
    uet_sink_clear(fep, pdc, uet_clear_psn(p));
}

/* Section 9 of the facts: a PSN that was received before. */
static void duplicate(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p)
{
    struct ack_about about = uet_ack_about(p);
    uint8_t response[UET_SES_RSP_BYTES];
    const struct uet_duplicate_row *row =
        &fep->law.pds.duplicates[about.retx][uet_reply_waits(fep, pdc, about.psn)];
    if (row->nack) {
        uet_nack_send(fep, p, row->nack, pdc->id);
        return;
    }
    if (!row->answered) { /* dropped and counted (PDS-128) */
        COUNT(fep, rx_dup_dropped);
        return;
    }
    COUNT(fep, rx_dup_retx);
    const struct stored *s = uet_sink_stored(fep, pdc, about.psn);
    if (s && s->part) {
        about.part = part_at(fep, s->part);
    } else if (p->ses) {
        uet_ses_default_response(response, p);
        about.response = s ? s->response : response;
    }
    uet_ack_send(fep, pdc, &about);
}

/* The slot for a guaranteed response is part of accepting the packet (PDS-091). */
static bool store_response(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p,
                           const struct ack_about *about, struct ses_plan *plan)
{
    if (!plan->guaranteed && !plan->promised)
        return true;
    uint32_t part = plan->in_ack ? uet_part_keep(fep, pdc, &plan->part) : 0;
    if ((part || !plan->in_ack) && uet_sink_store(fep, pdc, about, plan, part)) {
        if (part)
            plan->part = *part_at(fep, part);
        return true;
    }
    uet_part_free(fep, pdc, part, PART_REFUSED);
    uet_nack_send(fep, p, UET_NACK_NO_GTD_DEL_AVAIL, pdc->id);
    uet_cp_ask_for_clears(fep, pdc);
    return false;
}

/* PDS-229: so much has come above the gap that what is missing will not come by itself. */
static void infer_loss(struct uet_fep *fep, struct pdc *pdc)
{
    struct sink *rx = &pdc->rx;
    uint32_t limit = fep->params.Infer_Loss_Count;
    if (!limit || rx->n_above < limit || rx->inferred_psn == rx->expected_psn)
        return;
    rx->inferred_psn = rx->expected_psn;
    uet_nack_send_about(fep, pdc, UET_NACK_RCVR_INFER_LOSS, rx->expected_psn);
}

/*
 * Message state has run short: does the initiator of a PDC that holds some still know it? After a
 * restart of its it would be held for ever. Asked by NOOP, one holder at a time, in turn.
 */
static void ask_message_holder(struct uet_fep *fep)
{
    uet_target_ask_holder(fep, pdc_at(fep, uet_ses_next_holder(fep)));
}

/* Is there room for what it fetches, and for bytes that no memory will have? */
static bool has_room(const struct uet_fep *fep, const struct pdc *pdc, const struct ses_plan *plan,
                     bool ahead)
{
    if (!plan->part.length)
        return true;
    bool keeps = !plan->in_ack && !plan->part.region;
    return uet_part_room(fep, pdc, plan->in_ack, ahead) && (!keeps || pool_has(&fep->kept, ahead));
}

static void accept(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p)
{
    struct ack_about about = uet_ack_about(p);
    struct ses_plan plan;
    if (uet_reply_scarce(fep)) { /* nobody takes our answers: this one would be lost */
        uet_nack_send(fep, p, UET_NACK_NO_PKT_BUFFER, pdc->id);
        return;
    }
    bool ahead = about.psn != pdc->rx.expected_psn;
    uet_ses_check(fep, pdc->id, p, ahead, &plan);
    if (!has_room(fep, pdc, &plan, ahead))
        plan.nack = UET_NACK_NO_RESOURCE;
    if (plan.nack) { /* state is lacking: the PSN stays unreceived (PDS-149) */
        uet_nack_send(fep, p, plan.nack, pdc->id);
        if (plan.nack == UET_NACK_NO_SES_MSG_AVAIL)
            ask_message_holder(fep);
        else if (plan.nack == UET_NACK_NO_GTD_DEL_AVAIL)
            uet_cp_ask_for_clears(fep, pdc);
        else if (!uet_part_room(fep, pdc, true, false)) /* stored responses hold those */
            uet_cp_ask_for_clears(fep, pdc);
        return;
    }
    if (!store_response(fep, pdc, p, &about, &plan))
        return;
    uet_sink_receive(fep, pdc, about.psn);
    if (plan.part.length && !plan.in_ack)
        uet_part_queue(fep, pdc, &plan.part);
    uet_ses_commit(fep, pdc->id, p, &plan);
    COUNT(fep, rx_request_new);
    if (about.m)
        COUNT(fep, rx_ce);
    if (plan.has_response)
        about.response = plan.response;
    if (plan.in_ack)
        about.part = &plan.part;
    uet_ack_decide(fep, pdc, p, &about, uet_has_syn(p) || plan.guaranteed);
}

void uet_target_request(struct uet_fep *fep, const struct uet_packet *p)
{
    bool data = uet_is_ses_response_data(p);
    if (data && uet_has_syn(p)) { /* it opens nothing (3.5.12.1) */
        COUNT(fep, drop_return_request);
        return;
    }
    struct pdc *pdc = uet_has_syn(p) ? uet_target_lookup_syn(fep, p) : uet_target_lookup(fep, p);
    if (!pdc)
        return;
    if (pdc->initiator != data) { /* read data comes from the target, all else from the initiator */
        COUNT(fep, drop_return_request);
        return;
    }
    COUNT(fep, rx_request);
    pdc->idle_since = fep->now;
    uet_credit_heard(fep, pdc, p);
    enum psn_place place = uet_sink_place(fep, pdc, uet_packet_psn(p));
    if (!uet_target_refuse_psn(fep, pdc, p, place)) {
        take_clear(fep, pdc, p);
        if (place == PSN_DUPLICATE)
            duplicate(fep, pdc, p);
        else if (data)
            uet_returned_accept(fep, pdc, p);
        else
            accept(fep, pdc, p);
        infer_loss(fep, pdc);
        uet_pdc_drain(fep, pdc);
        if (pdc->state != PDC_CLOSED && data)
            uet_pdc_ready(fep, pdc);
    }
    if (pdc->state != PDC_CLOSED)
        uet_pdc_schedule(fep, pdc);
}
