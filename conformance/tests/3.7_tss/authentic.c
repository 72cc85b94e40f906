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

enum { BYTES = 64 };

UET_TEST(altered_on_pdc, .id = "tss.3.7.altered-write-on-pdc", .requirements = "TSS-042 TSS-013",
         .role = UET_ROLE_TARGET, .needs = "rud write any-request upper-tester tss",
         .purpose = "An altered packet of an open PDC leaves no trace there, nor in memory.",
         .preamble = "PDC open.",
         .stimulus = "A WRITE whose last payload byte was altered after sealing; then the same "
                     "unaltered, sealed anew, with retx=1.",
         .expected = "Nothing at all, nothing written; then an ACK, and the data in memory.")
{
    struct uet_memory m = uet_need_memory(tc, BYTES);
    const struct kept before = keep(tc, &m, 0, BYTES);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out right = uet_write(p, &m, 0, uet_tc_bytes(tc, BYTES), BYTES),
                   altered = flipped(&right, (int16_t)(icv_at(&right) - 1), 1);

    say(tc, &altered);
    silence(tc, "TSS-042", A_WORD_ON(p));
    unchanged(tc, "TSS-042", &before);
    say_again(tc, &right);
    uet_check_success(tc, "TSS-042", hear_answer(tc, "TSS-042", &right));
    memory_holds(tc, "TSS-042", &m, 0, right.payload, BYTES);
}
