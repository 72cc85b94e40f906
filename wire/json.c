/* SPDX-License-Identifier: BSD-2-Clause */
#include "wire/json.h"

#include "wire/layers.h"
#include "wire/print.h"

/* Room for the longest field: an IPv6 address, or 16 bytes in hexadecimal. */
#define FIELD_TEXT 64

/* Text for what JSON has no number for: addresses, and byte strings. */
static bool is_text(const struct uet_field *f)
{
    return f->kind == UET_KIND_MAC || f->kind == UET_KIND_IPV4 || f->kind == UET_KIND_IPV6 ||
           f->kind == UET_KIND_BYTES || f->width > 64;
}

/*
 * A JSON number here is a signed 64-bit integer, and many readers keep only 53 bits: wide values
 * (buffer_offset, memory keys, header data) are text, "0x0123456789abcdef", whatever they hold.
 */
static json_t *number(uint64_t v, unsigned width)
{
    return width > 32 ? json_sprintf("0x%016llx", (unsigned long long)v)
                      : json_integer((json_int_t)v);
}

static json_t *field_value(const struct uet_field *f, const uint8_t *h)
{
    if (is_text(f)) {
        char text[FIELD_TEXT];
        uet_print_field(text, sizeof text, f, h);
        return json_string(text);
    }
    uint64_t v = uet_field_get(f, h);
    if (f->kind == UET_KIND_FLAG)
        return json_boolean(v);
    if (f->kind == UET_KIND_INT)
        return json_integer((json_int_t)(int64_t)v);
    return number(v, f->width);
}

/* Adds a member; the value may be NULL (memory ran out). Returns 0, or -1. */
static int put(json_t *object, const char *key, json_t *value)
{
    return json_object_set_new(object, key, value);
}

static int put_fields(json_t *fields, json_t *names, const struct uet_header *header,
                      const uint8_t *h)
{
    int bad = 0;
    for (size_t i = 0; i < header->n_fields; i++) {
        const struct uet_field *f = header->fields[i];
        bad |= put(fields, f->name, field_value(f, h));
        if (f->kind == UET_KIND_ENUM)
            bad |= put(names, f->name,
                       json_string(uet_enum_name(f->enumeration, (uint32_t)uet_field_get(f, h))));
    }
    return bad;
}

/* Gives object, or frees it and gives NULL when something did not fit into memory. */
static json_t *finish(json_t *object, int bad)
{
    if (bad)
        json_decref(object);
    return bad ? NULL : object;
}

json_t *uet_json_header(enum uet_header_id id, const uint8_t *h)
{
    const struct uet_header *header = &uet_headers[id];
    json_t *object = json_object(), *fields = json_object(), *names = json_object();
    int bad = put_fields(fields, names, header, h);
    bad |= put(object, "header", json_string(header->name));
    if (header->implementation[0])
        bad |= put(object, "implementation", json_string(header->implementation));
    bad |= put(object, "fields", fields);
    if (!names || json_object_size(names))
        bad |= put(object, "names", names);
    else
        json_decref(names);
    return finish(object, bad);
}

static json_t *layer(const struct uet_packet *p, const struct uet_layer_at *l)
{
    struct uet_computed computed[UET_COMPUTED_MAX];
    json_t *object = uet_json_header(l->id, p->frame + l->offset);
    int bad = put(object, "offset", json_integer(p->in_frame + l->offset));
    size_t n = uet_computed(p, l->id, computed);
    if (n) {
        json_t *values = json_object();
        for (size_t i = 0; i < n; i++)
            bad |= put(values, computed[i].name, json_integer((json_int_t)computed[i].value));
        bad |= put(object, "computed", values);
    }
    return finish(object, bad);
}

static const char *crc_name(const struct uet_packet *p)
{
    static const char *const names[] = {"absent", "good", "bad", "unchecked"};
    return names[p->crc_state & 3];
}

static int put_error(json_t *object, const struct uet_packet *p)
{
    return put(object, "error",
               json_pack("{s:s, s:i}", "what", uet_parse_error_text((enum uet_parse_error)p->error),
                         "offset", p->in_frame + p->error_offset));
}

/* What kept the parser from the rest, without anybody's fault. */
static int put_closed(json_t *object, const struct uet_packet *p)
{
    static const char *const trims[] = {"", "trimmed", "lasthop", "by length"};
    int bad = 0;
    if (p->error == UET_PARSE_SEALED)
        bad |= put(object, "sealed", json_true());
    if (p->trim != UET_TRIM_NO)
        bad |= put(object, "trimmed", json_string(trims[p->trim & 3]));
    if (p->trimmed_bytes)
        bad |= put(object, "lost", json_integer(p->trimmed_bytes));
    if (p->partial)
        bad |= put(object, "stops in", json_string(uet_headers[p->partial].name));
    return bad;
}

json_t *uet_json_packet(const struct uet_packet *p)
{
    struct uet_layer_at at[UET_LAYERS_MAX];
    size_t n = uet_layers(p, at);
    char line[UET_LINE_MAX];
    json_t *object = json_object(), *layers = json_array();
    uet_print_line(line, sizeof line, p);
    int bad = put(object, "summary", json_string(line));
    bad |= put(object, "length", json_integer(p->len));
    for (size_t i = 0; i < n; i++)
        bad |= json_array_append_new(layers, layer(p, &at[i]));
    bad |= put(object, "layers", layers);
    if (p->payload_len)
        bad |= put(object, "payload",
                   json_pack("{s:i, s:i}", "offset", p->in_frame + p->payload_offset, "length",
                             (int)p->payload_len));
    bad |= put(object, "crc", json_string(crc_name(p)));
    bad |= put_closed(object, p);
    if (p->error != UET_PARSE_OK)
        bad |= put_error(object, p);
    return finish(object, bad);
}
