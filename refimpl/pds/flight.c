/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What of a PDC is in flight, as its congestion control context counts it (3.6.12): Requests, those
 * of the return direction too. Control Packets, ACKs and NACKs are not held back (3.6.1).
 *
 * What arrives is known packet by packet, and by the destination's rcvd_bytes, which counts each
 * packet once (3.6.10.3): the higher of the two counts. So an ACK that is lost, or late, or without
 * CC state, does no harm; and no peer can say that more has come than was sent.
 */
#include "refimpl/pds/pds.h"

static struct ccc *ccc_of(struct uet_fep *fep, struct pdc *pdc)
{
    if (!pdc->ccc)
        pdc->ccc = (uint16_t)uet_ccc_join(fep, &pdc->peer, pdc->traffic_class, pdc->rod);
    return uet_ccc_at(fep, pdc->ccc);
}

/* ---- what waits to be sent (3.6.12: backlog and rtx_backlog) ---- */

static uint64_t resends(struct uet_fep *fep, const struct pdc *pdc, uint32_t most)
{
    uint64_t sum = 0;
    for (uint32_t id = pdc->tx.n_resend ? pdc->tx.head : 0; id && sum < most;) {
        const struct tx_packet *packet = packet_at(fep, id);
        sum += packet->resend && !packet->sacked ? packet->nominal : 0;
        id = packet->next;
    }
    return sum;
}

void uet_flight_count(struct uet_fep *fep, struct pdc *pdc)
{
    const uint32_t most = fep->nscc.max_wnd, headers = UET_CREDIT_HEADERS;
    uint64_t sum = resends(fep, pdc, most) + uet_ses_backlog(fep, pdc->id, headers, most);
    for (uint32_t id = pdc->parts_head; id && sum < most; id = part_at(fep, id)->next)
        sum += part_at(fep, id)->length + headers;
    uet_credit_count(fep, pdc, (uint32_t)(sum < most ? sum : most));
}

/* ---- what is in flight ---- */

/*
 * Nobody grants credit on a PDC that he does not know. So one packet may go without, when nothing
 * else is on its way (contested: 3.6.14 is not public here).
 */
static bool opens(const struct pdc *pdc, const struct ccc *ccc)
{
    return uet_cc_of(ccc)->credit && !pdc->peer_id && ccc->inflight <= 0;
}

bool uet_flight_may_send(struct uet_fep *fep, struct pdc *pdc)
{
    struct ccc *ccc = ccc_of(fep, pdc);
    if (uet_cc_of(ccc)->may_send(fep, ccc) || opens(pdc, ccc))
        return true;
    uet_pdc_hold(fep, pdc);
    if (uet_credit_rules(fep, pdc)) {
        uet_flight_count(fep, pdc);
        uet_credit_await(fep, pdc, uet_source_rto(fep, pdc->tx.n_credit_asks));
    }
    return false;
}

bool uet_flight_is_last(struct uet_fep *fep, struct pdc *pdc)
{
    struct ccc *ccc = ccc_of(fep, pdc);
    return uet_cc_of(ccc)->asks(fep, ccc);
}

bool uet_flight_stopped(const struct uet_fep *fep, const struct pdc *pdc)
{
    const struct ccc *ccc = uet_ccc_at(fep, pdc->ccc);
    return pdc->line == LINE_HELD && (ccc->cc == CC_NSCC || ccc->cc == CC_BOTH) &&
           ccc->inflight < (int64_t)fep->params.ACK_Gen_Trigger && !uet_nscc_may_send(fep, ccc);
}

void uet_flight_asks(struct uet_fep *fep, struct pdc *pdc)
{
    ccc_of(fep, pdc)->asked_at = (uint32_t)fep->now;
}

/*
 * A ROD PDC leaves a path with bad news when it is idle, else t_reroute round trips after it has
 * come there (3.6.16.2).
 */
static void leave_path(struct uet_fep *fep, struct pdc *pdc)
{
    const uint64_t rest = fep->params.t_reroute * fep->params.config_base_rtt;
    if (!pdc->bad_path || (pdc->tx.inflight && fep->now - pdc->moved_at < rest))
        return;
    pdc->entropy = uet_entropy_any(fep);
    pdc->moved_at = fep->now;
    pdc->bad_path = false;
    COUNT(fep, rod_rerouted);
}

uint16_t uet_flight_entropy(struct uet_fep *fep, struct pdc *pdc)
{
    if (pdc->rod)
        leave_path(fep, pdc);
    if (pdc->rod || !fep->params.LB)
        return uet_pdc_entropy(fep, pdc);
    return uet_lb_pick(fep, ccc_of(fep, pdc));
}

/* What is known of an EV: a ROD PDC has one, of the others load balancing hears. */
static void told_of(struct uet_fep *fep, struct pdc *pdc, uint16_t entropy, enum uet_lb_news news)
{
    if (pdc->rod && fep->params.t_reroute)
        pdc->bad_path |= news != LB_GOOD && entropy == pdc->entropy;
    if (!pdc->rod && fep->params.LB)
        uet_lb_told(fep, uet_ccc_at(fep, pdc->ccc), entropy, news);
}

static void change(struct ccc *ccc, struct pdc *pdc, int32_t bytes)
{
    ccc->inflight += bytes;
    pdc->tx.inflight += bytes;
}

void uet_flight_sent(struct uet_fep *fep, struct pdc *pdc, struct tx_packet *packet, size_t frame)
{
    struct ccc *ccc = ccc_of(fep, pdc);
    size_t ip = fep->config.address.version == 4 ? UET_IPV4_BYTES : UET_IPV6_BYTES;
    packet->nominal = packet->inflight = (uint16_t)(frame - UET_ETH_BYTES - ip + UET_NOMINAL_EXTRA);
    packet->sent_at = fep->now;
    if (!packet->n_copies)
        pdc->tx.sent_bytes += packet->nominal;
    if (packet->n_copies < 3)
        packet->n_copies++;
    change(ccc, pdc, packet->inflight);
    if (uet_cc_of(ccc)->sent)
        uet_cc_of(ccc)->sent(ccc, packet->inflight);
}

/* Whoever waits for the window may have what is free now. */
static void wake(struct uet_fep *fep, const struct ccc *ccc)
{
    if (ccc->waiting.head)
        uet_pdc_ready(fep, pdc_at(fep, ccc->waiting.head));
}

void uet_flight_wake(struct uet_fep *fep, const struct pdc *pdc)
{
    wake(fep, uet_ccc_at(fep, pdc->ccc));
}

void uet_flight_passed(struct uet_fep *fep, const struct pdc *pdc)
{
    if (pdc->ccc && pdc->line != LINE_HELD)
        wake(fep, uet_ccc_at(fep, pdc->ccc));
}

/* So many bytes of the PDC have arrived in all. */
static void arrived_up_to(struct ccc *ccc, struct pdc *pdc, uint32_t bytes)
{
    struct source *tx = &pdc->tx;
    int32_t newly = (int32_t)(bytes - tx->arrived_bytes);
    if (newly <= 0)
        return;
    tx->arrived_bytes = bytes;
    tx->newly_rcvd += (uint32_t)newly;
    change(ccc, pdc, -newly);
}

void uet_flight_arrived(struct uet_fep *fep, struct pdc *pdc, struct tx_packet *packet)
{
    struct ccc *ccc = uet_ccc_at(fep, pdc->ccc);
    if (!packet->nominal)
        return;
    if (packet->landed) { /* sent again all the same, and not counted by the peer */
        change(ccc, pdc, -(int32_t)packet->inflight);
    } else {
        if (!packet->inflight) /* taken for lost, and not sent again: not twice (CMS-111) */
            change(ccc, pdc, packet->nominal);
        packet->landed = true;
        pdc->tx.acked_bytes += packet->nominal;
        arrived_up_to(ccc, pdc, pdc->tx.acked_bytes);
    }
    packet->inflight = 0;
    wake(fep, ccc);
}

bool uet_flight_lost(struct uet_fep *fep, struct pdc *pdc, struct tx_packet *packet)
{
    struct ccc *ccc = uet_ccc_at(fep, pdc->ccc);
    if (!packet->inflight)
        return false;
    change(ccc, pdc, -(int32_t)packet->inflight);
    packet->inflight = 0;
    wake(fep, ccc);
    return true;
}

void uet_flight_inferred(struct uet_fep *fep, struct pdc *pdc, struct tx_packet *packet)
{
    struct ccc *ccc = uet_ccc_at(fep, pdc->ccc);
    if (!uet_flight_lost(fep, pdc, packet))
        return;
    told_of(fep, pdc, packet->entropy, LB_LOST);
    if (uet_cc_of(ccc)->inferred)
        uet_cc_of(ccc)->inferred(fep, ccc, packet->nominal);
}

/*
 * The time from the packet to its answer, 0 where it is not known of which copy that is: the answer
 * says whether it is of a resend, and only the first of these can be told from others (3.6.13.1).
 */
static uint64_t rtt_of(const struct uet_fep *fep, const struct tx_packet *packet, bool retx,
                       uint32_t service_ns)
{
    bool known = packet->nominal && packet->n_copies == (retx ? 2 : 1);
    uint64_t elapsed = fep->now - packet->sent_at;
    return known && elapsed > service_ns ? elapsed - service_ns : 0;
}

static void probe_if_due(struct pdc *pdc, struct ccc *ccc)
{
    if (ccc->probe_due)
        pdc->wants |= WANT(UET_CTL_PROBE);
    ccc->probe_due = false;
}

void uet_flight_nacked(struct uet_fep *fep, struct pdc *pdc, struct tx_packet *packet,
                       const uint8_t *nack)
{
    struct ccc *ccc = uet_ccc_at(fep, pdc->ccc);
    const uint8_t code = uet_nack_nack_code(nack);
    if (!uet_flight_lost(fep, pdc, packet))
        return;
    /* The last hop is the same on all paths: a trim there gives the EV back (3.6.12). */
    told_of(fep, pdc, packet->entropy,
            code == UET_NACK_TRIMMED ? LB_TRIMMED
            : uet_nack_m(nack)       ? LB_MARKED
                                     : LB_GOOD);
    probe_if_due(pdc, ccc);
    bool its = uet_nack_nack_psn(nack) == packet->psn;
    const struct uet_cc_nack n = {
        .rtt_ns = its ? rtt_of(fep, packet, uet_nack_retx(nack), 0) : 0,
        .bytes = packet->nominal,
        .trimmed = code == UET_NACK_TRIMMED || code == UET_NACK_TRIMMED_LASTHOP,
        .last_hop = code == UET_NACK_TRIMMED_LASTHOP,
    };
    if (uet_cc_of(ccc)->nacked)
        uet_cc_of(ccc)->nacked(fep, ccc, &n);
}

uint64_t uet_flight_rtt(const struct uet_fep *fep, const struct pdc *pdc,
                        const struct tx_packet *packet, const struct uet_packet *ack,
                        const struct uet_cc_state *told)
{
    if (!packet || !pdc->ccc ||
        !uet_cc_of(uet_ccc_at(fep, pdc->ccc))->acked) /* nobody wants to know */
        return 0;
    return rtt_of(fep, packet, uet_ack_retx(uet_pds(ack)), told ? told->service_ns : 0);
}

void uet_flight_acked(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p,
                      const struct uet_cc_state *told, uint64_t rtt_ns)
{
    struct source *tx = &pdc->tx;
    if (!pdc->ccc)
        return;
    struct ccc *ccc = uet_ccc_at(fep, pdc->ccc);
    const bool m = uet_ack_m(uet_pds(p));
    const uint32_t most =
        (tx->sent_bytes + UET_RCVD_BYTES_UNIT - 1) / UET_RCVD_BYTES_UNIT * UET_RCVD_BYTES_UNIT;
    if (told && told->grants)
        (void)uet_credit_take(fep, pdc, told->credit);
    if (told && !told->grants && (int32_t)((uint32_t)told->rcvd_bytes - most) <= 0)
        arrived_up_to(ccc, pdc, (uint32_t)told->rcvd_bytes);
    told_of(fep, pdc, uet_entropy(p), m ? LB_MARKED : LB_GOOD);
    probe_if_due(pdc, ccc);
    if (uet_cc_of(ccc)->acked) {
        const struct uet_cc_ack ack = {
            .rtt_ns = rtt_ns,
            .newly_rcvd = tx->newly_rcvd,
            .m = m,
            .restore = told && told->rc,
            .pend = told ? told->rcv_cwnd_pend : 0,
        };
        uet_cc_of(ccc)->acked(fep, ccc, &ack);
    }
    tx->newly_rcvd = 0;
    wake(fep, ccc);
}

void uet_flight_probes(struct uet_fep *fep, const struct pdc *pdc, uint16_t opaque)
{
    struct ccc *ccc = uet_ccc_at(fep, pdc->ccc);
    if (!pdc->ccc)
        return;
    ccc->probe_opaque = opaque;
    ccc->probed_at = fep->now;
}

void uet_flight_probed(struct uet_fep *fep, const struct pdc *pdc, const struct uet_packet *ack)
{
    struct ccc *ccc = uet_ccc_at(fep, pdc->ccc);
    struct uet_cc_state told = {0};
    if (!pdc->ccc || !ccc->probed_at || uet_ack_probe_opaque(uet_pds(ack)) != ccc->probe_opaque)
        return;
    (void)uet_cc_read(ack, &told);
    uint64_t elapsed = fep->now - ccc->probed_at;
    ccc->probed_at = 0;
    if (elapsed > told.service_ns && uet_cc_of(ccc)->probed)
        uet_cc_of(ccc)->probed(fep, ccc, elapsed - told.service_ns);
}

void uet_flight_end(struct uet_fep *fep, struct pdc *pdc)
{
    uet_credit_end(fep, pdc);
    if (pdc->ccc)
        change(uet_ccc_at(fep, pdc->ccc), pdc, -pdc->tx.inflight);
    uet_flight_passed(fep, pdc);
    uet_ccc_leave(fep, pdc->ccc);
    pdc->ccc = 0;
}
