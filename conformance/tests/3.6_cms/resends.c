/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.6.12, 3.6.13.5: resends and the window. */
#include "conformance/tests/3.6_cms/credited.h"

#define WINDOWS 5u
#define REFUSED 4u
#define SLACK   2u   /* packets for which a window that counts as full may have room */
#define ROUNDED 256u /* rcvd_bytes counts in these */
#define NEEDS                                                                                      \
    .role = UET_ROLE_INITIATOR, .needs = "nscc", .params = "config_base_rtt sender_link_rate"
#define ON "The FEP writes without an end in sight; NSCC is on."

static void timeouts_cut(struct uet_tc *tc)
{
    static struct congested c;
    uint32_t before = fep_fills_again(&c, tc, WINDOWS), packet = nominal_size(c.in[0]);
    const struct congested sent = c;
    uet_need_retries(tc);
    take_flight(&c, hear(tc, "CMS-055", RESEND_OF(c.in[0]), .within = patience(tc, one_rto(tc))));
    uint32_t again = c.bytes;
    c.rcvd += sent.bytes - packet;
    answer_with(&c, sent.in[0], psn_of(sent.in[sent.n - 1]), &(struct echo){.first = true});
    next_flight(&c);
    if (c.bytes > before - again / 2 && c.bytes <= before + packet)
        uet_other_reading(tc, "CMS-111",
                          "%u bytes in flight, of which %u came again; then %u: "
                          "the window was not cut, or in-flight was lowered twice",
                          before, again, c.bytes);
    else
        uet_check(tc, "CMS-055", c.n && c.bytes <= before + packet,
                  "%u bytes in flight, of which %u came again; then %u", before, again, c.bytes);
    drain(&c);
}

UET_TEST(timeouts_cut_the_window, .id = "cms.3.6.13.5.timeouts-cut-the-window",
         .requirements = "CMS-055", NEEDS,
         .purpose = "A packet taken for lost cuts the window by its size.", .preamble = ON,
         .stimulus =
             "A flight stays without an answer until packets come again; then one ACK covers "
             "all of it, and tells no RTT, for it has retx=0 and names a resend.",
         .expected = "In flight then: less than before by half of what came again, at least.")
{
    timeouts_cut(tc);
}

UET_TEST(timeouts_cut_on_credit, .id = "cms.3.6.13.5.timeouts-cut-on-credit",
         .requirements = "CMS-055 CMS-089", .role = UET_ROLE_INITIATOR, .needs = "nscc rccc",
         .params = "config_base_rtt sender_link_rate",
         .purpose = "With RCCC, too, a packet taken for lost cuts NSCC's window by its size.",
         .preamble = "The FEP writes without an end in sight; NSCC and RCCC are on.",
         .stimulus = "As in timeouts-cut-the-window; all credit that is asked for is granted.",
         .expected = "As there.")
{
    if (!turn_on_rccc(tc))
        uet_skip_for(tc, UET_SKIP_VERB, "RCCC is off, and this FEP cannot turn it on");
    timeouts_cut(tc);
}

UET_TEST(resends_wait_for_the_window, .id = "cms.3.6.12.resends-wait-for-the-window",
         .requirements = "CMS-060", NEEDS,
         .purpose = "What is sent again needs the window as what is new does.", .preamble = ON,
         .stimulus =
             "The window is full; of the flight half the packets get NACK UET_TRIMMED, which "
             "cuts the window by as much as it frees; nothing is acknowledged.",
         .expected = "No packet but two, where the window was not quite full, until something is "
                     "acknowledged.")
{
    static struct congested c;
    fep_fills_again(&c, tc, WINDOWS);
    for (uint32_t i = 1; i < c.n; i += 2)
        say_nack(tc, c.in[i], UET_NACK_TRIMMED);
    for (unsigned i = 0; i < SLACK; i++)
        (void)maybe(tc, .kind = UET_WANT_REQUEST, .pdc = c.pdc, .within = nack_delay(tc));
    silence(tc, "CMS-060", .kind = UET_WANT_REQUEST, .pdc = c.pdc, .named = "Request",
            .within = before_rto(tc));
    drain(&c);
}

/* A resend that left before the ACKs were there: in virtual time it would be here by now. */
static uint64_t under_way(struct uet_tc *tc)
{
    return uet_tc_virtual_time(tc) ? 1 : uet_tc_dut(tc)->response_time_ns;
}

/* What the write sends elsewhere, once its PDC has had a fatal NACK. A FEP that has not ended that
 * PDC goes on there when it hears ACKs. */
static const struct uet_in *goes_on_elsewhere(struct congested *c)
{
    const struct uet_in *in = maybe(c->tc, REQUEST_ON(NULL));
    if (!in) {
        answer_flight(c, .m = false);
        in = maybe(c->tc, REQUEST_ON(c->pdc));
    }
    uet_check(c->tc, "PDS-138", !in || in->pdc != c->pdc,
              "the FEP goes on with new PSNs on a PDC that had UET_INV_DPDCID");
    return in ? in : hear(c->tc, "CMS-110", REQUEST_ON(NULL));
}

/* The FEP writes a window of bytes, and not on that PDC: its flight. */
static void fills_elsewhere(struct congested *c, const struct uet_pdc *pdc,
                            const struct uet_ut_operation *op)
{
    c->handle = uet_do_write(c->tc, op);
    const struct uet_in *in = maybe(c->tc, REQUEST_ON(NULL));
    if (!in || in->pdc == pdc)
        uet_skip(c->tc, "the FEP sends both messages on one PDC, as it may");
    c->pdc = in->pdc;
    c->pdc->ack_cc = true;
    answer(c, in, &(struct echo){.m = false});
    take_flight(c, hear(c->tc, "PDS-035", REQUEST_ON(c->pdc)));
}

UET_TEST(ended_pdc_leaves_window, .id = "cms.3.6.6.ended-pdc-leaves-its-window",
         .requirements = "CMS-110 PDS-138", NEEDS,
         .purpose = "What was in flight on a PDC that has ended fills no window of others.",
         .preamble = "NSCC, and PDCs_Per_Tuple 3, where they can be set; RTO long; a PDC that the "
                     "FEP opened, on which a packet is outstanding.",
         .stimulus = "The FEP writes a window of bytes, on another PDC; NACK UET_INV_DPDCID for "
                     "one of them.",
         .expected = "The write goes on, on one more PDC. A FEP that has no second PDC is skipped.")
{
    static struct congested c;
    struct uet_ut_operation op = uet_op(tc, (uint32_t)bytes_of_windows(tc, 1));
    uint64_t handle;
    c = (struct congested){.tc = tc, .base_rtt = uet_tc_param(tc, "config_base_rtt")};
    uet_try_param(tc, "NSCC", 1);
    uet_try_param(tc, "PDCs_Per_Tuple", 3); /* one may be closing */
    need_rccc_off(tc);
    hold_rto(tc);
    skip_with_tail_loss_timer(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    uet_auto_ack(tc, false);
    const struct uet_in *first = fep_writes_on(tc, &pdc, 16, &handle);
    fills_elsewhere(&c, pdc, &op);
    uet_auto_ack(tc, true); /* of what comes from here on: the PDC's Close Command, too */
    say_nack(tc, c.in[c.n - 1], UET_NACK_INV_DPDCID);
    resume_acks(tc, goes_on_elsewhere(&c));
    resume_acks(tc, first);
    completes(tc, "CMS-110", handle, UET_UT_OK);
    completion_of(tc, "CMS-110", c.handle);
}

UET_TEST(arrived_after_all, .id = "cms.3.6.12.arrived-after-all", .requirements = "CMS-111", NEEDS,
         .contested = true,
         .purpose = "An ACK of a packet that waits to be sent again cancels that.", .preamble = ON,
         .stimulus = "Four packets of a full window get NACK UET_NO_PKT_BUFFER, and an ACK at once "
                     "after it; then all the others theirs.",
         .expected =
             "None of the four comes again, but what may have left before the ACK was there; in "
             "flight then is at most MaxWnd, the headers of a packet, 256 bytes, and a packet more "
             "for each of the four.")
{
    static struct congested c;
    uint32_t before = fep_fills_again(&c, tc, WINDOWS), packet = nominal_size(c.in[0]);
    uint64_t most = max_wnd(tc) + headers_of(c.in[0]) + ROUNDED + REFUSED * packet;
    for (uint32_t i = 0; i < REFUSED; i++)
        say_nack(tc, c.in[i], UET_NACK_NO_PKT_BUFFER);
    if (maybe(tc, ANY_RESEND_ON(c.pdc), .within = 1))
        uet_skip(tc, "the FEP sends again at once, as it may");
    answer_flight(&c, .m = false);
    if (maybe(tc, ANY_RESEND_ON(c.pdc), .within = under_way(tc)))
        uet_skip(tc, "the resends may have left before the ACKs were there");
    silence(tc, "CMS-111", RESEND_OF(c.in[0]), .within = nack_delay(tc));
    next_flight(&c);
    uet_check(tc, "CMS-111", c.bytes <= most,
              "%u bytes in flight before, then %u, after %u packets were refused and acknowledged",
              before, c.bytes, REFUSED);
    drain(&c);
}

UET_TEST(sacked_after_all, .id = "cms.3.6.12.sacked-after-all", .requirements = "CMS-111", NEEDS,
         .contested = true,
         .purpose = "A bit of a SACK bitmap alone cancels that its packet is sent again.",
         .preamble = ON,
         .stimulus = "Of the flight in which the write ends the second packet gets NACK "
                     "UET_NO_PKT_BUFFER; at once after it an ACK_CC, whose CACK_PSN stays before "
                     "the first, has the bits of all but the first in its bitmap, and tells that "
                     "they have arrived.",
         .expected = "It does not come again, unless it may have left before the ACK was there.")
{
    static struct congested c;
    last_flight(&c, tc, 2);
    if (c.n < 3) {
        drain(&c);
        uet_skip(tc, "%u packets are left: too few to refuse one amid them", c.n);
    }
    c.gap = c.in[0];
    uint32_t named = c.n > 64 ? 63 : c.n - 1;
    say_nack(tc, c.in[1], UET_NACK_NO_PKT_BUFFER);
    if (maybe(tc, ANY_RESEND_ON(c.pdc), .within = 1))
        uet_skip(tc, "the FEP sends again at once, as it may");
    for (uint32_t i = 1; i < named; i++)
        c.rcvd += nominal_size(c.in[i]);
    answer(&c, c.in[named],
           &(struct echo){.served = true, .sack = UINT64_MAX >> (63 - named) & ~1ull});
    if (maybe(tc, ANY_RESEND_ON(c.pdc), .within = under_way(tc)))
        uet_skip(tc, "the resend may have left before the ACK was there");
    silence(tc, "CMS-111", RESEND_OF(c.in[1]), .within = nack_delay(tc));
    drain(&c);
}
