/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.8.3, 3.5.16.2, 3.5.5: reads against Close Command, ACK Request and the code points of ACKs.
 */
#include "conformance/tests/reads.h"

UET_TEST(close_with_return_data, .id = "pds.3.5.8.3.close-with-return-data",
         .requirements = "PDS-211", .role = UET_ROLE_TARGET, .needs = "rud read any-request",
         .contested = true,
         .purpose = "A Close Command while return data is outstanding is not simply granted.",
         .preamble = "Memory; PDC open; RTO long.",
         .stimulus = "A READ; its data is not acknowledged; Close Command.",
         .expected = "NACK UET_CLOSING_IN_ERR (0x11); or (the other reading) no ACK of the Close "
                     "Command before the data is acknowledged, and then it.")
{
    static const uint8_t in_err = UET_NACK_CLOSING_IN_ERR;
    uint32_t n = more_than_ack_data(tc);
    struct source s = need_source(tc, n);
    hold_rto(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    uet_auto_ack(tc, false);
    struct uet_out o = uet_read(p, &s.m, 0, n);
    uet_send(tc, &o);
    const struct uet_in *in = expect_return_data(tc, "PDS-119", &o);
    uet_expect_covered(tc, p, o.psn);
    struct uet_out close = uet_cp(p, UET_CTL_CLOSE_COMMAND);
    const struct uet_want nack = {.kind = UET_WANT_NACK,
                                  .pdc = p,
                                  .codes = &in_err,
                                  .n_codes = 1,
                                  .named = "NACK UET_CLOSING_IN_ERR"};
    const struct uet_want ack = {.kind = UET_WANT_ACK,
                                 .pdc = p,
                                 .with_psn = true,
                                 .psn = close.psn,
                                 .named = "the ACK of Close Command, while data is outstanding"};
    uet_send(tc, &close);
    if (uet_maybe(tc, &nack, uet_tc_quiet(tc))) {
        p->closed = true;
        return;
    }
    uet_expect_nothing(tc, "PDS-211", &ack, UET_US);
    acknowledge(tc, p, in);
    uet_for(tc, "PDS-211");
    uet_expect_ack(tc, p, close.psn);
    uet_note(tc, "PDS-211", "the target waits for the ACK of its data, then grants the close");
}

UET_TEST(closing_lingers, .id = "pds.3.5.8.3.closing-lingers", .requirements = "PDS-212",
         .role = UET_ROLE_TARGET, .needs = "rud read any-request",
         .purpose =
             "A PDC that has to wait before it closes takes nothing new, and knows its Close "
             "Command again.",
         .preamble = "Memory; PDC open; RTO long; a READ whose data is not acknowledged.",
         .stimulus = "Close Command, the Request with the PSN after it, and Close Command again.",
         .expected = "The Request gets NACK UET_CLOSING (0x10), or UET_INV_DPDCID (0x0E) when the "
                     "PDC is gone; the Close Command does not get 0x10.")
{
    static const uint8_t codes[] = {UET_NACK_CLOSING, UET_NACK_INV_DPDCID, UET_NACK_CLOSING_IN_ERR};
    static const uint8_t in_err = UET_NACK_CLOSING_IN_ERR, closing = UET_NACK_CLOSING;
    uint32_t n = more_than_ack_data(tc);
    struct source s = need_source(tc, n);
    hold_rto(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    uet_auto_ack(tc, false);
    struct uet_out o = uet_read(p, &s.m, 0, n);
    uet_send(tc, &o);
    uet_preamble_begin(tc);
    const struct uet_in *in = expect_return_data(tc, "PDS-119", &o);
    uet_expect_covered(tc, p, o.psn);
    uet_preamble_end(tc);
    struct uet_out close = uet_cp(p, UET_CTL_CLOSE_COMMAND), late = uet_any_request(p);
    struct uet_want nack = {.kind = UET_WANT_NACK, .pdc = p, .codes = &in_err, .n_codes = 1};
    uet_for(tc, "PDS-212");
    uet_send(tc, &close);
    if (uet_maybe(tc, &nack, uet_tc_quiet(tc))) {
        p->closed = true;
        uet_skip(tc, "the FEP refuses the close while its data is outstanding, as it may");
    }
    uet_send(tc, &late);
    uet_expect_nack_of(tc, p, late.psn, codes, sizeof(codes));
    uet_resend(tc, &close);
    nack.codes = &closing;
    nack.with_psn = true;
    nack.psn = close.psn;
    nack.named = "NACK UET_CLOSING for the Close Command";
    uet_expect_nothing(tc, "PDS-212", &nack, 0);
    acknowledge(tc, p, in);
    uet_wait(tc, uet_tc_quiet(tc));
    p->closed = true;
}

/* The answer to an ACK Request for a READ whose ACK carried its data. */
static void answered_without_data(struct uet_tc *tc, const struct uet_out *o)
{
    const struct uet_want answer = answer_to(o);

    uet_for(tc, "PDS-192");
    const struct uet_in *in = uet_expect(tc, &answer, 0);
    if (brings_data(in, o))
        uet_note(tc, "PDS-192", "an ACK Request brings the ACK with its data again");
    else if (uet_check(tc, "PDS-192", uet_is_nack(&in->packet),
                       "an ACK without the data answers an ACK Request"))
        uet_check_enum(tc, "PDS-192", "nack_code", UET_ENUM_PDS_NACK_CODE,
                       uet_nack_nack_code(uet_pds(&in->packet)), UET_NACK_ACK_WITH_DATA);
}

UET_TEST(ack_request_for_data, .id = "pds.3.5.16.2.ack-carried-data", .requirements = "PDS-192",
         .role = UET_ROLE_TARGET, .needs = "rud read any-request", .contested = true,
         .purpose = "An ACK with read data is not sent again for an ACK Request.",
         .preamble = "Memory; PDC open; a READ of 8 bytes was answered with data in its ACK.",
         .stimulus = "ACK Request for it; then the READ again.",
         .expected = "NACK UET_ACK_WITH_DATA (0x14); the stored ACK again is a remark. The READ "
                     "brings its data once more.")
{
    struct source s = need_source(tc, 8);
    struct uet_pdc *p = uet_pdc_open(tc);
    p->auto_clear = false;
    p->clear_psn = p->start_psn;
    struct uet_out o = uet_read(p, &s.m, 0, 8);
    uet_send(tc, &o);
    if (uet_is_request(&expect_data(tc, &o)->packet))
        uet_skip(tc, "the FEP returns small reads in Requests, as it may");
    uet_forget(tc);
    struct uet_out ask = cp_at(p, UET_CTL_ACK_REQUEST, o.psn);
    const struct uet_want data = data_of(&o);
    uet_send(tc, &ask);
    answered_without_data(tc, &o);
    uet_forget(tc);
    uet_resend(tc, &o);
    check_data(tc, "PDS-192", uet_expect(tc, &data, 0), &s, 0, 8);
}

UET_TEST(
    ack_request_for_older_data, .id = "pds.3.5.16.2.older-ack-carried-data",
    .requirements = "PDS-192", .role = UET_ROLE_TARGET, .needs = "rud read any-request",
    .contested = true,
    .purpose = "That an ACK had read data is known of every PSN, not of the last one alone.",
    .preamble = "Memory; PDC open; two READs of 8 bytes were answered with data in their ACKs.",
    .stimulus = "ACK Request for the first.",
    .expected = "NACK UET_ACK_WITH_DATA (0x14); the stored ACK again is a remark.")
{
    struct source s = need_source(tc, 16);
    struct uet_pdc *p = uet_pdc_open(tc);
    p->auto_clear = false;
    p->clear_psn = p->start_psn;
    struct uet_out o[2] = {uet_read(p, &s.m, 0, 8), uet_read(p, &s.m, 8, 8)};
    for (int i = 0; i < 2; i++) {
        uet_send(tc, &o[i]);
        if (uet_is_request(&expect_data(tc, &o[i])->packet))
            uet_skip(tc, "the FEP returns small reads in Requests, as it may");
    }
    uet_forget(tc);
    struct uet_out ask = cp_at(p, UET_CTL_ACK_REQUEST, o[0].psn);
    uet_send(tc, &ask);
    answered_without_data(tc, &o[0]);
}

UET_TEST(trimmable_ack, .id = "pds.3.5.5.trimmable-ack", .requirements = "PDS-127 NET-020",
         .role = UET_ROLE_TARGET, .needs = "rud read any-request upper-tester",
         .params = "dscp-trimmable dscp-control",
         .purpose = "An ACK with much read data may be trimmed, one with little may not.",
         .preamble = "Max_ACK_Data_Size 256, Trimmable_ACK_Size 64; memory; PDC open.",
         .stimulus = "READs of 32 bytes and of 256 bytes.",
         .expected = "Both answered in the ACK, the first with DSCP_CONTROL, the second with "
                     "DSCP_TRIMMABLE.")
{
    uet_set_param(tc, "Max_ACK_Data_Size", 256);
    uet_set_param(tc, "Trimmable_ACK_Size", 64);
    struct source s = need_source(tc, 256);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out few = uet_read(p, &s.m, 0, 32), many = uet_read(p, &s.m, 0, 256);
    uet_send(tc, &few);
    const struct uet_in *little = expect_data(tc, &few);
    uet_send(tc, &many);
    const struct uet_in *much = expect_data(tc, &many);
    if (!uet_is_ack(&little->packet) || !uet_is_ack(&much->packet))
        uet_skip(tc, "the FEP returns reads in Requests, as it may");
    uet_look_at(tc, little);
    uet_check_eq(tc, "PDS-127", "DSCP", uet_dscp(&little->packet),
                 uet_tc_param(tc, "dscp-control"));
    uet_look_at(tc, much);
    uet_check_eq(tc, "PDS-127", "DSCP", uet_dscp(&much->packet),
                 uet_tc_param(tc, "dscp-trimmable"));
}
