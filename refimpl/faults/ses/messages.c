/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of messages that come, and of reads (ses/message.c, read.c). */
#include <errno.h>

#include "refimpl/faults/ses/about.h"
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

static bool same_but_for_the_tag(struct ses_judged *j)
{
    bool tagged = j->m->opcode == UET_OP_SEND && j->r->opcode == UET_OP_TAGGED_SEND;
    return (tagged || j->m->opcode == j->r->opcode) && j->m->length == j->r->length &&
           j->m->buffer_offset == j->r->buffer_offset;
}

static void tagged_goes_on(struct uet_law *law)
{
    law->ses.checks[SES_CHECK_SAME_MESSAGE].holds = same_but_for_the_tag;
}

static void commit_taking_two(struct uet_fep *fep, uint16_t pdc, const struct uet_packet *p,
                              const struct ses_plan *plan)
{
    const struct ses_request *r = &plan->request;
    bool late = plan->message && r->som && plan->receive, refused;
    uet_deliver_commit(fep, pdc, p, plan);
    uint32_t id = late ? uet_receive_find(fep, r, &refused) : 0;
    if (!id)
        return;
    uet_receive_take(fep, id);
    uet_receive_complete(fep, id, &(const struct uet_completion){.peer = uet_src_ip(p)});
}

static void late_takes_two(struct uet_law *law)
{
    law->ses.ops[UET_OP_SEND].commit = commit_taking_two;
}

/* ---- what is told of a message ---- */

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

/* Another packet of a WRITE than its first. */
static bool dc_later_in_haste(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (f->p.error == UET_PARSE_OK && f->p.ses == UET_H_SES_REQ_STD_SOM0 &&
        uet_ses_req_opcode(uet_ses(&f->p)) == UET_OP_WRITE && uet_ses_req_dc(uet_ses(&f->p)))
        not_visible(f);
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

/* ---- what a request is addressed to ---- */

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

/* The JobID is compared in 16 of its bits. */
static bool low_job_may(struct ses_judged *j)
{
    return !j->refused ||
           (uint16_t)j->r->job_id == (uint16_t)receive_at(j->fep, j->receive)->call.job_id;
}

static void receive_for_low_job(struct uet_law *law)
{
    law->ses.checks[SES_CHECK_RECEIVE_JOB].holds = low_job_may;
}

static bool token_is_offset(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (is_opcode(&f->p, UET_OP_DEFERRABLE_SEND))
        uet_ses_req_opcode_set(uet_fault_ses(f), UET_OP_SEND);
    return true;
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

/* The region that a WRITE names by these bits of its key alone; NULL: none, or it is no WRITE. */
static const struct uet_region *region_of_bits(const struct uet_fep *fep, struct uet_fault_frame *f,
                                               uint64_t bits)
{
    uint64_t key = is_opcode(&f->p, UET_OP_WRITE) && f->p.ses == UET_H_SES_REQ_STD_SOM1
                       ? uet_ses_req_match_bits_or_memory_key(uet_fault_ses(f))
                       : 0;
    for (uint32_t id = 1; key && id <= fep->regions.n; id++) {
        const struct region *g = pool_item(&fep->regions, id);
        if (g->registered && !((g->call.key ^ key) & bits))
            return &g->call;
    }
    return NULL;
}

/* ... by its key alone. */
static const struct uet_region *region_of_key(const struct uet_fep *fep, struct uet_fault_frame *f)
{
    return region_of_bits(fep, f, UINT64_MAX);
}

static bool low_key(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct uet_region *g = region_of_bits(fep, f, (UINT64_C(1) << 40) - 1);
    if (g)
        uet_ses_req_match_bits_or_memory_key_set(uet_fault_ses(f), g->key);
    return true;
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

static bool length_unknown(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (f->p.ses == UET_H_SES_REQ_STD_SOM1 && is_opcode(&f->p, UET_OP_WRITE) &&
        !uet_ses_req_std_request_length(uet_fault_ses(f)))
        uet_ses_req_std_request_length_set(uet_fault_ses(f), f->p.payload_len);
    return true;
}

static void not_known(struct uet_law *law)
{
    law->ses.ops[UET_OP_DEFERRABLE_SEND].takes = 0;
}

static void datagram_numbered(struct uet_law *law)
{
    law->ses.ops[UET_OP_DATAGRAM_SEND].unnumbered = false;
}

/* ---- reads ---- */

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
/* A send whose initiator errs has that error, whatever was told before. */
static bool first_error_but_of_sends(struct ses_judged *j)
{
    const uint8_t names = j->r->op->names;
    const bool send = names == UET_RI_SEND || names == UET_RI_TAGGED;
    j->code = j->r->ie && send ? UET_RC_INITIATOR_ERROR : j->m->return_code;
    return j->code == UET_RC_OK;
}

static void sends_err_anew(struct uet_law *law)
{
    law->ses.checks[SES_CHECK_MESSAGE_GOOD].holds = first_error_but_of_sends;
}

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

static bool later_error_not_kept(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return uet_is_ses_std(&f->p) && !uet_ses_req_som(uet_ses(&f->p)) ? read_error_not_kept(fep, f)
                                                                     : true;
}

/* The same where it would succeed now. */
static bool read_tried_again(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct ses_plan plan = {.return_code = UET_RC_NO_MATCH};
    const struct pdc *pdc = uet_is_request(&f->p) && uet_is_ses_request(&f->p) &&
                                    !uet_has_syn(&f->p) && uet_rud_rod_req_retx(uet_pds(&f->p))
                                ? uet_pdc_by_id(fep, uet_dpdcid(&f->p))
                                : NULL;
    if (pdc)
        uet_ses_check(fep, pdc->id, &f->p, false, &plan);
    return plan.return_code == UET_RC_OK ? read_error_not_kept(fep, f) : true;
}

/* A message that found no receive may find one with its next packet. */
static void no_match_forgotten(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    for (uint32_t id = 1; id <= fep->messages.n; id++) {
        struct message *m = message_at(fep, id);
        if (m->return_code == UET_RC_NO_MATCH)
            m->return_code = UET_RC_OK;
    }
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

static void answer_nothing_read(struct uet_fep *fep, const struct message *m, struct ses_plan *plan)
{
    uet_read_answer(fep, m, plan);
    if (!plan->part.length && plan->return_code == UET_RC_OK)
        uet_ses_rsp_opcode_set(plan->response, UET_RSP_NO_RESPONSE);
}

static void nothing_read_arrives(struct uet_law *law)
{
    law->ses.ops[UET_OP_READ].answer = answer_nothing_read;
}

static void read_last_part_in_ack(struct uet_law *law)
{
    law->ses.ops[UET_OP_READ].plan = plan_small_part_in_ack;
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

static void key_stays_while_read(struct uet_fep *fep, uint32_t id)
{
    const struct region *region = pool_item(&fep->regions, id);
    (region->n_parts ? key_stays : uet_region_withdraw)(fep, id);
}

static void withdrawn_is_read(struct uet_law *law)
{
    law->ses.withdraw = key_stays_while_read;
}

static int nothing_cancelled(struct uet_fep *fep, const struct uet_receive *receive)
{
    (void)fep, (void)receive;
    return 0;
}

/* Of those that a message with this address would take. */
static int oldest_cancelled(struct uet_fep *fep, const struct uet_receive *receive)
{
    const struct ses_request r = {
        .op = uet_ses_op(fep, receive->tagged ? UET_OP_TAGGED_SEND : UET_OP_SEND),
        .job_id = receive->job_id,
        .initiator = receive->initiator,
        .pid_on_fep = receive->pid_on_fep,
        .resource_index = receive->resource_index,
        .key = receive->match_bits,
    };
    bool refused;
    uint32_t id = uet_receive_find(fep, &r, &refused);
    return id ? uet_receive_cancel(fep, &receive_at(fep, id)->call) : -ENOENT;
}

static void oldest_is_cancelled(struct uet_law *law)
{
    law->ses.cancel = oldest_cancelled;
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

/* The memo: the generation in the request that came last. */
static bool generation_came(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_ses_std(&f->p))
        *f->memo = uet_ses_req_ri_generation(uet_ses(&f->p));
    return true;
}

static bool generation_in_data(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (f->p.ses == UET_H_SES_RSP_DATA)
        uet_ses_rsp_data_reserved1_set(uet_fault_ses(f), (uint8_t)*f->memo);
    return true;
}

/* Of what messages have, receives on the first PDC alone can be taken back. */
static int cancels_on_the_first(struct uet_fep *fep, const struct uet_receive *receive)
{
    for (uint32_t id = ses_pdc_at(fep, 1)->messages; id; id = message_at(fep, id)->next) {
        const uint32_t taken = message_at(fep, id)->receive;
        if (taken && uet_receive_is(fep, taken, receive))
            return uet_receive_cancel(fep, receive);
    }
    return uet_fep_receive_remove(fep, receive);
}

static void first_pdc_cancels(struct uet_law *law)
{
    law->ses.cancel = cancels_on_the_first;
}

/* What an offset leaves of a receive that is too short counts in full. */
static void answer_without_offset(struct uet_fep *fep, const struct message *m,
                                  struct ses_plan *plan)
{
    const struct ses_request *r = &plan->request;
    uet_deliver_answer(fep, m, plan);
    if (plan->receive && !uet_ses_send_fits(&receive_at(fep, plan->receive)->call, r))
        uet_ses_rsp_modified_length_set(plan->response,
                                        uet_ses_rsp_modified_length(plan->response) +
                                            (uint32_t)r->buffer_offset);
}

static void offset_counts(struct uet_law *law)
{
    law->ses.ops[UET_OP_SEND].answer = answer_without_offset;
}

/* A check that tagged sends need not stand. */
static void not_of_tagged(struct uet_law *law, enum ses_check_id check)
{
    law->ses.checks[check].when &= (uint16_t) ~(1u << UET_RI_TAGGED);
    uet_ses_law_order(&law->ses);
}

static void tagged_may_change(struct uet_law *law)
{
    not_of_tagged(law, SES_CHECK_SAME_MESSAGE);
}

static void tagged_parts_count_twice(struct uet_law *law)
{
    not_of_tagged(law, SES_CHECK_EACH_PART);
}

static const struct uet_fault_way ways[] = {
    {VIOLATION_SES_002_DATA, .in = generation_came, .out = generation_in_data},
    {VIOLATION_PDS_119, .params = read_data_in_any_ack},
    {VIOLATION_PDS_120, .rows = read_last_part_in_ack},
    {VIOLATION_SES_011_UNKNOWN, .in = length_unknown},
    {VIOLATION_SES_011_ARRIVAL, .rows = nothing_read_arrives},
    {VIOLATION_SES_015_SOM, .in = som_of_single_unread},
    {VIOLATION_SES_019_KEY, .rows = no_optimized_key},
    {VIOLATION_SES_019_ANYWHERE, .in = index_of_key},
    {VIOLATION_SES_035, .rows = datagram_numbered},
    {VIOLATION_SES_040, .in = sends_lost},
    {VIOLATION_SES_044_EOM, .rows = eom_ends},
    {VIOLATION_SES_048_TAG, .rows = tagged_goes_on},
    {VIOLATION_SES_052_ZERO, .in = job_of_key},
    {VIOLATION_SES_061, .rows = receive_for_all},
    {VIOLATION_SES_061_LOW, .rows = receive_for_low_job},
    {VIOLATION_SES_061_ENDPOINT, .rows = receive_for_endpoint},
    {VIOLATION_SES_061_PDC, .in = job_of_the_pdc},
    {VIOLATION_SES_063_LOW, .in = low_key},
    {VIOLATION_SES_063_READ, .rows = withdrawn_is_read},
    {VIOLATION_SES_090_TWO, .rows = late_takes_two},
    {VIOLATION_SES_063_WITHDRAWN, .rows = withdrawn_is_good},
    {VIOLATION_SES_073, .rows = read_ahead_refused},
    {VIOLATION_SES_082_PDC, .in = data_by_id},
    {VIOLATION_SES_082_ARRIVAL, .in = data_comes, .out = data_arrives},
    {VIOLATION_SES_084_LATER, .in = later_error_not_kept},
    {VIOLATION_SES_084_MENDED, .in = read_tried_again},
    {VIOLATION_SES_096_LATE, .after = no_match_forgotten},
    {VIOLATION_SES_084, .in = read_error_not_kept},
    {VIOLATION_SES_090_OLDEST, .rows = oldest_is_cancelled},
    {VIOLATION_SES_091_OLDEST, .rows = oldest_is_cancelled},
    {VIOLATION_SES_090_CANCELLED, .rows = cancelled_takes},
    {VIOLATION_SES_109, .in = dc_in_haste},
    {VIOLATION_SES_109_LATER, .in = dc_later_in_haste},
    {VIOLATION_SES_113_SEND, .rows = sends_err_anew},
    {VIOLATION_SES_113_TOLD, .in = initiator_errs, .out = told_as_the_latest},
    {VIOLATION_SES_115_ID, .in = id_in_error, .out = error_of_an_id},
    {VIOLATION_SES_115, .rows = error_ends_all},
    {VIOLATION_SES_116_CANCELLED, .rows = cancelled_goes_on},
    {VIOLATION_SES_124_ONCE, .out = told_once},
    {VIOLATION_SES_124, .out = one_byte_more},
    {VIOLATION_SES_144, .rows = not_known},
    {VIOLATION_SES_145, .in = token_is_offset},
    {VIOLATION_SES_173_READ, .out = data_of_its_packet},
    {VIOLATION_SES_116_PDC, .rows = first_pdc_cancels},
    {VIOLATION_SES_124_OFFSET, .rows = offset_counts},
    {VIOLATION_ROB_014_TAGGED, .rows = tagged_may_change},
    {VIOLATION_ROB_017_TAGGED, .rows = tagged_parts_count_twice},
};

UET_FAULT_WAYS(uet_faults_of_messages, ways);
