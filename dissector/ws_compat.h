/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Everything that differs between releases of Wireshark, and the headers of epan that the plugin
 * needs. The rest of the plugin speaks the newest dialect; this file translates down. Built and
 * tried with 4.0; the branches for later releases follow their published headers.
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

/* What callbacks return: heuristic dissectors, rows of a UAT. */
#if UETX_SINCE(4, 4)
typedef bool uetx_bool_t;
#else
typedef gboolean uetx_bool_t;
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
