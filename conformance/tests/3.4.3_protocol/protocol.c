/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.4.3: ranges, truncation, generations, what is stored. */
#include "conformance/tests/ses.h"

UET_TEST(oversize_fails_at_once, .id = "ses.3.4.3.oversize-fails-at-once",
         .requirements = "SES-066", .role = UET_ROLE_TARGET, .needs = "write",
         .purpose = "A message that does not fit its region fails on its first packet.",
         .preamble = "A region of one Payload MTU; PDC open.",
         .stimulus = "The first packet of a WRITE of two MTUs at offset 0.",
         .expected = "An error response to that packet.")
{
    uint32_t mtu = uet_tc_dut(tc)->payload_mtu;
    const struct uet_ut_memory like = {
        .job_id = 0xa20, .pid_on_fep = 3, .resource_index = 30, .key = 0x2002, .length = mtu};
    struct uet_memory m = uet_need_memory_like(tc, &like);
    struct uet_pdc *pdc = uet_pdc_open(tc);
    struct uet_out o[2];
    uet_message(pdc, UET_OP_WRITE, &m, 0, uet_tc_bytes(tc, 2 * mtu), 2 * mtu, o, 2);
    uet_rud_rod_req_ar_set(o[0].pds, true);
    const struct uet_in *in = answer(tc, &o[0]);
    uet_check(tc, "SES-066",
              uet_is_ses_response(&in->packet) &&
                  uet_ses_rsp_return_code(uet_ses(&in->packet)) > UET_RC_OK,
              "the first packet of a message that cannot fit was accepted");
    pdc->next_psn--; /* the second packet was never sent */
}

UET_TEST(truncated_send, .id = "ses.3.4.3.truncated-send", .requirements = "SES-102",
         .role = UET_ROLE_TARGET, .needs = "truncation", .claim_binds = true,
         .purpose = "A target that truncates an overlong send tells it by modified_length.",
         .preamble = "A 100-byte buffer posted in truncate mode; PDC open.",
         .stimulus = "SEND of 200 bytes.",
         .expected = "RC_OK with modified_length 100 (RC_TOO_LONG where truncation is not chosen).")
{
    if (!uet_tc_ut(tc))
        uet_skip_for(tc, UET_SKIP_NO_UPPER_TESTER,
                     "only an upper tester posts a truncating buffer");
    struct uet_memory m = uet_need_receive(tc, 64, 0);
    const struct uet_ut_receive post = {.job_id = m.job_id,
                                        .pid_on_fep = m.pid_on_fep,
                                        .resource_index = m.resource_index,
                                        .length = 100,
                                        .truncate = true};
    uet_did(tc, uet_ut_post_recv(uet_tc_ut(tc), &post, NULL), "post_recv");
    struct uet_pdc *pdc = uet_pdc_open(tc);
    struct uet_out o = uet_send_message(pdc, &m, uet_tc_bytes(tc, 200), 200);
    const struct uet_in *in = answer(tc, &o);
    uet_check(tc, "SES-102", uet_is_ses_response(&in->packet), "the ACK carries no SES response");
    const uint8_t *ses = uet_ses(&in->packet);
    if (uet_ses_rsp_return_code(ses) == UET_RC_TOO_LONG)
        return;
    uet_check_enum(tc, "SES-102", "ses.return_code", UET_ENUM_SES_RETURN_CODE,
                   uet_ses_rsp_return_code(ses), UET_RC_OK);
    uet_check_eq(tc, "SES-102", "ses.modified_length", uet_ses_rsp_modified_length(ses), 100);
}

UET_TEST(wrong_generation, .id = "ses.3.4.3.6.3.wrong-generation", .requirements = "SES-105",
         .role = UET_ROLE_TARGET, .needs = "generations",
         .purpose = "A wrong ri_generation is answered with the current one.",
         .preamble = "A send resource with generation 9, a buffer posted; PDC open.",
         .stimulus = "SENDs with ri_generation 10 and 8.",
         .expected = "RC_BAD_GENERATION with ri_generation 9 for each.")
{
    if (!uet_tc_ut(tc))
        uet_skip_for(tc, UET_SKIP_NO_UPPER_TESTER,
                     "only an upper tester opens a resource with generations");
    struct uet_memory m = uet_need_receive(tc, 64, 1);
    const struct uet_ut_service service = {.job_id = m.job_id,
                                           .pid_on_fep = m.pid_on_fep,
                                           .resource_index = m.resource_index,
                                           .ri_class = UET_UT_SEND,
                                           .has_generation = true,
                                           .generation = 9};
    uet_did(tc, uet_ut_service(uet_tc_ut(tc), &service), "service");
    struct uet_pdc *pdc = uet_pdc_open(tc);
    for (uint8_t generation = 10; generation >= 8; generation = (uint8_t)(generation - 2)) {
        m.ri_generation = generation;
        struct uet_out o = uet_send_message(pdc, &m, "generation", 10);
        const struct uet_in *in = refused(tc, "SES-105", &o, UET_RC_BAD_GENERATION);
        uet_check_eq(tc, "SES-105", "ses.ri_generation",
                     uet_ses_rsp_ri_generation(uet_ses(&in->packet)), 9);
    }
}
