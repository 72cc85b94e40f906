/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The display filters of spec-map as epan fields: one meaning, one field. */
#include "dissector/uetx.h"

/* How numbers are read: by the kind of field, and these by habit. */
static const struct {
    uint16_t filter;
    int display;
} shown_as[] = {
    {UET_F_PDS_FLAGS, BASE_HEX},       {UET_F_PDS_SPDCID, BASE_HEX},
    {UET_F_PDS_DPDCID, BASE_HEX},      {UET_F_PDS_PROBE_OPAQUE, BASE_HEX},
    {UET_F_PDS_PAYLOAD, BASE_HEX},     {UET_F_PDS_CP_FEATURE_MASK, BASE_HEX},
    {UET_F_SES_HEADER_DATA, BASE_HEX}, {UET_F_SES_MATCH_BITS_OR_MEMORY_KEY, BASE_HEX},
    {UET_F_CRC32C, BASE_HEX},
};

static int *ids; /* one per uet_filters[], for the life of the program */

int uetx_field(uint16_t id)
{
    return ids[id];
}

/* An enumeration as epan wants it: ranges show the reserved values by name too. */
static const range_string *ranges(uint8_t enumeration)
{
    static const range_string *made[256];
    if (made[enumeration])
        return made[enumeration];
    const struct uet_enumeration *e = &uet_enumerations[enumeration];
    range_string *r = g_new0(range_string, e->n + 1); /* ends with a NULL name */
    for (size_t i = 0; i < e->n; i++)
        r[i] = (range_string){e->values[i].low, e->values[i].high, e->values[i].name};
    made[enumeration] = r;
    return r;
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

static void describe(header_field_info *info, const struct uet_filter *f)
{
    info->name = f->name;
    info->abbrev = f->abbrev;
    info->blurb = f->blurb;
    info->type = unsigned_of(f->width);
    info->display = BASE_DEC;
    switch ((enum uet_field_kind)f->kind) {
    case UET_KIND_ENUM:
        info->display = BASE_DEC | BASE_RANGE_STRING;
        info->strings = RVALS(ranges(f->enumeration));
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
    if (!IS_FT_INT(info->type) && !IS_FT_UINT(info->type))
        info->display = BASE_NONE;
}

void uetx_fields_register(int proto)
{
    hf_register_info *hf = g_new0(hf_register_info, uet_n_filters);
    ids = g_new(int, uet_n_filters);
    for (size_t i = 0; i < uet_n_filters; i++) {
        static const header_field_info none = {NULL, NULL, FT_NONE, 0, NULL, 0, NULL, HFILL};
        ids[i] = UETX_NO_ID;
        hf[i].p_id = &ids[i];
        hf[i].hfinfo = none;
        describe(&hf[i].hfinfo, &uet_filters[i]);
    }
    for (size_t i = 0; i < array_length(shown_as); i++)
        hf[shown_as[i].filter].hfinfo.display = shown_as[i].display;
    proto_register_field_array(proto, hf, (int)uet_n_filters);
}
