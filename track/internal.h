/* SPDX-License-Identifier: BSD-2-Clause */
/* Inside the tracker: what its modules share. */
#ifndef UET_TRACK_INTERNAL_H
#define UET_TRACK_INTERNAL_H

#include "track/memory.h"
#include "track/track.h"

/* PSNs farther apart than this are not those of one PDC: a reused PDC starts so far away (3.5.8.2).
 */
#define UET_FAR 65536

/* Two FEPs that talk with each other. */
struct uet_pair {
    struct uet_ip ip[2];
    uint64_t hash;
};

struct uet_track {
    struct uet_track_config config;
    struct uet_parse_options parse;
    struct uet_pool pool;
    struct uet_map pairs;      /* of addresses that talk with each other */
    struct uet_map pdc_keys;   /* {pair, owner, PDCID, role} -> PDC */
    struct uet_map cccs;       /* {pair, source, ccc_id} of CC Requests */
    struct uet_map loose;      /* {pair, source, SPDCID, PSN} of packets without a PSN of a PDC */
    struct uet_pages psns;     /* struct psn_entry, by PSN */
    struct uet_pages messages; /* the newest one, by message_id */
    struct uet_track_pdc *first, *last;
    /* What was forgotten, to be used again: only with config.window. */
    struct psn_entry *free_psns;
    struct loose_entry *free_loose, *oldest_loose, *newest_loose;
    struct uet_track_message *free_messages;
    struct uet_seals *seals; /* NULL until the first packet with a TSS header */
    uint32_t n_loose;
    uint32_t streams;
    uint32_t number;
    struct uet_track_totals totals;
    /* Of the packet in hand. */
    const struct uet_pair *pair;
    uint8_t src, dst; /* which of the pair's addresses: the same one when a FEP talks with itself */
    uint16_t spdcid, dpdcid;
    struct uet_tracked t;
};

/* Does the vantage see every packet, so that none needs to be guessed? */
static inline bool uet_sees_all(const struct uet_track *track)
{
    return track->config.vantage != UET_VANTAGE_MIDDLE;
}

static inline bool uet_from_start(const struct uet_track *track)
{
    return track->config.from_start || track->config.vantage == UET_VANTAGE_BOTH;
}

/* pdc.c: which PDC the packet in hand belongs to. Sets t.pdc, forward, opens, mismatch, loose. */
void uet_locate_request(struct uet_track *track);
void uet_locate_answer(struct uet_track *track);

/* incarnation.c: between which two FEPs the packet in hand travels. Sets pair, src, dst. */
void uet_locate_pair(struct uet_track *track);

/* psn.c */
struct uet_track_psn *uet_psn_find(const struct uet_track *track, const struct uet_track_pdc *pdc,
                                   bool forward, uint32_t psn);

/* Remembers the packet in hand under its PSN; sets t.own, before, duplicate and the like. */
void uet_psn_take(struct uet_track *track);

/* Remembers the packet in hand as loose: only a NACK or a probe answer will ask for it. */
void uet_loose_take(struct uet_track *track);

/* The loose packet that went from -> to, the answer's destination and source. psn: 64 bits. */
struct uet_track_psn *uet_loose_find(const struct uet_track *track, uint64_t key);

/* The key of a Probe, by its opaque value: probes have no PSN (3.5.16.5). */
static inline uint64_t uet_probe_key(uint16_t opaque)
{
    return UINT64_C(1) << 32 | opaque;
}

/* Runs of seen and acknowledged PSNs go on as far as they can. */
void uet_dir_advance(const struct uet_track *track, struct uet_track_pdc *pdc, bool forward);

/* The key of a RUDI packet, by its pkt_id: it has no PDCIDs (3.5.10.9). */
static inline uint64_t uet_rudi_key(uint32_t pkt_id)
{
    return UINT64_C(2) << 32 | pkt_id;
}

/* The loose packet that the packet in hand repeats; *slot stays good until the next call. */
struct uet_track_psn **uet_loose_slot(struct uet_track *track, uint64_t key);

/* A new record of the packet in hand that stands in no run of PSNs. */
struct uet_track_psn *uet_loose_new(struct uet_track *track, uint32_t psn);

/* One more copy of what is known; says so in t. */
void uet_repeat(struct uet_track *track, struct uet_track_psn *psn);

/* What an answer says of psn, which may be NULL; says so in t. */
void uet_answers(struct uet_tracked *t, const struct uet_track_psn *psn);

/* The target asks for a close in the packet in hand. */
static inline void uet_asks_to_close(const struct uet_tracked *t)
{
    if (!t->pdc->close_asked_by)
        t->pdc->close_asked_by = t->number;
}

/* loss.c: why the PSN in hand is sent again. psn: as it was before this copy. */
void uet_loss_take(struct uet_track *track, const struct uet_track_psn *psn);

/* A NACK of the PDC asks for psn. */
void uet_loss_nacked(struct uet_track *track, struct uet_track_psn *psn);

/* An ACK tells PSNs received: what the source may infer from. */
void uet_loss_told(struct uet_track *track, struct uet_track_psn *named);

/* ---- flight.c ---- */

/* A Request or CP that takes a PSN: its first copy, or one more. */
void uet_inflight_take(struct uet_track *track, struct uet_track_psn *psn);

/* An ACK, before anything of it is noted; named: the PSN that it names, or NULL. */
void uet_inflight_acked(struct uet_track *track, const struct uet_track_psn *named);

/* The same, when what its SACK tells is noted. */
void uet_inflight_told(struct uet_track *track, const struct uet_track_psn *named);

/* A NACK of this PSN. */
void uet_inflight_nacked(struct uet_track *track, struct uet_track_psn *psn);

/* credit.c: a Request is sent, before anything of it is in flight; a credit comes. */
void uet_credit_spend(struct uet_track *track);
void uet_credit_grant(struct uet_track *track, uint32_t credit);

/* seal.c: what the TSS header of the packet in hand says; sets t.seal. */
void uet_seal_take(struct uet_track *track);
void uet_seals_free(struct uet_track *track);

/* rudi.c: requests without a PDC and what answers them. */
void uet_rudi_take(struct uet_track *track);

/* ack.c: what an ACK or NACK says of the direction it answers. */
void uet_ack_take(struct uet_track *track);
void uet_nack_take(struct uet_track *track);

/* message.c: the message of the Request in hand, whose PSN is new. */
void uet_message_take(struct uet_track *track, struct uet_track_psn *psn);

/* A PSN of the message is forgotten. */
void uet_message_forget(struct uet_track *track, struct uet_track_message *message);

/* Read data that the packet in hand brings; read: the Request answered when it is an ACK. They
 * count when they come for the first time. */
void uet_message_data(struct uet_track *track, struct uet_track_psn *read, bool first);

/* An error ends a read. */
void uet_message_failed(struct uet_track_message *message);

#endif
