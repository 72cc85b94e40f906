/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.7.3, 3.5.22: a RUDI source, its pkt_ids and its resends. */
#include "conformance/tests/rudi.h"

#define RTO     (4 * UET_MS)
#define PACKETS 6u

/* The next one, if the FEP sends more than it has answers for. */
static const struct uet_in *another_request(struct uet_tc *tc)
{
    static const struct uet_want want = {.kind = UET_WANT_RUDI_REQUEST, .also = first_copy};

    return uet_maybe(tc, &want, uet_tc_latest(tc, UET_MS));
}

static struct uet_want copy_of(const struct uet_in *in)
{
    return (struct uet_want){.kind = UET_WANT_RUDI_REQUEST,
                             .with_psn = true,
                             .psn = uet_pkt_id(&in->packet),
                             .again = true};
}

static void answer(struct uet_tc *tc, const struct uet_in *in)
{
    struct uet_out o = uet_rudi_answer(tc, in, UET_RC_OK);

    uet_send(tc, &o);
}

UET_TEST(
    rudi_pkt_ids_differ, .id = "pds.3.5.7.3.pkt-ids-differ",
    .requirements = "PDS-172 PDS-174 PDS-234", .role = UET_ROLE_INITIATOR, .needs = "rudi",
    .purpose = "Each outstanding RUDI packet has a pkt_id of its own; there is no PDC.",
    .preamble = "RTO long.", .stimulus = "The FEP writes 6 MTUs over RUDI; then the answers.",
    .expected =
        "RUDI Requests, those outstanding of different pkt_id; no RUD or ROD packet; it completes.")
{
    const struct uet_in *in[PACKETS], *more;
    hold_rto(tc);
    uint64_t handle = rudi_writes(tc, PACKETS * uet_tc_dut(tc)->payload_mtu);
    uint32_t n = 0;
    for (uint32_t i = 0; i < PACKETS; i++) {
        in[i] = i ? another_request(tc) : rudi_request(tc);
        if (!in[i])
            break; /* it keeps fewer outstanding */
        n++;
        const uint8_t *h = uet_pds(&in[i]->packet);
        uet_check(tc, "PDS-234",
                  !uet_rudi_req_rsvd(h) && !uet_rudi_rsvd_at12(h) && !uet_rudi_rsvd(h),
                  "a reserved bit of the RUDI Request is set");
        for (uint32_t j = 0; j < i; j++)
            uet_check(tc, "PDS-172", uet_pkt_id(&in[i]->packet) != uet_pkt_id(&in[j]->packet),
                      "pkt_id 0x%08x names two packets", uet_pkt_id(&in[i]->packet));
    }
    const struct uet_want on_pdc = {.kind = UET_WANT_REQUEST, .named = "a Request on a PDC"};
    uet_expect_nothing(tc, "PDS-174", &on_pdc, UET_US);
    for (uint32_t i = 0; i < n; i++)
        answer(tc, in[n - 1 - i]); /* no order is implied */
    for (; n < PACKETS && (more = rudi_request(tc)); n++)
        answer(tc, more);
    struct uet_ut_completion c = uet_expect_completion(tc, handle);
    uet_check_eq(tc, "PDS-174", "completion status", c.status, UET_UT_OK);
}

UET_TEST(rudi_resends, .id = "pds.3.5.22.resends-and-ends", .requirements = "PDS-175 PDS-177",
         .role = UET_ROLE_INITIATOR, .needs = "rudi", .contested = true,
         .purpose = "An unanswered RUDI Request comes again with its pkt_id, and not for ever.",
         .preamble = "RTO 4 ms, Max_RTO_Retx_Cnt 3.",
         .stimulus = "The FEP writes 16 bytes over RUDI; the tester stays silent.",
         .expected = "The same pkt_id after 4 ms, and twice more; then nothing, and the write "
                     "ends in error. retx=1 in the copies; retx=0 is a finding.")
{
    uet_set_param(tc, "RTO_Init_Time", RTO);
    uet_set_param(tc, "Max_RTO_Retx_Cnt", 3);
    uint64_t handle = rudi_writes(tc, 16);
    const struct uet_in *in = rudi_request(tc);
    const struct uet_want again = copy_of(in);
    uint64_t since = in->time_ns;
    for (int i = 0; i < 3; i++) {
        in = uet_expect(tc, &again, uet_tc_latest(tc, RTO << i));
        uet_check(tc, "PDS-177", uet_rudi_retx(uet_pds(&in->packet)),
                  "retx=0 in a resent RUDI Request");
        if (i == 0)
            uet_check(tc, "PDS-175", in->time_ns - since + uet_tc_tolerance(tc, RTO) >= RTO,
                      "it came again after %.3f ms, before RTO_Init_Time",
                      (double)(in->time_ns - since) / 1e6);
    }
    uet_expect_nothing(tc, "PDS-175", &again, (RTO << 5) + 10 * UET_MS);
    struct uet_ut_completion c = uet_expect_completion(tc, handle);
    uet_check(tc, "PDS-175", c.status != UET_UT_OK, "the write was reported as done");
}

UET_TEST(rudi_late_response, .id = "pds.3.5.22.late-response-ignored", .requirements = "PDS-176",
         .role = UET_ROLE_INITIATOR, .needs = "rudi",
         .purpose = "A second RUDI Response, or a late one, is ignored.", .preamble = "RTO long.",
         .stimulus = "The FEP writes 16 bytes over RUDI; its response comes twice, the second "
                     "time with an error. It writes again, and the old error comes once more "
                     "before the answer.",
         .expected = "One completion of each write, both without error; no packet in return.")
{
    hold_rto(tc);
    uint64_t handle = rudi_writes(tc, 16);
    const struct uet_in *in = rudi_request(tc);
    struct uet_out late = uet_rudi_answer(tc, in, UET_RC_BAD_INDEX);
    answer(tc, in);
    struct uet_ut_completion c = uet_expect_completion(tc, handle);
    uet_check_eq(tc, "PDS-176", "completion status", c.status, UET_UT_OK);
    uet_send(tc, &late);
    const struct uet_want any = {.named = "a packet that answers a late response"};
    uet_expect_nothing(tc, "PDS-176", &any, 0);
    uet_check(tc, "PDS-176", !uet_completion(tc, handle, UET_MS, &c),
              "the write completed a second time");
    handle = rudi_writes(tc, 16);
    in = rudi_request(tc);
    uet_send(tc, &late);
    answer(tc, in);
    c = uet_expect_completion(tc, handle);
    uet_check_eq(tc, "PDS-176", "completion status", c.status, UET_UT_OK);
}

UET_TEST(rudi_nack_resends, .id = "pds.3.5.10.10.rudi-nack-resends",
         .requirements = "PDS-179 PDS-175", .role = UET_ROLE_INITIATOR, .needs = "rudi",
         .params = "NACK_Retx_Time",
         .purpose = "A NACK with nt=1 makes the source send that pkt_id again.",
         .preamble = "RTO long.",
         .stimulus = "The FEP writes 16 bytes over RUDI; NACK UET_TRIMMED, nt=1, its pkt_id, both "
                     "PDCIDs 0.",
         .expected = "The same pkt_id again after NACK_Retx_Time; answered, the write completes.")
{
    hold_rto(tc);
    uint64_t handle = rudi_writes(tc, 16);
    const struct uet_in *in = rudi_request(tc);
    struct uet_out nack = uet_rudi_nack(tc, in, UET_NACK_TRIMMED);
    const struct uet_want again = copy_of(in);
    uet_send(tc, &nack);
    in =
        uet_expect(tc, &again, patience(tc, uet_tc_latest(tc, uet_tc_param(tc, "NACK_Retx_Time"))));
    answer(tc, in);
    struct uet_ut_completion c = uet_expect_completion(tc, handle);
    uet_check_eq(tc, "PDS-179", "completion status", c.status, UET_UT_OK);
}

UET_TEST(rudi_only_idempotent, .id = "pds.3.5.7.3.only-idempotent", .requirements = "PDS-180",
         .role = UET_ROLE_INITIATOR, .needs = "rudi",
         .purpose = "RUDI is used for idempotent operations only.", .preamble = "None.",
         .stimulus = "The FEP is asked to SEND over RUDI, and then to WRITE over RUDI.",
         .expected = "The SEND is refused or goes another way; only the WRITE comes over RUDI.")
{
    struct uet_ut_operation op = uet_op(tc, 16);
    uint64_t handle = 0;
    op.mode = UET_UT_MODE_RUDI;
    bool taken = uet_ut_send(uet_tc_ut(tc), &op, &handle) == 0;
    uint64_t write = rudi_writes(tc, 16);
    const struct uet_in *in = rudi_request(tc);
    uet_check_enum(tc, "PDS-180", "ses.opcode", UET_ENUM_SES_REQ_OPCODE,
                   uet_ses_req_opcode(uet_ses(&in->packet)), UET_OP_WRITE);
    answer(tc, in);
    uet_expect_completion(tc, write);
    uet_note(tc, "PDS-180", "a SEND over RUDI was %s", taken ? "taken" : "refused");
}
