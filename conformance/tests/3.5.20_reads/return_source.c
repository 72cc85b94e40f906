/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The target as source: what it returns obeys the rules of any source, with PSNs, windows and
 * timers of the return direction (3.5.8, 3.5.12, 3.5.15).
 */
#include "conformance/harness/steps/acks.h"
#include "conformance/tests/reads.h"

#define MOST   40
#define WINDOW 128u /* PSNs in one unit of mpr (3.5.11) */

/* A read of n packets of which none of the data is acknowledged; the data as it came. */
struct held {
    struct source s;
    struct uet_out o[MOST];
    const struct uet_in *in[MOST];
};

/* A target serves as many READs at a time as it has room for, and says so (Table 3-58). */
static const uint8_t no_room[] = {UET_NACK_NO_PKT_BUFFER, UET_NACK_NO_GTD_DEL_AVAIL,
                                  UET_NACK_NO_SES_MSG_AVAIL, UET_NACK_NO_RESOURCE};

/* A READ as small as the others, which come before it: false when there is no room for it. */
static bool read_accepted(struct uet_tc *tc, const struct uet_pdc *p, const struct uet_out *o)
{
    const struct uet_want answer = {.kind = UET_WANT_ANSWER,
                                    .pdc = p,
                                    .with_psn = true,
                                    .covering = true,
                                    .psn = o->psn,
                                    .named = "ACK or NACK of the READ"};

    uet_send(tc, o);
    const struct uet_in *in = uet_expect(tc, &answer, 0);
    if (!uet_is_nack(&in->packet))
        return true;
    uint8_t code = uet_nack_nack_code(uet_pds(&in->packet));
    uet_check(tc, "PDS-063", memchr(no_room, code, sizeof(no_room)), "%s refuses a READ",
              uet_enum_name(UET_ENUM_PDS_NACK_CODE, code));
    return false;
}

static void take_held(struct uet_tc *tc, struct held *h, const struct uet_pdc *p, uint32_t n)
{
    const struct uet_want data = {
        .kind = UET_WANT_REQUEST, .pdc = p, .also = is_data, .named = "Request with read data"};

    for (uint32_t i = 0; i < n; i++)
        h->in[i] = outstanding_data(tc, &data, i);
}

static void hold(struct uet_tc *tc, struct uet_pdc *p, uint32_t n, struct held *h)
{
    uint32_t bytes = n * uet_tc_dut(tc)->payload_mtu;

    ack_data_below(tc, bytes);
    h->s = need_source(tc, bytes);
    uet_auto_ack(tc, false);
    uet_message(p, UET_OP_READ, &h->s.m, 0, NULL, bytes, h->o, MOST);
    for (uint32_t i = 0; i < n; i++)
        uet_send(tc, &h->o[i]);
    take_held(tc, h, p, n);
}

/* A single READ whose data comes on the return direction and is not acknowledged. */
static const struct uet_in *hold_one(struct uet_tc *tc, struct uet_pdc *p, struct source *s,
                                     struct uet_out *o)
{
    uint32_t n = more_than_ack_data(tc);

    *s = need_source(tc, n);
    uet_auto_ack(tc, false);
    *o = uet_read(p, &s->m, 0, n);
    uet_send(tc, o);
    return expect_return_data(tc, "PDS-119", o);
}

UET_TEST(return_resent, .id = "pds.3.5.15.return-data-resent",
         .requirements = "PDS-156 PDS-058 PDS-164 PDS-162", .role = UET_ROLE_TARGET,
         .needs = "rud read any-request", .params = "RTO_Init_Time",
         .purpose = "Return data without an ACK comes again, and with one no more.",
         .preamble = "Memory; PDC open.",
         .stimulus = "A READ; the Request that brings its data is not acknowledged, its copy is.",
         .expected = "The copy one RTO later: same PSN and data, retx=1, ar=1; then silence.")
{
    struct source s;
    struct uet_out o;
    skip_with_tail_loss_timer(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    const struct uet_in *in = hold_one(tc, p, &s, &o);
    uint64_t rto = uet_tc_param(tc, "RTO_Init_Time");
    const struct uet_want again = resend_of(p, psn_of(in));
    uet_for(tc, "PDS-156");
    const struct uet_in *copy = uet_expect(tc, &again, patience(tc, one_rto(tc)));
    uint64_t after = copy->time_ns - in->time_ns;
    uet_check(tc, "PDS-156", after + uet_tc_tolerance(tc, rto) >= rto,
              "the data comes again after %.3f ms, before the RTO is over", (double)after / 1e6);
    uet_check_eq(tc, "PDS-058", "pds.flags.retx", uet_rud_rod_req_retx(uet_pds(&copy->packet)), 1);
    uet_check_eq(tc, "PDS-164", "pds.flags.ar", uet_rud_rod_req_ar(uet_pds(&copy->packet)), 1);
    check_data(tc, "PDS-058", copy, &s, 0, s.m.length);
    acknowledge(tc, p, copy);
    uet_forget_settled(tc);
    uet_expect_nothing(tc, "PDS-162", &again, 3 * one_rto(tc));
}

UET_TEST(return_nacked, .id = "pds.3.5.12.7.return-data-nacked", .requirements = "PDS-135",
         .role = UET_ROLE_TARGET, .needs = "rud read any-request", .params = "NACK_Retx_Time",
         .purpose = "A NACK of return data brings it again, long before the RTO.",
         .preamble = "Memory; PDC open; RTO long.",
         .stimulus = "A READ; NACK UET_NO_PKT_BUFFER of the Request that brings its data.",
         .expected = "The same PSN and data with retx=1.")
{
    struct source s;
    struct uet_out o;
    hold_rto(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    const struct uet_in *in = hold_one(tc, p, &s, &o);
    struct uet_out nack = uet_nack(p, psn_of(in), UET_NACK_NO_PKT_BUFFER);
    const struct uet_want again = resend_of(p, psn_of(in));
    uet_send(tc, &nack);
    uet_for(tc, "PDS-135");
    const struct uet_in *copy =
        uet_expect(tc, &again, patience(tc, uet_tc_latest(tc, uet_tc_param(tc, "NACK_Retx_Time"))));
    uet_check_eq(tc, "PDS-135", "pds.flags.retx", uet_rud_rod_req_retx(uet_pds(&copy->packet)), 1);
    check_data(tc, "PDS-135", copy, &s, 0, s.m.length);
    acknowledge(tc, p, copy);
}

UET_TEST(return_asks_acks, .id = "pds.3.5.12.2.return-data-asks-for-acks",
         .requirements = "PDS-099", .role = UET_ROLE_TARGET,
         .needs = "rud read any-request upper-tester",
         .purpose = "Enb_ACK_Per_Pkt: the target, too, asks for an ACK of each Request it sends.",
         .preamble = "Enb_ACK_Per_Pkt is 1; PDC open.", .stimulus = "A read of three payload MTUs.",
         .expected = "Each Request of the return direction has ar=1.")
{
    struct held h;
    uet_set_param(tc, "Enb_ACK_Per_Pkt", 1);
    struct uet_pdc *p = uet_pdc_open(tc);
    hold(tc, p, 3, &h);
    for (int i = 0; i < 3; i++) {
        uet_look_at(tc, h.in[i]);
        uet_check_eq(tc, "PDS-099", "pds.flags.ar", uet_rud_rod_req_ar(uet_pds(&h.in[i]->packet)),
                     1);
    }
    acknowledge(tc, p, h.in[2]);
}

UET_TEST(return_sack, .id = "pds.3.5.15.return-data-sack", .requirements = "PDS-116 PDS-115",
         .role = UET_ROLE_TARGET, .needs = "rud read any-request ack-cc", .params = "RTO_Init_Time",
         .over = "order",
         .purpose = "Return data that SACK tells received is not sent again as data.",
         .preamble = "Memory; PDC open.",
         .stimulus = "A read of three packets of data r, r+1, r+2; an ACK_CC with CACK_PSN r and "
                     "SACK of r+2.",
         .expected = "r+1 again on its timeout; r+2 not as data.")
{
    struct held h;
    struct uet_pdc *p = uet_pdc_open(tc);
    p->ack_cc = true;
    hold(tc, p, 3, &h);
    uint32_t r = psn_of(h.in[0]);
    struct uet_out ack = ack_at(h.in[0], r, psn_of(h.in[0]));
    uet_ack_cc_sack_psn_offset_set(ack.pds, 2);
    uet_ack_cc_sack_bitmap_set(ack.pds, 1);
    uet_send(tc, &ack);
    const struct uet_want missing = resend_of(p, r + 1), known = resend_of(p, r + 2);
    uet_for(tc, "PDS-115");
    const struct uet_in *copy = uet_expect(tc, &missing, patience(tc, one_rto(tc)));
    uet_expect_nothing(tc, "PDS-116", &known, UET_MS);
    acknowledge(tc, p, copy);
}

/* The tester as a window that does not move: how many packets of data come. */
UET_TEST(return_window, .id = "pds.3.5.5.return-data-window", .requirements = "PDS-062 PDS-060",
         .role = UET_ROLE_TARGET, .needs = "rud read any-request upper-tester",
         .purpose = "The target keeps the window of the return direction.",
         .preamble = "Default_MPR 1: 128 PSNs; PDC open; RTO long.",
         .stimulus = "A read of 140 packets; the tester acknowledges no data, then the 100th.",
         .expected = "No return PSN beyond CACK + 128; then the others.")
{
    enum { PACKETS = 140, FREED = 100, PART = 1024 };
    struct uet_out o[PACKETS];
    const struct uet_want data = {.kind = UET_WANT_REQUEST, .also = is_data};
    const struct uet_in *in, *hundredth = NULL;
    hold_rto(tc);
    uet_set_param(tc, "Default_MPR", 1);
    ack_data_below(tc, PART);
    struct source s = need_source(tc, PACKETS * PART);
    struct uet_pdc *p = uet_pdc_open(tc);
    uet_auto_ack(tc, false);
    uint32_t limit = p->cack + WINDOW, most = p->cack;
    for (uint32_t i = 0; i < PACKETS; i++) {
        o[i] = uet_read(p, &s.m, i * PART, PART);
        uet_send(tc, &o[i]);
        uet_expect_covered(tc, p, o[i].psn);
    }
    uint32_t came = 0;
    for (; (in = uet_maybe(tc, &data, uet_tc_quiet(tc))); came++) {
        uet_check(tc, "PDS-062", uet_psn_diff(psn_of(in), limit) <= 0,
                  "return PSN 0x%08x is %d beyond CACK_PSN, where %u are allowed", psn_of(in),
                  uet_psn_diff(psn_of(in), limit) + (int)WINDOW, WINDOW);
        most = psn_of(in);
        hundredth = came + 1 == FREED ? in : hundredth;
    }
    if (!hundredth)
        uet_skip(tc, "the FEP keeps fewer than %u packets outstanding", FREED);
    struct uet_out ack = ack_at(hundredth, psn_of(hundredth), psn_of(hundredth));
    uet_send(tc, &ack);
    uet_for(tc, "PDS-060");
    for (; came < PACKETS; came++)
        uet_expect(tc, &data, 0);
    uet_check(tc, "PDS-060", uet_psn_diff(most, p->start_psn) > 0, "no data came");
    for (in = hundredth; in; in = in->next)
        if (in->pdc == p && is_data(in, NULL))
            hundredth = in;
    acknowledge(tc, p, hundredth);
}

UET_TEST(return_mpr, .id = "pds.3.5.11.4.return-data-mpr", .requirements = "PDS-063 PDS-060",
         .role = UET_ROLE_TARGET, .needs = "rud read any-request ack-cc",
         .purpose = "The mpr of the initiator's ACKs limits the return direction.",
         .preamble = "Memory; PDC open; RTO long; a READ whose data is acknowledged with mpr=1.",
         .stimulus = "140 READs of 1 KiB, whose data is not acknowledged.",
         .expected = "No return PSN beyond CACK + 128.")
{
    enum { PACKETS = 140, PART = 1024 };
    const struct uet_want data = {.kind = UET_WANT_REQUEST, .also = is_data};
    hold_rto(tc);
    ack_data_below(tc, PART);
    struct source s = need_source(tc, PACKETS * PART);
    struct uet_pdc *p = uet_pdc_open(tc);
    p->ack_cc = true;
    p->mpr = 1;
    uet_auto_ack(tc, false);
    struct uet_out o = uet_read(p, &s.m, 0, PART);
    uet_send(tc, &o);
    const struct uet_in *in = expect_return_data(tc, "PDS-119", &o);
    acknowledge(tc, p, in);
    uint32_t limit = psn_of(in) + WINDOW;
    bool room = true;
    for (uint32_t i = 0; i < PACKETS && room; i++) {
        o = uet_read(p, &s.m, i * PART, PART);
        room = read_accepted(tc, p, &o);
    }
    const struct uet_in *last = in;
    uet_for(tc, "PDS-060");
    while ((in = uet_maybe(tc, &data, uet_tc_quiet(tc)))) {
        uet_check(tc, "PDS-060", uet_psn_diff(psn_of(in), limit) <= 0,
                  "return PSN 0x%08x is beyond CACK + 128, mpr is 1", psn_of(in));
        last = in;
    }
    if (uet_psn_diff(psn_of(last), limit) < 0 && !room)
        uet_skip(tc, "the FEP has no room for %u READs, and says so", PACKETS);
    if (uet_psn_diff(psn_of(last), limit) < 0)
        uet_note(tc, "PDS-063", "fewer than the 128 PSNs that mpr=1 allows were used");
    p->mpr = 8;
    uet_auto_ack(tc, true);
    acknowledge(tc, p, last);
    while (uet_maybe(tc, &data, uet_tc_quiet(tc)))
        ;
}

UET_TEST(
    return_clear, .id = "pds.3.5.11.4.4.return-clear-follows",
    .requirements = "PDS-073 PDS-072 PDS-071", .role = UET_ROLE_TARGET,
    .needs = "rud read any-request",
    .purpose = "CLEAR_PSN of the return direction starts at Start_PSN - 1 and never goes back.",
    .preamble = "PDC open at S.",
    .stimulus = "Five READs, the data of each acknowledged before the next.",
    .expected = "Data with PSN S has CLEAR_PSN S-1; none is ahead of its PSN or behind the one "
                "before.")
{
    uint32_t n = more_than_ack_data(tc);
    struct source s = need_source(tc, n);
    struct uet_pdc *p = uet_pdc_open(tc);
    uint32_t clear = p->start_psn - 1;
    for (int i = 0; i < 5; i++) {
        struct uet_out o = uet_read(p, &s.m, 0, n);
        uet_send(tc, &o);
        const struct uet_in *in = expect_return_data(tc, "PDS-119", &o);
        uint32_t now = uet_clear_psn(&in->packet);
        uet_check(tc, "PDS-072", uet_psn_diff(now, psn_of(in)) <= 0,
                  "CLEAR_PSN is ahead of the return PSN");
        uet_check(tc, "PDS-073", uet_psn_diff(now, clear) >= 0,
                  "CLEAR_PSN of the return direction went back from 0x%08x to 0x%08x", clear, now);
        if (psn_of(in) == p->start_psn)
            uet_check_eq(tc, "PDS-071", "CLEAR_PSN", now, clear);
        clear = now;
    }
}

UET_TEST(return_wraps, .id = "pds.3.5.12.return-psns-wrap", .requirements = "PDS-059 PDS-028",
         .role = UET_ROLE_TARGET, .needs = "rud read any-request", .params = "RTO_Init_Time",
         .over = "order", .purpose = "PSNs of the return direction wrap.",
         .preamble = "PDC open at Start_PSN 0xFFFFFFFE.",
         .stimulus = "A read of four packets; one ACK of the last, CACK_PSN at it.",
         .expected = "Return PSNs 0xFFFFFFFE, 0xFFFFFFFF, 0, 1; none of them again.")
{
    struct held h;
    uet_preamble_begin(tc);
    struct uet_pdc *p = uet_pdc_new_at(tc, 0xfffffffe);
    struct uet_out syn = uet_any_request(p);
    exchange(tc, &syn);
    uet_preamble_end(tc);
    uint32_t first = p->cack + 1; /* a NOOP of the target's may have been the first of all */
    hold(tc, p, 4, &h);
    for (uint32_t i = 0; i < 4; i++) {
        uet_look_at(tc, h.in[i]);
        uet_check_eq(tc, "PDS-059", "pds.psn", psn_of(h.in[i]), (uint32_t)(first + i));
    }
    struct uet_out ack = ack_at(h.in[3], first + 3, psn_of(h.in[3]));
    uet_send(tc, &ack);
    uet_forget_settled(tc);
    const struct uet_want again = {.kind = UET_WANT_REQUEST,
                                   .pdc = p,
                                   .also = is_resend,
                                   .named = "a packet again",
                                   .again = true};
    uet_expect_nothing(tc, "PDS-059", &again, 3 * one_rto(tc));
}

/* After an ACK that must not be taken the data comes again. */
static void not_taken(struct uet_tc *tc, const char *requirement, struct uet_pdc *p,
                      const struct uet_in *in, const struct uet_out *ack)
{
    const struct uet_want again = resend_of(p, psn_of(in));
    const struct uet_want nack = {.kind = UET_WANT_NACK, .named = "a NACK of an ACK"};

    uet_send(tc, ack);
    uet_for(tc, requirement);
    const struct uet_in *copy = uet_expect(tc, &again, patience(tc, 4 * one_rto(tc)));
    uet_expect_nothing(tc, requirement, &nack, UET_US);
    (void)copy;
}

UET_TEST(return_strange_acks, .id = "pds.3.5.12.return-strange-acks",
         .requirements = "PDS-124 PDS-123 PDS-122", .role = UET_ROLE_TARGET,
         .needs = "rud read any-request", .params = "RTO_Init_Time Max_RTO_Retx_Cnt",
         .purpose = "ACKs that are not for a PDC's return direction acknowledge nothing of it.",
         .preamble = "Memory; PDC open; a READ whose data is not acknowledged.",
         .stimulus = "ACKs of the data: with an unknown dpdcid, with another spdcid, with a "
                     "CACK_PSN ahead of all that was returned; then the right one.",
         .expected = "No NACK; the data comes again after each of the three, then no more.")
{
    struct source s;
    struct uet_out o;
    uet_try_param(tc, "Max_RTO_Retx_Cnt", 5);
    if (uet_tc_param(tc, "Max_RTO_Retx_Cnt") < 3)
        uet_skip(tc, "the FEP gives up before the third resend");
    struct uet_pdc *p = uet_pdc_open(tc);
    const struct uet_in *in = hold_one(tc, p, &s, &o);
    struct uet_out stray = uet_ack(p, in), other = stray,
                   ahead = ack_at(in, psn_of(in) + 100, psn_of(in));
    uet_ack_dpdcid_set(stray.pds, unused_pdcid(p));
    uet_ack_spdcid_set(other.pds, (uint16_t)(p->pdcid ^ 0x1111));
    not_taken(tc, "PDS-124", p, in, &stray);
    not_taken(tc, "PDS-123", p, in, &other);
    not_taken(tc, "PDS-122", p, in, &ahead);
    p->cack_told = p->cack - 1; /* what was told there was for nobody */
    acknowledge(tc, p, in);
    uet_forget_settled(tc);
    const struct uet_want again = resend_of(p, psn_of(in));
    uet_expect_nothing(tc, "PDS-162", &again, 3 * one_rto(tc));
}

/* The named packet is retired and no other: the first one comes again, the named one does not. */
static void retires_named(struct uet_tc *tc, uint32_t cack, uint16_t ahead)
{
    struct held h;
    uet_preamble_begin(tc);
    struct uet_pdc *p = uet_pdc_new_at(tc, cack + 1);
    struct uet_out syn = uet_any_request(p);
    exchange(tc, &syn);
    uet_preamble_end(tc);
    skip_when_noop_first(tc, p);
    hold(tc, p, ahead, &h);
    struct uet_out behind = ack_at(h.in[0], cack, psn_of(h.in[0])), named = behind;
    uet_ack_ack_psn_offset_set(behind.pds, -36); /* FFDC */
    uet_ack_ack_psn_offset_set(named.pds, (int16_t)ahead);
    uet_send(tc, &behind);
    uet_send(tc, &named);
    const struct uet_want first = resend_of(p, cack + 1), last = resend_of(p, cack + ahead);
    uet_for(tc, "PDS-107");
    uet_expect(tc, &first, patience(tc, one_rto(tc)));
    uet_expect_nothing(tc, "PDS-107", &last, UET_MS);
    p->cack_told = cack;
    acknowledge(tc, p, h.in[ahead - 1]);
}

UET_TEST(return_ack_psn, .id = "pds.3.5.11.4.6.return-ack-psn-vectors",
         .requirements = "PDS-107 PDS-106", .role = UET_ROLE_TARGET,
         .needs = "rud read any-request", .params = "RTO_Init_Time",
         .purpose = "The three vectors of ACK_PSN, as the target reads them.",
         .preamble = "PDCs open at Start_PSN 0x62231121 and 0xFFFFFFF4.",
         .stimulus = "Reads of 36 and 16 packets; ACKs with CACK_PSN Start_PSN-1 and offsets FFDC "
                     "and +0024, and +0010.",
         .expected = "0x62231144 and 0x00000003 are retired and do not come again; the first "
                     "packet of the read does.")
{
    retires_named(tc, 0x62231120, 0x0024);
    retires_named(tc, 0xfffffff3, 0x0010);
}

UET_TEST(return_gives_up, .id = "pds.3.5.15.return-data-given-up",
         .requirements = "PDS-158 PDS-160", .role = UET_ROLE_TARGET,
         .needs = "rud read any-request upper-tester",
         .purpose = "Resends of return data end after Max_RTO_Retx_Cnt.",
         .preamble = "RTO_Init_Time 2 ms, Max_RTO_Retx_Cnt 2; PDC open.",
         .stimulus = "A READ whose data is never acknowledged.",
         .expected = "The data and two copies; then silence, but for a NACK or Close Request that "
                     "ends the PDC.")
{
    static const uint8_t request = UET_CTL_CLOSE_REQUEST;
    const struct uet_want end = {.kind = UET_WANT_NACK};
    struct source s;
    struct uet_out o;
    uet_set_param(tc, "RTO_Init_Time", 2 * UET_MS);
    uet_set_param(tc, "Max_RTO_Retx_Cnt", 2);
    skip_with_tail_loss_timer(tc);
    uet_tolerate(tc, &end);
    struct uet_pdc *p = uet_pdc_open(tc);
    p->auto_close = false;
    const struct uet_in *in = hold_one(tc, p, &s, &o);
    const struct uet_want again = resend_of(p, psn_of(in));
    uet_for(tc, "PDS-158");
    uet_expect(tc, &again, patience(tc, uet_tc_latest(tc, 2 * UET_MS)));
    uet_expect(tc, &again, patience(tc, uet_tc_latest(tc, 4 * UET_MS)));
    uet_expect_nothing(tc, "PDS-158", &again, uet_tc_latest(tc, 40 * UET_MS));
    const struct uet_want asks = {.kind = UET_WANT_CP, .pdc = p, .codes = &request, .n_codes = 1};
    if (uet_maybe(tc, &asks, UET_MS))
        uet_note(tc, "PDS-160", "the target asks for the close of the PDC");
}
