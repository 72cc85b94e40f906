/* SPDX-License-Identifier: BSD-2-Clause */
#include "wire/build.h"

#include <errno.h>
#include <string.h>

#include "wire/crc.h"
#include "wire/inet.h"

/* The sum is the same in any byte order (RFC 1071, 2): whole words as the CPU loads them. */
uint16_t uet_inet_checksum(const uint8_t *data, size_t n)
{
    uint64_t sum = 0;
    for (; n >= 4; n -= 4, data += 4) {
        uint32_t word;
        memcpy(&word, data, 4);
        sum += word;
    }
    if (n) {
        uint32_t rest = 0;
        memcpy(&rest, data, n);
        sum += rest;
    }
    sum = (sum & 0xffffffff) + (sum >> 32);
    for (int fold = 0; fold < 3; fold++)
        sum = (sum & 0xffff) + (sum >> 16);
    return UET_SWAP16((uint16_t)~sum);
}

uint8_t *uet_build_header(struct uet_build *b, size_t n)
{
    if (b->overflow || b->cap - b->len < n) { /* once over, nothing more is placed */
        b->overflow = true;
        memset(b->spill, 0, sizeof b->spill);
        return b->spill;
    }
    uint8_t *p = b->frame + b->len;
    memset(p, 0, n);
    b->len += n;
    return p;
}

static void start_ip(struct uet_build *b, const struct uet_route *r)
{
    uint8_t ttl = r->ttl ? r->ttl : 64;
    b->ip_offset = (uint16_t)b->len;
    b->ip_version = r->src.version;
    if (r->src.version == 6) {
        uint8_t *ip = uet_build_header(b, UET_IPV6_BYTES);
        uet_ipv6_version_set(ip, 6);
        uet_ipv6_dscp_set(ip, r->dscp);
        uet_ipv6_ecn_set(ip, r->ecn);
        uet_ipv6_next_header_set(ip, UET_IPPROTO_UDP);
        uet_ipv6_hop_limit_set(ip, ttl);
        memcpy(ip + 8, r->src.bytes, 16);
        memcpy(ip + 24, r->dst.bytes, 16);
        return;
    }
    uint8_t *ip = uet_build_header(b, UET_IPV4_BYTES);
    uet_ipv4_version_set(ip, 4);
    uet_ipv4_ihl_set(ip, UET_IPV4_BYTES / 4);
    uet_ipv4_dscp_set(ip, r->dscp);
    uet_ipv4_ecn_set(ip, r->ecn);
    uet_ipv4_df_set(ip, true); /* no fragments (3.5.10.1) */
    uet_ipv4_ttl_set(ip, ttl);
    uet_ipv4_protocol_set(ip, UET_IPPROTO_UDP);
    memcpy(ip + 12, r->src.bytes, 4);
    memcpy(ip + 16, r->dst.bytes, 4);
}

void uet_build_start(struct uet_build *b, uint8_t *buffer, size_t cap,
                     const struct uet_route *route)
{
    *b = (struct uet_build){.frame = buffer, .cap = cap};
    struct uet_mac src = uet_mac_of_ip(&route->src), dst = uet_mac_of_ip(&route->dst);
    uint16_t ethertype = route->src.version == 6 ? UET_ETHERTYPE_IPV6 : UET_ETHERTYPE_IPV4;
    uint8_t *eth = uet_build_header(b, UET_ETH_BYTES);
    memcpy(eth, dst.bytes, 6);
    memcpy(eth + 6, src.bytes, 6);
    uet_eth_ethertype_set(eth, route->vlan ? UET_ETHERTYPE_VLAN : ethertype);
    if (route->vlan) {
        uint8_t *tag = uet_build_header(b, UET_VLAN_BYTES);
        uet_vlan_vid_set(tag, route->vid);
        uet_vlan_ethertype_set(tag, ethertype);
    }
    start_ip(b, route);
    b->udp_offset = (uint16_t)b->len;
    uint8_t *udp = uet_build_header(b, UET_UDP_BYTES);
    uet_udp_src_port_set(udp, route->entropy);
    uet_udp_dst_port_set(udp, route->udp_port ? route->udp_port : UET_UDP_PORT);
    b->pds_offset = b->ses_offset = b->payload_offset = (uint16_t)b->len;
}

uint8_t *uet_build_pds(struct uet_build *b, enum uet_header_id id)
{
    b->pds_offset = (uint16_t)b->len;
    uint8_t *h = uet_build_header(b, uet_headers[id].bytes);
    b->ses_offset = b->payload_offset = (uint16_t)b->len;
    return h;
}

uint8_t *uet_build_ses(struct uet_build *b, enum uet_header_id id)
{
    b->ses_offset = (uint16_t)b->len;
    uint8_t *h = uet_build_header(b, uet_headers[id].bytes);
    b->payload_offset = (uint16_t)b->len;
    return h;
}

void uet_build_payload(struct uet_build *b, const void *data, size_t n)
{
    if (b->overflow || b->cap - b->len < n) {
        b->overflow = true;
        return;
    }
    if (n)
        memcpy(b->frame + b->len, data, n);
    b->len += n;
}

static void finish_ipv4(uint8_t *ip, const struct uet_wrong *w)
{
    uet_ipv4_header_checksum_set(ip, 0);
    uint16_t sum = uet_inet_checksum(ip, (size_t)uet_ipv4_ihl(ip) * 4);
    uet_ipv4_header_checksum_set(ip, w->ip_checksum ? w->ip_checksum_value : sum);
}

static void store_crc(uint8_t *frame, uint16_t ip_offset, uint8_t ip_version, size_t trailer,
                      uint32_t crc_xor)
{
    size_t start = ip_offset + uet_crc_from(ip_version);
    uet_crc_store(frame + trailer, uet_crc32c(0, frame + start, trailer - start) ^ crc_xor);
}

int uet_build_finish(struct uet_build *b, enum uet_protect protect, const struct uet_wrong *wrong)
{
    static const struct uet_wrong right = {0};
    const struct uet_wrong *w = wrong ? wrong : &right;
    size_t trailer = b->len;
    if (protect == UET_PROTECT_CRC)
        uet_build_header(b, UET_CRC_TRAILER_BYTES);
    if (b->overflow)
        return -ENOBUFS;
    uint8_t *udp = b->frame + b->udp_offset, *ip = b->frame + b->ip_offset;
    size_t udp_len = b->len - b->udp_offset, ip_len = b->len - b->ip_offset;
    uet_udp_length_set(udp, w->udp_length ? w->udp_length_value : (uint16_t)udp_len);
    if (w->udp_checksum)
        uet_udp_checksum_set(udp, w->udp_checksum_value);
    if (b->ip_version == 4) {
        uet_ipv4_total_length_set(ip, w->ip_length ? w->ip_length_value : (uint16_t)ip_len);
        finish_ipv4(ip, w);
    } else {
        uint16_t n = (uint16_t)(ip_len - UET_IPV6_BYTES);
        uet_ipv6_payload_length_set(ip, w->ip_length ? w->ip_length_value : n);
    }
    if (protect == UET_PROTECT_CRC)
        store_crc(b->frame, b->ip_offset, b->ip_version, trailer, w->crc_xor);
    b->len -= w->cut < b->len ? w->cut : b->len;
    return (int)b->len;
}

void uet_refresh(uint8_t *frame, size_t len, enum uet_protect protect)
{
    static const struct uet_wrong right = {0};
    const struct uet_parse_options o = {.protect = (uint8_t)protect, .lenient = true};
    struct uet_packet p;
    uet_parse(&p, frame, len, &o);
    if (!p.udp_offset)
        return;
    if (p.ip_version == 4)
        finish_ipv4(frame + p.ip_offset, &right);
    if (p.crc_offset)
        store_crc(frame, p.ip_offset, p.ip_version, p.crc_offset, 0);
}
