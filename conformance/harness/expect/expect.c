/* SPDX-License-Identifier: BSD-2-Clause */
/* Waiting for packets, and telling what nobody expected. */
#include <stdio.h>
#include <string.h>

#include "conformance/harness/context/tc_internal.h"

/* ---- matching ---- */

static bool code_among(const struct uet_want *w, uint8_t code)
{
    if (w->n_codes == 0)
        return true;
    return memchr(w->codes, code, w->n_codes) != NULL;
}

static bool psn_matches(const struct uet_want *w, const struct uet_packet *p)
{
    if (!w->with_psn)
        return true;
    if (uet_is_ack(p) && uet_ack_p(uet_pds(p)))
        return false; /* a Probe's answer names no PSN */
    if (w->covering && uet_is_ack(p) && uet_psn_diff(uet_ack_cack_psn(uet_pds(p)), w->psn) >= 0)
        return true;
    bool by_id = uet_is_rudi(p) || uet_is_nack_rudi(p);
    return (by_id ? uet_pkt_id(p) : uet_packet_psn(p)) == w->psn;
}

static bool kind_matches(const struct uet_want *w, const struct uet_packet *p)
{
    if (!uet_is_of(w->kind, p))
        return w->kind == UET_WANT_ANY; /* of no kind at all, too */
    if (w->kind == UET_WANT_NACK)
        return code_among(w, uet_nack_nack_code(uet_pds(p)));
    return w->kind != UET_WANT_CP || code_among(w, uet_cp_ctl_type(uet_pds(p)));
}

/*
 * A Request or Control Packet that names no PDC of the tester's is what no test waits for: it is
 * judged as unexpected, and a body may take the PDC of what it gets.
 */
static bool is_stray(const struct uet_want *w, const struct uet_in *in)
{
    return !in->pdc && (w->kind == UET_WANT_REQUEST || w->kind == UET_WANT_CP);
}

static bool matches(const struct uet_want *w, const struct uet_in *in)
{
    if (in->packet.error != UET_PARSE_OK || is_stray(w, in))
        return false;
    return kind_matches(w, &in->packet) && (!w->pdc || w->pdc == in->pdc) &&
           psn_matches(w, &in->packet) && (!w->also || w->also(in, w->ctx));
}

static void name_codes(const struct uet_want *w, char *out, size_t n)
{
    uint8_t e = w->kind == UET_WANT_NACK ? UET_ENUM_PDS_NACK_CODE : UET_ENUM_PDS_CTL_TYPE;

    out[0] = '\0';
    for (size_t i = 0; i < w->n_codes; i++) {
        size_t at = strlen(out);

        snprintf(out + at, n - at, "%s%s", i ? " or " : " ", uet_enum_name(e, w->codes[i]));
    }
}

/* "ACK of PSN 0x12345678": what a test waits for, in words. */
static const char *name_want(const struct uet_want *w, char *out, size_t n)
{
    static const char *const kinds[] = {
        [UET_WANT_ANY] = "packet",
        [UET_WANT_ACK] = "ACK",
        [UET_WANT_NACK] = "NACK",
        [UET_WANT_REQUEST] = "Request",
        [UET_WANT_CP] = "CP",
        [UET_WANT_RUDI_REQUEST] = "RUDI Request",
        [UET_WANT_RUDI_RESPONSE] = "RUDI Response",
        [UET_WANT_UUD] = "UUD Request",
        [UET_WANT_ANSWER] = "ACK or NACK",
    };
    bool by_id = w->kind == UET_WANT_RUDI_REQUEST || w->kind == UET_WANT_RUDI_RESPONSE;
    char codes[120], psn[48] = "";

    if (w->named)
        return w->named;
    name_codes(w, codes, sizeof(codes));
    if (w->with_psn)
        snprintf(psn, sizeof(psn), " %s %s 0x%08x", w->covering ? "covering" : "of",
                 by_id ? "pkt_id" : "PSN", w->psn);
    snprintf(out, n, "%s%s%s", kinds[w->kind], codes, psn);
    return out;
}

static struct uet_in *find(struct uet_tc *tc, const struct uet_want *w)
{
    /* A PSN stays covered: an ACK that another expectation took may say so, too. */
    for (struct uet_in *in = tc->in_first; in; in = in->next)
        if (in->frame > tc->forgotten && (!in->consumed || w->covering) && matches(w, in))
            return in;
    return NULL;
}

/* ---- waiting ---- */

static struct uet_in *wait_for(struct uet_tc *tc, const struct uet_want *w, uint64_t within_ns)
{
    uint64_t until =
        uet_tc_now(tc) + (within_ns ? uet_tc_scale(tc, within_ns) : uet_tc_patience(tc));
    struct uet_in *in = find(tc, w);
    bool more = true;

    while (!in && more) {
        more = uet_tc_pump(tc, until);
        in = find(tc, w);
    }
    return in;
}

static const struct uet_in *consume(struct uet_tc *tc, const struct uet_want *w, struct uet_in *in)
{
    char named[200], note[240];

    in->consumed = true;
    tc->current = in;
    snprintf(note, sizeof(note), "matches: %s", name_want(w, named, sizeof(named)));
    uet_record_note(&tc->record, in->frame, note);
    return in;
}

const struct uet_in *uet_maybe(struct uet_tc *tc, const struct uet_want *want, uint64_t within_ns)
{
    /* No factor for a slow host: nobody fails when nothing comes. */
    uint64_t within = within_ns ? within_ns : tc->session->dut->response_time_ns;
    struct uet_in *in = wait_for(tc, want, within);

    return in ? consume(tc, want, in) : NULL;
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

/* "the packet again" as it stands behind "no". */
static const char *without_article(const char *named)
{
    static const char *const articles[] = {"the ", "a ", "an "};

    for (size_t i = 0; i < sizeof(articles) / sizeof(*articles); i++)
        if (strncmp(named, articles[i], strlen(articles[i])) == 0)
            return named + strlen(articles[i]);
    return named;
}

/* Does it tell that the FEP, which took one packet of a PDC, has no room for more (Table 3-58)? */
static bool tells_no_room(const struct uet_in *in)
{
    static const uint8_t no_room[] = {UET_NACK_NO_PKT_BUFFER, UET_NACK_NO_GTD_DEL_AVAIL,
                                      UET_NACK_NO_SES_MSG_AVAIL, UET_NACK_NO_RESOURCE};
    const struct uet_want refusal = {
        .kind = UET_WANT_NACK, .codes = no_room, .n_codes = sizeof(no_room)};

    return in->pdc && in->pdc->sent && in->pdc->sent->next && matches(&refusal, in);
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
        if (in->consumed || !tells_no_room(in))
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

const struct uet_in *uet_expect(struct uet_tc *tc, const struct uet_want *want, uint64_t within_ns)
{
    uint64_t begin = uet_tc_now(tc);
    struct uet_in *in = wait_for(tc, want, within_ns);
    char named[200];

    if (in)
        return consume(tc, want, in);
    skip_without_room(tc, want);
    if (want->again)
        uet_need_retries(tc);
    double ms = (double)(uet_tc_now(tc) - begin) / 1e6;
    tc->current = last_untaken(tc);
    const char *broke = tc->current ? tc->current->broke : NULL;
    uet_fail(tc, tc->claim, "no %s came within %.3f ms%s%s%s",
             without_article(name_want(want, named, sizeof(named))), ms,
             tc->current ? ", but another packet did" : "", broke ? UET_WHICH_BREAKS : "",
             broke ? broke : "");
}

void uet_expect_nothing(struct uet_tc *tc, const char *requirement, const struct uet_want *want,
                        uint64_t duration_ns)
{
    struct uet_in *in = wait_for(tc, want, duration_ns ? duration_ns : uet_tc_quiet(tc));
    char named[200];

    if (!in)
        return;
    in->consumed = true;
    tc->current = in;
    uet_check(tc, requirement, false, "%s came and must not",
              name_want(want, named, sizeof(named)));
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
}

void uet_forget_settled(struct uet_tc *tc)
{
    uet_tc_settle(tc);
    uet_forget(tc);
}

/* ---- what nobody expected ---- */

void uet_tolerate(struct uet_tc *tc, const struct uet_want *want)
{
    if (tc->n_tolerated == UET_MAX_TOLERATED)
        uet_error(tc, "a test tolerates at most %d kinds of packets", UET_MAX_TOLERATED);
    tc->tolerated[tc->n_tolerated++] = *want;
}

static bool sent_twice(const struct uet_pdc *pdc, uint32_t psn)
{
    unsigned n = 0;

    for (const struct uet_sent *s = pdc->sent; s; s = s->next)
        n += s->out.psn == psn;
    return n > 1;
}

/*
 * A receiver may infer a loss from a gap (PDS-229), and may tell that SES still works on the first
 * copy of a duplicate (PDS-131).
 */
bool uet_tc_free_nack(const struct uet_in *in)
{
    if (!in->pdc || in->packet.error != UET_PARSE_OK || !uet_is_nack(&in->packet))
        return false;
    uint8_t code = uet_nack_nack_code(uet_pds(&in->packet));
    uint32_t psn = uet_packet_psn(&in->packet);

    if (code == UET_NACK_RCVR_INFER_LOSS)
        return uet_psn_diff(psn, in->pdc->fep_cack) > 0;
    return code == UET_NACK_RCVD_SES_PROCG && sent_twice(in->pdc, psn);
}

/*
 * What a conforming FEP may send at any time: ACKs, CPs, resends, NACKs that change nothing; as
 * initiator also requests. The rules judge them. A packet for a PDC of an earlier test is late, not
 * wrong.
 */
bool uet_tc_tolerates(const struct uet_tc *tc, const struct uet_in *in)
{
    const struct uet_packet *p = &in->packet;

    for (size_t i = 0; i < tc->n_tolerated; i++)
        if (matches(&tc->tolerated[i], in))
            return true;
    if (p->error != UET_PARSE_OK)
        return false;
    if (p->pds == UET_H_RUD_ROD_REQ_SYN && !in->pdc)
        return tc->test->role == UET_ROLE_INITIATOR;
    if (!in->pdc || uet_is_ack(p) || uet_is_cp(p) || in->retransmission)
        return true;
    if (in->tolerated)
        return true;
    return uet_is_request(p) && tc->test->role == UET_ROLE_INITIATOR;
}

void uet_tc_judge_unexpected(struct uet_tc *tc)
{
    for (const struct uet_in *in = tc->in_first; in; in = in->next) {
        if (in->consumed)
            continue;
        if (uet_tc_tolerates(tc, in) || tells_no_room(in)) {
            uet_record_note(&tc->record, in->frame, "tolerated");
            continue;
        }
        if (in->packet.error != UET_PARSE_OK)
            uet_tc_worsen(tc, UET_FAIL, tc->claim, in,
                          "the FEP sent a packet that is malformed: %s",
                          uet_parse_error_text((enum uet_parse_error)in->packet.error));
        else if (tc->result->verdict != UET_SKIP) /* which left before it was called for */
            uet_tc_worsen(tc, UET_FAIL, tc->claim, in, "a packet came that nothing calls for");
    }
}
