/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Times: tshark -z uetx,srt; Statistics > Service Response Time > UETX. */
#include "dissector/statistics/tap.h"

#include <epan/srt_table.h>

enum { RESPONSES, ACKS, TABLES };
enum { OPCODES = 64, TYPES = 32 };

static void init_table(srt_stat_table *table, uint8_t enumeration, int n)
{
    for (int i = 0; i < n; i++)
        init_srt_table_row(table, i, uet_enum_name(enumeration, (uint32_t)i));
}

static void init(register_srt_t *srt _U_, GArray *tables)
{
    srt_stat_table *responses =
        init_srt_table("Messages: from the first packet to the response", "Messages", tables,
                       OPCODES, "SES opcode", "uetx.response_time && uetx.ses.opcode", NULL);
    init_table(responses, UET_ENUM_SES_REQ_OPCODE, OPCODES);
    srt_stat_table *acks =
        init_srt_table("Packets: from the packet to its ACK", "Packets", tables, TYPES,
                       "PDS type of the packet", "uetx.time_to_ack && uetx.pds.type", NULL);
    init_table(acks, UET_ENUM_PDS_TYPE, TYPES);
}

/* epan takes the difference to the packet's own time, so the time is given back to it. */
static nstime_t begin_of(const packet_info *pinfo, int64_t ns)
{
    nstime_t took = {(time_t)(ns / 1000000000), (int)(ns % 1000000000)}, begin;
    nstime_delta(&begin, &pinfo->abs_ts, &took);
    return begin;
}

static void add(GArray *tables, int table, int row, int64_t ns, packet_info *pinfo)
{
    nstime_t begin = begin_of(pinfo, ns);
    add_srt_table_data(g_array_index(tables, srt_stat_table *, table), row, &begin, pinfo);
}

/* An ACK that comes again, or an error response to each packet, ends a message once. */
static bool is_first_response(const struct uetx_state *s)
{
    const struct uetx_state *first = s->response_to ? uetx_state_at(s->response_to) : NULL;
    return first && first->ended_in == s->frame;
}

static tap_packet_status packet(void *data, packet_info *pinfo, epan_dissect_t *edt _U_,
                                const void *tapped, tap_flags_t flags _U_)
{
    GArray *tables = ((srt_data_t *)data)->srt_array;
    const struct uetx_tap *t = tapped;
    const struct uetx_state *s = t->state;
    if (!s || s->twice_of)
        return TAP_PACKET_DONT_REDRAW;
    if (is_first_response(s) && t->nack_code == UETX_TAP_NONE)
        add(tables, RESPONSES, s->response_opcode, s->response_time_ns, pinfo);
    if (s->request_frame && t->nack_code == UETX_TAP_NONE)
        add(tables, ACKS, s->request_type, s->time_to_ack_ns, pinfo);
    return TAP_PACKET_REDRAW;
}

void uetx_times_register(int proto)
{
    register_srt_table(proto, "uetx", TABLES, packet, init, NULL);
}
