/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Requests whose bytes go into a buffer of the target -- WRITE, SEND, datagrams -- or that have
 * none (NO_OP): form, placement, response, completion (3.4.3, 3.4.5).
 */
#include "refimpl/ses/operation.h"
#include "refimpl/ses/ses.h"

/* ---- form ---- */

void uet_deliver_size(const struct uet_fep *fep, const struct uet_packet *p, struct ses_request *r)
{
    (void)fep;
    r->counts = r->payload < p->payload_len ? r->payload : p->payload_len;
}

/* As many bytes as its header says (SES-046). */
uint8_t uet_deliver_check(const struct uet_fep *fep, const struct uet_packet *p,
                          const struct ses_request *r)
{
    (void)fep;
    return r->payload <= p->payload_len ? UET_RC_OK : UET_RC_OP_VIOLATION;
}

/* One packet without bytes (SES-029). */
uint8_t uet_no_op_check(const struct uet_fep *fep, const struct uet_packet *p,
                        const struct ses_request *r)
{
    (void)fep;
    bool empty = r->som && r->eom && !p->payload_len && !r->length;
    return empty ? UET_RC_OK : UET_RC_UNSUPPORTED_SIZE;
}

/* ---- planning ---- */

/* Where the bytes go: base + buffer_offset + message_offset (SES-013), at most to the end. */
void uet_deliver_plan(struct uet_fep *fep, const struct uet_packet *p, struct ses_plan *plan)
{
    const struct ses_request *r = &plan->request;
    uint8_t *base = NULL;
    uint64_t size = 0;
    (void)p;
    if (plan->region) {
        base = uet_region_at(fep, plan->region)->base;
        size = uet_region_at(fep, plan->region)->length;
    } else if (plan->receive) {
        base = receive_at(fep, plan->receive)->call.base;
        size = receive_at(fep, plan->receive)->call.length;
    }
    uint64_t at = r->buffer_offset + r->message_offset;
    if (at >= size)
        return; /* nothing of this packet fits: a truncated send, or no bytes at all */
    plan->to = base + at;
    plan->length = r->counts < size - at ? r->counts : (uint32_t)(size - at);
}

bool uet_ses_completes(const struct message *m, const struct ses_request *r)
{
    if (!m)
        return r->som && r->eom;
    return m->received + (uint64_t)r->payload >= m->carried && (m->som_seen || r->som);
}

/* Bytes that the message will change; fewer than it has when its receive is too short. */
static uint32_t modified_length(const struct uet_fep *fep, const struct ses_request *r,
                                uint32_t receive)
{
    if (!receive)
        return r->length;
    const struct uet_receive *v = &receive_at(fep, receive)->call;
    if (uet_ses_send_fits(v, r))
        return r->length;
    return v->length > r->buffer_offset ? (uint32_t)(v->length - r->buffer_offset) : 0;
}

/* Of what is no error truncation alone is worth a guarantee (SES-102, SES-118). */
bool uet_ses_truncation_is_news(const struct ses_request *r, uint32_t modified)
{
    return modified != r->length;
}

bool uet_ses_every_end_is_news(const struct ses_request *r, uint32_t modified)
{
    (void)r, (void)modified;
    return true;
}

void uet_deliver_answer(struct uet_fep *fep, const struct message *m, struct ses_plan *plan)
{
    const struct ses_request *r = &plan->request;
    uint32_t modified = modified_length(fep, r, plan->receive);
    bool overflow = m && m->overflow;
    bool news = uet_ses_completes(m, r) && (overflow || fep->law.ses.is_news(r, modified));
    if (plan->kept) {
        uet_unexpected_answer(fep, m, plan);
        return;
    }
    const struct ses_answer answer = {
        .opcode = news ? UET_RSP_RESPONSE : UET_RSP_DEFAULT_RESPONSE,
        .list = news && overflow ? UET_LIST_OVERFLOW : UET_LIST_EXPECTED,
        .return_code = UET_RC_OK,
        .message_id = r->message_id,
        .job_id = r->job_id,
        .modified_length = modified,
    };
    uet_ses_response_write(plan->response, &answer);
    plan->guaranteed = news;
}

/* A WRITE with header data needs a place for its completion (SES-068). */
uint8_t uet_write_lacks(struct uet_fep *fep, const struct message *m, const struct ses_plan *plan)
{
    const struct ses_request *r = &plan->request;
    bool has_data = m && m->som_seen ? m->has_header_data : r->hd;
    return has_data && uet_ses_completes(m, r) && !uet_completion_room_for_write(fep)
               ? UET_NACK_NO_RESOURCE
               : 0;
}

/* ---- doing ---- */

static struct uet_completion completion_of(const struct uet_packet *p, const struct ses_plan *plan,
                                           uint32_t length)
{
    return (struct uet_completion){
        .status = UET_STATUS_OK,
        .return_code = UET_RC_OK,
        .job_id = plan->request.job_id,
        .initiator = plan->request.initiator,
        .match_bits = plan->request.op->names == UET_RI_TAGGED ? plan->request.key : 0,
        .length = length,
        .peer = uet_src_ip(p),
    };
}

void uet_ses_finished(struct uet_fep *fep, const struct uet_packet *p, const struct ses_plan *plan,
                      bool has_data, uint64_t header_data)
{
    uint32_t length = modified_length(fep, &plan->request, plan->receive);
    /* The operands of an atomic are no bytes of the receive. */
    if (length > plan->request.touches)
        length = plan->request.touches;
    struct uet_completion what = completion_of(p, plan, length);
    what.has_header_data = has_data;
    what.header_data = has_data ? header_data : 0;
    if (plan->receive) {
        uet_receive_complete(fep, plan->receive, &what);
    } else if (plan->region && has_data) {
        what.kind = UET_COMPLETION_WRITE; /* a plain WRITE makes none (SES-068) */
        what.token = plan->region - 1;
        uet_completion_push(fep, &what);
    }
}

/* All that its packets bring is there. */
static void finished(struct uet_fep *fep, const struct uet_packet *p, const struct ses_plan *plan,
                     bool has_data, uint64_t header_data)
{
    const struct ses_op *op = plan->request.op;
    (op->finished ? op->finished : uet_ses_finished)(fep, p, plan, has_data, header_data);
}

/* The first error of a message ends its receive, too. */
void uet_ses_message_failed(struct uet_fep *fep, const struct uet_packet *p,
                            const struct ses_plan *plan, struct message *m)
{
    if (m->return_code != UET_RC_OK)
        return;
    m->return_code = plan->return_code;
    COUNT(fep, ses_message_failed);
    uet_unexpected_failed(fep, m);
    if (!m->receive)
        return;
    struct uet_completion what = completion_of(p, plan, m->received);
    what.status = UET_STATUS_SES_ERROR;
    what.return_code = plan->return_code;
    uet_message_receive_fails(fep, m, &what);
}

/* One more packet of the message; true: it was the last. */
static bool message_grows(struct uet_fep *fep, struct message *m, const struct uet_packet *p,
                          const struct ses_plan *plan)
{
    const struct ses_request *r = &plan->request;
    m->receive = plan->receive;
    if (r->som) {
        m->som_seen = true;
        m->has_header_data = r->hd;
        m->header_data = r->header_data;
    }
    if (!m->som_seen || m->received < m->carried)
        return false;
    COUNT(fep, ses_message_done);
    finished(fep, p, plan, m->has_header_data, m->header_data);
    return true;
}

static void commit_message(struct uet_fep *fep, uint16_t pdc, const struct uet_packet *p,
                           const struct ses_plan *plan)
{
    uint32_t id = plan->message ? plan->message : uet_message_new(fep, pdc, &plan->request);
    struct message *m = message_at(fep, id);
    bool done;
    m->received += plan->request.counts;
    m->offsets += plan->request.message_offset;
    if (plan->return_code == UET_RC_OK) {
        done = message_grows(fep, m, p, plan);
    } else {
        uet_ses_message_failed(fep, p, plan, m);
        done = m->received >= m->carried;
    }
    if (done)
        uet_message_end(fep, id);
}

void uet_ses_deliver_bytes(struct uet_fep *fep, const struct uet_packet *p,
                           const struct ses_plan *plan)
{
    if (plan->length)
        memcpy(plan->to, p->frame + p->payload_offset, plan->length);
    /* The receive belongs to this message from its first packet on. */
    if (plan->receive && !(plan->message && message_at(fep, plan->message)->receive))
        uet_receive_take(fep, plan->receive);
}

void uet_deliver_commit(struct uet_fep *fep, uint16_t pdc, const struct uet_packet *p,
                        const struct ses_plan *plan)
{
    const struct ses_request *r = &plan->request;
    bool good = plan->return_code == UET_RC_OK;
    if (plan->kept && good) {
        uet_unexpected_commit(fep, pdc, p, plan);
        return;
    }
    if (good)
        uet_ses_deliver_bytes(fep, p, plan);
    if (!plan->single)
        commit_message(fep, pdc, p, plan);
    else if (good)
        finished(fep, p, plan, r->hd, r->header_data);
}

/* ---- the initiator ---- */

bool uet_no_op_valid(const struct uet_fep *fep, const struct uet_operation *call)
{
    (void)fep;
    return !call->length;
}

bool uet_deliver_valid(const struct uet_fep *fep, const struct uet_operation *call)
{
    (void)fep;
    return !call->length || call->data;
}

/* One packet (SES-036). */
bool uet_datagram_valid(const struct uet_fep *fep, const struct uet_operation *call)
{
    return call->length <= fep->config.payload_mtu && uet_deliver_valid(fep, call);
}

void uet_deliver_write(const struct operation *op, const struct ses_segment *seg,
                       struct uet_build *b)
{
    if (seg->length)
        uet_build_payload(b, op->call.data + seg->offset, seg->length);
}
