/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.6.14: what a source with RCCC sends on the credit that the tester grants, or does not grant. */
#include "conformance/tests/3.6_cms/credited.h"
#include "conformance/tests/silent.h"

#define NEEDS                                                                                      \
    .role = UET_ROLE_INITIATOR, .needs = "rccc", .params = "config_base_rtt sender_link_rate",     \
    .not_over = "used after-read aged" /* with these the FEP has heard of credit */

UET_TEST(
    no_credit_no_data, .id = "cms.3.6.14.no-credit-no-data",
    .requirements = "CMS-081 CMS-076 CMS-084 CMS-078", NEEDS,
    .purpose = "Without credit a source sends about a window of its own, then nothing, asks, "
               "and goes on when credit comes.",
    .preamble = "RCCC is on.",
    .stimulus = "The FEP writes three windows; the tester grants nothing and acknowledges all "
                "that has come; then it hears the Credit Request and grants what that asks "
                "for.",
    .expected =
        "CC Requests, at most MaxWnd of them (told, or 1.5 BDP) and a packet; silence "
        "after the ACKs; a Credit Request of the same CCC, whose credit_target is at most a window "
        "from that of the last packet; more data.")
{
    static struct congested c;
    fep_speculates(&c, tc, 3);
    const struct uet_in *last = c.in[c.n - 1];
    uint32_t packet = nominal_size(c.in[0]), window = (uint32_t)(max_wnd(tc) / UET_CREDIT_UNIT);
    uet_check(tc, "CMS-081", c.bytes <= max_wnd(tc) + packet,
              "%u bytes before anything was heard, where the window is %llu", c.bytes,
              (unsigned long long)max_wnd(tc));
    take_it(&c);
    silence(tc, "CMS-081", REQUEST_ON(c.pdc), .within = 10 * c.base_rtt);
    const struct uet_in *asks = credit_request(&c, "CMS-084");
    int32_t ahead = units_ahead(asked_target(asks), target_of(last));
    field(tc, "CMS-084", asks, UET_F_PDS_CP_CCC_ID,
          uet_rud_rod_cc_req_ccc_id(uet_pds(&last->packet)));
    uet_check(tc, "CMS-084", abs(ahead) <= (int32_t)(window + packet / UET_CREDIT_UNIT),
              "credit_target %u asked for, %u told by data before", asked_target(asks),
              target_of(last));
    grant(&c, asked_target(asks));
    (void)credit_brings(&c, "CMS-078");
    drain_on_credit(&c);
}

#define SHORT 8u /* packets: less than a window */

/* What the packets of a speculation ask for, but for the last one, behind which nothing waits. */
static uint32_t asked_while_more_waits(const struct congested *c)
{
    uint32_t asked = target_of(c->in[0]);

    for (uint32_t i = 1; i + 1 < c->n; i++)
        if (units_ahead(target_of(c->in[i]), asked) > 0)
            asked = target_of(c->in[i]);
    return asked;
}

UET_TEST(speculation_asks, .id = "cms.3.6.14.speculation-asks-for-a-packet",
         .requirements = "CMS-082", NEEDS,
         .purpose = "A source that speculates, and for which more waits, asks for a packet at "
                    "least, though it may send that without credit.",
         .preamble = "RCCC is on, NSCC is not, where it can be turned off.",
         .stimulus = "The FEP writes eight packets, less than a window; they are acknowledged, "
                     "which ends the speculation. It writes eight more, and gets the credit that "
                     "the first write's packets, but for the last one, asked for.",
         .expected = "A packet of the second write. A FEP that sends it before is skipped.")
{
    static struct congested c;
    const uint32_t bytes = SHORT * uet_tc_dut(tc)->payload_mtu;
    struct uet_ut_operation op = uet_op(tc, bytes);
    if (2 * bytes > max_wnd(tc))
        uet_skip(tc, "MaxWnd of this FEP is less than %u packets", 2 * SHORT);
    fep_speculates_bytes(&c, tc, bytes, false);
    if (c.n != SHORT)
        uet_skip(tc, "the FEP sends %u packets before it hears anything", c.n);
    uint32_t asked = asked_while_more_waits(&c);
    take_it(&c);
    completes(tc, "CMS-110", c.handle, UET_UT_OK);
    c.handle = uet_do_write(tc, &op);
    if (maybe(tc, REQUEST_ON(NULL), .within = uet_tc_latest(tc, UET_MS)))
        uet_skip(tc, "the FEP speculates again, or goes to another PDC, as it may");
    grant(&c, asked);
    const struct uet_in *in = maybe(tc, REQUEST_ON(c.pdc));
    uet_check(tc, "CMS-082", in != NULL,
              "nothing is sent on credit %u, which was asked for while more waited", asked);
    if (in)
        take_flight(&c, in);
    drain_on_credit(&c);
}

#define STEPS 64u /* grants of half a window */

/* It wants more than what is left, with a packet that it is in debt by: by so many units. */
static int32_t wants_too_much(const struct uet_in *in, uint32_t credit, int32_t left,
                              uint32_t packet)
{
    int64_t bytes = (int64_t)(left + 1) * packet;

    return units_ahead(target_of(in), credit) - (int32_t)(bytes / UET_CREDIT_UNIT) - 1;
}

/*
 * It writes to its end on credit of half a window at a time, after `credit`; `left` packets are to
 * come.
 */
static void wants_what_is_left(struct congested *c, uint32_t credit, int32_t left, uint32_t packet)
{
    const uint32_t half = (uint32_t)(max_wnd(c->tc) / UET_CREDIT_UNIT / 2) + 1;
    int32_t most = 0;

    for (unsigned step = 0; left > 0 && step < STEPS; step++) {
        grant(c, credit += half);
        next_flight(c);
        for (uint32_t i = 0; i < c->n; i++, left--) {
            int32_t more = wants_too_much(c->in[i], credit, left, packet);
            most = more > most ? more : most;
        }
        take_it(c);
    }
    uet_check(c->tc, "CMS-082", !most,
              "credit_target was up to %d units beyond the credit for what was left to be sent",
              most);
}

static int32_t packets_of(struct uet_tc *tc, uint64_t bytes)
{
    return (int32_t)(bytes / uet_tc_dut(tc)->payload_mtu);
}

UET_TEST(target_falls, .id = "cms.3.6.14.target-falls-with-the-backlog", .requirements = "CMS-082",
         NEEDS, .purpose = "credit_target tells of no more than what waits.",
         .preamble =
             "The FEP writes three windows; RCCC is on, NSCC is not, where it can be turned "
             "off; it has spent its speculation and the credit that it asked for then.",
         .stimulus = "Credit of half of MaxWnd at a time, until the write ends.",
         .expected = "In each packet credit_target is beyond the credit by no more than what is "
                     "left, and a packet.")
{
    static struct congested c;
    const uint64_t bytes = bytes_of_windows(tc, 3);
    fep_speculates_bytes(&c, tc, bytes, false);
    const uint32_t packet = nominal_size(c.in[0]);
    int32_t left = packets_of(tc, bytes) - (int32_t)c.n;
    take_it(&c);
    uint32_t credit = asked_target(credit_request(&c, "CMS-084"));
    grant(&c, credit);
    for (next_flight(&c); c.n; next_flight(&c)) {
        left -= (int32_t)c.n;
        take_it(&c);
    }
    wants_what_is_left(&c, credit, left, packet);
    drain_on_credit(&c);
}

/*
 * A packet that is outstanding on a PDC, so that what is written next goes to another one; the FEP
 * has no credit left but for a packet. *credit: what it was granted in all.
 */
static const struct uet_in *keep_pdc_busy(struct congested *c, uint64_t *handle, uint32_t *credit)
{
    struct uet_ut_operation op = uet_op(c->tc, 16);

    c->pdc = fep_opens(c->tc);
    *handle = uet_do_write(c->tc, &op);
    const struct uet_in *asks = maybe_credit_request(c);
    if (!asks)
        uet_skip(c->tc, "the FEP speculates again, or goes to another PDC, as it may");
    *credit = asked_target(asks);
    grant(c, *credit);
    const struct uet_in *in = hear(c->tc, "CMS-078", REQUEST_ON(NULL));
    uet_auto_ack(c->tc, true);
    in->pdc->auto_ack = false;
    return in;
}

/* A Request of a PDC but that one, on credit that is told on the one that `busy` came on. */
static const struct uet_in *comes_beside(struct congested *c, const struct uet_in *busy,
                                         uint32_t credit, const struct uet_pdc *not_on)
{
    c->pdc = busy->pdc;
    grant(c, credit);
    const struct uet_in *in = maybe(c->tc, REQUEST_ON(NULL));
    if (!in || in->pdc == not_on || !uet_is_cc_request(&in->packet) ||
        uet_rud_rod_cc_req_ccc_id(uet_pds(&in->packet)) !=
            uet_rud_rod_cc_req_ccc_id(uet_pds(&busy->packet)))
        uet_skip(c->tc, "the write does not go on, on another PDC of this CCC");
    c->pdc = in->pdc;
    c->pdc->auto_ack = false;
    return in;
}

UET_TEST(
    ended_pdc_wants_nothing, .id = "cms.3.6.14.ended-pdc-wants-nothing", .requirements = "CMS-082",
    NEEDS, .purpose = "What waited on a PDC that has ended is wanted no more.",
    .preamble = "RCCC, and PDCs_Per_Tuple 3, where they can be set; a PDC that the FEP opened, "
                "on which a packet is outstanding; no credit is left.",
    .stimulus = "The FEP writes two windows, on another PDC; it has credit for eight packets; "
                "NACK UET_INV_DPDCID for one of them. Then credit for eight packets more, and "
                "of half of MaxWnd at a time, until the write ends elsewhere.",
    .expected = "In each packet credit_target is beyond the credit by no more than what is "
                "left, and a packet. A FEP that does not go on elsewhere is skipped.")
{
    static struct congested c;
    const uint64_t bytes = bytes_of_windows(tc, 2);
    struct uet_ut_operation op = uet_op(tc, (uint32_t)bytes);
    uint32_t credit, mtu = uet_tc_dut(tc)->payload_mtu, units = 8 * mtu / UET_CREDIT_UNIT;
    uint64_t handle;
    c = (struct congested){.tc = tc, .base_rtt = uet_tc_param(tc, "config_base_rtt")};
    c.apart = 4 * c.base_rtt;
    uet_auto_credit(tc, false);
    need_rccc(tc, false);
    uet_try_param(tc, "PDCs_Per_Tuple", 3); /* one may be closing */
    hold_rto_shortly(tc);
    const struct uet_in *held = keep_pdc_busy(&c, &handle, &credit);
    c.handle = uet_do_write(tc, &op);
    (void)comes_beside(&c, held, credit += units, held->pdc);
    take_flight(&c, hear(tc, "CMS-078", REQUEST_ON(c.pdc)));
    c.pdc->auto_ack = true; /* its Close Command's */
    say_nack(tc, c.in[c.n - 1], UET_NACK_INV_DPDCID);
    take_flight(&c, comes_beside(&c, held, credit += units, c.pdc));
    int32_t left = packets_of(tc, bytes) - (int32_t)c.n;
    uint32_t packet = nominal_size(c.in[0]);
    take_it(&c);
    wants_what_is_left(&c, credit, left, packet);
    resume_acks(tc, held);
    drain_on_credit(&c);
    completes(tc, "CMS-110", handle, UET_UT_OK);
}

#define PATIENT 20u /* round trips: more than a FEP may ask in before it gives up */

UET_TEST(little_is_waited_for, .id = "cms.3.6.14.little-credit-comes-late",
         .requirements = "CMS-078", NEEDS,
         .purpose = "A source that lacks little credit waits for it as one that lacks much.",
         .preamble = "RCCC is on, NSCC is not, where it can be turned off; a PDC that the FEP "
                     "opened; RTO long.",
         .stimulus = "The FEP writes 8 bytes; its Credit Request comes; twenty times "
                     "config_base_rtt later what that asks for.",
         .expected = "The packet, and the write completes. A FEP that has credit left is skipped.")
{
    static struct congested c;
    struct uet_ut_operation op = uet_op(tc, 8);
    c = (struct congested){.tc = tc, .base_rtt = uet_tc_param(tc, "config_base_rtt")};
    uet_auto_credit(tc, false);
    need_rccc(tc, false);
    hold_rto_shortly(tc);
    c.pdc = fep_opens(tc);
    c.handle = uet_do_write(tc, &op);
    const struct uet_in *asks = maybe_credit_request(&c);
    if (!asks)
        uet_skip(tc, "the FEP speculates again, or goes to another PDC, as it may");
    uet_wait(tc, PATIENT * c.base_rtt);
    grant(&c, asked_target(asks));
    resume_acks(tc, hear(tc, "CMS-078", REQUEST_ON(c.pdc)));
    completes(tc, "CMS-078", c.handle, UET_UT_OK);
}

UET_TEST(silent_without_credit, .id = "rob.3.6.14.silent-without-credit", .requirements = "ROB-058",
         .role = UET_ROLE_INITIATOR, .needs = "rccc",
         .params = "config_base_rtt sender_link_rate RTO_Init_Time Max_RTO_Retx_Cnt",
         .not_over = "all", /* it takes seconds in real time */
         .purpose = "A message that waits for credit does not wait for ever.",
         .preamble = "RCCC is on, NSCC is not, where it can be turned off.",
         .stimulus = "The FEP writes three windows; the tester grants nothing and acknowledges all "
                     "that has come; then silence.",
         .expected = "The operation ends, in whatever way.",
         .once = "the FEP may go on to try it for a while")
{
    static struct congested c;
    fep_speculates_bytes(&c, tc, bytes_of_windows(tc, 3), false);
    take_it(&c);
    gives_up_early(tc);
    ends_some_time(tc, c.pdc, c.handle);
}
