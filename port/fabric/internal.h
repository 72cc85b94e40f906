/* SPDX-License-Identifier: BSD-2-Clause */
/* What the files of the fabric share. */
#ifndef UET_PORT_FABRIC_INTERNAL_H
#define UET_PORT_FABRIC_INTERNAL_H

#include "port/fabric/fabric.h"
#include "wire/splitmix.h"

#define FABRIC_FRAME_MAX 9600u

/* A frame under way. It has one owner: a queue, or an event. */
struct frame {
    struct frame *next;
    uint32_t len, cap;
    uint16_t to;          /* host, or n_hosts when nobody has the address */
    uint8_t class;        /* enum uet_fabric_class */
    uint32_t hash;        /* of what keeps to one path: addresses and entropy */
    struct uet_fate fate; /* on the line of its host */
    const void *note;
    bool late, lost; /* by its fate; on arrival */
    uint8_t bytes[];
};

struct frame_queue {
    struct frame *head, *tail;
    uint32_t bytes;
};

/* One direction of a cable, and the queue before it. */
struct line {
    struct uet_fabric_line is;
    struct uet_fabric_faults faults;
    uint16_t from, to;
    uint64_t prng; /* its own, so that what one line does leaves the others' chances alone */
    struct frame_queue queue[UET_FABRIC_CLASSES];
    struct uet_fabric_port port;
    uint16_t run; /* frames that the loss before still takes */
    /*
     * busy: a frame is on the wire, and EVENT_FREE will say when it is gone. Where nothing waits
     * for that, no event is needed, only the time and the order that it would have had: until.
     */
    bool busy, quiet;
    bool faulty;   /* some fault is set */
    bool med_turn; /* TC_low and TC_med take turns */
    uint64_t until, until_order;
};

/* What the clock knows of a host. */
struct host {
    uint32_t uplink; /* the line that leaves it */
    uint16_t door;   /* the node at its other end */
    uint16_t due_at; /* place in struct uet_fabric's due */
    uint64_t deadline;
    uint64_t stall; /* the next step for one whose deadline does not move */
};

enum event_kind { EVENT_NONE, EVENT_FREE, EVENT_ARRIVE };

struct event {
    uint64_t at, order;
    struct frame *frame; /* EVENT_ARRIVE */
    uint32_t line;
    uint32_t kind; /* enum event_kind */
};

/* Lines that lead from a switch towards another one, all on shortest ways. */
struct way {
    uint32_t first, n; /* in struct uet_fabric's ways */
};

struct uet_fabric {
    struct uet_fabric_config config; /* its arrays are gone */
    struct uet_ip *addresses;
    uint16_t *by_address; /* hosts, by hash */
    uint32_t address_mask;
    struct line *lines; /* 2 * cable, and 2 * cable + 1 back */
    uint32_t n_lines;
    struct host *hosts;
    uint16_t *due;          /* hosts; the first one has the earliest deadline */
    struct way *routes;     /* [door][switch] */
    uint32_t *ways, n_ways; /* line numbers */
    struct wheel *wheel;    /* of events; and what comes too late for it */
    struct event *heap;
    size_t n_heap, cap_heap;
    uint64_t next_at;             /* of the first event; UET_FABRIC_NEVER: there is none */
    uint64_t order, now, present; /* present: the order of the event that happens */
    struct frame *small, *big;    /* free */
    uint32_t n_frames;            /* others */
    struct uet_fabric_stats stats;
    bool no_memory; /* a frame or an event found none: it was lost */
};

static inline bool fabric_chance(uint64_t *prng, uint32_t millionths)
{
    return millionths && uet_splitmix64(prng) % 1000000u < millionths;
}

/* Every bit of the result depends on every bit of x; different x have different results. */
static inline uint32_t fabric_mix(uint32_t x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

/* ---- frame.c ---- */

static inline bool frames_full(const struct uet_fabric *fabric)
{
    return fabric->config.max_frames && fabric->n_frames >= fabric->config.max_frames;
}

/*
 * A frame for the host to write to, FABRIC_FRAME_MAX bytes; and what it has written there, moved
 * into a small frame where that will do. NULL: too many frames, or no memory.
 */
struct frame *frame_empty(struct uet_fabric *fabric);
struct frame *frame_fitted(struct uet_fabric *fabric, struct frame *frame, uint32_t len);
struct frame *frame_new(struct uet_fabric *fabric, const uint8_t *bytes, uint32_t len);
void frame_drop(struct uet_fabric *fabric, struct frame *frame);
void frame_pools_free(struct uet_fabric *fabric);
/* Destination, class and path hash from the bytes. */
void frame_classify(const struct uet_fabric *fabric, struct frame *frame);
/* Cuts it and writes the new DSCP, IP length and checksum; false when it is too short for that. */
bool frame_trim(const struct uet_fabric *fabric, struct frame *frame, bool last_hop);
bool frame_trimmable(const struct uet_fabric *fabric, const struct frame *frame);
/* Sets CE if the sender is ECN-capable and CE is not set; true when it did. */
bool frame_mark(struct frame *frame);
/* Flips one to four bits behind the MAC addresses. */
void frame_corrupt(struct frame *frame, uint64_t *prng);

/* ---- event.c ---- */

#define WHEEL_NS 4096u

bool events_make(struct uet_fabric *fabric); /* false: no memory */
void events_free(struct uet_fabric *fabric);
/* Not before now; of an order drawn from struct uet_fabric's. false: no memory, it is not in. */
bool event_put(struct uet_fabric *fabric, const struct event *event);
/* The first one, until something is put in or taken; NULL: there is none. */
const struct event *event_first(const struct uet_fabric *fabric);
/* Takes it; there is one. Of the kind EVENT_NONE: it was lost. */
void event_take(struct uet_fabric *fabric, struct event *event);
/* All of them, in no order: *i is 0 at first; NULL after the last. */
struct event *event_each(struct uet_fabric *fabric, size_t *i);

/* ---- due.c ---- */

void due_make(struct uet_fabric *fabric);
/* The host's deadline is another one. */
void due_change(struct uet_fabric *fabric, uint16_t host, uint64_t deadline);

/* ---- address.c ---- */

/* 0 or -ENOMEM. addresses NULL: nobody has one. */
int addresses_make(struct uet_fabric *fabric, const struct uet_ip *addresses);
/* n_hosts: nobody. */
uint16_t address_find(const struct uet_fabric *fabric, const struct uet_ip *ip);

/* ---- route.c ---- */

/* Fills in uplinks, doors, routes and ways. 0, -ENOMEM, -EINVAL. */
int routes_make(struct uet_fabric *fabric);
/* The line from a switch towards the frame's host, or NULL. */
struct line *route_of(struct uet_fabric *fabric, uint16_t node, const struct frame *frame);

/* ---- line.c ---- */

/* Takes the frame into the line's queue, or drops it. */
void line_enqueue(struct uet_fabric *fabric, struct line *line, struct frame *frame);
/* The wire is free: the next frame goes out. */
void line_free(struct uet_fabric *fabric, struct line *line);

#endif
