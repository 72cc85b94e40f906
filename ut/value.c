/* SPDX-License-Identifier: BSD-2-Clause */
#include "ut/value.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

json_t *uet_ut_number(uint64_t value)
{
    char text[19];

    snprintf(text, sizeof(text), "0x%" PRIx64, value);
    return json_string(text);
}

json_t *uet_ut_hex(const void *data, size_t n)
{
    static const char digits[] = "0123456789abcdef";
    const uint8_t *bytes = data;
    char *text = malloc(2 * n + 1);
    json_t *value;

    if (!text)
        return NULL;
    for (size_t i = 0; i < n; i++) {
        text[2 * i] = digits[bytes[i] >> 4];
        text[2 * i + 1] = digits[bytes[i] & 15];
    }
    value = json_stringn_nocheck(text, 2 * n);
    free(text);
    return value;
}

/* One more than what a digit is worth; 0: it is none. Contents of memory go this way, byte by byte.
 */
static const uint8_t digits_and_1[256] = {
    ['0'] = 1,  ['1'] = 2,  ['2'] = 3,  ['3'] = 4,  ['4'] = 5,  ['5'] = 6,  ['6'] = 7,  ['7'] = 8,
    ['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12, ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16,
    ['A'] = 11, ['B'] = 12, ['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16,
};

int uet_ut_unhex(const char *text, size_t n, uint8_t *out)
{
    for (size_t i = 0; i < n; i++) {
        unsigned high = digits_and_1[(uint8_t)text[2 * i]];
        unsigned low = digits_and_1[(uint8_t)text[2 * i + 1]];

        if (!high || !low)
            return -EINVAL;
        out[i] = (uint8_t)((high - 1) << 4 | (low - 1));
    }
    return 0;
}

static int parse(const char *text, uint64_t *out)
{
    bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const char *digits = hex ? text + 2 : text;
    char *end;

    /* strtoull would take a sign, white space and a second "0x" as well. */
    if (!isxdigit((unsigned char)digits[0]) ||
        (hex && !isxdigit((unsigned char)digits[1]) && digits[1]))
        return -EINVAL;
    errno = 0;
    *out = strtoull(digits, &end, hex ? 16 : 10);
    if (*end)
        return -EINVAL;
    return errno ? -ERANGE : 0;
}

int uet_ut_get_number(const json_t *object, const char *key, uint64_t max, uint64_t *out)
{
    const json_t *value = json_object_get(object, key);
    uint64_t number = 0;
    int rc = 0;

    if (!value || json_is_null(value))
        return -ENOENT;
    if (json_is_string(value))
        rc = parse(json_string_value(value), &number);
    else if (!json_is_integer(value))
        rc = -EINVAL;
    else if (json_integer_value(value) < 0)
        rc = -ERANGE;
    else
        number = (uint64_t)json_integer_value(value);
    if (rc == 0 && number > max)
        rc = -ERANGE;
    if (rc == 0)
        *out = number;
    return rc;
}

int uet_ut_get_bool(const json_t *object, const char *key, bool *out)
{
    const json_t *value = json_object_get(object, key);

    if (!value || json_is_null(value))
        return -ENOENT;
    if (!json_is_boolean(value))
        return -EINVAL;
    *out = json_is_true(value);
    return 0;
}
