/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.4.6: opcodes and return codes as a target uses them. */
#include "conformance/harness/steps/memory.h"
#include "conformance/harness/steps/messages.h"
#include "conformance/harness/steps/requests.h"
#include "conformance/harness/steps/tagged.h"

/* A WRITE to a good region, but with this opcode. */
static struct uet_out with_opcode(struct uet_pdc *pdc, const struct uet_memory *m, uint8_t opcode)
{
    struct uet_out o = uet_write(pdc, m, 0, "", 0);
    uet_ses_req_opcode_set(o.ses, opcode);
    return o;
}

UET_TEST(reserved_opcode, .id = "ses.3.4.6.2.reserved-opcode", .requirements = "SES-024",
         .role = UET_ROLE_TARGET, .needs = "write",
         .purpose = "A reserved opcode is RC_UNSUPPORTED_OP.", .preamble = "PDC open.",
         .stimulus = "Standard request with opcode 0x2f.",
         .expected = "UET_RESPONSE with RC_UNSUPPORTED_OP, modified_length 0.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_out o = with_opcode(uet_pdc_open(tc), &m, 0x2f);
    const struct uet_in *in = refused(tc, "SES-024", &o, UET_RC_UNSUPPORTED_OP);
    field(tc, "SES-024", in, UET_F_SES_MODIFIED_LENGTH, 0);
}

UET_TEST(reserved_with_low_bits, .id = "ses.3.4.6.2.reserved-opcodes-with-known-low-bits",
         .requirements = "SES-024", .role = UET_ROLE_TARGET, .needs = "write",
         .purpose = "Opcodes are told apart in all their bits.", .preamble = "PDC open.",
         .stimulus = "Standard requests with opcode 0x10, 0x20, and the opcodes of WRITE and SEND "
                     "with bit 4 or 5 set.",
         .expected = "UET_RESPONSE with RC_UNSUPPORTED_OP each time.")
{
    static const uint8_t opcodes[] = {0x10,
                                      0x20,
                                      0x10 | UET_OP_WRITE,
                                      0x20 | UET_OP_WRITE,
                                      0x10 | UET_OP_SEND,
                                      0x20 | UET_OP_SEND};
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *pdc = uet_pdc_open(tc);
    for (size_t i = 0; i < sizeof opcodes; i++) {
        struct uet_out o = with_opcode(pdc, &m, opcodes[i]);
        refused(tc, "SES-024", &o, UET_RC_UNSUPPORTED_OP);
    }
}

/* A vendor opcode that the target need not know. */
static void vendor(struct uet_tc *tc, struct uet_pdc *pdc, const struct uet_memory *m,
                   uint8_t opcode)
{
    struct uet_out o = with_opcode(pdc, m, opcode);
    const struct uet_in *in = whatever_comes_of(tc, &o);
    bool response = tells_success(in) || is_error_response(in);

    if (code_told(in) != UET_RC_UNSUPPORTED_OP)
        uet_other_reading(tc, "SES-026", "%s instead of RC_UNSUPPORTED_OP",
                          response ? uet_enum_name(UET_ENUM_SES_RETURN_CODE, code_told(in))
                                   : "no response");
}

UET_TEST(vendor_opcode, .id = "ses.3.4.6.2.vendor-opcode", .requirements = "SES-026",
         .role = UET_ROLE_TARGET, .needs = "write", .contested = true,
         .purpose = "A vendor opcode unknown to the target is RC_UNSUPPORTED_OP.",
         .preamble = "PDC open.", .stimulus = "Standard requests with opcode 0x30, 0x35 and 0x3e.",
         .expected = "UET_RESPONSE with RC_UNSUPPORTED_OP; another answer, or none, is a finding.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *pdc = uet_pdc_open(tc);
    vendor(tc, pdc, &m, UET_OP_VENDOR_DEFINED_0);
    vendor(tc, pdc, &m, 0x30 | UET_OP_SEND);
    vendor(tc, pdc, &m, 0x3e);
}

UET_TEST(no_op_succeeds, .id = "ses.3.4.6.2.no-op-succeeds", .requirements = "SES-028",
         .role = UET_ROLE_TARGET, .needs = "no-op",
         .purpose = "UET_NO_OP succeeds and touches no buffer.", .preamble = "PDC open.",
         .stimulus = "NO_OP with all address fields 0.", .expected = "Success.")
{
    struct uet_pdc *pdc = uet_pdc_open(tc);
    struct uet_out o = uet_no_op(pdc);
    accepted(tc, "SES-028", &o);
}

UET_TEST(no_op_takes_no_receive, .id = "ses.3.4.6.2.no-op-takes-no-receive",
         .requirements = "SES-028", .role = UET_ROLE_TARGET, .needs = "no-op send",
         .purpose = "UET_NO_OP touches no buffer, whose address it may have.",
         .preamble = "A receive posted; PDC open.",
         .stimulus = "NO_OP with the address of that receive; then a SEND of 8 bytes to it.",
         .expected = "The receive completes with the bytes of the SEND, and not before.")
{
    struct uet_memory m = uet_need_receive(tc, 64, 1);
    struct uet_pdc *pdc = uet_pdc_open(tc);
    struct uet_out o = uet_send_message(pdc, &m, NULL, 0);
    struct uet_out message = uet_send_message(pdc, &m, "the SEND", 8);
    uet_ses_req_opcode_set(o.ses, UET_OP_NO_OP);
    ask(tc, "SES-028", &o);
    stays_open(tc, "SES-028", m.handle, UET_MS);
    accepted(tc, "SES-028", &message);
    fills(tc, "SES-028", m.handle, 8);
}

UET_TEST(no_op_with_payload, .id = "ses.3.4.6.2.no-op-with-payload", .requirements = "SES-029",
         .role = UET_ROLE_TARGET, .needs = "no-op",
         .purpose = "UET_NO_OP with payload is an error.", .preamble = "PDC open.",
         .stimulus = "NO_OP with request_length 4 and 4 bytes of payload.",
         .expected = "An error response.")
{
    struct uet_pdc *pdc = uet_pdc_open(tc);
    struct uet_out o = uet_no_op(pdc);
    uet_ses_req_std_request_length_set(o.ses, 4);
    o.payload = (const uint8_t *)"load";
    o.payload_len = 4;
    must_fail(tc, "SES-029", &o);
}

UET_TEST(no_op_with_untold_bytes, .id = "ses.3.4.6.2.no-op-with-untold-bytes",
         .requirements = "SES-029", .role = UET_ROLE_TARGET, .needs = "no-op",
         .contested = true, /* nothing says which of the two counts */
         .purpose = "The payload of a UET_NO_OP is what came, whatever length is told.",
         .preamble = "PDC open.", .stimulus = "NO_OP with request_length 0 and 4 bytes of payload.",
         .expected = "An error response.")
{
    struct uet_pdc *pdc = uet_pdc_open(tc);
    struct uet_out o = uet_no_op(pdc);
    o.payload = (const uint8_t *)"load";
    o.payload_len = 4;
    must_fail(tc, "SES-029", &o);
}

UET_TEST(no_op_without_eom, .id = "ses.3.4.6.2.no-op-without-eom", .requirements = "SES-029",
         .role = UET_ROLE_TARGET, .needs = "no-op",
         .purpose = "UET_NO_OP without SOM or without EOM is an error.", .preamble = "PDC open.",
         .stimulus = "NO_OPs with SOM=1 and EOM=0, with SOM=0 and EOM=1, and with neither.",
         .expected = "An error response to each.")
{
    static const bool form[][2] = {{true, false}, {false, true}, {false, false}};
    struct uet_pdc *pdc = uet_pdc_open(tc);
    for (size_t i = 0; i < 3; i++) {
        struct uet_out o = uet_no_op(pdc);
        uet_ses_req_som_set(o.ses, form[i][0]);
        uet_ses_req_eom_set(o.ses, form[i][1]);
        must_fail(tc, "SES-029", &o);
    }
}

static struct uet_out short_no_op(struct uet_pdc *p, uint8_t header, uint32_t n)
{
    const struct uet_memory nowhere = {0};

    return header == UET_UT_HEADER_SMALL ? uet_small(p, UET_OP_NO_OP, &nowhere, 0, "load", n)
                                         : uet_medium(p, UET_OP_NO_OP, &nowhere, 0, "load", n);
}

#define SHORT_NO_OP(name, what, header)                                                            \
    UET_TEST(name##_no_op, .id = "ses.3.4.6.2." what "-no-op-with-more",                           \
             .requirements = "SES-029", .role = UET_ROLE_TARGET, .needs = "no-op " what "-header", \
             .purpose = "UET_NO_OP with the " what " header and payload, or without SOM or EOM, "  \
                        "is an error.",                                                            \
             .preamble = "PDC open.",                                                              \
             .stimulus = "NO_OPs with the " what " header: with 4 bytes of payload, with EOM=0, "  \
                         "with SOM=0.",                                                            \
             .expected = "An error response to each.")                                             \
    {                                                                                              \
        struct uet_pdc *p = uet_pdc_open(tc);                                                      \
        for (int i = 0; i < 3; i++) {                                                              \
            struct uet_out o = short_no_op(p, header, i == 0 ? 4 : 0);                             \
            uet_ses_req_eom_set(o.ses, i != 1);                                                    \
            uet_ses_req_som_set(o.ses, i != 2);                                                    \
            must_fail(tc, "SES-029", &o);                                                          \
        }                                                                                          \
    }

SHORT_NO_OP(small, "small", UET_UT_HEADER_SMALL)
SHORT_NO_OP(medium, "medium", UET_UT_HEADER_MEDIUM)

UET_TEST(datagram_send_on_rud, .id = "ses.3.4.6.2.datagram-send-on-rud", .requirements = "SES-038",
         .role = UET_ROLE_TARGET, .needs = "send",
         .purpose = "UET_DATAGRAM_SEND belongs on UUD only.",
         .preamble = "A receive posted; PDC open.", .stimulus = "UET_DATAGRAM_SEND on RUD.",
         .expected = "Not executed.")
{
    struct uet_memory m = uet_need_receive(tc, 64, 1);
    struct uet_pdc *pdc = uet_pdc_open(tc);
    struct uet_out o = uet_send_message(pdc, &m, "datagram", 8);
    uet_ses_req_opcode_set(o.ses, UET_OP_DATAGRAM_SEND);
    must_fail(tc, "SES-038", &o);
}

#define SHORT_DATAGRAM(name, what, make)                                                           \
    UET_TEST(name##_datagram_on_rud, .id = "ses.3.4.6.2." what "-datagram-send-on-rud",            \
             .requirements = "SES-038", .role = UET_ROLE_TARGET, .needs = "send " what "-header",  \
             .purpose = "UET_DATAGRAM_SEND with the " what " header belongs on UUD only, too.",    \
             .preamble = "A receive posted; PDC open.",                                            \
             .stimulus = "UET_DATAGRAM_SEND with the " what " header on RUD.",                     \
             .expected = "Not executed.")                                                          \
    {                                                                                              \
        struct uet_memory m = uet_need_receive(tc, 64, 1);                                         \
        struct uet_out o = make(uet_pdc_open(tc), UET_OP_DATAGRAM_SEND, &m, 0, "datagram", 8);     \
        must_fail(tc, "SES-038", &o);                                                              \
    }

SHORT_DATAGRAM(small, "small", uet_small)
SHORT_DATAGRAM(medium, "medium", uet_medium)

UET_TEST(write_without_right, .id = "ses.3.4.6.3.write-without-right", .requirements = "SES-064",
         .role = UET_ROLE_TARGET, .needs = "write", .contested = true,
         .purpose = "A WRITE to a region without write right is RC_OP_VIOLATION.",
         .preamble = "A read-only region; PDC open.", .stimulus = "WRITE of 4 bytes.",
         .expected = "RC_OP_VIOLATION (RC_PERM_VIOLATION is the other reading); memory unchanged.")
{
    struct uet_memory m = region(tc, .job_id = 0xa22, .pid_on_fep = 3, .resource_index = 32,
                                 .key = 0x2004, .length = 64, .no_write = true);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct kept before = keep(tc, &m, 0, 64);
    struct uet_out o = uet_write(p, &m, 0, "deny", 4);
    refused_or(tc, "SES-064", &o, UET_RC_OP_VIOLATION, UET_RC_PERM_VIOLATION);
    unchanged(tc, "SES-064", &before);
}

UET_TEST(later_write_without_right, .id = "ses.3.4.6.3.later-write-without-right",
         .requirements = "SES-064", .role = UET_ROLE_TARGET, .needs = "rud write",
         .not_over = "rod", /* it sends out of order */
         .purpose = "Each packet of a WRITE needs the write right, whichever comes first.",
         .preamble = "A read-only region; PDC open.",
         .stimulus = "The second packet of a WRITE of two; then the first.",
         .expected = "The memory is unchanged.")
{
    const uint32_t mtu = uet_tc_dut(tc)->payload_mtu;
    struct uet_memory m = region(tc, .job_id = 0xa22, .pid_on_fep = 3, .resource_index = 32,
                                 .key = 0x2004, .length = mtu + 64, .no_write = true);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct kept before = keep(tc, &m, 0, 64), behind = keep(tc, &m, mtu, 64);
    struct uet_out o[2];
    uet_message(p, UET_OP_WRITE, &m, 0, uet_tc_bytes(tc, mtu + 64), mtu + 64, o, 2);
    for (size_t i = 2; i-- > 0;)
        whatever_comes_of(tc, &o[i]);
    unchanged(tc, "SES-064", &before);
    unchanged(tc, "SES-064", &behind);
}

UET_TEST(write_past_the_end, .id = "ses.3.4.6.3.write-past-the-end", .requirements = "SES-065",
         .role = UET_ROLE_TARGET, .needs = "write", .contested = true,
         .purpose = "A WRITE past the end of its region is refused.",
         .preamble = "A region of 64 bytes; PDC open.",
         .stimulus = "WRITE of 1 byte at buffer_offset 64.",
         .expected = "RC_BAD_ADDR (RC_UNSUPPORTED_SIZE and RC_AT_OUT_OF_RANGE are other readings).")
{
    struct uet_memory m = region(tc, .job_id = 0xa23, .pid_on_fep = 3, .resource_index = 33,
                                 .key = 0x2005, .length = 64);
    struct uet_out o = uet_write(uet_pdc_open(tc), &m, 64, "x", 1);
    refused_or(tc, "SES-065", &o, UET_RC_BAD_ADDR, UET_RC_UNSUPPORTED_SIZE, UET_RC_AT_OUT_OF_RANGE);
}

/* What a SEND without receive brings; NULL: no room to keep it, nor to say so (SES-099). */
static const struct uet_in *kept_or_refused(struct uet_tc *tc, const struct uet_out *o)
{
    say(tc, o);
    const struct uet_in *in = hear(tc, "SES-096", ANSWER_TO(o));
    if (!uet_is_nack(&in->packet))
        return in;
    field_among(tc, "SES-096", in, UET_F_PDS_NACK_CODE, UET_NACK_NO_PKT_BUFFER,
                UET_NACK_NO_GTD_DEL_AVAIL, UET_NACK_NO_SES_MSG_AVAIL, UET_NACK_NO_RESOURCE);
    return NULL;
}

/* Refused with RC_NO_MATCH, or kept as unexpected (3.4.3.6.2). */
static void finds_no_buffer(struct uet_tc *tc, const struct uet_out *o)
{
    const struct uet_in *in = kept_or_refused(tc, o);
    if (!in)
        return;
    has_response(tc, "SES-096", in);
    if (value_of(tc, in, UET_F_SES_LIST) == UET_LIST_OVERFLOW || tells_arrival(in))
        return;
    uet_check_return_code(tc, "SES-096", in, UET_RC_NO_MATCH);
    field(tc, "SES-096", in, UET_F_SES_MODIFIED_LENGTH, 0);
}

UET_TEST(
    send_without_receive, .id = "ses.3.4.6.3.send-without-receive", .requirements = "SES-096",
    .role = UET_ROLE_TARGET, .needs = "send", .purpose = "A send that finds no buffer is told so.",
    .preamble = "A send resource without posted buffer; PDC open.", .stimulus = "SEND of 16 bytes.",
    .expected = "RC_NO_MATCH with modified_length 0, or RC_OK with list UET_OVERFLOW, or a NACK "
                "0x07, 0x08, 0x09, 0x0A.")
{
    struct uet_memory m = uet_need_receive(tc, 64, 0);
    struct uet_out o = uet_send_message(uet_pdc_open(tc), &m, "nobody waits now", 16);
    finds_no_buffer(tc, &o);
}

/* A send of 16 bytes with one of the short headers, to a resource without receives. */
static void short_send_without_receive(struct uet_tc *tc, uint8_t opcode, uint8_t header)
{
    const bool tagged = opcode == UET_OP_TAGGED_SEND;
    struct uet_memory m = tagged ? uet_need_empty(tc) : uet_need_receive(tc, 64, 0);
    struct uet_pdc *p = uet_pdc_open(tc);
    m.key = 0x96; /* of a tagged one */
    struct uet_out o = header == UET_UT_HEADER_SMALL
                           ? uet_small(p, opcode, &m, 0, "nobody waits now", 16)
                           : uet_medium(p, opcode, &m, 0, "nobody waits now", 16);
    finds_no_buffer(tc, &o);
}

#define WITHOUT_RECEIVE(name, slug, what, claims, opcode, header)                                  \
    UET_TEST(name##_without_receive, .id = "ses.3.4.6.3." slug "-without-receive",                 \
             .requirements = "SES-096", .role = UET_ROLE_TARGET, .needs = (claims),                \
             .purpose = what " that finds no buffer is told so.",                                  \
             .preamble = "A resource without posted buffer; PDC open.",                            \
             .stimulus = what " of 16 bytes.",                                                     \
             .expected =                                                                           \
                 "RC_NO_MATCH with modified_length 0, or RC_OK with list UET_OVERFLOW, or "        \
                 "a NACK 0x07, 0x08, 0x09, 0x0A.")                                                 \
    {                                                                                              \
        short_send_without_receive(tc, opcode, header);                                            \
    }

WITHOUT_RECEIVE(small, "small-send", "A SEND with the small header", "send small-header",
                UET_OP_SEND, UET_UT_HEADER_SMALL)
WITHOUT_RECEIVE(medium, "medium-send", "A SEND with the medium header", "send medium-header",
                UET_OP_SEND, UET_UT_HEADER_MEDIUM)
WITHOUT_RECEIVE(medium_tagged, "medium-tagged-send", "A tagged send with the medium header",
                "tagged medium-header upper-tester", UET_OP_TAGGED_SEND, UET_UT_HEADER_MEDIUM)

UET_TEST(long_send_without_receive, .id = "ses.3.4.6.3.long-send-without-receive",
         .requirements = "SES-096", .role = UET_ROLE_TARGET, .needs = "send",
         .purpose = "No packet of a send that finds no buffer is a success.",
         .preamble = "A send resource without posted buffer; PDC open.",
         .stimulus = "SEND of three packets, one after the other.",
         .expected = "RC_NO_MATCH for the first, no success for the others; a NACK, or RC_OK with "
                     "list UET_OVERFLOW, for the first ends the test.",
         .once = "a message with an error may stay open")
{
    struct uet_memory m = uet_need_receive(tc, 2u * uet_tc_dut(tc)->payload_mtu + 100, 0);
    struct message s = message(tc, .opcode = UET_OP_SEND, .packets = 3, .last = 100, .m = m);
    say(tc, &s.o[0]);
    if (code_told(hear(tc, "SES-096", ANSWER_TO(&s.o[0]))) != UET_RC_NO_MATCH)
        uet_skip(tc, "the FEP keeps what finds no buffer, as it may, or has no room to say so");
    not_executed(tc, "SES-096", &s.o[1]);
    not_executed(tc, "SES-096", &s.o[2]);
}

UET_TEST(late_receive, .id = "ses.3.4.6.3.receive-behind-the-first-packet",
         .requirements = "SES-096", .role = UET_ROLE_TARGET, .needs = "send upper-tester",
         .purpose = "A send that found no buffer does not take one that is posted behind its "
                    "first packet.",
         .preamble = "A send resource without posted buffer; PDC open.",
         .stimulus = "The first packet of a SEND of three; a receive is posted; the other two.",
         .expected = "RC_NO_MATCH for the first, no success for the others; the receive does not "
                     "end as a success, its bytes are as before. A FEP that keeps the SEND is "
                     "skipped.",
         .once = "a message with an error may stay open")
{
    struct uet_memory m = uet_need_receive(tc, 2u * uet_tc_dut(tc)->payload_mtu + 100, 0);
    struct message s = message(tc, .opcode = UET_OP_SEND, .packets = 3, .last = 100, .m = m);
    say(tc, &s.o[0]);
    if (code_told(hear(tc, "SES-096", ANSWER_TO(&s.o[0]))) != UET_RC_NO_MATCH)
        uet_skip(tc, "the FEP keeps what finds no buffer, as it may, or has no room to say so");
    const struct uet_memory late = {
        .handle = uet_tag_receive(tc, &m, &(const struct uet_ut_receive){.length = s.n})};
    struct kept k = keep(tc, &late, s.mtu, 1024);
    not_executed(tc, "SES-096", &s.o[1]);
    not_executed(tc, "SES-096", &s.o[2]);
    must_not_succeed(tc, "SES-096", late.handle);
    unchanged(tc, "SES-096", &k);
}

/* A resource without buffers, disabled: a message to it is refused with this code. */
static void disabled(struct uet_tc *tc, struct uet_memory m, bool tagged, bool has_generation,
                     uint8_t code)
{
    const struct uet_ut_service service = {.job_id = m.job_id,
                                           .pid_on_fep = m.pid_on_fep,
                                           .resource_index = m.resource_index,
                                           .ri_class = tagged ? UET_UT_TAGGED : UET_UT_SEND,
                                           .has_generation = has_generation,
                                           .generation = has_generation ? 9 : 0,
                                           .disabled = true};
    uet_did(tc, uet_ut_service(uet_tc_ut(tc), &service), "service");
    m.ri_generation = service.generation;
    struct uet_pdc *pdc = uet_pdc_open(tc);
    struct uet_out o =
        tagged ? tagged_send(pdc, &m, 0x77) : uet_send_message(pdc, &m, "disabled", 8);
    refused(tc, "SES-100", &o, code);
}

static struct uet_memory send_resource(struct uet_tc *tc)
{
    need_upper_tester(tc, "only an upper tester disables a resource");
    return uet_need_receive(tc, 64, 0);
}

UET_TEST(disabled_wins, .id = "ses.3.4.6.3.disabled-wins", .requirements = "SES-100",
         .role = UET_ROLE_TARGET, .needs = "send",
         .purpose = "A disabled resource index is RC_DISABLED, not RC_NO_MATCH.",
         .preamble = "A send resource, disabled, without buffers; PDC open.",
         .stimulus = "SEND of 8 bytes.", .expected = "RC_DISABLED.")
{
    disabled(tc, send_resource(tc), false, false, UET_RC_DISABLED);
}

UET_TEST(disabled_wins_over_tags, .id = "ses.3.4.6.3.disabled-wins-over-tags",
         .requirements = "SES-100", .role = UET_ROLE_TARGET, .needs = "tagged upper-tester",
         .purpose = "A disabled resource index of tagged sends is RC_DISABLED, not RC_NO_MATCH.",
         .preamble = "A tagged resource, disabled, without buffers; PDC open.",
         .stimulus = "TAGGED_SEND.", .expected = "RC_DISABLED.")
{
    disabled(tc, uet_need_empty(tc), true, false, UET_RC_DISABLED);
}

UET_TEST(disabled_gen_wins, .id = "ses.3.4.6.3.disabled-gen-wins", .requirements = "SES-100",
         .role = UET_ROLE_TARGET, .needs = "send generations",
         .purpose = "A disabled resource index with generations is RC_DISABLED_GEN.",
         .preamble = "A send resource with generation 9, disabled, without buffers; PDC open.",
         .stimulus = "SEND of 8 bytes with ri_generation 9.", .expected = "RC_DISABLED_GEN.")
{
    disabled(tc, send_resource(tc), false, true, UET_RC_DISABLED_GEN);
}

/*
 * Cut to n bytes, and so it says. A buffer that an upper tester posted refuses; of any other the
 * mode is not known.
 */
static bool truncated_to(struct uet_tc *tc, const struct uet_in *in, uint32_t n)
{
    return !uet_tc_ut(tc) && code_told(in) == UET_RC_OK &&
           value_of(tc, in, UET_F_SES_RSP_OPCODE) == UET_RSP_RESPONSE &&
           value_of(tc, in, UET_F_SES_MODIFIED_LENGTH) == n;
}

UET_TEST(send_too_long, .id = "ses.3.4.6.3.send-too-long", .requirements = "SES-101",
         .role = UET_ROLE_TARGET, .needs = "send", .contested = true,
         .purpose = "A send longer than its buffer is refused when the target does not truncate.",
         .preamble = "A 100-byte buffer posted; PDC open.", .stimulus = "SEND of 200 bytes.",
         .expected = "RC_TOO_LONG (RC_UNSUPPORTED_SIZE is the other reading), or a truncation "
                     "told by modified_length.")
{
    struct uet_memory m = uet_need_receive(tc, 100, 1);
    uint32_t n = m.length + 100u;
    if (n > uet_tc_dut(tc)->payload_mtu)
        uet_skip(tc, "the buffers of fep.yaml are longer than one packet");
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o = uet_send_message(p, &m, uet_tc_bytes(tc, n), n);
    const struct uet_in *in = ask(tc, "SES-101", &o);
    has_response(tc, "SES-101", in);
    if (!truncated_to(tc, in, m.length))
        code_or(tc, "SES-101", in, UET_RC_TOO_LONG, UET_RC_UNSUPPORTED_SIZE);
}

UET_TEST(default_response_is_success, .id = "ses.3.4.6.2.default-response-is-success",
         .requirements = "SES-119", .role = UET_ROLE_TARGET, .needs = "write",
         .purpose = "A default response carries only RC_NULL or RC_OK and list UET_EXPECTED.",
         .preamble = "A region; PDC open.", .stimulus = "Three good WRITEs, each ar=1.",
         .expected = "As said, in each ACK that carries a default response.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = uet_pdc_open(tc);
    for (int i = 0; i < 3; i++) {
        struct uet_out o = uet_write(p, &m, 0, "default", 7);
        const struct uet_in *in = accepted(tc, "SES-119", &o);
        if (value_of(tc, in, UET_F_SES_RSP_OPCODE) != UET_RSP_DEFAULT_RESPONSE)
            continue;
        field_at_most(tc, "SES-119", in, UET_F_SES_RETURN_CODE, UET_RC_OK);
        field(tc, "SES-119", in, UET_F_SES_LIST, UET_LIST_EXPECTED);
    }
}

UET_TEST(error_is_a_response, .id = "ses.3.4.6.2.error-is-a-response", .requirements = "SES-120",
         .role = UET_ROLE_TARGET, .needs = "write",
         .purpose = "An error is sent as UET_RESPONSE, never as a default response.",
         .preamble = "PDC open.", .stimulus = "WRITE with a key that was never given out.",
         .expected = "Opcode UET_RESPONSE.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    m.key ^= 0x777;
    struct uet_out o = uet_write(uet_pdc_open(tc), &m, 0, "error", 5);
    field(tc, "SES-120", ask(tc, "SES-120", &o), UET_F_SES_RSP_OPCODE, UET_RSP_RESPONSE);
}
