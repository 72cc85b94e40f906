/* SPDX-License-Identifier: BSD-2-Clause */
/* The packets of golden_bytes.h made with the builder. */
#include "wire/tests/golden_build.h"

#include "wire/build.h"

/* The two FEPs of every packet here, their PDCIDs and the entropy value. */
static struct uet_route route(uint8_t version, bool reply, uint8_t dscp, uint8_t ecn)
{
    static const struct uet_ip v4[2] = {{4, {192, 0, 2, 1}}, {4, {192, 0, 2, 2}}};
    static const struct uet_ip v6[2] = {
        {6, {0x20, 0x01, 0x0d, 0xb8, [15] = 1}},
        {6, {0x20, 0x01, 0x0d, 0xb8, [15] = 2}},
    };
    const struct uet_ip *ip = version == 4 ? v4 : v6;
    return (struct uet_route){
        .src = ip[reply], .dst = ip[!reply], .entropy = 0x4242, .dscp = dscp, .ecn = ecn};
}

static uint8_t *request(struct uet_build *b, enum uet_pds_next_hdr next, uint32_t psn, bool ar)
{
    uint8_t *h = uet_build_pds(b, UET_H_RUD_ROD_REQ);
    uet_rud_rod_req_type_set(h, UET_PDS_RUD_REQ);
    uet_rud_rod_req_next_hdr_set(h, (uint8_t)next);
    uet_rud_rod_req_ar_set(h, ar);
    uet_rud_rod_req_psn_set(h, psn);
    uet_rud_rod_req_spdcid_set(h, 0x1001);
    uet_rud_rod_req_dpdcid_set(h, 0x2001);
    return h;
}

static uint8_t *ses(struct uet_build *b, enum uet_header_id id, enum uet_ses_req_opcode opcode,
                    bool som, bool eom)
{
    uint8_t *s = uet_build_ses(b, id);
    uet_ses_req_opcode_set(s, (uint8_t)opcode);
    uet_ses_req_som_set(s, som);
    uet_ses_req_eom_set(s, eom);
    return s;
}

static void address(uint8_t *s, uint32_t job, uint16_t pid, uint16_t ri)
{
    uet_ses_req_job_id_set(s, job);
    uet_ses_req_pid_on_fep_set(s, pid);
    uet_ses_req_resource_index_set(s, ri);
}

static uint8_t *ack(struct uet_build *b, enum uet_header_id id, enum uet_pds_type type,
                    enum uet_pds_next_hdr next, uint32_t cack)
{
    uint8_t *h = uet_build_pds(b, id);
    uet_ack_type_set(h, (uint8_t)type);
    uet_ack_next_hdr_set(h, (uint8_t)next);
    uet_ack_cack_psn_set(h, cack);
    uet_ack_spdcid_set(h, 0x2001);
    uet_ack_dpdcid_set(h, 0x1001);
    return h;
}

static void response(struct uet_build *b, enum uet_ses_rsp_opcode opcode,
                     enum uet_ses_return_code code, uint32_t modified)
{
    uint8_t *s = uet_build_ses(b, UET_H_SES_RSP);
    uet_ses_rsp_opcode_set(s, (uint8_t)opcode);
    uet_ses_rsp_return_code_set(s, (uint8_t)code);
    uet_ses_rsp_message_id_set(s, 7);
    uet_ses_rsp_job_id_set(s, 1);
    uet_ses_rsp_modified_length_set(s, modified);
    if (opcode == UET_RSP_NO_RESPONSE) { /* the one with the rarer fields */
        uet_ses_rsp_list_set(s, UET_LIST_OVERFLOW);
        uet_ses_rsp_ri_generation_set(s, 4);
    }
}

static uint8_t *control(struct uet_build *b, enum uet_pds_ctl_type type, bool ar, uint32_t psn)
{
    uint8_t *h = uet_build_pds(b, UET_H_CP);
    uet_cp_type_set(h, UET_PDS_CP);
    uet_cp_ctl_type_set(h, (uint8_t)type);
    uet_cp_ar_set(h, ar);
    uet_cp_psn_set(h, psn);
    uet_cp_spdcid_set(h, 0x1001);
    uet_cp_dpdcid_set(h, 0x2001);
    return h;
}

int build_syn_write(uint8_t *out, size_t cap)
{
    struct uet_build b;
    struct uet_route r = route(4, false, 0, UET_ECN_ECT0);
    uet_build_start(&b, out, cap, &r);
    uint8_t *h = request(&b, UET_NH_REQUEST_STD, 0x12345678, true);
    uet_rud_rod_req_syn_set(h, true);
    uet_rud_rod_req_dpdcid_set(h, 0);
    uint8_t *s = ses(&b, UET_H_SES_REQ_STD_SOM1, UET_OP_WRITE, true, true);
    uet_ses_req_dc_set(s, true);
    uet_ses_req_std_message_id_set(s, 7);
    address(s, 1, 3, 5);
    uet_ses_req_buffer_offset_set(s, 64);
    uet_ses_req_initiator_set(s, 42);
    uet_ses_req_match_bits_or_memory_key_set(s, 0xdeadbeef);
    uet_ses_req_std_request_length_set(s, 4);
    uet_build_payload(&b, "ping", 4);
    return uet_build_finish(&b, UET_PROTECT_NONE, NULL);
}

int build_small_send(uint8_t *out, size_t cap)
{
    struct uet_build b;
    struct uet_route r = route(4, false, 0, UET_ECN_ECT0);
    uet_build_start(&b, out, cap, &r);
    uet_rud_rod_req_clear_psn_offset_set(request(&b, UET_NH_REQUEST_SMALL, 0x12345679, true), -1);
    uint8_t *s = ses(&b, UET_H_SES_REQ_SMALL, UET_OP_SEND, true, true);
    uet_ses_req_short_request_length_set(s, 3);
    uet_ses_req_ri_generation_set(s, 2);
    address(s, 0xffffff, 0xfff, 0xffe);
    uet_build_payload(&b, "abc", 3);
    return uet_build_finish(&b, UET_PROTECT_CRC, NULL);
}

int build_medium_rma(uint8_t *out, size_t cap)
{
    struct uet_build b;
    struct uet_route r = route(6, false, 0, UET_ECN_ECT0);
    uet_build_start(&b, out, cap, &r);
    uet_rud_rod_req_clear_psn_offset_set(request(&b, UET_NH_REQUEST_MEDIUM, 1, false), -2);
    uint8_t *s = ses(&b, UET_H_SES_REQ_MEDIUM_RMA, UET_OP_WRITE, true, true);
    uet_ses_req_rel_set(s, true);
    uet_ses_req_short_request_length_set(s, 2);
    address(s, 1, 3, 5);
    uet_ses_req_buffer_offset_set(s, 0x1122334455667788);
    uet_ses_req_initiator_set(s, 1);
    uet_ses_req_match_bits_or_memory_key_set(s, 0x0123456789abcdef);
    uet_build_payload(&b, "\xaa\x55", 2);
    return uet_build_finish(&b, UET_PROTECT_NONE, NULL);
}

int build_medium_message(uint8_t *out, size_t cap)
{
    struct uet_build b;
    struct uet_route r = route(4, false, 46, UET_ECN_ECT1);
    r.vlan = true;
    r.vid = 100;
    uet_build_start(&b, out, cap, &r);
    uet_rud_rod_req_retx_set(request(&b, UET_NH_REQUEST_MEDIUM, 0x1234567a, true), true);
    uint8_t *s = ses(&b, UET_H_SES_REQ_MEDIUM_MSG, UET_OP_SEND, true, true);
    uet_ses_req_ie_set(s, true);
    uet_ses_req_hd_set(s, true);
    address(s, 1, 3, 6);
    uet_ses_req_medium_header_data_set(s, 0xcafef00d00c0ffee);
    uet_ses_req_initiator_set(s, 0xffffffff);
    return uet_build_finish(&b, UET_PROTECT_NONE, NULL);
}

int build_std_som0(uint8_t *out, size_t cap)
{
    struct uet_build b;
    struct uet_route r = route(6, false, 8, UET_ECN_CE);
    r.vlan = true;
    r.vid = 4094;
    r.ttl = 255;
    r.entropy = 1;
    uet_build_start(&b, out, cap, &r);
    uint8_t *h = request(&b, UET_NH_REQUEST_STD, 16, false);
    uet_rud_rod_req_retx_set(h, true);
    uet_rud_rod_req_clear_psn_offset_set(h, INT16_MIN);
    uet_rud_rod_req_spdcid_set(h, 0xffff);
    uet_rud_rod_req_dpdcid_set(h, 1);
    uint8_t *s = ses(&b, UET_H_SES_REQ_STD_SOM0, UET_OP_WRITE, false, true);
    uet_ses_req_dc_set(s, true);
    uet_ses_req_std_message_id_set(s, 0xffff);
    uet_ses_req_ri_generation_set(s, 255);
    address(s, 0x123456, 0xabc, 0xdef);
    uet_ses_req_buffer_offset_set(s, UINT64_C(1) << 63);
    uet_ses_req_initiator_set(s, 0x80000001);
    uet_ses_req_match_bits_or_memory_key_set(s, UINT64_MAX);
    uet_ses_req_std_payload_length_set(s, 5);
    uet_ses_req_std_message_offset_set(s, 4096);
    uet_ses_req_std_request_length_set(s, 4101);
    uet_build_payload(&b, "\1\2\3\4\5", 5);
    return uet_build_finish(&b, UET_PROTECT_CRC, NULL);
}

int build_ack_default(uint8_t *out, size_t cap)
{
    struct uet_build b;
    struct uet_route r = route(4, true, 46, UET_ECN_NOT_ECT);
    uet_build_start(&b, out, cap, &r);
    uint8_t *h = ack(&b, UET_H_ACK, UET_PDS_ACK, UET_NH_RESPONSE, 0x12345678);
    uet_ack_ack_psn_offset_set(h, 1);
    response(&b, UET_RSP_DEFAULT_RESPONSE, UET_RC_OK, 4);
    return uet_build_finish(&b, UET_PROTECT_CRC, NULL);
}

int build_ack_cc_response(uint8_t *out, size_t cap)
{
    struct uet_build b;
    struct uet_route r = route(6, true, 46, UET_ECN_NOT_ECT);
    uet_build_start(&b, out, cap, &r);
    uint8_t *h = ack(&b, UET_H_ACK_CC, UET_PDS_ACK_CC, UET_NH_RESPONSE, 1);
    uet_ack_m_set(h, true);
    uet_ack_req_set(h, UET_ACK_REQ_CLEAR);
    uet_ack_ack_psn_offset_set(h, -2);
    uet_ack_cc_mpr_set(h, 8);
    uet_ack_cc_sack_psn_offset_set(h, 2);
    uet_ack_cc_sack_bitmap_set(h, 5);
    uint8_t *state = h + 24; /* the NSCC state stands in the last eight bytes (3.6.9.2) */
    uet_ack_cc_state_nscc_service_time_set(state, 16);
    uet_ack_cc_state_nscc_rc_set(state, true);
    uet_ack_cc_state_nscc_rcv_cwnd_pend_set(state, 5);
    uet_ack_cc_state_nscc_rcvd_bytes_set(state, 3);
    uet_ack_cc_state_nscc_ooo_count_set(state, 0xffff);
    response(&b, UET_RSP_RESPONSE, UET_RC_BAD_MKEY, 0);
    return uet_build_finish(&b, UET_PROTECT_NONE, NULL);
}

int build_ack_probe(uint8_t *out, size_t cap)
{
    struct uet_build b;
    struct uet_route r = route(4, true, 46, UET_ECN_NOT_ECT);
    uet_build_start(&b, out, cap, &r);
    uint8_t *h = ack(&b, UET_H_ACK_PROBE, UET_PDS_ACK, UET_NH_NONE, 0x12345678);
    uet_ack_p_set(h, true);
    uet_ack_probe_opaque_set(h, 0xbeef);
    return uet_build_finish(&b, UET_PROTECT_NONE, NULL);
}

int build_nack_inv_dpdcid(uint8_t *out, size_t cap)
{
    struct uet_build b;
    struct uet_route r = route(4, true, 46, UET_ECN_NOT_ECT);
    uet_build_start(&b, out, cap, &r);
    uint8_t *h = uet_build_pds(&b, UET_H_NACK);
    uet_nack_type_set(h, UET_PDS_NACK);
    uet_nack_nack_code_set(h, UET_NACK_INV_DPDCID);
    uet_nack_nack_psn_set(h, 0x12345678);
    uet_nack_dpdcid_set(h, 0x1001);
    return uet_build_finish(&b, UET_PROTECT_CRC, NULL);
}

int build_close_command(uint8_t *out, size_t cap)
{
    struct uet_build b;
    struct uet_route r = route(4, false, 46, UET_ECN_ECT0);
    uet_build_start(&b, out, cap, &r);
    control(&b, UET_CTL_CLOSE_COMMAND, true, 0x1234567b);
    return uet_build_finish(&b, UET_PROTECT_CRC, NULL);
}

int build_noop_syn(uint8_t *out, size_t cap)
{
    struct uet_build b;
    struct uet_route r = route(4, false, 46, UET_ECN_ECT0);
    uet_build_start(&b, out, cap, &r);
    uint8_t *h = control(&b, UET_CTL_NOOP, true, 2);
    uet_cp_isrod_set(h, true);
    uet_cp_syn_set(h, true);
    uet_cp_spdcid_set(h, 0x1002);
    uet_cp_dpdcid_set(h, 0);
    uet_cp_use_rsv_pdc_set(h, true);
    uet_cp_psn_offset_set(h, 3);
    return uet_build_finish(&b, UET_PROTECT_NONE, NULL);
}

int build_negotiation(uint8_t *out, size_t cap)
{
    struct uet_build b;
    struct uet_route r = route(6, false, 46, UET_ECN_ECT0);
    uet_build_start(&b, out, cap, &r);
    uint8_t *h = control(&b, UET_CTL_NEGOTIATION, true, 0x12345678);
    uet_cp_syn_set(h, true);
    uet_cp_dpdcid_set(h, 0);
    uint8_t *n = h + 12;
    uet_cp_payload_negotiation_on_off_neg_type_set(n, UET_NEG_PDS_NEG_ON_OFF);
    uet_cp_payload_negotiation_on_off_neg_length_set(n, 2);
    /* The element is four bytes longer than a payload: its feature_mask (3.5.16.7.1). */
    uet_wr32(uet_build_header(&b, 4), 1);
    return uet_build_finish(&b, UET_PROTECT_CRC, NULL);
}

int build_probe(uint8_t *out, size_t cap)
{
    struct uet_build b;
    struct uet_route r = route(4, false, 46, UET_ECN_ECT0);
    uet_build_start(&b, out, cap, &r);
    uint8_t *h = control(&b, UET_CTL_PROBE, false, 0x1234567c);
    uet_cp_probe_opaque_set(h, 0xbeef);
    uet_cp_payload_probe_sack_base_psn_set(h + 12, 0x12345680);
    return uet_build_finish(&b, UET_PROTECT_NONE, NULL);
}

int build_no_op(uint8_t *out, size_t cap)
{
    struct uet_build b;
    struct uet_route r = route(4, false, 0, UET_ECN_ECT0);
    uet_build_start(&b, out, cap, &r);
    request(&b, UET_NH_REQUEST_STD, 0x12345680, true);
    uint8_t *s = ses(&b, UET_H_SES_REQ_NO_OP, UET_OP_NO_OP, true, true);
    uet_ses_req_std_message_id_set(s, 8);
    address(s, 1, 3, 5);
    return uet_build_finish(&b, UET_PROTECT_NONE, NULL);
}

int build_ack_no_response(uint8_t *out, size_t cap)
{
    struct uet_build b;
    struct uet_route r = route(6, true, 46, UET_ECN_NOT_ECT);
    uet_build_start(&b, out, cap, &r);
    uint8_t *h = ack(&b, UET_H_ACK, UET_PDS_ACK, UET_NH_RESPONSE, 0xffffffff);
    uet_ack_retx_set(h, true);
    uet_ack_req_set(h, UET_ACK_REQ_CLOSE);
    response(&b, UET_RSP_NO_RESPONSE, UET_RC_NULL, 0);
    return uet_build_finish(&b, UET_PROTECT_NONE, NULL);
}
