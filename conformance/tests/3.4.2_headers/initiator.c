/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.4.2: request headers as an initiator writes them. */
#include "conformance/harness/steps/steps.h"

static struct uet_ut_operation write_under(struct uet_tc *tc, uint32_t n, uint8_t header)
{
    struct uet_ut_operation op = uet_op(tc, n);
    op.header = header;
    if (header == UET_UT_HEADER_SMALL) /* only with an optimized key: bit 62 and the RI (SES-018) */
        op.key = 1ull << 62 | op.resource_index;
    return op;
}

/* The FEP writes n bytes; its first packet. */
static const struct uet_in *first_packet(struct uet_tc *tc, uint32_t n, uint8_t header)
{
    const struct uet_in *in;
    struct uet_ut_operation op = write_under(tc, n, header);
    uet_do_write(tc, &op);
    uet_accept(tc, &in);
    uet_look_at(tc, in);
    return in;
}

/* It is the whole message: SOM and EOM, and n bytes. */
static void is_whole(struct uet_tc *tc, const char *single, const char *length,
                     const struct uet_in *in, uint32_t n)
{
    field(tc, single, in, UET_F_SES_SOM, 1);
    field(tc, single, in, UET_F_SES_EOM, 1);
    field(tc, length, in, UET_F_SES_REQUEST_LENGTH, n);
    payload_bytes(tc, length, in, n);
}

/* A later packet says where its bytes belong, and nothing where header_data stood. */
static void is_later(struct uet_tc *tc, const char *reserved, const struct uet_in *in,
                     uint32_t offset)
{
    uet_look_at(tc, in);
    uet_check(tc, "SES-009", uet_is_ses_std(&in->packet), "no standard header");
    uet_check_eq(tc, reserved, "ses.reserved5", uet_ses_req_reserved5(uet_ses(&in->packet)), 0);
    field(tc, "SES-009", in, UET_F_SES_MESSAGE_OFFSET, offset);
}

UET_TEST(later_packets, .id = "ses.3.4.2.1.later-packets",
         .requirements = "SES-009 SES-010 SES-008", .role = UET_ROLE_INITIATOR,
         .purpose = "Packets without SOM carry payload_length and message_offset where header_data "
                    "stood, and request_length is the whole message in each.",
         .preamble = "None.", .stimulus = "The FEP writes 2.5 MTUs.",
         .expected = "payload_length and message_offset fit the payload; 18 reserved bits 0; "
                     "request_length equal in all three.")
{
    uint32_t mtu = uet_tc_dut(tc)->payload_mtu, n = 2 * mtu + mtu / 2;
    const struct uet_in *in = first_packet(tc, n, UET_UT_HEADER_STD);
    uet_check(tc, "SES-008", uet_is_ses_std(&in->packet), "no standard header");
    field(tc, "SES-010", in, UET_F_SES_REQUEST_LENGTH, n);
    for (uint32_t i = 1; i < 3; i++) {
        in = hear(tc, "SES-009", REQUEST_ON(in->pdc));
        uet_check(tc, "SES-008", uet_is_ses_std(&in->packet), "no standard header");
        is_later(tc, "SES-009", in, i * mtu);
        field(tc, "SES-010", in, UET_F_SES_REQUEST_LENGTH, n);
        field(tc, "SES-009", in, UET_F_SES_PAYLOAD_LENGTH, in->packet.payload_len);
    }
}

/* A WRITE of 16 bytes; one with an optimized header is skipped: the rules look at those. */
static const struct uet_in *standard_packet(struct uet_tc *tc)
{
    const struct uet_in *in = first_packet(tc, 16, UET_UT_HEADER_STD);

    if (!uet_is_ses_std(&in->packet))
        uet_skip(tc, "the FEP chose an optimized header");
    return in;
}

UET_TEST(version_and_reserved, .id = "ses.3.4.2.1.version-and-reserved",
         .requirements = "SES-001 SES-002", .role = UET_ROLE_INITIATOR,
         .purpose = "SES version is 0 and reserved bits are 0 in what a FEP sends.",
         .preamble = "None.", .stimulus = "The FEP writes 16 bytes.",
         .expected = "version, reserved1, reserved3 and reserved4 are 0.")
{
    const struct uet_in *in = standard_packet(tc);
    const uint8_t *ses = uet_ses(&in->packet);
    field(tc, "SES-001", in, UET_F_SES_VERSION, 0);
    uet_check_eq(tc, "SES-002", "ses.reserved1", uet_ses_req_reserved1(ses), 0);
    uet_check_eq(tc, "SES-002", "ses.reserved3", uet_ses_req_reserved3(ses), 0);
    uet_check_eq(tc, "SES-002", "ses.reserved4", uet_ses_req_reserved4(ses), 0);
}

UET_TEST(zero_length_write_sent, .id = "ses.3.4.2.1.zero-length-write-sent",
         .requirements = "SES-011", .role = UET_ROLE_INITIATOR,
         .purpose = "A message of no bytes is one packet with SOM and EOM.", .preamble = "None.",
         .stimulus = "The FEP writes 0 bytes.",
         .expected = "One request: request_length 0, SOM=EOM=1, no payload.")
{
    is_whole(tc, "SES-011", "SES-011", first_packet(tc, 0, UET_UT_HEADER_STD), 0);
}

static void optimized(struct uet_tc *tc, uint8_t header, uint8_t next_hdr)
{
    const struct uet_in *in = first_packet(tc, 200, header);

    if (value_of(tc, in, UET_F_PDS_NEXT_HDR) == UET_NH_REQUEST_STD) {
        /* As it may; but then 44 bytes of SES header must stand before the 200. */
        payload_bytes(tc, "SES-005", in, 200);
        uet_skip(tc, "the FEP chose the standard header, as it may");
    }
    field(tc, "SES-005", in, UET_F_PDS_NEXT_HDR, next_hdr);
    is_whole(tc, "SES-014", "SES-016", in, 200);
}

UET_TEST(small_header, .id = "ses.3.4.2.2.small-header", .requirements = "SES-014 SES-016 SES-005",
         .role = UET_ROLE_INITIATOR, .needs = "small-header",
         .purpose = "A small request is one packet and says its length.", .preamble = "None.",
         .stimulus = "The FEP writes 200 bytes with the small header.",
         .expected = "next_hdr 1, SOM=EOM=1, request_length 200, 200 bytes after 20 SES bytes.")
{
    optimized(tc, UET_UT_HEADER_SMALL, UET_NH_REQUEST_SMALL);
}

UET_TEST(medium_header, .id = "ses.3.4.2.2.medium-header",
         .requirements = "SES-014 SES-016 SES-005", .role = UET_ROLE_INITIATOR,
         .needs = "medium-header", .purpose = "A medium request is one packet and says its length.",
         .preamble = "None.", .stimulus = "The FEP writes 200 bytes with the medium header.",
         .expected = "next_hdr 2, SOM=EOM=1, request_length 200, 200 bytes after 32 SES bytes.")
{
    optimized(tc, UET_UT_HEADER_MEDIUM, UET_NH_REQUEST_MEDIUM);
}

UET_TEST(no_op_sent, .id = "ses.3.4.6.2.no-op-sent", .requirements = "SES-027",
         .role = UET_ROLE_INITIATOR, .needs = "no-op",
         .purpose = "UET_NO_OP has no payload and is one packet.", .preamble = "None.",
         .stimulus = "The FEP sends a NO_OP.", .expected = "request_length 0, SOM=EOM=1, 0 bytes.")
{
    const struct uet_in *in;
    struct uet_ut_operation op = uet_op(tc, 0);
    uet_do_no_op(tc, &op);
    uet_accept(tc, &in);
    field(tc, "SES-027", in, UET_F_SES_OPCODE, UET_OP_NO_OP);
    is_whole(tc, "SES-027", "SES-027", in, 0);
}

UET_TEST(no_generation_is_zero, .id = "ses.3.4.3.6.3.no-generation-is-zero",
         .requirements = "SES-104 SES-177", .role = UET_ROLE_INITIATOR,
         .purpose = "ri_generation is 0 towards a resource without generations, and in RMA.",
         .preamble = "None.", .stimulus = "The FEP writes 16 bytes, no generation given.",
         .expected = "ri_generation 0.")
{
    const struct uet_in *in = standard_packet(tc);
    field(tc, "SES-177", in, UET_F_SES_RI_GENERATION, 0);
    field(tc, "SES-104", in, UET_F_SES_RI_GENERATION, 0);
}

UET_TEST(several_with_header_data, .id = "ses.3.4.2.1.several-packets-with-header-data",
         .requirements = "SES-002 SES-009", .role = UET_ROLE_INITIATOR,
         .purpose = "Nothing of header_data is left in the packets behind the first.",
         .preamble = "None.", .stimulus = "The FEP writes 2.5 MTUs with header_data all ones.",
         .expected = "The 18 reserved bits of the second and third packet are 0, and "
                     "message_offset fits.")
{
    uint32_t mtu = uet_tc_dut(tc)->payload_mtu;
    const struct uet_in *in;
    struct uet_ut_operation op = uet_op(tc, 2 * mtu + mtu / 2);
    op.has_header_data = true;
    op.header_data = UINT64_MAX;
    uet_do_write(tc, &op);
    uet_accept(tc, &in);
    for (uint32_t i = 1; i < 3; i++)
        is_later(tc, "SES-002", hear(tc, "SES-009", REQUEST_ON(in->pdc)), i * mtu);
}

/* A short header is asked for; whatever header comes, a short one carries a whole message. */
static void short_is_whole(struct uet_tc *tc, uint8_t header, uint32_t n)
{
    const struct uet_in *in = first_packet(tc, n, header);

    if (!uet_is_ses_std(&in->packet)) /* as it may be, and must above a Payload MTU */
        is_whole(tc, "SES-014", "SES-016", in, n);
}

#define SHORT_OF(name, test_id, claims, words, header, n)                                          \
    UET_TEST(name, .id = (test_id), .requirements = "SES-014 SES-016", .role = UET_ROLE_INITIATOR, \
             .needs = (claims),                                                                    \
             .purpose = "A short header carries the whole message, or is not used.",               \
             .preamble = "None.", .stimulus = "The FEP writes " words,                             \
             .expected = "A standard header; or SOM=EOM=1, request_length and payload the whole "  \
                         "message.")                                                               \
    {                                                                                              \
        short_is_whole(tc, header, n);                                                             \
    }

SHORT_OF(small_of_none, "ses.3.4.2.2.small-header-of-no-bytes", "small-header",
         "0 bytes with the small header.", UET_UT_HEADER_SMALL, 0)

SHORT_OF(medium_of_none, "ses.3.4.2.2.medium-header-of-no-bytes", "medium-header",
         "0 bytes with the medium header.", UET_UT_HEADER_MEDIUM, 0)

SHORT_OF(small_of_mtu, "ses.3.4.2.2.small-header-of-a-payload-mtu", "small-header",
         "one Payload MTU with the small header.", UET_UT_HEADER_SMALL, uet_tc_dut(tc)->payload_mtu)

SHORT_OF(medium_of_mtu, "ses.3.4.2.2.medium-header-of-a-payload-mtu", "medium-header",
         "one Payload MTU with the medium header.", UET_UT_HEADER_MEDIUM,
         uet_tc_dut(tc)->payload_mtu)

/* What does not fit in one packet is refused, or goes under a standard header. */
static void short_is_not_longer(struct uet_tc *tc, uint8_t header, uint32_t n)
{
    struct uet_ut_operation op = write_under(tc, n, header);
    uint64_t handle;

    first_packet(tc, 16, header); /* the FEP does know this header */
    if (uet_ut_write(uet_tc_ut(tc), &op, &handle) != 0) {
        uet_note(tc, "SES-014", "a longer WRITE with this header is refused");
        return;
    }
    const struct uet_in *in = hear(tc, "SES-014", REQUEST_ON(NULL));
    if (!uet_is_ses_std(&in->packet))
        is_whole(tc, "SES-014", "SES-016", in, n);
    else
        field(tc, "SES-016", in, UET_F_SES_REQUEST_LENGTH, n);
}

#define LONGER_THAN(name, test_id, claims, words, header, n)                                       \
    UET_TEST(name, .id = (test_id), .requirements = "SES-014 SES-016", .role = UET_ROLE_INITIATOR, \
             .needs = (claims),                                                                    \
             .purpose = "A short header carries the whole message, or is not used.",               \
             .preamble = "None.", .stimulus = "The FEP writes 16 bytes, then " words " header.",   \
             .expected = "The second is refused, or has a standard header that says its length.")  \
    {                                                                                              \
        short_is_not_longer(tc, header, n);                                                        \
    }

LONGER_THAN(small_of_more, "ses.3.4.2.2.small-header-of-more-than-a-payload-mtu", "small-header",
            "one Payload MTU and a byte with the small", UET_UT_HEADER_SMALL,
            uet_tc_dut(tc)->payload_mtu + 1u)

LONGER_THAN(medium_of_more, "ses.3.4.2.2.medium-header-of-more-than-a-payload-mtu", "medium-header",
            "one Payload MTU and a byte with the medium", UET_UT_HEADER_MEDIUM,
            uet_tc_dut(tc)->payload_mtu + 1u)

/* The low bits of that would do for a short one. */
#define ABOVE_14_BITS (0x4000u + 16)

LONGER_THAN(small_of_far_more, "ses.3.4.2.2.small-header-of-more-than-its-length-field",
            "small-header", "2^14 + 16 with the small", UET_UT_HEADER_SMALL, ABOVE_14_BITS)

LONGER_THAN(medium_of_far_more, "ses.3.4.2.2.medium-header-of-more-than-its-length-field",
            "medium-header", "2^14 + 16 with the medium", UET_UT_HEADER_MEDIUM, ABOVE_14_BITS)

UET_TEST(medium_of_both, .id = "ses.3.4.2.2.medium-header-of-data-and-offset",
         .requirements = "SES-067", .role = UET_ROLE_INITIATOR,
         .needs = "medium-header write-immediate",
         .purpose = "The medium header has one place for header_data and buffer_offset.",
         .preamble = "None.",
         .stimulus = "The FEP writes 16 bytes; then 16 bytes with the medium header, header_data "
                     "and buffer_offset 32.",
         .expected = "The second is refused, or has a header with both.")
{
    struct uet_ut_operation op = uet_op(tc, 16);
    const struct uet_in *in;
    uet_do_write(tc, &op);
    uet_accept(tc, &in);
    op.header = UET_UT_HEADER_MEDIUM;
    op.has_header_data = true;
    op.header_data = 0x1122334455667788;
    op.offset = 32;
    if (uet_ut_write(uet_tc_ut(tc), &op, NULL) != 0) {
        uet_note(tc, "SES-067", "a medium header of both is refused");
        return;
    }
    in = hear(tc, "SES-067", REQUEST_ON(NULL));
    uet_check(tc, "SES-067", uet_is_ses_std(&in->packet),
              "a header without room for both went out");
    field(tc, "SES-067", in, UET_F_SES_BUFFER_OFFSET, 32);
    field(tc, "SES-067", in, UET_F_SES_HD, 1);
    field(tc, "SES-067", in, UET_F_SES_HEADER_DATA, op.header_data);
}

UET_TEST(small_key_elsewhere, .id = "ses.3.4.2.2.small-header-at-the-index-of-its-key",
         .requirements = "SES-018", .role = UET_ROLE_INITIATOR, .needs = "small-header",
         .purpose = "A small WRITE, which has no key, names the resource index of its key.",
         .preamble = "None.",
         .stimulus = "The FEP writes 16 bytes with the small header, an optimized key, and another "
                     "resource index than its low 12 bits; before that 16 bytes without such a "
                     "wish.",
         .expected = "A refusal, another header, or the small one with the index of the key.")
{
    struct uet_ut_operation op = uet_op(tc, 16);
    const struct uet_in *in;
    uet_do_write(tc, &op);
    uet_accept(tc, &in);
    op.header = UET_UT_HEADER_SMALL;
    op.resource_index = 0x123;
    op.key = 1ull << 62 | 0xa5c;
    if (uet_ut_write(uet_tc_ut(tc), &op, NULL) != 0) {
        uet_note(tc, "SES-018", "a small header with another index is refused");
        return;
    }
    in = hear(tc, "SES-018", REQUEST_ON(NULL));
    if (in->packet.ses == UET_H_SES_REQ_SMALL)
        field(tc, "SES-018", in, UET_F_SES_RESOURCE_INDEX, 0xa5c);
}

UET_TEST(small_key, .id = "ses.3.4.2.2.small-header-has-an-optimized-key",
         .requirements = "SES-018", .role = UET_ROLE_INITIATOR, .needs = "small-header",
         .purpose = "A small WRITE has an optimized key, which is the resource index.",
         .preamble = "None.",
         .stimulus = "The FEP writes 16 bytes with the small header: once with an optimized key, "
                     "once with another one.",
         .expected = "The small header with the low 12 bits of the key as resource index; no small "
                     "header with the other key: another header, or a refusal.")
{
    struct uet_ut_operation op = uet_op(tc, 16);
    const struct uet_in *in;
    op.header = UET_UT_HEADER_SMALL;
    op.resource_index = 0xa5c;
    op.key = 1ull << 62 | op.resource_index;
    uet_do_write(tc, &op);
    uet_accept(tc, &in);
    if (uet_is_ses_std(&in->packet))
        uet_skip(tc, "the FEP chose the standard header, as it may");
    uet_check_eq(tc, "SES-018", "next_hdr", uet_rud_rod_req_next_hdr(uet_pds(&in->packet)),
                 UET_NH_REQUEST_SMALL);
    field(tc, "SES-018", in, UET_F_SES_RESOURCE_INDEX, 0xa5c);
    op.key = 0x1234;
    if (uet_ut_write(uet_tc_ut(tc), &op, NULL) == 0) {
        in = hear(tc, "SES-018", REQUEST_ON(NULL));
        uet_check(tc, "SES-018", in->packet.ses != UET_H_SES_REQ_SMALL,
                  "a small header, though the key is no optimized one");
    }
}

UET_TEST(small_for_who_knows_it, .id = "ses.3.4.2.2.small-header-for-who-knows-it",
         .requirements = "SES-017", .role = UET_ROLE_INITIATOR, .needs = "write small-header",
         .purpose = "No small header goes to a FEP whose capability bit 7 (OPT_NM_SEM) is 0.",
         .preamble = "None.",
         .stimulus = "The FEP writes 16 bytes under an optimized key and a small header, to a peer "
                     "whose address says OPT_NM_SEM; then to one whose address says HPC alone.",
         .expected = "The first comes under a small header, or by the FEP's choice under another; "
                     "the second under the standard one, or not at all.")
{
    struct uet_ut_operation op = uet_op(tc, 16);
    uint64_t handle;
    op.header = UET_UT_HEADER_SMALL;
    op.key = 1ull << 62 | op.resource_index;
    op.peer_flags = UET_FI_ADDR_FEP_CAP_V;
    op.peer_capabilities = UET_FEP_CAP_HPC | UET_FEP_CAP_OPT_NM_SEM;
    uet_do_write(tc, &op);
    const struct uet_in *in = hear(tc, "SES-017", REQUEST_ON(NULL));
    if (in->packet.ses != UET_H_SES_REQ_SMALL)
        uet_note(tc, "SES-017", "the FEP sends no small header to who knows it, either");
    op.peer_capabilities = UET_FEP_CAP_HPC;
    uet_note_asked(tc, "write", &op);
    if (uet_ut_write(uet_tc_ut(tc), &op, &handle) != 0)
        return;
    in = hear(tc, "SES-017", REQUEST_ON(NULL));
    uet_look_at(tc, in);
    uet_check(tc, "SES-017", in->packet.ses != UET_H_SES_REQ_SMALL,
              "a small header to a FEP that does not know it");
}

/* It is refused, or something else than a send in several packets comes. */
static void not_in_several(struct uet_tc *tc, int refused)
{
    const struct uet_in *in = refused ? NULL : maybe(tc, REQUEST_ON(NULL));
    uint8_t opcode = in ? (uint8_t)value_of(tc, in, UET_F_SES_OPCODE) : UET_OP_NO_OP;
    bool send = opcode == UET_OP_SEND || opcode == UET_OP_TAGGED_SEND;

    uet_check(tc, "SES-103", !send || value_of(tc, in, UET_F_SES_EOM),
              "a send of several packets to a peer that takes one");
}

UET_TEST(no_longer_than_the_peer_takes, .id = "ses.3.4.6.2.no-longer-than-the-peer-takes",
         .requirements = "SES-103", .role = UET_ROLE_INITIATOR, .needs = "send", .contested = true,
         .purpose = "A send to a peer that limits messages (MTU_MSG_SIZE) is one packet.",
         .preamble = "None.",
         .stimulus =
             "The FEP sends 16 bytes to a peer whose address says MTU_MSG_SIZE; then a byte "
             "more than a Payload MTU, and two, as a send, and with the claim `tagged` as a "
             "tagged send.",
         .expected = "The first comes. The others are refused, or go by another protocol.")
{
    const uint32_t mtu = uet_tc_dut(tc)->payload_mtu;
    struct uet_ut_operation op = uet_op(tc, 16);
    uint64_t handle;
    op.peer_flags = UET_FI_ADDR_MTU_MSG_SIZE;
    uet_do_send(tc, &op);
    hear(tc, "SES-103", REQUEST_ON(NULL));
    for (uint32_t more = 1; more <= mtu; more += mtu - 1) {
        op.length = mtu + more;
        uet_note_asked(tc, "send", &op);
        not_in_several(tc, uet_ut_send(uet_tc_ut(tc), &op, &handle));
        if (!uet_tc_dut(tc)->claims[UET_PICS_TAGGED])
            continue;
        uet_note_asked(tc, "tagged_send", &op);
        not_in_several(tc, uet_ut_tagged_send(uet_tc_ut(tc), &op, &handle));
    }
}
