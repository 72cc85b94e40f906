/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Requests executed: form, message, addressing, placement, and the response (3.4.3, 3.4.5).
 * Errors are sticky per message (SES-116) and touch no other message (SES-115).
 */
#include "refimpl/ses/ses.h"

/* ---- judging ---- */

/* The form of a packet: what its flags and lengths must be (SES-015, 029, 045..047). */
uint8_t uet_ses_check_form(struct uet_fep *fep, const struct uet_packet *p,
                           const struct ses_request *r)
{
    bool single = r->som && r->eom;
    if (r->opcode == UET_OP_NO_OP)
        return (single && !p->payload_len && !r->length) || UET_VIOLATES(fep, SES_029)
                   ? UET_RC_OK
                   : UET_RC_UNSUPPORTED_SIZE;
    if (r->small && !single)
        return UET_RC_OP_VIOLATION;
    if (r->opcode == UET_OP_READ && (p->payload_len || r->payload > fep->config.payload_mtu))
        return UET_RC_OP_VIOLATION;
    if (r->opcode != UET_OP_READ && r->payload > p->payload_len && !UET_VIOLATES(fep, SES_046))
        return UET_RC_OP_VIOLATION;
    if (r->som && !UET_VIOLATES(fep, SES_045)) {
        uint32_t mtu = fep->config.payload_mtu;
        uint32_t whole = r->eom ? r->length : mtu;
        if (r->payload != whole || (!r->eom && r->length <= mtu))
            return UET_RC_OP_VIOLATION;
    }
    uint64_t end = (uint64_t)r->message_offset + r->payload;
    if (UET_VIOLATES(fep, SES_047_WRAP))
        end = (uint32_t)end;
    if ((end > r->length || (r->eom && end != r->length)) && !UET_VIOLATES(fep, SES_047))
        return UET_RC_OP_VIOLATION;
    return UET_RC_OK;
}

/* A packet agrees with the message that it continues (SES-048). */
static uint8_t check_same(struct uet_fep *fep, const struct message *m, const struct ses_request *r)
{
    if (m->opcode != r->opcode || m->length != r->length)
        return UET_RC_OP_VIOLATION;
    if (m->key != r->key && !UET_VIOLATES(fep, SES_048))
        return UET_RC_PERM_VIOLATION;
    return UET_RC_OK;
}

static uint8_t judge(struct uet_fep *fep, const struct uet_packet *p, const struct ses_request *r,
                     const struct message *m, struct ses_found *found)
{
    uint8_t code = UET_RC_OK;
    *found = (struct ses_found){.return_code = UET_RC_OK};
    if (m && m->return_code != UET_RC_OK && !UET_VIOLATES(fep, SES_116))
        return m->return_code;
    if (r->version)
        return UET_RC_UNCOR; /* Table 3-19 has no code of its own (SES-004) */
    if (m)
        code = check_same(fep, m, r);
    if (code == UET_RC_OK && r->ie)
        code = UET_RC_INITIATOR_ERROR;
    if (code != UET_RC_OK)
        return code;
    uet_ses_address(fep, r, m && m->receive, found);
    if (found->return_code == UET_RC_BAD_MKEY && UET_VIOLATES(fep, SES_063))
        return UET_RC_OK;
    if (found->return_code == UET_RC_NO_MATCH && UET_VIOLATES(fep, SES_096))
        return UET_RC_OK;
    if (found->return_code != UET_RC_OK)
        return found->return_code;
    if (!m && !r->som && UET_VIOLATES(fep, SES_049))
        return UET_RC_OP_VIOLATION;
    if (m && m->received != r->message_offset && UET_VIOLATES(fep, SES_044))
        return UET_RC_OP_VIOLATION;
    return uet_ses_check_form(fep, p, r);
}

/* ---- planning ---- */

/* Where the bytes go: base + buffer_offset + message_offset (SES-013), at most to the end. */
void uet_ses_place(struct uet_fep *fep, const struct ses_request *r, struct ses_plan *plan)
{
    uint8_t *base = NULL;
    uint64_t size = 0;
    if (plan->region) {
        base = fep->regions[plan->region - 1].base;
        size = fep->regions[plan->region - 1].length;
    } else if (plan->receive) {
        base = receive_at(fep, plan->receive)->call.base;
        size = receive_at(fep, plan->receive)->call.length;
    }
    uint64_t at = r->buffer_offset + (UET_VIOLATES(fep, SES_013) ? 0 : r->message_offset);
    if (UET_VIOLATES(fep, SES_047_WRAP))
        at = (uint32_t)at;
    if (at >= size)
        return; /* nothing of this packet fits: a truncated send, or no bytes at all */
    plan->to = base + at;
    plan->length = plan->counts < size - at ? plan->counts : (uint32_t)(size - at);
}

static bool completes(const struct message *m, const struct ses_request *r)
{
    if (!m)
        return r->som && r->eom;
    return m->received + (uint64_t)r->payload >= m->length && (m->som_seen || r->som);
}

/* Bytes that the message will change; fewer than it has when its receive is too short. */
uint32_t uet_ses_modified_length(struct uet_fep *fep, const struct ses_request *r,
                                 const struct ses_plan *plan)
{
    if (!plan->receive)
        return r->length;
    const struct uet_receive *v = &receive_at(fep, plan->receive)->call;
    if (uet_ses_send_fits(v, r))
        return r->length;
    return v->length > r->buffer_offset ? (uint32_t)(v->length - r->buffer_offset) : 0;
}

void uet_ses_answer_error(const struct ses_request *r, const struct ses_found *found,
                          struct ses_plan *plan)
{
    bool generation = plan->return_code == UET_RC_BAD_GENERATION;
    const struct ses_answer answer = {
        .opcode = UET_RSP_RESPONSE,
        .list = UET_LIST_EXPECTED,
        .return_code = plan->return_code,
        .message_id = r->message_id,
        .ri_generation = generation ? found->ri_generation : r->ri_generation,
        .job_id = r->job_id,
    };
    uet_ses_response_write(plan->response, &answer);
    plan->guaranteed = true;
}

void uet_ses_answer_success(struct uet_fep *fep, const struct message *m,
                            const struct ses_request *r, struct ses_plan *plan)
{
    uint32_t modified = uet_ses_modified_length(fep, r, plan);
    bool last = completes(m, r);
    /* Truncation is news (SES-102); of the rest, what is worth a guarantee is the FEP's to say. */
    bool news = last && (modified != r->length || fep->config.choices.guarantees_all);
    const struct ses_answer answer = {
        .opcode = news ? UET_RSP_RESPONSE : UET_RSP_DEFAULT_RESPONSE,
        .list = UET_LIST_EXPECTED,
        .return_code = UET_RC_OK,
        .message_id = r->message_id,
        .job_id = r->job_id,
        .modified_length = modified,
    };
    uet_ses_response_write(plan->response, &answer);
    plan->guaranteed = news;
}

/* State that the packet needs and that may be lacking (SES-130). */
static uint8_t lacking(struct uet_fep *fep, const struct message *m, const struct ses_request *r,
                       bool ahead, const struct ses_plan *plan)
{
    bool has_data = m && m->som_seen ? m->has_header_data : r->hd;
    if (!plan->single && !m && !pool_has(&fep->messages, ahead))
        return UET_NACK_NO_SES_MSG_AVAIL;
    if (plan->return_code == UET_RC_OK && r->opcode == UET_OP_WRITE && has_data &&
        completes(m, r) && !uet_completion_room_for_write(fep))
        return UET_NACK_NO_RESOURCE;
    return 0;
}

bool uet_ses_lacks_resource(struct uet_fep *fep, const struct uet_packet *p, bool part)
{
    struct ses_request r;
    struct ses_found found;
    struct ses_plan plan = {0};
    if (!uet_is_ses_request(p) || (uet_completion_room_for_write(fep) && part))
        return false;
    uet_ses_request_read(p, &r);
    plan.single = r.som && r.eom;
    plan.return_code = judge(fep, p, &r, NULL, &found);
    if (r.opcode == UET_OP_READ)
        return r.length && !part;
    return lacking(fep, NULL, &r, false, &plan) == UET_NACK_NO_RESOURCE;
}

void uet_ses_check(struct uet_fep *fep, uint16_t pdc, const struct uet_packet *p, bool ahead,
                   struct ses_plan *plan)
{
    struct ses_request r;
    struct ses_found found;
    *plan = (struct ses_plan){.return_code = UET_RC_OK};
    if (!uet_is_ses_request(p)) /* next_hdr NONE: a packet that only the PDS sees */
        return;
    uet_ses_request_read(p, &r);
    uet_ses_request_asks(fep, p, &r);
    bool read = r.opcode == UET_OP_READ;
    plan->has_response = true;
    plan->single = (r.som && r.eom) || read;
    if (!plan->single)
        plan->message = uet_message_find(fep, pdc, r.message_id);
    const struct message *m = plan->message ? message_at(fep, plan->message) : NULL;
    plan->counts = r.payload < p->payload_len || read ? r.payload : p->payload_len;
    if (!read && UET_VIOLATES(fep, SES_047))
        plan->counts = p->payload_len;
    plan->return_code = judge(fep, p, &r, m, &found);
    plan->nack = lacking(fep, m, &r, ahead, plan);
    if (read && ahead && UET_VIOLATES(fep, SES_073))
        plan->return_code = UET_RC_OP_VIOLATION;
    if (plan->return_code != UET_RC_OK) {
        uet_ses_answer_error(&r, &found, plan);
        plan->guaranteed = !(read && UET_VIOLATES(fep, SES_084));
        return;
    }
    plan->region = found.region;
    plan->receive = m && m->receive ? m->receive : found.receive;
    uet_ses_place(fep, &r, plan);
    uet_ses_answer_success(fep, m, &r, plan);
    if (read)
        uet_ses_serve(fep, p, &r, plan);
}

/* ---- doing ---- */

static struct uet_completion completion_of(struct uet_fep *fep, uint16_t pdc,
                                           const struct ses_request *r, uint32_t length)
{
    return (struct uet_completion){
        .status = UET_STATUS_OK,
        .return_code = UET_RC_OK,
        .job_id = r->job_id,
        .initiator = r->initiator,
        .length = length,
        .peer = *uet_pds_peer(fep, pdc),
    };
}

static void finished(struct uet_fep *fep, uint16_t pdc, const struct ses_request *r,
                     uint32_t region, uint32_t receive, bool has_data, uint64_t header_data)
{
    const struct ses_plan where = {.receive = receive};
    struct uet_completion what =
        completion_of(fep, pdc, r, uet_ses_modified_length(fep, r, &where));
    what.has_header_data = has_data;
    what.header_data = has_data ? header_data : 0;
    if (receive) {
        what.has_header_data = has_data && !UET_VIOLATES(fep, SES_174);
        if (has_data && UET_VIOLATES(fep, SES_174_TWICE)) {
            what.kind = UET_COMPLETION_RECEIVE;
            what.token = receive_at(fep, receive)->call.token;
            uet_completion_push(fep, &what);
        }
        uet_receive_complete(fep, receive, &what);
    } else if (region && has_data && !UET_VIOLATES(fep, SES_068)) {
        what.kind = UET_COMPLETION_WRITE; /* a plain WRITE makes none (SES-068) */
        what.token = region - 1;
        uet_completion_push(fep, &what);
    }
}

/* The first error of a message ends its receive, too. */
static void message_failed(struct uet_fep *fep, uint16_t pdc, struct message *m,
                           const struct ses_request *r, uint8_t code)
{
    if (m->return_code != UET_RC_OK)
        return;
    m->return_code = code;
    COUNT(fep, ses_message_failed);
    if (!m->receive)
        return;
    struct uet_completion what = completion_of(fep, pdc, r, m->received);
    what.status = UET_STATUS_SES_ERROR;
    what.return_code = code;
    uet_receive_complete(fep, m->receive, &what);
    m->receive = 0;
}

static void fail_others(struct uet_fep *fep, uint16_t pdc, const struct ses_request *r,
                        uint8_t code)
{
    for (uint32_t id = ses_pdc_at(fep, pdc)->messages; id; id = message_at(fep, id)->next)
        message_failed(fep, pdc, message_at(fep, id), r, code);
}

static void commit_message(struct uet_fep *fep, uint16_t pdc, const struct ses_request *r,
                           const struct ses_plan *plan)
{
    uint32_t id = plan->message ? plan->message : uet_message_new(fep, pdc, r);
    struct message *m = message_at(fep, id);
    bool done;
    m->received += plan->counts;
    if (plan->return_code != UET_RC_OK) {
        message_failed(fep, pdc, m, r, plan->return_code);
        done = m->received >= m->length;
    } else {
        m->region = plan->region;
        m->receive = plan->receive;
        if (r->som) {
            m->som_seen = true;
            m->has_header_data = r->hd;
            m->header_data = r->header_data;
        }
        if (r->hd && m->region && UET_VIOLATES(fep, SES_068_EARLY)) {
            finished(fep, pdc, r, m->region, 0, true, r->header_data);
            m->has_header_data = false;
        }
        if (!r->som && UET_VIOLATES(fep, SES_068_EOM))
            m->header_data = (uint64_t)r->payload << 32 | r->message_offset;
        done =
            (m->som_seen && m->received >= m->length) || (r->eom && UET_VIOLATES(fep, SES_044_EOM));
        if (done) {
            COUNT(fep, ses_message_done);
            finished(fep, pdc, r, m->region, m->receive, m->has_header_data, m->header_data);
        }
    }
    if (done)
        uet_message_end(fep, id);
}

void uet_ses_commit(struct uet_fep *fep, uint16_t pdc, const struct uet_packet *p,
                    const struct ses_plan *plan)
{
    struct ses_request r;
    if (!plan->has_response)
        return;
    bool received = uet_ses_receives(fep, pdc);
    uet_ses_request_read(p, &r);
    if (r.opcode == UET_OP_READ)
        ses_pdc_at(fep, pdc)->reading = !r.eom && plan->return_code == UET_RC_OK;
    if (plan->return_code != UET_RC_OK) {
        COUNT(fep, ses_refused);
        if (UET_VIOLATES(fep, SES_115))
            fail_others(fep, pdc, &r, plan->return_code);
    } else {
        COUNT(fep, ses_executed);
        if (plan->length)
            memcpy(plan->to, p->frame + p->payload_offset, plan->length);
        /* The receive belongs to this message from its first packet on. */
        if (plan->receive && !(plan->message && message_at(fep, plan->message)->receive))
            uet_receive_take(fep, plan->receive);
    }
    if (!plan->single)
        commit_message(fep, pdc, &r, plan);
    else if (plan->return_code == UET_RC_OK && r.opcode != UET_OP_READ)
        finished(fep, pdc, &r, plan->region, plan->receive, r.hd, r.header_data);
    if (received && !uet_ses_receives(fep, pdc))
        uet_pds_messages_ended(fep, pdc);
}
