/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dissector/payload/reassemble.h"

#include <stdlib.h>

static int hf_packets = UETX_NO_ID;
static int hf_packet = UETX_NO_ID;
static int hf_overlap = UETX_NO_ID;
static int hf_conflict = UETX_NO_ID;
static int hf_multiple_tails = UETX_NO_ID;
static int hf_too_long = UETX_NO_ID;
static int hf_error = UETX_NO_ID;
static int hf_count = UETX_NO_ID;
static int hf_reassembled_in = UETX_NO_ID;
static int hf_length = UETX_NO_ID;
static int hf_data = UETX_NO_ID;
static int ett_packets = UETX_NO_ID;
static int ett_packet = UETX_NO_ID;

/* What is wrong with a packet of a message, or with one of them. */
enum fault { OVERLAP = 1, CONFLICT = 2, MULTIPLE_TAILS = 4, TOO_LONG = 8 };

struct kept {
    uint32_t frame;
    uint32_t offset, len;
    uint8_t faults; /* enum fault, once the message is whole */
    bool last;
    uint8_t *bytes; /* NULL once the message is whole */
};

struct message {
    wmem_array_t *kept; /* struct kept: as they came; by offset once the message is whole */
    wmem_tree_t *runs;  /* struct run by its first byte; NULL once the message is whole */
    uint32_t covered;   /* bytes below the end that have come */
    uint32_t end;       /* of the message, by the first packet that was its last; 0: not seen */
    uint32_t whole_in;  /* frame; 0: not yet */
    uint8_t faults;     /* of all */
    uint8_t *bytes;     /* end of them, once the message is whole */
};

/* Bytes that have come, [from, to). Runs do not overlap; two may touch. */
struct run {
    uint32_t from, to;
};

static wmem_map_t *messages; /* by key_of */

static void *key_of(const struct uetx_piece *p)
{
    return GSIZE_TO_POINTER((gsize)p->id * 2 + p->data);
}

static void add_run(wmem_tree_t *runs, struct run *before, uint32_t from, uint32_t to)
{
    if (before && before->to == from) { /* in order: one run grows */
        before->to = to;
        return;
    }
    struct run *run = wmem_new(wmem_file_scope(), struct run);
    *run = (struct run){from, to};
    wmem_tree_insert32(runs, from, run);
}

/* How many bytes of [from, to) are new. As many look-ups as there are runs within a packet's bytes.
 */
static uint32_t cover(wmem_tree_t *runs, uint32_t from, uint32_t to)
{
    uint32_t fresh = 0;
    while (from < to) {
        struct run *before = wmem_tree_lookup32_le(runs, to - 1);
        bool meets = before && before->to > from;
        uint32_t begin = meets ? before->to : from, next = meets ? before->from : from;
        if (begin < to) {
            add_run(runs, before, begin, to);
            fresh += to - begin;
        }
        to = next;
    }
    return fresh;
}

/* Bytes before `end` that have come. */
static uint32_t covered_below(wmem_tree_t *runs, uint32_t end)
{
    uint32_t n = 0;
    while (end > 0) {
        const struct run *run = wmem_tree_lookup32_le(runs, end - 1);
        if (!run)
            break;
        n += (run->to < end ? run->to : end) - run->from;
        end = run->from;
    }
    return n;
}

static struct message *message_of(const struct uetx_piece *p, bool make)
{
    struct message *m = wmem_map_lookup(messages, key_of(p));
    if (!m && make) {
        m = wmem_new0(wmem_file_scope(), struct message);
        m->kept = wmem_array_new(wmem_file_scope(), sizeof(struct kept));
        m->runs = wmem_tree_new(wmem_file_scope());
        wmem_map_insert(messages, key_of(p), m);
    }
    return m;
}

static void keep(struct message *m, const struct uetx_piece *p, const struct uetx_pdu *u,
                 unsigned at)
{
    uint32_t to = p->offset + p->len;
    const struct kept kept = {
        .frame = u->pinfo->num,
        .offset = p->offset,
        .len = p->len,
        .last = p->last,
        .bytes = (uint8_t *)tvb_memdup(wmem_file_scope(), u->tvb, (gint)at, p->len)};
    wmem_array_append_one(m->kept, kept);
    uint32_t fresh = cover(m->runs, p->offset, m->end && m->end < to ? m->end : to);
    if (p->last && !m->end) {
        m->end = to;
        m->covered = covered_below(m->runs, to);
    } else {
        m->covered += fresh;
    }
}

static int by_offset(const void *a, const void *b)
{
    const struct kept *x = a, *y = b;
    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    return x->frame < y->frame ? -1 : x->frame > y->frame;
}

/* Copies what is new of k into the message, of which `filled` bytes are there. */
static uint32_t copy(struct message *m, struct kept *k, uint32_t filled)
{
    uint32_t to = k->offset + k->len;
    if (to > m->end)
        k->faults |= TOO_LONG;
    if (k->last && to != m->end)
        k->faults |= MULTIPLE_TAILS;
    to = to < m->end ? to : m->end;
    if (k->offset < filled) {
        uint32_t twice = (to < filled ? to : filled) - k->offset;
        k->faults |= OVERLAP;
        if (memcmp(m->bytes + k->offset, k->bytes, twice) != 0)
            k->faults |= CONFLICT;
    }
    if (to > filled) {
        memcpy(m->bytes + filled, k->bytes + (filled - k->offset), to - filled);
        filled = to;
    }
    return filled;
}

static void put_together(struct message *m, uint32_t frame)
{
    guint n = wmem_array_get_count(m->kept);
    struct kept *kept = wmem_array_get_raw(m->kept);
    uint32_t filled = 0;
    qsort(kept, n, sizeof *kept, by_offset);
    m->bytes = wmem_alloc(wmem_file_scope(), m->end);
    for (guint i = 0; i < n; i++) {
        filled = copy(m, &kept[i], filled);
        m->faults |= kept[i].faults;
        wmem_free(wmem_file_scope(), kept[i].bytes);
        kept[i].bytes = NULL;
    }
    wmem_tree_destroy(m->runs, FALSE, TRUE);
    m->runs = NULL;
    m->whole_in = frame;
}

static void show_faults(uint8_t faults, tvbuff_t *tvb, proto_tree *tree)
{
    static const struct {
        uint8_t fault;
        const int *hf;
    } rows[] = {{OVERLAP, &hf_overlap},
                {CONFLICT, &hf_conflict},
                {MULTIPLE_TAILS, &hf_multiple_tails},
                {TOO_LONG, &hf_too_long}};
    for (size_t i = 0; i < array_length(rows); i++)
        if (faults & rows[i].fault)
            proto_item_set_generated(proto_tree_add_boolean(tree, *rows[i].hf, tvb, 0, 0, TRUE));
}

static void show_kept(const struct kept *k, tvbuff_t *tvb, proto_tree *tree)
{
    uint32_t end = tvb_captured_length(tvb), from = k->offset < end ? k->offset : end;
    int hf = k->faults & ~OVERLAP ? hf_error : hf_packet;
    proto_item *item = proto_tree_add_uint_format(
        tree, hf, tvb, (gint)from, (gint)(k->len < end - from ? k->len : end - from), k->frame,
        "Frame: %u, payload: %u-%u (%u byte%s)", k->frame, k->offset, k->offset + k->len - 1,
        k->len, k->len == 1 ? "" : "s");
    proto_item_set_generated(item);
    if (k->faults)
        show_faults(k->faults, tvb, proto_item_add_subtree(item, ett_packet));
}

static void show_packets(const struct message *m, tvbuff_t *tvb, proto_tree *tree)
{
    guint n = wmem_array_get_count(m->kept);
    const struct kept *kept = wmem_array_get_raw(m->kept);
    proto_item *item = proto_tree_add_item(tree, hf_packets, tvb, 0, -1, ENC_NA);
    proto_item_set_generated(item);
    if (!item)
        return;
    proto_tree *sub = proto_item_add_subtree(item, ett_packets);
    proto_item_set_text(item, "%u packets of the message (%u byte%s): ", n, m->end,
                        m->end == 1 ? "" : "s");
    for (guint i = 0; i < n; i++) {
        proto_item_append_text(item, "%s#%u(%u)", i ? ", " : "", kept[i].frame, kept[i].len);
        show_kept(&kept[i], tvb, sub);
    }
    proto_item_set_generated(proto_tree_add_uint(sub, hf_count, tvb, 0, 0, n));
    proto_item_set_generated(proto_tree_add_uint(sub, hf_length, tvb, 0, 0, m->end));
    proto_item_set_generated(proto_tree_add_item(sub, hf_data, tvb, 0, -1, ENC_NA));
}

static tvbuff_t *show_whole(const struct message *m, struct uetx_pdu *u, proto_tree *tree)
{
    tvbuff_t *tvb = tvb_new_child_real_data(u->tvb, m->bytes, m->end, (gint)m->end);
    add_new_data_source(u->pinfo, tvb, "Reassembled UET message");
    show_packets(m, tvb, tree);
    if (m->faults & ~OVERLAP)
        col_append_str(u->pinfo->cinfo, COL_INFO, "[Illegal packets of the message]");
    return tvb;
}

/* Packets behind the one that made it whole bring nothing new. */
tvbuff_t *uetx_reassemble(const struct uetx_piece *p, struct uetx_pdu *u, unsigned at,
                          proto_tree *tree)
{
    uint32_t frame = u->pinfo->num;
    bool first_pass = !PINFO_FD_VISITED(u->pinfo);
    struct message *m = message_of(p, first_pass);
    if (m && first_pass && !m->whole_in) {
        keep(m, p, u, at);
        if (m->end && m->covered == m->end)
            put_together(m, frame);
    }
    if (!m || m->whole_in < frame)
        return NULL;
    if (m->whole_in == frame)
        return show_whole(m, u, tree);
    proto_item_set_generated(
        proto_tree_add_uint(tree, hf_reassembled_in, u->tvb, 0, 0, m->whole_in));
    return NULL;
}

void uetx_reassemble_register(int proto)
{
    static hf_register_info hf[] = {
        {&hf_packets,
         {"packets of the message", "uetx.message.packets", FT_NONE, BASE_NONE, NULL, 0,
          "Packets that the message was put together from", HFILL}},
        {&hf_packet,
         {"packet", "uetx.message.packet", FT_FRAMENUM, BASE_NONE, NULL, 0,
          "One packet of the message", HFILL}},
        {&hf_overlap,
         {"overlap", "uetx.message.overlap", FT_BOOLEAN, BASE_NONE, NULL, 0,
          "Bytes came more than once", HFILL}},
        {&hf_conflict,
         {"conflict", "uetx.message.conflict", FT_BOOLEAN, BASE_NONE, NULL, 0,
          "Bytes came more than once, and were not the same", HFILL}},
        {&hf_multiple_tails,
         {"several ends", "uetx.message.multiple_tails", FT_BOOLEAN, BASE_NONE, NULL, 0,
          "More than one packet had eom", HFILL}},
        {&hf_too_long,
         {"packet too long", "uetx.message.too_long", FT_BOOLEAN, BASE_NONE, NULL, 0,
          "A packet goes beyond the end of the message", HFILL}},
        {&hf_error,
         {"error", "uetx.message.error", FT_FRAMENUM, BASE_NONE, NULL, 0,
          "A packet that does not fit", HFILL}},
        {&hf_count,
         {"number of packets", "uetx.message.count", FT_UINT32, BASE_DEC, NULL, 0,
          "Packets with data of the message", HFILL}},
        {&hf_reassembled_in,
         {"put together in", "uetx.message.reassembled_in", FT_FRAMENUM, BASE_NONE, NULL, 0,
          "The packet that made the message whole", HFILL}},
        {&hf_length,
         {"message length", "uetx.message.length", FT_UINT32, BASE_DEC, NULL, 0,
          "Bytes of the message as put together", HFILL}},
        {&hf_data,
         {"message data", "uetx.message.data", FT_BYTES, BASE_NONE, NULL, 0,
          "The message as put together", HFILL}},
    };
    static int *ett[] = {&ett_packets, &ett_packet};
    proto_register_field_array(proto, hf, array_length(hf));
    proto_register_subtree_array(ett, array_length(ett));
    messages =
        wmem_map_new_autoreset(wmem_epan_scope(), wmem_file_scope(), g_direct_hash, g_direct_equal);
}
