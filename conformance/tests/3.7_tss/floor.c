/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.8 under 3.7: EXPECTED_0RTT_START, where a target has a floor of Start_PSN. */
#include "conformance/harness/security.h"
#include "conformance/harness/steps/acks.h"
#include "conformance/tests/3.7_tss/tss.h"
#include "conformance/tests/pds.h"

/* Where this target takes whatever is not below its floor; else it says where each PDC begins. */
static struct uet_pdc *with_floor(struct uet_tc *tc, struct uet_pdc *p)
{
    if (p->domain->says_start)
        uet_skip(tc, "the FEP says of each PDC where to begin, as it may");
    return p;
}

/* A PDC that lived and closed, below whose PSNs none may begin: the last that it used. */
static uint32_t ended(struct uet_tc *tc, struct uet_pdc *p)
{
    struct uet_out o = uet_any_request(p);

    uet_preamble_begin(tc);
    ask(tc, "TSS-066", &o);
    struct uet_out close = uet_cp(p, UET_CTL_CLOSE_COMMAND);
    ask(tc, "TSS-066", &close);
    p->closed = true;
    uet_preamble_end(tc);
    return close.psn;
}

/* The Start_PSN that a target wants instead of one that is below its floor. */
static uint32_t refused_start(struct uet_tc *tc, const char *requirement, struct uet_pdc *p,
                              uint32_t below)
{
    struct uet_out syn = uet_any_request(p);
    uint32_t start;

    say(tc, &syn);
    const struct uet_in *nack = hear_new_start(tc, requirement, &syn, &start);
    uet_look_at(tc, nack);
    uet_check(
        tc, "TSS-058", uet_psn_diff(start, below) > 0,
        "Start_PSN 0x%08x is wanted, which is not above 0x%08x, where a PDC began that closed",
        start, below);
    return start;
}

/* A PDC that begins there is open at once. */
static void opens_at(struct uet_tc *tc, const char *requirement, struct uet_pdc *p, uint32_t start)
{
    start_at(p, start);
    struct uet_out syn = uet_any_request(p);
    check_cack(tc, requirement, ask(tc, requirement, &syn), start);
}

UET_TEST(floor_moves, .id = "tss.3.5.8.floor-moves-at-close",
         .requirements = "TSS-066 TSS-058 TSS-057 TSS-061", .role = UET_ROLE_TARGET,
         .needs = "rud any-request tss", .not_over = "used after-read aged reopened",
         .purpose = "When a secured PDC has closed no other one begins where it did, but above.",
         .preamble = "In a domain of EXPECTED_0RTT_START a PDC opens and closes.",
         .stimulus =
             "A SYN with the same Start_PSN; one with the Start_PSN of the answer; a SYN of "
             "another PDC with that Start_PSN.",
         .expected = "NACK UET_NEW_START_PSN with a Start_PSN above; an ACK each.")
{
    in_domain_that_starts(tc, UET_KEY_EXPECTED_0RTT);
    struct uet_pdc *old = with_floor(tc, uet_pdc_new(tc));

    ended(tc, old);
    start_by_hand(tc);
    struct uet_pdc *p = uet_pdc_new_at(tc, old->start_psn);
    const uint32_t start = refused_start(tc, "TSS-066", p, old->start_psn);
    opens_at(tc, "TSS-061", p, start);
    opens_at(tc, "TSS-057", uet_pdc_new(tc), start);
}

/* Where a PDC begins is psn - psn_offset, wherever its first packet lies. */
UET_TEST(floor_of_offset, .id = "tss.3.5.8.floor-holds-with-offset",
         .requirements = "TSS-056 TSS-066", .role = UET_ROLE_TARGET, .needs = "rud any-request tss",
         .not_over = "used after-read aged reopened",
         .purpose = "A PDC that begins below the floor is refused, though its packet lies above.",
         .preamble = "In a domain of EXPECTED_0RTT_START a PDC opens and closes.",
         .stimulus = "A SYN of another PDC with the same Start_PSN, whose PSN by its psn_offset is "
                     "one above the last of the old one; a SYN with the Start_PSN of the answer.",
         .expected = "NACK UET_NEW_START_PSN with a Start_PSN above; an ACK.")
{
    in_domain_that_starts(tc, UET_KEY_EXPECTED_0RTT);
    struct uet_pdc *old = with_floor(tc, uet_pdc_new(tc));
    const uint32_t last = ended(tc, old);

    start_by_hand(tc);
    struct uet_pdc *p = uet_pdc_new_at(tc, old->start_psn);
    while (uet_psn_diff(p->next_psn, last) <= 0)
        (void)uet_any_request(p);
    opens_at(tc, "TSS-056", p, refused_start(tc, "TSS-056", p, old->start_psn));
}

UET_TEST(floor_keeps_highest, .id = "tss.3.5.8.floor-keeps-the-highest", .requirements = "TSS-066",
         .role = UET_ROLE_TARGET, .needs = "rud any-request tss",
         .not_over = "psn used after-read aged reopened",
         .purpose = "A PDC that closes later, and began lower, takes the floor back nowhere.",
         .preamble = "In a domain of EXPECTED_0RTT_START two PDCs open, the second above the "
                     "first; the second closes, then the first.",
         .stimulus = "A SYN of another PDC with the Start_PSN of the second; one with the "
                     "Start_PSN of the answer.",
         .expected = "NACK UET_NEW_START_PSN with a Start_PSN above; an ACK.")
{
    need_pdcs(tc, 2);
    in_domain_that_starts(tc, UET_KEY_EXPECTED_0RTT);
    struct uet_pdc *low = with_floor(tc, uet_pdc_open(tc)), *high = uet_pdc_new(tc);

    if (uet_psn_diff(high->start_psn, low->next_psn) <= 0)
        uet_inconc(tc, "the second PDC does not begin above the first");
    ended(tc, high);
    ended(tc, low);
    start_by_hand(tc);
    struct uet_pdc *p = uet_pdc_new_at(tc, high->start_psn);
    opens_at(tc, "TSS-066", p, refused_start(tc, "TSS-066", p, high->start_psn));
}

#define APART 0x100000u

UET_TEST(floor_of_one, .id = "tss.3.5.8.floor-of-one-domain", .requirements = "TSS-057 TSS-066",
         .role = UET_ROLE_TARGET, .needs = "rud any-request tss",
         .not_over = "psn used after-read aged reopened",
         .purpose = "Each domain has a floor of its own.",
         .preamble = "In two domains of EXPECTED_0RTT_START a PDC opens and closes; that of the "
                     "second begins 2^20 above the end of the first.",
         .stimulus = "In the first domain a SYN that begins 256 above that end.",
         .expected = "An ACK.")
{
    in_domain_that_starts(tc, UET_KEY_EXPECTED_0RTT);
    struct uet_pdc *first = with_floor(tc, uet_pdc_new(tc));
    const uint32_t end = ended(tc, first);

    in_other_domain_that_starts(tc, UET_KEY_EXPECTED_0RTT);
    ended(tc, with_floor(tc, uet_pdc_new_at(tc, end + APART)));
    in_domain_again(tc, first->domain);
    start_by_hand(tc);
    opens_at(tc, "TSS-057", uet_pdc_new(tc), end + 256);
}

UET_TEST(floor_wraps, .id = "tss.3.5.8.floor-over-the-wrap", .requirements = "TSS-057 TSS-058",
         .role = UET_ROLE_TARGET, .needs = "rud any-request tss",
         .not_over = "psn used after-read aged reopened",
         .purpose = "Start_PSN and floor are compared as serial numbers.",
         .preamble = "A PDC opens at PSN 2^32 - 2, and closes.",
         .stimulus = "A SYN of another PDC with Start_PSN 2^32 - 2; one with the Start_PSN of the "
                     "answer; a SYN of a third one with Start_PSN 16.",
         .expected = "NACK UET_NEW_START_PSN with a Start_PSN above, modulo 2^32; an ACK each.")
{
    in_domain_that_starts(tc, UET_KEY_EXPECTED_0RTT);
    struct uet_pdc *old = with_floor(tc, uet_pdc_new_at(tc, UINT32_MAX - 1));

    ended(tc, old);
    start_by_hand(tc);
    struct uet_pdc *p = uet_pdc_new_at(tc, old->start_psn);
    const uint32_t start = refused_start(tc, "TSS-058", p, old->start_psn);
    opens_at(tc, "TSS-057", p, start);
    opens_at(tc, "TSS-057", uet_pdc_new(tc), 16);
}

UET_TEST(floor_told, .id = "tss.3.5.8.close-ack-tells-floor",
         .requirements = "TSS-067 TSS-057 TSS-058", .role = UET_ROLE_TARGET,
         .needs = "rud any-request tss", .not_over = "used after-read aged reopened company",
         .purpose = "The ACK of a Close Command tells where the next PDC of the domain may begin.",
         .preamble = "In a domain of EXPECTED_0RTT_START a PDC is open.",
         .stimulus = "A Close Command; a SYN of another PDC with one less than the Start_PSN that "
                     "was told, then with that of the answer; one of a third PDC with that told.",
         .expected = "An ACK of the one known form (flag 0x40, 4 bytes more; another one is a "
                     "finding) with a value above Start_PSN, at most the last PSN + 1; NACK "
                     "UET_NEW_START_PSN with that value or one above; an ACK each.")
{
    in_domain_that_starts(tc, UET_KEY_EXPECTED_0RTT);
    struct uet_pdc *p = with_floor(tc, uet_pdc_open(tc));
    struct uet_out close = uet_cp(p, UET_CTL_CLOSE_COMMAND);
    const struct uet_in *ack = ask(tc, "TSS-067", &close);

    p->closed = true;
    if (ack->packet.pds != UET_H_ACK_EPSN_REFPROV) {
        uet_other_reading(tc, "TSS-067",
                          "the ACK of the Close Command tells no floor that is known");
        return;
    }
    const uint32_t floor = uet_ack_epsn_expected_psn(uet_pds(&ack->packet));
    uet_check(tc, "TSS-067",
              uet_psn_diff(floor, p->start_psn) > 0 && uet_psn_diff(floor, close.psn + 1) <= 0,
              "0x%08x is not in (0x%08x, 0x%08x]", floor, p->start_psn, close.psn + 1);
    start_by_hand(tc);
    struct uet_pdc *low = uet_pdc_new(tc);
    start_at(low, floor - 1);
    const uint32_t wanted = refused_start(tc, "TSS-058", low, floor - 1);
    opens_at(tc, "TSS-058", low, wanted);
    opens_at(tc, "TSS-057", uet_pdc_new(tc), floor);
}

/* The tester's ACK of the FEP's Close Command tells this floor. */
static void ack_close(struct uet_tc *tc, const struct uet_in *close, uint32_t floor)
{
    struct uet_out ack = uet_ack(close->pdc, close);

    uet_ack_epsn_set(ack.pds, true);
    uet_ack_epsn_expected_psn_set(ack.pds, floor);
    ack.pds_len = UET_ACK_EPSN_REFPROV_BYTES;
    ack.meant = "tells where the next PDC may begin";
    say(tc, &ack);
}

/* Closes a PDC of the FEP, and tells it so where to begin the next one. */
static void close_telling(struct uet_tc *tc, struct uet_pdc *pdc, uint32_t floor)
{
    uet_did(tc, uet_ut_close_pdcs(uet_tc_ut(tc), NULL), "close");
    uet_auto_ack(tc, false);
    ack_close(tc, hear(tc, "PDS-199", CP_ON(pdc, UET_CTL_CLOSE_COMMAND)), floor);
    pdc->closed = true;
    uet_auto_ack(tc, true);
    uet_forget_settled(tc);
}

#define AHEAD 0x20000u /* of what the FEP has used: more than tells two lives of a PDCID apart */

/* The FEP writes on a PDC of its own, which must be a new one, and begins it not below. */
static struct uet_pdc *begins_above(struct uet_tc *tc, uint32_t floor)
{
    struct uet_pdc *pdc;
    uint64_t handle;
    const struct uet_in *syn = fep_writes_on(tc, &pdc, 16, &handle);

    if (!uet_has_syn(&syn->packet))
        uet_inconc(tc, "the FEP did not open another PDC");
    uet_look_at(tc, syn);
    uet_check(tc, "TSS-068", uet_psn_diff(uet_start_psn(&syn->packet), floor) >= 0,
              "Start_PSN 0x%08x lies below 0x%08x", uet_start_psn(&syn->packet), floor);
    completes(tc, "TSS-068", handle, UET_UT_OK);
    return pdc;
}

#define HOP 0x60000000u /* less than what counts as ahead */

/*
 * Moves start_psn of the FEP on to 0, as it was at first, for the tests that follow. On the way it
 * is told floors that lie far apart, and begins at none below: one that begins anywhere does.
 */
static void back_to_zero(struct uet_tc *tc, struct uet_pdc *pdc, uint32_t start)
{
    while (start) {
        start = start > INT32_MAX ? 0 : start + HOP;
        close_telling(tc, pdc, start);
        if (start)
            pdc = begins_above(tc, start);
    }
}

UET_TEST(floor_heard, .id = "tss.3.5.8.floor-adopted", .requirements = "TSS-068",
         .role = UET_ROLE_INITIATOR, .needs = "rud write tss",
         .not_over = "used after-read aged psn reopened",
         .purpose = "An initiator begins its next PDC of the domain where the target told it to.",
         .preamble = "In a domain of EXPECTED_0RTT_START the FEP writes, and is asked to close.",
         .stimulus = "The ACK of its Close Command tells a floor 2^17 PSNs ahead; it writes again. "
                     "So it goes on, with floors 3 * 2^29 PSNs ahead, until one is 0.",
         .expected = "SYNs with a Start_PSN that is not below the floor of before.")
{
    in_domain_that_starts(tc, UET_KEY_EXPECTED_0RTT);
    struct uet_pdc *pdc = fep_opens(tc);
    const uint32_t floor = pdc->start_psn + AHEAD;
    close_telling(tc, pdc, floor);
    pdc = begins_above(tc, floor);
    back_to_zero(tc, pdc, floor);
}

/* A WRITE of the FEP's in that traffic class, which completes; its PDC. */
static struct uet_pdc *writes_in_class(struct uet_tc *tc, uint8_t traffic_class)
{
    struct uet_ut_operation op = uet_op(tc, 16);

    op.traffic_class = traffic_class;
    const uint64_t handle = uet_do_write(tc, &op);
    struct uet_pdc *pdc = uet_expect_any_request(tc, NULL)->pdc;
    uet_expect_completion(tc, handle);
    return pdc;
}

UET_TEST(floor_only_up, .id = "tss.3.5.8.lower-floor-not-adopted", .requirements = "TSS-068",
         .role = UET_ROLE_INITIATOR, .needs = "rud write tss",
         .not_over = "used after-read aged psn reopened",
         .purpose = "A lower floor that a target tells later takes an initiator back nowhere.",
         .preamble = "In a domain of EXPECTED_0RTT_START the FEP writes in two traffic classes, "
                     "each on a PDC of its own, and is asked to close both.",
         .stimulus = "The ACK of one Close Command tells a floor 2^17 PSNs ahead, that of the "
                     "other one 2^16 PSNs below that; the FEP writes again. After that, floors of "
                     "other PDCs lead back to 0.",
         .expected = "A SYN with a Start_PSN that is not below the higher floor.")
{
    in_domain_that_starts(tc, UET_KEY_EXPECTED_0RTT);
    struct uet_pdc *first = writes_in_class(tc, 0), *second = writes_in_class(tc, 1);

    if (first == second)
        uet_skip(tc, "the FEP has one PDC for both traffic classes");
    const bool rises = uet_psn_diff(second->start_psn, first->start_psn) > 0;
    const uint32_t floor = (rises ? second : first)->start_psn + AHEAD; /* far from both */
    uet_forget_settled(tc);
    uet_did(tc, uet_ut_close_pdcs(uet_tc_ut(tc), NULL), "close");
    uet_auto_ack(tc, false);
    ack_close(tc, hear(tc, "PDS-199", CP_ON(first, UET_CTL_CLOSE_COMMAND)), floor);
    ack_close(tc, hear(tc, "PDS-199", CP_ON(second, UET_CTL_CLOSE_COMMAND)), floor - AHEAD / 2);
    first->closed = second->closed = true;
    uet_auto_ack(tc, true);
    uet_forget_settled(tc);
    back_to_zero(tc, begins_above(tc, floor), floor);
}
