/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.12, 3.5.16: how a source takes ACKs, SACKs and clears. */
#include "conformance/tests/pds.h"

static const uint8_t clear_command = UET_CTL_CLEAR_COMMAND;

/* An ACK with an error response, which wants a clear: CACK stays before it (PDS-077). */
static struct uet_out error_ack(struct uet_pdc *pdc, const struct uet_in *in)
{
    struct uet_out ack =
        uet_ack_with(pdc, in, UET_RSP_RESPONSE, UET_LIST_EXPECTED, UET_RC_BAD_MKEY);
    uet_ack_req_set(ack.pds, UET_ACK_REQ_CLEAR);
    uet_ack_cack_psn_set(ack.pds, uet_packet_psn(&in->packet) - 1);
    uet_ack_ack_psn_offset_set(ack.pds, 1);
    return ack;
}

struct cleared {
    uint32_t psn;
};

/* A Clear Command for that PSN, not an older one; or the Close Command, which clears it too. */
static bool clears(const struct uet_in *in, const void *ctx)
{
    const struct cleared *want = ctx;
    const uint8_t *h = uet_pds(&in->packet);

    if (uet_cp_ctl_type(h) == UET_CTL_CLOSE_COMMAND)
        return true;
    return uet_cp_ctl_type(h) == UET_CTL_CLEAR_COMMAND &&
           uet_psn_diff(uet_cp_payload_value(h), want->psn) >= 0;
}

UET_TEST(error_of_one_only, .id = "pds.3.5.20.2.3.error-of-one-only", .requirements = "PDS-110",
         .role = UET_ROLE_INITIATOR,
         .purpose = "An error response is of its ACK_PSN; what CACK_PSN covers has succeeded.",
         .preamble = "A PDC that the FEP opened; RTO long.",
         .stimulus = "The FEP writes 16 bytes twice; one ACK with an error response for the "
                     "second packet, CACK_PSN the first.",
         .expected = "The first write ends well, the second in error.")
{
    uint64_t handle;
    struct uet_ut_completion c;
    hold_rto(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    uet_auto_ack(tc, false);
    fep_writes_on(tc, &pdc, 16, &handle);
    struct uet_ut_operation op = uet_op(tc, 16);
    uint64_t second = uet_do_write(tc, &op);
    const struct uet_in *in = uet_next_request(tc, pdc);
    if (!in)
        uet_skip(tc, "the FEP has one message outstanding on a PDC, as it may");
    struct uet_out ack = error_ack(pdc, in);
    uet_send(tc, &ack);
    uet_auto_ack(tc, true);
    c = uet_expect_completion(tc, handle);
    uet_check_eq(tc, "PDS-110", "completion status of the first write", c.status, UET_UT_OK);
    c = uet_expect_completion(tc, second);
    uet_check(tc, "PDS-110", c.status != UET_UT_OK, "the second write was reported as done");
}

UET_TEST(clear_command_when_idle, .id = "pds.3.5.16.3.1.clear-command-when-idle",
         .requirements = "PDS-080 PDS-082 PDS-094", .role = UET_ROLE_INITIATOR,
         .purpose = "REQ_CLEAR with nothing left to send makes the initiator send a Clear Command.",
         .preamble = "A PDC that the FEP opened.",
         .stimulus = "The FEP writes 16 bytes; answer with an error response and req=REQ_CLEAR.",
         .expected = "Clear Command: psn 0, ar 0, payload = that PSN.")
{
    struct uet_pdc *pdc = fep_opens(tc);
    uet_auto_ack(tc, false);
    const struct uet_in *in = fep_writes_on(tc, &pdc, 16, NULL);
    uint32_t psn = uet_packet_psn(&in->packet);
    struct uet_out ack = error_ack(pdc, in);
    uet_send(tc, &ack);
    const struct cleared want = {psn};
    const struct uet_want command = {
        .kind = UET_WANT_CP, .pdc = pdc, .also = clears, .ctx = &want, .named = "Clear Command"};
    in = uet_expect(tc, &command, 0);
    if (uet_cp_ctl_type(uet_pds(&in->packet)) == UET_CTL_CLOSE_COMMAND) {
        uet_note(tc, "PDS-080", "the FEP closes the PDC, which clears all (3.5.8.3)");
        return;
    }
    const uint8_t *pds = uet_pds(&in->packet);
    uet_check(tc, "PDS-080", uet_psn_diff(uet_cp_payload_value(pds), psn) >= 0,
              "the Clear Command is for 0x%08x, below the PSN 0x%08x that wants it",
              uet_cp_payload_value(pds), psn);
    uet_check_eq(tc, "PDS-094", "CLEAR_PSN", uet_cp_payload_value(pds), psn);
    uet_check_eq(tc, "PDS-082", "pds.psn", uet_cp_psn(pds), 0);
    uet_check_eq(tc, "PDS-082", "pds.flags.ar", uet_cp_ar(pds), 0);
    uet_check_eq(tc, "PDS-082", "pds.flags.retx", uet_cp_retx(pds), 0);
}

UET_TEST(clear_request_answered, .id = "pds.3.5.16.3.clear-request-answered",
         .requirements = "PDS-085", .role = UET_ROLE_INITIATOR,
         .purpose = "A Clear Request is answered with a Clear Command or by the next Request.",
         .preamble = "A PDC that the FEP opened; an error response was cleared, and the Clear "
                     "Command is taken as lost.",
         .stimulus = "Send a Clear Request for that PSN.",
         .expected = "A Clear Command that covers it.")
{
    struct uet_pdc *pdc = fep_opens(tc);
    uet_auto_ack(tc, false);
    const struct uet_in *in = fep_writes_on(tc, &pdc, 16, NULL);
    uint32_t psn = uet_packet_psn(&in->packet);
    struct uet_out ack = error_ack(pdc, in);
    uet_send(tc, &ack);
    const struct cleared cleared = {psn};
    const struct uet_want command = {
        .kind = UET_WANT_CP, .pdc = pdc, .also = clears, .ctx = &cleared, .named = "Clear Command"};
    uet_expect(tc, &command, 0);
    uet_forget_settled(tc);
    struct uet_out request = uet_cp(pdc, UET_CTL_CLEAR_REQUEST);
    uet_cp_payload_value_set(request.pds, psn);
    uet_send(tc, &request);
    uet_expect(tc, &command, 0);
}

UET_TEST(clear_command_not_repeated, .id = "pds.3.5.16.3.1.clear-command-not-repeated",
         .requirements = "PDS-082", .role = UET_ROLE_INITIATOR,
         .purpose = "A Clear Command is not tracked: it is not retransmitted.",
         .preamble = "A PDC that the FEP opened; a Clear Command was provoked.",
         .stimulus = "Say nothing for several RTOs.",
         .expected = "No second Clear Command; one by PDS_Clear_Time (PDS-231) is a finding.")
{
    struct uet_pdc *pdc = fep_opens(tc);
    uet_auto_ack(tc, false);
    const struct uet_in *in = fep_writes_on(tc, &pdc, 16, NULL);
    struct uet_out ack = error_ack(pdc, in);
    uet_send(tc, &ack);
    uint64_t first = uet_expect_cp(tc, pdc, UET_CTL_CLEAR_COMMAND)->time_ns;
    const struct uet_want again = {.kind = UET_WANT_CP,
                                   .pdc = pdc,
                                   .codes = &clear_command,
                                   .n_codes = 1,
                                   .named = "another Clear Command"};
    in = uet_maybe(tc, &again, 2 * one_rto(tc));
    if (!in) /* that it says retx=0 is for the rules to see */
        return;
    uint64_t clear_time;
    bool known = uet_dut_param(uet_tc_dut(tc), "PDS_Clear_Time", &clear_time) ||
                 uet_ut_param(uet_tc_ut(tc), "PDS_Clear_Time", &clear_time) == 0;
    uet_look_at(tc, in);
    uet_check(tc, "PDS-082", !known || (clear_time > 0 && in->time_ns - first >= clear_time / 2),
              "a Clear Command came again after %.3f ms: PDS_Clear_Time, %.3f ms, did not bring it",
              (double)(in->time_ns - first) / 1e6, (double)clear_time / 1e6);
    uet_other_reading(tc, "PDS-082", "a Clear Command came again: by PDS_Clear_Time?");
}

UET_TEST(clear_command_by_time, .id = "pds.3.5.5.clear-command-by-time", .requirements = "PDS-231",
         .role = UET_ROLE_INITIATOR, .claim_binds = true,
         .purpose = "PDS_Clear_Time may bring the Clear Command.",
         .preamble = "PDS_Clear_Time of the FEP set to 5 ms; a PDC that it opened.",
         .stimulus = "The FEP writes 16 bytes; answer with an error response and req=REQ_CLEAR.",
         .expected = "A Clear Command for that PSN, 5 ms later at the latest.")
{
    uet_set_param(tc, "PDS_Clear_Time", 5 * UET_MS);
    struct uet_pdc *pdc = fep_opens(tc);
    uet_auto_ack(tc, false);
    const struct uet_in *in = fep_writes_on(tc, &pdc, 16, NULL);
    const struct cleared psn = {uet_packet_psn(&in->packet)};
    struct uet_out ack = error_ack(pdc, in);
    uet_send(tc, &ack);
    const struct uet_want command = {
        .kind = UET_WANT_CP, .pdc = pdc, .also = clears, .ctx = &psn, .named = "Clear Command"};
    uet_check(tc, "PDS-231", uet_maybe(tc, &command, uet_tc_latest(tc, 5 * UET_MS)),
              "no Clear Command within PDS_Clear_Time");
}

#define LONG_MESSAGE 300u /* packets: more than are let out at once with Default_MPR 1 */

UET_TEST(no_clear_command_while_sending, .id = "pds.3.5.16.3.1.no-clear-command-while-sending",
         .requirements = "PDS-081", .role = UET_ROLE_INITIATOR,
         .purpose = "While Requests wait that will carry CLEAR_PSN no Clear Command is sent.",
         .preamble = "Default_MPR of the FEP set to 1.",
         .stimulus = "The FEP writes a message of 300 packets; when no more come, acknowledge two "
                     "and answer the third with UET_RESPONSE, RC_OK and req=REQ_CLEAR.",
         .expected = "CLEAR_PSN rides on the next Request; a Clear Command besides is a finding.")
{
    uet_try_param(tc, "Default_MPR", 1);
    hold_rto(tc);
    struct uet_pdc *pdc;
    uet_auto_ack(tc, false);
    const struct uet_in *in =
        fep_writes(tc, LONG_MESSAGE * uet_tc_dut(tc)->payload_mtu, &pdc, NULL);
    const struct uet_in *third = in;
    uint32_t n = 1;
    for (; n < LONG_MESSAGE && (in = uet_next_request(tc, pdc)); n++)
        third = n <= 2 ? in : third;
    if (n == LONG_MESSAGE)
        uet_skip(tc, "the FEP had nothing left to send");
    uint32_t psn = uet_packet_psn(&third->packet);
    struct uet_out ack = uet_ack_with(pdc, third, UET_RSP_RESPONSE, UET_LIST_EXPECTED, UET_RC_OK);
    uet_ack_req_set(ack.pds, UET_ACK_REQ_CLEAR);
    uet_ack_cack_psn_set(ack.pds, psn - 1);
    uet_ack_ack_psn_offset_set(ack.pds, 1);
    uet_forget(tc);
    uet_send(tc, &ack);
    const struct uet_want next = {
        .kind = UET_WANT_REQUEST, .pdc = pdc, .also = is_first, .named = "new Request"};
    in = uet_maybe(tc, &next, 0);
    if (!in)
        uet_skip(tc, "the FEP sends nothing more before its CACK_PSN moves further");
    int32_t behind = uet_psn_diff(psn, uet_clear_psn(&in->packet));
    uet_check(tc, "PDS-081", behind <= 1,
              "the next Request does not carry the clear that was asked for");
    if (behind == 1)
        uet_other_reading(tc, "PDS-081", "CLEAR_PSN follows one PSN late");
    const struct uet_want clear = {.kind = UET_WANT_CP,
                                   .pdc = pdc,
                                   .codes = &clear_command,
                                   .n_codes = 1,
                                   .named = "a Clear Command"};
    if (uet_maybe(tc, &clear, UET_MS)) /* as one known implementation does */
        uet_other_reading(tc, "PDS-081", "a Clear Command came though Requests waited");
}

UET_TEST(sack_completes_nothing, .id = "pds.3.5.20.3.2.sack-completes-nothing",
         .requirements = "PDS-117", .role = UET_ROLE_INITIATOR, .needs = "ack-cc",
         .purpose = "A PSN seen only in SACK is not complete until CACK or its own ACK covers it.",
         .preamble = "A PDC that the FEP opened.",
         .stimulus = "The FEP writes 16 bytes; SACK the PSN only; later acknowledge it.",
         .expected = "No completion after the SACK, one after the ACK.")
{
    struct uet_pdc *pdc = fep_opens(tc);
    uint64_t handle;
    uet_auto_ack(tc, false);
    const struct uet_in *in = fep_writes_on(tc, &pdc, 16, &handle);
    pdc->ack_cc = true;
    struct uet_out ack = uet_ack(pdc, in), sack = ack;
    uet_ack_cack_psn_set(sack.pds, uet_packet_psn(&in->packet) - 1);
    uet_ack_ack_psn_offset_set(sack.pds, 0);
    uet_ack_cc_sack_psn_offset_set(sack.pds, 1);
    uet_ack_cc_sack_bitmap_set(sack.pds, 1);
    uet_send(tc, &sack);
    struct uet_ut_completion c;
    uet_check(tc, "PDS-117", !uet_completion(tc, handle, UET_MS, &c),
              "the operation completed although its PSN was only SACKed");
    uet_send(tc, &ack);
    c = uet_expect_completion(tc, handle);
    uet_check_eq(tc, "PDS-117", "completion status", c.status, UET_UT_OK);
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
    uint32_t third = uet_packet_psn(&in[2]->packet);
    const struct uet_want resend = resend_of(pdc, third);
    uet_check(tc, "PDS-116", cp != NULL, "no ACK Request came for a PSN known from SACK");
    uet_check(tc, "PDS-116", !uet_maybe(tc, &resend, 0),
              "a PSN known from SACK was resent as data");
    if (cp) {
        uet_look_at(tc, cp);
        uet_check_eq(tc, "PDS-189", "pds.psn", uet_cp_psn(uet_pds(&cp->packet)), third);
        if (!uet_cp_ar(uet_pds(&cp->packet)))
            uet_note(tc, "PDS-189", "ACK Request with ar=0, as one known implementation sends it");
    }
    uet_auto_ack(tc, true);
    acknowledge(tc, pdc, in[2]);
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
    struct uet_out ack = uet_ack(pdc, in[0]);
    uet_ack_cack_psn_set(ack.pds, uet_packet_psn(&in[0]->packet));
    uet_ack_ack_psn_offset_set(ack.pds, 0);
    uet_ack_cc_sack_psn_offset_set(ack.pds, 1);
    uet_ack_cc_sack_bitmap_set(ack.pds, 0);
    uet_send(tc, &ack);
    for (int i = 1; i < 4; i++) {
        const struct uet_want resend = resend_of(pdc, uet_packet_psn(&in[i]->packet));
        if (!uet_maybe(tc, &resend, i == 1 ? before_rto(tc) : UET_US))
            return;
    }
    uet_fail(tc, "PDS-115", "all three packets whose bits were 0 came again");
}

/* Sends a broken ACK for the FEP's packet and demands that the packet stays outstanding. */
static void ack_is_ignored(struct uet_tc *tc, const char *requirement, struct uet_pdc *pdc,
                           const struct uet_in *in, const struct uet_out *ack)
{
    const struct uet_want resend = resend_of(pdc, uet_packet_psn(&in->packet));
    uet_send(tc, ack);
    uet_for(tc, requirement);
    uet_expect(tc, &resend, patience(tc, one_rto(tc)));
    uet_auto_ack(tc, true);
}

UET_TEST(cack_beyond_sent, .id = "pds.3.5.12.cack-beyond-sent", .requirements = "PDS-122",
         .role = UET_ROLE_INITIATOR,
         .purpose = "An ACK whose CACK_PSN lies beyond the highest PSN sent is ignored.",
         .preamble = "A PDC that the FEP opened.",
         .stimulus = "The FEP writes 16 bytes; ACK with cack = its PSN + 100.",
         .expected = "The packet is retransmitted at RTO.")
{
    struct uet_pdc *pdc = fep_opens(tc);
    uet_auto_ack(tc, false);
    const struct uet_in *in = fep_writes_on(tc, &pdc, 16, NULL);
    struct uet_out ack = uet_ack(pdc, in);
    uet_ack_cack_psn_set(ack.pds, uet_packet_psn(&in->packet) + 100);
    uet_ack_ack_psn_offset_set(ack.pds, 0);
    ack_is_ignored(tc, "PDS-122", pdc, in, &ack);
}

UET_TEST(
    ack_wrong_spdcid, .id = "pds.3.5.12.ack-wrong-spdcid", .requirements = "PDS-123",
    .role = UET_ROLE_INITIATOR,
    .purpose = "An ACK with the right dpdcid but a wrong spdcid is ignored.",
    .preamble = "A PDC that the FEP opened.",
    .stimulus = "The FEP writes 2 MTUs; the second packet is acknowledged with another spdcid.",
    .expected = "The packet is retransmitted at RTO.")
{
    struct uet_pdc *pdc = fep_opens(tc);
    const struct uet_in *in = fep_holds(tc, &pdc, NULL);
    struct uet_out ack = uet_ack(pdc, in);
    uet_ack_spdcid_set(ack.pds, (uint16_t)(pdc->pdcid ^ 0x5555));
    ack_is_ignored(tc, "PDS-123", pdc, in, &ack);
}

UET_TEST(ack_cc_wrong_spdcid, .id = "pds.3.5.12.ack-cc-wrong-spdcid", .requirements = "PDS-123",
         .role = UET_ROLE_INITIATOR, .needs = "ack-cc",
         .purpose = "An ACK_CC with the right dpdcid but a wrong spdcid is ignored.",
         .preamble = "A PDC that the FEP opened.",
         .stimulus = "The FEP writes 2 MTUs; an ACK_CC of the second with another spdcid.",
         .expected = "The packet is retransmitted at RTO.")
{
    struct uet_pdc *pdc = fep_opens(tc);
    const struct uet_in *in = fep_holds(tc, &pdc, NULL);
    pdc->ack_cc = true;
    struct uet_out ack = uet_ack(pdc, in);
    uet_ack_spdcid_set(ack.pds, (uint16_t)(pdc->pdcid ^ 0x5555));
    ack_is_ignored(tc, "PDS-123", pdc, in, &ack);
}

UET_TEST(ar_on_last_packet, .id = "pds.3.5.12.ar-on-last-packet", .requirements = "PDS-126",
         .role = UET_ROLE_INITIATOR,
         .purpose = "The source sets ar on the last packet of a message.", .preamble = "None.",
         .stimulus = "The FEP writes 16 bytes, then 3 MTUs.",
         .expected = "ar=1 on the packets with eom.")
{
    struct uet_pdc *pdc;
    const struct uet_in *in = fep_writes(tc, 16, &pdc, NULL);
    uet_check_eq(tc, "PDS-126", "pds.flags.ar of a one-packet message",
                 uet_rud_rod_req_ar(uet_pds(&in->packet)), 1);
    fep_writes_on(tc, &pdc, 3u * uet_tc_dut(tc)->payload_mtu, NULL);
    uet_expect_any_request(tc, pdc);
    in = uet_expect_any_request(tc, pdc);
    uet_check_eq(tc, "PDS-126", "pds.flags.ar of the last of three packets",
                 uet_rud_rod_req_ar(uet_pds(&in->packet)), 1);
}

UET_TEST(strays_to_initiator, .id = "pds.3.5.12.strays-to-initiator", .requirements = "PDS-124",
         .role = UET_ROLE_INITIATOR,
         .purpose = "An ACK or NACK for a PDC that an initiator does not have is dropped.",
         .preamble = "A PDC that the FEP opened; RTO long.",
         .stimulus = "The FEP writes; an ACK of that packet and a fatal NACK of it, both to a "
                     "PDCID that the FEP does not have; then the ACK.",
         .expected = "No answer to either, and the write completes by the ACK alone.")
{
    const struct uet_want answer = {.kind = UET_WANT_ANSWER, .named = "an answer to a stray"};
    hold_rto(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    uint64_t handle;
    uet_auto_ack(tc, false);
    const struct uet_in *in = fep_writes_on(tc, &pdc, 16, &handle);
    struct uet_out ack = uet_ack(pdc, in);
    struct uet_out nack = uet_nack(pdc, uet_packet_psn(&in->packet), UET_NACK_UNEXP_EVENT);
    uet_ack_dpdcid_set(ack.pds, (uint16_t)(pdc->fep_pdcid ^ 0x2a55));
    uet_nack_dpdcid_set(nack.pds, (uint16_t)(pdc->fep_pdcid ^ 0x2a55));
    uet_send(tc, &ack);
    uet_send(tc, &nack);
    uet_expect_nothing(tc, "PDS-124", &answer, 0);
    struct uet_ut_completion c;
    uet_check(tc, "PDS-124", !uet_completion(tc, handle, UET_MS, &c),
              "an ACK to another PDCID completed the write");
    acknowledge(tc, pdc, in);
    uet_auto_ack(tc, true);
    c = uet_expect_completion(tc, handle);
    uet_check_eq(tc, "PDS-124", "completion status", c.status, UET_UT_OK);
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
    const struct uet_in *in = fep_writes(tc, 16, &pdc, &handle);
    uint32_t left = 0u - pdc->start_psn;
    if (left > NEAR)
        uet_skip(tc, "the FEP's Start_PSN, 0x%08x, is of its own choice", pdc->start_psn);
    uet_expect_completion(tc, handle);
    const struct uet_pdc *first = pdc;
    fep_writes_on(tc, &pdc, (left + 8) * uet_tc_dut(tc)->payload_mtu, &handle);
    same_pdc(tc, first, in);
    const struct uet_want zero = {.kind = UET_WANT_REQUEST, .pdc = pdc, .with_psn = true, .psn = 0};
    uet_for(tc, "PDS-059");
    in = uet_expect(tc, &zero, 0);
    uet_check(tc, "PDS-059", !in->retransmission, "PSN 0 came as a copy of another packet");
    struct uet_ut_completion c = uet_expect_completion(tc, handle);
    uet_check_eq(tc, "PDS-059", "completion status", c.status, UET_UT_OK);
}
