/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where a PDC of the tester's begins in a secure domain (3.5.8.2). A target of EXPECTED_0RTT_START
 * takes no Start_PSN below its floor, which moves up when a PDC closes: the tester goes above all
 * that it has used, and where a test wants a place below, it walks the floor round to it, by PDCs
 * of one Request. A target of RANDOM_1RTT_START says where to begin, and is asked (TSS-060).
 */
#include "conformance/harness/preamble/preamble.h"
#include "conformance/harness/security.h"

#define HOP        0x60000000u /* less than what counts as ahead: the FEP's floor may lag a bit */
#define NEAR       0x20000000u /* so far above the floor a test may begin: its other PDCs go on */
#define ROOM       256u        /* below the place: a past of the PDC (past.c) begins there */
#define ROOM_LIFE  0x40000u    /* an earlier life of its PDCID is so far below */
#define SOME_START 0x10000u
#define TRIES      8

/* The Start_PSN that the FEP wants instead; false: it answers otherwise, or not. */
static bool other_start(const struct uet_in *in, uint32_t *start)
{
    if (!in || !uet_is_nack(&in->packet) ||
        uet_nack_nack_code(uet_pds(&in->packet)) != UET_NACK_NEW_START_PSN)
        return false;
    *start = uet_nack_payload(uet_pds(&in->packet));
    return true;
}

static const struct uet_in *answer_to(struct uet_tc *tc, const struct uet_out *o)
{
    const struct uet_want answer = {.kind = UET_WANT_ANSWER, .pdc = o->pdc};

    uet_send(tc, o);
    return uet_maybe(tc, &answer, 0);
}

/* Opens and closes a PDC there; *start becomes what the FEP wanted. False: it came to nothing. */
static bool live_once(struct uet_tc *tc, struct uet_domain *d, uint32_t *start)
{
    struct uet_pdc *pdc = uet_peer_pdc_new(tc, tc->session->dut->tester[0]);

    pdc->domain = d;
    pdc->aside = true;
    uet_pdc_start_at(pdc, *start);
    struct uet_out o = uet_any_request(pdc);
    uet_rud_rod_req_retx_set(o.pds, false); /* whose SYN was resent is remembered (3.5.8.2) */
    o.meant = "where PDCs of this secure domain may begin: a PDC that does nothing else";
    const struct uet_in *in = answer_to(tc, &o);
    uint64_t life = uet_param_find("New_PDC_Time")->standard, since = uet_tc_now(tc);
    uet_tc_told(tc, "New_PDC_Time", &life);
    /* once at a floor; more often where a slow tester comes after New_PDC_Time */
    for (int i = 0; i < TRIES && other_start(in, start); i++) {
        since = uet_tc_now(tc);
        uet_pdc_start_at(pdc, *start);
        pdc->fep_pdcid = 0;
        o = uet_any_request(pdc);
        in = answer_to(tc, &o);
    }
    uint32_t another = *start;
    if (other_start(in, &another) && another != *start && uet_tc_now(tc) - since >= life)
        uet_skip(tc, "the FEP says where a PDC is to begin, and soon another place: it answers "
                     "later than New_PDC_Time");
    bool good = in && uet_is_ack(&in->packet) && uet_peer_close(tc, pdc);
    uet_forget_settled(tc);
    if (good)
        pdc->domain = NULL; /* what it did to the floor is known: no PDC of the test */
    return good;
}

/* One that was refused, as where the FEP has no PDC left, has not moved the floor. */
static bool live_and_close(struct uet_tc *tc, struct uet_domain *d, uint32_t *start)
{
    const uint32_t floor = d->floor;
    const bool good = live_once(tc, d, start);

    if (!good) {
        d->floor = floor;
        d->floor_known = false; /* whatever it did: the next PDC asks */
    }
    return good;
}

static void begin(struct uet_tc *tc)
{
    uet_preamble_begin(tc);
    tc->arranging = true;
}

static void end(struct uet_tc *tc)
{
    tc->arranging = false;
    uet_preamble_end(tc);
}

/* Lives there, or where the FEP says; false: it came to nothing. */
static bool live_at(struct uet_tc *tc, struct uet_domain *d, uint32_t start, bool *elsewhere)
{
    const uint32_t wanted = start;
    bool good = live_and_close(tc, d, &start);

    *elsewhere = start != wanted;
    if (good)
        d->floor = d->begun = start + 2; /* its Request and the Close Command */
    return good;
}

/*
 * The first PDC of a run in this domain: other runs may have moved the floor. So it is where the
 * FEP is reached otherwise (`setups`): it may have a floor for each of its addresses. Who says
 * again where to begin, above what was just learnt, has no floor but says it of each PDC.
 */
static void learn(struct uet_tc *tc, struct uet_domain *d)
{
    const bool arranging = tc->arranging;
    bool elsewhere, again = false;

    if ((d->floor_known && d->floor_at == tc->session) || tc->learning)
        return;
    tc->learning = true;
    begin(tc);
    if (tc->session->ut) /* else one that answers late has forgotten by then what it said */
        uet_try_param(tc, "New_PDC_Time", UET_NEW_PDC_TIME_MOST);
    d->floor_at = tc->session;
    d->floor_known = live_at(tc, d, d->floor, &elsewhere);
    if (d->floor_known && elsewhere)
        d->floor_known = live_at(tc, d, d->floor + ROOM, &again);
    d->says_start = again;
    end(tc);
    tc->arranging = arranging;
    tc->learning = false;
}

/* Is one of the test's PDCs open? When it closes, the floor is where it ended. */
static bool one_is_open(const struct uet_tc *tc, const struct uet_domain *d)
{
    for (const struct uet_pdc *pdc = tc->pdcs; pdc; pdc = pdc->next)
        if (pdc->domain == d && pdc->initiator && pdc->fep_pdcid && !pdc->closed)
            return true;
    return false;
}

/* Does the FEP take it? Its floor is where those of the test's PDCs ended that have closed. */
static bool is_taken(const struct uet_tc *tc, const struct uet_domain *d, uint32_t place)
{
    uint32_t floor = d->begun;

    for (const struct uet_pdc *pdc = tc->pdcs; pdc; pdc = pdc->next)
        if (pdc->domain == d && pdc->initiator && pdc->closed &&
            uet_psn_diff(pdc->next_psn, floor) > 0)
            floor = pdc->next_psn;
    return place - floor <= NEAR;
}

/*
 * Makes `place` one that lies above the floor, by `room` at least, and not far. False: a PDC is
 * open that would be left behind.
 */
static bool walk(struct uet_tc *tc, struct uet_domain *d, uint32_t place, uint32_t room)
{
    if (place - room - d->floor <= NEAR)
        return true;
    if (one_is_open(tc, d))
        return false;
    begin(tc);
    while (place - room - d->floor > NEAR) {
        uint32_t ahead = place - room - d->floor,
                 start = d->floor + (ahead < HOP ? ahead - 8 : HOP);

        if (!live_and_close(tc, d, &start))
            uet_inconc(tc,
                       "a PDC of SDI 0x%06x did not open and close, by which its floor of "
                       "Start_PSN should have moved on",
                       (unsigned)d->told->sdi);
        d->floor = d->begun = start + 2;
    }
    end(tc);
    return true;
}

/* RANDOM_1RTT_START: a NOOP with syn asks; the PDC is PENDING then, and begins there. */
void uet_secure_ask(struct uet_tc *tc, struct uet_pdc *pdc)
{
    uint32_t start;

    begin(tc);
    struct uet_out query = uet_cp(pdc, UET_CTL_NOOP);
    /* PENDING until the test goes on, as far as somebody can see to that */
    pdc->stays_pending = tc->session->ut &&
                         uet_try_param(tc, "New_PDC_Time", UET_NEW_PDC_TIME_MOST) &&
                         uet_tc_quiet(tc) < uet_tc_param(tc, "New_PDC_Time");
    query.meant = "asks where to begin (RANDOM_1RTT_START)";
    if (!other_start(answer_to(tc, &query), &start))
        uet_inconc(tc, "the FEP does not tell where a PDC of SDI 0x%06x is to begin",
                   (unsigned)pdc->domain->told->sdi);
    pdc->fep_pdcid = 0;
    pdc->was_told = !pdc->stays_pending;
    uet_pdc_start_at(pdc, start);
    end(tc);
}

/* The place of the point is for the first PDC of a test; one that a test names is what it needs. */
static bool must_be_there(struct uet_tc *tc, const uint32_t *wanted)
{
    const struct uet_place *place = uet_tc_place(tc, UET_OVER_PSN);

    return wanted && !(place && place->value == *wanted);
}

void uet_secure_start(struct uet_tc *tc, struct uet_pdc *pdc, const uint32_t *wanted)
{
    struct uet_domain *d = pdc->domain;
    const uint32_t room =
        tc->test->point.place[UET_OVER_PAST] == UET_PAST_REOPENED ? ROOM_LIFE : ROOM;

    if (tc->starts_by_hand)
        return;
    learn(tc, d);
    const bool named = must_be_there(tc, wanted);
    if (d->says_start) {
        if (named)
            uet_skip(tc, "where a PDC begins is the FEP's choice under RANDOM_1RTT_START");
        pdc->unstarted = true; /* its mode is not known yet */
        return;
    }
    const bool there =
        wanted && ((named && is_taken(tc, d, *wanted)) || walk(tc, d, *wanted, named ? 0 : room));
    uint32_t start =
        there ? *wanted : d->floor + ROOM_LIFE + (uint32_t)(uet_tc_random(tc) % SOME_START);
    if (!there && named)
        uet_skip(tc,
                 "a PDC is open, and another one cannot begin at PSN 0x%08x: in a secure domain "
                 "that lies below its floor of Start_PSN (3.5.8.2)",
                 *wanted);
    uet_pdc_start_at(pdc, start);
    if (uet_psn_diff(start + 1, d->floor) > 0)
        d->floor = start + 1; /* of PDCs that a test makes before it opens them: in that order */
}
