/* SPDX-License-Identifier: BSD-2-Clause */
/* Plans: topology and the sum of it all; the rest is drawn in the other plan_*.c. */
#include "sim/plan/plan.h"

#include <stdlib.h>

#include "sim/plan/choice.h"
#include "sim/plan/internal.h"

/* ---- topology ---- */

#define LONGEST 8448u /* bytes of a frame: the largest payload MTU, and all headers */

static struct uet_fabric_line draw_line(struct sim_plan *plan, struct sim_random *r)
{
    static const uint64_t speeds[] = {10, 25, 100, 400};
    uint32_t low = (uint32_t)sim_spread(r, 16384, 2u << 20);
    struct uet_fabric_line line = {
        .latency_ns = sim_spread(r, 200, 50000),
        .bits_per_s = speeds[sim_draw(r) % 4] * 1000000000ull,
        .drop_bytes = {low, (uint32_t)sim_spread(r, 8192, 1u << 20),
                       (uint32_t)sim_spread(r, 32768, 1u << 20)},
    };

    if (plan->trimming) /* into an empty queue any one goes whole, or it would be cut for ever */
        line.trim_bytes = low / 2 > LONGEST ? low / 2 : LONGEST;
    if (sim_percent(r, 60)) { /* 0.2 and 0.8 of the product (3.6.17) */
        line.ecn_min_bytes = low / 5;
        line.ecn_max_bytes = low / 5 * 4;
    }
    return line;
}

static void add_cable(struct sim_plan *plan, unsigned a, unsigned b, struct uet_fabric_line line)
{
    plan->cables[plan->n_cables++] =
        (struct uet_fabric_cable){.a = (uint16_t)a, .b = (uint16_t)b, .line = line};
}

/* Back to back; one switch; or leaves under spines of different length: paths that reorder. */
static void draw_topology(struct sim_plan *plan, struct sim_random *r)
{
    struct uet_fabric_line line = draw_line(plan, r);
    unsigned hosts = plan->n_feps, leaves = 1, spines = 0;

    if (hosts == 2 && sim_percent(r, 30)) {
        add_cable(plan, 0, 1, line);
        return;
    }
    if (sim_percent(r, 60)) {
        leaves = (unsigned)sim_between(r, 2, hosts < 8 ? hosts : 8);
        spines = (unsigned)sim_between(r, 1, 4);
    }
    plan->n_switches = (uint16_t)(leaves + spines);
    for (unsigned h = 0; h < hosts; h++)
        add_cable(plan, h, hosts + h % leaves, line);
    for (unsigned s = 0; s < spines; s++) {
        struct uet_fabric_line up = draw_line(plan, r);
        for (unsigned l = 0; l < leaves; l++)
            add_cable(plan, hosts + l, hosts + leaves + s, up);
    }
}

/* ---- the whole ---- */

struct sim_plan *sim_plan_new(uint64_t seed, uint64_t scenario, const struct sim_limits *limits)
{
    struct sim_plan *plan = calloc(1, sizeof(*plan));
    struct sim_random r = {sim_mix(seed, scenario)};

    if (!plan)
        return NULL;
    plan->seed = seed;
    plan->scenario = scenario;
    plan->n_feps = (uint16_t)(sim_percent(&r, 40) ? 2 : sim_spread(&r, 2, SIM_FEPS_MAX));
    if (limits->feps)
        plan->n_feps = limits->feps;
    plan->trimming = sim_percent(&r, 40);
    plan->lasthop = sim_percent(&r, 70);
    plan->trim_keep = (uint16_t)(sim_percent(&r, 60) ? UET_FABRIC_TRIM_KEEP
                                                     : sim_between(&r, UET_FABRIC_TRIM_KEEP, 200));
    draw_topology(plan, &r);
    plan_draw_feps(plan, &r);
    plan_draw_keeping(plan);
    plan_draw_security(plan, limits);
    if (plan_draw_traffic(plan, &r, limits) || plan_draw_added(plan, limits) ||
        plan_draw_put_off(plan, limits) || plan_draw_lone(plan, limits) ||
        plan_draw_faults(plan, &r) || plan_draw_congestion(plan, limits)) {
        sim_plan_free(plan);
        return NULL;
    }
    plan_draw_rotations(plan);
    return plan;
}

void sim_plan_free(struct sim_plan *plan)
{
    if (!plan)
        return;
    free(plan->ops);
    free(plan->faults);
    free(plan->restarts);
    free(plan);
}
