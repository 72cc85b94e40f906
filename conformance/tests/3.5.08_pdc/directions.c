/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.8, 3.5.8.2: the two directions of a PDC. Control Packets go in both, so no read is needed. */
#include "conformance/harness/steps/reads.h"
#include "conformance/tests/pds.h"
#include "conformance/tests/pds_target.h"

static bool takes_psn(const struct uet_in *in, const void *none)
{
    (void)none;
    return uet_consumes_psn(&in->packet);
}

UET_TEST(return_direction_psns, .id = "pds.3.5.8.2.return-direction-psns",
         .not_over = "used after-read aged", .requirements = "PDS-028 PDS-057",
         .role = UET_ROLE_TARGET, .needs = "rud any-request upper-tester",
         .purpose = "The return direction starts at the same Start_PSN and counts by itself.",
         .preamble = "PDC open at S; five NO_OPs take S to S+4 of the forward direction.",
         .stimulus = "The upper tester makes the FEP send a Close Request.",
         .expected = "The first packet of the return direction that takes a PSN has S; the forward "
                     "direction goes on at S+5.")
{
    close_req_long(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    for (int i = 0; i < 4; i++) {
        struct uet_out o = uet_any_request(p);
        exchange(tc, &o);
    }
    uet_did(tc, uet_ut_close_request(uet_tc_ut(tc), &p->self), "close_request");
    const struct uet_in *in = hear(tc, "PDS-207", .pdc = p, .also = takes_psn,
                                   .named = "packet of the return direction that takes a PSN");
    field_is_not(tc, "PDS-057", in, UET_F_PDS_PSN, p->next_psn); /* the forward direction's */
    field(tc, "PDS-028", in, UET_F_PDS_PSN, p->start_psn);
    still_serves(tc, "PDS-057", p);
}

/* The FEP sends a Close Request: what takes a PSN of the return direction next has that PSN. */
static void next_of_return(struct uet_tc *tc, struct uet_pdc *p, uint32_t psn)
{
    uet_did(tc, uet_ut_close_request(uet_tc_ut(tc), &p->self), "close_request");
    const struct uet_in *in = hear(tc, "PDS-207", .pdc = p, .also = takes_psn,
                                   .named = "packet of the return direction that takes a PSN");
    field(tc, "PDS-028", in, UET_F_PDS_PSN, psn);
}

UET_TEST(return_of_later_syn, .id = "pds.3.5.8.2.return-of-later-syn",
         .not_over = "used after-read aged", .requirements = "PDS-028", .role = UET_ROLE_TARGET,
         .needs = "rud any-request upper-tester",
         .purpose = "The return direction starts at Start_PSN whichever SYN has opened the PDC.",
         .preamble = "Four SYN Requests, S to S+3; S+3 opens the PDC, then the others.",
         .stimulus = "The upper tester makes the FEP send a Close Request.",
         .expected = "The first packet of the return direction that takes a PSN has S.")
{
    close_req_long(tc);
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out o[4];
    for (int i = 0; i < 4; i++)
        o[i] = uet_any_request(p);
    exchange(tc, &o[3]);
    for (int i = 0; i < 3; i++)
        exchange(tc, &o[i]);
    next_of_return(tc, p, p->start_psn);
    still_serves(tc, "PDS-028", p);
}

/* Opens the PDC of this mode at S, or with its second PSN; then the return direction begins. */
static void opened_by_noop(struct uet_tc *tc, bool rod, bool second)
{
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out before = {0};

    p->rod = rod;
    if (second)
        before = uet_any_request(p);
    struct uet_out noop = uet_cp(p, UET_CTL_NOOP);
    exchange(tc, &noop);
    if (second)
        exchange(tc, &before);
    next_of_return(tc, p, p->start_psn);
    still_serves(tc, "PDS-028", p);
}

UET_TEST(return_of_noop, .id = "pds.3.5.8.2.return-of-a-noop",
         .not_over = "used after-read aged rod", .requirements = "PDS-028", .role = UET_ROLE_TARGET,
         .needs = "rud rod any-request cp-noop noop-opens upper-tester",
         .purpose = "The return direction starts at Start_PSN when a NOOP has opened the PDC.",
         .preamble = "On RUD and ROD a NOOP with syn=1 opens a PDC at S; on RUD also one with S+1, "
                     "whose Request S comes later.",
         .stimulus = "The upper tester makes the FEP send a Close Request.",
         .expected = "The first packet of the return direction that takes a PSN has S.")
{
    need_pdcs(tc, 3);
    close_req_long(tc);
    opened_by_noop(tc, false, false);
    opened_by_noop(tc, false, true);
    opened_by_noop(tc, true, false);
}

UET_TEST(return_goes_on_after_syn, .id = "pds.3.5.8.2.return-goes-on-after-syn",
         .requirements = "PDS-036 PDS-057", .role = UET_ROLE_TARGET, .needs = "rud read",
         .purpose = "A late SYN of a live PDC does not set the return direction back.",
         .preamble = "Memory; PDC open; a READ whose data came in a Request.",
         .stimulus = "The next Request, still with syn=1; then the same READ again, as a new one.",
         .expected = "The data of the second READ has another PSN than that of the first.")
{
    uint32_t n = more_than_ack_data(tc);
    struct source s = need_source(tc, n);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out first = uet_read(p, &s.m, 0, n);
    say(tc, &first);
    uint32_t before = psn_of(hear_return_data(tc, "PDS-057", &first));
    struct uet_out syn = syn_request_at(p, p->next_psn++), second = uet_read(p, &s.m, 0, n);
    exchange(tc, &syn);
    say(tc, &second);
    field_is_not(tc, "PDS-036", hear_return_data(tc, "PDS-057", &second), UET_F_PDS_PSN, before);
}

UET_TEST(initiator_asks_nothing, .id = "pds.3.5.11.8.6.initiator-asks-nothing",
         .requirements = "PDS-092 PDS-057", .role = UET_ROLE_INITIATOR, .needs = "cp-noop",
         .purpose = "An initiator's ACKs ask for nothing: flags.req is NO_REQUEST.",
         .preamble = "A PDC that the FEP opened.",
         .stimulus = "The tester, as target, sends three NOOPs with ar=1 in the return direction.",
         .expected = "ACKs naming their PSNs, flags.req=0, next_hdr NONE, dpdcid the TPDCID.")
{
    struct uet_pdc *pdc = fep_opens(tc);
    for (int i = 0; i < 3; i++) {
        struct uet_out noop = uet_cp(pdc, UET_CTL_NOOP);
        say(tc, &noop);
        const struct uet_in *ack = hear(tc, "PDS-057", ACK_OF(&noop));
        field(tc, "PDS-092", ack, UET_F_PDS_REQ, UET_ACK_NO_REQUEST);
        field(tc, "PDS-092", ack, UET_F_PDS_DPDCID, pdc->pdcid);
    }
}
