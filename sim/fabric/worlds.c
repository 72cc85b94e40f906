/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The lossless pair of classes in worlds that the seed draws: a fat tree, buffers, room for
 * answers, slow cables, who is lossless, and who writes to whom. Whatever is drawn, a pair does not
 * deadlock: the ways up and down a tree make no circle, and answers wait for no request. In one
 * class most of them do.
 */
#include <errno.h>
#include <stdlib.h>

#include "sim/fabric/scenario.h"
#include "sim/random.h"

#define LATEST_NS 100000000u
#define SLICE_NS  100000u

enum {
    HOSTS_LEAST = 4,
    HOSTS_MOST = 40,
    BUFFER_LEAST = 9600, /* of a lossless class: a frame must fit (port/fabric/fabric.h) */
    BUFFER_MOST = NET_CREDIT_BYTES / 2, /* above it windows fit into the buffers */
    SLOW_MOST = 4
};

struct world {
    struct fabric_wish wish; /* with what was drawn of the tree */
    struct net_flow *flows;  /* those of lossless hosts first */
    uint32_t n, n_lossless;
    uint32_t credit_bytes, answer_room;
    struct sim_random chance;
};

/* Two at least, and of the others about two of three. */
static bool is_lossless(void *ctx, uint16_t host)
{
    const struct world *w = ctx;
    return host < 2 || sim_mix(w->wish.seed, host) % 3;
}

/* What was not asked for. */
static void draw_tree(struct world *w)
{
    struct fabric_wish *is = &w->wish;
    const uint8_t levels = (uint8_t)sim_between(&w->chance, 2, 3);
    is->levels = is->levels ? is->levels : levels;
    const uint64_t radix =
        is->levels == 3 ? 2 * sim_between(&w->chance, 2, 4) : sim_between(&w->chance, 4, 16);
    is->radix = is->radix ? is->radix : (uint16_t)radix;
    const uint64_t over = sim_between(&w->chance, 1, is->radix > 3 ? 3 : 1);
    is->over = is->over ? is->over : (uint16_t)over;
    uint32_t most = is->radix / (is->over + 1u) * is->over * is->radix;
    most *= is->levels == 3 ? is->radix / 2u : 1u;
    most = most < HOSTS_LEAST ? HOSTS_LEAST : most > HOSTS_MOST ? HOSTS_MOST : most;
    const uint64_t hosts = sim_between(&w->chance, HOSTS_LEAST, most);
    is->hosts = is->hosts ? is->hosts : (uint16_t)hosts;
}

/* A host of that kind, and another one than this; itself where there is none. */
static uint16_t partner(struct world *w, uint16_t host, bool lossless)
{
    const uint16_t n = w->wish.hosts, from = (uint16_t)sim_between(&w->chance, 0, n - 1u);
    for (uint16_t i = 0; i < n; i++) {
        const uint16_t to = (uint16_t)((from + i) % n);
        if (to != host && is_lossless(w, to) == lossless)
            return to;
    }
    return host;
}

static void add(struct world *w, uint16_t from, uint16_t to)
{
    w->flows[w->n++] =
        (struct net_flow){.from = from,
                          .to = to,
                          .message = (uint32_t)sim_spread(&w->chance, 4096, 1u << 20),
                          .count = (uint32_t)sim_between(&w->chance, 1, 3),
                          .at_once = (uint32_t)sim_between(&w->chance, 1, 2),
                          .start_ns = sim_between(&w->chance, 0, 20000)};
}

/* Up to so many, some of them in both directions, and of lossless hosts many to the first. */
static void draw_flows(struct world *w, uint32_t n, bool lossless)
{
    for (uint32_t i = 0; i < n; i++) {
        const uint16_t from = partner(w, w->wish.hosts, lossless);
        const bool to_first = lossless && from && sim_percent(&w->chance, 30);
        const uint16_t to = to_first ? 0 : partner(w, from, lossless);
        if (from == w->wish.hosts || to == from)
            return;
        add(w, from, to);
        if (sim_percent(&w->chance, 60))
            add(w, to, from);
    }
}

static int draw(struct world *w, const struct fabric_wish *wish)
{
    *w = (struct world){.wish = *wish, .chance = {sim_mix(wish->seed, 0x10551e55)}};
    draw_tree(w);
    const uint32_t hosts = w->wish.hosts;
    w->flows = calloc(6u * hosts, sizeof(*w->flows));
    if (!w->flows)
        return -ENOMEM;
    w->credit_bytes = (uint32_t)sim_between(&w->chance, BUFFER_LEAST, BUFFER_MOST);
    w->answer_room = (uint32_t)sim_between(&w->chance, 1, NET_ANSWER_ROOM);
    draw_flows(w, (uint32_t)sim_between(&w->chance, hosts / 2, 2 * hosts), true);
    w->n_lossless = w->n;
    draw_flows(w, (uint32_t)sim_between(&w->chance, 0, hosts), false);
    return 0;
}

/* Cables that carry a half to a tenth, one way. */
static void slow_down(struct world *w, struct net *net)
{
    const uint64_t n = sim_between(&w->chance, 0, SLOW_MOST);
    for (uint64_t i = 0; i < n; i++) {
        const size_t cable = sim_between(&w->chance, 0, net_tree(net)->n_cables - 1);
        const bool back = sim_percent(&w->chance, 50);
        uet_fabric_set_rate(net_fabric(net), cable, back,
                            FABRIC_MBITS * 1000000ull / sim_between(&w->chance, 2, 10));
    }
}

/* Lossless writes: all, and those that ended well. */
static uint32_t wanted(const struct world *w)
{
    uint32_t sum = 0;
    for (uint32_t f = 0; f < w->n_lossless; f++)
        sum += w->flows[f].count;
    return sum;
}

static uint32_t ended_well(const struct world *w, const struct net *net, uint64_t *last_ns)
{
    uint32_t sum = 0;
    for (uint32_t f = 0; f < w->n_lossless; f++) {
        const struct net_done *done = net_done(net, f);
        sum += done->ended - done->failed;
        *last_ns = done->last_ns > *last_ns ? done->last_ns : *last_ns;
    }
    return sum;
}

static void measure(struct world *w, struct net *net, struct fabric_result *result)
{
    const struct uet_fabric_stats stats = uet_fabric_stats(net_fabric(net));
    uint64_t last_ns = 0;
    const uint32_t open = wanted(w) - ended_well(w, net, &last_ns);

    fabric_goal(result, (double)net_deadlock(net, NULL, 0), 0, 0,
                "queues that wait for each other for ever");
    fabric_goal(result, open, 0, 0, "lossless writes that did not end well");
    fabric_goal(result,
                (double)(stats.dropped[UET_FABRIC_REQUESTS] + stats.dropped[UET_FABRIC_ANSWERS]), 0,
                0, "lossless packets dropped");
    fabric_goal(result, 100.0 * net_fullest(net) / w->credit_bytes, 1, 100,
                "the fullest buffer of a lossless class, per cent");
    fabric_tell(result, (double)last_ns / 1e3, "the last lossless write ended, us");
    fabric_tell(result, wanted(w), "lossless writes");
    fabric_tell(result, w->n - w->n_lossless, "best-effort flows");
    fabric_tell(result, (double)stats.trimmed, "best-effort packets trimmed");
    fabric_tell(result, w->wish.hosts, "hosts");
    fabric_tell(result, w->wish.levels, "levels of switches");
    fabric_tell(result, w->credit_bytes, "bytes of a buffer");
    fabric_tell(result, w->answer_room, "answers that a host has room for");
    result->digest = net_digest(net);
}

static bool lossless_over(const struct world *w, const struct net *net)
{
    for (uint32_t f = 0; f < w->n_lossless; f++)
        if (net_done(net, f)->ended < w->flows[f].count)
            return false;
    return true;
}

static int run(struct world *w, struct fabric_result *result)
{
    struct net_wish wish = fabric_net(&w->wish, w->flows, w->n);
    struct net *net = NULL;

    wish.tune = fabric_lossless_tune;
    wish.lossless = is_lossless;
    wish.ctx = w;
    wish.credit_bytes = w->credit_bytes;
    wish.answer_room = w->answer_room;
    wish.one_class = w->wish.classes == FABRIC_ONE;
    int rc = net_new(&net, &wish);
    if (rc)
        return rc;
    slow_down(w, net);
    for (uint64_t now = SLICE_NS;
         now <= LATEST_NS && !net_deadlock(net, NULL, 0) && !lossless_over(w, net); now += SLICE_NS)
        net_run(net, now);
    measure(w, net, result);
    net_free(net);
    return 0;
}

int fabric_worlds(const struct fabric_wish *wish, struct fabric_result *result)
{
    struct world w;
    int rc = draw(&w, wish);

    if (!rc)
        rc = run(&w, result);
    free(w.flows);
    return rc;
}
