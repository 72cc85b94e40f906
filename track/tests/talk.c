/* SPDX-License-Identifier: BSD-2-Clause */
#include "track/tests/talk.h"

#include <string.h>

#define JOB 0xabcdefu
#define KEY UINT64_C(0x0000000000001234)

static const uint8_t payload[1024];

/* What differs from packet to packet. Zero: not set. */
struct line {
    bool back; /* from the target */
    bool retx, ar, ce, m;
    uint16_t entropy; /* added to that of the talk */
    uint32_t psn;     /* added to Start_PSN */
    uint32_t clear;   /* PSNs cleared, from Start_PSN on: CLEAR_PSN = Start_PSN - 1 + clear */
    uint16_t message_id;
    uint32_t length, offset;
    uint16_t bytes; /* of payload */
    bool som, eom;
};

static void start(const struct talk *t, struct uet_build *b, struct talk_packet *p,
                  const struct line *l)
{
    const struct uet_route route = {.src = l->back ? t->target : t->initiator,
                                    .dst = l->back ? t->initiator : t->target,
                                    .entropy = (uint16_t)(t->entropy + l->entropy),
                                    .ecn = l->ce ? UET_ECN_CE : UET_ECN_ECT0};
    uet_build_start(b, p->frame, sizeof p->frame, &route);
}

static void finish(struct uet_build *b, struct talk_packet *p)
{
    p->len = (size_t)uet_build_finish(b, UET_PROTECT_NONE, NULL);
}

static void fill_request(const struct talk *t, uint8_t *h, const struct line *l, uint8_t next_hdr)
{
    uet_rud_rod_req_type_set(h, UET_PDS_RUD_REQ);
    uet_rud_rod_req_next_hdr_set(h, next_hdr);
    uet_rud_rod_req_retx_set(h, l->retx);
    uet_rud_rod_req_ar_set(h, l->ar);
    uet_rud_rod_req_psn_set(h, t->start + l->psn);
    uet_rud_rod_req_clear_psn_offset_set(h, (int16_t)(l->clear - 1 - l->psn));
    uet_rud_rod_req_spdcid_set(h, t->ipdcid);
    uet_rud_rod_req_dpdcid_set(h, t->tpdcid);
}

static void fill_syn(uint8_t *h, const struct line *l)
{
    uet_rud_rod_req_syn_set(h, true);
    uet_rud_rod_req_dpdcid_set(h, 0);
    uet_rud_rod_req_psn_offset_set(h, (uint16_t)l->psn);
}

static void fill_address(uint8_t *s, const struct line *l)
{
    uet_ses_req_som_set(s, l->som);
    uet_ses_req_eom_set(s, l->eom);
    uet_ses_req_rel_set(s, true);
    uet_ses_req_job_id_set(s, JOB);
    uet_ses_req_pid_on_fep_set(s, 7);
    uet_ses_req_resource_index_set(s, 9);
}

/* A standard Request. */
static void request(struct talk *t, enum talk_name name, struct line l, uint8_t opcode, bool syn)
{
    struct uet_build b;
    start(t, &b, &t->packet[name], &l);
    uint8_t *h = uet_build_pds(&b, syn ? UET_H_RUD_ROD_REQ_SYN : UET_H_RUD_ROD_REQ);
    fill_request(t, h, &l, UET_NH_REQUEST_STD);
    if (syn)
        fill_syn(h, &l);
    uint8_t *s = uet_build_ses(&b, l.som ? UET_H_SES_REQ_STD_SOM1 : UET_H_SES_REQ_STD_SOM0);
    uet_ses_req_opcode_set(s, opcode);
    fill_address(s, &l);
    uet_ses_req_std_message_id_set(s, l.message_id);
    uet_ses_req_buffer_offset_set(s, 0x100);
    uet_ses_req_match_bits_or_memory_key_set(s, KEY);
    uet_ses_req_std_request_length_set(s, l.length);
    if (!l.som) {
        uet_ses_req_std_payload_length_set(s, l.bytes);
        uet_ses_req_std_message_offset_set(s, l.offset);
    }
    uet_build_payload(&b, payload, l.bytes);
    finish(&b, &t->packet[name]);
}

/* A small or medium Request, which carries a whole message. */
static void short_request(struct talk *t, enum talk_name name, struct line l, bool medium)
{
    struct uet_build b;
    l.som = l.eom = true;
    start(t, &b, &t->packet[name], &l);
    uint8_t *h = uet_build_pds(&b, UET_H_RUD_ROD_REQ);
    fill_request(t, h, &l, medium ? UET_NH_REQUEST_MEDIUM : UET_NH_REQUEST_SMALL);
    uint8_t *s = uet_build_ses(&b, medium ? UET_H_SES_REQ_MEDIUM_RMA : UET_H_SES_REQ_SMALL);
    uet_ses_req_opcode_set(s, medium ? UET_OP_WRITE : UET_OP_SEND);
    fill_address(s, &l);
    uet_ses_req_short_request_length_set(s, l.bytes);
    if (medium)
        uet_ses_req_match_bits_or_memory_key_set(s, KEY);
    uet_build_payload(&b, payload, l.bytes);
    finish(&b, &t->packet[name]);
}

/* What an ACK says. */
struct says {
    uint32_t cack, psn; /* added to Start_PSN */
    uint8_t req;
    uint8_t next_hdr;
    uint8_t opcode, return_code;
    uint16_t message_id;
    bool cc;
    uint64_t sack; /* from ACK_PSN on */
};

static void fill_ack(const struct talk *t, uint8_t *h, const struct line *l, const struct says *a)
{
    uet_ack_type_set(h, a->cc ? UET_PDS_ACK_CC : UET_PDS_ACK);
    uet_ack_next_hdr_set(h, a->next_hdr);
    uet_ack_m_set(h, l->m);
    uet_ack_retx_set(h, l->retx);
    uet_ack_req_set(h, a->req);
    uet_ack_cack_psn_set(h, t->start + a->cack);
    uet_ack_ack_psn_offset_set(h, (int16_t)(a->psn - a->cack));
    uet_ack_spdcid_set(h, l->back ? t->tpdcid : t->ipdcid);
    uet_ack_dpdcid_set(h, l->back ? t->ipdcid : t->tpdcid);
}

static void ack(struct talk *t, enum talk_name name, struct line l, struct says a)
{
    struct uet_build b;
    start(t, &b, &t->packet[name], &l);
    uint8_t *h = uet_build_pds(&b, a.cc ? UET_H_ACK_CC : UET_H_ACK);
    fill_ack(t, h, &l, &a);
    if (a.cc) {
        uet_ack_cc_mpr_set(h, 8);
        uet_ack_cc_sack_psn_offset_set(h, (int16_t)(a.psn - a.cack));
        uet_ack_cc_sack_bitmap_set(h, a.sack);
    }
    if (a.next_hdr == UET_NH_RESPONSE) {
        uint8_t *s = uet_build_ses(&b, a.opcode ? UET_H_SES_RSP : UET_H_SES_RSP_DEFAULT);
        uet_ses_rsp_opcode_set(s, a.opcode);
        uet_ses_rsp_return_code_set(s, a.return_code ? a.return_code : UET_RC_OK);
        uet_ses_rsp_message_id_set(s, a.message_id);
        uet_ses_rsp_job_id_set(s, JOB);
    }
    finish(&b, &t->packet[name]);
}

static void cp(struct talk *t, enum talk_name name, struct line l, uint8_t ctl, uint32_t psn,
               uint32_t value)
{
    struct uet_build b;
    start(t, &b, &t->packet[name], &l);
    uint8_t *h = uet_build_pds(&b, UET_H_CP);
    uet_cp_type_set(h, UET_PDS_CP);
    uet_cp_ctl_type_set(h, ctl);
    uet_cp_ar_set(h, l.ar);
    uet_cp_psn_set(h, psn);
    uet_cp_spdcid_set(h, l.back ? t->tpdcid : t->ipdcid);
    uet_cp_dpdcid_set(h, l.back ? t->ipdcid : t->tpdcid);
    uet_cp_payload_value_set(h, value);
    finish(&b, &t->packet[name]);
}

static void nack(struct talk *t, enum talk_name name, struct line l, uint8_t code, uint16_t spdcid,
                 uint16_t dpdcid)
{
    struct uet_build b;
    start(t, &b, &t->packet[name], &l);
    uint8_t *h = uet_build_pds(&b, UET_H_NACK);
    uet_nack_type_set(h, UET_PDS_NACK);
    uet_nack_nack_code_set(h, code);
    uet_nack_nack_psn_set(h, t->start + l.psn);
    uet_nack_spdcid_set(h, spdcid);
    uet_nack_dpdcid_set(h, dpdcid);
    finish(&b, &t->packet[name]);
}

/* Opening, and a message of three packets. */
static void write_open(struct talk *t)
{
    struct line l = {.message_id = 1, .length = 3000, .bytes = 1024, .som = true};
    request(t, TALK_SYN0, l, UET_OP_WRITE, true);
    l = (struct line){.psn = 1, .message_id = 1, .length = 3000, .offset = 1024, .bytes = 1024};
    request(t, TALK_SYN1, l, UET_OP_WRITE, true);
    struct says a = {.next_hdr = UET_NH_RESPONSE, .message_id = 1, .cc = true};
    ack(t, TALK_ACK0, (struct line){.back = true}, a);
    l = (struct line){.psn = 2,
                      .clear = 1,
                      .ar = true,
                      .message_id = 1,
                      .length = 3000,
                      .offset = 2048,
                      .bytes = 952,
                      .eom = true};
    request(t, TALK_REQ2, l, UET_OP_WRITE, false);
    a = (struct says){.cack = 2, .psn = 2, .next_hdr = UET_NH_RESPONSE, .message_id = 1};
    ack(t, TALK_ACK2, (struct line){.back = true}, a);
}

/* S+3 is lost, S+4 arrives, S+3 is sent again. */
static void write_gap(struct talk *t)
{
    struct line l = {.psn = 3,
                     .clear = 3,
                     .ar = true,
                     .message_id = 2,
                     .length = 100,
                     .bytes = 100,
                     .som = true,
                     .eom = true};
    request(t, TALK_REQ3, l, UET_OP_SEND, false);
    struct line l4 = {.psn = 4, .clear = 3, .ar = true, .bytes = 64, .entropy = 1};
    short_request(t, TALK_REQ4, l4, true);
    struct says a = {.cack = 2, .psn = 4, .next_hdr = UET_NH_RESPONSE, .cc = true, .sack = 1};
    ack(t, TALK_ACKCC4, (struct line){.back = true, .entropy = 1}, a);
    l.retx = l.ce = true;
    l.entropy = 2;
    request(t, TALK_REQ3_RETX, l, UET_OP_SEND, false);
    a = (struct says){.cack = 4, .psn = 3, .next_hdr = UET_NH_RESPONSE, .message_id = 2};
    ack(t, TALK_ACK3, (struct line){.back = true, .entropy = 2, .retx = true, .m = true}, a);
}

static void write_error(struct talk *t)
{
    struct line l = {.psn = 5,
                     .clear = 5,
                     .ar = true,
                     .message_id = 3,
                     .length = 8,
                     .bytes = 8,
                     .som = true,
                     .eom = true};
    request(t, TALK_REQ5, l, UET_OP_WRITE, false);
    struct says a = {.cack = 4,
                     .psn = 5,
                     .req = UET_ACK_REQ_CLEAR,
                     .next_hdr = UET_NH_RESPONSE,
                     .opcode = UET_RSP_RESPONSE,
                     .return_code = UET_RC_BAD_MKEY,
                     .message_id = 3};
    ack(t, TALK_ACK5, (struct line){.back = true}, a);
    l.retx = true;
    request(t, TALK_REQ5_RETX, l, UET_OP_WRITE, false);
    ack(t, TALK_ACK5_AGAIN, (struct line){.back = true, .retx = true}, a);
    cp(t, TALK_ASK_CLEAR, (struct line){.back = true}, UET_CTL_CLEAR_REQUEST, 0, t->start + 5);
    cp(t, TALK_CLEAR5, (struct line){0}, UET_CTL_CLEAR_COMMAND, 0, t->start + 5);
}

static void write_others(struct talk *t)
{
    cp(t, TALK_NOOP6, (struct line){.ar = true}, UET_CTL_NOOP, t->start + 6, 0);
    ack(t, TALK_ACK6, (struct line){.back = true}, (struct says){.cack = 6, .psn = 6});
    struct line l = {.psn = 7, .clear = 7, .ar = true, .bytes = 40};
    short_request(t, TALK_REQ7, l, false);
    nack(t, TALK_NACK7, (struct line){.back = true, .psn = 7}, UET_NACK_NO_PKT_BUFFER, t->tpdcid,
         t->ipdcid);
    l.retx = true;
    short_request(t, TALK_REQ7_RETX, l, false);
    struct says a = {.cack = 7, .psn = 7, .next_hdr = UET_NH_RESPONSE};
    ack(t, TALK_ACK7, (struct line){.back = true, .retx = true}, a);
    l = (struct line){.psn = 8, .clear = 8, .message_id = 4, .som = true, .eom = true};
    request(t, TALK_REQ8, l, UET_OP_NO_OP, false);
    cp(t, TALK_ASK8, (struct line){.ar = true}, UET_CTL_ACK_REQUEST, t->start + 8, 4);
    a = (struct says){.cack = 8, .psn = 8, .next_hdr = UET_NH_RESPONSE, .message_id = 4};
    ack(t, TALK_ACK8, (struct line){.back = true}, a);
}

static void write_close(struct talk *t)
{
    struct line back = {.back = true, .ar = true}, forth = {.ar = true};
    cp(t, TALK_RNOOP0, back, UET_CTL_NOOP, t->start, 0);
    ack(t, TALK_RACK0, (struct line){0}, (struct says){0});
    cp(t, TALK_CLOSE_REQUEST, back, UET_CTL_CLOSE_REQUEST, t->start + 1, 0);
    ack(t, TALK_RACK1, (struct line){0}, (struct says){.cack = 1, .psn = 1});
    cp(t, TALK_CLOSE, forth, UET_CTL_CLOSE_COMMAND, t->start + 9, 0);
    ack(t, TALK_CLOSED, (struct line){.back = true}, (struct says){.cack = 9, .psn = 9});
}

/* The next PDC with the same IPDCID, and two that never come to be. */
static void write_again(struct talk *t)
{
    struct talk saved = {.start = t->start, .ipdcid = t->ipdcid, .tpdcid = t->tpdcid};
    struct line l = {
        .message_id = 1, .length = 16, .bytes = 16, .ar = true, .som = true, .eom = true};
    t->start = t->start2;
    t->tpdcid = t->tpdcid2;
    request(t, TALK_SYN_AGAIN, l, UET_OP_SEND, true);
    struct says a = {.next_hdr = UET_NH_RESPONSE, .message_id = 1};
    ack(t, TALK_ACK_AGAIN, (struct line){.back = true}, a);
    cp(t, TALK_PROBE, (struct line){.entropy = 5}, UET_CTL_PROBE, 0, t->start);
    uet_cp_probe_opaque_set(talk_pds(&t->packet[TALK_PROBE]), 0xbeef);
    ack(t, TALK_PROBED, (struct line){.back = true, .entropy = 5}, (struct says){0});
    uet_ack_p_set(talk_pds(&t->packet[TALK_PROBED]), true);
    uet_ack_probe_opaque_set(talk_pds(&t->packet[TALK_PROBED]), 0xbeef);
    t->ipdcid = (uint16_t)(saved.ipdcid + 1);
    t->tpdcid = (uint16_t)(saved.tpdcid + 77);
    l.clear = 1;
    l.psn = 1;
    request(t, TALK_STRAY, l, UET_OP_SEND, false);
    nack(t, TALK_STRAY_NACK, (struct line){.back = true, .psn = 1}, UET_NACK_INV_DPDCID, 0,
         t->ipdcid);
    l.clear = l.psn = 0;
    t->ipdcid++;
    request(t, TALK_REFUSED, l, UET_OP_SEND, true);
    nack(t, TALK_REFUSED_NACK, (struct line){.back = true}, UET_NACK_NO_PDC_AVAIL, 0, t->ipdcid);
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
}

uint8_t *talk_pds(struct talk_packet *packet)
{
    bool ipv6 = (packet->frame[UET_ETH_BYTES] >> 4) == 6;
    return packet->frame + UET_ETH_BYTES + (ipv6 ? UET_IPV6_BYTES : UET_IPV4_BYTES) + UET_UDP_BYTES;
}

uint8_t *talk_ses(struct talk_packet *packet)
{
    uint8_t *pds = talk_pds(packet);
    return pds + (uet_pds_prologue_type(pds) == UET_PDS_ACK_CC ? UET_ACK_CC_BYTES : UET_ACK_BYTES);
}

void talk_mend(struct talk_packet *packet)
{
    uet_refresh(packet->frame, packet->len, UET_PROTECT_NONE);
}

bool talk_from_initiator(enum talk_name name)
{
    static const bool back[TALK_N] = {
        [TALK_ACK0] = true,          [TALK_ACK2] = true,       [TALK_ACKCC4] = true,
        [TALK_ACK3] = true,          [TALK_ACK5] = true,       [TALK_ACK5_AGAIN] = true,
        [TALK_ASK_CLEAR] = true,     [TALK_ACK6] = true,       [TALK_NACK7] = true,
        [TALK_ACK7] = true,          [TALK_ACK8] = true,       [TALK_RNOOP0] = true,
        [TALK_CLOSE_REQUEST] = true, [TALK_CLOSED] = true,     [TALK_ACK_AGAIN] = true,
        [TALK_PROBED] = true,        [TALK_STRAY_NACK] = true, [TALK_REFUSED_NACK] = true};
    return !back[name];
}
