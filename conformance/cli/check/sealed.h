/* SPDX-License-Identifier: BSD-2-Clause */
/* What TSS has sealed in one capture: what opened it, and what nobody opened. */
#ifndef UET_CONFORMANCE_CLI_CHECK_SEALED_H
#define UET_CONFORMANCE_CLI_CHECK_SEALED_H

#include <jansson.h>

#include "track/track.h"

#define CHECK_SLOTS 8

/* Packets of one AN of a domain that were not opened. */
struct check_slot {
    uint32_t sdi, packets;
    uint8_t an;
    bool refused; /* there are keys for it */
};

struct check_sealed {
    uint32_t opened;
    uint32_t over_udp, without_udp; /* TSS-012, of those that tell: U1, U2 */
    uint32_t by_ssi, by_address;    /* TSS-077, of IPv6 with an SSI */
    struct check_slot slots[CHECK_SLOTS];
    unsigned n_slots;
    uint32_t in_others; /* packets of slots beyond */
};

/* Counts a packet with a TSS header. */
void check_sealed_note(struct check_sealed *sealed, const struct uet_packet *p);

/* Lines about them; nothing when there are none. */
void check_sealed_tell(const struct check_sealed *sealed, const struct uet_track_totals *totals);

/* The same as JSON. */
json_t *check_sealed_json(const struct check_sealed *sealed, const struct uet_track_totals *totals);

#endif
