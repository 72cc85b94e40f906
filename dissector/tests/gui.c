/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gui CAPTURE.pcap FRAME: does with the capture what Wireshark's main window does and tshark does
 * not, with this frame selected, and prints it: the windows that Analyze > Follow > UETX opens.
 */
#include <stdio.h>
#include <stdlib.h>

#include "dissector/tests/epan_run.h"
#include "dissector/ws_compat.h"

#include <epan/funnel.h>
#include <epan/plugin_if.h>

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

int main(int argc, char **argv)
{
    static const funnel_ops_t ops = {
        .new_text_window = new_window, .append_text = append, .retap_packets = retap};
    if (argc != 3) {
        fprintf(stderr, "usage: gui CAPTURE.pcap FRAME\n");
        return 2;
    }
    epan_run_start();
    n_frames = epan_run_load(argv[1], frames, FRAMES_MAX);
    selected = (uint32_t)strtoul(argv[2], NULL, 10);
    funnel_set_funnel_ops(&ops);
    plugin_if_register_gui_cb(PLUGIN_IF_GET_FRAME_DATA, give_frame);
    epan_run_open();
    read_all();
    choose_entries();
    epan_run_unload(frames, n_frames);
    return 0;
}
