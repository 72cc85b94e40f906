/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/uetcat/link.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "tools/uetcat/args.h"

enum { BATCH = 32 };

static void fail(struct uetcat_link *l, const char *what, int error)
{
    if (!l->broken)
        fprintf(stderr, "uetcat %s: %s: %s\n", l->command, what, strerror(-error));
    l->broken = true;
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

/*
 * The kernel of the other host, in the place of a FEP: port or protocol unreachable (RFC 792, RFC
 * 4443).
 */
static void note_icmp(struct uetcat_link *l, const struct uet_packet *p)
{
    const bool v4 = p->ip_version == 4;
    const uint32_t at = p->ip_offset + (v4 ? 20u : 40u);
    if (p->error != UET_PARSE_NOT_UET || !p->ip_version || at + 2 > p->len)
        return;
    const uint8_t *ip = p->frame + p->ip_offset, *icmp = p->frame + at;
    const struct uet_ip src = uet_src_ip(p);
    if (!uet_ip_equal(&src, &l->dst))
        return;
    if (v4 ? ip[9] == UET_IPPROTO_ICMP && icmp[0] == 3 && (icmp[1] == 2 || icmp[1] == 3)
           : ip[6] == UET_IPPROTO_ICMPV6 &&
                 ((icmp[0] == 1 && icmp[1] == 4) || (icmp[0] == 4 && icmp[1] == 1)))
        l->nobody_listens = true;
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
        note_icmp(l, &packet);
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

const char *uetcat_link_silence(struct uetcat_link *l)
{
    struct uet_udp_stats udp;
    if (l->nobody_listens)
        return l->native ? "its host says (ICMP) that it has no such IP protocol"
                         : "its host says (ICMP) that nobody listens on UDP port 4793 there";
    if (!l->udp)
        return NULL;
    uet_udp_stats(l->port, &udp);
    if (udp.refused)
        return "its host says (ICMP) that nobody listens on UDP port 4793 there";
    if (udp.unreachable)
        return "there is no way to that address (ICMP, or this host's routes)";
    if (udp.too_long)
        return "packets are longer than the path carries: give a smaller --mtu";
    return NULL;
}

uint64_t uetcat_link_missed(struct uetcat_link *l)
{
    struct uet_afpacket_stats raw;
    struct uet_udp_stats udp;
    if (l->udp) {
        uet_udp_stats(l->port, &udp);
        return udp.missed;
    }
    uet_afpacket_stats(l->port, &raw);
    return raw.missed;
}
