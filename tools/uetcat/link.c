/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/uetcat/link.h"

#include <errno.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "tools/uetcat/args.h"

enum { BATCH = 32 };

volatile sig_atomic_t uetcat_interrupted;

static void on_signal(int number)
{
    (void)number;
    uetcat_interrupted = 1;
}

static void fail(struct uetcat_link *l, const char *what, int error)
{
    if (!l->broken)
        fprintf(stderr, "uetcat %s: %s: %s\n", l->command, what, strerror(-error));
    l->broken = true;
}

/* ---- setting up ---- */

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

bool uetcat_link_encapsulation(struct uetcat_link *l, const char *text)
{
    l->native = strcmp(text, "native") == 0;
    if (l->native || strcmp(text, "udp") == 0)
        return true;
    fprintf(stderr, "uetcat %s: --encapsulation '%s': give udp or native\n", l->command, text);
    return false;
}

bool uetcat_link_ip_protocol(struct uetcat_link *l, const char *text)
{
    uint64_t n;
    if (!uetcat_number(l->command, "--ip-protocol", text, 1, UINT8_MAX, &n))
        return false;
    l->ip_protocol = (uint8_t)n;
    if (n != UET_IPPROTO_UDP)
        return true;
    fprintf(stderr,
            "uetcat %s: --ip-protocol 17 is the number of UDP: give that of IP_Proto_Nxt_Hdr\n",
            l->command);
    return false;
}

/* What both kinds of command need. */
static bool check_own(const struct uetcat_link *l)
{
    if (l->ip_protocol && !l->native) {
        fprintf(stderr,
                "uetcat %s: --ip-protocol is of native IP: give --encapsulation native, too\n",
                l->command);
        return false;
    }
    if (!l->have_source)
        fprintf(stderr,
                "uetcat %s: give our address with -S: a free one of that network, which no "
                "interface has\n",
                l->command);
    return l->have_source;
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
    if (l->src.version != l->dst.version || uet_ip_equal(&l->src, &l->dst)) {
        fprintf(stderr, "uetcat %s: -S must differ from ADDR and be of the same IP version\n",
                l->command);
        return false;
    }
    return settle_zone(l);
}

bool uetcat_link_own_address(struct uetcat_link *l, int n, char **words)
{
    if (n > 0) {
        fprintf(stderr, "uetcat %s: '%s' is no option: give our address with -S\n", l->command,
                words[0]);
        return false;
    }
    return check_own(l) && settle_zone(l);
}

bool uetcat_link_open(struct uetcat_link *l)
{
    struct sigaction sa = {.sa_handler = on_signal}; /* no SA_RESTART: receive must return */
    char err[300];
    const bool spoken_to = l->dst.version == 0;
    if (!l->ifname && !find_interface(spoken_to ? &l->src : &l->dst, l->name)) {
        fprintf(stderr, "uetcat %s: no interface is in the network of %s; name one with -I\n",
                l->command, spoken_to ? "-S" : "ADDR");
        return false;
    }
    if (!l->ifname)
        l->ifname = l->name;
    struct uet_afpacket_config c = {.ifname = l->ifname, .addresses = &l->src, .n_addresses = 1};
    if (uet_afpacket_open(&l->port, &c, err, sizeof err) < 0) {
        fprintf(stderr, "uetcat %s: %s\n", l->command, err);
        return false;
    }
    l->to_real_ns = uet_port_epoch_ns(l->port);
    if (l->pcap && uet_pcapng_open_on(&l->capture, l->pcap, l->ifname, err, sizeof err) < 0) {
        fprintf(stderr, "uetcat %s: %s\n", l->command, err);
        uet_port_close(l->port);
        l->port = NULL;
        return false;
    }
    sigaction(SIGINT, &sa, NULL);
    sigaction(SIGTERM, &sa, NULL);
    return true;
}

bool uetcat_link_resolve(struct uetcat_link *l)
{
    const uint64_t second = 1000000000;
    uint64_t wait_ns = l->wait_ns > second ? l->wait_ns : second;
    return uet_port_resolve(l->port, &l->dst, uet_port_now(l->port) + wait_ns) == 0;
}

void uetcat_link_close(struct uetcat_link *l)
{
    int e = l->capture ? uet_pcapng_close(l->capture) : 0;
    if (e < 0)
        fail(l, l->pcap, e);
    uet_port_close(l->port);
}

/* ---- frames ---- */

uint64_t uetcat_link_now(const struct uetcat_link *l)
{
    return uet_port_now(l->port);
}

static void record(struct uetcat_link *l, const uint8_t *data, uint32_t len, uint64_t now_ns,
                   enum uet_direction direction)
{
    if (!l->capture)
        return;
    int e = uet_pcapng_write(l->capture, data, len, now_ns + l->to_real_ns, direction, NULL);
    if (e < 0)
        fail(l, l->pcap, e);
}

void uetcat_link_send(struct uetcat_link *l, size_t len)
{
    struct uet_frame f = {.data = l->frame, .len = (uint32_t)len};
    int e = uet_port_send(l->port, &f, 1);
    record(l, l->frame, (uint32_t)len, uet_port_now(l->port), UET_DIRECTION_OUT);
    if (e < 0)
        fail(l, l->ifname, e);
}

void uetcat_link_receive(struct uetcat_link *l, uint64_t deadline_ns,
                         void (*take)(void *ctx, const struct uet_packet *p, uint64_t now_ns),
                         void *ctx)
{
    /* Whether a trailer is there is the sender's setting: take both. */
    const struct uet_parse_options options = {.protect = UET_PROTECT_AUTO,
                                              .ip_protocol = l->ip_protocol};
    struct uet_frame frames[BATCH];
    struct uet_packet packet;
    int n = uet_port_receive(l->port, frames, BATCH, deadline_ns);
    for (int i = 0; i < n; i++) {
        record(l, frames[i].data, frames[i].len, frames[i].time_ns, UET_DIRECTION_IN);
        uet_parse(&packet, frames[i].data, frames[i].len, &options);
        take(ctx, &packet, frames[i].time_ns);
    }
    if (n < 0 && n != -EINTR)
        fail(l, l->ifname, n);
}

uint64_t uetcat_random(void)
{
    uint64_t v;
    if (getrandom(&v, sizeof v, 0) != (ssize_t)sizeof v) /* cannot be short; be sure all the same */
        v = (uint64_t)time(NULL) * UINT64_C(0x9e3779b97f4a7c15);
    return v;
}
