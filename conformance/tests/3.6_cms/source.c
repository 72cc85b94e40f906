/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.6.13: what a source with NSCC has in flight, while the tester is its congested target. */
#include "conformance/harness/steps/acks.h"
#include "conformance/tests/pds.h"

#define NOMINAL_EXTRA 40u /* IP and Ethernet, whatever they really are (3.6.12) */
#define MARKED        4u  /* flights that are marked */
#define FLIGHTS       (MARKED + 2)
#define FLIGHT_MOST   1024u /* packets */
#define FEWEST        8u    /* packets in which a window can be seen to shrink */

/* A FEP that writes without an end in sight, and what the tester has had of it. */
struct congested {
    struct uet_tc *tc;
    struct uet_pdc *pdc;
    uint64_t handle;
    uint64_t base_rtt;
    uint32_t rcvd; /* nominal bytes so far */
    uint32_t n;    /* of the last flight: packets, and nominal bytes */
    uint32_t bytes;
    const struct uet_in *in[FLIGHT_MOST];
};

/* From the UDP or entropy header to the trailer, and what stands for the rest (3.6.12). */
static uint32_t nominal_size(const struct uet_in *in)
{
    const struct uet_packet *p = &in->packet;

    return (uint32_t)(p->ip_end - (p->udp_offset ? p->udp_offset : p->entropy_offset)) +
           NOMINAL_EXTRA;
}

/* The ceiling of the window: told, or 1.5 BDPs of the sender's link (3.6.13.3). */
static uint64_t max_wnd(struct uet_tc *tc)
{
    uint64_t told, least = 2ull * uet_tc_dut(tc)->payload_mtu;

    if (!uet_tc_told(tc, "MaxWnd", &told) || !told)
        told =
            uet_tc_param(tc, "sender_link_rate") * uet_tc_param(tc, "config_base_rtt") * 3 / 16000;
    return told > least ? told : least;
}

/* All that comes until the FEP waits for an ACK. */
static void take_flight(struct congested *c, const struct uet_in *in)
{
    c->n = c->bytes = 0;
    for (; in; in = uet_next_request(c->tc, c->pdc)) {
        if (c->n == FLIGHT_MOST)
            uet_skip(c->tc, "the FEP has more than %u packets in flight", FLIGHT_MOST);
        c->in[c->n++] = in;
        c->bytes += nominal_size(in);
    }
}

/* Each packet of the flight by an ACK of its own, as a target beyond a full queue would. */
static void answer_flight(struct congested *c, bool marked)
{
    for (uint32_t i = 0; i < c->n; i++) {
        const struct uet_in *in = c->in[i];
        bool next = uet_psn_diff(psn_of(in), c->pdc->cack) <= 0;
        struct uet_out ack = ack_at(in, next ? psn_of(in) : c->pdc->cack, psn_of(in));
        uint8_t *state = ack.pds + UET_ACK_CC_BYTES - UET_ACK_CC_STATE_NSCC_BYTES;
        c->rcvd += nominal_size(in);
        uet_ack_m_set(ack.pds, marked);
        uet_ack_cc_state_nscc_rcvd_bytes_set(state, (c->rcvd + 255) / 256 & 0xffffff);
        say(c->tc, &ack);
    }
}

/* The next flight, more than a base RTT after the last. */
static void next_flight(struct congested *c)
{
    uet_wait(c->tc, 4 * c->base_rtt);
    take_flight(c, uet_next_request(c->tc, c->pdc));
}

/* The FEP writes more than so many windows; its first flight, of which nothing is answered. */
static void fep_fills(struct congested *c, struct uet_tc *tc, uint32_t windows)
{
    uint32_t mtu = uet_tc_dut(tc)->payload_mtu;
    uint64_t bytes = max_wnd(tc) * windows / mtu * mtu + mtu;

    *c = (struct congested){.tc = tc, .base_rtt = uet_tc_param(tc, "config_base_rtt")};
    if (bytes > FLIGHT_MOST * (uint64_t)mtu * windows)
        uet_skip(tc, "more than %u packets would be in flight", FLIGHT_MOST);
    uet_try_param(tc, "NSCC", 1); /* a FEP that can go without */
    hold_rto(tc);
    skip_with_tail_loss_timer(tc);
    uet_auto_ack(tc, false);
    const struct uet_in *in = fep_writes(tc, (uint32_t)bytes, &c->pdc, &c->handle);
    c->pdc->ack_cc = true;
    take_flight(c, in);
}

static void drain(struct congested *c)
{
    uet_auto_ack(c->tc, true);
    if (c->n)
        resume_acks(c->tc, c->in[c->n - 1]);
    completion_of(c->tc, "CMS-110", c->handle);
}

UET_TEST(marks_shrink_the_window, .id = "cms.3.6.13.5.marks-shrink-the-window",
         .requirements = "CMS-044", .role = UET_ROLE_INITIATOR, .needs = "nscc",
         .params = "config_base_rtt sender_link_rate",
         .purpose = "A source whose packets are marked, and come back late, has fewer in flight.",
         .preamble = "The FEP writes without an end in sight; NSCC is on.",
         .stimulus = "ACK_CCs far later than config_base_rtt, of each packet, with service_time 0: "
                     "of two flights with m=0, then of four with m=1.",
         .expected = "After the four, at least a quarter less in flight than before them. A window "
                     "that is halved once a base RTT, or cut by 1 - gamma x (delay - target) / "
                     "delay, is then far smaller; only a gamma below 0.07 would leave more.")
{
    static struct congested c;
    fep_fills(&c, tc, FLIGHTS);
    answer_flight(&c, false);
    next_flight(&c);
    uint32_t before = c.bytes;
    if (c.n < FEWEST)
        uet_skip(tc, "the FEP has %u packets in flight: too few to see its window shrink", c.n);
    for (unsigned i = 0; i < MARKED; i++) {
        answer_flight(&c, true);
        next_flight(&c);
    }
    uet_check(tc, "CMS-044", c.bytes <= before / 4 * 3,
              "%u bytes in flight before the marks, %u after %u flights of them", before, c.bytes,
              MARKED);
    drain(&c);
}

UET_TEST(
    first_window, .id = "cms.3.6.13.4.first-window", .requirements = "CMS-037 CMS-039",
    .role = UET_ROLE_INITIATOR, .needs = "nscc", .params = "config_base_rtt sender_link_rate",
    .purpose = "Before the first ACK no more than MaxWnd is in flight, and time opens nothing.",
    .preamble = "NSCC is on.",
    .stimulus = "The FEP writes more than MaxWnd; the tester stays silent.",
    .expected = "At most MaxWnd (told, or 1.5 BDP) in nominal bytes, and the headers of one "
                "packet; no new packet while nothing is answered.")
{
    static struct congested c;
    fep_fills(&c, tc, 2);
    uint64_t most = max_wnd(tc), headers = nominal_size(c.in[0]) - c.in[0]->packet.payload_len;
    uet_check(tc, "CMS-037", c.bytes <= most + headers,
              "%u bytes in flight, where the first window is %llu", c.bytes,
              (unsigned long long)most);
    silence(tc, "CMS-039", REQUEST_ON(c.pdc), .within = before_rto(tc));
    drain(&c);
}
