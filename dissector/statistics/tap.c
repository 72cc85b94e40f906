/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dissector/statistics/tap.h"

#include <epan/tap.h>

static int tap_id;

/* A default response may come with job_id 0: what it answers is believed before it. */
bool uetx_job_of(const struct uetx_pdu *u, const struct uetx_state *s, uint32_t *job_id)
{
    const struct uet_packet *p = &u->p;
    const struct uetx_state *of = s && s->request_frame ? uetx_state_at(s->request_frame) : NULL;
    if (uet_is_ses_request(p))
        *job_id = uet_ses_req_job_id(uet_ses(p));
    else if (of && of->own && of->own->message)
        *job_id = of->own->message->job_id;
    else if (uet_is_ses_response(p))
        *job_id = uet_ses_rsp_job_id(uet_ses(p));
    else
        return false;
    return true;
}

void uetx_tap(const struct uetx_pdu *u, const struct uetx_state *s, uint16_t icv_status)
{
    const struct uet_packet *p = &u->p;
    if (!have_tap_listener(tap_id) && !uetx_conversations_wanted())
        return;
    struct uetx_tap *t = wmem_new0(u->pinfo->pool, struct uetx_tap);
    t->state = s;
    t->type = u->captured ? uet_pds_prologue_type(p->frame) : 0;
    t->opcode = uet_is_ses_request(p) ? uet_ses_req_opcode(uet_ses(p)) : UETX_TAP_NONE;
    t->return_code = uet_is_ses_response(p) ? uet_ses_rsp_return_code(uet_ses(p)) : UETX_TAP_NONE;
    t->nack_code = uet_is_nack(p) ? uet_nack_nack_code(uet_pds(p)) : UETX_TAP_NONE;
    t->ctl_type = uet_is_cp(p) ? uet_cp_ctl_type(uet_pds(p)) : UETX_TAP_NONE;
    t->crc_state = p->crc_state;
    t->icv_status = icv_status;
    t->trimmed = u->trimmed;
    t->job_known = uetx_job_of(u, s, &t->job_id);
    t->payload = p->payload_len;
    tap_queue_packet(tap_id, u->pinfo, t);
    uetx_conversations(u->pinfo, t);
}

void uetx_tap_register(void)
{
    tap_id = register_tap("uetx");
}
