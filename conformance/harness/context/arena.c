/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory that lives as long as the test. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/harness/context/context.h"

#define ARENA_BLOCK 65536

struct uet_arena {
    struct uet_arena *next;
    size_t used, size;
    _Alignas(max_align_t) uint8_t bytes[];
};

void *uet_arena_alloc(struct uet_arena **arena, size_t n)
{
    size_t need = (n + 15) & ~(size_t)15;
    struct uet_arena *block = *arena;

    if (!block || block->size - block->used < need) {
        size_t size = need > ARENA_BLOCK ? need : ARENA_BLOCK;

        block = malloc(sizeof(*block) + size);
        if (!block)
            return NULL;
        block->used = 0;
        block->size = size;
        block->next = *arena;
        *arena = block;
    }
    void *p = block->bytes + block->used;
    block->used += need;
    return memset(p, 0, need); /* not the whole block: most tests need little of it */
}

void uet_arena_free(struct uet_arena **arena)
{
    while (*arena) {
        struct uet_arena *next = (*arena)->next;

        free(*arena);
        *arena = next;
    }
}
