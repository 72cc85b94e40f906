/* SPDX-License-Identifier: BSD-2-Clause */
#include "track/arena.h"

#include <stdlib.h>

/* Blocks of this size keep malloc off the common path; larger wishes get a block of their own. */
#define BLOCK_BYTES (256u * 1024u)

struct uet_track_arena_block {
    struct uet_track_arena_block *next;
    size_t used, cap;
    max_align_t bytes[];
};

void uet_track_arena_init(struct uet_track_arena *arena, size_t limit)
{
    *arena = (struct uet_track_arena){.limit = limit};
}

static struct uet_track_arena_block *new_block(struct uet_track_arena *arena, size_t bytes)
{
    size_t cap = bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES;
    struct uet_track_arena_block *b = calloc(1, sizeof *b + cap);
    if (!b)
        return NULL;
    b->cap = cap;
    /* A block for one large wish goes behind the current one, which keeps its free room. */
    struct uet_track_arena_block **at = &arena->blocks;
    if (arena->blocks && cap > BLOCK_BYTES)
        at = &arena->blocks->next;
    b->next = *at;
    *at = b;
    return b;
}

static void *arena_alloc(void *ctx, size_t bytes)
{
    struct uet_track_arena *arena = ctx;
    if (bytes > SIZE_MAX / 2)
        return NULL;
    bytes = (bytes + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    if (arena->limit && (bytes > arena->limit || arena->used > arena->limit - bytes))
        return NULL;
    struct uet_track_arena_block *b = arena->blocks;
    if (!b || b->cap - b->used < bytes)
        b = new_block(arena, bytes);
    if (!b)
        return NULL;
    void *p = (uint8_t *)b->bytes + b->used;
    b->used += bytes;
    arena->used += bytes;
    return p;
}

struct uet_track_allocator uet_track_arena_allocator(struct uet_track_arena *arena)
{
    return (struct uet_track_allocator){.ctx = arena, .alloc = arena_alloc};
}

void uet_track_arena_free(struct uet_track_arena *arena)
{
    while (arena->blocks) {
        struct uet_track_arena_block *b = arena->blocks;
        arena->blocks = b->next;
        free(b);
    }
    arena->used = 0;
}
