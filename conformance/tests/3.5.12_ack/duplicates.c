/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.12.5, 3.5.12.6: packets that come again. */
#include "conformance/tests/pds_target.h"

UET_TEST(duplicate_with_retx_acked, .id = "pds.3.5.12.5.duplicate-with-retx-acked",
         .requirements = "PDS-129", .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .over = "read cp",
         .purpose = "A duplicate with retx=1 is answered with an ACK, since the first ACK may have "
                    "been lost.",
         .preamble = "PDC open; Requests n and n+2 acknowledged, n+1 missing.",
         .stimulus = "n+2, which CACK_PSN does not cover, again with retx=1.",
         .expected = "An ACK naming n+2, and CACK_PSN n.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out n = uet_any_request(p), missing = uet_any_request(p), n2 = uet_any_request(p);
    ask(tc, "PDS-129", &n);
    ask(tc, "PDS-129", &n2);
    check_cack(tc, "PDS-129", ask_anew(tc, "PDS-129", &n2), n.psn);
    ask(tc, "PDS-129", &missing);
}

UET_TEST(duplicate_unasked_acked, .id = "pds.3.5.12.5.duplicate-unasked-acked",
         .requirements = "PDS-129", .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .over = "cp",
         .purpose = "A duplicate with retx=1 is answered whether it asks for an ACK or not.",
         .preamble = "PDC open; Requests n and n+2 acknowledged, n+1 missing.",
         .stimulus = "n+2 again with retx=1 and ar=0.", .expected = "An ACK naming n+2.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out n = uet_any_request(p), missing = uet_any_request(p), n2 = uet_any_request(p);
    ask(tc, "PDS-129", &n);
    ask(tc, "PDS-129", &n2);
    struct uet_out copy = n2;
    uet_rud_rod_req_retx_set(copy.pds, true);
    ask_no_ack(&copy);
    uet_forget(tc);
    say(tc, &copy);
    hear(tc, "PDS-129", ACK_OF(&n2));
    ask(tc, "PDS-129", &missing);
}

#define FAR_BELOW 1000u

UET_TEST(duplicate_far_below_cack, .id = "pds.3.5.12.6.duplicate-far-below-cack",
         .requirements = "PDS-130", .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .purpose = "A duplicate with retx=1 that CACK_PSN has passed by far, up to MP_Range, is "
                    "answered, too.",
         .preamble =
             "Default_MPR 2 where it can be set; PDC open; as many Requests acknowledged as "
             "MP_Range has, or 1001.",
         .stimulus = "The first of them again with retx=1.", .expected = "An ACK naming it.")
{
    const struct uet_in *ack;
    uet_try_param(tc, "Default_MPR", 2); /* more than 128 PSNs, the unit of mpr */
    struct uet_pdc *p = open_with_ack(tc, &ack);
    uint32_t range = mp_range(tc, ack), n = range - 1 < FAR_BELOW ? range - 1 : FAR_BELOW;
    struct uet_out first = uet_any_request(p);
    ask(tc, "PDS-130", &first);
    for (uint32_t i = 0; i < n; i++) {
        struct uet_out o = uet_any_request(p);
        ask(tc, "PDS-130", &o);
    }
    ask_anew(tc, "PDS-130", &first);
}

UET_TEST(duplicate_below_cack_acked, .id = "pds.3.5.12.6.duplicate-below-cack-acked",
         .requirements = "PDS-130 PDS-161", .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .over = "read",
         .purpose = "A PSN that CACK_PSN has passed is still acknowledged when it comes again.",
         .preamble = "PDC open, six Requests acknowledged.",
         .stimulus = "The one with psn = CACK_PSN - 5 again with retx=1.",
         .expected = "An ACK naming it, with a default response and CACK_PSN as before.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o[6];
    for (int i = 0; i < 6; i++) {
        o[i] = uet_any_request(p);
        ask(tc, "PDS-130", &o[i]);
    }
    const struct uet_in *ack = ask_anew(tc, "PDS-130", &o[0]);
    uet_check(tc, "PDS-130", is_default_response(ack) || waits_for_clear(tc, ack),
              "the ACK carries no default response");
    check_cack(tc, "PDS-130", ack, o[5].psn);
}

UET_TEST(duplicate_gets_default_response, .id = "pds.3.5.20.1.duplicate-gets-default-response",
         .requirements = "PDS-088", .role = UET_ROLE_TARGET, .needs = "rud write",
         .purpose = "A duplicate whose response was not guaranteed gets a default response.",
         .preamble = "A memory region; PDC open; a WRITE succeeded.",
         .stimulus = "The same WRITE again with retx=1.",
         .expected = "An ACK naming it with opcode DEFAULT_RESPONSE (or NO_RESPONSE), RC_NULL or "
                     "RC_OK.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_out o = uet_write(uet_pdc_open(tc), &m, 0, "default response", 16);
    const struct uet_in *ack = ask(tc, "PDS-088", &o);
    uet_check_success(tc, "PDS-088", ack);
    skip_when_guaranteed(tc, ack);
    uet_check(tc, "PDS-088", is_default_response(ask_anew(tc, "PDS-088", &o)),
              "the ACK carries no default response");
}

UET_TEST(duplicate_without_retx, .id = "pds.3.5.8.2.duplicate-without-retx",
         .requirements = "PDS-128", .role = UET_ROLE_TARGET, .needs = "rud send upper-tester",
         .purpose = "A duplicate with retx=0 is dropped: SES does not see it.",
         .preamble = "A send resource with two posted buffers; PDC open.",
         .stimulus = "A SEND with ar=0, the same bytes again, then a second SEND with ar=1.",
         .expected = "The second SEND finds a buffer and succeeds. For the copy: silence, or an "
                     "ACK.")
{
    struct uet_memory m = uet_need_receive(tc, 64, 2);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out first = uet_send_message(p, &m, "the first", 9);
    struct uet_out second = uet_send_message(p, &m, "the second", 10);
    ask_no_ack(&first);
    say(tc, &first);
    say(tc, &first);
    uet_check_success(tc, "PDS-128", ask(tc, "PDS-128", &second));
    second_has_second_buffer(tc, "PDS-128", &m, 10);
}
