/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What `uetcat ping` tells of the packets that its client sends and gets: the tracker knows which
 * answers which, and this times the requests of one opcode among them. It decides nothing that is
 * sent.
 */
#ifndef UETCAT_PING_WATCH_H
#define UETCAT_PING_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "track/track.h"

/* Requests without an answer that are remembered: all that the client has outstanding, and more. */
#define PING_OUTSTANDING 128
#define PING_REMEMBERED  (2 * PING_OUTSTANDING)

enum ping_event_kind {
    PING_ACK,       /* the answer to a request */
    PING_NACK,      /* a refusal of one */
    PING_LATE,      /* an ACK of a packet that was sent or asked about again: no time is known */
    PING_NO_ANSWER, /* nothing came in time */
};

struct ping_event {
    enum ping_event_kind kind;
    uint32_t seq; /* of the request, from 1 */
    uint32_t psn;
    uint64_t rtt_ns;     /* PING_ACK */
    bool has_response;   /* a SES response came with it */
    uint8_t rsp_opcode;  /* enum uet_ses_rsp_opcode */
    uint8_t return_code; /* enum uet_ses_return_code */
    uint8_t nack_code;   /* enum uet_pds_nack_code */
    bool m;              /* the request had met congestion (ECN-CE) */
    uint16_t entropy;    /* of the request's first copy */
    bool told;           /* PING_NO_ANSWER was told of it before */
    bool arrived;        /* PING_NO_ANSWER, PING_LATE: an ACK told that the one copy arrived */
};

/* A request that waits for its answer; seq 0: none. */
struct ping_request {
    const struct uet_track_pdc *pdc;
    uint64_t sent_ns; /* first time */
    uint32_t seq, psn, sends;
    uint16_t message_id, entropy;
    bool arrived; /* as in the event */
    bool late;    /* PING_NO_ANSWER was told */
    bool moved;   /* sent again on another PDC, after a NACK ended the one before */
};

struct ping_watch {
    struct uet_track *track;
    const struct uet_track_pdc *pdc; /* of the newest request */
    uint64_t wait_ns;                /* for an answer */
    uint8_t opcode;                  /* of the requests: UET_OP_NO_OP, or what is set */
    bool by_name; /* an answer is what names the PSN: what came back on that entropy value */
    void (*event)(void *ctx, const struct ping_event *event);
    void *ctx;
    uint32_t seq;                                  /* requests so far, over all PDCs */
    bool failed;                                   /* memory ran out */
    struct ping_request requests[PING_REMEMBERED]; /* by seq modulo their number */
};

/* ip_protocol: of native IP, 0 stands for 253. False when there is no memory. */
bool ping_watch_open(struct ping_watch *w, uint8_t ip_protocol, uint64_t wait_ns,
                     void (*event)(void *ctx, const struct ping_event *event), void *ctx);
void ping_watch_close(struct ping_watch *w);

/* The next sound packet, sent by the client or to it. */
void ping_watch_packet(struct ping_watch *w, const struct uet_packet *p, bool sent,
                       uint64_t now_ns);

/* Does this packet, which is to be sent, hold a request that has not been sent before? */
bool ping_watch_is_new(struct ping_watch *w, const struct uet_packet *p);

/* Tells PING_NO_ANSWER of what has waited long enough. */
void ping_watch_advance(struct ping_watch *w, uint64_t now_ns);

/* When it falls due next; UINT64_MAX: nothing does. */
uint64_t ping_watch_due(const struct ping_watch *w);

/* Some request has neither an answer nor waited long enough for it. */
static inline bool ping_watch_waits(const struct ping_watch *w)
{
    return ping_watch_due(w) != UINT64_MAX;
}

/* A Close Command was sent, and its ACK has not come. */
bool ping_watch_unclosed(const struct ping_watch *w);

#endif
