/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.4.1.3 with rel=0: PIDonFEP and RI of the FEP itself; and the third space of RIs. */
#include "conformance/harness/steps/memory.h"
#include "conformance/harness/steps/requests.h"
#include "conformance/harness/steps/tagged.h"

#define JOB      0x00a70
#define PID      9
#define INDEX    27
#define HIGH_BIT 0x800u /* of 12 */

/* Memory that any job may use. */
static struct uet_memory anybodys(struct uet_tc *tc, uint16_t pid, uint16_t index, uint64_t key)
{
    struct uet_memory m = region(tc, .job_id = JOB, .any_job = true, .pid_on_fep = pid,
                                 .resource_index = index, .key = key, .length = 64);
    m.relative = false;
    return m;
}

/* A WRITE there is refused so; nothing of the region changes. */
static void nobody_there(struct uet_pdc *p, const struct uet_memory *m,
                         const struct uet_memory *where, const char *requirement, uint8_t code,
                         uint8_t other)
{
    struct kept k = keep(p->tc, m, 0, 64);
    struct uet_out o = uet_write(p, where, 0, "nobody", 6);

    refused_or(p->tc, requirement, &o, code, other, UET_RC_UNDELIVERABLE);
    unchanged(p->tc, requirement, &k);
}

UET_TEST(absolute_unknown_pid, .id = "ses.3.4.1.3.2.absolute-unknown-pid",
         .requirements = "SES-053", .role = UET_ROLE_TARGET, .needs = "write upper-tester",
         .contested = true,
         .purpose = "With rel=0 a PIDonFEP that the FEP does not have is RC_BAD_PID.",
         .preamble = "A region for any job; PDC open.",
         .stimulus = "WRITEs rel=0 with PIDonFEP 4095, and with one that differs in its highest "
                     "bit; a WRITE to the region itself.",
         .expected = "RC_BAD_PID twice (RC_BAD_INDEX, of a FEP with one table for PIDonFEP and RI, "
                     "and RC_UNDELIVERABLE are findings); the region does not change before the "
                     "last WRITE, which succeeds.")
{
    struct uet_memory m = anybodys(tc, PID, INDEX, 0x1071), wrong = m;
    struct uet_pdc *p = uet_pdc_open(tc);
    for (int i = 0; i < 2; i++) {
        wrong.pid_on_fep = (uint16_t)(i ? PID ^ HIGH_BIT : 0xfff);
        nobody_there(p, &m, &wrong, "SES-053", UET_RC_BAD_PID, UET_RC_BAD_INDEX);
    }
    struct uet_out o = uet_write(p, &m, 0, "anybody", 7);
    accepted(tc, "SES-051", &o);
}

UET_TEST(absolute_unknown_index, .id = "ses.3.4.1.3.3.absolute-unknown-index",
         .requirements = "SES-054", .role = UET_ROLE_TARGET, .needs = "write upper-tester",
         .contested = true,
         .purpose = "With rel=0 a resource index that its PIDonFEP does not have is RC_BAD_INDEX.",
         .preamble = "Regions for any job behind two PIDonFEPs, each with an RI of its own; PDC "
                     "open.",
         .stimulus = "WRITEs rel=0 to the first PIDonFEP with RI 4095, with its RI changed in the "
                     "highest bit, with the RI of the other; a WRITE to each region itself.",
         .expected = "RC_BAD_INDEX three times (RC_BAD_PID and RC_UNDELIVERABLE are findings); "
                     "the last two succeed.")
{
    struct uet_memory m = anybodys(tc, PID, INDEX, 0x1072),
                      other = anybodys(tc, PID + 1, INDEX + 1, 0x1073), wrong = m;
    const uint16_t indices[] = {0xfff, INDEX ^ HIGH_BIT, INDEX + 1};
    struct uet_pdc *p = uet_pdc_open(tc);
    for (size_t i = 0; i < 3; i++) {
        wrong.resource_index = indices[i];
        nobody_there(p, &m, &wrong, "SES-054", UET_RC_BAD_INDEX, UET_RC_BAD_PID);
    }
    struct uet_out o = uet_write(p, &m, 0, "anybody", 7), to = uet_write(p, &other, 0, "other", 5);
    accepted(tc, "SES-051", &o);
    accepted(tc, "SES-051", &to);
    memory_holds(tc, "SES-051", &m, 0, "anybody", 7);
    memory_holds(tc, "SES-051", &other, 0, "other", 5);
}

UET_TEST(absolute_order, .id = "ses.3.4.1.3.absolute-order", .requirements = "SES-053 SES-051",
         .role = UET_ROLE_TARGET, .needs = "write upper-tester", .contested = true,
         .purpose = "With rel=0 no JobID is unknown; the PIDonFEP is looked up before the RI.",
         .preamble = "A region for any job; PDC open.",
         .stimulus =
             "WRITEs rel=0 of a job that there is not: with PIDonFEP and RI wrong, with the "
             "RI wrong, with both right.",
         .expected = "RC_BAD_PID, RC_BAD_INDEX (each other's, and RC_UNDELIVERABLE, are findings), "
                     "success.")
{
    struct uet_memory m = anybodys(tc, PID, INDEX, 0x1074), wrong;
    struct uet_pdc *p = uet_pdc_open(tc);
    m.job_id = 0xabcdef;
    wrong = m;
    wrong.pid_on_fep = wrong.resource_index = 0xfff;
    nobody_there(p, &m, &wrong, "SES-053", UET_RC_BAD_PID, UET_RC_BAD_INDEX);
    wrong.pid_on_fep = PID;
    nobody_there(p, &m, &wrong, "SES-054", UET_RC_BAD_INDEX, UET_RC_BAD_PID);
    struct uet_out o = uet_write(p, &m, 0, "anybody", 7);
    accepted(tc, "SES-051", &o);
}

UET_TEST(tagged_space_apart, .id = "ses.3.4.1.3.3.tagged-space-apart", .requirements = "SES-056",
         .role = UET_ROLE_TARGET, .needs = "send tagged upper-tester", .contested = true,
         .purpose = "A resource index open for untagged sends is not open for tagged ones.",
         .preamble = "One RI open for untagged sends only, a buffer posted; PDC open.",
         .stimulus = "A tagged send to that RI, then a SEND.",
         .expected = "RC_BAD_INDEX (RC_NO_MATCH and RC_UNDELIVERABLE are findings); the SEND fills "
                     "the buffer.")
{
    struct uet_memory m = uet_need_receive(tc, TAGGED_BYTES, 1);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out tagged = tagged_send(p, &m, 0);
    refused_or(tc, "SES-056", &tagged, UET_RC_BAD_INDEX, UET_RC_NO_MATCH, UET_RC_UNDELIVERABLE);
    struct uet_out send = uet_send_message(p, &m, uet_tc_bytes(tc, TAGGED_BYTES), TAGGED_BYTES);
    matched(tc, "SES-056", &send, m.handle);
}
