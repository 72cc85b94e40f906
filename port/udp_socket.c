/* SPDX-License-Identifier: BSD-2-Clause */
/* The sockets of the UDP port, and what they tell of errors. */
#include <errno.h>
#include <netinet/udp.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <linux/errqueue.h> /* which needs struct timespec */

#include "port/udp_internal.h"

enum { SOCKET_BUFFER = 16 << 20 };

uint64_t udp_now(struct uet_port *port)
{
    struct timespec ts;

    (void)port;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

static bool link_local(const struct uet_ip *ip)
{
    return ip->version == 6 && ip->bytes[0] == 0xfe && (ip->bytes[1] & 0xc0) == 0x80;
}

socklen_t udp_name(union udp_address *name, const struct uet_ip *ip, unsigned scope, uint16_t port)
{
    *name = (union udp_address){0};
    if (ip->version == 4) {
        name->v4.sin_family = AF_INET;
        name->v4.sin_port = htons(port);
        memcpy(&name->v4.sin_addr, ip->bytes, 4);
        return sizeof(name->v4);
    }
    name->v6.sin6_family = AF_INET6;
    name->v6.sin6_port = htons(port);
    name->v6.sin6_scope_id = link_local(ip) ? scope : 0;
    memcpy(&name->v6.sin6_addr, ip->bytes, 16);
    return sizeof(name->v6);
}

/* Up to the port, which is their last two bytes. */
static const struct uet_ip stand_ins[2] = {{.version = 4, .bytes = {240}},
                                           {.version = 6, .bytes = {1}}};

struct uet_ip udp_stand_in(uint8_t version, uint16_t port)
{
    struct uet_ip ip = stand_ins[version == 6];

    uet_port_put16(ip.bytes + uet_ip_len(&ip) - 2, port);
    return ip;
}

uint16_t udp_stands_for(const struct uet_ip *ip)
{
    uint16_t port = uet_port_get16(ip->bytes + uet_ip_len(ip) - 2);
    struct uet_ip like = udp_stand_in(ip->version, port);

    return uet_ip_equal(ip, &like) ? port : 0;
}

static void set(int fd, int level, int option, int value)
{
    (void)setsockopt(fd, level, option, &value, sizeof(value));
}

/* What a kernel does not know of these it goes without: only what is told becomes less. */
static void set_options(int fd, uint8_t version)
{
    if (version == 4) {
        set(fd, IPPROTO_IP, IP_RECVTOS, 1);
        set(fd, IPPROTO_IP, IP_RECVTTL, 1);
        set(fd, IPPROTO_IP, IP_RECVERR, 1);
        set(fd, IPPROTO_IP, IP_MTU_DISCOVER, IP_PMTUDISC_DO); /* UET is never fragmented */
        set(fd, SOL_SOCKET, SO_NO_CHECK, 1); /* UET's CRC covers the UDP checksum: 0 */
    } else {
        set(fd, IPPROTO_IPV6, IPV6_RECVTCLASS, 1);
        set(fd, IPPROTO_IPV6, IPV6_RECVHOPLIMIT, 1);
        set(fd, IPPROTO_IPV6, IPV6_RECVERR, 1);
        set(fd, IPPROTO_IPV6, IPV6_MTU_DISCOVER, IPV6_PMTUDISC_DO);
        set(fd, IPPROTO_UDP, UDP_NO_CHECK6_TX, 1);
        set(fd, IPPROTO_UDP, UDP_NO_CHECK6_RX, 1);
    }
    set(fd, SOL_SOCKET, SO_RXQ_OVFL, 1);
    set(fd, SOL_SOCKET, SO_RCVBUF, SOCKET_BUFFER); /* as much as rmem_max lets it be */
    set(fd, SOL_SOCKET, SO_SNDBUF, SOCKET_BUFFER);
}

int udp_socket(const struct uet_ip *ip, unsigned scope, uint16_t port)
{
    union udp_address name;
    socklen_t len = udp_name(&name, ip, scope, port);
    int fd = socket(name.any.sa_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);

    if (fd < 0)
        return -1;
    set_options(fd, ip->version);
    if (bind(fd, &name.any, len)) {
        int err = errno;

        close(fd);
        errno = err;
        return -1;
    }
    return fd;
}

/* ---- errors ---- */

static void count(struct udp_port *u, int error)
{
    if (error == ECONNREFUSED)
        u->stats.refused++;
    else if (error == EMSGSIZE)
        u->stats.too_long++;
    else
        u->stats.unreachable++;
}

void udp_take_errors(struct udp_port *u, int fd)
{
    union {
        struct cmsghdr align;
        uint8_t bytes[512];
    } control;
    uint8_t packet[64]; /* what the error is about: not looked at */

    for (;;) {
        struct iovec iov = {.iov_base = packet, .iov_len = sizeof(packet)};
        struct msghdr msg = {.msg_iov = &iov,
                             .msg_iovlen = 1,
                             .msg_control = control.bytes,
                             .msg_controllen = sizeof(control.bytes)};

        if (recvmsg(fd, &msg, MSG_ERRQUEUE | MSG_DONTWAIT) < 0)
            return;
        for (struct cmsghdr *c = CMSG_FIRSTHDR(&msg); c; c = CMSG_NXTHDR(&msg, c)) {
            struct sock_extended_err error;

            if (!(c->cmsg_level == IPPROTO_IP && c->cmsg_type == IP_RECVERR) &&
                !(c->cmsg_level == IPPROTO_IPV6 && c->cmsg_type == IPV6_RECVERR))
                continue;
            memcpy(&error, CMSG_DATA(c), sizeof(error));
            if (error.ee_origin != SO_EE_ORIGIN_LOCAL) /* the call itself tells of that */
                count(u, (int)error.ee_errno);
        }
    }
}

bool udp_take_error(struct udp_port *u, int fd, int error)
{
    static const int known[] = {ECONNREFUSED, EHOSTUNREACH, ENETUNREACH, EMSGSIZE,
                                EHOSTDOWN,    EPROTO,       ENOPROTOOPT, EACCES,
                                EPERM,        ENETDOWN,     EOPNOTSUPP,  EINVAL};

    udp_take_errors(u, fd);
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        if (known[i] == error)
            return true;
    return false;
}
