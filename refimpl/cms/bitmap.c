/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The EV bitmap (3.6.16.4): bad news of an EV is a bit, and a set bit passes it over on its next
 * turn. When more than ev_saturation_fraction of them are bad it is not the EVs that are: none is
 * passed over.
 */
#include "refimpl/cms/cms.h"

uint16_t uet_lb_bitmap_pick(struct uet_fep *fep, struct uet_lb_state *lb)
{
    const uint16_t size = fep->params.ev_set_size;
    const bool saturated =
        (uint32_t)lb->bitmap.n_bad * 100 > (uint32_t)size * fep->params.ev_saturation_fraction;
    uint16_t number = uet_lb_step(fep, &lb->bitmap.pass);
    for (uint16_t tried = 0; tried < size; tried++) {
        uint64_t *word = &lb->bitmap.bad[number / 64], bit = 1ull << number % 64;
        if (!(*word & bit))
            break;
        *word &= ~bit;
        lb->bitmap.n_bad--;
        if (saturated)
            break;
        number = uet_lb_step(fep, &lb->bitmap.pass);
    }
    return uet_lb_ev(lb, number);
}

void uet_lb_bitmap_told(struct uet_fep *fep, struct uet_lb_state *lb, uint16_t ev,
                        enum uet_lb_news news)
{
    uint16_t number;
    if (news == LB_GOOD || !uet_lb_number(fep, lb, ev, &number))
        return;
    uint64_t *word = &lb->bitmap.bad[number / 64], bit = 1ull << number % 64;
    lb->bitmap.n_bad = (uint16_t)(lb->bitmap.n_bad + !(*word & bit));
    *word |= bit;
}
