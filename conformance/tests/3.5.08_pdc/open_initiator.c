/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.8.2: how an initiator opens a PDC. */
#include "conformance/harness/steps/acks.h"
#include "conformance/harness/steps/sealed.h"
#include "conformance/tests/pds.h"

UET_TEST(first_packet_is_a_syn_request, .id = "pds.3.5.8.2.first-packet-is-a-syn-request",
         .not_over = "used after-read aged", .requirements = "PDS-023 PDS-016 PDS-021",
         .role = UET_ROLE_INITIATOR,
         .purpose = "A PDC is opened in band: the first Request carries payload and syn=1.",
         .preamble = "None.", .stimulus = "The FEP writes 64 bytes to a fresh tester.",
         .expected = "The first packet is a Request (or NOOP) with syn=1, spdcid other than 0, "
                     "pdc_info 0 or use_rsv_pdc.")
{
    struct uet_ut_operation op = uet_op(tc, 64);
    uet_do_write(tc, &op);
    const struct uet_in *in = hear(tc, "PDS-023", .also = is_first, .named = "first packet");
    uet_check(tc, "PDS-023", uet_is_request(&in->packet) || uet_is_cp(&in->packet),
              "the first packet is neither a Request nor a CP");
    field(tc, "PDS-023", in, UET_F_PDS_SYN, 1);
    field_is_not(tc, "PDS-016", in, UET_F_PDS_SPDCID, 0);
    uint8_t info = (uint8_t)(uet_rd16(uet_pds(&in->packet) + 10) >> 12);
    /* use_rsv_pdc may stand on either end of the nibble. */
    uet_check(tc, "PDS-021", info == 0 || info == 1 || info == 8,
              "pdc_info is 0x%x, only use_rsv_pdc may be set", info);
}

/* pdc_info of the packet that opens a PDC for a WRITE of the FEP; then all its PDCs are closed. */
static uint8_t info_of_a_pdc(struct uet_tc *tc, uint8_t mode, bool reserved)
{
    struct uet_ut_operation op = uet_op(tc, 16);
    uint64_t handle;
    op.mode = mode;
    op.reserved = reserved;
    if (uet_ut_write(uet_tc_ut(tc), &op, &handle) != 0)
        uet_skip(tc, "the FEP starts no such operation");
    const struct uet_in *in = uet_expect_any_request(tc, NULL);
    if (!uet_has_syn(&in->packet))
        uet_skip(tc, "the FEP opens no new PDC for it, as it may");
    uint8_t info = (uint8_t)(uet_rd16(uet_pds(&in->packet) + 10) >> 12);
    uet_look_at(tc, in);
    completes(tc, "PDS-021", handle, UET_UT_OK);
    uet_did(tc, uet_ut_close_pdcs(uet_tc_ut(tc), NULL), "close");
    hear(tc, "PDS-199", CP_ON(in->pdc, UET_CTL_CLOSE_COMMAND));
    uet_forget_settled(tc);
    return info;
}

#define SOME_PDCS 300

UET_TEST(ordinary_after_reserved, .id = "pds.3.5.8.2.ordinary-after-reserved", .not_over = "all",
         .requirements = "PDS-021", .role = UET_ROLE_INITIATOR,
         .purpose = "use_rsv_pdc says what this PDC is, not what one before it was.",
         .preamble = "None.",
         .stimulus = "The FEP writes on a PDC of the reserved pool, and closes it; then, 300 times "
                     "or as often as it has PDCs, on an ordinary one, which it closes.",
         .expected = "pdc_info is 0 in the SYN of each ordinary PDC.")
{
    uint64_t most = SOME_PDCS;
    if (uet_tc_told(tc, "max-pdcs", &most) && most > SOME_PDCS)
        most = SOME_PDCS;
    if (!info_of_a_pdc(tc, UET_UT_MODE_RUD, true))
        uet_skip(tc, "the FEP asks for no PDC of the reserved pool");
    for (uint64_t i = 0; i <= most; i++)
        uet_check_eq(tc, "PDS-021", "pdc_info", info_of_a_pdc(tc, UET_UT_MODE_RUD, false), 0);
}

UET_TEST(ordinary_rod, .id = "pds.3.5.8.2.ordinary-pdc-of-each-mode", .not_over = "all",
         .requirements = "PDS-021", .role = UET_ROLE_INITIATOR, .needs = "rud rod",
         .purpose = "use_rsv_pdc says nothing of the delivery mode.", .preamble = "None.",
         .stimulus =
             "The FEP writes on a PDC of the reserved pool; then on an ordinary one of RUD, "
             "and on one of ROD. It closes each before the next.",
         .expected = "pdc_info is 0 in the SYN of both ordinary PDCs.")
{
    if (!info_of_a_pdc(tc, UET_UT_MODE_RUD, true))
        uet_skip(tc, "the FEP asks for no PDC of the reserved pool");
    uet_check_eq(tc, "PDS-021", "pdc_info", info_of_a_pdc(tc, UET_UT_MODE_RUD, false), 0);
    uet_check_eq(tc, "PDS-021", "pdc_info", info_of_a_pdc(tc, UET_UT_MODE_ROD, false), 0);
}

UET_TEST(syn_until_tpdcid_known, .id = "pds.3.5.8.2.syn-until-tpdcid-known",
         .not_over = "used after-read aged", .requirements = "PDS-024 PDS-025 PDS-071",
         .role = UET_ROLE_INITIATOR,
         .purpose = "Every new Request before the TPDCID is known carries syn=1 and its distance "
                    "from Start_PSN.",
         .preamble = "None.",
         .stimulus = "The FEP writes 6 MTUs; the tester withholds the first ACK.",
         .expected = "All packets have syn=1, one spdcid, psn - psn_offset constant, offset 0 in "
                     "the first; its clear_psn_offset is -1.")
{
    struct uet_pdc *pdc;
    uet_auto_ack(tc, false);
    const struct uet_in *in = fep_writes(tc, 6u * uet_tc_dut(tc)->payload_mtu, &pdc, NULL);
    uint32_t start = uet_start_psn(&in->packet), n = 1;
    uint16_t spdcid = uet_spdcid(&in->packet);
    /* A NOOP may have come before it; then that has the offset 0. */
    uet_check(tc, "PDS-025", uet_psn_diff(pdc->cack, psn_of(in)) >= 0,
              "psn_offset of the first packet is %u, required 0", psn_of(in) - start);
    field(tc, "PDS-071", in, UET_F_PDS_CLEAR_PSN, (uint32_t)(start - 1));
    for (; n < 6 && (in = uet_next_request(tc, pdc)); n++) { /* it may send fewer before an ACK */
        field(tc, "PDS-024", in, UET_F_PDS_SYN, 1);
        field(tc, "PDS-024", in, UET_F_PDS_SPDCID, spdcid);
        uet_look_at(tc, in);
        uet_check_eq(tc, "PDS-025", "psn - psn_offset", uet_start_psn(&in->packet), start);
    }
    if (n == 1)
        uet_note(tc, "PDS-024", "one packet only came before the first ACK");
}

UET_TEST(syn_after_a_timeout, .id = "pds.3.5.8.2.syn-after-a-timeout",
         .not_over = "used after-read aged", .requirements = "PDS-024", .role = UET_ROLE_INITIATOR,
         .params = "RTO_Init_Time",
         .purpose = "A resend of the SYN does not tell the TPDCID: what is new after it has syn "
                    "too.",
         .preamble = "None.",
         .stimulus = "The FEP writes 16 bytes; the tester stays silent until the packet comes "
                     "again; the FEP writes again.",
         .expected = "The packet of the second write has syn=1.")
{
    struct uet_pdc *pdc;
    uet_need_retries(tc);
    uet_auto_ack(tc, false);
    const struct uet_in *in = fep_writes(tc, 16, &pdc, NULL);
    hear(tc, "PDS-156", RESEND_OF(in), .within = patience(tc, one_rto(tc)));
    struct uet_ut_operation op = uet_op(tc, 16);
    uet_do_write(tc, &op);
    const struct uet_in *next = uet_next_request(tc, pdc);
    if (!next)
        uet_skip(tc, "the FEP has one packet outstanding before the first ACK, as it may");
    field(tc, "PDS-024", next, UET_F_PDS_SYN, 1);
    resume_acks(tc, next);
}

#define WINDOW 128u /* PSNs of Default_MPR 1 */

static void knows_tpdcid(struct uet_tc *tc, const char *requirement, const struct uet_in *in)
{
    field(tc, requirement, in, UET_F_PDS_SYN, 0);
    field(tc, requirement, in, UET_F_PDS_DPDCID, in->pdc->pdcid);
}

/* Every packet of a long message that lies beyond the first window was sent after an ACK. */
static void no_syn_within_message(struct uet_tc *tc)
{
    struct uet_pdc *pdc;
    uet_set_param(tc, "Default_MPR", 1);
    const struct uet_in *in =
        fep_writes(tc, (WINDOW + 8) * uet_tc_dut(tc)->payload_mtu, &pdc, NULL);
    while (uet_psn_diff(psn_of(in), pdc->start_psn + WINDOW) < 0)
        in = hear(tc, "PDS-034", REQUEST_ON(pdc));
    knows_tpdcid(tc, "PDS-034", in);
}

UET_TEST(no_syn_after_ack, .id = "pds.3.5.8.2.no-syn-after-ack", .requirements = "PDS-034",
         .role = UET_ROLE_INITIATOR,
         .purpose = "Once an ACK gave the TPDCID, new Requests have syn=0 and dpdcid=TPDCID.",
         .preamble = "The FEP's first packet is acknowledged with a TPDCID.",
         .stimulus = "The FEP writes 3 MTUs more; when they come on a new PDC, a message that is "
                     "longer than its window.",
         .expected = "syn=0 and dpdcid as given, in each new packet.")
{
    struct uet_pdc *first = fep_opens(tc), *pdc = first;
    const struct uet_in *in = fep_writes_on(tc, &pdc, 3u * uet_tc_dut(tc)->payload_mtu, NULL);
    if (pdc != first) {
        no_syn_within_message(tc);
        return;
    }
    knows_tpdcid(tc, "PDS-034", in);
    for (uint32_t i = 1; i < 3; i++)
        knows_tpdcid(tc, "PDS-034", hear(tc, "PDS-034", REQUEST_ON(pdc)));
}

UET_TEST(no_syn_after_timeout, .id = "pds.3.5.8.2.no-syn-after-a-timeout",
         .requirements = "PDS-034", .role = UET_ROLE_INITIATOR,
         .purpose = "A time-out puts no PDC in doubt: its TPDCID stays known.",
         .preamble = "A PDC that the FEP opened, acknowledged with a TPDCID.",
         .stimulus = "The FEP writes 16 bytes; the tester stays silent until the packet comes "
                     "again; the FEP writes again.",
         .expected =
             "The packet of the second write, where it comes on that PDC, has syn=0 and that "
             "dpdcid.")
{
    struct uet_pdc *pdc = fep_opens(tc);
    uint64_t handle;
    uet_need_retries(tc);
    const struct uet_in *in = fep_writes_unanswered(tc, &pdc, NULL);
    hear(tc, "PDS-156", RESEND_OF(in), .within = patience(tc, one_rto(tc)));
    const struct uet_in *next = fep_writes_behind(tc, pdc, &handle);
    knows_tpdcid(tc, "PDS-034", next);
    resume_acks(tc, next);
}

UET_TEST(
    nack_teaches_tpdcid, .id = "pds.3.5.8.2.nack-teaches-tpdcid", .requirements = "PDS-035",
    .role = UET_ROLE_INITIATOR,
    .purpose = "A NACK with an spdcid other than 0 teaches the TPDCID too.", .preamble = "None.",
    .stimulus = "Answer the first SYN with NACK UET_NO_PKT_BUFFER, spdcid set; let it write on.",
    .expected = "New PSNs have syn=0 and that dpdcid.")
{
    struct uet_pdc *pdc;
    hold_rto(tc);
    uet_auto_ack(tc, false);
    const struct uet_in *in = fep_writes(tc, 16, &pdc, NULL);
    say_nack(tc, in, UET_NACK_NO_PKT_BUFFER);
    (void)maybe(tc, RESEND_OF(in), .within = uet_tc_quiet(tc)); /* then it has taken the NACK in */
    uet_auto_ack(tc, true);
    struct uet_ut_operation op = uet_op(tc, 16);
    uet_do_write(tc, &op);
    in = uet_next_request(tc, NULL);
    if (!in)
        uet_skip(tc, "the FEP sends nothing more while that packet is outstanding");
    same_pdc(tc, pdc, in);
    knows_tpdcid(tc, "PDS-035", in);
}

/* What comes behind a first SYN that was NACKed so: whether the TPDCID is known is in it. */
static const struct uet_in *behind_nacked_syn(struct uet_tc *tc, uint8_t code, bool names_pdc)
{
    struct uet_pdc *pdc;

    hold_rto(tc);
    uet_auto_ack(tc, false);
    const struct uet_in *in = fep_writes(tc, 16, &pdc, NULL);
    struct uet_out nack = uet_nack(pdc, psn_of(in), code);
    uet_nack_spdcid_set(nack.pds, names_pdc ? pdc->pdcid : 0);
    say(tc, &nack);
    (void)maybe(tc, RESEND_OF(in), .within = uet_tc_quiet(tc)); /* then it has taken the NACK in */
    struct uet_ut_operation op = uet_op(tc, 16);
    uet_do_write(tc, &op);
    const struct uet_in *next = uet_next_request(tc, NULL);
    if (!next)
        uet_skip(tc, "the FEP sends nothing more while that packet is outstanding");
    same_pdc(tc, pdc, next);
    resume_acks(tc, next);
    return next;
}

UET_TEST(trimmed_nack_teaches_tpdcid, .id = "pds.3.5.8.2.trimmed-nack-teaches-tpdcid",
         .requirements = "PDS-035", .role = UET_ROLE_INITIATOR,
         .purpose = "NACK UET_TRIMMED with an spdcid other than 0 teaches the TPDCID too.",
         .preamble = "None.",
         .stimulus = "Answer the first SYN with NACK UET_TRIMMED, spdcid set; let it write on.",
         .expected = "New PSNs have syn=0 and that dpdcid.")
{
    knows_tpdcid(tc, "PDS-035", behind_nacked_syn(tc, UET_NACK_TRIMMED, true));
}

UET_TEST(nack_without_pdc, .id = "pds.3.5.8.2.nack-without-a-pdc",
         .not_over = "used after-read aged", .requirements = "PDS-024", .role = UET_ROLE_INITIATOR,
         .purpose = "A NACK with spdcid 0 teaches no TPDCID.", .preamble = "None.",
         .stimulus = "Answer the first SYN with NACK UET_TRIMMED, spdcid 0; let it write on.",
         .expected = "New PSNs have syn=1.")
{
    field(tc, "PDS-024", behind_nacked_syn(tc, UET_NACK_TRIMMED, false), UET_F_PDS_SYN, 1);
}

UET_TEST(ack_cc_teaches_tpdcid, .id = "pds.3.5.8.2.ack-cc-teaches-tpdcid",
         .not_over = "used after-read aged", .requirements = "PDS-034", .role = UET_ROLE_INITIATOR,
         .over = "own", .needs = "ack-cc",
         .purpose = "An ACK_CC teaches the TPDCID as an ACK does.", .preamble = "None.",
         .stimulus = "The first SYN is answered with ACK_CC; the FEP writes on.",
         .expected = "New PSNs on that PDC have syn=0 and that dpdcid.")
{
    struct uet_pdc *pdc, *next;
    uint64_t handle;
    uet_auto_ack(tc, false);
    const struct uet_in *in = fep_writes(tc, 16, &pdc, &handle);
    pdc->ack_cc = true;
    struct uet_out ack = uet_ack(pdc, in);
    uet_ack_cc_mpr_set(ack.pds, 8);
    say(tc, &ack);
    completes(tc, "PDS-034", handle, UET_UT_OK);
    uet_auto_ack(tc, true);
    in = fep_writes_on(tc, &next, 16, NULL);
    same_pdc(tc, pdc, in);
    knows_tpdcid(tc, "PDS-034", in);
}

/* One incarnation of a PDC: the FEP writes, the tester acknowledges, the FEP closes. */
static struct uet_pdc *open_and_close(struct uet_tc *tc)
{
    struct uet_pdc *pdc;
    uint64_t handle;
    fep_writes(tc, 16, &pdc, &handle);
    uet_expect_completion(tc, handle);
    uet_did(tc, uet_ut_close_pdcs(uet_tc_ut(tc), NULL), "close");
    hear(tc, "PDS-199", CP_ON(pdc, UET_CTL_CLOSE_COMMAND));
    uet_forget_settled(tc);
    return pdc;
}

UET_TEST(start_psn_random, .id = "pds.3.5.8.2.start-psn-random", .requirements = "PDS-026",
         .role = UET_ROLE_INITIATOR, .not_over = "psn", .purpose = "Start_PSN is chosen at random.",
         .preamble = "None.", .stimulus = "The FEP opens and closes 20 PDCs to the tester.",
         .expected = "Start_PSN values all differ and spread over more than 2^24.")
{
    uint32_t start[20], low = UINT32_MAX, high = 0;
    for (int i = 0; i < 20; i++) {
        start[i] = open_and_close(tc)->start_psn;
        low = start[i] < low ? start[i] : low;
        high = start[i] > high ? start[i] : high;
        for (int j = 0; j < i; j++)
            uet_check(tc, "PDS-026", start[i] != start[j], "Start_PSN 0x%08x came twice", start[i]);
    }
    uet_check(tc, "PDS-026", high - low > 1u << 24,
              "20 values of Start_PSN lie within %u of each other", high - low);
}

UET_TEST(
    start_psn_over_restart, .id = "pds.3.5.8.2.start-psn-over-restart", .requirements = "PDS-026",
    .role = UET_ROLE_INITIATOR, .needs = "upper-tester", .not_over = "all", .last = true,
    .once = "the FEP begins anew",
    .purpose = "A FEP that begins anew does not draw the Start_PSNs of its last life again.",
    .preamble = "None.",
    .stimulus = "Twice: the FEP is restarted, then opens and closes four PDCs to the tester.",
    .expected = "Not the same four values of Start_PSN in the same order; if so it is a finding.")
{
    uint32_t start[4];
    bool same = true;
    if (uet_tc_dut(tc)->security)
        uet_skip(tc, "where all is sealed a FEP may wait for keys after a restart");
    fep_restarts(tc);
    for (int i = 0; i < 4; i++)
        start[i] = open_and_close(tc)->start_psn;
    fep_restarts(tc);
    for (int i = 0; i < 4; i++)
        same &= open_and_close(tc)->start_psn == start[i];
    if (same)
        uet_other_reading(tc, "PDS-026", "the Start_PSNs are the same after each restart");
}

UET_TEST(reused_pdcid_starts_far, .id = "pds.3.5.8.2.reused-pdcid-starts-far",
         .requirements = "PDS-027", .role = UET_ROLE_INITIATOR,
         .purpose = "Start_PSN of a reused PDCID is at least 2^16 from the last PSN used.",
         .preamble = "None.",
         .stimulus = "The FEP opens and closes PDCs to the tester until a PDCID comes again, at "
                     "most 20 times.",
         .expected = "The circular distance to the PSN where it ended is at least 65536.")
{
    struct uet_pdc *had[20];
    for (int i = 0; i < 20; i++) {
        had[i] = open_and_close(tc);
        for (int j = i - 1; j >= 0; j--) {
            if (had[j]->fep_pdcid != had[i]->fep_pdcid)
                continue;
            uint32_t ahead = had[i]->start_psn - had[j]->cack;
            uet_check(tc, "PDS-027", ahead >= 65536 && 0u - ahead >= 65536,
                      "PDCID %u ended at 0x%08x and starts again at 0x%08x", had[i]->fep_pdcid,
                      had[j]->cack, had[i]->start_psn);
            return;
        }
    }
    uet_skip(tc, "no PDCID came a second time");
}

/* The FEP writes; no packet of its PDC finds one, by this code, up to now. */
static struct uet_pdc *refuse_all(struct uet_tc *tc, uint8_t code, uint8_t vendor_code,
                                  uint64_t *handle)
{
    struct uet_pdc *pdc;
    hold_rto(tc);
    uet_auto_ack(tc, false);
    const struct uet_in *in = fep_writes(tc, 16, &pdc, handle);
    for (uint32_t psn = uet_start_psn(&in->packet); uet_psn_diff(psn, psn_of(in)) <= 0; psn++) {
        struct uet_out nack = uet_nack(pdc, psn, code); /* no packet of it finds a PDC */
        uet_nack_spdcid_set(nack.pds, 0);
        uet_nack_vendor_code_set(nack.pds, vendor_code);
        say(tc, &nack);
    }
    uet_auto_ack(tc, true);
    return pdc;
}

/* It tries anew, whatever vendor_code says. */
static void opens_anew(struct uet_tc *tc, const char *requirement, uint8_t code,
                       uint8_t vendor_code)
{
    const struct uet_pdc *pdc = refuse_all(tc, code, vendor_code, NULL);
    const struct uet_in *in;
    in = hear(tc, requirement, .kind = UET_WANT_REQUEST, .named = "the packet again", .again = true,
              .within = uet_tc_dut(tc)->response_time_ns * 4 + one_rto(tc));
    bool on_another = in->pdc && in->pdc != pdc; /* that a NOOP has opened meanwhile */
    if (!on_another)
        field(tc, requirement, in, UET_F_PDS_SYN, 1);
    /* A new attempt sends its packets for the first time. */
    if (uet_rud_rod_req_retx(uet_pds(&in->packet)))
        uet_other_reading(tc, requirement, "the refused packet came again with retx=1");
}

static void open_refused(struct uet_tc *tc, uint8_t code)
{
    opens_anew(tc, "PDS-137", code, 0);
}

UET_TEST(vendor_code_of_a_refusal, .id = "pds.3.5.12.7.vendor-code-of-a-refusal",
         .not_over = "used after-read aged", .requirements = "PDS-148", .role = UET_ROLE_INITIATOR,
         .contested = true, .purpose = "vendor_code has no meaning where a SYN is refused, either.",
         .preamble = "None.",
         .stimulus = "Answer the SYN, and a NOOP before it, with NACK UET_NO_PDC_AVAIL, spdcid=0 "
                     "and vendor_code 0xAA.",
         .expected = "As without: later a SYN again.")
{
    opens_anew(tc, "PDS-148", UET_NACK_NO_PDC_AVAIL, 0xaa);
}

UET_TEST(retry_on_new_pdc, .id = "pds.3.5.12.7.no-pdc-avail-retries-on-new-pdc",
         .not_over = "used after-read aged", .requirements = "PDS-137", .role = UET_ROLE_INITIATOR,
         .contested = true,
         .purpose = "NACK UET_NO_PDC_AVAIL: no PDC exists; the packets are tried again with a SYN.",
         .preamble = "None.",
         .stimulus = "Answer the SYN, and a NOOP before it, with NACK 0x04, spdcid=0.",
         .expected =
             "Later a SYN again, or the packet on a PDC that a NOOP has opened since; never "
             "a packet with syn=0 and dpdcid=0. The refused SYN itself with retx=1 is a finding.")
{
    open_refused(tc, UET_NACK_NO_PDC_AVAIL);
}

/* The FEP writes three packets, the last with so many bytes, on a PDC that nobody answers yet. */
static uint64_t writes_three(struct uet_tc *tc, uint32_t last, const struct uet_in *in[3])
{
    struct uet_ut_operation op = uet_op(tc, 2u * uet_tc_dut(tc)->payload_mtu + last);

    uet_auto_ack(tc, false);
    uint64_t handle = uet_do_write(tc, &op);
    struct uet_pdc *p = uet_accept(tc, &in[0]);
    if (uet_start_psn(&in[0]->packet) != psn_of(in[0]))
        uet_skip(tc, "the FEP opens its PDC with another packet, as it may");
    for (int i = 1; i < 3; i++)
        if (!(in[i] = uet_next_request(tc, p)))
            uet_skip(tc, "the FEP sends fewer packets before it knows the TPDCID, as it may");
    return handle;
}

/* Refuses the first two for want of a PDC, and has taken nothing of them; the third finds one. */
static void refuse_two(struct uet_tc *tc, const struct uet_in *const in[3])
{
    struct uet_pdc *p = in[0]->pdc;

    for (int i = 0; i < 2; i++) {
        say_nack(tc, in[i], UET_NACK_NO_PDC_AVAIL);
        p->heard[(psn_of(in[i]) & 0xffff) >> 3] &= (uint8_t) ~(1u << (psn_of(in[i]) & 7));
    }
    p->cack = p->cack_told = psn_of(in[0]) - 1;
    struct uet_out ack = ack_at(in[2], p->cack, psn_of(in[2]));
    say(tc, &ack);
}

UET_TEST(some_refused, .id = "pds.3.5.12.7.no-pdc-avail-for-some",
         .not_over = "used after-read aged own", .requirements = "PDS-137 ROB-040",
         .role = UET_ROLE_INITIATOR,
         .purpose = "Where several first packets are refused each of them is tried again.",
         .preamble = "None.",
         .stimulus = "The FEP writes 3 packets; NACK 0x04, spdcid=0, for the first two; the third "
                     "is acknowledged: it has found a PDC that was free by then.",
         .expected = "The write completes without error; the FEP serves as before. A FEP that "
                     "sends fewer packets before it knows the TPDCID is skipped.")
{
    const struct uet_in *in[3];
    struct uet_ut_completion c;
    uet_need_retries(tc);
    uint64_t handle = writes_three(tc, 100, in);
    refuse_two(tc, in);
    uet_auto_ack(tc, true);
    uet_check(tc, "PDS-137",
              uet_completion(tc, handle, 2 * patience(tc, one_rto(tc)), &c) &&
                  c.status == UET_UT_OK,
              "the write did not complete: what was refused never came again");
    uet_serves(tc, "ROB-040", UET_PASS, NULL);
}

UET_TEST(no_ccc_retries, .id = "pds.3.5.12.7.no-ccc-avail-retries-on-new-pdc",
         .not_over = "used after-read aged", .requirements = "PDS-137", .role = UET_ROLE_INITIATOR,
         .contested = true,
         .purpose = "NACK UET_NO_CCC_AVAIL: no PDC exists; the packets are tried again with a SYN.",
         .preamble = "None.",
         .stimulus = "Answer the SYN, and a NOOP before it, with NACK 0x05, spdcid=0.",
         .expected = "As with UET_NO_PDC_AVAIL (0x04).")
{
    open_refused(tc, UET_NACK_NO_CCC_AVAIL);
}

UET_TEST(no_bitmap_retries, .id = "pds.3.5.12.7.no-bitmap-retries-on-new-pdc",
         .not_over = "used after-read aged", .requirements = "PDS-137", .role = UET_ROLE_INITIATOR,
         .contested = true,
         .purpose = "NACK UET_NO_BITMAP: no PDC exists; the packets are tried again with a SYN.",
         .preamble = "None.",
         .stimulus = "Answer the SYN, and a NOOP before it, with NACK 0x06, spdcid=0.",
         .expected = "As with UET_NO_PDC_AVAIL (0x04).")
{
    open_refused(tc, UET_NACK_NO_BITMAP);
}

UET_TEST(no_resource_retries, .id = "pds.3.5.12.7.no-resource-for-a-syn",
         .not_over = "used after-read aged", .requirements = "PDS-135", .role = UET_ROLE_INITIATOR,
         .purpose = "NACK UET_NO_RESOURCE without a PDC: the packet is tried again, and not by its "
                    "RTO alone.",
         .preamble = "RTO long.",
         .stimulus = "Answer the SYN, and a NOOP before it, with NACK 0x0A, spdcid=0.",
         .expected = "The packet again, on that PDC or another one, before half an RTO is over; "
                     "the write completes.")
{
    uint64_t handle;
    refuse_all(tc, UET_NACK_NO_RESOURCE, 0, &handle);
    hear(tc, "PDS-135", .kind = UET_WANT_REQUEST, .named = "the packet again", .again = true,
         .within = uet_tc_param(tc, "RTO_Init_Time") / 2);
    completes(tc, "PDS-135", handle, UET_UT_OK);
}

UET_TEST(never_established_never_closed, .id = "pds.3.5.8.3.never-established-never-closed",
         .not_over = "used after-read aged", .requirements = "PDS-213", .role = UET_ROLE_INITIATOR,
         .purpose = "A PDC whose TPDCID was never learnt is freed without a Close Command.",
         .preamble = "RTO short, few retries.", .stimulus = "The tester never answers the SYN.",
         .expected = "After the retries no Close Command comes.")
{
    struct uet_pdc *pdc;
    uet_set_param(tc, "RTO_Init_Time", UET_MS);
    uet_set_param(tc, "Max_RTO_Retx_Cnt", 2);
    uet_auto_ack(tc, false);
    fep_writes(tc, 16, &pdc, NULL);
    silence(tc, "PDS-213", CP_FROM(pdc, UET_CTL_CLOSE_COMMAND), .named = "Close Command",
            .within = (UET_MS << 3) + uet_tc_quiet(tc));
}

UET_TEST(refused_then_opened, .id = "pds.3.5.12.7.refused-then-opened", .requirements = "PDS-137",
         .role = UET_ROLE_INITIATOR, .not_over = "own",
         .purpose = "A packet that found no PDC is not forgotten when a later SYN finds one.",
         .preamble = "None.",
         .stimulus = "The FEP writes two packets; NACK UET_NO_PDC_AVAIL (0x04) for the first SYN, "
                     "an ACK for the second; from then on all is acknowledged.",
         .expected = "The operation ends: the first packet comes again here, the message comes on "
                     "another PDC, or an error is told.")
{
    const struct uet_in *first;
    uet_need_retries(tc);
    uet_auto_ack(tc, false);
    struct uet_ut_operation op = uet_op(tc, 2u * uet_tc_dut(tc)->payload_mtu);
    uint64_t handle = uet_do_write(tc, &op);
    struct uet_pdc *p = uet_accept(tc, &first);
    const struct uet_in *second = uet_next_request(tc, p);
    if (!second)
        uet_skip(tc, "the FEP sends one packet before it knows the TPDCID, as it may");
    say_nack(tc, first, UET_NACK_NO_PDC_AVAIL);
    struct uet_out ack = ack_at(second, psn_of(first) - 1, psn_of(second));
    uet_auto_ack(tc, true);
    say(tc, &ack);
    struct uet_ut_completion c; /* it may come again only when its RTO expires */
    uet_check(tc, "PDS-137", uet_completion(tc, handle, 2 * patience(tc, one_rto(tc)), &c),
              "the operation did not end: what was refused never came again");
}

/* The packet of ctx tried again: the same place of a message of that length. */
static bool tried_again(const struct uet_in *in, const void *ctx)
{
    const struct uet_in *first = ctx;

    return in->frame > first->frame && uet_is_ses_request(&in->packet) &&
           in->packet.payload_len == first->packet.payload_len &&
           uet_ses_message_offset(&in->packet) == uet_ses_message_offset(&first->packet);
}

UET_TEST(refused_as_a_whole, .id = "pds.3.5.12.7.refused-as-a-whole", .requirements = "PDS-137",
         .role = UET_ROLE_INITIATOR,
         .not_over = "used after-read aged", /* its first SYN is refused */
         .purpose = "Each packet that found no PDC is tried again, not only the first.",
         .preamble = "RTO long.",
         .stimulus = "The FEP writes 3 packets; NACK UET_NO_PDC_AVAIL (0x04) for each SYN; then "
                     "all is acknowledged.",
         .expected = "Each part of the message comes again, or the operation ends in error.")
{
    const struct uet_in *in[3];
    struct uet_ut_completion c;
    uet_need_retries(tc);
    hold_rto(tc);
    uint64_t handle = writes_three(tc, uet_tc_dut(tc)->payload_mtu, in);
    uet_auto_ack(tc, true);
    for (int i = 0; i < 3; i++)
        say_nack(tc, in[i], UET_NACK_NO_PDC_AVAIL);
    bool told = uet_completion(tc, handle, patience(tc, one_rto(tc)), &c);
    for (int i = 0; told && c.status == UET_UT_OK && i < 3; i++)
        uet_check(tc, "PDS-137",
                  maybe(tc, .kind = UET_WANT_REQUEST, .also = tried_again, .ctx = in[i],
                        .within = UET_US),
                  "packet %d did not come again, and the write was told as done", i + 1);
    uet_check(tc, "PDS-137", told, "the operation never ended");
}

UET_TEST(unknown_nack_of_a_syn, .id = "pds.3.5.12.7.unknown-nack-of-a-syn",
         .requirements = "PDS-154", .role = UET_ROLE_INITIATOR, .contested = true,
         .params = "RTO_Init_Time",
         .purpose = "A reserved NACK code refuses no PDC, though it has spdcid 0.",
         .preamble = "None.",
         .stimulus = "The FEP writes; NACK of code 0x40 with spdcid 0 for its SYN.",
         .expected = "The same SYN again, from the same PDCID.")
{
    uet_need_retries(tc);
    uet_auto_ack(tc, false);
    struct uet_ut_operation op = uet_op(tc, 16);
    uint64_t handle = uet_do_write(tc, &op);
    const struct uet_in *syn = hear(tc, "PDS-023", REQUEST_ON(NULL));
    struct uet_out nack = uet_nack(syn->pdc, psn_of(syn), 0x40);
    uet_nack_spdcid_set(nack.pds, 0);
    say(tc, &nack);
    const struct uet_in *next =
        hear(tc, "PDS-154", MESSAGE_AGAIN, .within = patience(tc, one_rto(tc)));
    uet_check(tc, "PDS-154", next->pdc == syn->pdc && psn_of(next) == psn_of(syn),
              "the message came on another PDC");
    uet_auto_ack(tc, true);
    resume_acks(tc, next);
    completes(tc, "PDS-154", handle, UET_UT_OK);
}
