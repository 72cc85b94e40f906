/* SPDX-License-Identifier: BSD-2-Clause */
/* What is to come: the wheel of the next nanoseconds, and the heap of what comes later. Of one
 * nanosecond, in the order in which it was put in. */
#include <stdlib.h>

#include "port/fabric/internal.h"

_Static_assert(WHEEL_WORDS == 64, "one word tells of all");

static bool before(const struct event *a, const struct event *b)
{
    return a->at < b->at || (a->at == b->at && a->order < b->order);
}

/* ---- the heap ---- */

static bool put_late(struct uet_fabric *fabric, struct event *event)
{
    struct event **heap = fabric->heap;
    size_t i = fabric->n_heap;

    event->order = fabric->order++;
    if (i == fabric->cap_heap) {
        size_t cap = i ? 2 * i : 256;
        heap = realloc(heap, cap * sizeof(struct event *));
        if (!heap) {
            fabric->no_memory = true;
            return false;
        }
        fabric->heap = heap;
        fabric->cap_heap = cap;
    }
    fabric->n_heap++;
    for (; i && before(event, heap[(i - 1) / 2]); i = (i - 1) / 2)
        heap[i] = heap[(i - 1) / 2];
    heap[i] = event;
    if (event->at < fabric->next_at)
        fabric->next_at = event->at;
    return true;
}

static struct event *heap_take(struct uet_fabric *fabric)
{
    struct event **heap = fabric->heap, *first = heap[0], *last;
    size_t n = --fabric->n_heap, i = 0, child;

    last = heap[n];
    while ((child = 2 * i + 1) < n) {
        if (child + 1 < n && before(heap[child + 1], heap[child]))
            child++;
        if (!before(heap[child], last))
            break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = last;
    return first;
}

/* ---- the wheel ---- */

void event_turn(struct uet_fabric *fabric, uint64_t base)
{
    fabric->base = base;
    while (fabric->n_heap && fabric->heap[0]->at - base < WHEEL_NS) {
        struct event *event = heap_take(fabric);
        event_put_soon(fabric, event, event->at);
    }
}

bool event_put_far(struct uet_fabric *fabric, struct event *event)
{
    /* Nothing is before next_at, and nothing will be put in before now. */
    if (fabric->some)
        return put_late(fabric, event);
    event_turn(fabric, fabric->next_at < fabric->now ? fabric->next_at : fabric->now);
    if (event->at - fabric->base >= WHEEL_NS)
        return put_late(fabric, event);
    event_put_soon(fabric, event, event->at);
    return true;
}

uint64_t event_next_at(const struct uet_fabric *fabric)
{
    const uint32_t from = fabric->base % WHEEL_NS, word = from / 64;
    const uint64_t here = fabric->used[word] & ~0ull << from % 64;
    uint64_t after;
    uint32_t slot;

    if (!fabric->some)
        return fabric->n_heap ? fabric->heap[0]->at : UET_FABRIC_NEVER;
    if (here) {
        slot = word * 64 + (uint32_t)__builtin_ctzll(here);
        return fabric->base + (slot - from) % WHEEL_NS;
    }
    /* Later words, or else the first ones, and of this one what lies before. */
    after = word < WHEEL_WORDS - 1 ? fabric->some & ~0ull << (word + 1) : 0;
    slot = (uint32_t)__builtin_ctzll(after ? after : fabric->some);
    slot = slot * 64 + (uint32_t)__builtin_ctzll(fabric->used[slot]);
    return fabric->base + (slot - from) % WHEEL_NS;
}

/* ---- both ---- */

const struct event *event_first(const struct uet_fabric *fabric)
{
    const struct event *last = fabric->wheel[fabric->next_at % WHEEL_NS];

    if (fabric->next_at - fabric->base < WHEEL_NS && last)
        return last->next;
    return fabric->n_heap ? fabric->heap[0] : NULL;
}

void events_each(struct uet_fabric *fabric,
                 void (*what)(struct uet_fabric *fabric, struct event *event))
{
    for (uint32_t slot = 0; slot < WHEEL_NS; slot++) {
        struct event *event = fabric->wheel[slot];
        if (!event)
            continue;
        do {
            event = event->next;
            what(fabric, event);
        } while (event != fabric->wheel[slot]);
    }
    for (size_t i = 0; i < fabric->n_heap; i++)
        what(fabric, fabric->heap[i]);
}
