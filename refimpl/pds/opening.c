/* SPDX-License-Identifier: BSD-2-Clause */
/* Finding, or opening, the PDC of an operation (3.5.8.1), and making room for one. */
#include "refimpl/pds/pds.h"

void uet_initiator_make_room(struct uet_fep *fep, bool reserved)
{
    struct pdc *theirs = NULL, *holder = NULL;
    bool any_pool = uet_pdc_in_pool(fep, reserved); /* of bitmaps and contexts, which they share */
    for (uint32_t i = 0; i < fep->config.max_pdcs; i++) {
        fep->idle_hand = fep->idle_hand % fep->config.max_pdcs + 1;
        struct pdc *pdc = pdc_at(fep, fep->idle_hand);
        bool fits =
            any_pool || uet_pdc_in_reserve(fep, pdc->reserved) == uet_pdc_in_reserve(fep, reserved);
        if (!uet_pdc_idle(fep, pdc) || !fits)
            continue;
        if (pdc->initiator) {
            uet_pdc_close(fep, pdc);
            return;
        }
        if (!theirs && !uet_ses_holds(fep, pdc->id))
            theirs = pdc;
        if (uet_ses_holds(fep, pdc->id) && (!holder || pdc->idle_since < holder->idle_since))
            holder = pdc;
    }
    /* Only peers hold what is idle: one of them is asked, or this FEP would wait for ever (I14). */
    if (theirs)
        uet_pdc_close(fep, theirs);
    else if (holder)
        uet_target_ask_holder(fep, holder);
}

/*
 * May the tuple have one more PDC, when even the one with the least to do is busy? Not on ROD: no
 * order holds from one PDC to another (3.5.6).
 */
static bool wants_another(const struct uet_fep *fep, const struct pdc *least, uint32_t n)
{
    return least && !least->rod && n < fep->params.PDCs_Per_Tuple && uet_ses_load(fep, least->id);
}

struct pdc *uet_initiator_open(struct uet_fep *fep, const struct uet_operation *call,
                               const struct tss_context *tss)
{
    uint32_t n;
    struct pdc_wanted wanted = {.peer = call->to,
                                .tss = *tss,
                                .traffic_class = call->traffic_class,
                                .rod = call->mode == UET_MODE_ROD,
                                .reserved = call->reserved};
    struct pdc *pdc = uet_pdc_by_tuple(fep, call, tss, &n);
    struct pdc *least = pdc;
    if (wants_another(fep, pdc, n))
        pdc = NULL;
    if (pdc) /* a ROD PDC that closes: messages wait for its end, to stay in order */
        return fep->law.pds.takes[pdc->state] ? pdc : NULL;
    pdc = uet_pdc_begin(fep, &wanted);
    if (!pdc && least)
        return least;
    if (!pdc) {
        fep->law.make_room(fep, call->reserved);
        return NULL;
    }
    pdc->wants |= fep->law.pds.cps_at[UET_MOMENT_OPENING];
    pdc->job_id = call->job_id;
    uet_pdc_map(fep, pdc);
    return pdc;
}
