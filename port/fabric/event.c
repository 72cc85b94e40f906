/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What is to come, by time, then by the order in which it was put in. A wheel has a slot for each
 * of the next WHEEL_NS nanoseconds, from `base` on, with what happens then in a list. What comes
 * later waits in a heap, and goes to the wheel before anything else of its nanosecond can.
 */
#include <stdlib.h>
#include <string.h>

#include "port/fabric/internal.h"

enum { WORDS = WHEEL_NS / 64 };

struct spoke {
    struct event event;
    uint32_t next; /* of its slot, by order; or free. All of them count from 1 */
};

struct wheel {
    uint64_t base, some; /* some: a bit for each word of used that is not 0 */
    uint64_t used[WORDS];
    uint32_t head[WHEEL_NS], tail[WHEEL_NS];
    struct spoke *spokes;
    uint32_t n_spokes, cap_spokes, free;
};

_Static_assert(WORDS == 64, "one word tells of all");

static bool before(const struct event *a, const struct event *b)
{
    return a->at < b->at || (a->at == b->at && a->order < b->order);
}

/* ---- the heap ---- */

static bool heap_put(struct uet_fabric *fabric, const struct event *event)
{
    struct event *heap = fabric->heap;
    size_t i = fabric->n_heap;

    if (i == fabric->cap_heap) {
        size_t cap = i ? 2 * i : 256;
        heap = realloc(heap, cap * sizeof(*heap));
        if (!heap)
            return false;
        fabric->heap = heap;
        fabric->cap_heap = cap;
    }
    fabric->n_heap++;
    for (; i && before(event, &heap[(i - 1) / 2]); i = (i - 1) / 2)
        heap[i] = heap[(i - 1) / 2];
    heap[i] = *event;
    return true;
}

static struct event heap_take(struct uet_fabric *fabric)
{
    struct event *heap = fabric->heap, first = heap[0], last;
    size_t n = --fabric->n_heap, i = 0, child;

    last = heap[n];
    while ((child = 2 * i + 1) < n) {
        if (child + 1 < n && before(&heap[child + 1], &heap[child]))
            child++;
        if (!before(&heap[child], &last))
            break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = last;
    return first;
}

/* ---- the wheel ---- */

static bool more_spokes(struct wheel *w)
{
    uint32_t cap = w->cap_spokes ? 2 * w->cap_spokes : 256;
    struct spoke *spokes = realloc(w->spokes, cap * sizeof(*spokes));

    if (!spokes)
        return false;
    w->spokes = spokes;
    w->cap_spokes = cap;
    return true;
}

/* Behind those of its slot that are to come before it: nearly always behind all. */
static void thread(struct wheel *w, uint32_t slot, uint32_t id)
{
    struct spoke *spokes = w->spokes - 1;
    uint32_t *link = &w->head[slot];
    const uint32_t last = w->tail[slot];

    if (*link && spokes[last].event.order < spokes[id].event.order)
        link = &spokes[last].next;
    while (*link && spokes[*link].event.order < spokes[id].event.order)
        link = &spokes[*link].next;
    spokes[id].next = *link;
    *link = id;
    if (!spokes[id].next)
        w->tail[slot] = id;
}

static bool wheel_put(struct wheel *w, const struct event *event)
{
    uint32_t slot = event->at % WHEEL_NS, id = w->free;

    if (!id && w->n_spokes == w->cap_spokes && !more_spokes(w))
        return false;
    if (id)
        w->free = w->spokes[id - 1].next;
    else
        id = ++w->n_spokes;
    w->spokes[id - 1].event = *event;
    if (w->head[slot]) {
        thread(w, slot, id);
        return true;
    }
    w->spokes[id - 1].next = 0;
    w->head[slot] = w->tail[slot] = id;
    w->used[slot / 64] |= 1ull << slot % 64;
    w->some |= 1ull << slot / 64;
    return true;
}

/* The first slot from base on that has something: the wheel is not empty. */
static uint32_t first_slot(const struct wheel *w)
{
    const uint32_t from = w->base % WHEEL_NS, word = from / 64;
    const uint64_t here = w->used[word] & ~0ull << from % 64;
    uint64_t after;

    if (here)
        return word * 64 + (uint32_t)__builtin_ctzll(here);
    /* Later words, or else the first ones, and of this one what lies before. */
    after = word < WORDS - 1 ? w->some & ~0ull << (word + 1) : 0;
    if (!after)
        after = w->some;
    const uint32_t at = (uint32_t)__builtin_ctzll(after);
    return at * 64 + (uint32_t)__builtin_ctzll(w->used[at]);
}

/* Of the slot of next_at, which tells of the one after it then. */
static void wheel_take(struct uet_fabric *fabric, struct event *event)
{
    struct wheel *w = fabric->wheel;
    const uint32_t slot = fabric->next_at % WHEEL_NS, id = w->head[slot];
    struct spoke *spoke = &w->spokes[id - 1];

    *event = spoke->event;
    spoke->event.kind = EVENT_NONE;
    w->head[slot] = spoke->next;
    spoke->next = w->free;
    w->free = id;
    if (w->head[slot])
        return;
    w->used[slot / 64] &= ~(1ull << slot % 64);
    if (!w->used[slot / 64])
        w->some &= ~(1ull << slot / 64);
    if (w->some)
        fabric->next_at = w->base + (first_slot(w) - w->base) % WHEEL_NS;
    else
        fabric->next_at = fabric->n_heap ? fabric->heap[0].at : UET_FABRIC_NEVER;
}

/* The wheel goes on to base, and takes what lies within it now. */
static void turn(struct uet_fabric *fabric, uint64_t base)
{
    struct wheel *w = fabric->wheel;

    w->base = base;
    while (fabric->n_heap && fabric->heap[0].at - base < WHEEL_NS) {
        struct event event = heap_take(fabric);
        if (!wheel_put(w, &event)) {
            fabric->no_memory = true;
            if (event.kind == EVENT_ARRIVE)
                frame_drop(fabric, event.frame);
        }
    }
}

/* ---- both ---- */

bool events_make(struct uet_fabric *fabric)
{
    fabric->next_at = UET_FABRIC_NEVER;
    fabric->wheel = calloc(1, sizeof(*fabric->wheel));
    if (fabric->wheel)
        fabric->wheel->base = fabric->now;
    return fabric->wheel;
}

bool event_put(struct uet_fabric *fabric, const struct event *event)
{
    struct wheel *w = fabric->wheel;
    bool in;

    /* Nothing is before the first of the heap, and nothing will be put in before now. */
    if (event->at - w->base >= WHEEL_NS && !w->some)
        turn(fabric,
             fabric->n_heap && fabric->heap[0].at < fabric->now ? fabric->heap[0].at : fabric->now);
    in = event->at - w->base < WHEEL_NS ? wheel_put(w, event) : heap_put(fabric, event);
    if (!in)
        fabric->no_memory = true;
    else if (event->at < fabric->next_at)
        fabric->next_at = event->at;
    return in;
}

void event_take(struct uet_fabric *fabric, struct event *event)
{
    if (fabric->next_at != fabric->wheel->base)
        turn(fabric, fabric->next_at);
    if (fabric->wheel->head[fabric->next_at % WHEEL_NS]) {
        wheel_take(fabric, event);
        return;
    }
    *event = (struct event){.kind = EVENT_NONE}; /* no memory: it is lost */
    fabric->next_at = fabric->n_heap ? fabric->heap[0].at : UET_FABRIC_NEVER;
}

const struct event *event_first(const struct uet_fabric *fabric)
{
    const struct wheel *w = fabric->wheel;

    if (w->some)
        return &w->spokes[w->head[fabric->next_at % WHEEL_NS] - 1].event;
    return fabric->n_heap ? fabric->heap : NULL;
}

struct event *event_each(struct uet_fabric *fabric, size_t *i)
{
    struct wheel *w = fabric->wheel;

    for (; *i < w->n_spokes; ++*i)
        if (w->spokes[*i].event.kind != EVENT_NONE)
            return &w->spokes[(*i)++].event;
    if (*i - w->n_spokes < fabric->n_heap)
        return &fabric->heap[(*i)++ - w->n_spokes];
    return NULL;
}

void events_free(struct uet_fabric *fabric)
{
    if (fabric->wheel)
        free(fabric->wheel->spokes);
    free(fabric->wheel);
    free(fabric->heap);
}
