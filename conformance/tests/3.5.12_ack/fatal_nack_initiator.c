/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.12.7, Table 3-58: what a source does with NACKs that end the PDC or the operation. */
#include "conformance/tests/3.5.12_ack/nacked.h"

/*
 * A fatal code with a RETRY action: nothing new on this PDC, the message under a new spdcid, after
 * a time that nothing prescribes, with syn=1 unless the FEP has another PDC open (the rules see to
 * that). False: it did not come.
 */
static bool retried(struct uet_tc *tc, const char *requirement, uint8_t code, uint64_t *handle)
{
    hold_rto(tc);
    struct nacked w = nack_a_write(tc, fep_opens(tc), code);
    w.pdc->auto_close = false;
    uet_auto_ack(tc, true);
    *handle = w.handle;
    const struct uet_in *in = maybe(tc, MESSAGE_AGAIN, .within = patience(tc, one_rto(tc)) / 2);
    uet_check(tc, requirement, !in || in->pdc != w.pdc,
              "the packet came again on the PDC that was refused");
    return in;
}

static void retried_elsewhere(struct uet_tc *tc, const char *requirement, uint8_t code)
{
    uint64_t handle;

    if (!retried(tc, requirement, code, &handle))
        uet_fail(tc, requirement, "the message did not come again under a new spdcid");
}

/* The message did not come again. That it was given up is told at least. */
static void given_up(struct uet_tc *tc, const char *requirement, uint64_t handle)
{
    struct uet_ut_completion c;

    if (!uet_completion(tc, handle, 0, &c) || c.status == UET_UT_OK)
        uet_fail(tc, requirement, "the message did not come again under a new spdcid");
}

static bool begins_elsewhere(const struct uet_in *in, const void *ctx)
{
    return in->pdc != ctx && uet_is_ses_request(&in->packet) &&
           uet_ses_req_som(uet_ses(&in->packet));
}

#define BEGUN_BESIDE(p)                                                                            \
    .kind = UET_WANT_REQUEST, .also = begins_elsewhere, .ctx = (p),                                \
    .named = "the first packet of the message on another PDC"

/*
 * The code for the second of three packets, the first acknowledged or not: what is tried again is
 * the message, and that from its first packet on. False: it was given up with an error.
 */
static bool retried_as_a_whole(struct uet_tc *tc, const char *requirement, uint8_t code, bool acked)
{
    const struct uet_in *in[3];
    uint64_t handle;

    hold_rto(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    fep_writes_unacked(tc, &pdc, in, 3, &handle);
    uet_auto_ack(tc, true); /* of what opens the other PDC */
    pdc->auto_ack = pdc->auto_close = false;
    struct uet_out ack = ack_at(in[0], psn_of(in[0]), psn_of(in[0]));
    if (acked)
        say(tc, &ack);
    say_nack(tc, in[1], code);
    const struct uet_in *begun =
        maybe(tc, BEGUN_BESIDE(pdc), .within = patience(tc, one_rto(tc)) / 2);
    if (!begun) {
        given_up(tc, requirement, handle);
        return false;
    }
    for (int i = 1; i < 3; i++)
        uet_check(tc, requirement, uet_next_request(tc, begun->pdc),
                  "packet %d of the message did not come on the other PDC", i + 1);
    return true;
}

UET_TEST(fatal_moves_the_message, .id = "pds.3.5.12.7.fatal-moves-the-message",
         .requirements = "PDS-138", .role = UET_ROLE_INITIATOR,
         .purpose = "A fatal NACK of one packet moves the whole message to another PDC.",
         .preamble = "A PDC that the FEP opened; RTO long.",
         .stimulus = "The FEP writes 3 packets; NACK 0x0F for the second, no ACK.",
         .expected = "The first packet of the message comes under a new spdcid.")
{
    if (!retried_as_a_whole(tc, "PDS-138", UET_NACK_PDC_HDR_MISMATCH, false))
        uet_fail(tc, "PDS-138", "the message was given up with an error, not tried again");
}

UET_TEST(fatal_moves_the_acknowledged, .id = "pds.3.5.12.7.fatal-moves-what-was-acknowledged",
         .requirements = "PDS-138 PDS-008", .role = UET_ROLE_INITIATOR,
         .purpose = "Of a message that moves the packets that were acknowledged move, too.",
         .preamble = "A PDC that the FEP opened; RTO long.",
         .stimulus = "The FEP writes 3 packets; an ACK of the first, NACK 0x0F for the second.",
         .expected = "The first packet of the message comes under a new spdcid, then the others.")
{
    if (!retried_as_a_whole(tc, "PDS-138", UET_NACK_PDC_HDR_MISMATCH, true))
        uet_fail(tc, "PDS-138", "the message was given up with an error, not tried again");
}

UET_TEST(fatal_moves_each_message, .id = "pds.3.5.12.7.fatal-moves-each-message",
         .requirements = "PDS-138", .role = UET_ROLE_INITIATOR,
         .purpose = "A fatal NACK of one message's packet ends the wait of the others, too.",
         .preamble = "A PDC that the FEP opened; RTO long.",
         .stimulus = "The FEP writes twice on one PDC; NACK 0x0F for the first, no ACK; then it "
                     "writes once more.",
         .expected = "Both operations end: elsewhere, or told as errors. The third does not come "
                     "on that PDC.")
{
    hold_rto(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    uint64_t first, second;
    const struct uet_in *in = fep_writes_unanswered(tc, &pdc, &first);
    fep_writes_behind(tc, pdc, &second);
    uet_auto_ack(tc, true); /* of what opens the other PDC */
    pdc->auto_ack = pdc->auto_close = false;
    say_nack(tc, in, UET_NACK_PDC_HDR_MISMATCH);
    completion_of(tc, "PDS-138", first);
    completion_of(tc, "PDS-138", second);
    next_elsewhere(tc, "PDS-138", pdc);
}

UET_TEST(closing_moves_each_message, .id = "pds.3.5.8.3.closing-moves-each-message",
         .requirements = "PDS-139", .role = UET_ROLE_INITIATOR,
         .purpose = "UET_CLOSING for one message: none of that PDC is forgotten.",
         .preamble = "A PDC that the FEP opened.",
         .stimulus = "The FEP writes twice on one PDC; NACK 0x10 for the first, and for what comes "
                     "on that PDC again.",
         .expected = "Both operations end: elsewhere, or told as errors.")
{
    struct uet_pdc *pdc = fep_opens(tc);
    uint64_t first, second;
    const struct uet_in *in = fep_writes_unanswered(tc, &pdc, &first);
    fep_writes_behind(tc, pdc, &second);
    uet_auto_ack(tc, true);
    pdc->auto_ack = pdc->auto_close = false;
    for (int i = 0; in && i < 8; i++) {
        say_nack(tc, in, UET_NACK_CLOSING);
        in = maybe(tc, ANY_RESEND_ON(pdc), .within = one_rto(tc));
    }
    completion_of(tc, "PDS-139", first);
    completion_of(tc, "PDS-139", second);
}

UET_TEST(closing_moves_the_message, .id = "pds.3.5.8.3.closing-moves-the-message",
         .requirements = "PDS-139", .role = UET_ROLE_INITIATOR,
         .purpose = "UET_CLOSING for one packet moves the whole message to another PDC.",
         .preamble = "A PDC that the FEP opened; RTO long.",
         .stimulus = "The FEP writes 3 packets; NACK 0x10 for the second, no ACK.",
         .expected = "The first packet of the message comes under a new spdcid; an error told to "
                     "SES instead is a finding.")
{
    if (!retried_as_a_whole(tc, "PDS-139", UET_NACK_CLOSING, false))
        uet_other_reading(tc, "PDS-139", "the message was given up with an error, not tried again");
}

UET_TEST(closing_moves_the_acknowledged, .id = "pds.3.5.8.3.closing-moves-what-was-acknowledged",
         .requirements = "PDS-139 PDS-008", .role = UET_ROLE_INITIATOR,
         .purpose = "UET_CLOSING for one packet moves the whole message to another PDC, also when "
                    "the target has acknowledged a part of it.",
         .preamble = "A PDC that the FEP opened; RTO long.",
         .stimulus = "The FEP writes 3 packets; an ACK of the first, NACK 0x10 for the second.",
         .expected =
             "The first packet of the message comes under a new spdcid, then the others; an "
             "error told to SES instead is a finding.")
{
    if (!retried_as_a_whole(tc, "PDS-139", UET_NACK_CLOSING, true))
        uet_other_reading(tc, "PDS-139", "the message was given up with an error, not tried again");
}

UET_TEST(hdr_mismatch_is_fatal, .id = "pds.3.5.12.7.hdr-mismatch-is-fatal",
         .requirements = "PDS-138", .role = UET_ROLE_INITIATOR,
         .purpose = "UET_PDC_HDR_MISMATCH makes the source close the PDC and retry on a new one.",
         .preamble = "A PDC that the FEP opened.", .stimulus = "NACK 0x0F for its next packet.",
         .expected = "The message comes again under a new spdcid.")
{
    retried_elsewhere(tc, "PDS-138", UET_NACK_PDC_HDR_MISMATCH);
}

UET_TEST(mode_mismatch_is_fatal, .id = "pds.3.5.12.7.mode-mismatch-is-fatal",
         .requirements = "PDS-138", .role = UET_ROLE_INITIATOR,
         .purpose = "UET_PDC_MODE_MISMATCH makes the source close the PDC and retry on a new one.",
         .preamble = "A PDC that the FEP opened.", .stimulus = "NACK 0x16 for its next packet.",
         .expected = "The message comes again under a new spdcid.")
{
    retried_elsewhere(tc, "PDS-138", UET_NACK_PDC_MODE_MISMATCH);
}

UET_TEST(inv_dpdcid_is_fatal, .id = "pds.3.5.12.7.inv-dpdcid-is-fatal", .requirements = "PDS-138",
         .role = UET_ROLE_INITIATOR,
         .purpose = "UET_INV_DPDCID makes the source close the PDC and retry on a new one.",
         .preamble = "A PDC that the FEP opened.",
         .stimulus = "NACK 0x0E, spdcid=0, for its next packet.",
         .expected = "The message comes again under a new spdcid.")
{
    retried_elsewhere(tc, "PDS-138", UET_NACK_INV_DPDCID);
}

UET_TEST(invalid_syn_is_fatal, .id = "pds.3.5.12.7.invalid-syn-is-fatal", .requirements = "PDS-138",
         .role = UET_ROLE_INITIATOR,
         .purpose = "UET_INVALID_SYN makes the source close the PDC and retry on a new one.",
         .preamble = "A PDC that the FEP opened.", .stimulus = "NACK 0x15 for its next packet.",
         .expected = "The message comes again under a new spdcid.")
{
    retried_elsewhere(tc, "PDS-138", UET_NACK_INVALID_SYN);
}

UET_TEST(unexp_event_is_fatal, .id = "pds.3.5.12.7.unexp-event-is-fatal", .requirements = "PDS-138",
         .role = UET_ROLE_INITIATOR,
         .purpose = "UET_UNEXP_EVENT makes the source close the PDC and retry on a new one.",
         .preamble = "A PDC that the FEP opened.", .stimulus = "NACK 0x19 for its next packet.",
         .expected = "The message comes again under a new spdcid.")
{
    retried_elsewhere(tc, "PDS-138", UET_NACK_UNEXP_EVENT);
}

UET_TEST(closing_retries, .id = "pds.3.5.8.3.closing-retries", .requirements = "PDS-139",
         .role = UET_ROLE_INITIATOR,
         .purpose = "UET_CLOSING: the request is retried on another PDC.",
         .preamble = "A PDC that the FEP opened.", .stimulus = "NACK 0x10 for its next packet.",
         .expected = "The message comes again under a new spdcid; an error told to SES "
                     "instead is a finding.")
{
    uint64_t handle;
    if (retried(tc, "PDS-139", UET_NACK_CLOSING, &handle))
        return;
    given_up(tc, "PDS-139", handle);
    uet_other_reading(tc, "PDS-139", "the message was given up with an error, not tried again");
}

/* A code that fails the transaction: no resend anywhere, SES is told, and the PDC is closed. */
static void fails(struct uet_tc *tc, const char *requirement, uint8_t code)
{
    hold_rto(tc);
    struct nacked w = nack_a_write(tc, fep_opens(tc), code);
    w.pdc->auto_close = false;
    silence(tc, requirement, MESSAGE_AGAIN, .within = 2 * nack_delay(tc) + uet_tc_quiet(tc));
    ends_in_error(tc, requirement, w.handle);
    next_elsewhere(tc, requirement, w.pdc);
}

UET_TEST(closing_in_err_fails, .id = "pds.3.5.8.3.closing-in-err-fails", .requirements = "PDS-140",
         .role = UET_ROLE_INITIATOR,
         .purpose = "UET_CLOSING_IN_ERR: PDC closed, no retry, SES is told.",
         .preamble = "A PDC that the FEP opened.",
         .stimulus = "NACK 0x11 for its next packet; then the FEP writes again.",
         .expected = "No resend on any PDC; the operation ends in error. The next message comes on "
                     "another PDC.")
{
    fails(tc, "PDS-140", UET_NACK_CLOSING_IN_ERR);
}

UET_TEST(closing_in_err_ends_each, .id = "pds.3.5.8.3.closing-in-err-ends-each",
         .requirements = "PDS-140 PDS-160", .role = UET_ROLE_INITIATOR,
         .purpose = "With the PDC each message on it ends.",
         .preamble = "A PDC that the FEP opened; two WRITEs of one packet on it, not acknowledged.",
         .stimulus = "NACK 0x11 for the first.",
         .expected = "Neither completes as a success; the first ends in error, the second does or "
                     "comes on another PDC.")
{
    hold_rto(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    uint64_t first, second;
    const struct uet_in *in = fep_writes_unanswered(tc, &pdc, &first);
    fep_writes_behind(tc, pdc, &second);
    say_nack(tc, in, UET_NACK_CLOSING_IN_ERR);
    pdc->auto_close = false;
    uet_auto_ack(tc, true);
    ends_in_error(tc, "PDS-140", first);
    if (!maybe(tc, MESSAGE_AGAIN, .also = is_first, .within = patience(tc, nack_delay(tc))))
        ends_in_error(tc, "PDS-160", second);
}

UET_TEST(gtd_resp_unavail_fails, .id = "pds.3.5.12.7.gtd-resp-unavail-fails",
         .requirements = "PDS-141", .role = UET_ROLE_INITIATOR,
         .purpose = "UET_GTD_RESP_UNAVAIL: the transaction fails without a resend.",
         .preamble = "A PDC that the FEP opened.",
         .stimulus = "NACK 0x13 for its next packet; then the FEP writes again.",
         .expected = "No resend; the operation ends in error. The next message comes on another "
                     "PDC.",
         .once = "the FEP's Close Command stays without an answer")
{
    fails(tc, "PDS-141", UET_NACK_GTD_RESP_UNAVAIL);
}
