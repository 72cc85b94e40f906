/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.5, 3.5.15: retries without end, and loss that is noticed before the RTO. */
#include "conformance/harness/steps/acks.h"
#include "conformance/tests/pds.h"

#define LONG_RTO  (4000 * UET_MS) /* half of the longest that an RTO may become (3.5.15) */
#define TAIL_LOSS (3 * UET_MS)

UET_TEST(retries_without_end, .id = "pds.3.5.5.retries-without-end", .requirements = "PDS-159",
         .role = UET_ROLE_INITIATOR, .needs = "infinite-retries", .claim_binds = true,
         .purpose = "The largest setting of Max_RTO_Retx_Cnt, 15, means retries without end.",
         .preamble = "A PDC that the FEP opened; RTO 50 us, in real time 10 us if it can be; "
                     "Max_RTO_Retx_Cnt 15.",
         .stimulus = "The FEP writes 16 bytes; the tester stays silent for 17 resends, then ACKs.",
         .expected = "The 16th and the 17th resend come too; the write completes.")
{
    const uint64_t rto = retries_soon(tc);
    uet_set_param(tc, "Max_RTO_Retx_Cnt", 15);
    struct uet_pdc *pdc = fep_opens(tc);
    uint64_t handle;
    const struct uet_in *in = fep_writes_unanswered(tc, &pdc, &handle);
    for (int i = 0; i < 17; i++)
        in =
            hear(tc, "PDS-159", RESEND_OF(in), .within = patience(tc, uet_tc_latest(tc, rto << i)));
    resume_acks(tc, in);
    completes(tc, "PDS-159", handle, UET_UT_OK);
}

UET_TEST(retries_at_the_longest, .id = "pds.3.5.5.retries-at-the-longest-rto",
         .requirements = "PDS-159", .role = UET_ROLE_INITIATOR, .needs = "infinite-retries",
         .port_caps = UET_PORT_VIRTUAL_TIME, .not_over = "all", .claim_binds = true,
         .purpose = "Retries without end go on when the RTO has become as long as it may.",
         .preamble = "A PDC that the FEP opened; RTO 4 s, Max_RTO_Retx_Cnt 15.",
         .stimulus = "The FEP writes 16 bytes; the tester stays silent for 4 resends, then ACKs.",
         .expected = "All resends come; the write completes.")
{
    uet_set_param(tc, "RTO_Init_Time", LONG_RTO);
    uet_set_param(tc, "Max_RTO_Retx_Cnt", 15);
    struct uet_pdc *pdc = fep_opens(tc);
    uint64_t handle;
    const struct uet_in *in = fep_writes_unanswered(tc, &pdc, &handle);
    for (int i = 0; i < 4; i++)
        in = hear(tc, "PDS-159", RESEND_OF(in),
                  .within = patience(tc, uet_tc_latest(tc, LONG_RTO << i)));
    resume_acks(tc, in);
    completes(tc, "PDS-159", handle, UET_UT_OK);
}

UET_TEST(tail_loss_timer, .id = "pds.3.5.5.tail-loss-timer", .requirements = "PDS-230",
         .role = UET_ROLE_INITIATOR, .not_over = "own", .needs = "tail-loss", .claim_binds = true,
         .purpose = "With a tail-loss timer the last packet of a message comes again before the "
                    "RTO.",
         .preamble = "A PDC that the FEP opened; RTO long, Tail_Loss_Time 3 ms.",
         .stimulus = "The FEP writes 2 MTUs; the first packet is acknowledged, the last is lost.",
         .expected = "The last PSN again with retx=1, not before 3 ms and long before the RTO.")
{
    hold_rto(tc);
    uet_set_param(tc, "Tail_Loss_Time", TAIL_LOSS);
    struct uet_pdc *pdc = fep_opens(tc);
    uint64_t handle;
    const struct uet_in *last = fep_holds(tc, &pdc, &handle);
    const struct uet_in *in =
        hear(tc, "PDS-230", RESEND_OF(last), .within = patience(tc, uet_tc_latest(tc, TAIL_LOSS)));
    uint64_t gap = in->time_ns - last->time_ns;
    uet_check(tc, "PDS-230", gap + uet_tc_tolerance(tc, TAIL_LOSS) >= TAIL_LOSS,
              "it came after %.3f ms, before Tail_Loss_Time", (double)gap / 1e6);
    field(tc, "PDS-230", in, UET_F_PDS_RETX, 1);
    resume_acks(tc, in);
    completion_of(tc, "PDS-230", handle);
}

/* Of 12 packets the second is missing: CACK_PSN stays before it, all behind it are in SACK. */
static void say_hole(struct uet_tc *tc, const struct uet_in **in)
{
    uint32_t first = psn_of(in[0]);
    struct uet_out ack = ack_at(in[11], first, first + 11);

    set_sack(&ack, first + 1, 0x7fe); /* PSN first+2 ... first+11 */
    uet_ack_cc_state_nscc_ooo_count_set(ack.pds + UET_ACK_CC_BYTES - UET_ACK_CC_STATE_NSCC_BYTES,
                                        10);
    say(tc, &ack);
    say(tc, &ack);
}

UET_TEST(loss_inferred_early, .id = "pds.3.5.15.loss-inferred-early", .requirements = "PDS-228",
         .role = UET_ROLE_INITIATOR, .needs = "ack-cc",
         .purpose = "A source may infer a loss from SACK and ooo_count; it resends only what is "
                    "missing.",
         .preamble = "A PDC that the FEP opened; RTO long.",
         .stimulus = "The FEP writes 12 packets; ACK_CC names the last, CACK stays at the first, "
                     "all but the second are in SACK, ooo_count 10; twice.",
         .expected = "Nothing, or the second PSN again; no PSN that SACK reports.")
{
    hold_rto(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    const struct uet_in *in[12];
    uint64_t handle;
    pdc->ack_cc = true;
    fep_writes_unacked(tc, &pdc, in, 12, &handle);
    say_hole(tc, in);
    bool early = maybe(tc, RESEND_OF(in[1]), .within = uet_tc_quiet(tc));
    uet_note(tc, "PDS-228", "%s",
             early ? "the missing PSN came again at once" : "no early resend: the RTO covers it");
    silence(tc, "PDS-228", ANY_RESEND_ON(pdc), .within = UET_MS);
    resume_acks(tc, in[11]);
    completion_of(tc, "PDS-228", handle);
}
