/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Analyze > Follow > UETX. The Follow windows of Wireshark 4.0 are for its own protocols only
 * (4.4 has those that are registered), so this is a window of text.
 */
#include "dissector/statistics/follow.h"

#if UETX_SINCE(4, 4)

void uetx_follow_window_register(int proto)
{
    (void)proto;
}

#else

#include "wire/addr.h"

#include <epan/funnel.h>
#include <epan/plugin_if.h>

#define LINE      16u
#define SHOWN_MAX (1u << 20) /* bytes of payload: a window of text bears no more */

/* 66 columns with an indent: the window opens with 70, and wraps. */
static void add_line(GString *out, const char *indent, uint32_t at, const uint8_t *bytes, guint n)
{
    g_string_append_printf(out, "%s%08x", indent, at);
    for (guint i = 0; i < LINE; i++) {
        g_string_append(out, i % 4 == 0 ? " " : "");
        if (i < n)
            g_string_append_printf(out, "%02x", bytes[i]);
        else
            g_string_append(out, "  ");
    }
    g_string_append(out, "  ");
    for (guint i = 0; i < n; i++)
        g_string_append_c(out, g_ascii_isprint(bytes[i]) ? (char)bytes[i] : '.');
    g_string_append_c(out, '\n');
}

/* Offsets count in each direction; what comes back stands farther right. */
static void add_records(GString *out, const follow_info_t *info)
{
    uint32_t at[2] = {0, 0}, shown = 0;
    for (GList *l = g_list_last(info->payload); l; l = g_list_previous(l)) {
        const follow_record_t *r = l->data;
        guint n = r->data->len;
        if (n > SHOWN_MAX - shown) {
            g_string_append(out, "The rest is too long for this window: tshark -z follow,uetx\n");
            return;
        }
        shown += n;
        for (guint i = 0; i < n; i += LINE)
            add_line(out, r->is_server ? "    " : "", at[r->is_server] + i, r->data->data + i,
                     n - i < LINE ? n - i : LINE);
        at[r->is_server] += n;
    }
}

static char *text_of(const follow_info_t *info, const struct uet_track_pdc *pdc)
{
    char initiator[UET_IP_TEXT], target[UET_IP_TEXT];
    GString *out = g_string_new(NULL);
    g_string_append_printf(out,
                           "PDC %u, IPDCID 0x%04x, TPDCID 0x%04x\n"
                           "What was captured of it, by PSN, each byte once,\n"
                           "from the initiator %s: %u bytes,\n    from the target %s: %u bytes\n\n",
                           pdc->stream, pdc->ipdcid, pdc->tpdcid,
                           uet_ip_text(&pdc->initiator_ip, initiator), info->bytes_written[0],
                           uet_ip_text(&pdc->target_ip, target), info->bytes_written[1]);
    add_records(out, info);
    return g_string_free(out, FALSE);
}

static void show(const funnel_ops_t *ops, const char *text, uint32_t stream)
{
    char *title = g_strdup_printf("Follow PDC %u (uetx.stream == %u)", stream, stream);
    funnel_text_window_t *window = ops->new_text_window(ops->ops_id, title);
    ops->append_text(window, text); /* set_text would take payload for HTML */
    g_free(title);
}

/* Has the packets read again with a listener to them. */
static void follow(const funnel_ops_t *ops, const struct uet_track_pdc *pdc)
{
    follow_info_t *info = g_new0(follow_info_t, 1);
    info->filter_out_filter = uetx_follow_filter(pdc->stream);
    GString *error = register_tap_listener(UETX_FOLLOW_TAP, info, info->filter_out_filter, 0, NULL,
                                           uetx_follow_packet, NULL, NULL);
    if (error) {
        show(ops, error->str, pdc->stream);
        g_string_free(error, TRUE);
    } else {
        ops->retap_packets(ops->ops_id);
        remove_tap_listener(info);
        char *text = text_of(info, pdc);
        show(ops, text, pdc->stream);
        g_free(text);
    }
    follow_info_free(info);
}

static void *number_of(frame_data *fd, void *user_data)
{
    uint32_t *number = user_data;
    *number = fd->num;
    return NULL;
}

static void chosen(ext_menubar_gui_type gui_type _U_, gpointer gui_object _U_,
                   gpointer user_data _U_)
{
    uint32_t number = 0;
    const funnel_ops_t *ops = funnel_get_funnel_ops();
    plugin_if_get_frame_data(number_of, &number);
    const struct uetx_state *s = number ? uetx_state_at(number) : NULL;
    if (s && s->pdc)
        follow(ops, s->pdc->track);
    else
        ops->append_text(ops->new_text_window(ops->ops_id, "Follow a PDC"),
                         "No packet of a PDC is selected: select one and try again.\n");
}

void uetx_follow_window_register(int proto)
{
    ext_menu_t *menu = ext_menubar_register_menu(proto, "UETX", TRUE);
    ext_menubar_set_parentmenu(menu, "Follow");
    ext_menubar_add_entry(menu, "PDC of this packet", "What the PDC carried, by PSN", chosen, NULL);
}

#endif
