/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Losses found out before the RTO (3.5.15), each of them optional and off by default: later packets
 * that arrived (SACK), the same on one entropy value, whose packets keep their order (EV), the
 * destination's ooo_count, and the silence after the last packet (Tail_Loss_Time). A cleared SACK
 * bit alone proves nothing (PDS-115). ROD needs none: its target says at once what is missing.
 */
#include "refimpl/pds/pds.h"

static bool is_open(const struct tx_packet *q)
{
    return !q->sacked && !q->resend && !q->nack_wait && !q->refused && q->again;
}

/* Does one slot mean one path? */
static bool by_slot(const struct uet_fep_params *v)
{
    return v->EV_Loss && v->EV_Slots && !v->LB;
}

/* Resent without a word of the peer's, as often as NACKs may ask; then the RTO decides. */
static void infer(struct uet_fep *fep, struct pdc *pdc, struct tx_packet *q)
{
    if (q->n_inferred >= fep->params.Max_NACK_Retx_Cnt)
        return;
    q->n_inferred++;
    q->passed = 0;
    uet_flight_inferred(fep, pdc, q);
    uet_source_resend(fep, pdc, q);
    uet_pdc_ready(fep, pdc);
}

void uet_infer_received(struct uet_fep *fep, struct pdc *pdc, uint32_t order, uint16_t slot)
{
    const struct uet_fep_params *v = &fep->params;
    if (pdc->rod)
        return;
    if (psn_after(order, pdc->tx.received_order))
        pdc->tx.received_order = order;
    if (!v->SACK_Loss_Count && !by_slot(v))
        return;
    for (uint32_t id = pdc->tx.head; id; id = packet_at(fep, id)->next) {
        struct tx_packet *q = packet_at(fep, id);
        if (!is_open(q) || !psn_after(order, q->order))
            continue;
        if (q->passed < UINT8_MAX)
            q->passed++;
        if (v->SACK_Loss_Count && q->passed >= v->SACK_Loss_Count) {
            COUNT(fep, loss_by_sack);
            infer(fep, pdc, q);
        } else if (by_slot(v) && q->slot == slot) {
            COUNT(fep, loss_by_ev);
            infer(fep, pdc, q);
        }
    }
}

void uet_infer_ooo(struct uet_fep *fep, struct pdc *pdc, uint32_t ooo_count, uint32_t highest_psn)
{
    uint32_t limit = fep->params.OOO_Loss_Count;
    if (pdc->rod || !limit || ooo_count == UET_OOO_NOT_COMPUTED || ooo_count < limit)
        return;
    for (uint32_t id = pdc->tx.head; id; id = packet_at(fep, id)->next) {
        struct tx_packet *q = packet_at(fep, id);
        if (!psn_after(highest_psn, q->psn))
            return;
        if (!is_open(q) || !psn_after(pdc->tx.received_order, q->order))
            continue; /* sent after all that has arrived: still on its way */
        COUNT(fep, loss_by_ooo);
        infer(fep, pdc, q);
    }
}

void uet_infer_sent(struct uet_fep *fep, struct pdc *pdc, struct tx_packet *q)
{
    uint64_t wait = fep->params.Tail_Loss_Time;
    q->order = ++pdc->tx.order;
    if (wait && pdc->tx.n_tail < fep->params.Max_Tail_Loss_Retx)
        pdc->timers[TIMER_TAIL] = time_after(fep->now, wait);
    else
        pdc->timers[TIMER_TAIL] = UET_FEP_NEVER;
}

void uet_infer_progress(struct uet_fep *fep, struct pdc *pdc)
{
    pdc->tx.n_tail = 0;
    if (fep->params.Tail_Loss_Time && pdc->tx.n_packets)
        pdc->timers[TIMER_TAIL] = time_after(fep->now, fep->params.Tail_Loss_Time);
    else
        pdc->timers[TIMER_TAIL] = UET_FEP_NEVER;
}

/* PDS-230: the last packet that is still open, or on ROD the first of all, which go with it. */
void uet_infer_tail(struct uet_fep *fep, struct pdc *pdc)
{
    uint32_t id = pdc->rod ? pdc->tx.head : pdc->tx.tail;
    pdc->timers[TIMER_TAIL] = UET_FEP_NEVER;
    while (id && !is_open(packet_at(fep, id)))
        id = pdc->rod ? 0 : packet_at(fep, id)->prev;
    if (!id)
        return;
    COUNT(fep, loss_by_tail);
    pdc->tx.n_tail++;
    uet_flight_inferred(fep, pdc, packet_at(fep, id));
    uet_source_lost(fep, pdc, packet_at(fep, id));
    uet_pdc_ready(fep, pdc);
}
