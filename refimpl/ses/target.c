/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Requests on a PDC, whatever their opcode: judged, planned, answered, done (3.4.3, 3.4.5). Errors
 * are sticky per message (SES-116) and touch no other message (SES-115).
 */
#include "refimpl/ses/checks.h"

void uet_ses_answer_error(struct ses_plan *plan, uint8_t ri_generation)
{
    const struct ses_answer answer = {
        .opcode = UET_RSP_RESPONSE,
        .list = UET_LIST_EXPECTED,
        .return_code = plan->return_code,
        .message_id = plan->request.message_id,
        .ri_generation = ri_generation,
        .job_id = plan->request.job_id,
    };
    uet_ses_response_write(plan->response, &answer);
    plan->guaranteed = true;
}

void uet_ses_plan(struct uet_fep *fep, const struct uet_packet *p, const struct message *m,
                  uint8_t mode, struct ses_plan *plan)
{
    const struct ses_request *r = &plan->request;
    struct ses_judged j = {.fep = fep, .p = p, .r = r, .m = m, .ahead = plan->ahead, .mode = mode};
    plan->return_code = uet_ses_judge(&j);
    plan->exhausts = j.exhausted;
    if (plan->return_code != UET_RC_OK) {
        bool generation = plan->return_code == UET_RC_BAD_GENERATION && j.service;
        uet_ses_answer_error(plan, generation ? j.service->ri_generation : r->ri_generation);
        return;
    }
    plan->region = j.region;
    plan->receive = j.receive;
    plan->held = j.held;
    plan->kept = j.kept;
    r->op->plan(fep, p, plan);
    r->op->answer(fep, m, plan);
}

/* State that the packet needs and that may be lacking (SES-130). */
static uint8_t lacking(struct uet_fep *fep, const struct message *m, const struct ses_plan *plan)
{
    const struct ses_op *op = plan->request.op;
    bool new_one = op->names != SES_NAMES_MESSAGE || plan->ahead;
    if (!plan->single && !m && new_one && !pool_has(&fep->messages, plan->ahead))
        return UET_NACK_NO_SES_MSG_AVAIL;
    if (plan->kept)
        return uet_unexpected_lacks(fep, plan);
    return plan->return_code == UET_RC_OK && op->lacks ? op->lacks(fep, m, plan) : 0;
}

static void plan_begin(struct uet_fep *fep, const struct uet_packet *p, struct ses_plan *plan)
{
    uet_ses_request_read(fep, p, &plan->request);
    plan->has_response = true;
    plan->single = (plan->request.som && plan->request.eom) || plan->request.op->by_packet;
}

bool uet_ses_lacks_resource(struct uet_fep *fep, const struct uet_packet *p, bool part)
{
    if (!uet_is_ses_request(p) || (part && uet_completion_room_for_write(fep)))
        return false; /* nothing is short: as almost always */
    struct ses_plan plan = {0};
    const struct ses_request *r = &plan.request;
    plan_begin(fep, p, &plan);
    if (r->op->fetches)
        return r->length && !part;
    if (!r->op->lacks || !r->op->lacks(fep, NULL, &plan))
        return false;
    uet_ses_plan(fep, p, NULL, UET_MODE_RUD, &plan);
    return plan.return_code == UET_RC_OK;
}

static uint8_t mode_of(const struct uet_packet *p)
{
    return uet_is_rod_request(p) ? UET_MODE_ROD : UET_MODE_RUD;
}

void uet_ses_check(struct uet_fep *fep, uint16_t pdc, const struct uet_packet *p, bool ahead,
                   struct ses_plan *plan)
{
    *plan = (struct ses_plan){.return_code = UET_RC_OK};
    if (!uet_is_ses_request(p)) /* next_hdr NONE: a packet that only the PDS sees */
        return;
    plan_begin(fep, p, plan);
    plan->ahead = ahead;
    plan->run = ses_pdc_at(fep, pdc)->run;
    if (!plan->single)
        plan->message = uet_message_find(fep, pdc, plan->request.message_id);
    const struct message *m = plan->message ? message_at(fep, plan->message) : NULL;
    plan->slot = m ? m->slot : 0;
    uet_ses_plan(fep, p, m, mode_of(p), plan);
    plan->nack = lacking(fep, m, plan);
}

void uet_ses_commit(struct uet_fep *fep, uint16_t pdc, const struct uet_packet *p,
                    const struct ses_plan *plan)
{
    if (!plan->has_response)
        return;
    bool received = uet_ses_receives(fep, pdc);
    if (plan->return_code == UET_RC_OK)
        COUNT(fep, ses_executed);
    else
        COUNT(fep, ses_refused);
    if (plan->message && (plan->guaranteed || plan->promised)) /* it has its slot now */
        message_at(fep, plan->message)->slot = 0;
    if (plan->exhausts)
        fep->law.ses.exhausted(fep, &plan->request);
    plan->request.op->commit(fep, pdc, p, plan);
    if (received && !uet_ses_receives(fep, pdc))
        uet_pds_messages_ended(fep, pdc);
}
