/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the specification leaves to vendors goes to tables, for a dissector of the vendor's own (in
 * Lua: DissectorTable.get("uetx.vendor.opcode"):add(0x30, my_proto)). Without one the bytes are
 * shown as they are.
 */
#include "dissector/uetx.h"

enum table { PDS_TYPE, OPCODE, CC_TYPE, CCX_TYPE, NCCX_TYPE, TABLES };

static const struct {
    const char *name, *title;
    uint32_t low, high; /* the values that belong to vendors, or to nobody yet (PDS types) */
} about[TABLES] = {
    [PDS_TYPE] = {"uetx.vendor.pds_type",
                  "UETX PDS type (3.5.10.2): the packet from its prologue "
                  "on",
                  15, 31},
    [OPCODE] = {"uetx.vendor.opcode",
                "UETX vendor opcode (Table 3-17): what follows the SES header",
                UET_OP_VENDOR_DEFINED_0, UET_OP_VENDOR_DEFINED_14},
    [CC_TYPE] = {"uetx.vendor.cc_type", "UETX vendor cc_type (Table 3-48): ack_cc_state", 14, 15},
    [CCX_TYPE] = {"uetx.vendor.ccx_type", "UETX vendor ccx_type (Table 3-49): ack_ccx_state", 14,
                  15},
    [NCCX_TYPE] = {"uetx.vendor.nccx_type",
                   "UETX vendor nccx_type (Table 3-41): the last 16 bytes "
                   "of NACK_CCX, nccx_type first",
                   14, 15},
};

static dissector_table_t tables[TABLES];

static bool hand_on(enum table t, uint32_t value, tvbuff_t *tvb, const struct uetx_pdu *u,
                    proto_tree *tree)
{
    if (value < about[t].low || value > about[t].high)
        return false;
    return dissector_try_uint(tables[t], value, tvb, u->pinfo, tree) != 0;
}

bool uetx_vendor_packet(const struct uetx_pdu *u, proto_tree *tree)
{
    if (u->p.error != UET_PARSE_PDS_TYPE || !u->captured)
        return false;
    return hand_on(PDS_TYPE, uet_pds_prologue_type(u->p.frame),
                   tvb_new_subset_length(u->tvb, 0, (gint)u->end), u, tree);
}

bool uetx_vendor_payload(const struct uetx_pdu *u, unsigned at, unsigned n, proto_tree *tree)
{
    if (!uet_is_ses_request(&u->p))
        return false;
    return hand_on(OPCODE, uet_ses_req_opcode(uet_ses(&u->p)),
                   tvb_new_subset_length(u->tvb, (gint)at, (gint)n), u, tree);
}

/* The state of a header that has one: where it begins, how long it is, whose it is. */
void uetx_vendor_state(const struct uetx_pdu *u, enum uet_header_id id, unsigned at,
                       proto_tree *tree)
{
    const uint8_t *h = u->p.frame + at;
    unsigned place = 0, n = 0;
    enum table t = TABLES;
    uint32_t value = 0;
    if (id != u->p.pds || at + uet_headers[id].bytes > u->captured)
        return;
    if (uet_is_ack_cc(&u->p))
        t = CC_TYPE, value = uet_ack_cc_type(h), place = 24, n = 8;
    else if (uet_is_ack_ccx(&u->p))
        t = CCX_TYPE, value = uet_ack_ccx_type(h), place = 24, n = 16;
    else if (uet_is_nack_ccx(&u->p))
        t = NCCX_TYPE, value = uet_nack_ccx_nccx_type(h), place = 16, n = 16;
    if (t != TABLES)
        hand_on(t, value, tvb_new_subset_length(u->tvb, (gint)(at + place), (gint)n), u, tree);
}

void uetx_vendor_register(int proto)
{
    for (int t = 0; t < TABLES; t++)
        tables[t] =
            register_dissector_table(about[t].name, about[t].title, proto, FT_UINT8, BASE_DEC);
}
