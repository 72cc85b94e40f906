/* SPDX-License-Identifier: BSD-2-Clause */
/* The ideal of a workload, by hand: lines of 100 Gbit/s and 1 us, edges with four hosts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/fabric/load.h"

/* ns on the wire: frame 4194 or an ACK's 60, and preamble, FCS and gap 24. */
enum { PACKET = 337, ACK = 6, WAY = 1000 };
/* From host to host at one edge, and back. */
enum { NEAR = 2 * (PACKET + WAY) + 2 * (ACK + WAY), FAR = 4 * (PACKET + WAY) + 4 * (ACK + WAY) };

static void check(const struct load_flow *flows, uint32_t n, uint32_t mtu, uint64_t ns)
{
    struct load load;
    struct tree tree;
    const struct uet_fabric_line line = {.latency_ns = WAY, .bits_per_s = 100000000000};
    const struct tree_wish wish = {
        .radix = 8, .levels = 2, .over = 1, .hosts = 8, .host = line, .trunk = line};

    assert_int_equal(tree_make(&tree, &wish), 0);
    assert_int_equal(load_make(&load, n), 0);
    for (uint32_t i = 0; i < n; i++)
        load_add(&load, &flows[i]);
    assert_int_equal(load_ideal(&load, &tree, mtu), ns);
    load_free(&load);
    tree_free(&tree);
}

#define CHECK(list, ns) check(list, sizeof(list) / sizeof *(list), NET_MTU, ns)

static void test_one(void **state)
{
    const struct load_flow near[] = {{0, 1, 4096, 1, 0, 0}}, far[] = {{0, 4, 4096, 1, 0, 0}};
    /* 3 x (4096 + 122) + 3 x (1904 + 122) bytes take 1498 ns; the first packet is a whole one. */
    const struct load_flow more[] = {{0, 1, 6000, 3, 0, 0}};
    (void)state;
    CHECK(near, NEAR);
    CHECK(far, FAR);
    CHECK(more, NEAR - PACKET + 1498);
}

/* Four packets of 1024 + 122 bytes take 366 ns, the first of them 91. */
static void test_mtu(void **state)
{
    const struct load_flow near[] = {{0, 1, 4096, 1, 0, 0}};
    (void)state;
    check(near, 1, 1024, NEAR - 2 * PACKET + 366 + 91);
}

/* A line carries one after the other; two that share none go at once. */
static void test_lines(void **state)
{
    const struct load_flow to_one[] = {{0, 1, 4096, 1, 0, 0}, {2, 1, 4096, 1, 0, 0}};
    const struct load_flow from_one[] = {{0, 1, 4096, 1, 0, 0}, {0, 2, 4096, 1, 0, 0}};
    const struct load_flow apart[] = {{0, 1, 4096, 1, 0, 0}, {1, 0, 4096, 1, 0, 0}};
    (void)state;
    CHECK(to_one, NEAR + PACKET);
    CHECK(from_one, NEAR + PACKET);
    CHECK(apart, NEAR);
}

/* A flow begins when all that fire its trigger have ended, and so do others that wait for it. */
static void test_waits(void **state)
{
    const struct load_flow chain[] = {{0, 1, 4096, 1, 0, 1}, {1, 2, 4096, 1, 1, 0}};
    const struct load_flow both[] = {
        {0, 1, 4096, 1, 0, 1}, {5, 2, 4096, 1, 0, 1}, {1, 3, 4096, 1, 1, 0}, {2, 0, 4096, 1, 1, 0}};
    (void)state;
    CHECK(chain, 2 * NEAR);
    CHECK(both, FAR + NEAR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_one), cmocka_unit_test(test_mtu),
                                       cmocka_unit_test(test_lines), cmocka_unit_test(test_waits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
