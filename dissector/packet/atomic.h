/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Atomics (3.4.2.4): operands and results as numbers of their datatype (Table 3-22). Bytes whose
 * datatype is reserved, or a vendor's, stay bytes.
 */
#ifndef UETX_ATOMIC_H
#define UETX_ATOMIC_H

#include "dissector/uetx.h"

/* What the atomic extension of a request says; known false: nothing. */
struct uetx_atomic {
    uint8_t opcode, datatype;
    bool known;
};

/* Of the packet, when all of its extension's fixed part can be read. */
struct uetx_atomic uetx_atomic_of(const struct uet_packet *p);

/* The operands in the compare and swap extension, into the tree of that header. */
void uetx_atomic_extension_show(struct uetx_pdu *u, proto_tree *tree);

/* The operands in the n bytes of payload at offset at of a request. */
void uetx_atomic_operands_show(struct uetx_pdu *u, proto_tree *tree, unsigned at, unsigned n);

/* What a fetching atomic returns: the value before. */
void uetx_atomic_results_show(struct uetx_pdu *u, proto_tree *tree, const struct uetx_atomic *asked,
                              unsigned at, unsigned n);

void uetx_atomic_register(int proto);

#endif
