/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/uetcat/element.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "refimpl/ses/element.h"

enum kind { SIGNED, UNSIGNED, REAL, COMPLEX };

static enum kind kind_of(uint8_t datatype)
{
    switch (datatype) {
    case UET_TYPE_INT8:
    case UET_TYPE_INT16:
    case UET_TYPE_INT32:
    case UET_TYPE_INT64:
    case UET_TYPE_INT128:
        return SIGNED;
    case UET_TYPE_FLOAT:
    case UET_TYPE_DOUBLE:
    case UET_TYPE_LONG_DOUBLE:
    case UET_TYPE_BF16:
    case UET_TYPE_FP16:
        return REAL;
    case UET_TYPE_FLOAT_COMPLEX:
    case UET_TYPE_DOUBLE_COMPLEX:
    case UET_TYPE_LONG_DOUBLE_COMPLEX:
        return COMPLEX;
    default:
        return UNSIGNED;
    }
}

/* ---- integers ---- */

__extension__ typedef unsigned __int128 wide;

static wide bits_of(unsigned n)
{
    return n == 128 ? ~(wide)0 : ((wide)1 << n) - 1;
}

/* The digits, all of them, as at most `most`. */
static bool digits(const char *text, unsigned base, wide most, wide *value)
{
    *value = 0;
    if (!*text)
        return false;
    for (; *text; text++) {
        int c = tolower((unsigned char)*text);
        unsigned digit = isdigit(c) ? (unsigned)(c - '0') : (unsigned)(c - 'a') + 10;
        if (!isalnum(c) || digit >= base || *value > (most - digit) / base)
            return false;
        *value = *value * base + digit;
    }
    return true;
}

/* A hexadecimal number gives the bits; a decimal one must be in the range. */
static bool read_integer(bool is_signed, unsigned bytes, const char *text, uint8_t *out)
{
    const bool negative = is_signed && *text == '-', hex = strncasecmp(text, "0x", 2) == 0;
    const wide half = bits_of(8 * bytes) >> 1;
    wide most = !is_signed || hex ? bits_of(8 * bytes) : negative ? half + 1 : half, value;
    if (!digits(text + (negative ? 1 : hex ? 2 : 0), hex ? 16 : 10, most, &value))
        return false;
    value = negative ? ~value + 1 : value;
    for (unsigned i = 0; i < bytes; i++, value >>= 8)
        out[__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? i : bytes - 1 - i] = (uint8_t)value;
    return true;
}

static void show_integer(FILE *out, bool is_signed, unsigned bytes, const uint8_t *at)
{
    const bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    char text[41];
    char *p = text + sizeof text - 1;
    wide value = 0;
    for (unsigned i = 0; i < bytes; i++)
        value = value << 8 | at[little ? bytes - 1 - i : i];
    const bool negative = is_signed && value > bits_of(8 * bytes) >> 1;
    value = negative ? (~value + 1) & bits_of(8 * bytes) : value;
    *p = 0;
    do
        *--p = (char)('0' + (int)(value % 10));
    while (value /= 10);
    fprintf(out, "%s%s", negative ? "-" : "", p);
}

/* ---- real numbers; those of 16 bits are made of a double, and become one ---- */

static const struct narrow {
    int exponent, fraction; /* bits of these two */
} bf16 = {8, 7}, fp16 = {5, 10};

static uint16_t narrowed(double value, const struct narrow *n)
{
    const int bias = (1 << (n->exponent - 1)) - 1, all_ones = (1 << n->exponent) - 1;
    const int sign = signbit(value) ? 1 << 15 : 0;
    int exponent = 0, bits;
    if (isnan(value))
        return (uint16_t)(all_ones << n->fraction | 1 << (n->fraction - 1));
    (void)frexp(value, &exponent);
    exponent = exponent - 1 < 1 - bias || value == 0 ? 1 - bias : exponent - 1;
    if (isinf(value) || exponent > bias)
        return (uint16_t)(sign | all_ones << n->fraction);
    /* To the nearest, ties to even; what rounds up goes over into the exponent, as it should. */
    bits = (int)nearbyint(ldexp(fabs(value), n->fraction - exponent));
    bits += (exponent + bias - 1) << n->fraction;
    return (uint16_t)(sign | bits);
}

static double widened(uint16_t bits, const struct narrow *n)
{
    const int bias = (1 << (n->exponent - 1)) - 1, all_ones = (1 << n->exponent) - 1;
    const int exponent = bits >> n->fraction & all_ones, one = 1 << n->fraction;
    const int fraction = bits & (one - 1);
    double value = exponent == 0 ? ldexp(fraction, 1 - bias - n->fraction)
                                 : ldexp(one | fraction, exponent - bias - n->fraction);
    if (exponent == all_ones)
        value = fraction ? NAN : INFINITY;
    return bits >> 15 ? -value : value;
}

/* Up to a comma, or all; at: where the text goes on. */
static bool read_real(uint8_t datatype, unsigned bytes, const char *text, uint8_t *out,
                      const char **at)
{
    char *end;
    const long double value = strtold(text, &end);
    const float single = strtof(text, NULL);
    const double twice = strtod(text, NULL);
    const uint16_t half = narrowed(twice, datatype == UET_TYPE_BF16 ? &bf16 : &fp16);
    const void *from = bytes == 2   ? (const void *)&half
                       : bytes == 4 ? (const void *)&single
                       : bytes == 8 ? (const void *)&twice
                                    : (const void *)&value;
    memset(out, 0, bytes);
    memcpy(out, from, bytes == 16 && LDBL_MANT_DIG == 64 ? 10 : bytes); /* no bytes of padding */
    *at = end;
    return end != text && !isspace((unsigned char)*text);
}

static void show_real(FILE *out, uint8_t datatype, unsigned bytes, const uint8_t *at)
{
    long double value;
    double twice;
    float single;
    uint16_t half;
    memcpy(&half, at, sizeof half);
    memcpy(&single, at, bytes < 4 ? sizeof half : sizeof single);
    if (bytes == 2) {
        fprintf(out, "%.5g", widened(half, datatype == UET_TYPE_BF16 ? &bf16 : &fp16));
    } else if (bytes == 4) {
        fprintf(out, "%.9g", (double)single);
    } else if (bytes == 8) {
        memcpy(&twice, at, sizeof twice);
        fprintf(out, "%.17g", twice);
    } else {
        memcpy(&value, at, sizeof value);
        fprintf(out, "%.21Lg", value);
    }
}

/* ---- all of them ---- */

bool uetcat_element_is_pair(uint8_t datatype)
{
    return kind_of(datatype) == COMPLEX;
}

static bool read_element(uint8_t datatype, const char *text, uint8_t *out)
{
    const unsigned bytes = uet_element_bytes(datatype);
    const enum kind kind = kind_of(datatype);
    const char *at;
    if (kind == SIGNED || kind == UNSIGNED)
        return read_integer(kind == SIGNED, bytes, text, out);
    if (kind == REAL)
        return read_real(datatype, bytes, text, out, &at) && !*at;
    return read_real(datatype, bytes / 2, text, out, &at) && *at == ',' &&
           read_real(datatype, bytes / 2, at + 1, out + bytes / 2, &at) && !*at;
}

static const char *what_it_is(uint8_t datatype)
{
    static const char *const words[] = {
        [SIGNED] = "a whole number with sign that fits, decimal or its bits as 0x...",
        [UNSIGNED] = "a whole number that fits, decimal or 0x...",
        [REAL] = "a number like -2.5, 1e9, inf or nan",
        [COMPLEX] = "two numbers, real and imaginary part: 1.5,-2",
    };
    return words[kind_of(datatype)];
}

bool uetcat_element_read(const char *command, const char *option, uint8_t datatype,
                         const char *text, uint8_t out[static UETCAT_ELEMENT_MAX])
{
    if (read_element(datatype, text, out))
        return true;
    fprintf(stderr, "uetcat %s: %s '%s': a %s is %s\n", command, option, text,
            uet_enum_name(UET_ENUM_AMO_DATATYPE, datatype), what_it_is(datatype));
    return false;
}

void uetcat_element_show(FILE *out, uint8_t datatype, const uint8_t *element)
{
    const unsigned bytes = uet_element_bytes(datatype);
    const enum kind kind = kind_of(datatype);
    uint8_t wire[UETCAT_ELEMENT_MAX];
    if (kind == SIGNED || kind == UNSIGNED)
        show_integer(out, kind == SIGNED, bytes, element);
    else
        show_real(out, datatype, kind == COMPLEX ? bytes / 2 : bytes, element);
    if (kind == COMPLEX) {
        fputc(',', out);
        show_real(out, datatype, bytes / 2, element + bytes / 2);
    }
    uet_element_turn(datatype, wire, element, bytes);
    fputs(" 0x", out);
    for (unsigned i = 0; i < bytes; i++)
        fprintf(out, "%02x", wire[i]);
    fputc('\n', out);
}
