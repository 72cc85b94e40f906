/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.4.3.4: deferrable sends that find their receive at once. */
#include "conformance/harness/steps/deferral.h"
#include "conformance/harness/steps/memory.h"
#include "conformance/harness/steps/messages.h"
#include "conformance/harness/steps/requests.h"
#include "conformance/harness/steps/tagged.h"

/* In the place of buffer_offset: the initiator's token, and none of the target's. */
static void make_deferrable(struct uet_out *o, uint32_t initiator_restart_token)
{
    uet_ses_req_opcode_set(o->ses, UET_OP_DEFERRABLE_SEND);
    uet_ses_req_defer_irt_set(o->ses, initiator_restart_token);
    uet_ses_req_defer_trt_set(o->ses, 0);
}

/* False, and a finding: the FEP has no such opcode. */
static bool taken(struct uet_tc *tc, const struct uet_out *o)
{
    const struct uet_in *in = ask(tc, "SES-144", o);
    if (code_told(in) == UET_RC_UNSUPPORTED_OP) {
        uet_other_reading(tc, "SES-144", "UET_DEFERRABLE_SEND is not known to the FEP");
        return false;
    }
    uet_check_success(tc, "SES-144", in);
    return true;
}

UET_TEST(deferrable_as_a_send, .id = "ses.3.4.3.4.deferrable-as-a-send",
         .requirements = "SES-144 SES-145", .role = UET_ROLE_TARGET, .needs = "send upper-tester",
         .purpose = "A deferrable send that finds its receive is a send: its token is no offset.",
         .preamble = "A receive of 64 bytes; PDC open.",
         .stimulus = "UET_DEFERRABLE_SEND of 48 bytes with initiator_restart_token 0x1000.",
         .expected = "Success; the bytes stand at the beginning of the receive. A FEP that knows "
                     "no such opcode (RC_UNSUPPORTED_OP) is a finding.")
{
    struct uet_memory m = uet_need_receive(tc, 64, 1);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o = uet_send_message(p, &m, uet_tc_bytes(tc, 48), 48);
    make_deferrable(&o, 0x1000);
    if (!taken(tc, &o))
        return;
    fills(tc, "SES-145", m.handle, 48);
    memory_holds(tc, "SES-145", &m, 0, o.payload, 48);
}

UET_TEST(deferrable_of_two_packets, .id = "ses.3.4.3.4.deferrable-of-two-packets",
         .requirements = "SES-144 SES-145", .role = UET_ROLE_TARGET,
         .needs = "send multi-packet-send upper-tester",
         .purpose = "A deferrable send of several packets that finds its receive is a send: no "
                    "token moves its bytes.",
         .preamble = "A receive; PDC open.",
         .stimulus = "UET_DEFERRABLE_SEND of two packets with initiator_restart_token 0xffffffff.",
         .expected = "Success; the receive has the message. RC_UNSUPPORTED_OP is a finding.")
{
    struct message s = message(tc, .opcode = UET_OP_SEND, .packets = 2, .last = 100);
    for (int i = 0; i < 2; i++) {
        make_deferrable(&s.o[i], 0xffffffff);
        if (!taken(tc, &s.o[i]))
            return;
    }
    fills(tc, "SES-145", s.m.handle, s.n);
    memory_holds(tc, "SES-145", &s.m, 0, s.bytes, s.n);
}

UET_TEST(deferrable_tagged, .id = "ses.3.4.3.4.deferrable-as-a-tagged-send",
         .requirements = "SES-145 SES-091", .role = UET_ROLE_TARGET,
         .needs = "deferral tagged upper-tester",
         .purpose = "A deferrable tagged send that finds its tag is a tagged send.",
         .preamble = "A tagged receive of 64 bytes; PDC open.",
         .stimulus = "UET_DEFERRABLE_TSEND of 48 bytes with its tag and initiator_restart_token "
                     "0x1000.",
         .expected = "Success; the bytes stand at the beginning of the receive.")
{
    struct uet_memory m = uet_need_tagged(tc);
    const struct uet_memory buffer = {.handle = tag_receive(tc, &m, .match_bits = 0x77)};
    struct uet_out o = uet_send_message(uet_pdc_open(tc), &m, uet_tc_bytes(tc, 48), 48);
    make_deferrable(&o, 0x1000);
    uet_ses_req_opcode_set(o.ses, UET_OP_DEFERRABLE_TSEND);
    uet_ses_req_defer_match_bits_set(o.ses, 0x77);
    accepted(tc, "SES-145", &o);
    fills(tc, "SES-145", buffer.handle, 48);
    memory_holds(tc, "SES-145", &buffer, 0, o.payload, 48);
}

UET_TEST(deferrable_without_receive, .id = "ses.3.4.3.4.deferrable-without-receive",
         .requirements = "SES-144 SES-148", .role = UET_ROLE_TARGET, .needs = "send upper-tester",
         .purpose = "Who defers a send asks for it again, a FEP that claims no deferral, too.",
         .preamble = "PDC open; the one receive that was posted is filled.",
         .stimulus = "UET_DEFERRABLE_SEND of 48 bytes; then a receive is posted.",
         .expected = "Where the answer defers the message an RTR comes; where it is a success the "
                     "receive gets the message; a refusal is as good.")
{
    uet_accept_pdcs(tc);
    struct uet_memory m = uet_need_receive(tc, 64, 1);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out first = uet_send_message(p, &m, uet_tc_bytes(tc, 48), 48);
    accepted(tc, "SES-090", &first);
    fills(tc, "SES-090", m.handle, 48);
    struct uet_out o = uet_send_message(p, &m, uet_tc_bytes(tc, 48), 48);
    make_deferrable(&o, 0x1000);
    const struct uet_in *in = ask(tc, "SES-144", &o);
    if (!tells_success(in))
        return;
    const bool deferred = uet_ses_rsp_opcode(uet_ses(&in->packet)) == UET_RSP_RESPONSE &&
                          uet_ses_rsp_modified_length(uet_ses(&in->packet)) < 48;
    uint64_t handle = untagged_receive(tc, &m);
    struct deferrable d = {.irt = 0x1000};
    if (deferred)
        hear_rtr(tc, &d);
    else
        fills(tc, "SES-144", handle, 48);
}

UET_TEST(deferrable_of_nothing, .id = "ses.3.4.3.4.deferrable-of-no-bytes",
         .requirements = "SES-146", .role = UET_ROLE_TARGET, .needs = "send upper-tester",
         .contested = true,
         .purpose = "A deferrable send of no bytes cannot be put off: less cannot be told.",
         .preamble = "PDC open; the one receive that was posted is filled.",
         .stimulus = "UET_DEFERRABLE_SEND of no bytes; then a receive is posted.",
         .expected = "It is refused; or it succeeds, and the receive ends without an RTR. An RTR "
                     "after list UET_OVERFLOW, which could tell of it, is a finding.")
{
    uet_accept_pdcs(tc);
    struct uet_memory m = uet_need_receive(tc, 64, 1);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out first = uet_send_message(p, &m, uet_tc_bytes(tc, 48), 48);
    accepted(tc, "SES-090", &first);
    fills(tc, "SES-090", m.handle, 48);
    struct uet_out o = uet_send_message(p, &m, "", 0);
    make_deferrable(&o, 0x1000);
    const struct uet_in *in = ask(tc, "SES-144", &o);
    if (!tells_success(in)) {
        uet_note(tc, "SES-144", "it is refused");
        return;
    }
    const bool overflow = uet_ses_rsp_opcode(uet_ses(&in->packet)) == UET_RSP_RESPONSE &&
                          uet_ses_rsp_list(uet_ses(&in->packet)) == UET_LIST_OVERFLOW;
    uint64_t handle = untagged_receive(tc, &m);
    if (overflow && maybe(tc, RTR, .within = uet_tc_quiet(tc))) {
        uet_other_reading(tc, "SES-146", "a send of no bytes was put off by list UET_OVERFLOW");
        return;
    }
    no_rtr(tc, "SES-146");
    fills(tc, "SES-146", handle, 0);
}
