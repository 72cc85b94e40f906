/* SPDX-License-Identifier: BSD-2-Clause */
/* Requests, and what becomes of them. */
#include <string.h>

#include "conformance/harness/steps/requests.h"

/* ---- what the answer tells ---- */

static const uint8_t *response(const struct uet_in *in)
{
    return in && uet_is_ses_response(&in->packet) ? uet_ses(&in->packet) : NULL;
}

uint8_t code_told(const struct uet_in *in)
{
    const uint8_t *ses = response(in);

    return ses ? uet_ses_rsp_return_code(ses) : UET_RC_NULL;
}

/* Data are a success, whichever of the two forms they have. */
static bool brings_success(const struct uet_packet *p)
{
    return uet_is_ses_response_data(p) && uet_ses_rsp_return_code(uet_ses(p)) <= UET_RC_OK;
}

bool tells_success(const struct uet_in *in)
{
    return in && (brings_success(&in->packet) || (response(in) && !is_error_response(in)));
}

bool tells_arrival(const struct uet_in *in)
{
    return response(in) && uet_ses_rsp_opcode(response(in)) == UET_RSP_NO_RESPONSE;
}

void has_response(struct uet_tc *tc, const char *requirement, const struct uet_in *in)
{
    uet_look_at(tc, in);
    uet_check(tc, requirement, response(in), "the ACK carries no SES response");
}

const struct uet_in *uet_code_or(struct uet_tc *tc, const char *requirement,
                                 const struct uet_in *in, uint8_t return_code,
                                 const uint8_t *others, size_t n)
{
    bool other = response(in) && code_told(in) != return_code && memchr(others, code_told(in), n);

    uet_check_code_or(tc, requirement, in, return_code, other ? code_told(in) : others[0]);
    return in;
}

/* ---- says it, and takes what it brings ---- */

const struct uet_in *accepted(struct uet_tc *tc, const char *requirement, const struct uet_out *o)
{
    const struct uet_in *in = ask(tc, requirement, o);

    uet_check_success(tc, requirement, in);
    return in;
}

const struct uet_in *refused(struct uet_tc *tc, const char *requirement, const struct uet_out *o,
                             uint8_t return_code)
{
    const struct uet_in *in = ask(tc, requirement, o);

    uet_check_return_code(tc, requirement, in, return_code);
    return in;
}

void finds_no_receive_of_its_job(struct uet_tc *tc, const struct uet_out *o)
{
    const struct uet_in *in = ask(tc, "SES-061", o);
    const uint8_t *ses = response(in);

    if (tells_arrival(in) ||
        (ses && !is_error_response(in) && uet_ses_rsp_list(ses) == UET_LIST_OVERFLOW))
        uet_other_reading(tc, "SES-061", "it is kept as unexpected, instead of RC_PERM_VIOLATION");
    else
        code_or(tc, "SES-061", in, UET_RC_PERM_VIOLATION, UET_RC_BAD_JOB_ID, UET_RC_NO_MATCH);
}

const struct uet_in *delivered(struct uet_tc *tc, const char *requirement, const struct uet_out *o)
{
    say(tc, o);
    return hear(tc, requirement, COVERED(o));
}

#define WHATEVER(o) ANYTHING_OF(o), .named = "an answer, if there is one"

const struct uet_in *whatever_comes_of(struct uet_tc *tc, const struct uet_out *o)
{
    tolerate(tc, WHATEVER(o));
    say(tc, o);
    /* No factor for a slow host: often nothing comes, and nobody fails then. */
    return maybe(tc, WHATEVER(o), .within = uet_tc_dut(tc)->response_time_ns);
}

/*
 * What else comes of a Request that was refused would break the rule: in real time no timer is
 * waited for then. No FEP fails for what is not heard.
 */
static uint64_t rest_of_answer(struct uet_tc *tc, bool refused)
{
    return refused && !uet_tc_virtual_time(tc) ? uet_dut_quiet(uet_tc_dut(tc)) : uet_tc_quiet(tc);
}

const struct uet_in *not_executed(struct uet_tc *tc, const char *requirement,
                                  const struct uet_out *o)
{
    const struct uet_in *last = NULL;
    bool refused = false;

    uet_for(tc, requirement);
    for (const struct uet_in *in = whatever_comes_of(tc, o); in;
         in = maybe(tc, WHATEVER(o), .within = rest_of_answer(tc, refused))) {
        last = in;
        refused |= uet_is_nack(&in->packet) || is_error_response(in);
        uet_check(tc, requirement,
                  !uet_is_ack(&in->packet) || !tells_success(in) || tells_arrival(in),
                  "the broken request was answered with success");
    }
    if (!refused && uet_psn_diff(o->pdc->fep_cack, o->psn) >= 0)
        uet_other_reading(tc, requirement,
                          "CACK_PSN covers the broken request, and no error was told");
    return last;
}

void must_fail(struct uet_tc *tc, const char *requirement, const struct uet_out *o)
{
    if (!not_executed(tc, requirement, o))
        uet_other_reading(tc, requirement, "the broken request was dropped in silence");
}
