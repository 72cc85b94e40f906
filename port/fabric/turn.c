/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Whose turn it is on a line with a rule: strict levels, the higher first, and on each level
 * deficit round robin (Shreedhar and Varghese, 1995). A class of the lossless pair that waits for
 * credit has no turn.
 */
#include "port/fabric/internal.h"

#define LEAST_QUANTUM 64u

/* TC_high first; all others in turn, a frame's bytes at a time. */
static const struct uet_fabric_turns usual = {.level = {[UET_FABRIC_HIGH] = 1},
                                              .quantum = {FABRIC_FRAME_MAX, FABRIC_FRAME_MAX,
                                                          FABRIC_FRAME_MAX, FABRIC_FRAME_MAX,
                                                          FABRIC_FRAME_MAX}};

bool turns_take(struct uet_fabric *f, const struct uet_fabric_turns *turns)
{
    f->turns = turns ? *turns : usual;
    for (int c = 0; c < UET_FABRIC_CLASSES; c++)
        if (f->turns.level[c] >= UET_FABRIC_CLASSES || f->turns.quantum[c] < LEAST_QUANTUM)
            return false;
    return true;
}

static bool ready(const struct line *line, unsigned class)
{
    const struct frame *head = line->queue[class].head;

    return head && (!is_lossless(class) || pair_room(line, head));
}

static bool any_ready(const struct uet_fabric *f, const struct line *line, unsigned level)
{
    for (unsigned c = 0; c < UET_FABRIC_CLASSES; c++)
        if (f->turns.level[c] == level && ready(line, c))
            return true;
    return false;
}

/* Some class of the level is ready: after so many rounds it has enough. */
static unsigned pick(const struct uet_fabric *f, struct line *line, unsigned level)
{
    struct rule *rule = line->rule;

    for (;; rule->turn[level] = (uint8_t)((rule->turn[level] + 1) % UET_FABRIC_CLASSES)) {
        const unsigned c = rule->turn[level];
        const bool begun = rule->begun >> c & 1;
        rule->begun &= (uint8_t) ~(1u << c);
        if (f->turns.level[c] != level)
            continue;
        if (!ready(line, c)) {
            rule->deficit[c] = 0;
            continue;
        }
        rule->deficit[c] += begun ? 0 : f->turns.quantum[c];
        if (line->queue[c].head->len > rule->deficit[c])
            continue;
        rule->deficit[c] -= line->queue[c].head->len;
        rule->begun |= (uint8_t)(1u << c); /* it goes on as long as that is enough */
        return c;
    }
}

struct frame *turn_next(struct uet_fabric *f, struct line *line)
{
    struct frame *frame;

    for (unsigned level = UET_FABRIC_CLASSES; level-- > 0;) {
        if (!any_ready(f, line, level))
            continue;
        frame = queue_get(&line->queue[pick(f, line, level)]);
        line->waiting--;
        if (is_lossless(frame->class))
            pair_sent(f, line, frame);
        return frame;
    }
    return NULL;
}
