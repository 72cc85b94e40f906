/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Requests and answers on lossless classes, as Hoefler et al. (2025) have it: hosts take a request
 * only while there is room for its answer. Three hosts write to one, and that one to all three, so
 * requests wait everywhere. In one class the answers wait behind them; in a pair they pass. Beside
 * them hosts of the best-effort classes write over the same switches, three to one.
 */
#include "sim/fabric/scenario.h"

#define LATEST_NS 20000000u

/* Of a class at the end of a line: less than the windows, so that they fill it. */
#define CREDIT_BYTES (NET_CREDIT_BYTES / 2)

enum { HUB = 0, EDGE = 4, CIRCLE = 6, LOSSLESS = 6 };

/* In the order of edges with four hosts: those of the pair first. */
static const uint16_t ways[][2] = {
    {1, HUB},      {EDGE, HUB},   {EDGE + 1, HUB},      {HUB, 1},     {HUB, EDGE}, {HUB, EDGE + 1},
    {2, EDGE + 2}, {3, EDGE + 2}, {EDGE + 3, EDGE + 2}, {EDGE + 2, 2}};

enum { FLOWS = sizeof ways / sizeof *ways };

static bool is_lossless(void *ctx, uint16_t host)
{
    (void)ctx;
    return host % EDGE < 2;
}

/* Beyond the end of all: no packet is lost, and an ACK may wait for many requests. */
#define RTO_NS 200000000u

void fabric_lossless_tune(struct uet_fep_params *params)
{
    params->Enb_ACK_Per_Pkt = 1; /* each request has its answer */
    params->Default_MPR = 128;   /* the window alone holds back */
    params->RTO_Init_Time = RTO_NS;
}

static const char *class_name(enum uet_fabric_class class)
{
    return class == UET_FABRIC_REQUESTS ? "requests" : "answers";
}

static const char *kind(const struct net *net, uint16_t node)
{
    return node < net_tree(net)->n_hosts ? "host" : "switch";
}

/* The last rows: not every run has them. */
static void tell_circle(struct net *net, const struct uet_fabric_stuck *circle, size_t n,
                        struct fabric_result *result)
{
    for (size_t i = 0; i < n && i < CIRCLE; i++)
        fabric_tell(result, circle[i].bytes, "  %s %u to %s %u, %s: bytes that wait",
                    kind(net, circle[i].from), circle[i].from, kind(net, circle[i].to),
                    circle[i].to, class_name(circle[i].class));
    if (n)
        fabric_tell(result, (double)uet_fabric_now(net_fabric(net)) / 1e3, "  seen by, us");
}

static void measure(struct net *net, const struct fabric_wish *wish, struct fabric_result *result)
{
    const struct uet_fabric_stats stats = uet_fabric_stats(net_fabric(net));
    struct uet_fabric_stuck circle[CIRCLE];
    uint32_t ended[2] = {0, 0}, failed = 0;
    const uint32_t credit = CREDIT_BYTES;
    uint64_t last = 0;

    for (uint32_t f = 0; f < FLOWS; f++) {
        const struct net_done *done = net_done(net, f);
        ended[f < LOSSLESS] += done->ended - done->failed;
        failed += done->failed;
        last = f < LOSSLESS && done->last_ns > last ? done->last_ns : last;
    }
    const size_t n = net_deadlock(net, circle, CIRCLE);
    fabric_goal(result, (double)n, 0, 0, "queues that wait for each other for ever");
    fabric_goal(result, ended[true], LOSSLESS * wish->count, LOSSLESS * wish->count,
                "lossless writes that ended well");
    fabric_goal(result, failed, 0, 0, "writes that failed");
    fabric_tell(result, (double)last / 1e3, "the last lossless write ended, us");
    fabric_tell(result, ended[false], "best-effort writes that ended well, of %u",
                (FLOWS - LOSSLESS) * wish->count);
    fabric_tell(result, (double)stats.trimmed, "best-effort packets trimmed");
    fabric_goal(result,
                (double)(stats.dropped[UET_FABRIC_REQUESTS] + stats.dropped[UET_FABRIC_ANSWERS]), 0,
                0, "lossless packets dropped");
    fabric_goal(result, net_fullest(net), NET_MTU, credit,
                "bytes most, of a lossless class at the end of a line");
    tell_circle(net, circle, n, result);
    result->digest = net_digest(net);
}

int fabric_deadlock(const struct fabric_wish *wish, struct fabric_result *result)
{
    struct net_flow flows[FLOWS];
    struct net *net = NULL;
    int rc;

    for (uint32_t f = 0; f < FLOWS; f++)
        flows[f] = (struct net_flow){.from = ways[f][0],
                                     .to = ways[f][1],
                                     .message = wish->message,
                                     .count = wish->count,
                                     .at_once = 1};
    struct net_wish net_wish = fabric_net(wish, flows, FLOWS);
    net_wish.tune = fabric_lossless_tune;
    net_wish.lossless = is_lossless;
    net_wish.credit_bytes = CREDIT_BYTES;
    net_wish.one_class = wish->classes == FABRIC_ONE;
    rc = net_new(&net, &net_wish);
    if (rc)
        return rc;
    net_run(net, LATEST_NS);
    measure(net, wish, result);
    net_free(net);
    return 0;
}
