/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * REPS: the EVs of unmarked answers are used once more, the oldest first; without one a new EV is
 * drawn. A loss that the network did not tell of freezes it where switches trim: for
 * reps_freeze_time no new EV is drawn, and the ring goes round. Then it begins anew, and draws
 * reps_explore EVs before it may freeze again.
 */
#include "refimpl/cms/cms.h"

static uint16_t drawn(struct uet_fep *fep, const struct uet_lb_state *lb)
{
    return uet_lb_ev(lb, (uint16_t)(fep_random(fep) & (fep->params.ev_set_size - 1u)));
}

uint16_t uet_lb_reps_pick(struct uet_fep *fep, struct uet_lb_state *lb)
{
    if (lb->reps.explore) {
        lb->reps.explore--;
        return drawn(fep, lb);
    }
    if (lb->reps.frozen && lb->reps.n)
        return lb->reps.cached[lb->reps.turn++ % lb->reps.n];
    if (!lb->reps.fresh)
        return drawn(fep, lb);
    return lb->reps.cached[(lb->reps.end + LB_CACHED - lb->reps.fresh--) % LB_CACHED];
}

static void keep(struct uet_lb_state *lb, uint16_t ev)
{
    lb->reps.cached[lb->reps.end] = ev;
    lb->reps.end = (uint8_t)((lb->reps.end + 1) % LB_CACHED);
    lb->reps.n = (uint8_t)(lb->reps.n + (lb->reps.n < LB_CACHED));
    lb->reps.fresh = (uint8_t)(lb->reps.fresh + (lb->reps.fresh < LB_CACHED));
}

static void thaw(struct uet_fep *fep, struct uet_lb_state *lb)
{
    lb->reps.frozen = false;
    lb->reps.n = lb->reps.end = lb->reps.fresh = 0;
    lb->reps.explore = fep->params.reps_explore;
}

void uet_lb_reps_told(struct uet_fep *fep, struct uet_lb_state *lb, uint16_t ev,
                      enum uet_lb_news news)
{
    if (lb->reps.frozen && fep->now >= lb->reps.thaws_at)
        thaw(fep, lb);
    if (news == LB_GOOD) {
        keep(lb, ev);
        return;
    }
    if (news != LB_LOST || lb->reps.frozen || lb->reps.explore || !fep->params.trimming)
        return;
    lb->reps.frozen = true;
    lb->reps.thaws_at = time_after(fep->now, fep->params.reps_freeze_time);
}
