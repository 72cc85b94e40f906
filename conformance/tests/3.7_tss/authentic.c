/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.7: what is not authentic has not come. */
#include "conformance/tests/3.7_tss/tss.h"

UET_TEST(flipped_bit, .id = "tss.3.7.flipped-bit-opens-nothing", .requirements = "TSS-042 TSS-013",
         .role = UET_ROLE_TARGET, .needs = "rud any-request tss",
         .purpose = "A packet of which one encrypted bit was altered is dropped in silence.",
         .stimulus = "A Request with syn=1 with one bit of its PDS header inverted after sealing; "
                     "then the same unaltered, sealed anew.",
         .expected = "Nothing at all; then an ACK, as of the first packet of that PDC.")
{
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out syn = uet_any_request(p);
    /* the last bit of pds.psn: whoever does not look at the ICV finds a sound packet */
    struct uet_out altered = flipped(&syn, (int16_t)(header_bytes(&syn) + 7), 1);

    say(tc, &altered);
    came_to_nothing(tc, "TSS-042", &syn);
}
