/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.7.4, 3.5.10.12: a source of datagrams. */
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
    const struct uet_want datagram = {.kind = UET_WANT_UUD};
    const struct uet_in *in = uet_expect(tc, &datagram, 0);
    const uint8_t *ses = uet_ses(&in->packet);
    uet_check_eq(tc, "PDS-182", "flags", uet_uud_req_flags_rsvd(uet_pds(&in->packet)), 0);
    uet_check(tc, "PDS-183", uet_is_ses_request(&in->packet), "it carries no SES request");
    uet_check_enum(tc, "PDS-183", "ses.opcode", UET_ENUM_SES_REQ_OPCODE, uet_ses_req_opcode(ses),
                   UET_OP_DATAGRAM_SEND);
    uet_check_eq(tc, "PDS-183", "ses.message_id", uet_ses_message_id(&in->packet), 0);
    uet_check_eq(tc, "PDS-183", "bytes of the message", uet_ses_request_length(&in->packet), 64);
    uet_check_eq(tc, "PDS-183", "bytes that came", in->packet.payload_len, 64);
    uet_check(tc, "PDS-183", uet_ses_req_som(ses) && uet_ses_req_eom(ses),
              "som and eom are not both set");
    const struct uet_want any = {.named = "another packet"};
    uet_expect_nothing(tc, "PDS-181", &any, 4 * one_rto(tc));
}
