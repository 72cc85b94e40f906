/* SPDX-License-Identifier: BSD-2-Clause */
/* What the packets of golden_bytes.h mean. */
#include "wire/tests/golden.h"

#include "wire/tests/golden_build.h"
#include "wire/tests/golden_bytes.h"

/* name, its bytes and its builder */
#define PACKET(n) .name = #n, .bytes = (n), .len = sizeof(n), .build = build_##n

const struct golden golden[] = {
    {
        PACKET(syn_write),
        .line = "192.0.2.1 > 192.0.2.2 RUD_REQ syn ar psn=0x12345678+0 0x1001>new WRITE id=7 job=1 "
                "pid=3 ri=5 off=64 len=4 init=42 key=0xdeadbeef som eom dc +4 bytes",
        .pds_offset = 42,
        .ses_offset = 54,
        .payload_offset = 98,
        .payload_len = 4,
        .fields =
            {
                {UET_H_ETH, "ethertype", 0x0800},
                {UET_H_IPV4, "total_length", 88},
                {UET_H_IPV4, "dscp", 0},
                {UET_H_IPV4, "ecn", UET_ECN_ECT0},
                {UET_H_IPV4, "df", 1},
                {UET_H_IPV4, "ttl", 64},
                {UET_H_UDP, "src_port", 0x4242},
                {UET_H_UDP, "length", 68},
                {UET_H_UDP, "checksum", 0},
                {UET_H_RUD_ROD_REQ_SYN, "type", UET_PDS_RUD_REQ},
                {UET_H_RUD_ROD_REQ_SYN, "next_hdr", UET_NH_REQUEST_STD},
                {UET_H_RUD_ROD_REQ_SYN, "retx", 0},
                {UET_H_RUD_ROD_REQ_SYN, "ar", 1},
                {UET_H_RUD_ROD_REQ_SYN, "syn", 1},
                {UET_H_RUD_ROD_REQ_SYN, "clear_psn_offset", 0},
                {UET_H_RUD_ROD_REQ_SYN, "psn", 0x12345678},
                {UET_H_RUD_ROD_REQ_SYN, "spdcid", 0x1001},
                {UET_H_RUD_ROD_REQ_SYN, "use_rsv_pdc", 0},
                {UET_H_RUD_ROD_REQ_SYN, "psn_offset", 0},
                {UET_H_SES_REQ_STD_SOM1, "opcode", UET_OP_WRITE},
                {UET_H_SES_REQ_STD_SOM1, "version", 0},
                {UET_H_SES_REQ_STD_SOM1, "dc", 1},
                {UET_H_SES_REQ_STD_SOM1, "ie", 0},
                {UET_H_SES_REQ_STD_SOM1, "rel", 0},
                {UET_H_SES_REQ_STD_SOM1, "hd", 0},
                {UET_H_SES_REQ_STD_SOM1, "eom", 1},
                {UET_H_SES_REQ_STD_SOM1, "som", 1},
                {UET_H_SES_REQ_STD_SOM1, "message_id", 7},
                {UET_H_SES_REQ_STD_SOM1, "ri_generation", 0},
                {UET_H_SES_REQ_STD_SOM1, "job_id", 1},
                {UET_H_SES_REQ_STD_SOM1, "pid_on_fep", 3},
                {UET_H_SES_REQ_STD_SOM1, "resource_index", 5},
                {UET_H_SES_REQ_STD_SOM1, "buffer_offset", 64},
                {UET_H_SES_REQ_STD_SOM1, "initiator", 42},
                {UET_H_SES_REQ_STD_SOM1, "match_bits_or_memory_key", 0xdeadbeef},
                {UET_H_SES_REQ_STD_SOM1, "header_data", 0},
                {UET_H_SES_REQ_STD_SOM1, "request_length", 4},
            },
    },
    {
        PACKET(small_send),
        .protect = UET_PROTECT_CRC,
        .line = "192.0.2.1 > 192.0.2.2 RUD_REQ ar psn=0x12345679 0x1001>0x2001 clear=-1 SEND small "
                "job=16777215 pid=4095 ri=4094 gen=2 off=0 len=3 som eom +3 bytes",
        .pds_offset = 42,
        .ses_offset = 54,
        .payload_offset = 74,
        .payload_len = 3,
        .fields =
            {
                {UET_H_IPV4, "total_length", 67},
                {UET_H_UDP, "length", 47},
                {UET_H_RUD_ROD_REQ, "next_hdr", UET_NH_REQUEST_SMALL},
                {UET_H_RUD_ROD_REQ, "syn", 0},
                {UET_H_RUD_ROD_REQ, "clear_psn_offset", UINT64_MAX},
                {UET_H_RUD_ROD_REQ, "psn", 0x12345679},
                {UET_H_RUD_ROD_REQ, "dpdcid", 0x2001},
                {UET_H_SES_REQ_SMALL, "opcode", UET_OP_SEND},
                {UET_H_SES_REQ_SMALL, "request_length", 3},
                {UET_H_SES_REQ_SMALL, "ri_generation", 2},
                {UET_H_SES_REQ_SMALL, "job_id", 16777215},
                {UET_H_SES_REQ_SMALL, "pid_on_fep", 4095},
                {UET_H_SES_REQ_SMALL, "resource_index", 4094},
                {UET_H_SES_REQ_SMALL, "buffer_offset", 0},
            },
    },
    {
        PACKET(medium_rma),
        .line = "2001:db8::1 > 2001:db8::2 RUD_REQ psn=0x00000001 0x1001>0x2001 clear=-2 WRITE "
                "medium job=1 pid=3 ri=5 off=1234605616436508552 len=2 init=1 "
                "key=0x123456789abcdef som eom rel +2 bytes",
        .pds_offset = 62,
        .ses_offset = 74,
        .payload_offset = 106,
        .payload_len = 2,
        .fields =
            {
                {UET_H_ETH, "ethertype", 0x86dd},
                {UET_H_IPV6, "payload_length", 54},
                {UET_H_IPV6, "ecn", UET_ECN_ECT0},
                {UET_H_IPV6, "hop_limit", 64},
                {UET_H_RUD_ROD_REQ, "next_hdr", UET_NH_REQUEST_MEDIUM},
                {UET_H_RUD_ROD_REQ, "ar", 0},
                {UET_H_RUD_ROD_REQ, "clear_psn_offset", UINT64_MAX - 1},
                {UET_H_SES_REQ_MEDIUM_RMA, "rel", 1},
                {UET_H_SES_REQ_MEDIUM_RMA, "hd", 0},
                {UET_H_SES_REQ_MEDIUM_RMA, "request_length", 2},
                {UET_H_SES_REQ_MEDIUM_RMA, "buffer_offset", 0x1122334455667788},
                {UET_H_SES_REQ_MEDIUM_RMA, "initiator", 1},
                {UET_H_SES_REQ_MEDIUM_RMA, "match_bits_or_memory_key", 0x0123456789abcdef},
            },
    },
    {
        PACKET(medium_message),
        .line = "192.0.2.1 > 192.0.2.2 RUD_REQ retx ar psn=0x1234567a 0x1001>0x2001 SEND medium "
                "job=1 pid=3 ri=6 data=0xcafef00d00c0ffee len=0 init=4294967295 key=0x0 som eom "
                "hd ie",
        .pds_offset = 46,
        .ses_offset = 58,
        .payload_offset = 90,
        .fields =
            {
                {UET_H_ETH, "ethertype", 0x8100},
                {UET_H_VLAN, "pcp", 0},
                {UET_H_VLAN, "vid", 100},
                {UET_H_VLAN, "ethertype", 0x0800},
                {UET_H_IPV4, "dscp", 46},
                {UET_H_IPV4, "ecn", UET_ECN_ECT1},
                {UET_H_RUD_ROD_REQ, "retx", 1},
                {UET_H_SES_REQ_MEDIUM_MSG, "ie", 1},
                {UET_H_SES_REQ_MEDIUM_MSG, "hd", 1},
                {UET_H_SES_REQ_MEDIUM_MSG, "request_length", 0},
                {UET_H_SES_REQ_MEDIUM_MSG, "header_data", 0xcafef00d00c0ffee},
                {UET_H_SES_REQ_MEDIUM_MSG, "initiator", 0xffffffff},
                {UET_H_SES_REQ_MEDIUM_MSG, "match_bits_or_memory_key", 0},
            },
    },
    {
        PACKET(std_som0),
        .protect = UET_PROTECT_CRC,
        .line = "2001:db8::1 > 2001:db8::2 RUD_REQ retx psn=0x00000010 0xffff>0x0001 clear=-32768 "
                "WRITE id=65535 job=1193046 pid=2748 ri=3567 gen=255 off=9223372036854775808 "
                "len=4101 moff=4096 plen=5 init=2147483649 key=0xffffffffffffffff eom dc +5 bytes",
        .pds_offset = 66,
        .ses_offset = 78,
        .payload_offset = 122,
        .payload_len = 5,
        .fields =
            {
                {UET_H_VLAN, "vid", 4094},
                {UET_H_VLAN, "ethertype", 0x86dd},
                {UET_H_IPV6, "dscp", 8},
                {UET_H_IPV6, "ecn", UET_ECN_CE},
                {UET_H_IPV6, "hop_limit", 255},
                {UET_H_UDP, "src_port", 1},
                {UET_H_RUD_ROD_REQ, "clear_psn_offset", (uint64_t)-32768},
                {UET_H_RUD_ROD_REQ, "spdcid", 0xffff},
                {UET_H_SES_REQ_STD_SOM0, "som", 0},
                {UET_H_SES_REQ_STD_SOM0, "eom", 1},
                {UET_H_SES_REQ_STD_SOM0, "message_id", 65535},
                {UET_H_SES_REQ_STD_SOM0, "job_id", 0x123456},
                {UET_H_SES_REQ_STD_SOM0, "pid_on_fep", 0xabc},
                {UET_H_SES_REQ_STD_SOM0, "resource_index", 0xdef},
                {UET_H_SES_REQ_STD_SOM0, "buffer_offset", UINT64_C(1) << 63},
                {UET_H_SES_REQ_STD_SOM0, "payload_length", 5},
                {UET_H_SES_REQ_STD_SOM0, "message_offset", 4096},
                {UET_H_SES_REQ_STD_SOM0, "request_length", 4101},
            },
    },
    {
        PACKET(ack_default),
        .protect = UET_PROTECT_CRC,
        .line = "192.0.2.2 > 192.0.2.1 ACK cack=0x12345678 ack=0x12345679 0x2001>0x1001 "
                "DEFAULT_RESPONSE RC_OK id=7 job=1 mlen=4",
        .pds_offset = 42,
        .ses_offset = 54,
        .payload_offset = 66,
        .fields =
            {
                {UET_H_IPV4, "dscp", 46},
                {UET_H_ACK, "type", UET_PDS_ACK},
                {UET_H_ACK, "next_hdr", UET_NH_RESPONSE},
                {UET_H_ACK, "m", 0},
                {UET_H_ACK, "p", 0},
                {UET_H_ACK, "req", UET_ACK_NO_REQUEST},
                {UET_H_ACK, "ack_psn_offset", 1},
                {UET_H_ACK, "cack_psn", 0x12345678},
                {UET_H_ACK, "spdcid", 0x2001},
                {UET_H_ACK, "dpdcid", 0x1001},
                {UET_H_SES_RSP_DEFAULT, "list", 0},
                {UET_H_SES_RSP_DEFAULT, "opcode", UET_RSP_DEFAULT_RESPONSE},
                {UET_H_SES_RSP_DEFAULT, "return_code", UET_RC_OK},
                {UET_H_SES_RSP_DEFAULT, "message_id", 7},
                {UET_H_SES_RSP_DEFAULT, "job_id", 1},
                {UET_H_SES_RSP_DEFAULT, "modified_length", 4},
            },
    },
    {
        PACKET(ack_cc_response),
        .line = "2001:db8::2 > 2001:db8::1 ACK_CC m cack=0x00000001 ack=0xffffffff 0x2001>0x1001 "
                "req=CLEAR cc=CC_NSCC mpr=8 sack=0x00000003 bitmap=0x0000000000000005 RESPONSE "
                "RC_BAD_MKEY id=7 job=1 mlen=0",
        .pds_offset = 62,
        .ses_offset = 94,
        .payload_offset = 106,
        .fields =
            {
                {UET_H_ACK_CC, "type", UET_PDS_ACK_CC},
                {UET_H_ACK_CC, "m", 1},
                {UET_H_ACK_CC, "req", UET_ACK_REQ_CLEAR},
                {UET_H_ACK_CC, "ack_psn_offset", (uint64_t)-2},
                {UET_H_ACK_CC, "cc_type", UET_CC_NSCC},
                {UET_H_ACK_CC, "mpr", 8},
                {UET_H_ACK_CC, "sack_psn_offset", 2},
                {UET_H_ACK_CC, "sack_bitmap", 5},
                {UET_H_ACK_CC_STATE_NSCC, "service_time", 16},
                {UET_H_ACK_CC_STATE_NSCC, "rc", 1},
                {UET_H_ACK_CC_STATE_NSCC, "rcv_cwnd_pend", 5},
                {UET_H_ACK_CC_STATE_NSCC, "rcvd_bytes", 3},
                {UET_H_ACK_CC_STATE_NSCC, "ooo_count", 0xffff},
                {UET_H_SES_RSP, "opcode", UET_RSP_RESPONSE},
                {UET_H_SES_RSP, "return_code", UET_RC_BAD_MKEY},
            },
    },
    {
        PACKET(ack_probe),
        .line = "192.0.2.2 > 192.0.2.1 ACK cack=0x12345678 probe=0xbeef 0x2001>0x1001",
        .pds_offset = 42,
        .payload_offset = 54,
        .fields =
            {
                {UET_H_ACK_PROBE, "p", 1},
                {UET_H_ACK_PROBE, "probe_opaque", 0xbeef},
                {UET_H_ACK_PROBE, "cack_psn", 0x12345678},
            },
    },
    {
        PACKET(nack_inv_dpdcid),
        .protect = UET_PROTECT_CRC,
        .line = "192.0.2.2 > 192.0.2.1 NACK UET_INV_DPDCID psn=0x12345678 0x0000>0x1001",
        .pds_offset = 42,
        .payload_offset = 58,
        .fields =
            {
                {UET_H_NACK, "type", UET_PDS_NACK},
                {UET_H_NACK, "next_hdr", UET_NH_NONE},
                {UET_H_NACK, "nt", UET_NACK_TYPE_RUD_ROD},
                {UET_H_NACK, "nack_code", UET_NACK_INV_DPDCID},
                {UET_H_NACK, "vendor_code", 0},
                {UET_H_NACK, "nack_psn", 0x12345678},
                {UET_H_NACK, "spdcid", 0},
                {UET_H_NACK, "dpdcid", 0x1001},
                {UET_H_NACK, "payload", 0},
            },
    },
    {
        PACKET(close_command),
        .protect = UET_PROTECT_CRC,
        .line = "192.0.2.1 > 192.0.2.2 CP CLOSE_COMMAND ar psn=0x1234567b 0x1001>0x2001",
        .pds_offset = 42,
        .payload_offset = 58,
        .fields =
            {
                {UET_H_CP, "type", UET_PDS_CP},
                {UET_H_CP, "ctl_type", UET_CTL_CLOSE_COMMAND},
                {UET_H_CP, "isrod", 0},
                {UET_H_CP, "ar", 1},
                {UET_H_CP, "syn", 0},
                {UET_H_CP, "probe_opaque", 0},
                {UET_H_CP, "psn", 0x1234567b},
                {UET_H_CP, "dpdcid", 0x2001},
                {UET_H_CP_PAYLOAD_CLOSE_COMMAND, "rsvd", 0},
            },
    },
    {
        PACKET(noop_syn),
        .line = "192.0.2.1 > 192.0.2.2 CP NOOP syn isrod ar psn=0x00000002+3 0x1002>new",
        .pds_offset = 42,
        .payload_offset = 58,
        .fields =
            {
                {UET_H_CP_SYN, "ctl_type", UET_CTL_NOOP},
                {UET_H_CP_SYN, "isrod", 1},
                {UET_H_CP_SYN, "syn", 1},
                {UET_H_CP_SYN, "use_rsv_pdc", 1},
                {UET_H_CP_SYN, "psn_offset", 3},
                {UET_H_CP_PAYLOAD_NOOP, "rsvd", 0},
            },
    },
    {
        PACKET(negotiation),
        .protect = UET_PROTECT_CRC,
        .line = "2001:db8::1 > 2001:db8::2 CP NEGOTIATION syn ar psn=0x12345678+0 0x1001>new "
                "payload=0x01020000",
        .pds_offset = 62,
        .payload_offset = 82,
        .fields =
            {
                {UET_H_CP_SYN, "ctl_type", UET_CTL_NEGOTIATION},
                {UET_H_CP_PAYLOAD_NEGOTIATION_ON_OFF, "neg_type", 1},
                {UET_H_CP_PAYLOAD_NEGOTIATION_ON_OFF, "neg_length", 2},
                {UET_H_CP_PAYLOAD_NEGOTIATION_ON_OFF, "feature_mask", 1},
            },
    },
    {
        PACKET(probe),
        .line = "192.0.2.1 > 192.0.2.2 CP PROBE psn=0x1234567c 0x1001>0x2001 probe=0xbeef "
                "payload=0x12345680",
        .pds_offset = 42,
        .payload_offset = 58,
        .fields =
            {
                {UET_H_CP, "ctl_type", UET_CTL_PROBE},
                {UET_H_CP, "ar", 0},
                {UET_H_CP, "probe_opaque", 0xbeef},
                {UET_H_CP_PAYLOAD_PROBE, "sack_base_psn", 0x12345680},
            },
    },
    {
        PACKET(no_op),
        .line = "192.0.2.1 > 192.0.2.2 RUD_REQ ar psn=0x12345680 0x1001>0x2001 NO_OP id=8 job=1 "
                "pid=3 ri=5 off=0 len=0 init=0 key=0x0 som eom",
        .pds_offset = 42,
        .ses_offset = 54,
        .payload_offset = 98,
        .fields =
            {
                {UET_H_SES_REQ_NO_OP, "opcode", UET_OP_NO_OP},
                {UET_H_SES_REQ_NO_OP, "message_id", 8},
                {UET_H_SES_REQ_NO_OP, "request_length", 0},
            },
    },
    {
        PACKET(ack_no_response),
        .line = "2001:db8::2 > 2001:db8::1 ACK retx cack=0xffffffff ack=0xffffffff 0x2001>0x1001 "
                "req=CLOSE NO_RESPONSE RC_NULL id=7 job=1 gen=4 list=OVERFLOW mlen=0",
        .pds_offset = 62,
        .ses_offset = 74,
        .payload_offset = 86,
        .fields =
            {
                {UET_H_ACK, "retx", 1},
                {UET_H_ACK, "req", UET_ACK_REQ_CLOSE},
                {UET_H_SES_RSP_NO_RESPONSE, "list", UET_LIST_OVERFLOW},
                {UET_H_SES_RSP_NO_RESPONSE, "opcode", UET_RSP_NO_RESPONSE},
                {UET_H_SES_RSP_NO_RESPONSE, "return_code", UET_RC_NULL},
                {UET_H_SES_RSP_NO_RESPONSE, "ri_generation", 4},
            },
    },
};
const size_t n_golden = sizeof golden / sizeof *golden;
