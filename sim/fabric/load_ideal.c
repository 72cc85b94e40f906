/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>

#include "sim/fabric/load.h"

#define HEADERS 122u /* of a packet of a WRITE on the wire: frame, preamble and gap included */
#define ACK     84u

/* When each line is free, and when each trigger has fired. */
struct times {
    uint64_t *out, *in, *fired;
};

static uint64_t wire_ns(const struct uet_fabric_line *line, uint64_t bytes)
{
    return bytes * 8000 / (line->bits_per_s / 1000000);
}

/* Lines that a frame takes between two hosts. */
static unsigned lines_between(const struct tree *tree, uint16_t a, uint16_t b)
{
    if (tree_edge_of(tree, a) == tree_edge_of(tree, b))
        return 2;
    return tree_group_of(tree, a) == tree_group_of(tree, b) || !tree->n_middles ? 4 : 6;
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* The end of a flow, with its last ACK. */
static uint64_t end_of(const struct load_flow *flow, const struct tree *tree, uint32_t mtu,
                       struct times *is)
{
    const struct uet_fabric_line *line = &tree->cables[flow->from].line;
    const unsigned lines = lines_between(tree, flow->from, flow->to);
    const uint64_t packets = (flow->message + mtu - 1) / mtu;
    const uint64_t all = wire_ns(line, flow->count * (flow->message + packets * (uint64_t)HEADERS));
    const uint64_t first = wire_ns(line, HEADERS + (flow->message < mtu ? flow->message : mtu));
    const uint64_t begins = later(is->fired[flow->after], is->out[flow->from]);
    const uint64_t arrives =
        later(is->in[flow->to], begins + (lines - 1) * (first + line->latency_ns));

    is->out[flow->from] = begins + all;
    is->in[flow->to] = arrives + all;
    return arrives + all + line->latency_ns + lines * (line->latency_ns + wire_ns(line, ACK));
}

uint64_t load_ideal(const struct load *load, const struct tree *tree, uint32_t mtu)
{
    struct times is = {.out = calloc(tree->n_hosts, sizeof(*is.out)),
                       .in = calloc(tree->n_hosts, sizeof(*is.in)),
                       .fired = calloc(load->n_triggers + 1u, sizeof(*is.fired))};
    const bool room = is.out && is.in && is.fired;
    uint64_t last = room ? 0 : UINT64_MAX;

    for (uint32_t f = 0; room && f < load->n; f++) {
        const struct load_flow *flow = &load->flows[f];
        const uint64_t end = end_of(flow, tree, mtu, &is);
        last = later(last, end);
        if (flow->fires)
            is.fired[flow->fires] = later(is.fired[flow->fires], end);
    }
    free(is.out);
    free(is.in);
    free(is.fired);
    return last;
}
