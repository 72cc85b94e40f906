/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.20.1, 3.5.20.2, 3.5.16.3: responses that the target keeps until they are cleared. */
#include "conformance/harness/steps/acks.h"
#include "conformance/harness/steps/atomics.h"
#include "conformance/tests/pds_target.h"

/* A PDC on which nothing is cleared but by the test. */
static struct uet_pdc *open_uncleared(struct uet_tc *tc)
{
    struct uet_pdc *p = uet_pdc_open(tc);

    p->auto_clear = false;
    p->clear_psn = p->start_psn; /* the opening NO_OP is acknowledged */
    return p;
}

/* On such a PDC a WRITE was refused; its ACK. */
static const struct uet_in *one_stored(struct uet_tc *tc, struct uet_out *bad)
{
    struct uet_memory m = uet_need_memory(tc, 64);

    *bad = refused_write(open_uncleared(tc), &m);
    return exchange_refused(tc, bad);
}

/* A Clear Command for all up to psn (3.5.16.3.1). */
static void say_clear(struct uet_tc *tc, struct uet_pdc *p, uint32_t psn)
{
    p->clear_psn = psn;
    struct uet_out clear = uet_cp(p, UET_CTL_CLEAR_COMMAND);
    say(tc, &clear);
}

/* A Request that clears all up to psn. */
static struct uet_out request_clearing(struct uet_pdc *p, uint32_t psn)
{
    p->clear_psn = psn;
    return uet_any_request(p);
}

UET_TEST(error_asks_for_clear, .id = "pds.3.5.20.2.2.error-asks-for-clear",
         .requirements = "PDS-075", .role = UET_ROLE_TARGET, .needs = "rud write",
         .purpose = "An ACK with a response that must be delivered asks for a CLEAR.",
         .preamble = "PDC open.", .stimulus = "A WRITE with an unknown memory key.",
         .expected = "ACK with the error response and flags.req REQ_CLEAR.")
{
    struct uet_out bad;
    field(tc, "PDS-075", one_stored(tc, &bad), UET_F_PDS_REQ, UET_ACK_REQ_CLEAR);
}

UET_TEST(error_unasked, .id = "pds.3.5.20.2.2.error-comes-unasked", .requirements = "PDS-094",
         .role = UET_ROLE_TARGET, .needs = "rud write",
         .purpose = "A response that must be delivered does not wait until an ACK is asked for.",
         .preamble = "PDC open.", .stimulus = "A WRITE with an unknown memory key and ar=0, alone.",
         .expected = "An ACK that names it, with an error response.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_out bad = refused_write(open_uncleared(tc), &m);
    ask_no_ack(&bad);
    exchange_refused(tc, &bad);
}

UET_TEST(stored_with_retx, .id = "pds.3.5.11.8.retx-of-a-stored-response",
         .requirements = "PDS-105", .role = UET_ROLE_TARGET, .needs = "rud write",
         .purpose = "The flags of an ACK are those of the packet that it answers, also where its "
                    "response was stored before.",
         .preamble = "PDC open; a WRITE with an unknown key is acknowledged, not cleared.",
         .stimulus = "The WRITE again with retx=1.", .expected = "An ACK with retx=1.")
{
    struct uet_out bad;
    one_stored(tc, &bad);
    field(tc, "PDS-105", exchange_again(tc, &bad), UET_F_PDS_RETX, 1);
}

UET_TEST(success_asks_no_clear, .id = "pds.3.5.20.2.1.success-asks-no-clear",
         .requirements = "PDS-076", .role = UET_ROLE_TARGET, .needs = "rud write",
         .purpose = "An ACK of a success does not ask for a CLEAR while nothing is stored.",
         .preamble = "A memory region; PDC open.", .stimulus = "A WRITE that succeeds.",
         .expected = "ACK with flags.req other than REQ_CLEAR.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_out good = uet_write(open_uncleared(tc), &m, 0, "no clear", 8);
    const struct uet_in *ack = ask(tc, "PDS-076", &good);
    uet_check_success(tc, "PDS-076", ack);
    skip_when_guaranteed(tc, ack);
    field_is_not(tc, "PDS-076", ack, UET_F_PDS_REQ, UET_ACK_REQ_CLEAR);
}

UET_TEST(cack_waits_for_clear, .id = "pds.3.5.20.2.2.cack-waits-for-clear",
         .requirements = "PDS-077", .role = UET_ROLE_TARGET, .needs = "rud write any-request",
         .purpose = "CACK_PSN does not pass a PSN whose stored response is not cleared.",
         .preamble = "PDC open; n is the next PSN.",
         .stimulus = "n, a WRITE with an unknown key; n+1, a NO_OP; nothing is cleared.",
         .expected = "Both ACKs have CACK_PSN n-1.")
{
    struct uet_out bad;
    const struct uet_in *ack = one_stored(tc, &bad);
    check_cack(tc, "PDS-077", ack, bad.psn - 1);
    struct uet_out good = uet_any_request(bad.pdc);
    check_cack(tc, "PDS-077", ask(tc, "PDS-077", &good), bad.psn - 1);
}

UET_TEST(
    clear_moves_cack, .id = "pds.3.5.20.2.2.clear-moves-cack", .requirements = "PDS-078",
    .role = UET_ROLE_TARGET, .needs = "rud write any-request",
    .purpose = "Once CLEAR_PSN covers the stored response CACK_PSN moves over it.",
    .preamble = "PDC open; n, a WRITE with an unknown key, and n+1, a NO_OP, are acknowledged.",
    .stimulus = "A NO_OP n+2 with CLEAR_PSN n.", .expected = "ACK with CACK_PSN n+2.")
{
    struct uet_out bad;
    one_stored(tc, &bad);
    struct uet_out good = uet_any_request(bad.pdc);
    ask(tc, "PDS-078", &good);
    struct uet_out clearing = request_clearing(bad.pdc, bad.psn);
    check_cack(tc, "PDS-078", ask(tc, "PDS-078", &clearing), clearing.psn);
}

UET_TEST(clear_command_moves_cack, .id = "pds.3.5.20.2.2.clear-command-moves-cack",
         .requirements = "PDS-078", .role = UET_ROLE_TARGET, .needs = "rud write any-request",
         .purpose = "A Clear Command moves CACK_PSN over all that was received behind what it "
                    "clears.",
         .preamble = "PDC open; n, a WRITE with an unknown key, n+1 and n+2 are acknowledged.",
         .stimulus = "A Clear Command for n; then n+2 again with retx=1, which is nothing new.",
         .expected = "ACK with CACK_PSN n+2.")
{
    struct uet_out bad;
    one_stored(tc, &bad);
    struct uet_out next = uet_any_request(bad.pdc), last = uet_any_request(bad.pdc);
    ask(tc, "PDS-078", &next);
    ask(tc, "PDS-078", &last);
    say_clear(tc, bad.pdc, bad.psn);
    uet_forget_settled(tc);
    check_cack(tc, "PDS-078", ask_anew(tc, "PDS-078", &last), last.psn);
}

UET_TEST(clear_ahead_of_gap, .id = "pds.3.5.20.1.clear-ahead-of-a-gap", .requirements = "PDS-074",
         .role = UET_ROLE_TARGET, .needs = "rud write any-request",
         .purpose = "CLEAR_PSN counts on whatever Request it comes, also ahead of a gap.",
         .preamble = "PDC open; n, a WRITE with an unknown key, was answered with an error.",
         .stimulus = "A NO_OP n+2 with CLEAR_PSN n; then n+1, which was made before it.",
         .expected = "ACK of n+2 with CACK_PSN n.")
{
    struct uet_out bad;
    one_stored(tc, &bad);
    struct uet_out missing = uet_any_request(bad.pdc);
    struct uet_out clearing = request_clearing(bad.pdc, bad.psn);
    check_cack(tc, "PDS-078", ask(tc, "PDS-074", &clearing), bad.psn);
    ask(tc, "PDS-074", &missing);
}

UET_TEST(success_needs_no_clear, .id = "pds.3.5.20.2.1.success-needs-no-clear",
         .requirements = "PDS-079", .role = UET_ROLE_TARGET, .needs = "rud write",
         .purpose = "PSNs whose response is not guaranteed need no clear: CACK_PSN goes on alone.",
         .preamble = "A memory region.",
         .stimulus = "Three WRITEs that succeed, the first of which opens the PDC, all with "
                     "CLEAR_PSN = Start_PSN - 1.",
         .expected = "Each ACK has CACK_PSN at the PSN of its WRITE.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = uet_pdc_new(tc);
    p->auto_clear = false;
    for (int i = 0; i < 3; i++) {
        struct uet_out good = uet_write(p, &m, 0, "no clear", 8);
        const struct uet_in *ack = ask(tc, "PDS-079", &good);
        skip_when_guaranteed(tc, ack);
        check_cack(tc, "PDS-079", ack, good.psn);
    }
}

UET_TEST(figure_3_75, .id = "pds.3.5.20.2.1.figure-3-75", .requirements = "PDS-093",
         .role = UET_ROLE_TARGET, .needs = "rud write",
         .purpose = "Figure 3-75: a write that is not guaranteed.", .preamble = "A memory region.",
         .stimulus = "A PDC opened by a WRITE with PSN 333, CLEAR_PSN 332.",
         .expected = "ACK with ACK_PSN 333, CACK_PSN 333, no REQ_CLEAR.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_out good = uet_write(uet_pdc_new_at(tc, 333), &m, 0, "fig 3-75", 8);
    const struct uet_in *ack = ask(tc, "PDS-093", &good);
    skip_when_guaranteed(tc, ack);
    check_cack(tc, "PDS-093", ack, 333);
    field_is_not(tc, "PDS-093", ack, UET_F_PDS_REQ, UET_ACK_REQ_CLEAR);
}

UET_TEST(
    figure_3_76, .id = "pds.3.5.20.2.2.figure-3-76", .requirements = "PDS-094",
    .role = UET_ROLE_TARGET, .needs = "rud write any-request",
    .purpose = "Figure 3-76: a guaranteed response and its clear.", .preamble = "A memory region.",
    .stimulus = "A PDC opened by a WRITE with PSN 333 and an unknown key; then Clear Command "
                "with CLEAR_PSN 333; then a NO_OP, 334.",
    .expected = "ACK with ACK_PSN 333, CACK_PSN 332, REQ_CLEAR; the ACK of 334 has CACK_PSN 334.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = uet_pdc_new_at(tc, 333);
    p->auto_clear = false;
    struct uet_out bad = refused_write(p, &m);
    const struct uet_in *ack = exchange_refused(tc, &bad);
    check_cack(tc, "PDS-094", ack, 332);
    field(tc, "PDS-094", ack, UET_F_PDS_REQ, UET_ACK_REQ_CLEAR);
    say_clear(tc, p, 333);
    struct uet_out next = uet_any_request(p);
    check_cack(tc, "PDS-094", ask(tc, "PDS-094", &next), 334);
}

UET_TEST(figure_3_78, .id = "pds.3.5.20.2.4.figure-3-78", .requirements = "PDS-095",
         .role = UET_ROLE_TARGET, .needs = "rud write any-request",
         .purpose = "Figure 3-78: four guaranteed responses, cleared in two steps.",
         .preamble = "A memory region; a PDC opened with PSN 332.",
         .stimulus = "WRITEs 333 to 336 with an unknown key; NO_OP 337 with CLEAR_PSN 334, as if "
                     "the ACK of 335 were not there yet; NO_OP 338 with CLEAR_PSN 336.",
         .expected = "Four ACKs, one by one, with CACK_PSN 332 and REQ_CLEAR; the ACK of 337 has "
                     "CACK_PSN 334, that of 338 has 338.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = uet_pdc_new_at(tc, 332);
    p->auto_clear = false;
    struct uet_out open = uet_any_request(p);
    ask(tc, "PDS-095", &open);
    p->clear_psn = 332;
    for (uint32_t psn = 333; psn <= 336; psn++) {
        struct uet_out bad = refused_write(p, &m);
        const struct uet_in *ack = exchange_refused(tc, &bad);
        check_cack(tc, "PDS-095", ack, 332);
        field(tc, "PDS-095", ack, UET_F_PDS_REQ, UET_ACK_REQ_CLEAR);
    }
    struct uet_out first = request_clearing(p, 334);
    check_cack(tc, "PDS-095", ask(tc, "PDS-095", &first), 334);
    struct uet_out second = request_clearing(p, 336);
    check_cack(tc, "PDS-095", ask(tc, "PDS-095", &second), 338);
}

UET_TEST(older_clear_ignored, .id = "pds.3.5.11.4.4.older-clear-ignored", .requirements = "PDS-073",
         .role = UET_ROLE_TARGET, .needs = "rud write any-request",
         .purpose = "CLEAR_PSN only moves forward: an older one changes nothing.",
         .preamble = "PDC open; n and n+1, WRITEs with an unknown key, are acknowledged.",
         .stimulus = "NO_OP n+2 with CLEAR_PSN n+1, then NO_OP n+3 with CLEAR_PSN n-1.",
         .expected = "ACKs with CACK_PSN n+2 and n+3, the latter without REQ_CLEAR.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = open_uncleared(tc);
    struct uet_out bad = refused_write(p, &m), worse = refused_write(p, &m);
    exchange_refused(tc, &bad);
    exchange_refused(tc, &worse);
    struct uet_out newer = request_clearing(p, worse.psn), older = request_clearing(p, bad.psn - 1);
    check_cack(tc, "PDS-073", ask(tc, "PDS-073", &newer), newer.psn);
    const struct uet_in *ack = ask(tc, "PDS-073", &older);
    check_cack(tc, "PDS-073", ack, older.psn);
    if (!waits_for_clear(tc, ack))
        field_is_not(tc, "PDS-073", ack, UET_F_PDS_REQ, UET_ACK_REQ_CLEAR);
}

UET_TEST(stored_in_disorder, .id = "pds.3.5.20.2.2.cack-waits-for-the-lowest",
         .requirements = "PDS-077 PDS-078", .role = UET_ROLE_TARGET,
         .needs = "rud write any-request",
         .purpose = "CACK_PSN waits for the lowest response that is not cleared, whichever was "
                    "stored first.",
         .preamble = "PDC open; n is the next PSN.",
         .stimulus = "WRITEs with an unknown key, n+1 and then n; NO_OP n+2 with CLEAR_PSN n, then "
                     "n+3 with CLEAR_PSN n+1.",
         .expected = "ACKs with CACK_PSN n-1, n-1, n, n+3.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = open_uncleared(tc);
    struct uet_out n = refused_write(p, &m), n1 = refused_write(p, &m);
    check_cack(tc, "PDS-077", exchange_refused(tc, &n1), n.psn - 1);
    check_cack(tc, "PDS-077", exchange_refused(tc, &n), n.psn - 1);
    struct uet_out first = request_clearing(p, n.psn), both = request_clearing(p, n1.psn);
    check_cack(tc, "PDS-078", ask(tc, "PDS-078", &first), n.psn);
    check_cack(tc, "PDS-078", ask(tc, "PDS-078", &both), both.psn);
}

UET_TEST(clear_in_a_copy, .id = "pds.3.5.11.4.4.clear-in-a-copy", .requirements = "PDS-074 PDS-078",
         .role = UET_ROLE_TARGET, .needs = "rud write any-request", .contested = true,
         .purpose = "CLEAR_PSN counts in a retransmission of what was received, too: it may be "
                    "newer there than in the first copy.",
         .preamble = "PDC open; n, a WRITE with an unknown key, is answered with an error; so is "
                     "NO_OP n+1 acknowledged, whose CLEAR_PSN is before n.",
         .stimulus = "NO_OP n+1 with retx=1 and CLEAR_PSN n, twice.",
         .expected =
             "An ACK of each; the CACK_PSN of the second is n or more. A FEP that looks for "
             "clears in new packets alone is a finding.")
{
    struct uet_out bad;
    one_stored(tc, &bad);
    struct uet_out o = uet_any_request(bad.pdc);
    ask(tc, "PDS-077", &o);
    uet_rud_rod_req_clear_psn_offset_set(o.pds, (int16_t)uet_psn_diff(bad.psn, o.psn));
    ask_anew(tc, "PDS-129", &o);
    if (uet_psn_diff(cack_of(ask_anew(tc, "PDS-129", &o)), bad.psn) < 0)
        uet_other_reading(tc, "PDS-074", "the CLEAR_PSN of a copy is not looked at");
}

UET_TEST(clear_in_a_syn, .id = "pds.3.5.8.2.clear-in-a-syn", .requirements = "PDS-036 PDS-074",
         .role = UET_ROLE_TARGET, .needs = "rud write any-request", .not_over = "aged",
         .purpose = "syn=1 on a live PDC is handled like syn=0: its CLEAR_PSN counts.",
         .preamble = "PDC open; n, a WRITE with an unknown key, was answered with an error.",
         .stimulus = "The next Request, still with syn=1 and its psn_offset, CLEAR_PSN n.",
         .expected = "An ACK of it with CACK_PSN at it.")
{
    struct uet_out bad;
    one_stored(tc, &bad);
    bad.pdc->clear_psn = bad.psn;
    struct uet_out syn = syn_request_at(bad.pdc, bad.pdc->next_psn++);
    check_cack(tc, "PDS-036", ask(tc, "PDS-036", &syn), syn.psn);
}

UET_TEST(stored_response_repeated, .id = "pds.3.5.20.1.stored-response-repeated",
         .requirements = "PDS-087", .role = UET_ROLE_TARGET, .needs = "rud write",
         .purpose = "Until it is cleared, a stored response comes again for every retransmission.",
         .preamble = "PDC open; a WRITE with an unknown key was answered with an error.",
         .stimulus = "The same WRITE again with retx=1, twice.",
         .expected = "Each time an ACK naming it with the very bytes of the first response.")
{
    struct uet_out bad;
    const struct uet_in *first = one_stored(tc, &bad);
    for (int i = 0; i < 2; i++)
        same_response(tc, "PDS-087", ask_anew(tc, "PDS-087", &bad), first);
}

UET_TEST(each_response_its_own, .id = "pds.3.5.20.1.each-response-its-own",
         .requirements = "PDS-087", .role = UET_ROLE_TARGET, .needs = "rud write",
         .purpose = "Each PSN has a stored response of its own.",
         .preamble = "A memory region; PDC open; nothing is cleared.",
         .stimulus = "n, a WRITE with an unknown key, n+1, one behind the region, n+2, one with "
                     "an unknown key; then each again with retx=1.",
         .expected = "Each time the bytes of its first response.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = uet_pdc_open(tc);
    p->auto_clear = false;
    struct uet_out o[3] = {refused_write(p, &m), uet_write(p, &m, m.length, "behind", 6),
                           refused_write(p, &m)};
    const struct uet_in *first[3];
    for (int i = 0; i < 3; i++)
        first[i] = exchange_refused(tc, &o[i]);
    for (int i = 0; i < 3; i++)
        same_response(tc, "PDS-087", ask_anew(tc, "PDS-087", &o[i]), first[i]);
}

UET_TEST(clear_of_a_stranger, .id = "pds.3.5.16.clear-of-a-stranger", .requirements = "PDS-186",
         .role = UET_ROLE_TARGET, .needs = "rud write",
         .purpose = "A Clear Command whose spdcid is not the peer's clears nothing.",
         .preamble = "PDC open; n, a WRITE with an unknown key, was answered with an error.",
         .stimulus = "A Clear Command up to n with another spdcid; then n again with retx=1.",
         .expected = "NACK UET_PDC_HDR_MISMATCH (0x0F), or nothing; then the stored error again.")
{
    struct uet_out bad;
    one_stored(tc, &bad);
    struct uet_pdc *q = stranger(tc, bad.pdc);
    tolerate(tc, REFUSAL_ON(q));
    say_clear(tc, q, bad.psn);
    uet_forget_settled(tc);
    uet_check(tc, "PDS-186", is_error_response(ask_anew(tc, "PDS-186", &bad)),
              "the stored error is gone: the Clear Command of another spdcid was obeyed");
}

UET_TEST(cleared_response_freed, .id = "pds.3.5.20.1.cleared-response-freed",
         .requirements = "PDS-074", .role = UET_ROLE_TARGET, .needs = "rud write any-request",
         .purpose = "A response that was cleared is no longer kept.",
         .preamble = "PDC open; n, a WRITE with an unknown key, was answered with an error.",
         .stimulus = "A NO_OP with CLEAR_PSN n; then n again with retx=1.",
         .expected = "An ACK with a default response, or none; not the stored error again.")
{
    struct uet_out bad;
    one_stored(tc, &bad);
    struct uet_out clearing = request_clearing(bad.pdc, bad.psn);
    ask(tc, "PDS-074", &clearing);
    uet_forget(tc);
    say_again(tc, &bad);
    const struct uet_in *again = maybe(tc, ACK_OF(&bad));
    uet_check(tc, "PDS-074", !again || is_default_response(again),
              "the ACK of a cleared PSN carries no default response");
}

#define CLEARS 3

UET_TEST(clear_command_not_acked, .id = "pds.3.5.16.3.1.clear-command-not-acked",
         .requirements = "PDS-083", .role = UET_ROLE_TARGET, .needs = "rud write",
         .purpose = "Clear Command is not acknowledged.",
         .preamble = "PDC open; a WRITE with an unknown key was answered with an error.",
         .stimulus = "Clear Command for it, three times.",
         .expected = "Not an ACK for each of them.")
{
    struct uet_out bad;
    one_stored(tc, &bad);
    int acked = 0;
    for (int i = 0; i < CLEARS; i++) {
        uet_forget(tc);
        say_clear(tc, bad.pdc, bad.psn);
        acked += maybe(tc, ACK_ON(bad.pdc), .within = uet_tc_quiet(tc)) != NULL;
    }
    /* An ACK may come at any time; one after each Clear Command is its answer. */
    uet_check(tc, "PDS-083", acked < CLEARS, "an ACK came after each Clear Command");
    if (acked)
        uet_note(tc, "PDS-083", "an ACK came after %d of %d Clear Commands", acked, CLEARS);
}

/* A PDC on which nothing is cleared, and whose MP_Range has room for all that the FEP stores. */
static struct uet_pdc *open_for_all(struct uet_tc *tc, uint64_t most, bool rod)
{
    const struct uet_in *ack;
    struct uet_pdc *p = open_in_mode(tc, rod, &ack);

    if (most >= mp_range(tc, ack))
        uet_skip(tc, "max-stored-responses is %llu: more than MP_Range", (unsigned long long)most);
    p->auto_clear = false;
    p->clear_psn = p->start_psn;
    return p;
}

/* WRITEs that must be refused, until one has no ACK, at most one too many; what the last got. */
static const struct uet_in *use_up_slots(struct uet_tc *tc, struct uet_pdc *p, uint64_t most,
                                         const struct uet_memory *m, struct uet_out *last)
{
    const struct uet_in *in = NULL;

    for (uint64_t n = 0; n <= most; n++) {
        *last = refused_write(p, m);
        if (p->rod) /* errors and NACKs come unasked */
            ask_no_ack(last);
        say(tc, last);
        in = maybe(tc, ANSWER_TO(last));
        if (!in || uet_is_nack(&in->packet))
            break;
    }
    return in;
}

/* The packet for whose response there was no slot is refused, and taken as new after the clear. */
static void refused_without_slot(struct uet_tc *tc, bool rod)
{
    uint64_t most = uet_tc_param(tc, "max-stored-responses");
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = open_for_all(tc, most, rod);
    struct uet_out bad;
    const struct uet_in *in = use_up_slots(tc, p, most, &m, &bad);
    if (!in) {
        uet_other_reading(tc, "PDS-091", "no answer: refused in silence (PDS-232)");
        return;
    }
    if (uet_is_ack(&in->packet))
        uet_inconc(tc, "%llu responses were stored: max-stored-responses in fep.yaml is too small",
                   (unsigned long long)most + 1);
    field_among(tc, "PDS-091", in, UET_F_PDS_NACK_CODE, UET_NACK_NO_GTD_DEL_AVAIL,
                UET_NACK_NO_RESOURCE);
    say_clear(tc, p, bad.psn - 1);
    say_again(tc, &bad);
    in = hear_answer(tc, "PDS-149", &bad);
    check_cack(tc, "PDS-149", in, bad.psn - 1);
    uet_check(tc, "PDS-149", is_error_response(in),
              "the packet that was refused counts as received: a default response came");
}

/* Of the PDC that has all slots and says nothing more: is it asked for a clear, or if it lives? */
static bool asks_the_holder(struct uet_tc *tc, const struct uet_pdc *holder, struct uet_pdc *p,
                            const struct uet_memory *m)
{
    struct uet_out bad = refused_write(p, m);

    for (int i = 0; i < 4; i++) {
        say(tc, &bad);
        const struct uet_in *in = maybe(tc, ANSWER_TO(&bad));
        if (in && uet_is_ack(&in->packet))
            uet_skip(tc, "a PDC may have more slots when another has all");
        if (maybe(tc, .kind = UET_WANT_CP, .pdc = holder, .named = "a Control Packet"))
            return true;
    }
    return false;
}

UET_TEST(slots_asked_back, .id = "pds.3.5.16.3.slots-asked-back", .requirements = "PDS-086",
         .role = UET_ROLE_TARGET, .needs = "rud write", .params = "max-stored-responses",
         .not_over = "all", .contested = true, /* whom to ask is nowhere said */
         .purpose = "A target that lacks room for a response asks the PDC that has it all.",
         .preamble = "Two PDCs open; the FEP stores at most max-stored-responses responses.",
         .stimulus = "On one PDC WRITEs with an unknown key, never cleared, until one is refused; "
                     "a WRITE with an unknown key on the other one, up to four times.",
         .expected = "A Control Packet on the first PDC, as a Clear Request; none is a finding: a "
                     "clear that was lost there shuts out all others.")
{
    uint64_t most = uet_tc_param(tc, "max-stored-responses");
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *other = uet_pdc_open(tc), *p = open_for_all(tc, most, false);
    struct uet_out bad;
    const struct uet_in *in = use_up_slots(tc, p, most, &m, &bad);
    if (!in || uet_is_ack(&in->packet))
        uet_skip(tc, "the FEP refuses in silence, or stores more than max-stored-responses");
    (void)maybe(tc, .kind = UET_WANT_CP, .pdc = p, .named = "a Control Packet");
    uet_forget_settled(tc);
    if (!asks_the_holder(tc, p, other, &m))
        uet_other_reading(tc, "PDS-086", "the PDC that has all slots is not asked for a clear");
}

/* Its initiator knows the PDC no longer, and says so to whatever comes for a while. */
static void knows_it_no_longer(struct uet_tc *tc, const struct uet_pdc *pdc)
{
    const struct uet_in *in;

    while ((in = maybe(tc, .kind = UET_WANT_CP, .pdc = pdc, .named = "a Control Packet")))
        say_nack(tc, in, UET_NACK_INV_DPDCID);
}

UET_TEST(slots_of_the_gone, .id = "pds.3.5.16.3.slots-of-a-peer-that-forgot",
         .requirements = "PDS-086", .role = UET_ROLE_TARGET, .needs = "rud write",
         .params = "max-stored-responses", .not_over = "all",
         .contested = true, /* whom to ask is nowhere said */
         .purpose = "Who has forgotten a PDC clears nothing on it: what it holds does not shut out "
                    "all others for ever.",
         .preamble = "Two PDCs open; the FEP stores at most max-stored-responses responses.",
         .stimulus = "On one PDC WRITEs with an unknown key, never cleared, until one is refused; "
                     "what comes there from then on is answered with NACK UET_INV_DPDCID (0x0E). A "
                     "WRITE with an unknown key on the other one, up to eight times.",
         .expected = "An ACK of that WRITE; none is a finding.")
{
    uint64_t most = uet_tc_param(tc, "max-stored-responses");
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *other = uet_pdc_open(tc), *p = open_for_all(tc, most, false);
    struct uet_out bad, wants = refused_write(other, &m);
    const struct uet_in *in = use_up_slots(tc, p, most, &m, &bad);
    if (!in || uet_is_ack(&in->packet))
        uet_skip(tc, "the FEP refuses in silence, or stores more than max-stored-responses");
    p->auto_ack = p->auto_close = false;
    for (int i = 0; i < 8; i++) {
        say(tc, &wants);
        in = maybe(tc, ANSWER_TO(&wants));
        if (in && uet_is_ack(&in->packet))
            return;
        if (in && uet_nack_nack_code(uet_pds(&in->packet)) == UET_NACK_INV_DPDCID)
            uet_skip(tc, "the FEP has closed the other PDC meanwhile, as it may");
        knows_it_no_longer(tc, p);
    }
    uet_other_reading(tc, "PDS-086", "the slots of a PDC that its initiator has forgotten stay");
}

UET_TEST(
    slots_used_up, .id = "pds.3.5.12.7.slots-used-up", .requirements = "PDS-091 PDS-149",
    .role = UET_ROLE_TARGET, .needs = "rud write", .params = "max-stored-responses",
    .purpose = "Without room for a response the packet is refused and not counted as received.",
    .preamble = "PDC open; the FEP stores at most max-stored-responses responses.",
    .stimulus = "WRITEs with an unknown key, never cleared, until one is refused; then all "
                "are cleared and that one is sent again.",
    .expected = "NACK UET_NO_GTD_DEL_AVAIL (0x08; 0x0A where resources are pooled); after "
                "the clear the packet is executed as new: its own error response comes.")
{
    refused_without_slot(tc, false);
}

UET_TEST(slots_used_up_rod, .id = "pds.3.5.12.7.slots-used-up-on-rod",
         .requirements = "PDS-091 PDS-149", .role = UET_ROLE_TARGET, .needs = "rod write",
         .params = "max-stored-responses",
         .purpose = "A ROD packet that is refused so stays the one that is expected.",
         .preamble = "A ROD PDC open; the FEP stores at most max-stored-responses responses.",
         .stimulus = "As in slots-used-up, over ROD and with ar=0.",
         .expected = "As in slots-used-up.")
{
    refused_without_slot(tc, true);
}

UET_TEST(
    no_sum_of_a_refused, .id = "pds.3.5.12.7.no-sum-of-a-refused-packet", .requirements = "PDS-149",
    .role = UET_ROLE_TARGET, .needs = "rud write", .params = "max-stored-responses",
    .purpose = "An atomic that was refused for want of a slot is done once, when it comes again.",
    .preamble = "PDC open; the FEP stores at most max-stored-responses responses.",
    .stimulus = "WRITEs with an unknown key, never cleared, until one is refused; a fetching SUM "
                "of 1; when that is refused, too, all are cleared and it is sent again.",
    .expected = "The old value is what stood there before.")
{
    uint64_t most = uet_tc_param(tc, "max-stored-responses");
    need_fetching_sum(tc);
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = open_for_all(tc, most, false);
    struct uet_out bad, sum;
    sum = fetching_sum(p, &m, 8, 1);
    uint64_t old = fetched(tc, "PDS-149", &sum);
    const struct uet_in *in = use_up_slots(tc, p, most, &m, &bad);
    if (!in || uet_is_ack(&in->packet))
        uet_skip(tc, "the FEP refuses nothing, or in silence, when it has no slot");
    sum = fetching_sum(p, &m, 8, 1);
    say(tc, &sum);
    in = maybe(tc, ANSWER_TO(&sum));
    if (!in || !uet_is_nack(&in->packet))
        uet_skip(tc, "the FEP has room for the answer of an atomic");
    say_clear(tc, p, bad.psn - 1);
    say_again(tc, &bad);
    say_again(tc, &sum);
    uet_check_eq(tc, "PDS-149", "old value", old_value(tc, "PDS-149", &sum), old + 1);
}

UET_TEST(clear_request_fields, .id = "pds.3.5.16.3.clear-request-fields", .requirements = "PDS-084",
         .role = UET_ROLE_TARGET, .needs = "rud write", .params = "max-stored-responses",
         .purpose = "A Clear Request has psn 0 and ar 0 and names the PSN to be cleared.",
         .preamble = "PDC open.",
         .stimulus = "WRITEs with an unknown key, never cleared, until the FEP runs short.",
         .expected = "Clear Request, if it sends one (REQ_CLEAR in ACKs is the other way): psn 0, "
                     "ar 0, syn 0, payload a PSN that waits for its clear.")
{
    uint64_t most = uet_tc_param(tc, "max-stored-responses");
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = open_for_all(tc, most, false);
    struct uet_out bad;
    const uint32_t begin = p->next_psn;
    p->auto_ack = false;
    const struct uet_in *in = use_up_slots(tc, p, most, &m, &bad);
    uint32_t end = in && uet_is_nack(&in->packet) ? bad.psn : p->next_psn;
    in = maybe(tc, CP_ON(p, UET_CTL_CLEAR_REQUEST));
    if (!in)
        uet_skip(tc, "the FEP sends no Clear Request: it asks by REQ_CLEAR, as it may");
    uint32_t psn = (uint32_t)value_of(tc, in, UET_F_PDS_PAYLOAD);
    field(tc, "PDS-084", in, UET_F_PDS_PSN, 0);
    field(tc, "PDS-084", in, UET_F_PDS_AR, 0);
    field(tc, "PDS-084", in, UET_F_PDS_SYN, 0);
    uet_check(tc, "PDS-084", uet_psn_diff(psn, begin) >= 0 && uet_psn_diff(psn, end) < 0,
              "payload 0x%08x is no PSN that waits for a clear: 0x%08x ... 0x%08x do", psn, begin,
              end - 1);
    p->auto_ack = true;
}
