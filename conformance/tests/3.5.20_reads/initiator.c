/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.12.1, 3.5.20.2, 3.5.8: the initiator as the destination of read data. */
#include "conformance/tests/fep_reads.h"
#include "conformance/tests/trims.h"

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
    uet_send(tc, &data);
    const struct uet_in *ack = uet_expect_ack(tc, r.pdc, data.psn);
    uet_check_eq(tc, "PDS-121", "spdcid", uet_spdcid(&ack->packet), r.pdc->fep_pdcid);
    uet_check_eq(tc, "PDS-121", "cack_psn", cack_of(ack), data.psn);
    uet_check(tc, "PDS-121", is_default_response(ack), "the ACK carries no default response");
    uet_check_enum(tc, "PDS-092", "flags.req", UET_ENUM_PDS_ACK_REQ, req_of(ack),
                   UET_ACK_NO_REQUEST);
    uet_check_eq(tc, "PDS-104", "flags.m", uet_ack_m(uet_pds(&ack->packet)), 1);
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
    const struct uet_want answer = {
        .kind = UET_WANT_ANSWER, .pdc = r.pdc, .with_psn = true, .psn = data.psn};
    uet_ses_rsp_data_read_request_message_id_set(
        data.ses, (uint16_t)(uet_ses_rsp_data_read_request_message_id(data.ses) ^ 0x5a5a));
    uet_send(tc, &data);
    const struct uet_in *in = uet_maybe(tc, &answer, 0);
    if (in && uet_is_ack(&in->packet))
        uet_check_enum(tc, "PDS-092", "flags.req", UET_ENUM_PDS_ACK_REQ, req_of(in),
                       UET_ACK_NO_REQUEST);
    r.pdc->auto_close = false; /* the read is never served */
}

UET_TEST(return_gap, .id = "pds.3.5.11.4.return-data-gap",
         .requirements = "PDS-121 PDS-108 PDS-106 PDS-002", .role = UET_ROLE_INITIATOR,
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
        uet_send(tc, &part[i]);
        const struct uet_in *ack = uet_expect_ack(tc, r.pdc, part[i].psn);
        uet_check_eq(tc, "PDS-108", "cack_psn", cack_of(ack),
                     i == 0 ? part[2].psn : r.pdc->start_psn - 1);
        if (i > 0)
            check_open(tc, "PDS-121", &r);
    }
    check_read(tc, "PDS-121", &r);
}

UET_TEST(return_duplicate, .id = "pds.3.5.12.5.return-data-duplicate",
         .requirements = "PDS-098 PDS-001 PDS-130 PDS-105 PDS-161", .role = UET_ROLE_INITIATOR,
         .purpose = "Read data that comes again is acknowledged again, and not delivered.",
         .preamble = "None.",
         .stimulus = "The FEP reads 100 bytes; their Request comes, and again with retx=1 and "
                     "other bytes.",
         .expected = "An ACK with retx=0, one with retx=1; one completion, and the first bytes.")
{
    struct fep_read r = fep_reads(tc, 100);
    struct uet_out data = part_of(&r, 0), copy = data;
    struct uet_ut_completion c;
    copy.payload = uet_tc_bytes(tc, 100);
    uet_send(tc, &data);
    uet_expect_covered(tc, r.pdc, data.psn);
    uet_forget_settled(tc);
    uet_resend(tc, &copy);
    uet_for(tc, "PDS-098");
    const struct uet_in *ack = uet_expect_ack(tc, r.pdc, data.psn);
    uet_check_eq(tc, "PDS-105", "flags.retx", uet_ack_retx(uet_pds(&ack->packet)), 1);
    uet_check(tc, "PDS-161", is_default_response(ack), "the second ACK has no default response");
    check_read(tc, "PDS-001", &r);
    uet_check(tc, "PDS-001", !uet_completion(tc, r.handle, UET_MS, &c),
              "the read completed a second time");
}

UET_TEST(data_in_ack, .id = "pds.3.5.20.2.7.data-in-ack", .requirements = "PDS-118 PDS-080 PDS-070",
         .role = UET_ROLE_INITIATOR, .claim_binds = true,
         .purpose = "Data that comes in the ACK completes a read; the initiator then clears it.",
         .preamble = "None.",
         .stimulus = "The FEP reads 8 bytes; the ACK carries them, asks for a clear, and leaves "
                     "CACK_PSN behind.",
         .expected = "The read completes; a Clear Command, or a Request, with CLEAR_PSN at the "
                     "READ's PSN.")
{
    static const uint8_t clear = UET_CTL_CLEAR_COMMAND;
    uet_auto_ack(tc, false);
    struct fep_read r = fep_reads(tc, 8);
    struct uet_out ack = uet_ack_data(r.pdc, r.in[0], r.bytes);
    uint32_t psn = uet_packet_psn(&r.in[0]->packet);
    const struct uet_want command = {.kind = UET_WANT_CP,
                                     .pdc = r.pdc,
                                     .codes = &clear,
                                     .n_codes = 1,
                                     .named = "a Clear Command for the data"};
    uet_send(tc, &ack);
    uet_auto_ack(tc, true);
    check_read(tc, "PDS-118", &r);
    uet_for(tc, "PDS-080");
    const struct uet_in *in = uet_expect(tc, &command, 0);
    uet_check_eq(tc, "PDS-080", "CLEAR_PSN", uet_cp_payload_value(uet_pds(&in->packet)), psn);
}

UET_TEST(return_ahead_of_window, .id = "pds.3.5.12.return-data-ahead-of-window",
         .requirements = "PDS-067 PDS-147 PDS-133", .role = UET_ROLE_INITIATOR,
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
    uet_send(tc, &far);
    uet_for(tc, "PDS-067");
    const struct uet_in *nack = uet_expect_nack(tc, r.pdc, far.psn, UET_NACK_PSN_OOR_WINDOW);
    uet_check(tc, "PDS-147",
              uet_nack_table[uet_nack_nack_code(uet_pds(&nack->packet))].nack_class !=
                  UET_CLASS_NONE,
              "nack_code is reserved");
    check_open(tc, "PDS-067", &r);
    uet_send(tc, &data);
    uet_expect_covered(tc, r.pdc, data.psn);
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
    uet_send(tc, &cut);
    uet_for(tc, "PDS-216");
    const struct uet_in *nack = uet_expect_nack(tc, r.pdc, data.psn, UET_NACK_TRIMMED);
    uet_check_eq(tc, "PDS-216", "spdcid", uet_spdcid(&nack->packet), r.pdc->fep_pdcid);
    check_open(tc, "PDS-216", &r);
    uet_resend(tc, &data);
    uet_for(tc, "PDS-219");
    uet_expect_covered(tc, r.pdc, data.psn);
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
    static const uint8_t close = UET_CTL_CLOSE_COMMAND;
    hold_rto(tc);
    struct fep_read r = fep_reads(tc, 100);
    const struct uet_want command = {.kind = UET_WANT_CP,
                                     .pdc = r.pdc,
                                     .codes = &close,
                                     .n_codes = 1,
                                     .named = "a Close Command while a read is open"};
    uet_did(tc, uet_ut_close_pdcs(uet_tc_ut(tc), NULL), "close");
    uet_expect_nothing(tc, "PDS-215", &command, uet_tc_quiet(tc) / 4);
    serve(tc, "PDS-215", &r);
    check_read(tc, "PDS-215", &r);
    uet_for(tc, "PDS-215");
    uet_expect_cp(tc, r.pdc, UET_CTL_CLOSE_COMMAND);
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
static const struct uet_in *trimmed_data(struct uet_tc *tc, struct fep_read *r)
{
    *r = unanswered(tc);
    struct uet_out ack = uet_ack_data(r->pdc, r->in[0], r->bytes);
    struct uet_out cut = trimmed(tc, &ack, "dscp-trimmed");
    uet_send(tc, &cut);
    return r->in[0];
}

/* The READ again; its ACK with the data then completes it. */
static void read_again(struct uet_tc *tc, const char *requirement, const struct fep_read *r)
{
    const struct uet_want again = resend_of(r->pdc, uet_packet_psn(&r->in[0]->packet));

    uet_for(tc, requirement);
    const struct uet_in *in = uet_expect(tc, &again, patience(tc, one_rto(tc)));
    uet_check_eq(tc, requirement, "ses.opcode", uet_ses_req_opcode(uet_ses(&in->packet)),
                 UET_OP_READ);
    struct uet_out ack = uet_ack_data(r->pdc, in, r->bytes);
    uet_send(tc, &ack);
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
    const struct uet_want nack = {.kind = UET_WANT_NACK, .named = "a NACK of a trimmed ACK"};
    struct fep_read r;

    trimmed_data(tc, &r);
    read_again(tc, "PDS-222", &r);
    uet_expect_nothing(tc, "PDS-222", &nack, UET_US);
}

UET_TEST(trimmed_data_ack_nacked, .id = "pds.3.5.12.7.trimmed-ack-nacked",
         .requirements = "PDS-223", .role = UET_ROLE_INITIATOR, .needs = "trimming",
         .params = "dscp-trimmed RTO_Init_Time",
         .purpose = "Up to 1.0.2 a trimmed ACK with read data gets NACK UET_TRIMMED_ACK.",
         .preamble = "A PDC that the FEP opened.",
         .stimulus = "The FEP reads 8 bytes; their ACK, trimmed.",
         .expected = "NACK 0x03 naming the READ's PSN; the READ again; with its data the read "
                     "completes.")
{
    struct fep_read r;
    const struct uet_in *in = trimmed_data(tc, &r);
    uet_for(tc, "PDS-223");
    uet_expect_nack(tc, r.pdc, uet_packet_psn(&in->packet), UET_NACK_TRIMMED_ACK);
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
    struct uet_out nack = uet_nack(r.pdc, uet_packet_psn(&r.in[0]->packet), UET_NACK_ACK_WITH_DATA);
    uet_send(tc, &nack);
    read_again(tc, "PDS-142", &r);
}
