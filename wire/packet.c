/* SPDX-License-Identifier: BSD-2-Clause */
#include "wire/packet.h"

#include <string.h>

#include "wire/crc.h"
#include "wire/inet.h"

static const struct uet_parse_options strict = {0};

static enum uet_parse_error fail(struct uet_packet *p, enum uet_parse_error error, size_t offset)
{
    if (p->error == UET_PARSE_OK) { /* the first thing wrong is the one to name */
        p->error = (uint8_t)error;
        p->error_offset = (uint16_t)(offset > UINT16_MAX ? UINT16_MAX : offset);
    }
    return error;
}

/* Ethernet and VLAN tags; *at becomes the IP header's offset. */
static enum uet_parse_error parse_link(struct uet_packet *p, size_t *at)
{
    if (p->len < UET_ETH_BYTES)
        return fail(p, UET_PARSE_ETH_SHORT, 0);
    *at = UET_ETH_BYTES;
    enum uet_header_id next = uet_next_eth(p->frame, NULL);
    while (next == UET_H_VLAN) {
        if (p->n_vlans == UET_VLANS_MAX)
            return fail(p, UET_PARSE_NOT_UET, *at);
        if (p->len - *at < UET_VLAN_BYTES)
            return fail(p, UET_PARSE_ETH_SHORT, *at);
        next = uet_next_vlan(p->frame + *at, NULL);
        *at += UET_VLAN_BYTES;
        p->n_vlans++;
    }
    if (next != UET_H_IPV4 && next != UET_H_IPV6)
        return fail(p, UET_PARSE_NOT_UET, *at);
    p->ip_version = next == UET_H_IPV4 ? 4 : 6;
    p->ip_offset = (uint16_t)*at;
    return UET_PARSE_OK;
}

static enum uet_parse_error parse_raw_ip(struct uet_packet *p)
{
    uint8_t version = p->len ? p->frame[0] >> 4 : 0;
    if (p->len == 0)
        return fail(p, UET_PARSE_IP_SHORT, 0);
    if (version != 4 && version != 6)
        return fail(p, UET_PARSE_IP_VERSION, 0);
    p->ip_version = version;
    return UET_PARSE_OK;
}

static enum uet_parse_error parse_ipv4(struct uet_packet *p, size_t *at, bool lenient)
{
    const uint8_t *ip = p->frame + *at;
    size_t room = p->len - *at, header, total;
    if (room < UET_IPV4_BYTES)
        return fail(p, UET_PARSE_IP_SHORT, *at);
    header = (size_t)uet_ipv4_ihl(ip) * 4;
    if (uet_ipv4_version(ip) != 4 || header < UET_IPV4_BYTES)
        return fail(p, UET_PARSE_IP_VERSION, *at);
    if (header > room)
        return fail(p, UET_PARSE_IP_SHORT, *at);
    total = uet_ipv4_total_length(ip);
    if (total < header || total > room)
        return fail(p, UET_PARSE_IP_LENGTH, *at + 2);
    p->ip_end = (uint16_t)(*at + total);
    if (uet_inet_checksum(ip, header) != 0) {
        fail(p, UET_PARSE_IP_CHECKSUM, *at + 10);
        if (!lenient)
            return UET_PARSE_IP_CHECKSUM;
    }
    if (uet_next_ipv4(ip, NULL) != UET_H_UDP)
        return fail(p, UET_PARSE_NOT_UET, *at + 9);
    if (uet_ipv4_mf(ip) || uet_ipv4_fragment_offset(ip))
        return fail(p, UET_PARSE_IP_FRAGMENT, *at + 6);
    *at += header;
    return UET_PARSE_OK;
}

static enum uet_parse_error parse_ipv6(struct uet_packet *p, size_t *at)
{
    const uint8_t *ip = p->frame + *at;
    size_t room = p->len - *at, total;
    if (room < UET_IPV6_BYTES)
        return fail(p, UET_PARSE_IP_SHORT, *at);
    if (uet_ipv6_version(ip) != 6)
        return fail(p, UET_PARSE_IP_VERSION, *at);
    total = UET_IPV6_BYTES + (size_t)uet_ipv6_payload_length(ip);
    if (total > room)
        return fail(p, UET_PARSE_IP_LENGTH, *at + 4);
    p->ip_end = (uint16_t)(*at + total);
    if (uet_next_ipv6(ip, NULL) != UET_H_UDP)
        return fail(p, UET_PARSE_NOT_UET, *at + 6);
    *at += UET_IPV6_BYTES;
    return UET_PARSE_OK;
}

static enum uet_parse_error parse_udp(struct uet_packet *p, size_t *at,
                                      const struct uet_parse_options *o)
{
    const uint8_t *udp = p->frame + *at;
    size_t room = p->ip_end - *at;
    if (room < UET_UDP_BYTES)
        return fail(p, UET_PARSE_UDP_SHORT, *at);
    uint16_t port = o->udp_port ? o->udp_port : UET_UDP_PORT;
    if (uet_udp_dst_port(udp) != port)
        return fail(p, UET_PARSE_NOT_UET, *at + 2);
    p->udp_offset = (uint16_t)*at;
    if (uet_udp_length(udp) != room) {
        fail(p, UET_PARSE_UDP_LENGTH, *at + 4);
        if (!o->lenient)
            return UET_PARSE_UDP_LENGTH;
    }
    *at += UET_UDP_BYTES;
    return UET_PARSE_OK;
}

/* The CRC covers everything from the IP source address to the byte before it (3.5.25). */
static enum uet_parse_error parse_crc(struct uet_packet *p, size_t at, size_t *end,
                                      const struct uet_parse_options *o)
{
    if (o->protect == UET_PROTECT_NONE)
        return UET_PARSE_OK;
    if (*end - at < UET_CRC_TRAILER_BYTES)
        return o->protect == UET_PROTECT_CRC ? fail(p, UET_PARSE_CRC_SHORT, *end) : UET_PARSE_OK;
    size_t trailer = *end - UET_CRC_TRAILER_BYTES;
    size_t start = p->ip_offset + uet_crc_from(p->ip_version);
    p->crc_computed = uet_crc32c(0, p->frame + start, trailer - start);
    bool good = p->crc_computed == uet_crc_load(p->frame + trailer);
    if (!good && o->protect == UET_PROTECT_AUTO)
        return UET_PARSE_OK;
    p->crc_offset = (uint16_t)trailer;
    p->crc_state = good ? UET_CRC_GOOD : UET_CRC_BAD;
    *end = trailer;
    if (!good) {
        fail(p, UET_PARSE_CRC_BAD, trailer);
        if (!o->lenient)
            return UET_PARSE_CRC_BAD;
    }
    return UET_PARSE_OK;
}

static enum uet_parse_error parse_cp(struct uet_packet *p, size_t *at, size_t end)
{
    const uint8_t *pds = p->frame + p->pds_offset;
    p->cp_payload = (uint8_t)uet_inside_cp(pds, NULL);
    if (!p->cp_payload) /* reserved ctl_type: the fixed payload stays opaque (PDS-196) */
        return UET_PARSE_OK;
    /* The payload stands in the last four bytes of the header; Negotiation needs eight (3.5.16.7).
     */
    size_t start = p->pds_offset + UET_CP_BYTES - 4u;
    if (end - start < uet_headers[p->cp_payload].bytes) {
        p->cp_payload = UET_H_NONE;
        return fail(p, UET_PARSE_PDS_SHORT, start);
    }
    p->cp_payload_offset = (uint16_t)start;
    *at = start + uet_headers[p->cp_payload].bytes;
    return UET_PARSE_OK;
}

/* Inlined, so that the call through `next` becomes the comparisons of the parse graph. */
__attribute__((always_inline)) static inline enum uet_parse_error
parse_ses(struct uet_packet *p, size_t *at, size_t end, uint8_t nh,
          enum uet_header_id (*next)(const uint8_t *, const uint8_t *))
{
    if (nh == UET_NH_NONE)
        return UET_PARSE_OK;
    if (end - *at < 2)
        return fail(p, UET_PARSE_SES_SHORT, *at);
    enum uet_header_id ses = next(p->frame + p->pds_offset, p->frame + *at);
    if (ses == UET_H_NONE)
        return fail(p, UET_PARSE_PDS_NEXT_HDR, p->pds_offset);
    if (end - *at < uet_headers[ses].bytes)
        return fail(p, UET_PARSE_SES_SHORT, *at);
    p->ses = (uint8_t)ses;
    p->ses_offset = (uint16_t)*at;
    *at += uet_headers[ses].bytes;
    return UET_PARSE_OK;
}

static enum uet_parse_error parse_pds(struct uet_packet *p, size_t *at, size_t end)
{
    const uint8_t *pds = p->frame + *at;
    if (end - *at < UET_PDS_PROLOGUE_BYTES)
        return fail(p, UET_PARSE_PDS_SHORT, *at);
    enum uet_header_id id = uet_next_pds_prologue(pds, pds);
    if (id == UET_H_NONE)
        return fail(p, UET_PARSE_PDS_TYPE, *at);
    if (end - *at < uet_headers[id].bytes)
        return fail(p, UET_PARSE_PDS_SHORT, *at);
    p->pds = (uint8_t)id;
    p->pds_offset = (uint16_t)*at;
    *at += uet_headers[id].bytes;
    if (uet_is_cp(p))
        return parse_cp(p, at, end);
    if (uet_is_nack(p))
        return uet_nack_next_hdr(pds) ? fail(p, UET_PARSE_PDS_NEXT_HDR, p->pds_offset)
                                      : UET_PARSE_OK;
    if (uet_is_ack(p)) {
        if (uet_is_ack_cc(p)) {
            p->cc_state = (uint8_t)uet_inside_ack_cc(pds, NULL);
            p->cc_state_offset = (uint16_t)(*at - 8);
        }
        return parse_ses(p, at, end, uet_ack_next_hdr(pds), uet_next_ack);
    }
    return parse_ses(p, at, end, uet_rud_rod_req_next_hdr(pds), uet_next_rud_rod_req);
}

/* From whatever starts the bytes to the PDS header; *end becomes the end of what IP carries. */
static enum uet_parse_error parse_below(struct uet_packet *p, size_t *at, size_t *end,
                                        const struct uet_parse_options *o)
{
    enum uet_parse_error e = p->start == UET_START_ETH ? parse_link(p, at) : parse_raw_ip(p);
    if (e == UET_PARSE_OK)
        e = p->ip_version == 4 ? parse_ipv4(p, at, o->lenient) : parse_ipv6(p, at);
    if (e == UET_PARSE_OK)
        e = parse_udp(p, at, o);
    *end = p->ip_end;
    return e;
}

enum uet_parse_error uet_parse(struct uet_packet *p, const uint8_t *frame, size_t len,
                               const struct uet_parse_options *o)
{
    memset(p, 0, sizeof *p);
    p->frame = frame;
    p->len = (uint32_t)(len > UINT16_MAX ? UINT16_MAX : len);
    if (!o)
        o = &strict;
    p->start = o->start;
    size_t at = 0, end = p->len;
    enum uet_parse_error e = UET_PARSE_OK;
    if (p->start != UET_START_PDS) {
        if (parse_below(p, &at, &end, o) != UET_PARSE_OK)
            return (enum uet_parse_error)p->error;
        e = parse_crc(p, at, &end, o);
    }
    if (e == UET_PARSE_OK)
        parse_pds(p, &at, end);
    p->payload_offset = (uint16_t)at;
    p->payload_len = (uint16_t)(end - at);
    return (enum uet_parse_error)p->error;
}

const char *uet_parse_error_text(enum uet_parse_error error)
{
    static const char *const text[UET_PARSE_ERROR_COUNT] = {
        [UET_PARSE_OK] = "no error",
        [UET_PARSE_NOT_UET] = "not a UET packet",
        [UET_PARSE_ETH_SHORT] = "Ethernet header cut short",
        [UET_PARSE_IP_SHORT] = "IP header cut short",
        [UET_PARSE_IP_VERSION] = "IP version or header length wrong",
        [UET_PARSE_IP_LENGTH] = "IP length does not fit the frame",
        [UET_PARSE_IP_CHECKSUM] = "IPv4 header checksum wrong",
        [UET_PARSE_IP_FRAGMENT] = "IP fragment",
        [UET_PARSE_UDP_SHORT] = "UDP header cut short",
        [UET_PARSE_UDP_LENGTH] = "UDP length differs from the IP length",
        [UET_PARSE_PDS_SHORT] = "PDS header cut short",
        [UET_PARSE_PDS_TYPE] = "PDS type reserved or not known",
        [UET_PARSE_PDS_NEXT_HDR] = "next_hdr not allowed in this PDS header",
        [UET_PARSE_SES_SHORT] = "SES header cut short",
        [UET_PARSE_CRC_SHORT] = "no room for the CRC trailer",
        [UET_PARSE_CRC_BAD] = "CRC-32C wrong",
    };
    return (unsigned)error < UET_PARSE_ERROR_COUNT ? text[error] : "unknown error";
}

static struct uet_ip ip_at(const struct uet_packet *p, bool dst)
{
    const uint8_t *ip = p->frame + p->ip_offset;
    struct uet_ip a = {.version = p->ip_version};
    if (p->ip_version == 4)
        memcpy(a.bytes, ip + (dst ? 16 : 12), 4);
    else if (p->ip_version == 6)
        memcpy(a.bytes, dst ? uet_ipv6_dst(ip) : uet_ipv6_src(ip), 16);
    return a;
}

struct uet_ip uet_src_ip(const struct uet_packet *p)
{
    return ip_at(p, false);
}

struct uet_ip uet_dst_ip(const struct uet_packet *p)
{
    return ip_at(p, true);
}

uint8_t uet_ecn(const struct uet_packet *p)
{
    const uint8_t *ip = p->frame + p->ip_offset;
    return p->ip_version == 4 ? uet_ipv4_ecn(ip) : uet_ipv6_ecn(ip);
}

uint8_t uet_dscp(const struct uet_packet *p)
{
    const uint8_t *ip = p->frame + p->ip_offset;
    return p->ip_version == 4 ? uet_ipv4_dscp(ip) : uet_ipv6_dscp(ip);
}

uint32_t uet_packet_psn(const struct uet_packet *p)
{
    const uint8_t *h = uet_pds(p);
    if (uet_is_request(p))
        return uet_rud_rod_req_psn(h);
    if (p->pds == UET_H_ACK || p->pds == UET_H_ACK_CC)
        return uet_psn_add(uet_ack_cack_psn(h), uet_ack_ack_psn_offset(h));
    if (uet_is_nack(p))
        return uet_nack_nack_psn(h);
    return uet_is_cp(p) ? uet_cp_psn(h) : 0;
}

uint32_t uet_start_psn(const struct uet_packet *p)
{
    const uint8_t *h = uet_pds(p);
    if (p->pds == UET_H_RUD_ROD_REQ_SYN)
        return uet_rud_rod_req_psn(h) - uet_rud_rod_req_psn_offset(h);
    return p->pds == UET_H_CP_SYN ? uet_cp_psn(h) - uet_cp_psn_offset(h) : 0;
}

uint32_t uet_clear_psn(const struct uet_packet *p)
{
    const uint8_t *h = uet_pds(p);
    return uet_is_request(p)
               ? uet_psn_add(uet_rud_rod_req_psn(h), uet_rud_rod_req_clear_psn_offset(h))
               : 0;
}

/* All RUD/ROD headers keep spdcid and dpdcid in the same place (3.5.10). */
uint16_t uet_spdcid(const struct uet_packet *p)
{
    return p->pds ? uet_rud_rod_req_spdcid(uet_pds(p)) : 0;
}

uint16_t uet_dpdcid(const struct uet_packet *p)
{
    if (!p->pds || p->pds == UET_H_RUD_ROD_REQ_SYN || p->pds == UET_H_CP_SYN)
        return 0;
    return uet_rud_rod_req_dpdcid(uet_pds(p));
}

uint32_t uet_ses_request_length(const struct uet_packet *p)
{
    const uint8_t *s = uet_ses(p);
    return uet_is_ses_std(p) ? uet_ses_req_std_request_length(s)
                             : uet_ses_req_short_request_length(s);
}

uint16_t uet_ses_message_id(const struct uet_packet *p)
{
    return uet_is_ses_std(p) ? uet_ses_req_std_message_id(uet_ses(p)) : 0;
}

uint32_t uet_ses_message_offset(const struct uet_packet *p)
{
    return p->ses == UET_H_SES_REQ_STD_SOM0 ? uet_ses_req_std_message_offset(uet_ses(p)) : 0;
}
