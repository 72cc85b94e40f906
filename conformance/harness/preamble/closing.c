/* SPDX-License-Identifier: BSD-2-Clause */
/* The postamble: every PDC of a test is closed behind it. */
#include "conformance/harness/preamble/preamble.h"

#define CLOSE_TRIES 6

/* The wait before the i-th resend: doubling, and in all three times as long as an answer takes. */
static uint64_t close_wait(const struct uet_tc *tc, int i)
{
    return uet_tc_scale(tc, (tc->session->dut->response_time_ns / 20) << i);
}

/* Sends again, or fills with another Request, what has no acknowledgement: only then may a PDC
 * close. */
static void fill(struct uet_tc *tc, struct uet_pdc *pdc)
{
    for (uint32_t psn = pdc->fep_cack + 1; uet_psn_diff(psn, pdc->next_psn) < 0; psn++) {
        if (uet_pdc_acknowledged(pdc, psn))
            continue;
        struct uet_out o = uet_any_request(pdc);
        pdc->next_psn--; /* not a new PSN but the missing one */
        uint32_t clear = pdc->clear_psn;
        o.psn = psn;
        uet_rud_rod_req_psn_set(o.pds, psn);
        if (uet_rud_rod_req_syn(o.pds))
            uet_rud_rod_req_psn_offset_set(o.pds, (uint16_t)((psn - pdc->start_psn) & 0xfff));
        uet_rud_rod_req_clear_psn_offset_set(
            o.pds, (int16_t)(uet_psn_diff(clear, psn) < 0 ? uet_psn_diff(clear, psn) : -1));
        o.meant = "postamble: fills a gap";
        uet_resend(tc, &o);
    }
}

static void wait_for(struct uet_tc *tc, const struct uet_pdc *pdc,
                     bool (*done)(const struct uet_pdc *), uint64_t within_ns)
{
    uint64_t until = uet_tc_now(tc) + within_ns;

    while (!done(pdc) && uet_tc_pump(tc, until))
        ;
}

/* Closed, or never to be. */
static bool is_decided(const struct uet_pdc *pdc)
{
    return pdc->closed || pdc->refused;
}

/*
 * What the test left without an ACK: it would hold the close up (3.5.8.3), for an RTO or longer. A
 * Close Command among it closes the PDC.
 */
static void acknowledge_heard(struct uet_tc *tc, struct uet_pdc *pdc)
{
    const struct uet_in *last = NULL;
    bool closes = false;

    for (const struct uet_in *in = tc->in_first; in; in = in->next) {
        if (in->pdc != pdc || in->packet.error != UET_PARSE_OK || !uet_consumes_psn(&in->packet))
            continue;
        last = in;
        closes |= uet_is_cp(&in->packet) &&
                  uet_cp_ctl_type(uet_pds(&in->packet)) == UET_CTL_CLOSE_COMMAND;
    }
    if (!last || uet_psn_diff(pdc->cack, pdc->cack_told) <= 0)
        return;
    struct uet_out ack = uet_ack(pdc, last);
    ack.meant = "postamble: ACK of what came";
    uet_send(tc, &ack);
    pdc->closed |= closes && !pdc->initiator;
}

static bool close_own(struct uet_tc *tc, struct uet_pdc *pdc)
{
    pdc->auto_clear = pdc->auto_ack = true;
    acknowledge_heard(tc, pdc);
    if (pdc->fep_pdcid == 0)
        return true; /* it never came to be: nothing to close (PDS-213) */
    for (int i = 0; i < CLOSE_TRIES && !uet_pdc_all_acknowledged(pdc) && !pdc->closed; i++) {
        fill(tc, pdc);
        wait_for(tc, pdc, uet_pdc_all_acknowledged, close_wait(tc, i));
    }
    if (pdc->closed)
        return true;
    uet_pdc_advance_clear(pdc);
    bool settled = uet_pdc_all_acknowledged(pdc);
    struct uet_out close = uet_cp(pdc, UET_CTL_CLOSE_COMMAND);
    close.meant = "postamble: Close Command";
    pdc->refused = NULL;
    for (int i = 0; i < CLOSE_TRIES && !is_decided(pdc); i++) {
        if (i == 0)
            uet_send(tc, &close);
        else
            uet_resend(tc, &close);
        wait_for(tc, pdc, is_decided, close_wait(tc, i));
    }
    if (pdc->refused && settled && pdc->auto_close)
        uet_tc_rule_broken(tc, pdc->refused, "PDS-203",
                           "the Close Command of a PDC on which all is acknowledged is refused");
    return pdc->closed;
}

/* A PDC that the FEP opened: it must be asked (3.5.16.4). */
static bool close_theirs(struct uet_tc *tc, struct uet_pdc *pdc)
{
    pdc->auto_ack = true;
    acknowledge_heard(tc, pdc);
    if (pdc->closed)
        return true;
    struct uet_out request = uet_cp(pdc, UET_CTL_CLOSE_REQUEST);
    request.meant = "postamble: Close Request";
    pdc->closing = true; /* INV_DPDCID as the answer: it is gone already */
    pdc->refused = NULL;
    pdc->close_psn = request.psn;
    for (int i = 0; i < CLOSE_TRIES && !is_decided(pdc); i++) {
        if (i == 0)
            uet_send(tc, &request);
        else
            uet_resend(tc, &request); /* it knew no TPDCID yet, or had something left to send */
        wait_for(tc, pdc, is_decided, close_wait(tc, i));
    }
    return pdc->closed;
}

bool uet_peer_close(struct uet_tc *tc, struct uet_pdc *pdc)
{
    return pdc->initiator ? close_own(tc, pdc) : close_theirs(tc, pdc);
}

/*
 * A FEP that is neither reset nor restarted would keep it, of maybe few PDCs. Behind a fatal NACK
 * it is the source that closes (3.5.8.3). One that the FEP opened it may hold for what the test did
 * not answer.
 */
static bool is_to_close(const struct uet_tc *tc, const struct uet_pdc *pdc)
{
    if (tc->keeps_state && (pdc->initiator ? pdc->in_error : !pdc->closed))
        return true;
    return !pdc->closed && (pdc->auto_close || (pdc->unfinished && tc->keeps_state));
}

void uet_peer_postamble(struct uet_tc *tc)
{
    tc->accepting = false; /* what the FEP opens now belongs to nobody */
    for (struct uet_pdc *pdc = tc->pdcs; pdc; pdc = pdc->next) {
        if (!is_to_close(tc, pdc))
            continue;
        pdc->closed = false;
        pdc->auto_close &= !pdc->in_error; /* tried, and no more */
        bool closed = uet_peer_close(tc, pdc);
        tc->current = NULL;
        if (!closed && pdc->auto_close) /* only its initiator may close it (PDS-200): the FEP, when
                                           it was asked */
            uet_note(tc, pdc->initiator ? "PDS-203" : "PDS-208",
                     "postamble: a PDC of this test did not close%s",
                     pdc->initiator ? "" : ", though asked to");
    }
}
