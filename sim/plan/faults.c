/* SPDX-License-Identifier: BSD-2-Clause */
/* The faults and restarts of a plan. */
#include <errno.h>
#include <stdlib.h>

#include "sim/plan/internal.h"

#define MS 1000000ull

/* Three lines in a row may be that late: less than a FEP that is restarted stays down. */
#define LATE_NS (12 * MS)

enum { DRAWS_MAX = 12, FAULTS_MAX = DRAWS_MAX + SIM_FEPS_MAX, RESTARTS_MAX = 3 };

static uint32_t draw_rate(struct sim_random *r)
{
    return (uint32_t)sim_spread(r, 500, 500000); /* 0.05 % to a half */
}

enum kind {
    LOSS,
    BURST,
    DUPLICATION,
    ECHO,
    DELAY,
    CORRUPTION,
    DOWN,
    BUFFERS,
    MARKING,
    TRIMMING,
    PARTITION,
    KINDS
};

static const char *const names[KINDS] = {
    [LOSS] = "loss",         [BURST] = "loss in bursts", [DUPLICATION] = "duplication",
    [ECHO] = "late copies",  [DELAY] = "delay",          [CORRUPTION] = "corruption",
    [DOWN] = "down",         [BUFFERS] = "buffers",      [MARKING] = "marking",
    [TRIMMING] = "trimming", [PARTITION] = "partition"};

static enum kind draw_what(const struct sim_plan *plan, struct sim_random *r)
{
    enum kind what = (enum kind)(sim_draw(r) % KINDS);
    bool guarded = plan->protect != UET_PROTECT_NONE || plan->unguarded;

    if (plan->unguarded && !plan->n_faults)
        return CORRUPTION;
    if (what == CORRUPTION && !guarded) /* nobody could notice */
        return LOSS;
    if (what == TRIMMING && !plan->trimming)
        return MARKING;
    return what;
}

static void draw_strength(struct sim_fault *fault, struct sim_random *r, enum kind what)
{
    struct uet_fabric_faults *f = &fault->faults;

    switch (what) {
    case LOSS:
        f->lose = draw_rate(r);
        break;
    case BURST:
        f->lose = draw_rate(r) / 10 + 1;
        f->lose_run = (uint16_t)sim_spread(r, 2, 200);
        break;
    case DUPLICATION:
        f->duplicate = draw_rate(r);
        break;
    case ECHO:
        f->duplicate = draw_rate(r);
        f->copy_delay_ns = sim_spread(r, 10000, LATE_NS);
        break;
    case DELAY:
        f->delay = draw_rate(r);
        f->delay_ns = sim_spread(r, 1000, sim_percent(r, 20) ? LATE_NS : 2 * MS);
        break;
    case CORRUPTION:
        f->corrupt = draw_rate(r);
        break;
    case BUFFERS:
        f->buffer_percent = (uint8_t)sim_between(r, 1, 50);
        break;
    case MARKING:
        f->mark = draw_rate(r);
        break;
    case TRIMMING:
        f->trim = draw_rate(r);
        break;
    default:
        f->down = true;
    }
    /* Sometimes only data, or only what answers it. */
    if (!f->down && sim_percent(r, 30))
        f->spared = (uint8_t)(sim_percent(r, 50) ? 1u << UET_FABRIC_HIGH : 1u << UET_FABRIC_LOW);
}

static void draw_when(const struct sim_plan *plan, struct sim_fault *fault, struct sim_random *r)
{
    uint64_t longest = plan->length_ns / 2 + 1;

    fault->at_ns = sim_draw(r) % plan->length_ns;
    fault->for_ns = longest > 10000 ? sim_spread(r, 10000, longest) : longest;
    /* Mostly shorter than what resends can outlast. */
    if (fault->faults.down && fault->for_ns > 100 * MS && !sim_percent(r, 10))
        fault->for_ns = sim_spread(r, 10000, 100 * MS);
}

/* Some hosts lose sight of all others at once: the same fault on the cable of each. */
static void partition(struct sim_plan *plan, struct sim_random *r, const struct sim_fault *like)
{
    for (uint16_t i = 0; i < plan->n_feps && plan->n_faults < FAULTS_MAX; i++) {
        if (!sim_percent(r, 40))
            continue;
        plan->faults[plan->n_faults] = *like;
        plan->faults[plan->n_faults++].cable = i < plan->n_cables ? i : 0; /* hosts come first */
    }
}

static void draw_fault(struct sim_plan *plan, struct sim_random *r)
{
    enum kind what = draw_what(plan, r);
    struct sim_fault fault = {.name = names[what], .lines = 3};

    draw_strength(&fault, r, what);
    draw_when(plan, &fault, r);
    if (what == PARTITION) {
        partition(plan, r, &fault);
        return;
    }
    fault.cable = (uint16_t)(sim_draw(r) % plan->n_cables);
    fault.lines = (uint8_t)sim_between(r, 1, 3);
    plan->faults[plan->n_faults++] = fault;
}

static void lengthen(struct sim_plan *plan, uint64_t end_ns)
{
    if (end_ns > plan->length_ns)
        plan->length_ns = end_ns;
}

int plan_draw_faults(struct sim_plan *plan, struct sim_random *r)
{
    uint64_t length_ns = plan->length_ns;
    unsigned draws;

    plan->faults = calloc(FAULTS_MAX, sizeof(*plan->faults));
    plan->restarts = calloc(RESTARTS_MAX, sizeof(*plan->restarts));
    if (!plan->faults || !plan->restarts)
        return -ENOMEM;
    draws = sim_percent(r, 20) && !plan->unguarded ? 0 : (unsigned)sim_between(r, 1, DRAWS_MAX);
    for (; draws && plan->n_faults < FAULTS_MAX; draws--)
        draw_fault(plan, r);
    plan->n_restarts = sim_percent(r, 70) ? 0 : (uint32_t)sim_between(r, 1, RESTARTS_MAX);
    for (uint32_t i = 0; i < plan->n_restarts; i++)
        plan->restarts[i] = (struct sim_restart){
            .at_ns = sim_draw(r) % length_ns,
            /* Longer than a frame of its earlier incarnation can stay under way. */
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
