/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Packets as arrows between FEPs: tshark -z flow,uetx,standard; Statistics > Flow Graph > UETX. */
#include "dissector/statistics/sequence.h"
#include "dissector/statistics/tap.h"
#include "wire/print.h"

#include <epan/tap.h>

#if UETX_HAS_FLOW

/* What a packet is, in the 20 columns that an arrow of tshark has with a PSN before it. */
static const char *what(const struct uetx_tap *t)
{
    if (t->opcode != UETX_TAP_NONE)
        return uet_print_name(UET_ENUM_SES_REQ_OPCODE, t->opcode);
    if (t->nack_code != UETX_TAP_NONE)
        return uet_print_name(UET_ENUM_PDS_NACK_CODE, t->nack_code);
    if (t->ctl_type != UETX_TAP_NONE)
        return uet_print_name(UET_ENUM_PDS_CTL_TYPE, t->ctl_type);
    if (t->return_code != UETX_TAP_NONE && t->return_code > UET_RC_OK)
        return uet_enum_name(UET_ENUM_SES_RETURN_CODE, t->return_code);
    if (t->state && t->state->data_of)
        return "data";
    return uet_enum_name(UET_ENUM_PDS_TYPE, t->type);
}

/* "0x00000102 WRITE retx": the PSN that it takes or names, or the pkt_id. */
static char *label(const struct uetx_tap *t)
{
    const struct uetx_state *s = t->state;
    const char *again = s && s->retransmission ? " retx" : "";
    const char *cut = t->trimmed ? " trimmed" : "";
    bool rudi = t->type == UET_PDS_RUDI_REQ || t->type == UET_PDS_RUDI_RESP;
    if (!s || !(s->psn_known || rudi))
        return g_strdup_printf("%s%s%s", what(t), again, cut);
    return g_strdup_printf("0x%08x %s%s%s", s->psn, what(t), again, cut);
}

static tap_packet_status packet(void *data, packet_info *pinfo, epan_dissect_t *edt _U_,
                                const void *tapped, tap_flags_t flags _U_)
{
    seq_analysis_info_t *graph = data;
    const struct uetx_tap *t = tapped;
    if (t->state && t->state->twice_of)
        return TAP_PACKET_DONT_REDRAW;
    seq_analysis_item_t *arrow = sequence_analysis_create_sai_with_addresses(pinfo, graph);
    if (!arrow)
        return TAP_PACKET_DONT_REDRAW;
    arrow->frame_number = pinfo->num;
    if (t->state && t->state->pdc)
        arrow->port_src = arrow->port_dst = (guint16)t->state->pdc->track->stream;
    sequence_analysis_use_color_filter(pinfo, arrow);
    arrow->frame_label = label(t);
    arrow->comment = g_strdup(col_get_text(pinfo->cinfo, COL_INFO));
    arrow->line_style = 1;
    arrow->display = TRUE;
    g_queue_push_tail(graph->items, arrow);
    return TAP_PACKET_REDRAW;
}

void uetx_flow_register(int proto)
{
    register_seq_analysis("uetx", "UETX Flows", proto, "uetx", TL_REQUIRES_COLUMNS, packet);
}

#else

void uetx_flow_register(int proto)
{
    (void)proto;
}

#endif
