/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.4.1.14: message ids of a FEP that starts more messages than there are ids. */
#include "conformance/harness/steps/fep_reads.h"
#include "conformance/tests/pds.h"

enum {
    ROUND = 65536 + 16,
    AT_ONCE = 16,
    LONG_ENOUGH_S = 10,
};

/* At most AT_ONCE WRITEs of no bytes, as many as the FEP starts: no id is 0 or that one; how many.
 */
static int some_messages(struct uet_tc *tc, uint64_t held)
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
        field_is_not(tc, "SES-030", in, UET_F_SES_MESSAGE_ID, 0);
        field_is_not(tc, "SES-033", in, UET_F_SES_MESSAGE_ID, held);
    }
    for (int i = 0; i < n; i++)
        completes(tc, "SES-033", handle[i], UET_UT_OK);
    uet_forget(tc);
    return n;
}

UET_TEST(ids_go_round, .id = "ses.3.4.1.14.ids-go-round", .requirements = "SES-033 SES-030",
         .role = UET_ROLE_INITIATOR, .needs = "read", .not_over = "all", /* it is long */
         .purpose = "When all ids have been used, the next is neither 0 nor one in use.",
         .preamble = "None.",
         .stimulus = "The FEP reads 100 bytes, whose data waits; it starts 65,552 WRITEs of no "
                     "bytes, each of which is acknowledged; then the data comes. A FEP that needs "
                     "more than 10 s for it is let go.",
         .expected = "No WRITE has message_id 0, or that of the READ; each operation completes.")
{
    uet_talk_long(tc);
    hold_rto(tc);
    struct fep_read r = fep_reads(tc, 100);
    uint64_t held = value_of(tc, r.in[0], UET_F_SES_MESSAGE_ID), begin = uet_tc_now(tc);
    for (int done = 0, n; done < ROUND; done += n) {
        n = some_messages(tc, held);
        if (n == 0)
            uet_skip(tc, "the FEP starts no WRITE beside the READ");
        if (uet_tc_now(tc) - begin > LONG_ENOUGH_S * 1000 * UET_MS)
            uet_skip(tc, "%d messages took 10 s: the ids did not go round", done);
    }
    serve(tc, "SES-033", &r);
    check_read(tc, "SES-033", &r);
}
