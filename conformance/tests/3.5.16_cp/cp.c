/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.16: Control Packets for the wrong PDC, of a reserved kind, and sent by the FEP. */
#include "conformance/tests/pds_target.h"

UET_TEST(cp_for_unknown_pdc, .id = "pds.3.5.16.cp-for-unknown-pdc", .requirements = "PDS-185",
         .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .purpose = "A Control Packet for a PDC that does not exist is refused.",
         .preamble = "One PDC open, so that a dpdcid not in use is known.",
         .stimulus = "Close Command, NOOP (syn=0), Clear Command (ar=0), ACK Request, Clear "
                     "Request and Close Request with a dpdcid that no PDC has.",
         .expected = "Each gets NACK UET_INV_DPDCID (0x0E) with spdcid=0.")
{
    static const uint8_t types[] = {UET_CTL_CLOSE_COMMAND, UET_CTL_NOOP,
                                    UET_CTL_CLEAR_COMMAND, UET_CTL_ACK_REQUEST,
                                    UET_CTL_CLEAR_REQUEST, UET_CTL_CLOSE_REQUEST};
    struct uet_pdc *q = pdc_unknown(tc);
    for (size_t i = 0; i < sizeof(types); i++) {
        struct uet_out cp = uet_cp(q, types[i]);
        say(tc, &cp);
        const struct uet_in *nack = hear(tc, "PDS-185", NACK_OF(&cp, UET_NACK_INV_DPDCID));
        field(tc, "PDS-185", nack, UET_F_PDS_SPDCID, 0);
    }
}

UET_TEST(cp_with_wrong_spdcid, .id = "pds.3.5.16.cp-with-wrong-spdcid", .requirements = "PDS-186",
         .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .purpose = "A Control Packet whose spdcid is not the peer's is refused and harms nobody.",
         .preamble = "PDC open.",
         .stimulus = "An ACK Request for the last PSN, with the dpdcid of that PDC but another "
                     "spdcid.",
         .expected = "NACK UET_PDC_HDR_MISMATCH (0x0F); the PDC still serves its peer. A FEP that "
                     "does not look is a finding.")
{
    struct uet_pdc *p = uet_pdc_open(tc), *q = stranger(tc, p);
    struct uet_out ask = cp_at(q, UET_CTL_ACK_REQUEST, q->next_psn);
    static const uint8_t mismatch[] = {UET_NACK_PDC_HDR_MISMATCH};
    stranger_refused(tc, "PDS-186", &ask, mismatch, sizeof(mismatch));
    still_serves(tc, "PDS-186", p);
}

/*
 * A CP of a stranger with the PSN n that the peer of p sends next: refused, it does not count. The
 * peer's n+1 is ahead of a gap, and n is new.
 */
static void no_effect(struct uet_tc *tc, uint8_t ctl_type)
{
    static const uint8_t mismatch[] = {UET_NACK_PDC_HDR_MISMATCH};
    struct uet_pdc *p = uet_pdc_open(tc), *q = stranger(tc, p);
    struct uet_out n = uet_any_request(p), ahead = uet_any_request(p);
    struct uet_out cp = cp_at(q, ctl_type, n.psn);
    if (!stranger_refused(tc, "PDS-186", &cp, mismatch, sizeof(mismatch)))
        return;
    say(tc, &ahead);
    const struct uet_in *ack = hear(tc, "PDS-186", ACK_OF(&ahead));
    field_at_most(tc, "PDS-186", ack, UET_F_PDS_CACK_PSN, n.psn - 1);
    ask(tc, "PDS-186", &n);
}

UET_TEST(cp_of_a_stranger, .id = "pds.3.5.16.cp-of-a-stranger", .requirements = "PDS-186",
         .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .purpose = "A Control Packet that is refused for its spdcid has no effect.",
         .preamble = "Two PDCs open; n is the next PSN.",
         .stimulus = "On the first a NOOP, on the second a Close Command, with PSN n and another "
                     "spdcid; then the peer's Requests n+1 and n.",
         .expected = "NACK UET_PDC_HDR_MISMATCH (0x0F); CACK_PSN stays below n until n has come, "
                     "and both Requests are acknowledged.")
{
    no_effect(tc, UET_CTL_NOOP);
    no_effect(tc, UET_CTL_CLOSE_COMMAND);
}

/* With ar=1; the payload stands where a Clear Command has its CLEAR_PSN. */
static struct uet_out reserved_cp(struct uet_pdc *p, uint8_t ctl_type, uint32_t psn,
                                  uint32_t payload)
{
    struct uet_out cp = cp_at(p, ctl_type, psn);

    uet_cp_ar_set(cp.pds, true);
    uet_cp_payload_clear_command_clear_psn_set(
        cp.pds + UET_CP_BYTES - UET_CP_PAYLOAD_CLEAR_COMMAND_BYTES, payload);
    return cp;
}

UET_TEST(reserved_ctl_types, .id = "pds.3.5.16.reserved-ctl-types",
         .requirements = "PDS-196 PDS-145", .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .purpose = "A Control Packet of a reserved ctl_type does no harm.",
         .preamble = "PDC open.",
         .stimulus = "Control Packets with ctl_type 10 to 15, each with ar=0 and with ar=1.",
         .expected = "Each is dropped or gets NACK UET_UNEXP_EVENT (0x19); the PDC works on.")
{
    const struct uet_in *in;
    struct uet_pdc *p = uet_pdc_open(tc);
    uint32_t n = p->next_psn;
    tolerate(tc, NACK_ON(p, UET_NACK_UNEXP_EVENT));
    for (uint8_t i = 0; i < 12; i++) {
        struct uet_out cp = reserved_cp(p, 10 + i / 2, n, 0);
        uet_cp_ar_set(cp.pds, i % 2);
        say(tc, &cp);
    }
    silence(tc, "PDS-196", .kind = UET_WANT_ACK, .covering = true, OF_PSN(p, n));
    while ((in = maybe(tc, REFUSAL_ON(p), .within = UET_US)))
        field(tc, "PDS-145", in, UET_F_PDS_NACK_CODE, UET_NACK_UNEXP_EVENT);
    still_serves(tc, "PDS-196", p);
}

UET_TEST(close_request_of_initiator, .id = "pds.3.5.16.close-request-of-an-initiator",
         .requirements = "PDS-145", .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .purpose = "A Close Request of the side that closes itself asks for nothing.",
         .preamble = "PDC open.",
         .stimulus = "A Close Request with ar=1 from its initiator; a Request.",
         .expected = "The Close Request is dropped, acknowledged, or gets NACK UET_UNEXP_EVENT "
                     "(0x19). That it closes the PDC is a finding.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out cp = cp_at(p, UET_CTL_CLOSE_REQUEST, p->next_psn);
    uet_cp_ar_set(cp.pds, true);
    tolerate(tc, NACK_ON(p, UET_NACK_UNEXP_EVENT));
    say(tc, &cp);
    const struct uet_in *in = maybe(tc, ANSWER_ON(p), .within = uet_tc_latest(tc, UET_MS));
    if (in && uet_is_nack(&in->packet)) {
        field(tc, "PDS-145", in, UET_F_PDS_NACK_CODE, UET_NACK_UNEXP_EVENT);
        return; /* it may give the PDC up */
    }
    p->next_psn += in != NULL; /* it was acknowledged */
    struct uet_out o = uet_any_request(p);
    say(tc, &o);
    in = hear(tc, "PDS-145", ANSWER_TO(&o));
    const uint8_t code = uet_is_nack(&in->packet) ? uet_nack_nack_code(uet_pds(&in->packet)) : 0;
    if (code == UET_NACK_INV_DPDCID || code == UET_NACK_CLOSING || code == UET_NACK_CLOSING_IN_ERR)
        uet_other_reading(tc, "PDS-145", "a Close Request of the initiator closed the PDC");
}

UET_TEST(
    reserved_clears_nothing, .id = "pds.3.5.16.reserved-ctl-type-clears-nothing",
    .requirements = "PDS-196 PDS-074", .role = UET_ROLE_TARGET, .needs = "rud write any-request",
    .purpose = "The payload of a Control Packet of a reserved ctl_type means nothing.",
    .preamble = "PDC open; a WRITE n was answered with an error, which is not cleared.",
    .stimulus = "Control Packets with ctl_type 10 to 15, ar=1 and n as payload; n with retx=1.",
    .expected = "Each is dropped or gets NACK UET_UNEXP_EVENT (0x19); the same error again, "
                "and CACK_PSN still below n.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = uet_pdc_open(tc);
    p->auto_clear = false;
    p->clear_psn = p->start_psn;
    struct uet_out o = refused_write(p, &m);
    const struct uet_in *first = exchange_refused(tc, &o), *again;
    tolerate(tc, NACK_ON(p, UET_NACK_UNEXP_EVENT));
    for (uint8_t type = 10; type <= 15; type++) {
        struct uet_out cp = reserved_cp(p, type, p->next_psn, o.psn);
        say(tc, &cp);
    }
    again = exchange_again(tc, &o);
    same_response(tc, "PDS-196", again, first);
    check_cack(tc, "PDS-196", again, o.psn - 1);
}

/* Preamble: the FEP, as target, is asked to want to close; what it sends is left to the test. */
static struct uet_pdc *pdc_asked_to_close(struct uet_tc *tc, bool answer)
{
    struct uet_pdc *p = uet_pdc_open(tc);
    maybe(tc, CP_ON(p, UET_CTL_NOOP), .within = uet_tc_quiet(tc)); /* its own go first (T11) */
    if (!answer && maybe(tc, CP_ON(p, UET_CTL_CLOSE_REQUEST), .within = UET_US)) /* PDS-214 */
        uet_skip(tc, "the FEP asks for the close of an idle PDC before it is made to");
    p->auto_ack = answer;
    uet_did(tc, uet_ut_close_request(uet_tc_ut(tc), &p->self), "close_request");
    return p;
}

UET_TEST(close_request_fields, .id = "pds.3.5.16.4.close-request-fields",
         .requirements = "PDS-207 PDS-198", .role = UET_ROLE_TARGET,
         .needs = "rud any-request upper-tester",
         .purpose = "A Close Request has the form of Table 3-66.",
         .preamble = "PDC open; nothing was sent in the return direction.",
         .stimulus = "The upper tester lets the FEP, as target, ask for the close.",
         .expected = "A CP of ctl_type 5 with ar=1, retx=0, syn=0, the next return PSN (Start_PSN "
                     "if it is the first) and payload 0.")
{
    struct uet_pdc *p = pdc_asked_to_close(tc, true);
    const struct uet_in *cp = hear(tc, "PDS-207", CP_ON(p, UET_CTL_CLOSE_REQUEST));
    field(tc, "PDS-207", cp, UET_F_PDS_AR, 1);
    field(tc, "PDS-207", cp, UET_F_PDS_RETX, 0);
    field(tc, "PDS-207", cp, UET_F_PDS_SYN, 0);
    /* All PSNs up to cack came without a gap, and this one is the last. */
    field(tc, "PDS-207", cp, UET_F_PDS_PSN, p->cack);
    field(tc, "PDS-207", cp, UET_F_PDS_SPDCID, p->fep_pdcid);
    field(tc, "PDS-198", cp, UET_F_PDS_PAYLOAD, 0);
}

UET_TEST(isrod_only_where_defined, .id = "pds.3.5.16.isrod-only-where-defined",
         .requirements = "PDS-188", .role = UET_ROLE_TARGET,
         .needs = "rud any-request upper-tester",
         .purpose = "isrod belongs to NOOP and Negotiation; in other Control Packets it is 0.",
         .preamble = "PDC open.",
         .stimulus = "The upper tester lets the FEP, as target, ask for the close.",
         .expected = "The Close Request has isrod=0.")
{
    struct uet_pdc *p = pdc_asked_to_close(tc, true);
    const struct uet_in *cp = hear(tc, "PDS-188", CP_ON(p, UET_CTL_CLOSE_REQUEST));
    field(tc, "PDS-188", cp, UET_F_PDS_ISROD, 0);
}

/* How long the FEP takes to resend a CP; skips when it gives up before. */
static uint64_t cp_resend_time(struct uet_tc *tc, uint64_t rto)
{
    if (uet_tc_param(tc, "Close_REQ_Time") <= rto || uet_tc_param(tc, "Max_RTO_Retx_Cnt") == 0)
        uet_skip(tc, "the FEP gives up before it would resend");
    return uet_tc_latest(tc, rto) + uet_tc_dut(tc)->response_time_ns / 2;
}

UET_TEST(unanswered_cp_resent, .id = "pds.3.5.16.unanswered-cp-resent", .requirements = "PDS-197",
         .role = UET_ROLE_TARGET, .needs = "rud any-request upper-tester",
         .params = "RTO_Init_Time Close_REQ_Time Max_RTO_Retx_Cnt",
         .purpose = "A Control Packet that takes a PSN is resent like a Request until it is "
                    "acknowledged.",
         .preamble = "PDC open.",
         .stimulus = "The upper tester lets the FEP, as target, ask for the close; its Close "
                     "Request is not acknowledged for one RTO_Init_Time, then it is.",
         .expected = "The Close Request comes again with the same PSN and retx=1.")
{
    close_req_long(tc);
    uint64_t resent = cp_resend_time(tc, uet_tc_param(tc, "RTO_Init_Time"));
    tolerate(tc, NACK_ON(NULL, UET_NACK_CLOSING_IN_ERR));
    struct uet_pdc *p = pdc_asked_to_close(tc, false);
    const struct uet_in *first = hear(tc, "PDS-197", CP_ON(p, UET_CTL_CLOSE_REQUEST));
    struct uet_out ack = uet_ack(p, hear(tc, "PDS-197", CP_AGAIN(first), .within = resent));
    say(tc, &ack);
    p->auto_ack = true;
}

UET_TEST(experimental_nack_of_cp, .id = "pds.3.5.12.7.experimental-nack-of-cp",
         .requirements = "PDS-153", .role = UET_ROLE_TARGET, .claim_binds = true,
         .needs = "rud any-request upper-tester experimental-nacks",
         .params = "RTO_Init_Time Close_REQ_Time Max_RTO_Retx_Cnt",
         .purpose = "An experimental NACK of class NORMAL costs a target nothing.",
         .preamble = "PDC open; the FEP, as target, was asked to close.",
         .stimulus = "NACK 0xFD for its Close Request.",
         .expected = "The Close Request again, by the RTO at the latest, and acknowledged no more.")
{
    close_req_long(tc);
    uint64_t rto = uet_tc_param(tc, "RTO_Init_Time"), nacked;
    if (uet_tc_told(tc, "NACK_Retx_Time", &nacked) && nacked > rto)
        rto = nacked; /* whichever a NACK of class NORMAL goes by */
    uint64_t resent = cp_resend_time(tc, rto);
    struct uet_pdc *p = pdc_asked_to_close(tc, false);
    const struct uet_in *cp = hear(tc, "PDS-153", CP_ON(p, UET_CTL_CLOSE_REQUEST));
    struct uet_out nack = uet_nack(p, psn_of(cp), UET_NACK_EXP_NACK_NORMAL);
    say(tc, &nack);
    struct uet_out ack = uet_ack(p, hear(tc, "PDS-153", CP_AGAIN(cp), .within = resent));
    say(tc, &ack);
    silence(tc, "PDS-153", CP_AGAIN(cp), .within = 2 * uet_tc_latest(tc, rto));
    p->auto_ack = true;
}
