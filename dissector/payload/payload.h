/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What packets carry: put together to messages, and handed on by resource index (3.4.1.3.3), to
 * Follow, and to who saves objects.
 */
#ifndef UETX_PAYLOAD_H
#define UETX_PAYLOAD_H

#include "dissector/state/state.h"

/*
 * The payload of n bytes at offset at: put together with the rest of its message, and given to the
 * dissector of its resource index, or shown as data. s may be NULL.
 */
void uetx_payload(const struct uetx_state *s, struct uetx_pdu *u, unsigned at, unsigned n,
                  proto_tree *sub, proto_tree *tree);

void uetx_payload_register(int proto);
void uetx_payload_handoff(void);

#endif
