/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Deferrable sends (3.4.3.4): the send that its target deferred, the UET_DEFERRABLE_RTR that asks
 * for it again, and the send that restarts it, linked by their restart tokens.
 */
#ifndef UETX_DEFERRED_H
#define UETX_DEFERRED_H

#include "dissector/state/state.h"

/* First pass, of a packet of a message: s->message_in is known. */
void uetx_deferred_note(struct uetx_state *s, const struct uet_tracked *t);

/* Does this response defer its message? First pass; it is noted then. */
bool uetx_deferred_response(const struct uetx_state *s, const struct uet_tracked *t);

/* The links of the packet, in the tree. */
void uetx_deferred_links(const struct uetx_state *s, struct uetx_pdu *u, proto_tree *tree);

void uetx_deferred_register(int proto);

#endif
