/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.8.3: a target that asks for the close while a message is begun. */
#include "conformance/harness/steps/requests.h"
#include "conformance/tests/pds_target.h"

/* A PDC whose target asks for the close while a WRITE of two packets is begun. */
static struct uet_pdc *asks_amid_a_message(struct uet_tc *tc, struct uet_out o[2])
{
    uint32_t n = uet_tc_dut(tc)->payload_mtu + 64u;
    struct uet_memory m = uet_need_memory(tc, n);
    struct uet_pdc *p = uet_pdc_open(tc);

    uet_message(p, UET_OP_WRITE, &m, 0, uet_tc_bytes(tc, n), n, o, 2);
    tolerate(tc, NACK_ON(NULL, UET_NACK_CLOSING_IN_ERR));
    say(tc, &o[0]);
    make_fep_ask(tc, p);
    return p;
}

UET_TEST(close_time_of_late_message, .id = "pds.3.5.8.3.close-request-ignored-by-a-late-message",
         .requirements = "PDS-210", .role = UET_ROLE_TARGET, .needs = "rud write upper-tester",
         .params = "Close_REQ_Time", .not_over = "all",
         .purpose = "A target gives a PDC up also when a message was begun as it asked for the "
                    "close, and has ended after Close_REQ_Time.",
         .preamble = "PDC open; the first of two packets of a WRITE; the FEP is made to send a "
                     "Close Request, which is acknowledged.",
         .stimulus = "Nothing for twice Close_REQ_Time; then the last packet, and no Close Command "
                     "for twice Close_REQ_Time; then a Request.",
         .expected = "NACK UET_INV_DPDCID (0x0E) for the Request; a FEP may give the PDC up "
                     "before the last packet, which then gets that.")
{
    uint64_t limit = uet_tc_param(tc, "Close_REQ_Time");
    uint64_t well_after = 2 * uet_tc_latest(tc, limit) + uet_tc_quiet(tc);
    struct uet_out o[2];
    struct uet_pdc *p = asks_amid_a_message(tc, o);
    uet_wait(tc, well_after);
    say(tc, &o[1]);
    const struct uet_in *in = hear(tc, "PDS-210", ANSWER_TO(&o[1]));
    p->closed = true;
    if (uet_is_nack(&in->packet))
        uet_skip(tc, "the FEP gives the PDC up though a message is begun, as it may");
    uet_wait(tc, well_after);
    struct uet_out late = uet_any_request(p);
    say(tc, &late);
    hear(tc, "PDS-210", NACK_OF(&late, UET_NACK_INV_DPDCID));
}

UET_TEST(close_time_of_half_a_message,
         .id = "pds.3.5.8.3.close-request-ignored-behind-half-a-message", .requirements = "PDS-210",
         .role = UET_ROLE_TARGET, .needs = "rud write upper-tester", .params = "Close_REQ_Time",
         .port_caps = UET_PORT_VIRTUAL_TIME, .not_over = "all",
         .purpose = "A target gives a PDC up also when a message was begun as it asked for the "
                    "close, and never ends.",
         .preamble = "PDC open; the first of two packets of a WRITE; the FEP is made to send a "
                     "Close Request, which is acknowledged.",
         .stimulus = "Nothing for Close_REQ_Time and 16 times 8 s; then the last packet.",
         .expected = "NACK UET_INV_DPDCID (0x0E).")
{
    uint64_t limit = uet_tc_param(tc, "Close_REQ_Time");
    struct uet_out o[2];
    struct uet_pdc *p = asks_amid_a_message(tc, o);
    uet_wait(tc, uet_tc_latest(tc, limit) + STANDS_STILL_NS);
    say(tc, &o[1]);
    hear(tc, "PDS-210", NACK_OF(&o[1], UET_NACK_INV_DPDCID));
    p->closed = true;
}
