/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.6.10.3, 3.6.13.5: what rcvd_bytes frees, and what it does not. */
#include "conformance/tests/congested.h"

#define SINGLE  16u /* packets that are acknowledged one by one */
#define LATE    8u
#define SMALL   16u
#define LIE     4u   /* windows */
#define ROUNDED 256u /* rcvd_bytes counts in these */
#define NEEDS                                                                                      \
    .role = UET_ROLE_INITIATOR, .needs = "nscc", .params = "config_base_rtt sender_link_rate"

/* What comes again was in flight before: an ACK may free nothing, where base_rtt is shorter than
 * told, and so often that an RTO expires. */
static uint32_t new_bytes(const struct congested *c)
{
    uint32_t bytes = 0;

    for (uint32_t i = 0; i < c->n; i++)
        bytes += c->in[i]->retransmission ? 0 : nominal_size(c->in[i]);
    return bytes;
}

UET_TEST(one_for_one, .id = "cms.3.6.13.5.one-for-one", .requirements = "CMS-038", NEEDS,
         .purpose = "With a full window an ACK lets as much go as it frees.",
         .preamble =
             "The FEP writes without an end in sight, and its first window is full; NSCC is "
             "on.",
         .stimulus = "Sixteen ACK_CCs, each of one packet.",
         .expected =
             "After each of them at most MaxWnd, the headers of a packet and 256 bytes, to which "
             "rcvd_bytes is rounded up, are in flight: "
             "nominal bytes sent, without those acknowledged.")
{
    static struct congested c, first;
    fep_fills(&c, tc, 3);
    uint64_t most = max_wnd(tc) + headers_of(c.in[0]) + ROUNDED, sent = c.bytes;
    first = c;
    for (uint32_t i = 0; i < SINGLE && i < first.n; i++) {
        answer(&first, first.in[i], &(struct echo){.m = false});
        next_flight(&c);
        sent += new_bytes(&c);
        uet_check(tc, "CMS-038", sent - first.rcvd <= most,
                  "%llu bytes in flight, where the window is %llu at most",
                  (unsigned long long)(sent - first.rcvd), (unsigned long long)most);
    }
    c.n = c.n ? c.n : first.n;
    drain(&c);
}

UET_TEST(late_acks_free_nothing, .id = "cms.3.6.10.3.late-acks-free-nothing",
         .requirements = "CMS-027", NEEDS,
         .purpose = "An ACK that comes late, with a smaller rcvd_bytes, frees nothing.",
         .preamble = "The FEP writes without an end in sight, and its window is full; NSCC is on.",
         .stimulus = "ACK_CCs as those of the first packets of the flight before, with the "
                     "rcvd_bytes of then; and then all the others.",
         .expected = "The late ones bring no new packet; after the others the write goes on, and "
                     "completes.")
{
    static struct congested c, late;
    fep_fills_again(&c, tc, 4);
    late = c;
    answer_flight(&c, .m = false);
    next_flight(&c);
    for (uint32_t i = 0; i < LATE && i < late.n; i++)
        answer(&late, late.in[i], &(struct echo){.m = false});
    silence(tc, "CMS-027", REQUEST_ON(c.pdc), .within = before_rto(tc));
    answer_flight(&c, .m = false);
    take_flight(&c, hear(tc, "CMS-027", REQUEST_ON(c.pdc)));
    drain(&c);
}

/* Messages of one byte, each acknowledged by itself: rcvd_bytes is rounded up every time. */
static void small_ones(struct congested *c, struct uet_tc *tc)
{
    struct uet_pdc *pdc;
    uint64_t handle;
    for (unsigned i = 0; i < SMALL; i++) {
        const struct uet_in *in =
            i ? fep_writes_on(tc, &pdc, 1, &handle) : fep_writes(tc, 1, &pdc, &handle);
        if (i && pdc != c->pdc)
            uet_skip(tc, "the FEP opens another PDC for the next message, as it may");
        c->pdc = pdc;
        pdc->ack_cc = true;
        answer(c, in, &(struct echo){.m = false});
        completion_of(tc, "CMS-028", handle);
    }
}

UET_TEST(rounding_does_no_harm, .id = "cms.3.6.13.rounding-does-no-harm", .requirements = "CMS-028",
         NEEDS,
         .purpose = "That rcvd_bytes is rounded up makes in-flight a little negative, no more.",
         .preamble = "NSCC is on; nothing is acknowledged unasked.",
         .stimulus = "Sixteen writes of one byte, each acknowledged by an ACK_CC; then one of more "
                     "than MaxWnd.",
         .expected = "All small ones complete; of the large one at most MaxWnd, the headers of a "
                     "packet and 256 bytes are in flight, and it goes on to its end.")
{
    static struct congested c;
    c = (struct congested){.tc = tc, .base_rtt = uet_tc_param(tc, "config_base_rtt")};
    uint32_t mtu = uet_tc_dut(tc)->payload_mtu;
    uet_try_param(tc, "NSCC", 1);
    hold_rto(tc);
    skip_with_tail_loss_timer(tc);
    uet_auto_ack(tc, false);
    small_ones(&c, tc);
    uet_for(tc, "CMS-028");
    take_flight(&c,
                fep_writes_on(tc, &c.pdc, (uint32_t)(max_wnd(tc) / mtu * mtu + mtu), &c.handle));
    uet_check(tc, "CMS-028", c.bytes <= max_wnd(tc) + headers_of(c.in[0]) + ROUNDED,
              "%u bytes in flight at first, where the window is %llu at most", c.bytes,
              (unsigned long long)max_wnd(tc));
    drain(&c);
}

/* All that comes is acknowledged, up to the end of the write, or until nothing comes: n is 0. The
 * last that came. */
static const struct uet_in *to_the_end(struct congested *c, const struct uet_in *last)
{
    for (; c->n; next_flight(c)) {
        last = c->in[c->n - 1];
        if (value_of(c->tc, last, UET_F_SES_EOM))
            break;
        answer_flight(c, .m = false);
    }
    return last;
}

/*
 * The others of the flight are acknowledged, then all that comes, the count going on from what was
 * told: up to the end of the write. A FEP that takes nothing but the truth hears it, once.
 */
static void goes_on_from_there(struct congested *c, struct congested *flight)
{
    for (uint32_t i = 1; i < flight->n; i++)
        answer(flight, flight->in[i], &(struct echo){.m = false});
    c->rcvd = flight->rcvd;
    const struct uet_in *last = to_the_end(c, flight->in[flight->n - 1]);
    if (!c->n) {
        c->rcvd = (uint32_t)c->pdc->rcvd_bytes - nominal_size(last);
        answer(c, last, &(struct echo){.m = false});
        next_flight(c);
        to_the_end(c, last);
    }
    if (c->n)
        drain(c);
}

UET_TEST(
    more_told_than_sent, .id = "rob.3.6.10.3.more-told-than-sent", .requirements = "ROB-053", NEEDS,
    .purpose = "A source takes no more for arrived than it has sent, whatever rcvd_bytes says.",
    .preamble = "The FEP writes without an end in sight, and its window is full; NSCC is on.",
    .stimulus = "An ACK_CC of one packet, and of four windows more than have been sent. From "
                "then on the count goes on from there, and all that comes is acknowledged; "
                "where nothing comes any more, once with the right count.",
    .expected = "After the first ACK at most what MaxWnd lets go, and two packets. A FEP that "
                "believes nothing of such a count may wait for a right one.")
{
    static struct congested c;
    fep_fills_again(&c, tc, 2 * LIE);
    const uint64_t most = max_wnd(tc) + 2ull * nominal_size(c.in[0]);
    if (most >= (uint64_t)FLIGHT_MOST * nominal_size(c.in[0])) {
        drain(&c);
        uet_skip(tc, "the window may be of more packets than the %u looked at", FLIGHT_MOST);
    }
    c.rcvd += c.bytes + LIE * (uint32_t)max_wnd(tc);
    answer(&c, c.in[0], &(struct echo){.m = false});
    struct congested before = c;
    c.pdc->unfinished = true;
    c.pdc->auto_close = false; /* it may wait for a count that never comes */
    uet_wait(tc, c.apart);
    (void)take_some(&c, maybe(tc, REQUEST_ON(c.pdc))); /* FLIGHT_MOST are more than a window */
    uet_check(
        tc, "ROB-053", c.bytes <= most,
        "%u bytes come, where the window is %llu at most, and of the flight before one packet "
        "is acknowledged",
        c.bytes, (unsigned long long)max_wnd(tc));
    goes_on_from_there(&c, &before);
}
