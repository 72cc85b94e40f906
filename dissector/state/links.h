/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Items in square brackets that lead to other frames, and the times between them. */
#ifndef UETX_LINKS_H
#define UETX_LINKS_H

#include "dissector/uetx.h"

/* A frame and its time; frame 0: none. */
struct uetx_moment {
    uint32_t frame;
    uint64_t ns;
};

/* A link to a frame; NULL, and no item, for frame 0. */
proto_item *uetx_link_add(struct uetx_pdu *u, proto_tree *tree, int hf, uint32_t frame);

/* A time in nanoseconds. */
void uetx_time_add(struct uetx_pdu *u, proto_tree *tree, int hf, int64_t ns);

/* The time between two frames; no item when one of them is not there. */
void uetx_span_add(struct uetx_pdu *u, proto_tree *tree, int hf, struct uetx_moment from,
                   struct uetx_moment to);

#endif
