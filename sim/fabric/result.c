/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/fabric/scenario.h"

#include <stdarg.h>

static struct fabric_row *next_row(struct fabric_result *result)
{
    static struct fabric_row surplus; /* of a scenario that has more than there is room for */

    return result->n < FABRIC_ROWS ? &result->rows[result->n++] : &surplus;
}

void fabric_tell(struct fabric_result *result, double value, const char *what, ...)
{
    struct fabric_row *row = next_row(result);
    va_list list;

    *row = (struct fabric_row){.value = value};
    va_start(list, what);
    vsnprintf(row->what, sizeof(row->what), what, list);
    va_end(list);
}

void fabric_goal(struct fabric_result *result, double value, double low, double high,
                 const char *what, ...)
{
    struct fabric_row *row = next_row(result);
    va_list list;

    *row = (struct fabric_row){.value = value, .low = low, .high = high, .goal = true};
    va_start(list, what);
    vsnprintf(row->what, sizeof(row->what), what, list);
    va_end(list);
}

int fabric_run(const struct fabric_scenario *scenario, const struct fabric_wish *wish,
               struct fabric_result *result)
{
    for (size_t i = 0; i < NET_PARAMS && wish->params[i].name; i++)
        fabric_tell(result, (double)wish->params[i].value, "of each FEP: %s", wish->params[i].name);
    if (wish->packets)
        fabric_tell(result, wish->packets, "of each FEP: max_packets");
    if (wish->mtu)
        fabric_tell(result, wish->mtu, "of each FEP: Payload MTU");
    return scenario->run(wish, result);
}

bool fabric_met(const struct fabric_row *row)
{
    return !row->goal || (row->value >= row->low && row->value <= row->high);
}

int fabric_tree(const struct fabric_wish *wish, struct tree *tree)
{
    return tree_make(tree, &(struct tree_wish){.radix = wish->radix,
                                               .levels = wish->levels,
                                               .over = wish->over,
                                               .hosts = wish->hosts});
}

/* Of a packet in the middle of a WRITE: as it is on the wire over IPv4 and UDP, and its nominal
 * size. */
#define MTU_ON_THE_WIRE 4218.0
#define MTU_NOMINAL     4200.0

double fabric_percent(uint64_t nominal, uint64_t ns)
{
    return 100 * (double)nominal * 8e3 / (double)ns / FABRIC_MBITS * MTU_ON_THE_WIRE / MTU_NOMINAL;
}

struct net_wish fabric_net(const struct fabric_wish *wish, const struct net_flow *flows,
                           uint32_t n_flows)
{
    return (struct net_wish){.radix = wish->radix,
                             .levels = wish->levels,
                             .over = wish->over,
                             .hosts = wish->hosts,
                             .mbits = FABRIC_MBITS,
                             .cc = wish->cc,
                             .lb = wish->lb,
                             .evs = wish->evs,
                             .params = wish->params,
                             .max_packets = wish->packets,
                             .mtu = wish->mtu,
                             .seed = wish->seed,
                             .flows = flows,
                             .n_flows = n_flows};
}
