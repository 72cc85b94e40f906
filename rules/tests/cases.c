/* SPDX-License-Identifier: BSD-2-Clause */
#include "rules/tests/cases.h"

#include <string.h>

#define MIDDLE    UET_VANTAGE_MIDDLE
#define INITIATOR UET_VANTAGE_INITIATOR
#define TARGET    UET_VANTAGE_TARGET
#define BOTH      UET_VANTAGE_BOTH

SETS(no_df, uet_ipv4_df_set(p->frame + UET_ETH_BYTES, false))
SETS(other_class, uet_ipv4_dscp_set(p->frame + UET_ETH_BYTES, 1))
SETS(spdcid_0, uet_rud_rod_req_spdcid_set(h, 0))
SETS(spdcid_other, uet_rud_rod_req_spdcid_set(h, 0x5151))
SETS(dpdcid_0, uet_rud_rod_req_dpdcid_set(h, 0))
SETS(dpdcid_other, uet_rud_rod_req_dpdcid_set(h, 0x6161))
SETS(request_reserved, uet_rud_rod_req_rsvd_at14_set(h, 1))
SETS(ack_reserved, uet_ack_rsvd_set(h, 1))
SETS(cc_flags, uet_ack_cc_flags_set(h, 2))
SETS(nack_reserved, uet_nack_rsvd_at13_set(h, 4))
SETS(ask_reserved, uet_cp_payload_value_set(h, 0x00010004))
SETS(ask_other_message, uet_cp_payload_value_set(h, 5))
SETS(pdc_info_2, h[10] = (uint8_t)(h[10] | 0x20))
SETS(ses_version_1, uet_ses_req_version_set(s, 1))
SETS(ses_reserved3, uet_ses_req_reserved3_set(s, 8))
SETS(small_hd, uet_ses_req_reserved_hd_set(s, 1))
SETS(next_hdr_9, uet_rud_rod_req_next_hdr_set(h, 9))
SETS(next_hdr_4, uet_rud_rod_req_next_hdr_set(h, UET_NH_RESPONSE))
SETS(next_hdr_3, uet_rud_rod_req_next_hdr_set(h, UET_NH_REQUEST_STD))

/* Cuts the packet after n bytes of UDP payload, lengths made right. */
static void cut(struct talk_packet *p, size_t n)
{
    uint8_t *ip = p->frame + UET_ETH_BYTES;
    p->len = UET_ETH_BYTES + UET_IPV4_BYTES + UET_UDP_BYTES + n;
    uet_ipv4_total_length_set(ip, (uint16_t)(p->len - UET_ETH_BYTES));
    uet_udp_length_set(ip + UET_IPV4_BYTES, (uint16_t)(p->len - UET_ETH_BYTES - UET_IPV4_BYTES));
}

SETS(cut_short, cut(p, UET_RUD_ROD_REQ_BYTES + 20))

/* A Request made a Close Command with the same PSN. */
ALTER(become_close)
{
    memset(h, 0, 4);
    uet_cp_type_set(h, UET_PDS_CP);
    uet_cp_ctl_type_set(h, UET_CTL_CLOSE_COMMAND);
    uet_cp_ar_set(h, true);
    uet_cp_payload_value_set(h, 0);
    cut(p, UET_CP_BYTES);
}

SETS(rod, uet_rud_rod_req_type_set(h, UET_PDS_ROD_REQ))
SETS(cp_syn, uet_cp_syn_set(h, true))
SETS(psn_offset_2, uet_rud_rod_req_psn_offset_set(h, 2))
SETS(psn_far_above, uet_rud_rod_req_psn_set(h, uet_rud_rod_req_psn(h) + 4096))

/* Start_PSN 100 above the last PSN of the closed PDC, which is 0xfffffffe + 9 = 7. */
SETS(start_near, uet_rud_rod_req_psn_set(h, 107))
SETS(return_psn_7, uet_cp_psn_set(h, uet_cp_psn(h) + 7))

/* syn 1 again, with the right psn_offset. */
ALTER(syn_again)
{
    uet_rud_rod_req_syn_set(h, true);
    uet_rud_rod_req_dpdcid_set(h, 0);
    uet_rud_rod_req_psn_offset_set(h, (uint16_t)(uet_rud_rod_req_psn(h) - 0xfffffffe));
}

/* ... and CLEAR_PSN below Start_PSN, so that only the PSN before with syn 0 gives it away. */
ALTER(syn_again_uncleared)
{
    syn_again(p, h, s);
    uet_rud_rod_req_clear_psn_offset_set(h, (int16_t)(-1 - (int32_t)uet_rud_rod_req_psn_offset(h)));
}

/* The SYN after the close made a Request of the closed PDC: PSN 8, above that of the close, 7. */
ALTER(after_close)
{
    uet_rud_rod_req_syn_set(h, false);
    uet_rud_rod_req_psn_set(h, 8);
    uet_rud_rod_req_clear_psn_offset_set(h, -1);
    uet_rud_rod_req_dpdcid_set(h, 0x2222);
}

SETS(close_command, uet_cp_ctl_type_set(h, UET_CTL_CLOSE_COMMAND))
SETS(close_request, uet_cp_ctl_type_set(h, UET_CTL_CLOSE_REQUEST))
SETS(no_ar, uet_cp_ar_set(h, false))
SETS(ar, uet_cp_ar_set(h, true))
SETS(psn_plus_1, uet_rud_rod_req_psn_set(h, uet_rud_rod_req_psn(h) + 1))
SETS(psn_5, uet_cp_psn_set(h, 5))
SETS(psn_1025, uet_cp_psn_set(h, uet_cp_psn(h) + 1025))
SETS(request_no_ar, uet_rud_rod_req_ar_set(h, false))
SETS(next_hdr_5, uet_ack_next_hdr_set(h, UET_NH_RESPONSE_DATA))

ALTER(no_ses)
{
    uet_ack_next_hdr_set(h, UET_NH_NONE);
    cut(p, UET_ACK_BYTES);
}

SETS(no_retx, uet_rud_rod_req_retx_set(h, false))
SETS(retx, uet_rud_rod_req_retx_set(h, true))
SETS(other_job, uet_ses_req_job_id_set(s, 0x111111))

/* The NOOP with the PSN of the one before it. */
SETS(noop_again, uet_cp_psn_set(h, 0xfffffffe))
SETS(clear_ahead, uet_rud_rod_req_clear_psn_offset_set(h, 0))

ALTER(clear_behind)
{
    uet_rud_rod_req_clear_psn_offset_set(h, (int16_t)(uet_rud_rod_req_clear_psn_offset(h) - 2));
}

SETS(clear_positive, uet_rud_rod_req_clear_psn_offset_set(h, 1))
SETS(clear_far_behind, uet_rud_rod_req_clear_psn_offset_set(h, -900))
SETS(req_clear, uet_ack_req_set(h, UET_ACK_REQ_CLEAR))
SETS(req_none, uet_ack_req_set(h, UET_ACK_NO_REQUEST))
SETS(flip_m, uet_ack_m_set(h, !uet_ack_m(h)))
SETS(flip_retx, uet_ack_retx_set(h, !uet_ack_retx(h)))

ALTER(entropy)
{
    uint8_t *udp = p->frame + UET_ETH_BYTES + UET_IPV4_BYTES;
    uet_udp_src_port_set(udp, (uint16_t)(uet_udp_src_port(udp) + 9));
}

SETS(ack_psn_above, uet_ack_ack_psn_offset_set(h, 50))

ALTER(cack_above)
{
    uet_ack_cack_psn_set(h, uet_ack_cack_psn(h) + 1);
    uet_ack_ack_psn_offset_set(h, (int16_t)(uet_ack_ack_psn_offset(h) - 1));
}

/* What has come was kept, and nobody is asked to clear that. */
ALTER(kept_no_clear)
{
    uet_ack_req_set(h, UET_ACK_NO_REQUEST);
    uet_ses_rsp_list_set(s, UET_LIST_OVERFLOW);
    uet_ses_rsp_return_code_set(s, UET_RC_OK);
}

/* A default response behind the ACK of a CP. */
ALTER(cp_response)
{
    uet_ack_next_hdr_set(h, UET_NH_RESPONSE);
    memset(s, 0, UET_SES_RSP_BYTES);
    cut(p, UET_ACK_BYTES + UET_SES_RSP_BYTES);
}

SETS(sack_more, uet_ack_cc_sack_bitmap_set(h, 3))
/* Below 0, where it begins. */
SETS(rcvd_back,
     uet_ack_cc_state_nscc_rcvd_bytes_set(h + UET_ACK_CC_BYTES - UET_ACK_CC_STATE_NSCC_BYTES,
                                          0xffffff))
/* 8 ms and more. */
SETS(served_long,
     uet_ack_cc_state_nscc_service_time_set(h + UET_ACK_CC_BYTES - UET_ACK_CC_STATE_NSCC_BYTES,
                                            0xffff))
SETS(other_opaque, uet_ack_probe_opaque_set(h, 0xdead))
SETS(other_error, uet_ses_rsp_return_code_set(s, UET_RC_BAD_ADDR))
SETS(code_rod_ooo, uet_nack_nack_code_set(h, UET_NACK_ROD_OOO))
SETS(code_3, uet_nack_nack_code_set(h, 3))
SETS(code_0x40, uet_nack_nack_code_set(h, 0x40))
SETS(code_inv_dpdcid, uet_nack_nack_code_set(h, UET_NACK_INV_DPDCID))
SETS(code_no_pdc, uet_nack_nack_code_set(h, UET_NACK_NO_PDC_AVAIL))
SETS(code_no_ccc, uet_nack_nack_code_set(h, UET_NACK_NO_CCC_AVAIL))
SETS(code_no_bitmap, uet_nack_nack_code_set(h, UET_NACK_NO_BITMAP))
SETS(nt, uet_nack_nt_set(h, UET_NACK_TYPE_RUDI))
SETS(nack_next_hdr, uet_nack_next_hdr_set(h, UET_NH_RESPONSE))
SETS(nack_psn, uet_nack_nack_psn_set(h, 0x33333333))
SETS(isrod, uet_cp_isrod_set(h, true))

ALTER(credit_psn)
{
    uet_cp_ctl_type_set(h, UET_CTL_CREDIT);
    uet_cp_payload_value_set(h, 0x100);
    uet_cp_psn_set(h, 3);
}

SETS(ctl_12, uet_cp_ctl_type_set(h, 12))
SETS(payload_1, uet_cp_payload_value_set(h, 1))
SETS(clear_too_much, uet_cp_payload_value_set(h, uet_cp_payload_value(h) + 1))
SETS(payload_length_less, uet_ses_req_std_payload_length_set(s, 1000))
SETS(message_offset_less, uet_ses_req_std_message_offset_set(s, 1000))
SETS(request_length_less, uet_ses_req_std_request_length_set(s, 2000))
SETS(request_length_more, uet_ses_req_std_request_length_set(s, 3001))
SETS(no_eom, uet_ses_req_eom_set(s, false))
SETS(no_som, uet_ses_req_som_set(s, false))

ALTER(som)
{
    uet_ses_req_som_set(s, true);
    uet_ses_req_eom_set(s, true);
}

SETS(length_9000, uet_ses_req_short_request_length_set(s, 9000))
SETS(length_4, uet_ses_req_std_request_length_set(s, 4))
SETS(message_id_0, uet_ses_req_std_message_id_set(s, 0))
SETS(message_id_99, uet_ses_req_std_message_id_set(s, 99))
SETS(datagram, uet_ses_req_opcode_set(s, UET_OP_DATAGRAM_SEND))
SETS(msg_error, uet_ses_req_opcode_set(s, UET_OP_MSG_ERROR))
SETS(atomic, uet_ses_req_opcode_set(s, UET_OP_ATOMIC))
SETS(tagged_atomic, uet_ses_req_opcode_set(s, UET_OP_TSEND_FETCH_ATOMIC))
SETS(deferrable, uet_ses_req_opcode_set(s, UET_OP_DEFERRABLE_SEND))
SETS(offset_moved, uet_ses_req_buffer_offset_set(s, 0x101))
SETS(other_key, uet_ses_req_match_bits_or_memory_key_set(s, 0x9999))

/* A middle packet with 952 bytes. */
ALTER(not_last)
{
    uet_ses_req_eom_set(s, false);
    uet_ses_req_std_request_length_set(s, 4000);
}

/* Its payload begins as the extension of a compare-and-swap. */
ALTER(cswap)
{
    uet_ses_req_opcode_set(s, UET_OP_FETCHING_ATOMIC);
    s[UET_SES_REQ_STD_SOM1_BYTES] = UET_AMO_CSWAP;
    uet_ses_req_std_request_length_set(s, 8);
}

ALTER(other_tag)
{
    uet_ses_req_opcode_set(s, UET_OP_TAGGED_SEND);
    uet_ses_req_match_bits_or_memory_key_set(s, 0x9999);
}

ALTER(other_initiator)
{
    uet_ses_req_opcode_set(s, UET_OP_TAGGED_SEND);
    uet_ses_req_initiator_set(s, 0x9999);
}

SETS(rsp_w_data, uet_ses_rsp_opcode_set(s, UET_RSP_RESPONSE_W_DATA))
SETS(rsp_list, uet_ses_rsp_list_set(s, UET_LIST_OVERFLOW))
SETS(rsp_error, uet_ses_rsp_return_code_set(s, UET_RC_BAD_MKEY))

ALTER(rsp_no_response_error)
{
    uet_ses_rsp_opcode_set(s, UET_RSP_NO_RESPONSE);
    uet_ses_rsp_return_code_set(s, UET_RC_BAD_MKEY);
}

SETS(rsp_message_id, uet_ses_rsp_message_id_set(s, 77))
SETS(rsp_job_id, uet_ses_rsp_job_id_set(s, 0x222222))
SETS(rsp_modified, uet_ses_rsp_modified_length_set(s, 8))

ALTER(rsp_modified_ok)
{
    uet_ses_rsp_return_code_set(s, UET_RC_OK);
    uet_ses_rsp_modified_length_set(s, 9);
}

/* Its extension is the first 24 of the 100 payload bytes, all 0. */
SETS(rendezvous, uet_ses_req_opcode_set(s, UET_OP_RENDEZVOUS_SEND))
SETS(key_reserved, uet_ses_req_match_bits_or_memory_key_set(s, UINT64_C(1) << 58))

/* Native IP in place of UDP: source port and checksum's room become the entropy header. */
ALTER(native)
{
    uint8_t *ip = p->frame + UET_ETH_BYTES, *l4 = ip + UET_IPV4_BYTES;
    uet_ipv4_protocol_set(ip, UET_IPPROTO_UET_EXPERIMENTAL);
    memmove(l4 + UET_ENTROPY_BYTES, l4 + UET_UDP_BYTES,
            p->len - (size_t)(l4 - p->frame) - UET_UDP_BYTES);
    l4[2] = 1;
    p->len -= UET_UDP_BYTES - UET_ENTROPY_BYTES;
    uet_ipv4_total_length_set(ip, (uint16_t)(p->len - UET_ETH_BYTES));
}

static const struct rule_case cases[] = {
    {.requirement = "NET-032", .name = TALK_SYN0, .alter = native},
    {.requirement = "NET-034", .name = TALK_SYN0, .alter = no_df},
    {.requirement = "CMS-008", .name = TALK_ACK2, .alter = other_class},
    {.requirement = "CMS-008", .name = TALK_NACK7, .alter = other_class},
    {.requirement = "CMS-008", .name = TALK_CLOSE, .alter = other_class},
    {.requirement = "PDS-016", .name = TALK_SYN0, .alter = spdcid_0},
    {.requirement = "PDS-016", .name = TALK_ACK0, .alter = spdcid_0},
    {.requirement = "PDS-016", .name = TALK_REQ2, .alter = dpdcid_0},
    {.requirement = "PDS-016", .name = TALK_CLOSE, .alter = dpdcid_0},
    {.requirement = "PDS-234", .name = TALK_REQ2, .alter = request_reserved},
    {.requirement = "PDS-234", .name = TALK_ACK2, .alter = ack_reserved},
    {.requirement = "PDS-234", .name = TALK_ACKCC4, .alter = cc_flags},
    {.requirement = "PDS-234", .name = TALK_NACK7, .alter = nack_reserved},
    {.requirement = "PDS-234", .name = TALK_ASK8, .alter = ask_reserved},
    {.requirement = "SES-001", .name = TALK_SYN0, .alter = ses_version_1},
    {.requirement = "SES-001", .name = TALK_ACK0, .alter = ses_version_1},
    {.requirement = "SES-002", .name = TALK_REQ3, .alter = ses_reserved3},
    {.requirement = "SES-002", .name = TALK_REQ7, .alter = small_hd},
    {.requirement = "SES-005", .name = TALK_REQ3, .alter = next_hdr_9},
    {.requirement = "SES-005", .name = TALK_REQ3, .alter = cut_short, .vantage = BOTH},
    {.requirement = "SES-006", .name = TALK_REQ3, .alter = next_hdr_4},
    {.requirement = "SES-006", .name = TALK_ACK2, .alter = next_hdr_3},
    {.requirement = "PDS-007", .name = TALK_REQ2, .alter = rod},
    {.requirement = "PDS-021", .name = TALK_SYN1, .alter = pdc_info_2},
    {.requirement = "PDS-023", .name = TALK_CLOSE, .alter = cp_syn},
    {.requirement = "PDS-024",
     .name = TALK_REQ2,
     .alter = dpdcid_other,
     .vantage = BOTH,
     .omit = TALK_ACK0},
    {.requirement = "PDS-025", .name = TALK_SYN1, .alter = psn_offset_2},
    {.requirement = "PDS-025", .name = TALK_SYN0, .alter = psn_offset_2, .vantage = BOTH},
    {.requirement = "PDS-027", .name = TALK_SYN_AGAIN, .alter = start_near, .vantage = INITIATOR},
    {.requirement = "PDS-028", .name = TALK_RNOOP0, .alter = return_psn_7, .vantage = TARGET},
    {.requirement = "PDS-034", .name = TALK_REQ2, .alter = syn_again},
    {.requirement = "PDS-034", .name = TALK_REQ3, .alter = syn_again_uncleared},
    {.requirement = "PDS-034", .name = TALK_REQ2, .alter = dpdcid_other, .vantage = BOTH},
    {.requirement = "PDS-034", .name = TALK_NOOP6, .alter = dpdcid_other, .vantage = TARGET},
    {.requirement = "PDS-034", .name = TALK_REQ3, .alter = spdcid_other, .vantage = INITIATOR},
    {.requirement = "PDS-046", .name = TALK_PROBE, .alter = cp_syn},
    {.requirement = "PDS-047", .name = TALK_SYN1, .alter = psn_far_above},
    {.requirement = "PDS-199", .name = TALK_CLOSE, .alter = no_ar},
    {.requirement = "PDS-200", .name = TALK_CLOSE_REQUEST, .alter = close_command},
    {.requirement = "PDS-200", .name = TALK_CLOSE, .alter = close_request},
    {.requirement = "PDS-201", .name = TALK_REQ2, .alter = become_close, .vantage = BOTH},
    {.requirement = "PDS-207", .name = TALK_CLOSE_REQUEST, .alter = no_ar},
    {.requirement = "PDS-056", .name = TALK_REQ2, .alter = psn_plus_1, .vantage = INITIATOR},
    {.requirement = "PDS-056", .name = TALK_CLOSE_REQUEST, .alter = psn_plus_1, .vantage = TARGET},
    {.requirement = "PDS-058", .name = TALK_REQ3_RETX, .alter = no_retx},
    {.requirement = "PDS-058", .name = TALK_REQ5_RETX, .alter = no_retx, .vantage = BOTH},
    {.requirement = "PDS-058", .name = TALK_REQ5_RETX, .alter = other_job},
    {.requirement = "PDS-197", .name = TALK_CLOSE_REQUEST, .alter = noop_again, .vantage = BOTH},
    {.requirement = "PDS-060", .name = TALK_REQ2, .alter = psn_1025, .vantage = TARGET},
    {.requirement = "PDS-164", .name = TALK_REQ3_RETX, .alter = request_no_ar},
    {.requirement = "PDS-110", .name = TALK_ACK2, .alter = no_ses, .vantage = INITIATOR},
    {.requirement = "PDS-189", .name = TALK_ASK8, .alter = psn_1025, .vantage = INITIATOR},
    {.requirement = "PDS-189", .name = TALK_ASK8, .alter = ask_other_message},
    {.requirement = "PDS-070", .name = TALK_REQ3, .alter = clear_ahead, .vantage = TARGET},
    {.requirement = "PDS-071", .name = TALK_SYN0, .alter = clear_ahead},
    {.requirement = "PDS-071", .name = TALK_SYN1, .alter = clear_behind},
    {.requirement = "PDS-071", .name = TALK_REQ3, .alter = clear_far_behind, .vantage = TARGET},
    {.requirement = "PDS-072", .name = TALK_REQ3, .alter = clear_positive},
    {.requirement = "PDS-073", .name = TALK_REQ4, .alter = clear_behind},
    {.requirement = "PDS-073", .name = TALK_REQ7, .alter = clear_behind, .vantage = INITIATOR},
    {.requirement = "PDS-020", .name = TALK_ACK2, .alter = spdcid_other, .vantage = INITIATOR},
    {.requirement = "PDS-020", .name = TALK_ACK2, .alter = dpdcid_other, .vantage = BOTH},
    {.requirement = "PDS-020", .name = TALK_RACK0, .alter = spdcid_other, .vantage = INITIATOR},
    {.requirement = "PDS-020", .name = TALK_NACK7, .alter = spdcid_other, .vantage = INITIATOR},
    {.requirement = "PDS-020", .name = TALK_NACK7, .alter = spdcid_0, .vantage = INITIATOR},
    {.requirement = "PDS-092", .name = TALK_RACK0, .alter = req_clear},
    {.requirement = "PDS-104",
     .name = TALK_ACK3,
     .alter = flip_m,
     .vantage = TARGET,
     .omit = TALK_REQ3},
    {.requirement = "PDS-104", .name = TALK_ACK0, .alter = flip_m, .vantage = BOTH},
    {.requirement = "PDS-104", .name = TALK_STRAY_NACK, .alter = flip_m, .vantage = BOTH},
    {.requirement = "PDS-105", .name = TALK_ACK2, .alter = flip_retx, .vantage = INITIATOR},
    {.requirement = "PDS-105", .name = TALK_NACK7, .alter = flip_retx, .vantage = BOTH},
    {.requirement = "PDS-106", .name = TALK_ACK2, .alter = ack_psn_above, .vantage = BOTH},
    {.requirement = "PDS-108", .name = TALK_ACK2, .alter = cack_above, .vantage = TARGET},
    {.requirement = "PDS-109", .name = TALK_ACK6, .alter = cp_response},
    {.requirement = "PDS-109", .name = TALK_PROBED, .alter = cp_response},
    {.requirement = "PDS-112", .name = TALK_ACK2, .alter = entropy, .vantage = BOTH},
    {.requirement = "PDS-112", .name = TALK_NACK7, .alter = entropy, .vantage = INITIATOR},
    {.requirement = "PDS-112", .name = TALK_PROBED, .alter = entropy, .vantage = BOTH},
    {.requirement = "PDS-114", .name = TALK_ACKCC4, .alter = sack_more, .vantage = BOTH},
    {.requirement = "CMS-024", .name = TALK_ACKCC4, .alter = rcvd_back, .vantage = TARGET},
    {.requirement = "CMS-029", .name = TALK_ACKCC4, .alter = served_long, .vantage = BOTH},
    {.requirement = "PDS-193", .name = TALK_PROBED, .alter = other_opaque, .vantage = BOTH},
    {.requirement = "PDS-075", .name = TALK_ACK5, .alter = req_none},
    {.requirement = "SES-098", .name = TALK_ACK5, .alter = kept_no_clear},
    {.requirement = "PDS-076", .name = TALK_ACK2, .alter = req_clear, .vantage = BOTH},
    {.requirement = "PDS-077", .name = TALK_ACK5, .alter = cack_above},
    {.requirement = "PDS-077",
     .name = TALK_ACK6,
     .alter = flip_m,
     .vantage = BOTH,
     .omit = TALK_CLEAR5},
    {.requirement = "PDS-087", .name = TALK_ACK5_AGAIN, .alter = other_error},
    {.requirement = "PDS-002", .name = TALK_NACK7, .alter = code_rod_ooo},
    {.requirement = "PDS-038", .name = TALK_NACK7, .alter = code_inv_dpdcid},
    {.requirement = "PDS-041", .name = TALK_NACK7, .alter = code_no_pdc},
    {.requirement = "PDS-042", .name = TALK_NACK7, .alter = code_no_ccc},
    {.requirement = "PDS-043", .name = TALK_NACK7, .alter = code_no_bitmap},
    {.requirement = "PDS-133", .name = TALK_NACK7, .alter = nt},
    {.requirement = "PDS-133", .name = TALK_NACK7, .alter = nack_next_hdr},
    {.requirement = "PDS-133", .name = TALK_NACK7, .alter = nack_psn, .vantage = BOTH},
    {.requirement = "PDS-133", .name = TALK_STRAY_NACK, .alter = dpdcid_other, .vantage = BOTH},
    {.requirement = "PDS-146", .name = TALK_NACK7, .alter = code_3},
    {.requirement = "PDS-147", .name = TALK_NACK7, .alter = code_0x40},
    {.requirement = "PDS-082", .name = TALK_CLEAR5, .alter = psn_5},
    {.requirement = "PDS-082", .name = TALK_CLEAR5, .alter = ar},
    {.requirement = "PDS-082", .name = TALK_CLEAR5, .alter = retx},
    {.requirement = "PDS-082", .name = TALK_CLEAR5, .alter = clear_too_much, .vantage = BOTH},
    {.requirement = "PDS-084", .name = TALK_ASK_CLEAR, .alter = ar},
    {.requirement = "PDS-188", .name = TALK_CLEAR5, .alter = isrod},
    {.requirement = "PDS-195", .name = TALK_CLEAR5, .alter = credit_psn},
    {.requirement = "PDS-196", .name = TALK_CLEAR5, .alter = ctl_12},
    {.requirement = "PDS-198", .name = TALK_NOOP6, .alter = payload_1},
    {.requirement = "SES-009", .name = TALK_SYN1, .alter = payload_length_less},
    {.requirement = "SES-009", .name = TALK_SYN1, .alter = message_offset_less},
    {.requirement = "SES-010", .name = TALK_REQ2, .alter = request_length_more},
    {.requirement = "SES-010", .name = TALK_SYN1, .alter = request_length_less},
    {.requirement = "SES-014", .name = TALK_REQ4, .alter = no_eom},
    {.requirement = "SES-016", .name = TALK_REQ4, .alter = length_9000},
    {.requirement = "SES-027", .name = TALK_REQ8, .alter = length_4},
    {.requirement = "SES-027", .name = TALK_REQ8, .alter = no_eom},
    {.requirement = "SES-030", .name = TALK_REQ3, .alter = message_id_0},
    {.requirement = "SES-038", .name = TALK_REQ3, .alter = datagram},
    {.requirement = "PDS-126", .name = TALK_REQ3, .alter = request_no_ar},
    {.requirement = "SES-042", .name = TALK_REQ2, .alter = not_last},
    {.requirement = "SES-125", .name = TALK_REQ3, .alter = msg_error},
    {.requirement = "SES-138", .name = TALK_SYN0, .alter = atomic},
    {.requirement = "SES-138", .name = TALK_SYN0, .alter = tagged_atomic},
    {.requirement = "SES-166", .name = TALK_REQ3, .alter = cswap},
    {.requirement = "SES-143", .name = TALK_REQ3, .alter = deferrable},
    {.requirement = "PDS-009", .name = TALK_REQ2, .alter = som, .vantage = INITIATOR},
    {.requirement = "SES-012", .name = TALK_REQ2, .alter = offset_moved},
    {.requirement = "SES-031", .name = TALK_REQ2, .alter = message_id_99},
    {.requirement = "SES-041", .name = TALK_REQ2, .alter = not_last},
    {.requirement = "SES-043", .name = TALK_REQ3, .alter = no_som},
    {.requirement = "SES-067", .name = TALK_REQ2, .alter = other_key},
    {.requirement = "SES-095", .name = TALK_REQ2, .alter = other_tag},
    {.requirement = "SES-095", .name = TALK_REQ2, .alter = other_initiator},
    {.requirement = "PDS-089", .name = TALK_ACK2, .alter = rsp_message_id},
    {.requirement = "PDS-089", .name = TALK_ACK2, .alter = rsp_job_id},
    {.requirement = "SES-007", .name = TALK_ACK2, .alter = rsp_w_data},
    {.requirement = "SES-007", .name = TALK_ACK2, .alter = next_hdr_5},
    {.requirement = "SES-119", .name = TALK_ACK2, .alter = rsp_list},
    {.requirement = "SES-119", .name = TALK_ACK2, .alter = rsp_error},
    {.requirement = "SES-120", .name = TALK_ACK2, .alter = rsp_no_response_error},
    {.requirement = "SES-122", .name = TALK_ACK5, .alter = rsp_message_id},
    {.requirement = "SES-122", .name = TALK_ACK5, .alter = rsp_job_id},
    {.requirement = "SES-123", .name = TALK_ACK5, .alter = rsp_modified},
    {.requirement = "SES-124", .name = TALK_ACK5, .alter = rsp_modified_ok},
    {.requirement = "SES-155", .name = TALK_REQ3, .alter = rendezvous},
    {.requirement = "SES-162", .name = TALK_SYN0, .alter = key_reserved},
    {.requirement = "PDS-213", .name = TALK_CLOSE, .alter = dpdcid_0},
    {.requirement = "PDS-202", .name = TALK_SYN_AGAIN, .alter = after_close},
};

const struct rule_cases rule_cases = {cases, sizeof cases / sizeof *cases};
