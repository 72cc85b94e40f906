/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/shrink.h"

#include <errno.h>
#include <string.h>

struct search {
    const struct sim_run *run;
    const struct sim_shrink *how;
    struct sim_choice *best;
    struct sim_result *result;
    unsigned runs;
    int error;
};

static bool over(const struct search *s)
{
    return s->error || s->runs >= s->how->max_runs || (s->how->stop && s->how->stop(s->how->ctx));
}

static bool same(const struct sim_breach *a, const struct sim_breach *b)
{
    return a->what == b->what && !strcmp(a->requirement, b->requirement);
}

/* Is the candidate as bad? Then it is the best so far. The candidate is used up. */
static bool try(struct search *s, struct sim_choice *candidate)
{
    struct sim_run run = *s->run;
    struct sim_result result;
    bool good = false;

    run.choice = candidate;
    run.pcap = NULL;
    s->runs++;
    s->error = sim_run(&run, &result);
    if (!s->error && same(&result.breach, &s->result->breach)) {
        struct sim_choice old = *s->best;
        *s->best = *candidate;
        *candidate = old;
        *s->result = result;
        good = true;
    }
    sim_choice_free(candidate);
    if (s->how->tried)
        s->how->tried(s->how->ctx, s->runs, s->best);
    return good;
}

/* One of the three sets of a choice. */
typedef struct sim_set *set_of(struct sim_choice *choice);

static struct sim_set *ops(struct sim_choice *choice)
{
    return &choice->ops;
}

static struct sim_set *faults(struct sim_choice *choice)
{
    return &choice->faults;
}

static struct sim_set *restarts(struct sim_choice *choice)
{
    return &choice->restarts;
}

/* Without those members whose rank among the members is first..first + n - 1; false: none such. */
static bool try_without(struct search *s, set_of *which, uint32_t first, uint32_t n)
{
    struct sim_choice candidate;
    struct sim_set *set;
    uint32_t rank = 0, taken = 0;

    s->error = sim_choice_copy(&candidate, s->best);
    if (s->error)
        return false;
    set = which(&candidate);
    for (uint32_t i = 0; i < set->n; i++)
        if (set->in[i] && rank++ >= first && taken < n) {
            set->in[i] = 0;
            taken++;
        }
    if (taken)
        return try(s, &candidate);
    sim_choice_free(&candidate);
    return false;
}

/* Halves, then quarters, and so on down to single members. */
static bool thin(struct search *s, set_of *which)
{
    bool better = false;
    uint32_t chunk = (sim_set_count(which(s->best)) + 1) / 2;

    for (; chunk && !over(s); chunk /= 2)
        for (uint32_t first = 0; first < sim_set_count(which(s->best)) && !over(s);)
            if (try_without(s, which, first, chunk))
                better = true;
            else
                first += chunk;
    return better;
}

static bool without_fep(struct search *s, uint16_t fep)
{
    const struct sim_plan *plan = s->run->plan;
    struct sim_choice candidate;
    bool taken = false;

    s->error = sim_choice_copy(&candidate, s->best);
    if (s->error)
        return false;
    for (uint32_t i = 0; i < plan->n_ops; i++)
        if (candidate.ops.in[i] && (plan->ops[i].from == fep || plan->ops[i].to == fep)) {
            candidate.ops.in[i] = 0;
            taken = true;
        }
    if (taken)
        return try(s, &candidate);
    sim_choice_free(&candidate);
    return false;
}

static bool fewer_feps(struct search *s)
{
    bool better = false;

    for (uint16_t i = 0; i < s->run->plan->n_feps && !over(s); i++)
        better |= without_fep(s, i);
    return better;
}

static bool shorter(struct search *s)
{
    static const uint32_t lengths[] = {0, 16, 1024, 4096, 16384};
    struct sim_choice candidate;

    for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths) && !over(s); i++) {
        if (lengths[i] >= s->best->max_length)
            return false;
        s->error = sim_choice_copy(&candidate, s->best);
        if (s->error)
            return false;
        candidate.max_length = lengths[i];
        if (try(s, &candidate))
            return true;
    }
    return false;
}

/* What begins after the breach has no part in it. */
static void forget_the_future(struct search *s)
{
    const struct sim_plan *plan = s->run->plan;
    struct sim_choice candidate;

    s->error = sim_choice_copy(&candidate, s->best);
    if (s->error)
        return;
    for (uint32_t i = 0; i < plan->n_ops; i++)
        candidate.ops.in[i] &= plan->ops[i].at_ns <= s->result->breach.at_ns;
    for (uint32_t i = 0; i < plan->n_faults; i++)
        candidate.faults.in[i] &= plan->faults[i].at_ns <= s->result->breach.at_ns;
    for (uint32_t i = 0; i < plan->n_restarts; i++)
        candidate.restarts.in[i] &= plan->restarts[i].at_ns <= s->result->breach.at_ns;
    try(s, &candidate);
}

int sim_shrink(const struct sim_run *run, struct sim_choice *choice, struct sim_result *result,
               const struct sim_shrink *how)
{
    struct search s = {.run = run, .how = how, .best = choice, .result = result};
    bool better = true;

    if (!over(&s))
        forget_the_future(&s);
    while (better && !over(&s)) {
        better = thin(&s, restarts);
        better |= thin(&s, faults);
        better |= fewer_feps(&s);
        better |= thin(&s, ops);
        better |= shorter(&s);
    }
    return s.error ? s.error : (int)s.runs;
}
