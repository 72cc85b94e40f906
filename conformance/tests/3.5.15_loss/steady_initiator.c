/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.15: the RTO of a packet runs, whatever else the target says meanwhile. */
#include "conformance/harness/steps/acks.h"
#include "conformance/tests/pds.h"

UET_TEST(rto_under_steady_acks, .id = "pds.3.5.15.rto-under-steady-acks", .requirements = "PDS-152",
         .role = UET_ROLE_INITIATOR, .params = "RTO_Init_Time",
         .purpose = "ACKs that tell nothing new do not hold the RTO back.",
         .preamble = "A PDC that the FEP opened.",
         .stimulus = "The FEP writes 2 MTUs, both taken as lost; four times in each RTO the ACK of "
                     "the packet before comes again.",
         .expected = "The first packet again within one RTO.")
{
    struct uet_pdc *pdc = fep_opens(tc);
    const struct uet_in *in[2], *copy = NULL;
    fep_writes_unacked(tc, &pdc, in, 2, NULL);
    struct uet_out old = ack_at(in[0], psn_of(in[0]) - 1, psn_of(in[0]) - 1);
    uint64_t step = uet_tc_param(tc, "RTO_Init_Time") / 4, due = patience(tc, one_rto(tc));
    for (uint64_t t = 0; t < due + step && !copy; t += step) {
        say(tc, &old);
        copy = maybe(tc, RESEND_OF(in[0]), .within = step);
    }
    uet_check(tc, "PDS-152", copy, "a lost packet is not sent again while old ACKs go on coming");
    resume_acks(tc, in[1]);
}
