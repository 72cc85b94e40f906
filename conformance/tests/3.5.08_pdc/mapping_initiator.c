/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.8.1, 3.5.11.5: which PDC an initiator takes, and what it calls it. */
#include "conformance/harness/steps/acks.h"
#include "conformance/harness/steps/target.h"
#include "conformance/tests/pds.h"

/* The FEP writes in this traffic class, to this address of the tester: the first packet. */
static const struct uet_in *writes_as(struct uet_tc *tc, uint8_t traffic_class, struct uet_ip to,
                                      uint64_t *handle)
{
    struct uet_ut_operation op = uet_op(tc, 16);

    op.traffic_class = traffic_class;
    op.to = to;
    *handle = uet_do_write(tc, &op);
    return hear(tc, "PDS-011", REQUEST_ON(NULL));
}

/* The Request opens a PDC of the FEP, unless a NOOP has opened it (3.5.16.1). */
static void opens_pdc(struct uet_tc *tc, const char *requirement, const struct uet_in *in)
{
    if (!in->pdc || in->pdc->initiator || psn_of(in) == in->pdc->start_psn)
        field(tc, requirement, in, UET_F_PDS_SYN, 1);
}

UET_TEST(pdc_per_traffic_class, .id = "pds.3.5.8.1.pdc-per-traffic-class",
         .requirements = "PDS-011 PDS-018", .role = UET_ROLE_INITIATOR,
         .purpose = "A PDC serves one traffic class; two PDCs at once have two PDCIDs.",
         .preamble = "None.",
         .stimulus = "The FEP writes to the tester in traffic class 0, then in traffic class 1; "
                     "neither PDC is closed.",
         .expected = "The second write comes on a PDC of its own, with a SYN and another spdcid.")
{
    struct uet_ip self = uet_tc_dut(tc)->tester[0];
    uint64_t handle;
    const struct uet_in *first = writes_as(tc, 0, self, &handle);
    uet_expect_completion(tc, handle);
    const struct uet_in *second = writes_as(tc, 1, self, &handle);
    uet_look_at(tc, second);
    uet_check(tc, "PDS-011", second->pdc != first->pdc,
              "one PDC carries two traffic classes (spdcid 0x%04x)", uet_spdcid(&first->packet));
    opens_pdc(tc, "PDS-011", second);
    field_is_not(tc, "PDS-018", second, UET_F_PDS_SPDCID, uet_spdcid(&first->packet));
    uet_expect_completion(tc, handle);
}

UET_TEST(pending_pdc_per_traffic_class, .id = "pds.3.5.8.1.pending-pdc-per-traffic-class",
         .not_over = "used after-read aged", .requirements = "PDS-011", .role = UET_ROLE_INITIATOR,
         .purpose = "A PDC that is being created serves one traffic class, too.",
         .preamble = "RTO long.",
         .stimulus = "The FEP writes in traffic class 0 and in 1 before its first ACK; then ACKs.",
         .expected = "The second write comes on a PDC of its own; both complete.")
{
    uint64_t handle[2];
    const struct uet_in *in[2];

    hold_rto(tc);
    uet_auto_ack(tc, false);
    for (uint8_t i = 0; i < 2; i++) {
        struct uet_ut_operation op = uet_op(tc, 16);
        op.traffic_class = i;
        handle[i] = uet_do_write(tc, &op);
        in[i] = uet_next_request(tc, NULL);
        if (!in[i])
            uet_skip(tc, "the FEP holds the next message back until the PDC is there");
    }
    uet_check(tc, "PDS-011", in[0]->pdc != in[1]->pdc,
              "one PDC carries two traffic classes (spdcid 0x%04x)", uet_spdcid(&in[0]->packet));
    for (size_t i = 0; i < 2; i++)
        acknowledge(tc, in[i]->pdc, in[i]);
    uet_auto_ack(tc, true);
    for (size_t i = 0; i < 2; i++)
        completes(tc, "PDS-011", handle[i], UET_UT_OK);
}

UET_TEST(concurrent_pdcids_differ, .id = "pds.3.5.11.5.concurrent-pdcids-differ",
         .requirements = "PDS-018 PDS-016", .role = UET_ROLE_INITIATOR,
         .purpose = "PDCs that exist at the same time to one FEP have different PDCIDs.",
         .preamble = "None.",
         .stimulus = "The FEP writes in eight traffic classes; no PDC is closed in between.",
         .expected = "As many SYNs of different spdcid as PDCs; none is 0.")
{
    uint16_t had[8] = {0};
    size_t n = 0;

    uet_auto_ack(tc, false);
    hold_rto(tc);
    for (uint8_t tc_class = 0; tc_class < 8; tc_class++) {
        struct uet_ut_operation op = uet_op(tc, 16);
        op.traffic_class = tc_class;
        uet_do_write(tc, &op);
        const struct uet_in *in = uet_next_request(tc, NULL);
        if (!in)
            uet_skip(tc, "the FEP opens only %zu PDCs at once in this test", n);
        uint16_t id = uet_spdcid(&in->packet);
        field_is_not(tc, "PDS-016", in, UET_F_PDS_SPDCID, 0);
        for (size_t i = 0; i < n; i++)
            uet_check(tc, "PDS-018", had[i] != id, "spdcid 0x%04x names two PDCs at a time", id);
        had[n++] = id;
        acknowledge(tc, in->pdc, in);
    }
    uet_auto_ack(tc, true);
}

UET_TEST(pdcid_per_destination, .id = "pds.3.5.11.5.pdcid-per-destination",
         .not_over = "used after-read aged", .requirements = "PDS-019 PDS-011",
         .role = UET_ROLE_INITIATOR,
         .purpose = "PDCs to two destinations are two PDCs, of the same PDCID or not.",
         .preamble = "None.",
         .stimulus = "The FEP writes to both addresses of the tester; neither PDC is closed.",
         .expected = "Each write opens a PDC with a SYN from its own first PSN; both complete.")
{
    const struct uet_in *in[2];
    struct uet_ip to[2] = {uet_tc_dut(tc)->tester[0], uet_tc_second_address(tc)};

    for (size_t i = 0; i < 2; i++) {
        uint64_t handle;
        in[i] = writes_as(tc, 0, to[i], &handle);
        uet_look_at(tc, in[i]);
        struct uet_ip dst = uet_dst_ip(&in[i]->packet);
        uet_check(tc, "PDS-011", uet_ip_equal(&dst, &to[i]), "the packet went to another address");
        opens_pdc(tc, "PDS-011", in[i]);
        uet_expect_completion(tc, handle);
    }
    uet_note(tc, "PDS-019", "spdcid 0x%04x and 0x%04x", uet_spdcid(&in[0]->packet),
             uet_spdcid(&in[1]->packet));
}

UET_TEST(pending_pdc_per_destination, .id = "pds.3.5.8.1.pending-pdc-per-destination",
         .not_over = "used after-read aged", .requirements = "PDS-011", .role = UET_ROLE_INITIATOR,
         .purpose = "A PDC that is being created serves one destination, too.",
         .preamble = "RTO long.",
         .stimulus = "The FEP writes to both addresses of the tester before its first ACK; then "
                     "ACKs.",
         .expected = "The second write goes to the second address, with a SYN; both complete.")
{
    const struct uet_in *in[2];
    uint64_t handle[2];
    struct uet_ip to[2] = {uet_tc_dut(tc)->tester[0], uet_tc_second_address(tc)};

    hold_rto(tc);
    uet_auto_ack(tc, false);
    for (size_t i = 0; i < 2; i++) {
        struct uet_ut_operation op = uet_op(tc, 16);
        op.to = to[i];
        handle[i] = uet_do_write(tc, &op);
        in[i] = uet_next_request(tc, NULL);
        if (!in[i])
            uet_skip(tc, "the FEP holds the next message back until the PDC is there");
        uet_look_at(tc, in[i]);
        struct uet_ip dst = uet_dst_ip(&in[i]->packet);
        uet_check(tc, "PDS-011", uet_ip_equal(&dst, &to[i]), "the packet went to another address");
        field(tc, "PDS-011", in[i], UET_F_PDS_SYN, 1);
    }
    for (size_t i = 0; i < 2; i++)
        acknowledge(tc, in[i]->pdc, in[i]);
    uet_auto_ack(tc, true);
    for (size_t i = 0; i < 2; i++)
        completes(tc, "PDS-011", handle[i], UET_UT_OK);
}

/* The FEP writes three times 16 bytes, and its first packet is not acknowledged: theirs. */
static void three_pending(struct uet_tc *tc, uint64_t handle[3], const struct uet_in *in[3])
{
    hold_rto(tc);
    uet_auto_ack(tc, false);
    for (size_t i = 0; i < 3; i++) {
        struct uet_ut_operation op = uet_op(tc, 16);
        handle[i] = uet_do_write(tc, &op);
        in[i] = uet_next_request(tc, NULL);
        if (!in[i])
            uet_skip(tc, "the FEP holds the next message back until the PDC is there");
    }
}

UET_TEST(
    queued_share_the_pending_pdc, .id = "pds.3.5.8.2.queued-share-the-pending-pdc",
    .not_over = "used after-read aged", .requirements = "PDS-048 PDS-024",
    .role = UET_ROLE_INITIATOR, .claim_binds = true,
    .purpose = "Messages that come while a PDC is being created may share it.",
    .preamble = "RTO long.",
    .stimulus = "The FEP writes three times 16 bytes before its first ACK; then ACKs.",
    .expected = "Each packet has syn=1, on the pending PDC or on one of its own; all complete.")
{
    uint64_t handle[3];
    const struct uet_in *in[3];
    unsigned pdcs = 1;

    three_pending(tc, handle, in);
    for (size_t i = 0; i < 3; i++) {
        field(tc, "PDS-024", in[i], UET_F_PDS_SYN, 1);
        pdcs += i > 0 && in[i]->pdc != in[i - 1]->pdc;
    }
    uet_note(tc, "PDS-048", "three messages came on %u PDC%s", pdcs, pdcs == 1 ? "" : "s");
    for (size_t i = 0; i < 3; i++)
        acknowledge(tc, in[i]->pdc, in[i]);
    uet_auto_ack(tc, true);
    for (size_t i = 0; i < 3; i++)
        completes(tc, "PDS-048", handle[i], UET_UT_OK);
}

#define PDCS_MOST 48

UET_TEST(own_pdc_beside_many, .id = "pds.3.5.8.1.own-pdc-beside-many",
         .not_over = "used after-read aged company", .requirements = "PDS-011",
         .role = UET_ROLE_INITIATOR, .needs = "rud any-request", .params = "max-pdcs",
         .purpose = "What the FEP sends goes on no PDC that its peer has opened.",
         .preamble = "PDCs that the tester opened, 48 or all but two that the FEP has.",
         .stimulus =
             "The FEP writes 16 bytes with JobID 0, the one that a PDC without job may seem to "
             "have.",
         .expected = "A SYN of its own; the write completes.")
{
    uint64_t most = uet_tc_param(tc, "max-pdcs");
    struct uet_ut_operation op = uet_op(tc, 16);
    op.job_id = 0;
    if (most < 3)
        uet_skip(tc, "the FEP has %u PDCs: too few for this test", (unsigned)most);
    for (uint64_t i = 0; i < most - 2 && i < PDCS_MOST; i++)
        uet_pdc_open(tc);
    uint64_t handle = uet_do_write(tc, &op);
    opens_pdc(tc, "PDS-011", hear(tc, "PDS-011", REQUEST_ON(NULL)));
    completes(tc, "PDS-011", handle, UET_UT_OK);
}

#define PDCS_BESIDE 8

UET_TEST(
    numbers_of_both_roles, .id = "pds.3.5.11.5.numbers-of-both-roles",
    .not_over = "used after-read aged", .requirements = "PDS-018", .role = UET_ROLE_INITIATOR,
    .needs = "any-request",
    .purpose = "A PDC that the FEP opened and those that its peer opens have each a PDCID of "
               "their own.",
    .preamble = "A PDC that the FEP opened.",
    .stimulus = "The tester opens PDCs, 8 or as many as it gets; a Request on each; a WRITE of "
                "the FEP.",
    .expected = "The TPDCIDs are not the PDCID of the FEP's PDC; each Request is acknowledged, "
                "and the WRITE completes.")
{
    const struct uet_pdc *own = fep_opens(tc);
    struct uet_pdc *p[PDCS_BESIDE];
    size_t n = 0;
    for (; n < PDCS_BESIDE; n++) {
        p[n] = uet_pdc_new(tc);
        struct uet_out syn = uet_any_request(p[n]);
        say(tc, &syn);
        const struct uet_in *in = maybe(tc, COVERED_OR_REFUSED(&syn));
        if (!in || !uet_is_ack(&in->packet))
            break;
        if (!own->closed) /* it was idle (PDS-214): its number may be given again */
            field_is_not(tc, "PDS-018", in, UET_F_PDS_SPDCID, own->fep_pdcid);
    }
    for (size_t i = 0; i < n; i++)
        still_serves(tc, "PDS-018", p[i]);
    struct uet_ut_operation op = uet_op(tc, 16);
    completes(tc, "PDS-018", uet_do_write(tc, &op), UET_UT_OK);
}

UET_TEST(queued_are_refused_together, .id = "pds.3.5.12.7.queued-are-refused-together",
         .not_over = "used after-read aged", .requirements = "PDS-137", .role = UET_ROLE_INITIATOR,
         .purpose = "Where a pending PDC is refused, all messages on it are tried again.",
         .preamble = "RTO long.",
         .stimulus = "The FEP writes three times 16 bytes before its first ACK; NACK "
                     "UET_NO_PDC_AVAIL (0x04) for each SYN; then all is acknowledged.",
         .expected = "When one write completes with success, all do.")
{
    struct uet_ut_completion c[3];
    uint64_t handle[3];
    const struct uet_in *in[3];
    bool done[3];
    uet_need_retries(tc);
    three_pending(tc, handle, in);
    if (uet_start_psn(&in[0]->packet) != psn_of(in[0]))
        uet_skip(tc, "the FEP opens its PDC with another packet, as it may");
    uet_auto_ack(tc, true);
    for (size_t i = 0; i < 3; i++)
        say_nack(tc, in[i], UET_NACK_NO_PDC_AVAIL);
    for (size_t i = 0; i < 3; i++)
        done[i] = uet_completion(tc, handle[i], patience(tc, one_rto(tc)), &c[i]) &&
                  c[i].status == UET_UT_OK;
    for (size_t i = 0; i < 3; i++) /* one may have come while the next was waited for */
        done[i] = done[i] || (uet_completion(tc, handle[i], 0, &c[i]) && c[i].status == UET_UT_OK);
    uet_check(tc, "PDS-137", done[0] == done[1] && done[1] == done[2],
              "of three writes that were refused alike some succeeded, and some did not");
}
