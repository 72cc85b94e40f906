/* SPDX-License-Identifier: BSD-2-Clause */
/* Inside the tracker: memory in chunks from the caller's allocator, and a hash map over it. */
#ifndef UET_TRACK_MEMORY_H
#define UET_TRACK_MEMORY_H

#include "track/track.h"

/* Memory that lives as long as the tracker. */
struct uet_pool {
    struct uet_track_allocator allocator;
    struct uet_pool_chunk *chunks; /* newest first */
    uint8_t *next;                 /* the newest one's free bytes ... */
    size_t left;                   /* ... and how many they are */
};

/* A new chunk; false when memory ran out. */
bool uet_pool_grow(struct uet_pool *pool);

/*
 * Makes sure that the next uet_pool_get calls, together at most bytes (<= UET_POOL_RESERVE),
 * cannot fail: memory runs out before a packet changes anything, or not at all.
 */
#define UET_POOL_RESERVE 2048u
static inline bool uet_pool_reserve(struct uet_pool *pool, size_t bytes)
{
    return bytes <= pool->left || uet_pool_grow(pool);
}

/* Zeroed bytes, aligned for any object, from what was reserved. */
static inline void *uet_pool_get(struct uet_pool *pool, size_t bytes)
{
    size_t rounded = (bytes + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    void *p = pool->next;
    pool->next += rounded;
    pool->left -= rounded;
    return p;
}

void uet_pool_free(struct uet_pool *pool);

/* Open addressing over 64-bit hashes; the caller compares. */
struct uet_map {
    struct uet_map_slot *slots;
    size_t cap; /* a power of two, or 0 */
    size_t n;
};

struct uet_map_slot {
    uint64_t hash;
    void *value; /* NULL: free */
};

typedef bool uet_map_same(const void *value, const void *key);

/*
 * The value with this hash for which same(value, key) holds, or NULL. Inline, and `same` with it:
 * called, it took three times as many instructions.
 */
__attribute__((always_inline)) static inline void *
uet_map_find(const struct uet_map *map, uint64_t hash, uet_map_same *same, const void *key)
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

/* Takes the value out for which same(value, key) holds, and returns it; NULL for none. */
void *uet_map_take(struct uet_map *map, uint64_t hash, uet_map_same *same, const void *key);

/* Makes room for n more values; false when memory ran out. */
bool uet_map_grow(struct uet_map *map, const struct uet_track_allocator *allocator, size_t n);
static inline bool uet_map_reserve(struct uet_map *map, const struct uet_track_allocator *allocator,
                                   size_t n)
{
    return map->n + n <= map->cap / 2 || uet_map_grow(map, allocator, n);
}

/* Puts a value in; room was reserved. */
void uet_map_put(struct uet_map *map, uint64_t hash, void *value);
void uet_map_free(struct uet_map *map, const struct uet_track_allocator *allocator);

/* A good 64-bit mixer (that of splitmix64). */
static inline uint64_t uet_mix(uint64_t h, uint64_t v)
{
    h += v + 0x9e3779b97f4a7c15u;
    h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
    h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
    return h ^ (h >> 31);
}

/*
 * Values under numbers that follow each other, PSNs or message_ids, of the directions of PDCs. A
 * map of pages, each for eight numbers: with an entry for each number, half of the searches ran
 * through ten others.
 */
#define UET_PAGE 8u

struct uet_pages {
    struct uet_map map;
    struct uet_page *free;
};

struct uet_page {
    const struct uet_track_pdc *pdc;
    uint32_t place; /* number / UET_PAGE */
    bool forward;
    union {
        void *value[UET_PAGE];
        struct uet_page *next; /* of those that are free */
    };
};

static inline bool uet_same_page(const void *value, const void *key)
{
    const struct uet_page *a = value, *b = key;
    return a->place == b->place && a->pdc == b->pdc && a->forward == b->forward;
}

static inline uint64_t uet_page_hash(const struct uet_page *page)
{
    return uet_mix(page->pdc->hash, (uint64_t)page->place << 1 | page->forward);
}

/* What stands under the number, or NULL. */
static inline void *uet_pages_find(const struct uet_pages *pages, const struct uet_track_pdc *pdc,
                                   bool forward, uint32_t number)
{
    const struct uet_page key = {.pdc = pdc, .place = number / UET_PAGE, .forward = forward};
    const struct uet_page *page =
        uet_map_find(&pages->map, uet_page_hash(&key), uet_same_page, &key);
    return page ? page->value[number % UET_PAGE] : NULL;
}

/*
 * Where the value under the number stands, NULL until the caller puts one there: he must. Room was
 * reserved. It is good until something is taken out.
 */
void **uet_pages_slot(struct uet_pages *pages, struct uet_pool *pool,
                      const struct uet_track_pdc *pdc, bool forward, uint32_t number);

/* Takes out what stands under the number, and returns it; NULL for nothing. */
void *uet_pages_take(struct uet_pages *pages, const struct uet_track_pdc *pdc, bool forward,
                     uint32_t number);

#endif
