/* SPDX-License-Identifier: BSD-2-Clause */
/* The relay without its sockets: frames and the time go in, frames come out when they are due. */
#ifndef UET_INTEROP_RELAY_RELAY_H
#define UET_INTEROP_RELAY_RELAY_H

#include "interop/relay/line.h"

/* Of the frames that came from one side. */
struct relay_counters {
    uint64_t frames, bytes;       /* that came */
    uint64_t uet;                 /* of them UET packets */
    uint64_t done[RELAY_KINDS];   /* what was done to them */
    uint64_t spared[RELAY_KINDS]; /* and could not be done */
    uint64_t sent, sent_bytes;    /* out at the other side, second copies too */
    uint64_t no_room;             /* lost by the relay itself: too many under way, no memory */
    uint64_t too_long;            /* lost: longer than the other side's MTU */
    uint64_t refused;             /* lost: the other interface had no room for RELAY_PATIENCE_NS */
    uint64_t left;                /* still under way at the end */
};

struct relay {
    struct relay_plan plan;
    uint64_t seed;
    struct uet_parse_options how; /* UDP port and IP protocol of UET */
    bool started;                 /* a UET packet was seen */
    uint64_t start_ns;
    struct relay_queues queues[RELAY_SIDES]; /* by the side that frames come from, as all below */
    struct relay_line lines[RELAY_SIDES];
    struct relay_counters counters[RELAY_SIDES];
};

/*
 * A frame has come from that side. Its bytes stay as they are: what is to leave is a copy, due
 * at now_ns or later. Returns what becomes of it.
 */
struct relay_fate relay_arrive(struct relay *relay, enum relay_side from, const uint8_t *data,
                               uint32_t len, uint64_t now_ns);

static inline enum relay_side relay_other(enum relay_side side)
{
    return side == RELAY_LEFT ? RELAY_RIGHT : RELAY_LEFT;
}

/* Frees what is under way, and counts it. */
void relay_end(struct relay *relay);

#endif
