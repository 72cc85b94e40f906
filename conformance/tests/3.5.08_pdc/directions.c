/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.8, 3.5.8.2: the two directions of a PDC. Control Packets go in both, so no read is needed. */
#include "conformance/tests/pds.h"
#include "conformance/tests/pds_target.h"

static bool takes_psn(const struct uet_in *in, const void *ctx)
{
    const uint8_t *h = uet_pds(&in->packet);

    (void)ctx;
    if (!uet_is_cp(&in->packet))
        return uet_is_request(&in->packet);
    return uet_cp_ctl_type(h) == UET_CTL_CLOSE_REQUEST || uet_cp_ctl_type(h) == UET_CTL_NOOP ||
           uet_cp_ctl_type(h) == UET_CTL_NEGOTIATION;
}

UET_TEST(return_direction_psns, .id = "pds.3.5.8.2.return-direction-psns",
         .requirements = "PDS-028 PDS-057", .role = UET_ROLE_TARGET,
         .needs = "rud any-request upper-tester",
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
    const struct uet_want first = {
        .pdc = p, .also = takes_psn, .named = "packet of the return direction that takes a PSN"};
    const struct uet_in *in = uet_expect(tc, &first, 0);
    uint32_t psn = uet_packet_psn(&in->packet);
    uet_check(tc, "PDS-057", psn != p->next_psn,
              "the return direction goes on with the forward one's PSNs, at 0x%08x", psn);
    uet_check_eq(tc, "PDS-028", "pds.psn", psn, p->start_psn);
    still_serves(tc, "PDS-057", p);
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
        uet_send(tc, &noop);
        const struct uet_in *ack = uet_expect_ack(tc, pdc, noop.psn);
        uet_check_enum(tc, "PDS-092", "flags.req", UET_ENUM_PDS_ACK_REQ, req_of(ack),
                       UET_ACK_NO_REQUEST);
        uet_check_eq(tc, "PDS-092", "dpdcid", uet_dpdcid(&ack->packet), pdc->pdcid);
    }
}
