/* SPDX-License-Identifier: BSD-2-Clause */
/* What a series of operations came to, as text or as one JSON object. */
#ifndef UETCAT_RESULT_H
#define UETCAT_RESULT_H

#include <jansson.h>

#include "tools/uetcat/once.h"
#include "tools/uetcat/options.h"

/* Prints an object on a line of its own, at once, and takes it; NULL: there was no memory. */
void uetcat_json(const char *command, json_t *object);

/* A series as the options say; NULL after a message. */
struct uetcat_series *uetcat_series_new(const struct uetcat_args *a);

/* Bytes in hexadecimal, for JSON. */
json_t *uetcat_json_bytes(const uint8_t *bytes, size_t n);

/*
 * The result as JSON: event ("result"), operation, count, done, length, seconds, per_second,
 * mb_per_second, latency_us (min, avg, median, p90, p99, max), error; the command may add to it.
 */
json_t *uetcat_result_json(const char *command, const struct uetcat_series *s, uint32_t length);

/* "20 of 20 x 8 bytes in 0.1 s: ...", "latency us: ..."; of one operation "8 bytes in 12.3 us". */
void uetcat_result_text(FILE *out, const struct uetcat_series *s, uint32_t length);

#endif
