/* SPDX-License-Identifier: BSD-2-Clause */
/* Looking things up in the compiled specification. */
#include "spec-map/spec.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *uet_level_name(enum uet_level level)
{
    static const char *const names[] = {"MUST", "MUST NOT", "SHOULD", "SHOULD NOT", "MAY"};
    return (size_t)level < sizeof names / sizeof *names ? names[level] : "?";
}

const struct uet_enumerator *uet_enum_find(uint8_t enumeration, uint32_t value)
{
    if (enumeration >= uet_n_enumerations)
        return NULL;
    const struct uet_enumeration *e = &uet_enumerations[enumeration];
    for (size_t i = 0; i < e->n; i++)
        if (value >= e->values[i].low && value <= e->values[i].high)
            return &e->values[i];
    return NULL;
}

const char *uet_enum_name(uint8_t enumeration, uint32_t value)
{
    const struct uet_enumerator *v = uet_enum_find(enumeration, value);
    return v ? v->name : "unknown";
}

/* Where the name of a range says its first number, "15_31" in "RESERVED_15_31"; NULL: it does not.
 */
static const char *numbers_of(const struct uet_enumerator *e)
{
    for (const char *at = strchr(e->name, '_'); at; at = strchr(at + 1, '_')) {
        char *end;
        unsigned long first = strtoul(at + 1, &end, 0);
        if (end == at + 1 || *end != '_')
            continue;
        const char *second = end + 1;
        unsigned long last = strtoul(second, &end, 0);
        if (end != second && !*end && last - first == e->high - e->low)
            return at + 1;
    }
    return NULL;
}

const char *uet_enum_value_name(uint8_t enumeration, uint32_t value,
                                char out[static UET_ENUM_VALUE_NAME])
{
    const struct uet_enumerator *e = uet_enum_find(enumeration, value);
    const char *at = e && e->low != e->high ? numbers_of(e) : NULL;
    if (!at) {
        bool range = e && e->low != e->high;
        snprintf(out, UET_ENUM_VALUE_NAME, range ? "%s_%" PRIu32 : "%s", e ? e->name : "unknown",
                 value);
        return out;
    }
    uint32_t number = (uint32_t)strtoul(at, NULL, 0) + value - e->low;
    bool upper = strpbrk(at, "ABCDEF"), hex = at[0] == '0' && at[1] == 'x';
    snprintf(out, UET_ENUM_VALUE_NAME,
             !hex    ? "%.*s%" PRIu32
             : upper ? "%.*s0x%02" PRIX32
                     : "%.*s0x%02" PRIx32,
             (int)(at - e->name), e->name, number);
    return out;
}

enum { ID_TAIL = 6 }; /* LL-001 ends there, PDS-001 has its last digit there */

const struct uet_requirement *uet_requirement_find(const char *id)
{
    if (strlen(id) < ID_TAIL) /* no id is so short (test_spec.c) */
        return NULL;
    for (size_t i = 0; i < uet_n_requirements; i++) {
        const char *is = uet_requirements[i].id;
        /* They differ in their ends: that spares nearly all comparisons. */
        if (is[ID_TAIL] == id[ID_TAIL] && is[ID_TAIL - 1] == id[ID_TAIL - 1] && !strcmp(is, id))
            return &uet_requirements[i];
    }
    return NULL;
}

bool uet_requirement_in(const struct uet_requirement *r, const char *version)
{
    return (!*r->since || strcmp(version, r->since) >= 0) &&
           (!*r->until || strcmp(version, r->until) <= 0);
}

const struct uet_header *uet_header_find(const char *name)
{
    for (size_t i = 0; i < uet_n_headers; i++)
        if (strcmp(uet_headers[i].name, name) == 0)
            return &uet_headers[i];
    return NULL;
}

const struct uet_section *uet_section_find(const char *section)
{
    for (size_t i = 0; i < uet_n_sections; i++)
        if (strcmp(uet_sections[i].section, section) == 0)
            return &uet_sections[i];
    return NULL;
}

const struct uet_block *uet_block_find(const char *name)
{
    for (size_t i = 0; i < uet_n_blocks; i++)
        if (strcmp(uet_blocks[i].name, name) == 0)
            return &uet_blocks[i];
    return NULL;
}

const struct uet_block_row *uet_block_row_find(const struct uet_block *b, const char *field)
{
    for (size_t i = 0; b && i < b->n; i++)
        if (strcmp(b->rows[i].field, field) == 0)
            return &b->rows[i];
    return NULL;
}

const struct uet_param *uet_param_find(const char *name)
{
    for (size_t i = 0; i < uet_n_params; i++)
        if (strcmp(uet_params[i].name, name) == 0)
            return &uet_params[i];
    return NULL;
}

const struct uet_term *uet_term_find(const char *table, const char *name)
{
    for (size_t i = 0; i < uet_n_terms; i++)
        if (strcmp(uet_terms[i].table, table) == 0 && strcmp(uet_terms[i].name, name) == 0)
            return &uet_terms[i];
    return NULL;
}

const struct uet_table_number *uet_table_number_find(const char *number)
{
    for (int version = 3; version >= 1; version--)
        for (size_t i = 0; i < uet_n_table_numbers; i++) {
            const struct uet_table_number *t = &uet_table_numbers[i];
            const char *name = version == 3 ? t->v1_0_3 : version == 2 ? t->v1_0_2 : t->v1_0_1;
            if (*number && strcmp(name, number) == 0)
                return t;
        }
    return NULL;
}

const struct uet_requirement *uet_requirement_canonical(const struct uet_requirement *r)
{
    while (r && r->same_as[0]) {
        char id[16];
        size_t n = strcspn(r->same_as, "|");
        if (n >= sizeof id)
            break;
        memcpy(id, r->same_as, n);
        id[n] = '\0';
        const struct uet_requirement *up = uet_requirement_find(id);
        if (!up)
            break;
        r = up;
    }
    return r;
}

const struct uet_field *uet_field_find(const struct uet_header *h, const char *name)
{
    for (size_t i = 0; i < h->n_fields; i++) {
        const char *full = h->fields[i]->name;
        const char *dot = strrchr(full, '.');
        if (strcmp(full, name) == 0 || (dot && strcmp(dot + 1, name) == 0))
            return h->fields[i];
    }
    return NULL;
}

/* The bytes a field touches, as one number, most significant first; at most 9 of them. */
static unsigned field_bytes(const struct uet_field *f)
{
    return (unsigned)(f->bit_offset % 8 + f->width + 7) / 8;
}

uint64_t uet_field_get(const struct uet_field *f, const uint8_t *h)
{
    const uint8_t *p = h + f->bit_offset / 8;
    unsigned n = field_bytes(f), shift = (n * 8 - f->width - f->bit_offset % 8) % 8;
    unsigned __int128 all = 0;
    for (unsigned i = 0; i < n; i++)
        all = all << 8 | p[i];
    uint64_t v = (uint64_t)(all >> shift);
    if (f->width < 64)
        v &= (UINT64_C(1) << f->width) - 1;
    if (f->kind == UET_KIND_INT && f->width < 64 && (v >> (f->width - 1)))
        v |= ~UINT64_C(0) << f->width;
    return v;
}

void uet_field_set(const struct uet_field *f, uint8_t *h, uint64_t value)
{
    uint8_t *p = h + f->bit_offset / 8;
    unsigned n = field_bytes(f), shift = (n * 8 - f->width - f->bit_offset % 8) % 8;
    unsigned __int128 mask = (((unsigned __int128)1 << f->width) - 1) << shift;
    unsigned __int128 bits = ((unsigned __int128)value << shift) & mask;
    for (unsigned i = n; i-- > 0;) {
        p[i] = (uint8_t)((p[i] & ~(uint8_t)mask) | (uint8_t)bits);
        mask >>= 8;
        bits >>= 8;
    }
}
