/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sends that come before their receive and whose header this FEP keeps (3.4.3.6.2.1): the
 * deferrable ones (3.4.3.4). Their bytes are not kept. The first receive that fits one, the oldest
 * first, is promised to it; its initiator is told so by UET_DEFERRABLE_RTR, and sends it once more.
 */
#include "refimpl/ses/operation.h"
#include "refimpl/ses/ses.h"

/* ---- the line of those that are held ---- */

/* A token tells its place, and which of those that had the place it is. It is never 0 (SES-148). */
#define TOKEN_PLACE 0xffffu

static uint32_t by_token(const struct uet_fep *fep, uint32_t token)
{
    uint32_t id = token & TOKEN_PLACE;
    return id && id <= fep->held.n && held_at(fep, id)->token == token ? id : 0;
}

static void append(struct uet_fep *fep, uint32_t id)
{
    struct held *h = held_at(fep, id);
    h->next = 0;
    h->prev = fep->held_line.tail;
    if (h->prev)
        held_at(fep, h->prev)->next = id;
    else
        fep->held_line.head = id;
    fep->held_line.tail = id;
}

static void drop(struct uet_fep *fep, uint32_t id)
{
    const struct held *h = held_at(fep, id);
    if (h->prev)
        held_at(fep, h->prev)->next = h->next;
    else
        fep->held_line.head = h->next;
    if (h->next)
        held_at(fep, h->next)->prev = h->prev;
    else
        fep->held_line.tail = h->prev;
    held_at(fep, id)->token = 0;
    pool_put(&fep->held, id);
}

/* Nothing of it for so long that its initiator has given up, or begins anew without being asked:
 * one whose receive is still to come. */
static uint32_t stale(const struct uet_fep *fep)
{
    for (uint32_t id = fep->held_line.head; id; id = held_at(fep, id)->next) {
        if (!held_at(fep, id)->receive && held_at(fep, id)->until <= fep->now)
            return id;
    }
    return 0;
}

static bool same_send(const struct held *h, const struct uet_ip *from, const struct ses_request *r)
{
    const struct ses_request *k = &h->request;
    return k->irt == r->irt && k->job_id == r->job_id && k->initiator == r->initiator &&
           k->opcode == r->opcode && k->pid_on_fep == r->pid_on_fep &&
           k->resource_index == r->resource_index && k->key == r->key && k->length == r->length &&
           uet_ip_equal(&h->from, from);
}

/* The same send, begun anew by its initiator. */
static uint32_t known(const struct uet_fep *fep, const struct uet_ip *from,
                      const struct ses_request *r)
{
    for (uint32_t id = fep->held_line.head; id; id = held_at(fep, id)->next) {
        if (same_send(held_at(fep, id), from, r))
            return id;
    }
    return 0;
}

/* ---- a send without receive ---- */

bool uet_held_room(const struct uet_fep *fep, const struct uet_packet *p,
                   const struct ses_request *r)
{
    const struct uet_ip from = uet_src_ip(p);
    if (!r->length) /* of nothing no part can be missing (SES-146) */
        return false;
    return fep->held.free || known(fep, &from, r) || stale(fep);
}

static uint32_t place_for(struct uet_fep *fep)
{
    uint32_t id = stale(fep);
    if (!fep->held.free && id) {
        COUNT(fep, ses_held_given_up);
        drop(fep, id);
    }
    return pool_get(&fep->held);
}

void uet_held_keep(struct uet_fep *fep, const struct uet_packet *p, const struct ses_request *r)
{
    const struct uet_ip from = uet_src_ip(p);
    uint32_t id = known(fep, &from, r);
    if (!id) {
        id = place_for(fep);
        *held_at(fep, id) = (struct held){.token = ++fep->n_held << 16 | id};
        append(fep, id);
        COUNT(fep, ses_held);
    }
    struct held *h = held_at(fep, id);
    h->from = from;
    h->request = *r;
    h->until = time_after(fep->now, fep->params.Deferral_Time);
}

/* ---- its receive ---- */

static void ask_again(struct uet_fep *fep, const struct held *h)
{
    const struct ses_request *r = &h->request;
    const struct uet_operation call = {
        .to = h->from,
        .opcode = r->op->defers,
        .mode = UET_MODE_RUD,
        .relative = r->rel,
        .has_header_data = r->hd,
        .job_id = r->job_id,
        .pid_on_fep = r->pid_on_fep,
        .resource_index = r->resource_index,
        .ri_generation = r->ri_generation,
        .initiator = r->initiator, /* SES-175: contested whose */
        .header_data = r->header_data,
        .length = r->length,
    };
    COUNT(fep, ses_rtr);
    uet_ses_submit_own(fep, &call, r->irt, h->token);
}

bool uet_held_takes(struct uet_fep *fep, uint32_t receive)
{
    for (uint32_t id = fep->held_line.head; id; id = held_at(fep, id)->next) {
        struct held *h = held_at(fep, id);
        if (h->receive || !uet_receive_fits(&receive_at(fep, receive)->call, &h->request))
            continue;
        h->receive = receive;
        h->until = UET_FEP_NEVER; /* until the initiator has taken the RTR */
        receive_at(fep, receive)->held = id;
        ask_again(fep, h);
        return true;
    }
    return false;
}

/* The receive is free for others, in its old place among them. */
static void let_go(struct uet_fep *fep, uint32_t id)
{
    uint32_t receive = held_at(fep, id)->receive;
    COUNT(fep, ses_held_given_up);
    drop(fep, id);
    receive_at(fep, receive)->held = 0;
    uet_receive_offer(fep, receive);
}

static void look_at_time(struct uet_fep *fep)
{
    fep->held_deadline = UET_FEP_NEVER;
    for (uint32_t id = fep->held_line.head; id; id = held_at(fep, id)->next) {
        const struct held *h = held_at(fep, id);
        if (h->receive && h->until < fep->held_deadline)
            fep->held_deadline = h->until;
    }
}

void uet_held_told(struct uet_fep *fep, uint32_t token, bool accepted)
{
    uint32_t id = by_token(fep, token);
    if (!id) /* it has come again meanwhile */
        return;
    if (accepted)
        held_at(fep, id)->until = time_after(fep->now, fep->params.Deferral_Time);
    else
        let_go(fep, id);
    look_at_time(fep);
}

void uet_held_timer(struct uet_fep *fep)
{
    for (uint32_t id = fep->held_line.head; id;) {
        uint32_t next = held_at(fep, id)->next;
        if (held_at(fep, id)->receive && held_at(fep, id)->until <= fep->now)
            let_go(fep, id);
        id = next;
    }
    look_at_time(fep);
}

/* ---- it comes again ---- */

uint32_t uet_held_receive(const struct uet_fep *fep, const struct uet_packet *p,
                          const struct ses_request *r)
{
    const struct uet_ip from = uet_src_ip(p);
    uint32_t id = r->trt ? by_token(fep, r->trt) : 0;
    if (!r->trt) /* begun anew by itself, while the RTR is on its way */
        id = fep->held_line.head ? known(fep, &from, r) : 0;
    return id && same_send(held_at(fep, id), &from, r) ? held_at(fep, id)->receive : 0;
}

void uet_held_came(struct uet_fep *fep, uint32_t receive)
{
    drop(fep, receive_at(fep, receive)->held);
    receive_at(fep, receive)->held = 0;
    look_at_time(fep);
}

void uet_held_failed(struct uet_fep *fep, uint32_t receive)
{
    uint32_t id = receive_at(fep, receive)->held;
    if (!id)
        return;
    let_go(fep, id);
    look_at_time(fep);
}
