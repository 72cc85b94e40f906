/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/uetcat/reader.h"

#include <string.h>

void reader_init(struct reader *r, const struct reader_config *config, uint8_t *into,
                 uint64_t random, uint64_t now_ns)
{
    uint32_t mtu = config->payload_mtu;
    *r = (struct reader){.config = *config, .into = into};
    r->spdcid = (uint16_t)(1 + (random & 0xffff) % 65535); /* 0 is reserved (3.5.10.3) */
    r->entropy = (uint16_t)(random >> 16);
    r->start_psn = (uint32_t)(random >> 32);
    r->return_psn = r->start_psn - 1; /* both directions start there (3.5.8.2) */
    r->n = config->length ? (uint32_t)(((uint64_t)config->length + mtu - 1) / mtu) : 1;
    r->quiet_ns = now_ns + config->wait_ns * config->tries;
}

static struct reader_slot *slot_of(struct reader *r, uint32_t i)
{
    return &r->slots[i % READER_WINDOW];
}

static uint32_t length_of(const struct reader *r, uint32_t i)
{
    uint32_t left = r->config.length - i * r->config.payload_mtu;
    return left < r->config.payload_mtu ? left : r->config.payload_mtu;
}

/* CLEAR_PSN: all before it are acknowledged (3.5.11.4.4). */
static uint32_t clear_psn(const struct reader *r)
{
    uint32_t i = r->first;
    while (i < r->next && r->slots[i % READER_WINDOW].acked)
        i++;
    return r->start_psn + i - 1;
}

/* ---- frames ---- */

static void start_frame(const struct reader *r, struct uet_build *b, uint8_t *frame, size_t cap)
{
    const struct uet_route route = {.src = r->config.src,
                                    .dst = r->config.dst,
                                    .entropy = r->entropy,
                                    .ecn = UET_ECN_ECT0,
                                    .native = r->config.native,
                                    .ip_protocol = r->config.ip_protocol,
                                    .crc_order = r->config.crc_order};
    uet_build_start(b, frame, cap, &route);
}

static size_t finish_frame(const struct reader *r, struct uet_build *b)
{
    int n = uet_build_finish(b, r->config.protect, NULL);
    return n > 0 ? (size_t)n : 0;
}

/* A part of the READ (SES-071, SES-072): no payload; the first packet has no place for a length. */
static void put_read(const struct reader *r, struct uet_build *b, uint32_t i)
{
    const struct reader_config *c = &r->config;
    uint8_t *s = uet_build_ses(b, i ? UET_H_SES_REQ_STD_SOM0 : UET_H_SES_REQ_STD_SOM1);
    uet_ses_req_opcode_set(s, UET_OP_READ);
    uet_ses_req_som_set(s, i == 0);
    uet_ses_req_eom_set(s, i + 1 == r->n);
    uet_ses_req_rel_set(s, c->relative);
    uet_ses_req_std_message_id_set(s, 1);
    uet_ses_req_job_id_set(s, c->job_id);
    uet_ses_req_pid_on_fep_set(s, c->pid_on_fep);
    uet_ses_req_resource_index_set(s, c->resource_index);
    uet_ses_req_buffer_offset_set(s, c->offset);
    uet_ses_req_initiator_set(s, c->initiator);
    uet_ses_req_match_bits_or_memory_key_set(s, c->key);
    uet_ses_req_std_request_length_set(s, c->length);
    if (i == 0)
        return;
    uet_ses_req_std_payload_length_set(s, (uint16_t)length_of(r, i));
    uet_ses_req_std_message_offset_set(s, i * c->payload_mtu);
}

static size_t put_request(struct reader *r, uint32_t i, uint64_t now_ns, uint8_t *frame, size_t cap)
{
    struct reader_slot *slot = slot_of(r, i);
    uint32_t psn = r->start_psn + i;
    struct uet_build b;
    start_frame(r, &b, frame, cap);
    uint8_t *h = uet_build_pds(&b, UET_H_RUD_ROD_REQ);
    uet_rud_rod_req_type_set(h, UET_PDS_RUD_REQ);
    uet_rud_rod_req_next_hdr_set(h, UET_NH_REQUEST_STD);
    uet_rud_rod_req_ar_set(h, true);
    uet_rud_rod_req_retx_set(h, slot->sends > 0);
    uet_rud_rod_req_clear_psn_offset_set(h, (int16_t)uet_psn_diff(clear_psn(r), psn));
    uet_rud_rod_req_psn_set(h, psn);
    uet_rud_rod_req_spdcid_set(h, r->spdcid);
    if (r->tpdcid) {
        uet_rud_rod_req_dpdcid_set(h, r->tpdcid);
    } else {
        uet_rud_rod_req_syn_set(h, true);
        uet_rud_rod_req_psn_offset_set(h, (uint16_t)i);
    }
    put_read(r, &b, i);
    slot->sends++;
    slot->due_ns = now_ns + r->config.wait_ns;
    return finish_frame(r, &b);
}

static size_t put_control(struct reader *r, enum uet_pds_ctl_type type, uint32_t psn, bool ar,
                          bool retx, uint32_t payload, uint8_t *frame, size_t cap)
{
    struct uet_build b;
    start_frame(r, &b, frame, cap);
    uint8_t *h = uet_build_pds(&b, UET_H_CP);
    uet_cp_type_set(h, UET_PDS_CP);
    uet_cp_ctl_type_set(h, (uint8_t)type);
    uet_cp_ar_set(h, ar);
    uet_cp_retx_set(h, retx);
    uet_cp_psn_set(h, psn);
    uet_cp_spdcid_set(h, r->spdcid);
    uet_cp_dpdcid_set(h, r->tpdcid);
    uet_cp_payload_value_set(h, payload);
    return finish_frame(r, &b);
}

/* Of read data with a default response (SES-082), of a Control Packet with none (PDS-109). */
static size_t put_ack(struct reader *r, uint8_t *frame, size_t cap)
{
    struct uet_build b;
    start_frame(r, &b, frame, cap);
    uint8_t *h = uet_build_pds(&b, UET_H_ACK);
    uet_ack_type_set(h, UET_PDS_ACK);
    uet_ack_next_hdr_set(h, r->ack_data ? UET_NH_RESPONSE : UET_NH_NONE);
    uet_ack_cack_psn_set(h, r->return_psn);
    uet_ack_ack_psn_offset_set(h, (int16_t)uet_psn_diff(r->ack_psn, r->return_psn));
    uet_ack_spdcid_set(h, r->spdcid);
    uet_ack_dpdcid_set(h, r->tpdcid);
    if (r->ack_data) {
        uint8_t *s = uet_build_ses(&b, UET_H_SES_RSP);
        uet_ses_rsp_opcode_set(s, UET_RSP_DEFAULT_RESPONSE);
        uet_ses_rsp_return_code_set(s, UET_RC_OK);
        uet_ses_rsp_message_id_set(s, 1);
        uet_ses_rsp_job_id_set(s, r->config.job_id);
    }
    return finish_frame(r, &b);
}

static size_t send_request(struct reader *r, uint64_t now_ns, uint8_t *frame, size_t cap)
{
    for (uint32_t i = r->first; i < r->next; i++) {
        struct reader_slot *slot = slot_of(r, i);
        if (slot->acked || slot->due_ns > now_ns)
            continue;
        if (slot->sends >= r->config.tries) {
            r->state = READER_SILENT;
            return 0;
        }
        return put_request(r, i, now_ns, frame, cap);
    }
    if (r->next == r->n || r->next - r->first == READER_WINDOW)
        return 0;
    *slot_of(r, r->next) = (struct reader_slot){0};
    return put_request(r, r->next++, now_ns, frame, cap);
}

size_t reader_send(struct reader *r, uint64_t now_ns, uint8_t *frame, size_t cap)
{
    if (r->must_ack) {
        r->must_ack = false;
        return put_ack(r, frame, cap);
    }
    if (r->must_clear && r->tpdcid) { /* takes no PSN (3.5.16.3.1) */
        r->must_clear = false;
        return put_control(r, UET_CTL_CLEAR_COMMAND, 0, false, false, clear_psn(r), frame, cap);
    }
    if (r->state == READER_BUSY && r->quiet_ns <= now_ns)
        r->state = READER_SILENT;
    return r->state == READER_BUSY ? send_request(r, now_ns, frame, cap) : 0;
}

uint64_t reader_due(const struct reader *r)
{
    uint64_t due = r->quiet_ns;
    for (uint32_t i = r->first; i < r->next; i++) {
        const struct reader_slot *slot = &r->slots[i % READER_WINDOW];
        if (!slot->acked && slot->due_ns < due)
            due = slot->due_ns;
    }
    return due;
}

size_t reader_close(struct reader *r, uint8_t *frame, size_t cap)
{
    bool again = r->closing;
    bool open = r->state == READER_DONE || (r->state == READER_REFUSED && r->first == r->next);
    if (r->closed || !r->tpdcid || !open)
        return 0;
    if (!again)
        r->close_psn = r->start_psn + r->next;
    r->closing = true;
    return put_control(r, UET_CTL_CLOSE_COMMAND, r->close_psn, true, again, 0, frame, cap);
}

/* ---- what comes ---- */

static void progress(struct reader *r, uint64_t now_ns)
{
    /* What was refused brings no data; only its ACKs are waited for. */
    bool refused = r->state == READER_REFUSED;
    while (r->first < r->next && slot_of(r, r->first)->acked &&
           (slot_of(r, r->first)->here || refused))
        r->first++;
    if (r->state == READER_BUSY && r->first == r->n)
        r->state = READER_DONE;
    r->quiet_ns = now_ns + r->config.wait_ns * r->config.tries;
}

/* The request that the data answers, r->next when none: all that it says must be so. */
static uint32_t asked_for(const struct reader *r, const struct uet_packet *p)
{
    const uint8_t *s = uet_ses(p);
    if (p->ses != UET_H_SES_RSP_DATA || uet_ses_rsp_data_read_request_message_id(s) != 1 ||
        uet_ses_rsp_return_code(s) != UET_RC_OK || uet_ses_rsp_job_id(s) != r->config.job_id ||
        uet_ses_rsp_data_modified_length(s) != r->config.length)
        return r->next;
    uint32_t offset = uet_ses_rsp_data_message_offset(s),
             length = uet_ses_rsp_data_payload_length(s);
    uint32_t i = offset / r->config.payload_mtu;
    bool right = offset % r->config.payload_mtu == 0 && i >= r->first && i < r->next &&
                 length == length_of(r, i) && length <= p->payload_len;
    return right ? i : r->next;
}

static bool take_data(struct reader *r, const struct uet_packet *p)
{
    uint32_t i = asked_for(r, p);
    if (i == r->next)
        return false;
    if (!slot_of(r, i)->here && length_of(r, i))
        memcpy(r->into + (size_t)i * r->config.payload_mtu, p->frame + p->payload_offset,
               length_of(r, i));
    slot_of(r, i)->here = true;
    return true;
}

static void refuse(struct reader *r, uint8_t code)
{
    if (r->state != READER_BUSY || code == UET_RC_OK || code == UET_RC_NULL)
        return;
    r->state = READER_REFUSED;
    r->return_code = code;
}

static void acked(struct reader *r, uint32_t psn)
{
    uint32_t i = psn - r->start_psn;
    if (r->closing && psn == r->close_psn)
        r->closed = true;
    if (i < r->first || i >= r->next)
        return;
    slot_of(r, i)->acked = true;
    if (!r->config.length)
        slot_of(r, i)->here = true; /* nothing to come */
}

static void receive_ack(struct reader *r, const struct uet_packet *p)
{
    const uint8_t *h = uet_pds(p);
    if (uet_ack_p(h)) /* the answer to a Probe, of which none was sent */
        return;
    uint32_t cack = uet_ack_cack_psn(h), psn = uet_packet_psn(p);
    bool good = true;
    if (uet_is_ses_response_data(p))
        good = take_data(r, p);
    else if (uet_is_ses_response(p))
        refuse(r, uet_ses_rsp_return_code(uet_ses(p)));
    if (good)
        acked(r, psn);
    for (uint32_t i = r->first; i < r->next && uet_psn_diff(cack, r->start_psn + i) >= 0; i++)
        acked(r, r->start_psn + i);
    r->must_clear |= uet_ack_req(h) == UET_ACK_REQ_CLEAR;
}

static void receive_nack(struct reader *r, const struct uet_packet *p, uint64_t now_ns)
{
    const uint8_t *h = uet_pds(p);
    uint8_t code = uet_nack_nack_code(h);
    uint32_t psn = uet_nack_nack_psn(h), i = psn - r->start_psn;
    if (r->closing && psn == r->close_psn) {
        r->closed = uet_nack_table[code].nack_class == UET_CLASS_PDC_FATAL;
        return;
    }
    if (uet_nack_nt(h) != UET_NACK_TYPE_RUD_ROD || i < r->first || i >= r->next)
        return; /* a NACK outside the window is ignored (3.5.12.7) */
    if (uet_nack_table[code].action == UET_ACTION_RETX) {
        slot_of(r, i)->acked = false;
        slot_of(r, i)->due_ns = now_ns + r->config.wait_ns / 10;
    } else if (r->state == READER_BUSY) {
        r->state = READER_NACKED;
        r->nack_code = code;
    }
}

/* A PSN of the return direction: is it in sight, and is it new? */
static bool return_psn(struct reader *r, uint32_t psn, bool *new)
{
    int32_t at = uet_psn_diff(psn, r->return_psn) - 1;
    *new = at >= 0 && !(at < (int32_t)READER_AHEAD && r->ahead >> at & 1);
    if (at >= (int32_t)READER_AHEAD)
        return false;
    if (at >= 0)
        r->ahead |= UINT64_C(1) << at;
    for (; r->ahead & 1; r->ahead >>= 1)
        r->return_psn++;
    r->ack_psn = psn;
    return true;
}

static void receive_request(struct reader *r, const struct uet_packet *p)
{
    bool new;
    if (!uet_is_ses_response_data(p) || uet_has_syn(p) || !return_psn(r, uet_packet_psn(p), &new))
        return;
    if (new)
        (void)take_data(r, p);
    r->must_ack = r->ack_data = true;
}

static void receive_control(struct reader *r, const struct uet_packet *p)
{
    const uint8_t *h = uet_pds(p);
    uint8_t type = uet_cp_ctl_type(h);
    bool new;
    r->must_clear |= type == UET_CTL_CLEAR_REQUEST;
    if ((type != UET_CTL_CLOSE_REQUEST && type != UET_CTL_NOOP) ||
        !return_psn(r, uet_cp_psn(h), &new))
        return;
    r->must_ack = true; /* a Close Request is met when the message has ended (PDS-208) */
    r->ack_data = false;
}

void reader_receive(struct reader *r, const struct uet_packet *p, uint64_t now_ns)
{
    if (p->error != UET_PARSE_OK || !p->pds || !p->ip_end)
        return;
    struct uet_ip src = uet_src_ip(p), dst = uet_dst_ip(p);
    if (!uet_ip_equal(&src, &r->config.dst) || !uet_ip_equal(&dst, &r->config.src) ||
        uet_dpdcid(p) != r->spdcid)
        return;
    uint16_t spdcid = uet_spdcid(p);
    if (r->tpdcid && spdcid != r->tpdcid && !(uet_is_nack(p) && spdcid == 0))
        return;
    /* The TPDCID is learnt from the first ACK, or a NACK that has one (3.5.8.2). */
    if (!r->tpdcid && (uet_is_ack(p) || uet_is_nack(p)))
        r->tpdcid = spdcid;
    if (!r->tpdcid && !uet_is_nack(p))
        return;
    if (uet_is_ack(p))
        receive_ack(r, p);
    else if (uet_is_nack(p))
        receive_nack(r, p, now_ns);
    else if (uet_is_request(p))
        receive_request(r, p);
    else if (uet_is_cp(p))
        receive_control(r, p);
    progress(r, now_ns);
}
