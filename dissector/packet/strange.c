/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What stands where the specification lets nothing stand, or nothing that is known: a SES header
 * after a PDS header that has none, and Negotiation elements of unknown types. Both are shown as
 * what they say they are, and remarked.
 */
#include "dissector/uetx.h"

#define WORD 4 /* neg_length counts these (3.5.16.7.1) */

static expert_field ei_ses = EI_INIT;
static expert_field ei_element = EI_INIT;
static expert_field ei_length = EI_INIT;
static int hf_element = UETX_NO_ID;
static int ett_element = UETX_NO_ID;

/* The SES header that next_hdr names, whatever PDS header it stands in. */
static enum uet_header_id named_by_next_hdr(const uint8_t *pds, const uint8_t *ses)
{
    enum uet_header_id id = uet_next_rud_rod_req(pds, ses);
    return id != UET_H_NONE ? id : uet_next_ack(pds, ses);
}

static void show_ses(struct uetx_pdu *u, proto_tree *tree)
{
    unsigned at = u->p.payload_offset;
    if (u->p.error != UET_PARSE_PDS_NEXT_HDR || !u->p.pds || at + 2 > u->captured)
        return;
    enum uet_header_id id = named_by_next_hdr(u->p.frame, u->p.frame + at);
    if (id == UET_H_NONE || at + uet_headers[id].bytes > u->captured ||
        at + uet_headers[id].bytes > u->end)
        return;
    proto_tree *sub = uetx_walk_header(u, tree, id, at);
    expert_add_info_format(u->pinfo, sub ? proto_tree_get_parent(sub) : NULL, &ei_ses,
                           "No %s may follow a PDS header %s (%s)", uet_headers[id].title,
                           uet_headers[u->p.pds].title, uet_headers[u->p.pds].section);
    u->p.payload_offset = (uint16_t)(at + uet_headers[id].bytes);
}

/* Where the first element stands that the parser did not read; 0: there is none. */
static unsigned first_element(const struct uetx_pdu *u)
{
    const uint8_t *h = u->p.frame;
    if (!uet_is_cp(&u->p) || uet_cp_ctl_type(h) != UET_CTL_NEGOTIATION)
        return 0;
    if (u->p.cp_payload == UET_H_CP_PAYLOAD_NEGOTIATION_ON_OFF)
        return u->p.payload_offset;
    if (u->p.cp_payload != UET_H_NONE)
        return 0;
    unsigned at = uet_header_bytes[u->p.pds] - 4u; /* in the place of the payload */
    bool none = uet_cp_payload_value(h) == 0 && u->end == u->p.payload_offset;
    return none ? 0 : at; /* four bytes of 0: as implementations of before 1.0.3 send it */
}

/* One element; returns how many bytes of the packet it takes. */
static unsigned show_element(struct uetx_pdu *u, proto_tree *tree, unsigned at, unsigned end)
{
    static const uint8_t type = 0, length = 1; /* fields of every element (Table 3-69) */
    const enum uet_header_id form = UET_H_CP_PAYLOAD_NEGOTIATION_ON_OFF;
    const uint8_t *e = u->p.frame + at;
    unsigned says = e[1] * WORD, bytes = says && says < end - at ? says : end - at;
    proto_item *item = proto_tree_add_item(tree, hf_element, u->tvb, (gint)at, (gint)bytes, ENC_NA);
    proto_tree *sub = proto_item_add_subtree(item, ett_element);
    proto_tree_add_item(sub, uetx_field_at(form, type), u->tvb, (gint)at, 1, ENC_BIG_ENDIAN);
    proto_tree_add_item(sub, uetx_field_at(form, length), u->tvb, (gint)at + 1, 1, ENC_BIG_ENDIAN);
    if (!uet_enum_find(UET_ENUM_PDS_NEG_TYPE, e[0]))
        expert_add_info_format(
            u->pinfo, item, &ei_element,
            "Negotiation element of type %u: its meaning is not known (3.5.16.7)", e[0]);
    if (says == 0 || says > end - at)
        expert_add_info_format(u->pinfo, item, &ei_length,
                               "neg_length is %u words, where %u bytes are left (3.5.16.7.1)", e[1],
                               end - at);
    return bytes;
}

static void show_negotiation(struct uetx_pdu *u, proto_tree *tree)
{
    unsigned at = first_element(u), end = u->end < u->captured ? u->end : u->captured;
    if (!at || u->p.error != UET_PARSE_OK || u->partial != UET_H_NONE || uetx_crc_suspect(u))
        return;
    while (at + 2 <= end)
        at += show_element(u, tree, at, end);
    if (at > u->p.payload_offset)
        u->p.payload_offset = (uint16_t)at;
}

void uetx_strange_show(struct uetx_pdu *u, proto_tree *tree)
{
    show_ses(u, tree);
    show_negotiation(u, tree);
}

void uetx_strange_register(int proto)
{
    static hf_register_info hf[] = {
        {&hf_element,
         {"Negotiation element", "uetx.pds.cp.element", FT_BYTES, BASE_NONE, NULL, 0,
          "An element that is not read as PDS_NEG_ON_OFF; section 3.5.16.7", HFILL}},
    };
    static int *ett[] = {&ett_element};
    static ei_register_info ei[] = {
        {&ei_ses,
         {"uetx.malformed.ses_unexpected", PI_UNDECODED, PI_WARN,
          "A SES header after a PDS header that has none", EXPFILL}},
        {&ei_element,
         {"uetx.reserved.element", PI_UNDECODED, PI_NOTE,
          "A Negotiation element whose type is not known (3.5.16.7)", EXPFILL}},
        {&ei_length,
         {"uetx.malformed.neg_length", PI_MALFORMED, PI_WARN,
          "neg_length does not fit what is left (3.5.16.7.1)", EXPFILL}},
    };
    proto_register_field_array(proto, hf, array_length(hf));
    proto_register_subtree_array(ett, array_length(ett));
    expert_register_field_array(expert_register_protocol(proto), ei, array_length(ei));
}
