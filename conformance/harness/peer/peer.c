/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The tester's own PDCs: what was sent and acknowledged, what came, and the answers that a peer
 * gives by itself. Written from the facts, apart from the reference FEP: two sides of one mistake
 * would hide it.
 */
#include <string.h>

#include "conformance/harness/context/tc_internal.h"

#define WINDOW     32768 /* PSNs that the bit maps can tell apart */
#define OPEN_AGAIN 2     /* a network may lose a preamble's packet; a test's own it may not */

/*
 * A real FEP remembers the run before this one, and a PDCID that is used again must start 2^16 PSNs
 * away (PDS-027): there, numbers differ from run to run. In virtual time they repeat.
 */
static uint32_t incarnation(const struct uet_tc *tc)
{
    return uet_tc_virtual_time(tc) ? 0 : tc->session->incarnation;
}

/* A PDCID that no test of this run had before; all used: any that this test has not. */
static uint16_t fresh_pdcid(struct uet_tc *tc)
{
    uint8_t *used = tc->session->used_pdcids;

    for (int tries = 0; tries < 65536; tries++) {
        uint16_t id = (uint16_t)(uet_tc_random(tc) + incarnation(tc));

        if (id != 0 && !uet_psn_bit(used, id)) {
            uet_psn_bit_set(used, id, true);
            return id;
        }
    }
    memset(used, 0, sizeof(tc->session->used_pdcids));
    return (uint16_t)(1 + uet_tc_random(tc) % 65535);
}

static void start_at(struct uet_pdc *pdc, uint32_t start_psn)
{
    pdc->start_psn = pdc->next_psn = start_psn;
    pdc->fep_cack = pdc->clear_psn = pdc->clear_told = start_psn - 1;
    pdc->cack = pdc->cack_told = start_psn - 1;
}

struct uet_pdc *uet_peer_pdc_new(struct uet_tc *tc, struct uet_ip self)
{
    struct uet_pdc *pdc = uet_tc_alloc(tc, sizeof(*pdc));

    pdc->tc = tc;
    pdc->initiator = true;
    pdc->self = self;
    pdc->pdcid = pdc->first_pdcid = fresh_pdcid(tc);
    pdc->entropy = (uint16_t)(49152 + uet_tc_random(tc) % 16384);
    pdc->mpr = 8;
    pdc->ack_cc = tc->session->dut->ack_cc;
    pdc->auto_ack = tc->auto_ack;
    pdc->auto_clear = pdc->auto_close = true;
    start_at(pdc, (uint32_t)uet_tc_random(tc) + incarnation(tc));
    pdc->next = tc->pdcs;
    tc->pdcs = pdc;
    return pdc;
}

struct uet_pdc *uet_pdc_new(struct uet_tc *tc)
{
    return uet_peer_pdc_new(tc, tc->session->dut->tester[0]);
}

struct uet_pdc *uet_pdc_new_from(struct uet_tc *tc, struct uet_ip self)
{
    return uet_peer_pdc_new(tc, self);
}

struct uet_pdc *uet_pdc_new_at(struct uet_tc *tc, uint32_t start_psn)
{
    struct uet_pdc *pdc = uet_pdc_new(tc);

    start_at(pdc, start_psn);
    return pdc;
}

struct uet_pdc *uet_pdc_open(struct uet_tc *tc)
{
    uet_preamble_begin(tc);
    struct uet_pdc *pdc = uet_pdc_new(tc);
    struct uet_out syn = uet_any_request(pdc);
    const struct uet_want ack = {
        .kind = UET_WANT_ACK, .pdc = pdc, .with_psn = true, .covering = true, .psn = syn.psn};
    uet_send(tc, &syn);
    syn.meant = "the opening packet again: no answer came";
    for (int i = 0; i < OPEN_AGAIN && !uet_maybe(tc, &ack, 0); i++)
        uet_resend(tc, &syn);
    uet_expect_covered(tc, pdc, syn.psn);
    uet_preamble_end(tc);
    return pdc;
}

/*
 * A SYN belongs to the PDC that it opened: same spdcid, and not so far from its PSNs that a new
 * incarnation of the PDCID has begun (Start_PSN moves by 2^16 at least, PDS-027). That is said of
 * the last life alone: an earlier one may by chance have ended where a new one starts.
 */
static struct uet_pdc *opened_by_syn(struct uet_tc *tc, const struct uet_packet *p,
                                     const struct uet_ip *to)
{
    for (struct uet_pdc *pdc = tc->pdcs; pdc; pdc = pdc->next) { /* the newest is first */
        if (pdc->initiator || pdc->fep_pdcid != uet_spdcid(p) || !uet_ip_equal(to, &pdc->self))
            continue;
        int32_t away = uet_psn_diff(uet_packet_psn(p), pdc->cack);
        return !pdc->closed || (away > -65536 && away < 65536) ? pdc : NULL;
    }
    return NULL;
}

/* The PDC that a packet of the FEP names by address and dpdcid; a SYN by spdcid. */
struct uet_pdc *uet_peer_find(struct uet_tc *tc, const struct uet_packet *p)
{
    if (!p->pds || p->pds == UET_H_PDS_PROLOGUE || p->error == UET_PARSE_PDS_SHORT)
        return NULL;
    struct uet_ip to = uet_dst_ip(p);

    if (uet_has_syn(p))
        return opened_by_syn(tc, p, &to);
    for (struct uet_pdc *pdc = tc->pdcs; pdc; pdc = pdc->next)
        if (uet_ip_equal(&to, &pdc->self) && pdc->pdcid == uet_dpdcid(p))
            return pdc;
    return NULL;
}

bool uet_peer_had(const struct uet_tc *tc, uint16_t pdcid)
{
    for (const struct uet_pdc *pdc = tc->pdcs; pdc; pdc = pdc->next)
        if (pdc->pdcid == pdcid || pdc->first_pdcid == pdcid)
            return true;
    return false;
}

bool uet_guaranteed(const struct uet_tc *tc, const struct uet_pdc *pdc, uint32_t psn)
{
    for (const struct uet_in *in = tc->in_first; in; in = in->next) {
        const struct uet_packet *p = &in->packet;

        if (in->pdc == pdc && uet_is_ack(p) && !uet_ack_p(uet_pds(p)) && uet_packet_psn(p) == psn &&
            uet_ack_req(uet_pds(p)) == UET_ACK_REQ_CLEAR && uet_is_ses_response(p) &&
            uet_ses_rsp_opcode(uet_ses(p)) == UET_RSP_RESPONSE)
            return true;
    }
    return false;
}

/* ---- what we sent ---- */

/* CLEAR_PSN as the packet tells it, in a Request or a Clear Command (3.5.11.4.4). */
static void note_clear(struct uet_pdc *pdc, const struct uet_out *out)
{
    uint8_t type = out->pds_len < UET_RUD_ROD_REQ_BYTES ? 0 : uet_pds_prologue_type(out->pds);
    uint32_t clear;

    if (type == UET_PDS_RUD_REQ || type == UET_PDS_ROD_REQ)
        clear = uet_psn_add(out->psn, uet_rud_rod_req_clear_psn_offset(out->pds));
    else if (type == UET_PDS_CP && uet_cp_ctl_type(out->pds) == UET_CTL_CLEAR_COMMAND)
        clear = uet_cp_payload_value(out->pds);
    else
        return;
    if (uet_psn_diff(clear, pdc->clear_told) > 0)
        pdc->clear_told = clear;
}

static void note_cack(struct uet_pdc *pdc, const struct uet_out *out)
{
    uint8_t type = out->pds_len < UET_ACK_BYTES ? 0 : uet_pds_prologue_type(out->pds);

    if ((type == UET_PDS_ACK || type == UET_PDS_ACK_CC) && !out->trim_to &&
        uet_psn_diff(uet_ack_cack_psn(out->pds), pdc->cack_told) > 0)
        pdc->cack_told = uet_ack_cack_psn(out->pds);
}

void uet_peer_sent(struct uet_tc *tc, const struct uet_out *out)
{
    struct uet_pdc *pdc = out->pdc;

    if (!pdc)
        return;
    struct uet_sent *sent = uet_tc_alloc(tc, sizeof(*sent));
    sent->out = *out;
    sent->next = pdc->sent;
    pdc->sent = sent;
    note_clear(pdc, out);
    note_cack(pdc, out);
}

static bool acknowledged(const struct uet_pdc *pdc, uint32_t psn)
{
    return uet_psn_diff(psn, pdc->fep_cack) <= 0 || uet_psn_bit(pdc->acked, psn);
}

static bool all_acknowledged(const struct uet_pdc *pdc)
{
    for (uint32_t psn = pdc->fep_cack + 1; uet_psn_diff(psn, pdc->next_psn) < 0; psn++)
        if (!acknowledged(pdc, psn))
            return false;
    return true;
}

/* CLEAR_PSN covers what is acknowledged, by CACK or by an ACK of its own (Figure 3-78). */
static void advance_clear(struct uet_pdc *pdc)
{
    if (!pdc->auto_clear)
        return;
    while (uet_psn_diff(pdc->clear_psn + 1, pdc->next_psn) < 0 &&
           acknowledged(pdc, pdc->clear_psn + 1))
        pdc->clear_psn++;
}

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
    if (uet_psn_diff(cack, pdc->next_psn) < 0 && uet_psn_diff(cack, pdc->fep_cack) > 0)
        pdc->fep_cack = cack;
    if (!uet_ack_p(h) && !tells_arrival_only(p) && uet_psn_diff(ack, pdc->next_psn) < 0 &&
        uet_psn_diff(ack, pdc->fep_cack) > -WINDOW)
        uet_psn_bit_set(pdc->acked, ack, true);
    advance_clear(pdc);
    if (pdc->closing && pdc->initiator && acknowledged(pdc, pdc->close_psn))
        pdc->closed = true;
    if (pdc->auto_clear && uet_ack_req(h) == UET_ACK_REQ_CLEAR && !pdc->closing &&
        all_acknowledged(pdc))
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

static void take_nack(struct uet_pdc *pdc, const struct uet_in *in)
{
    const uint8_t *h = uet_pds(&in->packet);
    uint32_t psn = uet_nack_nack_psn(h);

    if (pdc->fep_pdcid == 0)
        pdc->fep_pdcid = uet_nack_spdcid(h);
    if (pdc->closing && psn == pdc->close_psn)
        take_close_nack(pdc, in);
    else if (uet_nack_table[uet_nack_nack_code(h)].nack_class == UET_CLASS_PDC_FATAL &&
             uet_psn_diff(psn, pdc->fep_cack) > 0 && uet_psn_diff(psn, pdc->next_psn) < 0 &&
             uet_nack_spdcid(h) == pdc->fep_pdcid)
        pdc->closed = true;
}

/* ---- what the FEP sent ---- */

static bool heard(const struct uet_pdc *pdc, uint32_t psn)
{
    return uet_psn_diff(psn, pdc->cack) <= 0 || uet_psn_bit(pdc->heard, psn);
}

static void hear(struct uet_pdc *pdc, uint32_t psn)
{
    if (uet_psn_diff(psn, pdc->cack) > WINDOW)
        return;
    uet_psn_bit_set(pdc->heard, psn, true);
    while (uet_psn_bit(pdc->heard, pdc->cack + 1)) {
        pdc->cack++;
        uet_psn_bit_set(pdc->heard, pdc->cack - WINDOW, false); /* the bit's next incarnation */
    }
}

static void answer_cp(struct uet_tc *tc, struct uet_pdc *pdc, const struct uet_in *in)
{
    const uint8_t *h = uet_pds(&in->packet);
    struct uet_out o;

    switch (uet_cp_ctl_type(h)) {
    case UET_CTL_ACK_REQUEST:
        o = heard(pdc, uet_cp_psn(h)) ? uet_ack(pdc, in)
                                      : uet_nack(pdc, uet_cp_psn(h), UET_NACK_PKT_NOT_RCVD);
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

static bool cp_takes_psn(const uint8_t *h)
{
    switch (uet_cp_ctl_type(h)) {
    case UET_CTL_NOOP:
    case UET_CTL_CLOSE_COMMAND:
    case UET_CTL_CLOSE_REQUEST:
    case UET_CTL_NEGOTIATION:
        return true;
    default:
        return false;
    }
}

static void take_request_or_cp(struct uet_tc *tc, struct uet_pdc *pdc, struct uet_in *in)
{
    const struct uet_packet *p = &in->packet;
    const uint8_t *h = uet_pds(p);
    uint32_t psn = uet_packet_psn(p);

    if (uet_is_request(p) || cp_takes_psn(h)) {
        in->retransmission = heard(pdc, psn);
        hear(pdc, psn);
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
    struct uet_out ack = uet_ack(pdc, in);
    ack.meant = "ACK, by itself";
    uet_send(tc, &ack);
}

/* A SYN of the FEP for which there is no PDC yet. */
static struct uet_pdc *accept_syn(struct uet_tc *tc, const struct uet_packet *p)
{
    struct uet_pdc *pdc = uet_peer_pdc_new(tc, uet_dst_ip(p));

    pdc->initiator = false;
    pdc->auto_ack = tc->auto_ack;
    pdc->fep_pdcid = uet_spdcid(p);
    pdc->rod = uet_is_cp(p) ? uet_cp_isrod(uet_pds(p)) /* NOOP and Negotiation may open (3.5.16) */
                            : uet_rud_rod_req_type(uet_pds(p)) == UET_PDS_ROD_REQ;
    start_at(pdc, uet_start_psn(p));
    return pdc;
}

void uet_peer_take(struct uet_tc *tc, struct uet_in *in)
{
    const struct uet_packet *p = &in->packet;

    if (p->error != UET_PARSE_OK)
        return;
    if (!in->pdc && tc->accepting && (p->pds == UET_H_RUD_ROD_REQ_SYN || p->pds == UET_H_CP_SYN))
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
    tc->by_itself = false;
}

/* ---- the postamble ---- */

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
        if (acknowledged(pdc, psn))
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

/* What the test left without an ACK: it would hold the close up (3.5.8.3), for an RTO or longer. */
static void acknowledge_heard(struct uet_tc *tc, struct uet_pdc *pdc)
{
    const struct uet_in *last = NULL;

    for (const struct uet_in *in = tc->in_first; in; in = in->next)
        if (in->pdc == pdc && uet_is_request(&in->packet))
            last = in;
    if (!last || uet_psn_diff(pdc->cack, pdc->cack_told) <= 0)
        return;
    struct uet_out ack = uet_ack(pdc, last);
    ack.meant = "postamble: ACK of what came";
    uet_send(tc, &ack);
}

static bool close_own(struct uet_tc *tc, struct uet_pdc *pdc)
{
    pdc->auto_clear = pdc->auto_ack = true;
    acknowledge_heard(tc, pdc);
    if (pdc->fep_pdcid == 0)
        return true; /* it never came to be: nothing to close (PDS-213) */
    for (int i = 0; i < CLOSE_TRIES && !all_acknowledged(pdc) && !pdc->closed; i++) {
        fill(tc, pdc);
        wait_for(tc, pdc, all_acknowledged, close_wait(tc, i));
    }
    if (pdc->closed)
        return true;
    advance_clear(pdc);
    bool settled = all_acknowledged(pdc);
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
    if (pdc->refused && settled)
        uet_tc_rule_broken(tc, pdc->refused, "PDS-203",
                           "the Close Command of a PDC on which all is acknowledged is refused");
    return pdc->closed;
}

/* A PDC that the FEP opened: it must be asked (3.5.16.4). */
static bool close_theirs(struct uet_tc *tc, struct uet_pdc *pdc)
{
    pdc->auto_ack = true;
    acknowledge_heard(tc, pdc);
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

void uet_peer_postamble(struct uet_tc *tc)
{
    tc->accepting = false; /* what the FEP opens now belongs to nobody */
    for (struct uet_pdc *pdc = tc->pdcs; pdc; pdc = pdc->next) {
        if (pdc->closed || !pdc->auto_close)
            continue;
        bool closed = pdc->initiator ? close_own(tc, pdc) : close_theirs(tc, pdc);
        tc->current = NULL;
        if (!closed) /* only its initiator may close it (PDS-200): the FEP, when it was asked */
            uet_note(tc, pdc->initiator ? "PDS-203" : "PDS-208",
                     "postamble: a PDC of this test did not close%s",
                     pdc->initiator ? "" : ", though asked to");
    }
}
