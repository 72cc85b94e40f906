/* SPDX-License-Identifier: BSD-2-Clause */
#include "wire/captured/decap.h"

#include "wire/captured/fcs.h"

/* More headers than this below UET and the packet is left alone. */
#define STEPS_MAX 32

/* The header that stands at the walk's place, or how the walk ends. */
enum at {
    AT_ETH,
    AT_VLAN,
    AT_MPLS,
    AT_PSEUDOWIRE,
    AT_NULL,
    AT_LOOP,
    AT_SLL,
    AT_SLL2,
    AT_IP,
    AT_IPV4,
    AT_IPV6,
    AT_IPV6_EXT,
    AT_IPV6_FRAGMENT,
    AT_UDP,
    AT_GRE,
    AT_ERSPAN,
    AT_VXLAN,
    AT_VXLAN_GPE,
    AT_GENEVE,
    AT_END, /* from here on: AT_END + enum uet_decap_end */
};

struct walk {
    const uint8_t *data;
    size_t at, seen, end; /* bytes captured, bytes that there were (of this tunnel) */
    size_t ip;            /* the innermost IP header */
    size_t frame;         /* the innermost Ethernet header ... */
    bool readable;        /* ... from which the parser finds the IP header by itself */
    bool extended;        /* IPv6 extension headers between ip and at */
    bool lacking;         /* the innermost IP header names more bytes than there were */
    unsigned tags, ips, ips_in_frame;
    uint16_t udp_port;
    uint8_t ip_protocol;
    const char *via;
};

struct next {
    uint16_t value;
    uint8_t at; /* enum at */
    const char *via;
};

static uint16_t be16(const uint8_t *b)
{
    return (uint16_t)(b[0] << 8 | b[1]);
}

static enum at ended(enum uet_decap_end end)
{
    return (enum at)(AT_END + (int)end);
}

/* ---- what a number in one header says of the next ---- */

/* A tunnel or an unusual link is worth naming; a row without a name goes on in the same one. */
static enum at follow(struct walk *w, const struct next *rows, size_t n, uint16_t value)
{
    for (size_t i = 0; i < n; i++)
        if (rows[i].value == value) {
            w->via = rows[i].via ? rows[i].via : w->via;
            return (enum at)rows[i].at;
        }
    return ended(UET_DECAP_NOT_UET);
}

#define FOLLOW(w, rows, value) follow(w, rows, sizeof(rows) / sizeof(*(rows)), value)

static const struct next link_types[] = {
    {UET_LINKTYPE_ETHERNET, AT_ETH, NULL},
    {UET_LINKTYPE_NULL, AT_NULL, "BSD loopback"},
    {UET_LINKTYPE_LOOP, AT_LOOP, "BSD loopback"},
    {UET_LINKTYPE_RAW_DLT, AT_IP, "raw IP"},
    {UET_LINKTYPE_RAW_IP, AT_IP, "raw IP"},
    {UET_LINKTYPE_IPV4, AT_IPV4, "raw IP"},
    {UET_LINKTYPE_IPV6, AT_IPV6, "raw IP"},
    {UET_LINKTYPE_LINUX_SLL, AT_SLL, "Linux SLL"},
    {UET_LINKTYPE_LINUX_SLL2, AT_SLL2, "Linux SLL2"},
};

/* Address families of the systems that write them: IPv4 is 2 everywhere. */
static const struct next families[] = {
    {2, AT_IPV4, NULL},  {10, AT_IPV6, NULL}, {24, AT_IPV6, NULL},
    {28, AT_IPV6, NULL}, {30, AT_IPV6, NULL},
};

/* Ethertypes; also the protocols of GRE and Geneve. */
static const struct next ethertypes[] = {
    {0x0800, AT_IPV4, NULL},   {0x86dd, AT_IPV6, NULL},   {0x8100, AT_VLAN, NULL},
    {0x88a8, AT_VLAN, NULL},   {0x9100, AT_VLAN, NULL},   {0x9200, AT_VLAN, NULL},
    {0x8847, AT_MPLS, "MPLS"}, {0x8848, AT_MPLS, "MPLS"}, {0x6558, AT_ETH, NULL},
};

static const struct next gre_protocols[] = {
    {0x88be, AT_ERSPAN, "ERSPAN"}, /* types I and II */
    {0x22eb, AT_ERSPAN, "ERSPAN"}, /* type III */
};

static const struct next ip_protocols[] = {
    {17, AT_UDP, NULL},      {4, AT_IPV4, "IP in IP"}, {41, AT_IPV6, "IP in IP"},
    {47, AT_GRE, "GRE"},     {137, AT_MPLS, "MPLS"},   {0, AT_IPV6_EXT, NULL},
    {43, AT_IPV6_EXT, NULL}, {60, AT_IPV6_EXT, NULL},  {44, AT_IPV6_FRAGMENT, NULL},
};

static const struct next udp_ports[] = {
    {4789, AT_VXLAN, "VXLAN"},         {8472, AT_VXLAN, "VXLAN"}, /* Linux, before the port */
    {4790, AT_VXLAN_GPE, "VXLAN-GPE"}, {6081, AT_GENEVE, "Geneve"}, {6635, AT_MPLS, "MPLS"},
};

static const struct next vxlan_gpe_protocols[] = {
    {1, AT_IPV4, NULL},
    {2, AT_IPV6, NULL},
    {3, AT_ETH, NULL},
    {5, AT_MPLS, NULL},
};

/* ---- one function a header: its bytes are there, it moves the walk behind them ---- */

static enum at eth(struct walk *w)
{
    w->frame = w->at;
    w->readable = true;
    w->tags = 0;
    w->ips_in_frame = 0;
    w->at += 14;
    return FOLLOW(w, ethertypes, be16(w->data + w->at - 2));
}

/* The parser knows 0x8100 everywhere, 0x88a8 right after the addresses, and no more. */
static enum at vlan(struct walk *w)
{
    uint16_t own = be16(w->data + w->at - 2);
    w->readable = w->readable && w->tags < UET_VLANS_MAX &&
                  (own == 0x8100 || (own == 0x88a8 && w->tags == 0));
    w->tags++;
    w->at += 4;
    return FOLLOW(w, ethertypes, be16(w->data + w->at - 2));
}

/* Labels up to the bottom of the stack; nothing says what is below it but its own first bits. */
static enum at mpls(struct walk *w)
{
    bool bottom = w->data[w->at + 2] & 1;
    w->readable = false;
    w->at += 4;
    return bottom ? AT_PSEUDOWIRE : AT_MPLS;
}

static enum at pseudowire(struct walk *w)
{
    const uint8_t *b = w->data + w->at;
    if (b[0] >> 4 == 4)
        return AT_IPV4;
    if (b[0] >> 4 == 6)
        return AT_IPV6;
    if (be16(b) == 0) /* the control word of RFC 4448 */
        w->at += 4;
    return AT_ETH;
}

/* Address families are small: in the wrong byte order they would be huge. */
static enum at family(struct walk *w, bool either_order)
{
    const uint8_t *b = w->data + w->at;
    uint16_t big = be16(b + 2), little = (uint16_t)(b[1] << 8 | b[0]);
    bool is_big = be16(b) == 0 && big != 0;
    w->at += 4;
    if (!is_big && !(either_order && be16(b + 2) == 0))
        return ended(UET_DECAP_NOT_UET);
    return FOLLOW(w, families, is_big ? big : little);
}

static enum at bsd_null(struct walk *w)
{
    return family(w, true);
}

static enum at loop(struct walk *w)
{
    return family(w, false);
}

static enum at sll(struct walk *w)
{
    w->at += 16;
    return FOLLOW(w, ethertypes, be16(w->data + w->at - 2));
}

/* The protocol stands in front: a VLAN tag that follows has its own in the usual place. */
static enum at sll2(struct walk *w)
{
    uint16_t protocol = be16(w->data + w->at);
    w->at += 20;
    return FOLLOW(w, ethertypes, protocol);
}

static enum at ip(struct walk *w)
{
    uint8_t version = w->data[w->at] >> 4;
    return version == 4 ? AT_IPV4 : version == 6 ? AT_IPV6 : ended(UET_DECAP_NOT_UET);
}

/* Behind an IP header: UET, a tunnel, or nothing of interest. */
static enum at ip_payload(struct walk *w, uint8_t protocol)
{
    if (protocol == w->ip_protocol)
        return ended(w->extended ? UET_DECAP_EXTENSION : UET_DECAP_UET);
    return FOLLOW(w, ip_protocols, protocol);
}

/* total: the header and what it carries; less than the header is nonsense, and not believed. */
static void begin_ip(struct walk *w, size_t header, size_t total)
{
    w->ip = w->at;
    w->ips++;
    w->readable = w->readable && w->ips_in_frame++ == 0;
    w->extended = false;
    w->lacking = total > w->end - w->at;
    if (total >= header && !w->lacking) /* what is behind is padding */
        w->end = w->at + total;
    if (w->seen > w->end)
        w->seen = w->end;
}

static enum at ipv4(struct walk *w)
{
    const uint8_t *h = w->data + w->at;
    size_t header = (size_t)(h[0] & 15) * 4;
    if (h[0] >> 4 != 4 || header < 20)
        return ended(UET_DECAP_NOT_UET);
    begin_ip(w, header, be16(h + 2));
    w->at += header;
    enum at next = ip_payload(w, h[9]);
    if (next != ended(UET_DECAP_NOT_UET) && be16(h + 6) & 0x1fff)
        return ended(UET_DECAP_FRAGMENT);
    return next;
}

static enum at ipv6(struct walk *w)
{
    const uint8_t *h = w->data + w->at;
    if (h[0] >> 4 != 6)
        return ended(UET_DECAP_NOT_UET);
    begin_ip(w, 40, be16(h + 4) ? 40u + be16(h + 4) : 0); /* 0: a jumbogram, or not yet cut */
    w->at += 40;
    return ip_payload(w, h[6]);
}

static enum at ipv6_ext(struct walk *w)
{
    const uint8_t *h = w->data + w->at;
    w->extended = true;
    w->at += ((size_t)h[1] + 1) * 8;
    return ip_payload(w, h[0]);
}

static enum at ipv6_fragment(struct walk *w)
{
    const uint8_t *h = w->data + w->at;
    w->extended = true;
    w->at += 8;
    enum at next = ip_payload(w, h[0]);
    return next == ended(UET_DECAP_NOT_UET) ? next : ended(UET_DECAP_FRAGMENT);
}

static enum at udp(struct walk *w)
{
    uint16_t port = be16(w->data + w->at + 2);
    if (port == w->udp_port)
        return ended(w->extended ? UET_DECAP_EXTENSION : UET_DECAP_UET);
    w->at += 8;
    return FOLLOW(w, udp_ports, port);
}

/* RFC 2784 and 2890: checksum, key and sequence number, where their bits are set. */
static enum at gre(struct walk *w)
{
    uint16_t flags = be16(w->data + w->at), protocol = be16(w->data + w->at + 2);
    if (flags & 0x4007) /* source routing, version 1: not of this kind */
        return ended(UET_DECAP_NOT_UET);
    unsigned optional = (flags >> 15 & 1u) + (flags >> 13 & 1u) + (flags >> 12 & 1u);
    w->at += 4 + 4 * (size_t)optional;
    enum at next = FOLLOW(w, gre_protocols, protocol);
    if (next == AT_ERSPAN && protocol == 0x88be && !(flags & 0x1000))
        return AT_ETH; /* type I has no header of its own */
    return next == ended(UET_DECAP_NOT_UET) ? FOLLOW(w, ethertypes, protocol) : next;
}

/* Type II is version 1 with 8 bytes, type III version 2 with 12 and maybe 8 more. */
static enum at erspan(struct walk *w)
{
    const uint8_t *h = w->data + w->at;
    uint8_t version = h[0] >> 4;
    if (version == 1) {
        w->at += 8;
        return AT_ETH;
    }
    if (version != 2)
        return ended(UET_DECAP_NOT_UET);
    if (w->seen - w->at < 12)
        return ended(UET_DECAP_CUT);
    uint8_t type = h[10] >> 2 & 31;
    w->at += h[11] & 1 ? 20 : 12;
    return type == 0 ? AT_ETH : type == 2 ? AT_IP : ended(UET_DECAP_NOT_UET);
}

static enum at vxlan(struct walk *w)
{
    w->at += 8;
    return AT_ETH;
}

static enum at vxlan_gpe(struct walk *w)
{
    uint8_t protocol = w->data[w->at + 3];
    w->at += 8;
    return FOLLOW(w, vxlan_gpe_protocols, protocol);
}

static enum at geneve(struct walk *w)
{
    const uint8_t *h = w->data + w->at;
    if (h[0] >> 6 != 0)
        return ended(UET_DECAP_NOT_UET);
    w->at += 8 + (size_t)(h[0] & 63) * 4;
    return FOLLOW(w, ethertypes, be16(h + 2));
}

/* The bytes that must be there before a header is looked at. */
static const struct {
    enum at (*step)(struct walk *w);
    uint8_t bytes;
} headers[AT_END] = {
    [AT_ETH] = {eth, 14},
    [AT_VLAN] = {vlan, 4},
    [AT_MPLS] = {mpls, 4},
    [AT_PSEUDOWIRE] = {pseudowire, 4},
    [AT_NULL] = {bsd_null, 4},
    [AT_LOOP] = {loop, 4},
    [AT_SLL] = {sll, 16},
    [AT_SLL2] = {sll2, 20},
    [AT_IP] = {ip, 1},
    [AT_IPV4] = {ipv4, 20},
    [AT_IPV6] = {ipv6, 40},
    [AT_IPV6_EXT] = {ipv6_ext, 8},
    [AT_IPV6_FRAGMENT] = {ipv6_fragment, 8},
    [AT_UDP] = {udp, 8},
    [AT_GRE] = {gre, 4},
    [AT_ERSPAN] = {erspan, 8},
    [AT_VXLAN] = {vxlan, 8},
    [AT_VXLAN_GPE] = {vxlan_gpe, 8},
    [AT_GENEVE] = {geneve, 8},
};

/* ---- the way ---- */

static enum uet_decap_end go(struct walk *w, enum at at, bool cut)
{
    for (unsigned n = 0; at < AT_END && n < STEPS_MAX; n++) {
        if (w->at > w->seen || w->seen - w->at < headers[at].bytes)
            return cut || w->lacking || w->seen < w->end ? UET_DECAP_CUT : UET_DECAP_NOT_UET;
        at = headers[at].step(w);
    }
    return at < AT_END ? UET_DECAP_NOT_UET : (enum uet_decap_end)(at - AT_END);
}

/* Bytes that the innermost IP header says there are. */
static size_t ip_length(const struct walk *w)
{
    const uint8_t *h = w->data + w->ip;
    return h[0] >> 4 == 4 ? be16(h + 2) : 40u + be16(h + 4);
}

/*
 * A mirror that truncates copies the first bytes of a packet and leaves its lengths alone: UDP says
 * what IP says, and bytes lack. (A switch that trims rewrites the IP length and not the UDP length,
 * 4.1.3: such a packet, mirrored, has the larger one in UDP.) If UDP names fewer bytes, the IP
 * length is wrong, and the parser says so.
 */
static bool cut_by_mirror(const struct walk *w)
{
    const uint8_t *ip = w->data + w->ip;
    uint8_t protocol = ip[0] >> 4 == 4 ? ip[9] : ip[6];
    return w->lacking && (protocol == w->ip_protocol ||
                          be16(w->data + w->at + 4) >= ip_length(w) - (w->at - w->ip));
}

/*
 * A mirror may end what it left in a new FCS, and some captures have it. It is no byte of the
 * packet.
 */
static size_t without_fcs(const struct walk *w, size_t seen)
{
    return w->readable && uet_ends_in_fcs(w->data + w->frame, seen - w->frame)
               ? seen - UET_FCS_BYTES
               : seen;
}

struct uet_inner uet_decap(uint32_t linktype, const uint8_t *data, size_t caplen, size_t len,
                           const struct uet_parse_options *o)
{
    struct walk w = {.data = data,
                     .seen = caplen,
                     .end = len > caplen ? len : caplen,
                     .udp_port = o && o->udp_port ? o->udp_port : UET_UDP_PORT,
                     .ip_protocol =
                         o && o->ip_protocol ? o->ip_protocol : UET_IPPROTO_UET_EXPERIMENTAL};
    struct uet_inner inner = {.end = UET_DECAP_LINK_TYPE};
    enum at first = linktype > UINT16_MAX ? ended(UET_DECAP_NOT_UET)
                                          : FOLLOW(&w, link_types, (uint16_t)linktype);
    if (first == ended(UET_DECAP_NOT_UET))
        return inner;
    inner.end = (uint8_t)go(&w, first, caplen < len);
    if (inner.end != UET_DECAP_UET)
        return inner;
    inner.tunnelled = w.ips > 1;
    inner.start = w.readable ? UET_START_ETH : UET_START_IP;
    inner.offset = (uint32_t)(w.readable ? w.frame : w.ip);
    inner.via = w.via;
    /* Plain packets keep their padding: what their IP length says is the parser's to judge. */
    size_t seen = inner.tunnelled ? w.seen : caplen;
    size_t end = inner.tunnelled ? w.end : len > caplen ? len : caplen;
    if (cut_by_mirror(&w)) {
        if (!inner.tunnelled && caplen >= len)
            seen = without_fcs(&w, seen);
        end = w.ip + ip_length(&w);
    }
    inner.caplen = (uint32_t)(seen - inner.offset);
    inner.len = (uint32_t)(end - inner.offset);
    return inner;
}
