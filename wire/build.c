/* SPDX-License-Identifier: BSD-2-Clause */
#include "wire/build.h"

#include <errno.h>
#include <string.h>

#include "wire/crc.h"
#include "wire/inet.h"

/* 16 bits of a sum of 16-bit words, the carries added again (RFC 1071, 1). */
static uint16_t fold(uint64_t sum)
{
    sum = (sum & 0xffff) + (sum >> 16 & 0xffff) + (sum >> 32);
    sum = (sum & 0xffff) + (sum >> 16);
    return (uint16_t)(sum + (sum >> 16));
}

/* The sum is the same in any byte order (RFC 1071, 2): whole words as the CPU loads them. */
uint16_t uet_inet_checksum(const uint8_t *data, size_t n)
{
    uint64_t sum = 0;
    uint32_t word;
    for (; n >= 4; n -= 4, data += 4) {
        memcpy(&word, data, 4);
        sum += word;
    }
    if (n) {
        word = 0;
        memcpy(&word, data, n);
        sum += word;
    }
    return (uint16_t)~UET_SWAP16(fold(sum));
}

static uint8_t *spilled(struct uet_build *b)
{
    b->overflow = true;
    memset(b->spill, 0, sizeof b->spill);
    return b->spill;
}

/* Inlined, so that a header whose length is known here is cleared by a few stores. */
static inline uint8_t *place(struct uet_build *b, size_t n)
{
    if (b->overflow || b->cap - b->len < n) /* once over, nothing more is placed */
        return spilled(b);
    uint8_t *p = b->frame + b->len;
    memset(p, 0, n);
    b->len += n;
    return p;
}

/*
 * As place, for a length that only the tables know. Where the buffer has room the longest header
 * is cleared, which is no call: what follows is written over it.
 */
static uint8_t *place_any(struct uet_build *b, size_t n)
{
    size_t room = b->cap - b->len;
    if (b->overflow || room < n)
        return spilled(b);
    uint8_t *p = b->frame + b->len;
    if (n <= sizeof b->spill && room >= sizeof b->spill)
        memset(p, 0, sizeof b->spill);
    else
        memset(p, 0, n);
    b->len += n;
    return p;
}

uint8_t *uet_build_header(struct uet_build *b, size_t n)
{
    return place_any(b, n);
}

/* Each names the UDP port of UET: where UDP would begin if nobody looked at the header's length. */
static void place_stream_ids(struct uet_build *b, uint8_t *ip, uint8_t n)
{
    static const uint8_t option[4] = {0x88, 4, UET_UDP_PORT >> 8, UET_UDP_PORT & 0xff};
    for (uint8_t i = 0; i < n; i++)
        memcpy(place(b, sizeof option), option, sizeof option);
    uet_ipv4_ihl_set(ip, (uint8_t)(UET_IPV4_BYTES / 4 + n));
}

static uint8_t protocol_of(const struct uet_route *r)
{
    if (!r->native)
        return UET_IPPROTO_UDP;
    return r->ip_protocol ? r->ip_protocol : UET_IPPROTO_UET_EXPERIMENTAL;
}

static void start_ip(struct uet_build *b, const struct uet_route *r)
{
    uint8_t ttl = r->ttl ? r->ttl : 64;
    b->ip_offset = (uint16_t)b->len;
    b->ip_version = r->src.version;
    if (r->src.version == 6) {
        uint8_t *ip = place(b, UET_IPV6_BYTES);
        uet_ipv6_version_set(ip, 6);
        uet_ipv6_dscp_set(ip, r->dscp);
        uet_ipv6_ecn_set(ip, r->ecn);
        uet_ipv6_next_header_set(ip, protocol_of(r));
        uet_ipv6_hop_limit_set(ip, ttl);
        memcpy(ip + 8, r->src.bytes, 16);
        memcpy(ip + 24, r->dst.bytes, 16);
        return;
    }
    uint8_t *ip = place(b, UET_IPV4_BYTES);
    uet_ipv4_version_set(ip, 4);
    uet_ipv4_ihl_set(ip, UET_IPV4_BYTES / 4);
    uet_ipv4_dscp_set(ip, r->dscp);
    uet_ipv4_ecn_set(ip, r->ecn);
    uet_ipv4_df_set(ip, true); /* no fragments (3.5.10.1) */
    uet_ipv4_ttl_set(ip, ttl);
    uet_ipv4_protocol_set(ip, protocol_of(r));
    memcpy(ip + 12, r->src.bytes, 4);
    memcpy(ip + 16, r->dst.bytes, 4);
    if (r->stream_ids)
        place_stream_ids(b, ip, r->stream_ids);
}

void uet_build_start(struct uet_build *b, uint8_t *buffer, size_t cap,
                     const struct uet_route *route)
{
    b->frame = buffer;
    b->cap = cap;
    b->len = 0;
    b->udp_offset = b->tss_offset = 0;
    b->crc_order = route->crc_order;
    b->overflow = false; /* and the spill area is cleared when it is needed */
    uint16_t ethertype = route->src.version == 6 ? UET_ETHERTYPE_IPV6 : UET_ETHERTYPE_IPV4;
    uint8_t *eth = place(b, UET_ETH_BYTES);
    uet_mac_put(eth, &route->dst);
    uet_mac_put(eth + 6, &route->src);
    uet_eth_ethertype_set(eth, route->vlan ? UET_ETHERTYPE_VLAN : ethertype);
    if (route->vlan) {
        uint8_t *tag = place(b, UET_VLAN_BYTES);
        uet_vlan_vid_set(tag, route->vid);
        uet_vlan_ethertype_set(tag, ethertype);
    }
    start_ip(b, route);
    if (route->native) {
        uint8_t *entropy = place(b, UET_ENTROPY_BYTES);
        uet_entropy_value_set(entropy, route->entropy);
        uet_entropy_rsvd_set(entropy, route->entropy_rsvd);
    } else {
        b->udp_offset = (uint16_t)b->len;
        uint8_t *udp = place(b, UET_UDP_BYTES);
        uet_udp_src_port_set(udp, route->entropy);
        uet_udp_dst_port_set(udp, route->udp_port ? route->udp_port : UET_UDP_PORT);
    }
    b->pds_offset = b->ses_offset = b->payload_offset = (uint16_t)b->len;
}

uint8_t *uet_build_tss(struct uet_build *b, enum uet_header_id id)
{
    b->tss_offset = (uint16_t)b->len;
    bool sp = id == UET_H_TSS_HDR_16;
    uint8_t *h = sp ? place(b, UET_TSS_HDR_16_BYTES) : place(b, UET_TSS_HDR_12_BYTES);
    uet_tss_hdr_type_set(h, UET_PDS_TSS);
    uet_tss_hdr_sp_set(h, sp);
    b->pds_offset = b->ses_offset = b->payload_offset = (uint16_t)b->len;
    return h;
}

uint8_t *uet_build_cp(struct uet_build *b, enum uet_header_id id, enum uet_header_id payload)
{
    uint8_t *h = uet_build_pds(b, id);
    size_t fixed = 4, n = uet_header_bytes[payload];
    if (n > fixed) /* Negotiation (3.5.16.7) */
        place_any(b, n - fixed);
    b->ses_offset = b->payload_offset = (uint16_t)b->len;
    return b->overflow ? b->spill : h;
}

uint8_t *uet_build_ext(struct uet_build *b, enum uet_header_id id)
{
    uint8_t *h = place_any(b, uet_header_bytes[id]);
    b->payload_offset = (uint16_t)b->len;
    return h;
}

uint8_t *uet_build_pds(struct uet_build *b, enum uet_header_id id)
{
    b->pds_offset = (uint16_t)b->len;
    uint8_t *h = place_any(b, uet_header_bytes[id]);
    b->ses_offset = b->payload_offset = (uint16_t)b->len;
    return h;
}

uint8_t *uet_build_ses(struct uet_build *b, enum uet_header_id id)
{
    b->ses_offset = (uint16_t)b->len;
    uint8_t *h = place_any(b, uet_header_bytes[id]);
    b->payload_offset = (uint16_t)b->len;
    return h;
}

uint8_t *uet_build_payload_room(struct uet_build *b, size_t n)
{
    if (b->overflow || b->cap - b->len < n) {
        b->overflow = true;
        return NULL;
    }
    b->len += n;
    return b->frame + b->len - n;
}

void uet_build_payload(struct uet_build *b, const void *data, size_t n)
{
    uint8_t *room = uet_build_payload_room(b, n);
    if (room && n)
        memcpy(room, data, n);
}

/*
 * The checksum of a header that was written just now, field by field: byte by byte, because a load
 * wider than the stores before it waits until they have left the CPU's store queue (15 ns).
 */
static uint16_t fresh_checksum(const uint8_t *ip, size_t n)
{
    uint32_t even = 0, odd = 0;
    for (size_t i = 0; i < n; i += 4) { /* the length counts words of four bytes */
        even += (uint32_t)ip[i] + ip[i + 2];
        odd += (uint32_t)ip[i + 1] + ip[i + 3];
    }
    return (uint16_t)~fold(((uint64_t)even << 8) + odd);
}

static void finish_ipv4(uint8_t *ip, const struct uet_wrong *w)
{
    uet_ipv4_header_checksum_set(ip, 0);
    if (w->ihl)
        uet_ipv4_ihl_set(ip, w->ihl_value);
    uint16_t sum = fresh_checksum(ip, (size_t)uet_ipv4_ihl(ip) * 4);
    uet_ipv4_header_checksum_set(ip, w->ip_checksum ? uet_wrong_ip_checksum(w, sum) : sum);
}

/* Out of line: inlined it costs each packet without a trailer 8 instructions for registers. */
__attribute__((noinline)) static void store_crc(uint8_t *frame, uint16_t ip_offset,
                                                uint8_t ip_version, size_t trailer,
                                                uint32_t crc_xor, enum uet_crc_order order)
{
    size_t start = ip_offset + uet_crc_from(ip_version);
    uet_crc_store(frame + trailer, uet_crc32c(0, frame + start, trailer - start) ^ crc_xor, order);
}

static void finish_udp(struct uet_build *b, const struct uet_wrong *w)
{
    uint8_t *udp = b->frame + b->udp_offset;
    size_t n = b->len - b->udp_offset;
    uet_udp_length_set(udp, w->udp_length ? w->udp_length_value : (uint16_t)n);
    if (w->udp_checksum)
        uet_udp_checksum_set(udp, w->udp_checksum_value);
}

int uet_build_finish(struct uet_build *b, enum uet_protect protect, const struct uet_wrong *wrong)
{
    static const struct uet_wrong right = {0};
    const struct uet_wrong *w = wrong ? wrong : &right;
    size_t trailer = b->len;
    bool crc = protect == UET_PROTECT_CRC && !b->tss_offset; /* never both (3.5.5) */
    if (b->tss_offset)
        place(b, UET_TSS_TRAILER_BYTES);
    if (crc)
        place(b, UET_CRC_TRAILER_BYTES);
    if (b->overflow)
        return -ENOBUFS;
    uint8_t *ip = b->frame + b->ip_offset;
    size_t ip_len = b->len - b->ip_offset;
    if (b->udp_offset)
        finish_udp(b, w);
    if (b->ip_version == 4) {
        uet_ipv4_total_length_set(ip, w->ip_length ? w->ip_length_value : (uint16_t)ip_len);
        finish_ipv4(ip, w);
    } else {
        uint16_t n = (uint16_t)(ip_len - UET_IPV6_BYTES);
        uet_ipv6_payload_length_set(ip, w->ip_length ? w->ip_length_value : n);
    }
    if (crc)
        store_crc(b->frame, b->ip_offset, b->ip_version, trailer, w->crc_xor, b->crc_order);
    b->len -= w->cut < b->len ? w->cut : b->len;
    return (int)b->len;
}

int uet_trim(uint8_t *frame, size_t len, size_t keep, uint8_t dscp)
{
    static const struct uet_wrong right = {0};
    struct uet_packet p;
    uet_parse(&p, frame, len, NULL); /* UET or not: a switch looks no further than IP */
    if (p.ip_end == 0)
        return -EINVAL;
    uint8_t *ip = frame + p.ip_offset;
    size_t header = p.ip_version == 4 ? (size_t)uet_ipv4_ihl(ip) * 4 : UET_IPV6_BYTES;
    size_t end = p.ip_offset + header + keep;
    if (end >= p.ip_end)
        return -EINVAL;
    if (p.ip_version == 4) {
        uet_ipv4_dscp_set(ip, dscp);
        uet_ipv4_total_length_set(ip, (uint16_t)(end - p.ip_offset));
        finish_ipv4(ip, &right);
    } else {
        uet_ipv6_dscp_set(ip, dscp);
        uet_ipv6_payload_length_set(ip, (uint16_t)(end - p.ip_offset - UET_IPV6_BYTES));
    }
    return (int)end;
}

void uet_refresh_as(uint8_t *frame, size_t len, enum uet_protect protect, enum uet_crc_order order)
{
    static const struct uet_wrong right = {0};
    const struct uet_parse_options o = {.protect = (uint8_t)protect, .lenient = true};
    struct uet_packet p;
    uet_parse(&p, frame, len, &o);
    if (!p.udp_offset && !p.entropy_offset)
        return;
    if (p.ip_version == 4)
        finish_ipv4(frame + p.ip_offset, &right);
    if (p.crc_offset)
        store_crc(frame, p.ip_offset, p.ip_version, p.crc_offset, 0, order);
}

void uet_refresh(uint8_t *frame, size_t len, enum uet_protect protect)
{
    uet_refresh_as(frame, len, protect, UET_CRC_BIG_ENDIAN);
}
