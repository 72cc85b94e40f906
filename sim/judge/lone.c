/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Atomics of every operation and datatype (Tables 3-21, 3-22), each on an element of its own: what
 * stands there before and after is small whole numbers, which every datatype can hold.
 */
#include <string.h>

#include "sim/random.h"
#include "sim/scenario/internal.h"

/* ---- numbers as the memory of this host has them ---- */

static uint32_t bits_of_float(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

/* Sign, exponent of bias 15, fraction of 10 bits: of whole numbers below 1024. */
static uint16_t half_of(int value)
{
    unsigned size = (unsigned)(value < 0 ? -value : value), exponent = 0;

    if (!size)
        return 0;
    while (size >> (exponent + 1))
        exponent++;
    return (uint16_t)((value < 0 ? 1u << 15 : 0) | (15 + exponent) << 10 |
                      (size - (1u << exponent)) << (10 - exponent));
}

static void store(uint8_t datatype, int value, uint8_t *at)
{
    const float single = (float)value;
    const double wide = value;
    const long double wider = value;
    const uint16_t half =
        datatype == UET_TYPE_BF16 ? (uint16_t)(bits_of_float(single) >> 16) : half_of(value);
    const int64_t whole = value;
    const uint32_t bytes = sim_element_bytes(datatype);

    memset(at, 0, bytes);
    switch (datatype) {
    case UET_TYPE_FLOAT:
    case UET_TYPE_FLOAT_COMPLEX:
        memcpy(at, &single, sizeof(single));
        break;
    case UET_TYPE_DOUBLE:
    case UET_TYPE_DOUBLE_COMPLEX:
        memcpy(at, &wide, sizeof(wide));
        break;
    case UET_TYPE_LONG_DOUBLE:
    case UET_TYPE_LONG_DOUBLE_COMPLEX:
        memcpy(at, &wider, __LDBL_MANT_DIG__ == 64 ? 10 : sizeof(wider)); /* the rest is 0 */
        break;
    case UET_TYPE_BF16:
    case UET_TYPE_FP16:
        memcpy(at, &half, sizeof(half));
        break;
    default: /* whole numbers, in two's complement */
        for (uint32_t i = 0; i < bytes; i++) {
            const bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
            uint32_t shift = 8 * i < 56 ? 8 * i : 56;
            uint8_t byte = (uint8_t)(i < sizeof(whole) ? (uint64_t)whole >> shift
                                     : whole < 0       ? 0xff
                                                       : 0);
            at[little ? i : bytes - 1 - i] = byte;
        }
    }
}

/* ---- what becomes of them ---- */

struct numbers {
    int target, operand, compare; /* compare: the mask of UET_AMO_MSWAP */
};

static struct numbers numbers_of(const struct scenario *w, uint32_t number)
{
    struct sim_random r = {sim_mix(w->plan->seed ^ 0xa70c1, number)};
    struct numbers n = {.target = (int)sim_between(&r, 0, 7),
                        .operand = (int)sim_between(&r, 0, 7),
                        .compare = (int)sim_between(&r, 0, 7)};

    if (sim_percent(&r, 40))
        n.compare = n.target;
    return n;
}

/* Is the operand put in the place of the target? */
static bool swaps(uint8_t amo, const struct numbers *n)
{
    switch (amo) {
    case UET_AMO_CSWAP:
        return n->compare == n->target;
    case UET_AMO_CSWAP_NE:
        return n->compare != n->target;
    case UET_AMO_CSWAP_LE:
        return n->compare <= n->target;
    case UET_AMO_CSWAP_LT:
        return n->compare < n->target;
    case UET_AMO_CSWAP_GE:
        return n->compare >= n->target;
    case UET_AMO_CSWAP_GT:
        return n->compare > n->target;
    default: /* UET_AMO_WRITE */
        return true;
    }
}

static int result_of(uint8_t amo, const struct numbers *n)
{
    const int t = n->target, i = n->operand, mask = n->compare;

    switch (amo) {
    case UET_AMO_MIN:
        return i < t ? i : t;
    case UET_AMO_MAX:
        return i > t ? i : t;
    case UET_AMO_SUM:
        return t + i;
    case UET_AMO_DIFF:
        return t - i;
    case UET_AMO_PROD:
        return t * i;
    case UET_AMO_LOR:
        return t || i;
    case UET_AMO_LAND:
        return t && i;
    case UET_AMO_LXOR:
        return !t != !i;
    case UET_AMO_BOR:
        return t | i;
    case UET_AMO_BAND:
        return t & i;
    case UET_AMO_BXOR:
        return t ^ i;
    case UET_AMO_READ:
        return t;
    case UET_AMO_MSWAP:
        return (i & mask) | (t & ~mask);
    default:
        return swaps(amo, n) ? i : t;
    }
}

/* ---- what must hold ---- */

static uint8_t *place_of(const struct scenario *w, uint32_t number)
{
    const struct sim_op *op = &w->plan->ops[number];

    return w->feps[op->to].lone[op->job] + op->offset;
}

static uint32_t elements_of(const struct sim_op *op)
{
    return op->length / sim_element_bytes(op->datatype);
}

static void write_all(const struct scenario *w, uint32_t number, int value, uint8_t *at)
{
    const struct sim_op *op = &w->plan->ops[number];

    for (uint32_t i = 0; i < elements_of(op); i++)
        store(op->datatype, value, at + i * sim_element_bytes(op->datatype));
}

void lone_make(const struct scenario *w, uint32_t number)
{
    write_all(w, number, numbers_of(w, number).target, place_of(w, number));
}

void lone_prepare(struct scenario *w, uint32_t number)
{
    const struct sim_op *op = &w->plan->ops[number];
    const struct numbers n = numbers_of(w, number);

    write_all(w, number, n.operand, w->ops[number].lone);
    store(op->datatype, n.compare, w->ops[number].mask);
}

static bool holds(const struct scenario *w, uint32_t number, const uint8_t *at, bool done)
{
    const struct numbers n = numbers_of(w, number);
    uint8_t wanted[SIM_LONE_MAX];

    write_all(w, number, done ? result_of(w->plan->ops[number].amo, &n) : n.target, wanted);
    return !memcmp(at, wanted, w->plan->ops[number].length);
}

/* Done a second time by nobody's fault? Then nothing is asked any more. */
static bool again_forgiven(struct scenario *w, uint32_t number)
{
    struct op_state *state = &w->ops[number];

    if (!state->excused)
        state->excused = twice_forgiven(w, number);
    return state->excused;
}

void lone_ended_well(struct scenario *w, uint32_t number)
{
    const struct sim_op *op = &w->plan->ops[number];

    if (op->opcode == UET_OP_FETCHING_ATOMIC && !holds(w, number, w->ops[number].into, false) &&
        !again_forgiven(w, number))
        scenario_breach(w, SIM_ATOMIC, "", "operation %u brings what was not there before it",
                        number);
    if (!holds(w, number, place_of(w, number), true) && !again_forgiven(w, number))
        scenario_breach(w, SIM_ATOMIC, "", "operation %u ended well and was not done, or not so",
                        number);
}

static void check_end(struct scenario *w, uint32_t number)
{
    const struct sim_op *op = &w->plan->ops[number];
    const struct op_state *state = &w->ops[number];
    const uint8_t *at = place_of(w, number);
    bool may_be_done = state->phase >= OP_ACTIVE, must = state->phase == OP_OK;

    for (uint32_t i = op->length; i < SIM_LONE_BYTES; i++)
        if (at[i] != SIM_CANARY)
            scenario_breach(w, SIM_MEMORY, "", "memory behind operation %u was written", number);
    if ((may_be_done && holds(w, number, at, true)) || (!must && holds(w, number, at, false)) ||
        (may_be_done && again_forgiven(w, number)))
        return;
    scenario_breach(w, SIM_ATOMIC, "", "where operation %u worked something else stands", number);
}

void lone_end(struct scenario *w)
{
    if (w->plan->unguarded) /* a damaged request may name any other place in the region */
        return;
    for (uint32_t op = w->plan->n_lone; op < w->plan->n_ops; op++)
        if (w->plan->ops[op].lone && w->run->choice->ops.in[op] &&
            w->feps[w->plan->ops[op].to].memory)
            check_end(w, op);
}
