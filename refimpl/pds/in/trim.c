/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Packets that a switch has cut (4.1, Table 3-61), known by their DSCP. A NACK brings a Request
 * back sooner than its RTO; nothing else changes, as nobody vouches for a trimmed packet.
 */
#include "refimpl/pds/pds.h"
#include "refimpl/tss/tss.h"

/* The PDC of a Request; NULL when there is none that is this peer's. */
static struct pdc *known(struct uet_fep *fep, const struct uet_packet *p)
{
    struct uet_ip from = uet_src_ip(p);
    struct pdc *pdc = uet_has_syn(p) ? uet_pdc_by_syn(fep, p) : uet_pdc_by_id(fep, uet_dpdcid(p));
    const struct tss_context tss = uet_sd_of_packet(fep, p);
    if (!pdc || !uet_sd_same(&pdc->tss, &tss))
        return NULL;
    if (pdc->state == PDC_CLOSED || pdc->state == PDC_PENDING || !uet_ip_equal(&pdc->peer, &from) ||
        pdc->peer_id != uet_spdcid(p))
        return NULL;
    bool other_incarnation = uet_has_syn(p) && uet_start_psn(p) != pdc->start_psn;
    return other_incarnation ? NULL : pdc;
}

/* Received before: its ACK spares the resend. */
static void answer_duplicate(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p)
{
    struct ack_about about = uet_ack_about(p);
    uint8_t response[UET_SES_RSP_BYTES];
    const struct stored *s = uet_sink_stored(fep, pdc, about.psn);
    uet_ses_default_response(response, p);
    about.response = s ? s->response : response;
    about.part = s && s->part ? part_at(fep, s->part) : NULL;
    uet_ack_send(fep, pdc, &about);
}

/* Of a sealed packet: a loss NACK on a PDC that is known, and nothing else (TSS-072). */
static uint8_t answer_to(const struct uet_fep *fep, const struct pdc *pdc,
                         const struct uet_packet *p)
{
    uint8_t answer = pdc ? fep->law.trimmed.psn[uet_sink_place(fep, pdc, uet_packet_psn(p))]
                         : fep->law.trimmed.no_pdc;
    bool loss = pdc && answer == UET_TRIMMED_NACK;
    return !p->tss || loss ? answer : UET_TRIMMED_NOTHING;
}

/* PDS-216..219. */
static void request(struct uet_fep *fep, const struct uet_packet *p)
{
    bool last_hop = p->trim == UET_TRIM_LASTHOP;
    struct pdc *pdc = known(fep, p);
    COUNT(fep, rx_trimmed);
    if (pdc && !p->tss)
        uet_credit_heard(fep, pdc, p);
    switch (answer_to(fep, pdc, p)) {
    case UET_TRIMMED_NACK:
        uet_nack_send(fep, p, last_hop ? UET_NACK_TRIMMED_LASTHOP : UET_NACK_TRIMMED,
                      pdc ? pdc->id : 0);
        return;
    case UET_TRIMMED_ACK:
        answer_duplicate(fep, pdc, p);
        return;
    default:
        if (pdc)
            COUNT(fep, drop_behind_window);
        else
            COUNT(fep, drop_trimmed);
    }
}

/*
 * An ACK: the source recovers by its RTO (PDS-222). Before 1.0.3 it told the target that read data
 * was cut off (UET_TRIMMED_ACK) and sent its Request again (PDS-223). h: the twelve bytes that
 * all ACKs have.
 */
static void ack(struct uet_fep *fep, const struct uet_packet *p, const uint8_t *h)
{
    struct uet_ip from = uet_src_ip(p);
    struct pdc *pdc = uet_pdc_by_id(fep, uet_ack_dpdcid(h));
    uint8_t next_hdr = uet_ack_next_hdr(h);
    bool data = next_hdr == UET_NH_RESPONSE_DATA || next_hdr == UET_NH_RESPONSE_DATA_SMALL;
    COUNT(fep, drop_trimmed_ack);
    bool reserved = fep->law.pds.nacks[UET_NACK_TRIMMED_ACK].reserved;
    if (reserved || p->tss || !data || uet_ack_p(h) || !pdc || !uet_ip_equal(&pdc->peer, &from) ||
        !pdc->peer_id || pdc->peer_id != uet_ack_spdcid(h))
        return;
    uint32_t psn = uet_psn_add(uet_ack_cack_psn(h), uet_ack_ack_psn_offset(h));
    struct tx_packet *packet = uet_source_find(fep, pdc, psn);
    if (!packet)
        return;
    uet_nack_send_about(fep, pdc, UET_NACK_TRIMMED_ACK, psn);
    uet_source_resend(fep, pdc, packet);
    uet_pdc_ready(fep, pdc);
}

/* Where the header of an ACK stands, of which the last bytes may be gone; NULL: it is no ACK. */
static const uint8_t *ack_header(const struct uet_packet *p)
{
    uint8_t id = p->pds ? p->pds : p->partial;
    uint16_t at = p->pds ? p->pds_offset : p->partial_offset;
    bool is_ack = uet_in_ack(id);
    return is_ack && p->ip_end >= at && p->ip_end - at >= UET_ACK_BYTES ? p->frame + at : NULL;
}

void uet_trim_receive(struct uet_fep *fep, const struct uet_packet *p)
{
    const uint8_t *h = ack_header(p);
    if (h)
        ack(fep, p, h);
    else if (uet_is_request(p) && (fep->params.RCCC || !uet_is_cc_request(p)))
        request(fep, p);
    else if (p->pds == UET_H_RUDI_REQ)
        uet_rudi_request(fep, p);
    else if (uet_is_uud(p))
        uet_uud_request(fep, p);
    else /* NACKs and Control Packets too (PDS-224) */
        COUNT(fep, drop_trimmed);
}
