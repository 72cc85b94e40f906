/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads: data in ACKs, in Requests of the return direction, in RUDI Responses (3.4.4.2, 3.5.12.1).
 */
#include "track/tests/talk_lines.h"

/* One Request of a READ; with som it does not tell how much it asks for. */
static void read_request(struct talk *t, enum talk_name name, struct talk_line l, bool syn)
{
    uint16_t asks = l.bytes;
    l.bytes = 0; /* no payload */
    talk_request(t, name, l, UET_OP_READ, syn);
    if (l.som)
        return;
    uet_ses_req_std_payload_length_set(talk_ses(&t->packet[name]), asks);
    talk_mend(&t->packet[name]);
}

/* A READ that a small or medium header asks for. */
static void short_read(struct talk *t, enum talk_name name, struct talk_line l, bool medium)
{
    struct uet_build b;
    l.som = l.eom = l.ar = true;
    talk_start(t, &b, &t->packet[name], &l);
    uint8_t *h = uet_build_pds(&b, UET_H_RUD_ROD_REQ);
    talk_fill_request(t, h, &l, medium ? UET_NH_REQUEST_MEDIUM : UET_NH_REQUEST_SMALL);
    uint8_t *s = uet_build_ses(&b, medium ? UET_H_SES_REQ_MEDIUM_RMA : UET_H_SES_REQ_SMALL);
    uet_ses_req_opcode_set(s, UET_OP_READ);
    talk_fill_address(s, &l);
    uet_ses_req_short_request_length_set(s, (uint16_t)l.length);
    if (medium)
        uet_ses_req_match_bits_or_memory_key_set(s, TALK_KEY);
    talk_finish(&b, &t->packet[name]);
}

/* What data say: of the message l.message_id, or with id 0 of the Request with PSN S + l.clear. */
static void fill_data(const struct talk *t, struct uet_build *b, const struct talk_line *l)
{
    uint8_t *s = uet_build_ses(b, l->message_id ? UET_H_SES_RSP_DATA : UET_H_SES_RSP_DATA_SMALL);
    uet_ses_rsp_opcode_set(s, UET_RSP_RESPONSE_W_DATA);
    uet_ses_rsp_return_code_set(s, UET_RC_OK);
    uet_ses_rsp_job_id_set(s, TALK_JOB);
    if (l->message_id) {
        uet_ses_rsp_data_read_request_message_id_set(s, l->message_id);
        uet_ses_rsp_data_payload_length_set(s, l->bytes);
        uet_ses_rsp_data_modified_length_set(s, l->length);
        uet_ses_rsp_data_message_offset_set(s, l->offset);
    } else {
        uet_ses_rsp_data_small_payload_length_set(s, l->bytes);
        uet_ses_rsp_data_small_original_request_psn_set(s, t->start + l->clear);
    }
    uet_build_payload(b, talk_payload, l->bytes);
}

static uint8_t next_of(const struct talk_line *l)
{
    return l->message_id ? UET_NH_RESPONSE_DATA : UET_NH_RESPONSE_DATA_SMALL;
}

/* An ACK with data: guaranteed, so CACK_PSN waits for the clear (3.5.12.1). */
static void data_ack(struct talk *t, enum talk_name name, struct talk_line l, uint32_t psn)
{
    struct uet_build b;
    const struct talk_says a = {
        .cack = psn - 1, .psn = psn, .req = UET_ACK_REQ_CLEAR, .next_hdr = next_of(&l)};
    l.back = true;
    l.clear = psn;
    talk_start(t, &b, &t->packet[name], &l);
    talk_fill_ack(t, uet_build_pds(&b, UET_H_ACK), &l, &a);
    fill_data(t, &b, &l);
    talk_finish(&b, &t->packet[name]);
}

/* Data in a Request of the return direction. */
static void data_request(struct talk *t, enum talk_name name, struct talk_line l)
{
    struct uet_build b;
    l.back = true;
    talk_start(t, &b, &t->packet[name], &l);
    uint8_t *h = uet_build_pds(&b, UET_H_RUD_ROD_REQ);
    talk_fill_request(t, h, &l, next_of(&l));
    uet_rud_rod_req_clear_psn_offset_set(h, (int16_t)(-1 - (int32_t)l.psn));
    uet_rud_rod_req_spdcid_set(h, t->tpdcid);
    uet_rud_rod_req_dpdcid_set(h, t->ipdcid);
    fill_data(t, &b, &l);
    talk_finish(&b, &t->packet[name]);
}

static const struct talk_line back = {.back = true};

void talk_rod_reads(struct talk *t)
{
    struct talk_line l = {.type = UET_PDS_ROD_REQ,
                          .psn = 3,
                          .clear = 3,
                          .ar = true,
                          .message_id = 4,
                          .length = 8,
                          .som = true,
                          .eom = true};
    read_request(t, TALK_ROD_READ3, l, false);
    data_ack(t, TALK_ROD_ACK3, (struct talk_line){.message_id = 4, .length = 8, .bytes = 8}, 3);
    l = (struct talk_line){.type = UET_PDS_ROD_REQ,
                           .psn = 4,
                           .clear = 3,
                           .message_id = 5,
                           .length = 2048,
                           .som = true};
    read_request(t, TALK_ROD_READ4, l, false);
    l.psn = 5;
    l.offset = l.bytes = 1024;
    l.som = false;
    l.eom = l.ar = true;
    read_request(t, TALK_ROD_READ5, l, false);
    talk_cp(t, TALK_ROD_CLEAR3, (struct talk_line){0}, UET_CTL_CLEAR_COMMAND, 0, t->start + 3);
    struct talk_says a = {.cack = 5,
                          .psn = 5,
                          .next_hdr = UET_NH_RESPONSE,
                          .opcode = UET_RSP_RESPONSE,
                          .message_id = 5};
    talk_ack(t, TALK_ROD_ACK5, back, a);
    l = (struct talk_line){.type = UET_PDS_ROD_REQ, .message_id = 5, .length = 2048, .bytes = 1024};
    data_request(t, TALK_ROD_DATA0, l);
    l.psn = 1;
    l.offset = 1024;
    l.ar = true;
    data_request(t, TALK_ROD_DATA1, l);
    talk_ack(t, TALK_ROD_RACK1, (struct talk_line){0}, (struct talk_says){.cack = 1, .psn = 1});
    talk_cp(t, TALK_ROD_CLOSE, (struct talk_line){.ar = true}, UET_CTL_CLOSE_COMMAND, t->start + 6,
            0);
    talk_ack(t, TALK_ROD_CLOSED, back, (struct talk_says){.cack = 6, .psn = 6});
}

/* A READ of three Requests, and its data. */
static void read_in_three(struct talk *t)
{
    struct talk_line l = {.message_id = 1, .length = 2560, .som = true};
    read_request(t, TALK_READ_SYN0, l, true);
    struct talk_says a = {
        .next_hdr = UET_NH_RESPONSE, .opcode = UET_RSP_RESPONSE, .message_id = 1, .cc = true};
    talk_ack(t, TALK_READ_ACK0, back, a);
    l = (struct talk_line){
        .psn = 1, .clear = 1, .message_id = 1, .length = 2560, .offset = 1024, .bytes = 1024};
    read_request(t, TALK_READ_REQ1, l, false);
    l.psn = 2;
    l.offset = 2048;
    l.bytes = 512;
    l.eom = l.ar = true;
    read_request(t, TALK_READ_REQ2, l, false);
    a = (struct talk_says){.cack = 2, .psn = 2, .next_hdr = UET_NH_RESPONSE, .message_id = 1};
    talk_ack(t, TALK_READ_ACK2, back, a);
    l = (struct talk_line){.message_id = 1, .length = 2560, .bytes = 1024};
    data_request(t, TALK_READ_DATA0, l);
    l.psn = 1;
    l.offset = 1024;
    data_request(t, TALK_READ_DATA1, l);
    struct talk_line last = {
        .psn = 2, .message_id = 1, .length = 2560, .offset = 2048, .bytes = 512, .ar = true};
    data_request(t, TALK_READ_DATA2, last);
    a = (struct talk_says){.psn = 2, .next_hdr = UET_NH_RESPONSE, .cc = true, .sack = 1};
    a.modified_length = 2560; /* RC_OK for data speaks of the whole READ (SES-082) */
    talk_ack(t, TALK_READ_RACK2, (struct talk_line){0}, a);
    l.retx = l.ar = true;
    l.entropy = 2;
    data_request(t, TALK_READ_DATA1_RETX, l);
    a = (struct talk_says){
        .cack = 2, .psn = 1, .next_hdr = UET_NH_RESPONSE, .modified_length = 2560};
    talk_ack(t, TALK_READ_RACK1, (struct talk_line){.retx = true, .entropy = 2}, a);
}

/* Data in an ACK that is lost: an ACK Request gets no second one, so the READ is sent again. */
static void read_in_ack(struct talk *t)
{
    struct talk_line l = {.psn = 3, .clear = 3, .length = 8};
    short_read(t, TALK_READ_SMALL3, l, false);
    data_ack(t, TALK_READ_ACK3, (struct talk_line){.bytes = 8}, 3);
    talk_cp(t, TALK_READ_ASK3, (struct talk_line){.ar = true}, UET_CTL_ACK_REQUEST, t->start + 3,
            0);
    talk_nack(t, TALK_READ_NACK3, (struct talk_line){.back = true, .psn = 3},
              UET_NACK_ACK_WITH_DATA, t->tpdcid, t->ipdcid);
    l.retx = true;
    short_read(t, TALK_READ_SMALL3_RETX, l, false);
    data_ack(t, TALK_READ_ACK3_AGAIN, (struct talk_line){.bytes = 8, .retx = true}, 3);
    talk_cp(t, TALK_READ_CLEAR3, (struct talk_line){0}, UET_CTL_CLEAR_COMMAND, 0, t->start + 3);
}

static void read_refused(struct talk *t)
{
    struct talk_line l = {
        .psn = 4, .clear = 4, .ar = true, .message_id = 2, .length = 64, .som = true, .eom = true};
    read_request(t, TALK_READ_BAD4, l, false);
    struct talk_says a = {.cack = 3,
                          .psn = 4,
                          .req = UET_ACK_REQ_CLEAR,
                          .next_hdr = UET_NH_RESPONSE,
                          .opcode = UET_RSP_RESPONSE,
                          .return_code = UET_RC_BAD_MKEY,
                          .message_id = 2};
    talk_ack(t, TALK_READ_ACK4, back, a);
    talk_cp(t, TALK_READ_CLEAR4, (struct talk_line){0}, UET_CTL_CLEAR_COMMAND, 0, t->start + 4);
}

/* Data that a switch cuts. */
static void read_trimmed(struct talk *t)
{
    short_read(t, TALK_READ_MEDIUM5, (struct talk_line){.psn = 5, .clear = 5, .length = 600}, true);
    struct talk_says a = {.cack = 5, .psn = 5, .next_hdr = UET_NH_RESPONSE};
    talk_ack(t, TALK_READ_ACK5, back, a);
    struct talk_line l = {
        .psn = 3, .clear = 5, .ar = true, .bytes = 600, .entropy = 3, .dscp = TALK_DSCP_TRIMMED};
    data_request(t, TALK_READ_DATA5, l);
    talk_trim(&t->packet[TALK_READ_DATA5], 600);
    talk_nack(t, TALK_READ_RNACK5, (struct talk_line){.psn = 3, .entropy = 3}, UET_NACK_TRIMMED,
              t->ipdcid, t->tpdcid);
    l.retx = true;
    l.dscp = 0;
    data_request(t, TALK_READ_DATA5_RETX, l);
    a = (struct talk_says){.cack = 3, .psn = 3, .next_hdr = UET_NH_RESPONSE};
    talk_ack(t, TALK_READ_RACK5, (struct talk_line){.retx = true, .entropy = 3}, a);
}

void talk_write_reads(struct talk *t)
{
    read_in_three(t);
    read_in_ack(t);
    read_refused(t);
    read_trimmed(t);
    talk_cp(t, TALK_READ_CLOSE, (struct talk_line){.ar = true}, UET_CTL_CLOSE_COMMAND, t->start + 6,
            0);
    talk_ack(t, TALK_READ_CLOSED, back, (struct talk_says){.cack = 6, .psn = 6});
}

void talk_rudi_read(struct talk *t)
{
    struct uet_build b;
    struct talk_line l = {.message_id = 103, .length = 16, .som = true, .eom = true};
    talk_start(t, &b, &t->packet[TALK_RUDI_READ4], &l);
    uint8_t *h = uet_build_pds(&b, UET_H_RUDI_REQ);
    uet_rudi_type_set(h, UET_PDS_RUDI_REQ);
    uet_rudi_next_hdr_set(h, UET_NH_REQUEST_STD);
    uet_rudi_pkt_id_set(h, t->start + 3);
    uint8_t *s = uet_build_ses(&b, UET_H_SES_REQ_STD_SOM1);
    uet_ses_req_opcode_set(s, UET_OP_READ);
    talk_fill_address(s, &l);
    uet_ses_req_std_message_id_set(s, l.message_id);
    uet_ses_req_match_bits_or_memory_key_set(s, TALK_KEY);
    uet_ses_req_std_request_length_set(s, l.length);
    talk_finish(&b, &t->packet[TALK_RUDI_READ4]);

    l = (struct talk_line){.back = true, .message_id = 103, .length = 16, .bytes = 16};
    talk_start(t, &b, &t->packet[TALK_RUDI_DATA4], &l);
    h = uet_build_pds(&b, UET_H_RUDI_RESP);
    uet_rudi_type_set(h, UET_PDS_RUDI_RESP);
    uet_rudi_next_hdr_set(h, UET_NH_RESPONSE_DATA);
    uet_rudi_pkt_id_set(h, t->start + 3);
    fill_data(t, &b, &l);
    talk_finish(&b, &t->packet[TALK_RUDI_DATA4]);
}
