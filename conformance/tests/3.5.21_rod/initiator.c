/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.7.2, 3.5.21: a ROD source, its one path and its go-back-N. */
#include "conformance/tests/pds.h"

#define N 6u /* packets of the messages below */

/* The FEP writes over ROD: the first packet. */
static const struct uet_in *rod_writes(struct uet_tc *tc, uint32_t n, uint64_t *handle)
{
    struct uet_ut_operation op = uet_op(tc, n);

    op.mode = UET_UT_MODE_ROD;
    *handle = uet_do_write(tc, &op);
    const struct uet_in *in = uet_expect_any_request(tc, NULL);
    uet_check_enum(tc, "PDS-007", "pds.type", UET_ENUM_PDS_TYPE,
                   uet_pds_prologue_type(uet_pds(&in->packet)), UET_PDS_ROD_REQ);
    return in;
}

/* An established ROD PDC of the FEP on which N packets wait for their ACK: they, in order. */
static struct uet_pdc *rod_outstanding(struct uet_tc *tc, const struct uet_in **in,
                                       uint64_t *handle)
{
    uet_preamble_begin(tc);
    uint64_t opened;
    rod_writes(tc, 16, &opened);
    uet_expect_completion(tc, opened);
    uet_forget_settled(tc);
    uet_auto_ack(tc, false);
    in[0] = rod_writes(tc, N * uet_tc_dut(tc)->payload_mtu, handle);
    for (uint32_t i = 1; i < N; i++) {
        in[i] = uet_next_request(tc, in[0]->pdc);
        if (!in[i])
            uet_skip(tc, "the FEP keeps fewer than %u packets outstanding", N);
    }
    uet_preamble_end(tc);
    return in[0]->pdc;
}

static struct uet_out ooo(struct uet_pdc *pdc, uint32_t arrived, uint32_t expected)
{
    struct uet_out nack = uet_nack(pdc, arrived, UET_NACK_ROD_OOO);

    uet_nack_payload_set(nack.pds, expected);
    return nack;
}

static struct uet_want any_resend(const struct uet_pdc *pdc)
{
    return (struct uet_want){.kind = UET_WANT_REQUEST,
                             .pdc = pdc,
                             .also = is_resend,
                             .named = "retransmission",
                             .again = true};
}

/* All from PSN on come again, in order, with retx=1. */
static void goes_back(struct uet_tc *tc, struct uet_pdc *pdc, const struct uet_in **in,
                      uint32_t from)
{
    const struct uet_want again = any_resend(pdc);
    uint64_t due = patience(tc, uet_tc_latest(tc, uet_tc_param(tc, "NACK_Retx_Time")));

    for (uint32_t i = from; i < N; i++) {
        const struct uet_in *copy = uet_expect(tc, &again, due);
        uet_check_eq(tc, "PDS-167", "pds.psn", uet_packet_psn(&copy->packet),
                     uet_packet_psn(&in[i]->packet));
        uet_check_eq(tc, "PDS-167", "pds.flags.retx", uet_rud_rod_req_retx(uet_pds(&copy->packet)),
                     1);
    }
}

static void finish(struct uet_tc *tc, struct uet_pdc *pdc, const struct uet_in *last,
                   uint64_t handle)
{
    acknowledge(tc, pdc, last);
    uet_auto_ack(tc, true);
    struct uet_ut_completion c = uet_expect_completion(tc, handle);
    uet_check_eq(tc, "PDS-167", "completion status", c.status, UET_UT_OK);
}

UET_TEST(rod_one_entropy, .id = "pds.3.5.7.2.one-entropy-value", .requirements = "PDS-004",
         .role = UET_ROLE_INITIATOR, .needs = "rod",
         .purpose = "The packets of a ROD PDC take one path at a time.", .preamble = "None.",
         .stimulus = "The FEP writes 24 MTUs over ROD; no loss, no ECN.",
         .expected = "One entropy value in all its Requests.")
{
    uint64_t handle;
    const struct uet_in *in = rod_writes(tc, 24u * uet_tc_dut(tc)->payload_mtu, &handle);
    struct uet_pdc *pdc = in->pdc;
    uint16_t entropy = uet_entropy(&in->packet);
    for (uint32_t i = 1; i < 24; i++) {
        in = uet_expect_any_request(tc, pdc);
        uet_check_eq(tc, "PDS-004", "entropy value", uet_entropy(&in->packet), entropy);
    }
    uet_expect_completion(tc, handle);
}

UET_TEST(rod_goes_back, .id = "pds.3.5.7.2.goes-back-n", .requirements = "PDS-167",
         .role = UET_ROLE_INITIATOR, .needs = "rod", .params = "NACK_Retx_Time",
         .purpose = "ROD recovers by going back: every PSN from the first missing one again.",
         .preamble = "A ROD PDC that the FEP opened, 6 packets n ... n+5 outstanding; RTO long.",
         .stimulus = "NACK UET_ROD_OOO, nack_psn n+4, payload n+1 (which covers n).",
         .expected = "n+1 ... n+5 again, in order, retx=1; not n. Then all is acknowledged.")
{
    const struct uet_in *in[N];
    uint64_t handle;
    hold_rto(tc);
    struct uet_pdc *pdc = rod_outstanding(tc, in, &handle);
    struct uet_out nack = ooo(pdc, uet_packet_psn(&in[4]->packet), uet_packet_psn(&in[1]->packet));
    struct uet_out ack = uet_ack(pdc, in[0]);
    uet_ack_cack_psn_set(ack.pds, ack.psn); /* the tester has heard more, and does not say so */
    uet_ack_ack_psn_offset_set(ack.pds, 0);
    uet_send(tc, &ack);
    uet_send(tc, &nack);
    goes_back(tc, pdc, in, 1);
    finish(tc, pdc, in[N - 1], handle);
}

UET_TEST(rod_goes_back_once, .id = "pds.3.5.21.goes-back-once", .requirements = "PDS-168 PDS-167",
         .role = UET_ROLE_INITIATOR, .needs = "rod", .params = "NACK_Retx_Time RTO_Init_Time",
         .purpose = "Several UET_ROD_OOO of one gap start one run, not several.",
         .preamble = "A ROD PDC that the FEP opened, 6 packets n ... n+5 outstanding; RTO long.",
         .stimulus = "NACKs UET_ROD_OOO for n+1, n+2 and n+3, all with payload n.",
         .expected = "n ... n+5 again once; then nothing.")
{
    const struct uet_in *in[N];
    uint64_t handle, quiet = 4 * uet_tc_latest(tc, uet_tc_param(tc, "NACK_Retx_Time"));
    need_long_rto(tc, 2 * quiet);
    skip_with_tail_loss_timer(tc);
    struct uet_pdc *pdc = rod_outstanding(tc, in, &handle);
    for (uint32_t i = 1; i <= 3; i++) {
        struct uet_out nack =
            ooo(pdc, uet_packet_psn(&in[i]->packet), uet_packet_psn(&in[0]->packet));
        uet_send(tc, &nack);
    }
    goes_back(tc, pdc, in, 0);
    const struct uet_want again = any_resend(pdc);
    uet_expect_nothing(tc, "PDS-168", &again, quiet);
    finish(tc, pdc, in[N - 1], handle);
}

UET_TEST(rod_and_rud_apart, .id = "pds.3.5.8.1.rod-and-rud-apart",
         .requirements = "PDS-007 PDS-011", .role = UET_ROLE_INITIATOR, .needs = "rod",
         .purpose = "RUD and ROD never share a PDC.", .preamble = "None.",
         .stimulus = "The FEP writes over RUD, over ROD and over RUD again, to the same tester.",
         .expected = "Every Request of a PDC has one pds.type; the modes have PDCs of their own.")
{
    uint64_t handle;
    struct uet_pdc *rud;
    fep_writes(tc, 16, &rud, &handle);
    uet_expect_completion(tc, handle);
    const struct uet_in *in = rod_writes(tc, 16, &handle);
    uet_look_at(tc, in);
    uet_check(tc, "PDS-011", in->pdc != rud, "one PDC (spdcid 0x%04x) carries RUD and ROD",
              uet_spdcid(&in->packet));
    uet_expect_completion(tc, handle);
    in = fep_writes_on(tc, &rud, 16, &handle);
    uet_check_enum(tc, "PDS-007", "pds.type", UET_ENUM_PDS_TYPE,
                   uet_pds_prologue_type(uet_pds(&in->packet)), UET_PDS_RUD_REQ);
    uet_expect_completion(tc, handle);
}
