/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Is there a circle of buffers that wait for each other? A queue of the lossless pair is stuck when
 * its first frame lacks credit, and would lack it even if all left the buffer at the line's end but
 * what is in stuck queues itself. A host's buffer is stuck when the host refuses what is first in
 * it, and the queue in which its answers wait is stuck. Beginning with all that are held back,
 * those that are not stuck are taken out until nothing changes: what is left can never go on,
 * whatever comes, so this needs no clock and gives no false alarm.
 */
#include <string.h>

#include "port/fabric/internal.h"

static struct frame_queue *queue_of(struct line *line, unsigned which)
{
    return &line->queue[UET_FABRIC_REQUESTS + which];
}

static bool held_back(struct line *line, unsigned which)
{
    const struct frame *head = queue_of(line, which)->head;

    return head && !pair_room(line, head);
}

static void begin(struct uet_fabric *f)
{
    for (uint32_t l = 0; l < f->n_lines; l++)
        for (unsigned w = 0; w < PAIR; w++) {
            struct line *line = &f->lines[l];
            const struct frame *head = line->rule->inbox[w].head;
            line->rule->stuck[w] = held_back(line, w);
            line->rule->inbox_stuck[w] = head && pair_refuses(f, line->to, head);
        }
}

static void count(const struct frame_queue *queue, unsigned which)
{
    for (const struct frame *frame = queue->head; frame; frame = frame->next)
        if (frame->came_by)
            frame->came_by->rule->stuck_bytes[which] += frame->len;
}

static void count_all(struct uet_fabric *f)
{
    for (uint32_t l = 0; l < f->n_lines; l++)
        memset(f->rules[l].stuck_bytes, 0, sizeof(f->rules[l].stuck_bytes));
    for (uint32_t l = 0; l < f->n_lines; l++)
        for (unsigned w = 0; w < PAIR; w++) {
            if (f->rules[l].stuck[w])
                count(queue_of(&f->lines[l], w), w);
            if (f->rules[l].inbox_stuck[w])
                count(&f->rules[l].inbox[w], w);
        }
}

/* Where the answers of a host wait. */
static unsigned answers(const struct uet_fabric *f)
{
    return f->config.one_class ? 0 : 1;
}

/* True: something is not stuck that seemed so. */
static bool take_out(struct uet_fabric *f)
{
    bool changed = false;

    count_all(f);
    for (uint32_t l = 0; l < f->n_lines; l++)
        for (unsigned w = 0; w < PAIR; w++) {
            struct line *line = &f->lines[l];
            struct rule *rule = line->rule;
            if (rule->stuck[w] &&
                rule->stuck_bytes[w] + queue_of(line, w)->head->len <= line->is.credit_bytes) {
                rule->stuck[w] = false;
                changed = true;
            }
            if (rule->inbox_stuck[w] && !f->hosts[line->to].uplink->rule->stuck[answers(f)]) {
                rule->inbox_stuck[w] = false;
                changed = true;
            }
        }
    return changed;
}

/* ---- the circle ---- */

struct place {
    struct line *line;
    unsigned which;
};

static bool holds(struct place at, const struct line *came_by)
{
    for (const struct frame *frame = queue_of(at.line, at.which)->head; frame; frame = frame->next)
        if (frame->came_by == came_by)
            return true;
    return false;
}

/* The stuck queue for which this one waits. There is one: the bytes that it lacks are in it. */
static struct place next_of(struct uet_fabric *f, struct place at)
{
    struct place next = {f->lines, at.which};

    if (at.line->rule->inbox_stuck[at.which])
        return (struct place){f->hosts[at.line->to].uplink, answers(f)};
    for (; next.line + 1 < f->lines + f->n_lines; next.line++)
        if (next.line->rule->stuck[next.which] && holds(next, at.line))
            break;
    return next;
}

static size_t walk(struct uet_fabric *f, struct place at, struct uet_fabric_stuck *circle,
                   size_t cap)
{
    const struct place end = at;
    size_t n = 0;

    do {
        if (n < cap)
            circle[n] = (struct uet_fabric_stuck){
                .from = at.line->from,
                .to = at.line->to,
                .class = (enum uet_fabric_class)(UET_FABRIC_REQUESTS + at.which),
                .bytes = queue_of(at.line, at.which)->bytes};
        n++;
        at = next_of(f, at);
    } while (at.line != end.line || at.which != end.which);
    return n;
}

size_t uet_fabric_deadlock(struct uet_fabric *f, struct uet_fabric_stuck *circle, size_t cap)
{
    struct line *const end = f->lines + f->n_lines;
    struct place at = {f->lines, 0};

    if (!f->config.lossless)
        return 0;
    begin(f);
    while (take_out(f))
        ;
    while (at.line < end && !at.line->rule->stuck[at.which])
        at = at.which + 1 < PAIR ? (struct place){at.line, at.which + 1}
                                 : (struct place){at.line + 1, 0};
    if (at.line == end)
        return 0;
    /* It may lead to the circle without being of it: after so many steps it is there. */
    for (uint32_t i = 0; i < PAIR * f->n_lines; i++)
        at = next_of(f, at);
    return walk(f, at, circle, cap);
}
