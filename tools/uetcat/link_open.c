/* SPDX-License-Identifier: BSD-2-Clause */
/* Opening a link: whose address is ours, and by which port packets go, raw or over UDP. */
#include <errno.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/uetcat/args.h"
#include "tools/uetcat/link.h"

enum { ERROR_TEXT = 400 };

volatile sig_atomic_t uetcat_interrupted;

static void on_signal(int number)
{
    (void)number;
    uetcat_interrupted = 1;
}

static bool wrong(const struct uetcat_link *l, const char *why)
{
    fprintf(stderr, "uetcat %s: %s\n", l->command, why);
    return false;
}

/* ---- addresses ---- */

/* An interface by name or number. */
static bool take_zone(struct uetcat_link *l, const char *text, const char *zone)
{
    char name[IF_NAMESIZE] = "", *end;
    unsigned long n = strtoul(zone, &end, 10);
    if (*zone && !*end && n <= UINT32_MAX)
        if_indextoname((unsigned)n, name);
    else if (if_nametoindex(zone))
        snprintf(name, sizeof name, "%s", zone);
    if (!name[0])
        fprintf(stderr, "uetcat %s: '%s': there is no interface '%s'\n", l->command, text, zone);
    else if (l->zone[0] && strcmp(l->zone, name) != 0)
        fprintf(stderr, "uetcat %s: the zones %s and %s differ: give one\n", l->command, l->zone,
                name);
    else {
        memcpy(l->zone, name, sizeof l->zone);
        return true;
    }
    return false;
}

bool uetcat_link_ip(struct uetcat_link *l, const char *option, const char *text, struct uet_ip *ip)
{
    char address[UET_IP_TEXT] = "";
    size_t n = strcspn(text, "%");
    if (n < sizeof address)
        memcpy(address, text, n);
    if (!uetcat_address(l->command, option, text[n] ? address : text, ip))
        return false;
    if (!text[n])
        return true;
    if (ip->version == 6)
        return take_zone(l, text, text + n + 1);
    fprintf(stderr, "uetcat %s: '%s': only IPv6 addresses have a zone\n", l->command, text);
    return false;
}

static bool is_link_local(const struct uet_ip *ip)
{
    return ip->version == 6 && ip->bytes[0] == 0xfe && (ip->bytes[1] & 0xc0) == 0x80;
}

/* The zone is the interface; an address that each link has needs one (RFC 4007). */
static bool settle_zone(struct uetcat_link *l)
{
    if (l->zone[0] && l->ifname && strcmp(l->zone, l->ifname) != 0) {
        fprintf(stderr, "uetcat %s: -I %s, but the zone is %s: give one\n", l->command, l->ifname,
                l->zone);
        return false;
    }
    if (l->zone[0])
        l->ifname = l->zone;
    if (l->ifname || (!is_link_local(&l->src) && !is_link_local(&l->dst)))
        return true;
    fprintf(stderr,
            "uetcat %s: a link-local address is of one link: name its interface with -I, or "
            "behind it, as in fe80::2%%eth1\n",
            l->command);
    return false;
}

/* What both kinds of command need. */
static bool check_own(struct uetcat_link *l)
{
    if (l->ip_protocol && !l->native)
        return wrong(l, "--ip-protocol is of native IP: give --encapsulation native, too");
    if (l->udp && l->native)
        return wrong(l, "--udp carries no native IP: leave out one of them");
    if (l->native && !l->have_source)
        return wrong(l, "native IP needs raw sockets: give our address with -S, a free one of that "
                        "network, which no interface has");
    return settle_zone(l);
}

bool uetcat_link_address(struct uetcat_link *l, int n, char **words)
{
    if (n != 1) {
        fprintf(stderr, "uetcat %s: give one address to %s, not %d; see uetcat %s --help\n",
                l->command, l->command, n, l->command);
        return false;
    }
    if (!uetcat_link_ip(l, "", words[0], &l->dst) || !check_own(l))
        return false;
    if (l->have_source &&
        (l->src.version != l->dst.version || (!l->udp && uet_ip_equal(&l->src, &l->dst))))
        return wrong(l, "-S must differ from ADDR and be of the same IP version");
    return true;
}

bool uetcat_link_own_address(struct uetcat_link *l, int n, char **words)
{
    if (n > 0) {
        fprintf(stderr, "uetcat %s: '%s' is no option: give our address with -S\n", l->command,
                words[0]);
        return false;
    }
    return check_own(l);
}

/* ---- raw sockets ---- */

static bool same_network(const struct uet_ip *ip, const struct sockaddr *a,
                         const struct sockaddr *mask)
{
    const uint8_t *net, *bits;
    if (!a || !mask || a->sa_family != (ip->version == 4 ? AF_INET : AF_INET6))
        return false;
    if (ip->version == 4) {
        net = (const uint8_t *)&((const struct sockaddr_in *)(const void *)a)->sin_addr;
        bits = (const uint8_t *)&((const struct sockaddr_in *)(const void *)mask)->sin_addr;
    } else {
        net = ((const struct sockaddr_in6 *)(const void *)a)->sin6_addr.s6_addr;
        bits = ((const struct sockaddr_in6 *)(const void *)mask)->sin6_addr.s6_addr;
    }
    bool same = true, any = false;
    for (size_t i = 0; i < uet_ip_len(ip); i++) {
        same &= ((net[i] ^ ip->bytes[i]) & bits[i]) == 0;
        any |= bits[i] != 0;
    }
    return same && any;
}

/* The interface whose network holds the address, into name; false when there is none. */
static bool find_interface(const struct uet_ip *ip, char name[IF_NAMESIZE])
{
    struct ifaddrs *all;
    bool found = false;
    if (getifaddrs(&all) != 0)
        return false;
    for (const struct ifaddrs *a = all; a && !found; a = a->ifa_next)
        if (!(a->ifa_flags & IFF_LOOPBACK) && same_network(ip, a->ifa_addr, a->ifa_netmask)) {
            snprintf(name, IF_NAMESIZE, "%s", a->ifa_name);
            found = true;
        }
    freeifaddrs(all);
    return found;
}

/* 0, or a negative errno and why. */
static int open_raw(struct uetcat_link *l, char *err)
{
    const bool spoken_to = l->dst.version == 0;
    if (!l->ifname && !find_interface(spoken_to ? &l->src : &l->dst, l->name)) {
        snprintf(err, ERROR_TEXT, "no interface is in the network of %s; name one with -I",
                 spoken_to ? "-S" : "ADDR");
        return -ENODEV;
    }
    const struct uet_afpacket_config c = {
        .ifname = l->ifname ? l->ifname : l->name, .addresses = &l->src, .n_addresses = 1};
    int e = uet_afpacket_open(&l->port, &c, err, ERROR_TEXT);
    if (e == 0)
        l->ifname = c.ifname;
    return e;
}

/* ---- UDP ---- */

/* The address from which the kernel speaks to ADDR; who is spoken to has that of the loopback. */
static int find_source(struct uetcat_link *l, unsigned scope, char *err)
{
    int e = 0;
    l->src = (struct uet_ip){.version = 4, .bytes = {127, 0, 0, 1}};
    if (l->dst.version)
        e = uet_udp_source(&l->dst, scope, &l->src);
    if (e)
        snprintf(err, ERROR_TEXT, "no way to ADDR: %s", strerror(-e));
    return e;
}

static int bind_udp(struct uetcat_link *l, unsigned scope, char *err)
{
    int e = l->have_source ? 0 : find_source(l, scope, err);
    if (e)
        return e;
    const struct uet_udp_config c = {.address = l->src,
                                     .scope = scope,
                                     .protect = (uint8_t)l->protect,
                                     .crc_order = l->crc_order,
                                     .second = uet_ip_equal(&l->src, &l->dst)};
    return uet_udp_open(&l->port, &c, err, ERROR_TEXT);
}

static int open_udp(struct uetcat_link *l, char *err)
{
    unsigned scope = l->ifname ? if_nametoindex(l->ifname) : 0;
    struct uet_ip before;
    int e = 0;
    if (l->ifname && !scope) {
        snprintf(err, ERROR_TEXT, "there is no interface %s", l->ifname);
        return -ENODEV;
    }
    /* Another program may have taken the address just after we found it free: then the next one. */
    do {
        before = l->src;
        e = bind_udp(l, scope, err);
    } while (e == -EADDRINUSE && !uet_ip_equal(&before, &l->src));
    if (e)
        return e;
    l->ifname = "UDP port 4793";
    l->src = uet_udp_address(l->port);
    return 0;
}

/* Says once what is done without. */
static void tell_udp(const struct uetcat_link *l, const char *why)
{
    static const struct {
        uint32_t cap; /* enum uet_port_cap */
        const char *text;
    } rows[] = {{UET_PORT_RAW_IP, "native IP"},
                {UET_PORT_TRIM, "trimmed packets"},
                {UET_PORT_SOURCE, "addresses of our own"},
                {UET_PORT_ENTROPY, "every entropy value"},
                {UET_PORT_ECN, "ECN"}};
    char address[UET_IP_TEXT];
    const char *comma = "";
    fprintf(stderr, "uetcat %s: %s: over UDP of the kernel, as %s, without ", l->command, why,
            uet_ip_text(&l->src, address));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!(l->port->caps & rows[i].cap)) {
            fprintf(stderr, "%s%s", comma, rows[i].text);
            comma = ", ";
        }
    fputc('\n', stderr);
}

/* Why raw sockets will not do, when UDP may; NULL: it may not. */
static const char *may_be_udp(const struct uetcat_link *l, int e)
{
    if (l->native)
        return NULL;
    switch (e) {
    case -EPERM:
        return "no right to raw sockets";
    case -EADDRINUSE:
        return "the address of -S is this host's";
    case -ENODEV:
        return l->ifname ? NULL : "no Ethernet interface is in that network";
    default:
        return NULL;
    }
}

static bool open_port(struct uetcat_link *l)
{
    const char *why = "no -S";
    char err[ERROR_TEXT] = "", second[ERROR_TEXT];
    bool asked = l->udp;
    int e;
    l->udp = asked || !l->have_source;
    if (!l->udp) {
        e = open_raw(l, err);
        why = may_be_udp(l, e);
        l->udp = e && why && open_udp(l, second) == 0;
        if (l->udp)
            e = 0;
    } else {
        e = open_udp(l, err);
    }
    if (e == -EPERM && why)
        strncat(err, "; or leave -S out: over UDP of the kernel no right is needed",
                ERROR_TEXT - 1 - strlen(err));
    if (e)
        return wrong(l, err);
    if (l->udp && !asked)
        tell_udp(l, why);
    return true;
}

/* Of the entropy values that were asked for, the kernel gives no program those of its own ports. */
static bool entropy_fits(const struct uetcat_link *l)
{
    enum { PRIVILEGED = 1024 };
    for (uint32_t i = 0; l->udp && i < l->entropy.n; i++)
        if (l->entropy.value[i] < PRIVILEGED) {
            fprintf(stderr,
                    "uetcat %s: --entropy: over UDP of the kernel there is no value below 1024, "
                    "such as %u: give others, or -S for raw sockets\n",
                    l->command, l->entropy.value[i]);
            return false;
        }
    return true;
}

bool uetcat_link_open(struct uetcat_link *l)
{
    struct sigaction sa = {.sa_handler = on_signal}; /* no SA_RESTART: receive must return */
    char err[ERROR_TEXT];
    if (!open_port(l))
        return false;
    if (!entropy_fits(l)) {
        uet_port_close(l->port);
        l->port = NULL;
        return false;
    }
    l->to_real_ns = uet_port_epoch_ns(l->port);
    if (l->pcap && uet_pcapng_open_on(&l->capture, l->pcap, l->ifname, err, sizeof err) < 0) {
        uet_port_close(l->port);
        l->port = NULL;
        return wrong(l, err);
    }
    sigaction(SIGINT, &sa, NULL);
    sigaction(SIGTERM, &sa, NULL);
    return true;
}
