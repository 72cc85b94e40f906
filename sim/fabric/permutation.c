/* SPDX-License-Identifier: BSD-2-Clause */
/* Every host writes to another one, and each is written to by one. */
#include "sim/fabric/load.h"
#include "wire/splitmix.h"

/* One circle through all hosts (Sattolo), so that nobody writes to itself. */
static void permute(struct load *load, const struct fabric_wish *wish, uint16_t n)
{
    uint64_t chance = wish->seed;

    for (uint16_t i = 0; i < n; i++)
        load_add(load, &(struct load_flow){
                           .from = i, .to = i, .message = wish->message, .count = wish->count});
    for (uint16_t i = (uint16_t)(n - 1); i; i--) {
        uint16_t other = (uint16_t)(uet_splitmix64(&chance) % i), to = load->flows[i].to;
        load->flows[i].to = load->flows[other].to;
        load->flows[other].to = to;
    }
}

int fabric_permutation(const struct fabric_wish *wish, struct fabric_result *result)
{
    struct load load;
    struct tree tree;
    int rc = fabric_tree(wish, &tree);

    if (rc)
        return rc;
    const uint16_t n = tree.n_hosts;
    tree_free(&tree);
    rc = load_make(&load, n);
    if (!rc) {
        permute(&load, wish, n);
        rc = load_run(&load, wish, 1.25, result);
    }
    load_free(&load);
    return rc;
}
