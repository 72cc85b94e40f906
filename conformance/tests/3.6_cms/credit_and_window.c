/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.6.11: NSCC and RCCC together in a source. The tester grants all credit that is asked for. */
#include "conformance/tests/3.6_cms/credited.h"

#define NEEDS                                                                                      \
    .role = UET_ROLE_INITIATOR, .needs = "nscc rccc", .params = "config_base_rtt sender_link_rate"

#define STRONGEST 127u /* rcv_cwnd_pend: about one packet in a round trip */
#define ASKED     4u   /* flights */

static uint32_t fills_on_credit(struct congested *c, struct uet_tc *tc, uint32_t windows)
{
    if (!turn_on_rccc(tc))
        uet_skip_for(tc, UET_SKIP_VERB, "RCCC is off, and this FEP cannot turn it on");
    return fep_fills_again(c, tc, windows);
}

UET_TEST(window_binds_credit, .id = "cms.3.6.11.window-binds-credit", .requirements = "CMS-089",
         NEEDS, .purpose = "With all the credit of the world a source obeys NSCC's window.",
         .preamble = "The FEP writes without an end in sight; NSCC and RCCC are on.",
         .stimulus = "Ample credit; the ACKs of four flights with rcv_cwnd_pend 127.",
         .expected = "One packet in flight, or two.")
{
    static struct congested c;
    fills_on_credit(&c, tc, ASKED + 4);
    for (unsigned i = 0; i < ASKED; i++) {
        answer_flight(&c, .pend = STRONGEST, .served = true);
        next_flight(&c);
    }
    uet_check(tc, "CMS-089", c.n <= 2, "%u packets in flight after %u flights", c.n, ASKED);
    drain(&c);
}

/* Of a flight half the packets are cut at the last hop, which tells of a mark, or not. */
static void last_hop_spares(struct uet_tc *tc, bool m)
{
    static struct congested c, half;
    need_exact_delays(tc);
    uint32_t before = fills_on_credit(&c, tc, 4), packet = nominal_size(c.in[0]);
    half = c;
    half.n = 0;
    half.gap = c.in[1];
    for (uint32_t i = 0; i < c.n; i++) {
        struct uet_out nack = uet_nack(c.pdc, psn_of(c.in[i]), UET_NACK_TRIMMED_LASTHOP);
        uet_nack_m_set(nack.pds, m);
        if (i % 2)
            say(tc, &nack);
        else
            half.in[half.n++] = c.in[i];
    }
    answer_flight(&half, .served = true);
    c.rcvd = half.rcvd;
    uet_wait(tc, nack_delay(tc));
    next_flight(&c);
    uet_check(tc, "CMS-053", c.bytes + packet >= before, "%u bytes in flight before, then %u",
              before, c.bytes);
    drain(&c);
}

#define SPARES                                                                                     \
    .requirements = "CMS-053", NEEDS,                                                              \
    .preamble = "The FEP writes without an end in sight; NSCC and RCCC are on; virtual time, as "  \
                "a delay might cut the window.",                                                   \
    .expected = "In flight, resends with it, as much as before but for a packet."

UET_TEST(last_hop_trim_spares_window, .id = "cms.3.6.13.5.last-hop-trim-spares-window", SPARES,
         .purpose = "A trim at the last hop is RCCC's affair: NSCC's window stays.",
         .stimulus = "Ample credit; of a flight half the packets get NACK UET_TRIMMED_LASTHOP, the "
                     "others an unmarked ACK.")
{
    last_hop_spares(tc, false);
}

UET_TEST(marked_last_hop_trim_spares, .id = "cms.3.6.13.5.marked-last-hop-trim-spares", SPARES,
         .purpose = "A trim at the last hop leaves NSCC's window also where the packet was marked "
                    "before it was cut: the m of a NACK is for the choice of paths.",
         .stimulus = "As in last-hop-trim-spares-window, with m=1 in the NACKs.")
{
    last_hop_spares(tc, true);
}

UET_TEST(trims_cut_on_credit, .id = "cms.3.6.13.5.trims-cut-on-credit",
         .requirements = "CMS-049 CMS-089", NEEDS,
         .purpose = "With RCCC, too, a trim on the way cuts NSCC's window.",
         .preamble = "The FEP writes without an end in sight; NSCC and RCCC are on.",
         .stimulus = "Ample credit; of a flight half the packets get NACK UET_TRIMMED, the others "
                     "an ACK.",
         .expected = "In flight, resends with it: less than before by half of what was refused.")
{
    static struct congested c;
    need_little_growth(tc);
    uint32_t before = fills_on_credit(&c, tc, 4);
    uint32_t refused = c.n / 2 * nominal_size(c.in[0]);
    refuse_half(&c, UET_NACK_TRIMMED, &(const struct echo){.m = false});
    uet_check(tc, "CMS-049", c.bytes <= before - refused / 2,
              "%u bytes in flight, of which %u were refused as trimmed; then %u", before, refused,
              c.bytes);
    drain(&c);
}

UET_TEST(marks_cut_on_credit, .id = "cms.3.6.13.5.marks-cut-on-credit",
         .requirements = "CMS-044 CMS-089", NEEDS,
         .purpose = "With RCCC, too, marks with delay cut NSCC's window.",
         .preamble = "The FEP writes without an end in sight; NSCC and RCCC are on.",
         .stimulus = "Ample credit; all ACKs of four flights with m=1, far later than "
                     "config_base_rtt.",
         .expected = "At most three quarters of what was in flight before, and a packet.")
{
    static struct congested c;
    need_cuts(tc);
    uint32_t before = fills_on_credit(&c, tc, ASKED + 4), packet = nominal_size(c.in[0]);
    for (unsigned i = 0; i < ASKED; i++) {
        answer_flight(&c, .m = true);
        next_flight(&c);
    }
    uet_check(tc, "CMS-044", c.bytes <= before / 4 * 3 + packet,
              "%u bytes in flight before, %u after %u flights of marks", before, c.bytes, ASKED);
    drain(&c);
}
