/* SPDX-License-Identifier: BSD-2-Clause */
/* The fields of a request, whatever its header form (3.4.2.1, 3.4.2.2). */
#include "refimpl/ses/operation.h"
#include "refimpl/ses/ses.h"

#define KEY_OPTIMIZED (1ull << 62) /* Table 2-13: the low 12 bits are the RI */

bool uet_ses_knows_form(const struct uet_fep *fep, const struct uet_packet *p)
{
    uint8_t form = p->ses == UET_H_SES_REQ_SMALL ? UET_OP_HEADER_SMALL
                   : uet_is_ses_medium(p)        ? UET_OP_HEADER_MEDIUM
                                                 : UET_OP_HEADER_STD;
    return fep->law.ses.forms & SES_FORM(form);
}

void uet_ses_request_read(const struct uet_fep *fep, const struct uet_packet *p,
                          struct ses_request *r)
{
    const uint8_t *s = uet_ses(p);
    *r = (struct ses_request){
        .op = uet_ses_op(fep, uet_ses_req_opcode(s)),
        .opcode = uet_ses_req_opcode(s),
        .version = uet_ses_req_version(s),
        .ri_generation = uet_ses_req_ri_generation(s),
        .ie = uet_ses_req_ie(s),
        .rel = uet_ses_req_rel(s),
        .som = uet_ses_req_som(s),
        .eom = uet_ses_req_eom(s),
        .small = !uet_is_ses_std(p),
        .sized = uet_ses_has_offset(p),
        .message_id = uet_ses_message_id(p),
        .pid_on_fep = uet_ses_req_pid_on_fep(s),
        .resource_index = uet_ses_req_resource_index(s),
        .job_id = uet_ses_req_job_id(s),
        .length = uet_ses_request_length(p),
        .carried = uet_ses_request_length(p),
        .touches = uet_ses_request_length(p),
        .message_offset = uet_ses_message_offset(p),
        .payload = p->payload_len,
    };
    if (p->ses == UET_H_SES_REQ_SMALL) { /* no key: the RI alone names the buffer */
        r->key = KEY_OPTIMIZED | r->resource_index;
    } else {
        r->hd = uet_ses_req_hd(s);
        r->initiator = uet_ses_initiator(p);
        r->key = uet_ses_match_bits(p);
    }
    uet_ses_header_data(p, &r->header_data);
    r->buffer_offset = uet_ses_buffer_offset(p); /* 0 where a token stands (SES-145) */
    if (r->sized)
        r->payload = uet_ses_req_std_payload_length(s);
    r->op->size(fep, p, r);
}
