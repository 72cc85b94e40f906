/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Whole packets written by hand from the header tables (3.5.10, 3.4.2), byte by byte. IPv4 header
 * checksums and CRC-32C values were computed by a program that shares nothing with this project.
 * The CRC covers the bytes from the IP source address to the one before it. Only for golden.c.
 */
#ifndef UET_WIRE_TESTS_GOLDEN_BYTES_H
#define UET_WIRE_TESTS_GOLDEN_BYTES_H

#include <stdint.h>

/* clang-format off */
/* RUD Request that opens a PDC: standard WRITE of 4 bytes. */
static const uint8_t syn_write[] = {
    0x02, 0x00, 0xc0, 0x00, 0x02, 0x02,               /* dst MAC */
    0x02, 0x00, 0xc0, 0x00, 0x02, 0x01,               /* src MAC */
    0x08, 0x00,                                       /* IPv4 */
    0x45,                                             /* version 4, ihl 5 */
    0x02,                                             /* dscp 0, ecn 2 */
    0x00, 0x58,                                       /* total_length 88 */
    0x00, 0x00,                                       /* identification */
    0x40, 0x00,                                       /* df */
    0x40, 0x11,                                       /* ttl 64, protocol 17 */
    0xb6, 0x8f,                                       /* header_checksum */
    0xc0, 0x00, 0x02, 0x01,                           /* src 192.0.2.1 */
    0xc0, 0x00, 0x02, 0x02,                           /* dst 192.0.2.2 */
    0x42, 0x42,                                       /* entropy */
    0x12, 0xb9,                                       /* dst_port 4793 */
    0x00, 0x44,                                       /* length 68 */
    0x00, 0x00,                                       /* checksum: 0 */
    0x11, 0x8c,                                       /* type 2, next_hdr 3 (standard), ar, syn */
    0x00, 0x00,                                       /* clear_psn_offset 0 */
    0x12, 0x34, 0x56, 0x78,                           /* psn */
    0x10, 0x01,                                       /* spdcid */
    0x00, 0x00,                                       /* pdc_info 0, psn_offset 0 */
    0x01, 0x23,                                       /* opcode 1 WRITE; version 0, dc, eom, som */
    0x00, 0x07,                                       /* message_id 7 */
    0x00, 0x00, 0x00, 0x01,                           /* ri_generation 0, job_id 1 */
    0x00, 0x03,                                       /* pid_on_fep 3 */
    0x00, 0x05,                                       /* resource_index 5 */
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x40,   /* buffer_offset 64 */
    0x00, 0x00, 0x00, 0x2a,                           /* initiator 42 */
    0x00, 0x00, 0x00, 0x00, 0xde, 0xad, 0xbe, 0xef,   /* memory key */
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,   /* header_data: none */
    0x00, 0x00, 0x00, 0x04,                           /* request_length 4 */
    0x70, 0x69, 0x6e, 0x67,                           /* payload */
};
/* RUD Request with the small header and a CRC trailer. */
static const uint8_t small_send[] = {
    0x02, 0x00, 0xc0, 0x00, 0x02, 0x02,               /* dst MAC */
    0x02, 0x00, 0xc0, 0x00, 0x02, 0x01,               /* src MAC */
    0x08, 0x00,                                       /* IPv4 */
    0x45,                                             /* version 4, ihl 5 */
    0x02,                                             /* dscp 0, ecn 2 */
    0x00, 0x43,                                       /* total_length 67 */
    0x00, 0x00,                                       /* identification */
    0x40, 0x00,                                       /* df */
    0x40, 0x11,                                       /* ttl 64, protocol 17 */
    0xb6, 0xa4,                                       /* header_checksum */
    0xc0, 0x00, 0x02, 0x01,                           /* src 192.0.2.1 */
    0xc0, 0x00, 0x02, 0x02,                           /* dst 192.0.2.2 */
    0x42, 0x42,                                       /* entropy */
    0x12, 0xb9,                                       /* dst_port 4793 */
    0x00, 0x2f,                                       /* length 47 */
    0x00, 0x00,                                       /* checksum: 0 */
    0x10, 0x88,                                       /* type 2, next_hdr 1 (small), ar */
    0xff, 0xff,                                       /* clear_psn_offset -1 */
    0x12, 0x34, 0x56, 0x79,                           /* psn */
    0x10, 0x01,                                       /* spdcid */
    0x20, 0x01,                                       /* dpdcid */
    0x05, 0x03,                                       /* opcode 5 SEND; version 0, eom, som */
    0x00, 0x03,                                       /* request_length 3 */
    0x02, 0xff, 0xff, 0xff,                           /* ri_generation 2, job_id 16777215 */
    0x0f, 0xff,                                       /* pid_on_fep 4095 */
    0x0f, 0xfe,                                       /* resource_index 4094 */
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,   /* buffer_offset 0 */
    0x61, 0x62, 0x63,                                 /* payload */
    0xbd, 0x70, 0xf8, 0xf7,                           /* CRC-32C 0xbd70f8f7 of 51 bytes, big-endian */
};
/* IPv6: medium WRITE, message form (hd 0). */
static const uint8_t medium_rma[] = {
    0x02, 0x00, 0x00, 0x00, 0x00, 0x02,               /* dst MAC */
    0x02, 0x00, 0x00, 0x00, 0x00, 0x01,               /* src MAC */
    0x86, 0xdd,                                       /* IPv6 */
    0x60, 0x20,                                       /* version 6, dscp 0, ecn 2 */
    0x00, 0x00,                                       /* flow_label */
    0x00, 0x36,                                       /* payload_length 54 */
    0x11, 0x40,                                       /* next_header 17, hop_limit 64 */
    0x20, 0x01, 0x0d, 0xb8, 0x00, 0x00, 0x00, 0x00,   /* src 2001:db8::1 */
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01,
    0x20, 0x01, 0x0d, 0xb8, 0x00, 0x00, 0x00, 0x00,   /* dst 2001:db8::2 */
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02,
    0x42, 0x42,                                       /* entropy */
    0x12, 0xb9,                                       /* dst_port 4793 */
    0x00, 0x36,                                       /* length 54 */
    0x00, 0x00,                                       /* checksum: 0 */
    0x11, 0x00,                                       /* type 2, next_hdr 2 (medium) */
    0xff, 0xfe,                                       /* clear_psn_offset -2 */
    0x00, 0x00, 0x00, 0x01,                           /* psn, past the wrap */
    0x10, 0x01,                                       /* spdcid */
    0x20, 0x01,                                       /* dpdcid */
    0x01, 0x0b,                                       /* opcode 1 WRITE; version 0, rel, eom, som */
    0x00, 0x02,                                       /* request_length 2 */
    0x00, 0x00, 0x00, 0x01,                           /* ri_generation 0, job_id 1 */
    0x00, 0x03,                                       /* pid_on_fep 3 */
    0x00, 0x05,                                       /* resource_index 5 */
    0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88,   /* buffer_offset */
    0x00, 0x00, 0x00, 0x01,                           /* initiator 1 */
    0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef,   /* memory key */
    0xaa, 0x55,                                       /* payload */
};
/* 802.1Q: medium SEND with header data (hd 1). */
static const uint8_t medium_message[] = {
    0x02, 0x00, 0xc0, 0x00, 0x02, 0x02,               /* dst MAC */
    0x02, 0x00, 0xc0, 0x00, 0x02, 0x01,               /* src MAC */
    0x81, 0x00,                                       /* 802.1Q */
    0x00, 0x64,                                       /* pcp 0, dei 0, vid 100 */
    0x08, 0x00,                                       /* IPv4 */
    0x45,                                             /* version 4, ihl 5 */
    0xb9,                                             /* dscp 46, ecn 1 */
    0x00, 0x48,                                       /* total_length 72 */
    0x00, 0x00,                                       /* identification */
    0x40, 0x00,                                       /* df */
    0x40, 0x11,                                       /* ttl 64, protocol 17 */
    0xb5, 0xe8,                                       /* header_checksum */
    0xc0, 0x00, 0x02, 0x01,                           /* src 192.0.2.1 */
    0xc0, 0x00, 0x02, 0x02,                           /* dst 192.0.2.2 */
    0x42, 0x42,                                       /* entropy */
    0x12, 0xb9,                                       /* dst_port 4793 */
    0x00, 0x34,                                       /* length 52 */
    0x00, 0x00,                                       /* checksum: 0 */
    0x11, 0x18,                                       /* type 2, next_hdr 2 (medium), retx, ar */
    0x00, 0x00,                                       /* clear_psn_offset 0 */
    0x12, 0x34, 0x56, 0x7a,                           /* psn */
    0x10, 0x01,                                       /* spdcid */
    0x20, 0x01,                                       /* dpdcid */
    0x05, 0x17,                                       /* opcode 5 SEND; version 0, ie, hd, eom, som */
    0x00, 0x00,                                       /* request_length 0 */
    0x00, 0x00, 0x00, 0x01,                           /* ri_generation 0, job_id 1 */
    0x00, 0x03,                                       /* pid_on_fep 3 */
    0x00, 0x06,                                       /* resource_index 6 */
    0xca, 0xfe, 0xf0, 0x0d, 0x00, 0xc0, 0xff, 0xee,   /* header_data */
    0xff, 0xff, 0xff, 0xff,                           /* initiator */
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,   /* match bits */
};
/* 802.1Q and IPv6: second packet of a long WRITE, sent again, with a CRC trailer. */
static const uint8_t std_som0[] = {
    0x02, 0x00, 0x00, 0x00, 0x00, 0x02,               /* dst MAC */
    0x02, 0x00, 0x00, 0x00, 0x00, 0x01,               /* src MAC */
    0x81, 0x00,                                       /* 802.1Q */
    0x0f, 0xfe,                                       /* pcp 0, dei 0, vid 4094 */
    0x86, 0xdd,                                       /* IPv6 */
    0x62, 0x30,                                       /* version 6, dscp 8, ecn 3 */
    0x00, 0x00,                                       /* flow_label */
    0x00, 0x49,                                       /* payload_length 73 */
    0x11, 0xff,                                       /* next_header 17, hop_limit 255 */
    0x20, 0x01, 0x0d, 0xb8, 0x00, 0x00, 0x00, 0x00,   /* src 2001:db8::1 */
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01,
    0x20, 0x01, 0x0d, 0xb8, 0x00, 0x00, 0x00, 0x00,   /* dst 2001:db8::2 */
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02,
    0x00, 0x01,                                       /* entropy */
    0x12, 0xb9,                                       /* dst_port 4793 */
    0x00, 0x49,                                       /* length 73 */
    0x00, 0x00,                                       /* checksum: 0 */
    0x11, 0x90,                                       /* type 2, next_hdr 3 (standard), retx */
    0x80, 0x00,                                       /* clear_psn_offset -32768 */
    0x00, 0x00, 0x00, 0x10,                           /* psn */
    0xff, 0xff,                                       /* spdcid */
    0x00, 0x01,                                       /* dpdcid */
    0x01, 0x22,                                       /* opcode 1 WRITE; version 0, dc, eom */
    0xff, 0xff,                                       /* message_id 65535 */
    0xff, 0x12, 0x34, 0x56,                           /* ri_generation 255, job_id 0x123456 */
    0x0a, 0xbc,                                       /* pid_on_fep */
    0x0d, 0xef,                                       /* resource_index */
    0x80, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,   /* buffer_offset 2^63 */
    0x80, 0x00, 0x00, 0x01,                           /* initiator */
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,   /* memory key */
    0x00, 0x00,                                       /* reserved */
    0x00, 0x05,                                       /* reserved, payload_length 5 */
    0x00, 0x00, 0x10, 0x00,                           /* message_offset 4096 */
    0x00, 0x00, 0x10, 0x05,                           /* request_length 4101 */
    0x01, 0x02, 0x03, 0x04, 0x05,                     /* payload */
    0xfd, 0xc8, 0xa0, 0x25,                           /* CRC-32C 0xfdc8a025 of 101 bytes, big-endian */
};
/* ACK with the default response and a CRC trailer. */
static const uint8_t ack_default[] = {
    0x02, 0x00, 0xc0, 0x00, 0x02, 0x01,               /* dst MAC */
    0x02, 0x00, 0xc0, 0x00, 0x02, 0x02,               /* src MAC */
    0x08, 0x00,                                       /* IPv4 */
    0x45,                                             /* version 4, ihl 5 */
    0xb8,                                             /* dscp 46, ecn 0 */
    0x00, 0x38,                                       /* total_length 56 */
    0x00, 0x00,                                       /* identification */
    0x40, 0x00,                                       /* df */
    0x40, 0x11,                                       /* ttl 64, protocol 17 */
    0xb5, 0xf9,                                       /* header_checksum */
    0xc0, 0x00, 0x02, 0x02,                           /* src 192.0.2.2 */
    0xc0, 0x00, 0x02, 0x01,                           /* dst 192.0.2.1 */
    0x42, 0x42,                                       /* entropy */
    0x12, 0xb9,                                       /* dst_port 4793 */
    0x00, 0x24,                                       /* length 36 */
    0x00, 0x00,                                       /* checksum: 0 */
    0x3a, 0x00,                                       /* type 7, next_hdr 4 (response) */
    0x00, 0x01,                                       /* ack_psn_offset 1 */
    0x12, 0x34, 0x56, 0x78,                           /* cack_psn */
    0x20, 0x01,                                       /* spdcid */
    0x10, 0x01,                                       /* dpdcid */
    0x00, 0x01,                                       /* list 0, opcode 0 default; version 0, RC_OK */
    0x00, 0x07,                                       /* message_id 7 */
    0x00, 0x00, 0x00, 0x01,                           /* ri_generation 0, job_id 1 */
    0x00, 0x00, 0x00, 0x04,                           /* modified_length 4 */
    0x00, 0x29, 0xa0, 0x12,                           /* CRC-32C 0x0029a012 of 40 bytes, big-endian */
};
/* IPv6: ACK_CC with the NSCC state, asking for a clear, with an error response. */
static const uint8_t ack_cc_response[] = {
    0x02, 0x00, 0x00, 0x00, 0x00, 0x01,               /* dst MAC */
    0x02, 0x00, 0x00, 0x00, 0x00, 0x02,               /* src MAC */
    0x86, 0xdd,                                       /* IPv6 */
    0x6b, 0x80,                                       /* version 6, dscp 46, ecn 0 */
    0x00, 0x00,                                       /* flow_label */
    0x00, 0x34,                                       /* payload_length 52 */
    0x11, 0x40,                                       /* next_header 17, hop_limit 64 */
    0x20, 0x01, 0x0d, 0xb8, 0x00, 0x00, 0x00, 0x00,   /* src 2001:db8::2 */
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02,
    0x20, 0x01, 0x0d, 0xb8, 0x00, 0x00, 0x00, 0x00,   /* dst 2001:db8::1 */
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01,
    0x42, 0x42,                                       /* entropy */
    0x12, 0xb9,                                       /* dst_port 4793 */
    0x00, 0x34,                                       /* length 52 */
    0x00, 0x00,                                       /* checksum: 0 */
    0x42, 0x22,                                       /* type 8, next_hdr 4 (response), m, req 1 (clear) */
    0xff, 0xfe,                                       /* ack_psn_offset -2 */
    0x00, 0x00, 0x00, 0x01,                           /* cack_psn */
    0x20, 0x01,                                       /* spdcid */
    0x10, 0x01,                                       /* dpdcid */
    0x00,                                             /* cc_type 0 NSCC, cc_flags 0 */
    0x08,                                             /* mpr 8 */
    0x00, 0x02,                                       /* sack_psn_offset 2 */
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x05,   /* sack_bitmap: SACK_PSN and SACK_PSN+2 */
    0x00, 0x10,                                       /* service_time 16 x 128 ns */
    0x85,                                             /* rc 1, rcv_cwnd_pend 5 */
    0x00, 0x00, 0x03,                                 /* rcvd_bytes 3 x 256 */
    0xff, 0xff,                                       /* ooo_count not calculated */
    0x01, 0x1c,                                       /* list 0, opcode 1 response; version 0, RC_BAD_MKEY */
    0x00, 0x07,                                       /* message_id 7 */
    0x00, 0x00, 0x00, 0x01,                           /* ri_generation 0, job_id 1 */
    0x00, 0x00, 0x00, 0x00,                           /* modified_length 0 */
};
/* ACK that answers a Probe. */
static const uint8_t ack_probe[] = {
    0x02, 0x00, 0xc0, 0x00, 0x02, 0x01,               /* dst MAC */
    0x02, 0x00, 0xc0, 0x00, 0x02, 0x02,               /* src MAC */
    0x08, 0x00,                                       /* IPv4 */
    0x45,                                             /* version 4, ihl 5 */
    0xb8,                                             /* dscp 46, ecn 0 */
    0x00, 0x28,                                       /* total_length 40 */
    0x00, 0x00,                                       /* identification */
    0x40, 0x00,                                       /* df */
    0x40, 0x11,                                       /* ttl 64, protocol 17 */
    0xb6, 0x09,                                       /* header_checksum */
    0xc0, 0x00, 0x02, 0x02,                           /* src 192.0.2.2 */
    0xc0, 0x00, 0x02, 0x01,                           /* dst 192.0.2.1 */
    0x42, 0x42,                                       /* entropy */
    0x12, 0xb9,                                       /* dst_port 4793 */
    0x00, 0x14,                                       /* length 20 */
    0x00, 0x00,                                       /* checksum: 0 */
    0x38, 0x08,                                       /* type 7, next_hdr 0, p */
    0xbe, 0xef,                                       /* probe_opaque */
    0x12, 0x34, 0x56, 0x78,                           /* cack_psn */
    0x20, 0x01,                                       /* spdcid */
    0x10, 0x01,                                       /* dpdcid */
};
/* NACK with a CRC trailer. */
static const uint8_t nack_inv_dpdcid[] = {
    0x02, 0x00, 0xc0, 0x00, 0x02, 0x01,               /* dst MAC */
    0x02, 0x00, 0xc0, 0x00, 0x02, 0x02,               /* src MAC */
    0x08, 0x00,                                       /* IPv4 */
    0x45,                                             /* version 4, ihl 5 */
    0xb8,                                             /* dscp 46, ecn 0 */
    0x00, 0x30,                                       /* total_length 48 */
    0x00, 0x00,                                       /* identification */
    0x40, 0x00,                                       /* df */
    0x40, 0x11,                                       /* ttl 64, protocol 17 */
    0xb6, 0x01,                                       /* header_checksum */
    0xc0, 0x00, 0x02, 0x02,                           /* src 192.0.2.2 */
    0xc0, 0x00, 0x02, 0x01,                           /* dst 192.0.2.1 */
    0x42, 0x42,                                       /* entropy */
    0x12, 0xb9,                                       /* dst_port 4793 */
    0x00, 0x1c,                                       /* length 28 */
    0x00, 0x00,                                       /* checksum: 0 */
    0x50, 0x00,                                       /* type 10, next_hdr 0 */
    0x0e, 0x00,                                       /* nack_code 14 INV_DPDCID, vendor_code 0 */
    0x12, 0x34, 0x56, 0x78,                           /* nack_psn */
    0x00, 0x00,                                       /* spdcid: no PDC */
    0x10, 0x01,                                       /* dpdcid */
    0x00, 0x00, 0x00, 0x00,                           /* payload */
    0xcf, 0x84, 0xfc, 0x41,                           /* CRC-32C 0xcf84fc41 of 32 bytes, big-endian */
};
/* Control Packet: Close Command with a CRC trailer. */
static const uint8_t close_command[] = {
    0x02, 0x00, 0xc0, 0x00, 0x02, 0x02,               /* dst MAC */
    0x02, 0x00, 0xc0, 0x00, 0x02, 0x01,               /* src MAC */
    0x08, 0x00,                                       /* IPv4 */
    0x45,                                             /* version 4, ihl 5 */
    0xba,                                             /* dscp 46, ecn 2 */
    0x00, 0x30,                                       /* total_length 48 */
    0x00, 0x00,                                       /* identification */
    0x40, 0x00,                                       /* df */
    0x40, 0x11,                                       /* ttl 64, protocol 17 */
    0xb5, 0xff,                                       /* header_checksum */
    0xc0, 0x00, 0x02, 0x01,                           /* src 192.0.2.1 */
    0xc0, 0x00, 0x02, 0x02,                           /* dst 192.0.2.2 */
    0x42, 0x42,                                       /* entropy */
    0x12, 0xb9,                                       /* dst_port 4793 */
    0x00, 0x1c,                                       /* length 28 */
    0x00, 0x00,                                       /* checksum: 0 */
    0x5a, 0x08,                                       /* type 11, ctl_type 4, ar */
    0x00, 0x00,                                       /* probe_opaque */
    0x12, 0x34, 0x56, 0x7b,                           /* psn */
    0x10, 0x01,                                       /* spdcid */
    0x20, 0x01,                                       /* dpdcid */
    0x00, 0x00, 0x00, 0x00,                           /* payload */
    0x1c, 0x34, 0x7b, 0x18,                           /* CRC-32C 0x1c347b18 of 32 bytes, big-endian */
};
/* Control Packet: NOOP that opens a PDC, fourth packet of it. */
static const uint8_t noop_syn[] = {
    0x02, 0x00, 0xc0, 0x00, 0x02, 0x02,               /* dst MAC */
    0x02, 0x00, 0xc0, 0x00, 0x02, 0x01,               /* src MAC */
    0x08, 0x00,                                       /* IPv4 */
    0x45,                                             /* version 4, ihl 5 */
    0xba,                                             /* dscp 46, ecn 2 */
    0x00, 0x2c,                                       /* total_length 44 */
    0x00, 0x00,                                       /* identification */
    0x40, 0x00,                                       /* df */
    0x40, 0x11,                                       /* ttl 64, protocol 17 */
    0xb6, 0x03,                                       /* header_checksum */
    0xc0, 0x00, 0x02, 0x01,                           /* src 192.0.2.1 */
    0xc0, 0x00, 0x02, 0x02,                           /* dst 192.0.2.2 */
    0x42, 0x42,                                       /* entropy */
    0x12, 0xb9,                                       /* dst_port 4793 */
    0x00, 0x18,                                       /* length 24 */
    0x00, 0x00,                                       /* checksum: 0 */
    0x58, 0x2c,                                       /* type 11, ctl_type 0, isrod, ar, syn */
    0x00, 0x00,                                       /* probe_opaque */
    0x00, 0x00, 0x00, 0x02,                           /* psn */
    0x10, 0x02,                                       /* spdcid */
    0x10, 0x03,                                       /* pdc_info: use_rsv_pdc, psn_offset 3 */
    0x00, 0x00, 0x00, 0x00,                           /* payload */
};
/* IPv6: Control Packet: Negotiation, 20 bytes, with a CRC trailer. */
static const uint8_t negotiation[] = {
    0x02, 0x00, 0x00, 0x00, 0x00, 0x02,               /* dst MAC */
    0x02, 0x00, 0x00, 0x00, 0x00, 0x01,               /* src MAC */
    0x86, 0xdd,                                       /* IPv6 */
    0x6b, 0xa0,                                       /* version 6, dscp 46, ecn 2 */
    0x00, 0x00,                                       /* flow_label */
    0x00, 0x20,                                       /* payload_length 32 */
    0x11, 0x40,                                       /* next_header 17, hop_limit 64 */
    0x20, 0x01, 0x0d, 0xb8, 0x00, 0x00, 0x00, 0x00,   /* src 2001:db8::1 */
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01,
    0x20, 0x01, 0x0d, 0xb8, 0x00, 0x00, 0x00, 0x00,   /* dst 2001:db8::2 */
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02,
    0x42, 0x42,                                       /* entropy */
    0x12, 0xb9,                                       /* dst_port 4793 */
    0x00, 0x20,                                       /* length 32 */
    0x00, 0x00,                                       /* checksum: 0 */
    0x5c, 0x8c,                                       /* type 11, ctl_type 9, ar, syn */
    0x00, 0x00,                                       /* probe_opaque */
    0x12, 0x34, 0x56, 0x78,                           /* psn */
    0x10, 0x01,                                       /* spdcid */
    0x00, 0x00,                                       /* pdc_info, psn_offset */
    0x01,                                             /* neg_type 1 */
    0x02,                                             /* neg_length 2 words */
    0x00, 0x00,                                       /* reserved */
    0x00, 0x00, 0x00, 0x01,                           /* feature_mask */
    0x5f, 0x6d, 0x65, 0x33,                           /* CRC-32C 0x5f6d6533 of 60 bytes, big-endian */
};
/* Control Packet: Probe. */
static const uint8_t probe[] = {
    0x02, 0x00, 0xc0, 0x00, 0x02, 0x02,               /* dst MAC */
    0x02, 0x00, 0xc0, 0x00, 0x02, 0x01,               /* src MAC */
    0x08, 0x00,                                       /* IPv4 */
    0x45,                                             /* version 4, ihl 5 */
    0xba,                                             /* dscp 46, ecn 2 */
    0x00, 0x2c,                                       /* total_length 44 */
    0x00, 0x00,                                       /* identification */
    0x40, 0x00,                                       /* df */
    0x40, 0x11,                                       /* ttl 64, protocol 17 */
    0xb6, 0x03,                                       /* header_checksum */
    0xc0, 0x00, 0x02, 0x01,                           /* src 192.0.2.1 */
    0xc0, 0x00, 0x02, 0x02,                           /* dst 192.0.2.2 */
    0x42, 0x42,                                       /* entropy */
    0x12, 0xb9,                                       /* dst_port 4793 */
    0x00, 0x18,                                       /* length 24 */
    0x00, 0x00,                                       /* checksum: 0 */
    0x5b, 0x00,                                       /* type 11, ctl_type 6 */
    0xbe, 0xef,                                       /* probe_opaque */
    0x12, 0x34, 0x56, 0x7c,                           /* psn */
    0x10, 0x01,                                       /* spdcid */
    0x20, 0x01,                                       /* dpdcid */
    0x12, 0x34, 0x56, 0x80,                           /* SACK base PSN */
};
/* RUD Request: NO_OP, standard, without payload. */
static const uint8_t no_op[] = {
    0x02, 0x00, 0xc0, 0x00, 0x02, 0x02,               /* dst MAC */
    0x02, 0x00, 0xc0, 0x00, 0x02, 0x01,               /* src MAC */
    0x08, 0x00,                                       /* IPv4 */
    0x45,                                             /* version 4, ihl 5 */
    0x02,                                             /* dscp 0, ecn 2 */
    0x00, 0x54,                                       /* total_length 84 */
    0x00, 0x00,                                       /* identification */
    0x40, 0x00,                                       /* df */
    0x40, 0x11,                                       /* ttl 64, protocol 17 */
    0xb6, 0x93,                                       /* header_checksum */
    0xc0, 0x00, 0x02, 0x01,                           /* src 192.0.2.1 */
    0xc0, 0x00, 0x02, 0x02,                           /* dst 192.0.2.2 */
    0x42, 0x42,                                       /* entropy */
    0x12, 0xb9,                                       /* dst_port 4793 */
    0x00, 0x40,                                       /* length 64 */
    0x00, 0x00,                                       /* checksum: 0 */
    0x11, 0x88,                                       /* type 2, next_hdr 3 (standard), ar */
    0x00, 0x00,                                       /* clear_psn_offset 0 */
    0x12, 0x34, 0x56, 0x80,                           /* psn */
    0x10, 0x01,                                       /* spdcid */
    0x20, 0x01,                                       /* dpdcid */
    0x00, 0x03,                                       /* opcode 0 NO_OP; version 0, eom, som */
    0x00, 0x08,                                       /* message_id 8 */
    0x00, 0x00, 0x00, 0x01,                           /* ri_generation 0, job_id 1 */
    0x00, 0x03,                                       /* pid_on_fep 3 */
    0x00, 0x05,                                       /* resource_index 5 */
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,   /* buffer_offset 0 */
    0x00, 0x00, 0x00, 0x00,                           /* initiator 0 */
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,   /* memory key 0 */
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,   /* header_data: none */
    0x00, 0x00, 0x00, 0x00,                           /* request_length 0 */
};
/* IPv6: ACK with no-response, asking for a close. */
static const uint8_t ack_no_response[] = {
    0x02, 0x00, 0x00, 0x00, 0x00, 0x01,               /* dst MAC */
    0x02, 0x00, 0x00, 0x00, 0x00, 0x02,               /* src MAC */
    0x86, 0xdd,                                       /* IPv6 */
    0x6b, 0x80,                                       /* version 6, dscp 46, ecn 0 */
    0x00, 0x00,                                       /* flow_label */
    0x00, 0x20,                                       /* payload_length 32 */
    0x11, 0x40,                                       /* next_header 17, hop_limit 64 */
    0x20, 0x01, 0x0d, 0xb8, 0x00, 0x00, 0x00, 0x00,   /* src 2001:db8::2 */
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02,
    0x20, 0x01, 0x0d, 0xb8, 0x00, 0x00, 0x00, 0x00,   /* dst 2001:db8::1 */
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01,
    0x42, 0x42,                                       /* entropy */
    0x12, 0xb9,                                       /* dst_port 4793 */
    0x00, 0x20,                                       /* length 32 */
    0x00, 0x00,                                       /* checksum: 0 */
    0x3a, 0x14,                                       /* type 7, next_hdr 4 (response), retx, req 2 (close) */
    0x00, 0x00,                                       /* ack_psn_offset 0 */
    0xff, 0xff, 0xff, 0xff,                           /* cack_psn */
    0x20, 0x01,                                       /* spdcid */
    0x10, 0x01,                                       /* dpdcid */
    0x43, 0x00,                                       /* list 1 overflow, opcode 3 no-response; version 0, RC_NULL */
    0x00, 0x07,                                       /* message_id 7 */
    0x04, 0x00, 0x00, 0x01,                           /* ri_generation 4, job_id 1 */
    0x00, 0x00, 0x00, 0x00,                           /* modified_length 0 */
};/* clang-format on */

#endif
