/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Processes that run tests against a reference FEP which, when told, loops for ever or takes its
 * process along: the test gets its verdict, and no other test is lost.
 */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "conformance/cli/run/jobs.h"
#include "conformance/harness/tc.h"

/* ---- a FEP that goes wrong when a test asks it to ---- */

static enum { WELL, LOOPS, DIES, DIES_ONCE } how;
static struct {
    bool died_once; /* of the test that does */
    pid_t by[2];    /* who ran the tests that two can share */
} * shared;         /* by all processes */

static struct uet_fate go_wrong(void *ctx, uint8_t *frame, uint32_t len)
{
    (void)ctx;
    (void)frame;
    (void)len;
    for (volatile bool on = how == LOOPS; on;)
        ;
    if (how == DIES || (how == DIES_ONCE && !shared->died_once)) {
        shared->died_once |= how == DIES_ONCE;
        raise(SIGKILL);
    }
    return (struct uet_fate){.copies = 1};
}

static void exchange(struct uet_tc *tc)
{
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out o = uet_no_op(p);

    uet_send(tc, &o);
    uet_expect_ack(tc, p, o.psn);
    how = WELL;
}

#define TOY(name, slug, ...)                                                                       \
    UET_TEST(name, .id = slug, .requirements = "PDS-097", .role = UET_ROLE_TARGET, .purpose = "-", \
             .stimulus = "-", .expected = "-", __VA_ARGS__)

TOY(good, "zz.1.0.good", .sanity = true)
{
    exchange(tc);
}

TOY(loops, "zz.1.1.loops", .builds_on = "")
{
    how = LOOPS;
    exchange(tc);
}

TOY(dies, "zz.1.2.dies", .builds_on = "")
{
    how = DIES;
    exchange(tc);
}

TOY(dies_once, "zz.1.3.dies-once", .builds_on = "")
{
    how = DIES_ONCE;
    exchange(tc);
}

TOY(tester_loops, "zz.1.4.tester-loops", .builds_on = "")
{
    (void)tc;
    for (volatile bool on = true; on;)
        ;
}

TOY(last, "zz.1.9.last", .builds_on = "")
{
    exchange(tc);
}

/* Ctrl-C goes to the whole group of processes. */
TOY(signalled, "zz.3.1.signalled", .builds_on = "")
{
    raise(SIGINT);
    raise(SIGTERM);
    shared->by[0] = getpid();
    exchange(tc);
}

TOY(beside, "zz.3.2.beside", .builds_on = "")
{
    shared->by[1] = getpid();
    exchange(tc);
}

TOY(dies_in_sanity, "zz.2.0.dies-in-sanity", .sanity = true)
{
    how = DIES;
    exchange(tc);
}

TOY(on_shaken_ground, "zz.2.1.on-shaken-ground", .builds_on = "zz.2.0.dies-in-sanity")
{
    exchange(tc);
}

/* ---- what came of them ---- */

/* Only what loops may come near it: on a busy host a good test waits long for its turn. */
#define CEILING_S 1.0

static struct uet_result results[16];
static const char *not_run[16];
static size_t n_results, n_not_run;
static volatile sig_atomic_t stop;
static const char *stop_at;
static struct uet_session session;

static void on_begin(void *ctx, const struct uet_test *test)
{
    (void)ctx;
    if (stop_at && strcmp(stop_at, test->id) == 0)
        stop = 1;
}

static int on_done(void *ctx, const struct uet_result *r)
{
    (void)ctx;
    assert_true(n_results < 16);
    results[n_results++] = *r;
    return 0;
}

static int on_not_run(void *ctx, const struct uet_test *test, const char *reason)
{
    (void)ctx;
    assert_string_equal(reason, "interrupted");
    assert_true(n_not_run < 16);
    not_run[n_not_run++] = test->id;
    return 0;
}

/* Runs the tests that match; the summary is that of the run. */
static int run(const char *glob, unsigned n_jobs, struct uet_summary *summary)
{
    const struct uet_selection selection = {.glob = glob};
    const struct uet_run_events events = {
        .begin = on_begin, .done = on_done, .not_run = on_not_run};
    const struct uet_mutator mutator = {.frame = go_wrong};
    struct uet_fep_ref *ref;
    char err[200];
    size_t n;

    n_results = n_not_run = 0;
    stop = 0;
    memset(shared, 0, sizeof(*shared));
    *summary = (struct uet_summary){0};
    assert_int_equal(uet_fep_ref_open(&ref, 1, err, sizeof(err)), 0);
    uet_fep_ref_mutate(ref, &mutator);
    uet_session_default(&session);
    session.dut = uet_fep_ref_dut(ref);
    session.port = uet_fep_ref_port(ref);
    session.ut = uet_fep_ref_ut(ref);
    session.ceiling_s = CEILING_S;
    session.stop = &stop;
    const struct uet_jobs jobs = {
        .session = &session, .selection = &selection, .ref = ref, .jobs = n_jobs};
    const struct uet_test **tests = uet_select(&selection, &n);
    int rc = uet_run_jobs(&jobs, tests, n, &events, summary);
    free(tests);
    uet_fep_ref_close(ref);
    return rc;
}

static const struct uet_result *result(const char *id)
{
    for (size_t i = 0; i < n_results; i++)
        if (strcmp(results[i].id, id) == 0)
            return &results[i];
    fail_msg("no result of %s", id);
    return NULL;
}

static void says(const char *id, enum uet_verdict verdict, const char *text)
{
    const struct uet_result *r = result(id);

    assert_string_equal(uet_verdict_name((enum uet_verdict)r->verdict), uet_verdict_name(verdict));
    if (!strstr(r->message, text))
        fail_msg("'%s' not in '%s'", text, r->message);
}

/* ---- the tests of the processes ---- */

static void bad_tests_harm_no_other(void **state)
{
    (void)state;
    for (unsigned n_jobs = 1; n_jobs <= 3; n_jobs++) {
        struct uet_summary s;

        assert_int_equal(run("zz.1.*", n_jobs, &s), 0);
        assert_int_equal(n_results, 6);
        says("zz.1.0.good", UET_PASS, "");
        says("zz.1.1.loops", UET_FAIL, "the FEP did not come back");
        says("zz.1.2.dies", UET_FAIL, "the FEP's process died twice in this test (signal 9)");
        says("zz.1.3.dies-once", UET_PASS, "");
        says("zz.1.4.tester-loops", UET_ERROR, "the tester did not come back");
        says("zz.1.9.last", UET_PASS, "");
        assert_string_equal(results[5].id, "zz.1.9.last"); /* in order, whoever ran them */
        assert_int_equal(s.pass, 3);
        assert_int_equal(s.fail, 2);
        assert_int_equal(s.error, 1);
        assert_true(shared->died_once);
    }
}

/* Each in a process of its own, which the signals of a terminal do not end. */
static void two_share_the_work(void **state)
{
    struct uet_summary s;

    (void)state;
    assert_int_equal(run("zz.3.*", 2, &s), 0);
    says("zz.3.1.signalled", UET_PASS, "");
    says("zz.3.2.beside", UET_PASS, "");
    assert_true(shared->by[0] != getpid() && shared->by[1] != getpid());
    assert_true(shared->by[0] != shared->by[1]);
    assert_int_equal(run("zz.3.*", 1, &s), 0);
    assert_true(shared->by[0] == shared->by[1]);
}

static void a_death_in_a_sanity_test_shakes_the_ground(void **state)
{
    struct uet_summary s;

    (void)state;
    assert_int_equal(run("zz.2.*", 1, &s), 0);
    says("zz.2.0.dies-in-sanity", UET_FAIL, "died twice");
    says("zz.2.1.on-shaken-ground", UET_INCONC, "the sanity test zz.2.0.dies-in-sanity did not");
}

static void a_stop_cuts_what_runs(void **state)
{
    struct uet_summary s;

    (void)state;
    stop_at = "zz.1.1.loops";
    assert_int_equal(run("zz.1.*", 1, &s), -EINTR);
    stop_at = NULL;
    assert_int_equal(n_results, 2);
    says("zz.1.0.good", UET_PASS, "");
    assert_true(result("zz.1.1.loops")->cut);
    assert_int_equal(n_not_run, 4);
    assert_string_equal(not_run[0], "zz.1.2.dies");
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* nobody loops on behind it */
    assert_int_equal(errno, ECHILD);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_tests_harm_no_other),
        cmocka_unit_test(two_share_the_work),
        cmocka_unit_test(a_death_in_a_sanity_test_shakes_the_ground),
        cmocka_unit_test(a_stop_cuts_what_runs),
    };

    shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
