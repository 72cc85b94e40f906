/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.12.7, 3.5.16.2: what a source does with the NACK that answers its ACK Request. */
#include "conformance/tests/pds.h"

/* The FEP asks for the ACK of its third packet; the packet, and the NACK of it is sent. */
static const struct uet_in *ask_refused(struct uet_tc *tc, struct uet_pdc **pdc, uint8_t code,
                                        uint64_t *handle)
{
    const struct uet_in *in[3];

    uet_preamble_begin(tc);
    *pdc = fep_opens(tc);
    if (!fep_asks(tc, pdc, in, handle))
        uet_skip(tc, "the FEP sends no ACK Request for a PSN known from SACK, as it may (PDS-116)");
    uet_preamble_end(tc);
    struct uet_out nack = uet_nack(*pdc, uet_packet_psn(&in[2]->packet), code);
    uet_forget_settled(tc);
    uet_send(tc, &nack);
    return in[2];
}

/* The packet comes again with its data, and with its acknowledgment all is done. */
static void resent_and_done(struct uet_tc *tc, const char *requirement, uint8_t code)
{
    struct uet_pdc *pdc;
    uint64_t handle;
    const struct uet_in *third = ask_refused(tc, &pdc, code, &handle);
    const struct uet_want again = resend_of(pdc, uet_packet_psn(&third->packet));

    uet_for(tc, requirement);
    const struct uet_in *in =
        uet_expect(tc, &again, patience(tc, uet_tc_latest(tc, uet_tc_param(tc, "NACK_Retx_Time"))));
    uet_check_eq(tc, requirement, "pds.flags.retx", uet_rud_rod_req_retx(uet_pds(&in->packet)), 1);
    uet_check_eq(tc, requirement, "ses.message_offset", uet_ses_message_offset(&in->packet),
                 uet_ses_message_offset(&third->packet));
    acknowledge(tc, pdc, in);
    uet_auto_ack(tc, true);
    struct uet_ut_completion c = uet_expect_completion(tc, handle);
    uet_check_eq(tc, requirement, "completion status", c.status, UET_UT_OK);
}

UET_TEST(pkt_not_rcvd_resends, .id = "pds.3.5.12.7.pkt-not-rcvd-resends", .requirements = "PDS-143",
         .role = UET_ROLE_INITIATOR, .needs = "ack-cc", .params = "RTO_Init_Time NACK_Retx_Time",
         .purpose = "An ACK Request answered with UET_PKT_NOT_RCVD: the packet is sent again.",
         .preamble = "A PDC that the FEP opened; it asks for the ACK of a PSN known from SACK.",
         .stimulus = "NACK 0x12 for that PSN.",
         .expected = "The original PSN with its data and retx=1; acknowledged, the write is done.")
{
    resent_and_done(tc, "PDS-143", UET_NACK_PKT_NOT_RCVD);
}

UET_TEST(ack_with_data_resends, .id = "pds.3.5.12.7.ack-with-data-resends",
         .requirements = "PDS-142", .role = UET_ROLE_INITIATOR, .needs = "ack-cc",
         .params = "RTO_Init_Time NACK_Retx_Time",
         .purpose = "An ACK Request answered with UET_ACK_WITH_DATA: the packet is sent again.",
         .preamble = "A PDC that the FEP opened; it asks for the ACK of a PSN known from SACK.",
         .stimulus = "NACK 0x14 for that PSN.",
         .expected = "The original PSN with its data and retx=1; acknowledged, the write is done.")
{
    resent_and_done(tc, "PDS-142", UET_NACK_ACK_WITH_DATA);
}

UET_TEST(ses_processing_then_ack, .id = "pds.3.5.12.7.ses-processing-then-ack",
         .requirements = "PDS-144", .role = UET_ROLE_INITIATOR, .contested = true,
         .claim_binds = true,
         .purpose = "UET_RCVD_SES_PROCG fails nothing: the ACK may be on its way.",
         .preamble = "A PDC that the FEP opened; RTO long.",
         .stimulus = "The FEP writes; NACK 0x18, and then the ACK.",
         .expected = "At most one resend; the write completes on this PDC.")
{
    hold_rto(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    uint64_t handle;
    uet_auto_ack(tc, false);
    const struct uet_in *in = fep_writes_on(tc, &pdc, 16, &handle);
    struct uet_out nack = uet_nack(pdc, uet_packet_psn(&in->packet), UET_NACK_RCVD_SES_PROCG);
    uet_send(tc, &nack);
    acknowledge(tc, pdc, in);
    uet_auto_ack(tc, true);
    struct uet_ut_completion c = uet_expect_completion(tc, handle);
    uet_check(tc, "PDS-144", c.status == UET_UT_OK,
              "the write failed although its packet was acknowledged");
    const struct uet_want again = resend_of(pdc, uet_packet_psn(&in->packet));
    uint64_t late = uet_tc_latest(tc, uet_tc_param(tc, "NACK_Retx_Time"));
    uet_check(tc, "PDS-144", !uet_maybe(tc, &again, late) || !uet_maybe(tc, &again, late),
              "two resends of a packet that was acknowledged");
}

UET_TEST(ses_processing_ack_lost, .id = "pds.3.5.12.7.ses-processing-ack-lost",
         .requirements = "PDS-144", .role = UET_ROLE_INITIATOR, .contested = true,
         .claim_binds = true, .params = "RTO_Init_Time",
         .purpose = "UET_RCVD_SES_PROCG is no ACK: the source goes on waiting for one.",
         .preamble = "A PDC that the FEP opened.",
         .stimulus = "The FEP writes; NACK 0x18, and no ACK.",
         .expected = "A resend, by the RTO at the latest, or an ACK Request; no completion before "
                     "the ACK.")
{
    static const uint8_t ack_request = UET_CTL_ACK_REQUEST;
    uet_need_retries(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    struct uet_ut_completion c;
    uint64_t handle;
    uet_auto_ack(tc, false);
    const struct uet_in *in = fep_writes_on(tc, &pdc, 16, &handle);
    struct uet_out nack = uet_nack(pdc, uet_packet_psn(&in->packet), UET_NACK_RCVD_SES_PROCG);
    const struct uet_want again = resend_of(pdc, uet_packet_psn(&in->packet));
    const struct uet_want ask = {
        .kind = UET_WANT_CP, .pdc = pdc, .codes = &ack_request, .n_codes = 1};
    uet_send(tc, &nack);
    uet_check(tc, "PDS-144",
              uet_maybe(tc, &again, patience(tc, one_rto(tc))) || uet_maybe(tc, &ask, UET_US),
              "nothing more came of a packet that was not acknowledged");
    uet_check(tc, "PDS-144", !uet_completion(tc, handle, UET_US, &c),
              "the write was done before its ACK");
    acknowledge(tc, pdc, in);
    uet_auto_ack(tc, true);
}

/* After a NACK of this code for its packet the write completes all the same. */
static void survives(struct uet_tc *tc, struct uet_pdc *pdc, uint8_t code)
{
    uint64_t handle;
    uet_auto_ack(tc, false);
    const struct uet_in *in = fep_writes_on(tc, &pdc, 16, &handle);
    struct uet_out nack = uet_nack(pdc, uet_packet_psn(&in->packet), code);
    uet_send(tc, &nack);
    uet_auto_ack(tc, true);
    const struct uet_want again = {
        .kind = UET_WANT_REQUEST, .named = "the packet again", .again = true};
    in = uet_expect(tc, &again, patience(tc, one_rto(tc)) + uet_tc_dut(tc)->response_time_ns);
    if (in->pdc != pdc)
        uet_note(tc, "PDS-153", "the packet comes again on a new PDC");
    struct uet_ut_completion c = uet_expect_completion(tc, handle);
    uet_check_eq(tc, "PDS-153", "completion status", c.status, UET_UT_OK);
}

UET_TEST(experimental_nacks, .id = "pds.3.5.12.7.experimental-nacks", .requirements = "PDS-153",
         .role = UET_ROLE_INITIATOR, .needs = "experimental-nacks", .claim_binds = true,
         .purpose = "Experimental NACK codes are handled by their class or ignored.",
         .preamble = "A PDC that the FEP opened.",
         .stimulus = "NACK 0xFD, and for another packet 0xFE, with a valid nack_psn.",
         .expected = "The packet comes again (by the RTO at the latest) and its write completes.")
{
    struct uet_pdc *pdc = fep_opens(tc);
    survives(tc, pdc, UET_NACK_EXP_NACK_NORMAL);
    survives(tc, pdc, UET_NACK_EXP_NACK_ERR);
}

UET_TEST(trimmed_nack_resends, .id = "pds.3.5.15.trimmed-nack-resends",
         .requirements = "PDS-226 PDS-227", .role = UET_ROLE_INITIATOR, .params = "NACK_Retx_Time",
         .purpose = "A trimming NACK makes the source resend that PSN.",
         .preamble = "A PDC that the FEP opened; RTO long.",
         .stimulus = "NACK UET_TRIMMED for one packet, UET_TRIMMED_LASTHOP for another.",
         .expected = "Each PSN again with retx=1, long before the RTO; both writes complete.")
{
    static const uint8_t codes[] = {UET_NACK_TRIMMED, UET_NACK_TRIMMED_LASTHOP};

    hold_rto(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    for (size_t i = 0; i < 2; i++) {
        uint64_t handle;
        uet_auto_ack(tc, false);
        const struct uet_in *in = fep_writes_on(tc, &pdc, 16, &handle);
        struct uet_out nack = uet_nack(pdc, uet_packet_psn(&in->packet), codes[i]);
        uet_send(tc, &nack);
        const struct uet_want again = resend_of(pdc, nack.psn);
        uint64_t due = uet_tc_latest(tc, uet_tc_param(tc, "NACK_Retx_Time"));
        in = uet_expect(tc, &again, patience(tc, due));
        uet_check_eq(tc, "PDS-226", "pds.flags.retx", uet_rud_rod_req_retx(uet_pds(&in->packet)),
                     1);
        acknowledge(tc, pdc, in);
        uet_auto_ack(tc, true);
        struct uet_ut_completion c = uet_expect_completion(tc, handle);
        uet_check_eq(tc, "PDS-227", "completion status", c.status, UET_UT_OK);
    }
}
