/* SPDX-License-Identifier: BSD-2-Clause */
/* Oblivious spraying (3.6.16.3): each EV of the set once in a pass, whatever is said of it. */
#include "refimpl/cms/cms.h"

uint16_t uet_lb_oblivious_pick(struct uet_fep *fep, struct uet_lb_state *lb)
{
    return uet_lb_ev(lb, uet_lb_step(fep, &lb->pass));
}
