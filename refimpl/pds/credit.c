/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * RCCC (3.6.14) between PDCs and cms/: as source, what waits to be sent, what Requests say of it,
 * and the question for credit; as destination, what is heard of sources, and their grants.
 */
#include "refimpl/edge.h"
#include "refimpl/pds/pds.h"

#define RETX_WITHOUT_END 15u

static struct ccc *credited(const struct uet_fep *fep, const struct pdc *pdc)
{
    return uet_credit_rules(fep, pdc) ? uet_ccc_at(fep, pdc->ccc) : NULL;
}

/* ---- the source ---- */

void uet_credit_count(const struct uet_fep *fep, struct pdc *pdc, uint32_t demand)
{
    struct ccc *ccc = credited(fep, pdc);
    ccc->rccc.demand += demand - pdc->tx.demand;
    pdc->tx.demand = demand;
}

void uet_credit_write(struct uet_fep *fep, const struct pdc *pdc, const struct tx_packet *packet,
                      uint8_t *h)
{
    struct ccc *ccc = credited(fep, pdc);
    const struct part *part = packet->part ? part_at(fep, packet->part) : NULL;
    uint32_t size = (part ? part->length : packet->seg.length) + UET_CREDIT_HEADERS;
    uint32_t again = packet->resend && !packet->sacked ? packet->nominal : 0;
    uint32_t demand = ccc->rccc.demand > again ? ccc->rccc.demand - again : 0;
    uet_rud_rod_cc_req_ccc_id_set(h, ccc->rccc.id);
    uet_rud_rod_cc_req_credit_target_set(h, uet_rccc_target(fep, ccc, demand, size));
}

void uet_credit_sent(struct pdc *pdc)
{
    pdc->wants &= (uint16_t)~WANT(UET_CTL_CREDIT_REQUEST);
    pdc->timers[TIMER_CREDIT] = UET_FEP_NEVER;
}

/* Has the destination been told of all that is lacking now? */
static bool knows(const struct ccc *ccc)
{
    return uet_credit_ahead(ccc->rccc.told, ccc->rccc.last) > 0;
}

/*
 * It may not send: it asks when nothing has come for the time of an RTO; at once, when the
 * destination cannot know; but never twice within a base RTT (CMS-084).
 */
void uet_credit_await(const struct uet_fep *fep, struct pdc *pdc, uint64_t rto)
{
    const struct ccc *ccc = credited(fep, pdc);
    if (ccc->rccc.credit > 0 || pdc->timers[TIMER_CREDIT] != UET_FEP_NEVER)
        return;
    const struct uet_rccc *r = &ccc->rccc;
    uint64_t least = r->asked_at ? time_after(r->asked_at, fep->nscc.config_base_rtt) : fep->now;
    uint64_t wait =
        knows(ccc) || !pdc->peer_id ? rto : 0; /* nobody can be asked before it is known */
    uint64_t due = time_after(fep->now, wait);
    pdc->timers[TIMER_CREDIT] = due > least ? due : least;
}

bool uet_credit_alone(const struct uet_fep *fep, const struct pdc *pdc)
{
    const uint8_t limit = fep->params.Max_RTO_Retx_Cnt;
    const struct ccc *ccc = credited(fep, pdc);
    if (ccc && ccc->rccc.news != pdc->tx.credit_news) /* on another PDC, and spent there */
        return false;
    return limit != RETX_WITHOUT_END && pdc->tx.n_credit_asks >= (limit ? limit : 1);
}

/* A Credit Request has no PSN; one such NACK may be a late one of a PDC that had the PDCID before.
 */
bool uet_credit_asked_in_vain(const struct pdc *pdc, uint32_t psn)
{
    return !psn && pdc->peer_id && pdc->line == LINE_HELD && pdc->tx.n_credit_asks >= 2;
}

bool uet_credit_ask(const struct uet_fep *fep, struct pdc *pdc, uint32_t *payload)
{
    struct ccc *ccc = credited(fep, pdc);
    if (!(pdc->wants & WANT(UET_CTL_CREDIT_REQUEST)))
        return false;
    pdc->wants &= (uint16_t)~WANT(UET_CTL_CREDIT_REQUEST);
    if (!ccc || !pdc->peer_id || pdc->line != LINE_HELD)
        return false;
    if (ccc->rccc.news != pdc->tx.credit_news)
        pdc->tx.n_credit_asks = 0;
    pdc->tx.credit_news = ccc->rccc.news;
    if (pdc->tx.n_credit_asks < UINT8_MAX)
        pdc->tx.n_credit_asks++;
    ccc->rccc.asked_at = fep->now;
    pdc->timers[TIMER_CREDIT] = UET_FEP_NEVER; /* what was due is done (CMS-084) */
    *payload = (uint32_t)ccc->rccc.id << 24 | uet_rccc_target(fep, ccc, ccc->rccc.demand, 0);
    return true;
}

bool uet_credit_take(const struct uet_fep *fep, struct pdc *pdc, uint32_t credit)
{
    struct ccc *ccc = credited(fep, pdc);
    if (!ccc)
        return false;
    pdc->tx.n_credit_asks = 0;
    ccc->rccc.news++;
    (void)uet_cc_of(ccc)->credit(fep, ccc, credit);
    return true;
}

/* ---- the destination ---- */

static void join(struct uet_fep *fep, struct pdc *pdc, uint8_t ccc_id)
{
    struct sink *rx = &pdc->rx;
    rx->grantee = (uint16_t)uet_grants_join(fep, &pdc->peer, ccc_id);
    uint16_t before = uet_grants_pdc(fep, rx->grantee);
    rx->grantee_prev = before ? before : pdc->id;
    rx->grantee_next = before ? pdc_at(fep, before)->rx.grantee_next : pdc->id;
    pdc_at(fep, rx->grantee_prev)->rx.grantee_next = pdc->id;
    pdc_at(fep, rx->grantee_next)->rx.grantee_prev = pdc->id;
}

static void leave(struct uet_fep *fep, struct pdc *pdc)
{
    struct sink *rx = &pdc->rx;
    if (!rx->grantee)
        return;
    uet_grants_leave(fep, rx->grantee, rx->grantee_next == pdc->id ? 0 : rx->grantee_next);
    pdc_at(fep, rx->grantee_prev)->rx.grantee_next = rx->grantee_next;
    pdc_at(fep, rx->grantee_next)->rx.grantee_prev = rx->grantee_prev;
    rx->grantee = 0;
}

void uet_credit_wanted(struct uet_fep *fep, struct pdc *pdc, uint8_t ccc_id, uint32_t target,
                       bool asks)
{
    if (pdc->rx.grantee && uet_grants_ccc_id(fep, pdc->rx.grantee) != ccc_id)
        leave(fep, pdc);
    if (!pdc->rx.grantee)
        join(fep, pdc, ccc_id);
    uet_grants_want(fep, pdc->rx.grantee, pdc->id, target, asks);
}

void uet_credit_heard(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p)
{
    const uint8_t *h = uet_pds(p);
    if (!uet_is_cc_request(p) || !fep->params.RCCC)
        return;
    const bool trimmed = uet_edge_trimmed(p);
    uet_arc_heard(fep, p, trimmed);
    uet_credit_wanted(fep, pdc, uet_rud_rod_cc_req_ccc_id(h), uet_rud_rod_cc_req_credit_target(h),
                      trimmed);
}

/* ---- both ---- */

void uet_credit_end(struct uet_fep *fep, struct pdc *pdc)
{
    struct ccc *ccc = credited(fep, pdc);
    if (ccc)
        ccc->rccc.demand -= pdc->tx.demand;
    pdc->tx.demand = 0;
    leave(fep, pdc);
}
