/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a PDC carried, each direction in the order of its PSNs and each byte once, however it was
 * captured: tshark -z follow,uetx,hex,STREAM.
 */
#include "dissector/statistics/follow.h"

#include <epan/tap.h>

static int follow_tap;

/* Payload, and its place among what the PDC carried. */
struct followed {
    tvbuff_t *payload;
    uint32_t psn;
    enum uetx_follow_kind kind;
    bool forward;
};

void uetx_follow(const struct uetx_state *s, packet_info *pinfo, tvbuff_t *payload)
{
    if (!have_tap_listener(follow_tap) || !s || !s->pdc || s->mismatch || uetx_seen_before(s))
        return;
    struct followed *f = wmem_new(pinfo->pool, struct followed);
    *f = (struct followed){.payload = payload,
                           .psn = s->psn,
                           .kind = !s->psn_known ? UETX_FOLLOW_UNNUMBERED
                                   : s->own      ? UETX_FOLLOW_SENT
                                                 : UETX_FOLLOW_ACK,
                           .forward = s->forward};
    tap_queue_packet(follow_tap, pinfo, f);
}

static gchar *stream_of_packet(epan_dissect_t *edt _U_, packet_info *pinfo, guint *stream,
                               guint *sub_stream _U_)
{
    const struct uetx_state *s = uetx_state_at(pinfo->num);
    if (!s || !s->pdc)
        return NULL;
    *stream = s->pdc->track->stream;
    return uetx_follow_filter(*stream);
}

char *uetx_follow_filter(uint32_t stream)
{
    return g_strdup_printf("uetx.stream == %u", stream);
}

static gchar *stream_by_number(guint stream, guint sub_stream _U_)
{
    return uetx_follow_filter(stream);
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

static bool is_alike(const struct uetx_follow_record *a, const struct uetx_follow_record *b)
{
    return a->kind == b->kind && a->epan.is_server == b->epan.is_server;
}

/*
 * Where a record belongs in the list, which runs backwards: behind all that is alike and comes
 * later by PSN. NULL: first. *same: the record of the same PSN, or NULL.
 */
static GList *place_of(follow_info_t *info, const struct uetx_follow_record *r,
                       struct uetx_follow_record **same)
{
    GList *behind = NULL;
    *same = NULL;
    if (r->kind == UETX_FOLLOW_UNNUMBERED)
        return NULL;
    for (GList *at = info->payload; at; at = g_list_next(at)) {
        struct uetx_follow_record *other = at->data;
        if (!is_alike(other, r))
            continue;
        int32_t ahead = uet_psn_diff(other->psn, r->psn);
        if (ahead == 0)
            *same = other;
        if (ahead <= 0)
            break;
        behind = at;
    }
    return behind;
}

static void insert(follow_info_t *info, GList *behind, struct uetx_follow_record *r)
{
    if (behind) /* g_list_insert_before adds at the end when there is nothing before which */
        info->payload = g_list_insert_before(info->payload, g_list_next(behind), r);
    else
        info->payload = g_list_prepend(info->payload, r);
}

static GByteArray *bytes_of(tvbuff_t *tvb)
{
    guint n = tvb_captured_length(tvb);
    return g_byte_array_append(g_byte_array_sized_new(n), tvb_get_ptr(tvb, 0, -1), n);
}

/* The same PSN again, when the capture had cut what came before. */
static void mend(follow_info_t *info, struct uetx_follow_record *r, tvbuff_t *payload)
{
    guint n = tvb_captured_length(payload);
    if (n <= r->epan.data->len)
        return;
    info->bytes_written[r->epan.is_server] += n - r->epan.data->len;
    g_byte_array_free(r->epan.data, TRUE);
    r->epan.data = bytes_of(payload);
}

/* epan's own listener tells the sides apart by ports: of UET they are entropy values. */
tap_packet_status uetx_follow_packet(void *data, packet_info *pinfo, epan_dissect_t *edt _U_,
                                     const void *tapped, tap_flags_t flags _U_)
{
    follow_info_t *info = data;
    const struct followed *f = tapped;
    if (info->client_ip.type == AT_NONE) {
        copy_address(&info->client_ip, f->forward ? &pinfo->src : &pinfo->dst);
        copy_address(&info->server_ip, f->forward ? &pinfo->dst : &pinfo->src);
        info->client_port = info->server_port = UET_UDP_PORT;
    }
    struct uetx_follow_record *same, *r = g_new0(struct uetx_follow_record, 1);
    *r = (struct uetx_follow_record){
        .epan = {.is_server = !f->forward,
                 .packet_num = pinfo->fd->num,
                 .abs_ts = pinfo->fd->abs_ts},
        .psn = f->psn,
        .kind = f->kind,
    };
    GList *behind = place_of(info, r, &same);
    if (same) {
        mend(info, same, f->payload);
        g_free(r);
        return TAP_PACKET_DONT_REDRAW;
    }
    r->epan.data = bytes_of(f->payload);
    info->bytes_written[r->epan.is_server] += r->epan.data->len;
    insert(info, behind, r);
    return TAP_PACKET_DONT_REDRAW;
}

#if UETX_SINCE(4, 2)
#define LATER_FOLLOW , uetx_pdc_count, NULL
#else
#define LATER_FOLLOW
#endif

void uetx_follow_register(int proto)
{
    follow_tap = register_tap(UETX_FOLLOW_TAP);
    register_follow_stream(proto, UETX_FOLLOW_TAP, stream_of_packet, stream_by_number,
                           stream_by_addresses, udp_port_to_display,
                           uetx_follow_packet LATER_FOLLOW);
    uetx_follow_window_register(proto);
}
