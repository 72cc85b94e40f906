/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Operations on their way out: submitted, given a PDC, cut into segments (SES-041), written; and
 * what the responses say of them (SES-110, 3.4.5). Their states: life.c.
 */
#include <errno.h>

#include "refimpl/ses/operation.h"
#include "refimpl/ses/ses.h"
#include "refimpl/tss/tss.h"

#define JOB_ID_MAX    0xffffffu
#define SHORT_MAX     8192u /* small and medium messages (SES-016) */
#define KEY_OPTIMIZED (1ull << 62)

/* ---- submit ---- */

bool uet_op_short_form_fits(const struct uet_fep *fep, const struct uet_operation *call)
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
    return true;
}

/* A small header goes to who knows it; for others the standard one does the same (SES-017). */
void uet_op_for_peer(struct uet_operation *call)
{
    bool unknown = call->peer_flags & UET_FI_ADDR_FEP_CAP_V &&
                   !(call->peer_capabilities & UET_FEP_CAP_OPT_NM_SEM);
    if (unknown && call->header == UET_OP_HEADER_SMALL)
        call->header = UET_OP_HEADER_STD;
}

/* A send in one go is no longer than the peer takes (SES-103). */
static bool peer_takes(const struct uet_fep *fep, const struct uet_operation *call)
{
    bool one_packet = call->peer_flags & UET_FI_ADDR_MTU_MSG_SIZE && fep->law.ses.minds_peer_length;
    return !one_packet || !uet_ses_op(fep, call->opcode)->unasked ||
           call->length <= fep->config.payload_mtu;
}

static bool valid(const struct uet_fep *fep, const struct uet_operation *call)
{
    const struct ses_op *op = uet_ses_op(fep, call->opcode);
    if (!mode_fits(fep, call) || call->to.version != fep->config.address.version ||
        call->header > UET_OP_HEADER_MEDIUM || !(op->forms & SES_FORM(call->header)))
        return false;
    if (call->job_id > JOB_ID_MAX || call->pid_on_fep > 0xfff || call->resource_index > 0xfff)
        return false;
    if (!op->valid(fep, call) || (call->has_header_data && !op->header_data))
        return false;
    return fep->law.ses.short_form_fits(fep, call) && peer_takes(fep, call);
}

static bool same_tuple(const struct uet_operation *a, const struct uet_operation *b)
{
    return a->mode == b->mode && a->job_id == b->job_id && a->traffic_class == b->traffic_class &&
           uet_ip_equal(&a->to, &b->to);
}

/* Was it submitted before, for the same tuple? All that waits for its turn waits in this order. */
static bool is_older(const struct operation *other, const struct operation *op)
{
    return (int32_t)(other->number - op->number) < 0 && same_tuple(&other->call, &op->call);
}

/* ... and for the same resource index? */
static bool goes_first(const struct operation *other, const struct operation *op)
{
    const struct uet_operation *a = &other->call, *b = &op->call;
    return a->pid_on_fep == b->pid_on_fep && a->resource_index == b->resource_index &&
           is_older(other, op);
}

/*
 * A ROD message to a resource index that was disabled (SES-107): one before it waits to be sent
 * once more, or may have to, as its answer is still to come.
 */
static bool out_of_turn(struct uet_fep *fep, const struct operation *op)
{
    for (uint32_t i = fep->waiting_head; i; i = op_at(fep, i)->next) {
        if (op_at(fep, i)->in_turn && goes_first(op_at(fep, i), op))
            return true;
    }
    uint32_t i = op->in_turn ? ses_pdc_at(fep, op->left)->ops_head : 0;
    while (i && !goes_first(op_at(fep, i), op))
        i = op_at(fep, i)->next;
    return i;
}

/* Would it go before another ROD message of its tuple that has to be retried? */
static bool overtakes(struct uet_fep *fep, uint32_t id)
{
    const struct operation *op = op_at(fep, id);
    if (op->call.mode != UET_MODE_ROD)
        return false;
    for (uint32_t i = fep->waiting_head; i; i = op_at(fep, i)->next) {
        if (op_at(fep, i)->retries && is_older(op_at(fep, i), op))
            return true;
    }
    return out_of_turn(fep, op);
}

/* A PDC for a waiting operation; open: a new one may be opened. RUDI and UUD need none, so nothing
 * to wait for (PDS-174, PDS-181). */
static bool place(struct uet_fep *fep, uint32_t id, bool open)
{
    struct operation *op = op_at(fep, id);
    bool alone = op->call.mode == UET_MODE_RUDI || op->call.mode == UET_MODE_UUD;
    if (!alone && overtakes(fep, id))
        return false;
    uint16_t pdc = alone ? NO_PDC : uet_pds_select(fep, &op->call, &op->begun, open);
    if (!pdc && !alone)
        return false;
    op->pdc = pdc;
    uet_op_event(fep, id, OP_EV_PLACED);
    if (pdc)
        uet_pds_tx_request(fep, pdc);
    return true;
}

bool uet_fep_starts(const struct uet_fep *fep, uint8_t opcode)
{
    return uet_ses_op(fep, opcode)->starts;
}

bool uet_fep_starts_on(const struct uet_fep *fep, uint8_t opcode, uint8_t mode)
{
    return uet_ses_op(fep, opcode)->starts & SES_ON(mode);
}

int uet_fep_submit(struct uet_fep *fep, const struct uet_operation *wish, uint64_t now_ns)
{
    struct uet_operation fitted = *wish;
    const struct uet_operation *call = &fitted;
    fep->law.ses.for_peer(&fitted);
    uint32_t used = fep->operations.used - fep->n_own_operations;
    struct tss_context tss;
    if (!valid(fep, call))
        return -EINVAL;
    if (!uet_sd_of_job(fep, call->job_id, &call->to, &tss))
        return -EACCES;
    if (used + fep->completions.n_op >= fep->config.max_operations)
        return -ENOSPC;
    if (now_ns > fep->now)
        fep->now = now_ns;
    uint32_t id = pool_get(&fep->operations);
    if (!id)
        return -ENOSPC;
    op_at(fep, id)->call = *call;
    op_at(fep, id)->number = fep->n_submitted++;
    op_at(fep, id)->begun = tss;
    if (uet_ses_op(fep, call->opcode)->defers || uet_ses_op(fep, call->opcode)->reads)
        uet_ses_deferrable_begins(fep, id);
    if (uet_ses_op(fep, call->opcode)->reads) {
        op_at(fep, id)->region = uet_region_of(fep, call->region);
        *uet_region_reader(fep, call->region) = id;
    }
    uet_op_begin(fep, id);
    if (!place(fep, id, true))
        COUNT(fep, op_waits_for_pdc);
    return 0;
}

/* There are twice as many of them as held sends: one that has ended here may live on for a while,
 * until its PDC is known to be gone. */
void uet_ses_submit_own(struct uet_fep *fep, const struct uet_operation *call, uint32_t irt,
                        const struct held *h)
{
    uint32_t id = pool_get(&fep->operations);
    if (!id) {
        uet_held_told(fep, h->token,
                      &(const struct uet_completion){.status = UET_STATUS_PDS_ERROR});
        return;
    }
    fep->n_own_operations++;
    struct operation *op = op_at(fep, id);
    op->call = *call;
    op->irt = irt;
    op->held = h->token;
    op->begun = h->tss;
    uet_op_begin(fep, id); /* it gets its PDC when all else of this call is done */
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
        if (uet_sd_gone(fep, &op_at(fep, id)->begun))
            uet_ses_domain_gone(fep, id);
        else if (op_at(fep, id)->parked)
            uet_op_event(fep, id, OP_EV_LOOKED_AT);
        if (op_at(fep, id)->state == OP_ENDED) {
            id = next;
            continue;
        }
        if (not_before > fep->now) {
            if (not_before < fep->waiting_deadline)
                fep->waiting_deadline = not_before;
        } else if (!place(fep, id, open)) {
            if (!overtakes(fep, id))          /* who waits for its turn has not asked for one */
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

bool uet_ses_segment_by_row(struct uet_fep *fep, const struct operation *op)
{
    const struct ses_op *row = uet_ses_op_of(fep, op);
    return !row->segment || row->segment(fep, op);
}

bool uet_ses_segment_alone(struct uet_fep *fep, const struct operation *op)
{
    uint32_t id = ses_pdc_at(fep, op->pdc)->ops_head;
    for (; op_at(fep, id) != op; id = op_at(fep, id)->next) {
        if (uet_ses_op_of(fep, op_at(fep, id))->fetches)
            return false;
    }
    return uet_ses_segment_by_row(fep, op);
}

uint32_t uet_ses_next_op(struct uet_fep *fep, uint16_t pdcid)
{
    uint32_t id = ses_pdc_at(fep, pdcid)->op_next;
    return id && fep->law.ses.may_segment(fep, op_at(fep, id)) ? id : 0;
}

void uet_ses_numbered(struct uet_fep *fep, uint32_t op, uint32_t psn)
{
    op_at(fep, op)->psn = psn;
}

/*
 * An error was told and not all was sent: there is no use in the rest (SES-125, SES-126). Nor is
 * there when all of it will be asked for later (SES-147). 0: it goes on.
 */
static uint8_t stops_early(const struct uet_fep *fep, const struct operation *op)
{
    if (op->state != OP_SENDING || op->pdc == NO_PDC)
        return 0;
    if (op->return_code != UET_RC_OK)
        return uet_ses_op_of(fep, op)->stops;
    return op->deferred ? op->call.opcode : 0;
}

static void cut_stop(struct uet_fep *fep, uint32_t id, uint8_t opcode, struct ses_segment *seg)
{
    struct operation *op = op_at(fep, id);
    *seg = (struct ses_segment){.op = id, .offset = op->sent, .eom = true, .stops = opcode};
    op->unacked++;
    COUNT(fep, op_stopped);
    uet_op_cut(fep, id, true);
}

uint32_t uet_ses_backlog(struct uet_fep *fep, uint16_t pdcid, uint32_t headers, uint32_t most)
{
    const uint32_t mtu = fep->config.payload_mtu;
    uint64_t sum = 0;
    for (uint32_t id = uet_ses_next_op(fep, pdcid); id && sum < most; id = op_at(fep, id)->next) {
        const struct operation *op = op_at(fep, id);
        uint64_t left = uet_ses_carries(fep, op) - op->sent;
        sum += left + (left ? (left + mtu - 1) / mtu : 1) * headers;
    }
    return (uint32_t)(sum < most ? sum : most);
}

void uet_ses_segment(struct uet_fep *fep, uint32_t id, uint32_t psn, struct ses_segment *seg)
{
    struct operation *op = op_at(fep, id);
    uint8_t stop = stops_early(fep, op);
    if (stop) {
        cut_stop(fep, id, stop, seg);
        return;
    }
    uint32_t left = uet_ses_carries(fep, op) - op->sent;
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
    uet_op_cut(fep, id, seg->eom);
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

static void write_common(const struct operation *op, uint8_t opcode, uint32_t asks,
                         const struct ses_segment *packet, uint8_t *s)
{
    const struct uet_operation *call = &op->call;
    uet_ses_req_opcode_set(s, opcode);
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
        uet_ses_req_short_request_length_set(s, (uint16_t)asks);
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
    const uint32_t asks = uet_ses_asks(fep, op);
    uint8_t *s = uet_build_ses(b, id);
    const struct ses_op *row = uet_ses_op_of(fep, op);
    write_common(op, packet->stops ? packet->stops : call->opcode, asks, packet, s);
    if (call->header == UET_OP_HEADER_STD)
        uet_ses_req_std_request_length_set(s, asks);
    if (id == UET_H_SES_REQ_STD_SOM1 && call->has_header_data)
        uet_ses_req_std_header_data_set(s, call->header_data);
    if (id == UET_H_SES_REQ_STD_SOM0) {
        uet_ses_req_std_payload_length_set(s, packet->length);
        uet_ses_req_std_message_offset_set(s, packet->offset);
    }
    if (row->fields && (!packet->stops || packet->stops == call->opcode))
        row->fields(op, s);
    if (row->write && !packet->stops)
        row->write(op, packet, b);
    return next_hdr_of(call);
}

/* ---- responses ---- */

bool uet_ses_incomplete(const struct uet_fep *fep, const struct operation *op)
{
    const struct ses_op *row = uet_ses_op_of(fep, op);
    return row->complete && !row->complete(fep, op);
}

void uet_ses_may_end(struct uet_fep *fep, uint32_t op)
{
    uet_op_event(fep, op, OP_EV_ANSWERED);
}

void uet_ses_fail(struct uet_fep *fep, uint32_t op)
{
    uet_op_event(fep, op, OP_EV_GIVEN_UP);
}

/* The first of a line; 0: there is none. */
static uint32_t first_removed(const struct uet_fep *fep, uint32_t id)
{
    while (id && !uet_sd_gone(fep, &op_at(fep, id)->begun))
        id = op_at(fep, id)->next;
    return id;
}

uint32_t uet_ses_next_removed(struct uet_fep *fep)
{
    const uint32_t id = first_removed(fep, ses_pdc_at(fep, NO_PDC)->ops_head);
    return id ? id : first_removed(fep, fep->uud_head);
}

void uet_ses_domain_gone(struct uet_fep *fep, uint32_t op)
{
    uet_op_event(fep, op, OP_EV_DOMAIN_GONE);
}

void uet_ses_datagram_sent(struct uet_fep *fep, uint32_t op)
{
    uet_op_event(fep, op, OP_EV_GIVEN_OUT);
}

static void take_response(const struct uet_fep *fep, struct operation *op, const uint8_t *response)
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
        op->overflow = uet_ses_rsp_list(response) == UET_LIST_OVERFLOW;
        if (uet_ses_op_of(fep, op)->defers && uet_ses_says_deferred(op, response))
            op->deferred = true;
    }
}

void uet_ses_promised(struct uet_fep *fep, uint32_t op)
{
    struct operation *o = op_at(fep, op);
    bool answered = o->modified_known || o->return_code != UET_RC_OK;
    if (!answered) /* arrival only (SES-121) */
        o->no_response = true;
}

void uet_ses_may_be_done(struct uet_fep *fep, uint32_t op)
{
    op_at(fep, op)->maybe_done = true;
}

void uet_ses_response(struct uet_fep *fep, uint32_t id, const uint8_t *response)
{
    struct operation *op = op_at(fep, id);
    if (response && uet_ses_rsp_opcode(response) == UET_RSP_NO_RESPONSE)
        uet_ses_promised(fep, id);
    else if (response)
        take_response(fep, op, response);
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
        take_response(fep, op, response);
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
        uet_op_event(fep, id, OP_EV_PDC_CLOSES);
        id = next;
    }
}

void uet_ses_pdc_gone(struct uet_fep *fep, uint16_t pdcid, bool retry)
{
    const struct ses_pdc *pdc = ses_pdc_at(fep, pdcid);
    bool begun = pdc->ops_head && op_at(fep, pdc->ops_head)->state != OP_QUEUED;
    enum op_event refused = begun ? OP_EV_PDC_REFUSED : OP_EV_PDC_UNBEGUN;
    while (pdc->ops_head)
        uet_op_event(fep, pdc->ops_head, retry ? refused : OP_EV_PDC_GONE);
}

/* ---- what PDS may know of it (3.5.4) ---- */

const struct uet_ip *uet_ses_destination(const struct uet_fep *fep, uint32_t op)
{
    return &op_at(fep, op)->call.to;
}

const struct tss_context *uet_ses_begun(const struct uet_fep *fep, uint32_t op)
{
    return &op_at(fep, op)->begun;
}

uint32_t uet_ses_job(const struct uet_fep *fep, uint32_t op)
{
    return op_at(fep, op)->call.job_id;
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
    *ses_pdc_at(fep, pdc) = (struct ses_pdc){.run = ++fep->n_runs};
}
