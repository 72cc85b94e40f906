/* SPDX-License-Identifier: BSD-2-Clause */
/* The faults and restarts of a plan. */
#include <errno.h>
#include <stdlib.h>

#include "sim/plan_internal.h"

#define MS 1000000ull

enum { FAULTS_MAX = 12, RESTARTS_MAX = 3 };

static uint32_t draw_rate(struct sim_random *r)
{
    return (uint32_t)sim_spread(r, 500, 500000); /* 0.05 % to a half */
}

/* What a fault is, by its number in the table. */
static void draw_what(struct sim_fault *fault, struct sim_random *r, bool crc)
{
    static const char *const names[] = {"loss",       "duplication", "delay",
                                        "corruption", "down",        "buffers"};
    unsigned what = (unsigned)(sim_draw(r) % 6);

    if (what == 3 && !crc) /* nobody could notice */
        what = 0;
    fault->name = names[what];
    switch (what) {
    case 0:
        fault->faults.lose = draw_rate(r);
        break;
    case 1:
        fault->faults.duplicate = draw_rate(r);
        break;
    case 2:
        fault->faults.delay = draw_rate(r);
        fault->faults.delay_ns = sim_spread(r, 1000, 2 * MS);
        break;
    case 3:
        fault->faults.corrupt = draw_rate(r);
        break;
    case 4:
        fault->faults.down = true;
        break;
    default:
        fault->faults.buffer_percent = (uint8_t)sim_between(r, 1, 50);
    }
    /* Sometimes only data, or only what answers it. */
    if (sim_percent(r, 30))
        fault->faults.spared =
            (uint8_t)(sim_percent(r, 50) ? 1u << UET_FABRIC_HIGH : 1u << UET_FABRIC_LOW);
}

static void draw_fault(struct sim_plan *plan, struct sim_fault *fault, struct sim_random *r)
{
    uint64_t longest = plan->length_ns / 2 + 1;

    draw_what(fault, r, plan->protect == UET_PROTECT_CRC);
    fault->cable = (uint16_t)(sim_draw(r) % plan->n_cables);
    fault->lines = (uint8_t)sim_between(r, 1, 3);
    fault->at_ns = sim_draw(r) % plan->length_ns;
    fault->for_ns = longest > 10000 ? sim_spread(r, 10000, longest) : longest;
    /* Mostly shorter than what resends can outlast. */
    if (fault->faults.down && fault->for_ns > 100 * MS && !sim_percent(r, 10))
        fault->for_ns = sim_spread(r, 10000, 100 * MS);
}

static void lengthen(struct sim_plan *plan, uint64_t end_ns)
{
    if (end_ns > plan->length_ns)
        plan->length_ns = end_ns;
}

int plan_draw_faults(struct sim_plan *plan, struct sim_random *r)
{
    uint64_t length_ns = plan->length_ns;

    plan->faults = calloc(FAULTS_MAX, sizeof(*plan->faults));
    plan->restarts = calloc(RESTARTS_MAX, sizeof(*plan->restarts));
    if (!plan->faults || !plan->restarts)
        return -ENOMEM;
    plan->n_faults = sim_percent(r, 20) ? 0 : (uint32_t)sim_between(r, 1, FAULTS_MAX);
    for (uint32_t i = 0; i < plan->n_faults; i++)
        draw_fault(plan, &plan->faults[i], r);
    plan->n_restarts = sim_percent(r, 70) ? 0 : (uint32_t)sim_between(r, 1, RESTARTS_MAX);
    for (uint32_t i = 0; i < plan->n_restarts; i++)
        plan->restarts[i] = (struct sim_restart){
            .at_ns = sim_draw(r) % length_ns,
            /* Longer than a frame of its earlier life can stay under way. */
            .down_ns = sim_spread(r, 40 * MS, 400 * MS),
            .fep = (uint16_t)(sim_draw(r) % plan->n_feps),
        };
    for (uint32_t i = 0; i < plan->n_faults; i++)
        lengthen(plan, plan->faults[i].at_ns + plan->faults[i].for_ns);
    for (uint32_t i = 0; i < plan->n_restarts; i++)
        lengthen(plan, plan->restarts[i].at_ns + plan->restarts[i].down_ns);
    for (uint32_t i = 0; i < plan->n_ops; i++)
        lengthen(plan, plan->ops[i].at_ns);
    return 0;
}
