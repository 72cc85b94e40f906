/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.8.3: how an initiator closes. */
#include "conformance/tests/pds.h"

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
    static const uint8_t types[] = {UET_CTL_CLOSE_COMMAND, UET_CTL_NOOP, UET_CTL_NEGOTIATION};
    const struct uet_want want = {.kind = UET_WANT_CP,
                                  .pdc = pdc,
                                  .codes = types,
                                  .n_codes = sizeof(types),
                                  .named = "CP CLOSE_COMMAND"};
    uet_auto_ack(tc, false);
    ask_to_close(tc);
    for (;;) {
        const struct uet_in *in = uet_expect(tc, &want, 0);
        if (uet_cp_ctl_type(uet_pds(&in->packet)) == UET_CTL_CLOSE_COMMAND)
            return in;
        struct uet_out ack = uet_ack(pdc, in);
        uet_send(tc, &ack);
    }
}

UET_TEST(close_command_fields, .id = "pds.3.5.8.3.close-command-fields",
         .requirements = "PDS-199 PDS-198 PDS-188", .role = UET_ROLE_INITIATOR,
         .purpose = "The initiator closes with a Close Command: next PSN, ar=1, payload 0.",
         .preamble = "An idle PDC that the FEP opened.", .stimulus = "Ask the FEP to close it.",
         .expected = "Close Command with psn = last PSN + 1, ar=1, payload 0.")
{
    struct uet_pdc *pdc = fep_opens(tc);
    ask_to_close(tc);
    const struct uet_in *in = uet_expect_cp(tc, pdc, UET_CTL_CLOSE_COMMAND);
    const uint8_t *pds = uet_pds(&in->packet);
    /* All PSNs up to cack came without a gap, and this one is the last. */
    uet_check_eq(tc, "PDS-199", "pds.psn", uet_cp_psn(pds), pdc->cack);
    uet_check_eq(tc, "PDS-199", "pds.flags.ar", uet_cp_ar(pds), 1);
    uet_check_eq(tc, "PDS-198", "payload", uet_cp_payload_value(pds), 0);
    uet_check_eq(tc, "PDS-188", "pds.flags.isrod", uet_cp_isrod(pds), 0);
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
    static const uint8_t close = UET_CTL_CLOSE_COMMAND;
    struct uet_want command = {
        .kind = UET_WANT_CP, .pdc = pdc, .codes = &close, .n_codes = 1, .named = "a Close Command"};
    uet_auto_ack(tc, false);
    const struct uet_in *in = fep_writes_on(tc, &pdc, 16, NULL);
    command.pdc = pdc;
    ask_to_close(tc);
    uet_expect_nothing(tc, "PDS-201", &command, uet_tc_quiet(tc) / 4);
    acknowledge(tc, pdc, in);
    uet_auto_ack(tc, true);
    uet_expect(tc, &command, 0);
}

UET_TEST(close_is_resent, .id = "pds.3.5.16.close-is-resent", .requirements = "PDS-197",
         .role = UET_ROLE_INITIATOR,
         .purpose = "A Close Command is retransmitted like a Request until acknowledged.",
         .preamble = "An idle PDC that the FEP opened.",
         .stimulus = "Ask the FEP to close; do not acknowledge the Close Command.",
         .expected = "It comes again with the same PSN and retx=1.")
{
    static const uint8_t close = UET_CTL_CLOSE_COMMAND; /* CPs without a PSN have 0 there */
    struct uet_pdc *pdc = fep_opens(tc);
    const struct uet_in *first = close_unacked(tc, pdc);
    const struct uet_want again = {.kind = UET_WANT_CP,
                                   .pdc = pdc,
                                   .codes = &close,
                                   .n_codes = 1,
                                   .with_psn = true,
                                   .psn = uet_packet_psn(&first->packet),
                                   .named = "the Close Command again",
                                   .again = true};
    const struct uet_in *in = uet_expect(tc, &again, patience(tc, one_rto(tc)));
    uet_check_eq(tc, "PDS-197", "pds.flags.retx", uet_cp_retx(uet_pds(&in->packet)), 1);
    acknowledge(tc, pdc, in);
    uet_auto_ack(tc, true);
}

UET_TEST(no_resend_after_close_ack, .id = "pds.3.5.8.3.no-resend-after-close-ack",
         .requirements = "PDS-205", .role = UET_ROLE_INITIATOR,
         .purpose = "The initiator frees the PDC when the ACK covers the close PSN.",
         .preamble = "An idle PDC that the FEP opened.",
         .stimulus = "Ask the FEP to close; acknowledge the Close Command; wait several RTOs.",
         .expected = "Nothing more on that PDC.")
{
    struct uet_pdc *pdc = fep_opens(tc);
    ask_to_close(tc);
    uet_expect_cp(tc, pdc, UET_CTL_CLOSE_COMMAND);
    uet_forget_settled(tc);
    const struct uet_want any = {.pdc = pdc, .named = "a packet on the closed PDC"};
    uet_expect_nothing(tc, "PDS-205", &any, 3 * one_rto(tc));
}

UET_TEST(lost_close_ack, .id = "pds.3.5.8.3.lost-close-ack", .requirements = "PDS-206",
         .role = UET_ROLE_INITIATOR,
         .purpose = "A lost Close ACK is survived: INV_DPDCID to the resend ends the PDC.",
         .preamble = "An idle PDC that the FEP opened.",
         .stimulus = "Ask the FEP to close; answer the resent Close Command with NACK 0x0E, "
                     "spdcid=0.",
         .expected = "No further resend.")
{
    struct uet_pdc *pdc = fep_opens(tc);
    const struct uet_in *first = close_unacked(tc, pdc);
    uint32_t psn = uet_packet_psn(&first->packet);
    const struct uet_want again = {.kind = UET_WANT_CP,
                                   .pdc = pdc,
                                   .with_psn = true,
                                   .psn = psn,
                                   .named = "the Close Command again",
                                   .again = true};
    uet_expect(tc, &again, patience(tc, one_rto(tc)));
    struct uet_out nack = uet_nack(pdc, psn, UET_NACK_INV_DPDCID);
    uet_nack_spdcid_set(nack.pds, 0);
    uet_send(tc, &nack);
    uet_forget_settled(tc);
    uet_expect_nothing(tc, "PDS-206", &again, 6 * one_rto(tc));
}

/* REQ_CLOSE or Close Request while a message is running: it ends here, the next goes elsewhere. */
static void asked_to_close(struct uet_tc *tc, const char *requirement, bool by_cp)
{
    hold_rto(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    const struct uet_in *in = fep_holds(tc, &pdc, NULL);
    if (by_cp) {
        struct uet_out request = uet_cp(pdc, UET_CTL_CLOSE_REQUEST);
        uet_send(tc, &request);
        uet_expect_ack(tc, pdc, request.psn);
        acknowledge(tc, pdc, in);
    } else {
        struct uet_out ack = uet_ack(pdc, in);
        uet_ack_req_set(ack.pds, UET_ACK_REQ_CLOSE);
        uet_send(tc, &ack);
    }
    uet_auto_ack(tc, true);
    uet_for(tc, requirement);
    uet_expect_cp(tc, pdc, UET_CTL_CLOSE_COMMAND);
}

UET_TEST(close_request_honoured, .id = "pds.3.5.8.3.close-request-honoured",
         .requirements = "PDS-208", .role = UET_ROLE_INITIATOR,
         .purpose = "On a Close Request the initiator acknowledges it, drains, and closes.",
         .preamble = "A PDC that the FEP opened.",
         .stimulus = "The FEP writes; send a Close Request; then acknowledge the write.",
         .expected = "An ACK of the Close Request, then a Close Command.")
{
    asked_to_close(tc, "PDS-208", true);
}

UET_TEST(req_close_honoured, .id = "pds.3.5.11.8.6.req-close-honoured", .requirements = "PDS-209",
         .role = UET_ROLE_INITIATOR,
         .purpose = "REQ_CLOSE in an ACK asks for the same as a Close Request.",
         .preamble = "A PDC that the FEP opened.",
         .stimulus = "The FEP writes; acknowledge with req=REQ_CLOSE.",
         .expected = "A Close Command.")
{
    asked_to_close(tc, "PDS-209", false);
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
    static const uint8_t close = UET_CTL_CLOSE_COMMAND;
    hold_rto(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    const struct uet_in *in = fep_holds(tc, &pdc, NULL);
    const struct uet_want early = {.kind = UET_WANT_CP,
                                   .pdc = pdc,
                                   .codes = &close,
                                   .n_codes = 1,
                                   .named = "a Close Command while a packet is outstanding"};
    struct uet_out ack = uet_ack(pdc, in), first = ack;
    uet_ack_cack_psn_set(first.pds, uet_packet_psn(&in->packet) - 1);
    uet_ack_ack_psn_offset_set(first.pds, 0);
    uet_ack_req_set(first.pds, UET_ACK_REQ_CLOSE);
    uet_ack_req_set(ack.pds, UET_ACK_REQ_CLOSE);
    uet_send(tc, &first);
    uet_expect_nothing(tc, "PDS-209", &early, uet_tc_quiet(tc) / 4);
    uet_send(tc, &ack);
    uet_auto_ack(tc, true);
    uet_for(tc, "PDS-209");
    uet_expect_cp(tc, pdc, UET_CTL_CLOSE_COMMAND);
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
    struct uet_out request = uet_cp(pdc, UET_CTL_CLOSE_REQUEST);
    uet_send(tc, &request);
    uet_expect_ack(tc, pdc, request.psn);
    struct uet_ut_operation op = uet_op(tc, 16);
    uet_do_write(tc, &op);
    const struct uet_want here = {.kind = UET_WANT_REQUEST,
                                  .pdc = pdc,
                                  .with_psn = true,
                                  .psn = uet_packet_psn(&in->packet) + 1,
                                  .named = "a new Request on the closing PDC"};
    uet_expect_nothing(tc, "PDS-202", &here, uet_tc_quiet(tc) / 4);
    acknowledge(tc, pdc, in);
    uet_auto_ack(tc, true);
    uet_expect_cp(tc, pdc, UET_CTL_CLOSE_COMMAND);
    in = uet_expect_any_request(tc, NULL);
    uet_check(tc, "PDS-202", in->pdc != pdc, "the new message came on the closing PDC");
    acknowledge(tc, in->pdc, in);
}
