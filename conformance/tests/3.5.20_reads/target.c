/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.12.1, 3.5.20.1, 3.5.20.2: which way the data of a read takes. */
#include "conformance/harness/steps/acks.h"
#include "conformance/harness/steps/reads.h"
#include "conformance/tests/pds_target.h"

#define PARTS 3

/* A PDC on which nothing is cleared but by the test. */
static struct uet_pdc *open_uncleared(struct uet_tc *tc)
{
    struct uet_pdc *p = uet_pdc_open(tc);

    p->auto_clear = false;
    p->clear_psn = p->start_psn;
    return p;
}

UET_TEST(small_read, .id = "pds.3.5.12.1.small-read",
         .requirements = "PDS-118 PDS-075 PDS-077 SES-074 SES-007", .role = UET_ROLE_TARGET,
         .needs = "rud read any-request", .claim_binds = true,
         .purpose = "A few bytes may come in the ACK, which then is delivered with guarantee.",
         .preamble = "Memory of 8 bytes; PDC open.", .stimulus = "A READ of 8 bytes.",
         .expected = "They come in the ACK with UET_RESPONSE_W_DATA, REQ_CLEAR and a CACK_PSN that "
                     "waits, or in a Request of the return direction: both pass.")
{
    struct source s = need_source(tc, 8);
    struct uet_pdc *p = open_uncleared(tc);
    struct uet_out o = uet_read(p, &s.m, 0, 8);
    say(tc, &o);
    const struct uet_in *in = hear(tc, "PDS-118", DATA_OF(&o));
    check_data(tc, "PDS-118", in, &s, 0, 8);
    if (uet_is_request(&in->packet)) {
        uet_note(tc, "PDS-118", "the data of a small read comes on the return direction");
        return;
    }
    field(tc, "PDS-118", in, UET_F_PDS_REQ, UET_ACK_REQ_CLEAR);
    check_cack(tc, "PDS-077", in, o.psn - 1);
}

UET_TEST(small_read_again, .id = "pds.3.5.20.1.small-read-again",
         .requirements = "PDS-118 PDS-087 SES-117", .role = UET_ROLE_TARGET,
         .needs = "rud read any-request", .claim_binds = true,
         .purpose = "Data that came in an ACK comes again for a retransmitted READ.",
         .preamble = "Memory of 16 bytes; PDC open; a READ of 8 bytes was answered in its ACK.",
         .stimulus = "The READ with retx=1, twice; then its clear, with a NO_OP.",
         .expected = "The same data in an ACK each time, kept or read again; then CACK_PSN covers "
                     "the NO_OP.")
{
    struct source s = need_source(tc, 16);
    struct uet_pdc *p = open_uncleared(tc);
    struct uet_out o = uet_read(p, &s.m, 8, 8);
    read_in_ack(tc, "PDS-118", &o);
    for (int i = 0; i < 2; i++) {
        uet_forget(tc);
        say_again(tc, &o);
        check_data(tc, "PDS-087", hear(tc, "PDS-087", DATA_OF(&o)), &s, 8, 8);
    }
    p->clear_psn = o.psn;
    struct uet_out next = uet_any_request(p);
    check_cack(tc, "PDS-118", ask(tc, "PDS-118", &next), next.psn);
}

UET_TEST(large_read, .id = "pds.3.5.12.1.large-read",
         .requirements = "PDS-119 PDS-013 PDS-028 PDS-071 SES-075 SES-007 SES-077",
         .role = UET_ROLE_TARGET, .needs = "rud read",
         .purpose = "Data longer than Max_ACK_Data_Size comes in Requests of the return direction.",
         .preamble = "Memory of a few bytes more than Max_ACK_Data_Size.",
         .stimulus = "A READ of all of it opens a PDC at Start_PSN S.",
         .expected = "An ACK without data, a success without REQ_CLEAR; before or after it a "
                     "Request with spdcid TPDCID, dpdcid IPDCID, PSN S, CLEAR_PSN S-1, next_hdr "
                     "RESPONSE_DATA, and the data.")
{
    uint32_t n = more_than_ack_data(tc);
    struct source s = need_source(tc, n);
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out o = uet_read(p, &s.m, 0, n);
    const struct uet_in *ack = ask(tc, "PDS-119", &o);
    uet_check_success(tc, "PDS-119", ack);
    field_is_not(tc, "PDS-119", ack, UET_F_PDS_REQ, UET_ACK_REQ_CLEAR);
    const struct uet_in *in = hear_return_data(tc, "PDS-119", &o);
    check_data(tc, "PDS-119", in, &s, 0, n);
    field(tc, "PDS-013", in, UET_F_PDS_SPDCID, uet_spdcid(&ack->packet));
    field(tc, "PDS-028", in, UET_F_PDS_PSN, p->start_psn);
    field(tc, "PDS-071", in, UET_F_PDS_CLEAR_PSN, p->start_psn - 1);
    field(tc, "SES-007", in, UET_F_PDS_NEXT_HDR, UET_NH_RESPONSE_DATA);
}

UET_TEST(read_opens_out_of_turn, .id = "pds.3.5.11.4.4.clear-begins-at-the-start",
         .requirements = "PDS-071", .role = UET_ROLE_TARGET, .needs = "rud read any-request",
         .purpose = "CLEAR_PSN of the return direction begins below Start_PSN, whichever packet "
                    "opens the PDC.",
         .preamble = "Memory of a few bytes more than Max_ACK_Data_Size.",
         .stimulus = "A READ of all of it, the second packet of its PDC, comes first; then the "
                     "first packet, from Start_PSN S.",
         .expected = "The data comes in Requests with CLEAR_PSN S-1.")
{
    uint32_t n = more_than_ack_data(tc);
    struct source s = need_source(tc, n);
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out first = uet_any_request(p), o = uet_read(p, &s.m, 0, n);
    say(tc, &o);
    const struct uet_in *in = hear_return_data(tc, "PDS-071", &o);
    field(tc, "PDS-071", in, UET_F_PDS_CLEAR_PSN, p->start_psn - 1);
    check_data(tc, "PDS-071", in, &s, 0, n);
    exchange(tc, &first);
}

/* A READ of n bytes in several packets, none of which an ACK answers with data. */
struct long_read {
    struct source s;
    uint32_t n, mtu;
    struct uet_pdc *p;
    struct uet_out o[PARTS];
    size_t count;
};

static struct long_read long_read(struct uet_tc *tc, uint32_t n)
{
    struct long_read r = {.n = n, .mtu = uet_tc_dut(tc)->payload_mtu};

    ack_data_below(tc, n);
    r.s = need_source(tc, n);
    r.p = uet_pdc_open(tc);
    r.count = uet_message(r.p, UET_OP_READ, &r.s.m, 0, NULL, n, r.o, PARTS);
    return r;
}

/* How much of it comes at that offset. */
static uint32_t part_at(const struct long_read *r, uint32_t offset)
{
    return r->n - offset < r->mtu ? r->n - offset : r->mtu;
}

/* The data of each packet, in the return direction. */
static void take_all(struct uet_tc *tc, const char *requirement, const struct long_read *r)
{
    for (size_t i = 0; i < r->count; i++) {
        uint32_t at = asked_offset(&r->o[i]);
        const struct uet_in *in = hear_return_data(tc, requirement, &r->o[i]);
        check_data(tc, requirement, in, &r->s, at, part_at(r, at));
    }
}

UET_TEST(one_way, .id = "pds.3.5.20.1.one-way", .requirements = "PDS-120 SES-076 PDS-013",
         .role = UET_ROLE_TARGET, .needs = "rud read any-request", .over = "order",
         .purpose = "All data of a read takes one way, a small last part, too.",
         .preamble = "Memory of a payload MTU and 8 bytes; PDC open.",
         .stimulus = "A READ of all of it, two packets.",
         .expected = "Both parts come in Requests of the return direction; both READs are "
                     "acknowledged without data.")
{
    struct long_read r = long_read(tc, uet_tc_dut(tc)->payload_mtu + 8u);
    say(tc, &r.o[0]);
    say(tc, &r.o[1]);
    take_all(tc, "PDS-120", &r);
    hear(tc, "PDS-120", COVERED(&r.o[1]));
}

UET_TEST(separate_psns, .id = "pds.3.5.8.return-data-has-its-own-psns",
         .requirements = "PDS-057 PDS-013 PDS-072", .role = UET_ROLE_TARGET,
         .needs = "rud read any-request",
         .purpose = "Forward Requests and return data number independently.",
         .preamble = "Memory; PDC open.",
         .stimulus = "Three times: a NO_OP, another, a READ longer than an ACK carries.",
         .expected = "The data comes with consecutive PSNs of the return direction, which the "
                     "forward direction's do not move; no CLEAR_PSN is ahead of its PSN.")
{
    uint32_t n = more_than_ack_data(tc), before = 0;
    struct source s = need_source(tc, n);
    struct uet_pdc *p = uet_pdc_open(tc);
    for (int i = 0; i < 3; i++) {
        struct uet_out a = uet_any_request(p), b = uet_any_request(p), o = uet_read(p, &s.m, 0, n);
        ask(tc, "PDS-057", &a);
        ask(tc, "PDS-057", &b);
        say(tc, &o);
        const struct uet_in *in = hear_return_data(tc, "PDS-057", &o);
        if (i > 0)
            psn_follows(tc, "PDS-057", in, before);
        field_at_most(tc, "PDS-072", in, UET_F_PDS_CLEAR_PSN, psn_of(in));
        before = psn_of(in);
    }
}

UET_TEST(read_order, .id = "ses.3.4.4.2.read-order", .requirements = "SES-073 SES-078",
         .role = UET_ROLE_TARGET, .needs = "rud read any-request", .over = "order",
         .purpose = "The packets of a READ are served in any order.",
         .preamble = "Memory of two payload MTUs and 100 bytes; PDC open.",
         .stimulus = "A READ of all of it, its three packets sent last one first.",
         .expected = "The right data for each, in the return direction.")
{
    struct long_read r = long_read(tc, 2u * uet_tc_dut(tc)->payload_mtu + 100u);
    for (size_t i = r.count; i-- > 0;)
        say(tc, &r.o[i]);
    take_all(tc, "SES-073", &r);
}

/* It says which packet of the read it answers: one that was not answered before. */
static void check_part(struct uet_tc *tc, const struct long_read *r, const struct uet_in *in,
                       uint64_t *seen)
{
    uint32_t offset = uet_ses_data_offset(&in->packet);

    uet_check_eq(tc, "SES-077", "ses.read_request_message_id", uet_ses_data_request(&in->packet),
                 uet_ses_req_std_message_id(r->o[0].ses));
    uet_check(tc, "SES-078",
              offset % r->mtu == 0 && offset < r->n && !(*seen >> offset / r->mtu & 1),
              "message_offset %u is not that of an unanswered packet of the read", offset);
    *seen |= UINT64_C(1) << offset / r->mtu;
    check_data(tc, "SES-078", in, &r->s, offset, part_at(r, offset));
    uet_check_eq(tc, "SES-079", "ses.modified_length",
                 uet_ses_rsp_data_modified_length(uet_ses(&in->packet)), r->n);
}

UET_TEST(read_data_fields, .id = "ses.3.4.2.5.read-data-fields",
         .requirements = "SES-078 SES-077 SES-079 SES-080 SES-122 SES-002", .role = UET_ROLE_TARGET,
         .needs = "rud read any-request", .over = "order",
         .purpose = "Read data says which read it belongs to, where it goes, and how long all is.",
         .preamble = "Memory of two payload MTUs and 100 bytes; PDC open.",
         .stimulus = "A READ of all of it, in three packets.",
         .expected = "Three packets of data with that read_request_message_id and JobID, "
                     "message_offset 0, MTU and 2 MTU, their payload_length, and modified_length "
                     "the whole; any response_message_id.")
{
    struct long_read r = long_read(tc, 2u * uet_tc_dut(tc)->payload_mtu + 100);
    uint64_t seen = 0;
    for (size_t i = 0; i < r.count; i++)
        say(tc, &r.o[i]);
    for (size_t i = 0; i < r.count; i++)
        check_part(tc, &r, hear(tc, "SES-078", DATA_ON(r.p)), &seen);
}

UET_TEST(data_has_no_generation, .id = "ses.3.4.2.5.read-data-without-generation",
         .requirements = "SES-002", .role = UET_ROLE_TARGET, .needs = "rud read any-request",
         .purpose = "Read data has reserved bits where a plain response has ri_generation.",
         .preamble = "Memory without generations; PDC open.",
         .stimulus = "READs of 8 bytes and of many, with ri_generation 0xa5.",
         .expected = "The byte is 0 in all data. A FEP that refuses the first READ is skipped.")
{
    const uint32_t n[] = {8, more_than_ack_data(tc)};
    struct source s = need_source(tc, n[1]);
    struct uet_pdc *p = uet_pdc_open(tc);
    s.m.ri_generation = 0xa5;
    for (unsigned i = 0; i < 2; i++) {
        struct uet_out o = uet_read(p, &s.m, 0, n[i]);
        say(tc, &o);
        const struct uet_in *in = maybe(tc, DATA_OF(&o));
        if (!in)
            uet_skip(tc, "the FEP wants generation 0 there");
        check_data(tc, "SES-002", in, &s, 0, n[i]);
    }
}

UET_TEST(data_beside_a_newer_pdc, .id = "pds.3.5.8.1.data-beside-a-newer-pdc",
         .requirements = "PDS-013", .role = UET_ROLE_TARGET, .needs = "rud read any-request",
         .not_over = "all", /* the PDCs that wait meanwhile may be closed as idle */
         .purpose = "Read data comes on the PDC of its READ, whatever other PDCs the peer has.",
         .preamble = "Memory; three PDCs open.",
         .stimulus = "A READ on each of them: on the second, the first, the third.",
         .expected = "The data of each on its own PDC.")
{
    need_pdcs(tc, 3);
    uint32_t n = more_than_ack_data(tc);
    struct source s = need_source(tc, n);
    struct uet_pdc *p[3] = {uet_pdc_open(tc), uet_pdc_open(tc), uet_pdc_open(tc)};
    for (unsigned i = 0; i < 3; i++) {
        struct uet_pdc *on = p[(4 - i) % 3]; /* 1, 0, 2 */
        struct uet_out read = uet_read(on, &s.m, 0, n);
        say(tc, &read);
        const struct uet_in *in = hear(tc, "PDS-013", DATA_OF(&read));
        check_data(tc, "PDS-013", in, &s, 0, n);
    }
}
