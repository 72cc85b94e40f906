/* SPDX-License-Identifier: BSD-2-Clause */
/* Chance for plans. What is drawn depends on the seed alone. */
#ifndef UET_SIM_RANDOM_H
#define UET_SIM_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

#include "wire/splitmix.h"

struct sim_random {
    uint64_t state;
};

static inline uint64_t sim_draw(struct sim_random *r)
{
    return uet_splitmix64(&r->state);
}

/* One number from several: an own stream for each thing that needs one. */
static inline uint64_t sim_mix(uint64_t a, uint64_t b)
{
    struct sim_random r = {a ^ b * 0xd1342543de82ef95u};
    return sim_draw(&r);
}

/* low..high, both possible. */
static inline uint64_t sim_between(struct sim_random *r, uint64_t low, uint64_t high)
{
    return low + sim_draw(r) % (high - low + 1);
}

static inline bool sim_percent(struct sim_random *r, unsigned percent)
{
    return sim_draw(r) % 100 < percent;
}

/* low..high, every power of two as likely as the next; low > 0. */
static inline uint64_t sim_spread(struct sim_random *r, uint64_t low, uint64_t high)
{
    unsigned steps = 0;
    while (steps < 63 && low << (steps + 1) <= high && low << (steps + 1) > low << steps)
        steps++;
    uint64_t from = low << sim_between(r, 0, steps), to = 2 * from - 1;
    return sim_between(r, from, to < high ? to : high);
}

#endif
