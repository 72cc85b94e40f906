/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/uetcat/pinger.h"

#include <string.h>

void pinger_init(struct pinger *p, const struct pinger_config *config,
                 void (*event)(void *ctx, const struct pinger_event *event), void *ctx)
{
    *p = (struct pinger){.config = *config, .event = event, .ctx = ctx, .abandoned = true};
}

void pinger_open(struct pinger *p, uint64_t random)
{
    uint32_t seq = p->seq;
    pinger_init(p, &p->config, p->event, p->ctx);
    p->seq = seq;
    p->abandoned = false;
    p->spdcid = (uint16_t)(1 + (random & 0xffff) % 65535); /* 0 is reserved (3.5.10.3) */
    p->entropy = (uint16_t)(random >> 16);
    p->start_psn = (uint32_t)(random >> 32);
    p->next_psn = p->start_psn;
    p->cleared = p->return_psn = p->start_psn - 1; /* both directions start there (3.5.8.2) */
}

static struct pinger_slot *slot_of(struct pinger *p, uint32_t psn)
{
    return &p->slots[psn % PINGER_WINDOW];
}

/* Sent, and not yet covered by CLEAR_PSN. */
static bool outstanding(const struct pinger *p, uint32_t psn)
{
    return uet_psn_diff(psn, p->cleared) > 0 && uet_psn_diff(p->next_psn, psn) > 0;
}

bool pinger_idle(const struct pinger *p)
{
    return p->next_psn == p->cleared + 1;
}

bool pinger_ready(const struct pinger *p)
{
    return !p->abandoned && !p->must_close && !p->closing && !p->closed &&
           p->next_psn - p->cleared - 1 < PINGER_WINDOW;
}

/* ---- frames ---- */

static void start_frame(const struct pinger *p, struct uet_build *b, uint8_t *frame, size_t cap)
{
    struct uet_route route = {.src = p->config.src,
                              .dst = p->config.dst,
                              .entropy = p->entropy,
                              .ecn = UET_ECN_ECT0,
                              .native = p->config.native,
                              .ip_protocol = p->config.ip_protocol,
                              .crc_order = p->config.crc_order};
    uet_build_start(b, frame, cap, &route);
}

static size_t finish_frame(const struct pinger *p, struct uet_build *b)
{
    int n = uet_build_finish(b, p->config.protect, NULL);
    return n > 0 ? (size_t)n : 0;
}

static void put_no_op(const struct pinger *p, struct uet_build *b, uint16_t message_id)
{
    uint8_t *s = uet_build_ses(b, UET_H_SES_REQ_STD_SOM1);
    uet_ses_req_opcode_set(s, UET_OP_NO_OP);
    uet_ses_req_som_set(s, true); /* one packet (SES-027) */
    uet_ses_req_eom_set(s, true);
    uet_ses_req_rel_set(s, p->config.relative);
    uet_ses_req_std_message_id_set(s, message_id);
    uet_ses_req_job_id_set(s, p->config.job_id);
    uet_ses_req_pid_on_fep_set(s, p->config.pid_on_fep);
    uet_ses_req_resource_index_set(s, p->config.resource_index);
}

static size_t put_request(struct pinger *p, uint32_t psn, uint8_t *frame, size_t cap)
{
    const struct pinger_slot *slot = slot_of(p, psn);
    struct uet_build b;
    start_frame(p, &b, frame, cap);
    uint8_t *h = uet_build_pds(&b, UET_H_RUD_ROD_REQ);
    uet_rud_rod_req_type_set(h, UET_PDS_RUD_REQ);
    uet_rud_rod_req_next_hdr_set(h, UET_NH_REQUEST_STD);
    uet_rud_rod_req_ar_set(h, true);
    uet_rud_rod_req_retx_set(h, slot->sends > 1);
    uet_rud_rod_req_clear_psn_offset_set(h, (int16_t)uet_psn_diff(p->cleared, psn));
    uet_rud_rod_req_psn_set(h, psn);
    uet_rud_rod_req_spdcid_set(h, p->spdcid);
    if (p->tpdcid) {
        uet_rud_rod_req_dpdcid_set(h, p->tpdcid);
    } else {
        uet_rud_rod_req_syn_set(h, true);
        uet_rud_rod_req_psn_offset_set(h, (uint16_t)(psn - p->start_psn));
    }
    put_no_op(p, &b, slot->message_id);
    return finish_frame(p, &b);
}

size_t pinger_request(struct pinger *p, uint64_t now_ns, uint64_t timeout_ns, uint8_t *frame,
                      size_t cap)
{
    if (!pinger_ready(p))
        return 0;
    uint32_t psn = p->next_psn++;
    uint32_t seq = ++p->seq;
    *slot_of(p, psn) = (struct pinger_slot){
        .used = true,
        .sends = 1,
        .message_id = (uint16_t)(1 + (seq - 1) % 65535), /* 0 is not valid (3.4.1.14) */
        .seq = seq,
        .sent_ns = now_ns,
        .due_ns = now_ns + timeout_ns,
    };
    return put_request(p, psn, frame, cap);
}

static void tell(struct pinger *p, const struct pinger_event *event)
{
    p->event(p->ctx, event);
}

size_t pinger_resend(struct pinger *p, uint64_t now_ns, uint64_t timeout_ns, uint8_t *frame,
                     size_t cap)
{
    for (uint32_t psn = p->cleared + 1; !p->abandoned && psn != p->next_psn; psn++) {
        struct pinger_slot *slot = slot_of(p, psn);
        if (!slot->used || slot->answered || slot->due_ns > now_ns)
            continue;
        if (!slot->late)
            tell(p, &(struct pinger_event){PINGER_NO_ANSWER, .seq = slot->seq, .psn = psn});
        slot->late = true;
        slot->due_ns = now_ns + timeout_ns;
        slot->sends = slot->sends < UINT8_MAX ? (uint8_t)(slot->sends + 1) : UINT8_MAX;
        return put_request(p, psn, frame, cap);
    }
    return 0;
}

uint64_t pinger_due(const struct pinger *p)
{
    uint64_t due = UINT64_MAX;
    for (uint32_t psn = p->cleared + 1; !p->abandoned && psn != p->next_psn; psn++) {
        const struct pinger_slot *slot = &p->slots[psn % PINGER_WINDOW];
        if (slot->used && !slot->answered && slot->due_ns < due)
            due = slot->due_ns;
    }
    return due;
}

static size_t put_control(struct pinger *p, enum uet_pds_ctl_type type, uint32_t psn, bool ar,
                          bool retx, uint32_t payload, uint8_t *frame, size_t cap)
{
    struct uet_build b;
    start_frame(p, &b, frame, cap);
    uint8_t *h = uet_build_pds(&b, UET_H_CP);
    uet_cp_type_set(h, UET_PDS_CP);
    uet_cp_ctl_type_set(h, (uint8_t)type);
    uet_cp_ar_set(h, ar);
    uet_cp_retx_set(h, retx);
    uet_cp_psn_set(h, psn);
    uet_cp_spdcid_set(h, p->spdcid);
    uet_cp_dpdcid_set(h, p->tpdcid);
    uet_cp_payload_value_set(h, payload);
    return finish_frame(p, &b);
}

size_t pinger_close(struct pinger *p, uint8_t *frame, size_t cap)
{
    if (p->abandoned || p->closed || !p->tpdcid || (!p->closing && !pinger_idle(p)))
        return 0;
    bool again = p->closing;
    if (!again)
        p->close_psn = p->next_psn++; /* a Close Command takes a new PSN (3.5.16.4) */
    p->closing = true;
    return put_control(p, UET_CTL_CLOSE_COMMAND, p->close_psn, true, again, 0, frame, cap);
}

/* The ACK of a Control Packet carries no SES response (PDS-109). */
static size_t put_ack(struct pinger *p, uint8_t *frame, size_t cap)
{
    struct uet_build b;
    start_frame(p, &b, frame, cap);
    uint8_t *h = uet_build_pds(&b, UET_H_ACK);
    uet_ack_type_set(h, UET_PDS_ACK);
    uet_ack_next_hdr_set(h, UET_NH_NONE);
    uet_ack_cack_psn_set(h, p->return_psn);
    uet_ack_spdcid_set(h, p->spdcid);
    uet_ack_dpdcid_set(h, p->tpdcid);
    return finish_frame(p, &b);
}

size_t pinger_reply(struct pinger *p, uint8_t *frame, size_t cap)
{
    if (!p->tpdcid)
        return 0;
    if (p->must_ack) {
        p->must_ack = false;
        return put_ack(p, frame, cap);
    }
    if (p->must_clear) { /* takes no PSN (3.5.16.3.1) */
        p->must_clear = false;
        return put_control(p, UET_CTL_CLEAR_COMMAND, 0, false, false, p->cleared, frame, cap);
    }
    return 0;
}

/* ---- what comes ---- */

/* Moves CLEAR_PSN over what is acknowledged without a gap. */
static void advance_cleared(struct pinger *p)
{
    while (p->next_psn != p->cleared + 1 && slot_of(p, p->cleared + 1)->answered) {
        p->cleared++;
        *slot_of(p, p->cleared) = (struct pinger_slot){0};
    }
}

static void answered(struct pinger *p, uint32_t psn, const struct uet_packet *packet, bool named,
                     uint64_t now_ns)
{
    struct pinger_slot *slot = slot_of(p, psn);
    if (p->closing && psn == p->close_psn) {
        p->closed = true;
        return;
    }
    if (!outstanding(p, psn) || !slot->used || slot->answered)
        return;
    const uint8_t *ack = uet_pds(packet), *ses = uet_ses(packet);
    slot->answered = true;
    struct pinger_event e = {
        /* With more than one copy on its way nobody knows which one this answers, except that the
         * ACK of a first transmission has retx=0 (3.5.10.5). */
        .kind = slot->sends > 1 && uet_ack_retx(ack) ? PINGER_LATE : PINGER_ACK,
        .seq = slot->seq,
        .psn = psn,
        .rtt_ns = now_ns > slot->sent_ns ? now_ns - slot->sent_ns : 0,
        .ecn = uet_ecn(packet),
        .m = uet_ack_m(ack),
    };
    /* The response is that of ACK_PSN; what only CACK_PSN covers has the default (3.5.13). */
    e.has_response = named && uet_is_ses_response(packet);
    if (e.has_response) {
        e.rsp_opcode = uet_ses_rsp_opcode(ses);
        e.return_code = uet_ses_rsp_return_code(ses);
    }
    tell(p, &e);
}

static void receive_ack(struct pinger *p, const struct uet_packet *packet, uint64_t now_ns)
{
    const uint8_t *h = uet_pds(packet);
    if (uet_ack_p(h)) /* the answer to a Probe, of which none was sent */
        return;
    uint32_t cack = uet_ack_cack_psn(h);
    answered(p, uet_packet_psn(packet), packet, true, now_ns);
    for (uint32_t psn = p->cleared + 1; psn != p->next_psn && uet_psn_diff(cack, psn) >= 0; psn++)
        answered(p, psn, packet, false, now_ns);
    advance_cleared(p);
    if (uet_ack_req(h) == UET_ACK_REQ_CLEAR)
        p->must_clear = true;
    if (uet_ack_req(h) == UET_ACK_REQ_CLOSE)
        p->must_close = true;
}

static void receive_nack(struct pinger *p, const struct uet_packet *packet)
{
    const uint8_t *h = uet_pds(packet);
    uint32_t psn = uet_nack_nack_psn(h);
    uint8_t code = uet_nack_nack_code(h), action = uet_nack_table[code].action;
    bool of_close = p->closing && psn == p->close_psn;
    if (uet_nack_nt(h) != UET_NACK_TYPE_RUD_ROD || !(of_close || outstanding(p, psn)))
        return; /* a NACK outside the window is ignored (3.5.12.7) */
    /* Only resending on the same PDC is in a pinger's power; all else means another PDC. */
    if (action != UET_ACTION_RETX)
        p->abandoned = true;
    if (of_close) {
        p->closed = p->abandoned;
        return;
    }
    struct pinger_slot *slot = slot_of(p, psn);
    tell(p, &(struct pinger_event){PINGER_NACK, .seq = slot->seq, .psn = psn, .nack_code = code,
                                   .ecn = uet_ecn(packet), .m = uet_nack_m(h)});
}

static void receive_control(struct pinger *p, const struct uet_packet *packet)
{
    const uint8_t *h = uet_pds(packet);
    uint8_t type = uet_cp_ctl_type(h);
    if (type == UET_CTL_CLEAR_REQUEST)
        p->must_clear = true;
    if (type != UET_CTL_CLOSE_REQUEST && type != UET_CTL_NOOP)
        return;
    /* These take a PSN of the return direction, which carries nothing else here. */
    uint32_t psn = uet_cp_psn(h);
    if (psn == p->return_psn + 1)
        p->return_psn = psn;
    if (uet_psn_diff(psn, p->return_psn) > 0)
        return; /* one before it is missing: it will come again */
    p->must_ack |= uet_cp_ar(h);
    p->must_close |= type == UET_CTL_CLOSE_REQUEST;
}

void pinger_receive(struct pinger *p, const struct uet_packet *packet, uint64_t now_ns)
{
    if (packet->error != UET_PARSE_OK || !packet->pds || !packet->ip_end || p->abandoned)
        return;
    struct uet_ip src = uet_src_ip(packet), dst = uet_dst_ip(packet);
    if (!uet_ip_equal(&src, &p->config.dst) || !uet_ip_equal(&dst, &p->config.src) ||
        uet_dpdcid(packet) != p->spdcid)
        return;
    uint16_t spdcid = uet_spdcid(packet);
    if (p->tpdcid && spdcid != p->tpdcid && !(uet_is_nack(packet) && spdcid == 0))
        return;
    /* The TPDCID is learnt from the first ACK, or a NACK that has one (3.5.8.2). */
    if (!p->tpdcid && (uet_is_ack(packet) || uet_is_nack(packet)))
        p->tpdcid = spdcid;
    if (uet_is_ack(packet))
        receive_ack(p, packet, now_ns);
    else if (uet_is_nack(packet))
        receive_nack(p, packet);
    else if (uet_is_cp(packet))
        receive_control(p, packet);
}
