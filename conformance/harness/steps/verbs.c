/* SPDX-License-Identifier: BSD-2-Clause */
/* What is said and heard. */
#include "conformance/harness/context/context.h"
#include "conformance/harness/steps/steps.h"

/* ---- what the tester says ---- */

void say(struct uet_tc *tc, const struct uet_out *o)
{
    uet_send(tc, o);
}

void say_again(struct uet_tc *tc, const struct uet_out *o)
{
    uet_resend(tc, o);
}

const struct uet_in *ask(struct uet_tc *tc, const char *requirement, const struct uet_out *o)
{
    uet_send(tc, o);
    return hear_answer(tc, requirement, o);
}

const struct uet_in *ask_anew(struct uet_tc *tc, const char *requirement, const struct uet_out *o)
{
    uet_forget(tc);
    uet_resend(tc, o);
    return hear(tc, requirement, ACK_OF(o));
}

/* ---- what the FEP says ---- */

const struct uet_in *uet_hear(struct uet_tc *tc, const char *requirement,
                              const struct uet_want *want)
{
    const char *before = uet_for(tc, requirement);
    const struct uet_in *in = uet_expect(tc, want, want->within);

    uet_for(tc, before);
    return in;
}

const struct uet_in *uet_hear_maybe(struct uet_tc *tc, const struct uet_want *want)
{
    return uet_maybe(tc, want, want->within);
}

void uet_silence(struct uet_tc *tc, const char *requirement, const struct uet_want *want)
{
    uet_expect_nothing(tc, requirement, want, want->within);
}

const struct uet_in *hear_answer(struct uet_tc *tc, const char *requirement,
                                 const struct uet_out *o)
{
    const char *before = uet_for(tc, requirement);
    const struct uet_in *in = uet_expect_answer(tc, o->pdc, o->psn);

    uet_for(tc, before);
    return in;
}

/* ---- which copy ---- */

bool is_first(const struct uet_in *in, const void *none)
{
    (void)none;
    return !in->retransmission;
}

bool is_resend(const struct uet_in *in, const void *none)
{
    (void)none;
    return in->retransmission;
}

bool is_same_cp_resent(const struct uet_in *in, const void *first)
{
    const struct uet_in *was = first;
    const uint8_t *h = uet_pds(&in->packet);

    return uet_cp_retx(h) && uet_cp_ctl_type(h) == uet_cp_ctl_type(uet_pds(&was->packet));
}

bool is_first_rudi(const struct uet_in *in, const void *none)
{
    (void)none;
    return !uet_rudi_retx(uet_pds(&in->packet));
}

uint32_t psn_of(const struct uet_in *in)
{
    bool by_id = uet_is_rudi(&in->packet) || uet_is_nack_rudi(&in->packet);

    return by_id ? uet_pkt_id(&in->packet) : uet_packet_psn(&in->packet);
}

bool sacked(const struct uet_in *ack, uint32_t psn)
{
    const uint8_t *h = uet_pds(&ack->packet);

    if (!uet_is_ack_cc(&ack->packet))
        return false;
    uint32_t bit = psn - uet_psn_add(uet_ack_cack_psn(h), uet_ack_cc_sack_psn_offset(h));
    return bit < 64 && uet_ack_cc_sack_bitmap(h) >> bit & 1;
}

/* ---- what the upper tester says ---- */

struct uet_ut_completion completion_of(struct uet_tc *tc, const char *requirement, uint64_t handle)
{
    const char *before = uet_for(tc, requirement);
    struct uet_ut_completion c = uet_expect_completion(tc, handle);

    uet_for(tc, before);
    if (c.status == UET_UT_OK)
        uet_story_tell(tc, "done   ", NULL, "upper tester: the operation has ended well");
    else
        uet_story_tell(tc, "done   ", NULL, "upper tester: it has ended with status %u", c.status);
    return c;
}

struct uet_ut_completion completes(struct uet_tc *tc, const char *requirement, uint64_t handle,
                                   uint32_t status)
{
    struct uet_ut_completion c = completion_of(tc, requirement, handle);

    uet_check(tc, requirement, c.status == status, "completion status is %u, required %u", c.status,
              status);
    return c;
}

void ends_in_error(struct uet_tc *tc, const char *requirement, uint64_t handle)
{
    struct uet_ut_completion c = completion_of(tc, requirement, handle);

    uet_check(tc, requirement, c.status != UET_UT_OK, "the operation was reported as done");
}

void tells_length(struct uet_tc *tc, const char *requirement, const char *what,
                  const struct uet_ut_completion *c, uint64_t bytes)
{
    if (c->told & UET_UT_TOLD_LENGTH)
        uet_check_eq(tc, requirement, what, c->length, bytes);
}

void not_again(struct uet_tc *tc, const char *requirement, uint64_t handle)
{
    struct uet_ut_completion c = {0};

    uet_check(tc, requirement, !uet_completion(tc, handle, UET_MS, &c),
              "it completed a second time, with status %u", c.status);
}

void stays_open(struct uet_tc *tc, const char *requirement, uint64_t handle, uint64_t within)
{
    struct uet_ut_completion c = {0};

    bool open = !uet_completion(tc, handle, within ? within : uet_tc_quiet(tc), &c);
    if (open)
        uet_story_tell(tc, "silence", NULL, "upper tester: nothing has ended, as %s wants",
                       requirement);
    uet_check(tc, requirement, open, "the operation ended, with status %u, and must not yet",
              c.status);
}
