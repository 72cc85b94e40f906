/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.6.16: sets of few entropy values, down to one, however the FEP chooses among them. */
#include "conformance/harness/steps/target.h"
#include "conformance/tests/3.6_cms/marked.h"

#define PACKETS 24u

enum { OBLIVIOUS = 1, REPS, BITMAP }; /* values of LB */

static void few_values(struct uet_tc *tc, uint32_t lb, uint64_t size)
{
    uint16_t evs[PACKETS];
    uet_try_param(tc, "LB", lb);
    if (!uet_try_param(tc, "ev_set_size", size))
        size = uet_tc_param(tc, "ev_set_size");
    evs_of_marked(tc, "CMS-096", evs, PACKETS);
    const uint32_t values = how_many_values(evs, PACKETS);
    uet_check(tc, "CMS-096", values <= size, "%u entropy values of a set of %llu", values,
              (unsigned long long)size);
    uet_check(tc, "CMS-096", values > 1 || size == 1, "%u packets have one entropy value", PACKETS);
}

#define FEW_VALUES(name, slug, lb, size, of, how)                                                  \
    UET_TEST(name, .id = "cms.3.6.16." slug, .requirements = "CMS-096",                            \
             .role = UET_ROLE_INITIATOR, .needs = "rud oblivious", .params = "ev_set_size",        \
             .not_over = "own acks all",                                                           \
             .purpose = "Of a set of " of " no more are used, and where it has several more than " \
                        "one.",                                                                    \
             .preamble = how "a set of " of ", where these can be set.",                           \
             .stimulus = "The FEP writes 24 MTUs; all ACKs have m=1.",                             \
             .expected = "No more entropy values than the set has; of a set of two or more not "   \
                         "one alone. Who draws from two values has one in all packets with a "     \
                         "probability of 1.2e-7 (false fail).")                                    \
    {                                                                                              \
        few_values(tc, lb, size);                                                                  \
    }

FEW_VALUES(oblivious_one, "oblivious-set-of-one", OBLIVIOUS, 1, "one", "LB oblivious, ")
FEW_VALUES(oblivious_four, "oblivious-set-of-four", OBLIVIOUS, 4, "four", "LB oblivious, ")
FEW_VALUES(reps_one, "reps-set-of-one", REPS, 1, "one", "LB REPS, ")
FEW_VALUES(reps_two, "reps-set-of-two", REPS, 2, "two", "LB REPS, ")
FEW_VALUES(bitmap_one, "bitmap-set-of-one", BITMAP, 1, "one", "LB with a bitmap, ")
FEW_VALUES(bitmap_four, "bitmap-set-of-four", BITMAP, 4, "four", "LB with a bitmap, ")
