/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.7 over a life of the FEP: what it knows no more must not be used, or taken, again. */
#include "conformance/harness/security.h"
#include "conformance/tests/3.7_tss/tss.h"

/* Is this one of a key that sealed that one before? Then it counts on, in a later epoch anew. */
static void counts_on(struct uet_tc *tc, struct uet_tss_header now, struct uet_tss_header then)
{
    if (now.an == then.an && now.epoch == then.epoch && now.ssi == then.ssi)
        uet_check(tc, "TSS-018", now.counter > then.counter,
                  "the counter %llu came after %llu under one key", (unsigned long long)now.counter,
                  (unsigned long long)then.counter);
}

UET_TEST(reset, .id = "tss.3.7.counter-over-reset", .requirements = "TSS-018",
         .role = UET_ROLE_TARGET, .needs = "rud any-request upper-tester tss", .not_over = "all",
         .purpose = "A reset of the FEP begins no counter anew.", .preamble = "PDC open.",
         .stimulus =
             "A Close Command; the FEP is reset, and forgets all that it was told above its "
             "PDCs; a Request of another PDC.",
         .expected = "ACKs, of which the second has a higher counter, or another AN or epoch.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out close = uet_cp(p, UET_CTL_CLOSE_COMMAND);
    const struct uet_tss_header before = header_of(tc, "TSS-018", ask(tc, "TSS-018", &close));

    uet_did(tc, uet_ut_reset(uet_tc_ut(tc)), "reset");
    counts_on(tc, answer_to_next(tc, "TSS-018", uet_pdc_new(tc)), before);
}

/*
 * The first packet that the FEP seals in its new life, as it answers a SYN; NULL: it has other keys
 * now, or waits for some, as it may.
 */
static const struct uet_in *first_word(struct uet_tc *tc)
{
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out syn = uet_any_request(p);

    say(tc, &syn);
    const struct uet_in *in = maybe(tc, ANSWER_TO(&syn));
    if (!in || in->packet.tss)
        return in;
    if (!uet_is_nack(&in->packet) || p->fep_pdcid) /* TSS-054 is not looked at here */
        return NULL;
    start_at(p, uet_nack_payload(uet_pds(&in->packet)));
    syn = uet_any_request(p);
    say(tc, &syn);
    return maybe(tc, ACK_OF(&syn));
}

UET_TEST(
    counter_over_restart, .id = "tss.3.7.counter-over-restart", .requirements = "TSS-018",
    .role = UET_ROLE_TARGET, .needs = "rud any-request upper-tester tss", .not_over = "all",
    .last = true, .once = "floors of Start_PSN are lost, and the next life has other ones",
    .purpose = "A FEP that begins anew uses no counter again.", .preamble = "PDC open; 4 Requests.",
    .stimulus = "The FEP is restarted, with the PDC open; a Request with syn=1 of another PDC.",
    .expected = "What answers has a higher counter, or another AN or epoch. A FEP that seals "
                "nothing until it gets another key is told, and not judged.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_tss_header before = {0};

    for (int i = 0; i < 4; i++)
        before = answer_to_next(tc, "TSS-018", p);
    fep_restarts(tc);
    start_by_hand(tc);
    const struct uet_in *in = first_word(tc);
    if (!in)
        uet_skip(tc, "the FEP seals nothing after a restart with the keys of before, as it may");
    counts_on(tc, header_of(tc, "TSS-018", in), before);
}

UET_TEST(replay_over_reset, .id = "tss.3.5.8.replay-over-reset", .requirements = "TSS-056",
         .role = UET_ROLE_TARGET, .needs = "rud any-request upper-tester tss", .not_over = "all",
         .purpose = "A domain outlives a reset with its floor: what opened a PDC before it opens "
                    "none after it.",
         .preamble = "PDC open.",
         .stimulus = "The FEP is reset; the frame of the Request that opened the PDC again, byte "
                     "for byte.",
         .expected = "NACK UET_NEW_START_PSN or silence.")
{
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out syn = uet_any_request(p);

    say(tc, &syn);
    const uint32_t frame = last_said(tc);
    uet_preamble_begin(tc);
    hear_answer(tc, "TSS-056", &syn);
    uet_preamble_end(tc);
    fep_is_reset(tc);
    tolerate(tc, NACK_ON(NULL, UET_NACK_NEW_START_PSN));
    replay(tc, frame);
    silence(tc, "TSS-056", ACK_ON(NULL));
}

/* Contested: the facts tell of no floor over a restart, and of expected_psn that it is 0 at first.
 */
UET_TEST(replay_over_restart, .id = "tss.3.5.8.replay-over-restart", .requirements = "TSS-056",
         .role = UET_ROLE_TARGET, .needs = "rud any-request upper-tester tss", .not_over = "all",
         .last = true, .once = "floors of Start_PSN are lost, and the next life has other ones",
         .contested = true,
         .purpose = "The SYN of a PDC of an earlier life of the FEP opens none in the next.",
         .preamble = "A Request opens a PDC, which closes.",
         .stimulus = "The FEP is restarted; the frame of the Request again, byte for byte.",
         .expected = "NACK UET_NEW_START_PSN or silence; an ACK is a finding.")
{
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out syn = uet_any_request(p);

    say(tc, &syn);
    const uint32_t frame = last_said(tc);
    uet_preamble_begin(tc);
    hear_answer(tc, "TSS-056", &syn);
    close_now(tc, p);
    uet_preamble_end(tc);
    fep_restarts(tc);
    tolerate(tc, NACK_ON(NULL, UET_NACK_NEW_START_PSN));
    replay(tc, frame);
    if (maybe(tc, ACK_ON(NULL), .within = uet_tc_quiet(tc)))
        uet_other_reading(tc, "TSS-056", "the SYN of an earlier life of the FEP opens a PDC");
}
