/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.4.3.4: deferrable sends of the FEP, which the tester defers and asks for again. */
#include <string.h>

#include "conformance/harness/steps/acks.h"
#include "conformance/harness/steps/deferral.h"
#include "conformance/harness/steps/requests.h"
#include "conformance/tests/pds.h"

UET_TEST(first_try, .id = "ses.3.4.3.4.first-try", .requirements = "SES-143 SES-154",
         .role = UET_ROLE_INITIATOR, .needs = "deferral multi-packet-send",
         .purpose = "The first try of a deferrable send has no token of the target's.",
         .preamble = "None.", .stimulus = "The FEP sends three packets' worth, deferrable.",
         .expected = "UET_DEFERRABLE_SEND packets, all with target_restart_token 0 and the same "
                     "initiator_restart_token; one that is 0, or ROD, is a finding.")
{
    struct uet_ut_operation op = uet_op(tc, 2u * uet_tc_dut(tc)->payload_mtu + 100);
    uint64_t handle = uet_do_deferrable_send(tc, &op), irt = 0;
    for (unsigned i = 0; i < 3; i++) {
        const struct uet_in *in = hear(tc, "SES-143", REQUEST_ON(NULL));
        field(tc, "SES-143", in, UET_F_SES_OPCODE, UET_OP_DEFERRABLE_SEND);
        field(tc, "SES-143", in, UET_F_SES_TARGET_RESTART_TOKEN, 0);
        irt = irt ? irt : value_of(tc, in, UET_F_SES_INITIATOR_RESTART_TOKEN);
        field(tc, "SES-143", in, UET_F_SES_INITIATOR_RESTART_TOKEN, irt);
        if (uet_is_rod_request(&in->packet))
            uet_other_reading(tc, "SES-154", "a deferrable send on ROD");
    }
    if (!irt)
        uet_other_reading(tc, "SES-143", "its initiator_restart_token is 0");
    completes(tc, "SES-143", handle, UET_UT_OK);
}

UET_TEST(no_leftover, .id = "ses.3.4.3.4.no-leftover-token", .requirements = "SES-143",
         .role = UET_ROLE_INITIATOR, .needs = "deferral write",
         .purpose = "What stood there in the request before is no token.",
         .preamble = "The FEP has written to buffer_offset 0x4711.",
         .stimulus = "The FEP sends 64 bytes, deferrable.",
         .expected = "UET_DEFERRABLE_SEND with target_restart_token 0.")
{
    struct uet_ut_operation op = uet_op(tc, 64);
    op.offset = 0x4711;
    completes(tc, "SES-013", uet_do_write(tc, &op), UET_UT_OK);
    uet_forget_settled(tc);
    op = uet_op(tc, 64);
    uint64_t handle = uet_do_deferrable_send(tc, &op);
    const struct uet_in *in = hear(tc, "SES-143", REQUEST_ON(NULL));
    field(tc, "SES-143", in, UET_F_SES_OPCODE, UET_OP_DEFERRABLE_SEND);
    field(tc, "SES-143", in, UET_F_SES_TARGET_RESTART_TOKEN, 0);
    completes(tc, "SES-143", handle, UET_UT_OK);
}

UET_TEST(beside_rod, .id = "ses.3.4.3.4.beside-rod", .requirements = "SES-154 SES-032",
         .role = UET_ROLE_INITIATOR, .needs = "deferral multi-packet-send rod write",
         .purpose = "A deferrable send stays on its PDC, also when a ROD PDC to the peer is free.",
         .preamble = "A ROD PDC that the FEP opened by a WRITE, which is acknowledged.",
         .stimulus = "The FEP sends three packets' worth, deferrable, twice.",
         .expected = "The packets of each message come on one PDC; one that is ROD is a finding.")
{
    struct uet_ut_operation op = uet_op(tc, 16);
    op.mode = UET_UT_MODE_ROD;
    completes(tc, "PDS-007", uet_do_write(tc, &op), UET_UT_OK);
    uet_forget_settled(tc);
    op = uet_op(tc, 2u * uet_tc_dut(tc)->payload_mtu + 100);
    for (unsigned i = 0; i < 2; i++) {
        uint64_t handle = uet_do_deferrable_send(tc, &op);
        const struct uet_pdc *pdc = NULL;
        for (unsigned n = 0; n < 3; n++) {
            const struct uet_in *in = hear(tc, "SES-143", REQUEST_ON(NULL));
            uet_look_at(tc, in);
            uet_check(tc, "SES-032", !pdc || in->pdc == pdc,
                      "packet %u of the message came on another PDC than those before", n + 1);
            pdc = in->pdc;
        }
        if (pdc->rod)
            uet_other_reading(tc, "SES-154", "a deferrable send on ROD");
        completes(tc, "SES-143", handle, UET_UT_OK);
    }
}

UET_TEST(rtr_needs_no_generation, .id = "ses.3.4.3.4.rtr-needs-no-generation",
         .requirements = "SES-176", .role = UET_ROLE_INITIATOR, .needs = "deferral",
         .purpose = "The token finds a message, not the ri_generation that it was sent with.",
         .preamble = "A PDC that the FEP opened.",
         .stimulus = "The FEP sends 64 bytes, deferrable, of ri_generation 3, which are deferred; "
                     "an RTR with its token and ri_generation 0.",
         .expected = "The RTR is accepted; the message comes again; the send is a success.")
{
    uint64_t handle;
    fep_opens(tc);
    const struct uet_in *first = fep_of_is_put_off(tc, 3, 64, &handle);
    struct uet_out rtr = rtr_for(uet_pdc_open(tc), first, 0x55);
    accepted(tc, "SES-176", &rtr);
    hear_restart(tc, "SES-176", first, 0x55);
    completes(tc, "SES-176", handle, UET_UT_OK);
}

UET_TEST(restarts, .id = "ses.3.4.3.4.restarts",
         .requirements = "SES-150 SES-168 SES-147 SES-176 ROB-032", .role = UET_ROLE_INITIATOR,
         .needs = "deferral",
         .purpose = "A deferred message is sent once more when the RTR comes, with its token.",
         .preamble = "A PDC that the FEP opened.",
         .stimulus = "The FEP sends 64 bytes, deferrable, which are deferred; later an RTR with "
                     "target_restart_token 0x55, and 0 for PIDonFEP, RI and ri_generation.",
         .expected = "Nothing more of the message before the RTR, and no completion; the RTR is "
                     "accepted; the whole message from som=1 on, with both tokens; one "
                     "completion, without error.")
{
    uint64_t handle;
    fep_opens(tc);
    const struct uet_in *first = fep_is_put_off(tc, 64, &handle);
    silence(tc, "SES-147", REQUEST_ON(NULL), .within = 20 * UET_MS);
    stays_open(tc, "SES-146", handle, UET_MS);
    struct uet_out rtr = rtr_for(uet_pdc_open(tc), first, 0x55);
    accepted(tc, "SES-176", &rtr);
    const struct uet_in *again = hear_restart(tc, "SES-150", first, 0x55);
    field(tc, "SES-168", again, UET_F_SES_SOM, 1);
    field(tc, "SES-150", again, UET_F_SES_OPCODE, UET_OP_DEFERRABLE_SEND);
    field(tc, "SES-150", again, UET_F_SES_REQUEST_LENGTH, 64);
    payload_bytes(tc, "SES-150", again, 64);
    completes(tc, "ROB-032", handle, UET_UT_OK);
    not_again(tc, "ROB-032", handle);
}

/*
 * An answer with that list and modified_length defers a message of the FEP; an RTR asks for it. A
 * completion before that is a finding, for `why`.
 */
static void deferred_so(struct uet_tc *tc, uint8_t list, uint32_t modified_length, const char *why)
{
    struct uet_ut_operation op = uet_op(tc, 64);
    struct uet_ut_completion c = {0};
    fep_opens(tc);
    uet_auto_ack(tc, false);
    uint64_t handle = uet_do_deferrable_send(tc, &op);
    const struct uet_in *first = uet_expect_any_request(tc, NULL);
    struct uet_out ack = deferring_ack(first, modified_length);
    uet_ses_rsp_list_set(ack.ses, list);
    say(tc, &ack);
    uet_auto_ack(tc, true);
    if (uet_completion(tc, handle, 20 * UET_MS, &c)) {
        uet_other_reading(tc, "SES-146", "it is over, %s", why);
        return;
    }
    struct uet_out rtr = rtr_for(uet_pdc_open(tc), first, 0x55);
    accepted(tc, "SES-176", &rtr);
    hear_restart(tc, "SES-150", first, 0x55);
    completes(tc, "SES-150", handle, UET_UT_OK);
}

UET_TEST(some_bytes, .id = "ses.3.4.3.4.some-bytes-taken", .requirements = "SES-146 SES-150",
         .role = UET_ROLE_INITIATOR, .needs = "deferral", .contested = true,
         .purpose = "An answer that tells fewer bytes than the send has, but not none, defers it.",
         .preamble = "A PDC that the FEP opened.",
         .stimulus = "The FEP sends 64 bytes, deferrable; UET_RESPONSE with RC_OK, list "
                     "UET_OVERFLOW and modified_length 40; later an RTR.",
         .expected = "No completion before the RTR (one is a finding: taken for truncated); then "
                     "all of the message comes again.")
{
    deferred_so(tc, UET_LIST_OVERFLOW, 40, "as one that was truncated");
}

UET_TEST(none_expected, .id = "ses.3.4.3.4.deferral-with-list-expected",
         .requirements = "SES-146 SES-150", .role = UET_ROLE_INITIATOR, .needs = "deferral",
         .contested = true,
         .purpose = "That no bytes will be changed defers a send, whatever list is told.",
         .preamble = "A PDC that the FEP opened.",
         .stimulus = "The FEP sends 64 bytes, deferrable; UET_RESPONSE with RC_OK, list "
                     "UET_EXPECTED and modified_length 0; later an RTR.",
         .expected = "No completion before the RTR (one is a finding: a known target tells "
                     "UET_OVERFLOW); then all of the message comes again.")
{
    deferred_so(tc, UET_LIST_EXPECTED, 0, "as if list had to say UET_OVERFLOW");
}

/* It is refused, and nothing comes of it. */
static void rtr_is_refused(struct uet_tc *tc, const char *requirement, const struct uet_out *rtr)
{
    uet_check(tc, requirement, is_error_response(ask(tc, requirement, rtr)),
              "an RTR with a wrong token was accepted");
    silence(tc, requirement, REQUEST_ON(NULL), .within = 5 * UET_MS);
}

UET_TEST(unknown_token, .id = "ses.3.4.3.4.unknown-token", .requirements = "SES-151",
         .role = UET_ROLE_INITIATOR, .needs = "deferral",
         .purpose = "An RTR whose token was never given out is refused, and uses up no other.",
         .preamble = "A deferrable send of the FEP, deferred.",
         .stimulus = "RTRs whose initiator_restart_token is one more, and has another upper half; "
                     "then the right one.",
         .expected = "Both are refused, nothing is sent; then the message comes again.")
{
    uint64_t handle;
    fep_opens(tc);
    const struct uet_in *first = fep_is_put_off(tc, 64, &handle);
    struct uet_pdc *p = uet_pdc_open(tc);
    const uint32_t irt = uet_ses_req_defer_irt(uet_ses(&first->packet));
    const uint32_t wrong[] = {irt + 1, irt ^ 0x40000000};
    for (unsigned i = 0; i < 2; i++) {
        struct uet_out bad = rtr_for(p, first, 0x55);
        uet_ses_req_rtr_irt_set(bad.ses, wrong[i]);
        rtr_is_refused(tc, "SES-151", &bad);
    }
    struct uet_out rtr = rtr_for(p, first, 0x55);
    accepted(tc, "SES-151", &rtr);
    hear_restart(tc, "SES-150", first, 0x55);
    completes(tc, "SES-151", handle, UET_UT_OK);
}

UET_TEST(tokens_in_every_packet, .id = "ses.3.4.3.4.tokens-in-every-packet",
         .requirements = "SES-150 SES-143 SES-168", .role = UET_ROLE_INITIATOR,
         .needs = "deferral multi-packet-send",
         .purpose = "Each packet of a restart has both tokens; the next message has none of them.",
         .preamble = "A deferrable send of two packets, deferred; the second is on its way.",
         .stimulus = "The RTR with the token 0x77; when all is done the FEP sends 64 bytes more, "
                     "deferrable.",
         .expected =
             "Both packets of the restart with both tokens, som in the first alone; the new "
             "message with target_restart_token 0.")
{
    const uint32_t mtu = uet_tc_dut(tc)->payload_mtu;
    uint64_t handle;
    fep_opens(tc);
    const struct uet_in *first = fep_is_put_off(tc, mtu + 100, &handle);
    const struct uet_in *next = maybe(tc, REQUEST_ON(first->pdc)); /* the second, or the end */
    if (next)
        resume_acks(tc, next);
    struct uet_out rtr = rtr_for(uet_pdc_open(tc), first, 0x77);
    accepted(tc, "SES-150", &rtr);
    for (int i = 0; i < 2; i++) {
        const struct uet_in *in = hear_restart(tc, "SES-150", first, 0x77);
        bool is_first = uet_ses_message_offset(&in->packet) == 0;
        field(tc, "SES-168", in, UET_F_SES_SOM, is_first);
        payload_bytes(tc, "SES-150", in, is_first ? mtu : 100);
    }
    completes(tc, "SES-150", handle, UET_UT_OK);
    struct uet_ut_operation op = uet_op(tc, 64);
    handle = uet_do_deferrable_send(tc, &op);
    field(tc, "SES-143", hear(tc, "SES-143", REQUEST_ON(NULL)), UET_F_SES_TARGET_RESTART_TOKEN, 0);
    completes(tc, "SES-143", handle, UET_UT_OK);
}

UET_TEST(rtr_before_deferral, .id = "ses.3.4.3.4.rtr-before-the-deferral",
         .requirements = "SES-150", .role = UET_ROLE_INITIATOR, .needs = "deferral",
         .purpose = "An RTR that overtakes the response by which its message is deferred is not "
                    "forgotten.",
         .preamble = "A PDC that the FEP opened; RTO long.",
         .stimulus = "The FEP sends 64 bytes, deferrable; the RTR with target_restart_token 0x55; "
                     "behind it the response that defers the message.",
         .expected = "The whole message once more with both tokens, and one completion without "
                     "error. A FEP that refuses the RTR, as it comes too early, is skipped.")
{
    struct uet_ut_operation op = uet_op(tc, 64);
    hold_rto(tc);
    fep_opens(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    uet_auto_ack(tc, false);
    uint64_t handle = uet_do_deferrable_send(tc, &op);
    const struct uet_in *first = uet_expect_any_request(tc, NULL);
    struct uet_out rtr = rtr_for(p, first, 0x55), ack = deferring_ack(first, 0);
    if (is_error_response(ask(tc, "SES-150", &rtr)))
        uet_skip(tc, "the FEP takes no RTR for a message that is not deferred yet");
    say(tc, &ack);
    uet_auto_ack(tc, true);
    hear_restart(tc, "SES-150", first, 0x55);
    completes(tc, "SES-150", handle, UET_UT_OK);
    not_again(tc, "SES-150", handle);
}

UET_TEST(rtr_again, .id = "ses.3.4.3.4.rtr-again-while-it-restarts", .requirements = "SES-169",
         .role = UET_ROLE_INITIATOR, .needs = "deferral",
         .purpose = "An RTR that comes again while the restart is under way, or after it was "
                    "refused, brings no second message with its token.",
         .preamble = "A deferrable send of the FEP, deferred and asked for with the token 0x55.",
         .stimulus = "The same RTR as a new Request; then the restart is refused with "
                     "RC_TOO_LONG; then the same RTR once more.",
         .expected = "No further message with 0x55; the operation ends in error.")
{
    uint64_t handle;
    fep_opens(tc);
    const struct uet_in *first = fep_is_put_off(tc, 64, &handle);
    struct uet_pdc *p = uet_pdc_open(tc);
    hold_rto(tc);
    struct uet_out rtr = rtr_for(p, first, 0x55), second = rtr_for(p, first, 0x55);
    uet_auto_ack(tc, false);
    accepted(tc, "SES-150", &rtr);
    const struct uet_in *restart = hear_restart(tc, "SES-150", first, 0x55);
    whatever_comes_of(tc, &second);
    silence(tc, "SES-169", REQUEST_ON(NULL), .within = 2 * UET_MS);
    struct uet_out refusal = guaranteed_ack(restart, UET_RC_TOO_LONG);
    say(tc, &refusal);
    ends_in_error(tc, "SES-169", handle);
    struct uet_out third = rtr_for(p, first, 0x55);
    whatever_comes_of(tc, &third);
    silence(tc, "SES-169", REQUEST_ON(NULL), .within = 2 * UET_MS);
}

UET_TEST(no_match_for_deferrable, .id = "ses.3.4.3.4.no-match-again",
         .requirements = "SES-153 SES-129", .role = UET_ROLE_INITIATOR, .needs = "deferral",
         .purpose = "A deferrable send that the target has no room to defer is tried again, and "
                    "once more.",
         .preamble = "A PDC that the FEP opened; RTO long.",
         .stimulus = "The FEP sends 64 bytes, deferrable; RC_NO_MATCH, twice; then RC_OK.",
         .expected = "The message again after each, with target_restart_token 0, and one "
                     "completion without error; an error instead of a new try is a finding.")
{
    struct uet_ut_operation op = uet_op(tc, 64);
    fep_opens(tc);
    hold_rto(tc);
    uet_auto_ack(tc, false);
    uint64_t handle = uet_do_deferrable_send(tc, &op);
    const struct uet_in *in = uet_expect_any_request(tc, NULL);
    for (int i = 0; i < 2; i++) {
        struct uet_out ack = guaranteed_ack(in, UET_RC_NO_MATCH);
        say(tc, &ack);
        in = maybe(tc, MESSAGE_AGAIN, .within = 1000 * UET_MS);
        if (!in) {
            ends_in_error(tc, "SES-129", handle);
            uet_other_reading(tc, "SES-129", "the message was given up, not tried again");
            return;
        }
        field(tc, "SES-153", in, UET_F_SES_TARGET_RESTART_TOKEN, 0);
    }
    resume_acks(tc, in);
    completes(tc, "SES-129", handle, UET_UT_OK);
}

UET_TEST(begins_by_itself, .id = "ses.3.4.3.4.begins-by-itself", .requirements = "SES-143",
         .role = UET_ROLE_INITIATOR, .needs = "deferral",
         .purpose = "A deferrable send that the FEP begins anew by itself has no token of the "
                    "target's: none was given.",
         .preamble = "A PDC that the FEP opened; Deferral_Time is 20 ms.",
         .stimulus = "The FEP sends 64 bytes, deferrable, which are deferred; no RTR comes.",
         .expected = "Where the message comes again: target_restart_token 0, and one completion "
                     "without error. A FEP that waits on, or gives up, is skipped.")
{
    uint64_t handle;
    uet_set_param(tc, "Deferral_Time", 20 * UET_MS);
    fep_opens(tc);
    fep_is_put_off(tc, 64, &handle);
    const struct uet_in *anew = maybe(tc, REQUEST_ON(NULL), .within = 100 * UET_MS);
    if (!anew || !uet_is_ses_deferrable(&anew->packet))
        uet_skip(tc, "the FEP begins no deferred message anew by itself, as it may");
    field(tc, "SES-143", anew, UET_F_SES_TARGET_RESTART_TOKEN, 0);
    completes(tc, "SES-143", handle, UET_UT_OK);
    not_again(tc, "SES-143", handle);
}

UET_TEST(stale_token, .id = "ses.3.4.3.4.stale-token", .requirements = "SES-151",
         .role = UET_ROLE_INITIATOR, .needs = "deferral",
         .purpose = "The token of a message that is done names nothing any more.",
         .preamble = "A deferrable send of the FEP, deferred, asked for and done.",
         .stimulus = "An RTR with its initiator_restart_token and another token of the target's.",
         .expected = "It is refused; nothing is sent.")
{
    uint64_t handle;
    fep_opens(tc);
    const struct uet_in *first = fep_is_put_off(tc, 64, &handle);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out rtr = rtr_for(p, first, 0x55), stale;
    accepted(tc, "SES-150", &rtr);
    hear_restart(tc, "SES-150", first, 0x55);
    completes(tc, "SES-150", handle, UET_UT_OK);
    stale = rtr_for(p, first, 0x66);
    rtr_is_refused(tc, "SES-151", &stale);
}

UET_TEST(rtr_of_another_job, .id = "ses.3.4.3.4.rtr-of-another-job", .requirements = "SES-152",
         .role = UET_ROLE_INITIATOR, .needs = "deferral",
         .purpose = "An RTR with another JobID is refused, and the token is not used up.",
         .preamble = "A deferrable send of the FEP, deferred.",
         .stimulus = "The RTR with another JobID; then the right one, with the same token.",
         .expected = "RC_BAD_JOB_ID (another error is a finding), nothing is sent; then the "
                     "message comes again.")
{
    uint64_t handle;
    fep_opens(tc);
    const struct uet_in *first = fep_is_put_off(tc, 64, &handle);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out bad = rtr_for(p, first, 0x55), rtr;
    uet_ses_req_job_id_set(bad.ses, uet_ses_req_job_id(bad.ses) ^ 0x800000);
    refused_or(tc, "SES-152", &bad, UET_RC_BAD_JOB_ID, UET_RC_OP_VIOLATION, UET_RC_PERM_VIOLATION);
    silence(tc, "SES-152", REQUEST_ON(NULL), .within = 20 * UET_MS);
    rtr = rtr_for(p, first, 0x55);
    accepted(tc, "SES-152", &rtr);
    hear_restart(tc, "SES-152", first, 0x55);
    completes(tc, "SES-152", handle, UET_UT_OK);
}

UET_TEST(rtr_of_another_initiator, .id = "ses.3.4.3.4.rtr-of-another-initiator",
         .requirements = "SES-152 SES-175", .role = UET_ROLE_INITIATOR, .needs = "deferral",
         .contested = true,
         .purpose = "An RTR with another initiator ID is refused, and the token is not used up.",
         .preamble = "A deferrable send of the FEP, deferred.",
         .stimulus =
             "RTRs with another initiator ID, in its lowest and in its highest bit; if they "
             "were refused, the right one, with the same token.",
         .expected = "They are refused; then the message comes again. That it is accepted is a "
                     "finding: whose ID it is, is contested.")
{
    uint64_t handle;
    fep_opens(tc);
    const struct uet_in *first = fep_is_put_off(tc, 64, &handle);
    struct uet_pdc *p = uet_pdc_open(tc);
    static const uint32_t bits[] = {1, 1u << 31};
    bool refused_so_far = true;
    for (size_t i = 0; refused_so_far && i < 2; i++) {
        struct uet_out bad = rtr_for(p, first, 0x55);
        uet_ses_req_initiator_set(bad.ses, uet_ses_req_initiator(bad.ses) ^ bits[i]);
        refused_so_far = is_error_response(ask(tc, "SES-175", &bad));
    }
    if (refused_so_far) {
        silence(tc, "SES-152", REQUEST_ON(NULL), .within = 20 * UET_MS);
        struct uet_out rtr = rtr_for(p, first, 0x55);
        accepted(tc, "SES-152", &rtr);
    } else {
        uet_other_reading(tc, "SES-175", "an RTR with another initiator ID was accepted");
    }
    hear_restart(tc, "SES-152", first, 0x55);
    completes(tc, "SES-152", handle, UET_UT_OK);
}

/* A token has brought a restart; it comes once more, perhaps on a new PDC, and brings nothing. */
static void token_is_used_up(struct uet_tc *tc, bool elsewhere)
{
    uint64_t handle;
    fep_opens(tc);
    const struct uet_in *first = fep_is_put_off(tc, 64, &handle);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out rtr = rtr_for(p, first, 0x55);
    uet_auto_ack(tc, false);
    accepted(tc, "SES-150", &rtr);
    const struct uet_in *second = hear_restart(tc, "SES-150", first, 0x55);
    struct uet_out put_off_again = deferring_ack(second, 0);
    say(tc, &put_off_again);
    uet_auto_ack(tc, true);
    if (elsewhere)
        p = uet_pdc_open(tc);
    struct uet_out again = rtr_for(p, first, 0x55);
    whatever_comes_of(tc, &again);
    silence(tc, "SES-169", REQUEST_ON(NULL), .within = 20 * UET_MS);
    struct uet_out fresh = rtr_for(p, first, 0x66);
    accepted(tc, "SES-169", &fresh);
    hear_restart(tc, "SES-150", first, 0x66);
    completes(tc, "SES-150", handle, UET_UT_OK);
}

UET_TEST(token_of_one_restart, .id = "ses.3.4.3.4.one-restart-a-token", .requirements = "SES-169",
         .role = UET_ROLE_INITIATOR, .needs = "deferral",
         .purpose = "No second message carries a target_restart_token.",
         .preamble = "A deferrable send of the FEP, deferred and asked for with the token 0x55.",
         .stimulus = "The restart is deferred once more; then an RTR with the same token; then one "
                     "with the token 0x66.",
         .expected = "No further message with 0x55; that with 0x66 comes.")
{
    token_is_used_up(tc, false);
}

/* As a message, not as a copy of a packet. */
static const struct uet_in *comes_again(struct uet_tc *tc)
{
    return maybe(tc, MESSAGE_AGAIN, .also = is_first, .within = 1000 * UET_MS);
}

UET_TEST(token_after_an_error, .id = "ses.3.4.3.4.token-after-no-match", .requirements = "SES-169",
         .role = UET_ROLE_INITIATOR, .needs = "deferral",
         .purpose = "A restart that is refused and tried again is a second message: without the "
                    "token.",
         .preamble = "A deferrable send of the FEP, deferred and asked for with the token 0x55.",
         .stimulus = "The restart is answered with RC_NO_MATCH.",
         .expected = "Where the message comes again it has not the token 0x55; a FEP that gives it "
                     "up is as good.")
{
    uint64_t handle;
    hold_rto(tc);
    fep_opens(tc);
    const struct uet_in *first = fep_is_put_off(tc, 64, &handle);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out rtr = rtr_for(p, first, 0x55);
    uet_auto_ack(tc, false);
    accepted(tc, "SES-150", &rtr);
    const struct uet_in *second = hear_restart(tc, "SES-150", first, 0x55);
    struct uet_out none = guaranteed_ack(second, UET_RC_NO_MATCH);
    say(tc, &none);
    const struct uet_in *again = comes_again(tc);
    if (!again) {
        uet_note(tc, "SES-169", "the message does not come again");
        return;
    }
    if (!uet_is_ses_deferrable(&again->packet)) {
        uet_note(tc, "SES-169", "it comes again as a send that has no token");
        resume_acks(tc, again);
        return;
    }
    field_is_not(tc, "SES-169", again, UET_F_SES_TARGET_RESTART_TOKEN, 0x55);
    resume_acks(tc, again);
    completes(tc, "SES-110", handle, UET_UT_OK);
}

UET_TEST(token_after_another_deferral, .id = "ses.3.4.3.4.token-after-another-deferral",
         .requirements = "SES-169", .role = UET_ROLE_INITIATOR, .needs = "deferral",
         .purpose = "A restart that is deferred and that the FEP begins anew by itself is a second "
                    "message: without the token.",
         .preamble = "A deferrable send of the FEP, deferred and asked for with the token 0x55; "
                     "Deferral_Time is 400 ms.",
         .stimulus = "The restart is deferred once more; no RTR comes.",
         .expected =
             "Where the message comes again it has not the token 0x55. A FEP that waits on, "
             "or gives up, is skipped.")
{
    uint64_t handle;
    uet_set_param(tc, "Deferral_Time", 400 * UET_MS);
    fep_opens(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    const struct uet_in *first = fep_is_put_off(tc, 64, &handle);
    struct uet_out rtr = rtr_for(p, first, 0x55);
    uet_auto_ack(tc, false);
    accepted(tc, "SES-150", &rtr);
    struct uet_out put_off = deferring_ack(hear_restart(tc, "SES-150", first, 0x55), 0);
    say(tc, &put_off);
    const struct uet_in *anew = comes_again(tc);
    if (!anew || !uet_is_ses_deferrable(&anew->packet))
        uet_skip(tc, "the FEP begins no deferred message anew by itself, as it may");
    field_is_not(tc, "SES-169", anew, UET_F_SES_TARGET_RESTART_TOKEN, 0x55);
    resume_acks(tc, anew);
    completes(tc, "SES-143", handle, UET_UT_OK);
}

UET_TEST(token_on_another_pdc, .id = "ses.3.4.3.4.token-on-another-pdc", .requirements = "SES-169",
         .role = UET_ROLE_INITIATOR, .needs = "deferral",
         .purpose = "A token is used up for every PDC, not for that of its RTR alone.",
         .preamble = "A deferrable send of the FEP, deferred and asked for with the token 0x55.",
         .stimulus = "The restart is deferred once more; then an RTR with the same token on a new "
                     "PDC; then one with the token 0x66.",
         .expected = "No further message with 0x55; that with 0x66 comes.")
{
    uint64_t most; /* the FEP's own, and two of the tester */
    if (uet_dut_param(uet_tc_dut(tc), "max-pdcs", &most) && most < 3)
        uet_skip(tc, "it takes three PDCs at once, and max-pdcs is %llu", (unsigned long long)most);
    token_is_used_up(tc, true);
}

UET_TEST(older_token_stays_used, .id = "ses.3.4.3.4.older-token-stays-used",
         .requirements = "SES-169", .role = UET_ROLE_INITIATOR, .needs = "deferral",
         .purpose = "A token is used up also when another send has restarted since.",
         .preamble = "Two deferrable sends of the FEP, deferred.",
         .stimulus = "RTR of the first with the token 0x55, whose restart is deferred once more; "
                     "RTR of the second with 0x66; that of the first again with 0x55, then with "
                     "0x77.",
         .expected = "No further message with 0x55; that with 0x77 comes.")
{
    uint64_t a, b;
    fep_opens(tc);
    const struct uet_in *first = fep_is_put_off(tc, 64, &a), *other = fep_is_put_off(tc, 80, &b);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out rtr = rtr_for(p, first, 0x55);
    uet_auto_ack(tc, false);
    accepted(tc, "SES-150", &rtr);
    struct uet_out put_off_again = deferring_ack(hear_restart(tc, "SES-150", first, 0x55), 0);
    say(tc, &put_off_again);
    struct uet_out rtr_other = rtr_for(p, other, 0x66);
    accepted(tc, "SES-150", &rtr_other);
    hear_restart(tc, "SES-150", other, 0x66);
    struct uet_out again = rtr_for(p, first, 0x55);
    whatever_comes_of(tc, &again);
    silence(tc, "SES-169", REQUEST_ON(NULL), .within = 2 * UET_MS);
    uet_auto_ack(tc, true);
    struct uet_out fresh = rtr_for(p, first, 0x77);
    accepted(tc, "SES-169", &fresh);
    hear_restart(tc, "SES-150", first, 0x77);
    completes(tc, "SES-150", a, UET_UT_OK);
}

UET_TEST(token_stays_behind, .id = "ses.3.4.3.4.token-of-one-that-moves",
         .requirements = "SES-169 PDS-138", .role = UET_ROLE_INITIATOR, .needs = "deferral",
         .contested = true,
         .purpose = "A restart that has to begin anew on another PDC has used its token up.",
         .preamble =
             "A deferrable send of the FEP, deferred and asked for with the token 0x55; RTO "
             "long.",
         .stimulus = "The restart gets NACK UET_PDC_HDR_MISMATCH.",
         .expected = "Where the message comes again: target_restart_token 0 (0x55 is a finding), "
                     "and one completion without error. A FEP that gives up is skipped.")
{
    uint64_t handle;
    hold_rto(tc);
    fep_opens(tc);
    const struct uet_in *first = fep_is_put_off(tc, 64, &handle);
    struct uet_out rtr = rtr_for(uet_pdc_open(tc), first, 0x55);
    uet_auto_ack(tc, false);
    accepted(tc, "SES-150", &rtr);
    const struct uet_in *restart = hear_restart(tc, "SES-150", first, 0x55);
    restart->pdc->auto_close = false;
    struct uet_out nack = uet_nack(restart->pdc, psn_of(restart), UET_NACK_PDC_HDR_MISMATCH);
    uet_auto_ack(tc, true);
    say(tc, &nack);
    const struct uet_in *moved = maybe(tc, MESSAGE_AGAIN, .within = 1000 * UET_MS);
    if (!moved || !uet_is_ses_deferrable(&moved->packet))
        uet_skip(tc, "the FEP gives the message up");
    if (value_of(tc, moved, UET_F_SES_TARGET_RESTART_TOKEN) == 0x55)
        uet_other_reading(tc, "SES-169", "it moves to another PDC with its token");
    else
        field(tc, "SES-169", moved, UET_F_SES_TARGET_RESTART_TOKEN, 0);
    completes(tc, "PDS-138", handle, UET_UT_OK);
    not_again(tc, "SES-169", handle);
}

UET_TEST(no_token, .id = "ses.3.4.3.4.rtr-without-token", .requirements = "SES-170 SES-150",
         .role = UET_ROLE_INITIATOR, .needs = "deferral",
         .purpose = "A target that gives out no tokens is served, too.",
         .preamble = "A deferrable send of the FEP, deferred.",
         .stimulus = "An RTR with target_restart_token 0.",
         .expected = "The message comes again, and is done.")
{
    uint64_t handle;
    fep_opens(tc);
    const struct uet_in *first = fep_is_put_off(tc, 64, &handle);
    struct uet_out rtr = rtr_for(uet_pdc_open(tc), first, 0);
    accepted(tc, "SES-170", &rtr);
    hear_restart(tc, "SES-150", first, 0);
    completes(tc, "SES-150", handle, UET_UT_OK);
}

UET_TEST(second_asked_first, .id = "ses.3.4.3.4.second-asked-first",
         .requirements = "SES-150 SES-151", .role = UET_ROLE_INITIATOR, .needs = "deferral",
         .purpose = "The token of an RTR says which of two deferred messages begins again.",
         .preamble = "Two deferrable sends of the FEP, of 64 and 80 bytes, deferred.",
         .stimulus = "An RTR for the second; when it is done one for the first.",
         .expected = "The second message, then the first, each with its length and its tokens.")
{
    uint64_t handle[2];
    const struct uet_in *in[2];
    fep_opens(tc);
    in[0] = fep_is_put_off(tc, 64, &handle[0]);
    in[1] = fep_is_put_off(tc, 80, &handle[1]);
    struct uet_pdc *p = uet_pdc_open(tc);
    for (int i = 1; i >= 0; i--) {
        struct uet_out rtr = rtr_for(p, in[i], 0x50 + (uint32_t)i);
        accepted(tc, "SES-150", &rtr);
        const struct uet_in *again = hear_restart(tc, "SES-150", in[i], 0x50 + (uint32_t)i);
        payload_bytes(tc, "SES-150", again, i ? 80 : 64);
        completes(tc, "SES-150", handle[i], UET_UT_OK);
    }
}

/* The bytes of a packet are those of the message from `base` on. */
static void carries_from(struct uet_tc *tc, const struct uet_in *in, const uint8_t *bytes,
                         uint32_t base, uint32_t n)
{
    const struct uet_packet *p = &in->packet;
    uint32_t at = uet_ses_req_som(uet_ses(p)) ? 0 : uet_ses_req_std_message_offset(uet_ses(p));

    uet_look_at(tc, in);
    uet_check(tc, "SES-170",
              at + p->payload_len <= n - base &&
                  memcmp(p->frame + p->payload_offset, bytes + base + at, p->payload_len) == 0,
              "%u bytes at offset %u of the restart are not those of the message from %u on",
              p->payload_len, at, base);
}

/*
 * The FEP sends these bytes, deferrable: the first packet is deferred, and all that came with it
 * acknowledged. The first.
 */
static const struct uet_in *whole_is_put_off(struct uet_tc *tc, const uint8_t *bytes, uint32_t n,
                                             uint64_t *handle)
{
    struct uet_ut_operation op = uet_op(tc, n);

    op.data = bytes;
    fep_opens(tc);
    uet_auto_ack(tc, false);
    *handle = uet_do_deferrable_send(tc, &op);
    const struct uet_in *first = uet_expect_any_request(tc, NULL), *last = first, *in;
    while ((in = uet_next_request(tc, first->pdc)))
        last = in;
    struct uet_out ack = deferring_ack(first, 0);
    say(tc, &ack);
    if (last != first)
        acknowledge(tc, first->pdc, last);
    uet_auto_ack(tc, true);
    uet_wait(tc, uet_tc_latest(tc, UET_MS));
    uet_forget_settled(tc);
    return first;
}

UET_TEST(captured_already, .id = "ses.3.4.3.4.rtr-with-buffer-offset", .requirements = "SES-170",
         .role = UET_ROLE_INITIATOR, .needs = "deferral multi-packet-send", .contested = true,
         .purpose = "What a restart brings when the target has captured a part is the message.",
         .preamble = "A deferrable send of three packets, deferred.",
         .stimulus = "An RTR with buffer_offset of one payload MTU.",
         .expected = "All of the message once more, or the rest of it from there on: the bytes of "
                     "each packet stand at their place, and all come.")
{
    const uint32_t mtu = uet_tc_dut(tc)->payload_mtu, n = 2 * mtu + 100;
    const uint8_t *bytes = uet_tc_bytes(tc, n);
    uint64_t handle;
    const struct uet_in *first = whole_is_put_off(tc, bytes, n, &handle);
    struct uet_out rtr = rtr_for(uet_pdc_open(tc), first, 0x55);
    uet_ses_req_buffer_offset_set(rtr.ses, mtu);
    accepted(tc, "SES-170", &rtr);
    const struct uet_in *in = hear_restart(tc, "SES-150", first, 0x55);
    const uint32_t length = (uint32_t)value_of(tc, in, UET_F_SES_REQUEST_LENGTH);
    uint32_t base = length == n ? 0 : mtu, came = 0;
    uet_check(tc, "SES-170", length == n - base, "%u bytes come of %u, captured %u", length, n,
              mtu);
    for (; in; in = came < length ? hear(tc, "SES-170", REQUEST_ON(in->pdc)) : NULL) {
        carries_from(tc, in, bytes, base, n);
        came += in->packet.payload_len;
    }
    completes(tc, "SES-170", handle, UET_UT_OK);
}
