/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.12, 3.5.12.2: when the initiator acknowledges read data that asks for no ACK. */
#include "conformance/harness/steps/fep_reads.h"
#include "conformance/tests/pds.h"
#include "conformance/tests/pds_target.h"

/* How many payload MTUs of data with ar=0 bring an ACK (3.5.12.2); skips where that is no number.
 */
static uint32_t parts_to_trigger(struct uet_tc *tc)
{
    uint64_t trigger = uet_tc_param(tc, "ACK_Gen_Trigger"), mtu = uet_tc_dut(tc)->payload_mtu;
    uint64_t least = uet_tc_param(tc, "ACK_Gen_Min_Pkt_Add"), each = mtu > least ? mtu : least;
    uint64_t n = (trigger + each - 1) / each;

    skip_when(tc, "Enb_ACK_Per_Pkt", 1);
    if (n < 2 || n >= READ_MOST)
        uet_skip(tc, "ACK_Gen_Trigger is %llu: nothing to count", (unsigned long long)trigger);
    return (uint32_t)n;
}

UET_TEST(return_coalesced, .id = "pds.3.5.12.2.return-data-coalesced",
         .requirements = "PDS-100 PDS-121", .role = UET_ROLE_INITIATOR, .needs = "coalescing",
         .params = "ACK_Gen_Trigger ACK_Gen_Min_Pkt_Add",
         .purpose = "Nobody asks, but an ACK comes when ACK_Gen_Trigger bytes of data have come.",
         .preamble = "None.",
         .stimulus = "The FEP reads one payload MTU more than reach the trigger; the others come "
                     "with ar=0, later the last one.",
         .expected = "An ACK whose CACK_PSN covers the first of them at least, before the last.")
{
    uint32_t n = parts_to_trigger(tc);
    struct fep_read r = fep_reads(tc, (n + 1) * uet_tc_dut(tc)->payload_mtu);
    for (size_t i = 0; i < n; i++) {
        struct uet_out o = unasked_part_of(&r, i);
        say(tc, &o);
    }
    uet_check(tc, "PDS-100", cack_reaches(tc, r.pdc, r.pdc->start_psn),
              "no ACK came for %u parts of read data", n);
    struct uet_out last = part_of(&r, n);
    say(tc, &last);
    hear(tc, "PDS-121", COVERED(&last));
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
    say(tc, &first);
    field(tc, "PDS-103", hear(tc, "PDS-103", ACK_OF(&first)), UET_F_PDS_M, 1);
    say(tc, &second);
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
    say(tc, &data);
    hear(tc, "PDS-098", ACK_OF(&data));
    check_read(tc, "PDS-121", &r);
}

UET_TEST(return_gap_closes, .id = "pds.3.5.12.2.return-data-gap-closes",
         .requirements = "PDS-125 PDS-114", .role = UET_ROLE_INITIATOR, .not_over = "own",
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
    say(tc, &second);
    const struct uet_in *ack = hear(tc, "PDS-125", ACK_OF(&second));
    field(tc, "PDS-125", ack, UET_F_PDS_CACK_PSN, r.pdc->start_psn - 1);
    uet_check(tc, "PDS-114", !sacked(ack, first.psn) && !sacked(ack, third.psn),
              "the SACK bitmap tells read data received that was not sent");
    say(tc, &first);
    uet_check(tc, "PDS-125", cack_reaches(tc, r.pdc, second.psn),
              "no ACK came that tells that the gap is filled");
    say(tc, &third);
    check_read(tc, "PDS-121", &r);
}
