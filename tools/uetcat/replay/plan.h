/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a capture gives to replay: the packets of one FEP, to be sent again, and those that the
 * other one answered. Nothing here knows of the FEP that they will be sent to.
 */
#ifndef UETCAT_REPLAY_PLAN_H
#define UETCAT_REPLAY_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "track/track.h"
#include "wire/captured/reader.h"
#include "wire/packet.h"

/* Why a packet of the capture is not sent again, nor compared. */
enum replay_left {
    REPLAY_LEFT_NONE,
    REPLAY_LEFT_OTHER,     /* not UET */
    REPLAY_LEFT_STRANGERS, /* of other FEPs than the two */
    REPLAY_LEFT_SEALED,    /* encrypted, by a key that is not there */
    REPLAY_LEFT_START,     /* what a SYN refused by UET_NEW_START_PSN was about (3.5.8.2) */
    REPLAY_LEFT_CUT,       /* cut short by the capture, or by a switch */
    REPLAY_LEFT_LONG,      /* longer than any frame that is sent here */
    REPLAY_LEFT_DAMAGED,   /* a wrong CRC, or no whole PDS header */
    REPLAY_LEFT_NO_SYN,    /* of a PDC whose SYN is not in the capture */
    REPLAY_LEFT_THEIRS,    /* of a PDC that the other one opened */
    REPLAY_LEFT_ANSWERS,   /* answers to packets that are left out */
    REPLAY_LEFT_KINDS
};

/* Bytes from the PDS header on: with every header before them they fit into UET_FRAME_MAX. */
enum { REPLAY_ITEM_MAX = UET_FRAME_MAX - 128 };

/* "encrypted" */
const char *replay_left_text(enum replay_left why);

struct replay_pdc {
    const struct uet_track_pdc *track; /* while the plan is made */
    bool rudi;                         /* no PDC, but all RUDI packets */
    uint16_t ipdcid, tpdcid;           /* in the capture; tpdcid 0: it was never told */
    uint32_t start_psn;
    bool sealed; /* under the keys of sdi */
    uint32_t sdi;
    bool cack_known; /* the highest CACK_PSN of the other side's ACKs */
    uint32_t cack_psn;
};

struct replay_item {
    uint32_t number;  /* of the packet in the capture, from 1; 0: it came now */
    uint32_t answers; /* the number of the packet that it answers, or 0 */
    uint32_t pdc;     /* in the plan */
    bool ours;        /* of the side that is replayed */
    bool copy;        /* sent again there, for want of an ACK or by the network: it need not come */
    uint8_t traffic_class;
    uint16_t entropy;
    bool sealed; /* it came sealed, in the domain of sdi */
    uint32_t sdi;
    uint64_t time_ns;
    uint32_t len;
    uint8_t *bytes;           /* from the PDS header on, without trailer */
    struct uet_packet packet; /* of these */
    bool over;                /* the caller's: it was sent, or what stands for it came */
    bool given_up;            /* the caller's: it is not waited for any more */
};

struct replay_plan {
    struct uet_ip ours, theirs;
    bool native, crc; /* as the first packet of ours has it */
    uint8_t crc_order;
    struct replay_item *items;
    size_t n_items;
    struct replay_pdc *pdcs;
    size_t n_pdcs;
    uint64_t packets; /* of the capture */
    uint64_t n_ours, n_theirs;
    uint64_t left[REPLAY_LEFT_KINDS];
    /* ---- */
    size_t room_items, room_pdcs;
};

/*
 * Reads the capture. as: the side to replay; NULL: who opened the first PDC, or sent the first
 * RUDI Request. keys: what opens sealed packets; NULL: they are left out. 0, or -1 after err has
 * one line. In both cases replay_plan_free.
 *
 * Where a sealed PDC begins is of the moment: SYNs that were refused by UET_NEW_START_PSN are left
 * out, and the PDC begins with those that came behind.
 */
int replay_plan_read(struct replay_plan *p, const char *path, const struct uet_ip *as,
                     uint8_t ip_protocol, struct uet_keyring *keys, char *err, size_t size);
void replay_plan_free(struct replay_plan *p);

/* Where the packet's own bytes end: before ICV or CRC. */
size_t replay_end(const struct uet_packet *p);

/* A packet's bytes as an item, parsed; false without memory. */
bool replay_item_make(struct replay_item *item, const uint8_t *bytes, size_t len);

#endif
