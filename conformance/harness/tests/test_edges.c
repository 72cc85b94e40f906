/* SPDX-License-Identifier: BSD-2-Clause */
/* Edges of fields, by hand from Tables 3-8 and 3-9, and of limits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "conformance/harness/edges.h"
#include "uet_spec.h"

static void same(const struct uet_edges *e, const uint64_t *value, size_t n)
{
    assert_int_equal(e->n, n);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(e->value[i], value[i]);
}

#define SAME(e, ...)                                                                               \
    same(e, (const uint64_t[]){__VA_ARGS__}, sizeof((const uint64_t[]){__VA_ARGS__}) / 8)

static void of_fields(void **state)
{
    (void)state;
    struct uet_edges e = uet_edges_of(UET_H_SES_REQ_STD_SOM1, UET_F_SES_BUFFER_OFFSET);
    SAME(&e, 0, 1, 255, 256, 65535, 65536, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000,
         0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff);
    e = uet_edges_of(UET_H_SES_REQ_STD_SOM0, UET_F_SES_MESSAGE_OFFSET);
    SAME(&e, 0, 1, 255, 256, 65535, 65536, 0x7fffffff, 0x80000000, 0xffffffff);
    e = uet_edges_of(UET_H_SES_REQ_STD_SOM0, UET_F_SES_PAYLOAD_LENGTH);
    SAME(&e, 0, 1, 255, 256, 16383);
    e = uet_edges_of(UET_H_SES_REQ_STD_SOM1, UET_F_SES_MESSAGE_OFFSET); /* som=1 has none */
    assert_int_equal(e.n, 0);
}

static void of_limits(void **state)
{
    (void)state;
    struct uet_edges e = uet_edges_of(UET_H_SES_REQ_STD_SOM0, UET_F_SES_PAYLOAD_LENGTH);
    uet_edges_add_limit(&e, 4096);
    uet_edges_add_limit(&e, 4096);
    uet_edges_add_limit(&e, 16383); /* 14 bits: no 16384 */
    uet_edges_add_limit(&e, 0);
    SAME(&e, 0, 1, 255, 256, 4095, 4096, 4097, 16382, 16383);
    e = uet_edges_of(UET_H_SES_REQ_STD_SOM1, UET_F_SES_BUFFER_OFFSET);
    size_t before = e.n;
    uet_edges_add_limit(&e, UINT64_MAX); /* it is one already */
    assert_int_equal(e.n, before + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_fields),
        cmocka_unit_test(of_limits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
