/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The state machines of a PDC, initiator (Figures 3-43 and 3-48) and target (3-44 and 3-49), as
 * tables: in these states, on this event, if that holds, do this, and go there. What has no row
 * changes nothing. Each FEP runs its own copy (law.h). Opening (out of CLOSED) is done by the
 * lookups that need a PDC: uet_initiator_open and uet_target_lookup_syn.
 */
#include "refimpl/pds/pds.h"
#include "refimpl/tss/tss.h"

/* What is missing may never come: a limit of our own where the specification sets none. */
#define MISSING_WAIT_NS      8000000000u
#define RTO_RETX_WITHOUT_END 15u

/* ---- guards ---- */

static bool peer_known(struct uet_fep *fep, const struct pdc *pdc)
{
    (void)fep;
    return pdc->peer_id;
}

/* A Close Command would find the peer's PDC, and room in its window. */
static bool can_say_so(struct uet_fep *fep, const struct pdc *pdc)
{
    return pdc->peer_id && uet_source_window_open(fep, pdc);
}

/* Everything up to the Close Command has come, and all responses may go. */
static bool nothing_missing(struct uet_fep *fep, const struct pdc *pdc)
{
    (void)fep;
    return !psn_after(pdc->rx.close_psn, pdc->rx.expected_psn - 1);
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
    return data_missing(fep, pdc) && (limit == RTO_RETX_WITHOUT_END || pdc->rx.n_asked < limit);
}

/* Read data is on its way, with retries and limits of its own. */
static bool data_unacknowledged(struct uet_fep *fep, const struct pdc *pdc)
{
    (void)fep;
    return uet_source_busy(pdc) && nothing_missing(fep, pdc);
}

/* It was sent and not answered, or cannot be: not while it waits for packets that failed before it
 * (T11). */
static bool close_request_failed(struct uet_fep *fep, const struct pdc *pdc)
{
    bool waits = pdc->wants & WANT(UET_CTL_CLOSE_REQUEST) && uet_source_window_open(fep, pdc);
    return pdc->req_closing && !waits;
}

bool uet_pdc_own_packets_wait(struct uet_fep *fep, const struct pdc *pdc)
{
    bool waits = false;
    for (uint32_t id = pdc->tx.head; id && !waits; id = packet_at(fep, id)->next)
        waits = packet_at(fep, id)->seg.op || packet_at(fep, id)->ctl_type != UET_CTL_CLOSE_REQUEST;
    return waits;
}

/* ---- what is done ---- */

/* No new message: those not begun go elsewhere (PDS-202). */
static void stop_messages(struct uet_fep *fep, struct pdc *pdc)
{
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
    uet_ses_look_again(fep); /* those that waited for its end may open another */
}

/* A NOOP: who has no such PDC any more answers UET_INV_DPDCID, or nothing (3.5.16.1). */
static void ask_for_life(struct uet_fep *fep, struct pdc *pdc)
{
    pdc->rx.n_asked++;
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
    pdc->req_closing = true;
    pdc->wants |= (uint16_t)WANT(UET_CTL_CLOSE_REQUEST);
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

/* A Close Request needs no answer once the Close Command is here. On ROD it is not forgotten before
 * packets that follow it: they arrive behind it, or never. */
static void forget_close_request(struct uet_fep *fep, struct pdc *pdc)
{
    pdc->wants &= (uint16_t)~WANT(UET_CTL_CLOSE_REQUEST);
    for (uint32_t id = pdc->tx.head; id;) {
        struct tx_packet *packet = packet_at(fep, id);
        id = packet->next;
        if (packet->seg.op || packet->ctl_type != UET_CTL_CLOSE_REQUEST || (pdc->rod && id))
            continue;
        pdc->tx.given_up = true; /* it may have arrived or not (PDS-070) */
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

void uet_pdc_ack_close(struct uet_fep *fep, struct pdc *pdc)
{
    struct ack_about about = {.psn = pdc->rx.close_psn,
                              .entropy = pdc->rx.close_entropy,
                              .m = pdc->rx.close_m,
                              .retx = pdc->rx.close_retx,
                              .close = true};
    uet_sink_free(fep, pdc); /* all forward PSNs count as cleared (PDS-204) */
    uet_sink_clear(fep, pdc, pdc->rx.close_psn);
    uet_pdc_raise_floor(fep, pdc);
    about.has_floor = fep->law.tss.tells_floor(fep, &pdc->tss, &about.floor);
    uet_ack_send(fep, pdc, &about);
}

static void close_granted(struct uet_fep *fep, struct pdc *pdc)
{
    uet_pdc_ack_close(fep, pdc);
    free_closed(fep, pdc);
}

static void wait_for_message(struct uet_fep *fep, struct pdc *pdc)
{
    (void)fep;
    pdc->timers[TIMER_CLOSE] = time_after(pdc->idle_since, MISSING_WAIT_NS);
}

void uet_pdc_end_unclosed(struct uet_fep *fep, struct pdc *pdc)
{
    COUNT(fep, pdc_close_req_timeout);
    free_in_error(fep, pdc);
}

/*
 * PDS-210. Only a Close Command that waits can be told of it (0x11): a NACK about any other PSN
 * might find it acknowledged and mean nothing (PDS-134).
 */
static void close_req_timeout(struct uet_fep *fep, struct pdc *pdc)
{
    if (pdc->rx.closing)
        uet_nack_send_about(fep, pdc, UET_NACK_CLOSING_IN_ERR, pdc->rx.close_psn);
    uet_pdc_end_unclosed(fep, pdc);
}

static void refuse_close(struct uet_fep *fep, struct pdc *pdc)
{
    uet_nack_send_about(fep, pdc, UET_NACK_CLOSING_IN_ERR, pdc->rx.close_psn);
    free_in_error(fep, pdc);
}

/* ---- the tables ---- */

#define IN(state) (1u << PDC_##state)
#define OPEN      (IN(CREATING) | IN(ESTABLISHED) | IN(QUIESCE) | IN(ACK_WAIT))
#define STAY      PDC_STAY

const struct pdc_machine uet_pdc_machine =
    {
        .initiator =
            {
                [ROW_I4] = {PDC_EV_PEER_KNOWN, IN(CREATING), NULL, NULL, PDC_ESTABLISHED},
                [ROW_I14] = {PDC_EV_CLOSE, IN(CREATING) | IN(ESTABLISHED), NULL, stop_messages,
                             PDC_QUIESCE},
                [ROW_I16] = {PDC_EV_MESSAGES_ENDED, IN(QUIESCE), NULL, NULL, PDC_ACK_WAIT},
                [ROW_I17] = {PDC_EV_ALL_ACKED, IN(ACK_WAIT), peer_known, want_close_command, STAY},
                [ROW_I18] = {PDC_EV_ALL_ACKED, IN(ACK_WAIT), NULL, free_unopened, PDC_CLOSED},
                [ROW_I17_SENT] = {PDC_EV_CLOSE_SENT, IN(ACK_WAIT), NULL, NULL, PDC_CLOSE_ACK_WAIT},
                [ROW_I19] = {PDC_EV_ALL_ACKED, IN(CLOSE_ACK_WAIT), NULL, free_closed, PDC_CLOSED},
                [ROW_I21_GONE] = {PDC_EV_NO_PEER, IN(CLOSE_ACK_WAIT), NULL, free_closed,
                                  PDC_CLOSED},
                [ROW_I15] = {PDC_EV_ERROR, OPEN, can_say_so, close_in_error, PDC_ACK_WAIT},
                [ROW_I15_ALONE] = {PDC_EV_ERROR, OPEN, NULL, free_in_error, PDC_CLOSED},
                [ROW_I15_NOBODY] = {PDC_EV_NO_PEER, OPEN, NULL, free_in_error, PDC_CLOSED},
                [ROW_I21] = {PDC_EV_ERROR, IN(CLOSE_ACK_WAIT), NULL, free_in_error, PDC_CLOSED},
                [ROW_I12_ASK] = {PDC_EV_CLOSE_TIME, IN(ESTABLISHED) | IN(QUIESCE), worth_asking,
                                 ask_for_life, STAY},
                [ROW_I12_END] = {PDC_EV_CLOSE_TIME, IN(ESTABLISHED), data_missing, waited_too_long,
                                 STAY},
                [ROW_NO_RESPONSE] = {PDC_EV_CLOSE_TIME, IN(QUIESCE), NULL, waited_too_long, STAY},
            },
        .target =
            {
                [ROW_T6] = {PDC_EV_START_PSN_OK, IN(PENDING), NULL, established, PDC_ESTABLISHED},
                [ROW_T7] = {PDC_EV_CLOSE_TIME, IN(PENDING), NULL, pending_timeout, PDC_CLOSED},
                /* Close_REQ_Time begins when the Close Request leaves, and anew when the last of
                 * the initiator's messages ends. */
                [ROW_T11] = {PDC_EV_CLOSE, IN(ESTABLISHED), NULL, ask_to_close, STAY},
                [ROW_T12_BEGUN] = {PDC_EV_CLOSE_TIME, IN(ESTABLISHED), message_goes_on,
                                   wait_for_message, STAY},
                [ROW_T12] = {PDC_EV_CLOSE_TIME, IN(ESTABLISHED), NULL, close_req_timeout,
                             PDC_CLOSED},
                [ROW_T14] = {PDC_EV_CLOSE_COMMAND, 0, uet_pdc_own_packets_wait, refuse_close,
                             PDC_CLOSED},
                [ROW_T13_BEGIN] = {PDC_EV_CLOSE_COMMAND, IN(ESTABLISHED), NULL, begin_target_close,
                                   PDC_ACK_WAIT},
                [ROW_T13] = {PDC_EV_ALL_ACKED, IN(ACK_WAIT), nothing_missing, close_granted,
                             PDC_CLOSED},
                [ROW_T13_DATA] = {PDC_EV_CLOSE_TIME, IN(ACK_WAIT), data_unacknowledged,
                                  wait_for_data_acks, STAY},
                [ROW_T13_TIME] = {PDC_EV_CLOSE_TIME, IN(ACK_WAIT), NULL, close_req_timeout,
                                  PDC_CLOSED},
                [ROW_T16_FAILED] = {PDC_EV_ERROR, IN(ESTABLISHED), close_request_failed,
                                    free_in_error, PDC_CLOSED},
                [ROW_T16] = {PDC_EV_ERROR, IN(ESTABLISHED), NULL, ask_to_close, STAY},
                [ROW_T16_CLOSING] = {PDC_EV_ERROR, IN(ACK_WAIT), NULL, free_in_error, PDC_CLOSED},
                [ROW_T16_NOBODY] = {PDC_EV_NO_PEER, IN(PENDING) | IN(ESTABLISHED) | IN(ACK_WAIT),
                                    NULL, free_in_error, PDC_CLOSED},
            },
};

bool uet_pdc_event(struct uet_fep *fep, struct pdc *pdc, enum pdc_event event)
{
    const struct pdc_machine *machine = &fep->law.machine;
    const struct pdc_row *table = pdc->initiator ? machine->initiator : machine->target;
    size_t n = pdc->initiator ? INITIATOR_ROWS : TARGET_ROWS;
    for (size_t i = 0; i < n; i++) {
        const struct pdc_row *row = &table[i];
        if (row->event != event || !(row->states >> pdc->state & 1) ||
            (row->guard && !row->guard(fep, pdc)))
            continue;
        if (row->next != STAY && row->next != PDC_CLOSED) /* uet_pdc_free is what closes */
            pdc->state = row->next & 15u;
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
    bool waits = pdc->tx.n_packets == pdc->tx.n_promised &&
                 ((pdc->state == PDC_QUIESCE && uet_ses_load(fep, pdc->id)) ||
                  (pdc->state == PDC_ESTABLISHED && uet_ses_awaits_data(fep, pdc->id)));
    if (!waits)
        pdc->timers[TIMER_CLOSE] = UET_FEP_NEVER;
    else if (pdc->timers[TIMER_CLOSE] == UET_FEP_NEVER)
        pdc->timers[TIMER_CLOSE] = time_after(fep->now, RESPONSE_WAIT_NS);
}

void uet_pdc_drain(struct uet_fep *fep, struct pdc *pdc)
{
    if (pdc->initiator && pdc->state == PDC_ESTABLISHED)
        limit_wait(fep, pdc);
    if (pdc->state < PDC_QUIESCE)
        return;
    if (!uet_ses_load(fep, pdc->id))
        (void)uet_pdc_event(fep, pdc, PDC_EV_MESSAGES_ENDED);
    if (!uet_source_busy(pdc))
        (void)uet_pdc_event(fep, pdc, PDC_EV_ALL_ACKED);
    if (pdc->state != PDC_CLOSED && pdc->initiator)
        limit_wait(fep, pdc);
}

void uet_pdc_limit_close(struct uet_fep *fep, struct pdc *pdc)
{
    if (fep->params.Close_REQ_Time)
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

/* What has left, and was not refused, may have arrived (ROB-046). */
static void tell_what_may_be_done(struct uet_fep *fep, const struct pdc *pdc)
{
    for (uint32_t id = pdc->tx.head; id; id = packet_at(fep, id)->next) {
        const struct tx_packet *packet = packet_at(fep, id);
        if (packet->seg.op && packet->again && !packet->refused)
            uet_ses_may_be_done(fep, packet->seg.op);
    }
}

static void end(struct uet_fep *fep, struct pdc *pdc, bool retry, enum pdc_event event)
{
    tell_what_may_be_done(fep, pdc);
    uet_ses_pdc_gone(fep, pdc->id, retry);
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

void uet_pdc_end_removed(struct uet_fep *fep)
{
    for (uint32_t i = 1; i <= fep->config.max_pdcs; i++) {
        struct pdc *pdc = pdc_at(fep, i);
        if (pdc->state != PDC_CLOSED && uet_sd_gone(fep, &pdc->tss))
            uet_pdc_no_peer(fep, pdc, false);
    }
}
