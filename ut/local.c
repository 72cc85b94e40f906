/* SPDX-License-Identifier: BSD-2-Clause */
/* The upper tester of a FEP in the same process. */
#include <errno.h>
#include <stdlib.h>

#include "ut/ut.h"

struct local {
    struct uet_ut ut; /* first: the caller holds a pointer to it */
    json_t *(*handle)(void *ctx, json_t *request);
    void *ctx;
};

static int local_call(struct uet_ut *ut, json_t *request, json_t **reply)
{
    struct local *local = (struct local *)ut;

    *reply = local->handle(local->ctx, request);
    return *reply ? 0 : -ENOMEM;
}

static void local_close(struct uet_ut *ut)
{
    free(ut);
}

struct uet_ut *uet_ut_local(json_t *(*handle)(void *ctx, json_t *request), void *ctx)
{
    static const struct uet_ut_ops ops = {.call = local_call, .close = local_close};
    struct local *local = calloc(1, sizeof(*local));

    if (!local)
        return NULL;
    *local = (struct local){.ut = {.ops = &ops, .next_id = 1}, .handle = handle, .ctx = ctx};
    return &local->ut;
}
