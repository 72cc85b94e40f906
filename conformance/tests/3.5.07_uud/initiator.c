/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.7.4, 3.5.10.12: a source of datagrams. */
#include "conformance/harness/steps/target.h"
#include "conformance/tests/pds.h"

UET_TEST(uud_sent_once, .id = "pds.3.5.7.4.sent-once", .requirements = "PDS-181 PDS-182 PDS-183",
         .role = UET_ROLE_INITIATOR, .needs = "uud",
         .purpose = "A datagram is one UUD packet, sent once, without a PDC.", .preamble = "None.",
         .stimulus = "The FEP sends 64 bytes over UUD; the tester stays silent.",
         .expected = "One UUD Request: flags 0, UET_DATAGRAM_SEND, som and eom, message_id 0; no "
                     "resend, no packet of a PDC.")
{
    struct uet_ut_operation op = uet_op(tc, 64);
    op.mode = UET_UT_MODE_UUD;
    uet_do_send(tc, &op);
    const struct uet_in *in = hear(tc, "PDS-181", DATAGRAM);
    uet_check_eq(tc, "PDS-182", "flags", uet_uud_req_flags_rsvd(uet_pds(&in->packet)), 0);
    field(tc, "PDS-183", in, UET_F_SES_OPCODE, UET_OP_DATAGRAM_SEND);
    field(tc, "PDS-183", in, UET_F_SES_MESSAGE_ID, 0);
    field(tc, "PDS-183", in, UET_F_SES_REQUEST_LENGTH, 64);
    field(tc, "PDS-183", in, UET_F_SES_SOM, 1);
    field(tc, "PDS-183", in, UET_F_SES_EOM, 1);
    uet_check_eq(tc, "PDS-183", "bytes that came", in->packet.payload_len, 64);
    silence(tc, "PDS-181", .named = "another packet", .within = 4 * one_rto(tc));
}

UET_TEST(uud_goes_without_a_pdc, .id = "pds.3.5.7.4.goes-without-a-pdc", .requirements = "PDS-181",
         .role = UET_ROLE_INITIATOR, .needs = "uud any-request", .params = "max-pdcs",
         .purpose = "A datagram is sent where no PDC is free.",
         .preamble = "PDCs to the FEP, until it refuses one.",
         .stimulus = "The FEP sends 64 bytes over UUD.",
         .expected = "A UUD Request. That it comes only when a PDC may have become free, after "
                     "Close_REQ_Time, is a finding.")
{
    const uint64_t free_ns = leave_no_pdc(tc);
    struct uet_ut_operation op = uet_op(tc, 64);
    op.mode = UET_UT_MODE_UUD;
    uet_do_send(tc, &op);
    const uint64_t begun = uet_tc_now(tc);
    did_not_wait(tc, "PDS-181", hear(tc, "PDS-181", DATAGRAM), begun, free_ns);
}

UET_TEST(uud_one_packet, .id = "ses.3.4.1.14.datagram-of-more-than-a-packet",
         .requirements = "SES-036", .role = UET_ROLE_INITIATOR, .needs = "uud",
         .purpose = "A datagram is one packet: what does not fit is refused, and not sent.",
         .preamble = "None.",
         .stimulus = "The FEP is asked to send a payload MTU and a byte over UUD; then 64 bytes.",
         .expected = "The first is refused, or ends; no packet of it comes. The second comes.")
{
    struct uet_ut_operation op = uet_op(tc, uet_tc_dut(tc)->payload_mtu + 1u);
    uint64_t handle;
    op.mode = UET_UT_MODE_UUD;
    if (uet_ut_send(uet_tc_ut(tc), &op, &handle) == 0)
        silence(tc, "SES-036", .named = "a packet of a datagram that does not fit in one",
                .within = uet_tc_quiet(tc) / 4);
    op.length = 64;
    uet_do_send(tc, &op);
    field(tc, "SES-036", hear(tc, "SES-036", DATAGRAM), UET_F_SES_REQUEST_LENGTH, 64);
}

static void is_one_packet(struct uet_tc *tc, uint32_t length)
{
    const struct uet_in *in = hear(tc, "SES-036", DATAGRAM);
    field(tc, "SES-036", in, UET_F_SES_SOM, 1);
    field(tc, "SES-036", in, UET_F_SES_EOM, 1);
    field(tc, "SES-036", in, UET_F_SES_REQUEST_LENGTH, length);
    payload_bytes(tc, "SES-036", in, length);
}

UET_TEST(uud_whole_packet, .id = "ses.3.4.1.14.datagram-of-a-whole-packet",
         .requirements = "SES-036", .role = UET_ROLE_INITIATOR, .needs = "uud",
         .purpose = "What just fits into a packet is a datagram like any other.",
         .preamble = "None.",
         .stimulus = "The FEP sends a byte less than a payload MTU over UUD, a byte, and a payload "
                     "MTU.",
         .expected = "One packet each, som=1 and eom=1, with all of it; nothing behind it. To "
                     "refuse the last one is a finding.")
{
    const uint32_t mtu = uet_tc_dut(tc)->payload_mtu, lengths[] = {mtu - 1, 1};
    struct uet_ut_operation op = uet_op(tc, mtu);
    uint64_t handle;
    op.mode = UET_UT_MODE_UUD;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        op.length = lengths[i];
        uet_do_send(tc, &op);
        is_one_packet(tc, op.length);
    }
    op.length = mtu;
    if (uet_tries(tc, &op, "send", uet_ut_send, &handle))
        is_one_packet(tc, mtu);
    else
        uet_other_reading(tc, "SES-036", "of %u bytes a datagram is taken, of %u it is not: %s",
                          mtu - 1, mtu, uet_tc_ut(tc)->error);
    silence(tc, "SES-036", DATAGRAM, .within = uet_tc_quiet(tc) / 4);
}

UET_TEST(uud_without_free_pdc, .id = "pds.3.5.7.4.without-a-free-pdc", .requirements = "PDS-181",
         .role = UET_ROLE_INITIATOR, .needs = "uud rud any-request", .params = "max-pdcs",
         .purpose = "A datagram needs no PDC, so it goes when none is free.",
         .preamble = "PDCs opened to the FEP until it refuses one.",
         .stimulus = "The FEP sends 64 bytes over UUD.", .expected = "The datagram comes.")
{
    struct uet_ut_operation op = uet_op(tc, 64);
    op.mode = UET_UT_MODE_UUD;
    use_up_pdcs(tc);
    uet_do_send(tc, &op);
    hear(tc, "PDS-181", DATAGRAM);
}

/* What no datagram asks for: a NACK of its own, and an error for its message. */
static void refuse_datagram(struct uet_tc *tc, const struct uet_in *in)
{
    struct uet_out nack = uet_rudi_nack(tc, in, UET_NACK_INV_DPDCID);
    say(tc, &nack);
}

UET_TEST(uud_without_msg_error, .id = "ses.3.4.6.2.no-msg-error-on-uud", .requirements = "SES-037",
         .role = UET_ROLE_INITIATOR, .needs = "uud",
         .purpose = "UET_MSG_ERROR is not sent on UUD, whatever becomes of a datagram.",
         .preamble = "None.",
         .stimulus = "The FEP sends 64 bytes over UUD, three times; the tester refuses each with a "
                     "NACK, which no datagram may get.",
         .expected = "UET_DATAGRAM_SEND each time; no UET_MSG_ERROR.")
{
    struct uet_ut_operation op = uet_op(tc, 64);
    op.mode = UET_UT_MODE_UUD;
    for (int i = 0; i < 3; i++) {
        uet_do_send(tc, &op);
        const struct uet_in *in = hear(tc, "SES-037", DATAGRAM);
        field_is_not(tc, "SES-037", in, UET_F_SES_OPCODE, UET_OP_MSG_ERROR);
        refuse_datagram(tc, in);
    }
    silence(tc, "SES-037", DATAGRAM, .within = 4 * one_rto(tc));
}
