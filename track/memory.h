/* SPDX-License-Identifier: BSD-2-Clause */
/* Inside the tracker: memory in chunks from the caller's allocator, and a hash map over it. */
#ifndef UET_TRACK_MEMORY_H
#define UET_TRACK_MEMORY_H

#include "track/track.h"

/* Memory that lives as long as the tracker. */
struct uet_pool {
    struct uet_track_allocator allocator;
    struct uet_pool_chunk *chunks; /* newest first */
};

/*
 * Makes sure that the next uet_pool_get calls, together at most bytes (<= UET_POOL_RESERVE),
 * cannot fail: memory runs out before a packet changes anything, or not at all.
 */
#define UET_POOL_RESERVE 2048u
bool uet_pool_reserve(struct uet_pool *pool, size_t bytes);

/* Zeroed bytes, aligned for any object, from what was reserved. */
void *uet_pool_get(struct uet_pool *pool, size_t bytes);
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

/* The value with this hash for which same(value, key) holds, or NULL. */
void *uet_map_find(const struct uet_map *map, uint64_t hash, uet_map_same *same, const void *key);

/* Takes the value out for which same(value, key) holds, and returns it; NULL for none. */
void *uet_map_take(struct uet_map *map, uint64_t hash, uet_map_same *same, const void *key);

/* Makes room for n more values; false when memory ran out. */
bool uet_map_reserve(struct uet_map *map, const struct uet_track_allocator *allocator, size_t n);

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

/* The same for numbers that follow each other: eight of them lie side by side in a map. */
static inline uint64_t uet_mix_near(uint64_t h, uint64_t v)
{
    return (uet_mix(h, v >> 3) & ~UINT64_C(7)) | (v & 7);
}

#endif
