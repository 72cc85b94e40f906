/* SPDX-License-Identifier: BSD-2-Clause */
/* Which way a packet goes: its entropy value (3.6.16). */
#include "refimpl/cms/cms.h"

uint16_t uet_entropy_any(struct uet_fep *fep)
{
    return (uint16_t)(ENTROPY_FIRST | (fep_random(fep) & ENTROPY_MASK));
}

/* RUD may spray (PDS-235), over EV_Slots values or at random; a ROD PDC stays on one (PDS-004). */
uint16_t uet_spray(struct uet_fep *fep, const struct uet_path *path)
{
    uint16_t any = uet_entropy_any(fep);
    if (!path->rod && !fep->params.EV_Slots)
        return any;
    return (uint16_t)(ENTROPY_FIRST |
                      ((path->entropy + (path->rod ? 0u : path->slot)) & ENTROPY_MASK));
}

/* ---- the set of entropy values that most ways to balance share ---- */

uint16_t uet_lb_ev(const struct uet_lb_state *lb, uint16_t number)
{
    return (uint16_t)(ENTROPY_FIRST | ((lb->base + number) & ENTROPY_MASK));
}

bool uet_lb_number(const struct uet_fep *fep, const struct uet_lb_state *lb, uint16_t ev,
                   uint16_t *number)
{
    *number = (uint16_t)((ev - lb->base) & ENTROPY_MASK);
    return *number < fep->params.ev_set_size && uet_lb_ev(lb, *number) == ev;
}

/* ev_set_size is a power of two: a XOR below it is an order of all numbers. */
uint16_t uet_lb_step(struct uet_fep *fep, struct uet_lb_pass *pass)
{
    const uint16_t mask = (uint16_t)(fep->params.ev_set_size - 1);
    if (pass->at > mask || !pass->at) {
        pass->at = 0;
        pass->turn = (uint16_t)fep_random(fep);
    }
    return (uint16_t)((pass->at++ ^ pass->turn) & mask);
}
