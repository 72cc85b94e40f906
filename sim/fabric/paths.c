/* SPDX-License-Identifier: BSD-2-Clause */
/* Two random entropy values between two hosts: how often they take the same way. */
#include "sim/fabric/paths.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/fabric/scenario.h"
#include "wire/build.h"
#include "wire/splitmix.h"

#define PAIRS 1000000u

static struct uet_ip address_of(uint16_t host)
{
    return (struct uet_ip){.version = 4, .bytes = {10, 0, (uint8_t)(host >> 8), (uint8_t)host}};
}

static void not_asked(void *ctx, uint16_t host, const uint8_t *frame, uint32_t len, uint64_t now_ns)
{
    (void)ctx, (void)host, (void)frame, (void)len, (void)now_ns;
}

int paths_fabric(struct uet_fabric **out, const struct tree *tree)
{
    struct uet_ip *addresses = calloc(tree->n_hosts, sizeof(*addresses));

    if (!addresses)
        return -ENOMEM;
    for (uint16_t h = 0; h < tree->n_hosts; h++)
        addresses[h] = address_of(h);
    const struct uet_fabric_config config = {.addresses = addresses,
                                             .n_hosts = tree->n_hosts,
                                             .n_switches = tree_switches(tree),
                                             .cables = tree->cables,
                                             .n_cables = tree->n_cables,
                                             .trim_keep = UET_FABRIC_TRIM_KEEP,
                                             .deliver = not_asked};
    int rc = uet_fabric_new(out, &config, 0);
    free(addresses);
    return rc;
}

struct path path_of(struct uet_fabric *fabric, uint16_t from, uint16_t to, uint16_t ev)
{
    const struct uet_route route = {
        .src = address_of(from), .dst = address_of(to), .entropy = ev, .ecn = UET_ECN_ECT0};
    struct path path = {0};
    struct uet_build b;
    uint8_t frame[128], *h;
    int len;

    uet_build_start(&b, frame, sizeof(frame), &route);
    h = uet_build_pds(&b, UET_H_RUD_ROD_REQ);
    uet_rud_rod_req_type_set(h, UET_PDS_RUD_REQ);
    uet_rud_rod_req_next_hdr_set(h, UET_NH_NONE);
    len = uet_build_finish(&b, UET_PROTECT_NONE, NULL);
    if (len > 0)
        path.n = uet_fabric_path(fabric, from, frame, (uint32_t)len, path.lines, PATH_LINES);
    return path;
}

bool path_equal(const struct path *a, const struct path *b)
{
    return a->n == b->n && !memcmp(a->lines, b->lines, a->n * sizeof(*a->lines));
}

/* ---- the scenario ---- */

static uint16_t draw_ev(uint64_t *chance, const struct fabric_wish *wish)
{
    return (uint16_t)(uet_splitmix64(chance) % (wish->evs ? wish->evs : 65536u));
}

struct count {
    uint32_t pairs, equal;
    size_t lines; /* of the ways; 0: they differ in length */
};

/* Pairs between random hosts, of one group or of two. */
static struct count count(struct uet_fabric *fabric, const struct tree *tree,
                          const struct fabric_wish *wish, bool between)
{
    struct count is = {0};
    uint64_t chance = wish->seed + between;

    while (is.pairs < PAIRS) {
        uint16_t from = (uint16_t)(uet_splitmix64(&chance) % tree->n_hosts);
        uint16_t to = (uint16_t)(uet_splitmix64(&chance) % tree->n_hosts);
        if (tree_edge_of(tree, from) == tree_edge_of(tree, to) ||
            (tree_group_of(tree, from) != tree_group_of(tree, to)) != between)
            continue;
        struct path a = path_of(fabric, from, to, draw_ev(&chance, wish));
        struct path b = path_of(fabric, from, to, draw_ev(&chance, wish));
        is.lines = is.pairs && is.lines != a.n ? 0 : a.n;
        is.equal += path_equal(&a, &b);
        is.pairs++;
    }
    return is;
}

static void measure(struct uet_fabric *fabric, const struct tree *tree,
                    const struct fabric_wish *wish, struct fabric_result *result)
{
    const double within = 100.0 / tree->up, between = within / (wish->radix / 2.0);
    struct count is = count(fabric, tree, wish, false);

    fabric_tell(result, tree->n_hosts, "hosts, in groups of %u", tree->per_group);
    fabric_goal(result, (double)is.lines - 1, 3, 3, "switches on a way within a group");
    fabric_goal(result, 100.0 * is.equal / PAIRS, within - 0.15, within + 0.15,
                "same way within a group, %% of pairs");
    is = count(fabric, tree, wish, true);
    fabric_goal(result, (double)is.lines - 1, 5, 5, "switches on a way between groups");
    fabric_goal(result, 100.0 * is.equal / PAIRS, between - 0.15, between + 0.15,
                "same way between groups, %% of pairs");
}

int fabric_paths(const struct fabric_wish *wish, struct fabric_result *result)
{
    struct uet_fabric *fabric = NULL;
    struct tree tree;
    int rc = wish->levels == 3 ? fabric_tree(wish, &tree) : -EINVAL;

    if (rc)
        return rc;
    rc = tree.n_hosts > tree.per_group ? paths_fabric(&fabric, &tree) : -EINVAL;
    if (!rc)
        measure(fabric, &tree, wish, result);
    uet_fabric_free(fabric);
    tree_free(&tree);
    return rc;
}
