/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Packets that are executed by themselves, without PDC and without message state: RUDI (SES-085 to
 * SES-089) and datagrams (SES-035 to SES-040).
 */
#include "refimpl/ses/ses.h"

#define KEY_IDEMPOTENT_SAFE (1ull << 63) /* Table 2-13 */

/* ---- RUDI ---- */

/* Only what may be done twice, and only to regions that say so. */
static uint8_t judge_rudi(struct uet_fep *fep, const struct uet_packet *p, struct ses_request *r,
                          struct ses_found *found)
{
    *found = (struct ses_found){.return_code = UET_RC_OK};
    if (r->version)
        return UET_RC_UNCOR; /* Table 3-19 has no code of its own (SES-004) */
    if (r->ie)
        return UET_RC_INITIATOR_ERROR;
    if (r->small) /* a small header has no key: the RI's idempotent region is meant */
        r->key |= p->ses == UET_H_SES_REQ_SMALL ? KEY_IDEMPOTENT_SAFE : 0;
    uet_ses_address(fep, r, false, found);
    if (found->return_code != UET_RC_OK)
        return found->return_code;
    /* Completion data would be told once for each copy, and without message state not at the end.
     */
    bool fits = (r->opcode == UET_OP_WRITE && !r->hd) || r->opcode == UET_OP_READ;
    if (!fits)
        return UET_VIOLATES(fep, SES_089) ? UET_RC_OK : UET_RC_UNSUPPORTED_OP;
    bool safe = found->region && fep->regions[found->region - 1].key & KEY_IDEMPOTENT_SAFE;
    if (!safe && !UET_VIOLATES(fep, SES_086))
        return UET_RC_OP_VIOLATION;
    return uet_ses_check_form(fep, p, r);
}

void uet_ses_rudi(struct uet_fep *fep, const struct uet_packet *p, struct ses_plan *plan)
{
    struct ses_request r;
    struct ses_found found;
    *plan = (struct ses_plan){.has_response = true, .single = true};
    uet_ses_request_read(p, &r);
    uet_ses_request_asks(fep, p, &r);
    bool read = r.opcode == UET_OP_READ;
    plan->counts = r.payload < p->payload_len || read ? r.payload : p->payload_len;
    plan->return_code = judge_rudi(fep, p, &r, &found);
    if (plan->return_code != UET_RC_OK) {
        uet_ses_answer_error(&r, &found, plan);
        COUNT(fep, ses_refused);
        return;
    }
    plan->region = found.region;
    uet_ses_place(fep, &r, plan);
    uet_ses_answer_success(fep, NULL, &r, plan);
    if (read)
        uet_ses_serve(fep, p, &r, plan);
    if (plan->length)
        memcpy(plan->to, p->frame + p->payload_offset, plan->length);
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

static uint8_t judge_datagram(struct uet_fep *fep, const struct uet_packet *p,
                              struct ses_request *r, struct ses_found *found)
{
    *found = (struct ses_found){.return_code = UET_RC_OK};
    if (r->version)
        return UET_RC_UNCOR;
    if (r->ie)
        return UET_RC_INITIATOR_ERROR;
    if (!r->som || !r->eom) /* one packet (SES-036) */
        return UET_RC_OP_VIOLATION;
    r->opcode = UET_OP_SEND;  /* it takes a receive as a send does */
    r->any_generation = true; /* UUD has none (3.4.3.6.3) */
    uet_ses_address(fep, r, false, found);
    if (found->return_code != UET_RC_OK)
        return found->return_code;
    return uet_ses_check_form(fep, p, r);
}

static void deliver(struct uet_fep *fep, const struct uet_packet *p, const struct ses_request *r,
                    uint32_t receive)
{
    struct ses_plan plan = {.single = true, .receive = receive, .counts = r->payload};
    uet_ses_place(fep, r, &plan);
    if (plan.length)
        memcpy(plan.to, p->frame + p->payload_offset, plan.length);
    const struct uet_completion what = {
        .status = UET_STATUS_OK,
        .return_code = UET_RC_OK,
        .has_header_data = r->hd,
        .header_data = r->hd ? r->header_data : 0,
        .length = uet_ses_modified_length(fep, r, &plan),
        .job_id = r->job_id,
        .initiator = r->initiator,
        .peer = uet_src_ip(p),
    };
    uet_receive_take(fep, receive);
    uet_receive_complete(fep, receive, &what);
}

void uet_ses_datagram(struct uet_fep *fep, const struct uet_packet *p)
{
    struct ses_request r;
    struct ses_found found;
    if (!uet_is_ses_request(p)) {
        COUNT(fep, drop_uud_opcode);
        return;
    }
    uet_ses_request_read(p, &r);
    bool mine = r.opcode == UET_OP_DATAGRAM_SEND; /* nothing else goes over UUD (SES-038) */
    if (!mine && !(UET_VIOLATES(fep, SES_038) && r.opcode == UET_OP_SEND)) {
        COUNT(fep, drop_uud_opcode);
        return;
    }
    uint8_t code = judge_datagram(fep, p, &r, &found);
    if (code == UET_RC_OK) {
        COUNT(fep, ses_executed);
        deliver(fep, p, &r, found.receive);
        return;
    }
    count_dropped(fep, code);
}
