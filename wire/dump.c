/* SPDX-License-Identifier: BSD-2-Clause */
/* The full dump: the tables of the specification applied to a packet. */
#include <inttypes.h>
#include <string.h>

#include "wire/crc.h"
#include "wire/layers.h"
#include "wire/print.h"
#include "wire/text.h"

#define NAME_WIDTH    24
#define PAYLOAD_SHOWN 256 /* bytes of the payload that a dump shows */

static void add_bytes(struct text *t, const uint8_t *b, size_t n)
{
    text_add(t, "0x");
    for (size_t i = 0; i < n; i++)
        text_add(t, "%02x", b[i]);
}

static void add_ip(struct text *t, uint8_t version, const uint8_t *b)
{
    struct uet_ip ip = {.version = version};
    char s[UET_IP_TEXT];
    memcpy(ip.bytes, b, uet_ip_len(&ip));
    text_add(t, "%s", uet_ip_text(&ip, s));
}

/* Fields wider than 64 bits, and those whose bytes are an address: all stand on whole bytes. */
static void add_field_bytes(struct text *t, const struct uet_field *f, const uint8_t *b)
{
    if (f->kind == UET_KIND_MAC)
        text_add(t, "%02x:%02x:%02x:%02x:%02x:%02x", b[0], b[1], b[2], b[3], b[4], b[5]);
    else if (f->kind == UET_KIND_IPV4 || f->kind == UET_KIND_IPV6)
        add_ip(t, f->kind == UET_KIND_IPV4 ? 4 : 6, b);
    else
        add_bytes(t, b, f->width / 8u);
}

static void add_number(struct text *t, const struct uet_field *f, uint64_t v)
{
    switch ((enum uet_field_kind)f->kind) {
    case UET_KIND_INT:
        text_add(t, "%" PRId64, (int64_t)v);
        return;
    case UET_KIND_PSN:
        text_add(t, "0x%08" PRIx64, v);
        return;
    case UET_KIND_ENUM:
        text_add(t, "%s (%" PRIu64 ")", uet_enum_name(f->enumeration, (uint32_t)v), v);
        return;
    default:
        text_add(t, "%" PRIu64, v);
        if (v > 9)
            text_add(t, " (0x%" PRIx64 ")", v);
    }
}

static void add_field(struct text *t, const struct uet_field *f, const uint8_t *h)
{
    bool bytes = f->width > 64 || f->kind == UET_KIND_MAC || f->kind == UET_KIND_IPV4 ||
                 f->kind == UET_KIND_IPV6 || f->kind == UET_KIND_BYTES;
    if (bytes)
        add_field_bytes(t, f, h + f->bit_offset / 8);
    else
        add_number(t, f, uet_field_get(f, h));
}

int uet_print_field(char *out, size_t n, const struct uet_field *f, const uint8_t *h)
{
    struct text t = text_begin(out, n);
    add_field(&t, f, h);
    return (int)t.len;
}

static void add_title(struct text *t, const char *title, size_t bytes, size_t offset)
{
    text_add(t, "%s, %zu bytes at %zu\n", title, bytes, offset);
}

static void add_crc(struct text *t, const struct uet_packet *p)
{
    int order = uet_packet_crc_order(p);
    enum uet_crc_order shown =
        order == UET_CRC_LITTLE_ENDIAN ? UET_CRC_LITTLE_ENDIAN : UET_CRC_BIG_ENDIAN;
    text_add(t, "    = %-*s 0x%08" PRIx32 ", ", NAME_WIDTH - 2, "crc",
             uet_crc_load(p->frame + p->crc_offset, shown));
    if (order < 0)
        text_add(t, "BAD, computed 0x%08" PRIx32 "\n", p->crc_computed);
    else
        text_add(t, "%s%s%s\n", p->crc_state == UET_CRC_GOOD ? "good" : "BAD",
                 order == UET_CRC_BIG_ENDIAN ? "" : ", ",
                 order == UET_CRC_BIG_ENDIAN ? "" : uet_crc_order_name(shown));
}

static void add_layer(struct text *t, const struct uet_packet *p, const struct uet_layer_at *l)
{
    const struct uet_header *h = &uet_headers[l->id];
    struct uet_computed computed[UET_COMPUTED_MAX];
    add_title(t, h->title, h->bytes, p->in_frame + (size_t)l->offset);
    if (h->implementation[0])
        text_add(t, "    ! not the specification's: %s\n", h->implementation);
    for (size_t i = 0; i < h->n_fields; i++) {
        text_add(t, "    %-*s ", NAME_WIDTH, h->fields[i]->name);
        add_field(t, h->fields[i], p->frame + l->offset);
        text_add(t, "\n");
    }
    size_t n = uet_computed(p, l->id, computed);
    for (size_t i = 0; i < n; i++)
        text_add(t, computed[i].psn ? "    = %-*s 0x%08" PRIx64 "\n" : "    = %-*s %" PRIu64 "\n",
                 NAME_WIDTH - 2, computed[i].name, computed[i].value);
    if (l->id == UET_H_CRC_TRAILER)
        add_crc(t, p);
}

static void add_payload(struct text *t, const struct uet_packet *p)
{
    const uint8_t *b = p->frame + p->payload_offset;
    size_t captured = p->len > p->payload_offset ? p->len - p->payload_offset : 0;
    size_t there = p->payload_len < captured ? p->payload_len : captured;
    size_t shown = there < PAYLOAD_SHOWN ? there : PAYLOAD_SHOWN;
    bool cut = uet_parse_malformed(p) && p->error != UET_PARSE_CRC_BAD;
    bool sealed = p->error == UET_PARSE_SEALED;
    add_title(t,
              sealed              ? "Sealed"
              : cut || p->partial ? "Not decoded"
                                  : "Payload",
              p->payload_len, p->in_frame + (size_t)p->payload_offset);
    for (size_t i = 0; i < shown; i += 16) {
        text_add(t, "    %04zx ", i);
        for (size_t j = i; j < i + 16 && j < shown; j++)
            text_add(t, " %02x", b[j]);
        text_add(t, "\n");
    }
    if (shown < p->payload_len)
        text_add(t, "    ... %zu more\n", p->payload_len - shown);
}

int uet_print_packet(char *out, size_t n, const struct uet_packet *p)
{
    struct text t = text_begin(out, n);
    struct uet_layer_at layers[UET_LAYERS_MAX];
    size_t n_layers = uet_layers(p, layers);
    bool payload = p->payload_len > 0;
    for (size_t i = 0; i < n_layers; i++) {
        if (payload && layers[i].offset >= p->payload_offset) { /* before the CRC trailer */
            add_payload(&t, p);
            payload = false;
        }
        add_layer(&t, p, &layers[i]);
    }
    if (payload)
        add_payload(&t, p);
    if (p->trimmed_bytes)
        text_add(&t, "! %u bytes of it were cut off on the way\n", p->trimmed_bytes);
    if (p->error != UET_PARSE_OK)
        text_add(&t, "! %s at byte %u\n", uet_parse_error_text((enum uet_parse_error)p->error),
                 p->in_frame + p->error_offset);
    return (int)t.len;
}
