/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.12: when an ACK must come at once, and when none may come. */
#include "conformance/tests/pds_target.h"

UET_TEST(ar_acked_at_once, .id = "pds.3.5.12.ar-acked-at-once", .requirements = "PDS-097",
         .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .purpose = "A Request with ar=1 is acknowledged without waiting for more.",
         .preamble = "PDC open.", .stimulus = "One small Request with ar=1, and nothing after it.",
         .expected = "An ACK naming it within the response time.")
{
    struct uet_out o = uet_any_request(uet_pdc_open(tc));
    ask(tc, "PDS-097", &o);
}

UET_TEST(retx_acked_at_once, .id = "pds.3.5.12.retx-acked-at-once", .requirements = "PDS-098",
         .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .purpose = "A Request with retx=1 is acknowledged at once even where ar=0.",
         .preamble = "PDC open.",
         .stimulus = "One new Request with retx=1 and ar=0, and nothing after it.",
         .expected = "An ACK naming it within the response time.")
{
    struct uet_out o = uet_any_request(uet_pdc_open(tc));
    uet_rud_rod_req_retx_set(o.pds, true);
    ask_no_ack(&o);
    ask(tc, "PDS-098", &o);
}

UET_TEST(retx_acked_ahead, .id = "pds.3.5.12.retx-acked-ahead-of-gap", .requirements = "PDS-098",
         .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .purpose = "A Request with retx=1 is acknowledged at once ahead of a gap, too.",
         .preamble = "PDC open; n is the next PSN.",
         .stimulus = "A new Request n+1 with retx=1 and ar=0, and nothing after it; later n.",
         .expected = "An ACK naming n+1 within the response time.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out late = uet_any_request(p), o = uet_any_request(p);
    uet_rud_rod_req_retx_set(o.pds, true);
    ask_no_ack(&o);
    say(tc, &o);
    hear(tc, "PDS-098", ACK_OF(&o));
    ask(tc, "PDS-098", &late);
}

UET_TEST(ce_acked_at_once, .id = "pds.3.5.5.ce-acked-at-once", .requirements = "PDS-103",
         .role = UET_ROLE_TARGET, .port_caps = UET_PORT_ECN, .needs = "rud any-request",
         .purpose = "With ACK_On_ECN, the default, a packet with ECN CE is acknowledged at once.",
         .preamble = "PDC open; ACK_On_ECN is TRUE.",
         .stimulus = "One Request with ar=0 and ECN CE, and nothing after it.",
         .expected = "An ACK naming it with m=1 within the response time.")
{
    skip_when(tc, "ACK_On_ECN", 0);
    struct uet_out o = uet_any_request(uet_pdc_open(tc));
    ask_no_ack(&o);
    o.route.ecn = UET_ECN_CE;
    field(tc, "PDS-103", ask(tc, "PDS-103", &o), UET_F_PDS_M, 1);
}

UET_TEST(each_ce_acked_at_once, .id = "pds.3.5.5.each-ce-acked-at-once", .requirements = "PDS-103",
         .role = UET_ROLE_TARGET, .port_caps = UET_PORT_ECN, .needs = "rud any-request",
         .purpose = "With ACK_On_ECN each packet that follows one with ECN CE is acknowledged at "
                    "once, with ECN CE or without and with it again.",
         .preamble = "PDC open; ACK_On_ECN is TRUE.",
         .stimulus = "Requests with ar=0, one after the other: CE, CE, ECT(0) with ar=1, CE.",
         .expected = "An ACK of each: m=1, 1, 0, 1.")
{
    skip_when(tc, "ACK_On_ECN", 0);
    struct uet_pdc *p = uet_pdc_open(tc);
    for (int i = 0; i < 4; i++) {
        struct uet_out o = uet_any_request(p);
        if (i != 2)
            ask_no_ack(&o);
        o.route.ecn = i == 2 ? UET_ECN_ECT0 : UET_ECN_CE;
        field(tc, "PDS-103", ask(tc, "PDS-103", &o), UET_F_PDS_M, i != 2);
    }
}

UET_TEST(ack_when_gap_closes, .id = "pds.3.5.12.2.ack-when-gap-closes", .requirements = "PDS-125",
         .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .purpose = "After an ar=1 packet that left a gap a further ACK tells that it is filled.",
         .preamble = "PDC open; n is the next PSN.",
         .stimulus = "Request n+1 with ar=1; then n with ar=0.",
         .expected = "An ACK for n+1 at once; when n arrives, a further ACK with CACK_PSN n+1.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out n = uet_any_request(p), n1 = uet_any_request(p);
    check_cack(tc, "PDS-108", ask(tc, "PDS-125", &n1), n.psn - 1);
    ask_no_ack(&n);
    say(tc, &n);
    /* A success that the FEP guarantees has an ACK of its own, and CACK_PSN waits for its clear. */
    uint32_t psn = uet_guaranteed(tc, p, n1.psn) ? n.psn : n1.psn;
    uet_check(tc, "PDS-125", maybe(tc, CACK_UP_TO(p, psn)) || uet_guaranteed(tc, p, n.psn),
              "no ACK came that tells that the gap is filled");
}

UET_TEST(ack_when_a_gap_below_a_noop_closes, .id = "pds.3.5.12.2.ack-when-gap-below-a-noop-closes",
         .requirements = "PDS-125", .role = UET_ROLE_TARGET, .needs = "rud any-request cp-noop",
         .purpose = "The packet that left the gap may be a NOOP.",
         .preamble = "PDC open; n is the next PSN.",
         .stimulus = "A NOOP n+1; then Request n with ar=0.",
         .expected = "An ACK for n+1 at once; when n arrives, a further ACK with CACK_PSN n+1.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out n = uet_any_request(p), noop = uet_cp(p, UET_CTL_NOOP);
    check_cack(tc, "PDS-108", ask(tc, "PDS-187", &noop), n.psn - 1);
    ask_no_ack(&n);
    say(tc, &n);
    uet_check(tc, "PDS-125", maybe(tc, CACK_UP_TO(p, noop.psn)) || uet_guaranteed(tc, p, n.psn),
              "no ACK came that tells that the gap is filled");
}

/* After all of n ... last has come, CACK_PSN is told without another request for it. */
static void tells_the_end(struct uet_tc *tc, struct uet_pdc *p, const struct uet_out *last)
{
    bool waits = false; /* for the clear of a success that the FEP guarantees */

    for (uint32_t psn = p->start_psn; psn != last->psn + 1; psn++)
        waits |= uet_guaranteed(tc, p, psn);
    uet_check(tc, "PDS-125", maybe(tc, CACK_UP_TO(p, last->psn)) || waits,
              "no ACK came that tells that the last gap is filled");
}

UET_TEST(ack_when_wide_gap_closes, .id = "pds.3.5.12.2.ack-when-a-gap-of-two-closes",
         .requirements = "PDS-125", .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .purpose = "The further ACK comes when the last PSN of the gap has come.",
         .preamble = "PDC open; n is the next PSN.",
         .stimulus = "Request n+2 with ar=1; then n and n+1 with ar=0.",
         .expected = "An ACK for n+2 at once; when n+1 has come, one with CACK_PSN n+2.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out n = uet_any_request(p), n1 = uet_any_request(p), n2 = uet_any_request(p);
    check_cack(tc, "PDS-108", ask(tc, "PDS-125", &n2), n.psn - 1);
    ask_no_ack(&n);
    ask_no_ack(&n1);
    say(tc, &n);
    say(tc, &n1);
    tells_the_end(tc, p, &n2);
}

/* Behind two gaps, of one PSN each, these two of four Requests come first, and ask for ACKs. */
static void second_gap_closes(struct uet_tc *tc, const unsigned first[2])
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o[4];

    for (int i = 0; i < 4; i++)
        o[i] = uet_any_request(p);
    ask(tc, "PDS-125", &o[first[0]]);
    ask(tc, "PDS-125", &o[first[1]]);
    ask_no_ack(&o[0]);
    ask_no_ack(&o[2]);
    say(tc, &o[0]);
    say(tc, &o[2]);
    tells_the_end(tc, p, &o[3]);
}

#define TWO_GAPS                                                                                   \
    .requirements = "PDS-125", .role = UET_ROLE_TARGET, .needs = "rud any-request",                \
    .preamble = "PDC open; n is the next PSN.",                                                    \
    .expected = "ACKs for n+3 and n+1 at once; when n+2 has come, one with CACK_PSN n+3."

UET_TEST(ack_when_both_gaps_close, .id = "pds.3.5.12.2.ack-when-the-second-gap-closes", TWO_GAPS,
         .purpose = "What asked for an ACK behind two gaps is told when the second one closes.",
         .stimulus = "Requests n+3 and then n+1 with ar=1; then n and n+2 with ar=0.")
{
    second_gap_closes(tc, (const unsigned[]){3, 1});
}

UET_TEST(ack_when_later_gap_closes, .id = "pds.3.5.12.2.ack-when-a-later-gap-closes", TWO_GAPS,
         .purpose = "What asked for an ACK behind two gaps, after another packet had behind the "
                    "earlier one, is told when the later one closes.",
         .stimulus = "Requests n+1 and then n+3 with ar=1; then n and n+2 with ar=0.")
{
    second_gap_closes(tc, (const unsigned[]){1, 3});
}

/* An ACK of a packet that nobody has sent. */
static struct uet_out ack_of_nothing(struct uet_pdc *p)
{
    struct uet_out ack = uet_nack(p, p->start_psn, UET_NACK_NO_RESOURCE);

    ack.pds_len = UET_ACK_BYTES;
    memset(ack.pds, 0, sizeof(ack.pds));
    uet_ack_type_set(ack.pds, UET_PDS_ACK);
    uet_ack_cack_psn_set(ack.pds, p->start_psn);
    uet_ack_spdcid_set(ack.pds, p->pdcid);
    uet_ack_dpdcid_set(ack.pds, p->fep_pdcid);
    return ack;
}

UET_TEST(ack_for_no_pdc, .id = "pds.3.5.12.ack-for-no-pdc", .requirements = "PDS-124",
         .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .purpose = "An ACK or NACK for a PDC that does not exist is dropped, never answered.",
         .preamble = "One PDC open, so that a dpdcid not in use is known.",
         .stimulus = "An ACK, then a NACK, with a dpdcid that no PDC has.", .expected = "Silence.")
{
    struct uet_pdc *q = pdc_unknown(tc);
    struct uet_out ack = ack_of_nothing(q), nack = uet_nack(q, q->start_psn, UET_NACK_NO_RESOURCE);
    say(tc, &ack);
    say(tc, &nack);
    silence(tc, "PDS-124", ANSWER_ON(q));
}
