/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.15: what the FEP writes arrives, whatever the network loses, doubles and delays. */
#include "conformance/harness/steps/writes.h"
#include "conformance/tests/pds.h"

enum {
    WRITES = 6,
    MOST_MTUS = 3, /* of one of them */
    LOSSES = 3,    /* while one is under way */
};

struct writing {
    struct uet_ut_operation op;
    uint64_t handle;
};

static struct writing begin(struct uet_tc *tc, uint8_t mode)
{
    uint32_t mtu = uet_tc_dut(tc)->payload_mtu;
    struct writing w = {.op = uet_op(tc, 1 + (uint32_t)(uet_tc_random(tc) % (MOST_MTUS * mtu)))};

    w.op.mode = mode;
    w.handle = uet_do_write(tc, &w.op);
    return w;
}

/* Enough retries for what is lost; each is at most as late as the one before it, doubled (PDS-157).
 */
static uint64_t retries(struct uet_tc *tc)
{
    uint64_t most;

    uet_need_retries(tc);
    if (uet_tc_told(tc, "Max_RTO_Retx_Cnt", &most) && most <= LOSSES)
        uet_skip(tc, "the FEP retries %llu times, and more may be lost", (unsigned long long)most);
    return patience(tc, one_rto(tc)) << LOSSES;
}

/* Several at once, as many as the FEP likes to have under way. */
static void writes_in_a_storm(struct uet_tc *tc, uint8_t mode)
{
    uint64_t due = retries(tc);
    struct writing w[WRITES];

    for (int i = 0; i < WRITES; i += 2) {
        uet_storm(tc, LOSSES);
        w[i] = begin(tc, mode);
        w[i + 1] = begin(tc, mode);
        for (int k = i; k < i + 2; k++) {
            struct uet_ut_completion c;
            uet_check(tc, "PDS-156", uet_completion(tc, w[k].handle, due, &c),
                      "a WRITE of %u bytes does not end", w[k].op.length);
            uet_check_eq(tc, "PDS-156", "status", c.status, UET_UT_OK);
        }
    }
    uet_calm(tc);
    for (int i = 0; i < WRITES; i++) {
        bytes_came(tc, "SES-110", &w[i].op);
        not_again(tc, "SES-110", w[i].handle);
    }
}

UET_TEST(rud_writes_in_a_storm, .id = "pds.3.5.15.storm-over-rud",
         .requirements = "PDS-156 SES-110", .role = UET_ROLE_INITIATOR, .needs = "rud",
         .purpose = "What the network loses, doubles or delays comes again, and each message ends "
                    "once.",
         .preamble = "A peer that answers as it should.",
         .stimulus =
             "6 WRITEs of up to 3 MTUs, two at a time; up to 3 of their packets and ACKs are "
             "lost, others come twice or late, by the run's seed.",
         .expected = "Each WRITE completes once, as a success; all its bytes came.")
{
    writes_in_a_storm(tc, UET_UT_MODE_RUD);
}

UET_TEST(rod_writes_in_a_storm, .id = "pds.3.5.15.storm-over-rod",
         .requirements = "PDS-156 SES-110", .role = UET_ROLE_INITIATOR, .needs = "rod",
         .purpose = "Over ROD, whose target refuses what is not next, what the network loses, "
                    "doubles or delays comes again, and each message ends once.",
         .preamble = "A peer that answers as it should.",
         .stimulus = "6 WRITEs of up to 3 MTUs, two at a time; up to 3 of their packets, ACKs and "
                     "NACKs are lost, others come twice or late, by the run's seed.",
         .expected = "Each WRITE completes once, as a success; all its bytes came.")
{
    writes_in_a_storm(tc, UET_UT_MODE_ROD);
}
