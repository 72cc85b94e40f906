/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Conversation Filter and Colorize Conversation of Wireshark: the PDC of a packet, its job, the
 * pair of its FEPs. The first one is what Ctrl and a digit colours.
 */
#include "dissector/statistics/tap.h"

#include <epan/conversation_filter.h>

static int proto_uetx;

/* What the filters need of a packet and its state does not have; lives as long as the packet. */
struct kept {
    bool job_known;
    uint32_t job_id;
};

#define KEY 16 /* of proto data; payload.c has the lower ones */

void uetx_conversation_note(const struct uetx_pdu *u, const struct uetx_state *s)
{
    struct kept *k = wmem_new0(u->pinfo->pool, struct kept);
    k->job_known = uetx_job_of(u, s, &k->job_id);
    p_set_proto_data(u->pinfo->pool, u->pinfo, proto_uetx, KEY, k);
}

static const struct kept *kept_of(packet_info *pinfo)
{
    return p_get_proto_data(pinfo->pool, pinfo, proto_uetx, KEY);
}

static const struct uetx_state *state_of(packet_info *pinfo)
{
    return kept_of(pinfo) ? uetx_state_at(pinfo->num) : NULL;
}

static uetx_bool_t has_pdc(packet_info *pinfo UETX_FILTER_DATA)
{
    const struct uetx_state *s = state_of(pinfo);
    return s && s->pdc;
}

static gchar *pdc_filter(packet_info *pinfo UETX_FILTER_DATA)
{
    return g_strdup_printf("uetx.stream == %u", state_of(pinfo)->pdc->track->stream);
}

static uetx_bool_t has_job(packet_info *pinfo UETX_FILTER_DATA)
{
    const struct kept *k = kept_of(pinfo);
    return k && k->job_known;
}

static gchar *job_filter(packet_info *pinfo UETX_FILTER_DATA)
{
    return g_strdup_printf("uetx.ses.job_id == %u", kept_of(pinfo)->job_id);
}

static uetx_bool_t has_feps(packet_info *pinfo UETX_FILTER_DATA)
{
    return kept_of(pinfo) && (pinfo->net_src.type == AT_IPv4 || pinfo->net_src.type == AT_IPv6);
}

static gchar *feps_filter(packet_info *pinfo UETX_FILTER_DATA)
{
    const char *ip = pinfo->net_src.type == AT_IPv6 ? "ipv6" : "ip";
    char *a = address_to_str(pinfo->pool, &pinfo->net_src);
    char *b = address_to_str(pinfo->pool, &pinfo->net_dst);
    return g_strdup_printf("uetx && %s.addr == %s && %s.addr == %s", ip, a, ip, b);
}

void uetx_conversation_filter_register(int proto)
{
    proto_uetx = proto;
    add_conversation_filter_protocol("uetx"); /* before UDP, whose ports say nothing of UET */
    register_conversation_filter("uetx", "UETX PDC", has_pdc, pdc_filter UETX_NO_FILTER_DATA);
    register_conversation_filter("uetx", "UETX job", has_job, job_filter UETX_NO_FILTER_DATA);
    register_conversation_filter("uetx", "UETX FEPs", has_feps, feps_filter UETX_NO_FILTER_DATA);
}
