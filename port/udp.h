/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A port on a UDP socket of the kernel: UET over UDP without any right, from an address that this
 * host has.
 *
 * The port makes Ethernet, IP and UDP headers for what comes, and takes them off what goes: those
 * above it see frames, as everywhere. DSCP, ECN and TTL of a frame are kept in both directions. Its
 * UDP source port, the entropy value, is kept where it can be: not below 1024, nor where another
 * program has it; then it becomes the port's own, in the frame given, too, and its CRC is made
 * anew. The UDP checksum is 0: what comes with another one, and a CRC over it, has a wrong CRC. The
 * rest of IP is the kernel's, which may not be asked for another protocol, another source address,
 * or a wrong length (uet_udp_caps).
 *
 * UET's answers go to the UDP port of UET (NET-031), not back to the source port. So one program at
 * a time has an address. Another one on the same address, as on ::1, has any other UDP port, and is
 * called by that: towards those above both ports it has the address 240.0.x.y, or 100::xxyy, where
 * xxyy is its UDP port (both networks are nobody's: RFC 1112, RFC 6666).
 */
#ifndef UET_PORT_UDP_H
#define UET_PORT_UDP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "port/port.h"

struct uet_udp_config {
    struct uet_ip address; /* our own; the kernel has it */
    unsigned scope;        /* index of the interface of link-local addresses; 0: there are none */
    uint16_t port;         /* the UDP port of UET; 0 stands for 4793 */
    uint8_t protect;       /* enum uet_protect: do the frames sent end in a CRC? */
    uint8_t crc_order;     /* ... enum uet_crc_order of it */
    bool second;           /* another program has the address, and is spoken to */
};

struct uet_udp_stats {
    uint64_t received, sent;
    uint64_t missed;      /* dropped by the kernel: this program read too slowly */
    uint64_t truncated;   /* longer than the MTU allows: dropped */
    uint64_t refused;     /* told by ICMP: nobody listens on that UDP port */
    uint64_t unreachable; /* no way there, told by ICMP or by this host */
    uint64_t too_long;    /* longer than the path carries: lost */
    uint64_t unsendable;  /* frames that are no UDP, or whose lengths lie: lost */
};

/*
 * Opens the port. 0 and *out (closed by uet_port_close); or a negative errno and in err one
 * sentence that says what is wrong and how to mend it: -EADDRINUSE another program has the UDP
 * port; -EADDRNOTAVAIL the host has no such address; others as the system gave them.
 */
int uet_udp_open(struct uet_port **out, const struct uet_udp_config *config, char *err,
                 size_t errlen);

/* What such a port can do (enum uet_port_cap), before it is opened. */
uint32_t uet_udp_caps(void);

/* From now on the frames sent end in such a CRC, or in none (enum uet_protect, uet_crc_order). */
void uet_udp_protect(struct uet_port *port, uint8_t protect, uint8_t crc_order);

/* The address of those above the port: ours, or with `second` the one that stands for our port. */
struct uet_ip uet_udp_address(const struct uet_port *port);

/* Reads the counters since open, and what ICMP has told meanwhile; never fails. */
void uet_udp_stats(struct uet_port *port, struct uet_udp_stats *stats);

/*
 * The address from which the kernel would speak to another one, into *own: on the loopback network
 * 127.0.0.0/8 one of that on which nobody else has UET's port. It is `to` itself when that is an
 * address of this host with no other beside it (open with `second` then). 0, or a negative errno:
 * there is no way.
 */
int uet_udp_source(const struct uet_ip *to, unsigned scope, struct uet_ip *own);

#endif
