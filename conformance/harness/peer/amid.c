/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What else comes to the FEP amid the packets of a test (point.h: amid): copies that the network
 * makes, packets of strangers, packets that are damaged. None of it concerns the conversation: the
 * tester tells the tracker of copies alone, and the test itself of nothing.
 */
#include <string.h>

#include "conformance/harness/peer/sealing.h"

/* Of one test, so that long ones stay short: what is to go wrong has gone wrong by then. */
#define MOST 128

static bool is_ack(const struct uet_out *o)
{
    return uet_out_is(o, UET_PDS_ACK) || uet_out_is(o, UET_PDS_ACK_CC);
}

/* Does it stand as the network should carry it? */
static bool is_whole(const struct uet_out *o)
{
    const struct uet_wrong *w = &o->wrong;
    const bool right = !w->ip_length && !w->udp_length && !w->udp_checksum && !w->ip_checksum &&
                       !w->ihl && !w->crc_xor && !w->cut;

    return right && !o->trim_to && !o->fragment && !o->ip_protocol &&
           o->pds_len >= UET_UUD_REQ_BYTES && !uet_goes_sealed(o);
}

static bool opens(const struct uet_out *o)
{
    return (uet_out_is_request(o) || uet_out_is(o, UET_PDS_CP)) && uet_rud_rod_req_syn(o->pds);
}

/* ---- what would do harm, if the FEP took it ---- */

/* It becomes a packet without SES header, of so many bytes that are 0; what it was. */
static struct uet_out make_bare(struct uet_out *o, uint16_t pds_len)
{
    const struct uet_out was = *o;

    memset(o->pds, 0, sizeof(o->pds));
    o->pds_len = pds_len;
    o->ses_len = 0;
    o->payload_len = 0;
    return was;
}

/* In the place of an ACK: the refusal of what it acknowledges, by who has, or has not, the PDC. */
static void make_refusal(struct uet_out *o, bool has_pdc)
{
    const struct uet_out was = make_bare(o, UET_NACK_BYTES);

    uet_nack_type_set(o->pds, UET_PDS_NACK);
    uet_nack_nack_code_set(o->pds, UET_NACK_INV_DPDCID);
    uet_nack_nack_psn_set(o->pds, was.psn);
    uet_nack_spdcid_set(o->pds, has_pdc ? uet_ack_spdcid(was.pds) : 0);
    uet_nack_dpdcid_set(o->pds, uet_ack_dpdcid(was.pds));
}

static void make_error(struct uet_out *o)
{
    if (o->ses_len < UET_SES_RSP_BYTES)
        return;
    if (uet_ses_rsp_opcode(o->ses) == UET_RSP_DEFAULT_RESPONSE)
        uet_ses_rsp_opcode_set(o->ses, UET_RSP_RESPONSE);
    uet_ses_rsp_return_code_set(o->ses, UET_RC_BAD_ADDR);
}

/* In the place of a Request: the close of its PDC, or the clear of all responses up to it. */
static void make_command(struct uet_out *o, uint8_t ctl_type)
{
    const struct uet_out was = make_bare(o, UET_CP_BYTES);

    uet_cp_type_set(o->pds, UET_PDS_CP);
    uet_cp_ctl_type_set(o->pds, ctl_type);
    if (ctl_type == UET_CTL_CLOSE_COMMAND) {
        uet_cp_ar_set(o->pds, true);
        uet_cp_psn_set(o->pds, was.psn);
    } else {
        uet_cp_payload_value_set(o->pds, was.psn - 1);
    }
    uet_cp_spdcid_set(o->pds, uet_rud_rod_req_spdcid(was.pds));
    uet_cp_dpdcid_set(o->pds, uet_rud_rod_req_dpdcid(was.pds));
}

/* Like it, and with other bytes, another PSN, or another meaning. */
static struct uet_out twin(struct uet_tc *tc, const struct uet_out *o)
{
    struct uet_out evil = *o;
    const uint64_t how = uet_tc_random_amid(tc);

    if (evil.payload_len)
        evil.payload = uet_tc_bytes(tc, evil.payload_len);
    if (is_ack(o) && how & 1)
        make_refusal(&evil, how & 2);
    else if (is_ack(o) || uet_out_is(o, UET_PDS_RUDI_RESP))
        make_error(&evil);
    else if (o->pdc && uet_out_is_request(o) && !opens(o) && (how & 3) == 0)
        make_command(&evil, how & 4 ? UET_CTL_CLOSE_COMMAND : UET_CTL_CLEAR_COMMAND);
    else if (uet_out_is_request(o) && !opens(o) && (how & 3) == 1)
        uet_rud_rod_req_psn_set(evil.pds, o->psn + 1);
    return evil;
}

/* ---- to the port ---- */

/* Recorded, and nothing more: it is no part of the conversation. */
static void slip_in(struct uet_tc *tc, const struct uet_out *o, const char *what)
{
    uint8_t buffer[UET_FRAME_MAX];
    const uint8_t *copy;
    struct uet_frame frame = {.data = buffer};

    frame.len = (uint32_t)uet_frame_of(tc, o, buffer, sizeof(buffer));
    if (uet_record_frame(&tc->record, buffer, frame.len, true, uet_tc_now(tc), &copy))
        uet_record_note(&tc->record, tc->record.n, what);
    (void)uet_port_send(tc->session->port, &frame, 1); /* one that finds no room is lost */
}

/* ---- strangers ---- */

/* Random bytes behind the FEP's PDCID; they open no PDC. */
static void send_noise(struct uet_tc *tc, const struct uet_out *like)
{
    struct uet_out o = *like;

    for (size_t i = 0; i < sizeof(o.pds); i++)
        o.pds[i] = (uint8_t)uet_tc_random_amid(tc);
    uet_rud_rod_req_syn_set(o.pds, false);
    if (like->pdc)
        uet_rud_rod_req_dpdcid_set(o.pds, like->pdc->fep_pdcid);
    if (uet_out_is(&o, UET_PDS_RUDI_REQ) || uet_out_is(&o, UET_PDS_UUD_REQ) ||
        uet_out_is(&o, UET_PDS_TSS))
        return; /* anybody may send one; what does not open is counted (TSS-043) */
    o.pds_len = (uint16_t)(uet_tc_random_amid(tc) % sizeof(o.pds));
    o.ses_len = 0;
    slip_in(tc, &o, "noise of a stranger");
}

static void send_forged(struct uet_tc *tc, const struct uet_out *o)
{
    struct uet_out forged = twin(tc, o);

    if (!is_whole(o) || opens(o) || uet_out_is(o, UET_PDS_RUDI_REQ) ||
        uet_out_is(o, UET_PDS_UUD_REQ))
        return; /* or a stranger may send it, too */
    forged.route.src = uet_dut_stranger(tc->session->dut);
    slip_in(tc, &forged, "forged by a stranger");
    if (uet_tc_random_amid(tc) % 4 == 0)
        send_noise(tc, &forged);
}

/* ---- what is damaged ---- */

enum damage {
    TO_A_GROUP,
    FROM_A_GROUP,
    SHORTER_THAN_IP_SAYS,
    WITHOUT_ITS_HEADER,
    OTHER_PORT, /* UDP */
    WRONG_CRC,  /* with CRC trailers */
    WRONG_SUM,  /* IPv4, and those behind it */
    FIRST_FRAGMENT,
    LATER_FRAGMENT,
    N_DAMAGES
};

static bool has(const struct uet_out *o, enum damage damage)
{
    switch (damage) {
    case OTHER_PORT:
        return !o->route.native;
    case WRONG_CRC:
        return o->protect == UET_PROTECT_CRC;
    case WRONG_SUM:
    case FIRST_FRAGMENT:
    case LATER_FRAGMENT:
        return o->route.dst.version == 4;
    default:
        return true;
    }
}

/* All hosts of a link (224.0.0.1, ff02::1). */
static struct uet_ip group(uint8_t version)
{
    if (version == 4)
        return (struct uet_ip){.version = 4, .bytes = {224, 0, 0, 1}};
    return (struct uet_ip){.version = 6, .bytes = {0xff, 0x02, [15] = 1}};
}

static void damage(struct uet_out *o, enum damage how)
{
    switch (how) {
    case TO_A_GROUP:
        o->route.dst = group(o->route.dst.version);
        break;
    case FROM_A_GROUP:
        o->route.src = group(o->route.src.version);
        break;
    case SHORTER_THAN_IP_SAYS:
        o->wrong.cut = 8;
        break;
    case WITHOUT_ITS_HEADER: /* of which each has more (PDS-058) */
        o->pds_len = 3;
        o->ses_len = 0;
        o->payload_len = 0;
        break;
    case OTHER_PORT:
        o->route.udp_port = (uint16_t)((o->route.udp_port ? o->route.udp_port : 4793) + 1);
        break;
    case WRONG_CRC:
        o->wrong.crc_xor = 1u << 31;
        break;
    case WRONG_SUM:
        o->wrong.ip_checksum = true;
        o->wrong.ip_checksum_value = 0xdead;
        break;
    case FIRST_FRAGMENT:
        o->fragment = 0x2000; /* MF */
        break;
    default:
        o->fragment = 8; /* 64 bytes */
    }
}

static void send_damaged(struct uet_tc *tc, const struct uet_out *o)
{
    if (!is_whole(o))
        return;
    struct uet_out damaged = twin(tc, o);
    enum damage how;

    do
        how = (enum damage)(uet_tc_random_amid(tc) % N_DAMAGES);
    while (!has(o, how));
    damage(&damaged, how);
    slip_in(tc, &damaged, "damaged on its way");
}

/* ---- copies ---- */

/* What may come twice: answers, and Requests that a FEP has no cause to refuse. */
static bool is_copied(const struct uet_out *o)
{
    const struct uet_pdc *pdc = o->pdc;

    if (!is_whole(o) || o->route.dscp)
        return false;
    if (!pdc)
        return uet_out_is(o, UET_PDS_RUDI_RESP);
    if (pdc->closing || pdc->closed)
        return false;
    return is_ack(o) ||
           (!opens(o) && uet_out_is(o, pdc->rod ? UET_PDS_ROD_REQ : UET_PDS_RUD_REQ) &&
            uet_psn_diff(o->psn, pdc->in_step) < 0 && uet_psn_diff(o->psn, pdc->next_psn) < 0);
}

/* The last packet of that PDC, once more, behind the next one. */
static void send_copy(struct uet_tc *tc, const struct uet_out *o)
{
    const struct uet_out was = tc->copied;
    const bool due = tc->has_copied && was.pdc == o->pdc && is_copied(o);

    tc->has_copied = is_copied(o);
    if (tc->has_copied)
        tc->copied = *o;
    if (due)
        uet_emit_copy(tc, &was);
}

/* ---- when ---- */

/* The place, where it is time for what is sent there. */
static const struct uet_place *now_due(struct uet_tc *tc)
{
    if (!tc->in_body || tc->preamble)
        return NULL;
    const struct uet_place *amid = uet_tc_place(tc, UET_OVER_AMID);

    return amid && tc->n_amid++ < MOST ? amid : NULL;
}

static void before(struct uet_tc *tc, const struct uet_out *o)
{
    const struct uet_place *amid = now_due(tc);

    if (!amid)
        return;
    if (amid->value == UET_AMID_STRANGERS)
        send_forged(tc, o);
    else if (amid->value == UET_AMID_DAMAGED)
        send_damaged(tc, o);
}

static void after(struct uet_tc *tc, const struct uet_out *o)
{
    if (tc->in_body && !tc->preamble && tc->n_amid < MOST &&
        uet_point_place(&tc->test->point, UET_OVER_AMID)->value == UET_AMID_COPIES)
        send_copy(tc, o);
}

void uet_send_now(struct uet_tc *tc, const struct uet_out *o)
{
    before(tc, o);
    uet_emit(tc, o);
    after(tc, o);
}

/*
 * For a PDC of the test's? What was damaged may have become a SYN of the stranger's own, or a RUDI
 * Request, and is answered as any other.
 */
static bool names_ours(const struct uet_tc *tc, const struct uet_packet *p)
{
    for (const struct uet_pdc *pdc = tc->pdcs; pdc; pdc = pdc->next)
        if (pdc->pdcid && pdc->pdcid == uet_dpdcid(p))
            return true;
    return false;
}

void uet_amid_stray(struct uet_tc *tc, const struct uet_packet *p)
{
    const struct uet_ip to = uet_dut_stranger(tc->session->dut);
    struct uet_ip is;

    if (uet_point_place(&tc->test->point, UET_OVER_AMID)->value != UET_AMID_STRANGERS ||
        p->error != UET_PARSE_OK || uet_is_nack(p))
        return;
    is = uet_dst_ip(p);
    if (uet_ip_equal(&is, &to) && names_ours(tc, p))
        uet_tc_rule_broken(tc, NULL, "ROB-057",
                           "a stranger, who names a PDC of another, gets more than a NACK");
}

void uet_amid_late(struct uet_tc *tc)
{
    const struct uet_out was = tc->copied;

    if (!tc->has_copied || !tc->in_body || tc->preamble)
        return;
    tc->has_copied = false;
    if (is_ack(&was) || uet_out_is(&was, UET_PDS_RUDI_RESP))
        uet_emit_copy(tc, &was);
}

static bool is_return_data(const struct uet_packet *p)
{
    return uet_is_request(p) && uet_is_ses_response_data(p);
}

void uet_amid_heard(struct uet_tc *tc, const struct uet_in *in)
{
    const struct uet_packet *p = &in->packet;

    if (uet_point_place(&tc->test->point, UET_OVER_AMID)->value != UET_AMID_STRANGERS ||
        p->error != UET_PARSE_OK || !(uet_is_ses_request(p) || is_return_data(p)) || !now_due(tc))
        return;
    if (p->pds == UET_H_RUDI_REQ) {
        const struct uet_out answer = uet_rudi_answer(tc, in, UET_RC_OK);
        send_forged(tc, &answer);
    } else if (in->pdc && in->pdc->fep_pdcid) {
        const struct uet_out ack = uet_ack(in->pdc, in);
        send_forged(tc, &ack);
    }
}
