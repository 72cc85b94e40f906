/* SPDX-License-Identifier: BSD-2-Clause */
/* The timers of a PDC: here alone they become its one deadline, and here it is said what each does.
 */
#include "refimpl/pds/pds.h"

void uet_timer_start(const struct uet_fep *fep, struct pdc *pdc, enum pdc_timer timer,
                     uint64_t delay)
{
    uint64_t at = time_after(fep->now, delay);
    pdc->timers[timer] = !delay ? UET_FEP_NEVER : at < UET_FEP_NEVER ? at : UET_FEP_NEVER - 1;
}

/* ---- when they count ---- */

static uint64_t while_clear_wanted(const struct uet_fep *fep, const struct pdc *pdc)
{
    (void)fep;
    return pdc->tx.clear_wanted ? pdc->timers[TIMER_CLEAR] : UET_FEP_NEVER;
}

/* Only a Close Command waits for it. */
static uint64_t while_closing(const struct uet_fep *fep, const struct pdc *pdc)
{
    (void)fep;
    return pdc->wants & WANT(UET_CTL_CLOSE_COMMAND) ? pdc->timers[TIMER_SYN_SAFE] : UET_FEP_NEVER;
}

/* A target waits twice as long as an initiator: the close is the initiator's (PDS-214). */
static uint64_t while_idle(const struct uet_fep *fep, const struct pdc *pdc)
{
    const uint64_t wait = fep->params.Idle_Time;
    if (!wait || !uet_pdc_idle(fep, pdc))
        return UET_FEP_NEVER;
    uint64_t at = time_after(pdc->idle_since, wait);
    return pdc->initiator ? at : time_after(at, wait);
}

/* ---- what they do ---- */

static void close_time(struct uet_fep *fep, struct pdc *pdc)
{
    (void)uet_pdc_event(fep, pdc, PDC_EV_CLOSE_TIME);
}

static void tail_time(struct uet_fep *fep, struct pdc *pdc)
{
    uet_infer_tail(fep, pdc);
    uet_source_timer(fep, pdc);
}

static void credit_time(struct uet_fep *fep, struct pdc *pdc)
{
    if (pdc->line != LINE_HELD)
        return;
    if (uet_credit_alone(fep, pdc)) {
        COUNT(fep, rto_exhausted);
        uet_pdc_fail(fep, pdc);
        return;
    }
    pdc->wants |= WANT(UET_CTL_CREDIT_REQUEST);
    uet_pdc_ready(fep, pdc);
}

/* Only a PDC that has ended is guarded, and only an open one waits for credit. */
static void guard_or_credit(struct uet_fep *fep, struct pdc *pdc)
{
    if (pdc->state == PDC_CLOSED)
        uet_pdc_release(fep, pdc);
    else
        credit_time(fep, pdc);
}

/* In the order in which those that are due at once are run. */
static const struct {
    uint64_t (*at)(const struct uet_fep *, const struct pdc *); /* NULL: as pdc->timers has it */
    void (*fire)(struct uet_fep *, struct pdc *);               /* may free the PDC */
} rows[TIMER_COUNT] = {
    [TIMER_CLOSE] = {NULL, close_time},
    [TIMER_TAIL] = {NULL, tail_time},
    [TIMER_RETX] = {NULL, uet_source_timer},
    [TIMER_CLEAR] = {while_clear_wanted, uet_pdc_ready},
    [TIMER_SYN_SAFE] = {while_closing, uet_pdc_ready},
    [TIMER_GUARD] = {NULL, guard_or_credit},
    [TIMER_IDLE] = {while_idle, uet_pdc_close},
};

/* UET_FEP_NEVER: it does not run, or does not count now. */
static uint64_t due_at(const struct uet_fep *fep, const struct pdc *pdc, unsigned timer)
{
    return rows[timer].at ? rows[timer].at(fep, pdc) : pdc->timers[timer];
}

/* ---- all of them ---- */

void uet_pdc_schedule(struct uet_fep *fep, struct pdc *pdc)
{
    uint64_t first = UET_FEP_NEVER, at;
    unsigned timer = 0;
    for (; timer < TIMERS_KEPT; timer++) {
        if (pdc->timers[timer] < first && (at = due_at(fep, pdc, timer)) < first)
            first = at;
    }
    for (; timer < TIMER_COUNT; timer++) {
        if ((at = due_at(fep, pdc, timer)) < first)
            first = at;
    }
    uet_heap_set(fep, pdc, first);
}

uint64_t uet_pdc_first_deadline(const struct uet_fep *fep)
{
    return fep->heap_n ? fep->pdcs[fep->heap[0]].deadline : UET_FEP_NEVER;
}

static void fire(struct uet_fep *fep, struct pdc *pdc)
{
    for (unsigned timer = 0; timer < TIMER_COUNT; timer++) {
        if (due_at(fep, pdc, timer) > fep->now)
            continue;
        if (timer < TIMERS_KEPT)
            pdc->timers[timer] = UET_FEP_NEVER;
        rows[timer].fire(fep, pdc);
        if (pdc->state == PDC_CLOSED)
            break;
    }
    uet_pdc_schedule(fep, pdc);
}

void uet_pdc_timers(struct uet_fep *fep)
{
    while (uet_pdc_first_deadline(fep) <= fep->now)
        fire(fep, pdc_at(fep, fep->heap[0]));
}
