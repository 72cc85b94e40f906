/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What must hold of congestion control (3.6). The bytes of each Request are taken from the frame
 * itself and held against what its FEP counts: it was allowed, and it counts. Credit is counted
 * from the packets that bring it. What a FEP says of itself is asked of uet_fep_congestion_next.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "refimpl/usage.h"
#include "sim/scenario/internal.h"
#include "wire/class.h"

#define MS 1000000ull
#define S  (1000 * MS)

/* Of a packet, beyond its payload, and the 40 bytes of its nominal size. */
#define HEADERS_MOST 256u
#define PDCIDS       65536u

/* A CCC of a FEP, and what has gone through it since it began. */
struct flow {
    bool known;
    struct uet_fep_congestion is; /* as it was before the frame that leaves, or at the last look */
    uint64_t held_since;          /* a PDC waits, and nothing has been sent; 0: none waits */
    uint64_t sent;                /* nominal bytes of Requests ... */
    uint64_t exempt;              /* ... of which so many opened a PDC without credit */
    uint64_t bank;                /* credit that has come, in bytes */
    uint32_t last;                /* the newest, in units */
};

/* A CCC of a peer that this FEP grants credit. */
struct grantee {
    bool known; /* it was there at the last look */
    struct uet_ip from;
    uint8_t ccc_id;
    uint32_t granted;     /* units, by then */
    uint32_t got;         /* of them since the look before */
    uint32_t passed_over; /* units that others have got since while this one lacked some */
};

struct congested {
    struct flow *flows; /* by place in the FEP's pool */
    struct grantee *grantees;
    uint32_t n_flows, n_grantees;
    uint32_t flows_end, grantees_end; /* what a look has found is below; beyond, nothing is known */
    uint8_t *ccc_ids;                 /* of PDCs, by PDCID: as their Requests named it */
    uint32_t max_wnd;                 /* of its parameters */
};

struct congestion {
    struct congested feps[SIM_FEPS_MAX];
    uint64_t patience_ns; /* so long a PDC may be held and nothing leave on its CCC */
};

/* ---- making it ---- */

/* 1.5 x BDP unless the parameter says another (Table 3-82). */
static uint32_t max_wnd(const struct uet_fep_config *c)
{
    const struct uet_fep_params *p = &c->params;
    uint64_t window = p->config_base_rtt * p->sender_link_rate / 8000 * 3 / 2 + 2;

    if (p->MaxWnd)
        window = p->MaxWnd;
    return window > c->payload_mtu ? (uint32_t)window : c->payload_mtu;
}

/*
 * Without an answer a source waits twice as long each time: no longer than it has waited already,
 * and that is no longer than what keeps the answers away.
 */
static uint64_t patience(const struct sim_plan *plan)
{
    uint64_t rto = 0;

    for (uint16_t i = 0; i < plan->n_feps; i++)
        if (plan->fep[i].params.RTO_Init_Time > rto)
            rto = plan->fep[i].params.RTO_Init_Time;
    return 2 * plan->length_ns + 8 * rto + S;
}

static int make_fep(const struct sim_plan *plan, struct congested *c, uint16_t i)
{
    c->n_flows = c->n_grantees = plan->fep[i].max_pdcs + 1u;
    c->flows = calloc(c->n_flows, sizeof(*c->flows));
    c->grantees = calloc(c->n_grantees, sizeof(*c->grantees));
    c->ccc_ids = calloc(PDCIDS, 1);
    c->max_wnd = max_wnd(&plan->fep[i]);
    return c->flows && c->grantees && c->ccc_ids ? 0 : -ENOMEM;
}

int congestion_new(struct scenario *w)
{
    int rc = 0;

    if (w->plan->congestion == SIM_UNCONTROLLED)
        return 0;
    w->congestion = calloc(1, sizeof(*w->congestion));
    if (!w->congestion)
        return -ENOMEM;
    w->congestion->patience_ns = patience(w->plan);
    for (uint16_t i = 0; i < w->plan->n_feps && !rc; i++)
        rc = make_fep(w->plan, &w->congestion->feps[i], i);
    return rc;
}

void congestion_free(struct scenario *w)
{
    for (uint16_t i = 0; w->congestion && i < w->plan->n_feps; i++) {
        free(w->congestion->feps[i].flows);
        free(w->congestion->feps[i].grantees);
        free(w->congestion->feps[i].ccc_ids);
    }
    free(w->congestion);
}

void congestion_forget(struct scenario *w, uint16_t host)
{
    struct congested *c = w->congestion ? &w->congestion->feps[host] : NULL;

    if (!c)
        return;
    memset(c->flows, 0, c->n_flows * sizeof(*c->flows));
    memset(c->grantees, 0, c->n_grantees * sizeof(*c->grantees));
    c->flows_end = c->grantees_end = 0;
}

/* ---- what a FEP says of itself ---- */

static bool same(const struct uet_fep_congestion *a, const struct uet_fep_congestion *b)
{
    return a->traffic_class == b->traffic_class && a->rod == b->rod && a->ccc_id == b->ccc_id &&
           uet_ip_equal(&a->to, &b->to);
}

static void check_window(struct scenario *w, uint16_t host, uint32_t at,
                         const struct uet_fep_congestion *is)
{
    const struct congested *c = &w->congestion->feps[host];
    const int64_t rounded = (int64_t)UET_RCVD_BYTES_UNIT * is->n_pdcs;

    if (is->nscc && (is->max_wnd > c->max_wnd || is->cwnd > is->max_wnd ||
                     is->cwnd < w->plan->fep[host].payload_mtu))
        scenario_breach(w, SIM_OVERRUN, "", "fep %u: a window of %u B, %u at most; MaxWnd is %u",
                        host, is->cwnd, is->max_wnd, c->max_wnd);
    if (is->inflight < -rounded &&
        is->inflight < -rounded - (int64_t)uet_fep_taken_for_lost(w->feps[host].fep, at))
        scenario_breach(w, SIM_INFLIGHT, "",
                        "fep %u: %d B in flight on %u PDCs: more has arrived than was sent", host,
                        is->inflight, is->n_pdcs);
    if (is->strayed)
        scenario_breach(w, SIM_CREDIT, "", "fep %u: %llu B of credit neither in hand nor spent",
                        host, (unsigned long long)is->strayed);
    if (is->rccc && is->credit > (int64_t)c->max_wnd)
        scenario_breach(w, SIM_CREDIT, "", "fep %u: %d B of credit in hand, MaxWnd is %u", host,
                        is->credit, c->max_wnd);
}

static void check_held(struct scenario *w, uint16_t host, struct flow *flow)
{
    if (!flow->is.held)
        flow->held_since = 0;
    else if (!flow->held_since)
        flow->held_since = w->now;
    else if (w->now - flow->held_since > w->congestion->patience_ns)
        scenario_breach(w, SIM_STARVED, "",
                        "fep %u: a PDC has waited for %llu ms, and nothing left (%d B in flight, "
                        "window %u, credit %d)",
                        host, (unsigned long long)((w->now - flow->held_since) / MS),
                        flow->is.inflight, flow->is.cwnd, flow->is.credit);
}

static void look(struct scenario *w, uint16_t host)
{
    struct congested *c = &w->congestion->feps[host];
    struct uet_fep_congestion is;
    uint32_t at = 0, before = 0;

    while (uet_fep_congestion_next(w->feps[host].fep, &at, &is)) {
        for (; ++before < at;)
            c->flows[before] = (struct flow){0};
        struct flow *flow = &c->flows[at];
        if (!flow->known || !same(&flow->is, &is))
            *flow = (struct flow){.known = true};
        flow->is = is;
        check_window(w, host, at, &is);
        check_held(w, host, flow);
    }
    const uint32_t end = before + 1;
    for (; ++before < c->flows_end;)
        c->flows[before] = (struct flow){0};
    c->flows_end = end;
}

/* Units that it has got since the last look; one that was not there then begins here. */
static uint32_t got(struct grantee *g, const struct uet_fep_grant *is)
{
    uint32_t units = (is->granted - g->granted) & 0xffffffu;

    if (!g->known || g->ccc_id != is->ccc_id || !uet_ip_equal(&g->from, &is->from)) {
        *g = (struct grantee){.known = true, .from = is->from, .ccc_id = is->ccc_id};
        units = 0;
    }
    g->granted = is->granted;
    g->got = units < 0x800000u ? units : 0;
    return g->got;
}

/*
 * Sources that lack credit get it in turn, four packets each (CMS-086): while one waits, others get
 * twice that at most, and some more who are new.
 */
static void check_shares(struct scenario *w, uint16_t host)
{
    struct congested *c = &w->congestion->feps[host];
    struct uet_fep_grant is;
    uint32_t n = 0, sum = 0, before = 0;
    const uint32_t share = 4u * w->plan->fep[host].payload_mtu / UET_CREDIT_UNIT;

    for (uint32_t at = 0; uet_fep_grant_next(w->feps[host].fep, &at, &is); n++) {
        for (; ++before < at;)
            c->grantees[before].known = false;
        sum += got(&c->grantees[at], &is);
    }
    const uint32_t end = before + 1;
    for (; ++before < c->grantees_end;)
        c->grantees[before].known = false;
    c->grantees_end = end;
    for (uint32_t at = 0; sum && uet_fep_grant_next(w->feps[host].fep, &at, &is);) {
        struct grantee *g = &c->grantees[at];
        g->passed_over = g->got || is.lacks <= 0 ? 0 : g->passed_over + sum;
        if (g->passed_over > (2 * n + 4) * share)
            scenario_breach(w, SIM_STARVED, "",
                            "fep %u: CCC %u lacks %d units, and %u went to others", host, is.ccc_id,
                            is.lacks, g->passed_over);
    }
}

void congestion_look(struct scenario *w, uint16_t host)
{
    if (!w->congestion || !w->feps[host].up || scenario_over(w))
        return;
    look(w, host);
    check_shares(w, host);
}

/* ---- a FEP sends ---- */

static uint32_t nominal(const struct uet_packet *p)
{
    uint32_t ip = p->ip_version == 4 ? 20 : 40;

    return p->len - 14 - ip + UET_NOMINAL_EXTRA;
}

/* It names a PDC of the peer's by which nobody can grant anything so far (refimpl/README.md). */
static bool opens(const struct uet_packet *p, const struct uet_fep_congestion *before)
{
    return uet_rud_rod_req_syn(uet_pds(p)) && before->inflight <= 0;
}

static void check_gates(struct scenario *w, uint16_t host, const struct uet_packet *p,
                        const struct uet_fep_congestion *before)
{
    const struct uet_fep_config *c = &w->plan->fep[host];
    const int64_t mtu = c->payload_mtu;

    if (before->rccc && opens(p, before))
        return;
    if (before->nscc && before->inflight + mtu > before->cwnd)
        scenario_breach(w, SIM_OVERRUN, "",
                        "fep %u: sends with %d B in flight, and its window is %u B", host,
                        before->inflight, before->cwnd);
    if (before->rccc && before->credit <= 0)
        scenario_breach(w, SIM_OVERRUN, "", "fep %u: sends with %d B of credit", host,
                        before->credit);
    if (!before->nscc && !before->rccc && c->params.CC_Window &&
        before->inflight >= (int64_t)c->params.CC_Window)
        scenario_breach(w, SIM_OVERRUN, "", "fep %u: sends with %d B in flight, CC_Window is %u B",
                        host, before->inflight, c->params.CC_Window);
}

/* All that went by this CCC was the first window, or credit that has come. */
static void check_credit(struct scenario *w, uint16_t host, const struct uet_packet *p,
                         struct flow *flow)
{
    const struct congested *c = &w->congestion->feps[host];
    const uint64_t most =
        flow->bank + flow->exempt + c->max_wnd + w->plan->fep[host].payload_mtu + HEADERS_MOST;

    const uint64_t sent = flow->sent + nominal(p);

    if (!flow->is.rccc)
        return;
    if (opens(p, &flow->is) && flow->is.credit <= 0)
        flow->exempt += nominal(p);
    else if (sent > most)
        scenario_breach(w, SIM_CREDIT, "",
                        "fep %u: %llu B sent on CCC %u, of %llu B of credit and a first window of "
                        "%u",
                        host, (unsigned long long)sent, flow->is.ccc_id,
                        (unsigned long long)flow->bank, c->max_wnd);
}

/* One CCC counts it, with all its bytes; before: as the flows were, as `look` left them. */
static void request_sent(struct scenario *w, uint16_t host, const struct uet_packet *p)
{
    struct congested *c = &w->congestion->feps[host];
    struct uet_fep_congestion is;
    struct flow *its = NULL;
    int64_t counted = 0;

    for (uint32_t at = 0; uet_fep_congestion_next(w->feps[host].fep, &at, &is);) {
        struct flow *flow = &c->flows[at];
        if (!flow->known || !same(&flow->is, &is)) {
            *flow = (struct flow){.known = true, .is = is};
            c->flows_end = at < c->flows_end ? c->flows_end : at + 1;
            flow->is.inflight = 0;
            flow->is.credit = (int32_t)(is.credit + is.inflight);
        }
        if (is.inflight == flow->is.inflight)
            continue;
        counted += is.inflight - flow->is.inflight;
        its = flow;
    }
    if (!its || counted != nominal(p)) {
        scenario_breach(w, SIM_INFLIGHT, "", "fep %u: a Request of %u B counts as %lld in flight",
                        host, nominal(p), (long long)counted);
        return;
    }
    check_gates(w, host, p, &its->is);
    check_credit(w, host, p, its);
    its->sent += nominal(p);
    its->held_since = 0;
    if (uet_is_cc_request(p))
        c->ccc_ids[uet_spdcid(p)] = uet_rud_rod_cc_req_ccc_id(uet_pds(p));
}

void congestion_sent(struct scenario *w, uint16_t host, const struct uet_packet *p)
{
    if (!w->congestion || p->error != UET_PARSE_OK)
        return;
    if (uet_is_cp(p) && uet_cp_ctl_type(uet_pds(p)) == UET_CTL_CREDIT_REQUEST)
        w->congestion->feps[host].ccc_ids[uet_spdcid(p)] =
            uet_cp_payload_credit_request_ccc_id(uet_cp_payload_of(p));
    if (uet_is_request(p))
        request_sent(w, host, p);
    else if (uet_is_cp(p) && uet_cp_ctl_type(uet_pds(p)) == UET_CTL_CREDIT)
        w->credits++;
}

/* ---- a FEP hears of credit ---- */

static struct flow *flow_named(struct congested *c, const struct uet_ip *to, uint8_t ccc_id)
{
    for (uint32_t i = 1; i < c->n_flows; i++)
        if (c->flows[i].known && c->flows[i].is.rccc && c->flows[i].is.ccc_id == ccc_id &&
            uet_ip_equal(&c->flows[i].is.to, to))
            return &c->flows[i];
    return NULL;
}

void congestion_received(struct scenario *w, uint16_t host, const struct uet_packet *p)
{
    struct congested *c = w->congestion ? &w->congestion->feps[host] : NULL;
    struct flow *flow;
    uint32_t credit;

    if (!c || p->error != UET_PARSE_OK || p->trim)
        return;
    if (uet_is_cp(p) && uet_cp_ctl_type(uet_pds(p)) == UET_CTL_CREDIT)
        credit = uet_cp_payload_credit_credit(uet_cp_payload_of(p));
    else if (p->cc_state == UET_H_ACK_CC_STATE_CREDIT)
        credit = uet_ack_cc_state_credit_credit(uet_cc_state_of(p));
    else
        return;
    const struct uet_ip from = uet_src_ip(p);
    flow = flow_named(c, &from, c->ccc_ids[uet_dpdcid(p)]);
    uint32_t newer = flow ? (credit - flow->last) & 0xffffffu : 0;
    if (!newer || newer >= 0x800000u)
        return;
    flow->last = credit;
    flow->bank += (uint64_t)newer * UET_CREDIT_UNIT;
}

/* ---- at the end ---- */

bool congestion_settled(const struct scenario *w)
{
    struct uet_fep_usage usage;

    for (uint16_t i = 0; i < w->plan->n_feps; i++) {
        if (!w->feps[i].up)
            continue;
        uet_fep_usage(w->feps[i].fep, &usage);
        if (usage.packets)
            return false;
    }
    return true;
}

/* Nothing waits for an answer any more: so nothing is in flight. */
void congestion_end(struct scenario *w)
{
    struct uet_fep_congestion is;

    for (uint16_t i = 0; i < w->plan->n_feps; i++)
        for (uint32_t at = 0; w->feps[i].up && uet_fep_congestion_next(w->feps[i].fep, &at, &is);) {
            if (is.inflight > 0)
                scenario_breach(w, SIM_INFLIGHT, "", "fep %u: %d B in flight, and no packet is", i,
                                is.inflight);
        }
}
