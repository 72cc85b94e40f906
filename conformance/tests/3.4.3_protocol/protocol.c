/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.4.3: ranges, truncation, generations, what is stored. */
#include "conformance/harness/steps/memory.h"
#include "conformance/harness/steps/messages.h"
#include "conformance/harness/steps/requests.h"
#include "conformance/harness/steps/tagged.h"

UET_TEST(oversize_fails_at_once, .id = "ses.3.4.3.oversize-fails-at-once",
         .requirements = "SES-066", .role = UET_ROLE_TARGET, .needs = "write",
         .purpose = "A message that does not fit its region fails on its first packet.",
         .preamble = "A region of one Payload MTU; PDC open.",
         .stimulus = "The first packet of a WRITE of two MTUs at offset 0.",
         .expected = "An error response to that packet.")
{
    uint32_t mtu = uet_tc_dut(tc)->payload_mtu;
    struct uet_memory m = region(tc, .job_id = 0xa20, .pid_on_fep = 3, .resource_index = 30,
                                 .key = 0x2002, .length = mtu);
    struct message w = message(tc, .packets = 2, .last = mtu, .m = m);
    uet_check(tc, "SES-066", is_error_response(ask(tc, "SES-066", &w.o[0])),
              "the first packet of a message that cannot fit was accepted");
    w.p->next_psn = w.o[1].psn; /* it is never sent */
}

UET_TEST(oversize_fails_on_any, .id = "ses.3.4.3.oversize-fails-on-any-packet",
         .requirements = "SES-066", .role = UET_ROLE_TARGET, .needs = "write",
         .purpose = "A message that does not fit its region fails whichever packet comes first, "
                    "though that one would fit.",
         .preamble = "A region of two and a half Payload MTUs; PDC open.",
         .stimulus = "The second packet of a WRITE of three MTUs at offset 0; then the first, and "
                     "the third.",
         .expected = "An error response, or none, to the second; error responses to the others.")
{
    uint32_t mtu = uet_tc_dut(tc)->payload_mtu;
    struct uet_memory m = region(tc, .job_id = 0xa20, .pid_on_fep = 3, .resource_index = 30,
                                 .key = 0x2003, .length = 2 * mtu + mtu / 2);
    struct message w = message(tc, .packets = 3, .last = mtu, .m = m);
    uet_check(tc, "SES-066", !tells_success(not_executed(tc, "SES-066", &w.o[1])),
              "a packet of a message that cannot fit was accepted");
    for (int i = 0; i < 3; i += 2)
        uet_check(tc, "SES-066", is_error_response(ask(tc, "SES-066", &w.o[i])),
                  "a packet of a message that cannot fit was accepted");
}

/* A send resource with a buffer of so many bytes, of 100, posted in truncate mode. */
static struct uet_memory truncating_receive_of(struct uet_tc *tc, uint32_t length)
{
    need_upper_tester(tc, "only an upper tester posts a truncating buffer");
    struct uet_memory m = uet_need_receive(tc, 64, 0);
    const struct uet_ut_receive post = {.job_id = m.job_id,
                                        .pid_on_fep = m.pid_on_fep,
                                        .resource_index = m.resource_index,
                                        .length = length,
                                        .truncate = true};

    uet_did(tc, uet_ut_post_recv(uet_tc_ut(tc), &post, &m.handle), "post_recv");
    return m;
}

static struct uet_memory truncating_receive(struct uet_tc *tc)
{
    return truncating_receive_of(tc, 100);
}

UET_TEST(truncated_send, .id = "ses.3.4.3.truncated-send", .requirements = "SES-102 SES-124",
         .role = UET_ROLE_TARGET, .needs = "truncation", .claim_binds = true,
         .purpose = "A target that truncates an overlong send tells it by modified_length.",
         .preamble = "A 100-byte buffer posted in truncate mode; PDC open.",
         .stimulus = "SEND of 200 bytes.",
         .expected = "RC_OK with modified_length 100 (RC_TOO_LONG where truncation is not chosen).")
{
    struct uet_memory m = truncating_receive(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o = uet_send_message(p, &m, uet_tc_bytes(tc, 200), 200);
    const struct uet_in *in = ask(tc, "SES-102", &o);
    has_response(tc, "SES-102", in);
    if (code_told(in) == UET_RC_TOO_LONG)
        return;
    field(tc, "SES-102", in, UET_F_SES_RETURN_CODE, UET_RC_OK);
    field(tc, "SES-102", in, UET_F_SES_MODIFIED_LENGTH, 100);
}

/* A send in another form, of 200 bytes to a buffer of 100. */
static void truncated_too(struct uet_tc *tc, uint8_t opcode, uint8_t header)
{
    struct uet_memory m;

    if (opcode == UET_OP_TAGGED_SEND) {
        m = uet_need_tagged(tc);
        m.key = 0x7c;
        m.handle = tag_receive(tc, &m, .match_bits = m.key, .length = 100, .truncate = true);
    } else {
        m = truncating_receive(tc);
    }
    struct uet_pdc *p = uet_pdc_open(tc);
    const uint8_t *bytes = uet_tc_bytes(tc, 200);
    struct uet_out o = header == UET_UT_HEADER_SMALL    ? uet_small(p, opcode, &m, 0, bytes, 200)
                       : header == UET_UT_HEADER_MEDIUM ? uet_medium(p, opcode, &m, 0, bytes, 200)
                                                        : uet_send_message(p, &m, bytes, 200);
    uet_ses_req_opcode_set(o.ses, opcode);
    if (opcode == UET_OP_TAGGED_SEND)
        uet_ses_req_match_bits_or_memory_key_set(o.ses, m.key);
    const struct uet_in *in = ask(tc, "SES-124", &o);
    has_response(tc, "SES-124", in);
    if (code_told(in) == UET_RC_TOO_LONG)
        return;
    field(tc, "SES-102", in, UET_F_SES_RETURN_CODE, UET_RC_OK);
    field(tc, "SES-124", in, UET_F_SES_MODIFIED_LENGTH, 100);
    fills(tc, "SES-124", m.handle, 100);
}

#define TRUNCATED(name, slug, what, claims, opcode, header)                                        \
    UET_TEST(truncated_##name, .id = "ses.3.4.3.truncated-" slug,                                  \
             .requirements = "SES-124 SES-102", .role = UET_ROLE_TARGET,                           \
             .needs = "truncation upper-tester " claims, .claim_binds = true,                      \
             .purpose = "A target that truncates " what " tells it by modified_length.",           \
             .preamble = "A 100-byte buffer posted in truncate mode; PDC open.",                   \
             .stimulus = "200 bytes by " what ".",                                                 \
             .expected = "RC_OK with modified_length 100, as the application is told "             \
                         "(RC_TOO_LONG where truncation is not chosen).")                          \
    {                                                                                              \
        truncated_too(tc, opcode, header);                                                         \
    }

TRUNCATED(small, "small-send", "a SEND with the small header", "small-header", UET_OP_SEND,
          UET_UT_HEADER_SMALL)
TRUNCATED(medium, "medium-send", "a SEND with the medium header", "medium-header", UET_OP_SEND,
          UET_UT_HEADER_MEDIUM)
TRUNCATED(tagged, "tagged-send", "a tagged send", "tagged", UET_OP_TAGGED_SEND, UET_UT_HEADER_STD)

UET_TEST(truncated_behind, .id = "ses.3.4.3.truncated-behind-an-offset",
         .requirements = "SES-102 SES-124 SES-013", .role = UET_ROLE_TARGET,
         .needs = "truncation upper-tester", .claim_binds = true,
         .contested = true, /* of a buffer_offset of sends little is public */
         .purpose = "What buffer_offset leaves out of a truncating buffer is not modified.",
         .preamble = "A 100-byte buffer posted in truncate mode; PDC open.",
         .stimulus = "SEND of 200 bytes with buffer_offset 30.",
         .expected = "RC_OK with modified_length 70, as the application is told, and the first 70 "
                     "bytes from 30 on (RC_TOO_LONG where truncation is not chosen). A FEP that "
                     "refuses it otherwise is a finding.")
{
    struct uet_memory m = truncating_receive(tc);
    struct uet_out o = uet_send_message(uet_pdc_open(tc), &m, uet_tc_bytes(tc, 200), 200);
    uet_ses_req_buffer_offset_set(o.ses, 30);
    const struct uet_in *in = ask(tc, "SES-102", &o);
    has_response(tc, "SES-102", in);
    if (is_error_response(in)) {
        if (code_told(in) != UET_RC_TOO_LONG)
            uet_other_reading(tc, "SES-013", "a send with a buffer_offset is refused");
        return;
    }
    field(tc, "SES-102", in, UET_F_SES_RETURN_CODE, UET_RC_OK);
    field(tc, "SES-124", in, UET_F_SES_MODIFIED_LENGTH, 70);
    fills(tc, "SES-124", m.handle, 70);
    memory_holds(tc, "SES-013", &m, 30, o.payload, 70);
}

UET_TEST(truncated_in_two, .id = "ses.3.4.3.truncated-in-two-packets",
         .requirements = "SES-102 SES-124", .role = UET_ROLE_TARGET,
         .needs = "truncation multi-packet-send upper-tester", .claim_binds = true,
         .purpose = "A target that truncates a send of several packets tells it by "
                    "modified_length, in the last of them.",
         .preamble = "A buffer of a Payload MTU and 10 bytes, posted in truncate mode; PDC open.",
         .stimulus = "SEND of a Payload MTU and 200 bytes, packet by packet.",
         .expected =
             "The second packet brings RC_OK with a modified_length of what the buffer has; "
             "so much is told to the application, and stands there. RC_TOO_LONG where "
             "truncation is not chosen.")
{
    const uint32_t room = uet_tc_dut(tc)->payload_mtu + 10u;
    struct uet_memory m = truncating_receive_of(tc, room);
    struct message s = message(tc, .opcode = UET_OP_SEND, .packets = 2, .last = 200, .m = m,
                               .p = uet_pdc_open(tc));
    ask(tc, "SES-102", &s.o[0]);
    const struct uet_in *in = ask(tc, "SES-102", &s.o[1]);
    has_response(tc, "SES-102", in);
    if (code_told(in) == UET_RC_TOO_LONG)
        return;
    field(tc, "SES-102", in, UET_F_SES_RETURN_CODE, UET_RC_OK);
    field(tc, "SES-102", in, UET_F_SES_MODIFIED_LENGTH, room);
    fills(tc, "SES-102", m.handle, room);
    memory_holds(tc, "SES-102", &m, 0, s.bytes, room);
}

/* Of a send of so many packets that is cut, the last one comes once more. */
static void cut_is_told_again(struct uet_tc *tc, const struct uet_out *o, uint32_t packets)
{
    for (uint32_t i = 0; i + 1 < packets; i++)
        ask(tc, "SES-117", &o[i]);
    const struct uet_in *in = ask(tc, "SES-117", &o[packets - 1]);
    if (code_told(in) != UET_RC_OK)
        uet_skip(tc, "the FEP does not truncate");
    uint64_t told = value_of(tc, in, UET_F_SES_MODIFIED_LENGTH);
    const struct uet_in *again = ask_anew(tc, "SES-117", &o[packets - 1]);
    if (is_default_response(in)) {
        if (value_of(tc, again, UET_F_SES_MODIFIED_LENGTH) != told)
            uet_other_reading(tc, "SES-124", "with its ACK the truncation is lost, too");
        return;
    }
    uet_check(tc, "SES-117", !is_default_response(again), "the kept response was not told again");
    field(tc, "SES-117", again, UET_F_SES_MODIFIED_LENGTH, told);
}

UET_TEST(truncation_told_again, .id = "ses.3.4.3.3.truncation-told-again",
         .requirements = "SES-117 SES-124", .role = UET_ROLE_TARGET, .needs = "truncation",
         .claim_binds = true,
         .purpose = "The response that tells a truncation is kept until it is cleared.",
         .preamble = "A 100-byte buffer posted in truncate mode; PDC open.",
         .stimulus = "SEND of 200 bytes; the same again, as if its ACK was lost.",
         .expected = "The UET_RESPONSE with modified_length 100, both times. That a default "
                     "response tells it the first time alone, and then another length, is a "
                     "finding.")
{
    struct uet_memory m = truncating_receive(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    p->auto_clear = false;
    struct uet_out o = uet_send_message(p, &m, uet_tc_bytes(tc, 200), 200);
    cut_is_told_again(tc, &o, 1);
}

UET_TEST(truncation_of_two_told_again, .id = "ses.3.4.3.3.truncation-of-two-packets-told-again",
         .requirements = "SES-117 SES-124", .role = UET_ROLE_TARGET,
         .needs = "truncation multi-packet-send upper-tester", .claim_binds = true,
         .purpose = "The response that tells a truncation is kept, whichever packet brings it.",
         .preamble = "A buffer of a Payload MTU and 10 bytes, posted in truncate mode; PDC open.",
         .stimulus = "SEND of a Payload MTU and 200 bytes, packet by packet; the last again, as if "
                     "its ACK was lost.",
         .expected = "As of a send of one packet: the UET_RESPONSE with its modified_length, both "
                     "times. That a default response tells it the first time alone, and then "
                     "another length, is a finding.")
{
    struct uet_memory m = truncating_receive_of(tc, uet_tc_dut(tc)->payload_mtu + 10u);
    struct message s = message(tc, .opcode = UET_OP_SEND, .packets = 2, .last = 200, .m = m,
                               .p = uet_pdc_open(tc));
    s.p->auto_clear = false;
    cut_is_told_again(tc, s.o, 2);
}

UET_TEST(generation_of_each, .id = "ses.3.4.3.6.3.generation-of-each-packet",
         .requirements = "SES-105", .role = UET_ROLE_TARGET,
         .needs = "rud generations multi-packet-send upper-tester",
         .not_over = "rod", /* out of order */
         .purpose = "A packet with a wrong ri_generation takes no receive, whichever comes first.",
         .preamble = "A send resource with generation 9, a buffer posted; PDC open.",
         .stimulus = "A SEND of two packets with ri_generation 10, the second packet first.",
         .expected = "The receive stays.", .once = "a message with an error may stay open")
{
    const uint32_t n = uet_tc_dut(tc)->payload_mtu + 64u;
    struct uet_memory m = uet_need_generation(tc, n, 1, 9);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o[2];
    m.ri_generation = 10;
    uet_message(p, UET_OP_SEND, &m, 0, uet_tc_bytes(tc, n), n, o, 2);
    for (size_t i = 2; i-- > 0;)
        whatever_comes_of(tc, &o[i]);
    stays_open(tc, "SES-105", m.handle, 0);
}

UET_TEST(wrong_generation, .id = "ses.3.4.3.6.3.wrong-generation", .requirements = "SES-105",
         .role = UET_ROLE_TARGET, .needs = "generations",
         .purpose = "A wrong ri_generation is answered with the current one.",
         .preamble = "A send resource with generation 9, a buffer posted; PDC open.",
         .stimulus = "SENDs with ri_generation 10 and 8.",
         .expected = "RC_BAD_GENERATION with ri_generation 9 for each.")
{
    static const uint8_t wrong[] = {10, 8};
    struct uet_memory m = uet_need_generation(tc, 64, 1, 9);
    struct uet_pdc *p = uet_pdc_open(tc);
    for (size_t i = 0; i < 2; i++) {
        m.ri_generation = wrong[i];
        struct uet_out o = uet_send_message(p, &m, "generation", 10);
        const struct uet_in *in = refused(tc, "SES-105", &o, UET_RC_BAD_GENERATION);
        field(tc, "SES-105", in, UET_F_SES_RI_GENERATION, 9);
    }
}
