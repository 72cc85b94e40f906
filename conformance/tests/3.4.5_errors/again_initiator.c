/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.4.5, 3.4.3.6.3: what a source does with codes that may pass: the message once more. */
#include "conformance/harness/steps/acks.h"
#include "conformance/tests/pds.h"

/* The FEP sends 16 bytes and header data, which are answered with that code. */
static const struct uet_in *send_refused(struct uet_tc *tc, uint8_t code, uint8_t generation,
                                         uint64_t *handle)
{
    struct uet_ut_operation op = uet_op(tc, 16);

    op.has_header_data = true;
    op.header_data = 0x8123456789abcdef;
    if (code == UET_RC_BAD_GENERATION) /* which the FEP may remember of that index, for good */
        op.resource_index ^= 0x20;
    hold_rto(tc);
    hold_idle(tc); /* a PDC on which the message waits is idle */
    fep_opens(tc);
    uet_auto_ack(tc, false);
    *handle = uet_do_send(tc, &op);
    const struct uet_in *in = uet_expect_any_request(tc, NULL);
    struct uet_out ack = guaranteed_ack(in, code);
    uet_ses_rsp_ri_generation_set(ack.ses, generation);
    say(tc, &ack);
    return in;
}

/* It comes again: that, or NULL when the operation ended in error instead, which is a finding. */
static const struct uet_in *comes_again(struct uet_tc *tc, const char *requirement, uint64_t handle)
{
    const struct uet_in *copy = maybe(tc, MESSAGE_AGAIN, .within = AGAIN_WITHIN);

    if (!copy) {
        ends_in_error(tc, requirement, handle);
        uet_other_reading(tc, requirement, "the message was given up, not tried again");
    }
    return copy;
}

/* The new one is done; that is the end of it. */
static void done_once(struct uet_tc *tc, const char *requirement, const struct uet_in *again,
                      uint64_t handle)
{
    resume_acks(tc, again);
    completes(tc, requirement, handle, UET_UT_OK);
    silence(tc, requirement, REQUEST_ON(NULL));
    not_again(tc, requirement, handle);
}

UET_TEST(disabled_again, .id = "ses.3.4.3.6.3.disabled-is-no-generation", .requirements = "SES-104",
         .role = UET_ROLE_INITIATOR, .needs = "send",
         .purpose = "RC_DISABLED tells of no generation: that of a message stays 0.",
         .preamble = "A PDC that the FEP opened; RTO long.",
         .stimulus = "The FEP sends 16 bytes with header data; RC_DISABLED, twice at most; then "
                     "RC_OK.",
         .expected = "If the message comes again, ri_generation is 0.")
{
    uint64_t handle;
    send_refused(tc, UET_RC_DISABLED, 0, &handle);
    const struct uet_in *copy = maybe(tc, MESSAGE_AGAIN, .within = AGAIN_WITHIN);
    if (!copy)
        return;
    field(tc, "SES-104", copy, UET_F_SES_RI_GENERATION, 0);
    struct uet_out ack = guaranteed_ack(copy, UET_RC_DISABLED);
    say(tc, &ack);
    copy = maybe(tc, MESSAGE_AGAIN, .within = AGAIN_WITHIN);
    if (!copy)
        return;
    field(tc, "SES-104", copy, UET_F_SES_RI_GENERATION, 0);
    resume_acks(tc, copy);
    completes(tc, "SES-104", handle, UET_UT_OK);
}

UET_TEST(no_match_again, .id = "ses.3.4.5.no-match-again",
         .requirements = "SES-129 SES-104 SES-069 ROB-032 ROB-042", .role = UET_ROLE_INITIATOR,
         .needs = "send",
         .purpose = "A message that found no buffer is tried again until it has found one, and "
                    "then no more.",
         .preamble = "A PDC that the FEP opened; RTO long.",
         .stimulus = "The FEP sends 16 bytes with header data; RC_NO_MATCH, twice; then RC_OK.",
         .expected =
             "The same message again after each RC_NO_MATCH, and one completion without error; "
             "an error instead of a new try is a finding.")
{
    uint64_t handle;
    send_refused(tc, UET_RC_NO_MATCH, 0, &handle);
    const struct uet_in *again = comes_again(tc, "SES-129", handle);
    if (!again)
        return;
    field(tc, "SES-104", again, UET_F_SES_RI_GENERATION, 0);
    struct uet_out ack = guaranteed_ack(again, UET_RC_NO_MATCH);
    say(tc, &ack);
    again = comes_again(tc, "SES-129", handle);
    if (!again)
        return;
    field(tc, "SES-104", again, UET_F_SES_RI_GENERATION, 0);
    done_once(tc, "SES-129", again, handle);
}

#define TRIES      4
#define EVER_LATER (4 * AGAIN_WITHIN)

UET_TEST(no_match_backs_off, .id = "ses.3.4.5.no-match-backs-off", .requirements = "SES-129",
         .role = UET_ROLE_INITIATOR, .needs = "send", .not_over = "all", /* it takes seconds */
         .purpose = "A message that finds no buffer is tried again ever later.",
         .preamble = "A PDC that the FEP opened; RTO long.",
         .stimulus = "The FEP sends 16 bytes; RC_NO_MATCH four times; then RC_OK.",
         .expected = "The fourth try waits twice as long as the first or more.")
{
    uint64_t handle, gap[TRIES];
    send_refused(tc, UET_RC_NO_MATCH, 0, &handle);
    for (int i = 0; i < TRIES; i++) {
        const uint64_t since = uet_tc_now(tc);
        const struct uet_in *retry = maybe(tc, MESSAGE_AGAIN, .within = EVER_LATER);
        if (!retry) {
            ends_in_error(tc, "SES-129", handle);
            uet_skip(tc, "this FEP tries it %d times in all", i + 1);
        }
        gap[i] = retry->time_ns - since;
        struct uet_out ack = guaranteed_ack(retry, i + 1 < TRIES ? UET_RC_NO_MATCH : UET_RC_OK);
        say(tc, &ack);
    }
    const uint64_t least = 2 * (gap[0] > UET_US ? gap[0] : UET_US);
    uet_check(tc, "SES-129", gap[TRIES - 1] + uet_tc_tolerance(tc, gap[0]) >= least,
              "the last try came after %.3f ms, the first one after %.3f ms",
              (double)gap[TRIES - 1] / 1e6, (double)gap[0] / 1e6);
    completes(tc, "SES-129", handle, UET_UT_OK);
}

UET_TEST(
    bad_generation_again, .id = "ses.3.4.3.6.3.bad-generation-again",
    .requirements = "SES-108 SES-069 ROB-032 ROB-042", .role = UET_ROLE_INITIATOR, .needs = "send",
    .purpose = "After RC_BAD_GENERATION the message comes with the generation that was told.",
    .preamble = "A PDC that the FEP opened; RTO long.",
    .stimulus = "The FEP sends 16 bytes with header data; RC_BAD_GENERATION with "
                "ri_generation 7; then RC_OK.",
    .expected = "The same message again with ri_generation 7, and one completion without error; "
                "an error instead of a new try is a finding.")
{
    uint64_t handle;
    send_refused(tc, UET_RC_BAD_GENERATION, 7, &handle);
    const struct uet_in *again = comes_again(tc, "SES-108", handle);
    if (!again)
        return;
    field(tc, "SES-108", again, UET_F_SES_RI_GENERATION, 7);
    done_once(tc, "SES-108", again, handle);
}

UET_TEST(generation_of_one_index, .id = "ses.3.4.3.6.3.generation-of-one-index",
         .requirements = "SES-108 SES-094", .role = UET_ROLE_INITIATOR, .needs = "send",
         .purpose = "The generation that was told is that of one resource index of the target's.",
         .preamble = "A PDC that the FEP opened; RTO long.",
         .stimulus = "The FEP sends 16 bytes; RC_BAD_GENERATION with ri_generation 7; then RC_OK. "
                     "It sends 16 bytes to another resource index.",
         .expected = "Those have ri_generation 0.")
{
    uint64_t handle;
    send_refused(tc, UET_RC_BAD_GENERATION, 7, &handle);
    const struct uet_in *again = comes_again(tc, "SES-108", handle);
    if (!again)
        return;
    done_once(tc, "SES-108", again, handle);
    struct uet_ut_operation op = uet_op(tc, 16);
    op.resource_index ^= 1;
    handle = uet_do_send(tc, &op);
    field(tc, "SES-108", hear(tc, "SES-108", REQUEST_ON(NULL)), UET_F_SES_RI_GENERATION, 0);
    completes(tc, "SES-108", handle, UET_UT_OK);
}
