/* SPDX-License-Identifier: BSD-2-Clause */
/* A binary heap of PDC numbers by deadline; each PDC knows its place, so moving one is O(log n). */
#include "refimpl/pds/pds.h"

static bool before(struct uet_fep *fep, uint32_t a, uint32_t b)
{
    return pdc_at(fep, fep->heap[a])->deadline < pdc_at(fep, fep->heap[b])->deadline;
}

static void put(struct uet_fep *fep, uint32_t at, uint32_t id)
{
    fep->heap[at] = id;
    pdc_at(fep, id)->heap_place = at + 1;
}

static void swap(struct uet_fep *fep, uint32_t a, uint32_t b)
{
    uint32_t id = fep->heap[a];
    put(fep, a, fep->heap[b]);
    put(fep, b, id);
}

static void sift(struct uet_fep *fep, uint32_t at)
{
    for (; at && before(fep, at, (at - 1) / 2); at = (at - 1) / 2)
        swap(fep, at, (at - 1) / 2);
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child >= fep->heap_n)
            return;
        if (child + 1 < fep->heap_n && before(fep, child + 1, child))
            child++;
        if (!before(fep, child, at))
            return;
        swap(fep, child, at);
        at = child;
    }
}

void uet_heap_set(struct uet_fep *fep, struct pdc *pdc, uint64_t deadline)
{
    pdc->deadline = deadline;
    if (deadline != UET_FEP_NEVER) {
        if (!pdc->heap_place)
            put(fep, fep->heap_n++, pdc->id);
        sift(fep, pdc->heap_place - 1);
        return;
    }
    if (!pdc->heap_place)
        return;
    uint32_t hole = pdc->heap_place - 1;
    pdc->heap_place = 0;
    if (hole == --fep->heap_n)
        return;
    put(fep, hole, fep->heap[fep->heap_n]);
    sift(fep, hole);
}
