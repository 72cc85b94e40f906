/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of messages, reads, and of operations on their way out (ses/). */
#include "refimpl/faults/ways.h"
#include "refimpl/pds/pds.h"
#include "refimpl/ses/checks.h"

/* ---- messages and their completions ---- */

static void commit_failing_others(struct uet_fep *fep, uint16_t pdc, const struct uet_packet *p,
                                  const struct ses_plan *plan)
{
    for (uint32_t id = ses_pdc_at(fep, pdc)->messages; plan->return_code != UET_RC_OK && id;
         id = message_at(fep, id)->next)
        uet_ses_message_failed(fep, p, plan, message_at(fep, id));
    uet_deliver_commit(fep, pdc, p, plan);
}

static void fail_others(struct ses_op *op)
{
    if (op->commit == uet_deliver_commit)
        op->commit = commit_failing_others;
}

static void error_ends_all(struct uet_law *law)
{
    uet_fault_each_op(law, fail_others);
}

/* ---- what a request is addressed to ---- */

static bool small_elsewhere(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (f->p.ses == UET_H_SES_REQ_SMALL)
        uet_ses_req_resource_index_set(uet_fault_ses(f), 1);
    return true;
}

static bool is_opcode(const struct uet_packet *p, uint8_t opcode)
{
    return uet_is_ses_request(p) && uet_ses_req_opcode(uet_ses(p)) == opcode;
}

/* A datagram has come; from then on nothing that is sent finds a receive. */
static bool sends_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    *f->memo |= is_opcode(&f->p, UET_OP_DATAGRAM_SEND);
    if (*f->memo && is_opcode(&f->p, UET_OP_SEND))
        uet_ses_req_resource_index_set(uet_fault_ses(f), 0xfff);
    return true;
}

static bool everybody_may(struct ses_judged *j)
{
    (void)j;
    return true;
}

/* Who has an endpoint there may use what is posted behind it. */
static bool endpoint_may(struct ses_judged *j)
{
    struct ses_request named = *j->r;
    named.rel = true;
    return !j->refused || uet_service_find(j->fep, &named);
}

static void receive_for_endpoint(struct uet_law *law)
{
    law->ses.checks[SES_CHECK_RECEIVE_JOB].holds = endpoint_may;
}

static void receive_for_all(struct uet_law *law)
{
    law->ses.checks[SES_CHECK_RECEIVE_JOB].holds = everybody_may;
}

static bool token_is_offset(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (is_opcode(&f->p, UET_OP_DEFERRABLE_SEND))
        uet_ses_req_opcode_set(uet_fault_ses(f), UET_OP_SEND);
    return true;
}

/* ---- data of READs ---- */

static bool data_by_id(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (f->p.ses != UET_H_SES_RSP_DATA || !uet_is_request(&f->p))
        return true;
    uint16_t name = uet_ses_rsp_data_read_request_message_id(uet_ses(&f->p));
    for (uint32_t id = 1; id <= fep->operations.n; id++) {
        const struct operation *op = op_at(fep, id);
        if (op->state == OP_SENT && op->message_id == name) {
            uet_ses_fetch_take(fep, id, &f->p);
            uet_ses_may_end(fep, id);
        }
    }
    return true;
}

static bool data_comes(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    *f->memo |= f->p.ses == UET_H_SES_RSP_DATA && uet_is_request(&f->p);
    return true;
}

/* From the first data on it says so of all that it acknowledges by a default response. */
static bool data_arrives(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (*f->memo && uet_is_ack(&f->p) && f->p.ses == UET_H_SES_RSP_DEFAULT)
        uet_ses_rsp_opcode_set(uet_fault_ses(f), UET_RSP_NO_RESPONSE);
    return true;
}

/* memo: the message_id of the last error, and one bit more. */
static bool error_of_an_id(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (f->p.ses == UET_H_SES_RSP && uet_ses_rsp_return_code(uet_ses(&f->p)) > UET_RC_OK)
        *f->memo = 1u << 16 | uet_ses_rsp_message_id(uet_ses(&f->p));
    return true;
}

static bool id_in_error(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (is_opcode(&f->p, UET_OP_WRITE) && uet_ses_req_som(uet_ses(&f->p)) &&
        *f->memo == (1u << 16 | uet_ses_req_std_message_id(uet_ses(&f->p))))
        uet_ses_req_match_bits_or_memory_key_set(uet_fault_ses(f), UINT32_MAX);
    return true;
}

/* memo: a packet with ie has come. */
static bool initiator_errs(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    *f->memo |= uet_is_ses_request(&f->p) && uet_ses_req_ie(uet_ses(&f->p));
    return true;
}

static bool told_as_the_latest(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (*f->memo && uet_is_ack(&f->p) && uet_ack_retx(uet_pds(&f->p)) &&
        f->p.ses == UET_H_SES_RSP && uet_ses_rsp_return_code(uet_ses(&f->p)) > UET_RC_OK)
        uet_ses_rsp_return_code_set(uet_fault_ses(f), UET_RC_INITIATOR_ERROR);
    return true;
}

static bool optimized_is_small(struct ses_judged *j)
{
    j->region = uet_region_find(j->fep, j->r, &j->refused);
    return j->region && (j->r->small || !(j->r->key >> 62 & 1));
}

static void no_optimized_key(struct uet_law *law)
{
    law->ses.checks[SES_CHECK_KEY].holds = optimized_is_small;
}

static bool one_byte_more(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (!uet_is_ses_response(&f->p) || uet_ses_rsp_opcode(uet_ses(&f->p)) != UET_RSP_RESPONSE ||
        uet_ses_rsp_return_code(uet_ses(&f->p)) != UET_RC_OK)
        return true;
    uet_ses_rsp_modified_length_set(uet_fault_ses(f),
                                    uet_ses_rsp_modified_length(uet_ses(&f->p)) + 1);
    return true;
}

/* ---- sends on their way out ---- */

static bool sends_low_pid(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (is_opcode(&f->p, UET_OP_SEND) || is_opcode(&f->p, UET_OP_DEFERRABLE_SEND))
        uet_ses_req_pid_on_fep_set(uet_fault_ses(f), uet_ses_req_pid_on_fep(uet_ses(&f->p)) & 0xff);
    return true;
}

static void not_known(struct uet_law *law)
{
    law->ses.ops[UET_OP_DEFERRABLE_SEND].takes = 0;
}

/* ---- UET_MSG_ERROR ---- */

static uint8_t no_error(const struct uet_fep *fep, const struct uet_packet *p,
                        const struct ses_request *r)
{
    (void)fep, (void)p, (void)r;
    return UET_RC_OK;
}

static void stop_is_good(struct uet_law *law)
{
    law->ses.ops[UET_OP_MSG_ERROR].check = no_error;
}

static bool any_message(struct ses_judged *j)
{
    (void)j;
    return true;
}

static void stop_of_nothing_is_good(struct uet_law *law)
{
    stop_is_good(law);
    law->ses.checks[SES_CHECK_MESSAGE_KNOWN].holds = any_message;
}

static bool stops_at_nothing(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_ses_request(&f->p) && uet_ses_req_opcode(uet_ses(&f->p)) == UET_OP_MSG_ERROR)
        uet_ses_req_std_message_offset_set(uet_fault_ses(f), 0);
    return true;
}

static bool stops_at_acked(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (!uet_is_ses_request(&f->p) || uet_ses_req_opcode(uet_ses(&f->p)) != UET_OP_MSG_ERROR)
        return true;
    const struct pdc *pdc = uet_pdc_by_id(fep, uet_spdcid(&f->p));
    uint8_t *s = uet_fault_ses(f);
    uint32_t sent = uet_ses_req_std_message_offset(s);
    uint32_t open = pdc ? (pdc->tx.n_packets - 1u) * fep->config.payload_mtu : 0;
    uet_ses_req_std_message_offset_set(s, open < sent ? sent - open : 0);
    return true;
}

static bool stops_with_som(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_ses_request(&f->p) && uet_ses_req_opcode(uet_ses(&f->p)) == UET_OP_MSG_ERROR)
        uet_ses_req_som_set(uet_fault_ses(f), true);
    return true;
}

static void end_as_a_write(struct ses_op *op)
{
    op->stops = op->stops ? UET_OP_WRITE : 0;
}

static void stops_by_a_write(struct uet_law *law)
{
    uet_fault_each_op(law, end_as_a_write);
}

static void commit_without_data(struct uet_fep *fep, uint16_t pdc, const struct uet_packet *p,
                                const struct ses_plan *plan)
{
    struct ses_plan silent = *plan;
    silent.request.hd = false;
    uet_deliver_commit(fep, pdc, p, &silent);
}

static void write_data_lost(struct uet_law *law)
{
    law->ses.ops[UET_OP_WRITE].commit = commit_without_data;
}

static void send_data_lost(struct uet_law *law)
{
    law->ses.ops[UET_OP_SEND].commit = commit_without_data;
}

static void commit_telling_early(struct uet_fep *fep, uint16_t pdc, const struct uet_packet *p,
                                 const struct ses_plan *plan)
{
    struct ses_plan silent = *plan;
    if (plan->request.hd && plan->region && !plan->single && plan->return_code == UET_RC_OK) {
        uet_ses_finished(fep, p, plan, true, plan->request.header_data);
        silent.request.hd = false;
    }
    uet_deliver_commit(fep, pdc, p, &silent);
}

static void write_data_early(struct uet_law *law)
{
    law->ses.ops[UET_OP_WRITE].commit = commit_telling_early;
}

static void commit_with_last_data(struct uet_fep *fep, uint16_t pdc, const struct uet_packet *p,
                                  const struct ses_plan *plan)
{
    const struct ses_request *r = &plan->request;
    if (plan->message && !r->som && plan->return_code == UET_RC_OK)
        message_at(fep, plan->message)->header_data =
            (uint64_t)r->payload << 32 | r->message_offset;
    uet_deliver_commit(fep, pdc, p, plan);
}

static void write_data_of_last(struct uet_law *law)
{
    law->ses.ops[UET_OP_WRITE].commit = commit_with_last_data;
}

static void send_data_of_last(struct uet_law *law)
{
    law->ses.ops[UET_OP_SEND].commit = commit_with_last_data;
}

static void commit_until_eom(struct uet_fep *fep, uint16_t pdc, const struct uet_packet *p,
                             const struct ses_plan *plan)
{
    uet_deliver_commit(fep, pdc, p, plan);
    if (plan->single || !plan->request.eom || plan->return_code != UET_RC_OK)
        return;
    uint32_t id = uet_message_find(fep, pdc, plan->request.message_id);
    if (!id)
        return;
    const struct message *m = message_at(fep, id);
    uet_ses_finished(fep, p, plan, m->has_header_data, m->header_data);
    uet_message_end(fep, id);
}

static void end_at_eom(struct ses_op *op)
{
    if (op->commit == uet_deliver_commit)
        op->commit = commit_until_eom;
}

static void eom_ends(struct uet_law *law)
{
    uet_fault_each_op(law, end_at_eom);
}

static void commit_telling_twice(struct uet_fep *fep, uint16_t pdc, const struct uet_packet *p,
                                 const struct ses_plan *plan)
{
    struct completion_ring *ring = &fep->completions;
    uint32_t before = ring->n;
    uet_deliver_commit(fep, pdc, p, plan);
    if (ring->n == before || ring->n == ring->cap)
        return;
    const struct uet_completion last = ring->slots[(ring->head + ring->n - 1) % ring->cap];
    if (last.kind == UET_COMPLETION_RECEIVE && last.has_header_data)
        uet_completion_push(fep, &last);
}

static void send_data_twice(struct uet_law *law)
{
    law->ses.ops[UET_OP_SEND].commit = commit_telling_twice;
}

/* ---- reads ---- */

static void answer_ahead_refused(struct uet_fep *fep, const struct message *m,
                                 struct ses_plan *plan)
{
    uet_read_answer(fep, m, plan);
    if (!plan->ahead)
        return;
    plan->return_code = UET_RC_OP_VIOLATION;
    plan->part.length = 0;
    plan->in_ack = false;
    uet_ses_answer_error(plan, plan->request.ri_generation);
}

static void read_ahead_refused(struct uet_law *law)
{
    law->ses.ops[UET_OP_READ].answer = answer_ahead_refused;
}

/* A READ that comes again finds the default response in the place of the one that was kept. */
static bool read_error_not_kept(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct uet_packet *p = &f->p;
    if (!uet_is_request(p) || uet_has_syn(p) || !uet_is_ses_request(p) ||
        uet_ses_req_opcode(uet_ses(p)) != UET_OP_READ)
        return true;
    const struct pdc *pdc =
        uet_dpdcid(p) <= fep->config.max_pdcs ? pdc_at(fep, uet_dpdcid(p)) : NULL;
    for (uint32_t id = pdc ? pdc->rx.stored : 0; id;) {
        struct stored *s = pool_item(&fep->stored, id);
        if (s->psn == uet_packet_psn(p))
            uet_ses_default_response(s->response, p);
        id = s->next;
    }
    return true;
}

static void read_data_in_any_ack(struct uet_fep_params *params)
{
    params->Max_ACK_Data_Size = UINT16_MAX;
}

static void plan_small_part_in_ack(struct uet_fep *fep, const struct uet_packet *p,
                                   struct ses_plan *plan)
{
    uet_read_plan(fep, p, plan);
    plan->in_ack = plan->part.length && plan->part.length <= fep->params.Max_ACK_Data_Size;
}

static void read_last_part_in_ack(struct uet_law *law)
{
    law->ses.ops[UET_OP_READ].plan = plan_small_part_in_ack;
}

/* ---- the initiator ---- */

static bool message_id_constant(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_ses_request(&f->p) && uet_is_ses_std(&f->p) && !uet_is_uud(&f->p))
        uet_ses_req_std_message_id_set(uet_fault_ses(f), 1);
    return true;
}

/* memo: the message_id of the send that is promised an answer. */
static bool promised_id_noted(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_ack(&f->p) && uet_is_ses_response(&f->p) &&
        uet_ses_rsp_opcode(uet_fault_ses(f)) == UET_RSP_NO_RESPONSE)
        *f->memo = uet_ses_rsp_message_id(uet_fault_ses(f));
    return true;
}

static bool promised_id_is_free(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (*f->memo && is_opcode(&f->p, UET_OP_SEND) && uet_is_ses_std(&f->p) &&
        !uet_rud_rod_req_retx(uet_pds(&f->p)))
        uet_ses_req_std_message_id_set(uet_fault_ses(f), (uint16_t)*f->memo);
    return true;
}

static void datagram_numbered(struct uet_law *law)
{
    law->ses.ops[UET_OP_DATAGRAM_SEND].unnumbered = false;
}

static bool eom_never_set(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_ses_request(&f->p))
        uet_ses_req_eom_set(uet_fault_ses(f), false);
    return true;
}

/* Arrival is taken for a response, and for the data of a read. */
static void read_ends_without_data(struct uet_law *law)
{
    law->ses.ops[UET_OP_READ].complete = NULL;
}

static bool no_response_completes(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (!uet_is_ses_response(&f->p) || f->p.pds == UET_H_RUDI_RESP ||
        uet_ses_rsp_opcode(uet_ses(&f->p)) != UET_RSP_NO_RESPONSE)
        return true;
    uet_ses_rsp_opcode_set(uet_fault_ses(f), UET_RSP_DEFAULT_RESPONSE);
    uet_ses_rsp_return_code_set(uet_fault_ses(f), UET_RC_NULL);
    return true;
}

static bool arrival_with_ok_completes(struct uet_fep *fep, struct uet_fault_frame *f)
{
    bool ok = uet_is_ses_response(&f->p) && uet_ses_rsp_return_code(uet_ses(&f->p)) == UET_RC_OK;
    return ok ? no_response_completes(fep, f) : true;
}

/* Every other PSN goes to the message after the one that is being sent. */
static void messages_mixed(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    for (uint16_t i = 1; i && i <= fep->config.max_pdcs; i++) {
        struct ses_pdc *pdc = ses_pdc_at(fep, i);
        uint32_t id = pdc->ops_head;
        while (id && op_at(fep, id)->state == OP_SENT)
            id = op_at(fep, id)->next;
        uint32_t other = id ? op_at(fep, id)->next : 0;
        bool odd = pdc_at(fep, i)->tx.next_psn & 1u;
        pdc->op_next = odd && other && op_at(fep, other)->state != OP_SENT ? other : id;
    }
}

/* memo: the PDC on which the last good message came, and its job. */
static bool job_of_the_pdc(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (!is_opcode(&f->p, UET_OP_SEND) || uet_has_syn(&f->p))
        return true;
    uint8_t *ses = uet_fault_ses(f);
    if (*f->memo >> 32 == uet_dpdcid(&f->p))
        uet_ses_req_job_id_set(ses, (uint32_t)*f->memo);
    else
        *f->memo = (uint64_t)uet_dpdcid(&f->p) << 32 | uet_ses_req_job_id(ses);
    return true;
}

/* The region that a WRITE names by its key alone; NULL: none, or it is no WRITE. */
static const struct uet_region *region_of_key(const struct uet_fep *fep, struct uet_fault_frame *f)
{
    uint64_t key = is_opcode(&f->p, UET_OP_WRITE) && f->p.ses == UET_H_SES_REQ_STD_SOM1
                       ? uet_ses_req_match_bits_or_memory_key(uet_fault_ses(f))
                       : 0;
    for (uint32_t id = 1; key && id <= fep->regions.n; id++) {
        const struct region *g = pool_item(&fep->regions, id);
        if (g->registered && g->call.key == key)
            return &g->call;
    }
    return NULL;
}

static bool index_of_key(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct uet_region *g = region_of_key(fep, f);
    if (g)
        uet_ses_req_resource_index_set(uet_fault_ses(f), g->resource_index);
    return true;
}

static bool job_of_key(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct uet_region *g = region_of_key(fep, f);
    if (g && !uet_ses_req_job_id(uet_fault_ses(f)))
        uet_ses_req_job_id_set(uet_fault_ses(f), g->job_id);
    return true;
}

static bool stops_everywhere(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (!is_opcode(&f->p, UET_OP_MSG_ERROR))
        return true;
    for (uint16_t pdc = 1; pdc <= fep->config.max_pdcs; pdc++) {
        uint32_t id = uet_message_find(fep, pdc, uet_ses_req_std_message_id(uet_fault_ses(f)));
        if (id)
            message_at(fep, id)->return_code = UET_RC_INITIATOR_ERROR;
    }
    return true;
}

/* All of it is under way, and the error comes back. */
static void stops_what_is_sent(struct uet_fep *fep, uint64_t *memo)
{
    for (uint32_t id = 1; id <= fep->operations.n; id++) {
        struct operation *op = op_at(fep, id);
        if (op->state != OP_SENT || op->return_code == UET_RC_OK || !op->unacked || *memo == id)
            continue;
        *memo = id;
        op->state = OP_SENDING;
        ses_pdc_at(fep, op->pdc)->op_next = id;
        uet_pds_tx_request(fep, op->pdc);
    }
}

static bool length_unknown(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (f->p.ses == UET_H_SES_REQ_STD_SOM1 && is_opcode(&f->p, UET_OP_WRITE) &&
        !uet_ses_req_std_request_length(uet_fault_ses(f)))
        uet_ses_req_std_request_length_set(uet_fault_ses(f), f->p.payload_len);
    return true;
}

/* ---- what the address of a peer says ---- */

static void as_called(struct uet_operation *call)
{
    (void)call;
}

static void small_to_all(struct uet_law *law)
{
    law->ses.for_peer = as_called;
}

/* All that the 14 bits of a short header hold of the length. */
static void length_of_14_bits(struct uet_operation *call)
{
    uet_op_for_peer(call);
    if (call->header != UET_OP_HEADER_STD)
        call->length &= 0x3fff;
}

static void short_cuts_length(struct uet_law *law)
{
    law->ses.for_peer = length_of_14_bits;
}

static void long_to_all(struct uet_law *law)
{
    law->ses.minds_peer_length = false;
}

/* ---- what the application takes back ---- */

/* It is busy for ever, so that its bytes stay. */
static void key_stays(struct uet_fep *fep, uint32_t id)
{
    struct region *region = pool_item(&fep->regions, id);
    region->n_parts++;
}

static void withdrawn_is_good(struct uet_law *law)
{
    law->ses.withdraw = key_stays;
}

static int nothing_cancelled(struct uet_fep *fep, const struct uet_receive *receive)
{
    (void)fep, (void)receive;
    return 0;
}

static void cancelled_takes(struct uet_law *law)
{
    law->ses.cancel = nothing_cancelled;
}

static int removed_or_nothing(struct uet_fep *fep, const struct uet_receive *receive)
{
    (void)uet_fep_receive_remove(fep, receive);
    return 0;
}

static void cancelled_goes_on(struct uet_law *law)
{
    law->ses.cancel = removed_or_nothing;
}

static bool som_of_single_unread(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_ses_request(&f->p) && !uet_is_ses_std(&f->p))
        uet_ses_req_som_set(uet_fault_ses(f), true);
    return true;
}

static bool data_of_its_packet(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (f->p.ses == UET_H_SES_RSP_DATA)
        uet_ses_rsp_data_modified_length_set(uet_fault_ses(f), f->p.payload_len);
    return true;
}

/* A Request with a standard header and som=1 of that opcode. */
static bool begins(const struct uet_fault_frame *f, uint8_t opcode)
{
    return f->p.error == UET_PARSE_OK && uet_is_ses_std(&f->p) && uet_ses_req_som(uet_ses(&f->p)) &&
           uet_ses_req_opcode(uet_ses(&f->p)) == opcode;
}

static bool send_has_data(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (begins(f, UET_OP_SEND) && uet_ses_req_std_header_data(uet_ses(&f->p)))
        uet_ses_req_hd_set(uet_fault_ses(f), true);
    return true;
}

/* memo: a message of several packets had it. */
static bool hd_stays(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (!begins(f, UET_OP_WRITE) || uet_ses_req_eom(uet_ses(&f->p)))
        return true;
    *f->memo |= uet_ses_req_hd(uet_ses(&f->p));
    if (*f->memo)
        uet_ses_req_hd_set(uet_fault_ses(f), true);
    return true;
}

static bool empty_has_no_data(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (begins(f, UET_OP_WRITE) && !f->p.payload_len)
        uet_ses_req_hd_set(uet_fault_ses(f), false);
    return true;
}

/* What the application would see late it never sees. */
static bool wants_dc(const struct uet_fault_frame *f)
{
    return begins(f, UET_OP_WRITE) && uet_ses_req_dc(uet_ses(&f->p));
}

static void not_visible(struct uet_fault_frame *f)
{
    memset(f->bytes + f->p.payload_offset, 0, f->p.payload_len);
}

static bool dc_in_haste(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (wants_dc(f))
        not_visible(f);
    return true;
}

/* As if it were of another message. */
static bool error_ahead_forgotten(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    bool ahead = uet_is_ses_request(&f->p) && uet_ses_req_ie(uet_ses(&f->p)) &&
                 !uet_ses_req_som(uet_ses(&f->p));
    if (ahead)
        uet_ses_req_std_message_id_set(uet_fault_ses(f), 0xfffe);
    return true;
}

/* memo: its last message_id of this kind, and how often that has changed. */
static bool tries_raise_generation(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (!begins(f, UET_OP_SEND))
        return true;
    uint16_t id = uet_ses_req_std_message_id(uet_ses(&f->p));
    if ((*f->memo & 0xffff) != id)
        *f->memo = ((*f->memo >> 16) + 1) << 16 | id;
    uet_ses_req_ri_generation_set(uet_fault_ses(f), (uint8_t)((*f->memo >> 16) - 1));
    return true;
}

/* A response that tells less than all is said once, and not kept. */
static bool told_once(struct uet_fep *fep, struct uet_fault_frame *f)
{
    bool rsp = uet_is_ack(&f->p) && uet_is_ses_response(&f->p);
    (void)fep;
    if (!rsp || uet_ses_rsp_opcode(uet_ses(&f->p)) != UET_RSP_RESPONSE ||
        uet_ses_rsp_return_code(uet_ses(&f->p)) != UET_RC_OK)
        return true;
    uet_ack_req_set(uet_fault_pds(f), UET_ACK_NO_REQUEST);
    uet_ses_rsp_opcode_set(uet_fault_ses(f), UET_RSP_DEFAULT_RESPONSE);
    if (uet_ack_retx(uet_pds(&f->p)))
        uet_ses_rsp_modified_length_set(uet_fault_ses(f), 0);
    return true;
}

static uint64_t pause_of_first(struct uet_fep *fep, const struct operation *op)
{
    struct operation first = *op;
    first.ses_retries = 0;
    return uet_ses_pause(fep, &first);
}

static void pauses_alike(struct uet_law *law)
{
    law->ses.pause = pause_of_first;
}

static const struct uet_fault_way ways[] = {
    {VIOLATION_SES_109, .in = dc_in_haste},
    {VIOLATION_SES_116_AHEAD, .in = error_ahead_forgotten},
    {VIOLATION_SES_129, .rows = pauses_alike},
    {VIOLATION_SES_104_RAISED, .out = tries_raise_generation},
    {VIOLATION_SES_070_SEND, .in = send_has_data},
    {VIOLATION_SES_070_BEFORE, .in = hd_stays},
    {VIOLATION_SES_068_EMPTY, .in = empty_has_no_data},
    {VIOLATION_SES_173_READ, .out = data_of_its_packet},
    {VIOLATION_SES_017, .rows = small_to_all},
    {VIOLATION_SES_016_CUT, .rows = short_cuts_length},
    {VIOLATION_SES_015_SOM, .in = som_of_single_unread},
    {VIOLATION_SES_103, .rows = long_to_all},
    {VIOLATION_SES_063_WITHDRAWN, .rows = withdrawn_is_good},
    {VIOLATION_SES_090_CANCELLED, .rows = cancelled_takes},
    {VIOLATION_SES_116_CANCELLED, .rows = cancelled_goes_on},
    {VIOLATION_SES_019_KEY, .rows = no_optimized_key},
    {VIOLATION_SES_082_PDC, .in = data_by_id},
    {VIOLATION_SES_082_ARRIVAL, .in = data_comes, .out = data_arrives},
    {VIOLATION_ROB_042, .out = sends_low_pid},
    {VIOLATION_SES_124_ONCE, .out = told_once},
    {VIOLATION_SES_124, .out = one_byte_more},
    {VIOLATION_PDS_009, .after = messages_mixed},
    {VIOLATION_PDS_119, .params = read_data_in_any_ack},
    {VIOLATION_PDS_120, .rows = read_last_part_in_ack},
    {VIOLATION_SES_033, .out = message_id_constant},
    {VIOLATION_SES_033_PROMISED, .in = promised_id_noted, .out = promised_id_is_free},
    {VIOLATION_SES_035, .rows = datagram_numbered},
    {VIOLATION_SES_043, .out = eom_never_set},
    {VIOLATION_SES_044_EOM, .rows = eom_ends},
    {VIOLATION_SES_068, .rows = write_data_lost},
    {VIOLATION_SES_068_EARLY, .rows = write_data_early},
    {VIOLATION_SES_068_EOM, .rows = write_data_of_last},
    {VIOLATION_SES_073, .rows = read_ahead_refused},
    {VIOLATION_SES_084, .in = read_error_not_kept},
    {VIOLATION_SES_110, .rows = read_ends_without_data, .in = no_response_completes},
    {VIOLATION_SES_115_ID, .in = id_in_error, .out = error_of_an_id},
    {VIOLATION_SES_113_TOLD, .in = initiator_errs, .out = told_as_the_latest},
    {VIOLATION_SES_115, .rows = error_ends_all},
    {VIOLATION_SES_018, .out = small_elsewhere},
    {VIOLATION_SES_040, .in = sends_lost},
    {VIOLATION_SES_061, .rows = receive_for_all},
    {VIOLATION_SES_144, .rows = not_known},
    {VIOLATION_SES_145, .in = token_is_offset},
    {VIOLATION_SES_011_UNKNOWN, .in = length_unknown},
    {VIOLATION_SES_019_ANYWHERE, .in = index_of_key},
    {VIOLATION_SES_052_ZERO, .in = job_of_key},
    {VIOLATION_SES_061_ENDPOINT, .rows = receive_for_endpoint},
    {VIOLATION_SES_061_PDC, .in = job_of_the_pdc},
    {VIOLATION_SES_128_ANY_PDC, .in = stops_everywhere},
    {VIOLATION_SES_125, .out = stops_at_nothing},
    {VIOLATION_SES_125_ACKED, .out = stops_at_acked},
    {VIOLATION_SES_126, .after = stops_what_is_sent},
    {VIOLATION_SES_125_SOM, .out = stops_with_som},
    {VIOLATION_SES_125_OPCODE, .rows = stops_by_a_write},
    {VIOLATION_SES_127, .rows = stop_is_good},
    {VIOLATION_SES_128, .rows = stop_of_nothing_is_good},
    {VIOLATION_SES_174, .rows = send_data_lost},
    {VIOLATION_SES_121, .in = arrival_with_ok_completes},
    {VIOLATION_SES_174_EOM, .rows = send_data_of_last},
    {VIOLATION_SES_174_TWICE, .rows = send_data_twice},
};

UET_FAULT_WAYS(uet_faults_of_messages, ways);
