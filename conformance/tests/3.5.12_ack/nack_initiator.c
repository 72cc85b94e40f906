/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.12.7, Table 3-58: what a source does with NACKs of which the packet is sent again on its PDC.
 */
#include "conformance/harness/steps/target.h"
#include "conformance/tests/3.5.12_ack/nacked.h"

/* A RETX code: the PSN again on the same PDC, retx=1, well before the RTO could do it. */
static void resent(struct uet_tc *tc, const char *requirement, const struct uet_in *in)
{
    const struct uet_in *copy =
        hear(tc, requirement, RESEND_OF(in), .within = patience(tc, nack_delay(tc)));

    field(tc, requirement, copy, UET_F_PDS_RETX, 1);
    resume_acks(tc, copy);
}

UET_TEST(nack_resends, .id = "pds.3.5.20.3.1.nack-resends", .requirements = "PDS-135 PDS-058",
         .role = UET_ROLE_INITIATOR,
         .purpose = "A NORMAL code makes the source resend that PSN on the same PDC.",
         .preamble = "A PDC that the FEP opened; RTO long.",
         .stimulus = "NACK UET_NO_PKT_BUFFER for its next packet.",
         .expected = "The same PSN with retx=1 after NACK_Retx_Time.")
{
    hold_rto(tc);
    resent(tc, "PDS-135", nack_a_write(tc, fep_opens(tc), UET_NACK_NO_PKT_BUFFER).in);
}

UET_TEST(each_lack_resends, .id = "pds.3.5.20.3.1.each-lack-resends", .requirements = "PDS-135",
         .role = UET_ROLE_INITIATOR, .not_over = "draining",
         .purpose = "Whatever the target lacks, the source resends that PSN on the same PDC.",
         .preamble = "A PDC that the FEP opened; RTO long.",
         .stimulus = "For a packet each: NACK UET_NO_GTD_DEL_AVAIL, UET_NO_SES_MSG_AVAIL, "
                     "UET_NO_RESOURCE.",
         .expected = "The same PSN with retx=1 after NACK_Retx_Time.")
{
    static const uint8_t codes[] = {UET_NACK_NO_GTD_DEL_AVAIL, UET_NACK_NO_SES_MSG_AVAIL,
                                    UET_NACK_NO_RESOURCE};
    hold_rto(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    for (size_t i = 0; i < sizeof codes; i++) {
        resent(tc, "PDS-135", nack_a_write(tc, pdc, codes[i]).in);
        uet_forget_settled(tc);
    }
}

UET_TEST(out_of_window_resent, .id = "pds.3.5.12.7.out-of-window-resent", .requirements = "PDS-151",
         .role = UET_ROLE_INITIATOR,
         .purpose = "UET_PSN_OOR_WINDOW of a PSN above CACK_PSN brings it again.",
         .preamble = "A PDC that the FEP opened; RTO long.",
         .stimulus = "NACK UET_PSN_OOR_WINDOW for its next packet.",
         .expected = "The same PSN with retx=1 after NACK_Retx_Time.")
{
    hold_rto(tc);
    resent(tc, "PDS-151", nack_a_write(tc, fep_opens(tc), UET_NACK_PSN_OOR_WINDOW).in);
}

/* NACKs of some of n packets that are outstanding: those, and no others, come again. */
static void resends_named(struct uet_tc *tc, const char *requirement, uint8_t code,
                          const uint8_t *named, size_t n_named)
{
    struct uet_pdc *pdc = fep_opens(tc);
    const struct uet_in *in[4];
    uint64_t handle, due = patience(tc, nack_delay(tc));

    fep_writes_unacked(tc, &pdc, in, 4, &handle);
    for (size_t i = 0; i < n_named; i++)
        say_nack(tc, in[named[i]], code);
    for (size_t i = 0; i < n_named; i++)
        hear(tc, requirement, RESEND_OF(in[named[i]]), .within = due);
    acknowledge(tc, pdc, in[3]);
    uet_auto_ack(tc, true);
    completes(tc, requirement, handle, UET_UT_OK);
}

UET_TEST(each_nacked_resent, .id = "pds.3.5.20.3.1.each-nacked-resent", .requirements = "PDS-135",
         .role = UET_ROLE_INITIATOR, .params = "NACK_Retx_Time",
         .purpose = "Each PSN that is NACKed comes again after its own NACK_Retx_Time.",
         .preamble = "A PDC that the FEP opened; four packets outstanding; RTO long.",
         .stimulus = "NACK UET_NO_PKT_BUFFER of the first, the second and the fourth.",
         .expected = "Each of the three again.")
{
    hold_rto(tc);
    resends_named(tc, "PDS-135", UET_NACK_NO_PKT_BUFFER, (const uint8_t[]){0, 1, 3}, 3);
}

UET_TEST(out_of_window_resends_it, .id = "pds.3.5.12.7.out-of-window-resends-it",
         .requirements = "PDS-151", .role = UET_ROLE_INITIATOR, .params = "NACK_Retx_Time",
         .purpose = "UET_PSN_OOR_WINDOW brings any PSN above CACK_PSN again, not the next alone.",
         .preamble = "A PDC that the FEP opened; four packets outstanding; RTO long.",
         .stimulus = "NACK UET_PSN_OOR_WINDOW of the second and of the fourth.",
         .expected = "Both again.")
{
    hold_rto(tc);
    resends_named(tc, "PDS-151", UET_NACK_PSN_OOR_WINDOW, (const uint8_t[]){1, 3}, 2);
}

UET_TEST(not_received_resends_it, .id = "pds.3.5.16.2.not-received-resends-it",
         .requirements = "PDS-143", .role = UET_ROLE_INITIATOR, .params = "NACK_Retx_Time",
         .purpose = "UET_PKT_NOT_RCVD brings the PSN that it names, whichever that is.",
         .preamble = "A PDC that the FEP opened; four packets outstanding; RTO long.",
         .stimulus = "NACK UET_PKT_NOT_RCVD of the first and of the third.",
         .expected = "Both again.")
{
    hold_rto(tc);
    resends_named(tc, "PDS-143", UET_NACK_PKT_NOT_RCVD, (const uint8_t[]){0, 2}, 2);
}

/* From a NACK on, as long as it surely holds the packet back; 0: too short to tell. */
static uint64_t surely_waits(struct uet_tc *tc, uint64_t delay)
{
    uint64_t unsure = uet_tc_tolerance(tc, delay) + delay / 8;

    return delay > unsure ? delay - unsure : 0;
}

UET_TEST(
    late_nack_waits, .id = "pds.3.5.20.3.1.late-nack-waits", .requirements = "PDS-135",
    .role = UET_ROLE_INITIATOR, .params = "NACK_Retx_Time",
    .purpose = "NACK_Retx_Time runs from the NACK, not from the packet.",
    .preamble = "A PDC that the FEP opened; RTO long; NACK_Retx_Time 5 ms where it can be set.",
    .stimulus = "The FEP writes; twice NACK_Retx_Time later NACK UET_NO_PKT_BUFFER.",
    .expected = "The PSN again, not before NACK_Retx_Time has passed since the NACK.")
{
    hold_rto(tc);
    skip_with_tail_loss_timer(tc);
    uet_try_param(tc, "NACK_Retx_Time", 5 * UET_MS);
    struct uet_pdc *pdc = fep_opens(tc);
    const struct uet_in *in = fep_writes_unanswered(tc, &pdc, NULL);
    uint64_t delay = uet_tc_param(tc, "NACK_Retx_Time"), due = nack_delay(tc);
    if (!surely_waits(tc, delay))
        uet_skip(tc, "NACK_Retx_Time is %.3f ms: too short to tell", (double)delay / 1e6);
    uet_wait(tc, 2 * due);
    say_nack(tc, in, UET_NACK_NO_PKT_BUFFER);
    silence(tc, "PDS-135", RESEND_OF(in), .within = surely_waits(tc, delay));
    resent(tc, "PDS-135", in);
}

UET_TEST(
    each_nack_waits, .id = "pds.3.5.20.3.1.each-nack-waits", .requirements = "PDS-135",
    .role = UET_ROLE_INITIATOR, .params = "NACK_Retx_Time",
    .purpose = "NACK_Retx_Time is waited for each time, and does not grow.",
    .preamble = "A PDC that the FEP opened; RTO long; NACK_Retx_Time 5 ms where it can be set.",
    .stimulus = "NACK UET_NO_PKT_BUFFER for the FEP's next packet, and for two copies of it, as "
                "often as Max_NACK_Retx_Cnt lets it come.",
    .expected = "Each time the PSN again, NACK_Retx_Time after the NACK.")
{
    hold_rto(tc);
    skip_with_tail_loss_timer(tc);
    uet_try_param(tc, "NACK_Retx_Time", 5 * UET_MS);
    uint64_t delay = uet_tc_param(tc, "NACK_Retx_Time"), due = nack_delay(tc), most = 3;
    uet_tc_told(tc, "Max_NACK_Retx_Cnt", &most);
    struct uet_pdc *pdc = fep_opens(tc);
    const struct uet_in *in = fep_writes_unanswered(tc, &pdc, NULL);
    if (!surely_waits(tc, delay))
        uet_note(tc, "PDS-135",
                 "NACK_Retx_Time is %.3f ms: too short to tell that it is waited for",
                 (double)delay / 1e6);
    for (uint64_t i = 0; i < 3 && i < most; i++) {
        say_nack(tc, in, UET_NACK_NO_PKT_BUFFER);
        if (surely_waits(tc, delay))
            silence(tc, "PDS-135", RESEND_OF(in), .within = surely_waits(tc, delay));
        hear(tc, "PDS-135", RESEND_OF(in), .within = due);
    }
    resume_acks(tc, in);
}

UET_TEST(nack_waits_through_acks, .id = "pds.3.5.20.3.1.nack-waits-through-acks",
         .requirements = "PDS-135", .role = UET_ROLE_INITIATOR, .params = "NACK_Retx_Time",
         .not_over = "own", .contested = true, /* is what is refused lost, too? */
         .purpose = "ACKs of later packets do not end the wait of one that was NACKed.",
         .preamble =
             "A PDC that the FEP opened; four packets outstanding; RTO long; NACK_Retx_Time "
             "50 ms, and SACK_Loss_Count 1, where they can be set.",
         .stimulus = "NACK UET_NO_PKT_BUFFER of the first; an ACK of each of the others.",
         .expected = "The first again after NACK_Retx_Time. Before it, as one that others have "
                     "overtaken, is a finding.")
{
    const struct uet_in *in[4];
    hold_rto(tc);
    skip_with_tail_loss_timer(tc);
    uet_try_param(tc, "NACK_Retx_Time", 50 * UET_MS);
    uet_try_param(tc, "SACK_Loss_Count", 1);
    const uint64_t delay = uet_tc_param(tc, "NACK_Retx_Time"), waits = surely_waits(tc, delay);
    struct uet_pdc *pdc = fep_opens(tc);
    if (!waits)
        uet_skip(tc, "NACK_Retx_Time is %.3f ms: too short to tell", (double)delay / 1e6);
    fep_writes_unacked(tc, &pdc, in, 4, NULL);
    const uint64_t until = uet_tc_now(tc) + waits;
    say_nack(tc, in[0], UET_NACK_NO_PKT_BUFFER);
    for (int i = 1; i < 4; i++) {
        struct uet_out ack = ack_at(in[i], psn_of(in[0]) - 1, psn_of(in[i]));
        say(tc, &ack);
    }
    if (uet_tc_now(tc) < until && maybe(tc, RESEND_OF(in[0]), .within = until - uet_tc_now(tc)))
        uet_other_reading(tc, "PDS-135", "ACKs of later packets end the wait");
    else
        hear(tc, "PDS-135", RESEND_OF(in[0]), .within = patience(tc, nack_delay(tc)));
    resume_acks(tc, in[3]);
}

UET_TEST(nacks_hold_nothing_back, .id = "pds.3.5.20.3.1.nacks-hold-nothing-back",
         .requirements = "PDS-135", .role = UET_ROLE_INITIATOR, .params = "NACK_Retx_Time",
         .purpose = "NACKs of other packets that follow hold the resend of the first not back.",
         .preamble = "NACK_Retx_Time 20 ms where it can be set; a PDC that the FEP opened; four "
                     "packets outstanding; RTO long.",
         .stimulus = "NACK UET_NO_PKT_BUFFER of each, half of NACK_Retx_Time apart.",
         .expected = "The first again when its own NACK_Retx_Time is over; all others, too.")
{
    hold_rto(tc);
    uet_try_param(tc, "NACK_Retx_Time", 20 * UET_MS);
    uint64_t delay = uet_tc_param(tc, "NACK_Retx_Time"), due = nack_delay(tc);
    if (due >= 2 * delay)
        uet_skip(tc, "NACK_Retx_Time is %.3f ms: too short to tell", (double)delay / 1e6);
    struct uet_pdc *pdc = fep_opens(tc);
    const struct uet_in *in[4];
    fep_writes_unacked(tc, &pdc, in, 4, NULL);
    uint64_t since = uet_tc_now(tc);
    for (int i = 0; i < 4; i++, uet_wait(tc, delay / 2))
        say_nack(tc, in[i], UET_NACK_NO_PKT_BUFFER);
    for (int i = 0; i < 4; i++) {
        const struct uet_in *copy = hear(tc, "PDS-135", RESEND_OF(in[i]), .within = due);
        uet_check(tc, "PDS-135", i > 0 || copy->time_ns - since < 2 * delay,
                  "the resend came %.3f ms after the NACK", (double)(copy->time_ns - since) / 1e6);
    }
    resume_acks(tc, in[3]);
}

/* NACK_Retx_Time is longer than the FEP takes to answer, or the test is skipped; RTO long. */
static void need_slow_resends(struct uet_tc *tc)
{
    uint64_t slow = uet_tc_dut(tc)->response_time_ns;

    hold_rto(tc);
    uet_try_param(tc, "NACK_Retx_Time", 2 * slow);
    if (uet_tc_param(tc, "NACK_Retx_Time") < slow)
        uet_skip(tc, "NACK_Retx_Time may be over before the ACK is taken");
}

/* The FEP writes; its packet gets that NACK and at once the ACK: it does not come again. */
static void acknowledged_behind(struct uet_tc *tc, const char *requirement, uint8_t code)
{
    uint64_t handle;

    need_slow_resends(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    const struct uet_in *in = fep_writes_unanswered(tc, &pdc, &handle);
    say_nack(tc, in, code);
    resume_acks(tc, in);
    completes(tc, requirement, handle, UET_UT_OK);
    silence(tc, requirement, RESEND_OF(in), .within = patience(tc, nack_delay(tc)));
}

UET_TEST(acknowledged_behind_nack, .id = "pds.3.5.15.acknowledged-behind-its-nack",
         .requirements = "PDS-162", .role = UET_ROLE_INITIATOR, .params = "NACK_Retx_Time",
         .not_over = "all", /* it takes seconds in real time */
         .purpose = "A packet that waits for its resend is not sent when its ACK has come.",
         .preamble = "NACK_Retx_Time longer than the FEP takes to answer, where it can be set; a "
                     "PDC that it opened; RTO long.",
         .stimulus = "The FEP writes; NACK UET_NO_PKT_BUFFER of its packet, and at once the ACK.",
         .expected = "The write completes; the packet does not come again.")
{
    acknowledged_behind(tc, "PDS-162", UET_NACK_NO_PKT_BUFFER);
}

UET_TEST(acknowledged_behind_beyond, .id = "pds.3.5.12.7.acknowledged-behind-out-of-window",
         .requirements = "PDS-151 PDS-162", .role = UET_ROLE_INITIATOR, .params = "NACK_Retx_Time",
         .not_over = "all", /* it takes seconds in real time */
         .purpose = "CACK_PSN counts when the resend is due, not when UET_PSN_OOR_WINDOW came.",
         .preamble = "NACK_Retx_Time longer than the FEP takes to answer, where it can be set; a "
                     "PDC that it opened; RTO long.",
         .stimulus = "The FEP writes; NACK UET_PSN_OOR_WINDOW of its packet, and at once the ACK.",
         .expected = "The write completes; the packet does not come again.")
{
    acknowledged_behind(tc, "PDS-151", UET_NACK_PSN_OOR_WINDOW);
}

UET_TEST(acknowledged_behind_each, .id = "pds.3.5.15.acknowledged-behind-each-nack",
         .requirements = "PDS-162", .role = UET_ROLE_INITIATOR, .params = "NACK_Retx_Time",
         .not_over = "all", /* it takes seconds in real time */
         .purpose = "Whichever NACK makes a resend wait, CACK_PSN counts when it is due, not when "
                    "the NACK came.",
         .preamble = "NACK_Retx_Time longer than the FEP takes to answer, where it can be set; a "
                     "PDC that it opened; four packets outstanding; RTO long.",
         .stimulus = "NACKs UET_RCVD_SES_PROCG, UET_NO_GTD_DEL_AVAIL, UET_NO_SES_MSG_AVAIL and "
                     "UET_NO_RESOURCE, each of another packet, and at once the ACK of all.",
         .expected = "The write completes; after that no packet comes again.")
{
    static const uint8_t codes[] = {UET_NACK_RCVD_SES_PROCG, UET_NACK_NO_GTD_DEL_AVAIL,
                                    UET_NACK_NO_SES_MSG_AVAIL, UET_NACK_NO_RESOURCE};
    const struct uet_in *in[4];
    uint64_t handle;
    need_slow_resends(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    fep_writes_unacked(tc, &pdc, in, 4, &handle);
    for (size_t i = 0; i < sizeof codes; i++)
        say_nack(tc, in[i], codes[i]);
    resume_acks(tc, in[3]);
    completes(tc, "PDS-162", handle, UET_UT_OK);
    uet_forget(tc);
    silence(tc, "PDS-162", ANY_RESEND_ON(pdc), .within = patience(tc, nack_delay(tc)));
}

UET_TEST(nack_behind_its_ack, .id = "pds.3.5.15.nack-behind-its-ack",
         .requirements = "PDS-162 PDS-134", .role = UET_ROLE_INITIATOR, .not_over = "own",
         .params = "NACK_Retx_Time",
         .purpose = "A NACK that comes late brings no packet again that an ACK has named.",
         .preamble = "A PDC that the FEP opened; three packets outstanding; RTO long.",
         .stimulus = "An ACK that names the third and covers the first; for the third NACKs "
                     "UET_PSN_OOR_WINDOW, UET_NO_PKT_BUFFER and UET_TRIMMED.",
         .expected = "The third does not come again; acknowledged, the write completes.")
{
    hold_rto(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    const struct uet_in *in[3];
    uint64_t handle;
    fep_writes_unacked(tc, &pdc, in, 3, &handle);
    struct uet_out ack = ack_at(in[2], psn_of(in[0]), psn_of(in[2]));
    say(tc, &ack);
    say_nack(tc, in[2], UET_NACK_PSN_OOR_WINDOW);
    say_nack(tc, in[2], UET_NACK_NO_PKT_BUFFER);
    say_nack(tc, in[2], UET_NACK_TRIMMED);
    silence(tc, "PDS-162", RESEND_OF(in[2]), .within = patience(tc, nack_delay(tc)));
    resume_acks(tc, in[2]);
    completes(tc, "PDS-162", handle, UET_UT_OK);
}

UET_TEST(nacks_counted_each, .id = "pds.3.5.20.3.1.nacks-counted-each", .requirements = "PDS-136",
         .role = UET_ROLE_INITIATOR, .not_over = "own", .params = "NACK_Retx_Time",
         .purpose = "Max_NACK_Retx_Cnt is of a packet: NACKs of several packets do not add up.",
         .preamble = "Max_NACK_Retx_Cnt of the FEP set to 2; a PDC that it opened; four packets "
                     "outstanding; RTO long.",
         .stimulus = "NACK UET_NO_PKT_BUFFER of each, one after the other.",
         .expected = "Each again; the write completes as a success.")
{
    uet_set_param(tc, "Max_NACK_Retx_Cnt", 2);
    hold_rto(tc);
    resends_named(tc, "PDS-136", UET_NACK_NO_PKT_BUFFER, (const uint8_t[]){0, 1, 2, 3}, 4);
}

UET_TEST(copies_of_a_nack, .id = "pds.3.5.20.3.1.copies-of-a-nack", .requirements = "PDS-136",
         .role = UET_ROLE_INITIATOR, .params = "NACK_Retx_Time",
         .purpose = "Max_NACK_Retx_Cnt is of resends: copies of a NACK that bring one are one.",
         .preamble = "Max_NACK_Retx_Cnt of the FEP set to 2, NACK_Retx_Time to 20 ms where it can "
                     "be; a PDC that it opened; RTO long.",
         .stimulus = "The FEP writes; NACK UET_NO_PKT_BUFFER of its packet four times at once.",
         .expected = "The packet again; acknowledged, the write completes as a success.")
{
    uint64_t handle;
    uet_set_param(tc, "Max_NACK_Retx_Cnt", 2);
    hold_rto(tc);
    uet_try_param(tc, "NACK_Retx_Time", 20 * UET_MS);
    if (uet_tc_param(tc, "NACK_Retx_Time") < UET_MS)
        uet_skip(tc, "a resend may come between the copies of the NACK");
    struct uet_pdc *pdc = fep_opens(tc);
    const struct uet_in *in = fep_writes_unanswered(tc, &pdc, &handle);
    for (int i = 0; i < 4; i++)
        say_nack(tc, in, UET_NACK_NO_PKT_BUFFER);
    resent(tc, "PDS-136", in);
    completes(tc, "PDS-136", handle, UET_UT_OK);
}

UET_TEST(vendor_code_ignored, .id = "pds.3.5.12.7.vendor-code-ignored", .requirements = "PDS-148",
         .role = UET_ROLE_INITIATOR, .not_over = "draining",
         .purpose = "vendor_code has no meaning to the protocol.",
         .preamble = "A PDC that the FEP opened; RTO long.",
         .stimulus = "For a packet each: NACK UET_NO_PKT_BUFFER, UET_TRIMMED, UET_TRIMMED_LASTHOP "
                     "and UET_NO_RESOURCE with vendor_code 0xAA.",
         .expected = "The same reaction as with 0: the PSN again.")
{
    static const uint8_t codes[] = {UET_NACK_NO_PKT_BUFFER, UET_NACK_TRIMMED,
                                    UET_NACK_TRIMMED_LASTHOP, UET_NACK_NO_RESOURCE};
    hold_rto(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    for (size_t i = 0; i < sizeof codes; i++) {
        const struct uet_in *in = fep_writes_unanswered(tc, &pdc, NULL);
        struct uet_out nack = uet_nack(pdc, psn_of(in), codes[i]);
        uet_nack_vendor_code_set(nack.pds, 0xaa);
        say(tc, &nack);
        resent(tc, "PDS-148", in);
        uet_forget_settled(tc);
    }
}

UET_TEST(vendor_code_on_rod, .id = "pds.3.5.12.7.vendor-code-on-rod", .requirements = "PDS-148",
         .role = UET_ROLE_INITIATOR, .needs = "rod", .not_over = "all",
         .purpose = "vendor_code of the NACK which brings all behind a gap again has no meaning "
                    "to the protocol.",
         .preamble = "RTO long.",
         .stimulus =
             "The FEP writes 16 bytes on ROD; NACK UET_ROD_OOO of that PSN with vendor_code "
             "0x01.",
         .expected = "The same reaction as with 0: the PSN again.")
{
    struct uet_ut_operation op = uet_op(tc, 16);
    op.mode = UET_UT_MODE_ROD;
    hold_rto(tc);
    completes(tc, "PDS-148", uet_do_write(tc, &op), UET_UT_OK); /* the PDC is open */
    uet_forget_settled(tc);
    uet_auto_ack(tc, false);
    uet_do_write(tc, &op);
    const struct uet_in *in = uet_expect_any_request(tc, NULL);
    struct uet_out nack = uet_nack(in->pdc, psn_of(in), UET_NACK_ROD_OOO);
    uet_nack_payload_set(nack.pds, psn_of(in));
    uet_nack_vendor_code_set(nack.pds, 1);
    say(tc, &nack);
    resent(tc, "PDS-148", in);
}

UET_TEST(inferred_loss_resends, .id = "pds.3.5.15.inferred-loss-resends", .requirements = "PDS-229",
         .role = UET_ROLE_INITIATOR, .claim_binds = true,
         .purpose = "UET_RCVR_INFER_LOSS makes the source resend.",
         .preamble = "A PDC that the FEP opened; RTO long.", .stimulus = "NACK 0x1A.",
         .expected = "The PSN again, retx=1.")
{
    hold_rto(tc);
    resent(tc, "PDS-229", nack_a_write(tc, fep_opens(tc), UET_NACK_RCVR_INFER_LOSS).in);
}

UET_TEST(inferred_loss_resends_it, .id = "pds.3.5.15.inferred-loss-resends-it",
         .requirements = "PDS-229", .role = UET_ROLE_INITIATOR, .not_over = "own",
         .claim_binds = true, .params = "NACK_Retx_Time",
         .purpose = "UET_RCVR_INFER_LOSS brings the PSN that it names, whichever that is.",
         .preamble = "A PDC that the FEP opened; four packets outstanding; RTO long.",
         .stimulus = "NACK 0x1A of the first and of the third.", .expected = "Both again.")
{
    hold_rto(tc);
    resends_named(tc, "PDS-229", UET_NACK_RCVR_INFER_LOSS, (const uint8_t[]){0, 2}, 2);
}

UET_TEST(nack_outside_range, .id = "pds.3.5.12.7.nack-outside-range", .requirements = "PDS-134",
         .role = UET_ROLE_INITIATOR,
         .purpose = "A NACK whose nack_psn is not outstanding changes nothing.",
         .preamble = "A PDC that the FEP opened; RTO long.",
         .stimulus = "The FEP writes; before the ACK NACKs of every code of Table 3-58, the "
                     "experimental ones too, for the PSN that comes next, and for a later one.",
         .expected = "The write completes on its PDC; no packet of it comes on another.")
{
    hold_rto(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    uint64_t handle;
    const struct uet_in *in = fep_writes_unanswered(tc, &pdc, &handle);
    for (unsigned code = 0; code <= UINT8_MAX; code++) {
        if (uet_nack_table[code].nack_class == UET_CLASS_NONE)
            continue;
        struct uet_out next = uet_nack(pdc, psn_of(in) + 1, (uint8_t)code),
                       later = uet_nack(pdc, psn_of(in) + 50, (uint8_t)code);
        say(tc, &next);
        say(tc, &later);
    }
    silence(tc, "PDS-134", REQUEST_ON(NULL));
    resume_acks(tc, in);
    completes(tc, "PDS-134", handle, UET_UT_OK);
}

UET_TEST(rudi_nack_of_a_psn, .id = "pds.3.5.12.7.rudi-nack-of-a-psn", .requirements = "PDS-134",
         .role = UET_ROLE_INITIATOR,
         .purpose = "A NACK with nt=1 names a pkt_id, and no PSN of a PDC.",
         .preamble = "A PDC that the FEP opened; RTO long.",
         .stimulus = "The FEP writes; before the ACK a fatal NACK (UET_PDC_MODE_MISMATCH) with "
                     "nt=1 whose nack_pkt_id is the PSN.",
         .expected = "The write completes on its PDC; no packet of it comes again.")
{
    hold_rto(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    uint64_t handle;
    const struct uet_in *in = fep_writes_unanswered(tc, &pdc, &handle);
    struct uet_out nack = uet_nack(pdc, psn_of(in), UET_NACK_PDC_MODE_MISMATCH);
    uet_nack_nt_set(nack.pds, 1);
    say(tc, &nack);
    silence(tc, "PDS-134", REQUEST_ON(NULL), .within = before_rto(tc));
    resume_acks(tc, in);
    completes(tc, "PDS-134", handle, UET_UT_OK);
}

UET_TEST(
    nack_of_the_past, .id = "pds.3.5.12.7.nack-of-the-past", .requirements = "PDS-134",
    .role = UET_ROLE_INITIATOR,
    .purpose = "A fatal NACK that comes late, for a PSN that CACK has covered, changes nothing.",
    .preamble = "A PDC that the FEP opened; RTO long.",
    .stimulus = "The FEP writes two packets, the first is acknowledged; for that one NACKs "
                "0x0E, 0x0F, 0x10, 0x15, 0x16 and 0x19; then the ACK of the second.",
    .expected = "The write completes on its PDC; no packet of it comes on another.")
{
    static const uint8_t codes[] = {UET_NACK_INV_DPDCID,        UET_NACK_PDC_HDR_MISMATCH,
                                    UET_NACK_CLOSING,           UET_NACK_INVALID_SYN,
                                    UET_NACK_PDC_MODE_MISMATCH, UET_NACK_UNEXP_EVENT};
    hold_rto(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    uint64_t handle;
    const struct uet_in *in = fep_holds(tc, &pdc, &handle);
    for (size_t i = 0; i < sizeof codes; i++) {
        struct uet_out nack = uet_nack(pdc, psn_of(in) - 1, codes[i]);
        say(tc, &nack);
    }
    silence(tc, "PDS-134", REQUEST_ON(NULL));
    resume_acks(tc, in);
    completes(tc, "PDS-134", handle, UET_UT_OK);
}

UET_TEST(stray_nack_teaches_nothing, .id = "pds.3.5.12.7.stray-nack-teaches-no-tpdcid",
         .not_over = "used after-read aged", .requirements = "PDS-134", .role = UET_ROLE_INITIATOR,
         .purpose = "A NACK of a PSN that is not outstanding teaches no TPDCID either.",
         .preamble = "None.",
         .stimulus = "The FEP writes, and no answer comes to its SYN; NACKs UET_NO_PKT_BUFFER with "
                     "another spdcid, of a PSN far ahead and of one before Start_PSN; it writes "
                     "on. Then all is acknowledged.",
         .expected = "What comes on has syn=1; both writes complete.")
{
    static const uint32_t away[] = {5000, -(uint32_t)5};
    struct uet_pdc *pdc;
    uint64_t handle, behind;
    hold_rto(tc);
    uet_auto_ack(tc, false);
    const struct uet_in *in = fep_writes(tc, 16, &pdc, &handle);
    for (size_t i = 0; i < sizeof away / sizeof *away; i++) {
        struct uet_out nack = uet_nack(pdc, psn_of(in) + away[i], UET_NACK_NO_PKT_BUFFER);
        uet_nack_spdcid_set(nack.pds, other_pdcid(pdc->pdcid));
        say(tc, &nack);
    }
    struct uet_ut_operation op = uet_op(tc, 16);
    behind = uet_do_write(tc, &op);
    const struct uet_in *next = uet_next_request(tc, NULL);
    if (next) /* it may wait for the first one */
        field(tc, "PDS-134", next, UET_F_PDS_SYN, 1);
    resume_acks(tc, in);
    if (next)
        acknowledge(tc, next->pdc, next);
    completes(tc, "PDS-134", handle, UET_UT_OK);
    completes(tc, "PDS-134", behind, UET_UT_OK);
}

UET_TEST(nack_below_cack, .id = "pds.3.5.12.7.nack-below-cack", .requirements = "PDS-151",
         .role = UET_ROLE_INITIATOR,
         .purpose = "UET_PSN_OOR_WINDOW for a PSN already acknowledged causes no resend.",
         .preamble = "A PDC that the FEP opened, everything acknowledged.",
         .stimulus = "NACK 0x0B for the last PSN.", .expected = "No resend of it.")
{
    struct uet_pdc *pdc = fep_opens(tc);
    struct uet_out nack = uet_nack(pdc, pdc->cack, UET_NACK_PSN_OOR_WINDOW);
    say(tc, &nack);
    silence(tc, "PDS-151", ANYTHING_OF(&nack), .within = 2 * nack_delay(tc));
}

UET_TEST(nack_below_cack_alone, .id = "pds.3.5.12.7.nack-below-cack-alone",
         .requirements = "PDS-151", .role = UET_ROLE_INITIATOR, .params = "NACK_Retx_Time",
         .purpose = "UET_PSN_OOR_WINDOW for a PSN already acknowledged brings no other one again.",
         .preamble = "A PDC that the FEP opened; four packets outstanding; RTO long.",
         .stimulus = "An ACK up to the second; NACK UET_PSN_OOR_WINDOW of the first and of the "
                     "second.",
         .expected = "No resend; acknowledged, the write completes.")
{
    hold_rto(tc);
    skip_with_tail_loss_timer(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    const struct uet_in *in[4];
    uint64_t handle;
    fep_writes_unacked(tc, &pdc, in, 4, &handle);
    struct uet_out ack = ack_at(in[1], psn_of(in[1]), psn_of(in[1]));
    say(tc, &ack);
    say_nack(tc, in[0], UET_NACK_PSN_OOR_WINDOW);
    say_nack(tc, in[1], UET_NACK_PSN_OOR_WINDOW);
    silence(tc, "PDS-151", ANY_RESEND_ON(pdc), .within = patience(tc, nack_delay(tc)));
    resume_acks(tc, in[3]);
    completes(tc, "PDS-151", handle, UET_UT_OK);
}

UET_TEST(nack_not_answered, .id = "pds.3.5.12.7.nack-not-answered", .requirements = "PDS-155",
         .role = UET_ROLE_INITIATOR, .purpose = "NACKs are neither acknowledged nor NACKed.",
         .preamble = "A PDC that the FEP opened, everything acknowledged.",
         .stimulus = "A NACK for an old PSN; a NACK to a PDCID that the FEP does not have; NACKs "
                     "for PSNs far ahead and far behind.",
         .expected = "Silence.")
{
    struct uet_pdc *pdc = fep_opens(tc);
    struct uet_out known = uet_nack(pdc, pdc->cack, UET_NACK_NO_PKT_BUFFER), unknown = known;
    uet_nack_dpdcid_set(unknown.pds, unused_pdcid(pdc));
    uet_forget(tc);
    say(tc, &known);
    say(tc, &unknown);
    static const uint32_t far[] = {100000, -(uint32_t)100000, 0x80000000};
    for (size_t i = 0; i < sizeof(far) / sizeof(far[0]); i++) {
        struct uet_out o = uet_nack(pdc, pdc->cack + far[i], UET_NACK_TRIMMED);
        say(tc, &o);
    }
    silence(tc, "PDS-155", ANSWER_ON(NULL));
}

/* Of a copy that comes again the RTO runs later than that of what else is open, whose ACK covers
 * it. */
UET_TEST(unknown_nack_code, .id = "pds.3.5.12.7.unknown-nack-code", .requirements = "PDS-154",
         .role = UET_ROLE_INITIATOR, .contested = true, .not_over = "come-again draining",
         .purpose = "A reserved NACK code tears down no PDC.",
         .preamble = "A PDC that the FEP opened.",
         .stimulus =
             "NACK codes 0x40, 0x4F and 0x8E (a bit or two more than codes that are fatal), "
             "those at the edges of what is reserved, 0x00, 0x0C, 0x1B and 0xFC, and 0x03, which "
             "is since 1.0.3, each for the packet of a write.",
         .expected = "The packet comes again on the same PDC (by RTO at the latest).")
{
    static const uint8_t codes[] = {0x40, 0x4f, 0x8e, 0x00, 0x0c, 0x1b, 0xfc, 0x03};
    uet_need_retries(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    for (size_t i = 0; i < sizeof codes; i++) {
        struct nacked w = nack_a_write(tc, pdc, codes[i]);
        pdc = w.pdc;
        uet_auto_ack(tc, true);
        uet_check(tc, "PDS-154", maybe(tc, RESEND_OF(w.in), .within = patience(tc, one_rto(tc))),
                  "traffic on the PDC stopped after the reserved NACK code 0x%02x", codes[i]);
        uet_forget_settled(tc);
    }
}

UET_TEST(
    unknown_nack_codes_in_a_row, .id = "pds.3.5.12.7.unknown-nack-codes-in-a-row",
    .requirements = "PDS-154", .role = UET_ROLE_INITIATOR, .contested = true,
    .purpose = "A reserved NACK code uses up no retries.",
    .preamble = "A PDC that the FEP opened; RTO long; Max_NACK_Retx_Cnt 3 where it can be set.",
    .stimulus = "The FEP writes; NACKs of code 0x40 for the packet, two more than the FEP tries "
                "again; then the ACK.",
    .expected = "The WRITE completes.")
{
    uint64_t most = 8;
    hold_rto(tc);
    if (uet_try_param(tc, "Max_NACK_Retx_Cnt", 3))
        most = 3;
    else if (uet_tc_told(tc, "Max_NACK_Retx_Cnt", &most) && most > 64)
        uet_skip(tc, "the FEP tries again without end, or nearly so");
    struct uet_pdc *pdc = fep_opens(tc);
    struct nacked w = {.pdc = pdc};
    w.in = fep_writes_unanswered(tc, &w.pdc, &w.handle);
    tolerate(tc, RESEND_OF(w.in));
    for (uint64_t i = 0; i < most + 2; i++) {
        say_nack(tc, w.in, 0x40);
        uet_wait(tc, 2 * nack_delay(tc));
    }
    resume_acks(tc, w.in);
    completes(tc, "PDS-154", w.handle, UET_UT_OK);
}

/*
 * The FEP writes, and its packet gets this experimental code. What comes of it: a packet on this
 * PDC or another one, or NULL; the write then has its ACK all the same. *pdc is where it ended.
 */
static const struct uet_in *after_experiment(struct uet_tc *tc, struct uet_pdc **pdc, uint8_t code,
                                             uint64_t *handle)
{
    struct nacked w = nack_a_write(tc, *pdc, code);

    uet_auto_ack(tc, true);
    const struct uet_in *in = maybe(tc, MESSAGE_AGAIN, .within = patience(tc, nack_delay(tc)));
    if (in && in->pdc != w.pdc)
        w.pdc->auto_close = false;
    if (!in && code != UET_NACK_EXP_NACK_FATAL)
        resume_acks(tc, w.in);
    *pdc = in ? in->pdc : w.pdc;
    *handle = w.handle;
    return in;
}

UET_TEST(experimental_by_class, .id = "pds.3.5.12.7.experimental-nacks-by-class",
         .requirements = "PDS-236", .role = UET_ROLE_INITIATOR, .needs = "experimental-nacks",
         .contested = true, .params = "NACK_Retx_Time", .not_over = "draining",
         .purpose = "Experimental NACK codes act by their class.",
         .preamble = "A PDC that the FEP opened; RTO long.",
         .stimulus = "NACK 0xFD, 0xFE and 0xFF, each for the packet of a write.",
         .expected = "The packet again; the packet again, there or on a new PDC; the write ends in "
                     "error. To ignore a code is a finding.")
{
    uint64_t handle;
    struct uet_ut_completion c;
    hold_rto(tc);
    struct uet_pdc *pdc = fep_opens(tc), *before = pdc;
    const struct uet_in *in = after_experiment(tc, &pdc, UET_NACK_EXP_NACK_NORMAL, &handle);
    uet_check(tc, "PDS-236", in && in->pdc == before, "0xFD brought no resend on the PDC");
    completion_of(tc, "PDS-236", handle);
    in = after_experiment(tc, &pdc, UET_NACK_EXP_NACK_ERR, &handle);
    uet_check(tc, "PDS-236", in, "0xFE brought no retry");
    completion_of(tc, "PDS-236", handle);
    after_experiment(tc, &pdc, UET_NACK_EXP_NACK_FATAL, &handle);
    bool told = uet_completion(tc, handle, 0, &c) && c.status != UET_UT_OK;
    uet_check(tc, "PDS-236", told, "0xFF did not end the write with an error");
    pdc->auto_close = false;
}
