/* SPDX-License-Identifier: BSD-2-Clause */
/* What a request with two errors gets. */
#include <stdio.h>

#include "conformance/tests/pds_target.h"
#include "conformance/tests/two_errors/two_errors.h"

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

/* The answer to it, NULL when none comes; UET_NO_RESPONSE tells arrival only (3.4.3.6.2). */
static const struct uet_in *answer_to_it(struct uet_tc *tc, const struct uet_out *o)
{
    const struct uet_want want = {
        .kind = UET_WANT_ANSWER, .pdc = o->pdc, .with_psn = true, .psn = o->psn};
    const struct uet_in *in = uet_maybe(tc, &want, 0), *later;

    if (!in || !uet_is_ses_response(&in->packet) ||
        uet_ses_rsp_opcode(uet_ses(&in->packet)) != UET_RSP_NO_RESPONSE)
        return in;
    later = uet_maybe(tc, &want, 0);
    return later ? later : in;
}

/* What came is the code of the first check, or one that is a finding. */
static void judge(struct uet_tc *tc, const struct uet_request_check *first,
                  const struct uet_request_check *second, const struct uet_in *in)
{
    const struct told t = told_by(in), due = {first->pds, first->code};
    bool sure = first->order == 'A' && second->order == 'A';

    uet_look_at(tc, in);
    if (is_code(first, t)) {
        if (!first->pds)
            uet_check_return_code(tc, first->requirement, in, first->code);
        return;
    }
    if (is_other_code(first, t) || (!sure && (is_code(second, t) || is_other_code(second, t))))
        uet_other_reading(tc, first->requirement, "%s instead of %s (%s; and %s)", name_of(t),
                          name_of(due), first->what, second->what);
    else
        uet_check(tc, first->requirement, false, "%s, required %s: %s; and %s", name_of(t),
                  name_of(due), first->what, second->what);
}

/* A request with both errors; who refuses it in the PDS has taken no PSN. */
static struct uet_out both(struct uet_tc *tc, struct uet_pdc *p, enum uet_check_id first,
                           enum uet_check_id second, bool send)
{
    const struct request_error *errors[] = {&request_errors[first], &request_errors[second]};
    struct wrong_request r = {
        .pdc = p, .memory = buffer_for(tc, first, second, send), .send = send};
    struct uet_out o;

    for (size_t i = 0; i < 2; i++) {
        if (errors[i]->aim)
            errors[i]->aim(tc, &r);
    }
    o = send ? uet_send_message(r.pdc, &r.memory, "two wrongs", 10)
             : uet_write(r.pdc, &r.memory, r.offset, "two wrongs", 10);
    for (size_t i = 0; i < 2; i++) {
        if (errors[i]->alter)
            errors[i]->alter(tc, &o);
    }
    if (uet_request_checks[first].pds)
        r.pdc->next_psn = o.psn;
    return o;
}

static bool goes_together(struct uet_tc *tc, enum uet_check_id first, enum uet_check_id second,
                          bool send)
{
    const struct request_error *a = &request_errors[first], *b = &request_errors[second];

    if (!(send ? a->send && b->send : a->write && b->write) || a->alone & 1u << second)
        return false;
    return uet_tc_ut(tc) || !(a->upper_tester || b->upper_tester);
}

void first_wins(struct uet_tc *tc, enum uet_check_id first, bool send)
{
    const struct uet_request_check *c = &uet_request_checks[first];
    struct uet_pdc *p = NULL;

    for (enum uet_check_id second = first + 1; second < UET_N_CHECKS; second++) {
        if (!goes_together(tc, first, second, send))
            continue;
        p = p ? p : uet_pdc_open(tc);
        uet_for(tc, c->requirement);
        struct uet_out o = both(tc, p, first, second, send);
        uet_send(tc, &o);
        const struct uet_in *in = answer_to_it(tc, &o);
        uet_check(tc, c->requirement, in != NULL, "no answer: %s; and %s", c->what,
                  uet_request_checks[second].what);
        if (in)
            judge(tc, c, &uet_request_checks[second], in);
    }
    if (!p)
        uet_skip_for(tc, UET_SKIP_NO_UPPER_TESTER, "only an upper tester makes such errors");
}
