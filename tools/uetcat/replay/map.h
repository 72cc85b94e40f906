/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Packets of one PDC as packets of another one: PDCIDs, and every PSN that a header names (both
 * directions of a PDC begin at one Start_PSN, PDS-028). Nothing else changes.
 */
#ifndef UETCAT_REPLAY_MAP_H
#define UETCAT_REPLAY_MAP_H

#include "wire/packet.h"

struct replay_map {
    uint32_t shift;          /* added to each PSN, or to a RUDI pkt_id */
    uint16_t spdcid, dpdcid; /* those that the packet gets */
};

/*
 * Rewrites the packet in `bytes`, which p was parsed from (UET_START_PDS). A PDCID that is 0, as in
 * a NACK without PDC, stays so; a SYN has no DPDCID.
 */
void replay_rewrite(uint8_t *bytes, const struct uet_packet *p, const struct replay_map *map);

/* Does it need the DPDCID, which the other FEP must have told? */
bool replay_needs_dpdcid(const struct uet_packet *p);

#endif
