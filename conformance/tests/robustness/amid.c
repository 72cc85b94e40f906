/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Exchanges of each kind for the points at which others send, too, or damaged packets come
 * (point.h: amid). Every test goes to these points; these here are there for ROB-057 itself.
 */
#include "conformance/harness/steps/acks.h"
#include "conformance/harness/steps/fep_reads.h"
#include "conformance/harness/steps/memory.h"
#include "conformance/harness/steps/messages.h"
#include "conformance/harness/steps/reads.h"
#include "conformance/harness/steps/writes.h"
#include "conformance/tests/pds.h"
#include "conformance/tests/rudi.h"

#define AS_IF_ALONE " At the points `strangers` and `damaged` others send amid that."

UET_TEST(served_amid_others, .id = "rob.3.5.8.2.target-amid-others", .requirements = "ROB-057",
         .role = UET_ROLE_TARGET, .needs = "write read upper-tester", .preamble = "PDC open.",
         .purpose = "A target serves its peer as if nobody else had sent anything.",
         .stimulus = "WRITEs of three packets, of each the second once more, and a READ of 8 "
                     "bytes." AS_IF_ALONE,
         .expected = "All is acknowledged, the memory has the bytes of each WRITE, and the data "
                     "comes.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct source s = need_source(tc, 8);
    for (int i = 0; i < 3; i++) {
        struct message w = message(tc, .packets = 3, .last = 64, .p = p);
        for (int k = 0; k < w.packets; k++)
            ask(tc, "ROB-057", &w.o[k]);
        ask_anew(tc, "ROB-057", &w.o[1]);
        memory_holds(tc, "ROB-057", &w.m, 0, w.bytes, w.n);
    }
    struct uet_out read = uet_read(p, &s.m, 0, 8);
    say(tc, &read);
    check_data(tc, "ROB-057", hear(tc, "ROB-057", DATA_OF(&read)), &s, 0, 8);
}

UET_TEST(written_amid_others, .id = "rob.3.5.8.2.initiator-amid-others", .requirements = "ROB-057",
         .role = UET_ROLE_INITIATOR, .needs = "rud write", .preamble = "None.",
         .purpose = "What a FEP writes ends as its target says, whatever others say.",
         .stimulus = "Four WRITEs of the FEP's, of up to three packets." AS_IF_ALONE,
         .expected = "Each completes as a success; all bytes came.")
{
    const uint32_t mtu = uet_tc_dut(tc)->payload_mtu;
    for (uint32_t i = 0; i < 4; i++) {
        struct uet_ut_operation op = uet_op(tc, 16 + i * mtu / 2);
        uint64_t handle = uet_do_write(tc, &op);
        completes(tc, "ROB-057", handle, UET_UT_OK);
        bytes_came(tc, "ROB-057", &op);
    }
}

UET_TEST(read_amid_others, .id = "rob.3.5.8.2.read-amid-others", .requirements = "ROB-057",
         .role = UET_ROLE_INITIATOR, .preamble = "None.",
         .purpose = "What a FEP reads is what its target sends, whatever others send.",
         .stimulus = "The FEP reads two payload MTUs and 64 bytes." AS_IF_ALONE,
         .expected = "The read completes with the target's bytes.")
{
    struct fep_read r = fep_reads(tc, 2u * uet_tc_dut(tc)->payload_mtu + 64u);
    serve(tc, "ROB-057", &r);
    check_read(tc, "ROB-057", &r);
}

UET_TEST(rudi_amid_others, .id = "rob.3.5.22.rudi-amid-others", .requirements = "ROB-057",
         .role = UET_ROLE_INITIATOR, .needs = "rudi", .preamble = "None.",
         .purpose = "What a FEP writes over RUDI ends as its target says, whatever others say.",
         .stimulus = "24 WRITEs of the FEP's over RUDI." AS_IF_ALONE,
         .expected = "Each completes as a success.")
{
    for (int i = 0; i < 24; i++) {
        uint64_t handle = rudi_writes(tc, 16);
        struct uet_out answer = uet_rudi_answer(tc, rudi_request(tc), UET_RC_OK);
        say(tc, &answer);
        completes(tc, "ROB-057", handle, UET_UT_OK);
    }
}
