/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.4.1.3 and 3.4.1.4: how a request finds its buffer, and the code when it does not. */
#include "conformance/harness/steps/memory.h"
#include "conformance/harness/steps/reads.h"
#include "conformance/harness/steps/requests.h"
#include "conformance/harness/steps/tagged.h"

#define JOB     0x00a10
#define OTHER   0x5a0a10 /* it differs in its high bits alone */
#define PID     7
#define INDEX   21
#define KEY     0x1001
#define OWN_KEY 0x1011 /* that only one job has */
#define NO_JOB  0xabcdef
#define NOWHERE 4095

/* A region of this job; with the same key in two jobs only the JobID tells them apart. */
static struct uet_memory region_of(struct uet_tc *tc, uint32_t job, uint64_t key)
{
    struct uet_memory m = region(tc, .job_id = job, .pid_on_fep = PID, .resource_index = INDEX,
                                 .key = key, .length = 256);
    m.relative = true;
    return m;
}

UET_TEST(relative_lookup_by_job, .id = "ses.3.4.1.3.relative-lookup-by-job",
         .requirements = "SES-050", .role = UET_ROLE_TARGET, .needs = "write",
         .purpose = "With rel=1 the same PIDonFEP and RI in two jobs are two different buffers.",
         .preamble =
             "Two jobs each register a region behind the same PIDonFEP and RI, with the same "
             "key; PDC open.",
         .stimulus = "WRITE rel=1 to each job's region with different data.",
         .expected = "Both succeed and each job's region holds its own data.")
{
    struct uet_memory a = region_of(tc, JOB, KEY), b = region_of(tc, OTHER, KEY);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out to_a = uet_write(p, &a, 0, "written to job a", 16);
    accepted(tc, "SES-050", &to_a);
    struct uet_out to_b = uet_write(p, &b, 0, "written to job b", 16);
    accepted(tc, "SES-050", &to_b);
    memory_holds(tc, "SES-050", &a, 0, "written to job a", 16);
    memory_holds(tc, "SES-050", &b, 0, "written to job b", 16);
}

UET_TEST(
    key_of_another_job, .id = "ses.3.4.1.3.key-of-another-job", .requirements = "SES-050 SES-063",
    .role = UET_ROLE_TARGET, .needs = "write", .contested = true,
    .purpose = "With rel=1 a memory key is looked up inside its job.",
    .preamble = "Two jobs each register a region behind the same PIDonFEP and RI, with different "
                "keys; PDC open.",
    .stimulus = "WRITE rel=1 with the JobID of the one and the key of the other; one as it should "
                "be.",
    .expected = "RC_BAD_MKEY (RC_PERM_VIOLATION, which tells that the key is another's, is a "
                "finding), memory unchanged; the other WRITE succeeds.")
{
    struct uet_memory a = region_of(tc, JOB, OWN_KEY), b = region_of(tc, OTHER, OWN_KEY + 1),
                      wrong = a;
    struct uet_pdc *p = uet_pdc_open(tc);
    struct kept k = keep(tc, &a, 0, 16);
    wrong.job_id = b.job_id;
    struct uet_out stranger = uet_write(p, &wrong, 0, "not for this one", 16),
                   own = uet_write(p, &b, 0, "written to job b", 16);
    refused_or(tc, "SES-050", &stranger, UET_RC_BAD_MKEY, UET_RC_PERM_VIOLATION);
    unchanged(tc, "SES-050", &k);
    accepted(tc, "SES-050", &own);
    memory_holds(tc, "SES-050", &b, 0, "written to job b", 16);
}

/* One code for all lookups is a reading; any other tells of a step behind the PIDonFEP. */
static void told_of_the_pid(struct uet_tc *tc, const struct uet_in *in)
{
    uint8_t code = code_told(in);

    uet_check(tc, "SES-050", is_error_response(in),
              "the WRITE was not refused, though its PIDonFEP is another job's");
    if (code != UET_RC_BAD_PID)
        uet_other_reading(tc, code == UET_RC_UNDELIVERABLE ? "SES-053" : "SES-050",
                          "%s instead of RC_BAD_PID",
                          uet_enum_name(UET_ENUM_SES_RETURN_CODE, code));
}

UET_TEST(pid_of_another_job, .id = "ses.3.4.1.3.pid-of-another-job", .requirements = "SES-050",
         .role = UET_ROLE_TARGET, .needs = "write", .contested = true,
         .purpose = "With rel=1 a PIDonFEP is looked up inside its job.",
         .preamble = "One job has PIDonFEP 7, another has PIDonFEP 8; PDC open.",
         .stimulus = "WRITE rel=1 with the first job's JobID and PIDonFEP 8.",
         .expected = "An error response, memory unchanged; a code other than RC_BAD_PID is a "
                     "finding.")
{
    uint32_t job = region_of(tc, JOB, KEY).job_id;
    struct uet_memory b = region(tc, .job_id = OTHER, .pid_on_fep = PID + 1,
                                 .resource_index = INDEX, .key = KEY + 1, .length = 256);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct kept before = keep(tc, &b, 0, 64);
    b.relative = true;
    b.job_id = job;
    struct uet_out o = uet_write(p, &b, 0, "nobody", 6);
    told_of_the_pid(tc, ask(tc, "SES-050", &o));
    unchanged(tc, "SES-050", &before);
}

UET_TEST(absolute_lookup_ignores_job, .id = "ses.3.4.1.3.absolute-lookup-ignores-job",
         .requirements = "SES-051", .role = UET_ROLE_TARGET, .needs = "write",
         .purpose = "With rel=0 the JobID takes no part in finding the buffer.",
         .preamble = "One region open to any job; PDC open.",
         .stimulus = "WRITE rel=0 with two different JobIDs to the same PIDonFEP, RI and key.",
         .expected = "Both succeed; the second overwrites the first.")
{
    struct uet_memory m = region(tc, .job_id = JOB, .any_job = true, .pid_on_fep = PID,
                                 .resource_index = INDEX, .key = KEY, .length = 256);
    struct uet_pdc *p = uet_pdc_open(tc);
    m.relative = false;
    struct uet_out first = uet_write(p, &m, 0, "first", 5);
    accepted(tc, "SES-051", &first);
    m.job_id = OTHER;
    struct uet_out second = uet_write(p, &m, 0, "other", 5);
    accepted(tc, "SES-051", &second);
    memory_holds(tc, "SES-051", &m, 0, "other", 5);
}

UET_TEST(unknown_job, .id = "ses.3.4.1.3.1.unknown-job", .requirements = "SES-052",
         .role = UET_ROLE_TARGET, .needs = "write",
         .purpose = "An unknown JobID with rel=1 is RC_BAD_JOB_ID.",
         .preamble = "PDC open; no such JobID is configured at the FEP.",
         .stimulus = "WRITE rel=1 with JobID 0xABCDEF.",
         .expected = "UET_RESPONSE with RC_BAD_JOB_ID.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *pdc = uet_pdc_open(tc);
    m.relative = true;
    m.job_id = NO_JOB;
    struct uet_out o = uet_write(pdc, &m, 0, "nobody", 6);
    refused(tc, "SES-052", &o, UET_RC_BAD_JOB_ID);
}

UET_TEST(unknown_pid, .id = "ses.3.4.1.3.2.unknown-pid", .requirements = "SES-053",
         .role = UET_ROLE_TARGET, .needs = "write", .contested = true,
         .purpose = "An unknown PIDonFEP is RC_BAD_PID.",
         .preamble = "PDC open; no PIDonFEP 4095 at the FEP.",
         .stimulus = "WRITE with a known JobID and PIDonFEP 4095, rel=1.",
         .expected = "UET_RESPONSE with RC_BAD_PID; RC_UNDELIVERABLE is a finding.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *pdc = uet_pdc_open(tc);
    m.relative = true;
    m.pid_on_fep = NOWHERE;
    struct uet_out o = uet_write(pdc, &m, 0, "nobody", 6);
    refused_or(tc, "SES-053", &o, UET_RC_BAD_PID, UET_RC_UNDELIVERABLE);
}

/* Both packets of a WRITE of two: whatever is told of them, neither reaches the memory. */
static void neither_is_written(struct uet_pdc *p, const char *requirement,
                               const struct uet_memory *m, const struct uet_memory *where,
                               bool second_first)
{
    struct uet_tc *tc = p->tc;
    const uint32_t mtu = uet_tc_dut(tc)->payload_mtu, n = mtu + 64;
    struct kept front = keep(tc, m, 0, 64), behind = keep(tc, m, mtu, 64);
    struct uet_out o[2];

    uet_message(p, UET_OP_WRITE, where, 0, uet_tc_bytes(tc, n), n, o, 2);
    whatever_comes_of(tc, &o[second_first]);
    whatever_comes_of(tc, &o[!second_first]);
    unchanged(tc, requirement, &front);
    unchanged(tc, requirement, &behind);
}

UET_TEST(unknown_in_each_packet, .id = "ses.3.4.1.3.2.unknown-address-in-each-packet",
         .requirements = "SES-053 SES-052 SES-054 SES-063", .role = UET_ROLE_TARGET,
         .needs = "write upper-tester", .not_over = "rod", /* out of order */
         .purpose = "Each packet of a message is held against the address that it names.",
         .preamble = "A region; PDC open.",
         .stimulus = "WRITEs of two packets, in order and the second packet first, rel=1: to an "
                     "unknown PIDonFEP, JobID, RI, and memory key.",
         .expected = "The memory is as before.")
{
    struct uet_memory m = uet_need_memory(tc, uet_tc_dut(tc)->payload_mtu + 64u);
    struct uet_pdc *p = uet_pdc_open(tc);
    m.relative = true;
    struct uet_memory pid = m, job = m, index = m, key = m;
    pid.pid_on_fep = index.resource_index = NOWHERE;
    job.job_id = NO_JOB;
    key.key ^= 0x00005a5a00000000u; /* RKEY bits (Table 2-13) */
    for (int second_first = 0; second_first < 2; second_first++) {
        neither_is_written(p, "SES-053", &m, &pid, second_first);
        neither_is_written(p, "SES-052", &m, &job, second_first);
        neither_is_written(p, "SES-054", &m, &index, second_first);
        neither_is_written(p, "SES-063", &m, &key, second_first);
    }
}

UET_TEST(unknown_index, .id = "ses.3.4.1.3.3.unknown-index", .requirements = "SES-054",
         .role = UET_ROLE_TARGET, .needs = "write", .contested = true,
         .purpose = "A resource index that is not configured is RC_BAD_INDEX.",
         .preamble = "PDC open; no RI 4095 at the FEP.",
         .stimulus = "WRITE with a known JobID and PIDonFEP and RI 4095.",
         .expected = "UET_RESPONSE with RC_BAD_INDEX; RC_UNDELIVERABLE is a finding.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *pdc = uet_pdc_open(tc);
    m.resource_index = NOWHERE;
    struct uet_out o = uet_write(pdc, &m, 0, "nobody", 6);
    refused_or(tc, "SES-054", &o, UET_RC_BAD_INDEX, UET_RC_UNDELIVERABLE);
}

/*
 * A WRITE to this address gets that code. The other reading looks up PIDonFEP and RI before the
 * JobID, or both in one.
 */
static void in_order(struct uet_tc *tc, struct uet_pdc *p, const struct uet_memory *m,
                     uint8_t return_code)
{
    struct uet_out o = uet_write(p, m, 0, "nobody", 6);

    refused_or(tc, "SES-055", &o, return_code, UET_RC_UNDELIVERABLE, UET_RC_BAD_PID,
               UET_RC_BAD_INDEX);
}

UET_TEST(lookup_order, .id = "ses.3.4.1.3.lookup-order", .requirements = "SES-055",
         .role = UET_ROLE_TARGET, .needs = "write", .contested = true,
         .purpose = "With rel=1 lookup errors come in the order JobID, PIDonFEP, RI.",
         .preamble = "PDC open.",
         .stimulus = "WRITEs with all three wrong, then PIDonFEP and RI, then RI alone.",
         .expected = "RC_BAD_JOB_ID, RC_BAD_PID, RC_BAD_INDEX; the codes of another order, or "
                     "RC_UNDELIVERABLE, are findings.")
{
    struct uet_memory good = uet_need_memory(tc, 64), m = good;
    struct uet_pdc *p = uet_pdc_open(tc);
    m.relative = true;
    m.job_id = NO_JOB;
    m.pid_on_fep = m.resource_index = NOWHERE;
    in_order(tc, p, &m, UET_RC_BAD_JOB_ID);
    m.job_id = good.job_id;
    in_order(tc, p, &m, UET_RC_BAD_PID);
    m.pid_on_fep = good.pid_on_fep;
    in_order(tc, p, &m, UET_RC_BAD_INDEX);
}

UET_TEST(index_spaces_apart, .id = "ses.3.4.1.3.3.index-spaces-apart", .requirements = "SES-056",
         .role = UET_ROLE_TARGET, .needs = "send write upper-tester",
         .purpose = "A resource index open for sends is not open for RMA.",
         .preamble = "One RI open for untagged sends only, a buffer posted; PDC open.",
         .stimulus = "WRITE to that RI, then SEND to it.",
         .expected = "The WRITE gets RC_BAD_INDEX (RC_UNDELIVERABLE is a finding), the SEND "
                     "succeeds.")
{
    struct uet_memory m = uet_need_receive(tc, 64, 1);
    struct uet_pdc *pdc = uet_pdc_open(tc);
    struct uet_out write = uet_write(pdc, &m, 0, "rma", 3);
    refused_or(tc, "SES-056", &write, UET_RC_BAD_INDEX, UET_RC_UNDELIVERABLE);
    struct uet_out send = uet_send_message(pdc, &m, "send", 4);
    accepted(tc, "SES-056", &send);
}

UET_TEST(
    job_not_authorized, .id = "ses.3.4.1.4.job-not-authorized", .requirements = "SES-059",
    .role = UET_ROLE_TARGET, .contested = true, .needs = "write",
    .purpose = "A region of one job is closed to another.",
    .preamble = "A region of one job; PDC open.", .stimulus = "WRITE rel=0 from another JobID.",
    .expected = "RC_PERM_VIOLATION (RC_BAD_MKEY, which hides the region, and RC_BAD_JOB_ID are "
                "findings); memory unchanged.")
{
    struct uet_memory m = region_of(tc, JOB, KEY);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct kept before = keep(tc, &m, 0, 64);
    m.relative = false;
    m.job_id = OTHER;
    struct uet_out o = uet_write(p, &m, 0, "stranger", 8);
    refused_or(tc, "SES-059", &o, UET_RC_PERM_VIOLATION, UET_RC_BAD_MKEY, UET_RC_BAD_JOB_ID);
    unchanged(tc, "SES-059", &before);
}

UET_TEST(unknown_key, .id = "ses.3.4.1.5.2.unknown-key", .requirements = "SES-063 SES-019",
         .role = UET_ROLE_TARGET, .needs = "write",
         .purpose = "A WRITE finds its region by the memory key; an unknown one is RC_BAD_MKEY.",
         .preamble = "A writable region; PDC open.",
         .stimulus = "WRITE with the region's key, then with a key that was never given out.",
         .expected = "Success, then UET_RESPONSE with RC_BAD_MKEY.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *pdc = uet_pdc_open(tc);
    struct uet_out good = uet_write(pdc, &m, 0, "key", 3);
    accepted(tc, "SES-019", &good);
    m.key = 0x0000123456789abc;
    struct uet_out bad = uet_write(pdc, &m, 0, "no key", 6);
    refused(tc, "SES-063", &bad, UET_RC_BAD_MKEY);
}

UET_TEST(unknown_key_of_no_bytes, .id = "ses.3.4.1.5.2.unknown-key-of-no-bytes",
         .requirements = "SES-063", .role = UET_ROLE_TARGET, .needs = "write", .contested = true,
         .purpose = "A WRITE of no bytes names a region, too: an unknown key is RC_BAD_MKEY.",
         .preamble = "A writable region; PDC open.",
         .stimulus = "WRITEs of 0 bytes with the region's key, and with a key that was never given "
                     "out.",
         .expected = "Success, then UET_RESPONSE with RC_BAD_MKEY. A FEP that does not look at the "
                     "key where nothing is written is a finding.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *pdc = uet_pdc_open(tc);
    struct uet_out good = uet_write(pdc, &m, 0, "", 0);
    accepted(tc, "SES-063", &good);
    m.key = 0x0000123456789abc;
    struct uet_out bad = uet_write(pdc, &m, 0, "", 0);
    const struct uet_in *in = ask(tc, "SES-063", &bad);
    if (tells_success(in))
        uet_other_reading(tc, "SES-063", "a WRITE of 0 bytes with an unknown key is a success");
    else
        uet_check_return_code(tc, "SES-063", in, UET_RC_BAD_MKEY);
}

/* A SEND of n bytes, and another of 8: each has its own receive, in the order of posting. */
static void fill_in_turn(struct uet_tc *tc, uint32_t n)
{
    need_upper_tester(tc, "only an upper tester sees which buffer was filled");
    struct uet_memory m = uet_need_receive(tc, 64, 2);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out first = uet_send_message(p, &m, "first", n);
    accepted(tc, "SES-090", &first);
    fills(tc, "SES-090", m.handle, n);
    struct uet_out second = uet_send_message(p, &m, "next one", 8);
    accepted(tc, "SES-090", &second);
    fills(tc, "SES-090", m.last_handle, 8);
}

UET_TEST(receives_in_posting_order, .id = "ses.3.4.1.3.8.receives-in-posting-order",
         .requirements = "SES-090", .role = UET_ROLE_TARGET, .needs = "send",
         .purpose = "Sends take the posted buffers of a resource index in posting order.",
         .preamble = "Two receives posted; PDC open.",
         .stimulus = "A SEND, and after its ACK another one.",
         .expected = "The receive completions come in posting order, each with its own data.")
{
    fill_in_turn(tc, 5);
}

UET_TEST(short_receive_is_next, .id = "ses.3.4.1.3.8.short-receive-is-next",
         .requirements = "SES-090", .role = UET_ROLE_TARGET, .needs = "send upper-tester",
         .purpose = "A buffer that is too short for a send is not passed over.",
         .preamble = "A receive of 16 bytes posted, and one of 64 behind it; PDC open.",
         .stimulus = "A SEND of 40 bytes.",
         .expected = "It does not fill the second receive. Whether it is refused or cut is the "
                     "FEP's to say (SES-101, SES-102).")
{
    struct uet_memory m = uet_need_receive(tc, 16, 1);
    const struct uet_ut_receive behind = {.job_id = m.job_id,
                                          .pid_on_fep = m.pid_on_fep,
                                          .resource_index = m.resource_index,
                                          .length = 64};
    uint64_t second;
    uet_did(tc, uet_ut_post_recv(uet_tc_ut(tc), &behind, &second), "post_recv");
    struct uet_out o = uet_send_message(uet_pdc_open(tc), &m, uet_tc_bytes(tc, 40), 40);
    ask(tc, "SES-090", &o);
    must_not_succeed(tc, "SES-090", second);
}

UET_TEST(empty_send_takes_a_receive, .id = "ses.3.4.1.3.8.empty-send-takes-a-receive",
         .requirements = "SES-090", .role = UET_ROLE_TARGET, .needs = "send",
         .purpose = "A send of no bytes takes its buffer as any other does.",
         .preamble = "Two receives posted; PDC open.",
         .stimulus = "A SEND of 0 bytes, and after its ACK one of 8.",
         .expected = "The first receive completes with 0 bytes, the second with 8.")
{
    fill_in_turn(tc, 0);
}

UET_TEST(receive_of_one_job, .id = "ses.3.4.1.4.receive-of-one-job", .requirements = "SES-061",
         .role = UET_ROLE_TARGET, .contested = true, .needs = "send upper-tester",
         .purpose = "A receive of one job takes no message of another.",
         .preamble = "A receive of one job; PDC open.",
         .stimulus = "SEND rel=0 with another JobID; SEND rel=0 with the right one.",
         .expected = "RC_PERM_VIOLATION (RC_BAD_JOB_ID and RC_NO_MATCH are findings), the receive "
                     "does not end; the second fills it.")
{
    struct uet_memory m = uet_need_receive(tc, 64, 1);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_memory other = m;
    m.relative = other.relative = false;
    other.job_id = OTHER;
    struct uet_out stranger = uet_send_message(p, &other, uet_tc_bytes(tc, 32), 32);
    finds_no_receive_of_its_job(tc, &stranger);
    must_not_succeed(tc, "SES-061", m.handle);
    struct uet_out own = uet_send_message(p, &m, uet_tc_bytes(tc, 24), 24);
    accepted(tc, "SES-061", &own);
    fills(tc, "SES-061", m.handle, 24);
}

UET_TEST(tagged_receive_of_one_job, .id = "ses.3.4.1.4.tagged-receive-of-one-job",
         .requirements = "SES-061", .role = UET_ROLE_TARGET, .contested = true,
         .needs = "tagged upper-tester",
         .purpose = "A tagged receive of one job takes no message of another, whatever the tag.",
         .preamble = "A tagged receive of one job; PDC open.",
         .stimulus = "Tagged sends with its tag and rel=0: with another JobID, with the right one.",
         .expected = "RC_PERM_VIOLATION (RC_BAD_JOB_ID and RC_NO_MATCH are findings), the receive "
                     "does not end; the second fills it.")
{
    struct uet_memory m = uet_need_tagged(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    uint64_t handle = tag_receive(tc, &m, .match_bits = 0x4711);
    struct uet_memory other = m;
    m.relative = other.relative = false;
    other.job_id = OTHER;
    struct uet_out stranger = tagged_send(p, &other, 0x4711), own = tagged_send(p, &m, 0x4711);
    finds_no_receive_of_its_job(tc, &stranger);
    must_not_succeed(tc, "SES-061", handle);
    matched(tc, "SES-061", &own, handle);
}

UET_TEST(
    job_of_the_endpoint, .id = "ses.3.4.1.4.job-of-the-endpoint", .requirements = "SES-061",
    .role = UET_ROLE_TARGET, .contested = true, .needs = "send upper-tester",
    .purpose = "What counts is the job that the receive is bound to, not that of the endpoint.",
    .preamble = "A receive of one job; another job has the same PIDonFEP and resource index.",
    .stimulus = "SEND rel=0 with the other JobID; SEND rel=0 with that of the receive.",
    .expected = "RC_PERM_VIOLATION (RC_BAD_JOB_ID and RC_NO_MATCH are findings), the receive "
                "does not end; the second fills it.")
{
    struct uet_memory m = {.job_id = JOB, .pid_on_fep = PID, .resource_index = INDEX, .length = 64};
    struct uet_memory other = m;
    other.job_id = OTHER;
    const struct uet_ut_service service = {
        .job_id = OTHER, .pid_on_fep = PID, .resource_index = INDEX, .ri_class = UET_UT_SEND};
    const struct uet_ut_receive receive = {
        .job_id = JOB, .pid_on_fep = PID, .resource_index = INDEX, .length = m.length};
    need_upper_tester(tc, "only an upper tester binds a receive to a job");
    uet_did(tc, uet_ut_service(uet_tc_ut(tc), &service), "service");
    uet_did(tc, uet_ut_post_recv(uet_tc_ut(tc), &receive, &m.handle), "post_recv");
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out stranger = uet_send_message(p, &other, uet_tc_bytes(tc, 32), 32);
    finds_no_receive_of_its_job(tc, &stranger);
    must_not_succeed(tc, "SES-061", m.handle);
    struct uet_out own = uet_send_message(p, &m, uet_tc_bytes(tc, 24), 24);
    accepted(tc, "SES-061", &own);
    fills(tc, "SES-061", m.handle, 24);
}

/* Sends may come there for this job. */
static void serve_sends_of(struct uet_tc *tc, uint32_t job)
{
    const struct uet_ut_service service = {
        .job_id = job, .pid_on_fep = PID, .resource_index = INDEX, .ri_class = UET_UT_SEND};

    uet_did(tc, uet_ut_service(uet_tc_ut(tc), &service), "service");
}

UET_TEST(receive_beside, .id = "ses.3.4.1.3.receive-of-the-other-job", .requirements = "SES-050",
         .role = UET_ROLE_TARGET, .needs = "send upper-tester",
         .purpose = "With rel=1 a receive is looked up inside its job.",
         .preamble = "Two jobs are served at the same PIDonFEP and RI; a receive of one; PDC open.",
         .stimulus = "SEND rel=1 with the JobID of the other; SEND rel=1 with that of the receive.",
         .expected = "The first does not fill the receive: it is refused, or kept as unexpected (a "
                     "code other than RC_NO_MATCH is a finding); the second fills it.")
{
    struct uet_memory m = {.job_id = JOB, .pid_on_fep = PID, .resource_index = INDEX, .length = 64};
    struct uet_memory other = m;
    const struct uet_ut_receive receive = {
        .job_id = JOB, .pid_on_fep = PID, .resource_index = INDEX, .length = m.length};
    m.relative = other.relative = true;
    other.job_id = OTHER;
    serve_sends_of(tc, JOB);
    serve_sends_of(tc, OTHER);
    uet_did(tc, uet_ut_post_recv(uet_tc_ut(tc), &receive, &m.handle), "post_recv");
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out stranger = uet_send_message(p, &other, uet_tc_bytes(tc, 32), 32);
    const struct uet_in *in = ask(tc, "SES-050", &stranger);
    if (is_error_response(in))
        code_or(tc, "SES-096", in, UET_RC_NO_MATCH, UET_RC_PERM_VIOLATION, UET_RC_BAD_JOB_ID);
    must_not_succeed(tc, "SES-050", m.handle);
    struct uet_out own = uet_send_message(p, &m, uet_tc_bytes(tc, 24), 24);
    accepted(tc, "SES-050", &own);
    fills(tc, "SES-050", m.handle, 24);
}

UET_TEST(stranger_after_a_good_one, .id = "ses.3.4.1.4.stranger-after-a-good-one",
         .requirements = "SES-061", .role = UET_ROLE_TARGET, .contested = true,
         .needs = "send upper-tester",
         .purpose = "Who may use a receive is asked for each message, not for each PDC.",
         .preamble = "Two receives of one job; PDC open.",
         .stimulus = "SEND rel=0 with the right JobID; on the same PDC one with another.",
         .expected = "The first fills a receive; the second is refused (RC_PERM_VIOLATION, "
                     "RC_BAD_JOB_ID or RC_NO_MATCH), and the other receive does not end.")
{
    struct uet_memory m = uet_need_receive(tc, 64, 2);
    struct uet_pdc *p = uet_pdc_open(tc);
    m.relative = false;
    struct uet_out own = uet_send_message(p, &m, uet_tc_bytes(tc, 24), 24);
    accepted(tc, "SES-061", &own);
    fills(tc, "SES-061", m.handle, 24);
    struct uet_memory other = m;
    other.job_id = OTHER;
    struct uet_out stranger = uet_send_message(p, &other, uet_tc_bytes(tc, 32), 32);
    finds_no_receive_of_its_job(tc, &stranger);
    must_not_succeed(tc, "SES-061", m.last_handle);
}

UET_TEST(key_of_another_index, .id = "ses.3.4.1.5.2.key-of-another-index",
         .requirements = "SES-019", .role = UET_ROLE_TARGET, .needs = "write upper-tester",
         .contested = true,
         .purpose = "A key holds for the resource index at which its memory is registered.",
         .preamble = "A region; another RMA resource index of the same job; PDC open.",
         .stimulus = "WRITE to the other resource index with the key of the region.",
         .expected = "An error, and memory unchanged. That the key finds its memory there, too, as "
                     "where keys are those of the FEP, is a finding.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct kept before = keep(tc, &m, 0, 64);
    struct uet_memory elsewhere = m;
    elsewhere.resource_index = (uint16_t)(m.resource_index ^ 0x40);
    const struct uet_ut_service service = {.job_id = m.job_id,
                                           .pid_on_fep = m.pid_on_fep,
                                           .resource_index = elsewhere.resource_index,
                                           .ri_class = UET_UT_RMA};
    uet_did(tc, uet_ut_service(uet_tc_ut(tc), &service), "service");
    struct uet_out o = uet_write(uet_pdc_open(tc), &elsewhere, 0, "not here", 8);
    const struct uet_in *in = whatever_comes_of(tc, &o);
    if (tells_arrival(in)) /* what it promises tells more */
        in = maybe(tc, ACK_OF(&o));
    if (tells_success(in)) {
        uet_other_reading(tc, "SES-019", "the key holds at another resource index, too");
        return;
    }
    unchanged(tc, "SES-019", &before);
    if (!in || !(uet_is_nack(&in->packet) || is_error_response(in)))
        uet_other_reading(tc, "SES-019", "the WRITE is dropped without an error");
}

UET_TEST(job_zero_is_a_job, .id = "ses.3.4.1.3.1.job-zero-is-a-job", .requirements = "SES-052",
         .role = UET_ROLE_TARGET, .needs = "write upper-tester",
         .purpose = "JobID 0 is a job like another, and stands for none of the others.",
         .preamble = "A region of another job; no JobID 0 is configured at the FEP, which was "
                     "reset.",
         .stimulus = "WRITE rel=1 with JobID 0.",
         .expected = "UET_RESPONSE with RC_BAD_JOB_ID (RC_BAD_PID and RC_BAD_INDEX, of a FEP that "
                     "has such a job all the same, are findings); memory unchanged.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct kept before = keep(tc, &m, 0, 64);
    struct uet_memory none = m;
    none.relative = true;
    none.job_id = 0;
    struct uet_out o = uet_write(uet_pdc_open(tc), &none, 0, "nobody", 6);
    refused_or(tc, "SES-052", &o, UET_RC_BAD_JOB_ID, UET_RC_BAD_PID, UET_RC_BAD_INDEX);
    unchanged(tc, "SES-052", &before);
}

UET_TEST(reserved_bits_of_a_key, .id = "ses.2.reserved-bits-of-a-key", .requirements = "SES-162",
         .role = UET_ROLE_TARGET, .needs = "write upper-tester",
         .purpose = "Keys that the FEP gives out have their reserved bits 0.", .preamble = "None.",
         .stimulus = "Memory is registered, three times, the second withdrawn before the third; "
                     "the FEP may answer with a key of its own.",
         .expected = "Bits 61:56 of the key that the FEP tells are 0.")
{
    for (int i = 0; i < 3; i++) {
        struct uet_memory m = uet_need_memory(tc, 64);
        uet_check_eq(tc, "SES-162", "key bits 61:56", m.key >> 56 & 0x3f, 0);
        if (i == 1 && uet_ut_withdraw(uet_tc_ut(tc), m.handle) != 0)
            return; /* a FEP need not take keys back */
    }
}

UET_TEST(optimized_key_standard, .id = "ses.3.4.1.optimized-key-in-a-standard-header",
         .requirements = "SES-019", .role = UET_ROLE_TARGET, .needs = "write upper-tester",
         .purpose = "The standard header serves every key, the optimized one, too.",
         .preamble = "A region whose key is optimized: its RKEY is its RI.",
         .stimulus = "A WRITE with the standard header.",
         .expected = "Success; the bytes are there. A FEP without such keys is skipped.")
{
    struct source s = need_source_with_key(tc, 64, KEY_OPTIMIZED);
    struct uet_out o = uet_write(uet_pdc_open(tc), &s.m, 0, uet_tc_bytes(tc, 64), 64);
    accepted(tc, "SES-019", &o);
    memory_holds(tc, "SES-019", &s.m, 0, o.payload, 64);
}

/* Memory that a user registers under this key: a WRITE by it finds nothing, if the FEP took it. */
static void no_such_user_key(struct uet_pdc *p, struct uet_memory m, uint64_t key)
{
    struct uet_tc *tc = p->tc;
    const struct uet_ut_memory like = {.job_id = m.job_id,
                                       .pid_on_fep = m.pid_on_fep,
                                       .resource_index = m.resource_index,
                                       .key = key,
                                       .length = 64};
    /* One of the FEP's own is no user's: it may have such bits. */
    if (uet_ut_reg_mem(uet_tc_ut(tc), &like, NULL, &m.key) != 0 || m.key != key) {
        uet_note(tc, "SES-161", "the FEP takes no such key");
        return;
    }
    struct uet_out o = uet_write(p, &m, 0, "good", 4);
    uet_check(tc, "SES-161", is_error_response(ask(tc, "SES-161", &o)),
              "memory is found by a user's key with vendor_specific bits");
}

UET_TEST(user_key_without_vendor_bits, .id = "ses.2.user-key-without-vendor-bits",
         .requirements = "SES-161", .role = UET_ROLE_TARGET, .needs = "write upper-tester",
         .purpose = "A key that a user assigns has no vendor_specific bits (55:48).",
         .preamble = "A memory region; PDC open.",
         .stimulus = "Memory is registered under 0x00a5000000001234, and with such bits in an "
                     "idempotent-safe and in an optimized key; where the FEP takes that, a WRITE "
                     "of 4 bytes by this key.",
         .expected = "The FEP takes no such key, or gives another one, or finds no memory by it.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = uet_pdc_open(tc);
    no_such_user_key(p, m, 0x00a5000000001234);
    no_such_user_key(p, m, KEY_IDEMPOTENT | 0x005a000000001235);
    no_such_user_key(p, m, 1ull << 62 | 0x00a5000000000000 | m.resource_index);
}
