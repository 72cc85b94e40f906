/* SPDX-License-Identifier: BSD-2-Clause */
#include "wire/packet.h"

#include <string.h>

#include "wire/crc.h"
#include "wire/inet.h"

#define likely(x) __builtin_expect(!!(x), 1)

static const struct uet_parse_options strict = {0};

#define IPV4_PLAIN 0x45 /* version 4, a header without options */
#define IPV4_DF    0x4000

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

/* Behind the IP header stands UDP or native UET. */
static bool may_be_uet(uint8_t protocol, const struct uet_parse_options *o)
{
    return likely(protocol == UET_IPPROTO_UDP) ||
           protocol == (o->ip_protocol ? o->ip_protocol : UET_IPPROTO_UET_EXPERIMENTAL);
}

/* DF 0 is remarkable, the rest of the word makes it a fragment. */
static bool is_fragment(struct uet_packet *p, const uint8_t *ip)
{
    uint64_t word = uet_rd16(ip + 6);
    if (likely(word == IPV4_DF))
        return false;
    p->df_clear = !(word & IPV4_DF);
    return word & 0x3fff; /* mf, fragment_offset */
}

/* From an IPv4 header of so many bytes, which are there. */
__attribute__((always_inline)) static inline enum uet_parse_error
parse_ipv4_of(struct uet_packet *p, size_t *at, size_t header, uint8_t *protocol,
              const struct uet_parse_options *o)
{
    const uint8_t *ip = p->frame + *at;
    size_t total = uet_ipv4_total_length(ip);
    if (total < header || total > p->len - *at)
        return fail(p, UET_PARSE_IP_LENGTH, *at + 2);
    p->ip_end = (uint16_t)(*at + total);
    p->traffic_class = ip[1];
    memcpy(p->src, ip + 12, 4);
    memcpy(p->dst, ip + 16, 4);
    if (!uet_ipv4_checksum_right(ip, header)) {
        fail(p, UET_PARSE_IP_CHECKSUM, *at + 10);
        if (!o->lenient)
            return UET_PARSE_IP_CHECKSUM;
    }
    *protocol = uet_ipv4_protocol(ip);
    if (!may_be_uet(*protocol, o))
        return fail(p, UET_PARSE_NOT_UET, *at + 9);
    if (is_fragment(p, ip))
        return fail(p, UET_PARSE_IP_FRAGMENT, *at + 6);
    *at += header;
    return UET_PARSE_OK;
}

/* A first byte that is rare: a header with options, or a wrong one. */
__attribute__((noinline)) static enum uet_parse_error
parse_odd_ipv4(struct uet_packet *p, size_t *at, uint8_t *protocol,
               const struct uet_parse_options *o)
{
    const uint8_t *ip = p->frame + *at;
    size_t header = (size_t)uet_ipv4_ihl(ip) * 4;
    if (uet_ipv4_version(ip) != 4 || header < UET_IPV4_BYTES)
        return fail(p, UET_PARSE_IP_VERSION, *at);
    if (header > p->len - *at)
        return fail(p, UET_PARSE_IP_SHORT, *at);
    return parse_ipv4_of(p, at, header, protocol, o);
}

static enum uet_parse_error parse_ipv4(struct uet_packet *p, size_t *at, uint8_t *protocol,
                                       const struct uet_parse_options *o)
{
    if (p->len - *at < UET_IPV4_BYTES)
        return fail(p, UET_PARSE_IP_SHORT, *at);
    if (likely(p->frame[*at] == IPV4_PLAIN))
        return parse_ipv4_of(p, at, UET_IPV4_BYTES, protocol, o);
    return parse_odd_ipv4(p, at, protocol, o);
}

static enum uet_parse_error parse_ipv6(struct uet_packet *p, size_t *at, uint8_t *protocol,
                                       const struct uet_parse_options *o)
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
    p->traffic_class = (uint8_t)(uet_rd16(ip) >> 4);
    memcpy(p->src, uet_ipv6_src(ip), sizeof p->src);
    memcpy(p->dst, uet_ipv6_dst(ip), sizeof p->dst);
    *protocol = uet_ipv6_next_header(ip);
    if (!may_be_uet(*protocol, o))
        return fail(p, UET_PARSE_NOT_UET, *at + 6);
    *at += UET_IPV6_BYTES;
    return UET_PARSE_OK;
}

/* The DSCP is the one mark that the specification gives a trimmed packet (4.1.4.1). */
static void see_dscp(struct uet_packet *p, const struct uet_parse_options *o)
{
    uint64_t bit = UINT64_C(1) << uet_dscp(p);
    if (o->dscp_trimmed & bit)
        p->trim = o->dscp_trimmed_lasthop & bit ? UET_TRIM_LASTHOP : UET_TRIM_TRIMMED;
}

/*
 * A switch that trims leaves the UDP length as it was (4.1.3): in a packet of the trimmed role it
 * is right to be too large. Else it is a guess for those who go on all the same.
 */
static enum uet_parse_error wrong_udp_length(struct uet_packet *p, size_t at, size_t length,
                                             size_t room, bool lenient)
{
    if (length > room && (p->trim != UET_TRIM_NO || lenient))
        p->trimmed_bytes = (uint16_t)(length - room);
    if (p->trim != UET_TRIM_NO && length > room)
        return UET_PARSE_OK;
    if (lenient && length > room) {
        p->trim = UET_TRIM_BY_LENGTH;
        fail(p, UET_PARSE_TRIMMED, at + 4);
        return UET_PARSE_OK;
    }
    fail(p, UET_PARSE_UDP_LENGTH, at + 4);
    return lenient ? UET_PARSE_OK : UET_PARSE_UDP_LENGTH;
}

static enum uet_parse_error parse_udp(struct uet_packet *p, size_t *at,
                                      const struct uet_parse_options *o)
{
    const uint8_t *udp = p->frame + *at;
    size_t room = p->ip_end - *at, offset = *at;
    if (room < UET_UDP_BYTES)
        return fail(p, UET_PARSE_UDP_SHORT, offset);
    uint16_t port = o->udp_port ? o->udp_port : UET_UDP_PORT;
    if (uet_udp_dst_port(udp) != port)
        return fail(p, UET_PARSE_NOT_UET, offset + 2);
    p->udp_offset = (uint16_t)offset;
    p->entropy = uet_udp_src_port(udp);
    *at += UET_UDP_BYTES;
    size_t length = uet_udp_length(udp);
    return likely(length == room) ? UET_PARSE_OK
                                  : wrong_udp_length(p, offset, length, room, o->lenient);
}

/* Native IP: the entropy header stands where UDP would (3.5.10.1). */
static enum uet_parse_error parse_entropy(struct uet_packet *p, size_t *at)
{
    if (p->ip_end - *at < UET_ENTROPY_BYTES)
        return fail(p, UET_PARSE_ENTROPY_SHORT, *at);
    p->entropy_offset = (uint16_t)*at;
    p->entropy = uet_entropy_value(p->frame + *at);
    p->entropy_rsvd = (uint16_t)uet_entropy_rsvd(p->frame + *at);
    *at += UET_ENTROPY_BYTES;
    return UET_PARSE_OK;
}

/* The CRC covers everything from the IP source address to the byte before it (3.5.25). */
static enum uet_parse_error check_crc(struct uet_packet *p, size_t at, size_t *end,
                                      const struct uet_parse_options *o)
{
    if (*end - at < UET_CRC_TRAILER_BYTES)
        return o->protect == UET_PROTECT_CRC ? fail(p, UET_PARSE_CRC_SHORT, *end) : UET_PARSE_OK;
    size_t trailer = *end - UET_CRC_TRAILER_BYTES;
    size_t start = p->ip_offset + uet_crc_from(p->ip_version);
    p->crc_computed = uet_crc32c(0, p->frame + start, trailer - start);
    bool good = o->protect == UET_PROTECT_AUTO
                    ? uet_crc_order_of(p->frame + trailer, p->crc_computed) >= 0
                    : uet_crc_load(p->frame + trailer, o->crc_order) == p->crc_computed;
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

/* A sealed packet ends in an ICV instead (3.7), and a switch cuts the trailer off (4.1). */
static bool has_no_crc(const struct uet_packet *p, size_t at, size_t end,
                       const struct uet_parse_options *o)
{
    const uint8_t *h = p->frame + at;
    if (p->trim != UET_TRIM_NO)
        return true;
    if (end - at < UET_PDS_PROLOGUE_BYTES)
        return false;
    return uet_pds_prologue_type(h) == UET_PDS_TSS ||
           (o->variants && uet_variant_entropy(NULL, h) != UET_H_NONE);
}

/* From whatever starts the bytes to the TSS or PDS header; *end becomes the end of what IP carries.
 */
static enum uet_parse_error parse_below(struct uet_packet *p, size_t *at, size_t *end,
                                        const struct uet_parse_options *o)
{
    uint8_t protocol = 0;
    enum uet_parse_error e = p->start == UET_START_ETH ? parse_link(p, at) : parse_raw_ip(p);
    if (e == UET_PARSE_OK)
        e = p->ip_version == 4 ? parse_ipv4(p, at, &protocol, o) : parse_ipv6(p, at, &protocol, o);
    *end = p->ip_end;
    if (e != UET_PARSE_OK)
        return e;
    if (o->dscp_trimmed)
        see_dscp(p, o);
    return likely(protocol == UET_IPPROTO_UDP) ? parse_udp(p, at, o) : parse_entropy(p, at);
}

/* ---- from the TSS or PDS header on ---- */

/*
 * `end` is how far the packet goes on the wire, `seen` how far it was captured. They go by value
 * all the way, so that on the path of a Request they stay in registers.
 */

/*
 * Too short on the wire is an error, unless a switch did it; too short in the capture only ends the
 * parse.
 */
__attribute__((noinline, cold)) static void too_short(struct uet_packet *p, enum uet_header_id id,
                                                      size_t at, size_t n, size_t end,
                                                      enum uet_parse_error error)
{
    bool cut = p->trim != UET_TRIM_NO, on_wire = end - at < n;
    if (!on_wire || cut) {
        p->partial = (uint8_t)id;
        p->partial_offset = (uint16_t)at;
    }
    if (on_wire)
        fail(p, cut ? UET_PARSE_TRIMMED : error, at);
}

/* Are n bytes there, on the wire and in the capture? */
__attribute__((always_inline)) static inline bool there(size_t at, size_t n, size_t end,
                                                        size_t seen)
{
    return likely(end - at >= n && seen - at >= n);
}

/* Room for the whole header at `at`. */
__attribute__((always_inline)) static inline bool room(struct uet_packet *p, enum uet_header_id id,
                                                       size_t at, size_t end, size_t seen,
                                                       enum uet_parse_error error)
{
    size_t n = uet_header_bytes[id];
    if (there(at, n, end, seen))
        return true;
    too_short(p, id, at, n, end, error);
    return false;
}

/*
 * A Control Packet's payload stands in the last four bytes of its header; the Negotiation element
 * of 1.0.3 has eight (3.5.16.7), that of before 32, of which the first is no neg_type.
 */
static size_t parse_cp(struct uet_packet *p, size_t at, size_t end, size_t seen)
{
    const uint8_t *pds = p->frame + p->pds_offset;
    size_t start = at - 4;
    const uint8_t *payload = p->frame + start;
    enum uet_header_id id = uet_inside_cp(pds, payload);
    if (id == UET_H_NONE && payload[0] == 0) {
        id = uet_variant_cp(pds, payload);
        if (end - start != uet_header_bytes[id])
            id = UET_H_NONE;
    }
    if (id == UET_H_NONE) /* of a reserved ctl_type or neg_type: stays opaque (PDS-196) */
        return at;
    if (!room(p, id, start, end, seen, UET_PARSE_PDS_SHORT))
        return at;
    p->cp_payload = (uint8_t)id;
    p->cp_payload_offset = (uint16_t)start;
    return start + uet_header_bytes[id];
}

/* An extension header: which one may depend on its first bytes. */
static size_t parse_one_ext(struct uet_packet *p, size_t at, size_t end, size_t seen,
                            enum uet_header_id (*next)(const uint8_t *, const uint8_t *))
{
    static const uint8_t plain[2];
    const uint8_t *ses = p->frame + p->ses_offset;
    enum uet_header_id id = next(ses, plain);
    if (id == UET_H_NONE)
        return at;
    if (!there(at, 2, end, seen)) {
        too_short(p, id, at, 2, end, UET_PARSE_SES_EXT_SHORT);
        return at;
    }
    id = next(ses, p->frame + at);
    if (!room(p, id, at, end, seen, UET_PARSE_SES_EXT_SHORT))
        return at;
    p->ext = (uint8_t)id;
    p->ext_offset = (uint16_t)at;
    return at + uet_header_bytes[id];
}

/*
 * What the opcode puts after the request header (3.4.2.3, 3.4.2.4); in the trial of one
 * implementation a sync group, and after it in one of its opcodes an atomic extension.
 */
__attribute__((noinline)) static size_t parse_ext(struct uet_packet *p, size_t at, size_t end,
                                                  size_t seen, const struct uet_parse_options *o)
{
    const uint8_t *ses = p->frame + p->ses_offset;
    enum uet_header_id sync = o->variants ? uet_variant_ses_req(ses, ses) : UET_H_NONE;
    if (sync == UET_H_NONE || end - at < uet_header_bytes[sync]) /* a guess must fit */
        return parse_one_ext(p, at, end, seen, uet_next_ses_req);
    if (!room(p, sync, at, end, seen, UET_PARSE_SES_EXT_SHORT))
        return at;
    p->sync = (uint8_t)sync;
    at += uet_header_bytes[sync];
    if (uet_ses_req_opcode(ses) == UET_OP_TRIAL_SYNC_ATOMIC)
        at = parse_one_ext(p, at, end, seen, uet_next_refprov_ses_ext_sync);
    return at;
}

/* Opcodes that have an extension, or with `variants` may have one. */
__attribute__((always_inline)) static inline bool may_have_ext(const uint8_t *ses, bool variants)
{
    const uint64_t with =
        UINT64_C(1) << UET_OP_ATOMIC | UINT64_C(1) << UET_OP_FETCHING_ATOMIC |
        UINT64_C(1) << UET_OP_TSEND_ATOMIC | UINT64_C(1) << UET_OP_TSEND_FETCH_ATOMIC |
        UINT64_C(1) << UET_OP_RENDEZVOUS_SEND | UINT64_C(1) << UET_OP_RENDEZVOUS_TSEND;
    return variants || (with >> uet_ses_req_opcode(ses) & 1);
}

/* A packet that ends where the SES header should begin, or in its first byte. */
__attribute__((noinline, cold)) static void ses_too_short(struct uet_packet *p, size_t at,
                                                          size_t end, enum uet_header_id id)
{
    if (id == UET_H_NONE)
        fail(p, UET_PARSE_PDS_NEXT_HDR, p->pds_offset);
    else
        too_short(p, id, at, 2, end, UET_PARSE_SES_SHORT);
}

/* Inlined, so that the call through `next` becomes the comparisons of the parse graph. */
__attribute__((always_inline)) static inline size_t
parse_ses(struct uet_packet *p, size_t at, size_t end, size_t seen,
          const struct uet_parse_options *o, uint8_t nh,
          enum uet_header_id (*next)(const uint8_t *, const uint8_t *))
{
    /* The form that is named when the two bytes that choose one are not there. */
    static const uint8_t plainest[2] = {UET_OP_WRITE, 0};
    const uint8_t *pds = p->frame + p->pds_offset, *ses = p->frame + at;
    if (nh == UET_NH_NONE)
        return at;
    if (!there(at, 2, end, seen)) {
        ses_too_short(p, at, end, next(pds, plainest));
        return at;
    }
    enum uet_header_id id = next(pds, ses);
    if (id == UET_H_NONE) {
        fail(p, UET_PARSE_PDS_NEXT_HDR, p->pds_offset);
        return at;
    }
    if (!room(p, id, at, end, seen, UET_PARSE_SES_SHORT))
        return at;
    p->ses = (uint8_t)id;
    p->ses_offset = (uint16_t)at;
    at += uet_header_bytes[id];
    return uet_in_ses_req(id) && may_have_ext(ses, o->variants) ? parse_ext(p, at, end, seen, o)
                                                                : at;
}

/*
 * The reference provider's ACK with an Expected_PSN has the bit of a reserved flag: it is meant
 * only when its four bytes are there and nothing else.
 */
static size_t parse_ack(struct uet_packet *p, size_t at, size_t end, size_t seen,
                        const struct uet_parse_options *o)
{
    const uint8_t *pds = p->frame + p->pds_offset;
    enum uet_header_id variant = uet_variant_pds_prologue(pds, pds);
    if (variant != UET_H_NONE && end - p->pds_offset == uet_header_bytes[variant] && seen >= end) {
        p->pds = (uint8_t)variant;
        return end;
    }
    if (uet_is_ack_cc(p)) {
        p->cc_state = (uint8_t)uet_inside_ack_cc(pds, NULL);
        p->cc_state_offset = (uint16_t)(at - 8);
    }
    return parse_ses(p, at, end, seen, o, uet_ack_next_hdr(pds), uet_next_ack);
}

/* What follows the PDS headers that are rarer than Requests. */
__attribute__((noinline)) static size_t parse_after(struct uet_packet *p, size_t at, size_t end,
                                                    size_t seen, const struct uet_parse_options *o)
{
    const uint8_t *pds = p->frame + p->pds_offset;
    if (uet_is_cp(p))
        return parse_cp(p, at, end, seen);
    if (uet_is_ack(p))
        return parse_ack(p, at, end, seen, o);
    if (uet_is_rudi(p))
        return parse_ses(p, at, end, seen, o, uet_rudi_next_hdr(pds), uet_next_rudi);
    if (uet_is_uud(p))
        return parse_ses(p, at, end, seen, o, uet_uud_req_next_hdr(pds), uet_next_uud_req);
    if (uet_nack_next_hdr(pds) != UET_NH_NONE) /* 3.5.10.10 */
        fail(p, UET_PARSE_PDS_NEXT_HDR, p->pds_offset);
    return at;
}

/* Field by field: what else there is of it a parse begins with as 0. */
__attribute__((always_inline)) static inline void take_tss(struct uet_packet *p,
                                                           enum uet_header_id id, const uint8_t *h)
{
    bool sp = id == UET_H_TSS_HDR_16;
    p->tss = (uint8_t)id;
    p->sdi = uet_tss_hdr_sdi(h);
    if (!sp && id != UET_H_TSS_HDR_12)
        return;                                            /* of a draft */
    uint64_t tsc = uet_rd64(h + uet_header_bytes[id] - 8); /* either form ends in it */
    p->seal.counter = tsc & 0xffffffffffffu;
    p->seal.ssi = sp ? uet_tss_hdr_16_ssi(h) : 0;
    p->seal.epoch = (uint16_t)(tsc >> 48);
    p->seal.an = uet_tss_hdr_an(h);
    p->seal.rsvd = uet_tss_hdr_rsvd(h);
}

void uet_packet_take_tss(struct uet_packet *p, enum uet_header_id id, const uint8_t *h)
{
    p->seal = (struct uet_packet_seal){0};
    take_tss(p, id, h);
}

/* A TSS header, and the ICV at the end of the packet (3.7); what is between stays closed. */
__attribute__((noinline)) static size_t parse_tss(struct uet_packet *p, enum uet_header_id id,
                                                  size_t at, size_t end, size_t seen)
{
    if (!room(p, id, at, end, seen, UET_PARSE_TSS_SHORT))
        return at;
    p->tss_offset = (uint16_t)at;
    take_tss(p, id, p->frame + at);
    at += uet_header_bytes[id];
    if (p->trim == UET_TRIM_NO) { /* a switch cuts the ICV off */
        if (end - at < UET_TSS_TRAILER_BYTES) {
            fail(p, UET_PARSE_TSS_SHORT, at);
            return at;
        }
        p->icv_offset = (uint16_t)(end - UET_TSS_TRAILER_BYTES);
        if (seen >= end)
            memcpy(&p->seal.mark, p->frame + p->icv_offset, sizeof p->seal.mark);
    }
    fail(p, UET_PARSE_SEALED, at);
    return at;
}

/*
 * Everything from the TSS or PDS header on; returns where the payload begins. A TSS header of
 * before 1.0 reads as a Request with reserved bits set: it is taken for one only on request.
 */
__attribute__((always_inline)) static inline size_t parse_pds(struct uet_packet *p, size_t at,
                                                              size_t end, size_t seen,
                                                              const struct uet_parse_options *o)
{
    const uint8_t *pds = p->frame + at;
    if (!there(at, UET_PDS_PROLOGUE_BYTES, end, seen)) {
        too_short(p, UET_H_PDS_PROLOGUE, at, UET_PDS_PROLOGUE_BYTES, end, UET_PARSE_PDS_SHORT);
        return at;
    }
    enum uet_header_id id = uet_next_pds_prologue(pds, pds);
    if (id == UET_H_NONE && uet_pds_prologue_type(pds) == UET_PDS_TSS)
        return parse_tss(p, uet_next_entropy(NULL, pds), at, end, seen);
    if (id == UET_H_NONE) {
        fail(p, UET_PARSE_PDS_TYPE, at);
        return at;
    }
    if (o->variants && uet_variant_entropy(NULL, pds) != UET_H_NONE)
        return parse_tss(p, uet_variant_entropy(NULL, pds), at, end, seen);
    if (!room(p, id, at, end, seen, UET_PARSE_PDS_SHORT))
        return at;
    p->pds = (uint8_t)id;
    p->pds_offset = (uint16_t)at;
    at += uet_header_bytes[id];
    if (likely(uet_in_rud_rod_req(id)))
        return parse_ses(p, at, end, seen, o, uet_rud_rod_req_next_hdr(pds), uet_next_rud_rod_req);
    return parse_after(p, at, end, seen, o);
}

enum uet_parse_error uet_parse_transport(struct uet_packet *p, size_t at, size_t end,
                                         size_t captured, const struct uet_parse_options *o)
{
    size_t seen = captured < end ? captured : end;
    if (seen < at) /* there() subtracts: nothing of it was captured */
        too_short(p, UET_H_PDS_PROLOGUE, at, UET_PDS_PROLOGUE_BYTES, end, UET_PARSE_PDS_SHORT);
    else
        at = parse_pds(p, at, end, seen, o ? o : &strict);
    p->payload_offset = (uint16_t)at;
    p->payload_len = p->partial ? 0 : (uint16_t)((p->icv_offset ? p->icv_offset : end) - at);
    return (enum uet_parse_error)p->error;
}

struct uet_packet uet_packet_below(const struct uet_packet *p)
{
    struct uet_packet below = {.frame = p->frame,
                               .len = p->len,
                               .ip_version = p->ip_version,
                               .traffic_class = p->traffic_class,
                               .entropy = p->entropy,
                               .entropy_rsvd = p->entropy_rsvd,
                               .trimmed_bytes = p->trimmed_bytes,
                               .df_clear = p->df_clear,
                               .trim = p->trim,
                               .n_vlans = p->n_vlans,
                               .start = p->start,
                               .ip_offset = p->ip_offset,
                               .ip_end = p->ip_end,
                               .udp_offset = p->udp_offset,
                               .entropy_offset = p->entropy_offset};
    memcpy(below.src, p->src, sizeof below.src);
    memcpy(below.dst, p->dst, sizeof below.dst);
    return below;
}

enum uet_parse_error uet_parse_opened(struct uet_packet *p, const uint8_t *frame,
                                      const struct uet_parse_options *o)
{
    if (p->error != UET_PARSE_SEALED)
        return (enum uet_parse_error)p->error;
    size_t end = p->payload_offset + (size_t)p->payload_len;
    p->frame = frame;
    p->error = UET_PARSE_OK;
    p->error_offset = 0;
    size_t at = parse_pds(p, p->payload_offset, end, end, o ? o : &strict);
    p->payload_offset = (uint16_t)at;
    p->payload_len = (uint16_t)(p->partial ? 0 : end - at);
    return (enum uet_parse_error)p->error;
}

/* In two halves: for more than 64 bytes at once gcc 12 takes `rep stos`, which is slow to start. */
static inline void zero(struct uet_packet *p)
{
    const size_t half = offsetof(struct uet_packet, n_vlans);
    memset(p, 0, half);
    memset((uint8_t *)p + half, 0, sizeof *p - half);
}

enum uet_parse_error uet_parse(struct uet_packet *p, const uint8_t *frame, size_t len,
                               const struct uet_parse_options *o)
{
    zero(p);
    p->frame = frame;
    p->len = (uint32_t)(len > UINT16_MAX ? UINT16_MAX : len);
    if (!o)
        o = &strict;
    p->start = o->start;
    size_t at = 0, end = p->len;
    enum uet_parse_error e = UET_PARSE_OK;
    if (likely(p->start != UET_START_PDS)) {
        if (parse_below(p, &at, &end, o) != UET_PARSE_OK)
            return (enum uet_parse_error)p->error;
        bool may = o->protect == UET_PROTECT_CRC || o->protect == UET_PROTECT_AUTO;
        if (may && !has_no_crc(p, at, end, o))
            e = check_crc(p, at, &end, o);
    }
    if (e == UET_PARSE_OK) {
        at = parse_pds(p, at, end, end, o);
        end = p->icv_offset ? p->icv_offset : end;
    }
    p->payload_offset = (uint16_t)at;
    p->payload_len = (uint16_t)(end - at);
    return (enum uet_parse_error)p->error;
}

int uet_packet_crc_order(const struct uet_packet *p)
{
    if (p->crc_state != UET_CRC_GOOD && p->crc_state != UET_CRC_BAD)
        return -1;
    return uet_crc_order_of(p->frame + p->crc_offset, p->crc_computed);
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
        [UET_PARSE_ENTROPY_SHORT] = "entropy header cut short",
        [UET_PARSE_PDS_SHORT] = "PDS header cut short",
        [UET_PARSE_PDS_TYPE] = "PDS type reserved or not known",
        [UET_PARSE_PDS_NEXT_HDR] = "next_hdr not allowed in this PDS header",
        [UET_PARSE_SES_SHORT] = "SES header cut short",
        [UET_PARSE_SES_EXT_SHORT] = "SES extension header cut short",
        [UET_PARSE_CRC_SHORT] = "no room for the CRC trailer",
        [UET_PARSE_CRC_BAD] = "CRC-32C wrong",
        [UET_PARSE_TSS_SHORT] = "no room for TSS header and ICV",
        [UET_PARSE_SEALED] = "sealed by TSS",
        [UET_PARSE_TRIMMED] = "trimmed: cut by a switch",
    };
    return (unsigned)error < UET_PARSE_ERROR_COUNT ? text[error] : "unknown error";
}
