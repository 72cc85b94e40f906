/* SPDX-License-Identifier: BSD-2-Clause */
/* The ways to balance that there are. */
#include "refimpl/cms/cms.h"

const struct uet_lb uet_lbs[LB_COUNT] = {
    [LB_OBLIVIOUS] = {.pick = uet_lb_oblivious_pick},
    [LB_REPS] = {.pick = uet_lb_reps_pick, .told = uet_lb_reps_told},
    [LB_BITMAP] = {.pick = uet_lb_bitmap_pick, .told = uet_lb_bitmap_told},
};

/* Begun for the row that is set now, which may have changed (LB). */
static const struct uet_lb *row_of(struct uet_fep *fep, struct ccc *ccc)
{
    if (ccc->lb.row != fep->params.LB)
        ccc->lb = (struct uet_lb_state){.row = fep->params.LB, .base = uet_entropy_any(fep)};
    return &uet_lbs[ccc->lb.row];
}

uint16_t uet_lb_pick(struct uet_fep *fep, struct ccc *ccc)
{
    return row_of(fep, ccc)->pick(fep, &ccc->lb);
}

void uet_lb_told(struct uet_fep *fep, struct ccc *ccc, uint16_t ev, enum uet_lb_news news)
{
    const struct uet_lb *lb = fep->params.LB == ccc->lb.row ? &uet_lbs[ccc->lb.row] : NULL;
    if (lb && lb->told)
        lb->told(fep, &ccc->lb, ev, news);
}
