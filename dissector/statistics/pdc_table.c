/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A row for each PDC: tshark -z uetx,pdc; Statistics > UET > PDCs. */
#include "dissector/statistics/tap.h"

#include "wire/addr.h"

#include <epan/stat_tap_ui.h>

enum column {
    STREAM,
    INITIATOR,
    TARGET,
    IPDCID,
    TPDCID,
    MODE,
    STATE,
    PACKETS,
    PACKETS_BACK,
    BYTES,
    BYTES_BACK,
    RETRANSMITTED,
    OUT_OF_ORDER,
    NACKED,
    ACKS,
    ACK_MIN,
    ACK_MEAN,
    ACK_MAX,
    COLUMNS
};

static stat_tap_table_item columns[COLUMNS] = {
    [STREAM] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "PDC", "%u"},
    [INITIATOR] = {TABLE_ITEM_STRING, TAP_ALIGN_LEFT, "Initiator", "%s"},
    [TARGET] = {TABLE_ITEM_STRING, TAP_ALIGN_LEFT, "Target", "%s"},
    [IPDCID] = {TABLE_ITEM_STRING, TAP_ALIGN_RIGHT, "IPDCID", "%s"},
    [TPDCID] = {TABLE_ITEM_STRING, TAP_ALIGN_RIGHT, "TPDCID", "%s"},
    [MODE] = {TABLE_ITEM_STRING, TAP_ALIGN_LEFT, "Mode", "%s"},
    [STATE] = {TABLE_ITEM_STRING, TAP_ALIGN_LEFT, "State", "%s"},
    [PACKETS] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Packets", "%u"},
    [PACKETS_BACK] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Packets back", "%u"},
    [BYTES] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Bytes", "%u"},
    [BYTES_BACK] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Bytes back", "%u"},
    [RETRANSMITTED] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Sent again", "%u"},
    [OUT_OF_ORDER] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Late", "%u"},
    [NACKED] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "NACKs", "%u"},
    [ACKS] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "ACKs", "%u"},
    [ACK_MIN] = {TABLE_ITEM_FLOAT, TAP_ALIGN_RIGHT, "ACK min us", "%.1f"},
    [ACK_MEAN] = {TABLE_ITEM_FLOAT, TAP_ALIGN_RIGHT, "mean us", "%.1f"},
    [ACK_MAX] = {TABLE_ITEM_FLOAT, TAP_ALIGN_RIGHT, "max us", "%.1f"},
};

static const char title[] = "UET PDCs";

static void init(stat_tap_table_ui *ui)
{
    stat_tap_table *table = stat_tap_find_table(ui, title);
    if (table) {
        if (ui->stat_tap_reset_table_cb)
            ui->stat_tap_reset_table_cb(table);
        return;
    }
    stat_tap_add_table(ui, stat_tap_init_table(title, COLUMNS, 0, "uetx.stream == %u"));
}

static const char *state_of(const struct uet_track_pdc *p)
{
    return p->failed        ? "failed"
           : p->closed      ? "closed"
           : p->closing     ? "closing"
           : p->established ? "open"
           : p->refused     ? "refused"
                            : "opening";
}

static char *address_of(const struct uet_ip *ip)
{
    char text[UET_IP_TEXT];
    return g_strdup(uet_ip_text(ip, text));
}

/* Text, since Wireshark's window writes every number in decimal. */
static void set_pdcid(stat_tap_table_item_type *item, uint16_t pdcid)
{
    char text[sizeof "0xffff"];
    snprintf(text, sizeof text, "0x%04x", pdcid);
    if (item->value.string_value && strcmp(item->value.string_value, text) == 0)
        return;
    g_free((char *)item->value.string_value);
    item->value.string_value = g_strdup(text);
}

/* The row of a PDC; rows of PDCs before it that only came in other frames stay empty. */
static stat_tap_table_item_type *row_of(stat_tap_table *table, const struct uet_track_pdc *p)
{
    while (table->num_elements <= p->stream) {
        stat_tap_table_item_type row[COLUMNS];
        memset(row, 0, sizeof row); /* TABLE_ITEM_NONE: not shown */
        stat_tap_init_table_row(table, table->num_elements, COLUMNS, row);
    }
    stat_tap_table_item_type *row = table->elements[p->stream];
    if (row[STREAM].type != TABLE_ITEM_NONE)
        return row;
    for (int i = 0; i < COLUMNS; i++)
        row[i].type = columns[i].type;
    row[STREAM].value.uint_value = p->stream;
    row[INITIATOR].value.string_value = address_of(&p->initiator_ip);
    row[TARGET].value.string_value = address_of(&p->target_ip);
    return row;
}

static void count_time(stat_tap_table_item_type *row, double us)
{
    guint n = row[ACKS].value.uint_value;
    if (!n || us < row[ACK_MIN].value.float_value)
        row[ACK_MIN].value.float_value = us;
    if (!n || us > row[ACK_MAX].value.float_value)
        row[ACK_MAX].value.float_value = us;
    row[ACK_MEAN].value.float_value += (us - row[ACK_MEAN].value.float_value) / (n + 1);
    row[ACKS].value.uint_value = n + 1;
}

static void add(stat_tap_table_item_type *row, enum column c, uint32_t n)
{
    row[c].value.uint_value += n;
}

static tap_packet_status packet(void *data, packet_info *pinfo _U_, epan_dissect_t *edt _U_,
                                const void *tapped, tap_flags_t flags _U_)
{
    stat_tap_table_ui *ui = ((stat_data_t *)data)->stat_tap_data;
    const struct uetx_tap *t = tapped;
    const struct uetx_state *s = t->state;
    if (!s || !s->pdc || s->twice_of)
        return TAP_PACKET_DONT_REDRAW;
    const struct uet_track_pdc *p = s->pdc->track;
    stat_tap_table_item_type *row = row_of(g_array_index(ui->tables, stat_tap_table *, 0), p);
    set_pdcid(&row[IPDCID], p->ipdcid);
    set_pdcid(&row[TPDCID], p->tpdcid);
    row[MODE].value.string_value = !p->mode_known ? "?" : p->rod ? "ROD" : "RUD";
    row[STATE].value.string_value = state_of(p);
    add(row, s->forward ? PACKETS : PACKETS_BACK, 1);
    add(row, s->forward ? BYTES : BYTES_BACK, t->payload);
    add(row, RETRANSMITTED, s->retransmission || s->duplicate);
    add(row, OUT_OF_ORDER, s->out_of_order != 0);
    add(row, NACKED, t->nack_code != UETX_TAP_NONE);
    if (s->request_frame && t->nack_code == UETX_TAP_NONE)
        count_time(row, (double)s->time_to_ack_ns / 1000.0);
    return TAP_PACKET_REDRAW;
}

static void free_item(stat_tap_table *table _U_, guint row _U_, guint column,
                      stat_tap_table_item_type *item)
{
    if (item->type == TABLE_ITEM_STRING && column >= INITIATOR && column <= TPDCID)
        g_free((char *)item->value.string_value);
}

static void reset(stat_tap_table *table)
{
    for (guint r = 0; r < table->num_elements; r++) {
        for (guint c = 0; c < COLUMNS; c++)
            free_item(table, r, c, &table->elements[r][c]);
        memset(table->elements[r], 0, sizeof *table->elements[r] * COLUMNS);
    }
}

void uetx_pdc_table_register(void)
{
    static tap_param params[] = {{PARAM_FILTER, "filter", "Filter", NULL, TRUE}};
    static stat_tap_table_ui ui = {
        .group = REGISTER_PACKET_STAT_GROUP_UNSORTED,
        .title = "UET PDCs",
        .tap_name = "uetx",
        .cli_string = "uetx,pdc",
        .stat_tap_init_cb = init,
        .packet_func = packet,
        .stat_tap_reset_table_cb = reset,
        .stat_tap_free_table_item_cb = free_item,
        .nfields = COLUMNS,
        .fields = columns,
        .nparams = array_length(params),
        .params = params,
    };
    register_stat_tap_table_ui(&ui);
}
