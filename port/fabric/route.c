/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Shortest ways from every switch to every host; a frame's path hash chooses among equals. A host
 * has one cable, so the ways to it are those to its door, the switch at the other end.
 */
#include <errno.h>
#include <stdlib.h>

#include "port/fabric/internal.h"

#define FAR UINT16_MAX

/* Lines by the node that they leave, and what a search needs. */
struct map {
    uint32_t *first; /* n_nodes + 1 places in `lines` */
    uint32_t *lines; /* of one node in rising order */
    uint16_t *hops, *queue;
    uint32_t n_nodes, cap_ways;
};

static void map_free(struct map *map)
{
    free(map->first);
    free(map->lines);
    free(map->hops);
    free(map->queue);
}

static int map_make(struct map *map, const struct uet_fabric *f)
{
    map->n_nodes = (uint32_t)f->config.n_hosts + f->config.n_switches;
    map->first = calloc(map->n_nodes + 2u, sizeof(*map->first));
    map->lines = calloc(f->n_lines, sizeof(*map->lines));
    map->hops = calloc(map->n_nodes, sizeof(*map->hops));
    map->queue = calloc(map->n_nodes, sizeof(*map->queue));
    if (!map->first || !map->lines || !map->hops || !map->queue)
        return -ENOMEM;
    for (uint32_t l = 0; l < f->n_lines; l++)
        map->first[f->lines[l].from + 2u]++;
    for (uint32_t node = 2; node <= map->n_nodes; node++)
        map->first[node] += map->first[node - 1];
    for (uint32_t l = 0; l < f->n_lines; l++)
        map->lines[map->first[f->lines[l].from + 1u]++] = l;
    return 0;
}

/* Hops from every switch to this one. A host passes nothing on. */
static void distances(struct map *map, const struct uet_fabric *f, uint16_t door)
{
    uint32_t head = 0, tail = 0;

    for (uint32_t i = 0; i < map->n_nodes; i++)
        map->hops[i] = FAR;
    map->hops[door] = 0;
    map->queue[tail++] = door;
    while (head < tail) {
        uint16_t at = map->queue[head++];
        for (uint32_t i = map->first[at]; i < map->first[at + 1u]; i++) {
            uint16_t next = f->lines[map->lines[i]].to; /* what leads there leads back, too */
            if (next < f->config.n_hosts || map->hops[next] != FAR)
                continue;
            map->hops[next] = (uint16_t)(map->hops[at] + 1);
            map->queue[tail++] = next;
        }
    }
}

static int add_way(struct uet_fabric *f, struct map *map, uint32_t line)
{
    struct line **ways = f->ways;

    if (f->n_ways == map->cap_ways) {
        uint32_t cap = map->cap_ways ? 2 * map->cap_ways : 256;
        ways = realloc(ways, cap * sizeof(*ways));
        if (!ways)
            return -ENOMEM;
        f->ways = ways;
        map->cap_ways = cap;
    }
    ways[f->n_ways++] = &f->lines[line];
    return 0;
}

/* The ways of one switch to the door of which map knows the distances. */
static int ways_from(struct uet_fabric *f, struct map *map, uint16_t node, struct way *way)
{
    way->first = f->n_ways;
    for (uint32_t i = map->first[node]; i < map->first[node + 1u]; i++) {
        uint32_t line = map->lines[i];
        uint16_t to = f->lines[line].to;
        if (to < f->config.n_hosts || map->hops[to] == FAR || map->hops[to] + 1 != map->hops[node])
            continue;
        if (add_way(f, map, line))
            return -ENOMEM;
    }
    way->n = f->n_ways - way->first;
    return way->n ? 0 : -EINVAL;
}

static int ways_to(struct uet_fabric *f, struct map *map, uint16_t door)
{
    const uint16_t hosts = f->config.n_hosts, switches = f->config.n_switches;
    int rc = 0;

    distances(map, f, door);
    for (uint16_t s = 0; s < switches && rc == 0; s++)
        if (hosts + s != door)
            rc = ways_from(f, map, (uint16_t)(hosts + s),
                           &f->routes[(size_t)(door - hosts) * switches + s]);
    return rc;
}

static int find_uplinks(struct uet_fabric *f, const struct map *map)
{
    const uint16_t hosts = f->config.n_hosts;

    for (uint16_t h = 0; h < hosts; h++) {
        if (map->first[h + 1u] - map->first[h] != 1)
            return -EINVAL;
        const uint32_t line = map->lines[map->first[h]];
        struct host *host = &f->hosts[h];
        host->uplink = &f->lines[line];
        host->downlink = &f->lines[line ^ 1];
        host->door = host->uplink->to;
        if (!f->config.n_switches)
            continue;
        if (host->door < hosts)
            return -EINVAL;
        host->ways = &f->routes[(size_t)(host->door - hosts) * f->config.n_switches];
    }
    return 0;
}

static bool is_door(const struct uet_fabric *f, const struct map *map, uint32_t node)
{
    for (uint32_t i = map->first[node]; i < map->first[node + 1]; i++)
        if (f->lines[map->lines[i]].to < f->config.n_hosts)
            return true;
    return false;
}

int routes_make(struct uet_fabric *f)
{
    const size_t switches = f->config.n_switches;
    struct map map = {0};
    int rc = map_make(&map, f);

    f->routes = calloc(switches * switches + 1, sizeof(*f->routes));
    if (!f->routes)
        rc = -ENOMEM;
    if (rc == 0)
        rc = find_uplinks(f, &map);
    for (uint32_t node = f->config.n_hosts; node < map.n_nodes && rc == 0; node++)
        if (is_door(f, &map, node))
            rc = ways_to(f, &map, (uint16_t)node);
    map_free(&map);
    return rc;
}

struct line *route_of(struct uet_fabric *f, uint16_t node, const struct frame *frame)
{
    const struct host *host;
    const struct way *way;
    uint64_t own;

    if (frame->to >= f->config.n_hosts)
        return NULL;
    host = &f->hosts[frame->to];
    if (host->door == node)
        return host->downlink;
    way = &host->ways[node - f->config.n_hosts];
    if (way->n == 1)
        return f->ways[way->first];
    /* Each switch hashes in its own way, or the spines would see what the leaves chose. */
    own = fabric_mix(frame->hash + node * 0x9e3779b9u);
    return f->ways[way->first + (own * way->n >> 32)];
}
