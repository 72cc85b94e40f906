/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.4.1.7, 3.4.1.14: two messages on one PDC whose packets come mixed. */
#include "conformance/harness/steps/memory.h"
#include "conformance/harness/steps/messages.h"
#include "conformance/harness/steps/requests.h"

#define TWO_PACKETS .packets = 2, .last = 100

/* Both come, packet by packet: even numbers are those of the first message. */
static void come_mixed(struct uet_tc *tc, struct message *pair, const size_t order[4])
{
    for (size_t i = 0; i < 4; i++) {
        struct message *w = &pair[order[i] % 2];
        const struct uet_out *o = &w->o[order[i] / 2];
        say(tc, o);
        hear(tc, "SES-044", COVERED(o));
    }
    for (size_t i = 0; i < 2; i++)
        memory_holds(tc, "SES-044", &pair[i].m, pair[i].at, pair[i].bytes, pair[i].n);
}

UET_TEST(two_messages_mixed, .id = "ses.3.4.1.7.two-messages-mixed", .requirements = "SES-044",
         .role = UET_ROLE_TARGET, .needs = "write",
         .purpose = "Packets of two WRITEs may come mixed, as the network delays them; each is of "
                    "its own message, whichever ends first.",
         .preamble = "A region; PDC open.",
         .stimulus = "Two WRITEs A and B of two packets, three times, in the orders A1 B1 A2 B2, "
                     "A1 B1 B2 A2, B2 A2 A1 B1.",
         .expected = "All are acknowledged; the region holds both messages each time. A FEP that "
                     "has room for one message is skipped.")
{
    static const size_t orders[][4] = {{0, 1, 2, 3}, {0, 1, 3, 2}, {3, 2, 0, 1}};
    const uint32_t n = uet_tc_dut(tc)->payload_mtu + 100u;
    struct uet_memory m = uet_need_memory(tc, 2 * n);
    struct uet_pdc *p = uet_pdc_open(tc);
    for (size_t i = 0; i < sizeof(orders) / sizeof(*orders); i++) {
        struct message pair[2] = {message(tc, TWO_PACKETS, .m = m, .p = p),
                                  message(tc, TWO_PACKETS, .m = m, .p = p, .at = n)};
        come_mixed(tc, pair, orders[i]);
    }
}

UET_TEST(one_receive_a_message, .id = "ses.3.4.1.3.8.one-receive-a-message",
         .requirements = "SES-090", .role = UET_ROLE_TARGET,
         .needs = "rud send multi-packet-send upper-tester", .not_over = "rod", /* out of order */
         .purpose = "A message takes one receive, whichever of its packets comes first.",
         .preamble = "Two receives posted; PDC open.",
         .stimulus = "A SEND of two packets, the second packet first; then a SEND of one.",
         .expected = "The one fills the first receive, the other one the second.")
{
    const uint32_t n = uet_tc_dut(tc)->payload_mtu + 64u;
    struct uet_memory m = uet_need_receive(tc, n, 2);
    struct message s = message(tc, .opcode = UET_OP_SEND, .packets = 2, .last = 64, .m = m);
    delivered(tc, "SES-090", &s.o[1]);
    delivered(tc, "SES-090", &s.o[0]);
    fills(tc, "SES-090", m.handle, n);
    struct uet_out o = uet_send_message(s.p, &m, uet_tc_bytes(tc, 64), 64);
    accepted(tc, "SES-090", &o);
    fills(tc, "SES-090", m.last_handle, 64);
}
