/* SPDX-License-Identifier: BSD-2-Clause */
/* What a request is, and a check that is not made. */
#ifndef UET_REFIMPL_FAULTS_SES_ABOUT_H
#define UET_REFIMPL_FAULTS_SES_ABOUT_H

#include "refimpl/faults/ways.h"
#include "refimpl/pds/pds.h"
#include "refimpl/ses/checks.h"

static inline bool always(struct ses_judged *j)
{
    (void)j;
    return true;
}

static inline bool is_opcode(const struct uet_packet *p, uint8_t opcode)
{
    return uet_is_ses_request(p) && uet_ses_req_opcode(uet_ses(p)) == opcode;
}

/* A Request with a standard header and som=1 of that opcode. */
static inline bool begins(const struct uet_fault_frame *f, uint8_t opcode)
{
    return f->p.error == UET_PARSE_OK && uet_is_ses_std(&f->p) && uet_ses_req_som(uet_ses(&f->p)) &&
           uet_ses_req_opcode(uet_ses(&f->p)) == opcode;
}

#endif
