/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads that peers ask for (3.4.4.2, 3.5.12.1). Each request packet is served by itself: no state
 * of the message is needed, as every packet says all of it.
 */
#include "refimpl/ses/ses.h"

/* A READ has no payload: its packets ask for a Payload MTU, or what payload_length says. */
void uet_ses_request_asks(const struct uet_fep *fep, const struct uet_packet *p,
                          struct ses_request *r)
{
    uint32_t mtu = fep->config.payload_mtu;
    if (r->opcode == UET_OP_READ && !uet_ses_has_offset(p))
        r->payload = r->length < mtu ? r->length : mtu;
}

void uet_ses_serve(struct uet_fep *fep, const struct uet_packet *p, const struct ses_request *r,
                   struct ses_plan *plan)
{
    bool rudi = p->pds == UET_H_RUDI_REQ;
    bool retx = !rudi && uet_rud_rod_req_retx(uet_pds(p));
    plan->part = (struct part){
        .psn = rudi ? uet_pkt_id(p) : uet_packet_psn(p),
        .from = plan->to,
        .job_id = r->job_id,
        .total = r->length,
        .offset = r->message_offset,
        .length = (uint16_t)plan->length,
        .message_id = r->message_id,
        .small = r->small,
        .last = r->eom || retx,
    };
    plan->length = 0; /* nothing is written here */
    plan->to = NULL;
    /* Whatever way the first data of a message goes, all of it goes (PDS-120). */
    uint32_t size = UET_VIOLATES(fep, PDS_120) ? plan->part.length : r->length;
    bool few = size <= fep->params.Max_ACK_Data_Size || UET_VIOLATES(fep, PDS_119);
    plan->in_ack = plan->part.length && few;
    plan->guaranteed = plan->in_ack; /* the other way the data itself is reliable (SES-117) */
}

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
