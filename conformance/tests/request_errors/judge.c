/* SPDX-License-Identifier: BSD-2-Clause */
/* What a request with errors gets. */
#include <stdio.h>
#include <string.h>

#include "conformance/harness/steps/memory.h"
#include "conformance/harness/steps/reads.h"
#include "conformance/harness/steps/requests.h"
#include "conformance/harness/steps/steps.h"
#include "conformance/tests/request_errors.h"

/* A code of an answer: of a NACK, or of a SES response. */
struct told {
    bool nack;
    uint8_t code;
};

static const char *name_of(struct told t)
{
    return uet_enum_name(t.nack ? UET_ENUM_PDS_NACK_CODE : UET_ENUM_SES_RETURN_CODE, t.code);
}

static struct told told_by(const struct uet_in *in)
{
    if (uet_is_nack(&in->packet))
        return (struct told){true, uet_nack_nack_code(uet_pds(&in->packet))};
    if (!uet_is_ses_response(&in->packet))
        return (struct told){false, UET_RC_NULL};
    return (struct told){false, uet_ses_rsp_return_code(uet_ses(&in->packet))};
}

static bool is_code(const struct uet_request_check *c, struct told t)
{
    return t.nack == c->pds && t.code == c->code;
}

static bool is_other_code(const struct uet_request_check *c, struct told t)
{
    for (size_t i = 0; i < sizeof c->others && c->others[i]; i++) {
        if (t.nack == c->pds && t.code == c->others[i])
            return true;
    }
    return false;
}

/* UET_NO_RESPONSE tells arrival only (3.4.3.6.2): what follows it, if anything does. */
static const struct uet_in *final_answer(struct uet_tc *tc, const struct uet_out *o,
                                         const struct uet_in *in)
{
    const struct uet_in *later = o->pdc && tells_arrival(in) ? maybe(tc, ANSWER_TO(o)) : NULL;

    return later ? later : in;
}

/* The answer to it, NULL when none comes. */
static const struct uet_in *answer_to_it(struct uet_tc *tc, const struct uet_out *o)
{
    return final_answer(tc, o, o->pdc ? maybe(tc, ANSWER_TO(o)) : maybe(tc, RUDI_RESPONSE_TO(o)));
}

/* The same where one must come, in the time that a slow host has for it. */
static const struct uet_in *answer_due(struct uet_tc *tc, const char *requirement,
                                       const struct uet_out *o, const char *to)
{
    char named[180];

    snprintf(named, sizeof named, "answer to a %s", to);
    const struct uet_in *in = o->pdc ? hear(tc, requirement, ANSWER_TO(o), .named = named)
                                     : hear(tc, requirement, RUDI_RESPONSE_TO(o), .named = named);

    return final_answer(tc, o, in);
}

/* ": with rel=1 no such JobID; and ..., in a WRITE". */
static const char *in_words(const struct uet_request_check *first,
                            const struct uet_request_check *second, const char *carrier, char *out,
                            size_t size)
{
    snprintf(out, size, "%s: %s%s%s", carrier, first->what, second ? "; and " : "",
             second ? second->what : "");
    return out;
}

/*
 * Sends it: what comes is the code of the first check, or one that is a finding. second: NULL when
 * there is no other error.
 */
static void judge(struct uet_tc *tc, const struct uet_request_check *first,
                  const struct uet_request_check *second, const char *carrier,
                  const struct uet_out *o)
{
    const struct told due = {first->pds, first->code};
    bool sure = !second || (first->order == 'A' && second->order == 'A');
    char words[160];

    in_words(first, second, carrier, words, sizeof words);
    uet_for(tc, first->requirement);
    say(tc, o);
    const struct uet_in *in = answer_due(tc, first->requirement, o, words);
    const struct told t = told_by(in);
    uet_look_at(tc, in);
    if (is_code(first, t)) {
        if (!first->pds)
            uet_check_return_code(tc, first->requirement, in, first->code);
    } else if (is_other_code(first, t) ||
               (!sure && (is_code(second, t) || is_other_code(second, t)))) {
        uet_other_reading(tc, first->requirement, "%s instead of %s to a %s", name_of(t),
                          name_of(due), words);
    } else {
        uet_check(tc, first->requirement, false, "%s, required %s, to a %s", name_of(t),
                  name_of(due), words);
    }
}

void refused_at(struct uet_tc *tc, enum uet_check_id check, enum carrier_id carrier,
                const struct uet_out *o)
{
    judge(tc, &uet_request_checks[check], NULL, carriers[carrier].name, o);
}

/* A request with these errors; who refuses it in the PDS has taken no PSN. */
static struct uet_out wrong(struct uet_tc *tc, struct uet_pdc *p, enum carrier_id carrier,
                            uint32_t errors)
{
    struct wrong_request r = {
        .carrier = carrier, .pdc = p, .memory = buffer_for(tc, errors, carrier)};

    for (unsigned i = 0; i < UET_N_CHECKS; i++) {
        if (errors & 1u << i && request_errors[i].aim)
            request_errors[i].aim(tc, &r);
    }
    struct uet_out o = make_request(tc, &r);
    for (unsigned i = 0; i < UET_N_CHECKS; i++) {
        if (errors & 1u << i && request_errors[i].alter)
            request_errors[i].alter(tc, &o);
        if (errors & 1u << i && uet_request_checks[i].pds)
            r.pdc->next_psn = o.psn;
    }
    return o;
}

/* What is not tried at this FEP, by name; `more`: for which there was no room. */
struct left_out {
    char names[140];
    unsigned more;
};

static void leave_out(struct left_out *l, const char *name)
{
    size_t at = strlen(l->names);

    if (at + strlen(name) + 3 > sizeof l->names)
        l->more++;
    else
        snprintf(l->names + at, sizeof l->names - at, "%s%s", at ? ", " : "", name);
}

/* A remark of the result, one for all: results keep one of a kind. */
static void tell_left_out(struct uet_tc *tc, const char *requirement, const struct left_out *l)
{
    if (*l->names && l->more)
        uet_note(tc, requirement, "left out, for want of an upper tester or a claim: %s, %u more",
                 l->names, l->more);
    else if (*l->names)
        uet_note(tc, requirement, "left out, for want of an upper tester or a claim: %s", l->names);
}

/* A request of this form can have both errors. */
static bool stand_together(enum uet_check_id first, enum uet_check_id second,
                           enum carrier_id carrier)
{
    return can_have(first, carrier) && can_have(second, carrier) &&
           !(request_errors[first].alone & 1u << second);
}

void first_wins(struct uet_tc *tc, enum uet_check_id first, enum carrier_id carrier)
{
    const struct uet_request_check *c = &uet_request_checks[first];
    struct uet_pdc *p = NULL, *rod = NULL;
    struct left_out out = {0};
    const char *lack = lacks_for(tc, first);

    if (lack)
        uet_skip_for(tc, UET_SKIP_NO_UPPER_TESTER, "%s", lack);
    for (enum uet_check_id second = first + 1; second < UET_N_CHECKS; second++) {
        if (stand_together(first, second, carrier) && lacks_for(tc, second))
            leave_out(&out, uet_request_checks[second].what);
    }
    tell_left_out(tc, c->requirement, &out);
    for (enum uet_check_id second = first + 1; second < UET_N_CHECKS; second++) {
        if (!stand_together(first, second, carrier) || lacks_for(tc, second))
            continue;
        struct uet_out o =
            wrong(tc, pdc_for(tc, carrier, &p, &rod), carrier, 1u << first | 1u << second);
        judge(tc, c, &uet_request_checks[second], carriers[carrier].name, &o);
    }
    if (!p && !rod)
        uet_skip_for(tc, UET_SKIP_NO_UPPER_TESTER, "only an upper tester makes such errors");
}

void seen_in_each(struct uet_tc *tc, enum uet_check_id check)
{
    const struct uet_request_check *c = &uet_request_checks[check];
    struct uet_pdc *p = NULL, *rod = NULL;
    struct left_out out = {0};
    const char *lack = lacks_for(tc, check);
    unsigned n = 0;

    if (lack)
        uet_skip_for(tc, UET_SKIP_NO_UPPER_TESTER, "%s", lack);
    for (enum carrier_id form = CARRIER_READ; form < N_CARRIERS; form++) {
        if (can_have(check, form) && !takes_carrier(tc, form))
            leave_out(&out, carriers[form].name);
    }
    tell_left_out(tc, c->requirement, &out);
    for (enum carrier_id form = CARRIER_READ; form < N_CARRIERS; form++) {
        if (!can_have(check, form) || !takes_carrier(tc, form))
            continue;
        struct uet_out o = wrong(tc, pdc_for(tc, form, &p, &rod), form, 1u << check);
        judge(tc, c, NULL, carriers[form].name, &o);
        n++;
    }
    if (n == 0)
        uet_skip_for(tc, UET_SKIP_NOT_CLAIMED, "no other form of a request is claimed");
}

/* What else answers it: soon, for the FEP has done with it. */
static const struct uet_in *answer_after_that(struct uet_tc *tc, const struct uet_out *o)
{
    uint64_t soon = uet_tc_latest(tc, UET_MS);

    return o->pdc ? maybe(tc, ANSWER_TO(o), .within = soon)
                  : maybe(tc, RUDI_RESPONSE_TO(o), .within = soon);
}

/* Says it; no answer of all that come tells success. Was there one? */
static bool told_no_success(struct uet_tc *tc, const char *requirement, const struct uet_out *o,
                            enum carrier_id form)
{
    bool answered = false;

    say(tc, o);
    for (const struct uet_in *in = answer_to_it(tc, o); in; in = answer_after_that(tc, o)) {
        answered = true;
        uet_check(tc, requirement, !tells_success(in) || tells_arrival(in),
                  "success was told to a %s", carriers[form].name);
    }
    return answered;
}

/* Was it answered? Who drops it in silence leaves a gap, which ROD does not go past. */
static bool not_executed_as(struct uet_tc *tc, const char *requirement, struct uet_pdc *p,
                            enum carrier_id form, void (*alter)(struct uet_out *o))
{
    struct wrong_request r = {.carrier = form, .pdc = p, .memory = buffer_for(tc, 0, form)};
    const bool region = !is_send(&carriers[form]); /* else its receive tells */
    struct kept before = {0};
    struct uet_out o = make_request(tc, &r);

    if (region)
        before = keep(tc, &r.memory, 0, REQUEST_BYTES);
    alter(&o);
    bool answered = told_no_success(tc, requirement, &o, form);
    if (region)
        unchanged(tc, requirement, &before);
    return answered;
}

static bool chosen(struct uet_tc *tc, enum carrier_id form, bool (*of)(const struct carrier *))
{
    return (!of || of(&carriers[form])) && takes_carrier(tc, form);
}

static void tell_forms_left_out(struct uet_tc *tc, const char *requirement,
                                bool (*of)(const struct carrier *))
{
    struct left_out out = {0};

    for (enum carrier_id form = CARRIER_WRITE; form < N_CARRIERS; form++) {
        if ((!of || of(&carriers[form])) && !takes_carrier(tc, form))
            leave_out(&out, carriers[form].name);
    }
    tell_left_out(tc, requirement, &out);
}

void executed_in_none(struct uet_tc *tc, const char *requirement,
                      bool (*of)(const struct carrier *), void (*alter)(struct uet_out *o))
{
    struct uet_pdc *p = NULL, *rod = NULL;

    tell_forms_left_out(tc, requirement, of);
    for (enum carrier_id form = CARRIER_WRITE; form < N_CARRIERS; form++) {
        if (chosen(tc, form, of) &&
            !not_executed_as(tc, requirement, pdc_for(tc, form, &p, &rod), form, alter) &&
            carriers[form].rod)
            rod = NULL;
    }
    if (uet_tc_ut(tc))
        must_not_succeed(tc, requirement, 0);
}

void found_in_each(struct uet_tc *tc, const char *requirement)
{
    struct uet_pdc *p = NULL, *rod = NULL;

    tolerate(tc, DATA_ON(NULL)); /* behind the ACK of a READ */
    tell_forms_left_out(tc, requirement, NULL);
    for (enum carrier_id form = CARRIER_WRITE; form < N_CARRIERS; form++) {
        if (!takes_carrier(tc, form))
            continue;
        const struct wrong_request r = {.carrier = form,
                                        .pdc = pdc_for(tc, form, &p, &rod),
                                        .memory = buffer_of_anybody(tc, form)};
        struct uet_out o = make_request(tc, &r);
        say(tc, &o);
        const struct uet_in *in = answer_due(tc, requirement, &o, carriers[form].name);
        uet_check(tc, requirement, tells_success(in), "%s: %s", carriers[form].name,
                  name_of(told_by(in)));
        if (is_send(&carriers[form])) /* it is the one that was meant */
            completes(tc, requirement, r.memory.handle, UET_UT_OK);
    }
}

/* ... and brings no data, which has its own rules (SES-079, SES-179). */
static bool changes_memory(const struct carrier *c)
{
    return c->opcode != UET_OP_READ && c->opcode != UET_OP_FETCHING_ATOMIC;
}

static uint32_t length_of(const struct uet_out *o, enum carrier_id form)
{
    return carriers[form].header == UET_UT_HEADER_STD ? uet_ses_req_std_request_length(o->ses)
                                                      : uet_ses_req_short_request_length(o->ses);
}

/* A default response may leave it out (SES-173). */
static void counts(struct uet_tc *tc, const char *requirement, const struct uet_in *in,
                   uint32_t length, const char *form)
{
    if (code_told(in) != UET_RC_OK || tells_arrival(in))
        return;
    const uint64_t told = value_of(tc, in, UET_F_SES_MODIFIED_LENGTH);
    const bool left_out =
        value_of(tc, in, UET_F_SES_RSP_OPCODE) == UET_RSP_DEFAULT_RESPONSE && !told;
    uet_check(tc, requirement, told == length || left_out,
              "%s of %u bytes: modified_length is %llu", form, length, (unsigned long long)told);
}

void counted_in_each(struct uet_tc *tc, const char *requirement)
{
    struct uet_pdc *p = NULL, *rod = NULL;

    tell_forms_left_out(tc, requirement, changes_memory);
    for (enum carrier_id form = CARRIER_WRITE; form < N_CARRIERS; form++) {
        if (!chosen(tc, form, changes_memory))
            continue;
        const struct wrong_request r = {
            .carrier = form, .pdc = pdc_for(tc, form, &p, &rod), .memory = buffer_for(tc, 0, form)};
        struct uet_out o = make_request(tc, &r);
        say(tc, &o);
        counts(tc, requirement, answer_to_it(tc, &o), length_of(&o, form), carriers[form].name);
    }
}
