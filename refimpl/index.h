/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Items of a pool found by a hash of what names them. Those of one name stand in a line of their
 * own, in the order in which they were added, so that a search meets no others, however many there
 * are. Two names may by a chance of 2^-64 be one: who searches compares what he finds. An item may
 * stand in several indexes, by a link for each.
 */
#ifndef UET_REFIMPL_INDEX_H
#define UET_REFIMPL_INDEX_H

#include "refimpl/pool.h"

struct uet_link {
    uint32_t next, prev; /* of the same name */
};

struct uet_name {
    uint32_t next;        /* of its bucket */
    uint32_t first, last; /* items; 0: the name is free */
    uint64_t name;
};

struct uet_index {
    const struct pool *pool;
    size_t link;       /* where an item has its struct uet_link for this index */
    struct pool names; /* struct uet_name: as many as items */
    uint32_t *buckets; /* their first */
    uint32_t n;        /* a power of two */
};

/* A name of two parts, of which either may be small numbers. */
static inline uint64_t uet_index_join(uint64_t a, uint64_t b)
{
    a = a * 0x9e3779b97f4a7c15u ^ b;
    return a ^ a >> 32;
}

static inline struct uet_link *uet_index_link(const struct uet_index *ix, uint32_t id)
{
    return (struct uet_link *)(void *)((uint8_t *)pool_item(ix->pool, id) + ix->link);
}

static inline struct uet_name *uet_index_name(const struct uet_index *ix, uint32_t id)
{
    return pool_item(&ix->names, id);
}

static inline uint32_t *uet_index_bucket(const struct uet_index *ix, uint64_t name)
{
    /* The highest bits of the product: on them alone each bit of the name has its effect. */
    return &ix->buckets[(name * 0x9e3779b97f4a7c15u >> 32) * ix->n >> 32];
}

/* Where the number of the name stands; there it is 0 when nothing is named so. */
static inline uint32_t *uet_index_find(const struct uet_index *ix, uint64_t name)
{
    uint32_t *at = uet_index_bucket(ix, name);
    while (*at && uet_index_name(ix, *at)->name != name)
        at = &uet_index_name(ix, *at)->next;
    return at;
}

/* The first item of this name, and the one after it; 0: none. */
static inline uint32_t uet_index_first(const struct uet_index *ix, uint64_t name)
{
    uint32_t id = *uet_index_find(ix, name);
    return id ? uet_index_name(ix, id)->first : 0;
}

static inline uint32_t uet_index_next(const struct uet_index *ix, uint32_t id)
{
    return uet_index_link(ix, id)->next;
}

/* The last item of this name. */
static inline uint32_t uet_index_last(const struct uet_index *ix, uint64_t name)
{
    uint32_t id = *uet_index_find(ix, name);
    return id ? uet_index_name(ix, id)->last : 0;
}

/* after: an item of that name; 0: as the first. */
static inline void uet_index_add_after(struct uet_index *ix, uint64_t name, uint32_t after,
                                       uint32_t id)
{
    uint32_t *at = uet_index_find(ix, name);
    if (!*at) {
        *at = pool_get(&ix->names);
        uet_index_name(ix, *at)->next = 0; /* the pool's link stood there */
        uet_index_name(ix, *at)->name = name;
    }
    struct uet_name *line = uet_index_name(ix, *at);
    uint32_t *from = after ? &uet_index_link(ix, after)->next : &line->first;
    *uet_index_link(ix, id) = (struct uet_link){.next = *from, .prev = after};
    if (*from)
        uet_index_link(ix, *from)->prev = id;
    else
        line->last = id;
    *from = id;
}

static inline void uet_index_add(struct uet_index *ix, uint64_t name, uint32_t id)
{
    uet_index_add_after(ix, name, uet_index_last(ix, name), id);
}

static inline void uet_index_remove(struct uet_index *ix, uint64_t name, uint32_t id)
{
    uint32_t *at = uet_index_find(ix, name), of = *at;
    struct uet_name *line = uet_index_name(ix, of);
    const struct uet_link *link = uet_index_link(ix, id);
    if (link->prev)
        uet_index_link(ix, link->prev)->next = link->next;
    else
        line->first = link->next;
    if (link->next)
        uet_index_link(ix, link->next)->prev = link->prev;
    else
        line->last = link->prev;
    if (line->first)
        return;
    *at = line->next;
    pool_put(&ix->names, of);
}

static inline void uet_index_reset(struct uet_index *ix)
{
    memset(ix->buckets, 0, ix->n * sizeof *ix->buckets);
    pool_reset(&ix->names);
}

#endif
