/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The life of an operation of this FEP as a table: from where, on what event, if what holds, what
 * is done, and where to. Where it stands in line follows from its state: while it waits, in that of
 * all that wait; from then on in that of its PDC; a datagram with the datagrams. Its message_id
 * lives with it (SES-030, SES-034).
 */
#include "refimpl/ses/operation.h"
#include "refimpl/ses/ses.h"
#include "refimpl/tss/tss.h"

#define RETRY_MIN_NS    50000000ull /* the consortium's provider waits 50..100 ms */
#define RETRY_SPREAD_NS 50000000ull
#define DOUBLINGS       10u

#define RETRY_WITHOUT_END 31u

/* ---- message ids: 16 bits, not 0, each live once ---- */

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

/* ---- lines ---- */

static void append(struct uet_fep *fep, uint32_t *head, uint32_t *tail, uint32_t id)
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

static void take_out(struct uet_fep *fep, uint32_t *head, uint32_t *tail, uint32_t id)
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

/* All of it once more, or for the first time. */
static void enter_waiting(struct uet_fep *fep, uint32_t id)
{
    struct operation *op = op_at(fep, id);
    op->sent = op->unacked = op->n_have = 0;
    op->have = 0;
    op->modified_known = op->no_response = false;
    append(fep, &fep->waiting_head, &fep->waiting_tail, id);
    fep->dispatch = true;
}

static void enter_pdc(struct uet_fep *fep, uint32_t id)
{
    struct ses_pdc *pdc = ses_pdc_at(fep, op_at(fep, id)->pdc);
    pdc->n_ops++;
    append(fep, &pdc->ops_head, &pdc->ops_tail, id);
    if (!pdc->op_next)
        pdc->op_next = id;
}

static void leave_pdc(struct uet_fep *fep, uint32_t id)
{
    uint16_t pdcid = op_at(fep, id)->pdc;
    struct ses_pdc *pdc = ses_pdc_at(fep, pdcid);
    if (pdc->op_next == id)
        pdc->op_next = op_at(fep, id)->next;
    pdc->n_ops--;
    take_out(fep, &pdc->ops_head, &pdc->ops_tail, id);
    find_next(fep, pdc);
    op_at(fep, id)->left = pdcid;
    op_at(fep, id)->pdc = NO_PDC;
    if (pdc->op_next) /* what it may have waited for is over */
        uet_pds_tx_request(fep, pdcid);
}

static void enter(struct uet_fep *fep, uint32_t id)
{
    const struct operation *op = op_at(fep, id);
    if (op->state == OP_WAITING)
        enter_waiting(fep, id);
    else if (op->call.mode == UET_MODE_UUD)
        append(fep, &fep->uud_head, &fep->uud_tail, id);
    else
        enter_pdc(fep, id);
}

static void leave(struct uet_fep *fep, uint32_t id)
{
    const struct operation *op = op_at(fep, id);
    if (op->state == OP_WAITING)
        take_out(fep, &fep->waiting_head, &fep->waiting_tail, id);
    else if (op->call.mode == UET_MODE_UUD)
        take_out(fep, &fep->uud_head, &fep->uud_tail, id);
    else
        leave_pdc(fep, id);
}

/* ---- if what holds ---- */

/* Is nothing more to come: packets to be acknowledged, a promised response, data? Data that it
 * fetches is a response, too (3.4.8.3). */
static bool answered(const struct uet_fep *fep, const struct operation *op)
{
    return !op->unacked && (!op->no_response || op->n_have) && !uet_ses_incomplete(fep, op);
}

static bool failed(const struct uet_fep *fep, const struct operation *op)
{
    (void)fep;
    return op->return_code != UET_RC_OK;
}

static bool answered_in_error(const struct uet_fep *fep, const struct operation *op)
{
    return failed(fep, op) && answered(fep, op);
}

/* Codes that may pass: no buffer yet, or an older generation (SES-108, SES-129). */
static bool answered_not_yet(const struct uet_fep *fep, const struct operation *op)
{
    bool passes = op->return_code == UET_RC_NO_MATCH || op->return_code == UET_RC_DISABLED_GEN ||
                  op->return_code == UET_RC_BAD_GENERATION;
    return passes && op->ses_retries < fep->params.SES_Retry_Cnt && answered(fep, op);
}

/*
 * An atomic that was acknowledged, and only its old value is missing: begun anew it would be done a
 * second time (SES-136). So it may be with one that has no answer at all (ROB-046): Table 3-58 has
 * the PDC retried, and does not say of what; for the application an error is the lesser harm.
 */
static bool done_once(const struct uet_fep *fep, const struct operation *op)
{
    const struct ses_op *row = uet_ses_op(fep, op->call.opcode);
    return row->whole && ((row->fetches && op->sent && !op->unacked) || op->maybe_done);
}

static bool may_try_elsewhere(const struct uet_fep *fep, const struct operation *op)
{
    uint8_t limit = fep->params.Max_NACK_Retx_Cnt;
    return limit == RETRY_WITHOUT_END || op->retries < limit;
}

static bool answered_deferred(const struct uet_fep *fep, const struct operation *op)
{
    return op->deferred && answered(fep, op);
}

/* A rendezvous: all is said, and not all was read. */
static bool answered_to_be_read(const struct uet_fep *fep, const struct operation *op)
{
    return op->region && answered(fep, op) &&
           (uet_rendezvous_arrived(op) < uet_rendezvous_to_read(op) ||
            uet_region_parts(fep, op->call.region));
}

static bool was_read(const struct uet_fep *fep, const struct operation *op)
{
    return op->parked && uet_rendezvous_was_read(fep, op);
}

/* It began to read, and stopped; or it never began. */
static bool reads_no_more(const struct uet_fep *fep, const struct operation *op)
{
    return op->parked && op->not_before <= fep->now;
}

static bool is_datagram(const struct uet_fep *fep, const struct operation *op)
{
    (void)fep;
    return op->call.mode == UET_MODE_UUD;
}

/* ---- what is done ---- */

static void complete(struct uet_fep *fep, uint32_t id, uint8_t status, uint8_t return_code,
                     uint32_t length)
{
    struct operation *op = op_at(fep, id);
    const struct uet_completion what = {
        .kind = UET_COMPLETION_OPERATION,
        .status = status,
        .return_code = return_code,
        .token = op->call.token,
        .length = length,
        .job_id = op->call.job_id,
        .initiator = op->call.initiator,
        .peer = op->call.to,
    };
    uint32_t held = op->held;
    if (op->region)
        *uet_region_reader(fep, op->call.region) = 0;
    if (op->message_id)
        id_set(fep, op->message_id, false);
    op->irt = 0;
    pool_put(&fep->operations, id);
    if (!held) {
        uet_completion_push(fep, &what);
        return;
    }
    fep->n_own_operations--;
    uet_held_told(fep, held, &what);
}

static void end_well(struct uet_fep *fep, uint32_t id)
{
    const struct operation *op = op_at(fep, id);
    const struct ses_op *row = uet_ses_op_of(fep, op);
    /* Of what asks for another length than it has (SES-166) the length told is not its own. */
    bool told = op->modified_known && !(op->overflow && row->reads) && !row->fetches && !row->asks;
    COUNT(fep, op_completed);
    complete(fep, id, UET_STATUS_OK, op->return_code, told ? op->modified : op->call.length);
}

static void end_by_code(struct uet_fep *fep, uint32_t id)
{
    COUNT(fep, op_ses_error);
    complete(fep, id, UET_STATUS_SES_ERROR, op_at(fep, id)->return_code, 0);
}

/* No response says anything about it. */
static void end_unknown(struct uet_fep *fep, uint32_t id)
{
    COUNT(fep, op_pds_error);
    if (uet_sd_gone(fep, &op_at(fep, id)->begun)) /* nothing of it could leave any more */
        COUNT(fep, op_domain_gone);
    complete(fep, id, UET_STATUS_PDS_ERROR, UET_RC_NULL, 0);
}

/* Nobody will say anything about a datagram. */
static void expect_nothing(struct uet_fep *fep, uint32_t id)
{
    op_at(fep, id)->return_code = UET_RC_NULL;
}

static void at_once(struct uet_fep *fep, uint32_t id)
{
    op_at(fep, id)->not_before = fep->now;
}

static void new_id(struct uet_fep *fep, struct operation *op)
{
    if (!op->message_id)
        return;
    id_set(fep, op->message_id, false);
    op->message_id = id_take(fep);
}

/* 50..100 ms, and twice as long with each further try (SES-129). */
uint64_t uet_ses_pause(struct uet_fep *fep, const struct operation *op)
{
    const unsigned n = op->ses_retries < DOUBLINGS ? op->ses_retries : DOUBLINGS;
    return (RETRY_MIN_NS + fep_random(fep) % RETRY_SPREAD_NS) << n;
}

/*
 * The whole message again, as a new one, after a pause; at once with the generation that the
 * target told.
 */
static void as_a_new_one(struct uet_fep *fep, uint32_t id)
{
    struct operation *op = op_at(fep, id);
    bool generation = op->return_code == UET_RC_BAD_GENERATION;
    op->trt = 0;
    const uint64_t pause = fep->law.ses.pause(fep, op);
    op->ses_retries++;
    COUNT(fep, op_ses_retried);
    if (generation)
        op->call.ri_generation = op->generation;
    op->in_turn = op->call.mode == UET_MODE_ROD && op->return_code != UET_RC_NO_MATCH;
    op->return_code = UET_RC_OK;
    op->maybe_done = false;
    new_id(fep, op);
    op->not_before = time_after(fep->now, generation ? 0 : pause);
}

/*
 * It waits for the RTR. When none comes for Deferral_Time it begins anew by itself: the target may
 * have forgotten it.
 */
static void wait_for_rtr(struct uet_fep *fep, uint32_t id)
{
    struct operation *op = op_at(fep, id);
    COUNT(fep, op_deferred);
    new_id(fep, op);
    op->trt = 0;
    op->not_before = time_after(fep->now, fep->params.Deferral_Time);
    if (op->restarts)
        uet_ses_restart(fep, op);
}

/*
 * The target reads when it has a receive, and perhaps has begun already. When it never does nobody
 * says so: it may have forgotten, or its READ may have failed.
 */
static void wait_for_reads(struct uet_fep *fep, uint32_t id)
{
    struct operation *op = op_at(fep, id);
    uint64_t patience =
        uet_rendezvous_arrived(op) ? fep->params.Deferral_Time : fep->params.Rendezvous_Time;
    op->parked = true;
    op->to_read = uet_rendezvous_to_read(op);
    op->not_before = time_after(fep->now, patience);
}

/* On its way once more: what was told before counts no more. */
static void begin_anew(struct uet_fep *fep, uint32_t id)
{
    op_at(fep, id)->deferred = false;
}

/* The whole message: its parts belong on one PDC (PDS-008). */
static void elsewhere(struct uet_fep *fep, uint32_t id)
{
    struct operation *op = op_at(fep, id);
    if (op->retries < UINT8_MAX)
        op->retries++;
    op->trt = 0; /* it was of use once (SES-169) */
    op->deferred = op->maybe_done = false;
    uet_rendezvous_forget(op);
    COUNT(fep, op_retried);
    op->not_before = time_after(fep->now, fep->params.NACK_Retx_Time);
}

/* ---- the table ---- */

struct life_row {
    uint8_t in; /* states, as bits */
    bool (*when)(const struct uet_fep *fep, const struct operation *op);
    void (*act)(struct uet_fep *fep, uint32_t id);
    uint8_t next; /* enum op_state */
};

#define IN(state) (1u << OP_##state)
#define BEGUN     (IN(SENDING) | IN(SENT))
#define ANY       (IN(WAITING) | IN(QUEUED) | BEGUN)
#define ROWS      5

/* The first row that fits is taken. */
static const struct life_row life[OP_EVENTS][ROWS] = {
    [OP_EV_PLACED] = {{IN(WAITING), is_datagram, expect_nothing, OP_QUEUED},
                      {IN(WAITING), NULL, begin_anew, OP_QUEUED}},
    [OP_EV_CUT] = {{IN(QUEUED) | IN(SENDING), NULL, NULL, OP_SENDING}},
    [OP_EV_CUT_LAST] = {{IN(QUEUED) | IN(SENDING), NULL, NULL, OP_SENT}},
    [OP_EV_GIVEN_OUT] = {{IN(QUEUED), NULL, end_well, OP_ENDED}},
    [OP_EV_ANSWERED] = {{IN(SENT), answered_not_yet, as_a_new_one, OP_WAITING},
                        {IN(SENT), answered_in_error, end_by_code, OP_ENDED},
                        {IN(SENT), answered_deferred, wait_for_rtr, OP_WAITING},
                        {IN(SENT), answered_to_be_read, wait_for_reads, OP_WAITING},
                        {IN(SENT), answered, end_well, OP_ENDED}},
    [OP_EV_LOOKED_AT] = {{IN(WAITING), was_read, end_well, OP_ENDED},
                         {IN(WAITING), reads_no_more, end_unknown, OP_ENDED}},
    [OP_EV_PDC_CLOSES] = {{IN(QUEUED), NULL, at_once, OP_WAITING}},
    [OP_EV_PDC_REFUSED] = {{IN(QUEUED), NULL, at_once, OP_WAITING},
                           {BEGUN, failed, end_by_code, OP_ENDED},
                           {BEGUN, done_once, end_unknown, OP_ENDED},
                           {BEGUN, may_try_elsewhere, elsewhere, OP_WAITING},
                           {BEGUN, NULL, end_unknown, OP_ENDED}},
    [OP_EV_PDC_UNBEGUN] = {{BEGUN, failed, end_by_code, OP_ENDED},
                           {IN(QUEUED) | BEGUN, may_try_elsewhere, elsewhere, OP_WAITING},
                           {IN(QUEUED) | BEGUN, NULL, end_unknown, OP_ENDED}},
    [OP_EV_PDC_GONE] = {{IN(QUEUED), NULL, at_once, OP_WAITING},
                        {BEGUN, failed, end_by_code, OP_ENDED},
                        {BEGUN, NULL, end_unknown, OP_ENDED}},
    [OP_EV_DOMAIN_GONE] = {{BEGUN, failed, end_by_code, OP_ENDED},
                           {ANY, NULL, end_unknown, OP_ENDED}},
    [OP_EV_GIVEN_UP] = {{BEGUN, failed, end_by_code, OP_ENDED},
                        {BEGUN, NULL, end_unknown, OP_ENDED}},
};

static bool in_one_line(uint8_t state, uint8_t next)
{
    return (state == OP_WAITING) == (next == OP_WAITING) && next != OP_ENDED;
}

static void go(struct uet_fep *fep, uint32_t id, const struct life_row *row)
{
    struct operation *op = op_at(fep, id);
    bool stays = in_one_line(op->state, row->next);
    if (!stays)
        leave(fep, id);
    op->state = row->next;
    if (row->act)
        row->act(fep, id);
    if (!stays && row->next != OP_ENDED)
        enter(fep, id);
}

void uet_op_event(struct uet_fep *fep, uint32_t id, enum op_event event)
{
    const struct operation *op = op_at(fep, id);
    for (uint32_t i = 0; i < ROWS && life[event][i].in; i++) {
        const struct life_row *row = &life[event][i];
        if (row->in & 1u << op->state && (!row->when || row->when(fep, op))) {
            go(fep, id, row);
            return;
        }
    }
}

void uet_op_begin(struct uet_fep *fep, uint32_t id)
{
    struct operation *op = op_at(fep, id);
    op->return_code = UET_RC_OK;
    if (op->call.header == UET_OP_HEADER_STD && !uet_ses_op_of(fep, op)->unnumbered)
        op->message_id = id_take(fep);
    op->state = OP_WAITING;
    op->not_before = fep->now;
    enter(fep, id);
}

void uet_op_cut(struct uet_fep *fep, uint32_t id, bool last)
{
    uet_op_event(fep, id, last ? OP_EV_CUT_LAST : OP_EV_CUT);
    find_next(fep, ses_pdc_at(fep, op_at(fep, id)->pdc));
}
