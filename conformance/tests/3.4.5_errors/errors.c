/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.4.5: errors stay inside their message; initiator errors. */
#include "conformance/harness/steps/memory.h"
#include "conformance/harness/steps/messages.h"
#include "conformance/harness/steps/requests.h"

UET_TEST(initiator_error, .id = "ses.3.4.5.4.1.initiator-error", .requirements = "SES-112 SES-111",
         .role = UET_ROLE_TARGET, .needs = "write",
         .purpose = "A packet with ie=1 touches no memory and ends in RC_INITIATOR_ERROR.",
         .preamble = "A region; PDC open.", .stimulus = "WRITE with ie=1.",
         .expected = "UET_RESPONSE with RC_INITIATOR_ERROR; memory unchanged.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct kept before = keep(tc, &m, 0, 64);
    struct uet_out o = uet_write(p, &m, 0, "unusable", 8);
    uet_ses_req_ie_set(o.ses, true);
    const struct uet_in *in = ask(tc, "SES-112", &o);
    unchanged(tc, "SES-111", &before);
    uet_check_return_code(tc, "SES-112", in, UET_RC_INITIATOR_ERROR);
}

UET_TEST(earlier_error_wins, .id = "ses.3.4.5.4.1.earlier-error-wins", .requirements = "SES-113",
         .role = UET_ROLE_TARGET, .needs = "write",
         .purpose = "An error that came before ie=1 is the one that counts.",
         .preamble = "PDC open.",
         .stimulus = "A two-packet WRITE: the first with a bad key, the second with ie=1.",
         .expected = "The second packet is answered with RC_BAD_MKEY too.")
{
    struct uet_memory m = uet_need_memory(tc, uet_tc_dut(tc)->payload_mtu + 8u);
    m.key ^= 0x777;
    struct message w = message(tc, .packets = 2, .last = 8, .m = m);
    refused(tc, "SES-113", &w.o[0], UET_RC_BAD_MKEY);
    uet_ses_req_ie_set(w.o[1].ses, true);
    refused(tc, "SES-113", &w.o[1], UET_RC_BAD_MKEY);
}

UET_TEST(earlier_error_stays, .id = "ses.3.4.5.4.1.earlier-error-stays", .requirements = "SES-113",
         .role = UET_ROLE_TARGET, .needs = "write",
         .purpose = "An error that came before ie=1 stays the one that counts: what was told is "
                    "told again.",
         .preamble = "PDC open.",
         .stimulus = "A two-packet WRITE: the first with a bad key, the second with ie=1; nothing "
                     "is cleared; both again with retx=1.",
         .expected = "RC_BAD_MKEY each time.")
{
    struct uet_memory m = uet_need_memory(tc, uet_tc_dut(tc)->payload_mtu + 8u);
    m.key ^= 0x777;
    struct message w = message(tc, .packets = 2, .last = 8, .m = m);
    w.p->auto_clear = false;
    uet_ses_req_ie_set(w.o[1].ses, true);
    for (int i = 0; i < 2; i++)
        refused(tc, "SES-113", &w.o[i], UET_RC_BAD_MKEY);
    for (int i = 0; i < 2; i++)
        field(tc, "SES-113", ask_anew(tc, "SES-113", &w.o[i]), UET_F_SES_RETURN_CODE,
              UET_RC_BAD_MKEY);
}

UET_TEST(errors_stay_inside, .id = "ses.3.4.5.errors-stay-inside", .requirements = "SES-115",
         .role = UET_ROLE_TARGET, .needs = "write",
         .purpose = "An error in one message touches no other message of the PDC.",
         .preamble = "A region; PDC open.",
         .stimulus = "Of a good two-packet WRITE the second packet is late: between the two arrive "
                     "a WRITE with a bad key and a good one.",
         .expected = "RC_BAD_MKEY for the bad one, success for the others.")
{
    struct message w = message(tc, .packets = 2, .last = 64, .room = 64);
    struct uet_memory wrong = w.m;
    wrong.key ^= 0x777;
    accepted(tc, "SES-115", &w.o[0]);
    struct uet_out bad = uet_write(w.p, &wrong, 0, "bad", 3);
    refused(tc, "SES-115", &bad, UET_RC_BAD_MKEY);
    struct uet_out good = uet_write(w.p, &w.m, w.mtu + 100, "good", 4);
    accepted(tc, "SES-115", &good);
    accepted(tc, "SES-115", &w.o[1]);
    memory_holds(tc, "SES-115", &w.m, 0, w.bytes, w.n);
}

UET_TEST(error_ends_with_its_message, .id = "ses.3.4.5.error-ends-with-its-message",
         .requirements = "SES-115", .role = UET_ROLE_TARGET, .needs = "write",
         .purpose = "An error is of its message, not of the message_id, which comes round again.",
         .preamble = "A region; PDC open.",
         .stimulus = "A WRITE with a bad key, whose response is cleared; a good WRITE; another one "
                     "with the message_id of the first.",
         .expected = "RC_BAD_MKEY for the bad one, success for the others.")
{
    struct uet_memory m = uet_need_memory(tc, 64), wrong = m;
    struct uet_pdc *p = uet_pdc_open(tc);
    wrong.key ^= 0x777;
    struct uet_out bad = uet_write(p, &wrong, 0, "bad", 3);
    refused(tc, "SES-115", &bad, UET_RC_BAD_MKEY);
    struct uet_out good = uet_write(p, &m, 0, "good", 4);
    accepted(tc, "SES-115", &good);
    struct uet_out next = uet_write(p, &m, 8, "as good", 7);
    uet_ses_req_std_message_id_set(next.ses, uet_ses_req_std_message_id(bad.ses));
    accepted(tc, "SES-115", &next);
    memory_holds(tc, "SES-115", &m, 8, next.payload, 7);
}

UET_TEST(error_outlives_its_packet, .id = "ses.3.4.5.error-outlives-its-packet",
         .requirements = "SES-116", .role = UET_ROLE_TARGET, .needs = "write",
         .purpose = "After the first error of a message its later packets fail too, though nothing "
                    "is wrong with them.",
         .preamble = "A region; PDC open.",
         .stimulus = "A two-packet WRITE, ie=1 in the first packet only.",
         .expected = "RC_INITIATOR_ERROR for both; memory unchanged.")
{
    struct message w = message(tc, .packets = 2, .last = 64);
    struct kept before = keep(tc, &w.m, w.mtu, 64);
    uet_ses_req_ie_set(w.o[0].ses, true);
    refused(tc, "SES-116", &w.o[0], UET_RC_INITIATOR_ERROR);
    refused(tc, "SES-116", &w.o[1], UET_RC_INITIATOR_ERROR);
    unchanged(tc, "SES-116", &before);
}

/* The answer tells the same error as the one before, once there was one. */
static uint8_t code_stays(struct uet_tc *tc, const struct uet_in *in, uint8_t before)
{
    has_response(tc, "SES-116", in);
    if (before > UET_RC_OK)
        field(tc, "SES-116", in, UET_F_SES_RETURN_CODE, before);
    return code_told(in);
}

UET_TEST(error_is_sticky, .id = "ses.3.4.5.error-is-sticky", .requirements = "SES-116",
         .role = UET_ROLE_TARGET, .needs = "write",
         .purpose = "After the first error of a message its other packets change nothing more.",
         .preamble = "A region of two MTUs; PDC open.",
         .stimulus = "A three-packet WRITE that ends past the region, sent in order.",
         .expected = "No packet is answered with another error code, none with a plain success "
                     "after the first error; memory unchanged.")
{
    uint32_t mtu = uet_tc_dut(tc)->payload_mtu;
    struct uet_memory m = region(tc, .job_id = 0xa21, .pid_on_fep = 3, .resource_index = 31,
                                 .key = 0x2003, .length = 2 * mtu);
    struct message w = message(tc, .packets = 3, .last = 8, .m = m);
    struct kept before = keep(tc, &m, mtu, 64);
    uint8_t code = UET_RC_OK;
    for (int i = 0; i < 3; i++)
        code = code_stays(tc, ask(tc, "SES-116", &w.o[i]), code);
    unchanged(tc, "SES-116", &before);
}

UET_TEST(error_before_the_first, .id = "ses.3.4.5.error-before-the-first",
         .requirements = "SES-116 SES-112", .role = UET_ROLE_TARGET, .needs = "write",
         .not_over = "rod",
         .purpose = "When the packet in error comes before the first of its message, the other "
                    "packets change nothing more.",
         .preamble = "A region; PDC open.",
         .stimulus = "Of a WRITE of three packets the second, with ie=1; then the first and the "
                     "third.",
         .expected = "Error responses to all; the region is as it was.",
         .once = "a message with an error may stay open")
{
    struct message w = message(tc, .packets = 3, .last = 100);
    struct kept before = keep(tc, &w.m, 0, 64);
    uet_ses_req_ie_set(w.o[1].ses, true);
    say(tc, &w.o[1]);
    const struct uet_in *in = hear(tc, "SES-112", ANSWER_TO(&w.o[1]));
    if (uet_short_of_room(in))
        uet_skip(tc, "the FEP has no room for an answer ahead of a gap");
    uet_check(tc, "SES-112", is_error_response(in), "the packet with ie=1 was taken");
    must_fail(tc, "SES-116", &w.o[0]);
    must_fail(tc, "SES-116", &w.o[2]);
    unchanged(tc, "SES-116", &before);
}

UET_TEST(error_without_ar, .id = "ses.3.4.5.error-without-ack-request",
         .requirements = "SES-120 SES-117", .role = UET_ROLE_TARGET, .needs = "write",
         .purpose = "The error of a request that asks for no ACK is told all the same.",
         .preamble = "A region; PDC open.",
         .stimulus = "A WRITE with an unknown key and ar=0, then a good one with ar=1.",
         .expected = "UET_RESPONSE with RC_BAD_MKEY for the first; the second succeeds.")
{
    struct uet_memory m = uet_need_memory(tc, 64), wrong = m;
    struct uet_pdc *p = uet_pdc_open(tc);
    wrong.key ^= 0x777;
    struct uet_out bad = uet_write(p, &wrong, 0, "no key", 6);
    struct uet_out good = uet_write(p, &m, 0, "key", 3);
    uet_rud_rod_req_ar_set(bad.pds, false);
    say(tc, &bad);
    say(tc, &good);
    uet_check_return_code(tc, "SES-120", hear_answer(tc, "SES-120", &bad), UET_RC_BAD_MKEY);
    uet_check_success(tc, "SES-120", hear_answer(tc, "SES-120", &good));
}
