/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rules that several packets together break: each script gives packets of the written talk, some of
 * them altered, and names the requirement that the last one violates. Without the alterations the
 * same packets violate nothing of it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "rules/rules.h"
#include "rules/tests/cases.h"
#include "track/arena.h"
#include "track/tests/talk.h"

#define MIDDLE UET_VANTAGE_MIDDLE
#define START  UET_VANTAGE_INITIATOR
#define TARGET UET_VANTAGE_TARGET
#define BOTH   UET_VANTAGE_BOTH

/* Packets beside those of the talk; each comes a millisecond after what was before it. */
enum { X0 = TALK_N, X1, X2, X3, EXTRA = 4, END = 255, GIVEN = 40, MAX_VIOLATIONS = 16 };

#define US 1000u
#define MS 1000000u

struct stage {
    struct talk talk;
    struct talk_packet extra[EXTRA];
    uint8_t spec;        /* enum uet_spec_version */
    uint32_t sdi[EXTRA]; /* the extra packet was opened and had this SDI; 0: it was not sealed */
};

struct script {
    const char *requirement;
    uint8_t vantage;
    void (*alter)(struct stage *s);
    uint8_t from, to; /* all packets of the talk between, both included; to 0: none */
    uint8_t then[12]; /* after them; ends with END */
};

static struct talk_packet *at(struct stage *s, unsigned name)
{
    return name < TALK_N ? &s->talk.packet[name] : &s->extra[name - TALK_N];
}

static uint8_t *pds(struct stage *s, unsigned name)
{
    return talk_pds(at(s, name));
}

static uint8_t *ses(struct stage *s, unsigned name)
{
    return talk_ses(at(s, name));
}

/* An extra packet: a copy of one of the talk. Its PDS header. */
static uint8_t *extra(struct stage *s, unsigned name, enum talk_name from)
{
    *at(s, name) = s->talk.packet[from];
    return pds(s, name);
}

static uint8_t *ip(struct stage *s, unsigned name)
{
    return at(s, name)->frame + UET_ETH_BYTES;
}

static void set_entropy(struct stage *s, unsigned name, uint16_t entropy)
{
    uet_udp_src_port_set(ip(s, name) + UET_IPV4_BYTES, entropy);
}

static void add_psn(struct stage *s, unsigned name, uint32_t n)
{
    uet_rud_rod_req_psn_set(pds(s, name), uet_rud_rod_req_psn(pds(s, name)) + n);
}

static void set_opcode(struct stage *s, unsigned name, uint8_t opcode)
{
    uet_ses_req_opcode_set(ses(s, name), opcode);
}

/* ---- opening ---- */

static void begins_inside(struct stage *s)
{
    uet_ses_req_som_set(ses(s, TALK_SYN0), false);
}

static void for_pdcid_0(struct stage *s)
{
    uet_ack_dpdcid_set(pds(s, TALK_ACK0), 0);
}

static void opens_again(struct stage *s)
{
    extra(s, X0, TALK_TRIM_SYN0);
    add_psn(s, X0, 0x100000);
}

static void same_tpdcid(struct stage *s)
{
    uet_ack_spdcid_set(pds(s, TALK_ROD_ACK0), uet_ack_spdcid(pds(s, TALK_TRIM_ACK0)));
}

static void counts_up(struct stage *s)
{
    for (unsigned i = 0; i < 4; i++) {
        uint8_t *h = extra(s, X0 + i, TALK_TRIM_SYN0);
        add_psn(s, X0 + i, 16 * i);
        uet_rud_rod_req_spdcid_set(h, (uint16_t)(0x700 + i));
    }
}

static void two_sdis(struct stage *s)
{
    extra(s, X0, TALK_SYN0);
    extra(s, X1, TALK_SYN1);
    s->sdi[0] = 1;
    s->sdi[1] = 2;
}

static void two_tpdcids(struct stage *s)
{
    uet_ack_spdcid_set(extra(s, X0, TALK_ACK0), 0x2223);
}

static void new_start_ignored(struct stage *s)
{
    uint8_t *h = extra(s, X0, TALK_REFUSED_NACK);
    uet_nack_nack_code_set(h, UET_NACK_NEW_START_PSN);
    uet_nack_payload_set(h, 0x5000000);
    uet_rud_rod_req_psn_set(extra(s, X1, TALK_REFUSED), 0x6000000);
}

/* ---- the window ---- */

static void far_ahead(struct stage *s)
{
    add_psn(s, TALK_SYN1, 33000);
}

static void set_code(struct stage *s, unsigned name, uint8_t code)
{
    uet_nack_nack_code_set(pds(s, name), code);
}

static void window_refused(struct stage *s)
{
    set_code(s, TALK_TRIM_NACK1, UET_NACK_PSN_OOR_WINDOW);
}

static void acked_far_ahead(struct stage *s)
{
    add_psn(s, TALK_CC2, (uint32_t)-1);
    uint8_t *h = pds(s, TALK_CCX2);
    uet_ack_cack_psn_set(h, uet_ack_cack_psn(h) - 1 - 2000);
    uet_ack_ack_psn_offset_set(h, 2000);
}

/* ---- ACKs and clears ---- */

static void cc_type_5(struct stage *s)
{
    uet_ack_cc_type_set(pds(s, TALK_ACK0), 5);
}

static void set_ip_bytes(struct talk_packet *p, size_t uet)
{
    uint8_t *i = p->frame + UET_ETH_BYTES;
    p->len = UET_ETH_BYTES + UET_IPV4_BYTES + UET_UDP_BYTES + uet;
    uet_ipv4_total_length_set(i, (uint16_t)(p->len - UET_ETH_BYTES));
    uet_udp_length_set(i + UET_IPV4_BYTES, (uint16_t)(UET_UDP_BYTES + uet));
}

static void probed_elsewhere(struct stage *s)
{
    uint8_t *h = pds(s, TALK_PROBED);
    memset(h + UET_ACK_BYTES, 0, UET_ACK_CC_BYTES - UET_ACK_BYTES);
    uet_ack_type_set(h, UET_PDS_ACK_CC);
    uet_ack_cc_sack_psn_offset_set(h, 9);
    set_ip_bytes(at(s, TALK_PROBED), UET_ACK_CC_BYTES);
}

static void as_it_is(struct stage *s)
{
    (void)s;
}

static void not_default_again(struct stage *s)
{
    uet_rud_rod_req_retx_set(extra(s, X0, TALK_REQ2), true);
    uet_ack_retx_set(extra(s, X1, TALK_ACK2), true);
    uet_ses_rsp_opcode_set(ses(s, X1), UET_RSP_RESPONSE);
}

static void acked_above_close(struct stage *s)
{
    extra(s, X0, TALK_REQ8);
    add_psn(s, X0, 2);
    uint8_t *h = extra(s, X1, TALK_CLOSED);
    uet_ack_cack_psn_set(h, uet_ack_cack_psn(h) + 1);
}

/* The Close Command comes again and gets UET_CLOSING; no Close Request came before. */
static void closing_for_close(struct stage *s)
{
    uint8_t *h = extra(s, X0, TALK_NACK7);
    uet_nack_nack_code_set(h, UET_NACK_CLOSING);
    uet_nack_nack_psn_set(h, uet_cp_psn(pds(s, TALK_CLOSE)));
}

/* ---- NACKs ---- */

#define NACK7(name, code)                                                                          \
    static void name(struct stage *s)                                                              \
    {                                                                                              \
        set_code(s, TALK_NACK7, code);                                                             \
    }
NACK7(invalid_syn, UET_NACK_INVALID_SYN)
NACK7(no_pdc, UET_NACK_NO_PDC_AVAIL)
NACK7(no_ccc, UET_NACK_NO_CCC_AVAIL)
NACK7(no_bitmap, UET_NACK_NO_BITMAP)
NACK7(mode_mismatch, UET_NACK_PDC_MODE_MISMATCH)
NACK7(not_rcvd, UET_NACK_PKT_NOT_RCVD)
NACK7(with_data, UET_NACK_ACK_WITH_DATA)

static void inv_dpdcid_for_syn(struct stage *s)
{
    set_code(s, TALK_REFUSED_NACK, UET_NACK_INV_DPDCID);
}

/* TRIM_REQ1 as it was before the switch, refused, and acknowledged all the same. */
static void refused_then_acked(struct stage *s, uint8_t code)
{
    uet_rud_rod_req_retx_set(extra(s, X0, TALK_TRIM_REQ1_RETX), false);
    set_code(s, TALK_TRIM_NACK1, code);
    uet_ack_retx_set(pds(s, TALK_TRIM_ACK1), false);
}

#define REFUSED(name, code)                                                                        \
    static void name(struct stage *s)                                                              \
    {                                                                                              \
        refused_then_acked(s, code);                                                               \
    }
REFUSED(refused_oor, UET_NACK_PSN_OOR_WINDOW)
REFUSED(refused_gtd_del, UET_NACK_NO_GTD_DEL_AVAIL)
REFUSED(refused_buffer, UET_NACK_NO_PKT_BUFFER)
REFUSED(refused_trimmed, UET_NACK_TRIMMED)

/* ... and then the CACK_PSN of the ACK of the next PSN covers it. */
static void refused_then_covered(struct stage *s)
{
    refused_then_acked(s, UET_NACK_NO_RESOURCE);
}

static void sacked_and_resent(struct stage *s)
{
    uet_ack_ack_psn_offset_set(pds(s, TALK_ACKCC4), 0);
    uet_rud_rod_req_retx_set(extra(s, X0, TALK_REQ4), true);
}

#define FATAL(name, code, again)                                                                   \
    static void name(struct stage *s)                                                              \
    {                                                                                              \
        set_code(s, TALK_NACK7, code);                                                             \
        extra(s, X0, again);                                                                       \
    }
FATAL(new_after_mismatch, UET_NACK_PDC_HDR_MISMATCH, TALK_REQ8)
FATAL(new_after_closing, UET_NACK_CLOSING, TALK_REQ8)
FATAL(again_after_closing_in_err, UET_NACK_CLOSING_IN_ERR, TALK_REQ7_RETX)
FATAL(again_after_gtd_resp, UET_NACK_GTD_RESP_UNAVAIL, TALK_REQ7_RETX)

static void cleared_and_resent(struct stage *s)
{
    uet_rud_rod_req_retx_set(extra(s, X0, TALK_REQ2), true);
}

/* ---- trimmed packets ---- */

static void trim(struct stage *s, unsigned name, size_t payload)
{
    struct talk_packet *p = at(s, name);
    p->len -= payload;
    uet_ipv4_dscp_set(ip(s, name), TALK_DSCP_TRIMMED);
    uet_ipv4_total_length_set(ip(s, name), (uint16_t)(p->len - UET_ETH_BYTES));
}

static void trimmed_syn(struct stage *s)
{
    trim(s, TALK_TRIM_SYN0, 16);
}

static void trimmed_acked(struct stage *s)
{
    uet_ack_retx_set(pds(s, TALK_TRIM_ACK1), false);
}

static void trimmed_lasthop(struct stage *s)
{
    set_code(s, TALK_TRIM_NACK1, UET_NACK_TRIMMED_LASTHOP);
}

static void trimmed_m(struct stage *s)
{
    uet_nack_m_set(pds(s, TALK_TRIM_NACK1), false);
}

static void trimmed_entropy(struct stage *s)
{
    set_entropy(s, TALK_TRIM_NACK1, 0x1234);
}

static void trimmed_cp(struct stage *s)
{
    trim(s, TALK_TRIM_CLOSE, 0);
}

/* ---- ROD ---- */

static void sprayed(struct stage *s)
{
    extra(s, X0, TALK_ROD_ACK0);
    set_entropy(s, TALK_ROD_REQ1, 0x5001);
    set_entropy(s, TALK_ROD_REQ2, 0x5002);
    set_entropy(s, TALK_ROD_READ3, 0x5001);
}

static void rod_opened_ahead(struct stage *s)
{
    add_psn(s, TALK_ROD_SYN0, 1);
    uet_rud_rod_req_psn_offset_set(pds(s, TALK_ROD_SYN0), 1);
    uint8_t *h = pds(s, TALK_ROD_ACK0);
    uet_ack_cack_psn_set(h, uet_ack_cack_psn(h) - 1);
    uet_ack_ack_psn_offset_set(h, 2);
}

static void no_retx_acks(struct stage *s)
{
    uet_ack_retx_set(pds(s, TALK_ROD_ACK1), false);
    uet_ack_retx_set(pds(s, TALK_ROD_ACK2), false);
}

static void sacked_ahead(struct stage *s)
{
    uint8_t *h = extra(s, X0, TALK_ROD_ACK0);
    uet_ack_cc_sack_psn_offset_set(h, 2);
    uet_ack_cc_sack_bitmap_set(h, 1);
}

static void expected_itself(struct stage *s)
{
    uet_nack_payload_set(pds(s, TALK_ROD_OOO2), uet_nack_nack_psn(pds(s, TALK_ROD_OOO2)));
}

/* PSN S+1 never came, and the NACK expects S+2 of the SYN's successor S+3. */
static void expected_beyond(struct stage *s)
{
    add_psn(s, TALK_ROD_REQ2, 1);
    uint8_t *h = pds(s, TALK_ROD_OOO2);
    uet_nack_nack_psn_set(h, uet_nack_nack_psn(h) + 1);
    uet_nack_payload_set(h, uet_nack_payload(h) + 1);
}

static void late_ack(struct stage *s)
{
    extra(s, X0, TALK_ROD_ACK0);
}

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
static void fetched_without_clear(struct stage *s)
{
    set_opcode(s, TALK_ROD_READ3, UET_OP_FETCHING_ATOMIC);
    talk_resize(at(s, TALK_ROD_READ3), UET_SES_EXT_ATOMIC_BYTES + 8);
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
    refuse(s, X0, UET_NACK_PDC_HDR_MISMATCH);
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
static void acked_ok(struct stage *s)
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
static void bytes_behind(struct stage *s)
{
    talk_resize(at(s, TALK_REQ2), 8);
}

/* A single packet with more bytes than its message has. */
static void single_too_long(struct stage *s)
{
    acked_ok(s);
    uet_ses_req_std_request_length_set(ses(s, TALK_REQ3), 60);
}

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

static void uud_id(struct stage *s)
{
    uet_ses_req_std_message_id_set(ses(s, TALK_UUD), 5);
}

static void uud_parts(struct stage *s)
{
    uet_ses_req_eom_set(ses(s, TALK_UUD), false);
}

static void uud_error(struct stage *s)
{
    set_opcode(s, TALK_UUD, UET_OP_MSG_ERROR);
}

static void uud_write(struct stage *s)
{
    set_opcode(s, TALK_UUD, UET_OP_WRITE);
}

static const struct script scripts[] = {
    {"PDS-008", BOTH, begins_inside, .then = {TALK_SYN0, END}},
    {"TSS-045", MIDDLE, two_sdis, .then = {X0, X1, END}},
    {"PDS-017", MIDDLE, for_pdcid_0, .then = {TALK_SYN0, TALK_ACK0, END}},
    {"PDS-018", START, opens_again, .then = {TALK_TRIM_SYN0, TALK_TRIM_ACK0, X0, END}},
    {"PDS-018", BOTH, same_tpdcid,
     .then = {TALK_TRIM_SYN0, TALK_TRIM_ACK0, TALK_ROD_SYN0, TALK_ROD_ACK0, END}},
    {"PDS-026", MIDDLE, counts_up, .then = {X0, X1, X2, X3, END}},
    {"PDS-031", BOTH, two_tpdcids, .then = {TALK_SYN0, TALK_SYN1, TALK_ACK0, X0, END}},
    {"TSS-064", START, new_start_ignored, .then = {TALK_REFUSED, X0, X1, END}},
    {"PDS-062", BOTH, far_ahead, .then = {TALK_SYN0, TALK_SYN1, END}},
    {"PDS-063", TARGET, window_refused,
     .then = {TALK_TRIM_SYN0, TALK_TRIM_ACK0, TALK_TRIM_REQ1, TALK_TRIM_NACK1, END}},
    {"PDS-067", TARGET, acked_far_ahead,
     .then = {TALK_TRIM_SYN0, TALK_TRIM_ACK0, TALK_CC2, TALK_CCX2, END}},
    {"PDS-113", MIDDLE, cc_type_5, .then = {TALK_SYN0, TALK_ACK0, END}},
    {"PDS-194", BOTH, probed_elsewhere,
     .then = {TALK_SYN_AGAIN, TALK_ACK_AGAIN, TALK_PROBE, TALK_PROBED, END}},
    {"PDS-074",
     TARGET,
     as_it_is,
     TALK_SYN0,
     TALK_ACK5,
     {TALK_CLEAR5, TALK_REQ5_RETX, TALK_ACK5_AGAIN, END}},
    {"PDS-088", MIDDLE, not_default_again, TALK_SYN0, TALK_ACK2, {X0, X1, END}},
    {"PDS-212", TARGET, acked_above_close, TALK_SYN0, TALK_CLOSE, {X0, X1, END}},
    {"PDS-212", TARGET, closing_for_close, TALK_SYN0, TALK_ACK8, {TALK_CLOSE, X0, END}},
    {"PDS-037", START, invalid_syn, TALK_SYN0, TALK_NACK7, {END}},
    {"PDS-038", START, inv_dpdcid_for_syn, .then = {TALK_REFUSED, TALK_REFUSED_NACK, END}},
    {"PDS-041", START, no_pdc, TALK_SYN0, TALK_NACK7, {END}},
    {"PDS-042", START, no_ccc, TALK_SYN0, TALK_NACK7, {END}},
    {"PDS-043", START, no_bitmap, TALK_SYN0, TALK_NACK7, {END}},
    {"PDS-007", START, mode_mismatch, TALK_SYN0, TALK_NACK7, {END}},
    {"PDS-191", START, not_rcvd, TALK_SYN0, TALK_NACK7, {END}},
    {"PDS-192", START, with_data, TALK_SYN0, TALK_NACK7, {END}},
    {"PDS-067", TARGET, refused_oor,
     .then = {TALK_TRIM_SYN0, TALK_TRIM_ACK0, X0, TALK_TRIM_NACK1, TALK_TRIM_ACK1, END}},
    {"PDS-091", TARGET, refused_gtd_del,
     .then = {TALK_TRIM_SYN0, TALK_TRIM_ACK0, X0, TALK_TRIM_NACK1, TALK_TRIM_ACK1, END}},
    {"PDS-149", TARGET, refused_buffer,
     .then = {TALK_TRIM_SYN0, TALK_TRIM_ACK0, X0, TALK_TRIM_NACK1, TALK_TRIM_ACK1, END}},
    {"PDS-149", BOTH, refused_then_covered,
     .then = {TALK_TRIM_SYN0, TALK_TRIM_ACK0, X0, TALK_TRIM_NACK1, TALK_CC2, TALK_CCX2, END}},
    {"PDS-116", START, sacked_and_resent, TALK_SYN0, TALK_ACKCC4, {X0, END}},
    {"PDS-138", START, new_after_mismatch, TALK_SYN0, TALK_NACK7, {X0, END}},
    {"PDS-139", START, new_after_closing, TALK_SYN0, TALK_NACK7, {X0, END}},
    {"PDS-140", START, again_after_closing_in_err, TALK_SYN0, TALK_NACK7, {X0, END}},
    {"PDS-141", START, again_after_gtd_resp, TALK_SYN0, TALK_NACK7, {X0, END}},
    {"PDS-162", START, cleared_and_resent, TALK_SYN0, TALK_ACK3, {X0, END}},
    {"PDS-044", TARGET, trimmed_syn, .then = {TALK_TRIM_SYN0, TALK_TRIM_ACK0, END}},
    {"PDS-216", TARGET, refused_trimmed,
     .then = {TALK_TRIM_SYN0, TALK_TRIM_ACK0, X0, TALK_TRIM_NACK1, END}},
    {"PDS-218", TARGET, trimmed_lasthop,
     .then = {TALK_TRIM_SYN0, TALK_TRIM_ACK0, TALK_TRIM_REQ1, TALK_TRIM_NACK1, END}},
    {"PDS-219", TARGET, trimmed_acked,
     .then = {TALK_TRIM_SYN0, TALK_TRIM_ACK0, TALK_TRIM_REQ1, TALK_TRIM_ACK1, END}},
    {"PDS-219", TARGET, as_it_is,
     .then = {TALK_TRIM_SYN0, TALK_TRIM_ACK0, TALK_TRIM_REQ1, TALK_CC2, TALK_CCX2, END}},
    {"PDS-221", TARGET, trimmed_m,
     .then = {TALK_TRIM_SYN0, TALK_TRIM_ACK0, TALK_TRIM_REQ1, TALK_TRIM_NACK1, END}},
    {"PDS-221", TARGET, trimmed_entropy,
     .then = {TALK_TRIM_SYN0, TALK_TRIM_ACK0, TALK_TRIM_REQ1, TALK_TRIM_NACK1, END}},
    {"PDS-224", TARGET, trimmed_cp, TALK_TRIM_SYN0, TALK_TRIM_CLOSED, {END}},
    {"PDS-004", START, sprayed,
     .then = {TALK_ROD_SYN0, X0, TALK_ROD_REQ1, TALK_ROD_REQ2, TALK_ROD_READ3, END}},
    {"PDS-030", BOTH, rod_opened_ahead, .then = {TALK_ROD_SYN0, TALK_ROD_ACK0, END}},
    {"PDS-111",
     TARGET,
     no_retx_acks,
     TALK_ROD_SYN0,
     TALK_ROD_REQ2,
     {TALK_ROD_ACK2, TALK_ROD_ACK1, END}},
    {"PDS-165", MIDDLE, expected_itself, TALK_ROD_SYN0, TALK_ROD_OOO2, {END}},
    {"PDS-165", TARGET, expected_beyond,
     .then = {TALK_ROD_SYN0, TALK_ROD_ACK0, TALK_ROD_REQ2, TALK_ROD_OOO2, END}},
    {"PDS-166", TARGET, no_retx_acks,
     .then = {TALK_ROD_SYN0, TALK_ROD_ACK0, TALK_ROD_REQ2, TALK_ROD_ACK2, END}},
    {"PDS-166", TARGET, sacked_ahead,
     .then = {TALK_ROD_SYN0, TALK_ROD_ACK0, TALK_ROD_REQ2, X0, END}},
    {"PDS-166", TARGET, no_retx_acks, TALK_ROD_SYN0, TALK_ROD_OOO2, {TALK_ROD_ACK2, END}},
    {"PDS-167", START, as_it_is, TALK_ROD_SYN0, TALK_ROD_OOO2, {TALK_ROD_REQ2_RETX, END}},
    {"PDS-168", START, late_ack,
     .then = {TALK_ROD_SYN0, X0, TALK_ROD_REQ1, TALK_ROD_REQ2, TALK_ROD_OOO2, TALK_ROD_REQ1_RETX,
              TALK_ROD_REQ2_RETX, TALK_ROD_REQ1_RETX, END}},
    {"PDS-169", TARGET, data_of_message_4, TALK_ROD_SYN0, TALK_ROD_DATA1, {END}},
    {"PDS-120", MIDDLE, data_of_message_4, TALK_ROD_SYN0, TALK_ROD_DATA1, {END}},
    {"PDS-013", BOTH, data_of_nothing, TALK_ROD_SYN0, TALK_ROD_DATA0, {END}},
    {"PDS-013", MIDDLE, data_from_initiator, TALK_ROD_SYN0, TALK_ROD_ACK5, {X0, END}},
    {"PDS-014", MIDDLE, restart_returns, TALK_ROD_SYN0, TALK_ROD_ACK0, {X0, END}},
    {"PDS-215", START, closed_while_reading,
     .then = {TALK_ROD_SYN0, TALK_ROD_ACK0, TALK_ROD_READ4, TALK_ROD_READ5, TALK_ROD_ACK5,
              TALK_ROD_CLOSE, END}},
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
#define N_SCRIPTS (sizeof scripts / sizeof *scripts)

struct court {
    struct uet_track_arena arena;
    struct uet_track *track;
    struct uet_rules *rules;
    uint64_t now;
    struct uet_violation found[MAX_VIOLATIONS];
    size_t n;
};

static void open_court(struct court *c, uint8_t vantage, uint8_t spec)
{
    *c = (struct court){.now = MS};
    uet_track_arena_init(&c->arena, 0);
    const struct uet_track_config track = {.vantage = vantage,
                                           .from_start = true,
                                           .dscp_trimmed = UINT64_C(1) << TALK_DSCP_TRIMMED |
                                                           UINT64_C(1) << TALK_DSCP_LASTHOP,
                                           .dscp_trimmed_lasthop = UINT64_C(1) << TALK_DSCP_LASTHOP,
                                           .allocator = uet_track_arena_allocator(&c->arena)};
    const struct uet_rules_config rules = {.vantage = vantage, .spec = spec};
    c->track = uet_track_new(&track);
    c->rules = uet_rules_new(&rules, &track.allocator);
}

/* As if it had been sealed: its TSS header stands behind what is parsed. */
static const struct uet_tracked *give_opened(struct court *c, struct talk_packet *p, uint32_t sdi)
{
    struct uet_packet packet;
    const struct uet_parse_options options = {.lenient = true};
    uet_parse(&packet, p->frame, p->len, &options);
    packet.tss = UET_H_TSS_HDR_12;
    packet.tss_offset = (uint16_t)p->len;
    memset(p->frame + p->len, 0, UET_TSS_HDR_12_BYTES);
    uet_tss_hdr_sdi_set(p->frame + p->len, sdi);
    return uet_track_add_packet(c->track, &packet, c->now);
}

static void give(struct court *c, struct stage *s, unsigned name)
{
    struct talk_packet p = *at(s, name);
    talk_mend(&p);
    c->now += name < TALK_N ? US : MS;
    uint32_t sdi = name < TALK_N ? 0 : s->sdi[name - TALK_N];
    const struct uet_tracked *t =
        sdi ? give_opened(c, &p, sdi) : uet_track_add(c->track, p.frame, p.len, c->now);
    assert_non_null(t);
    c->n = uet_rules_check(c->rules, t, c->found, MAX_VIOLATIONS);
}

static bool fired(const struct court *c, const char *requirement)
{
    for (size_t i = 0; i < c->n; i++)
        if (strcmp(c->found[i].requirement, requirement) == 0)
            return true;
    return false;
}

static size_t list(const struct script *k, uint8_t *out)
{
    size_t n = 0;
    for (unsigned i = k->from; k->to && i <= k->to; i++)
        out[n++] = (uint8_t)i;
    for (unsigned i = 0; k->then[i] != END; i++)
        out[n++] = k->then[i];
    return n;
}

static void play(const struct script *k)
{
    static struct stage s;
    struct court c;
    uint8_t given[GIVEN];
    memset(&s, 0, sizeof s);
    talk_default(&s.talk);
    talk_write(&s.talk);
    k->alter(&s);
    size_t n = list(k, given);
    assert_true(n && n <= GIVEN);
    open_court(&c, k->vantage, s.spec);
    for (size_t i = 0; i < n; i++) {
        give(&c, &s, given[i]);
        if (i + 1 < n && fired(&c, k->requirement))
            fail_msg("%s fires on packet %u already", k->requirement, given[i]);
    }
    if (!fired(&c, k->requirement)) {
        for (size_t i = 0; i < c.n; i++)
            print_error("  fired: %s %s\n", c.found[i].requirement, c.found[i].message);
        fail_msg("script %zu: %s did not fire", (size_t)(k - scripts), k->requirement);
    }
    uet_track_arena_free(&c.arena);
}

static void each_script_shows_its_violation(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_SCRIPTS; i++)
        play(&scripts[i]);
}

/* What a later version brought is not held against an earlier one. */
static void versions(void **state)
{
    (void)state;
    static const struct {
        void (*alter)(struct stage *s);
        unsigned name;
        const char *requirement;
    } since_1_0_3[] = {{uud_id, TALK_UUD, "SES-035"}, {uud_error, TALK_UUD, "SES-037"}};
    static struct stage s;
    for (size_t i = 0; i < sizeof since_1_0_3 / sizeof *since_1_0_3; i++)
        for (uint8_t spec = UET_VERSION_1_0_3; spec <= UET_VERSION_1_0_1; spec++) {
            struct court c;
            talk_default(&s.talk);
            talk_write(&s.talk);
            since_1_0_3[i].alter(&s);
            open_court(&c, MIDDLE, spec);
            give(&c, &s, since_1_0_3[i].name);
            assert_int_equal(fired(&c, since_1_0_3[i].requirement), spec == UET_VERSION_1_0_3);
            uet_track_arena_free(&c.arena);
        }
}

/* Only an ACK Request about a CP may get a response, and only a default one (3.5.16.2). */
static void response_about_a_cp(void **state)
{
    (void)state;
    static struct stage s;
    for (int asked = 0; asked < 2; asked++)
        for (int i = 0; i < 3; i++) {
            static const uint8_t opcodes[] = {UET_RSP_DEFAULT_RESPONSE, UET_RSP_NO_RESPONSE,
                                              UET_RSP_RESPONSE};
            struct court c;
            talk_default(&s.talk);
            talk_write(&s.talk);
            uint32_t psn = uet_cp_psn(pds(&s, TALK_NOOP6));
            uet_cp_psn_set(pds(&s, TALK_ASK8), psn);
            uet_ack_cack_psn_set(pds(&s, TALK_ACK8), psn);
            uet_ses_rsp_opcode_set(ses(&s, TALK_ACK8), opcodes[i]);
            open_court(&c, MIDDLE, UET_VERSION_1_0_3);
            for (unsigned name = TALK_SYN0; name <= TALK_NOOP6; name++)
                give(&c, &s, name);
            if (asked)
                give(&c, &s, TALK_ASK8);
            give(&c, &s, TALK_ACK8);
            assert_int_equal(fired(&c, "PDS-109"), !asked || opcodes[i] == UET_RSP_RESPONSE);
            uet_track_arena_free(&c.arena);
        }
}

/*
 * What stands behind the payload that payload_length tells is no payload (3.4.1.7), and a packet
 * with SOM=1, which tells none, may be cut to request_length: a target that takes them breaks
 * nothing.
 */
static void surplus_bytes_are_no_payload(void **state)
{
    (void)state;
    static const struct script quiet[] = {
        {"SES-047", TARGET, bytes_behind, TALK_SYN0, TALK_REQ2, {TALK_ACK2, END}},
        {"SES-047", TARGET, single_too_long, TALK_SYN0, TALK_REQ3, {X0, END}},
    };
    static struct stage s;
    for (size_t i = 0; i < sizeof quiet / sizeof *quiet; i++) {
        struct court c;
        uint8_t given[GIVEN];
        memset(&s, 0, sizeof s);
        talk_default(&s.talk);
        talk_write(&s.talk);
        quiet[i].alter(&s);
        size_t n = list(&quiet[i], given);
        open_court(&c, quiet[i].vantage, s.spec);
        for (size_t p = 0; p < n; p++) {
            give(&c, &s, given[p]);
            assert_false(fired(&c, quiet[i].requirement));
        }
        uet_track_arena_free(&c.arena);
    }
}

static bool has_case(const char *requirement)
{
    for (size_t i = 0; rule_case_at(i); i++)
        if (strcmp(rule_case_at(i)->requirement, requirement) == 0)
            return true;
    for (size_t i = 0; i < N_SCRIPTS; i++)
        if (strcmp(scripts[i].requirement, requirement) == 0)
            return true;
    return false;
}

/* A rule that nothing breaks proves nothing. */
static void each_rule_has_a_case(void **state)
{
    (void)state;
    unsigned missing = 0;
    for (size_t i = 0; i < uet_n_rules(); i++) {
        if (has_case(uet_rule(i)->requirement))
            continue;
        print_error("%s has no case: %s\n", uet_rule(i)->requirement, uet_rule(i)->title);
        missing++;
    }
    assert_int_equal(missing, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_script_shows_its_violation),
        cmocka_unit_test(versions),
        cmocka_unit_test(response_about_a_cp),
        cmocka_unit_test(surplus_bytes_are_no_payload),
        cmocka_unit_test(each_rule_has_a_case),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
