/* SPDX-License-Identifier: BSD-2-Clause */
/* Every key and IV that has sealed a packet of the scenario (TSS-018): byte by byte, all of them.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/random.h"
#include "sim/scenario/internal.h"

struct iv {
    uint8_t used, generation, len;
    uint8_t key[UET_TSS_CONTEXT_MAX];
    uint8_t iv[UET_TSS_IV_LEN];
};

struct ivs {
    struct iv *all; /* a hash table, at most half full */
    size_t size, n;
};

struct ivs *ivs_new(void)
{
    return calloc(1, sizeof(struct ivs));
}

void ivs_free(struct ivs *ivs)
{
    if (ivs)
        free(ivs->all);
    free(ivs);
}

static size_t place_of(const struct iv *iv, size_t size)
{
    const uint8_t *bytes = (const uint8_t *)iv;
    uint64_t hash = 0;

    for (size_t i = 0; i < sizeof(*iv); i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3ull;
    return (size_t)sim_mix(hash, 0) & (size - 1);
}

static struct iv *find(struct iv *all, size_t size, const struct iv *iv)
{
    size_t at = place_of(iv, size);

    while (all[at].used && memcmp(&all[at], iv, sizeof(*iv)) != 0)
        at = (at + 1) & (size - 1);
    return &all[at];
}

static int grow(struct ivs *ivs)
{
    size_t size = ivs->size ? 2 * ivs->size : 1024;
    struct iv *all = calloc(size, sizeof(*all));

    if (!all)
        return -ENOMEM;
    for (size_t i = 0; i < ivs->size; i++)
        if (ivs->all[i].used)
            *find(all, size, &ivs->all[i]) = ivs->all[i];
    free(ivs->all);
    ivs->all = all;
    ivs->size = size;
    return 0;
}

int ivs_add(struct ivs *ivs, uint8_t generation, const struct uet_tss_context *key,
            const uint8_t iv[UET_TSS_IV_LEN])
{
    struct iv one, *place;

    if (2 * ivs->n >= ivs->size && grow(ivs))
        return -ENOMEM;
    memset(&one, 0, sizeof(one));
    one.used = 1;
    one.generation = generation;
    one.len = key->len;
    memcpy(one.key, key->bytes, sizeof(one.key));
    memcpy(one.iv, iv, sizeof(one.iv));
    place = find(ivs->all, ivs->size, &one);
    if (place->used)
        return 1;
    *place = one;
    ivs->n++;
    return 0;
}
