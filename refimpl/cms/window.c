/* SPDX-License-Identifier: BSD-2-Clause */
/* A fixed window: so many bytes in flight to a destination, over all PDCs (CC_Window; 0: any). */
#include "refimpl/cms/cms.h"

uint32_t uet_cc_window_may_send(const struct uet_fep *fep, const struct ccc *ccc)
{
    const uint32_t window = fep->params.CC_Window;
    if (!window)
        return UINT32_MAX;
    return ccc->inflight < window ? window - ccc->inflight : 0;
}

void uet_cc_window_sent(struct ccc *ccc, uint32_t bytes)
{
    ccc->inflight += bytes;
}

void uet_cc_window_left(struct ccc *ccc, uint32_t bytes)
{
    ccc->inflight -= bytes;
}
