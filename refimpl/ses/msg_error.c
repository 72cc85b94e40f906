/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * UET_MSG_ERROR (3.4.5.3.2): the initiator ends a message early, after an error or of its own will.
 * It takes the place of the last packet, carries nothing, and tells how many bytes were sent. On
 * RUD it may overtake them, so the message is kept until so many have come.
 */
#include "refimpl/ses/operation.h"
#include "refimpl/ses/ses.h"

static bool well_formed(const struct uet_packet *p, const struct ses_request *r)
{
    return !r->som && r->eom && !p->payload_len;
}

/* A message that was good so far ends so (SES-127). */
uint8_t uet_msg_error_check(const struct uet_fep *fep, const struct uet_packet *p,
                            const struct ses_request *r)
{
    (void)fep;
    return well_formed(p, r) ? UET_RC_INITIATOR_ERROR : UET_RC_OP_VIOLATION;
}

void uet_msg_error_commit(struct uet_fep *fep, uint16_t pdc, const struct uet_packet *p,
                          const struct ses_plan *plan)
{
    const struct ses_request *r = &plan->request;
    if (!well_formed(p, r) || (!plan->message && !(plan->ahead && r->message_offset)))
        return; /* of an unknown message there is nothing to end (SES-128) */
    uint32_t id = plan->message ? plan->message : uet_message_new(fep, pdc, r);
    struct message *m = message_at(fep, id);
    uet_ses_message_failed(fep, p, plan, m);
    m->carried = r->message_offset;
    if (m->received >= m->carried)
        uet_message_end(fep, id);
}
