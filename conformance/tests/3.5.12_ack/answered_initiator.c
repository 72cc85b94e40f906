/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.12.7, 3.5.16.2: what a source does with the NACK that answers its ACK Request. */
#include "conformance/harness/steps/acks.h"
#include "conformance/tests/pds.h"

/* The FEP asks for the ACK of its third packet, and gets a NACK of it; the packet. */
static const struct uet_in *ask_refused(struct uet_tc *tc, uint8_t code, uint64_t *handle)
{
    const struct uet_in *in[3];

    uet_preamble_begin(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    if (!fep_asks(tc, &pdc, in, handle))
        uet_skip(tc, "the FEP sends no ACK Request for a PSN known from SACK, as it may (PDS-116)");
    uet_preamble_end(tc);
    uet_forget_settled(tc);
    say_nack(tc, in[2], code);
    return in[2];
}

/* The packet comes again with its data, and with its acknowledgment all is done. */
static void resent_and_done(struct uet_tc *tc, const char *requirement, uint8_t code)
{
    uint64_t handle;
    const struct uet_in *third = ask_refused(tc, code, &handle);
    const struct uet_in *in =
        hear(tc, requirement, RESEND_OF(third), .within = patience(tc, nack_delay(tc)));

    field(tc, requirement, in, UET_F_PDS_RETX, 1);
    field(tc, requirement, in, UET_F_SES_MESSAGE_OFFSET,
          value_of(tc, third, UET_F_SES_MESSAGE_OFFSET));
    resume_acks(tc, in);
    completes(tc, requirement, handle, UET_UT_OK);
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
    uint64_t handle, late = nack_delay(tc);
    const struct uet_in *in = fep_writes_unanswered(tc, &pdc, &handle);
    say_nack(tc, in, UET_NACK_RCVD_SES_PROCG);
    resume_acks(tc, in);
    completes(tc, "PDS-144", handle, UET_UT_OK);
    if (maybe(tc, RESEND_OF(in), .within = late)) /* it was on its way when the ACK was */
        silence(tc, "PDS-144", RESEND_OF(in), .within = late);
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
    uet_need_retries(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    uint64_t handle;
    const struct uet_in *in = fep_writes_unanswered(tc, &pdc, &handle);
    say_nack(tc, in, UET_NACK_RCVD_SES_PROCG);
    uet_check(tc, "PDS-144",
              maybe(tc, RESEND_OF(in), .within = patience(tc, one_rto(tc))) ||
                  maybe(tc, CP_ON(pdc, UET_CTL_ACK_REQUEST), .within = UET_US),
              "nothing more came of a packet that was not acknowledged");
    stays_open(tc, "PDS-144", handle, UET_US);
    resume_acks(tc, in);
}

/* After a NACK of this code for its packet the write completes all the same. */
static void survives(struct uet_tc *tc, struct uet_pdc *pdc, uint8_t code)
{
    uint64_t handle, late = patience(tc, one_rto(tc)) + uet_tc_dut(tc)->response_time_ns;
    const struct uet_in *in = fep_writes_unanswered(tc, &pdc, &handle);

    say_nack(tc, in, code);
    uet_auto_ack(tc, true);
    if (hear(tc, "PDS-153", MESSAGE_AGAIN, .within = late)->pdc != pdc)
        uet_note(tc, "PDS-153", "the packet comes again on a new PDC");
    completes(tc, "PDS-153", handle, UET_UT_OK);
}

UET_TEST(experimental_nacks, .id = "pds.3.5.12.7.experimental-nacks", .requirements = "PDS-153",
         .role = UET_ROLE_INITIATOR, .needs = "experimental-nacks", .claim_binds = true,
         .not_over = "draining",
         .purpose = "Experimental NACK codes are handled by their class or ignored.",
         .preamble = "A PDC that the FEP opened.",
         .stimulus = "NACK 0xFD, and for another packet 0xFE, with a valid nack_psn.",
         .expected = "The packet comes again (by the RTO at the latest) and its write completes.")
{
    struct uet_pdc *pdc = fep_opens(tc);
    survives(tc, pdc, UET_NACK_EXP_NACK_NORMAL);
    survives(tc, pdc, UET_NACK_EXP_NACK_ERR);
}

/* A trimming NACK: the packet again, and with its acknowledgment all is done. */
static void trimmed_then_resent(struct uet_tc *tc, struct uet_pdc *pdc, uint8_t code)
{
    uint64_t handle;
    const struct uet_in *in = copy_to_refuse(tc, fep_writes_unanswered(tc, &pdc, &handle));

    say_nack(tc, in, code);
    in = hear(tc, "PDS-226", RESEND_OF(in), .within = patience(tc, nack_delay(tc)));
    field(tc, "PDS-226", in, UET_F_PDS_RETX, 1);
    resume_acks(tc, in);
    completes(tc, "PDS-227", handle, UET_UT_OK);
}

UET_TEST(trimmed_nack_resends, .id = "pds.3.5.15.trimmed-nack-resends",
         .requirements = "PDS-226 PDS-227", .role = UET_ROLE_INITIATOR, .not_over = "draining",
         .params = "NACK_Retx_Time", .purpose = "A trimming NACK makes the source resend that PSN.",
         .preamble = "A PDC that the FEP opened; RTO long.",
         .stimulus = "NACK UET_TRIMMED for one packet, UET_TRIMMED_LASTHOP for another.",
         .expected = "Each PSN again with retx=1, long before the RTO; both writes complete.")
{
    hold_rto(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    trimmed_then_resent(tc, pdc, UET_NACK_TRIMMED);
    trimmed_then_resent(tc, pdc, UET_NACK_TRIMMED_LASTHOP);
}

UET_TEST(trimmed_syn_resent, .id = "pds.3.5.15.trimmed-syn-resent",
         .not_over = "used after-read aged", .requirements = "PDS-226 PDS-227",
         .role = UET_ROLE_INITIATOR, .params = "NACK_Retx_Time",
         .purpose = "A trimming NACK of a PDC's first packet counts though it names no PDC.",
         .preamble = "RTO long.",
         .stimulus = "The FEP writes and so opens a PDC; NACK UET_TRIMMED with spdcid 0.",
         .expected = "The PSN again with retx=1, long before the RTO; the write completes.")
{
    struct uet_pdc *pdc;
    uint64_t handle;
    hold_rto(tc);
    uet_auto_ack(tc, false);
    const struct uet_in *in = fep_writes(tc, 16, &pdc, &handle);
    struct uet_out nack = uet_nack(pdc, psn_of(in), UET_NACK_TRIMMED);
    uet_nack_spdcid_set(nack.pds, 0); /* what was trimmed opens no PDC (PDS-044) */
    say(tc, &nack);
    in = hear(tc, "PDS-226", RESEND_OF(in), .within = patience(tc, nack_delay(tc)));
    field(tc, "PDS-226", in, UET_F_PDS_RETX, 1);
    resume_acks(tc, in);
    completes(tc, "PDS-227", handle, UET_UT_OK);
}

UET_TEST(trimmed_again, .id = "pds.3.5.15.trimmed-again", .requirements = "PDS-226",
         .role = UET_ROLE_INITIATOR, .not_over = "own",
         .params = "NACK_Retx_Time Max_NACK_Retx_Cnt",
         .purpose = "A resend that is trimmed, too, comes again as the first did.",
         .preamble = "A PDC that the FEP opened; RTO long.",
         .stimulus = "NACK UET_TRIMMED for a packet, and for each of two resends of it.",
         .expected = "A resend after each of them, long before the RTO; the write completes.")
{
    if (uet_tc_param(tc, "Max_NACK_Retx_Cnt") < 3)
        uet_set_param(tc, "Max_NACK_Retx_Cnt", 3);
    hold_rto(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    uint64_t handle;
    const struct uet_in *in = fep_writes_unanswered(tc, &pdc, &handle);
    for (int i = 0; i < 3; i++) {
        say_nack(tc, in, UET_NACK_TRIMMED);
        in = hear(tc, "PDS-226", RESEND_OF(in), .within = patience(tc, nack_delay(tc)));
    }
    resume_acks(tc, in);
    completes(tc, "PDS-226", handle, UET_UT_OK);
}
