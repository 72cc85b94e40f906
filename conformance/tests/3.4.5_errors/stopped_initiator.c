/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.4.5.3.2, 3.4.3.4: messages of which not all was sent, as a window stops the FEP, when it ends
 * them early: after an error, or deferred. */
#include "conformance/harness/steps/deferral.h"
#include "conformance/harness/steps/requests.h"
#include "conformance/tests/mpr.h"

UET_TEST(nothing_left_to_stop, .id = "ses.3.4.5.3.2.nothing-left-to-stop",
         .requirements = "SES-126", .role = UET_ROLE_INITIATOR,
         .purpose = "A message of which all was sent is not ended by UET_MSG_ERROR, be it "
                    "acknowledged or not.",
         .preamble = "A PDC that the FEP opened; RTO long; of a WRITE of two full packets both "
                     "have come.",
         .stimulus = "The first is answered with RC_BAD_MKEY; later the second is acknowledged.",
         .expected = "No Request of the PDC meanwhile; the operation ends in error.")
{
    hold_rto(tc);
    uint64_t handle;
    fep_opens(tc);
    uet_auto_ack(tc, false);
    struct uet_ut_operation op = uet_op(tc, 2u * uet_tc_dut(tc)->payload_mtu);
    handle = uet_do_write(tc, &op);
    const struct uet_in *first = uet_expect_any_request(tc, NULL);
    const struct uet_in *second = uet_next_request(tc, first->pdc);
    if (!second)
        uet_skip(tc, "the FEP waits for an ACK after the first packet, as it may");
    struct uet_out error = guaranteed_ack(first, UET_RC_BAD_MKEY);
    say(tc, &error);
    silence(tc, "SES-126", REQUEST_ON(first->pdc), .within = 2 * UET_MS);
    struct uet_out ack = uet_ack(second->pdc, second);
    say(tc, &ack);
    silence(tc, "SES-126", REQUEST_ON(first->pdc), .within = 2 * UET_MS);
    ends_in_error(tc, "SES-126", handle);
}

/* This ends a message, of which so many packets were sent. */
static void tells_the_end(struct uet_tc *tc, const char *requirement, const struct uet_in *stop,
                          uint8_t opcode, uint32_t sent)
{
    field(tc, requirement, stop, UET_F_SES_OPCODE, opcode);
    field(tc, requirement, stop, UET_F_SES_SOM, 0);
    field(tc, requirement, stop, UET_F_SES_EOM, 1);
    payload_bytes(tc, requirement, stop, 0);
    field(tc, requirement, stop, UET_F_SES_PAYLOAD_LENGTH, 0);
    field(tc, requirement, stop, UET_F_SES_MESSAGE_OFFSET, sent * uet_tc_dut(tc)->payload_mtu);
}

/*
 * All of its message that its window lets go is there; the first packet is answered with this
 * code, as is what ends the message then.
 */
static void ends_early(struct uet_tc *tc, const struct uet_in *in, uint8_t code, uint8_t last_code)
{
    const struct uet_in *last = in;
    const uint32_t first = psn_of(in);
    const uint8_t opcode = uet_ses_req_opcode(uet_ses(&in->packet));
    uint32_t sent = runs_to(tc, in->pdc, first, 200, &last) + 1;
    if (sent >= 199)
        uet_skip(tc, "nothing stops the FEP"); /* as mpr=1 should have (PDS-060) */
    struct uet_out error = guaranteed_ack(in, code);
    say(tc, &error);
    say_ack_cc(tc, last, psn_of(last), 1);
    const struct uet_in *stop = hear(tc, "SES-125", REQUEST_ON(in->pdc));
    for (; uet_ses_req_opcode(uet_ses(&stop->packet)) == opcode && sent < 199; sent++)
        stop = hear(tc, "SES-125", REQUEST_ON(in->pdc)); /* they were under way already */
    tells_the_end(tc, "SES-125", stop, UET_OP_MSG_ERROR, sent);
    struct uet_out ack = guaranteed_ack(stop, last_code);
    say(tc, &ack);
}

static void stops_message(struct uet_tc *tc, const struct uet_in *in, uint64_t handle)
{
    ends_early(tc, in, UET_RC_BAD_MKEY, UET_RC_INITIATOR_ERROR);
    silence(tc, "SES-125", REQUEST_ON(in->pdc), .within = 10 * UET_MS);
    ends_in_error(tc, "SES-125", handle);
}

UET_TEST(stops_after_an_error, .id = "ses.3.4.5.3.2.stops-after-an-error",
         .requirements = "SES-125 SES-126", .role = UET_ROLE_INITIATOR, .needs = "msg-error ack-cc",
         .purpose = "After an error the FEP ends a message of which not all was sent by "
                    "UET_MSG_ERROR, and sends no more of it.",
         .preamble = "A PDC that the FEP opened, mpr=1; RTO long.",
         .stimulus = "The FEP writes 200 packets; the first is answered with RC_BAD_MKEY, then all "
                     "that came are acknowledged.",
         .expected = "UET_MSG_ERROR with som=0, eom=1, no payload, and the bytes sent as "
                     "message_offset; nothing behind it; the operation ends in error. Packets that "
                     "were under way may come before it.")
{
    uint64_t handle;
    hold_rto(tc);
    const struct uet_in *in = writes_against(tc, 1, 200, &handle);
    stops_message(tc, in, handle);
}

UET_TEST(stops_in_order, .id = "ses.3.4.5.3.2.stops-after-an-error-on-rod",
         .requirements = "SES-125 SES-126", .role = UET_ROLE_INITIATOR,
         .needs = "msg-error rod ack-cc", .not_over = "used after-read aged",
         .purpose = "A message on ROD is ended by UET_MSG_ERROR as one on RUD is.",
         .preamble = "A ROD PDC that the FEP opened, mpr=1; RTO long.",
         .stimulus = "The FEP writes 200 packets; the first is answered with RC_BAD_MKEY, then all "
                     "that came are acknowledged.",
         .expected = "UET_MSG_ERROR with som=0, eom=1, no payload, and the bytes sent as "
                     "message_offset; nothing behind it; the operation ends in error. Packets that "
                     "were under way may come before it.")
{
    uint64_t handle;
    hold_rto(tc);
    const struct uet_in *in = writes_in_order_against(tc, 1, 200, &handle);
    stops_message(tc, in, handle);
}

/* What comes next of the message; if a full window of its congestion control holds that back, when
 * all that came is acknowledged. */
static const struct uet_in *next_of_message(struct uet_tc *tc, const char *requirement,
                                            const struct uet_in *in, const struct uet_in *last)
{
    const struct uet_in *stop = maybe(tc, REQUEST_ON(in->pdc));

    if (stop)
        return stop;
    say_ack_cc(tc, last, psn_of(last), 1);
    return hear(tc, requirement, REQUEST_ON(in->pdc));
}

UET_TEST(stops_while_outstanding, .id = "ses.3.4.5.3.2.stops-while-outstanding",
         .requirements = "SES-125", .role = UET_ROLE_INITIATOR, .needs = "msg-error ack-cc",
         .purpose = "message_offset of UET_MSG_ERROR counts what was sent, acknowledged or not.",
         .preamble = "A PDC that the FEP opened, mpr=1; RTO long.",
         .stimulus = "The FEP writes 200 packets; the first is answered with RC_BAD_MKEY, the one "
                     "behind it is acknowledged; no more, unless nothing comes.",
         .expected = "UET_MSG_ERROR whose message_offset is the bytes of all packets that came.")
{
    hold_rto(tc);
    uint64_t handle;
    const struct uet_in *in = writes_against(tc, 1, 200, &handle), *last = in;
    uint32_t sent = runs_to(tc, in->pdc, psn_of(in), 200, &last) + 1;
    if (sent < 3 || sent >= 199)
        uet_skip(tc, "the FEP sends %u packets without an ACK", sent);
    struct uet_out error = guaranteed_ack(in, UET_RC_BAD_MKEY);
    say(tc, &error);
    say_ack_cc(tc, in, psn_of(in) + 1, 1);
    const struct uet_in *stop = next_of_message(tc, "SES-125", in, last);
    for (; uet_ses_req_opcode(uet_ses(&stop->packet)) == UET_OP_WRITE && sent < 199; sent++)
        stop = hear(tc, "SES-125", REQUEST_ON(in->pdc)); /* they were under way already */
    field(tc, "SES-125", stop, UET_F_SES_OPCODE, UET_OP_MSG_ERROR);
    uet_check_eq(tc, "SES-125", "message_offset", uet_ses_message_offset(&stop->packet),
                 sent * uet_tc_dut(tc)->payload_mtu);
    say_ack_cc(tc, stop, psn_of(stop), 1);
    ends_in_error(tc, "SES-125", handle);
}

typedef uint64_t start_send(struct uet_tc *, const struct uet_ut_operation *);

/* As writes_against, with mpr=1 and a send that is started so. */
static const struct uet_in *defers_against(struct uet_tc *tc, uint32_t packets, uint64_t *of,
                                           start_send *start)
{
    struct uet_pdc *on = fep_opens(tc);
    struct uet_ut_operation op = uet_op(tc, packets * uet_tc_dut(tc)->payload_mtu);
    op.generation = 0x93;
    const struct uet_in *one = fep_writes_unanswered(tc, &on, of);
    ack_with_mpr(tc, one, 1);
    uet_expect_completion(tc, *of);
    *of = start(tc, &op);
    const struct uet_in *in = uet_expect_any_request(tc, NULL);
    same_pdc(tc, one->pdc, in);
    return in;
}

/* The first error of a message stays its answer (SES-116). It may be tried again later (SES-129),
 * which is no matter here. */
static void stops_unmatched(struct uet_tc *tc, start_send *start)
{
    uint64_t handle;

    hold_rto(tc);
    ends_early(tc, defers_against(tc, 200, &handle, start), UET_RC_NO_MATCH, UET_RC_NO_MATCH);
}

#define STOPS_UNMATCHED(name, slug, what, claims, start)                                           \
    UET_TEST(name##_unmatched, .id = "ses.3.4.5.3.2." slug "-stops-after-no-match",                \
             .requirements = "SES-125 ROB-042", .role = UET_ROLE_INITIATOR, .needs = (claims),     \
             .purpose = "After RC_NO_MATCH the FEP ends " what " of which not all was sent by "    \
                        "UET_MSG_ERROR.",                                                          \
             .preamble = "A PDC that the FEP opened, mpr=1; RTO long.",                            \
             .stimulus = "The FEP sends 200 packets; the first is answered with RC_NO_MATCH, "     \
                         "then all that came are acknowledged.",                                   \
             .expected = "UET_MSG_ERROR with som=0, eom=1, no payload, the bytes sent as "         \
                         "message_offset, and the address of the message. Packets that were "      \
                         "under way may come before it; later "                                    \
                         "the message may come again.",                                            \
             .once = "its message may be tried again")                                             \
    {                                                                                              \
        stops_unmatched(tc, start);                                                                \
    }

STOPS_UNMATCHED(send, "a-send", "a SEND", "send multi-packet-send msg-error ack-cc", uet_do_send)
STOPS_UNMATCHED(tagged, "a-tagged-send", "a tagged send",
                "tagged multi-packet-send msg-error ack-cc", uet_do_tagged_send)
STOPS_UNMATCHED(deferrable, "a-deferrable-send", "a deferrable send",
                "deferral multi-packet-send msg-error ack-cc", uet_do_deferrable_send)

UET_TEST(
    stops_when_deferred, .id = "ses.3.4.3.4.stops-when-deferred", .requirements = "SES-147 SES-150",
    .role = UET_ROLE_INITIATOR, .needs = "deferral multi-packet-send ack-cc",
    .purpose = "A message that is deferred before all of it was sent is ended early, and comes "
               "again as a whole.",
    .preamble = "A PDC that the FEP opened, mpr=1; RTO long.",
    .stimulus = "The FEP sends 200 packets, deferrable; the first is answered with a deferral, "
                "then all that came are acknowledged; at last the RTR.",
    .expected = "A packet of the same opcode with som=0, eom=1, no payload, and the bytes sent "
                "as message_offset; nothing behind it until the RTR; then the message from "
                "its first byte on. Packets that were under way may come before the end.")
{
    hold_rto(tc);
    uint64_t handle;
    const struct uet_in *in = defers_against(tc, 200, &handle, uet_do_deferrable_send), *last = in;
    uint32_t sent = runs_to(tc, in->pdc, psn_of(in), 200, &last) + 1;
    if (sent >= 199)
        uet_skip(tc, "nothing stops the FEP"); /* as mpr=1 should have (PDS-060) */
    struct uet_out ack = deferring_ack(in, 0);
    say(tc, &ack);
    say_ack_cc(tc, last, psn_of(last), 1);
    const struct uet_in *stop = hear(tc, "SES-147", REQUEST_ON(in->pdc));
    for (; stop->packet.payload_len && sent < 199; sent++)
        stop = hear(tc, "SES-147", REQUEST_ON(in->pdc)); /* they were under way already */
    tells_the_end(tc, "SES-147", stop, UET_OP_DEFERRABLE_SEND, sent);
    struct uet_out end = uet_ack(stop->pdc, stop);
    say(tc, &end);
    silence(tc, "SES-147", REQUEST_ON(NULL), .within = 20 * UET_MS);
    struct uet_out rtr = rtr_for(uet_pdc_open(tc), in, 0x55);
    accepted(tc, "SES-150", &rtr);
    const struct uet_in *again = hear_restart(tc, "SES-150", in, 0x55);
    field(tc, "SES-168", again, UET_F_SES_SOM, 1);
    payload_bytes(tc, "SES-150", again, uet_tc_dut(tc)->payload_mtu);
}

/* The end of it, while others of its packets are outstanding. */
static void ends_at_what_was_sent(struct uet_tc *tc, uint8_t opcode, start_send *start)
{
    uint64_t handle;

    hold_rto(tc);
    const struct uet_in *in = defers_against(tc, 200, &handle, start), *last = in;
    uint32_t sent = runs_to(tc, in->pdc, psn_of(in), 200, &last) + 1;
    if (sent < 3 || sent >= 199)
        uet_skip(tc, "the FEP sends %u packets without an ACK", sent);
    struct uet_out ack = deferring_ack(in, 0);
    say(tc, &ack);
    say_ack_cc(tc, in, psn_of(in) + 1, 1);
    const struct uet_in *stop = next_of_message(tc, "SES-147", in, last);
    for (; stop->packet.payload_len && sent < 199; sent++)
        stop = hear(tc, "SES-147", REQUEST_ON(in->pdc)); /* they were under way already */
    field(tc, "SES-147", stop, UET_F_SES_OPCODE, opcode);
    field(tc, "SES-147", stop, UET_F_SES_MESSAGE_OFFSET, sent * uet_tc_dut(tc)->payload_mtu);
    say_ack_cc(tc, stop, psn_of(stop), 1);
}

UET_TEST(deferred_while_outstanding, .id = "ses.3.4.3.4.deferred-while-outstanding",
         .requirements = "SES-147", .role = UET_ROLE_INITIATOR,
         .needs = "deferral multi-packet-send ack-cc", .once = "its send stays deferred",
         .purpose = "The end of a deferred message tells what was sent, acknowledged or not.",
         .preamble = "A PDC that the FEP opened, mpr=1; RTO long.",
         .stimulus = "The FEP sends 200 packets, deferrable; the first is answered with a "
                     "deferral, the one behind it is acknowledged; no more, unless nothing comes.",
         .expected = "A packet of the same opcode with eom=1 and no payload, whose message_offset "
                     "is the bytes of all packets that came.")
{
    ends_at_what_was_sent(tc, UET_OP_DEFERRABLE_SEND, uet_do_deferrable_send);
}

UET_TEST(tagged_while_outstanding, .id = "ses.3.4.3.4.tagged-deferred-while-outstanding",
         .requirements = "SES-147", .role = UET_ROLE_INITIATOR,
         .needs = "deferral tagged multi-packet-send ack-cc", .once = "its send stays deferred",
         .purpose = "The end of a deferred tagged message tells, by its own opcode, what was sent, "
                    "acknowledged or not.",
         .preamble = "A PDC that the FEP opened, mpr=1; RTO long.",
         .stimulus =
             "The FEP sends 200 packets, deferrable and tagged; the first is answered with "
             "a deferral, the one behind it is acknowledged; no more, unless nothing comes.",
         .expected = "UET_DEFERRABLE_TSEND with eom=1 and no payload, whose message_offset is the "
                     "bytes of all packets that came.")
{
    ends_at_what_was_sent(tc, UET_OP_DEFERRABLE_TSEND, uet_do_deferrable_tagged_send);
}
