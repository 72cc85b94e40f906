/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.16.2: a source asks for the ACK that would open its window (I10). */
#include "conformance/tests/mpr.h"

#define PACKETS 140u /* more than mpr=1 lets be outstanding */

/* It is answered by name, and CACK_PSN stays where it was. */
static void answer_by_name(struct uet_tc *tc, const struct uet_in *in, uint32_t cack)
{
    struct uet_out ack = ack_at(in, cack, psn_of(in));
    say(tc, &ack);
}

UET_TEST(asks_at_a_shut_window, .id = "pds.3.5.16.2.asks-at-a-shut-window",
         .requirements = "PDS-189", .role = UET_ROLE_INITIATOR, .needs = "ack-cc",
         .not_over = "all", /* long */
         .purpose = "An ACK Request for the window names a PSN that was sent and its message.",
         .preamble = "A PDC that the FEP opened, with mpr=1.",
         .stimulus = "The FEP writes 140 packets; each that comes gets an ACK of its own, in which "
                     "CACK_PSN stays behind, until none comes any more.",
         .expected = "If an ACK Request comes, its PSN is one of those, and its payload 0 or the "
                     "message_id of that PSN; when CACK_PSN has moved on the write completes.")
{
    uint64_t handle;
    const struct uet_in *in = writes_against(tc, 1, PACKETS, &handle), *last = in;
    const uint32_t cack = psn_of(in) - 1;
    for (uint32_t n = 0; in && n < PACKETS; n++) {
        answer_by_name(tc, in, cack);
        last = in;
        in = uet_next_request(tc, last->pdc);
    }
    const struct uet_in *cp = maybe(tc, CP_ON(last->pdc, UET_CTL_ACK_REQUEST),
                                    .named = "an ACK Request", .within = 2 * one_rto(tc));
    if (cp) {
        uint32_t ahead = (uint32_t)uet_psn_diff(psn_of(cp), cack);
        uet_check(tc, "PDS-189", ahead >= 1 && ahead <= (uint32_t)uet_psn_diff(psn_of(last), cack),
                  "it asks about a PSN that was not sent");
    }
    resume_acks(tc, last);
    completes(tc, "PDS-189", handle, UET_UT_OK);
}
