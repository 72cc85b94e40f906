/* SPDX-License-Identifier: BSD-2-Clause */
/* Sending on the UDP port: the headers of a frame become what the kernel is told. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "port/udp_internal.h"
#include "uet_spec.h"
#include "wire/build.h"

/* What a frame says. */
struct parts {
    struct uet_ip to;
    uint8_t tos, ttl;
    uint16_t entropy, port;
    uint8_t *payload;
    uint32_t len;
};

/* The offset of the UDP header and the bytes from there on, as IP has them; false: it is none. */
static bool find_udp(const struct uet_frame *f, const struct uet_ether *ether, struct parts *p,
                     uint32_t *at, uint32_t *len)
{
    const uint8_t *ip = f->data + ether->l3;
    uint32_t room = f->len - ether->l3;

    if (ether->type == UET_ETHER_IPV4) {
        if (room < UDP_IPV4 + UDP_HEADER || ip[0] != 0x45 || ip[9] != UET_IPPROTO_UDP ||
            uet_port_get16(ip + 2) > room || uet_port_get16(ip + 2) < UDP_IPV4 + UDP_HEADER)
            return false;
        p->tos = ip[1];
        p->ttl = ip[8];
        *at = ether->l3 + UDP_IPV4;
        *len = uet_port_get16(ip + 2) - (uint32_t)UDP_IPV4;
        return true;
    }
    if (room < UDP_IPV6 + UDP_HEADER || ip[6] != UET_IPPROTO_UDP ||
        uet_port_get16(ip + 4) > room - UDP_IPV6 || uet_port_get16(ip + 4) < UDP_HEADER)
        return false;
    p->tos = (uint8_t)(ip[0] << 4 | ip[1] >> 4);
    p->ttl = ip[7];
    *at = ether->l3 + UDP_IPV6;
    *len = uet_port_get16(ip + 4);
    return true;
}

/* False: a kernel's socket does not send such a frame. */
static bool take_apart(const struct udp_port *u, const struct uet_frame *f, struct parts *p)
{
    struct uet_ether ether;
    struct uet_ip from;
    uint32_t at, len;

    if (!uet_ether_parse(f->data, f->len, &ether) ||
        !uet_ether_ips(f->data, f->len, &ether, &from, &p->to) ||
        p->to.version != u->address.version || !uet_ip_equal(&from, &u->shown) ||
        !find_udp(f, &ether, p, &at, &len) || uet_port_get16(f->data + at + 4) != len)
        return false;
    p->entropy = uet_port_get16(f->data + at);
    p->port = uet_port_get16(f->data + at + 2);
    p->payload = f->data + at + UDP_HEADER;
    p->len = len - UDP_HEADER;
    if (udp_stands_for(&p->to)) {
        p->port = udp_stands_for(&p->to);
        p->to = u->address;
    }
    return true;
}

/* The socket whose port is the entropy value, or else the port's own. */
static int socket_of(struct udp_port *u, const struct parts *p)
{
    struct udp_path *oldest = u->paths;

    if (uet_ip_equal(&p->to, &u->address)) /* who answers must find us */
        return u->fd;
    u->uses++;
    for (size_t i = 0; i < UDP_PATHS; i++) {
        struct udp_path *path = &u->paths[i];

        if (path->used && path->entropy == p->entropy) {
            path->last = u->uses;
            return path->fd >= 0 ? path->fd : u->fd;
        }
        if (path->last < oldest->last)
            oldest = path;
    }
    if (oldest->used && oldest->fd >= 0) {
        udp_take_errors(u, oldest->fd);
        close(oldest->fd);
    }
    *oldest =
        (struct udp_path){.fd = p->entropy ? udp_socket(&u->address, u->scope, p->entropy) : -1,
                          .entropy = p->entropy,
                          .used = true,
                          .last = u->uses};
    return oldest->fd >= 0 ? oldest->fd : u->fd;
}

static void put_control(struct msghdr *msg, union udp_control *room, int level, int type, int value)
{
    struct cmsghdr *c = (void *)(room->bytes + msg->msg_controllen);

    c->cmsg_level = level;
    c->cmsg_type = type;
    c->cmsg_len = CMSG_LEN(sizeof(value));
    memcpy(CMSG_DATA(c), &value, sizeof(value));
    msg->msg_controllen += CMSG_SPACE(sizeof(value));
}

/* The frame has the UDP source port by which it leaves: its CRC covers that. */
static void set_source(const struct udp_port *u, const struct uet_frame *f, const struct parts *p,
                       uint16_t source)
{
    if (source == p->entropy)
        return;
    uet_port_put16(p->payload - UDP_HEADER, source);
    if (u->protect == UET_PROTECT_CRC)
        uet_refresh_as(f->data, f->len, UET_PROTECT_CRC, u->crc_order);
}

static void put_tx(struct udp_port *u, int at, const struct parts *p)
{
    const bool v4 = p->to.version == 4;
    struct msghdr *msg = &u->tx[at].msg_hdr;

    u->tx_iovs[at] = (struct iovec){.iov_base = p->payload, .iov_len = p->len};
    memset(&u->tx_controls[at], 0, sizeof(u->tx_controls[at]));
    *msg = (struct msghdr){.msg_name = &u->tx_names[at],
                           .msg_namelen = udp_name(&u->tx_names[at], &p->to, u->scope, p->port),
                           .msg_iov = &u->tx_iovs[at],
                           .msg_iovlen = 1,
                           .msg_control = u->tx_controls[at].bytes};
    put_control(msg, &u->tx_controls[at], v4 ? IPPROTO_IP : IPPROTO_IPV6, v4 ? IP_TOS : IPV6_TCLASS,
                p->tos);
    if (p->ttl)
        put_control(msg, &u->tx_controls[at], v4 ? IPPROTO_IP : IPPROTO_IPV6,
                    v4 ? IP_TTL : IPV6_HOPLIMIT, p->ttl);
}

/*
 * Gives the messages to the kernel. How many are over: sent, or lost for a reason that is counted;
 * fewer than count when the socket is full. A negative errno: broken.
 */
static int flush(struct udp_port *u, int fd, int count)
{
    int done = 0;
    bool again = false; /* an error may be that of a packet before: told once, and gone */

    while (done < count) {
        int n = sendmmsg(fd, u->tx + done, (unsigned)(count - done), MSG_DONTWAIT);
        int err = errno;

        if (n >= 0) {
            u->stats.sent += (unsigned)n;
            done += n;
            again = false;
        } else if (err == EAGAIN || err == ENOBUFS) {
            break;
        } else if (err != EINTR && !udp_take_error(u, fd, err)) {
            return done ? done : -err;
        } else if (err != EINTR) {
            if (again) { /* it is of this one: lost */
                u->stats.unreachable += err != EMSGSIZE;
                u->stats.too_long += err == EMSGSIZE;
                done++;
            }
            again = !again;
        }
    }
    return done;
}

static bool fits(const struct udp_port *u, const struct uet_frame *f)
{
    return f->len >= UET_ETHER_HEADER && f->len - UET_ETHER_HEADER <= u->port.mtu;
}

/* Prepares the frames at the front, at most n, that go by this socket; how many. */
static int gather(struct udp_port *u, const struct uet_frame *frames, size_t n, int fd)
{
    struct parts p;
    int count = 0;

    while (count < UDP_BATCH && (size_t)count < n && fits(u, &frames[count]) &&
           take_apart(u, &frames[count], &p) && socket_of(u, &p) == fd) {
        set_source(u, &frames[count], &p, fd == u->fd ? u->own_port : p.entropy);
        put_tx(u, count++, &p);
    }
    return count;
}

int udp_send(struct uet_port *port, const struct uet_frame *frames, size_t n)
{
    struct udp_port *u = udp_of(port);
    struct parts p;
    size_t i = 0;

    while (i < n && fits(u, &frames[i])) {
        int fd, count, done;

        if (!take_apart(u, &frames[i], &p)) {
            u->stats.unsendable++;
            i++;
            continue;
        }
        fd = socket_of(u, &p);
        count = gather(u, frames + i, n - i, fd);
        done = flush(u, fd, count);
        if (done < 0)
            return i ? (int)i : done;
        i += (size_t)done;
        if (done < count)
            break;
    }
    return i == 0 && n > 0 && !fits(u, &frames[0]) ? -EMSGSIZE : (int)i;
}
