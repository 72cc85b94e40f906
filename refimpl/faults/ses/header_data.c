/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of header data and completion data: to whom it is told, and when (ses/deliver.c). */
#include "refimpl/faults/ses/about.h"
#include "refimpl/ses/checks.h"

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

static void commit_without_medium(struct uet_fep *fep, uint16_t pdc, const struct uet_packet *p,
                                  const struct ses_plan *plan)
{
    struct ses_plan untold = *plan;
    untold.request.hd = plan->request.hd && !uet_is_ses_medium(p);
    uet_deliver_commit(fep, pdc, p, &untold);
}

static void write_data_of_medium_lost(struct uet_law *law)
{
    law->ses.ops[UET_OP_WRITE].commit = commit_without_medium;
}

static void send_data_of_medium_lost(struct uet_law *law)
{
    law->ses.ops[UET_OP_SEND].commit = commit_without_medium;
}

static void zero_untold(struct uet_fep *fep, const struct uet_packet *p,
                        const struct ses_plan *plan, bool has_data, uint64_t header_data)
{
    uet_ses_finished(fep, p, plan, has_data && header_data, header_data);
}

static void write_of_zero_untold(struct uet_law *law)
{
    law->ses.ops[UET_OP_WRITE].finished = zero_untold;
}

static void send_of_zero_untold(struct uet_law *law)
{
    law->ses.ops[UET_OP_SEND].finished = zero_untold;
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

static void answer_with_error(struct uet_fep *fep, const struct message *m, struct ses_plan *plan)
{
    uet_deliver_answer(fep, m, plan);
    if (!plan->request.hd)
        return;
    plan->return_code = UET_RC_OP_VIOLATION;
    uet_ses_answer_error(plan, plan->request.ri_generation);
    plan->return_code = UET_RC_OK;
}

static void send_data_told_as_error(struct uet_law *law)
{
    law->ses.ops[UET_OP_SEND].answer = answer_with_error;
}

static uint8_t check_of_32_bits(const struct uet_fep *fep, const struct uet_packet *p,
                                const struct ses_request *r)
{
    return r->hd && r->header_data >> 32 ? UET_RC_OP_VIOLATION : uet_deliver_check(fep, p, r);
}

static void send_data_of_32_bits(struct uet_law *law)
{
    law->ses.ops[UET_OP_SEND].check = check_of_32_bits;
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

static const struct uet_fault_way ways[] = {
    {VIOLATION_SES_068_EMPTY, .in = empty_has_no_data},
    {VIOLATION_SES_068, .rows = write_data_lost},
    {VIOLATION_SES_068_EARLY, .rows = write_data_early},
    {VIOLATION_SES_068_ZERO, .rows = write_of_zero_untold},
    {VIOLATION_SES_174_ZERO, .rows = send_of_zero_untold},
    {VIOLATION_SES_068_MEDIUM, .rows = write_data_of_medium_lost},
    {VIOLATION_SES_068_EOM, .rows = write_data_of_last},
    {VIOLATION_SES_070_SEND, .in = send_has_data},
    {VIOLATION_SES_070_BEFORE, .in = hd_stays},
    {VIOLATION_SES_174, .rows = send_data_lost},
    {VIOLATION_SES_174_EOM, .rows = send_data_of_last},
    {VIOLATION_SES_174_MEDIUM, .rows = send_data_of_medium_lost},
    {VIOLATION_SES_174_TWICE, .rows = send_data_twice},
    {VIOLATION_SES_174_TOLD, .rows = send_data_told_as_error},
    {VIOLATION_SES_174_HIGH, .rows = send_data_of_32_bits},
};

UET_FAULT_WAYS(uet_faults_of_header_data, ways);
