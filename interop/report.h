/* SPDX-License-Identifier: BSD-2-Clause */
/* What a matrix looks like: on a terminal, as JSON, Markdown and HTML. */
#ifndef UET_INTEROP_REPORT_H
#define UET_INTEROP_REPORT_H

#include <stdio.h>

#include "interop/matrix.h"

void report_text(const struct matrix *matrix, FILE *out, bool colour);
void report_markdown(const struct matrix *matrix, FILE *out);
void report_html(const struct matrix *matrix, FILE *out);
/* A new object; NULL: no memory. */
json_t *report_json(const struct matrix *matrix);

/* Writes OUT/matrix.json, matrix.md and index.html. 0; or a negative errno and one line in err. */
int report_write(const struct matrix *matrix, char *err, size_t errlen);

/* "12 pass, 1 fail, 3 unsupported" */
const char *report_sum(const struct matrix *matrix, char *out, size_t size);

/* One character for a verdict: '+' pass, 'F' fail, '-' unsupported, '?' not shown, 'E' error. */
char report_mark(enum verdict verdict);

#endif
