/* SPDX-License-Identifier: BSD-2-Clause */
/* Which way a packet goes: its entropy value (3.6.16). */
#include "refimpl/cms/cms.h"

#define ENTROPY_FIRST 0xc000u /* the dynamic ports */
#define ENTROPY_MASK  0x3fffu

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
