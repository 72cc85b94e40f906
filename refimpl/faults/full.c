/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of pools that are full: their last item is not as it was made. */
#include "refimpl/faults/ways.h"
#include "refimpl/ses/checks.h"

/* The last item, where all are taken; else NULL. */
static void *last_of(const struct pool *pool)
{
    return pool->used == pool->n ? pool_item(pool, pool->n) : NULL;
}

static void last_region_is_first(struct uet_fep *fep, uint64_t *memo)
{
    struct region *last = last_of(&fep->regions), *first = pool_item(&fep->regions, 1);
    (void)memo;
    if (!last || first->call.length < last->call.length)
        return;
    last->call.base = first->call.base;
}

static void last_receive_is_first(struct uet_fep *fep, uint64_t *memo)
{
    struct posted *last = last_of(&fep->receives), *first = pool_item(&fep->receives, 1);
    (void)memo;
    if (last && first->call.length >= last->call.length)
        last->call.base = first->call.base;
}

static void last_service_disabled(struct uet_fep *fep, uint64_t *memo)
{
    struct service *last = last_of(&fep->services);
    (void)memo;
    if (last)
        last->call.disabled = true;
}

static void last_operation_other_key(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    if (fep->operations.used >= fep->config.max_operations)
        ((struct operation *)pool_item(&fep->operations, fep->config.max_operations))->call.key = 0;
}

static void last_kept_bytes(struct uet_fep *fep, uint64_t *memo)
{
    const struct unexpected *last = last_of(&fep->unexpected);
    (void)memo;
    if (last && last->blocks)
        memset(((struct unexpected_block *)pool_item(&fep->unexpected_blocks, last->blocks))->bytes,
               0, UNEXPECTED_BLOCK);
}

/* memo: the PSN of the old value that has taken the last room, and bit 32: it leaves in vain. */
static bool last_old_value_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (!uet_is_request(&f->p) || !uet_is_ses_response_data(&f->p))
        return true;
    const uint64_t own = 1ull << 32 | uet_packet_psn(&f->p);
    if (!*f->memo && last_of(&fep->kept))
        *f->memo = own;
    return *f->memo != own;
}

static const struct uet_fault_way ways[] = {
    {VIOLATION_SES_139_FULL, .out = last_old_value_lost},
    {VIOLATION_SES_019_FULL, .after = last_region_is_first},
    {VIOLATION_SES_050_FULL, .after = last_service_disabled},
    {VIOLATION_SES_090_FULL, .after = last_receive_is_first},
    {VIOLATION_ROB_037_FULL, .after = last_kept_bytes},
    {VIOLATION_ROB_042_FULL, .after = last_operation_other_key},
};

UET_FAULT_WAYS(uet_faults_of_full, ways);
