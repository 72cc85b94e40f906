/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.6.4, 3.6.13.7: by which packets congestion is told and looked for. */
#include "conformance/harness/steps/target.h"
#include "conformance/tests/congested.h"

#define MARKED    16u
#define DATAGRAMS 3u
#define REFUSED   8u

UET_TEST(told_by_acks_alone, .id = "cms.3.6.4.told-by-acks-alone", .requirements = "CMS-012",
         .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .purpose = "Congestion is told in ACKs, and in no packet of its own.",
         .preamble = "PDC open.", .stimulus = "Sixteen Requests with CE, one after the other.",
         .expected = "An ACK for each, with m=1; nothing that is no ACK, NACK or Control Packet.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    for (unsigned i = 0; i < MARKED; i++) {
        struct uet_out o = uet_any_request(p);
        o.route.ecn = UET_ECN_CE;
        field(tc, "CMS-012", ask(tc, "CMS-012", &o), UET_F_PDS_M, 1);
    }
    uet_wait(tc, uet_tc_quiet(tc));
}

UET_TEST(datagrams_are_not_told_of, .id = "cms.3.6.4.datagrams-are-not-told-of",
         .requirements = "CMS-012", .role = UET_ROLE_TARGET, .needs = "uud upper-tester",
         .purpose = "What has no ACK in which a mark could be told is not told of at all.",
         .preamble = "Receive buffers posted.",
         .stimulus = "Datagrams with CE: three of 64 bytes to them, one to a resource index that "
                     "nobody opened.",
         .expected = "The three are delivered; no packet comes back.")
{
    struct uet_memory m = uet_need_receive(tc, 64, DATAGRAMS), closed = m;
    closed.resource_index ^= 0x5a5;
    for (unsigned i = 0; i <= DATAGRAMS; i++) {
        struct uet_out o = uet_datagram(tc, i < DATAGRAMS ? &m : &closed, uet_tc_bytes(tc, 64), 64);
        o.route.ecn = UET_ECN_CE;
        say(tc, &o);
    }
    silence(tc, "CMS-012", .named = "a packet that answers a marked datagram");
    completes(tc, "CMS-012", m.handle, UET_UT_OK);
}

UET_TEST(nscc_is_there, .id = "cms.3.6.1.nscc-is-there", .requirements = "CMS-061",
         .role = UET_ROLE_TARGET, .needs = "rud any-request ack-cc nscc",
         .purpose = "A FEP with NSCC tells it in its ACKs.", .preamble = "PDC open.",
         .stimulus = "A Request with ar=1.",
         .expected = "ACK_CC with cc_type CC_NSCC, once NSCC is on.")
{
    if (uet_tc_ut(tc))
        uet_try_param(tc, "NSCC", 1);
    struct uet_out o = uet_any_request(uet_pdc_open(tc));
    const struct uet_in *ack = ask(tc, "CMS-061", &o);
    uet_check(tc, "CMS-061", ack->packet.cc_state == UET_H_ACK_CC_STATE_NSCC,
              "the ACK has no NSCC state");
}

static const struct uet_in *a_probe(const struct congested *c)
{
    return maybe(c->tc, CP_ON(c->pdc, UET_CTL_PROBE), .within = c->base_rtt);
}

/* None, or this one, past the queues of data; a base RTT later another may look for losses. */
static void no_more_than(const struct congested *c, const struct uet_in *one)
{
    struct uet_tc *tc = c->tc;
    uint64_t control;

    if (!one)
        return;
    if (uet_tc_told(tc, "dscp-control", &control))
        uet_check_eq(tc, "CMS-058", "DSCP of the Probe", uet_dscp(&one->packet), control);
    if (uet_tc_virtual_time(tc))
        silence(tc, "CMS-058", CP_ON(c->pdc, UET_CTL_PROBE), .within = c->base_rtt);
}

UET_TEST(one_probe_at_first, .id = "cms.3.6.13.7.one-probe-at-first", .requirements = "CMS-058",
         .role = UET_ROLE_INITIATOR, .needs = "nscc probe",
         .params = "config_base_rtt sender_link_rate",
         .not_over = "past", /* there its CCC is not new */
         .purpose = "A new CCC looks for its base RTT by one Probe, after the first answer.",
         .preamble = "The FEP writes without an end in sight; NSCC is on.",
         .stimulus = "Silence; then ACK_CCs of a flight.",
         .expected = "No Probe before the first ACK, and at most one after it; a base RTT later "
                     "another one may look for losses, so in virtual time alone. None at all is "
                     "as good: the base RTT may be known already. Where dscp-control is told, the "
                     "Probe has DSCP_CONTROL.")
{
    static struct congested c;
    fep_fills(&c, tc, 4);
    silence(tc, "CMS-058", CP_ON(c.pdc, UET_CTL_PROBE), .within = before_rto(tc));
    answer_flight(&c, .m = false);
    no_more_than(&c, a_probe(&c));
    next_flight(&c);
    drain(&c);
}

UET_TEST(one_probe_for_all_nacks, .id = "cms.3.6.13.7.one-probe-for-all-nacks",
         .requirements = "CMS-058", .role = UET_ROLE_INITIATOR, .needs = "nscc probe",
         .params = "config_base_rtt sender_link_rate",
         .not_over = "past", /* there its CCC is not new */
         .purpose = "NACKs after the first answer bring no Probe of theirs.",
         .preamble = "The FEP writes without an end in sight; NSCC is on.",
         .stimulus = "An ACK_CC for the first packet; when a Probe has come, or none, at once a "
                     "NACK UET_NO_PKT_BUFFER for each of eight others.",
         .expected = "As in one-probe-at-first.")
{
    static struct congested c;
    fep_fills(&c, tc, 4);
    answer(&c, c.in[0], &(struct echo){.m = false});
    const struct uet_in *one = a_probe(&c);
    for (uint32_t i = 1; i <= REFUSED && i < c.n; i++)
        say_nack(tc, c.in[i], UET_NACK_NO_PKT_BUFFER);
    no_more_than(&c, one ? one : a_probe(&c));
    drain(&c);
}

/* One ACK for all of the first flight, or for all but its first packet. */
static void one_ack_for_all(struct uet_tc *tc, bool gap)
{
    static struct congested c;
    fep_fills(&c, tc, 4);
    const struct uet_in *last = c.in[c.n - 1];
    uint32_t n = c.n < 64 ? c.n : 64; /* as many as SACK has bits */
    if (n < 3) {
        drain(&c);
        uet_skip(tc, "the FEP has %u packets in flight", n);
    }
    if (gap) {
        last = c.in[n - 1];
        c.gap = c.in[0];
        for (uint32_t i = 1; i < n - 1; i++)
            c.rcvd += nominal_size(c.in[i]);
        answer(&c, last, &(struct echo){.sack = (n < 64 ? 1ull << n : 0) - 2});
    } else {
        c.rcvd = c.bytes - nominal_size(last);
        answer_with(&c, last, psn_of(last), &(const struct echo){.m = false});
    }
    no_more_than(&c, a_probe(&c));
    drain(&c);
}

#define ONE_ACK                                                                                    \
    .requirements = "CMS-058", .role = UET_ROLE_INITIATOR, .needs = "nscc probe",                  \
    .params = "config_base_rtt sender_link_rate", .not_over = "past",                              \
    .preamble = "The FEP writes without an end in sight; NSCC is on.",                             \
    .expected = "As in one-probe-at-first."

UET_TEST(one_probe_for_many, .id = "cms.3.6.13.7.one-probe-for-many", ONE_ACK,
         .purpose = "A first ACK that covers many packets brings one Probe at most.",
         .stimulus = "Silence; then one ACK_CC, whose CACK_PSN covers the whole flight.")
{
    one_ack_for_all(tc, false);
}

UET_TEST(one_probe_for_sack, .id = "cms.3.6.13.7.one-probe-for-sack", ONE_ACK,
         .purpose = "A first ACK that has many packets in its SACK brings one Probe at most.",
         .stimulus = "Silence; then one ACK_CC, whose SACK has all of the flight but its first "
                     "packet, or 63 of it.")
{
    one_ack_for_all(tc, true);
}

static const struct uet_in *need_probe(struct congested *c)
{
    const struct uet_in *one = a_probe(c);

    if (one)
        return one;
    drain(c);
    uet_skip(c->tc, "the FEP sends no Probe, as it may");
}

/* The first packet is all that has come. */
static void answer_probe_served(const struct congested *c, const struct uet_in *one,
                                const struct uet_in *first, uint64_t service_ns)
{
    struct uet_out ack = uet_ack(c->pdc, one); /* what would be the offset is the Probe's opaque */
    uint8_t *state = ack.pds + UET_ACK_CC_BYTES - UET_ACK_CC_STATE_NSCC_BYTES;

    uet_ack_cack_psn_set(ack.pds, psn_of(first));
    uet_ack_cc_state_nscc_rcvd_bytes_set(state, uet_rcvd_units(c->rcvd));
    uet_ack_cc_state_nscc_service_time_set(state, (uint16_t)(service_ns / UET_SERVICE_UNIT));
    say(c->tc, &ack);
}

static void answer_probe(const struct congested *c, const struct uet_in *one,
                         const struct uet_in *first)
{
    answer_probe_served(c, one, first, 0);
}

UET_TEST(one_probe_is_answered, .id = "cms.3.6.13.7.answered-probe-is-the-last", ONE_ACK,
         .purpose = "When the Probe has its answer, what comes next brings no other.",
         .stimulus = "An ACK_CC for the first packet; when a Probe has come, after half of "
                     "config_base_rtt the ACK_CC that answers it, and at once one for each other "
                     "packet of the flight.")
{
    static struct congested c;
    need_exact_delays(tc);
    fep_fills(&c, tc, 4);
    const struct uet_in *first = c.in[0];
    answer(&c, first, &(struct echo){.m = false});
    const struct uet_in *one = need_probe(&c);
    uet_wait(tc, c.base_rtt / 2);
    answer_probe(&c, one, first);
    for (uint32_t i = 1; i < c.n; i++)
        answer(&c, c.in[i], &(struct echo){.m = false});
    silence(tc, "CMS-058", CP_ON(c.pdc, UET_CTL_PROBE), .within = c.base_rtt / 4);
    drain(&c);
}

/* What the Probe told bounds the window: that of half of config_base_rtt, where it said a quarter.
 */
static void bounded_by_probe(struct congested *c, const struct uet_in *first)
{
    struct uet_tc *tc = c->tc;
    uint64_t half = uet_tc_param(tc, "sender_link_rate") * c->base_rtt * 3 / 32000;
    uint64_t mtu = uet_tc_dut(tc)->payload_mtu, most = half > mtu ? half : mtu;

    for (uint32_t i = 1; i < c->n; i++)
        answer(c, c->in[i], &(struct echo){.served = true});
    next_flight(c); /* some of it may have left before the answer came */
    answer_flight(c, .served = true);
    next_flight(c);
    uet_check(tc, "CMS-058", c->bytes <= most + headers_of(first),
              "%u bytes in flight, where 1.5 BDP of half of config_base_rtt are %llu", c->bytes,
              (unsigned long long)half);
    drain(c);
}

static void bounds_by_probe(struct uet_tc *tc)
{
    static struct congested c;

    need_exact_delays(tc);
    fep_fills(&c, tc, 4);
    const struct uet_in *first = c.in[0];
    answer(&c, first, &(struct echo){.served = true});
    const struct uet_in *one = need_probe(&c);
    uet_wait(tc, c.base_rtt / 4);
    answer_probe(&c, one, first);
    bounded_by_probe(&c, first);
}

UET_TEST(probe_tells_base_rtt, .id = "cms.3.6.13.7.probe-tells-the-base-rtt",
         .requirements = "CMS-058", .role = UET_ROLE_INITIATOR, .needs = "nscc probe",
         .params = "config_base_rtt sender_link_rate", .not_over = "past",
         .purpose = "The answer to the Probe tells the base RTT, which bounds the window.",
         .preamble = "The FEP writes without an end in sight; NSCC is on; virtual time.",
         .stimulus = "An ACK_CC for the first packet; when a Probe has come, after a quarter of "
                     "config_base_rtt the ACK_CC that answers it. In those of the rest of this "
                     "flight and of the next one service_time is all of the time but "
                     "config_base_rtt.",
         .expected = "Not more in flight then than 1.5 x sender_link_rate x half of "
                     "config_base_rtt and the headers of a packet.")
{
    bounds_by_probe(tc);
}

UET_TEST(probe_tells_base_rtt_on_credit, .id = "cms.3.6.13.7.probe-tells-the-base-rtt-on-credit",
         .requirements = "CMS-058 CMS-089", .role = UET_ROLE_INITIATOR, .needs = "nscc rccc probe",
         .params = "config_base_rtt sender_link_rate", .not_over = "past",
         .purpose = "With RCCC, too, the answer to the Probe bounds NSCC's window.",
         .preamble = "As in probe-tells-the-base-rtt, and RCCC is on.",
         .stimulus = "As there; all credit that is asked for is granted.", .expected = "As there.")
{
    if (!uet_try_param(tc, "RCCC", 1))
        uet_skip_for(tc, UET_SKIP_VERB, "RCCC is off, and this FEP cannot turn it on");
    bounds_by_probe(tc);
}

UET_TEST(probe_is_served, .id = "cms.3.6.13.7.service-time-of-a-probe", .requirements = "CMS-058",
         .role = UET_ROLE_INITIATOR, .needs = "nscc probe",
         .params = "config_base_rtt sender_link_rate", .not_over = "past",
         .purpose = "The service_time of the answer is taken off the RTT of a Probe, too.",
         .preamble = "As in probe-tells-the-base-rtt.",
         .stimulus = "As there; but the answer to the Probe comes three config_base_rtt later, and "
                     "service_time is all of that but a quarter of one.",
         .expected = "As there.")
{
    static struct congested c;
    need_exact_delays(tc);
    fep_fills(&c, tc, 4);
    const struct uet_in *first = c.in[0];
    answer(&c, first, &(struct echo){.served = true});
    const struct uet_in *one = need_probe(&c);
    uet_wait(tc, 3 * c.base_rtt);
    const uint64_t waited = uet_tc_now(tc) - one->time_ns;
    if (waited / UET_SERVICE_UNIT > SERVICE_MOST)
        uet_skip(tc, "service_time cannot tell of three config_base_rtt");
    answer_probe_served(&c, one, first, waited - c.base_rtt / 4);
    bounded_by_probe(&c, first);
}
