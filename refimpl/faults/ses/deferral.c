/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of deferrable sends and their RTR (ses/deferral.c, ses/held.c). */
#include "refimpl/faults/ways.h"
#include "refimpl/pds/pds.h"
#include "refimpl/ses/checks.h"

/* ---- the packets ---- */

static bool is_rtr(const struct uet_fault_frame *f)
{
    return f->p.ses == UET_H_SES_REQ_RTR;
}

static bool is_first_try(const struct uet_fault_frame *f)
{
    return uet_is_ses_deferrable(&f->p) && !uet_ses_req_defer_trt(uet_ses(&f->p));
}

static bool is_restart(const struct uet_fault_frame *f)
{
    return uet_is_ses_deferrable(&f->p) && uet_ses_req_defer_trt(uet_ses(&f->p));
}

static bool is_stop(const struct uet_fault_frame *f)
{
    return f->p.ses == UET_H_SES_REQ_DEFER_SEND_SOM0 && !f->p.payload_len &&
           uet_ses_req_eom(uet_ses(&f->p));
}

static bool defers(const struct uet_fault_frame *f)
{
    return uet_is_ses_response(&f->p) && uet_ses_rsp_list(uet_ses(&f->p)) == UET_LIST_OVERFLOW;
}

static bool defers_some(const struct uet_fault_frame *f)
{
    return defers(f) && uet_ses_rsp_modified_length(uet_ses(&f->p));
}

static bool defers_as_expected(const struct uet_fault_frame *f)
{
    const uint8_t *s = uet_ses(&f->p);
    return f->p.ses == UET_H_SES_RSP && uet_ses_rsp_opcode(s) == UET_RSP_RESPONSE &&
           uet_ses_rsp_return_code(s) == UET_RC_OK && uet_ses_rsp_list(s) == UET_LIST_EXPECTED &&
           !uet_ses_rsp_modified_length(s);
}

/* ---- as target: what is declared wrong is taken ---- */

UET_FAULT_ALTERS(restart_is_good, is_restart, uet_ses_req_ie_set(s, false))

/* ---- as initiator ---- */

UET_FAULT_ALTERS(token_of_its_own, is_first_try, uet_ses_req_defer_trt_set(s, 1))
/* The memo: one message was deferred, and no RTR has come since. */
static bool token_when_anew(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (*f->memo && is_first_try(f) && uet_ses_req_som(uet_ses(&f->p)))
        uet_ses_req_defer_trt_set(uet_fault_ses(f), 1);
    return true;
}

static bool deferred_once(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (defers(f))
        *f->memo = 1;
    return true;
}

UET_FAULT_ALTERS(stops_in_error, is_stop, uet_ses_req_opcode_set(s, UET_OP_MSG_ERROR))
UET_FAULT_ALTERS(stops_at_nothing, is_stop, uet_ses_req_std_message_offset_set(s, 0))
static bool stops_at_acked(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = is_stop(f) ? uet_pdc_by_id(fep, uet_spdcid(&f->p)) : NULL;
    if (!pdc)
        return true;
    uint8_t *s = uet_fault_ses(f);
    const uint32_t sent = uet_ses_req_std_message_offset(s);
    const uint32_t open = (pdc->tx.n_packets - 1u) * fep->config.payload_mtu;
    uet_ses_req_std_message_offset_set(s, open < sent ? sent - open : 0);
    return true;
}

UET_FAULT_ALTERS(token_forgotten, is_restart, uet_ses_req_defer_trt_set(s, 0))
UET_FAULT_ALTERS(tokens_swapped, is_restart, {
    uint32_t irt = uet_ses_req_defer_irt(s);
    uet_ses_req_defer_irt_set(s, uet_ses_req_defer_trt(s));
    uet_ses_req_defer_trt_set(s, irt);
})
UET_FAULT_ALTERS(goes_elsewhere, is_restart, uet_ses_req_pid_on_fep_set(s, 0))
UET_FAULT_ALTERS(goes_on, is_restart, uet_ses_req_som_set(s, false))

/* It hears nothing but a success. */
UET_FAULT_ALTERS(deaf, defers, {
    uet_ses_rsp_opcode_set(s, UET_RSP_DEFAULT_RESPONSE);
    uet_ses_rsp_list_set(s, UET_LIST_EXPECTED);
})

/* Or of one that did not need more. */
UET_FAULT_ALTERS(takes_cut_for_done, defers_some, uet_ses_rsp_list_set(s, UET_LIST_EXPECTED))
UET_FAULT_ALTERS(takes_expected_for_done, defers_as_expected, uet_ses_rsp_modified_length_set(s, 1))

static struct operation *by_token(const struct uet_fep *fep, const struct ses_request *r,
                                  uint32_t bits)
{
    for (uint32_t id = 1; id <= fep->operations.n; id++) {
        struct operation *op = op_at(fep, id);
        if (op->irt && !((op->irt ^ r->irt) & bits) && uet_ses_op_of(fep, op)->defers)
            return op;
    }
    return NULL;
}

/* As it should be, of an RTR with what its operation has. */
static uint8_t check_as(const struct uet_fep *fep, const struct uet_packet *p,
                        const struct ses_request *r, uint32_t bits, bool job, bool initiator)
{
    const struct operation *op = by_token(fep, r, bits);
    struct ses_request right = *r;
    if (!op)
        return UET_RC_OP_VIOLATION;
    right.irt = op->irt;
    right.job_id = job ? op->call.job_id : r->job_id;
    right.initiator = initiator ? op->call.initiator : r->initiator;
    return uet_rtr_check(fep, p, &right);
}

#define CHECKS(name, bits, job, initiator)                                                         \
    static uint8_t name##_check(const struct uet_fep *fep, const struct uet_packet *p,             \
                                const struct ses_request *r)                                       \
    {                                                                                              \
        return check_as(fep, p, r, bits, job, initiator);                                          \
    }                                                                                              \
    static void name(struct uet_law *law)                                                          \
    {                                                                                              \
        law->ses.ops[UET_OP_DEFERRABLE_RTR].check = name##_check;                                  \
    }

CHECKS(any_job, UINT32_MAX, true, false)
CHECKS(any_initiator, UINT32_MAX, false, true)

static void commit_of_any(struct uet_fep *fep, uint16_t pdc, const struct uet_packet *p,
                          const struct ses_plan *plan)
{
    const struct operation *op = by_token(fep, &plan->request, 0xffff);
    struct ses_plan right = *plan;
    if (op)
        right.request.irt = op->irt;
    uet_rtr_commit(fep, pdc, p, &right);
}

CHECKS(low_half_checked, 0xffff, false, false)

static void low_half(struct uet_law *law)
{
    low_half_checked(law);
    law->ses.ops[UET_OP_DEFERRABLE_RTR].commit = commit_of_any;
}

/* A refused RTR uses the token up. */
static void commit_used_up(struct uet_fep *fep, uint16_t pdc, const struct uet_packet *p,
                           const struct ses_plan *plan)
{
    struct operation *op = by_token(fep, &plan->request, UINT32_MAX);
    if (plan->return_code != UET_RC_OK && op)
        op->used_trt = plan->request.trt;
    uet_rtr_commit(fep, pdc, p, plan);
}

static void used_up(struct uet_law *law)
{
    law->ses.ops[UET_OP_DEFERRABLE_RTR].commit = commit_used_up;
}

/* Of the initiator ID its low 16 bits count. */
static bool low_initiator(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (!uet_is_ses_request(&f->p) || uet_ses_req_opcode(uet_ses(&f->p)) != UET_OP_DEFERRABLE_RTR)
        return true;
    uint8_t *s = uet_fault_ses(f);
    const uint32_t id = uet_ses_req_rtr_irt(s) & 0xffff, low = uet_ses_req_initiator(s) & 0xffff;
    if (id && id <= fep->operations.n)
        uet_ses_req_initiator_set(s, (op_at(fep, id)->call.initiator & 0xffff0000u) | low);
    return true;
}

static void waits_with_its_token(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    for (uint32_t id = 1; id <= fep->operations.n; id++)
        if (op_at(fep, id)->state == OP_WAITING && op_at(fep, id)->deferred)
            op_at(fep, id)->trt = op_at(fep, id)->used_trt;
}

static void forgets_used_tokens(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    for (uint32_t id = 1; id <= fep->operations.n; id++)
        op_at(fep, id)->used_trt = 0;
}

/* Unless its message was deferred before. */
static void forgets_early_rtr(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    for (uint32_t id = 1; id <= fep->operations.n; id++)
        if (!op_at(fep, id)->deferred)
            op_at(fep, id)->restarts = false;
}

static void knows_the_newest(struct uet_fep *fep, uint64_t *memo)
{
    uint32_t newest = 0;
    (void)memo;
    for (uint32_t id = 1; id <= fep->operations.n; id++)
        if (op_at(fep, id)->used_trt && op_at(fep, id)->irt > newest)
            newest = op_at(fep, id)->irt;
    for (uint32_t id = 1; id <= fep->operations.n; id++)
        if (op_at(fep, id)->irt != newest)
            op_at(fep, id)->used_trt = 0;
}

/* memo: the PDC of the last RTR; used tokens are known there only. */
static bool used_tokens_of_a_pdc(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (!is_rtr(f) || f->p.error != UET_PARSE_OK)
        return true;
    uint64_t peer = UINT64_C(1) << 32 | uet_spdcid(&f->p);
    if (!uet_has_syn(&f->p))
        peer = uet_dpdcid(&f->p);
    if (*f->memo && *f->memo != peer)
        forgets_used_tokens(fep, f->memo);
    *f->memo = peer;
    return true;
}

static uint8_t check_of_generation(const struct uet_fep *fep, const struct uet_packet *p,
                                   const struct ses_request *r)
{
    const struct operation *op = by_token(fep, r, UINT32_MAX);
    return op && op->call.ri_generation != r->ri_generation ? UET_RC_BAD_GENERATION
                                                            : uet_rtr_check(fep, p, r);
}

static void needs_generation(struct uet_law *law)
{
    law->ses.ops[UET_OP_DEFERRABLE_RTR].check = check_of_generation;
}

static void needs_address(struct uet_law *law)
{
    law->ses.ops[UET_OP_DEFERRABLE_RTR].names = SES_NAMES_NO_RI;
}

/* The first packet that continues a message goes on a ROD PDC to that peer, if there is one. */
static bool goes_on_by_rod(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct uet_ip to = uet_dst_ip(&f->p);
    if (*f->memo || f->p.ses != UET_H_SES_REQ_DEFER_SEND_SOM0 || is_stop(f))
        return true;
    for (uint32_t id = 1; id <= fep->config.max_pdcs; id++) {
        const struct pdc *pdc = &fep->pdcs[id];
        uint8_t *h = uet_fault_pds(f);
        if (!pdc->initiator || !pdc->rod || !pdc->peer_id || !uet_ip_equal(&pdc->peer, &to))
            continue;
        *f->memo = 1;
        uet_rud_rod_req_type_set(h, UET_PDS_ROD_REQ);
        uet_rud_rod_req_syn_set(h, false);
        uet_rud_rod_req_spdcid_set(h, pdc->id);
        uet_rud_rod_req_dpdcid_set(h, pdc->peer_id);
        uet_rud_rod_req_psn_set(h, pdc->tx.next_psn);
        break;
    }
    return true;
}

/* ---- as target ---- */

UET_FAULT_ALTERS(changes_all, defers, uet_ses_rsp_modified_length_set(s, UINT32_MAX))
UET_FAULT_ALTERS(says_nothing_of_it, defers, uet_ses_rsp_opcode_set(s, UET_RSP_DEFAULT_RESPONSE))
UET_FAULT_ALTERS(rtr_token_swapped, is_rtr, {
    uint32_t irt = uet_ses_req_rtr_irt(s);
    uet_ses_req_rtr_irt_set(s, uet_ses_req_rtr_trt(s));
    uet_ses_req_rtr_trt_set(s, irt);
})
UET_FAULT_ALTERS(rtr_short_token, is_rtr,
                 uet_ses_req_rtr_irt_set(s, (uint16_t)uet_ses_req_rtr_irt(s)))
UET_FAULT_ALTERS(rtr_of_another_job, is_rtr, uet_ses_req_job_id_set(s, 1))
UET_FAULT_ALTERS(rtr_of_nobody, is_rtr, uet_ses_req_initiator_set(s, 0))
UET_FAULT_ALTERS(rtr_of_nothing, is_rtr, uet_ses_req_std_request_length_set(s, 0))
static bool deferrable_comes(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (f->p.ses == UET_H_SES_REQ_DEFER_SEND_SOM1)
        *f->memo = uet_ses_req_std_request_length(uet_ses(&f->p));
    return true;
}

static bool rtr_of_the_last(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (is_rtr(f))
        uet_ses_req_std_request_length_set(uet_fault_ses(f), (uint32_t)*f->memo);
    return true;
}

UET_FAULT_ALTERS(rtr_without_end, is_rtr, uet_ses_req_eom_set(s, false))

/* On the first PDC that the same peer has opened. */
static bool rtr_back(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct uet_ip to = uet_dst_ip(&f->p);
    if (!is_rtr(f) || f->p.pds != UET_H_RUD_ROD_REQ_SYN)
        return true;
    for (uint32_t id = 1; id <= fep->config.max_pdcs; id++) {
        const struct pdc *pdc = &fep->pdcs[id];
        if (pdc->initiator || !pdc->peer_id || !uet_ip_equal(&pdc->peer, &to))
            continue;
        uint8_t *h = uet_fault_pds(f);
        uet_rud_rod_req_syn_set(h, false);
        uet_rud_rod_req_spdcid_set(h, pdc->id);
        uet_rud_rod_req_dpdcid_set(h, pdc->peer_id);
        uet_rud_rod_req_psn_set(h, pdc->start_psn);
        break;
    }
    return true;
}

static bool rtr_never(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return !is_rtr(f);
}

static void no_room_is_wrong(struct uet_law *law)
{
    law->ses.checks[SES_CHECK_RECEIVE].code = UET_RC_OP_VIOLATION;
}

static void answer_loosely(struct uet_fep *fep, const struct message *m, struct ses_plan *plan)
{
    uet_held_answer(fep, m, plan);
    plan->guaranteed = false;
}

static void not_guaranteed(struct uet_law *law)
{
    law->ses.ops[UET_OP_DEFERRABLE_SEND].answer = answer_loosely;
}

static void commit_without_data(struct uet_fep *fep, uint16_t pdc, const struct uet_packet *p,
                                const struct ses_plan *plan)
{
    struct ses_plan silent = *plan;
    silent.request.hd = false;
    uet_deferrable_commit(fep, pdc, p, &silent);
}

static void data_lost(struct uet_law *law)
{
    law->ses.ops[UET_OP_DEFERRABLE_SEND].commit = commit_without_data;
}

/* memo: the lower half of the last buffer_offset. */
static bool first_try_has_leftover(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (is_first_try(f))
        uet_ses_req_defer_trt_set(uet_fault_ses(f), (uint32_t)*f->memo);
    else if (f->p.ses == UET_H_SES_REQ_STD_SOM1)
        *f->memo = uet_ses_req_buffer_offset(uet_ses(&f->p));
    return true;
}

/* The restart is shorter by buffer_offset. */
static void cut_then_commit(struct uet_fep *fep, uint16_t pdc, const struct uet_packet *p,
                            const struct ses_plan *plan)
{
    struct operation *op = by_token(fep, &plan->request, UINT32_MAX);
    if (plan->return_code == UET_RC_OK && op && plan->request.buffer_offset < op->call.length)
        op->call.length -= (uint32_t)plan->request.buffer_offset;
    uet_rtr_commit(fep, pdc, p, plan);
}

static void rest_from_zero(struct uet_law *law)
{
    law->ses.ops[UET_OP_DEFERRABLE_RTR].commit = cut_then_commit;
}

/* The memo: the token of the last restart; and whether a NACK has moved that since. */
#define MOVED (1ull << 32)

static bool nack_moves_restart(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_nack(&f->p) && uet_nack_nack_code(uet_pds(&f->p)) == UET_NACK_PDC_HDR_MISMATCH)
        *f->memo |= MOVED;
    return true;
}

static bool moves_with_its_token(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (is_restart(f))
        *f->memo = uet_ses_req_defer_trt(uet_ses(&f->p));
    else if (is_first_try(f) && *f->memo & MOVED)
        uet_ses_req_defer_trt_set(uet_fault_ses(f), (uint32_t)*f->memo);
    return true;
}

/* Whoever knows the token is its target. */
static uint8_t check_of_anybody(const struct uet_fep *fep, const struct uet_packet *p,
                                const struct ses_request *r)
{
    const struct operation *op = by_token(fep, r, UINT32_MAX);
    (void)p;
    return op && op->call.job_id == r->job_id && op->call.initiator == r->initiator &&
                   !op->restarts && r->trt != op->used_trt
               ? UET_RC_OK
               : UET_RC_OP_VIOLATION;
}

static void rtr_of_anybody(struct uet_law *law)
{
    law->ses.ops[UET_OP_DEFERRABLE_RTR].check = check_of_anybody;
}

/* The pause is asked for when the next try has been made ready. */
static uint64_t pause_with_token(struct uet_fep *fep, const struct operation *op)
{
    for (uint32_t id = 1; id <= fep->operations.n; id++) {
        if (op_at(fep, id) == op)
            op_at(fep, id)->trt = op->used_trt;
    }
    return uet_ses_pause(fep, op);
}

static void token_stays(struct uet_law *law)
{
    law->ses.pause = pause_with_token;
}

/* As if it had one byte. */
static bool empty_is_held(struct ses_judged *j)
{
    struct ses_law clean;
    struct ses_request one = *j->r;
    struct ses_judged other = *j;
    uet_ses_checks_make(&clean);
    one.length += !one.length && one.op->defers;
    other.r = &one;
    bool holds = clean.checks[SES_CHECK_RECEIVE].holds(&other);
    other.r = j->r;
    *j = other;
    return holds;
}

static void empty_is_deferred(struct uet_law *law)
{
    law->ses.checks[SES_CHECK_RECEIVE].holds = empty_is_held;
}

/* The place of a token is that of whoever names it last. */
static void commit_by_token(struct uet_fep *fep, uint16_t pdc, const struct uet_packet *p,
                            const struct ses_plan *plan)
{
    for (uint32_t id = fep->held_line.head; id; id = held_at(fep, id)->next) {
        if (held_at(fep, id)->request.irt == plan->request.irt)
            held_at(fep, id)->from = uet_src_ip(p);
    }
    uet_deferrable_commit(fep, pdc, p, plan);
}

static void known_by_token(struct uet_law *law)
{
    law->ses.ops[UET_OP_DEFERRABLE_SEND].commit = commit_by_token;
}

static void waits_for_ever(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    for (uint32_t id = 1; id <= fep->held.n; id++)
        if (held_at(fep, id)->receive)
            held_at(fep, id)->until = UET_FEP_NEVER;
}

/* One that is promised is always the newest. */
static void loses_its_place(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    for (uint32_t id = 1; id <= fep->receives.n; id++)
        if (receive_at(fep, id)->held)
            receive_at(fep, id)->number = fep->n_posted++;
}

/* The memo: a receive that was promised, and whose message fails now. */
static bool restart_in_error_noted(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (!is_restart(f) || !uet_ses_req_ie(uet_ses(&f->p)))
        return true;
    for (uint32_t id = 1; id <= fep->receives.n; id++)
        if (receive_at(fep, id)->held)
            *f->memo = id;
    return true;
}

static void stays_promised(struct uet_fep *fep, uint64_t *memo)
{
    if (*memo && !receive_at(fep, (uint32_t)*memo)->held)
        uet_receive_take(fep, (uint32_t)*memo);
    *memo = 0;
}

static const struct uet_fault_way ways[] = {
    {VIOLATION_SES_090_FREED, .after = loses_its_place},
    {VIOLATION_ROB_037_RESTART, .in = restart_in_error_noted, .after = stays_promised},
    {VIOLATION_ROB_037_PROMISE, .after = waits_for_ever},
    {VIOLATION_SES_143, .out = token_of_its_own},
    {VIOLATION_SES_143_ANEW, .in = deferred_once, .out = token_when_anew},
    {VIOLATION_SES_143_LEFT, .out = first_try_has_leftover},
    {VIOLATION_SES_112_RESTART, .in = restart_is_good},
    {VIOLATION_SES_146, .out = changes_all},
    {VIOLATION_SES_146_DEFAULT, .out = says_nothing_of_it},
    {VIOLATION_SES_146_LOOSE, .rows = not_guaranteed},
    {VIOLATION_SES_147, .out = stops_in_error},
    {VIOLATION_SES_147_OFFSET, .out = stops_at_nothing},
    {VIOLATION_SES_147_ACKED, .out = stops_at_acked},
    {VIOLATION_SES_146_LIST, .in = takes_expected_for_done},
    {VIOLATION_SES_146_SOME, .in = takes_cut_for_done},
    {VIOLATION_SES_147_DEAF, .in = deaf},
    {VIOLATION_SES_148, .out = rtr_never},
    {VIOLATION_SES_148_SWAPPED, .out = rtr_token_swapped},
    {VIOLATION_SES_148_SHORT, .out = rtr_short_token},
    {VIOLATION_SES_148_PEER, .rows = known_by_token},
    {VIOLATION_SES_148_JOB, .out = rtr_of_another_job},
    {VIOLATION_SES_148_EOM, .out = rtr_without_end},
    {VIOLATION_SES_149, .out = rtr_back},
    {VIOLATION_SES_150, .out = token_forgotten},
    {VIOLATION_SES_150_EARLY, .after = forgets_early_rtr},
    {VIOLATION_SES_150_SWAPPED, .out = tokens_swapped},
    {VIOLATION_SES_150_PID, .out = goes_elsewhere},
    {VIOLATION_SES_151, .rows = low_half},
    {VIOLATION_SES_152, .rows = any_job},
    {VIOLATION_SES_152_HIGH, .in = low_initiator},
    {VIOLATION_SES_169_DEFERRED, .after = waits_with_its_token},
    {VIOLATION_SES_152_USED, .rows = used_up},
    {VIOLATION_SES_153, .rows = no_room_is_wrong},
    {VIOLATION_SES_154, .out = goes_on_by_rod},
    {VIOLATION_SES_168, .out = goes_on},
    {VIOLATION_SES_169, .after = forgets_used_tokens},
    {VIOLATION_SES_169_NEWEST, .after = knows_the_newest},
    {VIOLATION_SES_169_PDC, .in = used_tokens_of_a_pdc},
    {VIOLATION_SES_170, .out = rtr_of_nothing},
    {VIOLATION_SES_170_LAST, .in = deferrable_comes, .out = rtr_of_the_last},
    {VIOLATION_SES_170_REST, .rows = rest_from_zero},
    {VIOLATION_SES_169_AGAIN, .rows = token_stays},
    {VIOLATION_SES_146_EMPTY, .rows = empty_is_deferred},
    {VIOLATION_SES_174_DEFERRED, .rows = data_lost},
    {VIOLATION_SES_175, .out = rtr_of_nobody},
    {VIOLATION_SES_175_ANY, .rows = any_initiator},
    {VIOLATION_SES_176, .rows = needs_address},
    {VIOLATION_SES_176_GENERATION, .rows = needs_generation},
    {VIOLATION_SES_169_MOVED, .in = nack_moves_restart, .out = moves_with_its_token},
    {VIOLATION_ROB_047, .rows = rtr_of_anybody},
};

UET_FAULT_WAYS(uet_faults_of_deferral, ways);
