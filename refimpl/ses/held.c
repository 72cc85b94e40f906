/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sends that come before their receive and whose header this FEP keeps (3.4.3.6.2.1): deferrable
 * ones (3.4.3.4) and those by rendezvous. Their bytes are not kept. The first receive that fits
 * one, the oldest first, is promised to it. Of a deferrable one the initiator is told so by
 * UET_DEFERRABLE_RTR, and sends it once more; of a rendezvous all of it is read. A rendezvous that
 * has found its receive is here while the rest of it is read.
 */
#include "refimpl/ses/operation.h"
#include "refimpl/ses/ses.h"
#include "refimpl/tss/tss.h"

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
    return fep->held.free || (r->op->defers && known(fep, &from, r)) || stale(fep);
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

static uint32_t begin(struct uet_fep *fep, const struct uet_packet *p, const struct ses_request *r)
{
    uint32_t id = place_for(fep);
    *held_at(fep, id) = (struct held){.number = fep->n_came++,
                                      .token = ++fep->n_held << 16 | id,
                                      .from = uet_src_ip(p),
                                      .tss = uet_sd_of_packet(fep, p),
                                      .until = UET_FEP_NEVER};
    if (r->op->reads) {
        held_at(fep, id)->read = uet_rendezvous_address(p);
        held_at(fep, id)->comes = !r->som;
    }
    append(fep, id);
    COUNT(fep, ses_held);
    return id;
}

/* Its header: its token. */
static uint32_t keep(struct uet_fep *fep, const struct uet_packet *p, const struct ses_request *r)
{
    const struct uet_ip from = uet_src_ip(p);
    uint32_t id = r->op->defers ? known(fep, &from, r) : 0;
    if (id) /* still without receive: who has those that there were may be gone */
        uet_message_ask_holders(fep, r);
    else
        id = begin(fep, p, r);
    struct held *h = held_at(fep, id);
    h->request = *r;
    h->until = time_after(fep->now,
                          r->op->defers ? fep->params.Deferral_Time : fep->params.Rendezvous_Time);
    return h->token;
}

/* Less than it has will be changed: nothing, for now (SES-146, SES-157). */
void uet_held_answer(struct uet_fep *fep, const struct message *m, struct ses_plan *plan)
{
    const struct ses_answer answer = {
        .opcode = UET_RSP_RESPONSE,
        .list = UET_LIST_OVERFLOW,
        .return_code = UET_RC_OK,
        .message_id = plan->request.message_id,
        .job_id = plan->request.job_id,
    };
    if (!plan->held) {
        uet_deliver_answer(fep, m, plan);
        return;
    }
    uet_ses_response_write(plan->response, &answer);
    plan->guaranteed = true;
}

static void look_if_over(struct uet_fep *fep, uint32_t id);

/* The data is in the first packet, which need not come first: all may have been read by then. */
static void take_header_data(struct uet_fep *fep, uint32_t token, const struct ses_request *r)
{
    uint32_t id = r->som ? by_token(fep, token) : 0;
    if (!id)
        return;
    struct held *h = held_at(fep, id);
    h->request.hd = r->hd;
    h->request.header_data = r->header_data;
    h->comes = false;
    if (r->op->reads && h->receive)
        look_if_over(fep, id);
}

void uet_held_commit(struct uet_fep *fep, uint16_t pdc, const struct uet_packet *p,
                     const struct ses_plan *plan)
{
    const struct ses_request *r = &plan->request;
    uint32_t token = plan->message ? message_at(fep, plan->message)->held : keep(fep, p, r);
    if (plan->single)
        return;
    uint32_t id = plan->message ? plan->message : uet_message_new(fep, pdc, r);
    struct message *m = message_at(fep, id);
    m->held = token;
    take_header_data(fep, token, r);
    m->som_seen = m->som_seen || r->som;
    if (uet_ses_stops_deferred(m, r))
        m->carried = r->message_offset;
    m->received += r->counts;
    if (m->received >= m->carried)
        uet_message_end(fep, id);
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
    uet_ses_submit_own(fep, &call, r->irt, h);
}

/* Bytes of the message that the receive has room for. */
static uint32_t fitting(const struct uet_receive *v, const struct ses_request *r)
{
    uint64_t room = v->length > r->buffer_offset ? v->length - r->buffer_offset : 0;
    return r->length < room ? r->length : (uint32_t)room;
}

/* A receive that is too short for a rendezvous is none for it: nobody else would refuse it. */
static bool may_have(const struct held *h, const struct uet_receive *v)
{
    const struct ses_request *r = &h->request;
    uint32_t room = fitting(v, r);
    bool enough = !r->op->reads || room == r->length || (v->truncate && room);
    return !h->receive && enough && uet_receive_fits(v, r);
}

/* It has its receive: reads its bytes from `from` on. */
static void read_rest(struct uet_fep *fep, uint32_t id, uint32_t from)
{
    struct held *h = held_at(fep, id);
    h->is_read = true;
    uet_rendezvous_read(fep, h, from, h->length);
}

void uet_held_promise(struct uet_fep *fep, uint32_t id, uint32_t receive)
{
    struct held *h = held_at(fep, id);
    h->receive = receive;
    h->length = fitting(&receive_at(fep, receive)->call, &h->request);
    h->until = UET_FEP_NEVER; /* until it is known what becomes of it */
    if (h->request.op->reads) {
        read_rest(fep, id, 0);
        return;
    }
    receive_at(fep, receive)->held = id;
    /* Not for ever: the RTR may wait for a PDC that another message holds until it has a receive.
     */
    h->until = time_after(fep->now, fep->params.Deferral_Time);
    if (h->until < fep->held_deadline)
        fep->held_deadline = h->until;
    ask_again(fep, h);
}

uint32_t uet_held_find(const struct uet_fep *fep, uint32_t receive)
{
    for (uint32_t id = fep->held_line.head; id; id = held_at(fep, id)->next) {
        if (may_have(held_at(fep, id), &receive_at(fep, receive)->call))
            return id;
    }
    return 0;
}

uint32_t uet_held_number(const struct uet_fep *fep, uint32_t id)
{
    return held_at(fep, id)->number;
}

/* ---- a rendezvous with its receive: its own packets bring the eager part, a READ the rest ---- */

/* Of a rendezvous with a receive: where the bytes end that it is to have. */
static uint32_t ends_at(const struct uet_fep *fep, const struct ses_plan *plan)
{
    return fitting(&receive_at(fep, plan->receive)->call, &plan->request);
}

bool uet_held_lacks(const struct uet_fep *fep, const struct ses_plan *plan)
{
    return ends_at(fep, plan) > plan->request.carried && !fep->held.free && !stale(fep);
}

uint32_t uet_held_rest_begins(struct uet_fep *fep, const struct uet_packet *p,
                              const struct ses_plan *plan)
{
    const struct ses_request *r = &plan->request;
    uint32_t length = ends_at(fep, plan);
    if (length <= r->carried)
        return 0;
    uint32_t id = begin(fep, p, r);
    struct held *h = held_at(fep, id);
    h->request = *r;
    h->receive = plan->receive;
    h->length = length;
    h->comes = true;
    read_rest(fep, id, r->carried);
    return h->token;
}

/* Nothing is written to the receive any more, when both are over. */
static void look_if_over(struct uet_fep *fep, uint32_t id)
{
    const struct held *h = held_at(fep, id);
    const struct ses_request *r = &h->request;
    if (h->comes || h->is_read)
        return;
    const struct uet_completion what = {
        .status = h->status,
        .return_code = h->return_code,
        .job_id = r->job_id,
        .initiator = r->initiator,
        .match_bits = r->op->names == UET_RI_TAGGED ? r->key : 0,
        .length = h->status == UET_STATUS_OK ? h->length : 0,
        .has_header_data = r->hd,
        .header_data = r->hd ? r->header_data : 0,
        .peer = h->from,
    };
    uet_receive_complete(fep, h->receive, &what);
    drop(fep, id);
}

/* The first failure counts. */
static void note_end(struct held *h, const struct uet_completion *what)
{
    if (h->status != UET_STATUS_OK)
        return;
    h->status = what->status;
    h->return_code = what->return_code;
}

/* The eager part is in its receive. */
void uet_held_rest(struct uet_fep *fep, const struct uet_packet *p, const struct ses_plan *plan,
                   bool has_data, uint64_t header_data)
{
    const struct ses_op *op = plan->request.op;
    uint32_t token = plan->message ? message_at(fep, plan->message)->rest
                     : op->begins  ? op->begins(fep, p, plan)
                                   : 0;
    uint32_t id = by_token(fep, token);
    if (!id) {
        uet_ses_finished(fep, p, plan, has_data, header_data);
        return;
    }
    struct held *h = held_at(fep, id);
    h->request.hd = has_data;
    h->request.header_data = header_data;
    h->comes = false;
    look_if_over(fep, id);
}

bool uet_held_rest_fails(struct uet_fep *fep, uint32_t token, const struct uet_completion *what)
{
    uint32_t id = by_token(fep, token);
    if (!id)
        return false;
    held_at(fep, id)->comes = false;
    note_end(held_at(fep, id), what);
    look_if_over(fep, id);
    return true;
}

void uet_held_broken(struct uet_fep *fep, uint32_t token, const struct uet_completion *what)
{
    uint32_t id = by_token(fep, token);
    if (!id || !held_at(fep, id)->comes)
        return;
    if (held_at(fep, id)->receive) {
        uet_held_rest_fails(fep, token, what);
        return;
    }
    COUNT(fep, ses_held_given_up);
    drop(fep, id);
}

/* All of it has been read, or cannot be. */
static void has_read(struct uet_fep *fep, uint32_t id, const struct uet_completion *read)
{
    held_at(fep, id)->is_read = false;
    note_end(held_at(fep, id), read);
    look_if_over(fep, id);
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

void uet_held_told(struct uet_fep *fep, uint32_t token, const struct uet_completion *what)
{
    uint32_t id = by_token(fep, token);
    if (!id) /* it has come again meanwhile */
        return;
    if (held_at(fep, id)->request.op->reads)
        has_read(fep, id, what);
    else if (what->status == UET_STATUS_OK)
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
