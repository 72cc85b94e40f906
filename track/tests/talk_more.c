/* SPDX-License-Identifier: BSD-2-Clause */
/* ROD, RUDI, UUD, a trimmed packet, CC Requests and ACK_CCX. */
#include "track/tests/talk_lines.h"

#define ONE .bytes = 16, .length = 16, .ar = true, .som = true, .eom = true

static void rod_gap(struct talk *t)
{
    struct talk_line l = {.type = UET_PDS_ROD_REQ, .message_id = 1, ONE};
    talk_request(t, TALK_ROD_SYN0, l, UET_OP_SEND, true);
    talk_ack(t, TALK_ROD_ACK0, (struct talk_line){.back = true},
             (struct talk_says){.next_hdr = UET_NH_RESPONSE, .message_id = 1, .cc = true});
    struct talk_line l1 = {.type = UET_PDS_ROD_REQ, .psn = 1, .clear = 1, .message_id = 2, ONE};
    struct talk_line l2 = {.type = UET_PDS_ROD_REQ, .psn = 2, .clear = 1, .message_id = 3, ONE};
    talk_request(t, TALK_ROD_REQ1, l1, UET_OP_SEND, false);
    talk_request(t, TALK_ROD_REQ2, l2, UET_OP_SEND, false);
    talk_nack(t, TALK_ROD_OOO2, (struct talk_line){.back = true, .psn = 2}, UET_NACK_ROD_OOO,
              t->tpdcid, t->ipdcid);
    uet_nack_payload_set(talk_pds(&t->packet[TALK_ROD_OOO2]), t->start + 1);
    l1.retx = l2.retx = true;
    talk_request(t, TALK_ROD_REQ1_RETX, l1, UET_OP_SEND, false);
    talk_request(t, TALK_ROD_REQ2_RETX, l2, UET_OP_SEND, false);
    struct talk_says a = {.cack = 1, .psn = 1, .next_hdr = UET_NH_RESPONSE, .message_id = 2};
    talk_ack(t, TALK_ROD_ACK1, (struct talk_line){.back = true, .retx = true}, a);
    a = (struct talk_says){.cack = 2, .psn = 2, .next_hdr = UET_NH_RESPONSE, .message_id = 3};
    talk_ack(t, TALK_ROD_ACK2, (struct talk_line){.back = true, .retx = true}, a);
}

static void rudi_request(struct talk *t, enum talk_name name, uint32_t id, bool ce, bool retx)
{
    struct uet_build b;
    const struct talk_line l = {.ce = ce, .message_id = (uint16_t)(100 + id), ONE};
    talk_start(t, &b, &t->packet[name], &l);
    uint8_t *h = uet_build_pds(&b, UET_H_RUDI_REQ);
    uet_rudi_type_set(h, UET_PDS_RUDI_REQ);
    uet_rudi_next_hdr_set(h, UET_NH_REQUEST_STD);
    uet_rudi_retx_set(h, retx);
    uet_rudi_pkt_id_set(h, t->start + id);
    uint8_t *s = uet_build_ses(&b, UET_H_SES_REQ_STD_SOM1);
    uet_ses_req_opcode_set(s, UET_OP_WRITE);
    talk_fill_address(s, &l);
    uet_ses_req_std_message_id_set(s, l.message_id);
    uet_ses_req_match_bits_or_memory_key_set(s, TALK_KEY);
    uet_ses_req_std_request_length_set(s, l.length);
    uet_build_payload(&b, talk_payload, l.bytes);
    talk_finish(&b, &t->packet[name]);
}

static void rudi_response(struct talk *t, enum talk_name name, uint32_t id, bool m, bool retx)
{
    struct uet_build b;
    const struct talk_line l = {.back = true};
    talk_start(t, &b, &t->packet[name], &l);
    uint8_t *h = uet_build_pds(&b, UET_H_RUDI_RESP);
    uet_rudi_type_set(h, UET_PDS_RUDI_RESP);
    uet_rudi_next_hdr_set(h, UET_NH_RESPONSE);
    uet_rudi_resp_m_set(h, m);
    uet_rudi_retx_set(h, retx);
    uet_rudi_pkt_id_set(h, t->start + id);
    uint8_t *s = uet_build_ses(&b, UET_H_SES_RSP);
    uet_ses_rsp_opcode_set(s, UET_RSP_RESPONSE);
    uet_ses_rsp_return_code_set(s, UET_RC_OK);
    uet_ses_rsp_message_id_set(s, (uint16_t)(100 + id));
    uet_ses_rsp_job_id_set(s, TALK_JOB);
    talk_finish(&b, &t->packet[name]);
}

static void rudi(struct talk *t)
{
    rudi_request(t, TALK_RUDI_REQ1, 0, false, false);
    rudi_response(t, TALK_RUDI_RESP1, 0, false, false);
    rudi_request(t, TALK_RUDI_REQ2, 1, true, false);
    rudi_request(t, TALK_RUDI_REQ2_RETX, 1, true, true);
    rudi_response(t, TALK_RUDI_RESP2, 1, true, true);
    rudi_request(t, TALK_RUDI_REQ3, 2, false, false);
    talk_nack(t, TALK_RUDI_NACK3, (struct talk_line){.back = true, .psn = 2},
              UET_NACK_NO_PKT_BUFFER, 0, 0);
    uet_nack_nt_set(talk_pds(&t->packet[TALK_RUDI_NACK3]), UET_NACK_TYPE_RUDI);
    rudi_request(t, TALK_RUDI_REQ3_RETX, 2, false, true);
    rudi_response(t, TALK_RUDI_RESP3, 2, false, true);
}

static void uud(struct talk *t)
{
    struct uet_build b;
    const struct talk_line l = {ONE};
    talk_start(t, &b, &t->packet[TALK_UUD], &l);
    uint8_t *h = uet_build_pds(&b, UET_H_UUD_REQ);
    uet_uud_req_type_set(h, UET_PDS_UUD_REQ);
    uet_uud_req_next_hdr_set(h, UET_NH_REQUEST_STD);
    uint8_t *s = uet_build_ses(&b, UET_H_SES_REQ_STD_SOM1);
    uet_ses_req_opcode_set(s, UET_OP_DATAGRAM_SEND);
    talk_fill_address(s, &l);
    uet_ses_req_std_request_length_set(s, l.length);
    uet_build_payload(&b, talk_payload, l.bytes);
    talk_finish(&b, &t->packet[TALK_UUD]);
}

/* A switch leaves the headers, the UDP length and a trimmed DSCP (4.1.3). */
void talk_trim(struct talk_packet *p, size_t n)
{
    p->len -= n;
    uet_ipv4_total_length_set(p->frame + UET_ETH_BYTES, (uint16_t)(p->len - UET_ETH_BYTES));
    if (p->frame[UET_ETH_BYTES] >> 4 == 6)
        uet_ipv6_payload_length_set(p->frame + UET_ETH_BYTES,
                                    (uint16_t)(p->len - UET_ETH_BYTES - UET_IPV6_BYTES));
}

static void trimmed(struct talk *t)
{
    talk_request(t, TALK_TRIM_SYN0, (struct talk_line){.message_id = 1, ONE}, UET_OP_SEND, true);
    struct talk_says a = {.next_hdr = UET_NH_RESPONSE, .message_id = 1, .cc = true};
    talk_ack(t, TALK_TRIM_ACK0, (struct talk_line){.back = true}, a);
    struct talk_line l = {.psn = 1,
                          .clear = 1,
                          .entropy = 3,
                          .ce = true,
                          .ar = true,
                          .dscp = TALK_DSCP_TRIMMED,
                          .message_id = 2,
                          .length = 1000,
                          .bytes = 1000,
                          .som = true,
                          .eom = true};
    talk_request(t, TALK_TRIM_REQ1, l, UET_OP_SEND, false);
    talk_trim(&t->packet[TALK_TRIM_REQ1], 1000);
    talk_nack(t, TALK_TRIM_NACK1, (struct talk_line){.back = true, .psn = 1, .entropy = 3},
              UET_NACK_TRIMMED, t->tpdcid, t->ipdcid);
    uet_nack_m_set(talk_pds(&t->packet[TALK_TRIM_NACK1]), true);
    l.retx = true;
    l.ce = false;
    l.entropy = 4;
    l.dscp = 0;
    talk_request(t, TALK_TRIM_REQ1_RETX, l, UET_OP_SEND, false);
    a = (struct talk_says){.cack = 1, .psn = 1, .next_hdr = UET_NH_RESPONSE, .message_id = 2};
    talk_ack(t, TALK_TRIM_ACK1, (struct talk_line){.back = true, .retx = true, .entropy = 4}, a);
    l = (struct talk_line){.type = UET_PDS_RUD_CC_REQ, .psn = 2, .clear = 2, .message_id = 3, ONE};
    talk_request(t, TALK_CC2, l, UET_OP_SEND, false);
    a = (struct talk_says){.cack = 2, .psn = 2, .next_hdr = UET_NH_RESPONSE, .ccx = true};
    talk_ack(t, TALK_CCX2, (struct talk_line){.back = true}, a);
    talk_cp(t, TALK_TRIM_CLOSE, (struct talk_line){.ar = true}, UET_CTL_CLOSE_COMMAND, t->start + 3,
            0);
    talk_ack(t, TALK_TRIM_CLOSED, (struct talk_line){.back = true},
             (struct talk_says){.cack = 3, .psn = 3});
}

void talk_write_more(struct talk *t)
{
    uint16_t ipdcid = t->ipdcid, tpdcid = t->tpdcid;
    uint32_t start = t->start;
    t->start = t->start2 + 0x00300007;
    t->ipdcid = (uint16_t)(ipdcid + 3);
    t->tpdcid = (uint16_t)(tpdcid + 100);
    rod_gap(t);
    talk_rod_reads(t);
    rudi(t);
    uud(t);
    t->start += 0x01000003;
    t->ipdcid++;
    t->tpdcid++;
    trimmed(t);
    t->start += 0x01000003;
    t->ipdcid++;
    t->tpdcid++;
    talk_write_reads(t);
    talk_rudi_read(t);
    t->ipdcid = ipdcid;
    t->tpdcid = tpdcid;
    t->start = start;
}
