/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The display filters of spec-map as epan fields: one meaning, one field. */
#include "dissector/uetx.h"

/* Numbers are read by the kind of field; these are names, patterns or keys. */
static const char *const in_hex[] = {
    "uetx.pds.flags",
    "uetx.pds.spdcid",
    "uetx.pds.dpdcid",
    "uetx.pds.probe_opaque",
    "uetx.pds.payload",
    "uetx.pds.cp.feature_mask",
    "uetx.pds.pkt_id",
    "uetx.pds.nack_pkt_id",
    "uetx.pds.nack_ccx_state1",
    "uetx.ses.header_data",
    "uetx.ses.match_bits",
    "uetx.ses.match_bits_or_memory_key",
    "uetx.ses.read_memory_key",
    "uetx.ses.initiator_restart_token",
    "uetx.ses.rkey",
    "uetx.ses.target_restart_token",
    "uetx.tss.sdi",
    "uetx.tss.ssi",
    "uetx.tss.legacy_pre_1_0.tsc",
    "uetx.entropy",
    "uetx.crc32c",
};

static int *ids; /* one per uet_filters[], for the life of the program */

int uetx_field(uint16_t id)
{
    return ids[id];
}

/*
 * An enumeration as epan wants it: a name for each value, those of ranges too, since a display
 * filter by name (uetx.ses.opcode == "UET_READ") works with single values only.
 */
static value_string_ext *names_of(uint8_t enumeration)
{
    static value_string_ext *made[256];
    if (made[enumeration])
        return made[enumeration];
    const struct uet_enumeration *e = &uet_enumerations[enumeration];
    guint n = 0, at = 0;
    for (size_t i = 0; i < e->n; i++)
        n += e->values[i].high - e->values[i].low + 1;
    value_string *names = g_new0(value_string, n + 1); /* ends with a NULL name */
    for (size_t i = 0; i < e->n; i++)
        for (uint32_t v = e->values[i].low; v <= e->values[i].high; v++) {
            char name[UET_ENUM_VALUE_NAME];
            names[at++] = (value_string){v, g_strdup(uet_enum_value_name(enumeration, v, name))};
        }
    made[enumeration] = uetx_value_string_ext_new(names, n + 1, g_strdup(e->name));
    return made[enumeration];
}

static enum ftenum unsigned_of(unsigned width)
{
    static const enum ftenum by_byte[] = {FT_UINT8,  FT_UINT16, FT_UINT24, FT_UINT32,
                                          FT_UINT40, FT_UINT48, FT_UINT56, FT_UINT64};
    return width <= 64 ? by_byte[(width - 1) / 8] : FT_BYTES;
}

static enum ftenum signed_of(unsigned width)
{
    static const enum ftenum by_byte[] = {FT_INT8,  FT_INT16, FT_INT24, FT_INT32,
                                          FT_INT40, FT_INT48, FT_INT56, FT_INT64};
    return width <= 64 ? by_byte[(width - 1) / 8] : FT_BYTES;
}

static int base_of(const char *abbrev)
{
    for (size_t i = 0; i < array_length(in_hex); i++)
        if (strcmp(in_hex[i], abbrev) == 0)
            return BASE_HEX;
    return BASE_DEC;
}

static void describe(header_field_info *info, const struct uet_filter *f)
{
    info->name = f->name;
    info->abbrev = f->abbrev;
    info->blurb = f->blurb;
    info->type = unsigned_of(f->width);
    info->display = base_of(f->abbrev);
    switch ((enum uet_field_kind)f->kind) {
    case UET_KIND_ENUM:
        info->display = BASE_DEC | BASE_EXT_STRING;
        info->strings = names_of(f->enumeration);
        break;
    case UET_KIND_PSN:
        info->display = BASE_HEX;
        break;
    case UET_KIND_INT:
        info->type = signed_of(f->width);
        info->display = BASE_DEC;
        break;
    case UET_KIND_FLAG:
        info->type = FT_BOOLEAN;
        info->display = BASE_NONE;
        break;
    case UET_KIND_BYTES:
        info->type = FT_BYTES;
        break;
    case UET_KIND_MAC:
        info->type = FT_ETHER;
        break;
    case UET_KIND_IPV4:
        info->type = FT_IPv4;
        break;
    case UET_KIND_IPV6:
        info->type = FT_IPv6;
        break;
    default:
        break;
    }
    if (!FT_IS_INT(info->type) && !FT_IS_UINT(info->type))
        info->display = BASE_NONE;
}

/*
 * A field that spec-map gives no filter gets one from its layer and name, so that every header of
 * the tables can be filtered for from the day it is in them.
 */
struct made {
    char *abbrev;
    struct uet_filter filter;
    int id;
};

static struct made *made;
static size_t n_made;

static const char *prefix_of(uint8_t layer)
{
    switch ((enum uet_layer)layer) {
    case UET_LAYER_PDS:
        return "uetx.pds";
    case UET_LAYER_SES:
        return "uetx.ses";
    case UET_LAYER_TSS:
        return "uetx.tss";
    case UET_LAYER_NET:
        return "uetx"; /* of these only the entropy header is shown */
    default:
        return NULL;
    }
}

/* "flags.epsn" becomes "epsn", "tsc.epoch" "epoch". */
static const char *last_part(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot ? dot + 1 : name;
}

static bool is_shown(const struct uet_header *h, const struct uet_field *f)
{
    bool net = h->layer == UET_LAYER_NET && strcmp(h->name, "entropy") != 0;
    bool other = strcmp(h->name, "default_ses_response") == 0; /* shown as ses_rsp_default */
    return f->kind != UET_KIND_RESERVED && prefix_of(h->layer) && !net && !other;
}

static bool same_meaning(const struct uet_filter *a, const struct uet_field *f)
{
    return a->kind == f->kind && (f->kind != UET_KIND_ENUM || a->enumeration == f->enumeration);
}

/* The made filter of this name, or the one of spec-map: its index there, negative. */
static int find_name(const char *abbrev)
{
    for (size_t i = 0; i < n_made; i++)
        if (strcmp(made[i].abbrev, abbrev) == 0)
            return (int)i;
    for (size_t i = 0; i < uet_n_filters; i++)
        if (strcmp(uet_filters[i].abbrev, abbrev) == 0)
            return -(int)i - 1;
    return INT_MAX;
}

/* What may stand there and the section, as spec-map says it of the fields it gives a filter. */
static char *blurb_of(const struct uet_field *f)
{
    bool published = f->section[0] && strcmp(f->section, "none published") != 0;
    return g_strdup_printf("%s%s%s%s", f->values, f->values[0] ? "; " : "",
                           published ? "section " : "in no public section",
                           published ? f->section : "");
}

static void add_made(char *abbrev, const struct uet_field *f)
{
    made = g_renew(struct made, made, n_made + 1);
    char *blurb = blurb_of(f);
    const struct uet_filter filter = {abbrev,  last_part(f->name), blurb,
                                      f->kind, f->enumeration,     f->width};
    made[n_made++] = (struct made){abbrev, filter, UETX_NO_ID};
}

/* The place of the field's filter: made[i] as i, spec-map's i as -i - 1. */
static int place_of(const struct uet_header *h, const struct uet_field *f)
{
    if (f->filter != UET_NO_FILTER)
        return -(int)f->filter - 1;
    char *abbrev = g_strdup_printf("%s.%s", prefix_of(h->layer), last_part(f->name));
    int at = find_name(abbrev);
    bool fits = at == INT_MAX || same_meaning(at < 0 ? &uet_filters[-at - 1] : &made[at].filter, f);
    if (at < 0 && f->width > uet_filters[-at - 1].width)
        fits = false;
    if (strcmp(abbrev, "uetx.pds.expected_psn") == 0) /* computed.c: of UET_ROD_OOO */
        fits = false;
    if (!fits) {
        g_free(abbrev);
        abbrev = g_strdup_printf("%s.%s.%s", prefix_of(h->layer), h->family, last_part(f->name));
        at = find_name(abbrev);
    }
    if (at == INT_MAX) {
        add_made(abbrev, f);
        return (int)n_made - 1;
    }
    g_free(abbrev);
    if (at >= 0 && made[at].filter.width < f->width)
        made[at].filter.width = f->width;
    return at;
}

/* For each header and field of it the place of its filter, INT_MAX for reserved bits. */
static int *places[UET_H_COUNT];

int uetx_field_at(enum uet_header_id id, unsigned i)
{
    int at = places[id] ? places[id][i] : INT_MAX;
    if (at == INT_MAX)
        return UETX_NO_ID;
    return at < 0 ? ids[-at - 1] : made[at].id;
}

int uetx_field_named(const char *abbrev)
{
    int at = find_name(abbrev);
    if (at == INT_MAX)
        return UETX_NO_ID;
    return at < 0 ? ids[-at - 1] : made[at].id;
}

static void find_places(void)
{
    for (int id = UET_H_NONE + 1; id < UET_H_COUNT; id++) {
        const struct uet_header *h = &uet_headers[id];
        places[id] = g_new(int, h->n_fields);
        for (unsigned i = 0; i < h->n_fields; i++) {
            const struct uet_field *f = h->fields[i];
            bool named = f->filter != UET_NO_FILTER || is_shown(h, f);
            places[id][i] = named ? place_of(h, f) : INT_MAX;
        }
    }
}

static void begin(hf_register_info *hf, int *id, const struct uet_filter *f)
{
    static const header_field_info none = {NULL, NULL, FT_NONE, 0, NULL, 0, NULL, HFILL};
    *id = UETX_NO_ID;
    hf->p_id = id;
    hf->hfinfo = none;
    describe(&hf->hfinfo, f);
}

void uetx_fields_register(int proto)
{
    find_places();
    hf_register_info *hf = g_new0(hf_register_info, uet_n_filters + n_made);
    ids = g_new(int, uet_n_filters);
    for (size_t i = 0; i < uet_n_filters; i++)
        begin(&hf[i], &ids[i], &uet_filters[i]);
    for (size_t i = 0; i < n_made; i++)
        begin(&hf[uet_n_filters + i], &made[i].id, &made[i].filter);
    proto_register_field_array(proto, hf, (int)(uet_n_filters + n_made));
}
