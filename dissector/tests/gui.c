/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gui CAPTURE.pcap FRAME follow|filters|tables: does with the capture what Wireshark does and
 * tshark does not, with this frame selected, and prints it: the windows that Analyze > Follow >
 * UETX opens; the filters of Conversation Filter and the one that Colorize Conversation takes; the
 * rows of Statistics > Conversations and Endpoints without resolved names, and the filters that
 * they give.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dissector/tests/epan_run.h"
#include "dissector/ws_compat.h"

#include <epan/conversation_filter.h>
#include <epan/conversation_table.h>
#include <epan/funnel.h>
#include <epan/plugin_if.h>
#include <epan/tap.h>

#define FRAMES_MAX 4096

static struct epan_run_frame frames[FRAMES_MAX];
static uint32_t n_frames, selected;

static void read_all(void)
{
    for (uint32_t n = 1; n <= n_frames; n++)
        epan_run_dissect(n, &frames[n - 1], false, NULL);
}

/* The windows: their text goes to standard output as it comes. */

static void retap(funnel_ops_id_t *id _U_)
{
    read_all();
}

static funnel_text_window_t *new_window(funnel_ops_id_t *id _U_, const char *title)
{
    printf("== %s\n", title);
    return NULL;
}

static void append(funnel_text_window_t *window _U_, const char *text)
{
    fputs(text, stdout);
}

/* What main_window.cpp does: gives the selected frame's data to the function that asks. */
static void give_frame(GHashTable *asked)
{
    plugin_if_frame_data_cb take =
        (plugin_if_frame_data_cb)g_hash_table_lookup(asked, "extract_cb");
    frame_data fd = {.num = selected};
    if (selected)
        take(&fd, g_hash_table_lookup(asked, "user_data"));
}

static void choose_entries(void)
{
    for (GList *m = ext_menubar_get_entries(); m; m = g_list_next(m)) {
        const ext_menu_t *menu = m->data;
        for (GList *c = menu->children; c; c = g_list_next(c)) {
            const ext_menubar_t *entry = c->data;
            printf("Analyze > %s > %s > %s\n", menu->parent_menu, menu->label, entry->label);
            entry->callback(EXT_MENUBAR_QT_GUI, NULL, entry->user_data);
        }
    }
}

/* Conversation filters of the selected frame. */

static tap_packet_status print_filters(void *data _U_, packet_info *pinfo, epan_dissect_t *edt _U_,
                                       const void *tapped _U_, tap_flags_t flags _U_)
{
    if (pinfo->num != selected)
        return TAP_PACKET_DONT_REDRAW;
    for (GList *l = packet_conv_filter_list; l; l = g_list_next(l)) {
        const conversation_filter_t *f = l->data;
        if (strcmp(f->proto_name, "uetx") != 0 || !f->is_filter_valid(pinfo))
            continue;
        char *filter = f->build_filter_string(pinfo);
        printf("%s: %s\n", f->display_name, filter);
        g_free(filter);
    }
    char *first = conversation_filter_from_packet(pinfo);
    printf("colour: %s\n", first);
    g_free(first);
    return TAP_PACKET_DONT_REDRAW;
}

/* With a tree, as for a packet that is shown. */
static void read_selected(void)
{
    char *text;
    epan_run_dissect(selected, &frames[selected - 1], true, &text);
    g_free(text);
}

static void listen(const char *tap, void *data, tap_packet_cb packet)
{
    GString *error = register_tap_listener(tap, data, NULL, 0, NULL, packet, NULL, NULL);
    if (error) {
        fprintf(stderr, "gui: %s\n", error->str);
        exit(2);
    }
}

/* Tables. */

static void print_filter(char *filter)
{
    printf("    %s\n", filter);
    wmem_free(NULL, filter);
}

static void print_conversations(register_ct_t *table, const char *name)
{
    conv_hash_t hash = {0};
    listen(name, &hash, get_conversation_packet_func(table));
    read_all();
    for (guint i = 0; hash.conv_array && i < hash.conv_array->len; i++) {
        conv_item_t *item = &g_array_index(hash.conv_array, conv_item_t, i);
        char *a = get_conversation_address(NULL, &item->src_address, FALSE);
        char *b = get_conversation_address(NULL, &item->dst_address, FALSE);
        printf("%s: %s %u, %s %u\n", name, a, item->src_port, b, item->dst_port);
        print_filter(get_conversation_filter(item, CONV_DIR_A_TO_FROM_B));
        print_filter(get_conversation_filter(item, CONV_DIR_A_FROM_B));
        wmem_free(NULL, a);
        wmem_free(NULL, b);
    }
    remove_tap_listener(&hash);
    reset_conversation_table_data(&hash);
}

static void print_endpoints(register_ct_t *table, const char *name)
{
    conv_hash_t hash = {0};
    listen(name, &hash, get_endpoint_packet_func(table));
    read_all();
    for (guint i = 0; hash.conv_array && i < hash.conv_array->len; i++)
        print_filter(get_endpoint_filter(&g_array_index(hash.conv_array, endpoint_item_t, i)));
    remove_tap_listener(&hash);
    reset_endpoint_table_data(&hash);
}

static void print_tables(void)
{
    static const char *const names[] = {"uetx", "uetx_pdc", "uetx_job"};
    for (size_t i = 0; i < array_length(names); i++) {
        register_ct_t *table = get_conversation_by_proto_id(proto_get_id_by_filter_name(names[i]));
        print_conversations(table, names[i]);
        print_endpoints(table, names[i]);
    }
}

int main(int argc, char **argv)
{
    static const funnel_ops_t ops = {
        .new_text_window = new_window, .append_text = append, .retap_packets = retap};
    if (argc != 4) {
        fprintf(stderr, "usage: gui CAPTURE.pcap FRAME follow|filters|tables\n");
        return 2;
    }
    epan_run_start();
    n_frames = epan_run_load(argv[1], frames, FRAMES_MAX);
    selected = (uint32_t)strtoul(argv[2], NULL, 10);
    funnel_set_funnel_ops(&ops);
    plugin_if_register_gui_cb(PLUGIN_IF_GET_FRAME_DATA, give_frame);
    epan_run_open();
    read_all();
    if (strcmp(argv[3], "follow") == 0)
        choose_entries();
    else if (strcmp(argv[3], "tables") == 0)
        print_tables();
    else if (selected && selected <= n_frames) {
        listen("uetx", &selected, print_filters);
        read_selected();
    }
    epan_run_unload(frames, n_frames);
    return 0;
}
