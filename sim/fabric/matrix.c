/* SPDX-License-Identifier: BSD-2-Clause */
/* A workload as the text that the consortium's public simulator, htsim, reads (docs/cms.md). */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "sim/fabric/load.h"

/* Of each trigger the flows that fire it, and its number among those that some do. */
struct triggers {
    uint32_t *flows, *number, n;
};

static bool count(const struct load *load, struct triggers *is)
{
    *is = (struct triggers){.flows = calloc(load->n_triggers + 1u, sizeof(*is->flows)),
                            .number = calloc(load->n_triggers + 1u, sizeof(*is->number))};
    if (!is->flows || !is->number)
        return false;
    for (uint32_t f = 0; f < load->n; f++)
        is->flows[load->flows[f].fires]++;
    for (uint32_t t = 1; t <= load->n_triggers; t++)
        if (is->flows[t])
            is->number[t] = ++is->n;
    return true;
}

static void put_flow(const struct load_flow *flow, const struct triggers *is, FILE *f)
{
    if (flow->after)
        fprintf(f, " trigger %" PRIu32, is->number[flow->after]);
    else
        fputs(" start 0", f);
    fprintf(f, " size %" PRIu64, (uint64_t)flow->message * flow->count);
    if (flow->fires)
        fprintf(f, " send_done_trigger %" PRIu32, is->number[flow->fires]);
    fputc('\n', f);
}

int load_matrix(const struct load *load, uint16_t hosts, FILE *f)
{
    struct triggers is;
    const bool room = count(load, &is);

    if (room)
        fprintf(f, "Nodes %u\nConnections %" PRIu32 "\n", hosts, load->n);
    if (room && is.n)
        fprintf(f, "Triggers %" PRIu32 "\n", is.n);
    for (uint32_t i = 0; room && i < load->n; i++) {
        fprintf(f, "%u->%u id %" PRIu32, load->flows[i].from, load->flows[i].to, i + 1);
        put_flow(&load->flows[i], &is, f);
    }
    for (uint32_t t = 1; room && t <= load->n_triggers; t++)
        if (is.flows[t] == 1)
            fprintf(f, "trigger id %" PRIu32 " oneshot\n", is.number[t]);
        else if (is.flows[t])
            fprintf(f, "trigger id %" PRIu32 " barrier count %" PRIu32 "\n", is.number[t],
                    is.flows[t]);
    free(is.flows);
    free(is.number);
    return room ? 0 : -ENOMEM;
}
