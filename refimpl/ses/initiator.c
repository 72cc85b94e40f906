/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Operations on their way out: message_id, segmentation (SES-041), requests, and what the
 * responses make of them (SES-110, 3.4.5).
 */
#include <errno.h>

#include "refimpl/ses/operation.h"
#include "refimpl/ses/ses.h"

#define JOB_ID_MAX          0xffffffu
#define SHORT_MAX           8192u /* small and medium messages (SES-016) */
#define KEY_OPTIMIZED       (1ull << 62)
#define KEY_IDEMPOTENT_SAFE (1ull << 63) /* a region that RUDI may write to (Table 2-13) */

#define RETRY_MIN_NS    50000000ull /* the consortium's provider waits 50..100 ms */
#define RETRY_SPREAD_NS 50000000ull

/* ---- message ids: 16 bits, not 0, each live once (SES-030, SES-034) ---- */

static bool id_live(const struct uet_fep *fep, uint16_t id)
{
    return fep->message_ids[id / 64] >> (id % 64) & 1;
}

static void id_set(struct uet_fep *fep, uint16_t id, bool live)
{
    uint64_t mask = 1ull << (id % 64);
    if (live)
        fep->message_ids[id / 64] |= mask;
    else
        fep->message_ids[id / 64] &= ~mask;
}

/* Fewer operations than ids can be live, so the search ends. */
static uint16_t id_take(struct uet_fep *fep)
{
    do {
        fep->next_message_id++;
    } while (!fep->next_message_id || id_live(fep, fep->next_message_id));
    id_set(fep, fep->next_message_id, true);
    return fep->next_message_id;
}

/* ---- lists ---- */

static void list_append(struct uet_fep *fep, uint32_t *head, uint32_t *tail, uint32_t id)
{
    struct operation *op = op_at(fep, id);
    op->next = 0;
    op->prev = *tail;
    if (*tail)
        op_at(fep, *tail)->next = id;
    else
        *head = id;
    *tail = id;
}

static void list_remove(struct uet_fep *fep, uint32_t *head, uint32_t *tail, uint32_t id)
{
    struct operation *op = op_at(fep, id);
    if (op->prev)
        op_at(fep, op->prev)->next = op->next;
    else
        *head = op->next;
    if (op->next)
        op_at(fep, op->next)->prev = op->prev;
    else
        *tail = op->prev;
    op->next = op->prev = 0;
}

/* The first operation of the PDC that still has something to send. */
static void find_next(struct uet_fep *fep, struct ses_pdc *pdc)
{
    while (pdc->op_next && op_at(fep, pdc->op_next)->state == OP_SENT)
        pdc->op_next = op_at(fep, pdc->op_next)->next;
}

static void leave_pdc(struct uet_fep *fep, uint32_t id)
{
    uint16_t pdcid = op_at(fep, id)->pdc;
    struct ses_pdc *pdc = ses_pdc_at(fep, pdcid);
    if (pdc->op_next == id)
        pdc->op_next = op_at(fep, id)->next;
    pdc->n_ops--;
    list_remove(fep, &pdc->ops_head, &pdc->ops_tail, id);
    find_next(fep, pdc);
    op_at(fep, id)->pdc = 0;
    if (pdc->op_next) /* what it may have waited for is over */
        uet_pds_tx_request(fep, pdcid);
}

static void wait_for_pdc(struct uet_fep *fep, uint32_t id, uint64_t not_before)
{
    struct operation *op = op_at(fep, id);
    op->state = OP_WAITING;
    op->not_before = not_before;
    op->sent = op->unacked = op->n_have = 0;
    op->have = 0;
    op->modified_known = op->no_response = false;
    list_append(fep, &fep->waiting_head, &fep->waiting_tail, id);
    fep->dispatch = true;
}

static void queue(struct uet_fep *fep, uint16_t pdcid, uint32_t id)
{
    struct operation *op = op_at(fep, id);
    struct ses_pdc *pdc = ses_pdc_at(fep, pdcid);
    op->state = OP_QUEUED;
    op->pdc = pdcid;
    pdc->n_ops++;
    list_append(fep, &pdc->ops_head, &pdc->ops_tail, id);
    if (!pdc->op_next)
        pdc->op_next = id;
}

/* ---- submit ---- */

static bool short_form_fits(const struct uet_fep *fep, const struct uet_operation *call)
{
    if (call->header == UET_OP_HEADER_STD)
        return true;
    if (call->length > SHORT_MAX || call->length > fep->config.payload_mtu)
        return false;
    if (call->header == UET_OP_HEADER_MEDIUM) /* one place for header data and offset */
        return !(call->has_header_data && call->buffer_offset);
    /* Small: no header data, no key but an optimized one that says what the RI says (SES-018). */
    bool key_fits = uet_ses_op(fep, call->opcode)->names != UET_RI_RMA ||
                    (call->key & KEY_OPTIMIZED && (call->key & 0xfff) == call->resource_index);
    return !call->has_header_data && key_fits;
}

/* What each mode carries (SES-038, SES-085). */
static bool mode_fits(const struct uet_fep *fep, const struct uet_operation *call)
{
    if (call->mode > UET_MODE_UUD || !(uet_ses_op(fep, call->opcode)->starts & SES_ON(call->mode)))
        return false;
    if (call->mode == UET_MODE_RUDI) /* completion data is no idempotent thing */
        return call->key & KEY_IDEMPOTENT_SAFE && !call->has_header_data;
    return call->mode != UET_MODE_UUD || call->length <= fep->config.payload_mtu; /* SES-036 */
}

/* The bytes that it sends, and the place for those that it fetches. */
static bool data_fits(const struct uet_fep *fep, const struct uet_operation *call)
{
    uint8_t data = uet_ses_op(fep, call->opcode)->data;
    return !call->length ||
           (data && (!(data & SES_SENDS) || call->data) && (!(data & SES_FETCHES) || call->into));
}

static bool valid(const struct uet_fep *fep, const struct uet_operation *call)
{
    const struct ses_op *op = uet_ses_op(fep, call->opcode);
    if (!mode_fits(fep, call) || call->to.version != fep->config.address.version ||
        call->header > UET_OP_HEADER_MEDIUM || !(op->forms & SES_FORM(call->header)))
        return false;
    if (call->job_id > JOB_ID_MAX || call->pid_on_fep > 0xfff || call->resource_index > 0xfff)
        return false;
    if (!data_fits(fep, call) || (call->has_header_data && !op->header_data))
        return false;
    return short_form_fits(fep, call);
}

/* RUDI and UUD need no PDC, so nothing to wait for (PDS-174, PDS-181). */
static void place_without_pdc(struct uet_fep *fep, uint32_t id)
{
    struct operation *op = op_at(fep, id);
    list_remove(fep, &fep->waiting_head, &fep->waiting_tail, id);
    if (op->call.mode == UET_MODE_RUDI) {
        queue(fep, NO_PDC, id);
        return;
    }
    op->state = OP_QUEUED;
    op->return_code = UET_RC_NULL; /* nobody will say anything about it */
    list_append(fep, &fep->uud_head, &fep->uud_tail, id);
}

/* Would it go before another ROD message of its tuple that has to be retried on a new PDC? */
static bool overtakes(struct uet_fep *fep, uint32_t id)
{
    const struct uet_operation *call = &op_at(fep, id)->call;
    if (call->mode != UET_MODE_ROD)
        return false;
    for (uint32_t i = fep->waiting_head; i && i != id; i = op_at(fep, i)->next) {
        const struct uet_operation *other = &op_at(fep, i)->call;
        if (op_at(fep, i)->retries && other->mode == UET_MODE_ROD &&
            other->job_id == call->job_id && other->traffic_class == call->traffic_class &&
            uet_ip_equal(&other->to, &call->to))
            return true;
    }
    return false;
}

/* A PDC for a waiting operation; open: a new one may be opened. */
static bool place(struct uet_fep *fep, uint32_t id, bool open)
{
    struct operation *op = op_at(fep, id);
    if (op->call.mode == UET_MODE_RUDI || op->call.mode == UET_MODE_UUD) {
        place_without_pdc(fep, id);
        return true;
    }
    if (overtakes(fep, id))
        return false;
    uint16_t pdc = uet_pds_select(fep, &op->call, open);
    if (!pdc)
        return false;
    list_remove(fep, &fep->waiting_head, &fep->waiting_tail, id);
    queue(fep, pdc, id);
    uet_pds_tx_request(fep, pdc);
    return true;
}

int uet_fep_submit(struct uet_fep *fep, const struct uet_operation *call, uint64_t now_ns)
{
    if (!valid(fep, call))
        return -EINVAL;
    if (fep->operations.used + fep->completions.n_op >= fep->config.max_operations)
        return -ENOSPC;
    if (now_ns > fep->now)
        fep->now = now_ns;
    uint32_t id = pool_get(&fep->operations);
    if (!id)
        return -ENOSPC;
    struct operation *op = op_at(fep, id);
    op->call = *call;
    op->return_code = UET_RC_OK;
    if (call->header == UET_OP_HEADER_STD && !uet_ses_op_of(fep, op)->unnumbered)
        op->message_id = id_take(fep);
    wait_for_pdc(fep, id, fep->now);
    if (!place(fep, id, true))
        COUNT(fep, op_waits_for_pdc);
    return 0;
}

/* How long until a waiting operation looks again whether anybody would make room. */
#define LOOK_AGAIN_NS 10000000u

void uet_ses_dispatch(struct uet_fep *fep)
{
    bool open = true;
    fep->dispatch = false;
    fep->waiting_deadline = UET_FEP_NEVER;
    for (uint32_t id = fep->waiting_head; id;) {
        uint32_t next = op_at(fep, id)->next;
        uint64_t not_before = op_at(fep, id)->not_before;
        if (not_before > fep->now) {
            if (not_before < fep->waiting_deadline)
                fep->waiting_deadline = not_before;
        } else if (!place(fep, id, open)) {
            open = uet_pds_pdc_free(fep); /* until a PDC is freed */
            COUNT(fep, op_waits_for_pdc);
            uint64_t again = time_after(fep->now, LOOK_AGAIN_NS);
            if (again < fep->waiting_deadline)
                fep->waiting_deadline = again;
        }
        id = next;
    }
}

/* ---- segments ---- */

bool uet_ses_segment_alone(struct uet_fep *fep, const struct operation *op)
{
    uint32_t id = ses_pdc_at(fep, op->pdc)->ops_head;
    for (; op_at(fep, id) != op; id = op_at(fep, id)->next) {
        if (uet_ses_op_of(fep, op_at(fep, id))->data & SES_FETCHES)
            return false;
    }
    return !(uet_ses_op_of(fep, op)->data & SES_FETCHES) || uet_read_segment(fep, op);
}

static bool may_segment(struct uet_fep *fep, const struct operation *op)
{
    const struct ses_op *row = uet_ses_op_of(fep, op);
    return !row->segment || row->segment(fep, op);
}

uint32_t uet_ses_next_op(struct uet_fep *fep, uint16_t pdcid)
{
    uint32_t id = ses_pdc_at(fep, pdcid)->op_next;
    return id && may_segment(fep, op_at(fep, id)) ? id : 0;
}

void uet_ses_numbered(struct uet_fep *fep, uint32_t op, uint32_t psn)
{
    op_at(fep, op)->psn = psn;
}

void uet_ses_segment(struct uet_fep *fep, uint32_t id, uint32_t psn, struct ses_segment *seg)
{
    struct operation *op = op_at(fep, id);
    uint32_t left = op->call.length - op->sent;
    uint32_t length = left < fep->config.payload_mtu ? left : fep->config.payload_mtu;
    *seg = (struct ses_segment){
        .op = id,
        .offset = op->sent,
        .length = (uint16_t)length,
        .som = op->state != OP_SENDING,
        .eom = length == left,
    };
    if (seg->som)
        op->psn = psn;
    op->sent += length;
    op->unacked++;
    op->state = seg->eom ? OP_SENT : OP_SENDING;
    find_next(fep, ses_pdc_at(fep, op->pdc));
}

static uint8_t next_hdr_of(const struct uet_operation *call)
{
    static const uint8_t next_hdr[] = {
        [UET_OP_HEADER_STD] = UET_NH_REQUEST_STD,
        [UET_OP_HEADER_SMALL] = UET_NH_REQUEST_SMALL,
        [UET_OP_HEADER_MEDIUM] = UET_NH_REQUEST_MEDIUM,
    };
    return next_hdr[call->header];
}

static enum uet_header_id header_of(const struct uet_operation *call,
                                    const struct ses_segment *packet)
{
    switch (call->header) {
    case UET_OP_HEADER_SMALL:
        return UET_H_SES_REQ_SMALL;
    case UET_OP_HEADER_MEDIUM:
        return call->has_header_data ? UET_H_SES_REQ_MEDIUM_MSG : UET_H_SES_REQ_MEDIUM_RMA;
    default:
        return packet->som ? UET_H_SES_REQ_STD_SOM1 : UET_H_SES_REQ_STD_SOM0;
    }
}

static void write_common(const struct operation *op, const struct ses_segment *packet, uint8_t *s)
{
    const struct uet_operation *call = &op->call;
    uet_ses_req_opcode_set(s, call->opcode);
    uet_ses_req_dc_set(s, call->delivery_complete);
    uet_ses_req_rel_set(s, call->relative);
    uet_ses_req_som_set(s, packet->som);
    uet_ses_req_eom_set(s, packet->eom);
    uet_ses_req_ri_generation_set(s, call->ri_generation);
    uet_ses_req_job_id_set(s, call->job_id);
    uet_ses_req_pid_on_fep_set(s, call->pid_on_fep);
    uet_ses_req_resource_index_set(s, call->resource_index);
    if (call->header == UET_OP_HEADER_STD)
        uet_ses_req_std_message_id_set(s, op->message_id);
    else
        uet_ses_req_short_request_length_set(s, (uint16_t)call->length);
    if (call->header == UET_OP_HEADER_SMALL) {
        uet_ses_req_buffer_offset_set(s, call->buffer_offset);
        return;
    }
    /* hd means something in the som packet only (3.4.1.9) */
    uet_ses_req_hd_set(s, call->has_header_data && packet->som);
    uet_ses_req_initiator_set(s, call->initiator);
    uet_ses_req_match_bits_or_memory_key_set(s, call->key);
    if (call->header == UET_OP_HEADER_MEDIUM && call->has_header_data)
        uet_ses_req_medium_header_data_set(s, call->header_data);
    else
        uet_ses_req_buffer_offset_set(s, call->buffer_offset);
}

uint8_t uet_ses_write(struct uet_fep *fep, const struct ses_segment *packet, struct uet_build *b)
{
    const struct operation *op = op_at(fep, packet->op);
    const struct uet_operation *call = &op->call;
    enum uet_header_id id = header_of(call, packet);
    uint8_t *s = uet_build_ses(b, id);
    write_common(op, packet, s);
    if (call->header == UET_OP_HEADER_STD)
        uet_ses_req_std_request_length_set(s, call->length);
    if (id == UET_H_SES_REQ_STD_SOM1 && call->has_header_data)
        uet_ses_req_std_header_data_set(s, call->header_data);
    if (id == UET_H_SES_REQ_STD_SOM0) {
        uet_ses_req_std_payload_length_set(s, packet->length);
        uet_ses_req_std_message_offset_set(s, packet->offset);
    }
    const struct ses_op *row = uet_ses_op_of(fep, op);
    if (row->write)
        row->write(op, packet, b);
    return next_hdr_of(call);
}

/* ---- the end of an operation ---- */

static void complete(struct uet_fep *fep, uint32_t id, uint8_t status)
{
    struct operation *op = op_at(fep, id);
    struct uet_completion what = {
        .kind = UET_COMPLETION_OPERATION,
        .status = status,
        .return_code = op->return_code,
        .token = op->call.token,
        .job_id = op->call.job_id,
        .initiator = op->call.initiator,
        .peer = op->call.to,
    };
    if (status == UET_STATUS_OK) {
        bool known = op->modified_known && !(uet_ses_op_of(fep, op)->data & SES_FETCHES);
        what.length = known ? op->modified : op->call.length;
        COUNT(fep, op_completed);
    } else if (status == UET_STATUS_SES_ERROR) {
        COUNT(fep, op_ses_error);
    } else {
        what.return_code = UET_RC_NULL; /* no response says anything about it */
        COUNT(fep, op_pds_error);
    }
    if (op->message_id)
        id_set(fep, op->message_id, false);
    pool_put(&fep->operations, id);
    uet_completion_push(fep, &what);
}

/*
 * Codes that may pass: no buffer yet, or an older generation. The whole message again, as a new
 * one, after 50..100 ms; at once with the generation that the target told (SES-108, SES-129).
 */
static bool try_again(struct uet_fep *fep, uint32_t id)
{
    struct operation *op = op_at(fep, id);
    bool generation = op->return_code == UET_RC_BAD_GENERATION;
    if ((op->return_code != UET_RC_NO_MATCH && op->return_code != UET_RC_DISABLED_GEN &&
         !generation) ||
        op->ses_retries >= fep->params.SES_Retry_Cnt)
        return false;
    op->ses_retries++;
    COUNT(fep, op_ses_retried);
    if (generation)
        op->call.ri_generation = op->generation;
    op->return_code = UET_RC_OK;
    if (op->message_id) {
        id_set(fep, op->message_id, false);
        op->message_id = id_take(fep);
    }
    uint64_t backoff = RETRY_MIN_NS + fep_random(fep) % RETRY_SPREAD_NS;
    wait_for_pdc(fep, id, time_after(fep->now, generation ? 0 : backoff));
    return true;
}

/* Is a promised response still out? Data that it fetches is one (3.4.8.3). */
static bool unanswered(const struct operation *op)
{
    return op->no_response && !op->n_have;
}

bool uet_ses_incomplete(const struct uet_fep *fep, const struct operation *op)
{
    const struct ses_op *row = uet_ses_op_of(fep, op);
    return row->complete && !row->complete(fep, op);
}

void uet_ses_may_end(struct uet_fep *fep, uint32_t id)
{
    const struct operation *op = op_at(fep, id);
    if (op->state != OP_SENT || op->unacked || unanswered(op) || uet_ses_incomplete(fep, op))
        return;
    leave_pdc(fep, id);
    if (try_again(fep, id))
        return;
    complete(fep, id, op->return_code == UET_RC_OK ? UET_STATUS_OK : UET_STATUS_SES_ERROR);
}

void uet_ses_fail(struct uet_fep *fep, uint32_t id)
{
    bool error = op_at(fep, id)->return_code != UET_RC_OK;
    leave_pdc(fep, id);
    complete(fep, id, error ? UET_STATUS_SES_ERROR : UET_STATUS_PDS_ERROR);
}

void uet_ses_datagram_sent(struct uet_fep *fep, uint32_t id)
{
    list_remove(fep, &fep->uud_head, &fep->uud_tail, id);
    complete(fep, id, UET_STATUS_OK);
}

/* ---- responses ---- */

static void take_response(struct operation *op, const uint8_t *response)
{
    uint8_t code = uet_ses_rsp_return_code(response);
    uint32_t modified = uet_ses_rsp_modified_length(response);
    bool error = code != UET_RC_OK && code != UET_RC_NULL; /* NULL: nothing new, so no error */
    op->no_response = false;
    if (error && op->return_code == UET_RC_OK) {
        op->return_code = code; /* the first one counts (SES-116) */
        op->generation = uet_ses_rsp_ri_generation(response);
    }
    /* A default response with 0 stands for the whole length. */
    if (uet_ses_rsp_opcode(response) == UET_RSP_RESPONSE && !error) {
        op->modified = modified;
        op->modified_known = true;
    }
}

void uet_ses_response(struct uet_fep *fep, uint32_t id, const uint8_t *response)
{
    struct operation *op = op_at(fep, id);
    if (response && uet_ses_rsp_opcode(response) == UET_RSP_NO_RESPONSE)
        op->no_response = true; /* arrival only (SES-121) */
    else if (response)
        take_response(op, response);
    op->unacked--;
    uet_ses_may_end(fep, id);
}

void uet_ses_late_response(struct uet_fep *fep, uint16_t pdc, const uint8_t *response)
{
    uint16_t message_id = uet_ses_rsp_message_id(response);
    if (uet_ses_rsp_opcode(response) == UET_RSP_NO_RESPONSE)
        return;
    for (uint32_t id = ses_pdc_at(fep, pdc)->ops_head; id; id = op_at(fep, id)->next) {
        struct operation *op = op_at(fep, id);
        if (!op->no_response || op->message_id != message_id)
            continue;
        take_response(op, response);
        uet_ses_may_end(fep, id);
        return;
    }
    COUNT(fep, ses_response_stray);
}

bool uet_ses_awaits_data(struct uet_fep *fep, uint16_t pdc)
{
    for (uint32_t id = ses_pdc_at(fep, pdc)->ops_head; id; id = op_at(fep, id)->next) {
        const struct operation *op = op_at(fep, id);
        if (!op->unacked && op->sent && uet_ses_incomplete(fep, op))
            return true;
    }
    return false;
}

/* ---- the PDC goes ---- */

void uet_ses_leave(struct uet_fep *fep, uint16_t pdc)
{
    for (uint32_t id = ses_pdc_at(fep, pdc)->ops_head; id;) {
        uint32_t next = op_at(fep, id)->next;
        if (op_at(fep, id)->state == OP_QUEUED) {
            leave_pdc(fep, id);
            wait_for_pdc(fep, id, fep->now);
        }
        id = next;
    }
}

static void gone(struct uet_fep *fep, uint32_t id, bool retry)
{
    struct operation *op = op_at(fep, id);
    uint8_t limit = fep->params.Max_NACK_Retx_Cnt;
    if (op->state == OP_QUEUED) {
        wait_for_pdc(fep, id, fep->now);
    } else if (op->return_code != UET_RC_OK) {
        complete(fep, id, UET_STATUS_SES_ERROR);
    } else if (retry && (limit == 31 || op->retries < limit)) {
        if (op->retries < UINT8_MAX)
            op->retries++;
        COUNT(fep, op_retried);
        /* The whole message: its parts belong on one PDC (PDS-008). */
        wait_for_pdc(fep, id, time_after(fep->now, fep->params.NACK_Retx_Time));
    } else {
        complete(fep, id, UET_STATUS_PDS_ERROR);
    }
}

void uet_ses_pdc_gone(struct uet_fep *fep, uint16_t pdcid, bool retry)
{
    const struct ses_pdc *pdc = ses_pdc_at(fep, pdcid);
    while (pdc->ops_head) {
        uint32_t id = pdc->ops_head;
        leave_pdc(fep, id);
        gone(fep, id, retry);
    }
}

/* ---- what PDS may know of it (3.5.4) ---- */

const struct uet_ip *uet_ses_destination(const struct uet_fep *fep, uint32_t op)
{
    return &op_at(fep, op)->call.to;
}

uint16_t uet_ses_id_of(const struct uet_fep *fep, uint32_t op)
{
    return op_at(fep, op)->message_id;
}

bool uet_ses_next_datagram(struct uet_fep *fep, struct ses_segment *seg)
{
    uint32_t id = fep->uud_head;
    if (!id)
        return false;
    uint16_t length = (uint16_t)op_at(fep, id)->call.length;
    *seg = (struct ses_segment){.op = id, .length = length, .som = true, .eom = true};
    return true;
}

uint32_t uet_ses_load(const struct uet_fep *fep, uint16_t pdc)
{
    return ses_pdc_at(fep, pdc)->n_ops;
}

bool uet_ses_in_message(const struct uet_fep *fep, uint16_t pdc)
{
    uint32_t id = ses_pdc_at(fep, pdc)->op_next;
    return id && op_at(fep, id)->state == OP_SENDING;
}

bool uet_ses_retries(const struct uet_fep *fep, uint16_t pdc)
{
    uint32_t id = ses_pdc_at(fep, pdc)->ops_head;
    return id && op_at(fep, id)->retries;
}

void uet_ses_pdc_begins(struct uet_fep *fep, uint16_t pdc)
{
    *ses_pdc_at(fep, pdc) = (struct ses_pdc){0};
}
