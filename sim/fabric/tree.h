/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Fat trees: hosts, switches and cables from the number of ports of a switch.
 *
 * A switch at the edge has `over` times as many hosts below it as cables above it. With two levels
 * each of these cables goes to a switch of its own at the top (a spine). With three levels radix /
 * 2 such edges make a group: each has one cable to each of its group's switches in the middle, and
 * of those each has radix / 2 cables to switches at the top, that no other of the group has. So the
 * way down is unique, and there are as many ways as choices on the way up.
 */
#ifndef UET_SIM_FABRIC_TREE_H
#define UET_SIM_FABRIC_TREE_H

#include "port/fabric/fabric.h"

struct tree_wish {
    uint16_t radix; /* ports of a switch: even with three levels */
    uint8_t levels; /* 2 or 3 */
    uint16_t over;  /* 1: as many cables up as hosts; 2: half as many; ... */
    uint16_t hosts; /* so many of those that there is room for, from the first; 0: all */
    struct uet_fabric_line host, trunk; /* cables to hosts; between switches */
};

/* Nodes are numbered hosts first, then edges, middles, tops; cables likewise: cable h is host h's,
 * with the host at its end a. */
struct tree {
    uint16_t n_hosts, n_edges, n_middles, n_tops;
    uint16_t per_edge;  /* hosts of an edge */
    uint16_t up;        /* cables from an edge towards the top */
    uint16_t per_group; /* hosts of a group; with two levels those of an edge */
    struct uet_fabric_cable *cables;
    size_t n_cables;
};

/* 0; -EINVAL: no such tree, or no room for so many hosts; -ENOMEM. tree_free after 0. */
int tree_make(struct tree *tree, const struct tree_wish *wish);
void tree_free(struct tree *tree);

static inline uint16_t tree_switches(const struct tree *tree)
{
    return (uint16_t)(tree->n_edges + tree->n_middles + tree->n_tops);
}

/* The switch at the edge of a host, and its group, counted from 0. */
uint16_t tree_edge_of(const struct tree *tree, uint16_t host);
uint16_t tree_group_of(const struct tree *tree, uint16_t host);

/* Lines that a frame takes on the longest way, the hosts' two included. */
static inline unsigned tree_lines(const struct tree *tree)
{
    return tree->n_tops ? (tree->n_middles ? 6 : 4) : 2;
}

#endif
