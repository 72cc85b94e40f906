/* SPDX-License-Identifier: BSD-2-Clause */
#include "spec-map/specc/csv.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int errors;

static void die(const char *path, int line, const char *what)
{
    fprintf(stderr, "%s:%d: %s\n", path, line, what);
    exit(2);
}

static void *grow(void *p, size_t n, size_t size)
{
    if ((n & (n - 1)) == 0) /* double at every power of two */
        p = realloc(p, (n ? n * 2 : 1) * size);
    if (!p)
        die("specc", 0, "out of memory");
    return p;
}

static char *slurp(const char *path)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        die(path, 0, "cannot be opened");
    char *text = NULL;
    size_t n = 0, got;
    do {
        text = realloc(text, n + 65536 + 1);
        if (!text)
            die(path, 0, "out of memory");
        got = fread(text + n, 1, 65536, f);
        n += got;
    } while (got);
    text[n] = '\0';
    if (strlen(text) != n)
        die(path, 0, "holds a NUL byte");
    fclose(f);
    return text;
}

/* Unquotes one cell in place; returns the first byte after it and sets *end to what ended it. */
static char *cell(const char *path, int *line, char *p, char **start, char *end)
{
    char *out = p;
    *start = p;
    if (*p == '"') {
        for (p++;;) {
            if (*p == '\0')
                die(path, *line, "a quoted cell does not end");
            if (*p == '"' && *++p != '"')
                break;
            if (*p == '\n')
                ++*line;
            *out++ = *p++;
        }
    } else {
        while (*p && *p != ',' && *p != '\n' && *p != '\r')
            *out++ = *p++;
    }
    if (*p == '\r')
        p++;
    *end = *p;
    if (*p != ',' && *p != '\n' && *p != '\0')
        die(path, *line, "text after a quoted cell");
    if (*p)
        p++;
    *out = '\0';
    return p;
}

void csv_read(struct csv *c, const char *dir, const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    memset(c, 0, sizeof *c);
    c->path = strdup(path);
    char *p = slurp(path);
    int line = 1;
    size_t n_cells = 0;
    while (*p) {
        c->lines = grow(c->lines, c->n_rows, sizeof *c->lines);
        c->lines[c->n_rows++] = line;
        size_t columns = 0;
        char end;
        do {
            char *start;
            p = cell(path, &line, p, &start, &end);
            c->cells = grow(c->cells, n_cells, sizeof *c->cells);
            c->cells[n_cells++] = start;
            columns++;
        } while (end == ',');
        if (c->n_rows == 1)
            c->n_columns = columns;
        else if (columns != c->n_columns)
            die(path, line, "another number of cells than the header line");
        line++;
    }
    if (c->n_rows == 0)
        die(path, 1, "is empty: it needs a header line");
}

const char *csv_get(const struct csv *c, size_t row, const char *column)
{
    for (size_t i = 0; i < c->n_columns; i++)
        if (strcmp(c->cells[i], column) == 0)
            return c->cells[(row + 1) * c->n_columns + i];
    fprintf(stderr, "%s:1: no column %s\n", c->path, column);
    exit(2);
}

void csv_error(const struct csv *c, size_t row, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    fprintf(stderr, "%s:%d: ", c->path, c->lines[row + 1]);
    vfprintf(stderr, format, ap);
    fputc('\n', stderr);
    va_end(ap);
    errors++;
}

int csv_errors(void)
{
    return errors;
}
