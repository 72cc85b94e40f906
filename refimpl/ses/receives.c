/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Posted receives (3.4.1.3.8): posted, found, taken, given back. One is named by all that a send
 * must say to get it, so the oldest of a name is found at once; of several names that a send
 * answers to, the oldest receive takes it. Those with bits to ignore are looked through one by one,
 * as far as they are older than what else was found.
 */
#include <errno.h>

#include "refimpl/ses/operation.h"
#include "refimpl/ses/ses.h"

/* ---- names ---- */

/* What stands in a line together: untagged ones, those with bits to ignore, exact tags. */
enum kind { KIND_UNTAGGED, KIND_IGNORES, KIND_EXACT };

static enum kind kind_of(const struct uet_receive *v)
{
    return !v->tagged ? KIND_UNTAGGED : v->ignore ? KIND_IGNORES : KIND_EXACT;
}

static uint64_t behind(enum kind kind, uint16_t pid, uint16_t ri)
{
    return (uint64_t)kind << 32 | (uint32_t)pid << 16 | ri;
}

#define ANYBODY (UINT64_C(1) << 32) /* no JobID, no initiator */

/* of: what has the kind, PIDonFEP, RI and tag. */
static uint64_t name_with(uint64_t of, uint64_t job, uint64_t initiator)
{
    return uet_index_join(uet_index_join(of, job), initiator);
}

/* Without JobID and initiator: by this all are found that a tag, or none, may be for. */
static uint64_t family_of(enum kind kind, uint16_t pid, uint16_t ri, uint64_t tag)
{
    return uet_index_join(behind(kind, pid, ri), kind == KIND_EXACT ? tag : 0);
}

static uint64_t family(const struct uet_receive *v)
{
    return family_of(kind_of(v), v->pid_on_fep, v->resource_index, v->match_bits);
}

static uint64_t name(const struct uet_receive *v)
{
    bool exact = kind_of(v) == KIND_EXACT;
    return name_with(family(v), v->any_job ? ANYBODY : v->job_id,
                     !exact || v->any_initiator ? ANYBODY : v->initiator);
}

/* ---- in line, in the order of posting ---- */

static bool older(const struct uet_fep *fep, uint32_t id, uint32_t than)
{
    return (int32_t)(receive_at(fep, id)->number - receive_at(fep, than)->number) < 0;
}

/* One that was promised and is free again has its old place. */
static void put_in_line(const struct uet_fep *fep, struct uet_index *ix, uint64_t of, uint32_t id)
{
    uint32_t after = uet_index_last(ix, of);
    while (after && older(fep, id, after))
        after = uet_index_link(ix, after)->prev;
    uet_index_add_after(ix, of, after, id);
}

/* ---- found ---- */

/* Initiator and match bits (SES-091); a bit to ignore matches whatever it is (SES-093). */
static bool matches(const struct uet_receive *v, const struct ses_request *r)
{
    return !((v->match_bits ^ r->key) & ~v->ignore) &&
           (v->any_initiator || v->initiator == r->initiator);
}

/* ... whatever the JobID. */
static bool fits_but_for_job(const struct uet_receive *v, const struct ses_request *r)
{
    const bool tagged = r->op->names == UET_RI_TAGGED;
    return v->pid_on_fep == r->pid_on_fep && v->resource_index == r->resource_index &&
           v->tagged == tagged && (!tagged || matches(v, r));
}

bool uet_receive_fits(const struct uet_receive *v, const struct ses_request *r)
{
    return (v->any_job || v->job_id == r->job_id) && fits_but_for_job(v, r);
}

typedef bool fits_function(const struct uet_receive *v, const struct ses_request *r);

/* The first of that name that fits, if it is older than the best so far. */
static void look(const struct uet_fep *fep, const struct uet_index *ix, uint64_t of,
                 const struct ses_request *r, fits_function *fits, uint32_t *best)
{
    uint32_t id = uet_index_first(ix, of);
    for (; id && (!*best || older(fep, id, *best)); id = uet_index_next(ix, id)) {
        if (fits(&receive_at(fep, id)->call, r)) {
            *best = id;
            return;
        }
    }
}

/* That the job of the request may have. */
static uint32_t mine(const struct uet_fep *fep, const struct ses_request *r)
{
    const struct uet_index *ix = &fep->receives_by_name;
    const uint64_t jobs[] = {r->job_id, ANYBODY}, initiators[] = {r->initiator, ANYBODY};
    const bool tagged = r->op->names == UET_RI_TAGGED;
    const uint64_t exact = family_of(KIND_EXACT, r->pid_on_fep, r->resource_index, r->key);
    const uint64_t all =
        family_of(tagged ? KIND_IGNORES : KIND_UNTAGGED, r->pid_on_fep, r->resource_index, 0);
    uint32_t best = 0;
    for (unsigned i = 0; i < 2; i++) {
        for (unsigned k = 0; tagged && k < 2; k++)
            look(fep, ix, name_with(exact, jobs[i], initiators[k]), r, uet_receive_fits, &best);
    }
    for (unsigned i = 0; i < 2; i++)
        look(fep, ix, name_with(all, jobs[i], ANYBODY), r, uet_receive_fits, &best);
    return best;
}

/* That another job has. */
static uint32_t others(const struct uet_fep *fep, const struct ses_request *r)
{
    const struct uet_index *ix = &fep->receives_by_family;
    const bool tagged = r->op->names == UET_RI_TAGGED;
    uint32_t best = 0;
    if (tagged)
        look(fep, ix, family_of(KIND_EXACT, r->pid_on_fep, r->resource_index, r->key), r,
             fits_but_for_job, &best);
    look(fep, ix,
         family_of(tagged ? KIND_IGNORES : KIND_UNTAGGED, r->pid_on_fep, r->resource_index, 0), r,
         fits_but_for_job, &best);
    return best;
}

/* In relative mode the JobID is part of the name: what another job has is not there at all. */
uint32_t uet_receive_find(const struct uet_fep *fep, const struct ses_request *r, bool *refused)
{
    uint32_t id = mine(fep, r);
    *refused = !id && !r->rel && (id = others(fep, r));
    return id;
}

/* ---- posted ---- */

/* Did the message that is held begin to arrive before the one that is kept? */
static bool held_first(const struct uet_fep *fep, uint32_t held, uint32_t kept)
{
    uint32_t after = kept ? uet_unexpected_number(fep, kept) : 0;
    return held && (!kept || (int32_t)(uet_held_number(fep, held) - after) < 0);
}

/* True: the oldest message that waits for such a receive has it. */
static bool wanted(struct uet_fep *fep, uint32_t id)
{
    for (;;) {
        uint32_t held = uet_held_find(fep, id), kept = uet_unexpected_find(fep, id);
        if (held_first(fep, held, kept)) {
            uet_held_promise(fep, held, id);
            return true;
        }
        if (!kept || uet_unexpected_takes(fep, kept, id))
            return kept;
    }
}

void uet_receive_offer(struct uet_fep *fep, uint32_t id)
{
    const struct uet_receive *v = &receive_at(fep, id)->call;
    if (wanted(fep, id))
        return;
    put_in_line(fep, &fep->receives_by_name, name(v), id);
    put_in_line(fep, &fep->receives_by_family, family(v), id);
}

int uet_fep_post_receive(struct uet_fep *fep, const struct uet_receive *receive)
{
    if ((receive->tagged && !fep->law.ses.tagged) || (receive->ignore && !fep->law.ses.wildcards))
        return -EINVAL;
    if (fep->receives.used + fep->completions.n_receive >= fep->config.max_receives)
        return -ENOSPC;
    uint32_t id = pool_get(&fep->receives);
    if (!id)
        return -ENOSPC;
    struct posted *posted = receive_at(fep, id);
    posted->call = *receive;
    posted->number = fep->n_posted++;
    if (fep->n_exhausted)
        uet_service_supplied(fep, receive);
    uet_receive_offer(fep, id);
    if (fep->dispatch)
        uet_ses_dispatch(fep);
    return 0;
}

/* ---- given back, taken, filled ---- */

static bool same_place(const struct uet_receive *a, const struct uet_receive *b)
{
    return a->pid_on_fep == b->pid_on_fep && a->resource_index == b->resource_index &&
           a->tagged == b->tagged &&
           (!a->tagged || (a->match_bits == b->match_bits && a->ignore == b->ignore));
}

bool uet_receive_is(const struct uet_fep *fep, uint32_t id, const struct uet_receive *receive)
{
    const struct uet_receive *v = &receive_at(fep, id)->call;
    return same_place(v, receive) && v->token == receive->token;
}

int uet_fep_receive_remove(struct uet_fep *fep, const struct uet_receive *receive)
{
    const struct uet_index *ix = &fep->receives_by_family;
    uint32_t id = uet_index_first(ix, family(receive));
    for (; id; id = uet_index_next(ix, id)) {
        if (!uet_receive_is(fep, id, receive))
            continue;
        uet_receive_take(fep, id);
        pool_put(&fep->receives, id);
        return 0;
    }
    return -ENOENT;
}

int uet_fep_receive_cancel(struct uet_fep *fep, const struct uet_receive *receive)
{
    return fep->law.ses.cancel(fep, receive);
}

void uet_receive_take(struct uet_fep *fep, uint32_t id)
{
    const struct uet_receive *v = &receive_at(fep, id)->call;
    if (receive_at(fep, id)->held) {
        uet_held_came(fep, id);
        return;
    }
    uet_index_remove(&fep->receives_by_name, name(v), id);
    uet_index_remove(&fep->receives_by_family, family(v), id);
}

void uet_receive_complete(struct uet_fep *fep, uint32_t id, const struct uet_completion *what)
{
    struct uet_completion completion = *what;
    completion.kind = UET_COMPLETION_RECEIVE;
    completion.token = receive_at(fep, id)->call.token;
    pool_put(&fep->receives, id);
    uet_completion_push(fep, &completion);
}
