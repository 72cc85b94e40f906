/* SPDX-License-Identifier: BSD-2-Clause */
#include "refimpl/usage.h"

#include "refimpl/pds/pds.h"

void uet_fep_usage(const struct uet_fep *fep, struct uet_fep_usage *usage)
{
    *usage = (struct uet_fep_usage){
        .initiator_pdcs = fep->n_initiator,
        .target_pdcs = fep->n_target,
        .packets = fep->packets.used,
        .rudi_packets = fep->rudi.packets.used,
        .stored_responses = fep->stored.used,
        .messages = fep->messages.used,
        .read_parts = fep->parts.used,
        .kept = fep->kept.used,
        .unexpected = fep->unexpected.used + fep->unexpected_blocks.used,
        .bitmaps = fep->bitmaps.used,
        .cccs = fep->cccs.used,
        .receives = fep->receives.used,
        .operations = fep->operations.used,
        .completions = fep->completions.n,
    };
}

/* What was heard is in hand, spent or discarded. */
static uint64_t strayed(const struct uet_rccc *r)
{
    int64_t rest = (int64_t)(r->heard - r->spent - r->discarded) - r->credit;
    return (uint64_t)(rest < 0 ? -rest : rest);
}

bool uet_fep_congestion_next(const struct uet_fep *fep, uint32_t *at, struct uet_fep_congestion *is)
{
    while (++*at <= fep->cccs.n) {
        const struct ccc *ccc = uet_ccc_at(fep, *at);
        if (!ccc->n_pdcs)
            continue;
        *is = (struct uet_fep_congestion){
            .to = ccc->to,
            .traffic_class = ccc->traffic_class,
            .rod = ccc->rod,
            .nscc = ccc->cc == CC_NSCC || ccc->cc == CC_BOTH,
            .rccc = ccc->cc == CC_RCCC || ccc->cc == CC_BOTH,
            .held = ccc->waiting.head != 0,
            .n_pdcs = ccc->n_pdcs,
            .cwnd = ccc->nscc.cwnd,
            .max_wnd = ccc->nscc.max_wnd,
            .inflight = ccc->inflight,
            .base_rtt_ns = ccc->nscc.base_rtt,
            .avg_delay_ns = ccc->nscc.avg_delay,
            .credit = ccc->rccc.credit,
            .strayed = ccc->rccc.speculates ? 0 : strayed(&ccc->rccc),
            .heard = ccc->rccc.last,
            .ccc_id = ccc->rccc.id,
        };
        return true;
    }
    return false;
}

uint64_t uet_fep_taken_for_lost(const struct uet_fep *fep, uint32_t at)
{
    uint64_t sum = 0;
    for (uint32_t i = 1; i <= fep->config.max_pdcs; i++) {
        const struct pdc *pdc = &fep->pdcs[i];
        uint32_t id = pdc->state != PDC_CLOSED && pdc->ccc == at ? pdc->tx.head : 0;
        while (id) {
            const struct tx_packet *packet = pool_item(&fep->packets, id);
            sum += packet->inflight || packet->landed ? 0 : packet->nominal;
            id = packet->next;
        }
    }
    return sum;
}

void uet_fep_congestion(const struct uet_fep *fep, const struct uet_ip *to,
                        struct uet_fep_congestion *is)
{
    for (uint32_t at = 0; uet_fep_congestion_next(fep, &at, is);)
        if (!is->traffic_class && !is->rod && uet_ip_equal(&is->to, to))
            return;
    *is = (struct uet_fep_congestion){0};
}

bool uet_fep_grant_next(const struct uet_fep *fep, uint32_t *at, struct uet_fep_grant *is)
{
    while (++*at <= fep->grantees.n) {
        const struct grantee *g = pool_item(&fep->grantees, *at);
        if (!g->n_pdcs)
            continue;
        *is = (struct uet_fep_grant){
            .from = g->from,
            .ccc_id = g->ccc_id,
            .granted = g->granted,
            .lacks = uet_credit_ahead(g->target, g->granted),
        };
        return true;
    }
    return false;
}

uint32_t uet_fep_granted(const struct uet_fep *fep, const struct uet_ip *from, uint8_t ccc_id)
{
    for (uint32_t id = 1; id <= fep->config.max_pdcs; id++) {
        const struct pdc *pdc = &fep->pdcs[id];
        if (pdc->state != PDC_CLOSED && pdc->rx.grantee && uet_ip_equal(&pdc->peer, from) &&
            uet_grants_ccc_id(fep, pdc->rx.grantee) == ccc_id)
            return uet_grants_given(fep, pdc->rx.grantee);
    }
    return 0;
}

uint64_t uet_fep_rcvd_bytes(const struct uet_fep *fep, const struct uet_ip *from)
{
    uint64_t sum = 0;
    for (uint32_t id = 1; id <= fep->config.max_pdcs; id++) {
        const struct pdc *pdc = &fep->pdcs[id];
        if (pdc->state != PDC_CLOSED && !pdc->initiator && uet_ip_equal(&pdc->peer, from))
            sum += pdc->rx.rcvd_bytes;
    }
    return sum;
}
