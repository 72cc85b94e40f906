/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.16.3, 3.5.20.1: responses that wait for their clear, and a clear that is lost or for a part.
 */
#include "conformance/tests/pds_target.h"

/* A PDC on which nothing is cleared unless the test does so: a Clear Request is not obeyed. */
static struct uet_pdc *open_uncleared(struct uet_tc *tc)
{
    struct uet_pdc *p = uet_pdc_open(tc);

    p->auto_clear = p->auto_ack = false;
    p->clear_psn = p->start_psn;
    return p;
}

/* A WRITE that was refused: its error response is kept. */
static struct uet_out stored(struct uet_pdc *p, const struct uet_memory *m)
{
    struct uet_out bad = refused_write(p, m);

    exchange_refused(p->tc, &bad);
    return bad;
}

/* Something is sent while a response of the FEP waits; its ACK. */
typedef const struct uet_in *acked(struct uet_pdc *p, const struct uet_out *known);

static const struct uet_in *new_request(struct uet_pdc *p, const struct uet_out *known)
{
    struct uet_out good = uet_any_request(p);

    (void)known;
    return ask(p->tc, "PDS-086", &good);
}

static const struct uet_in *noop(struct uet_pdc *p, const struct uet_out *known)
{
    struct uet_out cp = uet_cp(p, UET_CTL_NOOP);

    (void)known;
    return ask(p->tc, "PDS-187", &cp);
}

static const struct uet_in *duplicate(struct uet_pdc *p, const struct uet_out *known)
{
    return ask_anew(p->tc, "PDS-129", known);
}

/* Three of those go by, and the FEP asks once more for the clear that it lacks. */
static void asks_again_by(struct uet_pdc *p, acked *exchanged, const struct uet_out *known)
{
    struct uet_tc *tc = p->tc;
    bool asked = false;

    uet_forget_settled(tc);
    for (int i = 0; i < 3; i++)
        asked |= value_of(tc, exchanged(p, known), UET_F_PDS_REQ) == UET_ACK_REQ_CLEAR;
    asked = asked || maybe(tc, CP_ON(p, UET_CTL_CLEAR_REQUEST), .within = uet_tc_quiet(tc));
    uet_check(tc, "PDS-086", asked, "neither REQ_CLEAR nor a Clear Request came again");
    p->auto_ack = true;
}

static void asks_again(struct uet_pdc *p)
{
    asks_again_by(p, new_request, NULL);
}

UET_TEST(keeps_asking_for_clear, .id = "pds.3.5.16.3.keeps-asking-for-clear",
         .requirements = "PDS-086", .role = UET_ROLE_TARGET, .needs = "rud write any-request",
         .purpose = "The target asks again when a clear was lost.",
         .preamble = "PDC open; a WRITE with an unknown key was answered with an error.",
         .stimulus = "No clear; three NO_OPs.",
         .expected = "Their ACKs repeat REQ_CLEAR, or a Clear Request comes.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = open_uncleared(tc);
    stored(p, &m);
    asks_again(p);
}

UET_TEST(asks_behind_noops, .id = "pds.3.5.16.3.asks-behind-noops", .requirements = "PDS-086",
         .role = UET_ROLE_TARGET, .needs = "rud write any-request cp-noop",
         .purpose = "The target asks again when no Request follows, but Control Packets do.",
         .preamble = "PDC open; a WRITE with an unknown key was answered with an error.",
         .stimulus = "No clear; three NOOPs.",
         .expected = "Their ACKs repeat REQ_CLEAR, or a Clear Request comes.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = open_uncleared(tc);
    stored(p, &m);
    asks_again_by(p, noop, NULL);
}

UET_TEST(asks_behind_duplicates, .id = "pds.3.5.16.3.asks-behind-duplicates",
         .requirements = "PDS-086", .role = UET_ROLE_TARGET, .needs = "rud write any-request",
         .purpose = "The target asks again when nothing new follows, but what it has had already.",
         .preamble =
             "PDC open; a NO_OP was acknowledged, and behind it a WRITE with an unknown key "
             "was answered with an error.",
         .stimulus = "No clear; the NO_OP three times again with retx=1.",
         .expected = "Their ACKs repeat REQ_CLEAR, or a Clear Request comes.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = open_uncleared(tc);
    struct uet_out good = uet_any_request(p);
    ask(tc, "PDS-086", &good);
    stored(p, &m);
    asks_again_by(p, duplicate, &good);
}

UET_TEST(asks_for_the_rest, .id = "pds.3.5.16.3.asks-for-the-rest", .requirements = "PDS-086",
         .role = UET_ROLE_TARGET, .needs = "rud write any-request",
         .purpose = "The target asks on when a Clear Command leaves a response uncleared.",
         .preamble = "PDC open; n and n+2, WRITEs with an unknown key, n+1 a NO_OP.",
         .stimulus = "Clear Command for n; three NO_OPs.",
         .expected = "Their ACKs have REQ_CLEAR, or a Clear Request comes.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = open_uncleared(tc);
    const uint32_t n = stored(p, &m).psn;
    struct uet_out good = uet_any_request(p);
    ask(tc, "PDS-086", &good);
    stored(p, &m);
    p->clear_psn = n;
    struct uet_out clear = uet_cp(p, UET_CTL_CLEAR_COMMAND);
    say(tc, &clear);
    asks_again(p);
}

UET_TEST(asks_for_the_last, .id = "pds.3.5.16.3.asks-for-the-last", .requirements = "PDS-086",
         .role = UET_ROLE_TARGET, .needs = "rud write any-request",
         .purpose = "A clear of many PSNs among which is one response leaves the other to ask for.",
         .preamble = "PDC open; n and n+11, WRITEs with an unknown key, ten NO_OPs between them.",
         .stimulus = "Three NO_OPs with CLEAR_PSN n+5.",
         .expected = "Their ACKs have REQ_CLEAR, or a Clear Request comes.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = open_uncleared(tc);
    uint32_t n = stored(p, &m).psn;
    for (int i = 0; i < 10; i++) {
        struct uet_out good = uet_any_request(p);
        ask(tc, "PDS-086", &good);
    }
    stored(p, &m);
    p->clear_psn = n + 5;
    asks_again(p);
}

#define APART_MOST 128

/* How far apart the FEP must keep responses: within its window, and by its own tables of 2^k. */
static uint32_t furthest(struct uet_tc *tc, const struct uet_in *ack)
{
    uint32_t range = mp_range(tc, ack);

    return range > APART_MOST + 8 ? APART_MOST : range > 8 ? range - 8 : 0;
}

/* Is it one of 8, 16, 32, ...? */
static bool stands_apart(uint32_t n)
{
    return n >= 8 && (n & (n - 1)) == 0;
}

UET_TEST(responses_apart, .id = "pds.3.5.20.1.responses-apart", .requirements = "PDS-087",
         .role = UET_ROLE_TARGET, .needs = "rud write any-request",
         .purpose = "However far apart their PSNs are, each has a stored response of its own.",
         .preamble = "A memory region; PDC open; nothing is cleared.",
         .stimulus = "n, a WRITE with an unknown key; n+8, n+16, n+32, ... to n+128, or as far as "
                     "MP_Range goes, one behind the region; NO_OPs between them; then each WRITE "
                     "again with retx=1.",
         .expected = "Each time the bytes of its first response.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    const struct uet_in *ack, *first[8];
    struct uet_out o[8];
    struct uet_pdc *p = open_with_ack(tc, &ack);
    uint32_t most = furthest(tc, ack);
    uint64_t room = 8, n = 0;
    uet_dut_param(uet_tc_dut(tc), "max-stored-responses", &room);
    p->auto_clear = false;
    for (uint32_t i = 0; i <= most && n < room && n < 8; i++) {
        bool bad = !i || stands_apart(i);
        o[n] = bad ? i ? uet_write(p, &m, m.length, "behind", 6) : refused_write(p, &m)
                   : uet_any_request(p);
        const struct uet_in *in = bad ? exchange_refused(tc, &o[n]) : ask(tc, "PDS-087", &o[n]);
        first[n] = in;
        n += bad;
    }
    for (uint64_t i = 0; i < n; i++)
        same_response(tc, "PDS-087", ask_anew(tc, "PDS-087", &o[i]), first[i]);
}
