/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Messages of several packets, from their first packet to arrive -- any packet, on RUD -- to their
 * last (3.4.1.14, SES-044, SES-049). Their key is the PDC, and with it the source, and message_id.
 */
#include <errno.h>

#include "refimpl/ses/ses.h"

static uint32_t *bucket(struct uet_fep *fep, uint16_t pdc, uint16_t message_id)
{
    uint32_t h = ((uint32_t)pdc << 16 | message_id) * 2654435761u;
    return &fep->message_hash[(h >> 12) & (fep->message_buckets - 1)];
}

uint32_t uet_message_find(struct uet_fep *fep, uint16_t pdc, uint16_t message_id)
{
    uint32_t id = *bucket(fep, pdc, message_id);
    while (id) {
        const struct message *m = message_at(fep, id);
        if (m->pdc == pdc && m->message_id == message_id)
            return id;
        id = m->hash_next;
    }
    return 0;
}

uint32_t uet_message_new(struct uet_fep *fep, uint16_t pdc, const struct ses_request *r)
{
    struct ses_pdc *holder = ses_pdc_at(fep, pdc);
    uint32_t id = pool_get(&fep->messages);
    if (!id)
        return 0;
    struct message *m = message_at(fep, id);
    uint32_t *head = bucket(fep, pdc, r->message_id);
    *m = (struct message){
        .next = holder->messages,
        .hash_next = *head,
        .pdc = pdc,
        .message_id = r->message_id,
        .opcode = r->opcode,
        .return_code = UET_RC_OK,
        .length = r->length,
        .carried = r->carried,
        .job_id = r->job_id,
        .initiator = r->initiator,
        .key = r->key,
        .buffer_offset = r->buffer_offset,
    };
    holder->messages = id;
    *head = id;
    return id;
}

static void unlink_from(struct uet_fep *fep, uint32_t id)
{
    struct message *m = message_at(fep, id);
    uint32_t *link = bucket(fep, m->pdc, m->message_id);
    while (*link != id)
        link = &message_at(fep, *link)->hash_next;
    *link = m->hash_next;
    link = &ses_pdc_at(fep, m->pdc)->messages;
    while (*link != id)
        link = &message_at(fep, *link)->next;
    *link = m->next;
}

/* Its first packet will not come, or not be looked at. */
static void break_held(struct uet_fep *fep, const struct message *m)
{
    const bool failed = m->return_code != UET_RC_OK;
    const struct uet_completion what = {
        .status = failed ? UET_STATUS_SES_ERROR : UET_STATUS_PDS_ERROR,
        .return_code = m->return_code,
    };
    uet_held_broken(fep, m->held, &what);
}

void uet_message_end(struct uet_fep *fep, uint32_t id)
{
    const struct message *m = message_at(fep, id);
    if (m->held && !m->som_seen)
        break_held(fep, m);
    unlink_from(fep, id);
    pool_put(&fep->messages, id);
}

void uet_message_receive_fails(struct uet_fep *fep, struct message *m,
                               const struct uet_completion *what)
{
    if (!uet_held_rest_fails(fep, m->rest, what))
        uet_receive_complete(fep, m->receive, what);
    m->receive = m->rest = 0;
}

/* Its receive was taken back: what is still to come of it comes to nothing (SES-116). */
static void message_cancelled(struct uet_fep *fep, struct message *m)
{
    const struct uet_completion what = {
        .status = UET_STATUS_SES_ERROR,
        .return_code = UET_RC_CANCELLED,
        .job_id = m->job_id,
        .initiator = m->initiator,
        .length = m->received,
        .peer = *uet_pds_peer(fep, m->pdc),
    };
    COUNT(fep, ses_message_cancelled);
    m->return_code = UET_RC_CANCELLED;
    uet_message_receive_fails(fep, m, &what);
}

int uet_receive_cancel(struct uet_fep *fep, const struct uet_receive *receive)
{
    if (!uet_fep_receive_remove(fep, receive))
        return 0;
    for (uint32_t pdc = 1; pdc <= fep->config.max_pdcs; pdc++) {
        for (uint32_t id = ses_pdc_at(fep, (uint16_t)pdc)->messages; id;
             id = message_at(fep, id)->next) {
            struct message *m = message_at(fep, id);
            if (!m->receive || !uet_receive_is(fep, m->receive, receive))
                continue;
            message_cancelled(fep, m);
            return 0;
        }
    }
    return -ENOENT;
}

void uet_message_ask_holders(struct uet_fep *fep, const struct ses_request *r)
{
    for (uint32_t pdc = 1; pdc <= fep->config.max_pdcs; pdc++) {
        bool held = false;
        for (uint32_t id = ses_pdc_at(fep, (uint16_t)pdc)->messages; id && !held;
             id = message_at(fep, id)->next) {
            uint32_t receive = message_at(fep, id)->receive;
            held = receive && uet_receive_fits(&receive_at(fep, receive)->call, r);
        }
        if (held)
            uet_pds_ask_holder(fep, (uint16_t)pdc);
    }
}

void uet_ses_abandon(struct uet_fep *fep, uint16_t pdc, bool closed)
{
    const struct ses_pdc *holder = ses_pdc_at(fep, pdc);
    uet_unexpected_abandon(fep, pdc, closed);
    while (holder->messages) {
        uint32_t id = holder->messages;
        struct message *m = message_at(fep, id);
        COUNT(fep, ses_message_abandoned);
        uet_unexpected_failed(fep, m);
        if (m->receive) {
            const struct uet_completion what = {
                .status = UET_STATUS_PDS_ERROR,
                .job_id = m->job_id,
                .initiator = m->initiator,
                .length = m->received,
                .peer = *uet_pds_peer(fep, pdc),
            };
            uet_message_receive_fails(fep, m, &what);
        }
        uet_message_end(fep, id);
    }
}

/* ---- what PDS may know of them (3.5.4) ---- */

bool uet_ses_holds(const struct uet_fep *fep, uint16_t pdc)
{
    return ses_pdc_at(fep, pdc)->messages || ses_pdc_at(fep, pdc)->n_owed;
}

bool uet_ses_receives(const struct uet_fep *fep, uint16_t pdc)
{
    return uet_ses_holds(fep, pdc) || ses_pdc_at(fep, pdc)->reading;
}

uint16_t uet_ses_next_holder(struct uet_fep *fep)
{
    fep->message_hand = fep->message_hand % fep->messages.n + 1;
    return message_at(fep, fep->message_hand)->pdc;
}
