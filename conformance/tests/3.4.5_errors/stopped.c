/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.4.5.3.2: UET_MSG_ERROR, by which an initiator ends a message early. The FEP as
 * initiator: stopped_initiator.c, as a window has to stop it first. */
#include "conformance/harness/steps/acks.h"
#include "conformance/harness/steps/answers.h"
#include "conformance/harness/steps/memory.h"
#include "conformance/harness/steps/messages.h"
#include "conformance/harness/steps/requests.h"
#include "conformance/harness/steps/target.h"
#include "conformance/tests/pds.h"

/* In the place of the packet: so much of the message was sent. */
static struct uet_out stopped_at(const struct uet_out *packet, uint32_t sent)
{
    struct uet_out o = *packet;
    uet_ses_req_opcode_set(o.ses, UET_OP_MSG_ERROR);
    uet_ses_req_som_set(o.ses, false);
    uet_ses_req_eom_set(o.ses, true);
    uet_ses_req_std_payload_length_set(o.ses, 0);
    uet_ses_req_std_message_offset_set(o.ses, sent);
    o.payload_len = 0;
    uet_rud_rod_req_ar_set(o.pds, true);
    return o;
}

/* By intent RC_INITIATOR_ERROR; a known implementation says RC_OP_VIOLATION (SES-127, C). */
#define STOP_CODES UET_RC_INITIATOR_ERROR, UET_RC_OP_VIOLATION, UET_RC_UNSUPPORTED_OP

UET_TEST(stopped_write, .id = "ses.3.4.5.3.2.stopped-write", .requirements = "SES-127",
         .role = UET_ROLE_TARGET, .needs = "msg-error write", .contested = true,
         .purpose = "UET_MSG_ERROR ends a message with an error; nothing of it stays.",
         .preamble = "A region; PDC open; two packets of a WRITE of three accepted.",
         .stimulus = "UET_MSG_ERROR for it; then a whole WRITE of its own; then one of three "
                     "packets with the message_id of the first.",
         .expected = "RC_INITIATOR_ERROR (RC_OP_VIOLATION and RC_UNSUPPORTED_OP are findings); the "
                     "other WRITEs succeed, with their data.")
{
    struct message w = message_begun(tc, .packets = 3, .last = 100);
    delivered(tc, "SES-044", &w.o[1]);
    struct uet_out stop = stopped_at(&w.o[2], 2 * w.mtu);
    refused_or(tc, "SES-127", &stop, STOP_CODES);
    struct uet_out o = uet_write(w.p, &w.m, 0, uet_tc_bytes(tc, 64), 64);
    accepted(tc, "SES-127", &o);
    struct message next = message(tc, .packets = 3, .last = 100, .p = w.p, .m = w.m);
    for (int i = 0; i < 3; i++) {
        uet_ses_req_std_message_id_set(next.o[i].ses, uet_ses_req_std_message_id(stop.ses));
        delivered(tc, "SES-127", &next.o[i]);
    }
    memory_holds(tc, "SES-127", &next.m, 0, next.bytes, next.n);
}

UET_TEST(stop_is_guaranteed, .id = "ses.3.4.5.3.2.answer-to-a-stop-is-guaranteed",
         .requirements = "SES-117 SES-127", .role = UET_ROLE_TARGET, .needs = "msg-error write",
         .purpose = "The error that answers UET_MSG_ERROR is kept until it is cleared.",
         .preamble = "A region; PDC open; two packets of a WRITE of three accepted.",
         .stimulus = "UET_MSG_ERROR for it; again with retx=1, twice.",
         .expected = "An error with REQ_CLEAR and a CACK_PSN that waits; the same response again.")
{
    struct message w = message_begun(tc, .packets = 3, .last = 100);
    delivered(tc, "SES-044", &w.o[1]);
    w.p->auto_clear = false;
    struct uet_out stop = stopped_at(&w.o[2], 2 * w.mtu);
    const struct uet_in *first = ask(tc, "SES-117", &stop);
    uet_check(tc, "SES-127", is_error_response(first), "a message that is ended early succeeds");
    check_req_clear(tc, "SES-117", first);
    check_cack(tc, "SES-117", first, stop.psn - 1);
    same_response(tc, "SES-117", exchange_again(tc, &stop), first);
    same_response(tc, "SES-117", exchange_again(tc, &stop), first); /* nothing was cleared */
}

UET_TEST(
    stopped_send, .id = "ses.3.4.5.3.2.stopped-send", .requirements = "SES-127 ROB-032 ROB-019",
    .role = UET_ROLE_TARGET, .needs = "msg-error send multi-packet-send upper-tester",
    .contested = true, .purpose = "A SEND that is ended early ends its receive in error.",
    .preamble = "A receive; PDC open; the first packet of a SEND of three accepted.",
    .stimulus = "UET_MSG_ERROR for it.",
    .expected = "RC_INITIATOR_ERROR (RC_OP_VIOLATION and RC_UNSUPPORTED_OP are findings); the "
                "receive does not end as a success; if it does not end, the next SEND gets it.")
{
    struct message s = message_begun(tc, .opcode = UET_OP_SEND, .packets = 3, .last = 100);
    struct uet_out stop = stopped_at(&s.o[1], s.mtu);
    refused_or(tc, "SES-127", &stop, STOP_CODES);
    s.p->next_psn = s.o[2].psn; /* the third never leaves */
    ends_or_is_free(tc, "ROB-019", &s, s.p);
}

UET_TEST(stop_of_nothing, .id = "ses.3.4.5.3.2.stop-of-nothing", .requirements = "SES-128",
         .role = UET_ROLE_TARGET, .needs = "msg-error write",
         .purpose = "UET_MSG_ERROR for a message that is not known is an error.",
         .preamble = "A region; PDC open.",
         .stimulus = "UET_MSG_ERROR with a message_id of its own; then a whole WRITE.",
         .expected = "An error response; the WRITE succeeds.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o = uet_write(p, &m, 0, uet_tc_bytes(tc, 64), 64), stop = stopped_at(&o, 64);
    struct uet_out after = uet_write(p, &m, 0, uet_tc_bytes(tc, 64), 64);
    must_fail(tc, "SES-128", &stop);
    accepted(tc, "SES-128", &after);
}

UET_TEST(stop_of_another_pdc, .id = "ses.3.4.5.3.2.stop-of-another-pdc", .requirements = "SES-128",
         .role = UET_ROLE_TARGET, .needs = "msg-error write",
         .purpose = "UET_MSG_ERROR ends a message of its own PDC, whatever has that message_id on "
                    "others.",
         .preamble = "The first packet of a WRITE of two accepted; another PDC open.",
         .stimulus = "UET_MSG_ERROR with that message_id on the other PDC; then the second packet "
                     "of the WRITE.",
         .expected = "An error response on the other PDC; the WRITE succeeds, with its data.")
{
    struct message w = message_begun(tc, .packets = 2, .last = 100);
    struct uet_pdc *other = uet_pdc_open(tc);
    struct uet_out like = uet_write(other, &w.m, 0, uet_tc_bytes(tc, 64), 64);
    struct uet_out stop = stopped_at(&like, w.mtu);
    uet_ses_req_std_message_id_set(stop.ses, uet_ses_req_std_message_id(w.o[0].ses));
    must_fail(tc, "SES-128", &stop);
    accepted(tc, "SES-128", &w.o[1]);
    memory_holds(tc, "SES-128", &w.m, w.mtu, w.o[1].payload, 100);
}

UET_TEST(stopped_in_error, .id = "ses.3.4.5.3.2.stopped-after-an-error",
         .requirements = "SES-127 SES-116", .role = UET_ROLE_TARGET, .needs = "msg-error write",
         .purpose = "A message that has failed and is ended early is not forgiven.",
         .preamble = "A region; PDC open.",
         .stimulus =
             "The first packet of a WRITE of two, with an unknown key; UET_MSG_ERROR for it; "
             "then a whole WRITE.",
         .expected = "Error responses to both; the WRITE succeeds.")
{
    struct message w = message(tc, .packets = 2, .last = 100);
    struct uet_out bad = w.o[0];
    uet_ses_req_match_bits_or_memory_key_set(bad.ses, w.m.key ^ 0x40);
    must_fail(tc, "SES-063", &bad);
    struct uet_out stop = stopped_at(&w.o[1], w.mtu);
    uet_ses_req_match_bits_or_memory_key_set(stop.ses, w.m.key ^ 0x40);
    must_fail(tc, "SES-127", &stop);
    struct uet_out o = uet_write(w.p, &w.m, 0, uet_tc_bytes(tc, 64), 64);
    accepted(tc, "SES-127", &o);
}

UET_TEST(stop_overtakes, .id = "ses.3.4.5.3.2.stop-overtakes", .requirements = "SES-127 SES-128",
         .role = UET_ROLE_TARGET, .needs = "msg-error write",
         .purpose = "UET_MSG_ERROR that overtakes the packets of its message ends it all the same.",
         .preamble = "A region; PDC open.",
         .stimulus = "Of a WRITE of three packets first UET_MSG_ERROR in the place of the third, "
                     "then the first and the second; all that four times; then a whole WRITE.",
         .expected = "Error responses to UET_MSG_ERROR; all is acknowledged; the last WRITE "
                     "succeeds, with its data.")
{
    struct message w = {0};
    for (int i = 0; i < 4; i++) {
        w = message(tc, .packets = 3, .last = 100, .p = w.p, .m = w.m);
        struct uet_out stop = stopped_at(&w.o[2], 2 * w.mtu);
        must_fail(tc, "SES-127", &stop);
        delivered(tc, "SES-127", &w.o[0]);
        delivered(tc, "SES-127", &w.o[1]);
    }
    struct uet_out o = uet_write(w.p, &w.m, 0, uet_tc_bytes(tc, 64), 64);
    accepted(tc, "SES-127", &o);
    memory_holds(tc, "SES-127", &w.m, 0, o.payload, 64);
}
