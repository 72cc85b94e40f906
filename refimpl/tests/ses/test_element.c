/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What each atomic makes of an element (Tables 3-21, 3-22; libfabric's formulas for the compare
 * family). Values are in the byte order of the network, worked out by hand: integers as they are,
 * floating point by the layout of IEEE 754 and of bfloat16.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "refimpl/ses/element.h"
#include "ut/value.h"

static const struct row {
    uint8_t amo, datatype;
    const char *target, *operand, *compare; /* hex; compare: NULL where there is none */
    const char *result;
} rows[] = {
    /* MIN 0, MAX 1: signed and unsigned tell ff apart */
    {0x00, 0x00, "01", "ff", NULL, "ff"},
    {0x00, 0x01, "01", "ff", NULL, "01"},
    {0x01, 0x00, "01", "ff", NULL, "01"},
    {0x01, 0x01, "01", "ff", NULL, "ff"},
    {0x00, 0x06, "7fffffffffffffff", "8000000000000000", NULL, "8000000000000000"},
    {0x01, 0x07, "7fffffffffffffff", "8000000000000000", NULL, "8000000000000000"},
    {0x01, 0x06, "7fffffffffffffff", "8000000000000000", NULL, "7fffffffffffffff"},
    {0x00, 0x08, "00000000000000010000000000000000", "ffffffffffffffffffffffffffffffff", NULL,
     "ffffffffffffffffffffffffffffffff"},
    {0x00, 0x09, "00000000000000010000000000000000", "ffffffffffffffffffffffffffffffff", NULL,
     "00000000000000010000000000000000"},
    {0x00, 0x0a, "3f800000", "bf800000", NULL, "bf800000"}, /* 1, -1 */
    {0x01, 0x0a, "3f800000", "bf800000", NULL, "3f800000"},
    {0x00, 0x11, "3c00", "c000", NULL, "c000"}, /* 1, -2 */
    {0x01, 0x10, "3f80", "4000", NULL, "4000"}, /* 1, 2 */
    /* SUM 2: round the width, carries through every byte */
    {0x02, 0x01, "ff", "02", NULL, "01"},
    {0x02, 0x03, "00ff", "0001", NULL, "0100"},
    {0x02, 0x05, "00ffffff", "00000001", NULL, "01000000"},
    {0x02, 0x07, "00000000ffffffff", "0000000000000001", NULL, "0000000100000000"},
    {0x02, 0x07, "ffffffffffffffff", "0000000000000001", NULL, "0000000000000000"},
    {0x02, 0x09, "0000000000000000ffffffffffffffff", "00000000000000000000000000000001", NULL,
     "00000000000000010000000000000000"},
    {0x02, 0x0a, "3f800000", "40000000", NULL, "40400000"},                         /* 1 + 2 */
    {0x02, 0x0b, "3ff0000000000000", "4000000000000000", NULL, "4008000000000000"}, /* 1 + 2 */
    {0x02, 0x0b, "3ff0000000000000", "3ca0000000000000", NULL, "3ff0000000000000"}, /* 1 + 2^-53 */
    {0x02, 0x0a, "4b800000", "3f800000", NULL, "4b800000"}, /* 2^24 + 1: to the even one */
    {0x02, 0x11, "3c00", "4000", NULL, "4200"},             /* 1 + 2 */
    {0x02, 0x11, "6800", "3c00", NULL, "6800"},             /* 2048 + 1: to the even one */
    {0x02, 0x11, "6801", "3c00", NULL, "6802"},             /* 2050 + 1 = 2051: to 2052 */
    {0x02, 0x11, "0001", "0001", NULL, "0002"},             /* not normal */
    {0x02, 0x11, "03ff", "0001", NULL, "0400"},             /* ... and normal again */
    {0x02, 0x11, "7bff", "7bff", NULL, "7c00"},             /* too large: infinite */
    {0x02, 0x10, "3f80", "3f80", NULL, "4000"},             /* 1 + 1 */
    {0x02, 0x10, "4380", "3f80", NULL, "4380"},             /* 256 + 1: to the even one */
    {0x02, 0x0c, "3f80000040000000", "40000000bf800000", NULL,
     "404000003f800000"}, /* (1,2)+(2,-1) */
    {0x02, 0x0d, "3ff00000000000004000000000000000", "4000000000000000bff0000000000000", NULL,
     "40080000000000003ff0000000000000"},
    /* DIFF 3: the target less the operand */
    {0x03, 0x07, "0000000000000005", "0000000000000007", NULL, "fffffffffffffffe"},
    {0x03, 0x0b, "4008000000000000", "3ff0000000000000", NULL, "4000000000000000"}, /* 3 - 1 */
    /* PROD 4 */
    {0x04, 0x00, "fe", "03", NULL, "fa"}, /* -2 * 3 */
    {0x04, 0x05, "00010000", "00010001", NULL, "00010000"},
    {0x04, 0x0b, "4008000000000000", "c000000000000000", NULL, "c018000000000000"}, /* 3 * -2 */
    {0x04, 0x0c, "3f80000040000000", "4040000040800000", NULL, "c0a0000041200000"}, /* (1+2i)(3+4i)
                                                                                       = -5+10i */
    /* LOR 5, LAND 6, LXOR 9: 0 or 1 */
    {0x05, 0x05, "00000000", "00000100", NULL, "00000001"},
    {0x05, 0x05, "00000000", "00000000", NULL, "00000000"},
    {0x06, 0x07, "8000000000000000", "0000000000000002", NULL, "0000000000000001"},
    {0x06, 0x07, "8000000000000000", "0000000000000000", NULL, "0000000000000000"},
    {0x09, 0x01, "02", "03", NULL, "00"},
    {0x09, 0x01, "00", "03", NULL, "01"},
    {0x05, 0x0a, "00000000", "40000000", NULL, "3f800000"},
    {0x06, 0x0b, "4000000000000000", "8000000000000000", NULL, "0000000000000000"}, /* -0 is 0 */
    {0x09, 0x0c, "0000000000000000", "0000000040000000", NULL, "3f80000000000000"},
    /* BOR 7, BAND 8, BXOR a */
    {0x07, 0x03, "0f0f", "00ff", NULL, "0fff"},
    {0x08, 0x03, "0f0f", "00ff", NULL, "000f"},
    {0x0a, 0x03, "0f0f", "00ff", NULL, "0ff0"},
    {0x0a, 0x09, "000102030405060708090a0b0c0d0e0f", "ffffffffffffffff0000000000000000", NULL,
     "fffefdfcfbfaf9f808090a0b0c0d0e0f"},
    /* READ b, WRITE c */
    {0x0b, 0x05, "12345678", "ffffffff", NULL, "12345678"},
    {0x0c, 0x05, "12345678", "9abcdef0", NULL, "9abcdef0"},
    {0x0c, 0x0f, "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
     "202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f", NULL,
     "202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f"},
    /* CSWAP d, NE e, LE f, LT 10, GE 11, GT 12: compare OP target */
    {0x0d, 0x07, "0000000000000005", "0000000000000009", "0000000000000005", "0000000000000009"},
    {0x0d, 0x07, "0000000100000005", "0000000000000009", "0000000000000005", "0000000100000005"},
    {0x0e, 0x07, "0000000000000005", "0000000000000009", "0000000000000005", "0000000000000005"},
    {0x0e, 0x07, "0000000000000005", "0000000000000009", "0000000000000006", "0000000000000009"},
    {0x0f, 0x00, "05", "09", "ff", "09"}, /* -1 <= 5 */
    {0x0f, 0x01, "05", "09", "ff", "05"},
    {0x0f, 0x00, "05", "09", "05", "09"},
    {0x10, 0x00, "05", "09", "05", "05"},
    {0x10, 0x00, "05", "09", "04", "09"},
    {0x11, 0x05, "00000005", "00000009", "00000005", "00000009"},
    {0x11, 0x05, "00000005", "00000009", "00000004", "00000005"},
    {0x12, 0x05, "00000005", "00000009", "00000005", "00000005"},
    {0x12, 0x05, "00000005", "00000009", "80000000", "00000009"},
    {0x12, 0x04, "00000005", "00000009", "80000000", "00000005"},
    {0x0d, 0x0c, "3f80000040000000", "4040000040800000", "3f80000040000000", "4040000040800000"},
    {0x0d, 0x0c, "3f80000040000000", "4040000040800000", "3f80000040400000", "3f80000040000000"},
    {0x10, 0x0b, "4008000000000000", "3ff0000000000000", "4000000000000000", "3ff0000000000000"},
    {0x0d, 0x0a, "7fc00000", "3f800000", "7fc00000", "7fc00000"}, /* a NaN equals nothing */
    {0x0e, 0x0a, "7fc00000", "3f800000", "7fc00000", "3f800000"},
    {0x0f, 0x0a, "7fc00000", "3f800000", "3f800000", "7fc00000"},
    /* MSWAP 13: the bits of the mask */
    {0x13, 0x05, "12345678", "9abcdef0", "ff00ff00", "9a34de78"},
    {0x13, 0x07, "0000000000000000", "ffffffffffffffff", "00000000000000f0", "00000000000000f0"},
};

static uint8_t bytes_of(uint8_t datatype, const char *hex, uint8_t out[32])
{
    uint8_t n = (uint8_t)(strlen(hex) / 2), wire[32];
    assert_int_equal(uet_ut_unhex(hex, n, wire), 0);
    uet_element_turn(datatype, out, wire, n);
    return n;
}

static void as_worked_out(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *r = &rows[i];
        uint8_t target[33], operand[32], compare[32], result[32];
        uint8_t n = bytes_of(r->datatype, r->target, target);
        assert_int_equal(n, uet_element_bytes(r->datatype));
        assert_true(uet_element_can(r->amo, r->datatype));
        bytes_of(r->datatype, r->operand, operand);
        if (r->compare)
            bytes_of(r->datatype, r->compare, compare);
        bytes_of(r->datatype, r->result, result);
        target[n] = 0x5a; /* its neighbour */
        uet_element_apply(r->amo, r->datatype, target, operand, r->compare ? compare : NULL);
        if (memcmp(target, result, n) != 0)
            fail_msg("row %zu (%#x on %#x)", i, r->amo, r->datatype);
        assert_int_equal(target[n], 0x5a);
    }
}

/* Long double has the host's form: 2 * 3 = 6, 6 < 7. */
static void long_double(void **state)
{
    uint8_t t[32] = {0}, i[32] = {0};
    long double two = 2, three = 3, got;
    (void)state;
    memcpy(t, &two, 10);
    memcpy(i, &three, 10);
    uet_element_apply(4, 0x0e, t, i, NULL);
    memcpy(&got, t, 16);
    assert_true(got == 6);
    uet_element_apply(1, 0x0e, t, i, NULL);
    memcpy(&got, t, 16);
    assert_true(got == 6);
    uet_element_apply(2, 0x0f, t, i, NULL);
    memcpy(&got, t, 16);
    assert_true(got == 9);
}

/* SES-137: each number is turned by itself, the real part stays first. */
static void byte_order(void **state)
{
    static const uint8_t wire[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    static const struct {
        uint8_t datatype, memory[8];
    } cases[] = {
        {0x01, {1, 2, 3, 4, 5, 6, 7, 8}}, {0x11, {2, 1, 4, 3, 6, 5, 8, 7}},
        {0x05, {4, 3, 2, 1, 8, 7, 6, 5}}, {0x07, {8, 7, 6, 5, 4, 3, 2, 1}},
        {0x0c, {4, 3, 2, 1, 8, 7, 6, 5}},
    };
    uint8_t memory[8];
    (void)state;
    if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
        skip();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uet_element_turn(cases[i].datatype, memory, wire, 8);
        assert_memory_equal(memory, cases[i].memory, 8);
    }
}

/* The matrix of the API: pairs that there are not (contested as facts of UET). */
static void pairs(void **state)
{
    (void)state;
    assert_false(uet_element_can(0x00, 0x0c)); /* MIN of complex */
    assert_false(uet_element_can(0x0f, 0x0d)); /* CSWAP_LE of complex */
    assert_false(uet_element_can(0x07, 0x0a)); /* BOR of FLOAT */
    assert_false(uet_element_can(0x13, 0x0b)); /* MSWAP of DOUBLE */
    assert_true(uet_element_can(0x05, 0x0a));  /* LOR of FLOAT */
    assert_false(uet_element_can(0x14, 0x07)); /* INVAL: what it carries is not known */
    assert_false(uet_element_can(0x15, 0x07));
    assert_false(uet_element_can(0xff, 0x07));
    assert_false(uet_element_can(0x02, 0x12));
    assert_false(uet_element_can(0x02, 0xff));
    assert_false(uet_element_can(0x0d, 0x0f)); /* 32 bytes have no room in a 16-byte operand */
    assert_int_equal(uet_element_bytes(0x12), 0);
    assert_int_equal(uet_element_bytes(0xff), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_worked_out),
        cmocka_unit_test(long_double),
        cmocka_unit_test(byte_order),
        cmocka_unit_test(pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
