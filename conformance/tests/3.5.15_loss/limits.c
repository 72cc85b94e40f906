/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.5, 3.5.15: retries without end, and loss that is noticed before the RTO. */
#include "conformance/tests/pds.h"

#define RTO (50 * UET_US) /* the 17th resend is due after 3.3 s */

UET_TEST(retries_without_end, .id = "pds.3.5.5.retries-without-end", .requirements = "PDS-159",
         .role = UET_ROLE_INITIATOR, .needs = "infinite-retries", .claim_binds = true,
         .purpose = "The largest setting of Max_RTO_Retx_Cnt, 15, means retries without end.",
         .preamble = "A PDC that the FEP opened; RTO 50 us, Max_RTO_Retx_Cnt 15.",
         .stimulus = "The FEP writes 16 bytes; the tester stays silent for 17 resends, then ACKs.",
         .expected = "The 16th and the 17th resend come too; the write completes.")
{
    uet_set_param(tc, "RTO_Init_Time", RTO);
    uet_set_param(tc, "Max_RTO_Retx_Cnt", 15);
    struct uet_pdc *pdc = fep_opens(tc);
    uint64_t handle;
    uet_auto_ack(tc, false);
    const struct uet_in *in = fep_writes_on(tc, &pdc, 16, &handle);
    const struct uet_want again = resend_of(pdc, uet_packet_psn(&in->packet));
    for (int i = 0; i < 17; i++)
        in = uet_expect(tc, &again, patience(tc, uet_tc_latest(tc, RTO << i)));
    acknowledge(tc, pdc, in);
    uet_auto_ack(tc, true);
    struct uet_ut_completion c = uet_expect_completion(tc, handle);
    uet_check_eq(tc, "PDS-159", "completion status", c.status, UET_UT_OK);
}

UET_TEST(tail_loss_timer, .id = "pds.3.5.5.tail-loss-timer", .requirements = "PDS-230",
         .role = UET_ROLE_INITIATOR, .needs = "tail-loss", .claim_binds = true,
         .purpose = "With a tail-loss timer the last packet of a message comes again before the "
                    "RTO.",
         .preamble = "A PDC that the FEP opened; RTO long, Tail_Loss_Time 3 ms.",
         .stimulus = "The FEP writes 2 MTUs; the first packet is acknowledged, the last is lost.",
         .expected = "The last PSN again with retx=1, not before 3 ms and long before the RTO.")
{
    hold_rto(tc);
    uet_set_param(tc, "Tail_Loss_Time", 3 * UET_MS);
    struct uet_pdc *pdc = fep_opens(tc);
    uint64_t handle;
    const struct uet_in *in = fep_holds(tc, &pdc, &handle);
    const struct uet_want again = resend_of(pdc, uet_packet_psn(&in->packet));
    uint64_t sent = in->time_ns;
    in = uet_expect(tc, &again, patience(tc, uet_tc_latest(tc, 3 * UET_MS)));
    uet_check(tc, "PDS-230", in->time_ns - sent + uet_tc_tolerance(tc, 3 * UET_MS) >= 3 * UET_MS,
              "it came after %.3f ms, before Tail_Loss_Time", (double)(in->time_ns - sent) / 1e6);
    uet_check_eq(tc, "PDS-230", "pds.flags.retx", uet_rud_rod_req_retx(uet_pds(&in->packet)), 1);
    acknowledge(tc, pdc, in);
    uet_auto_ack(tc, true);
    uet_expect_completion(tc, handle);
}

UET_TEST(loss_inferred_early, .id = "pds.3.5.15.loss-inferred-early", .requirements = "PDS-228",
         .role = UET_ROLE_INITIATOR, .needs = "ack-cc",
         .purpose = "A source may infer a loss from SACK and ooo_count; it resends only what is "
                    "missing.",
         .preamble = "A PDC that the FEP opened; RTO long.",
         .stimulus = "The FEP writes 12 packets; ACK_CC names the last, CACK stays at the first, "
                     "all but the second are in SACK, ooo_count 10; twice.",
         .expected = "Nothing, or the second PSN again; no PSN that SACK reports.")
{
    hold_rto(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    const struct uet_in *in[12];
    pdc->ack_cc = true;
    uint64_t handle;
    fep_writes_unacked(tc, &pdc, in, 12, &handle);
    uint32_t first = uet_packet_psn(&in[0]->packet);
    struct uet_out ack = uet_ack(pdc, in[11]);
    uet_ack_cack_psn_set(ack.pds, first);
    uet_ack_ack_psn_offset_set(ack.pds, 11);
    uet_ack_cc_sack_psn_offset_set(ack.pds, 1);
    uet_ack_cc_sack_bitmap_set(ack.pds, 0x7fe); /* PSN first+2 ... first+11 */
    uet_ack_cc_state_nscc_ooo_count_set(ack.pds + UET_ACK_CC_BYTES - UET_ACK_CC_STATE_NSCC_BYTES,
                                        10);
    uet_send(tc, &ack);
    uet_send(tc, &ack);
    const struct uet_want missing = resend_of(pdc, first + 1);
    uet_note(tc, "PDS-228", "%s",
             uet_maybe(tc, &missing, uet_tc_quiet(tc)) ? "the missing PSN came again at once"
                                                       : "no early resend: the RTO covers it");
    const struct uet_want sacked = {
        .kind = UET_WANT_REQUEST, .pdc = pdc, .also = is_resend, .named = "another resend"};
    uet_expect_nothing(tc, "PDS-228", &sacked, UET_MS);
    acknowledge(tc, pdc, in[11]);
    uet_auto_ack(tc, true);
    uet_expect_completion(tc, handle);
}
