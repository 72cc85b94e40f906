/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Shares of a line under congestion: incast, outcast and an oversubscribed level, as Hoefler et al.
 * (2025) tell what must come of credit alone and of NSCC. 100 % is what a line carries.
 */
#include <errno.h>
#include <stdlib.h>

#include "refimpl/fep.h"
#include "sim/fabric/shares.h"

#define MEAN_NS      2000000u /* a share is a mean over so long */
#define WITHIN       2.0      /* per cent of a line; of ROD beside RUD */
#define WITHIN_CROSS 10.0
#define MEAN_SAMPLES (MEAN_NS / SHARES_STEP_NS)

/*
 * Credit gives every source of a destination the same, also what it cannot use. With NSCC, too, O
 * asks for all of its share, as its windows are not what holds it back; but a source asks for no
 * more than its window (3.6.14), so nothing is left of C's line that v could not have.
 */
static const struct share_flow incast[] = {
    {"j to I", 8, 0, {25, 25, 25}},
    {"k to I", 9, 0, {25, 25, 25}},
    {"l to I", 16, 0, {25, 25, 25}},
    {"m to I", 17, 0, {25, 25, 25}},
};

static const struct share_flow outcast[] = {
    {"O to p", 0, 8, {25, 25, 25}},   {"O to q", 0, 9, {25, 25, 25}},
    {"O to r", 0, 16, {25, 25, 25}},  {"O to v", 0, 17, {25, 25, 25}},
    {"w to v", 10, 17, {75, 50, 50}},
};

/* Four cables from edge to edge: whoever stays on one way needs one of them alone. */
static const struct share_flow cross[] = {
    {"ROD", 0, 4, {100, 100, 100}},
    {"RUD 1", 1, 5, {100, 100, 100}},
    {"RUD 2", 2, 6, {100, 100, 100}},
    {"RUD 3", 3, 7, {100, 100, 100}},
};

#define UP(i)                                                                                      \
    {                                                                                              \
        "node " #i " to its partner", i, 12 + (i),                                                 \
        {                                                                                          \
            100 / 3.0, 100 / 3.0, 100 / 3.0                                                        \
        }                                                                                          \
    }

static const struct share_flow oversubscription[] = {
    {"node 0 to C", 0, 12, {100 / 3.0, 100 / 3.0, 100 / 3.0}},
    UP(1),
    UP(2),
    UP(3),
    UP(4),
    UP(5),
    UP(6),
    UP(7),
    UP(8),
    UP(9),
    UP(10),
    UP(11),
    {"v to C", 23, 12, {200 / 3.0, 50, 200 / 3.0}},
};

/* ---- running it ---- */

static void sample(const struct net *net, struct shares *is, uint64_t *before)
{
    for (uint32_t f = 0; f < is->n_flows; f++) {
        uint64_t rcvd = net_rcvd(net, f);
        /* Of a flow whose PDC has ended only what has come on the next one is known. */
        uint64_t more = rcvd < before[f] ? rcvd : rcvd - before[f];
        is->percent[is->n_samples * is->n_flows + f] = fabric_percent(more, SHARES_STEP_NS);
        before[f] = rcvd;
    }
    is->n_samples++;
}

static int shares_run(const struct fabric_wish *wish, struct shares *is, uint64_t *digest)
{
    struct net_flow flows[SHARES_FLOWS];
    uint64_t before[SHARES_FLOWS] = {0};
    struct net *net = NULL;

    for (uint32_t f = 0; f < is->n_flows; f++)
        flows[f] = (struct net_flow){.from = is->flows[f].from,
                                     .to = is->flows[f].to,
                                     .mode = f < is->n_ordered ? UET_MODE_ROD : UET_MODE_RUD,
                                     .message = wish->message,
                                     .count = NET_ENDLESS,
                                     .at_once = 2};
    struct net_wish net_wish = fabric_net(wish, flows, is->n_flows);
    net_wish.tune = is->tune;
    int rc = net_new(&net, &net_wish);
    if (rc)
        return rc;
    for (size_t i = 1; i <= SHARES_STEPS; i++) {
        net_run(net, i * SHARES_STEP_NS);
        sample(net, is, before);
    }
    *digest = net_digest(net);
    is->trimmed = uet_fabric_stats(net_fabric(net)).trimmed;
    for (uint32_t f = 0; f < is->n_flows; f++)
        is->failed += net_done(net, f)->failed;
    net_free(net);
    return 0;
}

/* ---- what has come of it ---- */

double shares_mean(const struct shares *is, uint32_t flow, size_t from, size_t to)
{
    double sum = 0;

    for (size_t i = from; i < to; i++)
        sum += is->percent[i * is->n_flows + flow];
    return sum / (double)(to - from);
}

/* How far from its share the flow is that is farthest from it, in the mean that begins there. */
static double farthest(const struct shares *is, size_t from)
{
    double most = 0;

    for (uint32_t f = 0; f < is->n_flows; f++) {
        double off = shares_mean(is, f, from, from + MEAN_SAMPLES) - is->flows[f].wanted[is->cc];
        most = off > most ? off : -off > most ? -off : most;
    }
    return most;
}

/* From then on no mean is too far away; negative: the last one is. */
static double converged_us(const struct shares *is)
{
    size_t from = is->n_samples - MEAN_SAMPLES + 1;

    while (from && farthest(is, from - 1) <= is->within)
        from--;
    return from > is->n_samples - MEAN_SAMPLES ? -1 : (double)from * SHARES_STEP_NS / 1e3;
}

static double farthest_of_all(const struct shares *is, size_t from)
{
    double most = 0;

    for (; from + MEAN_SAMPLES <= is->n_samples; from++) {
        double off = farthest(is, from);
        most = off > most ? off : most;
    }
    return most;
}

static void measure(const struct shares *is, struct fabric_result *result)
{
    const size_t half = is->n_samples / 2;

    for (uint32_t f = 0; f < is->n_flows; f++)
        fabric_goal(result, shares_mean(is, f, half, is->n_samples),
                    is->flows[f].wanted[is->cc] - is->within,
                    is->flows[f].wanted[is->cc] + is->within, "%s, %% of a line",
                    is->flows[f].name);
    fabric_tell(result, converged_us(is), "within these since, us (means over 2 ms)");
    fabric_tell(result, farthest_of_all(is, half), "farthest of these since 10 ms, %% of a line");
    fabric_tell(result, (double)is->trimmed, "packets trimmed");
    fabric_goal(result, is->failed, 0, 0, "writes that failed");
}

static int shares(const struct fabric_wish *wish, struct shares *is, struct fabric_result *result)
{
    int rc = -ENOMEM;

    is->cc = wish->cc;
    is->step_ns = SHARES_STEP_NS;
    is->percent = calloc(SHARES_STEPS * is->n_flows, sizeof(*is->percent));
    if (is->percent)
        rc = shares_run(wish, is, &result->digest);
    if (!rc)
        measure(is, result);
    if (!rc && wish->svg)
        shares_plot(is, wish->svg);
    free(is->percent);
    return rc;
}

#define SHARES(list, what)                                                                         \
    &(struct shares)                                                                               \
    {                                                                                              \
        .flows = (list), .n_flows = sizeof(list) / sizeof *(list), .text = (what),                 \
        .within = WITHIN                                                                           \
    }

int fabric_incast(const struct fabric_wish *wish, struct fabric_result *result)
{
    return shares(wish, SHARES(incast, "incast"), result);
}

int fabric_outcast(const struct fabric_wish *wish, struct fabric_result *result)
{
    return shares(wish, SHARES(outcast, "outcast"), result);
}

int fabric_oversubscription(const struct fabric_wish *wish, struct fabric_result *result)
{
    return shares(wish, SHARES(oversubscription, "oversubscription"), result);
}

/* An ACK tells of one EV, so each packet has one. */
static void each_acked(struct uet_fep_params *params)
{
    params->Enb_ACK_Per_Pkt = 1;
}

int fabric_rod_cross(const struct fabric_wish *wish, struct fabric_result *result)
{
    struct shares *is = SHARES(cross, "ROD on one way beside RUD on all");

    is->n_ordered = 1;
    is->within = WITHIN_CROSS;
    is->tune = each_acked;
    return shares(wish, is, result);
}
