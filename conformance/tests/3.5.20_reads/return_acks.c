/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.12, 3.5.12.2: when the initiator acknowledges read data that asks for no ACK. */
#include "conformance/tests/fep_reads.h"

UET_TEST(return_coalesced, .id = "pds.3.5.12.2.return-data-coalesced",
         .requirements = "PDS-100 PDS-121", .role = UET_ROLE_INITIATOR, .needs = "coalescing",
         .params = "ACK_Gen_Trigger ACK_Gen_Min_Pkt_Add",
         .purpose = "Nobody asks, but an ACK comes when ACK_Gen_Trigger bytes of data have come.",
         .preamble = "None.",
         .stimulus = "The FEP reads as many payload MTUs as reach the trigger; their Requests "
                     "come with ar=0.",
         .expected = "An ACK whose CACK_PSN covers the first of them at least.")
{
    uint64_t trigger = uet_tc_param(tc, "ACK_Gen_Trigger");
    uint32_t mtu = uet_tc_dut(tc)->payload_mtu;
    uint64_t least = uet_tc_param(tc, "ACK_Gen_Min_Pkt_Add"), each = mtu > least ? mtu : least;
    uint64_t n = (trigger + each - 1) / each;
    struct uet_out o = {0};

    skip_when(tc, "Enb_ACK_Per_Pkt", 1);
    if (n < 2 || n > READ_MOST)
        uet_skip(tc, "ACK_Gen_Trigger is %llu: nothing to count", (unsigned long long)trigger);
    struct fep_read r = fep_reads(tc, (uint32_t)n * mtu);
    for (size_t i = 0; i < n; i++) {
        o = unasked_part_of(&r, i);
        uet_send(tc, &o);
    }
    uet_check(tc, "PDS-100", cack_reaches(tc, r.pdc, r.pdc->start_psn),
              "no ACK came for %u parts of read data", (unsigned)n);
    uet_rud_rod_req_ar_set(o.pds, true);
    uet_resend(tc, &o);
    uet_expect_covered(tc, r.pdc, o.psn);
    check_read(tc, "PDS-121", &r);
}

UET_TEST(return_ce_acked, .id = "pds.3.5.5.return-data-ce-acked", .requirements = "PDS-103",
         .role = UET_ROLE_INITIATOR, .port_caps = UET_PORT_ECN,
         .purpose = "With ACK_On_ECN read data with ECN CE is acknowledged at once.",
         .preamble = "ACK_On_ECN is TRUE.",
         .stimulus = "The FEP reads two payload MTUs; the first part comes with ar=0 and CE.",
         .expected = "An ACK naming it with m=1; with the second part the read completes.")
{
    skip_when(tc, "ACK_On_ECN", 0);
    struct fep_read r = fep_reads(tc, 2u * uet_tc_dut(tc)->payload_mtu);
    struct uet_out first = unasked_part_of(&r, 0), second = part_of(&r, 1);
    first.route.ecn = UET_ECN_CE;
    uet_send(tc, &first);
    uet_for(tc, "PDS-103");
    const struct uet_in *ack = uet_expect_ack(tc, r.pdc, first.psn);
    uet_check_eq(tc, "PDS-103", "flags.m", uet_ack_m(uet_pds(&ack->packet)), 1);
    uet_send(tc, &second);
    check_read(tc, "PDS-121", &r);
}

UET_TEST(return_retx_acked, .id = "pds.3.5.12.return-data-retx-acked", .requirements = "PDS-098",
         .role = UET_ROLE_INITIATOR,
         .purpose = "Read data with retx=1 is acknowledged at once even where ar=0.",
         .preamble = "None.",
         .stimulus = "The FEP reads 100 bytes; their Request comes with retx=1 and ar=0.",
         .expected = "An ACK naming it; the read completes.")
{
    struct fep_read r = fep_reads(tc, 100);
    struct uet_out data = unasked_part_of(&r, 0);
    uet_rud_rod_req_retx_set(data.pds, true);
    uet_send(tc, &data);
    uet_for(tc, "PDS-098");
    uet_expect_ack(tc, r.pdc, data.psn);
    check_read(tc, "PDS-121", &r);
}

UET_TEST(return_gap_closes, .id = "pds.3.5.12.2.return-data-gap-closes",
         .requirements = "PDS-125 PDS-114", .role = UET_ROLE_INITIATOR,
         .purpose = "After read data with ar=1 that left a gap a further ACK tells that it is "
                    "filled.",
         .preamble = "None.",
         .stimulus = "The FEP reads three payload MTUs; the second part comes with ar=1, then the "
                     "first with ar=0; at last the third.",
         .expected = "An ACK of the second with CACK_PSN before the first and no SACK bit of the "
                     "first or third; when the first comes, an ACK with CACK_PSN the second's; the "
                     "read completes.")
{
    struct fep_read r = fep_reads(tc, 3u * uet_tc_dut(tc)->payload_mtu);
    struct uet_out first = unasked_part_of(&r, 0), second = part_of(&r, 1), third = part_of(&r, 2);
    uet_send(tc, &second);
    uet_for(tc, "PDS-125");
    const struct uet_in *ack = uet_expect_ack(tc, r.pdc, second.psn);
    uet_check_eq(tc, "PDS-125", "cack_psn", cack_of(ack), r.pdc->start_psn - 1);
    if (uet_is_ack_cc(&ack->packet))
        uet_check(tc, "PDS-114", !sacked(ack, first.psn) && !sacked(ack, third.psn),
                  "the SACK bitmap tells read data received that was not sent");
    uet_send(tc, &first);
    uet_check(tc, "PDS-125", cack_reaches(tc, r.pdc, second.psn),
              "no ACK came that tells that the gap is filled");
    uet_send(tc, &third);
    check_read(tc, "PDS-121", &r);
}
