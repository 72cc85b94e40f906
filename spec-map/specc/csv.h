/* SPDX-License-Identifier: BSD-2-Clause */
/* A CSV file (RFC 4180) in memory: rows of cells found by column name. */
#ifndef UET_SPECC_CSV_H
#define UET_SPECC_CSV_H

#include <stddef.h>

struct csv {
    char *path;
    char **cells; /* n_rows * n_columns, row by row; row 0 is the header */
    int *lines;   /* the line each row starts on */
    size_t n_rows, n_columns;
};

/* Reads path, or prints `path:line: what` and exits with 2. */
void csv_read(struct csv *c, const char *dir, const char *name);

/* The cell of a data row (0 is the first after the header); exits with 2 on an unknown column. */
const char *csv_get(const struct csv *c, size_t row, const char *column);

/* Prints `path:line: message` for a data row and counts it. */
void csv_error(const struct csv *c, size_t row, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* How many errors csv_error has counted. */
int csv_errors(void);

/* Data rows, without the header. */
static inline size_t csv_rows(const struct csv *c)
{
    return c->n_rows - 1;
}

#endif
