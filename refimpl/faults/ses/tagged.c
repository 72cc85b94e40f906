/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of tag matching (ses/receives.c). */
#include "refimpl/faults/ways.h"
#include "refimpl/ses/checks.h"

/* ---- as target: another receive is found ---- */

typedef bool fits_function(const struct uet_receive *v, const struct ses_request *r);

static bool same_tag(const struct uet_receive *v, const struct ses_request *r)
{
    return !((v->match_bits ^ r->key) & ~v->ignore);
}

static bool same_initiator(const struct uet_receive *v, const struct ses_request *r)
{
    return v->any_initiator || v->initiator == r->initiator;
}

static bool behind_ri(const struct uet_receive *v, const struct ses_request *r)
{
    return v->pid_on_fep == r->pid_on_fep && v->resource_index == r->resource_index &&
           (v->any_job || v->job_id == r->job_id);
}

/* The oldest, or the youngest, of all posted receives that fit. */
static uint32_t scan(const struct ses_judged *j, fits_function *fits, bool youngest)
{
    const struct uet_index *all = &j->fep->receives_by_family;
    uint32_t best = 0;
    for (uint32_t of = 1; of <= all->names.n; of++)
        for (uint32_t id = uet_index_name(all, of)->first; id; id = uet_index_next(all, id)) {
            const struct posted *p = receive_at(j->fep, id);
            bool later = best && p->number > receive_at(j->fep, best)->number;
            if (behind_ri(&p->call, j->r) && fits(&p->call, j->r) && (!best || later == youngest))
                best = id;
        }
    return best;
}

/* Of tagged messages that have no receive yet; all else is as it should be. */
static bool found(struct ses_judged *j, fits_function *fits, bool youngest)
{
    if (j->m && j->m->receive)
        j->receive = j->m->receive;
    else if (j->r->op->names == UET_RI_TAGGED)
        j->receive = scan(j, fits, youngest);
    else
        j->receive = uet_receive_find(j->fep, j->r, &j->refused);
    return j->receive;
}

#define FOUND(name, condition, youngest)                                                           \
    static bool name##_fits(const struct uet_receive *v, const struct ses_request *r)              \
    {                                                                                              \
        return condition;                                                                          \
    }                                                                                              \
    static bool name##_found(struct ses_judged *j)                                                 \
    {                                                                                              \
        return found(j, name##_fits, youngest);                                                    \
    }                                                                                              \
    static void name(struct uet_law *law)                                                          \
    {                                                                                              \
        law->ses.checks[SES_CHECK_RECEIVE].holds = name##_found;                                   \
    }

FOUND(low_half,
      v->tagged && !(uint32_t)((v->match_bits ^ r->key) & ~v->ignore) && same_initiator(v, r),
      false)
FOUND(zero_is_any, v->tagged && (!v->match_bits || same_tag(v, r)) && same_initiator(v, r), false)
FOUND(initiator_zero_is_any, v->tagged &&same_tag(v, r) && (!v->initiator || same_initiator(v, r)),
      false)
FOUND(any_source, v->tagged &&same_tag(v, r), false)
FOUND(short_source,
      v->tagged &&same_tag(v, r) &&
          (v->any_initiator || (uint16_t)v->initiator == (uint16_t)r->initiator),
      false)
FOUND(no_anybody, v->tagged &&same_tag(v, r) && v->initiator == r->initiator, false)
FOUND(no_ignore, v->tagged && v->match_bits == r->key && same_initiator(v, r), false)
FOUND(no_wildcard_of_one,
      v->tagged &&same_tag(v, r) &&
          (v->any_initiator || (!v->ignore && v->initiator == r->initiator)),
      false)
FOUND(untagged_too, (!v->tagged || same_tag(v, r)) && (!v->tagged || same_initiator(v, r)), false)
FOUND(last_first, v->tagged &&same_tag(v, r) && same_initiator(v, r), true)

static bool exact_first_found(struct ses_judged *j)
{
    if (j->r->op->names == UET_RI_TAGGED && !(j->m && j->m->receive) &&
        (j->receive = scan(j, no_ignore_fits, false)))
        return true;
    return found(j, last_first_fits, false);
}

static void exact_first(struct uet_law *law)
{
    law->ses.checks[SES_CHECK_RECEIVE].holds = exact_first_found;
}

static bool is_named(const struct uet_receive *v, const struct ses_request *r)
{
    return v->tagged && !v->any_initiator && uet_receive_fits(v, r);
}

static bool named_first_found(struct ses_judged *j)
{
    if (j->r->op->names == UET_RI_TAGGED && !(j->m && j->m->receive) &&
        (j->receive = scan(j, is_named, false)))
        return true;
    return found(j, last_first_fits, false);
}

static void named_first(struct uet_law *law)
{
    law->ses.checks[SES_CHECK_RECEIVE].holds = named_first_found;
}

/* ---- atomics by a tag (ses/atomic.c) ---- */

static bool is_atomic(const struct ses_request *r)
{
    return r->opcode == UET_OP_TSEND_ATOMIC || r->opcode == UET_OP_TSEND_FETCH_ATOMIC;
}

FOUND(any_tag, v->tagged && (is_atomic(r) || same_tag(v, r)) && same_initiator(v, r), false)

static struct ses_op *fetching(struct uet_law *law)
{
    return &law->ses.ops[UET_OP_TSEND_FETCH_ATOMIC];
}

static struct ses_op *plain(struct uet_law *law)
{
    return &law->ses.ops[UET_OP_TSEND_ATOMIC];
}

static void may_be_cut(struct uet_law *law)
{
    fetching(law)->whole = plain(law)->whole = false;
}

static void leaves_it_posted(struct uet_law *law)
{
    fetching(law)->commit = plain(law)->commit = uet_atomic_commit;
}

/* Of the others by the rule: a receive has room for so many bytes, or is cut. */
#define ROOM_FOR(name, atomic)                                                                     \
    static bool name##_fits(struct ses_judged *j)                                                  \
    {                                                                                              \
        const struct ses_request *r = j->r;                                                        \
        if (j->held || j->kept)                                                                    \
            return true;                                                                           \
        const struct uet_receive *v = &receive_at(j->fep, j->receive)->call;                       \
        if (is_atomic(r))                                                                          \
            return atomic;                                                                         \
        return (j->m && j->m->receive) || v->truncate || uet_ses_send_fits(v, r);                  \
    }                                                                                              \
    static void name(struct uet_law *law)                                                          \
    {                                                                                              \
        law->ses.checks[SES_CHECK_RECEIVE_LENGTH].holds = name##_fits;                             \
    }
ROOM_FOR(always, true)
ROOM_FOR(both_operands, !uet_ses_outside(r->buffer_offset, r->length, v->length))

static bool no_tag(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const uint8_t opcode =
        uet_is_ses_request(&f->p) ? uet_ses_req_opcode(uet_ses(&f->p)) : UET_OP_NO_OP;
    (void)fep;
    if (opcode == UET_OP_TSEND_ATOMIC || opcode == UET_OP_TSEND_FETCH_ATOMIC)
        uet_ses_req_match_bits_or_memory_key_set(uet_fault_ses(f), 0);
    return true;
}

/* ---- as initiator ---- */

static bool is_tagged(const struct uet_packet *p)
{
    return uet_is_ses_request(p) && uet_ses_req_opcode(uet_ses(p)) == UET_OP_TAGGED_SEND;
}

static bool nobody_said(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (is_tagged(&f->p) && !uet_ses_req_som(uet_ses(&f->p)))
        uet_ses_req_initiator_set(uet_fault_ses(f), 0);
    return true;
}

static bool tag_first_alone(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (is_tagged(&f->p) && !uet_ses_req_som(uet_ses(&f->p)))
        uet_ses_req_match_bits_or_memory_key_set(uet_fault_ses(f), 0);
    return true;
}

/* Who ignores a bit ignores the lowest, too. */
static void ignores_the_lowest(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    for (uint32_t id = 1; id <= fep->receives.n; id++) {
        struct uet_receive *v = &receive_at(fep, id)->call;
        if (v->ignore)
            v->ignore |= 1;
    }
}

static const struct uet_fault_way ways[] = {
    {VIOLATION_SES_091, .rows = low_half},
    {VIOLATION_SES_091_ZERO, .rows = initiator_zero_is_any},
    {VIOLATION_SES_092, .rows = zero_is_any},
    {VIOLATION_SES_091_SOURCE, .rows = any_source},
    {VIOLATION_SES_091_SHORT, .rows = short_source},
    {VIOLATION_SES_091_ANYBODY, .rows = no_anybody},
    {VIOLATION_SES_093, .rows = exact_first},
    {VIOLATION_SES_093_NAMED, .rows = named_first},
    {VIOLATION_SES_093_IGNORE, .rows = no_ignore},
    {VIOLATION_SES_094, .rows = untagged_too},
    {VIOLATION_SES_095, .out = nobody_said},
    {VIOLATION_SES_095_TAG, .out = tag_first_alone},
    {VIOLATION_SES_163, .rows = last_first},
    {VIOLATION_SES_091_ATOMIC, .rows = any_tag},
    {VIOLATION_SES_095_ATOMIC, .out = no_tag},
    {VIOLATION_SES_101_ATOMIC, .rows = always},
    {VIOLATION_SES_102_ATOMIC, .rows = may_be_cut},
    {VIOLATION_SES_163_ATOMIC, .rows = leaves_it_posted},
    {VIOLATION_SES_179_ATOMIC, .rows = both_operands},
    {VIOLATION_SES_093_ONE, .rows = no_wildcard_of_one},
    {VIOLATION_SES_093_LOWEST, .after = ignores_the_lowest},
};

UET_FAULT_WAYS(uet_faults_of_tagged, ways);
