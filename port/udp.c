/* SPDX-License-Identifier: BSD-2-Clause */
/* Opening and closing of the UDP port, and what can be wrong then. */
#include "port/udp.h"

#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "port/udp_internal.h"
#include "uet_spec.h"
#include "wire/packet.h"

enum { LAST_NEIGHBOUR = 254 }; /* 127.0.0.2 to .254: addresses of this host that come in handy */

__attribute__((format(printf, 4, 5))) static int fail(char *err, size_t errlen, int code,
                                                      const char *format, ...)
{
    va_list args;

    va_start(args, format);
    if (errlen)
        vsnprintf(err, errlen, format, args);
    va_end(args);
    return -code;
}

uint32_t uet_udp_caps(void)
{
    return UET_PORT_ECN;
}

/* ---- the largest packet ---- */

static bool holds(const struct ifaddrs *a, const struct uet_ip *ip)
{
    const uint8_t *net, *mask;
    bool same = true;

    if (!a->ifa_addr || !a->ifa_netmask ||
        a->ifa_addr->sa_family != (ip->version == 4 ? AF_INET : AF_INET6))
        return false;
    if (ip->version == 4) {
        net = (const uint8_t *)&((const struct sockaddr_in *)(const void *)a->ifa_addr)->sin_addr;
        mask =
            (const uint8_t *)&((const struct sockaddr_in *)(const void *)a->ifa_netmask)->sin_addr;
    } else {
        net = ((const struct sockaddr_in6 *)(const void *)a->ifa_addr)->sin6_addr.s6_addr;
        mask = ((const struct sockaddr_in6 *)(const void *)a->ifa_netmask)->sin6_addr.s6_addr;
    }
    for (size_t i = 0; i < uet_ip_len(ip); i++)
        same &= ((net[i] ^ ip->bytes[i]) & mask[i]) == 0;
    return same;
}

/* Of the interface that has the address, at most what a frame has room for. */
static uint32_t mtu_of(const struct udp_port *u)
{
    const uint32_t most = UET_FRAME_MAX - UET_ETHER_HEADER;
    struct ifreq req = {0};
    struct ifaddrs *list;
    bool found = false;

    if (getifaddrs(&list))
        return most;
    for (const struct ifaddrs *a = list; a && !found; a = a->ifa_next) {
        found = holds(a, &u->address) && (u->scope == 0 || if_nametoindex(a->ifa_name) == u->scope);
        if (found)
            snprintf(req.ifr_name, sizeof(req.ifr_name), "%s", a->ifa_name);
    }
    freeifaddrs(list);
    if (!found || ioctl(u->fd, SIOCGIFMTU, &req) || (uint32_t)req.ifr_mtu > most)
        return most;
    return (uint32_t)req.ifr_mtu;
}

/* ---- the port ---- */

static void udp_close(struct uet_port *port)
{
    struct udp_port *u = udp_of(port);

    for (size_t i = 0; i < UDP_PATHS; i++)
        if (u->paths[i].used && u->paths[i].fd >= 0)
            close(u->paths[i].fd);
    if (u->fd >= 0)
        close(u->fd);
    free(u->slots);
    free(u);
}

static const struct uet_port_ops ops = {
    .send = udp_send,
    .receive = udp_receive,
    .wait = udp_wait,
    .now = udp_now,
    .close = udp_close,
};

static int find_shown(struct udp_port *u, bool second)
{
    union udp_address name = {0};
    socklen_t len = sizeof(name);

    u->shown = u->address;
    u->own_port = u->uet_port;
    if (!second)
        return 0;
    if (getsockname(u->fd, &name.any, &len))
        return -errno;
    /* The port stands in the same place in both. */
    u->own_port = ntohs(name.v4.sin_port);
    u->shown = udp_stand_in(u->address.version, u->own_port);
    return 0;
}

static int bind_main(struct udp_port *u, const struct uet_udp_config *config, char *err,
                     size_t errlen)
{
    char text[UET_IP_TEXT];

    uet_ip_text(&u->address, text);
    u->fd = udp_socket(&u->address, u->scope, config->second ? 0 : u->uet_port);
    if (u->fd >= 0)
        return find_shown(u, config->second);
    if (errno == EADDRINUSE)
        return fail(err, errlen, EADDRINUSE,
                    "another program has UDP port %u of %s, where answers come: end it, or take "
                    "another address of this host",
                    u->uet_port, text);
    if (errno == EADDRNOTAVAIL)
        return fail(err, errlen, EADDRNOTAVAIL,
                    "this host has no address %s: over UDP give one that it has (`ip address`)",
                    text);
    if (errno == EINVAL)
        return fail(err, errlen, EINVAL,
                    "%s is a link-local address: say of which interface, %s%%IF", text, text);
    return fail(err, errlen, errno, "no UDP socket on %s: %s", text, strerror(errno));
}

int uet_udp_open(struct uet_port **out, const struct uet_udp_config *config, char *err,
                 size_t errlen)
{
    struct udp_port *u = calloc(1, sizeof(*u));
    int rc;

    if (!u)
        return fail(err, errlen, ENOMEM, "out of memory");
    u->port = (struct uet_port){.ops = &ops, .caps = uet_udp_caps()};
    u->address = config->address;
    u->scope = config->scope;
    u->protect = config->protect;
    u->crc_order = config->crc_order;
    u->uet_port = config->port ? config->port : UET_UDP_PORT;
    rc = bind_main(u, config, err, errlen);
    if (rc == 0) {
        u->port.mtu = mtu_of(u);
        u->slot_size = UDP_ROOM + u->port.mtu;
        u->slots = malloc(UDP_BATCH * u->slot_size);
        if (!u->slots)
            rc = fail(err, errlen, ENOMEM, "out of memory");
    }
    if (rc)
        udp_close(&u->port);
    else
        *out = &u->port;
    return rc;
}

void uet_udp_protect(struct uet_port *port, uint8_t protect, uint8_t crc_order)
{
    udp_of(port)->protect = protect;
    udp_of(port)->crc_order = crc_order;
}

struct uet_ip uet_udp_address(const struct uet_port *port)
{
    return ((const struct udp_port *)port)->shown;
}

void uet_udp_stats(struct uet_port *port, struct uet_udp_stats *stats)
{
    struct udp_port *u = udp_of(port);

    udp_take_errors(u, u->fd);
    for (size_t i = 0; i < UDP_PATHS; i++)
        if (u->paths[i].used && u->paths[i].fd >= 0)
            udp_take_errors(u, u->paths[i].fd);
    *stats = u->stats;
}

/* ---- our own address ---- */

static bool free_here(const struct uet_ip *ip)
{
    int fd = udp_socket(ip, 0, UET_UDP_PORT);

    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

/* Another one of 127.0.0.0/8 on which UET's port is free. */
static int pick_loopback(const struct uet_ip *to, struct uet_ip *own)
{
    *own = (struct uet_ip){.version = 4, .bytes = {127, 0, 0, 2}};
    while (own->bytes[3] < LAST_NEIGHBOUR && (uet_ip_equal(own, to) || !free_here(own)))
        own->bytes[3]++;
    return 0;
}

int uet_udp_source(const struct uet_ip *to, unsigned scope, struct uet_ip *own)
{
    union udp_address name;
    socklen_t len = udp_name(&name, to, scope, UET_UDP_PORT);
    int fd, rc = 0;

    if (to->version == 4 && to->bytes[0] == 127)
        return pick_loopback(to, own);
    fd = socket(name.any.sa_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -errno;
    if (connect(fd, &name.any, len) || getsockname(fd, &name.any, &len))
        rc = -errno;
    close(fd);
    *own = (struct uet_ip){.version = to->version};
    if (to->version == 4)
        memcpy(own->bytes, &name.v4.sin_addr, 4);
    else
        memcpy(own->bytes, &name.v6.sin6_addr, 16);
    return rc;
}
