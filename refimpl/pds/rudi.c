/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * RUDI (3.5.7.3, 3.5.22): every packet stands alone. The source keeps it until its RUDI Response is
 * there and sends it again by the RTO and after NACKs, within the limits of all; the target keeps
 * nothing, executes whatever comes and answers it (PDS-005). No PDC, PSN, window or CLEAR
 * (PDS-174): for SES it is PDC 0, which no packet can name.
 */
#include "refimpl/edge.h"
#include "refimpl/pds/pds.h"
#include "refimpl/tss/tss.h"

#define RTO_RETX_WITHOUT_END  15u
#define NACK_RETX_WITHOUT_END 31u

/* ---- packets that wait for their response ---- */

/* pkt_id = a number of its incarnation, then the slot: unique among the outstanding ones (PDS-172).
 */
static uint32_t slot_mask(const struct uet_fep *fep)
{
    uint32_t mask = 1;
    while (mask <= fep->rudi.packets.n)
        mask *= 2;
    return mask - 1;
}

static struct tx_packet *packet_of(struct uet_fep *fep, uint32_t slot)
{
    return pool_item(&fep->rudi.packets, slot);
}

void uet_rudi_reset(struct uet_fep *fep)
{
    struct rudi *r = &fep->rudi;
    pool_reset(&r->packets);
    r->head = r->tail = r->n_resend = 0;
    r->deadline = UET_FEP_NEVER;
    /* Responses from before a reset must not meet packets from after it. */
    r->incarnation = (uint32_t)fep_random(fep);
}

static struct tx_packet *packet_new(struct uet_fep *fep)
{
    struct rudi *r = &fep->rudi;
    uint32_t slot = pool_get(&r->packets);
    if (!slot)
        return NULL;
    struct tx_packet *packet = packet_of(fep, slot);
    packet->next = 0; /* the pool's link stood there */
    packet->prev = r->tail;
    packet->psn = r->incarnation++ * (slot_mask(fep) + 1) + slot;
    packet->deadline = UET_FEP_NEVER;
    if (r->tail)
        packet_of(fep, r->tail)->next = slot;
    else
        r->head = slot;
    r->tail = slot;
    return packet;
}

static uint32_t slot_of(const struct uet_fep *fep, const struct tx_packet *packet)
{
    return (uint32_t)((size_t)((const uint8_t *)packet - fep->rudi.packets.items) /
                      fep->rudi.packets.size);
}

static void packet_end(struct uet_fep *fep, struct tx_packet *packet)
{
    struct rudi *r = &fep->rudi;
    uint32_t slot = slot_of(fep, packet);
    if (packet->prev)
        packet_of(fep, packet->prev)->next = packet->next;
    else
        r->head = packet->next;
    if (packet->next)
        packet_of(fep, packet->next)->prev = packet->prev;
    else
        r->tail = packet->prev;
    if (packet->resend)
        r->n_resend--;
    pool_put(&r->packets, slot);
    memset((uint8_t *)packet + sizeof(uint32_t), 0, sizeof *packet - sizeof(uint32_t));
    if (!r->head)
        r->deadline = UET_FEP_NEVER;
}

/* The outstanding packet that a Response or NACK names; counted and NULL when there is none. */
static struct tx_packet *packet_find(struct uet_fep *fep, const struct uet_packet *p)
{
    uint32_t slot = uet_pkt_id(p) & slot_mask(fep);
    struct uet_ip from = uet_src_ip(p);
    if (!slot || slot > fep->rudi.packets.n || !packet_of(fep, slot)->seg.op ||
        packet_of(fep, slot)->psn != uet_pkt_id(p)) {
        COUNT(fep, drop_rudi_pkt_id); /* late, or a second one (PDS-176) */
        return NULL;
    }
    struct tx_packet *packet = packet_of(fep, slot);
    if (!uet_ip_equal(uet_ses_destination(fep, packet->seg.op), &from)) {
        COUNT(fep, drop_rudi_source);
        return NULL;
    }
    const struct tss_context tss = uet_sd_of_packet(fep, p);
    if (!fep->law.tss.serves(fep, &tss, uet_ses_job(fep, packet->seg.op))) {
        uet_sd_misbound(fep, p, NULL);
        return NULL;
    }
    return packet;
}

/* The operation ends: what is left of it is forgotten. */
static void forget(struct uet_fep *fep, uint32_t op)
{
    for (uint32_t slot = fep->rudi.head; slot;) {
        struct tx_packet *packet = packet_of(fep, slot);
        slot = packet->next;
        if (packet->seg.op == op)
            packet_end(fep, packet);
    }
}

static void fail(struct uet_fep *fep, uint32_t op)
{
    forget(fep, op);
    uet_ses_fail(fep, op);
}

void uet_rudi_end_removed(struct uet_fep *fep)
{
    uint32_t op;
    while ((op = uet_ses_next_removed(fep))) {
        forget(fep, op);
        uet_ses_domain_gone(fep, op);
    }
}

/* ---- sending ---- */

static void note_deadline(struct uet_fep *fep, const struct tx_packet *packet)
{
    if (packet->deadline < fep->rudi.deadline)
        fep->rudi.deadline = packet->deadline;
}

static void mark_resend(struct uet_fep *fep, struct tx_packet *packet)
{
    if (!packet->resend)
        fep->rudi.n_resend++;
    packet->resend = true;
    packet->nack_wait = false;
    packet->deadline = UET_FEP_NEVER; /* runs again when it has been sent */
}

static void sent(struct uet_fep *fep, struct tx_packet *packet)
{
    if (packet->resend)
        fep->rudi.n_resend--;
    packet->resend = false;
    packet->again = true;
    packet->deadline = time_after(fep->now, uet_source_rto(fep, packet->rto_count));
    note_deadline(fep, packet);
}

static struct tx_packet *next_resend(struct uet_fep *fep)
{
    for (uint32_t slot = fep->rudi.n_resend ? fep->rudi.head : 0; slot;) {
        struct tx_packet *packet = packet_of(fep, slot);
        if (packet->resend)
            return packet;
        slot = packet->next;
    }
    return NULL;
}

static struct tx_packet *next_new(struct uet_fep *fep)
{
    uint32_t op = uet_ses_next_op(fep, NO_PDC);
    struct tx_packet *packet = op ? packet_new(fep) : NULL;
    if (packet)
        uet_ses_segment(fep, op, packet->psn, &packet->seg);
    return packet;
}

size_t uet_rudi_transmit(struct uet_fep *fep, uint8_t *buffer, size_t cap)
{
    struct tx_packet *packet = next_resend(fep);
    struct uet_build b;
    if (!packet)
        packet = next_new(fep);
    if (!packet)
        return 0;
    if (packet->resend)
        COUNT(fep, tx_retx);
    else
        COUNT(fep, tx_rudi_request);
    struct uet_edge_route route = {.to = *uet_ses_destination(fep, packet->seg.op),
                                   .entropy = uet_entropy_any(fep),
                                   .what = UET_EDGE_SINGLE};
    (void)uet_sd_of_begun(fep, uet_ses_begun(fep, packet->seg.op), uet_ses_job(fep, packet->seg.op),
                          &route.to, &route.tss);
    uet_edge_begin(fep, &b, buffer, cap, &route);
    uint8_t *h = uet_build_pds(&b, UET_H_RUDI_REQ);
    uet_rudi_type_set(h, UET_PDS_RUDI_REQ);
    uet_rudi_retx_set(h, packet->again);
    uet_rudi_pkt_id_set(h, packet->psn);
    uet_rudi_next_hdr_set(h, uet_ses_write(fep, &packet->seg, &b));
    sent(fep, packet);
    return uet_edge_finish(fep, &b);
}

/* ---- timers ---- */

/* False: its retries are used up (PDS-175). */
static bool expired(struct uet_fep *fep, struct tx_packet *packet)
{
    uint8_t limit = fep->params.Max_RTO_Retx_Cnt;
    if (!packet->nack_wait) {
        COUNT(fep, rto_expired);
        if (limit != RTO_RETX_WITHOUT_END && packet->rto_count >= limit)
            return false;
        if (packet->rto_count < UINT8_MAX)
            packet->rto_count++;
    }
    mark_resend(fep, packet);
    return true;
}

void uet_rudi_timer(struct uet_fep *fep)
{
    if (fep->rudi.deadline > fep->now)
        return;
    fep->rudi.deadline = UET_FEP_NEVER;
    for (uint32_t slot = fep->rudi.head; slot;) {
        struct tx_packet *packet = packet_of(fep, slot);
        if (packet->deadline <= fep->now && !expired(fep, packet)) {
            COUNT(fep, rudi_exhausted);
            fail(fep, packet->seg.op);
            fep->rudi.deadline = UET_FEP_NEVER;
            slot = fep->rudi.head; /* others of the operation went with it */
            continue;
        }
        if (packet->deadline > fep->now)
            note_deadline(fep, packet);
        slot = packet->next;
    }
}

/* ---- answers ---- */

void uet_rudi_response(struct uet_fep *fep, const struct uet_packet *p)
{
    struct tx_packet *packet = packet_find(fep, p);
    if (!packet)
        return;
    /* Arrival only (SES-121): not what the packet waits for; its RTO runs on. */
    bool data = uet_is_ses_response_data(p);
    if ((!uet_is_ses_response(p) && !data) ||
        uet_ses_rsp_opcode(uet_ses(p)) == UET_RSP_NO_RESPONSE ||
        !uet_ses_answers_fetch(fep, &packet->seg, p)) {
        COUNT(fep, drop_rudi_no_response);
        return;
    }
    COUNT(fep, rx_rudi_response);
    uint32_t op = packet->seg.op;
    if (data)
        uet_ses_fetch_take(fep, op, p);
    packet_end(fep, packet);
    uet_ses_response(fep, op, data ? NULL : uet_ses(p));
}

/* There is no PDC to close: a code either asks for the packet again or ends its operation. */
void uet_rudi_nacked(struct uet_fep *fep, const struct uet_packet *p)
{
    uint8_t code = uet_nack_nack_code(uet_pds(p));
    uint8_t limit = fep->params.Max_NACK_Retx_Cnt;
    struct tx_packet *packet = packet_find(fep, p);
    if (!packet)
        return;
    const struct uet_nack_row *info = &fep->law.pds.nacks[code];
    if (info->nack_class == UET_CLASS_NONE) { /* reserved (PDS-154) */
        COUNT(fep, drop_nack_code);
        return;
    }
    COUNT(fep, rx_nack);
    if (packet->resend || packet->nack_wait)
        return;
    bool again = info->action == UET_ACTION_RETX || info->action == UET_ACTION_RETRY;
    if (!again || (limit != NACK_RETX_WITHOUT_END && packet->nack_count >= limit)) {
        COUNT(fep, rudi_exhausted);
        fail(fep, packet->seg.op);
        return;
    }
    COUNT(fep, nack_retx);
    if (packet->nack_count < UINT8_MAX)
        packet->nack_count++;
    packet->nack_wait = true;
    packet->deadline = time_after(fep->now, fep->params.NACK_Retx_Time);
    note_deadline(fep, packet);
}

/* ---- the target ---- */

static void refuse(struct uet_fep *fep, const struct uet_packet *p, uint8_t code)
{
    struct uet_build b;
    if (!uet_reply_start(fep, &b, p, NULL))
        return;
    uint8_t *h = uet_build_pds(&b, UET_H_NACK_RUDI); /* both PDCIDs 0 (PDS-179) */
    uet_nack_type_set(h, UET_PDS_NACK);
    uet_nack_nt_set(h, UET_NACK_TYPE_RUDI);
    uet_nack_m_set(h, uet_ecn(p) == UET_ECN_CE);
    uet_nack_retx_set(h, uet_rudi_retx(uet_pds(p)));
    uet_nack_nack_code_set(h, code);
    uet_nack_rudi_nack_pkt_id_set(h, uet_pkt_id(p));
    uet_reply_finish(fep, &b, 0);
    COUNT(fep, tx_nack_rudi);
}

/* Read data always goes in the RUDI Response itself. */
static void answer(struct uet_fep *fep, const struct uet_packet *p, const struct ses_plan *plan)
{
    const struct part *part = plan->part.length ? &plan->part : NULL;
    struct uet_build b;
    if (!uet_reply_start(fep, &b, p, part))
        return;
    uint8_t *h = uet_build_pds(&b, UET_H_RUDI_RESP);
    uet_rudi_type_set(h, UET_PDS_RUDI_RESP);
    uet_rudi_resp_m_set(h, uet_ecn(p) == UET_ECN_CE);
    uet_rudi_retx_set(h, uet_rudi_retx(uet_pds(p)));
    uet_rudi_pkt_id_set(h, uet_pkt_id(p));
    uint8_t next_hdr = UET_NH_RESPONSE;
    if (part)
        next_hdr = uet_ses_part_write(part, &b);
    else
        memcpy(uet_build_ses(&b, UET_H_SES_RSP), plan->response, UET_SES_RSP_BYTES);
    uet_rudi_next_hdr_set(h, next_hdr);
    uet_reply_finish(fep, &b, 0);
    COUNT(fep, tx_rudi_response);
}

void uet_rudi_request(struct uet_fep *fep, const struct uet_packet *p)
{
    struct ses_plan plan;
    COUNT(fep, rx_rudi_request);
    if (uet_edge_trimmed(p) && p->tss) { /* nobody vouches for it, and no PDC is known (TSS-072) */
        COUNT(fep, drop_trimmed);
        return;
    }
    if (uet_edge_trimmed(p)) { /* PDS-225 */
        bool last = p->trim == UET_TRIM_LASTHOP;
        refuse(fep, p, last ? UET_NACK_TRIMMED_LASTHOP : UET_NACK_TRIMMED);
        return;
    }
    if (!uet_is_ses_request(p)) {
        COUNT(fep, drop_unsupported);
        return;
    }
    if (uet_ecn(p) == UET_ECN_CE)
        COUNT(fep, rx_ce);
    uet_ses_rudi(fep, p, &plan);
    answer(fep, p, &plan);
}
