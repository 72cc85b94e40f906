/* SPDX-License-Identifier: BSD-2-Clause */
/* The workloads but for the permutation. */
#include "sim/fabric/load.h"

#include <errno.h>

#define MOST       1.25
#define MOST_FLOWS 65536u

/* Room for so many flows. */
static int make(struct load *load, uint64_t n_flows)
{
    *load = (struct load){0};
    return n_flows > MOST_FLOWS ? -E2BIG : load_make(load, (uint32_t)n_flows);
}

static int count_hosts(const struct fabric_wish *wish, uint32_t *hosts)
{
    struct tree tree;
    int rc = fabric_tree(wish, &tree);

    if (rc)
        return rc;
    *hosts = tree.n_hosts;
    tree_free(&tree);
    return 0;
}

static void add(struct load *load, uint32_t from, uint32_t to, uint32_t message, uint32_t after,
                uint32_t fires)
{
    load_add(load, &(struct load_flow){.from = (uint16_t)from,
                                       .to = (uint16_t)to,
                                       .message = message,
                                       .count = 1,
                                       .after = after,
                                       .fires = fires});
}

/* All to the last host. With a multiple of the hosts of an edge as senders it has an edge alone, so
 * that all have ways of one length. */
int fabric_n_to_1(const struct fabric_wish *wish, struct fabric_result *result)
{
    struct fabric_wish is = *wish;
    struct load load;
    int rc = make(&load, wish->senders);

    is.hosts = (uint16_t)(wish->senders + 1);
    for (uint16_t i = 0; !rc && i < wish->senders; i++)
        add(&load, i, wish->senders, wish->message, 0, 0);
    if (!rc)
        rc = load_run(&load, &is, 1.1, result);
    load_free(&load);
    return rc;
}

/* Each to each of the others, beginning with the next one: so nobody is the first of all. */
int fabric_all_to_all(const struct fabric_wish *wish, struct fabric_result *result)
{
    struct load load = {0};
    uint32_t n;
    int rc = count_hosts(wish, &n);

    if (!rc)
        rc = make(&load, (uint64_t)n * (n - 1));
    for (uint32_t step = 1; !rc && step < n; step++)
        for (uint32_t i = 0; i < n; i++)
            add(&load, i, (i + step) % n, wish->message, 0, 0);
    if (!rc)
        rc = load_run(&load, wish, MOST, result);
    load_free(&load);
    return rc;
}

/*
 * What is to be reduced has a part for each host. In each of 2 (n - 1) steps each host writes one
 * part to the next host: that which came to it in the step before.
 */
static void close_ring(struct load *load, uint32_t n, uint32_t message)
{
    const uint32_t steps = 2 * (n - 1), part = (message + n - 1) / n;

    for (uint32_t step = 0; step < steps; step++)
        for (uint32_t i = 0; i < n; i++) {
            const uint32_t came = step ? (step - 1) * n + (i + n - 1) % n + 1 : 0;
            const uint32_t goes = step + 1 < steps ? step * n + i + 1 : 0;
            add(load, i, (i + 1) % n, part, came, goes);
        }
}

/*
 * A binomial tree. Up: in the rounds of `far`, from the largest power of two below n down to 1,
 * each host from far to 2 far - 1 writes all that it has to the host that is so far below it, as
 * soon as both have taken what came in the round before. Down: the same rounds the other way round,
 * as soon as a host has it all. Triggers: far + low begins a round up, behind them base ends the
 * last one, and base + far + low ends a round down.
 */
static void grow_tree(struct load *load, uint32_t n, uint32_t message)
{
    const uint32_t base = 2 * n;
    uint32_t far = 1;

    while (2 * far < n)
        far *= 2;
    for (; far; far /= 2)
        for (uint32_t low = 0; low < far && low + far < n; low++)
            add(load, low + far, low, message, low + 2 * far < n ? far + low : 0,
                far > 1 ? far / 2 + low % (far / 2) : base);
    for (far = 1; far < n; far *= 2)
        for (uint32_t low = 0; low < far && low + far < n; low++)
            add(load, low, low + far, message, far > 1 ? base + far / 2 + low % (far / 2) : base,
                low + 2 * far < n ? base + far + low : 0);
}

int fabric_ring(const struct fabric_wish *wish, struct fabric_result *result)
{
    struct load load = {0};
    uint32_t n;
    int rc = count_hosts(wish, &n);

    if (!rc)
        rc = make(&load, 2ull * n * (n - 1));
    if (!rc) {
        close_ring(&load, n, wish->message);
        rc = load_run(&load, wish, MOST, result);
    }
    load_free(&load);
    return rc;
}

int fabric_binomial(const struct fabric_wish *wish, struct fabric_result *result)
{
    struct load load = {0};
    uint32_t n;
    int rc = count_hosts(wish, &n);

    if (!rc)
        rc = make(&load, 2ull * (n - 1));
    if (!rc) {
        grow_tree(&load, n, wish->message);
        rc = load_run(&load, wish, MOST, result);
    }
    load_free(&load);
    return rc;
}
