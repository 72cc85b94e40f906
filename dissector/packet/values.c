/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What no sender may write: reserved bits that are not 0, reserved values of enumerations. The
 * tables say which they are; here they are made into masks, so that a packet without a tree is
 * looked over in one pass.
 */
#include "dissector/uetx.h"
#include "rules/rules.h"

#define VALUES       256 /* what a byte holds: wider enumerations are not looked at */
#define ENUMERATIONS 256

static expert_field ei_value = EI_INIT;
static expert_field ei_version = EI_INIT;
static uint8_t bits[UET_H_COUNT][256];                /* reserved bits of each header */
static bool reserved[ENUMERATIONS][VALUES];           /* no meaning in any version */
static const char *until[ENUMERATIONS][VALUES];       /* the last version with a meaning */
static const struct uet_field *enums[UET_H_COUNT][8]; /* the fields to look at, NULL at the end */

bool uetx_reserved_bits(enum uet_header_id id, const struct uet_field *f, const uint8_t *h)
{
    for (unsigned b = f->bit_offset; b < (unsigned)f->bit_offset + f->width; b++)
        if (bits[id][b / 8] & h[b / 8] & 0x80 >> b % 8)
            return true;
    return false;
}

bool uetx_reserved_in(enum uet_header_id id, const uint8_t *h, unsigned n)
{
    const uint8_t *mask = bits[id];
    unsigned bytes = uet_headers[id].bytes < n ? uet_headers[id].bytes : n, i = 0;
    uint64_t set = 0, a, b;
    for (; i + 8 <= bytes; i += 8) {
        memcpy(&a, h + i, 8);
        memcpy(&b, mask + i, 8);
        set |= a & b;
    }
    for (; i < bytes; i++)
        set |= h[i] & mask[i];
    return set != 0;
}

/* Type and next_hdr decide what follows: the parser's error says what is wrong with them. */
static bool is_judged(const struct uet_field *f)
{
    return f->kind == UET_KIND_ENUM && f->width <= 8 && f->enumeration != UET_ENUM_PDS_TYPE &&
           f->enumeration != UET_ENUM_PDS_NEXT_HDR;
}

static const char *version_name(int version)
{
    static const char *const names[] = {[UET_VERSION_1_0_1] = "1.0.1",
                                        [UET_VERSION_1_0_2] = "1.0.2",
                                        [UET_VERSION_1_0_3] = "1.0.3"};
    return names[version];
}

static bool is_old(const struct uet_field *f, uint64_t v)
{
    const char *last = until[f->enumeration][v];
    return last && strcmp(last, version_name(uetx_prefs.spec)) < 0;
}

static bool is_contested(const struct uet_field *f)
{
    return f->other_readers[0] != '\0';
}

/* The value where others read the field. */
static uint64_t other_value(const struct uet_field *f, const uint8_t *h)
{
    struct uet_field other = *f;
    other.bit_offset = f->other_bit_offset;
    return uet_field_get(&other, h);
}

bool uetx_values_in(enum uet_header_id id, const uint8_t *h, unsigned n)
{
    for (size_t i = 0; i < array_length(enums[id]) && enums[id][i]; i++) {
        const struct uet_field *f = enums[id][i];
        if ((f->bit_offset + f->width + 7u) / 8 > n)
            return false;
        uint64_t v = uet_field_get(f, h);
        if (is_contested(f)) {
            if (other_value(f, h) != v)
                return true;
            continue;
        }
        if (reserved[f->enumeration][v] || is_old(f, v))
            return true;
    }
    return false;
}

void uetx_value_remark(struct uetx_pdu *u, proto_item *item, const struct uet_field *f, unsigned at)
{
    const uint8_t *h = u->p.frame + at;
    if (at + (f->bit_offset + f->width + 7u) / 8 > u->captured)
        return;
    if (is_contested(f) && other_value(f, h) != uet_field_get(f, h))
        uetx_expert_contested(u, item, f, uet_field_get(f, h), other_value(f, h));
    if (!is_judged(f))
        return;
    uint64_t v = uet_field_get(f, h);
    if (reserved[f->enumeration][v])
        expert_add_info_format(u->pinfo, item, &ei_value, "%s %" PRIu64 " is reserved (%s)",
                               f->name, v, f->section);
    else if (is_old(f, v))
        expert_add_info_format(u->pinfo, item, &ei_version,
                               "%s %" PRIu64 " is reserved since version %s (%s)", f->name, v,
                               version_name(uetx_prefs.spec), f->section);
}

static void fill_bits(enum uet_header_id id, const struct uet_field *f)
{
    for (unsigned b = f->bit_offset; b < (unsigned)f->bit_offset + f->width; b++)
        bits[id][b / 8] |= (uint8_t)(0x80 >> b % 8);
}

/* Bits to which somebody's reading gives a meaning are not called reserved. */
static void clear_contested(enum uet_header_id id)
{
    const struct uet_header *h = &uet_headers[id];
    for (unsigned i = 0; i < h->n_fields; i++) {
        const struct uet_field *f = h->fields[i];
        for (unsigned b = f->other_bit_offset;
             is_contested(f) && b < f->other_bit_offset + f->width; b++)
            bits[id][b / 8] &= (uint8_t) ~(0x80 >> b % 8);
    }
}

static void fill_values(uint8_t id)
{
    for (uint32_t v = 0; v < VALUES; v++) {
        const struct uet_enumerator *e = uet_enum_find(id, v);
        reserved[id][v] = !e || strncmp(e->name, "RESERVED", strlen("RESERVED")) == 0;
        until[id][v] = e && e->until && e->until[0] ? e->until : NULL;
    }
}

static void fill_header(enum uet_header_id id)
{
    const struct uet_header *h = &uet_headers[id];
    size_t n = 0;
    for (unsigned i = 0; i < h->n_fields; i++) {
        const struct uet_field *f = h->fields[i];
        if (f->kind == UET_KIND_RESERVED)
            fill_bits(id, f);
        if (!(is_judged(f) || is_contested(f)) || n + 1 >= array_length(enums[id]))
            continue;
        enums[id][n++] = f;
        if (is_judged(f))
            fill_values(f->enumeration);
    }
    clear_contested(id);
}

void uetx_values_register(int proto)
{
    static ei_register_info ei[] = {
        {&ei_value,
         {"uetx.reserved.value", PI_PROTOCOL, PI_NOTE, "A value without a meaning", EXPFILL}},
        {&ei_version,
         {"uetx.reserved.version", PI_PROTOCOL, PI_NOTE,
          "A value that the version of the specification (preference uetx.spec) has no more",
          EXPFILL}},
    };
    for (int id = 0; id < UET_H_COUNT; id++)
        fill_header((enum uet_header_id)id);
    expert_register_field_array(expert_register_protocol(proto), ei, array_length(ei));
}
