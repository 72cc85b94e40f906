/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.4.3.4: deferrable sends that find no receive at the FEP. */
#include "conformance/harness/steps/deferral.h"
#include "conformance/harness/steps/acks.h"
#include "conformance/harness/steps/memory.h"
#include "conformance/harness/steps/rendezvous.h"
#include "conformance/harness/steps/requests.h"
#include "conformance/harness/steps/tagged.h"
#include "conformance/harness/steps/target.h"

#define NEEDS "deferral multi-packet-send upper-tester"

UET_TEST(deferral_response, .id = "ses.3.4.3.4.deferral-response",
         .requirements = "SES-146 SES-117", .role = UET_ROLE_TARGET, .needs = NEEDS,
         .purpose = "A deferrable send without receive is deferred, by a response that is "
                    "guaranteed.",
         .preamble = "A resource without receives; PDC open.",
         .stimulus = "The first packet of a UET_DEFERRABLE_SEND of several; the same again.",
         .expected = "Both times UET_RESPONSE with RC_OK and a modified_length below "
                     "request_length; the ACK asks for a clear. RC_NO_MATCH is a finding.")
{
    struct uet_memory m = uet_need_empty(tc);
    struct deferrable d = deferrable(tc, .m = m, .p = uet_pdc_open(tc), .irt = 0x12345678);
    d.p->auto_clear = false;
    check_req_clear(tc, "SES-146", deferred(tc, &d));
    const struct uet_in *again = ask_anew(tc, "SES-117", &d.o[0]);
    field(tc, "SES-117", again, UET_F_SES_RSP_OPCODE, UET_RSP_RESPONSE);
    field(tc, "SES-117", again, UET_F_SES_RETURN_CODE, UET_RC_OK);
    field_at_most(tc, "SES-117", again, UET_F_SES_MODIFIED_LENGTH, d.n - 1);
}

UET_TEST(deferral_restart, .id = "ses.3.4.3.4.restart",
         .requirements = "SES-148 SES-146 SES-175 SES-170", .role = UET_ROLE_TARGET, .needs = NEEDS,
         .purpose = "When the receive is posted the FEP asks for the message again, and takes it.",
         .preamble = "A resource without receives; PDC open.",
         .stimulus =
             "A deferrable send with initiator_restart_token 0x12345678, deferred and ended "
             "early; then a receive is posted; then the message as the RTR asks.",
         .expected = "No RTR before the receive; then one of one packet without payload, with that "
                     "token and the JobID; the message fills the receive. Another initiator, "
                     "request_length or buffer_offset in the RTR is a finding.")
{
    struct uet_memory m = uet_need_empty(tc);
    struct deferrable d =
        deferrable(tc, .m = m, .p = uet_pdc_open(tc), .irt = 0x12345678, .initiator = 0xabcd0009);
    put_off(tc, &d);
    no_rtr(tc, "SES-148");
    uint64_t handle = receive_for(tc, &d);
    const struct uet_in *rtr = hear_rtr(tc, &d);
    field(tc, "SES-148", rtr, UET_F_SES_SOM, 1);
    field(tc, "SES-148", rtr, UET_F_SES_EOM, 1);
    payload_bytes(tc, "SES-148", rtr, 0);
    field(tc, "SES-148", rtr, UET_F_SES_JOB_ID, m.job_id);
    field(tc, "SES-175", rtr, UET_F_SES_INITIATOR, d.initiator);
    field(tc, "SES-170", rtr, UET_F_SES_REQUEST_LENGTH, d.n);
    field(tc, "SES-170", rtr, UET_F_SES_BUFFER_OFFSET, 0);
    restarted(tc, "SES-148", &d, handle);
    no_rtr(tc, "SES-148");
}

/* It begins again with ie=1. */
static void begins_in_error(struct uet_tc *tc, const struct deferrable *d)
{
    struct deferrable again = uet_deferrable_of(tc, *d);
    number_packets(&again, 1);
    uet_ses_req_ie_set(again.o[0].ses, true);
    refused(tc, "SES-112", &again.o[0], UET_RC_INITIATOR_ERROR);
}

/* It is put off, gets a receive, and begins again with ie=1: the receive. */
static uint64_t restart_refused(struct uet_tc *tc, struct deferrable *d)
{
    put_off(tc, d);
    uint64_t handle = receive_for(tc, d);
    hear_rtr(tc, d);
    begins_in_error(tc, d);
    return handle;
}

UET_TEST(
    restart_in_error, .id = "ses.3.4.3.4.restart-in-error", .requirements = "SES-112 ROB-037",
    .role = UET_ROLE_TARGET, .needs = NEEDS,
    .purpose = "A restart that its initiator declares wrong fails, and the resource goes on "
               "to take messages.",
    .preamble = "A resource without receives; PDC open; a deferrable send put off, a receive "
                "posted, the RTR has come.",
    .stimulus = "The first packet of the restart, with ie=1; then another receive, and a SEND.",
    .expected = "RC_INITIATOR_ERROR; the SEND succeeds.")
{
    struct uet_memory m = uet_need_empty(tc);
    struct deferrable d = deferrable(tc, .m = m, .p = uet_pdc_open(tc), .irt = 9);
    restart_refused(tc, &d);
    receive_for(tc, &d);
    struct uet_out o = uet_send_message(d.p, &m, "next", 4);
    accepted(tc, "ROB-037", &o);
}

UET_TEST(restart_in_error_frees, .id = "rob.3.4.3.4.receive-of-a-restart-in-error",
         .requirements = "ROB-037 SES-112", .role = UET_ROLE_TARGET, .needs = NEEDS,
         .purpose = "A receive that was promised to a message does not wait for it when that has "
                    "failed.",
         .preamble = "A resource without receives; PDC open; a deferrable send put off, a receive "
                     "posted, the RTR has come.",
         .stimulus = "The first packet of the restart, with ie=1; then a SEND.",
         .expected = "RC_INITIATOR_ERROR; the receive ends in error, or the SEND fills it.")
{
    struct uet_ut_completion c = {0};
    struct uet_memory m = uet_need_empty(tc);
    struct deferrable d = deferrable(tc, .m = m, .p = uet_pdc_open(tc), .irt = 9);
    m.handle = restart_refused(tc, &d);
    if (uet_completion(tc, m.handle, 0, &c)) {
        uet_check(tc, "ROB-037", c.status != UET_UT_OK, "the receive ends as a success");
        return;
    }
    struct uet_out o = uet_send_message(d.p, &m, uet_tc_bytes(tc, 64), 64);
    accepted(tc, "ROB-037", &o);
    received(tc, "ROB-037", &o, m.handle);
}

UET_TEST(freed_is_first, .id = "ses.3.4.3.4.freed-receive-is-first-again",
         .requirements = "SES-090 ROB-037", .role = UET_ROLE_TARGET, .needs = NEEDS,
         .purpose = "A receive that was promised to a message, and is free again, stands before "
                    "those that were posted later.",
         .preamble = "A resource without receives; PDC open; a deferrable send put off, a receive "
                     "posted, the RTR has come; another receive posted.",
         .stimulus = "The first packet of the restart, with ie=1; then a SEND.",
         .expected = "RC_INITIATOR_ERROR; the SEND fills the first receive, unless that has ended "
                     "in error.")
{
    struct uet_ut_completion c = {0};
    struct uet_memory m = uet_need_empty(tc);
    struct deferrable d = deferrable(tc, .m = m, .p = uet_pdc_open(tc), .irt = 9);
    put_off(tc, &d);
    m.handle = receive_for(tc, &d);
    hear_rtr(tc, &d);
    uint64_t later = receive_for(tc, &d);
    begins_in_error(tc, &d);
    if (uet_completion(tc, m.handle, 0, &c))
        m.handle = later;
    struct uet_out o = uet_send_message(d.p, &m, uet_tc_bytes(tc, 64), 64);
    accepted(tc, "ROB-037", &o);
    received(tc, "SES-090", &o, m.handle);
}

UET_TEST(rtr_pdc, .id = "ses.3.4.3.4.rtr-on-its-own-pdc", .requirements = "SES-149 PDS-014",
         .role = UET_ROLE_TARGET, .needs = NEEDS,
         .purpose = "The RTR is a Request of the FEP, on a PDC on which it is the initiator.",
         .preamble = "A resource without receives; PDC open; a deferrable send put off.",
         .stimulus = "A receive is posted.",
         .expected = "The RTR, on another PDC than the one that the tester has opened.")
{
    struct uet_memory m = uet_need_empty(tc);
    struct deferrable d = deferrable(tc, .m = m, .p = uet_pdc_open(tc), .irt = 5);
    put_off(tc, &d);
    receive_for(tc, &d);
    const struct uet_in *rtr = hear_rtr(tc, &d);
    uet_check(tc, "SES-149", rtr->pdc != d.p, "the RTR came on the PDC of the deferred message");
}

UET_TEST(two_deferrals, .id = "ses.3.4.3.4.two-deferrals", .requirements = "SES-148 SES-170",
         .role = UET_ROLE_TARGET, .needs = NEEDS,
         .purpose = "Of two deferred messages each has its own tokens and its own bytes.",
         .preamble = "A resource without receives; PDC open.",
         .stimulus = "Two deferrable sends, put off; two receives; the second message begins again "
                     "before the first.",
         .expected =
             "An RTR for each, with different target_restart_tokens unless 0; both receives "
             "end well, one with the bytes of each. Another request_length in an RTR is a finding.")
{
    struct uet_memory m = uet_need_empty(tc);
    struct deferrable a = deferrable(tc, .m = m, .p = uet_pdc_open(tc), .irt = 0x10001);
    struct deferrable b =
        deferrable(tc, .m = m, .p = a.p, .irt = 0x20001, .initiator = 8, .less = 40);
    put_off(tc, &a);
    put_off(tc, &b);
    uint64_t first = receive_for(tc, &a);
    field(tc, "SES-170", hear_rtr(tc, &a), UET_F_SES_REQUEST_LENGTH, a.n);
    uint64_t second = receive_for(tc, &b);
    field(tc, "SES-170", hear_rtr(tc, &b), UET_F_SES_REQUEST_LENGTH, b.n);
    uet_check(tc, "SES-148", !a.trt || a.trt != b.trt, "both messages have the same token");
    restarted(tc, "SES-148", &b, second);
    restarted(tc, "SES-148", &a, first);
}

UET_TEST(token_of_two_peers, .id = "ses.3.4.3.4.token-of-two-peers", .requirements = "SES-148",
         .role = UET_ROLE_TARGET, .needs = NEEDS,
         .purpose = "A token is its initiator's: two peers may have the same.",
         .preamble = "A resource without receives; a PDC from each address of the tester.",
         .stimulus = "On each a deferrable send, put off, of the same token; two "
                     "receives; both messages as their RTRs ask.",
         .expected = "An RTR to each address; both receives are filled, one by each message.")
{
    need_pdcs(tc, 4); /* two of them are its own, for the RTRs */
    struct uet_memory m = uet_need_empty(tc);
    struct uet_pdc *p[] = {uet_pdc_open(tc), uet_pdc_new_from(tc, uet_tc_second_address(tc))};
    struct deferrable d[2];
    bool served[2] = {false};
    for (int i = 0; i < 2; i++) {
        d[i] = deferrable(tc, .m = m, .p = p[i], .irt = 0x10001, .initiator = 7 + (uint32_t)i);
        put_off(tc, &d[i]);
    }
    for (int i = 0; i < 2; i++) { /* in whatever order */
        uint64_t handle = receive_for(tc, &d[i]);
        struct deferrable asked = d[i];
        const struct uet_in *rtr = hear_rtr(tc, &asked);
        bool second = uet_ip_equal(&rtr->pdc->self, &p[1]->self);
        uet_check(tc, "SES-148", !served[second], "both RTRs go to one peer");
        served[second] = true;
        d[second].trt = asked.trt;
        restarted(tc, "SES-148", &d[second], handle);
    }
}

UET_TEST(tagged_deferral, .id = "ses.3.4.3.4.tagged-deferral", .requirements = "SES-148 SES-091",
         .role = UET_ROLE_TARGET, .needs = "tagged " NEEDS,
         .purpose = "A deferred tagged message waits for a receive with its tag.",
         .preamble = "A tagged resource without receives; PDC open.",
         .stimulus = "UET_DEFERRABLE_TSEND with tag 0x8000000000000012, put off; a receive for tag "
                     "0x12, then one for its own.",
         .expected = "No RTR for the first receive; one for the second; it is filled.")
{
    struct uet_memory m = uet_need_empty(tc);
    struct deferrable d =
        deferrable(tc, .opcode = UET_OP_DEFERRABLE_TSEND, .m = m, .p = uet_pdc_open(tc), .irt = 77,
                   .match_bits = 0x8000000000000012);
    put_off(tc, &d);
    tag_receive(tc, &m, .match_bits = 0x12, .length = d.n);
    no_rtr(tc, "SES-091");
    uint64_t handle = receive_for(tc, &d);
    hear_rtr(tc, &d);
    restarted(tc, "SES-148", &d, handle);
}

UET_TEST(deferral_forgotten, .id = "ses.3.4.3.4.restarted-once", .requirements = "SES-148 SES-090",
         .role = UET_ROLE_TARGET, .needs = NEEDS,
         .purpose = "A message that has come again is deferred no more: later receives are free.",
         .preamble = "A deferrable send that was put off, asked for and has come again.",
         .stimulus = "One more receive; then a plain SEND.",
         .expected = "No RTR; the SEND fills the receive.")
{
    struct uet_memory m = uet_need_empty(tc);
    struct deferrable d = deferrable(tc, .m = m, .p = uet_pdc_open(tc), .irt = 9);
    put_off(tc, &d);
    uint64_t handle = receive_for(tc, &d);
    hear_rtr(tc, &d);
    restarted(tc, "SES-148", &d, handle);
    m.handle = receive_for(tc, &d);
    no_rtr(tc, "SES-148");
    struct uet_out o = uet_send_message(d.p, &m, uet_tc_bytes(tc, 64), 64);
    accepted(tc, "SES-090", &o);
    received(tc, "SES-090", &o, m.handle);
}

UET_TEST(deferral_header_data, .id = "ses.3.4.3.4.restart-with-header-data",
         .requirements = "SES-174 SES-148 SES-170", .role = UET_ROLE_TARGET, .needs = NEEDS,
         .purpose = "Header data of a deferred message comes once, when it has come again.",
         .preamble = "A resource without receives; PDC open.",
         .stimulus = "A deferrable send with hd=1, put off; a receive; the message again.",
         .expected = "The receive completes once, with the header data. A FEP that refuses hd=1 on "
                     "sends, as it may, is skipped.")
{
    struct uet_memory m = uet_need_empty(tc);
    struct deferrable d = deferrable(tc, .m = m, .p = uet_pdc_open(tc), .irt = 3, .hd = true,
                                     .header_data = 0x1122334455667788);
    number_packets(&d, 1);
    const struct uet_in *in = ask(tc, "SES-174", &d.o[0]);
    if (is_error_response(in))
        uet_skip(tc, "the FEP takes no header data with such a send now, as it may: %s",
                 uet_enum_name(UET_ENUM_SES_RETURN_CODE, code_told(in)));
    uint64_t handle = receive_for(tc, &d);
    field(tc, "SES-170", hear_rtr(tc, &d), UET_F_SES_HEADER_DATA, d.header_data);
    struct deferrable again = deferrable(tc, .m = m, .p = d.p, .irt = d.irt, .trt = d.trt,
                                         .hd = true, .header_data = d.header_data);
    number_packets(&again, again.packets);
    for (uint32_t i = 0; i < again.packets; i++)
        delivered(tc, "SES-174", &again.o[i]);
    struct uet_ut_completion c = fills(tc, "SES-174", handle, again.n);
    brings_header_data(tc, "SES-174", &c, d.header_data);
    not_again(tc, "SES-174", handle);
}

UET_TEST(rtr_refused, .id = "ses.3.4.3.4.receive-of-a-refused-rtr",
         .requirements = "SES-148 ROB-032", .role = UET_ROLE_TARGET, .needs = NEEDS,
         .purpose = "A receive whose RTR was refused serves others.",
         .preamble = "A deferrable send put off; a receive posted; its RTR not answered yet.",
         .stimulus = "The RTR is answered with RC_OP_VIOLATION; then a plain SEND.",
         .expected = "The SEND fills the receive, at once or when it is tried again.")
{
    struct uet_memory m = uet_need_empty(tc);
    struct deferrable d = deferrable(tc, .m = m, .p = uet_pdc_open(tc), .irt = 4);
    put_off(tc, &d);
    uet_auto_ack(tc, false);
    m.handle = receive_for(tc, &d);
    struct uet_out refusal = guaranteed_ack(hear_rtr(tc, &d), UET_RC_OP_VIOLATION);
    say(tc, &refusal);
    uet_auto_ack(tc, true);
    struct uet_out o = uet_send_message(d.p, &m, uet_tc_bytes(tc, 64), 64);
    accepted(tc, "ROB-032", &o);
    received(tc, "ROB-032", &o, m.handle);
}

#define PATIENCE (400 * UET_MS) /* Deferral_Time */

/* A deferrable send that is asked for by an RTR, and does not come again for twice that time. */
static void promised_in_vain(struct uet_tc *tc, struct deferrable *d, uint64_t *handle)
{
    put_off(tc, d);
    *handle = receive_for(tc, d);
    hear_rtr(tc, d);
    uet_wait(tc, 2 * PATIENCE);
}

/* A plain SEND, on another PDC, takes that receive. */
static void receive_is_free(struct uet_tc *tc, struct uet_memory m, uint64_t handle)
{
    m.handle = handle;
    struct uet_out o = uet_send_message(uet_pdc_open(tc), &m, uet_tc_bytes(tc, 64), 64);
    accepted(tc, "ROB-037", &o);
    received(tc, "ROB-037", &o, handle);
}

UET_TEST(never_restarted, .id = "ses.3.4.3.4.restart-that-never-comes", .requirements = "ROB-037",
         .role = UET_ROLE_TARGET, .needs = NEEDS, .not_over = "all",
         .purpose = "A receive does not wait for ever for a message that was asked for again.",
         .preamble = "Deferral_Time is 400 ms; a resource without receives; PDC open.",
         .stimulus = "A deferrable send, put off; a receive; the RTR is acknowledged, and the "
                     "message does not come again for 800 ms; then a plain SEND on another PDC.",
         .expected = "The SEND fills the receive.")
{
    need_pdcs(tc, 3); /* one of them is its own */
    uet_set_param(tc, "Deferral_Time", PATIENCE);
    struct uet_memory m = uet_need_empty(tc);
    struct deferrable d = deferrable(tc, .m = m, .p = uet_pdc_open(tc), .irt = 11);
    uint64_t handle;
    promised_in_vain(tc, &d, &handle);
    receive_is_free(tc, m, handle);
}

UET_TEST(never_restarted_beside, .id = "ses.3.4.3.4.restart-that-never-comes-beside-a-read",
         .requirements = "ROB-037", .role = UET_ROLE_TARGET, .needs = "rendezvous read " NEEDS,
         .not_over = "all",
         .purpose = "When a receive is given to others, one that a rendezvous is read into is not.",
         .preamble = "Deferral_Time is 400 ms; a resource without receives; PDC open.",
         .stimulus =
             "A receive, and a rendezvous send for it, of which the rest is not served yet; "
             "a deferrable send, put off; a receive; the RTR is acknowledged, and the "
             "message does not come again for 800 ms; a plain SEND on another PDC; the "
             "rest of the rendezvous send.",
         .expected = "The SEND fills the second receive, the rendezvous send the first.")
{
    need_pdcs(tc, 4); /* two of them are its own */
    uet_set_param(tc, "Deferral_Time", PATIENCE);
    struct uet_memory m = uet_need_empty(tc);
    struct rendezvous r = rendezvous(tc, .n = 900, .eager = 200, .m = m, .p = uet_pdc_open(tc));
    uint64_t first = receive_of_rendezvous(tc, &r), second;
    say_eager(tc, "SES-156", &r);
    struct fep_read read = hear_read(tc, &r, r.eager);
    struct deferrable d = deferrable(tc, .m = m, .p = uet_pdc_open(tc), .irt = 12);
    promised_in_vain(tc, &d, &second);
    receive_is_free(tc, m, second);
    serve(tc, "SES-156", &read);
    has_all(tc, "ROB-037", &r, first);
}

UET_TEST(deferral_of_all, .id = "ses.3.4.3.4.deferred-when-all-was-sent",
         .requirements = "SES-146 SES-148", .role = UET_ROLE_TARGET, .needs = NEEDS,
         .purpose = "A message that was sent whole before its deferral was known comes again, too.",
         .preamble = "A resource without receives; PDC open.",
         .stimulus = "All packets of a deferrable send, the last one first; then a receive; then "
                     "the message as the RTR asks.",
         .expected = "A response that defers it, no error; then the RTR; the message fills the "
                     "receive.")
{
    struct uet_memory m = uet_need_empty(tc);
    struct deferrable d = deferrable(tc, .m = m, .p = uet_pdc_open(tc), .irt = 0xffffffff);
    bool told = false;
    number_packets(&d, d.packets);
    for (uint32_t i = d.packets; i--;) {
        const struct uet_in *in = ask(tc, "SES-146", &d.o[i]);
        uet_check(tc, "SES-146", !is_error_response(in), "a packet of it was refused");
        told |= uet_is_ses_response(&in->packet) &&
                uet_ses_rsp_opcode(uet_ses(&in->packet)) == UET_RSP_RESPONSE &&
                uet_ses_rsp_modified_length(uet_ses(&in->packet)) < d.n;
    }
    uet_check(tc, "SES-146", told, "no response has deferred the message");
    uint64_t handle = receive_for(tc, &d);
    hear_rtr(tc, &d);
    restarted(tc, "SES-148", &d, handle);
    receive_for(tc, &d); /* its many packets are one message */
    no_rtr(tc, "SES-148");
}

/* One more, ended early: deferred, or refused without room, as it may be. */
static bool defers_another(struct uet_tc *tc, const struct deferrable *like, uint32_t irt)
{
    struct deferrable d =
        deferrable(tc, .m = like->m, .p = like->p, .irt = irt, .bytes = like->bytes);

    number_packets(&d, 1);
    const struct uet_in *in = ask(tc, "SES-146", &d.o[0]);
    if (code_told(in) == UET_RC_NO_MATCH)
        return false;
    field(tc, "SES-146", in, UET_F_SES_RETURN_CODE, UET_RC_OK);
    struct uet_out stop = stop_of(&d, d.mtu);
    delivered(tc, "SES-146", &stop);
    return true;
}

#define MANY_WITHIN (1000 * UET_MS) /* what waits longer may be forgotten */

UET_TEST(no_room_to_defer, .id = "ses.3.4.3.4.no-room-to-defer",
         .requirements = "SES-153 SES-146 SES-148", .role = UET_ROLE_TARGET, .needs = NEEDS,
         .purpose = "A FEP that has no room for one more deferral says so, and goes on: what it "
                    "says to be deferred it asks for.",
         .preamble = "A resource without receives; PDC open.",
         .stimulus =
             "Deferrable sends, each ended early, until one is refused, at most 200, and in a "
             "second; then a receive for each that was not; the one that the first RTR names comes "
             "again.",
         .expected = "Each is deferred, the last perhaps refused with RC_NO_MATCH; the first RTR's "
                     "fills its receive; an RTR for each other one.")
{
    struct uet_memory m = uet_need_empty(tc);
    struct deferrable d = deferrable(tc, .m = m, .p = uet_pdc_open(tc), .irt = 1);
    uint32_t n = 1;
    const uint64_t until = uet_tc_now(tc) + MANY_WITHIN;
    put_off(tc, &d);
    while (n < 200 && uet_tc_now(tc) < until && defers_another(tc, &d, n + 1))
        n++;
    d.irt = 0; /* of whichever it still holds */
    uint64_t handle = receive_for(tc, &d);
    hear_rtr(tc, &d);
    restarted(tc, "SES-153", &d, handle);
    for (uint32_t i = 1; i < n; i++) {
        struct deferrable other = d;
        other.irt = 0;
        receive_for(tc, &other);
        uet_for(tc, "SES-153");
        hear_rtr(tc, &other);
    }
}
