/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Items of a pool found by a hash of what names them; those of one bucket stand in the order in
 * which they were added. An item may stand in several indexes, by a link for each.
 */
#ifndef UET_REFIMPL_INDEX_H
#define UET_REFIMPL_INDEX_H

#include "refimpl/pool.h"

struct uet_link {
    uint32_t next, prev;
};

struct uet_index {
    const struct pool *pool;
    size_t link;              /* where an item has its struct uet_link for this index */
    struct uet_link *buckets; /* first and last item */
    uint32_t n;               /* a power of two */
};

static inline struct uet_link *uet_index_link(const struct uet_index *ix, uint32_t id)
{
    return (struct uet_link *)(void *)((uint8_t *)pool_item(ix->pool, id) + ix->link);
}

static inline struct uet_link *uet_index_bucket(const struct uet_index *ix, uint64_t name)
{
    return &ix->buckets[(name * 0x9e3779b97f4a7c15u >> 32) & (ix->n - 1)];
}

/* The first item whose name may be this one, and the one after it; 0: none. */
static inline uint32_t uet_index_first(const struct uet_index *ix, uint64_t name)
{
    return uet_index_bucket(ix, name)->next;
}

static inline uint32_t uet_index_next(const struct uet_index *ix, uint32_t id)
{
    return uet_index_link(ix, id)->next;
}

/* The last item of the same bucket. */
static inline uint32_t uet_index_last(const struct uet_index *ix, uint64_t name)
{
    return uet_index_bucket(ix, name)->prev;
}

/* after: an item of its bucket; 0: as the first. */
static inline void uet_index_add_after(const struct uet_index *ix, uint64_t name, uint32_t after,
                                       uint32_t id)
{
    struct uet_link *bucket = uet_index_bucket(ix, name);
    uint32_t *from = after ? &uet_index_link(ix, after)->next : &bucket->next;
    *uet_index_link(ix, id) = (struct uet_link){.next = *from, .prev = after};
    if (*from)
        uet_index_link(ix, *from)->prev = id;
    else
        bucket->prev = id;
    *from = id;
}

static inline void uet_index_add(const struct uet_index *ix, uint64_t name, uint32_t id)
{
    uet_index_add_after(ix, name, uet_index_last(ix, name), id);
}

static inline void uet_index_remove(const struct uet_index *ix, uint64_t name, uint32_t id)
{
    struct uet_link *bucket = uet_index_bucket(ix, name);
    const struct uet_link *link = uet_index_link(ix, id);
    if (link->prev)
        uet_index_link(ix, link->prev)->next = link->next;
    else
        bucket->next = link->next;
    if (link->next)
        uet_index_link(ix, link->next)->prev = link->prev;
    else
        bucket->prev = link->prev;
}

static inline void uet_index_reset(const struct uet_index *ix)
{
    memset(ix->buckets, 0, ix->n * sizeof *ix->buckets);
}

#endif
