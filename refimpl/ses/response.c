/* SPDX-License-Identifier: BSD-2-Clause */
/* SES responses as bytes (3.4.2.5; Tables 3-11 and 3-43). */
#include "refimpl/ses/ses.h"

void uet_ses_response_write(uint8_t response[UET_SES_RSP_BYTES], const struct ses_answer *answer)
{
    memset(response, 0, UET_SES_RSP_BYTES);
    uet_ses_rsp_list_set(response, answer->list);
    uet_ses_rsp_opcode_set(response, answer->opcode);
    uet_ses_rsp_return_code_set(response, answer->return_code);
    uet_ses_rsp_message_id_set(response, answer->message_id);
    uet_ses_rsp_ri_generation_set(response, answer->ri_generation);
    uet_ses_rsp_job_id_set(response, answer->job_id);
    uet_ses_rsp_modified_length_set(response, answer->modified_length);
}

void uet_ses_default_response(uint8_t response[UET_SES_RSP_BYTES], const struct uet_packet *p)
{
    struct ses_answer answer = {
        .opcode = UET_RSP_DEFAULT_RESPONSE,
        .list = UET_LIST_EXPECTED,
        .return_code = UET_RC_NULL,
    };
    if (uet_is_ses_request(p)) {
        answer.message_id = uet_ses_message_id(p);
        answer.job_id = uet_ses_req_job_id(uet_ses(p));
    } else if (uet_is_ses_response_data(p)) { /* on the return direction */
        answer.message_id =
            p->ses == UET_H_SES_RSP_DATA ? uet_ses_rsp_data_read_request_message_id(uet_ses(p)) : 0;
        answer.job_id = uet_ses_rsp_job_id(uet_ses(p));
    } else if (p->cp_payload == UET_H_CP_PAYLOAD_ACK_REQUEST) {
        answer.message_id = uet_cp_payload_ack_request_message_id(uet_cp_payload_of(p));
    }
    uet_ses_response_write(response, &answer);
}

/* ---- data that was fetched ---- */

uint8_t uet_ses_part_write(const struct part *part, struct uet_build *b)
{
    uint8_t *s = uet_build_ses(b, part->small ? UET_H_SES_RSP_DATA_SMALL : UET_H_SES_RSP_DATA);
    uet_ses_rsp_list_set(s, UET_LIST_EXPECTED);
    uet_ses_rsp_opcode_set(s, UET_RSP_RESPONSE_W_DATA);
    uet_ses_rsp_return_code_set(s, UET_RC_OK);
    uet_ses_rsp_job_id_set(s, part->job_id);
    if (part->small) {
        uet_ses_rsp_data_small_payload_length_set(s, part->length);
        uet_ses_rsp_data_small_original_request_psn_set(s, part->psn);
        return UET_NH_RESPONSE_DATA_SMALL;
    }
    uet_ses_rsp_data_read_request_message_id_set(s, part->message_id);
    uet_ses_rsp_data_payload_length_set(s, part->length);
    uet_ses_rsp_data_modified_length_set(s, part->total);
    uet_ses_rsp_data_message_offset_set(s, part->offset);
    return UET_NH_RESPONSE_DATA;
}
