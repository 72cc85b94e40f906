/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.4.4, 3.4.2.4: atomics as the initiator asks for them. */
#include <errno.h>

#include "conformance/harness/steps/acks.h"
#include "conformance/harness/steps/atomics.h"
#include "conformance/harness/steps/memory.h"
#include "conformance/tests/pds.h"

UET_TEST(fetching_atomic_request, .id = "ses.3.4.2.4.fetching-atomic-request",
         .requirements = "SES-020 SES-137 SES-138 SES-165 SES-104", .role = UET_ROLE_INITIATOR,
         .purpose = "A fetching SUM is one packet: header, extension, the operand big-endian.",
         .preamble = "None.",
         .stimulus = "The FEP adds 0x0102030405060708 to a UINT64; the ACK brings the old value.",
         .expected = "UET_FETCHING_ATOMIC with som and eom, request_length 8; the extension right "
                     "behind the header: UET_AMO_SUM, UET_TYPE_UINT64, reserved 0; 8 bytes of "
                     "payload. It completes with the old value.")
{
    const uint64_t operand = 0x0102030405060708, old = 0xa0b0c0d0e0f00010;
    struct fep_atomic a = fep_adds(tc, operand);
    asked_rightly(tc, &a);
    struct uet_out ack = uet_ack_data(a.in->pdc, a.in, on_the_wire(tc, old));
    say(tc, &ack);
    brought(tc, "SES-137", &a, old);
}

/* The old value, of each datatype a number of its own. */
static void takes_the_old_value(struct uet_tc *tc, struct fep_atomic f)
{
    const uint8_t *old = element(tc, f.what.datatype, f.what.amo % 2 ? "9" : "-3");
    asked_rightly(tc, &f);
    struct uet_out ack = uet_ack_data(f.in->pdc, f.in, old);
    say(tc, &ack);
    uet_auto_ack(tc, true); /* for the close of what is idle: the FEP may have few PDCs */
    brought_element(tc, "SES-137", &f, old);
}

UET_TEST(fetching_atomic_of_each_pair, .id = "ses.3.4.2.4.fetching-atomic-of-each-pair",
         .requirements = "SES-020 SES-021 SES-022 SES-137 SES-138 SES-165 SES-166 SES-167 SES-104",
         .role = UET_ROLE_INITIATOR,
         .purpose = "Each fetching atomic that is claimed has its extension and its operands.",
         .preamble = "None.",
         .stimulus = "The FEP starts each in turn: -5, and where it compares or masks 6; the ACK "
                     "brings an old value.",
         .expected = "The 4-byte extension with one element behind it; with two operands the "
                     "36-byte one, each in the low bytes of its place, zero above, request_length "
                     "32. It completes with the old value in the byte order of its host.")
{
    fep_does_every_pair(tc, &(struct uet_atomic){.plain = false}, takes_the_old_value);
}

static bool compares(uint8_t amo)
{
    return amo >= UET_AMO_CSWAP && amo <= UET_AMO_MSWAP;
}

static bool is_fetching_atomic(const struct uet_in *in, const void *none)
{
    (void)none;
    return uet_is_ses_request(&in->packet) &&
           uet_ses_req_opcode(uet_ses(&in->packet)) == UET_OP_FETCHING_ATOMIC;
}

/* Two elements: each in a message of its own, or it is refused. */
static void asks_for_two(struct uet_tc *tc, uint8_t amo, uint8_t datatype)
{
    const uint8_t bytes = uet_element_type(datatype).bytes;
    struct uet_ut_operation op = uet_op(tc, 2u * bytes);
    uint64_t handle;

    op.amo = amo;
    op.datatype = datatype;
    op.data = uet_tc_bytes(tc, op.length);
    int rc = uet_ut_fetching_atomic(uet_tc_ut(tc), &op, &handle);
    if (rc && rc != -EPROTO)
        uet_did(tc, rc, "fetching_atomic"); /* nobody has answered */
    for (int i = 0; !rc && i < 2; i++) {
        const struct uet_in *in = hear(tc, "SES-165", .kind = UET_WANT_REQUEST,
                                       .also = is_fetching_atomic, .named = "the fetching atomic");
        if (!payload_bytes(tc, "SES-165", in, bytes))
            return;
        struct uet_out ack = uet_ack_data(in->pdc, in, element(tc, datatype, "9"));
        say(tc, &ack);
    }
    if (!rc)
        completion_of(tc, "SES-165", handle);
}

UET_TEST(one_element, .id = "ses.3.4.2.4.fetching-atomic-of-two", .requirements = "SES-165",
         .role = UET_ROLE_INITIATOR, .needs = "upper-tester", .not_over = "all",
         .purpose = "A fetching atomic has one element, whatever it does and of whatever size.",
         .preamble = "None.",
         .stimulus =
             "The FEP adds to a UINT64, fetching. Then it is asked for two elements of each "
             "fetching atomic that is claimed, but for those with two operands.",
         .expected = "It refuses, or sends a message for each element.")
{
    const struct uet_atomics *claims = &uet_tc_dut(tc)->atomics;
    need_upper_tester(tc, "it asks for what may be refused");
    hold_rto(tc);
    struct fep_atomic one = fep_adds(tc, 1); /* which it takes */
    struct uet_out ack = uet_ack_data(one.in->pdc, one.in, on_the_wire(tc, 9));
    say(tc, &ack);
    completion_of(tc, "SES-165", one.handle);
    for (uint8_t amo = 0; amo < UET_ATOMIC_OPS; amo++)
        for (uint8_t type = 0; type < UET_ATOMIC_TYPES; type++) {
            if (compares(amo) || !uet_element_type(type).kind ||
                !uet_atomics_claimed(claims, true, amo, type))
                continue;
            asks_for_two(tc, amo, type);
        }
}

UET_TEST(atomic_not_anew, .id = "rob.3.4.4.atomic-not-begun-anew", .requirements = "ROB-046",
         .role = UET_ROLE_INITIATOR, .not_over = "all",
         .purpose = "A fetching atomic that was done is not begun anew when its PDC ends.",
         .preamble = "RTO long.",
         .stimulus = "The FEP adds to two UINT64, which is acknowledged without data, and writes "
                     "on the same PDC; NACK UET_INV_DPDCID for the WRITE.",
         .expected = "No second atomic; the first does not end well.")
{
    uint64_t write;
    hold_rto(tc);
    struct fep_atomic a = fep_adds(tc, 1);
    struct uet_out ack = uet_ack(a.in->pdc, a.in);
    say(tc, &ack);
    const struct uet_in *behind = fep_writes_behind(tc, a.in->pdc, &write);
    say_nack(tc, behind, UET_NACK_INV_DPDCID);
    uet_auto_ack(tc, true);
    tolerate(tc, REQUEST_ON(NULL));
    silence(tc, "ROB-046", .kind = UET_WANT_REQUEST, .also = is_fetching_atomic,
            .named = "the atomic on another PDC", .within = 500 * UET_MS);
    must_not_succeed(tc, "ROB-046", a.handle);
}

static void is_answered(struct uet_tc *tc, struct fep_atomic f)
{
    asked_rightly(tc, &f);
    struct uet_out ack = uet_ack(f.in->pdc, f.in);
    say(tc, &ack);
    uet_auto_ack(tc, true);
    completes(tc, "SES-137", f.handle, UET_UT_OK);
}

UET_TEST(atomic_of_each_pair, .id = "ses.3.4.2.4.atomic-of-each-pair",
         .requirements = "SES-020 SES-021 SES-022 SES-137 SES-138 SES-166 SES-167",
         .role = UET_ROLE_INITIATOR,
         .purpose = "Each atomic without the old value has its extension and its operands.",
         .preamble = "None.",
         .stimulus = "The FEP starts each that is claimed in turn: -5, and where it compares or "
                     "masks 6; an ACK.",
         .expected = "UET_ATOMIC, one packet, its operands as for a fetching one; it completes.")
{
    fep_does_every_pair(tc, &(struct uet_atomic){.plain = true}, is_answered);
}

UET_TEST(atomic_of_several_elements, .id = "ses.3.4.2.4.atomic-of-several-elements",
         .requirements = "SES-137 SES-138", .role = UET_ROLE_INITIATOR,
         .purpose = "Several elements of an atomic stand one behind the other, each big-endian.",
         .preamble = "None.", .stimulus = "The FEP adds to three UINT64 at once; an ACK.",
         .expected = "One packet with 24 bytes of payload; or the FEP refuses to start it, which "
                     "is a skip.")
{
    static const uint8_t three[24] = {1, 2, 3, 4, 5, 6, 7, 8, [9] = 1, [23] = 0x80};
    need_atomic(tc, true, UET_AMO_SUM, UET_TYPE_UINT64);
    is_answered(tc, fep_does(tc, &(struct uet_atomic){.amo = UET_AMO_SUM,
                                                      .datatype = UET_TYPE_UINT64,
                                                      .operand = three,
                                                      .n = 24,
                                                      .plain = true}));
}

/* It comes as messages of one packet each; how many elements they have. */
static uint32_t in_single_packets(struct uet_tc *tc)
{
    const struct uet_in *in;
    uint32_t bytes = 0;

    while ((in = maybe(tc, REQUEST_ON(NULL)))) {
        field(tc, "SES-138", in, UET_F_SES_SOM, 1);
        field(tc, "SES-138", in, UET_F_SES_EOM, 1);
        bytes += in->packet.payload_len;
    }
    return bytes / 8;
}

UET_TEST(atomic_beyond_a_packet, .id = "ses.3.4.4.atomic-beyond-a-packet",
         .requirements = "SES-138", .role = UET_ROLE_INITIATOR,
         .purpose = "Elements that one packet cannot hold are no message of several packets.",
         .preamble = "The FEP has added to one UINT64.",
         .stimulus = "It is asked to add to ten UINT64 more than a packet holds.",
         .expected = "It refuses, at once or by an error; or all elements come, in messages with "
                     "som and eom.")
{
    const uint32_t n = uet_tc_dut(tc)->payload_mtu / 8 + 10;
    const struct uet_atomic one = {UET_AMO_SUM, UET_TYPE_UINT64, on_the_wire(tc, 1), 8, .plain = 1};
    struct uet_ut_operation op = uet_op(tc, 8 * n);
    uint64_t handle;
    need_atomic(tc, true, one.amo, one.datatype);
    is_answered(tc, fep_does(tc, &one));
    uet_auto_ack(tc, true);
    op.amo = one.amo;
    op.datatype = one.datatype;
    op.data = uet_tc_bytes(tc, 8 * n);
    if (uet_ut_atomic(uet_tc_ut(tc), &op, &handle) != 0)
        return;
    const uint32_t came = in_single_packets(tc);
    if (completion_of(tc, "SES-138", handle).status == UET_UT_OK)
        uet_check_eq(tc, "SES-138", "elements of an atomic that succeeded", came, n);
}

UET_TEST(fetching_atomic_in_return, .id = "ses.3.4.4.fetching-atomic-in-return",
         .requirements = "PDS-121 SES-137", .role = UET_ROLE_INITIATOR,
         .purpose = "The old value may come on the return direction, too.", .preamble = "None.",
         .stimulus = "The FEP adds 1 to a UINT64; an ACK without data, then the old value in a "
                     "Request of the return direction, twice.",
         .expected = "ACKs of the Request; it completes once, with the old value.")
{
    const uint64_t old = 0x00000000ffffffff;
    struct fep_atomic a = fep_adds(tc, 1);
    struct uet_out ack = uet_ack(a.in->pdc, a.in);
    say(tc, &ack);
    stays_open(tc, "SES-137", a.handle, UET_MS);
    struct uet_out data = uet_return_data(a.in->pdc, a.in, on_the_wire(tc, old));
    ask(tc, "PDS-121", &data);
    ask_anew(tc, "PDS-121", &data);
    brought(tc, "SES-137", &a, old);
}

/* ---- by a tag (3.4.6.2): the operands at the ordinary point alone, as those by a key have all */

UET_TEST(tagged_atomic_of_each_pair, .id = "ses.3.4.6.2.tagged-atomic-of-each-pair",
         .requirements = "SES-020 SES-021 SES-022 SES-137 SES-138 SES-166 SES-167",
         .role = UET_ROLE_INITIATOR, .needs = "tagged-atomics", .not_over = "all",
         .purpose = "Each atomic by a tag has its extension and its operands.", .preamble = "None.",
         .stimulus = "The FEP starts each that is claimed in turn, with a tag in the place of the "
                     "key: -5, and where it compares or masks 6; an ACK.",
         .expected = "UET_TSEND_ATOMIC, one packet, its operands as for one by key; it completes.")
{
    fep_does_every_pair(tc, &(struct uet_atomic){.plain = true, .tagged = true}, is_answered);
}

UET_TEST(tagged_fetching_of_each_pair, .id = "ses.3.4.6.2.tagged-fetching-atomic-of-each-pair",
         .requirements = "SES-020 SES-021 SES-022 SES-137 SES-138 SES-165 SES-166 SES-167 SES-104",
         .role = UET_ROLE_INITIATOR, .needs = "tagged-atomics", .not_over = "all",
         .purpose = "Each fetching atomic by a tag has its extension and its operands.",
         .preamble = "None.",
         .stimulus = "The FEP starts each that is claimed in turn, with a tag in the place of the "
                     "key: -5, and where it compares or masks 6; the ACK brings an old value.",
         .expected = "UET_TSEND_FETCH_ATOMIC, one packet, its operands as for one by key; it "
                     "completes with the old value in the byte order of its host.")
{
    fep_does_every_pair(tc, &(struct uet_atomic){.tagged = true}, takes_the_old_value);
}

UET_TEST(tagged_atomic_carries_its_tag, .id = "ses.3.4.6.2.tagged-atomic-carries-its-tag",
         .requirements = "SES-095", .role = UET_ROLE_INITIATOR, .needs = "tagged-atomics",
         .purpose = "An atomic by a tag carries match bits, initiator ID and buffer_offset.",
         .preamble = "None.",
         .stimulus = "The FEP adds to a UINT64 at offset 24 of the receive with tag "
                     "0x8123456789abcdef, as the initiator 0xfedc0001, fetching and not.",
         .expected = "UET_TSEND_FETCH_ATOMIC, then UET_TSEND_ATOMIC, with these numbers.")
{
    struct uet_ut_operation op = uet_op(tc, 8);
    op.key = 0x8123456789abcdef;
    op.offset = 24;
    for (int plain = 0; plain < 2; plain++) {
        const struct uet_atomic a = {
            UET_AMO_SUM, UET_TYPE_UINT64, on_the_wire(tc, 1), 8, NULL, plain, true};
        need_atomic(tc, plain, a.amo, a.datatype);
        struct fep_atomic f = fep_does_to(tc, &a, op);
        uet_check_eq(tc, "SES-095", "match_bits", uet_ses_match_bits(&f.in->packet), op.key);
        check_initiator(tc, "SES-095", f.in);
        field(tc, "SES-095", f.in, UET_F_SES_BUFFER_OFFSET, op.offset);
        struct uet_out ack =
            plain ? uet_ack(f.in->pdc, f.in) : uet_ack_data(f.in->pdc, f.in, on_the_wire(tc, 7));
        say(tc, &ack);
        completes(tc, "SES-095", f.handle, UET_UT_OK);
    }
}
