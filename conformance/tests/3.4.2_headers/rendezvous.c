/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.4.2.4, Figure 3-15: rendezvous sends to the FEP, which reads the rest of them. */
#include "conformance/harness/steps/rendezvous.h"
#include "conformance/harness/steps/acks.h"
#include "conformance/harness/steps/memory.h"
#include "conformance/harness/steps/messages.h"
#include "conformance/harness/steps/requests.h"
#include "conformance/harness/steps/tagged.h"
#include "conformance/harness/steps/target.h"
#include "conformance/harness/steps/unexpected.h"

#define NEEDS "rendezvous read upper-tester"
#define SHORT 500u /* bytes of a receive that its message is too long for */

/* Its receive is posted, the eager part said, the rest read: it is all there. */
static void met(struct uet_tc *tc, const struct rendezvous *r)
{
    uint64_t handle = receive_of_rendezvous(tc, r);
    say_eager(tc, "SES-156", r);
    struct fep_read read = hear_read(tc, r, r->eager);
    stays_open(tc, "SES-156", handle, UET_MS);
    serve(tc, "SES-156", &read);
    has_all(tc, "SES-156", r, handle);
}

UET_TEST(rest_is_read, .id = "ses.3.4.2.4.rest-is-read", .requirements = "SES-156",
         .role = UET_ROLE_TARGET, .needs = NEEDS, .contested = true,
         .purpose = "The target reads what the packets of a rendezvous send did not bring.",
         .preamble = "A receive; PDC open.",
         .stimulus = "UET_RENDEZVOUS_SEND of two packets' worth, of which it brings 1000 bytes.",
         .expected = "A UET_READ of the others at the address of the extension, behind the eager "
                     "part; the receive ends when they have come, with all bytes. That the READ "
                     "begins at read_offset itself is a finding.")
{
    uint32_t mtu = uet_tc_dut(tc)->payload_mtu;
    struct uet_memory m = uet_need_tagged(tc);
    struct rendezvous r =
        rendezvous(tc, .n = mtu + 1500, .eager = 1000, .m = m, .p = uet_pdc_open(tc));
    met(tc, &r);
}

UET_TEST(long_eager_part, .id = "ses.3.4.2.4.eager-part-of-two-packets", .requirements = "SES-156",
         .role = UET_ROLE_TARGET, .needs = "multi-packet-send " NEEDS, .contested = true,
         .purpose = "The target reads what a rendezvous send did not bring, also when the eager "
                    "part takes several packets.",
         .preamble = "A receive; PDC open.",
         .stimulus = "UET_RENDEZVOUS_SEND that brings a Payload MTU and 500 bytes in two packets, "
                     "and has 700 bytes more.",
         .expected = "A UET_READ of the 700 bytes; the receive ends with all.")
{
    uint32_t mtu = uet_tc_dut(tc)->payload_mtu;
    struct uet_memory m = uet_need_tagged(tc);
    struct rendezvous r =
        rendezvous(tc, .n = mtu + 1200, .eager = mtu + 500, .m = m, .p = uet_pdc_open(tc));
    met(tc, &r);
}

UET_TEST(long_rest, .id = "ses.3.4.2.4.rest-of-more-than-16-bits-count", .requirements = "SES-156",
         .role = UET_ROLE_TARGET, .needs = NEEDS, .contested = true,
         .not_over = "all", /* long, and at no small Payload MTU */
         .purpose = "The length of the READ of a rendezvous send is not cut to 16 bits.",
         .preamble = "A receive; PDC open.",
         .stimulus = "UET_RENDEZVOUS_SEND that brings 1000 bytes, and has 64 KiB and 100 bytes "
                     "more.",
         .expected = "A UET_READ of all of those; the receive ends with all.")
{
    if (uet_tc_dut(tc)->payload_mtu < 2048)
        uet_skip(tc, "this test needs a Payload MTU of 2048 or more");
    struct uet_memory m = uet_need_tagged(tc);
    struct rendezvous r =
        rendezvous(tc, .n = 65536 + 1100, .eager = 1000, .m = m, .p = uet_pdc_open(tc));
    met(tc, &r);
}

UET_TEST(rest_behind, .id = "ses.3.4.2.4.rest-behind-an-offset", .requirements = "SES-013",
         .role = UET_ROLE_TARGET, .needs = NEEDS, .contested = true,
         .purpose = "What is read of a rendezvous send stands behind its buffer_offset, too.",
         .preamble = "A receive of 40 bytes more than the message; PDC open.",
         .stimulus = "UET_RENDEZVOUS_SEND with buffer_offset 40, of which it brings 500 bytes; "
                     "what the FEP reads it gets.",
         .expected = "The receive ends with all bytes, from 40 on. A FEP that refuses such a send "
                     "is a finding.")
{
    struct uet_memory m = uet_need_tagged(tc);
    struct rendezvous r = rendezvous(tc, .n = 1200, .eager = 500, .m = m, .p = uet_pdc_open(tc));
    const struct uet_ut_receive like = {.length = r.n + 40};
    uint64_t handle = uet_tag_receive(tc, &m, &like);
    const struct uet_memory buffer = {.handle = handle};
    uet_ses_req_buffer_offset_set(r.o[0].ses, 40);
    if (is_error_response(ask(tc, "SES-013", &r.o[0]))) {
        uet_other_reading(tc, "SES-013", "a rendezvous send with a buffer_offset is refused");
        return;
    }
    struct fep_read read = hear_read(tc, &r, r.eager);
    serve(tc, "SES-013", &read);
    fills(tc, "SES-013", handle, r.n);
    memory_holds(tc, "SES-013", &buffer, 40, r.bytes, r.n);
}

UET_TEST(eager_beyond, .id = "ses.3.4.2.4.eager-part-beyond-the-message", .requirements = "SES-047",
         .role = UET_ROLE_TARGET, .needs = NEEDS,
         .purpose = "The eager part of a rendezvous send is no longer than the message.",
         .preamble = "A receive of 128 bytes; PDC open.",
         .stimulus = "UET_RENDEZVOUS_SEND with request_length 64, eager_length 128 and 128 bytes.",
         .expected = "An error, or a drop; cut to request_length and accepted is a finding. The "
                     "receive keeps its bytes behind 64.")
{
    struct uet_memory m = uet_need_tagged(tc);
    struct rendezvous r = rendezvous(tc, .n = 128, .eager = 128, .m = m, .p = uet_pdc_open(tc));
    const struct uet_memory buffer = {.handle = receive_of_rendezvous(tc, &r)};
    struct kept before = keep(tc, &buffer, 64, 64);
    uet_ses_req_std_request_length_set(r.o[0].ses, 64);
    const struct uet_in *in = whatever_comes_of(tc, &r.o[0]);
    if (tells_success(in) && !tells_arrival(in))
        uet_other_reading(tc, "SES-047", "the eager part was cut to request_length and accepted");
    unchanged(tc, "SES-047", &before);
}

UET_TEST(eager_in_error, .id = "ses.3.4.2.4.eager-part-in-error", .requirements = "SES-112 ROB-037",
         .role = UET_ROLE_TARGET, .needs = "multi-packet-send " NEEDS,
         .purpose = "A rendezvous send that its initiator declares wrong fails its receive.",
         .preamble = "A receive; PDC open.",
         .stimulus = "UET_RENDEZVOUS_SEND whose eager part takes two packets, the second with "
                     "ie=1; what the FEP reads it gets; then another receive, and a SEND.",
         .expected = "RC_INITIATOR_ERROR; the receive ends in error, or the next SEND gets it; the "
                     "SEND succeeds.")
{
    uint32_t mtu = uet_tc_dut(tc)->payload_mtu;
    struct uet_memory m = uet_need_tagged(tc);
    struct rendezvous r =
        rendezvous(tc, .n = mtu + 1200, .eager = mtu + 500, .m = m, .p = uet_pdc_open(tc));
    uint64_t handle = receive_of_rendezvous(tc, &r);
    delivered(tc, "SES-112", &r.o[0]);
    struct fep_read read = fep_may_be_reading(tc, r.bytes + r.eager, r.n - r.eager);
    uet_ses_req_ie_set(r.o[1].ses, true);
    refused(tc, "SES-112", &r.o[1], UET_RC_INITIATOR_ERROR);
    if (read.count)
        serve(tc, "SES-156", &read);
    m.handle = handle;
    ends_or_is_free(tc, "SES-112", &(const struct message){.m = m}, r.p);
    receive_of_rendezvous(tc, &r);
    struct uet_out o = uet_send_message(r.p, &m, "next", 4);
    accepted(tc, "ROB-037", &o);
}

UET_TEST(nothing_eager, .id = "ses.3.4.2.4.nothing-eager", .requirements = "SES-156",
         .role = UET_ROLE_TARGET, .needs = NEEDS,
         .purpose = "A rendezvous send may bring nothing itself.",
         .preamble = "A receive; PDC open.",
         .stimulus = "UET_RENDEZVOUS_SEND of 2000 bytes with eager_length 0.",
         .expected = "A UET_READ of all of it; the receive ends with all.")
{
    struct uet_memory m = uet_need_tagged(tc);
    struct rendezvous r = rendezvous(tc, .n = 900, .eager = 0, .m = m, .p = uet_pdc_open(tc));
    met(tc, &r);
}

UET_TEST(all_eager, .id = "ses.3.4.2.4.all-eager", .requirements = "SES-156",
         .role = UET_ROLE_TARGET, .needs = NEEDS,
         .purpose = "A rendezvous send that brings all itself leaves nothing to be read.",
         .preamble = "A receive; PDC open.",
         .stimulus = "UET_RENDEZVOUS_SEND of 900 bytes with eager_length 900.",
         .expected = "Success, no UET_READ; the receive ends with all.")
{
    struct uet_memory m = uet_need_tagged(tc);
    struct rendezvous r = rendezvous(tc, .n = 900, .eager = 900, .m = m, .p = uet_pdc_open(tc));
    uint64_t handle = receive_of_rendezvous(tc, &r);
    say_eager(tc, "SES-156", &r);
    has_all(tc, "SES-156", &r, handle);
    no_read(tc, "SES-156");
}

/* A FEP's completions may have none, and it may say so by whatever code (SES-174). */
static bool no_room_for_data(const struct uet_in *in)
{
    return is_error_response(in) && code_told(in) != UET_RC_NO_MATCH;
}

UET_TEST(rendezvous_data, .id = "ses.3.4.2.4.header-data", .requirements = "SES-174 SES-156",
         .role = UET_ROLE_TARGET, .needs = NEEDS,
         .purpose = "Header data of a rendezvous send comes with the completion, once.",
         .preamble = "A receive; PDC open.",
         .stimulus = "UET_RENDEZVOUS_SEND with hd=1, of which the rest is read.",
         .expected = "The receive completes once, with the header data. A FEP that refuses hd=1 on "
                     "sends is a finding.")
{
    struct uet_memory m = uet_need_tagged(tc);
    struct rendezvous r = rendezvous(tc, .n = 900, .eager = 100, .m = m, .p = uet_pdc_open(tc),
                                     .hd = true, .header_data = 0x8877665544332211);
    uint64_t handle = receive_of_rendezvous(tc, &r);
    if (no_room_for_data(ask(tc, "SES-174", &r.o[0]))) {
        uet_other_reading(tc, "SES-174", "hd=1 is refused on a rendezvous send");
        return;
    }
    struct fep_read read = hear_read(tc, &r, r.eager);
    serve(tc, "SES-156", &read);
    struct uet_ut_completion c = fills(tc, "SES-156", handle, r.n);
    brings_header_data(tc, "SES-174", &c, r.header_data);
    not_again(tc, "SES-174", handle);
}

/* Without a receive: held, with nothing of it kept, as this answer says, or the test ends. */
static void held_by(struct uet_tc *tc, const struct rendezvous *r, const struct uet_in *in)
{
    if (code_told(in) == UET_RC_NO_MATCH) { /* then it is gone */
        receive_of_rendezvous(tc, r);
        no_read(tc, "SES-157");
        uet_skip(tc, "the FEP keeps no unexpected rendezvous send, as it may");
    }
    if (tells_arrival(in)) /* its answer follows with the receive (SES-098) */
        uet_skip(tc, "the FEP keeps bytes of it, as it may, and answers later");
    check_req_clear(tc, "SES-157", in);
    field(tc, "SES-157", in, UET_F_SES_LIST, UET_LIST_OVERFLOW);
    if (!field(tc, "SES-157", in, UET_F_SES_RETURN_CODE, UET_RC_OK) ||
        value_of(tc, in, UET_F_SES_MODIFIED_LENGTH))
        uet_skip(tc, "the FEP keeps bytes of it, as it may");
}

static void held(struct uet_tc *tc, const struct rendezvous *r)
{
    held_by(tc, r, say_eager(tc, "SES-157", r));
}

/* Of 900 bytes, of which the first `eager` come at once: nothing is kept, and all is read later. */
static void comes_unexpected(struct uet_tc *tc, uint32_t eager)
{
    struct uet_memory m = uet_need_empty(tc);
    struct rendezvous r = rendezvous(tc, .n = 900, .eager = eager, .m = m, .p = uet_pdc_open(tc));
    held(tc, &r);
    no_read(tc, "SES-157");
    uint64_t handle = receive_of_rendezvous(tc, &r);
    struct fep_read read = hear_read(tc, &r, 0);
    serve(tc, "SES-157", &read);
    has_all(tc, "SES-157", &r, handle);
}

UET_TEST(unexpected_rendezvous, .id = "ses.3.4.2.4.unexpected", .requirements = "SES-157 SES-097",
         .role = UET_ROLE_TARGET, .needs = NEEDS,
         .purpose = "A rendezvous send without receive is told to the source, and read when the "
                    "receive is posted.",
         .preamble = "A resource without receives; PDC open.",
         .stimulus = "UET_RENDEZVOUS_SEND that brings 300 of 900 bytes; then a receive.",
         .expected = "UET_RESPONSE with RC_OK and list OVERFLOW (RC_NO_MATCH ends the test), no "
                     "UET_READ; then one of all that was not kept; the receive ends with all.")
{
    comes_unexpected(tc, 300);
}

UET_TEST(unexpected_header, .id = "ses.3.4.2.4.unexpected-header", .requirements = "SES-157",
         .role = UET_ROLE_TARGET, .needs = NEEDS,
         .purpose = "A rendezvous send that brings no byte itself is told to the source, too.",
         .preamble = "A resource without receives; PDC open.",
         .stimulus = "UET_RENDEZVOUS_SEND of 900 bytes with eager_length 0; then a receive.",
         .expected = "As of one that brings bytes.")
{
    comes_unexpected(tc, 0);
}

/* A receive that the message is too long for. */
static uint64_t short_receive(struct uet_tc *tc, const struct rendezvous *r, bool truncate)
{
    const struct uet_ut_receive like = {.length = SHORT, .truncate = truncate};

    return uet_tag_receive(tc, &r->m, &like);
}

/* The UET_READ of one packet that comes, if any, with the bytes that lie where it says. */
static struct fep_read what_it_reads(struct uet_tc *tc, const struct rendezvous *r)
{
    struct fep_read read = fep_may_be_reading(tc, r->bytes, r->n);

    if (read.count)
        read.bytes += value_of(tc, read.in[0], UET_F_SES_BUFFER_OFFSET) - r->read_offset;
    return read;
}

UET_TEST(unexpected_and_short, .id = "ses.3.4.2.4.unexpected-and-a-short-receive",
         .requirements = "SES-101", .role = UET_ROLE_TARGET, .needs = NEEDS, .contested = true,
         .purpose = "A receive that is too short for a rendezvous send, and may not be cut, does "
                    "not end as a success with a part of it.",
         .preamble = "A resource without receives; PDC open.",
         .stimulus = "UET_RENDEZVOUS_SEND of 900 bytes, then a receive of 500; what the FEP reads "
                     "it gets.",
         .expected = "The receive ends in error, or not. RC_NO_MATCH ends the test.",
         .once = "the send is held until it is forgotten")
{
    struct uet_memory m = uet_need_empty(tc);
    struct rendezvous r = rendezvous(tc, .n = 900, .eager = 100, .m = m, .p = uet_pdc_open(tc));
    held(tc, &r);
    uint64_t handle = short_receive(tc, &r, false);
    struct fep_read read = what_it_reads(tc, &r);
    if (read.count)
        serve(tc, "SES-101", &read);
    must_not_succeed(tc, "SES-101", handle);
}

UET_TEST(cut_rendezvous, .id = "ses.3.4.2.4.truncated-rendezvous",
         .requirements = "SES-102 SES-156", .role = UET_ROLE_TARGET, .needs = "truncation " NEEDS,
         .contested = true,
         .purpose = "Of a rendezvous send that its receive cuts no more is read than that has "
                    "room for.",
         .preamble = "A receive of 500 bytes posted in truncate mode; PDC open.",
         .stimulus = "UET_RENDEZVOUS_SEND that brings 200 of 900 bytes; what the FEP reads it "
                     "gets.",
         .expected = "A UET_READ of 300 bytes (that a FEP reads all the same is a finding); the "
                     "receive ends with 500. An error response, as it may be, ends the test.")
{
    struct uet_memory m = uet_need_empty(tc);
    struct rendezvous r = rendezvous(tc, .n = 900, .eager = 200, .m = m, .p = uet_pdc_open(tc));
    const struct uet_memory buffer = {.handle = short_receive(tc, &r, true)};
    if (is_error_response(ask(tc, "SES-102", &r.o[0])))
        uet_skip(tc, "the FEP does not truncate a rendezvous send, as it may");
    struct fep_read read = what_it_reads(tc, &r);
    uet_check(tc, "SES-156", read.count, "the rest is not read");
    const uint64_t asked = value_of(tc, read.in[0], UET_F_SES_REQUEST_LENGTH);
    if (asked != SHORT - r.eager)
        uet_other_reading(tc, "SES-156", "it reads %llu bytes, and lacks %u",
                          (unsigned long long)asked, (unsigned)(SHORT - r.eager));
    serve(tc, "SES-156", &read);
    fills(tc, "SES-102", buffer.handle, SHORT);
    memory_holds(tc, "SES-102", &buffer, 0, r.bytes, SHORT);
}

UET_TEST(cut_to_nothing, .id = "ses.3.4.2.4.truncated-to-nothing", .requirements = "SES-102",
         .role = UET_ROLE_TARGET, .needs = "truncation " NEEDS, .contested = true,
         .purpose = "Of a rendezvous send for whose bytes its receive has no room none is "
                    "delivered.",
         .preamble = "A receive of 500 bytes posted in truncate mode; PDC open.",
         .stimulus = "UET_RENDEZVOUS_SEND of 900 bytes with buffer_offset 500 and eager_length 0; "
                     "what the FEP reads it gets.",
         .expected = "The receive ends with 0 bytes; a UET_READ of any is a finding. An error "
                     "response, as it may be, ends the test.")
{
    struct uet_memory m = uet_need_empty(tc);
    struct rendezvous r = rendezvous(tc, .n = 900, .eager = 0, .m = m, .p = uet_pdc_open(tc));
    uint64_t handle = short_receive(tc, &r, true);
    uet_ses_req_buffer_offset_set(r.o[0].ses, SHORT);
    if (is_error_response(ask(tc, "SES-102", &r.o[0])))
        uet_skip(tc, "the FEP does not truncate a rendezvous send, as it may");
    struct fep_read read = what_it_reads(tc, &r);
    if (read.count) {
        uet_other_reading(tc, "SES-156", "it reads what its receive has no room for");
        serve(tc, "SES-156", &read);
    }
    fills(tc, "SES-102", handle, 0);
}

UET_TEST(two_unexpected, .id = "ses.3.4.2.4.two-unexpected", .requirements = "SES-157 SES-156",
         .role = UET_ROLE_TARGET, .needs = NEEDS,
         .purpose = "Two rendezvous sends that wait are two: each is read at its own address.",
         .preamble = "A resource without receives; PDC open.",
         .stimulus = "Two UET_RENDEZVOUS_SENDs; then two receives.",
         .expected = "The first receive gets the first message, the second the second.")
{
    struct uet_memory m = uet_need_empty(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct rendezvous r[2];
    for (int i = 0; i < 2; i++) {
        r[i] = rendezvous(tc, .n = 900, .eager = 100, .m = m, .p = p);
        held(tc, &r[i]);
    }
    for (int i = 0; i < 2; i++) {
        uint64_t handle = receive_of_rendezvous(tc, &r[i]);
        struct fep_read read = hear_read(tc, &r[i], 0);
        serve(tc, "SES-157", &read);
        has_all(tc, "SES-157", &r[i], handle);
    }
}

UET_TEST(held_among_kept, .id = "ses.3.4.2.4.held-among-kept", .requirements = "SES-090 SES-157",
         .role = UET_ROLE_TARGET, .needs = "keeps-unexpected rod " NEEDS, .not_over = "rod order",
         .purpose = "A rendezvous send of which the header alone is kept stands in one line with "
                    "sends that are kept whole.",
         .preamble = "A resource without receives, which keeps what is unexpected.",
         .stimulus = "On ROD a SEND, a UET_RENDEZVOUS_SEND and a SEND; then three receives, one "
                     "after the other; what the FEP reads it gets.",
         .expected = "The receives get them in the order in which they were sent. RC_NO_MATCH ends "
                     "the test.")
{
    struct uet_memory m = uet_need_keeping(tc);
    struct uet_pdc *p = uet_pdc_new(tc);
    p->rod = true;
    struct uet_out before = uet_send_message(p, &m, uet_tc_bytes(tc, 64), 64);
    const struct uet_in *first = kept_as_unexpected(tc, "SES-098", &before);
    struct rendezvous r = rendezvous(tc, .n = 900, .eager = 100, .m = m, .p = p);
    held(tc, &r);
    struct uet_out behind = uet_send_message(p, &m, uet_tc_bytes(tc, 64), 64);
    const struct uet_in *last = kept_as_unexpected(tc, "SES-098", &behind);
    uet_for(tc, "SES-090");
    kept_is_received(tc, &before, first, receive_of_rendezvous(tc, &r));
    uint64_t handle = receive_of_rendezvous(tc, &r);
    struct fep_read read = hear_read(tc, &r, 0);
    serve(tc, "SES-157", &read);
    has_all(tc, "SES-090", &r, handle);
    kept_is_received(tc, &behind, last, receive_of_rendezvous(tc, &r));
}

UET_TEST(
    first_packet_last, .id = "ses.3.4.2.4.header-data-comes-last",
    .requirements = "SES-174 SES-157", .role = UET_ROLE_TARGET, .needs = "multi-packet-send " NEEDS,
    .purpose = "Header data comes with the completion, too, when all was read before the packet "
               "that has it comes.",
    .preamble = "A resource without receives; PDC open.",
    .stimulus = "The second of two packets of a UET_RENDEZVOUS_SEND with hd=1; a receive; the "
                "answers to the UET_READ of all; then the first packet.",
    .expected = "The receive ends once, with all bytes and the header data, and not before the "
                "first packet. RC_NO_MATCH, or no UET_READ before it, ends the test.")
{
    uint32_t mtu = uet_tc_dut(tc)->payload_mtu;
    struct uet_memory m = uet_need_empty(tc);
    struct rendezvous r = rendezvous(tc, .n = mtu + 900, .eager = mtu + 300, .m = m,
                                     .p = uet_pdc_open(tc), .hd = true, .header_data = 0x1122);
    held_by(tc, &r, ask(tc, "SES-157", &r.o[1]));
    uint64_t handle = receive_of_rendezvous(tc, &r);
    struct fep_read read = fep_may_be_reading(tc, r.bytes, r.n);
    if (!read.count)
        uet_skip(tc, "the FEP reads nothing before the first packet has come, as it may");
    serve(tc, "SES-157", &read);
    stays_open(tc, "SES-174", handle, UET_MS);
    if (no_room_for_data(ask(tc, "SES-174", &r.o[0]))) {
        uet_other_reading(tc, "SES-174", "hd=1 is refused on a rendezvous send");
        return;
    }
    struct uet_ut_completion c = fills(tc, "SES-174", handle, r.n);
    brings_header_data(tc, "SES-174", &c, r.header_data);
    not_again(tc, "SES-174", handle);
}

UET_TEST(tagged_rendezvous, .id = "ses.3.4.2.4.tagged", .requirements = "SES-156 SES-091",
         .role = UET_ROLE_TARGET, .needs = "tagged " NEEDS, .contested = true,
         .purpose = "The tag of a UET_RENDEZVOUS_TSEND finds its receive.",
         .preamble = "A receive for another tag; PDC open.",
         .stimulus = "UET_RENDEZVOUS_TSEND with a receive for its tag.",
         .expected = "A UET_READ into the second receive; the first stays open.")
{
    struct uet_memory m = uet_need_tagged(tc);
    uint64_t other = tag_receive(tc, &m, .match_bits = 0x33, .length = 2000);
    struct rendezvous r =
        rendezvous(tc, .opcode = UET_OP_RENDEZVOUS_TSEND, .n = 900, .eager = 100,
                   .match_bits = 0x8000000000000033, .m = m, .p = uet_pdc_open(tc));
    met(tc, &r);
    stays_open(tc, "SES-091", other, UET_MS);
}

UET_TEST(read_refused, .id = "ses.3.4.2.4.read-refused", .requirements = "SES-156 ROB-032",
         .role = UET_ROLE_TARGET, .needs = NEEDS,
         .purpose = "When the rest cannot be read the receive does not end as a success.",
         .preamble = "A receive; PDC open.",
         .stimulus = "UET_RENDEZVOUS_SEND; its READ is answered with RC_BAD_MKEY.",
         .expected = "The receive ends, not as a success.")
{
    struct uet_memory m = uet_need_tagged(tc);
    struct rendezvous r = rendezvous(tc, .n = 900, .eager = 100, .m = m, .p = uet_pdc_open(tc));
    uint64_t handle = receive_of_rendezvous(tc, &r);
    uet_auto_ack(tc, false);
    say_eager(tc, "SES-156", &r);
    struct fep_read read = hear_read(tc, &r, r.eager);
    struct uet_out refusal = guaranteed_ack(read.in[0], UET_RC_BAD_MKEY);
    say(tc, &refusal);
    must_not_succeed(tc, "ROB-032", handle);
}

/* ---- it fails, or ends with its PDC ---- */

/* Of one without receive the second packet, in the place of the first, which never leaves. */
static struct rendezvous headless(struct uet_tc *tc)
{
    uint32_t mtu = uet_tc_dut(tc)->payload_mtu;
    struct rendezvous r = rendezvous(tc, .n = mtu + 900, .eager = mtu + 300,
                                     .m = uet_need_empty(tc), .p = uet_pdc_open(tc));
    r.o[1].psn = r.o[0].psn;
    uet_rud_rod_req_psn_set(r.o[1].pds, r.o[1].psn);
    r.p->next_psn = r.o[1].psn + 1;
    held_by(tc, &r, ask(tc, "SES-157", &r.o[1]));
    return r;
}

static void is_read_if_asked(struct uet_tc *tc, const char *requirement, const struct rendezvous *r)
{
    struct fep_read read = fep_may_be_reading(tc, r->bytes, r->n);

    if (read.count)
        serve(tc, requirement, &read);
}

/* The receive does not wait for what is over: it has ended, or the next SEND gets it. */
static void waits_no_more(struct uet_tc *tc, const char *requirement, const struct rendezvous *r,
                          uint64_t handle)
{
    struct uet_ut_completion c = {0};

    if (uet_completion(tc, handle, uet_tc_quiet(tc), &c))
        return;
    struct uet_out next = uet_send_message(uet_pdc_open(tc), &r->m, "next", 4);
    accepted(tc, requirement, &next);
    received(tc, requirement, &next, handle);
}

UET_TEST(headless_ends, .id = "rob.3.4.2.4.pdc-ends-before-the-first-packet",
         .requirements = "ROB-037", .role = UET_ROLE_TARGET, .needs = "multi-packet-send " NEEDS,
         .purpose = "A rendezvous send whose first packet never came takes no receive for ever "
                    "when its PDC has ended.",
         .preamble = "A resource without receives; PDC open.",
         .stimulus = "The second of two packets of a UET_RENDEZVOUS_SEND; Close Command; a "
                     "receive; what the FEP reads it gets; a SEND on another PDC.",
         .expected = "The receive ends, or the SEND fills it. RC_NO_MATCH ends the test.")
{
    struct rendezvous r = headless(tc);
    close_now(tc, r.p);
    uint64_t handle = receive_of_rendezvous(tc, &r);
    is_read_if_asked(tc, "ROB-037", &r);
    waits_no_more(tc, "ROB-037", &r, handle);
}

UET_TEST(headless_read_ends, .id = "rob.3.4.2.4.pdc-ends-when-all-was-read",
         .requirements = "ROB-019", .role = UET_ROLE_TARGET, .needs = "multi-packet-send " NEEDS,
         .purpose = "The receive of a rendezvous send whose first packet never came ends when the "
                    "PDC does.",
         .preamble = "A resource without receives; PDC open.",
         .stimulus = "The second of two packets of a UET_RENDEZVOUS_SEND; a receive; what the FEP "
                     "reads it gets; Close Command; a SEND on another PDC.",
         .expected = "The receive ends, or the SEND fills it. RC_NO_MATCH ends the test.")
{
    struct rendezvous r = headless(tc);
    uint64_t handle = receive_of_rendezvous(tc, &r);
    is_read_if_asked(tc, "ROB-019", &r);
    close_now(tc, r.p);
    waits_no_more(tc, "ROB-019", &r, handle);
}

/* Whether its receive has ended: as no success. */
static bool has_failed(struct uet_tc *tc, const char *requirement, uint64_t handle)
{
    struct uet_ut_completion c = {0};

    if (!uet_completion(tc, handle, uet_tc_quiet(tc), &c))
        return false;
    uet_check(tc, requirement, c.status != UET_UT_OK, "what was refused ended as a success");
    return true;
}

UET_TEST(fails_while_read, .id = "rob.3.4.2.4.fails-while-it-is-read", .requirements = "ROB-037",
         .role = UET_ROLE_TARGET, .needs = "multi-packet-send " NEEDS,
         .purpose = "Nothing is written to the receive of a rendezvous send that has ended in "
                    "error, though the rest is still being read.",
         .preamble = "A receive; PDC open.",
         .stimulus = "The first of two packets of a UET_RENDEZVOUS_SEND; the FEP begins to read "
                     "the rest; the second packet with ie=1; then the data of the READ.",
         .expected = "RC_INITIATOR_ERROR; when the receive ends before the data comes, its bytes "
                     "stay as they are; it ends as no success. No UET_READ before the second "
                     "packet ends the test.")
{
    uint32_t mtu = uet_tc_dut(tc)->payload_mtu;
    struct rendezvous r = rendezvous(tc, .n = mtu + 1200, .eager = mtu + 500,
                                     .m = uet_need_tagged(tc), .p = uet_pdc_open(tc));
    const struct uet_memory buffer = {.handle = receive_of_rendezvous(tc, &r)};
    delivered(tc, "SES-156", &r.o[0]);
    struct fep_read read = fep_may_be_reading(tc, r.bytes + r.eager, r.n - r.eager);
    if (!read.count)
        uet_skip(tc, "the FEP reads nothing before all eager bytes have come, as it may");
    uet_ses_req_ie_set(r.o[1].ses, true);
    refused(tc, "SES-112", &r.o[1], UET_RC_INITIATOR_ERROR);
    bool ended = has_failed(tc, "ROB-037", buffer.handle);
    struct kept before = keep(tc, &buffer, r.eager, r.n - r.eager);
    serve(tc, "SES-156", &read);
    if (ended)
        unchanged(tc, "ROB-037", &before);
    else
        must_not_succeed(tc, "ROB-037", buffer.handle);
}
