/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The exchanges on which all others build. Each says with uet_ground_holds() where the FEP has
 * answered enough for the others to go on: what it finds wrong then is its own matter alone.
 */
#include "conformance/harness/steps/steps.h"

/* Did anything come back on that PDC, whatever it says? */
static bool answers(struct uet_tc *tc, const struct uet_pdc *p)
{
    return maybe(tc, ACK_ON(p)) != NULL;
}

/* The FEP closes its PDC when it is told to. */
static void closes(struct uet_tc *tc, const char *requirement, struct uet_pdc *p)
{
    struct uet_out close = uet_cp(p, UET_CTL_CLOSE_COMMAND);

    say(tc, &close);
    hear(tc, requirement, COVERED(&close));
}

UET_TEST(first_exchange, .id = "pds.3.5.8.3.first-exchange", .requirements = "PDS-203 PDS-097",
         .role = UET_ROLE_TARGET, .sanity = true, .needs = "rud any-request",
         .purpose = "A PDC opens, carries a request, and closes.",
         .stimulus = "SYN with a NO_OP; a second NO_OP with syn=0; Close Command.",
         .expected = "Each is acknowledged, the first with a TPDCID that is not 0. Other tests can "
                     "go on when the first two bring an ACK of any kind on the PDC.")
{
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out syn = uet_any_request(p);
    say(tc, &syn);
    if (answers(tc, p))
        uet_check(tc, "PDS-016", p->fep_pdcid != 0, "the ACK has spdcid 0: no TPDCID");
    else
        hear(tc, "PDS-097", COVERED(&syn));

    struct uet_out second = uet_any_request(p);
    say(tc, &second);
    if (answers(tc, p))
        uet_ground_holds(tc);
    hear(tc, "PDS-097", COVERED(&syn));
    hear(tc, "PDS-097", COVERED(&second));
    closes(tc, "PDS-203", p);
}

UET_TEST(first_operation, .id = "pds.3.5.8.2.first-operation", .requirements = "PDS-023 SES-110",
         .role = UET_ROLE_INITIATOR, .sanity = true,
         .purpose = "The FEP opens a PDC, has a message acknowledged, and completes it.",
         .stimulus = "Upper tester: WRITE of 64 bytes to the tester.",
         .expected =
             "A syn Request (a NOOP may precede it); after its ACK a completion without error. "
             "Other tests can go on when there is a completion.")
{
    struct uet_ut_operation op = uet_op(tc, 64);
    struct uet_ut_completion done;
    uint64_t handle = uet_do_write(tc, &op);
    const struct uet_in *first;
    uet_accept(tc, &first);
    bool completed = uet_completion(tc, handle, 0, &done);
    if (completed)
        uet_ground_holds(tc);
    payload_bytes(tc, "PDS-023", first, 64);
    uet_look_at(tc, NULL);
    uet_check(tc, "SES-110", completed, "the FEP reports no completion of the operation");
    uet_check_eq(tc, "SES-110", "status of the completion", done.status, UET_UT_OK);
}

UET_TEST(
    memory_stands_ready, .id = "ses.3.4.1.memory-stands-ready", .requirements = "SES-019",
    .role = UET_ROLE_TARGET, .sanity = true, .by_entry = UET_ENTRY_MEMORY, .needs = "rud",
    .purpose = "An entry of `memory` in fep.yaml is there, and as long as it says.",
    .stimulus = "A WRITE of the last bytes of the region; where it may not be written, a READ.",
    .expected = "Success. Without it, the tests that would use this entry are inconc.")
{
    uet_try_declared_memory(tc);
}

UET_TEST(receives_stand_ready, .id = "ses.3.4.1.3.receives-stand-ready", .requirements = "SES-050",
         .role = UET_ROLE_TARGET, .sanity = true, .by_entry = UET_ENTRY_RECEIVES,
         .needs = "rud send",
         .purpose = "An entry of `receives` in fep.yaml has a buffer posted, and then another.",
         .stimulus = "Two SENDs to it, as long as the buffer, one Payload MTU at most.",
         .expected = "Success. Without it, the tests that would use this entry are inconc.")
{
    uet_try_declared_receives(tc);
}
