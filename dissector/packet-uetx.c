/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ultra Ethernet Transport for Wireshark, from the tables of spec-map. The protocol is "uetx" in
 * every release, so that filters keep their meaning beside the built-in "uet" of Wireshark 5.
 */
#include "dissector/packet/atomic.h"
#include "dissector/payload/payload.h"
#include "dissector/sealed/tss.h"
#include "dissector/state/deferred.h"
#include "dissector/state/message.h"
#include "dissector/state/rendezvous.h"
#include "dissector/state/state.h"
#include "dissector/statistics/tap.h"
#include "dissector/uetx.h"
#include "wire/print.h"

#define PORT_FIELD "udp.port"

WS_DLL_PUBLIC_DEF const gchar plugin_version[] = UETX_VERSION;
WS_DLL_PUBLIC_DEF const int plugin_want_major = WIRESHARK_VERSION_MAJOR;
WS_DLL_PUBLIC_DEF const int plugin_want_minor = WIRESHARK_VERSION_MINOR;
WS_DLL_PUBLIC void plugin_register(void);
WS_DLL_PUBLIC uint32_t plugin_describe(void); /* asked for since 4.4 */

static int proto_uetx = UETX_NO_ID;
static int hf_payload_length = UETX_NO_ID;
static int ett_uetx = UETX_NO_ID;
static dissector_handle_t handle, native_handle;

/* One packet: as captured, and as it reads when it is secured. */
struct packet {
    struct uetx_pdu raw;  /* TSS header first when secured, else PDS */
    struct uetx_pdu open; /* PDS first; meaningful when secured and decrypted */
    struct uetx_pdu *u;   /* the one to dissect */
    bool secured;
    struct uetx_tss tss; /* meaningful when secured */
};

/*
 * The bytes of the packet. Under a sanitizer they are a copy of exactly that size, so that a read
 * past the captured end is seen; epan's own buffer is larger.
 */
static const uint8_t *bytes_of(tvbuff_t *tvb, packet_info *pinfo, unsigned n)
{
    static const uint8_t none[1];
    if (n == 0)
        return none; /* that one may point into */
#if UETX_SANITIZED
    return (const uint8_t *)tvb_memdup(pinfo->pool, tvb, 0, n);
#else
    (void)pinfo;
    return tvb_get_ptr(tvb, 0, (gint)n);
#endif
}

static void begin(struct uetx_pdu *u, tvbuff_t *tvb, packet_info *pinfo)
{
    *u = (struct uetx_pdu){.tvb = tvb, .pinfo = pinfo};
    guint length = tvb_reported_length(tvb);
    u->p.len = length < UINT16_MAX ? length : UINT16_MAX; /* what a UDP length can say */
    u->captured = tvb_captured_length(tvb);
    if (u->captured > u->p.len)
        u->captured = u->p.len;
    u->p.frame = bytes_of(tvb, pinfo, u->captured);
    u->p.in_frame = (uint16_t)tvb_raw_offset(tvb);
    u->end = u->p.len;
}

/* Behind a TSS header and in front of an ICV; CRC and ICV exclude each other (3.5.25). */
static void open_secured(struct packet *k)
{
    struct uetx_pdu *raw = &k->raw, *u = &k->open;
    uetx_tss_open(&k->tss, &raw->below, raw->tvb, raw->pinfo,
                  raw->trimmed || raw->pinfo->flags.in_error_pkt);
    raw->refused = k->tss.status == PROTO_CHECKSUM_E_BAD;
    if (!k->tss.clear)
        return;
    begin(u, k->tss.clear, raw->pinfo);
    u->below = raw->below;
    u->trimmed = raw->trimmed;
    u->mirror_cut = raw->mirror_cut;
    u->trimmed_dscp = raw->trimmed_dscp;
    u->udp_checksum = raw->udp_checksum;
    u->tss = raw->p.frame;
    uetx_tss_seal(&k->tss, raw, &u->seal);
    u->tss_header = k->tss.sp ? UET_H_TSS_HDR_16 : UET_H_TSS_HDR_12;
    u->p.in_frame = (uint16_t)(raw->p.in_frame + uet_header_bytes[u->tss_header]);
    uetx_layout(u);
    k->u = u;
}

static void open_packet(struct packet *k, tvbuff_t *tvb, packet_info *pinfo, bool native)
{
    struct uetx_pdu *u = &k->raw;
    begin(u, tvb, pinfo);
    uetx_below_find(&u->below, tvb, pinfo, native);
    uetx_below_read(u);
    k->u = u;
    k->secured = uetx_tss_is(tvb);
    if (k->secured) {
        open_secured(k);
        return;
    }
    uetx_crc_find(u, (enum uetx_crc_preference)uetx_prefs.crc);
    uetx_layout(u);
}

static const char *crc_text(const struct uetx_pdu *u)
{
    switch ((enum uet_crc_state)u->p.crc_state) {
    case UET_CRC_GOOD:
        return uet_packet_crc_order(&u->p) == UET_CRC_LITTLE_ENDIAN ? " [crc ok, little-endian]"
                                                                    : " [crc ok]";
    case UET_CRC_BAD:
        return " [crc bad]";
    case UET_CRC_UNCHECKED:
        return " [crc unchecked]";
    default:
        return uetx_crc_suspect(u) ? " [crc bad?]" : "";
    }
}

static const char *type_text(const struct uetx_pdu *u)
{
    if (u->p.tss) /* of a draft: its type has four bits */
        return uet_enum_name(UET_ENUM_PDS_TYPE, UET_PDS_TSS);
    return u->captured ? uet_enum_name(UET_ENUM_PDS_TYPE, u->p.frame[0] >> 3) : "UET";
}

/* The first byte of a request header that was cut tells the opcode all the same. */
static void show_cut_opcode(const struct uetx_pdu *u)
{
    if (!uetx_ends_early(u) || !uet_in_ses_req(u->partial) || u->partial_offset >= u->captured)
        return;
    col_append_fstr(u->pinfo->cinfo, COL_INFO, " %s",
                    uet_print_name(UET_ENUM_SES_REQ_OPCODE,
                                   uet_ses_req_opcode(u->p.frame + u->partial_offset)));
}

/* The line that uetcat and the reports print, so that they can be compared. */
static void show_line(const struct uetx_pdu *u, const struct uetx_state *state)
{
    column_info *cinfo = u->pinfo->cinfo;
    char line[UET_LINE_MAX];
    uet_print_line(line, sizeof line, &u->p);
    if (state && uetx_prefs.relative_psn)
        uetx_analysis_relative(state, u, line);
    if (!u->p.pds && !u->p.tss) /* else the line begins with the type */
        col_append_fstr(cinfo, COL_INFO, "%s ", type_text(u));
    col_append_fstr(cinfo, COL_INFO, "%s", line); /* col_append_str goes byte by byte */
    show_cut_opcode(u);
    const char *trailer = u->trimmed ? " [trimmed]" : crc_text(u);
    if (*trailer)
        col_append_str(cinfo, COL_INFO, trailer);
    if (u->mirror_cut)
        col_append_str(cinfo, COL_INFO, " [cut short by the capture]");
    if (state)
        uetx_analysis_columns(state, u);
}

static void show_columns(const struct packet *k, const struct uetx_state *state)
{
    column_info *cinfo = k->u->pinfo->cinfo;
    col_set_str(cinfo, COL_PROTOCOL, "UETX");
    if (!col_get_writable(cinfo, COL_INFO))
        return;
    col_clear(cinfo, COL_INFO);
    if (k->secured)
        uetx_tss_columns(&k->tss, k->u);
    if (!k->secured || k->tss.clear)
        show_line(k->u, state);
}

static proto_tree *show_root(struct packet *k, tvbuff_t *tvb, proto_tree *tree)
{
    proto_item *root = proto_tree_add_item(tree, proto_uetx, tvb, 0, -1, ENC_NA);
    proto_item_append_text(root, ", %s%s", k->secured && k->tss.clear ? "TSS, " : "",
                           type_text(k->u));
    k->raw.root = k->u->root = root;
    return proto_item_add_subtree(root, ett_uetx);
}

/* The bytes after the headers: payload, or what could not be decoded. */
static void show_payload(struct uetx_pdu *u, const struct uetx_state *state, proto_tree *sub,
                         proto_tree *tree)
{
    gint at = u->p.payload_offset;
    if (u->p.pds == UET_H_NONE && !u->p.tss && u->end >= UET_PDS_PROLOGUE_BYTES)
        at = UET_PDS_PROLOGUE_BYTES; /* the prologue was shown */
    gint n = (gint)u->end - at;
    if (u->partial != UET_H_NONE || n <= 0 || uetx_vendor_packet(u, tree))
        return;
    if (u->p.error != UET_PARSE_OK && u->p.error != UET_PARSE_CRC_BAD) {
        call_data_dissector(tvb_new_subset_length(u->tvb, at, n), u->pinfo, tree);
        return;
    }
    proto_item *item = proto_tree_add_uint(sub, hf_payload_length, u->tvb, at, n, (guint32)n);
    proto_item_set_generated(item);
    if (uetx_crc_suspect(u))
        uetx_expert_crc_suspect(u, item);
    if (!uetx_vendor_payload(u, (unsigned)at, (unsigned)n, tree))
        uetx_payload(state, u, (unsigned)at, (unsigned)n, sub, tree);
}

/* PDS and what follows it. */
static void show_open(struct uetx_pdu *u, proto_tree *sub)
{
    uetx_walk(u, sub);
    uetx_strange_show(u, sub);
    if (uetx_ends_early(u))
        uetx_walk_partial(u, sub);
    uetx_crc_show(u, sub);
    uetx_expert(u);
}

static void show(struct packet *k, tvbuff_t *tvb, proto_tree *tree)
{
    struct uetx_pdu *u = k->u;
    bool open = !k->secured || k->tss.clear;
    const struct uetx_state *state = open ? uetx_state_of(u) : NULL; /* even without a tree */
    show_columns(k, state);
    proto_tree *sub = show_root(k, tvb, tree);
    uetx_below_show(&k->raw, tvb, sub);
    if (k->secured)
        uetx_tss_show_header(&k->tss, &k->raw, sub);
    if (open)
        show_open(u, sub);
    if (tree)
        uetx_conversation_note(u, state);
    uetx_tap(u, state, k->secured ? k->tss.status : UETX_TAP_NONE);
    if (k->secured)
        uetx_tss_show_icv(&k->tss, &k->raw, sub);
    const struct uetx_state *sealed = open ? NULL : uetx_state_of_sealed(u);
    if (sealed) /* its header tells something to the rules */
        uetx_judge_show(sealed, u, sub);
    if (state)
        uetx_analysis_show(state, u, sub);
    if (!open)
        return;
    uetx_export(u);
    show_payload(u, state, sub, tree);
    if (!uetx_ends_early(u))
        uetx_walk_partial(u, sub);
}

static int dissect_udp(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data _U_)
{
    struct packet k;
    open_packet(&k, tvb, pinfo, false);
    show(&k, tvb, tree);
    return (int)tvb_captured_length(tvb);
}

static int show_short_entropy(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree)
{
    struct uetx_pdu u = {.tvb = tvb, .pinfo = pinfo};
    col_set_str(pinfo->cinfo, COL_PROTOCOL, "UETX");
    col_set_str(pinfo->cinfo, COL_INFO, "UET ! entropy header cut short");
    u.root = proto_tree_add_item(tree, proto_uetx, tvb, 0, -1, ENC_NA);
    if (tvb_reported_length(tvb) >= UET_ENTROPY_BYTES) /* the capture was cut: epan says so */
        tvb_ensure_bytes_exist(tvb, 0, UET_ENTROPY_BYTES);
    u.p.error = UET_PARSE_ENTROPY_SHORT;
    uetx_expert(&u);
    return (int)tvb_captured_length(tvb);
}

/* UET right above IP: an entropy header stands where UDP would be (3.5.10.1). */
static int dissect_native(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data _U_)
{
    struct packet k;
    if (tvb_captured_length(tvb) < UET_ENTROPY_BYTES)
        return show_short_entropy(tvb, pinfo, tree);
    open_packet(&k, tvb_new_subset_remaining(tvb, UET_ENTROPY_BYTES), pinfo, true);
    show(&k, tvb, tree);
    return (int)tvb_captured_length(tvb);
}

/* Nobody else's bytes: whole known headers, reserved bits 0, and the port, a CRC or an ICV. */
static bool is_uet(const struct packet *k)
{
    const struct uetx_pdu *u = k->u;
    bool to_uet = u->pinfo->destport == UET_UDP_PORT;
    if (k->secured)
        return k->tss.status == PROTO_CHECKSUM_E_GOOD ||
               (to_uet && !uetx_reserved_in(UET_H_TSS_HDR_12, k->raw.p.frame, k->raw.captured));
    if (!u->p.pds || u->p.error != UET_PARSE_OK || uetx_reserved_set(u))
        return false;
    return u->p.crc_state == UET_CRC_GOOD || to_uet;
}

/*
 * For traffic that the port does not claim: UET on another port, or entropy values that happen to
 * be another protocol's port.
 */
static uetx_bool_t dissect_heuristic(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree,
                                     void *data _U_)
{
    struct packet k;
    open_packet(&k, tvb, pinfo, false);
    if (!is_uet(&k))
        return FALSE;
    show(&k, tvb, tree);
    return TRUE;
}

static void register_statistics(int proto)
{
    uetx_tap_register();
    uetx_counters_register();
    uetx_trees_register();
    uetx_pdc_table_register();
    uetx_times_register(proto);
    uetx_export_register();
    uetx_objects_register(proto);
    uetx_follow_register(proto);
    uetx_flow_register(proto);
    uetx_conversations_register(proto);
    uetx_conversation_filter_register(proto);
}

static void register_protoinfo(void)
{
    static hf_register_info hf[] = {
        {&hf_payload_length,
         {"payload length", "uetx.payload_length", FT_UINT32, BASE_DEC, NULL, 0,
          "Bytes after the last header, without the CRC trailer", HFILL}},
    };
    static int *ett[] = {&ett_uetx};
    proto_uetx = proto_register_protocol("Ultra Ethernet Transport (uetkit)", "UETX", "uetx");
    uetx_fields_register(proto_uetx);
    uetx_walk_register(proto_uetx);
    uetx_values_register(proto_uetx);
    uetx_vendor_register(proto_uetx);
    uetx_below_register(proto_uetx);
    uetx_computed_register(proto_uetx);
    uetx_atomic_register(proto_uetx);
    uetx_crc_register(proto_uetx);
    uetx_expert_register(proto_uetx);
    uetx_strange_register(proto_uetx);
    uetx_tss_register(proto_uetx);
    uetx_state_register();
    uetx_analysis_register(proto_uetx);
    uetx_judge_register(proto_uetx);
    uetx_message_register(proto_uetx);
    uetx_payload_register(proto_uetx);
    uetx_deferred_register(proto_uetx);
    uetx_rendezvous_register(proto_uetx);
    register_statistics(proto_uetx);
    proto_register_field_array(proto_uetx, hf, array_length(hf));
    proto_register_subtree_array(ett, array_length(ett));
    uetx_prefs_register(proto_uetx);
    handle = register_dissector("uetx", dissect_udp, proto_uetx);
    native_handle = register_dissector("uetx.native", dissect_native, proto_uetx);
}

static void register_handoff(void)
{
    dissector_add_uint_with_preference(PORT_FIELD, UET_UDP_PORT, handle);
    dissector_add_for_decode_as_with_preference("ip.proto", native_handle);
    uetx_payload_handoff();
    heur_dissector_add("udp", dissect_heuristic, "Ultra Ethernet Transport over UDP", "uetx_udp",
                       proto_uetx, HEURISTIC_DISABLE);
}

void plugin_register(void)
{
    static proto_plugin plugin = {register_protoinfo, register_handoff};
    proto_register_plugin(&plugin);
}

uint32_t plugin_describe(void)
{
    return 1; /* a dissector */
}
