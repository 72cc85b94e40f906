/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of the state machines and of closing (pds/machine.c), and of what is cleared (window.c).
 */
#include "refimpl/faults/pds/about.h"

/* ---- rows of the state machines ---- */

/* PDS-213: a Close Command without a TPDCID. */
static bool still_open(struct uet_fep *fep, const struct pdc *pdc)
{
    (void)fep;
    return pdc->state < PDC_ACK_WAIT;
}

static void close_unopened(struct uet_law *law)
{
    law->machine.initiator[ROW_I17].guard = NULL;
    law->machine.initiator[ROW_I15].guard = still_open;
}

/* PDS-204 */
static bool nothing_missing_or_stored(struct uet_fep *fep, const struct pdc *pdc)
{
    return !pdc->rx.stored && uet_pdc_machine.target[ROW_T13].guard(fep, pdc);
}

static void responses_hold_close(struct uet_law *law)
{
    law->machine.target[ROW_T13].guard = nothing_missing_or_stored;
}

static void messages_go_on(struct uet_law *law)
{
    law->machine.initiator[ROW_I14].action = NULL;
}

/* PDS-003: what follows on ROD does not wait for the end of the PDC. */
static void stop_and_unmap(struct uet_fep *fep, struct pdc *pdc)
{
    uet_pdc_unmap(fep, pdc);
    uet_ses_leave(fep, pdc->id);
}

static void rod_goes_elsewhere(struct uet_law *law)
{
    law->machine.initiator[ROW_I14].action = stop_and_unmap;
}

/* ... does not wait for what is on a PDC that is not the newest one. */
static void newest_is_found(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    const struct pdc *newest = NULL;
    FOR_EACH_PDC(fep, pdc)
    {
        if (pdc->initiator && pdc->rod && pdc->mapped)
            newest = pdc;
    }
    FOR_EACH_PDC(fep, pdc)
    {
        if (pdc->initiator && pdc->rod && pdc != newest)
            uet_pdc_unmap(fep, pdc);
    }
}

static void close_frees_nothing(struct uet_law *law)
{
    law->machine.target[ROW_T13].action = uet_pdc_ack_close;
}

static void errors_close_nothing(struct uet_law *law)
{
    law->machine.initiator[ROW_I15].states = law->machine.initiator[ROW_I15_ALONE].states = 0;
}

static void acks_ask_for_close(struct uet_law *law)
{
    law->pds.reqs[UET_WISH_NOTHING] = UET_ACK_REQ_CLOSE;
}

static void no_close_req_time(struct uet_fep_params *params)
{
    params->Close_REQ_Time = 0;
}

/* ---- steps of a close that come too early ---- */

typedef bool is_meant(struct uet_fep *fep, const struct pdc *pdc);

static void for_each_pdc(struct uet_fep *fep, is_meant *meant, enum pdc_event event)
{
    for (uint32_t i = 1; i <= fep->config.max_pdcs; i++) {
        struct pdc *pdc = pdc_at(fep, i);
        if (meant(fep, pdc))
            (void)uet_pdc_event(fep, pdc, event);
    }
}

static bool has_messages(struct uet_fep *fep, const struct pdc *pdc)
{
    (void)fep;
    return pdc->initiator && pdc->state == PDC_QUIESCE && pdc->peer_id;
}

static bool has_packets(struct uet_fep *fep, const struct pdc *pdc)
{
    (void)fep;
    return pdc->initiator && pdc->state == PDC_ACK_WAIT && pdc->peer_id &&
           !(pdc->wants & WANT(UET_CTL_CLOSE_COMMAND));
}

static void close_waits_not(struct uet_law *law)
{
    law->pds.close_waits = false;
}

static void close_at_once(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    for_each_pdc(fep, has_messages, PDC_EV_MESSAGES_ENDED);
    for_each_pdc(fep, has_packets, PDC_EV_ALL_ACKED);
}

static bool has_read(struct uet_fep *fep, const struct pdc *pdc)
{
    return has_messages(fep, pdc) && uet_ses_awaits_data(fep, pdc->id);
}

static bool has_none(struct uet_fep *fep, const struct pdc *pdc)
{
    return has_packets(fep, pdc) && !uet_source_busy(pdc);
}

static void close_with_read(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    for_each_pdc(fep, has_read, PDC_EV_MESSAGES_ENDED);
    for_each_pdc(fep, has_none, PDC_EV_ALL_ACKED);
}

/* memo: data of a READ has come. */
static bool read_begins(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_request(&f->p) && uet_is_ses_response_data(&f->p))
        *f->memo = 1;
    return true;
}

static void close_with_part(struct uet_fep *fep, uint64_t *memo)
{
    if (*memo)
        close_with_read(fep, memo);
}

static bool has_data_underway(struct uet_fep *fep, const struct pdc *pdc)
{
    (void)fep;
    return !pdc->initiator && pdc->state == PDC_ACK_WAIT && uet_source_busy(pdc);
}

static void grant_with_data(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    for_each_pdc(fep, has_data_underway, PDC_EV_ALL_ACKED);
}

/* The peer has acknowledged what came first on the return direction. */
static bool has_part_underway(struct uet_fep *fep, const struct pdc *pdc)
{
    return has_data_underway(fep, pdc) && packet_at(fep, pdc->tx.head)->psn != pdc->start_psn;
}

static void grant_with_part(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    for_each_pdc(fep, has_part_underway, PDC_EV_ALL_ACKED);
}

/* Nothing that waits for its ACK is sent again. */
static void data_once(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    for (uint32_t i = 1; i <= fep->config.max_pdcs; i++) {
        struct pdc *pdc = &fep->pdcs[i];
        if (pdc->state == PDC_CLOSED || pdc->initiator || !pdc->rx.closing)
            continue;
        pdc->timers[TIMER_RETX] = pdc->timers[TIMER_TAIL] = UET_FEP_NEVER;
        uet_pdc_schedule(fep, pdc);
    }
}

/* ---- frames ---- */

static bool old_requests_refused(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc =
        uet_is_request(&f->p) && !uet_has_syn(&f->p) ? uet_pdc_by_id(fep, uet_dpdcid(&f->p)) : NULL;
    bool closing = pdc && pdc->rx.closing;
    if (closing)
        uet_nack_send(fep, &f->p, UET_NACK_CLOSING, pdc->id);
    return !closing;
}

static bool close_request_commands(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (is_cp_of(&f->p, UET_CTL_CLOSE_REQUEST))
        uet_cp_ctl_type_set(uet_fault_pds(f), UET_CTL_CLOSE_COMMAND);
    return true;
}

/* Where the FEP is the initiator of another PDC to the same peer. */
static bool peers_close_commanded(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *to = uet_is_cp(&f->p) ? uet_pdc_by_id(fep, uet_spdcid(&f->p)) : NULL;
    bool initiator = false;
    FOR_EACH_PDC(fep, pdc)
    {
        initiator |= to && pdc->initiator && uet_ip_equal(&pdc->peer, &to->peer);
    }
    return !initiator || close_request_commands(fep, f);
}

/* memo: the PDC and PSN of what was stored first, while there is more. */
#define STORED_FIRST ((uint64_t)1 << 63)

static void stored_first_noted(struct uet_fep *fep, uint64_t *memo)
{
    const struct pdc *known = *memo ? pdc_at(fep, *memo >> 32 & UINT16_MAX) : NULL;
    if (known && !known->rx.stored)
        *memo = 0;
    FOR_EACH_PDC(fep, pdc)
    {
        const struct stored *s = pool_item(&fep->stored, pdc->rx.stored);
        if (!*memo && pdc->rx.stored && !s->next)
            *memo = STORED_FIRST | (uint64_t)pdc->id << 32 | s->psn;
    }
}

static bool cack_waits_for_first(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const uint16_t id = uet_is_ack(&f->p) && *f->memo ? uet_spdcid(&f->p) : 0;
    const struct pdc *pdc = id && id == (*f->memo >> 32 & UINT16_MAX) ? pdc_at(fep, id) : NULL;
    const uint32_t first = (uint32_t)*f->memo;
    uint8_t *h = uet_fault_pds(f);
    if (!pdc || !pdc->rx.stored || uet_ack_p(h) ||
        !psn_after(first, ((const struct stored *)pool_item(&fep->stored, pdc->rx.stored))->psn))
        return true;
    const uint32_t psn = uet_packet_psn(&f->p);
    uet_ack_cack_psn_set(h, first - 1);
    uet_ack_ack_psn_offset_set(h, (int16_t)uet_psn_diff(psn, first - 1));
    return true;
}

static bool copy_clears_nothing(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_request(&f->p) && uet_rud_rod_req_retx(uet_pds(&f->p)))
        uet_rud_rod_req_clear_psn_offset_set(uet_fault_pds(f), INT16_MIN);
    return true;
}

/* Clear Commands are lost, and Requests clear what was cleared long ago. */
static bool clears_nothing(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_request(&f->p))
        uet_rud_rod_req_clear_psn_offset_set(uet_fault_pds(f), INT16_MIN);
    return !is_cp_of(&f->p, UET_CTL_CLEAR_COMMAND);
}

/* CACK_PSN as if no response waited for its clear; what the offsets name stays. */
static bool cack_passes_uncleared(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = uet_is_ack(&f->p) ? uet_pdc_by_id(fep, uet_spdcid(&f->p)) : NULL;
    if (!pdc || !pdc->rx.stored || uet_ack_p(uet_pds(&f->p)))
        return true;
    uint8_t *h = uet_fault_pds(f);
    uint32_t psn = uet_packet_psn(&f->p), was = uet_ack_cack_psn(h);
    uint32_t cack = pdc->rx.expected_psn - 1;
    uet_ack_cack_psn_set(h, cack);
    uet_ack_ack_psn_offset_set(h, (int16_t)uet_psn_diff(psn, cack));
    if (uet_is_ack_cc(&f->p)) {
        uint32_t base = uet_psn_add(was, uet_ack_cc_sack_psn_offset(h));
        uet_ack_cc_sack_psn_offset_set(h, (int16_t)uet_psn_diff(base, cack));
    }
    return true;
}

static void keep_all(struct uet_fep *fep, bool reserved)
{
    (void)fep, (void)reserved;
}

static void no_room_is_made(struct uet_law *law)
{
    law->make_room = keep_all;
}

/* What waits for a PDC looks again when one is idle, and not by itself. */
static void nobody_looks_again(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    fep->waiting_deadline = UET_FEP_NEVER;
}

enum { PDC_BITS = 16 };

/* memo: the first PDC that was asked to close, and when it would be given up. */
static void old_timer_noted(struct uet_fep *fep, uint64_t *memo)
{
    FOR_EACH_PDC(fep, pdc)
    {
        if (!*memo && !pdc->initiator && pdc->req_closing &&
            pdc->timers[TIMER_CLOSE] != UET_FEP_NEVER)
            *memo = pdc->timers[TIMER_CLOSE] << PDC_BITS | pdc->id;
    }
}

static bool old_timer_ends_it(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *pdc = *f->memo ? uet_pdc_by_id(fep, (uint16_t)*f->memo) : NULL;
    if (pdc && fep->now >= *f->memo >> PDC_BITS && !pdc->req_closing)
        uet_pdc_free(fep, pdc, false);
    return true;
}

/* memo: how many PDCs have failed so far. */
static void all_fail(struct uet_fep *fep, uint64_t *memo)
{
    const uint64_t now = fep->counters[CNT_pdc_closed_in_error];
    if (now == *memo)
        return;
    *memo = now;
    for (uint32_t i = 1; i <= fep->config.max_pdcs; i++) {
        struct pdc *pdc = pdc_at(fep, i);
        if (pdc->state == PDC_CLOSED || !pdc->initiator || !uet_ses_load(fep, pdc->id))
            continue;
        uet_ses_pdc_gone(fep, pdc->id, false);
        uet_source_free(fep, pdc);
    }
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

static bool clear_request_of_cleared(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_cp(&f->p) && uet_cp_ctl_type(uet_pds(&f->p)) == UET_CTL_CLEAR_REQUEST)
        uet_cp_payload_value_set(uet_fault_pds(f), uet_cp_payload_value(uet_pds(&f->p)) - 1);
    return true;
}

static void goes_on(struct uet_law *law)
{
    law->machine.initiator[ROW_I14].action = NULL;
    for (size_t i = PDC_CREATING; i < UET_PDC_STATES; i++)
        law->pds.takes[i] = true;
}

static bool asks_for_close(const struct uet_packet *p)
{
    return (uet_is_ack(p) && uet_ack_req(uet_pds(p)) == UET_ACK_REQ_CLOSE) ||
           is_cp_of(p, UET_CTL_CLOSE_REQUEST);
}

static bool asked_goes_on(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (uet_is_ack(&f->p) && asks_for_close(&f->p))
        goes_on(&fep->law);
    return true;
}

static bool asked_stops(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (asks_for_close(&f->p))
        fep->law.machine.initiator[ROW_I14].action = uet_pdc_machine.initiator[ROW_I14].action;
    return true;
}

static void given_up_stays(struct uet_law *law)
{
    law->machine.initiator[ROW_I21].states = 0;
}

static void source_fails_alone(struct uet_law *law)
{
    law->machine.target[ROW_T16].states = 0;
    law->machine.target[ROW_T16_FAILED].states = 0;
}

static void target_stays(struct uet_law *law)
{
    law->machine.target[ROW_T16_NOBODY].states = 0;
}

/* Of the peer whose close this FEP waits for. */
static struct pdc *asked_to_close(struct uet_fep *fep, const struct uet_packet *p)
{
    struct pdc *pdc = pdc_of(fep, p);
    bool waits = pdc && !pdc->initiator && pdc->req_closing && !pdc->rx.closing;
    return waits && pdc->timers[TIMER_CLOSE] != UET_FEP_NEVER ? pdc : NULL;
}

static bool cp_begins_time(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *pdc = uet_is_cp(&f->p) ? asked_to_close(fep, &f->p) : NULL;
    if (!pdc)
        return true;
    uet_pdc_limit_close(fep, pdc);
    uet_pdc_schedule(fep, pdc);
    return true;
}

/* memo: the PDCs whose time was put off for a message that is begun: when it ends none runs. */
static void late_message_has_no_time(struct uet_fep *fep, uint64_t *memo)
{
    FOR_EACH_PDC(fep, pdc)
    {
        const uint64_t bit = 1ull << pdc->id % 64, limit = fep->params.Close_REQ_Time;
        uint64_t *at = &pdc->timers[TIMER_CLOSE];
        if (pdc->initiator || !pdc->req_closing || pdc->state != PDC_ESTABLISHED)
            *memo &= ~bit;
        else if (*at != UET_FEP_NEVER && *at > time_after(fep->now, limit))
            *memo |= bit;
        else if (*memo & bit)
            *at = UET_FEP_NEVER;
    }
}

static bool half_a_message(struct uet_fep *fep, const struct pdc *pdc)
{
    return uet_ses_receives(fep, pdc->id);
}

static void half_a_message_waits(struct uet_law *law)
{
    struct pdc_row *row = &law->machine.target[ROW_T12_BEGUN];
    row->guard = half_a_message;
    row->action = uet_pdc_limit_close;
}

static bool notes_time(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (uet_is_request(&f->p))
        *f->memo = fep->now;
    return true;
}

static bool time_is_of_request(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *pdc = sends(fep, &f->p);
    uint64_t at = time_after(*f->memo, fep->params.Close_REQ_Time);
    if (pdc && is_cp_of(&f->p, UET_CTL_CLOSE_REQUEST) && fep->params.Close_REQ_Time)
        pdc->timers[TIMER_CLOSE] = at > fep->now ? at : fep->now + 1;
    return true;
}

/* memo: the PDC that forgets for one packet that it closes. */
static bool rod_takes_new(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *pdc = uet_is_request(&f->p) ? rod_of(fep, &f->p) : NULL;
    if (!pdc || !pdc->rx.closing || !psn_after(uet_packet_psn(&f->p), pdc->rx.close_psn))
        return true;
    pdc->rx.closing = false;
    *f->memo = pdc->id;
    return true;
}

static void rod_closes_again(struct uet_fep *fep, uint64_t *memo)
{
    struct pdc *pdc = *memo ? uet_pdc_by_id(fep, (uint16_t)*memo) : NULL;
    if (pdc)
        pdc->rx.closing = true;
    *memo = 0;
}

/* What was promised first, and is answered, counts as promised for ever; memo: which that was. */
static void late_answer_stays(struct uet_fep *fep, uint64_t *memo)
{
    FOR_EACH_PDC(fep, pdc)
    {
        struct stored *s = pdc->rx.stored ? pool_item(&fep->stored, pdc->rx.stored) : NULL;
        if (!s)
            continue;
        const uint64_t which = (uint64_t)pdc->id << 32 | s->psn;
        if (s->promised) {
            *memo = which;
        } else if (*memo == which) {
            s->promised = true;
            pdc->rx.n_stored--;
        }
    }
}

static const struct uet_fault_way ways[] = {
    {VIOLATION_PDS_078_LATE, .after = late_answer_stays},
    {VIOLATION_PDS_202_ASKED, .in = asked_goes_on},
    {VIOLATION_PDS_202_OWN, .rows = goes_on, .in = asked_stops},
    {VIOLATION_PDS_003_JOBS, .after = newest_is_found},
    {VIOLATION_PDS_003_CLOSE, .rows = rod_goes_elsewhere},
    {VIOLATION_PDS_074, .in = clears_nothing},
    {VIOLATION_PDS_077_ORDER, .out = cack_waits_for_first, .after = stored_first_noted},
    {VIOLATION_PDS_074_COPY, .in = copy_clears_nothing},
    {VIOLATION_PDS_074_ALL, .in = clears_all},
    {VIOLATION_PDS_077, .out = cack_passes_uncleared},
    {VIOLATION_PDS_077_CP, .out = cp_ack_passes},
    {VIOLATION_PDS_084_PSN, .out = clear_request_of_highest},
    {VIOLATION_PDS_160, .rows = errors_close_nothing},
    {VIOLATION_PDS_200, .out = close_request_commands},
    {VIOLATION_PDS_200_PEER, .out = peers_close_commanded},
    {VIOLATION_PDS_201, .rows = close_waits_not, .after = close_at_once},
    {VIOLATION_PDS_202, .rows = messages_go_on},
    {VIOLATION_PDS_203, .rows = close_frees_nothing},
    {VIOLATION_PDS_204, .rows = responses_hold_close},
    {VIOLATION_PDS_209_EARLY, .rows = close_waits_not, .after = close_at_once},
    {VIOLATION_PDS_210, .params = no_close_req_time},
    {VIOLATION_PDS_210_ACK, .rows = acks_ask_for_close},
    {VIOLATION_PDS_138_STAYS, .rows = target_stays},
    {VIOLATION_PDS_160_CLOSE, .rows = given_up_stays},
    {VIOLATION_PDS_160_TARGET, .rows = source_fails_alone},
    {VIOLATION_PDS_210_IDLE, .in = notes_time, .out = time_is_of_request},
    {VIOLATION_PDS_210_LATE, .after = late_message_has_no_time},
    {VIOLATION_PDS_210_CP, .in = cp_begins_time},
    {VIOLATION_PDS_210_HALF, .rows = half_a_message_waits},
    {VIOLATION_PDS_212_ROD, .in = rod_takes_new, .after = rod_closes_again},
    {VIOLATION_PDS_211, .after = grant_with_data},
    {VIOLATION_PDS_211_PART, .after = grant_with_part},
    {VIOLATION_PDS_211_ONCE, .after = data_once},
    {VIOLATION_PDS_212_OLD, .in = old_requests_refused},
    {VIOLATION_PDS_213, .rows = close_unopened},
    {VIOLATION_PDS_215, .after = close_with_read},
    {VIOLATION_PDS_215_PART, .in = read_begins, .after = close_with_part},
    {VIOLATION_ROB_033_ALL, .after = all_fail},
    {VIOLATION_ROB_033_FULL, .rows = no_room_is_made},
    {VIOLATION_ROB_033_HELD, .after = nobody_looks_again},
    {VIOLATION_ROB_041_TIMER, .in = old_timer_ends_it, .after = old_timer_noted},
    {VIOLATION_PDS_084_CLEARED, .out = clear_request_of_cleared},
};

UET_FAULT_WAYS(uet_faults_of_closing, ways);
