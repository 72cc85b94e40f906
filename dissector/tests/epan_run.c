/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "dissector/tests/epan_run.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dissector/ws_compat.h"

#include <epan/column-info.h>
#include <epan/column.h>
#include <epan/dfilter/dfilter.h>
#include <epan/disabled_protos.h>
#include <epan/epan.h>
#include <epan/epan_dissect.h>
#include <epan/prefs.h>
#include <epan/print.h>
#include <epan/tap.h>
#include <epan/timestamp.h>
#include <wiretap/wtap.h>
#include <wsutil/filesystem.h>
#include <wsutil/privileges.h>
#include <wsutil/report_message.h>
#include <wsutil/wslog.h>

void plugin_register(void); /* of the dissector */

static void stop(const char *what)
{
    fprintf(stderr, "epan_run: %s\n", what);
    exit(2);
}

/*
 * Takes the place of libwsutil's: epan finds none of its data files. It would read the names of all
 * vendors anew for each capture, in 37 ms, and never give their memory back.
 */
char *get_datafile_path(const char *filename)
{
    return g_strconcat("/nonexistent/", filename, NULL);
}

/*
 * Is epan itself registering, or a protocol that stands in a packet of UET and has such a routine?
 * The protocol is the last one so far, with which the list begins; UDP's file ends with UDP-Lite.
 */
static bool registers_ours(void)
{
    void *cookie;
    int last = proto_get_first_protocol(&cookie);
    const char *name = last == -1 ? "uetx" : proto_get_protocol_filter_name(last);
    return strcmp(name, "uetx") == 0 || strcmp(name, "udplite") == 0;
}

/*
 * Takes the place of libwireshark's, for its registrations: of the routines that begin and end a
 * capture those of epan, UDP and the dissector run. Those of 80 other protocols would fill their
 * tables for each capture, in a millisecond, in five with ASan.
 */
static void register_own(const char *function, void (*routine)(void))
{
    void (*real)(void (*)(void));
    void *found = dlsym(RTLD_NEXT, function);
    if (!found)
        stop(function);
    memcpy(&real, &found, sizeof real);
    if (registers_ours())
        real(routine);
}

void register_init_routine(void (*routine)(void))
{
    register_own(__func__, routine);
}

void register_cleanup_routine(void (*routine)(void))
{
    register_own(__func__, routine);
}

static epan_t *session;
static GPtrArray *frames; /* frame_data, by number */
static column_info columns;

static const nstime_t *time_of(struct packet_provider_data *prov _U_, guint32 frame)
{
    const frame_data *fd =
        frame && frame <= frames->len ? g_ptr_array_index(frames, frame - 1) : NULL;
    return fd ? &fd->abs_ts : NULL;
}

static void complain(const char *format, va_list args)
{
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
}

void epan_run_start(void)
{
    static const struct report_message_routines routines = {.vreport_failure = complain,
                                                            .vreport_warning = complain};
    init_process_policies();
    ws_log_init("epan_run", NULL);
    init_report_message("epan_run", &routines);
    timestamp_set_type(TS_RELATIVE);
    timestamp_set_precision(TS_PREC_AUTO);
    timestamp_set_seconds_type(TS_SECONDS_DEFAULT);
    wtap_init(FALSE);
    plugin_register();
    if (!epan_init(NULL, NULL, FALSE))
        stop("epan_init failed");
    const e_prefs *settings = epan_load_settings();
    build_column_format_array(&columns, settings->num_cols, TRUE);
    frames = g_ptr_array_new_with_free_func(g_free);
}

bool epan_run_set(const char *preference)
{
    char *text = g_strdup(preference), *error = NULL;
    bool good = prefs_set_pref(text, &error) == PREFS_SET_OK;
    if (good)
        prefs_apply_all();
    g_free(text);
    g_free(error);
    return good;
}

static bool is_one_of(const char *name, const char *const *names)
{
    for (; *names; names++)
        if (strcmp(name, *names) == 0)
            return true;
    return false;
}

void epan_run_only(const char *const *protocols)
{
    void *cookie;
    for (int id = proto_get_first_protocol(&cookie); id != -1;
         id = proto_get_next_protocol(&cookie))
        if (proto_can_toggle_protocol(id) && !proto_is_pino(find_protocol_by_id(id)))
            proto_set_decoding(id, is_one_of(proto_get_protocol_filter_name(id), protocols));
}

bool epan_run_heuristic(const char *name)
{
    return proto_enable_heuristic_by_name(name, TRUE);
}

static void forget_frames(void)
{
    for (guint i = 0; i < frames->len; i++)
        frame_data_destroy(g_ptr_array_index(frames, i));
    g_ptr_array_set_size(frames, 0);
}

void epan_run_open(void)
{
    static const struct packet_provider_funcs provider = {.get_frame_ts = time_of};
    forget_frames();
    if (session)
        epan_free(session);
    session = epan_new(NULL, &provider);
}

static void fill(wtap_rec *rec, const struct epan_run_frame *f)
{
    memset(rec, 0, sizeof *rec);
    rec->rec_type = REC_TYPE_PACKET;
    rec->presence_flags = WTAP_HAS_TS | WTAP_HAS_CAP_LEN;
    rec->ts.secs = (time_t)(f->time_us / 1000000);
    rec->ts.nsecs = (int)(f->time_us % 1000000 * 1000);
    rec->rec_header.packet_header.caplen = (guint32)f->len;
    rec->rec_header.packet_header.len = (guint32)(f->len + f->cut);
    rec->rec_header.packet_header.pkt_encap =
        f->link == EPAN_RUN_USER0 ? WTAP_ENCAP_USER0 : WTAP_ENCAP_ETHERNET;
}

/* The frame's data that outlives a dissection: whether it was visited, what is kept for it. */
static frame_data *data_of(uint32_t n, const wtap_rec *rec)
{
    while (frames->len < n) {
        frame_data *made = g_new0(frame_data, 1);
        frame_data_init(made, frames->len + 1, rec, 0, 0);
        g_ptr_array_add(frames, made);
    }
    return g_ptr_array_index(frames, n - 1);
}

static void print_node(proto_node *node, gpointer data)
{
    GString *out = data;
    char label[ITEM_LABEL_LENGTH];
    const field_info *fi = PNODE_FINFO(node);
    if (!fi)
        return;
    if (fi->rep)
        g_string_append_printf(out, "%s\n", fi->rep->representation);
    else {
        proto_item_fill_label((field_info *)fi, label);
        g_string_append_printf(out, "%s\n", label);
    }
    proto_tree_children_foreach(node, print_node, data);
}

static char *text_of(epan_dissect_t *edt)
{
    GString *out = g_string_new(NULL);
    for (int i = 0; i < columns.num_cols; i++)
        if (columns.columns[i].col_fmt == COL_INFO)
            g_string_append_printf(out, "%s\n", columns.columns[i].col_data);
    proto_tree_children_foreach(edt->tree, print_node, out);
    return g_string_free(out, FALSE);
}

uint32_t epan_run_load(const char *path, struct epan_run_frame *into, uint32_t max)
{
    FILE *f = fopen(path, "rb");
    uint8_t head[24];
    uint32_t record[4], n = 0;
    if (!f || fread(head, sizeof head, 1, f) != 1)
        stop(path);
    while (n < max && fread(record, sizeof record, 1, f) == 1) {
        uint8_t *bytes = malloc(record[2] ? record[2] : 1);
        if (!bytes || fread(bytes, 1, record[2], f) != record[2])
            stop(path);
        into[n++] = (struct epan_run_frame){.bytes = bytes,
                                            .len = record[2],
                                            .cut = record[3] - record[2],
                                            .time_us = record[0] * UINT64_C(1000000) + record[1]};
    }
    fclose(f);
    return n;
}

void epan_run_unload(struct epan_run_frame *frames_of_it, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        free((void *)frames_of_it[i].bytes);
}

void epan_run_dissect(uint32_t n, const struct epan_run_frame *frame, bool tree, char **text)
{
    wtap_rec rec;
    fill(&rec, frame);
    frame_data *fd = data_of(n, &rec);
    bool filters = have_filtering_tap_listeners();
    epan_dissect_t *edt = epan_dissect_new(session, tree || text || filters, text != NULL);
    tvbuff_t *tvb =
        tvb_new_real_data(frame->bytes, (guint)frame->len, (gint)(frame->len + frame->cut));
    epan_dissect_run_with_taps(edt, WTAP_FILE_TYPE_SUBTYPE_UNKNOWN, &rec, tvb, fd, &columns);
    if (text) {
        epan_dissect_fill_in_columns(edt, FALSE, TRUE);
        *text = text_of(edt);
    }
    guint32 bytes = 0;
    frame_data_set_after_dissect(fd, &bytes);
    epan_dissect_free(edt);
}

bool epan_run_holds(const char *filter, int hf, uint32_t value)
{
    static const uint8_t nothing[1];
    static const struct epan_run_frame frame = {.bytes = nothing, .len = sizeof nothing};
    dfilter_t *compiled = NULL;
    char *error = NULL;
    wtap_rec rec;
    if (!dfilter_compile(filter, &compiled, &error)) {
        printf("%s: %s\n", filter, error);
        g_free(error);
        return false;
    }
    fill(&rec, &frame);
    epan_dissect_t *edt = epan_dissect_new(session, TRUE, FALSE);
    epan_dissect_prime_with_dfilter(edt, compiled);
    epan_dissect_run(edt, WTAP_FILE_TYPE_SUBTYPE_UNKNOWN, &rec, tvb_new_real_data(nothing, 1, 1),
                     data_of(1, &rec), NULL);
    proto_tree_add_uint(edt->tree, hf, NULL, 0, 0, value);
    bool holds = dfilter_apply_edt(compiled, edt);
    epan_dissect_free(edt);
    dfilter_free(compiled);
    return holds;
}
