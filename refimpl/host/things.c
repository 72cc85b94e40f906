/* SPDX-License-Identifier: BSD-2-Clause */
/* Handles and the memory behind them. */
#include <stdlib.h>
#include <string.h>

#include "refimpl/host/internal.h"

static bool make_room(struct uet_host *host)
{
    size_t cap = host->cap_things ? 2 * host->cap_things : 64;
    struct thing *things;

    if (host->n_things < host->cap_things)
        return true;
    things = realloc(host->things, cap * sizeof(*things));
    if (!things)
        return false;
    host->things = things;
    host->cap_things = cap;
    return true;
}

struct thing *uet_host_thing_new(struct uet_host *host, enum thing_kind kind, uint32_t bytes)
{
    struct thing thing = {
        .handle = host->next_handle, .kind = (uint8_t)kind, .region = -1, .bytes = bytes};

    if (bytes > host->config.memory_max - host->bytes || !make_room(host))
        return NULL;
    if (bytes > 0) {
        thing.base = calloc(1, bytes);
        if (!thing.base)
            return NULL;
    }
    host->next_handle++;
    host->bytes += bytes;
    host->things[host->n_things] = thing;
    return &host->things[host->n_things++];
}

struct thing *uet_host_thing(struct uet_host *host, uint64_t handle)
{
    size_t low = 0, high = host->n_things;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (host->things[middle].handle == handle)
            return &host->things[middle];
        if (host->things[middle].handle < handle)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

struct thing *uet_host_thing_of_region(struct uet_host *host, uint64_t region)
{
    for (size_t i = 0; i < host->n_things; i++) {
        struct thing *thing = &host->things[i];

        if (thing->kind == THING_REGION && thing->region >= 0 && (uint64_t)thing->region == region)
            return thing;
    }
    return NULL;
}

void uet_host_thing_drop(struct uet_host *host, uint64_t handle)
{
    struct thing *thing = uet_host_thing(host, handle);
    size_t after;

    if (!thing)
        return;
    after = host->n_things - 1 - (size_t)(thing - host->things);
    host->bytes -= thing->bytes;
    free(thing->base);
    memmove(thing, thing + 1, after * sizeof(*thing));
    host->n_things--;
}

void uet_host_things_clear(struct uet_host *host)
{
    for (size_t i = 0; i < host->n_things; i++)
        free(host->things[i].base);
    host->n_things = 0;
    host->bytes = 0;
}
