/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.11 (mpr), 3.5.5: windows that shrink, that are 0, and that psn_offset bounds. */
#include "conformance/tests/mpr.h"

/* A PSN beyond the window that a smaller mpr has made is NACKed: it comes when there is room. */
static void held_by_smaller_mpr(struct uet_tc *tc, uint8_t code)
{
    hold_rto(tc);
    const struct uet_in *last = NULL, *in = writes_against(tc, 2, 300, NULL);
    struct uet_pdc *pdc = in->pdc;
    uint64_t due = nack_delay(tc);
    if (runs_to(tc, pdc, psn_of(in), 300, &last) <= UET_MPR_UNIT)
        uet_skip(tc, "the FEP keeps no more than 128 packets outstanding");
    ack_with_mpr(tc, in, 1);
    say_nack(tc, last, code);
    silence(tc, "PDS-061", RESEND_OF(last), .within = 4 * due);
    say_ack_cc(tc, last, psn_of(last) - 1, 1); /* now the window has room for it */
    hear(tc, "PDS-151", RESEND_OF(last), .within = patience(tc, due));
    uet_auto_ack(tc, true);
}

UET_TEST(shrunk_mpr_holds_resends, .id = "pds.3.5.11.4.shrunk-mpr-holds-resends",
         .requirements = "PDS-061", .role = UET_ROLE_INITIATOR, .needs = "ack-cc",
         .params = "NACK_Retx_Time",
         .purpose = "A smaller MPR holds back retransmissions beyond the new limit too.",
         .preamble = "A PDC that the FEP opened, mpr=2; it runs into that window.",
         .stimulus = "ACK_CC of the first packet with mpr=1; NACK of a PSN beyond CACK + 128.",
         .expected = "No resend of it; once CACK has moved it comes.")
{
    held_by_smaller_mpr(tc, UET_NACK_NO_PKT_BUFFER);
}

UET_TEST(shrunk_mpr_holds_trimmed, .id = "pds.3.5.11.4.shrunk-mpr-holds-trimmed",
         .requirements = "PDS-061", .role = UET_ROLE_INITIATOR, .needs = "ack-cc",
         .params = "NACK_Retx_Time",
         .purpose = "A smaller MPR holds back what was trimmed, too, however soon that may come "
                    "again else.",
         .preamble = "A PDC that the FEP opened, mpr=2; it runs into that window.",
         .stimulus = "ACK_CC of the first packet with mpr=1; NACK UET_TRIMMED of a PSN beyond CACK "
                     "+ 128.",
         .expected = "No resend of it; once CACK has moved it comes.")
{
    held_by_smaller_mpr(tc, UET_NACK_TRIMMED);
}

UET_TEST(shrunk_mpr_holds_timeouts, .id = "pds.3.5.11.4.shrunk-mpr-holds-timeouts",
         .requirements = "PDS-061", .role = UET_ROLE_INITIATOR, .needs = "ack-cc",
         .purpose = "When MPR has become smaller, a timeout does not bring what lies beyond it.",
         .preamble = "A PDC that the FEP opened, mpr=2; it runs into that window.",
         .stimulus = "ACK_CC of the first packet with mpr=1; then silence for an RTO.",
         .expected = "Packets come again, and none beyond CACK + 128.")
{
    uet_need_retries(tc);
    skip_with_tail_loss_timer(tc);
    uet_try_param(tc, "RTO_Init_Time", 8 * uet_tc_quiet(tc));
    uint64_t rto = one_rto(tc);
    if (rto < 4 * uet_tc_quiet(tc))
        uet_skip(tc, "RTO_Init_Time is too short to tell, and cannot be set");
    const struct uet_in *last = NULL, *in = writes_against(tc, 2, 300, NULL);
    uint32_t first = psn_of(in), most = 0;
    if (runs_to(tc, in->pdc, first, 300, &last) <= UET_MPR_UNIT)
        uet_skip(tc, "the FEP keeps no more than 128 packets outstanding");
    ack_with_mpr(tc, in, 1);
    for (const struct uet_in *copy =
             hear(tc, "PDS-156", ANY_RESEND_ON(in->pdc), .within = patience(tc, rto));
         copy; copy = maybe(tc, ANY_RESEND_ON(in->pdc), .within = uet_tc_latest(tc, UET_MS)))
        most = psn_of(copy) - first > most ? psn_of(copy) - first : most;
    uet_check(tc, "PDS-061", most <= UET_MPR_UNIT,
              "resends go to %u PSNs beyond CACK_PSN with mpr=1", most);
    resume_acks(tc, last);
}

UET_TEST(shrunk_mpr_holds_go_back, .id = "pds.3.5.11.4.shrunk-mpr-holds-go-back",
         .requirements = "PDS-061", .role = UET_ROLE_INITIATOR, .needs = "rod ack-cc",
         .not_over = "used after-read aged", .params = "NACK_Retx_Time",
         .purpose = "What goes back by ROD, goes no further than the smaller MPR either.",
         .preamble = "A ROD PDC that the FEP opened, mpr=2; it runs into that window.",
         .stimulus = "ACK_CC of the first packet with mpr=1; NACK UET_ROD_OOO for the last, which "
                     "wants the second.",
         .expected = "The second comes again, and none beyond CACK + 128.")
{
    uint64_t handle;
    hold_rto(tc);
    const struct uet_in *last = NULL, *in = writes_in_order_against(tc, 2, 300, &handle);
    struct uet_pdc *pdc = in->pdc;
    uint32_t first = psn_of(in), most = 0;
    if (runs_to(tc, pdc, first, 300, &last) <= UET_MPR_UNIT)
        uet_skip(tc, "the FEP keeps no more than 128 packets outstanding");
    ack_with_mpr(tc, in, 1);
    struct uet_out nack = uet_nack(pdc, psn_of(last), UET_NACK_ROD_OOO);
    uet_nack_payload_set(nack.pds, first + 1);
    say(tc, &nack);
    for (const struct uet_in *copy =
             hear(tc, "PDS-151", ANY_RESEND_ON(pdc), .within = patience(tc, nack_delay(tc)));
         copy; copy = maybe(tc, ANY_RESEND_ON(pdc), .within = uet_tc_latest(tc, UET_MS)))
        most = psn_of(copy) - first > most ? psn_of(copy) - first : most;
    uet_check(tc, "PDS-061", most <= UET_MPR_UNIT,
              "resends go to %u PSNs beyond CACK_PSN with mpr=1", most);
    uet_auto_ack(tc, true);
}

UET_TEST(ar_when_window_full, .id = "pds.3.5.12.ar-when-window-full", .requirements = "PDS-126",
         .role = UET_ROLE_INITIATOR, .not_over = "draining", .over = "own", .needs = "ack-cc",
         .purpose = "A source that its window stops asks for an ACK.",
         .preamble = "A PDC that the FEP opened, mpr=1; RTO long.",
         .stimulus = "The FEP writes 200 packets, of which one is acknowledged.",
         .expected = "ar=1 in the last packet that comes, or an ACK Request behind it: a target "
                     "that collects bytes for its ACK would otherwise leave both waiting.")
{
    hold_rto(tc);
    const struct uet_in *in = writes_against(tc, 1, 200, NULL), *last = fills_window(tc, in);
    struct uet_pdc *pdc = in->pdc;
    bool asks =
        uet_rud_rod_req_ar(uet_pds(&last->packet)) || maybe(tc, CP_ON(pdc, UET_CTL_ACK_REQUEST));
    uet_look_at(tc, last);
    uet_check(tc, "PDS-126", asks, "the last packet before the window was full has ar=0");
}

UET_TEST(mpr_of_no_newer_cack, .id = "pds.3.5.11.mpr-of-no-newer-cack", .requirements = "PDS-066",
         .role = UET_ROLE_INITIATOR, .not_over = "draining", .over = "own", .needs = "ack-cc",
         .purpose = "An mpr counts when its CACK_PSN is newer, and by no other measure of age.",
         .preamble = "A PDC that the FEP opened, mpr=1; it runs into that window; RTO long.",
         .stimulus = "ACK_CCs with mpr=4: two with the CACK_PSN that brought mpr=1, one of them "
                     "with an ACK_PSN further on; one with an older CACK_PSN, and an ACK_PSN "
                     "further on still.",
         .expected = "No PSN beyond CACK_PSN + 128.")
{
    static const struct {
        uint32_t older, ahead;
    } acks[] = {{0, 0}, {0, 8}, {1, 16}};
    hold_rto(tc);
    const struct uet_in *in = writes_against(tc, 1, 300, NULL), *last = in;
    const uint32_t cack = psn_of(in);
    ack_with_mpr(tc, in, 1);
    if (runs_to(tc, in->pdc, cack, 300, &last) < UET_MPR_UNIT)
        uet_skip(tc, "the FEP stops before mpr=1 makes it");
    for (size_t i = 0; i < sizeof acks / sizeof *acks; i++) {
        struct uet_out ack = ack_at(in, cack - acks[i].older, cack + acks[i].ahead);
        uet_ack_cc_mpr_set(ack.pds, 4);
        say(tc, &ack);
        uint32_t most = runs_to(tc, in->pdc, cack, 300, &last);
        uet_check(tc, "PDS-066", most <= UET_MPR_UNIT, "%u PSNs beyond CACK_PSN: mpr=4 was taken",
                  most);
    }
    resume_acks(tc, last);
}

UET_TEST(mpr_across_wrap, .id = "pds.3.5.11.mpr-across-the-wrap", .requirements = "PDS-059 PDS-066",
         .role = UET_ROLE_INITIATOR, .needs = "ack-cc",
         .not_over = "all", /* it chooses Start_PSN */
         .purpose = "A CACK_PSN behind the wrap is newer than one before it: its mpr counts.",
         .preamble = "A PDC that the FEP opened, not far below PSN 2^32; against mpr=4 more than "
                     "128 PSNs come; RTO long.",
         .stimulus = "ACK_CCs of all that came: twice with mpr=1, which brings the FEP past the "
                     "wrap, then with mpr=4.",
         .expected = "At most 128 PSNs by each of the first two, more by the third.")
{
    hold_rto(tc);
    if (!uet_try_param(tc, "Start_PSN", 0xfffffd00))
        uet_skip(tc, "Start_PSN of this FEP cannot be chosen");
    const struct uet_in *in = writes_against(tc, 4, 1200, NULL), *last = in;
    struct uet_pdc *pdc = in->pdc;
    if (psn_of(in) < 0xfffffd00 || runs_to(tc, pdc, psn_of(in), 1200, &last) <= UET_MPR_UNIT)
        uet_skip(tc, "the FEP began elsewhere, or keeps no more than 128 packets outstanding");
    static const uint8_t mprs[] = {1, 1, 4};
    for (size_t i = 0; i < sizeof mprs; i++) {
        uint32_t cack = psn_of(last);
        ack_with_mpr(tc, last, mprs[i]);
        uint32_t n = runs_to(tc, pdc, cack, 1200, &last);
        uet_check(tc, i < 2 ? "PDS-066" : "PDS-059", (n <= UET_MPR_UNIT) == (i < 2),
                  "%u PSNs come beyond CACK_PSN 0x%08x with mpr=%u", n, cack, mprs[i]);
    }
    resume_acks(tc, last);
}

UET_TEST(fatal_ends_new_psns, .id = "pds.3.5.12.7.fatal-ends-new-psns", .requirements = "PDS-138",
         .role = UET_ROLE_INITIATOR, .not_over = "draining", .over = "own", .needs = "ack-cc",
         .purpose = "After a fatal NACK a PDC sends nothing new, not of the message under way.",
         .preamble = "A PDC that the FEP opened, mpr=1; it runs into that window; RTO long.",
         .stimulus = "NACK 0x0F for the first packet; then an ACK of all, which opens the window.",
         .expected = "No new PSN on that PDC.", .once = "its long message goes on when it ends")
{
    hold_rto(tc);
    const struct uet_in *in = writes_against(tc, 1, 200, NULL), *last = fills_window(tc, in);
    struct uet_pdc *pdc = in->pdc;
    uet_auto_ack(tc, true); /* of what comes on another PDC */
    pdc->auto_ack = pdc->auto_close = false;
    say_nack(tc, in, UET_NACK_PDC_HDR_MISMATCH);
    say_ack_cc(tc, last, psn_of(last), 8);
    silence(tc, "PDS-138", REQUEST_ON(pdc));
}

UET_TEST(rto_from_sending, .id = "pds.3.5.15.rto-from-sending", .requirements = "PDS-156",
         .role = UET_ROLE_INITIATOR, .needs = "ack-cc", .params = "RTO_Init_Time",
         .purpose = "The RTO of a packet runs from when it was sent, however long it had to wait.",
         .preamble = "A PDC that the FEP opened, mpr=1; it runs into that window; RTO 100 ms where "
                     "it can be set.",
         .stimulus = "Silence for two RTOs; then an ACK of all that came.",
         .expected = "The packets behind it come, and the first of them not again before its RTO.")
{
    uet_need_retries(tc);
    skip_with_tail_loss_timer(tc);
    uet_try_param(tc, "RTO_Init_Time", 100 * UET_MS);
    uint64_t rto = uet_tc_param(tc, "RTO_Init_Time");
    if (uet_tc_latest(tc, rto) - rto > rto / 4)
        uet_skip(tc, "RTO_Init_Time is %.3f ms: too short to tell", (double)rto / 1e6);
    const struct uet_in *in = writes_against(tc, 1, 200, NULL), *last = fills_window(tc, in);
    uet_wait(tc, 2 * rto);
    say_ack_cc(tc, last, psn_of(last), 1);
    const struct uet_in *next = uet_next_request(tc, in->pdc);
    if (!next)
        uet_skip(tc, "nothing more comes, which is another test's affair");
    silence(tc, "PDS-156", RESEND_OF(next), .within = rto / 2);
    resume_acks(tc, last);
}

/* An ACK of the next PSN, which the window holds back: by CACK_PSN, or by ACK_PSN alone. */
static void acks_the_unsent(struct uet_tc *tc, bool by_cack)
{
    hold_rto(tc);
    const struct uet_in *in = writes_against(tc, 1, 200, NULL), *last = fills_window(tc, in);
    struct uet_pdc *pdc = in->pdc;
    uint32_t unsent = psn_of(last) + 1;
    struct uet_out ack = ack_at(last, by_cack ? unsent : psn_of(in) - 1, unsent);
    say(tc, &ack);
    silence(tc, "PDS-122", REQUEST_ON(pdc));
    say_ack_cc(tc, last, psn_of(last), 1);
    hear(tc, "PDS-122", REQUEST_OF(pdc, unsent));
    resume_acks(tc, last);
}

UET_TEST(cack_of_the_unsent, .id = "pds.3.5.12.cack-of-the-unsent", .requirements = "PDS-122",
         .role = UET_ROLE_INITIATOR, .needs = "ack-cc",
         .purpose = "An ACK of a packet that is queued, and was not sent yet, is ignored.",
         .preamble = "A PDC that the FEP opened, mpr=1; it runs into that window; RTO long.",
         .stimulus = "An ACK whose CACK_PSN is the next PSN; then one of all that came.",
         .expected = "Only then the next PSN comes.")
{
    acks_the_unsent(tc, true);
}

UET_TEST(ack_psn_of_the_unsent, .id = "pds.3.5.12.ack-psn-of-the-unsent", .requirements = "PDS-122",
         .role = UET_ROLE_INITIATOR, .needs = "ack-cc",
         .purpose = "An ACK_PSN that was not sent yet does not complete a packet unsent.",
         .preamble = "A PDC that the FEP opened, mpr=1; it runs into that window; RTO long.",
         .stimulus = "An ACK whose CACK_PSN is as before and whose ACK_PSN the next PSN; "
                     "then one of all that came.",
         .expected = "The next PSN comes all the same.")
{
    acks_the_unsent(tc, false);
}

UET_TEST(datagram_beside_shut_window, .id = "pds.3.5.7.4.beside-a-shut-window",
         .requirements = "PDS-181", .role = UET_ROLE_INITIATOR, .needs = "uud ack-cc",
         .purpose = "A datagram has no PDC, so no PDC's window holds it back.",
         .preamble = "A PDC that the FEP opened, mpr=1; it runs into that window; RTO long.",
         .stimulus = "The FEP sends 64 bytes over UUD.", .expected = "The datagram comes.")
{
    hold_rto(tc);
    const struct uet_in *in = writes_against(tc, 1, 200, NULL);
    struct uet_ut_operation op = uet_op(tc, 64);
    const struct uet_in *last = fills_window(tc, in);
    op.mode = UET_UT_MODE_UUD;
    uet_do_send(tc, &op);
    hear(tc, "PDS-181", DATAGRAM);
    resume_acks(tc, last);
}

/* A packet of that WRITE (an uet_ut_operation): its key tells it from others. */
static bool is_of_write(const struct uet_in *in, const void *op)
{
    const struct uet_packet *p = &in->packet;

    return is_first(in, NULL) && uet_is_ses_request(p) && uet_is_ses_std(p) &&
           uet_ses_req_match_bits_or_memory_key(uet_ses(p)) ==
               ((const struct uet_ut_operation *)op)->key;
}

UET_TEST(queued_elsewhere, .id = "pds.3.5.8.3.queued-message-elsewhere", .requirements = "PDS-202",
         .role = UET_ROLE_INITIATOR, .not_over = "draining", .over = "own", .needs = "ack-cc",
         .purpose = "A message that waited for its turn when the close began goes on no more.",
         .preamble = "A PDC that the FEP opened, mpr=1; it runs into that window, and has another "
                     "message to send.",
         .stimulus = "A Close Request; then all is acknowledged.",
         .expected = "The other message comes on another PDC, or after the Close Command.")
{
    hold_rto(tc);
    const struct uet_in *in = writes_against(tc, 1, 200, NULL);
    struct uet_pdc *pdc = in->pdc;
    struct uet_ut_operation op = uet_op(tc, 16);
    uet_do_write(tc, &op);
    const struct uet_in *last = fills_window(tc, in);
    struct uet_out request = uet_cp(pdc, UET_CTL_CLOSE_REQUEST);
    say(tc, &request);
    hear(tc, "PDS-208", ACK_OF(&request));
    resume_acks(tc, last);
    hear(tc, "PDS-208", CP_ON(pdc, UET_CTL_CLOSE_COMMAND));
    in = maybe(tc, .kind = UET_WANT_REQUEST, .also = is_of_write, .ctx = &op);
    uet_check(tc, "PDS-202", !in || in->pdc != pdc, "the message came on the closing PDC");
}

UET_TEST(queued_behind_a_whole, .id = "pds.3.5.8.3.queued-behind-a-whole-message",
         .requirements = "PDS-202", .role = UET_ROLE_INITIATOR, .needs = "ack-cc",
         .purpose = "A message whose turn it was when the close began, but for which the window "
                    "had no room, goes on no more on that PDC.",
         .preamble = "A PDC that the FEP opened, mpr=1; a message of 128 packets fills that "
                     "window, and there is another one to send.",
         .stimulus = "A Close Request; then all is acknowledged.",
         .expected = "The other message comes once: on another PDC, or after the Close Command.")
{
    hold_rto(tc);
    const struct uet_in *in = writes_against(tc, 1, UET_MPR_UNIT, NULL), *last = in;
    struct uet_pdc *pdc = in->pdc;
    struct uet_ut_operation op = uet_op(tc, 16);
    if (runs_to(tc, pdc, psn_of(in), UET_MPR_UNIT, &last) != UET_MPR_UNIT - 1)
        uet_skip(tc, "the FEP keeps fewer than 128 packets outstanding, or sends others");
    uint64_t handle = uet_do_write(tc, &op);
    uet_auto_ack(tc, true); /* of what comes on another PDC */
    pdc->auto_ack = false;
    struct uet_out request = uet_cp(pdc, UET_CTL_CLOSE_REQUEST);
    say(tc, &request);
    hear(tc, "PDS-208", ACK_OF(&request));
    resume_acks(tc, last);
    in = hear(tc, "PDS-202", .kind = UET_WANT_REQUEST, .also = is_of_write, .ctx = &op);
    uet_check(tc, "PDS-202", in->pdc != pdc, "the message came on the closing PDC");
    hear(tc, "PDS-208", CP_ON(pdc, UET_CTL_CLOSE_COMMAND));
    completes(tc, "PDS-202", handle, UET_UT_OK);
    silence(tc, "PDS-202", .kind = UET_WANT_REQUEST, .also = is_of_write, .ctx = &op,
            .within = before_rto(tc));
}

UET_TEST(window_shut_by_cack, .id = "pds.3.5.11.4.window-shut-by-cack", .requirements = "PDS-060",
         .role = UET_ROLE_INITIATOR, .not_over = "draining", .over = "own", .needs = "ack-cc",
         .purpose = "A window that CACK_PSN holds shut is shut, also when nothing is outstanding.",
         .preamble = "A PDC that the FEP opened, mpr=1, of a Start_PSN in the upper half where it "
                     "can be set; RTO long.",
         .stimulus = "The FEP writes 200 packets, each of which is acknowledged by name while "
                     "CACK_PSN stays; then an ACK that covers all.",
         .expected = "No PSN beyond CACK_PSN + 128, and no question about one (PDS-189); with the "
                     "last ACK the message goes on.")
{
    hold_rto(tc);
    uet_try_param(tc, "Start_PSN", 0xc0000000); /* so that 0 is no PSN of before */
    const struct uet_in *first = writes_against(tc, 1, 200, NULL);
    const struct uet_in *last = acked_by_name(tc, first, 200);
    uint32_t n = (uint32_t)uet_psn_diff(psn_of(last), psn_of(first)) + 1;
    uet_check(tc, "PDS-060", n <= UET_MPR_UNIT, "a PSN is %u beyond CACK with mpr=1", n);
    say_ack_cc(tc, last, psn_of(last), 1);
    hear(tc, "PDS-060", REQUEST_ON(last->pdc));
    uet_auto_ack(tc, true);
}

UET_TEST(close_behind_shut_window, .id = "pds.3.5.11.4.close-behind-a-shut-window",
         .requirements = "PDS-060", .role = UET_ROLE_INITIATOR, .not_over = "draining",
         .over = "own", .needs = "ack-cc",
         .purpose = "A Close Command takes a PSN, and waits for the window like any other.",
         .preamble = "A PDC that the FEP opened, mpr=1; RTO long.",
         .stimulus = "The FEP writes 128 packets, each of which is acknowledged by name while "
                     "CACK_PSN stays; it is asked to close; then an ACK that covers all.",
         .expected = "No Close Command before that ACK, and then one.")
{
    hold_rto(tc);
    const struct uet_in *first = writes_against(tc, 1, UET_MPR_UNIT, NULL);
    const struct uet_in *last = acked_by_name(tc, first, UET_MPR_UNIT);
    struct uet_pdc *pdc = last->pdc;
    if (psn_of(last) - psn_of(first) != UET_MPR_UNIT - 1)
        uet_skip(tc, "the FEP stops before its window is full");
    uet_did(tc, uet_ut_close_pdcs(uet_tc_ut(tc), NULL), "close");
    silence(tc, "PDS-060", CP_ON(pdc, UET_CTL_CLOSE_COMMAND));
    say_ack_cc(tc, last, psn_of(last), 1);
    uet_auto_ack(tc, true);
    hear(tc, "PDS-199", CP_ON(pdc, UET_CTL_CLOSE_COMMAND));
}

/* mpr = 0 for a packet of the FEP, and then a long message that nobody acknowledges. */
static uint32_t run_with_mpr_0(struct uet_tc *tc)
{
    const struct uet_in *last = NULL, *in = writes_against(tc, 0, 200, NULL);
    uint32_t n = runs_to(tc, in->pdc, psn_of(in) - 1, 200, &last);
    return n > 1 ? n : 1;
}

UET_TEST(mpr_zero, .id = "pds.3.5.11.mpr-zero", .requirements = "PDS-064",
         .role = UET_ROLE_INITIATOR, .needs = "ack-cc", .contested = true, .claim_binds = true,
         .purpose = "mpr=0 means no limit of MP_Range up to 1.0.2; it never stops the source.",
         .preamble = "A PDC that the FEP opened; RTO long.",
         .stimulus = "ACK_CC with mpr=0; then the FEP writes 200 packets, none acknowledged.",
         .expected = "Packets go on coming; how many is told.")
{
    hold_rto(tc);
    uint32_t n = run_with_mpr_0(tc);
    uet_note(tc, "PDS-064", "%u PSNs beyond CACK with mpr=0: %s", n,
             n > UET_MPR_UNIT ? "not limited to 128" : "128 or fewer");
}

/* An ACK_CC of all up to *last, with this mpr: how far beyond it the message goes, and to where. */
static uint32_t runs_after(struct uet_tc *tc, const struct uet_in **last, uint8_t mpr)
{
    const struct uet_in *in = *last;

    (void)runs_to(tc, in->pdc, psn_of(in), 400, last); /* what is still on its way */
    in = *last;
    ack_with_mpr(tc, in, mpr);
    return runs_to(tc, in->pdc, psn_of(in), 400, last);
}

UET_TEST(mpr_zero_override, .id = "pds.3.5.5.mpr-zero-override", .requirements = "PDS-065",
         .role = UET_ROLE_INITIATOR, .not_over = "draining", .over = "own",
         .needs = "ack-cc mpr-zero-override", .contested = true,
         .purpose = "With Override_MPR_Zero_Value set, mpr=0 stands for that many PSNs (1.0.3).",
         .preamble = "Override_MPR_Zero_Value set to 16; a PDC that the FEP opened; RTO long.",
         .stimulus = "The FEP writes 400 packets. Each ACK_CC is of all that came: mpr=1, mpr=0, "
                     "mpr=1.",
         .expected = "At most 16 PSNs beyond CACK with mpr=0, more is a finding; after it as many "
                     "as before it, if those were more.")
{
    uet_set_param(tc, "Override_MPR_Zero_Value", 16);
    hold_rto(tc);
    const struct uet_in *in = writes_against(tc, 1, 400, NULL), *last = in;
    uint32_t before = runs_after(tc, &last, 1), n = runs_after(tc, &last, 0);
    uet_check(tc, "PDS-065", n <= 16,
              "%u PSNs beyond CACK with mpr=0 where Override_MPR_Zero_Value is 16", n);
    uint32_t after = runs_after(tc, &last, 1);
    uet_check(tc, "PDS-065", before <= 16 || after > 16,
              "%u PSNs beyond CACK with mpr=1 after mpr=0, %u before it", after, before);
    resume_acks(tc, last);
}

UET_TEST(
    psn_offset_bounds_syns, .id = "pds.3.5.8.2.psn-offset-bounds-syns",
    .not_over = "used after-read aged", .requirements = "PDS-047 PDS-025",
    .role = UET_ROLE_INITIATOR, .contested = true,
    .purpose = "No PSN beyond Start_PSN + 4095 while syn is in use, however large Default_MPR.",
    .preamble = "Default_MPR of the FEP set to 64 (8192 PSNs); RTO long.",
    .stimulus = "The FEP writes 4200 packets; the tester acknowledges none.",
    .expected = "Each SYN has psn_offset = psn - Start_PSN; none is beyond 4095.",
    .once = "its long message goes on when it ends")
{
    struct uet_pdc *pdc;
    uet_set_param(tc, "Default_MPR", 64);
    hold_rto(tc);
    uet_auto_ack(tc, false);
    const struct uet_in *in = fep_writes(tc, 4200u * uet_tc_dut(tc)->payload_mtu, &pdc, NULL);
    uint32_t start = uet_start_psn(&in->packet);
    for (uint32_t n = 1; n < 4200 && (in = uet_next_request(tc, NULL)); n++) {
        uint32_t ahead = uet_packet_psn(&in->packet) - start;
        uet_look_at(tc, in);
        uet_check(tc, "PDS-047", ahead <= 4095, "a SYN stands %u PSNs behind Start_PSN", ahead);
        uet_check_eq(tc, "PDS-025", "psn - psn_offset", uet_start_psn(&in->packet), start);
    }
    pdc->auto_close = false;
}
