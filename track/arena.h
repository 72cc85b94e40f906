/* SPDX-License-Identifier: BSD-2-Clause */
/* A growing arena for callers that want one: everything is given back at once. */
#ifndef UET_TRACK_ARENA_H
#define UET_TRACK_ARENA_H

#include "track/track.h"

struct uet_track_arena {
    struct uet_track_arena_block *blocks; /* newest first */
    size_t used;                          /* bytes given out */
    size_t limit;                         /* bytes that may be given out; 0: no limit */
};

/* An empty arena. limit in bytes, 0 for none. */
void uet_track_arena_init(struct uet_track_arena *arena, size_t limit);

/* An allocator that takes from the arena, which must outlive what uses it. Not thread-safe. */
struct uet_track_allocator uet_track_arena_allocator(struct uet_track_arena *arena);

/* Gives everything back; the arena is empty and may be used again. */
void uet_track_arena_free(struct uet_track_arena *arena);

#endif
