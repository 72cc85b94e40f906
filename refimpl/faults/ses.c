/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of messages, addresses, operations (ses/). */
#include "refimpl/faults/ways.h"

static bool any_version(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_ses_request(&f->p))
        uet_ses_req_version_set(uet_fault_ses(f), 0);
    return true;
}

static bool no_initiator_error(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_ses_request(&f->p))
        uet_ses_req_ie_set(uet_fault_ses(f), false);
    return true;
}

static const struct uet_fault_way ways[] = {
    {VIOLATION_SES_004, .in = any_version},
    {VIOLATION_SES_111, .in = no_initiator_error},
};

UET_FAULT_WAYS(uet_faults_of_ses, ways);
