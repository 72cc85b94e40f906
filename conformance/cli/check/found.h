/* SPDX-License-Identifier: BSD-2-Clause */
/* Violations grouped by requirement, with the first packets of each. */
#ifndef UET_CONFORMANCE_CLI_CHECK_FOUND_H
#define UET_CONFORMANCE_CLI_CHECK_FOUND_H

#include "rules/rules.h"

/* Numbers of packets that are kept beyond those that are shown. */
#define CHECK_NUMBERS 12

/* A packet in words. */
struct check_words {
    const char *line;
    const char *match; /* static: why it was taken for one of its PDC, or NULL: that is plain */
};

struct check_packet {
    uint32_t number;
    char *message, *line;
    const char *match; /* as in struct check_words */
};

struct check_group {
    const char *id;
    const struct uet_requirement *requirement; /* NULL: not in the tables */
    const char *title;                         /* of its rule */
    bool reported;                             /* told only (struct uet_violation) */
    uint32_t violations, packets;              /* a packet may break it twice */
    uint32_t last;                             /* packet */
    struct check_packet *shown;                /* the first ones, at most `max` */
    uint32_t n_shown;
    uint32_t numbers[CHECK_NUMBERS]; /* of those after them */
    uint32_t n_numbers;
};

struct check_found {
    struct check_group *groups; /* in order of their first packet */
    size_t n_groups;
    uint32_t violations, must; /* all, and those of MUSTs and MUST NOTs */
};

/* Does a violation of it weigh as one of a MUST? Not where another reading is accepted. */
bool check_is_must(const struct check_group *group);

/*
 * Notes a violation and, of the first `max` of its requirement, the words. 1: it is one of those;
 * 0: it is not; -1: memory ran out.
 */
int check_found_add(struct check_found *found, const struct uet_violation *violation,
                    const struct check_words *words, uint32_t max);

void check_found_free(struct check_found *found);

#endif
