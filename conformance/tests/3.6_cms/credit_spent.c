/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.6.14: how a source with RCCC spends credit, and what it tells of its wants. */
#include "conformance/tests/3.6_cms/credited.h"

#define NEEDS                                                                                      \
    .role = UET_ROLE_INITIATOR, .needs = "rccc", .params = "config_base_rtt sender_link_rate",     \
    .not_over = "used after-read aged" /* with these the FEP has heard of credit */

#define GRANTED 8u        /* packets */
#define JUMP    0x600000u /* units: modulo 2^24 still forward */
#define STEPS   64u       /* grants of eight packets */
#define ASKED   32u       /* Credit Requests that are answered, at most */
#define EMPTY   256u      /* writes without payload, at most */

/* All that it sends on the credit of now; NSCC, too, may stop it for a while. In nominal bytes. */
static uint32_t spent_for(struct congested *c, const char *requirement)
{
    uint32_t sum = credit_brings(c, requirement), more;

    while ((more = sent_on_credit(c)) > 0)
        sum += more;
    return sum;
}

static uint32_t spent(struct congested *c)
{
    return spent_for(c, "CMS-078");
}

/*
 * It writes so many windows, and as many grants of eight packets, which may be more than a window.
 * It has spent its speculation and all that it asked for then: no more than a packet's worth is
 * left. Returns what it was granted in all.
 */
static uint32_t fep_is_out_of_credit_by(struct congested *c, struct uet_tc *tc, uint32_t windows,
                                        bool nscc)
{
    const uint64_t grants = (uint64_t)windows * GRANTED * uet_tc_dut(tc)->payload_mtu;

    fep_speculates_bytes(c, tc, bytes_of_windows(tc, windows) + grants, nscc);
    take_it(c);
    uint32_t target = asked_target(credit_request(c, "CMS-084"));
    grant(c, target);
    (void)spent(c);
    return target;
}

static uint32_t fep_is_out_of_credit(struct congested *c, struct uet_tc *tc, uint32_t windows)
{
    return fep_is_out_of_credit_by(c, tc, windows, true);
}

UET_TEST(spends_what_it_has, .id = "cms.3.6.14.spends-what-it-has",
         .requirements = "CMS-077 CMS-078", NEEDS,
         .purpose = "A source sends as much as it was granted, within a packet, and no more.",
         .preamble = "The FEP writes without an end in sight; RCCC is on; it has spent all credit.",
         .stimulus = "Credit for eight packets more.",
         .expected = "Some data; in nominal bytes at most the credit and a packet.")
{
    static struct congested c;
    uint32_t credit = fep_is_out_of_credit(&c, tc, 4), packet = nominal_size(c.in[0]);
    uint32_t units = GRANTED * packet / UET_CREDIT_UNIT;
    grant(&c, credit + units);
    uint32_t bytes = spent(&c);
    uet_check(tc, "CMS-077", bytes <= units * UET_CREDIT_UNIT + packet,
              "%u bytes on credit for %u, where a packet has %u", bytes, units * UET_CREDIT_UNIT,
              packet);
    drain_on_credit(&c);
}

UET_TEST(
    refused_take_credit_again, .id = "cms.3.6.11.refused-take-credit-again",
    .requirements = "CMS-060 CMS-089", .role = UET_ROLE_INITIATOR, .needs = "nscc rccc",
    .params = "config_base_rtt sender_link_rate NACK_Retx_Time", .not_over = "used after-read aged",
    .purpose = "With NSCC and RCCC what is sent again takes as much credit as it did at first.",
    .preamble = "The FEP writes without an end in sight; NSCC and RCCC are on; it has spent "
                "all credit.",
    .stimulus = "Credit for eight packets; what it sends on it gets NACK UET_NO_PKT_BUFFER; "
                "then credit for eight more.",
    .expected = "In nominal bytes at most the credit and a packet, resends counted.")
{
    static struct congested c;
    uint32_t credit = fep_is_out_of_credit_by(&c, tc, 4, true), packet = nominal_size(c.in[0]);
    const uint32_t units = GRANTED * packet / UET_CREDIT_UNIT;
    grant(&c, credit + units);
    uet_wait(tc, 4 * c.base_rtt);
    take_flight(&c, hear(tc, "CMS-078", REQUEST_ON(c.pdc)));
    const uint32_t before = c.bytes;
    for (uint32_t i = 0; i < c.n; i++)
        say_nack(tc, c.in[i], UET_NACK_NO_PKT_BUFFER);
    uet_wait(tc, nack_delay(tc));
    grant(&c, credit + 2 * units);
    uint32_t bytes = before, more;
    while ((more = sent_on_credit(&c)) > 0) /* what comes again first */
        bytes += more;
    uet_check(tc, "CMS-060", bytes <= 2 * units * UET_CREDIT_UNIT + packet,
              "%u bytes on credit for %u, of which %u were refused once", bytes,
              2 * units * UET_CREDIT_UNIT, before);
    drain_on_credit(&c);
}

UET_TEST(silence_is_no_credit, .id = "cms.3.6.14.silence-is-no-credit", .requirements = "CMS-077",
         NEEDS, .purpose = "A source whose question for credit has no answer sends no data.",
         .preamble = "The FEP writes without an end in sight; RCCC is on; it has spent all credit.",
         .stimulus = "A Credit Request comes, and maybe another one; none is answered.",
         .expected = "No data.")
{
    static struct congested c;
    (void)fep_is_out_of_credit(&c, tc, 4);
    (void)credit_request(&c, "CMS-084");
    (void)maybe(tc, CP_ON(c.pdc, UET_CTL_CREDIT_REQUEST),
                .within = 3 * uet_tc_param(tc, "RTO_Init_Time"));
    silence(tc, "CMS-077", REQUEST_ON(c.pdc), .within = 10 * c.base_rtt);
    drain_on_credit(&c);
}

/* It has written to its end, and has no credit left but for a packet; false: it has not ended. */
static bool ends_without_credit(struct congested *c, struct uet_tc *tc)
{
    const uint32_t all =
        (uint32_t)(bytes_of_windows(tc, 3) / uet_tc_dut(tc)->payload_mtu); /* packets */
    fep_speculates_by(c, tc, 3, false);
    const uint32_t first = psn_of(c->in[0]), packet = nominal_size(c->in[0]);
    take_it(c);
    uint32_t credit = asked_target(credit_request(c, "CMS-084"));
    grant(c, credit);
    (void)spent(c);
    int32_t left = (int32_t)all - 1 - uet_psn_diff(c->pdc->cack, first);
    bool ended = false;
    for (unsigned i = 0; left > 0 && i < STEPS; i++) { /* it may have been in debt by a packet */
        credit += (left < (int32_t)GRANTED ? (uint32_t)left : GRANTED) * packet / UET_CREDIT_UNIT;
        grant(c, credit);
        do {
            next_flight(c);
            ended |= c->n && value_of(tc, c->in[c->n - 1], UET_F_SES_EOM);
            c->bytes = c->n;
            take_it(c);
        } while (c->bytes);
        left = (int32_t)all - 1 - uet_psn_diff(c->pdc->cack, first);
    }
    return ended && left == 0;
}

UET_TEST(empty_ones_take_credit, .id = "cms.3.6.14.empty-requests-take-credit",
         .requirements = "CMS-077", NEEDS,
         .purpose = "A Request without payload needs credit, as its headers are bytes, too.",
         .preamble = "RCCC is on, NSCC is not; the FEP has written to its end, on just as much "
                     "credit as that took.",
         .stimulus = "Writes of no bytes, more of them than two packets have bytes for.",
         .expected = "In nominal bytes at most two packets and a unit; all of them when credit "
                     "comes.")
{
    static struct congested c;
    uint64_t handle[EMPTY];
    uint32_t bytes = 0, n;
    if (!ends_without_credit(&c, tc)) {
        drain_on_credit(&c);
        uet_skip(tc, "the FEP has sent more or less than the credit was for");
    }
    const uint32_t most = 2 * nominal_size(c.in[0]) + UET_CREDIT_UNIT;
    completion_of(tc, "CMS-110", c.handle);
    for (n = 0; n < EMPTY && n * headers_of(c.in[0]) <= most + most / 2; n++) {
        struct uet_ut_operation op = uet_op(tc, 0);
        handle[n] = uet_do_write(tc, &op);
    }
    for (const struct uet_in *in; (in = maybe(tc, REQUEST_ON(NULL), .within = 10 * c.base_rtt));) {
        same_pdc(tc, c.pdc, in);
        bytes += nominal_size(in);
    }
    uet_check(tc, "CMS-077", bytes <= most, "%u bytes without payload, and without credit", bytes);
    uet_auto_credit(tc, true);
    uet_auto_ack(tc, true);
    resume_acks(tc, c.in[0]);
    for (uint32_t i = 0; i < n; i++)
        completion_of(tc, "CMS-110", handle[i]);
}

UET_TEST(older_credit_is_none, .id = "cms.3.6.10.4.older-credit-is-none", .requirements = "CMS-079",
         NEEDS, .purpose = "Credit is a count: what was heard before, or less, brings nothing.",
         .preamble = "The FEP writes without an end in sight; RCCC is on; it has spent all credit.",
         .stimulus = "Credit for eight packets more, whose data is acknowledged; then less than "
                     "that, and the same again, as a late Credit and a copy would be.",
         .expected = "After the latter two no data.")
{
    static struct congested c;
    uint32_t credit = fep_is_out_of_credit(&c, tc, 4), packet = nominal_size(c.in[0]);
    credit += GRANTED * packet / UET_CREDIT_UNIT;
    grant(&c, credit);
    (void)spent(&c);
    grant(&c, credit - packet / UET_CREDIT_UNIT);
    grant(&c, credit);
    silence(tc, "CMS-079", REQUEST_ON(c.pdc), .within = 10 * c.base_rtt);
    drain_on_credit(&c);
}

/* The ACK of that packet, with that CACK_PSN, tells of so many units in all. */
static void ack_tells(struct congested *c, const struct uet_in *in, uint32_t cack, uint32_t units)
{
    struct uet_out ack = ack_at(in, cack, psn_of(in));
    uint8_t *state = ack.pds + UET_ACK_CC_BYTES - UET_ACK_CC_STATE_CREDIT_BYTES;

    memset(state, 0, UET_ACK_CC_STATE_CREDIT_BYTES);
    uet_ack_cc_type_set(ack.pds, UET_CC_CREDIT);
    uet_ack_cc_state_credit_credit_set(state, units & CREDIT_MASK);
    say(c->tc, &ack);
}

/* ACKs of the flight but its first packets, which have theirs; they tell of so many units in all.
 */
static void acks_tell(struct congested *c, uint32_t from, uint32_t to, uint32_t units)
{
    for (uint32_t i = from; i < to; i++)
        ack_tells(c, c->in[i], psn_of(c->in[i]), units);
}

UET_TEST(
    credit_told_twice_is_one, .id = "cms.3.6.14.credit-told-twice-is-one",
    .requirements = "CMS-079", NEEDS,
    .purpose = "Credit is one count, be it told by Credit or in an ACK_CC.",
    .preamble = "The FEP writes without an end in sight; RCCC is on, NSCC is not; it has spent "
                "all credit.",
    .stimulus = "Credit for eight packets more by Credit; ACK_CCs with cc_type CC_CREDIT of all "
                "but the last of what comes on it tell of the same. Then that of the last one "
                "tells of eight more, which Credit, and the ACK_CCs of what comes on it, repeat.",
    .expected = "No data on what had been told before.")
{
    static struct congested c;
    uint64_t on;
    uint32_t credit = fep_is_out_of_credit_by(&c, tc, 4, false);
    if (uet_tc_told(tc, "NSCC", &on) && on && !uet_try_param(tc, "NSCC", 0))
        uet_skip_for(tc, UET_SKIP_VERB, "NSCC is on, and this FEP cannot turn it off");
    uint32_t packet = nominal_size(c.in[0]), more = GRANTED * packet / UET_CREDIT_UNIT;
    grant(&c, credit += more);
    uet_wait(tc, 4 * c.base_rtt);
    take_flight(&c, hear(tc, "CMS-078", REQUEST_ON(c.pdc)));
    if (c.bytes + packet < more * UET_CREDIT_UNIT) {
        take_it(&c);
        drain_on_credit(&c);
        uet_skip(tc, "the FEP does not have eight packets in flight");
    }
    acks_tell(&c, 0, c.n - 1, credit);
    silence(tc, "CMS-079", REQUEST_ON(c.pdc), .within = 10 * c.base_rtt);
    acks_tell(&c, c.n - 1, c.n, credit += more);
    next_flight(&c);
    grant(&c, credit);
    acks_tell(&c, 0, c.n, credit);
    if (c.bytes + packet >= more * UET_CREDIT_UNIT)
        silence(tc, "CMS-079", REQUEST_ON(c.pdc), .within = 10 * c.base_rtt);
    c.n = 0;
    drain_on_credit(&c);
}

/* Of RCCC alone. The credit that it has had. */
static uint32_t fep_is_out_of_credit_alone(struct congested *c, struct uet_tc *tc)
{
    uint64_t on;
    uint32_t credit = fep_is_out_of_credit_by(c, tc, 4, false);

    if (uet_tc_told(tc, "NSCC", &on) && on && !uet_try_param(tc, "NSCC", 0))
        uet_skip_for(tc, UET_SKIP_VERB, "NSCC is on, and this FEP cannot turn it off");
    return credit;
}

UET_TEST(acks_bring_credit, .id = "cms.3.6.14.acks-bring-credit", .requirements = "CMS-078", NEEDS,
         .purpose = "Credit that only ACK_CCs tell of brings data, again and again.",
         .preamble =
             "The FEP writes without an end in sight; RCCC is on, NSCC is not; it has spent "
             "all credit.",
         .stimulus = "Credit for eight packets by Credit; the ACK_CC of the last of what comes on "
                     "it tells of eight more, with cc_type CC_CREDIT; three times so.",
         .expected = "More data each time.")
{
    static struct congested c;
    uint32_t credit = fep_is_out_of_credit_alone(&c, tc);
    const uint32_t more = GRANTED * nominal_size(c.in[0]) / UET_CREDIT_UNIT;
    grant(&c, credit += more);
    for (unsigned i = 0; i < 3; i++) {
        uet_wait(tc, 4 * c.base_rtt);
        take_flight(&c, hear(tc, "CMS-078", REQUEST_ON(c.pdc)));
        acks_tell(&c, 0, c.n - 1, credit);
        acks_tell(&c, c.n - 1, c.n, credit += more);
    }
    take_flight(&c, hear(tc, "CMS-078", REQUEST_ON(c.pdc)));
    drain_on_credit(&c);
}

UET_TEST(
    acks_behind_a_gap, .id = "cms.3.6.14.acks-behind-a-gap-bring-credit", .requirements = "CMS-078",
    NEEDS, .purpose = "Credit counts in an ACK that does not move CACK_PSN, too.",
    .preamble = "The FEP writes without an end in sight; RCCC is on, NSCC is not; it has spent "
                "all credit.",
    .stimulus = "Credit for eight packets by Credit; the ACK_CC of the second of what comes on "
                "it has CACK_PSN before the first, and tells of eight more.",
    .expected = "More data.")
{
    static struct congested c;
    uint32_t credit = fep_is_out_of_credit_alone(&c, tc);
    const uint32_t more = GRANTED * nominal_size(c.in[0]) / UET_CREDIT_UNIT;
    grant(&c, credit += more);
    uet_wait(tc, 4 * c.base_rtt);
    take_flight(&c, hear(tc, "CMS-078", REQUEST_ON(c.pdc)));
    if (c.n < GRANTED / 2) {
        take_it(&c);
        drain_on_credit(&c);
        uet_skip(tc, "the FEP does not have eight packets in flight");
    }
    ack_tells(&c, c.in[1], psn_of(c.in[0]) - 1, credit + more);
    take_flight(&c, hear(tc, "CMS-078", REQUEST_ON(c.pdc)));
    drain_on_credit(&c);
}

/* So many units in all, which the FEP spends; what it tells of its wants in the last packet. */
static uint32_t spends(struct congested *c, uint32_t credit)
{
    uint32_t target = credit;
    bool came = false;

    grant(c, credit);
    do {
        next_flight(c);
        if (c->n && value_of(c->tc, c->in[c->n - 1], UET_F_SES_EOM))
            uet_skip(c->tc, "the FEP has sent all: it holds more credit than MaxWnd");
        target = c->n ? target_of(c->in[c->n - 1]) : target;
        came |= c->n;
        c->bytes = c->n;
        take_it(c);
    } while (c->bytes);
    uet_check(c->tc, "CMS-080", came, "credit %u brings no data", credit);
    return target;
}

UET_TEST(
    credit_goes_round, .id = "cms.3.6.14.credit-goes-round", .requirements = "CMS-080", NEEDS,
    .contested = true,
    .purpose = "The counts of credit and credit_target go on past 2^24, and by no more than "
               "what was granted.",
    .preamble = "The FEP writes without an end in sight; RCCC is on; it has spent all credit.",
    .stimulus = "Credit in steps of at most 6291456 units up to 0xFFFFFF, then for eight "
                "packets past it; what comes on each is acknowledged. A FEP that sends all it "
                "has on the first holds more credit than MaxWnd, and is skipped.",
    .expected =
        "Data on each; with credit 0xFFFFFF a credit_target beyond it in the last packet; data on "
        "the credit that has gone round, in nominal bytes at most that and a packet.")
{
    static struct congested c;
    uint32_t credit = fep_is_out_of_credit(&c, tc, 8), packet = nominal_size(c.in[0]), target;
    uint32_t units = GRANTED * packet / UET_CREDIT_UNIT;
    do {
        credit = CREDIT_MASK - credit > JUMP ? credit + JUMP : CREDIT_MASK;
        target = spends(&c, credit);
    } while (credit != CREDIT_MASK);
    uet_check(tc, "CMS-080", units_ahead(target, credit) > 0,
              "credit_target does not go beyond %u, while data waits", credit);
    grant(&c, credit + units);
    uint32_t bytes = spent_for(&c, "CMS-080");
    uet_check(tc, "CMS-080", bytes <= units * UET_CREDIT_UNIT + packet,
              "%u bytes on credit for %u that has gone round", bytes, units * UET_CREDIT_UNIT);
    drain_on_credit(&c);
}

#define SOME_MORE 4u /* packets */

static void target_shows(struct uet_tc *tc, bool nscc)
{
    static struct congested c;
    fep_speculates_by(&c, tc, 4, nscc);
    const bool far = !nscc && c.n > 2; /* it has no small window of its own */
    take_it(&c);
    uint32_t credit = asked_target(credit_request(&c, "CMS-084"));
    grant(&c, credit);
    next_flight(&c);
    int32_t most = (int32_t)((max_wnd(tc) + nominal_size(c.in[0])) / UET_CREDIT_UNIT + 1);
    for (uint32_t i = 0; i < c.n; i++)
        uet_check(tc, "CMS-082", units_ahead(target_of(c.in[i]), credit) <= most,
                  "credit_target %u, where %u was granted", target_of(c.in[i]), credit);
    uet_check(tc, "CMS-082", c.n && units_ahead(target_of(c.in[c.n - 1]), credit) > 0,
              "credit_target does not go beyond %u, while data waits", credit);
    if (far && (uint32_t)most > SOME_MORE * nominal_size(c.in[0]) / UET_CREDIT_UNIT * 2)
        uet_check(tc, "CMS-082",
                  (uint32_t)units_ahead(target_of(c.in[c.n - 1]), credit) >
                      SOME_MORE * nominal_size(c.in[0]) / UET_CREDIT_UNIT,
                  "credit_target goes beyond the credit by a few packets, while windows wait");
    take_it(&c);
    drain_on_credit(&c);
}

#define TARGET_SHOWS                                                                               \
    .requirements = "CMS-082", NEEDS, .stimulus = "All the credit that it asks for.",              \
    .expected =                                                                                    \
        "In the last packet on it credit_target is above the credit, and by more than "            \
        "four packets where NSCC is off and it speculates on three or more; in none by more than " \
        "MaxWnd and a packet."

UET_TEST(target_shows_demand, .id = "cms.3.6.14.target-shows-demand", TARGET_SHOWS,
         .purpose = "credit_target is above the credit while data waits, and not too far.",
         .preamble = "The FEP writes without an end in sight; RCCC is on; it has spent its "
                     "speculation.")
{
    target_shows(tc, true);
}

UET_TEST(target_has_a_cap, .id = "cms.3.6.14.target-has-a-cap", TARGET_SHOWS,
         .purpose = "Where no window of NSCC bounds what is wanted, credit_target is above the "
                    "credit while data waits, and not too far.",
         .preamble = "The FEP writes without an end in sight; RCCC is on, NSCC is not, where it "
                     "can be turned off; it has spent its speculation.")
{
    target_shows(tc, false);
}

UET_TEST(asks_once_a_round_trip, .id = "cms.3.5.16.6.2.asks-once-a-round-trip",
         .requirements = "CMS-084", NEEDS,
         .purpose = "Credit Requests are at least a round trip apart.",
         .preamble = "The FEP writes without an end in sight; RCCC is on; it has spent its "
                     "speculation; virtual time.",
         .stimulus = "All is acknowledged, nothing is granted; a Credit Request comes.",
         .expected = "No other for config_base_rtt.")
{
    static struct congested c;
    need_exact_delays(tc); /* a first one that comes late has the second one close behind it */
    fep_speculates(&c, tc, 3);
    take_it(&c);
    (void)credit_request(&c, "CMS-084");
    silence(tc, "CMS-084", CP_ON(c.pdc, UET_CTL_CREDIT_REQUEST), .within = c.base_rtt);
    drain_on_credit(&c);
}

/* It comes again on this credit, and tells of wants from there on: as any Request does. */
static const struct uet_in *resent_on(struct congested *c, const struct uet_in *lost,
                                      uint32_t credit)
{
    const struct uet_in *resent = hear(c->tc, "CMS-060", RESEND_OF(lost));

    uet_check(c->tc, "CMS-076", uet_is_cc_request(&resent->packet),
              "what is sent again has no req_cc_state, while RCCC is on");
    if (units_ahead(target_of(resent), credit) < 0) /* it may fall: who grants keeps the highest */
        uet_note(c->tc, "CMS-082",
                 "credit_target %u in what is sent again, behind the credit of %u",
                 target_of(resent), credit & CREDIT_MASK);
    return resent;
}

UET_TEST(resends_wait_for_credit, .id = "cms.3.6.14.resends-wait-for-credit",
         .requirements = "CMS-060 CMS-076 CMS-082", NEEDS,
         .purpose = "What is sent again takes credit as what is new does.",
         .preamble = "The FEP writes without an end in sight; RCCC is on; it has spent its "
                     "speculation.",
         .stimulus = "Its first packet is acknowledged, another one gets NACK UET_TRIMMED; nothing "
                     "is granted. Then credit for eight packets, and ACKs for all the others.",
         .expected = "No Request until credit comes; then the one that was refused, as a "
                     "CC Request; a credit_target behind the credit is noted.")
{
    static struct congested c;
    fep_speculates_by(&c, tc, 3, false); /* a window would hold it back, too */
    if (c.n < 3) {
        drain_on_credit(&c);
        uet_skip(tc, "the FEP has fewer than three packets in flight");
    }
    const struct uet_in *refused = c.in[1], *last = c.in[c.n - 1];
    answer(&c, c.in[0], &(struct echo){.m = false});
    if (maybe(tc, REQUEST_ON(c.pdc), .within = 10 * c.base_rtt))
        uet_skip(tc, "the FEP goes on without credit, of which other tests tell");
    say_nack(tc, refused, UET_NACK_TRIMMED);
    silence(tc, "CMS-060", .kind = UET_WANT_REQUEST, .pdc = c.pdc, .named = "Request",
            .within = nack_delay(tc));
    const uint32_t credit = target_of(last) + GRANTED * nominal_size(refused) / UET_CREDIT_UNIT;
    grant(&c, credit);
    c.gap = refused;
    for (uint32_t i = 2; i < c.n; i++)
        answer(&c, c.in[i], &(struct echo){.m = false});
    (void)resent_on(&c, refused, credit);
    c.n = 0;
    drain_on_credit(&c);
}

UET_TEST(lost_ones_wait_for_credit, .id = "cms.3.6.14.lost-ones-wait-for-credit",
         .requirements = "CMS-060 CMS-082", NEEDS,
         .purpose = "What is lost in silence gives back no credit, and takes some to come again.",
         .preamble = "RCCC is on; the FEP has written four packets.",
         .stimulus = "The last but one has no answer, the others ACKs; nothing is granted for one "
                     "and a half RTOs. Then what the Credit Request asks for.",
         .expected =
             "No Request until then; then the one that was lost; a credit_target behind the "
             "credit is noted. A FEP that goes on by itself before that has credit, "
             "and is skipped.")
{
    static struct congested c;
    fep_speculates_bytes(&c, tc, 4ull * uet_tc_dut(tc)->payload_mtu, false);
    if (c.n < 4 || max_wnd(tc) < 8ull * uet_tc_dut(tc)->payload_mtu) {
        drain_on_credit(&c);
        uet_skip(tc, "the FEP has fewer than four packets in flight");
    }
    const struct uet_in *lost = c.in[2];
    answer(&c, c.in[0], &(struct echo){.m = false});
    answer(&c, c.in[1], &(struct echo){.m = false});
    c.gap = lost;
    answer(&c, c.in[3], &(struct echo){.m = false});
    const struct uet_in *cp = maybe_credit_request(&c);
    if (!cp && maybe(tc, CP_ON(c.pdc, UET_CTL_PROBE), .within = UET_US)) {
        drain_on_credit(&c);
        uet_skip(tc, "the FEP asks what came before it asks for credit");
    }
    cp = cp ? cp : credit_request(&c, "CMS-084");
    silence(tc, "CMS-060", .kind = UET_WANT_REQUEST, .pdc = c.pdc, .named = "Request",
            .within = one_rto(tc) / 2);
    grant(&c, asked_target(cp));
    c.in[0] = resent_on(&c, lost, asked_target(cp));
    c.n = 1;
    drain_on_credit(&c);
}

UET_TEST(asks_for_resends, .id = "cms.3.6.14.asks-for-resends", .requirements = "CMS-082", NEEDS,
         .purpose = "What is to be sent again is wanted, too, though nothing new waits.",
         .preamble = "RCCC is on; the FEP has written four packets, of which one is acknowledged.",
         .stimulus = "Another one gets NACK UET_TRIMMED, the rest ACKs; of the credit_target of "
                     "the Credit Request that comes all is granted.",
         .expected = "The one that was refused comes again on that credit. A FEP that sends it "
                     "before, on credit that it has, is skipped.")
{
    static struct congested c;
    fep_speculates_bytes(&c, tc, 4ull * uet_tc_dut(tc)->payload_mtu, false);
    if (c.n < 4) {
        drain_on_credit(&c);
        uet_skip(tc, "the FEP has fewer than four packets in flight");
    }
    const struct uet_in *refused = c.gap = c.in[1];
    answer(&c, c.in[0], &(struct echo){.m = false});
    say_nack(tc, refused, UET_NACK_TRIMMED);
    for (uint32_t i = 2; i < c.n; i++)
        answer(&c, c.in[i], &(struct echo){.m = false});
    c.n = 0;
    if (maybe(tc, ANY_RESEND_ON(c.pdc), .within = nack_delay(tc))) {
        drain_on_credit(&c);
        uet_skip(tc, "the FEP has credit for what it sends again");
    }
    const struct uet_in *cp = credit_request(&c, "CMS-084");
    grant(&c, asked_target(cp));
    c.in[c.n++] = hear(tc, "CMS-082", RESEND_OF(refused));
    drain_on_credit(&c);
}

/* With NSCC beside it, or, where the FEP can go without, without it. */
static void refusal_ends_speculation(struct uet_tc *tc, bool nscc)
{
    static struct congested c;
    uint32_t mtu = uet_tc_dut(tc)->payload_mtu;
    if (max_wnd(tc) < 8ull * mtu)
        uet_skip(tc, "MaxWnd holds too few packets: nothing would be left of the speculation");
    fep_speculates_bytes(&c, tc, 4ull * mtu, nscc);
    if (c.n < 4) {
        drain_on_credit(&c);
        uet_skip(tc, "the FEP has fewer than four packets in flight");
    }
    const struct uet_in *refused = c.in[1];
    say_nack(tc, refused, UET_NACK_TRIMMED);
    silence(tc, "CMS-081", .kind = UET_WANT_REQUEST, .pdc = c.pdc, .named = "Request",
            .within = nack_delay(tc));
    grant(&c, target_of(c.in[c.n - 1]) + GRANTED * nominal_size(refused) / UET_CREDIT_UNIT);
    hear(tc, "CMS-081", RESEND_OF(refused));
    drain_on_credit(&c);
}

#define ENDS_SPECULATION                                                                           \
    .requirements = "CMS-081", .contested = true,                                                  \
    .stimulus = "NACK UET_TRIMMED for the second one; then credit for eight packets.",             \
    .expected = "No Request until credit comes; then the one that was refused."

UET_TEST(refusal_ends_it, .id = "cms.3.6.14.refusal-ends-speculation", ENDS_SPECULATION, NEEDS,
         .purpose = "A NACK ends the optimistic start as an ACK does: what is left of it is gone.",
         .preamble = "RCCC is on; the FEP has written four packets, and heard nothing.")
{
    refusal_ends_speculation(tc, false);
}

UET_TEST(refusal_ends_it_beside_nscc, .id = "cms.3.6.11.refusal-ends-speculation", ENDS_SPECULATION,
         .role = UET_ROLE_INITIATOR, .needs = "nscc rccc",
         .params = "config_base_rtt sender_link_rate", .not_over = "used after-read aged",
         .purpose = "A NACK ends the optimistic start with NSCC on, too.",
         .preamble = "NSCC and RCCC are on; the FEP has written four packets, and heard nothing.")
{
    refusal_ends_speculation(tc, true);
}

UET_TEST(lost_opening, .id = "cms.3.6.14.lost-opening-comes-again",
         .requirements = "PDS-156 CMS-078", NEEDS, .contested = true,
         .purpose = "What opens a PDC and is lost comes again, though nobody can grant credit on "
                    "a PDC that he does not know.",
         .preamble = "RCCC is on; the FEP has written four packets.",
         .stimulus = "Silence, until a timeout brings one of them again; that is acknowledged, "
                     "and all that is asked for is granted.",
         .expected = "A copy of one of them; the write completes.")
{
    static struct congested c;
    uet_need_retries(tc);
    fep_speculates_bytes(&c, tc, 4ull * uet_tc_dut(tc)->payload_mtu, false);
    hear(tc, "PDS-156", ANY_RESEND_ON(c.pdc), .within = patience(tc, one_rto(tc)));
    uet_auto_credit(tc, true);
    uet_auto_ack(tc, true);
    resume_acks(tc, c.in[c.n - 1]);
    completes(tc, "CMS-078", c.handle, UET_UT_OK);
}

UET_TEST(datagrams_take_no_credit, .id = "cms.3.5.7.4.datagrams-take-no-credit",
         .requirements = "CMS-072", .role = UET_ROLE_INITIATOR, .needs = "rccc uud",
         .params = "config_base_rtt sender_link_rate", .not_over = "used after-read aged",
         .purpose = "What leaves over UUD is not taken off the credit.",
         .preamble = "The FEP writes without an end in sight; RCCC is on; it has spent all credit.",
         .stimulus = "Credit for eight packets, which it spends; then it sends eight packets over "
                     "UUD, and has credit for eight packets again.",
         .expected = "As much data as at first, but for a packet.")
{
    static struct congested c;
    uint32_t credit = fep_is_out_of_credit_by(&c, tc, 8, false), packet = nominal_size(c.in[0]);
    uint32_t units = GRANTED * packet / UET_CREDIT_UNIT;
    grant(&c, credit += units);
    uint32_t before = spent(&c);
    for (uint32_t i = 0; i < GRANTED; i++) {
        datagram(tc, uet_tc_dut(tc)->payload_mtu);
        if (!maybe(tc, DATAGRAM)) {
            drain_on_credit(&c);
            uet_skip(tc, "no datagram comes beside a write: another test asks why");
        }
    }
    grant(&c, credit + units);
    uint32_t after = spent_for(&c, "CMS-072");
    uet_check(tc, "CMS-072", after + packet >= before,
              "%u bytes on the credit at first, %u after datagrams", before, after);
    drain_on_credit(&c);
}

/* A Request, or the CP that opens its PDC (3.5.16.1): other CPs there are of something else. */
static bool is_elsewhere(const struct uet_in *in, const void *pdc)
{
    return in->pdc && in->pdc != pdc && (uet_is_request(&in->packet) || uet_has_syn(&in->packet));
}

/*
 * Each Credit Request gets this NACK. The FEP need not take it for one of this PDC, as a Credit
 * Request has no PSN; who does not asks until its limit, and tells an error.
 */
static void asks_nobody(struct uet_tc *tc, uint8_t code)
{
    static struct congested c;
    const uint64_t rto = 4 * uet_tc_quiet(tc);
    struct uet_ut_completion done;
    const struct uet_in *moved = NULL;
    (void)fep_is_out_of_credit_by(&c, tc, 4, false);
    /* It was made long, and what runs may run on. */
    const uint64_t within = patience(tc, one_rto(tc)) + 16 * rto;
    uet_set_param(tc, "RTO_Init_Time", rto);
    c.pdc->auto_close = false;
    for (unsigned i = 0; i < ASKED && !moved; i++) {
        const struct uet_in *cp = maybe(tc, CP_ON(c.pdc, UET_CTL_CREDIT_REQUEST), .within = within);
        if (!cp)
            break;
        struct uet_out nack = uet_nack(c.pdc, 0, code);
        say(tc, &nack);
        moved = maybe(tc, .kind = UET_WANT_ANY, .also = is_elsewhere, .ctx = c.pdc,
                      .named = "Request on another PDC, or a CP that opens one", .within = rto / 4);
    }
    if (!moved && !uet_completion(tc, c.handle, within, &done))
        uet_other_reading(tc, "PDS-138",
                          "it goes on to wait for credit of a PDC that is not there");
    else if (!moved)
        uet_other_reading(tc, "PDS-138", "the operation was given up, not tried again elsewhere");
    c.n = 0;
    if (!moved)
        return;
    tolerate(tc, NACK_ON(c.pdc, UET_NACK_INV_DPDCID)); /* credit for the PDC that is left */
    uet_auto_credit(tc, true);
    resume_acks(tc, moved);
    completes(tc, "PDS-138", c.handle, UET_UT_OK);
}

#define ASKS_NOBODY(name)                                                                          \
    .requirements = "PDS-138 CMS-084", NEEDS, .contested = true,                                   \
    .purpose = "A source whose questions for credit get " name " tries its message elsewhere.",    \
    .preamble = "The FEP writes; RCCC is on; it has spent all credit.",                            \
    .stimulus = "Each Credit Request, at most 32, gets that NACK, which names PSN 0.",             \
    .expected = "The message under another spdcid, and its completion. An error told instead, or " \
                "no end of questions, is a finding."

UET_TEST(asks_no_pdc, .id = "cms.3.6.14.asks-a-pdc-that-is-gone", ASKS_NOBODY("UET_INV_DPDCID"))
{
    asks_nobody(tc, UET_NACK_INV_DPDCID);
}

UET_TEST(asks_other_pdc, .id = "cms.3.6.14.asks-a-pdc-of-another",
         ASKS_NOBODY("UET_PDC_HDR_MISMATCH"))
{
    asks_nobody(tc, UET_NACK_PDC_HDR_MISMATCH);
}
