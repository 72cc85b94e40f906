/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The parse graph as tables, asked the other way round: not "what follows these bytes" but "what
 * must these bytes be, so that this header follows". Compiled by graphc.c from spec-map/.
 */
#ifndef UET_GEN_GRAPH_H
#define UET_GEN_GRAPH_H

#include "uet_spec.h"

#define GEN_TERMS_MAX  4
#define GEN_RANGES_MAX 8
#define GEN_TO_MAX     16

/* A field, by its name in the data, and the values that it may have, each a range. */
struct gen_term {
    const char *field;
    struct {
        uint32_t low, high;
    } ranges[GEN_RANGES_MAX];
    size_t n;
};

bool gen_term_holds(const struct gen_term *term, uint64_t value);

/* All terms hold. */
struct gen_when {
    struct gen_term terms[GEN_TERMS_MAX];
    size_t n;
};

/* A row of next.csv: after `from`, when its fields say so, the first of `to` whose own `when`
 * holds. */
struct gen_edge {
    uint8_t from; /* enum uet_header_id, as those in `to`; it stands for its family */
    struct gen_when when;
    uint8_t to[GEN_TO_MAX];
    size_t n_to;
    const char *inside; /* `to` stands in the place of this field of `from`; NULL: after it */
};

extern const struct gen_edge gen_edges[];
extern const size_t gen_n_edges;
extern const struct gen_when gen_whens[UET_H_COUNT]; /* what tells a variant from its siblings */

/* A field by its full name, or by the part after the last dot ("retx"); NULL when there is none. */
const struct uet_field *gen_field(enum uet_header_id id, const char *name, size_t n);

/* The edge among whose targets the parser finds the header; NULL when nothing leads to it. */
const struct gen_edge *gen_edge_to(enum uet_header_id id);

/* Two headers of one family share the edges whose fields both have. */
bool gen_edge_leaves(const struct gen_edge *e, enum uet_header_id from);

/*
 * What makes `to` follow `from`: terms on the fields of `from`, and (through the PDS prologue,
 * which is only a look at the first bits of what follows) terms on those of `to`.
 */
struct gen_link {
    const struct gen_when *from, *to; /* NULL: nothing */
};

/* The k-th way (0 first) in which `to` can follow `from`; false when there is none. */
bool gen_link(enum uet_header_id from, enum uet_header_id to, size_t k, struct gen_link *link);

/*
 * Does `inner` stand inside `outer`, in the place of one of its fields (Control Packet payloads, CC
 * states)? Then the byte offset, else -1.
 */
int gen_inner_offset(enum uet_header_id outer, enum uet_header_id inner);

/* The header that an edge of that kind puts inside `outer`; UET_H_NONE when e is another kind. */
enum uet_header_id gen_inner(const struct gen_edge *e, enum uet_header_id outer, size_t k);

#endif
