/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Told limits of the FEP (fep.yaml: max-open-messages, max-reads, max-pdcs). A test that would have
 * more open at once is skipped before it does; of PDCs, when the FEP has none left and says so.
 * Open is what the tester has begun and not seen answered, and read data that it has not
 * acknowledged: the FEP has at most that much.
 */
#include "conformance/harness/peer/peer.h"

/* A Request of the tester's that waits for its answer. */
struct uet_open {
    struct uet_open *next;
    const struct uet_pdc *pdc; /* NULL: RUDI */
    uint32_t psn;              /* or pkt_id */
    uint32_t message;          /* message_id; a number of its own for a short header */
    uint32_t offset;           /* in a READ's message */
    bool read, last;           /* last: with eom, nothing of the message is still to be sent */
    bool answered;
    bool over;         /* its message was not open any more, which does not change */
    bool returned;     /* by data in a Request of the return direction, */
    uint32_t data_psn; /* which the FEP keeps until it is acknowledged */
};

#define NO_MESSAGE_ID 0x10000u /* and the PSN's place behind it */

static bool is_rudi(const struct uet_out *o)
{
    return uet_pds_prologue_type(o->pds) == UET_PDS_RUDI_REQ;
}

/* Does the FEP get it whole, as a Request with SES that it has to keep? A NO_OP leaves nothing. */
static bool opens(const struct uet_out *o)
{
    uint8_t type = o->pds_len < 2 ? 0 : uet_pds_prologue_type(o->pds);
    bool request =
        (o->pdc && uet_pds_type_is_request(type)) || (!o->pdc && type == UET_PDS_RUDI_REQ);

    if (!request || o->trim_to || o->ses_len < UET_SES_REQ_SMALL_BYTES)
        return false;
    switch (uet_ses_req_opcode(o->ses)) {
    case UET_OP_WRITE:
    case UET_OP_SEND:
    case UET_OP_TAGGED_SEND:
    case UET_OP_DEFERRABLE_SEND:
    case UET_OP_DEFERRABLE_TSEND:
    case UET_OP_RENDEZVOUS_SEND:
    case UET_OP_RENDEZVOUS_TSEND:
    case UET_OP_READ:
    case UET_OP_ATOMIC:
    case UET_OP_FETCHING_ATOMIC:
    case UET_OP_TSEND_ATOMIC:
    case UET_OP_TSEND_FETCH_ATOMIC:
        return true;
    default:
        return false;
    }
}

static bool same_message(const struct uet_open *a, const struct uet_open *b)
{
    return a->pdc == b->pdc && a->message == b->message && a->read == b->read;
}

static bool waits(const struct uet_open *o)
{
    return !o->answered ||
           (o->returned && o->pdc && uet_psn_diff(o->data_psn, o->pdc->cack_told) > 0);
}

/* Is this the part by which its message is counted? The oldest. */
static bool is_oldest(const struct uet_open *part)
{
    for (const struct uet_open *o = part->next; o; o = o->next)
        if (!o->over && same_message(o, part))
            return false;
    return true;
}

/* Something of it waits for its answer, or is still to be sent. */
static bool is_open(const struct uet_tc *tc, const struct uet_open *part)
{
    bool ended = false;

    if (part->pdc && part->pdc->closed)
        return false;
    for (const struct uet_open *o = tc->open; o; o = o->next) {
        if (!same_message(o, part))
            continue;
        if (waits(o))
            return true;
        ended |= o->last;
    }
    return !ended;
}

static uint64_t count(struct uet_tc *tc, bool reads)
{
    uint64_t n = 0;

    for (struct uet_open *o = tc->open; o; o = o->next) {
        o->over = o->over || !is_open(tc, o);
        n += !o->over && (!reads || o->read) && is_oldest(o);
    }
    return n;
}

static void keep_to(struct uet_tc *tc, const char *parameter, bool reads, const char *what)
{
    uint64_t most, n;

    if (uet_dut_param(tc->session->dut, parameter, &most) && (n = count(tc, reads)) > most)
        uet_skip_for(tc, UET_SKIP_PARAMETER, "needs %llu %s at once: fep.yaml tells %s: %llu",
                     (unsigned long long)n, what, parameter, (unsigned long long)most);
}

void uet_beyond_told(struct uet_tc *tc)
{
    tc->beyond_told = true;
}

void uet_limits_send(struct uet_tc *tc, const struct uet_out *o)
{
    uint64_t most;

    if (!tc->in_body || tc->by_itself || tc->beyond_told || !opens(o) ||
        (!uet_dut_param(tc->session->dut, "max-open-messages", &most) &&
         !uet_dut_param(tc->session->dut, "max-reads", &most)))
        return;
    for (const struct uet_open *old = tc->open; old; old = old->next)
        if (old->pdc == o->pdc && old->psn == o->psn)
            return; /* a copy */
    struct uet_open *open = uet_tc_alloc(tc, sizeof(*open));
    bool standard = is_rudi(o) || o->ses_len >= UET_SES_REQ_STD_SOM1_BYTES;
    *open = (struct uet_open){
        .next = tc->open,
        .pdc = o->pdc,
        .psn = o->psn,
        .message = standard ? uet_ses_req_std_message_id(o->ses) : NO_MESSAGE_ID | o->psn,
        .read = uet_ses_req_opcode(o->ses) == UET_OP_READ,
        .last = uet_ses_req_eom(o->ses),
    };
    if (standard && !uet_ses_req_som(o->ses))
        open->offset = uet_ses_req_std_message_offset(o->ses);
    tc->open = open;
    keep_to(tc, "max-open-messages", false, "open messages");
    keep_to(tc, "max-reads", true, "open READs");
}

/* Data, or a response that says why there is none; an ACK alone tells arrival. */
static bool answers_read(const struct uet_open *o, const struct uet_packet *p)
{
    if (p->ses == UET_H_SES_RSP_DATA_SMALL)
        return uet_ses_rsp_data_small_original_request_psn(uet_ses(p)) == o->psn;
    if (uet_is_ses_response_data(p))
        return uet_ses_data_request(p) == o->message && uet_ses_data_offset(p) == o->offset;
    return uet_is_ack(p) && uet_packet_psn(p) == o->psn && uet_is_ses_response(p) &&
           uet_ses_rsp_opcode(uet_ses(p)) == UET_RSP_RESPONSE;
}

static bool answers(const struct uet_open *o, const struct uet_in *in)
{
    const struct uet_packet *p = &in->packet;

    if (!o->pdc)
        return uet_is_rudi(p) && !uet_is_ses_request(p) && uet_pkt_id(p) == o->psn;
    if (in->pdc != o->pdc)
        return false;
    if (uet_is_nack(p))
        return uet_packet_psn(p) == o->psn;
    if (o->read)
        return answers_read(o, p);
    return uet_is_ack(p) && !uet_ack_p(uet_pds(p)) &&
           (uet_packet_psn(p) == o->psn || uet_psn_diff(o->psn, uet_ack_cack_psn(uet_pds(p))) <= 0);
}

static bool stands(const struct uet_pdc *pdc)
{
    return pdc->fep_pdcid && !pdc->closed;
}

/* Strangers of a test name a PDC that another one has. */
static bool named_before(const struct uet_tc *tc, const struct uet_pdc *pdc)
{
    for (const struct uet_pdc *p = tc->pdcs; p != pdc; p = p->next)
        if (stands(p) && p->fep_pdcid == pdc->fep_pdcid)
            return true;
    return false;
}

/* Those that the FEP has opened are counted, too: it may have one pool for both. */
static bool pdcs_used_up(const struct uet_tc *tc)
{
    uint64_t most, n = 0;

    if (!uet_dut_param(tc->session->dut, "max-pdcs", &most))
        return false;
    for (const struct uet_pdc *pdc = tc->pdcs; pdc && n < most; pdc = pdc->next)
        n += stands(pdc) && !named_before(tc, pdc);
    return n >= most;
}

bool uet_limits_no_pdc(const struct uet_tc *tc)
{
    for (const struct uet_pdc *pdc = tc->pdcs; pdc; pdc = pdc->next)
        if (!pdc->initiator && stands(pdc) && !pdc->closing)
            return false;
    return !tc->beyond_told && pdcs_used_up(tc);
}

/* Of a FEP without a PDC left: does it refuse another, or ask for the close of one (3.5.8.3)? */
static void take_want_of_pdc(struct uet_tc *tc, const struct uet_in *in)
{
    const struct uet_packet *p = &in->packet;
    bool refused = uet_is_nack(p) && uet_nack_nack_code(uet_pds(p)) == UET_NACK_NO_PDC_AVAIL;
    bool asked = uet_asks_to_close(in);

    if (tc->beyond_told || !(refused || asked) || !pdcs_used_up(tc))
        return;
    tc->pdc_refused |= refused;
    tc->pdc_asked_back |= asked;
}

void uet_limits_take(struct uet_tc *tc, const struct uet_in *in)
{
    if (in->packet.error != UET_PARSE_OK || !in->packet.pds)
        return;
    take_want_of_pdc(tc, in);
    for (struct uet_open *o = tc->open; o; o = o->next) {
        if (o->answered || !answers(o, in))
            continue;
        o->answered = true;
        o->returned = o->pdc && uet_is_request(&in->packet);
        o->data_psn = uet_packet_psn(&in->packet);
    }
}
