/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * 3.6.14: what a destination with RCCC grants the tester, which sends CC Requests and tells its
 * wants. Contested (CMS-087): the first credit_target of a CCC is 1, wherever its count begins.
 */
#include "conformance/harness/steps/sealed.h"
#include "conformance/harness/steps/trims.h"
#include "conformance/tests/3.6_cms/granted.h"
#include "conformance/tests/nscc.h"

#define NEEDS .role = UET_ROLE_TARGET, .needs = "rud write rccc"

/* With NSCC on ACK_CC has NSCC's state (CMS-112). */
static void need_nscc_off(struct uet_tc *tc)
{
    uint64_t is_on;

    if (!uet_try_param(tc, "NSCC", 0) && (!uet_tc_told(tc, "NSCC", &is_on) || is_on))
        uet_skip_for(tc, UET_SKIP_VERB, "NSCC may be on, and this FEP cannot turn it off");
}

/* Half of MaxWnd more than it has: that comes, and not much more. */
static void grants_half_a_window(struct credits *c)
{
    const uint32_t window = window_units(c->tc);
    want(c, window / 2);
    const struct wanting *w = &c->source[0];
    int32_t more = units_ahead(w->granted, w->target);
    uet_check(c->tc, "CMS-087", more >= 0, "credit %u, where %u was wanted", w->granted, w->target);
    uet_check(c->tc, "CMS-087", more <= (int32_t)window + 1,
              "credit %u, where %u was wanted and MaxWnd has %u units", w->granted, w->target,
              window);
}

UET_TEST(grants_what_is_wanted, .id = "cms.3.6.14.grants-what-is-wanted",
         .requirements = "CMS-083 CMS-087", NEEDS, .params = "config_base_rtt sender_link_rate",
         .contested = true,
         .purpose = "A destination grants what a source wants, soon, and not much more.",
         .preamble = "RCCC is on, NSCC is not; a CCC of the tester's has heard a Credit.",
         .stimulus = "A CC Request with a credit_target of half of MaxWnd beyond that.",
         .expected = "Credits, never less than the one before, psn and ar 0; at least the "
                     "credit_target, at most MaxWnd beyond it.")
{
    static struct credits c;
    begin(&c, tc, 1);
    grants_half_a_window(&c);
}

UET_TEST(rate_control_is_open, .id = "cms.3.6.14.rate-control-begins-open",
         .requirements = "CMS-087", NEEDS, .params = "config_base_rtt sender_link_rate",
         .contested = true,
         .purpose = "A rate control of the destination slows no grants before there is congestion.",
         .preamble = "RCCC is on, NSCC is not; a CCC of the tester's has all that it wants; then "
                     "ARC is turned on.",
         .stimulus = "As in grants-what-is-wanted, without a mark or a trim.",
         .expected = "As there.")
{
    static struct credits c;
    uet_set_param(tc, "ARC", 0);
    begin(&c, tc, 1);
    grants_half_a_window(&c);
    uet_set_param(tc, "ARC", 1);
    grants_half_a_window(&c);
}

UET_TEST(
    credit_goes_once, .id = "pds.3.5.16.6.1.credit-goes-once", .requirements = "PDS-195", NEEDS,
    .not_over = "all", .params = "config_base_rtt sender_link_rate",
    .purpose = "A Credit is fire and forget: nothing acknowledges it, and it is not sent again.",
    .preamble = "RCCC is on, NSCC is not; a CCC of the tester's has heard a Credit.",
    .stimulus = "A CC Request with a credit_target of half of MaxWnd beyond that; then nothing "
                "for two RTOs.",
    .expected = "No Credit has retx=1.")
{
    static struct credits c;
    begin(&c, tc, 1);
    want(&c, window_units(tc) / 2);
    const uint64_t until = uet_tc_now(tc) + patience(tc, 2 * one_rto(tc));
    const struct uet_in *cp = NULL;
    do {
        cp = maybe(tc, CP_ON(NULL, UET_CTL_CREDIT), .within = until - uet_tc_now(tc));
        if (cp)
            field(tc, "PDS-195", cp, UET_F_PDS_RETX, 0);
    } while (cp && uet_tc_now(tc) < until);
}

/* Each gets all it wants, and none of them much sooner than another. */
static void shared_fairly(struct uet_tc *tc, uint32_t sources)
{
    static struct credits c;
    begin(&c, tc, sources);
    want(&c, window_units(tc));
    for (uint32_t i = 0; i < sources; i++)
        uet_check(tc, "CMS-086", units_ahead(c.source[i].granted, c.source[i].target) >= 0,
                  "source %u has credit %u, and wants %u", i, c.source[i].granted,
                  c.source[i].target);
    if (!c.together)
        uet_skip(tc, "one of them had all it wanted before all wants were acknowledged");
    uet_check(tc, "CMS-086", c.apart <= 2 * c.step, "%u units apart, where a grant has %u", c.apart,
              c.step);
}

#define FAIRLY                                                                                     \
    .requirements = "CMS-086", NEEDS, .params = "config_base_rtt sender_link_rate",                \
    .contested = true, .preamble = "RCCC is on, NSCC is not; each CCC has heard a Credit.",        \
    .expected = "All get it; while all want more, their credit is not further apart than two of "  \
                "the largest grants."

UET_TEST(shares_credit_fairly, .id = "cms.3.6.14.shares-credit-fairly", FAIRLY,
         .purpose = "Two sources that want as much get equal shares at any time.",
         .stimulus = "CC Requests of two CCCs, each on a PDC of its own and with a credit_target "
                     "of MaxWnd beyond what it has.")
{
    shared_fairly(tc, 2);
}

UET_TEST(shares_among_eight, .id = "cms.3.6.14.shares-among-eight", FAIRLY,
         .not_over = "all" /* eight PDCs each time; two of them go everywhere */,
         .purpose = "Eight sources that want as much get equal shares at any time.",
         .stimulus = "CC Requests of eight CCCs, each on a PDC of its own and with a credit_target "
                     "of MaxWnd beyond what it has.")
{
    shared_fairly(tc, 8);
}

#define RAISES 8u /* of a unit each */

UET_TEST(shares_by_source, .id = "cms.3.6.14.shares-by-source", FAIRLY,
         .purpose = "Who raises its credit_target often has no more turns than who does so once.",
         .stimulus = "CC Requests of two CCCs, each on a PDC of its own and with a credit_target "
                     "of MaxWnd beyond what it has; then eight more of the first one, each with a "
                     "unit more.")
{
    static struct credits c;
    begin(&c, tc, 2);
    want_in_steps(&c, window_units(tc), RAISES);
    if (!c.together)
        uet_skip(tc, "one of them had all it wanted before another one had heard");
    uet_check(tc, "CMS-086", c.apart <= 2 * c.step, "%u units apart, where a grant has %u", c.apart,
              c.step);
}

UET_TEST(grants_at_line_rate, .id = "cms.3.6.14.grants-at-line-rate", .requirements = "CMS-085",
         NEEDS, .params = "config_base_rtt sender_link_rate",
         .purpose = "A destination grants no more in a time than its line can bring.",
         .preamble = "RCCC is on, NSCC is not; virtual time, as it is about microseconds.",
         .stimulus = "CC Requests of two CCCs, each with a credit_target of MaxWnd beyond what it "
                     "has.",
         .expected = "The bytes granted after the first Credit take at least as long on the line "
                     "as they took to be granted.")
{
    static struct credits c;
    if (!uet_tc_virtual_time(tc))
        uet_skip(tc, "on a real link the tester cannot tell times this short");
    uint64_t mbits = uet_tc_param(tc, "sender_link_rate");
    begin(&c, tc, 2);
    want(&c, window_units(tc));
    uint64_t bits = (uint64_t)c.after_first * UET_CREDIT_UNIT * 8, ns = c.last_ns - c.first_ns;
    uet_check(tc, "CMS-085", c.n > 2 && bits * 1000 <= ns * mbits,
              "%llu bits granted in %llu ns, at a line of %llu Mbit/s", (unsigned long long)bits,
              (unsigned long long)ns, (unsigned long long)mbits);
}

UET_TEST(trimmed_one_gets_credit, .id = "cms.3.6.14.trimmed-one-gets-credit",
         .requirements = "CMS-088", .role = UET_ROLE_TARGET, .needs = "rud write rccc trimming",
         .params = "config_base_rtt sender_link_rate dscp-trimmed",
         .purpose = "A packet that was trimmed tells of its source's wants all the same.",
         .preamble = "RCCC is on, NSCC is not; a PDC whose source has all the credit it wants.",
         .stimulus = "A CC Request that a switch has trimmed, with a higher credit_target.",
         .expected = "A loss NACK; Credit of at least that credit_target.")
{
    static struct credits c;
    uint32_t window = window_units(tc);
    begin(&c, tc, 1);
    struct wanting *w = &c.source[0];
    w->target = (w->granted + window / 2) & CREDIT_MASK;
    struct uet_out whole = on_credit(some_write(tc, w->pdc, &c.memory), w);
    if (sealing_adds(&whole))
        uet_skip(tc, "what is left of a sealed packet is not authentic: it may ask for nothing");
    struct uet_out cut = trimmed(tc, &whole, "dscp-trimmed");
    say(tc, &cut);
    hear(tc, "CMS-088", NACK_OF(&whole, UET_NACK_TRIMMED));
    c.n = 0;
    take_all(&c);
    uet_check(tc, "CMS-088", units_ahead(w->granted, w->target) >= 0,
              "credit %u after a trimmed packet wanted %u", w->granted, w->target);
}

UET_TEST(late_trimmed_one, .id = "cms.3.6.14.late-trimmed-one-lowers-nothing",
         .requirements = "CMS-088", .role = UET_ROLE_TARGET, .needs = "rud write rccc trimming",
         .params = "config_base_rtt sender_link_rate dscp-trimmed",
         .purpose = "A trimmed packet that was overtaken takes back nothing of what is wanted.",
         .preamble = "RCCC is on, NSCC is not; a PDC whose source has all the credit it wants.",
         .stimulus = "A CC Request with a credit_target of MaxWnd beyond that, and right behind it "
                     "one that a switch has trimmed, with a credit_target of a unit beyond it.",
         .expected = "Credit of at least the higher credit_target.")
{
    static struct credits c;
    uint32_t window = window_units(tc);
    uet_try_param(tc, "idle_credit", 0); /* which would come whatever is wanted */
    begin(&c, tc, 1);
    struct wanting *w = &c.source[0], late = *w;
    w->target = (w->granted + window) & CREDIT_MASK;
    late.target = (w->granted + 1) & CREDIT_MASK;
    struct uet_out overtaken = on_credit(some_write(tc, w->pdc, &c.memory), &late),
                   first = small_write(&c, w);
    if (sealing_adds(&overtaken))
        uet_skip(tc, "what is left of a sealed packet is not authentic: it may ask for nothing");
    struct uet_out cut = trimmed(tc, &overtaken, "dscp-trimmed");
    c.n = 0;
    say(tc, &first);
    say(tc, &cut);
    hear(tc, "CMS-088", NACK_OF(&overtaken, UET_NACK_TRIMMED));
    take_all(&c);
    uet_check(tc, "CMS-088", units_ahead(w->granted, w->target) >= 0,
              "credit %u, where a packet before the trimmed one wanted %u", w->granted, w->target);
}

UET_TEST(sealed_trimmed_one, .id = "tss.3.7.trimmed-asks-for-no-credit", .requirements = "TSS-072",
         .role = UET_ROLE_TARGET, .needs = "rud write rccc trimming tss",
         .params = "config_base_rtt sender_link_rate dscp-trimmed",
         .purpose = "What is left of a sealed packet is not authentic: it moves no credit.",
         .preamble = "RCCC is on, NSCC is not; a PDC whose source has all the credit it wants.",
         .stimulus = "A sealed CC Request with a higher credit_target, trimmed.",
         .expected = "A loss NACK at most; no Credit beyond what was granted before.")
{
    static struct credits c;
    uint32_t window = window_units(tc);
    begin(&c, tc, 1);
    struct wanting *w = &c.source[0];
    const uint32_t before = w->granted;
    w->target = (before + window / 2) & CREDIT_MASK;
    struct uet_out whole = on_credit(some_write(tc, w->pdc, &c.memory), w),
                   cut = trimmed(tc, &whole, "dscp-trimmed");
    tolerate(tc, REFUSAL_OF(&whole));
    say(tc, &cut);
    c.n = 0;
    take_all(&c);
    uet_check(tc, "TSS-072", units_ahead(w->granted, before) <= 0,
              "credit %u after a trimmed packet wanted %u, %u before", w->granted, w->target,
              before);
}

UET_TEST(trimmed_syn_wants, .id = "pds.3.5.8.2.trimmed-credit-syn-opens-nothing",
         .requirements = "PDS-044", .role = UET_ROLE_TARGET,
         .needs = "rud write any-request rccc trimming", .params = "dscp-trimmed",
         .purpose = "A trimmed SYN that wants credit creates no PDC, and gets none.",
         .preamble = "RCCC is on.", .stimulus = "A CC Request with syn=1, trimmed; then the whole.",
         .expected = "Silence, or NACK UET_TRIMMED with spdcid 0, and no Credit; the whole one "
                     "opens the PDC and is executed.")
{
    need_rccc(tc, false);
    struct uet_memory m = uet_need_memory(tc, DATA);
    const struct wanting w = {.pdc = uet_pdc_new(tc), .ccc_id = FIRST_CCC, .target = AT_FIRST};
    struct uet_out whole = on_credit(some_write(tc, w.pdc, &m), &w),
                   cut = trimmed(tc, &whole, "dscp-trimmed");

    say(tc, &cut);
    const struct uet_in *in = maybe(tc, ANSWER_ON(w.pdc), .within = uet_tc_quiet(tc));
    if (in) {
        field(tc, "PDS-044", in, UET_F_PDS_NACK_CODE, UET_NACK_TRIMMED);
        field(tc, "PDS-044", in, UET_F_PDS_SPDCID, 0);
    }
    silence(tc, "PDS-044", CP_ON(NULL, UET_CTL_CREDIT), .within = UET_US);
    tolerate(tc, CP_ON(w.pdc, UET_CTL_CREDIT));
    in = ask(tc, "PDS-044", &whole);
    uet_check_success(tc, "PDS-044", in);
    check_cack(tc, "PDS-044", in, whole.psn);
}

/* The ACK of a Request when all credit that is wanted has come; *o is the Request. */
static const struct uet_in *ack_of_wanting(struct uet_tc *tc, bool nscc, struct credits *c,
                                           struct uet_out *o)
{
    begin(c, tc, 1);
    need_rccc(tc, nscc);
    want(c, window_units(tc) / 2);
    *o = small_write(c, &c->source[0]);
    const struct uet_in *ack = ask(tc, "CMS-112", o);
    if (!uet_is_ack_cc(&ack->packet))
        uet_skip(tc, "the ACKs of this FEP have no CC state");
    return ack;
}

static void reserved_is_0(struct uet_tc *tc, const struct uet_in *ack)
{
    if (ack->packet.cc_state == UET_H_ACK_CC_STATE_CREDIT)
        uet_check(tc, "CMS-034", uet_ack_cc_state_credit_rsvd(uet_cc_state_of(&ack->packet)) == 0,
                  "reserved bits are set");
}

UET_TEST(ack_has_credit, .id = "cms.3.6.9.3.ack-has-credit", .requirements = "CMS-033 CMS-034",
         .role = UET_ROLE_TARGET, .needs = "rud write rccc ack-cc",
         .params = "config_base_rtt sender_link_rate",
         .purpose = "With RCCC alone ACK_CC has the credit.",
         .preamble = "RCCC is on, NSCC is not; all credit that is wanted has come.",
         .stimulus = "A CC Request; then it comes again.",
         .expected =
             "cc_type CC_CREDIT, and at least the credit of the last Credit; the reserved bits of "
             "the state 0, in the ACK of the copy, too.")
{
    static struct credits c;
    struct uet_out o;
    need_nscc_off(tc);
    const struct uet_in *ack = ack_of_wanting(tc, false, &c, &o);
    field(tc, "CMS-033", ack, UET_F_PDS_CC_TYPE, UET_CC_CREDIT);
    const uint8_t *state = uet_cc_state_of(&ack->packet);
    reserved_is_0(tc, ack);
    uint32_t credit = uet_ack_cc_state_credit_credit(state);
    uet_check(tc, "CMS-033", units_ahead(credit, c.source[0].granted) >= 0,
              "credit %u, where a Credit said %u", credit, c.source[0].granted);
    reserved_is_0(tc, ask_anew(tc, "CMS-034", &o));
}

UET_TEST(ack_has_no_more, .id = "cms.3.6.9.3.credit-state-has-no-more", .requirements = "CMS-034",
         .role = UET_ROLE_TARGET, .needs = "rud write rccc ack-cc",
         .params = "config_base_rtt sender_link_rate",
         .purpose = "Nothing stands behind the credit, whatever else the destination knows.",
         .preamble = "RCCC is on, NSCC is not; a CCC of the tester's has heard a Credit.",
         .stimulus =
             "A CC Request that wants MaxWnd more, and at once two more behind one that is left "
             "out; then that one.",
         .expected = "The reserved bits of the state are 0 in the ACK of each.")
{
    static struct credits c;
    struct uet_out o[4];
    need_nscc_off(tc);
    begin(&c, tc, 1);
    struct wanting *w = &c.source[0];
    w->target = (w->granted + window_units(tc)) & CREDIT_MASK;
    for (unsigned i = 0; i < 4; i++)
        o[i] = small_write(&c, w);
    tolerate(tc, CP_ON(w->pdc, UET_CTL_CREDIT));
    for (unsigned i = 0; i < 4; i++)
        if (i != 1)
            reserved_is_0(tc, ask(tc, "CMS-034", &o[i]));
    reserved_is_0(tc, ask(tc, "CMS-034", &o[1]));
}

UET_TEST(rcvd_bytes_of_each_pdc_of_a_ccc, .id = "cms.3.6.13.8.rcvd-bytes-of-each-pdc-of-a-ccc",
         .requirements = "CMS-022", .role = UET_ROLE_TARGET, .needs = "rud write rccc nscc ack-cc",
         .purpose = "Two PDCs of one ccc_id have an rcvd_bytes each.",
         .preamble = "NSCC and RCCC are on; a memory region.",
         .stimulus = "CC Requests with one ccc_id: two on one PDC, then two on another.",
         .expected = "In the ACKs of each PDC rcvd_bytes is what came on that one.")
{
    need_pdcs(tc, 2);
    need_rccc(tc, true);
    struct credits c = {.tc = tc, .memory = uet_need_memory(tc, 1024)};
    for (unsigned i = 0; i < 2; i++) {
        struct wanting w = {.pdc = uet_pdc_new(tc), .ccc_id = FIRST_CCC, .target = AT_FIRST};
        uint32_t sum = 0;
        tolerate(tc, CP_ON(w.pdc, UET_CTL_CREDIT));
        for (unsigned n = 0; n < 2; n++) {
            struct uet_out o = small_write(&c, &w);
            sum += nominal_of(&o);
            field(tc, "CMS-022", ask_nscc(tc, "CMS-022", &o), UET_F_PDS_NSCC_RCVD_BYTES,
                  (sum + UET_RCVD_BYTES_UNIT - 1) / UET_RCVD_BYTES_UNIT);
        }
    }
}

UET_TEST(ack_stays_nscc, .id = "cms.3.6.9.3.ack-stays-nscc", .requirements = "CMS-112",
         .role = UET_ROLE_TARGET, .needs = "rud write rccc nscc ack-cc",
         .params = "config_base_rtt sender_link_rate",
         .purpose = "With NSCC and RCCC ACK_CC is NSCC's, and credit comes by Credit.",
         .preamble = "NSCC and RCCC are on; all credit that is wanted has come.",
         .stimulus = "A CC Request.", .expected = "cc_type CC_NSCC; Credits had come.")
{
    static struct credits c;
    struct uet_out o;
    const struct uet_in *ack = ack_of_wanting(tc, true, &c, &o);
    field(tc, "CMS-112", ack, UET_F_PDS_CC_TYPE, UET_CC_NSCC);
    uet_check(tc, "CMS-112", units_ahead(c.source[0].granted, c.source[0].target) >= 0,
              "credit %u by Credits, where %u was wanted", c.source[0].granted, c.source[0].target);
}

UET_TEST(
    ack_stays_nscc_when_due, .id = "cms.3.6.9.3.ack-stays-nscc-while-credit-is-due",
    .requirements = "CMS-112", .role = UET_ROLE_TARGET, .needs = "rud write rccc nscc ack-cc",
    .params = "config_base_rtt sender_link_rate",
    .purpose = "With NSCC and RCCC ACK_CC is NSCC's, though credit is due and might ride there.",
    .preamble = "NSCC and RCCC are on; a CCC of the tester's has heard a Credit.",
    .stimulus = "Three CC Requests that want MaxWnd more, and at once one after the other.",
    .expected = "cc_type CC_NSCC in the ACK of each.")
{
    static struct credits c;
    begin(&c, tc, 1);
    need_rccc(tc, true);
    struct wanting *w = &c.source[0];
    w->target = (w->granted + window_units(tc)) & CREDIT_MASK;
    tolerate(tc, CP_ON(w->pdc, UET_CTL_CREDIT));
    for (unsigned i = 0; i < 3; i++) {
        struct uet_out o = small_write(&c, w);
        const struct uet_in *ack = ask(tc, "CMS-112", &o);
        if (!uet_is_ack_cc(&ack->packet))
            uet_skip(tc, "the ACKs of this FEP have no CC state");
        field(tc, "CMS-112", ack, UET_F_PDS_CC_TYPE, UET_CC_NSCC);
    }
}
