/* SPDX-License-Identifier: BSD-2-Clause */
/* Scripts of PDCs: opening, windows, ACKs, NACKs, trimmed packets, ROD. */
#include "rules/tests/scripts.h"

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
    s->sealed[0].sdi = 1;
    s->sealed[1].sdi = 2;
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

/* Packets of 1024 bytes of payload, of which two fit into the window of the scripts. */
static void three_at_once(struct stage *s)
{
    extra(s, X0, TALK_SYN1);
    add_psn(s, X0, 1);
    uet_rud_rod_req_psn_offset_set(pds(s, X0), 2);
}

static void three_behind_ack(struct stage *s)
{
    for (unsigned i = 0; i < 2; i++) {
        extra(s, X0 + i, TALK_SYN1);
        add_psn(s, X0 + i, 1 + i);
        uet_rud_rod_req_psn_offset_set(pds(s, X0 + i), (uint16_t)(2 + i));
    }
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

static void ccx_type_1(struct stage *s)
{
    uet_ack_ccx_type_set(pds(s, TALK_CCX2), 1);
}

static void set_ip_bytes(struct talk_packet *p, size_t uet)
{
    uint8_t *i = p->frame + UET_ETH_BYTES;
    p->len = UET_ETH_BYTES + UET_IPV4_BYTES + UET_UDP_BYTES + uet;
    uet_ipv4_total_length_set(i, (uint16_t)(p->len - UET_ETH_BYTES));
    uet_udp_length_set(i + UET_IPV4_BYTES, (uint16_t)(UET_UDP_BYTES + uet));
}

/* ---- credit: 900 bytes of speculation, and packets of 1024 bytes of payload ---- */

/* The same as a CC Request, of one CCC. */
static void on_credit(struct stage *s, unsigned name, enum talk_name from)
{
    enum { MORE = UET_RUD_ROD_CC_REQ_BYTES - UET_RUD_ROD_REQ_BYTES };
    uint8_t *h = extra(s, name, from), *behind = h + UET_RUD_ROD_REQ_BYTES;
    struct talk_packet *p = at(s, name);
    const size_t rest = (size_t)(p->frame + p->len - behind);
    memmove(behind + MORE, behind, rest);
    memset(behind, 0, MORE);
    uet_rud_rod_req_type_set(h, UET_PDS_RUD_CC_REQ);
    uet_rud_rod_cc_req_ccc_id_set(h, 9);
    set_ip_bytes(p, UET_RUD_ROD_CC_REQ_BYTES + rest);
}

static void without_credit(struct stage *s)
{
    on_credit(s, X0, TALK_SYN0);
    for (unsigned i = 0; i < 3; i++) {
        on_credit(s, X1 + i, TALK_SYN1);
        add_psn(s, X1 + i, i);
        uet_rud_rod_req_psn_offset_set(pds(s, X1 + i), (uint16_t)(1 + i));
    }
}

/* X4 grants a unit: as little as nothing, but it was heard. */
static void a_unit(struct stage *s)
{
    uint8_t *h = extra(s, X4, TALK_RNOOP0);
    uet_cp_ctl_type_set(h, UET_CTL_CREDIT);
    uet_cp_ar_set(h, false);
    uet_cp_psn_set(h, 0);
    uet_cp_payload_credit_credit_set(h + UET_CP_BYTES - UET_CP_PAYLOAD_CREDIT_BYTES, 1);
}

static void beyond_credit(struct stage *s)
{
    without_credit(s);
    a_unit(s);
}

static void resent_beyond_credit(struct stage *s)
{
    on_credit(s, X0, TALK_SYN0);
    a_unit(s);
    for (unsigned i = 0; i < 3; i++)
        on_credit(s, X1 + i, TALK_REQ2);
    add_psn(s, X1, (uint32_t)-1);
    uet_rud_rod_req_retx_set(pds(s, X3), true);
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

void late_ack(struct stage *s)
{
    extra(s, X0, TALK_ROD_ACK0);
}

const struct script pds_scripts[] = {
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
    {"CMS-035", MIDDLE, ccx_type_1,
     .then = {TALK_TRIM_SYN0, TALK_TRIM_ACK0, TALK_CC2, TALK_CCX2, END}},
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
    {"CMS-037", START, three_at_once, .then = {TALK_SYN0, TALK_SYN1, X0, END}},
    {"CMS-081", START, without_credit, .then = {X0, X1, X2, X3, END}},
    {"CMS-077", TARGET, beyond_credit, .then = {X0, TALK_ACK0, X4, X1, X2, X3, END}},
    {"CMS-060", TARGET, resent_beyond_credit, .then = {X0, TALK_ACK0, X4, X1, X2, X3, END}},
    {"CMS-038", TARGET, three_behind_ack, .then = {TALK_SYN0, TALK_SYN1, TALK_ACK0, X0, X1, END}},
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
              TALK_ROD_REQ2_RETX, TALK_ROD_OOO2, TALK_ROD_REQ1_RETX, END}},
};

const size_t n_pds_scripts = sizeof pds_scripts / sizeof *pds_scripts;
