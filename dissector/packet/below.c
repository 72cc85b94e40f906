/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What UET travels in. epan hands a dissector its own bytes only, so the headers in front of them
 * are looked for in the frame: the CRC, the ICV, the DSCP and the tracker need them.
 */
#include "dissector/uetx.h"
#include "wire/captured/fcs.h"
#include "wire/inet.h"

#define IPV4_IHL_MIN    5
#define IPV4_IHL_MAX    15
#define IPV6_EXTENSIONS 256 /* bytes of extension headers that are looked over */

static uint16_t be16(const uint8_t *b)
{
    return (uint16_t)(b[0] << 8 | b[1]);
}

static bool same_address(const address *a, const uint8_t *bytes)
{
    return a->data && memcmp(a->data, bytes, (size_t)a->len) == 0;
}

/* Is there an IPv4 header of ihl words at ip with the packet's addresses? */
static bool is_ipv4(const packet_info *pinfo, const uint8_t *ip, int ihl)
{
    return ip[0] == (0x40 | ihl) && same_address(&pinfo->net_src, ip + 12) &&
           same_address(&pinfo->net_dst, ip + 16);
}

static bool is_ipv6(const packet_info *pinfo, const uint8_t *ip)
{
    return ip[0] >> 4 == 6 && same_address(&pinfo->net_src, ip + 8) &&
           same_address(&pinfo->net_dst, ip + 24);
}

/* The bytes of the frame before offset at, as many as n; NULL when there are fewer. */
static const uint8_t *before(tvbuff_t *frame, int at, int n)
{
    return at >= n && tvb_bytes_exist(frame, at - n, n) ? tvb_get_ptr(frame, at - n, n) : NULL;
}

/* The offset of the IP header that ends at b->l4, or -1 when none is found. */
static int find_ip(const struct uetx_below *b, const packet_info *pinfo)
{
    if (pinfo->net_src.type == AT_IPv4)
        for (int ihl = IPV4_IHL_MIN; ihl <= IPV4_IHL_MAX; ihl++) {
            const uint8_t *ip = before(b->frame, b->l4, ihl * 4);
            if (ip && is_ipv4(pinfo, ip, ihl))
                return b->l4 - ihl * 4;
        }
    if (pinfo->net_src.type == AT_IPv6)
        for (int ext = 0; ext <= IPV6_EXTENSIONS; ext += 8) {
            const uint8_t *ip = before(b->frame, b->l4, (int)UET_IPV6_BYTES + ext);
            if (ip && is_ipv6(pinfo, ip))
                return b->l4 - (int)UET_IPV6_BYTES - ext;
        }
    return -1;
}

/* The offset of the UDP or entropy header in the frame, or -1 when it is not there. */
static int find_l4(const struct uetx_below *b, tvbuff_t *uet, const packet_info *pinfo)
{
    int bytes = b->native ? (int)UET_ENTROPY_BYTES : (int)UET_UDP_BYTES;
    int at = tvb_raw_offset(uet);
    const uint8_t *h = before(b->frame, at, bytes);
    if (!h)
        return -1;
    bool fits = b->native || (be16(h) == pinfo->srcport && be16(h + 2) == pinfo->destport);
    return fits ? at - bytes : -1;
}

void uetx_below_find(struct uetx_below *b, tvbuff_t *uet, const packet_info *pinfo, bool native)
{
    *b = (struct uetx_below){.frame = tvb_get_ds_tvb(uet), .ip = -1, .native = native};
    b->l4 = find_l4(b, uet, pinfo);
    if (b->l4 < 0)
        return;
    b->entropy = be16(tvb_get_ptr(b->frame, b->l4, 2));
    b->ip = find_ip(b, pinfo);
    if (b->ip < 0)
        return;
    const uint8_t *ip = tvb_get_ptr(b->frame, b->ip, 2);
    b->version = pinfo->net_src.type == AT_IPv4 ? 4 : 6;
    uint8_t tos = b->version == 4 ? ip[1] : (uint8_t)(be16(ip) >> 4);
    b->dscp = tos >> 2;
    b->ecn = tos & 3;
    if (b->version != 4)
        return;
    const int header = b->l4 - b->ip;
    const uint8_t *ipv4 = tvb_get_ptr(b->frame, b->ip, header);
    b->df_clear = !uet_ipv4_df(ipv4);
    b->damaged = !uet_ipv4_checksum_right(ipv4, (size_t)header);
}

bool uetx_below_values(const struct uetx_pdu *u, struct uet_packet *p)
{
    const struct uetx_below *b = &u->below;
    const address *src = &u->pinfo->net_src, *dst = &u->pinfo->net_dst;
    if ((src->type != AT_IPv4 && src->type != AT_IPv6) || dst->type != src->type)
        return false;
    p->ip_version = src->type == AT_IPv4 ? 4 : 6;
    memcpy(p->src, src->data, (size_t)src->len);
    memcpy(p->dst, dst->data, (size_t)dst->len);
    p->traffic_class = (uint8_t)(b->ip >= 0 ? b->dscp << 2 | b->ecn : UET_ECN_ECT0);
    p->df_clear = b->df_clear;
    p->entropy = b->l4 >= 0 ? b->entropy : (uint16_t)u->pinfo->srcport;
    if (b->native && b->l4 >= 0)
        p->entropy_rsvd = uet_entropy_rsvd(tvb_get_ptr(b->frame, b->l4, UET_ENTROPY_BYTES));
    p->trim = u->trimmed ? UET_TRIM_BY_LENGTH : UET_TRIM_NO;
    return true;
}

const uint8_t *uetx_below_udp(const struct uetx_below *b)
{
    return b->native || b->l4 < 0 ? NULL : tvb_get_ptr(b->frame, b->l4, (int)UET_UDP_BYTES);
}

/* What the switches of the network take a DSCP for (4.1.4.1): no value is fixed. */
static const char *const roles[UETX_DSCP_ROLES] = {
    [UETX_DSCP_TRIMMABLE] = "DSCP_TRIMMABLE", [UETX_DSCP_TRIMMABLE_RTX] = "DSCP_TRIMMABLE_RTX",
    [UETX_DSCP_TRIMMED] = "DSCP_TRIMMED",     [UETX_DSCP_TRIMMED_LASTHOP] = "DSCP_TRIMMED_LASTHOP",
    [UETX_DSCP_CONTROL] = "DSCP_CONTROL",
};

static int hf_role = UETX_NO_ID;
static int hf_ecn = UETX_NO_ID;

static bool plays(const struct uetx_below *b, enum uetx_dscp_role role)
{
    return b->ip >= 0 && uetx_prefs.dscp[role] && value_is_in_range(uetx_prefs.dscp[role], b->dscp);
}

/* What IP says that it carries, from the UDP or entropy header on; -1: no IP header was found. */
static int ip_payload(const struct uetx_below *b)
{
    if (b->ip < 0)
        return -1;
    const uint8_t *ip = tvb_get_ptr(b->frame, b->ip, (int)UET_IPV4_BYTES);
    int header = b->l4 - b->ip;
    return b->version == 4 ? be16(ip + 2) - header : be16(ip + 4) + (int)UET_IPV6_BYTES - header;
}

/* Bytes at the end of what a mirror left that are its frame's FCS, not the packet's. */
static unsigned fcs_bytes(const struct uetx_pdu *u)
{
    int n = tvb_raw_offset(u->tvb) + (int)u->captured;
    bool there = u->captured == tvb_reported_length(u->tvb) && u->captured >= UET_FCS_BYTES &&
                 uet_ends_in_fcs(tvb_get_ptr(u->below.frame, 0, n), (size_t)n);
    return there ? UET_FCS_BYTES : 0;
}

/*
 * A mirror that truncates leaves the lengths alone; a switch that trims rewrites that of IP
 * (4.1.3). The packet gets back the length that it had: what lacks was not captured.
 */
static void restore_length(struct uetx_pdu *u, unsigned length)
{
    u->captured -= fcs_bytes(u);
    u->mirror_cut = true;
    u->p.len = u->end = length;
    u->tvb = tvb_new_subset_length_caplen(u->tvb, 0, (gint)u->captured, (gint)length);
}

/* A trimmed packet keeps its UDP length and gets a DSCP of its own (4.1.3, 4.1.4.1). */
void uetx_below_read(struct uetx_pdu *u)
{
    const uint8_t *h = uetx_below_udp(&u->below);
    int above = u->below.native ? (int)UET_ENTROPY_BYTES : (int)UET_UDP_BYTES;
    int came = (int)u->p.len + above, ip = ip_payload(&u->below), udp = h ? be16(h + 4) : ip;
    if (u->pinfo->flags.in_error_pkt)
        return;
    u->trimmed_dscp =
        plays(&u->below, UETX_DSCP_TRIMMED) || plays(&u->below, UETX_DSCP_TRIMMED_LASTHOP);
    if (ip > came && udp >= ip) { /* if UDP names fewer, the IP length is wrong */
        restore_length(u, (unsigned)(ip - above));
        came = ip;
    }
    u->trimmed = u->trimmed_dscp || (h && udp > came);
    u->udp_checksum = h && be16(h + 6) != 0;
}

/* The entropy value, wherever it stands: in the UDP source port it has a field of its own. */
static void show_entropy(struct uetx_pdu *u, tvbuff_t *tvb, proto_tree *tree)
{
    if (u->below.native) {
        struct uetx_pdu entropy = {.tvb = tvb, .pinfo = u->pinfo};
        entropy.captured = UET_ENTROPY_BYTES;
        entropy.p.frame = tvb_get_ptr(tvb, 0, UET_ENTROPY_BYTES);
        uetx_walk_header(&entropy, tree, UET_H_ENTROPY, 0);
    } else if (u->below.l4 >= 0) {
        proto_item *item =
            proto_tree_add_uint(tree, uetx_field_at(UET_H_ENTROPY, 0), tvb, 0, 0, u->below.entropy);
        proto_item_set_generated(item);
        proto_item_set_hidden(item);
    }
}

void uetx_below_show(struct uetx_pdu *u, tvbuff_t *tvb, proto_tree *tree)
{
    show_entropy(u, tvb, tree);
    for (int role = 0; role < UETX_DSCP_ROLES; role++)
        if (plays(&u->below, (enum uetx_dscp_role)role))
            proto_item_set_generated(proto_tree_add_string(tree, hf_role, tvb, 0, 0, roles[role]));
    if (u->below.ip >= 0 && u->below.ecn == UET_ECN_CE) {
        proto_item *item = proto_tree_add_boolean(tree, hf_ecn, tvb, 0, 0, 1);
        proto_item_set_generated(item);
    }
}

void uetx_below_register(int proto)
{
    static hf_register_info hf[] = {
        {&hf_role,
         {"DSCP role", "uetx.dscp_role", FT_STRING, BASE_NONE, NULL, 0,
          "What the DSCP stands for, by the preferences; 4.1.4.1", HFILL}},
        {&hf_ecn,
         {"congestion experienced", "uetx.ce", FT_BOOLEAN, BASE_NONE, NULL, 0,
          "A switch marked the packet (ECN CE): its ACK or NACK says so in flags.m", HFILL}},
    };
    proto_register_field_array(proto, hf, array_length(hf));
}
