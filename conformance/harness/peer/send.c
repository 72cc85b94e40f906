/* SPDX-License-Identifier: BSD-2-Clause */
/* Packets of the tester: built right, altered by tests, sent and recorded. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "conformance/harness/context/tc_internal.h"

struct uet_out uet_out_start(struct uet_tc *tc, struct uet_ip self, uint16_t entropy)
{
    const struct uet_dut *dut = tc->session->dut;

    return (struct uet_out){
        .protect = dut->protect,
        .route = {.src = self,
                  .dst = dut->address,
                  .entropy = entropy,
                  .udp_port = dut->udp_port,
                  .native = dut->native,
                  .ip_protocol = dut->ip_protocol,
                  .crc_order = uet_dut_order(dut),
                  .ecn = UET_ECN_ECT0},
    };
}

struct uet_out uet_out_on(struct uet_pdc *pdc)
{
    struct uet_out o = uet_out_start(pdc->tc, pdc->self, pdc->entropy);

    o.pdc = pdc;
    return o;
}

/* The next PSN, with syn and psn_offset while the FEP's PDCID is unknown (3.5.8.2). */
void uet_out_request(struct uet_out *o, uint8_t next_hdr)
{
    struct uet_pdc *pdc = o->pdc;
    bool syn = pdc->initiator && pdc->fep_pdcid == 0;

    o->psn = pdc->next_psn++;
    o->pds_len = UET_RUD_ROD_REQ_BYTES;
    uet_rud_rod_req_type_set(o->pds, pdc->rod ? UET_PDS_ROD_REQ : UET_PDS_RUD_REQ);
    uet_rud_rod_req_next_hdr_set(o->pds, next_hdr);
    uet_rud_rod_req_ar_set(o->pds, true);
    uet_rud_rod_req_clear_psn_offset_set(o->pds, (int16_t)uet_psn_diff(pdc->clear_psn, o->psn));
    uet_rud_rod_req_psn_set(o->pds, o->psn);
    uet_rud_rod_req_spdcid_set(o->pds, pdc->pdcid);
    if (syn) {
        uet_rud_rod_req_syn_set(o->pds, true);
        uet_rud_rod_req_psn_offset_set(o->pds, (uint16_t)((o->psn - pdc->start_psn) & 0xfff));
    } else {
        uet_rud_rod_req_dpdcid_set(o->pds, pdc->fep_pdcid);
    }
}

static uint16_t fresh_message_id(struct uet_tc *tc)
{
    if (++tc->next_message_id == 0)
        tc->next_message_id = 1; /* 0 is not valid (SES-030) */
    return tc->next_message_id;
}

/* What the three forms of a SES request share (3.4.2.1, 3.4.2.2). */
static void ses_common(uint8_t *h, uint8_t opcode, const struct uet_memory *m)
{
    uet_ses_req_opcode_set(h, opcode);
    uet_ses_req_som_set(h, true);
    uet_ses_req_eom_set(h, true);
    if (!m)
        return;
    uet_ses_req_rel_set(h, m->relative);
    uet_ses_req_ri_generation_set(h, m->ri_generation);
    uet_ses_req_job_id_set(h, m->job_id);
    uet_ses_req_pid_on_fep_set(h, m->pid_on_fep);
    uet_ses_req_resource_index_set(h, m->resource_index);
}

/* A READ asks for bytes and brings none (3.4.1.5.3). */
static void payload(struct uet_out *o, uint8_t opcode, const void *data, uint32_t n)
{
    o->payload = opcode == UET_OP_READ ? NULL : data;
    o->payload_len = opcode == UET_OP_READ ? 0 : n;
}

static bool has_key(uint8_t opcode)
{
    return opcode == UET_OP_WRITE || opcode == UET_OP_READ;
}

void uet_out_standard(struct uet_tc *tc, struct uet_out *o, uint8_t opcode,
                      const struct uet_memory *m, uint64_t offset, const void *data, uint32_t n)
{
    o->ses_len = UET_SES_REQ_STD_SOM1_BYTES;
    ses_common(o->ses, opcode, m);
    uet_ses_req_std_message_id_set(o->ses, fresh_message_id(tc));
    uet_ses_req_std_request_length_set(o->ses, n);
    uet_ses_req_buffer_offset_set(o->ses, offset);
    if (m && has_key(opcode))
        uet_ses_req_match_bits_or_memory_key_set(o->ses, m->key);
    payload(o, opcode, data, n);
}

static struct uet_out standard(struct uet_pdc *pdc, uint8_t opcode, const struct uet_memory *m,
                               uint64_t offset, const void *data, uint32_t n)
{
    struct uet_out o = uet_out_on(pdc);

    uet_out_request(&o, UET_NH_REQUEST_STD);
    uet_out_standard(pdc->tc, &o, opcode, m, offset, data, n);
    return o;
}

struct uet_out uet_no_op(struct uet_pdc *pdc)
{
    return standard(pdc, UET_OP_NO_OP, NULL, 0, NULL, 0);
}

struct uet_out uet_write(struct uet_pdc *pdc, const struct uet_memory *m, uint64_t offset,
                         const void *data, uint32_t n)
{
    return standard(pdc, UET_OP_WRITE, m, offset, data, n);
}

struct uet_out uet_read(struct uet_pdc *pdc, const struct uet_memory *m, uint64_t offset,
                        uint32_t n)
{
    return standard(pdc, UET_OP_READ, m, offset, NULL, n);
}

struct uet_out uet_send_message(struct uet_pdc *pdc, const struct uet_memory *m, const void *data,
                                uint32_t n)
{
    return standard(pdc, UET_OP_SEND, m, 0, data, n);
}

struct uet_out uet_small(struct uet_pdc *pdc, uint8_t opcode, const struct uet_memory *m,
                         uint64_t offset, const void *data, uint32_t n)
{
    struct uet_out o = uet_out_on(pdc);

    uet_out_request(&o, UET_NH_REQUEST_SMALL);
    o.ses_len = UET_SES_REQ_SMALL_BYTES;
    ses_common(o.ses, opcode, m);
    uet_ses_req_short_request_length_set(o.ses, (uint16_t)n);
    uet_ses_req_buffer_offset_set(o.ses, offset);
    payload(&o, opcode, data, n);
    return o;
}

struct uet_out uet_medium(struct uet_pdc *pdc, uint8_t opcode, const struct uet_memory *m,
                          uint64_t offset, const void *data, uint32_t n)
{
    struct uet_out o = uet_out_on(pdc);

    uet_out_request(&o, UET_NH_REQUEST_MEDIUM);
    o.ses_len = UET_SES_REQ_MEDIUM_RMA_BYTES;
    ses_common(o.ses, opcode, m);
    uet_ses_req_short_request_length_set(o.ses, (uint16_t)n);
    uet_ses_req_buffer_offset_set(o.ses, offset);
    if (m && has_key(opcode))
        uet_ses_req_match_bits_or_memory_key_set(o.ses, m->key);
    payload(&o, opcode, data, n);
    return o;
}

size_t uet_message(struct uet_pdc *pdc, uint8_t opcode, const struct uet_memory *m, uint64_t offset,
                   const void *data, uint32_t n, struct uet_out *out, size_t max)
{
    uint32_t mtu = pdc->tc->session->dut->payload_mtu, at = 0;
    uint16_t id = fresh_message_id(pdc->tc);
    size_t count = 0;

    do {
        uint32_t part = n - at < mtu ? n - at : mtu;
        if (count == max)
            uet_error(pdc->tc, "a message of %u bytes takes more than %zu packets", n, max);
        struct uet_out o =
            standard(pdc, opcode, m, offset, data ? (const uint8_t *)data + at : NULL, part);
        bool last = at + part == n;

        uet_rud_rod_req_ar_set(o.pds, last);
        uet_ses_req_std_message_id_set(o.ses, id);
        uet_ses_req_std_request_length_set(o.ses, n);
        uet_ses_req_som_set(o.ses, at == 0);
        uet_ses_req_eom_set(o.ses, last);
        if (at > 0) {
            uet_ses_req_std_payload_length_set(o.ses, (uint16_t)part);
            uet_ses_req_std_message_offset_set(o.ses, at);
        }
        out[count++] = o;
        at += part;
    } while (at < n);
    return count;
}

struct uet_out uet_cp(struct uet_pdc *pdc, uint8_t ctl_type)
{
    struct uet_out o = uet_out_on(pdc);
    uint8_t *h = o.pds;

    o.pds_len = UET_CP_BYTES;
    uet_cp_type_set(h, UET_PDS_CP);
    uet_cp_ctl_type_set(h, ctl_type);
    uet_cp_spdcid_set(h, pdc->pdcid);
    uet_cp_dpdcid_set(h, pdc->fep_pdcid);
    switch (ctl_type) {
    case UET_CTL_NEGOTIATION:
        o.pds_len = UET_CP_BYTES + 4; /* the element is 8 bytes (Table 3-69) */
        uet_cp_payload_negotiation_on_off_neg_type_set(h + 12, UET_NEG_PDS_NEG_ON_OFF);
        uet_cp_payload_negotiation_on_off_neg_length_set(h + 12, 2);
        uet_cp_payload_negotiation_on_off_feature_mask_set(h + 12, 1);
        /* fall through */
    case UET_CTL_NOOP:
    case UET_CTL_CLOSE_COMMAND:
    case UET_CTL_CLOSE_REQUEST:
        o.psn = pdc->next_psn++;
        uet_cp_psn_set(h, o.psn);
        uet_cp_ar_set(h, true);
        if (pdc->initiator && pdc->fep_pdcid == 0 && ctl_type != UET_CTL_CLOSE_COMMAND) {
            uet_cp_syn_set(h, true);
            uet_cp_psn_offset_set(h, (uint16_t)((o.psn - pdc->start_psn) & 0xfff));
        }
        break;
    case UET_CTL_ACK_REQUEST:
        uet_cp_ar_set(h, true);
        break;
    case UET_CTL_CLEAR_COMMAND:
        uet_cp_payload_clear_command_clear_psn_set(h + 12, pdc->clear_psn);
        break;
    default:
        break;
    }
    return o;
}

/* An ACK without CC state or SACK, or ACK_CC with NSCC state that tells nothing (3.5.10.3/4). */
static void ack_header(struct uet_out *o, const struct uet_in *in, uint32_t ack_psn)
{
    const struct uet_packet *p = &in->packet;
    struct uet_pdc *pdc = o->pdc;
    uint8_t *h = o->pds;

    o->pds_len = pdc->ack_cc ? UET_ACK_CC_BYTES : UET_ACK_BYTES;
    o->psn = ack_psn;
    o->route.entropy = uet_entropy(p); /* PDS-112 */
    uet_ack_type_set(h, pdc->ack_cc ? UET_PDS_ACK_CC : UET_PDS_ACK);
    uet_ack_m_set(h, uet_ecn(p) == UET_ECN_CE);
    uet_ack_cack_psn_set(h, pdc->cack);
    uet_ack_ack_psn_offset_set(h, (int16_t)uet_psn_diff(ack_psn, pdc->cack));
    uet_ack_spdcid_set(h, pdc->pdcid);
    uet_ack_dpdcid_set(h, pdc->fep_pdcid ? pdc->fep_pdcid : uet_spdcid(&in->packet));
    if (pdc->ack_cc) {
        uet_ack_cc_type_set(h, UET_CC_NSCC);
        uet_ack_cc_mpr_set(h, pdc->mpr);
        uet_ack_cc_state_nscc_ooo_count_set(h + UET_ACK_BYTES + 12, 0xffff); /* not calculated */
    }
}

void uet_out_respond(struct uet_out *o, const struct uet_in *in, uint8_t opcode, uint8_t list,
                     uint8_t return_code)
{
    const uint8_t *ses = uet_ses(&in->packet);

    o->ses_len = UET_SES_RSP_BYTES;
    uet_ses_rsp_list_set(o->ses, list);
    uet_ses_rsp_opcode_set(o->ses, opcode);
    uet_ses_rsp_return_code_set(o->ses, return_code);
    uet_ses_rsp_message_id_set(o->ses, uet_ses_message_id(&in->packet));
    uet_ses_rsp_job_id_set(o->ses, uet_ses_req_job_id(ses));
    if (return_code == UET_RC_OK)
        uet_ses_rsp_modified_length_set(o->ses, uet_ses_request_length(&in->packet));
}

static void respond(struct uet_out *o, const struct uet_in *in, uint8_t opcode, uint8_t list,
                    uint8_t return_code)
{
    uet_ack_next_hdr_set(o->pds, UET_NH_RESPONSE);
    uet_out_respond(o, in, opcode, list, return_code);
}

/* Read data gets the ACK of any Request, with a default response (3.4.4.2). */
static void respond_to_data(struct uet_out *o, const struct uet_packet *p)
{
    uet_ack_next_hdr_set(o->pds, UET_NH_RESPONSE);
    o->ses_len = UET_SES_RSP_BYTES;
    uet_ses_rsp_opcode_set(o->ses, UET_RSP_DEFAULT_RESPONSE);
    uet_ses_rsp_return_code_set(o->ses, UET_RC_OK);
    uet_ses_rsp_job_id_set(o->ses, uet_ses_rsp_job_id(uet_ses(p)));
}

struct uet_out uet_ack(struct uet_pdc *pdc, const struct uet_in *in)
{
    struct uet_out o = uet_out_on(pdc);
    const struct uet_packet *p = &in->packet;
    const uint8_t *h = uet_pds(p);

    ack_header(&o, in, uet_packet_psn(p));
    if (uet_is_cp(p)) {
        uet_ack_retx_set(o.pds, uet_cp_retx(h));
        if (uet_cp_ctl_type(h) == UET_CTL_PROBE) {
            uet_ack_p_set(o.pds, true);
            uet_ack_probe_opaque_set(o.pds, uet_cp_probe_opaque(h));
        }
        return o; /* next_hdr NONE (PDS-109) */
    }
    uet_ack_retx_set(o.pds, uet_rud_rod_req_retx(h));
    if (uet_is_ses_response_data(p))
        respond_to_data(&o, p);
    if (uet_is_ses_request(p))
        respond(&o, in, UET_RSP_DEFAULT_RESPONSE, UET_LIST_EXPECTED, UET_RC_OK);
    return o;
}

struct uet_out uet_ack_with(struct uet_pdc *pdc, const struct uet_in *in, uint8_t opcode,
                            uint8_t list, uint8_t return_code)
{
    struct uet_out o = uet_ack(pdc, in);

    if (!uet_is_ses_request(&in->packet))
        uet_error(pdc->tc, "the tester has no SES request to respond to");
    memset(o.ses, 0, sizeof(o.ses));
    respond(&o, in, opcode, list, return_code);
    return o;
}

struct uet_out uet_nack(struct uet_pdc *pdc, uint32_t psn, uint8_t code)
{
    struct uet_out o = uet_out_on(pdc);

    o.pds_len = UET_NACK_BYTES;
    o.psn = psn;
    uet_nack_type_set(o.pds, UET_PDS_NACK);
    uet_nack_nack_code_set(o.pds, code);
    uet_nack_nack_psn_set(o.pds, psn);
    uet_nack_spdcid_set(o.pds, pdc->pdcid);
    uet_nack_dpdcid_set(o.pds, pdc->fep_pdcid);
    return o;
}

/* What the test just said, in words, for the capture and for a failure's message. */
static void tell(struct uet_tc *tc, const struct uet_out *o, const uint8_t *frame, uint32_t len)
{
    const struct uet_dut *dut = tc->session->dut;
    uint64_t last_hop = uet_dut_dscp(dut, "dscp-trimmed-lasthop");
    const struct uet_parse_options options = {.protect = o->protect,
                                              .crc_order = o->route.crc_order,
                                              .lenient = true,
                                              .udp_port = dut->udp_port,
                                              .ip_protocol = dut->ip_protocol,
                                              .dscp_trimmed =
                                                  uet_dut_dscp(dut, "dscp-trimmed") | last_hop,
                                              .dscp_trimmed_lasthop = last_hop};
    struct uet_packet p;
    char line[UET_LINE_MAX];

    uet_parse(&p, frame, len, &options);
    uet_print_line(line, sizeof(line), &p);
    if (o->meant)
        uet_record_note(&tc->record, tc->record.n, o->meant);
    uet_record_note(&tc->record, tc->record.n, line);
    if (tc->in_body && tc->preamble == 0 && !tc->by_itself) {
        memcpy(tc->sent, line, sizeof(tc->sent));
        tc->sent_frame = tc->record.n;
        tc->asked[0] = '\0';
    }
}

static bool is_type(const struct uet_out *o, uint8_t type)
{
    return o->pds_len >= 2 && uet_pds_prologue_type(o->pds) == type;
}

/* What a packet does to its PDC on our side. */
static void note_sent(struct uet_tc *tc, const struct uet_out *o)
{
    struct uet_pdc *pdc = o->pdc;

    if (!pdc)
        return;
    if (is_type(o, UET_PDS_CP) && o->pds_len >= UET_CP_BYTES &&
        uet_cp_ctl_type(o->pds) == UET_CTL_CLOSE_COMMAND && pdc->initiator) {
        pdc->closing = true;
        pdc->close_psn = uet_cp_psn(o->pds);
    }
    if (is_type(o, UET_PDS_NACK) && o->pds_len >= UET_NACK_BYTES &&
        uet_nack_table[uet_nack_nack_code(o->pds)].nack_class == UET_CLASS_PDC_FATAL)
        pdc->auto_close = false; /* the FEP has no such PDC any more */
    uet_peer_sent(tc, o);
}

void uet_send(struct uet_tc *tc, const struct uet_out *o)
{
    uint8_t buffer[UET_FRAME_MAX];
    struct uet_build b;

    uet_limits_send(tc, o);
    uet_build_start(&b, buffer, sizeof(buffer), &o->route);
    memcpy(uet_build_header(&b, o->pds_len), o->pds, o->pds_len);
    memcpy(uet_build_header(&b, o->ses_len), o->ses, o->ses_len);
    uet_build_payload(&b, o->payload, o->payload_len);
    int len = uet_build_finish(&b, (enum uet_protect)o->protect, &o->wrong);
    if (len < 0)
        uet_error(tc, "the tester cannot build a packet of %u payload bytes", o->payload_len);
    if (o->trim_to)
        len = uet_trim(buffer, (size_t)len, o->trim_to, o->route.dscp);
    if (len < 0)
        uet_error(tc, "a packet cannot be trimmed to %u bytes", o->trim_to);
    if (o->pad && (size_t)len + o->pad <= sizeof(buffer)) {
        memset(buffer + len, 0xa5, o->pad);
        len += o->pad;
    }
    uet_tc_record_sent(tc, buffer, (uint32_t)len);
    tell(tc, o, buffer, (uint32_t)len);
    note_sent(tc, o);
    struct uet_frame frame = {.data = buffer, .len = (uint32_t)len};
    int n = uet_port_send(tc->session->port, &frame, 1);
    tc->unsettled = true;
    if (n < 0 && n != -EMSGSIZE)
        tc->port_broken = true;
    if (n != 1)
        uet_error(tc, "the port did not take a packet of %d bytes: %s", len,
                  n < 0 ? strerror(-n) : "it is full");
}

void uet_resend(struct uet_tc *tc, const struct uet_out *o)
{
    struct uet_out again = *o;

    if (is_type(o, UET_PDS_CP)) {
        uet_cp_retx_set(again.pds, true);
    } else if (is_type(o, UET_PDS_RUDI_REQ)) {
        uet_rudi_retx_set(again.pds, true);
    } else {
        uet_rud_rod_req_retx_set(again.pds, true);
        uet_rud_rod_req_ar_set(again.pds, true);
    }
    uet_send(tc, &again);
}
