/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * uet_rules_check in the tests, which holds every row to its enum uet_rule_when: where none of
 * those holds the rule finds nothing.
 */
#ifndef UET_RULES_TESTS_JUDGE_H
#define UET_RULES_TESTS_JUDGE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rules/internal.h"

enum { JUDGE_MAX = 16 };

/* Judges a packet; how many violations of at most JUDGE_MAX were found. */
static inline size_t judge_packet(struct uet_rules *rules, const struct uet_tracked *t,
                                  struct uet_violation found[JUDGE_MAX])
{
    struct uet_violation all[JUDGE_MAX];
    size_t n = uet_rules_check(rules, t, found, JUDGE_MAX);
    size_t n_all = uet_rules_check_all(rules, t, all, JUDGE_MAX);
    for (size_t i = 0; i < n_all; i++)
        if (i >= n || strcmp(all[i].message, found[i].message) != 0)
            fail_msg("%s (%s) is found where its row says that it looks at no packet",
                     all[i].requirement, all[i].message);
    assert_int_equal(n, n_all);
    return n;
}

#endif
