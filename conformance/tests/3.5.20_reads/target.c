/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.12.1, 3.5.20.1, 3.5.20.2: which way the data of a read takes. */
#include "conformance/tests/reads.h"

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
    uet_send(tc, &o);
    const struct uet_in *in = expect_data(tc, &o);
    check_data(tc, "PDS-118", in, &s, 0, 8);
    if (uet_is_request(&in->packet)) {
        uet_note(tc, "PDS-118", "the data of a small read comes on the return direction");
        return;
    }
    check_req_clear(tc, "PDS-118", in);
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
    const struct uet_want want = data_of(&o);
    uet_send(tc, &o);
    if (uet_is_request(&expect_data(tc, &o)->packet))
        uet_skip(tc, "the FEP returns small reads in Requests, as it may");
    for (int i = 0; i < 2; i++) {
        uet_forget(tc);
        uet_resend(tc, &o);
        uet_for(tc, "PDS-087");
        check_data(tc, "PDS-087", uet_expect(tc, &want, 0), &s, 8, 8);
    }
    p->clear_psn = o.psn;
    struct uet_out next = uet_any_request(p);
    check_cack(tc, "PDS-118", exchange(tc, &next), next.psn);
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
    uet_send(tc, &o);
    const struct uet_in *ack = uet_expect_answer(tc, p, o.psn);
    uet_check_success(tc, "PDS-119", ack);
    uet_check(tc, "PDS-119", req_of(ack) != UET_ACK_REQ_CLEAR,
              "the ACK of a READ whose data comes separately asks for a clear");
    const struct uet_in *in = expect_return_data(tc, "PDS-119", &o);
    check_data(tc, "PDS-119", in, &s, 0, n);
    uet_check_eq(tc, "PDS-013", "spdcid", uet_spdcid(&in->packet), uet_spdcid(&ack->packet));
    uet_check_eq(tc, "PDS-028", "pds.psn", uet_packet_psn(&in->packet), p->start_psn);
    uet_check_eq(tc, "PDS-071", "CLEAR_PSN", uet_clear_psn(&in->packet), p->start_psn - 1);
    uet_check_enum(tc, "SES-007", "next_hdr", UET_ENUM_PDS_NEXT_HDR,
                   uet_rud_rod_req_next_hdr(uet_pds(&in->packet)), UET_NH_RESPONSE_DATA);
}

/* The data of each packet of a read, in the return direction. */
static void take_all(struct uet_tc *tc, const char *requirement, const struct source *s,
                     const struct uet_out *o, size_t count, uint32_t n)
{
    uint32_t mtu = uet_tc_dut(tc)->payload_mtu;

    for (size_t i = 0; i < count; i++) {
        uint32_t at = asked_offset(&o[i]);
        const struct uet_in *in = expect_return_data(tc, requirement, &o[i]);
        check_data(tc, requirement, in, s, at, n - at < mtu ? n - at : mtu);
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
    uint32_t n = uet_tc_dut(tc)->payload_mtu + 8u;
    ack_data_below(tc, n);
    struct source s = need_source(tc, n);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o[2];
    uet_message(p, UET_OP_READ, &s.m, 0, NULL, n, o, 2);
    uet_send(tc, &o[0]);
    uet_send(tc, &o[1]);
    take_all(tc, "PDS-120", &s, o, 2, n);
    uet_for(tc, "PDS-120");
    uet_expect_covered(tc, p, o[1].psn);
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
        exchange(tc, &a);
        exchange(tc, &b);
        uet_send(tc, &o);
        const struct uet_in *in = expect_return_data(tc, "PDS-057", &o);
        uint32_t psn = uet_packet_psn(&in->packet);
        if (i > 0)
            uet_check_eq(tc, "PDS-057", "pds.psn", psn, before + 1);
        uet_check(tc, "PDS-072", uet_rud_rod_req_clear_psn_offset(uet_pds(&in->packet)) <= 0,
                  "CLEAR_PSN is ahead of the return PSN");
        before = psn;
    }
}

UET_TEST(read_order, .id = "ses.3.4.4.2.read-order", .requirements = "SES-073 SES-078",
         .role = UET_ROLE_TARGET, .needs = "rud read any-request", .over = "order",
         .purpose = "The packets of a READ are served in any order.",
         .preamble = "Memory of two payload MTUs and 100 bytes; PDC open.",
         .stimulus = "A READ of all of it, its three packets sent last one first.",
         .expected = "The right data for each, in the return direction.")
{
    uint32_t n = 2u * uet_tc_dut(tc)->payload_mtu + 100u;
    ack_data_below(tc, n);
    struct source s = need_source(tc, n);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o[PARTS];
    size_t count = uet_message(p, UET_OP_READ, &s.m, 0, NULL, n, o, PARTS);
    for (size_t i = count; i-- > 0;)
        uet_send(tc, &o[i]);
    take_all(tc, "SES-073", &s, o, count, n);
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
    uint32_t mtu = uet_tc_dut(tc)->payload_mtu, n = 2 * mtu + 100;
    ack_data_below(tc, n);
    struct source s = need_source(tc, n);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o[PARTS];
    size_t count = uet_message(p, UET_OP_READ, &s.m, 0, NULL, n, o, PARTS);
    const struct uet_want data = {
        .kind = UET_WANT_REQUEST, .pdc = p, .also = is_data, .named = "Request with read data"};
    for (size_t i = 0; i < count; i++)
        uet_send(tc, &o[i]);
    uint64_t seen = 0;
    for (size_t i = 0; i < count; i++) {
        const struct uet_in *in = uet_expect(tc, &data, 0);
        const uint8_t *ses = uet_ses(&in->packet);
        uint32_t offset = uet_ses_data_offset(&in->packet);
        uet_check_eq(tc, "SES-077", "ses.read_request_message_id",
                     uet_ses_data_request(&in->packet), uet_ses_req_std_message_id(o[0].ses));
        uet_check(tc, "SES-078", offset % mtu == 0 && offset < n && !(seen >> offset / mtu & 1),
                  "message_offset %u is not that of an unanswered packet of the read", offset);
        seen |= UINT64_C(1) << offset / mtu;
        check_data(tc, "SES-078", in, &s, offset, n - offset < mtu ? n - offset : mtu);
        uet_check_eq(tc, "SES-079", "ses.modified_length", uet_ses_rsp_data_modified_length(ses),
                     n);
    }
}
