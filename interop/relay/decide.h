/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What becomes of a packet: a function of seed, plan, direction, the packet's number there, and
 * for some rules time. No clock, and no state but that of queues: the same conversation has the
 * same fate.
 */
#ifndef UET_INTEROP_RELAY_DECIDE_H
#define UET_INTEROP_RELAY_DECIDE_H

#include "interop/relay/plan.h"
#include "wire/packet.h"

/* What is known of a frame. */
struct relay_frame_info {
    enum relay_side from;
    uint64_t index;   /* of the UET packets from that side, from 0; of no other frame */
    uint64_t time_ns; /* since the first UET packet from either side; before: UINT64_MAX */
    const struct uet_packet *packet;     /* NULL: not UET */
    const struct uet_parse_options *how; /* as it was parsed; NULL stands for the usual numbers */
};

/* When the links of the queues of a plan will have sent all that is in them, for one direction. */
struct relay_queues {
    uint64_t empty_ns[RELAY_RULES_MAX];
};

struct relay_fate {
    uint32_t done;         /* 1 << enum relay_kind of all that happens to it */
    uint32_t spared;       /* and of what was its turn, and could not be done to this packet */
    uint8_t dscp_after;    /* TRIM */
    uint32_t corrupt_byte; /* CORRUPT: from the first byte of the frame */
    uint8_t corrupt_bit;   /* 0 is the least */
    uint32_t waits_for;    /* REORDER: packets that come after it and go before it */
    uint32_t path;         /* REHASH: from 0 */
    uint64_t delay_ns;     /* QUEUE, DELAY and REHASH together */
    uint64_t copy_ns;      /* DUPLICATE: the copy's delay beyond that */
};

static inline bool relay_is(const struct relay_fate *fate, enum relay_kind kind)
{
    return fate->done >> kind & 1;
}

/* Is it gone? */
static inline bool relay_lost(const struct relay_fate *fate)
{
    return fate->done & (1u << RELAY_CUT | 1u << RELAY_LOSS | 1u << RELAY_QUEUE);
}

/*
 * Decides. The rules are looked at in the order of enum relay_kind, and two of one kind in the
 * order of the plan: a packet that is lost meets nothing else, one that is trimmed is neither
 * marked nor corrupted. queues is zeroed at first, and changes by packets that are queued.
 */
struct relay_fate relay_decide(const struct relay_plan *plan, uint64_t seed,
                               const struct relay_frame_info *info, struct relay_queues *queues);

/* Is it UET: by UDP port or IP protocol, however malformed what follows? */
bool relay_is_uet(const struct uet_packet *p);

/*
 * Does to the bytes what was decided: trim, CE, corruption. Checksums of IP are made right again,
 * nothing else is: what a switch changes, and what a wrong bit does (4.1, 3.5.25).
 */
void relay_alter(const struct relay_fate *fate, const struct uet_packet *p, uint8_t *frame,
                 uint32_t *len);

/* The fate as a comment, "" where nothing happened; copy: of the second copy. Returns text. */
const char *relay_fate_text(const struct relay_fate *fate, bool copy, char *text, size_t cap);

#endif
