/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Congestion control as a capture shows it (`uetconform check --congestion`): of each direction of
 * a PDC that carries Requests what is in flight, a window that must have been open, RTT, marks,
 * trims, resends and goodput, over time.
 */
#ifndef UET_CONFORMANCE_CLI_CHECK_CONGESTION_H
#define UET_CONFORMANCE_CLI_CHECK_CONGESTION_H

#include <jansson.h>
#include <stdio.h>

#include "track/track.h"

#define CHECK_SPANS 256u /* of time, equally long; when they do not reach, two become one */
#define CHECK_FLOWS 32u  /* the first ones */

/* What happened in a span. 0: nothing of it. */
struct check_span {
    uint32_t in_flight; /* bytes, the most of the span; as struct uet_track_flight counts */
    uint32_t window;    /* ... the most of the last round trip: the window was not smaller */
    uint64_t rtt_ns;    /* sum of rtts */
    uint32_t rtts;      /* of packets sent once, to the ACK that names them, without service_time */
    uint32_t marks;     /* ACKs and NACKs with m=1 */
    uint32_t trims;     /* NACKs UET_TRIMMED, UET_TRIMMED_LASTHOP */
    uint32_t again;     /* Requests sent again */
    uint64_t bytes;     /* that are told to have arrived */
};

struct check_flow {
    uint32_t stream; /* of the PDC */
    bool forward;
    uint16_t pdcid, peer_pdcid;
    struct uet_ip from, to;
    uint32_t requests;
    uint64_t arrived;           /* bytes, so far */
    uint64_t rtt_ns;            /* the newest */
    uint64_t turn_ns;           /* when the round trip ends whose most is `most` */
    uint32_t most, most_before; /* in flight, of this round trip and of the last */
    struct check_span sum;      /* of all; in_flight and window are the most */
    struct check_span span[CHECK_SPANS];
};

struct check_congestion {
    uint64_t begin_ns, end_ns; /* of what was seen */
    uint64_t span_ns;
    uint32_t n, left_out; /* packets of directions beyond CHECK_FLOWS */
    bool no_memory;
    struct check_flow *flow[CHECK_FLOWS];
};

struct check_congestion *check_congestion_new(void); /* NULL: no memory */
void check_congestion_free(struct check_congestion *c);

/* A packet of the capture, in order. */
void check_congestion_take(struct check_congestion *c, const struct uet_tracked *t);

/* Spans that have anything, from 0; their number. */
uint32_t check_congestion_spans(const struct check_congestion *c);

/* Bits a second of so many bytes in so many spans, in Gbit/s. */
double check_congestion_gbits(const struct check_congestion *c, uint64_t bytes, uint32_t spans);

/* As a table; as JSON {span_ns, flows: [...], left_out}; as a picture. */
void check_congestion_tell(const struct check_congestion *c);
json_t *check_congestion_json(const struct check_congestion *c);
void check_congestion_plot(const struct check_congestion *c, const char *title, FILE *svg);

#endif
