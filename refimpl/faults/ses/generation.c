/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of resource indices with generations (3.4.3.6.3, ses/resources.c). */
#include "refimpl/faults/ways.h"
#include "refimpl/ses/checks.h"

static bool four_bits_of_it(struct ses_judged *j)
{
    return !j->service->has_generation ||
           !((j->service->ri_generation ^ j->r->ri_generation) & 0x0f);
}
static void generation_of_four_bits(struct uet_law *law)
{
    law->ses.checks[SES_CHECK_GENERATION].holds = four_bits_of_it;
}

static bool generation_of_first(struct ses_judged *j)
{
    return !j->r->som || !j->service->has_generation ||
           j->service->ri_generation == j->r->ri_generation;
}
static void generation_of_first_alone(struct uet_law *law)
{
    law->ses.checks[SES_CHECK_GENERATION].holds = generation_of_first;
}

static bool own_generation_told(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_ses_response(&f->p) &&
        uet_ses_rsp_return_code(uet_ses(&f->p)) == UET_RC_BAD_GENERATION)
        uet_ses_rsp_ri_generation_set(uet_fault_ses(f), 0);
    return true;
}

/* ---- what is disabled for want of a receive ---- */

static bool never(struct ses_judged *j)
{
    (void)j;
    return true;
}
static void disables_nothing(struct uet_law *law)
{
    law->ses.checks[SES_CHECK_EXHAUSTED].holds = never;
}

static void no_match_first(struct uet_law *law)
{
    law->ses.checks[SES_CHECK_EXHAUSTED].code = UET_RC_NO_MATCH;
}

static bool not_exhausted_on_any_pdc(struct ses_judged *j)
{
    struct ses_judged found = *j;
    j->exhausted = j->service->has_generation && !(j->m && j->m->receive) &&
                   !j->fep->law.ses.checks[SES_CHECK_RECEIVE].holds(&found);
    return !j->exhausted;
}

static void rud_disables_too(struct uet_law *law)
{
    struct ses_check *c = &law->ses.checks[SES_CHECK_EXHAUSTED];
    c->holds = not_exhausted_on_any_pdc;
    c->when = law->ses.checks[SES_CHECK_RECEIVE].when;
}

/* The services of its number, whatever their space. */
static void exhausted_by_number(struct uet_fep *fep, const struct ses_request *r)
{
    for (uint8_t space = UET_RI_SEND; space <= UET_RI_TAGGED; space++) {
        const struct ses_op op = {.names = space};
        struct ses_request other = *r;
        other.op = &op;
        uet_service_exhausted(fep, &other);
    }
}

static void disables_both_spaces(struct uet_law *law)
{
    law->ses.exhausted = exhausted_by_number;
}

static void raised_at_once(struct uet_fep *fep, const struct ses_request *r)
{
    const struct uet_service *found = uet_service_find(fep, r);
    struct uet_service s = found ? *found : (struct uet_service){0};
    s.ri_generation++;
    if (found)
        uet_fep_service_set(fep, &s);
}

static void never_disabled(struct uet_law *law)
{
    law->ses.exhausted = raised_at_once;
}

#define NEXT(name, next)                                                                           \
    static uint8_t name##_of(uint8_t generation)                                                   \
    {                                                                                              \
        return (uint8_t)(next);                                                                    \
    }                                                                                              \
    static void name(struct uet_law *law)                                                          \
    {                                                                                              \
        law->ses.next_generation = name##_of;                                                      \
    }
NEXT(same_generation, generation)
NEXT(generation_by_two, generation + 2)
NEXT(generation_without_0, generation == 255 ? 1 : generation + 1)

/* Of an index that has opened again each further receive raises it. */
static void raised_each_time(struct uet_fep *fep, uint64_t *memo)
{
    const uint64_t posted = fep->n_posted;
    if (fep->n_exhausted)
        *memo = posted + 2; /* with one more it opens */
    if (!*memo || posted < *memo)
        return;
    *memo = posted + 1;
    for (uint32_t id = 1; id <= fep->services.n; id++) {
        struct service *s = pool_item(&fep->services, id);
        s->call.ri_generation += s->call.has_generation;
    }
}

/* memo: so many were posted when this was last looked at. */
static void opened_by_any_job(struct uet_fep *fep, uint64_t *memo)
{
    const uint64_t before = *memo;
    *memo = fep->n_posted;
    for (uint32_t id = 1; fep->n_exhausted && id <= fep->receives.n; id++) {
        const struct posted *posted = receive_at(fep, id);
        struct uet_receive v = posted->call;
        v.any_job = true;
        if (posted->call.base && posted->number >= before && posted->number < *memo)
            uet_service_supplied(fep, &v);
    }
}

/* A datagram that finds no receive. */
static bool datagram_disables(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct ses_request r;
    bool refused;
    if (!uet_is_uud(&f->p) || !uet_is_ses_request(&f->p))
        return true;
    uet_ses_request_read(fep, &f->p, &r);
    r.op = uet_ses_op_on_uud(fep);
    const struct uet_service *s = uet_service_find(fep, &r);
    if (s && s->has_generation && !uet_receive_find(fep, &r, &refused))
        uet_service_exhausted(fep, &r);
    return true;
}

/* What a peer tells counts for all of its indexes. */
static bool learns_generation(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (f->p.ses == UET_H_SES_RSP &&
        uet_ses_rsp_return_code(uet_ses(&f->p)) == UET_RC_BAD_GENERATION)
        *f->memo = uet_ses_rsp_ri_generation(uet_ses(&f->p));
    return true;
}

static bool has_learned_generation(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (*f->memo && uet_is_ses_request(&f->p) && !uet_ses_req_ri_generation(uet_ses(&f->p)))
        uet_ses_req_ri_generation_set(uet_fault_ses(f), (uint8_t)*f->memo);
    return true;
}

static const struct uet_fault_way ways[] = {
    {VIOLATION_SES_105_BITS, .rows = generation_of_four_bits},
    {VIOLATION_SES_105_LATER, .rows = generation_of_first_alone},
    {VIOLATION_SES_105_TELLS, .out = own_generation_told},
    {VIOLATION_SES_040_GENERATION, .in = datagram_disables},
    {VIOLATION_SES_106, .rows = disables_nothing},
    {VIOLATION_SES_106_NEXT, .rows = no_match_first},
    {VIOLATION_SES_106_RUD, .rows = rud_disables_too},
    {VIOLATION_SES_094_DISABLED, .rows = disables_both_spaces},
    {VIOLATION_SES_108_PEER, .in = learns_generation, .out = has_learned_generation},
    {VIOLATION_SES_107, .rows = same_generation},
    {VIOLATION_SES_107_TWO, .rows = generation_by_two},
    {VIOLATION_SES_107_WRAP, .rows = generation_without_0},
    {VIOLATION_SES_107_EACH, .after = raised_each_time},
    {VIOLATION_SES_107_JOB, .after = opened_by_any_job},
    {VIOLATION_SES_107_SOON, .rows = never_disabled},
};

UET_FAULT_WAYS(uet_faults_of_generation, ways);
