/* SPDX-License-Identifier: BSD-2-Clause */
/* Who may say what: answers to an initiator that do not come from its peer. */
#include "conformance/harness/steps/deferral.h"
#include "conformance/harness/steps/fep_reads.h"
#include "conformance/harness/steps/requests.h"
#include "conformance/harness/steps/target.h"
#include "conformance/tests/pds.h"
#include "conformance/tests/robustness/strangers.h"
#include "conformance/tests/rudi.h"

UET_TEST(ack_of_a_stranger, .id = "rob.3.5.12.ack-of-a-stranger", .requirements = "ROB-006",
         .role = UET_ROLE_INITIATOR,
         .purpose = "An ACK from another address than the PDC's peer is not taken.",
         .preamble = "A PDC that the FEP opened; RTO long.",
         .stimulus = "The FEP writes 16 bytes; a second address of the tester sends the ACK with "
                     "the PDC's PDCIDs and PSN; then the peer sends it.",
         .expected = "No completion before the peer's ACK; with it, a success.")
{
    hold_rto(tc);
    tolerate_answers(tc);
    struct uet_pdc *p = fep_opens(tc);
    uint64_t handle;
    const struct uet_in *in = fep_holds(tc, &p, &handle);
    struct uet_out right = uet_ack(p, in), forged = right;
    forge(tc, &forged);
    completes_with(tc, "ROB-006", handle, &right);
}

UET_TEST(nack_of_a_stranger, .id = "rob.3.5.12.7.nack-of-a-stranger", .requirements = "ROB-007",
         .role = UET_ROLE_INITIATOR,
         .purpose = "A NACK from another address than the PDC's peer is not taken.",
         .preamble = "A PDC that the FEP opened; RTO long.",
         .stimulus = "The FEP writes 16 bytes; a second address of the tester sends NACK "
                     "UET_INV_DPDCID with the PDC's PDCIDs and PSN; then the peer sends the ACK.",
         .expected = "No completion before the peer's ACK; with it, a success.")
{
    hold_rto(tc);
    struct uet_pdc *p = fep_opens(tc);
    uint64_t handle;
    const struct uet_in *in = fep_holds(tc, &p, &handle);
    struct uet_out right = uet_ack(p, in);
    struct uet_out forged = uet_nack(p, uet_packet_psn(&in->packet), UET_NACK_INV_DPDCID);
    forge(tc, &forged);
    completes_with(tc, "ROB-007", handle, &right);
}

UET_TEST(nack_of_another_pdcid, .id = "rob.3.5.12.7.nack-of-another-pdcid",
         .requirements = "ROB-008", .role = UET_ROLE_INITIATOR,
         .purpose = "A NACK with another spdcid than that of the PDC's peer is not taken.",
         .preamble = "A PDC that the FEP opened, TPDCID known; RTO long.",
         .stimulus = "The FEP writes; the peer's address sends NACK UET_PDC_HDR_MISMATCH for the "
                     "PSN with another spdcid; then the peer sends the ACK.",
         .expected = "No completion before the peer's ACK; with it, a success.")
{
    hold_rto(tc);
    struct uet_pdc *p = fep_opens(tc);
    uint64_t handle;
    const struct uet_in *in = fep_holds(tc, &p, &handle);
    struct uet_out right = uet_ack(p, in);
    struct uet_out wrong = uet_nack(p, uet_packet_psn(&in->packet), UET_NACK_PDC_HDR_MISMATCH);
    uet_nack_spdcid_set(wrong.pds, other_pdcid(p->pdcid));
    say(tc, &wrong);
    completes_with(tc, "ROB-008", handle, &right);
}

UET_TEST(rudi_response_of_a_stranger, .id = "rob.3.5.22.response-of-a-stranger",
         .requirements = "ROB-009", .role = UET_ROLE_INITIATOR, .needs = "rudi",
         .purpose = "A RUDI Response from another address than that of the target is not taken.",
         .preamble = "RTO long.",
         .stimulus = "The FEP writes 16 bytes over RUDI; a second address of the tester answers "
                     "its pkt_id; then the target does.",
         .expected = "No completion before the target's answer; with it, a success.")
{
    hold_rto(tc);
    uint64_t handle = rudi_writes(tc, 16);
    struct uet_out right = uet_rudi_answer(tc, rudi_request(tc), UET_RC_OK), forged = right;
    forge(tc, &forged);
    completes_with(tc, "ROB-009", handle, &right);
}

UET_TEST(rudi_nack_of_a_stranger, .id = "rob.3.5.22.nack-of-a-stranger", .requirements = "ROB-010",
         .role = UET_ROLE_INITIATOR, .needs = "rudi",
         .purpose = "A RUDI NACK from another address than that of the target is not taken.",
         .preamble = "RTO long.",
         .stimulus = "The FEP writes 16 bytes over RUDI; a second address of the tester sends "
                     "NACK 0xFF (experimental, fatal) for its pkt_id; then the target answers.",
         .expected = "No completion before the target's answer; with it, a success.")
{
    hold_rto(tc);
    uint64_t handle = rudi_writes(tc, 16);
    const struct uet_in *in = rudi_request(tc);
    struct uet_out right = uet_rudi_answer(tc, in, UET_RC_OK);
    struct uet_out forged = uet_rudi_nack(tc, in, UET_NACK_EXP_NACK_FATAL);
    forge(tc, &forged);
    completes_with(tc, "ROB-010", handle, &right);
}

UET_TEST(close_request_of_a_stranger, .id = "rob.3.5.16.close-request-of-a-stranger",
         .requirements = "ROB-011", .role = UET_ROLE_INITIATOR,
         .purpose = "A Close Request from another address than the PDC's peer is not taken.",
         .preamble = "A PDC that the FEP opened, with a WRITE open on it.",
         .stimulus = "A second address of the tester sends Close Request with the PDC's PDCIDs and "
                     "next PSN; then the peer sends it.",
         .expected = "No ACK before the peer's Close Request; then one.")
{
    hold_rto(tc);
    tolerate_answers(tc);
    struct uet_pdc *p = fep_opens(tc);
    fep_holds(tc, &p, NULL); /* open: the FEP has no reason to close it */
    struct uet_out right = uet_cp(p, UET_CTL_CLOSE_REQUEST), forged = right;
    forge(tc, &forged);
    silence(tc, "ROB-011", .kind = UET_WANT_ACK, .covering = true, .with_psn = true,
            .psn = right.psn, .within = uet_tc_latest(tc, UET_MS));
    uet_auto_ack(tc, true);
    say(tc, &right);
    hear(tc, "ROB-011", COVERED(&right));
}

UET_TEST(data_of_a_stranger, .id = "rob.3.5.12.1.data-of-a-stranger", .requirements = "ROB-012",
         .role = UET_ROLE_INITIATOR, .preamble = "None.",
         .purpose = "Read data from another address than the PDC's peer is not taken.",
         .stimulus = "The FEP reads 100 bytes; a second address of the tester sends other bytes "
                     "for it with the PDC's PDCIDs and PSN; then the target sends the data.",
         .expected = "The read completes with the target's bytes.")
{
    tolerate_answers(tc);
    struct fep_read r = fep_reads(tc, 100);
    struct uet_out right = part_of(&r, 0), forged = right;
    forged.payload = uet_tc_bytes(tc, 100);
    forge(tc, &forged);
    check_open(tc, "ROB-012", &r);
    say(tc, &right);
    check_read(tc, "ROB-012", &r);
}

UET_TEST(rtr_of_a_stranger, .id = "rob.3.4.3.4.rtr-of-a-stranger", .requirements = "ROB-047",
         .role = UET_ROLE_INITIATOR, .needs = "deferral",
         .purpose = "An RTR from another address than the deferred message went to is not taken.",
         .preamble = "A deferrable send of the FEP, deferred.",
         .stimulus = "On a PDC that the tester's second address opens the RTR with the right "
                     "tokens, JobID and initiator; then the target's, with the same tokens.",
         .expected = "Nothing is sent before the target's; then the message.")
{
    uint64_t handle;
    need_pdcs(tc, 3);
    fep_opens(tc);
    const struct uet_in *first = fep_is_put_off(tc, 64, &handle);
    struct uet_pdc *q = uet_pdc_new(tc);
    struct uet_out forged = rtr_for(q, first, 0x55);
    q->auto_close = false;
    tolerate(tc, ANSWER_ON(NULL));
    forge(tc, &forged);
    silence(tc, "ROB-047", REQUEST_ON(NULL), .within = uet_tc_latest(tc, UET_MS));
    struct uet_out rtr = rtr_for(uet_pdc_open(tc), first, 0x55);
    accepted(tc, "ROB-047", &rtr);
    hear_restart(tc, "ROB-047", first, 0x55);
    completes(tc, "ROB-047", handle, UET_UT_OK);
}
