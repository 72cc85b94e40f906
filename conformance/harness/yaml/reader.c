/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/harness/yaml/reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- errors ---- */

static void append(struct uet_yaml *y, const char *format, va_list args)
{
    if (y->at >= y->errlen)
        return;
    int n = vsnprintf(y->err + y->at, y->errlen - y->at, format, args);
    if (n > 0)
        y->at += (size_t)n;
}

static void __attribute__((format(printf, 2, 3))) add(struct uet_yaml *y, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    append(y, format, args);
    va_end(args);
}

void uet_yaml_bad(struct uet_yaml *y, const yaml_node_t *node, const char *format, ...)
{
    va_list args;

    if (++y->errors > UET_YAML_MAX_ERRORS)
        return;
    add(y, "%s%s:%u:%lu: ", y->errors > 1 ? "\n" : "", y->path, node ? uet_yaml_line(node) : 1,
        node ? (unsigned long)node->start_mark.column + 1 : 1);
    va_start(args, format);
    append(y, format, args);
    va_end(args);
}

void uet_yaml_count_rest(struct uet_yaml *y)
{
    if (y->errors > UET_YAML_MAX_ERRORS)
        add(y, "\n%s: and %u more errors", y->path, y->errors - UET_YAML_MAX_ERRORS);
}

/* ---- nodes ---- */

const char *uet_yaml_scalar(const yaml_node_t *node)
{
    return node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : NULL;
}

unsigned uet_yaml_line(const yaml_node_t *node)
{
    return (unsigned)node->start_mark.line + 1;
}

static bool is_key(struct uet_yaml *y, const yaml_node_pair_t *pair, const char *name)
{
    const char *text = uet_yaml_scalar(yaml_document_get_node(&y->document, pair->key));

    return text && strcmp(text, name) == 0;
}

yaml_node_t *uet_yaml_find(struct uet_yaml *y, const yaml_node_t *mapping, const char *name)
{
    if (mapping->type != YAML_MAPPING_NODE)
        return NULL;
    for (const yaml_node_pair_t *p = mapping->data.mapping.pairs.start;
         p < mapping->data.mapping.pairs.top; p++)
        if (is_key(y, p, name))
            return yaml_document_get_node(&y->document, p->value);
    return NULL;
}

void uet_yaml_require(struct uet_yaml *y, const yaml_node_t *mapping, const char *what,
                      const char *const *names)
{
    for (; *names; names++)
        if (mapping->type == YAML_MAPPING_NODE && !uet_yaml_find(y, mapping, *names))
            uet_yaml_bad(y, mapping, "%s lacks '%s'", what, *names);
}

void uet_yaml_pairs(struct uet_yaml *y, yaml_node_t *node, const char *what, void *ctx,
                    void (*each)(struct uet_yaml *y, yaml_node_t *key, yaml_node_t *value,
                                 void *ctx))
{
    if (node->type != YAML_MAPPING_NODE) {
        uet_yaml_bad(y, node, "%s must be a mapping of keys and values", what);
        return;
    }
    for (const yaml_node_pair_t *start = node->data.mapping.pairs.start, *p = start;
         p < node->data.mapping.pairs.top; p++) {
        yaml_node_t *key = yaml_document_get_node(&y->document, p->key);
        const char *name = uet_yaml_scalar(key);
        const yaml_node_pair_t *first = start;

        while (name && !is_key(y, first, name))
            first++;
        if (!name)
            uet_yaml_bad(y, key, "a key of %s must be a text", what);
        else if (first < p)
            uet_yaml_bad(y, key, "'%s' stands here a second time (first in line %u): delete one",
                         name, uet_yaml_line(yaml_document_get_node(&y->document, first->key)));
        else
            each(y, key, yaml_document_get_node(&y->document, p->value), ctx);
    }
}

void uet_yaml_twice(struct uet_yaml *y, const yaml_node_t *item, const char *what, unsigned first)
{
    uet_yaml_bad(y, item, "%s a second time (first in line %u): delete one", what, first);
}

void uet_yaml_list(struct uet_yaml *y, yaml_node_t *node, const char *what, size_t max,
                   void (*each)(struct uet_yaml *y, yaml_node_t *item, size_t i))
{
    if (node->type != YAML_SEQUENCE_NODE) {
        uet_yaml_bad(y, node, "'%s' must be a list", what);
        return;
    }
    size_t n = 0;
    for (const yaml_node_item_t *p = node->data.sequence.items.start;
         p < node->data.sequence.items.top; p++) {
        yaml_node_t *item = yaml_document_get_node(&y->document, *p);

        if (n == max) {
            uet_yaml_bad(y, item, "'%s' has more than %zu entries", what, max);
            return;
        }
        each(y, item, n++);
    }
}
