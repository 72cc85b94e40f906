/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks of what came: the fields, the codes, the other reading. */
#include <stdarg.h>
#include <stdio.h>

#include "conformance/harness/expect/expect.h"

void uet_look_at(struct uet_tc *tc, const struct uet_in *in)
{
    tc->current = in;
}

bool uet_check(struct uet_tc *tc, const char *requirement, bool met, const char *format, ...)
{
    va_list args;

    if (met)
        return true;
    va_start(args, format);
    bool failed = uet_tc_vviolated(tc, requirement, tc->current, format, args);
    va_end(args);
    if (failed)
        uet_tc_leave(tc);
    return false;
}

/* The conversation tells what was compared (harness/context/story.c). */
static void tell(struct uet_tc *tc, const char *requirement, const char *what, const char *got,
                 const char *want)
{
    const struct uet_pdc *pdc = tc->current ? tc->current->pdc : NULL;

    uet_story_tell(tc, "check  ", pdc, "%s: %s is %s, required %s", requirement, what, got, want);
}

#define VALUE_TEXT 80

bool uet_check_eq(struct uet_tc *tc, const char *requirement, const char *what, uint64_t got,
                  uint64_t want)
{
    char came[VALUE_TEXT], wanted[VALUE_TEXT];

    snprintf(came, sizeof(came), "0x%llx (%lld)", (unsigned long long)got, (long long)got);
    snprintf(wanted, sizeof(wanted), "0x%llx (%lld)", (unsigned long long)want, (long long)want);
    tell(tc, requirement, what, came, wanted);
    return uet_check(tc, requirement, got == want, "%s is %s, required %s", what, came, wanted);
}

bool uet_check_enum(struct uet_tc *tc, const char *requirement, const char *what,
                    uint8_t enumeration, uint64_t got, uint64_t want)
{
    char came[VALUE_TEXT], wanted[VALUE_TEXT];

    snprintf(came, sizeof(came), "%s (%llu)", uet_enum_name(enumeration, (uint32_t)got),
             (unsigned long long)got);
    snprintf(wanted, sizeof(wanted), "%s (%llu)", uet_enum_name(enumeration, (uint32_t)want),
             (unsigned long long)want);
    tell(tc, requirement, what, came, wanted);
    return uet_check(tc, requirement, got == want, "%s is %s, required %s", what, came, wanted);
}

static void code_wanted(struct uet_tc *tc, const struct uet_in *in)
{
    for (struct uet_in *own = tc->in_first; own; own = own->next)
        own->code_wanted |= own == in;
}

bool uet_check_return_code(struct uet_tc *tc, const char *requirement, const struct uet_in *in,
                           uint8_t return_code)
{
    uet_look_at(tc, in);
    if (!uet_check(tc, requirement, uet_is_ses_response(&in->packet),
                   "no SES response came, required %s",
                   uet_enum_name(UET_ENUM_SES_RETURN_CODE, return_code)))
        return false;
    uint8_t came = uet_ses_rsp_return_code(uet_ses(&in->packet));
    if (came == return_code)
        code_wanted(tc, in);
    return uet_check_enum(tc, requirement, "return_code", UET_ENUM_SES_RETURN_CODE, came,
                          return_code);
}

bool uet_check_code_or(struct uet_tc *tc, const char *requirement, const struct uet_in *in,
                       uint8_t return_code, uint8_t other)
{
    uet_look_at(tc, in);
    if (uet_is_ses_response(&in->packet) &&
        uet_ses_rsp_return_code(uet_ses(&in->packet)) == other) {
        code_wanted(tc, in);
        uet_other_reading(tc, requirement, "%s instead of %s",
                          uet_enum_name(UET_ENUM_SES_RETURN_CODE, other),
                          uet_enum_name(UET_ENUM_SES_RETURN_CODE, return_code));
        return true;
    }
    return uet_check_return_code(tc, requirement, in, return_code);
}

bool uet_check_success(struct uet_tc *tc, const char *requirement, const struct uet_in *in)
{
    uet_look_at(tc, in);
    if (!uet_check(tc, requirement, uet_is_ses_response(&in->packet),
                   "no SES response came, required a success"))
        return false;
    uint8_t code = uet_ses_rsp_return_code(uet_ses(&in->packet));
    uint8_t opcode = uet_ses_rsp_opcode(uet_ses(&in->packet));
    tell(tc, requirement, "the response", uet_enum_name(UET_ENUM_SES_RETURN_CODE, code),
         "a success");
    return uet_check(
        tc, requirement, code == UET_RC_OK || (code == UET_RC_NULL && opcode != UET_RSP_RESPONSE),
        "%s with %s came, required a success", uet_enum_name(UET_ENUM_SES_RSP_OPCODE, opcode),
        uet_enum_name(UET_ENUM_SES_RETURN_CODE, code));
}

void uet_other_reading(struct uet_tc *tc, const char *requirement, const char *format, ...)
{
    char why[200];
    va_list args;

    va_start(args, format);
    vsnprintf(why, sizeof(why), format, args);
    va_end(args);
    if (tc->preamble > 0 || !uet_tc_in_force(tc, requirement))
        return;
    if (!tc->session->strict) {
        uet_tc_find(tc, requirement, tc->current ? tc->current->frame : 0, why);
        return;
    }
    uet_tc_worsen(tc, UET_FAIL, requirement, tc->current, "%s", why);
    uet_tc_leave(tc);
}
