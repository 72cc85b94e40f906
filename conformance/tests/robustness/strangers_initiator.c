/* SPDX-License-Identifier: BSD-2-Clause */
/* Who may say what: answers to an initiator that do not come from its peer. */
#include "conformance/tests/robustness/strangers.h"

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
