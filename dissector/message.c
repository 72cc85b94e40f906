/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dissector/message.h"
#include "dissector/tap.h"

#include <epan/decode_as.h>
#include <epan/reassemble.h>

/* Resource indices count in three spaces (3.4.1.3.3): the same number in two is two things. */
enum space { SPACE_SEND, SPACE_TAGGED, SPACE_RMA, SPACES };

static const char *const table_names[SPACES] = {"uetx.ri.send", "uetx.ri.tagged", "uetx.ri.rma"};
static const char *const table_titles[SPACES] = {"UETX resource index of sends",
                                                 "UETX resource index of tagged sends",
                                                 "UETX resource index of RMA"};
static dissector_table_t tables[SPACES];
static reassembly_table reassembly;
static int proto_uetx;

static int hf_first_in = UETX_NO_ID;
static int hf_data_of = UETX_NO_ID;
static int hf_data_in = UETX_NO_ID;
static int hf_fragments = UETX_NO_ID;
static int hf_fragment = UETX_NO_ID;
static int hf_overlap = UETX_NO_ID;
static int hf_conflict = UETX_NO_ID;
static int hf_multiple_tails = UETX_NO_ID;
static int hf_too_long = UETX_NO_ID;
static int hf_error = UETX_NO_ID;
static int hf_count = UETX_NO_ID;
static int hf_reassembled_in = UETX_NO_ID;
static int hf_reassembled_length = UETX_NO_ID;
static int hf_reassembled_data = UETX_NO_ID;
static int ett_fragments = UETX_NO_ID;
static int ett_fragment = UETX_NO_ID;
static expert_field ei_too_long = EI_INIT;

static const fragment_items items = {&ett_fragment,
                                     &ett_fragments,
                                     &hf_fragments,
                                     &hf_fragment,
                                     &hf_overlap,
                                     &hf_conflict,
                                     &hf_multiple_tails,
                                     &hf_too_long,
                                     &hf_error,
                                     &hf_count,
                                     &hf_reassembled_in,
                                     &hf_reassembled_length,
                                     &hf_reassembled_data,
                                     "packets of the message"};

static enum space space_of(uint8_t opcode)
{
    switch (opcode) {
    case UET_OP_WRITE:
    case UET_OP_READ:
    case UET_OP_ATOMIC:
    case UET_OP_FETCHING_ATOMIC:
        return SPACE_RMA;
    case UET_OP_TAGGED_SEND:
    case UET_OP_RENDEZVOUS_TSEND:
    case UET_OP_DEFERRABLE_TSEND:
    case UET_OP_TSEND_ATOMIC:
    case UET_OP_TSEND_FETCH_ATOMIC:
        return SPACE_TAGGED;
    default:
        return SPACE_SEND;
    }
}

/* Do bytes come back for it? */
static bool wants_data(uint8_t opcode)
{
    return opcode == UET_OP_READ || opcode == UET_OP_FETCHING_ATOMIC ||
           opcode == UET_OP_TSEND_FETCH_ATOMIC;
}

/* Reads by {stream, direction, message_id}, the newest of each. */
static wmem_map_t *reads;

void uetx_message_start(void)
{
    reads = wmem_map_new(wmem_file_scope(), wmem_int64_hash, g_int64_equal);
}

static uint64_t read_key(const struct uet_tracked *t, bool forward, uint16_t message_id)
{
    return (uint64_t)t->pdc->stream << 32 | (uint64_t)forward << 16 | message_id;
}

static void note_read(struct uetx_state *s, const struct uet_tracked *t)
{
    const struct uet_track_message *m = t->message;
    if (s->data_before || m->first_frame != s->frame)
        return;
    struct uetx_read *read = wmem_new0(wmem_file_scope(), struct uetx_read);
    *read = (struct uetx_read){.frame = s->frame,
                               .time_ns = s->time_ns,
                               .resource_index = uet_ses_req_resource_index(m->first_header),
                               .opcode = m->opcode,
                               .length = m->request_length};
    s->read = read;
    if (!m->message_id)
        return; /* found by its PSN */
    uint64_t *key = wmem_new(wmem_file_scope(), uint64_t);
    *key = read_key(t, t->forward, m->message_id);
    wmem_map_insert(reads, key, read);
}

/* The read that a packet with data answers; NULL when it was not captured. */
static struct uetx_read *read_of(const struct uet_tracked *t)
{
    const uint8_t *ses = uet_ses(&t->packet);
    if (t->packet.ses == UET_H_SES_RSP_DATA) {
        uint64_t key = read_key(t, !t->forward, uet_ses_rsp_data_read_request_message_id(ses));
        return wmem_map_lookup(reads, &key);
    }
    uint32_t psn = uet_ses_rsp_data_small_original_request_psn(ses);
    const struct uet_track_psn *p = uet_track_find_psn(t->track, t->pdc, !t->forward, psn);
    struct uetx_state *s = p && p->message ? uetx_state_at(p->message->first_frame) : NULL;
    return s ? s->read : NULL;
}

static bool is_data(const struct uet_packet *p)
{
    return p->ses == UET_H_SES_RSP_DATA || p->ses == UET_H_SES_RSP_DATA_SMALL;
}

static uint32_t data_total(const struct uetx_read *read, const struct uet_packet *p)
{
    uint32_t modified =
        p->ses == UET_H_SES_RSP_DATA ? uet_ses_rsp_data_modified_length(uet_ses(p)) : 0;
    return modified ? modified : read->length;
}

static void note_data(struct uetx_state *s, const struct uet_tracked *t)
{
    struct uetx_read *read = read_of(t);
    if (!read)
        return;
    s->read = read;
    s->data_of = read->frame;
    if (s->data_before ||
        (uet_is_ack(&t->packet) && t->request && t->request->acked_by != s->frame))
        return;
    if (!read->first_data_in)
        read->first_data_in = s->frame;
    uint32_t total = data_total(read, &t->packet);
    bool before = read->bytes_seen < total;
    read->bytes_seen += t->packet.payload_len;
    if (before && read->bytes_seen >= total) { /* the last of it */
        s->response_to = read->frame;
        s->response_opcode = read->opcode;
        s->response_time_ns = (int64_t)(s->time_ns - read->time_ns);
    }
}

/* Does this ACK complete its message: a semantic response for its last packet (3.4.2.5)? */
static bool completes(const struct uet_tracked *t)
{
    const struct uet_packet *p = &t->packet;
    const struct uet_track_message *m = t->message;
    if (!m || !t->request || !uet_is_ack(p) || !uet_is_ses_response(p) || is_data(p) ||
        p->ses == UET_H_SES_RSP_NO_RESPONSE || !m->eom_seen || t->request->psn != m->eom_psn)
        return false;
    /* A read is complete when its data are there, or will not come. */
    return !wants_data(m->opcode) || uet_ses_rsp_return_code(uet_ses(p)) > UET_RC_OK;
}

void uetx_message_note(struct uetx_state *s, const struct uet_tracked *t)
{
    const struct uet_packet *p = &t->packet;
    if (!t->pdc || t->mismatch)
        return;
    if (t->message && uet_is_ses_request(p)) {
        s->message_in = t->message->first_frame;
        if (wants_data(t->message->opcode))
            note_read(s, t);
    }
    if (is_data(p))
        note_data(s, t);
    if (completes(t)) {
        const struct uetx_state *first = uetx_state_at(t->message->first_frame);
        s->response_to = t->message->first_frame;
        s->response_opcode = t->message->opcode;
        s->response_time_ns = first ? (int64_t)(s->time_ns - first->time_ns) : 0;
    }
}

static void add_link(struct uetx_pdu *u, proto_tree *tree, int hf, uint32_t frame)
{
    if (frame)
        proto_item_set_generated(proto_tree_add_uint(tree, hf, u->tvb, 0, 0, frame));
}

void uetx_message_links(const struct uetx_state *s, struct uetx_pdu *u, proto_tree *tree)
{
    if (s->message_in != s->frame)
        add_link(u, tree, hf_first_in, s->message_in);
    add_link(u, tree, hf_data_of, s->data_of);
    if (s->read && !s->data_of && PINFO_FD_VISITED(u->pinfo))
        add_link(u, tree, hf_data_in, s->read->first_data_in);
}

/* Where the payload stands in its message. */
struct part {
    uint32_t id; /* of the message: the frame that it begins in */
    uint32_t offset, total;
    uint16_t resource_index;
    enum space space;
    bool whole, last;
};

static void part_of_request(struct part *p, const struct uetx_state *s, const struct uetx_pdu *u,
                            unsigned n)
{
    const uint8_t *ses = uet_ses(&u->p);
    p->id = s ? s->message_in : 0;
    p->offset = uet_ses_message_offset(&u->p);
    p->total = uet_ses_request_length(&u->p);
    p->resource_index = uet_ses_req_resource_index(ses);
    p->space = space_of(uet_ses_req_opcode(ses));
    p->last = uet_ses_req_eom(ses);
    p->whole = uet_ses_req_som(ses) && p->last;
    if (p->total < n)
        p->total = n;
}

static void part_of_data(struct part *p, const struct uetx_state *s, const struct uetx_pdu *u,
                         unsigned n)
{
    const struct uetx_read *read = s ? s->read : NULL;
    if (!read) {
        p->whole = false; /* of what, is not known */
        return;
    }
    p->id = read->frame;
    p->offset =
        u->p.ses == UET_H_SES_RSP_DATA ? uet_ses_rsp_data_message_offset(uet_ses(&u->p)) : 0;
    p->total = data_total(read, &u->p);
    p->resource_index = read->resource_index;
    p->space = space_of(read->opcode);
    p->last = p->offset + n >= p->total;
    p->whole = p->offset == 0 && p->last;
}

/* The message, when this packet is the one that makes it whole; NULL otherwise. */
static tvbuff_t *put_together(const struct part *p, const struct uetx_state *s, struct uetx_pdu *u,
                              unsigned at, unsigned n, proto_tree *sub)
{
    uint32_t limit = uetx_prefs.reassemble_kib * 1024u;
    if (!p->id || !uetx_prefs.reassemble_kib || uetx_seen_before(s) || u->captured < at + n)
        return NULL;
    if (p->total > limit || p->offset > limit) {
        expert_add_info(u->pinfo, u->root, &ei_too_long);
        return NULL;
    }
    col_set_fence(u->pinfo->cinfo, COL_INFO); /* what epan says of the message comes behind */
    fragment_head *head = fragment_add_check(&reassembly, u->tvb, (int)at, u->pinfo, p->id, NULL,
                                             p->offset, n, !p->last);
    return process_reassembled_data(u->tvb, (int)at, u->pinfo, "Reassembled UET message", head,
                                    &items, NULL, sub);
}

static void hand_on(const struct part *p, tvbuff_t *tvb, struct uetx_pdu *u, proto_tree *tree)
{
    dissector_handle_t handle = dissector_get_uint_handle(tables[p->space], p->resource_index);
    if (!handle) {
        call_data_dissector(tvb, u->pinfo, tree);
        return;
    }
    col_append_str(u->pinfo->cinfo, COL_INFO, " | ");
    col_set_fence(u->pinfo->cinfo, COL_INFO);
    call_dissector_only(handle, tvb, u->pinfo, tree, NULL);
}

static void remember_for_decode_as(const struct part *p, packet_info *pinfo)
{
    guint *ri = wmem_new(pinfo->pool, guint);
    *ri = p->resource_index;
    p_set_proto_data(pinfo->pool, pinfo, proto_uetx, p->space, ri);
}

void uetx_message_payload(const struct uetx_state *s, struct uetx_pdu *u, unsigned at, unsigned n,
                          proto_tree *sub, proto_tree *tree)
{
    struct part p = {.whole = true};
    tvbuff_t *payload = tvb_new_subset_length(u->tvb, (gint)at, (gint)n);
    uetx_follow(s, u->pinfo, payload);
    if (uet_is_ses_request(&u->p))
        part_of_request(&p, s, u, n);
    else if (is_data(&u->p))
        part_of_data(&p, s, u, n);
    else {
        call_data_dissector(payload, u->pinfo, tree);
        return;
    }
    if (tree)
        remember_for_decode_as(&p, u->pinfo);
    tvbuff_t *message = p.whole ? payload : put_together(&p, s, u, at, n, sub);
    if (message) {
        uetx_object(s, u, message, p.resource_index);
        hand_on(&p, message, u, tree);
    } else
        call_data_dissector(payload, u->pinfo, tree);
}

/* Decode As: one entry for each space. */

static guint remembered(packet_info *pinfo, enum space space)
{
    const guint *ri = p_get_proto_data(pinfo->pool, pinfo, proto_uetx, space);
    return ri ? *ri : 0;
}

#define DECODE_AS(name, space)                                                                     \
    static void name##_prompt(packet_info *pinfo, gchar *result)                                   \
    {                                                                                              \
        snprintf(result, MAX_DECODE_AS_PROMPT_LEN, "Resource index %u as",                         \
                 remembered(pinfo, space));                                                        \
    }                                                                                              \
    static gpointer name##_value(packet_info *pinfo)                                               \
    {                                                                                              \
        return GUINT_TO_POINTER(remembered(pinfo, space));                                         \
    }                                                                                              \
    static build_valid_func name##_values[] = {name##_value};                                      \
    static decode_as_value_t name##_entry[] = {{name##_prompt, 1, name##_values}};

DECODE_AS(send, SPACE_SEND)
DECODE_AS(tagged, SPACE_TAGGED)
DECODE_AS(rma, SPACE_RMA)

static void register_tables(int proto)
{
    static decode_as_value_t *const entries[SPACES] = {send_entry, tagged_entry, rma_entry};
    static decode_as_t decode_as[SPACES];
    for (int i = 0; i < SPACES; i++) {
        tables[i] =
            register_dissector_table(table_names[i], table_titles[i], proto, FT_UINT16, BASE_DEC);
        dissector_table_allow_decode_as(tables[i]);
        decode_as[i] = (decode_as_t){.name = "uetx",
                                     .table_name = table_names[i],
                                     .num_items = 1,
                                     .values = entries[i],
                                     .populate_list = decode_as_default_populate_list,
                                     .reset_value = decode_as_default_reset,
                                     .change_value = decode_as_default_change};
        register_decode_as(&decode_as[i]);
    }
}

/*
 * What Decode As offers; others add themselves to the tables, as in Lua
 * DissectorTable.get("uetx.ri.send"):add(5, my_proto).
 */
void uetx_message_handoff(void)
{
    static const char *const offered[] = {"http", "json",  "xml", "protobuf", "data-text-lines",
                                          "tls",  "http2", "rpc", "rtps",     "amqp"};
    for (size_t i = 0; i < array_length(offered); i++) {
        dissector_handle_t handle = find_dissector(offered[i]);
        for (int t = 0; handle && t < SPACES; t++)
            dissector_add_for_decode_as(table_names[t], handle);
    }
}

static void register_fields(int proto)
{
    static hf_register_info hf[] = {
        {&hf_first_in,
         {"message begins in", "uetx.message.first_in", FT_FRAMENUM, BASE_NONE, NULL, 0,
          "First captured packet of the message", HFILL}},
        {&hf_data_of,
         {"data of the read in", "uetx.data_of", FT_FRAMENUM, BASE_NONE,
          FRAMENUM_TYPE(FT_FRAMENUM_REQUEST), 0, "The request that these data answer; 3.4.4.2",
          HFILL}},
        {&hf_data_in,
         {"data begin in", "uetx.data_in", FT_FRAMENUM, BASE_NONE,
          FRAMENUM_TYPE(FT_FRAMENUM_RESPONSE), 0, "First data for this request (later pass)",
          HFILL}},
        {&hf_fragments,
         {"packets of the message", "uetx.message.packets", FT_NONE, BASE_NONE, NULL, 0,
          "Packets that the message was put together from", HFILL}},
        {&hf_fragment,
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
        {&hf_reassembled_length,
         {"message length", "uetx.message.length", FT_UINT32, BASE_DEC, NULL, 0,
          "Bytes of the message as put together", HFILL}},
        {&hf_reassembled_data,
         {"message data", "uetx.message.data", FT_BYTES, BASE_NONE, NULL, 0,
          "The message as put together", HFILL}},
    };
    proto_register_field_array(proto, hf, array_length(hf));
}

void uetx_message_register(int proto)
{
    static int *ett[] = {&ett_fragments, &ett_fragment};
    static ei_register_info ei[] = {
        {&ei_too_long,
         {"uetx.message.over_limit", PI_REASSEMBLE, PI_NOTE,
          "The message is longer than preference uetx.reassemble_kib lets be put together",
          EXPFILL}},
    };
    proto_uetx = proto;
    register_fields(proto);
    register_tables(proto);
    proto_register_subtree_array(ett, array_length(ett));
    expert_register_field_array(expert_register_protocol(proto), ei, array_length(ei));
    reassembly_table_register(&reassembly, &addresses_reassembly_table_functions);
}
