/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sends that their target may put off -- deferrable ones and those by rendezvous -- and times in
 * which it has no receive for them, as its application has taken receives back. From a stream of
 * their own, and behind all other operations, as in added.c.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/plan/internal.h"

#define STREAM         0x9e1a7 /* any number: what makes the stream another one */
#define KEEPING_STREAM 0x6ee91 /* the same */
#define KINDS          2u
#define EACH_MAX       (SIM_PUT_OFF_MAX / (KINDS + 1))
#define RECEIVES_MAX   (1u << 20) /* bytes of all tagged receives */
#define MS             1000000ull
#define WITHDRAWN_MAX  64

/* Eight bytes at least: they say whose it is. No longer than a receive that is not too short. */
static void draw_length(struct sim_op *op, struct sim_random *r, const struct sim_plan *plan)
{
    uint32_t mtu = plan->fep[op->from].payload_mtu, other = plan->fep[op->to].payload_mtu;
    uint32_t max = sim_is_tagged(op) ? 8 * mtu : plan->receive_bytes;
    bool too_long = plan->short_receives && plan->truncate && sim_percent(r, 30);

    if (plan->tagged_receives && sim_is_tagged(op) && plan->tagged_bytes < max)
        max = plan->tagged_bytes;
    if (max > 8 * mtu || too_long)
        max = 8 * mtu;
    if (mtu != other) /* one packet, the READ of the rest, too */
        max = max < mtu ? max : mtu;
    if (mtu != other && max > other)
        max = other;
    op->length = (uint32_t)sim_between(r, 8, sim_percent(r, 60) && max > mtu ? mtu : max);
}

static void draw_deferrable(struct sim_op *op, struct sim_random *r, const struct sim_plan *plan)
{
    op->opcode = sim_percent(r, 65) ? UET_OP_DEFERRABLE_TSEND : UET_OP_DEFERRABLE_SEND;
    op->mode = UET_MODE_RUD; /* SES-154 */
    draw_length(op, r, plan);
}

/* Nothing of it eagerly, some bytes, whole packets, all but a little, or all. */
static void draw_rendezvous(struct sim_op *op, struct sim_random *r, const struct sim_plan *plan)
{
    uint32_t mtu = plan->fep[op->from].payload_mtu;

    op->opcode = sim_percent(r, 65) ? UET_OP_RENDEZVOUS_TSEND : UET_OP_RENDEZVOUS_SEND;
    draw_length(op, r, plan);
    const uint32_t eager[] = {0, 1, 64, mtu, 2 * mtu, op->length - 1, op->length};
    op->eager = sim_percent(r, 30) ? (uint32_t)sim_between(r, 0, op->length)
                                   : eager[sim_draw(r) % (sizeof(eager) / sizeof(*eager))];
    if (op->eager > op->length)
        op->eager = op->length;
}

static void draw_put_off(struct sim_op *op, struct sim_random *r, const struct sim_plan *plan)
{
    if (sim_percent(r, 50))
        draw_deferrable(op, r, plan);
    else
        draw_rendezvous(op, r, plan);
    op->tag = (uint8_t)(sim_percent(r, 3) ? SIM_TAGS : sim_draw(r) % SIM_TAGS);
    op->rank = (uint8_t)(sim_draw(r) % SIM_RANKS);
    op->header_data = sim_percent(r, 30);
    plan_draw_wrong(op, r);
}

/* ---- receives ---- */

/* The application takes receives back, and mostly posts them again later. */
static void draw_withdrawals(struct sim_plan *plan, struct sim_random *r)
{
    uint32_t n = sim_percent(r, 40) ? 0 : (uint32_t)sim_spread(r, 2, EACH_MAX / 2);

    for (; n; n--) {
        struct sim_op *op = &plan->ops[plan->n_ops++];
        op->at_ns = sim_draw(r) % plan->length_ns;
        op->call = SIM_CALL_WITHDRAW;
        op->opcode = UET_OP_NO_OP;
        plan_draw_pair(op, r, plan);
        op->offset = sim_draw(r) % UINT16_MAX;
        op->length = (uint32_t)sim_spread(r, 1, WITHDRAWN_MAX);
        if (!sim_percent(r, 70))
            continue;
        plan->ops[plan->n_ops] = *op;
        plan->ops[plan->n_ops++].at_ns += sim_spread(r, 1000, plan->length_ns / 4 + 1000);
    }
}

/* Where the plan had none with a tag. */
static void draw_tagged_receives(struct sim_plan *plan, struct sim_random *r)
{
    uint64_t n;

    plan->tagged_bytes = 64;
    for (uint32_t i = plan->n_put_off; i < plan->n_ops; i++)
        if (sim_is_tagged(&plan->ops[i]) && plan->ops[i].length > plan->tagged_bytes)
            plan->tagged_bytes = plan->ops[i].length;
    n = RECEIVES_MAX / plan->tagged_bytes / plan->n_feps / plan->n_jobs;
    plan->tagged_receives = (uint16_t)(n < 4 ? 4 : n < 16 ? n : sim_between(r, 4, 16));
    for (uint16_t i = 0; i < plan->n_feps; i++)
        plan->fep[i].max_receives =
            plan->fep[i].max_receives + (uint32_t)plan->tagged_receives * plan->n_jobs;
}

/* ---- FEPs ---- */

/* Few places for what is put off, and less patience than usual. */
static void draw_limits(struct sim_plan *plan, struct sim_random *r)
{
    bool tight = sim_percent(r, 40);

    for (uint16_t i = 0; i < plan->n_feps; i++) {
        struct uet_fep_config *c = &plan->fep[i];
        c->max_regions = (uint16_t)(c->max_regions + SIM_PUT_OFF_MAX);
        if (tight && sim_percent(r, 60))
            c->max_held = (uint16_t)sim_spread(r, 1, 8);
        if (sim_percent(r, 50))
            (void)uet_fep_param_set(&c->params, "Deferral_Time", sim_spread(r, 20 * MS, 8000 * MS));
        if (sim_percent(r, 30))
            (void)uet_fep_param_set(&c->params, "Rendezvous_Time",
                                    sim_spread(r, 200 * MS, 60000 * MS));
    }
}

/*
 * Some keep what comes before its receive, all of it, and answer when it has one, or at once. Not
 * the header alone: no application here would ask for the rest.
 */
void plan_draw_keeping(struct sim_plan *plan)
{
    struct sim_random r = {sim_mix(sim_mix(plan->seed, plan->scenario), KEEPING_STREAM)};

    plan->keeping = sim_percent(&r, 15);
    for (uint16_t i = 0; plan->keeping && i < plan->n_feps; i++) {
        struct uet_fep_config *c = &plan->fep[i];
        struct uet_fep_choices *choices = &plan->choices[i];
        choices->keeps_all = sim_percent(&r, 70);
        choices->kept_told_at_once = sim_percent(&r, 30);
        if (sim_percent(&r, 50))
            c->max_unexpected = (uint16_t)sim_spread(&r, 1, 16);
        if (sim_percent(&r, 50))
            c->unexpected_bytes = (uint32_t)sim_spread(&r, 256, 65536);
    }
}

/*
 * Not where a FEP is watched at its port as initiator or as target: the target asks, too. Nor where
 * it may not.
 */
int plan_draw_put_off(struct sim_plan *plan, const struct sim_limits *limits)
{
    struct sim_random r = {sim_mix(sim_mix(plan->seed, plan->scenario), STREAM)};
    struct sim_op *ops = calloc(plan->n_ops + SIM_PUT_OFF_MAX, sizeof(*ops));

    plan->n_put_off = plan->n_ops;
    for (uint16_t i = 0; i < plan->n_feps; i++) /* a place for the last receives */
        plan->fep[i].max_receives += plan->n_jobs;
    if (!ops)
        return -ENOMEM;
    memcpy(ops, plan->ops, plan->n_ops * sizeof(*ops));
    free(plan->ops);
    plan->ops = ops;
    if (!(limits->modes & 1u << UET_MODE_RUD) || plan->watched >= 0 ||
        sim_server_only_answers(plan))
        return 0;
    plan_draw_some(plan, &r, draw_put_off, limits->modes, EACH_MAX);
    if (plan->n_ops == plan->n_put_off)
        return 0;
    if (!plan->tagged_receives)
        draw_tagged_receives(plan, &r);
    draw_withdrawals(plan, &r);
    draw_limits(plan, &r);
    plan_sort_by_time(ops + plan->n_put_off, plan->n_ops - plan->n_put_off);
    return 0;
}
