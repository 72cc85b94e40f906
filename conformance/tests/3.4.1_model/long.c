/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages of more bytes than 16 bits count: lengths, offsets and what has come of them (3.4.1.7).
 */
#include "conformance/harness/steps/memory.h"
#include "conformance/harness/steps/reads.h"
#include "conformance/harness/steps/requests.h"

#define ABOVE 65536u             /* more than 16 bits count */
#define MOST  (ABOVE / 1024 + 2) /* packets, at the smallest Payload MTU */

/* That, another packet behind it, and a part of one. */
static uint32_t length_of(struct uet_tc *tc)
{
    return ABOVE + uet_tc_dut(tc)->payload_mtu + 100;
}

/* All of it, packet by packet; in turn: of each two the second first. Where its bytes should be. */
static const uint8_t *brings(struct uet_tc *tc, uint8_t opcode, const struct uet_memory *m,
                             bool in_turn)
{
    const uint32_t n = length_of(tc);
    const uint8_t *bytes = uet_tc_bytes(tc, n);
    struct uet_out o[MOST];
    struct uet_pdc *p = uet_pdc_open(tc);
    const size_t count = uet_message(p, opcode, m, 0, bytes, n, o, MOST);

    for (size_t i = 0; i < count; i++)
        uet_rud_rod_req_ar_set(o[i].pds, true);
    for (size_t i = 0; i < count; i++) {
        size_t at = in_turn && (i ^ 1) < count ? i ^ 1 : i;
        const struct uet_in *in = delivered(tc, "SES-013", &o[at]);
        uet_check(tc, "SES-013", !is_error_response(in), "packet %zu of it was refused", at);
    }
    return bytes;
}

static void writes_long(struct uet_tc *tc, bool in_turn)
{
    struct uet_memory m = uet_need_memory(tc, length_of(tc));

    memory_holds(tc, "SES-013", &m, 0, brings(tc, UET_OP_WRITE, &m, in_turn), length_of(tc));
}

UET_TEST(long_write, .id = "ses.3.4.2.1.write-of-more-than-16-bits-count",
         .requirements = "SES-013 SES-173", .role = UET_ROLE_TARGET, .needs = "write",
         .purpose = "message_offset and modified_length are not cut to 16 bits.",
         .preamble = "A region of 64 KiB, a Payload MTU and 100 bytes; PDC open.",
         .stimulus = "A WRITE of all of it, in order.",
         .expected = "No packet is refused; what tells modified_length tells all of it, or 0; the "
                     "region holds it.")
{
    writes_long(tc, false);
}

UET_TEST(long_write_in_turn, .id = "ses.3.4.2.1.write-of-more-than-16-bits-count-out-of-order",
         .requirements = "SES-013 SES-044", .role = UET_ROLE_TARGET, .needs = "write",
         .not_over = "all", /* long */
         .purpose = "A long WRITE whose packets come out of order is placed as others are.",
         .preamble = "A region of 64 KiB, a Payload MTU and 100 bytes; PDC open.",
         .stimulus = "A WRITE of all of it; of each two packets the second comes first.",
         .expected = "No packet is refused; the region holds it.")
{
    writes_long(tc, true);
}

UET_TEST(long_send, .id = "ses.3.4.2.1.send-of-more-than-16-bits-count",
         .requirements = "SES-013 SES-124", .role = UET_ROLE_TARGET,
         .needs = "send multi-packet-send upper-tester", .not_over = "all", /* long */
         .purpose = "A long SEND fills its receive, and tells how much it was.",
         .preamble = "A receive of 64 KiB, a Payload MTU and 100 bytes; PDC open.",
         .stimulus = "A SEND of all of it.",
         .expected = "No packet is refused; the receive ends with all of it.")
{
    struct uet_memory m = uet_need_receive(tc, length_of(tc), 1);
    const uint8_t *bytes = brings(tc, UET_OP_SEND, &m, false);
    fills(tc, "SES-124", m.handle, length_of(tc));
    memory_holds(tc, "SES-013", &m, 0, bytes, length_of(tc));
}

UET_TEST(long_read, .id = "ses.3.4.2.5.read-of-more-than-16-bits-count",
         .requirements = "SES-078 SES-079 SES-013", .role = UET_ROLE_TARGET,
         .needs = "rud read any-request", .not_over = "all", /* long */
         .purpose = "message_offset and modified_length of read data are not cut to 16 bits.",
         .preamble = "Memory of 64 KiB, a Payload MTU and 100 bytes; PDC open.",
         .stimulus = "A READ of all of it, packet by packet.",
         .expected = "The data of each, with its message_offset, and modified_length all of it.")
{
    const uint32_t n = length_of(tc), mtu = uet_tc_dut(tc)->payload_mtu;
    struct source s = need_source(tc, n);
    struct uet_out o[MOST];
    ack_data_below(tc, n);
    const size_t count = uet_message(uet_pdc_open(tc), UET_OP_READ, &s.m, 0, NULL, n, o, MOST);
    for (size_t i = 0; i < count; i++) {
        const uint32_t at = asked_offset(&o[i]);
        say(tc, &o[i]);
        const struct uet_in *in = hear_return_data(tc, "SES-078", &o[i]);
        check_data(tc, "SES-013", in, &s, at, n - at < mtu ? n - at : mtu);
        uet_check_eq(tc, "SES-079", "modified_length",
                     uet_ses_rsp_data_modified_length(uet_ses(&in->packet)), n);
    }
}
