/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A port on a Linux network interface (AF_PACKET).
 *
 * The port owns addresses that the kernel does not have (on one that it has, the kernel would
 * answer with ICMP unreachables in our name). It answers ARP and neighbour discovery for them with
 * uet_mac_of_ip, and finds the MAC addresses of others by the same two protocols. Both happen
 * inside send, receive and resolve: who never receives does not answer.
 *
 * Frames are read one by one with recvmmsg, not through a TPACKET_V3 ring, which keeps a frame
 * back until its block retires; VLAN tags that the interface took off are put back; time stamps
 * are the kernel's at reception, on CLOCK_MONOTONIC.
 */
#ifndef UET_PORT_AFPACKET_H
#define UET_PORT_AFPACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "port/port.h"

enum { UET_AFPACKET_ADDRESSES = 64 }; /* most addresses that one port owns */

struct uet_afpacket_neighbour {
    struct uet_ip ip;
    struct uet_mac mac;
};

struct uet_afpacket_config {
    const char *ifname;             /* for example "eth1" */
    const struct uet_ip *addresses; /* the port's own; copied */
    size_t n_addresses;             /* 1 to UET_AFPACKET_ADDRESSES; 0 only with all */
    const struct uet_afpacket_neighbour *neighbours; /* for devices that answer no ARP; copied */
    size_t n_neighbours;
    bool all;       /* hand up every frame seen, ARP and ND too, whoever it is for */
    bool defend;    /* 0.3 s at open: see that nobody else has one of the addresses */
    bool keep_macs; /* send frames with the MAC addresses they carry; never asks or holds */
};

struct uet_afpacket_stats {
    uint64_t received;      /* frames handed up */
    uint64_t foreign;       /* frames not for one of the owned addresses */
    uint64_t truncated;     /* frames longer than the MTU at open allowed: dropped */
    uint64_t missed;        /* frames that the kernel dropped: this program read too slowly */
    uint64_t backlog;       /* frames that came during resolve and found no room */
    uint64_t sent;          /* frames given to the interface */
    uint64_t refused;       /* times that it had no room for one: send then took fewer */
    uint64_t unresolved;    /* frames dropped: no answer to ARP or ND, or too many wait for one */
    uint64_t answered;      /* ARP and ND answers given */
    uint64_t answer_failed; /* ARP and ND frames that could not be sent */
};

/*
 * Opens the port. 0 and *out (closed by uet_port_close); or a negative errno and in err one
 * sentence that says what is wrong and how to mend it:
 * -EINVAL no or too many addresses, no interface named; -ENODEV no such interface; -ENETDOWN it is
 * down; -EPERM no CAP_NET_RAW; -EADDRINUSE the kernel has one of the addresses, or with defend
 * somebody else; -EPFNOSUPPORT not an Ethernet interface; -ENOPROTOOPT kernel before 4.20; others
 * as the system gave them.
 *
 * receive and send return -ENODEV while the interface is down or gone; they work again when it, or
 * a new one of the same name, is up. A frame to an address that is
 * not resolved yet counts as taken: a few are held until the answer, and dropped and counted
 * after 1 s without one.
 */
int uet_afpacket_open(struct uet_port **out, const struct uet_afpacket_config *cfg, char *err,
                      size_t errlen);

/* What a port with so many addresses can do (enum uet_port_cap), before it is opened. */
uint32_t uet_afpacket_caps(size_t n_addresses);

/* Reads the counters since open; never fails. */
void uet_afpacket_stats(struct uet_port *port, struct uet_afpacket_stats *stats);

#endif
