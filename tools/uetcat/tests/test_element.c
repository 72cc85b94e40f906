/* SPDX-License-Identifier: BSD-2-Clause */
/* Elements of atomics as text: what is taken, and its bits; what is shown. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/uetcat/element.h"
#include "uet_spec.h"

/* What is shown, the newline cut off; read back from a file, as it goes to standard output. */
static void shown(uint8_t datatype, const uint8_t *element, char *text, size_t cap)
{
    FILE *old = stdout, *f = tmpfile();
    assert_non_null(f);
    stdout = f;
    uetcat_element_show(stdout, datatype, element);
    stdout = old;
    rewind(f);
    assert_non_null(fgets(text, (int)cap, f));
    text[strcspn(text, "\n")] = 0;
    fclose(f);
}

/* The bits on the wire by hand (two's complement; IEEE 754; bfloat16), and the number as shown. */
static const struct row {
    uint8_t datatype;
    const char *text, *shows;
} rows[] = {
    {UET_TYPE_INT8, "-128", "-128 0x80"},
    {UET_TYPE_INT8, "0xff", "-1 0xff"},
    {UET_TYPE_UINT8, "255", "255 0xff"},
    {UET_TYPE_INT16, "-2", "-2 0xfffe"},
    {UET_TYPE_UINT16, "0x1234", "4660 0x1234"},
    {UET_TYPE_INT32, "2147483647", "2147483647 0x7fffffff"},
    {UET_TYPE_UINT64, "18446744073709551615", "18446744073709551615 0xffffffffffffffff"},
    {UET_TYPE_INT64, "-9223372036854775808", "-9223372036854775808 0x8000000000000000"},
    {UET_TYPE_UINT128, "340282366920938463463374607431768211455",
     "340282366920938463463374607431768211455 0xffffffffffffffffffffffffffffffff"},
    {UET_TYPE_INT128, "-1", "-1 0xffffffffffffffffffffffffffffffff"},
    {UET_TYPE_INT128, "0x80000000000000000000000000000000",
     "-170141183460469231731687303715884105728 0x80000000000000000000000000000000"},
    {UET_TYPE_FLOAT, "-2.5", "-2.5 0xc0200000"},
    {UET_TYPE_DOUBLE, "1", "1 0x3ff0000000000000"},
    {UET_TYPE_DOUBLE, "-inf", "-inf 0xfff0000000000000"},
    {UET_TYPE_FP16, "1.5", "1.5 0x3e00"},
    {UET_TYPE_FP16, "65504", "65504 0x7bff"},
    {UET_TYPE_FP16, "65520", "inf 0x7c00"}, /* rounds up to what there is no room for */
    {UET_TYPE_FP16, "5.9604644775390625e-8", "5.9605e-08 0x0001"}, /* 2^-24, the smallest */
    {UET_TYPE_FP16, "6.103515625e-5", "6.1035e-05 0x0400"},        /* 2^-14, the smallest normal */
    {UET_TYPE_FP16, "2049", "2048 0x6800"},                        /* a tie, to even */
    {UET_TYPE_FP16, "-0", "-0 0x8000"},
    {UET_TYPE_BF16, "3.140625", "3.1406 0x4049"},
    {UET_TYPE_BF16, "1e39", "inf 0x7f80"},
    {UET_TYPE_FLOAT_COMPLEX, "1,-2", "1,-2 0x3f800000c0000000"},
    {UET_TYPE_DOUBLE_COMPLEX, "0.5,0", "0.5,0 0x3fe00000000000000000000000000000"},
};

static void taken_and_shown(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint8_t element[UETCAT_ELEMENT_MAX];
        char text[160];
        assert_true(uetcat_element_read("atomic", "-v", rows[i].datatype, rows[i].text, element));
        shown(rows[i].datatype, element, text, sizeof text);
        assert_string_equal(text, rows[i].shows);
    }
}

/* Its bits are those of the host's type, whatever that is; no byte is left as it was. */
static void long_double(void **state)
{
    uint8_t element[UETCAT_ELEMENT_MAX], again[UETCAT_ELEMENT_MAX];
    const long double value = -1.25L;
    char text[160];
    (void)state;
    memset(element, 0xaa, sizeof element);
    memset(again, 0x55, sizeof again);
    assert_true(uetcat_element_read("atomic", "-v", UET_TYPE_LONG_DOUBLE, "-1.25", element));
    assert_true(uetcat_element_read("atomic", "-v", UET_TYPE_LONG_DOUBLE, "-1.25", again));
    assert_memory_equal(element, again, 16);
    assert_memory_equal(element, &value, 10);
    shown(UET_TYPE_LONG_DOUBLE, element, text, sizeof text);
    assert_true(strncmp(text, "-1.25 0x", 8) == 0);
}

static void refused(void **state)
{
    static const struct {
        uint8_t datatype;
        const char *text;
    } wrong[] = {
        {UET_TYPE_INT8, "128"},
        {UET_TYPE_INT8, "-129"},
        {UET_TYPE_INT8, "0x100"},
        {UET_TYPE_UINT8, "-1"},
        {UET_TYPE_UINT8, "256"},
        {UET_TYPE_UINT64, ""},
        {UET_TYPE_UINT64, "many"},
        {UET_TYPE_UINT64, "1 "},
        {UET_TYPE_UINT64, "0x"},
        {UET_TYPE_INT64, "-"},
        {UET_TYPE_INT64, "-0x1"},
        {UET_TYPE_INT64, "--1"},
        {UET_TYPE_UINT128, "340282366920938463463374607431768211456"},
        {UET_TYPE_FLOAT, "1.5,2"},
        {UET_TYPE_FLOAT, "x"},
        {UET_TYPE_DOUBLE, " 1"},
        {UET_TYPE_FLOAT_COMPLEX, "1"},
        {UET_TYPE_FLOAT_COMPLEX, "1,"},
        {UET_TYPE_FLOAT_COMPLEX, ",1"},
        {UET_TYPE_FLOAT_COMPLEX, "1,2,3"},
    };
    uint8_t element[UETCAT_ELEMENT_MAX];
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(
            uetcat_element_read("atomic", "-v", wrong[i].datatype, wrong[i].text, element));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(taken_and_shown),
        cmocka_unit_test(long_double),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
