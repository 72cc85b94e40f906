/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * epan/sequence_analysis.h of Wireshark, as far as it is needed: libwireshark exports these
 * functions and no package has the header. The structures are those of the releases that were
 * compared, 4.0 and 4.4; in another one UETX_HAS_FLOW is 0 until somebody has compared them.
 */
#ifndef UETX_SEQUENCE_H
#define UETX_SEQUENCE_H

#include "dissector/ws_compat.h"

#include <epan/tap.h>

#define UETX_HAS_FLOW (!UETX_SINCE(4, 2) || (UETX_SINCE(4, 4) && !UETX_SINCE(4, 6)))

#if UETX_HAS_FLOW

typedef struct _seq_analysis_item {
    guint32 frame_number;
    address src_addr;
    guint16 port_src;
    address dst_addr;
    guint16 port_dst;
    gchar *frame_label; /* on the arrow */
    gchar *time_str;
    gchar *comment; /* at the right */
    guint16 conv_num;
    unsigned fg_color;
    unsigned bg_color;
    uetx_bool_t has_color_filter;
    uetx_bool_t display;
    guint src_node;
    guint dst_node;
    guint16 line_style;
    guint32 info_type;
    gpointer info_ptr;
} seq_analysis_item_t;

typedef struct _seq_analysis_info {
    const char *name;
    uetx_bool_t any_addr;
    int nconv;
    GQueue *items; /* seq_analysis_item_t */
    /* More follows, which is epan's. */
} seq_analysis_info_t;

WS_DLL_PUBLIC void register_seq_analysis(const char *name, const char *ui_name, const int proto_id,
                                         const char *tap_listener, guint tap_flags,
                                         tap_packet_cb tap_func);
WS_DLL_PUBLIC seq_analysis_item_t *
sequence_analysis_create_sai_with_addresses(packet_info *pinfo, seq_analysis_info_t *sainfo);
WS_DLL_PUBLIC void sequence_analysis_use_color_filter(packet_info *pinfo, seq_analysis_item_t *sai);

#endif
#endif
