/* SPDX-License-Identifier: BSD-2-Clause */
/* What the files of the fabric share. */
#ifndef UET_PORT_FABRIC_INTERNAL_H
#define UET_PORT_FABRIC_INTERNAL_H

#include "port/fabric/fabric.h"
#include "wire/splitmix.h"

#define FABRIC_FRAME_MAX 9600u
#define WHEEL_NS         4096u
#define WHEEL_WORDS      (WHEEL_NS / 64)

enum { PAIR = UET_FABRIC_CLASSES - UET_FABRIC_REQUESTS }; /* the lossless classes */
enum event_kind { EVENT_FREE, EVENT_ARRIVE, EVENT_CREDIT };

/* What is to come: part of the frame that arrives, of the line that becomes free, or of credit. */
struct event {
    uint64_t at, order;
    struct event *next; /* in a circle, those of one nanosecond */
    struct line *line;
    uint32_t kind; /* enum event_kind */
};

/* A frame under way. It has one owner: a queue, or time. */
struct frame {
    struct event event;
    struct frame *next;
    uint32_t len, cap;
    uint16_t to;          /* host, or n_hosts when nobody has the address */
    uint8_t class;        /* enum uet_fabric_class */
    uint32_t hash;        /* of what keeps to one path: addresses and entropy */
    struct uet_fate fate; /* on the line of its host; used when `fated` */
    const void *note;
    bool fated, late, lost; /* it is; by its fate; on arrival */
    bool answer;            /* of the lossless pair */
    struct line *came_by;   /* of the pair: the line in whose buffer it is, or NULL */
    uint8_t bytes[];
};

struct frame_queue {
    struct frame *head, *tail;
    uint32_t bytes;
};

/* Room in a buffer, on its way back to who sends there. */
struct credit {
    struct event event;
    struct credit *next;
    uint32_t bytes;
    uint8_t which; /* of the pair */
};

/* Of a line, where the fabric has a lossless pair or turns of its own. */
struct rule {
    uint32_t deficit[UET_FABRIC_CLASSES];
    uint8_t turn[UET_FABRIC_CLASSES]; /* by level: the class that has it */
    uint8_t begun;                    /* bits by class: it has had the quantum of this turn */
    uint32_t used[PAIR];              /* bytes on the line and in the buffer at its end */
    struct frame_queue inbox[PAIR];   /* of a line to a host: what it has not taken */
    /* Of deadlock.c: the queue, the inbox; what of the buffer is in such ones. */
    bool stuck[PAIR], inbox_stuck[PAIR];
    uint32_t stuck_bytes[PAIR];
};

/* Bytes of queues at which things happen, as the line's faults leave them: UINT32_MAX for never. */
struct limits {
    uint32_t drop[UET_FABRIC_CLASSES], trim, ecn_min, ecn_max;
};

/* One direction of a cable, and the queue before it. */
struct line {
    struct uet_fabric_line is;
    struct uet_fabric_faults faults;
    struct limits limits;
    uint16_t from, to;
    uint64_t prng; /* its own, so that what one line does leaves the others' chances alone */
    struct frame_queue queue[UET_FABRIC_CLASSES];
    struct uet_fabric_port port;
    uint16_t run;                /* frames that the loss before still takes, ... */
    uint16_t mark_run, trim_run; /* ... and the mark and the cut before */
    /*
     * busy: a frame is on the wire, and EVENT_FREE will say when it is gone. quiet: nothing
     * waits for that, so `free` has its time, and is no event.
     */
    bool busy, quiet;
    bool faulty;    /* some fault is set */
    bool of_switch; /* where it begins */
    bool med_turn;  /* TC_low and TC_med take turns */
    struct event free;
    uint32_t waiting;  /* frames in the queues */
    struct rule *rule; /* or NULL */
};

/* What the clock knows of a host. */
struct host {
    struct line *uplink, *downlink; /* the line that leaves it, and that to it */
    const struct way *ways;         /* to its door, from each switch */
    uint16_t door;                  /* the node at the other end of its cable */
    uint16_t due_at;                /* place in struct uet_fabric's due */
    uint64_t deadline;
    uint64_t stall;   /* the next step for one whose deadline does not move */
    uint32_t answers; /* of the lossless pair, that wait for its line */
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
    struct rule *rules; /* of each line, or NULL */
    struct uet_fabric_turns turns;
    struct credit *credits; /* free */
    uint32_t n_lines;
    struct host *hosts;
    uint16_t *due;      /* hosts; the first one has the earliest deadline */
    struct way *routes; /* [door][switch] */
    struct line **ways;
    uint32_t n_ways;
    /*
     * Events. The wheel has a slot for each nanosecond from base on: the last event that is to come
     * then. What comes later waits in a heap, and goes to the wheel before anything else of its
     * nanosecond can. used has a bit for each slot, some one for each word of used.
     */
    uint64_t base, some, used[WHEEL_WORDS];
    struct event *wheel[WHEEL_NS];
    struct event **heap;
    size_t n_heap, cap_heap;
    uint64_t next_at; /* of the first event; UET_FABRIC_NEVER: there is none */
    uint64_t due_at;  /* the first deadline of a host */
    uint64_t order, now;
    struct frame *small, *big; /* free */
    struct frame *spare;       /* the big one to which hosts write */
    uint32_t n_frames;         /* others */
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

static inline bool is_lossless(unsigned class)
{
    return class >= UET_FABRIC_REQUESTS;
}

static inline uint8_t which_of(const struct frame *frame)
{
    return (uint8_t)(frame->class - UET_FABRIC_REQUESTS);
}

static inline bool is_to_host(const struct uet_fabric *fabric, const struct line *line)
{
    return line->to < fabric->config.n_hosts;
}

__attribute__((always_inline)) static inline void queue_put(struct frame_queue *queue,
                                                            struct frame *frame)
{
    frame->next = NULL;
    if (queue->tail)
        queue->tail->next = frame;
    else
        queue->head = frame;
    queue->tail = frame;
    queue->bytes += frame->len;
}

/* It is not empty. */
__attribute__((always_inline)) static inline struct frame *queue_get(struct frame_queue *queue)
{
    struct frame *frame = queue->head;

    queue->head = frame->next;
    if (!queue->head)
        queue->tail = NULL;
    queue->bytes -= frame->len;
    return frame;
}

/* ---- frame.c ---- */

static inline bool frames_full(const struct uet_fabric *fabric)
{
    return fabric->config.max_frames && fabric->n_frames >= fabric->config.max_frames;
}

/*
 * FABRIC_FRAME_MAX bytes for a host to write to, the same ones until something is written; and the
 * frame of what it has written there, a small one where that will do. NULL: too many frames, or no
 * memory.
 */
uint8_t *frame_spare(struct uet_fabric *fabric);
struct frame *frame_written(struct uet_fabric *fabric, uint32_t len);
struct frame *frame_new(struct uet_fabric *fabric, const uint8_t *bytes, uint32_t len);
void frame_drop(struct uet_fabric *fabric, struct frame *frame);
void frame_pools_free(struct uet_fabric *fabric);
/* Destination, class and path hash from the bytes. */
void frame_classify(const struct uet_fabric *fabric, struct frame *frame);
/* Cuts it and writes the new DSCP, IP length and checksum; false when it is too short for that. */
bool frame_trim(const struct uet_fabric *fabric, struct frame *frame, bool last_hop);
bool frame_trimmable(const struct uet_fabric *fabric, const struct frame *frame);
/* Is it of DSCP_TRIMMABLE_RTX? */
bool frame_is_resend(const struct uet_fabric *fabric, const struct frame *frame);
/* Sets CE if the sender is ECN-capable and CE is not set; true when it did. */
bool frame_mark(struct frame *frame);
/* Flips one to four bits behind the MAC addresses. */
void frame_corrupt(struct frame *frame, uint64_t *prng);

/* ---- event.c ---- */

/* What lies beyond the wheel now. false: no memory, it is not in. */
bool event_put_far(struct uet_fabric *fabric, struct event *event);
/* The wheel goes on to base, and takes what lies within it now. */
void event_turn(struct uet_fabric *fabric, uint64_t base);
/* When the first one is to come, as wheel and heap say. */
uint64_t event_next_at(const struct uet_fabric *fabric);
/* The first one; NULL: there is none. */
const struct event *event_first(const struct uet_fabric *fabric);
/* All of them, in no order. */
void events_each(struct uet_fabric *fabric,
                 void (*what)(struct uet_fabric *fabric, struct event *event));

/* Into the wheel. */
static inline void event_put_soon(struct uet_fabric *fabric, struct event *event, uint64_t at)
{
    const uint64_t slot = at % WHEEL_NS;
    struct event *last = fabric->wheel[slot];

    fabric->wheel[slot] = event;
    if (last) {
        event->next = last->next;
        last->next = event;
        return; /* nothing is before next_at, so this is not */
    }
    event->next = event;
    fabric->used[slot / 64] |= 1ull << slot % 64;
    fabric->some |= 1ull << slot / 64;
    if (at < fabric->next_at)
        fabric->next_at = at;
}

/* At a time not before now. false: no memory, it is not in. */
static inline bool event_put(struct uet_fabric *fabric, struct event *event, uint64_t at)
{
    event->at = at;
    if (at - fabric->base >= WHEEL_NS)
        return event_put_far(fabric, event);
    event_put_soon(fabric, event, at);
    return true;
}

/* The first one; there is one. */
static inline struct event *event_take(struct uet_fabric *fabric)
{
    const uint64_t slot = fabric->next_at % WHEEL_NS;
    struct event *last, *first;

    fabric->base = fabric->next_at;
    if (fabric->n_heap && fabric->heap[0]->at - fabric->base < WHEEL_NS)
        event_turn(fabric, fabric->base);
    last = fabric->wheel[slot];
    first = last->next;
    if (first != last) {
        last->next = first->next;
        return first;
    }
    fabric->wheel[slot] = NULL;
    fabric->used[slot / 64] &= ~(1ull << slot % 64);
    if (!fabric->used[slot / 64])
        fabric->some &= ~(1ull << slot / 64);
    fabric->next_at = event_next_at(fabric);
    return first;
}

/* ---- due.c ---- */

void due_make(struct uet_fabric *fabric);
/* The host's deadline is another one. */
void due_move(struct uet_fabric *fabric, uint16_t host, uint64_t deadline);

static inline void due_change(struct uet_fabric *fabric, uint16_t host, uint64_t deadline)
{
    if (fabric->hosts[host].deadline != deadline)
        due_move(fabric, host, deadline);
}

/* ---- address.c ---- */

/* 0 or -ENOMEM. addresses NULL: nobody has one. */
int addresses_make(struct uet_fabric *fabric, const struct uet_ip *addresses);
/* n_hosts: nobody. */
uint16_t address_find(const struct uet_fabric *fabric, const struct uet_ip *ip);

/* ---- route.c ---- */

/* Fills in uplinks, doors, routes and ways. 0, -ENOMEM, -EINVAL. */
int routes_make(struct uet_fabric *fabric);
/* The line from a switch towards the frame's host; NULL: nobody has the address. */
struct line *route_of(struct uet_fabric *fabric, uint16_t node, const struct frame *frame);

/* ---- line.c ---- */

/* Its limits, by its faults. */
void line_limit(struct line *line);
/* Takes the frame into the line's queue, or drops it. */
void line_enqueue(struct uet_fabric *fabric, struct line *line, struct frame *frame);
/* The wire is free: the next frame goes out. */
void line_free(struct uet_fabric *fabric, struct line *line);

/* ---- turn.c: of lines with a rule ---- */

/* False: a level or a quantum is out of range. */
bool turns_take(struct uet_fabric *fabric, const struct uet_fabric_turns *turns);
/* What goes next, taken out of its queue; NULL: nothing waits, or all of it for credit. */
struct frame *turn_next(struct uet_fabric *fabric, struct line *line);

/* ---- pair.c: the lossless pair ---- */

/* The buffer at the line's end has room for it. */
bool pair_room(const struct line *line, const struct frame *frame);
/* It leaves the queue for the wire; it was lost there; it is dropped at a switch. */
void pair_sent(struct uet_fabric *fabric, struct line *line, const struct frame *frame);
void pair_lost(struct line *line, const struct frame *frame);
void pair_dropped(struct uet_fabric *fabric, const struct frame *frame);
/* Room has come back to the line: its event is free again. */
void pair_credit(struct uet_fabric *fabric, struct event *event);
void pair_forget(struct uet_fabric *fabric, struct event *event);
/* It has come to a host, which takes it now or later; true: the host has taken something. */
void pair_arrive(struct uet_fabric *fabric, const struct line *at, struct frame *frame);
bool pair_take(struct uet_fabric *fabric, uint16_t host);
/* The host takes no such frame now. */
bool pair_refuses(const struct uet_fabric *fabric, uint16_t host, const struct frame *frame);
void pair_free(struct uet_fabric *fabric);

#endif
