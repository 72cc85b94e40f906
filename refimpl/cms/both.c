/* SPDX-License-Identifier: BSD-2-Clause */
/* NSCC and RCCC together (3.6.11): each as if it were alone, and both have to permit (CMS-089). */
#include "refimpl/cms/cms.h"

void uet_both_begin(struct uet_fep *fep, struct ccc *ccc)
{
    uet_nscc_begin(fep, ccc);
    uet_rccc_begin(fep, ccc);
}

bool uet_both_may_send(const struct uet_fep *fep, const struct ccc *ccc)
{
    return uet_nscc_may_send(fep, ccc) && uet_rccc_may_send(fep, ccc);
}

bool uet_both_asks(const struct uet_fep *fep, const struct ccc *ccc)
{
    return uet_nscc_asks(fep, ccc) || uet_rccc_asks(fep, ccc);
}

void uet_both_acked(struct uet_fep *fep, struct ccc *ccc, const struct uet_cc_ack *ack)
{
    uet_nscc_acked(fep, ccc, ack);
    uet_rccc_acked(fep, ccc, ack);
}

void uet_both_nacked(struct uet_fep *fep, struct ccc *ccc, const struct uet_cc_nack *nack)
{
    uet_nscc_nacked(fep, ccc, nack);
    uet_rccc_nacked(fep, ccc, nack);
}

void uet_both_inferred(struct uet_fep *fep, struct ccc *ccc, uint32_t bytes)
{
    uet_nscc_inferred(fep, ccc, bytes);
    uet_rccc_inferred(fep, ccc, bytes);
}
