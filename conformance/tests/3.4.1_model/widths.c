/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.4.1.3, 3.4.2: fields of an address are compared and added in all their bits. */
#include "conformance/harness/steps/memory.h"
#include "conformance/harness/steps/requests.h"
#include "conformance/harness/steps/tagged.h"

#define JOB   0x00a50
#define PID   7
#define INDEX 23
#define KEY   0x1051

static struct uet_memory region_of(struct uet_tc *tc, uint32_t job)
{
    struct uet_memory m = region(tc, .job_id = job, .pid_on_fep = PID, .resource_index = INDEX,
                                 .key = KEY, .length = 64);
    m.relative = true;
    return m;
}

/* A WRITE that finds nobody. */
static struct uet_out to_nobody(struct uet_pdc *p, const struct uet_memory *m)
{
    return uet_write(p, m, 0, "nobody", 6);
}

UET_TEST(jobs_in_all_bits, .id = "ses.3.4.1.3.jobs-in-all-bits", .requirements = "SES-050",
         .role = UET_ROLE_TARGET, .needs = "write",
         .purpose = "A relative lookup compares all 24 bits of the JobID.",
         .preamble =
             "A job and three more whose JobIDs differ from it in bit 0, 8 or 16 alone each "
             "register a region behind the same PIDonFEP and RI, with the same key; PDC "
             "open.",
         .stimulus = "WRITE rel=1 to each job's region with different data.",
         .expected = "All succeed and each job's region holds its own data.")
{
    static const uint32_t differ[] = {0, 1u << 0, 1u << 8, 1u << 16};
    static const char text[4][9] = {"to job 0", "to job 1", "to job 2", "to job 3"};
    struct uet_memory m[4];

    for (size_t i = 0; i < 4; i++)
        m[i] = region_of(tc, JOB ^ differ[i]);
    struct uet_pdc *p = uet_pdc_open(tc);
    for (size_t i = 0; i < 4; i++) {
        struct uet_out o = uet_write(p, &m[i], 0, text[i], 8);
        accepted(tc, "SES-050", &o);
    }
    for (size_t i = 0; i < 4; i++)
        memory_holds(tc, "SES-050", &m[i], 0, text[i], 8);
}

UET_TEST(unknown_job_in_high_bits, .id = "ses.3.4.1.3.1.unknown-job-in-high-bits",
         .requirements = "SES-052", .role = UET_ROLE_TARGET, .needs = "write",
         .purpose = "A JobID that differs from a known one in its high bits alone is unknown.",
         .preamble = "A region of one job; PDC open.",
         .stimulus = "WRITEs rel=1 with the JobID changed in bit 8, 16 or 23.",
         .expected = "UET_RESPONSE with RC_BAD_JOB_ID; memory unchanged.")
{
    static const uint32_t bits[] = {1u << 8, 1u << 16, 1u << 23};
    /* Those of jobs-in-all-bits a FEP that is not reset knows. */
    struct uet_memory m = region_of(tc, JOB + 8), wrong = m;
    struct uet_pdc *p = uet_pdc_open(tc);
    struct kept before = keep(tc, &m, 0, 64);
    for (size_t i = 0; i < 3; i++) {
        wrong.job_id = m.job_id ^ bits[i];
        struct uet_out o = to_nobody(p, &wrong);
        refused(tc, "SES-052", &o, UET_RC_BAD_JOB_ID);
    }
    unchanged(tc, "SES-052", &before);
}

/* A WRITE to an RI and a PIDonFEP so much further on is refused with this code. */
static void misses(struct uet_tc *tc, const char *requirement, struct uet_pdc *p,
                   struct uet_memory m, uint16_t index, uint16_t pid, uint8_t code)
{
    m.resource_index = (uint16_t)(m.resource_index + index);
    m.pid_on_fep = (uint16_t)(m.pid_on_fep + pid);
    struct uet_out o = to_nobody(p, &m);
    refused_or(tc, requirement, &o, code, UET_RC_UNDELIVERABLE);
}

UET_TEST(
    unknown_in_high_bits, .id = "ses.3.4.1.3.3.unknown-in-high-bits",
    .requirements = "SES-054 SES-053", .role = UET_ROLE_TARGET, .needs = "write", .contested = true,
    .purpose = "RI and PIDonFEP are compared in all 12 bits.",
    .preamble = "A region behind PIDonFEP 7 and RI 21; PDC open.",
    .stimulus = "WRITEs to RI 21 + 256 and RI 21 + 2048, then to PIDonFEP 7 + 256 and 7 + 2048.",
    .expected = "RC_BAD_INDEX twice, then RC_BAD_PID twice (RC_UNDELIVERABLE is a finding); "
                "memory unchanged.")
{
    struct uet_memory m = region_of(tc, JOB);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct kept before = keep(tc, &m, 0, 64);
    misses(tc, "SES-054", p, m, 256, 0, UET_RC_BAD_INDEX);
    misses(tc, "SES-054", p, m, 2048, 0, UET_RC_BAD_INDEX);
    misses(tc, "SES-053", p, m, 0, 256, UET_RC_BAD_PID);
    misses(tc, "SES-053", p, m, 0, 2048, UET_RC_BAD_PID);
    unchanged(tc, "SES-054", &before);
}

/* Bits of a JobID: one of each byte, and the last. */
static const uint32_t job_bits[] = {1u << 0, 1u << 8, 1u << 16, 1u << 23};

#define JOB_BITS (sizeof job_bits / sizeof *job_bits)

UET_TEST(closed_in_all_bits, .id = "ses.3.4.1.4.closed-in-all-bits", .requirements = "SES-059",
         .role = UET_ROLE_TARGET, .needs = "write", .contested = true,
         .purpose = "Who may use a region is told by all 24 bits of the JobID.",
         .preamble = "A region of one job; PDC open.",
         .stimulus = "WRITEs rel=0 with the JobID changed in bit 0, 8, 16 or 23.",
         .expected = "RC_PERM_VIOLATION each time (RC_BAD_MKEY, which hides the region, and "
                     "RC_BAD_JOB_ID are findings); memory unchanged.")
{
    struct uet_memory m = region_of(tc, JOB), other = m;
    struct uet_pdc *p = uet_pdc_open(tc);
    struct kept before = keep(tc, &m, 0, 64);
    other.relative = false;
    for (size_t i = 0; i < JOB_BITS; i++) {
        other.job_id = m.job_id ^ job_bits[i];
        struct uet_out o = to_nobody(p, &other);
        refused_or(tc, "SES-059", &o, UET_RC_PERM_VIOLATION, UET_RC_BAD_MKEY, UET_RC_BAD_JOB_ID);
    }
    unchanged(tc, "SES-059", &before);
}

UET_TEST(receive_closed_in_all_bits, .id = "ses.3.4.1.4.receive-closed-in-all-bits",
         .requirements = "SES-061", .role = UET_ROLE_TARGET, .contested = true,
         .needs = "send upper-tester",
         .purpose = "Who may use a receive is told by all 24 bits of the JobID.",
         .preamble = "A receive of one job; PDC open.",
         .stimulus = "SENDs rel=0 with the JobID changed in bit 0, 8, 16 or 23; one with the right "
                     "one.",
         .expected = "RC_PERM_VIOLATION each time (RC_BAD_JOB_ID and RC_NO_MATCH are findings), "
                     "the receive does not end; the last fills it.")
{
    struct uet_memory m = uet_need_receive(tc, 64, 1);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_memory other = m;
    m.relative = other.relative = false;
    for (size_t i = 0; i < JOB_BITS; i++) {
        other.job_id = m.job_id ^ job_bits[i];
        struct uet_out o = uet_send_message(p, &other, uet_tc_bytes(tc, 32), 32);
        finds_no_receive_of_its_job(tc, &o);
    }
    must_not_succeed(tc, "SES-061", m.handle);
    struct uet_out own = uet_send_message(p, &m, uet_tc_bytes(tc, 24), 24);
    accepted(tc, "SES-061", &own);
    fills(tc, "SES-061", m.handle, 24);
}

UET_TEST(key_in_all_bits, .id = "ses.3.4.1.5.2.key-in-all-bits", .requirements = "SES-063",
         .role = UET_ROLE_TARGET, .needs = "write",
         .purpose = "A memory key is compared in all 48 bits of its RKEY.",
         .preamble = "A region; PDC open.",
         .stimulus = "WRITEs with the key changed in one bit each: the highest of each byte of its "
                     "RKEY (Table 2-13), and the lowest.",
         .expected = "RC_BAD_MKEY each time; memory unchanged.")
{
    static const uint8_t bits[] = {0, 7, 15, 23, 31, 39, 47};
    struct uet_memory m = region_of(tc, JOB), wrong = m;
    struct uet_pdc *p = uet_pdc_open(tc);
    struct kept before = keep(tc, &m, 0, 64);
    for (size_t i = 0; i < sizeof bits; i++) {
        wrong.key = m.key ^ 1ull << bits[i];
        struct uet_out o = to_nobody(p, &wrong);
        refused(tc, "SES-063", &o, UET_RC_BAD_MKEY);
    }
    unchanged(tc, "SES-063", &before);
}

UET_TEST(range_in_64_bits, .id = "ses.3.4.3.range-in-64-bits", .requirements = "SES-066",
         .role = UET_ROLE_TARGET, .needs = "write", .contested = true,
         .purpose = "buffer_offset + request_length is neither cut to 32 bits nor wraps at 2^64.",
         .preamble = "A region of 64 bytes; PDC open.",
         .stimulus = "WRITEs of 16 bytes at buffer_offset 2^32, 2^32 + 8, 2^63, 2^64 - 16 and "
                     "2^64 - 8.",
         .expected = "RC_BAD_ADDR (RC_UNSUPPORTED_SIZE and RC_AT_OUT_OF_RANGE are other readings); "
                     "memory unchanged.")
{
    static const uint64_t offsets[] = {1ull << 32, (1ull << 32) + 8, 1ull << 63, UINT64_MAX - 15,
                                       UINT64_MAX - 7};
    struct uet_memory m = region_of(tc, JOB);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct kept before = keep(tc, &m, 0, 64);
    for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++) {
        struct uet_out o = uet_write(p, &m, offsets[i], "outside the area", 16);
        refused_or(tc, "SES-066", &o, UET_RC_BAD_ADDR, UET_RC_UNSUPPORTED_SIZE,
                   UET_RC_AT_OUT_OF_RANGE);
    }
    unchanged(tc, "SES-066", &before);
}

/* ---- header data: what looks like none, and all its bits ---- */

static const uint64_t data_edges[] = {0, 1ull << 63, 1ull << 32, UINT64_MAX};

#define EDGES (sizeof data_edges / sizeof *data_edges)

static struct uet_out with_data(struct uet_out o, uint64_t data)
{
    uet_ses_req_hd_set(o.ses, true);
    uet_ses_req_std_header_data_set(o.ses, data);
    return o;
}

UET_TEST(immediate_edges, .id = "ses.3.4.1.9.edges-of-immediate", .requirements = "SES-068",
         .role = UET_ROLE_TARGET, .needs = "write-immediate upper-tester",
         .purpose = "hd=1 alone says that there is header_data: 0 is some, too.",
         .preamble = "A region; PDC open.",
         .stimulus = "WRITEs with hd=1 and header_data 0, 2^63, 2^32, 2^64 - 1.",
         .expected = "One completion each at the target, with that value.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = uet_pdc_open(tc);
    for (size_t i = 0; i < EDGES; i++) {
        struct uet_out o = with_data(uet_write(p, &m, 0, "immediate", 9), data_edges[i]);
        accepted(tc, "SES-068", &o);
        struct uet_ut_completion c = completion_of(tc, "SES-068", m.handle);
        uet_check_eq(tc, "SES-068", "header_data", c.header_data, data_edges[i]);
    }
}

UET_TEST(send_data_edges, .id = "ses.3.4.1.9.edges-of-header-data", .requirements = "SES-174",
         .role = UET_ROLE_TARGET, .needs = "send upper-tester",
         .purpose = "In a SEND, too, hd=1 alone says that there is header_data: 0 is some.",
         .preamble = "A receive posted; PDC open.",
         .stimulus = "SENDs with hd=1 and header_data 0, 2^63, 2^32, 2^64 - 1; after each another "
                     "receive is posted.",
         .expected = "Each receive completes with that value; a FEP whose completions have no room "
                     "for it refuses it, fills no receive, and is skipped when a SEND without "
                     "succeeds. One that refuses a later value alone is a finding.")
{
    struct uet_memory m = uet_need_receive(tc, TAGGED_BYTES, 1);
    struct uet_pdc *p = uet_pdc_open(tc);
    uint64_t handle = m.handle;
    for (size_t i = 0; i < EDGES; i++) {
        struct uet_out o = with_data(uet_send_message(p, &m, "header data", 11), data_edges[i]);
        const struct uet_in *in = ask(tc, "SES-174", &o);
        if (i > 0 && is_error_response(in))
            uet_other_reading(tc, "SES-174", "header_data %#llx is refused, %#llx was not",
                              (unsigned long long)data_edges[i],
                              (unsigned long long)data_edges[i - 1]);
        takes_header_data(tc, in, p, &m);
        struct uet_ut_completion c = fills(tc, "SES-174", handle, 11);
        brings_header_data(tc, "SES-174", &c, data_edges[i]);
        handle = untagged_receive(tc, &m);
    }
}
