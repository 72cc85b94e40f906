/* SPDX-License-Identifier: BSD-2-Clause */
/* The event heap: by time, then by the order in which events were put in. */
#include <stdlib.h>

#include "port/fabric/internal.h"

static bool before(const struct event *a, const struct event *b)
{
    return a->at < b->at || (a->at == b->at && a->order < b->order);
}

bool event_put(struct uet_fabric *fabric, struct event event)
{
    struct event *heap = fabric->heap;
    size_t i = fabric->n_events;

    if (i == fabric->cap_events) {
        size_t cap = i ? 2 * i : 256;
        heap = realloc(heap, cap * sizeof(*heap));
        if (!heap) {
            fabric->no_memory = true;
            return false;
        }
        fabric->heap = heap;
        fabric->cap_events = cap;
    }
    fabric->n_events++;
    event.order = fabric->order++;
    for (; i && before(&event, &heap[(i - 1) / 2]); i = (i - 1) / 2)
        heap[i] = heap[(i - 1) / 2];
    heap[i] = event;
    return true;
}

bool event_take(struct uet_fabric *fabric, uint64_t now_ns, struct event *event)
{
    struct event *heap = fabric->heap, last;
    size_t n = fabric->n_events, i = 0, child;

    if (!n || heap[0].at > now_ns)
        return false;
    *event = heap[0];
    last = heap[--n];
    fabric->n_events = n;
    while ((child = 2 * i + 1) < n) {
        if (child + 1 < n && before(&heap[child + 1], &heap[child]))
            child++;
        if (!before(&heap[child], &last))
            break;
        heap[i] = heap[child];
        i = child;
    }
    if (n)
        heap[i] = last;
    return true;
}
