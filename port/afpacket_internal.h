/* SPDX-License-Identifier: BSD-2-Clause */
/* What the files of the AF_PACKET port share: its state. */
#ifndef UET_PORT_AFPACKET_INTERNAL_H
#define UET_PORT_AFPACKET_INTERNAL_H

#include <linux/if_packet.h>
#include <net/if.h>
#include <sys/socket.h>
#include <time.h>

#include "port/afpacket.h"
#include "port/ether.h"
#include "port/neighbour.h"
#include "port/queue.h"

enum {
    AF_BATCH = 64,     /* frames per system call */
    AF_PENDING = 32,   /* addresses being asked for at a time */
    AF_HELD = 64,      /* frames that wait for an answer */
    AF_HELD_EACH = 16, /* ... for that of one address: a quarter at most */
    AF_TRIES = 4,      /* questions before giving up */
    AF_BACKLOG = 256,
};

#define AF_RETRY_NS   250000000u   /* between two questions */
#define AF_REFRESH_NS 30000000000u /* age at which a known neighbour is asked again */

/* One question that nobody has answered yet. */
struct af_pending {
    struct uet_ip dst; /* version 0: free */
    struct uet_ip src;
    uint8_t tags[UET_ETHER_TAGS_MAX];
    uint32_t tags_len;
    uint32_t tries;
    uint64_t next_ns; /* when to ask again or give up */
};

struct af_held {
    uint8_t *data; /* slot_size bytes, taken at open */
    uint32_t len;
    struct uet_ip dst;
};

/* Room for what the kernel tells beside a frame. */
union af_control {
    struct cmsghdr align;
    uint8_t bytes[CMSG_SPACE(sizeof(struct timespec)) + CMSG_SPACE(sizeof(struct tpacket_auxdata))];
};

struct af_port {
    struct uet_port port; /* first: the caller holds a pointer to it */
    int fd;
    int ifindex;
    bool all, keep_macs, defended;
    uint32_t carrier_changes; /* as far as they were told */
    bool down;                /* the last call saw the interface down or gone */
    char ifname[IF_NAMESIZE];
    struct uet_ip addresses[UET_AFPACKET_ADDRESSES];
    int names[UET_AFPACKET_ADDRESSES]; /* sockets that hold them on this host; 0: none */
    struct uet_neigh neigh;
    struct uet_afpacket_stats stats;

    size_t slot_size;
    uint8_t *slots; /* AF_BATCH + 1 receive buffers: the last for resolve */
    union af_control controls[AF_BATCH + 1];
    struct iovec rx_iovs[AF_BATCH + 1];
    struct mmsghdr rx[AF_BATCH + 1];
    struct uet_queue backlog; /* for the caller, arrived while resolve waited */

    struct iovec tx_iovs[AF_BATCH];
    struct mmsghdr tx[AF_BATCH];
    struct af_pending pending[AF_PENDING];
    struct af_held held[AF_HELD]; /* the first n_held are in use, oldest first */
    size_t n_held;
};

static inline struct af_port *af_of(struct uet_port *port)
{
    return (struct af_port *)port;
}

/* CLOCK_MONOTONIC in nanoseconds. */
uint64_t af_now(struct uet_port *port);

/* -ENODEV and a note of it, when err says that the interface is down or gone; else -err. */
int af_failed(struct af_port *af, int err);

/* The operations of the port (afpacket_rx.c, afpacket_tx.c). */
int af_receive(struct uet_port *port, struct uet_frame *frames, size_t max, uint64_t deadline_ns);
int af_wait(struct uet_port *port, struct uet_port_wait *wait);
int af_resolve(struct uet_port *port, const struct uet_ip *ip, uint64_t deadline_ns);
int af_send(struct uet_port *port, const struct uet_frame *frames, size_t n);

/* Our addresses against others (afpacket_defend.c): 0, or -EADDRINUSE and a sentence in err. */
int af_defend(struct af_port *af, char *err, size_t errlen);
int af_take_name(struct af_port *af, size_t i, char *err, size_t errlen); /* against this host's */
void af_let_go(struct af_port *af);

/* The link (afpacket_link.c). af_check as uet_port_check. */
void af_link_note(struct af_port *af); /* what was before this is none of ours */
int af_check(struct uet_port *port);

/* 0; -ENODEV while the interface that was seen down is down or gone. A new one is opened. */
int af_check_up(struct af_port *af);

/* Opens the interface of the same name that has taken the place of the old one. 0 or -errno. */
int af_reopen(struct af_port *af, int ifindex);

/* Asks for dst unless that is under way; src is the asker. False: too many questions open. */
bool af_ask(struct af_port *af, const struct uet_ip *src, const struct uet_ip *dst,
            const uint8_t *tags, uint32_t tags_len, uint64_t now_ns);

/* Repeats the questions that are due, or gives them up with the frames that wait for them. */
void af_retry(struct af_port *af, uint64_t now_ns);

/* When af_retry has something to do; UINT64_MAX for never. */
uint64_t af_retry_ns(const struct af_port *af);

/* The question for ip is answered: sends the frames that were held for it. */
void af_release(struct af_port *af, const struct uet_ip *ip);

/* Sends one ARP or ND frame; a failure is counted. */
void af_send_own(struct af_port *af, const uint8_t *data, uint32_t len);

/* Our address of the given IP version; NULL when we have none. */
const struct uet_ip *af_own_address(const struct af_port *af, uint8_t version);

#endif
