/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.4.5, 3.4.3.6.3: codes that may pass, the second time, in several packets, of the next message.
 */
#include "conformance/harness/steps/acks.h"
#include "conformance/tests/pds.h"

#define TRIES 3u

/* The FEP sends n bytes; the first packet. The tester acknowledges nothing by itself. */
static const struct uet_in *sends(struct uet_tc *tc, uint32_t n, uint64_t *handle)
{
    struct uet_ut_operation op = uet_op(tc, n);

    op.resource_index ^= 0x40; /* the FEP may remember a generation of it, for good */
    uet_auto_ack(tc, false);
    *handle = uet_do_send(tc, &op);
    return uet_expect_any_request(tc, NULL);
}

/* That answer to it; the message again, or NULL. */
static const struct uet_in *again_after(struct uet_tc *tc, const struct uet_in *in, uint8_t code,
                                        uint8_t generation)
{
    struct uet_out ack = guaranteed_ack(in, code);

    uet_ses_rsp_ri_generation_set(ack.ses, generation);
    say(tc, &ack);
    return maybe(tc, MESSAGE_AGAIN, .within = AGAIN_WITHIN);
}

/* It was given up, not tried again. */
static void given_up(struct uet_tc *tc, const char *requirement, uint64_t handle)
{
    ends_in_error(tc, requirement, handle);
    uet_other_reading(tc, requirement, "the message was given up, not tried again");
}

UET_TEST(bad_generation_twice, .id = "ses.3.4.3.6.3.bad-generation-twice",
         .requirements = "SES-108", .role = UET_ROLE_INITIATOR, .needs = "send",
         .purpose = "Each RC_BAD_GENERATION tells the generation of the next try, 0 as well.",
         .preamble = "A PDC that the FEP opened; RTO long.",
         .stimulus = "The FEP sends 16 bytes; RC_BAD_GENERATION with ri_generation 255, then with "
                     "0; then RC_OK.",
         .expected = "The message again with 255, then with 0, and one completion without error; "
                     "an error instead of a new try is a finding.")
{
    static const uint8_t told[] = {255, 0};
    uint64_t handle;
    hold_rto(tc);
    fep_opens(tc);
    const struct uet_in *in = sends(tc, 16, &handle);
    for (size_t i = 0; i < 2; i++) {
        in = again_after(tc, in, UET_RC_BAD_GENERATION, told[i]);
        if (!in) {
            given_up(tc, "SES-108", handle);
            return;
        }
        field(tc, "SES-108", in, UET_F_SES_RI_GENERATION, told[i]);
    }
    resume_acks(tc, in);
    completes(tc, "SES-108", handle, UET_UT_OK);
}

UET_TEST(bad_generation_of_two, .id = "ses.3.4.3.6.3.bad-generation-of-two-packets",
         .requirements = "SES-108", .role = UET_ROLE_INITIATOR, .needs = "send multi-packet-send",
         .purpose = "All packets of the new try have the generation that was told.",
         .preamble = "A PDC that the FEP opened; RTO long.",
         .stimulus = "The FEP sends two packets; RC_BAD_GENERATION with ri_generation 7 for the "
                     "first; all else is acknowledged.",
         .expected = "Both packets again with ri_generation 7, and one completion without error; "
                     "an error instead of a new try is a finding.")
{
    uint64_t handle;
    hold_rto(tc);
    fep_opens(tc);
    const struct uet_in *in = sends(tc, uet_tc_dut(tc)->payload_mtu + 8u, &handle);
    const struct uet_in *second = uet_next_request(tc, in->pdc);
    struct uet_out ack = guaranteed_ack(in, UET_RC_BAD_GENERATION);
    uet_ses_rsp_ri_generation_set(ack.ses, 7);
    say(tc, &ack);
    if (second)
        resume_acks(tc, second);
    uet_auto_ack(tc, true);
    for (unsigned came = 0; came < 2;) {
        in = maybe(tc, MESSAGE_AGAIN, .within = AGAIN_WITHIN);
        if (!in) {
            given_up(tc, "SES-108", handle);
            return;
        }
        if (!in->packet.payload_len) /* the end of the first try */
            continue;
        field(tc, "SES-108", in, UET_F_SES_RI_GENERATION, 7);
        came++;
    }
    completes(tc, "SES-108", handle, UET_UT_OK);
}

/* The FEP sends 16 bytes, refused so often, then taken; false: it gave up before. */
static bool refused_and_taken(struct uet_tc *tc, uint64_t *handle)
{
    const struct uet_in *in = sends(tc, 16, handle);

    for (unsigned i = 0; in && i < TRIES; i++)
        in = again_after(tc, in, UET_RC_NO_MATCH, 0);
    if (!in)
        return false;
    resume_acks(tc, in);
    completes(tc, "SES-129", *handle, UET_UT_OK);
    return true;
}

UET_TEST(no_match_of_the_next, .id = "ses.3.4.5.no-match-of-the-next-message",
         .requirements = "SES-129", .role = UET_ROLE_INITIATOR, .needs = "send",
         .purpose = "How often a message is tried again is its own affair: what others were tried "
                    "does not count.",
         .preamble = "A PDC that the FEP opened; RTO long.",
         .stimulus = "The FEP sends 16 bytes; RC_NO_MATCH, three times; then RC_OK. It sends 16 "
                     "bytes more; the same.",
         .expected = "Each is tried again three times, and completes. A FEP that tries the first "
                     "less often is skipped.")
{
    uint64_t handle;
    hold_rto(tc);
    fep_opens(tc);
    if (!refused_and_taken(tc, &handle))
        uet_skip(tc, "the FEP tries a message less often, as it may");
    uet_forget_settled(tc);
    uet_check(tc, "SES-129", refused_and_taken(tc, &handle),
              "the second message was given up earlier than the first");
}
