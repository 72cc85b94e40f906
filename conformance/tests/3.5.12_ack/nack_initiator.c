/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.12.7, Table 3-58: what a source does with NACKs. */
#include "conformance/tests/pds.h"

static uint64_t nack_delay(struct uet_tc *tc)
{
    return uet_tc_latest(tc, uet_tc_param(tc, "NACK_Retx_Time"));
}

/* The FEP writes on an open PDC; the packet is NACKed. */
static const struct uet_in *nacked(struct uet_tc *tc, struct uet_pdc **pdc, uint8_t code)
{
    uet_auto_ack(tc, false);
    const struct uet_in *in = fep_writes_on(tc, pdc, 16, NULL);
    struct uet_out nack = uet_nack(*pdc, uet_packet_psn(&in->packet), code);
    uet_send(tc, &nack);
    return in;
}

/* A RETX code: the PSN again on the same PDC, retx=1, well before the RTO could do it. */
static void resent(struct uet_tc *tc, const char *requirement, const struct uet_in *in)
{
    struct uet_pdc *pdc = in->pdc;
    const struct uet_want again = resend_of(pdc, uet_packet_psn(&in->packet));
    uet_for(tc, requirement);
    in = uet_expect(tc, &again, patience(tc, nack_delay(tc)));
    uet_check_eq(tc, requirement, "pds.flags.retx", uet_rud_rod_req_retx(uet_pds(&in->packet)), 1);
    acknowledge(tc, pdc, in);
    uet_auto_ack(tc, true);
}

UET_TEST(nack_resends, .id = "pds.3.5.20.3.1.nack-resends", .requirements = "PDS-135 PDS-058",
         .role = UET_ROLE_INITIATOR,
         .purpose = "A NORMAL code makes the source resend that PSN on the same PDC.",
         .preamble = "A PDC that the FEP opened; RTO long.",
         .stimulus = "NACK UET_NO_PKT_BUFFER for its next packet.",
         .expected = "The same PSN with retx=1 after NACK_Retx_Time.")
{
    hold_rto(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    resent(tc, "PDS-135", nacked(tc, &pdc, UET_NACK_NO_PKT_BUFFER));
}

UET_TEST(each_lack_resends, .id = "pds.3.5.20.3.1.each-lack-resends", .requirements = "PDS-135",
         .role = UET_ROLE_INITIATOR,
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
        resent(tc, "PDS-135", nacked(tc, &pdc, codes[i]));
        uet_forget_settled(tc);
    }
}

UET_TEST(vendor_code_ignored, .id = "pds.3.5.12.7.vendor-code-ignored", .requirements = "PDS-148",
         .role = UET_ROLE_INITIATOR, .purpose = "vendor_code has no meaning to the protocol.",
         .preamble = "A PDC that the FEP opened; RTO long.",
         .stimulus = "NACK UET_NO_PKT_BUFFER with vendor_code 0xAA.",
         .expected = "The same reaction as with 0: the PSN again.")
{
    hold_rto(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    uet_auto_ack(tc, false);
    const struct uet_in *in = fep_writes_on(tc, &pdc, 16, NULL);
    struct uet_out nack = uet_nack(pdc, uet_packet_psn(&in->packet), UET_NACK_NO_PKT_BUFFER);
    uet_nack_vendor_code_set(nack.pds, 0xaa);
    uet_send(tc, &nack);
    resent(tc, "PDS-148", in);
}

UET_TEST(inferred_loss_resends, .id = "pds.3.5.15.inferred-loss-resends", .requirements = "PDS-229",
         .role = UET_ROLE_INITIATOR, .claim_binds = true,
         .purpose = "UET_RCVR_INFER_LOSS makes the source resend.",
         .preamble = "A PDC that the FEP opened; RTO long.", .stimulus = "NACK 0x1A.",
         .expected = "The PSN again, retx=1.")
{
    hold_rto(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    resent(tc, "PDS-229", nacked(tc, &pdc, UET_NACK_RCVR_INFER_LOSS));
}

UET_TEST(nack_outside_range, .id = "pds.3.5.12.7.nack-outside-range", .requirements = "PDS-134",
         .role = UET_ROLE_INITIATOR,
         .purpose = "A NACK whose nack_psn is not outstanding changes nothing.",
         .preamble = "A PDC that the FEP opened.",
         .stimulus =
             "The FEP writes; before the ACK a fatal NACK (UET_PDC_MODE_MISMATCH) for a PSN "
             "never sent.",
         .expected = "The write completes on its PDC; no packet of it comes on another.")
{
    hold_rto(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    uint64_t handle;
    uet_auto_ack(tc, false);
    const struct uet_in *in = fep_writes_on(tc, &pdc, 16, &handle);
    struct uet_out nack =
        uet_nack(pdc, uet_packet_psn(&in->packet) + 50, UET_NACK_PDC_MODE_MISMATCH);
    uet_send(tc, &nack);
    const struct uet_want elsewhere = {
        .kind = UET_WANT_REQUEST, .also = is_first, .named = "the message on another PDC"};
    uet_expect_nothing(tc, "PDS-134", &elsewhere, 0);
    acknowledge(tc, pdc, in);
    uet_auto_ack(tc, true);
    struct uet_ut_completion c = uet_expect_completion(tc, handle);
    uet_check_eq(tc, "PDS-134", "completion status", c.status, UET_UT_OK);
}

UET_TEST(nack_below_cack, .id = "pds.3.5.12.7.nack-below-cack", .requirements = "PDS-151",
         .role = UET_ROLE_INITIATOR,
         .purpose = "UET_PSN_OOR_WINDOW for a PSN already acknowledged causes no resend.",
         .preamble = "A PDC that the FEP opened, everything acknowledged.",
         .stimulus = "NACK 0x0B for the last PSN.", .expected = "No resend of it.")
{
    struct uet_pdc *pdc = fep_opens(tc);
    uint32_t psn = pdc->cack;
    struct uet_out nack = uet_nack(pdc, psn, UET_NACK_PSN_OOR_WINDOW);
    uet_send(tc, &nack);
    const struct uet_want again = {
        .pdc = pdc, .with_psn = true, .psn = psn, .named = "packet of that PSN"};
    uet_expect_nothing(tc, "PDS-151", &again, 2 * nack_delay(tc));
}

UET_TEST(nack_not_answered, .id = "pds.3.5.12.7.nack-not-answered", .requirements = "PDS-155",
         .role = UET_ROLE_INITIATOR, .purpose = "NACKs are neither acknowledged nor NACKed.",
         .preamble = "A PDC that the FEP opened, everything acknowledged.",
         .stimulus = "A NACK for an old PSN; a NACK to a PDCID that the FEP does not have.",
         .expected = "Silence.")
{
    struct uet_pdc *pdc = fep_opens(tc);
    struct uet_out known = uet_nack(pdc, pdc->cack, UET_NACK_NO_PKT_BUFFER), unknown = known;
    uet_nack_dpdcid_set(unknown.pds, (uint16_t)(pdc->fep_pdcid ^ 0x2222));
    uet_forget(tc);
    uet_send(tc, &known);
    uet_send(tc, &unknown);
    const struct uet_want ack = {.kind = UET_WANT_ACK, .named = "an ACK"};
    const struct uet_want nack = {.kind = UET_WANT_NACK, .named = "a NACK"};
    uet_expect_nothing(tc, "PDS-155", &ack, 0);
    uet_expect_nothing(tc, "PDS-155", &nack, UET_US);
}

UET_TEST(unknown_nack_code, .id = "pds.3.5.12.7.unknown-nack-code", .requirements = "PDS-154",
         .role = UET_ROLE_INITIATOR, .contested = true,
         .purpose = "A reserved NACK code tears down no PDC.",
         .preamble = "A PDC that the FEP opened.",
         .stimulus = "NACK code 0x40 for an outstanding packet.",
         .expected = "The packet comes again on the same PDC (by RTO at the latest).")
{
    uet_need_retries(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    const struct uet_in *in = nacked(tc, &pdc, 0x40);
    const struct uet_want again = resend_of(pdc, uet_packet_psn(&in->packet));
    uet_auto_ack(tc, true);
    uet_check(tc, "PDS-154", uet_maybe(tc, &again, patience(tc, one_rto(tc))) != NULL,
              "traffic on the PDC stopped after a reserved NACK code");
}

/*
 * A fatal code with a RETRY action: nothing new on this PDC, the message under a new spdcid, after
 * a time that nothing prescribes. NULL: it did not come.
 */
static const struct uet_in *retry(struct uet_tc *tc, const char *requirement, uint8_t code,
                                  uint64_t *handle)
{
    hold_rto(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    uet_auto_ack(tc, false);
    const struct uet_in *in = fep_writes_on(tc, &pdc, 16, handle);
    struct uet_out nack = uet_nack(pdc, uet_packet_psn(&in->packet), code);
    if (uet_nack_table[code].spdcid == UET_SPDCID_ZERO)
        uet_nack_spdcid_set(nack.pds, 0);
    uet_send(tc, &nack);
    pdc->auto_close = false;
    uet_auto_ack(tc, true);
    const struct uet_want again = {
        .kind = UET_WANT_REQUEST, .named = "the message again", .again = true};
    in = uet_maybe(tc, &again, patience(tc, one_rto(tc)) / 2);
    if (!in)
        return NULL;
    uet_check(tc, requirement, in->pdc != pdc, "the packet came again on the PDC that was refused");
    return in; /* with syn=1, unless the FEP has another PDC open: the rules see to that */
}

static void retried_elsewhere(struct uet_tc *tc, const char *requirement, uint8_t code)
{
    uint64_t handle;
    if (!retry(tc, requirement, code, &handle))
        uet_fail(tc, requirement, "the message did not come again under a new spdcid");
}

static bool begins_elsewhere(const struct uet_in *in, const void *ctx)
{
    return in->pdc != ctx && uet_is_ses_request(&in->packet) &&
           uet_ses_req_som(uet_ses(&in->packet));
}

/*
 * The code for the second of three packets: what is tried again is the message, and that from its
 * first packet on. False: it was given up with an error.
 */
static bool retried_as_a_whole(struct uet_tc *tc, const char *requirement, uint8_t code)
{
    const struct uet_in *in[3];
    struct uet_ut_completion c;
    uint64_t handle;
    hold_rto(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    fep_writes_unacked(tc, &pdc, in, 3, &handle);
    struct uet_out nack = uet_nack(pdc, uet_packet_psn(&in[1]->packet), code);
    const struct uet_want first = {.kind = UET_WANT_REQUEST,
                                   .also = begins_elsewhere,
                                   .ctx = pdc,
                                   .named = "the first packet of the message on another PDC"};
    uet_auto_ack(tc, true); /* of what opens the other PDC */
    pdc->auto_ack = pdc->auto_close = false;
    uet_send(tc, &nack);
    const struct uet_in *begun = uet_maybe(tc, &first, patience(tc, one_rto(tc)) / 2);
    if (begun) {
        for (int i = 1; i < 3; i++)
            uet_check(tc, requirement, uet_next_request(tc, begun->pdc) != NULL,
                      "packet %d of the message did not come on the other PDC", i + 1);
        return true;
    }
    if (uet_completion(tc, handle, 0, &c) && c.status != UET_UT_OK)
        return false;
    uet_fail(tc, requirement, "the first packet of the message did not come under a new spdcid");
}

UET_TEST(fatal_moves_the_message, .id = "pds.3.5.12.7.fatal-moves-the-message",
         .requirements = "PDS-138", .role = UET_ROLE_INITIATOR,
         .purpose = "A fatal NACK of one packet moves the whole message to another PDC.",
         .preamble = "A PDC that the FEP opened; RTO long.",
         .stimulus = "The FEP writes 3 packets; NACK 0x0F for the second, no ACK.",
         .expected = "The first packet of the message comes under a new spdcid.")
{
    if (!retried_as_a_whole(tc, "PDS-138", UET_NACK_PDC_HDR_MISMATCH))
        uet_fail(tc, "PDS-138", "the message was given up with an error, not tried again");
}

UET_TEST(closing_moves_the_message, .id = "pds.3.5.8.3.closing-moves-the-message",
         .requirements = "PDS-139", .role = UET_ROLE_INITIATOR,
         .purpose = "UET_CLOSING for one packet moves the whole message to another PDC.",
         .preamble = "A PDC that the FEP opened; RTO long.",
         .stimulus = "The FEP writes 3 packets; NACK 0x10 for the second, no ACK.",
         .expected = "The first packet of the message comes under a new spdcid; an error told to "
                     "SES instead is a finding.")
{
    if (!retried_as_a_whole(tc, "PDS-139", UET_NACK_CLOSING))
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
    struct uet_ut_completion c;
    if (retry(tc, "PDS-139", UET_NACK_CLOSING, &handle))
        return;
    if (uet_completion(tc, handle, 0, &c) && c.status != UET_UT_OK)
        uet_other_reading(tc, "PDS-139", "the message was given up with an error, not tried again");
    else
        uet_fail(tc, "PDS-139", "the message did not come again under a new spdcid");
}

/* After that NACK the PDC is closed: the next message comes on another one. */
static void next_elsewhere(struct uet_tc *tc, const char *requirement, const struct uet_pdc *pdc)
{
    struct uet_pdc *next;
    uet_auto_ack(tc, true);
    uet_for(tc, requirement);
    const struct uet_in *in = fep_writes_on(tc, &next, 16, NULL);
    uet_check(tc, requirement, next != pdc || uet_has_syn(&in->packet),
              "the next message came on the PDC that the NACK has closed");
}

/* A code that fails the transaction: no resend anywhere, SES is told, and the PDC is closed. */
static void fails(struct uet_tc *tc, const char *requirement, uint8_t code)
{
    hold_rto(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    uint64_t handle;
    uet_auto_ack(tc, false);
    const struct uet_in *in = fep_writes_on(tc, &pdc, 16, &handle);
    struct uet_out nack = uet_nack(pdc, uet_packet_psn(&in->packet), code);
    pdc->auto_close = false;
    uet_send(tc, &nack);
    const struct uet_want request = {
        .kind = UET_WANT_REQUEST, .named = "the message again", .again = true};
    uet_expect_nothing(tc, requirement, &request, 2 * nack_delay(tc) + uet_tc_quiet(tc));
    struct uet_ut_completion c = uet_expect_completion(tc, handle);
    uet_check(tc, requirement, c.status != UET_UT_OK, "the operation was reported as done");
    next_elsewhere(tc, requirement, pdc);
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

/*
 * The FEP writes, and its packet gets this experimental code. What comes of it: a packet on this
 * PDC or another one, or NULL; the write then has its ACK all the same. *pdc is where it ended.
 */
static const struct uet_in *after_experiment(struct uet_tc *tc, struct uet_pdc **pdc, uint8_t code,
                                             uint64_t *handle)
{
    const struct uet_want again = {
        .kind = UET_WANT_REQUEST, .named = "the packet again", .again = true};
    uet_auto_ack(tc, false);
    const struct uet_in *first = fep_writes_on(tc, pdc, 16, handle);
    struct uet_out nack = uet_nack(*pdc, uet_packet_psn(&first->packet), code);
    uet_send(tc, &nack);
    uet_auto_ack(tc, true);
    const struct uet_in *in = uet_maybe(tc, &again, patience(tc, nack_delay(tc)));
    if (in && in->pdc != *pdc) {
        (*pdc)->auto_close = false;
        *pdc = in->pdc;
    }
    if (!in && code != UET_NACK_EXP_NACK_FATAL)
        acknowledge(tc, *pdc, first);
    return in;
}

UET_TEST(experimental_by_class, .id = "pds.3.5.12.7.experimental-nacks-by-class",
         .requirements = "PDS-236", .role = UET_ROLE_INITIATOR, .needs = "experimental-nacks",
         .contested = true, .params = "NACK_Retx_Time",
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
    uet_expect_completion(tc, handle);
    in = after_experiment(tc, &pdc, UET_NACK_EXP_NACK_ERR, &handle);
    uet_check(tc, "PDS-236", in != NULL, "0xFE brought no retry");
    uet_expect_completion(tc, handle);
    after_experiment(tc, &pdc, UET_NACK_EXP_NACK_FATAL, &handle);
    bool told = uet_completion(tc, handle, 0, &c) && c.status != UET_UT_OK;
    uet_check(tc, "PDS-236", told, "0xFF did not end the write with an error");
    pdc->auto_close = false;
}

UET_TEST(nack_retries_end, .id = "pds.3.5.20.3.1.nack-retries-end", .requirements = "PDS-136",
         .role = UET_ROLE_INITIATOR,
         .purpose = "After Max_NACK_Retx_Cnt resends caused by NACKs the transaction fails.",
         .preamble = "Max_NACK_Retx_Cnt set to 2, NACK_Retx_Time short, RTO long.",
         .stimulus = "NACK UET_NO_PKT_BUFFER for every copy.",
         .expected = "Two resends, then none, and the operation ends in error.",
         .once = "the FEP's Close Command stays without an answer")
{
    hold_rto(tc);
    uet_set_param(tc, "Max_NACK_Retx_Cnt", 2);
    struct uet_pdc *pdc = fep_opens(tc);
    uint64_t handle;
    uet_auto_ack(tc, false);
    const struct uet_in *in = fep_writes_on(tc, &pdc, 16, &handle);
    uint32_t psn = uet_packet_psn(&in->packet);
    struct uet_out nack = uet_nack(pdc, psn, UET_NACK_NO_PKT_BUFFER);
    const struct uet_want again = resend_of(pdc, psn);
    for (int i = 0; i < 2; i++) {
        uet_send(tc, &nack);
        uet_expect(tc, &again, patience(tc, nack_delay(tc)));
    }
    pdc->auto_close = false;
    uet_send(tc, &nack);
    uet_expect_nothing(tc, "PDS-136", &again, 3 * nack_delay(tc));
    struct uet_ut_completion c = uet_expect_completion(tc, handle);
    uet_check(tc, "PDS-136", c.status != UET_UT_OK, "the operation was reported as done");
}

UET_TEST(nack_retries_without_end, .id = "pds.3.5.20.3.1.nack-retries-without-end",
         .requirements = "PDS-136", .role = UET_ROLE_INITIATOR, .params = "NACK_Retx_Time",
         .purpose = "Max_NACK_Retx_Cnt 31 means no end.",
         .preamble = "Max_NACK_Retx_Cnt set to 31, RTO long.",
         .stimulus = "NACK UET_NO_PKT_BUFFER for every copy, 40 times; then the ACK.",
         .expected = "A resend after each, and the operation ends well.")
{
    uint64_t handle;
    hold_rto(tc);
    uet_set_param(tc, "Max_NACK_Retx_Cnt", 31);
    struct uet_pdc *pdc = fep_opens(tc);
    uet_auto_ack(tc, false);
    const struct uet_in *in = fep_writes_on(tc, &pdc, 16, &handle);
    struct uet_out nack = uet_nack(pdc, uet_packet_psn(&in->packet), UET_NACK_NO_PKT_BUFFER);
    const struct uet_want again = resend_of(pdc, uet_packet_psn(&in->packet));
    for (int i = 0; i < 40; i++) {
        uet_send(tc, &nack);
        in = uet_expect(tc, &again, patience(tc, nack_delay(tc)));
    }
    acknowledge(tc, pdc, in);
    uet_auto_ack(tc, true);
    struct uet_ut_completion c = uet_expect_completion(tc, handle);
    uet_check_eq(tc, "PDS-136", "completion status", c.status, UET_UT_OK);
}

UET_TEST(ses_processing_retries_end, .id = "pds.3.5.20.3.1.ses-processing-retries-end",
         .requirements = "PDS-136", .role = UET_ROLE_INITIATOR, .params = "NACK_Retx_Time",
         .purpose = "NACKs UET_RCVD_SES_PROCG bring no resends without end.",
         .preamble = "Max_NACK_Retx_Cnt set to 2, RTO long.",
         .stimulus = "NACK 0x18 for its packet, five times, each after a resend or the time for "
                     "one.",
         .expected = "At most two resends.",
         .once = "the FEP's Close Command stays without an answer")
{
    hold_rto(tc);
    uet_set_param(tc, "Max_NACK_Retx_Cnt", 2);
    struct uet_pdc *pdc = fep_opens(tc);
    unsigned resends = 0;
    uet_auto_ack(tc, false);
    const struct uet_in *in = fep_writes_on(tc, &pdc, 16, NULL);
    uint32_t psn = uet_packet_psn(&in->packet);
    struct uet_out nack = uet_nack(pdc, psn, UET_NACK_RCVD_SES_PROCG);
    const struct uet_want again = resend_of(pdc, psn);
    pdc->auto_close = false;
    for (int i = 0; i < 5; i++) {
        uet_send(tc, &nack);
        resends += uet_maybe(tc, &again, nack_delay(tc)) != NULL;
    }
    uet_check(tc, "PDS-136", resends <= 2, "%u resends, where Max_NACK_Retx_Cnt is 2", resends);
}
