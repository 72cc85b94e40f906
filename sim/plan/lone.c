/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Atomics of every operation and datatype, each on an element of its own; and those that find a
 * receive by its tag. From a stream of their own, behind all other operations.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/plan/internal.h"

#define STREAM   0x10e5 /* any number: what makes the stream another one */
#define EACH_MAX SIM_LONE_OPS

static const struct datatype {
    uint8_t bytes;
    bool integer, complex;
} datatypes[] = {
    [UET_TYPE_INT8] = {1, true, false},          [UET_TYPE_UINT8] = {1, true, false},
    [UET_TYPE_INT16] = {2, true, false},         [UET_TYPE_UINT16] = {2, true, false},
    [UET_TYPE_INT32] = {4, true, false},         [UET_TYPE_UINT32] = {4, true, false},
    [UET_TYPE_INT64] = {8, true, false},         [UET_TYPE_UINT64] = {8, true, false},
    [UET_TYPE_INT128] = {16, true, false},       [UET_TYPE_UINT128] = {16, true, false},
    [UET_TYPE_FLOAT] = {4, false, false},        [UET_TYPE_DOUBLE] = {8, false, false},
    [UET_TYPE_FLOAT_COMPLEX] = {8, false, true}, [UET_TYPE_DOUBLE_COMPLEX] = {16, false, true},
    [UET_TYPE_LONG_DOUBLE] = {16, false, false}, [UET_TYPE_LONG_DOUBLE_COMPLEX] = {32, false, true},
    [UET_TYPE_BF16] = {2, false, false},         [UET_TYPE_FP16] = {2, false, false},
};
#define N_DATATYPES (sizeof(datatypes) / sizeof(*datatypes))

uint32_t sim_element_bytes(uint8_t datatype)
{
    return datatypes[datatype].bytes;
}

/* The pairs that the API allows; two operands of 16 bytes are all there is room for. */
static bool allowed(uint8_t amo, const struct datatype *d)
{
    switch (amo) {
    case UET_AMO_BOR:
    case UET_AMO_BAND:
    case UET_AMO_BXOR:
    case UET_AMO_MSWAP:
        return d->integer;
    case UET_AMO_MIN:
    case UET_AMO_MAX:
    case UET_AMO_CSWAP_LE:
    case UET_AMO_CSWAP_LT:
    case UET_AMO_CSWAP_GE:
    case UET_AMO_CSWAP_GT:
        return !d->complex;
    case UET_AMO_CSWAP:
    case UET_AMO_CSWAP_NE:
        return d->bytes <= 16;
    default:
        return true;
    }
}

/* One element where a value goes back (SES-165), or is compared. */
static void draw_lone(struct sim_op *op, struct sim_random *r, const struct sim_plan *plan)
{
    uint32_t elements = 1;

    op->lone = true;
    op->opcode = sim_percent(r, 60) ? UET_OP_FETCHING_ATOMIC : UET_OP_ATOMIC;
    do {
        op->amo = (uint8_t)(sim_draw(r) % UET_AMO_INVAL);
        op->datatype = (uint8_t)(sim_draw(r) % N_DATATYPES);
    } while (!allowed(op->amo, &datatypes[op->datatype]));
    if (op->amo == UET_AMO_READ) /* what else would it be for? */
        op->opcode = UET_OP_FETCHING_ATOMIC;
    if (op->opcode == UET_OP_ATOMIC && op->amo < UET_AMO_CSWAP)
        elements = (uint32_t)sim_between(r, 1, SIM_LONE_MAX / 32);
    op->length = elements * datatypes[op->datatype].bytes;
    if (sim_percent(r, 25) && op->length <= plan->fep[op->from].payload_mtu)
        op->header = UET_OP_HEADER_MEDIUM;
}

/* It writes eight bytes, which say whose they are, as those of a tagged send do. */
static void draw_tagged(struct sim_op *op, struct sim_random *r)
{
    op->opcode = sim_percent(r, 50) ? UET_OP_TSEND_ATOMIC : UET_OP_TSEND_FETCH_ATOMIC;
    op->amo = UET_AMO_WRITE;
    op->datatype = UET_TYPE_UINT64;
    op->length = 8;
    op->tag = (uint8_t)(sim_draw(r) % SIM_TAGS);
    op->rank = (uint8_t)(sim_draw(r) % SIM_RANKS);
}

static void draw(struct sim_op *op, struct sim_random *r, const struct sim_plan *plan)
{
    if (plan->tagged_receives && sim_percent(r, 25))
        draw_tagged(op, r);
    else
        draw_lone(op, r, plan);
}

static void place(struct sim_plan *plan)
{
    for (uint32_t i = plan->n_lone; i < plan->n_ops; i++) {
        struct sim_op *op = &plan->ops[i];
        if (!op->lone)
            continue;
        op->offset = plan->lone_bytes[op->to][op->job];
        plan->lone_bytes[op->to][op->job] += SIM_LONE_BYTES;
    }
}

int plan_draw_lone(struct sim_plan *plan, const struct sim_limits *limits)
{
    struct sim_random r = {sim_mix(sim_mix(plan->seed, plan->scenario), STREAM)};
    struct sim_op *ops = calloc(plan->n_ops + EACH_MAX, sizeof(*ops));

    plan->n_lone = plan->n_ops;
    if (!ops)
        return -ENOMEM;
    memcpy(ops, plan->ops, plan->n_ops * sizeof(*ops));
    free(plan->ops);
    plan->ops = ops;
    if (!(limits->modes & (1u << UET_MODE_RUD | 1u << UET_MODE_ROD)))
        return 0;
    plan_draw_some(plan, &r, draw, limits->modes, EACH_MAX);
    plan_sort_by_time(ops + plan->n_lone, plan->n_ops - plan->n_lone);
    place(plan);
    return 0;
}
