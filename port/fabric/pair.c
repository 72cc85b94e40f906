/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The lossless pair of classes. A line sends what the buffer at its end has room for: the sender
 * counts what it has sent, and the receiver gives back what has left it, one latency later (5.2
 * does so with CF_Update, between and in frames; lost ones, cells and their rounding are not
 * modelled).
 */
#include <stdlib.h>

#include "port/fabric/internal.h"

bool pair_room(const struct line *line, const struct frame *frame)
{
    return !line->is.credit_bytes ||
           line->rule->used[which_of(frame)] + frame->len <= line->is.credit_bytes;
}

/* The frame has left the buffer in which it was. */
static void give_back(struct uet_fabric *f, const struct frame *frame)
{
    struct credit *credit = f->credits;

    if (!frame->came_by)
        return;
    if (credit)
        f->credits = credit->next;
    else
        credit = malloc(sizeof(*credit));
    if (!credit) {
        f->no_memory = true;
        return;
    }
    *credit = (struct credit){.event = {.kind = EVENT_CREDIT, .line = frame->came_by},
                              .which = which_of(frame),
                              .bytes = frame->len};
    if (!event_put(f, &credit->event, f->now + frame->came_by->is.latency_ns))
        pair_forget(f, &credit->event);
}

void pair_dropped(struct uet_fabric *f, const struct frame *frame)
{
    if (is_lossless(frame->class))
        give_back(f, frame);
}

void pair_forget(struct uet_fabric *f, struct event *event)
{
    struct credit *credit = (struct credit *)event; /* its first member */

    credit->next = f->credits;
    f->credits = credit;
}

void pair_credit(struct uet_fabric *f, struct event *event)
{
    const struct credit *credit = (const struct credit *)event;

    event->line->rule->used[credit->which] -= credit->bytes;
    pair_forget(f, event);
}

void pair_sent(struct uet_fabric *f, struct line *line, const struct frame *frame)
{
    uint32_t *used = &line->rule->used[which_of(frame)];

    *used += frame->len;
    if (*used > line->port.highest_lossless)
        line->port.highest_lossless = *used;
    if (!line->of_switch && frame->answer)
        f->hosts[line->from].answers--;
    give_back(f, frame);
}

void pair_lost(struct line *line, const struct frame *frame)
{
    if (is_lossless(frame->class))
        line->rule->used[which_of(frame)] -= frame->len;
}

/* ---- hosts ---- */

bool pair_refuses(const struct uet_fabric *f, uint16_t host, const struct frame *frame)
{
    return !frame->answer && f->config.answer_room &&
           f->hosts[host].answers >= f->config.answer_room;
}

void pair_arrive(struct uet_fabric *f, const struct line *at, struct frame *frame)
{
    queue_put(&at->rule->inbox[which_of(frame)], frame);
    pair_take(f, at->to);
}

static bool take_from(struct uet_fabric *f, uint16_t host, struct frame_queue *inbox)
{
    struct frame *frame = inbox->head;

    if (!frame || pair_refuses(f, host, frame))
        return false;
    queue_get(inbox);
    f->stats.delivered++;
    f->config.deliver(f->config.ctx, host, frame->bytes, frame->len, f->now);
    give_back(f, frame);
    frame_drop(f, frame);
    return true;
}

bool pair_take(struct uet_fabric *f, uint16_t host)
{
    struct rule *rule = f->hosts[host].downlink->rule;
    bool any = false;

    for (int w = 0; w < PAIR; w++)
        while (take_from(f, host, &rule->inbox[w]))
            any = true;
    return any;
}

void pair_free(struct uet_fabric *f)
{
    struct credit *next;

    for (uint32_t l = 0; f->rules && l < f->n_lines; l++)
        for (int w = 0; w < PAIR; w++)
            while (f->rules[l].inbox[w].head)
                frame_drop(f, queue_get(&f->rules[l].inbox[w]));
    for (struct credit *credit = f->credits; credit; credit = next) {
        next = credit->next;
        free(credit);
    }
    free(f->rules);
}
