/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.4.5: errors stay inside their message; initiator errors. */
#include "conformance/tests/ses.h"

UET_TEST(initiator_error, .id = "ses.3.4.5.4.1.initiator-error", .requirements = "SES-112 SES-111",
         .role = UET_ROLE_TARGET, .needs = "write",
         .purpose = "A packet with ie=1 touches no memory and ends in RC_INITIATOR_ERROR.",
         .preamble = "A region; PDC open.", .stimulus = "WRITE with ie=1.",
         .expected = "UET_RESPONSE with RC_INITIATOR_ERROR; memory unchanged.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *pdc = uet_pdc_open(tc);
    uint8_t before[64];
    memory_now(tc, &m, 0, before, sizeof before);
    struct uet_out o = uet_write(pdc, &m, 0, "unusable", 8);
    uet_ses_req_ie_set(o.ses, true);
    uet_for(tc, "SES-112");
    const struct uet_in *in = answer(tc, &o);
    memory_unchanged(tc, "SES-111", &m, 0, before, sizeof before);
    uet_check_return_code(tc, "SES-112", in, UET_RC_INITIATOR_ERROR);
}

UET_TEST(earlier_error_wins, .id = "ses.3.4.5.4.1.earlier-error-wins", .requirements = "SES-113",
         .role = UET_ROLE_TARGET, .needs = "write",
         .purpose = "An error that came before ie=1 is the one that counts.",
         .preamble = "PDC open.",
         .stimulus = "A two-packet WRITE: the first with a bad key, the second with ie=1.",
         .expected = "The second packet is answered with RC_BAD_MKEY too.")
{
    uint32_t mtu = uet_tc_dut(tc)->payload_mtu;
    struct uet_memory m = uet_need_memory(tc, 2 * mtu);
    struct uet_pdc *pdc = uet_pdc_open(tc);
    struct uet_out o[2];
    m.key ^= 0x777;
    uet_message(pdc, UET_OP_WRITE, &m, 0, uet_tc_bytes(tc, mtu + 8), mtu + 8, o, 2);
    uet_rud_rod_req_ar_set(o[0].pds, true);
    refused(tc, "SES-113", &o[0], UET_RC_BAD_MKEY);
    uet_ses_req_ie_set(o[1].ses, true);
    refused(tc, "SES-113", &o[1], UET_RC_BAD_MKEY);
}

UET_TEST(errors_stay_inside, .id = "ses.3.4.5.errors-stay-inside", .requirements = "SES-115",
         .role = UET_ROLE_TARGET, .needs = "write",
         .purpose = "An error in one message touches no other message of the PDC.",
         .preamble = "A region; PDC open.",
         .stimulus = "Of a good two-packet WRITE the second packet is late: between the two arrive "
                     "a WRITE with a bad key and a good one.",
         .expected = "RC_BAD_MKEY for the bad one, success for the others.")
{
    uint32_t mtu = uet_tc_dut(tc)->payload_mtu;
    struct uet_memory m = uet_need_memory(tc, 2 * mtu), bad = m;
    struct uet_pdc *pdc = uet_pdc_open(tc);
    const uint8_t *data = uet_tc_bytes(tc, mtu + 64);
    struct uet_out o[2];
    bad.key ^= 0x777;
    uet_message(pdc, UET_OP_WRITE, &m, 0, data, mtu + 64, o, 2);
    uet_rud_rod_req_ar_set(o[0].pds, true);
    accepted(tc, "SES-115", &o[0]);
    struct uet_out wrong = uet_write(pdc, &bad, 0, "bad", 3);
    refused(tc, "SES-115", &wrong, UET_RC_BAD_MKEY);
    struct uet_out next = uet_write(pdc, &m, mtu + 100, "good", 4);
    accepted(tc, "SES-115", &next);
    accepted(tc, "SES-115", &o[1]);
    memory_holds(tc, "SES-115", &m, 0, data, mtu + 64);
}

UET_TEST(error_outlives_its_packet, .id = "ses.3.4.5.error-outlives-its-packet",
         .requirements = "SES-116", .role = UET_ROLE_TARGET, .needs = "write",
         .purpose = "After the first error of a message its later packets fail too, though nothing "
                    "is wrong with them.",
         .preamble = "A region; PDC open.",
         .stimulus = "A two-packet WRITE, ie=1 in the first packet only.",
         .expected = "RC_INITIATOR_ERROR for both; memory unchanged.")
{
    uint32_t mtu = uet_tc_dut(tc)->payload_mtu;
    struct uet_memory m = uet_need_memory(tc, 2 * mtu);
    struct uet_pdc *pdc = uet_pdc_open(tc);
    struct uet_out o[2];
    uint8_t before[64];
    memory_now(tc, &m, mtu, before, sizeof before);
    uet_message(pdc, UET_OP_WRITE, &m, 0, uet_tc_bytes(tc, mtu + 64), mtu + 64, o, 2);
    uet_rud_rod_req_ar_set(o[0].pds, true);
    uet_ses_req_ie_set(o[0].ses, true);
    refused(tc, "SES-116", &o[0], UET_RC_INITIATOR_ERROR);
    refused(tc, "SES-116", &o[1], UET_RC_INITIATOR_ERROR);
    memory_unchanged(tc, "SES-116", &m, mtu, before, sizeof before);
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
    const struct uet_ut_memory like = {
        .job_id = 0xa21, .pid_on_fep = 3, .resource_index = 31, .key = 0x2003, .length = 2 * mtu};
    struct uet_memory m = uet_need_memory_like(tc, &like);
    struct uet_pdc *pdc = uet_pdc_open(tc);
    struct uet_out o[3];
    uint8_t before[64], code = UET_RC_OK;
    memory_now(tc, &m, mtu, before, sizeof before);
    uet_message(pdc, UET_OP_WRITE, &m, 0, uet_tc_bytes(tc, 2 * mtu + 8), 2 * mtu + 8, o, 3);
    uet_for(tc, "SES-116");
    for (int i = 0; i < 3; i++) {
        uet_rud_rod_req_ar_set(o[i].pds, true);
        const struct uet_in *in = answer(tc, &o[i]);
        uet_check(tc, "SES-116", uet_is_ses_response(&in->packet),
                  "the ACK of a failed message carries no SES response");
        uint8_t now = uet_ses_rsp_return_code(uet_ses(&in->packet));
        if (code > UET_RC_OK)
            uet_check_enum(tc, "SES-116", "ses.return_code", UET_ENUM_SES_RETURN_CODE, now, code);
        code = now;
    }
    memory_unchanged(tc, "SES-116", &m, mtu, before, sizeof before);
}

UET_TEST(error_without_ar, .id = "ses.3.4.5.error-without-ack-request",
         .requirements = "SES-120 SES-117", .role = UET_ROLE_TARGET, .needs = "write",
         .purpose = "The error of a request that asks for no ACK is told all the same.",
         .preamble = "A region; PDC open.",
         .stimulus = "A WRITE with an unknown key and ar=0, then a good one with ar=1.",
         .expected = "UET_RESPONSE with RC_BAD_MKEY for the first; the second succeeds.")
{
    struct uet_memory m = uet_need_memory(tc, 64), wrong = m;
    struct uet_pdc *pdc = uet_pdc_open(tc);
    wrong.key ^= 0x777;
    struct uet_out bad = uet_write(pdc, &wrong, 0, "no key", 6);
    struct uet_out good = uet_write(pdc, &m, 0, "key", 3);
    uet_rud_rod_req_ar_set(bad.pds, false);
    uet_send(tc, &bad);
    uet_send(tc, &good);
    uet_for(tc, "SES-120");
    uet_check_return_code(tc, "SES-120", uet_expect_answer(tc, pdc, bad.psn), UET_RC_BAD_MKEY);
    uet_check_success(tc, "SES-120", uet_expect_answer(tc, pdc, good.psn));
}
