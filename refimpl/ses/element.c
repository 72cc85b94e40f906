/* SPDX-License-Identifier: BSD-2-Clause */
#include "refimpl/ses/element.h"

#include <string.h>

#include "uet_spec.h"

/* ---- the datatypes (Table 3-22) ---- */

enum kind { NONE, SIGNED, UNSIGNED, REAL, COMPLEX };

#define KIND(k)  (1u << (k))
#define INTEGERS (KIND(SIGNED) | KIND(UNSIGNED))
#define ORDERED  (INTEGERS | KIND(REAL))
#define ALL      (ORDERED | KIND(COMPLEX))

static const struct datatype {
    uint8_t kind;
    uint8_t bytes; /* of a number; a complex one has two of them */
} datatypes[] = {
    [UET_TYPE_INT8] = {SIGNED, 1},
    [UET_TYPE_UINT8] = {UNSIGNED, 1},
    [UET_TYPE_INT16] = {SIGNED, 2},
    [UET_TYPE_UINT16] = {UNSIGNED, 2},
    [UET_TYPE_INT32] = {SIGNED, 4},
    [UET_TYPE_UINT32] = {UNSIGNED, 4},
    [UET_TYPE_INT64] = {SIGNED, 8},
    [UET_TYPE_UINT64] = {UNSIGNED, 8},
    [UET_TYPE_INT128] = {SIGNED, 16},
    [UET_TYPE_UINT128] = {UNSIGNED, 16},
    [UET_TYPE_FLOAT] = {REAL, 4},
    [UET_TYPE_DOUBLE] = {REAL, 8},
    [UET_TYPE_FLOAT_COMPLEX] = {COMPLEX, 4},
    [UET_TYPE_DOUBLE_COMPLEX] = {COMPLEX, 8},
    [UET_TYPE_LONG_DOUBLE] = {REAL, 16},
    [UET_TYPE_LONG_DOUBLE_COMPLEX] = {COMPLEX, 16},
    [UET_TYPE_BF16] = {REAL, 2},
    [UET_TYPE_FP16] = {REAL, 2},
};

/* The kinds that each operation works on (contested: the matrix of the API). */
static const uint8_t works_on[] = {
    [UET_AMO_MIN] = ORDERED,      [UET_AMO_MAX] = ORDERED,      [UET_AMO_SUM] = ALL,
    [UET_AMO_DIFF] = ALL,         [UET_AMO_PROD] = ALL,         [UET_AMO_LOR] = ALL,
    [UET_AMO_LAND] = ALL,         [UET_AMO_BOR] = INTEGERS,     [UET_AMO_BAND] = INTEGERS,
    [UET_AMO_LXOR] = ALL,         [UET_AMO_BXOR] = INTEGERS,    [UET_AMO_READ] = ALL,
    [UET_AMO_WRITE] = ALL,        [UET_AMO_CSWAP] = ALL,        [UET_AMO_CSWAP_NE] = ALL,
    [UET_AMO_CSWAP_LE] = ORDERED, [UET_AMO_CSWAP_LT] = ORDERED, [UET_AMO_CSWAP_GE] = ORDERED,
    [UET_AMO_CSWAP_GT] = ORDERED, [UET_AMO_MSWAP] = INTEGERS,
};

#define ITEMS(a) (sizeof(a) / sizeof *(a))

uint8_t uet_element_bytes(uint8_t datatype)
{
    if (datatype >= ITEMS(datatypes))
        return 0;
    const struct datatype *d = &datatypes[datatype];
    return d->kind == COMPLEX ? (uint8_t)(2 * d->bytes) : d->bytes;
}

bool uet_element_can(uint8_t amo, uint8_t datatype)
{
    const uint8_t operand_bytes = 16; /* of the longer extension (Figure 3-17) */
    if (amo >= ITEMS(works_on) || datatype >= ITEMS(datatypes))
        return false;
    return works_on[amo] & KIND(datatypes[datatype].kind) &&
           !(uet_amo_compares(amo) && uet_element_bytes(datatype) > operand_bytes);
}

void uet_element_turn(uint8_t datatype, uint8_t *to, const uint8_t *from, uint32_t n)
{
    const bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    const uint32_t number = datatypes[datatype].bytes;
    for (uint32_t i = 0; i < n; i++)
        to[i] = from[little ? i / number * number + (number - 1 - i % number) : i];
}

/* ---- integers: of any width, as one of 128 bits; what is above the width is cut off ---- */

__extension__ typedef unsigned __int128 wide;

static wide load_integer(const struct datatype *d, const uint8_t *at)
{
    const bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    bool negative = d->kind == SIGNED && at[little ? d->bytes - 1 : 0] & 0x80;
    wide value = negative ? ~(wide)0 : 0;
    for (unsigned i = 0; i < d->bytes; i++)
        value = value << 8 | at[little ? d->bytes - 1 - i : i];
    return value;
}

static void store_integer(const struct datatype *d, uint8_t *at, wide value)
{
    const bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    for (unsigned i = 0; i < d->bytes; i++, value >>= 8)
        at[little ? i : d->bytes - 1 - i] = (uint8_t)value;
}

/* With its sign bit turned over a signed number compares as an unsigned one. */
static int order_of_integers(const struct datatype *d, wide a, wide b)
{
    const wide sign = d->kind == SIGNED ? (wide)1 << 127 : 0;
    return ((a ^ sign) > (b ^ sign)) - ((a ^ sign) < (b ^ sign));
}

static wide integer_of(uint8_t amo, wide t, wide i)
{
    switch (amo) {
    case UET_AMO_SUM:
        return t + i;
    case UET_AMO_DIFF:
        return t - i;
    case UET_AMO_PROD:
        return t * i;
    case UET_AMO_LOR:
        return t || i;
    case UET_AMO_LAND:
        return t && i;
    case UET_AMO_LXOR:
        return !t != !i;
    case UET_AMO_BOR:
        return t | i;
    case UET_AMO_BAND:
        return t & i;
    case UET_AMO_BXOR:
        return t ^ i;
    default: /* UET_AMO_READ */
        return t;
    }
}

/* ---- real and complex numbers; a real one has an imaginary part of 0 ---- */

/* a is beside b: less, equal, greater, or none of the three (a NaN, or complex and not equal) */
enum order { LESS = -1, EQUAL, GREATER, UNORDERED };

#define ARITHMETIC(name, type)                                                                     \
    struct name {                                                                                  \
        type re, im;                                                                               \
    };                                                                                             \
                                                                                                   \
    static bool true_##name(struct name a)                                                         \
    {                                                                                              \
        return a.re != 0 || a.im != 0;                                                             \
    }                                                                                              \
                                                                                                   \
    static struct name name##_of(uint8_t amo, struct name t, struct name i)                        \
    {                                                                                              \
        switch (amo) {                                                                             \
        case UET_AMO_SUM:                                                                          \
            return (struct name){t.re + i.re, t.im + i.im};                                        \
        case UET_AMO_DIFF:                                                                         \
            return (struct name){t.re - i.re, t.im - i.im};                                        \
        case UET_AMO_PROD:                                                                         \
            return (struct name){t.re * i.re - t.im * i.im, t.re * i.im + t.im * i.re};            \
        case UET_AMO_LOR:                                                                          \
            return (struct name){true_##name(t) || true_##name(i), 0};                             \
        case UET_AMO_LAND:                                                                         \
            return (struct name){true_##name(t) && true_##name(i), 0};                             \
        case UET_AMO_LXOR:                                                                         \
            return (struct name){true_##name(t) != true_##name(i), 0};                             \
        default: /* UET_AMO_READ */                                                                \
            return t;                                                                              \
        }                                                                                          \
    }                                                                                              \
                                                                                                   \
    static int order_of_##name(struct name a, struct name b)                                       \
    {                                                                                              \
        if (a.re == b.re && a.im == b.im)                                                          \
            return EQUAL;                                                                          \
        if (a.im != b.im)                                                                          \
            return UNORDERED;                                                                      \
        return a.re < b.re ? LESS : a.re > b.re ? GREATER : UNORDERED;                             \
    }

/* Exact to the last bit for all but long double: a double has room for the rounding of the rest. */
ARITHMETIC(number, double)
ARITHMETIC(number_long, long double)

/* The floating point numbers of 16 bits: sign, exponent, fraction. */
struct half {
    int bias, fraction;
};
static const struct half fp16 = {15, 10}, bf16 = {127, 7};

static double power_of_two(int exponent) /* of a normal double */
{
    uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static double widen(const struct half *h, uint16_t bits)
{
    int exponent = (bits & 0x7fff) >> h->fraction, top = 2 * h->bias + 1;
    double fraction = bits & ((1 << h->fraction) - 1), one = 1 << h->fraction;
    double value;
    if (exponent == top)
        value = fraction != 0 ? __builtin_nan("") : __builtin_inf();
    else if (exponent)
        value = (one + fraction) * power_of_two(exponent - h->bias - h->fraction);
    else
        value = fraction * power_of_two(1 - h->bias - h->fraction);
    return bits & 0x8000 ? -value : value;
}

/* Rounded to the nearest, and of two to the even one. */
static uint16_t narrow(const struct half *h, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint16_t sign = (uint16_t)(bits >> 48 & 0x8000);
    const uint16_t infinite = (uint16_t)((2 * h->bias + 1) << h->fraction);
    int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
    if (value != value)
        return (uint16_t)(sign | infinite | 1u << (h->fraction - 1));
    if (exponent > h->bias)
        return sign | infinite;
    if (exponent < 1 - h->bias)
        exponent = 1 - h->bias; /* a small one, not normal */
    /* As a count of its last place; 2^52 more has no room for what is behind the point. */
    const double point = 4503599627370496.0;
    double places = (value < 0 ? -value : value) * power_of_two(h->fraction - exponent);
    uint32_t count = (uint32_t)(places + point - point);
    /* A fraction that rounds up to the next power of two makes the exponent one more by itself. */
    return (uint16_t)(sign | (((uint32_t)(exponent + h->bias - 1) << h->fraction) + count));
}

static double load_part(uint8_t datatype, const uint8_t *at)
{
    uint16_t half;
    float single;
    double value;
    switch (datatypes[datatype].bytes) {
    case 2:
        memcpy(&half, at, sizeof half);
        return widen(datatype == UET_TYPE_BF16 ? &bf16 : &fp16, half);
    case 4:
        memcpy(&single, at, sizeof single);
        return single;
    default:
        memcpy(&value, at, sizeof value);
        return value;
    }
}

static void store_part(uint8_t datatype, uint8_t *at, double value)
{
    const uint16_t half = datatypes[datatype].bytes == 2
                              ? narrow(datatype == UET_TYPE_BF16 ? &bf16 : &fp16, value)
                              : 0;
    const float single = (float)value;
    switch (datatypes[datatype].bytes) {
    case 2:
        memcpy(at, &half, sizeof half);
        return;
    case 4:
        memcpy(at, &single, sizeof single);
        return;
    default:
        memcpy(at, &value, sizeof value);
    }
}

static struct number load_number(uint8_t datatype, const uint8_t *at)
{
    const struct datatype *d = &datatypes[datatype];
    return (struct number){load_part(datatype, at),
                           d->kind == COMPLEX ? load_part(datatype, at + d->bytes) : 0};
}

static void store_number(uint8_t datatype, uint8_t *at, struct number value)
{
    const struct datatype *d = &datatypes[datatype];
    store_part(datatype, at, value.re);
    if (d->kind == COMPLEX)
        store_part(datatype, at + d->bytes, value.im);
}

_Static_assert(sizeof(long double) == 16, "a long double has 16 bytes in memory");
#define LONG_USED (__LDBL_MANT_DIG__ == 64 ? 10 : 16) /* of these; the rest is 0 */

static struct number_long load_long(uint8_t datatype, const uint8_t *at)
{
    struct number_long value = {0, 0};
    memcpy(&value.re, at, LONG_USED);
    if (datatypes[datatype].kind == COMPLEX)
        memcpy(&value.im, at + 16, LONG_USED);
    return value;
}

static void store_long(uint8_t datatype, uint8_t *at, struct number_long value)
{
    memset(at, 0, uet_element_bytes(datatype));
    memcpy(at, &value.re, LONG_USED);
    if (datatypes[datatype].kind == COMPLEX)
        memcpy(at + 16, &value.im, LONG_USED);
}

/* ---- whatever the datatype ---- */

static bool is_long(uint8_t datatype)
{
    return datatypes[datatype].kind >= REAL && datatypes[datatype].bytes == 16;
}

static int order_of(uint8_t datatype, const uint8_t *a, const uint8_t *b)
{
    const struct datatype *d = &datatypes[datatype];
    if (d->kind < REAL)
        return order_of_integers(d, load_integer(d, a), load_integer(d, b));
    if (is_long(datatype))
        return order_of_number_long(load_long(datatype, a), load_long(datatype, b));
    return order_of_number(load_number(datatype, a), load_number(datatype, b));
}

/* Does the operand go to the target as it is? `compare` is on the left side: compare <= T. */
static bool takes_operand(uint8_t amo, uint8_t datatype, const uint8_t *target,
                          const uint8_t *operand, const uint8_t *compare)
{
    int order = order_of(datatype, uet_amo_compares(amo) ? compare : operand, target);
    switch (amo) {
    case UET_AMO_WRITE:
        return true;
    case UET_AMO_MIN:
    case UET_AMO_CSWAP_LT:
        return order == LESS;
    case UET_AMO_MAX:
    case UET_AMO_CSWAP_GT:
        return order == GREATER;
    case UET_AMO_CSWAP:
        return order == EQUAL;
    case UET_AMO_CSWAP_NE:
        return order != EQUAL;
    case UET_AMO_CSWAP_LE:
        return order == LESS || order == EQUAL;
    case UET_AMO_CSWAP_GE:
        return order == GREATER || order == EQUAL;
    default:
        return false;
    }
}

/* The operations whose result is a new value, not one of the two. */
static void compute(uint8_t amo, uint8_t datatype, uint8_t *target, const uint8_t *operand)
{
    const struct datatype *d = &datatypes[datatype];
    if (d->kind < REAL)
        store_integer(d, target,
                      integer_of(amo, load_integer(d, target), load_integer(d, operand)));
    else if (is_long(datatype))
        store_long(datatype, target,
                   number_long_of(amo, load_long(datatype, target), load_long(datatype, operand)));
    else
        store_number(datatype, target,
                     number_of(amo, load_number(datatype, target), load_number(datatype, operand)));
}

static bool computes(uint8_t amo)
{
    return amo >= UET_AMO_SUM && amo <= UET_AMO_BXOR;
}

void uet_element_apply(uint8_t amo, uint8_t datatype, uint8_t *target, const uint8_t *operand,
                       const uint8_t *compare)
{
    uint8_t bytes = uet_element_bytes(datatype);
    if (computes(amo))
        compute(amo, datatype, target, operand);
    else if (amo == UET_AMO_MSWAP)
        for (uint8_t i = 0; i < bytes; i++)
            target[i] = (uint8_t)((operand[i] & compare[i]) | (target[i] & ~compare[i]));
    else if (takes_operand(amo, datatype, target, operand, compare))
        memcpy(target, operand, bytes);
}
