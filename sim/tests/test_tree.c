/* SPDX-License-Identifier: BSD-2-Clause */
/* Fat trees: what they count, by hand, and the ways that the fabric finds in them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>

#include "sim/fabric/paths.h"

/* 8 ports, 3 levels, 64 hosts: 4 groups of 16. A group has 4 edges with 4 hosts and 4 cables up,
 * and 4 middles with 4 cables up; the tops are 4 x 4. */
static void test_paper(void **state)
{
    struct tree tree;
    (void)state;
    assert_int_equal(tree_make(&tree, &(struct tree_wish){8, 3, 1, 64, {0}, {0}}), 0);
    assert_int_equal(tree.n_hosts, 64);
    assert_int_equal(tree.per_group, 16);
    assert_int_equal(tree.per_edge, 4);
    assert_int_equal(tree.n_edges, 16);
    assert_int_equal(tree.n_middles, 16);
    assert_int_equal(tree.n_tops, 16);
    assert_int_equal(tree.n_cables, 64 + 64 + 64);
    assert_int_equal(tree_lines(&tree), 6);
    tree_free(&tree);
}

/* Full trees: radix^3 / 4 hosts, 5 radix^2 / 4 switches; as many cables on each level. */
static void test_full(void **state)
{
    struct tree tree;
    (void)state;
    assert_int_equal(tree_make(&tree, &(struct tree_wish){16, 3, 1, 0, {0}, {0}}), 0);
    assert_int_equal(tree.n_hosts, 1024);
    assert_int_equal(tree_switches(&tree), 320);
    assert_int_equal(tree.n_cables, 3 * 1024);
    tree_free(&tree);
    /* Two levels: 8 edges with 4 hosts, 4 spines. */
    assert_int_equal(tree_make(&tree, &(struct tree_wish){8, 2, 1, 0, {0}, {0}}), 0);
    assert_int_equal(tree.n_hosts, 32);
    assert_int_equal(tree.n_edges, 8);
    assert_int_equal(tree.n_middles, 0);
    assert_int_equal(tree.n_tops, 4);
    assert_int_equal(tree.n_cables, 32 + 32);
    assert_int_equal(tree_lines(&tree), 4);
    tree_free(&tree);
}

/* 12 ports, 2:1: 8 hosts and 4 cables up; 3:1 of 16: 12 and 4. */
static void test_oversubscribed(void **state)
{
    struct tree tree;
    (void)state;
    assert_int_equal(tree_make(&tree, &(struct tree_wish){12, 2, 2, 24, {0}, {0}}), 0);
    assert_int_equal(tree.per_edge, 8);
    assert_int_equal(tree.up, 4);
    assert_int_equal(tree.n_edges, 3);
    assert_int_equal(tree.n_cables, 24 + 3 * 4);
    tree_free(&tree);
    assert_int_equal(tree_make(&tree, &(struct tree_wish){16, 2, 3, 0, {0}, {0}}), 0);
    assert_int_equal(tree.per_edge, 12);
    assert_int_equal(tree.up, 4);
    assert_int_equal(tree.n_hosts, 16 * 12);
    tree_free(&tree);
    /* Three levels of 6 ports, 2:1: groups of 3 edges with 4 hosts, 2 middles with 3 cables up. */
    assert_int_equal(tree_make(&tree, &(struct tree_wish){6, 3, 2, 0, {0}, {0}}), 0);
    assert_int_equal(tree.per_group, 12);
    assert_int_equal(tree.n_hosts, 6 * 12);
    assert_int_equal(tree.n_middles, 6 * 2);
    assert_int_equal(tree.n_tops, 2 * 3);
    tree_free(&tree);
}

static void test_refused(void **state)
{
    const struct tree_wish none[] = {
        {8, 1, 1, 0, {0}, {0}},  /* one level */
        {8, 4, 1, 0, {0}, {0}},  /* four */
        {7, 3, 1, 0, {0}, {0}},  /* half a port */
        {8, 2, 0, 0, {0}, {0}},  /* no hosts */
        {8, 2, 8, 0, {0}, {0}},  /* no cable up */
        {8, 2, 1, 33, {0}, {0}}, /* one host too many */
        {8, 2, 1, 1, {0}, {0}},  /* a host alone */
    };
    struct tree tree;
    (void)state;
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_int_equal(tree_make(&tree, &none[i]), -EINVAL);
}

/* No switch has more cables than ports, and no two nodes have two cables between them. */
static void check_ports(const struct tree_wish *wish)
{
    struct tree tree;
    uint16_t *ports;
    assert_int_equal(tree_make(&tree, wish), 0);
    ports = calloc((size_t)tree.n_hosts + tree_switches(&tree), sizeof(*ports));
    assert_non_null(ports);
    for (size_t c = 0; c < tree.n_cables; c++) {
        ports[tree.cables[c].a]++;
        ports[tree.cables[c].b]++;
        for (size_t other = 0; other < c; other++)
            assert_false(tree.cables[c].a == tree.cables[other].a &&
                         tree.cables[c].b == tree.cables[other].b);
    }
    for (uint16_t h = 0; h < tree.n_hosts; h++)
        assert_int_equal(ports[h], 1);
    for (uint16_t s = 0; s < tree_switches(&tree); s++)
        assert_in_range(ports[tree.n_hosts + s], 1, wish->radix);
    free(ports);
    tree_free(&tree);
}

static void test_ports(void **state)
{
    (void)state;
    check_ports(&(struct tree_wish){8, 3, 1, 64, {0}, {0}});
    check_ports(&(struct tree_wish){8, 3, 1, 0, {0}, {0}});
    check_ports(&(struct tree_wish){6, 3, 2, 0, {0}, {0}});
    check_ports(&(struct tree_wish){12, 2, 2, 0, {0}, {0}});
    check_ports(&(struct tree_wish){16, 2, 3, 0, {0}, {0}});
}

/* ---- the fabric's ways ---- */

/* How many different ways lead from one host to another; each must be so long. */
static size_t ways(struct uet_fabric *fabric, uint16_t from, uint16_t to, size_t length)
{
    struct path seen[128];
    size_t n = 0, i;
    for (uint32_t ev = 0; ev < 8192; ev++) {
        struct path path = path_of(fabric, from, to, (uint16_t)ev);
        assert_int_equal(path.n, length);
        for (i = 0; i < n && !path_equal(&seen[i], &path); i++)
            ;
        assert_true(i < sizeof seen / sizeof *seen);
        if (i == n)
            seen[n++] = path;
    }
    return n;
}

/* Hosts 0 and 1 at one edge, 15 in their group, 16 in the next. */
static void test_ways(void **state)
{
    struct uet_fabric *fabric = NULL;
    struct tree tree;
    (void)state;
    assert_int_equal(tree_make(&tree, &(struct tree_wish){8, 3, 1, 64, {0}, {0}}), 0);
    assert_int_equal(paths_fabric(&fabric, &tree), 0);
    assert_int_equal(ways(fabric, 0, 1, 2), 1);
    assert_int_equal(ways(fabric, 0, 15, 4), 4);
    assert_int_equal(ways(fabric, 15, 0, 4), 4);
    assert_int_equal(ways(fabric, 0, 16, 6), 16);
    assert_int_equal(ways(fabric, 63, 0, 6), 16);
    uet_fabric_free(fabric);
    tree_free(&tree);
}

/* 1,024 hosts: 8 ways within a group of 64, 64 between groups; and every host is reached. */
static void test_ways_of_many(void **state)
{
    struct uet_fabric *fabric = NULL;
    struct tree tree;
    (void)state;
    assert_int_equal(tree_make(&tree, &(struct tree_wish){16, 3, 1, 0, {0}, {0}}), 0);
    assert_int_equal(paths_fabric(&fabric, &tree), 0);
    assert_int_equal(ways(fabric, 0, 63, 4), 8);
    assert_int_equal(ways(fabric, 0, 64, 6), 64);
    for (uint16_t h = 1; h < 1024; h++) {
        struct path path = path_of(fabric, 0, h, 0x1234);
        assert_int_equal(path.n, h < 8 ? 2 : h < 64 ? 4 : 6);
        assert_int_equal(path.lines[path.n - 1], 2 * h + 1); /* its cable, towards it */
    }
    assert_int_equal(path_of(fabric, 0, 1024, 1).n, 0);
    uet_fabric_free(fabric);
    tree_free(&tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paper),          cmocka_unit_test(test_full),
        cmocka_unit_test(test_oversubscribed), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_ports),          cmocka_unit_test(test_ways),
        cmocka_unit_test(test_ways_of_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
