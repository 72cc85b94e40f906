/* SPDX-License-Identifier: BSD-2-Clause */
/* Shortest ways from every switch to every host; a frame's path hash chooses among equals. */
#include <errno.h>
#include <stdlib.h>

#include "port/fabric/internal.h"

#define FAR UINT16_MAX

/* Hops from every node to one host. A host passes nothing on. */
static void distances(const struct uet_fabric *f, uint16_t host, uint16_t *hops, uint16_t *queue)
{
    uint32_t nodes = (uint32_t)f->config.n_hosts + f->config.n_switches, head = 0, tail = 0;

    for (uint32_t i = 0; i < nodes; i++)
        hops[i] = FAR;
    hops[host] = 0;
    queue[tail++] = host;
    while (head < tail) {
        uint16_t at = queue[head++];
        for (uint32_t l = 0; l < f->n_lines; l++) {
            uint16_t from = f->lines[l].from;
            if (f->lines[l].to != at || hops[from] != FAR)
                continue;
            hops[from] = (uint16_t)(hops[at] + 1);
            if (from >= f->config.n_hosts)
                queue[tail++] = from;
        }
    }
}

static int ways_to(struct uet_fabric *f, uint16_t host, const uint16_t *hops)
{
    uint16_t hosts = f->config.n_hosts;

    for (uint16_t s = 0; s < f->config.n_switches; s++) {
        uint16_t node = (uint16_t)(hosts + s);
        struct way *way = &f->routes[(size_t)s * hosts + host];
        way->first = f->n_ways;
        for (uint32_t l = 0; l < f->n_lines; l++) {
            const struct line *line = &f->lines[l];
            if (line->from == node && hops[line->to] != FAR && hops[line->to] + 1 == hops[node])
                f->ways[f->n_ways++] = l;
        }
        way->n = f->n_ways - way->first;
        if (!way->n)
            return -EINVAL;
    }
    return 0;
}

static int find_uplinks(struct uet_fabric *f)
{
    for (uint16_t h = 0; h < f->config.n_hosts; h++) {
        unsigned n = 0;
        for (uint32_t l = 0; l < f->n_lines; l++)
            if (f->lines[l].from == h) {
                f->hosts[h].uplink = l;
                n++;
            }
        if (n != 1)
            return -EINVAL;
    }
    return 0;
}

int routes_make(struct uet_fabric *f)
{
    size_t hosts = f->config.n_hosts, switches = f->config.n_switches, nodes = hosts + switches;
    uint16_t *hops = calloc(2 * nodes, sizeof(*hops));
    int rc = -ENOMEM;

    f->routes = calloc(hosts * switches + 1, sizeof(*f->routes));
    f->ways = calloc(hosts * f->n_lines + 1, sizeof(*f->ways));
    if (hops && f->routes && f->ways) {
        rc = find_uplinks(f);
        for (uint16_t h = 0; h < hosts && rc == 0; h++) {
            distances(f, h, hops, hops + nodes);
            rc = ways_to(f, h, hops);
        }
    }
    free(hops);
    return rc;
}

struct line *route_of(struct uet_fabric *f, uint16_t node, const struct frame *frame)
{
    uint16_t hosts = f->config.n_hosts;
    const struct way *way;

    if (frame->to >= hosts || node < hosts)
        return NULL;
    way = &f->routes[(size_t)(node - hosts) * hosts + frame->to];
    /* Each switch hashes in its own way, or the spines would see what the leaves chose. */
    return &f->lines[f->ways[way->first + (frame->hash * (2u * node + 1u) >> 7) % way->n]];
}
