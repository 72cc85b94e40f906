/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.6.16: sets of few entropy values, down to one, however the FEP chooses among them. */
#include "conformance/harness/steps/acks.h"
#include "conformance/harness/steps/target.h"
#include "conformance/tests/pds.h"

#define PACKETS 24u

enum { OBLIVIOUS = 1, REPS, BITMAP }; /* values of LB */

/* REPS takes the value of a packet that is acknowledged again: in a small window one may do for
 * all. */
static void few_values(struct uet_tc *tc, uint32_t lb, uint64_t size)
{
    struct uet_pdc *p;
    uint64_t handle;
    uint16_t evs[PACKETS];
    uint32_t values = 0;
    uet_try_param(tc, "LB", lb);
    if (!uet_try_param(tc, "ev_set_size", size))
        size = uet_tc_param(tc, "ev_set_size");
    const struct uet_in *in = fep_writes(tc, PACKETS * uet_tc_dut(tc)->payload_mtu, &p, &handle);
    for (uint32_t n = 0, i; n < PACKETS; n++) {
        in = n ? hear(tc, "CMS-096", REQUEST_ON(p)) : in;
        evs[n] = uet_entropy(&in->packet);
        for (i = 0; evs[i] != evs[n]; i++)
            ;
        values += i == n;
    }
    uet_check(tc, "CMS-096", values <= size, "%u entropy values of a set of %llu", values,
              (unsigned long long)size);
    uet_check(tc, "CMS-096", values > 1 || size == 1 || lb == REPS,
              "%u packets have one entropy value", PACKETS);
    completion_of(tc, "CMS-096", handle);
}

#define FEW_VALUES(name, slug, lb, size, of, how)                                                  \
    UET_TEST(                                                                                      \
        name, .id = "cms.3.6.16." slug, .requirements = "CMS-096", .role = UET_ROLE_INITIATOR,     \
        .needs = "rud oblivious", .params = "ev_set_size", .not_over = "own acks all",             \
        .purpose = "Of a set of " of " no more are used, and where it has several more than "      \
                   "one.",                                                                         \
        .preamble = how "a set of " of ", where these can be set.",                                \
        .stimulus = "The FEP writes 24 MTUs.",                                                     \
        .expected =                                                                                \
            "No more entropy values than the set has; of a set of two or more not "                \
            "one alone, but with REPS. Who draws from two values has one in all packets with a "   \
            "probability of 1.2e-7 (false fail).")                                                 \
    {                                                                                              \
        few_values(tc, lb, size);                                                                  \
    }

FEW_VALUES(oblivious_one, "oblivious-set-of-one", OBLIVIOUS, 1, "one", "LB oblivious, ")
FEW_VALUES(oblivious_four, "oblivious-set-of-four", OBLIVIOUS, 4, "four", "LB oblivious, ")
FEW_VALUES(reps_one, "reps-set-of-one", REPS, 1, "one", "LB REPS, ")
FEW_VALUES(reps_two, "reps-set-of-two", REPS, 2, "two", "LB REPS, ")
FEW_VALUES(bitmap_one, "bitmap-set-of-one", BITMAP, 1, "one", "LB with a bitmap, ")
FEW_VALUES(bitmap_four, "bitmap-set-of-four", BITMAP, 4, "four", "LB with a bitmap, ")
