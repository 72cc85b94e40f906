/* SPDX-License-Identifier: BSD-2-Clause */
#include "wire/tests/forms.h"

#include <stdio.h>
#include <stdlib.h>

/*
 * The first 16 bits of a PDS header are type (5), next_hdr (4) and flags (7). SES Requests begin
 * with opcode, the flags ver(2) dc ie rel hd eom som, and message_id or request_length.
 */
#define STD_TARGET "00000001 0003 0005 " /* ri_generation 0, job 1; pid 3; ri 5 */
#define ZERO_8     "0000000000000000 "
#define INITIATOR  "0000002a "

const struct form forms[] = {
    /* ---- unreliable and idempotent services: no PDC (3.5.10.9, 3.5.10.12) ---- */
    {
        .name = "rudi_req_std",
        .hex = "2180 0000 00000051 "
               "0103 0007 " STD_TARGET "0000000000000040 " INITIATOR "8000000000000bad " ZERO_8
               "00000004 70696e67",
        .layers = "rudi_req ses_req_std_som1 memory_key",
        .line = "RUDI_REQ pkt=0x00000051 WRITE id=7 job=1 pid=3 ri=5 off=64 len=4 init=42 "
                "key=0x8000000000000bad som eom +4 bytes",
        .payload_len = 4,
    },
    {
        .name = "rudi_req_small",
        .hex = "2090 0000 00000052 0203 0040 " STD_TARGET "0000000000001000",
        .layers = "rudi_req ses_req_small",
        .line = "RUDI_REQ retx pkt=0x00000052 READ small job=1 pid=3 ri=5 off=4096 len=64 som eom",
    },
    {
        .name = "rudi_req_medium",
        .hex = "2100 0000 00000053 "
               "0103 0002 " STD_TARGET "0000000000000008 " INITIATOR "4000000000000005 aa55",
        .layers = "rudi_req ses_req_medium_rma memory_key_optimized",
        .line = "RUDI_REQ pkt=0x00000053 WRITE medium job=1 pid=3 ri=5 off=8 len=2 init=42 "
                "key=0x4000000000000005 som eom +2 bytes",
        .payload_len = 2,
    },
    {
        .name = "rudi_resp",
        .hex = "2a30 0000 00000052 0101 0007 00 000001 00000004",
        .layers = "rudi_resp ses_rsp",
        .line = "RUDI_RESP m retx pkt=0x00000052 RESPONSE RC_OK id=7 job=1 mlen=4",
    },
    {
        .name = "rudi_resp_data",
        .hex = "2a80 0000 00000052 0201 0000 00 000001 0007 0003 00000003 00000000 616263",
        .layers = "rudi_resp ses_rsp_data",
        .line = "RUDI_RESP pkt=0x00000052 RESPONSE_W_DATA RC_OK for=7 id=0 job=1 plen=3 moff=0 "
                "mlen=3 +3 bytes",
        .payload_len = 3,
    },
    {
        .name = "rudi_resp_data_small",
        .hex = "2b00 0000 00000052 0201 0003 00 000001 00000000 616263",
        .layers = "rudi_resp ses_rsp_data_small",
        .line = "RUDI_RESP pkt=0x00000052 RESPONSE_W_DATA RC_OK small for=0x00000000 job=1 plen=3 "
                "+3 bytes",
        .payload_len = 3,
    },
    {
        .name = "rudi_resp_with_a_request", /* a Response answers (3.5.10.9) */
        .hex = "2880 0000 00000052 0203 0040 " STD_TARGET "0000000000001000",
        .layers = "rudi_resp",
        .error = UET_PARSE_PDS_NEXT_HDR,
        .payload_len = 20,
    },
    {
        .name = "uud_req_std",
        .hex = "3180 0000 0703 0000 " STD_TARGET ZERO_8 INITIATOR ZERO_8 ZERO_8 "00000002 beef",
        .layers = "uud_req ses_req_std_som1",
        .line = "UUD_REQ DATAGRAM_SEND id=0 job=1 pid=3 ri=5 off=0 len=2 init=42 key=0x0 som eom "
                "+2 bytes",
        .payload_len = 2,
    },
    {
        .name = "uud_req_small",
        .hex = "3080 0000 0703 0001 " STD_TARGET ZERO_8 "be",
        .layers = "uud_req ses_req_small",
        .line = "UUD_REQ DATAGRAM_SEND small job=1 pid=3 ri=5 off=0 len=1 som eom +1 bytes",
        .payload_len = 1,
    },
    {
        .name = "uud_req_medium_msg", /* hd = 1: completion data in the place of buffer_offset */
        .hex = "3100 0000 0707 0000 " STD_TARGET "00000000cafef00d " INITIATOR ZERO_8,
        .layers = "uud_req ses_req_medium_msg",
        .line = "UUD_REQ DATAGRAM_SEND medium job=1 pid=3 ri=5 data=0xcafef00d len=0 init=42 "
                "key=0x0 som eom hd",
    },

    /* ---- Requests with CC state, and ROD (3.5.10.3, 3.5.10.4) ---- */
    {
        .name = "rud_cc_req",
        .hex = "6888 fffe 00000010 1001 2001 05 000100 0503 0000 " STD_TARGET ZERO_8,
        .layers = "rud_rod_cc_req ses_req_small",
        .line = "RUD_CC_REQ ar psn=0x00000010 0x1001>0x2001 clear=-2 ccc=5 target=256 SEND small "
                "job=1 pid=3 ri=5 off=0 len=0 som eom",
    },
    {
        .name = "rod_cc_req_syn", /* pdc_info: 000 1, then psn_offset 3 */
        .hex = "7184 0000 00000020 1001 1003 ff ffffff "
               "0003 0001 " STD_TARGET ZERO_8 "00000000 " ZERO_8 ZERO_8 "00000000",
        .layers = "rud_rod_cc_req_syn ses_req_no_op",
        .line = "ROD_CC_REQ syn psn=0x00000020+3 0x1001>new rsv_pdc ccc=255 target=16777215 NO_OP "
                "id=1 job=1 pid=3 ri=5 off=0 len=0 init=0 key=0x0 som eom",
    },
    {
        .name = "rod_req_tagged",
        .hex = "1988 0000 00000002 1001 2001 0903 0008 " STD_TARGET ZERO_8 INITIATOR
               "00000000000000aa " ZERO_8 "00000001 be",
        .layers = "rud_rod_req ses_req_std_som1",
        .line = "ROD_REQ ar psn=0x00000002 0x1001>0x2001 TAGGED_SEND id=8 job=1 pid=3 ri=5 off=0 "
                "len=1 init=42 key=0xaa som eom +1 bytes",
        .payload_len = 1,
    },

    /* ---- data coming back, on its own PSN or in an ACK (3.4.2.5) ---- */
    {
        .name = "rud_req_rsp_data",
        .hex = "1280 0000 00000004 2001 1001 "
               "0201 0009 00 000001 0007 0002 00001002 00001000 beef",
        .layers = "rud_rod_req ses_rsp_data",
        .line = "RUD_REQ psn=0x00000004 0x2001>0x1001 RESPONSE_W_DATA RC_OK for=7 id=9 job=1 "
                "plen=2 moff=4096 mlen=4098 +2 bytes",
        .payload_len = 2,
    },
    {
        .name = "rud_req_rsp_data_small",
        .hex = "1300 0000 00000005 2001 1001 0201 0002 00 000001 00000009 beef",
        .layers = "rud_rod_req ses_rsp_data_small",
        .line = "RUD_REQ psn=0x00000005 0x2001>0x1001 RESPONSE_W_DATA RC_OK small for=0x00000009 "
                "job=1 plen=2 +2 bytes",
        .payload_len = 2,
    },
    {
        .name = "ack_rsp_data",
        .hex = "3a80 0001 00000007 2001 1001 0201 0000 00 000001 0007 0001 00000001 00000000 be",
        .layers = "ack ses_rsp_data",
        .line = "ACK cack=0x00000007 ack=0x00000008 0x2001>0x1001 RESPONSE_W_DATA RC_OK for=7 id=0 "
                "job=1 plen=1 moff=0 mlen=1 +1 bytes",
        .payload_len = 1,
    },
    {
        .name = "ack_rsp_data_small",
        .hex = "3b00 0000 00000007 2001 1001 0201 0001 00 000001 00000007 be",
        .layers = "ack ses_rsp_data_small",
        .line = "ACK cack=0x00000007 ack=0x00000007 0x2001>0x1001 RESPONSE_W_DATA RC_OK small "
                "for=0x00000007 job=1 plen=1 +1 bytes",
        .payload_len = 1,
    },

    /* ---- ACKs with state (3.5.10.6, 3.5.10.7, 3.6.9) ---- */
    {
        .name = "ack_cc_credit",
        .hex = "4000 0000 00000010 2001 1001 10 04 0001 0000000000000003 000040 000000 0007",
        .layers = "ack_cc ack_cc_state_credit",
        .line = "ACK_CC cack=0x00000010 ack=0x00000010 0x2001>0x1001 cc=CC_CREDIT credit=64 ooo=7 "
                "mpr=4 sack=0x00000011 bitmap=0x0000000000000003",
    },
    {
        .name = "ack_cc_vendor",
        .hex = "4000 0000 00000010 2001 1001 e0 04 0001 0000000000000003 1122334455667788",
        .layers = "ack_cc ack_cc_state_vendor",
        .line = "ACK_CC cack=0x00000010 ack=0x00000010 0x2001>0x1001 cc=PROPRIETARY_14_15 "
                "state=0x1122334455667788 mpr=4 sack=0x00000011 bitmap=0x0000000000000003",
    },
    {
        .name = "ack_cc_reserved_type", /* its state stays opaque */
        .hex = "4000 0000 00000010 2001 1001 20 04 0001 0000000000000003 1122334455667788",
        .layers = "ack_cc",
        .line = "ACK_CC cack=0x00000010 ack=0x00000010 0x2001>0x1001 cc=RESERVED_2_13 mpr=4 "
                "sack=0x00000011 bitmap=0x0000000000000003",
    },
    {
        .name = "ack_cc_probe",
        .hex = "4008 beef 00000010 2001 1001 00 01 0000 0000000000000000 0010 85 000003 ffff",
        .layers = "ack_cc_probe ack_cc_state_nscc",
        .line = "ACK_CC cack=0x00000010 probe=0xbeef 0x2001>0x1001 cc=CC_NSCC mpr=1 "
                "sack=0x00000010 bitmap=0x0000000000000000",
    },
    {
        .name = "ack_ccx",
        .hex = "4a00 0000 00000010 2001 1001 f0 02 ffff 8000000000000000 "
               "00112233445566778899aabbccddeeff 0001 0007 00 000001 00000004",
        .layers = "ack_ccx ses_rsp_default",
        .line = "ACK_CCX cack=0x00000010 ack=0x00000010 0x2001>0x1001 ccx=15 mpr=2 sack=0x0000000f "
                "bitmap=0x8000000000000000 DEFAULT_RESPONSE RC_OK id=7 job=1 mlen=4",
    },
    {
        .name = "ack_ccx_probe",
        .hex = "4808 beef 00000010 2001 1001 e0 00 0000 0000000000000000 "
               "00112233445566778899aabbccddeeff",
        .layers = "ack_ccx_probe",
        .line = "ACK_CCX cack=0x00000010 probe=0xbeef 0x2001>0x1001 ccx=14 mpr=0 sack=0x00000010 "
                "bitmap=0x0000000000000000",
    },

    /* ---- NACKs (3.5.10.10, 3.5.10.11) ---- */
    {
        .name = "nack_rudi",
        .hex = "5008 0102 00000007 0000 0000 00000003",
        .layers = "nack_rudi",
        .line = "NACK UET_TRIMMED nt=RUDI pkt=0x00000007 payload=0x00000003",
    },
    {
        .name = "nack_ccx",
        .hex = "6020 0e00 00000009 2001 1001 00000000 e123456789abcdef 0011223344556677",
        .layers = "nack_ccx",
        .line = "NACK_CCX UET_INV_DPDCID m psn=0x00000009 0x2001>0x1001 nccx=14",
    },
    {
        .name = "nack_ccx_rudi",
        .hex = "6018 0100 00000009 0000 0000 00000000 f000000000000000 0000000000000000",
        .layers = "nack_ccx_rudi",
        .line = "NACK_CCX UET_TRIMMED retx nt=RUDI pkt=0x00000009 nccx=15",
    },
    {
        .name = "nack_with_next_hdr",
        .hex = "5200 0e00 00000009 2001 1001 00000000 0001 0007 00 000001 00000004",
        .layers = "nack",
        .error = UET_PARSE_PDS_NEXT_HDR,
        .payload_len = 12,
    },

    /* ---- Control Packets that golden_bytes.h has not (3.5.16.8) ---- */
    {
        .name = "cp_credit", /* ctl_type 7; isrod, ar */
        .hex = "5ba8 0000 00000011 1001 2001 00000040",
        .layers = "cp cp_payload_credit",
        .line = "CP CREDIT isrod ar psn=0x00000011 0x1001>0x2001 payload=0x00000040",
    },
    {
        .name = "cp_reserved_type", /* 10: opaque (PDS-196) */
        .hex = "5d00 0000 00000011 1001 2001 00000040",
        .layers = "cp",
    },
    {
        .name = "cp_negotiation_reserved", /* neg_type 2: opaque, its rest is payload */
        .hex = "5c80 0000 00000011 1001 2001 02020000 00000001",
        .layers = "cp",
        .payload_len = 4,
    },

    /* ---- the standard SES Request and its forms (3.4.2.1) ---- */
    {
        .name = "deferrable_send", /* hd: completion data */
        .hex = "1180 0000 00000001 1001 2001 "
               "0807 0002 " STD_TARGET "00000011 00000000 " INITIATOR ZERO_8
               "00000000cafef00d 00000002 beef",
        .layers = "rud_rod_req ses_req_defer_send_som1",
        .line = "RUD_REQ psn=0x00000001 0x1001>0x2001 DEFERRABLE_SEND id=2 job=1 pid=3 ri=5 "
                "irt=0x11 trt=0x0 len=2 data=0xcafef00d init=42 key=0x0 som eom hd +2 bytes",
        .payload_len = 2,
    },
    {
        .name = "deferrable_tsend_som0",
        .hex = "1180 0000 00000002 1001 2001 "
               "0b02 0002 " STD_TARGET "00000011 00000022 " INITIATOR
               "00000000000000aa 00000002 00001000 00001002 beef",
        .layers = "rud_rod_req ses_req_defer_send_som0",
        .line = "RUD_REQ psn=0x00000002 0x1001>0x2001 DEFERRABLE_TSEND id=2 job=1 pid=3 ri=5 "
                "irt=0x11 trt=0x22 len=4098 moff=4096 plen=2 init=42 key=0xaa eom +2 bytes",
        .payload_len = 2,
    },
    {
        .name = "ready_to_restart",
        .hex = "1180 0000 00000003 2001 1001 "
               "0c03 0002 " STD_TARGET "0000000000000800 " INITIATOR "00000011 00000022 " ZERO_8
               "00000000",
        .layers = "rud_rod_req ses_req_rtr",
        .line = "RUD_REQ psn=0x00000003 0x2001>0x1001 DEFERRABLE_RTR id=2 job=1 pid=3 ri=5 "
                "irt=0x11 trt=0x22 off=2048 len=0 init=42 som eom",
    },
    {
        .name = "msg_error",
        .hex = "1180 0000 00000004 1001 2001 "
               "0f12 0002 " STD_TARGET ZERO_8 INITIATOR ZERO_8 "00000000 00001000 00002000",
        .layers = "rud_rod_req ses_req_msg_error",
        .line = "RUD_REQ psn=0x00000004 0x1001>0x2001 MSG_ERROR id=2 job=1 pid=3 ri=5 off=0 "
                "len=8192 moff=4096 plen=0 init=42 key=0x0 eom ie",
    },
    {
        .name = "vendor_opcode",
        .hex = "1180 0000 00000005 1001 2001 "
               "3003 0002 " STD_TARGET ZERO_8 INITIATOR ZERO_8 ZERO_8 "00000002 beef",
        .layers = "rud_rod_req ses_req_std_som1",
        .line = "RUD_REQ psn=0x00000005 0x1001>0x2001 VENDOR_DEFINED_0 id=2 job=1 pid=3 ri=5 off=0 "
                "len=2 init=42 key=0x0 som eom +2 bytes",
        .payload_len = 2,
    },

    /* ---- what follows a SES Request (3.4.2.3, 3.4.2.4) ---- */
    {
        .name = "rendezvous", /* eager 2; generation 1, pid 9, ri 10; offset; key */
        .hex = "1180 0000 00000006 1001 2001 "
               "0603 0002 " STD_TARGET ZERO_8 INITIATOR ZERO_8 ZERO_8 "00002000 "
               "00000002 01 00900a 0000000000000300 00000000000000bb beef",
        .layers = "rud_rod_req ses_req_std_som1 ses_ext_rendezvous",
        .line = "RUD_REQ psn=0x00000006 0x1001>0x2001 RENDEZVOUS_SEND id=2 job=1 pid=3 ri=5 off=0 "
                "len=8192 init=42 key=0x0 som eom eager=2 read pid=9 ri=10 gen=1 off=768 key=0xbb "
                "+2 bytes",
        .payload_len = 2,
    },
    {
        .name = "atomic", /* UET_AMO_SUM of UET_TYPE_DOUBLE_COMPLEX */
        .hex = "1080 0000 00000007 1001 2001 0303 0010 " STD_TARGET ZERO_8
               "02 0d 0300 00112233445566778899aabbccddeeff",
        .layers = "rud_rod_req ses_req_small ses_ext_atomic",
        .line = "RUD_REQ psn=0x00000007 0x1001>0x2001 ATOMIC small job=1 pid=3 ri=5 off=0 len=16 "
                "som eom AMO_SUM DOUBLE_COMPLEX +16 bytes",
        .payload_len = 16,
    },
    {
        .name = "compare_and_swap",
        .hex = "1100 0000 00000008 1001 2001 0403 0000 " STD_TARGET ZERO_8 INITIATOR
               "0000000000000bad 0d 0d 0000 "
               "00000000000000000000000000000001 00000000000000000000000000000002",
        .layers = "rud_rod_req ses_req_medium_rma memory_key ses_ext_cswap",
        .line = "RUD_REQ psn=0x00000008 0x1001>0x2001 FETCHING_ATOMIC medium job=1 pid=3 ri=5 "
                "off=0 len=0 init=42 key=0xbad som eom AMO_CSWAP DOUBLE_COMPLEX",
    },
    {
        .name = "masked_swap", /* UET_AMO_MSWAP takes the short form (C) */
        .hex = "1080 0000 00000009 1001 2001 0403 0002 " STD_TARGET ZERO_8 "13 0d 0000 beef",
        .layers = "rud_rod_req ses_req_small ses_ext_atomic",
        .payload_len = 2,
    },
    {
        .name = "tagged_fetching_atomic",
        .hex = "1180 0000 0000000a 1001 2001 0e03 0002 " STD_TARGET ZERO_8 INITIATOR
               "00000000000000aa " ZERO_8 "00000002 0b 0d 0000 beef",
        .layers = "rud_rod_req ses_req_std_som1 ses_ext_atomic",
        .payload_len = 2,
    },
    {
        .name = "atomic_cut", /* two bytes of four */
        .hex = "1080 0000 00000007 1001 2001 0303 0010 " STD_TARGET ZERO_8 "020d",
        .layers = "rud_rod_req ses_req_small",
        .error = UET_PARSE_SES_EXT_SHORT,
        .payload_len = 2,
    },
    {
        .name = "compare_and_swap_cut", /* one byte of 36 is missing */
        .hex = "1080 0000 00000008 1001 2001 0403 0000 " STD_TARGET ZERO_8 "0d 0d 0000 "
               "00000000000000000000000000000001 000000000000000000000000000000",
        .layers = "rud_rod_req ses_req_small",
        .error = UET_PARSE_SES_EXT_SHORT,
        .payload_len = 35,
    },

    /* ---- TSS: what is behind the header is sealed (3.7.11) ---- */
    {
        .name = "tss_12",
        .hex = "09abcdef 0102 030405060708 c1c2c3c4 00112233445566778899aabbccddeeff",
        .layers = "tss_hdr_12 tss_trailer",
        .line = "TSS sdi=0xabcdef an=1 epoch=258 counter=3315799033608 sealed +4 bytes",
        .payload_len = 4,
        .error = UET_PARSE_SEALED,
    },
    {
        .name = "tss_16",
        .hex = "0c000001 10203040 ffff 000000000001 00112233445566778899aabbccddeeff",
        .layers = "tss_hdr_16 tss_trailer",
        .line = "TSS sdi=0x000001 ssi=0x10203040 an=0 epoch=65535 counter=1 sealed",
        .error = UET_PARSE_SEALED,
    },
    {
        .name = "tss_without_icv", /* 15 bytes */
        .hex = "09abcdef 0102 030405060708 00112233445566778899aabbccddee",
        .layers = "tss_hdr_12",
        .error = UET_PARSE_TSS_SHORT,
        .payload_len = 15,
    },

    /* ---- what single implementations send, recognised and named ---- */
    {
        .name = "ack_epsn", /* the reference provider's answer to a Close Command */
        .hex = "3840 0002 12345678 2001 1001 9abcdef0",
        .layers = "ack_epsn_refprov",
        .line = "ACK cack=0x12345678 ack=0x1234567a 0x2001>0x1001 epsn=0x9abcdef0 "
                "[reference provider]",
    },
    {
        .name = "ack_reserved_flag", /* the same bit, but not those four bytes alone: reserved */
        .hex = "3840 0002 12345678 2001 1001 9abcdef0 00",
        .layers = "ack",
        .line = "ACK cack=0x12345678 ack=0x1234567a 0x2001>0x1001 +5 bytes",
        .payload_len = 5,
    },
    {
        .name = "negotiation_pre103", /* 32 bytes of payload, the first four within the CP */
        .hex = "5c84 0000 12345678 1001 0000 " ZERO_8 ZERO_8 ZERO_8 ZERO_8,
        .layers = "cp_syn cp_payload_negotiation_pre103",
        .line = "CP NEGOTIATION syn psn=0x12345678+0 0x1001>new [releases before 1.0.3]",
    },
    {
        .name = "sync_write",
        .hex = "1180 0000 00000005 1001 2001 1003 0002 " STD_TARGET ZERO_8 INITIATOR ZERO_8 ZERO_8
               "00000002 1234 0003 beef",
        .layers = "rud_rod_req ses_req_std_som1 refprov_ses_ext_sync",
        .line = "RUD_REQ psn=0x00000005 0x1001>0x2001 RESERVED_0x10_0x2f id=2 job=1 pid=3 ri=5 "
                "off=0 len=2 init=42 key=0x0 som eom sync=4660/3 [reference provider] +2 bytes",
        .payload_len = 2,
        .variants = true,
    },
    {
        .name = "sync_write_as_specified", /* the same bytes: a reserved opcode and its payload */
        .hex = "1180 0000 00000005 1001 2001 1003 0002 " STD_TARGET ZERO_8 INITIATOR ZERO_8 ZERO_8
               "00000002 1234 0003 beef",
        .layers = "rud_rod_req ses_req_std_som1",
        .payload_len = 6,
    },
    {
        .name = "sync_atomic",
        .hex = "1180 0000 00000005 1001 2001 1103 0002 " STD_TARGET ZERO_8 INITIATOR ZERO_8 ZERO_8
               "00000002 1234 0003 02 0d 0000 beef",
        .layers = "rud_rod_req ses_req_std_som1 refprov_ses_ext_sync ses_ext_atomic",
        .payload_len = 2,
        .variants = true,
    },
    {
        .name = "tss_of_a_draft", /* type 1 in 4 bits, ver 1: by 1.0, a Request of next_hdr 7 */
        .hex = "13b08000 00050a0b 0c0d0000 00000000 0009 c1c2c3c4 00112233445566778899aabbccddeeff",
        .layers = "legacy_pre_1_0 tss_trailer",
        .line = "TSS [drafts before 1.0] sealed +4 bytes",
        .payload_len = 4,
        .error = UET_PARSE_SEALED,
        .variants = true,
    },
    {
        .name = "tss_of_a_draft_as_specified",
        .hex = "13b08000 00050a0b 0c0d0000 00000000 0009 c1c2c3c4 00112233445566778899aabbccddeeff",
        .layers = "rud_rod_req",
        .payload_len = 26,
        .error = UET_PARSE_PDS_NEXT_HDR,
    },

    /* ---- types that no header has ---- */
    {.name = "type_0",
     .hex = "0000 0000",
     .layers = "",
     .error = UET_PARSE_PDS_TYPE,
     .payload_len = 4},
    {.name = "type_15",
     .hex = "7800 0000",
     .layers = "",
     .error = UET_PARSE_PDS_TYPE,
     .payload_len = 4},
    {.name = "type_31",
     .hex = "ffff ffff",
     .layers = "",
     .error = UET_PARSE_PDS_TYPE,
     .payload_len = 4},
};
const size_t n_forms = sizeof forms / sizeof *forms;

static unsigned nibble(const struct form *f, char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'f')
        return (unsigned)(c - 'a') + 10;
    fprintf(stderr, "%s: not hexadecimal: %s\n", f->name, f->hex);
    exit(2);
}

size_t form_bytes(const struct form *f, uint8_t out[FORM_MAX])
{
    size_t digits = 0;
    for (const char *c = f->hex; *c; c++) {
        if (*c == ' ')
            continue;
        if (digits == (size_t)2 * FORM_MAX) {
            fprintf(stderr, "%s: too long\n", f->name);
            exit(2);
        }
        uint8_t *byte = &out[digits / 2];
        *byte = (uint8_t)((digits % 2 ? *byte * 16u : 0u) + nibble(f, *c));
        digits++;
    }
    if (digits % 2) {
        fprintf(stderr, "%s: half a byte\n", f->name);
        exit(2);
    }
    return digits / 2;
}
