/* SPDX-License-Identifier: BSD-2-Clause */
/* Every host writes to another one, and each is written to by one. */
#include <errno.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "sim/fabric/scenario.h"
#include "wire/splitmix.h"

#define LATEST_NS 1000000000ull
#define PACKET    4244u /* of NET_MTU bytes, on the wire */
#define PROBE     84u   /* as that of the base RTT */

/* One circle through all hosts (Sattolo), so that nobody writes to itself. */
static struct net_flow *flows_of(const struct fabric_wish *wish, uint16_t n)
{
    struct net_flow *flows = calloc(n, sizeof(*flows));
    uint64_t chance = wish->seed;

    for (uint16_t i = 0; flows && i < n; i++)
        flows[i] = (struct net_flow){.from = i,
                                     .to = i,
                                     .message = wish->message,
                                     .count = wish->count,
                                     .at_once = wish->count < 2 ? 1 : 2};
    for (uint16_t i = (uint16_t)(n - 1); flows && i; i--) {
        uint16_t other = (uint16_t)(uet_splitmix64(&chance) % i), to = flows[i].to;
        flows[i].to = flows[other].to;
        flows[other].to = to;
    }
    return flows;
}

static double mebibytes(void)
{
    struct rusage usage;

    return getrusage(RUSAGE_SELF, &usage) ? 0 : (double)usage.ru_maxrss / 1024;
}

/* All packets one after the other on the host's line; the last one's way over the top, and its
 * ACK's. */
static double ideal_us(const struct tree *tree, const struct fabric_wish *wish)
{
    const uint64_t packets = (uint64_t)(wish->message + NET_MTU - 1) / NET_MTU * wish->count;
    const uint64_t bytes = (packets - 1) * PACKET + tree_lines(tree) * (PACKET - PROBE);

    return ((double)bytes * 8e3 / FABRIC_MBITS + NET_BASE_RTT_NS) / 1e3;
}

static void measure(struct net *net, const struct fabric_wish *wish, uint16_t n,
                    struct fabric_result *result)
{
    const struct uet_fabric_stats stats = uet_fabric_stats(net_fabric(net));
    const double ideal = ideal_us(net_tree(net), wish);
    uint64_t last = 0, ended = 0, failed = 0;

    for (uint16_t i = 0; i < n; i++) {
        const struct net_done *done = net_done(net, i);
        last = done->last_ns > last ? done->last_ns : last;
        ended += done->ended;
        failed += done->failed;
    }
    fabric_tell(result, n, "FEPs");
    fabric_goal(result, (double)(ended - failed), (double)n * wish->count, (double)n * wish->count,
                "writes that ended well");
    fabric_goal(result, (double)last / 1e3 / ideal, 1, 1.25, "completion, x ideal (%.1f us)",
                ideal);
    fabric_tell(result, (double)last / 1e3, "completion, us");
    fabric_tell(result, (double)stats.carried, "packet hops");
    fabric_tell(result, (double)stats.trimmed, "packets trimmed");
    fabric_tell(result, (double)stats.marked, "packets marked");
    fabric_tell(result, (double)net_fep_bytes(net) / 1048576, "memory of the FEPs, MiB");
    fabric_goal(result, mebibytes(), 0, 2048, "memory of the process, MiB");
    result->digest = net_digest(net);
}

int fabric_permutation(const struct fabric_wish *wish, struct fabric_result *result)
{
    struct net *net = NULL;
    struct net_flow *flows;
    struct tree tree;
    int rc = fabric_tree(wish, &tree);

    if (rc)
        return rc;
    const uint16_t n = tree.n_hosts;
    tree_free(&tree);
    flows = flows_of(wish, n);
    if (!flows)
        return -ENOMEM;
    const struct net_wish net_wish = fabric_net(wish, flows, n);
    rc = net_new(&net, &net_wish);
    if (!rc) {
        net_run(net, LATEST_NS);
        measure(net, wish, n, result);
    }
    net_free(net);
    free(flows);
    return rc;
}
