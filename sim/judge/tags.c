/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which receive a tagged send may take: one whose match bits, but for those to ignore, and whose
 * initiator are its own (SES-091), and of these the one that was posted first (SES-093, SES-163:
 * the ordered matching of HPC).
 *
 * From outside it is not seen when a message has looked for a receive, only when one is filled; an
 * older one may then be another message's already, of several packets, and is filled later. So what
 * was passed over is remembered: it may be filled by a message that had begun by then, and by no
 * later one; nor may it be there at the end. Of one ROD flow it is known who looked first.
 */
#include "sim/random.h"
#include "sim/scenario/internal.h"

/* Of two tags one half is the same. */
uint64_t tag_bits(uint8_t tag)
{
    const uint64_t high = tag & 1 ? 0xa5c31d0fu : 0x5a3ce2f0u;
    const uint64_t low = tag & 2 ? 0x87654321u : 0x78ab9cdeu;

    return tag < SIM_TAGS ? high << 32 | low : ~high << 32 | (~low & UINT32_MAX);
}

/* Of two ranks the lower 16 bits are the same. */
uint32_t tag_initiator(uint8_t rank)
{
    return (rank & 1u) << 16 | (1u + (rank >> 1));
}

void tag_receive(const struct scenario *w, uint16_t i, uint32_t number, struct buffer *buffer)
{
    static const uint64_t ignore[] = {0, 0, 0, UINT32_MAX, ~(uint64_t)UINT32_MAX, UINT64_MAX};
    struct sim_random r = {
        sim_mix(sim_mix(w->plan->seed, w->plan->scenario), (uint64_t)number << 16 | i)};

    buffer->tagged = true;
    buffer->match_bits = tag_bits((uint8_t)(sim_draw(&r) % SIM_TAGS));
    buffer->ignore = ignore[sim_draw(&r) % (sizeof(ignore) / sizeof(*ignore))];
    buffer->any_initiator = sim_percent(&r, 60);
    buffer->initiator = tag_initiator((uint8_t)(sim_draw(&r) % SIM_RANKS));
}

static bool fits(const struct buffer *buffer, const struct sim_op *op)
{
    return buffer->tagged && buffer->job == op->job &&
           !((buffer->match_bits ^ tag_bits(op->tag)) & ~buffer->ignore) &&
           (buffer->any_initiator || buffer->initiator == tag_initiator(op->rank));
}

/*
 * Has this message found a younger receive, or none, although this one was there? Not if it was
 * promised to another one, which did not come.
 */
static bool passed(const struct scenario *w, uint16_t i, const struct buffer *buffer,
                   uint32_t message)
{
    const struct sim_op *op = &w->plan->ops[message];

    return op->to == i && buffer->posted_event < w->ops[message].looked && fits(buffer, op) &&
           buffer->given_up == promises_given_up(w, i);
}

/* Did `first` look for its receive before `second` did? */
static bool before(const struct scenario *w, uint32_t first, uint32_t second)
{
    const struct op_state *a = &w->ops[first], *b = &w->ops[second];

    if (a->taken < b->begun)
        return true;
    return same_flow(w, first, second) && a->begun < b->begun && order_promised(w, first) &&
           order_promised(w, second);
}

static void check_passed(struct scenario *w, uint16_t i, uint32_t number, uint32_t op)
{
    const struct buffer *buffer = &w->feps[i].buffers[number];

    for (uint32_t m = w->plan->n_first; m < w->plan->n_ops; m++)
        if (m != op && passed(w, i, buffer, m) && before(w, m, op)) {
            scenario_breach(w, SIM_TAG, "",
                            "fep %u: operation %u takes receive %u, which operation %u passed over "
                            "before it",
                            i, op, number, m);
            return;
        }
}

void tag_taken(struct scenario *w, uint16_t i, uint32_t number, uint32_t op,
               const struct uet_completion *c)
{
    const struct buffer *buffer = &w->feps[i].buffers[number];
    const struct sim_op *o = &w->plan->ops[op];

    w->ops[op].taken = ++w->events;
    w->ops[op].looked = buffer->posted_event;
    if (c->match_bits != tag_bits(o->tag) || c->initiator != tag_initiator(o->rank))
        scenario_breach(w, SIM_TAG, "",
                        "fep %u: receive %u names other match bits or another initiator than "
                        "operation %u has",
                        i, number, op);
    else if (!fits(buffer, o))
        scenario_breach(w, SIM_TAG, "",
                        "fep %u: operation %u takes receive %u, which is not for it", i, op,
                        number);
    else
        check_passed(w, i, number, op);
}

void tag_refused(struct scenario *w, uint32_t op)
{
    w->ops[op].taken = ++w->events;
    w->ops[op].looked = w->ops[op].begun;
}

static void check_left(struct scenario *w, uint16_t i, uint32_t number)
{
    for (uint32_t m = w->plan->n_first; m < w->plan->n_ops; m++)
        if (passed(w, i, &w->feps[i].buffers[number], m))
            scenario_breach(w, SIM_TAG, "",
                            "fep %u: operation %u passed over receive %u, and nobody had it", i, m,
                            number);
}

void tags_end(struct scenario *w)
{
    for (uint16_t i = 0; i < w->plan->n_feps; i++)
        for (uint32_t b = 0; b < w->feps[i].n_buffers; b++)
            if (w->feps[i].buffers[b].tagged && w->feps[i].buffers[b].posted)
                check_left(w, i, b);
}
