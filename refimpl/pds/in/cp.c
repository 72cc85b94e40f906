/* SPDX-License-Identifier: BSD-2-Clause */
/* Control Packets on their way in, and those that need no PSN on their way out (3.5.16). */
#include "refimpl/pds/pds.h"

/* ---- those that consume a PSN: NOOP, Negotiation, Close Command, Close Request ---- */

/* The Close ACK may have to wait; it echoes the newest copy of the Close Command (PDS-112). */
static void note_close(struct pdc *pdc, const struct uet_packet *p)
{
    const struct ack_about about = uet_ack_about(p);
    pdc->rx.close_psn = about.psn;
    pdc->rx.close_entropy = about.entropy;
    pdc->rx.close_m = about.m;
    pdc->rx.close_retx = about.retx;
}

static void duplicate(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p)
{
    struct ack_about about = uet_ack_about(p);
    if (!about.retx) {
        COUNT(fep, rx_dup_dropped);
        return;
    }
    COUNT(fep, rx_dup_retx);
    if (uet_cp_ctl_type(uet_pds(p)) == UET_CTL_CLOSE_COMMAND) {
        note_close(pdc, p);
        return; /* still waiting to close; the Close ACK comes when it may */
    }
    uet_ack_send(fep, pdc, &about);
}

/* Is its PSN a new one? Then it is received; all else is answered. */
static bool receive_psn(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p)
{
    enum psn_place place = uet_sink_place(fep, pdc, uet_packet_psn(p));
    if (uet_target_refuse_psn(fep, pdc, p, place))
        return false;
    if (place == PSN_DUPLICATE) {
        duplicate(fep, pdc, p);
        return false;
    }
    uet_sink_receive(fep, pdc, uet_packet_psn(p));
    return true;
}

void uet_cp_noop(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p)
{
    struct ack_about about = uet_ack_about(p); /* ACKs of CPs have next_hdr NONE (PDS-109) */
    if (!receive_psn(fep, pdc, p))
        return;
    uet_ack_decide(fep, pdc, p, &about, uet_has_syn(p));
    uet_pdc_drain(fep, pdc);
}

void uet_cp_close_command(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p)
{
    if (pdc->initiator) {
        COUNT(fep, drop_cp_role);
        return;
    }
    if (!receive_psn(fep, pdc, p))
        return;
    note_close(pdc, p);
    (void)uet_pdc_event(fep, pdc, PDC_EV_CLOSE_COMMAND);
    uet_pdc_drain(fep, pdc);
}

void uet_cp_close_request(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p)
{
    struct ack_about about = uet_ack_about(p);
    if (!pdc->initiator) {
        COUNT(fep, drop_cp_role);
        return;
    }
    if (!receive_psn(fep, pdc, p))
        return;
    uet_ack_decide(fep, pdc, p, &about, false);
    uet_pdc_close(fep, pdc);
    uet_pdc_drain(fep, pdc);
}

/* ---- those that do not ---- */

/* 3.5.16.2: the ACK of a received PSN again, or NACK 0x12. */
void uet_cp_ack_request(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p)
{
    struct ack_about about = uet_ack_about(p);
    enum psn_place place = uet_sink_place(fep, pdc, about.psn);
    uint8_t response[UET_SES_RSP_BYTES];
    if (place == PSN_AHEAD || place == PSN_BEHIND) {
        COUNT(fep, drop_cp_outside);
        return;
    }
    if (place == PSN_NEW) {
        uet_nack_send(fep, p, UET_NACK_PKT_NOT_RCVD, pdc->id);
        return;
    }
    const struct stored *s = uet_sink_stored(fep, pdc, about.psn);
    if (s && s->part) { /* contested: its data might come again as well (PDS-192) */
        uet_nack_send(fep, p, UET_NACK_ACK_WITH_DATA, pdc->id);
        return;
    }
    uet_ses_default_response(response, p);
    about.response = s ? s->response : response;
    uet_ack_send(fep, pdc, &about);
    if (s)
        uet_ses_asked(fep, pdc->id);
}

void uet_cp_clear_command(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p)
{
    if (pdc->initiator) {
        COUNT(fep, drop_cp_role);
        return;
    }
    uet_sink_clear(fep, pdc, uet_cp_payload_clear_command_clear_psn(uet_cp_payload_of(p)));
}

void uet_cp_clear_request(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p)
{
    (void)p;
    if (!pdc->initiator) {
        COUNT(fep, drop_cp_role);
        return;
    }
    pdc->tx.clear_wanted = true;
    pdc->timers[TIMER_CLEAR] = UET_FEP_NEVER; /* at once */
    uet_pdc_ready(fep, pdc);
}

/* 3.5.16.5: answered at once; the payload names the SACK base wanted. */
void uet_cp_probe(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p)
{
    struct ack_about about = uet_ack_about(p);
    about.probe = true;
    about.probe_opaque = uet_cp_probe_opaque(uet_pds(p));
    about.has_sack_base = true;
    about.sack_base = uet_cp_payload_probe_sack_base_psn(uet_cp_payload_of(p));
    uet_ack_send(fep, pdc, &about);
}

void uet_cp_credit(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p)
{
    if (uet_credit_take(fep, pdc, uet_cp_payload_credit_credit(uet_cp_payload_of(p))))
        uet_flight_wake(fep, pdc);
    else
        COUNT(fep, drop_cp_credit);
}

void uet_cp_credit_request(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p)
{
    const uint8_t *asks = uet_cp_payload_of(p);
    if (fep->params.RCCC)
        uet_credit_wanted(fep, pdc, uet_cp_payload_credit_request_ccc_id(asks),
                          uet_cp_payload_credit_request_credit_target(asks), true);
    else
        COUNT(fep, drop_cp_credit);
}

void uet_cp_unknown(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p)
{
    uet_nack_send(fep, p, UET_NACK_UNEXP_EVENT, pdc->id);
}

void uet_cp_nothing(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p)
{
    (void)fep, (void)pdc, (void)p;
}

/* ---- the rule ---- */

void uet_cp_law(uet_cp_act *acts[UET_CTL_TYPES])
{
    static uet_cp_act *const known[UET_CTL_TYPES] = {
        [UET_CTL_NOOP] = uet_cp_noop,
        [UET_CTL_NEGOTIATION] = uet_cp_noop, /* what it asks for has no effect here */
        [UET_CTL_ACK_REQUEST] = uet_cp_ack_request,
        [UET_CTL_CLEAR_COMMAND] = uet_cp_clear_command,
        [UET_CTL_CLEAR_REQUEST] = uet_cp_clear_request,
        [UET_CTL_CLOSE_COMMAND] = uet_cp_close_command,
        [UET_CTL_CLOSE_REQUEST] = uet_cp_close_request,
        [UET_CTL_PROBE] = uet_cp_probe,
        [UET_CTL_CREDIT] = uet_cp_credit,
        [UET_CTL_CREDIT_REQUEST] = uet_cp_credit_request,
    };
    for (size_t i = 0; i < UET_CTL_TYPES; i++)
        acts[i] = known[i] ? known[i] : uet_cp_unknown;
}

/* ---- a Control Packet comes ---- */

static struct pdc *find(struct uet_fep *fep, const struct uet_packet *p)
{
    uint8_t ctl = uet_cp_ctl_type(uet_pds(p));
    if (!uet_has_syn(p))
        return uet_target_lookup(fep, p);
    if (ctl != UET_CTL_NOOP && ctl != UET_CTL_NEGOTIATION) {
        COUNT(fep, drop_syn_cp);
        return NULL;
    }
    return uet_target_lookup_syn(fep, p);
}

void uet_cp_receive(struct uet_fep *fep, const struct uet_packet *p)
{
    struct pdc *pdc = find(fep, p);
    if (!pdc)
        return;
    COUNT(fep, rx_cp);
    pdc->idle_since = fep->now;
    fep->law.pds.cps[uet_cp_ctl_type(uet_pds(p))](fep, pdc, p);
    if (pdc->state != PDC_CLOSED)
        uet_pdc_schedule(fep, pdc);
}

/* On the control class, with no PSN of its own (PDS-195). */
static void send_credit(struct uet_fep *fep, const struct uet_grant *grant)
{
    struct uet_build b;
    const struct pdc *pdc = pdc_at(fep, grant->pdc);
    if (!uet_reply_start_on(fep, &b, pdc, uet_pdc_entropy(fep, pdc), NULL))
        return;
    uint8_t *h = uet_build_pds(&b, UET_H_CP);
    uet_cp_type_set(h, UET_PDS_CP);
    uet_cp_ctl_type_set(h, UET_CTL_CREDIT);
    uet_cp_spdcid_set(h, pdc->id);
    uet_cp_dpdcid_set(h, pdc->peer_id);
    uet_cp_payload_value_set(h, grant->credit << 8);
    uet_reply_finish(fep, &b, 0);
    COUNT(fep, tx_credit);
}

void uet_cp_grant(struct uet_fep *fep)
{
    struct uet_grant grant;
    while (!uet_reply_scarce(fep) && uet_grants_next(fep, &grant))
        send_credit(fep, &grant);
}

static void send_clear_request(struct uet_fep *fep, struct pdc *pdc, uint32_t psn)
{
    struct uet_build b;
    if (!uet_reply_start_on(fep, &b, pdc, uet_pdc_entropy(fep, pdc), NULL))
        return;
    uint8_t *h = uet_build_pds(&b, UET_H_CP);
    uet_cp_type_set(h, UET_PDS_CP);
    uet_cp_ctl_type_set(h, UET_CTL_CLEAR_REQUEST);
    uet_cp_spdcid_set(h, pdc->id);
    uet_cp_dpdcid_set(h, pdc->peer_id);
    uet_cp_payload_value_set(h, psn);
    uet_reply_finish(fep, &b, 0);
    COUNT(fep, tx_clear_request);
}

void uet_cp_ask_for_clears(struct uet_fep *fep, struct pdc *pdc)
{
    if (pdc->rx.n_stored)
        send_clear_request(fep, pdc, pdc->rx.cack_psn + 1);
    fep->clear_hand = fep->clear_hand % fep->stored.n + 1;
    const struct stored *s = pool_item(&fep->stored, fep->clear_hand);
    if (!s->pdc || s->pdc == pdc->id || s->promised)
        return;
    struct pdc *holder = pdc_at(fep, s->pdc);
    send_clear_request(fep, holder, holder->rx.cack_psn + 1);
    uet_target_ask_holder(fep, holder); /* does its initiator still know it? */
}
