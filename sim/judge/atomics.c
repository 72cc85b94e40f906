/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What atomics must bring about, each once, one after the other (SES-136, 3.4.4).
 *
 * The atomics of a cell tell of each other. In an element of 64 bits each has a digit of four that
 * no other one touches: SUM adds 1 there, BOR sets and BXOR turns its lowest bit. So an element
 * says which of them were done, and how often; and an old value that one brought, which of them had
 * been done before it. Those of compare-and-swap put marks that are never the same: from the last
 * one back to 0 they are the only order in which it can have been.
 */
#include <string.h>

#include "sim/scenario/internal.h"

#define DIGIT_BITS 4u

/* ---- cells ---- */

static bool reads_only(const struct sim_op *op)
{
    return op->amo == UET_AMO_READ;
}

static bool swaps(const struct sim_op *op)
{
    return op->amo == UET_AMO_CSWAP;
}

static uint64_t element_at(const struct scenario *w, uint16_t to, uint8_t job, uint64_t offset)
{
    uint64_t value;

    memcpy(&value, w->feps[to].counters[job] + offset, sizeof(value));
    return value;
}

/* Does the atomic touch the element there? */
static bool touches(const struct scenario *w, uint32_t number, uint16_t to, uint8_t job,
                    uint64_t offset)
{
    const struct sim_op *op = &w->plan->ops[number];

    return sim_is_atomic(op) && !op->lone && op->to == to && op->job == job &&
           offset >= op->offset && offset < op->offset + op->length;
}

/* One that may have been done by now. */
static bool may_be_done(const struct scenario *w, uint32_t number)
{
    return w->ops[number].phase >= OP_ACTIVE && !op_wrong(w, number);
}

static unsigned digit(uint64_t value, const struct sim_op *op)
{
    return value >> (DIGIT_BITS * op->digit) & ((1u << DIGIT_BITS) - 1);
}

static uint64_t digit_mask(const struct sim_op *op)
{
    return (uint64_t)((1u << DIGIT_BITS) - 1) << (DIGIT_BITS * op->digit);
}

/* ---- begin ---- */

void atomic_prepare(struct scenario *w, uint32_t number)
{
    const struct sim_op *op = &w->plan->ops[number];
    struct op_state *state = &w->ops[number];

    for (unsigned i = 0; i < op->length / 8; i++)
        state->operand[i] = swaps(op) ? op_header_data(number) : 1ull << (DIGIT_BITS * op->digit);
    /* What nobody may know without reading it; the simulator does. */
    state->compare = swaps(op) ? element_at(w, op->to, op->job, op->offset) : 0;
}

/* ---- digits ---- */

/* Done a second time, and nobody's fault? It is forgiven once and for all. */
static bool again_forgiven(struct scenario *w, uint32_t number)
{
    struct op_state *state = &w->ops[number];

    if (!state->excused)
        state->excused = twice_forgiven(w, number);
    return state->excused;
}

/* Is a digit of 0 what became of it although it was done? BXOR turns back. */
static bool may_turn_back(struct scenario *w, uint32_t number)
{
    return w->plan->ops[number].amo == UET_AMO_BXOR && again_forgiven(w, number);
}

static void check_done(struct scenario *w, uint32_t number, uint64_t value)
{
    unsigned n = digit(value, &w->plan->ops[number]);

    if (n && !may_be_done(w, number))
        scenario_breach(w, SIM_ATOMIC, "", "operation %u was done and was not to be", number);
    else if (n > 1 && !again_forgiven(w, number))
        scenario_breach(w, SIM_ATOMIC, "", "operation %u was done %u times", number, n);
    else if (!n && w->ops[number].phase == OP_OK && !may_turn_back(w, number))
        scenario_breach(w, SIM_ATOMIC, "", "operation %u ended well and was not done", number);
}

/* An element of digits; nobody else's are there. */
static void check_digits(struct scenario *w, uint16_t to, uint8_t job, uint64_t offset)
{
    uint64_t value = element_at(w, to, job, offset), known = 0;

    for (uint32_t op = w->plan->n_first; op < w->plan->n_ops; op++)
        if (w->run->choice->ops.in[op] && touches(w, op, to, job, offset) &&
            !reads_only(&w->plan->ops[op])) {
            check_done(w, op, value);
            known |= digit_mask(&w->plan->ops[op]);
        }
    if (value & ~known)
        scenario_breach(w, SIM_ATOMIC, "",
                        "fep %u, job %u: 0x%llx of the element at %llu is nobody's", to, job,
                        (unsigned long long)(value & ~known), (unsigned long long)offset);
}

/* ---- old values of digits ---- */

/* Is it surely known that `a` was done before `b`? */
static bool surely_before(const struct scenario *w, uint32_t a, uint32_t b)
{
    const struct op_state *x = &w->ops[a], *y = &w->ops[b];

    if (x->phase == OP_OK && x->over < y->begun)
        return true;
    return same_flow(w, a, b) && x->begun < y->begun && order_promised(w, a) &&
           order_promised(w, b);
}

/* What the old value of `number` says of another one. */
static void check_other(struct scenario *w, uint32_t number, uint32_t other)
{
    bool shown = digit(w->ops[number].fetched, &w->plan->ops[other]);

    if (shown && !may_be_done(w, other))
        scenario_breach(w, SIM_ATOMIC, "", "operation %u finds operation %u, which cannot be",
                        number, other);
    else if (digit(w->ops[number].fetched, &w->plan->ops[other]) > 1 && !again_forgiven(w, other))
        scenario_breach(w, SIM_ATOMIC, "", "operation %u finds operation %u done more than once",
                        number, other);
    else if (shown && surely_before(w, number, other) && !again_forgiven(w, number))
        scenario_breach(w, SIM_ATOMIC, "", "operation %u finds operation %u, which came after it",
                        number, other);
    else if (!shown && may_be_done(w, other) && surely_before(w, other, number) &&
             !may_turn_back(w, other))
        scenario_breach(w, SIM_ATOMIC, "", "operation %u misses operation %u, which came before it",
                        number, other);
}

/* Has x more of an operation than y, of which this is not to be forgiven? */
static bool more(struct scenario *w, const struct sim_op *at, uint64_t x, uint64_t y, bool forgive)
{
    for (uint32_t other = w->plan->n_first; other < w->plan->n_ops; other++) {
        const struct sim_op *op = &w->plan->ops[other];
        if (touches(w, other, at->to, at->job, at->offset) && !reads_only(op) &&
            digit(x, op) > digit(y, op) && !(forgive && may_turn_back(w, other)))
            return true;
    }
    return false;
}

/* Can neither value have come before the other one? */
static bool torn(struct scenario *w, const struct sim_op *at, uint64_t x, uint64_t y)
{
    for (unsigned forgive = 0; forgive < 2; forgive++)
        if (!more(w, at, x, y, forgive) || !more(w, at, y, x, forgive))
            return false;
    return true;
}

/*
 * Both brought an old value: of two one was first, and the other one saw it; and what the first one
 * saw, the other one saw, too.
 */
static void check_serial(struct scenario *w, uint32_t number, uint32_t other)
{
    const struct sim_op *a = &w->plan->ops[number], *b = &w->plan->ops[other];
    const uint64_t x = w->ops[number].fetched, y = w->ops[other].fetched;
    bool change = !reads_only(a) && !reads_only(b);

    if (w->ops[number].excused || w->ops[other].excused)
        return;
    if (change && !digit(x, b) == !digit(y, a))
        scenario_breach(w, SIM_ATOMIC, "",
                        "operations %u and %u bring old values as if each were before the other",
                        number, other);
    else if (torn(w, a, x, y))
        scenario_breach(w, SIM_ATOMIC, "",
                        "operations %u and %u bring 0x%llx and 0x%llx: neither can come first",
                        number, other, (unsigned long long)x, (unsigned long long)y);
}

static void check_old_value(struct scenario *w, uint32_t number)
{
    const struct sim_op *op = &w->plan->ops[number];
    uint64_t known = reads_only(op) ? 0 : digit_mask(op);

    if (!reads_only(op) && digit(w->ops[number].fetched, op) && !again_forgiven(w, number))
        scenario_breach(w, SIM_ATOMIC, "", "operation %u finds itself done already", number);
    for (uint32_t other = w->plan->n_first; other < w->plan->n_ops; other++) {
        if (other == number || !touches(w, other, op->to, op->job, op->offset))
            continue;
        if (!reads_only(&w->plan->ops[other])) {
            check_other(w, number, other);
            known |= digit_mask(&w->plan->ops[other]);
        }
        if (w->plan->ops[other].opcode == UET_OP_FETCHING_ATOMIC && w->ops[other].phase == OP_OK)
            check_serial(w, number, other);
    }
    if (w->ops[number].fetched & ~known)
        scenario_breach(w, SIM_ATOMIC, "", "operation %u brings 0x%llx, which was never there",
                        number, (unsigned long long)w->ops[number].fetched);
}

/* ---- compare-and-swap ---- */

static bool is_swap_of(const struct scenario *w, uint32_t number, uint16_t to, uint8_t job,
                       uint64_t offset)
{
    return touches(w, number, to, job, offset) && swaps(&w->plan->ops[number]);
}

/* Whose mark it is; UINT32_MAX: nobody's who may have put it there. */
static uint32_t swapper(const struct scenario *w, uint64_t mark, uint16_t to, uint8_t job,
                        uint64_t offset)
{
    uint32_t number = (uint32_t)mark - 1;

    return number < w->plan->n_ops && mark == op_header_data(number) &&
                   is_swap_of(w, number, to, job, offset) && may_be_done(w, number)
               ? number
               : UINT32_MAX;
}

/* From the value that is there, each names the one before it; false: they do not. */
static bool number_swaps(struct scenario *w, uint16_t to, uint8_t job, uint64_t offset)
{
    uint64_t value = element_at(w, to, job, offset);

    for (uint32_t op = w->plan->n_first; op < w->plan->n_ops; op++)
        if (is_swap_of(w, op, to, job, offset))
            w->ops[op].place = 0;
    for (uint16_t place = 1; value; place++) {
        uint32_t op = swapper(w, value, to, job, offset);
        if (op == UINT32_MAX || w->ops[op].place) {
            scenario_breach(w, SIM_ATOMIC, "",
                            "fep %u, job %u: nobody put 0x%llx into the element at %llu", to, job,
                            (unsigned long long)value, (unsigned long long)offset);
            return false;
        }
        w->ops[op].place = place;
        value = w->ops[op].compare;
    }
    return true;
}

/* The place of a value; 0: it never was there. */
static uint32_t place_of(const struct scenario *w, uint32_t number, uint64_t value)
{
    const struct sim_op *op = &w->plan->ops[number];
    uint32_t owner = value ? swapper(w, value, op->to, op->job, op->offset) : 0;

    if (!value)
        return UINT32_MAX; /* before all of them */
    return owner == UINT32_MAX ? 0 : w->ops[owner].place;
}

static void check_swap(struct scenario *w, uint32_t number)
{
    const struct sim_op *op = &w->plan->ops[number];
    const struct op_state *state = &w->ops[number];
    uint32_t compared = place_of(w, number, state->compare);
    uint32_t found = place_of(w, number, state->fetched);

    if (state->phase != OP_OK || op_wrong(w, number))
        return;
    if (!state->place && element_at(w, op->to, op->job, op->offset) == state->compare)
        scenario_breach(w, SIM_ATOMIC, "", "operation %u ended well and did not swap", number);
    if (op->opcode == UET_OP_ATOMIC || (state->fetched == state->compare && state->place))
        return;
    if (state->fetched == state->compare)
        scenario_breach(w, SIM_ATOMIC, "", "operation %u says that it swapped, and did not",
                        number);
    else if (state->place && !again_forgiven(w, number))
        scenario_breach(w, SIM_ATOMIC, "", "operation %u swapped, and says that it did not",
                        number);
    else if (!found || found >= compared)
        scenario_breach(w, SIM_ATOMIC, "", "operation %u brings 0x%llx, which was not there then",
                        number, (unsigned long long)state->fetched);
}

static void check_swaps(struct scenario *w, uint16_t to, uint8_t job, uint64_t offset)
{
    if (!number_swaps(w, to, job, offset))
        return;
    for (uint32_t op = w->plan->n_first; op < w->plan->n_ops; op++)
        if (is_swap_of(w, op, to, job, offset))
            check_swap(w, op);
}

/* ---- the end of one, and of all ---- */

static void check_own(struct scenario *w, uint32_t number)
{
    const struct sim_op *op = &w->plan->ops[number];

    if (swaps(op) || reads_only(op) || op_wrong(w, number))
        return;
    for (uint64_t at = 0; at < op->length; at += 8)
        check_done(w, number, element_at(w, op->to, op->job, op->offset + at));
}

void atomic_ended_well(struct scenario *w, uint32_t number)
{
    const struct sim_op *op = &w->plan->ops[number];
    struct op_state *state = &w->ops[number];

    if (op_wrong(w, number))
        return;
    if (op->opcode == UET_OP_FETCHING_ATOMIC) {
        memcpy(&state->fetched, state->into, sizeof(state->fetched));
        if (w->run->mutation == SIM_MUTATE_STALE)
            state->fetched = 0;
        if (!swaps(op))
            check_old_value(w, number);
    }
    check_own(w, number);
}

static bool has_swaps(const struct scenario *w, uint16_t to, uint8_t job, uint64_t cell)
{
    for (uint32_t op = w->plan->n_first; op < w->plan->n_ops; op++)
        if (is_swap_of(w, op, to, job, cell))
            return true;
    return false;
}

static void check_job(struct scenario *w, uint16_t to, uint8_t job)
{
    for (uint64_t at = 0; at < w->plan->counter_bytes[to][job] + SIM_CELL_BYTES; at += 8)
        if (at % SIM_CELL_BYTES == 0 && has_swaps(w, to, job, at))
            check_swaps(w, to, job, at);
        else
            check_digits(w, to, job, at);
}

void atomics_check(struct scenario *w)
{
    for (uint16_t to = 0; to < w->plan->n_feps; to++)
        for (uint8_t job = 0; w->feps[to].memory && job < w->plan->n_jobs; job++)
            check_job(w, to, job);
}
