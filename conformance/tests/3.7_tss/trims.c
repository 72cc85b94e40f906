/* SPDX-License-Identifier: BSD-2-Clause */
/* 4.1 under 3.7: trimmed packets have lost their ICV, and are not to be trusted. */
#include "conformance/harness/steps/trims.h"

#include "conformance/harness/security.h"
#include "conformance/tests/3.7_tss/tss.h"

/* At most a NACK, without a PDC; the whole one then is the first packet of that PDC. */
static void opens_nothing(struct uet_tc *tc, struct uet_pdc *p, const struct uet_memory *m)
{
    struct uet_out whole = some_write(tc, p, m), cut = trimmed(tc, &whole, "dscp-trimmed");
    const struct kept before = keep(tc, m, 0, DATA);

    say(tc, &cut);
    const struct uet_in *nack = maybe(tc, ANSWER_ON(p), .within = uet_tc_quiet(tc));
    if (nack) {
        field(tc, "TSS-071", nack, UET_F_PDS_NACK_CODE, UET_NACK_TRIMMED);
        field(tc, "TSS-071", nack, UET_F_PDS_SPDCID, 0);
    }
    unchanged(tc, "TSS-071", &before);
    const struct uet_in *ack = ask(tc, "TSS-071", &whole);
    uet_check_success(tc, "TSS-071", ack);
    check_cack(tc, "TSS-071", ack, whole.psn);
}

UET_TEST(trimmed_syn, .id = "tss.3.7.trimmed-syn-opens-nothing", .requirements = "TSS-071",
         .role = UET_ROLE_TARGET, .needs = "trimming rud write upper-tester tss",
         .params = "dscp-trimmed",
         .purpose = "A trimmed TSS packet creates no PDC: nobody can vouch for it.",
         .stimulus = "A WRITE with syn=1, sealed and then trimmed; the whole one.",
         .expected = "Silence, or NACK UET_TRIMMED with spdcid 0; then an ACK, as of the first "
                     "packet of that PDC.")
{
    struct uet_memory m = uet_need_memory(tc, DATA);

    opens_nothing(tc, uet_pdc_new(tc), &m);
}

UET_TEST(trimmed_syn_asks, .id = "tss.3.7.trimmed-syn-is-not-pending", .requirements = "TSS-071",
         .role = UET_ROLE_TARGET, .needs = "trimming rud write upper-tester tss",
         .params = "dscp-trimmed", .not_over = "psn used after-read aged reopened",
         .purpose = "A trimmed SYN makes no PENDING PDC, where the target says where PDCs begin.",
         .stimulus = "In a domain of RANDOM_1RTT_START a WRITE with syn=1, sealed and trimmed.",
         .expected = "Silence, or NACK UET_TRIMMED with spdcid 0; never UET_NEW_START_PSN.")
{
    in_domain_that_starts(tc, UET_KEY_RANDOM_1RTT);
    start_by_hand(tc);
    struct uet_memory m = uet_need_memory(tc, DATA);
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out whole = some_write(tc, p, &m), cut = trimmed(tc, &whole, "dscp-trimmed");

    say(tc, &cut);
    const struct uet_in *nack = maybe(tc, ANSWER_ON(p), .within = uet_tc_quiet(tc));
    if (nack) {
        field(tc, "TSS-071", nack, UET_F_PDS_NACK_CODE, UET_NACK_TRIMMED);
        field(tc, "TSS-071", nack, UET_F_PDS_SPDCID, 0);
    }
}

/* A NACK at most; then the whole one. */
static void trimmed_is_told(struct uet_tc *tc, struct uet_pdc *p, const struct uet_memory *m)
{
    struct uet_out whole = some_write(tc, p, m), cut = trimmed(tc, &whole, "dscp-trimmed");
    const struct kept before = keep(tc, m, 0, DATA);

    say(tc, &cut);
    const struct uet_in *nack = maybe(tc, ANSWER_TO(&whole));
    if (uet_check(tc, "TSS-072", nack, "the FEP says nothing to a trimmed packet"))
        field(tc, "TSS-072", nack, UET_F_PDS_NACK_CODE, UET_NACK_TRIMMED);
    unchanged(tc, "TSS-072", &before);
    say_again(tc, &whole);
    uet_check_success(tc, "TSS-072", hear_answer(tc, "TSS-072", &whole));
    memory_holds(tc, "TSS-072", m, 0, whole.payload, DATA);
}

UET_TEST(trimmed_on_pdc, .id = "tss.3.7.trimmed-on-known-pdc", .requirements = "TSS-072",
         .role = UET_ROLE_TARGET, .needs = "trimming rud write upper-tester tss any-request",
         .params = "dscp-trimmed",
         .purpose = "A trimmed TSS packet of a PDC that is open causes a loss NACK at most.",
         .preamble = "PDC open.", .stimulus = "A sealed WRITE, trimmed; the whole one with retx=1.",
         .expected = "A sealed NACK UET_TRIMMED, nothing written; then an ACK and the data.")
{
    struct uet_memory m = uet_need_memory(tc, DATA);

    trimmed_is_told(tc, uet_pdc_open(tc), &m);
}

UET_TEST(trimmed_of_other_an, .id = "tss.3.7.trimmed-under-the-other-an",
         .requirements = "TSS-072 TSS-033", .role = UET_ROLE_TARGET,
         .needs = "trimming rud write upper-tester tss any-request", .params = "dscp-trimmed",
         .purpose = "A trimmed TSS packet is read with the key of its AN.", .preamble = "PDC open.",
         .stimulus = "A WRITE sealed with the key of the other AN, trimmed; the whole one with "
                     "retx=1.",
         .expected = "A sealed NACK UET_TRIMMED, nothing written; then an ACK and the data.")
{
    struct uet_memory m = uet_need_memory(tc, DATA);
    struct uet_pdc *p = uet_pdc_open(tc);

    seal_with_other_an(tc);
    trimmed_is_told(tc, p, &m);
    seal_with_other_an(tc);
}

UET_TEST(forged_trim, .id = "net.3.7.forged-trim", .requirements = "NET-017 TSS-072",
         .role = UET_ROLE_TARGET, .needs = "trimming rud write any-request tss",
         .params = "dscp-trimmed",
         .purpose = "Anybody can make a trimmed packet of a secured PDC: it changes nothing there.",
         .preamble = "PDC open.",
         .stimulus =
             "A sealed WRITE, trimmed; the same with a bit of its SES header inverted; then the "
             "whole one.",
         .expected = "One NACK each at most; then an ACK.")
{
    struct uet_memory m = uet_need_memory(tc, DATA);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out whole = some_write(tc, p, &m), cut = trimmed(tc, &whole, "dscp-trimmed");
    struct uet_out forged = flipped(&cut, (int16_t)(header_bytes(&cut) + cut.pds_len), 1);

    for (int i = 0; i < 2; i++) {
        say(tc, i == 0 ? &cut : &forged);
        if (maybe(tc, REFUSAL_ON(p)))
            silence(tc, "NET-017", ANSWER_ON(p));
    }
    say(tc, &whole);
    uet_check_success(tc, "NET-017", hear_answer(tc, "NET-017", &whole));
}

UET_TEST(forged_trim_clears, .id = "net.3.7.forged-trim-clears-nothing", .requirements = "NET-017",
         .role = UET_ROLE_TARGET, .needs = "trimming rud write tss", .params = "dscp-trimmed",
         .purpose = "What a trimmed packet says of itself is not to be believed: no response is "
                    "given up for it.",
         .preamble = "PDC open; a WRITE with an unknown key was answered with an error.",
         .stimulus = "A sealed WRITE whose CLEAR_PSN is that of the first, trimmed; the first "
                     "again with retx=1.",
         .expected = "One NACK at most; then the very bytes of the first response.")
{
    struct uet_memory m = uet_need_memory(tc, DATA);
    struct uet_pdc *p = uet_pdc_open(tc);
    p->auto_clear = false;
    struct uet_out bad = refused_write(p, &m);
    const struct uet_in *first = exchange_refused(tc, &bad);
    struct uet_out whole = some_write(tc, p, &m);
    uet_rud_rod_req_clear_psn_offset_set(whole.pds, (int16_t)uet_psn_diff(bad.psn, whole.psn));
    struct uet_out cut = trimmed(tc, &whole, "dscp-trimmed");
    say(tc, &cut);
    if (maybe(tc, REFUSAL_ON(p)))
        silence(tc, "NET-017", ANSWER_ON(p));
    same_response(tc, "NET-017", ask_anew(tc, "NET-017", &bad), first);
}

#define AT_MOST 10000u

/* One trimmed WRITE more than there may be wrong ICVs, and one of these; then a Request. */
static void trims_latch_nothing(struct uet_tc *tc, const char *dscp, uint8_t code)
{
    struct uet_memory m = uet_need_memory(tc, DATA);
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out whole = some_write(tc, p, &m), cut = trimmed(tc, &whole, dscp);
    const uint32_t threshold = p->domain->told->auth_fail_threshold;

    if (!threshold || threshold > AT_MOST)
        uet_skip_for(tc, UET_SKIP_PARAMETER, "auth_fail_threshold is %u", (unsigned)threshold);
    tolerate(tc, NACK_ON(p, code));
    unlatch_at_end(tc, &p->domain->told->sdi);
    say_often(tc, &cut, threshold + 1);
    struct uet_out wrong = flipped(&whole, (int16_t)header_bytes(&whole), 1);
    say(tc, &wrong); /* who has counted without a look at the threshold looks now */
    struct uet_out other = some_write(tc, uet_pdc_new(tc), &m);
    say(tc, &other);
    if (!maybe(tc, COVERED(&other)))
        uet_other_reading(tc, "TSS-073",
                          "%u trimmed packets, and one with a wrong ICV, have latched the domain",
                          (unsigned)threshold + 1);
}

#define LATCH_NOTHING                                                                              \
    .requirements = "TSS-073", .role = UET_ROLE_TARGET, .needs = "trimming rud write tss unlatch", \
    .not_over = "all", .contested = true,                                                          \
    .stimulus = "One trimmed WRITE more than there may be wrong ICVs, and one WRITE with a wrong " \
                "ICV; then a Request.",                                                            \
    .expected = "An ACK of the Request; that there is none is a finding."

UET_TEST(many_trimmed, .id = "tss.3.7.many-trimmed-latch-nothing", LATCH_NOTHING,
         .params = "dscp-trimmed", .purpose = "A trimmed packet is no authentication failure.")
{
    trims_latch_nothing(tc, "dscp-trimmed", UET_NACK_TRIMMED);
}

UET_TEST(many_trimmed_last, .id = "tss.3.7.many-trimmed-at-last-hop-latch-nothing", LATCH_NOTHING,
         .params = "dscp-trimmed-lasthop",
         .purpose = "A packet trimmed at the last hop is no authentication failure.")
{
    trims_latch_nothing(tc, "dscp-trimmed-lasthop", UET_NACK_TRIMMED_LASTHOP);
}
