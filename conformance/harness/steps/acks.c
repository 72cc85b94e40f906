/* SPDX-License-Identifier: BSD-2-Clause */
/* ACKs and NACKs that the tester says. */
#include "conformance/harness/steps/acks.h"

#include "conformance/harness/context/context.h"

void psn_follows(struct uet_tc *tc, const char *requirement, const struct uet_in *in,
                 uint32_t before)
{
    uint32_t psn = before + 1;

    while (uet_psn_diff(psn, psn_of(in)) < 0 && uet_psn_diff(psn, in->pdc->cack) <= 0)
        psn++;
    field(tc, requirement, in, UET_F_PDS_PSN, psn);
}

struct uet_out ack_at(const struct uet_in *in, uint32_t cack_psn, uint32_t ack_psn)
{
    struct uet_out ack = uet_ack(in->pdc, in);

    uet_ack_cack_psn_set(ack.pds, cack_psn);
    uet_ack_ack_psn_offset_set(ack.pds, (int16_t)uet_psn_diff(ack_psn, cack_psn));
    return ack;
}

void set_sack(struct uet_out *ack_cc, uint32_t psn, uint64_t bits)
{
    int32_t offset = uet_psn_diff(psn, uet_ack_cack_psn(ack_cc->pds));

    uet_ack_cc_sack_psn_offset_set(ack_cc->pds, (int16_t)offset);
    uet_ack_cc_sack_bitmap_set(ack_cc->pds, bits);
}

struct uet_out naming_ack(const struct uet_in *in, uint8_t opcode, uint8_t return_code)
{
    struct uet_out ack = uet_ack_with(in->pdc, in, opcode, UET_LIST_EXPECTED, return_code);

    uet_ack_cack_psn_set(ack.pds, psn_of(in) - 1);
    uet_ack_ack_psn_offset_set(ack.pds, 1);
    return ack;
}

struct uet_out guaranteed_ack(const struct uet_in *in, uint8_t return_code)
{
    struct uet_out ack = naming_ack(in, UET_RSP_RESPONSE, return_code);

    uet_ack_req_set(ack.pds, UET_ACK_REQ_CLEAR);
    return ack;
}

void resume_acks(struct uet_tc *tc, const struct uet_in *in)
{
    struct uet_out ack = uet_ack(in->pdc, in);

    say(tc, &ack);
    uet_auto_ack(tc, true);
}

void say_nack(struct uet_tc *tc, const struct uet_in *in, uint8_t code)
{
    struct uet_out nack = uet_nack(in->pdc, psn_of(in), code);

    if (uet_nack_table[code].spdcid == UET_SPDCID_ZERO)
        uet_nack_spdcid_set(nack.pds, 0);
    uet_nack_retx_set(nack.pds, uet_rud_rod_req_retx(uet_pds(&in->packet))); /* CPs have it there */
    say(tc, &nack);
}

const struct uet_in *copy_to_refuse(struct uet_tc *tc, const struct uet_in *in)
{
    const bool again = uet_tc_place(tc, UET_OVER_REFUSED);
    uint64_t delay, most;

    if (!again || !uet_tc_told(tc, "NACK_Retx_Time", &delay) ||
        (uet_tc_told(tc, "Max_NACK_Retx_Cnt", &most) && most < 2))
        return in;
    say_nack(tc, in, UET_NACK_NO_PKT_BUFFER);
    return hear(tc, "PDS-135", RESEND_OF(in),
                .within = uet_tc_latest(tc, delay) + uet_tc_dut(tc)->response_time_ns / 2);
}

/* What has come on its PDC since then has come before: an RTO is over. */
static bool has_sent_again(const struct uet_in *in)
{
    const struct uet_pdc *pdc = in->pdc;

    while ((in = in->next))
        if (in->pdc == pdc && in->retransmission)
            return true;
    return false;
}

void ask_to_drain(struct uet_tc *tc, const struct uet_in *in)
{
    if (uet_has_syn(&in->packet) || !uet_tc_place(tc, UET_OVER_CLOSE))
        return;
    struct uet_out request = uet_cp(in->pdc, UET_CTL_CLOSE_REQUEST);
    say(tc, &request);
    if (!maybe(tc, ACK_OF(&request)))
        uet_skip(tc,
                 "a Close Request is not acknowledged"); /* pds.3.5.8.3.close-request-honoured */
    if (has_sent_again(in))
        uet_skip(tc, "the FEP acknowledges a Close Request later than it sends again");
}
