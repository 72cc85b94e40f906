/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.4.8: when an operation is complete. */
#include <string.h>

#include "conformance/harness/steps/acks.h"
#include "conformance/harness/steps/memory.h"
#include "conformance/harness/steps/messages.h"
#include "conformance/harness/steps/requests.h"

UET_TEST(delivery_complete, .id = "ses.3.4.8.3.delivery-complete", .requirements = "SES-109",
         .role = UET_ROLE_TARGET, .needs = "write upper-tester",
         .purpose = "With dc=1 the response comes only when the data is visible.",
         .preamble = "A region; PDC open.", .stimulus = "WRITE with dc=1.",
         .expected = "When the success arrives the region holds the data; or a refusal that dc is "
                     "not supported.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_out o = uet_write(uet_pdc_open(tc), &m, 0, "delivered", 9);
    uet_ses_req_dc_set(o.ses, true);
    const struct uet_in *in = ask(tc, "SES-109", &o);
    has_response(tc, "SES-109", in);
    if (tells_success(in) && !tells_arrival(in))
        memory_holds_within(tc, "SES-109", &m, 0, "delivered", 9, 0);
}

/* Of a success of a WRITE with dc=1 the data is there at once. */
static void is_visible(struct uet_tc *tc, const struct uet_in *in, const struct uet_memory *m,
                       const char *data)
{
    if (tells_success(in) && !tells_arrival(in))
        memory_holds_within(tc, "SES-109", m, 0, data, strlen(data), 0);
}

UET_TEST(delivery_complete_again, .id = "ses.3.4.8.3.delivery-complete-again",
         .requirements = "SES-109", .role = UET_ROLE_TARGET, .needs = "write upper-tester",
         .purpose = "With dc=1 a copy of the WRITE brings no success before the data is visible.",
         .preamble = "A region; PDC open.",
         .stimulus = "WRITE with dc=1, at once again with retx=1.",
         .expected = "When a success arrives the region holds the data.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_out o = uet_write(uet_pdc_open(tc), &m, 0, "delivered", 9);
    uet_ses_req_dc_set(o.ses, true);
    say(tc, &o);
    say_again(tc, &o);
    is_visible(tc, hear(tc, "SES-109", ACK_OF(&o)), &m, "delivered");
}

UET_TEST(
    delivery_complete_covered, .id = "ses.3.4.8.3.delivery-complete-covered",
    .requirements = "SES-109", .role = UET_ROLE_TARGET, .needs = "write upper-tester",
    .purpose = "No ACK of a later packet covers it before that.", .preamble = "A region; PDC open.",
    .stimulus = "WRITE with dc=1; behind it one of the same size with dc=0, to another place.",
    .expected = "When CACK_PSN, or an ACK of its own, has the first the region holds its data.")
{
    struct uet_memory m = uet_need_memory(tc, 128);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o = uet_write(p, &m, 0, "delivered", 9),
                   other = uet_write(p, &m, 64, "later one", 9);
    uet_ses_req_dc_set(o.ses, true);
    say(tc, &o);
    say(tc, &other);
    is_visible(tc, hear(tc, "SES-109", COVERED(&o)), &m, "delivered");
}

/* Of a success of a part the data of that part is there, or initiators may be told too early. */
static void part_is_visible(struct uet_tc *tc, const struct message *w, size_t i)
{
    uint8_t now[64];

    uet_read_back(tc, &w->m, (uint64_t)i * w->mtu, now, sizeof now);
    if (memcmp(now, w->bytes + i * w->mtu, sizeof now) != 0)
        uet_other_reading(tc, "SES-109", "a part was answered before its data was visible");
}

UET_TEST(delivery_complete_parts, .id = "ses.3.4.8.3.delivery-complete-parts",
         .requirements = "SES-109", .role = UET_ROLE_TARGET, .needs = "write upper-tester",
         .purpose = "dc=1 is of all packets of a message.", .preamble = "A region; PDC open.",
         .stimulus = "A WRITE of three packets, dc=1 in all; each waits for the answer to the one "
                     "before.",
         .expected = "When the last brings a success the region holds the message. That a part is "
                     "answered with a success before its data is there is a finding.")
{
    struct message w = message(tc, .packets = 3, .last = 64);
    for (size_t i = 0; i < 3; i++) {
        uet_ses_req_dc_set(w.o[i].ses, true);
        const struct uet_in *in = delivered(tc, "SES-109", &w.o[i]);
        if (!tells_success(in) || tells_arrival(in))
            continue;
        if (i == 2)
            memory_holds_within(tc, "SES-109", &w.m, 0, w.bytes, w.n, 0);
        else
            part_is_visible(tc, &w, i);
    }
}

UET_TEST(parts_arrive, .id = "ses.3.4.8.3.parts-arrive", .requirements = "SES-110 SES-121",
         .role = UET_ROLE_INITIATOR, .needs = "write", .contested = true,
         .purpose = "UET_NO_RESPONSE for a part of a message, which CACK_PSN covers, does no harm.",
         .preamble = "The FEP sends a WRITE of two packets to the tester.",
         .stimulus = "An ACK of the first with UET_NO_RESPONSE, and its CACK_PSN; then one of the "
                     "second with UET_RESPONSE RC_OK. ACK Requests are answered then.",
         .expected = "No completion after the first, a good one after the second.")
{
    const struct uet_in *in[2];
    struct uet_ut_operation op = uet_op(tc, uet_tc_dut(tc)->payload_mtu + 100u);
    uet_auto_ack(tc, false);
    uint64_t handle = uet_do_write(tc, &op);
    struct uet_pdc *p = uet_accept(tc, &in[0]);
    struct uet_out arrived =
        uet_ack_with(p, in[0], UET_RSP_NO_RESPONSE, UET_LIST_EXPECTED, UET_RC_NULL);
    say(tc, &arrived);
    in[1] = hear(tc, "SES-110", REQUEST_ON(p));
    stays_open(tc, "SES-110", handle, 0);
    struct uet_out done = uet_ack_with(p, in[1], UET_RSP_RESPONSE, UET_LIST_EXPECTED, UET_RC_OK);
    say(tc, &done);
    if (maybe(tc, CP_ON(p, UET_CTL_ACK_REQUEST), .within = UET_MS)) {
        struct uet_out first = uet_ack_with(p, in[0], UET_RSP_DEFAULT_RESPONSE, UET_LIST_EXPECTED,
                                            UET_RC_OK); /* for which the FEP has asked (PDS-190) */
        say(tc, &first);
    }
    uet_auto_ack(tc, true); /* and may ask yet */
    completes(tc, "SES-110", handle, UET_UT_OK);
}

UET_TEST(no_completion_without_response, .id = "ses.3.4.8.3.no-completion-without-response",
         .requirements = "SES-110 SES-121", .role = UET_ROLE_INITIATOR,
         .purpose = "UET_NO_RESPONSE tells arrival only: the operation is not complete.",
         .preamble = "The FEP sends a one-packet WRITE to the tester.",
         .stimulus = "ACK its PSN with UET_NO_RESPONSE; later with UET_RESPONSE RC_OK.",
         .expected = "No completion after the first, a good one after the second.")
{
    const struct uet_in *in;
    struct uet_ut_operation op = uet_op(tc, 32);
    uet_auto_ack(tc, false);
    uint64_t handle = uet_do_write(tc, &op);
    struct uet_pdc *p = uet_accept(tc, &in);
    struct uet_out arrived = naming_ack(in, UET_RSP_NO_RESPONSE, UET_RC_NULL);
    struct uet_out done = uet_ack_with(p, in, UET_RSP_RESPONSE, UET_LIST_EXPECTED, UET_RC_OK);
    say(tc, &arrived);
    stays_open(tc, "SES-110", handle, 0);
    say(tc, &done);
    completes(tc, "SES-110", handle, UET_UT_OK);
}

UET_TEST(parts_backwards, .id = "ses.3.4.8.3.parts-answered-backwards", .requirements = "SES-110",
         .role = UET_ROLE_INITIATOR, .needs = "rud write", .not_over = "rod own", /* out of order */
         .purpose = "The response to the last packet completes nothing while the first is open.",
         .preamble = "The FEP sends a WRITE of two packets to the tester.",
         .stimulus = "An ACK of the second with UET_RESPONSE RC_OK, and CACK_PSN before the first; "
                     "later one of the first.",
         .expected = "No completion after the one, a good one after the other. A FEP that sends "
                     "the second packet later is skipped.")
{
    const struct uet_in *in[2];
    struct uet_ut_operation op = uet_op(tc, uet_tc_dut(tc)->payload_mtu + 100u);
    uet_auto_ack(tc, false);
    uint64_t handle = uet_do_write(tc, &op);
    struct uet_pdc *p = uet_accept(tc, &in[0]);
    if (!(in[1] = uet_next_request(tc, p)))
        uet_skip(tc, "the FEP waits for an ACK of the first packet");
    struct uet_out last = naming_ack(in[1], UET_RSP_RESPONSE, UET_RC_OK);
    uet_ack_cack_psn_set(last.pds, psn_of(in[0]) - 1);
    uet_ack_ack_psn_offset_set(last.pds, (int16_t)(psn_of(in[1]) - psn_of(in[0]) + 1));
    uet_ses_rsp_modified_length_set(last.ses, op.length);
    say(tc, &last);
    stays_open(tc, "SES-110", handle, UET_MS);
    resume_acks(tc, in[0]);
    completes(tc, "SES-110", handle, UET_UT_OK);
}

UET_TEST(no_news, .id = "ses.3.4.8.3.no-news-is-no-error", .requirements = "SES-110",
         .role = UET_ROLE_INITIATOR, .needs = "write",
         .purpose = "A default response with RC_NULL, which tells nothing new, is no error.",
         .preamble = "The FEP sends a WRITE of two packets to the tester.",
         .stimulus =
             "An ACK of the first with UET_DEFAULT_RESPONSE RC_NULL; then one of the second "
             "with UET_RESPONSE RC_OK.",
         .expected = "A completion without error.")
{
    const struct uet_in *in;
    struct uet_ut_operation op = uet_op(tc, uet_tc_dut(tc)->payload_mtu + 100u);
    uet_auto_ack(tc, false);
    uint64_t handle = uet_do_write(tc, &op);
    struct uet_pdc *p = uet_accept(tc, &in);
    struct uet_out null =
        uet_ack_with(p, in, UET_RSP_DEFAULT_RESPONSE, UET_LIST_EXPECTED, UET_RC_NULL);
    say(tc, &null);
    in = hear(tc, "SES-110", REQUEST_ON(p));
    struct uet_out done = uet_ack_with(p, in, UET_RSP_RESPONSE, UET_LIST_EXPECTED, UET_RC_OK);
    say(tc, &done);
    completes(tc, "SES-110", handle, UET_UT_OK);
}
