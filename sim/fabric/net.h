/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reference FEPs at the hosts of a fat tree, and flows of writes between them. Lines are of one
 * rate; switches do as 3.6.17 wants: CE marks from 0.2 to 0.8 of Plane_BDP, trims at one.
 */
#ifndef UET_SIM_FABRIC_NET_H
#define UET_SIM_FABRIC_NET_H

#include "refimpl/usage.h"
#include "sim/fabric/tree.h"

enum net_cc { NET_NSCC, NET_RCCC, NET_BOTH, NET_CCS };
extern const char *const net_cc_names[NET_CCS];

/* Of a Probe over the top of the tree and of its ACK: what a FEP finds without queues (3.6.13.7).
 */
#define NET_BASE_RTT_NS 12000u
#define NET_MTU         4096u
#define NET_ENDLESS     0u
/*
 * Of the lossless pair: what of a class a buffer at the end of a line must hold for a full line: a
 * packet, and what comes in its time and the latencies there and back, in whole packets (12.5 bytes
 * a nanosecond, some 3320 ns). And answers that a host has room for.
 */
#define NET_CREDIT_BYTES 49152u
#define NET_ANSWER_ROOM  8u
#define NET_WHEN_TOLD    UINT64_MAX

struct net_flow {
    uint16_t from, to;
    uint8_t mode;      /* enum uet_mode */
    uint32_t message;  /* bytes of each write */
    uint32_t count;    /* of them, or NET_ENDLESS */
    uint32_t at_once;  /* of them under way */
    uint64_t start_ns; /* NET_WHEN_TOLD: not before net_begin */
};

/* A parameter of every FEP. */
enum { NET_PARAMS = 8 };
struct net_param {
    const char *name;
    uint64_t value;
};

struct net_wish {
    uint16_t radix, over, hosts; /* as in struct tree_wish */
    uint8_t levels;
    uint32_t mbits; /* of every line */
    uint8_t cc;     /* enum net_cc */
    uint8_t lb;     /* the parameter LB */
    uint16_t evs;   /* the parameter EV_Slots; 1: every packet of a PDC takes one way */
    uint64_t seed;
    void (*tune)(struct uet_fep_params *params); /* of every FEP, what is not as usual; or NULL */
    const struct net_param *params;              /* NET_PARAMS of them, after tune; or NULL */
    uint16_t max_packets;                        /* of every FEP; 0: as many as its flows need */
    uint16_t mtu;                                /* of every FEP; 0: NET_MTU */
    const struct net_flow *flows;                /* used until net_free */
    uint32_t n_flows;
    /* Hosts whose packets are of the lossless pair, all others best effort; NULL: nobody's. */
    bool (*lossless)(void *ctx, uint16_t host);
    bool one_class;                          /* answers in the class of the requests */
    uint32_t credit_bytes;                   /* of such a buffer */
    uint32_t answer_room;                    /* of such a host; 0: NET_ANSWER_ROOM */
    const struct uet_fabric_turns *turns;    /* on every line; NULL: as usual */
    void (*ended)(void *ctx, uint32_t flow); /* it has; NULL: nobody wants to know */
    void *ctx;
};

/* The parameters of every FEP: those that the wish names, and what else a net is made with. */
void net_params(const struct net_wish *wish, struct uet_fep_params *params);

/* What has come of a flow. */
struct net_done {
    uint32_t begun, ended, failed;
    uint64_t first_ns, last_ns; /* when the first began; when the newest of them ended */
};

struct net;

/* 0; -EINVAL: no such tree, or a flow between hosts that it has not; -ENOMEM. */
int net_new(struct net **out, const struct net_wish *wish);
void net_free(struct net *net); /* NULL is allowed */

/* Of a flow that begins when told: now. Not from net_wish's ended. */
void net_begin(struct net *net, uint32_t flow);
/* Goes on until then, or until nothing is left to do, or until there is a deadlock. */
void net_run(struct net *net, uint64_t until_ns);
/* Every flow has ended; never with endless ones. */
bool net_over(const struct net *net);
const struct net_done *net_done(const struct net *net, uint32_t flow);
/* Nominal bytes of the flow that have arrived. Of one flow between these two hosts. */
uint64_t net_rcvd(const struct net *net, uint32_t flow);

/* Of the flow's source: its window, credit, and what it holds for the base RTT. */
struct uet_fep_congestion net_congestion(const struct net *net, uint32_t flow);

/* Of the lossless pair, as uet_fabric_deadlock: looked for after each microsecond. */
size_t net_deadlock(const struct net *net, struct uet_fabric_stuck *circle, size_t cap);
/* The most bytes of a lossless class that a buffer at the end of a line has held. */
uint32_t net_fullest(const struct net *net);

const struct tree *net_tree(const struct net *net);
struct uet_fabric *net_fabric(struct net *net);
/* Of all that was delivered: which bytes to whom, and when. The same again from the same seed. */
uint64_t net_digest(const struct net *net);
uint64_t net_fep_bytes(const struct net *net); /* of all FEPs */
uint64_t net_resent(const struct net *net);    /* packets, by all of them */

#endif
