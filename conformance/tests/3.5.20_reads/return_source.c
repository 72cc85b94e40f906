/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The target as source: what it returns obeys the rules of any source, with PSNs, windows and
 * timers of the return direction (3.5.8, 3.5.12, 3.5.15).
 */
#include "conformance/harness/steps/acks.h"
#include "conformance/harness/steps/reads.h"
#include "conformance/harness/steps/sealed.h"
#include "conformance/tests/pds.h"
#include "conformance/tests/pds_target.h"

#define LATE_MOST   3u /* RTOs that may end before an ACK is read */
#define MOST        40
#define WINDOW      128u /* PSNs in one unit of mpr (3.5.11) */
#define LONGEST_RTO (8000 * UET_MS)

/* A read of n packets of which none of the data is acknowledged; the data as it came. */
struct held {
    struct source s;
    struct uet_pdc *p;
    struct uet_out o[MOST];
    const struct uet_in *in[MOST];
};

static struct held hold_on(struct uet_tc *tc, struct uet_pdc *p, uint32_t n)
{
    struct held h = {.p = p};
    uint32_t bytes = n * uet_tc_dut(tc)->payload_mtu;

    ack_data_below(tc, bytes);
    h.s = need_source(tc, bytes);
    uet_auto_ack(tc, false);
    uet_message(p, UET_OP_READ, &h.s.m, 0, NULL, bytes, h.o, MOST);
    for (uint32_t i = 0; i < n; i++)
        say(tc, &h.o[i]);
    for (uint32_t i = 0; i < n; i++)
        h.in[i] = hear_outstanding_data(tc, "PDS-119", p, i);
    return h;
}

/* A single READ whose data comes on the return direction and is not acknowledged. */
static const struct uet_in *hold_one(struct uet_tc *tc, struct uet_pdc *p, struct source *s)
{
    uint32_t n = more_than_ack_data(tc);

    *s = need_source(tc, n);
    uet_auto_ack(tc, false);
    struct uet_out o = uet_read(p, &s->m, 0, n);
    say(tc, &o);
    return hear_return_data(tc, "PDS-119", &o);
}

/* It comes again within that time. */
static const struct uet_in *hear_again(struct uet_tc *tc, const char *requirement,
                                       const struct uet_in *in, uint64_t due)
{
    return hear(tc, requirement, RESEND_OF(in), .within = patience(tc, due));
}

/* Preamble: a PDC with that Start_PSN, open. */
static struct uet_pdc *open_at(struct uet_tc *tc, uint32_t start_psn)
{
    uet_preamble_begin(tc);
    struct uet_pdc *p = uet_pdc_new_at(tc, start_psn);
    struct uet_out syn = uet_any_request(p);
    exchange(tc, &syn);
    uet_preamble_end(tc);
    return p;
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
    skip_with_tail_loss_timer(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    const struct uet_in *in = hold_one(tc, p, &s);
    const struct uet_in *copy = hear_again(tc, "PDS-156", in, one_rto(tc));
    not_before(tc, "PDS-156", in, copy, uet_tc_param(tc, "RTO_Init_Time"));
    field(tc, "PDS-058", copy, UET_F_PDS_RETX, 1);
    field(tc, "PDS-164", copy, UET_F_PDS_AR, 1);
    check_data(tc, "PDS-058", copy, &s, 0, s.m.length);
    acknowledge(tc, p, copy);
    uet_forget_settled(tc);
    silence(tc, "PDS-162", RESEND_OF(in), .within = 3 * one_rto(tc));
}

UET_TEST(return_backs_off, .id = "pds.3.5.15.return-data-backs-off", .requirements = "PDS-157",
         .role = UET_ROLE_TARGET, .needs = "rud read any-request",
         .params = "RTO_Init_Time Max_RTO_Retx_Cnt",
         .purpose = "The RTO of return data grows like that of any packet, as long as it comes "
                    "again.",
         .preamble = "Memory; PDC open; RTO 4 ms and Max_RTO_Retx_Cnt 5, where they can be set.",
         .stimulus = "A READ; neither the Request that brings its data nor a copy of it is "
                     "acknowledged but the fifth, or the last that Max_RTO_Retx_Cnt lets come.",
         .expected = "Each copy no sooner than twice the time after which the one before came.")
{
    struct source s;
    skip_with_tail_loss_timer(tc);
    uet_try_param(tc, "RTO_Init_Time", 4 * UET_MS);
    uet_try_param(tc, "Max_RTO_Retx_Cnt", 5);
    uint64_t rto = uet_tc_param(tc, "RTO_Init_Time"), most = uet_tc_param(tc, "Max_RTO_Retx_Cnt");
    if (most < 2)
        uet_skip(tc, "no RTO of this FEP follows another");
    struct uet_pdc *p = uet_pdc_open(tc);
    const struct uet_in *in = hold_one(tc, p, &s);
    const struct uet_in *before = hear_again(tc, "PDS-156", in, one_rto(tc)), *copy;
    for (unsigned i = 1; i < 5 && i < most && rto << i <= LONGEST_RTO; i++, before = copy) {
        copy = hear_again(tc, "PDS-157", in, uet_tc_latest(tc, rto << i));
        not_before(tc, "PDS-157", before, copy, (rto << i) - (rto << i) / 8);
    }
    acknowledge(tc, p, before);
}

/* Return data that gets that NACK comes again, long before the RTO. */
static void return_data_comes_again(struct uet_tc *tc, const char *requirement, uint8_t code)
{
    struct source s;
    hold_rto(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    const struct uet_in *in = copy_to_refuse(tc, hold_one(tc, p, &s));
    say_nack(tc, in, code);
    uint64_t due = uet_tc_latest(tc, uet_tc_param(tc, "NACK_Retx_Time"));
    const struct uet_in *copy = hear_again(tc, requirement, in, due);
    field(tc, requirement, copy, UET_F_PDS_RETX, 1);
    check_data(tc, requirement, copy, &s, 0, s.m.length);
    acknowledge(tc, p, copy);
}

UET_TEST(return_nacked, .id = "pds.3.5.12.7.return-data-nacked", .requirements = "PDS-135",
         .role = UET_ROLE_TARGET, .needs = "rud read any-request", .params = "NACK_Retx_Time",
         .purpose = "A NACK of return data brings it again, long before the RTO.",
         .preamble = "Memory; PDC open; RTO long.",
         .stimulus = "A READ; NACK UET_NO_PKT_BUFFER of the Request that brings its data.",
         .expected = "The same PSN and data with retx=1.")
{
    return_data_comes_again(tc, "PDS-135", UET_NACK_NO_PKT_BUFFER);
}

/* The codes that bring a Request again whoever sent it, but for those that other tests try. */
static const uint8_t lacks[] = {UET_NACK_TRIMMED_LASTHOP,  UET_NACK_NO_GTD_DEL_AVAIL,
                                UET_NACK_NO_SES_MSG_AVAIL, UET_NACK_NO_RESOURCE,
                                UET_NACK_PSN_OOR_WINDOW,   UET_NACK_RCVR_INFER_LOSS};

UET_TEST(return_each_lack, .id = "pds.3.5.12.7.return-data-each-lack",
         .requirements = "PDS-135 PDS-151 PDS-229", .role = UET_ROLE_TARGET,
         .needs = "rud read any-request", .params = "NACK_Retx_Time",
         .purpose = "Whatever an initiator lacks for return data, the target sends it again.",
         .preamble = "Memory; PDC open; RTO long.",
         .stimulus = "For the data of a READ each: NACK UET_TRIMMED_LASTHOP, UET_NO_GTD_DEL_AVAIL, "
                     "UET_NO_SES_MSG_AVAIL, UET_NO_RESOURCE, UET_PSN_OOR_WINDOW and "
                     "UET_RCVR_INFER_LOSS; the copy is acknowledged.",
         .expected = "The same PSN with retx=1, long before the RTO.")
{
    hold_rto(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    const uint64_t due = nack_delay(tc);
    const uint32_t n = more_than_ack_data(tc);
    struct source s = need_source(tc, n);
    uet_auto_ack(tc, false);
    for (size_t i = 0; i < sizeof lacks; i++) {
        struct uet_out o = uet_read(p, &s.m, 0, n);
        say(tc, &o);
        const struct uet_in *in = copy_to_refuse(tc, hear_return_data(tc, "PDS-119", &o));
        say_nack(tc, in, lacks[i]);
        const struct uet_in *copy = hear_again(tc, "PDS-135", in, due);
        field(tc, "PDS-135", copy, UET_F_PDS_RETX, 1);
        acknowledge(tc, p, copy);
    }
}

/*
 * A source that has failed closes its PDC: a target asks for that, or the PDC is gone, and what the
 * initiator sends next is refused. That it goes on as if nothing were is a finding.
 */
static void ends_as_source(struct uet_tc *tc, const char *requirement, struct uet_pdc *p)
{
    struct uet_out next = uet_any_request(p);

    p->auto_close = false;
    if (maybe(tc, CP_ON(p, UET_CTL_CLOSE_REQUEST), .within = UET_MS))
        return;
    say(tc, &next);
    const struct uet_in *in = hear(tc, requirement, COVERED_OR_REFUSED(&next));
    if (uet_is_ack(&in->packet) && !maybe(tc, CP_ON(p, UET_CTL_CLOSE_REQUEST), .within = UET_MS))
        uet_other_reading(tc, requirement, "the PDC goes on after its return direction has failed");
}

UET_TEST(return_fatal, .id = "pds.3.5.12.7.return-data-fatal", .requirements = "PDS-138",
         .role = UET_ROLE_TARGET, .needs = "rud read any-request",
         .params = "RTO_Init_Time NACK_Retx_Time",
         .purpose = "A fatal NACK of return data ends its PDC: nothing of that data comes again.",
         .preamble = "Memory; PDC open.",
         .stimulus = "A READ; NACK UET_INV_DPDCID (0x0E) of the Request that brings its data; "
                     "later a Request.",
         .expected = "The data does not come again on that PDC, neither after NACK_Retx_Time nor "
                     "after its RTO. The FEP asks for the close, or refuses the Request; else a "
                     "finding.",
         .once = "the PDC ends in error")
{
    struct source s;
    skip_with_tail_loss_timer(tc);
    tolerate(tc, REFUSAL_ON(NULL));
    struct uet_pdc *p = uet_pdc_open(tc);
    const struct uet_in *in = hold_one(tc, p, &s);
    p->auto_close = false;
    p->unfinished = true;
    say_nack(tc, in, UET_NACK_INV_DPDCID);
    silence(tc, "PDS-138", RESEND_OF(in), .within = 3 * one_rto(tc) + nack_delay(tc));
    ends_as_source(tc, "PDS-138", p);
}

/* Those that end a PDC, without UET_INV_DPDCID, and those that answer a SYN or a closing PDC alone.
 */
static const uint8_t fatal[] = {UET_NACK_PDC_HDR_MISMATCH, UET_NACK_CLOSING_IN_ERR,
                                UET_NACK_GTD_RESP_UNAVAIL, UET_NACK_PDC_MODE_MISMATCH,
                                UET_NACK_UNEXP_EVENT};

UET_TEST(return_each_fatal, .id = "pds.3.5.12.7.return-data-each-fatal",
         .requirements = "PDS-138 PDS-140 PDS-141", .role = UET_ROLE_TARGET,
         .needs = "rud read any-request", .params = "NACK_Retx_Time", .not_over = "company",
         .purpose = "Each fatal NACK of return data ends its PDC.", .preamble = "Memory; RTO long.",
         .stimulus =
             "On a PDC each: a READ; NACK UET_PDC_HDR_MISMATCH, UET_CLOSING_IN_ERR, "
             "UET_GTD_RESP_UNAVAIL, UET_PDC_MODE_MISMATCH or UET_UNEXP_EVENT of the Request "
             "that brings its data; then a Request.",
         .expected = "The data does not come again. The FEP asks for the close, or refuses the "
                     "Request; else a finding.",
         .once = "the PDCs end in error")
{
    const uint32_t n = more_than_ack_data(tc);
    hold_rto(tc);
    skip_with_tail_loss_timer(tc);
    tolerate(tc, REFUSAL_ON(NULL));
    struct source s = need_source(tc, n);
    for (size_t i = 0; i < sizeof fatal; i++) {
        struct uet_pdc *p = uet_pdc_open(tc);
        uet_auto_ack(tc, false);
        struct uet_out o = uet_read(p, &s.m, 0, n);
        say(tc, &o);
        const struct uet_in *in = copy_to_refuse(tc, hear_return_data(tc, "PDS-119", &o));
        p->auto_close = false;
        p->unfinished = true;
        say_nack(tc, in, fatal[i]);
        silence(tc, "PDS-138", RESEND_OF(in), .within = 2 * nack_delay(tc));
        ends_as_source(tc, "PDS-138", p);
        uet_auto_ack(tc, true);
    }
}

UET_TEST(return_nacks_end, .id = "pds.3.5.20.3.1.return-data-retries-end",
         .requirements = "PDS-136", .role = UET_ROLE_TARGET,
         .needs = "rud read any-request upper-tester", .params = "NACK_Retx_Time",
         .purpose = "Resends of return data that NACKs bring are counted, too.",
         .preamble = "Max_NACK_Retx_Cnt set to 2; memory; PDC open; RTO long.",
         .stimulus = "A READ; NACK UET_NO_PKT_BUFFER of each copy of the Request that brings its "
                     "data.",
         .expected = "Two resends.", .once = "the PDC ends in error")
{
    struct source s;
    unsigned n = 0;
    hold_rto(tc);
    uet_set_param(tc, "Max_NACK_Retx_Cnt", 2);
    struct uet_pdc *p = uet_pdc_open(tc);
    const struct uet_in *in = hold_one(tc, p, &s);
    uint64_t due = patience(tc, nack_delay(tc));
    p->auto_close = false;
    do
        say_nack(tc, in, UET_NACK_NO_PKT_BUFFER);
    while (n < 4 && maybe(tc, RESEND_OF(in), .within = due) && ++n);
    uet_check(tc, "PDS-136", n == 2, "%u resends or more, where Max_NACK_Retx_Cnt is 2", n);
}

UET_TEST(return_nacks_without_end, .id = "pds.3.5.20.3.1.return-data-retries-without-end",
         .requirements = "PDS-136", .role = UET_ROLE_TARGET,
         .needs = "rud read any-request upper-tester", .params = "NACK_Retx_Time",
         .purpose = "Max_NACK_Retx_Cnt 31 means no end for return data, too.",
         .preamble = "Max_NACK_Retx_Cnt set to 31; memory; PDC open; RTO long.",
         .stimulus = "A READ; NACK UET_NO_PKT_BUFFER of the Request that brings its data and of 33 "
                     "copies; then the ACK.",
         .expected = "A resend after each NACK; the PDC works on.")
{
    struct source s;
    hold_rto(tc);
    uet_set_param(tc, "Max_NACK_Retx_Cnt", 31);
    struct uet_pdc *p = uet_pdc_open(tc);
    const struct uet_in *in = hold_one(tc, p, &s);
    for (int i = 0; i < 34; i++) {
        say_nack(tc, in, UET_NACK_NO_PKT_BUFFER);
        in = hear_again(tc, "PDS-136", in, nack_delay(tc));
    }
    acknowledge(tc, p, in);
    still_serves(tc, "PDS-136", p);
}

UET_TEST(return_trim_nacked, .id = "pds.3.5.15.return-data-nacked-as-trimmed",
         .requirements = "PDS-226 PDS-227", .role = UET_ROLE_TARGET,
         .needs = "rud read any-request", .params = "NACK_Retx_Time",
         .purpose = "A NACK that tells that return data was trimmed brings it again.",
         .preamble = "Memory; PDC open; RTO long.",
         .stimulus = "A READ; NACK UET_TRIMMED of the Request that brings its data.",
         .expected = "The same PSN and data with retx=1.")
{
    return_data_comes_again(tc, "PDS-226", UET_NACK_TRIMMED);
}

UET_TEST(return_stray_nack, .id = "pds.3.5.12.7.return-data-stray-nack", .requirements = "PDS-134",
         .role = UET_ROLE_TARGET, .needs = "rud read any-request", .params = "NACK_Retx_Time",
         .purpose = "A NACK of return data that was never sent changes nothing.",
         .preamble = "Memory; PDC open; RTO long.",
         .stimulus = "A READ whose data is not acknowledged; NACK UET_NO_PKT_BUFFER of a "
                     "return PSN 50 further on; then the ACK of the data.",
         .expected = "The data does not come again; the PDC works on.")
{
    struct source s;
    hold_rto(tc);
    skip_with_tail_loss_timer(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    const struct uet_in *in = hold_one(tc, p, &s);
    struct uet_out nack = uet_nack(p, psn_of(in) + 50, UET_NACK_NO_PKT_BUFFER);
    say(tc, &nack);
    silence(tc, "PDS-134", RESEND_OF(in), .within = 2 * nack_delay(tc));
    acknowledge(tc, p, in);
    still_serves(tc, "PDS-134", p);
}

UET_TEST(return_asks_acks, .id = "pds.3.5.12.2.return-data-asks-for-acks",
         .requirements = "PDS-099", .role = UET_ROLE_TARGET,
         .needs = "rud read any-request upper-tester",
         .purpose = "Enb_ACK_Per_Pkt: the target, too, asks for an ACK of each Request it sends.",
         .preamble = "Enb_ACK_Per_Pkt is 1; PDC open.", .stimulus = "A read of three payload MTUs.",
         .expected = "Each Request of the return direction has ar=1.")
{
    uet_set_param(tc, "Enb_ACK_Per_Pkt", 1);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct held h = hold_on(tc, p, 3);
    for (int i = 0; i < 3; i++)
        field(tc, "PDS-099", h.in[i], UET_F_PDS_AR, 1);
    acknowledge(tc, p, h.in[2]);
}

UET_TEST(return_ends_with_ar, .id = "pds.3.5.12.return-data-ar-on-last", .requirements = "PDS-126",
         .role = UET_ROLE_TARGET, .needs = "rud read any-request",
         .purpose = "The target, too, asks for an ACK of the last packet that it returns.",
         .preamble = "Memory; PDC open; RTO long.",
         .stimulus = "A READ of one packet, then a read of three payload MTUs.",
         .expected = "ar=1 on the Request that brings the last data of each; else a finding.")
{
    struct source s;
    hold_rto(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    const struct uet_in *in = hold_one(tc, p, &s);
    field(tc, "PDS-126", in, UET_F_PDS_AR, 1);
    acknowledge(tc, p, in);
    struct held h = hold_on(tc, p, 3);
    field(tc, "PDS-126", h.in[2], UET_F_PDS_AR, 1);
    acknowledge(tc, p, h.in[2]);
}

UET_TEST(return_sack, .id = "pds.3.5.15.return-data-sack", .requirements = "PDS-116 PDS-115",
         .role = UET_ROLE_TARGET, .needs = "rud read any-request ack-cc", .params = "RTO_Init_Time",
         .over = "order",
         .purpose = "Return data that SACK tells received is not sent again as data.",
         .preamble = "Memory; PDC open.",
         .stimulus = "A read of three packets of data r, r+1, r+2; an ACK_CC with CACK_PSN r and "
                     "SACK of r+2.",
         .expected = "r+1 again on its timeout; r+2 not as data: an ACK Request asks for it.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    p->ack_cc = true;
    struct held h = hold_on(tc, p, 3);
    uint32_t r = psn_of(h.in[0]), next = psn_of(h.in[1]), last = psn_of(h.in[2]);
    struct uet_out ack = ack_at(h.in[0], r, r);
    set_sack(&ack, last, 1);
    say(tc, &ack);
    const struct uet_in *copy = hear(tc, "PDS-115", REQUEST_OF(p, next), .also = is_resend,
                                     .again = true, .within = patience(tc, one_rto(tc)));
    silence(tc, "PDS-116", REQUEST_OF(p, last), .also = is_resend, .within = UET_MS);
    uet_check(tc, "PDS-116",
              maybe(tc, CP_ON(p, UET_CTL_ACK_REQUEST), .within = patience(tc, one_rto(tc))),
              "no ACK Request came for return data known from SACK");
    acknowledge(tc, p, copy);
}

enum { PACKETS = 140, FREED = 100, PART = 1024 };

/* What came of many READs, as long as the window of the return direction holds them. */
struct window {
    uint32_t n;                     /* packets of data */
    const struct uet_in *at, *last; /* the FREED-th of them; the last */
};

static struct window take_window(struct uet_tc *tc, const char *requirement,
                                 const struct uet_pdc *p, uint32_t cack)
{
    struct window w = {0};

    for (const struct uet_in *in; (in = maybe(tc, DATA_ON(p), .within = uet_tc_quiet(tc)));) {
        field_at_most(tc, requirement, in, UET_F_PDS_PSN, cack + WINDOW);
        w.at = ++w.n == FREED ? in : w.at;
        w.last = in;
    }
    return w;
}

/* The i-th READ of PART bytes. */
static struct uet_out part_read(struct uet_pdc *p, const struct source *s, uint32_t i)
{
    return uet_read(p, &s->m, (uint64_t)i * PART, PART);
}

/* Memory for PACKETS of them. */
static struct source need_parts(struct uet_tc *tc)
{
    ack_data_below(tc, PART);
    return need_source(tc, PACKETS * PART);
}

UET_TEST(return_window, .id = "pds.3.5.5.return-data-window", .requirements = "PDS-062 PDS-060",
         .role = UET_ROLE_TARGET, .not_over = "acks", .needs = "rud read any-request upper-tester",
         .purpose = "The target keeps the window of the return direction.",
         .preamble = "Default_MPR 1: 128 PSNs; PDC open; RTO long.",
         .stimulus = "A read of 140 packets; the tester acknowledges no data, then the 100th.",
         .expected = "No return PSN beyond CACK + 128; then the others.")
{
    hold_rto(tc);
    uet_set_param(tc, "Default_MPR", 1);
    struct source s = need_parts(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    uet_auto_ack(tc, false);
    uint32_t cack = p->cack;
    for (uint32_t i = 0; i < PACKETS; i++) {
        struct uet_out o = part_read(p, &s, i);
        say(tc, &o);
        hear(tc, "PDS-062", COVERED(&o));
    }
    struct window w = take_window(tc, "PDS-062", p, cack);
    if (!w.at)
        uet_skip(tc, "the FEP keeps fewer than %u packets outstanding", FREED);
    struct uet_out ack = ack_at(w.at, psn_of(w.at), psn_of(w.at));
    say(tc, &ack);
    for (; w.n < PACKETS; w.n++)
        w.last = hear(tc, "PDS-060", DATA_ON(p));
    acknowledge(tc, p, w.last);
}

/* A target serves as many READs at a time as it has room for, and says so (Table 3-58). */
#define NO_ROOM                                                                                    \
    UET_NACK_NO_PKT_BUFFER, UET_NACK_NO_GTD_DEL_AVAIL, UET_NACK_NO_SES_MSG_AVAIL,                  \
        UET_NACK_NO_RESOURCE

/* READs until there is no room for another; how many were taken. */
static uint32_t say_reads(struct uet_tc *tc, struct uet_pdc *p, const struct source *s)
{
    for (uint32_t i = 0; i < PACKETS; i++) {
        struct uet_out o = part_read(p, s, i);
        say(tc, &o);
        const struct uet_in *in = hear(tc, "PDS-063", COVERED_OR_REFUSED(&o));
        if (!uet_is_nack(&in->packet))
            continue;
        field_among(tc, "PDS-063", in, UET_F_PDS_NACK_CODE, NO_ROOM);
        return i;
    }
    return PACKETS;
}

/* The window stays where it is: another mpr with the same CACK_PSN says nothing. */
static void stale_mpr(struct uet_tc *tc, struct uet_pdc *p, const struct uet_in *in, uint32_t cack)
{
    struct uet_out ack = ack_at(in, cack, cack);

    uet_ack_cc_mpr_set(ack.pds, 4);
    say(tc, &ack);
    (void)take_window(tc, "PDS-066", p, cack);
}

UET_TEST(return_mpr, .id = "pds.3.5.11.4.return-data-mpr",
         .requirements = "PDS-063 PDS-060 PDS-066", .role = UET_ROLE_TARGET,
         .needs = "rud read any-request ack-cc",
         .purpose = "The mpr of the initiator's ACKs limits the return direction.",
         .preamble = "Memory; PDC open; RTO long; a READ whose data is acknowledged with mpr=1.",
         .stimulus = "140 READs of 1 KiB, whose data is not acknowledged; the same ACK with mpr=4.",
         .expected = "No return PSN beyond CACK + 128.")
{
    hold_rto(tc);
    struct source s = need_parts(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    p->ack_cc = true;
    p->mpr = 1;
    uet_auto_ack(tc, false);
    struct uet_out o = part_read(p, &s, 0);
    say(tc, &o);
    const struct uet_in *in = hear_return_data(tc, "PDS-119", &o);
    acknowledge(tc, p, in);
    uint32_t cack = psn_of(in), taken = say_reads(tc, p, &s);
    struct window w = take_window(tc, "PDS-060", p, cack);
    in = w.last ? w.last : in;
    stale_mpr(tc, p, in, cack);
    if (psn_of(in) != cack + WINDOW && taken < PACKETS)
        uet_skip(tc, "the FEP has no room for %u READs, and says so", PACKETS);
    if (psn_of(in) != cack + WINDOW)
        uet_note(tc, "PDS-063", "fewer than the 128 PSNs that mpr=1 allows were used");
    p->mpr = 8;
    uet_auto_ack(tc, true);
    acknowledge(tc, p, in);
    while (maybe(tc, DATA_ON(p), .within = uet_tc_quiet(tc)))
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
        say(tc, &o);
        const struct uet_in *in = hear_return_data(tc, "PDS-119", &o);
        field_at_most(tc, "PDS-072", in, UET_F_PDS_CLEAR_PSN, psn_of(in));
        field_at_least(tc, "PDS-073", in, UET_F_PDS_CLEAR_PSN, clear);
        if (psn_of(in) == p->start_psn)
            field(tc, "PDS-071", in, UET_F_PDS_CLEAR_PSN, p->start_psn - 1);
        clear = uet_clear_psn(&in->packet);
    }
}

UET_TEST(return_wraps, .id = "pds.3.5.12.return-psns-wrap", .requirements = "PDS-059 PDS-028",
         .role = UET_ROLE_TARGET, .needs = "rud read any-request", .params = "RTO_Init_Time",
         .over = "order", .purpose = "PSNs of the return direction wrap.",
         .preamble = "PDC open at Start_PSN 0xFFFFFFFE.",
         .stimulus = "A read of four packets; one ACK of the last, CACK_PSN at it.",
         .expected = "Return PSNs 0xFFFFFFFE, 0xFFFFFFFF, 0, 1; none of them again.")
{
    struct uet_pdc *p = open_at(tc, 0xfffffffe);
    uint32_t first = p->cack + 1; /* a NOOP of the target's may have been the first of all */
    struct held h = hold_on(tc, p, 4);
    for (uint32_t i = 0; i < 4; i++)
        psn_follows(tc, "PDS-059", h.in[i], i > 0 ? psn_of(h.in[i - 1]) : first - 1);
    struct uet_out ack = ack_at(h.in[3], psn_of(h.in[3]), psn_of(h.in[3]));
    say(tc, &ack);
    uet_forget_settled(tc);
    silence(tc, "PDS-059", ANY_RESEND_ON(p), .within = 3 * one_rto(tc));
}

/* After an ACK that must not be taken the data comes again. */
static void not_taken(struct uet_tc *tc, const char *requirement, const struct uet_in *in,
                      const struct uet_out *ack)
{
    say(tc, ack);
    hear_again(tc, requirement, in, 4 * one_rto(tc));
    silence(tc, requirement, REFUSAL_ON(NULL), .named = "a NACK of an ACK", .within = UET_US);
}

UET_TEST(return_strange_acks, .id = "pds.3.5.12.return-strange-acks",
         .requirements = "PDS-124 PDS-123 PDS-122", .role = UET_ROLE_TARGET,
         .not_over = "copies", /* a copy of a Request may draw a NACK (PDS-131) */
         .needs = "rud read any-request", .params = "RTO_Init_Time Max_RTO_Retx_Cnt",
         .purpose = "ACKs that are not for a PDC's return direction acknowledge nothing of it.",
         .preamble = "Memory; PDC open; a READ whose data is not acknowledged.",
         .stimulus = "ACKs of the data: with an unknown dpdcid, with another spdcid, with a "
                     "CACK_PSN ahead of all that was returned; then the right one.",
         .expected = "No NACK; the data comes again after each of the three, then no more.")
{
    struct source s;
    uet_try_param(tc, "Max_RTO_Retx_Cnt", 5);
    if (uet_tc_param(tc, "Max_RTO_Retx_Cnt") < 3)
        uet_skip(tc, "the FEP gives up before the third resend");
    struct uet_pdc *p = uet_pdc_open(tc);
    const struct uet_in *in = hold_one(tc, p, &s);
    struct uet_out stray = uet_ack(p, in), other = stray;
    struct uet_out ahead = ack_at(in, psn_of(in) + 100, psn_of(in));
    uet_ack_dpdcid_set(stray.pds, unused_pdcid(p));
    uet_ack_spdcid_set(other.pds, other_pdcid(p->pdcid));
    not_taken(tc, "PDS-124", in, &stray);
    not_taken(tc, "PDS-123", in, &other);
    not_taken(tc, "PDS-122", in, &ahead);
    p->cack_told = p->cack - 1; /* what was told there was for nobody */
    acknowledge(tc, p, in);
    uet_forget_settled(tc);
    silence(tc, "PDS-162", RESEND_OF(in), .within = 3 * one_rto(tc));
}

/*
 * On a real link an RTO may end before a FEP has read the ACK that it has got, and what that names
 * comes again once more. It is said again as long as the FEP does not give up; one that has read it
 * sends the first packet alone.
 */
static void hear_late(struct uet_tc *tc, const struct uet_in *first, const struct uet_in *named,
                      const struct uet_out *ack)
{
    uint64_t resends;

    if (uet_tc_virtual_time(tc) || !uet_tc_told(tc, "Max_RTO_Retx_Cnt", &resends))
        return;
    for (uint64_t i = 1; i < resends && i <= LATE_MOST; i++) {
        if (!maybe(tc, RESEND_OF(named), .within = UET_MS))
            return;
        say(tc, ack);
        hear_again(tc, "PDS-107", first, one_rto(tc) << i);
    }
}

/* The named packet is retired and no other: the first one comes again, the named one does not. */
static void retires_named(struct uet_tc *tc, uint32_t cack, uint16_t ahead)
{
    /* So long that the ACKs are there before it is over, though 36 packets are read first. */
    uet_try_param(tc, "RTO_Init_Time", 50 * UET_MS);
    uet_try_param(tc, "Max_RTO_Retx_Cnt", 3);
    struct uet_pdc *p = open_at(tc, cack + 1);

    skip_when_noop_first(tc, p);
    struct held h = hold_on(tc, p, ahead);
    const struct uet_in *first = h.in[0], *last = h.in[ahead - 1];
    if (psn_of(last) != cack + ahead)
        uet_skip(tc, "the FEP puts packets of its own between the data");
    struct uet_out behind = ack_at(first, cack, cack - 36); /* FFDC */
    struct uet_out named = ack_at(first, cack, cack + ahead);
    say(tc, &behind);
    say(tc, &named);
    hear_again(tc, "PDS-107", first, one_rto(tc));
    hear_late(tc, first, last, &named);
    silence(tc, "PDS-107", RESEND_OF(last), .within = UET_MS);
    p->cack_told = cack;
    acknowledge(tc, p, last);
    if (sealing_adds(
            &named)) /* the floor of Start_PSN moves by a close alone, and must for the next */
        close_now(tc, p);
}

UET_TEST(return_ack_psn, .id = "pds.3.5.11.4.6.return-ack-psn-vectors",
         .requirements = "PDS-107 PDS-106", .role = UET_ROLE_TARGET,
         .needs = "rud read any-request", .params = "RTO_Init_Time",
         .purpose = "The three vectors of ACK_PSN, as the target reads them.",
         .preamble = "RTO_Init_Time 50 ms where it can be set; PDCs open at Start_PSN 0x62231121 "
                     "and 0xFFFFFFF4.",
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
         .stimulus = "A READ whose data is never acknowledged; later a Request.",
         .expected = "The data and two copies; then silence, but for a NACK or Close Request that "
                     "ends the PDC. Without them the Request is refused; else a finding.")
{
    struct source s;
    uet_set_param(tc, "RTO_Init_Time", 2 * UET_MS);
    uet_set_param(tc, "Max_RTO_Retx_Cnt", 2);
    skip_with_tail_loss_timer(tc);
    tolerate(tc, REFUSAL_ON(NULL));
    struct uet_pdc *p = uet_pdc_open(tc);
    p->auto_close = false;
    p->unfinished = true;
    const struct uet_in *in = hold_one(tc, p, &s);
    hear_again(tc, "PDS-158", in, uet_tc_latest(tc, 2 * UET_MS));
    hear_again(tc, "PDS-158", in, uet_tc_latest(tc, 4 * UET_MS));
    silence(tc, "PDS-158", RESEND_OF(in), .within = uet_tc_latest(tc, 40 * UET_MS));
    ends_as_source(tc, "PDS-160", p);
}
