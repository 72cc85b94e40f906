/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of SES in what is right once: wrong the second time, for another opcode, in another form.
 */
#include "refimpl/faults/ways.h"
#include "refimpl/pds/pds.h"
#include "refimpl/ses/checks.h"

/* ---- what a frame is ---- */

static bool is_small_data(const struct uet_fault_frame *f)
{
    return f->p.ses == UET_H_SES_RSP_DATA_SMALL;
}

static uint8_t code_of(const struct uet_fault_frame *f)
{
    return uet_is_ses_response(&f->p) ? uet_ses_rsp_return_code(uet_ses(&f->p)) : UET_RC_NULL;
}

/* The operation of this FEP that a response names. */
static struct operation *answered(const struct uet_fep *fep, const struct uet_fault_frame *f)
{
    for (uint32_t id = 1; id <= fep->operations.n; id++) {
        struct operation *op = op_at(fep, id);
        if (op->state != OP_ENDED && op->message_id &&
            op->message_id == uet_ses_rsp_message_id(uet_ses(&f->p)))
            return op;
    }
    return NULL;
}

/* ---- as target ---- */

/* memo: the PSN of the request that came last. */
static bool request_came(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_request(&f->p) && uet_is_ses_request(&f->p) && !uet_rud_rod_req_retx(uet_pds(&f->p)))
        *f->memo = uet_packet_psn(&f->p);
    return true;
}

static bool data_of_the_latest(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (is_small_data(f) && f->p.pds != UET_H_RUDI_RESP)
        uet_ses_rsp_data_small_original_request_psn_set(uet_fault_ses(f), (uint32_t)*f->memo);
    return true;
}

/* memo: the request that came last was a deferrable send. */
static bool deferrable_came(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_ses_request(&f->p))
        *f->memo = uet_is_ses_deferrable(&f->p);
    return true;
}

static bool pretends_to_defer(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (!*f->memo || code_of(f) != UET_RC_NO_MATCH)
        return true;
    uet_ses_rsp_return_code_set(uet_fault_ses(f), UET_RC_OK);
    uet_ses_rsp_list_set(uet_fault_ses(f), UET_LIST_OVERFLOW);
    return true;
}

static bool ready_when_whole(const struct uet_fep *fep, const struct unexpected *u)
{
    return uet_unexpected_is_ready(fep, u) &&
           !(u->message && u->request.op->names == UET_RI_TAGGED);
}

static void parts_passed_over(struct uet_law *law)
{
    law->ses.keeping.is_ready = ready_when_whole;
}

/* ---- as initiator ---- */

/* memo: a response_message_id, and the message_id of the READ that it came for first. */
static bool stream_of_the_target(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (f->p.ses != UET_H_SES_RSP_DATA || !uet_is_request(&f->p))
        return true;
    uint8_t *s = uet_fault_ses(f);
    const uint16_t stream = uet_ses_rsp_data_response_message_id(s);
    for (uint32_t id = 1; stream && *f->memo >> 16 == stream && id <= fep->operations.n; id++) {
        const struct operation *op = op_at(fep, id);
        if (op->state == OP_SENT && op->message_id == (uint16_t)*f->memo) {
            uet_ses_rsp_data_read_request_message_id_set(s, op->message_id);
            return true;
        }
    }
    *f->memo = (uint64_t)stream << 16 | uet_ses_rsp_data_read_request_message_id(s);
    return true;
}

static bool deferrable_once(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct operation *op = code_of(f) == UET_RC_NO_MATCH ? answered(fep, f) : NULL;
    if (op && op->ses_retries && uet_ses_op_of(fep, op)->defers)
        uet_ses_rsp_return_code_set(uet_fault_ses(f), UET_RC_OP_VIOLATION);
    return true;
}

static const struct uet_fault_way ways[] = {
    {VIOLATION_SES_080_AGAIN, .in = stream_of_the_target},
    {VIOLATION_SES_081_LATEST, .in = request_came, .out = data_of_the_latest},
    {VIOLATION_SES_153_PRETENDS, .in = deferrable_came, .out = pretends_to_defer},
    {VIOLATION_SES_153_ONCE, .in = deferrable_once},
    {VIOLATION_SES_163_PARTS, .rows = parts_passed_over},
};

UET_FAULT_WAYS(uet_faults_of_ses_again, ways);
