/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.15: timeouts, their growth and their end. */
#include "conformance/tests/pds.h"

#define RTO (4 * UET_MS)

/* A PDC of the FEP, the RTO known, and one packet of it that nobody answers. */
static const struct uet_in *unanswered(struct uet_tc *tc, struct uet_pdc **pdc, uint64_t *handle)
{
    *pdc = fep_opens(tc);
    uet_auto_ack(tc, false);
    return fep_writes_on(tc, pdc, 16, handle);
}

/*
 * The same with another packet behind it, so that a tail-loss timer, which comes before the RTO
 * (PDS-230), is not its affair. Where the FEP sends one packet only, such a timer spoils the test.
 */
static const struct uet_in *unanswered_head(struct uet_tc *tc, struct uet_pdc **pdc)
{
    *pdc = fep_opens(tc);
    uet_auto_ack(tc, false);
    const struct uet_in *in = fep_writes_on(tc, pdc, 2u * uet_tc_dut(tc)->payload_mtu, NULL);
    if (!uet_next_request(tc, *pdc))
        skip_with_tail_loss_timer(tc);
    return in;
}

/* Checks a time between two packets against what the formula says. */
static void check_gap(struct uet_tc *tc, const char *requirement, const struct uet_in *in,
                      uint64_t since, uint64_t want)
{
    uint64_t gap = in->time_ns - since, tolerance = uet_tc_tolerance(tc, want) + want / 8;
    uet_look_at(tc, in);
    uet_check(tc, requirement, gap + tolerance >= want && gap <= want + tolerance,
              "the resend came after %.3f ms where %.3f ms were required", (double)gap / 1e6,
              (double)want / 1e6);
}

/* The packet of ctx again, be it under another PSN: it has the same place in its message. */
static bool meant_again(const struct uet_in *in, const void *ctx)
{
    const struct uet_in *first = ctx;

    return in->frame > first->frame && uet_is_ses_request(&in->packet) &&
           uet_ses_message_id(&in->packet) == uet_ses_message_id(&first->packet) &&
           uet_ses_message_offset(&in->packet) == uet_ses_message_offset(&first->packet);
}

UET_TEST(rto_resends, .id = "pds.3.5.15.rto-resends", .requirements = "PDS-156 PDS-058",
         .role = UET_ROLE_INITIATOR, .params = "RTO_Init_Time",
         .purpose = "A packet without answer is retransmitted after RTO_Init_Time.",
         .preamble = "A PDC that the FEP opened.",
         .stimulus = "The FEP writes 2 MTUs; the tester stays silent.",
         .expected = "The first PSN again with retx=1 after RTO_Init_Time.")
{
    struct uet_pdc *pdc;
    const struct uet_in *in = unanswered_head(tc, &pdc);
    const struct uet_want again = {.kind = UET_WANT_REQUEST,
                                   .pdc = pdc,
                                   .also = meant_again,
                                   .ctx = in,
                                   .named = "the packet again",
                                   .again = true};
    uint32_t psn = uet_packet_psn(&in->packet);
    uint64_t sent = in->time_ns;
    in = uet_expect(tc, &again, one_rto(tc));
    check_gap(tc, "PDS-156", in, sent, uet_tc_param(tc, "RTO_Init_Time"));
    uet_check_eq(tc, "PDS-058", "pds.psn", uet_packet_psn(&in->packet), psn);
    uet_check_eq(tc, "PDS-058", "pds.flags.retx", uet_rud_rod_req_retx(uet_pds(&in->packet)), 1);
    acknowledge(tc, pdc, in);
    uet_auto_ack(tc, true);
}

UET_TEST(lost_nack, .id = "pds.3.5.20.3.1.lost-nack", .requirements = "PDS-152",
         .role = UET_ROLE_INITIATOR, .params = "RTO_Init_Time",
         .purpose = "The RTO covers a NACK that was lost: the source resends without being told.",
         .preamble = "A PDC that the FEP opened.",
         .stimulus = "The FEP writes 3 MTUs; the second packet is taken as lost, and the NACK for "
                     "it too; the first and the third are acknowledged.",
         .expected = "The second packet again within one RTO.")
{
    struct uet_pdc *pdc = fep_opens(tc);
    const struct uet_in *in[3];
    fep_writes_unacked(tc, &pdc, in, 3, NULL);
    uint32_t before = uet_packet_psn(&in[1]->packet) - 1;
    struct uet_out ack = uet_ack(pdc, in[2]);
    uet_ack_cack_psn_set(ack.pds, before);
    uet_ack_ack_psn_offset_set(ack.pds,
                               (int16_t)uet_psn_diff(uet_packet_psn(&in[2]->packet), before));
    uet_send(tc, &ack);
    const struct uet_want again = resend_of(pdc, before + 1);
    acknowledge(tc, pdc, uet_expect(tc, &again, patience(tc, one_rto(tc))));
    uet_auto_ack(tc, true);
}

UET_TEST(lost_resend, .id = "pds.3.5.20.3.1.lost-resend", .requirements = "PDS-152",
         .role = UET_ROLE_INITIATOR, .params = "RTO_Init_Time NACK_Retx_Time",
         .purpose = "The RTO covers a resend that was lost, too, whatever it was sent for.",
         .preamble = "A PDC that the FEP opened.",
         .stimulus =
             "The FEP writes; NACK UET_NO_PKT_BUFFER for the packet; its resend is taken as "
             "lost.",
         .expected = "The packet a third time, within twice the RTO.")
{
    uint64_t handle, delay = uet_tc_latest(tc, uet_tc_param(tc, "NACK_Retx_Time"));
    struct uet_pdc *pdc = fep_opens(tc);
    uet_auto_ack(tc, false);
    const struct uet_in *in = fep_writes_on(tc, &pdc, 16, &handle);
    struct uet_out nack = uet_nack(pdc, uet_packet_psn(&in->packet), UET_NACK_NO_PKT_BUFFER);
    const struct uet_want again = resend_of(pdc, uet_packet_psn(&in->packet));
    uet_send(tc, &nack);
    uet_expect(tc, &again, patience(tc, delay + one_rto(tc)));
    acknowledge(tc, pdc, uet_expect(tc, &again, patience(tc, 2 * one_rto(tc))));
    uet_auto_ack(tc, true);
    uet_expect_completion(tc, handle);
}

UET_TEST(rto_doubles, .id = "pds.3.5.15.rto-doubles", .requirements = "PDS-157",
         .role = UET_ROLE_INITIATOR,
         .purpose = "The RTO of a packet grows as RTO_Init_Time x 2^retry_count.",
         .params = "Max_RTO_Retx_Cnt",
         .preamble = "A PDC that the FEP opened; RTO_Init_Time set to 4 ms.",
         .stimulus = "The FEP writes 2 MTUs; the tester stays silent.",
         .expected = "The first PSN again after 4, 8, 16 ms, as often as Max_RTO_Retx_Cnt lets it "
                     "come.")
{
    uet_set_param(tc, "RTO_Init_Time", RTO);
    struct uet_pdc *pdc;
    const struct uet_in *in = unanswered_head(tc, &pdc);
    const struct uet_want again = resend_of(pdc, uet_packet_psn(&in->packet));
    uint64_t most = uet_tc_param(tc, "Max_RTO_Retx_Cnt");
    if (most < 2)
        uet_skip(tc, "Max_RTO_Retx_Cnt is %llu: no RTO follows another", (unsigned long long)most);
    for (unsigned retry = 0; retry < 3 && retry < most; retry++) {
        uint64_t since = in->time_ns, want = RTO << retry;
        in = uet_expect(tc, &again, uet_tc_latest(tc, want));
        check_gap(tc, "PDS-157", in, since, want);
    }
    acknowledge(tc, pdc, in);
    uet_auto_ack(tc, true);
}

UET_TEST(
    retries_end, .id = "pds.3.5.15.retries-end", .requirements = "PDS-158 PDS-160",
    .role = UET_ROLE_INITIATOR,
    .purpose = "After Max_RTO_Retx_Cnt resends the source declares failure and closes.",
    .preamble = "A PDC that the FEP opened; RTO 4 ms, Max_RTO_Retx_Cnt 3.",
    .stimulus = "The FEP writes 16 bytes; the tester stays silent; later the FEP writes again.",
    .expected = "Exactly 3 resends; the operation ends in error; new traffic uses a new PDC.")
{
    uet_set_param(tc, "RTO_Init_Time", RTO);
    uet_set_param(tc, "Max_RTO_Retx_Cnt", 3);
    skip_with_tail_loss_timer(tc);
    struct uet_pdc *pdc;
    uint64_t handle;
    const struct uet_in *in = unanswered(tc, &pdc, &handle);
    const struct uet_want again = resend_of(pdc, uet_packet_psn(&in->packet));
    for (int i = 0; i < 3; i++)
        uet_expect(tc, &again, uet_tc_latest(tc, RTO << i));
    pdc->auto_close = false;
    uet_expect_nothing(tc, "PDS-158", &again, (RTO << 5) + 10 * UET_MS);
    struct uet_ut_completion c = uet_expect_completion(tc, handle);
    uet_check(tc, "PDS-160", c.status != UET_UT_OK, "the operation was reported as done");
    uet_auto_ack(tc, true);
    struct uet_ut_operation op = uet_op(tc, 16);
    uet_do_write(tc, &op);
    in = uet_expect_any_request(tc, NULL);
    uet_check(tc, "PDS-160", in->pdc != pdc, "new traffic uses the PDC that failed");
}

UET_TEST(all_end, .id = "pds.3.5.15.all-operations-end", .requirements = "PDS-160",
         .role = UET_ROLE_INITIATOR,
         .purpose = "When a PDC fails, every operation on it ends in error, not only the oldest.",
         .preamble = "A PDC that the FEP opened; RTO 4 ms, Max_RTO_Retx_Cnt 3.",
         .stimulus = "The FEP writes 16 bytes twice; the tester stays silent.",
         .expected = "Both operations end in error.")
{
    uet_set_param(tc, "RTO_Init_Time", RTO);
    uet_set_param(tc, "Max_RTO_Retx_Cnt", 3);
    skip_with_tail_loss_timer(tc);
    struct uet_pdc *pdc;
    uint64_t handle[2];
    unanswered(tc, &pdc, &handle[0]);
    struct uet_ut_operation op = uet_op(tc, 16);
    handle[1] = uet_do_write(tc, &op);
    if (!uet_next_request(tc, pdc))
        uet_skip(tc, "the FEP has one message outstanding on a PDC, as it may");
    pdc->auto_close = false;
    for (int i = 0; i < 2; i++) {
        struct uet_ut_completion c;
        bool told = uet_completion(tc, handle[i], patience(tc, uet_tc_latest(tc, RTO << 6)), &c);
        uet_check(tc, "PDS-160", told, "operation %d of 2 never ended", i + 1);
        uet_check(tc, "PDS-160", c.status != UET_UT_OK, "operation %d was reported as done", i + 1);
    }
}

/* Not one that was on its way when the ACK was. */
static bool resent_after(const struct uet_in *in, const void *ctx)
{
    const uint64_t *since = ctx;

    return in->retransmission && in->time_ns > *since;
}

UET_TEST(acknowledged_not_resent, .id = "pds.3.5.15.acknowledged-not-resent",
         .requirements = "PDS-162", .role = UET_ROLE_INITIATOR,
         .purpose = "An acknowledged PSN is not retransmitted.",
         .preamble = "A PDC that the FEP opened.",
         .stimulus = "The FEP writes 3 MTUs; acknowledge all; wait several RTOs.",
         .expected = "No retransmission.")
{
    struct uet_pdc *pdc = fep_opens(tc);
    uint64_t handle;
    const struct uet_in *in[3];
    fep_writes_unacked(tc, &pdc, in, 3, &handle);
    acknowledge(tc, pdc, in[2]);
    uint64_t since = uet_tc_now(tc) + uet_tc_tolerance(tc, 0);
    uet_expect_completion(tc, handle);
    const struct uet_want resend = {.kind = UET_WANT_REQUEST,
                                    .pdc = pdc,
                                    .also = resent_after,
                                    .ctx = &since,
                                    .named = "a retransmission"};
    uet_expect_nothing(tc, "PDS-162", &resend, 4 * one_rto(tc));
}

UET_TEST(lost_ack, .id = "pds.3.5.20.3.2.lost-ack", .requirements = "PDS-161 PDS-164",
         .role = UET_ROLE_INITIATOR,
         .purpose = "A lost ACK: the source resends after RTO and the message completes once.",
         .preamble = "A PDC that the FEP opened.",
         .stimulus = "The FEP writes 16 bytes; drop the ACK; answer the resend.",
         .expected = "A resend with ar=1, then one completion.")
{
    struct uet_pdc *pdc;
    uint64_t handle;
    const struct uet_in *in = unanswered(tc, &pdc, &handle);
    const struct uet_want again = resend_of(pdc, uet_packet_psn(&in->packet));
    in = uet_expect(tc, &again, patience(tc, one_rto(tc)));
    uet_check_eq(tc, "PDS-164", "pds.flags.ar", uet_rud_rod_req_ar(uet_pds(&in->packet)), 1);
    acknowledge(tc, pdc, in);
    uet_auto_ack(tc, true);
    struct uet_ut_completion c = uet_expect_completion(tc, handle);
    uet_check_eq(tc, "PDS-161", "completion status", c.status, UET_UT_OK);
    uet_check(tc, "PDS-161", !uet_completion(tc, handle, uet_tc_quiet(tc), &c),
              "the operation completed a second time");
}
