/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.4.1.3.4, 3.4.1.3.5: tagged sends as the FEP sends them. */
#include "conformance/harness/steps/messages.h"
#include "conformance/tests/pds.h"

UET_TEST(tag_in_every_packet, .id = "ses.3.4.1.3.5.tag-in-every-packet",
         .requirements = "SES-095 SES-043", .role = UET_ROLE_INITIATOR,
         .needs = "tagged multi-packet-send",
         .purpose = "Match bits and initiator ID of a tagged send stand in each of its packets.",
         .preamble = "None.",
         .stimulus = "The FEP sends three packets' worth with tag 0x8123456789abcdef, as the "
                     "initiator 0xfedc0001.",
         .expected = "UET_TAGGED_SEND packets, som in the first and eom in the last, all with that "
                     "tag and initiator.")
{
    const uint32_t mtu = uet_tc_dut(tc)->payload_mtu;
    struct uet_ut_operation op = uet_op(tc, 2 * mtu + 100);
    op.key = 0x8123456789abcdef;
    uint64_t handle = uet_do_tagged_send(tc, &op);
    for (unsigned i = 0; i < 3; i++) {
        const struct uet_in *in = hear(tc, "SES-095", REQUEST_ON(NULL));
        uint32_t place = uet_ses_message_offset(&in->packet) / mtu;
        field(tc, "SES-095", in, UET_F_SES_OPCODE, UET_OP_TAGGED_SEND);
        uet_check_eq(tc, "SES-095", "match_bits", uet_ses_match_bits(&in->packet), op.key);
        check_initiator(tc, "SES-095", in);
        field(tc, "SES-043", in, UET_F_SES_SOM, place == 0);
        field(tc, "SES-043", in, UET_F_SES_EOM, place == 2);
    }
    completes(tc, "SES-095", handle, UET_UT_OK);
}
