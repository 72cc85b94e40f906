/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A FEP, or its upper tester, that is lost in the midst of a run: no later test is judged as if it
 * were there. The reference FEP stands behind a wire that this file cuts.
 */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "conformance/fep_ref.h"
#include "conformance/harness/run/runner.h"
#include "conformance/harness/tc.h"

/* ---- what is lost, and when ---- */

static struct {
    bool dead;          /* nothing comes back from the FEP */
    bool control_dead;  /* nor from its upper tester */
    unsigned drops;     /* so many answers are lost on the way */
    unsigned kills;     /* how often a test that kills still does it */
    unsigned sanity;    /* how often the sanity test ran */
    unsigned restarts;  /* how often it was started anew */
    bool restart_fails; /* the command does */
    bool restart_vain;  /* or is no help */
    bool interrupted;   /* Ctrl-C comes meanwhile */
    unsigned late;      /* so many answers are lost while it comes up */
    uint32_t psns[2];   /* of a test and its repetition */
    unsigned tries;
} fixture;

static volatile sig_atomic_t stop;

static struct uet_fate wire(void *ctx, uint8_t *frame, uint32_t len)
{
    (void)ctx;
    (void)frame;
    (void)len;
    if (fixture.drops > 0) {
        fixture.drops--;
        return (struct uet_fate){.copies = 0};
    }
    return (struct uet_fate){.copies = !fixture.dead};
}

/* The reference FEP's upper tester, with a line that can be cut. */
struct cut_ut {
    struct uet_ut ut;
    struct uet_ut *behind;
};

static int cut_call(struct uet_ut *ut, json_t *request, json_t **reply)
{
    if (fixture.control_dead) {
        ut->lost = true;
        strcpy(ut->error, "the FEP's control socket is closed");
        return -EPIPE;
    }
    return ((struct cut_ut *)ut)->behind->ops->call(((struct cut_ut *)ut)->behind, request, reply);
}

/* It is static, and the one behind it the FEP's. */
static void cut_close(struct uet_ut *ut)
{
    (void)ut;
}

static const struct uet_ut_ops cut_ops = {.call = cut_call, .close = cut_close};
static struct cut_ut cut_ut;

static int restart(void *ctx, char *why, size_t size)
{
    (void)ctx;
    fixture.restarts++;
    if (fixture.interrupted) {
        stop = 1;
        strncpy(why, "interrupted", size);
        return -EINTR;
    }
    if (fixture.restart_fails) {
        strncpy(why, "the restart failed", size);
        return -EIO;
    }
    fixture.dead = fixture.restart_vain;
    fixture.drops = fixture.late;
    fixture.control_dead = cut_ut.ut.lost = false;
    return 0;
}

/* ---- tests ---- */

static void exchange(struct uet_tc *tc)
{
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out o = uet_no_op(p);

    uet_send(tc, &o);
    uet_expect_ack(tc, p, o.psn);
}

#define TOY(name, slug, ...)                                                                       \
    UET_TEST(name, .id = slug, .requirements = "PDS-097", .role = UET_ROLE_TARGET, .purpose = "-", \
             .stimulus = "-", .expected = "-", __VA_ARGS__)

TOY(first, "zz.1.0.first", .sanity = true)
{
    fixture.sanity++;
    exchange(tc);
}

TOY(good, "zz.1.1.good", .builds_on = NULL, .needs = "any-request udp")
{
    exchange(tc);
}

TOY(kills, "zz.1.2.kills", .builds_on = NULL)
{
    if (fixture.kills > 0) {
        fixture.kills--;
        fixture.dead = true;
    }
    exchange(tc);
}

/* It loses the FEP at the first try, and fails by itself at the second. */
TOY(fails_in_the_end, "zz.5.1.fails-in-the-end", .builds_on = NULL)
{
    if (fixture.kills > 0) {
        fixture.kills--;
        fixture.dead = true;
    }
    exchange(tc);
    uet_fail(tc, "PDS-097", "in the end");
}

/* Its answer is lost once: it is tried again, with another PSN. */
TOY(tried_again, "zz.6.1.tried-again", .builds_on = NULL)
{
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out o = uet_no_op(p);

    assert_true(fixture.tries < 2);
    fixture.psns[fixture.tries++] = o.psn;
    uet_send(tc, &o);
    uet_expect_ack(tc, p, o.psn);
}

TOY(later, "zz.1.3.later", .builds_on = NULL)
{
    exchange(tc);
}

TOY(last, "zz.1.4.last", .builds_on = NULL)
{
    exchange(tc);
}

/* It expects that nothing comes, and gets it all too well. */
TOY(silence, "zz.2.1.silence", .builds_on = NULL)
{
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out o = uet_no_op(p);
    const struct uet_want ack = {.kind = UET_WANT_ACK, .pdc = p};

    fixture.dead = true;
    uet_send(tc, &o);
    uet_expect_nothing(tc, "PDS-083", &ack, 0);
}

TOY(control_dies, "zz.3.1.control-dies", .builds_on = NULL)
{
    exchange(tc);
    if (fixture.kills > 0) {
        fixture.kills--;
        fixture.control_dead = true;
        cut_ut.ut.lost = true;
    }
}

TOY(after_control, "zz.3.2.after", .builds_on = NULL)
{
    exchange(tc);
}

TOY(fails, "zz.4.1.fails", .builds_on = NULL)
{
    exchange(tc);
    uet_fail(tc, "PDS-097", "for no reason");
}

/* ---- a run ---- */

static struct uet_result results[16];
static char not_run[16][300];
static size_t n_results, n_not_run;
static struct uet_session session;
static struct uet_dut dut;
static struct uet_fep_ref *ref;

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
    assert_true(n_not_run < 16);
    snprintf(not_run[n_not_run++], sizeof(not_run[0]), "%s: %s", test->id, reason);
    return 0;
}

static int run(const char *glob)
{
    const struct uet_selection selection = {.glob = glob};
    const struct uet_run_events events = {.done = on_done, .not_run = on_not_run};
    struct uet_summary summary = {0};
    size_t n;

    n_results = n_not_run = 0;
    const struct uet_test **tests = uet_select(&selection, &n);
    int rc = uet_run_tests(&session, &selection, tests, n, &events, &summary);
    free(tests);
    return rc;
}

static void says(const char *id, enum uet_verdict verdict, const char *text)
{
    for (size_t i = 0; i < n_results; i++) {
        const struct uet_result *r = &results[i];

        if (strcmp(r->id, id) != 0)
            continue;
        assert_string_equal(uet_verdict_name((enum uet_verdict)r->verdict),
                            uet_verdict_name(verdict));
        if (!strstr(r->message, text))
            fail_msg("'%s' not in '%s'", text, r->message);
        return;
    }
    fail_msg("no result of %s", id);
}

static int set_up(void **state)
{
    const struct uet_mutator mutator = {.frame = wire};
    char err[200];

    (void)state;
    memset(&fixture, 0, sizeof(fixture));
    assert_int_equal(uet_fep_ref_open(&ref, 1, err, sizeof(err)), 0);
    uet_fep_ref_mutate(ref, &mutator);
    dut = *uet_fep_ref_dut(ref);
    uet_session_default(&session);
    session.dut = &dut;
    session.stop = &stop;
    stop = 0;
    session.port = uet_fep_ref_port(ref);
    cut_ut = (struct cut_ut){.ut = {.ops = &cut_ops, .next_id = 1}, .behind = uet_fep_ref_ut(ref)};
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    uet_ut_close(&cut_ut.ut);
    uet_fep_ref_close(ref);
    return 0;
}

/* ---- what must hold ---- */

static void a_dead_fep_ends_the_run(void **state)
{
    (void)state;
    fixture.kills = 1;
    assert_int_equal(run("zz.1.*"), -ECONNABORTED);
    assert_int_equal(n_results, 3);
    says("zz.1.1.good", UET_PASS, "");
    assert_string_equal(results[1].message, ""); /* nor why it might have been skipped */
    says("zz.1.2.kills", UET_FAIL, "the FEP was lost in this test");
    assert_int_equal(n_not_run, 2); /* and no false fail */
    assert_non_null(strstr(not_run[0], "zz.1.3.later: the FEP answers nothing any more: not in "
                                       "zz.1.2.kills, nor the sanity exchange after it"));
    assert_non_null(strstr(session.ended, "zz.1.2.kills"));
}

/* One that was never there is told so, not as one that went. */
static void a_fep_that_never_was(void **state)
{
    (void)state;
    fixture.dead = true;
    assert_int_equal(run("zz.1.*"), -ECONNABORTED);
    assert_non_null(strstr(session.ended, "has not answered a single packet"));
    says("zz.1.0.first", UET_FAIL, "the FEP has not answered a single packet so far: what comes");
    assert_null(strstr(results[0].message, "was lost in this test"));
}

/* A FEP that grants the close is there: nobody need ask. */
static void a_failure_is_no_loss(void **state)
{
    (void)state;
    assert_int_equal(run("zz.4.*"), 0);
    says("zz.4.1.fails", UET_FAIL, "for no reason");
    assert_int_equal(fixture.sanity, 0);
}

static void a_pass_by_death_is_none(void **state)
{
    (void)state;
    assert_int_equal(run("zz.2.*"), -ECONNABORTED);
    says("zz.2.1.silence", UET_INCONC, "the FEP was no longer there");
}

static void a_restart_tells_cause_from_chance(void **state)
{
    (void)state;
    session.restart = restart;
    fixture.kills = 1;
    assert_int_equal(run("zz.1.*"), 0);
    assert_int_equal(n_results, 5);
    assert_int_equal(fixture.restarts, 1);
    says("zz.1.2.kills", UET_INCONC, "repeated after a restart, the test passed");
    says("zz.1.4.last", UET_PASS, "");
    fixture.kills = 2;
    fixture.restarts = 0;
    assert_int_equal(run("zz.1.*"), 0);
    assert_int_equal(n_results, 5);
    assert_int_equal(fixture.restarts, 2);
    says("zz.1.2.kills", UET_FAIL, "it is this test that ends it");
    says("zz.1.3.later", UET_PASS, "");
}

/* A FEP that needs a while to come up is waited for, as restart_time says. */
static void a_restart_takes_its_time(void **state)
{
    (void)state;
    session.restart = restart;
    fixture.kills = 1;
    fixture.late = 2;
    assert_int_equal(run("zz.1.*"), 0);
    assert_int_equal(fixture.restarts, 1);
    says("zz.1.4.last", UET_PASS, "");
}

static void a_failure_after_a_restart_stands(void **state)
{
    (void)state;
    session.restart = restart;
    fixture.kills = 1;
    assert_int_equal(run("zz.5.*"), 0);
    says("zz.5.1.fails-in-the-end", UET_FAIL, "in the end");
    assert_int_equal(results[0].n_findings, 1);
    assert_string_equal(results[0].findings[0].text,
                        "the FEP was lost in this test, and the FEP was started anew");
}

/* The first try is what is judged: its capture stays. The second has identifiers of its own. */
static void a_repetition_leaves_the_capture(void **state)
{
    char folder[] = "/tmp/uet-attempt-XXXXXX", text[8192] = "";

    (void)state;
    assert_non_null(mkdtemp(folder));
    session.port->caps &= ~(uint32_t)UET_PORT_VIRTUAL_TIME;
    dut.response_time_ns = 2 * UET_MS;
    session.pcap_dir = folder;
    fixture.drops = 1;
    assert_int_equal(run("zz.6.*"), 0);
    says("zz.6.1.tried-again", UET_INCONC, "passed when repeated");
    assert_int_equal(fixture.tries, 2);
    assert_int_not_equal(fixture.psns[0], fixture.psns[1]);
    FILE *in = fopen(results[0].pcap, "rb");
    assert_non_null(in);
    size_t n = fread(text, 1, sizeof(text) - 1, in);
    fclose(in);
    unlink(results[0].pcap);
    rmdir(folder);
    for (size_t i = 0; i < n; i++) /* so that the whole file is one string */
        text[i] = text[i] ? text[i] : '.';
    assert_non_null(strstr(text, "PDS-097 violated"));
}

/* In the place of a reset: before each test, and the run ends when it is no help. */
static void a_restart_before_each_test(void **state)
{
    (void)state;
    session.restart = restart;
    dut.restart_each_test = true;
    assert_int_equal(run("zz.1.*"), 0);
    assert_int_equal(n_results, 5);
    assert_int_equal(fixture.restarts, 5);
    says("zz.1.4.last", UET_PASS, "");
    fixture.restart_fails = true;
    assert_int_equal(run("zz.1.*"), -ECONNABORTED);
    assert_string_equal(session.ended, "the restart failed");
    assert_int_equal(n_results, 0);
    assert_int_equal(n_not_run, 5);
}

static void a_restart_that_is_no_help_ends_the_run(void **state)
{
    (void)state;
    session.restart = restart;
    fixture.kills = 1;
    fixture.restart_fails = true;
    assert_int_equal(run("zz.1.*"), -ECONNABORTED);
    says("zz.1.2.kills", UET_FAIL, "PDS-097");
    assert_string_equal(session.ended, "the restart failed");
    assert_int_equal(n_not_run, 2);

    fixture.restart_fails = fixture.dead = false;
    fixture.restart_vain = true;
    dut.restart_time_ns = 20 * UET_MS;
    fixture.kills = 1;
    assert_int_equal(run("zz.1.*"), -ECONNABORTED);
    assert_non_null(strstr(session.ended, "after its restart"));
    assert_int_equal(n_not_run, 2);
}

/* Ctrl-C while the FEP is started anew: no verdict, and no reason but that one. */
static void ctrl_c_in_a_restart_cuts_the_test(void **state)
{
    (void)state;
    session.restart = restart;
    fixture.kills = 1;
    fixture.interrupted = true;
    assert_int_equal(run("zz.1.*"), -EINTR);
    assert_int_equal(n_results, 3);
    assert_string_equal(results[2].id, "zz.1.2.kills");
    assert_true(results[2].cut);
    assert_string_equal(session.ended, "");
    assert_int_equal(n_not_run, 2);
    assert_non_null(strstr(not_run[0], UET_INTERRUPTED));
}

static int is_down(struct uet_port *port)
{
    (void)port;
    stop = 1; /* it comes while the tester waits for the link */
    return -ENETDOWN;
}

/* Nor is the link called "not back after 10 s" when nobody waited so long. */
static void ctrl_c_cuts_the_wait_for_the_link(void **state)
{
    struct uet_port_ops ops = *session.port->ops;
    const struct uet_port_ops *before = session.port->ops;

    (void)state;
    ops.check = is_down;
    session.port->ops = &ops;
    assert_int_equal(run("zz.1.1.*"), -EINTR);
    session.port->ops = before;
    assert_int_equal(n_results, 1);
    assert_true(results[0].cut);
    assert_string_equal(session.ended, "");
}

static void a_lost_upper_tester_ends_the_run(void **state)
{
    (void)state;
    session.ut = &cut_ut.ut;
    fixture.kills = 1;
    assert_int_equal(run("zz.3.*"), -ECONNABORTED);
    assert_int_equal(n_results, 1);
    assert_int_equal(n_not_run, 1);
    assert_non_null(strstr(not_run[0], "zz.3.2.after: the upper tester was lost in "
                                       "zz.3.1.control-dies"));
    /* Lost between two tests: the next one did not run, it is no error of it. */
    fixture.control_dead = true;
    cut_ut.ut.lost = false;
    assert_int_equal(run("zz.3.*"), -ECONNABORTED);
    assert_int_equal(n_results, 0);
    assert_int_equal(n_not_run, 2);
    assert_non_null(strstr(not_run[0], "the upper tester was lost before zz.3.1.control-dies: the "
                                       "FEP's control socket is closed"));
}

static void a_restart_brings_the_upper_tester_back(void **state)
{
    (void)state;
    session.ut = &cut_ut.ut;
    session.restart = restart;
    fixture.control_dead = true;
    assert_int_equal(run("zz.3.*"), 0);
    assert_int_equal(n_results, 2);
    says("zz.3.1.control-dies", UET_PASS, "");
    says("zz.3.2.after", UET_PASS, "");
    /* Nothing failed, but whoever reads the report must know of it. */
    assert_int_equal(results[0].n_findings, 1);
    assert_true(results[0].findings[0].note);
    assert_string_equal(results[0].findings[0].requirement, "PDS-097");
    assert_string_equal(results[0].findings[0].text,
                        "the upper tester was lost before this test, and the FEP was started anew");
    assert_int_equal(results[1].n_findings, 0);
}

/* In real time a failure is repeated, and what kept the first try's doings from the second told. */
static void a_repetition_says_how(void **state)
{
    (void)state;
    session.port->caps &= ~(uint32_t)UET_PORT_VIRTUAL_TIME;
    dut.response_time_ns = 2 * UET_MS;
    fixture.drops = 1;
    assert_int_equal(run("zz.1.1.*"), 0);
    says("zz.1.1.good", UET_INCONC, "passed when repeated with fresh identifiers");
    session.ut = &cut_ut.ut;
    fixture.drops = 1;
    assert_int_equal(run("zz.1.1.*"), 0);
    says("zz.1.1.good", UET_INCONC, "passed when repeated after a reset of the FEP");
    assert_int_equal(fixture.restarts, 0);
    session.restart = restart;
    fixture.drops = 1;
    assert_int_equal(run("zz.1.1.*"), 0);
    says("zz.1.1.good", UET_INCONC, "passed when repeated after a restart of the FEP");
    assert_int_equal(fixture.restarts, 1);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_dead_fep_ends_the_run),
        TEST(a_fep_that_never_was),
        TEST(a_failure_is_no_loss),
        TEST(a_pass_by_death_is_none),
        TEST(a_restart_tells_cause_from_chance),
        TEST(a_restart_takes_its_time),
        TEST(a_failure_after_a_restart_stands),
        TEST(a_repetition_leaves_the_capture),
        TEST(a_restart_before_each_test),
        TEST(a_restart_that_is_no_help_ends_the_run),
        TEST(ctrl_c_in_a_restart_cuts_the_test),
        TEST(ctrl_c_cuts_the_wait_for_the_link),
        TEST(a_lost_upper_tester_ends_the_run),
        TEST(a_restart_brings_the_upper_tester_back),
        TEST(a_repetition_says_how),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
