/* SPDX-License-Identifier: BSD-2-Clause */
#include "port/neighbour.h"

#include <string.h>

#include "port/ether.h"

enum {
    ARP_LEN = 28,
    ARP_REQUEST = 1,
    ARP_REPLY = 2,
    IPV6_LEN = 40,
    ND_LEN = 24,   /* ICMPv6 header, flags, target */
    ND_OPTION = 8, /* one link-layer address */
    ND_SOLICIT = 135,
    ND_ADVERTISE = 136,
    ND_SOURCE_LLA = 1,
    ND_TARGET_LLA = 2,
    ND_SOLICITED = 0x40,
    ND_OVERRIDE = 0x20,
    NEXT_ICMPV6 = 58,
};

static const struct uet_mac broadcast = {{0xff, 0xff, 0xff, 0xff, 0xff, 0xff}};

/* Ethernet, IPv4, lengths 6 and 4: how every ARP body of ours and for us begins. */
static const uint8_t arp_start[6] = {0, 1, 0x08, 0, 6, 4};

/* ---- the table ---- */

static size_t set_of(const struct uet_ip *ip)
{
    const uint8_t *tail = ip->bytes + uet_ip_len(ip) - 4;

    return (tail[3] ^ tail[2] * 7u ^ tail[1] * 31u ^ tail[0] * 127u) % UET_NEIGH_SETS;
}

bool uet_neigh_owns(const struct uet_neigh *neigh, const struct uet_ip *ip)
{
    for (size_t i = 0; i < neigh->n_owned; i++)
        if (uet_ip_equal(&neigh->owned[i], ip))
            return true;
    return false;
}

const struct uet_neigh_entry *uet_neigh_find(const struct uet_neigh *neigh, const struct uet_ip *ip)
{
    const struct uet_neigh_entry *set = neigh->entries[set_of(ip)];

    for (int i = 0; i < UET_NEIGH_WAYS; i++)
        if (set[i].ip.version && uet_ip_equal(&set[i].ip, ip))
            return &set[i];
    return NULL;
}

/* Its own entry, else a free one, else the one not heard of for longest. */
static struct uet_neigh_entry *place_for(struct uet_neigh_entry *set, const struct uet_ip *ip)
{
    struct uet_neigh_entry *place = NULL;

    for (int i = 0; i < UET_NEIGH_WAYS; i++)
        if (set[i].ip.version && uet_ip_equal(&set[i].ip, ip))
            return &set[i];
    for (int i = 0; i < UET_NEIGH_WAYS; i++) {
        if (!set[i].ip.version)
            return &set[i];
        if (!set[i].fixed && (!place || set[i].heard_at_ns < place->heard_at_ns))
            place = &set[i];
    }
    return place;
}

void uet_neigh_learn(struct uet_neigh *neigh, const struct uet_ip *ip, const struct uet_mac *mac,
                     bool fixed, uint64_t now_ns)
{
    struct uet_neigh_entry *entry = place_for(neigh->entries[set_of(ip)], ip);

    if (!entry || (entry->fixed && !fixed))
        return;
    *entry =
        (struct uet_neigh_entry){.ip = *ip, .mac = *mac, .fixed = fixed, .heard_at_ns = now_ns};
}

bool uet_neigh_group_mac(const struct uet_ip *ip, struct uet_mac *mac)
{
    const uint8_t *b = ip->bytes;

    if (ip->version == 6 && b[0] == 0xff)
        *mac = (struct uet_mac){{0x33, 0x33, b[12], b[13], b[14], b[15]}};
    else if (ip->version == 4 && b[0] >> 4 == 0xe)
        *mac = (struct uet_mac){{0x01, 0x00, 0x5e, b[1] & 0x7f, b[2], b[3]}};
    else if (ip->version == 4 && memcmp(b, broadcast.bytes, 4) == 0)
        *mac = broadcast;
    else
        return false;
    return true;
}

/* ---- writing ---- */

static bool is_zero(const uint8_t *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (p[i])
            return false;
    return true;
}

static uint32_t put_ether(uint8_t *out, const struct uet_mac *dst, const struct uet_mac *src,
                          const uint8_t *tags, uint32_t tags_len, uint16_t type)
{
    memcpy(out, dst->bytes, 6);
    memcpy(out + 6, src->bytes, 6);
    if (tags_len)
        memcpy(out + 12, tags, tags_len);
    uet_port_put16(out + 12 + tags_len, type);
    return UET_ETHER_HEADER + tags_len;
}

/* Who says what to whom; who is asked or answered stands in both kinds of question. */
struct message {
    struct uet_ip src_ip, dst_ip; /* IPv6: the packet's; IPv4: sender and target of the body */
    struct uet_mac src_mac, dst_mac;
    struct uet_ip target; /* IPv6 only */
    const uint8_t *tags;
    uint32_t tags_len;
    uint8_t kind; /* ARP operation or ICMPv6 type */
    uint8_t flags;
};

static uint32_t put_arp(uint8_t *out, const struct message *m)
{
    uint32_t at = put_ether(out, &m->dst_mac, &m->src_mac, m->tags, m->tags_len, UET_ETHER_ARP);
    uint8_t *arp = out + at;

    memcpy(arp, arp_start, sizeof(arp_start));
    uet_port_put16(arp + 6, m->kind);
    memcpy(arp + 8, m->src_mac.bytes, 6);
    memcpy(arp + 14, m->src_ip.bytes, 4);
    /* The target's hardware address is what a request asks for: zero there. */
    memset(arp + 18, 0, 6);
    if (m->kind == ARP_REPLY)
        memcpy(arp + 18, m->dst_mac.bytes, 6);
    memcpy(arp + 24, m->dst_ip.bytes, 4);
    return at + ARP_LEN;
}

/* The Internet checksum of an ICMPv6 body with its pseudo header; 0 when the checksum is right. */
static uint16_t icmp6_sum(const uint8_t *ipv6, uint32_t len)
{
    uint32_t sum = len + NEXT_ICMPV6;

    for (uint32_t i = 8; i < IPV6_LEN; i += 2)
        sum += uet_port_get16(ipv6 + i);
    for (uint32_t i = 0; i < len; i++)
        sum += i & 1 ? ipv6[IPV6_LEN + i] : (uint32_t)ipv6[IPV6_LEN + i] << 8;
    while (sum >> 16)
        sum = (sum & 0xffff) + (sum >> 16);
    return (uint16_t)~sum;
}

static uint32_t put_nd(uint8_t *out, const struct message *m)
{
    uint32_t at = put_ether(out, &m->dst_mac, &m->src_mac, m->tags, m->tags_len, UET_ETHER_IPV6);
    uint8_t *ipv6 = out + at, *nd = ipv6 + IPV6_LEN;
    /* RFC 4861 4.3: who has no address yet tells no link-layer address. */
    bool tells = m->kind != ND_SOLICIT || !is_zero(m->src_ip.bytes, 16);
    uint16_t len = tells ? ND_LEN + ND_OPTION : ND_LEN;

    memset(ipv6, 0, IPV6_LEN + ND_LEN + ND_OPTION);
    ipv6[0] = 0x60;
    uet_port_put16(ipv6 + 4, len);
    ipv6[6] = NEXT_ICMPV6;
    ipv6[7] = 255; /* RFC 4861 7.1: proves that no router passed it on */
    memcpy(ipv6 + 8, m->src_ip.bytes, 16);
    memcpy(ipv6 + 24, m->dst_ip.bytes, 16);
    nd[0] = m->kind;
    nd[4] = m->flags;
    memcpy(nd + 8, m->target.bytes, 16);
    if (tells) {
        nd[ND_LEN] = m->kind == ND_SOLICIT ? ND_SOURCE_LLA : ND_TARGET_LLA;
        nd[ND_LEN + 1] = 1; /* in units of 8 bytes */
        memcpy(nd + ND_LEN + 2, m->src_mac.bytes, 6);
    }
    uet_port_put16(nd + 2, icmp6_sum(ipv6, len));
    return at + IPV6_LEN + len;
}

/* Asks, as src from its MAC address, who has dst. Returns the length. */
static uint32_t put_question(struct message *m, const struct uet_ip *dst, uint8_t *out)
{
    m->dst_mac = broadcast;
    if (dst->version == 4) {
        m->kind = ARP_REQUEST;
        m->dst_ip = *dst;
        return put_arp(out, m);
    }
    /* RFC 4291 2.7.1: the solicited-node group of the address that is asked for. */
    m->dst_ip = (struct uet_ip){
        .version = 6,
        .bytes = {0xff, 0x02, [11] = 1, 0xff, dst->bytes[13], dst->bytes[14], dst->bytes[15]}};
    uet_neigh_group_mac(&m->dst_ip, &m->dst_mac);
    m->kind = ND_SOLICIT;
    m->target = *dst;
    return put_nd(out, m);
}

uint32_t uet_neigh_request(const struct uet_ip *src, const struct uet_ip *dst, const uint8_t *tags,
                           uint32_t tags_len, uint8_t *out)
{
    struct message m = {
        .src_ip = *src, .src_mac = uet_mac_of_ip(src), .tags = tags, .tags_len = tags_len};

    if (src->version != dst->version || tags_len > UET_ETHER_TAGS_MAX ||
        (src->version != 4 && src->version != 6))
        return 0;
    return put_question(&m, dst, out);
}

uint32_t uet_neigh_probe(const struct uet_ip *ip, const struct uet_mac *from, uint8_t *out)
{
    struct message m = {.src_ip = {.version = ip->version}, .src_mac = *from};

    return ip->version == 4 || ip->version == 6 ? put_question(&m, ip, out) : 0;
}

/* ---- reading ---- */

static struct uet_mac mac_at(const uint8_t *p)
{
    struct uet_mac mac;

    memcpy(mac.bytes, p, 6);
    return mac;
}

static struct uet_ip ip_at(const uint8_t *p, uint8_t version)
{
    struct uet_ip ip = {.version = version};

    memcpy(ip.bytes, p, uet_ip_len(&ip));
    return ip;
}

static void learn(struct uet_neigh *neigh, const struct uet_ip *ip, const struct uet_mac *mac,
                  uint64_t now_ns, struct uet_neigh_result *result)
{
    /* A group or zero address is nobody's; and nobody tells us where we are ourselves. */
    if ((mac->bytes[0] & 1) || is_zero(mac->bytes, 6) || is_zero(ip->bytes, uet_ip_len(ip)) ||
        uet_neigh_owns(neigh, ip))
        return;
    uet_neigh_learn(neigh, ip, mac, false, now_ns);
    result->learnt = *ip;
}

static void input_arp(struct uet_neigh *neigh, const uint8_t *data, uint32_t len, uint32_t l3,
                      uint64_t now_ns, struct uet_neigh_result *result)
{
    const uint8_t *arp = data + l3;
    struct uet_ip sender, target;
    struct uet_mac mac;
    bool for_us;

    if (len < l3 + ARP_LEN || memcmp(arp, arp_start, sizeof(arp_start)) != 0)
        return;
    mac = mac_at(arp + 8);
    sender = ip_at(arp + 14, 4);
    target = ip_at(arp + 24, 4);
    for_us = uet_neigh_owns(neigh, &target);
    /* RFC 826: an entry that exists is renewed by anything, a new one only if we are meant. */
    if (for_us || uet_neigh_find(neigh, &sender))
        learn(neigh, &sender, &mac, now_ns, result);
    if (for_us && uet_port_get16(arp + 6) == ARP_REQUEST) {
        struct message m = {.src_ip = target,
                            .dst_ip = sender,
                            .src_mac = uet_mac_of_ip(&target),
                            .dst_mac = mac,
                            .tags = data + 12,
                            .tags_len = l3 - UET_ETHER_HEADER,
                            .kind = ARP_REPLY};

        result->reply_len = put_arp(result->reply, &m);
    }
}

/* The link-layer address in the options of an ND message; false: none, or the options lie. */
static bool nd_option(const uint8_t *nd, uint32_t len, uint8_t type, struct uet_mac *mac)
{
    bool found = false;

    for (uint32_t at = ND_LEN; at < len;) {
        uint32_t size = len - at >= 2 ? nd[at + 1] * 8u : 0;

        if (size == 0 || size > len - at)
            return false;
        if (nd[at] == type && !found) {
            *mac = mac_at(nd + at + 2);
            found = true;
        }
        at += size;
    }
    return found;
}

static void answer_nd(const uint8_t *data, uint32_t l3, const struct uet_ip *src,
                      const struct uet_ip *target, struct uet_neigh_result *result)
{
    static const struct uet_ip all_nodes = {.version = 6, .bytes = {0xff, 0x02, [15] = 1}};
    struct message m = {.src_ip = *target,
                        .dst_ip = *src,
                        .src_mac = uet_mac_of_ip(target),
                        .dst_mac = mac_at(data + 6),
                        .target = *target,
                        .tags = data + 12,
                        .tags_len = l3 - UET_ETHER_HEADER,
                        .kind = ND_ADVERTISE,
                        .flags = ND_SOLICITED | ND_OVERRIDE};

    /* RFC 4861 7.2.4: who has no address yet (it looks for a duplicate) hears it with all. */
    if (is_zero(src->bytes, 16)) {
        m.dst_ip = all_nodes;
        uet_neigh_group_mac(&m.dst_ip, &m.dst_mac);
        m.flags = ND_OVERRIDE;
    }
    result->reply_len = put_nd(result->reply, &m);
}

static void input_nd(struct uet_neigh *neigh, const uint8_t *data, uint32_t len, uint32_t l3,
                     uint64_t now_ns, struct uet_neigh_result *result)
{
    const uint8_t *ipv6 = data + l3, *nd = ipv6 + IPV6_LEN;
    uint32_t nd_len = uet_port_get16(ipv6 + 4);
    struct uet_ip src = ip_at(ipv6 + 8, 6), target = ip_at(nd + 8, 6);
    struct uet_mac mac;

    /* RFC 4861 7.1.1 and 7.1.2: what makes a message worth believing. */
    if (nd_len < ND_LEN || len < l3 + IPV6_LEN + nd_len || ipv6[7] != 255 || nd[1] != 0 ||
        target.bytes[0] == 0xff || icmp6_sum(ipv6, nd_len) != 0)
        return;
    if (nd[0] == ND_ADVERTISE) {
        if (nd_option(nd, nd_len, ND_TARGET_LLA, &mac))
            learn(neigh, &target, &mac, now_ns, result);
        return;
    }
    if (!uet_neigh_owns(neigh, &target))
        return;
    if (nd_option(nd, nd_len, ND_SOURCE_LLA, &mac))
        learn(neigh, &src, &mac, now_ns, result);
    answer_nd(data, l3, &src, &target, result);
}

/* ARP: by who has it (RFC 5227 2.1.1: in any operation), or who probes for it, too. */
static bool arp_claims(const uint8_t *arp, const struct uet_ip *ip)
{
    if (memcmp(arp, arp_start, sizeof(arp_start)) != 0)
        return false;
    return memcmp(arp + 14, ip->bytes, 4) == 0 ||
           (is_zero(arp + 14, 4) && memcmp(arp + 24, ip->bytes, 4) == 0);
}

/* ND: the advertisement of who has it, or the solicitation of who probes for it, too. */
static bool nd_claims(const uint8_t *ipv6, const struct uet_ip *ip)
{
    const uint8_t *nd = ipv6 + IPV6_LEN;

    if (ipv6[6] != NEXT_ICMPV6 || ipv6[7] != 255 || memcmp(nd + 8, ip->bytes, 16) != 0)
        return false;
    return nd[0] == ND_ADVERTISE || (nd[0] == ND_SOLICIT && is_zero(ipv6 + 8, 16));
}

bool uet_neigh_claimed(const uint8_t *data, uint32_t len, const struct uet_ip *ip,
                       const struct uet_mac *own, struct uet_mac *by)
{
    struct uet_ether ether;
    bool claimed = false;

    if (!uet_ether_parse(data, len, &ether) || memcmp(data + 6, own->bytes, 6) == 0)
        return false;
    *by = mac_at(data + 6);
    if (ether.type == UET_ETHER_ARP && ip->version == 4 && len >= ether.l3 + ARP_LEN)
        claimed = arp_claims(data + ether.l3, ip);
    if (ether.type == UET_ETHER_IPV6 && ip->version == 6 && len >= ether.l3 + IPV6_LEN + ND_LEN)
        claimed = nd_claims(data + ether.l3, ip);
    return claimed;
}

void uet_neigh_input(struct uet_neigh *neigh, const uint8_t *data, uint32_t len, uint64_t now_ns,
                     struct uet_neigh_result *result)
{
    struct uet_ether ether;
    uint8_t type;

    result->consumed = false;
    result->learnt.version = 0;
    result->reply_len = 0;
    if (!uet_ether_parse(data, len, &ether))
        return;
    if (ether.type == UET_ETHER_ARP) {
        result->consumed = true;
        input_arp(neigh, data, len, ether.l3, now_ns, result);
        return;
    }
    if (ether.type != UET_ETHER_IPV6 || len < ether.l3 + IPV6_LEN + ND_LEN ||
        data[ether.l3 + 6] != NEXT_ICMPV6)
        return;
    type = data[ether.l3 + IPV6_LEN];
    if (type == ND_SOLICIT || type == ND_ADVERTISE) {
        result->consumed = true;
        input_nd(neigh, data, len, ether.l3, now_ns, result);
    }
}
