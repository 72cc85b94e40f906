/* SPDX-License-Identifier: BSD-2-Clause */
/* Scripts of messages, reads, and packets that fit no PDC or need none. */
#include "rules/tests/scripts.h"

/* ---- reads ---- */

static void data_of_message_4(struct stage *s)
{
    uet_ses_rsp_data_read_request_message_id_set(ses(s, TALK_ROD_DATA1), 4);
}

static void data_of_nothing(struct stage *s)
{
    uet_ses_rsp_data_read_request_message_id_set(ses(s, TALK_ROD_DATA0), 77);
}

static void turn_round(struct stage *s, unsigned name)
{
    uint8_t *i = ip(s, name), *h = pds(s, name), src[4];
    uint16_t spdcid = uet_rud_rod_req_spdcid(h);
    memcpy(src, i + 12, 4);
    memcpy(i + 12, i + 16, 4);
    memcpy(i + 16, src, 4);
    uet_rud_rod_req_spdcid_set(h, uet_rud_rod_req_dpdcid(h));
    uet_rud_rod_req_dpdcid_set(h, spdcid);
}

static void data_from_initiator(struct stage *s)
{
    extra(s, X0, TALK_ROD_DATA0);
    turn_round(s, X0);
}

static void restart_returns(struct stage *s)
{
    extra(s, X0, TALK_ROD_REQ1);
    turn_round(s, X0);
    add_psn(s, X0, (uint32_t)-1);
    uet_ses_req_opcode_set(ses(s, X0), UET_OP_DEFERRABLE_RTR);
}

/* The READ of two packets at S+1, and the Close Command at S+3 before any data. */
static void closed_while_reading(struct stage *s)
{
    add_psn(s, TALK_ROD_READ4, (uint32_t)-3);
    uet_rud_rod_req_clear_psn_offset_set(pds(s, TALK_ROD_READ4), -1);
    add_psn(s, TALK_ROD_READ5, (uint32_t)-3);
    uet_rud_rod_req_clear_psn_offset_set(pds(s, TALK_ROD_READ5), -2);
    uint8_t *h = pds(s, TALK_ROD_ACK5);
    uet_ack_cack_psn_set(h, uet_ack_cack_psn(h) - 3);
    add_psn(s, TALK_ROD_CLOSE, (uint32_t)-3);
}

/* A fetching atomic in place of READ3: its extension stands behind the header. */
static void fetching_atomic(struct stage *s)
{
    set_opcode(s, TALK_ROD_READ3, UET_OP_FETCHING_ATOMIC);
    talk_resize(at(s, TALK_ROD_READ3), UET_SES_EXT_ATOMIC_BYTES + 8);
}

static void fetched_too_much(struct stage *s)
{
    fetching_atomic(s);
    uet_ses_req_std_request_length_set(ses(s, TALK_ROD_READ3), 4);
}

static void tag_fetched_too_much(struct stage *s)
{
    fetched_too_much(s);
    set_opcode(s, TALK_ROD_READ3, UET_OP_TSEND_FETCH_ATOMIC);
}

static void fetched_without_clear(struct stage *s)
{
    fetching_atomic(s);
    uet_ack_req_set(pds(s, TALK_ROD_ACK3), UET_ACK_NO_REQUEST);
}

/* READ_ACK3 is cut by a switch, and the initiator says so. */
static void trimmed_ack(struct stage *s, uint8_t code)
{
    extra(s, X0, TALK_READ_ACK3);
    talk_trim(at(s, X0), 8);
    uet_ipv4_dscp_set(ip(s, X0), TALK_DSCP_TRIMMED);
    uet_nack_nack_code_set(extra(s, X1, TALK_READ_RNACK5), code);
}

static void trimmed_ack_told(struct stage *s)
{
    trimmed_ack(s, UET_NACK_TRIMMED);
}

static void untrimmed_ack_told(struct stage *s)
{
    s->spec = UET_VERSION_1_0_2;
    trimmed_ack(s, UET_NACK_TRIMMED_ACK);
    extra(s, X0, TALK_READ_ACK3);
}

static void close_again(struct stage *s)
{
    uet_cp_retx_set(extra(s, X0, TALK_TRIM_CLOSE), true);
}

/* ---- packets that fit no PDC ---- */

static void refuse(struct stage *s, unsigned name, uint8_t code)
{
    uint8_t *nack = extra(s, X1, TALK_STRAY_NACK), *h = pds(s, name);
    uet_nack_nack_code_set(nack, code);
    uet_nack_nack_psn_set(nack, uet_rud_rod_req_psn(h));
    uet_nack_dpdcid_set(nack, uet_rud_rod_req_spdcid(h));
}

static void for_dpdcid_0(struct stage *s)
{
    uet_rud_rod_req_dpdcid_set(extra(s, X0, TALK_STRAY), 0);
    refuse(s, X0, UET_NACK_PDC_HDR_MISMATCH);
}

static void for_unknown_cp(struct stage *s)
{
    uet_rud_rod_req_spdcid_set(extra(s, X0, TALK_NOOP6), 0x777);
    refuse(s, X0, UET_NACK_PSN_OOR_WINDOW);
}

static void for_other_spdcid(struct stage *s)
{
    uet_rud_rod_req_spdcid_set(extra(s, X0, TALK_REQ2), 0x777);
    refuse(s, X0, UET_NACK_INV_DPDCID);
}

static void for_cp_of_other_spdcid(struct stage *s)
{
    uet_rud_rod_req_spdcid_set(extra(s, X0, TALK_NOOP6), 0x777);
    refuse(s, X0, UET_NACK_INV_DPDCID);
}

/* ---- what must not succeed: the answers of the talk are RC_OK ---- */

/* X0: the ACK of REQ3 as it were the first time. */
void acked_ok(struct stage *s)
{
    uet_ack_retx_set(extra(s, X0, TALK_ACK3), false);
}

static void version_1_ok(struct stage *s)
{
    acked_ok(s);
    uet_ses_req_version_set(ses(s, TALK_REQ3), 1);
}

static void opcode_0x20_ok(struct stage *s)
{
    acked_ok(s);
    set_opcode(s, TALK_REQ3, 0x20);
}

static void part_ok(struct stage *s)
{
    uet_ses_req_eom_set(ses(s, TALK_REQ4), false);
}

static void no_op_ok(struct stage *s)
{
    talk_resize(at(s, TALK_REQ8), 8);
}

static void odd_first_ok(struct stage *s)
{
    acked_ok(s);
    uet_ses_req_std_request_length_set(ses(s, TALK_REQ3), 2000);
}

static void more_than_there_ok(struct stage *s)
{
    uet_ses_req_std_payload_length_set(ses(s, TALK_REQ2), 1000);
}

static void beyond_ok(struct stage *s)
{
    uint32_t offset = uet_ses_req_std_message_offset(ses(s, TALK_REQ2));
    uet_ses_req_std_message_offset_set(ses(s, TALK_REQ2), offset + 1);
}

/* Eight bytes behind the payload of the last packet of a message. */
static void rudi_send_ok(struct stage *s)
{
    set_opcode(s, TALK_RUDI_REQ1, UET_OP_SEND);
}

static void ie_ok(struct stage *s)
{
    acked_ok(s);
    uet_ses_req_ie_set(ses(s, TALK_REQ3), true);
}

static void becomes_msg_error(struct stage *s, unsigned name)
{
    set_opcode(s, name, UET_OP_MSG_ERROR);
    uet_ses_req_som_set(ses(s, name), false);
    talk_resize(at(s, name), -100);
}

static void msg_error_ok(struct stage *s)
{
    acked_ok(s);
    becomes_msg_error(s, TALK_REQ3);
}

/* A WRITE of three packets: each ACK speaks of its own packet. */
static void own_length(struct stage *s)
{
    uet_ses_rsp_modified_length_set(ses(s, TALK_ACK2), 952);
}

/* Two packets of message 1 fail, each in its own way. */
static void fail_with(struct stage *s, unsigned ack, uint8_t code)
{
    *at(s, ack) = s->talk.packet[TALK_ACK5];
    uet_ses_rsp_return_code_set(ses(s, ack), code);
    uet_ses_rsp_message_id_set(ses(s, ack), 1);
}

static void two_errors(struct stage *s)
{
    uint32_t start = s->talk.start;
    fail_with(s, X0, UET_RC_BAD_MKEY);
    uet_ack_cack_psn_set(pds(s, X0), start);
    uet_ack_ack_psn_offset_set(pds(s, X0), 1);
    fail_with(s, X1, UET_RC_BAD_ADDR);
    uet_ack_cack_psn_set(pds(s, X1), start);
    uet_ack_ack_psn_offset_set(pds(s, X1), 2);
}

/* ROD: a PSN that ACK2 acknowledged is refused. */
static void refused_again(struct stage *s)
{
    extra(s, X0, TALK_ROD_OOO2);
}

/* RUD: S+4 was acknowledged ahead of S+3. */
static void refused_ahead(struct stage *s)
{
    uint8_t *h = extra(s, X0, TALK_NACK7);
    uet_nack_nack_code_set(h, UET_NACK_NO_SES_MSG_AVAIL);
    uet_nack_nack_psn_set(h, s->talk.start + 4);
}

static void denied(struct stage *s)
{
    uint8_t *h = extra(s, X0, TALK_NACK7);
    uet_nack_nack_code_set(h, UET_NACK_PKT_NOT_RCVD);
    uet_nack_nack_psn_set(h, s->talk.start + 8);
}

static void gap_for_trimmed(struct stage *s)
{
    for (unsigned n = TALK_TRIM_SYN0; n <= TALK_TRIM_REQ1; n++)
        if (n != TALK_TRIM_ACK0)
            uet_rud_rod_req_type_set(pds(s, n), UET_PDS_ROD_REQ);
    uet_nack_nack_code_set(pds(s, TALK_TRIM_NACK1), UET_NACK_ROD_OOO);
}

/* Message 2 was one packet. */
static void ended_already(struct stage *s)
{
    extra(s, X0, TALK_REQ3);
    add_psn(s, X0, 1);
    becomes_msg_error(s, X0);
}

/* Message 1 goes on. */
static void id_taken(struct stage *s)
{
    uet_ses_req_som_set(ses(s, TALK_REQ2), true);
}

/* ---- RUDI and UUD ---- */

static void id_in_use(struct stage *s)
{
    uet_rudi_pkt_id_set(pds(s, TALK_RUDI_REQ2), uet_rudi_pkt_id(pds(s, TALK_RUDI_REQ1)));
}

static void other_id(struct stage *s)
{
    uet_rudi_pkt_id_set(pds(s, TALK_RUDI_RESP1), 0x12345678);
}

static void again_after_response(struct stage *s)
{
    uet_rudi_retx_set(extra(s, X0, TALK_RUDI_REQ1), true);
}

static void resent_retx_0(struct stage *s)
{
    uet_rudi_retx_set(pds(s, TALK_RUDI_REQ2_RETX), false);
}

static void m_in_request(struct stage *s)
{
    uet_rudi_resp_m_set(pds(s, TALK_RUDI_REQ1), true);
}

static void m_not_echoed(struct stage *s)
{
    uet_rudi_resp_m_set(pds(s, TALK_RUDI_RESP2), false);
}

static void rudi_nack_pdcid(struct stage *s)
{
    uet_nack_rudi_dpdcid_set(pds(s, TALK_RUDI_NACK3), 7);
}

static void rudi_nack_id(struct stage *s)
{
    uet_nack_rudi_nack_pkt_id_set(pds(s, TALK_RUDI_NACK3), 0x12345678);
}

static void send_on_rudi(struct stage *s)
{
    set_opcode(s, TALK_RUDI_REQ1, UET_OP_SEND);
}

static void datagram_on_rudi(struct stage *s)
{
    set_opcode(s, TALK_RUDI_REQ1, UET_OP_DATAGRAM_SEND);
}

static void uud_flags(struct stage *s)
{
    uet_uud_req_flags_rsvd_set(pds(s, TALK_UUD), 0x11);
}

void uud_id(struct stage *s)
{
    uet_ses_req_std_message_id_set(ses(s, TALK_UUD), 5);
}

static void uud_parts(struct stage *s)
{
    uet_ses_req_eom_set(ses(s, TALK_UUD), false);
}

void uud_error(struct stage *s)
{
    set_opcode(s, TALK_UUD, UET_OP_MSG_ERROR);
}

static void uud_write(struct stage *s)
{
    set_opcode(s, TALK_UUD, UET_OP_WRITE);
}

const struct script message_scripts[] = {
    {"PDS-169", TARGET, data_of_message_4, TALK_ROD_SYN0, TALK_ROD_DATA1, {END}},
    {"PDS-120", MIDDLE, data_of_message_4, TALK_ROD_SYN0, TALK_ROD_DATA1, {END}},
    {"PDS-013", BOTH, data_of_nothing, TALK_ROD_SYN0, TALK_ROD_DATA0, {END}},
    {"PDS-013", MIDDLE, data_from_initiator, TALK_ROD_SYN0, TALK_ROD_ACK5, {X0, END}},
    {"PDS-014", MIDDLE, restart_returns, TALK_ROD_SYN0, TALK_ROD_ACK0, {X0, END}},
    {"PDS-215", START, closed_while_reading,
     .then = {TALK_ROD_SYN0, TALK_ROD_ACK0, TALK_ROD_READ4, TALK_ROD_READ5, TALK_ROD_ACK5,
              TALK_ROD_CLOSE, END}},
    {"SES-139", MIDDLE, fetched_too_much, TALK_ROD_SYN0, TALK_ROD_ACK3, {END}},
    {"SES-139", MIDDLE, tag_fetched_too_much, TALK_ROD_SYN0, TALK_ROD_ACK3, {END}},
    {"SES-140", MIDDLE, fetched_without_clear, TALK_ROD_SYN0, TALK_ROD_ACK3, {END}},
    {"PDS-222", START, trimmed_ack_told, TALK_READ_SYN0, TALK_READ_SMALL3, {X0, X1, END}},
    {"PDS-223", START, untrimmed_ack_told, TALK_READ_SYN0, TALK_READ_SMALL3, {X0, X1, END}},
    {"PDS-205", START, close_again, TALK_TRIM_SYN0, TALK_TRIM_CLOSED, {X0, END}},
    {"PDS-039", BOTH, for_dpdcid_0, .then = {X0, X1, END}},
    {"PDS-185", BOTH, for_unknown_cp, .then = {X0, X1, END}},
    {"PDS-040", BOTH, for_other_spdcid, TALK_SYN0, TALK_ACK0, {X0, X1, END}},
    {"PDS-186", BOTH, for_cp_of_other_spdcid, TALK_SYN0, TALK_ACK0, {X0, X1, END}},
    {"SES-126", MIDDLE, ended_already, TALK_SYN0, TALK_REQ3, {X0, END}},
    {"SES-033", START, id_taken, TALK_SYN0, TALK_REQ2, {END}},
    {"SES-004", TARGET, version_1_ok, TALK_SYN0, TALK_REQ3, {X0, END}},
    {"SES-015",
     TARGET,
     part_ok,
     TALK_SYN0,
     TALK_REQ2,
     {TALK_ACK2, TALK_REQ3, TALK_REQ4, TALK_ACKCC4, END}},
    {"SES-024", TARGET, opcode_0x20_ok, TALK_SYN0, TALK_REQ3, {X0, END}},
    {"SES-029", TARGET, no_op_ok, TALK_SYN0, TALK_REQ8, {TALK_ACK8, END}},
    {"SES-045", TARGET, odd_first_ok, TALK_SYN0, TALK_REQ3, {X0, END}},
    {"SES-046", TARGET, more_than_there_ok, TALK_SYN0, TALK_REQ2, {TALK_ACK2, END}},
    {"SES-047", TARGET, beyond_ok, TALK_SYN0, TALK_REQ2, {TALK_ACK2, END}},
    {"SES-089", BOTH, rudi_send_ok, .then = {TALK_RUDI_REQ1, TALK_RUDI_RESP1, END}},
    {"SES-112", TARGET, ie_ok, TALK_SYN0, TALK_REQ3, {X0, END}},
    {"SES-116", MIDDLE, two_errors, TALK_SYN0, TALK_REQ2, {X0, X1, END}},
    {"SES-127", TARGET, msg_error_ok, TALK_SYN0, TALK_REQ3, {X0, END}},
    {"SES-173", MIDDLE, own_length, TALK_SYN0, TALK_REQ2, {TALK_ACK2, END}},
    {"PDS-130", TARGET, refused_again, TALK_ROD_SYN0, TALK_ROD_ACK2, {X0, END}},
    {"PDS-129", TARGET, refused_ahead, TALK_SYN0, TALK_ACKCC4, {X0, END}},
    {"PDS-190", TARGET, denied, TALK_SYN0, TALK_ACK8, {X0, END}},
    {"PDS-217", TARGET, gap_for_trimmed, TALK_TRIM_SYN0, TALK_TRIM_NACK1, {END}},
    {"PDS-172", BOTH, id_in_use, .then = {TALK_RUDI_REQ1, TALK_RUDI_REQ2, END}},
    {"PDS-173", BOTH, other_id, .then = {TALK_RUDI_REQ1, TALK_RUDI_RESP1, END}},
    {"PDS-175", BOTH, again_after_response, .then = {TALK_RUDI_REQ1, TALK_RUDI_RESP1, X0, END}},
    {"PDS-177", BOTH, resent_retx_0, .then = {TALK_RUDI_REQ2, TALK_RUDI_REQ2_RETX, END}},
    {"PDS-178", MIDDLE, m_in_request, .then = {TALK_RUDI_REQ1, END}},
    {"PDS-178", BOTH, m_not_echoed, .then = {TALK_RUDI_REQ2, TALK_RUDI_RESP2, END}},
    {"PDS-179", MIDDLE, rudi_nack_pdcid, .then = {TALK_RUDI_NACK3, END}},
    {"PDS-179", BOTH, rudi_nack_id, .then = {TALK_RUDI_REQ3, TALK_RUDI_NACK3, END}},
    {"PDS-180", MIDDLE, send_on_rudi, .then = {TALK_RUDI_REQ1, END}},
    {"PDS-182", MIDDLE, uud_flags, .then = {TALK_UUD, END}},
    {"SES-035", MIDDLE, uud_id, .then = {TALK_UUD, END}},
    {"SES-036", MIDDLE, uud_parts, .then = {TALK_UUD, END}},
    {"SES-037", MIDDLE, uud_error, .then = {TALK_UUD, END}},
    {"SES-038", MIDDLE, uud_write, .then = {TALK_UUD, END}},
    {"SES-038", MIDDLE, datagram_on_rudi, .then = {TALK_RUDI_REQ1, END}},
};

const size_t n_message_scripts = sizeof message_scripts / sizeof *message_scripts;
