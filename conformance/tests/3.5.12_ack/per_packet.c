/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.5 (Enb_ACK_Per_Pkt), 3.5.11.4.6: an ACK for each packet, and which packet it names. */
#include "conformance/harness/steps/acks.h"
#include "conformance/tests/pds.h"
#include "conformance/tests/pds_target.h"

/* It tells nothing new after ctx, the first one: CACK_PSN may have moved since (PDS-125). */
static bool tells_it_again(const struct uet_in *in, const void *ctx)
{
    const struct uet_in *first = ctx;

    if (uet_psn_diff(uet_ack_cack_psn(uet_pds(&in->packet)),
                     uet_ack_cack_psn(uet_pds(&first->packet))) > 0)
        return false;
    return !uet_is_ses_response(&in->packet) ||
           uet_ses_rsp_opcode(uet_ses(&in->packet)) != UET_RSP_NO_RESPONSE;
}

#define SECOND_ACK_OF(o, first)                                                                    \
    ACK_OF(o), .also = tells_it_again, .ctx = (first), .named = "a second ACK of one packet"

UET_TEST(ack_per_packet, .id = "pds.3.5.5.ack-per-packet", .requirements = "PDS-099",
         .role = UET_ROLE_TARGET, .needs = "rud any-request upper-tester", .over = "order",
         .not_over = "copies", /* each gets one, too */
         .purpose = "With Enb_ACK_Per_Pkt each Request gets one ACK of its own.",
         .preamble = "PDC open; Enb_ACK_Per_Pkt set.",
         .stimulus = "Five NO_OPs with ar=1, back to back.",
         .expected = "One ACK naming each; no second one (a UET_NO_RESPONSE before it is free).")
{
    uet_set_param(tc, "Enb_ACK_Per_Pkt", 1);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o[5];
    for (size_t i = 0; i < 5; i++) {
        o[i] = uet_any_request(p);
        say(tc, &o[i]);
    }
    const struct uet_in *ack[5];
    for (size_t i = 0; i < 5; i++)
        ack[i] = hear_answer(tc, "PDS-099", &o[i]);
    for (size_t i = 0; i < 5; i++)
        silence(tc, "PDS-099", SECOND_ACK_OF(&o[i], ack[i]),
                .within = i ? UET_US : uet_tc_quiet(tc));
}

UET_TEST(one_ack_of_an_error, .id = "pds.3.5.5.one-ack-of-an-error", .requirements = "PDS-099",
         .role = UET_ROLE_TARGET, .needs = "rud write upper-tester",
         .not_over = "copies", /* as above */
         .purpose = "With Enb_ACK_Per_Pkt an error response comes in one ACK, too.",
         .preamble = "PDC open; Enb_ACK_Per_Pkt set.",
         .stimulus = "A WRITE with an unknown key; its response is cleared at once.",
         .expected = "One ACK naming it; no second one.")
{
    uet_set_param(tc, "Enb_ACK_Per_Pkt", 1);
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_out bad = refused_write(uet_pdc_open(tc), &m);
    const struct uet_in *ack = exchange_refused(tc, &bad);
    silence(tc, "PDS-099", SECOND_ACK_OF(&bad, ack));
}

UET_TEST(ar_in_each_request, .id = "pds.3.5.5.ar-in-each-request", .requirements = "PDS-099",
         .role = UET_ROLE_INITIATOR,
         .purpose = "With Enb_ACK_Per_Pkt the source sets ar in every Request.",
         .preamble = "Enb_ACK_Per_Pkt of the FEP set.", .stimulus = "The FEP writes 6 MTUs.",
         .expected = "ar=1 in each of its packets.")
{
    struct uet_pdc *pdc;
    uint64_t handle;
    uet_set_param(tc, "Enb_ACK_Per_Pkt", 1);
    const struct uet_in *in = fep_writes(tc, 6u * uet_tc_dut(tc)->payload_mtu, &pdc, &handle);
    field(tc, "PDS-099", in, UET_F_PDS_AR, 1);
    for (uint32_t i = 1; i < 6; i++)
        field(tc, "PDS-099", hear(tc, "PDS-099", REQUEST_ON(pdc)), UET_F_PDS_AR, 1);
    completion_of(tc, "PDS-099", handle);
}

UET_TEST(ar_in_each_rod_request, .id = "pds.3.5.5.ar-in-each-rod-request",
         .requirements = "PDS-099", .role = UET_ROLE_INITIATOR, .needs = "rod",
         .not_over = "used after-read aged",
         .purpose = "With Enb_ACK_Per_Pkt the source sets ar in every Request over ROD, too.",
         .preamble = "Enb_ACK_Per_Pkt of the FEP set.",
         .stimulus = "The FEP writes 6 MTUs over ROD.", .expected = "ar=1 in each of its packets.")
{
    struct uet_ut_operation op = uet_op(tc, 6u * uet_tc_dut(tc)->payload_mtu);
    op.mode = UET_UT_MODE_ROD;
    uet_set_param(tc, "Enb_ACK_Per_Pkt", 1);
    uint64_t handle = uet_do_write(tc, &op);
    for (uint32_t i = 0; i < 6; i++)
        field(tc, "PDS-099", hear(tc, "PDS-099", REQUEST_ON(NULL)), UET_F_PDS_AR, 1);
    completion_of(tc, "PDS-099", handle);
}

#define AHEAD 0x24 /* offset of the specification's example; its opposite is 0xFFDC */

/* Only the PSN that the first one names AHEAD of CACK_PSN has arrived: its neighbours come again.
 */
static void named_ahead(struct uet_tc *tc, const struct uet_in **in)
{
    uint32_t first = psn_of(in[0]);
    struct uet_out ack = ack_at(in[AHEAD], first, first + AHEAD);

    if (psn_of(in[AHEAD + 1]) != first + AHEAD + 1)
        uet_skip(tc, "the FEP has sent something else between its packets, as it may");
    say(tc, &ack);
    hear(tc, "PDS-107", RESEND_OF(in[AHEAD - 1]), .within = patience(tc, one_rto(tc)));
    hear(tc, "PDS-107", RESEND_OF(in[AHEAD + 1]), .within = patience(tc, one_rto(tc)));
    silence(tc, "PDS-107", RESEND_OF(in[AHEAD]), .within = UET_MS);
}

UET_TEST(ack_psn_offset_vectors, .id = "pds.3.5.11.4.6.ack-psn-offset-vectors",
         .requirements = "PDS-107", .role = UET_ROLE_INITIATOR, .not_over = "own",
         .params = "RTO_Init_Time",
         .purpose = "ACK_PSN is CACK_PSN plus a signed offset: +0x0024 ahead, 0xFFDC behind.",
         .preamble = "A PDC that the FEP opened.",
         .stimulus = "The FEP writes 40 packets. ACK with CACK_PSN the first and offset 0x0024; "
                     "once all others came again and are acknowledged, an ACK with offset 0xFFDC.",
         .expected = "The PSN 0x24 behind the first does not come again, its neighbours do; the "
                     "second ACK changes nothing: the next write completes.")
{
    struct uet_pdc *pdc = fep_opens(tc);
    const struct uet_in *in[40];
    uint64_t handle;
    fep_writes_unacked(tc, &pdc, in, 40, &handle);
    named_ahead(tc, in);
    acknowledge(tc, pdc, in[39]);
    completion_of(tc, "PDS-107", handle);
    struct uet_out old = ack_at(in[39], pdc->cack, pdc->cack - AHEAD);
    say(tc, &old);
    uet_auto_ack(tc, true);
    fep_writes_on(tc, &pdc, 16, &handle);
    completes(tc, "PDS-107", handle, UET_UT_OK);
}

UET_TEST(duplicate_in_progress, .id = "pds.3.5.12.7.duplicate-in-progress",
         .requirements = "PDS-131 PDS-132", .role = UET_ROLE_TARGET, .needs = "rud write",
         .purpose = "A duplicate that comes while SES has the first copy: an ACK, or "
                    "UET_RCVD_SES_PROCG and then the ACK.",
         .preamble = "PDC open.",
         .stimulus = "A WRITE of 64 bytes and, at once, the same with retx=1.",
         .expected = "The ACK of that PSN; of NACKs only 0x18.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o = uet_write(p, &m, 0, uet_tc_bytes(tc, 64), 64);
    say(tc, &o);
    say_again(tc, &o);
    uet_check_success(tc, "PDS-131", hear_answer(tc, "PDS-131", &o));
    if (maybe(tc, NACK_ON(p, UET_NACK_RCVD_SES_PROCG), .within = UET_US))
        uet_note(tc, "PDS-131", "the duplicate got UET_RCVD_SES_PROCG");
}
