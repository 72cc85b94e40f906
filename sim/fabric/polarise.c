/* SPDX-License-Identifier: BSD-2-Clause */
/* Two flows whose one entropy value takes them over the same cable, and the same two spraying. */
#include <errno.h>

#include "sim/fabric/scenario.h"

#define FIRST_NS   20000u /* by then it shows which ways they go */
#define FROM_NS    2000000u
#define UNTIL_NS   5000000u
#define MOST_SEEDS 1000u

enum { FLOWS = 2 };

/* Both begin at the first edge; each ends at an edge of its own. */
static void flows_of(const struct tree *tree, struct net_flow *flows)
{
    for (uint16_t i = 0; i < FLOWS; i++)
        flows[i] = (struct net_flow){.from = i,
                                     .to = (uint16_t)((i + 1) * tree->per_edge),
                                     .message = 1u << 20,
                                     .count = NET_ENDLESS,
                                     .at_once = 2};
}

/* Has the first edge sent data over one of its cables up alone? ACKs come down to it. */
static bool one_way(struct net *net)
{
    const struct tree *tree = net_tree(net);
    unsigned used = 0;

    for (uint16_t i = 0; i < tree->up; i++)
        used += uet_fabric_port(net_fabric(net), tree->n_hosts + i, false).frames > 0;
    return used == 1;
}

/* Per cent of what a line carries. */
static void goodput(struct net *net, double *percent)
{
    uint64_t rcvd[FLOWS];

    net_run(net, FROM_NS);
    for (uint32_t f = 0; f < FLOWS; f++)
        rcvd[f] = net_rcvd(net, f);
    net_run(net, UNTIL_NS);
    for (uint32_t f = 0; f < FLOWS; f++)
        percent[f] = fabric_percent(net_rcvd(net, f) - rcvd[f], UNTIL_NS - FROM_NS);
}

/* The first seed from this one on with which both go one way. */
static int find(struct fabric_wish *wish, const struct net_flow *flows)
{
    for (unsigned tries = 0; tries < MOST_SEEDS; tries++, wish->seed++) {
        const struct net_wish net_wish = fabric_net(wish, flows, FLOWS);
        struct net *net = NULL;
        bool found;
        int rc = net_new(&net, &net_wish);
        if (rc)
            return rc;
        net_run(net, FIRST_NS);
        found = one_way(net);
        net_free(net);
        if (found)
            return 0;
    }
    return -EINVAL;
}

static int run(const struct fabric_wish *wish, const struct net_flow *flows, double *percent,
               struct fabric_result *result)
{
    const struct net_wish net_wish = fabric_net(wish, flows, FLOWS);
    struct net *net = NULL;
    int rc = net_new(&net, &net_wish);

    if (rc)
        return rc;
    goodput(net, percent);
    result->digest ^= net_digest(net);
    net_free(net);
    return 0;
}

int fabric_polarisation(const struct fabric_wish *wish, struct fabric_result *result)
{
    struct fabric_wish one = *wish;
    struct net_flow flows[FLOWS];
    double alone[FLOWS], spread[FLOWS];
    struct tree tree;
    int rc = fabric_tree(wish, &tree);

    if (rc)
        return rc;
    flows_of(&tree, flows);
    tree_free(&tree);
    one.evs = 1;
    rc = find(&one, flows);
    if (!rc)
        rc = run(&one, flows, alone, result);
    one.evs = wish->evs;
    if (!rc)
        rc = run(&one, flows, spread, result);
    if (rc)
        return rc;
    fabric_tell(result, (double)one.seed, "the seed that gives both flows one way");
    for (int f = 0; f < FLOWS; f++)
        fabric_goal(result, alone[f], 48, 52, "flow %d on one way, %% of a line", f + 1);
    for (int f = 0; f < FLOWS; f++)
        fabric_goal(result, spread[f], 98, 100.5, "flow %d with spraying, %% of a line", f + 1);
    return 0;
}
