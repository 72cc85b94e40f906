/* SPDX-License-Identifier: BSD-2-Clause */
/* Numbers as elements: bits by hand, from the layout of IEEE 754 and of bfloat16. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "conformance/harness/elements.h"

static void on_the_wire(void **state)
{
    static const struct {
        uint8_t datatype, bytes;
        const char *text, *wire;
    } cases[] = {
        {0x00, 1, "-1", "\xff"},
        {0x01, 1, "300", "\x2c"}, /* cut to the width */
        {0x03, 2, "0x1ff", "\x01\xff"},
        {0x04, 4, "-256", "\xff\xff\xff\x00"},
        {0x07, 8, "0x0102030405060708", "\1\2\3\4\5\6\7\x08"},
        {0x08, 16, "-2", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xfe"},
        {0x09, 16, "18446744073709551616", "\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\0"},
        {0x0a, 4, "1", "\x3f\x80\x00\x00"},
        {0x0a, 4, "-2.5", "\xc0\x20\x00\x00"},
        {0x0b, 8, "3", "\x40\x08\x00\x00\x00\x00\x00\x00"},
        {0x0c, 8, "1,-2", "\x3f\x80\x00\x00\xc0\x00\x00\x00"},
        {0x0d, 16, "0,1", "\0\0\0\0\0\0\0\0\x3f\xf0\0\0\0\0\0\0"},
        {0x10, 2, "1", "\x3f\x80"},
        {0x10, 2, "-3", "\xc0\x40"},
        {0x11, 2, "1", "\x3c\x00"},
        {0x11, 2, "-0", "\x80\x00"},
        {0x11, 2, "6", "\x46\x00"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t out[UET_ELEMENT_MAX];
        assert_int_equal(uet_element_wire(cases[i].datatype, cases[i].text, out), cases[i].bytes);
        if (memcmp(out, cases[i].wire, cases[i].bytes) != 0)
            fail_msg("%s of %#x", cases[i].text, cases[i].datatype);
    }
    assert_int_equal(uet_element_type(0x0e).kind, 0); /* LONG_DOUBLE */
    assert_int_equal(uet_element_type(0x12).kind, 0);
}

static void in_memory(void **state)
{
    uint8_t to[8];
    (void)state;
    uet_element_host(0x05, false, (const uint8_t *)"\1\2\3\4", to);
    assert_memory_equal(to, "\4\3\2\1", 4);
    uet_element_host(0x05, true, (const uint8_t *)"\1\2\3\4", to);
    assert_memory_equal(to, "\1\2\3\4", 4);
    uet_element_host(0x0c, false, (const uint8_t *)"\1\2\3\4\5\6\7\x08", to);
    assert_memory_equal(to, "\4\3\2\1\x08\7\6\5", 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(on_the_wire), cmocka_unit_test(in_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
