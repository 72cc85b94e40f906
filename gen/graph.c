/* SPDX-License-Identifier: BSD-2-Clause */
#include "gen/graph.h"

#include <string.h>

const struct uet_field *gen_field(enum uet_header_id id, const char *name, size_t n)
{
    const struct uet_header *h = &uet_headers[id];
    for (size_t i = 0; i < h->n_fields; i++) {
        const char *full = h->fields[i]->name;
        if (strlen(full) == n && memcmp(full, name, n) == 0)
            return h->fields[i];
    }
    for (size_t i = 0; i < h->n_fields; i++) {
        const char *dot = strrchr(h->fields[i]->name, '.');
        if (dot && strlen(dot + 1) == n && memcmp(dot + 1, name, n) == 0)
            return h->fields[i];
    }
    return NULL;
}

bool gen_term_holds(const struct gen_term *term, uint64_t value)
{
    for (size_t i = 0; i < term->n; i++)
        if (value >= term->ranges[i].low && value <= term->ranges[i].high)
            return true;
    return false;
}

static bool leads_to(const struct gen_edge *e, enum uet_header_id id)
{
    for (size_t i = 0; i < e->n_to; i++)
        if (e->to[i] == id)
            return true;
    return false;
}

const struct gen_edge *gen_edge_to(enum uet_header_id id)
{
    const struct gen_edge *best = NULL;
    for (size_t i = 0; i < gen_n_edges; i++)
        if (leads_to(&gen_edges[i], id) && (!best || gen_edges[i].n_to > best->n_to))
            best = &gen_edges[i];
    return best;
}

bool gen_edge_leaves(const struct gen_edge *e, enum uet_header_id from)
{
    if (e->from == from)
        return true;
    if (strcmp(uet_headers[e->from].family, uet_headers[from].family) != 0)
        return false;
    for (size_t i = 0; i < e->when.n; i++) {
        const char *name = e->when.terms[i].field;
        if (!gen_field(from, name, strlen(name)))
            return false;
    }
    return true;
}

bool gen_link(enum uet_header_id from, enum uet_header_id to, size_t k, struct gen_link *link)
{
    for (size_t i = 0; i < gen_n_edges; i++) {
        const struct gen_edge *e = &gen_edges[i];
        if (!gen_edge_leaves(e, from))
            continue;
        if (leads_to(e, to) && k-- == 0) {
            *link = (struct gen_link){&e->when, NULL};
            return true;
        }
        if (!leads_to(e, UET_H_PDS_PROLOGUE))
            continue;
        for (size_t j = 0; j < gen_n_edges; j++) {
            const struct gen_edge *f = &gen_edges[j];
            if (f->from != UET_H_PDS_PROLOGUE || !leads_to(f, to) || k-- != 0)
                continue;
            *link = (struct gen_link){&e->when, &f->when};
            return true;
        }
    }
    return false;
}

enum uet_header_id gen_inner(const struct gen_edge *e, enum uet_header_id outer, size_t k)
{
    bool here = e->inside && k < e->n_to && gen_edge_leaves(e, outer) &&
                gen_field(outer, e->inside, strlen(e->inside));
    return here ? (enum uet_header_id)e->to[k] : UET_H_NONE;
}

int gen_inner_offset(enum uet_header_id outer, enum uet_header_id inner)
{
    for (size_t i = 0; i < gen_n_edges; i++)
        for (size_t k = 0; k < gen_edges[i].n_to; k++)
            if (gen_inner(&gen_edges[i], outer, k) == inner)
                return gen_field(outer, gen_edges[i].inside, strlen(gen_edges[i].inside))
                           ->bit_offset /
                       8;
    return -1;
}
