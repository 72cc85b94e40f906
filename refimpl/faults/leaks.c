/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults that do not give back what has ended (ROB): seen only when it has ended often enough. */
#include "refimpl/faults/ways.h"
#include "refimpl/pds/pds.h"

/* How often the counter has moved since this fault last looked; 0 when it looks first. */
static uint32_t moved(const struct uet_fep *fep, uint64_t *memo, enum uet_counter_id counter)
{
    uint64_t now = fep->counters[counter] + 1, before = *memo ? *memo : now;
    *memo = now;
    return (uint32_t)(now - before);
}

/* Free PDCs that nobody finds any more; a reset brings them back. */
static void lose_pdcs(struct uet_fep *fep, uint32_t n)
{
    for (; n && fep->free_head; n--) {
        fep->free_head = pdc_at(fep, fep->free_head)->next;
        if (!fep->free_head)
            fep->free_tail = 0;
    }
}

static void closed_pdc_stays(struct uet_fep *fep, uint64_t *memo)
{
    lose_pdcs(fep, moved(fep, memo, CNT_pdc_closed));
}

static const struct uet_fault_way ways[] = {
    {VIOLATION_ROB_035, .after = closed_pdc_stays},
};

UET_FAULT_WAYS(uet_faults_of_leaks, ways);
