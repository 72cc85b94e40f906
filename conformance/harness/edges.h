/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Edges: the values at which careless code goes wrong. Those of a field come from the field tables
 * (spec-map/fields.csv), those of a limit from what is told of the FEP.
 */
#ifndef UET_CONFORMANCE_EDGES_H
#define UET_CONFORMANCE_EDGES_H

#include <stddef.h>
#include <stdint.h>

enum { UET_EDGES_MOST = 32 };

/* Ascending, each value once. */
struct uet_edges {
    uint64_t highest; /* that the field can hold */
    size_t n;
    uint64_t value[UET_EDGES_MOST];
};

/*
 * Of the field with this display filter (UET_F_...) in this header (UET_H_...): 0, 1, its highest
 * value, and on both sides of each width at which numbers are kept (8, 16, 31, 32, 63 bits).
 * Without such a field there are none (n is 0).
 */
struct uet_edges uet_edges_of(uint16_t header, uint16_t filter);

/* And one below, at, one above a limit; what the field cannot hold, or is known, is left out. */
void uet_edges_add_limit(struct uet_edges *edges, uint64_t limit);

#endif
