/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A frame taken apart along the parse graph, header by header, until something is not understood:
 * what is left is data. It judges nothing; wire/packet.h is the parser that does.
 */
#ifndef UET_GEN_WALK_H
#define UET_GEN_WALK_H

#include "gen/graph.h"
#include "wire/packet.h"

#define GEN_WALK_MAX 12

struct gen_step {
    enum uet_header_id id, inner; /* inner: what stands inside it, or UET_H_NONE */
    int inner_offset;
    uint16_t offset, bytes; /* inner header included where it is longer */
};

struct gen_walk {
    struct gen_step steps[GEN_WALK_MAX];
    size_t n;
    size_t data, data_end; /* what no header explains */
    size_t crc;            /* offset of a CRC trailer; 0 for none */
    size_t end;            /* of the frame; what is between is padding */
};

/* Never fails: with nothing understood all of it is data. options may be NULL, as for uet_parse. */
void gen_walk(struct gen_walk *w, const uint8_t *frame, size_t len,
              const struct uet_parse_options *options);

#endif
