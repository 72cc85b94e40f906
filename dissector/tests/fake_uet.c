/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A stand-in for the "uet" that Wireshark 5 has built in: the same protocol name, filter name and
 * port. uetx must start beside it, and be chosen by Decode As.
 */
#include "dissector/ws_compat.h"

WS_DLL_PUBLIC_DEF const gchar plugin_version[] = "0";
WS_DLL_PUBLIC_DEF const int plugin_want_major = WIRESHARK_VERSION_MAJOR;
WS_DLL_PUBLIC_DEF const int plugin_want_minor = WIRESHARK_VERSION_MINOR;
WS_DLL_PUBLIC void plugin_register(void);

static int proto = UETX_NO_ID;
static dissector_handle_t handle;

static int dissect(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data _U_)
{
    col_set_str(pinfo->cinfo, COL_PROTOCOL, "UET");
    proto_tree_add_item(tree, proto, tvb, 0, -1, ENC_NA);
    return (int)tvb_captured_length(tvb);
}

static void register_protoinfo(void)
{
    proto = proto_register_protocol("Ultra Ethernet Transport", "UET", "uet");
    handle = register_dissector("uet", dissect, proto);
}

static void register_handoff(void)
{
    dissector_add_uint_with_preference("udp.port", 4793, handle);
}

void plugin_register(void)
{
    static proto_plugin plugin = {register_protoinfo, register_handoff};
    proto_register_plugin(&plugin);
}
