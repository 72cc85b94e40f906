/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.7.4: what the completion of a datagram tells, which nobody answers. */
#include "conformance/harness/steps/target.h"
#include "conformance/tests/pds.h"

UET_TEST(uud_completes, .id = "rob.3.5.7.4.datagram-completes", .requirements = "ROB-056",
         .role = UET_ROLE_INITIATOR, .needs = "uud",
         .purpose = "A datagram is over when it has left, and no code tells what became of it.",
         .preamble = "None.", .stimulus = "The FEP sends 64 bytes over UUD; nothing answers them.",
         .expected = "A completion of the datagram without error, and with return_code RC_NULL, "
                     "where the FEP tells one.")
{
    struct uet_ut_operation op = uet_op(tc, 64);
    op.mode = UET_UT_MODE_UUD;
    uint64_t handle = uet_do_send(tc, &op);
    hear(tc, "ROB-056", DATAGRAM);
    completes(tc, "ROB-056", handle, UET_UT_OK);
}
