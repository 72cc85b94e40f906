/* SPDX-License-Identifier: BSD-2-Clause */
#include "track/memory.h"

/* The first chunk is small, for a short test; later ones are large, for a long capture. */
#define FIRST_CHUNK 8192u
#define LAST_CHUNK  (256u * 1024u)

struct uet_pool_chunk {
    struct uet_pool_chunk *next;
    size_t used, cap;
    max_align_t bytes[];
};

static struct uet_pool_chunk *new_chunk(struct uet_pool *pool)
{
    size_t cap = pool->chunks ? pool->chunks->cap * 2 : FIRST_CHUNK;
    if (cap > LAST_CHUNK)
        cap = LAST_CHUNK;
    struct uet_pool_chunk *c = pool->allocator.alloc(pool->allocator.ctx, sizeof *c + cap);
    if (!c)
        return NULL;
    c->cap = cap;
    c->used = 0;
    c->next = pool->chunks;
    pool->chunks = c;
    return c;
}

bool uet_pool_reserve(struct uet_pool *pool, size_t bytes)
{
    const struct uet_pool_chunk *c = pool->chunks;
    return (c && c->cap - c->used >= bytes) || new_chunk(pool);
}

void *uet_pool_get(struct uet_pool *pool, size_t bytes)
{
    struct uet_pool_chunk *c = pool->chunks;
    void *p = (uint8_t *)c->bytes + c->used;
    c->used += (bytes + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    return p;
}

void uet_pool_free(struct uet_pool *pool)
{
    while (pool->chunks && pool->allocator.free) {
        struct uet_pool_chunk *c = pool->chunks;
        pool->chunks = c->next;
        pool->allocator.free(pool->allocator.ctx, c);
    }
    pool->chunks = NULL;
}

void *uet_map_find(const struct uet_map *map, uint64_t hash, uet_map_same *same, const void *key)
{
    if (!map->cap)
        return NULL;
    for (size_t i = (size_t)hash & (map->cap - 1);; i = (i + 1) & (map->cap - 1)) {
        const struct uet_map_slot *s = &map->slots[i];
        if (!s->value)
            return NULL;
        if (s->hash == hash && same(s->value, key))
            return s->value;
    }
}

void uet_map_put(struct uet_map *map, uint64_t hash, void *value)
{
    size_t i = (size_t)hash & (map->cap - 1);
    while (map->slots[i].value)
        i = (i + 1) & (map->cap - 1);
    map->slots[i] = (struct uet_map_slot){.hash = hash, .value = value};
    map->n++;
}

/* The slots behind a free one move up, as far as their hashes allow: no search stops too early. */
static void close_hole(struct uet_map *map, size_t hole)
{
    size_t mask = map->cap - 1;
    for (size_t i = (hole + 1) & mask; map->slots[i].value; i = (i + 1) & mask) {
        size_t home = (size_t)map->slots[i].hash & mask;
        if (((i - home) & mask) < ((i - hole) & mask))
            continue; /* its home lies behind the hole */
        map->slots[hole] = map->slots[i];
        hole = i;
    }
    map->slots[hole] = (struct uet_map_slot){0};
    map->n--;
}

void *uet_map_take(struct uet_map *map, uint64_t hash, uet_map_same *same, const void *key)
{
    if (!map->cap)
        return NULL;
    for (size_t i = (size_t)hash & (map->cap - 1);; i = (i + 1) & (map->cap - 1)) {
        struct uet_map_slot *s = &map->slots[i];
        if (!s->value)
            return NULL;
        if (s->hash != hash || !same(s->value, key))
            continue;
        void *value = s->value;
        close_hole(map, i);
        return value;
    }
}

bool uet_map_reserve(struct uet_map *map, const struct uet_track_allocator *allocator, size_t n)
{
    if (map->n + n <= map->cap / 2)
        return true;
    struct uet_map bigger = {.cap = map->cap ? map->cap * 2 : 64};
    while (map->n + n > bigger.cap / 2)
        bigger.cap *= 2;
    bigger.slots = allocator->alloc(allocator->ctx, bigger.cap * sizeof *bigger.slots);
    if (!bigger.slots)
        return false;
    for (size_t i = 0; i < map->cap; i++)
        if (map->slots[i].value)
            uet_map_put(&bigger, map->slots[i].hash, map->slots[i].value);
    uet_map_free(map, allocator);
    *map = bigger;
    return true;
}

void uet_map_free(struct uet_map *map, const struct uet_track_allocator *allocator)
{
    if (map->slots && allocator->free)
        allocator->free(allocator->ctx, map->slots);
    *map = (struct uet_map){0};
}
