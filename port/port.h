/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Ports: where Ethernet frames come from and go to, and the time.
 *
 * A port sends a batch, receives a batch until a deadline, tells the time, and names what it
 * cannot do. Everything above (reference FEP host, harness, tools) knows only this interface.
 * A port is used by one thread at a time.
 */
#ifndef UET_PORT_PORT_H
#define UET_PORT_PORT_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "wire/addr.h"

/* What a port can do. A test that needs a missing one is `skip (port)`, never failed. */
enum uet_port_cap {
    UET_PORT_RAW_IP = 1u << 0,       /* any IP header, any protocol number */
    UET_PORT_TRIM = 1u << 1,         /* IP packets whose UDP length lies (trimmed packets) */
    UET_PORT_SOURCE = 1u << 2,       /* more than one source address */
    UET_PORT_ENTROPY = 1u << 3,      /* the UDP source port of a frame is free, and is seen */
    UET_PORT_ECN = 1u << 4,          /* the IP ECN bits are free, and are seen */
    UET_PORT_VIRTUAL_TIME = 1u << 5, /* waiting costs no real time and nothing is ever late */
};

/* One Ethernet frame without FCS. */
struct uet_frame {
    uint8_t *data;    /* first byte of the destination MAC address */
    uint32_t len;     /* bytes */
    uint64_t time_ns; /* when it was received, on the port's clock; ignored on send */
};

/* What to wait for with poll(2), together with whatever else a program waits for. */
struct uet_port_wait {
    int fd;               /* readable when frames may be there; -1: none can come now */
    uint64_t deadline_ns; /* receive by then, since the port has work to do; UINT64_MAX: never */
};

struct uet_port;

struct uet_port_ops {
    int (*send)(struct uet_port *port, const struct uet_frame *frames, size_t n);
    int (*receive)(struct uet_port *port, struct uet_frame *frames, size_t max,
                   uint64_t deadline_ns);
    int (*wait)(struct uet_port *port, struct uet_port_wait *wait); /* NULL: nothing to wait on */
    uint64_t (*now)(struct uet_port *port);
    int (*resolve)(struct uet_port *port, const struct uet_ip *ip, uint64_t deadline_ns);
    int (*own)(struct uet_port *port, const struct uet_ip *ip); /* NULL: nothing to do */
    int (*check)(struct uet_port *port);
    void (*close)(struct uet_port *port);
};

/* Every kind of port starts with this. */
struct uet_port {
    const struct uet_port_ops *ops;
    uint32_t caps; /* enum uet_port_cap */
    uint32_t mtu;  /* largest IP packet in bytes */
};

/*
 * Sends n frames, in order. The frames stay the caller's; the port may rewrite their two MAC
 * addresses (it knows the neighbours, the caller does not). Returns how many were taken: fewer
 * than n when the port is full or meets a frame it cannot take. A negative errno when nothing was
 * taken: -EMSGSIZE, the first frame is longer than mtu allows (or no Ethernet frame at all);
 * anything else, the port is broken (-ENODEV: the interface is gone).
 */
static inline int uet_port_send(struct uet_port *port, const struct uet_frame *frames, size_t n)
{
    return port->ops->send(port, frames, n);
}

/*
 * Receives up to max frames; waits for the first one until deadline_ns of the port's clock (a
 * deadline in the past only polls). UINT64_MAX waits for ever. Returns the number of frames, 0 at
 * the deadline, a negative errno when the port is broken (-ENODEV: the interface is gone;
 * -ESHUTDOWN: end of a capture), or -EINTR when a signal handler ran. The bytes belong to the port
 * and are good until the next call of receive or close.
 */
static inline int uet_port_receive(struct uet_port *port, struct uet_frame *frames, size_t max,
                                   uint64_t deadline_ns)
{
    return port->ops->receive(port, frames, max, deadline_ns);
}

/*
 * What to wait for before the next receive, which then only polls (deadline_ns 0). Ask anew before
 * each wait: the descriptor is another one when the interface was made anew. While a broken port
 * waits for its link fd is -1; uet_port_check tells when that is back. 0, or -ENOTSUP: a port in
 * virtual time, or a file, has no descriptor.
 */
static inline int uet_port_wait(struct uet_port *port, struct uet_port_wait *wait)
{
    return port->ops->wait ? port->ops->wait(port, wait) : -ENOTSUP;
}

/* The port's clock in nanoseconds: monotonic; its zero means nothing. */
static inline uint64_t uet_port_now(struct uet_port *port)
{
    return port->ops->now(port);
}

/*
 * What to add to times of the port's clock for nanoseconds since 1970, as a switch's log has them;
 * 0 for virtual time, where only the differences mean something.
 */
static inline uint64_t uet_port_epoch_ns(struct uet_port *port)
{
    struct timespec now;

    if (port->caps & UET_PORT_VIRTUAL_TIME)
        return 0;
    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec - uet_port_now(port);
}

/* Makes sure that frames to ip can leave (ARP, ND). 0, or -EHOSTUNREACH at the deadline. */
static inline int uet_port_resolve(struct uet_port *port, const struct uet_ip *ip,
                                   uint64_t deadline_ns)
{
    return port->ops->resolve ? port->ops->resolve(port, ip, deadline_ns) : 0;
}

/*
 * From now on ip is one of the port's own, too: it is answered for, and what is sent there is
 * received. The caller has seen that nobody else has it (uet_port_resolve). 0; -EADDRINUSE another
 * program of this host has it, or the kernel; -ENOSPC the port owns as many as it can; others as
 * the system gave them.
 */
static inline int uet_port_own(struct uet_port *port, const struct uet_ip *ip)
{
    return port->ops->own ? port->ops->own(port, ip) : 0;
}

/*
 * Is the link there, and was it since the last call? 0; -ENODEV the interface is gone, -ENETDOWN it
 * is down, -ENOLINK it has no carrier, -EMSGSIZE its MTU is less than mtu; -ENETRESET it is there,
 * but was lost meanwhile.
 */
static inline int uet_port_check(struct uet_port *port)
{
    return port->ops->check ? port->ops->check(port) : 0;
}

/* Ends the port and frees it. NULL is allowed. */
static inline void uet_port_close(struct uet_port *port)
{
    if (port)
        port->ops->close(port);
}

#endif
