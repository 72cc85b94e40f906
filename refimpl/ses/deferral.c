/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Deferrable sends (3.4.3.4): sends that the target may put off when no receive is posted. What it
 * keeps of them: held.c. Their tokens stand in the place of buffer_offset; UET_DEFERRABLE_RTR, by
 * which the target asks for them once more, has them in the place of the match bits.
 */
#include "refimpl/ses/operation.h"
#include "refimpl/ses/ses.h"

/* ---- the target ---- */

void uet_deferrable_size(const struct uet_fep *fep, const struct uet_packet *p,
                         struct ses_request *r)
{
    uet_deliver_size(fep, p, r);
    uet_ses_restart_tokens(p, &r->irt, &r->trt);
}

bool uet_ses_stops_deferred(const struct message *m, const struct ses_request *r)
{
    return m && m->held && !r->som && r->eom && !r->payload;
}

void uet_deferrable_commit(struct uet_fep *fep, uint16_t pdc, const struct uet_packet *p,
                           const struct ses_plan *plan)
{
    if (plan->held) {
        uet_held_commit(fep, pdc, p, plan);
        return;
    }
    uet_deliver_commit(fep, pdc, p, plan);
    uint32_t promised = uet_held_receive(fep, p, &plan->request);
    if (promised && plan->return_code != UET_RC_OK) /* it will not come once more */
        uet_held_failed(fep, promised);
}

/* ---- the initiator ---- */

/* The tokens have the place of the offset, which is 0. */
bool uet_deferrable_valid(const struct uet_fep *fep, const struct uet_operation *call)
{
    return !call->buffer_offset && uet_deliver_valid(fep, call);
}

void uet_deferrable_fields(const struct operation *op, uint8_t *s)
{
    uet_ses_req_defer_irt_set(s, op->irt);
    uet_ses_req_defer_trt_set(s, op->trt);
}

void uet_ses_deferrable_begins(struct uet_fep *fep, uint32_t id)
{
    /* Its place, and which of those that had the place it is: from 1 on, never 0 (SES-143). */
    op_at(fep, id)->irt = fep->n_deferrable++ << 16 | id;
}

/*
 * Contested: that fewer bytes will be changed says so; but where no list says "unexpected" and some
 * are, they are those of a receive that is too short (SES-102).
 */
bool uet_ses_says_deferred(const struct operation *op, const uint8_t *response)
{
    uint32_t modified = uet_ses_rsp_modified_length(response);
    return modified < op->call.length &&
           (!modified || uet_ses_rsp_list(response) == UET_LIST_OVERFLOW);
}

/* ---- ready to restart: from the former target to the former initiator ---- */

void uet_rtr_fields(const struct operation *op, uint8_t *s)
{
    uet_ses_req_rtr_irt_set(s, op->irt);
    uet_ses_req_rtr_trt_set(s, op->held);
}

/* It carries nothing; its request_length is that of the send (SES-170). */
uint32_t uet_rtr_carries(const struct uet_operation *call)
{
    (void)call;
    return 0;
}

void uet_rtr_size(const struct uet_fep *fep, const struct uet_packet *p, struct ses_request *r)
{
    (void)fep;
    r->payload = r->counts = 0;
    uet_ses_restart_tokens(p, &r->irt, &r->trt);
}

static struct operation *deferred_by(const struct uet_fep *fep, const struct ses_request *r)
{
    uint32_t id = r->irt & 0xffff;
    struct operation *op = id && id <= fep->operations.n ? op_at(fep, id) : NULL;
    return op && op->irt == r->irt && uet_ses_op_of(fep, op)->defers ? op : NULL;
}

/* The token finds it (SES-176), if it is known (SES-151), and who asks is asked for (SES-152). */
uint8_t uet_rtr_check(const struct uet_fep *fep, const struct uet_packet *p,
                      const struct ses_request *r)
{
    const struct uet_ip from = uet_src_ip(p);
    const struct operation *op = deferred_by(fep, r);
    if (!r->som || !r->eom || p->payload_len || !op || !uet_ip_equal(&op->call.to, &from))
        return UET_RC_OP_VIOLATION;
    if (op->call.job_id != r->job_id)
        return UET_RC_BAD_JOB_ID;
    bool again = op->restarts || (r->trt && r->trt == op->used_trt); /* SES-169 */
    return op->call.initiator == r->initiator && !again ? UET_RC_OK : UET_RC_OP_VIOLATION;
}

void uet_rtr_answer(struct uet_fep *fep, const struct message *m, struct ses_plan *plan)
{
    const struct ses_answer answer = {
        .opcode = UET_RSP_DEFAULT_RESPONSE,
        .list = UET_LIST_EXPECTED,
        .return_code = UET_RC_OK,
        .message_id = plan->request.message_id,
        .job_id = plan->request.job_id,
    };
    (void)fep, (void)m;
    uet_ses_response_write(plan->response, &answer);
}

/* It may be here before the send is known to be deferred: then the restart waits for that. */
void uet_rtr_commit(struct uet_fep *fep, uint16_t pdc, const struct uet_packet *p,
                    const struct ses_plan *plan)
{
    struct operation *op = deferred_by(fep, &plan->request);
    (void)pdc, (void)p;
    if (plan->return_code != UET_RC_OK)
        return;
    op->restarts = true;
    op->next_trt = plan->request.trt;
    if (op->state == OP_WAITING && op->deferred)
        uet_ses_restart(fep, op);
}

void uet_ses_restart(struct uet_fep *fep, struct operation *op)
{
    op->trt = op->used_trt = op->next_trt;
    op->restarts = op->deferred = false;
    op->not_before = fep->now;
    fep->dispatch = true;
    COUNT(fep, op_restarted);
}
