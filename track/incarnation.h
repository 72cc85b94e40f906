/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Incarnations and matches. Each struct uet_track_pdc is one incarnation of its PDCIDs: both ends
 * use them again for other PDCs. A match says to which incarnation a packet belongs, from which
 * side, and why. match.c finds it and changes nothing; pdc.c does what follows from the reason.
 */
#ifndef UET_TRACK_INCARNATION_H
#define UET_TRACK_INCARNATION_H

#include "track/internal.h"

struct uet_match {
    struct uet_track_pdc *pdc; /* NULL: none, or one that is still to be made */
    bool forward;              /* from its initiator */
    enum uet_match_reason reason;
};

/* match.c: of the packet in hand, a Request or CP, or an ACK or NACK. */
struct uet_match uet_match_request(const struct uet_track *track);
struct uet_match uet_match_answer(const struct uet_track *track);

/*
 * The newest incarnation of this PDCID, or NULL. owner_is_src: whose PDCID it is, that of the
 * packet's source or of its destination; initiator: the owner is the PDC's initiator.
 */
struct uet_track_pdc *uet_incarnation(const struct uet_track *track, bool owner_is_src,
                                      uint16_t pdcid, bool initiator);

/* From now on pdc is the newest incarnation of it. */
void uet_incarnation_set(struct uet_track *track, bool owner_is_src, uint16_t pdcid, bool initiator,
                         struct uet_track_pdc *pdc);

/* A new incarnation of the IPDCID. forward: the packet in hand comes from the initiator. */
struct uet_track_pdc *uet_incarnation_new(struct uet_track *track, bool forward, uint16_t ipdcid);

/* TPDCID becomes known. guessed: from a Request, which may be of another PDC. */
void uet_incarnation_bind(struct uet_track *track, struct uet_track_pdc *pdc, uint16_t tpdcid,
                          bool forward, bool guessed);

#endif
