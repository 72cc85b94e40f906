/* SPDX-License-Identifier: BSD-2-Clause */
/* Waiting for packets. */
#include <stdio.h>
#include <string.h>

#include "conformance/harness/expect/expect.h"

static struct uet_in *after(const struct uet_tc *tc, const struct uet_in *in)
{
    return in ? in->next : tc->in_first;
}

/* The first that nothing has taken and nobody forgot: thousands may stand before it. */
static struct uet_in *first_untaken(struct uet_tc *tc)
{
    struct uet_in *next;

    while ((next = after(tc, tc->in_taken)) && next->consumed)
        tc->in_taken = next;
    if (tc->in_forgotten && (!tc->in_taken || tc->in_taken->frame < tc->in_forgotten->frame))
        return tc->in_forgotten->next;
    return next;
}

static struct uet_in *find(struct uet_tc *tc, const struct uet_want *w)
{
    /* A PSN stays covered: an ACK that another expectation took may say so, too. */
    for (struct uet_in *in = w->covering ? after(tc, tc->in_forgotten) : first_untaken(tc); in;
         in = in->next)
        if ((!in->consumed || w->covering) && uet_want_matches(w, in))
            return in;
    return NULL;
}

static struct uet_in *wait_until(struct uet_tc *tc, const struct uet_want *w, uint64_t until)
{
    struct uet_in *in = find(tc, w);
    bool more = true;

    while (!in && more) {
        more = uet_tc_pump(tc, until);
        in = find(tc, w);
    }
    return in;
}

static struct uet_in *wait_for(struct uet_tc *tc, const struct uet_want *w, uint64_t within_ns)
{
    return wait_until(
        tc, w, uet_tc_now(tc) + (within_ns ? uet_tc_scale(tc, within_ns) : uet_tc_patience(tc)));
}

static const struct uet_in *consume(struct uet_tc *tc, const struct uet_want *w, struct uet_in *in)
{
    char named[200], note[240];

    in->consumed = true;
    tc->current = in;
    uet_story_heard(tc, in);
    snprintf(note, sizeof(note), "matches: %s", uet_want_name(w, named, sizeof(named)));
    uet_record_note(&tc->record, in->frame, note);
    return in;
}

/* "the packet again" as it stands behind "no". */
static const char *without_article(const char *named)
{
    static const char *const articles[] = {"the ", "a ", "an "};

    for (size_t i = 0; i < sizeof(articles) / sizeof(*articles); i++)
        if (strncmp(named, articles[i], strlen(articles[i])) == 0)
            return named + strlen(articles[i]);
    return named;
}

const struct uet_in *uet_maybe(struct uet_tc *tc, const struct uet_want *want, uint64_t within_ns)
{
    struct uet_in *in = wait_for(tc, want, within_ns);

    if (in)
        return consume(tc, want, in);
    char named[200];
    uet_story_tell(tc, "nothing", want->pdc, "no %s, which may come",
                   without_article(uet_want_name(want, named, sizeof(named))));
    return NULL;
}

/* The last packet that nothing has taken: the most likely explanation of a missing one. */
static const struct uet_in *last_untaken(const struct uet_tc *tc)
{
    const struct uet_in *last = NULL;

    for (const struct uet_in *in = tc->in_first; in; in = in->next)
        if (!in->consumed && in->frame > tc->forgotten && in->frame > tc->sent_frame)
            last = in;
    return last;
}

/*
 * A FEP may lack room for what a test lets be outstanding; as the tester does not try again, what
 * it waits for cannot come then. A first exchange needs no more room than any FEP has.
 */
static void skip_without_room(struct uet_tc *tc, const struct uet_want *want)
{
    const struct uet_in *first = NULL;

    if (tc->test->sanity || want->kind == UET_WANT_NACK || want->kind == UET_WANT_ANSWER)
        return;
    for (struct uet_in *in = tc->in_first; in; in = in->next) {
        if (in->consumed || !uet_tells_no_room(in))
            continue;
        in->tolerated = true;
        first = first ? first : in;
    }
    if (!first)
        return;
    uet_skip(tc, "the FEP has no room for PSN 0x%08x, and says so (%s, packet %u)",
             uet_packet_psn(&first->packet),
             uet_enum_name(UET_ENUM_PDS_NACK_CODE, uet_nack_nack_code(uet_pds(&first->packet))),
             first->frame);
}

/* A FEP may open its PDC with a NOOP and wait for its ACK (3.5.16.1), which this test does not say.
 */
static void skip_when_noop_waits(struct uet_tc *tc, const struct uet_want *want)
{
    if (want->kind != UET_WANT_REQUEST)
        return;
    for (const struct uet_in *in = tc->in_first; in; in = in->next)
        if (uet_is_cp(&in->packet) && uet_has_syn(&in->packet) && in->pdc && !in->pdc->answered &&
            (!want->pdc || want->pdc == in->pdc))
            uet_skip(tc, "the FEP opens its PDC with a NOOP, and waits for the ACK of that");
}

/* A FEP asks for a close once: one that did so of itself, before the test came to it, is done. */
static void inconc_when_asked_before(struct uet_tc *tc, const struct uet_want *want)
{
    if (want->kind != UET_WANT_CP || !want->pdc || !want->n_codes ||
        !memchr(want->codes, UET_CTL_CLOSE_REQUEST, want->n_codes))
        return;
    for (const struct uet_in *in = tc->in_first; in; in = in->next)
        if (in->pdc == want->pdc && !in->consumed && uet_is_cp(&in->packet) &&
            uet_cp_ctl_type(uet_pds(&in->packet)) == UET_CTL_CLOSE_REQUEST)
            uet_inconc(tc, "the FEP had asked for the close of the PDC before (packet %u)",
                       in->frame);
}

/*
 * Nor can it open one of its own while all that it has are the tester's, or about to close: what
 * may come on such a one need not come then. Read data comes on a PDC that is there.
 */
static void skip_without_pdc(struct uet_tc *tc, const struct uet_want *want)
{
    if (want->kind == UET_WANT_REQUEST && !want->pdc && !tc->test->sanity && uet_limits_no_pdc(tc))
        uet_skip(tc, UET_NEEDS_MORE_PDCS);
}

const struct uet_in *uet_expect(struct uet_tc *tc, const struct uet_want *want, uint64_t within_ns)
{
    uint64_t begin = uet_tc_now(tc);
    struct uet_in *in = wait_for(tc, want, within_ns);
    char named[200];

    if (in)
        return consume(tc, want, in);
    skip_without_room(tc, want);
    skip_without_pdc(tc, want);
    skip_when_noop_waits(tc, want);
    inconc_when_asked_before(tc, want);
    if (want->again)
        uet_need_retries(tc);
    double ms = (double)(uet_tc_now(tc) - begin) / 1e6;
    tc->current = last_untaken(tc);
    const char *broke = tc->current ? tc->current->broke : NULL;
    uet_fail(tc, tc->claim, "no %s came within %.3f ms%s%s%s",
             without_article(uet_want_name(want, named, sizeof(named))), ms,
             tc->current ? ", but another packet did" : "", broke ? UET_WHICH_BREAKS : "",
             broke ? broke : "");
}

/*
 * Where no answer at all may come: a loss that the FEP infers of a gap, of another PDC perhaps, is
 * none (PDS-229). Where nothing may come, whatever the PDC: a Control Packet on one that is open
 * (of an earlier run, perhaps, in a FEP without reset) is the FEP's own, and may come at any time
 * (3.5.16); but `also` names just what may not.
 */
static bool is_beside(const struct uet_tc *tc, const struct uet_want *want, const struct uet_in *in)
{
    if (want->kind == UET_WANT_ANY && !want->pdc && !want->also && uet_is_cp(&in->packet))
        return (in->pdc || tc->keeps_state) && !uet_has_syn(&in->packet);
    return !(want->with_psn && want->pdc) && !want->n_codes && in->pdc &&
           uet_is_nack(&in->packet) &&
           uet_nack_nack_code(uet_pds(&in->packet)) == UET_NACK_RCVR_INFER_LOSS && in->tolerated;
}

void uet_expect_nothing(struct uet_tc *tc, const char *requirement, const struct uet_want *want,
                        uint64_t duration_ns)
{
    uint64_t until =
        uet_tc_now(tc) + uet_tc_scale(tc, duration_ns ? duration_ns : uet_tc_quiet(tc));
    struct uet_in *in = wait_until(tc, want, until);
    char named[200];

    for (; in && is_beside(tc, want, in); in = wait_until(tc, want, until))
        in->consumed = true;
    if (!in) {
        uet_story_tell(tc, "silence", want->pdc, "no %s, as %s wants",
                       without_article(uet_want_name(want, named, sizeof(named))), requirement);
        return;
    }
    in->consumed = true;
    tc->current = in;
    uet_story_heard(tc, in);
    uet_check(tc, requirement, false, "%s came and must not",
              uet_want_name(want, named, sizeof(named)));
}

const struct uet_in *uet_expect_ack(struct uet_tc *tc, const struct uet_pdc *pdc, uint32_t psn)
{
    return uet_expect(
        tc, &(struct uet_want){.kind = UET_WANT_ACK, .pdc = pdc, .with_psn = true, .psn = psn}, 0);
}

static bool carries_response(const struct uet_in *in, const void *ctx)
{
    (void)ctx;
    return uet_is_ses_response(&in->packet) &&
           uet_ses_rsp_opcode(uet_ses(&in->packet)) != UET_RSP_NO_RESPONSE;
}

const struct uet_in *uet_expect_answer(struct uet_tc *tc, const struct uet_pdc *pdc, uint32_t psn)
{
    const struct uet_in *first = uet_expect_ack(tc, pdc, psn);
    const struct uet_want final = {
        .kind = UET_WANT_ACK, .pdc = pdc, .with_psn = true, .psn = psn, .also = carries_response};

    if (!uet_is_ses_response(&first->packet) || carries_response(first, NULL))
        return first;
    const struct uet_in *in = uet_maybe(tc, &final, 0);
    return in ? in : first;
}

const struct uet_in *uet_expect_covered(struct uet_tc *tc, const struct uet_pdc *pdc, uint32_t psn)
{
    return uet_expect(
        tc,
        &(struct uet_want){
            .kind = UET_WANT_ACK, .pdc = pdc, .with_psn = true, .covering = true, .psn = psn},
        0);
}

const struct uet_in *uet_expect_nack_of(struct uet_tc *tc, const struct uet_pdc *pdc, uint32_t psn,
                                        const uint8_t *codes, size_t n)
{
    return uet_expect(tc,
                      &(struct uet_want){.kind = UET_WANT_NACK,
                                         .pdc = pdc,
                                         .with_psn = true,
                                         .psn = psn,
                                         .codes = codes,
                                         .n_codes = n},
                      0);
}

const struct uet_in *uet_expect_nack(struct uet_tc *tc, const struct uet_pdc *pdc, uint32_t psn,
                                     uint8_t code)
{
    return uet_expect_nack_of(tc, pdc, psn, &code, 1);
}

const struct uet_in *uet_expect_request(struct uet_tc *tc, const struct uet_pdc *pdc, uint32_t psn)
{
    return uet_expect(
        tc, &(struct uet_want){.kind = UET_WANT_REQUEST, .pdc = pdc, .with_psn = true, .psn = psn},
        0);
}

static bool first_copy(const struct uet_in *in, const void *ctx)
{
    (void)ctx;
    return !in->retransmission;
}

const struct uet_in *uet_expect_any_request(struct uet_tc *tc, const struct uet_pdc *pdc)
{
    return uet_expect(
        tc,
        &(struct uet_want){
            .kind = UET_WANT_REQUEST, .pdc = pdc, .also = first_copy, .named = "new Request"},
        0);
}

const struct uet_in *uet_next_request(struct uet_tc *tc, const struct uet_pdc *pdc)
{
    const struct uet_want want = {
        .kind = UET_WANT_REQUEST, .pdc = pdc, .also = first_copy, .named = "new Request"};

    return uet_maybe(tc, &want, uet_tc_latest(tc, UET_MS));
}

const struct uet_in *uet_expect_cp(struct uet_tc *tc, const struct uet_pdc *pdc, uint8_t ctl_type)
{
    return uet_expect(
        tc, &(struct uet_want){.kind = UET_WANT_CP, .pdc = pdc, .codes = &ctl_type, .n_codes = 1},
        0);
}

void uet_forget(struct uet_tc *tc)
{
    tc->forgotten = tc->record.n;
    tc->in_forgotten = tc->in_last;
}

void uet_forget_settled(struct uet_tc *tc)
{
    uet_tc_settle(tc);
    uet_forget(tc);
}
