/* SPDX-License-Identifier: BSD-2-Clause */
#include "port/queue.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int uet_queue_init(struct uet_queue *queue, size_t n_slots, size_t n_bytes)
{
    memset(queue, 0, sizeof(*queue));
    /* malloc, not calloc: pages that no frame ever touches cost nothing. */
    queue->slots = malloc(n_slots * sizeof(*queue->slots));
    queue->bytes = malloc(n_bytes);
    if (!queue->slots || !queue->bytes) {
        uet_queue_free(queue);
        return -ENOMEM;
    }
    queue->n_slots = n_slots;
    queue->n_bytes = n_bytes;
    return 0;
}

void uet_queue_free(struct uet_queue *queue)
{
    free(queue->slots);
    free(queue->bytes);
    memset(queue, 0, sizeof(*queue));
}

/* Finds len bytes in one piece: after the newest frame, or again from the start. */
static int find_room(const struct uet_queue *queue, size_t len, size_t *start)
{
    size_t oldest = queue->used ? queue->slots[queue->first].start : 0;

    if (queue->used == queue->n_slots)
        return -ENOBUFS;
    if (queue->used && queue->write <= oldest) { /* wrapped: free is [write, oldest) */
        *start = queue->write;
        return len <= oldest - queue->write ? 0 : -ENOBUFS;
    }
    if (len <= queue->n_bytes - queue->write) {
        *start = queue->write;
        return 0;
    }
    *start = 0;
    return len <= oldest ? 0 : -ENOBUFS;
}

int uet_queue_push(struct uet_queue *queue, const uint8_t *data, uint32_t len, uint64_t time_ns)
{
    struct uet_queue_slot *slot;
    size_t start;

    if (len == 0 || find_room(queue, len, &start))
        return -ENOBUFS;
    slot = &queue->slots[(queue->first + queue->used) % queue->n_slots];
    *slot = (struct uet_queue_slot){.time_ns = time_ns, .start = start, .len = len};
    memcpy(queue->bytes + start, data, len);
    queue->write = start + len;
    queue->used++;
    return 0;
}

uint64_t uet_queue_next_ns(const struct uet_queue *queue)
{
    if (queue->out == queue->used)
        return UINT64_MAX;
    return queue->slots[(queue->first + queue->out) % queue->n_slots].time_ns;
}

int uet_queue_pop(struct uet_queue *queue, struct uet_frame *frames, size_t max, uint64_t until_ns)
{
    int n = 0;

    while ((size_t)n < max && queue->out < queue->used && uet_queue_next_ns(queue) <= until_ns) {
        struct uet_queue_slot *slot = &queue->slots[(queue->first + queue->out) % queue->n_slots];

        frames[n++] = (struct uet_frame){
            .data = queue->bytes + slot->start, .len = slot->len, .time_ns = slot->time_ns};
        queue->out++;
    }
    return n;
}

void uet_queue_release(struct uet_queue *queue)
{
    queue->first = (queue->first + queue->out) % queue->n_slots;
    queue->used -= queue->out;
    queue->out = 0;
    /* An empty queue starts again at the same bytes, which are still in the cache. */
    if (queue->used == 0)
        queue->first = queue->write = 0;
}
