/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/harness/elements.h"

#include <stdlib.h>
#include <string.h>

#include "uet_spec.h"

struct uet_element_type uet_element_type(uint8_t datatype)
{
    static const struct uet_element_type types[] = {
        [UET_TYPE_INT8] = {UET_KIND_SIGNED, 1},
        [UET_TYPE_UINT8] = {UET_KIND_UNSIGNED, 1},
        [UET_TYPE_INT16] = {UET_KIND_SIGNED, 2},
        [UET_TYPE_UINT16] = {UET_KIND_UNSIGNED, 2},
        [UET_TYPE_INT32] = {UET_KIND_SIGNED, 4},
        [UET_TYPE_UINT32] = {UET_KIND_UNSIGNED, 4},
        [UET_TYPE_INT64] = {UET_KIND_SIGNED, 8},
        [UET_TYPE_UINT64] = {UET_KIND_UNSIGNED, 8},
        [UET_TYPE_INT128] = {UET_KIND_SIGNED, 16},
        [UET_TYPE_UINT128] = {UET_KIND_UNSIGNED, 16},
        [UET_TYPE_FLOAT] = {UET_KIND_REAL, 4},
        [UET_TYPE_DOUBLE] = {UET_KIND_REAL, 8},
        [UET_TYPE_FLOAT_COMPLEX] = {UET_KIND_COMPLEX, 8},
        [UET_TYPE_DOUBLE_COMPLEX] = {UET_KIND_COMPLEX, 16},
        [UET_TYPE_BF16] = {UET_KIND_REAL, 2},
        [UET_TYPE_FP16] = {UET_KIND_REAL, 2},
    };
    const struct uet_element_type none = {0, 0};
    return datatype < sizeof types / sizeof *types ? types[datatype] : none;
}

/* ---- integers ---- */

static void negate(uint8_t *out, unsigned n)
{
    unsigned carry = 1;

    for (unsigned i = n; i-- > 0; carry >>= 8) {
        carry += (uint8_t)~out[i];
        out[i] = (uint8_t)carry;
    }
}

static void integer(const char *text, uint8_t *out, unsigned n)
{
    bool negative = *text == '-', hex = strncmp(text, "0x", 2) == 0;

    memset(out, 0, n);
    for (text += negative ? 1 : hex ? 2 : 0; *text; text++) {
        const char digit[2] = {*text, 0};
        unsigned carry = (unsigned)strtoul(digit, NULL, 16);

        for (unsigned i = n; i-- > 0; carry >>= 8) {
            carry += out[i] * (hex ? 16u : 10u);
            out[i] = (uint8_t)carry;
        }
    }
    if (negative)
        negate(out, n);
}

/* ---- floating point: the bits of a double, with fewer of exponent and fraction ---- */

static const struct format {
    unsigned bytes, exponent, fraction; /* bits of these two */
} f64 = {8, 11, 52}, f32 = {4, 8, 23}, bf16 = {2, 8, 7}, fp16 = {2, 5, 10};

static void real(const char *text, const struct format *f, uint8_t *out)
{
    double value = strtod(text, NULL);
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    const int64_t bias = (INT64_C(1) << (f->exponent - 1)) - 1;
    const int64_t exponent = (int64_t)(bits >> 52 & 0x7ff) - 1023;
    const int64_t all_ones = (INT64_C(1) << f->exponent) - 1;
    const int64_t told = value == 0 ? 0 : exponent == 1024 ? all_ones : exponent + bias;
    uint64_t narrow = bits >> 63 << (8 * f->bytes - 1) | (uint64_t)told << f->fraction |
                      (bits & ((UINT64_C(1) << 52) - 1)) >> (52 - f->fraction);
    for (unsigned i = f->bytes; i-- > 0; narrow >>= 8)
        out[i] = (uint8_t)narrow;
}

static const struct format *format_of(uint8_t datatype, unsigned bytes)
{
    if (bytes == 2)
        return datatype == UET_TYPE_BF16 ? &bf16 : &fp16;
    return bytes == 4 ? &f32 : &f64;
}

uint8_t uet_element_wire(uint8_t datatype, const char *text, uint8_t out[static UET_ELEMENT_MAX])
{
    const struct uet_element_type t = uet_element_type(datatype);
    const char *im = strchr(text, ',');

    if (t.kind & UET_KIND_INTEGER) {
        integer(text, out, t.bytes);
    } else if (t.kind == UET_KIND_COMPLEX) {
        const struct format *f = format_of(datatype, t.bytes / 2u);
        real(text, f, out);
        real(im ? im + 1 : "0", f, out + f->bytes);
    } else {
        real(text, format_of(datatype, t.bytes), out);
    }
    return t.bytes;
}

void uet_element_host(uint8_t datatype, bool big_endian, const uint8_t *from, uint8_t *to)
{
    const struct uet_element_type t = uet_element_type(datatype);
    const unsigned number = t.kind == UET_KIND_COMPLEX ? t.bytes / 2u : t.bytes;

    for (unsigned i = 0; i < t.bytes; i++)
        to[i] = from[big_endian ? i : i / number * number + (number - 1 - i % number)];
}
