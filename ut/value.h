/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Values as they stand in the lines of the upper tester: bytes as hex, 64-bit numbers as "0x..."
 * (JSON's integers end at 2^63 here, and at 2^53 in many a script). Both ends use these.
 */
#ifndef UET_UT_VALUE_H
#define UET_UT_VALUE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* "0x1f"; NULL: no memory. */
json_t *uet_ut_number(uint64_t value);

/* Lower-case hex of n bytes; NULL: no memory. */
json_t *uet_ut_hex(const void *data, size_t n);

/* Reads 2 * n hex digits into n bytes. -EINVAL when one is no digit. */
int uet_ut_unhex(const char *text, size_t n, uint8_t *out);

/*
 * object[key] as an unsigned number, at most max: an integer, or a string "0x..." or of decimal
 * digits. 0; -ENOENT when there is no such key (or it is null); -EINVAL; -ERANGE. *out is
 * untouched but on 0.
 */
int uet_ut_get_number(const json_t *object, const char *key, uint64_t max, uint64_t *out);

/* object[key] as true or false: 0, -ENOENT, -EINVAL. */
int uet_ut_get_bool(const json_t *object, const char *key, bool *out);

#endif
