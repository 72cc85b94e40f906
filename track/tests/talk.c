/* SPDX-License-Identifier: BSD-2-Clause */
#include "track/tests/talk_lines.h"

#include <string.h>

const uint8_t talk_payload[1024];

void talk_start(const struct talk *t, struct uet_build *b, struct talk_packet *p,
                const struct talk_line *l)
{
    const struct uet_route route = {.src = l->back ? t->target : t->initiator,
                                    .dst = l->back ? t->initiator : t->target,
                                    .entropy = (uint16_t)(t->entropy + l->entropy),
                                    .dscp = l->dscp,
                                    .ecn = l->ce ? UET_ECN_CE : UET_ECN_ECT0};
    uet_build_start(b, p->frame, sizeof p->frame, &route);
}

void talk_finish(struct uet_build *b, struct talk_packet *p)
{
    p->len = (size_t)uet_build_finish(b, UET_PROTECT_NONE, NULL);
}

void talk_fill_request(const struct talk *t, uint8_t *h, const struct talk_line *l,
                       uint8_t next_hdr)
{
    uet_rud_rod_req_type_set(h, l->type ? l->type : UET_PDS_RUD_REQ);
    uet_rud_rod_req_next_hdr_set(h, next_hdr);
    uet_rud_rod_req_retx_set(h, l->retx);
    uet_rud_rod_req_ar_set(h, l->ar);
    uet_rud_rod_req_psn_set(h, t->start + l->psn);
    uet_rud_rod_req_clear_psn_offset_set(h, (int16_t)(l->clear - 1 - l->psn));
    uet_rud_rod_req_spdcid_set(h, t->ipdcid);
    uet_rud_rod_req_dpdcid_set(h, t->tpdcid);
}

static void fill_syn(uint8_t *h, const struct talk_line *l)
{
    uet_rud_rod_req_syn_set(h, true);
    uet_rud_rod_req_dpdcid_set(h, 0);
    uet_rud_rod_req_psn_offset_set(h, (uint16_t)l->psn);
}

void talk_fill_address(uint8_t *s, const struct talk_line *l)
{
    uet_ses_req_som_set(s, l->som);
    uet_ses_req_eom_set(s, l->eom);
    uet_ses_req_rel_set(s, true);
    uet_ses_req_job_id_set(s, TALK_JOB);
    uet_ses_req_pid_on_fep_set(s, 7);
    uet_ses_req_resource_index_set(s, 9);
}

/* A standard Request. */
void talk_request(struct talk *t, enum talk_name name, struct talk_line l, uint8_t opcode, bool syn)
{
    struct uet_build b;
    talk_start(t, &b, &t->packet[name], &l);
    bool cc = l.type == UET_PDS_RUD_CC_REQ;
    uint8_t *h = uet_build_pds(&b, syn  ? UET_H_RUD_ROD_REQ_SYN
                                   : cc ? UET_H_RUD_ROD_CC_REQ
                                        : UET_H_RUD_ROD_REQ);
    talk_fill_request(t, h, &l, UET_NH_REQUEST_STD);
    if (syn)
        fill_syn(h, &l);
    uint8_t *s = uet_build_ses(&b, l.som ? UET_H_SES_REQ_STD_SOM1 : UET_H_SES_REQ_STD_SOM0);
    uet_ses_req_opcode_set(s, opcode);
    talk_fill_address(s, &l);
    uet_ses_req_std_message_id_set(s, l.message_id);
    uet_ses_req_buffer_offset_set(s, 0x100);
    uet_ses_req_match_bits_or_memory_key_set(s, TALK_KEY);
    uet_ses_req_std_request_length_set(s, l.length);
    if (!l.som) {
        uet_ses_req_std_payload_length_set(s, l.bytes);
        uet_ses_req_std_message_offset_set(s, l.offset);
    }
    uet_build_payload(&b, talk_payload, l.bytes);
    talk_finish(&b, &t->packet[name]);
}

/* A small or medium Request, which carries a whole message. */
void talk_short_request(struct talk *t, enum talk_name name, struct talk_line l, bool medium)
{
    struct uet_build b;
    l.som = l.eom = true;
    talk_start(t, &b, &t->packet[name], &l);
    uint8_t *h = uet_build_pds(&b, UET_H_RUD_ROD_REQ);
    talk_fill_request(t, h, &l, medium ? UET_NH_REQUEST_MEDIUM : UET_NH_REQUEST_SMALL);
    uint8_t *s = uet_build_ses(&b, medium ? UET_H_SES_REQ_MEDIUM_RMA : UET_H_SES_REQ_SMALL);
    uet_ses_req_opcode_set(s, medium ? UET_OP_WRITE : UET_OP_SEND);
    talk_fill_address(s, &l);
    uet_ses_req_short_request_length_set(s, l.bytes);
    if (medium)
        uet_ses_req_match_bits_or_memory_key_set(s, TALK_KEY);
    uet_build_payload(&b, talk_payload, l.bytes);
    talk_finish(&b, &t->packet[name]);
}

void talk_fill_ack(const struct talk *t, uint8_t *h, const struct talk_line *l,
                   const struct talk_says *a)
{
    uet_ack_type_set(h, a->ccx ? UET_PDS_ACK_CCX : a->cc ? UET_PDS_ACK_CC : UET_PDS_ACK);
    uet_ack_next_hdr_set(h, a->next_hdr);
    uet_ack_m_set(h, l->m);
    uet_ack_retx_set(h, l->retx);
    uet_ack_req_set(h, a->req);
    uet_ack_cack_psn_set(h, t->start + a->cack);
    uet_ack_ack_psn_offset_set(h, (int16_t)(a->psn - a->cack));
    uet_ack_spdcid_set(h, l->back ? t->tpdcid : t->ipdcid);
    uet_ack_dpdcid_set(h, l->back ? t->ipdcid : t->tpdcid);
}

void talk_ack(struct talk *t, enum talk_name name, struct talk_line l, struct talk_says a)
{
    struct uet_build b;
    talk_start(t, &b, &t->packet[name], &l);
    uint8_t *h = uet_build_pds(&b, a.ccx ? UET_H_ACK_CCX : a.cc ? UET_H_ACK_CC : UET_H_ACK);
    talk_fill_ack(t, h, &l, &a);
    if (a.cc || a.ccx) {
        uet_ack_cc_mpr_set(h, 8);
        uet_ack_cc_sack_psn_offset_set(h, (int16_t)(a.psn - a.cack));
        uet_ack_cc_sack_bitmap_set(h, a.sack);
    }
    if (a.ccx)
        uet_ack_ccx_type_set(h, 14); /* a vendor's (Table 3-49) */
    if (a.next_hdr == UET_NH_RESPONSE) {
        uint8_t *s = uet_build_ses(&b, a.opcode ? UET_H_SES_RSP : UET_H_SES_RSP_DEFAULT);
        uet_ses_rsp_opcode_set(s, a.opcode);
        uet_ses_rsp_return_code_set(s, a.return_code ? a.return_code : UET_RC_OK);
        uet_ses_rsp_message_id_set(s, a.message_id);
        uet_ses_rsp_job_id_set(s, TALK_JOB);
        uet_ses_rsp_modified_length_set(s, a.modified_length);
    }
    talk_finish(&b, &t->packet[name]);
}

void talk_cp(struct talk *t, enum talk_name name, struct talk_line l, uint8_t ctl, uint32_t psn,
             uint32_t value)
{
    struct uet_build b;
    talk_start(t, &b, &t->packet[name], &l);
    uint8_t *h = uet_build_pds(&b, UET_H_CP);
    uet_cp_type_set(h, UET_PDS_CP);
    uet_cp_ctl_type_set(h, ctl);
    uet_cp_ar_set(h, l.ar);
    uet_cp_psn_set(h, psn);
    uet_cp_spdcid_set(h, l.back ? t->tpdcid : t->ipdcid);
    uet_cp_dpdcid_set(h, l.back ? t->ipdcid : t->tpdcid);
    uet_cp_payload_value_set(h, value);
    talk_finish(&b, &t->packet[name]);
}

void talk_nack(struct talk *t, enum talk_name name, struct talk_line l, uint8_t code,
               uint16_t spdcid, uint16_t dpdcid)
{
    struct uet_build b;
    talk_start(t, &b, &t->packet[name], &l);
    uint8_t *h = uet_build_pds(&b, UET_H_NACK);
    uet_nack_type_set(h, UET_PDS_NACK);
    uet_nack_nack_code_set(h, code);
    uet_nack_nack_psn_set(h, t->start + l.psn);
    uet_nack_spdcid_set(h, spdcid);
    uet_nack_dpdcid_set(h, dpdcid);
    talk_finish(&b, &t->packet[name]);
}

/* Opening, and a message of three packets. */
static void write_open(struct talk *t)
{
    struct talk_line l = {.message_id = 1, .length = 3000, .bytes = 1024, .som = true};
    talk_request(t, TALK_SYN0, l, UET_OP_WRITE, true);
    l = (struct talk_line){
        .psn = 1, .message_id = 1, .length = 3000, .offset = 1024, .bytes = 1024};
    talk_request(t, TALK_SYN1, l, UET_OP_WRITE, true);
    struct talk_says a = {.next_hdr = UET_NH_RESPONSE, .message_id = 1, .cc = true};
    talk_ack(t, TALK_ACK0, (struct talk_line){.back = true}, a);
    l = (struct talk_line){.psn = 2,
                           .clear = 1,
                           .ar = true,
                           .message_id = 1,
                           .length = 3000,
                           .offset = 2048,
                           .bytes = 952,
                           .eom = true};
    talk_request(t, TALK_REQ2, l, UET_OP_WRITE, false);
    a = (struct talk_says){.cack = 2, .psn = 2, .next_hdr = UET_NH_RESPONSE, .message_id = 1};
    talk_ack(t, TALK_ACK2, (struct talk_line){.back = true}, a);
}

/* S+3 is lost, S+4 arrives, S+3 is sent again. */
static void write_gap(struct talk *t)
{
    struct talk_line l = {.psn = 3,
                          .clear = 3,
                          .ar = true,
                          .message_id = 2,
                          .length = 100,
                          .bytes = 100,
                          .som = true,
                          .eom = true};
    talk_request(t, TALK_REQ3, l, UET_OP_SEND, false);
    struct talk_line l4 = {.psn = 4, .clear = 3, .ar = true, .bytes = 64, .entropy = 1};
    talk_short_request(t, TALK_REQ4, l4, true);
    struct talk_says a = {.cack = 2, .psn = 4, .next_hdr = UET_NH_RESPONSE, .cc = true, .sack = 1};
    talk_ack(t, TALK_ACKCC4, (struct talk_line){.back = true, .entropy = 1}, a);
    l.retx = l.ce = true;
    l.entropy = 2;
    talk_request(t, TALK_REQ3_RETX, l, UET_OP_SEND, false);
    a = (struct talk_says){.cack = 4, .psn = 3, .next_hdr = UET_NH_RESPONSE, .message_id = 2};
    talk_ack(t, TALK_ACK3, (struct talk_line){.back = true, .entropy = 2, .retx = true, .m = true},
             a);
}

static void write_error(struct talk *t)
{
    struct talk_line l = {.psn = 5,
                          .clear = 5,
                          .ar = true,
                          .message_id = 3,
                          .length = 8,
                          .bytes = 8,
                          .som = true,
                          .eom = true};
    talk_request(t, TALK_REQ5, l, UET_OP_WRITE, false);
    struct talk_says a = {.cack = 4,
                          .psn = 5,
                          .req = UET_ACK_REQ_CLEAR,
                          .next_hdr = UET_NH_RESPONSE,
                          .opcode = UET_RSP_RESPONSE,
                          .return_code = UET_RC_BAD_MKEY,
                          .message_id = 3};
    talk_ack(t, TALK_ACK5, (struct talk_line){.back = true}, a);
    l.retx = true;
    talk_request(t, TALK_REQ5_RETX, l, UET_OP_WRITE, false);
    talk_ack(t, TALK_ACK5_AGAIN, (struct talk_line){.back = true, .retx = true}, a);
    talk_cp(t, TALK_ASK_CLEAR, (struct talk_line){.back = true}, UET_CTL_CLEAR_REQUEST, 0,
            t->start + 5);
    talk_cp(t, TALK_CLEAR5, (struct talk_line){0}, UET_CTL_CLEAR_COMMAND, 0, t->start + 5);
}

static void write_others(struct talk *t)
{
    talk_cp(t, TALK_NOOP6, (struct talk_line){.ar = true}, UET_CTL_NOOP, t->start + 6, 0);
    talk_ack(t, TALK_ACK6, (struct talk_line){.back = true},
             (struct talk_says){.cack = 6, .psn = 6});
    struct talk_line l = {.psn = 7, .clear = 7, .ar = true, .bytes = 40};
    talk_short_request(t, TALK_REQ7, l, false);
    talk_nack(t, TALK_NACK7, (struct talk_line){.back = true, .psn = 7}, UET_NACK_NO_PKT_BUFFER,
              t->tpdcid, t->ipdcid);
    l.retx = true;
    talk_short_request(t, TALK_REQ7_RETX, l, false);
    struct talk_says a = {.cack = 7, .psn = 7, .next_hdr = UET_NH_RESPONSE};
    talk_ack(t, TALK_ACK7, (struct talk_line){.back = true, .retx = true}, a);
    l = (struct talk_line){
        .psn = 8, .clear = 8, .ar = true, .message_id = 4, .som = true, .eom = true};
    talk_request(t, TALK_REQ8, l, UET_OP_NO_OP, false);
    talk_cp(t, TALK_ASK8, (struct talk_line){.ar = true}, UET_CTL_ACK_REQUEST, t->start + 8, 4);
    a = (struct talk_says){.cack = 8, .psn = 8, .next_hdr = UET_NH_RESPONSE, .message_id = 4};
    talk_ack(t, TALK_ACK8, (struct talk_line){.back = true}, a);
}

static void write_close(struct talk *t)
{
    struct talk_line back = {.back = true, .ar = true}, forth = {.ar = true};
    talk_cp(t, TALK_RNOOP0, back, UET_CTL_NOOP, t->start, 0);
    talk_ack(t, TALK_RACK0, (struct talk_line){0}, (struct talk_says){0});
    talk_cp(t, TALK_CLOSE_REQUEST, back, UET_CTL_CLOSE_REQUEST, t->start + 1, 0);
    talk_ack(t, TALK_RACK1, (struct talk_line){0}, (struct talk_says){.cack = 1, .psn = 1});
    talk_cp(t, TALK_CLOSE, forth, UET_CTL_CLOSE_COMMAND, t->start + 9, 0);
    talk_ack(t, TALK_CLOSED, (struct talk_line){.back = true},
             (struct talk_says){.cack = 9, .psn = 9});
}

/* The next PDC with the same IPDCID, and two that never come to be. */
static void write_again(struct talk *t)
{
    struct talk saved = {.start = t->start, .ipdcid = t->ipdcid, .tpdcid = t->tpdcid};
    struct talk_line l = {
        .message_id = 1, .length = 16, .bytes = 16, .ar = true, .som = true, .eom = true};
    t->start = t->start2;
    t->tpdcid = t->tpdcid2;
    talk_request(t, TALK_SYN_AGAIN, l, UET_OP_SEND, true);
    struct talk_says a = {.next_hdr = UET_NH_RESPONSE, .message_id = 1};
    talk_ack(t, TALK_ACK_AGAIN, (struct talk_line){.back = true}, a);
    talk_cp(t, TALK_PROBE, (struct talk_line){.entropy = 5}, UET_CTL_PROBE, 0, t->start);
    uet_cp_probe_opaque_set(talk_pds(&t->packet[TALK_PROBE]), 0xbeef);
    talk_ack(t, TALK_PROBED, (struct talk_line){.back = true, .entropy = 5}, (struct talk_says){0});
    uet_ack_p_set(talk_pds(&t->packet[TALK_PROBED]), true);
    uet_ack_probe_opaque_set(talk_pds(&t->packet[TALK_PROBED]), 0xbeef);
    t->ipdcid = (uint16_t)(saved.ipdcid + 1);
    t->tpdcid = (uint16_t)(saved.tpdcid + 77);
    l.clear = 1;
    l.psn = 1;
    talk_request(t, TALK_STRAY, l, UET_OP_SEND, false);
    talk_nack(t, TALK_STRAY_NACK, (struct talk_line){.back = true, .psn = 1}, UET_NACK_INV_DPDCID,
              0, t->ipdcid);
    l.clear = l.psn = 0;
    t->ipdcid++;
    talk_request(t, TALK_REFUSED, l, UET_OP_SEND, true);
    talk_nack(t, TALK_REFUSED_NACK, (struct talk_line){.back = true}, UET_NACK_NO_PDC_AVAIL, 0,
              t->ipdcid);
    t->start = saved.start;
    t->ipdcid = saved.ipdcid;
    t->tpdcid = saved.tpdcid;
}

void talk_default(struct talk *t)
{
    *t = (struct talk){.initiator = {.version = 4, .bytes = {192, 0, 2, 1}},
                       .target = {.version = 4, .bytes = {192, 0, 2, 2}},
                       .ipdcid = 0x1111,
                       .tpdcid = 0x2222,
                       .tpdcid2 = 0x3333,
                       .start = 0xfffffffe,
                       .start2 = 0x00100000,
                       .entropy = 0x4000};
}

void talk_write(struct talk *t)
{
    write_open(t);
    write_gap(t);
    write_error(t);
    write_others(t);
    write_close(t);
    write_again(t);
    talk_write_more(t);
}

uint8_t *talk_pds(struct talk_packet *packet)
{
    bool ipv6 = (packet->frame[UET_ETH_BYTES] >> 4) == 6;
    return packet->frame + UET_ETH_BYTES + (ipv6 ? UET_IPV6_BYTES : UET_IPV4_BYTES) + UET_UDP_BYTES;
}

uint8_t *talk_ses(struct talk_packet *packet)
{
    static const uint8_t bytes[16] = {[UET_PDS_ACK_CC] = UET_ACK_CC_BYTES,
                                      [UET_PDS_ACK_CCX] = UET_ACK_CCX_BYTES,
                                      [UET_PDS_RUDI_REQ] = UET_RUDI_REQ_BYTES,
                                      [UET_PDS_RUDI_RESP] = UET_RUDI_RESP_BYTES,
                                      [UET_PDS_UUD_REQ] = UET_UUD_REQ_BYTES,
                                      [UET_PDS_RUD_CC_REQ] = UET_RUD_ROD_CC_REQ_BYTES,
                                      [UET_PDS_ROD_CC_REQ] = UET_RUD_ROD_CC_REQ_BYTES};
    uint8_t *pds = talk_pds(packet);
    uint8_t n = bytes[uet_pds_prologue_type(pds) & 15];
    return pds + (n ? n : UET_ACK_BYTES);
}

void talk_resize(struct talk_packet *packet, int n)
{
    uint8_t *ip = packet->frame + UET_ETH_BYTES;
    if (n > 0)
        memset(packet->frame + packet->len, 0, (size_t)n);
    packet->len = n < 0 ? packet->len - (size_t)-n : packet->len + (size_t)n;
    uint16_t bytes = (uint16_t)(packet->len - UET_ETH_BYTES);
    uet_ipv4_total_length_set(ip, bytes);
    uet_udp_length_set(ip + UET_IPV4_BYTES, (uint16_t)(bytes - UET_IPV4_BYTES));
}

void talk_mend(struct talk_packet *packet)
{
    uet_refresh(packet->frame, packet->len, UET_PROTECT_NONE);
}

bool talk_from_initiator(enum talk_name name)
{
    static const bool back[TALK_N] = {[TALK_ACK0] = true,
                                      [TALK_ACK2] = true,
                                      [TALK_ACKCC4] = true,
                                      [TALK_ACK3] = true,
                                      [TALK_ACK5] = true,
                                      [TALK_ACK5_AGAIN] = true,
                                      [TALK_ASK_CLEAR] = true,
                                      [TALK_ACK6] = true,
                                      [TALK_NACK7] = true,
                                      [TALK_ACK7] = true,
                                      [TALK_ACK8] = true,
                                      [TALK_RNOOP0] = true,
                                      [TALK_CLOSE_REQUEST] = true,
                                      [TALK_CLOSED] = true,
                                      [TALK_ACK_AGAIN] = true,
                                      [TALK_PROBED] = true,
                                      [TALK_STRAY_NACK] = true,
                                      [TALK_REFUSED_NACK] = true,
                                      [TALK_ROD_ACK0] = true,
                                      [TALK_ROD_OOO2] = true,
                                      [TALK_ROD_ACK1] = true,
                                      [TALK_ROD_ACK2] = true,
                                      [TALK_ROD_ACK3] = true,
                                      [TALK_ROD_ACK5] = true,
                                      [TALK_ROD_DATA0] = true,
                                      [TALK_ROD_DATA1] = true,
                                      [TALK_ROD_CLOSED] = true,
                                      [TALK_RUDI_RESP1] = true,
                                      [TALK_RUDI_RESP2] = true,
                                      [TALK_RUDI_NACK3] = true,
                                      [TALK_RUDI_RESP3] = true,
                                      [TALK_TRIM_ACK0] = true,
                                      [TALK_TRIM_NACK1] = true,
                                      [TALK_TRIM_ACK1] = true,
                                      [TALK_CCX2] = true,
                                      [TALK_TRIM_CLOSED] = true,
                                      [TALK_READ_ACK0] = true,
                                      [TALK_READ_ACK2] = true,
                                      [TALK_READ_DATA0] = true,
                                      [TALK_READ_DATA1] = true,
                                      [TALK_READ_DATA2] = true,
                                      [TALK_READ_DATA1_RETX] = true,
                                      [TALK_READ_ACK3] = true,
                                      [TALK_READ_NACK3] = true,
                                      [TALK_READ_ACK3_AGAIN] = true,
                                      [TALK_READ_ACK4] = true,
                                      [TALK_READ_ACK5] = true,
                                      [TALK_READ_DATA5] = true,
                                      [TALK_READ_DATA5_RETX] = true,
                                      [TALK_READ_CLOSED] = true,
                                      [TALK_RUDI_DATA4] = true};
    return !back[name];
}
