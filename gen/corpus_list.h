/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The packets of the corpus that do not follow from the data row by row: wrong lengths and sums,
 * sizes, sealed and trimmed packets, what single implementations send.
 */
#ifndef UET_GEN_CORPUS_LIST_H
#define UET_GEN_CORPUS_LIST_H

#include "wire/packet.h"

struct gen_listed {
    const char *line, *field;
    enum uet_parse_error expect; /* of a trimmed packet: by a parser that knows the DSCPs */
    const char *kind;
    enum uet_header_id header;
};

/* Calls add with each; stops at the first nonzero return and gives it back. */
int gen_each_listed(int (*add)(void *ctx, const struct gen_listed *l), void *ctx);

#endif
