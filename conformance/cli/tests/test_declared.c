/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fep.yaml says what stands ready at a FEP without upper tester. What it says wrongly spoils the
 * tests that use that entry, names its line, and spoils no other.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "conformance/fep_ref.h"
#include "conformance/harness/run/runner.h"
#include "conformance/harness/tc.h"

#define TOY(name, slug, ...)                                                                       \
    UET_TEST(name, .id = slug, .requirements = "PDS-097", .role = UET_ROLE_TARGET, .purpose = "-", \
             .stimulus = "-", .expected = "-", __VA_ARGS__)

TOY(memory_trial, "zz.1.0.memory", .sanity = true, .by_entry = UET_ENTRY_MEMORY)
{
    uet_try_declared_memory(tc);
}

TOY(receives_trial, "zz.1.0.receives", .sanity = true, .by_entry = UET_ENTRY_RECEIVES)
{
    uet_try_declared_receives(tc);
}

static uint16_t used_ri;

TOY(writes, "zz.1.1.writes")
{
    used_ri = uet_need_memory(tc, 100).resource_index;
}

TOY(writes_much, "zz.1.1.writes-much")
{
    used_ri = uet_need_memory(tc, 5000).resource_index;
}

TOY(sends, "zz.1.1.sends")
{
    used_ri = uet_need_receive(tc, 100, 1).resource_index;
}

TOY(needs_nothing, "zz.1.1.needs-nothing")
{
    (void)tc;
}

/* ---- a FEP with something ready ---- */

static struct uet_fep_ref *fep;
static struct uet_dut dut;
static struct uet_session session;
static struct uet_result last; /* its id, section and requirements are static, too */
static char last_id[96];
static size_t n_results;

static int keep(void *ctx, const struct uet_result *r)
{
    (void)ctx;
    last = *r;
    n_results++;
    return 0;
}

/* Runs the tests of that name: one, or one for each entry. The verdict of the last. */
static uint8_t run(const char *name)
{
    const struct uet_selection one = {.glob = name};
    const struct uet_run_events events = {.done = keep};
    struct uet_summary summary = {0};
    size_t n;
    const struct uet_test **tests = uet_each_entry(uet_select(&one, &n), &n, &session, &one);

    assert_true(n > 0);
    n_results = 0;
    assert_int_equal(uet_run_tests(&session, &one, tests, n, &events, &summary), 0);
    assert_int_equal(n_results, n);
    snprintf(last_id, sizeof(last_id), "%s", last.id);
    free(tests);
    if (last.verdict == UET_FAIL)
        print_message("%s\n", last.message);
    return last.verdict;
}

/* Memory of 4096 bytes with RI 5 and key 0x11; `buffers` receives of 4096 bytes with RI 6. */
static void make_ready(struct uet_ut *ut, unsigned buffers)
{
    const struct uet_ut_service rma = {
        .job_id = 1, .pid_on_fep = 2, .resource_index = 5, .ri_class = UET_UT_RMA};
    const struct uet_ut_service send = {
        .job_id = 1, .pid_on_fep = 2, .resource_index = 6, .ri_class = UET_UT_SEND};
    const struct uet_ut_memory memory = {
        .job_id = 1, .pid_on_fep = 2, .resource_index = 5, .key = 0x11, .length = 4096};
    const struct uet_ut_receive receive = {
        .job_id = 1, .pid_on_fep = 2, .resource_index = 6, .length = 4096};
    uint64_t handle;

    assert_int_equal(uet_ut_service(ut, &rma), 0);
    assert_int_equal(uet_ut_service(ut, &send), 0);
    assert_int_equal(uet_ut_reg_mem(ut, &memory, &handle, NULL), 0);
    for (unsigned i = 0; i < buffers; i++)
        assert_int_equal(uet_ut_post_recv(ut, &receive, &handle), 0);
}

static int begin(void **state)
{
    char err[512];

    (void)state;
    assert_int_equal(uet_fep_ref_open(&fep, 1, err, sizeof(err)), 0);
    dut = *uet_fep_ref_dut(fep);
    snprintf(dut.path, sizeof(dut.path), "my.yaml");
    uet_session_default(&session);
    session.dut = &dut;
    session.port = uet_fep_ref_port(fep);
    return 0;
}

static int end(void **state)
{
    (void)state;
    uet_fep_ref_close(fep);
    return 0;
}

static struct uet_dut_memory *memory(unsigned line, uint32_t length)
{
    struct uet_dut_memory *m = &dut.memory[dut.n_memory++];

    *m = (struct uet_dut_memory){.job_id = 1,
                                 .pid_on_fep = 2,
                                 .resource_index = 5,
                                 .relative = true,
                                 .key = 0x11,
                                 .length = length,
                                 .line = line};
    return m;
}

static struct uet_dut_receive *receive(unsigned line, uint32_t length)
{
    struct uet_dut_receive *r = &dut.receives[dut.n_receives++];

    *r = (struct uet_dut_receive){.job_id = 1,
                                  .pid_on_fep = 2,
                                  .resource_index = 6,
                                  .relative = true,
                                  .length = length,
                                  .line = line};
    return r;
}

static void right(void **state)
{
    (void)state;
    make_ready(uet_fep_ref_ut(fep), 4);
    memory(7, 4096);
    receive(9, 4096);
    assert_int_equal(run("zz.1.0.memory"), UET_PASS);
    assert_int_equal(run("zz.1.0.receives"), UET_PASS);
    assert_int_equal(run("zz.1.1.writes"), UET_PASS);
    assert_int_equal(run("zz.1.1.sends"), UET_PASS);
}

static void wrong_key(void **state)
{
    (void)state;
    make_ready(uet_fep_ref_ut(fep), 0);
    memory(7, 4096)->key = 0x12;
    assert_int_equal(run("zz.1.0.memory"), UET_INCONC);
    assert_non_null(strstr(last.message, "my.yaml:7: a WRITE of its last bytes was refused with"));
    assert_non_null(strstr(last.message, "MKEY"));
    assert_int_equal(run("zz.1.1.writes"), UET_INCONC);
    assert_non_null(strstr(last.message, "my.yaml:7: this entry of 'memory' did not stand"));
    assert_int_equal(run("zz.1.1.needs-nothing"), UET_PASS);
}

/*
 * The first entry is longer than the region; the second one serves, but not for everything. Each
 * has a result of its own, and one can be asked for alone.
 */
static void wrong_length(void **state)
{
    (void)state;
    make_ready(uet_fep_ref_ut(fep), 0);
    memory(7, 8192);
    memory(8, 4096);
    assert_int_equal(run("zz.1.0.memory"), UET_PASS);
    assert_int_equal(n_results, 2);
    assert_string_equal(last_id, "zz.1.0.memory.2");
    assert_int_equal(run("zz.1.0.mem*.1"), UET_INCONC);
    assert_int_equal(n_results, 1);
    assert_string_equal(last_id, "zz.1.0.memory.1");
    assert_non_null(strstr(last.message, "my.yaml:7: a WRITE of its last bytes was refused with"));
    assert_int_equal(run("zz.1.1.writes"), UET_PASS);
    assert_int_equal(run("zz.1.1.writes-much"), UET_INCONC);
    assert_non_null(strstr(last.message, "my.yaml:7:"));
    assert_ptr_equal(uet_test_find("zz.1.0.memory.2"), uet_test_find("zz.1.0.memory"));
    assert_null(uet_test_find("zz.1.1.writes.2"));
}

/* One buffer that is not posted anew: enough for one SEND only. */
static void not_posted_anew(void **state)
{
    (void)state;
    make_ready(uet_fep_ref_ut(fep), 1);
    receive(9, 4096);
    assert_int_equal(run("zz.1.0.receives"), UET_INCONC);
    assert_non_null(strstr(last.message, "my.yaml:9: a second SEND was refused with"));
    assert_int_equal(run("zz.1.1.sends"), UET_INCONC);
    assert_non_null(strstr(last.message, "my.yaml:9: this entry of 'receives' did not stand"));
}

static void read_only(void **state)
{
    (void)state;
    make_ready(uet_fep_ref_ut(fep), 0);
    memory(7, 4096)->no_write = true;
    assert_int_equal(run("zz.1.0.memory"), UET_PASS);
    dut.memory[0].length = 8192;
    assert_int_equal(run("zz.1.0.memory"), UET_INCONC);
    assert_non_null(strstr(last.message, "my.yaml:7: a READ of its last bytes was refused with"));
}

static void nothing_ready(void **state)
{
    (void)state;
    assert_int_equal(run("zz.1.0.memory"), UET_SKIP);
    assert_int_equal(last.skip_reason, UET_SKIP_PARAMETER);
    assert_int_equal(run("zz.1.0.receives"), UET_SKIP);
    session.ut = uet_fep_ref_ut(fep);
    memory(7, 4096);
    assert_int_equal(run("zz.1.0.memory"), UET_SKIP);
    assert_int_equal(run("zz.1.1.writes"), UET_PASS);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {CASE(right),           CASE(wrong_key), CASE(wrong_length),
                                       CASE(not_posted_anew), CASE(read_only), CASE(nothing_ready)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
