/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The tracker: passive state built from packets in capture order. It knows PDCs, PSNs, messages,
 * and which packet answers which. It judges nothing (rules/ does) and shares nothing with the
 * reference FEP.
 *
 * Append-only: what it said of a packet never changes. It has no clock and takes memory from the
 * caller's allocator. It knows its vantage, and what a vantage cannot know it leaves unknown.
 */
#ifndef UET_TRACK_TRACK_H
#define UET_TRACK_TRACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/packet.h"

/* Where the capture was taken. */
enum uet_vantage {
    UET_VANTAGE_MIDDLE,    /* anywhere: packets may be lost on either side of it */
    UET_VANTAGE_INITIATOR, /* at the FEP that opens PDCs: what it sends is all seen */
    UET_VANTAGE_TARGET,
    UET_VANTAGE_BOTH, /* a memory port: nothing is lost unseen */
};

struct uet_track_allocator {
    void *ctx;
    void *(*alloc)(void *ctx, size_t bytes); /* zeroed; NULL when there is none left */
    void (*free)(void *ctx, void *block);    /* may be NULL: an arena */
};

struct uet_track_config {
    uint8_t vantage;   /* enum uet_vantage */
    uint8_t protect;   /* enum uet_protect */
    uint16_t udp_port; /* 0 stands for 4793 */
    struct uet_track_allocator allocator;
};

struct uet_track;

/* One direction of a PDC: initiator to target (forward) or back (return). */
struct uet_track_dir {
    bool psn_known;       /* some PSN was seen */
    uint32_t first_psn;   /* the lowest PSN seen */
    uint32_t highest_psn; /* the highest PSN seen */
    bool cack_known;
    uint32_t cack_psn; /* highest CACK_PSN that acknowledges this direction */
    bool clear_known;
    uint32_t clear_psn; /* highest CLEAR_PSN sent in this direction */
    bool mpr_known;
    uint8_t mpr; /* as last advertised to the sender of this direction */
};

struct uet_track_pdc {
    uint32_t stream; /* number of the PDC in order of appearance, from 0 */
    struct uet_ip initiator_ip, target_ip;
    uint16_t ipdcid, tpdcid; /* tpdcid 0 while unknown */
    bool rod;
    bool opened_in_sight; /* its first SYN was seen */
    bool start_known;
    uint32_t start_psn;
    bool established; /* TPDCID was seen */
    bool closing, closed, failed;
    uint32_t first_frame;        /* number of the packet that opened it */
    struct uet_track_dir dir[2]; /* [0] forward, [1] return */
    struct uet_track_pdc *next;  /* in order of appearance */
    void *priv;                  /* the tracker's own */
};

/* A SES message: packets of one message_id on one PDC and direction. */
struct uet_track_message {
    struct uet_track_pdc *pdc;
    uint8_t opcode;
    uint16_t message_id;
    uint32_t job_id;
    uint32_t request_length;
    uint64_t bytes_seen; /* distinct payload bytes */
    uint32_t first_frame, last_frame;
    bool som_seen, eom_seen;
    const uint8_t *first_header; /* copy of its first SES header, uet_headers[] bytes long */
    uint8_t first_header_id;     /* enum uet_header_id */
};

/* One packet as the tracker sees it. */
struct uet_tracked {
    uint32_t number; /* of the packet, from 1, as given to uet_track_add in order */
    uint64_t time_ns;
    struct uet_packet packet;  /* points into the frame given; good only during the callback */
    struct uet_track_pdc *pdc; /* NULL: belongs to none known */
    struct uet_track_message *message; /* NULL: none */
    bool forward;                      /* from the PDC's initiator */
    bool from_initiator_known;
    bool duplicate;           /* this PSN was sent before in this direction (whatever retx says) */
    bool retransmission;      /* duplicate with flags.retx */
    bool new_psn;             /* the highest PSN of its direction so far */
    bool acknowledged_before; /* its PSN was covered by an ACK already seen */
    uint32_t previous_frame;  /* the packet with the same PSN before, or 0 */
    uint32_t request_frame;   /* for an ACK or NACK: the request it answers, or 0 */
    uint64_t request_time_ns;
    /* For a request, CP, ACK or NACK: copies of the headers of the packet it answers or repeats. */
    const uint8_t *request_headers;   /* PDS header then SES header of request_frame, or NULL */
    uint8_t request_pds, request_ses; /* enum uet_header_id of them */
    uint16_t request_entropy;
    uint8_t request_ecn;
};

/* A tracker; NULL when the allocator has no memory. */
struct uet_track *uet_track_new(const struct uet_track_config *config);

/*
 * Takes the next packet. Returns what is known of it, owned by the tracker and overwritten by
 * the next call; NULL only when memory ran out. A frame that is not UET or does not parse comes
 * back with pdc == NULL and packet.error set.
 */
const struct uet_tracked *uet_track_add(struct uet_track *track, const uint8_t *frame, size_t len,
                                        uint64_t time_ns);

/* The PDCs seen, in order of appearance (linked by next). */
const struct uet_track_pdc *uet_track_pdcs(const struct uet_track *track);

void uet_track_free(struct uet_track *track);

#endif
