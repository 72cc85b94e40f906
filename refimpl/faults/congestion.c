/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of congestion control (cms/, pds/flight.c). */
#include "refimpl/faults/ways.h"
#include "refimpl/pds/pds.h"

#define OPENS_AFTER 5000000u /* ns */

static void each_ccc(struct uet_fep *fep, void (*change)(struct ccc *ccc))
{
    for (uint32_t id = 1; id <= fep->cccs.n; id++) {
        if (uet_ccc_at(fep, id)->n_pdcs)
            change(uet_ccc_at(fep, id));
    }
}

static void full_window(struct ccc *ccc)
{
    ccc->nscc.cwnd = ccc->nscc.max_wnd;
}

static void never_shrinks(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    each_ccc(fep, full_window);
}

static void twice_as_fast(struct uet_fep_params *params)
{
    params->sender_link_rate *= 2;
    params->MaxWnd *= 2;
}

static void forgotten(struct ccc *ccc)
{
    ccc->inflight = 0;
}

/* What is in flight is forgotten from time to time; a timer takes care that there is such a time.
 */
static void time_opens(struct uet_fep *fep, uint64_t *memo)
{
    bool now = *memo && fep->now >= *memo + OPENS_AFTER;
    if (now)
        each_ccc(fep, forgotten);
    if (now || !*memo)
        *memo = fep->now;
    FOR_EACH_PDC(fep, pdc)
    {
        if (now)
            uet_pdc_ready(fep, pdc);
        if (pdc->tx.n_packets && pdc->timers[TIMER_RETX] > fep->now + OPENS_AFTER) {
            pdc->timers[TIMER_RETX] = fep->now + OPENS_AFTER;
            uet_pdc_schedule(fep, pdc);
        }
    }
}

static const struct uet_fault_way ways[] = {
    {VIOLATION_CMS_037, .params = twice_as_fast},
    {VIOLATION_CMS_039, .after = time_opens},
    {VIOLATION_CMS_044, .after = never_shrinks},
};

UET_FAULT_WAYS(uet_faults_of_congestion, ways);
