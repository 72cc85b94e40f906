/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A lossless flow and one of best effort write to one host, whose line is the narrow place. By
 * deficit round robin they have it as their quanta say, and on levels the higher one has it all.
 */
#include "sim/fabric/scenario.h"

#define FROM_NS  1000000u
#define UNTIL_NS 4000000u
#define QUANTUM  4244u /* a packet of NET_MTU bytes on the wire */

enum { LOSSLESS, BEST_EFFORT, FLOWS, TO = 4 };

static const struct net_flow flows[FLOWS] = {
    [LOSSLESS] = {.from = 0, .to = TO, .message = 1 << 20, .count = NET_ENDLESS, .at_once = 2},
    [BEST_EFFORT] = {.from = 2, .to = TO, .message = 1 << 20, .count = NET_ENDLESS, .at_once = 2}};

static const char *const names[FLOWS] = {"lossless", "best effort"};

static bool is_lossless(void *ctx, uint16_t host)
{
    (void)ctx;
    return host == flows[LOSSLESS].from;
}

/* What answers, and what was cut, does not wait. */
static struct uet_fabric_turns shared(uint32_t lossless, uint32_t best_effort)
{
    return (struct uet_fabric_turns){
        .level = {[UET_FABRIC_MED] = 3, [UET_FABRIC_HIGH] = 3, [UET_FABRIC_ANSWERS] = 3},
        .quantum = {[UET_FABRIC_LOW] = best_effort * QUANTUM,
                    [UET_FABRIC_MED] = QUANTUM,
                    [UET_FABRIC_HIGH] = QUANTUM,
                    [UET_FABRIC_REQUESTS] = lossless * QUANTUM,
                    [UET_FABRIC_ANSWERS] = QUANTUM}};
}

/* Goodput, in per cent of a line; what the classes had of the host's line goes to port. */
static int run(const struct fabric_wish *wish, const struct uet_fabric_turns *turns,
               double *percent, struct uet_fabric_port *port, uint64_t *digest)
{
    struct net_wish net_wish = fabric_net(wish, flows, FLOWS);
    uint64_t rcvd[FLOWS];
    struct net *net = NULL;
    int rc;

    net_wish.lossless = is_lossless;
    net_wish.credit_bytes = NET_CREDIT_BYTES;
    net_wish.turns = turns;
    rc = net_new(&net, &net_wish);
    if (rc)
        return rc;
    net_run(net, FROM_NS);
    for (uint32_t f = 0; f < FLOWS; f++)
        rcvd[f] = net_rcvd(net, f);
    net_run(net, UNTIL_NS);
    for (uint32_t f = 0; f < FLOWS; f++)
        percent[f] = fabric_percent(net_rcvd(net, f) - rcvd[f], UNTIL_NS - FROM_NS);
    *port = uet_fabric_port(net_fabric(net), TO, true);
    *digest ^= net_digest(net);
    net_free(net);
    return 0;
}

static void measure(const char *how, const double *percent, const double *wanted,
                    const struct uet_fabric_port *port, struct fabric_result *result)
{
    for (int f = 0; f < FLOWS; f++)
        fabric_goal(result, percent[f], wanted[f] - 2, wanted[f] + 2, "%s: %s, %% of a line", how,
                    names[f]);
    fabric_tell(result, (double)port->by_class[UET_FABRIC_REQUESTS].frames,
                "  lossless packets on the host's line");
    fabric_tell(result, (double)port->by_class[UET_FABRIC_LOW].frames,
                "  best-effort packets on it");
    fabric_tell(result, (double)port->trimmed, "  best-effort packets trimmed before it");
    fabric_tell(result, (double)port->by_class[UET_FABRIC_REQUESTS].dropped,
                "  lossless packets dropped there");
}

int fabric_turns(const struct fabric_wish *wish, struct fabric_result *result)
{
    static const struct {
        const char *how;
        uint32_t quantum[FLOWS];
        uint8_t level[FLOWS];
        double wanted[FLOWS];
    } cases[] = {{"1 to 1", {1, 1}, {0, 0}, {50, 50}},
                 {"3 to 1", {3, 1}, {0, 0}, {75, 25}},
                 {"1 to 4", {1, 4}, {0, 0}, {20, 80}},
                 {"strict", {1, 1}, {1, 0}, {100, 0}}};
    struct uet_fabric_port port;
    double percent[FLOWS];

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct uet_fabric_turns turns =
            shared(cases[i].quantum[LOSSLESS], cases[i].quantum[BEST_EFFORT]);
        turns.level[UET_FABRIC_REQUESTS] = cases[i].level[LOSSLESS];
        turns.level[UET_FABRIC_LOW] = cases[i].level[BEST_EFFORT];
        int rc = run(wish, &turns, percent, &port, &result->digest);
        if (rc)
            return rc;
        measure(cases[i].how, percent, cases[i].wanted, &port, result);
    }
    return 0;
}
