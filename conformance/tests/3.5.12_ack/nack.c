/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.12.7, 3.5.10.10: the form of NACKs, and that nobody answers them. */
#include "conformance/tests/pds_target.h"

UET_TEST(nack_layout, .id = "pds.3.5.10.10.nack-layout", .requirements = "PDS-133",
         .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .purpose = "A NACK names the packet that it refuses, and carries no SES header.",
         .preamble = "PDC open; MP_Range from the mpr of the ACK_CC, else from Default_MPR.",
         .stimulus = "A Request with a PSN ahead of the window.",
         .expected = "NACK with next_hdr NONE, nt=0, nack_psn = its PSN, dpdcid = its spdcid, "
                     "nothing after the header.")
{
    const struct uet_in *ack;
    struct uet_pdc *p = open_with_ack(tc, &ack);
    struct uet_out far = request_at(p, cack_of(ack) + mp_range(tc, ack) + 10);
    say(tc, &far);
    const struct uet_in *nack = hear(tc, "PDS-133", NACK_ON(NULL, UET_NACK_PSN_OOR_WINDOW));
    field(tc, "PDS-133", nack, UET_F_PDS_NEXT_HDR, UET_NH_NONE);
    field(tc, "PDS-133", nack, UET_F_PDS_NT, UET_NACK_TYPE_RUD_ROD);
    field(tc, "PDS-133", nack, UET_F_PDS_NACK_PSN, far.psn);
    field(tc, "PDS-133", nack, UET_F_PDS_DPDCID, p->pdcid);
    uet_check_eq(tc, "PDS-133", "bytes after the PDS header", nack->packet.payload_len, 0);
}

/* The NACK that a packet brings, if any, has a code of Table 3-58. */
static bool code_defined_if_any(struct uet_tc *tc, const struct uet_out *o)
{
    say(tc, o);
    const struct uet_in *nack = maybe(tc, REFUSAL_OF(o));
    if (!nack)
        return false;
    uint64_t code = value_of(tc, nack, UET_F_PDS_NACK_CODE);
    uet_check(tc, "PDS-147", uet_nack_table[code].nack_class != UET_CLASS_NONE,
              "nack_code 0x%02x is reserved", (unsigned)code);
    return true;
}

/* The same of a packet that must bring one. */
static void check_code_defined(struct uet_tc *tc, const struct uet_out *o)
{
    if (!code_defined_if_any(tc, o)) /* that it must come is for other tests to say */
        uet_inconc(tc, "a packet that must be refused was not");
}

UET_TEST(nack_codes_defined, .id = "pds.3.5.12.7.nack-codes-defined", .requirements = "PDS-147",
         .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .purpose = "The codes of NACKs are those of Table 3-58; reserved ones are not sent.",
         .preamble = "PDC open.",
         .stimulus = "A Request ahead of the window, one with an unknown dpdcid, a Close Command "
                     "with an unknown dpdcid, an ACK Request for a PSN not sent.",
         .expected = "Four NACKs; no code is 0x00, 0x0C or in 0x1B..0xFC.")
{
    const struct uet_in *ack;
    struct uet_pdc *p = open_with_ack(tc, &ack), *unknown = pdc_beside(tc, p);
    struct uet_out far = request_at(p, cack_of(ack) + mp_range(tc, ack) + 10);
    struct uet_out asks = cp_at(p, UET_CTL_ACK_REQUEST, p->next_psn);
    check_code_defined(tc, &far);
    check_code_defined(tc, &asks);
    struct uet_out lost = uet_any_request(unknown), close = uet_cp(unknown, UET_CTL_CLOSE_COMMAND);
    check_code_defined(tc, &lost);
    check_code_defined(tc, &close);
}

UET_TEST(nack_codes_of_cps, .id = "pds.3.5.12.7.nack-codes-of-cps", .requirements = "PDS-147",
         .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .purpose = "Reserved codes are not sent for Control Packets that are out of place either.",
         .preamble = "PDC open.",
         .stimulus = "ACK Requests for PSNs ahead of the window and long past, a NOOP ahead of the "
                     "window, and what only a target sends: a Close Request, a Clear Request.",
         .expected = "Silence, or a NACK whose code is not 0x00, 0x0C or in 0x1B..0xFC.")
{
    const struct uet_in *ack;
    struct uet_pdc *p = open_with_ack(tc, &ack);
    const uint32_t ahead = cack_of(ack) + mp_range(tc, ack) + 500;
    const struct uet_out o[] = {
        cp_at(p, UET_CTL_ACK_REQUEST, ahead), cp_at(p, UET_CTL_ACK_REQUEST, cack_of(ack) - 40000),
        cp_at(p, UET_CTL_NOOP, ahead), cp_at(p, UET_CTL_CLOSE_REQUEST, ahead),
        cp_at(p, UET_CTL_CLEAR_REQUEST, 0)};
    tolerate(tc, REFUSAL_ON(p));
    for (size_t i = 0; i < sizeof o / sizeof *o; i++)
        code_defined_if_any(tc, &o[i]);
}

UET_TEST(stray_nack_not_answered, .id = "pds.3.5.12.7.stray-nack-not-answered",
         .requirements = "PDS-155", .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .purpose = "A NACK is neither acknowledged nor refused, and one that refuses nothing "
                    "changes nothing.",
         .preamble = "PDC open; the FEP has sent no Request on it.",
         .stimulus = "NACK UET_NO_PKT_BUFFER for a PSN that the FEP never used.",
         .expected = "Silence; the PDC still works.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out nack = uet_nack(p, p->start_psn + 5, UET_NACK_NO_PKT_BUFFER);
    say(tc, &nack);
    silence(tc, "PDS-155", ANSWER_TO(&nack));
    still_serves(tc, "PDS-155", p);
}

#define BEHIND 16 /* packets that pass the one that is lost */

/* How many packets of those wanted fit into the window behind one that is missing. */
static uint32_t room_behind(struct uet_tc *tc, const struct uet_in *ack, uint32_t wanted)
{
    uint64_t window = 128;

    if (uet_is_ack_cc(&ack->packet) && uet_ack_cc_mpr(uet_pds(&ack->packet)) == 0 &&
        uet_tc_told(tc, "Override_MPR_Zero_Value", &window) && window < 2)
        uet_skip(tc, "the window is %u PSN", (unsigned)window);
    return window - 1 < wanted ? (uint32_t)(window - 1) : wanted;
}

UET_TEST(inferred_loss_named, .id = "pds.3.5.15.inferred-loss-named", .requirements = "PDS-229",
         .role = UET_ROLE_TARGET, .needs = "rud any-request", .claim_binds = true,
         .purpose = "A destination that infers a loss asks for what is missing, and for nothing "
                    "else.",
         .preamble = "PDC open; n is the next PSN.",
         .stimulus = "Requests n+1 to n+16, as far as the window goes, and none with n; later n.",
         .expected = "No NACK, or UET_RCVR_INFER_LOSS (0x1A) of n; then CACK_PSN passes all.")
{
    const struct uet_in *ack, *nack;
    struct uet_pdc *p = open_with_ack(tc, &ack);
    uint32_t behind = room_behind(tc, ack, BEHIND);
    struct uet_out missing = uet_any_request(p);
    tolerate(tc, NACK_ON(p, UET_NACK_RCVR_INFER_LOSS));
    say_requests(tc, p, behind);
    unsigned n = 0;
    for (; (nack = maybe(tc, NACK_ON(p, UET_NACK_RCVR_INFER_LOSS), .within = uet_tc_quiet(tc)));
         n++)
        field(tc, "PDS-229", nack, UET_F_PDS_NACK_PSN, missing.psn);
    uet_note(tc, "PDS-229", n ? "the loss was inferred" : "no loss was inferred from %u packets",
             behind);
    say_again(tc, &missing);
    hear(tc, "PDS-229", .kind = UET_WANT_ACK, .covering = true, OF_PSN(p, missing.psn + behind));
}
