/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/fabric/load.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/resource.h>

#define LATEST_NS 1000000000ull
#define LOOK_NS   1000u /* between two looks at the queues */
#define ORDER     0.95  /* of the ideal: the order of the list need not be the quickest one */

struct run {
    const struct load *load;
    uint32_t mtu;
    struct net *net;
    uint32_t *left;         /* of each trigger: flows that it still waits for */
    uint32_t *first, *next; /* of each trigger its first flow, of each flow the one after it */
    uint32_t *fired, n_fired;
    uint32_t *longest; /* queue, at each look */
    size_t n_looks, room;
};

int load_make(struct load *load, uint32_t room)
{
    *load = (struct load){.flows = calloc(room, sizeof(*load->flows)), .room = room};
    return load->flows ? 0 : -ENOMEM;
}

void load_free(struct load *load)
{
    free(load->flows);
    *load = (struct load){0};
}

void load_add(struct load *load, const struct load_flow *flow)
{
    const uint32_t trigger = flow->after > flow->fires ? flow->after : flow->fires;

    if (load->n == load->room)
        abort();
    load->flows[load->n++] = *flow;
    load->n_triggers = trigger > load->n_triggers ? trigger : load->n_triggers;
}

/* ---- running it ---- */

static void ended(void *ctx, uint32_t flow)
{
    struct run *run = ctx;
    const uint32_t trigger = run->load->flows[flow].fires;

    if (trigger && --run->left[trigger] == 0)
        run->fired[run->n_fired++] = trigger;
}

/* Those that waited for what has just ended. */
static void begin_more(struct run *run)
{
    for (uint32_t i = 0; i < run->n_fired; i++)
        for (uint32_t f = run->first[run->fired[i]]; f; f = run->next[f - 1])
            net_begin(run->net, f - 1);
    run->n_fired = 0;
}

static int look(struct run *run)
{
    uint32_t longest = 0;

    if (run->n_looks == run->room) {
        size_t room = run->room ? 2 * run->room : 1024;
        uint32_t *more = realloc(run->longest, room * sizeof(*more));
        if (!more)
            return -ENOMEM;
        run->longest = more;
        run->room = room;
    }
    for (size_t line = 0; line < 2 * net_tree(run->net)->n_cables; line++) {
        uint32_t now = uet_fabric_waiting(net_fabric(run->net), line / 2, line % 2, UET_FABRIC_LOW);
        longest = now > longest ? now : longest;
    }
    run->longest[run->n_looks++] = longest;
    return 0;
}

static int go(struct run *run)
{
    uint64_t next_look = LOOK_NS, next;
    int rc = 0;

    while (!rc && !net_over(run->net) &&
           (next = uet_fabric_deadline(net_fabric(run->net))) <= LATEST_NS) {
        for (; next > next_look && !rc; next_look += LOOK_NS)
            rc = look(run);
        /* A trigger fires when it does, and not at the end of a step. */
        net_run(run->net, run->load->n_triggers ? next : next_look);
        begin_more(run);
    }
    return rc;
}

/* ---- what has come of it ---- */

static double mebibytes(void)
{
    struct rusage usage;

    return getrusage(RUSAGE_SELF, &usage) ? 0 : (double)usage.ru_maxrss / 1024;
}

struct sum {
    uint64_t writes, ended, failed, bytes, last_ns;
    double rates, squares; /* of the flows */
};

static struct sum sum_of(const struct run *run)
{
    struct sum sum = {0};

    for (uint32_t f = 0; f < run->load->n; f++) {
        const struct load_flow *flow = &run->load->flows[f];
        const struct net_done *done = net_done(run->net, f);
        const double bytes = (double)flow->message * (done->ended - done->failed);
        const double rate = done->ended ? bytes / (double)(done->last_ns - done->first_ns) : 0;
        sum.writes += flow->count;
        sum.ended += done->ended;
        sum.failed += done->failed;
        sum.bytes += (uint64_t)bytes;
        sum.last_ns = done->last_ns > sum.last_ns ? done->last_ns : sum.last_ns;
        sum.rates += rate;
        sum.squares += rate * rate;
    }
    return sum;
}

static int by_size(const void *a, const void *b)
{
    const uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;

    return one < other ? -1 : one > other;
}

static void measure_queues(struct run *run, struct fabric_result *result)
{
    uint32_t most = 0;

    for (size_t line = 0; line < 2 * net_tree(run->net)->n_cables; line++) {
        uint32_t highest = uet_fabric_port(net_fabric(run->net), line / 2, line % 2).highest;
        most = highest > most ? highest : most;
    }
    if (run->n_looks) {
        const size_t last = run->n_looks - 1, half = last / 2, late = last * 99 / 100;
        qsort(run->longest, run->n_looks, sizeof(*run->longest), by_size);
        fabric_tell(result, run->longest[half], "longest queue, bytes, p50");
        fabric_tell(result, run->longest[late], "longest queue, bytes, p99");
    }
    fabric_tell(result, most, "longest queue, bytes, most");
}

static void measure(struct run *run, double most, struct fabric_result *result)
{
    const struct uet_fabric_stats stats = uet_fabric_stats(net_fabric(run->net));
    const double ideal = (double)load_ideal(run->load, net_tree(run->net), run->mtu);
    const struct sum sum = sum_of(run);
    const double last = (double)sum.last_ns;

    fabric_tell(result, net_tree(run->net)->n_hosts, "FEPs");
    fabric_goal(result, (double)(sum.ended - sum.failed), (double)sum.writes, (double)sum.writes,
                "writes that ended well");
    fabric_goal(result, last / ideal, ORDER, most, "completion, x ideal (%.1f us)", ideal / 1e3);
    fabric_tell(result, last / 1e3, "completion, us");
    fabric_tell(result, (double)sum.bytes * 8 / last, "goodput of all flows together, Gbit/s");
    fabric_tell(result, sum.rates * sum.rates / (sum.squares * run->load->n),
                "Jain's index of the rates of the flows");
    fabric_tell(result, (double)stats.carried, "packet hops");
    fabric_tell(result, (double)stats.trimmed, "packets trimmed");
    fabric_tell(result, (double)stats.dropped[UET_FABRIC_MED],
                "packets dropped after they were cut");
    fabric_tell(result, (double)net_resent(run->net), "packets sent again");
    fabric_tell(result, (double)stats.marked, "packets marked");
    measure_queues(run, result);
    fabric_tell(result, (double)net_fep_bytes(run->net) / 1048576, "memory of the FEPs, MiB");
    fabric_goal(result, mebibytes(), 0, 2048, "memory of the process, MiB");
    result->digest = net_digest(run->net);
}

/* ---- setting it up ---- */

static int tie(struct run *run)
{
    const struct load *load = run->load;

    run->left = calloc(load->n_triggers + 1u, sizeof(*run->left));
    run->first = calloc(load->n_triggers + 1u, sizeof(*run->first));
    run->fired = calloc(load->n_triggers + 1u, sizeof(*run->fired));
    run->next = calloc(load->n + 1u, sizeof(*run->next));
    if (!run->left || !run->first || !run->fired || !run->next)
        return -ENOMEM;
    for (uint32_t f = load->n; f--;) {
        const struct load_flow *flow = &load->flows[f];
        run->left[flow->fires]++;
        run->next[f] = run->first[flow->after];
        run->first[flow->after] = f + 1;
    }
    return 0;
}

static void untie(struct run *run)
{
    net_free(run->net);
    free(run->left);
    free(run->first);
    free(run->fired);
    free(run->next);
    free(run->longest);
}

static struct net_flow *flows_of(const struct load *load)
{
    struct net_flow *flows = calloc(load->n + 1u, sizeof(*flows));

    for (uint32_t f = 0; flows && f < load->n; f++) {
        const struct load_flow *flow = &load->flows[f];
        flows[f] = (struct net_flow){.from = flow->from,
                                     .to = flow->to,
                                     .message = flow->message,
                                     .count = flow->count,
                                     .at_once = flow->count < 2 ? 1 : 2,
                                     .start_ns = flow->after ? NET_WHEN_TOLD : 0};
    }
    return flows;
}

int load_run(const struct load *load, const struct fabric_wish *wish, double most,
             struct fabric_result *result)
{
    struct run run = {.load = load, .mtu = wish->mtu ? wish->mtu : NET_MTU};
    struct net_flow *flows = flows_of(load);
    int rc = flows ? tie(&run) : -ENOMEM;

    if (!rc) {
        struct net_wish net_wish = fabric_net(wish, flows, load->n);
        net_wish.ended = ended;
        net_wish.ctx = &run;
        rc = net_new(&run.net, &net_wish);
    }
    if (!rc && wish->matrix)
        rc = load_matrix(load, net_tree(run.net)->n_hosts, wish->matrix);
    if (!rc)
        rc = go(&run);
    if (!rc)
        measure(&run, most, result);
    untie(&run);
    free(flows);
    return rc;
}
