/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Packets in clear, for a new file (-U UETX); what a PDC carried (-z follow,uetx,hex,STREAM). */
#include "dissector/tap.h"

#include <epan/exported_pdu.h>
#include <epan/follow.h>
#include <epan/tap.h>

static int export_tap = -1, follow_tap;

void uetx_export(const struct uetx_pdu *u)
{
    if (!have_tap_listener(export_tap))
        return;
    exp_pdu_data_t *pdu =
        export_pdu_create_common_tags(u->pinfo, "uetx", EXP_PDU_TAG_DISSECTOR_NAME);
    pdu->tvb_captured_length = u->captured;
    pdu->tvb_reported_length = u->p.len;
    pdu->pdu_tvb = u->tvb;
    tap_queue_packet(export_tap, u->pinfo, pdu);
}

void uetx_export_register(void)
{
    export_tap = register_export_pdu_tap("UETX");
}

/* What is followed: payload bytes of one direction of a PDC. */
struct followed {
    tvbuff_t *payload;
    bool forward;
};

void uetx_follow(const struct uetx_state *s, packet_info *pinfo, tvbuff_t *payload)
{
    if (!have_tap_listener(follow_tap) || !s || !s->pdc || uetx_seen_before(s))
        return;
    struct followed *f = wmem_new(pinfo->pool, struct followed);
    *f = (struct followed){payload, s->forward};
    tap_queue_packet(follow_tap, pinfo, f);
}

static gchar *stream_of_packet(epan_dissect_t *edt _U_, packet_info *pinfo, guint *stream,
                               guint *sub_stream _U_)
{
    const struct uetx_state *s = uetx_state_at(pinfo->num);
    if (!s || !s->pdc)
        return NULL;
    *stream = s->pdc->track->stream;
    return g_strdup_printf("uetx.stream == %u", *stream);
}

static gchar *stream_by_number(guint stream, guint sub_stream _U_)
{
    return g_strdup_printf("uetx.stream == %u", stream);
}

static gchar *stream_by_addresses(address *src, address *dst, int src_port _U_, int dst_port _U_)
{
    const char *ip = src->type == AT_IPv6 ? "ipv6" : "ip";
    char *a = address_to_str(NULL, src), *b = address_to_str(NULL, dst);
    gchar *filter = g_strdup_printf("uetx && %s.addr == %s && %s.addr == %s", ip, a, ip, b);
    wmem_free(NULL, a);
    wmem_free(NULL, b);
    return filter;
}

/* epan's own listener tells the sides apart by ports: of UET they are entropy values. */
static tap_packet_status follow(void *data, packet_info *pinfo, epan_dissect_t *edt _U_,
                                const void *tapped, tap_flags_t flags _U_)
{
    follow_info_t *info = data;
    const struct followed *f = tapped;
    guint n = tvb_captured_length(f->payload);
    follow_record_t *record = g_new0(follow_record_t, 1);
    if (info->client_ip.type == AT_NONE) {
        copy_address(&info->client_ip, f->forward ? &pinfo->src : &pinfo->dst);
        copy_address(&info->server_ip, f->forward ? &pinfo->dst : &pinfo->src);
        info->client_port = info->server_port = UET_UDP_PORT;
    }
    record->is_server = !f->forward;
    record->packet_num = pinfo->fd->num;
    record->abs_ts = pinfo->fd->abs_ts;
    record->data =
        g_byte_array_append(g_byte_array_sized_new(n), tvb_get_ptr(f->payload, 0, -1), n);
    info->bytes_written[record->is_server] += n;
    info->payload = g_list_prepend(info->payload, record);
    return TAP_PACKET_DONT_REDRAW;
}

void uetx_follow_register(int proto)
{
    follow_tap = register_tap("uetx_follow");
    register_follow_stream(proto, "uetx_follow", stream_of_packet, stream_by_number,
                           stream_by_addresses, udp_port_to_display, follow);
}
