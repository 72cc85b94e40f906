/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.16.1, 3.5.16.7: NOOP and Negotiation. */
#include "conformance/tests/pds_target.h"

UET_TEST(
    noop_takes_psn, .id = "pds.3.5.16.1.noop-takes-psn", .requirements = "PDS-187",
    .role = UET_ROLE_TARGET, .needs = "rud any-request cp-noop",
    .purpose = "A NOOP takes a PSN of its own and is acknowledged like a Request.",
    .preamble = "PDC open; n is the next PSN.", .stimulus = "NOOP n with ar=1, then a Request n+1.",
    .expected = "ACK naming n with next_hdr NONE and CACK_PSN n; ACK of n+1 with CACK_PSN n+1.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out noop = uet_cp(p, UET_CTL_NOOP), next = uet_any_request(p);
    const struct uet_in *ack = exchange(tc, &noop);
    field(tc, "PDS-187", ack, UET_F_PDS_NEXT_HDR, UET_NH_NONE);
    check_cack(tc, "PDS-187", ack, noop.psn);
    check_cack(tc, "PDS-187", exchange(tc, &next), next.psn);
}

UET_TEST(noop_behind_gap, .id = "pds.3.5.16.1.noop-behind-a-gap", .requirements = "PDS-187 PDS-002",
         .role = UET_ROLE_TARGET, .needs = "rud any-request cp-noop",
         .purpose = "On RUD a NOOP behind a gap is taken, as a Request is.",
         .preamble = "PDC open; a Request n is missing.",
         .stimulus = "NOOP n+1 with ar=1, then the Request n.",
         .expected = "ACK naming n+1 with CACK_PSN n-1; ACK of n with CACK_PSN n+1.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out n = uet_any_request(p), noop = uet_cp(p, UET_CTL_NOOP);
    check_cack(tc, "PDS-187", exchange(tc, &noop), n.psn - 1);
    check_cack(tc, "PDS-187", exchange(tc, &n), noop.psn);
}

UET_TEST(noop_opens, .id = "pds.3.5.16.1.noop-opens", .requirements = "PDS-045 PDS-187",
         .role = UET_ROLE_TARGET, .needs = "rud any-request noop-opens", .claim_binds = true,
         .purpose = "A FEP that claims it lets a NOOP with syn=1 open a PDC.",
         .stimulus = "NOOP with syn=1, ar=1, isrod=0 and PSN S; then a RUD Request S+1.",
         .expected = "ACK naming S with next_hdr NONE, CACK_PSN S and a TPDCID; S+1 is "
                     "acknowledged on that PDC, with CACK_PSN S+1.")
{
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out noop = uet_cp(p, UET_CTL_NOOP);
    const struct uet_in *ack = exchange(tc, &noop);
    uet_check(tc, "PDS-045", uet_spdcid(&ack->packet) != 0, "the ACK names no TPDCID");
    field(tc, "PDS-187", ack, UET_F_PDS_NEXT_HDR, UET_NH_NONE);
    check_cack(tc, "PDS-045", ack, noop.psn); /* it takes a PSN of its own (PDS-187) */
    struct uet_out next = uet_any_request(p);
    uet_for(tc, "PDS-045");
    ack = exchange(tc, &next);
    check_cack(tc, "PDS-045", ack, next.psn);
    still_serves(tc, "PDS-045", p);
}

UET_TEST(noop_duplicate, .id = "pds.3.5.16.1.noop-duplicate", .requirements = "PDS-187 PDS-129",
         .role = UET_ROLE_TARGET, .needs = "rud any-request cp-noop",
         .purpose = "A NOOP that comes again is a duplicate like any other.",
         .preamble = "PDC open; a NOOP n and a Request n+1 were acknowledged.",
         .stimulus = "The NOOP again with retx=1.",
         .expected = "ACK naming n with next_hdr NONE; CACK_PSN stays n+1.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out noop = uet_cp(p, UET_CTL_NOOP), next = uet_any_request(p);
    exchange(tc, &noop);
    exchange(tc, &next);
    uet_forget(tc);
    say_again(tc, &noop);
    check_cack(tc, "PDS-129", hear(tc, "PDS-129", ACK_OF(&noop)), next.psn);
}

UET_TEST(negotiation_acked, .id = "pds.3.5.16.7.negotiation-acked",
         .requirements = "PDS-055 PDS-109", .role = UET_ROLE_TARGET,
         .needs = "rud any-request negotiation", .claim_binds = true,
         .purpose = "A FEP that claims Negotiation acknowledges PDS_NEG_ON_OFF and keeps the PDC.",
         .preamble = "PDC open; n is the next PSN.",
         .stimulus = "Negotiation n with the element 01 02 00 00 00 00 00 01 (SYN_RETX_TRANSFER).",
         .expected = "ACK naming n with next_hdr NONE; the next Request is acknowledged with "
                     "CACK_PSN at itself.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out negotiation = uet_cp(p, UET_CTL_NEGOTIATION), next = uet_any_request(p);
    const struct uet_in *ack = exchange(tc, &negotiation);
    field(tc, "PDS-109", ack, UET_F_PDS_NEXT_HDR, UET_NH_NONE);
    check_cack(tc, "PDS-108", exchange(tc, &next), next.psn);
}

UET_TEST(negotiation_duplicate, .id = "pds.3.5.16.7.negotiation-duplicate",
         .requirements = "PDS-055 PDS-129", .role = UET_ROLE_TARGET,
         .needs = "rud any-request negotiation", .claim_binds = true,
         .purpose = "A Negotiation that comes again is a duplicate like any other.",
         .preamble = "PDC open; a Negotiation n and a Request n+1 were acknowledged.",
         .stimulus = "The Negotiation again with retx=1.",
         .expected = "ACK naming n with next_hdr NONE; CACK_PSN stays n+1.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out negotiation = uet_cp(p, UET_CTL_NEGOTIATION), next = uet_any_request(p);
    exchange(tc, &negotiation);
    exchange(tc, &next);
    uet_forget(tc);
    say_again(tc, &negotiation);
    const struct uet_in *ack = hear(tc, "PDS-055", ACK_OF(&negotiation));
    field(tc, "PDS-109", ack, UET_F_PDS_NEXT_HDR, UET_NH_NONE);
    check_cack(tc, "PDS-129", ack, next.psn);
}
