/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SES messages (3.4.1.14): their packets linked, and the data of a read with its request.
 */
#ifndef UETX_MESSAGE_H
#define UETX_MESSAGE_H

#include "dissector/packet/atomic.h"
#include "dissector/state/rendezvous.h"
#include "dissector/state/state.h"

/* A read or fetching atomic, and the data that came for it. Frame numbers are 0 for none. */
struct uetx_read {
    uint32_t frame; /* its first packet */
    uint64_t time_ns;
    uint16_t resource_index;
    uint8_t opcode;
    struct uetx_atomic atomic; /* what a fetching atomic asked for */
    struct uetx_fetch fetch;   /* what a READ fetches of a rendezvous send */
    uint32_t length;
    uint32_t bytes_seen;
    uint32_t complete_in; /* the packet with the last of its data: set later */
    int64_t took_ns;      /* meaningful with complete_in */
};

/* First pass: notes in s what the packet is to its message. */
void uetx_message_note(struct uetx_state *s, const struct uet_tracked *t);

/* The packet's place in its message, in the tree. */
void uetx_message_links(const struct uetx_state *s, struct uetx_pdu *u, proto_tree *tree);

/* How many bytes come for the read: as asked, or as the packet p with data of it says (3.4.4.2). */
uint32_t uetx_read_total(const struct uetx_read *read, const struct uet_packet *p);

void uetx_message_register(int proto);

#endif
