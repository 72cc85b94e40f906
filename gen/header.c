/* SPDX-License-Identifier: BSD-2-Clause */
#include "gen/header.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "gen/internal.h"
#include "ut/nearest.h"

static void offer(void *ctx, const char *name, const struct gen_name *what)
{
    (void)what;
    uet_nearest_offer(ctx, name);
}

enum uet_header_id uet_gen_header(const char *name, struct uet_gen_error *error)
{
    struct gen_name found;
    struct uet_nearest near;
    if (gen_name_find(&found, name, strlen(name)))
        return found.id;
    uet_nearest_begin(&near, name);
    gen_names_each(offer, &near);
    gen_refuse(error, 0, strlen(name), "%.60s: no such header", name);
    uet_nearest_append(&near, error->text, sizeof error->text);
    return UET_H_NONE;
}

/* ---- to JSON ---- */

/* Decimal digits of a number that printf cannot print. */
static void decimal(FILE *out, gen_value v)
{
    char digits[48];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + (int)(v % 10));
        v /= 10;
    } while (v);
    fwrite(digits + at, 1, sizeof digits - at, out);
}

static void value_json(FILE *out, const struct uet_field *f, gen_value v)
{
    char text[80];
    if (f->kind == UET_KIND_MAC || f->kind == UET_KIND_IPV4 || f->kind == UET_KIND_IPV6) {
        gen_value_text(f, v, text, sizeof text);
        fprintf(out, "\"%s\"", text);
        return;
    }
    if (f->kind == UET_KIND_INT && v >> 127) {
        fputc('-', out);
        v = -v;
    }
    decimal(out, v);
}

void uet_gen_header_json(FILE *out, enum uet_header_id id, const uint8_t *bytes)
{
    const struct uet_header *h = &uet_headers[id];
    fprintf(out, "{\"header\":\"%s\",\"fields\":{", h->name);
    for (size_t i = 0; i < h->n_fields; i++) {
        fprintf(out, "%s\"%s\":", i ? "," : "", h->fields[i]->name);
        value_json(out, h->fields[i], gen_value_get(h->fields[i], bytes));
    }
    fputs("}}", out);
}

/* ---- from text ---- */

struct reading {
    enum uet_header_id id;
    const char *text, *p;
    uint8_t *out;
    bool json;
    struct uet_gen_error *error;
};

static int unexpected(struct reading *r, const char *wanted)
{
    size_t at = (size_t)(r->p - r->text);
    if (!*r->p)
        return gen_refuse(r->error, at, 0, "the text ends where %s should stand", wanted);
    return gen_refuse(r->error, at, 1, "'%c' where %s should stand",
                      isprint((unsigned char)*r->p) ? *r->p : '?', wanted);
}

static bool take(struct reading *r, char c)
{
    r->p += strspn(r->p, " \t\r\n");
    if (*r->p != c)
        return false;
    r->p++;
    return true;
}

/* A name or value: quoted, or a run of what they are made of. */
static const char *token(struct reading *r, size_t *n)
{
    if (take(r, '"')) {
        const char *start = r->p;
        *n = strcspn(start, "\"");
        r->p = start + *n + (start[*n] == '"');
        return start;
    }
    const char *start = r->p;
    *n = strcspn(start, r->json ? ",}: \t\r\n\"" : ",= \t\r\n\"");
    r->p = start + *n;
    return start;
}

static int no_field(struct reading *r, const char *name, size_t n)
{
    const struct uet_header *h = &uet_headers[r->id];
    char copy[64], text[240];
    struct uet_nearest near;
    snprintf(copy, sizeof copy, "%.*s", (int)(n < 63 ? n : 63), name);
    snprintf(text, sizeof text, "%s has no field %s", h->name, copy);
    uet_nearest_begin(&near, copy);
    for (size_t i = 0; i < h->n_fields; i++)
        uet_nearest_offer(&near, h->fields[i]->name);
    uet_nearest_append(&near, text, sizeof text);
    return gen_refuse(r->error, (size_t)(name - r->text), n, "%s", text);
}

static int one_field(struct reading *r)
{
    size_t n, vn;
    char why[200];
    gen_value v;
    const char *name = token(r, &n);
    if (n == 0)
        return unexpected(r, "the name of a field");
    const struct uet_field *f = gen_field(r->id, name, n);
    if (!take(r, r->json ? ':' : '='))
        return unexpected(r, r->json ? "':'" : "'='");
    if (!f)
        return no_field(r, name, n);
    r->p += strspn(r->p, " \t\r\n");
    const char *value = token(r, &vn);
    if (!gen_value_parse(f, value, vn, &v, why, sizeof why))
        return gen_refuse(r->error, (size_t)(value - r->text), vn, "%s", why);
    gen_value_set(f, r->out, v);
    return 0;
}

static int fields(struct reading *r)
{
    do {
        int rc = one_field(r);
        if (rc)
            return rc;
    } while (take(r, ','));
    return 0;
}

/* The text says which header it is: another one is a mistake. */
static int same_header(struct reading *r, const char *key)
{
    size_t n;
    r->p = key;
    if (!take(r, ':'))
        return unexpected(r, "':'");
    const char *name = token(r, &n), *own = uet_headers[r->id].name;
    if (strlen(own) == n && memcmp(own, name, n) == 0)
        return 0;
    return gen_refuse(r->error, (size_t)(name - r->text), n, "this is %.*s and not %s", (int)n,
                      name, own);
}

/* {"psn":5}, or {"header":"ack","fields":{"psn":5}}, where the rest does not matter. */
static int json_object(struct reading *r)
{
    const char *inner = strstr(r->text, "\"fields\""), *header = strstr(r->text, "\"header\"");
    int rc = header ? same_header(r, header + strlen("\"header\"")) : 0;
    if (rc)
        return rc;
    r->p = inner ? inner + strlen("\"fields\"") : r->text;
    if (inner && !take(r, ':'))
        return unexpected(r, "':'");
    if (!take(r, '{'))
        return unexpected(r, "'{'");
    if (!take(r, '}')) {
        rc = fields(r);
        if (rc == 0 && !take(r, '}'))
            return unexpected(r, "',' or '}'");
    }
    if (inner)
        r->p += strlen(r->p);
    return rc;
}

/* What tells this form from its siblings, and its type. */
static void put_form(struct reading *r)
{
    const struct gen_edge *e = gen_edge_to(r->id);
    const struct gen_when *whens[] = {&gen_whens[r->id],
                                      e && e->from == UET_H_PDS_PROLOGUE ? &e->when : NULL};
    for (size_t i = 0; i < 2; i++)
        for (size_t t = 0; whens[i] && t < whens[i]->n; t++) {
            const struct gen_term *term = &whens[i]->terms[t];
            const struct uet_field *f = gen_field(r->id, term->field, strlen(term->field));
            if (f)
                gen_value_set(f, r->out, term->ranges[0].low);
        }
}

int uet_gen_header_fill(enum uet_header_id id, const char *text, uint8_t *out,
                        struct uet_gen_error *error)
{
    struct reading r = {.id = id, .text = text, .p = text, .out = out, .error = error};
    memset(out, 0, uet_headers[id].bytes);
    put_form(&r);
    r.p += strspn(r.p, " \t\r\n");
    if (!*r.p)
        return 0;
    r.json = *r.p == '{';
    int rc = r.json ? json_object(&r) : fields(&r);
    r.p += strspn(r.p, " \t\r\n");
    if (rc == 0 && *r.p)
        return unexpected(&r, "',' or the end");
    return rc;
}
