/* SPDX-License-Identifier: BSD-2-Clause */
#include "interop/yaml.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "ut/nearest.h"

struct file {
    const struct yaml_reading *reading;
    yaml_document_t document;
};

__attribute__((format(printf, 3, 4))) static int bad(const struct file *f, const yaml_node_t *node,
                                                     const char *format, ...)
{
    const struct yaml_reading *r = f->reading;
    va_list args;

    if (r->err[0])
        return -EINVAL; /* the first is told */
    int n = snprintf(r->err, r->errlen, "%s:%zu: ", r->path, node ? node->start_mark.line + 1 : 1);
    va_start(args, format);
    if (n > 0 && (size_t)n < r->errlen)
        vsnprintf(r->err + n, r->errlen - (size_t)n, format, args);
    va_end(args);
    return -EINVAL;
}

static const char *scalar(const yaml_node_t *node)
{
    return node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : NULL;
}

/* ---- values ---- */

static int set_text(const struct file *f, const struct field *field, const yaml_node_t *node,
                    char *out)
{
    const char *text = scalar(node);

    if (!text || strlen(text) >= field->size)
        return bad(f, node, "'%s' must be a text of less than %zu characters", field->name,
                   field->size);
    memcpy(out, text, strlen(text) + 1);
    return 0;
}

static int set_number(const struct file *f, const struct field *field, const yaml_node_t *node,
                      uint32_t *out)
{
    const char *text = scalar(node);
    unsigned long n = 0;
    char *end = NULL;

    errno = 0;
    if (text && *text >= '0' && *text <= '9')
        n = strtoul(text, &end, 10);
    if (!end || *end || errno || n > field->max)
        return bad(f, node, "'%s' must be a number from 0 to %u, not '%s'", field->name, field->max,
                   text ? text : "a list");
    *out = (uint32_t)n;
    return 0;
}

static int place_of(const struct file *f, const struct field *field, const yaml_node_t *node)
{
    const char *text = scalar(node);
    char guess[320];
    size_t n = 0;

    for (; field->words[n]; n++)
        if (text && strcmp(field->words[n], text) == 0)
            return (int)n;
    return bad(
        f, node, "'%s' does not know '%s'%s", field->name, text ? text : "a list",
        text ? uet_nearest_in(guess, sizeof(guess), text, field->words, sizeof(*field->words), n)
             : "");
}

static int set_item(const struct file *f, const struct field *field, const yaml_node_t *node,
                    void *at)
{
    if (field->type == FIELD_WORDS) {
        uint32_t *words = at;
        const int place = place_of(f, field, node);

        *words |= place < 0 ? 0 : UINT32_C(1) << place;
        return place < 0 ? place : 0;
    }
    struct texts *texts = at;
    const char *text = scalar(node);

    if (!text || strlen(text) >= TEXT_MAX || texts->n == TEXTS_MAX)
        return bad(f, node, "'%s' takes at most %d texts of less than %d characters", field->name,
                   TEXTS_MAX, TEXT_MAX);
    memcpy(texts->text[texts->n++], text, strlen(text) + 1);
    return 0;
}

/* A list, or one text that stands for a list of one. */
static int set_items(struct file *f, const struct field *field, const yaml_node_t *node, void *at)
{
    int rc = 0;

    memset(at, 0, field->size);
    if (node->type == YAML_SCALAR_NODE)
        return set_item(f, field, node, at);
    if (node->type != YAML_SEQUENCE_NODE)
        return bad(f, node, "'%s' must be a list", field->name);
    for (const yaml_node_item_t *i = node->data.sequence.items.start;
         i < node->data.sequence.items.top && rc == 0; i++)
        rc = set_item(f, field, yaml_document_get_node(&f->document, *i), at);
    return rc;
}

static int set_field(struct file *f, const struct field *field, const yaml_node_t *node, void *base)
{
    char *at = (char *)base + field->offset;
    int place;

    switch (field->type) {
    case FIELD_TEXT:
        return set_text(f, field, node, at);
    case FIELD_NUMBER:
        return set_number(f, field, node, (uint32_t *)(void *)at);
    case FIELD_WORD:
        place = place_of(f, field, node);
        *(uint8_t *)at = place < 0 ? 0 : (uint8_t)place;
        return place < 0 ? place : 0;
    default:
        return set_items(f, field, node, at);
    }
}

/* ---- mappings ---- */

static int set_pair(struct file *f, const struct field *fields, size_t n, const yaml_node_pair_t *p,
                    bool *seen, void *base)
{
    const yaml_node_t *key = yaml_document_get_node(&f->document, p->key);
    const char *name = scalar(key);
    char guess[320];

    for (size_t i = 0; name && i < n; i++) {
        if (strcmp(fields[i].name, name) != 0)
            continue;
        if (seen[i])
            return bad(f, key, "'%s' stands here a second time: delete one", name);
        seen[i] = true;
        return set_field(f, &fields[i], yaml_document_get_node(&f->document, p->value), base);
    }
    return bad(f, key, "unknown key '%s'%s", name ? name : "",
               name ? uet_nearest_in(guess, sizeof(guess), name, &fields->name, sizeof(*fields), n)
                    : "");
}

static int read_mapping(struct file *f, const yaml_node_t *node, const struct field *fields,
                        size_t n, void *base)
{
    bool seen[40] = {false};
    int rc = 0;

    if (!node || node->type != YAML_MAPPING_NODE)
        return bad(f, node, "keys and values are expected here, as in `name: acme`");
    for (const yaml_node_pair_t *p = node->data.mapping.pairs.start;
         p < node->data.mapping.pairs.top && rc == 0; p++)
        rc = set_pair(f, fields, n, p, seen, base);
    for (size_t i = 0; i < n && rc == 0; i++)
        if (fields[i].required && !seen[i])
            rc = bad(f, node, "'%s' is missing", fields[i].name);
    return rc;
}

/* ---- files ---- */

static int load(struct file *f)
{
    const struct yaml_reading *r = f->reading;
    FILE *in = fopen(r->path, "r");
    yaml_parser_t parser;

    r->err[0] = '\0';
    if (!in) {
        snprintf(r->err, r->errlen, "%s: %s", r->path, strerror(errno));
        return -ENOENT;
    }
    int good = yaml_parser_initialize(&parser);
    if (good) {
        yaml_parser_set_input_file(&parser, in);
        good = yaml_parser_load(&parser, &f->document);
        if (!good)
            snprintf(r->err, r->errlen, "%s:%zu: no YAML: %s", r->path,
                     parser.problem_mark.line + 1, parser.problem ? parser.problem : "?");
        yaml_parser_delete(&parser);
    }
    fclose(in);
    return good ? 0 : -EINVAL;
}

int yaml_read_one(const struct yaml_reading *reading, const struct field *fields, size_t n,
                  void *base)
{
    struct file f = {.reading = reading};
    int rc = load(&f);

    if (rc)
        return rc;
    rc = read_mapping(&f, yaml_document_get_root_node(&f.document), fields, n, base);
    yaml_document_delete(&f.document);
    return rc;
}

static int read_items(struct file *f, const yaml_node_t *root, const struct field *fields, size_t n,
                      void *(*next)(void *ctx), const char *(*taken)(void *ctx), void *ctx)
{
    int rc = 0;

    if (!root || root->type != YAML_SEQUENCE_NODE)
        return bad(f, root, "a list is expected here");
    for (const yaml_node_item_t *i = root->data.sequence.items.start;
         i < root->data.sequence.items.top && rc == 0; i++) {
        const yaml_node_t *item = yaml_document_get_node(&f->document, *i);
        void *base = next(ctx);
        const char *wrong;

        rc = base ? read_mapping(f, item, fields, n, base) : bad(f, item, "not enough memory");
        wrong = rc ? NULL : taken(ctx);
        if (wrong)
            rc = bad(f, item, "%s", wrong);
    }
    return rc;
}

int yaml_read_list(const struct yaml_reading *reading, const struct field *fields, size_t n,
                   void *(*next)(void *ctx), const char *(*taken)(void *ctx), void *ctx)
{
    struct file f = {.reading = reading};
    int rc = load(&f);

    if (rc)
        return rc;
    rc = read_items(&f, yaml_document_get_root_node(&f.document), fields, n, next, taken, ctx);
    yaml_document_delete(&f.document);
    return rc;
}
