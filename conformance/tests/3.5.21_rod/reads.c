/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.7.2, 3.5.21: reads over ROD, where the data comes in the order of the READs. */
#include "conformance/tests/reads.h"
#include "conformance/tests/fep_reads.h"

static struct uet_pdc *rod_open(struct uet_tc *tc)
{
    uet_preamble_begin(tc);
    struct uet_pdc *p = uet_pdc_new(tc);
    p->rod = true;
    struct uet_out syn = uet_any_request(p);
    exchange(tc, &syn);
    uet_preamble_end(tc);
    return p;
}

/* READs one after the other, all of the return direction; what they bring, as it comes. */
static void rod_reads(struct uet_tc *tc, struct uet_pdc *p, const struct source *s, uint32_t part,
                      size_t count, struct uet_out *o, const struct uet_in **in)
{
    const struct uet_want data = {
        .kind = UET_WANT_REQUEST, .pdc = p, .also = is_data, .named = "Request with read data"};

    for (size_t i = 0; i < count; i++) {
        o[i] = uet_read(p, &s->m, i * part, part);
        uet_send(tc, &o[i]);
    }
    for (size_t i = 0; i < count; i++)
        in[i] = outstanding_data(tc, &data, i);
}

UET_TEST(rod_reads_in_order, .id = "pds.3.5.7.2.reads-in-order", .requirements = "PDS-169 PDS-007",
         .role = UET_ROLE_TARGET, .needs = "rod read any-request",
         .purpose = "The data of ROD reads comes in the order of the READs.",
         .preamble = "Memory; a ROD PDC open.", .stimulus = "Four READs, back to back.",
         .expected = "ROD Requests of the return direction with the data of the first READ, the "
                     "second, the third, the fourth. Between them and the forward ACKs no order "
                     "is demanded (PDS-170).")
{
    enum { READS = 4 };
    uint32_t n = more_than_ack_data(tc);
    struct source s = need_source(tc, READS * n);
    struct uet_out o[READS];
    const struct uet_in *in[READS];
    struct uet_pdc *p = rod_open(tc);
    uet_for(tc, "PDS-169");
    rod_reads(tc, p, &s, n, READS, o, in);
    for (size_t i = 0; i < READS; i++) {
        uet_look_at(tc, in[i]);
        uet_check_enum(tc, "PDS-007", "pds.type", UET_ENUM_PDS_TYPE,
                       uet_pds_prologue_type(uet_pds(&in[i]->packet)), UET_PDS_ROD_REQ);
        uet_check(tc, "PDS-169", brings_data(in[i], &o[i]),
                  "the data of READ %zu does not come as number %zu", i + 1, i + 1);
        check_data(tc, "PDS-169", in[i], &s, (uint32_t)i * n, n);
        if (i > 0)
            uet_check_eq(tc, "PDS-169", "pds.psn", uet_packet_psn(&in[i]->packet),
                         uet_packet_psn(&in[i - 1]->packet) + 1);
    }
}

UET_TEST(rod_long_read_first, .id = "pds.3.5.7.2.long-read-first", .requirements = "PDS-169",
         .role = UET_ROLE_TARGET, .needs = "rod read any-request",
         .purpose = "The data of a long ROD read is not overtaken by that of a short one.",
         .preamble = "Memory; a ROD PDC open.",
         .stimulus = "A READ of three packets and, back to back, one of a single packet.",
         .expected = "All data of the first READ, then that of the second.")
{
    const uint32_t mtu = uet_tc_dut(tc)->payload_mtu, few = more_than_ack_data(tc);
    struct source s = need_source(tc, 3 * mtu);
    struct uet_pdc *p = rod_open(tc);
    const struct uet_want data = {
        .kind = UET_WANT_REQUEST, .pdc = p, .also = is_data, .named = "Request with read data"};
    struct uet_out o[4];
    size_t n = uet_message(p, UET_OP_READ, &s.m, 0, NULL, 3 * mtu, o, 3);
    o[n] = uet_read(p, &s.m, 0, few);
    for (size_t i = 0; i <= n; i++)
        uet_send(tc, &o[i]);
    uet_for(tc, "PDS-169");
    for (size_t i = 0; i <= n; i++)
        uet_check(tc, "PDS-169", brings_data(uet_expect(tc, &data, 0), &o[i]),
                  "the data that comes as number %zu is not that of packet %zu", i + 1, i + 1);
}

UET_TEST(rod_data_goes_back, .id = "pds.3.5.21.return-data-goes-back", .requirements = "PDS-167",
         .role = UET_ROLE_TARGET, .needs = "rod read any-request", .params = "NACK_Retx_Time",
         .purpose = "UET_ROD_OOO makes the target send again from the gap on.",
         .preamble = "Memory; a ROD PDC open; RTO long.",
         .stimulus = "Three READs, data r to r+2; ACK of r; NACK UET_ROD_OOO of r+2 with payload "
                     "r+1.",
         .expected = "r+1 and r+2 again, in this order; r not.")
{
    uint32_t n = more_than_ack_data(tc);
    struct source s = need_source(tc, 3 * n);
    struct uet_out o[3];
    const struct uet_in *in[3];
    hold_rto(tc);
    struct uet_pdc *p = rod_open(tc);
    uet_auto_ack(tc, false);
    rod_reads(tc, p, &s, n, 3, o, in);
    uint32_t r = uet_packet_psn(&in[0]->packet);
    struct uet_out ack = uet_ack(p, in[0]);
    uet_ack_cack_psn_set(ack.pds, r);
    uet_ack_ack_psn_offset_set(ack.pds, 0);
    uet_send(tc, &ack);
    struct uet_out nack = uet_nack(p, r + 2, UET_NACK_ROD_OOO);
    uet_nack_payload_set(nack.pds, r + 1);
    uet_send(tc, &nack);
    const struct uet_want again = {.kind = UET_WANT_REQUEST,
                                   .pdc = p,
                                   .also = is_resend,
                                   .named = "data again",
                                   .again = true};
    uint64_t due = patience(tc, uet_tc_latest(tc, uet_tc_param(tc, "NACK_Retx_Time")));
    const struct uet_in *copy = NULL;
    uet_for(tc, "PDS-167");
    for (uint32_t i = 1; i < 3; i++) {
        copy = uet_expect(tc, &again, due);
        uet_check_eq(tc, "PDS-167", "pds.psn", uet_packet_psn(&copy->packet), r + i);
    }
    acknowledge(tc, p, copy);
}

UET_TEST(rod_data_gap, .id = "pds.3.5.21.return-data-gap", .requirements = "PDS-165 PDS-166",
         .role = UET_ROLE_INITIATOR, .needs = "rod",
         .purpose = "ROD: an initiator refuses read data ahead of a gap.", .preamble = "None.",
         .stimulus = "The FEP reads two payload MTUs over ROD; the second part comes first; then "
                     "the first, then the second again.",
         .expected = "NACK UET_ROD_OOO of the second with the first's PSN as payload; then both "
                     "are acknowledged in order, and the read completes.")
{
    struct uet_ut_operation op = uet_op(tc, 2u * uet_tc_dut(tc)->payload_mtu);
    op.mode = UET_UT_MODE_ROD;
    struct fep_read r = fep_reads_op(tc, &op);
    struct uet_out first = part_of(&r, 0), second = part_of(&r, 1);
    uet_send(tc, &second);
    uet_for(tc, "PDS-165");
    const struct uet_in *nack = uet_expect_nack(tc, r.pdc, second.psn, UET_NACK_ROD_OOO);
    uet_check_eq(tc, "PDS-165", "pds.payload (Expected_PSN)",
                 uet_nack_payload(uet_pds(&nack->packet)), first.psn);
    uet_send(tc, &first);
    uet_for(tc, "PDS-166");
    const struct uet_in *ack = uet_expect_ack(tc, r.pdc, first.psn);
    uet_check_eq(tc, "PDS-166", "cack_psn", cack_of(ack), first.psn);
    uet_resend(tc, &second);
    ack = uet_expect_ack(tc, r.pdc, second.psn);
    uet_check_eq(tc, "PDS-166", "cack_psn", cack_of(ack), second.psn);
    check_read(tc, "PDS-166", &r);
}
