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

void uet_fep_congestion(const struct uet_fep *fep, const struct uet_ip *to,
                        struct uet_fep_congestion *is)
{
    *is = (struct uet_fep_congestion){0};
    for (uint32_t id = 1; id <= fep->cccs.n; id++) {
        const struct ccc *ccc = uet_ccc_at(fep, id);
        if (!ccc->n_pdcs || ccc->traffic_class || ccc->rod || !uet_ip_equal(&ccc->to, to))
            continue;
        is->inflight = ccc->inflight > 0 ? (uint32_t)ccc->inflight : 0;
        is->cwnd = ccc->nscc.cwnd;
        is->max_wnd = ccc->nscc.max_wnd;
        is->base_rtt_ns = ccc->nscc.base_rtt;
        is->avg_delay_ns = ccc->nscc.avg_delay;
        is->credit = ccc->rccc.credit;
        is->strayed = ccc->rccc.speculates ? 0 : strayed(&ccc->rccc);
        is->heard = ccc->rccc.last;
        is->ccc_id = ccc->rccc.id;
    }
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
