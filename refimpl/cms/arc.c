/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The destination's aggregate rate control, for oversubscribed fabrics: an option on top of RCCC
 * (3.6.14). Marks, and trims before the last hop, tell that some path to this FEP is narrower than
 * its line; then all grants slow down together. Not in public text: the figures are those of the
 * UEC's simulator (Parameters occ.*). Contested, with the other reading in spec-map/terms.csv
 * (ARC): how many rounds without a cut the first step counts (BEFORE_FIRST_STEP), and that the
 * control goes on where NSCC is on, too.
 */
#include "refimpl/cms/cms.h"

#define ONE              UET_ARC_ONE
#define TARGET_MARKS     (ONE * 3 / 10)
#define LEAST            (ONE / 100)
#define STEP             (ONE / 100)
#define MOST_DOUBLINGS   7u /* a step is the whole line then */
#define LEAST_OF_A_SHARE (ONE * 9 / 10)

#define BEFORE_FIRST_STEP 0u /* rounds that the first step counts, of those without a cut */

void uet_arc_reset(struct uet_fep *fep)
{
    fep->arc = (struct arc){.rate = ONE, .calm = BEFORE_FIRST_STEP};
}

static bool is_off(const struct uet_fep *fep)
{
    return !fep->params.ARC || !fep->params.RCCC;
}

void uet_arc_settle(struct uet_fep *fep)
{
    if (fep->arc.round_ends && is_off(fep))
        uet_arc_reset(fep);
}

uint32_t uet_arc_rate(const struct uet_fep *fep)
{
    return is_off(fep) ? ONE : fep->arc.rate;
}

static uint32_t least(const struct uet_fep *fep)
{
    const uint32_t share =
        fep->params.oversubscription ? LEAST_OF_A_SHARE / fep->params.oversubscription : 0;
    return share > LEAST ? share : LEAST;
}

/* (0.75 .. 1.25) * 1.5 * config_base_rtt */
static uint64_t interval(struct uet_fep *fep)
{
    const uint64_t rtt = fep->params.config_base_rtt;
    return rtt * 9 / 8 + (rtt * 3 / 4 * (fep_random(fep) >> 32) >> 32);
}

/* What the round saw lowers the rate; or nothing does, and it rises, the faster the longer. */
static void adapt(struct uet_fep *fep)
{
    struct arc *a = &fep->arc;
    const uint32_t whole = a->packets - a->trimmed, was = a->rate;
    const uint32_t marks = whole ? (uint32_t)((uint64_t)a->marked * ONE / whole) : 0;
    const uint32_t lost = (uint32_t)((uint64_t)a->lost * ONE / a->packets);

    a->rate -= lost < a->rate ? lost : a->rate;
    a->marks = (a->marks + marks) / 2;
    if (a->marks > TARGET_MARKS)
        a->rate -= (uint32_t)((uint64_t)a->rate * (a->marks - TARGET_MARKS) / (2 * ONE));
    if (a->rate < was) {
        a->calm = BEFORE_FIRST_STEP;
    } else {
        a->rate += a->marked ? STEP : STEP << a->calm;
        if (a->calm < MOST_DOUBLINGS)
            a->calm++;
    }
    if (a->rate > ONE)
        a->rate = ONE;
    if (a->rate < least(fep))
        a->rate = least(fep);
}

void uet_arc_heard(struct uet_fep *fep, const struct uet_packet *p, bool trimmed)
{
    struct arc *a = &fep->arc;

    if (is_off(fep))
        return;
    a->packets++;
    a->trimmed += trimmed;
    a->lost += trimmed && p->trim != UET_TRIM_LASTHOP;
    a->marked += !trimmed && uet_ecn(p) == UET_ECN_CE;
    if (fep->now < a->round_ends)
        return;
    if (a->round_ends) {
        adapt(fep);
        a->packets = a->trimmed = a->lost = a->marked = 0;
    } /* else the first packet begins the first round */
    a->round_ends = time_after(fep->now, interval(fep));
}
