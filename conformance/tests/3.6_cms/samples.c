/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.6.13.1: which answers tell of a round trip, and what those do that tell of none. */
#include "conformance/tests/congested.h"

#define WINDOWS   2u
#define STRONGEST 127u /* rcv_cwnd_pend: about one packet in a round trip */
#define AT_ONCE   1u   /* ns: service_time is all of the time, so the RTT would be none */

#define NEEDS                                                                                      \
    .role = UET_ROLE_INITIATOR, .needs = "nscc", .params = "config_base_rtt sender_link_rate"
#define ON "The FEP writes without an end in sight; NSCC is on; virtual time."

/* It is refused so often, without a word of congestion, and comes again. */
static void refused(struct congested *c, unsigned times)
{
    for (unsigned i = 0; i < times; i++) {
        for (uint32_t k = 0; k < c->n; k++)
            say_nack(c->tc, c->in[k], UET_NACK_NO_PKT_BUFFER);
        take_flight(c, hear(c->tc, "CMS-046", RESEND_OF(c->in[0]), .within = nack_delay(c->tc)));
    }
}

/* When all is acknowledged: of the next write as much is in flight as of the one before. */
static void next_is_as_long(struct congested *c, const char *requirement, uint32_t before)
{
    uint32_t packet = nominal_size(c->in[0]), mtu = uet_tc_dut(c->tc)->payload_mtu;
    completion_of(c->tc, requirement, c->handle);
    uet_wait(c->tc, 4 * c->base_rtt);
    uet_for(c->tc, requirement);
    struct uet_pdc *pdc = c->pdc;
    take_flight(
        c, fep_writes_on(c->tc, &c->pdc, (uint32_t)max_wnd(c->tc) / mtu * mtu + mtu, &c->handle));
    same_pdc(c->tc, pdc, c->in[0]);
    uet_check(c->tc, requirement, c->bytes + packet >= before,
              "%u bytes in flight before these ACKs, %u after", before, c->bytes);
    drain(c);
}

static void leaves_it_alone(struct congested *c, const char *requirement, uint32_t before,
                            const struct echo *e)
{
    uet_answer_flight(c, e);
    next_is_as_long(c, requirement, before);
}

UET_TEST(
    late_ack_of_first_copy, .id = "cms.3.6.13.1.late-ack-of-first-copy", .requirements = "CMS-046",
    NEEDS, .purpose = "An ACK with retx=0 of a packet that was sent again tells no RTT.",
    .preamble = ON,
    .stimulus = "The last flight is refused with UET_NO_PKT_BUFFER and comes again; its ACKs have "
                "retx=0, and service_time is all of the time, so that the RTT would be none.",
    .expected = "As much in flight of the next write as before, but for a packet: such an RTT "
                "would make MaxWnd a "
                "packet.")
{
    static struct congested c;
    uint32_t before = last_flight(&c, tc, WINDOWS);
    refused(&c, 1);
    leaves_it_alone(&c, "CMS-046", before, &(struct echo){.first = true, .rtt_ns = AT_ONCE});
}

UET_TEST(
    ack_of_third_copy, .id = "cms.3.6.13.1.ack-of-third-copy", .requirements = "CMS-047", NEEDS,
    .purpose = "Of a packet that was sent again twice no ACK tells the RTT.", .preamble = ON,
    .stimulus = "The last flight is refused twice with UET_NO_PKT_BUFFER and comes again; its ACKs "
                "have retx=1, and service_time is all of the time.",
    .expected = "As in late-ack-of-first-copy.")
{
    static struct congested c;
    uint32_t before = last_flight(&c, tc, WINDOWS);
    refused(&c, 2);
    leaves_it_alone(&c, "CMS-047", before, &(struct echo){.rtt_ns = AT_ONCE});
}

UET_TEST(
    resend_counts_from_its_own_time, .id = "cms.3.6.13.1.resend-counts-from-its-own-time",
    .requirements = "CMS-047", NEEDS,
    .purpose = "The RTT of a packet that was sent again begins with the resend, if it counts.",
    .preamble = ON,
    .stimulus = "The last flight is refused with UET_NO_PKT_BUFFER long after it came, and comes "
                "again; its ACKs have retx=1 and m=1, and service_time is all of the time since "
                "then but config_base_rtt.",
    .expected = "As much in flight of the next write as before, but for a packet: a mark without "
                "delay moves no window.")
{
    static struct congested c;
    uint32_t before = last_flight(&c, tc, WINDOWS);
    uet_wait(tc, c.apart);
    refused(&c, 1);
    leaves_it_alone(&c, "CMS-047", before, &(struct echo){.m = true, .served = true});
}

UET_TEST(
    ack_of_fifth_copy, .id = "cms.3.6.13.1.ack-of-fifth-copy", .requirements = "CMS-047", NEEDS,
    .purpose = "Resends are not counted in so few bits that many of them count as none.",
    .preamble = ON,
    .stimulus = "The last flight is refused four times with UET_NO_PKT_BUFFER and comes again; its "
                "ACKs have retx=0, and service_time is all of the time.",
    .expected = "As in late-ack-of-first-copy.")
{
    static struct congested c;
    need_refusals(tc, 4);
    uint32_t before = last_flight(&c, tc, WINDOWS);
    refused(&c, 4);
    leaves_it_alone(&c, "CMS-047", before, &(struct echo){.first = true, .rtt_ns = AT_ONCE});
}

UET_TEST(
    no_sample_no_cut, .id = "cms.3.6.13.5.no-sample-no-cut", .requirements = "CMS-113", NEEDS,
    .purpose = "An ACK without a valid RTT sample moves no window, be it marked.", .preamble = ON,
    .stimulus = "The last flight is refused with UET_NO_PKT_BUFFER and comes again; its ACKs have "
                "retx=0 and m=1, far later than config_base_rtt.",
    .expected = "As much in flight of the next write as before, but for a packet.")
{
    static struct congested c;
    uint32_t before = last_flight(&c, tc, WINDOWS);
    refused(&c, 1);
    leaves_it_alone(&c, "CMS-113", before, &(struct echo){.first = true, .m = true});
}

/* The ACK of the last packet covers all, and comes first; those of the others come behind it. */
static void last_ack_comes_first(struct congested *c, const struct echo *e)
{
    const struct uet_in *last = c->in[c->n - 1];
    struct congested late = *c;

    c->rcvd += c->bytes - nominal_size(last);
    answer_with(c, last, psn_of(last), e);
    for (uint32_t i = 0; i + 1 < c->n; i++)
        answer_with(&late, c->in[i], psn_of(c->in[i]), e);
}

UET_TEST(overtaken_acks, .id = "cms.3.6.13.5.overtaken-acks", .requirements = "CMS-113", NEEDS,
         .purpose = "An ACK of a packet that another one has covered before moves no window: its "
                    "packet may be forgotten, so it tells no RTT, or the right one.",
         .preamble = ON,
         .stimulus = "Of the ACKs of the last flight, each of which covers all up to its packet, "
                     "the last comes first; service_time is all of the time but config_base_rtt.",
         .expected = "As much in flight of the next write as before, but for a packet.")
{
    static struct congested c;
    uint32_t before = last_flight(&c, tc, WINDOWS);
    last_ack_comes_first(&c, &(struct echo){.served = true});
    next_is_as_long(&c, "CMS-113", before);
}

UET_TEST(wish_without_sample, .id = "cms.3.6.13.2.wish-without-sample", .requirements = "CMS-062",
         NEEDS, .purpose = "A wish is heard in an ACK that tells no RTT, too.", .preamble = ON,
         .stimulus =
             "A write of 7/8 of MaxWnd is refused with UET_NO_PKT_BUFFER and comes again; "
             "all but its last packet get ACKs with retx=0 and rcv_cwnd_pend 127. Then the FEP "
             "writes more than MaxWnd.",
         .expected = "Of the next write, before the last packet is acknowledged, at most half as "
                     "much in flight as there was before the wish.")
{
    static struct congested c;
    need_exact_delays(tc);
    need_rccc_off(tc);
    uint32_t mtu = uet_tc_dut(tc)->payload_mtu;
    fep_sends(&c, tc, max_wnd(tc) / mtu * 7 / 8 * mtu, true);
    uint32_t before = c.bytes;
    if (c.n < FEWEST || before < max_wnd(tc) * 3 / 4) {
        drain(&c);
        uet_skip(tc, "%u packets in flight, %u bytes, are too few", c.n, before);
    }
    refused(&c, 1);
    for (uint32_t i = 0; i + 1 < c.n; i++)
        answer(&c, c.in[i], &(struct echo){.first = true, .pend = STRONGEST});
    const struct uet_in *last = c.in[c.n - 1];
    struct uet_pdc *pdc = c.pdc;
    struct uet_ut_operation op = uet_op(tc, (uint32_t)max_wnd(tc) / mtu * mtu + mtu);
    uint64_t handle = uet_do_write(tc, &op);
    take_flight(&c, maybe(tc, .kind = UET_WANT_REQUEST, .pdc = pdc, .within = 4 * c.base_rtt));
    uet_check(tc, "CMS-062", c.bytes <= before / 2,
              "%u bytes in flight before the wish, %u after it", before, c.bytes);
    uet_auto_ack(tc, true);
    resume_acks(tc, c.n ? c.in[c.n - 1] : last);
    completion_of(tc, "CMS-110", c.handle);
    completion_of(tc, "CMS-110", handle);
}
