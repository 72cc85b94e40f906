/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.4.1.3.5, 3.4.1.3.8: which receive a tagged message finds. */
#include "conformance/harness/steps/tagged.h"
#include "conformance/harness/steps/memory.h"
#include "conformance/harness/steps/messages.h"
#include "conformance/harness/steps/requests.h"

#define NEEDS "tagged upper-tester"

/* Opened by its first message: ROD keeps the order in which receives are taken. */
static struct uet_pdc *rod_pdc(struct uet_tc *tc)
{
    struct uet_pdc *p = uet_pdc_new(tc);

    p->rod = true;
    return p;
}

UET_TEST(tags_shuffled, .id = "ses.3.4.1.3.8.tags-shuffled", .requirements = "SES-091 SES-092",
         .role = UET_ROLE_TARGET, .needs = NEEDS,
         .purpose = "A tagged message finds the receive with its tag, whatever the order.",
         .preamble = "Receives for the tags 1 to 4; PDC open.",
         .stimulus = "Tagged sends with the tags 3, 1, 4, 2.",
         .expected = "Each fills the receive of its tag.")
{
    static const uint64_t order[] = {3, 1, 4, 2};
    struct uet_memory m = uet_need_tagged(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    uint64_t handles[5];
    for (uint64_t tag = 1; tag <= 4; tag++)
        handles[tag] = tag_receive(tc, &m, .match_bits = tag);
    for (size_t i = 0; i < 4; i++) {
        struct uet_out o = tagged_send(p, &m, order[i]);
        matched(tc, "SES-091", &o, handles[order[i]]);
    }
}

UET_TEST(every_bit_of_a_tag, .id = "ses.3.4.1.3.8.every-bit-of-a-tag",
         .requirements = "SES-091 SES-092", .role = UET_ROLE_TARGET, .needs = NEEDS,
         .purpose = "All 64 match bits count: a tag that differs in one of them finds nothing.",
         .preamble = "A receive with a random tag; PDC open.",
         .stimulus =
             "Tagged sends whose tag differs in one bit: 0, 7, 31, 32, 47, 48, 63; then one "
             "with the tag itself.",
         .expected = "None of the first fills the receive; the last one does.")
{
    static const unsigned bits[] = {0, 7, 31, 32, 47, 48, 63};
    uint64_t tag = uet_tc_random(tc) << 32 | (uint32_t)uet_tc_random(tc);
    struct uet_memory m = uet_need_tagged(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    uint64_t handle = tag_receive(tc, &m, .match_bits = tag);
    for (size_t i = 0; i < sizeof bits / sizeof *bits; i++) {
        struct uet_out other = tagged_send(p, &m, tag ^ UINT64_C(1) << bits[i]);
        unmatched(tc, "SES-092", &other, handle);
    }
    struct uet_out o = tagged_send(p, &m, tag);
    matched(tc, "SES-091", &o, handle);
}

UET_TEST(tag_edges, .id = "ses.3.4.1.3.8.tag-edges", .requirements = "SES-091",
         .role = UET_ROLE_TARGET, .needs = NEEDS,
         .purpose = "The tags 0 and 2^64 - 1 are tags like any other.",
         .preamble = "Receives for both, the first one for 2^64 - 1; PDC open.",
         .stimulus = "Tagged sends with tag 0, and with 2^64 - 1.",
         .expected = "Each fills its own receive.")
{
    struct uet_memory m = uet_need_tagged(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    uint64_t ones = tag_receive(tc, &m, .match_bits = UINT64_MAX);
    uint64_t zero = tag_receive(tc, &m, .match_bits = 0);
    struct uet_out o = tagged_send(p, &m, 0), last = tagged_send(p, &m, UINT64_MAX);
    matched(tc, "SES-091", &o, zero);
    matched(tc, "SES-091", &last, ones);
}

UET_TEST(tag_zero_alone, .id = "ses.3.4.1.3.8.zero-is-no-wildcard",
         .requirements = "SES-092 SES-091", .role = UET_ROLE_TARGET, .needs = NEEDS,
         .purpose = "Tag 0 is no tag for all, initiator 0 is not anybody.",
         .preamble = "Receives for tag 0, for tag 7, and for tag 7 from initiator 0; PDC open.",
         .stimulus = "From initiator 9 tagged sends with the tags 5, 7, 7; tag 0; tag 7 from "
                     "initiator 0.",
         .expected = "5 fills none, nor does the second 7; the others fill the receive of their "
                     "tag and initiator.")
{
    struct uet_memory m = uet_need_tagged(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    uint64_t zero = tag_receive(tc, &m, .match_bits = 0);
    uint64_t nobody = tag_receive(tc, &m, .match_bits = 7, .from = true, .initiator = 0);
    uint64_t seven = tag_receive(tc, &m, .match_bits = 7);
    struct uet_out five = tagged_send_from(p, &m, 5, 9), first = tagged_send_from(p, &m, 7, 9);
    unmatched(tc, "SES-092", &five, zero);
    matched(tc, "SES-091", &first, seven);
    struct uet_out second = tagged_send_from(p, &m, 7, 9);
    unmatched(tc, "SES-091", &second, nobody);
    struct uet_out of_zero = tagged_send_from(p, &m, 0, 9),
                   of_nobody = tagged_send_from(p, &m, 7, 0);
    matched(tc, "SES-092", &of_zero, zero);
    matched(tc, "SES-091", &of_nobody, nobody);
}

UET_TEST(tag_and_initiator, .id = "ses.3.4.1.3.8.tag-and-initiator", .requirements = "SES-091",
         .role = UET_ROLE_TARGET, .needs = NEEDS,
         .purpose = "A receive that names an initiator is for that one alone, all 32 bits of it.",
         .preamble = "Two receives for one tag, from two initiators; PDC open.",
         .stimulus = "Tagged sends of that tag from a third initiator, from the second, from the "
                     "first.",
         .expected = "The first fills none; the others fill the receive of their initiator.")
{
    const uint32_t first = 0x80000001, second = 0x00000001, third = 0x80010001;
    struct uet_memory m = uet_need_tagged(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    uint64_t a = tag_receive(tc, &m, .match_bits = 5, .from = true, .initiator = first);
    uint64_t b = tag_receive(tc, &m, .match_bits = 5, .from = true, .initiator = second);
    struct uet_out stranger = tagged_send_from(p, &m, 5, third);
    unmatched(tc, "SES-091", &stranger, a);
    struct uet_out of_b = tagged_send_from(p, &m, 5, second);
    matched(tc, "SES-091", &of_b, b);
    struct uet_out of_a = tagged_send_from(p, &m, 5, first);
    matched(tc, "SES-091", &of_a, a);
}

UET_TEST(tag_from_anybody, .id = "ses.3.4.1.3.8.tag-from-anybody", .requirements = "SES-091",
         .role = UET_ROLE_TARGET, .needs = NEEDS,
         .purpose = "A receive without a source matches on the tag alone.",
         .preamble = "A receive for a tag from any initiator; PDC open.",
         .stimulus = "A tagged send of that tag from some initiator.",
         .expected = "It fills the receive. A FEP that takes no such receive is skipped (SES-178).")
{
    struct uet_memory m = uet_need_tagged(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    uint64_t handle = tag_receive(tc, &m, .match_bits = 0x1234);
    struct uet_out o = tagged_send_from(p, &m, 0x1234, 0xfedcba98);
    matched(tc, "SES-091", &o, handle);
}

UET_TEST(tagged_and_untagged, .id = "ses.3.4.1.3.tagged-and-untagged",
         .requirements = "SES-094 SES-056", .role = UET_ROLE_TARGET, .needs = "send " NEEDS,
         .purpose = "Tagged and untagged receives of a resource index are apart.",
         .preamble = "An untagged receive, then a tagged one with tag 0, on one RI; PDC open.",
         .stimulus = "A tagged send with tag 0; a SEND; a second SEND.",
         .expected = "The tagged send fills the tagged receive, the SEND the untagged one; the "
                     "second SEND fills none.")
{
    struct uet_memory m = uet_need_tagged(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    uint64_t untagged = untagged_receive(tc, &m);
    uint64_t first = tag_receive(tc, &m, .match_bits = 0);
    uint64_t second = tag_receive(tc, &m, .match_bits = 0);
    struct uet_out tagged = tagged_send(p, &m, 0);
    matched(tc, "SES-094", &tagged, first);
    struct uet_out plain = uet_send_message(p, &m, uet_tc_bytes(tc, 64), 64);
    matched(tc, "SES-094", &plain, untagged);
    struct uet_out more = uet_send_message(p, &m, uet_tc_bytes(tc, 64), 64);
    unmatched(tc, "SES-094", &more, second);
}

UET_TEST(one_tag_twice, .id = "ses.3.4.1.3.5.one-tag-twice", .requirements = "SES-163",
         .role = UET_ROLE_TARGET, .needs = "wildcard-tags rod " NEEDS, /* order is of HPC */
         .purpose = "Tagged messages on ROD match in the order in which they were sent.",
         .preamble = "Three receives with one tag.",
         .stimulus = "Three tagged sends of that tag on ROD, in order.",
         .expected = "The first fills the first receive, and so on.")
{
    struct uet_memory m = uet_need_tagged(tc);
    struct uet_pdc *p = rod_pdc(tc);
    uint64_t handles[3];
    for (size_t i = 0; i < 3; i++)
        handles[i] = tag_receive(tc, &m, .match_bits = 9);
    for (size_t i = 0; i < 3; i++) {
        struct uet_out o = tagged_send(p, &m, 9);
        matched(tc, "SES-163", &o, handles[i]);
    }
}

UET_TEST(tagged_of_several_packets, .id = "ses.3.4.1.7.tagged-of-several-packets",
         .requirements = "SES-091 SES-044", .role = UET_ROLE_TARGET,
         .needs = "multi-packet-send " NEEDS,
         .purpose = "All packets of a tagged message go into the receive that its tag found.",
         .preamble = "Receives for two tags; PDC open.",
         .stimulus = "Two tagged sends of three packets each, packet by packet in turns, the last "
                     "packet of each first.",
         .expected = "Each fills the receive of its own tag, in full.")
{
    const uint32_t room = 3 * uet_tc_dut(tc)->payload_mtu;
    struct uet_memory m = uet_need_tagged(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct message s[2];
    uint64_t handles[2];
    m.length = room;
    for (unsigned i = 0; i < 2; i++) {
        m.key = 0x70 + i;
        handles[i] = tag_receive(tc, &m, .match_bits = m.key, .length = room);
        s[i] = message(tc, .opcode = UET_OP_TAGGED_SEND, .packets = 3, .last = 100, .m = m, .p = p);
    }
    for (unsigned k = 0; k < 6; k++)
        delivered(tc, "SES-044", &s[k % 2].o[2 - k / 2]);
    for (unsigned i = 0; i < 2; i++) {
        const struct uet_memory buffer = {.handle = handles[i]};
        fills(tc, "SES-091", handles[i], s[i].n);
        memory_holds(tc, "SES-091", &buffer, 0, s[i].bytes, s[i].n);
    }
}

/* ---- bits to ignore (HPC) ---- */

UET_TEST(wildcard_before_exact, .id = "ses.3.4.1.3.8.wildcard-before-exact",
         .requirements = "SES-093", .role = UET_ROLE_TARGET, .needs = "wildcard-tags rod " NEEDS,
         .purpose = "The first posted receive that matches wins, with bits to ignore or without.",
         .preamble = "Receives for tag 0x12 but its low four bits, for 0x12, for 0x12 but its low "
                     "four bits.",
         .stimulus = "Tagged sends of 0x12, 0x12, 0x22, 0x1f, on ROD.",
         .expected = "The first fills the first receive, the second the second, 0x22 none, 0x1f "
                     "the third.")
{
    struct uet_memory m = uet_need_tagged(tc);
    struct uet_pdc *p = rod_pdc(tc);
    uint64_t wide = tag_receive(tc, &m, .match_bits = 0x12, .ignore = 0xf);
    uint64_t exact = tag_receive(tc, &m, .match_bits = 0x12);
    uint64_t last = tag_receive(tc, &m, .match_bits = 0x12, .ignore = 0xf);
    struct uet_out a = tagged_send(p, &m, 0x12), b = tagged_send(p, &m, 0x12);
    matched(tc, "SES-093", &a, wide);
    matched(tc, "SES-093", &b, exact);
    struct uet_out none = tagged_send(p, &m, 0x22), c = tagged_send(p, &m, 0x1f);
    unmatched(tc, "SES-093", &none, last);
    matched(tc, "SES-093", &c, last);
}

UET_TEST(
    anybody_before_named, .id = "ses.3.4.1.3.8.anybody-before-named", .requirements = "SES-093",
    .role = UET_ROLE_TARGET, .needs = "wildcard-tags rod " NEEDS,
    .purpose = "The first posted receive that matches wins, whether it names an initiator or not.",
    .preamble = "Receives for tag 0x12 but its low four bits from any initiator, for 0x12 from one "
                "initiator, for 0x12 but its low four bits from any initiator.",
    .stimulus = "Tagged sends of 0x12 from that initiator, three times, on ROD.",
    .expected = "They fill the receives in the order in which these were posted.")
{
    struct uet_memory m = uet_need_tagged(tc);
    struct uet_pdc *p = rod_pdc(tc);
    uint64_t handles[] = {
        tag_receive(tc, &m, .match_bits = 0x12, .ignore = 0xf),
        tag_receive(tc, &m, .match_bits = 0x12, .from = true, .initiator = 7),
        tag_receive(tc, &m, .match_bits = 0x12, .ignore = 0xf),
    };
    for (size_t i = 0; i < sizeof handles / sizeof *handles; i++) {
        struct uet_out o = tagged_send_from(p, &m, 0x12, 7);
        matched(tc, "SES-093", &o, handles[i]);
    }
}

UET_TEST(ignores_one_bit, .id = "ses.3.4.1.3.8.ignores-no-other-bit", .requirements = "SES-093",
         .role = UET_ROLE_TARGET, .needs = "wildcard-tags " NEEDS,
         .purpose = "Of a tag the bits to ignore are ignored, and no other.",
         .preamble = "PDC open.",
         .stimulus = "A receive that ignores one bit (0, 1, 31, 32, 62, 63) of its tag; a tagged "
                     "send that differs in the next bit (after 63 in bit 0), one that differs in "
                     "that one.",
         .expected = "The first does not fill the receive, the second does.")
{
    static const uint8_t bits[] = {0, 1, 31, 32, 62, 63};
    struct uet_memory m = uet_need_tagged(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    for (size_t i = 0; i < sizeof bits; i++) {
        const uint64_t tag = UINT64_C(0x5a5a00005a5a0000) + (i << 8), bit = UINT64_C(1) << bits[i];
        uint64_t handle = tag_receive(tc, &m, .match_bits = tag, .ignore = bit);
        struct uet_out other = tagged_send(p, &m, tag ^ UINT64_C(1) << (bits[i] + 1) % 64);
        unmatched(tc, "SES-093", &other, handle);
        struct uet_out right = tagged_send(p, &m, tag ^ bit);
        matched(tc, "SES-093", &right, handle);
    }
}

UET_TEST(wildcard_of_one, .id = "ses.3.4.1.3.8.wildcard-of-one-initiator",
         .requirements = "SES-093 SES-091", .role = UET_ROLE_TARGET,
         .needs = "wildcard-tags " NEEDS,
         .purpose = "A receive may ignore bits of the tag and name an initiator at once.",
         .preamble = "PDC open.",
         .stimulus = "A receive from one initiator that ignores bit 63, the low eight, all bits of "
                     "its tag; a tagged send of another tag that fits, from another initiator; one "
                     "from that initiator.",
         .expected = "The first does not fill the receive, the second does.")
{
    static const uint64_t ignored[] = {UINT64_C(1) << 63, 0xff, UINT64_MAX};
    struct uet_memory m = uet_need_tagged(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    for (uint32_t i = 0; i < sizeof ignored / sizeof *ignored; i++) {
        const uint64_t tag = 0x5500 + (i << 8), other = tag ^ (ignored[i] & ~UINT64_C(0xff00));
        uint64_t handle = tag_receive(tc, &m, .match_bits = tag, .ignore = ignored[i], .from = true,
                                      .initiator = 7 + i);
        struct uet_out stranger = tagged_send_from(p, &m, other, 70 + i);
        unmatched(tc, "SES-091", &stranger, handle);
        struct uet_out right = tagged_send_from(p, &m, other, 7 + i);
        matched(tc, "SES-093", &right, handle);
    }
}

UET_TEST(exact_before_wildcard, .id = "ses.3.4.1.3.8.exact-before-wildcard",
         .requirements = "SES-093", .role = UET_ROLE_TARGET, .needs = "wildcard-tags rod " NEEDS,
         .purpose = "A receive that takes every tag waits until those before it are taken.",
         .preamble = "Receives for tag 5, for any tag, for tag 6.",
         .stimulus = "Tagged sends of 5, 6, 6, on ROD.",
         .expected = "5 fills the first receive; 6 the second, then the third.")
{
    struct uet_memory m = uet_need_tagged(tc);
    struct uet_pdc *p = rod_pdc(tc);
    uint64_t five = tag_receive(tc, &m, .match_bits = 5);
    uint64_t any = tag_receive(tc, &m, .match_bits = 0, .ignore = UINT64_MAX);
    uint64_t six = tag_receive(tc, &m, .match_bits = 6);
    struct uet_out a = tagged_send(p, &m, 5), b = tagged_send(p, &m, 6), c = tagged_send(p, &m, 6);
    matched(tc, "SES-093", &a, five);
    matched(tc, "SES-093", &b, any);
    matched(tc, "SES-093", &c, six);
}

UET_TEST(tagged_in_error, .id = "ses.3.4.5.4.1.initiator-error-of-a-tagged-send",
         .requirements = "SES-111 SES-112", .role = UET_ROLE_TARGET, .needs = NEEDS,
         .purpose = "A tagged send with ie=1 touches no receive and ends in RC_INITIATOR_ERROR.",
         .preamble = "A receive for its tag; PDC open.",
         .stimulus = "A tagged send with that tag and ie=1.",
         .expected = "RC_INITIATOR_ERROR; the receive does not end as a success, its bytes are as "
                     "before.")
{
    struct uet_memory m = uet_need_tagged(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    const struct uet_memory buffer = {.handle = tag_receive(tc, &m, .match_bits = 0x31)};
    struct kept k = keep(tc, &buffer, 0, TAGGED_BYTES);
    struct uet_out o = tagged_send(p, &m, 0x31);
    uet_ses_req_ie_set(o.ses, true);
    refused(tc, "SES-112", &o, UET_RC_INITIATOR_ERROR);
    must_not_succeed(tc, "SES-111", buffer.handle);
    unchanged(tc, "SES-111", &k);
}

UET_TEST(tagged_inside_send, .id = "ses.3.4.1.7.tagged-inside-send", .requirements = "SES-048",
         .role = UET_ROLE_TARGET, .needs = "tagged send multi-packet-send upper-tester",
         .purpose = "A packet with a tag is no part of a send without.",
         .preamble = "An untagged receive at a resource index that takes both; PDC open; the first "
                     "packet of a SEND of two accepted.",
         .stimulus = "The second packet with the opcode TAGGED_SEND.",
         .expected = "An error response; the receive does not complete as a success.",
         .once = "a message with an error may stay open")
{
    const uint32_t n = uet_tc_dut(tc)->payload_mtu + 64u;
    struct uet_memory m = uet_need_tagged(tc);
    const struct uet_ut_receive like = {.length = n};
    uint64_t handle = uet_tag_receive(tc, &m, &like);
    struct uet_out o[2];
    uet_message(uet_pdc_open(tc), UET_OP_SEND, &m, 0, uet_tc_bytes(tc, n), n, o, 2);
    uet_rud_rod_req_ar_set(o[0].pds, true);
    delivered(tc, "SES-048", &o[0]);
    uet_ses_req_opcode_set(o[1].ses, UET_OP_TAGGED_SEND);
    must_fail(tc, "SES-048", &o[1]);
    must_not_succeed(tc, "SES-048", handle);
}
