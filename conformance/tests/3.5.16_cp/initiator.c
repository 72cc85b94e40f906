/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.16: Control Packets that come to an initiator, and the Probes that it may send. */
#include "conformance/harness/steps/acks.h"
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
    completes(tc, requirement, handle, UET_UT_OK);
}

UET_TEST(close_command_from_target, .id = "pds.3.5.8.3.close-command-from-target",
         .requirements = "PDS-200", .role = UET_ROLE_INITIATOR,
         .purpose = "Only an initiator sends Close Command: one from the target closes nothing.",
         .preamble = "A PDC that the FEP opened; RTO long.",
         .stimulus = "The FEP writes; before the ACK the tester, as target, sends a Close Command.",
         .expected = "Silence or a NACK of it; the write is acknowledged and completes.")
{
    hold_rto(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    uint64_t handle;
    const struct uet_in *in = fep_writes_unanswered(tc, &pdc, &handle);
    struct uet_out close = uet_cp(pdc, UET_CTL_CLOSE_COMMAND);
    tolerate(tc,
             NACK_ON(NULL, UET_NACK_UNEXP_EVENT, UET_NACK_INV_DPDCID, UET_NACK_PDC_HDR_MISMATCH));
    pdc->next_psn--; /* a PSN that is no new packet's */
    say(tc, &close);
    silence(tc, "PDS-200", ACK_OF(&close));
    resume_acks(tc, in);
    completes(tc, "PDS-200", handle, UET_UT_OK);
}

UET_TEST(reserved_cps_to_initiator, .id = "pds.3.5.16.reserved-cps-to-initiator",
         .requirements = "PDS-196", .role = UET_ROLE_INITIATOR,
         .purpose = "Control Packets of a reserved ctl_type do an initiator no harm.",
         .preamble = "A PDC that the FEP opened.",
         .stimulus = "Control Packets with ctl_type 10 to 15, each with ar=0 and with ar=1; then "
                     "the FEP writes.",
         .expected = "Each is dropped or gets NACK UET_UNEXP_EVENT (0x19); the write completes.")
{
    struct uet_pdc *pdc = fep_opens(tc);
    tolerate(tc, NACK_ON(NULL, UET_NACK_UNEXP_EVENT));
    for (uint8_t i = 0; i < 12; i++) {
        struct uet_out cp = uet_cp(pdc, 10 + i / 2);
        uet_cp_psn_set(cp.pds, pdc->next_psn);
        uet_cp_ar_set(cp.pds, i % 2);
        say(tc, &cp);
    }
    silence(tc, "PDS-196", ACK_ON(NULL), .named = "an ACK of a reserved CP");
    goes_on(tc, "PDS-196", pdc);
}

UET_TEST(no_probe_before_ack, .id = "pds.3.6.13.7.no-probe-before-ack",
         .not_over = "used after-read aged", .requirements = "PDS-046", .role = UET_ROLE_INITIATOR,
         .params = "RTO_Init_Time",
         .purpose = "A source sends no Probe on a PDC before it got an ACK or NACK.",
         .preamble = "None.", .stimulus = "The FEP writes 4 MTUs; nothing is acknowledged.",
         .expected = "No Probe within two RTOs.")
{
    struct uet_pdc *pdc;
    uet_auto_ack(tc, false);
    const struct uet_in *in = fep_writes(tc, 4u * uet_tc_dut(tc)->payload_mtu, &pdc, NULL);
    silence(tc, "PDS-046", CP_FROM(pdc, UET_CTL_PROBE), .named = "Probe",
            .within = 2 * one_rto(tc));
    resume_acks(tc, in);
}

UET_TEST(
    no_probe_of_another_pdc, .id = "pds.3.6.13.7.no-probe-on-a-second-pdc",
    .not_over = "used after-read aged", .requirements = "PDS-046", .role = UET_ROLE_INITIATOR,
    .params = "RTO_Init_Time",
    .purpose = "What was heard on one PDC allows no Probe on another one of the same FEPs.",
    .preamble = "NSCC, and PDCs_Per_Tuple 2, where they can be set; a PDC that the FEP opened.",
    .stimulus = "The FEP writes 16 bytes, and 16 bytes more while the first are not "
                "acknowledged; nothing is.",
    .expected = "No Probe on the second PDC within two RTOs. A FEP that has no second PDC is "
                "skipped.")
{
    uet_try_param(tc, "NSCC", 1);
    uet_try_param(tc, "PDCs_Per_Tuple", 2);
    struct uet_pdc *pdc = fep_opens(tc), *second;
    uet_auto_ack(tc, false);
    const struct uet_in *in = fep_writes_on(tc, &second, 16, NULL), *first = in;
    uint64_t handle;
    if (second == pdc) { /* on any: a FEP may have one message outstanding */
        in = fep_writes_behind(tc, NULL, &handle);
        second = in->pdc;
    }
    if (second == pdc)
        uet_skip(tc, "the FEP sends both messages on one PDC, as it may");
    silence(tc, "PDS-046", CP_FROM(second, UET_CTL_PROBE), .named = "Probe",
            .within = 2 * one_rto(tc));
    resume_acks(tc, in);
    resume_acks(tc, first);
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
    const struct uet_in *in = fep_writes_unanswered(tc, &pdc, &handle);
    struct uet_out nack = uet_nack(pdc, psn_of(in), UET_NACK_PDC_MODE_MISMATCH);
    nack.route.dscp = (uint8_t)uet_tc_param(tc, "dscp-trimmed");
    nack.protect = UET_PROTECT_NONE; /* a trim takes the trailer */
    say(tc, &nack);
    silence(tc, "PDS-224", REQUEST_ON(NULL));
    resume_acks(tc, in);
    completes(tc, "PDS-224", handle, UET_UT_OK);
}
