/* SPDX-License-Identifier: BSD-2-Clause */
/* What an ACK of the FEP says, and a FEP that may say it another way. */
#include "conformance/harness/steps/answers.h"

#include <string.h>

bool cack_covers(const struct uet_in *in, const void *psn)
{
    return uet_psn_diff(uet_ack_cack_psn(uet_pds(&in->packet)), *(const uint32_t *)psn) >= 0;
}

const struct uet_in *cack_reaches(struct uet_tc *tc, const struct uet_pdc *p, uint32_t psn)
{
    return maybe(tc, CACK_UP_TO(p, psn));
}

uint32_t cack_of(const struct uet_in *in)
{
    return uet_ack_cack_psn(uet_pds(&in->packet));
}

uint8_t req_of(const struct uet_in *in)
{
    return uet_ack_req(uet_pds(&in->packet));
}

bool waits_for_clear(const struct uet_tc *tc, const struct uet_in *ack)
{
    uint32_t next = cack_of(ack) + 1;

    return uet_psn_diff(next, ack->cleared) > 0 && uet_guaranteed(tc, ack->pdc, next);
}

void check_cack(struct uet_tc *tc, const char *requirement, const struct uet_in *ack, uint32_t psn)
{
    if (uet_psn_diff(cack_of(ack), psn) >= 0 || !waits_for_clear(tc, ack))
        field(tc, requirement, ack, UET_F_PDS_CACK_PSN, psn);
}

void skip_when_guaranteed(struct uet_tc *tc, const struct uet_in *ack)
{
    if (uet_guaranteed(tc, ack->pdc, uet_packet_psn(&ack->packet)))
        uet_skip(tc, "the FEP delivers its successes with guarantee, as it may");
}

void check_req_clear(struct uet_tc *tc, const char *requirement, const struct uet_in *ack)
{
    field(tc, requirement, ack, UET_F_PDS_REQ, UET_ACK_REQ_CLEAR);
}

bool is_default_response(const struct uet_in *in)
{
    const uint8_t *ses = uet_ses(&in->packet);

    if (!uet_is_ses_response(&in->packet))
        return false;
    uint8_t opcode = uet_ses_rsp_opcode(ses), code = uet_ses_rsp_return_code(ses);
    return (opcode == UET_RSP_DEFAULT_RESPONSE || opcode == UET_RSP_NO_RESPONSE) &&
           (code == UET_RC_NULL || code == UET_RC_OK);
}

void same_response(struct uet_tc *tc, const char *requirement, const struct uet_in *in,
                   const struct uet_in *first)
{
    uet_look_at(tc, in);
    uet_check(tc, requirement,
              uet_is_ses_response(&in->packet) &&
                  memcmp(uet_ses(&in->packet), uet_ses(&first->packet), UET_SES_RSP_BYTES) == 0,
              "the response is not the one of packet %u", first->frame);
}

bool is_error_response(const struct uet_in *in)
{
    return in && uet_is_ses_response(&in->packet) &&
           uet_ses_rsp_return_code(uet_ses(&in->packet)) > UET_RC_OK;
}

uint32_t mp_range(struct uet_tc *tc, const struct uet_in *ack)
{
    uint32_t mpr;

    if (uet_is_ack_cc(&ack->packet)) {
        mpr = uet_ack_cc_mpr(uet_pds(&ack->packet));
        if (mpr == 0)
            uet_skip(tc, "the FEP advertises mpr = 0, whose meaning is contested");
    } else {
        mpr = (uint32_t)uet_tc_param(tc, "Default_MPR");
        mpr = mpr ? mpr : 1; /* 0 acts as 1 (Table 3-28) */
    }
    return 128 * mpr;
}

void second_has_second_buffer(struct uet_tc *tc, const char *requirement,
                              const struct uet_memory *m, uint32_t n)
{
    struct uet_ut_completion c = completion_of(tc, requirement, m->last_handle);

    tells_length(tc, requirement, "bytes in the second buffer", &c, n);
}
