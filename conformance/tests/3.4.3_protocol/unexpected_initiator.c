/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.4.3.6.2.2: the FEP sends, and the tester keeps it as unexpected. */
#include "conformance/harness/steps/acks.h"
#include "conformance/tests/pds.h"

#define MORE 8

/* The ACK names one of them, and CACK_PSN stays before the first. */
static void keep_cack_before(struct uet_out *ack, const struct uet_in *first,
                             const struct uet_in *in)
{
    uet_ack_cack_psn_set(ack->pds, psn_of(first) - 1);
    uet_ack_ack_psn_offset_set(ack->pds, (int16_t)(psn_of(in) - psn_of(first) + 1));
}

/* An ACK that does so, with this SES response. */
static struct uet_out ack_before(const struct uet_in *first, const struct uet_in *in,
                                 uint8_t opcode, uint8_t return_code)
{
    struct uet_out ack = opcode == UET_RSP_RESPONSE ? guaranteed_ack(in, return_code)
                                                    : naming_ack(in, opcode, return_code);

    keep_cack_before(&ack, first, in);
    return ack;
}

/*
 * The FEP has sent one more: it is done. On the PDC of the first, which is in progress, it has
 * another message_id, and CACK_PSN stays before the first.
 */
static void next_has_its_own_id(struct uet_tc *tc, const struct uet_in *first)
{
    const struct uet_in *next = uet_next_request(tc, NULL);

    if (!next)
        uet_skip(tc, "the FEP sends nothing more now");
    const bool beside = next->pdc == first->pdc;
    if (beside && uet_is_ses_std(&next->packet))
        field_is_not(tc, "SES-033", next, UET_F_SES_MESSAGE_ID, uet_ses_message_id(&first->packet));
    struct uet_out ack = naming_ack(next, UET_RSP_RESPONSE, UET_RC_OK);
    if (beside)
        keep_cack_before(&ack, first, next);
    say(tc, &ack);
}

UET_TEST(promised_keeps_its_id, .id = "ses.3.4.1.14.promised-keeps-its-id",
         .requirements = "SES-033", .role = UET_ROLE_INITIATOR, .needs = "send",
         .purpose =
             "A message that was answered with UET_NO_RESPONSE is in progress, and keeps its "
             "message_id.",
         .preamble = "The FEP sends 64 bytes to the tester.",
         .stimulus = "An ACK with UET_NO_RESPONSE and CACK_PSN before it; the FEP sends 8 times "
                     "more; then the answer to the first, guaranteed.",
         .expected = "None of the others on this PDC has the message_id of the first, which ends "
                     "with its answer.")
{
    struct uet_ut_operation op = uet_op(tc, 64);
    uet_auto_ack(tc, false);
    uint64_t first = uet_do_send(tc, &op), other;
    const struct uet_in *in;
    uet_accept(tc, &in);
    if (!uet_is_ses_std(&in->packet))
        uet_skip(tc, "the FEP uses headers without a message_id");
    struct uet_out arrived = naming_ack(in, UET_RSP_NO_RESPONSE, UET_RC_NULL);
    say(tc, &arrived);
    for (int i = 0; i < MORE && uet_ut_send(uet_tc_ut(tc), &op, &other) == 0; i++)
        next_has_its_own_id(tc, in);
    stays_open(tc, "SES-110", first, UET_MS);
    struct uet_out answer = guaranteed_ack(in, UET_RC_OK);
    uet_ses_rsp_modified_length_set(answer.ses, 64);
    say(tc, &answer);
    completes(tc, "SES-110", first, UET_UT_OK);
    resume_acks(tc, in);
}

UET_TEST(answer_behind_cack, .id = "ses.3.4.8.3.answer-behind-cack", .requirements = "SES-110",
         .role = UET_ROLE_INITIATOR, .not_over = "own", .needs = "send",
         .purpose = "The answer that was promised ends the message also when a CACK_PSN has "
                    "covered its packet before.",
         .preamble = "The FEP sends 64 bytes to the tester.",
         .stimulus = "An ACK with UET_NO_RESPONSE and CACK_PSN before it; the FEP sends again; an "
                     "ACK of that one, whose CACK_PSN covers both; then the answer to the first.",
         .expected = "Both messages complete; the FEP serves as before. A FEP that sends the "
                     "second on another PDC, or waits, is skipped.")
{
    struct uet_ut_operation op = uet_op(tc, 64);
    uet_auto_ack(tc, false);
    uint64_t first = uet_do_send(tc, &op);
    const struct uet_in *in;
    struct uet_pdc *p = uet_accept(tc, &in);
    struct uet_out arrived = naming_ack(in, UET_RSP_NO_RESPONSE, UET_RC_NULL);
    say(tc, &arrived);
    uint64_t second = uet_do_send(tc, &op);
    const struct uet_in *next = maybe(tc, REQUEST_ON(p));
    if (!next)
        uet_skip(tc, "the FEP sends nothing more on this PDC now");
    struct uet_out both = ack_at(next, psn_of(next), psn_of(next));
    say(tc, &both);
    uet_wait(tc, UET_MS);
    struct uet_out answer = uet_ack_with(p, in, UET_RSP_RESPONSE, UET_LIST_OVERFLOW, UET_RC_OK);
    uet_ack_cack_psn_set(answer.pds, psn_of(next));
    uet_ack_ack_psn_offset_set(answer.pds, (int16_t)uet_psn_diff(psn_of(in), psn_of(next)));
    uet_ses_rsp_modified_length_set(answer.ses, 64);
    say(tc, &answer);
    completes(tc, "SES-110", first, UET_UT_OK);
    completes(tc, "SES-110", second, UET_UT_OK);
    resume_acks(tc, next);
}

UET_TEST(promise_is_no_clear, .id = "pds.3.5.11.4.4.clear-waits-for-the-answer",
         .requirements = "PDS-070 SES-110", .role = UET_ROLE_INITIATOR,
         .purpose = "What is answered with UET_NO_RESPONSE is not cleared before its answer came.",
         .preamble = "The FEP writes 64 bytes to the tester.",
         .stimulus = "An ACK with UET_NO_RESPONSE and CACK_PSN before it; the FEP writes again; "
                     "then the answer to the first, guaranteed.",
         .expected = "The second Request has a CLEAR_PSN before the first. The first ends with its "
                     "answer, not before. A FEP that sends the second on another PDC, or waits, "
                     "is skipped.")
{
    struct uet_pdc *p;
    uint64_t first;
    uet_auto_ack(tc, false);
    const struct uet_in *in = fep_writes(tc, 64, &p, &first);
    struct uet_out arrived = naming_ack(in, UET_RSP_NO_RESPONSE, UET_RC_NULL);
    say(tc, &arrived);
    struct uet_ut_operation more = uet_op(tc, 64);
    uint64_t second = uet_do_write(tc, &more);
    const struct uet_in *next = maybe(tc, REQUEST_ON(p));
    if (!next)
        uet_skip(tc, "the FEP sends nothing more on this PDC now");
    uet_check(tc, "PDS-070", uet_psn_diff(uet_clear_psn(&next->packet), psn_of(in)) < 0,
              "CLEAR_PSN covers a PSN whose answer has not come");
    stays_open(tc, "SES-110", first, UET_MS);
    struct uet_out answer = guaranteed_ack(in, UET_RC_OK);
    uet_ses_rsp_list_set(answer.ses, UET_LIST_OVERFLOW);
    uet_ses_rsp_modified_length_set(answer.ses, 64);
    say(tc, &answer);
    completes(tc, "SES-110", first, UET_UT_OK);
    resume_acks(tc, next);
    completes(tc, "SES-110", second, UET_UT_OK);
}

/* Two SENDs of the FEP on one PDC, their packets in in, which the tester does not acknowledge by
 * itself. */
static struct uet_pdc *send_twice(struct uet_tc *tc, const struct uet_in *in[2],
                                  uint64_t handles[2])
{
    struct uet_ut_operation op = uet_op(tc, 64);

    hold_rto(tc);
    uet_auto_ack(tc, false);
    handles[0] = uet_do_send(tc, &op);
    struct uet_pdc *p = uet_accept(tc, &in[0]);
    handles[1] = uet_do_send(tc, &op);
    in[1] = uet_next_request(tc, p);
    if (!in[1] || !uet_is_ses_std(&in[1]->packet))
        uet_skip(tc, "the FEP does not send the second on this PDC now, with a message_id");
    return p;
}

UET_TEST(late_answers_apart, .id = "ses.3.4.8.3.late-answers-apart", .requirements = "SES-110",
         .role = UET_ROLE_INITIATOR, .not_over = "own", .needs = "send",
         .purpose = "An answer that comes after UET_NO_RESPONSE ends the message that it names.",
         .preamble = "The FEP sends 64 bytes to the tester, twice on one PDC.",
         .stimulus = "ACKs of both with UET_NO_RESPONSE, and CACK_PSN before the first; then the "
                     "answer to the second, RC_OP_VIOLATION; then that to the first, RC_OK.",
         .expected = "The second ends in error while the first is open; then the first ends well.")
{
    const struct uet_in *in[2];
    uint64_t handles[2];
    send_twice(tc, in, handles);
    for (int i = 0; i < 2; i++) {
        struct uet_out arrived = ack_before(in[0], in[i], UET_RSP_NO_RESPONSE, UET_RC_NULL);
        say(tc, &arrived);
    }
    stays_open(tc, "SES-110", handles[1], UET_MS);
    struct uet_out error = ack_before(in[0], in[1], UET_RSP_RESPONSE, UET_RC_OP_VIOLATION);
    say(tc, &error);
    ends_in_error(tc, "SES-110", handles[1]);
    stays_open(tc, "SES-110", handles[0], UET_MS);
    struct uet_out answer = ack_before(in[0], in[0], UET_RSP_RESPONSE, UET_RC_OK);
    uet_ses_rsp_modified_length_set(answer.ses, 64);
    say(tc, &answer);
    completes(tc, "SES-110", handles[0], UET_UT_OK);
    resume_acks(tc, in[1]);
}

/* Answers the message that it names, behind a CACK_PSN that covers it. */
static void answers_behind(struct uet_tc *tc, const struct uet_in *in, uint32_t cack, uint8_t code)
{
    struct uet_out answer = uet_ack_with(in->pdc, in, UET_RSP_RESPONSE, UET_LIST_EXPECTED, code);

    uet_ack_req_set(answer.pds, UET_ACK_REQ_CLEAR);
    uet_ack_cack_psn_set(answer.pds, cack);
    uet_ack_ack_psn_offset_set(answer.pds, (int16_t)uet_psn_diff(psn_of(in), cack));
    uet_ses_rsp_modified_length_set(answer.ses, code == UET_RC_OK ? 64 : 0);
    say(tc, &answer);
}

UET_TEST(late_answers_behind, .id = "ses.3.4.8.3.late-answers-apart-behind-cack",
         .requirements = "SES-110", .role = UET_ROLE_INITIATOR, .not_over = "own", .needs = "send",
         .purpose = "An answer that comes after CACK_PSN has covered its packet ends the message "
                    "that it names.",
         .preamble = "The FEP sends 64 bytes to the tester, twice on one PDC.",
         .stimulus =
             "ACKs of both with UET_NO_RESPONSE, the second with a CACK_PSN that covers "
             "both; then the answer to the second, RC_OP_VIOLATION; then that to the first, "
             "RC_OK.",
         .expected = "The second ends in error, the first well: by its answer, or before, for "
                     "CACK_PSN tells a success, too (PDS-110).")
{
    const struct uet_in *in[2];
    uint64_t handles[2];
    struct uet_pdc *p = send_twice(tc, in, handles);
    struct uet_out one = ack_before(in[0], in[0], UET_RSP_NO_RESPONSE, UET_RC_NULL);
    say(tc, &one);
    struct uet_out two =
        uet_ack_with(p, in[1], UET_RSP_NO_RESPONSE, UET_LIST_EXPECTED, UET_RC_NULL);
    uet_ack_cack_psn_set(two.pds, psn_of(in[1]));
    uet_ack_ack_psn_offset_set(two.pds, 0);
    say(tc, &two);
    answers_behind(tc, in[1], psn_of(in[1]), UET_RC_OP_VIOLATION);
    ends_in_error(tc, "SES-110", handles[1]);
    answers_behind(tc, in[0], psn_of(in[1]), UET_RC_OK);
    completes(tc, "SES-110", handles[0], UET_UT_OK);
}
