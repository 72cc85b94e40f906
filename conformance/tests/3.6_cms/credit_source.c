/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.6.14: what a source with RCCC sends on the credit that the tester grants, or does not grant. */
#include "conformance/tests/3.6_cms/credited.h"

#define NEEDS                                                                                      \
    .role = UET_ROLE_INITIATOR, .needs = "rccc", .params = "config_base_rtt sender_link_rate",     \
    .not_over = "used after-read aged" /* with these the FEP has heard of credit */

UET_TEST(no_credit_no_data, .id = "cms.3.6.14.no-credit-no-data",
         .requirements = "CMS-081 CMS-076 CMS-084 CMS-078", NEEDS,
         .purpose = "Without credit a source sends about a window of its own, then nothing, asks, "
                    "and goes on when credit comes.",
         .preamble = "RCCC is on.",
         .stimulus = "The FEP writes three windows; the tester grants nothing and acknowledges all "
                     "that has come; then it hears the Credit Request and grants what that asks "
                     "for.",
         .expected = "CC Requests, at most MaxWnd of them (told, or 1.5 BDP) and a packet; silence "
                     "after the ACKs; a Credit Request; more data.")
{
    static struct congested c;
    fep_speculates(&c, tc, 3);
    uint32_t packet = nominal_size(c.in[0]);
    uet_check(tc, "CMS-081", c.bytes <= max_wnd(tc) + packet,
              "%u bytes before anything was heard, where the window is %llu", c.bytes,
              (unsigned long long)max_wnd(tc));
    take_it(&c);
    silence(tc, "CMS-081", REQUEST_ON(c.pdc), .within = 10 * c.base_rtt);
    uint32_t target = asked_target(credit_request(&c, "CMS-084"));
    grant(&c, target);
    (void)credit_brings(&c, "CMS-078");
    drain_on_credit(&c);
}
