/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.6.14: what a source with RCCC sends on the credit that the tester grants, or does not grant. */
#include "conformance/tests/3.6_cms/credited.h"

#define NEEDS                                                                                      \
    .role = UET_ROLE_INITIATOR, .needs = "rccc", .params = "config_base_rtt sender_link_rate",     \
    .not_over = "used after-read aged" /* with these the FEP has heard of credit */

UET_TEST(
    no_credit_no_data, .id = "cms.3.6.14.no-credit-no-data",
    .requirements = "CMS-081 CMS-076 CMS-084 CMS-078", NEEDS,
    .purpose = "Without credit a source sends about a window of its own, then nothing, asks, "
               "and goes on when credit comes.",
    .preamble = "RCCC is on.",
    .stimulus = "The FEP writes three windows; the tester grants nothing and acknowledges all "
                "that has come; then it hears the Credit Request and grants what that asks "
                "for.",
    .expected =
        "CC Requests, at most MaxWnd of them (told, or 1.5 BDP) and a packet; silence "
        "after the ACKs; a Credit Request of the same CCC, whose credit_target is at most a window "
        "from that of the last packet; more data.")
{
    static struct congested c;
    fep_speculates(&c, tc, 3);
    const struct uet_in *last = c.in[c.n - 1];
    uint32_t packet = nominal_size(c.in[0]), window = (uint32_t)(max_wnd(tc) / CREDIT_UNIT);
    uet_check(tc, "CMS-081", c.bytes <= max_wnd(tc) + packet,
              "%u bytes before anything was heard, where the window is %llu", c.bytes,
              (unsigned long long)max_wnd(tc));
    take_it(&c);
    silence(tc, "CMS-081", REQUEST_ON(c.pdc), .within = 10 * c.base_rtt);
    const struct uet_in *asks = credit_request(&c, "CMS-084");
    int32_t ahead = units_ahead(asked_target(asks), target_of(last));
    field(tc, "CMS-084", asks, UET_F_PDS_CP_CCC_ID,
          uet_rud_rod_cc_req_ccc_id(uet_pds(&last->packet)));
    uet_check(tc, "CMS-084", abs(ahead) <= (int32_t)(window + packet / CREDIT_UNIT),
              "credit_target %u asked for, %u told by data before", asked_target(asks),
              target_of(last));
    grant(&c, asked_target(asks));
    (void)credit_brings(&c, "CMS-078");
    drain_on_credit(&c);
}
