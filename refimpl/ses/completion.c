/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Completions wait in a ring for the application. It cannot overflow: a kind is only let in while
 * what stands for it (operation, receive, write with immediate) has its room.
 */
#include "refimpl/ses/ses.h"

static uint32_t *kind_count(struct completion_ring *ring, uint8_t kind)
{
    switch (kind) {
    case UET_COMPLETION_OPERATION:
        return &ring->n_op;
    case UET_COMPLETION_RECEIVE:
        return &ring->n_receive;
    default:
        return &ring->n_write;
    }
}

void uet_completion_push(struct uet_fep *fep, const struct uet_completion *what)
{
    struct completion_ring *ring = &fep->completions;
    ring->slots[(ring->head + ring->n) % ring->cap] = *what;
    ring->n++;
    ++*kind_count(ring, what->kind);
}

bool uet_completion_room_for_write(const struct uet_fep *fep)
{
    return fep->completions.n_write < fep->params.Write_Completions;
}

bool uet_fep_completion(struct uet_fep *fep, struct uet_completion *completion)
{
    struct completion_ring *ring = &fep->completions;
    if (!ring->n)
        return false;
    *completion = ring->slots[ring->head];
    ring->head = (ring->head + 1) % ring->cap;
    ring->n--;
    --*kind_count(ring, completion->kind);
    return true;
}
