/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.4.3.6.2.2: sends that come before their receive, and are kept whole. */
#include "conformance/harness/steps/unexpected.h"

#include <string.h>

#include "conformance/harness/steps/answers.h"
#include "conformance/harness/steps/memory.h"
#include "conformance/harness/steps/requests.h"
#include "conformance/harness/steps/tagged.h"

#define NEEDS    "keeps-unexpected send upper-tester"
#define PREAMBLE "A resource without receives, which keeps what is unexpected; PDC open."

static struct uet_out a_send(struct uet_pdc *p, const struct uet_memory *m, uint32_t n)
{
    return uet_send_message(p, m, uet_tc_bytes(p->tc, n), n);
}

/* A message of one packet that is kept, and what came of it. */
struct early_one {
    struct uet_out o;
    const struct uet_in *early;
};

static void keep_all(struct uet_tc *tc, const char *requirement, struct early_one *k, size_t n)
{
    for (size_t i = 0; i < n; i++)
        k[i].early = kept_as_unexpected(tc, requirement, &k[i].o);
}

static void fills_receive(struct uet_tc *tc, const struct early_one *k, uint64_t handle)
{
    kept_is_received(tc, &k->o, k->early, handle);
}

/* A SEND, kept, to a resource that has nothing else. */
static struct early_one one_kept(struct uet_pdc *p, const struct uet_memory *m, uint32_t n)
{
    struct early_one k = {.o = a_send(p, m, n)};
    keep_all(p->tc, "SES-098", &k, 1);
    return k;
}

/* What has hd=1 is refused where completions have no room for header data (SES-174). */
static const struct uet_in *kept_with_data(struct uet_tc *tc, const struct uet_out *o)
{
    const struct uet_in *in = kept_unless_refused(tc, "SES-174", o);

    if (!in)
        uet_skip(tc, "the FEP takes no header data with a send, as it may");
    return in;
}

/* A PDC on which order holds (3.5.7.2). */
static struct uet_pdc *in_order(struct uet_tc *tc)
{
    struct uet_pdc *p = uet_pdc_new(tc);
    p->rod = true;
    return p;
}

/* ---- one packet ---- */

UET_TEST(unexpected_kept, .id = "ses.3.4.3.6.2.2.kept", .requirements = "SES-098 SES-124 SES-122",
         .role = UET_ROLE_TARGET, .needs = NEEDS,
         .purpose = "A send that came before its receive fills it, and is answered then.",
         .preamble = PREAMBLE, .stimulus = "SEND of 64 bytes; then a receive is posted.",
         .expected = "UET_NO_RESPONSE, or the answer at once. With the receive: UET_RESPONSE with "
                     "RC_OK, list UET_OVERFLOW and modified_length 64, which asks for a clear; the "
                     "receive has the bytes. A FEP without room for it is skipped.")
{
    struct uet_memory m = uet_need_keeping(tc);
    struct early_one k = one_kept(uet_pdc_open(tc), &m, 64);
    fills_receive(tc, &k, untagged_receive(tc, &m));
}

UET_TEST(unexpected_lengths, .id = "ses.3.4.3.6.2.2.lengths", .requirements = "SES-098 SES-124",
         .role = UET_ROLE_TARGET, .needs = NEEDS,
         .purpose = "Messages of one packet are kept whole, whatever their length.",
         .preamble = PREAMBLE,
         .stimulus = "SENDs of 0, 1, 255, 256, 257 bytes, of a Payload MTU less one, of a Payload "
                     "MTU; each time a receive of one byte more.",
         .expected = "modified_length is the length; the receive has the bytes.")
{
    struct uet_memory m = uet_need_keeping(tc);
    const uint32_t mtu = uet_tc_dut(tc)->payload_mtu;
    const uint32_t lengths[] = {0, 1, 255, 256, 257, mtu - 1, mtu};
    struct uet_pdc *p = uet_pdc_open(tc);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        struct early_one k = one_kept(p, &m, lengths[i]);
        fills_receive(tc, &k, late_receive(tc, &m, lengths[i] + 1));
    }
}

UET_TEST(unexpected_header_data, .id = "ses.3.4.3.6.2.2.header-data",
         .requirements = "SES-174 SES-098", .role = UET_ROLE_TARGET, .needs = NEEDS,
         .purpose = "Header data of a kept send comes with the completion of its receive.",
         .preamble = PREAMBLE, .stimulus = "SEND of 16 bytes with hd=1; then a receive is posted.",
         .expected = "The receive completes with the header data.")
{
    struct uet_memory m = uet_need_keeping(tc);
    struct uet_out o = a_send(uet_pdc_open(tc), &m, 16);
    uet_ses_req_hd_set(o.ses, true);
    uet_ses_req_std_header_data_set(o.ses, 0x8877665544332211);
    const struct uet_in *early = kept_with_data(tc, &o);
    uint64_t handle = untagged_receive(tc, &m);
    answered_overflow(tc, &o, early, 16);
    struct uet_ut_completion c = fills(tc, "SES-174", handle, 16);
    brings_header_data(tc, "SES-174", &c, 0x8877665544332211);
}

UET_TEST(unexpected_behind, .id = "ses.3.4.3.6.2.2.behind-an-offset",
         .requirements = "SES-013 SES-098 SES-124", .role = UET_ROLE_TARGET, .needs = NEEDS,
         .contested = true,
         .purpose = "A kept send stands behind its buffer_offset when the receive comes.",
         .preamble = PREAMBLE,
         .stimulus = "SEND of 64 bytes with buffer_offset 24; then a receive of 128 bytes.",
         .expected = "modified_length 64; the receive has the bytes from 24 on. A FEP that refuses "
                     "such a send is a finding.")
{
    struct uet_memory m = uet_need_keeping(tc);
    struct uet_out o = a_send(uet_pdc_open(tc), &m, 64);
    uet_ses_req_buffer_offset_set(o.ses, 24);
    const struct uet_in *early = kept_unless_refused(tc, "SES-098", &o);
    if (!early) {
        uet_other_reading(tc, "SES-013", "a send with a buffer_offset is refused");
        return;
    }
    uint64_t handle = late_receive(tc, &m, 128);
    const struct uet_memory buffer = {.handle = handle};
    answered_overflow(tc, &o, early, 64);
    fills(tc, "SES-124", handle, 64);
    memory_holds(tc, "SES-013", &buffer, 24, o.payload, 64);
}

UET_TEST(unexpected_once, .id = "ses.3.4.3.6.2.2.delivered-once", .requirements = "SES-098 SES-090",
         .role = UET_ROLE_TARGET, .needs = NEEDS,
         .purpose = "A kept send fills one receive; the next is free for others.",
         .preamble = PREAMBLE,
         .stimulus = "SEND; two receives are posted, one after the other; a second SEND.",
         .expected = "The first SEND is in the first receive, and no other; the second SEND is in "
                     "the second, and is not told as kept (list UET_EXPECTED).")
{
    struct uet_memory m = uet_need_keeping(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct early_one k = {.o = a_send(p, &m, 64)};
    struct uet_out later = a_send(p, &m, 64);
    keep_all(tc, "SES-098", &k, 1);
    fills_receive(tc, &k, untagged_receive(tc, &m));
    uint64_t second = untagged_receive(tc, &m);
    takes_none(tc, "SES-098", second);
    const struct uet_in *in = accepted(tc, "SES-090", &later);
    field(tc, "SES-098", in, UET_F_SES_LIST, UET_LIST_EXPECTED);
    received(tc, "SES-090", &later, second);
}

UET_TEST(unexpected_copy, .id = "ses.3.4.3.6.2.2.copies", .requirements = "SES-117 SES-098 PDS-001",
         .role = UET_ROLE_TARGET, .needs = NEEDS,
         .purpose = "A copy of a kept packet is not kept once more, and brings the answer again.",
         .preamble = PREAMBLE,
         .stimulus = "SEND; a copy of it; a receive; another copy; a second receive.",
         .expected = "The first copy brings no error; nothing, or UET_RCVD_SES_PROCG, while the "
                     "answer is still to come. The second brings the same UET_RESPONSE; the "
                     "second receive stays open.")
{
    struct uet_memory m = uet_need_keeping(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    p->auto_clear = false;
    struct uet_out o = a_send(p, &m, 64);
    const struct uet_in *early = kept_as_unexpected(tc, "SES-098", &o);
    uet_forget(tc);
    say_again(tc, &o);
    uet_check(tc, "SES-117", !is_error_response(maybe(tc, ACK_OF(&o))),
              "the copy of a kept packet brought an error");
    kept_is_received(tc, &o, early, untagged_receive(tc, &m));
    const struct uet_in *again = ask_anew(tc, "SES-117", &o);
    field(tc, "SES-117", again, UET_F_SES_RSP_OPCODE, UET_RSP_RESPONSE);
    field(tc, "SES-117", again, UET_F_SES_LIST, UET_LIST_OVERFLOW);
    field(tc, "SES-117", again, UET_F_SES_MODIFIED_LENGTH, 64);
    takes_none(tc, "PDS-001", untagged_receive(tc, &m));
}

UET_TEST(unexpected_cleared, .id = "ses.3.4.3.6.2.2.cack-waits-for-the-clear",
         .requirements = "PDS-077 PDS-078", .role = UET_ROLE_TARGET, .needs = NEEDS,
         .purpose = "The answer of a kept send holds CACK_PSN back until it is cleared.",
         .preamble = PREAMBLE,
         .stimulus = "SEND; a receive; nothing is cleared; then a Request with CLEAR_PSN.",
         .expected = "The answer has a CACK_PSN below its PSN; when it is cleared CACK_PSN passes.")
{
    struct uet_memory m = uet_need_keeping(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    p->auto_clear = false;
    struct uet_out o = a_send(p, &m, 64);
    const struct uet_in *early = kept_as_unexpected(tc, "SES-098", &o);
    untagged_receive(tc, &m);
    const struct uet_in *in = answered_overflow(tc, &o, early, 64);
    field(tc, "PDS-077", in, UET_F_PDS_CACK_PSN, o.psn - 1);
    p->clear_psn = o.psn;
    struct uet_out next = uet_any_request(p);
    say(tc, &next);
    uet_check(tc, "PDS-078", cack_reaches(tc, p, o.psn),
              "CACK_PSN stays below the answer that was cleared");
}

/* ---- which one a receive is for ---- */

UET_TEST(unexpected_order, .id = "ses.3.4.3.6.2.2.in-order", .requirements = "SES-090 SES-098",
         .role = UET_ROLE_TARGET, .needs = "rod " NEEDS, .not_over = "rod order",
         .purpose = "Receives take kept sends in the order in which ROD has brought them.",
         .preamble = "A resource without receives, which keeps what is unexpected.",
         .stimulus = "Two SENDs on a ROD PDC, of 40 and of 24 bytes; then two receives.",
         .expected = "The first receive has the first SEND, the second the second.")
{
    struct uet_memory m = uet_need_keeping(tc);
    struct uet_pdc *p = in_order(tc);
    struct early_one k[] = {{.o = a_send(p, &m, 40)}, {.o = a_send(p, &m, 24)}};
    keep_all(tc, "SES-098", k, 2);
    uet_for(tc, "SES-090");
    for (size_t i = 0; i < 2; i++)
        fills_receive(tc, &k[i], untagged_receive(tc, &m));
}

UET_TEST(unexpected_tag, .id = "ses.3.4.3.6.2.2.by-tag", .requirements = "SES-091 SES-098",
         .role = UET_ROLE_TARGET, .needs = "tagged " NEEDS,
         .purpose = "A tagged receive takes the kept message with its tag, all 64 bits of it.",
         .preamble = PREAMBLE,
         .stimulus = "Tagged sends with tags 0x8000000000000001 and 1; a receive for tag 2; one "
                     "for 1; one for 0x8000000000000001.",
         .expected = "The first receive stays open; each other one has the message of its tag, "
                     "and its completion tells the tag.")
{
    const uint64_t high = 0x8000000000000001;
    struct uet_memory m = uet_need_keeping(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct early_one k[] = {{.o = tagged_send(p, &m, high)}, {.o = tagged_send(p, &m, 1)}};
    keep_all(tc, "SES-091", k, 2);
    takes_none(tc, "SES-091", tag_receive(tc, &m, .match_bits = 2));
    fills_receive(tc, &k[1], tag_receive(tc, &m, .match_bits = 1));
    fills_receive(tc, &k[0], tag_receive(tc, &m, .match_bits = high));
}

UET_TEST(unexpected_initiator, .id = "ses.3.4.3.6.2.2.by-initiator",
         .requirements = "SES-091 SES-098", .role = UET_ROLE_TARGET, .needs = "tagged " NEEDS,
         .purpose = "A receive that names an initiator takes what was kept of that one alone.",
         .preamble = PREAMBLE,
         .stimulus = "Tagged sends with one tag from initiators 0x80000001 and 1; a receive from "
                     "2; one from 1; one from anybody.",
         .expected = "The first receive stays open, the second has the second message, the third "
                     "the first. A FEP that takes no receive from anybody is skipped (SES-178).")
{
    struct uet_memory m = uet_need_keeping(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct early_one k[] = {{.o = tagged_send_from(p, &m, 5, 0x80000001)},
                            {.o = tagged_send_from(p, &m, 5, 1)}};
    keep_all(tc, "SES-091", k, 2);
    takes_none(tc, "SES-091", tag_receive(tc, &m, .match_bits = 5, .from = true, .initiator = 2));
    uint64_t ones = tag_receive(tc, &m, .match_bits = 5, .from = true, .initiator = 1);
    fills_receive(tc, &k[1], ones);
    fills_receive(tc, &k[0], tag_receive(tc, &m, .match_bits = 5));
}

UET_TEST(unexpected_spaces, .id = "ses.3.4.3.6.2.2.tagged-and-untagged",
         .requirements = "SES-094 SES-056", .role = UET_ROLE_TARGET, .needs = "tagged " NEEDS,
         .purpose = "An untagged receive takes no tagged message that is kept, nor the reverse.",
         .preamble = PREAMBLE,
         .stimulus = "A tagged send with tag 0 and a SEND; a tagged receive for tag 1, an untagged "
                     "one, a tagged one for tag 0.",
         .expected = "The first stays open, the second has the SEND, the third the tagged send.")
{
    struct uet_memory m = uet_need_keeping(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct early_one k[] = {{.o = tagged_send(p, &m, 0)}, {.o = a_send(p, &m, 64)}};
    keep_all(tc, "SES-094", k, 2);
    takes_none(tc, "SES-094", tag_receive(tc, &m, .match_bits = 1));
    fills_receive(tc, &k[1], untagged_receive(tc, &m));
    fills_receive(tc, &k[0], tag_receive(tc, &m, .match_bits = 0));
}

UET_TEST(unexpected_wildcard, .id = "ses.3.4.3.6.2.2.wildcard-takes-the-oldest",
         .requirements = "SES-093", .role = UET_ROLE_TARGET,
         .needs = "wildcard-tags tagged rod " NEEDS, .not_over = "rod order",
         .purpose = "A receive with bits to ignore takes the oldest kept message that it fits.",
         .preamble = "A resource without receives, which keeps what is unexpected.",
         .stimulus = "On ROD, tagged sends with tags 0x100, 0x23, 0x24; receives for 0x20 and for "
                     "0x24, both without the low 4 bits.",
         .expected = "The first receive has 0x23, the second 0x24; 0x100 is in a receive for all "
                     "tags.")
{
    struct uet_memory m = uet_need_keeping(tc);
    struct uet_pdc *p = in_order(tc);
    struct early_one k[] = {{.o = tagged_send(p, &m, 0x100)},
                            {.o = tagged_send(p, &m, 0x23)},
                            {.o = tagged_send(p, &m, 0x24)}};
    keep_all(tc, "SES-093", k, 3);
    fills_receive(tc, &k[1], tag_receive(tc, &m, .match_bits = 0x20, .ignore = 0xf));
    fills_receive(tc, &k[2], tag_receive(tc, &m, .match_bits = 0x24, .ignore = 0xf));
    fills_receive(tc, &k[0], tag_receive(tc, &m, .ignore = UINT64_MAX));
}

UET_TEST(unexpected_index, .id = "ses.3.4.3.6.2.2.by-resource-index", .requirements = "SES-056",
         .role = UET_ROLE_TARGET, .needs = NEEDS,
         .purpose = "A receive takes nothing that was kept for another resource index.",
         .preamble = "Two resources without receives, which keep what is unexpected; PDC open.",
         .stimulus = "SEND to the first; a receive behind the second; a receive behind the first.",
         .expected = "The first receive stays open, the second has the SEND.")
{
    struct uet_memory m = uet_need_keeping(tc), other = uet_need_keeping(tc);
    struct uet_out o = a_send(uet_pdc_open(tc), &m, 64);
    const struct uet_in *early = kept_as_unexpected(tc, "SES-056", &o);
    takes_none(tc, "SES-056", untagged_receive(tc, &other));
    kept_is_received(tc, &o, early, untagged_receive(tc, &m));
}

UET_TEST(
    unexpected_job, .id = "ses.3.4.3.6.2.2.by-job", .requirements = "SES-061",
    .role = UET_ROLE_TARGET, .contested = true, .needs = NEEDS, .not_over = "all",
    .once = "a message stays for which no receive is posted",
    .purpose = "A receive of one job takes nothing that was kept of another.", .preamble = PREAMBLE,
    .stimulus = "SEND rel=0 with another JobID; a receive of the resource's own job; SEND rel=0 "
                "with the right JobID.",
    .expected = "The receive has the second message: the first one waits on, or was refused "
                "when it came.")
{
    struct uet_memory m = uet_need_keeping(tc), other = m;
    struct uet_pdc *p = uet_pdc_open(tc);
    m.relative = other.relative = false;
    other.job_id = m.job_id ^ 0x800000;
    struct uet_out stranger = a_send(p, &other, 48), own = a_send(p, &m, 64);
    ask(tc, "SES-061", &stranger);
    uint64_t handle = untagged_receive(tc, &m);
    takes_none(tc, "SES-061", handle);
    accepted(tc, "SES-061", &own);
    fills(tc, "SES-061", handle, 64);
}

/* Which of two it is, its completion need not tell. */
static bool begins_with(struct uet_tc *tc, const struct uet_memory *buffer, const uint8_t *bytes)
{
    uint8_t there[16];

    uet_read_back(tc, buffer, 0, there, sizeof there);
    return memcmp(there, bytes, sizeof there) == 0;
}

UET_TEST(unexpected_pdcs, .id = "ses.3.4.3.6.2.2.one-id-on-two-pdcs",
         .requirements = "SES-031 SES-098", .role = UET_ROLE_TARGET,
         .needs = "tagged multi-packet-send " NEEDS,
         .purpose = "Kept messages with one message_id on two PDCs stay apart.",
         .preamble = "A resource without receives, which keeps what is unexpected; two PDCs open.",
         .stimulus = "The first packet of a SEND of two on each, with one message_id; then the "
                     "second packets, in the other order; two receives.",
         .expected = "Each receive has one of the messages, whole.")
{
    struct message a = unexpected_message(tc, 2, 100);
    struct message b = uet_message_of(
        tc, (struct message){.opcode = UET_OP_SEND, .packets = 2, .last = 60, .m = a.m});
    uint16_t id = uet_ses_req_std_message_id(a.o[0].ses);
    for (int i = 0; i < 2; i++)
        uet_ses_req_std_message_id_set(b.o[i].ses, id);
    kept_as_unexpected(tc, "SES-031", &a.o[0]);
    kept_as_unexpected(tc, "SES-031", &b.o[0]);
    const struct uet_in *early_b = kept_as_unexpected(tc, "SES-031", &b.o[1]);
    const struct uet_in *early_a = kept_as_unexpected(tc, "SES-031", &a.o[1]);
    struct uet_memory first = {.handle = late_receive(tc, &a.m, a.n)};
    struct uet_memory second = {.handle = late_receive(tc, &a.m, a.n)};
    answered_overflow(tc, &a.o[1], early_a, a.n);
    answered_overflow(tc, &b.o[1], early_b, b.n);
    completes(tc, "SES-031", first.handle, UET_UT_OK);
    bool in_turn = begins_with(tc, &first, a.bytes);
    memory_holds(tc, "SES-031", in_turn ? &first : &second, 0, a.bytes, a.n);
    memory_holds(tc, "SES-031", in_turn ? &second : &first, 0, b.bytes, b.n);
}

/* ---- several packets ---- */

/* A SEND of three packets in this order; the receive is posted before the i-th of them. */
static void in_parts(struct uet_tc *tc, const uint8_t order[3], unsigned before)
{
    struct message s = unexpected_message(tc, 3, 100);
    struct uet_memory buffer = {0};
    const struct uet_in *in = NULL;
    for (unsigned i = 0; i < 3; i++) {
        if (i == before)
            buffer.handle = late_receive(tc, &s.m, s.n + 50);
        in = kept_as_unexpected(tc, "SES-098", &s.o[order[i]]);
    }
    if (before == 3)
        buffer.handle = late_receive(tc, &s.m, s.n + 50);
    answered_overflow(tc, &s.o[order[2]], in, s.n);
    fills(tc, "SES-098", buffer.handle, s.n);
    memory_holds(tc, "SES-098", &buffer, 0, s.bytes, s.n);
}

#define PARTS(slug, name, what, ...)                                                               \
    UET_TEST(slug, .id = "ses.3.4.3.6.2.2." name, .requirements = "SES-098 SES-124 SES-044",       \
             .role = UET_ROLE_TARGET, .needs = "multi-packet-send " NEEDS,                         \
             .purpose = "A message of several packets is kept whole, in whatever parts it comes.", \
             .preamble = PREAMBLE, .stimulus = what,                                               \
             .expected = "No error; after the last packet and the receive the answer as of any "   \
                         "kept send; the receive has the message.")                                \
    {                                                                                              \
        in_parts(tc, __VA_ARGS__);                                                                 \
    }

PARTS(unexpected_three, "three-packets", "A SEND of three packets; then a receive.",
      (const uint8_t[]){0, 1, 2}, 3)
PARTS(unexpected_receive_midway, "receive-after-the-first",
      "The first packet of a SEND of three; a receive; the other packets.",
      (const uint8_t[]){0, 1, 2}, 1)
PARTS(unexpected_receive_late, "receive-before-the-last",
      "Two packets of a SEND of three; a receive; the last packet.", (const uint8_t[]){0, 1, 2}, 2)
PARTS(unexpected_backwards, "last-packet-first",
      "On RUD, a SEND of three packets, the last one first; then a receive.",
      (const uint8_t[]){2, 1, 0}, 3)
PARTS(unexpected_first_last, "receive-after-the-last-packet",
      "On RUD, the last packet of a SEND of three; a receive; the other packets.",
      (const uint8_t[]){2, 0, 1}, 1)

UET_TEST(unexpected_tag_midway, .id = "ses.3.4.3.6.2.2.tag-that-is-arriving",
         .requirements = "SES-163 SES-091 SES-098", .role = UET_ROLE_TARGET,
         .needs = "tagged rod multi-packet-send " NEEDS, .not_over = "rod order",
         .purpose =
             "A receive takes the tagged message that was sent first, also when the rest of it is "
             "still to come.",
         .preamble = "A resource without receives, which keeps what is unexpected.",
         .stimulus =
             "On ROD the first packet of a tagged send of two; a receive for its tag; the second "
             "packet; a tagged send of one packet with that tag; a second receive.",
         .expected = "The first receive has the first message, the second the second.")
{
    struct uet_memory m = uet_need_keeping(tc);
    struct uet_pdc *p = in_order(tc);
    m.key = 0x61;
    m.length = 2 * uet_tc_dut(tc)->payload_mtu;
    struct message s =
        message(tc, .opcode = UET_OP_TAGGED_SEND, .packets = 2, .last = 100, .m = m, .p = p);
    kept_as_unexpected(tc, "SES-163", &s.o[0]);
    const struct uet_memory buffer = {.handle =
                                          tag_receive(tc, &m, .match_bits = m.key, .length = s.n)};
    const struct uet_in *in = kept_as_unexpected(tc, "SES-163", &s.o[1]);
    struct early_one k = {.o = tagged_send(p, &m, m.key)};
    keep_all(tc, "SES-163", &k, 1);
    fills(tc, "SES-163", buffer.handle, s.n);
    memory_holds(tc, "SES-163", &buffer, 0, s.bytes, s.n);
    answered_overflow(tc, &s.o[1], in, s.n);
    uet_for(tc, "SES-163");
    fills_receive(tc, &k, tag_receive(tc, &m, .match_bits = m.key));
}

UET_TEST(unexpected_parts_with_data, .id = "ses.3.4.3.6.2.2.header-data-before-the-receive",
         .requirements = "SES-174 SES-098", .role = UET_ROLE_TARGET,
         .needs = "multi-packet-send " NEEDS,
         .purpose = "Header data of the first packet is kept when the receive comes before the "
                    "last.",
         .preamble = PREAMBLE,
         .stimulus = "The first packet of a SEND of two, with hd=1; a receive; the second packet.",
         .expected = "The receive completes with the header data.")
{
    struct message s = unexpected_message(tc, 2, 100);
    uet_ses_req_hd_set(s.o[0].ses, true);
    uet_ses_req_std_header_data_set(s.o[0].ses, 0x1234);
    kept_with_data(tc, &s.o[0]);
    uint64_t handle = late_receive(tc, &s.m, s.n);
    answered_overflow(tc, &s.o[1], kept_with_data(tc, &s.o[1]), s.n);
    struct uet_ut_completion c = fills(tc, "SES-174", handle, s.n);
    brings_header_data(tc, "SES-174", &c, 0x1234);
}

/* A SEND of two packets, the first with header data; that one or the second comes before the other.
 */
static void data_of_two_packets(struct uet_tc *tc, unsigned before)
{
    struct message s = unexpected_message(tc, 2, 100);
    uet_ses_req_hd_set(s.o[0].ses, true);
    uet_ses_req_std_header_data_set(s.o[0].ses, 0x1234);
    kept_with_data(tc, &s.o[before]);
    const struct uet_out *last = &s.o[1 - before];
    const struct uet_in *early = kept_with_data(tc, last);
    uint64_t handle = late_receive(tc, &s.m, s.n);
    answered_overflow(tc, last, early, s.n);
    struct uet_ut_completion c = fills(tc, "SES-174", handle, s.n);
    brings_header_data(tc, "SES-174", &c, 0x1234);
}

UET_TEST(unexpected_data_last, .id = "ses.3.4.3.6.2.2.header-data-comes-last",
         .requirements = "SES-174 SES-098", .role = UET_ROLE_TARGET,
         .needs = "multi-packet-send " NEEDS,
         .purpose = "Header data of the first packet is kept when the second one came before it.",
         .preamble = PREAMBLE,
         .stimulus = "On RUD, the second packet of a SEND of two; the first one, with hd=1; a "
                     "receive.",
         .expected = "The receive completes with the header data.")
{
    data_of_two_packets(tc, 1);
}

UET_TEST(unexpected_data_in_order, .id = "ses.3.4.3.6.2.2.header-data-of-two-packets",
         .requirements = "SES-174 SES-098", .role = UET_ROLE_TARGET,
         .needs = "multi-packet-send " NEEDS,
         .purpose = "Header data of the first packet is not lost with the second.",
         .preamble = PREAMBLE, .stimulus = "A SEND of two packets, the first with hd=1; a receive.",
         .expected = "The receive completes with the header data.")
{
    data_of_two_packets(tc, 0);
}

/* ---- the receive is too short ---- */

UET_TEST(unexpected_truncated, .id = "ses.3.4.3.6.2.2.truncated", .requirements = "SES-102 SES-124",
         .role = UET_ROLE_TARGET, .needs = "truncation " NEEDS, .claim_binds = true,
         .purpose = "A kept send is cut by a receive that truncates, and that is told.",
         .preamble = PREAMBLE, .stimulus = "SEND of 300 bytes; a receive of 270 in truncate mode.",
         .expected = "RC_OK with modified_length 270, or 300 when it was told before; the receive "
                     "ends with 270 bytes.")
{
    struct uet_memory m = uet_need_keeping(tc);
    struct uet_out o = a_send(uet_pdc_open(tc), &m, 300);
    const struct uet_in *early = kept_as_unexpected(tc, "SES-102", &o);
    const struct uet_ut_receive cut = {.length = 270, .truncate = true};
    struct uet_memory buffer = {.handle = uet_tag_receive(tc, &m, &cut)};
    answered_overflow(tc, &o, early, tells_arrival(early) ? 270 : 300);
    fills(tc, "SES-102", buffer.handle, 270);
    memory_holds(tc, "SES-102", &buffer, 0, o.payload, 270);
}

UET_TEST(unexpected_too_long, .id = "ses.3.4.3.6.2.2.too-long", .requirements = "SES-101",
         .role = UET_ROLE_TARGET, .needs = NEEDS, .contested = true,
         .purpose = "A kept send that is too long for its receive does not end as a success.",
         .preamble = PREAMBLE,
         .stimulus = "SEND of 300 bytes; a receive of 270; one of 64 and a SEND of 64.",
         .expected = "RC_TOO_LONG (RC_UNSUPPORTED_SIZE is a finding), unless it was answered "
                     "before; no receive ends with its bytes; the SEND of 64 bytes is received.")
{
    struct uet_memory m = uet_need_keeping(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o = a_send(p, &m, 300);
    const struct uet_in *early = kept_as_unexpected(tc, "SES-101", &o);
    uint64_t handle = late_receive(tc, &m, 270);
    if (tells_arrival(early)) {
        const struct uet_in *in = late_answer(tc, "SES-101", &o, early);
        uet_check_code_or(tc, "SES-101", in, UET_RC_TOO_LONG, UET_RC_UNSUPPORTED_SIZE);
        field(tc, "SES-101", in, UET_F_SES_MODIFIED_LENGTH, 0);
    }
    must_not_succeed(tc, "SES-101", handle);
    late_receive(tc, &m, 64);
    struct uet_out next = a_send(p, &m, 64);
    accepted(tc, "SES-101", &next);
}

/* ---- it fails while it is kept ---- */

/* The receive that is posted now is not for it, but for the SEND that comes next. */
static void only_the_next(struct uet_tc *tc, const char *requirement, const struct message *s)
{
    uint64_t handle = late_receive(tc, &s->m, s->n);
    takes_none(tc, requirement, handle);
    struct uet_out next = a_send(s->p, &s->m, 64);
    accepted(tc, requirement, &next);
    received(tc, requirement, &next, handle);
}

UET_TEST(unexpected_ie, .id = "ses.3.4.3.6.2.2.initiator-error", .requirements = "SES-112 SES-116",
         .role = UET_ROLE_TARGET, .needs = "multi-packet-send " NEEDS,
         .purpose = "A message that fails while it is kept is not delivered.", .preamble = PREAMBLE,
         .stimulus = "The first packet of a SEND of two; the second with ie=1; a receive; a SEND.",
         .expected = "RC_INITIATOR_ERROR; the receive is filled by the SEND alone.")
{
    struct message s = unexpected_message(tc, 2, 100);
    kept_as_unexpected(tc, "SES-112", &s.o[0]);
    uet_ses_req_ie_set(s.o[1].ses, true);
    refused(tc, "SES-112", &s.o[1], UET_RC_INITIATOR_ERROR);
    only_the_next(tc, "SES-112", &s);
}

UET_TEST(unexpected_stopped, .id = "ses.3.4.3.6.2.2.ended-early", .requirements = "SES-127",
         .role = UET_ROLE_TARGET, .needs = "msg-error multi-packet-send " NEEDS, .contested = true,
         .purpose = "A message that UET_MSG_ERROR ends while it is kept is not delivered.",
         .preamble = PREAMBLE,
         .stimulus = "The first packet of a SEND of three; UET_MSG_ERROR; a receive; a SEND.",
         .expected = "An error for UET_MSG_ERROR; the receive is filled by the SEND alone.")
{
    struct message s = unexpected_message(tc, 3, 100);
    kept_as_unexpected(tc, "SES-127", &s.o[0]);
    struct uet_out stop = s.o[1];
    uet_ses_req_opcode_set(stop.ses, UET_OP_MSG_ERROR);
    uet_ses_req_eom_set(stop.ses, true);
    uet_ses_req_std_payload_length_set(stop.ses, 0);
    stop.payload_len = 0;
    s.p->next_psn = s.o[2].psn; /* the third is never sent */
    uet_check(tc, "SES-127", is_error_response(ask(tc, "SES-127", &stop)),
              "UET_MSG_ERROR ended the message without an error");
    only_the_next(tc, "SES-127", &s);
}

UET_TEST(unexpected_closed, .id = "ses.3.4.3.6.2.2.pdc-ends", .requirements = "ROB-037",
         .role = UET_ROLE_TARGET, .needs = NEEDS,
         .purpose = "A kept send whose PDC ends does no harm, and takes one receive at most.",
         .preamble = PREAMBLE,
         .stimulus = "SEND; a Close Command, though it is not answered yet; a receive is posted; "
                     "a SEND on another PDC.",
         .expected =
             "No answer to the first SEND where the close was acknowledged. The second SEND "
             "is received: in that receive, or where the first SEND has it, in one more.")
{
    struct uet_memory m = uet_need_keeping(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct early_one k = one_kept(p, &m, 64);
    struct uet_out close = uet_cp(p, UET_CTL_CLOSE_COMMAND);
    struct uet_ut_completion c;
    say(tc, &close);
    p->closed = maybe(tc, ANSWER_TO(&close)) != NULL;
    if (!p->closed)
        tolerate(tc, ANSWER_ON(p));
    uet_forget(tc); /* that it came may be told twice */
    struct uet_memory buffer = {.handle = untagged_receive(tc, &m)};
    if (p->closed)
        silence(tc, "ROB-037", ANSWER_TO(&k.o));
    if (uet_completion(tc, buffer.handle, uet_tc_quiet(tc), &c)) {
        memory_holds(tc, "SES-098", &buffer, 0, k.o.payload, 64);
        buffer.handle = untagged_receive(tc, &m);
    }
    struct uet_out next = a_send(uet_pdc_open(tc), &m, 64);
    accepted(tc, "ROB-037", &next);
    received(tc, "ROB-037", &next, buffer.handle);
}

/* ---- it is full ---- */

enum { FLOOD = 200 };

struct flood {
    struct uet_memory m;
    struct uet_pdc *p;
    struct uet_out o[FLOOD];
    const struct uet_in *early[FLOOD];
    unsigned n; /* kept */
};

/* SENDs until one is refused, as it may be (SES-096, SES-099); false: none was. */
static bool floods(struct uet_tc *tc, struct flood *f)
{
    uint32_t window = FLOOD; /* that CACK_PSN may hold open until the first is answered */
    for (f->n = 0; f->n < FLOOD && f->n < window; f->n++) {
        struct uet_out *o = &f->o[f->n];
        *o = a_send(f->p, &f->m, 64);
        say(tc, o);
        const struct uet_in *in = f->early[f->n] = hear(tc, "SES-099", ANSWER_TO(o));
        if (uet_is_nack(&in->packet)) {
            field_among(tc, "SES-099", in, UET_F_PDS_NACK_CODE, UET_NACK_NO_PKT_BUFFER,
                        UET_NACK_NO_GTD_DEL_AVAIL, UET_NACK_NO_SES_MSG_AVAIL, UET_NACK_NO_RESOURCE);
            return true;
        }
        if (!tells_success(in)) {
            uet_check_return_code(tc, "SES-099", in, UET_RC_NO_MATCH);
            field(tc, "SES-099", in, UET_F_SES_MODIFIED_LENGTH, 0);
            return true;
        }
        window = mp_range(tc, in);
    }
    return false;
}

UET_TEST(
    unexpected_full, .id = "ses.3.4.3.6.2.2.full", .requirements = "SES-099 SES-098",
    .role = UET_ROLE_TARGET, .needs = NEEDS, .not_over = "all",
    .purpose = "What a FEP says to keep it keeps; without room it says so.",
    .preamble = "A resource without receives, which keeps what is unexpected; PDC open.",
    .stimulus = "SENDs of 64 bytes until one is refused, at most 200 and no more than MP_Range "
                "has room for; then a receive for each that was not.",
    .expected = "A refusal is RC_NO_MATCH, or NACK 0x07, 0x08, 0x09 or 0x0A. Each that was not "
                "refused is answered and fills a receive.")
{
    struct flood f = {.m = uet_need_keeping(tc), .p = uet_pdc_open(tc)};
    bool full = floods(tc, &f);
    if (!f.n)
        uet_skip(tc, "the FEP keeps nothing now, as it may");
    uint64_t handles[FLOOD];
    for (unsigned i = 0; i < f.n; i++)
        handles[i] = untagged_receive(tc, &f.m);
    for (unsigned i = 0; i < f.n; i++)
        answered_overflow(tc, &f.o[i], f.early[i], 64);
    for (unsigned i = 0; i < f.n; i++)
        fills(tc, "SES-098", handles[i], 64);
    if (full)
        takes_none(tc, "SES-099", untagged_receive(tc, &f.m));
}

UET_TEST(unexpected_full_of_parts, .id = "ses.3.4.3.6.2.2.full-of-parts",
         .requirements = "SES-098 SES-099", .role = UET_ROLE_TARGET,
         .needs = "multi-packet-send " NEEDS, .not_over = "all",
         .purpose = "A send of which a part was kept is kept to its end, with no room for another.",
         .preamble = "A resource without receives, which keeps what is unexpected; PDC open.",
         .stimulus = "The first packets of SENDs of two, until one is refused, at most 40; the "
                     "second packet of the first SEND; then a receive.",
         .expected = "The second packet is not refused, but may get a NACK while room lacks; when "
                     "it gets none, the SEND fills the receive.")
{
    enum { PARTS_MOST = 40 };
    struct message first = unexpected_message(tc, 2, 64);
    uint32_t window = PARTS_MOST;
    kept_as_unexpected(tc, "SES-098", &first.o[0]);
    for (uint32_t i = 0; i < PARTS_MOST && 2 * i < window; i++) {
        struct message s = message(tc, .opcode = UET_OP_SEND, .packets = 2, .last = 64,
                                   .m = first.m, .p = first.p);
        say(tc, &s.o[0]);
        const struct uet_in *in = hear(tc, "SES-099", ANSWER_TO(&s.o[0]));
        if (uet_is_nack(&in->packet) || !tells_success(in))
            break;
        window = mp_range(tc, in);
    }
    say(tc, &first.o[1]);
    const struct uet_in *in = hear(tc, "SES-098", ANSWER_TO(&first.o[1]));
    if (uet_is_nack(&in->packet))
        return;
    uet_check(tc, "SES-098", tells_success(in), "the rest of a send that is kept is refused");
    struct uet_memory buffer = {.handle = late_receive(tc, &first.m, first.n)};
    answered_overflow(tc, &first.o[1], in, first.n);
    fills(tc, "SES-098", buffer.handle, first.n);
    memory_holds(tc, "SES-098", &buffer, 0, first.bytes, first.n);
}
