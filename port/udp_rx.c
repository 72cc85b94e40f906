/* SPDX-License-Identifier: BSD-2-Clause */
/* Receiving on the UDP port: the headers that the kernel took off are made again. */
#include <errno.h>
#include <poll.h>
#include <string.h>

#include "port/udp_internal.h"
#include "uet_spec.h"
#include "wire/inet.h"

/* What the kernel told beside a packet. */
struct beside {
    uint8_t tos, ttl;
};

static struct beside beside_of(struct udp_port *u, struct msghdr *msg)
{
    struct beside b = {.tos = 0, .ttl = 64};

    for (struct cmsghdr *c = CMSG_FIRSTHDR(msg); c; c = CMSG_NXTHDR(msg, c)) {
        int value = 0;
        uint32_t dropped;

        memcpy(&value, CMSG_DATA(c), c->cmsg_len == CMSG_LEN(1) ? 1 : sizeof(value));
        if (c->cmsg_level == IPPROTO_IP && c->cmsg_type == IP_TOS) {
            b.tos = *CMSG_DATA(c); /* one byte */
        } else if (c->cmsg_level == IPPROTO_IPV6 && c->cmsg_type == IPV6_TCLASS) {
            b.tos = (uint8_t)value;
        } else if ((c->cmsg_level == IPPROTO_IP && c->cmsg_type == IP_TTL) ||
                   (c->cmsg_level == IPPROTO_IPV6 && c->cmsg_type == IPV6_HOPLIMIT)) {
            b.ttl = (uint8_t)value;
        } else if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SO_RXQ_OVFL) {
            memcpy(&dropped, CMSG_DATA(c), sizeof(dropped));
            u->stats.missed += dropped - u->dropped;
            u->dropped = dropped;
        }
    }
    return b;
}

static void put_ipv4(uint8_t *ip, const struct uet_ip *from, const struct uet_ip *to,
                     struct beside b, uint32_t udp_len)
{
    memset(ip, 0, UDP_IPV4);
    ip[0] = 0x45;
    ip[1] = b.tos;
    uet_port_put16(ip + 2, UDP_IPV4 + udp_len);
    ip[6] = 0x40; /* DF */
    ip[8] = b.ttl;
    ip[9] = UET_IPPROTO_UDP;
    memcpy(ip + 12, from->bytes, 4);
    memcpy(ip + 16, to->bytes, 4);
    uet_port_put16(ip + 10, uet_ipv4_checksum(ip, UDP_IPV4));
}

static void put_ipv6(uint8_t *ip, const struct uet_ip *from, const struct uet_ip *to,
                     struct beside b, uint32_t udp_len)
{
    memset(ip, 0, UDP_IPV6);
    ip[0] = (uint8_t)(0x60 | b.tos >> 4);
    ip[1] = (uint8_t)(b.tos << 4);
    uet_port_put16(ip + 4, udp_len);
    ip[6] = UET_IPPROTO_UDP;
    ip[7] = b.ttl;
    memcpy(ip + 8, from->bytes, 16);
    memcpy(ip + 24, to->bytes, 16);
}

/* From whom it came, and his port. */
static uint16_t sender(const union udp_address *name, struct uet_ip *from)
{
    if (name->any.sa_family == AF_INET) {
        *from = (struct uet_ip){.version = 4};
        memcpy(from->bytes, &name->v4.sin_addr, 4);
        return ntohs(name->v4.sin_port);
    }
    *from = (struct uet_ip){.version = 6};
    memcpy(from->bytes, &name->v6.sin6_addr, 16);
    return ntohs(name->v6.sin6_port);
}

/* The frame of one received packet, whose payload stands UDP_ROOM behind the start of its slot. */
static struct uet_frame frame_of(struct udp_port *u, size_t i, uint64_t now_ns)
{
    const bool v4 = u->address.version == 4;
    uint8_t *payload = u->slots + i * u->slot_size + UDP_ROOM;
    uint8_t *udp = payload - UDP_HEADER, *ip = udp - (v4 ? UDP_IPV4 : UDP_IPV6);
    uint8_t *eth = ip - UET_ETHER_HEADER;
    uint32_t udp_len = UDP_HEADER + u->rx[i].msg_len;
    struct beside b = beside_of(u, &u->rx[i].msg_hdr);
    struct uet_ip from;
    uint16_t port = sender(&u->rx_names[i], &from);

    if (uet_ip_equal(&from, &u->address) && port != u->uet_port)
        from = udp_stand_in(from.version, port);
    uet_mac_put(eth, &u->shown);
    uet_mac_put(eth + 6, &from);
    uet_port_put16(eth + 12, v4 ? UET_ETHER_IPV4 : UET_ETHER_IPV6);
    (v4 ? put_ipv4 : put_ipv6)(ip, &from, &u->shown, b, udp_len);
    uet_port_put16(udp, port);
    uet_port_put16(udp + 2, u->uet_port);
    uet_port_put16(udp + 4, udp_len);
    uet_port_put16(udp + 6, 0); /* the kernel has checked it */
    return (struct uet_frame){
        .data = eth, .len = (uint32_t)(payload - eth) + u->rx[i].msg_len, .time_ns = now_ns};
}

/* How many frames were there; 0, or a negative errno. */
static int read_batch(struct udp_port *u, struct uet_frame *frames, size_t max)
{
    int n = 0, count;
    uint64_t now_ns;

    for (size_t i = 0; i < max; i++) {
        u->rx_iovs[i].iov_base = u->slots + i * u->slot_size + UDP_ROOM;
        u->rx_iovs[i].iov_len = u->slot_size - UDP_ROOM;
        u->rx[i].msg_hdr = (struct msghdr){.msg_name = &u->rx_names[i],
                                           .msg_namelen = sizeof(u->rx_names[i]),
                                           .msg_iov = &u->rx_iovs[i],
                                           .msg_iovlen = 1,
                                           .msg_control = u->rx_controls[i].bytes,
                                           .msg_controllen = sizeof(u->rx_controls[i].bytes)};
    }
    count = recvmmsg(u->fd, u->rx, (unsigned)max, MSG_DONTWAIT, NULL);
    if (count < 0 && errno != EAGAIN && errno != EINTR && !udp_take_error(u, u->fd, errno))
        return -errno;
    now_ns = udp_now(&u->port);
    for (int i = 0; i < count; i++) {
        if (u->rx[i].msg_hdr.msg_flags & MSG_TRUNC)
            u->stats.truncated++;
        else
            frames[n++] = frame_of(u, (size_t)i, now_ns);
    }
    u->stats.received += (unsigned)n;
    return n;
}

/* Until there is a packet, an error or the deadline. 0, or -EINTR. */
static int wait_until(struct udp_port *u, uint64_t deadline_ns, uint64_t now_ns)
{
    uint64_t wait_ns = deadline_ns - now_ns;
    struct timespec timeout = {.tv_sec = (time_t)(wait_ns / 1000000000u),
                               .tv_nsec = (long)(wait_ns % 1000000000u)};
    struct pollfd poll_fd = {.fd = u->fd, .events = POLLIN};

    if (ppoll(&poll_fd, 1, deadline_ns == UINT64_MAX ? NULL : &timeout, NULL) < 0)
        return -errno;
    if (poll_fd.revents & POLLERR)
        udp_take_errors(u, u->fd);
    return 0;
}

int udp_receive(struct uet_port *port, struct uet_frame *frames, size_t max, uint64_t deadline_ns)
{
    struct udp_port *u = udp_of(port);

    if (max > UDP_BATCH)
        max = UDP_BATCH;
    while (max > 0) {
        uint64_t now_ns;
        int n = read_batch(u, frames, max);

        if (n)
            return n;
        now_ns = udp_now(port);
        if (now_ns >= deadline_ns)
            break;
        n = wait_until(u, deadline_ns, now_ns);
        if (n)
            return n;
    }
    return 0;
}

int udp_wait(struct uet_port *port, struct uet_port_wait *wait)
{
    *wait = (struct uet_port_wait){.fd = udp_of(port)->fd, .deadline_ns = UINT64_MAX};
    return 0;
}
