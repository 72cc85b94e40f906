/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The receiving half of a PDC: the expected window CACK+1 .. CACK+MP_Range, what in it has come,
 * and the guaranteed responses that hold CACK back (3.5.11.4, 3.5.12).
 */
#include "refimpl/pds/pds.h"

static uint64_t *bits_of(const struct uet_fep *fep, const struct pdc *pdc)
{
    return pool_item(&fep->bitmaps, pdc->bitmap);
}

static bool bit(const struct uet_fep *fep, const struct pdc *pdc, uint32_t psn)
{
    uint32_t at = psn & (fep->window_psns - 1);
    return bits_of(fep, pdc)[at / 64] >> (at % 64) & 1;
}

static void set_bit(struct uet_fep *fep, struct pdc *pdc, uint32_t psn, bool on)
{
    uint32_t at = psn & (fep->window_psns - 1);
    uint64_t mask = 1ull << (at % 64);
    if (on)
        bits_of(fep, pdc)[at / 64] |= mask;
    else
        bits_of(fep, pdc)[at / 64] &= ~mask;
}

void uet_sink_restart(struct uet_fep *fep, struct pdc *pdc)
{
    memset(bits_of(fep, pdc), 0, fep->window_psns / 8);
    uet_sink_init(pdc);
}

void uet_sink_init(struct pdc *pdc)
{
    pdc->rx = (struct sink){
        .cack_psn = pdc->start_psn - 1,
        .expected_psn = pdc->start_psn,
        .highest_psn = pdc->start_psn - 1,
        .inferred_psn = pdc->start_psn - 1,
    };
}

bool uet_sink_below_128(const struct uet_fep *fep)
{
    return fep->params.MPR_Zero && fep->params.Override_MPR_Zero_Value &&
           fep->law.pds.tells_mpr_zero;
}

uint32_t uet_sink_mp_range(const struct uet_fep *fep)
{
    if (uet_sink_below_128(fep))
        return fep->params.Override_MPR_Zero_Value;
    uint32_t range = (fep->params.Default_MPR ? fep->params.Default_MPR : 1u) * UET_MPR_UNIT;
    return range < fep->window_psns ? range : fep->window_psns;
}

enum psn_place uet_sink_place(const struct uet_fep *fep, const struct pdc *pdc, uint32_t psn)
{
    int32_t ahead = uet_psn_diff(psn, pdc->rx.cack_psn);
    int32_t range = (int32_t)uet_sink_mp_range(fep);
    if (ahead > range)
        return PSN_AHEAD;
    if (ahead > 0)
        return bit(fep, pdc, psn) ? PSN_DUPLICATE : PSN_NEW;
    /* One MP_Range below CACK is the duplicate window, but nothing came before Start_PSN. */
    uint32_t since_start = pdc->rx.cack_psn - pdc->start_psn + 1;
    uint32_t behind = 0u - (uint32_t)ahead; /* INT32_MIN has no opposite */
    bool came = pdc->rx.long_lived || behind < since_start;
    return behind < (uint32_t)range && came ? PSN_DUPLICATE : PSN_BEHIND;
}

/* From a PSN above CACK on. What lies beyond the window stands in no bitmap. */
static uint64_t bits_ahead(const struct uet_fep *fep, const struct pdc *pdc, uint32_t psn)
{
    const uint64_t *words = bits_of(fep, pdc);
    uint32_t into = psn - pdc->rx.cack_psn - 1;
    uint32_t left = into < fep->window_psns ? fep->window_psns - into : 0;
    uint32_t at = psn & (fep->window_psns - 1);
    uint64_t bits = words[at / 64] >> (at % 64);
    if (at % 64)
        bits |= words[(at / 64 + 1) & (fep->window_psns / 64 - 1)] << (64 - at % 64);
    return left < SACK_BITS ? bits & ((1ull << left) - 1) : bits;
}

uint64_t uet_sink_bits(const struct uet_fep *fep, const struct pdc *pdc, uint32_t base)
{
    const struct sink *rx = &pdc->rx;
    int32_t below = uet_psn_diff(rx->cack_psn + 1, base); /* so many up to CACK: all have come, */
    int32_t early = uet_psn_diff(pdc->start_psn, base);   /* but for those before Start_PSN */
    if (below <= 0)
        return bits_ahead(fep, pdc, base);
    uint64_t bits = UINT64_MAX;
    if (below < SACK_BITS)
        bits = ((1ull << below) - 1) | bits_ahead(fep, pdc, rx->cack_psn + 1) << below;
    if (rx->long_lived || early <= 0)
        return bits;
    return early < SACK_BITS ? bits & UINT64_MAX << early : 0;
}

/* CACK stops below the first response that waits for its clear (PDS-077). */
static void advance_cack(struct uet_fep *fep, struct pdc *pdc)
{
    struct sink *rx = &pdc->rx;
    uint32_t limit = rx->expected_psn - 1;
    if (rx->stored) {
        const struct stored *first = pool_item(&fep->stored, rx->stored);
        if (psn_after(limit, first->psn - 1))
            limit = first->psn - 1;
    }
    while (psn_after(limit, rx->cack_psn))
        set_bit(fep, pdc, ++rx->cack_psn, false);
    uint32_t age = rx->cack_psn - pdc->start_psn;
    if (age >> 30 == 1) /* long before PSNs come round */
        rx->long_lived = true;
}

void uet_sink_receive(struct uet_fep *fep, struct pdc *pdc, uint32_t psn)
{
    struct sink *rx = &pdc->rx;
    set_bit(fep, pdc, psn, true);
    if (psn_after(psn, rx->highest_psn))
        rx->highest_psn = psn;
    if (psn != rx->expected_psn) {
        rx->n_above++;
        COUNT(fep, rx_out_of_order);
        return;
    }
    rx->expected_psn++;
    while (rx->expected_psn - rx->cack_psn <= fep->window_psns && bit(fep, pdc, rx->expected_psn)) {
        rx->expected_psn++;
        rx->n_above--;
    }
    advance_cack(fep, pdc);
}

static struct stored *stored_at(const struct uet_fep *fep, uint32_t id)
{
    return pool_item(&fep->stored, id);
}

bool uet_sink_store(struct uet_fep *fep, struct pdc *pdc, const struct ack_about *about,
                    struct ses_plan *plan, uint32_t part)
{
    const uint32_t psn = about->psn;
    if (!plan->slot && !pool_has(&fep->stored, psn != pdc->rx.expected_psn))
        return false;
    plan->slot = plan->slot ? plan->slot : pool_get(&fep->stored);
    struct stored *s = stored_at(fep, plan->slot);
    uint32_t *link = &pdc->rx.stored;
    while (*link && psn_after(psn, stored_at(fep, *link)->psn))
        link = &stored_at(fep, *link)->next;
    s->next = *link;
    s->psn = psn;
    s->pdc = pdc->id;
    s->part = part;
    s->entropy = about->entropy;
    s->m = about->m;
    s->retx = about->retx;
    s->promised = plan->promised;
    memcpy(s->response, plan->response, sizeof s->response);
    *link = plan->slot;
    pdc->rx.n_stored += !s->promised;
    return true;
}

void uet_sink_answer(struct pdc *pdc, struct stored *s, const uint8_t *response)
{
    memcpy(s->response, response, sizeof s->response);
    s->promised = false;
    pdc->rx.n_stored++;
}

const struct stored *uet_sink_stored(struct uet_fep *fep, const struct pdc *pdc, uint32_t psn)
{
    for (uint32_t id = pdc->rx.stored; id;) {
        const struct stored *s = pool_item(&fep->stored, id);
        if (s->psn == psn)
            return s;
        id = s->next;
    }
    return NULL;
}

static void drop(struct uet_fep *fep, struct pdc *pdc, uint32_t *link, enum part_fate fate)
{
    uint32_t id = *link;
    struct stored *s = stored_at(fep, id);
    *link = s->next;
    pdc->rx.n_stored -= !s->promised;
    uet_part_free(fep, pdc, s->part, fate);
    s->pdc = 0;
    pool_put(&fep->stored, id);
}

/* What is only promised cannot have been taken: it is not cleared (3.4.3.6.2.2). */
void uet_sink_clear(struct uet_fep *fep, struct pdc *pdc, uint32_t clear_psn)
{
    /* Nothing beyond the window can have been answered yet: a CLEAR_PSN there is a mistake. */
    if (uet_psn_diff(clear_psn, pdc->rx.cack_psn) > (int32_t)fep->window_psns) {
        COUNT(fep, drop_clear_bad);
        return;
    }
    for (uint32_t *link = &pdc->rx.stored; *link;) {
        struct stored *s = stored_at(fep, *link);
        if (psn_after(s->psn, clear_psn))
            break;
        if (s->promised)
            link = &s->next;
        else
            drop(fep, pdc, link, PART_ARRIVED);
    }
    advance_cack(fep, pdc);
}

void uet_sink_free(struct uet_fep *fep, struct pdc *pdc)
{
    while (pdc->rx.stored)
        drop(fep, pdc, &pdc->rx.stored, PART_LOST);
}
