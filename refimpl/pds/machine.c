/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The state machines of a PDC, initiator (Figures 3-43 and 3-48) and target (3-44 and 3-49), as
 * tables: in these states, on this event, if that holds, do this, and go there. What has no row
 * changes nothing. Opening (out of CLOSED) is done by the lookups that need a PDC:
 * uet_initiator_open and uet_target_lookup_syn.
 */
#include "refimpl/pds/pds.h"

/* What is missing may never come: a limit of our own where the specification sets none. */
#define MISSING_WAIT_NS      8000000000u
#define RTO_RETX_WITHOUT_END 15u

/* ---- guards ---- */

static bool peer_known(struct uet_fep *fep, const struct pdc *pdc)
{
    return pdc->peer_id || UET_VIOLATES(fep, PDS_213);
}

/* A Close Command would find the peer's PDC, and room in its window. */
static bool can_say_so(struct uet_fep *fep, const struct pdc *pdc)
{
    bool bent = UET_VIOLATES(fep, PDS_213) && pdc->state < PDC_ACK_WAIT;
    return (pdc->peer_id && uet_source_window_open(fep, pdc)) || bent;
}

/* Everything up to the Close Command has come, and all responses may go. */
static bool nothing_missing(struct uet_fep *fep, const struct pdc *pdc)
{
    bool held = UET_VIOLATES(fep, PDS_204) && pdc->rx.stored;
    return !psn_after(pdc->rx.close_psn, pdc->rx.expected_psn - 1) && !held;
}

/*
 * An initiator that was asked to close still ends the messages that it has begun (PDS-208), and
 * resends what was lost of them: as long as that may take, no Close Command is late (PDS-210).
 */
static bool message_goes_on(struct uet_fep *fep, const struct pdc *pdc)
{
    /* Or reads that go on: their data is on its way, or packets of them are to come. */
    bool begun = uet_ses_receives(fep, pdc->id) || pdc->n_parts;
    return begun && time_after(pdc->idle_since, MISSING_WAIT_NS) > fep->now;
}

/* A READ waits for data that the target has promised: asked, it may say that it knows nothing. */
static bool data_missing(struct uet_fep *fep, const struct pdc *pdc)
{
    return uet_ses_awaits_data(fep, pdc->id);
}

static bool worth_asking(struct uet_fep *fep, const struct pdc *pdc)
{
    const uint8_t limit = fep->params.Max_RTO_Retx_Cnt;
    return data_missing(fep, pdc) && (limit == RTO_RETX_WITHOUT_END || pdc->n_asked < limit);
}

/* Read data is on its way, with retries and limits of its own. */
static bool data_unacknowledged(struct uet_fep *fep, const struct pdc *pdc)
{
    (void)fep;
    return uet_source_busy(pdc) && nothing_missing(fep, pdc);
}

static bool close_request_failed(struct uet_fep *fep, const struct pdc *pdc)
{
    (void)fep;
    return pdc->req_closing;
}

/* T14: packets of this side wait for their ACK, and this FEP does not wait with them. */
static bool refuses_close(struct uet_fep *fep, const struct pdc *pdc)
{
    bool waits = false;
    for (uint32_t id = pdc->tx.head; id && !waits; id = packet_at(fep, id)->next)
        waits = packet_at(fep, id)->seg.op || packet_at(fep, id)->ctl_type != UET_CTL_CLOSE_REQUEST;
    return waits && fep->choices.close_refused;
}

/* ---- what is done ---- */

/* No new message: those not begun go elsewhere (PDS-202). */
static void stop_messages(struct uet_fep *fep, struct pdc *pdc)
{
    if (UET_VIOLATES(fep, PDS_202))
        return;
    if (!pdc->rod) /* what follows on ROD waits for the end of this PDC, to stay in order */
        uet_pdc_unmap(fep, pdc);
    uet_ses_leave(fep, pdc->id);
}

static void want_close_command(struct uet_fep *fep, struct pdc *pdc)
{
    if (!uet_timer_runs(fep, pdc, TIMER_SYN_SAFE))
        pdc->timers[TIMER_SYN_SAFE] = UET_FEP_NEVER;
    pdc->wants |= (uint16_t)WANT(UET_CTL_CLOSE_COMMAND);
    uet_pdc_ready(fep, pdc);
}

/* The target never answered: there is nothing to close (PDS-213). */
static void free_unopened(struct uet_fep *fep, struct pdc *pdc)
{
    COUNT(fep, pdc_freed_unopened);
    uet_pdc_free(fep, pdc, false);
}

static void free_closed(struct uet_fep *fep, struct pdc *pdc)
{
    if (!pdc->close_error)
        COUNT(fep, pdc_closed);
    uet_pdc_free(fep, pdc, true);
}

static void free_in_error(struct uet_fep *fep, struct pdc *pdc)
{
    if (!pdc->close_error)
        COUNT(fep, pdc_closed_in_error);
    uet_pdc_free(fep, pdc, false);
}

/* SES has been told and the packets are gone; what is left is to let the peer know (3.5.15). */
static void close_in_error(struct uet_fep *fep, struct pdc *pdc)
{
    if (!pdc->close_error)
        COUNT(fep, pdc_closed_in_error);
    uet_pdc_unmap(fep, pdc);
    pdc->close_error = true;
    pdc->timers[TIMER_CLOSE] = UET_FEP_NEVER;
    pdc->wants = 0;
    want_close_command(fep, pdc);
}

/* A NOOP: who has no such PDC any more answers UET_INV_DPDCID, or nothing (3.5.16.1). */
static void ask_for_life(struct uet_fep *fep, struct pdc *pdc)
{
    pdc->n_asked++;
    pdc->wants |= (uint16_t)WANT(UET_CTL_NOOP);
    uet_pdc_ready(fep, pdc);
}

static void wait_for_data_acks(struct uet_fep *fep, struct pdc *pdc)
{
    pdc->timers[TIMER_CLOSE] = time_after(fep->now, MISSING_WAIT_NS);
}

static void waited_too_long(struct uet_fep *fep, struct pdc *pdc)
{
    COUNT(fep, pdc_response_timeout);
    uet_pdc_fail(fep, pdc);
}

static void ask_to_close(struct uet_fep *fep, struct pdc *pdc)
{
    bool bent = UET_VIOLATES(fep, PDS_200);
    pdc->req_closing = true;
    pdc->wants |= (uint16_t)WANT(bent ? UET_CTL_CLOSE_COMMAND : UET_CTL_CLOSE_REQUEST);
    uet_pdc_ready(fep, pdc);
}

static void established(struct uet_fep *fep, struct pdc *pdc)
{
    (void)fep;
    pdc->timers[TIMER_CLOSE] = UET_FEP_NEVER;
}

static void pending_timeout(struct uet_fep *fep, struct pdc *pdc)
{
    fep->new_pdc_timeouts++;
    COUNT(fep, pdc_pending_timeout);
    if (fep->new_pdc_timeouts > fep->params.New_PDC_Timeout_Thresh)
        COUNT(fep, pdc_pending_suspect);
    uet_pdc_free(fep, pdc, false);
}

/* A Close Request needs no answer once the Close Command is here. */
static void forget_close_request(struct uet_fep *fep, struct pdc *pdc)
{
    pdc->wants &= (uint16_t)~WANT(UET_CTL_CLOSE_REQUEST);
    for (uint32_t id = pdc->tx.head; id;) {
        struct tx_packet *packet = packet_at(fep, id);
        id = packet->next;
        if (!packet->seg.op && packet->ctl_type == UET_CTL_CLOSE_REQUEST)
            uet_source_retire(fep, pdc, packet);
    }
}

static void begin_target_close(struct uet_fep *fep, struct pdc *pdc)
{
    uint64_t limit = fep->params.Close_REQ_Time;
    pdc->rx.closing = true;
    forget_close_request(fep, pdc);
    pdc->timers[TIMER_CLOSE] = time_after(fep->now, limit ? limit : MISSING_WAIT_NS);
}

static void send_close_ack(struct uet_fep *fep, struct pdc *pdc)
{
    uet_sink_clear(fep, pdc, pdc->rx.close_psn); /* all forward PSNs count as cleared (PDS-204) */
    const struct ack_about about = {.psn = pdc->rx.close_psn,
                                    .entropy = pdc->rx.close_entropy,
                                    .m = pdc->rx.close_m,
                                    .retx = pdc->rx.close_retx,
                                    .close = true};
    uet_ack_send(fep, pdc, &about);
    if (UET_VIOLATES(fep, PDS_203))
        COUNT(fep, pdc_closed);
    else
        free_closed(fep, pdc);
}

static void wait_for_message(struct uet_fep *fep, struct pdc *pdc)
{
    (void)fep;
    pdc->timers[TIMER_CLOSE] = time_after(pdc->idle_since, MISSING_WAIT_NS);
}

/*
 * PDS-210. Only a Close Command that waits can be told of it (0x11): a NACK about any other PSN
 * might find it acknowledged and mean nothing (PDS-134).
 */
static void close_req_timeout(struct uet_fep *fep, struct pdc *pdc)
{
    COUNT(fep, pdc_close_req_timeout);
    if (pdc->rx.closing && !fep->choices.close_req_silent)
        uet_nack_send_about(fep, pdc, UET_NACK_CLOSING_IN_ERR, pdc->rx.close_psn);
    free_in_error(fep, pdc);
}

static void refuse_close(struct uet_fep *fep, struct pdc *pdc)
{
    uet_nack_send_about(fep, pdc, UET_NACK_CLOSING_IN_ERR, pdc->rx.close_psn);
    free_in_error(fep, pdc);
}

/* ---- the tables ---- */

#define IN(state) (1u << PDC_##state)
#define STAY      UINT8_MAX

struct row {
    uint8_t event;
    uint16_t states;
    bool (*guard)(struct uet_fep *, const struct pdc *);
    void (*action)(struct uet_fep *, struct pdc *);
    uint8_t next;
};

static const struct row initiator[] = {
    /* I4: the first ACK or NACK with a spdcid. */
    {PDC_EV_PEER_KNOWN, IN(CREATING), NULL, NULL, PDC_ESTABLISHED},
    /* I14: own decision, Close Request, or REQ_CLOSE. */
    {PDC_EV_CLOSE, IN(CREATING) | IN(ESTABLISHED), NULL, stop_messages, PDC_QUIESCE},
    /* I16 */
    {PDC_EV_MESSAGES_ENDED, IN(QUIESCE), NULL, NULL, PDC_ACK_WAIT},
    /* I17, I18 */
    {PDC_EV_ALL_ACKED, IN(ACK_WAIT), peer_known, want_close_command, STAY},
    {PDC_EV_ALL_ACKED, IN(ACK_WAIT), NULL, free_unopened, PDC_CLOSED},
    {PDC_EV_CLOSE_SENT, IN(ACK_WAIT), NULL, NULL, PDC_CLOSE_ACK_WAIT},
    /* I19; I21 when the peer says that its half is gone (PDS-206). */
    {PDC_EV_ALL_ACKED, IN(CLOSE_ACK_WAIT), NULL, free_closed, PDC_CLOSED},
    {PDC_EV_NO_PEER, IN(CLOSE_ACK_WAIT), NULL, free_closed, PDC_CLOSED},
    /* I15, and I8 and I5 as no Close Command could arrive. */
    {PDC_EV_ERROR, IN(CREATING) | IN(ESTABLISHED) | IN(QUIESCE) | IN(ACK_WAIT), can_say_so,
     close_in_error, PDC_ACK_WAIT},
    {PDC_EV_ERROR, IN(CREATING) | IN(ESTABLISHED) | IN(QUIESCE) | IN(ACK_WAIT), NULL, free_in_error,
     PDC_CLOSED},
    {PDC_EV_NO_PEER, IN(CREATING) | IN(ESTABLISHED) | IN(QUIESCE) | IN(ACK_WAIT), NULL,
     free_in_error, PDC_CLOSED},
    /* I21 */
    {PDC_EV_ERROR, IN(CLOSE_ACK_WAIT), NULL, free_in_error, PDC_CLOSED},
    /* Read data does not come (I12, PDS-215): is the target still there? */
    {PDC_EV_CLOSE_TIME, IN(ESTABLISHED) | IN(QUIESCE), worth_asking, ask_for_life, STAY},
    {PDC_EV_CLOSE_TIME, IN(ESTABLISHED), data_missing, waited_too_long, STAY},
    /* A response that was promised (UET_NO_RESPONSE) does not come. */
    {PDC_EV_CLOSE_TIME, IN(QUIESCE), NULL, waited_too_long, STAY},
};

static const struct row target[] = {
    /* T6, T7: T5, into PENDING, is in uet_target_lookup_syn. */
    {PDC_EV_START_PSN_OK, IN(PENDING), NULL, established, PDC_ESTABLISHED},
    {PDC_EV_CLOSE_TIME, IN(PENDING), NULL, pending_timeout, PDC_CLOSED},
    /* T11, T12: Close_REQ_Time begins when the Close Request leaves, and anew when the last of the
     * initiator's messages ends. */
    {PDC_EV_CLOSE, IN(ESTABLISHED), NULL, ask_to_close, STAY},
    {PDC_EV_CLOSE_TIME, IN(ESTABLISHED), message_goes_on, wait_for_message, STAY},
    {PDC_EV_CLOSE_TIME, IN(ESTABLISHED), NULL, close_req_timeout, PDC_CLOSED},
    /* T14 (contested: either it waits or it closes in error at once), T13 when all is quiet. */
    {PDC_EV_CLOSE_COMMAND, IN(ESTABLISHED), refuses_close, refuse_close, PDC_CLOSED},
    {PDC_EV_CLOSE_COMMAND, IN(ESTABLISHED), NULL, begin_target_close, PDC_ACK_WAIT},
    {PDC_EV_ALL_ACKED, IN(ACK_WAIT), nothing_missing, send_close_ack, PDC_CLOSED},
    {PDC_EV_CLOSE_TIME, IN(ACK_WAIT), data_unacknowledged, wait_for_data_acks, STAY},
    {PDC_EV_CLOSE_TIME, IN(ACK_WAIT), NULL, close_req_timeout, PDC_CLOSED},
    /* T16: the Close Request tells of the error, unless it is what failed. */
    {PDC_EV_ERROR, IN(ESTABLISHED), close_request_failed, free_in_error, PDC_CLOSED},
    {PDC_EV_ERROR, IN(ESTABLISHED), NULL, ask_to_close, STAY},
    {PDC_EV_ERROR, IN(ACK_WAIT), NULL, free_in_error, PDC_CLOSED},
    {PDC_EV_NO_PEER, IN(ESTABLISHED) | IN(ACK_WAIT), NULL, free_in_error, PDC_CLOSED},
};

#define ROWS(table) (sizeof(table) / sizeof(table)[0])

bool uet_pdc_event(struct uet_fep *fep, struct pdc *pdc, enum pdc_event event)
{
    const struct row *table = pdc->initiator ? initiator : target;
    size_t n = pdc->initiator ? ROWS(initiator) : ROWS(target);
    for (size_t i = 0; i < n; i++) {
        const struct row *row = &table[i];
        if (row->event != event || !(row->states >> pdc->state & 1) ||
            (row->guard && !row->guard(fep, pdc)))
            continue;
        if (row->next != STAY && row->next != PDC_CLOSED) /* uet_pdc_free is what closes */
            pdc->state = row->next;
        if (row->action)
            row->action(fep, pdc);
        return true;
    }
    return false;
}

/* ---- events that come of progress ---- */

/*
 * All is acknowledged and a promised response (UET_NO_RESPONSE) is still out: a close waits for it,
 * but not for ever; nor does anyone for read data. A limit of our own, as long as the longest RTO
 * (3.5.15).
 */
#define RESPONSE_WAIT_NS 8000000000u

static void limit_wait(struct uet_fep *fep, struct pdc *pdc)
{
    bool waits = !pdc->tx.n_packets &&
                 ((pdc->state == PDC_QUIESCE && uet_ses_load(fep, pdc->id)) ||
                  (pdc->state == PDC_ESTABLISHED && uet_ses_awaits_data(fep, pdc->id)));
    if (!waits)
        pdc->timers[TIMER_CLOSE] = UET_FEP_NEVER;
    else if (pdc->timers[TIMER_CLOSE] == UET_FEP_NEVER)
        pdc->timers[TIMER_CLOSE] = time_after(fep->now, RESPONSE_WAIT_NS);
}

void uet_pdc_drain(struct uet_fep *fep, struct pdc *pdc)
{
    bool early = UET_VIOLATES(fep, PDS_201) || UET_VIOLATES(fep, PDS_209_EARLY);
    bool no_wait = early && pdc->peer_id && pdc->initiator;
    if (pdc->initiator && pdc->state == PDC_ESTABLISHED)
        limit_wait(fep, pdc);
    if (pdc->state < PDC_QUIESCE)
        return;
    bool leaves = UET_VIOLATES(fep, PDS_215) && uet_ses_awaits_data(fep, pdc->id);
    if (!uet_ses_load(fep, pdc->id) || no_wait || leaves)
        (void)uet_pdc_event(fep, pdc, PDC_EV_MESSAGES_ENDED);
    bool data = uet_source_busy(pdc) && !(UET_VIOLATES(fep, PDS_211) && !pdc->initiator);
    if (!data || (no_wait && pdc->state == PDC_ACK_WAIT))
        (void)uet_pdc_event(fep, pdc, PDC_EV_ALL_ACKED);
    if (pdc->state != PDC_CLOSED && pdc->initiator)
        limit_wait(fep, pdc);
}

void uet_pdc_limit_close(struct uet_fep *fep, struct pdc *pdc)
{
    if (fep->params.Close_REQ_Time && !UET_VIOLATES(fep, PDS_210))
        pdc->timers[TIMER_CLOSE] = time_after(fep->now, fep->params.Close_REQ_Time);
}

void uet_pdc_messages_ended(struct uet_fep *fep, struct pdc *pdc)
{
    if (pdc->n_parts || uet_ses_receives(fep, pdc->id))
        return;
    bool runs = pdc->req_closing && pdc->timers[TIMER_CLOSE] != UET_FEP_NEVER;
    if (runs && pdc->state == PDC_ESTABLISHED)
        uet_pdc_limit_close(fep, pdc);
    if (uet_ses_waits(fep)) /* it could make room for a waiting operation */
        uet_ses_look_again(fep);
}

void uet_pdc_close(struct uet_fep *fep, struct pdc *pdc)
{
    bool asked = pdc->req_closing || pdc->rx.closing; /* of a target, once is enough */
    if ((!pdc->initiator && asked) || !uet_pdc_event(fep, pdc, PDC_EV_CLOSE))
        return;
    uet_pdc_drain(fep, pdc);
    if (pdc->state != PDC_CLOSED)
        uet_pdc_schedule(fep, pdc);
}

static void end(struct uet_fep *fep, struct pdc *pdc, bool retry, enum pdc_event event)
{
    uet_ses_pdc_gone(fep, pdc->id, retry);
    if (UET_VIOLATES(fep, PDS_160) && event == PDC_EV_ERROR && !retry) {
        uet_source_free(fep, pdc); /* bent: drop the packets, go on with the PDC */
        return;
    }
    uet_source_free(fep, pdc);
    (void)uet_pdc_event(fep, pdc, event);
    if (pdc->state != PDC_CLOSED)
        uet_pdc_schedule(fep, pdc);
}

void uet_pdc_fail(struct uet_fep *fep, struct pdc *pdc)
{
    end(fep, pdc, false, PDC_EV_ERROR);
}

void uet_pdc_retry(struct uet_fep *fep, struct pdc *pdc)
{
    end(fep, pdc, true, PDC_EV_ERROR);
}

void uet_pdc_no_peer(struct uet_fep *fep, struct pdc *pdc, bool retry)
{
    end(fep, pdc, retry, PDC_EV_NO_PEER);
}
