/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.12.1, 3.5.20.2, 3.5.8: the initiator as the destination of read data. */
#include "conformance/harness/steps/acks.h"
#include "conformance/harness/steps/fep_reads.h"
#include "conformance/harness/steps/trims.h"
#include "conformance/tests/pds.h"
#include "conformance/tests/pds_target.h"

UET_TEST(return_acked, .id = "pds.3.5.8.return-data-acked",
         .requirements = "PDS-121 PDS-092 PDS-104 PDS-112", .role = UET_ROLE_INITIATOR,
         .purpose = "The initiator acknowledges read data as any Request.", .preamble = "None.",
         .stimulus = "The FEP reads 100 bytes; they come in a Request of the return direction "
                     "with ar=1, CE and entropy 0xC123.",
         .expected = "An ACK: dpdcid TPDCID, spdcid IPDCID, ACK_PSN and CACK_PSN that PSN, "
                     "a default response, req NO_REQUEST, m=1, the same entropy value. The read "
                     "completes.")
{
    struct fep_read r = fep_reads(tc, 100);
    struct uet_out data = part_of(&r, 0);
    data.route.ecn = UET_ECN_CE;
    data.route.entropy = 0xc123;
    say(tc, &data);
    const struct uet_in *ack = hear(tc, "PDS-121", ACK_OF(&data));
    field(tc, "PDS-121", ack, UET_F_PDS_SPDCID, r.pdc->fep_pdcid);
    field(tc, "PDS-121", ack, UET_F_PDS_CACK_PSN, data.psn);
    uet_check(tc, "PDS-121", is_default_response(ack), "the ACK carries no default response");
    field(tc, "PDS-092", ack, UET_F_PDS_REQ, UET_ACK_NO_REQUEST);
    field(tc, "PDS-104", ack, UET_F_PDS_M, 1);
    uet_check_eq(tc, "PDS-112", "entropy value", uet_entropy(&ack->packet), 0xc123);
    check_read(tc, "PDS-121", &r);
}

UET_TEST(unasked_data_asks_nothing, .id = "pds.3.5.11.8.6.unasked-data-asks-nothing",
         .requirements = "PDS-092", .role = UET_ROLE_INITIATOR,
         .purpose = "An initiator asks for nothing in its ACKs, of data that it never asked for "
                    "either.",
         .preamble = "None.",
         .stimulus = "The FEP reads 100 bytes; a Request of the return direction with ar=1 names "
                     "a READ that there is not.",
         .expected = "If an ACK of it comes, req is NO_REQUEST. A NACK or silence will do.",
         .once = "its READ stays open")
{
    struct fep_read r = fep_reads(tc, 100);
    struct uet_out data = part_of(&r, 0);
    uet_ses_rsp_data_read_request_message_id_set(
        data.ses, (uint16_t)(uet_ses_rsp_data_read_request_message_id(data.ses) ^ 0x5a5a));
    say(tc, &data);
    const struct uet_in *in = maybe(tc, ANSWER_TO(&data));
    if (in && uet_is_ack(&in->packet))
        field(tc, "PDS-092", in, UET_F_PDS_REQ, UET_ACK_NO_REQUEST);
    serve_rest(tc, &r, 0);
}

UET_TEST(return_gap, .id = "pds.3.5.11.4.return-data-gap",
         .requirements = "PDS-121 PDS-108 PDS-106 PDS-002", .role = UET_ROLE_INITIATOR,
         .not_over = "own",
         .purpose = "RUD: the initiator takes read data in any order; CACK_PSN waits at a gap.",
         .preamble = "None.",
         .stimulus = "The FEP reads three payload MTUs; the third part comes first, then the "
                     "second, then the first.",
         .expected = "ACKs of the third and second with CACK_PSN before the first, that of the "
                     "first with the third's; then the read completes, and not before.")
{
    struct fep_read r = fep_reads(tc, 3u * uet_tc_dut(tc)->payload_mtu);
    struct uet_out part[3];
    for (size_t i = 0; i < 3; i++)
        part[i] = part_of(&r, i);
    for (size_t i = 3; i-- > 0;) {
        say(tc, &part[i]);
        const struct uet_in *ack = hear(tc, "PDS-121", ACK_OF(&part[i]));
        field(tc, "PDS-108", ack, UET_F_PDS_CACK_PSN, i == 0 ? part[2].psn : r.pdc->start_psn - 1);
        if (i > 0)
            check_open(tc, "PDS-121", &r);
    }
    check_read(tc, "PDS-121", &r);
}

/*
 * Read data that came when no ACK had told the TPDCID: I12 of the initiator's states begins with
 * ESTABLISHED, so it may be dropped, or refused until later. What is fatal ends the PDC at the
 * target, which has done as it may (PDS-238).
 */
static void lets_early_data_come_again(struct uet_tc *tc, const struct uet_out *data)
{
    const struct uet_in *in = maybe(tc, ANSWER_TO(data));

    if (!in || !uet_is_nack(&in->packet))
        return;
    uint8_t code = uet_nack_nack_code(uet_pds(&in->packet));
    if (uet_nack_table[code].nack_class == UET_CLASS_PDC_FATAL)
        uet_other_reading(tc, "PDS-121", "data before the first ACK is refused by the fatal %s",
                          uet_enum_name(UET_ENUM_PDS_NACK_CODE, code));
}

UET_TEST(data_before_first_ack, .id = "pds.3.5.8.data-before-the-first-ack",
         .requirements = "PDS-121", .role = UET_ROLE_INITIATOR,
         .purpose = "Read data that comes before the ACK of the SYN costs neither itself nor the "
                    "PDC: targets promise no order between the two (PDS-238).",
         .preamble = "RTO long.",
         .stimulus = "The FEP reads a payload MTU; the data comes, then the ACK of the READ, and "
                     "the data again with retx=1.",
         .expected = "The early data is acknowledged, dropped or refused (by a fatal NACK: a "
                     "finding); the second copy is acknowledged, and the read completes.")
{
    hold_rto(tc);
    hold_idle(tc);
    uet_auto_ack(tc, false);
    struct fep_read r = fep_reads(tc, uet_tc_dut(tc)->payload_mtu);
    struct uet_out data = part_of(&r, 0);
    say(tc, &data);
    lets_early_data_come_again(tc, &data);
    resume_acks(tc, r.in[0]);
    uet_forget_settled(tc);
    if (!r.pdc->closed) { /* a FEP may close it when the read is done */
        say_again(tc, &data);
        hear(tc, "PDS-121", COVERED(&data));
    }
    check_read(tc, "PDS-121", &r);
}

UET_TEST(return_ack_request, .id = "pds.3.5.16.2.return-data-asked-about",
         .requirements = "PDS-190 PDS-191", .role = UET_ROLE_INITIATOR, .not_over = "own",
         .purpose = "The initiator answers ACK Requests of the return direction as a target does "
                    "those of the other.",
         .preamble = "None.",
         .stimulus = "The FEP reads three payload MTUs; the third part comes; ACK Requests for it "
                     "and for the second; then the others.",
         .expected = "An ACK that names the third, and NACK UET_PKT_NOT_RCVD (0x12) of the second; "
                     "the read completes.")
{
    struct fep_read r = fep_reads(tc, 3u * uet_tc_dut(tc)->payload_mtu);
    struct uet_out part[3];
    for (size_t i = 0; i < 3; i++)
        part[i] = part_of(&r, i);
    ask(tc, "PDS-121", &part[2]);
    struct uet_out third = cp_at(r.pdc, UET_CTL_ACK_REQUEST, part[2].psn);
    struct uet_out second = cp_at(r.pdc, UET_CTL_ACK_REQUEST, part[1].psn);
    uet_forget(tc);
    say(tc, &third);
    hear(tc, "PDS-190", ACK_OF(&third));
    say(tc, &second);
    hear(tc, "PDS-191", NACK_OF(&second, UET_NACK_PKT_NOT_RCVD));
    ask(tc, "PDS-121", &part[1]);
    ask(tc, "PDS-121", &part[0]);
    check_read(tc, "PDS-190", &r);
}

UET_TEST(return_duplicate, .id = "pds.3.5.12.5.return-data-duplicate",
         .requirements = "PDS-098 PDS-001 PDS-130 PDS-105 PDS-161", .role = UET_ROLE_INITIATOR,
         .not_over = "own",
         .purpose = "Read data that comes again is acknowledged again, and not delivered.",
         .preamble = "None.",
         .stimulus = "The FEP reads 100 bytes; their Request comes, and again with retx=1 and "
                     "other bytes.",
         .expected = "An ACK with retx=0, one with retx=1; one completion, and the first bytes.")
{
    struct fep_read r = fep_reads(tc, 100);
    struct uet_out data = part_of(&r, 0), copy = data;
    copy.payload = uet_tc_bytes(tc, 100);
    say(tc, &data);
    hear(tc, "PDS-098", COVERED(&data));
    uet_forget_settled(tc);
    say_again(tc, &copy);
    const struct uet_in *ack = hear(tc, "PDS-098", ACK_OF(&data));
    field(tc, "PDS-105", ack, UET_F_PDS_RETX, 1);
    uet_check(tc, "PDS-161", is_default_response(ack), "the second ACK has no default response");
    check_read(tc, "PDS-001", &r);
    not_again(tc, "PDS-001", r.handle);
}

UET_TEST(data_in_ack, .id = "pds.3.5.20.2.7.data-in-ack", .not_over = "after-read",
         .requirements = "PDS-118 PDS-080 PDS-070", .role = UET_ROLE_INITIATOR, .claim_binds = true,
         .purpose = "Data that comes in the ACK completes a read; the initiator then clears it.",
         .preamble = "None.",
         .stimulus = "The FEP reads 8 bytes; the ACK carries them, asks for a clear, and leaves "
                     "CACK_PSN behind.",
         .expected = "The read completes; a Clear Command, or a Request, with CLEAR_PSN at the "
                     "READ's PSN.")
{
    uet_auto_ack(tc, false);
    struct fep_read r = fep_reads(tc, 8);
    struct uet_out ack = uet_ack_data(r.pdc, r.in[0], r.bytes);
    say(tc, &ack);
    uet_auto_ack(tc, true);
    check_read(tc, "PDS-118", &r);
    const struct uet_in *clear =
        hear(tc, "PDS-080", CP_ON(r.pdc, UET_CTL_CLEAR_COMMAND, UET_CTL_CLOSE_COMMAND));
    if (uet_cp_ctl_type(uet_pds(&clear->packet)) == UET_CTL_CLEAR_COMMAND) /* a close clears all */
        field(tc, "PDS-080", clear, UET_F_PDS_PAYLOAD, psn_of(r.in[0]));
}

UET_TEST(clear_beside_read, .id = "pds.3.5.16.3.1.clear-command-beside-a-read",
         .requirements = "PDS-080", .role = UET_ROLE_INITIATOR,
         .purpose = "A read that waits for its data is no Request that will carry CLEAR_PSN.",
         .preamble = "RTO long.",
         .stimulus = "The FEP reads 100 bytes; the READ is acknowledged. It writes on that PDC, "
                     "and the answer is an error with req=REQ_CLEAR; later the data.",
         .expected = "A Clear Command for the WRITE before the data; the read completes.")
{
    hold_rto(tc);
    struct fep_read r = fep_reads(tc, 100);
    struct uet_pdc *pdc;
    const struct uet_in *in = fep_writes_unanswered(tc, &pdc, NULL);
    same_pdc(tc, r.pdc, in);
    uet_forget_settled(tc);
    struct uet_out ack = guaranteed_ack(in, UET_RC_BAD_MKEY);
    say(tc, &ack);
    const struct uet_in *clear = hear(tc, "PDS-080", CP_ON(pdc, UET_CTL_CLEAR_COMMAND));
    field(tc, "PDS-080", clear, UET_F_PDS_PAYLOAD, psn_of(in));
    uet_auto_ack(tc, true);
    serve(tc, "PDS-080", &r);
    check_read(tc, "PDS-080", &r);
}

UET_TEST(return_ahead_of_window, .id = "pds.3.5.12.return-data-ahead-of-window",
         .requirements = "PDS-067 PDS-147 PDS-133", .role = UET_ROLE_INITIATOR, .not_over = "own",
         .purpose = "Return data ahead of the initiator's window is refused.", .preamble = "None.",
         .stimulus = "The FEP reads 100 bytes; their Request comes with a PSN 40000 ahead; then "
                     "with the right one.",
         .expected = "NACK UET_PSN_OOR_WINDOW (0x0B) naming that PSN; no completion; then it is "
                     "taken.")
{
    struct fep_read r = fep_reads(tc, 100);
    struct uet_out data = part_of(&r, 0), far = data;
    far.psn += 40000;
    uet_rud_rod_req_psn_set(far.pds, far.psn);
    say(tc, &far);
    hear(tc, "PDS-067", NACK_OF(&far, UET_NACK_PSN_OOR_WINDOW));
    check_open(tc, "PDS-067", &r);
    say(tc, &data);
    hear(tc, "PDS-067", COVERED(&data));
    check_read(tc, "PDS-067", &r);
}

UET_TEST(return_trimmed, .id = "pds.3.5.15.return-data-trimmed",
         .requirements = "PDS-216 PDS-147 PDS-146 PDS-219", .role = UET_ROLE_INITIATOR,
         .needs = "trimming", .params = "dscp-trimmed",
         .purpose = "Trimmed return data is NACKed, and nothing of it kept.", .preamble = "None.",
         .stimulus = "The FEP reads 512 bytes; their Request, trimmed; then the whole, retx=1.",
         .expected = "NACK UET_TRIMMED (0x01) of its PSN, spdcid IPDCID; the read completes with "
                     "the second.")
{
    struct fep_read r = fep_reads(tc, 512);
    struct uet_out data = part_of(&r, 0), cut = trimmed(tc, &data, "dscp-trimmed");
    say(tc, &cut);
    const struct uet_in *nack = hear(tc, "PDS-216", NACK_OF(&data, UET_NACK_TRIMMED));
    field(tc, "PDS-216", nack, UET_F_PDS_SPDCID, r.pdc->fep_pdcid);
    check_open(tc, "PDS-216", &r);
    say_again(tc, &data);
    hear(tc, "PDS-219", COVERED(&data));
    check_read(tc, "PDS-219", &r);
}

UET_TEST(return_trimmed_at_last_hop, .id = "pds.3.5.15.return-data-trimmed-at-last-hop",
         .requirements = "PDS-218 PDS-219", .role = UET_ROLE_INITIATOR, .needs = "trimming",
         .params = "dscp-trimmed-lasthop",
         .purpose = "Return data that the last hop has trimmed is NACKed as such.",
         .preamble = "None.",
         .stimulus = "The FEP reads 512 bytes; their Request, trimmed at the last hop; then the "
                     "whole, retx=1.",
         .expected = "NACK UET_TRIMMED_LASTHOP (0x02) of its PSN; the read completes with the "
                     "second.")
{
    struct fep_read r = fep_reads(tc, 512);
    struct uet_out data = part_of(&r, 0), cut = trimmed(tc, &data, "dscp-trimmed-lasthop");
    say(tc, &cut);
    hear(tc, "PDS-218", NACK_OF(&data, UET_NACK_TRIMMED_LASTHOP));
    check_open(tc, "PDS-219", &r);
    say_again(tc, &data);
    hear(tc, "PDS-219", COVERED(&data));
    check_read(tc, "PDS-219", &r);
}

UET_TEST(close_waits_for_reads, .id = "pds.3.5.4.close-waits-for-reads", .requirements = "PDS-215",
         .role = UET_ROLE_INITIATOR,
         .purpose = "A PDC with reads whose data has not come is not closed.",
         .preamble = "RTO long.",
         .stimulus = "The FEP reads 100 bytes; the READ is acknowledged; ask it to close; then "
                     "the data.",
         .expected = "No Close Command before the data; the read completes; then a Close Command.")
{
    hold_rto(tc);
    struct fep_read r = fep_reads(tc, 100);
    uet_did(tc, uet_ut_close_pdcs(uet_tc_ut(tc), NULL), "close");
    silence(tc, "PDS-215", CP_ON(r.pdc, UET_CTL_CLOSE_COMMAND), .within = uet_tc_quiet(tc) / 4);
    serve(tc, "PDS-215", &r);
    check_read(tc, "PDS-215", &r);
    hear(tc, "PDS-215", CP_ON(r.pdc, UET_CTL_CLOSE_COMMAND));
}

UET_TEST(asked_close_waits_for_reads, .id = "pds.3.5.4.asked-close-waits-for-reads",
         .requirements = "PDS-215", .role = UET_ROLE_INITIATOR,
         .purpose = "A PDC whose reads lack data is not closed when the target asks for that.",
         .preamble = "RTO long.",
         .stimulus = "The FEP reads 100 bytes; the READ is acknowledged; a Close Request; then the "
                     "data.",
         .expected = "No Close Command before the data; the read completes; then a Close Command.")
{
    hold_rto(tc);
    struct fep_read r = fep_reads(tc, 100);
    struct uet_out request = uet_cp(r.pdc, UET_CTL_CLOSE_REQUEST);
    say(tc, &request);
    hear(tc, "PDS-208", ACK_OF(&request));
    silence(tc, "PDS-215", CP_ON(r.pdc, UET_CTL_CLOSE_COMMAND), .within = uet_tc_quiet(tc) / 4);
    serve(tc, "PDS-215", &r);
    check_read(tc, "PDS-215", &r);
    hear(tc, "PDS-215", CP_ON(r.pdc, UET_CTL_CLOSE_COMMAND));
}

UET_TEST(close_waits_for_each_read, .id = "pds.3.5.4.close-waits-for-each-read",
         .requirements = "PDS-215", .role = UET_ROLE_INITIATOR,
         .purpose = "The end of one read does not close a PDC under another.",
         .preamble = "RTO long.",
         .stimulus = "The FEP reads 100 bytes twice; both READs are acknowledged; ask it to close; "
                     "then the data of the one, later that of the other.",
         .expected = "No Close Command before the data of both; both reads complete.")
{
    hold_rto(tc);
    struct fep_read a = fep_reads(tc, 100), b = fep_reads(tc, 100);
    same_pdc(tc, a.pdc, b.in[0]);
    uet_did(tc, uet_ut_close_pdcs(uet_tc_ut(tc), NULL), "close");
    serve(tc, "PDS-215", &a);
    check_read(tc, "PDS-215", &a);
    silence(tc, "PDS-215", CP_ON(b.pdc, UET_CTL_CLOSE_COMMAND), .within = uet_tc_quiet(tc) / 4);
    serve(tc, "PDS-215", &b);
    check_read(tc, "PDS-215", &b);
    hear(tc, "PDS-215", CP_ON(b.pdc, UET_CTL_CLOSE_COMMAND));
}

/* The i-th part of the data; no Close Command comes behind it. */
static void part_opens_no_close(struct uet_tc *tc, const struct fep_read *r, size_t i)
{
    struct uet_out data = part_of(r, i);

    say(tc, &data);
    hear(tc, "PDS-121", COVERED(&data));
    silence(tc, "PDS-215", CP_ON(r->pdc, UET_CTL_CLOSE_COMMAND), .within = uet_tc_quiet(tc) / 4);
}

/* The rest; now the read is done, and the close comes. */
static void last_part_opens_it(struct uet_tc *tc, const struct fep_read *r, size_t i)
{
    struct uet_out data = part_of(r, i);

    say(tc, &data);
    hear(tc, "PDS-121", COVERED(&data));
    check_read(tc, "PDS-215", r);
    hear(tc, "PDS-215", CP_ON(r->pdc, UET_CTL_CLOSE_COMMAND));
}

UET_TEST(close_waits_for_each_part, .id = "pds.3.5.4.close-waits-for-each-part",
         .requirements = "PDS-215", .role = UET_ROLE_INITIATOR,
         .purpose = "A PDC with a read of which a part has come is not closed.",
         .preamble = "RTO long.",
         .stimulus = "The FEP reads three payload MTUs; the READs are acknowledged; ask it to "
                     "close; then the data, part by part.",
         .expected = "No Close Command before the last part; the read completes; then one.")
{
    hold_rto(tc);
    struct fep_read r = fep_reads(tc, 3u * uet_tc_dut(tc)->payload_mtu);
    uet_did(tc, uet_ut_close_pdcs(uet_tc_ut(tc), NULL), "close");
    part_opens_no_close(tc, &r, 0);
    part_opens_no_close(tc, &r, 1);
    last_part_opens_it(tc, &r, 2);
}

UET_TEST(close_between_parts, .id = "pds.3.5.4.close-between-parts", .requirements = "PDS-215",
         .role = UET_ROLE_INITIATOR,
         .purpose = "A PDC is not closed between the parts of a read when that is asked for there.",
         .preamble = "RTO long.",
         .stimulus =
             "The FEP reads three payload MTUs; the last part of the data; a Close Request; "
             "then the first, later the second.",
         .expected = "No Close Command before the last of them; the read completes; then one.")
{
    hold_rto(tc);
    struct fep_read r = fep_reads(tc, 3u * uet_tc_dut(tc)->payload_mtu);
    part_opens_no_close(tc, &r, 2);
    struct uet_out request = uet_cp(r.pdc, UET_CTL_CLOSE_REQUEST);
    say(tc, &request);
    hear(tc, "PDS-208", ACK_OF(&request));
    silence(tc, "PDS-215", CP_ON(r.pdc, UET_CTL_CLOSE_COMMAND), .within = uet_tc_quiet(tc) / 4);
    part_opens_no_close(tc, &r, 0);
    last_part_opens_it(tc, &r, 1);
}

/* The FEP knows the TPDCID, and its READ of 8 bytes is not answered. */
static struct fep_read unanswered(struct uet_tc *tc)
{
    struct uet_pdc *pdc = fep_opens(tc);

    uet_auto_ack(tc, false);
    struct fep_read r = fep_reads(tc, 8);
    same_pdc(tc, pdc, r.in[0]);
    return r;
}

/* The ACK with the data comes trimmed. */
static struct fep_read trimmed_data(struct uet_tc *tc)
{
    struct fep_read r = unanswered(tc);
    struct uet_out ack = uet_ack_data(r.pdc, r.in[0], r.bytes);
    struct uet_out cut = trimmed(tc, &ack, "dscp-trimmed");

    say(tc, &cut);
    return r;
}

/* The READ again; its ACK with the data then completes it. */
static void read_again(struct uet_tc *tc, const char *requirement, const struct fep_read *r)
{
    const struct uet_in *in =
        hear(tc, requirement, RESEND_OF(r->in[0]), .within = patience(tc, one_rto(tc)));

    field(tc, requirement, in, UET_F_SES_OPCODE, UET_OP_READ);
    struct uet_out ack = uet_ack_data(r->pdc, in, r->bytes);
    say(tc, &ack);
    uet_auto_ack(tc, true);
    check_read(tc, requirement, r);
}

UET_TEST(trimmed_data_ack, .id = "pds.3.5.15.trimmed-ack-with-data",
         .requirements = "PDS-222 NET-004 PDS-146", .role = UET_ROLE_INITIATOR, .needs = "trimming",
         .params = "dscp-trimmed RTO_Init_Time",
         .purpose = "A trimmed ACK with read data brings no NACK: the READ comes again (1.0.3).",
         .preamble = "A PDC that the FEP opened.",
         .stimulus = "The FEP reads 8 bytes; their ACK, trimmed.",
         .expected = "No NACK; the READ again within one RTO; with its data the read completes.")
{
    struct fep_read r = trimmed_data(tc);
    read_again(tc, "PDS-222", &r);
    silence(tc, "PDS-222", REFUSAL_ON(NULL), .named = "a NACK of a trimmed ACK", .within = UET_US);
}

/* A NACK of the READ says so, unless all is sealed: nobody vouches for a trimmed packet (TSS-072).
 */
static void told_of_trim(struct uet_tc *tc, const struct fep_read *r)
{
    if (uet_tc_dut(tc)->security)
        tolerate(tc, NACK_ON(r->pdc, UET_NACK_TRIMMED_ACK));
    else
        hear(tc, "PDS-223", .kind = UET_WANT_NACK, OF_PSN(r->pdc, psn_of(r->in[0])),
             CODES(UET_NACK_TRIMMED_ACK));
}

UET_TEST(trimmed_data_ack_nacked, .id = "pds.3.5.12.7.trimmed-ack-nacked",
         .requirements = "PDS-223", .role = UET_ROLE_INITIATOR, .needs = "trimming",
         .params = "dscp-trimmed RTO_Init_Time",
         .purpose = "Up to 1.0.2 a trimmed ACK with read data gets NACK UET_TRIMMED_ACK.",
         .preamble = "A PDC that the FEP opened.",
         .stimulus = "The FEP reads 8 bytes; their ACK, trimmed.",
         .expected = "NACK 0x03 naming the READ's PSN, which need not come where all is sealed: "
                     "nobody vouches for a trimmed packet (TSS-072); the READ again; with its data "
                     "the read completes.")
{
    struct fep_read r = trimmed_data(tc);
    told_of_trim(tc, &r);
    read_again(tc, "PDS-223", &r);
}

UET_TEST(each_trimmed_data_ack_nacked, .id = "pds.3.5.12.7.each-trimmed-ack-nacked",
         .requirements = "PDS-223", .role = UET_ROLE_INITIATOR, .needs = "trimming",
         .params = "dscp-trimmed dscp-trimmed-lasthop RTO_Init_Time",
         .purpose = "Up to 1.0.2 each trimmed ACK with read data is told, wherever it was trimmed.",
         .preamble = "A PDC that the FEP opened.",
         .stimulus = "The FEP reads 8 bytes; their ACK, trimmed; that of the READ which comes "
                     "again, trimmed at the last hop.",
         .expected = "As in trimmed-ack-nacked, twice.")
{
    struct fep_read r = trimmed_data(tc);
    told_of_trim(tc, &r);
    const struct uet_in *in =
        hear(tc, "PDS-223", RESEND_OF(r.in[0]), .within = patience(tc, one_rto(tc)));
    struct uet_out ack = uet_ack_data(r.pdc, in, r.bytes);
    struct uet_out cut = trimmed(tc, &ack, "dscp-trimmed-lasthop");
    say(tc, &cut);
    told_of_trim(tc, &r);
    read_again(tc, "PDS-223", &r);
}

UET_TEST(lost_data_ack, .id = "pds.3.5.12.7.read-again-for-its-data", .requirements = "PDS-142",
         .role = UET_ROLE_INITIATOR, .params = "NACK_Retx_Time RTO_Init_Time",
         .purpose = "NACK UET_ACK_WITH_DATA: the READ comes again and fetches its data.",
         .preamble = "A PDC that the FEP opened; RTO long.",
         .stimulus = "The FEP reads 8 bytes; the ACK with them is lost; NACK 0x14 of the READ.",
         .expected = "The READ with its PSN and retx=1; with its data the read completes.")
{
    hold_rto(tc);
    struct fep_read r = unanswered(tc);
    struct uet_out nack = uet_nack(r.pdc, psn_of(r.in[0]), UET_NACK_ACK_WITH_DATA);
    say(tc, &nack);
    read_again(tc, "PDS-142", &r);
}

UET_TEST(lost_data_ack_sacked, .id = "pds.3.5.12.7.read-again-although-sacked",
         .requirements = "PDS-142", .role = UET_ROLE_INITIATOR, .needs = "ack-cc",
         .params = "NACK_Retx_Time RTO_Init_Time",
         .purpose = "NACK UET_ACK_WITH_DATA: the READ comes again, whatever SACK tells of it.",
         .preamble = "A PDC that the FEP opened; RTO long.",
         .stimulus =
             "The FEP reads 8 bytes; the ACK with them is lost; NACK 0x14 of the READ, then "
             "an ACK_CC whose SACK tells the READ received.",
         .expected = "The READ with its PSN and retx=1; with its data the read completes.")
{
    hold_rto(tc);
    struct fep_read r = unanswered(tc);
    uint32_t psn = psn_of(r.in[0]);
    struct uet_out nack = uet_nack(r.pdc, psn, UET_NACK_ACK_WITH_DATA);
    r.pdc->ack_cc = true;
    struct uet_out told = ack_at(r.in[0], psn - 1, psn - 1);
    r.pdc->ack_cc = false;
    set_sack(&told, psn, 1);
    say(tc, &nack);
    say(tc, &told);
    read_again(tc, "PDS-142", &r);
}

UET_TEST(initiator_answers_probe, .id = "pds.3.5.16.5.initiator-answers-probe",
         .requirements = "PDS-193 PDS-114", .role = UET_ROLE_INITIATOR, .needs = "probe",
         .not_over = "own",
         .purpose = "An initiator answers the Probe of a target that sends it read data.",
         .preamble = "None.",
         .stimulus = "The FEP reads two payload MTUs; the second part comes, a Probe with payload "
                     "Start_PSN - 1, then the first part.",
         .expected = "ACK with p=1 and the Probe's opaque value; its SACK, if it has one, does not "
                     "tell of the first part. No answer is a finding: the facts say it of "
                     "destinations. The read completes.")
{
    static const uint16_t tag = 0x5acc;
    struct fep_read r = fep_reads(tc, 2u * uet_tc_dut(tc)->payload_mtu);
    struct uet_out first = part_of(&r, 0), second = part_of(&r, 1);
    say(tc, &second);
    hear(tc, "PDS-121", ACK_OF(&second));
    struct uet_out o = probe(r.pdc, tag, first.psn - 1);
    r.pdc->next_psn = o.psn; /* it may take none */
    say(tc, &o);
    const struct uet_in *ack = maybe(tc, PROBE_ANSWER(&o, &tag));
    if (!ack)
        uet_other_reading(tc, "PDS-193", "the initiator answers no Probe");
    else if (uet_has_sack(&ack->packet))
        uet_check(tc, "PDS-114", !sacked(ack, first.psn),
                  "the bitmap tells a part of the read data received that never came");
    say(tc, &first);
    hear(tc, "PDS-121", COVERED(&first));
    check_read(tc, "PDS-121", &r);
}
