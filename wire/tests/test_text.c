/* SPDX-License-Identifier: BSD-2-Clause */
/* text_add against the C library's snprintf: same bytes, same length, for every capacity. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "wire/text.h"

enum { CAP = 96 };

/* The same arguments both ways, into every capacity from none to more than enough. */
#define SAME(...)                                                                                  \
    for (size_t cap = 0; cap <= CAP; cap++) {                                                      \
        char want[CAP + 1], have[CAP + 1];                                                         \
        memset(want, '#', sizeof want);                                                            \
        memset(have, '#', sizeof have);                                                            \
        int n = snprintf(want, cap, __VA_ARGS__);                                                  \
        struct text t = text_begin(have, cap);                                                     \
        text_add(&t, __VA_ARGS__);                                                                 \
        assert_int_equal(t.len, n);                                                                \
        assert_string_equal(cap ? have : "", cap ? want : "");                                     \
        assert_int_equal(have[cap], '#'); /* not a byte more */                                    \
    }

static const uint64_t values[] = {0,          1,          9,          10,         15,
                                  16,         99,         100,        0x7fff,     0xffff,
                                  0x12345678, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000,
                                  INT64_MAX,  1ull << 63, UINT64_MAX};

static void numbers(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        uint64_t v = values[i];
        uint32_t w = (uint32_t)v;
        SAME(" %u", w);
        SAME("%d", (int)w);
        SAME("%x.", w);
        SAME("0x%08" PRIx32 ">", w);
        SAME("0x%04x>0x%04x", w & 0xffff, w >> 16);
        SAME("%02x:%02x", w & 0xff, w >> 24);
        SAME("%05d", (int)w);
        SAME("%" PRIu64, v);
        SAME("%" PRId64, (int64_t)v);
        SAME("0x%016" PRIx64, v);
        SAME("0x%" PRIx64 " %llx %llu %lld", v, (unsigned long long)v, (unsigned long long)v,
             (long long)v);
        SAME("%zu %04zx", (size_t)v, (size_t)v);
    }
}

/* What is not written by hand goes to the library, with all that follows. */
static void others(void **state)
{
    (void)state;
    SAME("plain");
    SAME("%s", "");
    SAME("a %s b %s c", "x", "longer");
    SAME("%u then %-12s| %08x", 7u, "left", 0xbeefu);
    SAME("%-*s|%s", 9, "star", "after");
    SAME("%+d %d", 5, -5);
    SAME("%5u|%u", 42u, 43u);
    SAME("100%% of %u", 3u);
    SAME("%c%hhu %#x %.2f %u", 'c', (unsigned char)9, 255u, 1.5, 1u);
    SAME("%030d", 1);
}

static void appends(void **state)
{
    (void)state;
    char out[8];
    struct text t = text_begin(out, sizeof out);
    text_add(&t, "abc");
    text_add(&t, "%u", 12u);
    assert_string_equal(out, "abc12");
    text_add(&t, "%s", "defgh");
    assert_string_equal(out, "abc12de");
    text_add(&t, "%x", 255u);
    text_add(&t, "%-3s", "z");
    assert_string_equal(out, "abc12de");
    assert_int_equal(t.len, 15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers),
        cmocka_unit_test(others),
        cmocka_unit_test(appends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
