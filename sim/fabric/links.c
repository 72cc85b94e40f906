/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One cable between two switches becomes slow, or carries nothing any more, and no switch chooses
 * its ways otherwise: what is left of the goodput is the load balancing's. The first edge has its
 * cables full both ways, as each host writes to one of the next edge.
 */
#include <errno.h>
#include <stdlib.h>

#include "sim/fabric/shares.h"

#define RTT_NS NET_BASE_RTT_NS
#define RTO_NS 80000u

/* In base RTTs. The share of a group of flows is a mean over one sample. */
enum { AT = 80, END = 400, SLACK = 10, MEAN = 10, RTTS_A_SAMPLE = 2 };
enum { SAMPLES = END / RTTS_A_SAMPLE };

/* Flows by what they have to do with the cable. */
enum { OUT, IN, OTHERS, GROUPS };

static const struct share_flow groups[GROUPS] = {
    {.name = "up the cable's edge"}, {.name = "down to it"}, {.name = "all others"}};

struct links {
    struct net *net;
    struct net_flow *flows;
    uint16_t n, per_edge;
    uint32_t count[GROUPS]; /* flows */
    uint64_t *before;       /* bytes of each flow */
    double left[GROUPS];    /* per cent of a line, for each flow, that the cables can carry then */
    double speed;           /* of the cable then; 0: it fails */
    struct shares is;
    uint64_t lost; /* frames */
};

static int group_of(const struct links *l, uint32_t flow)
{
    return l->flows[flow].from < l->per_edge ? OUT : l->flows[flow].to < l->per_edge ? IN : OTHERS;
}

static int flows_of(struct links *l, const struct tree *tree)
{
    const double up = tree->up, full = up < tree->per_edge ? up / tree->per_edge : 1;
    const double then = (up - 1 + l->speed) / tree->per_edge;

    if (tree->n_hosts % tree->per_edge || tree->n_edges < 2 || tree->up < 2)
        return -EINVAL;
    l->n = tree->n_hosts;
    l->per_edge = tree->per_edge;
    l->left[OTHERS] = 100 * full;
    l->left[OUT] = l->left[IN] = 100 * (then < full ? then : full);
    l->flows = calloc(l->n, sizeof(*l->flows));
    l->before = calloc(l->n, sizeof(*l->before));
    l->is.percent = calloc((size_t)SAMPLES * GROUPS, sizeof(*l->is.percent));
    if (!l->flows || !l->before || !l->is.percent)
        return -ENOMEM;
    for (uint16_t i = 0; i < l->n; i++) {
        l->flows[i] = (struct net_flow){.from = i,
                                        .to = (uint16_t)((i + l->per_edge) % l->n),
                                        .message = 1u << 20,
                                        .count = NET_ENDLESS,
                                        .at_once = 2};
        l->count[group_of(l, i)]++;
    }
    return 0;
}

/* The first cable up from the first edge. */
static void spoil(struct links *l)
{
    static const struct uet_fabric_faults down = {.down = true};

    for (int back = 0; back < 2; back++)
        if (l->speed > 0)
            uet_fabric_set_rate(net_fabric(l->net), l->n, back,
                                (uint64_t)(l->speed * FABRIC_MBITS) * 1000000u);
        else
            uet_fabric_set_faults(net_fabric(l->net), l->n, back, &down);
}

static void sample(struct links *l)
{
    const size_t at = l->is.n_samples++ * GROUPS;
    uint64_t sum[GROUPS] = {0};

    for (uint32_t f = 0; f < l->n; f++) {
        uint64_t rcvd = net_rcvd(l->net, f);
        /* Of a flow whose PDC has ended only what has come on the next one is known. */
        sum[group_of(l, f)] += rcvd < l->before[f] ? rcvd : rcvd - l->before[f];
        l->before[f] = rcvd;
    }
    for (size_t g = 0; g < GROUPS; g++)
        l->is.percent[at + g] =
            l->count[g] ? fabric_percent(sum[g], l->is.step_ns) / l->count[g] : 0;
}

/* ---- what has come of it ---- */

/* Of so many RTTs; per cent of what the cables can carry. */
static double mean(const struct links *l, int group, unsigned from, unsigned until, double of)
{
    return shares_mean(&l->is, (uint32_t)group, from / RTTS_A_SAMPLE, until / RTTS_A_SAMPLE) * 100 /
           of;
}

static double least(const struct links *l, int group, unsigned from)
{
    double low = 1e9;

    for (; from + MEAN <= END; from += RTTS_A_SAMPLE) {
        double here = mean(l, group, from, from + MEAN, l->left[group]);
        low = here < low ? here : low;
    }
    return low;
}

/* Those that the cable does not concern have no need of each step. */
static void measure_group(const struct links *l, int group, struct fabric_result *result)
{
    static const unsigned after[] = {0, 5, 10, 20, 40, 80, 160, END - AT};

    fabric_tell(result, mean(l, group, AT / 2, AT, l->left[OTHERS]),
                "%s: before it, %% of what cables carry", groups[group].name);
    for (size_t i = 0; group != OTHERS && i + 1 < sizeof(after) / sizeof(*after); i++) {
        const double here = mean(l, group, AT + after[i], AT + after[i + 1], l->left[group]);
        if (after[i] == SLACK)
            fabric_goal(result, here, 90, 102, "  %u to %u RTT after it, %% of what is left",
                        after[i], after[i + 1]);
        else
            fabric_tell(result, here, "  %u to %u RTT after it", after[i], after[i + 1]);
    }
    fabric_goal(result, mean(l, group, AT + SLACK, END, l->left[group]), 90, 102,
                "  10 to %u RTT after it", END - AT);
    fabric_tell(result, least(l, group, AT + SLACK), "  the least 10 RTT of these");
}

static void measure(const struct links *l, struct fabric_result *result)
{
    for (int g = 0; g < GROUPS; g++)
        if (l->count[g])
            measure_group(l, g, result);
    fabric_tell(result, (double)l->lost, "frames lost on the cable");
}

/* An ACK tells of one EV, so each packet has one, or most EVs would be new ones. What was lost in
 * silence only the RTO finds: it is longer than any queue of a slow cable, and below 10 RTT. */
static void tune(struct uet_fep_params *params)
{
    params->Enb_ACK_Per_Pkt = 1;
    params->RTO_Init_Time = RTO_NS;
}

static int go(struct links *l, const struct fabric_wish *wish, struct fabric_result *result)
{
    struct net_wish net_wish = fabric_net(wish, l->flows, l->n);
    uint32_t failed = 0;
    int rc;

    net_wish.tune = tune;
    rc = net_new(&l->net, &net_wish);
    if (rc)
        return rc;
    for (unsigned i = 1; i <= SAMPLES; i++) {
        net_run(l->net, (uint64_t)i * l->is.step_ns);
        sample(l);
        if (i == AT / RTTS_A_SAMPLE)
            spoil(l);
    }
    l->lost = uet_fabric_stats(net_fabric(l->net)).down;
    measure(l, result);
    for (uint32_t f = 0; f < l->n; f++)
        failed += net_done(l->net, f)->failed;
    fabric_goal(result, failed, 0, 0, "writes that failed");
    result->digest = net_digest(l->net);
    return 0;
}

static int links(const struct fabric_wish *wish, double speed, const char *text,
                 struct fabric_result *result)
{
    struct links l = {.speed = speed,
                      .is = {.flows = groups,
                             .n_flows = GROUPS,
                             .text = text,
                             .cc = wish->cc,
                             .step_ns = RTTS_A_SAMPLE * RTT_NS}};
    struct tree tree;
    int rc = fabric_tree(wish, &tree);

    if (rc)
        return rc;
    rc = flows_of(&l, &tree);
    tree_free(&tree);
    if (!rc)
        rc = go(&l, wish, result);
    if (!rc && wish->svg)
        shares_plot(&l.is, wish->svg);
    net_free(l.net);
    free(l.flows);
    free(l.before);
    free(l.is.percent);
    return rc;
}

int fabric_slow_link(const struct fabric_wish *wish, struct fabric_result *result)
{
    return links(wish, 0.25, "a cable at a quarter of its speed from 0.96 ms on", result);
}

int fabric_failed_link(const struct fabric_wish *wish, struct fabric_result *result)
{
    return links(wish, 0, "a cable that fails at 0.96 ms", result);
}
