/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.11.4: PSNs, window and CLEAR_PSN as a source keeps them. */
#include "conformance/tests/pds.h"

#define LONG_MESSAGE 300 /* packets: more than two units of MPR */

/* The peer's cack is the end of what came without a hole. */
static void has_no_hole(struct uet_tc *tc, const struct uet_in *in)
{
    uet_look_at(tc, in);
    uet_check(tc, "PDS-056", uet_psn_diff(in->pdc->cack, psn_of(in)) >= 0,
              "PSN 0x%08x came, but 0x%08x did not", psn_of(in), in->pdc->cack + 1);
}

UET_TEST(psns_consecutive, .id = "pds.3.5.11.4.psns-consecutive", .requirements = "PDS-056",
         .role = UET_ROLE_INITIATOR, .purpose = "Each new packet takes the previous PSN + 1.",
         .preamble = "None.", .stimulus = "The FEP writes 8 MTUs, then 16 bytes.",
         .expected = "The PSNs of Requests, and of CPs that take one, follow without a hole.")
{
    struct uet_pdc *pdc, *next;
    uint64_t handle, last;
    const struct uet_in *in = fep_writes(tc, 8u * uet_tc_dut(tc)->payload_mtu, &pdc, &handle);
    for (uint32_t i = 1; i < 8; i++)
        in = hear(tc, "PDS-056", REQUEST_ON(pdc));
    uet_expect_completion(tc, handle);
    has_no_hole(tc, in);
    in = fep_writes_on(tc, &next, 16, &last);
    uet_expect_completion(tc, last);
    has_no_hole(tc, in);
}

/* How far beyond psn the new Requests go that come while nothing is acknowledged. */
static uint32_t count_new(struct uet_tc *tc, const struct uet_pdc *pdc, uint32_t psn,
                          uint32_t at_most)
{
    const struct uet_in *in;
    int32_t most = 0;
    for (uint32_t n = 0; n < at_most && (in = uet_next_request(tc, pdc)); n++) {
        int32_t ahead = uet_psn_diff(uet_packet_psn(&in->packet), psn);
        most = ahead > most ? ahead : most;
    }
    return (uint32_t)most;
}

UET_TEST(default_mpr_limits, .id = "pds.3.5.5.default-mpr-limits", .requirements = "PDS-062",
         .role = UET_ROLE_INITIATOR, .not_over = "acks",
         .purpose = "Before any mpr is known at most Default_MPR x 128 PSNs are outstanding.",
         .preamble = "Default_MPR of the FEP set to 1.",
         .stimulus = "The FEP writes 200 packets; the tester acknowledges none.",
         .expected = "At most 128 PSNs come, none beyond Start_PSN + 127.")
{
    struct uet_pdc *pdc;
    uet_set_param(tc, "Default_MPR", 1);
    uet_auto_ack(tc, false);
    const struct uet_in *in = fep_writes(tc, 200u * uet_tc_dut(tc)->payload_mtu, &pdc, NULL);
    uint32_t start = uet_packet_psn(&in->packet);
    uint32_t n = 1 + count_new(tc, pdc, start, 200);
    uet_check(tc, "PDS-062", n <= 128, "%u PSNs are outstanding where 128 are allowed", n);
}

UET_TEST(default_mpr_outlasts_timeouts, .id = "pds.3.5.5.default-mpr-outlasts-timeouts",
         .requirements = "PDS-047 PDS-062", .role = UET_ROLE_INITIATOR, .contested = true,
         .not_over = "all acks", /* it takes seconds in real time */
         .purpose = "What a timeout takes for lost makes no room for new PSNs: the limit is of "
                    "PSNs, not of packets on their way.",
         .preamble = "Default_MPR of the FEP set to 1.",
         .stimulus = "The FEP writes 300 packets; the tester acknowledges none, and lets two "
                     "timeouts pass.",
         .expected = "Packets come again; none beyond Start_PSN + 127 comes.")
{
    struct uet_pdc *pdc;
    uet_need_retries(tc);
    uet_set_param(tc, "Default_MPR", 1);
    uet_auto_ack(tc, false);
    const struct uet_in *in = fep_writes(tc, 300u * uet_tc_dut(tc)->payload_mtu, &pdc, NULL);
    uint32_t start = uet_packet_psn(&in->packet), n = 1 + count_new(tc, pdc, start, 300);
    uint64_t due = one_rto(tc);
    hear(tc, "PDS-156", ANY_RESEND_ON(pdc), .within = patience(tc, due));
    for (int timeouts = 0; timeouts < 2; timeouts++) {
        uint32_t more = 1 + count_new(tc, pdc, start, 300);
        n = more > n ? more : n;
        uet_forget_settled(tc);
        (void)maybe(tc, ANY_RESEND_ON(pdc), .within = patience(tc, 2 * due)); /* if it retries on */
    }
    uet_check(tc, "PDS-047", n <= 128, "%u PSNs are outstanding where 128 are allowed", n);
}

/* One packet of the FEP, acknowledged with ACK_CC and this mpr; CACK_PSN of that. */
static uint32_t grant(struct uet_tc *tc, struct uet_pdc **pdc_of, uint8_t mpr)
{
    uint64_t handle;
    const struct uet_in *in = fep_writes_on(tc, pdc_of, 16, &handle);
    struct uet_pdc *pdc = *pdc_of;
    pdc->ack_cc = true;
    struct uet_out ack = uet_ack(pdc, in);
    uet_ack_cc_mpr_set(ack.pds, mpr);
    say(tc, &ack);
    uet_expect_completion(tc, handle);
    return uet_ack_cack_psn(ack.pds);
}

/*
 * The FEP starts a long message that nobody acknowledges: how many PSNs come beyond cack. 0: it
 * has opened another PDC for it, as it may.
 */
static uint32_t come_beyond(struct uet_tc *tc, struct uet_pdc *pdc, uint32_t cack, uint64_t *handle,
                            const struct uet_in **one)
{
    struct uet_pdc *on;
    const struct uet_in *in =
        fep_writes_on(tc, &on, LONG_MESSAGE * uet_tc_dut(tc)->payload_mtu, handle);
    *one = in;
    if (on != pdc)
        return 0;
    uint32_t first = (uint32_t)uet_psn_diff(uet_packet_psn(&in->packet), cack);
    uint32_t most = count_new(tc, pdc, cack, LONG_MESSAGE);
    return most > first ? most : first;
}

/* The same where it must be this PDC. */
static uint32_t run_against(struct uet_tc *tc, struct uet_pdc *pdc, uint32_t cack, uint64_t *handle,
                            const struct uet_in **one)
{
    uint32_t n = come_beyond(tc, pdc, cack, handle, one);

    same_pdc(tc, pdc, *one);
    return n;
}

/* Of such a message all is acknowledged with that mpr, from now on too. */
static void let_through(struct uet_tc *tc, struct uet_pdc *pdc, uint8_t mpr,
                        const struct uet_in *one, uint64_t handle)
{
    pdc->mpr = mpr;
    uet_auto_ack(tc, true);
    acknowledge(tc, pdc, one); /* and with its CACK_PSN all that came */
    uet_expect_completion(tc, handle);
    uet_forget_settled(tc);
    uet_auto_ack(tc, false);
}

/*
 * Where the FEP has a window of its own, or its congestion control one, mpr says nothing: does it
 * go beyond so many PSNs when mpr=2 lets it? What it sent for that is then acknowledged.
 */
static void need_own_window(struct uet_tc *tc, struct uet_pdc **pdc, uint32_t psns)
{
    const struct uet_in *one;
    uint64_t own = psns + 1, handle;

    (void)uet_dut_param(uet_tc_dut(tc), "own-window", &own);
    uet_auto_ack(tc, false);
    if (own > psns) {
        uint32_t cack = grant(tc, pdc, 2);
        own = run_against(tc, *pdc, cack, &handle, &one);
    }
    if (own <= psns)
        uet_skip(tc, "the FEP keeps at most %llu PSNs outstanding where mpr=2 allows 256",
                 (unsigned long long)own);
    let_through(tc, *pdc, 2, one, handle);
}

/* How many PSNs come beyond CACK with this mpr (0: as above); all is acknowledged then. */
static uint32_t outstanding_with(struct uet_tc *tc, struct uet_pdc **pdc, uint8_t mpr)
{
    const struct uet_in *one;
    uint64_t handle;
    uint32_t cack = grant(tc, pdc, mpr), n = come_beyond(tc, *pdc, cack, &handle, &one);

    let_through(tc, one->pdc, mpr, one, handle);
    return n;
}

/*
 * A source may send less than it is allowed, for whatever reason. But where mpr=2 brings twice as
 * many PSNs as mpr=1, and mpr=1 as few again, mpr bounds it, by another unit than 128.
 */
static void look_at_unit(struct uet_tc *tc, struct uet_pdc *pdc, uint32_t n)
{
    uint32_t twice = outstanding_with(tc, &pdc, 2), again = outstanding_with(tc, &pdc, 1);

    if (twice == 2 * n && again == n)
        uet_other_reading(tc, "PDS-063", "%u PSNs beyond CACK with mpr=1, %u with mpr=2", n, twice);
}

UET_TEST(mpr_limits, .id = "pds.3.5.11.4.mpr-limits", .requirements = "PDS-060 PDS-063",
         .role = UET_ROLE_INITIATOR, .over = "own", .needs = "ack-cc",
         .purpose = "No PSN beyond CACK_PSN + MP_Range, MP_Range = mpr x 128.",
         .preamble = "A PDC that the FEP opened; a packet of it acknowledged with mpr=1.",
         .stimulus = "The FEP writes 300 packets; the tester acknowledges none. If no more than 64 "
                     "came, they are acknowledged, and the same with mpr=2, and with mpr=1 again.",
         .expected =
             "No PSN beyond CACK + 128. A FEP whose window is half of MP_Range or less, and "
             "twice as large with mpr=2 as with mpr=1, is a finding.")
{
    struct uet_pdc *pdc = fep_opens(tc);
    hold_rto(tc);
    uet_auto_ack(tc, false);
    uint32_t cack = grant(tc, &pdc, 1);
    const struct uet_in *one;
    uint64_t handle;
    uint32_t n = run_against(tc, pdc, cack, &handle, &one);
    uet_check(tc, "PDS-060", n <= 128, "%u PSNs beyond CACK where mpr=1 allows 128", n);
    if (n < 128)
        uet_note(tc, "PDS-063", "only %u of the 128 PSNs that mpr=1 allows were used", n);
    if (n > 64)
        return;
    let_through(tc, pdc, 1, one, handle);
    look_at_unit(tc, pdc, n);
}

UET_TEST(stale_mpr_ignored, .id = "pds.3.5.11.stale-mpr-ignored", .requirements = "PDS-066",
         .role = UET_ROLE_INITIATOR, .over = "own", .needs = "ack-cc",
         .purpose = "An mpr from an ACK whose CACK is not newer than the last one is ignored.",
         .preamble = "A PDC that the FEP opened; a packet of it acknowledged with mpr=2, against "
                     "which the FEP writes 300 packets: more than 128 PSNs beyond CACK come. All "
                     "is acknowledged with mpr=2, and another packet.",
         .stimulus = "An ACK with an older CACK and mpr=1; then the FEP writes 300 packets.",
         .expected = "More than 128 PSNs beyond CACK come, and at most 256.")
{
    hold_rto(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    need_own_window(tc, &pdc, 128);
    uint64_t handle;
    const struct uet_in *in = fep_writes_on(tc, &pdc, 16, &handle);
    pdc->ack_cc = true;
    struct uet_out ack = uet_ack(pdc, in), stale = ack;
    uint32_t cack = uet_ack_cack_psn(ack.pds);
    uet_ack_cc_mpr_set(ack.pds, 2);
    uet_ack_cc_mpr_set(stale.pds, 1);
    uet_ack_cack_psn_set(stale.pds, uet_packet_psn(&in->packet) - 1);
    uet_ack_ack_psn_offset_set(stale.pds, 0);
    say(tc, &ack);
    say(tc, &stale);
    uet_expect_completion(tc, handle);
    uint32_t n = run_against(tc, pdc, cack, NULL, &in);
    uet_check(tc, "PDS-066", n > 128, "%u PSNs beyond CACK: the stale mpr=1 was taken", n);
    uet_check(tc, "PDS-060", n <= 256, "%u PSNs beyond CACK where mpr=2 allows 256", n);
}

/* Its CLEAR_PSN, which is never ahead of its PSN, does not go back behind the one before. */
static void clears_no_less(struct uet_tc *tc, const struct uet_in *in, uint32_t before)
{
    int offset = uet_rud_rod_req_clear_psn_offset(uet_pds(&in->packet));

    uet_look_at(tc, in);
    uet_check(tc, "PDS-072", offset <= 0, "clear_psn_offset is %d", offset);
    field_at_least(tc, "PDS-073", in, UET_F_PDS_CLEAR_PSN, before);
}

/* It reaches what had been acknowledged when the packet was made; one PSN behind is a finding. */
static void clears_up_to(struct uet_tc *tc, const struct uet_in *in, uint32_t acked)
{
    int32_t behind = uet_psn_diff(acked, uet_clear_psn(&in->packet));

    uet_look_at(tc, in);
    uet_check(tc, "PDS-070", behind <= 1, "CLEAR_PSN is %d behind what was acknowledged", behind);
    if (behind == 1)
        uet_other_reading(tc, "PDS-070", "CLEAR_PSN follows one PSN late");
}

UET_TEST(clear_follows, .id = "pds.3.5.11.4.4.clear-follows",
         .requirements = "PDS-070 PDS-072 PDS-073", .role = UET_ROLE_INITIATOR,
         .purpose = "Each Request carries CLEAR_PSN, which follows what was acknowledged.",
         .preamble = "A PDC that the FEP opened.",
         .stimulus = "The FEP writes five times 16 bytes, each acknowledged before the next.",
         .expected =
             "clear_psn_offset is never positive; CLEAR_PSN never goes back and reaches the "
             "PSN acknowledged last; one PSN behind is a finding.")
{
    struct uet_pdc *pdc = fep_opens(tc);
    const struct uet_in *in[5];
    uint32_t acked = pdc->cack, horizon[5];
    for (int i = 0; i < 5; i++) {
        struct uet_pdc *on = pdc;
        uint64_t handle;
        in[i] = fep_writes_on(tc, &on, 16, &handle);
        same_pdc(tc, pdc, in[i]);
        horizon[i] = acked;
        acked = pdc->cack;
        uet_expect_completion(tc, handle);
        clears_no_less(tc, in[i], i ? uet_clear_psn(&in[i - 1]->packet) : pdc->start_psn - 1);
    }
    for (int i = 0; i < 5; i++)
        clears_up_to(tc, in[i], horizon[i]);
}
