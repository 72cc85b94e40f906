/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.16.2: ACK Request. */
#include "conformance/tests/pds_target.h"

/*
 * n is missing, so that n+1 lies above CACK_PSN: for a PSN at or below it a FEP may hold an ACK
 * Request to be outside the window.
 */
static const struct uet_in *ask_again(struct uet_tc *tc, const struct uet_out *o)
{
    struct uet_out ask = cp_at(o->pdc, UET_CTL_ACK_REQUEST, o->psn);

    uet_forget(tc);
    return exchange(tc, &ask);
}

UET_TEST(ack_request_received, .id = "pds.3.5.16.2.received", .requirements = "PDS-190",
         .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .purpose = "An ACK Request for a PSN that has arrived brings its ACK again.",
         .preamble = "PDC open; n is missing, n+1 was acknowledged.",
         .stimulus = "ACK Request for n+1.",
         .expected = "ACK naming n+1 with a default response and CACK_PSN n-1.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out n = uet_any_request(p), n1 = uet_any_request(p);
    exchange(tc, &n1);
    const struct uet_in *ack = ask_again(tc, &n1);
    uet_check(tc, "PDS-190", is_default_response(ack) || uet_guaranteed(tc, p, n1.psn),
              "the ACK carries no default response");
    check_cack(tc, "PDS-190", ack, n.psn - 1);
    exchange(tc, &n);
}

UET_TEST(ack_request_names_its_psn, .id = "pds.3.5.16.2.names-its-psn", .requirements = "PDS-190",
         .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .purpose = "The answer names the PSN that was asked for, not the newest one.",
         .preamble = "PDC open; n is missing, n+1, n+2 and n+3 were acknowledged.",
         .stimulus = "ACK Requests for n+2 and n+1.", .expected = "ACKs naming n+2 and n+1.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out n = uet_any_request(p), o[3];
    for (int i = 0; i < 3; i++) {
        o[i] = uet_any_request(p);
        exchange(tc, &o[i]);
    }
    for (int i = 1; i >= 0; i--)
        uet_check_eq(tc, "PDS-190", "ACK_PSN", psn_of(ask_again(tc, &o[i])), o[i].psn);
    exchange(tc, &n);
}

UET_TEST(ack_request_stored, .id = "pds.3.5.16.2.stored", .requirements = "PDS-190",
         .role = UET_ROLE_TARGET, .needs = "rud write",
         .purpose = "An ACK Request for a PSN whose response is stored brings that response.",
         .preamble = "PDC open; n, a WRITE with an unknown key, was answered with an error, and "
                     "is not cleared.",
         .stimulus = "ACK Request for n.",
         .expected = "ACK naming n with the very bytes of the first response.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = uet_pdc_open(tc);
    p->auto_clear = false;
    struct uet_out bad = refused_write(p, &m);
    const struct uet_in *first = exchange_refused(tc, &bad), *again = ask_again(tc, &bad);
    same_response(tc, "PDS-190", again, first);
}

UET_TEST(ack_request_not_received, .id = "pds.3.5.16.2.not-received", .requirements = "PDS-191",
         .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .purpose = "An ACK Request for a PSN that has not arrived is told so.",
         .preamble = "PDC open.", .stimulus = "ACK Request for the next PSN, not yet sent.",
         .expected = "NACK UET_PKT_NOT_RCVD (0x12) naming it; sent then, it is taken as new.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out ask = cp_at(p, UET_CTL_ACK_REQUEST, p->next_psn), next = uet_any_request(p);
    say(tc, &ask);
    hear(tc, "PDS-191", NACK_OF(&ask, UET_NACK_PKT_NOT_RCVD));
    check_cack(tc, "PDS-191", exchange(tc, &next), next.psn);
}

UET_TEST(ack_request_takes_no_psn, .id = "pds.3.5.16.2.takes-no-psn", .requirements = "PDS-190",
         .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .purpose = "An ACK Request asks about a PSN; it neither uses nor fills one.",
         .preamble = "PDC open; n and n+1 are missing, n+2 was acknowledged.",
         .stimulus = "ACK Requests for n+1 and n+2; then n, then n+1.",
         .expected = "NACK UET_PKT_NOT_RCVD (0x12) for n+1, ACK of n+2; then CACK_PSN n, then n+2.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out n = uet_any_request(p), n1 = uet_any_request(p), n2 = uet_any_request(p);
    struct uet_out ask = cp_at(p, UET_CTL_ACK_REQUEST, n1.psn);
    exchange(tc, &n2);
    say(tc, &ask);
    hear(tc, "PDS-191", NACK_OF(&ask, UET_NACK_PKT_NOT_RCVD)); /* n1 has not come */
    ask_again(tc, &n2);
    check_cack(tc, "PDS-190", exchange(tc, &n), n.psn);
    check_cack(tc, "PDS-190", exchange(tc, &n1), n2.psn);
}
