/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.6.13.5: what each way to lose a packet does to the window. */
#include "conformance/tests/congested.h"

#define WINDOWS      4u
#define SMALL        5u  /* packets */
#define SMALL_BYTES  16u /* of payload */
#define HEADERS_MOST 200u
#define NEEDS                                                                                      \
    .role = UET_ROLE_INITIATOR, .needs = "nscc", .params = "config_base_rtt sender_link_rate"

static void trims_cut(struct uet_tc *tc, const char *requirement, uint8_t code)
{
    static struct congested c;
    need_little_growth(tc);
    uet_try_param(tc, "RCCC", 0);
    uint32_t before = fep_fills_again(&c, tc, WINDOWS);
    uint32_t refused = c.n / 2 * nominal_size(c.in[0]);
    refuse_half(&c, code, &(const struct echo){.m = false});
    uet_check(tc, requirement, c.bytes <= before - refused / 2,
              "%u bytes in flight, of which %u were refused as trimmed; then %u", before, refused,
              c.bytes);
    drain(&c);
}

UET_TEST(trims_cut_the_window, .id = "cms.3.6.13.5.trims-cut-the-window", .requirements = "CMS-049",
         NEEDS, .purpose = "A trim cuts the window by the size of the packet, or to what arrives.",
         .preamble = "The FEP writes without an end in sight; NSCC is on.",
         .stimulus = "Of a flight half the packets get NACK UET_TRIMMED, the others an ACK.",
         .expected = "In flight, resends with it: less than before by half of what was refused; by "
                     "the rule it is all of that, or quick adapt leaves even less.")
{
    trims_cut(tc, "CMS-049", UET_NACK_TRIMMED);
}

UET_TEST(last_hop_trims_cut, .id = "cms.3.6.13.5.last-hop-trims-cut", .requirements = "CMS-054",
         NEEDS, .purpose = "Without RCCC a trim at the last hop cuts the window as any other does.",
         .preamble = "The FEP writes without an end in sight; NSCC is on, RCCC is not.",
         .stimulus = "Of a flight half the packets get NACK UET_TRIMMED_LASTHOP, the others an "
                     "ACK.",
         .expected = "As in trims-cut-the-window.")
{
    trims_cut(tc, "CMS-054", UET_NACK_TRIMMED_LASTHOP);
}

static bool is_small(const struct uet_in *in)
{
    return in->packet.payload_len == SMALL_BYTES;
}

/* Behind a full window comes the rest of the write, about half of one, and then small writes; how
 * much was in flight in that window, or 0: it was not full, or the small ones go another way. */
static uint32_t small_behind_large(struct congested *c, struct uet_tc *tc, uint64_t *handles)
{
    uint32_t mtu = uet_tc_dut(tc)->payload_mtu, small = 0;
    struct uet_ut_operation op = uet_op(tc, SMALL_BYTES);

    fep_sends(c, tc, max_wnd(tc) * 3 / 2 / mtu * mtu, true);
    uint32_t before = c->n < FEWEST || c->bytes + 3ull * mtu < max_wnd(tc) ? 0 : c->bytes;
    for (unsigned i = 0; i < SMALL; i++)
        handles[i] = uet_do_write(tc, &op);
    answer_flight(c, .served = true);
    next_flight(c);
    for (uint32_t i = 0; i < c->n; i++)
        small += is_small(c->in[i]);
    return small == SMALL && is_small(c->in[c->n - 1]) && c->bytes > 2 * quick_adapt_gate(tc)
               ? before
               : 0;
}

/* The last of the flight that is not small; their nominal size without the first one's. */
static uint32_t all_but_one(const struct congested *c, const struct uet_in **last)
{
    uint32_t bytes = 0;

    for (uint32_t i = 1; i < c->n && !is_small(c->in[i]); i++) {
        bytes += nominal_size(c->in[i]);
        *last = c->in[i];
    }
    return bytes;
}

#define IN_SILENCE 0u /* for a NACK code: the packet is lost */

/* The small ones as they come again. */
static void come_again(struct congested *c, const char *requirement, uint8_t code,
                       const struct uet_in **small)
{
    uint64_t after = code == IN_SILENCE ? one_rto(c->tc) : nack_delay(c->tc);

    for (uint32_t i = 0; i < SMALL; i++)
        small[i] = hear(c->tc, requirement, RESEND_OF(small[i]), .within = patience(c->tc, after));
    uet_wait(c->tc, c->base_rtt); /* a shorter RTT would lower MaxWnd */
}

/*
 * Of the flight one packet is acknowledged, which may begin a period of quick adapt; in it the
 * small ones are refused so, and all others acknowledged at once, so that much arrives in it. Then
 * the small ones, when they have come again; the first of them long before the others, where no
 * period in which little arrives may do harm. The nominal size of the small ones.
 */
static uint32_t lose_small(struct congested *c, const char *requirement, uint8_t code)
{
    const struct echo e = {.m = true, .served = true};
    const struct uet_in *last = c->in[0], *small[SMALL];
    uint32_t bytes = 0, n = 0, more = all_but_one(c, &last);
    for (uint32_t i = 0; i < SMALL; i++)
        small[i] = last; /* until they are found, which the caller has seen to */

    uint64_t begin = uet_tc_now(c->tc);
    answer_with(c, c->in[0], psn_of(c->in[0]), &e);
    for (uint32_t i = 0; i < c->n && n < SMALL; i++) {
        if (!is_small(c->in[i]))
            continue;
        bytes += nominal_size(c->in[i]);
        if (code != IN_SILENCE)
            say_nack(c->tc, c->in[i], code);
        small[n++] = c->in[i];
    }
    c->rcvd += more - nominal_size(last);
    answer_with(c, last, psn_of(last), &e);
    if (uet_tc_now(c->tc) - begin >= c->base_rtt)
        uet_skip(c->tc, "the base RTT is too short for this test");
    come_again(c, requirement, code, small);
    for (uint32_t i = 0; i < SMALL; i++) {
        answer_with(c, small[i], psn_of(small[i]), &e);
        if (i == 0 && code == IN_SILENCE)
            uet_wait(c->tc, c->apart);
    }
    return bytes;
}

/* Also what went another way than the first write. */
static void take_all(struct congested *c)
{
    uet_auto_ack(c->tc, true);
    if (c->n)
        resume_acks(c->tc, c->in[c->n - 1]);
    for (const struct uet_in *in; (in = uet_next_request(c->tc, NULL));)
        if (in->pdc != c->pdc)
            resume_acks(c->tc, in);
}

static void cut_by_size(struct uet_tc *tc, const char *requirement, uint8_t code)
{
    static struct congested c;
    uint64_t handles[SMALL];
    uint32_t mtu = uet_tc_dut(tc)->payload_mtu;
    need_exact_delays(tc);
    need_rccc_off(tc);
    uint32_t before = small_behind_large(&c, tc, handles);
    uint32_t cut = before ? lose_small(&c, requirement, code) : 0;
    if (!before)
        take_all(&c);
    completion_of(tc, requirement, c.handle);
    for (unsigned i = 0; i < SMALL; i++)
        completion_of(tc, requirement, handles[i]);
    if (!before)
        uet_skip(tc, "the window is not full at first, or too few packets come behind it");
    uint32_t slack = 2 * (mtu + HEADERS_MOST);
    struct uet_pdc *pdc = c.pdc;
    take_flight(&c, fep_writes_on(tc, &c.pdc, (uint32_t)max_wnd(tc) / mtu * mtu + mtu, &c.handle));
    same_pdc(tc, pdc, c.in[0]);
    uet_check(tc, requirement, c.bytes + cut + slack >= before,
              "%u bytes in flight at first; %u were refused, or lost; then %u", before, cut,
              c.bytes);
    drain(&c);
}

UET_TEST(trims_cut_by_their_size, .id = "cms.3.6.13.5.trims-cut-by-their-size",
         .requirements = "CMS-049", NEEDS,
         .purpose = "A trim cuts the window by the size of its packet, and by no more.",
         .preamble = "The FEP has written one and a half windows, and then five times 16 bytes; "
                     "NSCC is on, RCCC is not; virtual time.",
         .stimulus = "The first window is acknowledged. Of what comes then the small packets get "
                     "NACK UET_TRIMMED, the others two ACKs, and the small ones theirs when they "
                     "come again, with m=1 and service_time for all of the delay, which moves no "
                     "window. Then the FEP writes more than a window.",
         .expected = "In flight then: less than at first by the nominal sizes of the small packets "
                     "at most, and two packets.")
{
    cut_by_size(tc, "CMS-049", UET_NACK_TRIMMED);
}

UET_TEST(last_hop_trims_cut_by_their_size, .id = "cms.3.6.13.5.last-hop-trims-cut-by-their-size",
         .requirements = "CMS-054", NEEDS,
         .purpose = "Without RCCC a trim at the last hop cuts the window by the size of its "
                    "packet, and by no more.",
         .preamble = "As in trims-cut-by-their-size.",
         .stimulus = "As there, with NACK UET_TRIMMED_LASTHOP.", .expected = "As there.")
{
    cut_by_size(tc, "CMS-054", UET_NACK_TRIMMED_LASTHOP);
}

UET_TEST(losses_cut_by_their_size, .id = "cms.3.6.13.5.losses-cut-by-their-size",
         .requirements = "CMS-055", NEEDS,
         .purpose = "A packet taken for lost cuts the window by its size; quick adapt it does not "
                    "start.",
         .preamble = "As in trims-cut-by-their-size.",
         .stimulus = "As there, but the small packets get no answer until they come again; then "
                     "the first of them, and four config_base_rtt later the others.",
         .expected = "As there.")
{
    uet_need_retries(tc);
    cut_by_size(tc, "CMS-055", IN_SILENCE);
}

UET_TEST(other_nacks_do_not_cut, .id = "cms.3.6.13.5.other-nacks-do-not-cut",
         .requirements = "CMS-056", NEEDS,
         .purpose = "A NACK that tells of no trim leaves the window alone.",
         .preamble = "The FEP writes without an end in sight; NSCC is on; virtual time, as a delay "
                     "might cut the window (quick adapt).",
         .stimulus = "Of a flight half the packets get NACK UET_NO_PKT_BUFFER, the others an "
                     "unmarked ACK, with service_time for all of the delay.",
         .expected = "In flight, resends with it, as much as before but for a packet.")
{
    static struct congested c;
    need_exact_delays(tc);
    uint32_t before = fep_fills_again(&c, tc, WINDOWS), packet = nominal_size(c.in[0]);
    refuse_half(&c, UET_NACK_NO_PKT_BUFFER, &(const struct echo){.served = true});
    uet_check(tc, "CMS-056", c.bytes + packet >= before, "%u bytes in flight before, then %u",
              before, c.bytes);
    drain(&c);
}
