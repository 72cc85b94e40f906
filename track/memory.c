/* SPDX-License-Identifier: BSD-2-Clause */
#include "track/memory.h"

/* The first chunk is small, for a short test; later ones are large, for a long capture. */
#define FIRST_CHUNK 8192u
#define LAST_CHUNK  (256u * 1024u)

struct uet_pool_chunk {
    struct uet_pool_chunk *next;
    size_t cap;
    max_align_t bytes[];
};

bool uet_pool_grow(struct uet_pool *pool)
{
    size_t cap = pool->chunks ? pool->chunks->cap * 2 : FIRST_CHUNK;
    if (cap > LAST_CHUNK)
        cap = LAST_CHUNK;
    struct uet_pool_chunk *c = pool->allocator.alloc(pool->allocator.ctx, sizeof *c + cap);
    if (!c)
        return false;
    c->cap = cap;
    c->next = pool->chunks;
    pool->chunks = c;
    pool->next = (uint8_t *)c->bytes;
    pool->left = cap;
    return true;
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

bool uet_map_grow(struct uet_map *map, const struct uet_track_allocator *allocator, size_t n)
{
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

static struct uet_page *new_page(struct uet_pages *pages, struct uet_pool *pool,
                                 const struct uet_page *key)
{
    struct uet_page *page = pages->free;
    if (page)
        pages->free = page->next;
    else
        page = uet_pool_get(pool, sizeof *page);
    *page = *key;
    uet_map_put(&pages->map, uet_page_hash(page), page);
    return page;
}

void **uet_pages_slot(struct uet_pages *pages, struct uet_pool *pool,
                      const struct uet_track_pdc *pdc, bool forward, uint32_t number)
{
    const struct uet_page key = {.pdc = pdc, .place = number / UET_PAGE, .forward = forward};
    struct uet_page *page = uet_map_find(&pages->map, uet_page_hash(&key), uet_same_page, &key);
    if (!page)
        page = new_page(pages, pool, &key);
    return &page->value[number % UET_PAGE];
}

static bool is_empty(const struct uet_page *page)
{
    for (unsigned i = 0; i < UET_PAGE; i++)
        if (page->value[i])
            return false;
    return true;
}

void *uet_pages_take(struct uet_pages *pages, const struct uet_track_pdc *pdc, bool forward,
                     uint32_t number)
{
    const struct uet_page key = {.pdc = pdc, .place = number / UET_PAGE, .forward = forward};
    struct uet_page *page = uet_map_find(&pages->map, uet_page_hash(&key), uet_same_page, &key);
    void *value = page ? page->value[number % UET_PAGE] : NULL;
    if (!value)
        return NULL;
    page->value[number % UET_PAGE] = NULL;
    if (!is_empty(page))
        return value;
    uet_map_take(&pages->map, uet_page_hash(&key), uet_same_page, &key);
    page->next = pages->free;
    pages->free = page;
    return value;
}
