/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * check_fields: the plugin's field tables as epan registered them, held against what Wireshark asks
 * of a dissector and against spec-map. A line for each fault, exit status 1 then. First it looks at
 * fields that are wrong on purpose: a checker that does not see those says nothing.
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "dissector/tests/epan_run.h"
#include "dissector/uetx.h"

static unsigned faults, fields;
static bool quiet; /* while the wrong ones are looked at */

__attribute__((format(printf, 2, 3))) static void fault(const header_field_info *h,
                                                        const char *format, ...)
{
    va_list args;
    faults++;
    if (quiet)
        return;
    printf("%s: ", h->abbrev ? h->abbrev : "(no filter)");
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    putchar('\n');
}

/* Bits of the type; 0: it has no number of them. */
static unsigned width_of(enum ftenum type)
{
    if (type >= FT_UINT8 && type <= FT_UINT32)
        return 8 * (type - FT_UINT8 + 1);
    if (type >= FT_UINT40 && type <= FT_UINT64)
        return 8 * (type - FT_UINT40 + 5);
    if (type >= FT_INT8 && type <= FT_INT32)
        return 8 * (type - FT_INT8 + 1);
    if (type >= FT_INT40 && type <= FT_INT64)
        return 8 * (type - FT_INT40 + 5);
    return 0;
}

static uint64_t highest_of(unsigned width)
{
    return width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
}

static void check_filter(const header_field_info *h)
{
    const char *a = h->abbrev ? h->abbrev : "";
    if (strncmp(a, "uetx.", 5) != 0)
        fault(h, "the filter does not begin with uetx.");
    size_t good = strspn(a, "abcdefghijklmnopqrstuvwxyz0123456789._");
    if (a[good])
        fault(h, "'%c' in the filter: lower-case letters, digits, dots and _ only", a[good]);
    if (strstr(a, "..") || (*a && a[strlen(a) - 1] == '.'))
        fault(h, "an empty part in the filter");
}

static void check_words(const header_field_info *h)
{
    const char *name = h->name ? h->name : "", *blurb = h->blurb ? h->blurb : "";
    if (!*name)
        fault(h, "no name");
    if (!*blurb && h->type != FT_NONE) /* epan registers remarks without one */
        fault(h, "no description");
    else if (g_ascii_strcasecmp(name, blurb) == 0)
        fault(h, "the description repeats the name");
    if (isspace((unsigned char)*name) || isspace((unsigned char)*blurb))
        fault(h, "begins with a blank");
}

/* Runs of ones only: epan shifts the value down by the zeros behind them. */
static void check_mask(const header_field_info *h)
{
    unsigned width = h->type == FT_BOOLEAN ? (unsigned)h->display : width_of(h->type);
    uint64_t mask = h->bitmask, low = mask & (~mask + 1);
    if (!mask)
        return;
    if (!width)
        fault(h, "a mask on a type without bits");
    else if (mask > highest_of(width))
        fault(h, "mask 0x%" PRIx64 " goes beyond %u bits", mask, width);
    if (low && ((mask + low) & mask))
        fault(h, "mask 0x%" PRIx64 " has holes", mask);
}

static void check_ranges(const header_field_info *h, const range_string *r)
{
    uint64_t top = highest_of(width_of(h->type));
    for (size_t i = 0; r[i].strptr; i++) {
        if (r[i].value_min > r[i].value_max || r[i].value_max > top)
            fault(h, "%s: no value from %" PRIu64 " to %" PRIu64 " in its type", r[i].strptr,
                  (uint64_t)r[i].value_min, (uint64_t)r[i].value_max);
        for (size_t j = 0; j < i; j++)
            if (r[j].value_min <= r[i].value_max && r[i].value_min <= r[j].value_max)
                fault(h, "%s and %s have a value in common", r[j].strptr, r[i].strptr);
    }
}

static void check_values(const header_field_info *h, const value_string *v)
{
    uint64_t top = highest_of(width_of(h->type));
    for (size_t i = 0; v[i].strptr; i++) {
        if (v[i].value > top)
            fault(h, "%s: no value %u in its type", v[i].strptr, v[i].value);
        for (size_t j = 0; j < i; j++)
            if (v[j].value == v[i].value)
                fault(h, "%s and %s have the same value", v[j].strptr, v[i].strptr);
    }
}

static void check_strings(const header_field_info *h)
{
    bool number = width_of(h->type) != 0;
    if (!number && h->type != FT_BOOLEAN && (h->display & BASE_RANGE_STRING))
        fault(h, "value strings on a type that is no number");
    if ((h->display & BASE_RANGE_STRING) && number && !h->strings)
        fault(h, "ranges are promised and missing");
    if (!number || !h->strings)
        return;
    if (h->display & BASE_RANGE_STRING)
        check_ranges(h, h->strings);
    else if (h->display & BASE_EXT_STRING)
        check_values(h, VALUE_STRING_EXT_VS_P((value_string_ext *)h->strings));
    else if (!(h->display & (BASE_VAL64_STRING | BASE_UNIT_STRING | BASE_CUSTOM)))
        check_values(h, h->strings);
}

static void check_display(const header_field_info *h)
{
    int base = h->display & FIELD_DISPLAY_E_MASK;
    bool number = width_of(h->type) != 0;
    if (number && base == BASE_NONE && !h->strings) /* a checksum's status has names only */
        fault(h, "a number without a base");
    if (!number && base != BASE_NONE && h->type != FT_BOOLEAN && h->type != FT_BYTES &&
        h->type != FT_ABSOLUTE_TIME)
        fault(h, "a base, and no number");
}

static void check(const header_field_info *h)
{
    check_filter(h);
    check_words(h);
    check_mask(h);
    check_display(h);
    check_strings(h);
}

/* What spec-map says of a field, and what was registered for it. */
static void check_against(const header_field_info *h, const struct uet_header *header,
                          const struct uet_field *f)
{
    unsigned width = h->type == FT_BOOLEAN ? 1 : width_of(h->type);
    if (width && f->width > width)
        fault(h, "%s.%s has %u bits, the type %u", header->name, f->name, f->width, width);
    if ((f->kind == UET_KIND_FLAG) != (h->type == FT_BOOLEAN))
        fault(h, "%s.%s: flags are booleans, nothing else is", header->name, f->name);
    if (f->kind != UET_KIND_ENUM)
        return;
    const struct uet_enumeration *e = &uet_enumerations[f->enumeration];
    value_string_ext *names = h->display & BASE_EXT_STRING ? (value_string_ext *)h->strings : NULL;
    if (!names)
        fault(h, "%s.%s is an enumeration and has no value strings", header->name, f->name);
    for (size_t i = 0; names && i < e->n; i++) {
        const char *have = try_val_to_str_ext(e->values[i].low, names);
        if (e->values[i].low == e->values[i].high &&
            (!have || strcmp(have, e->values[i].name) != 0))
            fault(h, "value %u reads \"%s\" instead of \"%s\"", e->values[i].low, have ? have : "",
                  e->values[i].name);
        if (e->values[i].low != e->values[i].high && !try_val_to_str_ext(e->values[i].high, names))
            fault(h, "value %u has no name", e->values[i].high);
    }
}

/*
 * A field that spec-map gives no filter gets one by its name, with its own description: when
 * several do, that must be true for all, or specc must be told (filters.csv).
 */
static void check_description(const header_field_info *h, const struct uet_header *header,
                              const struct uet_field *f)
{
    if (f->filter == UET_NO_FILTER && strncmp(h->blurb, f->values, strlen(f->values)) != 0)
        fault(h, "\"%s\" does not say of %s.%s: \"%s\"", h->blurb, header->name, f->name,
              f->values);
    if (f->filter == UET_NO_FILTER && !f->values[0] && strncmp(h->blurb, "section", 7) != 0 &&
        strncmp(h->blurb, "in no", 5) != 0)
        fault(h, "\"%s\" is more than is known of %s.%s", h->blurb, header->name, f->name);
}

static void check_headers(void)
{
    for (int id = UET_H_NONE + 1; id < UET_H_COUNT; id++)
        for (unsigned i = 0; i < uet_headers[id].n_fields; i++) {
            int hf = uetx_field_at((enum uet_header_id)id, i);
            if (hf != UETX_NO_ID)
                check_description(proto_registrar_get_nth((guint)hf), &uet_headers[id],
                                  uet_headers[id].fields[i]);
            if (hf != UETX_NO_ID)
                check_against(proto_registrar_get_nth((guint)hf), &uet_headers[id],
                              uet_headers[id].fields[i]);
        }
}

static void check_unique(GHashTable *seen, const header_field_info *h)
{
    if (h->abbrev && !g_hash_table_add(seen, (gpointer)h->abbrev))
        fault(h, "two fields have this filter");
}

/* Fields with one thing wrong, each. */
static const value_string twice[] = {{1, "one"}, {1, "uno"}, {0, NULL}};
static const value_string large[] = {{256, "too large"}, {0, NULL}};
static const range_string overlap[] = {{1, 5, "some"}, {5, 6, "more"}, {0, 0, NULL}};
static const range_string turned[] = {{5, 1, "turned"}, {0, 0, NULL}};
#define WRONG(name, abbrev, type, display, strings, mask, blurb)                                   \
    {                                                                                              \
        name, abbrev, type, display, strings, mask, blurb, HFILL                                   \
    }
static const header_field_info wrong[] = {
    WRONG("psn", "uet.psn", FT_UINT32, BASE_DEC, NULL, 0, "Another protocol's prefix"),
    WRONG("psn", "uetx.PSN", FT_UINT32, BASE_DEC, NULL, 0, "Upper case"),
    WRONG("psn", "uetx..psn", FT_UINT32, BASE_DEC, NULL, 0, "An empty part"),
    WRONG("", "uetx.psn", FT_UINT32, BASE_DEC, NULL, 0, "No name"),
    WRONG("psn", "uetx.psn", FT_UINT32, BASE_DEC, NULL, 0, NULL),
    WRONG("psn", "uetx.psn", FT_UINT32, BASE_DEC, NULL, 0, "PSN"),
    WRONG("psn", "uetx.psn", FT_UINT32, BASE_DEC, NULL, 0, " A blank"),
    WRONG("bits", "uetx.bits", FT_UINT8, BASE_DEC, NULL, 0x1f0, "A mask too wide"),
    WRONG("bits", "uetx.bits", FT_UINT8, BASE_DEC, NULL, 0x50, "A mask with a hole"),
    WRONG("flag", "uetx.flag", FT_BOOLEAN, 8, NULL, 0x100, "A flag outside of its byte"),
    WRONG("text", "uetx.text", FT_STRING, BASE_NONE, NULL, 0xff, "A mask on text"),
    WRONG("psn", "uetx.psn", FT_UINT32, BASE_NONE, NULL, 0, "No base"),
    WRONG("text", "uetx.text", FT_STRING, BASE_HEX, NULL, 0, "A base"),
    WRONG("code", "uetx.code", FT_UINT8, BASE_DEC, VALS(twice), 0, "A value with two names"),
    WRONG("code", "uetx.code", FT_UINT8, BASE_DEC, VALS(large), 0, "A value too large"),
    WRONG("code", "uetx.code", FT_UINT8, BASE_DEC | BASE_RANGE_STRING, RVALS(overlap), 0,
          "Ranges that overlap"),
    WRONG("code", "uetx.code", FT_UINT8, BASE_DEC | BASE_RANGE_STRING, RVALS(turned), 0,
          "A range turned round"),
    WRONG("code", "uetx.code", FT_UINT8, BASE_DEC | BASE_RANGE_STRING, NULL, 0, "No ranges"),
};

/* And three that do not say what spec-map says. */
static const struct {
    header_field_info h;
    struct uet_field f;
} other[] = {
    {WRONG("n", "uetx.n", FT_UINT8, BASE_DEC, NULL, 0, "Too narrow"),
     {.name = "n", .width = 9, .kind = UET_KIND_UINT}},
    {WRONG("flag", "uetx.flag", FT_UINT8, BASE_DEC, NULL, 0, "A flag that is none"),
     {.name = "flag", .width = 1, .kind = UET_KIND_FLAG}},
    {WRONG("type", "uetx.type", FT_UINT8, BASE_DEC, NULL, 0, "An enumeration without names"),
     {.name = "type", .width = 5, .kind = UET_KIND_ENUM, .enumeration = UET_ENUM_PDS_TYPE}},
};

/* Is each of the wrong ones found? */
static bool sees_wrong(void)
{
    bool good = true;
    quiet = true;
    for (size_t i = 0; i < array_length(wrong); i++) {
        faults = 0;
        check(&wrong[i]);
        if (faults != 1)
            printf("check_fields: %u faults found in: %s\n", faults,
                   wrong[i].blurb ? wrong[i].blurb : "(no description)");
        good = good && faults == 1;
    }
    for (size_t i = 0; i < array_length(other); i++) {
        faults = 0;
        check_against(&other[i].h, &uet_headers[UET_H_PDS_PROLOGUE], &other[i].f);
        if (faults != 1)
            printf("check_fields: %u faults found in: %s\n", faults, other[i].h.blurb);
        good = good && faults == 1;
    }
    GHashTable *seen = g_hash_table_new(g_str_hash, g_str_equal);
    faults = 0;
    check_unique(seen, &wrong[3]);
    check_unique(seen, &wrong[4]);
    good = good && faults == 1;
    g_hash_table_destroy(seen);
    quiet = false;
    faults = 0;
    return good;
}

int main(void)
{
    void *cookie;
    epan_run_start();
    if (!sees_wrong())
        return 2;
    int proto = proto_get_id_by_filter_name("uetx");
    GHashTable *seen = g_hash_table_new(g_str_hash, g_str_equal);
    for (const header_field_info *h = proto_get_first_protocol_field(proto, &cookie); h;
         h = proto_get_next_protocol_field(proto, &cookie)) {
        check(h);
        check_unique(seen, h);
        fields++;
    }
    g_hash_table_destroy(seen);
    check_headers();
    printf("%u fields, %u faults\n", fields, faults);
    return faults || fields < uet_n_filters ? 1 : 0;
}
