/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The past of a PDC: what went over it before the point of the test is carried. The test is about a
 * PDC that is open; how old that is, no requirement of it says. A FEP whose windows, bitmaps or
 * counters do not move on well is right on a new PDC alone.
 */
#include "conformance/harness/preamble/preamble.h"

#define PAST_AGAIN 2       /* a network may lose a preamble's packet */
#define PAST_BYTES 8       /* of a READ or WRITE that is past */
#define PAST_AWAY  0x30000 /* PSNs */
#define PAST_MANY                                                                                  \
    130 /* more than the least MP_Range (3.5.11, mpr) and than a SACK bitmap tells                 \
         */

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

#define FADE_LEAST (10 * UET_MS)
#define FADE_TIMES 4

static uint64_t less(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/*
 * Was each packet of those closes sent once, by either side, and answered? The tester waits for
 * response_time / 20 at least before it sends one again (closing.c).
 */
static bool closed_at_once(const struct uet_tc *tc, uint64_t since_ns)
{
    if (uet_tc_now(tc) - since_ns > uet_tc_scale(tc, tc->session->dut->response_time_ns / 20))
        return false;
    for (const struct uet_in *in = tc->in_first; in; in = in->next)
        if (in->time_ns >= since_ns && in->retransmission)
            return false;
    for (const struct uet_pdc *pdc = tc->pdcs; pdc; pdc = pdc->next)
        if (pdc->closed && pdc->fep_pdcid && !uet_pdc_all_acknowledged(pdc))
            return false;
    return true;
}

/*
 * What the FEP still says of what is over: it comes not much later than the answers to the closes
 * that began at since_ns, among them those to closes that were sent again.
 */
static void let_fade(struct uet_tc *tc, uint64_t since_ns)
{
    const bool at_once = closed_at_once(tc, since_ns);
    const uint64_t answer = tc->session->dut->response_time_ns;
    uint64_t most = at_once ? answer / 8 : answer; /* that of a copy which has just gone */
    uint64_t fade = FADE_TIMES * (uet_tc_now(tc) - since_ns);
    if (!at_once)
        fade += less(FADE_LEAST, uet_dut_quiet(tc->session->dut));
    fade = (uint64_t)((double)fade * tc->session->slow);

    uet_wait(tc, uet_tc_virtual_time(tc) ? most : less(fade, most));
    for (struct uet_in *in = tc->in_first; in; in = in->next)
        in->tolerated = true; /* a close that was sent twice: the second finds no PDC */
    uet_forget_settled(tc);
}

/* ---- the FEP as target ---- */

/* PSNs of each past, by its value. */
static const uint32_t psns[] = {
    [UET_PAST_USED] = 4, [UET_PAST_READ] = 1, [UET_PAST_AGED] = PAST_MANY};

/* A loss that a FEP inferred of the gap, as it was then, refuses nothing: for .also. */
static bool is_no_free_nack(const struct uet_in *in, const void *none)
{
    (void)none;
    return !(uet_is_nack(&in->packet) && in->tolerated);
}

/* A Request that asks for its ACK gets one (PDS-097), however many there were before: that ACK. */
static const struct uet_in *heard(struct uet_tc *tc, const struct uet_out *o)
{
    const struct uet_want answer = {.kind = UET_WANT_ANSWER,
                                    .pdc = o->pdc,
                                    .with_psn = true,
                                    .covering = true,
                                    .psn = o->psn,
                                    .also = is_no_free_nack};
    const struct uet_in *in = uet_maybe(tc, &answer, 0);

    for (int i = 0; i < PAST_AGAIN && !in; i++) {
        uet_resend(tc, o);
        in = uet_maybe(tc, &answer, 0);
    }
    if (in && uet_is_ack(&in->packet))
        return in;
    if (in && uet_short_of_room(in))
        uet_skip(tc, "the FEP says that it has no room for more on a PDC that was used before");
    tc->arranging = false;
    tc->preamble = 0; /* any test may find that out */
    uet_fail(tc, "PDS-097", "no ACK of PSN %u, the %uth Request of a PDC that was used before",
             o->psn, o->psn - o->pdc->start_psn + 1);
}

static void exchange(struct uet_tc *tc, struct uet_pdc *pdc)
{
    const struct uet_out o = uet_any_request(pdc);

    uet_send(tc, &o);
    heard(tc, &o);
}

/* A Request that comes twice; on RUD one that comes after the next, too. */
static void use(struct uet_tc *tc, struct uet_pdc *pdc)
{
    const struct uet_out first = uet_any_request(pdc), second = uet_any_request(pdc);

    uet_send(tc, pdc->rod ? &first : &second);
    uet_send(tc, pdc->rod ? &second : &first);
    heard(tc, &first);
    heard(tc, &second);
    const struct uet_out third = uet_any_request(pdc);
    uet_send(tc, &third);
    heard(tc, &third);
    uet_resend(tc, &third);
    exchange(tc, pdc);
}

static void read_and_clear(struct uet_tc *tc, struct uet_pdc *pdc)
{
    const struct uet_memory region = uet_need_memory(tc, 64);
    const struct uet_out read = uet_read(pdc, &region, 0, PAST_BYTES);
    bool acks = pdc->auto_ack;

    pdc->auto_ack = true;
    uet_send(tc, &read);
    if (!uet_is_ses_response_data(&heard(tc, &read)->packet)) /* a Request brings it, then */
        (void)uet_maybe(tc, &(const struct uet_want){.kind = UET_WANT_REQUEST, .pdc = pdc}, 0);
    pdc->auto_ack = acks;
}

/*
 * More than MP_Range of them. What goes on meanwhile (an operation that was put off, say) may be
 * given up by a FEP that takes its time to answer each.
 */
static void age(struct uet_tc *tc, struct uet_pdc *pdc)
{
    enum { FIRST = 8, LONGEST = 10 /* times as long as an answer may take */ };
    const uint64_t begin = uet_tc_now(tc), most = LONGEST * tc->session->dut->response_time_ns;

    for (uint32_t n = 0; n < PAST_MANY; n++) {
        exchange(tc, pdc);
        if (n == FIRST && (uet_tc_now(tc) - begin) / FIRST * PAST_MANY > most)
            uet_skip(tc, "the FEP answers too late for %d Requests before", PAST_MANY);
    }
}

/* Another life of its PDCID, 2^16 PSNs and more away from this one (PDS-027). */
static void live_before(struct uet_tc *tc, const struct uet_pdc *pdc)
{
    struct uet_pdc *before = uet_peer_pdc_new(tc, pdc->self);

    before->pdcid = pdc->pdcid;
    before->rod = pdc->rod;
    before->unstarted = pdc->unstarted;
    uet_pdc_start_at(before, pdc->start_psn - PAST_AWAY);
    for (int n = 0; n < 3; n++)
        exchange(tc, before);
    uint64_t since_ns = uet_tc_now(tc);
    if (!uet_peer_close(tc, before))
        uet_inconc(tc, "the PDC that had its PDCID before does not close");
    let_fade(tc, since_ns);
    before->pdcid = 0; /* what comes now is for the new one */
}

void uet_past_before(struct uet_tc *tc, struct uet_pdc *pdc)
{
    const struct uet_place *past = uet_tc_place(tc, UET_OVER_PAST);

    if (!past)
        return;
    if (past->value == UET_PAST_REOPENED) {
        begin(tc);
        live_before(tc, pdc);
        end(tc);
    } else if (!pdc->unstarted) { /* else the FEP says where it begins */
        uet_pdc_start_at(pdc,
                         pdc->start_psn - psns[past->value]); /* the test begins where it would */
    }
}

/*
 * Each Request was answered, the last one last: what the FEP said before is as good as here, and it
 * has nothing to say on. But the tester has acknowledged data that was read.
 */
static void forget_answered(struct uet_tc *tc, bool acknowledged)
{
    if (!acknowledged && !uet_tc_virtual_time(tc))
        uet_wait(tc, (uint64_t)(0.5 * UET_MS * tc->session->slow));
    else
        uet_tc_settle(tc);
    uet_forget(tc);
}

void uet_past(struct uet_tc *tc, struct uet_pdc *pdc)
{
    const struct uet_place *past = uet_tc_place(tc, UET_OVER_PAST);

    if (!past || past->value == UET_PAST_REOPENED)
        return;
    begin(tc);
    switch (past->value) {
    case UET_PAST_USED:
        use(tc, pdc);
        break;
    case UET_PAST_READ:
        read_and_clear(tc, pdc);
        break;
    case UET_PAST_AGED:
        age(tc, pdc);
    }
    forget_answered(tc, past->value == UET_PAST_READ);
    end(tc);
}

/* ---- the FEP as initiator ---- */

static uint64_t begun(struct uet_tc *tc, int rc, uint64_t handle)
{
    uet_did(tc, rc, "an operation before that of the test");
    return handle;
}

static void write_past(struct uet_tc *tc, const struct uet_ut_operation *op)
{
    uint64_t handle = 0;
    int rc = uet_ut_write(uet_tc_need_ut(tc), op, &handle);

    (void)uet_expect_completion(tc, begun(tc, rc, handle));
}

/* The tester brings the data in the ACK, by hand: its peer acknowledges, but serves nothing. */
static void read_past(struct uet_tc *tc, const struct uet_ut_operation *op)
{
    const uint8_t *bytes = uet_tc_bytes(tc, op->length);
    uint64_t handle = 0;

    uet_auto_ack(tc, false);
    int rc = uet_ut_read(uet_tc_need_ut(tc), op, &handle);
    (void)begun(tc, rc, handle);
    const struct uet_in *in = uet_expect(tc, &(struct uet_want){.kind = UET_WANT_ANY}, 0);
    if (uet_is_cp(&in->packet) && in->pdc) { /* a NOOP opens the PDC (3.5.16.1) */
        const struct uet_out ack = uet_ack(in->pdc, in);
        uet_send(tc, &ack);
        in = uet_expect_any_request(tc, in->pdc);
    }
    const struct uet_out data = uet_ack_data(in->pdc, in, bytes);
    uet_send(tc, &data);
    (void)uet_expect_completion(tc, handle);
}

/* The FEP opens another PDC for what comes then, of the same PDCID if it likes. */
static void close_past(struct uet_tc *tc)
{
    uint64_t since_ns = uet_tc_now(tc);

    for (struct uet_pdc *pdc = tc->pdcs; pdc; pdc = pdc->next)
        if (!pdc->initiator && !pdc->closed && !uet_peer_close(tc, pdc))
            uet_skip(tc, "the FEP does not close a PDC that it is asked to close");
    let_fade(tc, since_ns);
}

static void start_past(struct uet_tc *tc, const struct uet_ut_operation *like, uint32_t past)
{
    struct uet_ut_operation op = *like;

    op.header = UET_UT_HEADER_STD;
    op.key = uet_tc_some_key(tc);
    op.data = NULL; /* its bytes are fewer: an atomic's are those of one element */
    op.delivery_complete = op.has_header_data = false;
    op.length = past == UET_PAST_USED ? 2u * tc->session->dut->payload_mtu : PAST_BYTES;
    if (past == UET_PAST_READ)
        read_past(tc, &op);
    else
        for (uint32_t n = past == UET_PAST_AGED ? PAST_MANY : 1; n > 0; n--)
            write_past(tc, &op);
    if (past == UET_PAST_REOPENED)
        close_past(tc);
}

void uet_past_of_fep(struct uet_tc *tc, const struct uet_ut_operation *like)
{
    const struct uet_place *past;
    bool acks = tc->auto_ack;

    if (tc->test->role != UET_ROLE_INITIATOR || like->mode > UET_UT_MODE_ROD)
        return;
    past = uet_tc_place(tc, UET_OVER_PAST);
    if (!past)
        return;
    begin(tc);
    uet_auto_ack(tc, true);
    start_past(tc, like, past->value);
    uet_forget_settled(tc);
    uet_auto_ack(tc, acks);
    end(tc);
}
