/* SPDX-License-Identifier: BSD-2-Clause */
/* A fixed window: so many bytes in flight to a destination, over all PDCs (CC_Window; 0: any). */
#include "refimpl/cms/cms.h"

static int64_t room(const struct uet_fep *fep, const struct ccc *ccc)
{
    const uint32_t window = fep->params.CC_Window;
    return window ? (int64_t)window - ccc->inflight : INT64_MAX;
}

bool uet_cc_window_may_send(const struct uet_fep *fep, const struct ccc *ccc)
{
    return room(fep, ccc) > 0;
}

bool uet_cc_window_asks(const struct uet_fep *fep, const struct ccc *ccc)
{
    return room(fep, ccc) <= fep->config.payload_mtu + UET_CC_HEADERS_MOST;
}
