/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages of several packets to the FEP that end in each way. */
#include "conformance/harness/steps/requests.h"
#include "conformance/tests/endurance/endurance.h"

static bool sends(struct endure *e, const struct uet_out *o, const char *what)
{
    return goes_well(e, o, what);
}

/* A region and a PDC for WRITEs of three packets. */
static struct endure three_packet_writes(struct uet_tc *tc, struct uet_memory *m, bool one_pdc)
{
    uint32_t n = length_of_three(tc);

    *m = uet_need_memory(tc, n);
    return (struct endure){.tc = tc,
                           .requirement = "ROB-037",
                           .m = m,
                           .pdc = one_pdc ? uet_pdc_open(tc) : NULL,
                           .bytes = uet_tc_bytes(tc, n),
                           .n = n};
}

static bool last_comes_first(struct endure *e)
{
    struct uet_out o[PARTS];

    three_packets(e, e->pdc, UET_OP_WRITE, o);
    return sends(e, &o[2], "the last packet") && sends(e, &o[0], "the first packet") &&
           sends(e, &o[1], "the second packet");
}

UET_TEST(messages_backwards, .id = "rob.3.4.1.7.3.messages-out-of-order", .requirements = "ROB-037",
         .role = UET_ROLE_TARGET, .needs = "rud write any-request", AT_ONE_POINT,
         .preamble = "A region; PDC open.",
         .purpose = "Messages whose packets come in another order leave their room.",
         .stimulus = "On a RUD PDC, WRITEs of three packets, the last of which comes first; more "
                     "than the FEP has room for.",
         .expected = "Each packet is acknowledged; then the FEP serves as before.")
{
    struct uet_memory m;
    struct endure e = three_packet_writes(tc, &m, true);
    endure(&e, last_comes_first);
}

static bool comes_twice(struct endure *e)
{
    struct uet_out o[PARTS];

    three_packets(e, e->pdc, UET_OP_WRITE, o);
    for (int i = 0; i < PARTS; i++) {
        if (!sends(e, &o[i], "a packet"))
            return false;
        say_again(e->tc, &o[i]);
    }
    say_again(e->tc, &o[0]); /* when the message is over */
    return true;
}

UET_TEST(messages_twice, .id = "rob.3.4.1.7.3.messages-twice", .requirements = "ROB-037",
         .role = UET_ROLE_TARGET, .needs = "rud write any-request", AT_ONE_POINT,
         .preamble = "A region; PDC open.",
         .purpose = "Copies of the packets of a message take no room for another one.",
         .stimulus = "WRITEs of three packets, each of which comes twice, the first once more when "
                     "the message is over; more than the FEP has room for.",
         .expected = "Each packet is acknowledged; then the FEP serves as before.")
{
    struct uet_memory m;
    struct endure e = three_packet_writes(tc, &m, true);
    endure(&e, comes_twice);
}

static bool is_refused_midway(struct endure *e)
{
    struct uet_out o[PARTS];

    three_packets(e, e->pdc, UET_OP_WRITE, o);
    uet_ses_req_match_bits_or_memory_key_set(
        o[1].ses, e->m->key ^ 0x00005a5a00000000u); /* RKEY bits (Table 2-13): nobody's */
    return sends(e, &o[0], "the first packet") && sends(e, &o[1], "the wrong packet") &&
           sends(e, &o[2], "the last packet");
}

UET_TEST(messages_refused, .id = "rob.3.4.5.messages-refused-midway", .requirements = "ROB-037",
         .role = UET_ROLE_TARGET, .needs = "rud write any-request", AT_ONE_POINT,
         .preamble = "A region; PDC open.",
         .purpose = "Messages that are refused in the middle leave their room.",
         .stimulus = "WRITEs of three packets, the second with an unknown memory key; more than "
                     "the FEP has room for; their responses are cleared.",
         .expected = "Each packet is acknowledged, with a success or not; then the FEP serves as "
                     "before.")
{
    struct uet_memory m;
    struct endure e = three_packet_writes(tc, &m, true);
    endure(&e, is_refused_midway);
}

/* Behind a Request that clears the responses of the round before. */
static bool is_wrong_while_kept(struct endure *e)
{
    struct uet_out o[PARTS], clear = uet_any_request(e->pdc);

    if (!sends(e, &clear, "a Request"))
        return false;
    three_packets(e, e->pdc, UET_OP_SEND, o);
    uet_ses_req_ie_set(o[1].ses, true);
    const struct uet_in *in = uet_answered(e->tc, &o[0]);
    bool kept = in && uet_is_ack(&in->packet) && code_told(in) != UET_RC_NO_MATCH;
    return went(e, kept, "the first packet", "is not kept") &&
           sends(e, &o[1], "the packet with ie=1") && sends(e, &o[2], "the last packet");
}

UET_TEST(messages_wrong_while_kept, .id = "rob.3.4.3.6.2.2.kept-refused-midway",
         .requirements = "ROB-037", .role = UET_ROLE_TARGET,
         .needs = "keeps-unexpected send multi-packet-send any-request upper-tester", AT_ONE_POINT,
         .preamble = "A resource without receives, which keeps what is unexpected; PDC open.",
         .purpose = "A SEND that fails while it is kept leaves its room.",
         .stimulus =
             "SENDs of three packets, the second with ie=1; more than the FEP has room for; "
             "their responses are cleared.",
         .expected = "Each packet is acknowledged, the first ones never with RC_NO_MATCH; then the "
                     "FEP serves as before. A FEP that keeps not even the first is skipped.")
{
    uint32_t n = length_of_three(tc);
    struct uet_memory m = uet_need_keeping(tc);
    struct endure e = {.tc = tc,
                       .requirement = "ROB-037",
                       .m = &m,
                       .pdc = uet_pdc_open(tc),
                       .bytes = uet_tc_bytes(tc, n),
                       .n = n};
    endure(&e, is_wrong_while_kept);
}

static bool is_cut_single(struct endure *e)
{
    for (int i = 0; i < 5; i++) { /* more messages than PDCs: what is told are those, as a rule */
        struct uet_out o = uet_small(e->pdc, UET_OP_WRITE, e->m, 0, e->bytes, 8);
        uet_ses_req_eom_set(o.ses, false);
        if (!sends(e, &o, "a small request without EOM"))
            return false;
    }
    return true;
}

UET_TEST(messages_cut_single, .id = "rob.3.4.2.2.single-leaves-no-message",
         .requirements = "ROB-037 SES-015", .role = UET_ROLE_TARGET,
         .needs = "rud write small-header any-request", AT_ONE_POINT, .contested = true,
         .preamble = "A region; PDC open.",
         .purpose = "A small request that is no whole message leaves no message open.",
         .stimulus = "Small WRITEs with EOM=0, more than the FEP has room for; their responses are "
                     "cleared.",
         .expected = "Each is acknowledged, with a success or not; then the FEP serves as before.")
{
    struct uet_memory m;
    struct endure e = three_packet_writes(tc, &m, true);
    endure(&e, is_cut_single);
}

/* In the place of the packet (3.4.5.3.2). */
static void make_stop(struct uet_out *o, uint32_t sent)
{
    uet_ses_req_opcode_set(o->ses, UET_OP_MSG_ERROR);
    uet_ses_req_som_set(o->ses, false);
    uet_ses_req_eom_set(o->ses, true);
    uet_ses_req_std_payload_length_set(o->ses, 0);
    uet_ses_req_std_message_offset_set(o->ses, sent);
    o->payload_len = 0;
}

static bool is_stopped(struct endure *e)
{
    const uint32_t mtu = uet_tc_dut(e->tc)->payload_mtu;
    struct uet_out o[PARTS], nothing[PARTS];

    three_packets(e, e->pdc, UET_OP_WRITE, o);
    make_stop(&o[2], 2 * mtu);
    if (!sends(e, &o[0], "the first packet") || !sends(e, &o[1], "the second packet") ||
        !sends(e, &o[2], "UET_MSG_ERROR"))
        return false;
    three_packets(e, e->pdc, UET_OP_WRITE, nothing);
    e->pdc->next_psn = nothing[1].psn; /* one packet alone of a message that is not known */
    make_stop(&nothing[0], mtu);
    return sends(e, &nothing[0], "UET_MSG_ERROR of nothing");
}

UET_TEST(messages_stopped, .id = "rob.3.4.5.3.2.messages-stopped", .requirements = "ROB-037",
         .role = UET_ROLE_TARGET, .needs = "rud write msg-error any-request", AT_ONE_POINT,
         .preamble = "A region; PDC open.",
         .purpose = "Messages that are ended early leave their room, and those that are not known "
                    "take none.",
         .stimulus =
             "WRITEs of three packets, the third of which is UET_MSG_ERROR; a UET_MSG_ERROR "
             "for a message that is not known; more than the FEP has room for.",
         .expected = "Each packet is acknowledged, with a success or not; then the FEP serves as "
                     "before.")
{
    struct uet_memory m;
    struct endure e = three_packet_writes(tc, &m, true);
    endure(&e, is_stopped);
}

static bool ends_with_its_pdc(struct endure *e)
{
    struct uet_pdc *p = opens_pdc(e);
    struct uet_out o[PARTS];

    if (!p)
        return false;
    three_packets(e, p, UET_OP_WRITE, o);
    p->next_psn = o[2].psn; /* which never leaves */
    return sends(e, &o[0], "the first packet") && sends(e, &o[1], "the second packet") &&
           closes_pdc(e, p);
}

UET_TEST(messages_abandoned, .id = "rob.3.5.8.3.messages-abandoned", .requirements = "ROB-037",
         .role = UET_ROLE_TARGET, .needs = "rud write any-request", AT_ONE_POINT,
         .preamble = "A region.", .purpose = "Messages that end with their PDC leave their room.",
         .stimulus = "A PDC is opened; two packets of a WRITE of three; Close Command; more often "
                     "than the FEP has room for messages.",
         .expected = "Each packet is acknowledged; then the FEP serves as before.")
{
    struct uet_memory m;
    struct endure e = three_packet_writes(tc, &m, false);
    endure(&e, ends_with_its_pdc);
}

/* ---- receives ---- */

/* A SEND with ie=1 is not executed (3.4.5.4.1); then a good one finds the receive. */
static bool leaves_its_receive(struct endure *e)
{
    struct uet_tc *tc = e->tc;
    struct uet_ut_completion c;
    struct uet_out bad = uet_send_message(e->pdc, e->m, e->bytes, 64);
    const struct uet_ut_receive receive = {.job_id = e->m->job_id,
                                           .pid_on_fep = e->m->pid_on_fep,
                                           .resource_index = e->m->resource_index,
                                           .length = e->m->length};
    uint64_t handle;

    int rc = uet_ut_post_recv(uet_tc_ut(tc), &receive, &handle);
    if (e->round == 1)
        uet_did(tc, rc, "post_recv");
    if (!went(e, rc == 0, "the receive", "can no longer be posted"))
        return false;
    uet_ses_req_ie_set(bad.ses, true);
    if (!goes_well(e, &bad, "the SEND with ie=1"))
        return false;
    if (uet_completion(tc, handle, UET_US, &c))
        return true; /* a completion that says so gives the receive back, too */
    struct uet_out good = uet_send_message(e->pdc, e->m, e->bytes, 64);
    return goes_well(e, &good, "the SEND") &&
           uet_check(tc, e->requirement, uet_completion(tc, handle, 0, &c),
                     "a receive does not complete that a refused SEND could have had");
}

UET_TEST(receives_kept, .id = "rob.3.4.8.3.receives-kept", .requirements = "ROB-037",
         .role = UET_ROLE_TARGET, .needs = "rud send any-request upper-tester", AT_ONE_POINT,
         .preamble = "A send resource; PDC open.",
         .purpose = "A SEND that is refused leaves its receive to the next one.",
         .stimulus = "A receive is posted; a SEND with ie=1, and a good one; more often than the "
                     "FEP has room for messages.",
         .expected = "Each receive completes; then the FEP serves as before.")
{
    struct uet_memory m = uet_need_receive(tc, 64, 0);
    struct endure e = {.tc = tc,
                       .requirement = "ROB-037",
                       .m = &m,
                       .pdc = uet_pdc_open(tc),
                       .bytes = uet_tc_bytes(tc, 64)};
    if (endure_rounds(&e, leaves_its_receive))
        uet_serves(tc, "ROB-037", UET_PASS, NULL);
}
