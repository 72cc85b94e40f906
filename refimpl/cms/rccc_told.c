/* SPDX-License-Identifier: BSD-2-Clause */
/* The ACK_CC of a destination with RCCC and without NSCC: what is granted (3.6.9.3, CMS-112). */
#include "refimpl/cms/cms.h"

void uet_rccc_write(uint8_t *state, const struct uet_cc_state *is)
{
    uet_ack_cc_state_credit_credit_set(state, is->credit);
    uet_ack_cc_state_credit_ooo_count_set(state, is->ooo_count);
}

void uet_rccc_read(const uint8_t *state, struct uet_cc_state *is)
{
    *is = (struct uet_cc_state){
        .grants = true,
        .credit = uet_ack_cc_state_credit_credit(state),
        .ooo_count = uet_ack_cc_state_credit_ooo_count(state),
    };
}
