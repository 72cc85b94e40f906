/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads: a packet of the written talk, altered. */
#include "rules/tests/cases.h"

#define MIDDLE    UET_VANTAGE_MIDDLE
#define INITIATOR UET_VANTAGE_INITIATOR
#define TARGET    UET_VANTAGE_TARGET
#define BOTH      UET_VANTAGE_BOTH

SETS(as_it_is, (void)0)
SETS(of_message_77, uet_ses_rsp_data_read_request_message_id_set(s, 77))
SETS(of_message_1, uet_ses_rsp_data_read_request_message_id_set(s, 1))
SETS(req_none, uet_ack_req_set(h, UET_ACK_NO_REQUEST))
SETS(req_clear, uet_ack_req_set(h, UET_ACK_REQ_CLEAR))
SETS(next_hdr_5, uet_ack_next_hdr_set(h, UET_NH_RESPONSE_DATA))
SETS(length_9000, uet_ses_req_std_request_length_set(s, 9000))
SETS(asks_1000, uet_ses_req_std_payload_length_set(s, 1000))
SETS(asks_600, uet_ses_req_std_payload_length_set(s, 600))
SETS(from_1000, uet_ses_req_std_message_offset_set(s, 1000))
SETS(data_9000, uet_ses_rsp_data_payload_length_set(s, 9000))
SETS(data_1000, uet_ses_rsp_data_payload_length_set(s, 1000))
SETS(data_at_1000, uet_ses_rsp_data_message_offset_set(s, 1000))
SETS(modified_17, uet_ses_rsp_data_modified_length_set(s, 17))
SETS(other_psn, uet_ses_rsp_data_small_original_request_psn_set(s, 5))
SETS(bad_addr, uet_ses_rsp_return_code_set(s, UET_RC_BAD_ADDR))

ALTER(cack_above)
{
    uet_ack_cack_psn_set(h, uet_ack_cack_psn(h) + 1);
    uet_ack_ack_psn_offset_set(h, (int16_t)(uet_ack_ack_psn_offset(h) - 1));
}

ALTER(cack_below)
{
    uet_ack_cack_psn_set(h, uet_ack_cack_psn(h) - 1);
    uet_ack_ack_psn_offset_set(h, (int16_t)(uet_ack_ack_psn_offset(h) + 1));
}

SETS(with_payload, talk_resize(p, 8))

ALTER(ok_of_part)
{
    (void)p;
    (void)h;
    uet_ses_rsp_return_code_set(s, UET_RC_OK);
    uet_ses_rsp_modified_length_set(s, 512);
}

ALTER(ok_of_nothing)
{
    uet_ses_rsp_return_code_set(s, UET_RC_OK);
    uet_ses_rsp_modified_length_set(s, 0);
}

static const struct rule_case cases[] = {
    {"PDS-013", TALK_READ_DATA0, of_message_77, INITIATOR, .from = TALK_READ_SYN0},
    {"PDS-013", TALK_READ_DATA0, of_message_77, TARGET, .from = TALK_READ_SYN0},
    {"PDS-013", TALK_ROD_DATA0, of_message_1, MIDDLE, .from = TALK_ROD_SYN0},
    {"PDS-077", TALK_READ_ACK3, cack_above, MIDDLE, .from = TALK_READ_SYN0},
    {"PDS-077", TALK_ROD_ACK3, cack_above, MIDDLE, .from = TALK_ROD_SYN0},
    {"PDS-079", TALK_ROD_ACK2, cack_below, TARGET, .from = TALK_ROD_SYN0},
    {"PDS-118", TALK_READ_ACK3, req_none, MIDDLE, .from = TALK_READ_SYN0},
    {"PDS-118", TALK_ROD_ACK3, req_none, MIDDLE, .from = TALK_ROD_SYN0},
    {"PDS-119", TALK_ROD_ACK3, data_9000, MIDDLE, .from = TALK_ROD_SYN0},
    {"PDS-119", TALK_READ_ACK0, req_clear, BOTH, .from = TALK_READ_SYN0},
    {"PDS-120", TALK_ROD_READ3, length_9000, MIDDLE, TALK_ROD_SYN0, .until = TALK_ROD_ACK3},
    {"PDS-121", TALK_READ_RACK1, next_hdr_5, MIDDLE, .from = TALK_READ_SYN0},
    {"PDS-192", TALK_READ_NACK3, as_it_is, TARGET, TALK_READ_SYN0, .omit = TALK_READ_ACK3},
    {"PDS-211", TALK_READ_CLOSED, as_it_is, TARGET, TALK_READ_SYN0, .omit = TALK_READ_RACK5},
    {"SES-071", TALK_READ_REQ1, asks_1000, MIDDLE, .from = TALK_READ_REQ1},
    {"SES-071", TALK_READ_REQ2, asks_600, MIDDLE, .from = TALK_READ_REQ2},
    {"SES-071", TALK_READ_BAD4, length_9000, MIDDLE, .from = TALK_READ_BAD4},
    {"SES-071", TALK_READ_REQ1, from_1000, MIDDLE, .from = TALK_READ_SYN0},
    {"SES-072", TALK_READ_BAD4, with_payload, MIDDLE, .from = TALK_READ_BAD4},
    {"SES-077", TALK_ROD_ACK3, of_message_77, MIDDLE, .from = TALK_ROD_SYN0},
    {"SES-077", TALK_RUDI_DATA4, of_message_77, MIDDLE, .from = TALK_RUDI_READ4},
    {"SES-078", TALK_READ_DATA0, data_1000, MIDDLE, .from = TALK_READ_DATA0},
    {"SES-078", TALK_READ_DATA1, data_at_1000, MIDDLE, .from = TALK_READ_SYN0},
    {"SES-078", TALK_ROD_ACK3, data_at_1000, MIDDLE, .from = TALK_ROD_SYN0},
    {"SES-078", TALK_RUDI_DATA4, data_at_1000, MIDDLE, .from = TALK_RUDI_READ4},
    {"SES-079", TALK_READ_DATA0, modified_17, MIDDLE, .from = TALK_READ_SYN0},
    {"SES-079", TALK_RUDI_DATA4, modified_17, MIDDLE, .from = TALK_RUDI_READ4},
    {"SES-081", TALK_READ_ACK3, other_psn, MIDDLE, .from = TALK_READ_ACK3},
    {"PDS-121", TALK_READ_RACK2, ok_of_part, MIDDLE, .from = TALK_READ_SYN0},
    {"PDS-121", TALK_READ_RACK2, ok_of_nothing, MIDDLE, .from = TALK_READ_SYN0},
    {"SES-084", TALK_READ_DATA0, bad_addr, MIDDLE, .from = TALK_READ_DATA0},
};

const struct rule_cases read_cases = {cases, sizeof cases / sizeof *cases};
