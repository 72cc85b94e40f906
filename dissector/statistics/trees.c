/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PDCs and times as trees, since Wireshark puts nothing else into a menu of the plugin's:
 * Statistics > UET has them beside the counters; tshark -z uetx_pdcs,tree, -z uetx_times,tree.
 * pdc_table.c and times.c say the same as tables.
 */
#include "dissector/statistics/tap.h"

#include "wire/addr.h"

#include <epan/stats_tree.h>

static const char all_pdcs[] = "PDCs";
static const char responses[] = "Messages: us from the first packet to the response";
static const char acks[] = "Packets: us from the packet to its ACK";
static int pdcs_node, responses_node, acks_node;

static void init_pdcs(stats_tree *st)
{
    pdcs_node = stats_tree_create_node(st, all_pdcs, 0, STAT_DT_INT, TRUE);
}

static int node_of(stats_tree *st, const struct uet_track_pdc *p)
{
    char from[UET_IP_TEXT], to[UET_IP_TEXT], name[2 * UET_IP_TEXT + 32];
    snprintf(name, sizeof name, "%u: %s 0x%04x > %s", p->stream,
             uet_ip_text(&p->initiator_ip, from), p->ipdcid, uet_ip_text(&p->target_ip, to));
    return tick_stat_node(st, name, pdcs_node, TRUE);
}

static void add(stats_tree *st, int pdc, const char *name, int n)
{
    if (n)
        increase_stat_node(st, name, pdc, FALSE, n);
}

static tap_packet_status count_pdc(stats_tree *st, packet_info *pinfo _U_, epan_dissect_t *edt _U_,
                                   const void *tapped, tap_flags_t flags _U_)
{
    const struct uetx_tap *t = tapped;
    const struct uetx_state *s = t->state;
    if (!s || !s->pdc || s->twice_of)
        return TAP_PACKET_DONT_REDRAW;
    tick_stat_node(st, all_pdcs, 0, TRUE);
    int pdc = node_of(st, s->pdc->track);
    add(st, pdc, s->forward ? "Packets" : "Packets back", 1);
    add(st, pdc, s->forward ? "Bytes" : "Bytes back", (int)t->payload);
    add(st, pdc, "Sent again", s->retransmission || s->duplicate);
    add(st, pdc, "Late", s->out_of_order != 0);
    add(st, pdc, "NACKs", t->nack_code != UETX_TAP_NONE);
    return TAP_PACKET_REDRAW;
}

static void init_times(stats_tree *st)
{
    responses_node = stats_tree_create_node(st, responses, 0, STAT_DT_FLOAT, TRUE);
    acks_node = stats_tree_create_node(st, acks, 0, STAT_DT_FLOAT, TRUE);
}

static void add_time(stats_tree *st, const char *all, int node, const char *name, int64_t ns)
{
    float us = (float)((double)ns / 1000.0);
    avg_stat_node_add_value_float(st, all, 0, TRUE, us);
    avg_stat_node_add_value_float(st, name, node, FALSE, us);
}

static tap_packet_status count_times(stats_tree *st, packet_info *pinfo _U_,
                                     epan_dissect_t *edt _U_, const void *tapped,
                                     tap_flags_t flags _U_)
{
    const struct uetx_tap *t = tapped;
    const struct uetx_state *s = t->state;
    if (!s || s->twice_of)
        return TAP_PACKET_DONT_REDRAW;
    if (s->response_to)
        add_time(st, responses, responses_node,
                 uet_enum_name(UET_ENUM_SES_REQ_OPCODE, s->response_opcode), s->response_time_ns);
    if (s->request_frame && t->nack_code == UETX_TAP_NONE)
        add_time(st, acks, acks_node, uet_enum_name(UET_ENUM_PDS_TYPE, s->request_type),
                 s->time_to_ack_ns);
    return TAP_PACKET_REDRAW;
}

void uetx_trees_register(void)
{
    stats_tree_register_plugin("uetx", "uetx_pdcs", "UET/PDCs", 0, count_pdc, init_pdcs, NULL);
    stats_tree_register_plugin("uetx", "uetx_times", "UET/Times", 0, count_times, init_times, NULL);
}
