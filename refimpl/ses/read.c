/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * READ (3.4.4.2, 3.5.12.1): all that is special to it. The target serves each request packet by
 * itself, as every packet says all of the message; the initiator asks no further ahead than it can
 * remember. How the data comes in: fetched.c.
 */
#include "refimpl/ses/operation.h"
#include "refimpl/ses/ses.h"

/* ---- the target ---- */

/* It has no payload: its packets ask for a Payload MTU, or what payload_length says. */
void uet_read_size(const struct uet_fep *fep, const struct uet_packet *p, struct ses_request *r)
{
    uint32_t mtu = fep->config.payload_mtu;
    (void)p;
    if (!r->sized)
        r->payload = r->length < mtu ? r->length : mtu;
    r->counts = r->payload;
}

/* It carries nothing, and asks for what one packet can bring (SES-071). */
uint8_t uet_read_check(const struct uet_fep *fep, const struct uet_packet *p,
                       const struct ses_request *r)
{
    bool asks = !p->payload_len && r->payload <= fep->config.payload_mtu;
    return asks ? UET_RC_OK : UET_RC_OP_VIOLATION;
}

void uet_ses_fetch(const struct uet_fep *fep, const struct uet_packet *p, struct ses_plan *plan,
                   const uint8_t *from, uint32_t length, uint32_t all)
{
    const struct ses_request *r = &plan->request;
    bool rudi = p->pds == UET_H_RUDI_REQ;
    bool retx = !rudi && uet_rud_rod_req_retx(uet_pds(p));
    plan->part = (struct part){
        .psn = rudi ? uet_pkt_id(p) : uet_packet_psn(p),
        .from = from,
        .region = plan->region,
        .reader = uet_region_token(fep, plan->region),
        .run = plan->run,
        .job_id = r->job_id,
        .total = r->length,
        .offset = r->message_offset,
        .length = (uint16_t)length,
        .message_id = r->message_id,
        .small = r->small,
        .last = r->eom || retx,
    };
    /* Whatever way the first data of a message goes, all of it goes (PDS-120). */
    plan->in_ack = length && all <= fep->params.Max_ACK_Data_Size;
}

/* What a WRITE would write is what is sent. */
void uet_read_plan(struct uet_fep *fep, const struct uet_packet *p, struct ses_plan *plan)
{
    uet_deliver_plan(fep, p, plan);
    uet_ses_fetch(fep, p, plan, plan->to, plan->length, plan->request.length);
    plan->length = 0; /* nothing is written here */
    plan->to = NULL;
}

void uet_read_answer(struct uet_fep *fep, const struct message *m, struct ses_plan *plan)
{
    uet_deliver_answer(fep, m, plan);
    plan->guaranteed = plan->in_ack; /* the other way the data itself is reliable (SES-117) */
}

void uet_read_commit(struct uet_fep *fep, uint16_t pdc, const struct uet_packet *p,
                     const struct ses_plan *plan)
{
    (void)p;
    if (plan->part.reader && plan->part.length)
        uet_rendezvous_reading(fep, plan);
    ses_pdc_at(fep, pdc)->reading = !plan->request.eom && plan->return_code == UET_RC_OK;
}

/* ---- the initiator ---- */

bool uet_read_valid(const struct uet_fep *fep, const struct uet_operation *call)
{
    (void)fep;
    return !call->length || call->into;
}

/* Packets asked for ahead of the first whose data is missing: as many as `have` remembers. */
#define AHEAD_MAX 64u

bool uet_read_segment(struct uet_fep *fep, const struct operation *op)
{
    return op->return_code != UET_RC_OK ||
           op->sent / fep->config.payload_mtu < op->n_have + AHEAD_MAX;
}

void uet_read_take(const struct operation *op, uint32_t offset, const uint8_t *bytes,
                   uint32_t length)
{
    memcpy(op->call.into + offset, bytes, length);
}
