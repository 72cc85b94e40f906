/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tester takes from what came, and the answers that a peer gives by itself. */
#include "conformance/harness/peer/sealing.h"

static void send_clear(struct uet_tc *tc, struct uet_pdc *pdc)
{
    struct uet_out clear = uet_cp(pdc, UET_CTL_CLEAR_COMMAND);

    clear.meant = "Clear Command, by itself";
    uet_send(tc, &clear);
}

/* UET_NO_RESPONSE tells arrival; the response is still to come, so nothing may be cleared yet. */
static bool tells_arrival_only(const struct uet_packet *p)
{
    return uet_is_ses_response(p) && uet_ses_rsp_opcode(uet_ses(p)) == UET_RSP_NO_RESPONSE;
}

static void take_ack(struct uet_tc *tc, struct uet_pdc *pdc, const struct uet_packet *p)
{
    const uint8_t *h = uet_pds(p);
    uint32_t cack = uet_ack_cack_psn(h), ack = uet_packet_psn(p);

    if (pdc->fep_pdcid == 0)
        pdc->fep_pdcid = uet_spdcid(p);
    if (pdc->initiator)
        tc->session->served = tc->test->id;
    if (uet_psn_diff(cack, pdc->next_psn) < 0 && uet_psn_diff(cack, pdc->fep_cack) > 0)
        pdc->fep_cack = cack;
    if (!uet_ack_p(h) && !tells_arrival_only(p) && uet_psn_diff(ack, pdc->next_psn) < 0 &&
        uet_psn_diff(ack, pdc->fep_cack) > -UET_PSN_WINDOW)
        uet_psn_bit_set(pdc->acked, ack, true);
    uet_pdc_advance_clear(pdc);
    if (pdc->closing && pdc->initiator && uet_pdc_acknowledged(pdc, pdc->close_psn))
        pdc->closed = true;
    if (pdc->auto_clear && uet_ack_req(h) == UET_ACK_REQ_CLEAR && !pdc->closing &&
        uet_pdc_all_acknowledged(pdc))
        send_clear(tc, pdc);
}

/*
 * A NACK of our Close Command or Close Request: the FEP is done with the PDC (3.5.8.3), short of
 * something for now, or refuses, and the PDC stays.
 */
static void take_close_nack(struct uet_pdc *pdc, const struct uet_in *in)
{
    uint8_t code = uet_nack_nack_code(uet_pds(&in->packet));

    switch (code) {
    case UET_NACK_INV_DPDCID:
    case UET_NACK_PDC_HDR_MISMATCH: /* its PDCID has another PDC by now */
    case UET_NACK_CLOSING:
    case UET_NACK_CLOSING_IN_ERR:
        pdc->closed = true;
        break;
    default:
        if (uet_nack_table[code].nack_class != UET_CLASS_NORMAL)
            pdc->refused = in;
    }
}

/* Its PDC, or what the tester takes for one after such a NACK. */
static bool is_nack_of_pdc(const struct uet_pdc *pdc, const uint8_t *nack)
{
    return uet_nack_spdcid(nack) == pdc->fep_pdcid ||
           (pdc->in_error && uet_nack_nack_code(nack) == UET_NACK_INV_DPDCID);
}

static void take_nack(struct uet_pdc *pdc, const struct uet_in *in)
{
    const uint8_t *h = uet_pds(&in->packet);
    uint32_t psn = uet_nack_nack_psn(h);

    if (uet_psn_diff(psn, pdc->in_step) < 0) /* it has not arrived: what follows it has a gap */
        pdc->in_step = psn;
    if (pdc->was_told && !pdc->fep_pdcid)
        pdc->told_anew = uet_nack_nack_code(h) == UET_NACK_NEW_START_PSN;
    if (pdc->fep_pdcid == 0)
        pdc->fep_pdcid = uet_nack_spdcid(h);
    if (pdc->closing && psn == pdc->close_psn)
        take_close_nack(pdc, in);
    else if (uet_nack_table[uet_nack_nack_code(h)].nack_class == UET_CLASS_PDC_FATAL &&
             uet_psn_diff(psn, pdc->fep_cack) > 0 && uet_psn_diff(psn, pdc->next_psn) < 0 &&
             is_nack_of_pdc(pdc, h))
        pdc->closed = pdc->in_error = true;
}

/* The SES request with that PSN, or NULL. */
static const struct uet_in *asked_about(const struct uet_tc *tc, const struct uet_pdc *pdc,
                                        uint32_t psn)
{
    for (const struct uet_in *in = tc->in_first; in; in = in->next)
        if (in->pdc == pdc && uet_is_ses_request(&in->packet) && uet_packet_psn(&in->packet) == psn)
            return in;
    return NULL;
}

/* The ACK that has brought the data of the READ of that PSN, or NULL. */
static const struct uet_out *data_ack_of(const struct uet_pdc *pdc, uint32_t psn)
{
    for (const struct uet_sent *s = pdc->sent; s; s = s->next) {
        const struct uet_out *o = &s->out;
        bool ack = uet_out_is(o, UET_PDS_ACK) || uet_out_is(o, UET_PDS_ACK_CC);
        uint8_t next = ack ? uet_ack_next_hdr(o->pds) : UET_NH_NONE;

        if (o->psn == psn && (next == UET_NH_RESPONSE_DATA || next == UET_NH_RESPONSE_DATA_SMALL))
            return o;
    }
    return NULL;
}

/*
 * 3.5.16.2: a PSN that came gets its ACK again, a Request's with a response (PDS-190). For an ACK
 * with data the READ itself must come again (PDS-192).
 */
static struct uet_out answer_ack_request(struct uet_tc *tc, struct uet_pdc *pdc,
                                         const struct uet_in *cp)
{
    uint32_t psn = uet_cp_psn(uet_pds(&cp->packet));
    const struct uet_in *request = asked_about(tc, pdc, psn);

    if (!uet_pdc_heard(pdc, psn))
        return uet_nack(pdc, psn, UET_NACK_PKT_NOT_RCVD);
    if (data_ack_of(pdc, psn))
        return uet_nack(pdc, psn, UET_NACK_ACK_WITH_DATA);
    struct uet_out o = uet_ack(pdc, cp);
    if (request) {
        uet_ack_next_hdr_set(o.pds, UET_NH_RESPONSE);
        uet_out_respond(&o, request, UET_RSP_DEFAULT_RESPONSE, UET_LIST_EXPECTED, UET_RC_OK);
    }
    return o;
}

static void answer_cp(struct uet_tc *tc, struct uet_pdc *pdc, const struct uet_in *in)
{
    const uint8_t *h = uet_pds(&in->packet);
    struct uet_out o;

    switch (uet_cp_ctl_type(h)) {
    case UET_CTL_ACK_REQUEST:
        o = answer_ack_request(tc, pdc, in);
        break;
    case UET_CTL_CLEAR_REQUEST:
        send_clear(tc, pdc);
        return;
    case UET_CTL_CLEAR_COMMAND:
    case UET_CTL_CREDIT:
    case UET_CTL_CREDIT_REQUEST:
        return; /* want no answer (Table 3-66) */
    default:
        o = uet_ack(pdc, in);
    }
    uet_send(tc, &o);
}

/* A READ that comes again gets the data that its ACK had before (3.5.12.7). */
static struct uet_out answer_request(struct uet_pdc *pdc, const struct uet_in *in)
{
    const struct uet_out *data =
        in->retransmission ? data_ack_of(pdc, uet_packet_psn(&in->packet)) : NULL;

    if (!data)
        return uet_ack(pdc, in);
    struct uet_out o = *data;
    uet_ack_retx_set(o.pds, uet_rud_rod_req_retx(uet_pds(&in->packet)));
    o.trim_to = 0; /* nobody cuts it this time */
    return o;
}

static void take_request_or_cp(struct uet_tc *tc, struct uet_pdc *pdc, struct uet_in *in)
{
    const struct uet_packet *p = &in->packet;
    const uint8_t *h = uet_pds(p);
    uint32_t psn = uet_packet_psn(p);

    if (uet_consumes_psn(p)) {
        in->retransmission = uet_pdc_heard(pdc, psn);
        uet_pdc_hear(pdc, psn);
        in->before = *uet_tc_of_psn(tc, psn);
        *uet_tc_of_psn(tc, psn) = in;
        uet_peer_count(pdc, in);
        if (in->retransmission)
            uet_watch_resend(tc, in);
    }
    if (uet_is_cp(p) && uet_cp_ctl_type(h) == UET_CTL_CLOSE_COMMAND && !pdc->initiator &&
        pdc->auto_ack)
        pdc->closed = true;
    if (!pdc->auto_ack)
        return;
    if (uet_is_cp(p)) {
        answer_cp(tc, pdc, in);
        return;
    }
    struct uet_out ack = answer_request(pdc, in);
    ack.meant = "ACK, by itself";
    uet_send(tc, &ack);
}

/* A SYN of the FEP for which there is no PDC yet. */
static struct uet_pdc *accept_syn(struct uet_tc *tc, const struct uet_packet *p)
{
    struct uet_pdc *pdc = uet_peer_pdc_new(tc, uet_dst_ip(p));

    struct uet_security *security = tc->session->dut->security;

    pdc->initiator = false;
    pdc->domain = security && p->tss ? uet_security_find(security, p->sdi) : NULL;
    pdc->auto_ack = tc->auto_ack;
    pdc->fep_pdcid = uet_spdcid(p);
    pdc->rod = uet_is_cp(p) ? uet_cp_isrod(uet_pds(p)) /* NOOP and Negotiation may open (3.5.16) */
                            : uet_is_rod_request(p);
    uet_pdc_start_at(pdc, uet_start_psn(p));
    return pdc;
}

void uet_peer_take(struct uet_tc *tc, struct uet_in *in)
{
    const struct uet_packet *p = &in->packet;

    if (p->error != UET_PARSE_OK)
        return;
    if (!in->pdc && tc->accepting && uet_has_syn(p))
        in->pdc = accept_syn(tc, p);
    if (!in->pdc)
        return;
    tc->by_itself = true;
    if (uet_is_ack(p))
        take_ack(tc, in->pdc, p);
    else if (uet_is_nack(p))
        take_nack(in->pdc, in);
    else if (uet_is_request(p) || uet_is_cp(p))
        take_request_or_cp(tc, in->pdc, in);
    uet_peer_hear_credit(in->pdc, p);
    uet_peer_give_credit(tc, in->pdc);
    tc->by_itself = false;
}
