/* SPDX-License-Identifier: BSD-2-Clause */
/* What the files of the UDP port share: its state. */
#ifndef UET_PORT_UDP_INTERNAL_H
#define UET_PORT_UDP_INTERNAL_H

#include <netinet/in.h>
#include <sys/socket.h>

#include "port/ether.h"
#include "port/udp.h"

enum {
    UDP_BATCH = 64, /* packets per system call */
    UDP_PATHS = 64, /* sockets for entropy values */
    UDP_HEADER = 8,
    UDP_IPV4 = 20,
    UDP_IPV6 = 40,
    UDP_ROOM = UET_ETHER_HEADER + UDP_IPV6 + UDP_HEADER, /* in front of a payload */
};

/* Room for what is told beside a packet: TOS, TTL, packets dropped. */
union udp_control {
    struct cmsghdr align;
    uint8_t bytes[3 * CMSG_SPACE(sizeof(int))];
};

union udp_address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
};

/* A socket that sends from the UDP port which is the entropy value. */
struct udp_path {
    int fd; /* -1: that port cannot be had */
    uint16_t entropy;
    bool used;
    uint64_t last; /* use, by `uses` of the port */
};

struct udp_port {
    struct uet_port port; /* first: the caller holds a pointer to it */
    int fd;
    struct uet_ip address; /* the kernel's */
    struct uet_ip shown;   /* of those above */
    unsigned scope;
    uint16_t uet_port; /* of UET: 4793 */
    uint16_t own_port; /* of fd: the same, or another of a second one */
    uint8_t protect, crc_order;
    uint32_t dropped; /* as the kernel has counted so far */
    uint64_t uses;
    struct uet_udp_stats stats;
    struct udp_path paths[UDP_PATHS];

    size_t slot_size;
    uint8_t *slots;
    struct mmsghdr rx[UDP_BATCH], tx[UDP_BATCH];
    struct iovec rx_iovs[UDP_BATCH], tx_iovs[UDP_BATCH];
    union udp_address rx_names[UDP_BATCH], tx_names[UDP_BATCH];
    union udp_control rx_controls[UDP_BATCH], tx_controls[UDP_BATCH];
};

static inline struct udp_port *udp_of(struct uet_port *port)
{
    return (struct udp_port *)port;
}

/* ---- udp_socket.c ---- */

uint64_t udp_now(struct uet_port *port);

/* An address and a port as the kernel has them; how many bytes of it. */
socklen_t udp_name(union udp_address *name, const struct uet_ip *ip, unsigned scope, uint16_t port);

/* The address that stands for another program with that UDP port on our address; and the way back:
 * its port, 0 when the address stands for nobody. */
struct uet_ip udp_stand_in(uint8_t version, uint16_t port);
uint16_t udp_stands_for(const struct uet_ip *ip);

/* A socket bound to them; -1 and errno. It tells TOS, TTL and ICMP errors. */
int udp_socket(const struct uet_ip *ip, unsigned scope, uint16_t port);

/* Takes what ICMP has told of this socket. */
void udp_take_errors(struct udp_port *u, int fd);

/* The same of an error that a call gave: false when it means that the port is broken. */
bool udp_take_error(struct udp_port *u, int fd, int error);

/* ---- udp_rx.c, udp_tx.c: the operations of port.h ---- */

int udp_receive(struct uet_port *port, struct uet_frame *frames, size_t max, uint64_t deadline_ns);
int udp_wait(struct uet_port *port, struct uet_port_wait *wait);
int udp_send(struct uet_port *port, const struct uet_frame *frames, size_t n);

#endif
