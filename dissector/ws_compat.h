/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Everything that differs between releases of Wireshark, and the headers of epan that the plugin
 * needs. The rest of the plugin speaks the newest dialect; this file translates down. Tested with
 * 4.0; built with the headers of 4.2.2, 4.4.18 and 4.6.9 and tried with their tshark.
 */
#ifndef UETX_WS_COMPAT_H
#define UETX_WS_COMPAT_H

#define WS_BUILD_DLL /* the plugin's five symbols are exported, nothing else */
#include <wireshark.h>

#include <epan/addr_resolv.h>
#include <epan/address.h>
#include <epan/column-utils.h>
#include <epan/expert.h>
#include <epan/packet.h>
#include <epan/prefs.h>
#include <epan/proto.h>
#include <epan/proto_data.h>
#include <epan/to_str.h>
#include <epan/tvbuff.h>

#define UETX_SINCE(major, minor)                                                                   \
    (WIRESHARK_VERSION_MAJOR > (major) ||                                                          \
     (WIRESHARK_VERSION_MAJOR == (major) && WIRESHARK_VERSION_MINOR >= (minor)))

/* What callbacks return: heuristic dissectors; what preferences fill. */
#if UETX_SINCE(4, 4)
typedef bool uetx_bool_t;
#else
typedef gboolean uetx_bool_t;
#endif

/* What a row of a UAT answers, and the bytes in it. */
#if UETX_SINCE(4, 2)
typedef bool uetx_row_bool_t;
typedef unsigned char uetx_uat_byte_t;
#else
typedef gboolean uetx_row_bool_t;
typedef char uetx_uat_byte_t;
#endif

/* Kinds of fields. */
#ifndef FT_IS_UINT32
#define FT_IS_UINT32(type) IS_FT_UINT32(type)
#define FT_IS_UINT(type)   IS_FT_UINT(type)
#define FT_IS_INT(type)    IS_FT_INT(type)
#endif

/* The last parameter of functions that make a conversation filter, and its argument. */
#if UETX_SINCE(4, 2)
#define UETX_FILTER_DATA    , void *filter_data _U_
#define UETX_NO_FILTER_DATA , NULL
#else
#define UETX_FILTER_DATA
#define UETX_NO_FILTER_DATA
#endif

/* Memory that stays. */
#if UETX_SINCE(4, 6)
#define uetx_value_string_ext_new(names, n, title) value_string_ext_new(NULL, names, n, title)
#else
#define uetx_value_string_ext_new(names, n, title) value_string_ext_new(names, n, title)
#endif

/* Ubuntu's package of 4.2 lacks a header of which plugin_if.h needs no more than this type. */
#if UETX_SINCE(4, 2) && !UETX_SINCE(4, 4) && !__has_include(<epan/dfilter/dfilter-loc.h>)
#define DFILTER_H
typedef struct epan_dfilter dfilter_t;
#endif

#if defined(__has_feature)
#define UETX_SANITIZED __has_feature(address_sanitizer)
#elif defined(__SANITIZE_ADDRESS__)
#define UETX_SANITIZED 1
#else
#define UETX_SANITIZED 0
#endif

/* Field, tree and protocol ids start at -1: 4.0 stops at start-up when they are 0. */
#define UETX_NO_ID (-1)

#endif
