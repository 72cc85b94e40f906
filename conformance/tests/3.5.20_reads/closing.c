/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.8.3: a target that waits for the ACKs of its read data before it grants a close. */
#include "conformance/harness/steps/acks.h"
#include "conformance/harness/steps/reads.h"
#include "conformance/harness/steps/target.h"
#include "conformance/tests/pds.h"
#include "conformance/tests/pds_target.h"

enum { READS = 2 };

/* Two READs whose data is not acknowledged, and a Close Command that waits for it. */
struct closing {
    struct uet_pdc *p;
    struct uet_out o[READS], close;
    const struct uet_in *data[READS];
};

static struct closing closes_early(struct uet_tc *tc)
{
    struct closing c;
    uint32_t n = more_than_ack_data(tc);
    struct source s = need_source(tc, n);

    uet_preamble_begin(tc);
    hold_rto(tc);
    c.p = uet_pdc_open(tc);
    uet_auto_ack(tc, false);
    for (size_t i = 0; i < READS; i++) {
        c.o[i] = uet_read(c.p, &s.m, 0, n);
        say(tc, &c.o[i]);
        c.data[i] = hear_outstanding_data(tc, "PDS-119", c.p, i);
    }
    hear(tc, "PDS-119", COVERED(&c.o[READS - 1]));
    uet_preamble_end(tc);
    c.close = uet_cp(c.p, UET_CTL_CLOSE_COMMAND);
    say(tc, &c.close);
    c.p->closed =
        maybe(tc, NACK_ON(c.p, UET_NACK_CLOSING_IN_ERR), .within = uet_tc_quiet(tc)) != NULL;
    if (c.p->closed)
        uet_skip(tc, "the FEP refuses the close while its data is outstanding, as it may");
    return c;
}

UET_TEST(close_waits_for_all_data, .id = "pds.3.5.8.3.close-waits-for-all-data",
         .requirements = "PDS-211", .role = UET_ROLE_TARGET, .needs = "rud read any-request",
         .contested = true,
         .purpose = "A target that waits before it grants a close waits for all of its data.",
         .preamble = "Memory; PDC open; RTO long.",
         .stimulus = "Two READs; Close Command; the data of the first READ is acknowledged, then "
                     "that of the second.",
         .expected = "No ACK of the Close Command after the first, but after the second. NACK "
                     "UET_CLOSING_IN_ERR (0x11) at once skips this test.")
{
    struct closing c = closes_early(tc);
    struct uet_out first = ack_at(c.data[0], psn_of(c.data[0]), psn_of(c.data[0]));
    say(tc, &first);
    silence(tc, "PDS-211", ACK_OF(&c.close));
    acknowledge(tc, c.p, c.data[1]);
    hear(tc, "PDS-211", ACK_OF(&c.close));
    c.p->closed = true;
}

UET_TEST(closing_knows_its_requests, .id = "pds.3.5.8.3.closing-knows-its-requests",
         .requirements = "PDS-212", .role = UET_ROLE_TARGET, .needs = "rud read any-request",
         .purpose = "On a closing PDC only what is above the close PSN is refused for that.",
         .preamble = "Memory; PDC open; RTO long; two READs whose data is not acknowledged.",
         .stimulus = "Close Command; then the first READ again, retx=1.",
         .expected = "No NACK UET_CLOSING (0x10) for it.")
{
    struct closing c = closes_early(tc);
    say_again(tc, &c.o[0]);
    silence(tc, "PDS-212", NACK_OF(&c.o[0], UET_NACK_CLOSING));
    acknowledge(tc, c.p, c.data[1]);
    uet_wait(tc, uet_tc_quiet(tc));
    c.p->closed = true;
}

static bool is_copy_or_refusal(const struct uet_in *in, const void *data)
{
    return (uet_is_nack(&in->packet) &&
            uet_nack_nack_code(uet_pds(&in->packet)) == UET_NACK_CLOSING_IN_ERR) ||
           (is_resend(in, NULL) && psn_of(in) == psn_of(data));
}

UET_TEST(data_again_while_closing, .id = "pds.3.5.8.3.data-again-while-closing",
         .requirements = "PDS-211 PDS-156", .role = UET_ROLE_TARGET,
         .needs = "rud read any-request", .params = "RTO_Init_Time", .contested = true,
         .purpose = "A target that waits for the ACKs of its data sends it again until they come.",
         .preamble = "Memory; PDC open; a READ whose data is not acknowledged.",
         .stimulus = "Close Command; the data is acknowledged when it comes again.",
         .expected = "The data again; then the Close ACK. NACK UET_CLOSING_IN_ERR (0x11) skips "
                     "this test.")
{
    uint32_t n = more_than_ack_data(tc);
    struct source s = need_source(tc, n);
    struct uet_pdc *p = uet_pdc_open(tc);
    uet_auto_ack(tc, false);
    struct uet_out o = uet_read(p, &s.m, 0, n), close = uet_cp(p, UET_CTL_CLOSE_COMMAND);
    say(tc, &o);
    const struct uet_in *data = hear_return_data(tc, "PDS-119", &o);
    say(tc, &close);
    const struct uet_in *next =
        hear(tc, "PDS-211", .pdc = p, .also = is_copy_or_refusal, .ctx = data, .again = true,
             .named = "the data again", .within = patience(tc, one_rto(tc)));
    p->closed = uet_is_nack(&next->packet);
    if (p->closed)
        uet_skip(tc, "the FEP refuses the close while its data is outstanding, as it may");
    acknowledge(tc, p, next);
    hear(tc, "PDS-211", ACK_OF(&close));
    p->closed = true;
}

UET_TEST(data_behind_close_request, .id = "pds.3.5.16.data-behind-close-request",
         .requirements = "PDS-207", .role = UET_ROLE_TARGET,
         .needs = "rud read any-request upper-tester",
         .purpose = "A Close Request takes a PSN of the return direction as any other packet does.",
         .preamble = "Memory; PDC open; of a READ of two packets the first has brought its data.",
         .stimulus = "The FEP is made to send a Close Request; then the second packet of the READ.",
         .expected = "The data of the second packet with the PSN behind the Close Request.")
{
    close_req_long(tc);
    uint32_t mtu = uet_tc_dut(tc)->payload_mtu, n = more_than_ack_data(tc);
    struct source s = need_source(tc, mtu + n);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o[2];
    uet_message(p, UET_OP_READ, &s.m, 0, NULL, mtu + n, o, 2);
    say(tc, &o[0]);
    hear_return_data(tc, "PDS-119", &o[0]);
    uet_did(tc, uet_ut_close_request(uet_tc_ut(tc), &p->self), "close_request");
    const struct uet_in *request = hear(tc, "PDS-207", CP_ON(p, UET_CTL_CLOSE_REQUEST));
    say(tc, &o[1]);
    const struct uet_in *data = hear_return_data(tc, "PDS-207", &o[1]);
    psn_follows(tc, "PDS-207", data, psn_of(request));
}
