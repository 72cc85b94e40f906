/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.7.2, 3.5.21: a ROD source, its one path and its go-back-N. */
#include "conformance/harness/steps/acks.h"
#include "conformance/tests/pds.h"
#include "conformance/tests/rod.h"

#define N      6u /* packets of the messages below */
#define SACKED 3u /* of these, from the first on */

/* The FEP writes over ROD: the first packet. */
static const struct uet_in *rod_writes(struct uet_tc *tc, uint32_t n, uint64_t *handle)
{
    struct uet_ut_operation op = uet_op(tc, n);

    op.mode = UET_UT_MODE_ROD;
    *handle = uet_do_write(tc, &op);
    const struct uet_in *in = hear(tc, "PDS-007", REQUEST_ON(NULL));
    on_mode(tc, "PDS-007", in, true);
    return in;
}

/* Another write of one packet over ROD, behind what is outstanding; its packet. */
static const struct uet_in *rod_writes_behind(struct uet_tc *tc, struct uet_pdc *pdc,
                                              uint64_t *handle)
{
    struct uet_ut_operation op = uet_op(tc, 16);

    op.mode = UET_UT_MODE_ROD;
    *handle = uet_do_write(tc, &op);
    const struct uet_in *in = uet_next_request(tc, NULL);
    if (!in)
        uet_skip(tc, "the FEP has fewer messages outstanding on a ROD PDC, as it may");
    same_pdc(tc, pdc, in);
    return in;
}

UET_TEST(rod_close_request_ahead, .id = "pds.3.5.21.close-request-ahead",
         .requirements = "PDS-165 PDS-166", .role = UET_ROLE_INITIATOR, .needs = "rod cp-noop",
         .purpose = "ROD: an initiator refuses a Close Request ahead of its turn.",
         .preamble = "The FEP has written over ROD.",
         .stimulus = "Of a NOOP and a Close Request on the return direction the second comes "
                     "first; then the NOOP, then the Close Request again.",
         .expected = "NACK 0x0D of the Close Request with the NOOP's PSN as payload; then both are "
                     "acknowledged.")
{
    uint64_t handle;
    struct uet_pdc *pdc = rod_writes(tc, 16, &handle)->pdc;
    completes(tc, "SES-110", handle, UET_UT_OK);
    struct uet_out noop = uet_cp(pdc, UET_CTL_NOOP), close = uet_cp(pdc, UET_CTL_CLOSE_REQUEST);
    uet_cp_isrod_set(noop.pds, true);
    say(tc, &close);
    hear_ooo(tc, "PDS-165", &close, noop.psn);
    say(tc, &noop);
    field(tc, "PDS-166", hear(tc, "PDS-166", ACK_OF(&noop)), UET_F_PDS_CACK_PSN, noop.psn);
    say_again(tc, &close);
    hear(tc, "PDS-166", ACK_OF(&close));
}

/* An RTO of which a half and a quarter can be told; RTO_Init_Time. */
static uint64_t rto_to_tell(struct uet_tc *tc)
{
    uint64_t least = 16 * uet_tc_quiet(tc);

    uet_need_retries(tc);
    skip_with_tail_loss_timer(tc);
    uet_try_param(tc, "RTO_Init_Time", least);
    uint64_t rto = uet_tc_param(tc, "RTO_Init_Time");
    if (rto < least / 2)
        uet_skip_for(tc, UET_SKIP_VERB, "RTO_Init_Time is too short to tell, and cannot be set");
    return rto;
}

/* A WRITE of N packets on an established ROD PDC, which wait for their ACK. */
struct rod_write {
    uint64_t handle;
    struct uet_pdc *pdc;
    const struct uet_in *in[N]; /* in order */
};

static struct rod_write write_outstanding(struct uet_tc *tc)
{
    struct rod_write w;

    w.in[0] = rod_writes(tc, N * uet_tc_dut(tc)->payload_mtu, &w.handle);
    w.pdc = w.in[0]->pdc;
    for (uint32_t i = 1; i < N; i++) {
        w.in[i] = uet_next_request(tc, w.pdc);
        if (!w.in[i])
            uet_skip(tc, "the FEP keeps fewer than %u packets outstanding", N);
    }
    return w;
}

static struct rod_write rod_outstanding(struct uet_tc *tc)
{
    uint64_t opened;

    uet_preamble_begin(tc);
    rod_writes(tc, 16, &opened);
    completion_of(tc, "PDS-007", opened);
    uet_forget_settled(tc);
    uet_auto_ack(tc, false);
    struct rod_write w = write_outstanding(tc);
    uet_preamble_end(tc);
    return w;
}

/* NACK UET_ROD_OOO of one of them; another is expected. */
static void say_ooo(struct uet_tc *tc, const struct rod_write *w, size_t arrived, size_t expected)
{
    struct uet_out nack = ooo(w->pdc, psn_of(w->in[arrived]), psn_of(w->in[expected]));

    say(tc, &nack);
}

/* All from that packet on come again, in order, with retx=1. */
static void goes_back(struct uet_tc *tc, const struct rod_write *w, size_t from)
{
    uint64_t due = patience(tc, uet_tc_latest(tc, uet_tc_param(tc, "NACK_Retx_Time")));

    for (size_t i = from; i < N; i++) {
        const struct uet_in *copy = hear(tc, "PDS-167", ANY_RESEND_ON(w->pdc), .within = due);
        field(tc, "PDS-167", copy, UET_F_PDS_PSN, psn_of(w->in[i]));
        field(tc, "PDS-167", copy, UET_F_PDS_RETX, 1);
    }
}

/* All is acknowledged. */
static void finish(struct uet_tc *tc, const struct rod_write *w)
{
    acknowledge(tc, w->pdc, w->in[N - 1]);
    uet_auto_ack(tc, true);
    completes(tc, "PDS-167", w->handle, UET_UT_OK);
}

UET_TEST(rod_one_entropy, .id = "pds.3.5.7.2.one-entropy-value", .requirements = "PDS-004",
         .role = UET_ROLE_INITIATOR, .needs = "rod",
         .purpose = "The packets of a ROD PDC take one path at a time.", .preamble = "None.",
         .stimulus = "The FEP writes 24 MTUs over ROD; no loss, no ECN.",
         .expected = "One entropy value in all its Requests.")
{
    uint64_t handle;
    const struct uet_in *in = rod_writes(tc, 24u * uet_tc_dut(tc)->payload_mtu, &handle);
    uint16_t entropy = uet_entropy(&in->packet);
    for (uint32_t i = 1; i < 24; i++) {
        in = hear(tc, "PDS-004", REQUEST_ON(in->pdc));
        uet_check_eq(tc, "PDS-004", "entropy value", uet_entropy(&in->packet), entropy);
    }
    completion_of(tc, "PDS-004", handle);
}

UET_TEST(rod_entropy_of_pdcs, .id = "cms.3.6.7.entropy-of-rod-pdcs", .requirements = "CMS-069",
         .role = UET_ROLE_INITIATOR, .not_over = "acks", .needs = "rod",
         .purpose = "Several ROD PDCs to one destination do not take one path all of them.",
         .preamble = "None.", .stimulus = "The FEP writes over ROD for four jobs.",
         .expected =
             "Where they have PDCs of their own, four of them: not one entropy value in all. "
             "Who draws from 128 values or more, and does not look that they differ, has it "
             "so with a probability of 4.8e-7 at most (false fail).")
{
    const struct uet_in *in, *first = NULL;
    bool others = false;
    unsigned pdcs = 0;
    uint64_t handle;
    for (uint32_t job = 0; job < 4; job++) {
        struct uet_ut_operation op = uet_op(tc, 16);
        op.mode = UET_UT_MODE_ROD;
        op.job_id += job;
        if (uet_ut_write(uet_tc_ut(tc), &op, &handle) || !(in = maybe(tc, REQUEST_ON(NULL))))
            break;
        pdcs += !first || in->pdc != first->pdc;
        others |= first && uet_entropy(&in->packet) != uet_entropy(&first->packet);
        first = first ? first : in;
        completion_of(tc, "CMS-069", handle);
    }
    if (pdcs < 4) /* of two or three the values may be the same by chance */
        uet_skip(tc, "the FEP had %u ROD PDCs for these jobs: too few to tell", pdcs);
    uet_check(tc, "CMS-069", others, "%u ROD PDCs have one entropy value", pdcs);
}

UET_TEST(rod_entropy_of_messages, .id = "pds.3.5.7.2.one-entropy-of-messages",
         .requirements = "PDS-004", .role = UET_ROLE_INITIATOR, .needs = "rod",
         .purpose = "The packets of two messages on one ROD PDC have one entropy value.",
         .preamble = "A ROD PDC that the FEP opened, 6 packets outstanding.",
         .stimulus = "The FEP writes another MTU over ROD.",
         .expected = "When it comes on that PDC: the entropy value of the others.")
{
    hold_rto(tc);
    struct rod_write w = rod_outstanding(tc);
    struct uet_ut_operation op = uet_op(tc, 16);
    op.mode = UET_UT_MODE_ROD;
    uet_do_write(tc, &op);
    const struct uet_in *in = uet_next_request(tc, NULL);
    if (!in)
        uet_skip(tc, "the FEP sends nothing more while these are outstanding");
    same_pdc(tc, w.pdc, in);
    uet_check_eq(tc, "PDS-004", "entropy value", uet_entropy(&in->packet),
                 uet_entropy(&w.in[0]->packet));
    uet_auto_ack(tc, true);
    acknowledge(tc, w.pdc, in);
}

UET_TEST(rod_entropy_of_resends, .id = "pds.3.5.7.2.one-entropy-of-resends",
         .requirements = "PDS-004", .role = UET_ROLE_INITIATOR, .needs = "rod",
         .params = "NACK_Retx_Time",
         .purpose = "The packets of a ROD PDC that come again have one entropy value, while none "
                    "is acknowledged.",
         .preamble = "A ROD PDC that the FEP opened, 6 packets outstanding; RTO long.",
         .stimulus = "NACK UET_ROD_OOO that brings all of them again.",
         .expected = "One entropy value in all that come again.")
{
    hold_rto(tc);
    struct rod_write w = rod_outstanding(tc);
    uint64_t due = patience(tc, nack_delay(tc));
    say_ooo(tc, &w, 4, 0);
    const struct uet_in *first = hear(tc, "PDS-167", ANY_RESEND_ON(w.pdc), .within = due);
    for (uint32_t i = 1; i < N; i++) {
        const struct uet_in *in = hear(tc, "PDS-167", ANY_RESEND_ON(w.pdc), .within = due);
        uet_check_eq(tc, "PDS-004", "entropy value", uet_entropy(&in->packet),
                     uet_entropy(&first->packet));
    }
    finish(tc, &w);
}

UET_TEST(rod_goes_back, .id = "pds.3.5.7.2.goes-back-n", .requirements = "PDS-167",
         .role = UET_ROLE_INITIATOR, .needs = "rod", .params = "NACK_Retx_Time",
         .purpose = "ROD recovers by going back: every PSN from the first missing one again.",
         .preamble = "A ROD PDC that the FEP opened, 6 packets n ... n+5 outstanding; RTO long.",
         .stimulus = "NACK UET_ROD_OOO, nack_psn n+4, payload n+1 (which covers n).",
         .expected = "n+1 ... n+5 again, in order, retx=1; not n. Then all is acknowledged.")
{
    hold_rto(tc);
    struct rod_write w = rod_outstanding(tc);
    /* The tester has heard more, and does not say so. */
    struct uet_out ack = ack_at(w.in[0], psn_of(w.in[0]), psn_of(w.in[0]));
    say(tc, &ack);
    say_ooo(tc, &w, 4, 1);
    goes_back(tc, &w, 1);
    finish(tc, &w);
}

UET_TEST(rod_zero_bitmap, .id = "pds.3.5.11.14.zero-bitmap-is-no-loss", .requirements = "PDS-171",
         .role = UET_ROLE_INITIATOR, .needs = "rod ack-cc", .params = "NACK_Retx_Time",
         .purpose = "A zero SACK bitmap of a ROD target tells of no loss.",
         .preamble = "A ROD PDC that the FEP opened, 6 packets n ... n+5 outstanding; RTO long.",
         .stimulus = "ACK_CCs of n, n+1 and n+2, with a zero SACK bitmap.",
         .expected = "Nothing comes again, or it is a finding; acknowledged, the write completes.")
{
    hold_rto(tc);
    skip_with_tail_loss_timer(tc);
    struct rod_write w = rod_outstanding(tc);
    w.pdc->ack_cc = true;
    for (size_t i = 0; i < 3; i++) {
        struct uet_out ack = ack_at(w.in[i], psn_of(w.in[i]), psn_of(w.in[i]));
        set_sack(&ack, psn_of(w.in[i]) + 1, 0);
        say(tc, &ack);
    }
    if (maybe(tc, ANY_RESEND_ON(w.pdc), .within = patience(tc, nack_delay(tc))))
        uet_other_reading(tc, "PDS-171", "an ACK_CC with a zero SACK bitmap brings packets again");
    finish(tc, &w);
}

/* N messages of one packet each on a ROD PDC, of which none is acknowledged. */
static struct rod_write messages_outstanding(struct uet_tc *tc)
{
    struct rod_write w;
    uint64_t opened;

    uet_preamble_begin(tc);
    rod_writes(tc, 16, &opened);
    completion_of(tc, "PDS-007", opened);
    uet_forget_settled(tc);
    uet_auto_ack(tc, false);
    w.in[0] = rod_writes(tc, 16, &w.handle);
    w.pdc = w.in[0]->pdc;
    for (uint32_t i = 1; i < N; i++)
        w.in[i] = rod_writes_behind(tc, w.pdc, &w.handle);
    uet_preamble_end(tc);
    return w;
}

UET_TEST(rod_goes_back_over_messages, .id = "pds.3.5.21.goes-back-over-messages",
         .requirements = "PDS-167", .role = UET_ROLE_INITIATOR, .needs = "rod",
         .params = "NACK_Retx_Time",
         .purpose = "Going back does not end with the message of the missing packet.",
         .preamble = "A ROD PDC that the FEP opened, 6 messages of one packet, n ... n+5, "
                     "outstanding; RTO long.",
         .stimulus = "NACK UET_ROD_OOO, nack_psn n+4, payload n+1 (which covers n).",
         .expected = "n+1 ... n+5 again, in order, retx=1; not n. Then all is acknowledged.")
{
    hold_rto(tc);
    struct rod_write w = messages_outstanding(tc);
    struct uet_out ack = ack_at(w.in[0], psn_of(w.in[0]), psn_of(w.in[0]));
    say(tc, &ack);
    say_ooo(tc, &w, 4, 1);
    goes_back(tc, &w, 1);
    finish(tc, &w);
}

UET_TEST(rod_goes_back_at_timeout, .id = "pds.3.5.21.goes-back-at-timeout",
         .requirements = "PDS-167", .role = UET_ROLE_INITIATOR, .needs = "rod",
         .not_over = "all", /* it takes seconds in real time */
         .purpose = "A timeout, too, brings all from the first missing PSN on, and not each packet "
                    "by its own time.",
         .preamble = "A ROD PDC that the FEP opened; RTO long.",
         .stimulus = "The FEP writes one packet, n; half an RTO later another, n+1. When n has "
                     "come again it is acknowledged.",
         .expected = "n+1 follows n well before its own RTO is over.")
{
    uint64_t opened, handle, rto = rto_to_tell(tc);
    rod_writes(tc, 16, &opened);
    completion_of(tc, "PDS-007", opened);
    uet_forget_settled(tc);
    uet_auto_ack(tc, false);
    const struct uet_in *in = rod_writes(tc, 16, &handle);
    uet_wait(tc, rto / 2);
    const struct uet_in *behind = rod_writes_behind(tc, in->pdc, &handle);
    const struct uet_in *copy =
        hear(tc, "PDS-156", RESEND_OF(in), .within = patience(tc, one_rto(tc)));
    struct uet_out ack = ack_at(copy, psn_of(in), psn_of(in));
    say(tc, &ack);
    hear(tc, "PDS-167", RESEND_OF(behind), .within = rto / 4);
    resume_acks(tc, behind);
    completes(tc, "PDS-167", handle, UET_UT_OK);
}

UET_TEST(rod_goes_back_once, .id = "pds.3.5.21.goes-back-once", .requirements = "PDS-168 PDS-167",
         .role = UET_ROLE_INITIATOR, .needs = "rod", .params = "NACK_Retx_Time RTO_Init_Time",
         .purpose = "Several UET_ROD_OOO of one gap start one run, not several.",
         .preamble = "A ROD PDC that the FEP opened, 6 packets n ... n+5 outstanding; RTO long.",
         .stimulus = "NACKs UET_ROD_OOO for n+1, n+2 and n+3, all with payload n.",
         .expected = "n ... n+5 again once; then nothing.")
{
    uint64_t quiet = 4 * uet_tc_latest(tc, uet_tc_param(tc, "NACK_Retx_Time"));
    need_long_rto(tc, 2 * quiet);
    skip_with_tail_loss_timer(tc);
    struct rod_write w = rod_outstanding(tc);
    for (size_t i = 1; i <= 3; i++)
        say_ooo(tc, &w, i, 0);
    goes_back(tc, &w, 0);
    silence(tc, "PDS-168", ANY_RESEND_ON(w.pdc), .within = quiet);
    finish(tc, &w);
}

/* The next Request on that PDC, of whatever PSN. */
#define ANY_REQUEST_ON(p) .kind = UET_WANT_REQUEST, .pdc = (p), .named = "a Request"

/* An ACK_CC, taken out of this packet, of all up to it, with this mpr. */
static void say_window(struct uet_tc *tc, const struct uet_in *in, uint8_t mpr)
{
    in->pdc->ack_cc = true;
    struct uet_out ack = ack_at(in, psn_of(in), psn_of(in));
    uet_ack_cc_mpr_set(ack.pds, mpr);
    say(tc, &ack);
}

/* A long ROD message that runs into a window of 256 PSNs: its first packets; how many more. */
static uint32_t rod_runs(struct uet_tc *tc, const struct uet_in **first, const struct uet_in **last)
{
    uint64_t handle;
    uint32_t n = 0;

    uet_auto_ack(tc, false);
    say_window(tc, rod_writes(tc, 16, &handle), 2);
    uet_expect_completion(tc, handle);
    *last = *first = rod_writes(tc, 400u * uet_tc_dut(tc)->payload_mtu, &handle);
    for (const struct uet_in *in; n < 400 && (in = uet_next_request(tc, (*first)->pdc)); n++)
        *last = in;
    return n;
}

UET_TEST(rod_goes_back_before_it_goes_on, .id = "pds.3.5.21.goes-back-before-it-goes-on",
         .requirements = "PDS-167", .role = UET_ROLE_INITIATOR, .needs = "rod ack-cc",
         .params = "NACK_Retx_Time",
         .purpose = "A go-back that its window interrupts ends before anything new is sent.",
         .preamble = "A ROD PDC that the FEP opened, mpr=2; it runs into that window; RTO long.",
         .stimulus = "ACK_CC of the first packet n with mpr=1; NACK UET_ROD_OOO for n+2, payload "
                     "n+1; when nothing more comes again, an ACK_CC of what came, with mpr=4.",
         .expected = "What was not resent yet comes in order, and no new PSN before it.")
{
    const struct uet_in *first, *last, *in, *copy = NULL;
    hold_rto(tc);
    uint32_t n = rod_runs(tc, &first, &last);
    if (n <= 200 || n >= 399)
        uet_skip(tc, "the FEP keeps %u packets outstanding in a window of 256", n);
    say_window(tc, first, 1);
    struct uet_out nack = ooo(first->pdc, psn_of(first) + 2, psn_of(first) + 1);
    say(tc, &nack);
    uint64_t due = patience(tc, nack_delay(tc));
    while ((in = maybe(tc, ANY_RESEND_ON(first->pdc), .within = copy ? 2 * UET_MS : due)))
        copy = in;
    if (!copy || psn_of(copy) == psn_of(last))
        uet_skip(tc, "the window does not interrupt the go-back");
    say_window(tc, copy, 4);
    for (uint32_t psn = psn_of(copy) + 1; uet_psn_diff(psn, psn_of(last)) <= 0; psn++)
        field(tc, "PDS-167", hear(tc, "PDS-167", ANY_REQUEST_ON(first->pdc)), UET_F_PDS_PSN, psn);
    resume_acks(tc, last);
}

UET_TEST(rod_late_ooo, .id = "pds.3.5.21.late-ooo-of-the-gap", .requirements = "PDS-168 PDS-167",
         .role = UET_ROLE_INITIATOR, .needs = "rod", .params = "NACK_Retx_Time RTO_Init_Time",
         .purpose = "UET_ROD_OOO that comes late, of a gap already repaired, starts no second run.",
         .preamble = "A ROD PDC that the FEP opened, 6 packets n ... n+5 outstanding; RTO long.",
         .stimulus = "NACK UET_ROD_OOO for n+1 with payload n; when n ... n+5 have come again, "
                     "those for the first copies (retx=0) of n+2 and n+3.",
         .expected = "n ... n+5 again once; then nothing.")
{
    uint64_t quiet = 4 * uet_tc_latest(tc, uet_tc_param(tc, "NACK_Retx_Time"));
    need_long_rto(tc, 2 * quiet);
    skip_with_tail_loss_timer(tc);
    struct rod_write w = rod_outstanding(tc);
    say_ooo(tc, &w, 1, 0);
    goes_back(tc, &w, 0);
    say_ooo(tc, &w, 2, 0);
    say_ooo(tc, &w, 3, 0);
    silence(tc, "PDS-168", ANY_RESEND_ON(w.pdc), .within = quiet);
    finish(tc, &w);
}

UET_TEST(rod_goes_back_for_each, .id = "pds.3.5.21.goes-back-for-each-gap",
         .requirements = "PDS-167", .role = UET_ROLE_INITIATOR, .needs = "rod",
         .params = "NACK_Retx_Time",
         .purpose = "A ROD PDC recovers from each gap, not from its first one alone.",
         .preamble = "A ROD PDC that the FEP opened, 6 packets n ... n+5 outstanding; RTO long.",
         .stimulus = "NACK UET_ROD_OOO for n+1 with payload n; when n ... n+5 have come again, all "
                     "is acknowledged. The same of the next 6 packets.",
         .expected = "Their first to sixth again, too, in order, retx=1.")
{
    hold_rto(tc);
    struct rod_write w = rod_outstanding(tc);
    say_ooo(tc, &w, 1, 0);
    goes_back(tc, &w, 0);
    acknowledge(tc, w.pdc, w.in[N - 1]);
    completes(tc, "PDS-167", w.handle, UET_UT_OK);
    struct rod_write next = write_outstanding(tc);
    same_pdc(tc, w.pdc, next.in[0]);
    say_ooo(tc, &next, 1, 0);
    goes_back(tc, &next, 0);
    finish(tc, &next);
}

/* A copy of what SACK told of: of the first packets, of which CACK_PSN says nothing. */
static bool is_sacked_again(const struct uet_in *in, const void *write)
{
    const struct rod_write *w = write;

    return is_resend(in, NULL) && uet_psn_diff(psn_of(in), psn_of(w->in[SACKED])) < 0;
}

UET_TEST(rod_sacked_is_not_resent, .id = "pds.3.5.21.sacked-is-not-resent",
         .requirements = "PDS-116 PDS-167", .role = UET_ROLE_INITIATOR, .needs = "rod ack-cc",
         .params = "RTO_Init_Time",
         .purpose = "What a ROD target has in order, and tells by SACK as it keeps the responses, "
                    "does not come again as data.",
         .preamble = "A ROD PDC that the FEP opened, 6 packets n ... n+5 outstanding.",
         .stimulus = "An ACK_CC for n+2 that wants a clear, with CACK_PSN n-1 and SACK of n, n+1 "
                     "and n+2: the ACKs of n and n+1 are lost. An RTO passes.",
         .expected = "n+3 again; that n, n+1 or n+2 comes as data is a finding.")
{
    uet_need_retries(tc);
    skip_with_tail_loss_timer(tc);
    struct rod_write w = rod_outstanding(tc);
    w.pdc->ack_cc = true;
    struct uet_out ack = ack_at(w.in[SACKED - 1], psn_of(w.in[0]) - 1, psn_of(w.in[SACKED - 1]));
    set_sack(&ack, psn_of(w.in[0]), (1u << SACKED) - 1);
    uet_ack_req_set(ack.pds, UET_ACK_REQ_CLEAR);
    say(tc, &ack);
    hear(tc, "PDS-167", RESEND_OF(w.in[SACKED]), .within = patience(tc, one_rto(tc)));
    if (maybe(tc, .kind = UET_WANT_REQUEST, .pdc = w.pdc, .also = is_sacked_again, .ctx = &w,
              .within = one_rto(tc) / 2)) /* who goes back to CACK_PSN sends all (PDS-167) */
        uet_other_reading(tc, "PDS-116", "data that SACK told of comes again");
    finish(tc, &w);
}

UET_TEST(rod_ooo_of_acknowledged, .id = "pds.3.5.21.late-ooo-of-what-is-acknowledged",
         .requirements = "PDS-162 PDS-167", .role = UET_ROLE_INITIATOR, .needs = "rod",
         .params = "RTO_Init_Time",
         .purpose = "UET_ROD_OOO that comes behind the ACK of what it expects changes nothing.",
         .preamble = "A ROD PDC that the FEP opened, 6 packets n ... n+5 outstanding; RTO long.",
         .stimulus = "n and n+1 are acknowledged; NACK UET_ROD_OOO for n+4 with payload n, sent "
                     "before. Then all is acknowledged.",
         .expected = "n and n+1 do not come again; the write completes.")
{
    need_long_rto(tc, uet_tc_quiet(tc));
    skip_with_tail_loss_timer(tc);
    struct rod_write w = rod_outstanding(tc);
    struct uet_out ack = ack_at(w.in[1], psn_of(w.in[1]), psn_of(w.in[1]));
    say(tc, &ack);
    say_ooo(tc, &w, 4, 0);
    silence(tc, "PDS-162", RESEND_OF(w.in[0]), .within = uet_tc_quiet(tc) / 4);
    silence(tc, "PDS-162", RESEND_OF(w.in[1]), .within = UET_US);
    finish(tc, &w);
}

UET_TEST(rod_and_rud_apart, .id = "pds.3.5.8.1.rod-and-rud-apart",
         .requirements = "PDS-007 PDS-011", .role = UET_ROLE_INITIATOR, .not_over = "own",
         .needs = "rod", .purpose = "RUD and ROD never share a PDC.", .preamble = "None.",
         .stimulus = "The FEP writes over RUD, over ROD and over RUD again, to the same tester.",
         .expected = "Every Request of a PDC has one pds.type; the modes have PDCs of their own.")
{
    uint64_t handle;
    struct uet_pdc *rud;
    fep_writes(tc, 16, &rud, &handle);
    completion_of(tc, "PDS-007", handle);
    const struct uet_in *in = rod_writes(tc, 16, &handle);
    uet_look_at(tc, in);
    uet_check(tc, "PDS-011", in->pdc != rud, "one PDC (spdcid 0x%04x) carries RUD and ROD",
              uet_spdcid(&in->packet));
    completion_of(tc, "PDS-007", handle);
    in = fep_writes_on(tc, &rud, 16, &handle);
    on_mode(tc, "PDS-007", in, false);
    completion_of(tc, "PDS-007", handle);
}

UET_TEST(pending_pdc_per_mode, .id = "pds.3.5.8.1.pending-pdc-per-mode",
         .requirements = "PDS-011 PDS-007", .role = UET_ROLE_INITIATOR, .needs = "rod",
         .not_over = "used after-read aged",
         .purpose = "A PDC that is being created has its mode, too.", .preamble = "RTO long.",
         .stimulus = "The FEP writes over RUD and over ROD before its first ACK; then ACKs.",
         .expected = "The second write comes on a PDC of its own, over ROD; both complete.")
{
    uint64_t handle[2];
    const struct uet_in *in[2];

    hold_rto(tc);
    uet_auto_ack(tc, false);
    for (int rod = 0; rod < 2; rod++) {
        struct uet_ut_operation op = uet_op(tc, 16);
        op.mode = rod ? UET_UT_MODE_ROD : UET_UT_MODE_RUD;
        handle[rod] = uet_do_write(tc, &op);
        in[rod] = uet_next_request(tc, NULL);
        if (!in[rod])
            uet_skip(tc, "the FEP holds the next message back until the PDC is there");
        on_mode(tc, "PDS-007", in[rod], rod);
    }
    uet_check(tc, "PDS-011", in[0]->pdc != in[1]->pdc, "one PDC (spdcid 0x%04x) carries both modes",
              uet_spdcid(&in[0]->packet));
    for (int i = 0; i < 2; i++)
        acknowledge(tc, in[i]->pdc, in[i]);
    uet_auto_ack(tc, true);
    for (int i = 0; i < 2; i++)
        completes(tc, "PDS-011", handle[i], UET_UT_OK);
}

UET_TEST(rod_retry_keeps_order, .id = "pds.3.5.6.rod-retry-keeps-order", .requirements = "PDS-003",
         .role = UET_ROLE_INITIATOR, .needs = "rod", .params = "NACK_Retx_Time",
         .not_over = "used after-read aged", /* its first SYN is refused */
         .purpose = "A ROD message that waits for a PDC is not overtaken by the next one.",
         .preamble = "RTO long.",
         .stimulus = "The FEP writes 16 bytes over ROD; NACK UET_NO_PDC_AVAIL (0x04); while that "
                     "waits, it writes 32 bytes over ROD.",
         .expected = "The 16 bytes come first again, or their write has ended in error.")
{
    uint64_t first, second;
    struct uet_ut_completion c;
    uet_need_retries(tc);
    hold_rto(tc);
    uet_try_param(tc, "NACK_Retx_Time", 50 * UET_MS);
    uet_auto_ack(tc, false);
    const struct uet_in *in = rod_writes(tc, 16, &first);
    if (!uet_has_syn(&in->packet) || uet_start_psn(&in->packet) != psn_of(in))
        uet_skip(tc, "the FEP opens its PDC with another packet, as it may");
    say_nack(tc, in, UET_NACK_NO_PDC_AVAIL);
    struct uet_ut_operation op = uet_op(tc, 32);
    op.mode = UET_UT_MODE_ROD;
    second = uet_do_write(tc, &op);
    uet_auto_ack(tc, true);
    in = hear(tc, "PDS-137", MESSAGE_AGAIN);
    if (in->packet.payload_len != 16)
        uet_check(tc, "PDS-003", uet_completion(tc, first, 0, &c) && c.status != UET_UT_OK,
                  "the second message goes before the first");
    completion_of(tc, "PDS-003", second);
}

UET_TEST(rod_order_in_each_class, .id = "pds.3.5.6.rod-order-in-each-class",
         .requirements = "PDS-003", .role = UET_ROLE_INITIATOR, .needs = "rod", .contested = true,
         .purpose = "ROD messages of one tuple stay in order, of whatever traffic class.",
         .preamble = "RTO long; PDCs_Per_Tuple 2, where it can be set.",
         .stimulus = "In traffic classes 0, 1 and 3 the FEP writes twice over ROD; the ACKs come "
                     "when it sends no more.",
         .expected = "The second comes on the PDC of the first, or when that is acknowledged; on "
                     "another one before that is a finding, for nothing keeps their order.")
{
    static const uint8_t classes[] = {0, 1, 3};
    uint64_t handle[2];
    hold_rto(tc);
    uet_try_param(tc, "PDCs_Per_Tuple", 2);
    for (size_t i = 0; i < sizeof classes; i++) {
        struct uet_ut_operation op = uet_op(tc, 16);
        op.mode = UET_UT_MODE_ROD;
        op.traffic_class = classes[i];
        uet_auto_ack(tc, false);
        handle[0] = uet_do_write(tc, &op);
        const struct uet_in *first = maybe(tc, REQUEST_ON(NULL));
        if (!first) /* it closes the PDC of another class first */
            uet_skip(tc, "the FEP has no PDC for one more traffic class");
        handle[1] = uet_do_write(tc, &op);
        const struct uet_in *second = uet_next_request(tc, NULL);
        if (second && second->pdc != first->pdc)
            uet_other_reading(tc, "PDS-003", "two ROD messages of a tuple are on two PDCs at once");
        resume_acks(tc, first);
        if (second && second->pdc != first->pdc)
            resume_acks(tc, second);
        completion_of(tc, "PDS-003", handle[0]);
        completion_of(tc, "PDS-003", handle[1]);
        uet_forget_settled(tc);
    }
}

#define JOBS 48u

/* The FEP writes over ROD for that job, if it can; nothing is acknowledged. */
static bool rod_writes_for(struct uet_tc *tc, uint32_t job, uint64_t *handle)
{
    struct uet_ut_operation op = uet_op(tc, 16);

    op.mode = UET_UT_MODE_ROD;
    op.job_id += job * job; /* where a hash scatters them some meet */
    return uet_tries(tc, &op, "write", uet_ut_write, handle);
}

UET_TEST(rod_order_in_each_job, .id = "pds.3.5.6.rod-order-in-each-job", .requirements = "PDS-003",
         .role = UET_ROLE_INITIATOR, .needs = "rod", .contested = true,
         .not_over = "all", /* with each it may take another PDC */
         .purpose = "ROD messages of one tuple stay in order, however many PDCs there are.",
         .preamble = "RTO long; PDCs_Per_Tuple 2, where it can be set.",
         .stimulus = "The FEP writes over ROD for 48 jobs, or as many as it begins; then once "
                     "more for each; the ACKs come when it sends no more.",
         .expected = "The second of a job comes on the PDC of the first, or when that is "
                     "acknowledged; on another one before that is a finding, for nothing keeps "
                     "their order.")
{
    const struct uet_in *first[JOBS], *second = NULL;
    uint64_t handle;
    uint32_t n = 0;
    hold_rto(tc);
    uet_try_param(tc, "PDCs_Per_Tuple", 2);
    uet_auto_ack(tc, false);
    while (n < JOBS && rod_writes_for(tc, n, &handle) && (first[n] = uet_next_request(tc, NULL)))
        n++;
    for (uint32_t job = 0; job < n; job++) {
        if (!rod_writes_for(tc, job, &handle) || !(second = uet_next_request(tc, NULL)))
            break; /* it waits for the ACK, as it may */
        if (second->pdc != first[job]->pdc)
            uet_other_reading(tc, "PDS-003", "two ROD messages of a tuple are on two PDCs at once");
    }
    for (uint32_t job = 0; job < n; job++)
        resume_acks(tc, first[job]);
    if (second)
        completion_of(tc, "PDS-003", handle);
}

UET_TEST(rod_order_across_close, .id = "pds.3.5.6.rod-order-across-a-close",
         .requirements = "PDS-003", .role = UET_ROLE_INITIATOR, .needs = "rod", .contested = true,
         .purpose = "A ROD message that is written while a PDC closes stays behind those on it.",
         .preamble = "A ROD PDC that the FEP opened; RTO long.",
         .stimulus = "The FEP writes over ROD; Close Request; the FEP writes over ROD again; then "
                     "the first write is acknowledged.",
         .expected = "The second comes on that PDC, or when the first is acknowledged; on another "
                     "one before that is a finding, for nothing keeps their order.")
{
    uint64_t opened, handle[2];
    struct uet_ut_operation op = uet_op(tc, 16);
    op.mode = UET_UT_MODE_ROD;
    hold_rto(tc);
    rod_writes(tc, 16, &opened);
    completion_of(tc, "PDS-007", opened);
    uet_forget_settled(tc);
    uet_auto_ack(tc, false);
    const struct uet_in *first = rod_writes(tc, 16, &handle[0]);
    struct uet_out request = uet_cp(first->pdc, UET_CTL_CLOSE_REQUEST);
    ask(tc, "PDS-208", &request);
    handle[1] = uet_do_write(tc, &op);
    const struct uet_in *second = uet_next_request(tc, NULL);
    bool beside = second && second->pdc != first->pdc;
    if (beside)
        uet_other_reading(tc, "PDS-003", "a ROD message overtakes one on the PDC that closes");
    resume_acks(tc, first);
    if (beside)
        resume_acks(tc, second);
    completion_of(tc, "PDS-003", handle[0]);
    completion_of(tc, "PDS-003", handle[1]);
}

UET_TEST(rod_nack_resends, .id = "pds.3.5.20.3.1.rod-nack-resends", .requirements = "PDS-135",
         .role = UET_ROLE_INITIATOR, .needs = "rod", .params = "NACK_Retx_Time",
         .purpose = "A NORMAL code brings a PSN again on ROD, too.",
         .preamble = "A ROD PDC that the FEP opened; packets outstanding; RTO long.",
         .stimulus = "NACK UET_NO_PKT_BUFFER of the last of them.",
         .expected = "The same PSN with retx=1 after NACK_Retx_Time.")
{
    hold_rto(tc);
    struct rod_write w = rod_outstanding(tc);
    say_nack(tc, w.in[N - 1], UET_NACK_NO_PKT_BUFFER);
    const struct uet_in *copy =
        hear(tc, "PDS-135", RESEND_OF(w.in[N - 1]), .within = patience(tc, nack_delay(tc)));
    resume_acks(tc, copy);
    completes(tc, "PDS-135", w.handle, UET_UT_OK);
}
