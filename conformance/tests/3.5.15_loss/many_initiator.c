/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.15: the timers of several PDCs of one source. */
#include "conformance/tests/pds.h"

enum { MOST_PDCS = 16, COPIES = 3 };

/* A WRITE of a job that has its own PDC where the FEP maps jobs (3.5.8.1); its packet, or NULL. */
static const struct uet_in *job_writes(struct uet_tc *tc, uint32_t job, uint64_t *handle)
{
    struct uet_ut_operation op = uet_op(tc, 16);

    op.job_id += job;
    return uet_ut_write(uet_tc_ut(tc), &op, handle) == 0 ? uet_next_request(tc, NULL) : NULL;
}

/* Preamble: the jobs have PDCs that are established; how many. */
static uint32_t jobs_open(struct uet_tc *tc)
{
    uint32_t n = 0;
    uint64_t handle;

    uet_preamble_begin(tc);
    while (n < MOST_PDCS && job_writes(tc, n, &handle)) {
        uet_expect_completion(tc, handle);
        uet_forget_settled(tc);
        n++;
    }
    if (n < 3)
        uet_skip(tc, "the FEP writes for %u jobs: too few for this test", n);
    uet_preamble_end(tc);
    return n;
}

/* The same, which must leave: nobody answers it, nor what closes its PDC. */
static const struct uet_in *job_writes_unanswered(struct uet_tc *tc, uint32_t job, uint64_t *handle)
{
    const struct uet_in *in = job_writes(tc, job, handle);

    if (!in)
        uet_skip(tc, "the FEP writes no more while other packets are outstanding");
    in->pdc->auto_close = false;
    return in;
}

/* It comes again, and not later than that; the copy. */
static const struct uet_in *again_in_time(struct uet_tc *tc, const struct uet_in *in, uint64_t due)
{
    const struct uet_in *copy = hear(tc, "PDS-156", RESEND_OF(in), .within = due);

    uet_check(tc, "PDS-156", copy->time_ns - in->time_ns <= due,
              "the packet came again after %.3f ms: late",
              (double)(copy->time_ns - in->time_ns) / 1e6);
    return copy;
}

UET_TEST(
    rto_of_each_pdc, .id = "pds.3.5.15.rto-of-each-pdc", .requirements = "PDS-156 PDS-157",
    .role = UET_ROLE_INITIATOR, .not_over = "own", .params = "RTO_Init_Time Max_RTO_Retx_Cnt",
    .purpose = "The RTO of a packet is late on no PDC, whatever runs on others.",
    .preamble = "PDCs of up to sixteen jobs that the FEP opened; RTO 8 ms where it can be set.",
    .stimulus = "The FEP writes for each job, one a little after the other; the tester stays "
                "silent.",
    .expected = "Each packet comes again at the latest after RTO_Init_Time, and then after "
                "twice and four times that, as often as Max_RTO_Retx_Cnt lets it.")
{
    const struct uet_in *in[MOST_PDCS];
    uint64_t handle;
    uet_try_param(tc, "RTO_Init_Time", 8 * UET_MS);
    uint64_t rto = uet_tc_param(tc, "RTO_Init_Time");
    uint64_t most = uet_tc_param(tc, "Max_RTO_Retx_Cnt");
    uint32_t n = jobs_open(tc), came = 0;
    uet_auto_ack(tc, false);
    while (came < n && (in[came] = job_writes(tc, came, &handle))) {
        in[came]->pdc->auto_close = false;
        uet_wait(tc, uet_tc_random(tc) % rto / 2);
        came++;
    }
    for (unsigned copy = 0; copy < COPIES && copy < most; copy++) {
        for (uint32_t i = 0; i < came; i++)
            in[i] = again_in_time(tc, in[i], uet_tc_latest(tc, rto << copy));
    }
    uet_auto_ack(tc, true);
}

enum { FRESH = 4 };

UET_TEST(
    rto_behind_longer_ones, .id = "pds.3.5.15.rto-behind-longer-ones",
    .requirements = "PDS-156 PDS-157", .role = UET_ROLE_INITIATOR, .not_over = "own",
    .params = "RTO_Init_Time Max_RTO_Retx_Cnt",
    .purpose = "The RTO of a packet is not late behind those that have grown on other PDCs.",
    .preamble = "PDCs of up to sixteen jobs that the FEP opened; RTO 8 ms where it can be set.",
    .stimulus = "The FEP writes for all jobs but four, and each packet comes again three "
                "times, or as often as Max_RTO_Retx_Cnt lets it; then it writes for the four, "
                "one after the other has come again. The tester stays silent.",
    .expected = "The packet of each of the four again at the latest after RTO_Init_Time.")
{
    const struct uet_in *in[MOST_PDCS];
    uint64_t handle;
    uet_try_param(tc, "RTO_Init_Time", 8 * UET_MS);
    const uint64_t rto = uet_tc_param(tc, "RTO_Init_Time"), due = uet_tc_latest(tc, rto);
    const uint64_t most = uet_tc_param(tc, "Max_RTO_Retx_Cnt");
    const uint32_t n = jobs_open(tc), longer = n > FRESH ? n - FRESH : n - 1;
    uet_auto_ack(tc, false);
    for (uint32_t i = 0; i < longer; i++)
        in[i] = job_writes_unanswered(tc, i, &handle);
    for (unsigned copy = 0; copy < COPIES && copy < most; copy++)
        for (uint32_t i = 0; i < longer; i++)
            in[i] = hear(tc, "PDS-156", RESEND_OF(in[i]), .within = uet_tc_latest(tc, rto << copy));
    for (uint32_t i = longer; i < n; i++) {
        in[i] = job_writes_unanswered(tc, i, &handle);
        again_in_time(tc, in[i], due);
    }
    uet_auto_ack(tc, true);
}
