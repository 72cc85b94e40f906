/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dissector/payload/payload.h"
#include "dissector/payload/reassemble.h"
#include "dissector/state/message.h"
#include "dissector/statistics/tap.h"

#include <epan/decode_as.h>

/* Resource indices count in three spaces (3.4.1.3.3): the same number in two is two things. */
enum space { SPACE_SEND, SPACE_TAGGED, SPACE_RMA, SPACES };

static const char *const table_names[SPACES] = {"uetx.ri.send", "uetx.ri.tagged", "uetx.ri.rma"};
static const char *const table_titles[SPACES] = {"UETX resource index of sends",
                                                 "UETX resource index of tagged sends",
                                                 "UETX resource index of RMA"};
static dissector_table_t tables[SPACES];
static int proto_uetx;

static expert_field ei_too_long = EI_INIT;

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
    p->total = uetx_read_total(read, &u->p);
    p->resource_index = read->resource_index;
    p->space = space_of(read->opcode);
    p->last = p->offset + n >= p->total;
    p->whole = p->offset == 0 && p->last;
}

/* The message, when this packet is the one that makes it whole; NULL otherwise. */
static tvbuff_t *put_together(const struct part *p, const struct uetx_state *s, struct uetx_pdu *u,
                              unsigned at, unsigned n, proto_tree *sub)
{
    uint64_t limit = uetx_prefs.reassemble_kib * UINT64_C(1024);
    if (!p->id || !limit || uetx_seen_before(s) || u->captured < at + n)
        return NULL;
    if (p->total > limit || p->offset + (uint64_t)n > (limit < INT32_MAX ? limit : INT32_MAX)) {
        expert_add_info(u->pinfo, u->root, &ei_too_long);
        return NULL;
    }
    col_set_fence(u->pinfo->cinfo, COL_INFO); /* what is said of the message comes behind */
    const struct uetx_piece piece = {.id = p->id,
                                     .data = uet_is_ses_response_data(&u->p),
                                     .offset = p->offset,
                                     .len = n,
                                     .last = p->last};
    return uetx_reassemble(&piece, u, at, sub);
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

/* Operands of an atomic, results of a fetching one. */
static void show_elements(const struct uetx_state *s, struct uetx_pdu *u, unsigned at, unsigned n,
                          proto_tree *sub)
{
    if (uet_is_ses_response_data(&u->p) && s && s->read)
        uetx_atomic_results_show(u, sub, &s->read->atomic, at, n);
    else
        uetx_atomic_operands_show(u, sub, at, n);
}

void uetx_payload(const struct uetx_state *s, struct uetx_pdu *u, unsigned at, unsigned n,
                  proto_tree *sub, proto_tree *tree)
{
    struct part p = {.whole = true};
    tvbuff_t *payload = tvb_new_subset_length(u->tvb, (gint)at, (gint)n);
    uetx_follow(s, u->pinfo, payload);
    if (uet_is_ses_request(&u->p))
        part_of_request(&p, s, u, n);
    else if (uet_is_ses_response_data(&u->p))
        part_of_data(&p, s, u, n);
    else {
        call_data_dissector(payload, u->pinfo, tree);
        return;
    }
    if (tree)
        remember_for_decode_as(&p, u->pinfo);
    show_elements(s, u, at, n, sub);
    bool all_there = u->captured >= at + n;
    tvbuff_t *message = p.whole ? payload : put_together(&p, s, u, at, n, sub);
    if (message && all_there)
        uetx_object(s, u, message, p.resource_index);
    if (message && (all_there || !u->mirror_cut)) /* of a mirror's cut, epan knows nothing */
        hand_on(&p, message, u, tree);
    else
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
void uetx_payload_handoff(void)
{
    static const char *const offered[] = {"http", "json",  "xml", "protobuf", "data-text-lines",
                                          "tls",  "http2", "rpc", "rtps",     "amqp"};
    for (size_t i = 0; i < array_length(offered); i++) {
        dissector_handle_t handle = find_dissector(offered[i]);
        for (int t = 0; handle && t < SPACES; t++)
            dissector_add_for_decode_as(table_names[t], handle);
    }
}

void uetx_payload_register(int proto)
{
    static ei_register_info ei[] = {
        {&ei_too_long,
         {"uetx.message.over_limit", PI_REASSEMBLE, PI_NOTE,
          "The message is longer than preference uetx.reassemble_kib lets be put together",
          EXPFILL}},
    };
    proto_uetx = proto;
    register_tables(proto);
    expert_register_field_array(expert_register_protocol(proto), ei, array_length(ei));
    uetx_reassemble_register(proto);
}
