/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.6.4: on which traffic class each packet leaves, told by its DSCP, and whether it can be marked.
 */
#include "conformance/harness/steps/acks.h"
#include "conformance/harness/steps/fep_reads.h"
#include "conformance/harness/steps/memory.h"
#include "conformance/harness/steps/reads.h"
#include "conformance/harness/steps/target.h"
#include "conformance/harness/steps/trims.h"
#include "conformance/tests/pds.h"
#include "conformance/tests/rudi.h"

#define PACKETS 4u

static bool leaves_on(struct uet_tc *tc, const char *requirement, const struct uet_in *in,
                      const char *role)
{
    uet_look_at(tc, in);
    return uet_check_eq(tc, requirement, "DSCP", uet_dscp(&in->packet), uet_tc_param(tc, role));
}

static void can_be_marked(struct uet_tc *tc, const struct uet_in *in)
{
    uint8_t ecn = uet_ecn(&in->packet);

    uet_check(tc, "CMS-007", ecn == UET_ECN_ECT0 || ecn == UET_ECN_ECT1,
              "ECN is %u: required ECT(0) or ECT(1)", ecn);
}

/* ---- control ---- */

UET_TEST(answers_on_control, .id = "cms.3.6.17.answers-on-control", .requirements = "CMS-008",
         .role = UET_ROLE_TARGET, .needs = "rud any-request", .params = "dscp-control",
         .purpose = "ACKs and NACKs leave on the control class, past the queues of data.",
         .preamble = "PDC open.", .stimulus = "A Request on it, and one with an unknown dpdcid.",
         .expected = "An ACK and a NACK with DSCP_CONTROL.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o = uet_any_request(p);
    leaves_on(tc, "CMS-008", exchange(tc, &o), "dscp-control");
    struct uet_out stray = uet_any_request(pdc_beside(tc, p));
    leaves_on(tc, "CMS-008", unknown_nacked(tc, &stray), "dscp-control");
}

UET_TEST(asks_on_control, .id = "cms.3.6.17.asks-on-control", .requirements = "CMS-008",
         .role = UET_ROLE_INITIATOR, .params = "dscp-control RTO_Init_Time",
         .purpose = "Control Packets of a source leave on the control class, past the queues of "
                    "data.",
         .preamble = "A PDC that the FEP opened.",
         .stimulus = "It writes three packets, of which the last is told in SACK alone.",
         .expected = "The ACK Request that follows, where the FEP sends one, with DSCP_CONTROL.")
{
    const struct uet_in *in[3];
    uint64_t handle;
    struct uet_pdc *p = fep_opens(tc);
    const struct uet_in *cp = fep_asks(tc, &p, in, &handle);
    if (!cp)
        uet_skip(tc, "the FEP asks by no Control Packet");
    leaves_on(tc, "CMS-008", cp, "dscp-control");
    resume_acks(tc, in[2]);
}

UET_TEST(trims_nacked_on_control, .id = "cms.4.1.trims-nacked-on-control",
         .requirements = "CMS-017", .role = UET_ROLE_TARGET,
         .needs = "trimming rud write any-request", .params = "dscp-trimmed dscp-control",
         .purpose = "The NACK of a trimmed packet leaves on the control class, without waiting.",
         .preamble = "PDC open; a Request that is acknowledged, in which time is told.",
         .stimulus = "A WRITE, trimmed; then the whole.",
         .expected = "NACK UET_TRIMMED with DSCP_CONTROL; in virtual time no later than the ACK "
                     "of the Request was, and 100 us.")
{
    struct uet_memory m = uet_need_memory(tc, DATA);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o = uet_any_request(p), w = some_write(tc, p, &m);
    struct uet_out cut = trimmed(tc, &w, "dscp-trimmed");
    uint64_t before = uet_tc_now(tc);
    uint64_t usual = exchange(tc, &o)->time_ns - before;
    before = uet_tc_now(tc);
    say(tc, &cut);
    const struct uet_in *nack = hear(tc, "PDS-216", NACK_OF(&w, UET_NACK_TRIMMED));
    leaves_on(tc, "CMS-017", nack, "dscp-control");
    uint64_t took = nack->time_ns - before;
    if (uet_tc_virtual_time(tc))
        uet_check(tc, "CMS-017", took <= usual + 100 * UET_US,
                  "the NACK took %.3f us, an ACK %.3f us", (double)took / 1e3, (double)usual / 1e3);
    say_again(tc, &w);
    hear_answer(tc, "PDS-219", &w);
}

/* ---- data ---- */

UET_TEST(requests_on_data, .id = "cms.3.6.4.7.requests-on-data", .requirements = "CMS-009 CMS-007",
         .role = UET_ROLE_INITIATOR, .params = "dscp-trimmable", .contested = true,
         .purpose = "Requests leave on the class of data, so that switches can mark and trim them.",
         .preamble = "None.", .stimulus = "The FEP writes four MTUs.",
         .expected = "DSCP_TRIMMABLE in each, and ECT(0) or ECT(1): a packet that is not ECN "
                     "capable cannot be marked, and one with CE was marked by nobody.")
{
    struct uet_pdc *p;
    uint64_t handle;
    const struct uet_in *in = fep_writes(tc, PACKETS * uet_tc_dut(tc)->payload_mtu, &p, &handle);
    for (uint32_t i = 0; i < PACKETS; i++) {
        if (i)
            in = hear(tc, "CMS-009", REQUEST_ON(p));
        leaves_on(tc, "CMS-009", in, "dscp-trimmable");
        can_be_marked(tc, in);
    }
    completion_of(tc, "CMS-009", handle);
}

#define NO_PAYLOAD                                                                                 \
    .requirements = "CMS-009 CMS-007", .role = UET_ROLE_INITIATOR, .params = "dscp-trimmable",     \
    .contested = true, .preamble = "None.", .expected = "As in requests-on-data."

UET_TEST(no_bytes_on_data, .id = "cms.3.6.4.7.no-bytes-on-data", NO_PAYLOAD,
         .purpose = "A Request without payload leaves on the class of data, too.",
         .stimulus = "The FEP writes no bytes.")
{
    struct uet_pdc *p;
    uint64_t handle;
    const struct uet_in *in = fep_writes(tc, 0, &p, &handle);
    leaves_on(tc, "CMS-009", in, "dscp-trimmable");
    can_be_marked(tc, in);
    completion_of(tc, "CMS-009", handle);
}

UET_TEST(reads_on_data, .id = "cms.3.6.4.7.reads-on-data", NO_PAYLOAD,
         .purpose = "A READ leaves on the class of data, though it brings none.",
         .stimulus = "The FEP reads 100 bytes.")
{
    struct fep_read r = fep_reads(tc, 100);
    leaves_on(tc, "CMS-009", r.in[0], "dscp-trimmable");
    can_be_marked(tc, r.in[0]);
    serve(tc, "CMS-009", &r);
    check_read(tc, "CMS-009", &r);
}

UET_TEST(resends_on_their_own, .id = "cms.3.6.4.7.1.resends-on-their-own",
         .requirements = "CMS-010 CMS-009 CMS-007", .role = UET_ROLE_INITIATOR,
         .params = "dscp-trimmable NACK_Retx_Time",
         .purpose = "What is sent again leaves on the code point for that, or on that of data, and "
                    "can be marked as what is new.",
         .preamble = "RTO long; a PDC that the FEP opened.",
         .stimulus = "The FEP writes 16 bytes: NACK UET_NO_PKT_BUFFER; when it has come again, and "
                     "is acknowledged, the FEP writes once more.",
         .expected = "It comes again with DSCP_TRIMMABLE_RTX where dscp-trimmable-rtx is told, "
                     "else with DSCP_TRIMMABLE, and with ECT(0) or ECT(1); what is new comes with "
                     "DSCP_TRIMMABLE.")
{
    uint64_t rtx, handle;
    hold_rto(tc);
    struct uet_pdc *p = fep_opens(tc);
    const struct uet_in *in = fep_writes_unanswered(tc, &p, &handle);
    say_nack(tc, in, UET_NACK_NO_PKT_BUFFER);
    const uint64_t within = patience(tc, nack_delay(tc));
    const struct uet_in *copy = hear(tc, "PDS-135", RESEND_OF(in), .within = within);
    bool told = uet_tc_told(tc, "dscp-trimmable-rtx", &rtx);
    leaves_on(tc, "CMS-009", copy, told ? "dscp-trimmable-rtx" : "dscp-trimmable");
    can_be_marked(tc, copy);
    resume_acks(tc, copy);
    completion_of(tc, "CMS-009", handle);
    leaves_on(tc, "CMS-009", fep_writes_on(tc, &p, 16, &handle), "dscp-trimmable");
    completion_of(tc, "CMS-009", handle);
}

UET_TEST(resends_are_whole, .id = "cms.3.6.4.7.1.resends-are-whole", .requirements = "CMS-010",
         .role = UET_ROLE_TARGET, .needs = "rud write", .params = "dscp-trimmable-rtx",
         .purpose = "What comes on the code point of resends was not trimmed for that.",
         .preamble = "PDC open.",
         .stimulus = "A WRITE with retx=1 and DSCP_TRIMMABLE_RTX, whose first copy was lost.",
         .expected = "Its ACK, and the bytes in memory.")
{
    struct uet_memory m = uet_need_memory(tc, DATA);
    struct uet_pdc *p = uet_pdc_open(tc);
    const uint8_t *bytes = uet_tc_bytes(tc, DATA);
    struct uet_out o = uet_write(p, &m, 0, bytes, DATA);
    o.route.dscp = (uint8_t)uet_tc_param(tc, "dscp-trimmable-rtx");
    say_again(tc, &o);
    hear_answer(tc, "CMS-010", &o);
    memory_holds(tc, "CMS-010", &m, 0, bytes, DATA);
}

UET_TEST(return_data_on_data, .id = "cms.3.6.4.7.return-data-on-data",
         .requirements = "CMS-009 CMS-007", .role = UET_ROLE_TARGET,
         .needs = "rud read any-request", .params = "dscp-trimmable", .contested = true,
         .purpose = "Read data that comes in Requests leaves on the class of data, too.",
         .preamble = "Memory; PDC open.", .stimulus = "A READ whose data rides in no ACK.",
         .expected = "DSCP_TRIMMABLE in the Request that brings it, and ECT(0) or ECT(1).")
{
    uint32_t n = more_than_ack_data(tc);
    struct source s = need_source(tc, n);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o = uet_read(p, &s.m, 0, n);
    say(tc, &o);
    const struct uet_in *in = hear_return_data(tc, "CMS-009", &o);
    leaves_on(tc, "CMS-009", in, "dscp-trimmable");
    can_be_marked(tc, in);
}

UET_TEST(datagrams_elsewhere, .id = "cms.3.5.7.4.datagrams-elsewhere", .requirements = "CMS-074",
         .role = UET_ROLE_INITIATOR, .needs = "nscc uud",
         .purpose = "Datagrams, which no window bounds, do not share the class of what it bounds.",
         .preamble = "None.", .stimulus = "The FEP writes over RUD, and sends 64 bytes over UUD.",
         .expected = "Another DSCP in the datagram than in the Request.")
{
    struct uet_pdc *p;
    uint64_t handle;
    const struct uet_in *request = fep_writes(tc, 16, &p, &handle);
    struct uet_ut_operation op = uet_op(tc, 64);
    completion_of(tc, "CMS-074", handle);
    op.mode = UET_UT_MODE_UUD;
    uet_do_send(tc, &op);
    const struct uet_in *in = hear(tc, "CMS-074", DATAGRAM);
    uet_check(tc, "CMS-074", uet_dscp(&in->packet) != uet_dscp(&request->packet),
              "both have DSCP %u", uet_dscp(&in->packet));
}

/* The DSCP of a Request over RUD. */
static uint8_t shared_class(struct uet_tc *tc)
{
    struct uet_pdc *p;
    uint64_t handle;
    const struct uet_in *request = fep_writes(tc, 16, &p, &handle);

    completion_of(tc, "CMS-074", handle);
    return uet_dscp(&request->packet);
}

UET_TEST(rudi_elsewhere, .id = "cms.3.5.7.3.rudi-elsewhere", .requirements = "CMS-074",
         .role = UET_ROLE_INITIATOR, .needs = "nscc rudi",
         .purpose = "RUDI does not share the class of what the window bounds.", .preamble = "None.",
         .stimulus = "The FEP writes over RUD, then over RUDI.",
         .expected = "Another DSCP in the RUDI Request.")
{
    const uint8_t shared = shared_class(tc);
    const uint64_t handle = rudi_writes(tc, 16);
    const struct uet_in *in = rudi_request(tc);
    uet_check(tc, "CMS-074", uet_dscp(&in->packet) != shared, "both have DSCP %u", shared);
    answer_rudi(tc, in);
    completes(tc, "CMS-074", handle, UET_UT_OK);
}

UET_TEST(rudi_again_elsewhere, .id = "cms.3.5.7.3.rudi-again-elsewhere", .requirements = "CMS-074",
         .role = UET_ROLE_INITIATOR, .needs = "nscc rudi", .params = "RTO_Init_Time",
         .purpose =
             "A RUDI Request that comes again does not share the class of what the window bounds.",
         .preamble = "None.",
         .stimulus = "The FEP writes over RUD, then over RUDI; it is answered when it comes again.",
         .expected = "Another DSCP in the RUDI Request that comes again.")
{
    uet_need_retries(tc);
    const uint8_t shared = shared_class(tc);
    const uint64_t handle = rudi_writes(tc, 16);
    const struct uet_in *in = rudi_request(tc);
    const uint64_t due = patience(tc, uet_tc_latest(tc, uet_tc_param(tc, "RTO_Init_Time")));
    in = hear(tc, "PDS-175", RUDI_RESEND_OF(in), .within = due);
    uet_check(tc, "CMS-074", uet_dscp(&in->packet) != shared, "both have DSCP %u", shared);
    answer_rudi(tc, in);
    completes(tc, "CMS-074", handle, UET_UT_OK);
}
