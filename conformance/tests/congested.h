/* SPDX-License-Identifier: BSD-2-Clause */
/* The tester as the congested target of a FEP that writes without an end in sight (3.6.13). */
#ifndef UET_CONFORMANCE_TESTS_CONGESTED_H
#define UET_CONFORMANCE_TESTS_CONGESTED_H

#include "conformance/harness/steps/acks.h"
#include "conformance/tests/pds.h"

#define FLIGHT_MOST      1024u /* packets */
#define FEWEST           24u   /* packets in which a window can be seen to move */
#define GATE             3u    /* qa_gate where it is not told, a shift: MaxWnd / 8 */
#define REFUSED_FOR_EVER 31u   /* Max_NACK_Retx_Cnt: without end */
#define GAMMA_LEAST      11u   /* percent: of delays of three targets and more */
#define JUMP_MOST        93u
#define SERVICE_MOST     0xfffeu /* 0xFFFF tells only that it was long */

/* What the tester has had of it. A flight is all that comes before the FEP waits for an ACK. */
struct congested {
    struct uet_tc *tc;
    struct uet_pdc *pdc;
    uint64_t handle;
    uint64_t base_rtt;
    uint64_t apart;           /* ns from a flight to the next: far more than base_rtt, and delay */
    uint32_t rcvd;            /* nominal bytes so far */
    const struct uet_in *gap; /* CACK_PSN stays before it; NULL: it goes along */
    uint32_t n;               /* of the last flight: packets, and nominal bytes */
    uint32_t bytes;
    const struct uet_in *in[FLIGHT_MOST];
};

/* What the ACKs of a flight say: of congestion, of the destination's wish (3.6.13.2). */
struct echo {
    bool m, rc;
    bool served;     /* all of the delay but base_rtt was service time */
    uint64_t rtt_ns; /* ... but this, unless it is 0 */
    bool first;      /* retx=0, whatever copy it answers */
    uint8_t pend;
    uint64_t sack; /* bits of the SACK bitmap, from the packet at the gap on */
};

static inline uint32_t nominal_size(const struct uet_in *in)
{
    return uet_nominal_size(&in->packet);
}

/* The ceiling of the window; a test that asks for it names what tells it in .params. */
static inline uint64_t max_wnd(struct uet_tc *tc)
{
    return uet_tc_max_wnd(tc);
}

/* A parameter of Table 3-82; `otherwise` where it is not told, or 0, which stands for the formula.
 */
static inline uint64_t told_or(struct uet_tc *tc, const char *name, uint64_t otherwise)
{
    uint64_t value;

    return uet_tc_told(tc, name, &value) && value ? value : otherwise;
}

/* Where less than this has arrived in a period, quick adapt acts. */
static inline uint64_t quick_adapt_gate(struct uet_tc *tc)
{
    uint64_t shift = GATE;

    (void)uet_tc_told(tc, "qa_gate", &shift);
    return max_wnd(tc) >> shift;
}

/* At most: without trims it is config_base_rtt. */
static inline uint64_t target_qdelay(struct uet_tc *tc)
{
    return told_or(tc, "target_qdelay", uet_tc_param(tc, "config_base_rtt"));
}

/* So many bytes in the network of Table 3-82 are so many in this one: scaling_a, BDP by 150,000. */
static inline uint64_t scaled(struct uet_tc *tc, uint64_t bytes)
{
    const uint64_t bdp =
        uet_tc_param(tc, "sender_link_rate") * uet_tc_param(tc, "config_base_rtt") / 8000;

    return bytes * bdp / 150000;
}

/*
 * Nothing is to be added by time alone, whatever ACKs say: in so many periods no more than a
 * packet.
 */
static inline void need_no_eta(struct uet_tc *tc, unsigned periods)
{
    const uint64_t mtu = uet_tc_dut(tc)->payload_mtu;

    if (uet_try_param(tc, "eta", 1))
        return;
    const uint64_t eta = told_or(tc, "eta", scaled(tc, mtu * 3 / 20));
    if (eta > mtu / periods)
        uet_skip(tc, "eta is %llu, and cannot be set", (unsigned long long)eta);
}

/* What a flight with delay adds is little beside the window: a tenth of it by the formulas. */
static inline void need_little_growth(struct uet_tc *tc)
{
    uint64_t more = told_or(tc, "fi", 0) + told_or(tc, "eta", 0);

    if (more > max_wnd(tc) / 5)
        uet_skip(tc, "fi and eta are %llu: a flight may add so much", (unsigned long long)more);
}

/* Each packet comes within so many ns of the one before. False: there are more than FLIGHT_MOST. */
static inline bool take_some_within(struct congested *c, const struct uet_in *in, uint64_t ns)
{
    c->n = c->bytes = 0;
    for (; in; in = maybe(c->tc, .kind = UET_WANT_REQUEST, .pdc = c->pdc, .within = ns)) {
        if (c->n == FLIGHT_MOST)
            return false;
        c->in[c->n++] = in;
        c->bytes += nominal_size(in);
    }
    return true;
}

static inline bool take_some(struct congested *c, const struct uet_in *in)
{
    return take_some_within(c, in, uet_tc_latest(c->tc, UET_MS));
}

static inline void take_flight(struct congested *c, const struct uet_in *in)
{
    if (!take_some(c, in))
        uet_skip(c->tc, "the FEP has more than %u packets in flight", FLIGHT_MOST);
}

/* The headers of a packet, which in-flight may pass the window by (CMS-037). */
static inline uint32_t headers_of(const struct uet_in *in)
{
    return nominal_size(in) - in->packet.payload_len;
}

/* For what needs delays that are known to the microsecond. */
static inline void need_exact_delays(struct uet_tc *tc)
{
    if (!uet_tc_virtual_time(tc))
        uet_skip(tc, "on a real link the tester's own time would count as delay");
}

/* With RCCC a NACK ends the speculation: what is sent again waits for credit (CMS-081); and NSCC
 * leaves trims at the last hop to it (CMS-053). */
static inline void need_rccc_off(struct uet_tc *tc)
{
    uint64_t on;

    if (!uet_try_param(tc, "RCCC", 0) && uet_tc_told(tc, "RCCC", &on) && on)
        uet_skip_for(tc, UET_SKIP_VERB, "RCCC is on, and this FEP cannot turn it off");
}

/* The next flight, more than any delay of NSCC's after the last; a FEP may take its time to begin
 * it. */
static inline void next_flight(struct congested *c)
{
    uet_wait(c->tc, c->apart);
    take_flight(c, maybe(c->tc, .kind = UET_WANT_REQUEST, .pdc = c->pdc));
}

/* An ACK_CC that names the packet, which is newly there; CACK_PSN is told. */
static inline void answer_with(struct congested *c, const struct uet_in *in, uint32_t cack,
                               const struct echo *e)
{
    struct uet_out ack = ack_at(in, cack, psn_of(in));
    uint8_t *state = ack.pds + UET_ACK_CC_BYTES - UET_ACK_CC_STATE_NSCC_BYTES;
    uint64_t waited = uet_tc_now(c->tc) - in->time_ns;
    uint64_t rtt = e->rtt_ns ? e->rtt_ns : c->base_rtt;

    c->rcvd += nominal_size(in);
    uet_ack_m_set(ack.pds, e->m);
    uet_ack_cc_state_nscc_rcvd_bytes_set(state, uet_rcvd_units(c->rcvd));
    uet_ack_cc_state_nscc_rc_set(state, e->rc);
    uet_ack_cc_state_nscc_rcv_cwnd_pend_set(state, e->pend);
    if (e->first)
        uet_ack_retx_set(ack.pds, false);
    if (e->sack)
        set_sack(&ack, psn_of(c->gap), e->sack);
    uint64_t service =
        (e->served || e->rtt_ns) && waited > rtt ? (waited - rtt) / UET_SERVICE_UNIT : 0;
    if (service > SERVICE_MOST)
        uet_skip(c->tc, "service_time cannot tell of the %llu ns that the tester has waited",
                 (unsigned long long)waited);
    uet_ack_cc_state_nscc_service_time_set(state, (uint16_t)service);
    say(c->tc, &ack);
}

static inline void answer(struct congested *c, const struct uet_in *in, const struct echo *e)
{
    bool next = uet_psn_diff(psn_of(in), c->pdc->cack) <= 0;

    answer_with(c, in, c->gap ? psn_of(c->gap) - 1 : next ? psn_of(in) : c->pdc->cack, e);
}

/* Each packet of the flight by an ACK_CC of its own, with service_time 0 unless said otherwise. */
#define answer_flight(c, ...) uet_answer_flight(c, &(const struct echo){__VA_ARGS__})
static inline void uet_answer_flight(struct congested *c, const struct echo *e)
{
    for (uint32_t i = 0; i < c->n; i++)
        answer(c, c->in[i], e);
}

/* A little more than so many windows. */
static inline uint64_t bytes_of_windows(struct uet_tc *tc, uint32_t windows)
{
    uint32_t mtu = uet_tc_dut(tc)->payload_mtu;
    uint64_t bytes = max_wnd(tc) * windows / mtu * mtu + mtu;

    if (bytes > FLIGHT_MOST * (uint64_t)mtu * windows)
        uet_skip(tc, "more than %u packets would be in flight", FLIGHT_MOST);
    return bytes;
}

/* The first flight of so many bytes, with NSCC or, where the FEP can go without, without it. */
static inline void fep_sends(struct congested *c, struct uet_tc *tc, uint64_t bytes, bool nscc)
{
    *c = (struct congested){.tc = tc, .base_rtt = uet_tc_param(tc, "config_base_rtt")};
    uint64_t delay = target_qdelay(tc);
    c->apart = 4 * (delay > c->base_rtt ? delay : c->base_rtt);
    uet_try_param(tc, "NSCC", nscc);
    hold_rto_shortly(tc);
    skip_with_tail_loss_timer(tc);
    uet_auto_ack(tc, false);
    const struct uet_in *in = fep_writes(tc, (uint32_t)bytes, &c->pdc, &c->handle);
    c->pdc->ack_cc = true;
    take_flight(c, in);
    if (!c->n)
        uet_error(tc, "fep_writes gave no packet");
}

/* The FEP writes more than so many windows; its first flight, of which nothing is answered. */
static inline void fep_fills(struct congested *c, struct uet_tc *tc, uint32_t windows)
{
    fep_sends(c, tc, bytes_of_windows(tc, windows), true);
}

/* Lets it write to its end. */
static inline void drain(struct congested *c)
{
    uet_auto_ack(c->tc, true);
    if (c->n)
        resume_acks(c->tc, c->in[c->n - 1]);
    completion_of(c->tc, "CMS-110", c->handle);
}

/*
 * As fep_fills, and the flight after the first one's unmarked ACKs: what is in flight before
 * anything is done to the window. A FEP that has too little in flight is skipped, and so is one in
 * which something else than the window bounds it, or has cut it already (quick adapt, for the
 * delay of these ACKs; a base RTT that is shorter than told): its window would move unseen.
 */
static inline uint32_t fep_fills_again(struct congested *c, struct uet_tc *tc, uint32_t windows)
{
    fep_fills(c, tc, windows);
    uint32_t packet = nominal_size(c->in[0]);
    answer_flight(c, .m = false);
    next_flight(c);
    uint32_t n = c->n, bytes = c->bytes;
    if (n < FEWEST || bytes + 2 * packet < max_wnd(tc)) {
        drain(c);
        uet_skip(tc, "%u packets in flight, %u bytes, are too few or not all that MaxWnd allows", n,
                 bytes);
    }
    return bytes;
}

/* The flight in which the write ends: behind it nothing new comes. */
static inline uint32_t last_flight(struct congested *c, struct uet_tc *tc, uint32_t windows)
{
    need_exact_delays(tc); /* a delay alone may make a window small: quick adapt, without trims */
    uint32_t before = fep_fills_again(c, tc, windows);
    while (c->n && !uet_ses_req_eom(uet_ses(&c->in[c->n - 1]->packet))) {
        answer_flight(c, .served = true);
        next_flight(c);
    }
    if (!c->n)
        uet_error(tc, "the write stopped before its end");
    return before;
}

/* It may be refused so often, and still comes again. */
static inline void need_refusals(struct uet_tc *tc, uint64_t times)
{
    uint64_t most;

    if (!uet_try_param(tc, "Max_NACK_Retx_Cnt", REFUSED_FOR_EVER) &&
        uet_tc_told(tc, "Max_NACK_Retx_Cnt", &most) && most < times)
        uet_skip(tc, "this FEP sends a packet that is refused again %llu times at most",
                 (unsigned long long)most);
}

/* One cut leaves at most so much of a window that four of them leave three quarters. */
static inline void need_cuts(struct uet_tc *tc)
{
    uint64_t gamma, jump;

    if ((uet_tc_told(tc, "gamma", &gamma) && gamma < GAMMA_LEAST) ||
        (uet_tc_told(tc, "max_md_jump", &jump) && jump > JUMP_MOST))
        uet_skip(tc, "gamma and max_md_jump of this FEP leave most of a window after a cut");
}

/* Of the flight each second packet is refused by this NACK, the others are acknowledged so; then
 * what comes again, and what is new. */
static inline void refuse_half(struct congested *c, uint8_t code, const struct echo *e)
{
    static struct congested half;

    half = *c;
    half.n = 0;
    half.gap = c->in[1];
    for (uint32_t i = 0; i < c->n; i++) {
        if (i % 2)
            say_nack(c->tc, c->in[i], code);
        else
            half.in[half.n++] = c->in[i];
    }
    uet_answer_flight(&half, e);
    c->rcvd = half.rcvd;
    uet_wait(c->tc, nack_delay(c->tc));
    next_flight(c);
}

/* The FEP sends so many bytes over UUD. */
static inline uint64_t datagram(struct uet_tc *tc, uint32_t n)
{
    struct uet_ut_operation op = uet_op(tc, n);

    op.mode = UET_UT_MODE_UUD;
    return uet_do_send(tc, &op);
}

#endif
