/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.20.3.1: how often a source sends a packet again that is NACKed, and how that ends. */
#include "conformance/harness/steps/target.h"
#include "conformance/tests/3.5.12_ack/nacked.h"

/* Every copy of a packet gets that NACK: two resends, and no more. */
static void two_resends(struct uet_tc *tc, struct nacked w, uint8_t code)
{
    w.pdc->auto_close = false;
    for (int i = 0; i < 2; i++) {
        const struct uet_in *in =
            hear(tc, "PDS-136", RESEND_OF(w.in), .within = patience(tc, nack_delay(tc)));
        say_nack(tc, in, code);
    }
    silence(tc, "PDS-136", RESEND_OF(w.in), .within = 3 * nack_delay(tc));
    ends_in_error(tc, "PDS-136", w.handle);
}

UET_TEST(nack_retries_end, .id = "pds.3.5.20.3.1.nack-retries-end", .requirements = "PDS-136",
         .role = UET_ROLE_INITIATOR, .not_over = "refused",
         .purpose = "After Max_NACK_Retx_Cnt resends caused by NACKs the transaction fails.",
         .preamble = "Max_NACK_Retx_Cnt set to 2, NACK_Retx_Time short, RTO long.",
         .stimulus = "NACK UET_NO_PKT_BUFFER for every copy.",
         .expected = "Two resends, then none, and the operation ends in error.",
         .once = "the FEP's Close Command stays without an answer")
{
    hold_rto(tc);
    uet_set_param(tc, "Max_NACK_Retx_Cnt", 2);
    two_resends(tc, nack_a_write(tc, fep_opens(tc), UET_NACK_NO_PKT_BUFFER),
                UET_NACK_NO_PKT_BUFFER);
}

UET_TEST(no_nack_retries, .id = "pds.3.5.20.3.1.no-nack-retries", .requirements = "PDS-136",
         .role = UET_ROLE_INITIATOR, .not_over = "refused",
         .purpose = "Where Max_NACK_Retx_Cnt is 0 no NACK brings a packet again.",
         .preamble = "Max_NACK_Retx_Cnt set to 0, RTO long.",
         .stimulus = "NACK UET_NO_PKT_BUFFER for the FEP's next packet.",
         .expected = "No resend, and the operation ends in error.",
         .once = "the FEP's Close Command stays without an answer")
{
    hold_rto(tc);
    uet_set_param(tc, "Max_NACK_Retx_Cnt", 0);
    struct nacked w = nack_a_write(tc, fep_opens(tc), UET_NACK_NO_PKT_BUFFER);
    w.pdc->auto_close = false;
    silence(tc, "PDS-136", RESEND_OF(w.in), .within = 3 * nack_delay(tc));
    ends_in_error(tc, "PDS-136", w.handle);
}

UET_TEST(acks_renew_no_nack_retries, .id = "pds.3.5.20.3.1.acks-renew-no-retries",
         .requirements = "PDS-136", .role = UET_ROLE_INITIATOR, .not_over = "own",
         .purpose = "ACKs of other packets do not give a packet anew the resends that NACKs bring.",
         .preamble = "Max_NACK_Retx_Cnt set to 2, RTO long; a PDC that the FEP opened; three "
                     "writes of 16 bytes outstanding.",
         .stimulus = "NACK UET_NO_PKT_BUFFER for every copy of the last; after the first copy an "
                     "ACK of the first packet, after the second one of the second.",
         .expected = "Two resends, then none, and the operation ends in error.",
         .once = "the FEP's Close Command stays without an answer")
{
    const struct uet_in *in[3];
    struct nacked w;
    hold_rto(tc);
    without_windows(tc);
    uet_set_param(tc, "Max_NACK_Retx_Cnt", 2);
    w.pdc = fep_opens(tc);
    w.handle = small_writes(tc, &w.pdc, in, 3);
    w.pdc->auto_close = false;
    for (int i = 0; i < 2; i++) {
        say_nack(tc, in[2], UET_NACK_NO_PKT_BUFFER);
        hear(tc, "PDS-135", RESEND_OF(in[2]), .within = patience(tc, nack_delay(tc)));
        struct uet_out ack = ack_at(in[i], psn_of(in[i]), psn_of(in[i]));
        say(tc, &ack);
    }
    say_nack(tc, in[2], UET_NACK_NO_PKT_BUFFER);
    silence(tc, "PDS-136", RESEND_OF(in[2]), .within = 3 * nack_delay(tc));
    ends_in_error(tc, "PDS-136", w.handle);
}

UET_TEST(trimmed_retries_end, .id = "pds.3.5.20.3.1.trimmed-retries-end", .requirements = "PDS-136",
         .role = UET_ROLE_INITIATOR, .not_over = "own refused",
         .purpose = "Resends of what was trimmed are counted like others.",
         .preamble = "Max_NACK_Retx_Cnt set to 2, NACK_Retx_Time short, RTO long.",
         .stimulus = "NACK UET_TRIMMED for every copy.",
         .expected = "Two resends, then none, and the operation ends in error.",
         .once = "the FEP's Close Command stays without an answer")
{
    hold_rto(tc);
    uet_set_param(tc, "Max_NACK_Retx_Cnt", 2);
    two_resends(tc, nack_a_write(tc, fep_opens(tc), UET_NACK_TRIMMED), UET_NACK_TRIMMED);
}

/* The FEP, which has a ROD PDC open, writes one packet there. */
static struct nacked rod_write(struct uet_tc *tc)
{
    struct uet_ut_operation op = uet_op(tc, 16);
    struct nacked w;

    op.mode = UET_UT_MODE_ROD;
    uet_preamble_begin(tc);
    uet_expect_completion(tc, uet_do_write(tc, &op)); /* the PDC is open */
    uet_forget_settled(tc);
    uet_preamble_end(tc);
    uet_auto_ack(tc, false);
    w.handle = uet_do_write(tc, &op);
    w.in = uet_expect_any_request(tc, NULL);
    w.pdc = w.in->pdc;
    return w;
}

UET_TEST(rod_retries_end, .id = "pds.3.5.20.3.1.rod-retries-end", .requirements = "PDS-136",
         .role = UET_ROLE_INITIATOR, .needs = "rod", .not_over = "all",
         .purpose = "Resends that NACKs bring on a ROD PDC are counted like others.",
         .preamble = "A ROD PDC open; Max_NACK_Retx_Cnt set to 2, NACK_Retx_Time short, RTO long.",
         .stimulus = "NACK UET_NO_PKT_BUFFER for every copy of a packet.",
         .expected = "Two resends, then none, and the operation ends in error.",
         .once = "the FEP's Close Command stays without an answer")
{
    hold_rto(tc);
    uet_set_param(tc, "Max_NACK_Retx_Cnt", 2);
    struct nacked w = rod_write(tc);
    say_nack(tc, w.in, UET_NACK_NO_PKT_BUFFER);
    two_resends(tc, w, UET_NACK_NO_PKT_BUFFER);
}

UET_TEST(go_backs_end, .id = "pds.3.5.20.3.1.go-backs-end", .requirements = "PDS-136",
         .role = UET_ROLE_INITIATOR, .needs = "rod", .not_over = "all", .contested = true,
         .purpose = "A gap that is told again and again does not bring resends without end.",
         .preamble = "A ROD PDC open; Max_NACK_Retx_Cnt set to 2, NACK_Retx_Time short, RTO long.",
         .stimulus = "NACK UET_ROD_OOO for every copy of a packet, which wants that packet.",
         .expected = "Two resends; more are a finding.",
         .once = "the FEP's Close Command stays without an answer")
{
    unsigned n = 0;
    hold_rto(tc);
    uet_set_param(tc, "Max_NACK_Retx_Cnt", 2);
    struct nacked w = rod_write(tc);
    w.pdc->auto_close = false;
    for (const struct uet_in *in = w.in; in && n < 8;
         in = maybe(tc, RESEND_OF(w.in), .within = patience(tc, nack_delay(tc))), n++) {
        struct uet_out nack = uet_nack(w.pdc, psn_of(in), UET_NACK_ROD_OOO);
        uet_nack_payload_set(nack.pds, psn_of(in));
        uet_nack_retx_set(nack.pds, in != w.in);
        say(tc, &nack);
    }
    if (n > 3)
        uet_other_reading(tc, "PDS-136", "%u resends by UET_ROD_OOO, where Max_NACK_Retx_Cnt is 2",
                          n - 1);
}

UET_TEST(nack_retries_without_end, .id = "pds.3.5.20.3.1.nack-retries-without-end",
         .requirements = "PDS-136", .role = UET_ROLE_INITIATOR, .params = "NACK_Retx_Time",
         .purpose = "Max_NACK_Retx_Cnt 31 means no end.",
         .preamble = "Max_NACK_Retx_Cnt set to 31, RTO long.",
         .stimulus = "NACK UET_NO_PKT_BUFFER for every copy, 40 times; then the ACK.",
         .expected = "A resend after each, and the operation ends well.")
{
    hold_rto(tc);
    uet_set_param(tc, "Max_NACK_Retx_Cnt", 31);
    struct uet_pdc *pdc = fep_opens(tc);
    uint64_t handle;
    const struct uet_in *in = fep_writes_unanswered(tc, &pdc, &handle);
    for (int i = 0; i < 40; i++) {
        say_nack(tc, in, UET_NACK_NO_PKT_BUFFER);
        in = hear(tc, "PDS-136", RESEND_OF(in), .within = patience(tc, nack_delay(tc)));
    }
    resume_acks(tc, in);
    completes(tc, "PDS-136", handle, UET_UT_OK);
}

UET_TEST(ses_processing_retries_end, .id = "pds.3.5.20.3.1.ses-processing-retries-end",
         .requirements = "PDS-136", .role = UET_ROLE_INITIATOR, .params = "NACK_Retx_Time",
         .purpose = "NACKs UET_RCVD_SES_PROCG bring no resends without end.",
         .preamble = "Max_NACK_Retx_Cnt set to 2, RTO long.",
         .stimulus = "NACK 0x18 for its packet, five times, each after a resend or the time for "
                     "one.",
         .expected = "At most two resends.",
         .once = "the FEP's Close Command stays without an answer")
{
    hold_rto(tc);
    uet_set_param(tc, "Max_NACK_Retx_Cnt", 2);
    struct uet_pdc *pdc = fep_opens(tc);
    unsigned resends = 0;
    const struct uet_in *in = fep_writes_unanswered(tc, &pdc, NULL);
    pdc->auto_close = false;
    for (int i = 0; i < 5; i++) {
        say_nack(tc, in, UET_NACK_RCVD_SES_PROCG);
        resends += maybe(tc, RESEND_OF(in), .within = nack_delay(tc)) != NULL;
    }
    uet_check(tc, "PDS-136", resends <= 2, "%u resends, where Max_NACK_Retx_Cnt is 2", resends);
}
