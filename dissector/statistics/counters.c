/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counters: tshark -z uetx,tree; Statistics > UET > Counters. */
#include "dissector/statistics/tap.h"

#include <epan/stats_tree.h>

enum branch {
    TYPES,
    OPCODES,
    RETURN_CODES,
    NACKS,
    CONTROL,
    EVENTS,
    ORDER,
    PROTECTION,
    RULES,
    BRANCHES
};

static const char *const names[BRANCHES] = {"Packets by PDS type",
                                            "Requests by SES opcode",
                                            "Responses by SES return code",
                                            "NACKs by code",
                                            "Control Packets",
                                            "PDCs",
                                            "Order",
                                            "Protection",
                                            "Violations by requirement"};

static int branches[BRANCHES];

static void init(stats_tree *st)
{
    for (int i = 0; i < BRANCHES; i++)
        branches[i] = stats_tree_create_node(st, names[i], 0, STAT_DT_INT, TRUE);
}

static void count(stats_tree *st, enum branch b, const char *name)
{
    tick_stat_node(st, names[b], 0, TRUE);
    tick_stat_node(st, name, branches[b], FALSE);
}

static void count_value(stats_tree *st, enum branch b, uint8_t enumeration, uint16_t value)
{
    if (value != UETX_TAP_NONE)
        count(st, b, uet_enum_name(enumeration, value));
}

static void count_state(stats_tree *st, const struct uetx_state *s)
{
    static const char *const of_pdcs[] = {
        "opened", "established",           "closing", "closed", "refused",
        "failed", "packet after the close"};
    for (unsigned i = 0; i < array_length(of_pdcs); i++)
        if (s->events & 1u << i)
            count(st, EVENTS, of_pdcs[i]);
    if (s->twice_of)
        count(st, ORDER, "captured before");
    if (s->retransmission)
        count(st, ORDER,
              s->acked_before ? "retransmission of what was acknowledged" : "retransmission");
    if (s->duplicate)
        count(st, ORDER, "sent again without flags.retx");
    if (s->gap)
        count(st, ORDER, "after a gap");
    if (s->out_of_order)
        count(st, ORDER, "out of order");
    if (s->stale_cack)
        count(st, ORDER, "stale CACK_PSN");
    for (unsigned i = 0; i < s->n_violations; i++)
        count(st, RULES, s->violations[i].requirement);
}

static void count_protection(stats_tree *st, const struct uetx_tap *t)
{
    static const char *const of_crc[] = {
        [UET_CRC_ABSENT] = "no CRC seen",
        [UET_CRC_GOOD] = "CRC good",
        [UET_CRC_BAD] = "CRC bad",
        [UET_CRC_UNCHECKED] = "CRC not checked",
    };
    if (t->icv_status == UETX_TAP_NONE)
        count(st, PROTECTION, of_crc[t->crc_state]);
    else
        count(st, PROTECTION,
              t->icv_status == PROTO_CHECKSUM_E_GOOD  ? "ICV good"
              : t->icv_status == PROTO_CHECKSUM_E_BAD ? "ICV bad"
                                                      : "ICV not verified");
    if (t->trimmed)
        count(st, PROTECTION, "trimmed");
}

static tap_packet_status packet(stats_tree *st, packet_info *pinfo _U_, epan_dissect_t *edt _U_,
                                const void *data, tap_flags_t flags _U_)
{
    const struct uetx_tap *t = data;
    count_value(st, TYPES, UET_ENUM_PDS_TYPE, t->type);
    count_value(st, OPCODES, UET_ENUM_SES_REQ_OPCODE, t->opcode);
    count_value(st, RETURN_CODES, UET_ENUM_SES_RETURN_CODE, t->return_code);
    count_value(st, NACKS, UET_ENUM_PDS_NACK_CODE, t->nack_code);
    count_value(st, CONTROL, UET_ENUM_PDS_CTL_TYPE, t->ctl_type);
    count_protection(st, t);
    if (t->state)
        count_state(st, t->state);
    return TAP_PACKET_REDRAW;
}

void uetx_counters_register(void)
{
    stats_tree_register_plugin("uetx", "uetx", "UET/Counters", 0, packet, init, NULL);
}
