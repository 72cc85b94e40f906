/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A queue of frames in one piece of memory taken at the start: no heap per frame.
 *
 * Frames are copied in by push and handed out in place by pop; what was popped stays good until
 * uet_queue_release. One thread.
 */
#ifndef UET_PORT_QUEUE_H
#define UET_PORT_QUEUE_H

#include <stddef.h>
#include <stdint.h>

#include "port/port.h"

struct uet_queue_slot {
    uint64_t time_ns;
    size_t start; /* offset of the first byte */
    uint32_t len;
};

struct uet_queue {
    struct uet_queue_slot *slots;
    uint8_t *bytes;
    size_t n_slots, n_bytes;
    size_t first; /* oldest slot that still holds bytes */
    size_t out;   /* of these, how many were popped and not yet released */
    size_t used;  /* slots that hold bytes, popped ones included */
    size_t write; /* where the next frame goes */
};

/* Makes room for n_slots frames of n_bytes in all. 0 or -ENOMEM. */
int uet_queue_init(struct uet_queue *queue, size_t n_slots, size_t n_bytes);

void uet_queue_free(struct uet_queue *queue);

/* Copies a frame in. 0, or -ENOBUFS when it finds no room. */
int uet_queue_push(struct uet_queue *queue, const uint8_t *data, uint32_t len, uint64_t time_ns);

/* The time of the oldest frame that was not popped; UINT64_MAX when there is none. */
uint64_t uet_queue_next_ns(const struct uet_queue *queue);

/* Hands out the oldest frames, at most max, whose time is not after until_ns; how many. */
int uet_queue_pop(struct uet_queue *queue, struct uet_frame *frames, size_t max, uint64_t until_ns);

/* Takes the room of the popped frames back. */
void uet_queue_release(struct uet_queue *queue);

#endif
