/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * 3.4.8.3: what completions tell. The harness compares each with what its operation was asked to
 * be, or its message said (harness/peer/completed.c): the bodies see to it that they end.
 */
#include "conformance/harness/edges.h"
#include "conformance/harness/steps/acks.h"
#include "conformance/harness/steps/memory.h"
#include "conformance/harness/steps/messages.h"
#include "conformance/harness/steps/requests.h"
#include "conformance/harness/steps/tagged.h"

static struct uet_edges initiators(void)
{
    return uet_edges_of(UET_H_SES_REQ_STD_SOM1, UET_F_SES_INITIATOR);
}

UET_TEST(
    receives_tell, .id = "rob.3.4.8.3.receives-tell-their-message", .requirements = "ROB-056",
    .role = UET_ROLE_TARGET, .needs = "send upper-tester",
    .purpose = "The completion of a receive tells what its message said.",
    .preamble = "A buffer posted for each; PDC open.",
    .stimulus = "SENDs of 1, 2, 3 ... bytes, one after the other, each of another initiator: 0, "
                "1, on both sides of 2^8, 2^16 and 2^31, 2^32 - 1.",
    .expected = "Each receive ends; its completion tells that JobID, initiator, peer and length.")
{
    const struct uet_edges e = initiators();
    struct uet_pdc *p = uet_pdc_open(tc);

    for (uint32_t i = 0; i < e.n; i++) {
        struct uet_memory m = uet_need_receive(tc, 64, 1);
        struct uet_out o = uet_send_message(p, &m, uet_tc_bytes(tc, i + 1), i + 1);
        uet_ses_req_initiator_set(o.ses, (uint32_t)e.value[i]);
        accepted(tc, "ROB-056", &o);
        fills(tc, "ROB-056", m.handle, i + 1);
    }
}

UET_TEST(
    receive_tells_parts, .id = "rob.3.4.8.3.receive-of-parts-tells-its-message",
    .requirements = "ROB-056", .role = UET_ROLE_TARGET,
    .needs = "send multi-packet-send upper-tester",
    .purpose = "A receive that several packets fill tells of their message, whichever comes last.",
    .preamble = "A buffer posted for each; PDC open.",
    .stimulus = "A SEND of three packets, in order; another of another initiator, whose first "
                "packet comes last.",
    .expected = "Both receives end; their completions tell what the messages said.")
{
    struct message a = message(tc, .opcode = UET_OP_SEND, .packets = 3, .last = 7);
    struct message b = message(tc, .opcode = UET_OP_SEND, .packets = 3, .last = 9, .p = a.p);
    static const uint8_t order[] = {1, 2, 0};

    for (size_t i = 0; i < 3; i++)
        delivered(tc, "ROB-056", &a.o[i]);
    fills(tc, "ROB-056", a.m.handle, a.n);
    for (size_t i = 0; i < 3; i++)
        uet_ses_req_initiator_set(b.o[i].ses, 0x80000002);
    for (size_t i = 0; i < 3; i++)
        delivered(tc, "ROB-056", &b.o[order[i]]);
    fills(tc, "ROB-056", b.m.handle, b.n);
}

UET_TEST(tags_told, .id = "rob.3.4.8.3.tagged-receives-tell-their-message",
         .requirements = "ROB-056", .role = UET_ROLE_TARGET, .needs = "tagged wildcard-tags",
         .purpose = "The completion of a tagged receive tells the match bits of its message.",
         .preamble = "For each a tagged receive that takes any match bits; PDC open.",
         .stimulus =
             "TAGGED_SENDs whose match bits are 0, 1, on both sides of 2^8, 2^16, 2^31, 2^32 "
             "and 2^63, 2^64 - 1.",
         .expected = "Each receive ends; its completion tells those match bits.")
{
    const struct uet_edges e =
        uet_edges_of(UET_H_SES_REQ_STD_SOM1, UET_F_SES_MATCH_BITS_OR_MEMORY_KEY);
    struct uet_memory m = uet_need_tagged(tc);
    struct uet_pdc *p = uet_pdc_open(tc);

    for (size_t i = 0; i < e.n; i++) {
        uint64_t handle = tag_receive(tc, &m, .match_bits = 0, .ignore = UINT64_MAX);
        struct uet_out o = tagged_send(p, &m, e.value[i]);
        matched(tc, "ROB-056", &o, handle);
    }
}

UET_TEST(writes_tell, .id = "rob.3.4.8.3.writes-with-data-tell-their-message",
         .requirements = "ROB-056 SES-068", .role = UET_ROLE_TARGET, .needs = "write upper-tester",
         .purpose = "The completion of a WRITE with header data tells what the WRITE said.",
         .preamble = "A region; PDC open.",
         .stimulus =
             "WRITEs of 1, 2, 3 ... bytes with header_data, each of another initiator: 0, 1, "
             "on both sides of 2^8, 2^16 and 2^31, 2^32 - 1.",
         .expected = "A completion of each, with its header_data, initiator, JobID and length.")
{
    const struct uet_edges e = initiators();
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = uet_pdc_open(tc);

    for (uint32_t i = 0; i < e.n; i++) {
        struct uet_out o = uet_write(p, &m, 0, uet_tc_bytes(tc, i + 1), i + 1);
        uet_ses_req_initiator_set(o.ses, (uint32_t)e.value[i]);
        uet_ses_req_hd_set(o.ses, true);
        uet_ses_req_std_header_data_set(o.ses, 0x8000000080000001 + i);
        accepted(tc, "ROB-056", &o);
        completes(tc, "ROB-056", m.handle, UET_UT_OK);
    }
}

/* They mean that the message may come again, or that it ends in another way (SES-108, SES-129). */
static bool is_plain_error(uint8_t code)
{
    return code > UET_RC_NO_MATCH && code <= UET_RC_DROPPED && code != UET_RC_UNCOR_TRNSNT;
}

UET_TEST(codes_told, .id = "rob.3.4.8.3.operations-tell-their-code", .requirements = "ROB-056",
         .role = UET_ROLE_INITIATOR, .needs = "write return-codes",
         .purpose = "The completion of an operation tells the return code that answered it.",
         .preamble = "The FEP writes to the tester, once for each.",
         .stimulus =
             "Each WRITE is answered with another return code of Table 3-19: all that tell an "
             "error, but for those after which a message may be tried again.",
         .expected = "Each ends in error; its completion tells the code.")
{
    uet_auto_ack(tc, false);
    for (uint8_t code = UET_RC_OK; code <= UET_RC_DROPPED; code++) {
        struct uet_ut_operation op = uet_op(tc, 16);
        if (!is_plain_error(code))
            continue;
        uint64_t handle = uet_do_write(tc, &op);
        struct uet_out ack = guaranteed_ack(hear(tc, "ROB-056", REQUEST_ON(NULL)), code);
        say(tc, &ack);
        struct uet_ut_completion c = completes(tc, "ROB-056", handle, UET_UT_SES_ERROR);
        uet_check_enum(tc, "ROB-056", "return code", UET_ENUM_SES_RETURN_CODE, c.return_code, code);
    }
}

UET_TEST(cut_told, .id = "rob.3.4.8.3.operations-tell-a-truncation", .requirements = "ROB-056",
         .role = UET_ROLE_INITIATOR, .needs = "send",
         .purpose = "The completion of a send that its target has cut tells what was moved.",
         .preamble = "None.",
         .stimulus = "The FEP sends 200 bytes; UET_RESPONSE with RC_OK and modified_length 100.",
         .expected = "A success; if its completion tells a length, 100.")
{
    struct uet_ut_operation op = uet_op(tc, 200);
    uet_auto_ack(tc, false);
    uint64_t handle = uet_do_send(tc, &op);
    struct uet_out ack = guaranteed_ack(hear(tc, "ROB-056", REQUEST_ON(NULL)), UET_RC_OK);
    uet_ses_rsp_modified_length_set(ack.ses, 100);
    say(tc, &ack);
    struct uet_ut_completion c = completes(tc, "ROB-056", handle, UET_UT_OK);
    tells_length(tc, "ROB-056", "length", &c, 100);
}
