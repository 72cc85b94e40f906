/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SES messages (3.4.1.14): their packets linked and put together, the data of a read with its
 * request, and what they carry handed on by resource index.
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

/*
 * The payload of n bytes at offset at: put together with the rest of its message, and given to the
 * dissector of its resource index, or shown as data. s may be NULL.
 */
void uetx_message_payload(const struct uetx_state *s, struct uetx_pdu *u, unsigned at, unsigned n,
                          proto_tree *sub, proto_tree *tree);

void uetx_message_register(int proto);
void uetx_message_handoff(void);

#endif
