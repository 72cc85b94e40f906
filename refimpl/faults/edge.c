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

/* The entropy header becomes a UDP header. */
static void wrap_in_udp(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const size_t more = UET_UDP_BYTES - UET_ENTROPY_BYTES;
    size_t at = f->p.entropy_offset, n = f->p.ip_end + more - at;
    uint8_t *ip = f->bytes + f->p.ip_offset, *udp = f->bytes + at;
    uint16_t entropy = uet_entropy(&f->p);
    if (f->len + more > UET_FRAME_MAX)
        return;
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
}

/* The FEP is set for UDP, and answers so. */
static bool native_is_taken(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (f->p.entropy_offset && fep->config.over_udp)
        wrap_in_udp(fep, f);
    return true;
}

static bool nack_over_udp(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (f->p.entropy_offset && uet_is_nack(&f->p))
        wrap_in_udp(fep, f);
    return true;
}

/* What IP carries looks like UDP to the port of UET: the protocol number is not looked at. */
static bool protocol_overlooked(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const uint16_t at = f->p.entropy_offset;
    uint8_t *ip = f->bytes + f->p.ip_offset;
    if (!at || !fep->config.over_udp || f->p.ip_end < at + UET_UDP_BYTES ||
        uet_udp_dst_port(f->bytes + at) != UET_UDP_PORT)
        return true;
    if (f->p.ip_version == 4)
        uet_ipv4_protocol_set(ip, UET_IPPROTO_UDP);
    else
        uet_ipv6_next_header_set(ip, UET_IPPROTO_UDP);
    return true;
}

/* memo: such a packet was shorter than a UDP header, and nothing is done any more. */
static bool short_ones_stop_it(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct uet_packet *p = &f->p;
    const uint16_t header =
        p->ip_version == 4 ? uet_ipv4_ihl(f->bytes + p->ip_offset) * 4u : UET_IPV6_BYTES;
    if (p->error == UET_PARSE_ENTROPY_SHORT && fep->config.over_udp &&
        p->ip_end - p->ip_offset < header + UET_UDP_BYTES)
        *f->memo = 1;
    return !*f->memo;
}

/* IP ends where UDP says, if the frame is so long. */
static bool ends_with_udp(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (f->p.error != UET_PARSE_UDP_LENGTH || f->p.ip_version != 4)
        return true;
    const size_t end = f->p.udp_offset + uet_udp_length(f->bytes + f->p.udp_offset);
    if (end <= f->len)
        uet_ipv4_total_length_set(f->bytes + f->p.ip_offset, (uint16_t)(end - f->p.ip_offset));
    return true;
}

/* It is taken, as its CRC is made right, and not answered. */
static bool bad_crc_opens(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    *f->memo = f->p.error == UET_PARSE_CRC_BAD;
    if (*f->memo)
        f->bytes[f->p.ip_offset + (f->p.ip_version == 6 ? 7 : 8)] ^= 1; /* hop limit, TTL */
    return true;
}

static bool says_nothing_of_it(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return !*f->memo;
}

static bool lasthop_with_checksum_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return f->p.trim != UET_TRIM_LASTHOP || with_checksum_lost(fep, f);
}

static const struct uet_fault_way ways[] = {
    {VIOLATION_NET_008_LASTHOP, .in = lasthop_with_checksum_lost},
    {VIOLATION_PDS_233_GHOST, .in = bad_crc_opens, .out = says_nothing_of_it},
    {VIOLATION_ROB_026_UDP, .in = ends_with_udp},
    {VIOLATION_PDS_233, .in = crc_is_overlooked},
    {VIOLATION_NET_008, .in = with_checksum_lost},
    {VIOLATION_NET_009, .in = with_padding_lost},
    {VIOLATION_NET_011, .in = native_lost},
    {VIOLATION_NET_033_NUMBER, .in = protocol_overlooked},
    {VIOLATION_NET_033_SHORT, .in = short_ones_stop_it},
    {VIOLATION_NET_032_NACK, .out = nack_over_udp},
    {VIOLATION_NET_033, .in = native_is_taken},
};

UET_FAULT_WAYS(uet_faults_of_edge, ways);
