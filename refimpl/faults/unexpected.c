/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of sends that are kept with their payload (ses/unexpected.c). */
#include "refimpl/faults/ways.h"
#include "refimpl/ses/checks.h"

/* ---- the answer that comes later ---- */

static bool is_overflow(const struct uet_fault_frame *f)
{
    return uet_is_ses_response(&f->p) && uet_ses_rsp_list(uet_ses(&f->p)) == UET_LIST_OVERFLOW;
}

/* A fault that changes it. */
#define ALTERS(name, change)                                                                       \
    static bool name(struct uet_fep *fep, struct uet_fault_frame *f)                               \
    {                                                                                              \
        (void)fep;                                                                                 \
        if (is_overflow(f)) {                                                                      \
            uint8_t *s = uet_fault_ses(f);                                                         \
            change;                                                                                \
        }                                                                                          \
        return true;                                                                               \
    }

ALTERS(says_expected, uet_ses_rsp_list_set(s, UET_LIST_EXPECTED))
ALTERS(says_default, {
    uet_ses_rsp_opcode_set(s, UET_RSP_DEFAULT_RESPONSE);
    uet_ses_rsp_list_set(s, UET_LIST_EXPECTED);
})

static bool never_says(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return !is_overflow(f);
}

static const struct uet_fault_way ways[] = {
    {VIOLATION_SES_098, .out = says_expected},
    {VIOLATION_SES_098_DEFAULT, .out = says_default},
    {VIOLATION_SES_098_NEVER, .out = never_says},
};

UET_FAULT_WAYS(uet_faults_of_unexpected, ways);
