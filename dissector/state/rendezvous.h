/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rendezvous sends (3.4.2.3): the UET_READ by which the target fetches what was not sent eagerly is
 * linked to the send that told its address.
 */
#ifndef UETX_RENDEZVOUS_H
#define UETX_RENDEZVOUS_H

#include "dissector/state/state.h"

/* What a READ fetches of a rendezvous send; all 0: it belongs to none. */
struct uetx_fetch {
    struct uetx_rendezvous *of;
    uint8_t from; /* enum from of rendezvous.c */
};

/* First pass, of the first packet of a message: a rendezvous send is remembered. */
void uetx_rendezvous_note(const struct uetx_state *s, const struct uet_packet *p);

/* First pass: what the READ that begins in this packet fetches. */
struct uetx_fetch uetx_rendezvous_read(const struct uetx_state *s, const struct uet_packet *p);

/* First pass: a READ of so many bytes has all its data with this packet. */
void uetx_rendezvous_data(const struct uetx_state *s, const struct uetx_fetch *fetch,
                          uint32_t bytes);

/* Under a READ: the send; first: it is the first packet of the READ. */
void uetx_rendezvous_show_read(const struct uetx_state *s, const struct uetx_fetch *fetch,
                               bool first, struct uetx_pdu *u, proto_tree *tree);

/* Under a packet of a rendezvous send: what fetched the rest. */
void uetx_rendezvous_links(const struct uetx_state *s, struct uetx_pdu *u, proto_tree *tree);

void uetx_rendezvous_register(int proto);

#endif
