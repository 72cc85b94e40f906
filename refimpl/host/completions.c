/* SPDX-License-Identifier: BSD-2-Clause */
/* From the FEP's completions to those that `wait` tells. */
#include <stdlib.h>
#include <string.h>

#include "refimpl/host/internal.h"

static bool make_room(struct uet_host *host)
{
    size_t cap = host->cap_told ? 2 * host->cap_told : 64;
    struct told *told;

    if (host->cap_told > 0 && host->n_told < host->cap_told)
        return true;
    if (host->cap_told >= COMPLETIONS_MAX)
        return false;
    told = malloc(cap * sizeof(*told));
    if (!told)
        return false;
    for (size_t i = 0; i < host->n_told && host->cap_told > 0; i++)
        told[i] = host->told[(host->first_told + i) % host->cap_told];
    free(host->told);
    host->told = told;
    host->cap_told = cap;
    host->first_told = 0;
    return true;
}

static void keep(struct uet_host *host, uint64_t handle, const char *kind, bool tagged,
                 const struct uet_completion *completion)
{
    if (!make_room(host)) {
        host->lost_completions++;
        return;
    }
    host->told[(host->first_told + host->n_told++) % host->cap_told] =
        (struct told){.handle = handle, .kind = kind, .tagged = tagged, .completion = *completion};
}

static void post_again(struct uet_host *host, const struct thing *thing)
{
    if (uet_fep_post_receive(host->fep, &thing->receive))
        host->stray_completions++; /* cannot be: the FEP has just freed a place */
}

/* An operation is forgotten with its completion; its last ones are remembered: should one complete
 * again, that is told, as whoever drives the FEP would see it. */
static void end(struct uet_host *host, const struct thing *thing)
{
    host->ended[host->n_ended++ % ENDED] = (struct ended){thing->handle, thing->verb};
    uet_host_thing_drop(host, thing->handle);
}

static void take_stray(struct uet_host *host, const struct uet_completion *completion)
{
    host->stray_completions++;
    for (size_t i = 0; i < ENDED; i++)
        if (completion->kind == UET_COMPLETION_OPERATION && host->ended[i].verb &&
            host->ended[i].handle == completion->token)
            keep(host, completion->token, host->ended[i].verb, false, completion);
}

static void take(struct uet_host *host, const struct uet_completion *completion)
{
    struct thing *thing = completion->kind == UET_COMPLETION_WRITE
                              ? uet_host_thing_of_region(host, completion->token)
                              : uet_host_thing(host, completion->token);

    if (!thing) {
        take_stray(host, completion);
    } else if (completion->kind == UET_COMPLETION_WRITE) {
        keep(host, thing->handle, "imm", false, completion);
    } else if (completion->kind == UET_COMPLETION_RECEIVE) {
        keep(host, thing->handle, "recv", thing->receive.tagged, completion);
        if (thing->repost)
            post_again(host, thing);
    } else {
        keep(host, thing->handle, thing->verb, false, completion);
        if (!thing->fetches) /* get_mem reads what has come */
            end(host, thing);
    }
}

size_t uet_host_take_completions(struct uet_host *host)
{
    struct uet_completion completion;
    size_t n = 0;

    for (; uet_fep_completion(host->fep, &completion); n++)
        take(host, &completion);
    return n;
}

const struct told *uet_host_tell(struct uet_host *host)
{
    const struct told *told = host->n_told ? &host->told[host->first_told] : NULL;

    if (told) {
        host->first_told = (host->first_told + 1) % host->cap_told;
        host->n_told--;
    }
    return told;
}

void uet_host_completions_clear(struct uet_host *host)
{
    host->n_told = 0;
    memset(host->ended, 0, sizeof(host->ended));
}
