/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sends that come before their receive and of which header and payload are kept (3.4.3.6.2.2), for
 * services that ask for it; FEPs that keep headers alone are here, too. Each packet is answered
 * with UET_NO_RESPONSE; when all has come and a receive is posted, the answer follows: it is
 * guaranteed, and its slot is taken with the first packet (SES-098, SES-099). A receive takes the
 * oldest message that it fits, in the order in which they began to arrive: on ROD that is the order
 * of their sending.
 */
#include "refimpl/ses/operation.h"
#include "refimpl/ses/ses.h"

static struct unexpected *kept_at(const struct uet_fep *fep, uint32_t id)
{
    return pool_item(&fep->unexpected, id);
}

/* ---- bytes: a chain of blocks, as they are all of one size ---- */

static struct unexpected_block *block_at(const struct uet_fep *fep, uint32_t id)
{
    return pool_item(&fep->unexpected_blocks, id);
}

static uint32_t blocks_for(const struct uet_fep *fep, uint32_t length)
{
    if (fep->law.ses.keeping.headers_only)
        return 0;
    return length / UNEXPECTED_BLOCK + (length % UNEXPECTED_BLOCK != 0);
}

static uint32_t take_blocks(struct uet_fep *fep, uint32_t n)
{
    uint32_t first = 0;
    while (n--) {
        uint32_t id = pool_get(&fep->unexpected_blocks);
        block_at(fep, id)->next = first;
        first = id;
    }
    return first;
}

static void give_blocks(struct uet_fep *fep, uint32_t id)
{
    while (id) {
        uint32_t next = block_at(fep, id)->next;
        pool_put(&fep->unexpected_blocks, id);
        id = next;
    }
}

/* `length` bytes from an offset on, which lie in the chain: in, or out of it. */
static void copy(const struct uet_fep *fep, uint32_t id, uint32_t offset, uint8_t *out,
                 const uint8_t *in, uint32_t length)
{
    for (; offset >= UNEXPECTED_BLOCK && id; offset -= UNEXPECTED_BLOCK)
        id = block_at(fep, id)->next;
    for (uint32_t done = 0, n; done < length && id; done += n, offset = 0) {
        uint8_t *at = block_at(fep, id)->bytes + offset;
        n = UNEXPECTED_BLOCK - offset;
        n = n < length - done ? n : length - done;
        if (in)
            memcpy(at, in + done, n);
        else if (out)
            memcpy(out + done, at, n);
        id = block_at(fep, id)->next;
    }
}

/* ---- the line of those that are kept ---- */

static void append(struct uet_fep *fep, uint32_t id)
{
    struct unexpected *u = kept_at(fep, id);
    u->next = 0;
    u->prev = fep->unexpected_line.tail;
    if (u->prev)
        kept_at(fep, u->prev)->next = id;
    else
        fep->unexpected_line.head = id;
    fep->unexpected_line.tail = id;
}

void uet_unexpected_drop(struct uet_fep *fep, uint32_t id)
{
    const struct unexpected *u = kept_at(fep, id);
    if (u->prev)
        kept_at(fep, u->prev)->next = u->next;
    else
        fep->unexpected_line.head = u->next;
    if (u->next)
        kept_at(fep, u->next)->prev = u->prev;
    else
        fep->unexpected_line.tail = u->prev;
    give_blocks(fep, u->blocks);
    pool_put(&fep->unexpected, id);
}

/* ---- a send without receive ---- */

/* Of the whole message, as its length stands in every packet. */
bool uet_unexpected_room(const struct uet_fep *fep, const struct uet_service *service,
                         const struct ses_request *r)
{
    const struct pool *blocks = &fep->unexpected_blocks;
    const struct ses_keeping *keeping = &fep->law.ses.keeping;
    bool keeps = service && (service->keeps_unexpected || keeping->everywhere);
    return keeps && fep->unexpected.free && blocks_for(fep, r->length) <= blocks->n - blocks->used;
}

/* Later it must be possible to answer it (SES-099). */
uint8_t uet_unexpected_lacks(const struct uet_fep *fep, const struct ses_plan *plan)
{
    return !plan->slot && !uet_pds_slot_free(fep, plan->ahead) ? UET_NACK_NO_GTD_DEL_AVAIL : 0;
}

/*
 * It has arrived, no more; with the last packet, the answer is owed, or given at once: so many
 * bytes are kept, and will be changed.
 */
void uet_unexpected_answer(const struct uet_fep *fep, const struct message *m,
                           struct ses_plan *plan)
{
    const struct ses_keeping *keeping = &fep->law.ses.keeping;
    const struct ses_request *r = &plan->request;
    bool whole = uet_ses_completes(m, r);
    struct ses_answer answer = {
        .opcode = UET_RSP_NO_RESPONSE,
        .list = UET_LIST_EXPECTED,
        .return_code = UET_RC_NULL,
        .message_id = r->message_id,
        .job_id = r->job_id,
    };
    plan->promised = whole && !keeping->told_at_once;
    plan->guaranteed = whole && keeping->told_at_once;
    if (plan->guaranteed) {
        answer.opcode = UET_RSP_RESPONSE;
        answer.list = UET_LIST_OVERFLOW;
        answer.return_code = UET_RC_OK;
        answer.modified_length = keeping->headers_only ? 0 : r->length;
    }
    uet_ses_response_write(plan->response, &answer);
}

static uint32_t begin(struct uet_fep *fep, uint16_t pdc, const struct uet_packet *p,
                      const struct ses_request *r)
{
    uint32_t id = pool_get(&fep->unexpected);
    struct unexpected *u = kept_at(fep, id);
    *u = (struct unexpected){.number = fep->n_came++,
                             .pdc = pdc,
                             .from = uet_src_ip(p),
                             .request = *r,
                             .blocks = take_blocks(fep, blocks_for(fep, r->length))};
    append(fep, id);
    COUNT(fep, ses_unexpected);
    return id;
}

/* The data is in the first packet, which need not come first. */
static void take_header_data(struct unexpected *u, const struct ses_request *r)
{
    if (!r->som)
        return;
    u->request.hd = r->hd;
    u->request.header_data = r->header_data;
}

/* More of it is to come; true: it was the last. */
static bool grows(struct uet_fep *fep, uint16_t pdc, uint32_t kept, const struct ses_plan *plan)
{
    const struct ses_request *r = &plan->request;
    uint32_t id = plan->message;
    if (!id) {
        id = uet_message_new(fep, pdc, r);
        message_at(fep, id)->slot = uet_pds_slot_take(fep);
    }
    struct message *m = message_at(fep, id);
    m->kept = kept;
    m->received += r->counts;
    m->offsets += r->message_offset;
    if (r->som) { /* for when the receive comes before the last packet */
        m->som_seen = true;
        m->has_header_data = r->hd;
        m->header_data = r->header_data;
    }
    if (!m->som_seen || m->received < m->carried) {
        kept_at(fep, kept)->message = id;
        return false;
    }
    COUNT(fep, ses_message_done);
    kept_at(fep, kept)->message = 0;
    uet_message_end(fep, id);
    return true;
}

void uet_unexpected_commit(struct uet_fep *fep, uint16_t pdc, const struct uet_packet *p,
                           const struct ses_plan *plan)
{
    const struct ses_request *r = &plan->request;
    uint32_t id = plan->message ? message_at(fep, plan->message)->kept : 0;
    if (!id)
        id = begin(fep, pdc, p, r);
    struct unexpected *u = kept_at(fep, id);
    take_header_data(u, r);
    copy(fep, u->blocks, r->message_offset, NULL, p->frame + p->payload_offset, r->counts);
    if (!plan->single && !grows(fep, pdc, id, plan))
        return;
    u->slot = plan->slot;
    if (plan->promised)
        ses_pdc_at(fep, pdc)->n_owed++;
    else
        u->pdc = 0;
}

/* ---- its receive ---- */

/* Bytes of it that the receive will have. */
static uint32_t fitting(const struct uet_fep *fep, const struct unexpected *u,
                        const struct uet_receive *v)
{
    const struct ses_request *r = &u->request;
    uint64_t room = v->length > r->buffer_offset ? v->length - r->buffer_offset : 0;
    if (fep->law.ses.keeping.headers_only)
        return 0;
    return r->length < room ? r->length : (uint32_t)room;
}

bool uet_unexpected_is_room(const struct uet_receive *v, const struct ses_request *r)
{
    return v->truncate || uet_ses_send_fits(v, r);
}

/* The answer that was promised, if it is still to be given. */
static void answer(struct uet_fep *fep, struct unexpected *u, uint8_t return_code,
                   uint32_t modified)
{
    uint8_t response[UET_SES_RSP_BYTES];
    const struct ses_answer answer = {
        .opcode = UET_RSP_RESPONSE,
        .list = UET_LIST_OVERFLOW,
        .return_code = return_code,
        .message_id = u->request.message_id,
        .job_id = u->request.job_id,
        .modified_length = modified,
    };
    if (!u->pdc)
        return;
    uet_ses_response_write(response, &answer);
    if (!--ses_pdc_at(fep, u->pdc)->n_owed && !uet_ses_receives(fep, u->pdc))
        uet_pds_messages_ended(fep, u->pdc);
    uet_pds_answer(fep, u->pdc, u->slot, response);
}

/* All of it goes into the receive, which completes. */
static void delivered(struct uet_fep *fep, uint32_t id, uint32_t receive)
{
    struct unexpected *u = kept_at(fep, id);
    const struct ses_request *r = &u->request;
    const struct uet_completion what = {
        .status = UET_STATUS_OK,
        .return_code = UET_RC_OK,
        .job_id = r->job_id,
        .initiator = r->initiator,
        .match_bits = r->op->names == UET_RI_TAGGED ? r->key : 0,
        .length = fitting(fep, u, &receive_at(fep, receive)->call),
        .has_header_data = r->hd,
        .header_data = r->hd ? r->header_data : 0,
        .peer = u->from,
    };
    uet_receive_complete(fep, receive, &what);
    answer(fep, u, UET_RC_OK, what.length);
}

/* Of what keeps its bytes the rest may come later. */
bool uet_unexpected_is_ready(const struct uet_fep *fep, const struct unexpected *u)
{
    return !u->message || !fep->law.ses.keeping.headers_only;
}

/* The oldest that the receive is for; 0: none. */
void uet_ses_asked(struct uet_fep *fep, uint16_t pdc)
{
    for (uint32_t id = fep->unexpected_line.head; id; id = kept_at(fep, id)->next) {
        if (kept_at(fep, id)->pdc == pdc)
            uet_message_ask_holders(fep, &kept_at(fep, id)->request);
    }
}

uint32_t uet_unexpected_find(const struct uet_fep *fep, uint32_t receive)
{
    const struct ses_keeping *keeping = &fep->law.ses.keeping;
    const struct uet_receive *v = &receive_at(fep, receive)->call;
    for (uint32_t id = fep->unexpected_line.head; id; id = kept_at(fep, id)->next) {
        const struct unexpected *u = kept_at(fep, id);
        const struct ses_request *r = &u->request;
        bool answered = !u->pdc; /* nobody would hear that it is too long */
        if (keeping->is_for(v, r) && (keeping->is_room(v, r) || !answered) &&
            keeping->is_ready(fep, u))
            return id;
    }
    return 0;
}

/* A message that is too long for the receive fails, as if it came now (SES-101). */
static void too_long(struct uet_fep *fep, uint32_t id)
{
    struct unexpected *u = kept_at(fep, id);
    if (u->message) {
        message_at(fep, u->message)->return_code = UET_RC_TOO_LONG;
        COUNT(fep, ses_message_failed);
        uet_unexpected_failed(fep, message_at(fep, u->message));
        return;
    }
    answer(fep, u, UET_RC_TOO_LONG, 0);
    COUNT(fep, ses_unexpected_lost);
    fep->law.ses.keeping.over(fep, id);
}

/* What has come of it is there; the rest, if any, goes where it belongs by itself. */
static void matched(struct uet_fep *fep, uint32_t id, uint32_t receive)
{
    struct unexpected *u = kept_at(fep, id);
    const struct ses_request *r = &u->request;
    const struct uet_receive *v = &receive_at(fep, receive)->call;
    uint32_t length = fitting(fep, u, v);
    if (length)
        copy(fep, u->blocks, 0, v->base + r->buffer_offset, NULL, length);
    COUNT(fep, ses_unexpected_matched);
    if (u->message) {
        message_at(fep, u->message)->receive = receive;
        message_at(fep, u->message)->kept = 0;
        message_at(fep, u->message)->overflow = true;
    } else {
        delivered(fep, id, receive);
    }
    fep->law.ses.keeping.over(fep, id);
}

bool uet_unexpected_takes(struct uet_fep *fep, uint32_t id, uint32_t receive)
{
    const struct uet_receive *v = &receive_at(fep, receive)->call;
    if (!fep->law.ses.keeping.is_room(v, &kept_at(fep, id)->request)) {
        too_long(fep, id);
        return false;
    }
    matched(fep, id, receive);
    return true;
}

uint32_t uet_unexpected_number(const struct uet_fep *fep, uint32_t id)
{
    return kept_at(fep, id)->number;
}

/* ---- it ends otherwise ---- */

void uet_unexpected_failed(struct uet_fep *fep, struct message *m)
{
    if (m->slot)
        uet_pds_slot_drop(fep, m->slot);
    m->slot = 0;
    if (!m->kept)
        return;
    COUNT(fep, ses_unexpected_lost);
    fep->law.ses.keeping.over(fep, m->kept);
    m->kept = 0;
}

/* closed: its initiator takes what was promised for done. */
void uet_unexpected_abandon(struct uet_fep *fep, uint16_t pdc, bool closed)
{
    if (!ses_pdc_at(fep, pdc)->n_owed)
        return;
    for (uint32_t id = fep->unexpected_line.head, next; id; id = next) {
        next = kept_at(fep, id)->next;
        if (kept_at(fep, id)->pdc != pdc || kept_at(fep, id)->message)
            continue; /* of what has not come whole the message says so itself */
        kept_at(fep, id)->pdc = 0;
        if (closed)
            continue;
        COUNT(fep, ses_unexpected_lost);
        fep->law.ses.keeping.over(fep, id);
    }
    ses_pdc_at(fep, pdc)->n_owed = 0;
}
