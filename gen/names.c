/* SPDX-License-Identifier: BSD-2-Clause */
#include "gen/names.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define NAME_MAX_BYTES 64

/* Written down: what people say and no table does. Those of headers not in the data do not exist.
 */
static const struct {
    const char *name, *header;
} aliases[] = {
    {"ip", "ipv4"},
    {"ip6", "ipv6"},
    {"crc", "crc_trailer"},
    {"tss", "tss_hdr_12"},
    {"icv", "tss_trailer"},
    {"ses.std", "ses_req_std_som1"},
    {"ses.medium", "ses_req_medium_msg"},
};

static const struct {
    const char *name, *stands_for;
} shorter[] = {
    {"pds.cp.clear", "pds.cp.clear_command"},
    {"pds.cp.close", "pds.cp.close_command"},
};

/* Short names that enumerators give: prefix, the header whose field has the enumeration. */
static const struct {
    const char *prefix;
    const char *header; /* NULL: whatever the prologue's value leads to */
    const char *field;
} enumerated[] = {
    {"pds.cp.", "cp", "ctl_type"},
    {"pds.", NULL, "type"},
};

static enum uet_header_id header_id(const char *name)
{
    for (int i = 1; i < UET_H_COUNT; i++)
        if (strcasecmp(uet_headers[i].name, name) == 0)
            return (enum uet_header_id)i;
    return UET_H_NONE;
}

/* A header by its own name. The name of a whole family leaves the choice of the variant open. */
static bool by_header(struct gen_name *found, const char *name)
{
    enum uet_header_id id = header_id(name);
    if (id == UET_H_NONE)
        return false;
    bool exact = strcmp(uet_headers[id].name, uet_headers[id].family) != 0;
    *found = (struct gen_name){.id = id, .exact = exact};
    return true;
}

static bool by_alias(struct gen_name *found, const char *name)
{
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++) {
        enum uet_header_id id = header_id(aliases[i].header);
        if (id == UET_H_NONE || strcasecmp(aliases[i].name, name) != 0)
            continue;
        *found = (struct gen_name){.id = id};
        return true;
    }
    return false;
}

/* The header to which the prologue leads with this type. */
static enum uet_header_id of_type(uint32_t type)
{
    for (size_t i = 0; i < gen_n_edges; i++)
        if (gen_edges[i].from == UET_H_PDS_PROLOGUE && gen_edges[i].when.n == 1 &&
            gen_term_holds(&gen_edges[i].when.terms[0], type) &&
            !uet_headers[gen_edges[i].to[0]].implementation[0])
            return (enum uet_header_id)gen_edges[i].to[0];
    return UET_H_NONE;
}

static bool named(const struct uet_enumerator *e)
{
    return e->low == e->high && strncasecmp(e->name, "RESERVED", 8) != 0;
}

/* The k-th short name of the e-th enumerated prefix; false after the last of its enumerators. */
static bool nth_enumerated(size_t e, size_t k, char *name, size_t cap, struct gen_name *what)
{
    enum uet_header_id outer =
        enumerated[e].header ? header_id(enumerated[e].header) : UET_H_PDS_PROLOGUE;
    const struct uet_field *f = gen_field(outer, enumerated[e].field, strlen(enumerated[e].field));
    what->id = UET_H_NONE;
    if (!f || k >= uet_enumerations[f->enumeration].n)
        return false;
    const struct uet_enumerator *v = &uet_enumerations[f->enumeration].values[k];
    if (!named(v))
        return true;
    *what = (struct gen_name){.id = enumerated[e].header ? outer : of_type(v->low),
                              .preset = {enumerated[e].field, v->low}};
    int n = snprintf(name, cap, "%s%s", enumerated[e].prefix, v->name);
    for (int i = 0; i < n && (size_t)i < cap; i++)
        name[i] = (char)tolower((unsigned char)name[i]);
    return true;
}

static bool by_enumerator(struct gen_name *found, const char *name)
{
    char candidate[NAME_MAX_BYTES];
    for (size_t e = 0; e < sizeof enumerated / sizeof *enumerated; e++)
        for (size_t k = 0; nth_enumerated(e, k, candidate, sizeof candidate, found); k++)
            if (found->id != UET_H_NONE && strcasecmp(candidate, name) == 0)
                return true;
    return false;
}

/* "ses.small" is ses_req_small, "ses.rsp" ses_rsp, "ses.atomic" ses_ext_atomic, "pds.x" x. */
static bool by_layer(struct gen_name *found, const char *name)
{
    static const char *const ses[] = {"ses_", "ses_req_", "ses_ext_"};
    char full[NAME_MAX_BYTES];
    if (strncasecmp(name, "pds.", 4) == 0)
        return by_header(found, name + 4) && uet_headers[found->id].layer == UET_LAYER_PDS;
    for (size_t i = 0; strncasecmp(name, "ses.", 4) == 0 && i < sizeof ses / sizeof *ses; i++) {
        snprintf(full, sizeof full, "%s%s", ses[i], name + 4);
        if (by_header(found, full))
            return true;
    }
    return false;
}

static bool find(struct gen_name *found, const char *name)
{
    for (size_t i = 0; i < sizeof shorter / sizeof *shorter; i++)
        if (strcasecmp(shorter[i].name, name) == 0)
            name = shorter[i].stands_for;
    return by_header(found, name) || by_alias(found, name) || by_enumerator(found, name) ||
           by_layer(found, name);
}

bool gen_name_find(struct gen_name *found, const char *name, size_t n)
{
    char copy[NAME_MAX_BYTES];
    if (n == 0 || n >= sizeof copy)
        return false;
    memcpy(copy, name, n);
    copy[n] = '\0';
    return find(found, copy);
}

/* ---- from a header to its name ---- */

static bool siblings(enum uet_header_id a, enum uet_header_id b)
{
    const struct gen_edge *e = gen_edge_to(a);
    for (size_t i = 0; e && i < e->n_to; i++)
        if (e->to[i] == b)
            return true;
    return a == b;
}

static bool fits(const struct gen_name *what, enum uet_header_id id, const uint8_t *h)
{
    if (what->id == UET_H_NONE || !siblings(id, what->id))
        return false;
    if (!what->preset.field)
        return true;
    const struct uet_field *f = gen_field(id, what->preset.field, strlen(what->preset.field));
    return f && uet_field_get(f, h) == what->preset.value;
}

void gen_name_of(enum uet_header_id id, const uint8_t *h, char *out, size_t cap,
                 struct gen_name *found)
{
    for (size_t e = 0; e < sizeof enumerated / sizeof *enumerated; e++)
        for (size_t k = 0; nth_enumerated(e, k, out, cap, found); k++)
            if (fits(found, id, h))
                return;
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++) {
        snprintf(out, cap, "%s", aliases[i].name);
        if (by_alias(found, out) && fits(found, id, h))
            return;
    }
    const char *name = uet_headers[id].name;
    if (uet_headers[id].layer == UET_LAYER_SES && strncmp(name, "ses_", 4) == 0) {
        const char *rest = strncmp(name + 4, "req_", 4) == 0 || strncmp(name + 4, "ext_", 4) == 0
                               ? name + 8
                               : name + 4;
        snprintf(out, cap, "ses.%s", rest);
        if (find(found, out) && fits(found, id, h))
            return;
    }
    snprintf(out, cap, "%s", name);
    by_header(found, name);
}

/* ---- all of them ---- */

void gen_names_each(void (*tell)(void *ctx, const char *name, const struct gen_name *what),
                    void *ctx)
{
    struct gen_name what;
    char name[NAME_MAX_BYTES];
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
        if (by_alias(&what, aliases[i].name) && what.id == header_id(aliases[i].header))
            tell(ctx, aliases[i].name, &what);
    for (size_t i = 0; i < sizeof shorter / sizeof *shorter; i++)
        if (find(&what, shorter[i].name))
            tell(ctx, shorter[i].name, &what);
    for (size_t e = 0; e < sizeof enumerated / sizeof *enumerated; e++)
        for (size_t k = 0; nth_enumerated(e, k, name, sizeof name, &what); k++)
            if (what.id != UET_H_NONE)
                tell(ctx, name, &what);
    for (int i = 1; i < UET_H_COUNT; i++) {
        const char *own = uet_headers[i].name;
        if (strncmp(own, "ses_", 4) == 0) {
            bool part = strncmp(own + 4, "req_", 4) == 0 || strncmp(own + 4, "ext_", 4) == 0;
            snprintf(name, sizeof name, "ses.%s", own + (part ? 8 : 4));
            if (find(&what, name) && what.id == (enum uet_header_id)i)
                tell(ctx, name, &what);
        }
        by_header(&what, own);
        tell(ctx, own, &what);
    }
}
