/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * graphc SPEC-MAP OUT.c: the parse graph of next.csv and the `when` column of headers.csv as
 * tables, so that a packet can be put together the way the parser takes it apart. (specc compiles
 * the same rows into functions, which cannot be asked backwards.)
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spec-map/specc/csv.h"

static void upper(FILE *out, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        fputc(isalnum((unsigned char)text[i]) ? toupper((unsigned char)text[i]) : '_', out);
}

/* `8|11..13` as {8, 8}, {11, 13}; returns how many. */
static size_t ranges(FILE *out, const char *p, const char *end)
{
    size_t count = 0;
    for (; p < end; count++) {
        char *after;
        unsigned long low = strtoul(p, &after, 0), high = low;
        if (after[0] == '.' && after[1] == '.')
            high = strtoul(after + 2, &after, 0);
        fprintf(out, "{%lu, %lu}, ", low, high);
        p = after + (*after == '|');
        if (after < end && *after != '|') {
            fprintf(stderr, "graphc: '%s': not understood\n", after);
            exit(2);
        }
    }
    return count;
}

/* `a=1&b=2|3` as {"a", {{1, 1}, }, 1}, ...; returns how many. specc has checked names and values.
 */
static size_t terms(FILE *out, const char *when)
{
    size_t count = 0;
    for (const char *p = when; *p; count++) {
        size_t name = strcspn(p, "=");
        fprintf(out, "{\"%.*s\", {", (int)name, p);
        p += name + (p[name] == '=');
        size_t values = strcspn(p, "&"), n = ranges(out, p, p + values);
        fprintf(out, "}, %zu}, ", n);
        p += values + (p[values] == '&');
    }
    return count;
}

/* `x|y` as UET_H_X, UET_H_Y; returns how many. */
static size_t targets(FILE *out, const char *to)
{
    size_t count = 0;
    for (const char *p = to; *p; count++) {
        size_t n = strcspn(p, "|");
        fputs("UET_H_", out);
        upper(out, p, n);
        fputs(", ", out);
        p += n + (p[n] == '|');
    }
    return count;
}

static void emit_whens(FILE *out, const struct csv *c)
{
    fputs("const struct gen_when gen_whens[UET_H_COUNT] = {\n", out);
    for (size_t i = 0; i < csv_rows(c); i++) {
        const char *name = csv_get(c, i, "header"), *when = csv_get(c, i, "when");
        if (!*when)
            continue;
        fputs("    [UET_H_", out);
        upper(out, name, strlen(name));
        fputs("] = {{", out);
        size_t n = terms(out, when);
        fprintf(out, "}, %zu},\n", n);
    }
    fputs("};\n\n", out);
}

/* The first header of a family, or the header itself: `from` names either. */
static const char *header_of(const struct csv *headers, const char *from)
{
    for (size_t i = 0; i < csv_rows(headers); i++)
        if (strcmp(csv_get(headers, i, "header"), from) == 0)
            return from;
    for (size_t i = 0; i < csv_rows(headers); i++)
        if (strcmp(csv_get(headers, i, "family"), from) == 0)
            return csv_get(headers, i, "header");
    return from;
}

static void emit_edges(FILE *out, const struct csv *c, const struct csv *headers)
{
    fputs("const struct gen_edge gen_edges[] = {\n", out);
    for (size_t i = 0; i < csv_rows(c); i++) {
        const char *from = header_of(headers, csv_get(c, i, "from"));
        const char *inside = csv_get(c, i, "inside");
        fputs("    {.from = UET_H_", out);
        upper(out, from, strlen(from));
        fputs(", .when = {{", out);
        size_t n = terms(out, csv_get(c, i, "when"));
        fprintf(out, "}, %zu}, .to = {", n);
        n = targets(out, csv_get(c, i, "to"));
        fprintf(out, "}, .n_to = %zu", n);
        if (*inside)
            fprintf(out, ", .inside = \"%s\"", inside);
        fputs("},\n", out);
    }
    fprintf(out, "};\n\nconst size_t gen_n_edges = %zu;\n", csv_rows(c));
}

int main(int argc, char **argv)
{
    struct csv headers, next;
    if (argc != 3) {
        fputs("usage: graphc SPEC-MAP OUT.c\n", stderr);
        return 2;
    }
    csv_read(&headers, argv[1], "headers.csv");
    csv_read(&next, argv[1], "next.csv");
    FILE *out = fopen(argv[2], "w");
    if (!out) {
        perror(argv[2]);
        return 2;
    }
    fputs("/* Compiled by graphc from spec-map/; do not edit. */\n#include \"gen/graph.h\"\n\n",
          out);
    emit_whens(out, &headers);
    emit_edges(out, &next, &headers);
    if (fclose(out) != 0) {
        perror(argv[2]);
        return 2;
    }
    return 0;
}
