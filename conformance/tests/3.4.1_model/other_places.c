/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.4.1.3: what stands behind another PIDonFEP, JobID or space of RIs, under the same numbers. */
#include "conformance/harness/steps/memory.h"
#include "conformance/harness/steps/requests.h"
#include "conformance/harness/steps/tagged.h"

#define JOB   0x00a80
#define PID   9
#define INDEX 29
#define KEY   0x1081

static struct uet_memory at(struct uet_tc *tc, uint32_t job, uint16_t pid, uint16_t index)
{
    return region(tc, .job_id = job, .pid_on_fep = pid, .resource_index = index, .key = KEY,
                  .length = 64);
}

/* A WRITE with the JobID and PIDonFEP of the one and the RI of the other finds neither. */
static void not_by_half(struct uet_tc *tc, const struct uet_memory *one,
                        const struct uet_memory *other)
{
    struct uet_memory mixed = *one;
    struct kept k = keep(tc, one, 0, 64), l = keep(tc, other, 0, 64);

    mixed.resource_index = other->resource_index;
    struct uet_out o = uet_write(uet_pdc_open(tc), &mixed, 0, "neither", 7);
    refused_or(tc, "SES-054", &o, UET_RC_BAD_INDEX, UET_RC_UNDELIVERABLE);
    unchanged(tc, "SES-054", &k);
    unchanged(tc, "SES-054", &l);
}

UET_TEST(index_of_another_pid, .id = "ses.3.4.1.3.3.index-of-another-pid",
         .requirements = "SES-054", .role = UET_ROLE_TARGET, .needs = "write upper-tester",
         .contested = true,
         .purpose = "With rel=1 a resource index is looked up behind its PIDonFEP.",
         .preamble = "Regions of one job and key behind two PIDonFEPs, each with an RI of its own; "
                     "PDC open.",
         .stimulus = "WRITE rel=1 to the first PIDonFEP with the RI of the second.",
         .expected = "RC_BAD_INDEX (RC_UNDELIVERABLE is a finding); neither region changes.")
{
    struct uet_memory one = at(tc, JOB, PID, INDEX), other = at(tc, JOB, PID + 1, INDEX + 1);

    not_by_half(tc, &one, &other);
}

UET_TEST(index_of_another_job, .id = "ses.3.4.1.3.3.index-of-another-job",
         .requirements = "SES-054", .role = UET_ROLE_TARGET, .needs = "write upper-tester",
         .contested = true, .purpose = "With rel=1 a resource index is looked up in its job.",
         .preamble = "Regions of two jobs and one key behind one PIDonFEP, each with an RI of its "
                     "own; PDC open.",
         .stimulus = "WRITE rel=1 of the first job with the RI of the second.",
         .expected = "RC_BAD_INDEX (RC_UNDELIVERABLE is a finding); neither region changes.")
{
    struct uet_memory one = at(tc, JOB, PID, INDEX), other = at(tc, JOB + 1, PID, INDEX + 1);

    not_by_half(tc, &one, &other);
}

UET_TEST(key_behind_two_pids, .id = "ses.3.4.1.5.2.one-key-behind-two-pids",
         .requirements = "SES-019", .role = UET_ROLE_TARGET, .needs = "write upper-tester",
         .purpose = "A key names another region behind another PIDonFEP.",
         .preamble = "Two regions of one job, with one RI and one key, behind two PIDonFEPs; PDC "
                     "open.",
         .stimulus = "A WRITE to each.", .expected = "Each region holds what was written to it.")
{
    struct uet_memory one = at(tc, JOB, PID, INDEX), other = at(tc, JOB, PID + 1, INDEX);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o = uet_write(p, &one, 0, "the one", 7), q = uet_write(p, &other, 0, "other", 5);

    accepted(tc, "SES-019", &o);
    accepted(tc, "SES-019", &q);
    memory_holds(tc, "SES-019", &one, 0, "the one", 7);
    memory_holds(tc, "SES-019", &other, 0, "other", 5);
}

UET_TEST(send_to_memory, .id = "ses.3.4.1.3.3.memory-space-apart", .requirements = "SES-056",
         .role = UET_ROLE_TARGET, .needs = "send write upper-tester", .contested = true,
         .purpose = "A resource index open for RMA is not open for sends.",
         .preamble = "A region behind an RI; PDC open.",
         .stimulus = "A SEND to that RI, a tagged one where that is claimed; then a WRITE.",
         .expected = "RC_BAD_INDEX (RC_NO_MATCH and RC_UNDELIVERABLE are findings); the WRITE "
                     "succeeds.")
{
    struct uet_memory m = at(tc, JOB, PID, INDEX);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out send = uet_send_message(p, &m, "send", 4);
    refused_or(tc, "SES-056", &send, UET_RC_BAD_INDEX, UET_RC_NO_MATCH, UET_RC_UNDELIVERABLE);
    if (uet_tc_dut(tc)->claims[UET_PICS_TAGGED]) {
        struct uet_out tagged = tagged_send(p, &m, 0);
        refused_or(tc, "SES-056", &tagged, UET_RC_BAD_INDEX, UET_RC_NO_MATCH, UET_RC_UNDELIVERABLE);
    }
    struct uet_out write = uet_write(p, &m, 0, "rma", 3);
    accepted(tc, "SES-056", &write);
}
