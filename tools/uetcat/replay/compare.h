/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What came against what is in the capture. Both are in the terms of the capture (replay_rewrite).
 * Compared is what the FEP says: which kind of packet, its codes, its fields, its data. Not
 * compared is what depends on the time and on how busy it is: CACK_PSN, SACK, CLEAR_PSN, congestion
 * state, MP_Range, and CPs that only keep house.
 */
#ifndef UETCAT_REPLAY_COMPARE_H
#define UETCAT_REPLAY_COMPARE_H

#include "tools/uetcat/replay/plan.h"

/* One difference, however often it was found. */
struct replay_difference {
    char what[200];
    uint32_t first; /* number of the first packet of the capture, 0: none is concerned */
    uint32_t n;
};

struct replay_differences {
    struct replay_difference *at;
    size_t n, room;
    bool failed; /* memory ran out */
};

/* Notes one; the same words again count up. */
void replay_note(struct replay_differences *d, uint32_t number, const char *words, ...)
    __attribute__((format(printf, 3, 4)));
void replay_differences_free(struct replay_differences *d);

/* A CP of no meaning of its own: Clear, Credit, Probe, ACK Request. */
bool replay_keeps_house(const struct uet_packet *p);

/* Does what came stand for what was expected? */
enum replay_fit {
    REPLAY_FIT_NOT,
    REPLAY_FIT_INSTEAD, /* an answer to the same packet, of another kind */
    REPLAY_FIT_SAME,    /* the same kind of packet, and the same PSN */
};
enum replay_fit replay_fits(const struct replay_item *expected, const struct replay_item *got);

/* Is it an ACK that says no more than that the packet arrived, so that a CACK_PSN says as much? */
bool replay_is_plain_ack(const struct uet_packet *p);

/* Notes in what the two differ; true when in nothing. */
bool replay_compare(struct replay_differences *d, const struct replay_item *expected,
                    const struct replay_item *got);

#endif
