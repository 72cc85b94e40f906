/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.16.3.1: no Clear Command while what will carry CLEAR_PSN waits for the congestion window. */
#include "conformance/tests/congested.h"

/*
 * A FEP whose congestion window is full in the midst of a message, and nothing else stops it: the
 * answer to its first packet, which wants a clear, was taken, and what that let go has come.
 */
static struct uet_out fep_is_held(struct congested *c, struct uet_tc *tc)
{
    fep_fills(c, tc, 3);
    if (c->n < FEWEST || c->bytes + 2 * nominal_size(c->in[0]) < max_wnd(tc))
        uet_skip(tc, "%u packets in flight, %u bytes: something else than MaxWnd stops the FEP",
                 c->n, c->bytes);
    struct uet_out ack = guaranteed_ack(c->in[0], UET_RC_OK);
    say(tc, &ack);
    take_flight(c, maybe(tc, REQUEST_ON(c->pdc)));
    return ack;
}

/* What is asked for waits for a Request, though there is none yet that may go. */
static void no_clear_command(const struct congested *c)
{
    if (maybe(c->tc, CP_ON(c->pdc, UET_CTL_CLEAR_COMMAND), .within = before_rto(c->tc)))
        uet_other_reading(c->tc, "PDS-081", "a Clear Command came though Requests waited");
}

UET_TEST(no_clear_command_while_held, .id = "pds.3.5.16.3.1.no-clear-command-while-held",
         .requirements = "PDS-081", .role = UET_ROLE_INITIATOR, .needs = "nscc ack-cc",
         .params = "config_base_rtt sender_link_rate", .not_over = "all",
         .purpose = "Requests that wait for the congestion window will carry CLEAR_PSN.",
         .preamble = "The FEP writes three times MaxWnd; a flight of it has come; RTO long.",
         .stimulus = "UET_RESPONSE, RC_OK and req=REQ_CLEAR for the first packet, twice; what the "
                     "first of them lets go is not acknowledged.",
         .expected = "No Clear Command; one is a finding.")
{
    static struct congested c;
    struct uet_out ack = fep_is_held(&c, tc);
    say(tc, &ack);
    no_clear_command(&c);
    drain(&c);
}

UET_TEST(clear_request_while_held, .id = "pds.3.5.16.3.1.clear-request-while-held",
         .requirements = "PDS-081 PDS-085", .role = UET_ROLE_INITIATOR, .needs = "nscc ack-cc",
         .params = "config_base_rtt sender_link_rate", .not_over = "all",
         .purpose = "A Clear Request brings no Clear Command while Requests wait for the window.",
         .preamble = "The FEP writes three times MaxWnd; a flight of it has come; RTO long.",
         .stimulus = "UET_RESPONSE, RC_OK and req=REQ_CLEAR for the first packet, then a Clear "
                     "Request for it; what the first of them lets go is not acknowledged.",
         .expected = "No Clear Command; one is a finding.")
{
    static struct congested c;
    struct uet_out ack = fep_is_held(&c, tc);
    struct uet_out request = uet_cp(c.pdc, UET_CTL_CLEAR_REQUEST);
    uet_cp_payload_value_set(request.pds, uet_ack_cack_psn(ack.pds) + 1);
    say(tc, &request);
    no_clear_command(&c);
    drain(&c);
}
