/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the fields of a right packet hold when nobody says otherwise. A row counts for a header or a
 * family, the first that fits; what has no row is 0. Conversations fit together: initiator
 * 192.0.2.11 with PDCID 0x1001, target 192.0.2.1 with 0x2001.
 */
#include <string.h>

#include "gen/internal.h"

#define IP6_HIGH ((gen_value)0x20010db800000000u << 64) /* 2001:db8:: */

static const struct row {
    const char *header; /* or family */
    const char *field;
    uint64_t value;
} defaults[] = {
    {"ipv4", "version", 4},
    {"ipv4", "ihl", 5},
    {"ipv4", "ecn", UET_ECN_ECT0},
    {"ipv4", "df", 1}, /* 3.5.10.1 */
    {"ipv4", "ttl", 64},
    {"ipv4", "src", 0xc000020b},
    {"ipv4", "dst", 0xc0000201},
    {"ipv6", "version", 6},
    {"ipv6", "ecn", UET_ECN_ECT0},
    {"ipv6", "hop_limit", 64},
    {"ipv6", "src", 0xb},
    {"ipv6", "dst", 0x1},
    {"vlan", "vid", 1},
    {"udp", "src_port", 0x4242},
    {"udp", "dst_port", UET_UDP_PORT},
    {"entropy", "entropy", 0x4242},
    {"tss_hdr", "type", UET_PDS_TSS},
    {"tss_hdr", "sdi", 1},
    {"tss_hdr", "tsc.counter", 1},

    {"rud_rod_req", "psn", 1},
    {"rud_rod_req", "clear_psn_offset", UINT64_MAX}, /* -1: all before it */
    {"rud_rod_req", "spdcid", 0x1001},
    {"rud_rod_req", "dpdcid", 0x2001},
    {"rud_rod_cc_req", "psn", 1},
    {"rud_rod_cc_req", "clear_psn_offset", UINT64_MAX},
    {"rud_rod_cc_req", "spdcid", 0x1001},
    {"rud_rod_cc_req", "dpdcid", 0x2001},
    {"ack", "cack_psn", 1},
    {"ack", "spdcid", 0x2001},
    {"ack", "dpdcid", 0x1001},
    {"ack", "mpr", 1},       /* 128 PSNs; 0 is contested */
    {"ack", "ccx_type", 14}, /* all others are reserved (Tables 3-49, 3-41) */
    {"nack", "nccx_type", 14},
    {"nack", "nack_code", UET_NACK_NO_PKT_BUFFER},
    {"nack", "nack_psn", 1},
    {"nack", "spdcid", 0x2001},
    {"nack", "dpdcid", 0x1001},
    {"nack_ccx", "nack_code", UET_NACK_NO_PKT_BUFFER},
    {"nack_ccx", "nack_psn", 1},
    {"nack_ccx", "spdcid", 0x2001},
    {"nack_ccx", "dpdcid", 0x1001},
    {"cp", "psn", 1},
    {"cp", "spdcid", 0x1001},
    {"cp", "dpdcid", 0x2001},
    {"rudi_req", "pkt_id", 1},
    {"rudi_resp", "pkt_id", 1},
    {"cp_payload_negotiation_on_off", "neg_type", UET_NEG_PDS_NEG_ON_OFF},
    {"cp_payload_negotiation_on_off", "neg_length", 2}, /* words, 3.5.16.7.1 */

    {"ses_req_no_op", "initiator", 0}, /* no use is known */
    {"ses_req_medium_msg", "opcode", UET_OP_SEND},
    {"ses_req", "opcode", UET_OP_WRITE},
    {"ses_req", "som", 1},
    {"ses_req", "eom", 1},
    {"ses_req", "message_id", 1},
    {"ses_req", "job_id", 1},
    {"ses_req", "resource_index", 1},
    {"ses_req", "initiator", 1},
    {"ses_req", "initiator_restart_token", 1}, /* nonzero */
    {"ses_rsp_data", "opcode", UET_RSP_RESPONSE_W_DATA},
    {"ses_rsp_data", "return_code", UET_RC_OK},
    {"ses_rsp_data", "job_id", 1},
    {"ses_rsp_data", "read_request_message_id", 1},
    {"ses_rsp_data_small", "opcode", UET_RSP_RESPONSE_W_DATA},
    {"ses_rsp_data_small", "return_code", UET_RC_OK},
    {"ses_rsp_data_small", "job_id", 1},
    {"ses_rsp_data_small", "original_request_psn", 1},
    {"ses_rsp", "opcode", UET_RSP_RESPONSE},
    {"ses_rsp", "return_code", UET_RC_OK},
    {"ses_rsp", "message_id", 1},
    {"ses_rsp", "job_id", 1},
};

enum { N_ROWS = sizeof defaults / sizeof *defaults };

static bool is_of(const struct row *row, const struct uet_header *h)
{
    return strcmp(row->header, h->name) == 0 || strcmp(row->header, h->family) == 0;
}

static gen_value value_of(const struct row *row, const struct uet_field *f)
{
    if (f->kind == UET_KIND_RESERVED) /* a NACK of a RUDI packet has no PDCIDs (3.5.10.10) */
        return 0;
    if (f->kind == UET_KIND_INT)
        return (gen_value)(__int128)(int64_t)row->value;
    return f->kind == UET_KIND_IPV6 ? row->value | IP6_HIGH : row->value;
}

gen_value gen_default(enum uet_header_id id, const struct uet_field *f)
{
    for (size_t i = 0; i < N_ROWS; i++)
        if (strcmp(defaults[i].field, f->name) == 0 && is_of(&defaults[i], &uet_headers[id]))
            return value_of(&defaults[i], f);
    return 0;
}

void gen_defaults_put(enum uet_header_id id, uint8_t *bytes)
{
    const struct uet_header *h = &uet_headers[id];
    for (size_t i = N_ROWS; i-- > 0;) { /* backwards: the first that fits has the last word */
        if (!is_of(&defaults[i], h))
            continue;
        for (size_t k = 0; k < h->n_fields; k++)
            if (strcmp(defaults[i].field, h->fields[k]->name) == 0)
                gen_value_set(h->fields[k], bytes, value_of(&defaults[i], h->fields[k]));
    }
}
