/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Packets that are executed by themselves, without PDC and without message state: RUDI (SES-085 to
 * SES-089) and datagrams (SES-035 to SES-040).
 */
#include "refimpl/ses/checks.h"

void uet_ses_rudi(struct uet_fep *fep, const struct uet_packet *p, struct ses_plan *plan)
{
    struct ses_request *r = &plan->request;
    *plan = (struct ses_plan){.has_response = true, .single = true};
    uet_ses_request_read(fep, p, r);
    if (p->ses == UET_H_SES_REQ_SMALL) /* without a key: the RI's idempotent region is meant */
        r->key |= KEY_IDEMPOTENT_SAFE;
    uet_ses_plan(fep, p, NULL, UET_MODE_RUDI, plan);
    if (plan->return_code != UET_RC_OK) {
        COUNT(fep, ses_refused);
        return;
    }
    if (plan->length)
        memcpy(plan->to, p->frame + p->payload_offset, plan->length);
    if (plan->part.reader && plan->part.length)
        uet_rendezvous_read_once(fep, plan);
    COUNT(fep, ses_executed);
}

/* ---- datagrams ---- */

/* Why nothing was delivered: a counter each. */
static void count_dropped(struct uet_fep *fep, uint8_t return_code)
{
    switch (return_code) {
    case UET_RC_NO_MATCH:
        COUNT(fep, drop_uud_no_receive);
        return;
    case UET_RC_TOO_LONG:
        COUNT(fep, drop_uud_too_long);
        return;
    case UET_RC_UNCOR:
    case UET_RC_OP_VIOLATION:
    case UET_RC_INITIATOR_ERROR:
        COUNT(fep, drop_uud_form);
        return;
    default:
        COUNT(fep, drop_uud_address);
    }
}

void uet_ses_datagram(struct uet_fep *fep, const struct uet_packet *p)
{
    struct ses_plan plan = {.single = true};
    struct ses_request *r = &plan.request;
    if (!uet_is_ses_request(p)) {
        COUNT(fep, drop_uud_opcode);
        return;
    }
    uet_ses_request_read(fep, p, r);
    if (!(r->op->takes & SES_ON(UET_MODE_UUD))) { /* UET_DATAGRAM_SEND alone (SES-038) */
        COUNT(fep, drop_uud_opcode);
        return;
    }
    r->op = uet_ses_op_on_uud(fep);
    uet_ses_plan(fep, p, NULL, UET_MODE_UUD, &plan);
    if (plan.return_code != UET_RC_OK) {
        count_dropped(fep, plan.return_code);
        return;
    }
    COUNT(fep, ses_executed);
    uet_ses_deliver_bytes(fep, p, &plan);
    uet_ses_finished(fep, p, &plan, r->hd, r->header_data);
}
