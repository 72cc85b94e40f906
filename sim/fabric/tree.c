/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/fabric/tree.h"

#include <errno.h>
#include <stdlib.h>

/* What a tree of this wish has, before its hosts are counted. */
struct shape {
    uint32_t per_edge, up, edges; /* of a group */
    uint32_t rise;                /* cables up from a switch in the middle */
    uint32_t most_groups;
};

static int shape_of(const struct tree_wish *wish, struct shape *is)
{
    if (wish->radix < 2 || !wish->over || (wish->levels != 2 && wish->levels != 3) ||
        (wish->levels == 3 && wish->radix % 2))
        return -EINVAL;
    *is = (struct shape){.up = wish->radix / (wish->over + 1u),
                         .edges = wish->levels == 3 ? wish->radix / 2u : 1u,
                         .rise = wish->levels == 3 ? wish->radix / 2u : 0u,
                         .most_groups = wish->radix};
    is->per_edge = is->up * wish->over;
    return is->up ? 0 : -EINVAL;
}

static void put(struct tree *tree, uint32_t a, uint32_t b, const struct uet_fabric_line *line)
{
    tree->cables[tree->n_cables++] =
        (struct uet_fabric_cable){.a = (uint16_t)a, .b = (uint16_t)b, .line = *line};
}

/* Edge e's cables up: to its group's middles, or to all tops. */
static void tie_edge(struct tree *tree, const struct shape *is, uint32_t e,
                     const struct uet_fabric_line *line)
{
    const uint32_t above = tree->n_hosts + tree->n_edges;
    const uint32_t first = tree->n_middles ? e / is->edges * is->up : 0;

    for (uint32_t i = 0; i < is->up; i++)
        put(tree, tree->n_hosts + e, above + first + i, line);
}

static void tie(struct tree *tree, const struct shape *is, const struct tree_wish *wish)
{
    const uint32_t middles = tree->n_hosts + tree->n_edges, tops = middles + tree->n_middles;

    for (uint32_t h = 0; h < tree->n_hosts; h++)
        put(tree, h, tree->n_hosts + h / is->per_edge, &wish->host);
    for (uint32_t e = 0; e < tree->n_edges; e++)
        tie_edge(tree, is, e, &wish->trunk);
    for (uint32_t m = 0; m < tree->n_middles; m++)
        for (uint32_t i = 0; i < is->rise; i++)
            put(tree, middles + m, tops + m % is->up * is->rise + i, &wish->trunk);
}

int tree_make(struct tree *tree, const struct tree_wish *wish)
{
    struct shape is;
    int rc = shape_of(wish, &is);

    if (rc)
        return rc;
    const uint32_t per_group = is.per_edge * is.edges, most = per_group * is.most_groups;
    const uint32_t hosts = wish->hosts ? wish->hosts : most;
    const uint32_t groups = (hosts + per_group - 1) / per_group;
    const uint32_t edges = groups * is.edges, middles = is.rise ? groups * is.up : 0;
    const uint32_t tops = is.rise ? is.up * is.rise : is.up;
    const uint32_t cables = hosts + edges * is.up + middles * is.rise;
    if (hosts > most || hosts < 2 || cables > UINT16_MAX ||
        hosts + edges + middles + tops > UINT16_MAX)
        return -EINVAL;
    *tree = (struct tree){.n_hosts = (uint16_t)hosts,
                          .n_edges = (uint16_t)edges,
                          .n_middles = (uint16_t)middles,
                          .n_tops = (uint16_t)tops,
                          .per_edge = (uint16_t)is.per_edge,
                          .up = (uint16_t)is.up,
                          .per_group = (uint16_t)per_group,
                          .cables = calloc(cables, sizeof(*tree->cables))};
    if (!tree->cables)
        return -ENOMEM;
    tie(tree, &is, wish);
    return 0;
}

uint16_t tree_edge_of(const struct tree *tree, uint16_t host)
{
    return (uint16_t)(host / tree->per_edge);
}

uint16_t tree_group_of(const struct tree *tree, uint16_t host)
{
    return (uint16_t)(host / tree->per_group);
}

void tree_free(struct tree *tree)
{
    free(tree->cables);
    *tree = (struct tree){0};
}
