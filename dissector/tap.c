/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dissector/tap.h"

#include <epan/tap.h>

static int tap_id;

void uetx_tap(const struct uetx_pdu *u, const struct uetx_state *s, uint16_t icv_status)
{
    const struct uet_packet *p = &u->p;
    if (!have_tap_listener(tap_id))
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
    t->payload = p->payload_len;
    tap_queue_packet(tap_id, u->pinfo, t);
}

void uetx_tap_register(void)
{
    tap_id = register_tap("uetx");
}
