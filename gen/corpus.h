/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A packet for everything that the data knows: every header, in every form, after everything it
 * may follow, every value of every enumeration, ends of ranges; and each kind of wrong: cut after
 * every byte, reserved bits set, values that are reserved, lengths, checksums and CRC that are not
 * right. Each is a line of the language, and what a parser must make of it follows from how it was
 * made, not from trying.
 */
#ifndef UET_GEN_CORPUS_H
#define UET_GEN_CORPUS_H

#include "gen/lang.h"

struct uet_gen_case {
    enum uet_header_id header; /* what it is about */
    const char *kind;          /* "value", "reserved bits", "cut" ..: uet_gen_kinds in corpus.c */
    const char *field;         /* what was set, or "" */
    const char *line;
    bool valid; /* a correct sender may send it */
    uint8_t protect;
    enum uet_parse_error expect;
    const uint8_t *frame;
    size_t len;
};

/*
 * Calls take with each case, in an order that stays. Everything is good during the call only.
 * Stops at the first nonzero return and gives it back; -EINVAL with *error filled when a line
 * cannot be made (a mistake in the data, or here); -ENOMEM.
 */
int uet_gen_corpus(int (*take)(void *ctx, const struct uet_gen_case *c), void *ctx, char *error,
                   size_t errlen);

/* Has the graph a way from Ethernet to the header? The corpus has no packet of the others. */
bool uet_gen_reachable(enum uet_header_id id);

/* "PDS_SHORT": the name of a result in manifests. */
const char *uet_gen_result_name(enum uet_parse_error error);

#endif
