/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of encapsulation, protection and trimming as frames show them (3.5.10.1, 3.5.25, 4.1). */
#include <string.h>

#include "refimpl/edge.h"
#include "refimpl/faults/ways.h"

static bool crc_is_overlooked(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (f->p.error == UET_PARSE_CRC_BAD)
        uet_crc_store(f->bytes + f->p.crc_offset, f->p.crc_computed, fep->config.crc_order);
    return true;
}

/* Is it trimmed, with a UDP checksum, padded, native IP? None of that says anything (4.1.3). */

static bool with_checksum_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return !(uet_edge_trimmed(&f->p) && f->p.udp_offset &&
             uet_udp_checksum(f->bytes + f->p.udp_offset));
}

static bool with_padding_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return !(uet_edge_trimmed(&f->p) && f->len > f->p.ip_end);
}

static bool native_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return !(uet_edge_trimmed(&f->p) && f->p.entropy_offset);
}

/* The entropy header becomes a UDP header: the FEP is set for UDP, and answers so. */
static bool native_is_taken(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const size_t more = UET_UDP_BYTES - UET_ENTROPY_BYTES;
    size_t at = f->p.entropy_offset, n = f->p.ip_end + more - at;
    uint8_t *ip = f->bytes + f->p.ip_offset, *udp = f->bytes + at;
    uint16_t entropy = uet_entropy(&f->p);
    if (!at || !fep->config.over_udp || f->len + more > UET_FRAME_MAX)
        return true;
    memmove(udp + UET_UDP_BYTES, udp + UET_ENTROPY_BYTES, f->len - at - UET_ENTROPY_BYTES);
    f->len += more;
    uet_udp_src_port_set(udp, entropy);
    uet_udp_dst_port_set(udp, fep->config.udp_port ? fep->config.udp_port : UET_UDP_PORT);
    uet_udp_length_set(udp, (uint16_t)n);
    uet_udp_checksum_set(udp, 0);
    if (f->p.ip_version == 4) {
        uet_ipv4_protocol_set(ip, UET_IPPROTO_UDP);
        uet_ipv4_total_length_set(ip, (uint16_t)(uet_ipv4_total_length(ip) + more));
    } else {
        uet_ipv6_next_header_set(ip, UET_IPPROTO_UDP);
        uet_ipv6_payload_length_set(ip, (uint16_t)(uet_ipv6_payload_length(ip) + more));
    }
    return true;
}

static const struct uet_fault_way ways[] = {
    {VIOLATION_PDS_233, .in = crc_is_overlooked}, {VIOLATION_NET_008, .in = with_checksum_lost},
    {VIOLATION_NET_009, .in = with_padding_lost}, {VIOLATION_NET_011, .in = native_lost},
    {VIOLATION_NET_033, .in = native_is_taken},
};

UET_FAULT_WAYS(uet_faults_of_edge, ways);
