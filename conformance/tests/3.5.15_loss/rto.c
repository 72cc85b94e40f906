/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.15: timeouts, their growth and their end. */
#include "conformance/harness/steps/acks.h"
#include "conformance/harness/steps/fep_reads.h"
#include "conformance/tests/pds.h"

#define RTO (4 * UET_MS)
#define GROWTHS                                                                                    \
    5u /* RTOs in a row that are looked at: as many as Max_RTO_Retx_Cnt has by default */

/*
 * A packet of the FEP that nobody answers, with another behind it, so that a tail-loss timer, which
 * comes before the RTO (PDS-230), is not its affair. Where the FEP sends one packet only, such a
 * timer spoils the test, and on ROD, where it may bring the first again.
 */
static const struct uet_in *unanswered_head(struct uet_tc *tc)
{
    struct uet_pdc *pdc = fep_opens(tc);

    if (uet_op(tc, 0).mode == UET_UT_MODE_ROD)
        skip_with_tail_loss_timer(tc);
    uet_auto_ack(tc, false);
    const struct uet_in *in = fep_writes_on(tc, &pdc, 2u * uet_tc_dut(tc)->payload_mtu, NULL);
    if (!uet_next_request(tc, pdc))
        skip_with_tail_loss_timer(tc);
    return in;
}

/* The time between two packets is what the formula says. */
static void after(struct uet_tc *tc, const char *requirement, const struct uet_in *first,
                  const struct uet_in *in, uint64_t want)
{
    uint64_t gap = in->time_ns - first->time_ns, tolerance = uet_tc_tolerance(tc, want) + want / 8;

    uet_look_at(tc, in);
    uet_check(tc, requirement, gap + tolerance >= want && gap <= want + tolerance,
              "the resend came after %.3f ms where %.3f ms were required", (double)gap / 1e6,
              (double)want / 1e6);
}

/* The packet of ctx again, be it under another PSN: it has the same place in its message. */
static bool meant_again(const struct uet_in *in, const void *ctx)
{
    const struct uet_in *first = ctx;

    return in->frame > first->frame && uet_is_ses_request(&in->packet) &&
           uet_ses_message_id(&in->packet) == uet_ses_message_id(&first->packet) &&
           uet_ses_message_offset(&in->packet) == uet_ses_message_offset(&first->packet);
}

#define MEANT_AGAIN(in)                                                                            \
    .kind = UET_WANT_REQUEST, .pdc = (in)->pdc, .also = meant_again, .ctx = (in),                  \
    .named = "the packet again", .again = true

UET_TEST(rto_resends, .id = "pds.3.5.15.rto-resends", .requirements = "PDS-156 PDS-058",
         .role = UET_ROLE_INITIATOR, .params = "RTO_Init_Time",
         .purpose = "A packet without answer is retransmitted after RTO_Init_Time.",
         .preamble = "A PDC that the FEP opened.",
         .stimulus = "The FEP writes 2 MTUs; the tester stays silent.",
         .expected = "The first PSN again with retx=1 after RTO_Init_Time.")
{
    const struct uet_in *first = unanswered_head(tc);
    const struct uet_in *in = hear(tc, "PDS-156", MEANT_AGAIN(first), .within = one_rto(tc));
    after(tc, "PDS-156", first, in, uet_tc_param(tc, "RTO_Init_Time"));
    field(tc, "PDS-058", in, UET_F_PDS_PSN, psn_of(first));
    field(tc, "PDS-058", in, UET_F_PDS_RETX, 1);
    resume_acks(tc, in);
}

UET_TEST(rto_beside_later_packets, .id = "pds.3.5.15.rto-beside-later-packets",
         .requirements = "PDS-156", .role = UET_ROLE_INITIATOR, .params = "RTO_Init_Time",
         .not_over = "past",
         .purpose = "Packets that leave later do not put off the RTO of one before them.",
         .preamble = "A PDC that the FEP opened.",
         .stimulus = "The FEP writes 16 bytes, and three times more, RTO_Init_Time / 4 apart; the "
                     "tester stays silent.",
         .expected = "The first packet again when its own RTO is over.")
{
    const uint64_t rto = uet_tc_param(tc, "RTO_Init_Time");
    struct uet_pdc *pdc = fep_opens(tc);
    uint64_t handle;
    skip_with_tail_loss_timer(tc);
    const struct uet_in *first = fep_writes_unanswered(tc, &pdc, &handle);
    for (int i = 0; i < 3; i++) {
        uet_wait(tc, rto / 4);
        fep_writes_behind(tc, pdc, &handle);
    }
    const struct uet_in *in = hear(tc, "PDS-156", MEANT_AGAIN(first), .within = one_rto(tc));
    after(tc, "PDS-156", first, in, rto);
    resume_acks(tc, in);
}

UET_TEST(lost_nack, .id = "pds.3.5.20.3.1.lost-nack", .requirements = "PDS-152",
         .role = UET_ROLE_INITIATOR, .not_over = "own", .params = "RTO_Init_Time",
         .purpose = "The RTO covers a NACK that was lost: the source resends without being told.",
         .preamble = "A PDC that the FEP opened.",
         .stimulus = "The FEP writes 3 MTUs; the second packet is taken as lost, and the NACK for "
                     "it too; the first and the third are acknowledged.",
         .expected = "The second packet again within one RTO.")
{
    struct uet_pdc *pdc = fep_opens(tc);
    const struct uet_in *in[3];
    fep_writes_unacked(tc, &pdc, in, 3, NULL);
    struct uet_out ack = ack_at(in[2], psn_of(in[1]) - 1, psn_of(in[2]));
    say(tc, &ack);
    resume_acks(tc, hear(tc, "PDS-152", RESEND_OF(in[1]), .within = patience(tc, one_rto(tc))));
}

UET_TEST(lost_resend, .id = "pds.3.5.20.3.1.lost-resend", .requirements = "PDS-152",
         .role = UET_ROLE_INITIATOR, .params = "RTO_Init_Time NACK_Retx_Time",
         .purpose = "The RTO covers a resend that was lost, too, whatever it was sent for.",
         .preamble = "A PDC that the FEP opened.",
         .stimulus =
             "The FEP writes; NACK UET_NO_PKT_BUFFER for the packet; its resend is taken as "
             "lost.",
         .expected = "The packet a third time, within twice the RTO.")
{
    uint64_t handle, rto = one_rto(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    const struct uet_in *in = fep_writes_unanswered(tc, &pdc, &handle);
    say_nack(tc, in, UET_NACK_NO_PKT_BUFFER);
    hear(tc, "PDS-152", RESEND_OF(in), .within = patience(tc, nack_delay(tc) + rto));
    resume_acks(tc, hear(tc, "PDS-152", RESEND_OF(in), .within = patience(tc, 2 * rto)));
    completion_of(tc, "PDS-152", handle);
}

/* The same on a ROD PDC: so many bytes are written there. */
static const struct uet_in *unanswered_rod_head(struct uet_tc *tc, uint32_t n, uint64_t *handle)
{
    struct uet_ut_operation op = uet_op(tc, 16);

    op.mode = UET_UT_MODE_ROD;
    skip_with_tail_loss_timer(tc); /* on ROD it may bring the first again */
    uet_preamble_begin(tc);
    uet_expect_completion(tc, uet_do_write(tc, &op));
    uet_forget_settled(tc);
    uet_preamble_end(tc);
    uet_auto_ack(tc, false);
    op.length = n;
    *handle = uet_do_write(tc, &op);
    return uet_expect_any_request(tc, NULL);
}

/* This packet comes again at the times of the formula, whatever older ACKs come. */
static void gaps_double(struct uet_tc *tc, const struct uet_in *in, bool acks)
{
    const struct uet_in *before;
    struct uet_out old = ack_at(in, psn_of(in) - 1, psn_of(in) - 1);
    uint64_t most = uet_tc_param(tc, "Max_RTO_Retx_Cnt");

    if (most < 2)
        uet_skip(tc, "Max_RTO_Retx_Cnt is %llu: no RTO follows another", (unsigned long long)most);
    for (unsigned retry = 0; retry < GROWTHS && retry < most; retry++) {
        before = in;
        in = hear(tc, "PDS-157", RESEND_OF(before), .within = uet_tc_latest(tc, RTO << retry));
        after(tc, "PDS-157", before, in, RTO << retry);
        if (acks)
            say(tc, &old);
    }
    resume_acks(tc, in);
}

UET_TEST(rto_doubles, .id = "pds.3.5.15.rto-doubles", .requirements = "PDS-157",
         .role = UET_ROLE_INITIATOR,
         .purpose = "The RTO of a packet grows as RTO_Init_Time x 2^retry_count.",
         .params = "Max_RTO_Retx_Cnt",
         .preamble = "A PDC that the FEP opened; RTO_Init_Time set to 4 ms.",
         .stimulus = "The FEP writes 2 MTUs; the tester stays silent.",
         .expected = "The first PSN again after 4, 8, 16, 32 and 64 ms, as often as "
                     "Max_RTO_Retx_Cnt lets it come.")
{
    uet_set_param(tc, "RTO_Init_Time", RTO);
    gaps_double(tc, unanswered_head(tc), false);
}

UET_TEST(rto_doubles_on_rod, .id = "pds.3.5.15.rto-doubles-on-rod", .requirements = "PDS-157",
         .role = UET_ROLE_INITIATOR, .needs = "rod", .not_over = "used after-read aged",
         .purpose = "The RTO of a packet grows as RTO_Init_Time x 2^retry_count on ROD, too.",
         .params = "Max_RTO_Retx_Cnt",
         .preamble = "A ROD PDC that the FEP opened; RTO_Init_Time set to 4 ms.",
         .stimulus = "The FEP writes 2 MTUs over ROD; the tester stays silent.",
         .expected = "The first PSN again after 4, 8, 16, 32 and 64 ms, as often as "
                     "Max_RTO_Retx_Cnt lets it come.")
{
    uint64_t handle;
    uet_set_param(tc, "RTO_Init_Time", RTO);
    gaps_double(tc, unanswered_rod_head(tc, 2u * uet_tc_dut(tc)->payload_mtu, &handle), false);
}

UET_TEST(rto_doubles_beside_acks, .id = "pds.3.5.15.rto-doubles-beside-acks",
         .requirements = "PDS-157", .role = UET_ROLE_INITIATOR, .not_over = "own",
         .purpose = "The RTO of a packet grows as RTO_Init_Time x 2^retry_count, also when ACKs "
                    "come that tell nothing of that packet.",
         .params = "Max_RTO_Retx_Cnt",
         .preamble = "A PDC that the FEP opened; RTO_Init_Time set to 4 ms.",
         .stimulus = "The FEP writes 2 MTUs; after each copy of the first packet the ACK of the "
                     "packet before comes again.",
         .expected = "The first PSN again after 4, 8, 16, 32 and 64 ms, as often as "
                     "Max_RTO_Retx_Cnt lets it come.")
{
    uet_set_param(tc, "RTO_Init_Time", RTO);
    gaps_double(tc, unanswered_head(tc), true);
}

UET_TEST(rto_doubles_beside_progress, .id = "pds.3.5.15.rto-doubles-beside-progress",
         .requirements = "PDS-157", .role = UET_ROLE_INITIATOR, .params = "Max_RTO_Retx_Cnt",
         .not_over = "own", /* on ROD it goes again with those before it */
         .purpose =
             "The RTO of a packet runs and grows by itself: that others arrive neither holds "
             "it back nor begins it anew.",
         .preamble = "A PDC that the FEP opened; RTO_Init_Time set to 4 ms; four writes of 16 "
                     "bytes outstanding.",
         .stimulus = "Half an RTO after each copy of the last packet the oldest of the others is "
                     "acknowledged.",
         .expected = "The last PSN again after 4, 8, 16 ms, as often as Max_RTO_Retx_Cnt lets it "
                     "come.")
{
    const struct uet_in *in[4];
    uint64_t most = uet_tc_param(tc, "Max_RTO_Retx_Cnt");
    uet_set_param(tc, "RTO_Init_Time", RTO);
    skip_with_tail_loss_timer(tc);
    without_windows(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    small_writes(tc, &pdc, in, 4);
    for (unsigned i = 0; i < 3 && i < most; i++) {
        const struct uet_in *before = in[3];
        uet_wait(tc, (RTO << i) / 2);
        struct uet_out ack = ack_at(in[i], psn_of(in[i]), psn_of(in[i]));
        say(tc, &ack);
        in[3] = hear(tc, "PDS-157", RESEND_OF(before), .within = uet_tc_latest(tc, RTO << i));
        after(tc, "PDS-157", before, in[3], RTO << i);
    }
    resume_acks(tc, in[3]);
}

/* n resends of this packet have come, so that its RTO has grown. */
static void backs_off(struct uet_tc *tc, const struct uet_in *in, unsigned n)
{
    uint64_t most = uet_tc_param(tc, "Max_RTO_Retx_Cnt");

    if (most <= n)
        uet_skip(tc, "Max_RTO_Retx_Cnt is %llu: no RTO grows", (unsigned long long)most);
    for (unsigned i = 0; i < n; i++)
        hear(tc, "PDS-157", RESEND_OF(in), .within = uet_tc_latest(tc, RTO << i));
}

UET_TEST(rto_of_the_next, .id = "pds.3.5.15.rto-of-the-next-packet", .requirements = "PDS-157",
         .role = UET_ROLE_INITIATOR, .params = "Max_RTO_Retx_Cnt",
         .purpose = "The RTO that has grown was that of one packet: the next one begins anew.",
         .preamble = "A PDC that the FEP opened; RTO_Init_Time set to 4 ms.",
         .stimulus = "The FEP writes 2 MTUs; the tester stays silent until the first packet has "
                     "come two times more; it acknowledges all; the FEP writes again, and hears "
                     "nothing.",
         .expected = "The first packet of the second write comes again after 4 ms.")
{
    uet_set_param(tc, "RTO_Init_Time", RTO);
    struct uet_pdc *pdc;
    const struct uet_in *old = unanswered_head(tc);
    backs_off(tc, old, 2);
    resume_acks(tc, old);
    uet_wait(tc, uet_tc_latest(tc, RTO << 2)); /* all that came late is acknowledged, too */
    uet_auto_ack(tc, false);
    uet_forget(tc);
    const struct uet_in *in = fep_writes_on(tc, &pdc, 2u * uet_tc_dut(tc)->payload_mtu, NULL);
    if (!uet_next_request(tc, pdc))
        skip_with_tail_loss_timer(tc);
    const struct uet_in *resent = hear(tc, "PDS-157", RESEND_OF(in), .within = one_rto(tc));
    after(tc, "PDS-157", in, resent, RTO);
    resume_acks(tc, resent);
}

UET_TEST(nacks_are_no_retries, .id = "pds.3.5.15.rto-after-nacks", .requirements = "PDS-157",
         .role = UET_ROLE_INITIATOR, .params = "Max_RTO_Retx_Cnt NACK_Retx_Time",
         .purpose = "Resends that NACKs bring are counted apart: the RTO does not grow by them.",
         .preamble = "A PDC that the FEP opened; RTO_Init_Time set to 4 ms.",
         .stimulus = "The FEP writes; NACK UET_NO_PKT_BUFFER for the packet, and for its resend; "
                     "then silence.",
         .expected = "The packet again within twice 4 ms after the last resend.")
{
    if (uet_tc_param(tc, "NACK_Retx_Time") >= RTO)
        uet_skip(tc, "NACK_Retx_Time is no shorter than an RTO of 4 ms, which resends first");
    need_nack_resends(tc, 2);
    uet_set_param(tc, "RTO_Init_Time", RTO);
    const struct uet_in *in = unanswered_head(tc), *resent = in;
    for (int i = 0; i < 2; i++) {
        say_nack(tc, in, UET_NACK_NO_PKT_BUFFER);
        resent = hear(tc, "PDS-135", RESEND_OF(in), .within = patience(tc, nack_delay(tc)));
    }
    const struct uet_in *last =
        hear(tc, "PDS-157", RESEND_OF(in), .within = uet_tc_latest(tc, RTO << 2));
    uint64_t gap = last->time_ns - resent->time_ns, most = RTO << 1;
    uet_look_at(tc, last);
    uet_check(tc, "PDS-157", gap <= most + uet_tc_tolerance(tc, most) + most / 8,
              "the resend came %.3f ms after one that a NACK had brought, the RTO is %.3f ms",
              (double)gap / 1e6, (double)RTO / 1e6);
    resume_acks(tc, last);
}

UET_TEST(rto_bounded, .id = "pds.3.5.15.rto-bounded", .requirements = "PDS-157",
         .role = UET_ROLE_INITIATOR, .not_over = "all", /* it takes half a minute */
         .purpose = "The RTO stays within 8 s, and does not fall back when it comes there.",
         .params = "Max_RTO_Retx_Cnt",
         .preamble = "A PDC that the FEP opened; RTO_Init_Time set to 3 s; virtual time.",
         .stimulus = "The FEP writes 2 MTUs; the tester stays silent.",
         .expected = "The first PSN again after 3, 6, 8 and 8 s, as often as Max_RTO_Retx_Cnt lets "
                     "it come.")
{
    static const uint8_t seconds[] = {3, 6, 8, 8};
    if (!uet_tc_virtual_time(tc))
        uet_skip(tc, "it takes half a minute in real time");
    uet_set_param(tc, "RTO_Init_Time", 3000 * UET_MS);
    const struct uet_in *before, *in = unanswered_head(tc);
    uint64_t most = uet_tc_param(tc, "Max_RTO_Retx_Cnt");
    for (unsigned i = 0; i < 4 && i < most; i++) {
        uint64_t due = seconds[i] * 1000 * UET_MS;
        before = in;
        in = hear(tc, "PDS-157", RESEND_OF(before), .within = uet_tc_latest(tc, due));
        after(tc, "PDS-157", before, in, due);
    }
    resume_acks(tc, in);
}

/* A PDC of the FEP that will fail after three resends, at 4, 8 and 16 ms, of its packet. */
static struct uet_pdc *pdc_to_fail(struct uet_tc *tc)
{
    uet_set_param(tc, "RTO_Init_Time", RTO);
    uet_set_param(tc, "Max_RTO_Retx_Cnt", 3);
    skip_with_tail_loss_timer(tc);
    return fep_opens(tc);
}

/* An RTO well above the time after which a NACK brings its resend. */
static uint64_t slow_rto(struct uet_tc *tc)
{
    uint64_t rto = 4 * uet_tc_param(tc, "NACK_Retx_Time"), answers = 2 * uet_tc_latest(tc, 0);

    rto = rto > RTO ? rto : RTO;
    rto = rto > answers ? rto : answers;
    uet_set_param(tc, "RTO_Init_Time", rto);
    return rto;
}

UET_TEST(
    retries_end, .id = "pds.3.5.15.retries-end", .requirements = "PDS-158 PDS-160",
    .role = UET_ROLE_INITIATOR,
    .purpose = "After Max_RTO_Retx_Cnt resends the source declares failure and closes.",
    .preamble = "A PDC that the FEP opened; RTO 4 ms, Max_RTO_Retx_Cnt 3.",
    .stimulus = "The FEP writes 16 bytes; the tester stays silent; later the FEP writes again.",
    .expected = "Exactly 3 resends; the operation ends in error; new traffic uses a new PDC.")
{
    struct uet_pdc *pdc = pdc_to_fail(tc);
    uint64_t handle;
    const struct uet_in *in = fep_writes_unanswered(tc, &pdc, &handle);
    for (int i = 0; i < 3; i++)
        hear(tc, "PDS-158", RESEND_OF(in), .within = uet_tc_latest(tc, RTO << i));
    pdc->auto_close = false;
    silence(tc, "PDS-158", RESEND_OF(in), .within = (RTO << 5) + 10 * UET_MS);
    ends_in_error(tc, "PDS-160", handle);
    next_elsewhere(tc, "PDS-160", pdc);
}

UET_TEST(no_retries, .id = "pds.3.5.15.no-retries", .requirements = "PDS-158 PDS-160",
         .role = UET_ROLE_INITIATOR, .not_over = "used after-read aged",
         .purpose = "Where Max_RTO_Retx_Cnt is 0 no packet is sent again: its RTO is its end.",
         .preamble = "RTO 4 ms, Max_RTO_Retx_Cnt 0.",
         .stimulus = "The FEP writes 16 bytes on a new PDC; the tester stays silent.",
         .expected = "No resend; the operation ends in error.")
{
    struct uet_pdc *pdc;
    uint64_t handle;
    uet_set_param(tc, "RTO_Init_Time", RTO);
    uet_set_param(tc, "Max_RTO_Retx_Cnt", 0);
    skip_with_tail_loss_timer(tc);
    uet_auto_ack(tc, false);
    const struct uet_in *in = fep_writes(tc, 16, &pdc, &handle);
    pdc->auto_close = false;
    silence(tc, "PDS-158", RESEND_OF(in), .within = (RTO << 2) + 10 * UET_MS);
    ends_in_error(tc, "PDS-160", handle);
}

UET_TEST(
    no_retries_on_open_pdc, .id = "pds.3.5.15.no-retries-on-an-open-pdc",
    .requirements = "PDS-158 PDS-160", .role = UET_ROLE_INITIATOR,
    .purpose = "Where Max_RTO_Retx_Cnt is 0 a PDC that has served fails by the first RTO, too.",
    .preamble = "A PDC that the FEP opened; RTO 4 ms, Max_RTO_Retx_Cnt 0.",
    .stimulus = "The FEP writes 16 bytes; the tester stays silent; later the FEP writes again.",
    .expected = "No resend; the operation ends in error; new traffic uses a new PDC.")
{
    uint64_t handle;
    uet_set_param(tc, "RTO_Init_Time", RTO);
    uet_set_param(tc, "Max_RTO_Retx_Cnt", 0);
    skip_with_tail_loss_timer(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    const struct uet_in *in = fep_writes_unanswered(tc, &pdc, &handle);
    pdc->auto_close = false;
    silence(tc, "PDS-158", RESEND_OF(in), .within = (RTO << 2) + 10 * UET_MS);
    ends_in_error(tc, "PDS-160", handle);
    next_elsewhere(tc, "PDS-160", pdc);
}

UET_TEST(rod_retries_end, .id = "pds.3.5.15.rod-retries-end", .requirements = "PDS-158 PDS-160",
         .role = UET_ROLE_INITIATOR, .needs = "rod", .not_over = "used after-read aged",
         .purpose = "After Max_RTO_Retx_Cnt resends on ROD the source declares failure and "
                    "closes, too.",
         .preamble = "A ROD PDC that the FEP opened; RTO 4 ms, Max_RTO_Retx_Cnt 3.",
         .stimulus = "The FEP writes 16 bytes over ROD; the tester stays silent.",
         .expected = "Exactly 3 resends; the operation ends in error.")
{
    uint64_t handle;
    uet_set_param(tc, "RTO_Init_Time", RTO);
    uet_set_param(tc, "Max_RTO_Retx_Cnt", 3);
    const struct uet_in *in = unanswered_rod_head(tc, 16, &handle);
    for (int i = 0; i < 3; i++)
        hear(tc, "PDS-158", RESEND_OF(in), .within = uet_tc_latest(tc, RTO << i));
    in->pdc->auto_close = false;
    silence(tc, "PDS-158", RESEND_OF(in), .within = (RTO << 5) + 10 * UET_MS);
    ends_in_error(tc, "PDS-160", handle);
}

UET_TEST(nack_renews_no_retries, .id = "pds.3.5.15.nack-renews-no-retries",
         .requirements = "PDS-158", .role = UET_ROLE_INITIATOR, .params = "NACK_Retx_Time",
         .purpose = "A NACK does not give a packet its retries anew.",
         .preamble = "A PDC that the FEP opened; RTO 4 ms, Max_RTO_Retx_Cnt 3.",
         .stimulus = "The FEP writes 16 bytes; after two copies NACK UET_NO_PKT_BUFFER; then "
                     "silence.",
         .expected = "At most three copies by the RTO and one by the NACK; then an error.")
{
    struct uet_pdc *pdc = pdc_to_fail(tc);
    uint64_t handle;
    unsigned n = 2;
    const struct uet_in *in = fep_writes_unanswered(tc, &pdc, &handle);
    for (int i = 0; i < 2; i++)
        hear(tc, "PDS-158", RESEND_OF(in), .within = uet_tc_latest(tc, RTO << i));
    pdc->auto_close = false;
    say_nack(tc, in, UET_NACK_NO_PKT_BUFFER);
    uint64_t due = (RTO << 5) + nack_delay(tc) + 10 * UET_MS;
    while (n < 8 && maybe(tc, RESEND_OF(in), .within = due))
        n++;
    uet_check(tc, "PDS-158", n <= 4, "%u copies, where Max_RTO_Retx_Cnt is 3 and one was NACKed",
              n);
    ends_in_error(tc, "PDS-160", handle);
}

UET_TEST(rto_renews_no_nack_retries, .id = "pds.3.5.15.rto-renews-no-nack-retries",
         .requirements = "PDS-136", .not_over = "draining", .role = UET_ROLE_INITIATOR,
         .params = "NACK_Retx_Time",
         .purpose = "A timeout does not give a packet anew the resends that NACKs may bring.",
         .preamble = "A PDC that the FEP opened; RTO 4 ms or longer, Max_NACK_Retx_Cnt 2, "
                     "Max_RTO_Retx_Cnt 3.",
         .stimulus = "The FEP writes 16 bytes; NACK UET_NO_PKT_BUFFER, then silence until the "
                     "resend's RTO; the same once more; then a third NACK.",
         .expected = "A resend by each of the first two NACKs and by each RTO; none after the "
                     "third NACK, and the operation ends in error.",
         .once = "the FEP's Close Command stays without an answer")
{
    uint64_t rto = slow_rto(tc), handle;
    uet_set_param(tc, "Max_NACK_Retx_Cnt", 2);
    uet_set_param(tc, "Max_RTO_Retx_Cnt", 3);
    skip_with_tail_loss_timer(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    const struct uet_in *in = fep_writes_unanswered(tc, &pdc, &handle);
    pdc->auto_close = false;
    for (int i = 0; i < 2; i++) {
        say_nack(tc, in, UET_NACK_NO_PKT_BUFFER);
        hear(tc, "PDS-135", RESEND_OF(in), .within = patience(tc, nack_delay(tc)));
        hear(tc, "PDS-156", RESEND_OF(in), .within = patience(tc, uet_tc_latest(tc, rto << i)));
    }
    say_nack(tc, in, UET_NACK_NO_PKT_BUFFER);
    silence(tc, "PDS-136", RESEND_OF(in), .within = 3 * nack_delay(tc) + (rto << 3));
    ends_in_error(tc, "PDS-136", handle);
}

/* Each of these WRITEs is told, in time, and not as a success. */
static void all_fail(struct uet_tc *tc, const uint64_t *handle, int n)
{
    struct uet_ut_completion c = {0};

    for (int i = 0; i < n; i++) {
        bool told = uet_completion(tc, handle[i], patience(tc, uet_tc_latest(tc, RTO << 6)), &c);
        uet_check(tc, "PDS-160", told, "operation %d of %d never ended", i + 1, n);
        uet_check(tc, "PDS-160", c.status != UET_UT_OK, "operation %d was reported as done", i + 1);
    }
}

UET_TEST(all_end, .id = "pds.3.5.15.all-operations-end", .requirements = "PDS-160",
         .role = UET_ROLE_INITIATOR,
         .purpose = "When a PDC fails, every operation on it ends in error, not only the oldest.",
         .preamble = "A PDC that the FEP opened; RTO 4 ms, Max_RTO_Retx_Cnt 3.",
         .stimulus = "The FEP writes 16 bytes twice; the tester stays silent.",
         .expected = "Both operations end in error.")
{
    struct uet_pdc *pdc = pdc_to_fail(tc);
    uint64_t handle[2];
    fep_writes_unanswered(tc, &pdc, &handle[0]);
    fep_writes_behind(tc, pdc, &handle[1]);
    pdc->auto_close = false;
    all_fail(tc, handle, 2);
}

UET_TEST(sacked_end, .id = "pds.3.5.15.sacked-operations-end", .requirements = "PDS-160 PDS-117",
         .role = UET_ROLE_INITIATOR, .needs = "ack-cc",
         .purpose = "What only SACK has named when a PDC fails is unacknowledged: it ends in error "
                    "like the rest.",
         .preamble = "A PDC that the FEP opened; RTO 4 ms, Max_RTO_Retx_Cnt 3.",
         .stimulus = "The FEP writes 16 bytes three times; an ACK_CC whose CACK_PSN is before the "
                     "first names the second and third in SACK alone; then silence.",
         .expected = "All operations end in error.")
{
    struct uet_pdc *pdc = pdc_to_fail(tc);
    uint64_t handle[3];
    const struct uet_in *in[3] = {fep_writes_unanswered(tc, &pdc, &handle[0])};
    for (int i = 1; i < 3; i++)
        in[i] = fep_writes_behind(tc, pdc, &handle[i]);
    const int32_t apart = uet_psn_diff(psn_of(in[2]), psn_of(in[1]));
    if (apart < 1 || apart > 63)
        uet_skip(tc, "the FEP's packets came in another order");
    pdc->ack_cc = true;
    struct uet_out sack = ack_at(in[0], psn_of(in[0]) - 1, psn_of(in[0]) - 1);
    set_sack(&sack, psn_of(in[1]), 1 | 1ull << apart);
    say(tc, &sack);
    pdc->auto_close = false;
    all_fail(tc, handle, 3);
}

UET_TEST(last_is_not_all, .id = "pds.3.5.15.last-packet-is-not-all", .requirements = "PDS-160",
         .role = UET_ROLE_INITIATOR, .not_over = "own",
         .purpose = "A message of which only the last packet was acknowledged has failed.",
         .preamble = "A PDC that the FEP opened; RTO 4 ms, Max_RTO_Retx_Cnt 3.",
         .stimulus = "The FEP writes 2 MTUs; an ACK names the second packet, and its CACK_PSN is "
                     "before the first; then silence.",
         .expected = "The operation ends in error.")
{
    struct uet_pdc *pdc = pdc_to_fail(tc);
    const struct uet_in *in[2];
    struct uet_ut_completion c = {0};
    uint64_t handle;
    fep_writes_unacked(tc, &pdc, in, 2, &handle);
    struct uet_out ack = ack_at(in[1], psn_of(in[0]) - 1, psn_of(in[1]));
    say(tc, &ack);
    pdc->auto_close = false;
    bool told = uet_completion(tc, handle, patience(tc, uet_tc_latest(tc, RTO << 6)), &c);
    uet_check(tc, "PDS-160", told && c.status != UET_UT_OK,
              "the message was not reported as failed, though its first packet never arrived");
}

UET_TEST(reads_end, .id = "pds.3.5.15.reads-end-with-the-pdc", .requirements = "PDS-160",
         .role = UET_ROLE_INITIATOR,
         .purpose = "When a PDC fails, a read whose data will not come any more ends, too.",
         .preamble = "A PDC that the FEP opened; RTO 4 ms, Max_RTO_Retx_Cnt 3.",
         .stimulus = "The FEP reads 100 bytes, the READ is acknowledged; it writes on that PDC, "
                     "and the tester stays silent.",
         .expected = "The WRITE ends in error; so does the read, or it is tried again elsewhere.")
{
    struct uet_ut_completion c;
    uint64_t handle;
    struct uet_pdc *pdc = pdc_to_fail(tc);
    struct fep_read r = fep_reads(tc, 100);
    same_pdc(tc, r.pdc, fep_writes_unanswered(tc, &pdc, &handle));
    pdc->auto_close = false;
    bool told = uet_completion(tc, handle, patience(tc, uet_tc_latest(tc, RTO << 6)), &c);
    uet_check(tc, "PDS-160", told && c.status != UET_UT_OK, "the WRITE did not end in error");
    uet_check(tc, "PDS-160", uet_completion(tc, r.handle, 0, &c) || uet_next_request(tc, NULL),
              "the read never ended");
}

/* Not one that was on its way when the ACK was. */
static bool resent_after(const struct uet_in *in, const void *ctx)
{
    const uint64_t *since = ctx;

    return in->retransmission && in->time_ns > *since;
}

#define RESEND_AFTER(p, since_ns)                                                                  \
    .kind = UET_WANT_REQUEST, .pdc = (p), .also = resent_after, .ctx = (since_ns),                 \
    .named = "a retransmission"

UET_TEST(acknowledged_not_resent, .id = "pds.3.5.15.acknowledged-not-resent",
         .requirements = "PDS-162", .role = UET_ROLE_INITIATOR,
         .purpose = "An acknowledged PSN is not retransmitted.",
         .preamble = "A PDC that the FEP opened.",
         .stimulus = "The FEP writes 3 MTUs; acknowledge all; wait several RTOs.",
         .expected = "No retransmission.")
{
    struct uet_pdc *pdc = fep_opens(tc);
    uint64_t handle;
    const struct uet_in *in[3];
    fep_writes_unacked(tc, &pdc, in, 3, &handle);
    acknowledge(tc, pdc, in[2]);
    uint64_t since = uet_tc_now(tc) + uet_tc_tolerance(tc, 0);
    completion_of(tc, "PDS-162", handle);
    silence(tc, "PDS-162", RESEND_AFTER(pdc, &since), .within = 4 * one_rto(tc));
}

UET_TEST(
    null_for_the_resend, .id = "pds.3.5.20.3.2.null-for-the-resend", .requirements = "PDS-161",
    .role = UET_ROLE_INITIATOR, .params = "RTO_Init_Time",
    .purpose = "A default response of RC_NULL, as a duplicate brings it, ends the message too.",
    .preamble = "A PDC that the FEP opened.",
    .stimulus = "The FEP writes; no ACK; when the packet comes again: ACK with a default "
                "response and RC_NULL.",
    .expected = "The write completes once, as a success.")
{
    uet_need_retries(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    uint64_t handle;
    const struct uet_in *in = fep_writes_unanswered(tc, &pdc, &handle);
    const struct uet_in *copy =
        hear(tc, "PDS-156", RESEND_OF(in), .within = patience(tc, one_rto(tc)));
    struct uet_out ack =
        uet_ack_with(pdc, copy, UET_RSP_DEFAULT_RESPONSE, UET_LIST_EXPECTED, UET_RC_NULL);
    say(tc, &ack);
    completes(tc, "PDS-161", handle, UET_UT_OK);
    not_again(tc, "PDS-161", handle);
    uet_auto_ack(tc, true);
}

UET_TEST(lost_ack, .id = "pds.3.5.20.3.2.lost-ack", .requirements = "PDS-161 PDS-164",
         .role = UET_ROLE_INITIATOR,
         .purpose = "A lost ACK: the source resends after RTO and the message completes once.",
         .preamble = "A PDC that the FEP opened.",
         .stimulus = "The FEP writes 16 bytes; drop the ACK; answer the resend.",
         .expected = "A resend with ar=1, then one completion.")
{
    struct uet_pdc *pdc = fep_opens(tc);
    uint64_t handle;
    const struct uet_in *in = fep_writes_unanswered(tc, &pdc, &handle);
    in = hear(tc, "PDS-161", RESEND_OF(in), .within = patience(tc, one_rto(tc)));
    field(tc, "PDS-164", in, UET_F_PDS_AR, 1);
    resume_acks(tc, in);
    struct uet_ut_completion c = completes(tc, "PDS-161", handle, UET_UT_OK);
    uet_check(tc, "PDS-161", !uet_completion(tc, handle, uet_tc_quiet(tc), &c),
              "the operation completed a second time");
}
