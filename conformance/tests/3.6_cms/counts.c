/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.6.10.3, 3.6.13.5: what rcvd_bytes frees, and what it does not. */
#include "conformance/tests/congested.h"

#define SINGLE  16u /* packets that are acknowledged one by one */
#define LATE    8u
#define SMALL   16u
#define ROUNDED 256u /* rcvd_bytes counts in these */
#define NEEDS                                                                                      \
    .role = UET_ROLE_INITIATOR, .needs = "nscc", .params = "config_base_rtt sender_link_rate"

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
        sent += c.bytes;
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
