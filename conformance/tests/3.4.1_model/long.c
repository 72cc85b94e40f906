/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages of more bytes than 16 bits count: lengths, offsets and what has come of them (3.4.1.7).
 */
#include "conformance/harness/steps/memory.h"
#include "conformance/harness/steps/reads.h"
#include "conformance/harness/steps/requests.h"
#include "conformance/harness/steps/writes.h"

#define ABOVE 65536u         /* more than 16 bits count */
#define FAR   (1024 * 1024u) /* more than 20 bits, and 18 */

#define MOST (FAR / 1024 + 2) /* packets, at the smallest Payload MTU */

/* That, another packet behind it, and a part of one. */
static uint32_t behind(struct uet_tc *tc, uint32_t bytes)
{
    return bytes + uet_tc_dut(tc)->payload_mtu + 100;
}

static uint32_t length_of(struct uet_tc *tc)
{
    return behind(tc, ABOVE);
}

/* Its packets; how many. */
static size_t cut(struct uet_tc *tc, uint8_t opcode, const struct uet_memory *m, const void *bytes,
                  uint32_t n, struct uet_out *o)
{
    struct uet_pdc *p = uet_pdc_open(tc);
    const size_t count = uet_message(p, opcode, m, 0, bytes, n, o, MOST);

    for (size_t i = 0; i < count; i++)
        uet_rud_rod_req_ar_set(o[i].pds, true);
    return count;
}

/* A FEP should take 1 GiB (3.4.1.3); the sources differ in how firmly it is to. */
static void skip_when_too_long(struct uet_tc *tc, const struct uet_in *in, uint32_t n)
{
    if (code_told(in) != UET_RC_UNSUPPORTED_SIZE)
        return;
    uet_other_reading(tc, "SES-013", "no message of %u bytes is taken", n);
    uet_skip(tc, "the FEP takes no message of %u bytes", n);
}

/* The data of that packet of a READ, or the ACK that refuses it. */
static bool data_or_error(const struct uet_in *in, const void *read)
{
    const struct uet_out *o = read;

    return brings_data(in, o) || (is_error_response(in) && uet_packet_psn(&in->packet) == o->psn);
}

static const struct uet_in *hear_data_of_long(struct uet_tc *tc, const struct uet_out *o,
                                              uint32_t n)
{
    const struct uet_in *in = hear(tc, "SES-078", .pdc = o->pdc, .also = data_or_error, .ctx = o,
                                   .named = "packet with the data of that READ");

    skip_when_too_long(tc, in, n);
    uet_check(tc, "SES-078", !is_error_response(in), "a packet of it was refused");
    uet_check(tc, "SES-078", uet_is_request(&in->packet),
              "the data came in an ACK, not in a Request of the return direction");
    return in;
}

/* All of it, packet by packet; in turn: of each two the second first. Where its bytes should be. */
static const uint8_t *brings(struct uet_tc *tc, uint8_t opcode, const struct uet_memory *m,
                             uint32_t n, bool in_turn)
{
    const uint8_t *bytes = uet_tc_bytes(tc, n);
    struct uet_out o[MOST];
    const size_t count = cut(tc, opcode, m, bytes, n, o);

    for (size_t i = 0; i < count; i++) {
        size_t at = in_turn && (i ^ 1) < count ? i ^ 1 : i;
        const struct uet_in *in = delivered(tc, "SES-013", &o[at]);
        skip_when_too_long(tc, in, n);
        uet_check(tc, "SES-013", !is_error_response(in), "packet %zu of it was refused", at);
    }
    return bytes;
}

static void writes_long(struct uet_tc *tc, uint32_t n, bool in_turn)
{
    struct uet_memory m = uet_need_memory(tc, n);

    memory_holds(tc, "SES-013", &m, 0, brings(tc, UET_OP_WRITE, &m, n, in_turn), n);
}

static void sends_long(struct uet_tc *tc, uint32_t n)
{
    struct uet_memory m = uet_need_receive(tc, n, 1);
    const uint8_t *bytes = brings(tc, UET_OP_SEND, &m, n, false);

    fills(tc, "SES-124", m.handle, n);
    memory_holds(tc, "SES-013", &m, 0, bytes, n);
}

static void reads_long(struct uet_tc *tc, uint32_t n)
{
    const uint32_t mtu = uet_tc_dut(tc)->payload_mtu;
    struct source s = need_source(tc, n);
    struct uet_out o[MOST];
    ack_data_below(tc, n);
    const size_t count = cut(tc, UET_OP_READ, &s.m, NULL, n, o);

    for (size_t i = 0; i < count; i++) {
        const uint32_t at = asked_offset(&o[i]);
        say(tc, &o[i]);
        const struct uet_in *in = hear_data_of_long(tc, &o[i], n);
        check_data(tc, "SES-013", in, &s, at, n - at < mtu ? n - at : mtu);
        uet_check_eq(tc, "SES-079", "modified_length",
                     uet_ses_rsp_data_modified_length(uet_ses(&in->packet)), n);
    }
}

UET_TEST(
    long_write, .id = "ses.3.4.2.1.write-of-more-than-16-bits-count",
    .requirements = "SES-013 SES-173", .role = UET_ROLE_TARGET, .needs = "write",
    .purpose = "message_offset and modified_length are not cut to 16 bits.",
    .preamble = "A region of 64 KiB, a Payload MTU and 100 bytes; PDC open.",
    .stimulus = "A WRITE of all of it, in order.",
    .expected =
        "No packet is refused; what tells modified_length tells all of it, or 0; the "
        "region holds it. A FEP that answers with RC_UNSUPPORTED_SIZE is skipped, with a finding.")
{
    writes_long(tc, length_of(tc), false);
}

UET_TEST(long_write_in_turn, .id = "ses.3.4.2.1.write-of-more-than-16-bits-count-out-of-order",
         .requirements = "SES-013 SES-044", .role = UET_ROLE_TARGET, .needs = "write",
         .not_over = "all", /* long */
         .purpose = "A long WRITE whose packets come out of order is placed as others are.",
         .preamble = "A region of 64 KiB, a Payload MTU and 100 bytes; PDC open.",
         .stimulus = "A WRITE of all of it; of each two packets the second comes first.",
         .expected = "No packet is refused; the region holds it. A FEP that answers with "
                     "RC_UNSUPPORTED_SIZE is skipped, with a finding.")
{
    writes_long(tc, length_of(tc), true);
}

UET_TEST(long_send, .id = "ses.3.4.2.1.send-of-more-than-16-bits-count",
         .requirements = "SES-013 SES-124", .role = UET_ROLE_TARGET,
         .needs = "send multi-packet-send upper-tester", .not_over = "all", /* long */
         .purpose = "A long SEND fills its receive, and tells how much it was.",
         .preamble = "A receive of 64 KiB, a Payload MTU and 100 bytes; PDC open.",
         .stimulus = "A SEND of all of it.",
         .expected = "No packet is refused; the receive ends with all of it. A FEP that answers "
                     "with RC_UNSUPPORTED_SIZE is skipped, with a finding.")
{
    sends_long(tc, length_of(tc));
}

UET_TEST(long_read, .id = "ses.3.4.2.5.read-of-more-than-16-bits-count",
         .requirements = "SES-078 SES-079 SES-013", .role = UET_ROLE_TARGET,
         .needs = "rud read any-request", .not_over = "all", /* long */
         .purpose = "message_offset and modified_length of read data are not cut to 16 bits.",
         .preamble = "Memory of 64 KiB, a Payload MTU and 100 bytes; PDC open.",
         .stimulus = "A READ of all of it, packet by packet.",
         .expected = "The data of each, with its message_offset, and modified_length all of it. A "
                     "FEP that answers with RC_UNSUPPORTED_SIZE is skipped, with a finding.")
{
    reads_long(tc, length_of(tc));
}

/* ---- of more than 1 MiB ---- */

#define FAR_TEST(name, test_id, rows, claims, words)                                               \
    UET_TEST(name, .id = "ses.3.4.2." test_id, .requirements = (rows), .role = UET_ROLE_TARGET,    \
             .needs = (claims), .not_over = "all", /* long */                                      \
             .purpose = "message_offset and what has come are not cut to 18 or 20 bits.",          \
             .preamble =                                                                           \
                 "Memory of 1 MiB (of a READ 512 KiB), a Payload MTU and 100 bytes; PDC open.",    \
             .stimulus = words " of all of it.",                                                   \
             .expected =                                                                           \
                 "No packet is refused, and all bytes are in their places. A FEP that "            \
                 "answers the first packet with RC_UNSUPPORTED_SIZE is skipped, with a finding.")

FAR_TEST(far_write, "1.write-of-more-than-a-mebibyte", "SES-013 SES-173", "write", "A WRITE")
{
    writes_long(tc, behind(tc, FAR), true);
}

FAR_TEST(far_send, "1.send-of-more-than-a-mebibyte", "SES-013 SES-124",
         "send multi-packet-send upper-tester", "A SEND")
{
    sends_long(tc, behind(tc, FAR));
}

FAR_TEST(far_read, "5.read-of-more-than-half-a-mebibyte", "SES-078 SES-079 SES-013",
         "rud read any-request", "A READ")
{
    reads_long(tc, behind(tc, FAR / 2)); /* an upper tester takes no more at once */
}

UET_TEST(fep_writes_far, .id = "ses.3.4.2.1.fep-writes-more-than-a-mebibyte",
         .requirements = "SES-009 SES-010", .role = UET_ROLE_INITIATOR, .needs = "write",
         .not_over = "all", /* long */
         .purpose = "message_offset of the FEP's own WRITE is not cut to 16, 18 or 20 bits.",
         .preamble = "None.",
         .stimulus = "The FEP writes 1 MiB, a Payload MTU and 100 bytes; all is acknowledged.",
         .expected = "The WRITE ends well; each packet has those bytes that belong at its "
                     "message_offset, and all of them came.")
{
    struct uet_ut_operation op = uet_op(tc, behind(tc, FAR));
    completes(tc, "SES-009", uet_do_write(tc, &op), UET_UT_OK);
    bytes_came(tc, "SES-009", &op);
}
