/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A simulated fabric: hosts, switches and the cables between them, in one process and in virtual
 * time. It is a state machine like the reference FEP: it is told the time, it calls back, it never
 * waits. Same configuration, same seed, same calls: same bytes at the same times. Every simulated
 * network of this project is one: of many hosts (sim/), of two (the scenarios of gen/), or of a
 * device and the port of a tester (port/memory.h).
 *
 * What stands at a host is a state machine, too, with a deadline. One thing happens at a time, the
 * earliest first; a host's deadline comes before a frame of the same nanosecond.
 *
 * A cable has two lines, one each way. A line has a queue for each class, a bandwidth, a latency
 * and its faults. Switches choose among equally short ways by the entropy value (3.5.10), mark ECN
 * and trim (4.1). One fabric is used by one thread at a time.
 */
#ifndef UET_PORT_FABRIC_FABRIC_H
#define UET_PORT_FABRIC_FABRIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/addr.h"
#include "wire/impair.h"

#define UET_FABRIC_NEVER     UINT64_MAX
#define UET_FABRIC_NO_DSCP   0xff
#define UET_FABRIC_TRIM_KEEP 24u /* MIN_TRIM_SIZE of UET/UDP/IP (Table 4-1) */

/*
 * What a DSCP stands for: TC_low, TC_med, TC_high (3.6.4.7), and the lossless pair, whose packets
 * are neither dropped nor cut but wait. High goes first; the others share.
 */
enum uet_fabric_class {
    UET_FABRIC_LOW,      /* all that is none of these */
    UET_FABRIC_MED,      /* DSCP_TRIMMED, DSCP_TRIMMED_LASTHOP */
    UET_FABRIC_HIGH,     /* DSCP_CONTROL */
    UET_FABRIC_REQUESTS, /* lossless */
    UET_FABRIC_ANSWERS,  /* lossless, past requests that wait for buffers */
    UET_FABRIC_CLASSES
};

/* Who goes first on every line. Of one level, classes share by deficit round robin. */
struct uet_fabric_turns {
    uint8_t level[UET_FABRIC_CLASSES];    /* below UET_FABRIC_CLASSES; the higher goes first */
    uint32_t quantum[UET_FABRIC_CLASSES]; /* bytes of a turn, at least 64 */
};

/* Both lines of a cable. */
struct uet_fabric_line {
    uint64_t latency_ns;
    uint64_t bits_per_s;                     /* 0: a frame takes no time but the latency */
    uint32_t drop_bytes[UET_FABRIC_CLASSES]; /* no more than this waits in a queue */
    uint32_t trim_bytes;                     /* above it what is trimmable is cut; 0: never */
    uint32_t ecn_min_bytes, ecn_max_bytes;   /* TC_low: CE from never to always; 0, 0: never */
    bool ecn_at_dequeue; /* the queue that a frame leaves decides on its mark, as 3.6.17 has it;
                            else the one that it finds */
    uint8_t weightless;  /* bits by class: those frames take no time but the latency */
    /* The buffer at the line's end, of each lossless class: no more is sent than it has room for
     * (5.2). At least one frame of 9600 bytes; 0: without end. */
    uint32_t credit_bytes;
};

struct uet_fabric_cable {
    uint16_t a, b; /* nodes: hosts from 0, then the switches */
    struct uet_fabric_line line;
};

struct uet_fabric_config {
    uint64_t seed;
    const struct uet_ip *addresses; /* of the hosts; different; NULL without switches */
    uint16_t n_hosts, n_switches;
    const struct uet_fabric_cable *cables;
    size_t n_cables; /* each host has exactly one */
    /* Code points (4.1.4.1); UET_FABRIC_NO_DSCP for a role that nobody has. */
    uint8_t dscp_trimmable, dscp_trimmable_rtx, dscp_trimmed, dscp_trimmed_lasthop, dscp_control;
    uint32_t max_frames; /* under way; what is sent beyond is lost; 0: as many as there is memory */
    uint16_t trim_keep;  /* bytes of IP payload that a cut leaves; at least UET_FABRIC_TRIM_KEEP */
    /*
     * The lossless pair, of switches only. A host refuses requests, which then wait in the buffer
     * at the end of its line, while answer_room of its answers wait for theirs; 0: never. Faults of
     * a line and fates touch no lossless frame, but that nothing passes a line that is down.
     */
    bool lossless;
    bool one_class; /* answers are of the requests' class */
    uint8_t dscp_requests, dscp_answers;
    uint32_t answer_room;
    const struct uet_fabric_turns *turns; /* copied; NULL: as UET_FABRIC_HIGH says */

    /* The callbacks. They may call uet_fabric_send, and uet_fabric_set_faults. */
    void *ctx;
    /* A frame has reached a host. The bytes are good during the call only. */
    void (*deliver)(void *ctx, uint16_t host, const uint8_t *frame, uint32_t len, uint64_t now_ns);
    /* The host's line is free: the host writes its next frame into buffer and returns its length,
     * 0 when it has none now (then uet_fabric_wake tells of the next). NULL: hosts use
     * uet_fabric_send. */
    size_t (*pull)(void *ctx, uint16_t host, uint8_t *buffer, size_t cap, uint64_t now_ns);
    /*
     * The host does what is due at now_ns and returns its next deadline, UET_FABRIC_NEVER for none.
     * Called first of all at the time of uet_fabric_new, at that deadline, and after each deliver,
     * pull and uet_fabric_wake. A deadline that is not after now_ns counts as 1 us later, doubling
     * up to 1 ms while the host goes on so: a host that is stuck slows a run down but cannot hang
     * it. NULL: hosts have no deadlines.
     */
    uint64_t (*advance)(void *ctx, uint16_t host, uint64_t now_ns);
    /* The host's deadline, asked when a pull brought nothing: looking for a frame may have brought
     * it forward, and advance is not called then. NULL: it never does. */
    uint64_t (*deadline)(void *ctx, uint16_t host);
    /*
     * A switch is about to pass a frame on to the host `to` (n_hosts: nobody has the address); note
     * is what uet_fabric_send was told. False: it is lost there. NULL: all pass.
     */
    bool (*pass)(void *ctx, uint16_t to, const uint8_t *frame, uint32_t len, const void *note,
                 uint64_t now_ns);
};

/*
 * What marks and cuts touch. Control is for a switch that is not in order: it neither marks nor
 * cuts that class (3.6.4.7).
 */
enum {
    UET_FABRIC_HITS_FIRST = 1,   /* data but that of DSCP_TRIMMABLE_RTX */
    UET_FABRIC_HITS_AGAIN = 2,   /* data of DSCP_TRIMMABLE_RTX */
    UET_FABRIC_HITS_CONTROL = 4, /* DSCP_CONTROL */
    UET_FABRIC_HITS_DATA = UET_FABRIC_HITS_FIRST | UET_FABRIC_HITS_AGAIN,
    UET_FABRIC_HITS_ALL = UET_FABRIC_HITS_DATA | UET_FABRIC_HITS_CONTROL
};

/* Chances in millionths. They hold for every frame that leaves on the line while they are set. */
struct uet_fabric_faults {
    uint32_t lose, duplicate, corrupt, delay;
    uint32_t mark;               /* CE without a queue: congestion elsewhere */
    uint32_t trim;               /* a switch cuts what is trimmable without a queue */
    uint16_t lose_run;           /* a loss takes up to so many frames in a row; 0: one */
    uint16_t mark_run, trim_run; /* and so do a mark and a cut */
    uint8_t hits;           /* bits of UET_FABRIC_HITS_...: what is marked and cut; 0: all data */
    uint64_t delay_ns;      /* a delayed frame comes up to this later: others overtake it */
    uint64_t copy_delay_ns; /* and so does the second copy of a doubled one */
    uint8_t spared;         /* bits by class: the chances do not touch those */
    bool down;              /* nothing passes */
    uint8_t buffer_percent; /* 1..99: of every queue, threshold and mark only this is there */
};

struct uet_fabric_stats {
    uint64_t sent, delivered;                            /* by hosts, to hosts */
    uint64_t carried;                                    /* by lines: hops of packets */
    uint64_t lost, duplicated, corrupted, delayed, down; /* by faults */
    uint64_t marked, trimmed, dropped[UET_FABRIC_CLASSES];
    uint64_t no_way;  /* destination unknown or not reached */
    uint64_t stalled; /* times that a host asked for a deadline already past */
};

/* Of one line since the beginning. */
struct uet_fabric_port {
    uint64_t frames, bytes; /* that it has carried, without preamble, FCS and gap */
    uint64_t marked, trimmed, dropped;
    struct uet_fabric_count {
        uint64_t frames, bytes, dropped;
        uint64_t
            held; /* times that one came to a queue of which nothing may go for want of credit */
    } by_class[UET_FABRIC_CLASSES];
    uint32_t highest;          /* bytes that ever waited in the queue of TC_low */
    uint32_t highest_lossless; /* and that were at its end, or on the way, of a lossless class */
};

struct uet_fabric;

/*
 * Makes a fabric, idle at now_ns; the arrays are copied. 0, -ENOMEM, or -EINVAL: a host without
 * exactly one cable, a node number too high, or a host that a switch cannot reach.
 */
int uet_fabric_new(struct uet_fabric **out, const struct uet_fabric_config *config,
                   uint64_t now_ns);
void uet_fabric_free(struct uet_fabric *fabric); /* NULL is allowed */

/*
 * Something was done to the host: it is advanced, and what it has to send is pulled when its line
 * is free, else when it becomes so.
 */
void uet_fabric_wake(struct uet_fabric *fabric, uint16_t host, uint64_t now_ns);

/*
 * The host sends this frame (copied) now, or when its line is free. fate: how many copies arrive
 * (0: none), and how much later the last of them; NULL: as usual. 0, -EMSGSIZE, -ENOBUFS
 * (too many under way) or -ENOMEM.
 */
int uet_fabric_send(struct uet_fabric *fabric, uint16_t host, const uint8_t *frame, uint32_t len,
                    const struct uet_fate *fate, const void *note);

/* Loses the frames that are late by their fate. */
void uet_fabric_drop_late(struct uet_fabric *fabric);

/* The virtual time. */
uint64_t uet_fabric_now(const struct uet_fabric *fabric);

/* The time of the next event or deadline; UET_FABRIC_NEVER when nothing is under way. */
uint64_t uet_fabric_deadline(const struct uet_fabric *fabric);

/* Does all that is due up to now_ns, in order; calls back. Not to be called from a callback. */
void uet_fabric_advance(struct uet_fabric *fabric, uint64_t now_ns);

/* Changes the faults of one line of a cable: back is the line from b to a. NULL: none. */
void uet_fabric_set_faults(struct uet_fabric *fabric, size_t cable, bool back,
                           const struct uet_fabric_faults *faults);

/* Changes the bandwidth of one line; the frame on the wire goes at the old one. 0: as 0 there. */
void uet_fabric_set_rate(struct uet_fabric *fabric, size_t cable, bool back, uint64_t bits_per_s);

/*
 * The lines (2 * cable, and 2 * cable + 1 back) that this frame of the host would take, as its
 * bytes are hashed: how many, written to lines. 0: nobody has its address, or there are more than
 * cap.
 */
size_t uet_fabric_path(struct uet_fabric *fabric, uint16_t host, const uint8_t *frame, uint32_t len,
                       uint32_t *lines, size_t cap);

/* Bytes that wait in one queue of a line. */
uint32_t uet_fabric_waiting(const struct uet_fabric *fabric, size_t cable, bool back,
                            enum uet_fabric_class class);

/* A queue before a line of which nothing can ever leave. */
struct uet_fabric_stuck {
    uint16_t from, to; /* nodes */
    enum uet_fabric_class class;
    uint32_t bytes;
};

/*
 * A circle of queues of the lossless pair, each of which waits for what only the next one can free:
 * how many, the first `cap` of them written to circle. 0: there is no deadlock now.
 */
size_t uet_fabric_deadlock(struct uet_fabric *fabric, struct uet_fabric_stuck *circle, size_t cap);

struct uet_fabric_port uet_fabric_port(const struct uet_fabric *fabric, size_t cable, bool back);

struct uet_fabric_stats uet_fabric_stats(const struct uet_fabric *fabric);

#endif
