/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.6.9.2, 3.6.13.9: what a destination counts of packets that come otherwise than plainly. */
#include "conformance/harness/steps/fep_reads.h"
#include "conformance/tests/nscc.h"

#define FAR          20u     /* packets above a gap */
#define NOT_COMPUTED 0xffffu /* ooo_count */

UET_TEST(marked_count, .id = "cms.3.6.13.9.rcvd-bytes-counts-marked", .requirements = "CMS-018",
         .role = UET_ROLE_TARGET, .needs = "rud write nscc ack-cc", .port_caps = UET_PORT_ECN,
         .purpose = "A packet that met congestion counts in rcvd_bytes as any other.",
         .preamble = "A memory region.",
         .stimulus = "Four WRITEs of 16 bytes on a new PDC, all but the first with CE.",
         .expected = "In each ACK rcvd_bytes is the sum of the nominal sizes so far.")
{
    struct uet_memory m = uet_need_memory(tc, 16); /* what has no data need not count */
    struct uet_pdc *p = uet_pdc_new(tc);
    uint32_t sum = 0;
    for (unsigned i = 0; i < 4; i++) {
        struct uet_out o = uet_write(p, &m, 0, uet_tc_bytes(tc, 16), 16);
        o.route.ecn = i ? UET_ECN_CE : o.route.ecn;
        sum += nominal_of(&o);
        field(tc, "CMS-018", ask_nscc(tc, "CMS-018", &o), UET_F_PDS_NSCC_RCVD_BYTES,
              (sum + UET_RCVD_BYTES_UNIT - 1) / UET_RCVD_BYTES_UNIT);
    }
}

UET_TEST(far_above_a_gap, .id = "cms.3.6.9.2.ooo-count-above-a-few", .requirements = "CMS-032",
         .role = UET_ROLE_TARGET, .needs = "rud any-request ack-cc",
         .purpose = "ooo_count tells of many packets above a gap as of few.",
         .preamble = "PDC open; n is the next PSN.",
         .stimulus = "n+1 ... n+20, which leave n out; then n, and n+21.",
         .expected = "ooo_count 20 in the ACK of n+20 and 0 in that of n+21; or 0xFFFF always. A "
                     "FEP whose MP_RANGE is less than 24 PSNs is skipped.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o[FAR + 2];
    const struct uet_in *ack = NULL;
    for (unsigned i = 0; i < FAR + 2; i++)
        o[i] = uet_any_request(p);
    for (unsigned i = 1; i <= FAR; i++) {
        ack = ask_nscc(tc, "CMS-032", &o[i]);
        if (mp_range(tc, ack) < FAR + 4)
            uet_skip(tc, "the MP_RANGE of this FEP is too small");
    }
    bool counts = value_of(tc, ack, UET_F_PDS_NSCC_OOO_COUNT) != NOT_COMPUTED;
    field(tc, "CMS-032", ack, UET_F_PDS_NSCC_OOO_COUNT, counts ? FAR : NOT_COMPUTED);
    ask(tc, "CMS-032", &o[0]);
    field(tc, "CMS-032", ask(tc, "CMS-032", &o[FAR + 1]), UET_F_PDS_NSCC_OOO_COUNT,
          counts ? 0 : NOT_COMPUTED);
}

UET_TEST(read_data_counts, .id = "cms.3.6.13.9.rcvd-bytes-counts-read-data",
         .requirements = "CMS-018", .role = UET_ROLE_INITIATOR, .needs = "nscc ack-cc",
         .not_over = "past", /* which leaves read data behind, too */
         .purpose = "An initiator counts the read data that Requests bring it in rcvd_bytes.",
         .preamble = "None.",
         .stimulus = "The FEP reads two payload MTUs, each of which comes in a Request with ar=1.",
         .expected = "In each ACK rcvd_bytes is the sum of the nominal sizes so far.")
{
    struct fep_read r = fep_reads(tc, 2u * uet_tc_dut(tc)->payload_mtu);
    uint32_t sum = 0;
    for (unsigned i = 0; i < 2; i++) {
        struct uet_out data = part_of(&r, i);
        uet_rud_rod_req_ar_set(data.pds, true);
        sum += nominal_of(&data);
        say(tc, &data);
        const struct uet_in *ack = hear(tc, "CMS-018", ACK_OF(&data));
        if (ack->packet.cc_state != UET_H_ACK_CC_STATE_NSCC)
            uet_skip(tc, "the ACKs of this FEP have no NSCC state");
        field(tc, "CMS-018", ack, UET_F_PDS_NSCC_RCVD_BYTES,
              (sum + UET_RCVD_BYTES_UNIT - 1) / UET_RCVD_BYTES_UNIT);
    }
    check_read(tc, "PDS-121", &r);
}

UET_TEST(
    ooo_count_of_read_data, .id = "cms.3.6.9.2.ooo-count-of-read-data", .requirements = "CMS-032",
    .role = UET_ROLE_INITIATOR, .needs = "nscc ack-cc", .not_over = "own",
    .purpose = "An initiator tells in ooo_count what of its read data lies above a gap.",
    .preamble = "None.",
    .stimulus = "The FEP reads three payload MTUs, each of which comes in a Request with ar=1: "
                "the second first, then the third, then the first.",
    .expected = "ooo_count 1, 2 and 0; or 0xFFFF always.")
{
    static const uint8_t order[] = {1, 2, 0}, above[] = {1, 2, 0};
    struct fep_read r = fep_reads(tc, 3u * uet_tc_dut(tc)->payload_mtu);
    struct uet_out part[3];
    bool counts = true;
    for (size_t i = 0; i < 3; i++)
        part[i] = part_of(&r, i);
    for (size_t i = 0; i < 3; i++) {
        uet_rud_rod_req_ar_set(part[order[i]].pds, true);
        say(tc, &part[order[i]]);
        const struct uet_in *ack = hear(tc, "CMS-032", ACK_OF(&part[order[i]]));
        if (ack->packet.cc_state != UET_H_ACK_CC_STATE_NSCC)
            uet_skip(tc, "the ACKs of this FEP have no NSCC state");
        counts = i ? counts : value_of(tc, ack, UET_F_PDS_NSCC_OOO_COUNT) != NOT_COMPUTED;
        field(tc, "CMS-032", ack, UET_F_PDS_NSCC_OOO_COUNT, counts ? above[i] : NOT_COMPUTED);
    }
    check_read(tc, "PDS-121", &r);
}
