/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What follows from the fields, as items in square brackets. */
#include "dissector/packet/atomic.h"

#include "wire/layers.h"

#define SACK_BITS 64

/* The values of wire/layers.h under their display filters. */
struct shown {
    const char *name; /* as uet_computed() calls it */
    int hf;
};

static int hf_sacked = UETX_NO_ID;
static int hf_immediate = UETX_NO_ID;
static int hf_memory_key = UETX_NO_ID;
static int hf_match_bits = UETX_NO_ID;
static int hf_nack_class = UETX_NO_ID;
static int hf_nack_action = UETX_NO_ID;
static int hf_expected_psn = UETX_NO_ID;
static int hf_new_start_psn = UETX_NO_ID;
static int hf_semantic_control = UETX_NO_ID;
static int hf_other = UETX_NO_ID;
static int ett_sacked = UETX_NO_ID;

static struct shown shown[] = {{"start_psn", UETX_NO_ID},       {"clear_psn", UETX_NO_ID},
                               {"ack_psn", UETX_NO_ID},         {"sack_psn", UETX_NO_ID},
                               {"mp_range", UETX_NO_ID},        {"service_time_ns", UETX_NO_ID},
                               {"rcvd_bytes_total", UETX_NO_ID}};

static int hf_of(const char *name)
{
    for (size_t i = 0; i < array_length(shown); i++)
        if (strcmp(shown[i].name, name) == 0)
            return shown[i].hf;
    return UETX_NO_ID;
}

static proto_item *add_number(struct uetx_pdu *u, proto_tree *tree, int hf, uint64_t value)
{
    bool narrow = FT_IS_UINT32(proto_registrar_get_ftype(hf));
    proto_item *item = narrow ? proto_tree_add_uint(tree, hf, u->tvb, 0, 0, (guint32)value)
                              : proto_tree_add_uint64(tree, hf, u->tvb, 0, 0, value);
    proto_item_set_generated(item);
    return item;
}

/* What a value means at the ends of its range. */
static void explain(proto_item *item, const char *name, uint64_t value)
{
    if (strcmp(name, "mp_range") == 0 && value == 0)
        proto_item_append_text(item, " (no limit, or not valid: sources differ)"); /* 3.5.10.6 */
    if (strcmp(name, "service_time_ns") == 0 && value == 0)
        proto_item_append_text(item, " (not valid)");
    if (strcmp(name, "service_time_ns") == 0 && value == UINT16_MAX * UINT64_C(128))
        proto_item_append_text(item, " (or more)");
}

static void add_shared(struct uetx_pdu *u, enum uet_header_id id, proto_tree *tree)
{
    struct uet_computed c[UET_COMPUTED_MAX];
    size_t n = uet_computed(&u->p, id, c);
    for (size_t i = 0; i < n; i++) {
        int hf = hf_of(c[i].name);
        if (hf == UETX_NO_ID) { /* new in wire/, not yet named here: shown, and caught by a test */
            proto_item_append_text(add_number(u, tree, hf_other, c[i].value), " (%s)", c[i].name);
            continue;
        }
        explain(add_number(u, tree, hf, c[i].value), c[i].name, c[i].value);
    }
}

static void add_text(struct uetx_pdu *u, proto_tree *tree, int hf, const char *text)
{
    proto_item_set_generated(proto_tree_add_string(tree, hf, u->tvb, 0, 0, text));
}

/* What the code asks of the source (Table 3-58), and what the payload is with it (3.5.10.10). */
static void add_nack(struct uetx_pdu *u, proto_tree *tree)
{
    static const char *const classes[] = {"unknown", "NORMAL", "PDC_ERR", "PDC_FATAL"};
    static const char *const actions[] = {"unknown", "RETX",      "RETRY",
                                          "FAIL",    "GO_BACK_N", "RENUMBER"};
    const uint8_t *h = uet_pds(&u->p);
    const struct uet_nack_info *n = &uet_nack_table[uet_nack_nack_code(h)];
    if (n->nack_class < array_length(classes) && n->nack_class != UET_CLASS_NONE)
        add_text(u, tree, hf_nack_class, classes[n->nack_class]);
    if (n->action < array_length(actions) && n->action != UET_ACTION_NONE)
        add_text(u, tree, hf_nack_action, actions[n->action]);
    if (uet_nack_nack_code(h) == UET_NACK_ROD_OOO)
        add_number(u, tree, hf_expected_psn, uet_nack_payload(h));
    if (uet_nack_nack_code(h) == UET_NACK_NEW_START_PSN)
        add_number(u, tree, hf_new_start_psn, uet_nack_payload(h));
}

/* match_bits_or_memory_key by what the opcode makes of it (3.4.1.3.5). */
static void add_key(struct uetx_pdu *u, proto_tree *tree)
{
    if (uet_is_ses_deferrable(&u->p)) /* has match_bits under that name (3.4.2.1) */
        return;
    uint64_t value = uet_ses_req_match_bits_or_memory_key(uet_ses(&u->p));
    switch (uet_ses_req_opcode(uet_ses(&u->p))) {
    case UET_OP_WRITE:
    case UET_OP_READ:
    case UET_OP_ATOMIC:
    case UET_OP_FETCHING_ATOMIC:
        add_number(u, tree, hf_memory_key, value);
        return;
    case UET_OP_TAGGED_SEND:
    case UET_OP_RENDEZVOUS_TSEND:
    case UET_OP_DEFERRABLE_TSEND:
    case UET_OP_TSEND_ATOMIC:
    case UET_OP_TSEND_FETCH_ATOMIC:
        add_number(u, tree, hf_match_bits, value);
        return;
    default:
        return;
    }
}

/* A WRITE whose header_data is valid is a write with immediate (3.4.1.9). */
static void add_immediate(struct uetx_pdu *u, proto_tree *tree)
{
    const uint8_t *s = uet_ses(&u->p);
    if (uet_ses_req_opcode(s) != UET_OP_WRITE)
        return;
    if (u->p.ses == UET_H_SES_REQ_STD_SOM1 && uet_ses_req_hd(s))
        add_number(u, tree, hf_immediate, uet_ses_req_std_header_data(s));
    if (u->p.ses == UET_H_SES_REQ_MEDIUM_MSG)
        add_number(u, tree, hf_immediate, uet_ses_req_medium_header_data(s));
}

/* The byte of which the atomic extensions' semctl fields are the bits (3.4.2.4). */
static void add_semantic_control(struct uetx_pdu *u, enum uet_header_id id, proto_tree *tree)
{
    static const int after = 2; /* atomic_opcode, atomic_datatype */
    if (!tree || !uet_in_ses_ext_atomic(id))
        return;
    proto_item *item = proto_tree_add_item(tree, hf_semantic_control, u->tvb,
                                           u->p.ext_offset + after, 1, ENC_BIG_ENDIAN);
    proto_item_set_hidden(item);
}

void uetx_computed_show(struct uetx_pdu *u, enum uet_header_id id, proto_tree *tree)
{
    if (id == u->partial) /* not all of its bytes were captured */
        return;
    add_shared(u, id, tree);
    add_semantic_control(u, id, tree);
    if (id == u->p.ext)
        uetx_atomic_extension_show(u, tree);
    if (id == u->p.pds && uet_is_nack(&u->p))
        add_nack(u, tree);
    if (id != u->p.ses || !uet_is_ses_request(&u->p))
        return;
    if (id != UET_H_SES_REQ_SMALL)
        add_key(u, tree);
    add_immediate(u, tree);
}

void uetx_sacked_show(struct uetx_pdu *u, proto_item *bitmap)
{
    const uint8_t *h = uet_pds(&u->p);
    if (!uet_has_sack(&u->p))
        return;
    uint64_t bits = uet_ack_cc_sack_bitmap(h);
    uint32_t base = uet_psn_add(uet_ack_cack_psn(h), uet_ack_cc_sack_psn_offset(h));
    proto_item_append_text(bitmap, ", %d received", __builtin_popcountll(bits));
    proto_tree *tree = proto_item_add_subtree(bitmap, ett_sacked);
    for (unsigned i = 0; i < SACK_BITS; i++)
        if (bits >> i & 1) /* least significant bit first (3.5.11.14) */
            add_number(u, tree, hf_sacked, base + i);
}

static void register_shared(int proto)
{
    static hf_register_info hf[] = {
        {&shown[0].hf,
         {"start_psn", "uetx.pds.start_psn", FT_UINT32, BASE_HEX, NULL, 0,
          "Start_PSN: psn - psn_offset; 3.5.8.2", HFILL}},
        {&shown[2].hf,
         {"ack_psn", "uetx.pds.ack_psn", FT_UINT32, BASE_HEX, NULL, 0,
          "ACK_PSN: cack_psn + ack_psn_offset; 3.5.11.4.6", HFILL}},
        {&shown[3].hf,
         {"sack_psn", "uetx.pds.sack_psn", FT_UINT32, BASE_HEX, NULL, 0,
          "SACK_PSN: cack_psn + sack_psn_offset; 3.5.10.6", HFILL}},
        {&shown[4].hf,
         {"mp_range", "uetx.pds.mp_range", FT_UINT32, BASE_DEC, NULL, 0,
          "MP_RANGE in PSNs: mpr * 128; 3.5.10.6", HFILL}},
        {&shown[5].hf,
         {"service_time_ns", "uetx.pds.nscc.service_time_ns", FT_UINT32, BASE_DEC, NULL, 0,
          "service_time in nanoseconds; 3.6.9.2", HFILL}},
        {&shown[6].hf,
         {"rcvd_bytes_total", "uetx.pds.nscc.rcvd_bytes_total", FT_UINT64, BASE_DEC, NULL, 0,
          "rcvd_bytes in bytes, modulo 2^32; 3.6.9.2", HFILL}},
    };
    proto_register_field_array(proto, hf, array_length(hf));
    shown[1].hf = uetx_field(UET_F_PDS_CLEAR_PSN); /* one meaning, one field */
}

void uetx_computed_register(int proto)
{
    static hf_register_info hf[] = {
        {&hf_sacked,
         {"sacked", "uetx.pds.sacked", FT_UINT32, BASE_HEX, NULL, 0,
          "A PSN that the SACK bitmap reports received; 3.5.11.14", HFILL}},
        {&hf_immediate,
         {"immediate", "uetx.ses.immediate", FT_UINT64, BASE_HEX, NULL, 0,
          "header_data of a write with immediate; 3.4.1.9", HFILL}},
        {&hf_memory_key,
         {"memory_key", "uetx.ses.memory_key", FT_UINT64, BASE_HEX, NULL, 0,
          "match_bits_or_memory_key of an RMA opcode; 3.4.1.3.5", HFILL}},
        {&hf_nack_class,
         {"class", "uetx.pds.nack_class", FT_STRING, BASE_NONE, NULL, 0,
          "What the code says of the PDC; Table 3-58", HFILL}},
        {&hf_nack_action,
         {"action", "uetx.pds.nack_action", FT_STRING, BASE_NONE, NULL, 0,
          "What the source is to do; Table 3-58", HFILL}},
        {&hf_expected_psn,
         {"expected_psn", "uetx.pds.expected_psn", FT_UINT32, BASE_HEX, NULL, 0,
          "Expected_PSN: payload of UET_ROD_OOO; 3.5.10.10", HFILL}},
        {&hf_new_start_psn,
         {"new_start_psn", "uetx.pds.new_start_psn", FT_UINT32, BASE_HEX, NULL, 0,
          "Start_PSN to use: payload of UET_NEW_START_PSN; 3.5.10.10", HFILL}},
        {&hf_semantic_control,
         {"semantic_control", "uetx.ses.semantic_control", FT_UINT8, BASE_DEC, NULL, 0,
          "The byte of semctl_vendor, semctl_cpu_coherent and semctl_cacheable; 3.4.2.4", HFILL}},
        {&hf_other,
         {"computed", "uetx.computed", FT_UINT64, BASE_DEC, NULL, 0,
          "A value that follows from the fields and has no filter of its own", HFILL}},
    };
    static int *ett[] = {&ett_sacked};
    register_shared(proto);
    hf_match_bits = uetx_field_named("uetx.ses.match_bits"); /* a deferrable send has it as is */
    proto_register_field_array(proto, hf, array_length(hf));
    proto_register_subtree_array(ett, array_length(ett));
}
