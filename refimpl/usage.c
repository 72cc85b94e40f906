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
    }
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
