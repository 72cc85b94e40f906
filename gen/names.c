/* SPDX-License-Identifier: BSD-2-Clause */
#include "gen/names.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define NAME_MAX_BYTES 64

/* Written down: what people say and no table does. */
static const struct {
    const char *name;
    enum uet_header_id id;
} aliases[] = {
    {"ip", UET_H_IPV4},
    {"ip6", UET_H_IPV6},
    {"crc", UET_H_CRC_TRAILER},
    {"tss", UET_H_TSS_HDR_12},
    {"icv", UET_H_TSS_TRAILER},
    {"ses.std", UET_H_SES_REQ_STD_SOM1},
    {"ses.medium", UET_H_SES_REQ_MEDIUM_MSG},
};

static const struct {
    const char *name, *stands_for;
} shorter[] = {
    {"pds.cp.clear", "pds.cp.clear_command"},
    {"pds.cp.close", "pds.cp.close_command"},
};

/* Short names that enumerators give: prefix, and the field that has the enumeration. */
static const struct {
    const char *prefix;
    enum uet_header_id outer;
    const char *field;
} enumerated[] = {
    {"pds.cp.", UET_H_CP, "ctl_type"},
    {"pds.", UET_H_PDS_PROLOGUE, "type"}, /* names what the value leads to */
};
enum { N_ENUMERATED = sizeof enumerated / sizeof *enumerated };

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
        if (strcasecmp(aliases[i].name, name) != 0)
            continue;
        *found = (struct gen_name){.id = aliases[i].id};
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

/* The enumeration whose names follow the e-th prefix: its values, and how many. */
static const struct uet_enumerator *enumerators(size_t e, size_t *n)
{
    const char *name = enumerated[e].field;
    const struct uet_field *f = gen_field(enumerated[e].outer, name, strlen(name));
    *n = f ? uet_enumerations[f->enumeration].n : 0;
    return f ? uet_enumerations[f->enumeration].values : NULL;
}

/* What an enumerator behind the e-th prefix names; id is UET_H_NONE when it names nothing. */
static struct gen_name enumerator(size_t e, const struct uet_enumerator *v)
{
    enum uet_header_id outer = enumerated[e].outer;
    return (struct gen_name){.id = !named(v)                     ? UET_H_NONE
                                   : outer == UET_H_PDS_PROLOGUE ? of_type(v->low)
                                                                 : outer,
                             .preset = {enumerated[e].field, v->low}};
}

static void enumerator_name(size_t e, const struct uet_enumerator *v, char *name, size_t cap)
{
    int n = snprintf(name, cap, "%s%s", enumerated[e].prefix, v->name);
    for (int i = 0; i < n && (size_t)i < cap; i++)
        name[i] = (char)tolower((unsigned char)name[i]);
}

static bool by_enumerator(struct gen_name *found, const char *name)
{
    for (size_t e = 0; e < N_ENUMERATED; e++) {
        size_t n;
        const struct uet_enumerator *v = enumerators(e, &n);
        size_t prefix = strlen(enumerated[e].prefix);
        if (strncasecmp(name, enumerated[e].prefix, prefix) != 0)
            continue;
        for (size_t k = 0; k < n; k++) {
            if (strcasecmp(v[k].name, name + prefix) != 0)
                continue;
            *found = enumerator(e, &v[k]);
            if (found->id != UET_H_NONE)
                return true;
        }
    }
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

/* Does the name stand for the header or a sibling of it? e is the edge that leads to the header. */
static bool fits(const struct gen_name *what, enum uet_header_id id, const struct gen_edge *e)
{
    for (size_t i = 0; e && i < e->n_to; i++)
        if (e->to[i] == what->id)
            return true;
    return id == what->id;
}

/* By the values that the header's own fields have. */
static bool name_by_value(enum uet_header_id id, const struct gen_edge *to, const uint8_t *h,
                          char *out, size_t cap, struct gen_name *found)
{
    for (size_t e = 0; e < N_ENUMERATED; e++) {
        size_t n;
        const struct uet_enumerator *v = enumerators(e, &n);
        const struct uet_field *f = gen_field(id, enumerated[e].field, strlen(enumerated[e].field));
        for (size_t k = 0; f && k < n; k++) {
            if (v[k].low != uet_field_get(f, h))
                continue;
            *found = enumerator(e, &v[k]);
            if (!fits(found, id, to))
                continue;
            enumerator_name(e, &v[k], out, cap);
            return true;
        }
    }
    return false;
}

void gen_name_of(enum uet_header_id id, const uint8_t *h, char *out, size_t cap,
                 struct gen_name *found)
{
    const struct gen_edge *to = gen_edge_to(id);
    if (name_by_value(id, to, h, out, cap, found))
        return;
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++) {
        *found = (struct gen_name){.id = aliases[i].id};
        if (!fits(found, id, to))
            continue;
        snprintf(out, cap, "%s", aliases[i].name);
        return;
    }
    const char *name = uet_headers[id].name;
    if (uet_headers[id].layer == UET_LAYER_SES && strncmp(name, "ses_", 4) == 0) {
        const char *rest = strncmp(name + 4, "req_", 4) == 0 || strncmp(name + 4, "ext_", 4) == 0
                               ? name + 8
                               : name + 4;
        snprintf(out, cap, "ses.%s", rest);
        if (find(found, out) && fits(found, id, to))
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
        if (by_alias(&what, aliases[i].name))
            tell(ctx, aliases[i].name, &what);
    for (size_t i = 0; i < sizeof shorter / sizeof *shorter; i++)
        if (find(&what, shorter[i].name))
            tell(ctx, shorter[i].name, &what);
    for (size_t e = 0; e < N_ENUMERATED; e++) {
        size_t n;
        const struct uet_enumerator *v = enumerators(e, &n);
        for (size_t k = 0; k < n; k++) {
            what = enumerator(e, &v[k]);
            if (what.id == UET_H_NONE)
                continue;
            enumerator_name(e, &v[k], name, sizeof name);
            tell(ctx, name, &what);
        }
    }
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
