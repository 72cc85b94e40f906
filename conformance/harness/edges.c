/* SPDX-License-Identifier: BSD-2-Clause */
/* Edges of fields and limits. */
#include "conformance/harness/edges.h"

#include <string.h>

#include "uet_spec.h"

static void add(struct uet_edges *e, uint64_t value)
{
    size_t at = 0;

    while (at < e->n && e->value[at] < value)
        at++;
    if (value > e->highest || e->n == UET_EDGES_MOST || (at < e->n && e->value[at] == value))
        return;
    memmove(&e->value[at + 1], &e->value[at], (e->n - at) * sizeof(e->value[0]));
    e->value[at] = value;
    e->n++;
}

/* Widths of C's numbers, and those without a sign bit. */
static const uint8_t kept_in[] = {8, 16, 31, 32, 63};

static const struct uet_field *find(uint16_t header, uint16_t filter)
{
    const struct uet_header *h = &uet_headers[header];

    for (size_t i = 0; i < h->n_fields; i++) {
        if (h->fields[i]->filter == filter && h->fields[i]->width <= 64)
            return h->fields[i];
    }
    return NULL;
}

struct uet_edges uet_edges_of(uint16_t header, uint16_t filter)
{
    const struct uet_field *f = find(header, filter);
    struct uet_edges e = {0};

    if (!f)
        return e;
    e.highest = UINT64_MAX >> (64 - f->width);
    add(&e, 0);
    add(&e, 1);
    for (size_t i = 0; i < sizeof(kept_in); i++) {
        add(&e, (UINT64_C(1) << kept_in[i]) - 1);
        add(&e, UINT64_C(1) << kept_in[i]);
    }
    add(&e, e.highest);
    return e;
}

void uet_edges_add_limit(struct uet_edges *e, uint64_t limit)
{
    if (limit > 0)
        add(e, limit - 1);
    add(e, limit);
    if (limit < UINT64_MAX)
        add(e, limit + 1);
}
