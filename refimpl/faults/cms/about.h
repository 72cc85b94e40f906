/* SPDX-License-Identifier: BSD-2-Clause */
/* What a packet is to NSCC, and which CCC is in use. */
#ifndef UET_REFIMPL_FAULTS_CMS_ABOUT_H
#define UET_REFIMPL_FAULTS_CMS_ABOUT_H

#include "refimpl/faults/ways.h"
#include "refimpl/pds/pds.h"

/* The NSCC state of the ACK that comes, or NULL. */
static inline uint8_t *state_of(struct uet_fault_frame *f)
{
    bool is = f->p.error == UET_PARSE_OK && f->p.cc_state == UET_H_ACK_CC_STATE_NSCC;
    return is ? f->bytes + f->p.cc_state_offset : NULL;
}

static inline bool is_nack_of(const struct uet_fault_frame *f, uint8_t code)
{
    return f->p.error == UET_PARSE_OK && uet_is_nack(&f->p) &&
           uet_nack_nack_code(uet_pds(&f->p)) == code;
}

/* The CCC that is in use, or NULL: one will do. */
static inline struct ccc *ccc_of(const struct uet_fep *fep)
{
    for (uint32_t id = 1; id <= fep->cccs.n; id++)
        if (uet_ccc_at(fep, id)->n_pdcs)
            return uet_ccc_at(fep, id);
    return NULL;
}

static inline bool is_read_data(const struct uet_fault_frame *f)
{
    return f->p.error == UET_PARSE_OK && uet_is_request(&f->p) && uet_is_ses_response_data(&f->p);
}

static inline bool is_both(const struct uet_fep *fep)
{
    return ccc_of(fep) && ccc_of(fep)->cc == CC_BOTH;
}

#endif
