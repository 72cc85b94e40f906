/* SPDX-License-Identifier: BSD-2-Clause */
/* Which parts of a plan take part: three sets of numbers, and a longest length. */
#ifndef UET_SIM_CHOICE_H
#define UET_SIM_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/plan/plan.h"

struct sim_set {
    uint8_t *in; /* one byte each, owned */
    uint32_t n;
};

struct sim_choice {
    struct sim_set ops, faults, restarts;
    uint32_t max_length; /* longer operations are cut to this many bytes */
};

/* All of the plan. 0 or -ENOMEM. */
int sim_choice_all(struct sim_choice *choice, const struct sim_plan *plan);
int sim_choice_copy(struct sim_choice *to, const struct sim_choice *from);
void sim_choice_free(struct sim_choice *choice);

uint32_t sim_set_count(const struct sim_set *set);

/*
 * Reads "0-3,7", "all" or "none" into a set. 0; -EINVAL: no such text; -ERANGE: a number that the
 * plan does not have.
 */
int sim_set_parse(struct sim_set *set, const char *text);

/* The same text; malloc'ed, NULL without memory. */
char *sim_set_text(const struct sim_set *set);

/* How many FEPs have something to do. */
uint16_t sim_choice_feps(const struct sim_choice *choice, const struct sim_plan *plan);

#endif
