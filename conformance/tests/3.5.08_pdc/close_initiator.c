/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.8.3: how an initiator closes. */
#include "conformance/harness/steps/acks.h"
#include "conformance/tests/pds.h"
#include "conformance/tests/pds_target.h"

/* The verb that starts a close; a FEP without it cannot be asked. */
static void ask_to_close(struct uet_tc *tc)
{
    uet_did(tc, uet_ut_close_pdcs(uet_tc_ut(tc), NULL), "close");
}

/*
 * Its Close Command, without an ACK. What the FEP has still to send on the PDC, a NOOP or a
 * Negotiation, goes before it and has one (PDS-201).
 */
static const struct uet_in *close_unacked(struct uet_tc *tc, struct uet_pdc *pdc)
{
    uet_auto_ack(tc, false);
    ask_to_close(tc);
    for (;;) {
        const struct uet_in *in = hear(
            tc, "PDS-199", CP_ON(pdc, UET_CTL_CLOSE_COMMAND, UET_CTL_NOOP, UET_CTL_NEGOTIATION),
            .named = "CP CLOSE_COMMAND");
        if (uet_is_of(UET_CLASS_CLOSE_COMMAND, &in->packet))
            return in;
        acknowledge(tc, pdc, in);
    }
}

#define CLOSE_COMMAND_ON(pdc) CP_ON(pdc, UET_CTL_CLOSE_COMMAND)

/* Whatever its retx says. */
#define CLOSE_COMMAND_AGAIN(in)                                                                    \
    CLOSE_COMMAND_ON((in)->pdc), .with_psn = true, .psn = psn_of(in),                              \
                                 .named = "the Close Command again", .again = true

#define CLOSE_RTO (4 * UET_MS)

/* Long enough for a Close Command that does not wait. */
static uint64_t soon(struct uet_tc *tc)
{
    return uet_tc_quiet(tc) / 4;
}

UET_TEST(close_command_fields, .id = "pds.3.5.8.3.close-command-fields",
         .requirements = "PDS-199 PDS-198 PDS-188", .role = UET_ROLE_INITIATOR,
         .purpose = "The initiator closes with a Close Command: next PSN, ar=1, payload 0.",
         .preamble = "An idle PDC that the FEP opened.", .stimulus = "Ask the FEP to close it.",
         .expected = "Close Command with psn = last PSN + 1, ar=1, payload 0.")
{
    struct uet_pdc *pdc = fep_opens(tc);
    ask_to_close(tc);
    const struct uet_in *in = hear(tc, "PDS-199", CLOSE_COMMAND_ON(pdc));
    /* All PSNs up to cack came without a gap, and this one is the last. */
    field(tc, "PDS-199", in, UET_F_PDS_PSN, pdc->cack);
    field(tc, "PDS-199", in, UET_F_PDS_AR, 1);
    field(tc, "PDS-198", in, UET_F_PDS_PAYLOAD, 0);
    field(tc, "PDS-188", in, UET_F_PDS_ISROD, 0);
}

UET_TEST(close_waits_for_acks, .id = "pds.3.5.8.3.close-waits-for-acks", .requirements = "PDS-201",
         .role = UET_ROLE_INITIATOR,
         .purpose = "Close Command waits until all messages are finished and acknowledged.",
         .preamble = "A PDC that the FEP opened.",
         .stimulus = "The FEP writes; hold back the ACK; ask it to close; then acknowledge.",
         .expected = "No Close Command before the ACK, one after it.")
{
    hold_rto(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    const struct uet_in *in = fep_writes_unanswered(tc, &pdc, NULL);
    ask_to_close(tc);
    silence(tc, "PDS-201", CLOSE_COMMAND_ON(pdc), .within = soon(tc));
    resume_acks(tc, in);
    hear(tc, "PDS-199", CLOSE_COMMAND_ON(pdc));
}

UET_TEST(close_waits_for_sacked, .id = "pds.3.5.8.3.close-waits-for-sacked",
         .requirements = "PDS-201", .role = UET_ROLE_INITIATOR, .needs = "ack-cc",
         .purpose = "A SACK bit ends no message: its response has not come.",
         .preamble = "A PDC that the FEP opened; of a WRITE of two packets the first is "
                     "acknowledged.",
         .stimulus = "An ACK_CC of the first whose SACK bitmap has the second; ask it to close; "
                     "then acknowledge the second.",
         .expected = "No Close Command before that ACK, one after it.")
{
    hold_rto(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    const struct uet_in *in = fep_holds(tc, &pdc, NULL);
    pdc->ack_cc = true;
    struct uet_out ack = ack_at(in, psn_of(in) - 1, psn_of(in) - 1);
    set_sack(&ack, psn_of(in), 1);
    say(tc, &ack);
    ask_to_close(tc);
    silence(tc, "PDS-201", CLOSE_COMMAND_ON(pdc), .within = soon(tc));
    resume_acks(tc, in);
    hear(tc, "PDS-199", CLOSE_COMMAND_ON(pdc));
}

UET_TEST(close_is_resent, .id = "pds.3.5.16.close-is-resent", .requirements = "PDS-197",
         .role = UET_ROLE_INITIATOR,
         .purpose = "A Close Command is retransmitted like a Request until acknowledged.",
         .preamble = "An idle PDC that the FEP opened.",
         .stimulus = "Ask the FEP to close; do not acknowledge the Close Command.",
         .expected = "It comes again with the same PSN and retx=1.")
{
    struct uet_pdc *pdc = fep_opens(tc);
    const struct uet_in *first = close_unacked(tc, pdc);
    const struct uet_in *in =
        hear(tc, "PDS-197", CLOSE_COMMAND_AGAIN(first), .within = patience(tc, one_rto(tc)));
    field(tc, "PDS-197", in, UET_F_PDS_RETX, 1);
    resume_acks(tc, in);
}

UET_TEST(close_comes_again_by_nack, .id = "pds.3.5.12.7.refused-close-comes-again",
         .requirements = "PDS-135", .role = UET_ROLE_INITIATOR, .params = "NACK_Retx_Time",
         .purpose = "A NACK brings a Control Packet again as it does a Request.",
         .preamble = "An idle PDC that the FEP opened; RTO long.",
         .stimulus = "Ask the FEP to close; NACK UET_NO_PKT_BUFFER for its Close Command.",
         .expected = "It comes again after NACK_Retx_Time.")
{
    hold_rto(tc);
    const struct uet_in *first = close_unacked(tc, fep_opens(tc));
    say_nack(tc, first, UET_NACK_NO_PKT_BUFFER);
    resume_acks(tc, hear(tc, "PDS-135", CLOSE_COMMAND_AGAIN(first),
                         .within = patience(tc, nack_delay(tc))));
}

UET_TEST(close_nacks_end, .id = "pds.3.5.20.3.1.refused-close-ends", .requirements = "PDS-136",
         .role = UET_ROLE_INITIATOR, .params = "NACK_Retx_Time",
         .purpose = "Resends of a Control Packet that NACKs bring are counted, too.",
         .preamble = "Max_NACK_Retx_Cnt set to 2, RTO long; an idle PDC that the FEP opened.",
         .stimulus = "Ask the FEP to close; NACK UET_NO_PKT_BUFFER for each copy of its Close "
                     "Command.",
         .expected = "At most two resends.", .once = "the PDC ends in error")
{
    unsigned n = 0;
    hold_rto(tc);
    uet_set_param(tc, "Max_NACK_Retx_Cnt", 2);
    struct uet_pdc *pdc = fep_opens(tc);
    const struct uet_in *in = close_unacked(tc, pdc);
    pdc->auto_close = false;
    do
        say_nack(tc, in, UET_NACK_NO_PKT_BUFFER);
    while (n < 4 && maybe(tc, CLOSE_COMMAND_AGAIN(in), .within = patience(tc, nack_delay(tc))) &&
           ++n);
    uet_check(tc, "PDS-136", n <= 2, "%u resends or more, where Max_NACK_Retx_Cnt is 2", n);
}

/* Its Close Command, and then n copies of it, each an RTO twice as long after the one before. */
static const struct uet_in *close_copies(struct uet_tc *tc, struct uet_pdc *pdc, unsigned n)
{
    const struct uet_in *in = close_unacked(tc, pdc);

    for (unsigned i = 0; i < n; i++) {
        const struct uet_in *before = in;
        in = hear(tc, "PDS-197", CLOSE_COMMAND_AGAIN(before),
                  .within = uet_tc_latest(tc, CLOSE_RTO << i));
        not_before(tc, "PDS-157", before, in, (CLOSE_RTO << i) - CLOSE_RTO / 4);
    }
    return in;
}

UET_TEST(close_retries_end, .id = "pds.3.5.15.close-retries-end",
         .requirements = "PDS-158 PDS-157 PDS-160", .role = UET_ROLE_INITIATOR,
         .purpose = "A Close Command comes again as any packet does: its RTO doubles, and after "
                    "Max_RTO_Retx_Cnt copies it is over.",
         .preamble = "An idle PDC that the FEP opened; RTO 4 ms, Max_RTO_Retx_Cnt 3.",
         .stimulus = "Ask the FEP to close; do not acknowledge the Close Command; then it writes.",
         .expected = "It comes again after 4, 8 and 16 ms, and then no more; the write comes on "
                     "another PDC.")
{
    uet_set_param(tc, "RTO_Init_Time", CLOSE_RTO);
    uet_set_param(tc, "Max_RTO_Retx_Cnt", 3);
    skip_with_tail_loss_timer(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    const struct uet_in *last = close_copies(tc, pdc, 3);
    pdc->auto_close = false;
    silence(tc, "PDS-158", CLOSE_COMMAND_AGAIN(last), .within = (CLOSE_RTO << 5) + 10 * UET_MS);
    next_elsewhere(tc, "PDS-160", pdc);
}

UET_TEST(no_resend_after_close_ack, .id = "pds.3.5.8.3.no-resend-after-close-ack",
         .requirements = "PDS-205", .role = UET_ROLE_INITIATOR,
         .purpose = "The initiator frees the PDC when the ACK covers the close PSN.",
         .preamble = "An idle PDC that the FEP opened.",
         .stimulus = "Ask the FEP to close; acknowledge the Close Command; wait several RTOs; "
                     "the FEP writes.",
         .expected = "Nothing more on that PDC; the write comes on another one.")
{
    struct uet_pdc *pdc = fep_opens(tc);
    ask_to_close(tc);
    hear(tc, "PDS-199", CLOSE_COMMAND_ON(pdc));
    uet_forget_settled(tc);
    silence(tc, "PDS-205", .pdc = pdc, .named = "a packet on the closed PDC",
            .within = 3 * one_rto(tc));
    next_elsewhere(tc, "PDS-205", pdc);
}

UET_TEST(close_ack_names_it, .id = "pds.3.5.8.3.close-ack-names-it", .requirements = "PDS-205",
         .role = UET_ROLE_INITIATOR,
         .purpose = "A target may leave CACK_PSN one below the close PSN in the Close ACK.",
         .preamble = "An idle PDC that the FEP opened.",
         .stimulus = "Ask the FEP to close; acknowledge the Close Command by ACK_PSN, CACK_PSN "
                     "before it.",
         .expected = "The Close Command does not come again; that it does is a finding.")
{
    struct uet_pdc *pdc = fep_opens(tc);
    const struct uet_in *first = close_unacked(tc, pdc);
    struct uet_out ack = ack_at(first, psn_of(first) - 1, psn_of(first));
    say(tc, &ack);
    uet_forget_settled(tc);
    const struct uet_in *in = maybe(tc, CLOSE_COMMAND_AGAIN(first), .within = 3 * one_rto(tc));
    if (!in)
        return;
    uet_other_reading(tc, "PDS-205", "an ACK that names the close PSN only ends no close");
    resume_acks(tc, in);
}

UET_TEST(close_ack_covers_it, .id = "pds.3.5.8.3.close-ack-covers-it", .requirements = "PDS-205",
         .role = UET_ROLE_INITIATOR,
         .purpose = "CACK_PSN alone ends a close, too: the Close ACK need not name the close PSN.",
         .preamble = "An idle PDC that the FEP opened.",
         .stimulus = "Ask the FEP to close; an ACK that names the packet before the Close Command, "
                     "and whose CACK_PSN is the close PSN; wait several RTOs.",
         .expected = "Nothing more on that PDC; that the Close Command comes again is a finding.")
{
    struct uet_pdc *pdc = fep_opens(tc);
    const struct uet_in *first = close_unacked(tc, pdc);
    struct uet_out ack = ack_at(first, psn_of(first), psn_of(first) - 1);
    say(tc, &ack);
    uet_forget_settled(tc);
    const struct uet_in *in = maybe(tc, CLOSE_COMMAND_AGAIN(first), .within = 3 * one_rto(tc));
    if (in) {
        uet_other_reading(tc, "PDS-205", "an ACK of what is not outstanding is dropped as a whole");
        resume_acks(tc, in);
        return;
    }
    silence(tc, "PDS-205", .pdc = pdc, .named = "a packet on the closed PDC", .within = UET_US);
}

UET_TEST(old_ack_while_closing, .id = "pds.3.5.8.3.old-ack-while-closing",
         .requirements = "PDS-205", .role = UET_ROLE_INITIATOR,
         .purpose = "An ACK that does not cover the close PSN ends no close.",
         .preamble = "An idle PDC that the FEP opened.",
         .stimulus = "Ask the FEP to close; the ACK of the packet before the Close Command comes "
                     "once more.",
         .expected = "The Close Command again.")
{
    uet_need_retries(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    const struct uet_in *first = close_unacked(tc, pdc);
    struct uet_out ack = ack_at(first, psn_of(first) - 1, psn_of(first) - 1);
    say(tc, &ack);
    const struct uet_in *in =
        hear(tc, "PDS-205", CLOSE_COMMAND_AGAIN(first), .within = patience(tc, one_rto(tc)));
    resume_acks(tc, in);
}

UET_TEST(stray_nack_while_closing, .id = "pds.3.5.8.3.stray-nack-while-closing",
         .requirements = "PDS-134 PDS-206", .role = UET_ROLE_INITIATOR,
         .purpose = "A NACK of another PSN than that of the Close Command ends no close.",
         .preamble = "An idle PDC that the FEP opened.",
         .stimulus = "Ask the FEP to close; NACKs UET_INV_DPDCID (0x0E), UET_CLOSING (0x10) and "
                     "UET_CLOSING_IN_ERR (0x11) of the PSN before its Close Command and of the one "
                     "behind.",
         .expected = "The Close Command again.")
{
    static const uint8_t codes[] = {UET_NACK_INV_DPDCID, UET_NACK_CLOSING, UET_NACK_CLOSING_IN_ERR};
    uet_need_retries(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    const struct uet_in *first = close_unacked(tc, pdc);
    for (size_t i = 0; i < 2 * sizeof codes; i++) {
        struct uet_out nack = uet_nack(pdc, psn_of(first) + (i % 2 ? 1 : -1u), codes[i / 2]);
        say(tc, &nack);
    }
    const struct uet_in *in =
        hear(tc, "PDS-134", CLOSE_COMMAND_AGAIN(first), .within = patience(tc, one_rto(tc)));
    resume_acks(tc, in);
}

UET_TEST(lost_close_ack, .id = "pds.3.5.8.3.lost-close-ack", .requirements = "PDS-206",
         .role = UET_ROLE_INITIATOR,
         .purpose = "A lost Close ACK is survived: INV_DPDCID to the resend ends the PDC.",
         .preamble = "An idle PDC that the FEP opened.",
         .stimulus = "Ask the FEP to close; answer the resent Close Command with NACK 0x0E, "
                     "spdcid=0; later the FEP writes.",
         .expected = "No further resend, and no Close Command of another PSN; the write comes on "
                     "another PDC.")
{
    struct uet_pdc *pdc = fep_opens(tc);
    const struct uet_in *first = close_unacked(tc, pdc);
    hear(tc, "PDS-197", CLOSE_COMMAND_AGAIN(first), .within = patience(tc, one_rto(tc)));
    say_nack(tc, first, UET_NACK_INV_DPDCID);
    uet_forget_settled(tc);
    silence(tc, "PDS-206", CLOSE_COMMAND_ON(pdc),
            .named = "a Close Command on the PDC that is gone", .within = 6 * one_rto(tc));
    pdc->closed = true;
    next_elsewhere(tc, "PDS-206", pdc);
}

/* The ACK of it, with REQ_CLOSE. */
static struct uet_out ack_and_ask(const struct uet_in *in)
{
    struct uet_out ack = uet_ack(in->pdc, in);

    uet_ack_req_set(ack.pds, UET_ACK_REQ_CLOSE);
    return ack;
}

/* A Close Request, which the FEP acknowledges. */
static void request_close(struct uet_tc *tc, struct uet_pdc *pdc)
{
    struct uet_out request = uet_cp(pdc, UET_CTL_CLOSE_REQUEST);

    say(tc, &request);
    hear(tc, "PDS-208", ACK_OF(&request));
}

UET_TEST(close_request_honoured, .id = "pds.3.5.8.3.close-request-honoured",
         .requirements = "PDS-208", .role = UET_ROLE_INITIATOR,
         .purpose = "On a Close Request the initiator acknowledges it, drains, and closes.",
         .preamble = "A PDC that the FEP opened.",
         .stimulus = "The FEP writes; send a Close Request; then acknowledge the write.",
         .expected = "An ACK of the Close Request, then a Close Command.")
{
    hold_rto(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    const struct uet_in *in = fep_holds(tc, &pdc, NULL);
    request_close(tc, pdc);
    resume_acks(tc, in);
    hear(tc, "PDS-208", CLOSE_COMMAND_ON(pdc));
}

UET_TEST(close_request_again, .id = "pds.3.5.8.3.close-request-again",
         .requirements = "PDS-208 PDS-129", .role = UET_ROLE_INITIATOR,
         .purpose = "An initiator that drains acknowledges a Close Request that comes again.",
         .preamble = "A PDC that the FEP opened; RTO long.",
         .stimulus = "The FEP writes; a Close Request, and again with retx=1; then the ACK of the "
                     "write.",
         .expected = "An ACK of each copy; then one Close Command.")
{
    hold_rto(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    const struct uet_in *in = fep_holds(tc, &pdc, NULL);
    struct uet_out request = uet_cp(pdc, UET_CTL_CLOSE_REQUEST);
    say(tc, &request);
    hear(tc, "PDS-208", ACK_OF(&request));
    ask_anew(tc, "PDS-129", &request);
    resume_acks(tc, in);
    hear(tc, "PDS-208", CLOSE_COMMAND_ON(pdc));
}

UET_TEST(noop_while_draining, .id = "pds.3.5.8.3.noop-while-draining",
         .requirements = "PDS-187 PDS-208", .role = UET_ROLE_INITIATOR, .needs = "cp-noop",
         .purpose = "An initiator that drains acknowledges a NOOP as before.",
         .preamble = "A PDC that the FEP opened; RTO long.",
         .stimulus = "The FEP writes; a Close Request, then a NOOP; then the ACK of the write.",
         .expected = "An ACK of both; then a Close Command.")
{
    hold_rto(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    const struct uet_in *in = fep_holds(tc, &pdc, NULL);
    request_close(tc, pdc);
    struct uet_out noop = uet_cp(pdc, UET_CTL_NOOP);
    ask(tc, "PDS-187", &noop);
    resume_acks(tc, in);
    hear(tc, "PDS-208", CLOSE_COMMAND_ON(pdc));
}

UET_TEST(req_close_honoured, .id = "pds.3.5.11.8.6.req-close-honoured", .requirements = "PDS-209",
         .role = UET_ROLE_INITIATOR,
         .purpose = "REQ_CLOSE in an ACK asks for the same as a Close Request.",
         .preamble = "A PDC that the FEP opened.",
         .stimulus = "The FEP writes; acknowledge with req=REQ_CLOSE.",
         .expected = "A Close Command.")
{
    hold_rto(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    struct uet_out ack = ack_and_ask(fep_holds(tc, &pdc, NULL));
    say(tc, &ack);
    uet_auto_ack(tc, true);
    hear(tc, "PDS-209", CLOSE_COMMAND_ON(pdc));
}

UET_TEST(req_close_in_ack_cc, .id = "pds.3.5.11.8.6.req-close-in-ack-cc", .requirements = "PDS-209",
         .role = UET_ROLE_INITIATOR, .over = "own", .needs = "ack-cc",
         .purpose = "REQ_CLOSE in an ACK_CC asks for the same as a Close Request.",
         .preamble = "A PDC that the FEP opened.",
         .stimulus = "The FEP writes; acknowledge with ACK_CC and req=REQ_CLOSE.",
         .expected = "A Close Command.")
{
    hold_rto(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    const struct uet_in *in = fep_holds(tc, &pdc, NULL);
    pdc->ack_cc = true;
    struct uet_out ack = ack_and_ask(in);
    uet_ack_cc_mpr_set(ack.pds, 8);
    say(tc, &ack);
    uet_auto_ack(tc, true);
    hear(tc, "PDS-209", CLOSE_COMMAND_ON(pdc));
}

UET_TEST(req_close_on_rod, .id = "pds.3.5.11.8.6.req-close-on-rod", .requirements = "PDS-209",
         .role = UET_ROLE_INITIATOR, .needs = "rod", .not_over = "used after-read aged",
         .purpose = "REQ_CLOSE on a ROD PDC asks for the same as a Close Request.",
         .preamble = "RTO long.",
         .stimulus = "The FEP writes 16 bytes over ROD; acknowledge with req=REQ_CLOSE.",
         .expected = "A Close Command.")
{
    struct uet_ut_operation op = uet_op(tc, 16);
    op.mode = UET_UT_MODE_ROD;
    hold_rto(tc);
    uet_auto_ack(tc, false);
    uet_do_write(tc, &op);
    const struct uet_in *in = uet_expect_any_request(tc, NULL);
    struct uet_out ack = ack_and_ask(in);
    say(tc, &ack);
    uet_auto_ack(tc, true);
    hear(tc, "PDS-209", CLOSE_COMMAND_ON(in->pdc));
}

UET_TEST(req_close_drains, .id = "pds.3.5.11.8.6.req-close-drains",
         .requirements = "PDS-209 PDS-201", .role = UET_ROLE_INITIATOR,
         .purpose = "REQ_CLOSE while packets wait for their ACK: they come first.",
         .preamble = "A PDC that the FEP opened; RTO long; of a WRITE of two packets the first is "
                     "acknowledged.",
         .stimulus =
             "The ACK of the first once more, with req=REQ_CLOSE; later that of the second, "
             "with REQ_CLOSE.",
         .expected = "No Close Command before the ACK of the second packet; then one.")
{
    hold_rto(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    const struct uet_in *in = fep_holds(tc, &pdc, NULL);
    struct uet_out ack = ack_and_ask(in), first = ack;
    uet_ack_cack_psn_set(first.pds, psn_of(in) - 1);
    uet_ack_ack_psn_offset_set(first.pds, 0);
    say(tc, &first);
    silence(tc, "PDS-209", CLOSE_COMMAND_ON(pdc), .within = soon(tc));
    say(tc, &ack);
    uet_auto_ack(tc, true);
    hear(tc, "PDS-209", CLOSE_COMMAND_ON(pdc));
}

UET_TEST(req_close_once, .id = "pds.3.5.11.8.6.req-close-once", .requirements = "PDS-209 PDS-208",
         .role = UET_ROLE_INITIATOR,
         .purpose = "REQ_CLOSE need not come again: as a Close Request, one ACK asks for it.",
         .preamble = "A PDC that the FEP opened; RTO long; of a WRITE of two packets the first is "
                     "acknowledged.",
         .stimulus = "The ACK of the first once more, with req=REQ_CLOSE; then that of the second, "
                     "with req=0.",
         .expected = "A Close Command.")
{
    hold_rto(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    const struct uet_in *in = fep_holds(tc, &pdc, NULL);
    struct uet_out first = ack_and_ask(in);
    uet_ack_cack_psn_set(first.pds, psn_of(in) - 1);
    uet_ack_ack_psn_offset_set(first.pds, 0);
    say(tc, &first);
    silence(tc, "PDS-201", CLOSE_COMMAND_ON(pdc), .within = soon(tc));
    resume_acks(tc, in);
    hear(tc, "PDS-209", CLOSE_COMMAND_ON(pdc));
}

UET_TEST(new_message_elsewhere, .id = "pds.3.5.8.3.new-message-elsewhere",
         .requirements = "PDS-202", .role = UET_ROLE_INITIATOR,
         .purpose = "Once closing has begun no new message goes on the PDC.",
         .preamble = "A PDC that the FEP opened, with a message that is not acknowledged yet.",
         .stimulus = "Ask for the close by a Close Request; the FEP starts another write.",
         .expected = "The new message comes on another spdcid, or waits until the close is over.")
{
    hold_rto(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    const struct uet_in *in = fep_holds(tc, &pdc, NULL);
    request_close(tc, pdc);
    struct uet_ut_operation op = uet_op(tc, 16);
    uet_do_write(tc, &op);
    silence(tc, "PDS-202", REQUEST_OF(pdc, psn_of(in) + 1), .within = soon(tc));
    resume_acks(tc, in);
    hear(tc, "PDS-208", CLOSE_COMMAND_ON(pdc));
    in = hear(tc, "PDS-202", REQUEST_ON(NULL));
    uet_check(tc, "PDS-202", in->pdc != pdc, "the new message came on the closing PDC");
}

/* Closing has begun, and a packet is not acknowledged yet: another message comes elsewhere. */
static void next_message_elsewhere(struct uet_tc *tc, struct uet_pdc *pdc, const struct uet_in *in)
{
    struct uet_ut_operation op = uet_op(tc, 16);

    uet_do_write(tc, &op);
    const struct uet_in *here = maybe(tc, REQUEST_OF(pdc, psn_of(in) + 1), .within = soon(tc));
    resume_acks(tc, in);
    if (!maybe(tc, CLOSE_COMMAND_ON(pdc)))
        uet_skip(tc, "the FEP does not close, which is another test's affair");
    uet_check(tc, "PDS-202", !here, "the new message came on the closing PDC");
    in = hear(tc, "PDS-202", REQUEST_ON(NULL));
    uet_check(tc, "PDS-202", in->pdc != pdc, "the new message came on the closing PDC");
}

UET_TEST(elsewhere_after_req_close, .id = "pds.3.5.8.3.new-message-after-req-close",
         .requirements = "PDS-202", .role = UET_ROLE_INITIATOR,
         .purpose = "Once REQ_CLOSE in an ACK asked for the close no new message goes on the PDC.",
         .preamble = "A PDC that the FEP opened, with a message that is not acknowledged yet.",
         .stimulus =
             "The ACK of the packet before again, with req=REQ_CLOSE; the FEP starts another "
             "write.",
         .expected = "The new message comes on another spdcid, or waits until the close is over.")
{
    hold_rto(tc);
    hold_idle(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    const struct uet_in *in = fep_holds(tc, &pdc, NULL);
    struct uet_out ack = ack_at(in, psn_of(in) - 1, psn_of(in) - 1);
    uet_ack_req_set(ack.pds, UET_ACK_REQ_CLOSE);
    say(tc, &ack);
    next_message_elsewhere(tc, pdc, in);
}

UET_TEST(elsewhere_after_wish, .id = "pds.3.5.8.3.new-message-after-local-close",
         .requirements = "PDS-202", .role = UET_ROLE_INITIATOR,
         .purpose = "Once the FEP itself wants to close a PDC no new message goes on it.",
         .preamble = "A PDC that the FEP opened, with a message that is not acknowledged yet.",
         .stimulus = "Ask the FEP to close; it starts another write.",
         .expected = "The new message comes on another spdcid, or waits until the close is over.")
{
    hold_rto(tc);
    hold_idle(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    const struct uet_in *in = fep_holds(tc, &pdc, NULL);
    ask_to_close(tc);
    next_message_elsewhere(tc, pdc, in);
}

UET_TEST(role_of_each_pdc, .id = "pds.3.5.8.3.role-of-each-pdc", .requirements = "PDS-200",
         .role = UET_ROLE_INITIATOR, .needs = "rud any-request",
         .purpose = "Initiator and target are roles on a PDC, not towards a peer.",
         .preamble = "A PDC that the FEP opened, and one that the tester opened.",
         .stimulus = "Ask the FEP for a Close Request on the second.",
         .expected = "A Close Request there, and no Close Command.")
{
    need_pdcs(tc, 2);
    close_req_long(tc);
    fep_opens(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    uet_did(tc, uet_ut_close_request(uet_tc_ut(tc), &p->self), "close_request");
    const struct uet_in *in =
        hear(tc, "PDS-207", CP_ON(p, UET_CTL_CLOSE_REQUEST, UET_CTL_CLOSE_COMMAND),
             .named = "CP CLOSE_REQUEST");
    field(tc, "PDS-200", in, UET_F_PDS_CTL_TYPE, UET_CTL_CLOSE_REQUEST);
    silence(tc, "PDS-200", CLOSE_COMMAND_ON(p), .within = soon(tc));
}
