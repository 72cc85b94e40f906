/* SPDX-License-Identifier: BSD-2-Clause */
/* The exchanges on which all others build: when one fails, the rest of its role says nothing. */
#include "conformance/harness/tc.h"

UET_TEST(first_exchange, .id = "pds.3.5.8.3.first-exchange", .requirements = "PDS-203 PDS-097",
         .role = UET_ROLE_TARGET, .sanity = true, .needs = "rud any-request",
         .purpose = "A PDC opens, carries a request, and closes.",
         .stimulus = "SYN with a NO_OP; a second NO_OP with syn=0; Close Command.",
         .expected = "Each is acknowledged, the first with a TPDCID that is not 0.")
{
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out syn = uet_any_request(p);
    uet_for(tc, "PDS-097");
    uet_send(tc, &syn);
    uet_expect_ack(tc, p, syn.psn);
    uet_check(tc, "PDS-016", p->fep_pdcid != 0, "the ACK has spdcid 0: no TPDCID");

    struct uet_out second = uet_any_request(p);
    uet_send(tc, &second);
    uet_expect_ack(tc, p, second.psn);

    struct uet_out close = uet_cp(p, UET_CTL_CLOSE_COMMAND);
    uet_for(tc, "PDS-203");
    uet_send(tc, &close);
    uet_expect_covered(tc, p, close.psn);
}

UET_TEST(
    first_operation, .id = "pds.3.5.8.2.first-operation", .requirements = "PDS-023 SES-110",
    .role = UET_ROLE_INITIATOR, .sanity = true,
    .purpose = "The FEP opens a PDC, has a message acknowledged, and completes it.",
    .stimulus = "Upper tester: WRITE of 64 bytes to the tester.",
    .expected = "A syn Request (a NOOP may precede it); after its ACK a completion without error.")
{
    struct uet_ut_operation op = uet_op(tc, 64);
    uint64_t handle = uet_do_write(tc, &op);
    const struct uet_in *first;

    uet_accept(tc, &first);
    uet_check_eq(tc, "PDS-023", "payload bytes", first->packet.payload_len, 64);
    uet_for(tc, "SES-110");
    struct uet_ut_completion done = uet_expect_completion(tc, handle);
    uet_check_eq(tc, "SES-110", "status of the completion", done.status, UET_UT_OK);
}

UET_TEST(
    memory_stands_ready, .id = "ses.3.4.1.memory-stands-ready", .requirements = "SES-019",
    .role = UET_ROLE_TARGET, .sanity = true, .by_entry = true, .needs = "rud",
    .purpose = "Each entry of `memory` in fep.yaml is there, and as long as it says.",
    .stimulus = "A WRITE of the last bytes of each region; where it may not be written, a READ.",
    .expected = "Success. Tests that would use an entry without it are inconc.")
{
    uet_try_declared_memory(tc);
}

UET_TEST(receives_stand_ready, .id = "ses.3.4.1.3.receives-stand-ready", .requirements = "SES-050",
         .role = UET_ROLE_TARGET, .sanity = true, .by_entry = true, .needs = "rud send",
         .purpose = "Each entry of `receives` in fep.yaml has a buffer posted, and then another.",
         .stimulus = "Two SENDs to each, as long as the buffer, one Payload MTU at most.",
         .expected = "Success. Tests that would use an entry without it are inconc.")
{
    uet_try_declared_receives(tc);
}
