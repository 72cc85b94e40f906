/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Atomics and tagged sends. They are drawn from a stream of their own and stand behind the other
 * operations: a scenario that was found before there were any is still the same without them.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/plan/internal.h"

#define STREAM       0xadded /* any number: what makes the stream another one */
#define EACH_MAX     (SIM_ADDED_MAX / 2)
#define RECEIVES_MAX (4u << 20) /* bytes of all receives */

struct times {
    uint64_t burst, spread;
    unsigned bursty; /* percent */
};

static uint64_t draw_time(struct times *t, struct sim_random *r, uint64_t length_ns)
{
    if (!t->burst || !sim_percent(r, t->bursty))
        t->burst = 1 + sim_draw(r) % length_ns;
    return t->burst + sim_draw(r) % t->spread;
}

static struct times draw_times(struct sim_random *r)
{
    return (struct times){.spread = sim_spread(r, 100, 1000000),
                          .bursty = (unsigned)(sim_draw(r) % 100)};
}

/* What both kinds have; modes: RUD, ROD or both of them. */
static void draw_common(struct sim_op *op, struct sim_random *r, const struct sim_plan *plan,
                        uint32_t modes)
{
    const uint32_t both = 1u << UET_MODE_RUD | 1u << UET_MODE_ROD;

    op->job = (uint8_t)(sim_draw(r) % plan->n_jobs);
    op->traffic_class = (uint8_t)(sim_percent(r, 80) ? 0 : sim_draw(r) % 3);
    op->mode = sim_percent(r, 50) ? UET_MODE_RUD : UET_MODE_ROD;
    if ((modes & both) != both)
        op->mode = modes >> UET_MODE_RUD & 1 ? UET_MODE_RUD : UET_MODE_ROD;
    op->delivery_complete = sim_percent(r, 30);
    op->absolute = sim_percent(r, 15);
    op->reserved = sim_percent(r, 10);
    plan_draw_pair(op, r, plan);
}

/* Of 64 bits all. A fetching one has one element (SES-165), one that compares, too. */
static void draw_atomic(struct sim_op *op, struct sim_random *r, const struct sim_plan *plan)
{
    static const uint8_t amos[] = {UET_AMO_SUM,  UET_AMO_SUM,   UET_AMO_SUM,  UET_AMO_BOR,
                                   UET_AMO_BXOR, UET_AMO_CSWAP, UET_AMO_CSWAP};
    bool fetching = sim_percent(r, 65);
    unsigned elements = 1;

    op->opcode = fetching ? UET_OP_FETCHING_ATOMIC : UET_OP_ATOMIC;
    op->amo = amos[sim_draw(r) % sizeof(amos)];
    op->datatype = sim_percent(r, 80) ? UET_TYPE_UINT64 : UET_TYPE_INT64;
    if (fetching && sim_percent(r, 15))
        op->amo = UET_AMO_READ;
    if (!fetching && op->amo != UET_AMO_CSWAP && sim_percent(r, 40))
        elements = (unsigned)sim_between(r, 2, SIM_CELL);
    op->length = 8 * elements;
    if (op->amo != UET_AMO_CSWAP) /* its place in the cell; the cell comes later */
        op->offset = 8 * (sim_draw(r) % (SIM_CELL - elements + 1));
    plan_draw_header(op, r, plan->fep[op->from].payload_mtu);
    plan_draw_wrong(op, r);
}

/* Eight bytes at least: they say whose it is, as the initiator says something else. */
static void draw_tagged(struct sim_op *op, struct sim_random *r, const struct sim_plan *plan)
{
    uint32_t mtu = plan->fep[op->from].payload_mtu;

    op->opcode = UET_OP_TAGGED_SEND;
    op->length = (uint32_t)sim_between(r, 8, sim_percent(r, 70) ? mtu : 4u * mtu);
    op->tag = (uint8_t)(sim_percent(r, 3) ? SIM_TAGS : sim_draw(r) % SIM_TAGS);
    op->rank = (uint8_t)(sim_draw(r) % SIM_RANKS);
    op->header_data = sim_percent(r, 30);
    plan_fit_to_pair(op, r, plan);
    if (op->length < 8)
        op->length = 8;
    if (op->wrong)
        return;
    plan_draw_header(op, r, mtu);
    plan_draw_wrong(op, r);
}

void plan_draw_some(struct sim_plan *plan, struct sim_random *r, plan_draw_function *draw,
                    uint32_t modes, uint32_t max)
{
    struct times times = draw_times(r);
    uint32_t n = sim_percent(r, 45) ? 0 : (uint32_t)sim_spread(r, 2, max);

    for (; n; n--) {
        struct sim_op *op = &plan->ops[plan->n_ops++];
        op->at_ns = draw_time(&times, r, plan->length_ns);
        draw_common(op, r, plan, modes);
        draw(op, r, plan);
    }
}

/* qsort does not promise it. */
void plan_sort_by_time(struct sim_op *ops, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++) {
        const struct sim_op op = ops[i];
        uint32_t at = i;
        for (; at && ops[at - 1].at_ns > op.at_ns; at--)
            ops[at] = ops[at - 1];
        ops[at] = op;
    }
}

/* ---- cells ---- */

/* Where the next atomics of a job go at a target. */
struct open_cell {
    uint32_t at;
    uint8_t n; /* operations in it; 0: there is none */
};

struct cells {
    struct open_cell open[SIM_FEPS_MAX][SIM_JOBS_MAX][2];
};

/* Those near in time share a cell, and with it what they must tell of each other. */
static void join_cell(struct sim_plan *plan, struct sim_random *r, struct cells *cells,
                      struct sim_op *op)
{
    struct open_cell *cell = &cells->open[op->to][op->job][op->amo == UET_AMO_CSWAP];

    if (!cell->n || cell->n == SIM_CELL_OPS || sim_percent(r, 8)) {
        cell->at = plan->counter_bytes[op->to][op->job];
        cell->n = 0;
        plan->counter_bytes[op->to][op->job] += SIM_CELL_BYTES;
    }
    op->offset += cell->at;
    op->digit = cell->n++;
}

static int draw_cells(struct sim_plan *plan, struct sim_random *r)
{
    struct cells *cells = calloc(1, sizeof(*cells));

    if (!cells)
        return -ENOMEM;
    for (uint32_t i = plan->n_first; i < plan->n_ops; i++)
        if (sim_is_atomic(&plan->ops[i]))
            join_cell(plan, r, cells, &plan->ops[i]);
    free(cells);
    return 0;
}

/* ---- receives ---- */

static void draw_receives(struct sim_plan *plan, struct sim_random *r)
{
    uint64_t n;

    plan->tagged_bytes = 64;
    for (uint32_t i = plan->n_first; i < plan->n_ops; i++)
        if (plan->ops[i].opcode == UET_OP_TAGGED_SEND && plan->ops[i].length > plan->tagged_bytes)
            plan->tagged_bytes = plan->ops[i].length;
    if (plan->short_receives)
        plan->tagged_bytes = (uint32_t)sim_spread(r, 64, plan->tagged_bytes);
    n = RECEIVES_MAX / plan->tagged_bytes / plan->n_feps / plan->n_jobs;
    plan->tagged_receives = (uint16_t)(n < 10 ? 10 : n < 32 ? n : 32);
    for (uint16_t i = 0; i < plan->n_feps; i++)
        plan->fep[i].max_receives =
            plan->fep[i].max_receives + (uint32_t)plan->tagged_receives * plan->n_jobs;
}

static bool has_tagged(const struct sim_plan *plan)
{
    for (uint32_t i = plan->n_first; i < plan->n_ops; i++)
        if (plan->ops[i].opcode == UET_OP_TAGGED_SEND)
            return true;
    return false;
}

int plan_draw_added(struct sim_plan *plan, const struct sim_limits *limits)
{
    struct sim_random r = {sim_mix(sim_mix(plan->seed, plan->scenario), STREAM)};
    struct sim_op *ops = calloc(plan->n_ops + SIM_ADDED_MAX, sizeof(*ops));

    plan->n_first = plan->n_ops;
    if (!ops)
        return -ENOMEM;
    memcpy(ops, plan->ops, plan->n_ops * sizeof(*ops));
    free(plan->ops);
    plan->ops = ops;
    if (!(limits->modes & (1u << UET_MODE_RUD | 1u << UET_MODE_ROD)))
        return 0;
    plan_draw_some(plan, &r, draw_atomic, limits->modes, EACH_MAX);
    plan_draw_some(plan, &r, draw_tagged, limits->modes, EACH_MAX);
    plan_sort_by_time(ops + plan->n_first, plan->n_ops - plan->n_first);
    if (has_tagged(plan))
        draw_receives(plan, &r);
    return draw_cells(plan, &r);
}
