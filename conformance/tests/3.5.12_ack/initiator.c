/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.12, 3.5.16: how a source takes ACKs, SACKs and clears. */
#include "conformance/harness/steps/acks.h"
#include "conformance/harness/steps/target.h"
#include "conformance/tests/pds.h"

UET_TEST(error_of_one_only, .id = "pds.3.5.20.2.3.error-of-one-only", .requirements = "PDS-110",
         .role = UET_ROLE_INITIATOR,
         .purpose = "An error response is of its ACK_PSN; what CACK_PSN covers has succeeded.",
         .preamble = "A PDC that the FEP opened; RTO long.",
         .stimulus = "The FEP writes 16 bytes twice; one ACK with an error response for the "
                     "second packet, CACK_PSN the first.",
         .expected = "The first write ends well, the second in error.")
{
    uint64_t first, second;
    hold_rto(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    fep_writes_unanswered(tc, &pdc, &first);
    struct uet_out ack = guaranteed_ack(fep_writes_behind(tc, pdc, &second), UET_RC_BAD_MKEY);
    say(tc, &ack);
    uet_auto_ack(tc, true);
    completes(tc, "PDS-110", first, UET_UT_OK);
    ends_in_error(tc, "PDS-110", second);
}

/* The FEP writes 16 bytes, and the answer is an error that wants a clear; the packet. */
static const struct uet_in *answered_with_error(struct uet_tc *tc)
{
    struct uet_pdc *pdc = fep_opens(tc);
    const struct uet_in *in = fep_writes_unanswered(tc, &pdc, NULL);
    struct uet_out ack = guaranteed_ack(in, UET_RC_BAD_MKEY);

    say(tc, &ack);
    return in;
}

/* A Clear Command for that packet, not an older one; or the Close Command, which clears it too. */
static bool clears(const struct uet_in *in, const void *ctx)
{
    const uint8_t *h = uet_pds(&in->packet);

    if (uet_cp_ctl_type(h) == UET_CTL_CLOSE_COMMAND)
        return true;
    return uet_cp_ctl_type(h) == UET_CTL_CLEAR_COMMAND &&
           uet_psn_diff(uet_cp_payload_value(h), psn_of(ctx)) >= 0;
}

#define CLEAR_OF(in)                                                                               \
    .kind = UET_WANT_CP, .pdc = (in)->pdc, .also = clears, .ctx = (in), .named = "Clear Command"

UET_TEST(
    bare_ack_covers, .id = "pds.3.5.20.2.3.bare-ack-covers", .requirements = "PDS-110",
    .role = UET_ROLE_INITIATOR,
    .purpose = "CACK_PSN of an ACK counts for what it covers, with no response of its own.",
    .preamble = "A PDC that the FEP opened; two WRITEs of one packet on it, not acknowledged.",
    .stimulus = "An ACK with a default response; CACK_PSN and ACK_PSN are those of the second.",
    .expected = "Both complete as successes.")
{
    hold_rto(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    uint64_t first, second;
    fep_writes_unanswered(tc, &pdc, &first);
    const struct uet_in *in = fep_writes_behind(tc, pdc, &second);
    struct uet_out ack = uet_ack(pdc, in);
    say(tc, &ack);
    completes(tc, "PDS-110", first, UET_UT_OK);
    completes(tc, "PDS-110", second, UET_UT_OK);
    uet_auto_ack(tc, true);
}

UET_TEST(clear_command_when_idle, .id = "pds.3.5.16.3.1.clear-command-when-idle",
         .requirements = "PDS-080 PDS-082 PDS-094", .role = UET_ROLE_INITIATOR,
         .not_over = "draining", /* the Close Command clears, too (PDS-204) */
         .purpose = "REQ_CLEAR with nothing left to send makes the initiator send a Clear Command.",
         .preamble = "A PDC that the FEP opened.",
         .stimulus = "The FEP writes 16 bytes; answer with an error response and req=REQ_CLEAR.",
         .expected = "Clear Command: psn 0, ar 0, payload = that PSN.")
{
    const struct uet_in *in = answered_with_error(tc), *clear = hear(tc, "PDS-080", CLEAR_OF(in));
    if (value_of(tc, clear, UET_F_PDS_CTL_TYPE) == UET_CTL_CLOSE_COMMAND) {
        uet_note(tc, "PDS-080", "the FEP closes the PDC, which clears all (3.5.8.3)");
        return;
    }
    field(tc, "PDS-094", clear, UET_F_PDS_PAYLOAD, psn_of(in));
    field(tc, "PDS-082", clear, UET_F_PDS_PSN, 0);
    field(tc, "PDS-082", clear, UET_F_PDS_AR, 0);
    field(tc, "PDS-082", clear, UET_F_PDS_RETX, 0);
}

/* n times the FEP writes 16 bytes, and the answer is an error that wants a clear: one comes. */
static void cleared_each_time(struct uet_tc *tc, int n, bool ack_cc)
{
    struct uet_pdc *pdc = fep_opens(tc);

    for (int i = 0; i < n; i++) {
        const struct uet_in *in = fep_writes_unanswered(tc, &pdc, NULL);
        pdc->ack_cc = ack_cc;
        struct uet_out ack = guaranteed_ack(in, UET_RC_BAD_MKEY);
        say(tc, &ack);
        hear(tc, "PDS-080", CLEAR_OF(in));
        uet_forget_settled(tc);
    }
}

UET_TEST(clear_command_each_time, .id = "pds.3.5.16.3.1.clear-command-each-time",
         .requirements = "PDS-080", .role = UET_ROLE_INITIATOR, .not_over = "draining",
         .purpose = "REQ_CLEAR is obeyed as often as it comes.",
         .preamble = "A PDC that the FEP opened.",
         .stimulus =
             "Three times the FEP writes 16 bytes, and the answer is an error response with "
             "req=REQ_CLEAR.",
         .expected = "A Clear Command that covers that PSN each time.")
{
    cleared_each_time(tc, 3, false);
}

UET_TEST(clear_asked_in_ack_cc, .id = "pds.3.5.16.3.1.clear-asked-in-ack-cc",
         .requirements = "PDS-080", .role = UET_ROLE_INITIATOR, .needs = "ack-cc",
         .purpose = "REQ_CLEAR of an ACK_CC is that of an ACK.",
         .preamble = "A PDC that the FEP opened.",
         .stimulus = "The FEP writes 16 bytes; an ACK_CC with an error response and req=REQ_CLEAR.",
         .expected = "A Clear Command that covers that PSN.")
{
    cleared_each_time(tc, 1, true);
}

UET_TEST(clear_command_rod, .id = "pds.3.5.16.3.1.clear-command-on-rod", .requirements = "PDS-080",
         .role = UET_ROLE_INITIATOR, .needs = "rod", .not_over = "used after-read aged",
         .purpose = "REQ_CLEAR brings a Clear Command on a ROD PDC, too.", .preamble = "None.",
         .stimulus = "The FEP writes 16 bytes over ROD; an error response with req=REQ_CLEAR.",
         .expected = "A Clear Command that covers that PSN.")
{
    struct uet_ut_operation op = uet_op(tc, 16);
    op.mode = UET_UT_MODE_ROD;
    uet_auto_ack(tc, false);
    uet_do_write(tc, &op);
    const struct uet_in *in = uet_expect_any_request(tc, NULL);
    struct uet_out ack = guaranteed_ack(in, UET_RC_BAD_MKEY);
    say(tc, &ack);
    hear(tc, "PDS-080", CLEAR_OF(in));
}

UET_TEST(clear_when_idle_later, .id = "pds.3.5.16.3.1.clear-command-when-idle-later",
         .requirements = "PDS-080", .role = UET_ROLE_INITIATOR, .not_over = "all",
         .purpose = "What is on its way when REQ_CLEAR comes carries no CLEAR_PSN for it.",
         .preamble = "A PDC that the FEP opened; RTO long.",
         .stimulus = "The FEP writes twice on one PDC; an error response for the first with "
                     "req=REQ_CLEAR, then an ACK of the second, whose CACK_PSN is before both.",
         .expected = "A Clear Command for the first PSN.")
{
    hold_rto(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    uint64_t second;
    const struct uet_in *in = fep_writes_unanswered(tc, &pdc, NULL);
    const struct uet_in *behind = fep_writes_behind(tc, pdc, &second);
    struct uet_out error = guaranteed_ack(in, UET_RC_BAD_MKEY);
    say(tc, &error);
    struct uet_out ack = ack_at(behind, psn_of(in) - 1, psn_of(behind));
    say(tc, &ack);
    hear(tc, "PDS-080", CLEAR_OF(in));
}

UET_TEST(clear_behind_a_gap, .id = "pds.3.5.16.3.1.clear-command-behind-a-gap",
         .requirements = "PDS-080 PDS-085", .role = UET_ROLE_INITIATOR, .not_over = "all",
         .contested = true, /* what is sent at once covers nothing new, and yet is a clear */
         .purpose = "REQ_CLEAR for a packet behind one that is not acknowledged yet is obeyed when "
                    "that one is.",
         .preamble = "A PDC that the FEP opened; RTO long.",
         .stimulus = "The FEP writes twice on one PDC; an error response for the second with "
                     "req=REQ_CLEAR, whose CACK_PSN is before both; then an ACK of the first.",
         .expected = "A Clear Command for the second PSN. That it needs a Clear Request is a "
                     "finding.")
{
    hold_rto(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    uint64_t second;
    const struct uet_in *in = fep_writes_unanswered(tc, &pdc, NULL);
    const struct uet_in *behind = fep_writes_behind(tc, pdc, &second);
    struct uet_out error = guaranteed_ack(behind, UET_RC_BAD_MKEY),
                   ack = ack_at(in, psn_of(in), psn_of(in)),
                   asks = uet_cp(pdc, UET_CTL_CLEAR_REQUEST);
    uet_ack_cack_psn_set(error.pds, psn_of(in) - 1);
    uet_ack_ack_psn_offset_set(error.pds, (int16_t)(uet_psn_diff(psn_of(behind), psn_of(in)) + 1));
    say(tc, &error);
    say(tc, &ack);
    if (maybe(tc, CLEAR_OF(behind)))
        return;
    uet_cp_payload_value_set(asks.pds, psn_of(behind));
    say(tc, &asks);
    hear(tc, "PDS-085", CLEAR_OF(behind));
    uet_other_reading(tc, "PDS-080", "REQ_CLEAR is forgotten where nothing can be cleared yet");
}

UET_TEST(clear_while_draining, .id = "pds.3.5.16.3.1.clear-command-while-draining",
         .requirements = "PDS-080 PDS-085", .role = UET_ROLE_INITIATOR, .not_over = "all",
         .contested = true,
         .purpose = "An initiator that drains clears what its target asks for: the Close Command, "
                    "which would do so, may be far away.",
         .preamble = "A PDC that the FEP opened; RTO long; two WRITEs of one packet on it.",
         .stimulus = "A Close Request; an error response for the first with req=REQ_CLEAR; a Clear "
                     "Request; then the ACK of the second.",
         .expected =
             "A Clear Command for the first PSN by each, before that ACK. A FEP that leaves "
             "the clear to its Close Command is a finding.")
{
    hold_rto(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    uint64_t second;
    const struct uet_in *in = fep_writes_unanswered(tc, &pdc, NULL);
    const struct uet_in *behind = fep_writes_behind(tc, pdc, &second);
    struct uet_out request = uet_cp(pdc, UET_CTL_CLOSE_REQUEST);
    say(tc, &request);
    hear(tc, "PDS-208", ACK_OF(&request));
    struct uet_out error = guaranteed_ack(in, UET_RC_BAD_MKEY);
    say(tc, &error);
    const bool by_error = maybe(tc, CLEAR_OF(in));
    struct uet_out asks = uet_cp(pdc, UET_CTL_CLEAR_REQUEST);
    uet_cp_payload_value_set(asks.pds, psn_of(in));
    say(tc, &asks);
    const bool by_request = maybe(tc, CLEAR_OF(in));
    resume_acks(tc, behind);
    if (by_error && by_request)
        return;
    hear(tc, "PDS-080", CLEAR_OF(in)); /* by its Close Command at the latest (PDS-204) */
    uet_other_reading(tc, by_error ? "PDS-085" : "PDS-080", "nothing is cleared while it drains");
}

UET_TEST(clear_request_answered, .id = "pds.3.5.16.3.clear-request-answered",
         .requirements = "PDS-085", .role = UET_ROLE_INITIATOR,
         .purpose = "A Clear Request is answered with a Clear Command or by the next Request.",
         .preamble = "A PDC that the FEP opened; an error response was cleared, and the Clear "
                     "Command is taken as lost.",
         .stimulus = "Send a Clear Request for that PSN.",
         .expected = "A Clear Command that covers it.")
{
    const struct uet_in *in = answered_with_error(tc);
    hear(tc, "PDS-080", CLEAR_OF(in));
    uet_forget_settled(tc);
    struct uet_out request = uet_cp(in->pdc, UET_CTL_CLEAR_REQUEST);
    uet_cp_payload_value_set(request.pds, psn_of(in));
    say(tc, &request);
    hear(tc, "PDS-085", CLEAR_OF(in));
}

UET_TEST(clear_request_behind, .id = "pds.3.5.16.3.clear-request-behind",
         .requirements = "PDS-082 PDS-085", .role = UET_ROLE_INITIATOR, .contested = true,
         .purpose = "What answers a Clear Request is the initiator's own CLEAR_PSN, not the PSN "
                    "that was asked for.",
         .preamble = "A PDC that the FEP opened; an error response to n was cleared, and the Clear "
                     "Command is taken as lost.",
         .stimulus = "Send a Clear Request for n - 1, a PSN of that PDC.",
         .expected = "A Clear Command that covers n. That none comes is a finding.")
{
    const struct uet_in *in = answered_with_error(tc);
    hear(tc, "PDS-080", CLEAR_OF(in));
    uet_forget_settled(tc);
    if (in->pdc->start_psn == psn_of(in))
        uet_skip(tc, "the FEP opened a PDC for it: there is no PSN before that one");
    struct uet_out request = uet_cp(in->pdc, UET_CTL_CLEAR_REQUEST);
    uet_cp_payload_value_set(request.pds, psn_of(in) - 1);
    say(tc, &request);
    const struct uet_in *cp =
        maybe(tc, CP_ON(in->pdc, UET_CTL_CLEAR_COMMAND, UET_CTL_CLOSE_COMMAND));
    if (cp)
        uet_check(tc, "PDS-082", clears(cp, in),
                  "the Clear Command names the PSN that was asked for");
    else
        uet_other_reading(tc, "PDS-085", "a Clear Request for what is cleared is not answered");
}

UET_TEST(clear_request_unannounced, .id = "pds.3.5.16.3.clear-request-unannounced",
         .requirements = "PDS-085", .role = UET_ROLE_INITIATOR,
         .purpose = "A Clear Request is answered, whether an ACK asked for the clear before or "
                    "not: that ACK may be lost.",
         .preamble = "A PDC that the FEP opened; an ACK with req 0 names a packet of it, and its "
                     "CACK_PSN waits before that.",
         .stimulus = "A Clear Request for that packet.",
         .expected = "A Clear Command that covers it.")
{
    struct uet_pdc *pdc = fep_opens(tc);
    uint64_t handle;
    const struct uet_in *in = fep_writes_unanswered(tc, &pdc, &handle);
    struct uet_out ack = naming_ack(in, UET_RSP_RESPONSE, UET_RC_OK);
    say(tc, &ack);
    completion_of(tc, "PDS-085", handle);
    uet_forget_settled(tc);
    struct uet_out request = uet_cp(pdc, UET_CTL_CLEAR_REQUEST);
    uet_cp_payload_value_set(request.pds, psn_of(in));
    say(tc, &request);
    hear(tc, "PDS-085", CLEAR_OF(in));
    uet_auto_ack(tc, true);
}

UET_TEST(clear_request_ahead, .id = "pds.3.5.16.3.clear-request-ahead",
         .requirements = "PDS-085 PDS-070", .role = UET_ROLE_INITIATOR,
         .purpose = "A Clear Request makes nobody clear what has not been answered.",
         .preamble = "A PDC that the FEP opened; a packet of it, n, is not acknowledged; RTO long.",
         .stimulus = "A Clear Request for n; then the FEP writes another packet.",
         .expected = "CLEAR_PSN of a Clear Command, and of the packet, stays below n.")
{
    hold_rto(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    uint64_t handle, behind;
    const struct uet_in *in = fep_writes_unanswered(tc, &pdc, &handle);
    struct uet_out request = uet_cp(pdc, UET_CTL_CLEAR_REQUEST);
    uet_cp_payload_value_set(request.pds, psn_of(in));
    say(tc, &request);
    const struct uet_in *cp = maybe(tc, CP_ON(pdc, UET_CTL_CLEAR_COMMAND));
    if (cp)
        uet_check(tc, "PDS-070",
                  uet_psn_diff(uet_cp_payload_value(uet_pds(&cp->packet)), psn_of(in)) < 0,
                  "the Clear Command covers a PSN that was never answered");
    const struct uet_in *next = fep_writes_behind(tc, pdc, &behind);
    field_at_most(tc, "PDS-070", next, UET_F_PDS_CLEAR_PSN, psn_of(in) - 1);
    resume_acks(tc, next);
}

/* A Clear Command came again: PDS_Clear_Time may bring it (PDS-231), and not earlier. */
static void by_clear_time(struct uet_tc *tc, const struct uet_in *first, const struct uet_in *again)
{
    uint64_t gap = again->time_ns - first->time_ns, clear_time = 0;
    bool known = uet_tc_told(tc, "PDS_Clear_Time", &clear_time);

    uet_check(tc, "PDS-082", !known || (clear_time > 0 && gap >= clear_time / 2),
              "a Clear Command came again after %.3f ms: PDS_Clear_Time, %.3f ms, did not bring it",
              (double)gap / 1e6, (double)clear_time / 1e6);
    uet_other_reading(tc, "PDS-082", "a Clear Command came again: by PDS_Clear_Time?");
}

UET_TEST(clear_command_not_repeated, .id = "pds.3.5.16.3.1.clear-command-not-repeated",
         .requirements = "PDS-082", .role = UET_ROLE_INITIATOR, .not_over = "draining",
         .purpose = "A Clear Command is not tracked: it is not retransmitted.",
         .preamble = "A PDC that the FEP opened; a Clear Command was provoked.",
         .stimulus = "Say nothing for several RTOs.",
         .expected = "No second Clear Command; one by PDS_Clear_Time (PDS-231) is a finding.")
{
    const struct uet_in *in = answered_with_error(tc), *first = hear(tc, "PDS-080", CLEAR_OF(in));
    const struct uet_in *again =
        maybe(tc, CP_ON(in->pdc, UET_CTL_CLEAR_COMMAND), .within = 2 * one_rto(tc));
    if (again) /* that it says retx=0 is for the rules to see */
        by_clear_time(tc, first, again);
}

UET_TEST(clear_command_by_time, .id = "pds.3.5.5.clear-command-by-time", .requirements = "PDS-231",
         .role = UET_ROLE_INITIATOR, .claim_binds = true,
         .purpose = "PDS_Clear_Time may bring the Clear Command.",
         .preamble = "PDS_Clear_Time of the FEP set to 5 ms; a PDC that it opened.",
         .stimulus = "The FEP writes 16 bytes; answer with an error response and req=REQ_CLEAR.",
         .expected = "A Clear Command for that PSN, 5 ms later at the latest.")
{
    uet_set_param(tc, "PDS_Clear_Time", 5 * UET_MS);
    const struct uet_in *in = answered_with_error(tc);
    uet_check(tc, "PDS-231", maybe(tc, CLEAR_OF(in), .within = uet_tc_latest(tc, 5 * UET_MS)),
              "no Clear Command within PDS_Clear_Time");
}

#define LONG_MESSAGE 300u /* packets: more than are let out at once with Default_MPR 1 */
#define ONE_WINDOW   128u /* packets: as many */

/* A message of which nothing is acknowledged: its third packet, when no more come; how many came.
 */
static const struct uet_in *third_of_many(struct uet_tc *tc, uint32_t packets, uint32_t *n)
{
    struct uet_pdc *pdc;

    uet_try_param(tc, "Default_MPR", 1);
    hold_rto(tc);
    uet_auto_ack(tc, false);
    const struct uet_in *in = fep_writes(tc, packets * uet_tc_dut(tc)->payload_mtu, &pdc, NULL);
    const struct uet_in *third = in;
    for (*n = 1; *n < packets && (in = uet_next_request(tc, pdc)); ++*n)
        third = *n <= 2 ? in : third;
    return third;
}

/* Two are acknowledged and the third is answered with REQ_CLEAR: CLEAR_PSN rides on what waits. */
static void clear_rides(struct uet_tc *tc, const struct uet_in *third)
{
    uint32_t psn = psn_of(third);
    struct uet_out ack = guaranteed_ack(third, UET_RC_OK);

    uet_forget(tc);
    say(tc, &ack);
    const struct uet_in *in = maybe(tc, REQUEST_ON(third->pdc));
    if (!in)
        uet_skip(tc, "the FEP sends nothing more before its CACK_PSN moves further");
    field_at_least(tc, "PDS-081", in, UET_F_PDS_CLEAR_PSN, psn - 1);
    if (value_of(tc, in, UET_F_PDS_CLEAR_PSN) == psn - 1)
        uet_other_reading(tc, "PDS-081", "CLEAR_PSN follows one PSN late");
    if (maybe(tc, CP_ON(third->pdc, UET_CTL_CLEAR_COMMAND), .within = UET_MS))
        uet_other_reading(tc, "PDS-081", "a Clear Command came though Requests waited");
}

UET_TEST(no_clear_command_while_sending, .id = "pds.3.5.16.3.1.no-clear-command-while-sending",
         .requirements = "PDS-081", .role = UET_ROLE_INITIATOR,
         .purpose = "While Requests wait that will carry CLEAR_PSN no Clear Command is sent.",
         .preamble = "Default_MPR of the FEP set to 1.",
         .stimulus = "The FEP writes a message of 300 packets; when no more come, acknowledge two "
                     "and answer the third with UET_RESPONSE, RC_OK and req=REQ_CLEAR.",
         .expected = "CLEAR_PSN rides on the next Request; a Clear Command besides is a finding.")
{
    uint32_t n;
    const struct uet_in *third = third_of_many(tc, LONG_MESSAGE, &n);
    if (n == LONG_MESSAGE)
        uet_skip(tc, "the FEP had nothing left to send");
    clear_rides(tc, third);
}

UET_TEST(no_clear_command_while_queued, .id = "pds.3.5.16.3.1.no-clear-command-while-queued",
         .requirements = "PDS-081", .role = UET_ROLE_INITIATOR,
         .purpose = "Requests that wait may be those of the next message.",
         .preamble = "Default_MPR of the FEP set to 1.",
         .stimulus = "The FEP writes a message of 128 packets, then one of 16 bytes, which waits; "
                     "acknowledge two packets and answer the third with UET_RESPONSE, RC_OK and "
                     "req=REQ_CLEAR.",
         .expected = "CLEAR_PSN rides on the next Request; a Clear Command besides is a finding.")
{
    uint32_t n;
    const struct uet_in *third = third_of_many(tc, ONE_WINDOW, &n);
    struct uet_ut_operation op = uet_op(tc, 16);
    uet_do_write(tc, &op);
    if (uet_next_request(tc, NULL))
        uet_skip(tc, "the next message does not wait for the first one, as it may");
    clear_rides(tc, third);
}

UET_TEST(sack_completes_nothing, .id = "pds.3.5.20.3.2.sack-completes-nothing",
         .requirements = "PDS-117", .role = UET_ROLE_INITIATOR, .needs = "ack-cc",
         .not_over = "draining", /* where the other message waits for an RTO, it may be */
         .purpose = "A PSN seen only in SACK is not complete until CACK or its own ACK covers it.",
         .preamble = "A PDC that the FEP opened.",
         .stimulus = "The FEP writes 16 bytes; SACK the PSN only; the FEP writes on; later "
                     "acknowledge it.",
         .expected = "No completion after the SACK, nor does CLEAR_PSN of the next Request cover "
                     "it; one after the ACK.")
{
    struct uet_pdc *pdc = fep_opens(tc);
    uint64_t handle;
    const struct uet_in *in = fep_writes_unanswered(tc, &pdc, &handle);
    uint32_t psn = psn_of(in);
    pdc->ack_cc = true;
    struct uet_out ack = uet_ack(pdc, in), sack = ack_at(in, psn - 1, psn - 1);
    set_sack(&sack, psn, 1);
    say(tc, &sack);
    stays_open(tc, "PDS-117", handle, UET_MS);
    struct uet_ut_operation op = uet_op(tc, 16);
    uint64_t later = uet_do_write(tc, &op);
    const struct uet_in *next = uet_next_request(tc, pdc);
    if (next)
        field_at_most(tc, "PDS-117", next, UET_F_PDS_CLEAR_PSN, psn - 1);
    say(tc, &ack);
    completes(tc, "PDS-117", handle, UET_UT_OK);
    if (next)
        resume_acks(tc, next);
    uet_auto_ack(tc, true);
    completes(tc, "PDS-117", later, UET_UT_OK);
}

UET_TEST(sacked_psn_is_asked_for, .id = "pds.3.5.20.3.2.sacked-psn-is-asked-for",
         .requirements = "PDS-116 PDS-189", .role = UET_ROLE_INITIATOR, .needs = "ack-cc",
         .purpose = "A PSN known from SACK is not resent as data; the source asks for its ACK.",
         .preamble = "A PDC that the FEP opened, acknowledged with ACK_CC.",
         .stimulus = "The FEP writes 3 packets; acknowledge the first two, SACK the third only.",
         .expected = "On timeout an ACK Request with that PSN, ar=1; no data retransmission of it.")
{
    uet_need_retries(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    const struct uet_in *in[3], *cp = fep_asks(tc, &pdc, in, NULL);
    uet_check(tc, "PDS-116", cp, "no ACK Request came for a PSN known from SACK");
    silence(tc, "PDS-116", RESEND_OF(in[2]), .within = uet_tc_dut(tc)->response_time_ns);
    if (cp)
        field(tc, "PDS-189", cp, UET_F_PDS_PSN, psn_of(in[2]));
    if (cp && !value_of(tc, cp, UET_F_PDS_AR))
        uet_note(tc, "PDS-189", "ACK Request with ar=0, as one known implementation sends it");
    resume_acks(tc, in[2]);
}

UET_TEST(sacked_psn_is_asked_again, .id = "pds.3.5.20.3.2.sacked-psn-is-asked-again",
         .requirements = "PDS-116 PDS-189", .role = UET_ROLE_INITIATOR, .needs = "ack-cc",
         .purpose = "When the answer to an ACK Request is lost the source asks again.",
         .preamble = "A PDC that the FEP opened, acknowledged with ACK_CC.",
         .stimulus = "The FEP writes 3 packets; acknowledge the first two, SACK the third only; "
                     "the ACK Request for it stays without an answer.",
         .expected = "Another ACK Request for it, or the packet; the write completes when it is "
                     "acknowledged.")
{
    uint64_t most;
    uet_need_retries(tc);
    if (uet_tc_told(tc, "Max_RTO_Retx_Cnt", &most) && most < 2)
        uet_skip(tc, "Max_RTO_Retx_Cnt is %llu: it asks once", (unsigned long long)most);
    struct uet_pdc *pdc = fep_opens(tc);
    uint64_t handle;
    const struct uet_in *in[3], *cp = fep_asks(tc, &pdc, in, &handle);
    if (!cp)
        uet_skip(tc, "no ACK Request came, which is another test's affair");
    bool again = maybe(tc, CP_ON(pdc, UET_CTL_ACK_REQUEST), .named = "another ACK Request",
                       .within = patience(tc, 4 * one_rto(tc))) ||
                 maybe(tc, RESEND_OF(in[2]), .within = UET_US);
    uet_check(tc, "PDS-116", again, "nobody asks again for the PSN known from SACK");
    resume_acks(tc, in[2]);
    completes(tc, "PDS-116", handle, UET_UT_OK);
}

/* Both of them are in SACK, nothing else is told. */
static void sack_both(struct uet_tc *tc, const struct uet_in *in, const struct uet_in *other)
{
    struct uet_out ack = ack_at(in, psn_of(in) - 1, psn_of(in) - 1);

    set_sack(&ack, psn_of(in), 1u | 1u << (psn_of(other) - psn_of(in)));
    say(tc, &ack);
}

UET_TEST(each_asked_by_its_message, .id = "pds.3.5.16.2.each-asked-by-its-message",
         .requirements = "PDS-189", .role = UET_ROLE_INITIATOR, .needs = "ack-cc",
         .purpose = "An ACK Request names the message of the PSN that it asks about.",
         .preamble = "A PDC that the FEP opened, acknowledged with ACK_CC.",
         .stimulus = "The FEP writes twice, one packet each; SACK both, acknowledge none.",
         .expected = "ACK Requests, whose payload is 0 or the message_id of that PSN.")
{
    uet_need_retries(tc);
    uint64_t handle;
    struct uet_pdc *pdc = fep_opens(tc);
    pdc->ack_cc = true;
    const struct uet_in *in[2] = {fep_writes_unanswered(tc, &pdc, NULL)}, *cp;
    in[1] = fep_writes_behind(tc, pdc, &handle);
    if (!uet_is_ses_std(&in[0]->packet) || !uet_is_ses_std(&in[1]->packet))
        uet_skip(tc, "the FEP uses headers without a message_id");
    sack_both(tc, in[0], in[1]);
    unsigned n = 0;
    while (n < 4 && (cp = maybe(tc, CP_ON(pdc, UET_CTL_ACK_REQUEST), .named = "an ACK Request",
                                .within = 2 * one_rto(tc)))) {
        const struct uet_in *of = in[psn_of(cp) == psn_of(in[1])];
        uint32_t told = (uint32_t)value_of(tc, cp, UET_F_PDS_PAYLOAD);
        uet_look_at(tc, cp);
        uet_check(tc, "PDS-189", !told || told == uet_ses_message_id(&of->packet),
                  "the payload is 0x%08x, required 0 or the message_id of that PSN, 0x%04x", told,
                  uet_ses_message_id(&of->packet));
        n++;
    }
    if (!n)
        uet_skip(tc, "no ACK Request came, which is another test's affair");
    resume_acks(tc, in[1]);
}

UET_TEST(asks_beyond_a_gap, .id = "pds.3.5.16.2.asks-beyond-a-gap", .requirements = "PDS-189",
         .role = UET_ROLE_INITIATOR, .needs = "ack-cc",
         .purpose = "What is asked about is the PSN of SACK, also when a lower one is missing.",
         .preamble = "A PDC that the FEP opened, acknowledged with ACK_CC.",
         .stimulus = "The FEP writes 3 packets; acknowledge the first, SACK the third; the second "
                     "is lost, as often as it comes.",
         .expected = "Among the ACK Requests is one with the third PSN.")
{
    uet_need_retries(tc);
    const struct uet_in *in[3], *cp = NULL;
    struct uet_pdc *pdc = fep_opens(tc);
    unsigned n = 0;
    pdc->ack_cc = true;
    fep_writes_unacked(tc, &pdc, in, 3, NULL);
    struct uet_out ack = ack_at(in[0], psn_of(in[0]), psn_of(in[0]));
    set_sack(&ack, psn_of(in[2]), 1);
    say(tc, &ack);
    while (n < 4 &&
           (cp = maybe(tc, CP_ON(pdc, UET_CTL_ACK_REQUEST), .named = "an ACK Request",
                       .within = 2 * one_rto(tc))) &&
           psn_of(cp) != psn_of(in[2]))
        n++;
    if (!cp && !n)
        uet_skip(tc, "no ACK Request came, which is another test's affair");
    uet_check(tc, "PDS-189", cp && psn_of(cp) == psn_of(in[2]),
              "%u ACK Requests came, and none of them for the PSN known from SACK", n);
    resume_acks(tc, in[2]);
}

UET_TEST(sacked_stays_sacked, .id = "pds.3.5.20.3.2.sacked-stays-sacked",
         .requirements = "PDS-116 PDS-115", .role = UET_ROLE_INITIATOR, .needs = "ack-cc",
         .params = "RTO_Init_Time",
         .purpose = "What one SACK has told a later one that does not tell it takes not away.",
         .preamble = "A PDC that the FEP opened, acknowledged with ACK_CC.",
         .stimulus = "The FEP writes 4 packets; acknowledge the first; SACK the third, and in "
                     "another ACK_CC, whose bitmap begins behind it, the fourth.",
         .expected = "On timeout the second again; not the third or the fourth.")
{
    struct uet_pdc *pdc = fep_opens(tc);
    const struct uet_in *in[4];
    pdc->ack_cc = true;
    fep_writes_unacked(tc, &pdc, in, 4, NULL);
    struct uet_out ack = ack_at(in[0], psn_of(in[0]), psn_of(in[0]));
    for (int i = 2; i < 4; i++) {
        set_sack(&ack, psn_of(in[i]), 1);
        say(tc, &ack);
    }
    hear(tc, "PDS-156", RESEND_OF(in[1]), .within = patience(tc, one_rto(tc)));
    silence(tc, "PDS-116", RESEND_OF(in[2]), .within = one_rto(tc));
    silence(tc, "PDS-116", RESEND_OF(in[3]), .within = UET_US);
    resume_acks(tc, in[3]);
}

UET_TEST(zero_sack_is_no_loss, .id = "pds.3.5.11.14.zero-sack-is-no-loss",
         .requirements = "PDS-115", .role = UET_ROLE_INITIATOR, .needs = "ack-cc",
         .purpose = "A cleared SACK bit is no proof of loss.",
         .preamble = "A PDC that the FEP opened, acknowledged with ACK_CC; RTO long.",
         .stimulus = "The FEP writes 4 packets; acknowledge the first with an all-zero bitmap.",
         .expected = "No immediate retransmission of all the others. One of them alone, the tail, "
                     "may come again (PDS-230).")
{
    hold_rto(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    const struct uet_in *in[4];
    pdc->ack_cc = true;
    fep_writes_unacked(tc, &pdc, in, 4, NULL);
    struct uet_out ack = ack_at(in[0], psn_of(in[0]), psn_of(in[0]));
    set_sack(&ack, psn_of(in[0]) + 1, 0);
    say(tc, &ack);
    for (int i = 1; i < 4; i++)
        if (!maybe(tc, RESEND_OF(in[i]), .within = i == 1 ? before_rto(tc) : UET_US))
            return;
    uet_fail(tc, "PDS-115", "all three packets whose bits were 0 came again");
}

UET_TEST(higher_sack_base_is_no_loss, .id = "pds.3.5.11.14.higher-sack-base-is-no-loss",
         .requirements = "PDS-115", .role = UET_ROLE_INITIATOR, .needs = "ack-cc",
         .purpose = "It is no proof of loss that the SACK bitmap begins behind a PSN.",
         .preamble = "A PDC that the FEP opened, acknowledged with ACK_CC; RTO long.",
         .stimulus = "The FEP writes 6 packets; acknowledge the first with an all-zero bitmap that "
                     "begins at the second, and again with one that begins at the last.",
         .expected = "No immediate retransmission of all between them.")
{
    hold_rto(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    const struct uet_in *in[6];
    pdc->ack_cc = true;
    fep_writes_unacked(tc, &pdc, in, 6, NULL);
    struct uet_out ack = ack_at(in[0], psn_of(in[0]), psn_of(in[0]));
    for (int i = 1; i < 6; i += 4) {
        set_sack(&ack, psn_of(in[i]), 0);
        say(tc, &ack);
    }
    for (int i = 1; i < 5; i++)
        if (!maybe(tc, RESEND_OF(in[i]), .within = i == 1 ? before_rto(tc) : UET_US))
            return;
    uet_fail(tc, "PDS-115", "all four packets before the bitmap came again");
}

/* A broken ACK of the FEP's packet, which stays outstanding. */
static void ack_is_ignored(struct uet_tc *tc, const char *requirement, const struct uet_in *in,
                           const struct uet_out *ack)
{
    say(tc, ack);
    hear(tc, requirement, RESEND_OF(in), .within = patience(tc, one_rto(tc)));
    uet_auto_ack(tc, true);
}

UET_TEST(cack_beyond_sent, .id = "pds.3.5.12.cack-beyond-sent", .requirements = "PDS-122",
         .role = UET_ROLE_INITIATOR,
         .purpose = "An ACK whose CACK_PSN lies beyond the highest PSN sent is ignored.",
         .preamble = "A PDC that the FEP opened.",
         .stimulus = "The FEP writes 16 bytes; ACKs with cack = its PSN + 1 and + 100.",
         .expected = "The packet is retransmitted at RTO.")
{
    struct uet_pdc *pdc = fep_opens(tc);
    const struct uet_in *in = fep_writes_unanswered(tc, &pdc, NULL);
    struct uet_out next = ack_at(in, psn_of(in) + 1, psn_of(in));
    struct uet_out ack = ack_at(in, psn_of(in) + 100, psn_of(in) + 100);
    say(tc, &next);
    ack_is_ignored(tc, "PDS-122", in, &ack);
}

/* No ACK so far has opened that PDC of the FEP: its next packet still has syn=1. */
static void is_still_syn(struct uet_tc *tc, const char *requirement, const struct uet_pdc *pdc)
{
    struct uet_ut_operation op = uet_op(tc, 16);
    uet_do_write(tc, &op);
    const struct uet_in *next = uet_next_request(tc, pdc);
    if (!next)
        uet_skip(tc, "the FEP has one packet outstanding before the first ACK, as it may");
    field(tc, requirement, next, UET_F_PDS_SYN, 1);
    resume_acks(tc, next);
}

/* An ACK of a PSN so far from its own opens none. */
static void opens_nothing(struct uet_tc *tc, const char *requirement, uint32_t away)
{
    struct uet_pdc *pdc;
    uet_auto_ack(tc, false);
    const struct uet_in *in = fep_writes(tc, 16, &pdc, NULL);
    struct uet_out ack = ack_at(in, psn_of(in) + away, psn_of(in) + away);
    say(tc, &ack);
    is_still_syn(tc, requirement, pdc);
}

UET_TEST(cack_beyond_opens_nothing, .id = "pds.3.5.12.cack-beyond-opens-nothing",
         .not_over = "used after-read aged", .requirements = "PDS-122", .role = UET_ROLE_INITIATOR,
         .purpose = "The TPDCID is not taken from an ACK that is ignored.", .preamble = "None.",
         .stimulus = "The FEP writes 16 bytes; ACK with cack = its PSN + 100; it writes again.",
         .expected =
             "The packet of the second write has syn=1. A FEP that sends it after the first "
             "ACK only is skipped.")
{
    opens_nothing(tc, "PDS-122", 100);
}

UET_TEST(early_opens_nothing, .id = "rob.3.5.12.ack-before-start-opens-nothing",
         .not_over = "used after-read aged", .requirements = "ROB-049", .role = UET_ROLE_INITIATOR,
         .purpose = "An ACK of PSNs before Start_PSN, as a late one of the PDC that had the number "
                    "before, opens no PDC.",
         .preamble = "None.",
         .stimulus = "The FEP writes 16 bytes; ACK with cack = its PSN - 100, of that PSN; it "
                     "writes again.",
         .expected = "The packet of the second write has syn=1. A FEP that sends it after the "
                     "first ACK only is skipped.")
{
    opens_nothing(tc, "ROB-049", 0u - 100);
}

UET_TEST(right_before_opens_nothing, .id = "rob.3.5.12.ack-right-before-start-opens-nothing",
         .not_over = "used after-read aged", .requirements = "ROB-049", .role = UET_ROLE_INITIATOR,
         .purpose = "An ACK of PSNs right before Start_PSN opens no PDC, whatever its CACK_PSN.",
         .preamble = "None.",
         .stimulus = "The FEP writes 16 bytes, its Start_PSN is n; ACKs of n-1, n-2 and n-64 with "
                     "cack = n-1, and of n-2 and n-64 with that cack; it writes again.",
         .expected = "The packet of the second write has syn=1. A FEP that sends it after the "
                     "first ACK only is skipped.")
{
    static const struct {
        uint32_t cack, ack; /* so far before it */
    } before[] = {{1, 1}, {1, 2}, {1, 64}, {2, 2}, {64, 64}};
    struct uet_pdc *pdc;
    uet_auto_ack(tc, false);
    const struct uet_in *in = fep_writes(tc, 16, &pdc, NULL);
    for (size_t i = 0; i < sizeof(before) / sizeof(before[0]); i++) {
        struct uet_out ack =
            ack_at(in, pdc->start_psn - before[i].cack, pdc->start_psn - before[i].ack);
        say(tc, &ack);
    }
    is_still_syn(tc, "ROB-049", pdc);
}

UET_TEST(sack_beyond_sent, .id = "pds.3.5.12.sack-beyond-sent", .requirements = "PDS-122",
         .role = UET_ROLE_INITIATOR, .needs = "ack-cc",
         .purpose = "SACK bits of PSNs that were never sent acknowledge nothing.",
         .preamble = "A PDC that the FEP opened, acknowledged with ACK_CC.",
         .stimulus = "The FEP writes 16 bytes: ACK_CC of that PSN whose SACK has all 64 bits set; "
                     "it writes again, and hears nothing.",
         .expected = "The second packet is sent, and retransmitted at RTO.")
{
    uet_need_retries(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    pdc->ack_cc = true;
    const struct uet_in *in = fep_writes_unanswered(tc, &pdc, NULL);
    struct uet_out ack = ack_at(in, psn_of(in), psn_of(in));
    set_sack(&ack, psn_of(in) + 1, UINT64_MAX);
    say(tc, &ack);
    in = fep_writes_on(tc, &pdc, 16, NULL);
    hear(tc, "PDS-122", RESEND_OF(in), .within = patience(tc, one_rto(tc)));
    uet_auto_ack(tc, true);
}

/* The second of two packets is acknowledged under another spdcid. */
static void wrong_spdcid_ignored(struct uet_tc *tc, bool ack_cc)
{
    struct uet_pdc *pdc = fep_opens(tc);
    const struct uet_in *in = fep_holds(tc, &pdc, NULL);

    pdc->ack_cc = pdc->ack_cc || ack_cc;
    uint16_t wrong = other_pdcid(pdc->pdcid);
    struct uet_out ack = uet_ack(pdc, in), sack = ack_at(in, psn_of(in) - 1, psn_of(in) - 1);
    uet_ack_spdcid_set(ack.pds, wrong);
    if (ack_cc) { /* what it would mark received is no more taken than what it acknowledges */
        uet_ack_spdcid_set(sack.pds, wrong);
        set_sack(&sack, psn_of(in), 1);
        say(tc, &sack);
    }
    ack_is_ignored(tc, "PDS-123", in, &ack);
}

UET_TEST(
    ack_wrong_spdcid, .id = "pds.3.5.12.ack-wrong-spdcid", .requirements = "PDS-123",
    .role = UET_ROLE_INITIATOR,
    .purpose = "An ACK with the right dpdcid but a wrong spdcid is ignored.",
    .preamble = "A PDC that the FEP opened.",
    .stimulus = "The FEP writes 2 MTUs; the second packet is acknowledged with another spdcid.",
    .expected = "The packet is retransmitted at RTO.")
{
    wrong_spdcid_ignored(tc, false);
}

UET_TEST(ack_cc_wrong_spdcid, .id = "pds.3.5.12.ack-cc-wrong-spdcid", .requirements = "PDS-123",
         .role = UET_ROLE_INITIATOR, .over = "own", .needs = "ack-cc",
         .purpose = "An ACK_CC with the right dpdcid but a wrong spdcid is ignored.",
         .preamble = "A PDC that the FEP opened.",
         .stimulus = "The FEP writes 2 MTUs; with another spdcid an ACK_CC whose SACK tells the "
                     "second received, and one that acknowledges it.",
         .expected = "The packet is retransmitted at RTO.")
{
    wrong_spdcid_ignored(tc, true);
}

UET_TEST(ar_on_last_packet, .id = "pds.3.5.12.ar-on-last-packet", .requirements = "PDS-126",
         .role = UET_ROLE_INITIATOR,
         .purpose = "The source sets ar on the last packet of a message.", .preamble = "None.",
         .stimulus = "The FEP writes 16 bytes, then 3 MTUs.",
         .expected = "ar=1 on the packets with eom.")
{
    struct uet_pdc *pdc;
    field(tc, "PDS-126", fep_writes(tc, 16, &pdc, NULL), UET_F_PDS_AR, 1);
    fep_writes_on(tc, &pdc, 3u * uet_tc_dut(tc)->payload_mtu, NULL);
    hear(tc, "PDS-126", REQUEST_ON(pdc));
    field(tc, "PDS-126", hear(tc, "PDS-126", REQUEST_ON(pdc)), UET_F_PDS_AR, 1);
}

/* An ACK of the packet, and a fatal NACK of it, to this PDCID: neither is answered or believed. */
static void strays_dropped(struct uet_tc *tc, const struct uet_in *in, uint64_t handle, uint16_t to)
{
    struct uet_out ack = uet_ack(in->pdc, in),
                   nack = uet_nack(in->pdc, psn_of(in), UET_NACK_UNEXP_EVENT);
    uet_ack_dpdcid_set(ack.pds, to);
    uet_nack_dpdcid_set(nack.pds, to);
    say(tc, &ack);
    say(tc, &nack);
    silence(tc, "PDS-124", ANSWER_ON(NULL));
    stays_open(tc, "PDS-124", handle, UET_MS);
}

UET_TEST(strays_to_initiator, .id = "pds.3.5.12.strays-to-initiator", .requirements = "PDS-124",
         .role = UET_ROLE_INITIATOR,
         .purpose = "An ACK or NACK for a PDC that an initiator does not have is dropped.",
         .preamble = "A PDC that the FEP opened; RTO long.",
         .stimulus = "The FEP writes; an ACK of that packet and a fatal NACK of it, both to a "
                     "PDCID that the FEP does not have, then both to PDCID 0; then the ACK.",
         .expected = "No answer to any, and the write completes by the ACK alone.")
{
    hold_rto(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    uint64_t handle;
    const struct uet_in *in = fep_writes_unanswered(tc, &pdc, &handle);
    strays_dropped(tc, in, handle, unused_pdcid(pdc));
    strays_dropped(tc, in, handle, 0); /* the PDC of their spdcid is not meant (PDS-039) */
    resume_acks(tc, in);
    completes(tc, "PDS-124", handle, UET_UT_OK);
}

#define NEAR 1500u /* PSNs that a test lets pass */

UET_TEST(source_psns_wrap, .id = "pds.3.5.12.source-psns-wrap", .requirements = "PDS-059 PDS-056",
         .role = UET_ROLE_INITIATOR,
         .purpose = "The PSNs of a source wrap, and its window goes on over the edge.",
         .preamble = "None.",
         .stimulus = "The FEP opens a PDC less than 1500 PSNs below 2^32, and writes beyond.",
         .expected = "PSN 0 follows 0xFFFFFFFF; all is acknowledged and the write completes.")
{
    struct uet_pdc *pdc;
    uint64_t handle;
    fep_writes(tc, 16, &pdc, &handle);
    uint32_t left = 0u - pdc->start_psn;
    if (left > NEAR)
        uet_skip(tc, "the FEP's Start_PSN, 0x%08x, is of its own choice", pdc->start_psn);
    completion_of(tc, "PDS-059", handle);
    const struct uet_pdc *first = pdc;
    uint32_t n = (left + 8) * uet_tc_dut(tc)->payload_mtu;
    same_pdc(tc, first, fep_writes_on(tc, &pdc, n, &handle));
    const struct uet_in *in = hear(tc, "PDS-059", REQUEST_OF(pdc, 0));
    uet_check(tc, "PDS-059", !in->retransmission, "PSN 0 came as a copy of another packet");
    completes(tc, "PDS-059", handle, UET_UT_OK);
}
