/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.4.1.14: message ids of a FEP that starts more messages than there are ids, or to two peers. */
#include "conformance/harness/steps/fep_reads.h"
#include "conformance/tests/pds.h"

enum {
    ROUND = 65536 + 16,
    AT_ONCE = 16,
    LONG_ENOUGH_S = 10,
};

/* The READ on that PDC is in progress with that id; on other PDCs it should be no other's, too. */
static void check_id(struct uet_tc *tc, const struct uet_in *in, const struct uet_in *held)
{
    if (value_of(tc, in, UET_F_SES_MESSAGE_ID) == 0)
        uet_other_reading(tc, "SES-030", "message_id is 0: IDs go round through it");
    field_is_not(tc, in->pdc == held->pdc ? "SES-033" : "SES-034", in, UET_F_SES_MESSAGE_ID,
                 uet_ses_message_id(&held->packet));
}

/* At most AT_ONCE WRITEs of no bytes, as many as the FEP starts; how many. */
static int some_messages(struct uet_tc *tc, const struct uet_in *held)
{
    const struct uet_ut_operation op = uet_op(tc, 0);
    uint64_t handle[AT_ONCE];
    int n = 0;

    while (n < AT_ONCE && uet_ut_write(uet_tc_ut(tc), &op, &handle[n]) == 0)
        n++;
    for (int i = 0; i < n; i++) {
        const struct uet_in *in = hear(tc, "SES-033", REQUEST_ON(NULL));
        if (!uet_is_ses_std(&in->packet))
            uet_skip(tc, "the FEP uses headers without a message_id");
        check_id(tc, in, held);
    }
    for (int i = 0; i < n; i++)
        completes(tc, "SES-033", handle[i], UET_UT_OK);
    uet_forget(tc);
    return n;
}

/* Nor does a count of messages show in headers that have no place for it: rule SES-002. */
static void short_ones(struct uet_tc *tc)
{
    static const uint8_t headers[] = {UET_UT_HEADER_SMALL, UET_UT_HEADER_MEDIUM};

    for (size_t i = 0; i < 2; i++) {
        struct uet_ut_operation op = uet_op(tc, 16);
        uint64_t handle;
        op.header = headers[i];
        if (op.header == UET_UT_HEADER_SMALL)
            op.key = 1ull << 62 | op.resource_index; /* optimized (Table 2-13) */
        if (uet_ut_write(uet_tc_ut(tc), &op, &handle) != 0)
            continue; /* it has no such header */
        hear(tc, "SES-033", REQUEST_ON(NULL));
        completes(tc, "SES-033", handle, UET_UT_OK);
    }
}

UET_TEST(ids_go_round, .id = "ses.3.4.1.14.ids-go-round",
         .requirements = "SES-033 SES-030 SES-034 SES-002", .role = UET_ROLE_INITIATOR,
         .needs = "read", .not_over = "all", .lengthy = true,
         .purpose = "When all ids have been used, the next is neither 0 nor one in use.",
         .preamble = "None.",
         .stimulus = "The FEP reads 100 bytes, whose data waits; it starts 65,552 WRITEs of no "
                     "bytes, each of which is acknowledged, now and then one with a small and a "
                     "medium header; then the data comes. A FEP that needs more than 10 s for it "
                     "is let go.",
         .expected = "No WRITE has message_id 0 (a finding), or that of the READ (on another PDC a "
                     "finding); no reserved bit is set; each operation completes.")
{
    uet_talk_long(tc);
    hold_rto(tc);
    struct fep_read r = fep_reads(tc, 100);
    const uint64_t begin = uet_tc_now(tc);
    for (int done = 0, n; done < ROUND; done += n) {
        n = some_messages(tc, r.in[0]);
        if (n == 0)
            uet_skip(tc, "the FEP starts no WRITE beside the READ");
        if ((done ^ (done + n)) >> 12)
            short_ones(tc);
        if (uet_tc_now(tc) - begin > LONG_ENOUGH_S * 1000 * UET_MS)
            uet_skip(tc, "%d messages took 10 s: the ids did not go round", done);
    }
    serve(tc, "SES-033", &r);
    check_read(tc, "SES-033", &r);
}

UET_TEST(ids_of_two_peers, .id = "ses.3.5.20.2.5.ids-of-two-peers", .requirements = "SES-034",
         .role = UET_ROLE_INITIATOR, .needs = "write",
         /* PDCs may close between the rounds: one set to begin at a PSN begins there again */
         .not_over = "psn",
         .purpose = "No two messages on their way have one message_id, whatever their PDCs.",
         .preamble = "None.",
         .stimulus = "Three times: the FEP writes 16 bytes to each of two addresses of the tester, "
                     "which acknowledges when both are there.",
         .expected = "The message_ids of the two differ.")
{
    struct uet_ip to[2] = {uet_tc_dut(tc)->tester[0], uet_tc_second_address(tc)};
    struct uet_ut_operation op = uet_op(tc, 16);
    hold_rto(tc);
    for (int round = 0; round < 3; round++) {
        uet_auto_ack(tc, false);
        const struct uet_in *in[2];
        uint64_t handle[2];
        for (int i = 0; i < 2; i++) {
            op.to = to[i];
            handle[i] = uet_do_write(tc, &op);
            in[i] = hear(tc, "SES-034", REQUEST_ON(NULL));
            if (!uet_is_ses_std(&in[i]->packet))
                uet_skip(tc, "the FEP uses headers without a message_id");
        }
        field_is_not(tc, "SES-034", in[1], UET_F_SES_MESSAGE_ID,
                     value_of(tc, in[0], UET_F_SES_MESSAGE_ID));
        uet_auto_ack(tc, true); /* of a close, too: the FEP may be done with the PDC (PDS-214) */
        for (int i = 0; i < 2; i++) {
            struct uet_out ack = uet_ack(in[i]->pdc, in[i]);
            say(tc, &ack);
            completes(tc, "SES-034", handle[i], UET_UT_OK);
        }
        uet_wait(tc, UET_MS);
    }
}
