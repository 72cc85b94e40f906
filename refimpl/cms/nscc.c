/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * NSCC, the source's half (3.6.13.4 - 3.6.13.6): a window that grows and shrinks by what ACKs tell,
 * CE marks and the queueing delay. What is in flight is counted elsewhere (pds/flight.c).
 */
#include "refimpl/cms/cms.h"

#define DELAY_MOST (1u << 25) /* ns: a delay above it says no more than it does */
#define RTT_LEAST  128u       /* ns: the resolution of base_rtt (3.6.13.3) */

__extension__ typedef unsigned __int128 wide;

/* Counters of bytes stop at their end: what they are compared with lies far below. */
static void add(uint32_t *counter, uint32_t bytes)
{
    *counter = bytes < UINT32_MAX - *counter ? *counter + bytes : UINT32_MAX;
}

static uint32_t at_least(uint32_t a, uint32_t least)
{
    return a > least ? a : least;
}

/* Bytes in flight; rcvd_bytes, rounded up, may have taken some too many. */
static uint32_t inflight(const struct ccc *ccc)
{
    return ccc->inflight > 0 ? (uint32_t)ccc->inflight : 0;
}

static void grow(struct uet_nscc *n, uint64_t bytes)
{
    n->cwnd = bytes < n->max_wnd - n->cwnd ? n->cwnd + (uint32_t)bytes : n->max_wnd;
}

static void cut_to(struct uet_nscc *n, const struct uet_nscc_gains *g, uint32_t cwnd)
{
    n->cwnd = at_least(cwnd, g->mtu);
}

static void cut_by(struct uet_nscc *n, const struct uet_nscc_gains *g, uint32_t bytes)
{
    cut_to(n, g, n->cwnd > bytes ? n->cwnd - bytes : 0);
}

void uet_nscc_begin(struct uet_fep *fep, struct ccc *ccc)
{
    fep->nscc = uet_nscc_gains(&fep->config, &fep->params);
    ccc->probe_due = true;
    ccc->nscc = (struct uet_nscc){
        .cwnd = fep->nscc.max_wnd,
        .max_wnd = fep->nscc.max_wnd,
        .base_rtt = fep->nscc.config_base_rtt,
        .last_adjust_time = fep->now,
        .last_dec_time = fep->now,
        .last_sample_time = fep->now,
    };
}

/*
 * inflight + MTU <= cwnd. An MTU here is one of payload: so with a window of one MTU a full packet
 * still goes, and what is in flight passes cwnd by the headers of one packet at most.
 */
bool uet_nscc_may_send(const struct uet_fep *fep, const struct ccc *ccc)
{
    return ccc->inflight + (int64_t)fep->nscc.mtu <= ccc->nscc.cwnd;
}

/*
 * What is in flight is less than makes the destination answer by itself, and it has not been asked
 * for a base_rtt. Where many share a line such an answer is long in coming; quick_adapt, which
 * counts what is achieved in one or two of these, then cuts the window below what is in flight, and
 * nobody asks any more before the RTO.
 */
static bool is_slow(const struct uet_fep *fep, const struct ccc *ccc)
{
    return ccc->inflight < (int64_t)fep->params.ACK_Gen_Trigger &&
           (uint32_t)fep->now - ccc->asked_at >= ccc->nscc.base_rtt;
}

/* Is less than an MTU left when the packet that is about to leave is counted, too? */
bool uet_nscc_asks(const struct uet_fep *fep, const struct ccc *ccc)
{
    const int64_t next = 2 * (int64_t)fep->nscc.mtu + UET_CC_HEADERS_MOST;
    return ccc->nscc.cwnd < fep->params.ACK_Gen_Trigger ||
           (int64_t)ccc->nscc.cwnd - ccc->inflight < next || is_slow(fep, ccc);
}

/* ---- samples (3.6.13.1) ---- */

static void note_rtt(struct uet_nscc *n, const struct uet_nscc_gains *g, uint64_t rtt_ns)
{
    uint32_t rtt = rtt_ns < UINT32_MAX ? at_least((uint32_t)rtt_ns, RTT_LEAST) : UINT32_MAX;
    if (rtt >= n->base_rtt)
        return;
    uint32_t window = uet_nscc_window(g, rtt);
    n->base_rtt = rtt;
    n->max_wnd = window < n->max_wnd ? window : n->max_wnd;
    n->cwnd = n->cwnd < n->max_wnd ? n->cwnd : n->max_wnd;
}

/* The mean over about the last base_rtt: each sample weighs as the time since the one before. */
static void average(struct uet_nscc *n, uint32_t delay, uint64_t now)
{
    uint64_t since = now - n->last_sample_time;
    uint32_t weight = since < n->base_rtt ? (uint32_t)since : n->base_rtt;
    int64_t change = ((int64_t)delay - n->avg_delay) * weight / n->base_rtt;
    n->avg_delay = (uint32_t)(n->avg_delay + change);
    n->last_sample_time = now;
}

static uint32_t note_delay(struct uet_nscc *n, const struct uet_nscc_gains *g, uint64_t rtt_ns,
                           uint64_t now)
{
    note_rtt(n, g, rtt_ns);
    uint64_t delay = rtt_ns > n->base_rtt ? rtt_ns - n->base_rtt : 0;
    uint32_t bounded = delay < DELAY_MOST ? (uint32_t)delay : DELAY_MOST;
    average(n, bounded, now);
    return bounded;
}

/* ---- how the window moves (3.6.13.6) ---- */

/* The destination's wish (3.6.13.2); true: this ACK brings no increase. */
static bool penalty(struct uet_nscc *n, const struct uet_nscc_gains *g, uint32_t in_flight,
                    const struct uet_cc_ack *ack)
{
    if (ack->pend) {
        uint32_t less = (uint32_t)((uint64_t)ack->pend * ack->newly_rcvd >> 7);
        n->saved_cwnd = n->saved_cwnd ? n->saved_cwnd : n->cwnd;
        n->cwnd = n->cwnd < in_flight ? n->cwnd : in_flight;
        cut_by(n, g, less);
        return true;
    }
    if (ack->restore && n->saved_cwnd) {
        n->cwnd = n->saved_cwnd < n->max_wnd ? n->saved_cwnd : n->max_wnd;
        n->saved_cwnd = 0;
    }
    return false;
}

/* True: it has acted, or what comes back of the flight before is to be ignored. */
static bool quick_adapt(struct uet_nscc *n, const struct uet_nscc_gains *g, uint32_t in_flight,
                        uint64_t now, bool loss, bool m, uint32_t delay)
{
    bool acted = n->bytes_ignored < n->bytes_to_ignore && m;
    if (!g->quick_adapt)
        return false;
    if (!acted && now >= n->qa_endtime) {
        if (n->qa_endtime && (n->trigger_qa || loss || delay > g->qa_threshold) &&
            n->achieved_bytes < n->max_wnd >> g->qa_gate) {
            cut_to(n, g, n->achieved_bytes);
            n->bytes_to_ignore = in_flight;
            n->bytes_ignored = 0;
            n->trigger_qa = false;
            acted = true;
        }
        n->achieved_bytes = 0;
        n->qa_endtime = now + n->base_rtt + g->target_qdelay;
    }
    if (acted)
        n->inc_bytes = n->received_bytes = 0;
    return acted;
}

static bool fast_increase(struct uet_nscc *n, const struct uet_nscc_gains *g, uint32_t newly,
                          uint32_t delay)
{
    if (delay < g->tolerance) {
        add(&n->fi_count, newly);
        if (n->fi_count > n->cwnd || n->increase) {
            grow(n, (uint64_t)newly * g->fi_scale_q16 >> 16);
            return n->increase = true;
        }
    } else {
        n->fi_count = 0;
    }
    return n->increase = false;
}

static void proportional_increase(struct uet_nscc *n, const struct uet_nscc_gains *g,
                                  uint32_t newly, uint32_t delay)
{
    if (fast_increase(n, g, newly, delay))
        return;
    wide product = (wide)g->alpha_q32 * newly * (g->target_qdelay - delay);
    n->inc_bytes += (uint64_t)(product >> 32);
}

static void fair_increase(struct uet_nscc *n, const struct uet_nscc_gains *g, uint32_t newly)
{
    n->inc_bytes += (uint64_t)((wide)g->fi_q8 * newly >> 8);
}

/* At most once in a base_rtt, and never below max_md_jump of what it was. */
static void multiplicative_decrease(struct uet_nscc *n, const struct uet_nscc_gains *g,
                                    uint64_t now)
{
    n->increase = false;
    n->fi_count = 0;
    if (n->avg_delay <= g->target_qdelay || now - n->last_dec_time <= n->base_rtt)
        return;
    uint64_t whole = (uint64_t)n->avg_delay * 100;
    uint64_t rest = whole - (uint64_t)g->gamma * (n->avg_delay - g->target_qdelay);
    uint64_t least = (uint64_t)n->avg_delay * g->max_md_jump;
    rest = rest > least ? rest : least;
    cut_to(n, g, (uint32_t)((wide)n->cwnd * rest / whole));
    n->last_dec_time = now;
}

static void fulfill_adjustment(struct uet_nscc *n, const struct uet_nscc_gains *g, uint64_t now)
{
    bool period = now - n->last_adjust_time >= g->adjust_period;
    grow(n, n->inc_bytes / n->cwnd + (period ? g->eta : 0));
    if (period)
        n->last_adjust_time = now;
    n->inc_bytes = n->received_bytes = 0;
}

/* ---- events (3.6.13.5) ---- */

void uet_nscc_acked(struct uet_fep *fep, struct ccc *ccc, const struct uet_cc_ack *ack)
{
    struct uet_nscc *n = &ccc->nscc;
    const struct uet_nscc_gains *g = &fep->nscc;
    const uint64_t now = fep->now;
    add(&n->bytes_ignored, ack->newly_rcvd);
    add(&n->received_bytes, ack->newly_rcvd);
    add(&n->achieved_bytes, ack->newly_rcvd);
    bool limited = penalty(n, g, inflight(ccc), ack);
    if (!ack->rtt_ns) /* no valid sample: no more than that (CMS-113) */
        return;
    uint32_t delay = note_delay(n, g, ack->rtt_ns, now);
    if (quick_adapt(n, g, inflight(ccc), now, false, ack->m, delay))
        return;
    if (ack->m && delay >= g->target_qdelay)
        multiplicative_decrease(n, g, now);
    else if (!ack->m && !limited && delay < g->target_qdelay)
        proportional_increase(n, g, ack->newly_rcvd, delay);
    else if (!ack->m && !limited)
        fair_increase(n, g, ack->newly_rcvd);
    if (now - n->last_adjust_time >= g->adjust_period || n->received_bytes > g->adjust_bytes)
        fulfill_adjustment(n, g, now);
}

/* Both kinds of trim count alike, but that RCCC, where it is on, cares for the last hop (CMS-053).
 */
void uet_nscc_nacked(struct uet_fep *fep, struct ccc *ccc, const struct uet_cc_nack *nack)
{
    struct uet_nscc *n = &ccc->nscc;
    const struct uet_nscc_gains *g = &fep->nscc;
    if (nack->rtt_ns)
        note_rtt(n, g, nack->rtt_ns);
    if (!nack->trimmed) /* the window is not to blame */
        return;
    average(n, g->config_base_rtt, fep->now);
    add(&n->bytes_ignored, nack->bytes);
    if (nack->last_hop && ccc->cc == CC_BOTH)
        return;
    n->trigger_qa = true;
    if (!quick_adapt(n, g, inflight(ccc), fep->now, true, true, 0))
        cut_by(n, g, nack->bytes);
}

void uet_nscc_inferred(struct uet_fep *fep, struct ccc *ccc, uint32_t bytes)
{
    add(&ccc->nscc.bytes_ignored, bytes);
    cut_by(&ccc->nscc, &fep->nscc, bytes);
}

/* It goes by the control class, past what waits there: a path without queues (3.6.13.7). */
void uet_nscc_probed(struct uet_fep *fep, struct ccc *ccc, uint64_t rtt_ns)
{
    note_rtt(&ccc->nscc, &fep->nscc, rtt_ns);
}
