/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The tester's own PDCs: what was sent and acknowledged, and what came. Written from the facts,
 * apart from the reference FEP: two sides of one mistake would hide it.
 */
#include <string.h>

#include "conformance/harness/peer/sealing.h"

/*
 * A real FEP remembers the run before this one, and a PDCID that is used again must start 2^16 PSNs
 * away (PDS-027): there, numbers differ from run to run. In virtual time they repeat.
 */
static uint32_t incarnation(const struct uet_tc *tc)
{
    return uet_tc_virtual_time(tc) ? 0 : tc->session->incarnation;
}

/* One that is not used, at random; 0: hardly any is left. */
static uint16_t unused_pdcid(struct uet_tc *tc)
{
    uint8_t *used = tc->session->used_pdcids;

    for (int tries = 0; tries < 65536; tries++) {
        uint16_t id = (uint16_t)(uet_tc_random(tc) + incarnation(tc));

        if (id != 0 && !uet_psn_bit(used, id)) {
            uet_psn_bit_set(used, id, true);
            return id;
        }
    }
    return 0;
}

/* A PDCID that no test of this run had before; where all were used: that this test has not. */
static uint16_t fresh_pdcid(struct uet_tc *tc)
{
    uint8_t *used = tc->session->used_pdcids;
    uint16_t id = unused_pdcid(tc);

    if (id)
        return id;
    memset(used, 0, sizeof(tc->session->used_pdcids));
    for (const struct uet_pdc *pdc = tc->pdcs; pdc; pdc = pdc->next) {
        uet_psn_bit_set(used, pdc->pdcid, true);
        uet_psn_bit_set(used, pdc->first_pdcid, true);
    }
    id = unused_pdcid(tc);
    if (!id)
        uet_error(tc, "the tester has no PDCID left");
    return id;
}

void uet_pdc_start_at(struct uet_pdc *pdc, uint32_t start_psn)
{
    pdc->start_psn = pdc->next_psn = pdc->in_step = start_psn;
    pdc->fep_cack = pdc->clear_psn = pdc->clear_told = start_psn - 1;
    pdc->cack = pdc->cack_told = start_psn - 1;
}

struct uet_pdc *uet_peer_pdc_new(struct uet_tc *tc, struct uet_ip self)
{
    struct uet_pdc *pdc = uet_tc_alloc(tc, sizeof(*pdc));

    pdc->tc = tc;
    pdc->initiator = true;
    pdc->self = self;
    pdc->domain = tc->domain;
    pdc->pdcid = pdc->first_pdcid = fresh_pdcid(tc);
    pdc->entropy = (uint16_t)(49152 + uet_tc_random(tc) % 16384);
    pdc->mpr = 8;
    pdc->ack_cc = tc->session->dut->ack_cc != (tc->test->point.place[UET_OVER_ACKS] != 0);
    pdc->auto_ack = tc->auto_ack;
    pdc->auto_clear = pdc->auto_close = true;
    uet_pdc_start_at(pdc, (uint32_t)uet_tc_random(tc) + incarnation(tc));
    pdc->next = tc->pdcs;
    tc->pdcs = pdc;
    return pdc;
}

/* The first PDC that the test opens: its company comes before it. */
static struct uet_pdc *in_company(struct uet_tc *tc, struct uet_pdc *pdc)
{
    void (*come)(struct uet_tc *, const struct uet_pdc *) = tc->company;

    tc->company = NULL;
    if (come)
        come(tc, pdc);
    return pdc;
}

/* Where its PSNs begin: as wanted, NULL: anywhere. In a secure domain the FEP has a say. */
static void begin_at(struct uet_tc *tc, struct uet_pdc *pdc, const uint32_t *wanted)
{
    if (wanted)
        uet_pdc_start_at(pdc, *wanted);
    if (pdc->domain && tc->secure_start && !tc->arranging)
        tc->secure_start(tc, pdc, wanted);
}

struct uet_pdc *uet_pdc_new_from(struct uet_tc *tc, struct uet_ip self)
{
    struct uet_pdc *pdc = uet_peer_pdc_new(tc, self);
    const struct uet_place *start = uet_tc_place(tc, UET_OVER_PSN);

    begin_at(tc, pdc, start ? &start->value : NULL);
    pdc->rod = tc->test->point.place[UET_OVER_MODE];
    tc->opens_pdc = true;
    return in_company(tc, pdc);
}

struct uet_pdc *uet_pdc_new(struct uet_tc *tc)
{
    return uet_pdc_new_from(tc, tc->session->dut->tester[0]);
}

struct uet_pdc *uet_pdc_new_at(struct uet_tc *tc, uint32_t start_psn)
{
    struct uet_pdc *pdc = uet_peer_pdc_new(tc, tc->session->dut->tester[0]);

    begin_at(tc, pdc, &start_psn);
    return in_company(tc, pdc);
}

void uet_accept_pdcs(struct uet_tc *tc)
{
    tc->accepting = true;
}

void uet_auto_ack(struct uet_tc *tc, bool on)
{
    tc->auto_ack = on;
    for (struct uet_pdc *pdc = tc->pdcs; pdc; pdc = pdc->next)
        pdc->auto_ack = on;
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

/* ---- what we sent ---- */

/* CLEAR_PSN as the packet tells it, in a Request or a Clear Command (3.5.11.4.4). */
static void note_clear(struct uet_pdc *pdc, const struct uet_out *out)
{
    uint8_t type = out->pds_len < UET_RUD_ROD_REQ_BYTES ? 0 : uet_pds_prologue_type(out->pds);
    uint32_t clear;

    if (uet_pds_type_is_request(type))
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

/* No PDC of its domain begins below what was used there (uet_secure_start). */
static void note_used(struct uet_pdc *pdc, const struct uet_out *out)
{
    struct uet_domain *d = pdc->domain;

    if (d && pdc->initiator && uet_psn_diff(pdc->next_psn, d->floor) > 0 && out->psn)
        d->floor = pdc->next_psn;
}

/* Data in an ACK is kept for a READ that comes again, whatever the test does with its own bytes. */
static void keep_data(struct uet_tc *tc, struct uet_out *o)
{
    if (!o->payload_len || !(uet_out_is(o, UET_PDS_ACK) || uet_out_is(o, UET_PDS_ACK_CC)))
        return;
    uint8_t *kept = uet_tc_alloc(tc, o->payload_len);
    memcpy(kept, o->payload, o->payload_len);
    o->payload = kept;
}

void uet_peer_sent(struct uet_tc *tc, const struct uet_out *out)
{
    struct uet_pdc *pdc = out->pdc;

    if (!pdc)
        return;
    struct uet_sent *sent = uet_tc_alloc(tc, sizeof(*sent));
    sent->out = *out;
    keep_data(tc, &sent->out);
    sent->next = pdc->sent;
    pdc->sent = sent;
    note_used(pdc, out);
    note_clear(pdc, out);
    note_cack(pdc, out);
    uet_peer_told_rcvd(pdc, out);
}

bool uet_pdc_acknowledged(const struct uet_pdc *pdc, uint32_t psn)
{
    return uet_psn_diff(psn, pdc->fep_cack) <= 0 || uet_psn_bit(pdc->acked, psn);
}

bool uet_pdc_all_acknowledged(const struct uet_pdc *pdc)
{
    for (uint32_t psn = pdc->fep_cack + 1; uet_psn_diff(psn, pdc->next_psn) < 0; psn++)
        if (!uet_pdc_acknowledged(pdc, psn))
            return false;
    return true;
}

/* CLEAR_PSN covers what is uet_pdc_acknowledged, by CACK or by an ACK of its own (Figure 3-78). */
void uet_pdc_advance_clear(struct uet_pdc *pdc)
{
    if (!pdc->auto_clear)
        return;
    while (uet_psn_diff(pdc->clear_psn + 1, pdc->next_psn) < 0 &&
           uet_pdc_acknowledged(pdc, pdc->clear_psn + 1))
        pdc->clear_psn++;
}

/* ---- what the FEP sent ---- */

bool uet_pdc_heard(const struct uet_pdc *pdc, uint32_t psn)
{
    return uet_psn_diff(psn, pdc->cack) <= 0 || uet_psn_bit(pdc->heard, psn);
}

void uet_pdc_hear(struct uet_pdc *pdc, uint32_t psn)
{
    if (uet_psn_diff(psn, pdc->cack) > UET_PSN_WINDOW)
        return;
    uet_psn_bit_set(pdc->heard, psn, true);
    while (uet_psn_bit(pdc->heard, pdc->cack + 1)) {
        pdc->cack++;
        uet_psn_bit_set(pdc->heard, pdc->cack - UET_PSN_WINDOW,
                        false); /* the bit's next incarnation */
    }
}

bool uet_guaranteed(const struct uet_tc *tc, const struct uet_pdc *pdc, uint32_t psn)
{
    for (const struct uet_in *in = tc->in_first; in; in = in->next) {
        const struct uet_packet *p = &in->packet;

        bool response =
            (uet_is_ses_response(p) && uet_ses_rsp_opcode(uet_ses(p)) == UET_RSP_RESPONSE) ||
            uet_is_ses_response_data(p);

        if (in->pdc == pdc && uet_is_ack(p) && !uet_ack_p(uet_pds(p)) && uet_packet_psn(p) == psn &&
            uet_ack_req(uet_pds(p)) == UET_ACK_REQ_CLEAR && response)
            return true;
    }
    return false;
}

static bool sent_twice(const struct uet_pdc *pdc, uint32_t psn)
{
    unsigned n = 0;

    for (const struct uet_sent *s = pdc->sent; s; s = s->next)
        n += s->out.psn == psn;
    return n > 1;
}

/*
 * A receiver may infer a loss from a gap (PDS-229), and may tell that SES still works on the first
 * copy of a duplicate (PDS-131).
 */
bool uet_tc_free_nack(const struct uet_in *in)
{
    if (!in->pdc || in->packet.error != UET_PARSE_OK || !uet_is_nack(&in->packet))
        return false;
    uint8_t code = uet_nack_nack_code(uet_pds(&in->packet));
    uint32_t psn = uet_packet_psn(&in->packet);

    if (code == UET_NACK_RCVR_INFER_LOSS)
        return uet_psn_diff(psn, in->pdc->fep_cack) > 0;
    return code == UET_NACK_RCVD_SES_PROCG && sent_twice(in->pdc, psn);
}
