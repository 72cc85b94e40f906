/* SPDX-License-Identifier: BSD-2-Clause */
#include "gen/walk.h"

#include <string.h>

#include "gen/value.h"
#include "wire/crc.h"
#include "wire/inet.h"

/* Do the terms hold for a header of which `room` bytes are there? */
static bool holds(const struct gen_when *when, enum uet_header_id id, const uint8_t *h, size_t room)
{
    for (size_t i = 0; i < when->n; i++) {
        const char *name = when->terms[i].field;
        const struct uet_field *f = gen_field(id, name, strlen(name));
        if (!f || (f->bit_offset + f->width + 7u) / 8 > room)
            return false;
        if (!gen_term_holds(&when->terms[i], (uint64_t)gen_value_get(f, h)))
            return false;
    }
    return true;
}

static enum uet_header_id choose(const struct gen_edge *e, const uint8_t *h, size_t room)
{
    for (size_t i = 0; i < e->n_to; i++) {
        enum uet_header_id id = (enum uet_header_id)e->to[i];
        if (!uet_headers[id].implementation[0] && holds(&gen_whens[id], id, h, room))
            return id;
    }
    return UET_H_NONE;
}

/* What follows a header, by its bytes at h and by those of what would follow. */
static enum uet_header_id follow(enum uet_header_id from, const uint8_t *h, size_t bytes,
                                 const uint8_t *next, size_t room)
{
    for (size_t i = 0; i < gen_n_edges; i++) {
        const struct gen_edge *e = &gen_edges[i];
        if (e->inside || !gen_edge_leaves(e, from) || !holds(&e->when, from, h, bytes))
            continue;
        enum uet_header_id id = choose(e, next, room);
        if (id == UET_H_PDS_PROLOGUE)
            return follow(id, next, room, next, room);
        if (id != UET_H_NONE)
            return uet_headers[id].bytes <= room ? id : UET_H_NONE;
    }
    return UET_H_NONE;
}

static void look_inside(struct gen_step *s, const uint8_t *h, size_t room)
{
    for (size_t i = 0; i < gen_n_edges; i++) {
        const struct gen_edge *e = &gen_edges[i];
        if (gen_inner(e, s->id, 0) == UET_H_NONE || !holds(&e->when, s->id, h, s->bytes))
            continue;
        int at = gen_inner_offset(s->id, (enum uet_header_id)e->to[0]);
        enum uet_header_id id = choose(e, h + at, room - (size_t)at);
        if (id == UET_H_NONE || (size_t)at + uet_headers[id].bytes > room)
            return;
        s->inner = id;
        s->inner_offset = at;
        if ((size_t)at + uet_headers[id].bytes > s->bytes)
            s->bytes = (uint16_t)(at + uet_headers[id].bytes);
        return;
    }
}

/* Where the IP packet says it ends; len when it does not, or not within the frame. */
static size_t ip_end(const struct gen_step *s, const uint8_t *frame, size_t len)
{
    const uint8_t *h = frame + s->offset;
    size_t n = s->id == UET_H_IPV4   ? uet_ipv4_total_length(h)
               : s->id == UET_H_IPV6 ? UET_IPV6_BYTES + (size_t)uet_ipv6_payload_length(h)
                                     : len;
    bool sane = n >= s->bytes && s->offset + n <= len;
    return sane ? s->offset + n : len;
}

static enum uet_header_id first(const uint8_t *frame, size_t len, const struct uet_parse_options *o)
{
    enum uet_header_id id = UET_H_ETH;
    if (len == 0)
        return UET_H_NONE;
    if (o->start == UET_START_IP)
        id = frame[0] >> 4 == 6 ? UET_H_IPV6 : UET_H_IPV4;
    if (o->start == UET_START_PDS)
        return follow(UET_H_PDS_PROLOGUE, frame, len, frame, len);
    return uet_headers[id].bytes <= len ? id : UET_H_NONE;
}

static bool is_ip(enum uet_header_id id)
{
    return id == UET_H_IPV4 || id == UET_H_IPV6;
}

/* Is there a CRC trailer at the end of what IP carries? As wire/packet.c decides it. */
static void find_crc(struct gen_walk *w, const uint8_t *frame, const struct gen_step *ip,
                     const struct uet_parse_options *o)
{
    if (!ip || o->protect == UET_PROTECT_NONE || w->data_end - w->data < UET_CRC_TRAILER_BYTES)
        return;
    size_t at = w->data_end - UET_CRC_TRAILER_BYTES;
    size_t from = ip->offset + uet_crc_from(ip->id == UET_H_IPV4 ? 4 : 6);
    bool good = uet_crc_order_of(frame + at, uet_crc32c(0, frame + from, at - from)) >= 0;
    if (good || o->protect == UET_PROTECT_CRC)
        w->crc = w->data_end = at;
}

/* After these, what the bytes say is not for readers of headers: options, or a sealed packet. */
static bool opaque(const struct gen_step *s, const uint8_t *h)
{
    return (s->id == UET_H_IPV4 && uet_ipv4_ihl(h) != UET_IPV4_BYTES / 4) ||
           uet_headers[s->id].layer == UET_LAYER_TSS;
}

void gen_walk(struct gen_walk *w, const uint8_t *frame, size_t len,
              const struct uet_parse_options *options)
{
    static const struct uet_parse_options plain = {0};
    const struct uet_parse_options *o = options ? options : &plain;
    const struct gen_step *ip = NULL;
    *w = (struct gen_walk){.data_end = len, .end = len};
    enum uet_header_id id = first(frame, len, o);
    while (id != UET_H_NONE && w->n < GEN_WALK_MAX) {
        struct gen_step *s = &w->steps[w->n++];
        const uint8_t *h = frame + w->data;
        *s = (struct gen_step){
            .id = id, .offset = (uint16_t)w->data, .bytes = uet_headers[id].bytes};
        look_inside(s, h, w->data_end - w->data);
        w->data += s->bytes;
        if (is_ip(id) && !ip) {
            ip = s;
            w->data_end = ip_end(s, frame, len);
        }
        if (opaque(s, h))
            break;
        id = follow(id, h, s->bytes, frame + w->data, w->data_end - w->data);
    }
    find_crc(w, frame, ip, o);
}
