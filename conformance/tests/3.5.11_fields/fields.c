/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.11: PSNs as the headers carry them, flags that come back, the SACK bitmap. */
#include "conformance/harness/steps/memory.h"
#include "conformance/tests/pds_target.h"

UET_TEST(ce_comes_back_as_m, .id = "pds.3.5.11.8.ce-comes-back-as-m", .requirements = "PDS-104",
         .role = UET_ROLE_TARGET, .port_caps = UET_PORT_ECN, .needs = "rud any-request",
         .over = "read cp",
         .purpose = "flags.m of an ACK tells whether the packet that it answers had ECN CE.",
         .preamble = "PDC open.",
         .stimulus = "Requests with ar=1: one with ECN CE, one with ECT(0), one with CE again.",
         .expected = "ACKs with m=1, m=0, m=1.")
{
    static const uint8_t ecn[] = {UET_ECN_CE, UET_ECN_ECT0, UET_ECN_CE};
    struct uet_pdc *p = uet_pdc_open(tc);
    for (size_t i = 0; i < sizeof(ecn); i++) {
        struct uet_out o = uet_any_request(p);
        o.route.ecn = ecn[i];
        const struct uet_in *ack = exchange(tc, &o);
        field(tc, "PDS-104", ack, UET_F_PDS_M, ecn[i] == UET_ECN_CE);
    }
}

UET_TEST(ce_comes_back_in_nack, .id = "pds.3.5.11.8.ce-comes-back-in-nack",
         .requirements = "PDS-104", .role = UET_ROLE_TARGET, .port_caps = UET_PORT_ECN,
         .needs = "rud any-request", .over = "cp",
         .purpose = "flags.m of a NACK tells whether the packet that it answers had ECN CE.",
         .preamble = "One PDC open, so that a dpdcid not in use is known.",
         .stimulus = "Requests with an unknown dpdcid: one with ECN CE, one with ECT(0).",
         .expected = "NACKs with m=1, m=0.")
{
    static const uint8_t ecn[] = {UET_ECN_CE, UET_ECN_ECT0};
    struct uet_pdc *q = pdc_unknown(tc);
    for (size_t i = 0; i < sizeof(ecn); i++) {
        struct uet_out o = uet_any_request(q);
        o.route.ecn = ecn[i];
        const struct uet_in *nack = unknown_nacked(tc, &o);
        field(tc, "PDS-104", nack, UET_F_PDS_M, ecn[i] == UET_ECN_CE);
    }
}

UET_TEST(ce_of_a_close, .id = "pds.3.5.11.8.ce-of-a-close-command",
         .requirements = "PDS-104 PDS-112", .role = UET_ROLE_TARGET, .port_caps = UET_PORT_ECN,
         .needs = "rud any-request",
         .purpose = "The ACK of a Close Command tells CE and the path of that, too.",
         .preamble = "Two PDCs, one after the other.",
         .stimulus = "A Close Command with ECN CE and entropy 0xC123; on the other PDC one with "
                     "ECT(0).",
         .expected = "ACKs with m=1 and that entropy value, and with m=0.")
{
    static const uint8_t ecn[] = {UET_ECN_CE, UET_ECN_ECT0};
    for (size_t i = 0; i < sizeof(ecn); i++) {
        struct uet_out close = uet_cp(uet_pdc_open(tc), UET_CTL_CLOSE_COMMAND);
        close.route.ecn = ecn[i];
        close.route.entropy = (uint16_t)(0xc123 + i);
        const struct uet_in *ack = ask(tc, "PDS-203", &close);
        field(tc, "PDS-104", ack, UET_F_PDS_M, ecn[i] == UET_ECN_CE);
        uet_check_eq(tc, "PDS-112", "entropy value", uet_entropy(&ack->packet), 0xc123 + i);
    }
}

UET_TEST(
    ce_of_a_copy, .id = "pds.3.5.11.8.ce-of-a-copy", .requirements = "PDS-104",
    .role = UET_ROLE_TARGET, .port_caps = UET_PORT_ECN, .needs = "rud any-request",
    .over = "read cp", .not_over = "copy copies",
    .purpose = "The ACK of a duplicate tells CE of the copy, not of the first, and not nothing.",
    .preamble = "PDC open; two Requests n, n+1 acknowledged.",
    .stimulus = "n came with ECT(0), its copies (retx=1) come with CE and with ECT(0); n+1 came "
                "with CE, its copies come with ECT(0) and with CE.",
    .expected = "ACKs with m as each copy says.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o[] = {uet_any_request(p), uet_any_request(p)};
    static const struct {
        uint8_t which, ecn;
    } copies[] = {{0, UET_ECN_CE}, {0, UET_ECN_ECT0}, {1, UET_ECN_ECT0}, {1, UET_ECN_CE}};

    o[0].route.ecn = UET_ECN_ECT0;
    o[1].route.ecn = UET_ECN_CE;
    exchange(tc, &o[0]);
    exchange(tc, &o[1]);
    for (size_t i = 0; i < sizeof(copies) / sizeof(*copies); i++) {
        struct uet_out *copy = &o[copies[i].which];
        copy->route.ecn = copies[i].ecn;
        field(tc, "PDS-104", exchange_again(tc, copy), UET_F_PDS_M, copies[i].ecn == UET_ECN_CE);
    }
}

UET_TEST(ce_of_a_stored_copy, .id = "pds.3.5.11.8.ce-of-a-stored-copy", .requirements = "PDS-104",
         .role = UET_ROLE_TARGET, .port_caps = UET_PORT_ECN, .needs = "rud write any-request",
         .not_over = "copy",
         .purpose = "The ACK of a duplicate whose response was stored tells CE of the copy, not of "
                    "the first, and not nothing.",
         .preamble = "PDC open; a WRITE with an unknown key, which came with ECT(0), was answered "
                     "with an error, which is not cleared.",
         .stimulus = "Its copies (retx=1) come with CE and with ECT(0).",
         .expected = "ACKs with m as each copy says.")
{
    static const uint8_t ecn[] = {UET_ECN_CE, UET_ECN_ECT0};
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = uet_pdc_open(tc);
    p->auto_clear = false;
    struct uet_out o = refused_write(p, &m);
    o.route.ecn = UET_ECN_ECT0;
    exchange_refused(tc, &o);
    for (size_t i = 0; i < sizeof(ecn); i++) {
        o.route.ecn = ecn[i];
        field(tc, "PDS-104", exchange_again(tc, &o), UET_F_PDS_M, ecn[i] == UET_ECN_CE);
    }
}

UET_TEST(retx_comes_back, .id = "pds.3.5.11.8.retx-comes-back", .requirements = "PDS-105",
         .role = UET_ROLE_TARGET, .needs = "rud any-request", .over = "read cp", .not_over = "copy",
         .purpose = "flags.retx of an ACK is that of the packet that it answers.",
         .preamble = "PDC open.",
         .stimulus = "A Request with retx=0, a new one with retx=1, a duplicate with retx=1, a new "
                     "one with retx=0; all with ar=1.",
         .expected = "ACKs with retx 0, 1, 1, 0.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out a = uet_any_request(p), b = uet_any_request(p), c = uet_any_request(p);
    field(tc, "PDS-105", exchange(tc, &a), UET_F_PDS_RETX, 0);
    field(tc, "PDS-105", exchange_again(tc, &b), UET_F_PDS_RETX, 1);
    field(tc, "PDS-105", exchange_again(tc, &b), UET_F_PDS_RETX, 1);
    field(tc, "PDS-105", exchange(tc, &c), UET_F_PDS_RETX, 0);
}

UET_TEST(retx_comes_back_in_nack, .id = "pds.3.5.11.8.retx-comes-back-in-nack",
         .requirements = "PDS-105", .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .over = "cp", .not_over = "copy",
         .purpose = "flags.retx of a NACK is that of the packet that it answers.",
         .preamble = "One PDC open, so that a dpdcid not in use is known.",
         .stimulus = "A Request with an unknown dpdcid, first with retx=0, then with retx=1.",
         .expected = "NACKs with retx 0, 1.")
{
    struct uet_pdc *q = pdc_unknown(tc);
    struct uet_out o = uet_any_request(q);
    field(tc, "PDS-105", unknown_nacked(tc, &o), UET_F_PDS_RETX, 0);
    say_again(tc, &o);
    field(tc, "PDS-105", hear(tc, "PDS-038", NACK_OF(&o, UET_NACK_INV_DPDCID)), UET_F_PDS_RETX, 1);
}

UET_TEST(ack_names_its_packet, .id = "pds.3.5.11.4.6.ack-names-its-packet",
         .requirements = "PDS-106", .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .over = "read cp",
         .purpose = "ACK_PSN, cack_psn plus ack_psn_offset, names the packet that brought the ACK.",
         .preamble = "PDC open; n is the next PSN.",
         .stimulus = "Request n+5 with ar=1, before n to n+4.",
         .expected = "ACK with cack_psn n-1 and ack_psn_offset 6.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o[6];
    for (int i = 0; i < 6; i++)
        o[i] = uet_any_request(p);
    const struct uet_in *ack = exchange(tc, &o[5]);
    check_cack(tc, "PDS-106", ack, o[0].psn - 1);
    uet_check_eq(tc, "PDS-106", "ack_psn_offset",
                 (uint16_t)uet_ack_ack_psn_offset(uet_pds(&ack->packet)),
                 (uint16_t)uet_psn_diff(o[5].psn, cack_of(ack)));
}

UET_TEST(ack_names_older_packet, .id = "pds.3.5.11.4.6.ack-names-older-packet",
         .requirements = "PDS-106", .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .purpose = "ack_psn_offset is signed: an ACK may name a PSN below cack_psn.",
         .preamble = "PDC open, three Requests n, n+1, n+2 acknowledged.",
         .stimulus = "Request n again with retx=1.",
         .expected = "ACK with cack_psn n+2 and ack_psn_offset 0xFFFE.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o[3];
    for (int i = 0; i < 3; i++) {
        o[i] = uet_any_request(p);
        exchange(tc, &o[i]);
    }
    const struct uet_in *ack = exchange_again(tc, &o[0]);
    check_cack(tc, "PDS-106", ack, o[2].psn);
    uet_check_eq(tc, "PDS-106", "ack_psn_offset",
                 (uint16_t)uet_ack_ack_psn_offset(uet_pds(&ack->packet)),
                 (uint16_t)uet_psn_diff(o[0].psn, cack_of(ack)));
}

UET_TEST(cack_waits_at_gap, .id = "pds.3.5.11.4.5.cack-waits-at-gap", .requirements = "PDS-108",
         .role = UET_ROLE_TARGET, .needs = "rud any-request", .over = "cp",
         .purpose = "cack_psn covers only what has all arrived: it stays before a gap and jumps "
                    "when the gap is filled.",
         .preamble = "PDC open.", .stimulus = "Requests n, n+2, n+3, then n+1, each with ar=1.",
         .expected = "cack_psn n, n, n, n+3.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o[4];
    for (int i = 0; i < 4; i++)
        o[i] = uet_any_request(p);
    check_cack(tc, "PDS-108", exchange(tc, &o[0]), o[0].psn);
    check_cack(tc, "PDS-108", exchange(tc, &o[2]), o[0].psn);
    check_cack(tc, "PDS-108", exchange(tc, &o[3]), o[0].psn);
    check_cack(tc, "PDS-108", exchange(tc, &o[1]), o[3].psn);
}

UET_TEST(psn_wraps, .id = "pds.3.5.12.psn-wraps", .requirements = "PDS-059",
         .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .purpose = "PSNs go on past 2^32 from 0, and comparisons follow.",
         .stimulus = "A PDC with Start_PSN 0xFFFFFFFE; four Requests with ar=1; the second again "
                     "with retx=1.",
         .expected = "CACK_PSN 0xFFFFFFFE, 0xFFFFFFFF, 0, 1; the copy is known as a duplicate "
                     "(ACK_PSN 0xFFFFFFFF, CACK_PSN 1).")
{
    struct uet_pdc *p = uet_pdc_new_at(tc, 0xfffffffe);
    struct uet_out o[4];
    for (uint32_t i = 0; i < 4; i++) {
        o[i] = uet_any_request(p);
        check_cack(tc, "PDS-059", exchange(tc, &o[i]), 0xfffffffeu + i);
    }
    check_cack(tc, "PDS-059", exchange_again(tc, &o[1]), 1);
}

UET_TEST(psn_wraps_across_gap, .id = "pds.3.5.12.psn-wraps-across-gap", .requirements = "PDS-059",
         .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .purpose = "A gap on one side of 2^32 and packets on the other are put together.",
         .stimulus = "A PDC with Start_PSN 0xFFFFFFFE; PSN 1 arrives before 0 and 0xFFFFFFFF.",
         .expected = "ACK_PSN 1 with CACK_PSN 0xFFFFFFFE; when all are there, CACK_PSN 1.")
{
    struct uet_pdc *p = uet_pdc_new_at(tc, 0xfffffffe);
    struct uet_out o[4];
    for (int i = 0; i < 4; i++)
        o[i] = uet_any_request(p);
    exchange(tc, &o[0]);
    check_cack(tc, "PDS-059", exchange(tc, &o[3]), 0xfffffffe);
    exchange(tc, &o[2]);
    check_cack(tc, "PDS-059", exchange(tc, &o[1]), 1);
}

/* ---- windows ---- */

UET_TEST(psn_ahead_of_window, .id = "pds.3.5.12.psn-ahead-of-window", .requirements = "PDS-067",
         .role = UET_ROLE_TARGET, .needs = "rud any-request", .over = "cp",
         .purpose = "A PSN ahead of the expected window is refused and not kept.",
         .preamble = "PDC open; MP_Range from the mpr of the ACK_CC, else from Default_MPR.",
         .stimulus = "A Request with psn = CACK_PSN + MP_Range + 10, syn=0, and again with retx=1; "
                     "one with the PSN after it and ar=0; then the next one in order.",
         .expected = "NACK UET_PSN_OOR_WINDOW (0x0B) naming that PSN each time, no ACK of it; the "
                     "next one is acknowledged with CACK_PSN at itself.")
{
    const struct uet_in *ack;
    struct uet_pdc *p = open_with_ack(tc, &ack);
    struct uet_out far = request_at(p, cack_of(ack) + mp_range(tc, ack) + 10),
                   unasked = request_at(p, far.psn + 1), next = uet_any_request(p);
    say(tc, &far);
    hear(tc, "PDS-067", NACK_OF(&far, UET_NACK_PSN_OOR_WINDOW));
    say_again(tc, &far);
    hear(tc, "PDS-067", NACK_OF(&far, UET_NACK_PSN_OOR_WINDOW));
    ask_no_ack(&unasked);
    say(tc, &unasked);
    hear(tc, "PDS-067", NACK_OF(&unasked, UET_NACK_PSN_OOR_WINDOW));
    check_cack(tc, "PDS-067", exchange(tc, &next), next.psn);
    silence(tc, "PDS-067", ACK_OF(&far));
}

UET_TEST(
    refused_not_kept, .id = "pds.3.5.12.psn-refused-is-not-kept", .requirements = "PDS-067 PDS-191",
    .role = UET_ROLE_TARGET, .needs = "rud any-request",
    .purpose = "A PSN refused ahead of the window has not come, also when the window is there.",
    .preamble = "PDC open; MP_Range from the mpr of the ACK_CC, else from Default_MPR.",
    .stimulus = "A Request with psn = CACK_PSN + MP_Range + 4; six in order; then an ACK "
                "Request for that PSN.",
    .expected = "NACK UET_PSN_OOR_WINDOW (0x0B); the six are acknowledged; no ACK of that PSN.")
{
    const struct uet_in *ack;
    struct uet_pdc *p = open_with_ack(tc, &ack);
    struct uet_out far = request_at(p, cack_of(ack) + mp_range(tc, ack) + 4);
    say(tc, &far);
    hear(tc, "PDS-067", NACK_OF(&far, UET_NACK_PSN_OOR_WINDOW));
    say_requests(tc, p, 5);
    struct uet_out last = uet_any_request(p), asks = cp_at(p, UET_CTL_ACK_REQUEST, far.psn);
    check_cack(tc, "PDS-067", exchange(tc, &last), last.psn);
    say(tc, &asks);
    const struct uet_in *in = maybe(tc, ANSWER_TO(&asks)); /* silent where the window has shrunk */
    uet_check(tc, "PDS-067", !in || uet_is_nack(&in->packet),
              "what was refused is told received later");
}

UET_TEST(
    psn_ahead_behind_a_gap, .id = "pds.3.5.12.psn-ahead-behind-a-gap", .requirements = "PDS-067",
    .role = UET_ROLE_TARGET, .needs = "rud any-request",
    .purpose = "The window begins at CACK_PSN, not at the highest PSN that has come.",
    .preamble = "PDC open; n is missing; MP_Range from the newest ACK_CC, else from Default_MPR.",
    .stimulus = "Requests n+1, n + MP_Range and n.",
    .expected = "ACKs of n+1 and n; NACK UET_PSN_OOR_WINDOW (0x0B) for n + MP_Range.")
{
    const struct uet_in *ack;
    struct uet_pdc *p = open_with_ack(tc, &ack);
    if (mp_range(tc, ack) < 3)
        uet_skip(tc, "the window is %u PSN", mp_range(tc, ack));
    struct uet_out n = uet_any_request(p), in = uet_any_request(p);
    ack = exchange(tc, &in); /* a window may have grown: the newest mpr counts (3.5.11) */
    struct uet_out out = request_at(p, n.psn + mp_range(tc, ack));
    say(tc, &out);
    hear(tc, "PDS-067", NACK_OF(&out, UET_NACK_PSN_OOR_WINDOW));
    exchange(tc, &n);
}

UET_TEST(psn_ahead_of_stored, .id = "pds.3.5.12.psn-ahead-of-a-stored-response",
         .requirements = "PDS-067", .role = UET_ROLE_TARGET, .needs = "rud write any-request",
         .purpose = "The window begins at CACK_PSN, also where that waits for a clear.",
         .preamble = "A memory region; PDC open; n is answered with an error that is not cleared, "
                     "n+1 to n+3 are acknowledged; MP_Range from the newest ACK_CC, else from "
                     "Default_MPR.",
         .stimulus = "A Request CACK_PSN + MP_Range + 1.",
         .expected = "NACK UET_PSN_OOR_WINDOW (0x0B).")
{
    const struct uet_in *ack;
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = open_with_ack(tc, &ack);
    p->auto_clear = false;
    struct uet_out n = refused_write(p, &m), next;
    exchange_refused(tc, &n);
    for (int i = 0; i < 3; i++) {
        next = uet_any_request(p);
        ack = exchange(tc, &next);
    }
    if (uet_psn_diff(cack_of(ack), n.psn) >= 0)
        uet_skip(tc, "CACK_PSN does not wait for the clear, which is another test's affair");
    struct uet_out out = request_at(p, cack_of(ack) + mp_range(tc, ack) + 1);
    say(tc, &out);
    hear(tc, "PDS-067", NACK_OF(&out, UET_NACK_PSN_OOR_WINDOW));
}

#define MOST 8192u /* PSNs of MP_Range that a test fills */

UET_TEST(
    mpr_is_the_window, .id = "pds.3.5.11.mpr-is-the-window", .requirements = "PDS-063",
    .role = UET_ROLE_TARGET, .needs = "rud any-request ack-cc",
    .purpose = "mpr counts 128 PSNs each, and is the window that the FEP really keeps.",
    .preamble = "PDC open; mpr from the ACK_CC; n is CACK_PSN.",
    .stimulus = "Requests n + 128*mpr + 1 and n + 128*mpr; then all between, to close the gap.",
    .expected = "NACK UET_PSN_OOR_WINDOW (0x0B) for the first, an ACK for the second.")
{
    const struct uet_in *ack;
    struct uet_pdc *p = open_with_ack(tc, &ack);
    if (!uet_is_ack_cc(&ack->packet))
        uet_skip(tc, "the FEP sends no ACK_CC");
    skip_when_guaranteed(tc, ack); /* the edge of the window hangs on CACK_PSN */
    if (mp_range(tc, ack) > MOST)
        uet_skip(tc, "mpr is %u: more packets than a test may send", mp_range(tc, ack) / 128);
    uint32_t edge = cack_of(ack) + mp_range(tc, ack);
    struct uet_out beyond = request_at(p, edge + 1), last = request_at(p, edge);
    say(tc, &beyond);
    hear(tc, "PDS-063", NACK_OF(&beyond, UET_NACK_PSN_OOR_WINDOW));
    exchange(tc, &last);
    uint32_t first = p->next_psn;
    p->next_psn = edge + 1;
    for (uint32_t psn = first; psn != edge; psn++) {
        struct uet_out o = request_at(p, psn);
        if ((psn - first) % 64 == 63) { /* no faster than the FEP takes them */
            exchange(tc, &o);
            continue;
        }
        ask_no_ack(&o);
        say(tc, &o);
    }
    hear(tc, "PDS-063", COVERED(&last));
}

/* All of the window from there on; of every 64th an ACK: no faster than the FEP takes them. */
static void fill_window(struct uet_tc *tc, struct uet_pdc *p, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        struct uet_out o = uet_any_request(p);
        if (i % 64 == 63 || i == n - 1) {
            exchange(tc, &o);
            continue;
        }
        ask_no_ack(&o);
        say(tc, &o);
    }
}

/* MP_Range of a PDC that is open with that ACK; more than a test may send: skipped. */
static uint32_t range_to_fill(struct uet_tc *tc, const struct uet_in *ack)
{
    const uint32_t range = mp_range(tc, ack);

    skip_when_guaranteed(tc, ack); /* the edge of the window hangs on CACK_PSN */
    if (range > MOST)
        uet_skip(tc, "MP_Range is %u: more packets than a test may send", range);
    return range;
}

UET_TEST(window_filled_first_last, .id = "pds.3.5.11.window-filled-first-last",
         .requirements = "PDS-063 PDS-108", .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .not_over = "all", /* it is long */
         .purpose = "A window may be full but for its first PSN, which comes last.",
         .preamble = "PDC open; MP_Range from the mpr of the ACK_CC, else from Default_MPR.",
         .stimulus = "Requests n+1 to n + MP_Range - 1, in order; then n; then the next.",
         .expected = "An ACK of each that asks for one; CACK_PSN of the last is the next.")
{
    const struct uet_in *ack;
    struct uet_pdc *p = open_with_ack(tc, &ack);
    const uint32_t range = range_to_fill(tc, ack);
    struct uet_out n = uet_any_request(p);
    fill_window(tc, p, range - 1);
    uet_forget_settled(tc);
    exchange(tc, &n);
    struct uet_out next = uet_any_request(p);
    check_cack(tc, "PDS-108", exchange(tc, &next), next.psn);
}

UET_TEST(window_filled_behind_error, .id = "pds.3.5.11.window-filled-behind-an-error",
         .requirements = "PDS-063 PDS-077", .role = UET_ROLE_TARGET,
         .needs = "rud write any-request", .not_over = "all", /* it is long */
         .purpose = "A window may be full in order, with its first response not cleared.",
         .preamble = "A region; PDC open; MP_Range from the mpr of the ACK_CC, else from "
                     "Default_MPR.",
         .stimulus =
             "n is answered with an error that is not cleared; Requests n+1 to n + MP_Range "
             "- 1, in order; a Clear Command for n; then the next.",
         .expected = "Each that asks for it is acknowledged; the PDC serves on.")
{
    const struct uet_in *ack;
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = open_with_ack(tc, &ack);
    const uint32_t range = range_to_fill(tc, ack);
    p->auto_clear = false;
    struct uet_out n = refused_write(p, &m);
    exchange_refused(tc, &n);
    fill_window(tc, p, range - 1);
    uet_forget_settled(tc);
    p->clear_psn = n.psn;
    struct uet_out clear = uet_cp(p, UET_CTL_CLEAR_COMMAND);
    say(tc, &clear);
    still_serves(tc, "PDS-063", p);
}

UET_TEST(
    psn_far_behind, .id = "pds.3.5.20.3.2.psn-far-behind", .requirements = "PDS-068",
    .role = UET_ROLE_TARGET, .contested = true, .needs = "rud any-request", .over = "read cp",
    .purpose = "A PSN older than the duplicate window is not taken for a new one.",
    .preamble = "PDC open.",
    .stimulus = "A Request with psn = CACK_PSN - 40000 and retx=1; then the next one in order.",
    .expected = "Silence or NACK UET_PSN_OOR_WINDOW (0x0B); CACK_PSN goes on as if nothing "
                "had come.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out old = request_at(p, p->fep_cack - 40000), next = uet_any_request(p);
    uet_rud_rod_req_clear_psn_offset_set(old.pds, -1);
    tolerate(tc, NACK_OF(&old, UET_NACK_PSN_OOR_WINDOW));
    say_again(tc, &old);
    silence(tc, "PDS-068", ACK_OF(&old));
    check_cack(tc, "PDS-068", exchange(tc, &next), next.psn);
}

UET_TEST(first_copy_far_behind, .id = "pds.3.5.20.3.2.first-copy-far-behind",
         .requirements = "PDS-068", .role = UET_ROLE_TARGET, .contested = true,
         .needs = "rud write any-request upper-tester", .not_over = "copy",
         .purpose = "Its PSN tells that a packet is old, and not retx: a first copy may be late.",
         .preamble = "A memory region; PDC open.",
         .stimulus = "A WRITE with psn = CACK_PSN - 40000 and retx=0; then a Request, the next one "
                     "in order.",
         .expected = "Silence or NACK UET_PSN_OOR_WINDOW (0x0B); nothing is written; CACK_PSN goes "
                     "on as if nothing had come.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct kept before = keep(tc, &m, 0, 64);
    struct uet_pdc *p = uet_pdc_open(tc);
    const uint32_t psn = p->next_psn;
    p->next_psn = p->fep_cack - 40000;
    struct uet_out old = uet_write(p, &m, 0, "out of date", 11);
    p->next_psn = psn;
    struct uet_out next = uet_any_request(p);
    uet_rud_rod_req_clear_psn_offset_set(old.pds, -1);
    tolerate(tc, NACK_OF(&old, UET_NACK_PSN_OOR_WINDOW));
    say(tc, &old);
    silence(tc, "PDS-068", ACK_OF(&old));
    unchanged(tc, "PDS-068", &before);
    check_cack(tc, "PDS-068", exchange(tc, &next), next.psn);
}

/* ---- CC state and SACK ---- */

UET_TEST(ack_type_fits_cc, .id = "pds.3.5.12.ack-type-fits-cc", .requirements = "PDS-113",
         .role = UET_ROLE_TARGET, .needs = "rud any-request ack-cc",
         .purpose = "Under congestion control the ACK is an ACK_CC that says of which kind.",
         .preamble = "PDC open; n is the next PSN.",
         .stimulus = "Request n+1 with ar=1, then n; n again with retx=1.",
         .expected = "ACK_CC (type 8) each time, with cc_type 0 (NSCC) or 1 (credit), the same in "
                     "all.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out n = uet_any_request(p), n1 = uet_any_request(p);
    const struct uet_in *first = exchange(tc, &n1);
    uet_check(tc, "PDS-113", uet_is_ack_cc(&first->packet), "the ACK carries no CC state");
    uint8_t cc_type = uet_ack_cc_type(uet_pds(&first->packet));
    uet_check(tc, "PDS-113", cc_type == UET_CC_NSCC || cc_type == UET_CC_CREDIT,
              "cc_type is %u, required 0 (NSCC) or 1 (credit)", cc_type);
    for (int copy = 0; copy < 2; copy++) {
        const struct uet_in *ack = copy ? exchange_again(tc, &n) : exchange(tc, &n);
        uet_check(tc, "PDS-113", uet_is_ack_cc(&ack->packet), "the ACK carries no CC state");
        uet_check_eq(tc, "PDS-113", "cc_type", uet_ack_cc_type(uet_pds(&ack->packet)), cc_type);
    }
}

UET_TEST(ack_of_error_fits_cc, .id = "pds.3.5.12.ack-of-an-error-fits-cc",
         .requirements = "PDS-113", .role = UET_ROLE_TARGET, .needs = "rud write ack-cc",
         .purpose = "Under congestion control the ACK that brings an error response is an ACK_CC.",
         .preamble = "PDC open.",
         .stimulus = "A WRITE with an unknown key; the same again with retx=1.",
         .expected = "ACK_CC (type 8) both times.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = uet_pdc_open(tc);
    p->auto_clear = false;
    struct uet_out bad = refused_write(p, &m);
    for (int copy = 0; copy < 2; copy++) {
        const struct uet_in *ack = copy ? exchange_again(tc, &bad) : exchange_refused(tc, &bad);
        uet_check(tc, "PDS-113", uet_is_ack_cc(&ack->packet), "the ACK carries no CC state");
    }
}

UET_TEST(sack_shows_what_came, .id = "pds.3.5.11.14.sack-shows-what-came",
         .requirements = "PDS-114", .role = UET_ROLE_TARGET, .needs = "rud any-request ack-cc",
         .purpose = "A set bit of sack_bitmap is a PSN that has arrived.", .preamble = "PDC open.",
         .stimulus = "Requests n, n+2 and n+5; ar=1 on the last.",
         .expected =
             "Bits are set only for n+2, n+5 and PSNs up to CACK_PSN; n+2 not set, although "
             "the base that the FEP chose is not above it, is a finding.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o[6];
    for (int i = 0; i < 6; i++)
        o[i] = uet_any_request(p);
    exchange(tc, &o[0]);
    ask_no_ack(&o[2]);
    say(tc, &o[2]);
    const struct uet_in *ack = exchange(tc, &o[5]);
    const uint8_t *h = uet_pds(&ack->packet);
    uet_check(tc, "PDS-114", uet_is_ack_cc(&ack->packet), "the ACK carries no SACK bitmap");
    uint32_t base = uet_psn_add(cack_of(ack), uet_ack_cc_sack_psn_offset(h));
    uint64_t bitmap = uet_ack_cc_sack_bitmap(h);
    for (uint32_t i = 0; i < 64; i++) {
        bool came = base + i == o[2].psn || base + i == o[5].psn;
        bool set = bitmap >> i & 1;
        uet_check(tc, "PDS-114", !set || came || uet_psn_diff(base + i, o[0].psn) <= 0,
                  "bit %u is set: PSN 0x%08x has not arrived", i, base + i);
        if (!set && base + i == o[2].psn) /* a cleared bit says nothing (PDS-115) */
            uet_other_reading(tc, "PDS-114", "bit %u is not set: PSN 0x%08x has arrived", i,
                              base + i);
    }
}
