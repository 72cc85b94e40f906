/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A message from its packets, in any order, each looked at once: epan's own reassembly goes through
 * the list of all before for each packet, and a message may have more than ten thousand.
 */
#ifndef UETX_REASSEMBLE_H
#define UETX_REASSEMBLE_H

#include "dissector/uetx.h"

/* Where the bytes of a packet stand in their message. */
struct uetx_piece {
    uint32_t id; /* the frame that the message begins in */
    bool data;   /* what comes back for it, not what it brings */
    uint32_t offset, len;
    bool last; /* the message ends with it */
};

/*
 * First pass: keeps the len bytes at offset at of u->tvb, which were captured. Any pass: shows in
 * the tree what became of them. Returns the message when it is whole with this packet, else NULL;
 * its bytes live as long as the capture.
 */
tvbuff_t *uetx_reassemble(const struct uetx_piece *piece, struct uetx_pdu *u, unsigned at,
                          proto_tree *tree);

void uetx_reassemble_register(int proto);

#endif
