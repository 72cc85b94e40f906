/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dissector/state/links.h"

proto_item *uetx_link_add(struct uetx_pdu *u, proto_tree *tree, int hf, uint32_t frame)
{
    if (!frame)
        return NULL;
    proto_item *item = proto_tree_add_uint(tree, hf, u->tvb, 0, 0, frame);
    proto_item_set_generated(item);
    return item;
}

void uetx_time_add(struct uetx_pdu *u, proto_tree *tree, int hf, int64_t ns)
{
    const nstime_t took = {(time_t)(ns / 1000000000), (int)(ns % 1000000000)};
    proto_item_set_generated(proto_tree_add_time(tree, hf, u->tvb, 0, 0, &took));
}

void uetx_span_add(struct uetx_pdu *u, proto_tree *tree, int hf, struct uetx_moment from,
                   struct uetx_moment to)
{
    if (from.frame && to.frame)
        uetx_time_add(u, tree, hf, (int64_t)(to.ns - from.ns));
}
