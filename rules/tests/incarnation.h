/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Scenes in which the PDCIDs of two FEPs are given anew, packet by packet, and what tracker and
 * rules make of them.
 */
#ifndef UET_RULES_TESTS_INCARNATION_H
#define UET_RULES_TESTS_INCARNATION_H

#include "rules/rules.h"
#include "track/arena.h"
#include "track/tests/talk.h"

enum { MAX_VIOLATIONS = 16, US = 1000 };

struct scene {
    struct uet_track_arena arena;
    struct uet_track *track;
    struct uet_rules *rules;
    uint64_t now;
    const struct uet_tracked *t; /* the packet given last */
};

/* A tracker and its rules, from the start on; what a window says is told to the rules. */
void open_scene_with(struct scene *s, uint8_t vantage, const struct uet_rules_window *window);

/* The same without a window told. */
void open_scene(struct scene *s, uint8_t vantage);

void close_scene(struct scene *s);

/* An incarnation of the PDCIDs: the talk with other PDCIDs, and PSNs that begin elsewhere. */
struct talk *live(unsigned i, uint16_t ipdcid, uint16_t tpdcid, uint32_t start);

/* Gives a packet of an incarnation; nothing may be wrong with it. Returns its PDC. */
struct uet_track_pdc *give(struct scene *s, struct talk *talk, enum talk_name name);

/* As if it had been sealed, in one domain. */
struct uet_track_pdc *give_sealed(struct scene *s, struct talk *talk, enum talk_name name);

/* Gives a packet of an incarnation that breaks a requirement. */
void blame(struct scene *s, struct talk *talk, enum talk_name name, const char *requirement);

/* From..to of an incarnation; the PDC of the last one. */
struct uet_track_pdc *run(struct scene *s, struct talk *talk, enum talk_name from,
                          enum talk_name to);

/* That packet as a retransmission. */
void again(struct talk *talk, enum talk_name name);

void exchange(struct talk *talk);

/* TALK_NACK7 of that talk, without a PDC of its sender, is this. */
void nack(struct talk *talk, uint8_t code, uint16_t dpdcid, uint32_t psn);

/* The target refuses a SYN: by TALK_NACK7, for the PSN that it has. */
struct uet_track_pdc *refuse(struct scene *s, struct talk *talk, uint8_t code, uint32_t psn);

#endif
