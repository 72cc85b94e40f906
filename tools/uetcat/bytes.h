/* SPDX-License-Identifier: BSD-2-Clause */
/* The bytes that a command writes, or that are to be read: of a file, or of a pattern. */
#ifndef UETCAT_BYTES_H
#define UETCAT_BYTES_H

#include "tools/uetcat/options.h"

struct uetcat_bytes {
    uint8_t *at; /* from malloc */
    uint32_t length;
};

/*
 * Those of --input, or `length` bytes of --pattern (count when none is given). False after a
 * message.
 */
bool uetcat_bytes_input(const struct uetcat_args *a, struct uetcat_bytes *b);
bool uetcat_bytes_pattern(const struct uetcat_args *a, uint32_t length, struct uetcat_bytes *b);

/* To the file of --output; false after a message. */
bool uetcat_bytes_output(const struct uetcat_args *a, const uint8_t *bytes, uint32_t n);

/*
 * Are they the same? If not the first difference is told, on standard error and in text (at least
 * 100 bytes), which otherwise is "".
 */
bool uetcat_bytes_same(const struct uetcat_args *a, const uint8_t *want, const uint8_t *got,
                       uint32_t n, char *text, size_t size);

#endif
