/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The headers of a packet as subtrees, field by field from the tables of spec-map. */
#include "dissector/uetx.h"

static int hf_pds = UETX_NO_ID;
static int hf_ses = UETX_NO_ID;
static int hf_tss = UETX_NO_ID;
static int hf_native = UETX_NO_ID;
static int hf_reserved = UETX_NO_ID;
static int hf_pdcid = UETX_NO_ID;
static int ett_header[UET_H_COUNT];
static int ett_flags = UETX_NO_ID;

static bool is_variant(enum uet_header_id id)
{
    return uet_headers[id].implementation[0] != '\0';
}

/* Is there something to remark in it? Asked when there is no tree. */
static bool any_remark(const struct uetx_pdu *u, enum uet_header_id id, unsigned at)
{
    if (at >= u->captured)
        return false;
    if (is_variant(id))
        return true;
    const uint8_t *h = u->p.frame + at;
    return uetx_reserved_in(id, h, u->captured - at) || uetx_values_in(id, h, u->captured - at);
}

/* ... in it or in what stands inside it? */
static bool any_remark_inside(const struct uetx_pdu *u, enum uet_header_id id, unsigned at)
{
    const uint8_t *key = NULL;
    if (any_remark(u, id, at))
        return true;
    if (id == u->p.pds)
        return (u->p.cp_payload && any_remark(u, u->p.cp_payload, u->p.cp_payload_offset)) ||
               (u->p.cc_state && any_remark(u, u->p.cc_state, u->p.cc_state_offset));
    enum uet_header_id inner = id == u->p.ses ? uet_memory_key(&u->p, &key) : UET_H_NONE;
    return inner && any_remark(u, inner, (unsigned)(key - u->p.frame));
}

static bool any_reserved(const struct uetx_pdu *u, enum uet_header_id id, unsigned at)
{
    return id && at < u->captured && uetx_reserved_in(id, u->p.frame + at, u->captured - at);
}

bool uetx_reserved_set(const struct uetx_pdu *u)
{
    return any_reserved(u, (enum uet_header_id)u->p.pds, 0) ||
           any_reserved(u, (enum uet_header_id)u->p.cp_payload, u->p.cp_payload_offset) ||
           any_reserved(u, (enum uet_header_id)u->p.ses, u->p.ses_offset) ||
           any_reserved(u, (enum uet_header_id)u->p.ext, u->p.ext_offset);
}

static proto_item *add_bits(proto_tree *tree, int hf, tvbuff_t *tvb, unsigned at,
                            const struct uet_field *f)
{
    unsigned bit = at * 8 + f->bit_offset;
    if (bit % 8 == 0 && f->width % 8 == 0)
        return proto_tree_add_item(tree, hf, tvb, (gint)(bit / 8), f->width / 8, ENC_BIG_ENDIAN);
    return proto_tree_add_bits_item(tree, hf, tvb, bit, f->width, ENC_BIG_ENDIAN);
}

/* Remarks are made when the tree stands; they hang on the items kept here. */
static void keep(struct uetx_pdu *u, int hf, proto_item *item)
{
    if (hf == uetx_field(UET_F_PDS_TYPE))
        u->type_item = item;
    else if (hf == uetx_field(UET_F_PDS_NEXT_HDR) ||
             hf == uetx_field(UET_F_PDS_NEXT_HDR_OR_CTL_TYPE))
        u->next_hdr_item = item;
    else if (hf == uetx_field(UET_F_PDS_NACK_CODE))
        u->nack_code_item = item;
    else if (hf == uetx_field(UET_F_SES_RETURN_CODE))
        u->return_code_item = item;
    else if (hf == uetx_field(UET_F_SES_OPCODE))
        u->opcode_item = item;
}

static void add_reserved(struct uetx_pdu *u, proto_tree *tree, enum uet_header_id id, unsigned at,
                         const struct uet_field *f)
{
    if (at + (f->bit_offset + f->width + 7u) / 8 > u->captured ||
        uet_field_get(f, u->p.frame + at) == 0)
        return;
    proto_item *item = proto_tree_add_bits_item(tree, hf_reserved, u->tvb, at * 8 + f->bit_offset,
                                                f->width, ENC_BIG_ENDIAN);
    proto_item_append_text(item, " (%s)", f->name);
    if (uetx_reserved_bits(id, f, u->p.frame + at))
        uetx_expert_reserved(u, item, f);
}

static proto_item *add_field(struct uetx_pdu *u, proto_tree *tree, enum uet_header_id id,
                             unsigned i, unsigned at)
{
    const struct uet_field *f = uet_headers[id].fields[i];
    int hf = uetx_field_at(id, i);
    if (hf == UETX_NO_ID) {
        add_reserved(u, tree, id, at, f);
        return NULL;
    }
    proto_item *item = add_bits(tree, hf, u->tvb, at, f);
    keep(u, hf, item);
    if (hf == uetx_field(UET_F_PDS_SPDCID) || hf == uetx_field(UET_F_PDS_DPDCID))
        proto_item_set_hidden(add_bits(tree, hf_pdcid, u->tvb, at, f));
    if (hf == uetx_field(UET_F_PDS_SACK_BITMAP))
        uetx_sacked_show(u, item);
    uetx_value_remark(u, item, f, at);
    return item;
}

static bool is_flag(const struct uet_field *f)
{
    return strncmp(f->name, "flags.", 6) == 0;
}

/* The item above the flags, from first to last, with the names of those that are set. */
static proto_tree *add_flags(struct uetx_pdu *u, proto_tree *tree, unsigned at,
                             const struct uet_field *const *first, unsigned n)
{
    struct uet_field all = *first[0];
    unsigned i;
    for (i = 0; i < n && is_flag(first[i]); i++)
        all.width = (uint16_t)(first[i]->bit_offset + first[i]->width - all.bit_offset);
    proto_item *item = add_bits(tree, uetx_field(UET_F_PDS_FLAGS), u->tvb, at, &all);
    for (unsigned j = 0; j < i; j++)
        if (first[j]->kind == UET_KIND_FLAG && uet_field_get(first[j], u->p.frame + at))
            proto_item_append_text(item, " %s", first[j]->name + strlen("flags."));
    return proto_item_add_subtree(item, ett_flags);
}

/* The header that stands inside the one at `at`, in the place of field f; or UET_H_NONE. */
static enum uet_header_id inside(const struct uetx_pdu *u, unsigned at, const struct uet_field *f)
{
    unsigned place = at + f->bit_offset / 8;
    if (f->bit_offset == 0) /* all of them stand deep in a header */
        return UET_H_NONE;
    if (u->p.cp_payload && u->p.cp_payload_offset == place)
        return (enum uet_header_id)u->p.cp_payload;
    if (u->p.cc_state && u->p.cc_state_offset == place)
        return (enum uet_header_id)u->p.cc_state;
    const uint8_t *key;
    enum uet_header_id id = u->p.ses && at == u->p.ses_offset ? uet_memory_key(&u->p, &key) : 0;
    return id != UET_H_NONE && key == u->p.frame + place ? id : UET_H_NONE;
}

static void add_fields(struct uetx_pdu *u, proto_tree *tree, enum uet_header_id id, unsigned at)
{
    const struct uet_header *h = &uet_headers[id];
    proto_tree *flags = NULL;
    for (unsigned i = 0; i < h->n_fields; i++) {
        const struct uet_field *f = h->fields[i];
        if (uetx_ends_early(u) && at + (f->bit_offset + f->width + 7u) / 8 > u->captured)
            continue; /* a switch or a mirror cut it away */
        if (is_flag(f) && !flags)
            flags = add_flags(u, tree, at, h->fields + i, h->n_fields - i);
        proto_item *item = add_field(u, is_flag(f) ? flags : tree, id, i, at);
        enum uet_header_id part = inside(u, at, f);
        if (part == UET_H_NONE)
            continue;
        proto_item_append_text(item, ", %s (%s)", uet_headers[part].title,
                               uet_headers[part].section);
        proto_item_set_len(item, uet_headers[part].bytes); /* may be longer than the field */
        if (is_variant(part))
            uetx_expert_variant(u, item, &uet_headers[part]);
        add_fields(u, proto_item_add_subtree(item, ett_header[part]), part,
                   at + f->bit_offset / 8u);
    }
    uetx_vendor_state(u, id, at, tree);
    uetx_computed_show(u, id, tree);
}

static const char *opcode_text(const struct uetx_pdu *u, enum uet_header_id id)
{
    const uint8_t *h = u->p.frame + u->p.ses_offset;
    if (id == u->p.ext && uet_in_ses_ext_atomic(id))
        return uet_enum_name(UET_ENUM_AMO_OPCODE, uet_ses_ext_atomic_opcode(uet_ses_ext(&u->p)));
    if (id != u->p.ses)
        return NULL;
    if (uet_is_ses_request(&u->p))
        return uet_enum_name(UET_ENUM_SES_REQ_OPCODE, uet_ses_req_opcode(h));
    return uet_enum_name(UET_ENUM_SES_RETURN_CODE, uet_ses_rsp_return_code(h));
}

static int hf_of_layer(uint8_t layer)
{
    switch ((enum uet_layer)layer) {
    case UET_LAYER_PDS:
        return hf_pds;
    case UET_LAYER_TSS:
        return hf_tss;
    case UET_LAYER_NET:
        return hf_native;
    default:
        return hf_ses;
    }
}

proto_tree *uetx_walk_header(struct uetx_pdu *u, proto_tree *tree, enum uet_header_id id,
                             unsigned at)
{
    const struct uet_header *h = &uet_headers[id];
    if (id == UET_H_NONE || (!tree && !any_remark_inside(u, id, at)))
        return NULL;
    const char *op = opcode_text(u, id);
    bool say_pds = h->layer == UET_LAYER_PDS && id != UET_H_PDS_PROLOGUE; /* its title says so */
    bool cut = uetx_ends_early(u) && at + h->bytes > u->captured;
    gint bytes = (gint)(cut ? u->captured - at : h->bytes);
    proto_item *item = proto_tree_add_none_format(
        tree, hf_of_layer(h->layer), u->tvb, (gint)at, bytes, "%s%s (%s)%s%s%s",
        say_pds ? "PDS " : "", h->title, h->section, op ? ": " : "", op ? op : "",
        cut ? ", the first bytes of it" : "");
    proto_tree *sub = proto_item_add_subtree(item, ett_header[id]);
    if (is_variant(id))
        uetx_expert_variant(u, item, h);
    add_fields(u, sub, id, at);
    return sub;
}

void uetx_walk(struct uetx_pdu *u, proto_tree *tree)
{
    enum uet_header_id pds = (enum uet_header_id)u->p.pds;
    if (pds == UET_H_NONE && u->end >= UET_PDS_PROLOGUE_BYTES &&
        u->captured >= UET_PDS_PROLOGUE_BYTES && !u->partial)
        pds = UET_H_PDS_PROLOGUE;
    if (u->p.tss) /* of a draft: that of the specification is behind us (tss.c) */
        uetx_walk_header(u, tree, (enum uet_header_id)u->p.tss, u->p.tss_offset);
    else
        uetx_walk_header(u, tree, pds, 0);
    if (u->p.ses)
        uetx_walk_header(u, tree, (enum uet_header_id)u->p.ses, u->p.ses_offset);
    if (u->p.sync)
        uetx_walk_header(u, tree, (enum uet_header_id)u->p.sync,
                         u->p.ses_offset + (unsigned)uet_header_bytes[u->p.ses]);
    if (u->p.ext)
        uetx_walk_header(u, tree, (enum uet_header_id)u->p.ext, u->p.ext_offset);
}

void uetx_walk_partial(struct uetx_pdu *u, proto_tree *tree)
{
    if (u->partial == UET_H_NONE || (uetx_ends_early(u) && u->partial_offset >= u->captured))
        return;
    uetx_walk_header(u, tree, u->partial, u->partial_offset);
    if (!uetx_ends_early(u))
        tvb_ensure_bytes_exist(u->tvb, (gint)u->partial_offset, uet_headers[u->partial].bytes);
}

void uetx_walk_register(int proto)
{
    static hf_register_info hf[] = {
        {&hf_pds,
         {"PDS", "uetx.pds", FT_NONE, BASE_NONE, NULL, 0,
          "Packet Delivery Sub-layer header; 3.5.10", HFILL}},
        {&hf_ses,
         {"SES", "uetx.ses", FT_NONE, BASE_NONE, NULL, 0, "Semantic Sub-layer header; 3.4.2",
          HFILL}},
        {&hf_tss,
         {"TSS", "uetx.tss", FT_NONE, BASE_NONE, NULL, 0, "Transport Security Sub-layer; 3.7",
          HFILL}},
        {&hf_native,
         {"entropy header", "uetx.native", FT_NONE, BASE_NONE, NULL, 0,
          "UET right above IP; 3.5.10.1", HFILL}},
        {&hf_reserved,
         {"reserved", "uetx.reserved", FT_UINT32, BASE_HEX, NULL, 0,
          "Reserved bits that are not 0; shown only then", HFILL}},
        {&hf_pdcid,
         {"pdcid", "uetx.pds.pdcid", FT_UINT16, BASE_HEX, NULL, 0,
          "spdcid or dpdcid, whichever matches", HFILL}},
    };
    static int *ett[UET_H_COUNT + 1];
    for (int id = 0; id < UET_H_COUNT; id++) {
        ett_header[id] = UETX_NO_ID;
        ett[id] = &ett_header[id];
    }
    ett[UET_H_COUNT] = &ett_flags;
    proto_register_field_array(proto, hf, array_length(hf));
    proto_register_subtree_array(ett, array_length(ett));
}
