/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Fixed pools of numbered items inside the FEP's one block of memory. Numbers start at 1, so that
 * zeroed memory means "none". Every item begins with a uint32_t link that the pool uses while the
 * item is free; its owner may use it afterwards.
 */
#ifndef UET_REFIMPL_POOL_H
#define UET_REFIMPL_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct pool {
    uint8_t *items; /* item 0 is never handed out */
    size_t size;    /* bytes of an item */
    uint32_t n;     /* items that can be handed out */
    uint32_t used;
    uint32_t free;   /* the first free item; 0: none */
    uint32_t opened; /* items that were handed out since the reset; those above are zero, and the */
                     /* first of them ends the chain of free items */
};

static inline void *pool_item(const struct pool *p, uint32_t id)
{
    return p->items + (size_t)id * p->size;
}

/* Bytes of memory for n items. */
static inline size_t pool_bytes(size_t n, size_t size)
{
    return (n + 1) * size;
}

/*
 * Is there one left for a packet? One that came ahead of a gap leaves the last to the packet that
 * closes the gap: only that one brings the releases for which the others wait.
 */
static inline bool pool_has(const struct pool *p, bool ahead)
{
    return p->n - p->used > (ahead ? 1u : 0u);
}

static inline void pool_put(struct pool *p, uint32_t id)
{
    memcpy(pool_item(p, id), &p->free, sizeof p->free);
    p->free = id;
    p->used--;
}

/* A zeroed item's number; 0 when there is none. */
static inline uint32_t pool_get(struct pool *p)
{
    uint32_t id = p->free;
    if (!id)
        return 0;
    if (id > p->opened) {
        p->opened = id;
        p->free = id < p->n ? id + 1 : 0;
    } else {
        memcpy(&p->free, pool_item(p, id), sizeof p->free);
        memset(pool_item(p, id), 0, p->size);
    }
    p->used++;
    return id;
}

/*
 * All items free and zero, the lowest number first: what is named by number finds nothing old. What
 * was not handed out since the last reset is zero as it is (the FEP's memory begins so): a FEP with
 * room for thousands that used ten is reset at the cost of ten.
 */
static inline void pool_reset(struct pool *p)
{
    memset(p->items, 0, pool_bytes(p->opened, p->size));
    p->used = p->opened = 0;
    p->free = p->n ? 1 : 0;
}

#endif
