/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.16: Control Packets that come to an initiator, and the Probes that it may send. */
#include "conformance/tests/pds.h"

/* The PDC of the FEP goes on: what it writes next on it is done without error. */
static void goes_on(struct uet_tc *tc, const char *requirement, struct uet_pdc *pdc)
{
    struct uet_pdc *on;
    uint64_t handle;
    const struct uet_in *in = fep_writes_on(tc, &on, 16, &handle);

    uet_look_at(tc, in);
    if (on != pdc)
        uet_note(tc, requirement, "the next message comes on another PDC, as it may");
    struct uet_ut_completion c = uet_expect_completion(tc, handle);
    uet_check_eq(tc, requirement, "completion status", c.status, UET_UT_OK);
}

UET_TEST(close_command_from_target, .id = "pds.3.5.8.3.close-command-from-target",
         .requirements = "PDS-200", .role = UET_ROLE_INITIATOR,
         .purpose = "Only an initiator sends Close Command: one from the target closes nothing.",
         .preamble = "A PDC that the FEP opened; RTO long.",
         .stimulus = "The FEP writes; before the ACK the tester, as target, sends a Close Command.",
         .expected = "Silence or a NACK of it; the write is acknowledged and completes.")
{
    static const uint8_t codes[] = {UET_NACK_UNEXP_EVENT, UET_NACK_INV_DPDCID,
                                    UET_NACK_PDC_HDR_MISMATCH};
    hold_rto(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    uint64_t handle;
    uet_auto_ack(tc, false);
    const struct uet_in *in = fep_writes_on(tc, &pdc, 16, &handle);
    struct uet_out close = uet_cp(pdc, UET_CTL_CLOSE_COMMAND);
    const struct uet_want nack = {.kind = UET_WANT_NACK, .codes = codes, .n_codes = sizeof(codes)};
    uet_tolerate(tc, &nack);
    pdc->next_psn--; /* a PSN that is no new packet's */
    uet_send(tc, &close);
    const struct uet_want ack = {.kind = UET_WANT_ACK,
                                 .pdc = pdc,
                                 .with_psn = true,
                                 .psn = close.psn,
                                 .named = "an ACK of a target's Close Command"};
    uet_expect_nothing(tc, "PDS-200", &ack, 0);
    acknowledge(tc, pdc, in);
    uet_auto_ack(tc, true);
    struct uet_ut_completion c = uet_expect_completion(tc, handle);
    uet_check_eq(tc, "PDS-200", "completion status", c.status, UET_UT_OK);
}

UET_TEST(reserved_cps_to_initiator, .id = "pds.3.5.16.reserved-cps-to-initiator",
         .requirements = "PDS-196", .role = UET_ROLE_INITIATOR,
         .purpose = "Control Packets of a reserved ctl_type do an initiator no harm.",
         .preamble = "A PDC that the FEP opened.",
         .stimulus = "Control Packets with ctl_type 10 to 15; then the FEP writes.",
         .expected = "Each is dropped or gets NACK UET_UNEXP_EVENT (0x19); the write completes.")
{
    static const uint8_t unexpected = UET_NACK_UNEXP_EVENT;
    struct uet_pdc *pdc = fep_opens(tc);
    const struct uet_want nack = {.kind = UET_WANT_NACK, .codes = &unexpected, .n_codes = 1};
    uet_tolerate(tc, &nack);
    for (uint8_t type = 10; type <= 15; type++) {
        struct uet_out cp = uet_cp(pdc, type);
        uet_cp_psn_set(cp.pds, pdc->next_psn);
        uet_send(tc, &cp);
    }
    const struct uet_want ack = {.kind = UET_WANT_ACK, .named = "an ACK of a reserved CP"};
    uet_expect_nothing(tc, "PDS-196", &ack, 0);
    goes_on(tc, "PDS-196", pdc);
}

UET_TEST(no_probe_before_ack, .id = "pds.3.6.13.7.no-probe-before-ack", .requirements = "PDS-046",
         .role = UET_ROLE_INITIATOR, .params = "RTO_Init_Time",
         .purpose = "A source sends no Probe on a PDC before it got an ACK or NACK.",
         .preamble = "None.", .stimulus = "The FEP writes 4 MTUs; nothing is acknowledged.",
         .expected = "No Probe within two RTOs.")
{
    static const uint8_t probe = UET_CTL_PROBE;
    struct uet_pdc *pdc;
    uet_auto_ack(tc, false);
    const struct uet_in *in = fep_writes(tc, 4u * uet_tc_dut(tc)->payload_mtu, &pdc, NULL);
    const struct uet_want early = {
        .kind = UET_WANT_CP, .codes = &probe, .n_codes = 1, .named = "a Probe on a new PDC"};
    uet_expect_nothing(tc, "PDS-046", &early, 2 * one_rto(tc));
    acknowledge(tc, pdc, in);
    uet_auto_ack(tc, true);
}

UET_TEST(trimmed_nack_to_initiator, .id = "pds.3.5.15.trimmed-nack", .requirements = "PDS-224",
         .role = UET_ROLE_INITIATOR, .needs = "trimming", .params = "dscp-trimmed",
         .purpose = "A trimmed NACK changes nothing, be its code fatal.",
         .preamble = "A PDC that the FEP opened; RTO long.",
         .stimulus =
             "The FEP writes; NACK UET_PDC_MODE_MISMATCH of that packet, with the DSCP of a "
             "trimmed one; then the ACK.",
         .expected = "The message comes on no other PDC; the write completes.")
{
    hold_rto(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    uint64_t handle;
    uet_auto_ack(tc, false);
    const struct uet_in *in = fep_writes_on(tc, &pdc, 16, &handle);
    struct uet_out nack = uet_nack(pdc, uet_packet_psn(&in->packet), UET_NACK_PDC_MODE_MISMATCH);
    nack.route.dscp = (uint8_t)uet_tc_param(tc, "dscp-trimmed");
    nack.protect = UET_PROTECT_NONE; /* a trim takes the trailer */
    uet_send(tc, &nack);
    pdc->auto_close = true; /* the FEP keeps the PDC */
    const struct uet_want elsewhere = {
        .kind = UET_WANT_REQUEST, .also = is_first, .named = "the message on another PDC"};
    uet_expect_nothing(tc, "PDS-224", &elsewhere, 0);
    acknowledge(tc, pdc, in);
    uet_auto_ack(tc, true);
    struct uet_ut_completion c = uet_expect_completion(tc, handle);
    uet_check_eq(tc, "PDS-224", "completion status", c.status, UET_UT_OK);
}
